"""Runs one verb: finds it, reads its options, turns every error into a message and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from ..content.faults import ContentError, RegistryError
from ..engine.errors import RefereeError, RuleError
from . import BAD_INPUT, BROKEN_OFF, FAILED, VERBS, version


def application(verbs: Iterable[str] = VERBS) -> typer.Typer:
    """The command line with these verbs."""
    app = typer.Typer(
        name="referee",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_options)
    for verb in verbs:
        module = import_module(f".{verb}", __package__)
        app.command(verb, context_settings=getattr(module, "SETTINGS", None))(getattr(module, verb))
    return app


def _options(
    told: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    """Knows the rules of tabletop encounters so that the people at the table can play."""
    if told:
        print(f"referee {version()}")
        raise typer.Exit


def run_verb(words: Sequence[str]) -> int:
    """Runs what was typed after `referee`; the exit status."""
    try:
        # Where the verb is known the others are not even imported: they would take half of the time to the first line.
        verbs = [verb for verb in VERBS if verb == words[0]] or VERBS
        code: Any = application(verbs)(list(words), prog_name="referee", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except KeyboardInterrupt:
        return BROKEN_OFF
    except RuleError as wrong:
        return _told(f"a rule of this game is broken: {wrong}", FAILED)
    except (RefereeError, RegistryError, ContentError) as wrong:
        return _told(str(wrong.args[0] if isinstance(wrong, RegistryError) else wrong), BAD_INPUT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as wrong:
        place = f"{wrong.filename}: " if wrong.filename else ""
        return _told(f"{place}{wrong.strerror or wrong}", BAD_INPUT if wrong.filename else FAILED)
    except Exception as wrong:
        return _usage(wrong)


def _usage(wrong: Exception) -> int:
    """Tells what typer has to say of the options; anything else is a failure of this program."""
    if type(wrong).__name__ == "Abort":
        return BROKEN_OFF
    if type(wrong).__name__ == "Exit":
        return int(getattr(wrong, "exit_code", FAILED))
    if hasattr(wrong, "format_message"):
        context = getattr(wrong, "ctx", None)
        hint = f"; {context.command_path} --help tells more" if context is not None else ""
        return _told(wrong.format_message().rstrip(".") + hint, BAD_INPUT)
    if os.environ.get("REFEREE_DEBUG"):
        raise wrong
    return _told(f"this should not happen: {type(wrong).__name__}: {wrong} (REFEREE_DEBUG=1 shows where)", FAILED)


def _told(message: str, code: int) -> int:
    print(f"referee: {message}" if "\n" not in message else message, file=sys.stderr)
    return code
