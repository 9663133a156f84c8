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
    """The initial policy network: one of the zoo, a run, or a file."""
    head: Literal["flat", "kept"] = "flat"
    """flat: a new head of 32 channels and a dense layer; kept: the head of the network."""
    stores: tuple[str, ...] = ()
    """Folders made by `rookery data import`: self-play starts from positions of their decisive games. None:
    from positions of random play."""
    split_seed: int = 1
    """Seed that decides which games are held out: none of them is started from."""
    positions: int = 100_000
    """Positions to start from, half of them out of games that White won."""
    random_plies: int = 40
    """Without stores: the most random moves before a game starts."""
    labels: Literal["human", "own"] = "human"
    """The label of a move. human: by the result of the recorded game too; own: by that of self-play alone."""
    games: int = 102_400
    """Self-play games in total, unless `seconds` limits them."""
    seconds: float = 0.0
    """Time of self-play and training in total, without evaluation and saving; 0: `games` decides."""
    rounds: int = 20
    """Parts of a run; after each of them the network is evaluated and can be saved."""
    parallel_games: int = 4096
    """Games played at a time."""
    update_games: int = 512
    """Finished games per update; each game is used once."""
    max_plies: int = 350
    """The most plies of a game after its start; then it is aborted."""
    batch: int = 1024
    """Positions per training step."""
    learning_rate: float = 1e-4
    """Learning rate (of Adam)."""
    burn_in: int = 4096
    """Games of the initial network on which only a new head is trained, first of all."""
    burn_in_rate: float = 1e-3
    """Learning rate of the burn-in."""
    kl: float = 0.0
    """Weight of the KL divergence from the initial policy."""
    clip: float = 0.0
    """Gradient clipping: the largest norm; 0: none."""
    evaluation_games: int = 200
    """Evaluation games against the reference, which is replaced if the network scores more than half of the
    points, and against the initial network; moves are sampled from the two likeliest."""
    rival_games: int = 0
    """Games after each round against alpha-beta of depth 4: piece-square tables, no quiescence search."""
    threads: int = 0
    """Threads that play the games; 0: one per core."""
    device: str = "auto"
    """auto, cpu, cuda or cuda:NUMBER."""
    graphs: bool = True
    """Whether work is recorded as CUDA graphs on a GPU."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("split_seed", 0, 2**62),
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
