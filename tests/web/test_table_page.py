"""Comforts at the table, as somebody plays there."""

import pytest
from browsing import Open, Window, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")


def say(me: Window, text: str) -> None:
    """Type a move."""
    me.page.fill(".typed input", text)
    me.page.press(".typed input", "Enter")


def test_kriegspiel_by_typing_and_with_two_people_at_one_screen(window: Open) -> None:
    me = window()
    me.begin("kriegspiel", ["me", "me"])
    me.status("Your move")
    say(me, "e4")
    me.status("Black to move: press Switch player")
    assert "1. You: e2-e4" in me.page.inner_text(".referee")
    me.page.click(".controls >> text=Switch player")
    me.page.click(".curtain >> text=I'm Black")
    me.status("Your move")
    say(me, "Nc6")
    me.status("White to move: press Switch player")
    assert "1. You: Nb8-c6" in me.page.inner_text(".referee")


def test_a_refused_try_says_which_piece_tried(window: Open) -> None:
    me = window()
    me.begin("kriegspiel", ["me", "random"], "4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1")
    say(me, "Ra2")
    me.status("Ra1-a2 was refused")
    assert me.page.inner_text(".referee .no") == "1. You tried Ra1-a2: refused."
    assert me.page.locator(".refused-way").count() == me.page.locator(".refused").count() == 1


def test_duchess_marks_and_tells_what_all_others_have_moved(window: Open) -> None:
    me = window()
    me.begin("duchess", ["me", "random", "random", "random"])
    me.move("1b2", "1c4")
    me.made(4)
    me.status("Your move")
    told = me.page.inner_text(".notes")
    for name, move in zip(("Green", "Yellow", "Blue"), me.moves()[1:4], strict=True):
        assert f"{name} {move}" in told
        assert me.page.locator(f'.moves [aria-label="{name}: {move}"]').count() == 1
    marked = me.page.locator(".below .mark.last").count()
    assert marked >= 6


@pytest.mark.parametrize(
    ("family", "text", "words"),
    [
        ("chess", "Ke5", "Ke5 is not a legal move"),
        ("chess", "hello", "cannot read 'hello' as a move"),
        ("kriegspiel", "Qd5", "Qd5 is not a legal move"),
    ],
)
def test_a_move_that_cannot_be_played_is_answered_in_plain_words(
    window: Open, family: str, text: str, words: str
) -> None:
    me = window()
    me.begin(family, ["me", "me"])
    say(me, text)
    me.page.wait_for_function("words => document.body.innerText.includes(words)", arg=words)


def test_what_cannot_be_done_is_said_beside_the_board(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "me"])
    me.drag("g1", "g3")
    me.page.wait_for_selector("#complaint:has-text('g1, White Knight: it cannot go to g3')")
    for text in ("Ke5", "Qd4", "Rh5"):
        say(me, text)
        me.page.wait_for_selector(f"#complaint:has-text('{text}')")
    assert me.page.locator(".toast").count() == 0
    say(me, "e4")
    me.made(1)
    me.page.wait_for_selector("#complaint", state="hidden")
    me.begin("chess", ["me", "me"], "4k3/8/8/8/8/8/P7/r3K3 w - - 0 1")
    me.press("a2")
    me.page.wait_for_selector("#complaint:has-text('it has no legal move: your King is in check')")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_passing_messages_stay_off_the_board_and_on_their_page(window: Open, size: str) -> None:
    me = window(size)
    me.open()
    me.page.wait_for_selector(".stage .man")
    me.page.click(".more summary")
    me.page.fill(".more textarea", "nonsense")
    for _ in range(3):
        me.page.click("#start-this")
        me.page.wait_for_selector(".toast")
    me.page.wait_for_timeout(200)
    assert me.page.locator(".toast").count() == 1
    me.faults = [fault for fault in me.faults if "400" not in fault]  # The browser notes what was refused.
    me.page.evaluate("scrollTo(0, 0)")
    toast, board = (
        me.page.locator(".toast").bounding_box(),
        me.page.locator(".stage svg.board").bounding_box(),
    )
    assert toast and board and toast["y"] + toast["height"] <= board["y"] and toast["x"] >= 0
    me.open("#/papers")
    me.page.wait_for_selector(".page-papers h1")
    assert me.page.locator(".toast").count() == 0


def test_a_refused_try_before_resigning_is_no_move(window: Open) -> None:
    me = window()
    me.begin("kriegspiel", ["me", "random"], "4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1")
    say(me, "Ra2")
    me.status("was refused")
    me.page.click(".controls >> text=Resign")
    me.page.click(".controls >> text=Really resign?")
    me.status("You lose")
    me.page.wait_for_selector(".truth")
    assert me.moves() == [] and not me.page.locator(".below .mark.last").count()


def test_an_own_name_is_not_the_opponent(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "open"])
    me.page.fill(".naming input", "Ada")
    me.page.press(".naming input", "Tab")
    me.page.wait_for_selector(".plate >> text=Ada (you)")
    me.begin("chess", ["me", "random"])
    me.status("Your move")
    me.open()
    assert me.page.inner_text(".recent .card >> nth=0").splitlines()[1] == "Opponent: Random mover"


