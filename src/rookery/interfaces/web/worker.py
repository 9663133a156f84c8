"""A process in which players think for the studio: `python -m rookery.interfaces.web.worker`.

It reads requests as lines of JSON and answers in kind. Whatever a player does in here, crash, hang or eat
memory, the server outlives it. When the server goes, its end of the pipe closes and this process leaves.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from queue import SimpleQueue
from time import perf_counter
from typing import Any, TextIO

import numpy as np

from rookery import endings, games, players, roster
from rookery.api import (
    Comparator,
    Ending,
    Evaluator,
    Explainer,
    Game,
    Info,
    Limit,
    Move,
    PolicyEvaluator,
    SearchResult,
    Side,
    State,
    Thinker,
    View,
)
from rookery.errors import Resignation, RookeryError
from rookery.interfaces.lines import line_text
from rookery.interfaces.web import believing
from rookery.interfaces.web.budget import confine
from rookery.names import KnowledgeName, PlayerName
from rookery.seeds import generator

_KNOWN = 12
"""Players that are kept between two moves of their games,"""
_ALIKE = 4
"""and how many of one name,"""
_PROGRAMS = 2
"""and how many programs of other people, each of which is a process."""
_PAUSE = 0.08
"""Seconds between two reports of a search."""


class Worker:
    """Players at work, one at a time."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        self._tell = tell
        self._seated: OrderedDict[tuple[str, str], tuple[Thinker, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._thinking: tuple[int, Thinker] | None = None
        self._stopped: set[int] = set()

    def answer(self, request: dict[str, Any]) -> None:
        """One request, whatever becomes of it."""
        number = request["id"]
        try:
            self._tell({"id": number, **self._do(request)})
        except Resignation:
            self._tell({"id": number, "resigned": True})
        except MemoryError:
            self._tell({"id": number, "error": "it asked for more memory than it may have"})
        except RookeryError as error:
            self._tell({"id": number, "error": str(error), "asker": True})
        except Exception as error:
            # The page shows the kind of failure; the whole of it belongs on the server's stderr.
            sys.excepthook(*sys.exc_info())
            self._tell({"id": number, "error": f"it failed: {type(error).__name__}"})

    def stop(self, number: int) -> None:
        """Called from the reading thread."""
        with self._lock:
            self._stopped.add(number)
            if self._thinking and self._thinking[0] == number:
                self._thinking[1].stop()

    def _do(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "trained players":
            return {"players": trained_players(request["run"])}
        game = games.get(request["game"])
        if request["do"] == "name":
            player = players.make(request["player"], game)
            player.close()
            return {"name": player.name}
        state = game.start(request["start"])
        for text in request["moves"]:
            state = state.play(state.parse(text))
        if request["do"] == "dead":
            return {"dead": sorted(_ending(state).propose(state))}
        if request["do"] == "estimate":
            return dict(_ending(state).forecast(state))
        if request["do"] == "explain":
            return explain(request["player"], game, state)
        view = state.view(request["seat"])
        player = self._player(request, game, len(request["moves"]))
        if request["do"] == "belief":
            return believe(player, view)
        limit = Limit(**request["limit"])
        reports = Reports(lambda lines: self._tell({"id": request["id"], "lines": lines}), view)
        result = self._think(request["id"], player, view, limit, reports.hear)
        reports.flush()
        reply = described(result, view)
        if request["table"]:
            reply["move"] = view.text(endings.settle(state, result.move))
        return reply

    def _think(
        self, number: int, player: Thinker, view: View, limit: Limit, hear: Callable[[Info], None]
    ) -> SearchResult:
        def listen(info: Info) -> None:
            # A stop that came before the search had quite begun was forgotten by it.
            if number in self._stopped:
                player.stop()
            hear(info)

        with self._lock:
            if number in self._stopped:
                limit = Limit(time=0.001).tighter(limit)
            self._thinking = number, player
        try:
            return player.think(view, limit, listen)
        finally:
            with self._lock:
                self._thinking = None
                self._stopped.discard(number)

    def _player(self, request: dict[str, Any], game: Game, ply: int) -> Thinker:
        """The player in that chair, who stays for the next move if the game only went forward.

        To make one can take longer than its move, so one of the same name is called over from another table
        where there are several already; but not one that has read the weights of a run, which may have newer
        ones by now.
        """
        name, chair = request["player"], f"{request['table']} {request['seat']}"
        said, kind = PlayerName.parse(name), f"{request['game']} {name}"
        known = self._seated.pop((kind, chair), None)
        if known is None:
            alike = [key for key in self._seated if key[0] == kind and said.source is None]
            player = self._seated.pop(alike[0])[0] if len(alike) >= _ALIKE else players.make(name, game)
        else:
            player = known[0]
        if known is None or ply <= known[1]:
            seed = int(generator(request["seed"], "sitting", ply).integers(2**53))
            player.start(game.spec, request["seat"], seed)
        self._seated[kind, chair] = player, ply
        programs = [key for key, (one, _) in self._seated.items() if PlayerName.parse(one.name).external]
        for key in [*programs[:-_PROGRAMS], *list(self._seated)[:-_KNOWN]]:
            if key in self._seated:
                self._seated.pop(key)[0].close()
        return player


def _ending(state: State) -> Ending:
    ending = endings.of(state.spec)
    if ending is None:
        raise RookeryError(f"{state.spec.title} has no score to estimate")
    return ending


class Reports:
    """What a search says while it thinks, gathered and told now and then."""

    def __init__(self, tell: Callable[[list[dict[str, Any]]], None], view: View) -> None:
        self._tell = tell
        self._view = view
        self._lines: dict[int, Info] = {}
        self._last = perf_counter()

    def hear(self, info: Info) -> None:
        if info.rank == 1 and perf_counter() - self._last >= _PAUSE:
            self.flush()
        if info.rank == 1:
            self._lines.clear()
        self._lines[info.rank] = info

    def flush(self) -> None:
        if self._lines:
            self._last = perf_counter()
            self._tell([line(info, self._view) for _, info in sorted(self._lines.items())])


def line(info: Info, view: View) -> dict[str, Any]:
    """A report for the page; moves as text."""
    return {
        "depth": info.depth,
        "nodes": info.nodes,
        "seconds": round(info.seconds, 3),
        "value": list(info.value),
        "score": info.score,
        "wins_in": info.wins_in,
        "moves": texts(info.pv, view),
    }


def texts(moves: tuple[Move, ...], view: View) -> list[str]:
    """A line of moves as text, as far as the rules still know it."""
    if view.spec.hidden:
        return [view.text(move) for move in moves[:1]]
    return line_text(view.state(), moves)


def described(result: SearchResult, view: View) -> dict[str, Any]:
    """What a search decided, for the page."""
    shares = sorted(result.policy.items(), key=lambda item: -item[1])
    return {
        "move": view.text(result.move),
        "value": [float(value) for value in result.value],
        "nodes": result.nodes,
        "policy": {view.text(move): round(float(share), 4) for move, share in shares[:400]},
        "moves": texts(result.pv, view),
    }


def believe(player: Thinker, view: View) -> dict[str, Any]:
    """How likely a player holds it that a piece of the other side stands on each square."""
    if player.believer is None:
        raise RookeryError(f"{player.name} has no belief about hidden pieces")
    belief = player.believer.belief(view)
    return {"chances": believing.chances(belief), "kinds": believing.kinds(belief)}


def explain(player: str, game: Game, state: State) -> dict[str, Any]:
    """What a player's knowledge sees at a glance: a value, its reasons, and what each move would bring.

    Its reasons are there if it is an `api.Explainer`, and its preferences among the moves if it is an
    `api.Comparator`. Knowledge that only compares has no value to show.
    """
    name = PlayerName.parse(player).knowledge
    if name is None:
        raise RookeryError(f"{player} has no evaluation function, so no static evaluation")
    known = players.know(str(name), game)
    if not isinstance(known, Evaluator):
        raise RookeryError(f"{name} compares positions and gives them no values, so no static evaluation")
    after = [(move, state.play(move)) for move in state.moves()]
    values = known.evaluate([state, *(position for _, position in after)]).value
    reasons = list(known.explain(state)) if isinstance(known, Explainer) else []
    side = game.spec.side_of[state.seat]
    weighty = sorted(reasons, key=lambda reason: -abs(reason[1]))
    return {
        "value": [float(value) for value in values[0]],
        "features": [(str(name), float(weight)) for name, weight in weighty[:200]],
        "map": {
            state.text(move): float(value[side]) for (move, _), value in zip(after, values[1:], strict=True)
        },
        "preferences": preferences(known, state, side) if isinstance(known, Comparator) else [],
    }


def preferences(known: Comparator, state: State, side: Side) -> list[tuple[str, list[float]]]:
    """Each move with how surely what it leads to is preferred to what every move of the list leads to.

    The move that is preferred to most others comes first. Moves that end the game are not compared.
    """
    after = [(move, state.play(move)) for move in state.moves()]
    after = [(move, position) for move, position in after if not position.outcome()]
    pairs = list(combinations(range(len(after)), 2))
    if not pairs:
        return []
    sure = np.full((len(after), len(after)), 0.5)
    first, second = np.array(pairs).T
    sure[first, second] = known.prefer([after[a][1] for a in first], [after[b][1] for b in second], side)
    sure[second, first] = 1 - sure[first, second]
    best = np.argsort(-(sure > 0.5).sum(axis=1), kind="stable")
    return [(state.text(after[at][0]), sure[at, best].round(4).tolist()) for at in best]


def trained_players(run: str) -> list[tuple[str, str]]:
    """Games and players that use what a run has learnt: whatever knowledge can read its newest checkpoint.

    The search that suits the knowledge best comes first. None thinks for long: somebody wants to see what has
    been learnt.
    """
    found = []
    for name in games.names():
        game = games.get(name)
        for kind in roster.kinds():
            with suppress(RookeryError):
                source = KnowledgeName(kind, run)
                known = players.know(str(source), game)
                suits = ("puct",) if isinstance(known, PolicyEvaluator) else ("alphabeta", "comparison")
                for search in (*(f"{word}:time=1" for word in suits), "greedy"):
                    with suppress(RookeryError):
                        found.append((name, players.make(f"{search}+{source}", game).name))
    return found


def main() -> None:
    # Replies have the pipe for themselves: whatever a library prints goes to stderr.
    replies = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)
    confine(int(os.environ.get("ROOKERY_WORKER_MEMORY", 0)))
    lock = threading.Lock()

    def tell(reply: dict[str, Any]) -> None:
        try:
            with lock:
                replies.write(json.dumps(reply) + "\n")
                replies.flush()
        except BrokenPipeError:
            os._exit(0)  # The server was killed; nobody wants to hear of it.

    worker = Worker(tell)
    waiting: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin, worker, waiting), daemon=True).start()
    while True:
        worker.answer(waiting.get())


def _read(source: TextIO, worker: Worker, waiting: SimpleQueue[dict[str, Any]]) -> None:
    for text in source:
        request = json.loads(text)
        if request["do"] == "stop":
            worker.stop(request["id"])
        else:
            waiting.put(request)
    os._exit(0)  # The server has gone; nobody wants what is being thought about.


if __name__ == "__main__":
    main()
