"""Debian's Chromium, driven by Playwright; every page fails its test on a console error."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.table.server import Server

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SHOTS = Path(__file__).parent / "shots"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is missing: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page_of(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages, each with cookies of its own. Whatever one of them complains of fails the test."""
    wrong: list[str] = []
    contexts = []

    def open_page(address: str, *, width: int = 1440, height: int = 900, loud: bool = True, **options: Any) -> Any:
        quick = options.get("java_script_enabled") is False  # goes on to the next page before the last one has all its fonts
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        if loud:
            page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on(
                "requestfailed", lambda request: None if quick and "ABORTED" in request.failure else wrong.append(request.url)
            )
        page.goto(address)
        return page

    yield open_page
    told = list(wrong)  # what is broken off by closing is no fault
    for context in contexts:
        context.close()
    assert not told


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.stop()
    assert "Traceback" not in running.log(), running.log()
