"""The engine: records, agenda, questions, windows, views, undo, saves and transcripts. It knows no game and reads no file."""

from .encounter import Encounter, Shown, Undo
from .errors import BadSave, BadTranscript, IllegalAnswer, RefereeError, RuleError
from .events import Event, Result
from .frames import PASS, Each, Frame, Reaction, Window, cites, for_each, sentence, steps
from .game import Game
from .hiding import HIDDEN, Hiding, come_out, hides, in_hiding, in_words, unknown_to
from .numbers import Breakdown, Line, Reason, breakdown, legal, total
from .questions import Choice, Cut, Offer, Question, Refusal, Roll, Together, Value
from .records import Effect, Hidden, Id, Record, Until, happened, named, used
from .replaying import Difference, Replay, compare
from .ruleset import Card, Content, Policy, Problem, Ref, Rolled, Ruleset, Scenario, Seat, Secret
from .space import DIRECTIONS, Bands, Cell, Grid
from .transcript import Transcript
from .views import Unseen, View

__all__ = [
    "DIRECTIONS", "HIDDEN", "PASS", "BadSave", "BadTranscript", "Bands", "Breakdown", "Card", "Cell", "Choice", "Content", "Cut",
    "Difference", "Each", "Effect", "Encounter", "Event", "Frame", "Game", "Grid", "Hidden", "Hiding", "Id", "IllegalAnswer",
    "Line", "Offer", "Policy", "Problem", "Question", "Reaction", "Reason", "Record", "Ref", "RefereeError", "Refusal", "Replay",
    "Result", "Roll", "Rolled", "RuleError", "Ruleset", "Scenario", "Seat", "Secret", "Shown", "Together", "Transcript", "Undo",
    "Unseen", "Until", "Value", "View", "Window", "breakdown", "cites", "come_out", "compare", "for_each", "happened", "hides",
    "in_hiding", "in_words", "legal", "named", "sentence", "steps", "total", "unknown_to", "used",
]  # fmt: skip
