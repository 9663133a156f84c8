"""Games through the page, as people play them."""

import random
from typing import Any

import pytest
from browsing import Open, Window, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_first_move_begins_a_game(window: Open, size: str) -> None:
    me = window(size)
    me.open()
    me.page.wait_for_selector(".stage .man")
    if size == "phone":
        me.move("e2", "e4")
    else:
        me.drag("e2", "e4")
    me.made(2)
    assert me.moves()[0] == "e4" and me.man("e4") == "white" and me.man("e2") is None
    me.status("Your move")
    # The page comes back with everything, and the game goes on.
    me.page.reload()
    me.made(2)
    me.move("g1", "f3")
    me.made(4)
    me.page.click("text=Undo")
    me.page.wait_for_selector('.moves [data-move="3"]', state="detached")
    me.page.fill(".typed input", "d4")
    me.page.press(".typed input", "Enter")
    me.made(4)
    assert me.moves()[2] == "d4"
    me.page.click("text=Resign")
    me.page.click("text=Really resign?")
    me.status("Black wins: White resigned. You lose.")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_chess_to_mate_with_promotion(window: Open, size: str) -> None:
    me = window(size)
    me.begin("chess", ["me", "me"], "7k/P7/6K1/8/8/8/8/8 w - - 0 1")
    me.press("a7")
    assert me.page.locator(".target").count() == 1
    me.press("a8")
    me.page.click(".choice [data-promotion=Q]")
    me.status("White wins: checkmate.")
    assert me.moves() == ["a8=Q#"] and me.man("a8") == "white"


def test_chess_by_keys_alone(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "me"])
    me.page.focus("svg.board")

    def go(keys: str) -> None:
        for key in keys.split():
            me.page.keyboard.press(
                {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}.get(key, "Enter")
            )

    live = me.page.locator("#live")
    me.press("h8")  # nothing to move there, but the cursor is there now
    me.page.focus("svg.board")
    go("d d d d d d l l")
    assert "f2, White Pawn" in live.inner_text()
    go("x u x")
    me.made(1)
    assert me.moves() == ["f3"]


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_go_with_a_capture_a_ko_and_the_count(window: Open, size: str) -> None:
    me = window(size)
    me.begin("go", ["me", "me"], game="go5")
    for count, point in enumerate(["B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2"], 1):
        me.press(point)
        me.made(count)
    assert me.man("C2") is None and me.man("B2") == "white"  # White took one at C2,
    assert "not at C2" in me.page.inner_text(".notes")  # which Black may not take back at once.
    me.press("C2")
    me.press("E5")
    me.made(9)
    assert me.moves()[-1] == "E5" and me.man("C2") is None
    for count in (10, 11):
        me.page.click(".controls >> text=Pass")
        me.made(count)
    me.status("Which stones are dead?")
    me.page.wait_for_selector("#agree")
    assert "leads by" in me.page.inner_text(".count .points")
    before = me.page.locator(".man.dead").count()
    me.press("E5")  # the lone stone is dead, or alive after all
    me.page.wait_for_function(
        "before => document.querySelectorAll('.man.dead').length !== before", arg=before
    )
    me.page.reload()
    me.page.wait_for_selector("#agree")
    assert me.page.locator(".man.dead").count() != before
    me.page.click("#resume")
    me.page.wait_for_selector("#agree", state="detached")
    assert len(me.moves()) == 9
    for count in (10, 11):
        me.page.click(".controls >> text=Pass")
        me.made(count)
    me.page.wait_for_selector("#agree")
    me.page.focus("svg.board")
    me.page.keyboard.press("Enter")  # shows the cursor; marking by keys is the same tap
    me.page.click("#agree")
    me.status("wins by")
    assert "Captures: Black 0, White 1 · komi 0.5 · Chinese rules" in me.page.inner_text(".notes")
    assert me.page.locator(".land").count() > 0


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_kriegspiel_in_two_browsers(window: Open, size: str) -> None:
    white, black = window(size), window("desktop")
    white.begin("kriegspiel", ["me", "open"])
    white.status("Waiting")
    link = white.page.get_attribute(".plate [data-link]", "data-link")
    assert link
    black.page.goto(link)
    white.status("Your move")
    black.status("White to move")
    assert {black.man("e7"), black.man("e2")} == {"black", None}
    white.move("e2", "e4")
    black.status("Your move")
    black.move("e7", "e5")
    white.status("Your move")
    white.move("e4", "e5")  # which is not free
    white.page.wait_for_selector(".referee .no")
    assert white.page.inner_text(".referee .no") == "2. You tried e4-e5: refused."
    white.status("e4-e5 was refused")
    assert white.page.locator(".refused").count() == 1
    assert black.page.locator(".referee .no").count() == 0
    for mine, theirs in ((("f1", "c4"), ("b8", "c6")), (("d1", "h5"), ("g8", "f6")), (("h5", "f7"), None)):
        white.move(*mine)
        if theirs:
            black.status("Your move")
            black.move(*theirs)
            white.status("Your move")
    for one in (white, black):
        one.status("checkmate")
        one.page.wait_for_selector(".three .man")
    assert white.page.locator(".three figure:nth-child(2) .man").count() == 31
    assert white.page.inner_text(".scrub p") == "4. White played Qh5-f7"
    assert white.page.locator(".three figure:nth-child(1) .man").count() == 16


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_duchess_teleports_promotes_and_wins(window: Open, size: str) -> None:
    me = window(size)
    me.begin("duchess", ["me"] * 4, "4 t1 q0 | K1c1 W1b1 P1a1 | K2c1 | K4c1 W4c6 | K5c1")
    me.press("1a1")
    assert me.page.locator(".target.teleport").count() > 5
    me.press("V")
    assert me.page.locator(".choice [data-promotion]").count() == 7
    me.page.click(".choice [data-promotion=F]")
    me.made(1)
    assert me.moves() == ["P1a1~V=F"] and me.man("V") == "red"
    me.begin("duchess", ["me"] * 4, "4 t1 q0 | K1e1 Q2b2 R2c4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3")
    me.move("2c4", "2b4")
    me.status("Red and Yellow win")


