"""How soon the studio answers: from what a hand does to the painted frame that shows it.

    python bench/studio_interactions.py --rounds 7

A real Chromium is driven through every page. The page itself holds the watch: it begins with the time stamp
of the input event and stops after the first frame that was painted with the change in it. *answered* is the
first visible answer to the hand (a piece picked up, a move shown before the server has agreed, a button that
is busy); *done* is the whole of what was asked for, where that takes the server.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from shutil import which
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

from studio_server import TOKEN, start

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
WATCH = """
(done, finished) => {
  const events = ["pointerdown", "pointerup", "keydown", "click", "input", "change", "submit"];
  const times = [null, null], wanted = [done, finished];
  let began = null;
  const note = (event) => { if (event.isTrusted) began = event.timeStamp; };
  // The last input before the change counts: a click is a press, a release and a click.
  for (const kind of events) addEventListener(kind, note, { capture: true });
  return new Promise((settle) => {
    const look = () => {
      wanted.forEach((changed, index) => {
        if (began === null || times[index] !== null || !changed()) return;
        times[index] = NaN;
        const since = began;
        requestAnimationFrame(() => {
          const painted = new MessageChannel();
          painted.port1.onmessage = () => {
            times[index] = performance.now() - since;
            if (times.some((time) => time === null || Number.isNaN(time))) return;
            observer.disconnect();
            settle(times);
          };
          painted.port2.postMessage(0);
        });
        if (index === 0) for (const kind of events) removeEventListener(kind, note, { capture: true });
      });
    };
    const observer = new MutationObserver(look);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, all);
  });
}
"""


@dataclass
class Watch:
    """Times of all that was done, by what it was."""

    page: Page
    answered: dict[str, list[float]] = field(default_factory=dict)
    done: dict[str, list[float]] = field(default_factory=dict)

    def time(self, what: str, act: Callable[[], object], answer: str, done: str | None = None) -> None:
        """Do something and see how soon the page shows `answer`, a JavaScript condition, and then `done`."""
        before, after = f"() => ({answer})", f"() => ({done or answer})"
        if self.page.evaluate(before):
            sys.exit(f"{what}: what shall be the answer is there before anything was done")
        self.page.evaluate(f"() => {{ window.watched = ({WATCH})({before}, {after}); }}")
        act()
        first, last = self.page.evaluate("() => window.watched")
        self.answered.setdefault(what, []).append(first)
        if done:
            self.done.setdefault(what, []).append(last)


def has(selector: str) -> str:
    return f"document.querySelector('{selector}') !== null"


def status(words: str) -> str:
    return f"document.querySelector('#status')?.textContent.includes('{words}')"


def cell(page: Page, name: str) -> tuple[float, float]:
    box = page.locator(f'.stage [data-cell="{name}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Visit:
    """One person going through every page."""

    def __init__(self, browser: Browser, address: str, size: str) -> None:
        width, height = SIZES[size]
        self.address = address
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=size == "phone"
        )
        self.context.set_default_timeout(60_000)
        self.page = self.context.new_page()
        self.watch = Watch(self.page)
        self.page.goto(f"{address}?token={TOKEN}")

    def press(self, name: str) -> None:
        self.page.mouse.click(*cell(self.page, name))

    def open(self, place: str, wanted: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{place}")
        self.page.wait_for_selector(wanted)

    def table(self, game: str, players: list[str], start: str | None = None) -> None:
        """Sit down at a new table."""
        seats = [{"who": "me"} if who == "me" else {"who": "player", "player": who} for who in players]
        self.page.evaluate(
            """async (wish) => {
                const answer = await fetch("/api/tables", { method: "POST", body: JSON.stringify(wish),
                    headers: { "content-type": "application/json" } });
                const made = await answer.json();
                const all = JSON.parse(localStorage.getItem("rookery.tables") ?? "{}");
                all[made.id] = made;
                localStorage.setItem("rookery.tables", JSON.stringify(all));
                location.hash = `#/table/${made.id}`;
            }""",
            {"game": game, "seats": seats, "start": start},
        )
        self.page.wait_for_function(f"() => {has('#status:not(:empty)')} && {has('.stage [data-cell]')}")

    # --- the pages ----------------------------------------------------------------------------------------

    def home(self) -> None:
        page, time = self.page, self.watch.time
        self.open("#/", ".stage .man")
        pressed = '[data-family={}][aria-pressed="true"]'.format
        time("Play: choose another game", lambda: page.click("[data-family=go]"), has(pressed("go")))
        time("Play: and back", lambda: page.click("[data-family=chess]"), has(pressed("chess")))
        time(
            "Play: more options", lambda: page.click(".more summary"), has(".more[open]"), has("#start-this")
        )
        theme = page.evaluate("document.documentElement.dataset.theme ?? ''")
        other = f"(document.documentElement.dataset.theme ?? '') !== '{theme}'"
        time("light or dark", lambda: page.click("#theme"), other)
        heard = page.get_attribute("#sound", "aria-pressed")
        sound = f"document.querySelector('#sound').ariaPressed !== '{heard}'"
        time("sound", lambda: page.click("#sound"), sound)
        page.click("#sound")
        time(
            "Play: press Play",
            lambda: page.click("#play"),
            has("#play[aria-busy]"),
            has("#status:not(:empty)"),
        )
        self.open("#/", ".stage .man")
        time("Play: pick up a piece", lambda: self.press("e2"), has(".above .target"))
        time("Play: first move", lambda: self.press("e4"), has(".mark.last"), has(".moves button"))

    def chess(self) -> None:
        page, time = self.page, self.watch.time
        self.table("chess", ["me", "me"])
        page.mouse.move(*cell(page, "e2"))
        time("chess: pick up, targets shown", page.mouse.down, has(".above .target"))
        page.mouse.move(*cell(page, "e4"), steps=4)
        time("chess: drop it", page.mouse.up, has(".mark.last"), has(".moves button"))
        page.wait_for_function(f"() => {status('Black to move')}")
        page.focus("svg.board")
        self.press("e7")
        for key in ("ArrowDown", "ArrowDown"):
            page.keyboard.press(key)
        keyed = "document.querySelectorAll('.above .target').length === 0"
        time("chess: move by keys", lambda: page.keyboard.press("Enter"), keyed, has('[data-move="2"]'))
        side = page.evaluate("document.querySelector('.labels text').outerHTML")
        turned = f"document.querySelector('.labels text')?.outerHTML !== {side!r}"
        time("chess: turn the board", lambda: page.click(".controls >> text=Flip"), turned)
        page.evaluate("document.activeElement.blur()")
        back = 'document.querySelector(\'[data-move="1"]\').className === "here"'
        men = "document.querySelector('.mark.last').getAttribute('points')"
        then = page.evaluate(men)
        time("chess: look back", lambda: page.keyboard.press("ArrowLeft"), back, f"{men} !== '{then}'")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector('[data-move="2"].here')
        undone = '[data-move="2"]'
        gone = f"document.querySelector('{undone}') === null"
        busy = f"{has('.controls [aria-busy]')} || {gone}"
        time("chess: undo", lambda: page.click(".controls >> text=Undo"), busy, gone)
        typed = "document.querySelector('.typed input').value === ''"
        page.fill(".typed input", "c5")
        time("chess: type a move", lambda: page.press(".typed input", "Enter"), typed, has(undone))
        sure = "document.querySelector('.controls [data-resign]')?.textContent === 'Really resign?'"
        time("chess: resign, asked again", lambda: page.click("text=Resign"), sure)
        self.table("chess", ["me", "me"], "7k/P7/6K1/8/8/8/8/8 w - - 0 1")
        self.press("a7")
        time("chess: promotion is asked for", lambda: self.press("a8"), has(".choice"))

    def others(self) -> None:
        page, time = self.page, self.watch.time
        self.table("go9", ["me", "me"])
        page.wait_for_selector(".stage [data-cell=E5]")
        time("Go: a stone", lambda: self.press("C3"), has(".stage .man"), has('[data-move="1"]'))
        self.table("kriegspiel", ["me", "sergeant"])
        self.press("e2")
        time("Kriegspiel: a try", lambda: self.press("e4"), has(".mark.last"), has(".referee li"))
        self.table("duchess4", ["me"] * 4)
        time("Duchess: pick up, targets shown", lambda: self.press("1b2"), has(".above .target"))
        time("Duchess: a move", lambda: self.press("1c4"), has(".mark.last"), has('[data-move="1"]'))

    def analyse(self) -> None:
        page, time = self.page, self.watch.time
        fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
        self.open(f"#/analyse/position/chess/{quote(fen, safe='')}", ".stage .man")
        page.wait_for_selector("#think")
        self.press("f1")
        time("Analyse: try a move", lambda: self.press("b5"), has(".mark.last"), has('[data-move="1"]'))
        time(
            "Analyse: start engine",
            lambda: page.click("#think"),
            has('#think[aria-pressed="true"]'),
            has(".lines-of-thought li"),
        )
        time("Analyse: stop engine", lambda: page.click("#think"), has('#think[aria-pressed="false"]'))
        still = "document.querySelector('[data-move=\"1\"]').className"
        time("Analyse: step back", lambda: page.click("[aria-label=Back]"), f"{still} !== 'here'")
        time(
            "Analyse: static evaluation",
            lambda: page.click("#see"),
            has("#see[aria-busy]"),
            has(".reasons h3"),
        )
        self.open("#/analyse/edit/chess", ".stage .man")
        time(
            "Editor: choose a piece",
            lambda: page.click('[aria-label="White Queen"]'),
            has('[aria-label="White Queen"][aria-pressed="true"]'),
        )
        count = "document.querySelectorAll('.stage .man').length"
        time("Editor: put it down", lambda: self.press("e4"), f"{count} === 33")

    def pages(self) -> None:
        self.open("#/", ".stage .man")
        for name, sign in (
            ("analyse", "#think"),
            ("arena", "#start-contest"),
            ("train", "#start-run"),
            ("papers", ".page-papers h1"),
            ("play", "#play"),
        ):
            self.watch.time(
                f"open {name.capitalize()}",
                lambda name=name: self.page.click(f"nav [data-page={name}]"),
                has(f'nav [data-page={name}][aria-current="page"]'),
                has(sign),
            )
        self.page.click("nav [data-page=arena]")
        self.page.wait_for_selector("#start-contest")
        rows = self.page.locator(".stack input").count()
        self.watch.time(
            "Arena: add a player",
            lambda: self.page.click("#add-player"),
            f"document.querySelectorAll('.stack input').length > {rows}",
        )


def report(watch: Watch) -> int:
    """Prints the table; gives how many answers took more than 100 ms in the middle."""
    print("| what | answered | worst | done | worst |\n|---|---|---|---|---|")
    slow = 0
    for what, times in watch.answered.items():
        row = [what, f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms"]
        done = watch.done.get(what)
        row += [f"{statistics.median(done):.0f} ms", f"{max(done):.0f} ms"] if done else ["", ""]
        print(f"| {' | '.join(row)} |")
        slow += statistics.median(times) > 100
    return slow


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", choices=SIZES, default="desktop")
    asked = parser.parse_args()
    program = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, port = start(folder, "--data", f"{folder}/data")
        address = f"http://localhost:{port}/"
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        try:
            visit = Visit(browser, address, asked.size)
            for _ in range(asked.rounds):
                for page in (visit.home, visit.chess, visit.others, visit.analyse, visit.pages):
                    page()
        finally:
            browser.close()
            process.terminate()
            process.wait()
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{asked.rounds} rounds, {asked.size}; {os.cpu_count()} cores, load {load}")
    slow = report(visit.watch)
    sys.exit(f"{slow} answers took more than 100 ms" if slow else 0)


if __name__ == "__main__":
    main()
