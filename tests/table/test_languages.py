"""The table speaks other languages: every text is translated, none stands in a template, and what the games say is marked."""

from __future__ import annotations

import contextvars
import gettext
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from referee.content import opening, registry, rulebook
from referee.dice import Stream
from referee.players.seats import BOTS
from referee.table import catalogues, languages, looking, render, texts
from referee.table.languages import LOCALE, chosen, speak
from referee.table.rooms import Room, Rooms
from referee.table.texts import TEXTS, text, text_in
from referee.table.web import application

from .server import Server
from .tables import answer, asked, opened, with_rooms
from .test_secrets import room_of

T = TypeVar("T")
FILES = sorted(LOCALE.glob("*/LC_MESSAGES/table.po"))
NAMES = ["Deutsch", "English"]
VOID = {"area", "br", "circle", "col", "hr", "img", "input", "link", "meta", "path", "rect", "wbr"}
BROUGHT = "bring the catalogues up to date with `python -m referee.table.catalogues`, and translate what it names"


def in_language(language: str, call: Callable[[], T]) -> T:
    def run() -> T:
        speak(language)
        return call()

    return contextvars.copy_context().run(run)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.parent.parent.name))
def test_every_text_is_translated(file: Any) -> None:
    catalogue = catalogues.read(file, file.parent.parent.name)
    told = {message.context: message for message in catalogue if message.id}
    assert sorted(set(TEXTS) - set(told)) == [], BROUGHT
    for key, words in TEXTS.items():
        message = told[key]
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), f"{key}: {BROUGHT}"
        assert not message.fuzzy, key
        sources = words if isinstance(words, tuple) else (words,)
        assert (message.id if isinstance(words, tuple) else (message.id,)) == sources, f"{key}: {BROUGHT}"
        for form in forms:
            assert {*re.findall(r"\{(\w+)\}", form)} == {*re.findall(r"\{(\w+)\}", sources[-1])}, key


def test_the_files_are_up_to_date() -> None:
    assert [file.parent.parent.name for file in FILES] == ["de"]
    assert (LOCALE / "table.pot").read_bytes() == catalogues.written(catalogues.template()), BROUGHT
    for file in FILES:
        language = file.parent.parent.name
        assert file.read_bytes() == catalogues.written(catalogues.brought_up_to_date(file, language)), BROUGHT
        with file.with_suffix(".mo").open("rb") as opened:
            compiled = gettext.GNUTranslations(opened)
        for key, words in TEXTS.items():
            assert (key, words) if isinstance(words, tuple) else compiled.pgettext(key, words) == text_in(language, key)


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "de-CH,de;q=0.9,en;q=0.8", "de"),
        ("", "fr, en;q=0.5, de;q=0.7", "de"),
        ("", "fr,it", "en"),
        ("", "de;q=0", "en"),
        ("", "de;q=x, en", "en"),
        ("", "*", "en"),
        ("de", "en", "de"),
        ("en", "de", "en"),
        ("xx", "de", "de"),
        ("", "de," * 10_000, "de"),
    ],
)
def test_which_language_a_page_speaks(cookie: str, accepted: str, language: str) -> None:
    assert chosen(cookie, accepted) == language


def test_one_and_many_are_told_apart() -> None:
    assert text("players", count=1) == "1 player"
    assert text("players", count=2) == "2 players"
    assert text_in("de", "players", count=1) == "1 Person spielt"
    assert text_in("de", "players", count=0) == "0 Personen spielen"


class _Pseudo(gettext.NullTranslations):
    """A language in which every text is its key in brackets, with the facts that it was given."""

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{context} {' '.join(re.findall(r'{[^}]*}', message))}⟧"

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return self.pgettext(context, many)


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = languages.catalogue
    monkeypatch.setattr(texts, "catalogue", lambda language: _Pseudo() if language == "xx" else real(language))
    yield
    render._environment.cache_clear()


