"""Golden playthroughs: transcripts of random encounters and counts of answers, kept beside the tests, compared to the byte.

`python -m referee.testkit.playthroughs FOLDER` writes them anew, `--check` only compares.
"""

from __future__ import annotations

import argparse
import difflib
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..content import ContentError, RegistryError, load, registry
from ..dice import Stream
from ..engine import Content, Encounter, RefereeError, Ruleset
from .perft import perft
from .wandering import NODES, play_on

DEPTH = 4  # of the counts
_SHOWN = 40  # lines of a difference


def playthrough(content: Content, seed: int) -> str:
    """The transcript of a random encounter; always the same for one seed and one state of the rules."""
    encounter = Encounter.start(content, seed)
    play_on(encounter, Stream.named(seed, "playthrough", content.scenario.id), NODES)
    return encounter.transcript()


def playthroughs(ruleset: Ruleset, seeds: Sequence[int] = (1,)) -> Iterator[tuple[str, str]]:
    """The golden files of a ruleset, each with the text that it should hold now."""
    for name in registry.scenarios(ruleset):
        content = load(f"{ruleset.id}/{name}")
        for seed in seeds:
            yield f"{ruleset.id}/{name}-{seed}.txt", playthrough(content, seed)
    counts = [line for name in registry.scenarios(ruleset) for line in _counts(load(f"{ruleset.id}/{name}"))]
    yield f"{ruleset.id}/perft.txt", "\n".join(counts) + "\n"


def _counts(content: Content) -> Iterator[str]:
    """Sequences of answers from the first question of seed 1, one outcome a roll, by their length."""
    encounter = Encounter.start(content, 1)
    for depth in range(1, DEPTH + 1):
        yield f"{content.scenario.id} {depth} {perft(encounter, depth, 'one')}"


def difference(old: str, new: str, name: str = "") -> str:
    """The first lines in which two transcripts differ, digests left out of the comparison; empty if none."""
    if old == new:
        return ""
    lines = list(difflib.unified_diff(_told(old), _told(new), f"{name} as kept", f"{name} as played now", lineterm="", n=2))
    if not lines:
        return f"{name}: what is told is the same, but not what is noted of it: compare the digests"
    more = f"\n… and {len(lines) - _SHOWN} lines more" if len(lines) > _SHOWN else ""
    return "\n".join(lines[:_SHOWN]) + more


def _told(text: str) -> list[str]:
    """The lines without their digests: one change would show in every line after it."""
    return [line.rpartition(" ~")[0] or line for line in text.splitlines()]


def changed(folder: Path, ruleset: Ruleset) -> list[str]:
    """What differs between the golden files below a folder and what is played now; a missing file differs."""
    found = []
    known = set()
    for name, text in playthroughs(ruleset):
        known.add(folder / name)
        path = folder / name
        if not path.is_file():
            found.append(f"{name} is missing")
        elif why := difference(path.read_text(encoding="utf-8"), text, name):
            found.append(why)
    stray = sorted(set((folder / ruleset.id).glob("*.txt")) - known)
    return found + [f"{path.name} is of no scenario" for path in stray]


def write(folder: Path, ruleset: Ruleset) -> list[Path]:
    """Writes the golden files of a ruleset anew and takes away those of no scenario."""
    written = []
    for path in (folder / ruleset.id).glob("*.txt"):
        path.unlink()
    for name, text in playthroughs(ruleset):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if something differs, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m referee.testkit.playthroughs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("game", nargs="*", help="rulesets; all installed ones if none is named")
    parser.add_argument("--check", action="store_true", help="compare only")
    given = parser.parse_args(arguments)
    try:
        rulesets = [registry.get(each) for each in given.game or registry.ids()]
        if given.check:
            found = list(itertools.chain.from_iterable(changed(given.folder, each) for each in rulesets))
            print("\n".join(found) or "nothing differs")
            return 1 if found else 0
        for path in itertools.chain.from_iterable(write(given.folder, each) for each in rulesets):
            print(f"wrote {path}")
    except (RegistryError, ContentError, RefereeError) as error:
        print(error)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
