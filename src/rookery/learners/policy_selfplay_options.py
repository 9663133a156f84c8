"""What a recipe for `policy-selfplay` may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from rookery.errors import BadOption, quote
from rookery.learners import ranges


@dataclass(frozen=True)
class PolicySelfplayOptions:
    """A recipe's keys."""

    start: str = "chess/policy"
    """The policy network to begin with: one of the zoo, a run, or a file."""
    head: Literal["flat", "kept"] = "flat"
    """flat: a fresh one of 32 channels and a dense layer; kept: that of the network."""
    stores: tuple[str, ...] = ()
    """The stores of games in whose positions games begin, those that were won: folders that `rookery data`
    made. None: positions of random play, whose games nobody won."""
    positions: int = 100_000
    """Positions to begin from, half of them out of games that White won."""
    random_plies: int = 40
    """Without stores: the most random moves before a game begins."""
    labels: Literal["human", "own"] = "human"
    """human: what a move was worth depends on who won the recorded game too; own: on the game alone."""
    games: int = 102_400
    """To play in all, unless seconds bound them."""
    seconds: float = 0.0
    """Of playing and learning in all, measuring and saving aside; 0: games count."""
    rounds: int = 20
    """Parts of a run, after each of which it is measured and may be saved."""
    parallel_games: int = 4096
    """Games at a time."""
    update_games: int = 512
    """Finished games that are learnt from together, once."""
    max_plies: int = 350
    """Of a game after its start; then it is aborted."""
    batch: int = 1024
    """Positions in a training step."""
    learning_rate: float = 1e-4
    """Of Adam."""
    burn_in: int = 4096
    """Games of the network that it began with, from which a fresh head learns and nothing else does."""
    burn_in_rate: float = 1e-3
    """The learning rate meanwhile."""
    kl: float = 0.0
    """Weight of the divergence of the policy from that of the network it began with."""
    clip: float = 0.0
    """The longest gradient; 0: any."""
    evaluation_games: int = 200
    """Against the reference, which is replaced if more than half of the points are made, and against the
    network it began with; the two likeliest moves are drawn from."""
    rival_games: int = 0
    """Games after each round against alpha-beta of depth 4 by piece-square tables, without quiescence."""
    threads: int = 0
    """To play the games; 0 for one a core."""
    device: str = "auto"
    """auto, cpu, cuda or cuda:NUMBER."""
    graphs: bool = True
    """Whether work is recorded as CUDA graphs on a GPU."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("positions", 2, 10**7),
        ("random_plies", 0, 200),
        ("games", 1, 10**9),
        ("seconds", 0, 10**7),
        ("rounds", 1, 10**5),
        ("parallel_games", 1, 65536),
        ("update_games", 1, 10**6),
        ("max_plies", 1, 10_000),
        ("batch", 2, 10**6),
        ("learning_rate", 0, 10),
        ("burn_in", 0, 10**9),
        ("burn_in_rate", 0, 10),
        ("kl", 0, 1000),
        ("clip", 0, 10**6),
        ("evaluation_games", 2, 65536),
        ("rival_games", 0, 10_000),
        ("threads", 0, 256),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)
        if not re.fullmatch(r"auto|cpu|cuda(:\d{1,3})?", self.device):
            raise BadOption(f"device must be auto, cpu, cuda or cuda:NUMBER (got {quote(self.device)})")
        if self.rounds > self.games and not self.seconds:
            raise BadOption(f"rounds must be at most games, {self.games} (got {self.rounds})")
