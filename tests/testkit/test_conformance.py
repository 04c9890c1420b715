from collections.abc import Callable
from pathlib import Path

import pytest

from referee.content import load
from referee.engine import Content, Encounter, IllegalAnswer
from referee.testkit import conformance
from tests.engine import skirmish

from .conftest import forget

PLANTED = {
    "keeps secrets": (
        "a window that only opens for whoever has the card",
        "return len(game.records[who].hand) > 0",
        'return "block" in game.records[who].hand',
    ),
    "ends": (
        "an asking step that changes something",
        '        offers = [Offer("hit"',
        '        game.edit(turn.who).strength += 0\n        offers = [Offer("hit"',
    ),
    "forks": (
        "a record changed without a copy",
        "target = game.edit(other(game, turn.who))",
        "target = game.records[other(game, turn.who)]",
    ),
    "siblings agree": (
        "a question by what is not in the state",
        'Offer(("wait", 0))]',
        'Offer(("wait", 0)), Offer(("wait", 1)), *game.policy.get("forgotten", ())]',
    ),
    "saves": (
        "a fact kept outside the records",
        '        return Choice(game.seat_of[turn.who], "act"',
        '        return Choice(game.seat_of[turn.who], f"act {id(game)}"',
    ),
    "offers are legal": (
        "a refusal of what is on offer",
        "return [Refusal(\"brace\", reasons)] if reasons else []",
        "return [Refusal(\"hit\", (Reason('no', (), ('BRA-ACT-1',)),))]",
    ),
    "has words": ("two offers of one label", 'return f"({offer.value})"', 'return "something"'),
    "cites statements": ("a rule that nobody wrote", '"BRA-BLOW-2"', '"BRA-BLOW-9"'),
    "can be conceded": (
        "a concession that nobody notices",
        '        game.log("left", who=leave.side)\n        game.finish(other(game, leave.side), "conceded")',
        '        game.log("left", who=leave.side)',
    ),
    "repeats": (
        "chance that is no question",
        "amount = max(0, roll + total(blow(game, turn.who)))",
        "amount = max(0, roll + id(game) % 5)",
    ),
    "replays": (
        "a log of what happens elsewhere",
        'game.log("hurt", who=target.id, by=amount)',
        'game.log("hurt", who=target.id, by=amount, at=id(game))',
    ),
}  # fmt: skip


FORGETFUL = """\
    def act(turn, game: Game, answer: Any) -> Window | None:
        game.policy["forgotten"] = (Offer("again"),) if answer == ("wait", 1) else ()
"""


def check_often(name: str, content: Content) -> None:
    for seed in range(40):
        conformance.check(name, content, seed)


@pytest.fixture
def plant(installed: Path) -> Callable[[str, str], None]:
    """Puts a fault into the made-up ruleset."""

    def plant(right: str, wrong: str) -> None:
        path = installed / "brawl" / "__init__.py"
        text = path.read_text(encoding="utf-8")
        assert right in text
        path.write_text(text.replace(right, wrong), encoding="utf-8")
        forget()

    return plant


@pytest.mark.parametrize("name", conformance.CHECKS)
def test_a_sound_ruleset_passes(name: str, installed: Path) -> None:
    content = load("brawl/yard")
    assert sum(conformance.check(name, content, seed) for seed in range(5)) > 0


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_caught(name: str, plant: Callable[[str, str], None]) -> None:
    _, right, wrong = PLANTED[name]
    plant(right, wrong)
    if name == "siblings agree":
        plant("    def act(turn, game: Game, answer: Any) -> Window | None:", FORGETFUL)
    content = load("brawl/yard")
    with pytest.raises(conformance.Broken, match=f"{name}: yard, seed "):
        check_often(name, content)


@pytest.mark.parametrize("name", ["saves", "forks", "siblings agree", "refuses nonsense", "takes back", "repeats", "replays"])
def test_a_ruleset_that_decides_in_secret_passes(name: str) -> None:
    assert sum(conformance.check(name, skirmish.CONTENT, seed) for seed in range(3)) > 0


def test_an_encounter_that_never_ends_is_caught(plant: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant('game.finish(None, "time")', "game.round = 1")
    plant("target.life = max(0, target.life - amount)", "target.life = 6")
    monkeypatch.setattr(conformance, "NODES", 300)
    with pytest.raises(conformance.Broken, match="no end after 300 questions"):
        conformance.check("ends", load("brawl/yard"), 1)


def test_a_refused_answer_that_changes_something_is_caught(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Encounter.answer

    def careless(self: Encounter, answer: object, seat: str | None = None) -> None:
        try:
            real(self, answer, seat)
        except IllegalAnswer:
            self.game.edit("ann").life += 1
            raise

    monkeypatch.setattr(Encounter, "answer", careless)
    with pytest.raises(conformance.Broken, match="has changed something"):
        conformance.check("refuses nonsense", load("brawl/yard"), 1)


def test_an_undo_that_leads_elsewhere_is_caught(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Encounter, "undo", lambda self, seat=None, consents=(): None)
    with pytest.raises(conformance.Broken, match="does not lead back"):
        check_often("takes back", load("brawl/yard"))
