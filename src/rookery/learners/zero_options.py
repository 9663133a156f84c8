"""What a recipe for `zero` may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from rookery.errors import BadOption, quote
from rookery.learners import ranges

EVEN_KOMI = {5: 24.0, 7: 9.0, 9: 7.0}
"""What makes games between perfect players even, as far as is known; komi is never centred beyond it."""


MOST_WINDOW = 16.0
"""Gigabytes of samples, of all sizes of board."""
MOST_TREES = 4.0
"""Gigabytes of search trees, of all games at a time."""


@dataclass(frozen=True)
class ZeroOptions:
    """A recipe's keys."""

    sizes: tuple[int, ...] = (5, 7, 9)
    """Board sizes to learn: some of 5, 7 and 9."""
    games: tuple[int, ...] = (128, 384, 768)
    """Games at a time for each size, in each of two groups: one is searched while the other is evaluated."""
    blocks: int = 6
    """Residual blocks of the network."""
    channels: int = 96
    """Channels of each convolution."""
    simulations: int = 32
    """Simulations per move of self-play."""
    max_considered: int = 16
    """The most moves that a search considers at the root."""
    c_scale: float = 0.5
    """How much values count against logits in the improved policy, as in the Gumbel AlphaZero paper."""
    score_weight: float = 0.2
    """How much the expected score counts beside winning in the value of a position."""
    opening: int = 6
    """The most moves that are played without a search at the start of a game."""
    batch: int = 1024
    """Samples per training step."""
    sample_reuse: float = 4.0
    """How often each sample is used for training, on average."""
    learning_rate: float = 1e-3
    """Learning rate; it falls to a tenth in the last two fifths of `minutes`."""
    weight_decay: float = 1e-3
    """Weight decay of the optimiser (AdamW)."""
    ema_decay: float = 0.998
    """Decay of the moving average of the weights over training steps; the average plays."""
    window: int = 100_000
    """The replay buffer grows sublinearly from this many samples."""
    capacity: int = 1_500_000
    """The most samples in the replay buffer, for each size."""
    step_samples: int = 16_384
    """New samples per step of the run."""
    max_steps: int = 100_000
    """Steps of the whole run; the time usually ends it."""
    minutes: float = 20.0
    """Length of the run, over which the learning rate falls."""
    checkpoint_samples: int = 100_000
    """Samples of the replay buffer that a checkpoint keeps."""
    measure_every: float = 120.0
    """Seconds between two evaluations by games against UCT."""
    threads: int = 0
    """Search threads; 0: one per core."""
    device: str = "auto"
    """auto, cpu, cuda or cuda:NUMBER."""
    graphs: bool = True
    """Whether CUDA graphs are used on a GPU."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("games", 1, 100_000),
        ("blocks", 1, 100),
        ("channels", 1, 4096),
        ("simulations", 2, 10_000),
        ("max_considered", 2, 10_000),
        ("c_scale", 0, 1000),
        ("score_weight", 0, 1),
        ("opening", 0, 1000),
        ("batch", 8, 10**6),
        ("sample_reuse", 0, 1000),
        ("learning_rate", 0, 10),
        ("weight_decay", 0, 10),
        ("ema_decay", 0, 1),
        ("window", 1, 10**9),
        ("capacity", 1, 10**9),
        ("step_samples", 1, 10**9),
        ("max_steps", 1, 10**9),
        ("minutes", 0.001, 10**6),
        ("checkpoint_samples", 0, 10**9),
        ("measure_every", 0, 10**9),
        ("threads", 0, 256),
    )

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.games) or not self.sizes:
            raise BadOption(f"games must be one number for each of sizes (got {list(self.games)})")
        for size in self.sizes:
            if size not in EVEN_KOMI:
                raise BadOption(f"sizes must be some of 5, 7 and 9 (got {list(self.sizes)})")
        if not re.fullmatch(r"auto|cpu|cuda(:\d{1,3})?", self.device):
            raise BadOption(f"device must be auto, cpu, cuda or cuda:NUMBER (got {quote(self.device)})")
        ranges.check(self, *self.RANGES)
        if self.batch < 8 * len(self.sizes):
            raise BadOption(f"batch must be 8 or more for each of sizes (got {self.batch})")
        area = [size * size for size in self.sizes]
        # Planes and owners of a byte a point, policies of two bytes a move; edges of 20 bytes.
        window = sum(self.capacity * (15 * points + 2 * (points + 1) + 8) for points in area)
        trees = sum(
            2 * games * (self.simulations + 1) * (20 * (points + 1) + 600)
            for games, points in zip(self.games, area, strict=True)
        )
        ranges.check_memory("the window of samples", window / 2**30, MOST_WINDOW, "capacity")
        ranges.check_memory("the search trees", trees / 2**30, MOST_TREES, "games or simulations")


RENAMED = {
    "zero": {
        "considered": "max_considered",
        "scale": "c_scale",
        "reuse": "sample_reuse",
        "rate": "learning_rate",
        "decay": "weight_decay",
        "averaging": "ema_decay",
        "rows": "step_samples",
        "length": "max_steps",
        "kept": "checkpoint_samples",
    }
}
"""What these options were called before; see `rookery.renamed`."""
