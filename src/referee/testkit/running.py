"""Runs the scenes of files and reports on each: passed, or failed where and why."""

from __future__ import annotations

import contextlib
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..content import ContentError, registry
from ..engine import Content, RefereeError, Ruleset
from .files import Script, Scripts, find_files, read_scripts, refuse, scene_files, unknown_seats
from .matching import mismatch, written
from .scenes import Scene, Unmet
from .staging import stage

_RULE = re.compile(r"\b[A-Z0-9]+-[A-Z]+-[0-9]+\b")


@dataclass(frozen=True)
class Outcome:
    """What came of one scene: `why` is empty if it passed; `seen` are the rule ids met on the way."""

    name: str
    at: str
    why: str = ""
    seen: frozenset[str] = frozenset()
    rules: tuple[str, ...] = ()
    policies: Mapping[str, Any] = field(default_factory=dict)
    ruleset: str = ""

    @property
    def passed(self) -> bool:
        """Whether everything was as expected."""
        return not self.why


@dataclass(frozen=True)
class Report:
    """The outcomes of all scenes that were run, in order."""

    outcomes: tuple[Outcome, ...]

    @property
    def passed(self) -> tuple[str, ...]:
        """The names of the scenes that passed."""
        return tuple(each.name for each in self.outcomes if each.passed)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The outcomes of those that did not."""
        return tuple(each for each in self.outcomes if not each.passed)


def run_scenes(what: Ruleset | Iterable[str | Path] = ()) -> Report:
    """Runs the scenes of a ruleset, or of games, files and folders (none named: of every installed game).

    ContentError with every fault of the files, RegistryError for a name that is neither.
    """
    if isinstance(what, Ruleset):
        scripts = read_scripts(scene_files(what), what)
    else:
        scripts = read_scripts(find_files(list(what) or registry.ids()))
    return Report(tuple(run(script, content) for script, content in staged(scripts)))


def staged(scripts: Scripts) -> list[tuple[Script, Content | None]]:
    """Every scene with its content (None for cases and for scenes of faulty content). ContentError if a file has faults."""
    faults = list(scripts.faults)
    made: list[tuple[Script, Content | None]] = []
    for script in scripts.scripts:
        content = None
        if not script.is_cases and "faults" not in script.data:
            try:
                content = content_of(script)
                faults += unknown_seats(script, [seat.name for seat in content.ruleset.seats(content)])
            except ContentError as error:
                faults += error.faults
        made.append((script, content))
    refuse(faults)
    return made


def content_of(script: Script) -> Content:
    """The content that a scene is played with. ContentError with every fault in it."""
    data = script.data
    return stage(
        script.ruleset, data.get("scenario"), data.get("cards"), data.get("given"), script.document, script.at
    )  # fmt: skip


def run(script: Script, content: Content | None) -> Outcome:
    """Runs one scene or table of cases."""
    run = _Run(script)
    try:
        if script.is_cases:
            run.table()
        elif content is None:
            run.faulty()
        else:
            run.play(content)
    except Unmet as unmet:
        run.why = str(unmet)
    except RefereeError as error:
        run.why = f"{type(error).__name__}: {error}"
    except Exception as error:
        # A fault of the rules under test must not end the other scenes.
        place = traceback.extract_tb(error.__traceback__)[-1]
        run.why = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    policies = {}
    if content is not None:
        policies = {name: content.policy(name) for name in content.ruleset.policies}
    at = script.line(*run.here) if run.why else script.line()
    return Outcome(script.name, at, run.why, frozenset(run.seen), script.rules, policies, script.ruleset.id)


class _Run:
    """One scene being run: where it stands, what it has seen."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.here: tuple[str | int, ...] = ()
        self.seen: set[str] = set()
        self.why = ""

    def table(self) -> None:
        """Every row of given and expected."""
        data = self.script.data
        function = self.script.ruleset.cases[data["of"]]
        for position, (given, expected) in enumerate(data["table"]):
            self.here = ("table", position)
            listed = given if isinstance(given, list) else [given]
            value = function(**given) if isinstance(given, dict) else function(*listed)
            why = mismatch(expected, list(value) if isinstance(value, Iterator) else value)
            if why:
                raise Unmet(f"{data['of']} of {written(given)}: {why}")
        self.seen.update(self.script.rules)

    def faulty(self) -> None:
        """The content must be refused, with every text that the scene names."""
        self.here = ("faults",)
        try:
            content_of(self.script)
        except ContentError as error:
            text = str(error)
        else:
            raise Unmet("this content should be refused; nothing is wrong with it")
        self.seen.update(_RULE.findall(text))
        for position, each in enumerate(self.script.data["faults"]):
            self.here = ("faults", position)
            if str(each) not in text:
                raise Unmet(f"no fault says {each!r}; there is: {text}")

    def play(self, content: Content) -> None:
        """Every item, then what must be true at the end."""
        data = self.script.data
        self.here = ("given",) if "given" in data else ()
        scene = None
        with contextlib.ExitStack() as stack:
            scene = Scene(content.ruleset, given=data.get("given"), dice=_dice(data.get("dice", ())), content=content)
            stack.callback(lambda: self.seen.update(scene.seen))
            for position, item in enumerate(data.get("play", ())):
                self.here = ("play", position)
                key, value = next(iter(item.items()))
                _do(scene, key, value)
            self.here = ("then",)
            scene.then(data.get("then", {}))
            self.here = ("dice",)
            scene.finish()


