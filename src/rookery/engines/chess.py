"""Chess engines that speak UCI or the xboard protocol, through python-chess."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

import chess
import chess.engine

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
    IllegalAnswer,
    Resignation,
    RookeryError,
    UnsupportedGame,
    describe,
    quote,
)

# What a program says that python-chess does not expect is no news for whoever watches a match.
logging.getLogger("chess.engine").addHandler(logging.NullHandler())

_USUAL = Limit(time=0.1)
"""What an engine gets where nobody bounds it: some would think for ever."""
_OURS = ("arguments", "depth", "nodes", "time")


class _Bounded(chess.engine.Protocol):
    """Ends a program that writes without end, which python-chess would keep all of."""

    heard = 0
    """Bytes since it was last asked."""

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        self.heard += len(data)
        if self.heard > FLOOD or len(self.buffer[fd]) > LONGEST_LINE:
            assert self.transport is not None
            self.buffer[fd].clear()
            self.transport.kill()
        else:
            super().pipe_data_received(fd, data)


class _Uci(_Bounded, chess.engine.UciProtocol):
    pass


class ChessEngine:
    """A program in a chess player's seat."""

    limits = ("depth", "nodes", "time")
    believer: Believer | None = None
    _protocol: type[_Bounded]
    _hurry: str
    """What it is told when it shall move at once."""

    @classmethod
    def check_game(cls, game: Game) -> None:
        """Nothing where programs that it speaks with play the game.

        Raises:
            UnsupportedGame: they do not.
        """
        if game.spec.name != "chess":
            raise UnsupportedGame(
                f"uci and xboard programs play chess, not {game.spec.name}; those of Go are gtp:PROGRAM"
            )

    def __init__(self, name: str, game: Game, program: str, options: Mapping[str, str]) -> None:
        self.check_game(game)
        self.name = name
        self._command = command(program, options)
        self._limit = read_limit(name, options, self.limits)
        self._options = {key: value for key, value in options.items() if key not in _OURS}
        self._engine: _Bounded | None = None

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        if self._engine is None:
            self._launch()
        self._board: chess.Board | None = None
        self._seen: State | None = None
        # python-chess tells the program of a new game when this is another object than the last.
        self._game = object()

    def choose(self, view: View, limit: Limit) -> Move:
        return self.think(view, limit).move

    def think(
        self, view: View, limit: Limit, on_info: Callable[[Info], None] = lambda info: None
    ) -> SearchResult:
        began = perf_counter()
        answer = self._play(view, limit)
        if answer.resigned or answer.move is None:
            raise Resignation(f"{self.name} resigns")
        move = view.parse(answer.move.uci())
        info = answer.info
        value = _value(info.get("score"))
        score, wins_in = _told(info.get("score"), view.seat)
        nodes, depth = info.get("nodes", 0), info.get("depth")
        on_info(Info(depth, nodes, perf_counter() - began, value, (move,), score, wins_in))
        return SearchResult(move, value, nodes, {move: 1.0}, (move,))

    def stop(self) -> None:
        engine = self._engine
        if engine is not None:
            engine.loop.call_soon_threadsafe(engine.send_line, self._hurry)

    def _play(self, view: View, limit: Limit) -> chess.engine.PlayResult:
        if self._engine is None:
            raise EngineError(f"{self.name} has not been started")
        bound = self._limit.tighter(limit)
        if bound.depth is bound.nodes is bound.time is None and not bound.clocks:
            bound = _USUAL
        asked = self._bound(bound)
        most = bound.time or (bound.clocks[view.seat].left if bound.clocks else FOREVER)
        patience = most + LATE
        self._engine.heard = 0
        try:
            board = self._catch_up(view.state())
            only = [chess.Move.from_uci(view.text(move)) for move in limit.only]
            work = self._engine.play(
                board, asked, game=self._game, info=chess.engine.INFO_ALL, root_moves=only or None
            )
            return wait(work, patience, self.name, "move")
        except chess.engine.EngineTerminatedError as error:
            self._engine = None
            raise EngineError(f"{self.name} ended by itself: {error}") from None
        except chess.engine.EngineError as error:
            self._kill()
            raise _blame(self.name, error) from None
        except EngineError:
            self._kill()
            raise

    def end(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        if self._engine is None:
            return
        try:
            wait(self._engine.quit(), LATE, self.name, "quit")
            self._engine = None
        except (EngineError, chess.engine.EngineError):
            self._kill()

    def _kill(self) -> None:
        """Nobody knows what it is doing, so the next game gets another."""
        engine, self._engine = self._engine, None
        if engine is not None and engine.transport is not None:
            if engine.transport.get_returncode() is None:
                kill_group(engine.transport.get_pid())
            engine.loop.call_soon_threadsafe(engine.transport.close)

    def _launch(self) -> None:
        try:
            self._engine = wait(_open(self._protocol, self._command), STARTING, self.name, "start")
            settings = {self._spell(key, self._engine): value for key, value in self._options.items()}
            wait(self._engine.configure(settings), STARTING, self.name, "take its options")
        except OSError as error:
            raise EngineError(f"{self.name} cannot be run: {error.strerror}") from None
        except chess.engine.EngineError as error:
            self.close()
            raise EngineError(f"{self.name}: {error}") from None
        except RookeryError:
            self.close()
            raise

    def _bound(self, limit: Limit) -> chess.engine.Limit:
        return replace(_clocks(limit), depth=limit.depth, nodes=limit.nodes, time=limit.time)

    def _spell(self, key: str, engine: chess.engine.Protocol) -> str:
        """The option as the engine spells it; case does not matter."""
        offered = {name.lower(): name for name in engine.options}
        if key.lower() not in offered:
            raise unknown_option(self.name, key, [*self.limits, *engine.options])
        return offered[key.lower()]

    def _catch_up(self, state: State) -> chess.Board:
        """The position with the moves that led to it, so that the engine knows what would repeat."""
        states = states_since(state, self._seen)
        if self._board is None or states[0] != self._seen:
            self._board = chess.Board(str(states[0]))
        for before, move in zip(states, state.history()[len(states[0].history()) :], strict=False):
            self._board.push_uci(before.text(move))
        self._seen = state
        return self._board


class UciEngine(ChessEngine):
    """A chess program that speaks UCI."""

    _protocol = _Uci
    _hurry = "stop"


class _Features(dict[str, int | str]):
    """What a program says it can do; that it can be given a position is believed until one is."""

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key, default) or key == "setboard"


