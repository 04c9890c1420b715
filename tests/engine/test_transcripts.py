"""Transcripts: whole, cut, changed, of another version; replayed to an entry; the first difference with its rules."""

import dataclasses
import hashlib

import msgspec
import pytest

from referee.dice import D6
from referee.engine import BadTranscript, Choice, Content, Encounter, Frame, Offer, Roll, cites, compare, steps, transcript
from tests.engine.playing import begin, played, tiny, to_actions
from tests.engine.skirmish import CONTENT, start
from tests.engine.test_undo import EVERYBODY, strike


def whole() -> Encounter:
    encounter = strike(to_actions(start()))
    encounter.rule([("cy", "hp", 4)], "a scratch")
    encounter.undo("gm")
    encounter.concede("cleo")
    return encounter


TEXT = whole().transcript()
LINES = TEXT.splitlines()


def place(beginning: str) -> int:
    return next(number for number, line in enumerate(LINES) if line.startswith(beginning))


def changed(number: int, old: str, new: str) -> str:
    assert old in LINES[number]
    return "\n".join([*LINES[:number], LINES[number].replace(old, new), *LINES[number + 1 :]]) + "\n"


def sealed(text: str) -> str:
    """A text with its last digest made right, as somebody who changes a line on purpose would."""
    body = text.rstrip("\n").rpartition(" ~")[0]
    return f"{body} ~{hashlib.sha256(body.encode()).hexdigest()[:16]}\n"


def test_a_transcript_is_read_by_people():
    assert LINES[0] == "referee transcript 1"
    assert LINES[1] == "ruleset skirmish 1"
    assert LINES[2:4] == ["scenario meadow", "seed 7"]
    assert any(line.startswith('1 together [[["ann",[0]],["abe",[0]],["ben",[0]],["cleo",[0]]]] ; together ~') for line in LINES)
    assert any(line.startswith('2 ann answers ["ann",["strike","bo"]] ; strike bo ~') for line in LINES)
    assert any(line.startswith("  | strikes {'who': 'ada', 'target': 'bo'} ('SK-2',)") for line in LINES)
    assert any(" gm takes back " in line for line in LINES)
    assert LINES[-1].startswith("end 10 not over ~")


def test_it_is_read_back_whole():
    read = transcript.read(TEXT)
    assert (read.ruleset, read.rules_version, read.scenario, read.seed) == ("skirmish", 1, "meadow", 7)
    assert read.source == CONTENT.source
    assert [line.entry for line in read.lines] == whole().history()
    assert read.ended == "not over"


def test_the_end_is_written_and_compared():
    encounter = whole()
    encounter.concede("ben")
    text = encounter.transcript()
    assert 'over "red" "alone"' in text.splitlines()[-1]
    assert compare(transcript.read(text), CONTENT)[1] is None
    lied = sealed(text.replace('over "red"', 'over "blue"'))
    difference = compare(transcript.read(lied), CONTENT)[1]
    assert difference.why == 'it ends \'over "red" "alone"\', written was \'over "blue" "alone"\''


def test_a_transcript_cut_anywhere():
    for size in range(1, len(LINES)):
        with pytest.raises(BadTranscript):
            transcript.read("\n".join(LINES[:size]))
    with pytest.raises(BadTranscript, match="its end is missing after entry 10"):
        transcript.read("\n".join(LINES[:-1]))
    for size in (*range(0, len(TEXT) - 80, 7), *range(len(TEXT) - 80, len(TEXT) - 1)):
        with pytest.raises(BadTranscript):
            transcript.read(TEXT[:size])


def test_a_line_left_out_anywhere():
    for number, line in enumerate(LINES):
        if line:
            with pytest.raises(BadTranscript):
                transcript.read("\n".join(LINES[:number] + LINES[number + 1 :]))


@pytest.mark.parametrize(
    ("beginning", "old", "new", "message", "line"),
    [
        ("referee", "1", "2", "format 2; this program reads format 1", 0),
        ("referee", "referee", "umpire", "this is no transcript", 0),
        ("ruleset", "ruleset", "rules", "here stands 'ruleset'", 0),
        ("ruleset", "1", "one", "rules version", 0),
        ("seed", "7", "seven", "a seed is a whole number, or 'none'", 0),
        ("seed", "7", "--7", "a seed is a whole number, or 'none'", 0),
        ("seed", "7", "8", "a line of the log was changed", None),
        ("field scenario", "Meadow", "Moor", "scenario or its cards were changed", None),
        ("field scenario", "{", "", "this card was changed", 0),
        ("field scenario", "field", "plot", "'plot' does not belong among the cards", 0),
        ("2 ann", "bo", "cy", "entry 2 was changed", 0),
        ("2 ann", "2", "3", "here stands entry 2", 0),
        ("2 ann", "answers", "says", "here stands entry 2", 0),
        ("2 ann", "[", "[{", "here stands entry 2", 0),
        ("  | strikes", "ada", "axel", "a line of the log was changed", None),
        ("end", "10", "11", "11 entries were written, 10 are here", 0),
        ("end", "not over", "over null", "a line of the log was changed", None),
    ],
)
def test_a_changed_line(beginning, old, new, message, line):
    number = place(beginning)
    text = changed(number, old, new)
    with pytest.raises(BadTranscript, match=message) as refused:
        transcript.read(text)
    if line is not None:
        assert refused.value.line == number + 1
        assert str(refused.value).startswith(f"line {number + 1}: ")


