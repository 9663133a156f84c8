"""Players asked like knowledge of moves: how likely do they play each?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from zlib import crc32

import numpy as np

from rookery import players, roster
from rookery.api import Evaluation, Game, Limit, Policy, PolicyEvaluator, State, Thinker
from rookery.errors import UnsupportedGame, quote
from rookery.names import KnowledgeName, PlayerName


class Drawn(PolicyEvaluator):
    """How likely a player plays each move, where it draws by the shares that it tells; any other plays the
    move that it plays."""

    def __init__(self, player: Thinker) -> None:
        self._player = player
        self._draws = draws(player.name)
        self._asked = 0

    def policy(self, states: Sequence[State]) -> Policy:
        return Policy.joined([self._think(state)[1] for state in states])

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        found = [self._think(state) for state in states]
        values = np.array([value for value, _ in found], np.float32)
        return Evaluation(values, Policy.joined([shares for _, shares in found]))

    def close(self) -> None:
        self._player.close()

    def _think(self, state: State) -> tuple[tuple[float, ...], np.ndarray]:
        # Chance is another each time, also for another player who is asked as often.
        self._player.start(state.spec, state.seat, crc32(f"{self._asked} {state}".encode()))
        self._asked += 1
        result = self._player.think(state.view(state.seat), Limit())
        shares = (result.policy if self._draws else None) or {result.move: 1.0}
        return result.value, np.array([shares.get(move, 0.0) for move in state.moves()])


def weighs_moves(name: str) -> bool:
    """Whether the player of that name says how likely it plays each move.

    >>> weighs_moves("pikl+chess/human"), weighs_moves("alphabeta+classical"), weighs_moves("uci:stockfish")
    (True, False, False)
    """
    said = PlayerName.parse(name)
    return draws(name) and roster.weighs_moves(roster.search(said), said.knowledge)


def draws(name: str) -> bool:
    """Whether the player of that name draws its move by the shares that its results give; one held back by a
    level chooses in a way of its own.

    >>> draws("puct+chess/policy"), draws("topk+chess/policy"), draws("creative:level=2+pieces")
    (False, True, False)
    """
    said = PlayerName.parse(name)
    return not said.external and roster.search(said).draws and "level" not in players.settings(name)


def takes_ratings(name: str) -> bool:
    """Whether knowledge or the player of that name can be told whom to predict.

    >>> takes_ratings("chess/human"), takes_ratings("pikl+chess/human"), takes_ratings("chess/policy")
    (True, True, False)
    """
    if not is_knowledge(name):
        return players.imitates(name)
    card = roster.known(KnowledgeName.parse(name)).card
    return card is not None and card.ratings is not None


def is_knowledge(name: str) -> bool:
    """Whether it names knowledge, and no player.

    >>> is_knowledge("chess/human:elo=1500"), is_knowledge("sample+chess/human"), is_knowledge("random")
    (True, False, False)
    """
    said = PlayerName.parse(name)
    if said.external or said.knowledge is not None:
        return False
    return KnowledgeName.parse(name).name in roster.knowledge() or said.word not in roster.searches()


def of_rating(name: str, rating: int, game: Game) -> PolicyEvaluator:
    """What knowledge thinks that people of that rating play, or what a player plays that is told the rating,
    if it can be.

    Raises:
        UnsupportedGame: it gives no move probabilities.
    """
    return _known(_told(name, rating), game)


@contextmanager
def of_ratings(name: str, game: Game) -> Iterator[Callable[[int], PolicyEvaluator]]:
    """The same for many ratings: one for each hundred, and for all hundreds that it cannot tell apart.
    Players are closed in the end."""
    made: dict[str, PolicyEvaluator] = {}

    def of(rating: int) -> PolicyEvaluator:
        told = _told(name, round(rating, -2))
        if told not in made:
            made[told] = _known(told, game)
        return made[told]

    try:
        yield of
    finally:
        for each in made.values():
            if isinstance(each, Drawn):
                each.close()


def _told(name: str, rating: int) -> str:
    """The name of the same, told the rating if it can be."""
    if is_knowledge(name):
        return players.told(name, rating)
    return players.rated(name, rating) if rating > 0 and players.imitates(name) else name


def _known(name: str, game: Game) -> PolicyEvaluator:
    if not is_knowledge(name):
        return Drawn(players.make(name, game))
    known = players.know(name, game)
    if not isinstance(known, PolicyEvaluator):
        raise UnsupportedGame(f"{quote(name)} gives no move probabilities")
    return known
