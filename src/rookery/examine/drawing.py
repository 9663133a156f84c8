"""Players asked like knowledge of moves: how likely do they play each?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rookery import players, roster
from rookery.api import Evaluation, Game, Limit, Policy, PolicyEvaluator, State, Thinker
from rookery.errors import UnsupportedGame, quote
from rookery.names import KnowledgeName, PlayerName


class Drawn(PolicyEvaluator):
    """How likely a player draws each move; one that weighs none plays what it plays."""

    def __init__(self, player: Thinker) -> None:
        self._player = player

    def policy(self, states: Sequence[State]) -> Policy:
        return Policy.joined([self._think(state)[1] for state in states])

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        found = [self._think(state) for state in states]
        values = np.array([value for value, _ in found], np.float32)
        return Evaluation(values, Policy.joined([shares for _, shares in found]))

    def _think(self, state: State) -> tuple[tuple[float, ...], np.ndarray]:
        self._player.start(state.spec, state.seat, 0)
        result = self._player.think(state.view(state.seat), Limit())
        shares = result.policy or {result.move: 1.0}
        return result.value, np.array([shares.get(move, 0.0) for move in state.moves()])


def weighs_moves(name: str) -> bool:
    """Whether the player of that name says how likely it plays each move.

    >>> weighs_moves("pikl+chess/human"), weighs_moves("alphabeta+classical"), weighs_moves("uci:stockfish")
    (True, False, False)
    """
    said = PlayerName.parse(name)
    return not said.external and roster.weighs_moves(roster.search(said), said.knowledge)


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
    if not is_knowledge(name):
        rated = rating > 0 and players.imitates(name)
        return Drawn(players.make(players.rated(name, rating) if rated else name, game))
    known = players.know(players.told(name, rating), game)
    if not isinstance(known, PolicyEvaluator):
        raise UnsupportedGame(f"{quote(name)} gives no move probabilities")
    return known