def _dice(rolls: Iterable[Any]) -> list[Any]:
    return [tuple(each) if isinstance(each, list) else each for each in rolls]


def _do(scene: Scene, key: str, value: Any) -> None:
    """Plays one item, or looks at what it says."""
    match key:
        case "roll":
            scene.roll(value)
        case "then":
            scene.then(value)
        case "asked":
            told = value if isinstance(value, dict) else {"seat": value}
            seat = told.get("seat")
            scene.asked(None if seat in (None, "none", "nobody") else seat, told.get("about"), told.get("who"))
        case "log" | "no log":
            (scene.log if key == "log" else scene.no_log)(**value)
        case "unseen":
            scene.unseen(**value)
        case "sees":
            scene.sees(**value)
        case "possible":
            scene.possible(**value)
        case "concede":
            scene.concede(value)
        case "undo":
            scene.undo(**value) if isinstance(value, dict) else scene.undo(value)
        case "take back":
            scene.take_back(value)
        case "rule":
            scene.rule(**value)
        case "error":
            _refused(scene, dict(value))
        case _ if isinstance(value, dict):
            _look(scene, key, value)
        case _:
            scene.answer(key, value)


def _refused(scene: Scene, value: dict[str, Any]) -> None:
    says = str(value.pop("says", ""))
    if len(value) != 1:
        raise Unmet("an error is one attempt, and what it says")
    key, attempt = next(iter(value.items()))
    if key in scene.encounter.game.seats:
        scene.error(key, attempt, says)
    else:
        scene.error(says=says, **{key.replace(" ", "_"): attempt})


def _look(scene: Scene, seat: str, value: Mapping[str, Any]) -> None:
    """What is on offer to a seat, what is refused to it, what a number is made of."""
    for key in ("offered", "not offered"):
        if key in value:
            answers = value[key] if isinstance(value[key], list) else [value[key]]
            (scene.offered if key == "offered" else scene.not_offered)(seat, *answers)
    if "refused" in value:
        scene.refused(seat, value["refused"], value.get("rules", ()))
    if "breakdown" in value:
        scene.breakdown(seat, value["breakdown"], value.get("name"), value.get("total"), value.get("lines"))


def as_json(report: Report) -> dict[str, Any]:
    """What `referee scene --json` prints."""
    failed = [{"name": each.name, "at": each.at, "why": each.why} for each in report.failed]
    return {"passed": list(report.passed), "failed": failed}
