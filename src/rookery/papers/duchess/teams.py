"""Which team wins when both play alike, and why: by the first move, the board, the weights, or the search.

The odd team moves first. So the same players also begin with the even team to move, and with the weights of
the two teams exchanged; with weights that know no team, only the first move, the board and the search are
left. On the board the enemy beside an odd player moves next and the enemy beside an even player three plies
later, so how far both look ahead may matter: the weights that know no team play at several depths too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rookery import games, players, weights
from rookery.arena.game import play_game
from rookery.evaluators import linear
from rookery.evaluators.duchess_features import Features
from rookery.papers.measure import Measured, share
from rookery.papers.study import Done, Piece, Study
from rookery.seeds import generator
from rookery.weights import FILE

GAME = "duchess4"
RANDOM_MOVES = 4
FIRST = ("odd", "even")
"""Teams that may begin."""


@dataclass(frozen=True)
class Play:
    """Games of one set of weights against itself."""

    odd: int
    even: int
    neither: int
    plies: float
    """Of a game, in the mean."""

    @property
    def games(self) -> int:
        return self.odd + self.even + self.neither

    @property
    def share(self) -> Measured:
        """Of the odd team, in the games that somebody won."""
        won = self.odd + self.even
        return share(self.odd, won) if won else Measured(0.5, float("inf"))

    def __str__(self) -> str:
        return f"{self.odd}-{self.even}-{self.neither}"

    def __add__(self, other: Play) -> Play:
        plies = (self.games * self.plies + other.games * other.plies) / (self.games + other.games)
        return Play(self.odd + other.odd, self.even + other.even, self.neither + other.neither, plies)


def play_all(
    study: Study, knowledge: Mapping[str, str], searched: str, number: int, seed: int
) -> dict[tuple[str, str, bool], Play]:
    """By weights, team that begins, and whether the teams' weights are exchanged."""
    wanted = {
        f"{name}-{first}-first{'-exchanged' if exchanged else ''}": (name, first, exchanged)
        for name in knowledge
        for first in FIRST
        for exchanged in ((False,) if knowledge[name] == "initial" else (False, True))
    }
    pieces = {
        piece: _piece(f"teams/{piece}", knowledge[name], first, exchanged, searched, number, seed)
        for piece, (name, first, exchanged) in wanted.items()
    }
    return {wanted[piece]: Play(**told) for piece, told in study.do("teams", pieces).items()}


def play_at_depths(
    study: Study, start: str, searched: Mapping[int, str], number: int, seed: int
) -> dict[tuple[int, str], Play]:
    """By depth and team that begins; searches are given by their depth."""
    wanted = {f"depth{depth}-{first}-first": (depth, first) for depth in searched for first in FIRST}
    pieces = {
        piece: _piece(f"team-depths/{piece}", start, first, False, searched[depth], number, seed)
        for piece, (depth, first) in wanted.items()
    }
    return {wanted[piece]: Play(**told) for piece, told in study.do("team-depths", pieces).items()}


def _piece(
    place: str, start: str, first: str, exchanged: bool, searched: str, number: int, seed: int
) -> Piece:
    asked = {"place": place, "start": start, "first": first, "exchanged": exchanged}
    return Piece(play, {**asked, "searched": searched, "number": number, "seed": seed})


def play(
    place: str, start: str, first: str, exchanged: bool, searched: str, number: int, seed: int
) -> Done | dict[str, float]:
    """Games from random openings; which team won them."""
    game = games.get(GAME)
    rows = Features(4).initial() if start == "initial" else linear.read(weights.find(start), GAME)
    Path(place).mkdir(parents=True, exist_ok=True)
    linear.write(Path(place) / FILE, GAME, rows[[1, 0]] if exchanged else rows)
    name = f"{searched}+linear@{Path(place) / FILE}"
    seats = [players.make(name, game) for _ in range(game.spec.seats)]
    begin = str(game.start())
    if first == "even":
        begin = begin.replace(" t1 ", " t2 ", 1)
    wins: Counter[str] = Counter()
    plies = 0
    for one in range(number):
        # The same openings whoever begins, as far as they can be the same.
        rng = generator(seed, "teams", one)
        opening: list[str] = []
        state = game.start(begin)
        while len(opening) < RANDOM_MOVES:
            moves = state.moves()
            move = moves[int(rng.integers(len(moves)))]
            opening.append(state.text(move))
            state = state.play(move)
        record = play_game(game, seats, seed=one, start=begin, opening=opening)
        worth = record.outcome.values[0]
        wins["odd" if worth > 0 else "even" if worth < 0 else "neither"] += 1
        plies += record.plies
    return {"odd": wins["odd"], "even": wins["even"], "neither": wins["neither"], "plies": plies / number}
