"""Fingers on small squares: a board on a phone can be enlarged, and panning it moves no men."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Window, browsing, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
FINGER = 24
"""Pixels that a target must have: WCAG 2.2, success criterion 2.5.8."""


CONTROL = 44
"""And those that are not on a board: success criterion 2.5.5."""


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    with browsing(tmp_path_factory.mktemp("touch")) as opening:
        window: Window = opening("phone")
        yield window
        assert not window.faults


@pytest.fixture
def me(phone: Window) -> Window:
    """At a table of Duchess with the whole board in sight."""
    phone.open()
    phone.page.evaluate("localStorage.clear()")
    phone.begin("duchess", ["me"] * 4)
    phone.page.wait_for_selector("text=Enlarge")
    return phone


def smallest(me: Window) -> float:
    """How wide the widest circle is that fits into each square, of the smallest one."""
    found: Any = me.page.locator(".stage .cell").evaluate_all("""cells => Math.min(...cells.map((cell) => {
        const box = cell.getBoundingClientRect(), middle = [box.x + box.width / 2, box.y + box.height / 2];
        const matrix = cell.getScreenCTM();
        const edges = [...cell.points].map((point) => point.matrixTransform(matrix));
        return 2 * Math.min(...edges.map((edge) => Math.hypot(edge.x - middle[0], edge.y - middle[1])));
    }))""")
    return float(found)


def fingers(me: Window, *path: list[tuple[float, float]]) -> None:
    """Put fingers down, move them along and lift them, one list of places each moment."""
    session = me.context.new_cdp_session(me.page)
    for moment, places in enumerate(path):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        kind = "touchMove" if moment else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def place(me: Window, cell: str) -> tuple[float, float]:
    box = me.page.locator(f'.stage [data-cell="{cell}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def enlarged(me: Window, yes: bool = True) -> None:
    me.page.wait_for_selector(".stage .board-frame.enlarged" if yes else ".stage .board-frame:not(.enlarged)")


def test_enlarged_squares_are_wide_enough(me: Window) -> None:
    assert smallest(me) < FINGER
    me.page.tap("text=Enlarge")
    enlarged(me)
    assert smallest(me) >= FINGER
    assert me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Whoever enlarges it sees a man that can move, not the middle of the board.
    box = me.page.locator(".stage .pan").bounding_box()
    at = place(me, "1a3")
    assert box and box["x"] < at[0] < box["x"] + box["width"] and box["y"] < at[1] < box["y"] + box["height"]
    me.move("1b2", "1c4")
    me.made(1)
    me.page.reload()
    me.made(1)
    enlarged(me)  # as it was left
    me.page.tap("text=Whole board")
    enlarged(me, False)


def test_two_taps_and_two_fingers(me: Window) -> None:
    at = place(me, "V")
    for yes in (True, False):
        me.page.touchscreen.tap(*at)
        me.page.touchscreen.tap(*at)
        enlarged(me, yes)
    x, y = at
    fingers(me, *([(x - away, y), (x + away, y)] for away in (30, 50, 70, 90)))
    enlarged(me)
    assert smallest(me) >= FINGER
    fingers(me, *([(x - away, y), (x + away, y)] for away in (90, 60, 40, 20)))
    enlarged(me, False)
    assert not me.moves()


def test_a_pinch_or_a_pan_moves_nobody(me: Window) -> None:
    me.press("1b2")
    x, y = place(me, "1c4")  # where the man could go
    fingers(me, *([(x, y), (x + away, y - away)] for away in (40, 60, 90)))
    enlarged(me)
    assert me.page.locator(".target").count() and not me.moves()
    x, y = place(me, "1c4")
    # Sideways, where there is the most to see.
    before = me.page.evaluate("document.querySelector('.stage .pan').scrollLeft")
    fingers(me, *([(x + away, y)] for away in (0, 15, 40, 80)))
    me.page.wait_for_function(
        "before => document.querySelector('.stage .pan').scrollLeft !== before", arg=before
    )
    assert me.page.locator(".target").count() and not me.moves()
    me.press("1c4")
    me.made(1)


def test_boards_with_wide_squares_are_left_alone(phone: Window) -> None:
    phone.begin("chess", ["me", "me"])
    phone.page.wait_for_selector(".stage .man")
    assert smallest(phone) >= FINGER and not phone.page.is_visible("text=Enlarge")


@pytest.mark.parametrize("place", ["#/", "#/analyse", "#/arena", "#/train", "#/papers", "#/library", "table"])
def test_controls_are_wide_enough_for_a_finger(phone: Window, place: str) -> None:
    if place == "table":
        phone.begin("duchess", ["me", *["random"] * 3])
        phone.page.wait_for_selector(".controls >> text=Rules")
    else:
        phone.page.goto(phone.address + place)
        phone.page.wait_for_selector("main:not([aria-busy]) h1", state="attached")
    small: Any = phone.page.evaluate(
        """least => [...document.querySelectorAll('button, a, select, input, textarea, summary')]
            .filter((one) => one.offsetParent && !one.matches('.skip, p a:not(:only-child)'))
            .map((one) => [one.innerText || one.ariaLabel, one.getBoundingClientRect()])
            .filter(([, box]) => Math.min(box.width, box.height) < least - 0.5)
            .map(([words]) => words)""",
        CONTROL,
    )
    assert not small


def test_the_bar_of_pages_hides_nothing_at_the_end_of_a_page(phone: Window) -> None:
    phone.begin("kriegspiel", ["me", "sergeant"])
    phone.page.wait_for_selector(".side >> text=What follows?")
    phone.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    phone.page.wait_for_function(
        """() => document.querySelector('.side').getBoundingClientRect().bottom
            <= document.querySelector('nav').getBoundingClientRect().top"""
    )
