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
    """The store of games to learn from: a folder that `rookery data` made."""
    net: Literal["full", "small"] = "full"
    """full: 773-600-400-200-100 and 400-200-100-2; small: 773-100-100-100 and 100-100-2."""
    teacher: str = ""
    """Distil this network, a file or a run; empty: learn from who won."""
    split_seed: int = 1
    """Which games and positions are held out; the same in all runs that are to be compared."""
    positions_per_game: int = 10
    """Random positions of each decided game."""
    first_ply: int = 10
    """No position is taken before it."""
    quiet: bool = True
    """Whether only positions are taken where the move played is no capture."""
    resample: int = 0
    """Epochs after which other positions of the same games are taken; 0: never."""
    colour_flip: bool = False
    """Whether half of the pairs are shown with colours exchanged."""
    dropout: float = 0.0
    """Share of the first layer's units that are left out of each batch."""
    schedule: Literal["cosine", "paper"] = "cosine"
    """cosine: AdamW, whose learning rate falls to a hundredth. paper: SGD with momentum 0.9, whose learning
    rate is multiplied by sqrt(batch / 256) and falls by a factor with every epoch."""
    epochs: int = 200
    """Of comparing positions, or of distilling what a teacher says of them."""
    pairs: int = 1_000_000
    """New random pairs in an epoch."""
    batch: int = 4096
    """Pairs in a training step."""
    learning_rate: float = 1e-3
    """At the start of it."""
    learning_rate_decay: float = 0.99
    """paper: its factor with every epoch."""
    warmup: float = 0.5
    """Epochs in which it rises from 0."""
    weight_decay: float = 1e-4
    """cosine: of all weights but biases."""
    pretrain_epochs: int = 10
    """Of the autoencoder of each layer; with a teacher, of mimicking its embedding."""
    pretrain_learning_rate: float = 1e-3
    """The same for these."""
    pretrain_learning_rate_decay: float = 0.98
    """paper: the same for these."""
    scalar_epochs: int = 20
    """Of the head that gives one number a position, at last, on the embedding as it is then."""
    minutes: float = 0.0
    """Stages end early, and learning rates fall faster, so that all is done in that time; 0: epochs count."""
    evaluate_every: int = 1
    """Epochs between two measurements by pairs of positions that were held out."""
    evaluation_pairs: int = 50_000
    """Pairs of each kind to measure by."""
    threads: int = 0
    """To take positions out of the store; 0 for one a core."""
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
