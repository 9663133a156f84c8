"""Renews docs/images: takes Chromium through the studio. `python tools/screenshots.py [FOLDER]`.

Needs what the browser tests need: a Chromium, playwright, and the package with its `web` and `nets` extras.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "web"), str(ROOT / "tests")]

from browsing import Window, browsing  # noqa: E402  (lies beside the tests)

IMMORTAL = (
    "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6"
    " 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2"
    " 18. Bd6 Bxg1"
)
SCHOLARS_MATE = (
    *(("e2", "e4"), ("e7", "e5"), ("f1", "c4"), ("b8", "c6")),
    *(("d1", "h5"), ("g8", "f6"), ("h5", "f7")),
)


def first_page(me: Window, path: Path) -> None:
    me.open()
    me.page.wait_for_selector(".stage .man")
    me.page.screenshot(path=path)


def duchess(me: Window, path: Path) -> None:
    me.begin("duchess", ["me", *["random"] * 3])
    rng = random.Random(7)
    for move in range(1, 6):
        me.random_move(rng)
        me.made(4 * move)
    me.page.screenshot(path=path)


def analysis(me: Window, path: Path) -> None:
    me.open("#/analyse")
    me.page.wait_for_selector(".stage .man")
    me.page.click(".more summary")
    me.page.fill("textarea", IMMORTAL)
    me.page.click("#load")
    me.made(36)
    me.page.click(".more summary")
    me.page.click("#think")
    me.page.wait_for_selector(".lines-of-thought li:nth-child(3)")
    me.page.wait_for_timeout(3000)
    me.page.evaluate("scrollTo(0, 0)")
    me.page.screenshot(path=path)


def kriegspiel(me: Window, path: Path, other: Window) -> None:
    """When it is over: what either side saw and believed, and the truth."""
    me.page.set_viewport_size({"width": 960, "height": 1080})
    me.begin("kriegspiel", ["me", "open"])
    other.page.goto(str(me.page.get_attribute(".plate [data-link]", "data-link")))
    for number, step in enumerate(SCHOLARS_MATE):
        mover = (me, other)[number % 2]
        mover.status("Your move")
        mover.move(*step)
    me.page.wait_for_selector(".three .man")
    me.page.select_option(".truth .heat-choice select", "any")
    me.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    me.page.wait_for_timeout(500)
    me.page.screenshot(path=path)


def phone(me: Window, path: Path) -> None:
    me.begin("go", ["me", "uct:level=2"], game="go9")
    for number, point in enumerate(("E5", "C3", "G7", "C7"), 1):
        me.press(point)
        me.made(2 * number)
    me.page.evaluate("scrollTo(0, 0)")
    me.page.screenshot(path=path)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    with TemporaryDirectory() as studio, browsing(Path(studio)) as opening:
        first_page(opening(), folder / "studio-chess.png")
        duchess(opening(), folder / "studio-duchess.png")
        analysis(opening(), folder / "studio-analyse.png")
        kriegspiel(opening(), folder / "studio-kriegspiel.png", opening())
        phone(opening("phone"), folder / "studio-phone.png")


if __name__ == "__main__":
    main()
