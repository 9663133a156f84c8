"""Players think in processes of their own, and what goes wrong there stays there."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from rookery import players
from rookery.errors import EngineError
from rookery.interfaces.web.engines import Engines, Question
from rookery.interfaces.web.worker import Worker


def question(player: str = "random", **more: Any) -> Question:
    return Question("move", "chess", None, [], 0, player, **more)


def run(work: Callable[[Engines], Awaitable[None]], **options: Any) -> None:
    async def main() -> None:
        engines = Engines(lambda name: None, 1, 1, **{"memory": 1 << 30, **options})
        try:
            await work(engines)
        finally:
            await engines.close()

    asyncio.run(main())


def test_a_crash_ends_that_search_only() -> None:
    async def work(engines: Engines) -> None:
        thinking = asyncio.create_task(engines.ask(question("uct:time=60"), 60))
        await asyncio.sleep(0.2)
        engines._workers[0].kill()
        with pytest.raises(EngineError, match="process ended"):
            await thinking
        assert (await engines.ask(question(), 20))["move"]

    run(work)


def test_a_player_may_not_eat_all_memory() -> None:
    async def work(engines: Engines) -> None:
        with pytest.raises(EngineError, match="memory"):
            await engines.ask(question("alphabeta:hash=4096+classical"), 20)
        assert (await engines.ask(question("alphabeta:nodes=100+classical"), 20))["move"]

    run(work, memory=1 << 30)


def test_who_is_cancelled_stops_thinking() -> None:
    async def work(engines: Engines) -> None:
        thinking = asyncio.create_task(engines.ask(question("uct:time=60"), 60))
        await asyncio.sleep(0.5)
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        # There is one process only, so this answer means that it is free again.
        assert (await asyncio.wait_for(engines.ask(question(), 20), 20))["move"]

    run(work)


def test_who_thinks_too_long_is_hurried() -> None:
    async def work(engines: Engines) -> None:
        await engines.ask(question(), 60)  # The process is up: its start is not what is hurried.
        assert (await engines.ask(question("uct:time=60"), 0.3))["move"]

    run(work)


def test_wrong_requests_are_errors_of_the_asker() -> None:
    async def work(engines: Engines) -> None:
        with pytest.raises(EngineError, match="did you mean"):
            await engines.ask(question("randon"), 20)
        with pytest.raises(EngineError, match="e2e5"):
            await engines.ask(Question("move", "chess", None, ["e2e5"], 0, "random"), 20)
        with pytest.raises(EngineError, match="no belief"):
            await engines.ask(Question("belief", "kriegspiel", None, [], 0, "sergeant"), 20)

    run(work)


def test_thoughts_are_told_while_they_grow() -> None:
    heard: list[Any] = []

    async def work(engines: Engines) -> None:
        asked = question("alphabeta+classical", limit={"time": 0.5, "lines": 2})
        await engines.ask(asked, 20, heard.append)

    run(work)
    last = heard[-1]
    assert len(last) == 2 and last[0]["moves"] and last[0]["depth"] >= 2
    assert last[0]["value"][0] == -last[0]["value"][1]


def test_knowledge_says_what_it_sees() -> None:
    async def work(engines: Engines) -> None:
        asked = Question("explain", "chess", None, ["e2e4"], 0, "greedy+classical")
        seen = await engines.ask(asked, 20)
        assert len(seen["map"]) == 20 and seen["value"][0] > 0
        with pytest.raises(EngineError, match="no evaluation function"):
            await engines.ask(Question("explain", "chess", None, [], 0, "random"), 20)

    run(work)


def test_weights_of_a_run_are_read_for_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players that learn nothing are called over from other tables; the others may have newer weights."""
    made: list[str] = []
    make = players.make

    def note(name: str, game: Any) -> Any:
        made.append(name)
        return make("random", game)

    monkeypatch.setattr(players, "make", note)
    worker = Worker(lambda reply: None)
    for name in ("random", "greedy+td@run"):
        for table in range(7):
            asked = question(name, table=str(table), limit={"time": 1.0})
            worker.answer({"id": table, **vars(asked)})
    assert made.count("random") < made.count("greedy+td@run") == 7


def test_a_worker_whose_server_has_gone_leaves_without_a_word() -> None:
    listen, speak = os.pipe()
    os.close(listen)
    command = [sys.executable, "-m", "rookery.interfaces.web.worker"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=speak, stderr=subprocess.PIPE, text=True)
    os.close(speak)
    assert worker.stdin and worker.stderr
    # Its input stays open, so that it is the answer that finds nobody.
    worker.stdin.write('{"id": 1, "do": "name", "game": "no such game"}\n')
    worker.stdin.flush()
    assert worker.wait(60) == 0
    assert worker.stderr.read() == ""
    worker.stdin.close()
    worker.stderr.close()


def test_ctrl_c_of_the_server_is_not_for_its_workers() -> None:
    """It reaches all processes of a terminal; one that is still importing would answer with a traceback."""

    async def work(engines: Engines) -> None:
        await engines.ask(question(), 20)
        assert os.getpgid(engines._workers[0]._process.pid) != os.getpgid(0)

    run(work)
