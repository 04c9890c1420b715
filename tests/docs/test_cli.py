"""docs/cli.md has every verb and every option of the command line, and no others."""

import re

import typer

from referee.cli.running import application
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(application()).commands  # type: ignore[attr-defined]


def documented() -> dict[str, set[str]]:
    """The options in the tables of each verb's section."""
    found = {}
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if verb := re.fullmatch(r"`referee (\w+)`", heading):
            found[verb[1]] = set(re.findall(r"^\| `(--[\w-]+)", text, re.MULTILINE))
    return found


def test_every_verb_and_option_is_there_and_no_other() -> None:
    real = {
        name: {spelling for each in command.params if each.param_type_name == "option" for spelling in each.opts}
        for name, command in COMMANDS.items()
    }
    assert documented() == real


def test_every_argument_is_named() -> None:
    for name, command in COMMANDS.items():
        section = PAGE.partition(f"## `referee {name}`")[2].partition("\n## ")[0]
        for each in command.params:
            if each.param_type_name == "argument":
                metavar = str(each.metavar).strip("[]")
                assert metavar in section, f"{name}: {metavar}"


def test_the_overview_lists_the_verbs_in_their_order() -> None:
    assert re.findall(r"^\| \[`(\w+)`\]", PAGE, re.MULTILINE) == list(COMMANDS)
