"""What a recipe for `deepchess` may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from rookery.errors import BadOption, quote
from rookery.learners import ranges


@dataclass(frozen=True)
class DeepChessOptions:
    """A recipe's keys."""

    store: str = ""
    """The games to learn from: a folder made by `rookery data import`."""
    net: Literal["full", "small"] = "full"
    """Layers of embedding and comparison. full: 773-600-400-200-100 and 400-200-100-2; small: 773-100-100-100
    and 100-100-2."""
    teacher: str = ""
    """The network to distil, a file or a run; empty: learn from the results of games."""
    split_seed: int = 1
    """Which games and positions are held out; the same in all runs that are to be compared."""
    positions_per_game: int = 10
    """Random positions taken from each decisive game."""
    first_ply: int = 10
    """No positions are taken before this ply."""
    quiet: bool = True
    """Whether to take only positions in which the move played is not a capture."""
    resample: int = 0
    """Epochs after which new positions are taken from the same games; 0: never."""
    colour_flip: bool = False
    """Whether half of the pairs are shown with colours swapped."""
    dropout: float = 0.0
    """Dropout rate of the first layer, for each batch."""
    schedule: Literal["cosine", "paper"] = "cosine"
    """cosine: AdamW, whose learning rate falls to a hundredth. paper: SGD with momentum 0.9, whose learning
    rate is multiplied by sqrt(batch / 256) and falls by a factor with every epoch."""
    epochs: int = 200
    """Epochs of training on pairs, or of distillation."""
    pairs: int = 1_000_000
    """New random pairs per epoch."""
    batch: int = 4096
    """Pairs per training step."""
    learning_rate: float = 1e-3
    """Learning rate at the start."""
    learning_rate_decay: float = 0.99
    """paper only: factor on the learning rate after every epoch."""
    warmup: float = 0.5
    """Epochs in which the learning rate rises from 0."""
    weight_decay: float = 1e-4
    """cosine only: weight decay, of all weights but biases."""
    pretrain_epochs: int = 10
    """Epochs of pretraining each layer as an autoencoder; with a teacher, of imitating its embedding."""
    pretrain_learning_rate: float = 1e-3
    """Learning rate of pretraining, at the start."""
    pretrain_learning_rate_decay: float = 0.98
    """paper only: factor on the learning rate of pretraining after every epoch."""
    scalar_epochs: int = 20
    """Epochs of the head that gives one number per position, trained last, on the fixed embedding."""
    minutes: float = 0.0
    """Time limit: stages end early, and learning rates fall faster, to keep it; 0: the epochs decide."""
    evaluate_every: int = 1
    """Epochs between two evaluations on held-out pairs."""
    evaluation_pairs: int = 50_000
    """Held-out pairs of each kind per evaluation."""
    threads: int = 0
    """Threads that take positions out of the store; 0: one per core."""
    device: str = "auto"
    """auto, cpu, cuda or cuda:NUMBER."""
    graphs: bool = True
    """Whether CUDA graphs are used on a GPU."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("split_seed", 0, 2**62),
        ("positions_per_game", 1, 500),
        ("first_ply", 0, 500),
        ("resample", 0, 10**6),
        ("dropout", 0, 0.9),
        ("epochs", 1, 10**6),
        ("pairs", 1, 10**9),
        ("batch", 2, 10**6),
        ("learning_rate", 0, 10),
        ("learning_rate_decay", 0, 1),
        ("warmup", 0, 1000),
        ("weight_decay", 0, 10),
        ("pretrain_epochs", 0, 10**6),
        ("pretrain_learning_rate", 0, 10),
        ("pretrain_learning_rate_decay", 0, 1),
        ("scalar_epochs", 0, 10**6),
        ("minutes", 0, 10**6),
        ("evaluate_every", 1, 10**6),
        ("evaluation_pairs", 1, 10**7),
        ("threads", 0, 256),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)
        if not re.fullmatch(r"auto|cpu|cuda(:\d{1,3})?", self.device):
            raise BadOption(f"device must be auto, cpu, cuda or cuda:NUMBER (got {quote(self.device)})")
        if self.batch > self.pairs:
            raise BadOption(f"batch must be at most pairs, {self.pairs} (got {self.batch})")
