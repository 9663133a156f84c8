"""The rules are one click away wherever a game is played."""

from collections.abc import Iterator

import pytest
from browsing import Window, browsing, chromium
from starlette.testclient import TestClient

from rookery import games

browsed = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")


@pytest.fixture(scope="module")
def me(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    with browsing(tmp_path_factory.mktemp("rules")) as opening:
        window: Window = opening()
        yield window
        assert not window.faults


@pytest.mark.parametrize("game", games.names())
def test_every_game_that_is_shown_has_rules(client: TestClient, game: str) -> None:
    told = client.get(f"/games/{game}/rules").json()
    assert told["text"] == games.rules(game) and told["title"] == games.get(game).spec.title


@browsed
def test_the_rules_open_on_the_first_page_and_close(me: Window) -> None:
    me.open()
    for family, words in (
        ("chess", "en passant"),
        ("kriegspiel", "pawn try"),
        ("go", "liberties"),
        ("duchess", "Vortex"),
    ):
        me.page.click(f"[data-family={family}]")
        me.page.click(".start-panel [data-rules]")
        assert words.lower() in me.page.inner_text("dialog article").lower()
        me.page.keyboard.press("Escape")
        me.page.wait_for_selector("dialog", state="detached")


@browsed
def test_duchess_has_cards_of_its_pieces_and_says_who_the_partner_is(me: Window) -> None:
    me.open()
    me.page.click("[data-family=duchess]")
    assert "Yellow is your partner; Green and Blue play against you" in me.page.inner_text(".start-panel")
    me.page.click(".seat-choice >> text=Green")
    assert "Blue is your partner; Red and Yellow play against you" in me.page.inner_text(".start-panel")
    me.page.click(".start-panel [data-rules]")
    me.page.wait_for_selector("dialog article")
    for piece, words in (("Wizard", "teleports"), ("Fortress", "leap"), ("Duchess", "leap")):
        card = me.page.locator("dialog tr", has=me.page.locator(f"td:first-child:text-is('{piece}')"))
        assert card.locator("svg.piece path").count() and words in card.inner_text()
    me.page.click("dialog [aria-label='Close the rules']")
    me.page.wait_for_selector("dialog", state="detached")
    # Where the pointer rests, a piece says what it does.
    title = me.page.wait_for_selector('.stage [data-cell="1b1"] title', state="attached")
    assert title and (title.text_content() or "").startswith("Red Wizard: one step")


@browsed
def test_the_rules_open_at_the_table_and_nothing_in_them_shuts_anybody_out(me: Window) -> None:
    from axe_playwright_python.sync_playwright import Axe

    me.begin("kriegspiel", ["me", "random"])
    me.page.click(".controls [data-rules]")
    me.page.wait_for_selector("dialog article")
    assert "1 pawn try" in me.page.inner_text("dialog article")
    assert not [fault["id"] for fault in Axe().run(me.page).response["violations"]]