def test_friends_have_names_hear_answers_and_see_each_other_leave(window: Open) -> None:
    white, black = window(), window()
    white.begin("chess", ["me", "open"])
    link = white.page.get_attribute(".plate [data-link]", "data-link")
    assert link
    black.page.goto(link)
    white.status("Your move")
    assert "Anonymous" in white.page.inner_text(".stage") and "Somebody" not in white.page.inner_text("body")
    black.page.fill(".naming input", "Ada")
    black.page.press(".naming input", "Tab")
    white.page.wait_for_selector(".plate >> text=Ada")
    black.page.wait_for_selector(".plate >> text=Ada (you)")
    white.page.click(".controls >> text=Offer draw")
    black.page.click(".offer >> text=Decline")
    white.page.wait_for_selector(".offer:has-text('Black declined the draw.')")
    black.open("#/papers")
    white.page.wait_for_selector(".plate >> text=away")
    black.page.goto(link.split("/join")[0])
    white.page.wait_for_selector(".plate >> text=away", state="detached")
    black.page.wait_for_selector(".plate >> text=Ada (you)")


def test_looking_back_by_keys_and_buttons(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "me"], "e4 e5 Nf3 Nc6")
    me.made(4)
    me.page.keyboard.press("Home")
    me.status("Viewing move 0 of 2")
    me.stands("e2", "white")
    me.page.click("[aria-label=Forward]")
    me.status("Viewing move 1 of 2")
    me.page.keyboard.press("End")
    me.status("White to move")
    me.page.click("[aria-label='First position']")
    me.status("Viewing move 0")
    me.page.click("[aria-label='Back to the game']")
    me.status("White to move")


def test_the_page_fits_the_window_and_its_controls_stay(window: Open) -> None:
    me = window()
    me.page.set_viewport_size({"width": 1440, "height": 900})
    me.begin("chess", ["me", "me"])
    me.page.wait_for_selector(".stage .man")
    before = me.page.locator(".typed").bounding_box()
    assert me.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    say(me, "e4")
    me.made(1)
    say(me, "e5")
    me.made(2)
    after = me.page.locator(".controls >> text=Resign").bounding_box()
    say(me, "Nf3")
    me.made(3)
    assert before and me.page.locator(".controls >> text=Resign").bounding_box() == after


def test_promotion_is_asked_for_at_its_square(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "me"], "7k/P7/6K1/8/8/8/8/8 w - - 0 1")
    me.move("a7", "a8")
    choice, cell = (me.page.locator(where).bounding_box() for where in (".choice", '.stage [data-cell="a8"]'))
    assert choice and cell
    assert choice["x"] <= cell["x"] + cell["width"] and 0 <= choice["y"] - cell["y"] - cell["height"] < 20
    me.begin("duchess", ["me"] * 4, "4 t1 q0 | K1c1 W1b1 P1a1 | K2c1 | K4c1 W4c6 | K5c1")
    me.move("1a1", "V")
    choice, cell = (me.page.locator(where).bounding_box() for where in (".choice", '.stage [data-cell="V"]'))
    assert choice and cell and choice["y"] >= cell["y"] + cell["height"]  # the Vortex itself is not covered


def test_a_hint_the_material_and_a_rematch(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "random"], "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    assert me.page.inner_text(".material b") == "+9"
    me.page.click(".controls >> text=Hint")
    me.status("Hint: Qg7#")
    assert me.page.locator(".arrow").count() == 1
    say(me, "Qg7")
    me.status("White wins: checkmate. You win!")
    me.page.click(".controls >> text=Rematch")
    me.status("White is thinking")
    assert "Random mover White" in me.page.inner_text(".stage") and me.man("g5") == "white"


def test_friends_play_again(window: Open) -> None:
    white, black = window(), window()
    white.begin("chess", ["me", "open"])
    link = white.page.get_attribute(".plate [data-link]", "data-link")
    assert link
    black.page.goto(link)
    white.status("Your move")
    white.page.click("text=Resign")
    white.page.click("text=Really resign?")
    white.page.click(".controls >> text=Rematch")
    black.page.click(".controls >> text=Join the rematch")
    black.status("Your move")  # the colours have changed
    white.status("White to move")


@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_what_can_be_known_is_shown_on_request(window: Open, size: str, theme: str) -> None:
    me = window(size, theme)
    me.begin("kriegspiel", ["me", "me"])
    shows = "[aria-label='What the heat map shows']"

    def switch() -> None:
        me.page.click("button:has-text('Switch player')")
        me.page.click(".curtain button")

    me.move("e2", "e4")
    me.status("Switch player")
    switch()
    me.status("Your move")
    me.move("d7", "d5")
    me.status("Switch player")
    switch()
    me.page.wait_for_selector(".referee li:has-text('1 pawn try')")
    assert not me.page.locator(".stage [data-heat]").count() and not me.page.locator(".follows").count()
    me.page.select_option(shows, "king")
    me.page.wait_for_selector("[data-heat=e8]", state="attached")
    me.page.click("text=What follows?")
    me.page.wait_for_selector(".follows:has-text('Of e4xd5, e4xf5, 1 is legal.')")
    me.page.click("button:has-text('Pawn tries')")
    me.page.wait_for_selector(".arrows .arrow >> nth=1", state="attached")
    me.page.click("[data-resign]")
    me.page.click("[data-resign]")
    me.page.wait_for_selector(".truth")
    assert not me.page.locator(".stage [data-heat]").count()
    me.page.select_option(f".truth {shows}", "any")
    me.page.wait_for_selector(".truth [data-heat]", state="attached")
    me.page.click(".truth [aria-label='The start']")
    me.page.wait_for_selector(".truth p:has-text('The start')")
    assert not me.faults
