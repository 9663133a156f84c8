"""Go programs that speak GTP, version 2."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import ceil, floor
from pathlib import Path
from typing import Any

from rookery.api import Believer, Game, GameSpec, Info, Limit, Move, Outcome, SearchResult, Seat, State, View
from rookery.engines.program import (
    FLOOD,
    FOREVER,
    LATE,
    LONGEST_LINE,
    STARTING,
    command,
    kill_group,
    read_limit,
    states_since,
    unknown_option,
    wait,
)
from rookery.errors import (
    EngineError,
    EngineTimeout,
    GameError,
    IllegalAnswer,
    Resignation,
    RookeryError,
    UnsupportedGame,
    quote,
)

_COLOURS = ("black", "white")
_MODE = {"gnugo": ("--mode", "gtp")}
"""What a program must be told so that it speaks GTP at all; others do, or get `arguments`."""
_OURS = ("arguments", "time")
_AT_ONCE = 0.2
"""Seconds in which a program ends that has closed its output."""


class GtpEngine:
    """A Go program that speaks GTP."""

    limits = ("time",)
    believer: Believer | None = None

    @classmethod
    def check_game(cls, game: Game) -> None:
        """Nothing where programs that it speaks with play the game.

        Raises:
            UnsupportedGame: they do not.
        """
        if not game.spec.name.startswith("go"):
            raise UnsupportedGame(
                f"gtp programs play Go, not {game.spec.name}; those of chess are uci:PROGRAM"
            )

    def __init__(self, name: str, game: Game, program: str, options: Mapping[str, str]) -> None:
        self.check_game(game)
        self.name = name
        self._command = command(program, options, _MODE.get(Path(program).name, ()))
        self._limit = read_limit(name, options, self.limits)
        self._options = {key: value for key, value in options.items() if key not in _OURS}
        self._process: Process | None = None

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        if self._process is None:
            self._launch()
        if "set_random_seed" in self._commands and "set_random_seed" not in self._options:
            self._ask(f"set_random_seed {seed % 2**31}")
        self._seen: State | None = None
        """What the program's board shows; None before the game."""
        self._told: float | None = None
        """The seconds for a move that it was told last."""

    def choose(self, view: View, limit: Limit) -> Move:
        return self.think(view, limit).move

    def think(
        self, view: View, limit: Limit, on_info: Callable[[Info], None] = lambda info: None
    ) -> SearchResult:
        """Choose. GTP has no way to ask why."""
        if limit.only:
            raise UnsupportedGame(f"{self.name} chooses among all moves; GTP cannot ask it for one of a few")
        state: Any = view.state()
        self._catch_up(state)
        bound = self._limit.tighter(limit).time
        if limit.clocks and bound is None:
            # GTP knows no increment: what comes after each move counts as a period of one stone.
            clock = limit.clocks[view.seat]
            if self._told is None:
                self._ask(f"time_settings {ceil(clock.left)} {floor(clock.increment)} 1")
            self._told = bound = clock.left
            self._ask(f"time_left {_COLOURS[view.seat]} {floor(clock.left)} 0")
        elif bound is not None and bound != self._told:
            # No main time, and so many seconds for each single stone.
            self._ask(f"time_settings 0 {max(1, ceil(bound))} 1")
            self._told = bound
        answer = self._ask(f"genmove {_COLOURS[view.seat]}", bound + LATE if bound else FOREVER).strip()
        if answer.lower() == "resign":
            raise Resignation(f"{self.name} resigns")
        try:
            move = view.parse(answer)
            self._seen = state.play(move)
        except GameError as error:
            raise IllegalAnswer(f"{self.name} answered with no legal move: {error}", answer) from None
        return SearchResult(move, (0.0, 0.0), 0, {move: 1.0}, (move,))

    def stop(self) -> None:
        """GTP has no way to hurry a program; it will answer when it does."""

    def end(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            wait(_quit(process), 2 * LATE, self.name, "quit")

    def _launch(self) -> None:
        try:
            # In a process group of its own, so that Ctrl-C reaches the arena and not the program.
            opening = asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, process_group=0, limit=LONGEST_LINE
            )
            self._process = wait(opening, STARTING, self.name, "start")
        except OSError as error:
            raise EngineError(f"{self.name} cannot be run: {error.strerror}") from None
        try:
            self._commands = self._ask("list_commands").split()
            for key, value in self._options.items():
                if key not in self._commands:
                    raise unknown_option(self.name, key, [*self.limits, *self._commands])
                self._ask(f"{key} {value}")
        except RookeryError:
            self.close()
            raise

    def _catch_up(self, state: Any) -> None:
        """Bring the program's board to this position; from scratch if it saw another game."""
        states = states_since(state, self._seen)
        if self._seen is None or states[0] != self._seen:
            self._set_up(states[0])
        for before, move in zip(states, state.history()[len(states[0].history()) :], strict=False):
            self._ask(f"play {_COLOURS[before.seat]} {before.text(move)}")
        self._seen = state

    def _set_up(self, state: Any) -> None:
        """The position before the first move of the game."""
        self._ask(f"boardsize {state.size}")
        self._ask("clear_board")
        self._ask(f"komi {state.komi:g}")
        for seat, colour in enumerate(_COLOURS):
            for point in state.stones(seat):
                self._ask(f"play {colour} {state.text(point)}")

    def _ask(self, line: str, seconds: float = STARTING) -> str:
        """What the program answers.

        Raises:
            EngineError: it ended, or did not want to.
            EngineTimeout: it did not answer.
        """
        if self._process is None:
            raise EngineError(f"{self.name} has not been started")
        try:
            answer = wait(_converse(self._process, line), seconds, self.name, f"answer {line!r}")
        except EngineTimeout:
            # Its answer may come at any time and would be taken for the next; so it gets no next.
            self._kill()
            raise
        except ValueError:
            self._kill()
            raise EngineError(f"{self.name} answered {line!r} with far too much") from None
        except (EOFError, ConnectionError):
            code = self._kill()
            how = "ended by itself" if code is not None else "closed its output"
            exit_code = "" if code is None else f" (exit code {code})"
            raise EngineError(f"{self.name} {how} at {line!r}{exit_code}") from None
        if not answer.startswith("="):
            raise EngineError(f"{self.name} answered {quote(answer.splitlines()[0])} to {line!r}")
        return answer[1:].strip()

    def _kill(self) -> int | None:
        """Nobody knows what it is doing, so the next game gets another. Gives how it ended, if it had."""
        process, self._process = self._process, None
        return None if process is None else wait(_kill(process), LATE, self.name, "end")


