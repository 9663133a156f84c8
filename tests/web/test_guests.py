"""What people without the token see: a form, or the one game to which they have a link."""

from pathlib import Path

import pytest
from browsing import TOKEN, Window, browsing, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")


def test_guests_have_one_game_and_strangers_a_form(tmp_path: Path) -> None:
    with browsing(tmp_path) as opening:
        me: Window = opening("desktop")
        table = me.begin("chess", ["me", "open"])
        link = me.page.get_attribute(".plate [data-link]", "data-link")
        assert link and "/join/" in link and TOKEN not in link
        watch = me.page.evaluate(f"fetch('/api/tables/{table}/link').then((answer) => answer.json())")[
            "watch"
        ]

        friend: Window = opening("desktop", owner=False)
        friend.page.goto(link)
        me.status("Your move")
        me.move("e2", "e4")
        friend.status("Your move")
        friend.move("e7", "e5")
        me.made(2)
        friend.page.reload()
        friend.status("White to move")
        assert not friend.page.locator("nav").is_visible()
        assert friend.page.locator("text=Save").is_visible()
        assert friend.page.locator("text=Analyse").count() <= 1  # the hidden link of the pages

        watcher: Window = opening("phone", owner=False)
        watcher.open(f"#/table/{table}/watch/{watch}")
        watcher.made(2)
        assert watcher.page.url.endswith(f"#/table/{table}")

        stranger: Window = opening("phone", owner=False)
        for place in ("#/", "#/arena", f"#/table/{table}", f"#/table/{table}/watch/{'0' * 32}"):
            stranger.open(place)
            stranger.page.reload()
            stranger.page.wait_for_selector("#bring-token")
        stranger.page.fill("[aria-label=Token]", "not the token")
        stranger.page.click("#bring-token")
        stranger.page.wait_for_selector("text=That is not the token.")
        stranger.page.fill("[aria-label=Token]", TOKEN)
        stranger.page.click("#bring-token")
        stranger.made(2)
        stranger.open("#/")
        stranger.page.wait_for_selector("#play")

        for one in (me, friend, watcher, stranger):
            assert not one.faults
