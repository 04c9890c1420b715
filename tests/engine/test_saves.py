"""Saves that are whole, cut, changed, of a later version, of other content; and the log after a load."""

import msgspec
import pytest

from referee.dice import Stream
from referee.engine import BadSave, Encounter, IllegalAnswer, RuleError, saves
from tests.engine.content import content_of
from tests.engine.playing import begin, played, tiny, to_actions
from tests.engine.skirmish import CONTENT, RULESET, start
from tests.engine.test_frames import Single
from tests.engine.test_secrets import Pick, Table

DATA = played([5, 9, 3, 8, 12, 77, 801, 45, 12, 991, 4502]).save()


def test_a_save_carries_its_content():
    digest, source = saves.source(DATA)
    assert (digest, source) == (CONTENT.digest, CONTENT.source)
    assert saves.verified(digest, source) == source
    with pytest.raises(BadSave, match="were changed"):
        saves.verified(digest, source + b" ")


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 20, 100, len(DATA) // 2, len(DATA) - 1])
def test_a_cut_save(size):
    with pytest.raises(BadSave, match=r"no save|cut or changed"):
        Encounter.load(DATA[:size], CONTENT)
    with pytest.raises(BadSave):
        saves.source(DATA[:size])


def test_a_longer_save():
    with pytest.raises(BadSave, match="cut or changed"):
        Encounter.load(DATA + b"x", CONTENT)


def test_a_save_with_any_byte_changed():
    for place in range(len(DATA)):
        for bit in (1, 0x80):
            changed = DATA[:place] + bytes([DATA[place] ^ bit]) + DATA[place + 1 :]
            with pytest.raises(BadSave):
                Encounter.load(changed, CONTENT)


def test_other_bytes():
    for data in (b"", b"PK\x03\x04", b"REFEREE\x01", b"REFEREE\x01\xc0", b"REFEREE\x01\x90", b"{}" * 100):
        with pytest.raises(BadSave):
            Encounter.load(data, CONTENT)


def test_a_save_of_a_later_version():
    fields = msgspec.msgpack.decode(DATA[8:])
    for later in ([2, *fields[1:]], [3, "something else"], [17]):
        data = DATA[:8] + msgspec.msgpack.encode(later)
        with pytest.raises(BadSave, match=f"of format {later[0]}; this program reads format 1: use a later version"):
            Encounter.load(data, CONTENT)


def test_a_save_of_other_content():
    with pytest.raises(BadSave, match="belongs to other content"):
        Encounter.load(DATA, content_of(RULESET, health=9))


def test_a_save_that_the_records_do_not_fit_any_more():
    content = tiny(Single, first=lambda game: Single(always=True))
    data = Encounter.start(content, 1).save()
    with pytest.raises(BadSave, match="does not fit Tiny as it is now"):
        Encounter.load(data, tiny(Table, Pick))


def test_a_policy_of_the_scenario_holds_after_a_load():
    content = content_of(RULESET, health=9)
    encounter = Encounter.load(Encounter.start(content, 1).save(), content)
    assert (encounter.game.records["bo"].hp, encounter.game.policy) == (9, {"health": 9})
    assert start().game.policy == {"health": 6}


def test_the_log_is_whole_after_a_load_even_at_the_first_question():
    encounter = start()
    assert [event.kind for event in encounter.events()] == ["set up", "round"]
    loaded = Encounter.load(encounter.save(), CONTENT)
    assert loaded.fork().events() == encounter.events()
    to_actions(loaded)
    to_actions(encounter)
    assert loaded.events() == encounter.events()
    again = Encounter.load(loaded.save(), CONTENT)
    again.answer(("guard",))
    assert again.events_for("ben")[: len(encounter.events())] == encounter.events()
    again.answer(("guard",))
    assert len(again.events()) > len(encounter.events())
    assert again.save() == Encounter.load(again.save(), CONTENT).save()
    assert len(again.history()) == 3


def test_a_load_without_a_log():
    loaded = Encounter.load(DATA, CONTENT, log=False)
    with pytest.raises(RuleError, match="keeps no log"):
        loaded.events()
    assert loaded.save() == DATA
    silent = start(log=False)
    with pytest.raises(RuleError, match="keeps no log"):
        silent.events()
    assert Encounter.load(silent.save(), CONTENT).events() == start().events()
    assert start().fork(log=False).save() == start().save()


def test_an_imagined_encounter_has_no_history_even_after_a_load():
    imagined = to_actions(start()).imagine("ann", Stream(1))
    loaded = Encounter.load(imagined.save(), CONTENT)
    for each in (imagined, loaded):
        for asking in (each.history, each.transcript, lambda each=each: each.undo("ann")):
            with pytest.raises(IllegalAnswer, match="no history"):
                asking()
        with pytest.raises(RuleError, match="keeps no log"):
            each.events()
    assert loaded.save() == imagined.save()


def test_a_save_when_it_is_over():
    encounter = begin(Single)
    loaded = Encounter.load(encounter.save(), encounter.content)
    assert (loaded.question, loaded.events()) == (None, encounter.events())
