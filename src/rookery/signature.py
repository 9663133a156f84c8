"""A number made from fixed work with fixed seeds. It changes when a game, a search or knowledge behaves
otherwise than before, and never else.

The work is found, not listed: every game by its rules, and its positions by every search with every knowledge
that fits. Positions come from random games of fixed seeds, 30 of each game, and from `games/bench/GAME.txt`.
What is tried of a search is in its `bench`: options as in players' names, by turns. All that a search reports
goes in but seconds: each line with its depth, nodes and value. Bounds are of nodes and depth, so that the
work is the same on every machine.

Values are rounded to three digits. Our native code does the same at every processor level; what onnxruntime
makes of a network may differ between processors in the last bits, and so, once in a while, in a move.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from zlib import crc32

import numpy as np

from rookery import games, players, roster
from rookery.api import (
    Evaluation,
    Evaluator,
    Game,
    GameSpec,
    Info,
    Limit,
    Policy,
    PolicyWithQuickValues,
    State,
    Thinker,
)
from rookery.bench.work import native_games
from rookery.cards import zoo
from rookery.errors import BadOption, UnsupportedGame
from rookery.games.state import NativeState
from rookery.names import PlayerName
from rookery.seeds import generator
from rookery.thinker import SearchPlayer

POSITIONS = 30
"""From random games, of each game."""
_PLIES = 400
"""A random game is broken off there."""


@dataclass(frozen=True)
class Part:
    """What one game's rules, or one search with one knowledge in one game, came to."""

    game: str
    subject: str
    """`rules`, or SEARCH, or SEARCH+KNOWLEDGE; `+numbers` is knowledge of the signature's own."""
    mark: int
    """A number made from all that was seen."""
    nodes: int

    @property
    def search(self) -> str:
        return PlayerName.parse(self.subject).word


@dataclass(frozen=True)
class _Effort:
    """How much is asked of a search, beside what its options say."""

    limit: Limit
    positions: int = 1000
    moves: int = 1000
    """To choose from, the first ones."""


_NATIVE = _Effort(Limit())
_PYTHON = _Effort(Limit(nodes=40), moves=4)
_SLOW = _Effort(Limit(nodes=8, depth=1), positions=3, moves=3)
"""For knowledge that takes milliseconds a position."""


@dataclass(frozen=True)
class Work:
    """One search with one knowledge in one game."""

    subject: str
    players: Sequence[Thinker]
    """Alike but for options."""
    states: Sequence[State]
    effort: _Effort

    def run(self) -> Part:
        facts: list[object] = []
        nodes = 0
        for at, state in enumerate(self.states):
            only = state.moves()[: self.effort.moves]
            # One line or two, so that both ways are walked with all options.
            limit = replace(
                self.effort.limit,
                lines=1 + at // len(self.players) % 2,
                only=() if only == state.moves() else tuple(only),
            )
            nodes += _think(self.players[at % len(self.players)], state, limit, at, facts)
        return Part(self.states[0].spec.name, self.subject, _mark(facts), nodes)


def parts(chosen: Sequence[str] | None = None) -> Iterator[Part]:
    """The parts of these games, or of all."""
    for name in native_games() if chosen is None else chosen:
        yield _rules(name)
        for work in works(name):
            yield work.run()


