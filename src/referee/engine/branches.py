"""Private branches: where several seats decide in secret, each has an agenda of its own until all answers are sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from . import frames
from .errors import RuleError
from .frames import Frame, sentence
from .questions import Choice, Question, Together, Value

if TYPE_CHECKING:
    from .game import Game


class Branch(msgspec.Struct, array_like=True, gc=False):
    """A seat's private branch of the agenda: how it began, where it stands, the answers given, the sealed one."""

    first: Frame
    agenda: list[Frame]
    answers: tuple[Value, ...] = ()
    closed: bool = False
    sealed: Value = None


def copied(branches: dict[str, Branch]) -> dict[str, Branch]:
    """The same branches, to go on apart from these."""
    return {
        seat: Branch(each.first, each.agenda.copy(), each.answers, each.closed, each.sealed) for seat, each in branches.items()
    }


def ask(game: Game, together: Together) -> dict[str, Value] | None:
    """Runs every private branch to its question; the sealed answers if all are sealed, else None."""
    if game.private is not None:
        raise RuleError(f"the private branch of {game.private} asks several seats: {sentence(game.agenda)}")
    depth = len(game.agenda) - 1
    old = game.branches if game.branches is not None and game.together_at == depth else {}
    game.branches = {}
    game.together_at = depth
    game.asked_for = {}
    for seat, first in together.branches.items():
        branch = old.get(seat)
        drafts = branch.answers if branch is not None and branch.first == first else ()
        game.branches[seat] = Branch(first, [frames.copied(first)])
        game.question = together
        _draft_again(game, seat, drafts)
    return revealed(game)


def _draft_again(game: Game, seat: str, drafts: tuple[Value, ...]) -> None:
    """Drafts given before a load or an interruption, as far as they are still on offer."""
    run(game, seat)
    for value in drafts:
        choice = game.asked_for.get(seat)
        if choice is None or not any(offer.value == value for offer in choice.offers):
            return
        draft(game, seat, value)


def draft(game: Game, seat: str, value: Value) -> None:
    """Takes a seat's answer in secret and goes on in its branch."""
    assert game.branches is not None
    branch = game.branches[seat]
    branch.answers = (*branch.answers, value)
    run(game, seat, value, answered=True)


def run(game: Game, seat: str, carried: Any = None, *, answered: bool = False) -> None:
    """Runs a seat's private branch to its next Choice or to its sealed answer."""
    assert game.branches is not None
    branch = game.branches[seat]
    public, owned_from, owned, question = game.agenda, game.owned_from, game.owned, game.question
    game.agenda, game.owned_from, game.private, game.question = branch.agenda, len(branch.agenda), seat, None
    game.owned = set()  # so that `edit` sees that here no record may be changed
    try:
        finished = game.run(carried, int(answered))
        asked = cast(Question | None, game.question)
    finally:
        game.agenda, game.owned_from, game.private, game.question = public, owned_from, None, question
        game.owned = owned
    if asked is None:
        if not hasattr(finished, "sealed"):
            raise RuleError(f"the private branch of {seat} ends without a field `sealed`: {type(branch.first).__name__}")
        branch.closed = True
        branch.sealed = finished.sealed
        game.asked_for.pop(seat, None)
    else:
        assert isinstance(asked, Choice)
        if asked.seat != seat:
            raise RuleError(f"the private branch of {seat} asks {asked.seat}: {sentence(branch.agenda)}")
        game.asked_for[seat] = asked


def revealed(game: Game) -> dict[str, Value] | None:
    """The sealed answers by seat once all are sealed, noted in the history in the order of the branches."""
    assert game.branches is not None
    if not all(branch.closed for branch in game.branches.values()):
        return None
    sealed = {seat: branch.sealed for seat, branch in game.branches.items()}
    if any(branch.answers for branch in game.branches.values()):
        game.note(("together", tuple((seat, branch.answers) for seat, branch in game.branches.items())))
        game.reveal()
    game.question = None
    forget(game)
    return sealed


def forget(game: Game) -> None:
    """Gives up the branches, and what is asked in them."""
    game.branches = None
    game.together_at = -1
    game.asked_for = {}


def restore(game: Game, depth: int, saved: dict[str, tuple[Frame, list[Frame], tuple[Value, ...], bool, Value]]) -> None:
    """Puts back the private branches of a save, which the frame at `depth` asks for; it asks for them again."""
    game.branches = {seat: Branch(*parts) for seat, parts in saved.items()}
    game.together_at = depth