class _Xboard(_Bounded, chess.engine.XBoardProtocol):
    """Also for older programs that play from the starting position alone."""

    def __init__(self) -> None:
        super().__init__()
        self.features = _Features()

    def send_line(self, line: str) -> None:
        if line.startswith("setboard ") and not dict.get(self.features, "setboard"):
            raise chess.engine.EngineError("it cannot be given a position; use openings by moves")
        # A control of no time is refused by some; how little of its second is left, the clock tells next.
        super().send_line(line.replace("level 1 0:00 ", "level 1 0:01 "))


class XboardEngine(ChessEngine):
    """A chess program that speaks the xboard protocol."""

    _protocol = _Xboard
    _hurry = "?"

    def _bound(self, limit: Limit) -> chess.engine.Limit:
        if limit.clocks:
            return replace(_clocks(limit), depth=limit.depth, nodes=limit.nodes)
        # Its seconds for a move are whole; what a clock still shows comes in hundredths.
        time, moves = limit.time, None if limit.time is None else 1
        return chess.engine.Limit(
            depth=limit.depth, nodes=limit.nodes, white_clock=time, black_clock=time, remaining_moves=moves
        )


def _clocks(limit: Limit) -> chess.engine.Limit:
    """What the clocks of White and Black show."""
    if not limit.clocks:
        return chess.engine.Limit()
    white, black = limit.clocks
    # A clock that has run out shows a little: some programs take nothing for no clock at all.
    return chess.engine.Limit(
        white_clock=max(white.left, 0.01),
        black_clock=max(black.left, 0.01),
        white_inc=white.increment,
        black_inc=black.increment,
        remaining_moves=white.moves,
    )


def _value(score: chess.engine.PovScore | None) -> tuple[float, float]:
    """What a score in centipawns, or a mate, means for White and for Black."""
    if score is None:
        return 0.0, 0.0
    white = 2 * score.white().wdl(model="lichess").expectation() - 1
    return white, -white


def _told(score: chess.engine.PovScore | None, seat: Seat) -> tuple[int | None, int | None]:
    """To the seat that moves: the centipawns of a score as they are, or the plies to a mate, below 0 where it
    is the one to be mated."""
    if score is None:
        return None, None
    ours = score.pov(chess.BLACK if seat else chess.WHITE)
    mate = ours.mate()
    if mate is None:
        return ours.score(), None
    return None, 2 * mate - 1 if mate > 0 else 2 * mate


async def _open(protocol: type[_Bounded], command: list[str]) -> _Bounded:
    # In a process group of its own, so that Ctrl-C reaches the arena and not the program.
    transport, engine = await protocol.popen(command, setpgrp=True)
    try:
        await engine.initialize()
    except BaseException:
        transport.close()
        raise
    return engine


def _blame(name: str, error: chess.engine.EngineError) -> EngineError:
    """python-chess wraps the error that an answer gave when it was read as a move."""
    cause = error.args[0] if error.args else None
    if isinstance(cause, chess.IllegalMoveError | chess.InvalidMoveError | chess.AmbiguousMoveError):
        found = re.search(r"'(.+?)'|move for (\S+)", str(cause))
        answer = (found[1] or found[2]) if found else str(cause)
        return IllegalAnswer(f"{name} answered with no legal move: {quote(answer)}", answer[:80])
    return EngineError(f"{name}: {describe(error)[:200]}")


ENGINES = {"uci": UciEngine, "xboard": XboardEngine}