def test_nonsense_is_no_transcript():
    for text in ("", "\n", "hello", "referee transcript", "\0" * 50):
        with pytest.raises(BadTranscript):
            transcript.read(text)


def test_replaying_up_to_an_entry_and_playing_on():
    read = transcript.read(TEXT)
    for to in range(len(read.lines) + 1):
        replay, difference = compare(read, CONTENT, to)
        assert difference is None
        encounter = Encounter(replay.finish())
        # The roll that follows is drawn again from the seed of the transcript.
        assert encounter.history() == whole().history()[: len(encounter.history())]
        assert len(encounter.history()) - to in (0, 1)
    replay, _ = compare(read, CONTENT, 2)
    encounter = Encounter(replay.finish())
    assert encounter.asked() == ("ben",)
    encounter.answer(("parry",))
    assert compare(transcript.read(encounter.transcript()), CONTENT)[1] is None


@steps("roll", "look", "ask", "take")
class Game(Frame):
    def roll(frame, game):
        return Roll("dice", D6)

    @cites("OLD-1")
    def look(frame, game, outcome):
        game.log("rolled", outcome=outcome)

    def ask(frame, game):
        return Choice("a", "one", (Offer("x"), Offer("y")))

    @cites("OLD-2")
    def take(frame, game, answer):
        game.log("took", answer=answer)


def under(frame: type[Frame], content: Content) -> Content:
    """The same content under changed rules."""
    return dataclasses.replace(content, ruleset=tiny(frame).ruleset)


def test_the_first_difference_is_reported_with_its_rules():
    encounter = begin(Game)
    encounter.answer("y")
    read = transcript.read(encounter.transcript())

    @steps("roll", "look", "ask", "take")
    class Louder(Game):
        roll, look, ask = Game.roll, Game.look, Game.ask

        @cites("NEW-2")
        def take(frame, game, answer):
            game.log("took", answer=answer.upper())

    difference = compare(read, under(Louder, encounter.content))[1]
    assert (difference.number, difference.why, difference.rules) == (2, "what followed is not what was written", ("NEW-2",))
    assert read.lines[1].line == difference.line

    @steps("roll", "look", "ask", "take")
    class Stricter(Game):
        roll, look, take = Game.roll, Game.look, Game.take

        def ask(frame, game):
            return Choice("a", "one", (Offer("x"), Offer("z")))

    replay, difference = compare(read, under(Stricter, encounter.content))
    assert (difference.number, difference.rules) == (2, ("OLD-1",))
    assert difference.why == "'y' is not on offer to a; on offer: x; z"
    assert replay.game.question.about == "one"
    assert compare(read, under(Stricter, encounter.content), 1)[1] is None


@pytest.mark.parametrize("kind", ["choice", "roll", "together"])
def test_an_entry_of_another_kind_than_what_is_asked(kind):
    entries = {"choice": ("choice", "ann", ("guard",)), "roll": ("roll", 3), "together": ("together", (("ann", (0,)),))}
    encounter = start() if kind != "together" else to_actions(start())
    read = transcript.read(encounter.transcript())
    line = transcript.Line(len(read.lines) + 1, entries[kind], 40, "00000000")
    difference = compare(msgspec.structs.replace(read, lines=(*read.lines, line)), CONTENT)[1]
    assert difference.number == len(read.lines) + 1
    assert "recorded where none" in difference.why


def test_real_dice_have_no_seed():
    text = start(None).transcript()
    assert "seed none" in text
    assert transcript.read(text).seed is None
    assert transcript.read(start(-5).transcript()).seed == -5


def test_undone_rolls_are_in_the_transcript_and_are_met_again_after_it():
    encounter = strike(to_actions(start()))
    encounter.undo("ann", EVERYBODY)
    text = encounter.transcript()
    replay, difference = compare(transcript.read(text), CONTENT)
    assert difference is None
    assert replay.game.key() == encounter.key()
    assert played([]).transcript() != text