class _Words(HTMLParser):
    """What a page says that is neither a text of the table nor marked as a game's."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, str]] = []
        self.found: list[str] = []

    @property
    def _language(self) -> str:
        return self._open[-1][1] if self._open else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        language = given.get("lang") or self._language
        for name in ("aria-label", "title", "placeholder", "alt", "aria-valuetext"):
            if given.get(name) and language != "en" and "⟦" not in str(given[name]):  # some name what a game calls something
                self.found.append(str(given[name]))
        if tag not in VOID:
            self._open.append((tag, language))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] not in ("script", "style", "kbd") and self._language != "en" and data.strip():
            self.found.append(data.strip())


def hard_coded(page: str, names: list[str]) -> list[str]:
    """What stands in a page and is no text, no name and no number."""
    words = _Words()
    words.feed(page)
    left = []
    for each in words.found:
        bare = re.sub(r"⟦[^⟦⟧]*⟧", "", re.sub(r"⟦[^⟦⟧]*⟧", "", each))
        bare = re.sub(r"\b(?:[A-Z0-9]+-)+\d+\b", "", bare)  # rule ids
        for name in sorted(names, key=len, reverse=True):
            bare = bare.replace(name, "")
        if re.search(r"[^\W\d_]{2,}", bare):
            left.append(each)
    return left


def played(room: Room, seed: int, steps: int) -> Iterator[Room]:
    draws = Stream.named(seed, "languages")
    for step in range(steps):
        encounter = room.state.encounter
        if encounter.question is None:
            break
        if step % 12 == 0:
            yield room
        seat = draws.choose(encounter.asked())
        room.state = room.state.apply(seat, looking_answer(encounter, seat, draws))
        room.touch()
    yield room


def looking_answer(encounter: Any, seat: str, draws: Any) -> Any:
    from referee.table import acts

    return acts.decode(acts.encode(acts.Answer(draws.choose(encounter.offers(seat)).value)))


@pytest.mark.parametrize("game", registry.ids())
def test_no_text_stands_in_a_template(game: str, pseudo: None) -> None:
    room = room_of(opening.start(f"{game}/{registry.get(game).main_scenario}", 5))
    encounter = room.state.encounter
    names = [room.row.name, *NAMES, *encounter.game.seats, *(looking.called(each) for each in encounter.game.seats)]
    names += [looking.called(each) for each in looking.figures(encounter)]

    def run() -> None:
        for state in played(room, 5, 40):
            for seat in encounter.game.seats:
                assert hard_coded(render.page(state, seat), names) == []

    in_language("xx", run)


def test_no_text_stands_in_what_else_is_served(pseudo: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "languages", lambda: ("en", "xx"))

    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        for place in range(20):
            await answer(room, asked(room), place)
        transport = httpx.ASGITransport(application(rooms, "sqlite:///", ("localhost",)))
        seats = [looking.called(each) for each in room.state.encounter.game.seats]
        names = [room.row.name, "http://localhost/", *seats, *BOTS, *NAMES]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for seat, paths in (
                ("gm", ["", "/lobby", "/past/3", "/hidden"]), ("sable", ["", "/past/1"]), ("host", ["/lobby"]),
            ):  # fmt: skip
                for path in paths:
                    headers = {"cookie": f"language=xx; seat={room.proof(seat)}"}
                    told = await client.get(f"/t/{room.id}/{seat}{path}", headers=headers)
                    assert told.status_code == 200, path
                    assert hard_coded(told.text, names) == [], path
            titles = [
                "The Broken Stair",
                rulebook(registry.get("morphyry")).title,
                *(registry.get(game).title for game in registry.ids()),
            ]
            for path in ("/", "/rules/morphyry", "/rules/morphyry/MOR-ADV-5", "/none", "/bring/morphyry/broken_stair"):
                told = await client.get(path, headers={"cookie": "language=xx"})
                assert hard_coded(told.text, [*names, *titles]) == [], path

    with_rooms(tmp_path, work)


@pytest.mark.parametrize(
    ("template", "facts"),
    [
        ("error.html", {"title": "⟦⟧", "detail": "⟦⟧", "again": 0, "english": False}),
        ("home.html", {"games": [], "mine": [], "seconds": 15}),
        ("replay_fault.html", {"line": 3, "wrong": "⟦⟧", "right": "⟦⟧"}),
    ],
)
def test_no_text_stands_in_other_pages(template: str, facts: dict[str, Any], pseudo: None) -> None:
    assert in_language("xx", lambda: hard_coded(render.fill(template, **facts), NAMES)) == []


def test_the_tests_above_can_tell() -> None:
    page = '<html lang="xx"><p>⟦a b⟧ Sable</p><p title="Hard">⟦a⟧</p><p lang="en">Coded <b lang="xx">word</b></p></html>'
    assert hard_coded(page, ["Sable"]) == ["Hard", "word"]


def test_equal_states_are_shown_in_each_language() -> None:
    room = room_of(opening.start("morphyry/broken_stair", 3))
    seat = room.state.encounter.asked()[0]
    english, german = (in_language(each, lambda: render.page(room, seat)) for each in ("en", "de"))
    assert '<html lang="en">' in english
    assert "Why not?" in english
    assert 'lang="de"' not in english.replace('value="de" lang="de"', "")
    assert '<html lang="de">' in german
    assert "Warum nicht?" in german
    assert "Why not?" not in german
    for language, words in (("en", "Why not?"), ("de", "Warum nicht?")):
        frame = in_language(language, lambda: render.frame(room, seat, 0, ""))
        assert frame is not None
        assert words in frame.html


def test_a_browser_is_answered_in_its_language(server: Server) -> None:
    client = server.client()
    assert "Set a table" in client.get("/").text
    german = {"accept-language": "de-AT,de;q=0.8,en;q=0.3"}
    assert "Einen Tisch decken" in client.get("/", headers=german).text
    assert client.get("/t/none/sable", headers=german).text.count("Diesen Tisch gibt es nicht.") == 1
    kept = client.post("/language", data={"language": "de", "back": "/rules/morphyry"})
    assert kept.status_code == 303
    assert kept.headers["location"] == "/rules/morphyry"
    assert "HttpOnly" in kept.headers["set-cookie"]
    assert "Einen Tisch decken" in client.get("/").text
    for elsewhere in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", ""):
        told = client.post("/language", data={"language": "en", "back": elsewhere})
        assert told.headers["location"] == "/"
    assert "Set a table" in client.get("/", headers=german).text
    assert client.post("/language", data={"language": "xx"}).status_code == 422
