"""The errors that callers of the engine meet. Each message says what is wrong and what would be right."""

from __future__ import annotations


class RefereeError(Exception):
    """Anything that Referee refuses or cannot do; its message is meant for people."""


class IllegalAnswer(RefereeError):
    """An answer that is not on offer, or for a seat that is not asked. Nothing has changed."""


class BadSave(RefereeError):
    """Bytes that are no save of this program, or of a later version of it."""


class BadTranscript(RefereeError):
    """A transcript that was cut or changed, or belongs to other content; `line` says where (0: nowhere in particular)."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class RuleError(RefereeError):
    """A fault of a ruleset: a loop that never ends, a step that breaks the contract of steps."""
