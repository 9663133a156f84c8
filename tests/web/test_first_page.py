"""The first page as somebody sees it who has never been here."""

import re
from collections.abc import Iterator

import pytest
from browsing import Window, browsing, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
PROGRAM_TEXT = re.compile(r"[a-z]+(:[a-z]+=|\+[a-z])|\blevel=|\bquiescence\b")


@pytest.fixture(scope="module")
def me(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    with browsing(tmp_path_factory.mktemp("first")) as opening:
        window: Window = opening()
        yield window
        assert not window.faults


@pytest.mark.parametrize("family", ["chess", "go", "kriegspiel", "duchess"])
def test_nobody_meets_program_text_before_asking_for_it(me: Window, family: str) -> None:
    me.open()
    me.page.click(f"[data-family={family}]")
    me.page.click(".more summary")
    me.page.wait_for_selector(".seat-row")
    assert not PROGRAM_TEXT.search(me.page.inner_text("main"))
    offered = me.page.locator(".seat-row select >> nth=1").locator("option").all_inner_texts()
    assert len(offered) < 40 and "Random mover" in offered and not any(map(PROGRAM_TEXT.search, offered))
    assert not me.page.is_visible(".seat-row input >> nth=1")


def test_levels_say_what_was_measured_and_no_more(me: Window) -> None:
    me.open()
    slider = ".start-panel input[type=range]"
    me.page.click("[data-family=go]")
    me.page.select_option(".start-panel select", "go19")
    me.page.wait_for_function("() => document.querySelectorAll('.stage [data-cell]').length === 361")
    assert "not measured; the network was not trained on this size" in me.page.inner_text(".level-words")
    me.page.select_option(".start-panel select", "go9")
    me.page.fill(slider, "4")
    assert "on this game's scale (random mover = 0)" in me.page.inner_text(".level-words")


def test_an_opponent_in_chess_plays_like_people_of_a_rating(me: Window) -> None:
    me.open()
    me.page.evaluate("localStorage.clear()")
    me.page.reload()
    me.page.click("[data-family=chess]")
    assert "people rated 1500 (FIDE); about " in me.page.inner_text(".level-words")
    me.page.fill(".start-panel input[type=range]", "4")
    assert "people rated 1300 (FIDE); about " in me.page.inner_text(".level-words")
    me.page.click("#play")
    me.page.wait_for_selector(".stage .plate:has-text('Like people rated 1300')")


def test_an_expert_may_type_a_player(me: Window) -> None:
    me.begin("chess", ["me", "alphabeta:depth=1+pieces"])
    assert "Alpha-beta search, piece-square tables (depth 1)" in me.page.inner_text(".stage")
    me.open()
    assert "Alpha-beta search" in me.page.inner_text(".recent")


def test_a_colour_can_be_drawn(me: Window) -> None:
    me.open()
    me.page.click("[data-family=chess]")
    me.page.evaluate("Math.random = () => 0.9")
    me.page.click(".seat-choice >> text=Random")
    assert "your colour is drawn" in me.page.inner_text(".start-panel")
    me.page.click("#play")
    me.page.wait_for_selector(".stage .plate:last-child:has-text('Black')")
    me.page.reload()


def test_all_games_are_in_the_library(me: Window) -> None:
    me.begin("go", ["me", "naive"], game="go5")
    me.begin("chess", ["me", "random"])
    me.open()
    me.page.click(".recent >> text=All games")
    me.page.wait_for_selector(".page-library .card")
    me.page.select_option(".filters select >> nth=0", "go5")
    me.page.fill(".filters input", "nobody")
    me.page.wait_for_selector("text=No such games.")
    me.page.fill(".filters input", "naive")
    me.page.wait_for_selector("text=1 to 1 of 1")
    me.page.click(".cards >> text=Delete")
    me.page.click(".cards >> text=Really delete?")
    me.page.wait_for_selector("text=No such games.")
    me.page.select_option(".filters select >> nth=0", "chess")
    me.page.fill(".filters input", "")
    me.page.wait_for_selector(".page-library .card")


def test_unfinished_games_of_others_are_not_among_ones_own(me: Window) -> None:
    me.begin("kriegspiel", ["me", "random"])
    me.open()
    me.page.wait_for_selector(".recent .card:has-text('Kriegspiel')")
    me.page.evaluate("localStorage.clear()")
    me.page.reload()
    me.page.wait_for_selector(".recent >> text=All games")
    assert not me.page.locator(".recent .card:has-text('Kriegspiel')").count()
