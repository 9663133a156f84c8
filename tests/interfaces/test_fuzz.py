"""Both servers go on answering, whatever they are sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from malformed import CHESS_PLAYER, GO_PLAYER, feed_gtp, feed_uci
from spoken import Inside, Piped, Spoken

from rookery.interfaces.gtp import Server as Gtp
from rookery.interfaces.uci import Server as Uci


def test_thousands_of_malformed_lines_of_uci() -> None:
    with Inside(lambda write: Uci(CHESS_PLAYER, write)) as server:
        feed_uci(server, 1, 2000)


def test_thousands_of_malformed_lines_of_gtp() -> None:
    with Inside(lambda write: Gtp(GO_PLAYER, write, size=5)) as server:
        feed_gtp(server, 1, 2000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "player", "feed"), [("uci", CHESS_PLAYER, feed_uci), ("gtp", GO_PLAYER, feed_gtp)]
)
def test_a_hundred_thousand_malformed_lines(
    protocol: str, player: str, feed: Callable[[Spoken, int, int], None]
) -> None:
    with Piped(protocol, player) as server:
        feed(server, 7, 100_000)
        server.send("quit")
        assert server.end() == (0, "")