def test_two_browsers_in_one_game_of_duchess(window: Open) -> None:
    red, green = window("desktop"), window("phone")
    red.begin("duchess", ["me", "open", "random", "random"])
    link = red.page.get_attribute(".crew [data-link]", "data-link")
    assert link
    green.page.goto(link)
    red.status("Your move")
    red.move("1b2", "1c4")
    green.status("Your move")
    green.move("2c3", "2c4")
    for one in (red, green):
        one.made(4)
    assert red.moves()[:2] == ["N1b2-1c4", "P2c3-2c4"] == green.moves()[:2]
    assert red.man("2c4") == green.man("2c4") == "green"


def test_analysis_of_a_game(window: Open) -> None:
    me = window()
    table = me.begin("chess", ["me", "me"], "e4 e5 Nf3 Nc6")
    me.page.click("text=Analyse >> nth=-1")
    me.page.wait_for_url(f"**/#/analyse/table/{table}")
    me.made(4)
    me.page.click("#think")
    me.page.wait_for_selector(".lines-of-thought li:nth-child(3)")
    me.page.wait_for_selector(".arrow")
    me.page.click("[aria-label=Back]")
    me.page.wait_for_selector('.moves [data-move="3"].here')
    me.press("a7")
    me.press("a6")
    me.page.wait_for_function(
        "() => [...document.querySelectorAll('.moves button')].at(-1).textContent === 'a6'"
    )


