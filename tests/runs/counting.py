"""A learner that any test can afford: it adds random numbers to one weight."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from rookery import games, players
from rookery.api import Measure, Metrics, Player, Promise
from rookery.errors import BadOption
from rookery.seeds import generator
from rookery.weights import hash_of


class Counting:
    promise: ClassVar[Promise] = "exact"

    @dataclass(frozen=True)
    class Options:
        length: int = 10
        rate: float = 0.5
        mode: Literal["up", "down"] = "up"
        opponents: tuple[str, ...] = ("random",)
        fast: bool = False
        ceiling: float | None = None
        phases: Literal[1, 3] = 1
        extra: dict[str, float] | None = None
        """What no recipe can say."""
        store: str = ""
        """A file that it counts by."""

        def __post_init__(self) -> None:
            if self.length < 1:
                raise BadOption(f"length must be 1 or more (got {self.length})")

    def __init__(self, options: Options, seed: int) -> None:
        self.steps = options.length
        self._options, self._seed = options, seed
        self._rng = generator(seed, "counting")
        self.weight = 0.0

    def step(self, stop: object = None) -> Metrics:
        self.weight += self._options.rate * self._rng.random()
        return {"weight": self.weight}

    @staticmethod
    def measures(options: Options) -> dict[str, Measure]:
        return {"weight": Measure("Weight", "What it has counted to.")}

    @staticmethod
    def data(options: Options) -> dict[str, str]:
        return {"store": hash_of(Path(options.store))} if options.store else {}

    def player(self) -> Player:
        return players.make("random", games.get("go5"))

    def save(self, folder: Path) -> None:
        state = {"weight": self.weight, "rng": self._rng.bit_generator.state}
        (folder / "state.json").write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        state = json.loads((folder / "state.json").read_text())
        self.weight = state["weight"]
        self._rng.bit_generator.state = state["rng"]
