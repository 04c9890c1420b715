"""The pages of the documentation as programs read them: blocks of code in order, commands with their output, links."""

from __future__ import annotations

import difflib
import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cli import main

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))

_BLOCK = re.compile(r"(?:^\*\*`(?P<file>[^`\n]+)`\*\*\n\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_TYPED = re.compile(r"(?:[a-z][a-z ]*> |.* shows> |.*\(y/n\) )(.*)")
_CUT = "…"


@dataclass(frozen=True)
class Block:
    """A block of code: where it begins, its language, and the file that it is said to be."""

    page: Path
    line: int
    language: str
    file: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start("text")), found["language"], found["file"] or "", found["text"])
        for found in _BLOCK.finditer(text)
    ]


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block (`$ …`), each with the output that is shown under it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def referee(*words: str, typed: str = "") -> str:
    """What a command prints, in this process: starting Python anew for every one would take most of the time."""
    out = io.StringIO()
    stdin, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with redirect_stdout(out), redirect_stderr(out):
            main(words)
    except SystemExit:
        pass
    finally:
        sys.stdin = stdin
    return out.getvalue()


def run_console(block: Block) -> None:
    """Runs every command of a block and compares what it prints with what is shown. AssertionError where they differ."""
    for command, shown in commands(block):
        words = shlex.split(command)
        if words[0] == "referee":
            typed = [found[1] for line in shown.splitlines() if (found := _TYPED.fullmatch(line))]
            printed = referee(*words[1:], typed="".join(f"{each}\n" for each in typed))
        else:
            assert words[:2] == ["python", "-m"], f"{block}: {command} is no command that this test can run"
            done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, timeout=120, check=False)
            printed = done.stdout + done.stderr
            assert done.returncode == 0, f"{block}: $ {command}\n{printed}"
        assert alike(shown, printed), f"{block}: $ {command}\n{_differing(shown, printed)}"


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Runs a block of Python: as a doctest if it has prompts. AssertionError where it does something else than shown."""
    if ">>> " not in block.text:
        exec(compile(block.text, str(block), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(block.page), block.line)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    failed, _ = runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not failed, "".join(told)


def alike(shown: str, printed: str) -> bool:
    """Whether an output is as shown, where a line "…" stands for any lines and "…" within a line for anything in it."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == _CUT else ".*".join(map(re.escape, line.rstrip().split(_CUT))) + r"[ ]*\n"
        for line in shown.strip("\n").splitlines()
    )
    return re.fullmatch(r"\n*" + pattern + r"\n*", printed if printed.endswith("\n") else printed + "\n") is not None


def _differing(shown: str, printed: str) -> str:
    return "\n".join(difflib.unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="", n=1))


def forgetting(package: str) -> Callable[[], None]:
    """Lets everything that is read once be read again, after a package was written."""
    from importlib import invalidate_caches

    from referee.content import opening, registry

    def forget() -> None:
        registry._claims.cache_clear()
        registry.get.cache_clear()
        opening._restored.clear()
        for name in [each for each in sys.modules if each == package or each.startswith(f"{package}.")]:
            del sys.modules[name]
        invalidate_caches()

    return forget
