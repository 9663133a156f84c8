"""What a recipe for `policy` may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from rookery.errors import BadOption, quote
from rookery.learners import ranges


@dataclass(frozen=True)
class PolicyOptions:
    """A recipe's keys."""

    stores: tuple[str, ...] = ()
    """The games to learn from: folders made by `rookery data import`."""
    split_seed: int = 1
    """Which games are held out; the same in all runs that are to be compared."""
    start: str = "initial"
    """The initial network: `initial` for random weights, or a file, a run or one of the zoo, of the same
    shape."""
    encoder: Literal["chess-planes-41", "chess-squares-1"] = "chess-planes-41"
    """What the network sees: three boards, or one from the mover's side, the last move and both ratings."""
    trunk: Literal["residual", "plain", "dense"] = "residual"
    """plain: without residual connections; dense: three linear layers of 4 x channels."""
    blocks: int = 3
    """Blocks of two convolutions each."""
    channels: int = 256
    """Channels of each convolution."""
    squeeze: int = 0
    """Units of squeeze-excitation in each block; 0: none."""
    head: Literal["pooling", "average", "flat", "pairs"] = "pooling"
    """pooling: 2 x 2 maximum and a dense layer; average: over the whole board; flat: 32 channels and a dense
    layer; pairs: a score for each pair of squares."""
    norm: bool = True
    """Whether to use batch normalisation."""
    loss: Literal["legal", "all", "cross-entropy"] = "legal"
    """Binary cross-entropy over the legal moves, or over all moves; or cross-entropy over the legal moves."""
    outcome_weight: float = 0.3
    """Weight of the loss of the result (win, draw or loss), where the network predicts it."""
    unrated: float = 0.02
    """The share of positions shown without ratings, so that the network can do without them."""
    sampling: Literal["plain", "bands", "strong"] = "plain"
    """How positions are sampled. plain: uniformly; bands: every 100 points of rating equally often, those
    below 1400 and those from 2700 as one band; strong: movers from 2300 three times as often."""
    first_ply: int = 0
    """No positions are taken before this ply."""
    batch: int = 100
    """Positions per training step."""
    batches: int = 90_000
    """Training steps, unless `seconds` limits them."""
    seconds: float = 0.0
    """Training time in total, without evaluation and saving; the learning rate falls by the clock. 0:
    `batches` decides."""
    rounds: int = 18
    """Parts of a run; after each of them the network is evaluated and can be saved."""
    schedule: Literal["constant", "cosine"] = "constant"
    """cosine: the learning rate falls to a thousandth."""
    learning_rate: float = 1e-3
    """Learning rate at the start, or after the warm-up."""
    warmup: float = 0.0
    """The share of the run in which the learning rate rises from 0."""
    optimiser: Literal["adam", "muon"] = "adam"
    """muon: the steps of the convolutions in blocks are made orthogonal; all else as Adam."""
    weight_decay: float = 0.0
    """Weight decay, of all weights but biases."""
    clip: float = 0.0
    """Gradient clipping: the largest norm; 0: none."""
    average: float = 0.0
    """Decay of the moving average of the weights, which is what is kept; 0: no average."""
    evaluation_positions: int = 200_000
    """Positions of held-out games in the last evaluation; a tenth of them after each round."""
    threads: int = 0
    """Threads that replay the games; 0: one per core."""
    device: str = "auto"
    """auto, cpu, cuda or cuda:NUMBER."""
    graphs: bool = True
    """Whether small batches are recorded as CUDA graphs on a GPU."""
    compiled: bool = True
    """Whether the network is compiled on a GPU, where that is quicker."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("split_seed", 0, 2**62),
        ("blocks", 1, 100),
        ("channels", 1, 2048),
        ("squeeze", 0, 2048),
        ("outcome_weight", 0, 100),
        ("unrated", 0, 1),
        ("first_ply", 0, 500),
        ("batch", 2, 10**6),
        ("batches", 1, 10**9),
        ("seconds", 0, 10**7),
        ("rounds", 1, 10**5),
        ("learning_rate", 0, 10),
        ("warmup", 0, 1),
        ("weight_decay", 0, 10),
        ("clip", 0, 10**6),
        ("average", 0, 0.999999),
        ("evaluation_positions", 10, 10**7),
        ("threads", 0, 256),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)
        if not re.fullmatch(r"auto|cpu|cuda(:\d{1,3})?", self.device):
            raise BadOption(f"device must be auto, cpu, cuda or cuda:NUMBER (got {quote(self.device)})")
        if self.rounds > self.batches:
            raise BadOption(f"rounds must be at most batches, {self.batches} (got {self.rounds})")
        if self.trunk == "dense" and (self.head != "pooling" or self.encoder != "chess-planes-41"):
            raise BadOption("trunk = dense has a head and an encoder of its own; leave both as they are")
