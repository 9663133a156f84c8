"""A player is trained by a recipe of ours through the page, and played as soon as it has learnt something."""

from pathlib import Path

import pytest
from browsing import Window, browsing, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
STEP = "Number(/step (\\d+)/.exec(document.querySelector('.figures')?.textContent)?.[1])"


def wait_for_step(me: Window, step: int) -> int:
    me.page.wait_for_function(f"step => {STEP} >= step", arg=step)
    return int(me.page.evaluate(STEP))


@pytest.mark.slow
def test_a_recipe_is_trained_stopped_resumed_and_played(tmp_path: Path) -> None:
    with browsing(tmp_path) as opening:
        me: Window = opening("phone")
        me.context.set_default_timeout(90_000)
        me.open("#/train")
        me.page.select_option("section select", "go5-koten")
        me.page.click("#override summary")
        for key, value in (("games", "400000"), ("evaluate_every", "500"), ("evaluation_games", "4")):
            me.page.fill(f"[data-key={key}]", value)
        me.page.click("#start-run")
        wait_for_step(me, 3)
        assert "running" in me.page.inner_text(".figures")
        curves = me.page.locator(".chart figcaption span:first-child").all_inner_texts()
        assert curves[0] == "Win rate vs. gojen, naive, random" and "TD error" in curves
        me.page.click("#stop-run")
        me.page.wait_for_selector("#resume-run")
        stopped = wait_for_step(me, 3)
        assert "stopped" in me.page.inner_text(".figures")
        me.page.click("#resume-run")
        me.page.wait_for_selector("#stop-run")
        wait_for_step(me, stopped + 2)
        # It can be played while it goes on learning.
        assert "go5: greedy+td" in me.page.inner_text("[aria-label='Game and player']")
        me.page.click("#play-run")
        me.status("Your move")
        me.press("C3")
        me.made(2)
        assert "TD network of go5-koten-1" in me.page.inner_text(".plate >> nth=0")
        me.page.go_back()
        me.page.click("#stop-run")
        me.page.wait_for_selector("#resume-run")
        me.page.click("text=Analyse with it")
        me.page.wait_for_selector(".warm", state="attached")  # what a stone on each point would be worth
        assert "td@go5-koten-1" in str(me.page.input_value("[aria-label=Player]"))
        assert len(list((tmp_path / "runs" / "go5-koten-1" / "checkpoints").iterdir())) >= 1
        assert not me.faults
