"""Matches of the greedy bot: who sat where, and what was used of the windows that offered it."""

from referee.testkit.matches import Figures, matches


def _alike(figures: Figures) -> bool:
    return set(figures.used) - {"pass"} <= set(figures.held) and all(
        figures.used[card] <= figures.held[card] for card in figures.held
    )


def test_the_greedy_bot_sits_on_each_side_by_turns() -> None:
    figures = matches("vaia/ford", 2, workers=1)
    assert (figures.played, figures.encounters) == (2, {"west": 1, "east": 1})
    assert figures.held
    assert _alike(figures)


def test_or_on_all_sides_at_once() -> None:
    figures = matches("vaia/ford", 1, both=True, workers=1)
    assert (figures.played, figures.encounters) == (1, {"west": 1, "east": 1})
    assert sum(figures.wins.values()) + figures.draws == 1
    assert _alike(figures)
