"""The Analyse page: moves tried make variations, and the engine stays on."""

import pytest
from browsing import Open, Window, chromium
from playwright.sync_api import TimeoutError as Late

from rookery import players

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"


def load(me: Window, text: str) -> None:
    me.open("#/analyse")
    me.page.wait_for_selector(".stage .man")
    me.page.click(".more summary")
    me.page.fill("textarea", text)
    me.page.click("#load")


def try_out(me: Window, start: str, to: str, label: str) -> None:
    """Make a move that is none of the game's; again if the page had yet to hear what is legal there."""
    for _ in range(10):
        me.move(start, to)
        try:
            me.page.wait_for_selector(f".variation .here >> text={label}", timeout=2000)
        except Late:
            continue
        return
    raise AssertionError(f"{label} was not taken")


def main_line(me: Window) -> list[str]:
    return me.page.locator(".moves [data-move]").all_inner_texts()


def test_a_move_tried_keeps_the_rest_of_the_game(window: Open) -> None:
    me = window()
    load(me, GAME)
    me.made(6)
    assert me.page.evaluate("document.querySelector('.moves .here').dataset.move") == "6"
    me.page.click('.moves [data-move="3"]')
    me.page.wait_for_selector('.moves [data-move="3"].here')
    try_out(me, "g8", "f6", "Nf6")
    try_out(me, "f3", "e5", "Nxe5")
    assert main_line(me) == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]
    # Stepping goes back out of it, and on along the game.
    for _ in range(2):
        me.page.click("[aria-label=Back]")
    me.page.wait_for_selector('.moves [data-move="3"].here')
    me.page.keyboard.press("ArrowRight")
    me.page.wait_for_selector('.moves [data-move="4"].here')
    me.page.click(".variation >> text=Nxe5")
    me.page.click("#promote")
    me.page.wait_for_selector('.moves [data-move="5"].here')
    assert main_line(me) == ["e4", "e5", "Nf3", "Nf6", "Nxe5"]
    with me.page.expect_download() as saved:
        me.page.click("#save-analysis")
    assert "( 2... Nc6 3. Bb5 a6 )" in saved.value.path().read_text()
    me.page.click(".variation >> text=Bb5")
    me.page.wait_for_selector(".variation .here")
    me.page.click("#delete-variation")
    me.page.wait_for_selector(".variation", state="detached")
    assert main_line(me) == ["e4", "e5", "Nf3", "Nf6", "Nxe5"] and not me.faults


def test_the_engine_stays_on(window: Open) -> None:
    me = window()
    load(me, "r1b1k1nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 b kq - 0 21")
    me.page.wait_for_selector(".status >> text=Black to move")
    me.page.click("#think")
    # Black is mated in two, told from White's side; and that is the end of the thinking.
    me.page.wait_for_selector(".lines-of-thought b >> text=#2")
    me.page.wait_for_selector(".figures >> text=done")
    assert me.page.inner_text("#think") == "Stop engine"
    me.move("e8", "d8")
    me.page.wait_for_selector(".lines-of-thought li:nth-child(3)")
    assert me.page.get_attribute("#think", "aria-pressed") == "true"
    assert me.page.locator(".swatch.rank2").count() == 1
    me.page.click("[aria-label=Back]")
    me.page.wait_for_selector(".lines-of-thought li:only-child")
    me.page.click("#think")
    assert me.page.inner_text("#think") == "Start engine" and not me.faults


def test_the_game_of_a_text_is_recognised(window: Open) -> None:
    me = window("phone")
    load(me, "(;GM[1]SZ[9];B[ee];W[cc](;B[gg])(;B[cg]))")
    me.made(3)
    assert me.page.inner_text(".side h2").startswith("Go") and me.page.locator(".variation").count() == 1
    assert not me.faults
    me.page.fill("textarea", "  ")
    me.page.click("#load")
    me.page.wait_for_selector("text=there is nothing to read; paste an SGF")
    me.faults = [fault for fault in me.faults if "400" not in fault]  # The browser notes what was refused.


def test_playing_on_is_at_the_level_that_was_chosen(window: Open) -> None:
    me = window()
    load(me, GAME)
    me.made(6)
    level = me.page.locator("[aria-label='Level of your opponent']")
    level.select_option(label=level.locator("option", has_text="people rated 1300").inner_text())
    with me.page.expect_request("**/api/tables") as asked:
        me.page.click("#play-on")
    seats = asked.value.post_data_json["seats"]
    assert seats[0] == {"who": "me"} and seats[1]["player"] == players.rated("pikl+chess/human", 1300)
    me.status("Your move")


def test_a_whole_game_is_judged(window: Open) -> None:
    me = window()
    load(me, "1. f3 e5 2. g4 Qh4#")
    me.made(4)
    me.page.click("#review")
    me.page.wait_for_selector(".marked >> text=g4 ??")
    assert "Blunder" in me.page.inner_text(".marked li:has-text('g4')")
    me.page.wait_for_selector("#review >> text=Analyse whole game")
    me.page.click(".marked button >> text=g4")
    me.page.wait_for_selector('.moves [data-move="3"].here')
    assert not me.faults


def test_winning_chances_are_shown_where_there_are_no_pawns(window: Open) -> None:
    me = window()
    load(me, GAME)
    me.made(6)
    me.page.click("#think")
    me.page.wait_for_selector(".lines-of-thought b >> text=/^[^0-9#][0-9.]+$/")
    assert "Pawns" in me.page.inner_text(".legend")
    me.page.select_option("[aria-label=Player]", "uct")
    me.page.wait_for_selector(".lines-of-thought b >> text=/ %$/")
    assert "Winning chances of White" in me.page.inner_text(".legend") and not me.faults
