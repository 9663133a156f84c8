"""A studio and a browser for tests: what people see, and what goes wrong behind it."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from studio_table import settings

from rookery.interfaces.web.app import create
from rookery.interfaces.web.serve import bind

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
WORTH_PRESSING = """() => {
    // Where a man of whoever is to move stands; on a board of Go, where nobody does.
    const colour = [...document.querySelector('.dot.turn').classList].find((name) => name.startsWith('of-'));
    const stones = document.querySelector('.stage .board').classList.contains('grid');
    const middle = (one) => {
        const box = one.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const men = [...document.querySelectorAll('.stage .man')].map((man) => [man, ...middle(man)]);
    return [...document.querySelectorAll('.stage [data-cell]')].filter((cell) => {
        const [x, y] = middle(cell), reach = cell.getBoundingClientRect().width / 2;
        const here = men.find(([, u, v]) => Math.hypot(u - x, v - y) < reach / 2)?.[0];
        return stones ? !here : here?.classList.contains(colour);
    }).map((cell) => cell.dataset.cell);
}"""
_SAID = """() => [...document.querySelectorAll('.side > :not(.complaint)')]
    .map((part) => part.innerText).join('\\n')"""
TOKEN = "what-the-owner-brings"
_ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


def chromium() -> str | None:
    """The system's browser; None: there is none."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A studio on a free port; gives its address."""
    listener = bind("127.0.0.1", 0, search=False)
    app = create(replace(settings(folder), pace=0.05, token=TOKEN))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(20)


class Window:
    """One person's browser."""

    def __init__(
        self, browser: Browser, address: str, size: str, theme: str = "light", owner: bool = True
    ) -> None:
        """owner: it brings the token, as the address does that `rookery serve` prints."""
        self.address = address
        self._query = f"?token={TOKEN}" if owner else ""
        self.phone = size == "phone"
        self.faults: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport=SIZES[size],  # type: ignore[arg-type]
            has_touch=self.phone,
            color_scheme=theme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(20_000)
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda said: self._note(said.type, said.text))
        self.page.on("pageerror", lambda error: self._note("error", str(error)))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.faults.append(text)

    def open(self, place: str = "#/") -> None:
        self.page.goto(self.address + self._query + place)
        self._query = ""

    def press(self, cell: str) -> None:
        """Click or tap a square."""
        target = self.page.locator(f'.stage [data-cell="{cell}"]')
        target.tap() if self.phone else target.click()

    def move(self, start: str, to: str) -> None:
        self.press(start)
        self.press(to)

    def drag(self, start: str, to: str) -> None:
        places = [self.page.locator(f'.stage [data-cell="{cell}"]').bounding_box() for cell in (start, to)]
        (x, y), (u, v) = [(p["x"] + p["width"] / 2, p["y"] + p["height"] / 2) for p in places if p]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + u) / 2, (y + v) / 2, steps=3)
        self.page.mouse.move(u, v, steps=3)
        self.page.mouse.up()

    def begin(self, family: str, seats: Sequence[str], position: str = "", game: str = "") -> str:
        """Lay a table as a person does; gives its name."""
        page = self.page
        self.open()
        page.click(f"[data-family={family}]")
        if game:
            page.select_option(".start-panel select", game)
        page.click(".more summary")
        for seat, who in enumerate(seats):
            value = who if who in ("me", "open") else f"player {who}"
            select = f".more select[data-seat='{seat}']"
            page.wait_for_selector(select)
            if page.locator(f'{select} option[value="{value}"]').count():
                page.select_option(select, value)
            else:
                page.select_option(select, "expert")
                page.fill(f".seat-row >> nth={seat} >> input", who)
        if position:
            page.fill(".more textarea", position)
        page.click("#start-this")
        page.wait_for_selector("#status:not(:empty)")
        return str(page.url.rsplit("/", 1)[1])

    def status(self, words: str) -> None:
        """Wait until it says so."""
        self.page.wait_for_function(
            "words => document.getElementById('status')?.textContent.includes(words)", arg=words
        )

    def man(self, cell: str) -> str | None:
        """The colour of whoever stands there; None: nobody."""
        found: Any = self.page.evaluate(
            """cell => {
                const at = document.querySelector(`.stage [data-cell="${cell}"]`).getBoundingClientRect();
                const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
                for (const man of document.querySelectorAll('.stage .man')) {
                    const box = man.getBoundingClientRect();
                    if (box.left < x && x < box.right && box.top < y && y < box.bottom)
                        return [...man.classList].find(name => name.startsWith('of-')).slice(3);
                }
                return null;
            }""",
            cell,
        )
        return found if found is None else str(found)

    def random_move(self, rng: random.Random) -> None:
        """Whatever the board offers, by pressing on it."""
        before = self._said()
        cells = self.page.evaluate(WORTH_PRESSING)
        rng.shuffle(cells)
        for cell in cells:
            stood = self.man(cell)
            self.press(cell)
            targets = self.page.locator(".above .target")
            if targets.count():
                target = targets.nth(rng.randrange(targets.count()))
                target.scroll_into_view_if_needed()
                box = target.bounding_box()
                assert box
                at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
                self.page.touchscreen.tap(*at) if self.phone else self.page.mouse.click(*at)
                choice = self.page.locator(".choice [data-promotion]")
                if choice.count():
                    choice.first.click()
            if self._said() != before:
                return
            if targets.count() or self.man(cell) == stood:
                continue  # There was nothing to be done here, or the finger slipped.
            self.page.wait_for_function(f"before => ({_SAID})() !== before", arg=before)
            return
        passing = self.page.locator(".controls >> text=Pass")
        if passing.count():  # Else a man was let go of who had been held before: the next try will move him.
            passing.click()

    def _said(self) -> str:
        """What stands beside the board. That a man cannot go there does not count: no move was made."""
        return str(self.page.evaluate(_SAID))

    def moves(self) -> list[str]:
        return [text.strip() for text in self.page.locator(".moves button").all_inner_texts()]

    def stands(self, cell: str, colour: str | None) -> None:
        """Wait until a piece of that colour stands there, or none: pieces take a moment to arrive."""
        for _ in range(100):
            if self.man(cell) == colour:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{self.man(cell)} stands on {cell}, not {colour}")

    def made(self, count: int) -> None:
        """Wait until so many moves have been made."""
        self.page.wait_for_selector(f'.moves [data-move="{count}"]')


Open = Callable[..., Window]
"""Opens a window of a size and a theme."""


@contextmanager
def browsing(folder: Path) -> Iterator[Any]:
    """What opens windows; none of them may have complained in the end."""
    with serving(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=_ARGUMENTS)
        yield lambda size="desktop", theme="light", owner=True: Window(browser, address, size, theme, owner)
        browser.close()