def works(name: str) -> Iterator[Work]:
    """All that plays a game, and in which positions."""
    game, states = games.get(name), positions(name)
    slow = {name for name, card in zoo().items() if card.slow}

    def work(subject: str, made: Iterable[Thinker | None], effort: _Effort) -> Iterator[Work]:
        if fit := [player for player in made if player]:
            yield Work(subject, fit, states[:: max(1, len(states) // effort.positions)], effort)

    for word, search in roster.searches().items():
        yield from work(word, (_make(word, said, None, game) for said in search.bench), _NATIVE)
        for known in roster.knowledge():
            made = (_make(word, said, known, game) for said in search.bench)
            yield from work(f"{word}+{known}", made, _SLOW if known in slow else _NATIVE)
        yield from work(f"{word}+numbers", (_make_own(word, said, game) for said in search.bench), _PYTHON)


def total(found: Sequence[Part]) -> int:
    """One number for all. What parts are called does not count, so that it may change."""
    return _mark(sorted(part.mark for part in found))


def by_game(found: Sequence[Part]) -> dict[str, int]:
    """One number a game."""
    return {
        game: total([p for p in found if p.game == game]) for game in dict.fromkeys(p.game for p in found)
    }


def table(found: Sequence[Part]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """For people: what changed is a cell of this, a search in a game."""
    names = list(dict.fromkeys(p.game for p in found))
    rows = []
    for search in dict.fromkeys(p.search for p in found):
        cells = ([p for p in found if (p.search, p.game) == (search, game)] for game in names)
        rows.append((search, *(f"{total(cell):08x}"[:6] if cell else "" for cell in cells)))
    return ("signature of", *names), rows


def positions(name: str) -> list[State]:
    """Positions of a game from its first moves to its last, and those that it names itself."""
    game = games.get(name)
    return [_stage(game, at) for at in range(POSITIONS)] + [*map(game.start, games.bench_positions(name))]


# --- the work ----------------------------------------------------------------------------------------


def _stage(game: Game, at: int) -> State:
    """A position of one random game, the further on the higher the number."""
    walk = [state for state, _ in _walk(game, _PLIES, at)]
    return walk[len(walk) * at // POSITIONS]


def _walk(game: Game, plies: int, *path: int) -> Iterator[tuple[State, int]]:
    """The states and moves of a random game, always the same one."""
    rng, state = generator(1, "bench", game.spec.name, *path), game.start()
    for _ in range(plies):
        if not (moves := state.moves()):
            return
        move = moves[int(rng.integers(len(moves)))]
        yield state, move
        state = state.play(move)


def _rules(name: str) -> Part:
    """A game's move tree, its random games, one game in full."""
    game = games.get(name)
    native = cast(NativeState, game.start()).native
    played = native.playouts(20, 1)
    facts: list[object] = [native.perft(2), played.plies, played.draws, *played.wins]
    facts += [f"{state} {state.text(move)}" for state, move in _walk(game, 100)]
    return Part(name, "rules", _mark(facts), 0)


def _think(player: Thinker, state: State, limit: Limit, seed: int, facts: list[object]) -> int:
    def listen(info: Info) -> None:
        said = (info.depth, info.nodes, info.pv, info.rank, info.deepest, info.wins_in)
        facts.append((said, *map(_round, info.value)))

    player.start(state.spec, state.seat, seed)
    found = player.think(state.view(state.seat), limit, listen)
    policy = [(move, _round(share)) for move, share in sorted(found.policy.items())]
    facts.append((found.move, found.nodes, found.pv, policy, *map(_round, found.value)))
    return found.nodes


def _round(value: float) -> float:
    return round(float(value), 3) + 0.0  # no -0


def _mark(facts: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(facts).encode()).digest()[:4])


# --- who does it -------------------------------------------------------------------------------------


def _make(word: str, said: str, known: str | None, game: Game) -> Thinker | None:
    """The player with these options and this knowledge; None if it does not fit."""
    try:
        return players.make(_spell(word, said) + (f"+{known}" if known else ""), game)
    except (UnsupportedGame, BadOption):
        return None


def _make_own(word: str, said: str, game: Game) -> Thinker | None:
    """The same with numbers of our own for knowledge: so every search is seen in all games that it fits."""
    search: Any = roster.searches()[word]
    name = _spell(word, said)
    if not issubclass(Numbers, search.takes):
        return None
    given: dict[str, Any] = players.settings(name)
    limit = Limit(**{key: given.pop(key) for key in search.limits if key in given})
    try:
        return SearchPlayer(name, game, search(game, Numbers(game.spec), **given), limit)
    except (UnsupportedGame, BadOption):
        return None


def _spell(word: str, said: str) -> str:
    return f"{word}:{said}" if said else word


class Numbers(PolicyWithQuickValues):
    """Knowledge without pattern: a number for each position and each of its moves, exact in a float."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        value = np.zeros((len(states), self._spec.sides), np.float32)
        shares = []
        for row, state in enumerate(states):
            key, moves = crc32(str(state).encode()), state.moves()
            value[row] = -(key % 2048 - 1024) / 2048
            value[row, self._spec.side_of[state.seat]] *= -1
            # Some moves are far likelier than others.
            likely = 2.0 ** (np.array(moves, np.int64) * 40503 + key >> 5 & 7)
            shares.append(likely / likely.sum())
        return Evaluation(value, Policy.joined(shares))

    def quick_values(self) -> Evaluator:
        return self
