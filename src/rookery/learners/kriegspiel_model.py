"""A model of an opponent of Kriegspiel from games: D_w(p, t) and D_b(p, t) of Ciancarini and Favini, AIJ 174
(2010), section 4. For each colour and kind of piece: how likely one stands on each square after so many of
that colour's moves, counted over games of a mixed pool of players, or of one opponent, and smoothed over
neighbouring squares and times."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rookery import games, players, weights
from rookery.api import GameRecord, Limit, Measure, Metrics, Player, Promise
from rookery.arena.game import play_game
from rookery.arena.record import read as read_record
from rookery.errors import BadOption, CheckpointMismatch, Interrupted, describe, quote
from rookery.evaluators import opponent_model
from rookery.evaluators.opponent_model import SHAPE, TIMES
from rookery.games.chess import board_rows
from rookery.learners import ranges
from rookery.learners.state import fitting, read_state, whole
from rookery.names import PlayerName
from rookery.seeds import generator
from rookery.weights import FILE

COUNTS = "counts.safetensors"
"""The file of a checkpoint with what was counted, before it is smoothed."""
_KINDS = "PNBRQK"
_SETTLED = 20
"""Moves after which pieces stand, by tables that know no time, as they do on average."""


@dataclass(frozen=True)
class ModelOptions:
    """What a recipe may say."""

    players: tuple[str, ...] = ("sergeant", "random")
    """Who plays the games: each plays each, itself too, by turns."""
    opponent: str = ""
    """Count only the pieces of this player, by its name; empty: of everybody."""
    games: int = 2000
    """Games of self-play in all; with records, how many of their games at most."""
    step_games: int = 100
    """Games in a step."""
    records: tuple[str, ...] = ()
    """Files of games from `rookery match`, to count instead of playing."""
    priors: str = ""
    """A file of piece-square tables over whole games (JSON: `tables` with `wP` ... `bK`, 64 numbers each)."""
    priors_share: float = 0.25
    """How much those tables count against the games."""
    smoothing: float = 0.5
    """What share of a square goes to its neighbours after 40 moves; it grows from 0 at the start."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("games", 1, 10**9),
        ("step_games", 1, 10**9),
        ("priors_share", 0, 1),
        ("smoothing", 0, 1),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)
        if not self.players and not self.records:
            raise BadOption("players must name somebody, or records some games")
        for name in (*self.players, *([self.opponent] if self.opponent else [])):
            players.make(name, games.get("kriegspiel")).close()


