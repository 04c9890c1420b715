"""Dice that are kept by toggling, dice in the log, and odds beside the offers as they come."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.table.server import Server

from .test_playing import MAIN, press_first, seats, settled, ticket, violations


@pytest.fixture(scope="module")
def with_odds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("odds"), odds=0.02).start()
    yield running
    running.stop()
    assert "Traceback" not in running.log(), running.log()


def test_dice_are_kept_by_toggling_with_their_odds_beside(with_odds: Server, page_of: Callable[..., Any]) -> None:
    links = with_odds.set_table(MAIN["l5r"])
    pages = {seat: page_of(links[seat]) for seat in seats(links)}
    page = next(page for page in pages.values() if ticket(page))
    page.wait_for_selector(".chance")  # they come by themselves
    while not page.locator(".pick").count():
        press_first(page)
    kept = page.locator(".pick input:checked")
    offers = page.locator("#answer .offer:visible")
    assert offers.count() == 1
    assert page.locator("#answer .offer").count() > 3
    # By hand and by digit; what is chosen is told as the server has it.
    while kept.count() > 1:
        page.locator(".pickdie:has(:checked)").last.click()
    place = kept.first.get_attribute("data-place")
    assert offers.inner_text().startswith(f"Keep {place}")
    page.keyboard.press(place)
    assert kept.count() == 0
    assert offers.count() == 0
    assert "may not be chosen together" in page.locator(".nopick").inner_text()
    page.keyboard.press(place)
    assert re.search(r"successes\s*\d", offers.inner_text())
    # The odds come to what is chosen, and what the game would choose can be picked.
    chance = page.locator("#answer .picked .chance")
    chance.wait_for()
    assert kept.count() == 1
    chance.click()
    assert page.locator(".chances:popover-open").is_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    advised = page.locator("[data-pick]")
    if advised.count():
        advised.click()
        assert advised.get_attribute("data-pick") == " ".join(each.get_attribute("data-place") for each in kept.all())
    before = ticket(page)
    kept.first.focus()
    page.keyboard.press("Enter")
    settled(page, before)
    page.wait_for_selector("#lines .ln .die5")
    assert "die, " in page.locator("#lines .die5").last.get_attribute("aria-label")


def test_the_gm_hides_odds_and_shows_them_again(with_odds: Server, page_of: Callable[..., Any]) -> None:
    links = with_odds.set_table(MAIN["l5r"])
    pages = {seat: page_of(links[seat]) for seat in seats(links)}
    gm = page_of(links["gm"])
    page = next(page for page in pages.values() if ticket(page))
    page.wait_for_selector(".chance")
    gm.get_by_role("button", name="Hide odds").click()
    page.wait_for_selector(".chance", state="detached")
    gm.get_by_role("button", name="Show odds").click()
    page.wait_for_selector(".chance")


def test_without_javascript_dice_are_kept_from_a_list(with_odds: Server, page_of: Callable[..., Any]) -> None:
    links = with_odds.set_table(MAIN["l5r"])
    page = page_of(links[seats(links)[0]], java_script_enabled=False)
    for _ in range(6):
        if "Keep" in page.locator("#q-h").inner_text():
            break
        page.locator("#answer .take").first.click()
    assert not page.locator(".pick").is_visible()
    assert page.locator("#answer .offer:visible").count() > 3
    for _ in range(100):
        if page.locator(".chance").count():
            break
        page.reload()
    assert page.locator(".chance").count()
    page.locator("#answer .take").nth(1).click()
    assert "keeps" in page.locator("#lines").inner_text()
