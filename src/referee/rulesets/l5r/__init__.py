"""Legend of the Five Rings, 5th edition: duels and skirmishes with roll-and-keep symbol dice.

An unofficial companion; Legend of the Five Rings belongs to its makers. The rules are stated in our own words.
"""

from typing import Final

from ...engine import Policy, Ruleset
from . import (
    attack,
    check,
    damage,
    deeds,
    duel,
    ending,
    initiative,
    interrupts,
    reactions,
    rulings,
    skirmish,
    spending,
    turn,
    waiting,
    words,
)
from .breakdowns import CASES, breakdown
from .cards import CARDS, L5RScenario
from .choosing import prefers
from .face import face, rolled, underway
from .hidden import HIDING, certain, possible, secrets
from .odds import ODDS
from .problems import card_problems, scenario_problems
from .records import RECORDS
from .setup import Table, arrange, seats, setup
from .worth import judge, worth

POLICIES: Final = {
    "skirmish_initiative_skill": Policy(("tactics", "meditation"), "core against source"),
    "initiative_stance_timing": Policy(("after_check", "before_check"), "stance effects on the initiative check"),
    "initiative_draw": Policy(("off", "on"), "an opportunity on initiative readies a weapon"),
    "anxiety_strife": Policy((3, 2), "core against quick-reference screen"),
    "unmask_cost": Policy(("honour", "glory", "none"), "what unmasking costs"),
    "unmask_tn1": Policy(("off", "on"), "the next hostile check against the unmasked has TN 1"),
    "half_threshold": Policy(("ceil", "exact"), "half of 9 is 5 or 4.5"),
    "minion_kill_amount": Policy(("before_reductions", "after_reductions"), "which amount kills a minion"),
    "minion_opportunity": Policy(("listed_only", "any"), "what a minion spends opportunities on"),
    "finishing_blow_limit": Policy(("once", "per_event"), "once in the duel, or once for each event"),
    "finishing_blow_draws": Policy(("off", "on"), "whether a finishing blow may ready a blade"),
    "razor_edge_doubling": Policy(("before", "after"), "added before doubling, or to the doubled severity"),
    "dying_counts": Policy(("once", "at_end"), "whether Dying that was removed counts"),
    "duel_weapons_start": Policy(("readied", "sheathed"), "in duels other than iaijutsu"),
    "duel_scoring": Policy(("off", "on"), "points decide"),
    "one_roll_duel": Policy(("off", "on"), "one competitive check decides"),
    "concede": Policy(("any_time", "round_start"), "when one may concede"),
    "max_rounds": Policy((30,), "pace", any_number=True),
    "fire_scope": Policy(("all_checks", "actions_only"), "checks that the Fire stance covers"),
    "fire_tn_expiry": Policy(("own_next_turn", "their_next_turn"), "source and errata against core"),
    "strike_order": Policy(("damage_first", "critical_first"), "damage and bought critical of a Strike"),
    "shattering_parry_cost": Policy((1, 0), "Void points; sources disagree"),
    "scar_repeat": Policy(("other_then_dying5", "dying5", "keep"), "a scar that is owned already"),
    "tainted_strife_count": Policy(("spent", "extra"), "n opportunities: 1 + n/2, or 1 + (n-1)/2"),
    "tainted_strife_die": Policy(("strife_only", "ST", "ET"), "the face of the added die"),
    "lion_ability": Policy(("core", "beginner"), "beginner: 1 strife for 1 success, no fatigue"),
    "afflicted_alter": Policy(("off", "on"), "the Afflicted may set a kept ring die to {OT}"),
    "prone_ranged_tn": Policy((0, 1), "ranged attacks on the prone"),
    "odds_model": Policy(("rule", "hindsight"), "how odds treat explosions"),
    "follow_ups": Policy(("single", "together"), "how follow-up dice are decided"),
}

RULESET: Final = Ruleset(
    id="l5r",
    title="Legend of the Five Rings 5e",
    rules_version=1,
    package=__name__,
    main_scenario="duel_at_dawn",
    cards=CARDS,
    scenario=L5RScenario,
    policies=POLICIES,
    records=RECORDS,
    frames=(
        duel.Duel,
        duel.Staredown,
        duel.Bid,
        duel.OneRoll,
        skirmish.Skirmish,
        skirmish.Clash,
        skirmish.Consent,
        initiative.Initiative,
        initiative.Ranking,
        turn.Turn,
        check.Check,
        spending.Telling,
        attack.Attack,
        damage.Damage,
        damage.Critical,
        damage.Aftermath,
        *deeds.FRAMES,
        *waiting.FRAMES,
        reactions.Occasion,
        interrupts.Composure,
        interrupts.FinishingBlow,
        interrupts.Unmasking,
        ending.Concession,
        ending.ConcessionAnswer,
        rulings.RulingDeed,
        ending.SceneEnd,
        ending.Sobering,
    ),
    seats=seats,
    prepare=Table,
    setup=setup,
    checks=(interrupts.composures, rulings.rulings_made),
    reactions=reactions.reactions,
    words=words,
    breakdown=breakdown,
    concede=ending.concede,
    conceded=ending.conceded,
    possible=possible,
    certain=certain,
    hiding=HIDING,
    secrets=secrets,
    worth=worth,
    judge=judge,
    prefers=prefers,
    arrange=arrange,
    cases=CASES,
    card_problems=card_problems,
    scenario_problems=scenario_problems,
    odds=ODDS,
    in_use=("bodies", "basics", "traits", "opportunities", "conditions"),
    figures="characters",
    face=face,
    rolled=rolled,
    underway=underway,
)