class ModelLearner:
    """Counts where pieces stand."""

    Options = ModelOptions
    promise: ClassVar[Promise] = "exact"

    def __init__(self, options: ModelOptions, seed: int) -> None:
        self._options, self._seed = options, seed
        self._game = games.get("kriegspiel")
        self._counts = np.zeros(SHAPE, np.float32)
        """How often a piece stood there; whole numbers, so that no order of adding matters."""
        self._seen = np.zeros((2, TIMES), np.float32)
        """How many games of each colour came so far."""
        self._played = 0
        self._recorded = recorded(options.records, options.opponent) if options.records else None
        self._priors = _read_priors(options.priors) if options.priors else None

    @property
    def _total(self) -> int:
        most = self._options.games
        return most if self._recorded is None else min(most, len(self._recorded))

    @property
    def steps(self) -> int:
        return -(-self._total // self._options.step_games)

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """`step_games` games, or those that are left."""
        began = perf_counter()
        count = min(self._options.step_games, self._total - self._played)
        counts, seen, plies, losses = np.zeros_like(self._counts), np.zeros_like(self._seen), 0, []
        known = self.density()
        for number in range(self._played, self._played + count):
            if stop is not None and stop():
                raise Interrupted("the step was given up")
            record = self._recorded[number] if self._recorded is not None else self._play(number)
            plies += record.plies
            for seat, time, pieces in _placements(
                self._game.start(record.start), record, self._options.opponent
            ):
                counts[seat, :, time] += pieces
                seen[seat, time] += 1
                losses.append(-np.log((known[seat, 5, time] * pieces[5]).sum() + 1e-4))
        self._counts += counts
        self._seen += seen
        self._played += count
        return {
            "games": self._played,
            "games_per_second": round(count / max(perf_counter() - began, 1e-9), 1),
            "king_loss": float(np.mean(losses)) if losses else 0.0,
            "plies": plies / count,
        }

    def _play(self, number: int) -> GameRecord:
        """One game as far as the model reaches. Each pair of players meets in turn, with both colours."""
        names = self._options.players
        pairs = [(first, second) for first in names for second in names]
        seated = [players.make(name, self._game) for name in pairs[number % len(pairs)]]
        seed = int(generator(self._seed, "kriegspiel-model", number).integers(2**31))
        try:
            return play_game(self._game, seated, Limit(), seed, max_plies=2 * TIMES)
        finally:
            for player in seated:
                player.close()

    def density(self) -> NDArray[np.float32]:
        """The model by the games so far."""
        found = np.zeros(SHAPE, np.float32)
        for seat in (0, 1):
            for time in range(TIMES):
                if self._seen[seat, time]:
                    found[seat, :, time] = self._counts[seat, :, time] / self._seen[seat, time]
                elif time:  # no game came so far
                    found[seat, :, time] = found[seat, :, time - 1]
        found = smoothed(found, self._options.smoothing)
        if self._priors is not None:
            share = self._options.priors_share if self._seen.any() else 1.0
            found = (1 - share) * found + share * self._priors
        return np.clip(found, 0, 1).astype(np.float32)

    @staticmethod
    def measures(options: ModelOptions) -> dict[str, Measure]:
        return {
            "games": Measure("Games", "How many games were counted."),
            "king_loss": Measure(
                "Surprise by the King",
                "Mean of -log of how likely the model so far held the King's square, in nats.",
            ),
            "games_per_second": Measure(
                "Games per second", "Played, as far as the model reaches, and counted."
            ),
            "plies": Measure(
                "Game length", f"Plies of a game on average; played ones end after {2 * TIMES}."
            ),
        }

    @staticmethod
    def data(options: ModelOptions) -> dict[str, str]:
        named = {f"record {n}": path for n, path in enumerate(options.records, 1)}
        if options.priors:
            named["priors"] = options.priors
        return {name: weights.hash_of(_file(path)) for name, path in named.items()}

    def player(self) -> Player:
        """Nobody plays by a model alone: the first of the pool."""
        return players.make(self._options.players[0] if self._options.players else "sergeant", self._game)

    def save(self, folder: Path) -> None:
        facts = {
            "games": self._played,
            "players": list(self._options.players),
            "opponent": self._options.opponent,
        }
        opponent_model.write(folder / FILE, self.density(), facts)
        weights.write(
            folder / COUNTS,
            "kriegspiel-model-counts",
            opponent_model.VERSION,
            {},
            {"counts": self._counts, "seen": self._seen},
        )
        (folder / "state.json").write_text(json.dumps({"games": self._played}))

    def load(self, folder: Path) -> None:
        path = folder / COUNTS
        _, arrays = weights.read(path, "kriegspiel-model-counts", opponent_model.VERSION)
        with fitting(path):
            counts, seen = arrays["counts"], arrays["seen"]
            if counts.shape != SHAPE or seen.shape != (2, TIMES):
                raise CheckpointMismatch(f"{path} holds counts of another shape")
        state = read_state(folder / "state.json")
        with fitting(folder / "state.json"):
            played = whole(state, "games", 0, self._total)
        self._counts, self._seen, self._played = counts.copy(), seen.copy(), played


# --- counting -----------------------------------------------------------------------------------------


def _placements(
    state: Any, record: GameRecord, opponent: str
) -> Iterator[tuple[int, int, NDArray[np.float32]]]:
    """Colour, moves made by it and its pieces, [6, 64]: at the start, and after each of its moves."""
    counted = [not opponent or _same(name, opponent) for name in record.players]
    made = [0, 0]
    for seat in (0, 1):
        if counted[seat]:
            yield seat, 0, _pieces(state.view(seat).men)
    for text in record.moves:
        seat = state.seat
        state = state.play(state.parse(text))
        if not state.stood:
            continue
        made[seat] += 1
        if made[seat] < TIMES and counted[seat]:
            yield seat, made[seat], _pieces(state.view(seat).men)
        if min(made) >= TIMES:
            return


def _pieces(men: str) -> NDArray[np.float32]:
    found = np.zeros((6, 64), np.float32)
    for row, marks in enumerate(board_rows(men)):
        for file, mark in enumerate(marks):
            if mark != ".":
                found[_KINDS.index(mark.upper()), 8 * (7 - row) + file] = 1
    return found


def _same(name: str, opponent: str) -> bool:
    return str(PlayerName.parse(name)) == str(PlayerName.parse(opponent))


def smoothed(density: NDArray[np.float32], most: float) -> NDArray[np.float32]:
    """Each square gives a share to those around it, the more the later; each time a quarter to the next.

    Nothing is lost at the edges. Pawns stay off the first rank and the last.
    """
    allowed = np.ones((6, 8, 8), np.float32)
    allowed[0, [0, 7]] = 0
    room = np.ones_like(allowed)
    room = _around(room * allowed)  # how many neighbours a square of each kind gives to
    shares = most * np.arange(TIMES, dtype=np.float32)[:, None, None] / TIMES
    boards = density.reshape(2, 6, TIMES, 8, 8)
    given = (shares * boards / np.maximum(room, 1)[None, :, None]).astype(np.float32)
    spread = boards * (1 - shares) + _around(given) * allowed[None, :, None]
    timed = spread.copy()
    timed[:, :, 1:-1] = spread[:, :, :-2] / 4 + spread[:, :, 1:-1] / 2 + spread[:, :, 2:] / 4
    return timed.reshape(SHAPE).astype(np.float32)


def _around(boards: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sums over the neighbours of each square, on the last two axes."""
    wide = np.pad(boards, [(0, 0)] * (boards.ndim - 2) + [(1, 1), (1, 1)])
    total = np.zeros_like(boards)
    for dy in range(3):
        for dx in range(3):
            if (dy, dx) != (1, 1):
                total += wide[..., dy : dy + 8, dx : dx + 8]
    return total


# --- what is read -------------------------------------------------------------------------------------


def _file(path: str) -> Path:
    found = Path(path)
    if not found.is_file():
        raise BadOption(f"{quote(path)} is no file")
    return found


def recorded(records: Sequence[str], opponent: str = "") -> Sequence[GameRecord]:
    """The games in records of matches; opponent: those that this player played.

    Raises:
        BadOption: there are none.
    """
    found: list[GameRecord] = []
    for path in records:
        header, played = read_record(_file(path))
        if header["game"] != "kriegspiel":
            raise BadOption(f"{path} holds games of {header['game']}, not of kriegspiel")
        found += [one.record for one in played]
    if opponent:
        found = [one for one in found if any(_same(name, opponent) for name in one.players)]
    if not found:
        raise BadOption(f"records: there are no games{' of ' + opponent if opponent else ''} in them")
    return found


def _read_priors(path: str) -> NDArray[np.float32]:
    """Tables that know no time, as densities: from the usual start to what they say after 20 moves."""
    try:
        tables = json.loads(_file(path).read_text())["tables"]
        rows = [tables[colour + kind] for colour in "wb" for kind in _KINDS]
        averages = np.array(rows, dtype=np.float64).reshape(2, 6, 64)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadOption(f"{path} cannot be read as piece-square tables: {describe(error)}") from None
    if not np.isfinite(averages).all() or (averages < 0).any() or (averages.sum(axis=2) <= 0).any():
        raise BadOption(f"{path} cannot be read as piece-square tables: a table is no density")
    state: Any = games.get("kriegspiel").start()
    found = np.zeros(SHAPE, np.float32)
    for seat in (0, 1):
        first = _pieces(state.view(seat).men)
        numbers = first.sum(axis=1, keepdims=True)
        settled = averages[seat] / averages[seat].sum(axis=1, keepdims=True) * numbers
        for time in range(TIMES):
            share = min(1.0, time / _SETTLED)
            found[seat, :, time] = (1 - share) * first + share * settled
    return np.clip(found, 0, 1)


LEARNERS = {"kriegspiel-model": ModelLearner}
