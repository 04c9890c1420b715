"""Sol'una: ten phases a Turn, secret choices applied together, pools of dice in which the largest group of like faces counts.

An unofficial companion to the free Sol'una rules (aryiki.com), in our own words.
"""

from typing import Final

from ...engine import Policy, Ruleset
from . import contests, ending, flow, orders, trials, words
from .breakdowns import CASES, breakdown
from .cards import CARDS, SolunaScenario, card_problems, scenario_problems
from .face import face, rolled
from .judgement import judge, worth
from .odds import ODDS
from .records import RECORDS
from .setup import Table, arrange, seats, setup

POLICIES: Final = {
    "overspent_thoughtless": Policy(("barred", "allowed"), "the ban may or may not include interactions that cost nothing"),
    "prep_and_sacrifice": Policy(("both", "one_only"), "the source offers the sacrifice as an alternative"),
    "prep_counts": Policy(("all_phases", "own_actions"), "own_actions: only marked phases with Prepare count"),
    "prep_across_turns": Policy((True, False), "not said"),
    "contest_tie": Policy(("no_change", "higher_face", "reroll"), "not said and frequent"),
    "risk_when": Policy(("short", "empty"), "empty: only at exactly 0 points"),
    "turn_limit": Policy((6,), "pace", any_number=True),
}

RULESET: Final = Ruleset(
    id="soluna",
    title="Sol'una",
    rules_version=1,
    package=__name__,
    main_scenario="alley",
    cards=CARDS,
    scenario=SolunaScenario,
    policies=POLICIES,
    records=RECORDS,
    frames=(
        flow.Skirmish,
        flow.Phase,
        orders.Orders,
        trials.Test,
        trials.MoveRisk,
        trials.CombatRisk,
        trials.AccuracyRisk,
        trials.Interacting,
        trials.Attack,
        contests.Contests,
        contests.Commitment,
        contests.Contest,
        ending.Concession,
    ),
    seats=seats,
    prepare=Table,
    setup=setup,
    words=words,
    face=face,
    rolled=rolled,
    hiding="in Sol'una nobody hides: all orders are sealed before anybody moves; one that met a hidden model could not be undone",
    round_name="Turn",
    breakdown=breakdown,
    concede=ending.concede,
    conceded=ending.conceded,
    worth=worth,
    judge=judge,
    arrange=arrange,
    cases=CASES,
    card_problems=card_problems,
    scenario_problems=scenario_problems,
    odds=ODDS,
    in_use=("interactions", "contests", "risks"),
    figures="models",
)
