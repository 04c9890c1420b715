"""Morphyry: technique cards that advance by time ticks; checks are points paid out of attribute pools.

An unofficial companion to the Morphyry customizable card game (storybridge.org), in our own words.
"""

from typing import Final

from ...engine import Policy, Ruleset
from . import actions, consequences, effects, flow, words
from .breakdowns import CASES, breakdown
from .cards import CARDS, MorphyryScenario, card_problems, scenario_problems
from .face import face, rolled
from .hidden import HIDING, possible, secrets
from .invariants import invariants
from .odds import ODDS
from .records import RECORDS
from .setup import arrange, seats, setup
from .sheets import Table
from .worth import worth

POLICIES: Final = {
    "jumping_addition": Policy((2, 3), "printed +3, worked as +2"),
    "multiplier_order": Policy(("before", "after"), "(1+adds) x N, or 1 x N + adds; the source's example has no adds"),
    "unmet_condition_spends": Policy((True, False), "not said whether points are lost"),
    "redeploy": Policy(("next_deploy", "at_once"), "at_once: a card may be deployed in phase 4 with the Speed left"),
    "max_techniques": Policy((1, 2), "the source speaks of techniques in the plural"),
    "fall_damage": Policy((1, 0, 2), "amount not given"),
    "prone_debt": Policy(("replace", "both"), "both: Alternate Ready is owed after Ready as well"),
    "drop_against": Policy(("corpus", "electra", "spiritum"), "a word is missing in the source"),
    "drop_break": Policy(("both", "break_if_dropped"), '"both" printed, Falls chain them'),
    "countered_attack": Policy(("fails", "misses"), "misses: enacted without effect"),
    "interrupt_when": Policy(("before_failure", "any_tick"), "the source names only the moment before failing"),
    "hands": Policy(("hidden", "open"), "table taste"),
    "collapse_from": Policy((13, 0), "pace; 0: never", any_number=True),
    "round_limit": Policy((30,), "pace", any_number=True),
}

RULESET: Final = Ruleset(
    id="morphyry",
    title="Morphyry",
    rules_version=1,
    package=__name__,
    main_scenario="broken_stair",
    cards=CARDS,
    scenario=MorphyryScenario,
    policies=POLICIES,
    records=RECORDS,
    frames=(
        flow.Combat,
        flow.Turn,
        actions.Completion,
        actions.Interruption,
        actions.DeployAtOnce,
        effects.Enact,
        consequences.Failure,
        consequences.Fall,
        consequences.Dropping,
        consequences.Breaking,
        consequences.Death,
        consequences.Concession,
    ),
    seats=seats,
    prepare=Table,
    setup=setup,
    checks=(consequences.deaths,),
    words=words,
    breakdown=breakdown,
    concede=consequences.concede,
    conceded=consequences.conceded,
    possible=possible,
    secrets=secrets,
    worth=worth,
    invariants=invariants,
    arrange=arrange,
    cases=CASES,
    card_problems=card_problems,
    scenario_problems=scenario_problems,
    odds=ODDS,
    in_use=("techniques",),
    figures="avatars",
    face=face,
    rolled=rolled,
    hiding=HIDING,
)
