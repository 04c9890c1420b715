"""A page in German: as the browser asks for it, pushed in the same language, changed by a button, open to everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.table.server import Server

from .test_playing import press_first, shoot, ticket, violations


def test_a_page_speaks_german_until_told_otherwise(server: Server, page_of: Callable[..., Any]) -> None:
    links = server.set_table("morphyry/broken_stair")
    pages = {seat: page_of(links[seat], locale="de-DE") for seat in ("sable", "garrick")}
    page = next(page for page in pages.values() if ticket(page))
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator("#conn").inner_text() in ("", "verbunden")
    assert page.locator(".whynot summary").inner_text().startswith("Warum nicht?")
    press_first(page)
    other = next(each for each in pages.values() if each is not page)
    other.wait_for_function("document.querySelector('#lines li')")
    told = page.locator("#question").inner_text() + other.locator("#question").inner_text()
    assert "Warum nicht?" in told or "nicht dran" in told, "what is pushed is German too"
    assert "Du bist dran" in page.title() + other.title() or not (ticket(page) or ticket(other))
    assert violations(page) == []
    shoot(page, "german", 390, 1440)
    page.locator("[data-do=help]").click()
    page.locator(".languages button[value=en]").click()
    page.wait_for_load_state("load")
    assert page.locator("html").get_attribute("lang") == "en"
    assert "Why not?" in page.content() or "Not your move" in page.content()
