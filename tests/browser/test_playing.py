"""People at the web table in real browsers: two players and a spectator play to the end, look, take back, lose the line."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.content import registry
from tests.table.server import Server

from .conftest import SHOTS

MAIN = {game: f"{game}/{registry.get(game).main_scenario}" for game in registry.ids()}
CLICKS = 26  # until the test concedes; an encounter may be over before
AXE = (Path(__file__).parent / "axe-core-4.14.1.min.js").read_text(encoding="utf-8")
# A part of the page in one way of writing it: attributes in order, without what a reader or the library has set.
STILL = """(function still(node) {
  if (node.nodeType === 3) return node.data.replace(/\\s+/g, " ");
  if (node.nodeType !== 1) return "";
  const own = /^(data-htmx|open$|tabindex$|class$)/, attributes = [...node.attributes].filter(each => !own.test(each.name));
  const shown = attributes.map(each => `${each.name}=${each.value}`).sort().join(" ");
  return `<${node.localName} ${shown}>${[...node.childNodes].map(still).join("")}</>`;
})"""


WIDTHS = {390: 844, 1024: 768, 1440: 900, 1920: 1080}


def shoot(page: Any, name: str, *widths: int) -> None:
    SHOTS.mkdir(exist_ok=True)
    for width, height in WIDTHS.items():
        if widths and width not in widths:
            continue
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=str(SHOTS / f"{name}-{width}.png"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {width}"
    page.set_viewport_size({"width": 1440, "height": 900})


def still(page: Any, part: str) -> str:
    return page.locator(part).evaluate(f"node => {STILL}(node)")  # type: ignore[no-any-return]


def seats(links: dict[str, str]) -> list[str]:
    return [seat for seat in links if seat not in ("gm", "spectator", "host")]


def ticket(page: Any) -> str | None:
    return page.evaluate("document.querySelector('#question')?.dataset.ticket ?? null")  # type: ignore[no-any-return]


def first_asked(pages: dict[str, Any]) -> Any:
    """The first page that is asked, once its question has come."""
    for _ in range(200):
        for page in pages.values():
            if ticket(page):
                return page
        page.wait_for_timeout(20)
    raise AssertionError("nobody is asked")


def settled(page: Any, before: str | None) -> None:
    """Waits until the question that was answered is gone."""
    page.wait_for_function("was => (document.querySelector('#question')?.dataset.ticket ?? null) !== was", arg=before)


def press(page: Any, draws: random.Random) -> None:
    """Chooses one of the offers, as somebody would who wants to get on."""
    before = ticket(page)
    takes = page.locator("#answer .take, #answer .squares button")
    labels = takes.all_inner_texts()
    wanted = [place for place, label in enumerate(labels) if "Advance" in label or "Strike" in label]
    place = wanted[0] if wanted else draws.randrange(len(labels))
    takes.nth(place).evaluate("button => button.click()")
    settled(page, before)


def press_first(page: Any) -> None:
    """Chooses the first offer."""
    before = ticket(page)
    page.locator("#answer .take").first.evaluate("button => button.click()")
    settled(page, before)


def play(pages: dict[str, Any], clicks: int, draws: random.Random, each: Callable[[int], None] = lambda number: None) -> None:
    """Lets whoever is asked click, until it is over or so often."""
    for number in range(clicks):
        asked = None
        for _ in range(200):
            asked = next((page for page in pages.values() if ticket(page)), None)
            if asked is not None or next(iter(pages.values())).locator("#question .result").count():
                break
            next(iter(pages.values())).wait_for_timeout(20)
        if asked is None:
            return
        press(asked, draws)
        each(number)


def give_up(page: Any) -> None:
    page.locator(".sure summary").click()
    page.locator(".sure .danger").click()


@pytest.mark.parametrize("game", list(MAIN))
def test_two_people_and_a_spectator_play_to_the_end(server: Server, page_of: Callable[..., Any], game: str) -> None:
    links = server.set_table(MAIN[game])
    first, *others = seats(links)
    pages = {first: page_of(links[first])} | {seat: page_of(links[seat], color_scheme="dark") for seat in others}
    watching = page_of(links["spectator"], width=1920, height=1080)
    draws = random.Random(5)

    def live_is_fresh(number: int) -> None:
        if number not in (6, 16):
            return
        for page in (*pages.values(), watching):
            fresh = page.context.new_page()
            fresh.goto(page.url)
            for part in ("#top .turns", "#table", "#question", "#lines"):
                want = still(fresh, part)
                page.wait_for_function(f"([part, want]) => {STILL}(document.querySelector(part)) === want", arg=[part, want])
            fresh.close()
        if number == 16:
            shoot(pages[first], f"{game}-{first}")
            shoot(next(iter(pages[each] for each in others)), f"{game}-dark", 390)

    play(pages, CLICKS, draws, live_is_fresh)
    one = pages[first]
    if not one.locator("#question .result").count():
        give_up(one)
    for seat in others:
        if not one.locator("#question .result").count():
            one.wait_for_timeout(300)
        if not pages[seat].locator("#question .result").count() and len(others) > 1:
            give_up(pages[seat])
    for page in (*pages.values(), watching):
        page.wait_for_selector("#question .result")
    with one.expect_download() as download:
        one.locator("#question a.primary").click()
    assert download.value.path().read_text(encoding="utf-8").startswith("referee transcript 1")
    shoot(watching, f"{game}-over", 1440)


def test_digits_arrows_and_the_board_answer(server: Server, page_of: Callable[..., Any]) -> None:
    links = server.set_table(MAIN["morphyry"])
    pages = {seat: page_of(links[seat]) for seat in seats(links)}
    for _ in range(12):
        asked = next(page for page in pages.values() if ticket(page))
        if asked.locator(".cellbtn.move").count():
            break
        before = ticket(asked)
        asked.keyboard.press("2" if asked.locator("#answer [data-key='2']").count() else "1")
        settled(asked, before)
    before = ticket(asked)
    asked.keyboard.press("b")
    asked.keyboard.press("ArrowRight")
    asked.keyboard.press("ArrowLeft")
    assert asked.evaluate("document.activeElement.classList.contains('cellbtn')")
    asked.keyboard.press("Enter")
    settled(asked, before)
    asked.keyboard.press("?")
    assert asked.locator("#help").is_visible()
    asked.keyboard.press("Escape")
    asked.locator("#lines a.rule").last.click()
    asked.wait_for_selector("#card p")
    asked.keyboard.press("Escape")
    number = next(iter(asked.locator("button.num").all()), None)
    if number is not None:
        number.click()
        assert asked.locator(".sum:popover-open").is_visible()


def test_one_asks_to_take_back_and_the_other_agrees(server: Server, page_of: Callable[..., Any]) -> None:
    links = server.set_table(MAIN["morphyry"])
    pages = {seat: page_of(links[seat]) for seat in seats(links)}
    first = next(seat for seat, page in pages.items() if ticket(page))
    other = next(seat for seat in pages if seat != first)
    draws = random.Random(2)
    for _ in range(30):
        if first_asked(pages) is pages[other]:
            break
        press(pages[first], draws)
    press(pages[other], draws)
    lines = pages[first].locator("#lines li").count()
    pages[first].get_by_role("button", name="Take back").click()
    pages[other].get_by_role("button", name="Allow it").click()
    pages[first].wait_for_function("was => document.querySelectorAll('#lines li').length < was", arg=lines)
    pages[first].wait_for_function("document.querySelector('#question').dataset.ticket")


def test_a_click_made_while_the_server_is_away_goes_out_once(tmp_path: Path, page_of: Callable[..., Any]) -> None:
    server = Server(tmp_path).start()
    try:
        links = server.set_table(MAIN["morphyry"])
        pages = {seat: page_of(links[seat], loud=False) for seat in seats(links)}
        watching = page_of(links["spectator"], loud=False)
        asked = next(page for page in pages.values() if ticket(page))
        asked.wait_for_selector("#conn.on")
        server.kill()
        asked.wait_for_selector("#conn.off")
        before = ticket(asked)
        asked.locator("#answer .take").nth(1).click()
        asked.wait_for_function("document.querySelector('#toast').textContent.startsWith('Not sent yet')")
        server.start()
        asked.wait_for_selector("#conn.on", timeout=15000)
        settled(asked, before)
        watching.wait_for_selector("#conn.on", timeout=15000)
        watching.wait_for_function(
            "want => document.querySelectorAll('#lines li').length === want", arg=asked.locator("#lines li").count()
        )
        fresh = page_of(links["spectator"], loud=False)
        assert fresh.locator("#lines").evaluate(f"node => {STILL}(node)") == watching.locator("#lines").evaluate(
            f"node => {STILL}(node)"
        )
    finally:
        server.stop()


def test_without_javascript(server: Server, page_of: Callable[..., Any]) -> None:
    links = server.set_table(MAIN["morphyry"])
    pages = {seat: page_of(links[seat], java_script_enabled=False) for seat in seats(links)}
    for _ in range(8):
        for page in pages.values():
            page.reload()
        asked = next(page for page in pages.values() if page.locator("#answer").count())
        takes = asked.locator("#answer .take")
        before = asked.locator("#lines li").count()
        takes.nth(takes.count() - 1 if takes.count() < 3 else 1).click()
        assert asked.locator("#lines li").count() >= before
    assert before > 8


def violations(page: Any) -> list[str]:
    """What axe finds, and of the colours in the dark too."""
    found = page.evaluate(AXE + "; axe.run({ resultTypes: ['violations'] })")["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate("axe.run({ resultTypes: ['violations'], runOnly: ['color-contrast'] })")["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]} {each['nodes'][0]['failureSummary']}" for each in found]


def test_nothing_stands_in_the_way_of_anybody_on_the_way_in(server: Server, page_of: Callable[..., Any]) -> None:
    home = page_of(server.address)
    assert violations(home) == []
    for scheme in ("light", "dark"):
        home.emulate_media(color_scheme=scheme)
        home.screenshot(path=str(SHOTS / f"home-{scheme}.png"), full_page=True)
    assert violations(page_of(server.set_table(MAIN["vaia"])["host"])) == []
    assert violations(page_of(f"{server.address}/rules/morphyry")) == []


@pytest.mark.parametrize("game", list(MAIN))
def test_nothing_stands_in_the_way_of_anybody(server: Server, page_of: Callable[..., Any], game: str) -> None:
    links = server.set_table(MAIN[game])
    pages = {seat: page_of(links[seat]) for seat in seats(links)}
    gm = page_of(links["gm"], width=390, height=844)
    play(pages, 5, random.Random(3))
    for page in (first_asked(pages), gm):
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert violations(page) == []
