"""TD(0) by self-play on 5x5 Go: Mayer, "Board representations for neural Go players learning by temporal
difference", section II. The games are played and learnt from in native/learn/td.hpp."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rookery import games, native, players
from rookery.api import Limit, Measure, Metrics, Player, Promise
from rookery.errors import BadOption, CheckpointMismatch, Diverged, quote
from rookery.evaluators import td
from rookery.games.go import Go
from rookery.learners import ranges
from rookery.learners.state import fitting, read_state, whole
from rookery.names import PlayerName
from rookery.searches.greedy import Greedy
from rookery.seeds import generator
from rookery.thinker import SearchPlayer
from rookery.weights import FILE

NETS = "nets"
"""The folder of a checkpoint with the networks of all evaluations, each a file of weights."""


@dataclass(frozen=True)
class TdOptions:
    """What a recipe may say. All that the paper leaves open is said here; the defaults are our reading."""

    representation: Literal["koten", "katatsugi", "roban"] = "koten"
    """How the network sees the board: point by point, points with their neighbours, or 3x3 squares."""
    center: float = 0.2
    """katatsugi only: the weight of a point in its own input; only two decimals count."""
    neighbor: float = 0.2
    """katatsugi only: the weight of each neighbor in it; only two decimals count."""
    selection: Literal["creative", "epsilon"] = "creative"
    """How self-play chooses moves: creative, any nearly best one; epsilon, the best or a random one."""
    epsilon: float = 0.05
    """epsilon only: the share of moves that are played at random."""
    creativity: float = 0.05
    """creative only: how far below the best value a move's may lie, as a share of the best."""
    skip: Literal["t+1|t+2", "t+2", "t|t+2", "any", "none"] = "t+1|t+2"
    """epsilon only: after which random moves the update of the value after move t is skipped."""
    target: Literal["selected", "best"] = "selected"
    """Learn from the value of the move played, or of the best one."""
    difference: Literal["t+2", "t+1", "t+1 mover"] = "t+2"
    """The TD target of the value after move t. t+2: the same player's next value; t+1: 1 minus the opponent's
    value a move later; t+1 mover: the value before a move learns from that after it, both for its mover."""
    rewards: Literal["both", "last"] = "both"
    """Whose values learn from the final result: those of both players, or of the one who moved last."""
    learning_rate: float = 0.01
    """Learning rate (eta in the paper)."""
    input_learning_rate: float | None = None
    """Learning rate of the first layer, if it differs."""
    init: float = 1.0
    """Initial weights are uniform between minus this and this."""
    init_input: float | None = None
    """The same bound for the first layer, if it differs."""
    bias: bool = False
    """Whether units have a bias. By the number of weights in the paper, its networks have none."""
    tie_reward: float = 0.5
    """Reward of a tie, for both players."""
    scoring: Literal["territory", "area"] = "territory"
    """Whether territory or area is counted at the end."""
    dead_stones: Literal["none", "benson"] = "none"
    """Which stones are removed as dead before scoring; benson: those that Benson's algorithm finds."""
    ply_cap: int = 200
    """Games of more plies are scored as they stand."""
    games: int = 1_000_000
    """Self-play games in total."""
    evaluate_every: int = 50_000
    """Self-play games per step; the network is evaluated after each step."""
    evaluate_from: int | None = None
    """Also evaluate after this many games, and after twice as many each time until `evaluate_every`."""
    evaluation_games: int = 1_000
    """Evaluation games against each opponent, half of them with each colour; 0: no evaluation."""
    opponents: tuple[str, ...] = ("gojen", "naive", "random")
    """The opponents of an evaluation: random, naive, gojen or wally, each with its options."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("center", 0, 1),
        ("neighbor", 0, 1),
        ("epsilon", 0, 1),
        ("creativity", 0, 1),
        ("learning_rate", 0, 10),
        ("input_learning_rate", 0, 10),
        ("init", 0, 100),
        ("init_input", 0, 100),
        ("tie_reward", 0, 1),
        ("ply_cap", 2, 200),
        ("games", 1, 10**12),
        ("evaluate_every", 1, 10**9),
        ("evaluate_from", 1, 10**9),
        ("evaluation_games", 0, 10**9),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)
        for name in self.opponents:
            rival(name)


RIVALS: dict[str, Any] = {
    "random": native.Random,
    "naive": native.Naive,
    "gojen": native.Gojen,
    "wally": native.Wally,
}


def rival(name: str) -> Any:
    """The native rival that a player's name means: `naive`, `gojen:noise=40,attack=2`.

    Raises:
        BadOption: the player of this name is no native rival.
        UnknownName: there is no such player, or it has no such option.
    """
    word = PlayerName.parse(name).word
    if word not in RIVALS:
        raise BadOption(f"opponents: {quote(name)} is not offered; choose from {', '.join(RIVALS)}")
    players.make(name, games.get("go5"))  # says what is wrong with its options
    said = players.settings(name)
    if "level" in said:
        raise BadOption(f"opponents: {quote(name)} plays at full strength here; leave out its level")
    return RIVALS[word](**said)


class TdLearner:
    """One network that plays both colours against itself."""

    Options = TdOptions
    promise: ClassVar[Promise] = "exact"

    def __init__(self, options: TdOptions, seed: int) -> None:
        o = self._options = options
        self._seed = seed
        self._game = Go(5, scoring=o.scoring, dead_stones=o.dead_stones)
        self._learner = native.TdLearner(
            self._game.start().native,
            o.representation,
            int(generator(seed, "td", "self-play").integers(2**63)),
            bias=o.bias,
            init=o.init,
            init_input=o.init if o.init_input is None else o.init_input,
            selection=o.selection,
            epsilon=o.epsilon,
            creativity=o.creativity,
            skip=o.skip,
            target=o.target,
            difference=o.difference,
            rewards=o.rewards,
            center=o.center,
            neighbor=o.neighbor,
            tie_reward=o.tie_reward,
            ply_cap=o.ply_cap,
            eta=o.learning_rate,
            eta_input=o.learning_rate if o.input_learning_rate is None else o.input_learning_rate,
        )
        self._played = 0
        self._nets: dict[int, td.Layers] = {}

    @property
    def steps(self) -> int:
        o, early = self._options, 0
        while o.evaluate_from and o.evaluate_from << early < min(o.evaluate_every, o.games):
            early += 1
        return early - (-o.games // o.evaluate_every)

    @property
    def _next(self) -> int:
        """How many games it will have played when it is measured next."""
        o, played = self._options, self._played
        early = 2 * played if played else o.evaluate_from
        full = played + o.evaluate_every
        if o.evaluate_from and early and played < o.evaluate_every:
            full = min(early, o.evaluate_every)
        return min(full, o.games)

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """The games until it is measured next, and an evaluation."""
        layers, state = self._learner.weights(), self._learner.generator
        try:
            return self._step(stop)
        except BaseException:
            self._learner.set_weights(layers)
            self._learner.generator = state
            raise

    def _step(self, stop: Callable[[], bool] | None) -> Metrics:
        began = perf_counter()
        try:
            counts = self._learner.play(self._next - self._played, stop)
        except Diverged:
            raise Diverged(self._say_what_diverged()) from None
        seconds = perf_counter() - began
        played = self._played + counts.games
        measured = self._evaluate(played, stop)
        self._played = played
        self._nets[played] = self._learner.weights()
        return {
            "games": played,
            "games_per_second": round(counts.games / seconds),
            "td_error": counts.error / max(counts.updates, 1),
            "skipped": counts.skipped / max(counts.updates + counts.skipped, 1),
            "plies": counts.plies / counts.games,
            "capped": counts.capped / counts.games,
            "black_wins": counts.black_wins / counts.games,
            "ties": counts.ties / counts.games,
            **measured,
        }

    def _say_what_diverged(self) -> str:
        most, o = self._learner.max_weight, self._options
        layers = self._learner.weights()
        names = [name for name, rows in layers.items() if not (np.abs(rows) <= most).all()]
        what = f"weights of {', '.join(names)} are" if names else "a value of the network is"
        lower = f"lower learning_rate (it is {o.learning_rate:g}) or init (it is {o.init:g})"
        return f"{what} beyond {most:g}; {lower}"

    def _evaluate(self, played: int, stop: Callable[[], bool] | None) -> dict[str, float]:
        """Shares of games won at depth 1, by the paper's rules: no komi, territory, ties won by nobody."""
        each = self._options.evaluation_games
        if not each or not self._options.opponents:
            return {}
        net, start = self._net(), games.get("go5").start()
        shares = {}
        for name in self._options.opponents:
            # A path of its own for each evaluation: measuring draws nothing from the generator of learning.
            seed = int(generator(self._seed, "td", "evaluation", played, name).integers(2**63))
            met = native.td_duel(net, rival(name), start.native, each, seed, stop=stop)  # type: ignore[attr-defined]
            shares[f"strength_{name}"] = sum(met.wins) / each
        return {"strength": sum(shares.values()) / len(shares), **shares}

    @staticmethod
    def measures(options: TdOptions) -> dict[str, Measure]:
        each, opponents = options.evaluation_games, options.opponents
        judged = f"{each:,} games each after every step, at search depth 1; a tie is no win."
        return {
            "games": Measure("Self-play games", "How many games it has learnt from."),
            "strength": Measure(
                f"Win rate vs. {', '.join(opponents)}",
                f"Mean of the win rates against {len(opponents)} opponents that do not learn: {judged}",
                share=True,
                games=each * len(opponents),
            ),
            **{
                f"strength_{name}": Measure(f"Win rate vs. {name}", judged, share=True, games=each)
                for name in opponents
            },
            "games_per_second": Measure("Games per second", "Of self-play, evaluation not counted."),
            "td_error": Measure(
                "TD error",
                "Mean size of the difference that an update learns from. It need not fall: as the values move"
                " away from a half, so do the differences between them.",
            ),
            "skipped": Measure(
                "Updates skipped", "Share of updates left out after exploring moves.", share=True
            ),
            "plies": Measure("Game length", "Plies of a self-play game, on average."),
            "capped": Measure(
                "Games cut at the move limit",
                f"Share of self-play games of {options.ply_cap} plies, which are scored as they stand.",
                share=True,
            ),
            "black_wins": Measure("Black's win rate in self-play", "Ties are no wins.", share=True),
            "ties": Measure("Ties in self-play", "Share of self-play games.", share=True),
        }

    @staticmethod
    def data(options: TdOptions) -> dict[str, str]:
        return {}

    def player(self) -> Player:
        game = games.get("go5")
        return SearchPlayer("greedy+td", game, Greedy(game, td.Td.of(game, self._net())), Limit())

    def _net(self) -> native.TdNet:
        return native.TdNet(self._options.representation, self._learner.weights())

    def save(self, folder: Path) -> None:
        representation = self._options.representation
        td.write(folder / FILE, representation, self._learner.weights())
        (folder / NETS).mkdir(exist_ok=True)
        for played, layers in self._nets.items():
            td.write(folder / NETS / f"{played:09}.safetensors", representation, layers)
        state = {"games": self._played, "generator": self._learner.generator}
        (folder / "state.json").write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        state = read_state(folder / "state.json")
        layers = self._read(folder / FILE)
        nets: dict[int, td.Layers] = {}
        for path in sorted((folder / NETS).iterdir()):
            with fitting(path):
                nets[int(path.stem)] = self._read(path)
        with fitting(folder / "state.json"):
            played = whole(state, "games", 0, self._options.games)
            self._learner.generator = tuple(state["generator"])
        self._learner.set_weights(layers)
        self._played, self._nets = played, nets

    def _read(self, path: Path) -> dict[str, NDArray[np.float32]]:
        """The layers in a file, once they are known to make a network of this run."""
        representation, layers = td.read(path)
        if representation != self._options.representation:
            raise CheckpointMismatch(
                f"{path} holds {representation}, and the recipe says {self._options.representation}"
            )
        with fitting(path):
            net = native.TdNet(representation, dict(layers))
            if ("output_bias" in layers) != self._options.bias:
                raise ValueError("the recipe and the file differ about biases")
            return net.weights()


RENAMED = {
    "td": {
        "eta": "learning_rate",
        "eta_input": "input_learning_rate",
    }
}
"""What these options were called before; see `rookery.renamed`."""
LEARNERS = {"td": TdLearner}
