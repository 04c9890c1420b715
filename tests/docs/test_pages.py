"""What the pages show is what happens: commands, Python, links, the table of games."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from tests.docs.pages import PAGES, ROOT, Block, alike, blocks, run_console, run_python

README = ROOT / "README.md"
RUN = [block for name in ("README.md", "docs/cli.md", "docs/playing.md", "docs/odds.md") for block in blocks(ROOT / name)]


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return


def chosen(language: str) -> list[Block]:
    found = [block for block in RUN if block.language == language]
    assert found
    return found


@pytest.mark.parametrize("block", chosen("console"), ids=str)
def test_commands_print_what_is_shown(block: Block) -> None:
    run_console(block)


@pytest.mark.parametrize("block", chosen("python"), ids=str)
def test_python_does_what_is_shown(block: Block) -> None:
    run_python(block, {})


def test_shown_output_is_compared() -> None:
    assert alike("one\n…\nlast\n", "one\n\ntwo\nlast\n")
    assert alike("a … c\n", "a b c")
    assert not alike("one\nlast\n", "one\ntwo\nlast\n")
    assert not alike("a … c\n", "a b\nc")


def test_all_registered_games_and_no_others_are_told_with_rules_and_credit() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = re.findall(
        r"^\| `(\w+)` \[rules\]\(docs/rules/(\w+)\.md\) \| .+ \| .+\(.+\) \|$", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    told = {game for game, rules in rows if game == rules}
    assert told == set(project["entry-points"]["referee.rulesets"]), "each game has a row in the README, with its credit"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Git hosts make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://", target):
            continue
        name, _, anchor = target.partition("#")
        place = (page.parent / name).resolve() if name else page
        assert place.exists(), f"{target}: there is no such file"
        assert not anchor or anchor in anchors(place), f"{target}: there is no such heading"


def test_every_page_is_linked_from_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        if page != README and not name.startswith("docs/rules/"):
            assert f"]({name})" in text, name


def test_the_map_of_the_engine_is_whole_and_other_files_it_names_exist() -> None:
    named = set(
        re.findall(
            r"`((?:dice|engine|content|players|testkit|cli)/\w+\.py)`", (ROOT / "docs/design.md").read_text(encoding="utf-8")
        )
    )
    package = ROOT / "src/referee"
    assert {name for name in named if not (package / name).is_file()} == set()
    engine = {f"engine/{path.name}" for path in (package / "engine").glob("*.py")} - {"engine/__init__.py"}
    assert {name for name in named if name.startswith("engine/")} == engine


def test_the_contract_in_the_design_is_that_of_an_encounter() -> None:
    text = (ROOT / "docs/design.md").read_text(encoding="utf-8").partition("## The contract of an encounter")[2]
    for name in re.findall(r"\benc\.(\w+)", text):
        assert hasattr(referee.Encounter, name), name
    for name in re.findall(r"\breferee\.(\w+)\(", text):
        assert name in referee.__all__, name
