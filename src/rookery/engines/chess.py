"""Chess engines that speak UCI or the xboard protocol, through python-chess."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import chess
import chess.engine

from rookery.api import Game, GameSpec, Limit, Move, Outcome, Seat, State, View
from rookery.engines.program import FOREVER, LATE, STARTING, command, read_limit, unknown_option, wait
from rookery.errors import EngineError, IllegalAnswer, Resignation, RookeryError, UnsupportedGame

# What a program says that python-chess does not expect is no news for whoever watches a match.
logging.getLogger("chess.engine").addHandler(logging.NullHandler())

_USUAL = Limit(time=0.1)
"""What an engine gets where nobody bounds it: some would think for ever."""
_OURS = ("arguments", "depth", "nodes", "time")


class ChessEngine:
    """A program in a chess player's seat."""

    limits = ("depth", "nodes", "time")
    _open: Callable[..., Coroutine[Any, Any, tuple[asyncio.SubprocessTransport, chess.engine.Protocol]]]

    def __init__(self, name: str, game: Game, program: str, options: Mapping[str, str]) -> None:
        if game.spec.name != "chess":
            raise UnsupportedGame(f"{name} is a chess program; {game.spec.name} is another game")
        self.name = name
        self._command = command(program, options)
        self._limit = read_limit(name, options, self.limits)
        self._options = {key: value for key, value in options.items() if key not in _OURS}
        self._engine: chess.engine.Protocol | None = None

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        if self._engine is None:
            self._launch()
        self._board: chess.Board | None = None
        self._pushed: list[Move] = []
        # python-chess tells the program of a new game when this is another object than the last.
        self._game = object()

    def choose(self, view: View, limit: Limit) -> Move:
        if self._engine is None:
            raise EngineError(f"{self.name} has not been started")
        bound = self._limit.tighter(limit)
        if bound.depth is bound.nodes is bound.time is None:
            bound = _USUAL
        asked = chess.engine.Limit(depth=bound.depth, nodes=bound.nodes, time=bound.time)
        patience = bound.time + LATE if bound.time else FOREVER
        try:
            board = self._catch_up(view.state())
            only = [chess.Move.from_uci(view.text(move)) for move in limit.only]
            work = self._engine.play(board, asked, game=self._game, root_moves=only or None)
            answer = wait(work, patience, self.name, "move")
        except chess.engine.EngineTerminatedError as error:
            self._engine = None
            raise EngineError(f"{self.name} ended by itself: {error}") from None
        except chess.engine.EngineError as error:
            raise _blame(self.name, error) from None
        if answer.resigned or answer.move is None:
            raise Resignation(f"{self.name} resigns")
        return view.parse(answer.move.uci())

    def end(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is None:
            return
        try:
            wait(engine.quit(), LATE, self.name, "quit")
        except (EngineError, chess.engine.EngineError):
            if engine.transport is not None:
                engine.loop.call_soon_threadsafe(engine.transport.close)

    def _launch(self) -> None:
        try:
            # In a process group of its own, so that Ctrl-C reaches the arena and not the engine.
            opening = type(self)._open(self._command, setpgrp=True)
            _, self._engine = wait(opening, STARTING, self.name, "start")
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

    def _spell(self, key: str, engine: chess.engine.Protocol) -> str:
        """The option as the engine spells it; case does not matter."""
        offered = {name.lower(): name for name in engine.options}
        if key.lower() not in offered:
            raise unknown_option(self.name, key, [*self.limits, *engine.options])
        return offered[key.lower()]

    def _catch_up(self, state: State) -> chess.Board:
        """The position with the moves that led to it, so that the engine knows what would repeat."""
        moves = list(state.history())
        if self._board is None or moves[: len(self._pushed)] != self._pushed:
            self._board, self._pushed = None, []
        states = [state]
        for _ in moves[len(self._pushed) :]:
            before = states[-1].previous()
            assert before is not None, "a state knows every move of its history"
            states.append(before)
        states.reverse()
        board = self._board or chess.Board(str(states[0]))
        for before, move in zip(states, moves[len(self._pushed) :], strict=False):
            board.push_uci(before.text(move))
        self._board, self._pushed = board, moves
        return board


class UciEngine(ChessEngine):
    """A chess program that speaks UCI."""

    _open = staticmethod(chess.engine.popen_uci)


class XboardEngine(ChessEngine):
    """A chess program that speaks the xboard protocol."""

    _open = staticmethod(chess.engine.popen_xboard)


def _blame(name: str, error: chess.engine.EngineError) -> EngineError:
    """python-chess wraps the error that an answer gave when it was read as a move."""
    cause = error.args[0] if error.args else None
    if isinstance(cause, chess.IllegalMoveError | chess.InvalidMoveError):
        return IllegalAnswer(f"{name} answered with no legal move: {cause}", str(cause).split("'")[1])
    return EngineError(f"{name}: {error}")


ENGINES = {"uci": UciEngine, "xboard": XboardEngine}