def test_a_position_set_up_by_hand(window: Open) -> None:
    me = window()
    me.open("#/analyse/edit/chess")
    me.page.click("text=Empty")
    for man, cell in (("White King", "e1"), ("Black King", "e8"), ("White Rook", "h1")):
        me.page.click(f'[aria-label="{man}"]')
        me.press(cell)
    # A position as text appears on the board, and the next piece put down goes on from there.
    me.page.fill("[aria-label='Position as text']", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    me.page.press("[aria-label='Position as text']", "Tab")
    me.page.wait_for_function("() => document.querySelectorAll('.stage .man').length === 3")
    me.page.click('[aria-label="White Pawn"]')
    me.press("a2")
    me.page.click(".side >> text=Play from here")
    me.status("Your move")
    assert me.man("a2") == "white"
    me.move("e1", "g1")
    me.page.wait_for_selector('.moves [data-move="1"] >> text=O-O')


@pytest.mark.slow
def test_a_match_in_the_arena(window: Open) -> None:
    me = window("phone")
    me.open("#/arena")
    me.page.select_option("section select >> nth=0", "go5")
    me.page.wait_for_selector(".seat-row option[value='player gojen']", state="attached")
    me.page.select_option(".seat-row select >> nth=0", "player random")
    me.page.select_option(".seat-row select >> nth=1", "expert")
    me.page.fill(".seat-row >> nth=1 >> input", "rollouts:games=1")
    me.page.click("#add-player")  # nobody, unless somebody is chosen
    me.page.fill("input[type=number]", "2")
    me.page.click("#start-contest")
    me.page.wait_for_selector("text=2 of 2 games", timeout=60_000)
    assert "Random mover against Random playouts (games 1)" in me.page.inner_text("main")
    assert "rollouts:games=1" not in me.page.inner_text("main")  # for experts, and folded
    me.page.click("text=Game 1")
    me.page.wait_for_selector(".moves button")


def serious(me: Window, place: str) -> list[str]:
    """What would shut somebody out of a page."""
    from axe_playwright_python.sync_playwright import Axe

    me.open(place)
    me.page.wait_for_selector("main h1", state="attached")
    me.page.wait_for_timeout(300)
    found = Axe().run(me.page).response["violations"]
    grave = [fault for fault in found if fault["impact"] in ("serious", "critical")]
    return [
        f"{place}: {fault['id']} {[node['html'][:150] for node in fault['nodes'][:3]]}" for fault in grave
    ]


def test_an_address_from_former_days_still_opens_its_page(window: Open) -> None:
    me = window()
    me.open("#/raise")
    me.page.wait_for_selector("nav a[data-page=train][aria-current=page]")


def test_axe_finds_nothing_serious_at_first(window: Open) -> None:
    assert not serious(window(), "#/")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_axe_finds_nothing_serious(window: Open, size: str, theme: str) -> None:
    me = window(size, theme)
    table = me.begin("kriegspiel", ["me", "sergeant"])
    places = [
        "#/",
        "#/analyse",
        "#/analyse/edit/duchess4",
        "#/arena",
        "#/train",
        "#/papers",
        "#/library",
        f"#/table/{table}",
    ]
    assert not [fault for place in places for fault in serious(me, place)]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("game", ["chess", "kriegspiel", "go5", "duchess4"])
def test_whole_games_against_players(window: Open, game: str, size: str) -> None:
    """From the first page to the end, by nothing but presses on the board."""
    me = window(size)
    family = next(word for word in ("chess", "kriegspiel", "go", "duchess") if game.startswith(word))
    players = {"chess": "alphabeta:level=4+classical", "kriegspiel": "sergeant"}
    seats = ["me", *[players.get(game, "uct:level=1")] * (3 if game == "duchess4" else 1)]
    me.begin(family, seats, game=game if family in ("go", "duchess") else "")
    rng = random.Random(game)
    for _ in range(400):
        me.page.wait_for_function(
            "() => /Your move|Check|wins?:|Draw:/.test(document.getElementById('status').textContent)"
        )
        if ":" in me.page.inner_text("#status"):
            break
        me.random_move(rng)
    assert ":" in me.page.inner_text("#status")


def test_keys_go_on_in_the_new_page_and_stay_where_they_were(window: Open) -> None:
    me = window()
    me.begin("chess", ["me", "me"])
    me.page.focus(".controls >> text=Flip")
    me.page.keyboard.press("Enter")
    me.page.wait_for_function("() => document.querySelector('.labels text').textContent !== '8'")
    assert me.page.evaluate("document.activeElement.textContent") == "Flip"
    me.page.press("nav [data-page=papers]", "Enter")
    me.page.wait_for_selector(".page-papers h1")
    me.page.wait_for_function("() => document.activeElement.id === 'main'")
    me.open("#/table/%")
    me.page.wait_for_selector("text=That did not work")


def test_rules_komi_and_handicap_are_chosen_before_a_game_of_go(window: Open) -> None:
    me = window()
    me.open()
    me.page.click("[data-family=go]")
    me.page.click(".more summary")
    me.page.select_option("[data-option=rules]", "japanese")
    me.page.select_option("[data-option=handicap]", "2")
    me.page.wait_for_function("() => document.querySelectorAll('.stage .man').length === 2")
    me.page.wait_for_selector(".lead >> text=White moves first.")
    me.page.wait_for_selector("[data-option=komi][placeholder='0.5']")
    me.page.fill("[data-option=komi]", "3.5")
    me.page.press("[data-option=komi]", "Tab")
    me.page.click("#play")
    me.made(1)
    me.page.wait_for_selector(".notes >> text=komi 3.5 · handicap 2 · Japanese rules")
    me.page.click(".controls >> text=Estimate score")
    me.status("Estimate: ")


def test_of_two_choices_the_last_counts_whichever_is_answered_first(window: Open) -> None:
    me = window()
    me.open()
    me.page.click("[data-family=go]")
    me.page.click(".more summary")
    me.page.wait_for_selector("[data-option=rules]")
    held: list[Any] = []
    me.page.route("**/options?rules=japanese", lambda route: held.append(route))
    me.page.select_option("[data-option=rules]", "japanese")
    me.page.select_option("[data-option=handicap]", "2")
    me.page.wait_for_selector("[data-option=komi][placeholder='0.5']")
    with me.page.expect_response("**/options?rules=japanese"):
        held[0].continue_()
    me.page.wait_for_timeout(200)
    assert me.page.get_attribute("[data-option=komi]", "placeholder") == "0.5"


def test_a_report_leads_to_pages_of_the_documentation(window: Open) -> None:
    me = window()
    text = "# Told\n\nMore in [docs/td.md](../../../../../docs/td.md) and [docs/none.md](docs/none.md)."
    report = {"name": "told", "text": text, "pages": ["docs/td.md"]}
    me.page.route("**/api/papers/told", lambda route: route.fulfill(json=report))
    me.open("#/papers/told")
    me.page.wait_for_selector(".paper >> text=Told")
    assert me.page.locator(".paper a").all_inner_texts() == ["docs/td.md"]
    me.page.click(".paper a")
    me.page.wait_for_selector(".paper h1 >> text=Learning 5x5 Go")
