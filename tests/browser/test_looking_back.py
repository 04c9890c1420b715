"""Looking back, replays, characters that are brought, what the GM reveals: with keys, by dropping a file, without JavaScript."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.table.server import Server, api

from .conftest import SHOTS
from .test_playing import seats, violations

DROP = """text => {
  const data = new DataTransfer(), told = { dataTransfer: data, bubbles: true, cancelable: true };
  data.items.add(new File([text], "transcript.txt", { type: "text/plain" }));
  for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, told));
}"""


def played(server: Server, scenario: str, answers: int) -> dict[str, str]:
    """A table on which both have answered at random for a while."""
    links, draws = server.set_table(scenario), random.Random(8)
    for _ in range(answers):
        for seat in seats(links):
            question = api(server, links[seat]).json()["question"]
            if question:
                sent = {"ticket": question["ticket"], "value": draws.choice(question["offers"])["value"]}
                assert api(server, links[seat], "/answer", json=sent).status_code == 200
    return links


def shoot(page: Any, name: str) -> None:
    SHOTS.mkdir(exist_ok=True)
    for width, height in ((390, 844), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=str(SHOTS / f"{name}-{width}.png"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than {width}"


def at(page: Any, number: int) -> None:
    """Waits until a moment is shown."""
    page.wait_for_function("end => location.pathname.endsWith('/' + end)", arg=str(number))
    assert page.locator("#past-steps .count").inner_text().startswith(f"Moment {number} of")
    assert page.locator("#moment").input_value() == str(number)


def test_a_seat_looks_back_with_keys_and_slider(server: Server, page_of: Callable[..., Any]) -> None:
    links = played(server, "morphyry/broken_stair", 12)
    page = page_of(links["sable"])
    page.get_by_role("link", name="Look back").click()
    last = int(page.locator("#moment").get_attribute("max"))
    assert last > 12
    at(page, last)
    for key, number in (("ArrowLeft", last - 1), ("PageUp", last - 11), ("Home", 0), ("ArrowRight", 1), ("End", last)):
        page.keyboard.press(key)
        at(page, number)
    everything = page.locator("#lines li").count()
    page.locator("#moment").focus()
    page.keyboard.press("Home")
    at(page, 0)
    assert page.locator("#lines li").count() < everything
    assert page.evaluate("document.activeElement.id") == "moment"
    page.get_by_role("link", name="One moment on").click()
    at(page, 1)
    assert page.evaluate("document.activeElement.dataset.step") == "after"
    page.keyboard.press("p")
    at(page, 2)
    page.get_by_role("button", name="Stop").click()
    kept = page.locator("#table").inner_html()
    page.reload()
    assert page.locator("#table").inner_html() == kept
    assert not page.locator("[form=answer]").count()
    assert violations(page) == []
    shoot(page, "past")


def test_looking_back_without_javascript(server: Server, page_of: Callable[..., Any]) -> None:
    links = played(server, "vaia/ford", 8)
    page = page_of(links["west"], java_script_enabled=False, color_scheme="dark")
    page.get_by_role("link", name="Look back").click()
    last = int(page.locator("#moment").get_attribute("max"))
    page.get_by_role("link", name="One moment back").click()
    assert page.url.endswith(f"/past/{last - 1}")
    page.locator("#moment").fill("2")
    page.get_by_role("button", name="Show").click()
    assert page.url.endswith("/past/2")
    gm = page_of(links["gm"], color_scheme="dark")
    gm.get_by_role("link", name="Look back").click()
    assert violations(gm) == []
    gm.get_by_role("button", name="What if?").click()
    gm.wait_for_selector("#conn.on")
    assert "What if: The Ford" in gm.title()


def test_a_transcript_that_is_dropped_opens(server: Server, page_of: Callable[..., Any]) -> None:
    links = played(server, "morphyry/broken_stair", 6)
    page = page_of(links["sable"])
    page.locator(".sure summary").click()
    page.locator(".sure .danger").click()
    page.wait_for_selector("#question .result")
    text = page.request.get(page.url + "/transcript").text()
    home = page_of(server.address, loud=False)
    home.evaluate(DROP, text.replace("  | ", "  | And ", 1))
    home.wait_for_selector("main .fault b")
    assert "was changed" in home.locator("main .fault").first.inner_text()
    assert violations(home) == []
    home.evaluate(DROP, text)
    home.wait_for_url("**/r/**")
    assert home.locator("#moment").input_value() == "0"
    home.keyboard.press("End")
    home.wait_for_selector("#past-told .result")


def test_characters_are_brought_and_a_card_is_revealed(server: Server, page_of: Callable[..., Any]) -> None:
    page = page_of(server.address + "/bring/morphyry/broken_stair", loud=False)
    page.locator("#text-0").fill(page.locator("#text-0").input_value().replace("corpus: 4", "corpus: 40"))
    page.get_by_role("button", name="Set this table").click()
    page.wait_for_selector("section.fault")
    assert violations(page) == []
    shoot(page, "bring")
    page.locator("#text-0").fill(
        page.locator("#text-0").input_value().replace("corpus: 40", "corpus: 4").replace("my_sable", "zoe")
    )
    page.get_by_role("button", name="Set this table").click()
    page.wait_for_selector(".seats")
    gm = page_of(page.locator("input.link[value*='/gm/']").input_value())
    gm.get_by_role("link", name="Hide and reveal").click()
    gm.get_by_role("button", name="Reveal: Zoe, elbow").click()
    gm.wait_for_selector("text=known to the others")
    assert violations(gm) == []
    shoot(gm, "hidden")
