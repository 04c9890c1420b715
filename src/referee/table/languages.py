"""In which language a page speaks: one that a person chose, else one that the browser asks for, else English.

Catalogues lie in `locale/<language>/LC_MESSAGES/`; a language is there when its catalogue is.
"""

from __future__ import annotations

import gettext
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

LOCALE: Final = Path(__file__).parent / "locale"
SOURCE: Final = "en"  # the language of the texts in `texts.py`, and of the games
DOMAIN: Final = "table"
COOKIE: Final = "language"

_spoken: ContextVar[str] = ContextVar("language", default=SOURCE)


@cache
def languages() -> tuple[str, ...]:
    """The languages that the table speaks."""
    return SOURCE, *sorted(file.parent.parent.name for file in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The translations into a language."""
    if language == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language])


def language() -> str:
    """The language of the page that is being made."""
    return _spoken.get()


def speak(language: str) -> None:
    """Makes all that this task writes speak a language."""
    _spoken.set(language)


def chosen(cookie: str, accepted: str) -> str:
    """The language of a request: of its cookie, else the best that its `Accept-Language` names, else English."""
    if cookie in languages():
        return cookie
    wishes: list[tuple[float, int, str]] = []
    for place, each in enumerate(accepted[:400].lower().split(",")):
        tag, _, weight = each.partition(";")
        try:
            share = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            continue
        name = tag.strip().partition("-")[0]
        if name in languages() and share > 0:
            wishes.append((-share, place, name))
    return min(wishes)[2] if wishes else SOURCE
