"""Players that weigh their moves, measured like knowledge of moves."""

import json

import numpy as np
import pytest
import small_store
from typer.testing import CliRunner

from rookery import games, players
from rookery.api import Limit
from rookery.cli import app
from rookery.errors import UnsupportedGame
from rookery.examine import drawing, moves
from rookery.examine.drawing import Drawn
from rookery.records.store import Store

CHESS = games.get("chess")


def test_shares_are_those_that_the_search_gives() -> None:
    states = [CHESS.start(), CHESS.start("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")]
    player = players.make("pikl:nodes=300+chess/human:elo=1200", CHESS)
    policy = Drawn(player).policy(states)
    evaluation = Drawn(player).evaluate(states)
    for place, state in enumerate(states):
        player.start(state.spec, state.seat, 0)
        result = player.think(state.view(0), Limit())
        expected = [result.policy[move] for move in state.moves()]
        assert policy.of(place) == pytest.approx(expected, rel=1e-6) and len(set(expected)) > 1
        assert evaluation.policy is not None and evaluation.policy.of(place) == pytest.approx(expected)
        assert evaluation.value[place] == pytest.approx(result.value, abs=1e-6)


def test_knowledge_and_players_are_told_the_rating() -> None:
    state = CHESS.start()

    def shares(known: object) -> list[float]:
        assert isinstance(known, moves.PolicyEvaluator)
        return np.asarray(known.policy([state]).of(0)).tolist()

    assert shares(drawing.of_rating("chess/human", 2100, CHESS)) == shares(
        players.know("chess/human:elo=2100", CHESS)
    )
    name = "pikl:nodes=300+chess/human"
    assert shares(drawing.of_rating(name, 2100, CHESS)) == shares(
        Drawn(players.make(players.rated(name, 2100), CHESS))
    )
    assert shares(drawing.of_rating(name, 0, CHESS)) == shares(Drawn(players.make(name, CHESS)))
    with pytest.raises(UnsupportedGame, match="no move probabilities"):
        drawing.of_rating("classical", 1500, CHESS)


def test_a_player_that_weighs_no_moves_plays_one_for_certain() -> None:
    name = "alphabeta:depth=2+classical"
    state = CHESS.start("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    found = np.asarray(drawing.of_rating(name, 1500, CHESS).policy([state]).of(0))
    assert found.tolist() == [float(state.text(move) == "a1a8") for move in state.moves()]


def test_each_move_is_asked_of_who_is_rated_as_its_player() -> None:
    task = moves.draw(Store.open(small_store.folder()), None, 40, 1, 1)
    asked: list[int] = []

    def knowledge(rating: int) -> Drawn:
        asked.append(rating)
        return known

    known = Drawn(players.make("sample+chess/human", CHESS))
    moves.measure(task, knowledge)
    assert asked == task.ratings.tolist() and len(set(asked)) > 1


def test_a_player_is_examined_at_each_movers_own_rating() -> None:
    def run(*more: str) -> dict[str, float]:
        said = ["examine", "pikl:nodes=100+chess/human", "--on", str(small_store.folder()), "--pairs", "12"]
        done = CliRunner().invoke(app, [*said, *more, "--json"])
        assert done.exit_code == 0, done.output
        policy: dict[str, float] = json.loads(done.stdout)["policy"]
        return policy

    own, usual = run("--own-rating"), run()
    assert own["positions"] == usual["positions"] == 12
    assert own["cross_entropy"] != usual["cross_entropy"]
