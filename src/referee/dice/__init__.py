"""Exact chance: dice as small values, finite distributions, and the stream that draws from them. No game in it."""

from .law import Law
from .rolls import D6, D10, D20, Dice, Die, ImpossibleRoll, Spec
from .stream import Stream

__all__ = ["D6", "D10", "D20", "Dice", "Die", "ImpossibleRoll", "Law", "Spec", "Stream"]
