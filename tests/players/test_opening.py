"""Encounters opened by name, from a save, from a transcript, through the public names."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

import referee
from referee.content import opening, registry
from referee.players.seats import bot, play


def played(seed: int = 4) -> referee.Encounter:
    encounter = referee.start("scuffle", seed)
    for _ in play(encounter, {seat: bot("random", seed, seat) for seat in ("ann", "bob")}):
        pass
    return encounter


def test_every_public_name_is_there() -> None:
    for name in referee.__all__:
        assert getattr(referee, name) is not None
    assert set(referee.__all__) <= set(dir(referee))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = referee.nonsense  # type: ignore[attr-defined]


def test_the_package_is_imported_without_its_parts() -> None:
    code = "import sys, referee, referee.cli; print(*sorted({'typer', 'pydantic', 'yaml', 'msgspec', 'rich'} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""


def test_a_seed_is_drawn_where_none_is_given() -> None:
    seeds = {referee.start("scuffle").seed for _ in range(4)}
    assert None not in seeds
    assert len(seeds) == 4


def test_real_dice_need_no_seed() -> None:
    assert referee.start("scuffle", real_dice=True).seed is None
    encounter = referee.start("scuffle/open_yard", 5, real_dice=True)
    encounter.answer("strike")
    encounter.answer("pass")
    assert isinstance(encounter.question, referee.Roll)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_that_no_save_could_hold_is_refused(seed: int) -> None:
    with pytest.raises(referee.RefereeError, match="a seed is a whole number from 0"):
        referee.start("scuffle", seed)


def test_content_that_was_loaded_starts_again() -> None:
    content = referee.load_content("scuffle")
    assert referee.start(content, 3).key() == referee.start("scuffle", 3).key()


def test_a_save_goes_on_as_the_encounter_would() -> None:
    encounter = referee.start("scuffle", 2)
    encounter.answer("high", "ann")
    again = referee.load(encounter.save())
    assert again.content is referee.load(encounter.save()).content
    for each in (encounter, again):
        each.answer("low", "bob")
        each.answer("strike")
    assert again.key() == encounter.key()
    assert again.transcript() == encounter.transcript()


def test_bytes_that_are_no_save_or_a_changed_one_are_refused() -> None:
    data = referee.start("scuffle", 2).save()
    with pytest.raises(referee.BadSave, match="no save"):
        referee.load(b"something else")
    with pytest.raises(referee.BadSave, match="were changed"):
        referee.load(data.replace(b'"stamina":9', b'"stamina":8'))


def test_a_save_of_another_version_of_the_rules_says_which_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    data = referee.start("scuffle", 2).save()
    later = replace(registry.get("scuffle"), rules_version=2)
    opening._restored.clear()
    with monkeypatch.context() as patched:
        patched.setattr(registry, "get", lambda id: later)
        with pytest.raises(referee.BadSave, match=r"version 1 of the rules of scuffle; playable are versions 2"):
            referee.load(data)


def test_a_transcript_replays_to_the_same_encounter() -> None:
    encounter = played()
    assert referee.check_replay(encounter.transcript()) is None
    again = referee.replay(encounter.transcript())
    assert (again.key(), again.transcript()) == (encounter.key(), encounter.transcript())


def test_a_transcript_is_played_on_from_any_entry() -> None:
    encounter = played()
    count = len(encounter.history())
    for to in range(count + 1):
        again = referee.replay(encounter.transcript(), to)
        rest = encounter.history()[len(again.history()) :]
        for entry in rest:
            if entry[0] == "choice":
                again.answer(entry[2], entry[1])
            elif entry[0] == "together":
                for seat, values in entry[1]:
                    again.answer(values[0], seat)
        assert again.transcript() == encounter.transcript()


def test_an_entry_that_is_not_there_is_refused() -> None:
    text = played().transcript()
    with pytest.raises(referee.RefereeError, match=r"has no entry 999; it has \d+"):
        referee.replay(text, 999)
    with pytest.raises(referee.RefereeError, match="has no entry -1"):
        referee.replay(text, -1)


def test_rules_that_have_changed_are_told_with_line_entry_and_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    text = played().transcript()
    scuffle = sys.modules["scuffle"]
    hurt = scuffle.hurt
    monkeypatch.setattr(scuffle, "hurt", lambda game, who, by: hurt(game, who, by + 1))
    difference = referee.check_replay(text)
    assert difference is not None
    assert difference.line > 0
    assert any(rule.startswith("SCU-ACT") for rule in difference.rules)
    assert text.splitlines()[difference.line - 1].startswith(f"{difference.number} ")
    with pytest.raises(referee.BadTranscript, match=rf"line {difference.line}: entry {difference.number}: .*SCU-ACT"):
        referee.replay(text)
