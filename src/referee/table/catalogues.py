"""For those who translate: `python -m referee.table.catalogues [LANGUAGE]` brings the catalogues up to date. Needs Babel.

Writes the template `locale/table.pot`; adds to every `table.po`, or begins one for LANGUAGE, what has no translation yet; and
compiles each. A text is told from another by its key in `texts.py`, which is its context.
"""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from .languages import DOMAIN, LOCALE
from .texts import TEXTS

_HEADER: Final = "# The words of Referee's web table."
_UNWANTED: Final = tuple(
    f'"{name}'.encode()
    for name in (
        "POT-Creation-Date", "PO-Revision-Date", "Report-Msgid-Bugs-To", "Last-Translator", "Language-Team", "Generated-By",
        "Project-Id-Version",
    )
)  # fmt: skip


def template() -> Any:
    """All texts, as a catalogue without translations."""
    from babel.messages import Catalog

    made = Catalog(header_comment=_HEADER, project="referee-tabletop", charset="utf-8", fuzzy=False)
    for key, words in TEXTS.items():
        made.add(words, context=key, flags=["python-brace-format"] if "{" in str(words) else [])
    return made


def brought_up_to_date(file: Path, language: str) -> Any:
    """The catalogue of a language with all texts of now; those that have changed are marked as fuzzy."""
    from babel.messages import Catalog, pofile

    if file.is_file():
        with file.open("rb") as opened:
            made = pofile.read_po(opened, locale=language)
    else:
        made = Catalog(locale=language, header_comment=_HEADER, project="referee-tabletop", charset="utf-8", fuzzy=False)
    made.update(template(), no_fuzzy_matching=True)
    made.fuzzy = False
    made.obsolete.clear()
    return made


def written(catalogue: Any) -> bytes:
    """A catalogue as a .po file, the same bytes for the same texts."""
    from babel.messages import pofile

    out = io.BytesIO()
    pofile.write_po(out, catalogue, width=120, omit_header=False, sort_output=False)
    return b"".join(line for line in out.getvalue().splitlines(True) if not line.startswith(_UNWANTED))


def compiled(catalogue: Any) -> bytes:
    """A catalogue as a .mo file, the same bytes for the same texts."""
    from babel.messages import mofile

    catalogue.creation_date = catalogue.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    out = io.BytesIO()
    mofile.write_mo(out, catalogue)
    return out.getvalue()


def read(file: Path, language: str) -> Any:
    """The catalogue in a .po file."""
    from babel.messages import pofile

    with file.open("rb") as opened:
        return pofile.read_po(opened, locale=language)


def main() -> None:
    """Brings all catalogues up to date, and says what is not translated yet."""
    LOCALE.mkdir(exist_ok=True)
    (LOCALE / f"{DOMAIN}.pot").write_bytes(written(template()))
    there = {file.parent.parent.name for file in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")}
    for language in sorted(there | set(sys.argv[1:])):
        file = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
        file.parent.mkdir(parents=True, exist_ok=True)
        made = brought_up_to_date(file, language)
        file.write_bytes(written(made))
        file.with_suffix(".mo").write_bytes(compiled(read(file, language)))
        missing = [message.context for message in made if message.id and not all(_forms(message.string))]
        print(
            f"{language}: {len(TEXTS) - len(missing)} of {len(TEXTS)} texts{': missing ' + ', '.join(missing) if missing else ''}"
        )


def _forms(string: Any) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (string,)


if __name__ == "__main__":
    main()
