"""In the studio too the time to think belongs to the turn, and all tries of it share it."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from rookery.api import Clock
from rookery.clock import budget
from rookery.interfaces.web.engines import Engines, Question
from rookery.interfaces.web.store import Chair, Kept, Store
from rookery.interfaces.web.table import THINK, Table


class Slow:
    """Answers with these tries, and takes two seconds for each."""

    def __init__(self, tries: list[str], now: list[float]) -> None:
        self.asked: list[dict[str, Any]] = []
        self._tries, self._now = iter(tries), now

    async def ask(self, question: Question, seconds: float) -> dict[str, Any]:
        self.asked.append(question.limit)
        self._now[0] += 2.0
        return {"move": next(self._tries), "value": [0.0, 0.0]}


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr("rookery.interfaces.web.table.monotonic", lambda: now[0])
    return now


def play(folder: Path, now: list[float], clock: tuple[float, float] | None) -> tuple[Slow, Table]:
    """White, a player, is refused twice and moves; then Black, a person, moves, and White moves again."""
    engines = Slow(["e2e5", "d1d4", "e2e4", "e1e2"], now)

    async def sit() -> Table:
        kept = Kept("one", "kriegspiel", None, 0, clock, [Chair("random"), Chair(None, "somebody")])
        store = Store(folder / "games.db")
        store.create(kept)
        table = Table(kept, store, cast(Engines, engines))
        table.go_on()
        for text in ("e7e5", None):
            while table.thinking:
                await asyncio.sleep(0)
            if text:
                table.move(1, text)
        table.close()
        store.close()
        return table

    return engines, asyncio.run(sit())


def test_the_tries_of_a_turn_share_the_time_to_think(tmp_path: Path, now: list[float]) -> None:
    engines, table = play(tmp_path, now, None)
    assert [text for text, _ in table.kept.moves] == ["e2e5", "d1d4", "e2e4", "e7e5", "e1e2"]
    assert [limit["time"] for limit in engines.asked] == [THINK, THINK - 2, THINK - 4, THINK]


def test_they_share_what_the_clock_grants_a_move(tmp_path: Path, now: list[float]) -> None:
    engines, table = play(tmp_path, now, (60.0, 10.0))
    # The table's clocks are real ones, and next to nothing has passed on them.
    granted = [budget(Clock(60.0, 10.0), 0.05, spent).soft for spent in (0.0, 2.0, 4.0)]
    assert [limit["time"] for limit in engines.asked][:3] == pytest.approx(granted, abs=0.05)
    assert granted[0] - granted[1] > 1.5
    assert table.clocks is not None and table.clocks.left(0) == pytest.approx(80.0, abs=1.0)
