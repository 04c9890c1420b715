"""Midnight in Vaia: every action has a price and can be ridden, triggered upon and answered.

An unofficial companion to Midnight in Vaia (midnightinvaia.com), in our own words.
"""

from typing import Final

from ...engine import Policy, Ruleset
from . import actions, consequences, effects, flow, riders, words
from .breakdowns import CASES, breakdown
from .cards import CARDS, VaiaScenario
from .face import face, rolled
from .hidden import HIDING, invariants, possible, secrets
from .odds import ODDS
from .problems import card_problems, scenario_problems
from .reactions import reactions
from .records import RECORDS
from .setup import Table, arrange, seats, setup
from .underway import underway
from .worth import worth

POLICIES: Final = {
    "window_order": Policy(("rider_first", "trigger_first"), "the source gives no order at one point"),
    "response_timing": Policy(("outermost", "immediate"), "immediate: right after the causing action, even inside a paused one"),
    "rider_on_reactions": Policy((True, False), "the source can be read as plain actions only"),
    "zero_durability": Policy(("destroyed", "kept"), "kept: destroyed below 0 only; at 0 just unusable"),
    "salvage": Policy(("gone", "salvageable"), "left to the Story Guide"),
    "burnout_timing": Policy(("after", "before"), "public pages disagree; before: at activation, ahead of the steps"),
    "final_phase_multiplier": Policy((1, 4), "public pages disagree; 4: Reserved Slots cost fourfold in the Final Phase"),
    "traps": Policy(("hidden", "open"), "table taste"),
    "weariness_from": Policy((7, 0), "pace; 0: never", any_number=True),
    "round_limit": Policy((15,), "pace", any_number=True),
}

RULESET: Final = Ruleset(
    id="vaia",
    title="Midnight in Vaia",
    rules_version=1,
    package=__name__,
    main_scenario="ford",
    cards=CARDS,
    scenario=VaiaScenario,
    policies=POLICIES,
    records=RECORDS,
    frames=(
        flow.Skirmish,
        flow.Phase,
        actions.Action,
        riders.Ride,
        effects.Springing,
        effects.Pushing,
        consequences.Concession,
    ),
    seats=seats,
    prepare=Table,
    setup=setup,
    checks=(consequences.falls,),
    reactions=reactions,
    words=words,
    face=face,
    rolled=rolled,
    underway=underway,
    breakdown=breakdown,
    concede=consequences.concede,
    conceded=consequences.conceded,
    possible=possible,
    secrets=secrets,
    invariants=invariants,
    hiding=HIDING,
    worth=worth,
    arrange=arrange,
    cases=CASES,
    card_problems=card_problems,
    scenario_problems=scenario_problems,
    odds=ODDS,
    in_use=("actions",),
    figures="characters",
)
