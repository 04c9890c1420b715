"""`referee play --bring`: a character from a file sits at the terminal's table; what is wrong with it is told in place."""

from pathlib import Path

import pytest

from .test_verbs import referee

ZOE = "characters:\n- {id: zoe, kind: pc, rings: {air: 1, earth: 2, fire: 2, water: 3, void: 2}, honour: 40, gear: [katana]}\n"


def test_a_character_is_brought(tmp_path: Path) -> None:
    (tmp_path / "zoe.yaml").write_text(ZOE)
    words = ("play", "l5r/duel_at_dawn", "--terminal", "--seed", "1", "--bring", f"kakita_ken={tmp_path}/zoe.yaml")
    assert "zoe: human, hida hiro: greedy" in referee(*words, typed="q\n").out


@pytest.mark.parametrize(
    ("bring", "says"),
    [
        ("kakita_ken=bad.yaml", 'bad.yaml:2:36: "air" is 9; write a whole number from 1 to 5'),
        ("kakita_ken", "write FIGURE=FILE, as --bring kakita_ken=mine.yaml"),
        ("kakita_kem=bad.yaml", "l5r/duel_at_dawn has no figure 'kakita_kem'; did you mean \"kakita_ken\"?"),
        ("kakita_ken=nowhere.yaml", "nowhere.yaml: No such file"),
    ],
)
def test_what_cannot_be_brought_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bring: str, says: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.yaml").write_text(ZOE.replace("air: 1", "air: 9"))
    told = referee("play", "l5r/duel_at_dawn", "--terminal", "--bring", bring)
    assert told.code == 2
    assert says in told.err
    assert told.out == ""


def test_a_figure_is_replaced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("zoe.yaml").write_text(ZOE)
    told = referee("play", "l5r/duel_at_dawn", "--terminal", "--bring", "kakita_ken=zoe.yaml", "--bring", "kakita_ken=zoe.yaml")
    assert told.code == 2
    assert "every kakita_ken of l5r/duel_at_dawn is replaced already" in told.err
