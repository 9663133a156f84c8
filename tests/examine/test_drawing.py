"""Players that weigh their moves, measured like knowledge of moves."""

import json

import numpy as np
import pytest
import small_store
from typer.testing import CliRunner

from rookery import games, players
from rookery.api import GameSpec, Limit, Seat, State
from rookery.cli import app
from rookery.errors import UnsupportedGame
from rookery.examine import drawing, moves
from rookery.examine.drawing import Drawn
from rookery.records.store import Store
from rookery.thinker import SearchPlayer

CHESS = games.get("chess")


class Seated:
    """A player, and the seeds that it was given."""

    def __init__(self, name: str) -> None:
        self._player, self.seeds = players.make(name, CHESS), list[int]()
        self.name, self.think, self.close = self._player.name, self._player.think, self._player.close

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        self.seeds.append(seed)
        self._player.start(spec, seat, seed)


def some_states(count: int) -> list[State]:
    return list(moves.draw(Store.open(small_store.folder()), None, count, 1, 1).positions.states)


def test_shares_are_those_that_the_search_gives() -> None:
    states = [CHESS.start(), CHESS.start("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")]
    player = Seated("pikl:nodes=300+chess/human:elo=1200")
    policy = Drawn(player).policy(states)
    evaluation = Drawn(player).evaluate(states)
    for place, (state, seed) in enumerate(zip(states, player.seeds[2:], strict=True)):
        player.start(state.spec, state.seat, seed)
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


@pytest.mark.parametrize(
    "name",
    [
        "uct:nodes=60",
        "rollouts:games=1",
        "puct:nodes=30+classical",
        "gumbel:nodes=30+classical",
        "uct:level=1",
        "alphabeta:level=1+pieces",
        "puct:nodes=2,level=7+chess/policy",
        "puct:level=3+chess/policy",
        "creative:level=2+pieces",
    ],
)
def test_who_looks_at_many_moves_and_plays_one_plays_that_one(name: str) -> None:
    """Visits, and what a search believes, are no probabilities to play a move."""
    player, state = Seated(name), CHESS.start()
    shares = np.asarray(Drawn(player).policy([state]).of(0))
    player.start(CHESS.spec, 0, player.seeds[0])
    move = player.think(state.view(0), Limit()).move
    assert shares.tolist() == [float(each == move) for each in state.moves()]


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "epsilon+pieces",
        "creative+pieces",
        "topk+chess/policy",
        "sample+chess/policy",
    ],
)
def test_who_draws_by_shares_is_told_by_them(name: str) -> None:
    shares = np.asarray(Drawn(players.make(name, CHESS)).policy([CHESS.start()]).of(0))
    assert (shares > 0).sum() > 1 and shares.sum() == pytest.approx(1)


def test_chance_is_another_at_each_position_and_time() -> None:
    states = some_states(60)
    hasty = Drawn(players.make("greedy:level=5+classical", CHESS))
    distracted = (hasty.evaluate(states).value == 0).all(axis=1)
    assert 0 < distracted.mean() < 0.3
    assert 0 < (hasty.evaluate([CHESS.start()] * 60).value == 0).all(axis=1).mean() < 0.3
    player = Seated("random")
    for _ in range(2):
        Drawn(player).policy([*states, states[0]])
    assert len(set(player.seeds)) == 61 and player.seeds[:61] == player.seeds[61:]


def test_players_who_are_told_the_same_are_one_and_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    monkeypatch.setattr(SearchPlayer, "close", lambda self: closed.append(self.name))
    with drawing.of_ratings("alphabeta:depth=1+pieces", CHESS) as asked:
        assert len({id(asked(rating)) for rating in range(0, 3000, 50)}) == 1
    with drawing.of_ratings("pikl:nodes=10+chess/human", CHESS) as asked:
        assert asked(2500) is asked(2790) is not asked(2240)
        assert asked(2240) is asked(2160)
        assert len(closed) == 1
    assert len(closed) == 3
    with drawing.of_ratings("chess/human", CHESS) as asked:
        assert asked(1500) is asked(1549) is not asked(1600)


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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["chess/human", "--pairs-file", "understanding", "--blunders", "random"],
            "--blunders goes with --on",
        ),
        (["pieces", "--pairs-file", "understanding", "--own-rating"], "--own-rating goes with --on"),
        (["pieces", "--pairs-file", "understanding", "--split", "game"], "--split goes with --on"),
        (["chess/human", "--on", "STORE", "--blunders", "random", "--own-rating"], "leave out --own-rating"),
        (["chess/policy", "--on", "STORE", "--own-rating"], "does not predict moves by rating"),
        (["material", "--on", "STORE", "--own-rating"], "does not predict moves by rating"),
        (["puct+chess/human", "--on", "STORE", "--own-rating"], "does not predict moves by rating"),
        (["pieces", "--on", "nowhere"], "'nowhere' does not exist"),
        (["pieces", "--on", "nowhere", "--blunders", "random"], "'nowhere' does not exist"),
    ],
)
def test_options_without_effect_are_refused(words: list[str], told: str) -> None:
    given = [small_store.folder() if word == "STORE" else word for word in words]
    done = CliRunner().invoke(app, ["examine", *given])
    assert done.exit_code != 0
    # The program itself tells errors in a line; here they come as they are.
    assert told in done.output + str(done.exception)


def test_the_command_asks_one_player_where_ratings_make_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, closed, make = list[str](), list[str](), players.make
    monkeypatch.setattr(players, "make", lambda name, game: made.append(name) or make(name, game))
    monkeypatch.setattr(SearchPlayer, "close", lambda self: closed.append(self.name))
    said = ["examine", "greedy+pieces", "--on", small_store.folder(), "--pairs", "40"]
    done = CliRunner().invoke(app, [*said, "--blunders", "alphabeta:depth=1+pieces", "--json"])
    assert done.exit_code == 0, done.output
    assert sorted(made) == sorted(closed) == ["alphabeta:depth=1+pieces", "greedy+pieces"]
