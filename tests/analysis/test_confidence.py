import pytest

from referee.analysis.confidence import wilson


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718), (0, 0, 0, 1)],
)
def test_the_interval_is_the_published_one(successes: int, tries: int, low: float, high: float) -> None:
    """Newcombe 1998, table I, method 3."""
    found = wilson(successes / max(1, tries), tries)
    assert [round(each, 4) for each in found] == [low, high]