async def _converse(process: Process, line: str) -> str:
    """One command and its answer, which an empty line ends.

    Raises:
        ValueError: the answer, or a line of it, is far too long.
        EOFError, ConnectionError: there is nobody any more.
    """
    into, out = process.stdin, process.stdout
    assert into is not None and out is not None
    into.write(f"{line}\n".encode())
    await into.drain()
    answer: list[str] = []
    heard = 0
    while True:
        read = (await out.readline()).decode("utf-8", errors="replace")
        heard += len(read)
        if not read:
            raise EOFError
        if heard > FLOOD:
            raise ValueError
        if read.strip():
            answer.append(read.rstrip())
        elif answer:
            return "\n".join(answer)


async def _quit(process: Process) -> None:
    """Politely, and then not."""
    try:
        await asyncio.wait_for(_converse(process, "quit"), LATE / 2)
        await asyncio.wait_for(process.wait(), LATE / 2)
    except (EOFError, OSError, TimeoutError, ValueError):
        pass
    await _kill(process)


async def _kill(process: Process) -> int | None:
    """How it had ended, if it had or did so at once; now it has."""
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _AT_ONCE)
    ended = process.returncode
    if ended is None:
        kill_group(process.pid)
        await process.wait()
    return ended


ENGINES = {"gtp": GtpEngine}
