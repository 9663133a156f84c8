"""From samples to a verdict. No clock and no process here: the same samples always give the same words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from contestant import Sample
from rows import Row


@dataclass(frozen=True)
class Spread:
    """The median of several rounds, with the least and the most."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(median(values), min(values), max(values))


@dataclass(frozen=True)
class Result:
    """What one row came to. Round i of ours and round i of the peer's were measured one after the other."""

    row: Row
    ours: Sequence[Sample] = ()
    peers: Sequence[Sample] = ()
    instead: str = ""
    """What stands in place of a verdict, where there was nothing to judge."""

    @property
    def ratio(self) -> Spread | None:
        if not self.ours or not self.peers:
            return None
        pairs = zip(self.ours, self.peers, strict=True)
        return Spread.of([self._rate(ours) / self._rate(peer) for ours, peer in pairs])

    def rate(self, samples: Sequence[Sample]) -> Spread | None:
        """Units a second."""
        return Spread.of([self._rate(sample) for sample in samples]) if samples else None

    def _rate(self, sample: Sample) -> float:
        return sample.games_rate if self.row.unit == "games" else sample.rate

    @property
    def share(self) -> Spread | None:
        """How much of what arithmetic allows is reached, where the row says what that is."""
        rate = self.rate(self.ours)
        if self.row.limit is None or rate is None:
            return None
        return Spread.of([each / self.row.limit for each in (rate.median, rate.low, rate.high)])

    @property
    def judged(self) -> Spread | None:
        """The figure that the target speaks of: a ratio, units a second or microseconds a unit."""
        rate = self.rate(self.ours)
        if self.row.target is None or rate is None:
            return None
        match self.row.target.of:
            case "ratio":
                return self.ratio
            case "rate":
                return rate
            case "time":
                return Spread(1e6 / rate.median, 1e6 / rate.high, 1e6 / rate.low)

    @property
    def met(self) -> bool | None:
        """Whether the median reaches the target; None without a target or without a measurement."""
        if self.row.target is None or self.judged is None:
            return None
        if self.row.target.of == "time":
            return self.judged.median < self.row.target.bound
        return self.judged.median >= self.row.target.bound

    @property
    def verdict(self) -> str:
        if self.instead:
            return self.instead
        if self.row.target is None or self.judged is None:
            return "no target"
        if self.met:
            return "met"
        share = self.judged.median / self.row.target.bound
        return f"MISSED by {abs(1 - share) * 100:.0f} %"

    def record(self) -> dict[str, Any]:
        """Everything about the row, for JSON."""

        def spread(value: Spread | None) -> dict[str, float] | None:
            return asdict(value) if value else None

        def games(samples: Sequence[Sample]) -> float | None:
            return median(sample.games_rate for sample in samples) if samples else None

        return {
            "name": self.row.name,
            "what": self.row.what,
            "unit": self.row.unit,
            "peer": self.row.peer,
            "ours_per_second": spread(self.rate(self.ours)),
            "peer_per_second": spread(self.rate(self.peers)),
            "ours_games_per_second": games(self.ours) if self.row.task == "playouts" else None,
            "peer_games_per_second": games(self.peers) if self.row.task == "playouts" else None,
            "ratio": spread(self.ratio),
            "limit_per_second": self.row.limit,
            "share_of_limit": spread(self.share),
            "target": str(self.row.target) if self.row.target else None,
            "judged": spread(self.judged),
            "met": self.met,
            "verdict": self.verdict,
        }


def disagreement(ours: Sample, peer: Sample) -> str:
    """Why two counts of the same tree cannot be compared; empty if they can."""
    if ours.count == peer.count:
        return ""
    return f"the trees differ, {ours.count:,} leaves against {peer.count:,}"
