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
    me.page.click("[data-family=chess]")
    slider = ".start-panel input[type=range]"
    me.page.fill(slider, "7")
    assert me.page.inner_text(".level-words").endswith("club player, about 1440 Elo")
    me.page.click("[data-family=go]")
    me.page.select_option(".start-panel select", "go19")
    me.page.wait_for_function("() => document.querySelectorAll('.stage [data-cell]').length === 361")
    assert "not measured; the network was not trained on this size" in me.page.inner_text(".level-words")
    me.page.select_option(".start-panel select", "go9")
    me.page.fill(slider, "4")
    assert "on this game's scale (random mover = 0)" in me.page.inner_text(".level-words")


def test_an_expert_may_type_a_player(me: Window) -> None:
    me.begin("chess", ["me", "alphabeta:depth=1+pieces"])
    assert "Alpha-beta search, piece-square tables (depth 1)" in me.page.inner_text(".stage")
    me.open()
    assert "Alpha-beta search" in me.page.inner_text(".recent")
