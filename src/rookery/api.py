"""Every protocol and record of Rookery. Read this first.

A *player* is knowledge (an `Evaluator`) plus thought (a `Searcher`). Knowledge is trained by a `Learner`.
Players meet in the arena and see a game only through `View`s. Three rules hold everywhere:

- Values belong to sides. The sign flips when the side changes, not with each ply.
- Players get views, never states.
- States are immutable; `play` gives a new one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as Date
from operator import index
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rookery.errors import BadOption, EvaluationError

T = TypeVar("T", int, float)

Move = int
"""A game-local number, 0 <= move < GameSpec.policy_size. Its text lives on `State`."""
Seat = int
"""A chair at the table, counted from 0 in the order of play."""
Side = int
"""The seats that share one result, counted from 0."""
Event = str
"""One line that a seat heard. In open games: the text of each move, in order. In Kriegspiel: the referee."""


# --- games -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameSpec:
    """What an algorithm must know of a game before it agrees to play it."""

    name: str
    version: int
    """Incremented when the same text or move comes to mean something else."""
    side_of: tuple[Side, ...]
    """The side of each seat: chess (0, 1), four-player Duchess (0, 1, 0, 1)."""
    hidden: bool
    """Whether a seat may know less than the referee."""
    policy_size: int
    """Every move of the game is a number below this."""
    title: str
    """The name for people."""
    seat_names: tuple[str, ...]
    """What people call each seat: White, Black."""
    format: str = "text"
    """How its games are written for other programs: a name of `rookery.records`. Any game has its text."""
    ending: str | None = None
    """How people agree on a result after play: a name of `rookery.endings`; None: the rules say who won."""

    @property
    def seats(self) -> int:
        return len(self.side_of)

    @property
    def sides(self) -> int:
        return max(self.side_of) + 1

    def lost_by(self, seat: Seat, reason: str) -> Outcome:
        """The side of that seat loses, and the others share what it loses."""
        share = 1.0 / (self.sides - 1)
        loser = self.side_of[seat]
        return Outcome(tuple(-1.0 if side == loser else share for side in range(self.sides)), reason)


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    values: tuple[float, ...]
    """One value per side, summing to 0: 1 won, 0 drawn, -1 lost."""
    reason: str

    @property
    def winner(self) -> Side | None:
        return self.values.index(max(self.values)) if any(self.values) else None


class Game(Protocol):
    """The rules of one game, and the way into it."""

    @property
    def spec(self) -> GameSpec: ...
    def start(self, text: str | None = None) -> State:
        """The starting state, or the one that the text describes.

        Raises:
            BadPosition: the text describes no position of this game.
        """
        ...


class State(Protocol):
    """The referee's truth about one game. Immutable and hashable.

    `str(state)` is its text, and `game.start(str(state)) == state`. Equality is equality of the text: the
    way that led to a position does not count, though its repetitions count for `outcome`.

    `rookery.games.state` has it for games with native rules. A game in Python may inherit from this: what few
    games need is answered here as most games would.
    """

    @property
    def spec(self) -> GameSpec: ...
    @property
    def seat(self) -> Seat:
        """Who is asked now."""
        ...

    @property
    def stood(self) -> bool:
        """Whether the last move stood; False only where a referee refused it, and the same seat tries again.

        True at the start, and always where nothing is hidden.
        """
        return True

    def moves(self) -> Sequence[Move]:
        """What that seat may play or try, ascending; empty exactly when the game is over."""
        ...

    def board_moves(self) -> Sequence[Move]:
        """The moves without regard to drawing rules: what perft walks."""
        return self.moves()

    def forced(self) -> Move | None:
        """The pass of a seat that has nothing else to play; it is made without asking. Usually None."""
        return None

    def play(self, move: Move) -> State:
        """The state after a move.

        Raises:
            IllegalMove: it is none of `moves()`. (A Kriegspiel referee answers any try instead.)
        """
        ...

    def outcome(self) -> Outcome | None: ...
    def view(self, seat: Seat) -> View: ...
    def history(self) -> Sequence[Move]:
        """The moves that led here from the state the game was started with."""
        ...

    def previous(self) -> State | None:
        """The state before the last move; None at the start."""
        ...

    def text(self, move: Move) -> str:
        """The one standard spelling of a move."""
        ...

    def parse(self, text: str) -> Move:
        """The move that a spelling, standard or customary, means here.

        Raises:
            BadNotation: it cannot be read.
            IllegalMove: it can be read, but not played here.
        """
        ...

    def picture(self, seat: Seat | None = None) -> str:
        """The board for a terminal, in plain characters, seen from a seat (None: the referee's)."""
        ...

    def about(self) -> str:
        """By which rules it is played, for people, where a game knows several; else nothing."""
        return ""


@runtime_checkable
class Notated(Protocol):
    """A state whose moves people write otherwise than programs do."""

    def san(self, move: Move) -> str: ...


class View(Protocol):
    """All that a player ever gets: what one seat knows."""

    @property
    def spec(self) -> GameSpec: ...
    @property
    def seat(self) -> Seat: ...
    @property
    def events(self) -> Sequence[Event]:
        """Everything that this seat has heard, oldest first, and nothing else."""
        ...

    def spoken(self, event: Event) -> str:
        """The event in words, where the game has some for it."""
        ...

    def moves(self) -> Sequence[Move]:
        """What this seat may play or try now; empty when it is not its turn."""
        ...

    def text(self, move: Move) -> str: ...
    def parse(self, text: str) -> Move: ...
    def picture(self) -> str: ...
    def state(self) -> State:
        """The whole truth, in games that hide nothing.

        Raises:
            HiddenInformation: the game hides something.
        """
        ...


@runtime_checkable
class Adjustable(Game, Protocol):
    """A game that people play by several rules."""

    def adjusted(self, options: Mapping[str, str]) -> Game:
        """The same game by the rules that people ask for; what they leave out is as they usually have it.

        Raises:
            BadOption: there is no such option or value.
        """
        ...


Cells = frozenset[Move]
"""Places on the board, by the numbers of the moves to there."""


class Count(Protocol):
    """What a board is worth, with some pieces taken off."""

    def outcome(self) -> Outcome: ...
    def words(self, over: bool = False) -> str:
        """For people; over: whether the game has ended so."""
        ...


class Ending(Protocol):
    """How people, and programs that play with them, agree on the result once play has ended.

    What is taken off the board before the count is proposed, changed and agreed on; or play goes on.
    """

    def waits(self, state: State) -> bool:
        """Whether play has ended and they are still to agree."""
        ...

    def propose(self, state: State) -> Cells: ...
    def pieces(self, state: State) -> Sequence[Move]:
        """Where something stands."""
        ...

    def toggle(self, state: State, removed: Cells, cell: Move) -> Cells:
        """The same with what stands in a cell, and its like, taken off or put back."""
        ...

    def count(self, state: State, removed: Cells) -> Count: ...
    def territory(self, state: State, removed: Cells) -> Sequence[Sequence[str]]:
        """The empty cells that count for each seat."""
        ...

    def picture(self, state: State, removed: Cells) -> str:
        """The board at the count, for a terminal."""
        ...

    def accepts(self, state: State, seat: Seat, proposed: Cells, removed: Cells) -> bool:
        """Whether a program in that seat agrees."""
        ...

    def resumed(self, state: State) -> State:
        """From where play goes on, if they do not agree."""
        ...

    def settle(self, state: State, move: Move) -> Move:
        """The move that a program makes in a game with people, where its search chose `move`."""
        ...

    def forecast(self, state: State) -> Mapping[str, Any]:
        """Who leads now and by how much: `words`, and the cells likely to be of each seat by its name."""
        ...


# --- records -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Branch:
    """A move in a tree of moves."""

    after: int
    """What it follows: 0, the start; n, the n-th of the list, which stands before it."""
    text: str


@dataclass(frozen=True)
class Transcript:
    """One game as it is written down: its moves, perhaps with variations, who played and how it ended."""

    game: str
    start: str | None
    """The text of a position; None for the usual one."""
    branches: tuple[Branch, ...]
    """Refused tries included. Of what follows the same move the first belongs to the main line; the others
    are variations."""
    players: tuple[str, ...] = ()
    """By seat; empty where nobody is named."""
    outcome: Outcome | None = None
    event: str = ""
    site: str = ""
    round: str = ""
    date: Date | None = None
    opening: int = 0
    """How many of the moves were given and not chosen."""
    removed: tuple[str, ...] | None = None
    """Where pieces were taken off the board by agreement before it was counted; None: nobody was asked."""

    @property
    def main(self) -> tuple[int, ...]:
        """Which of the branches, counted from 1, are the main line."""
        line = [0]
        for number, branch in enumerate(self.branches, 1):
            if branch.after == line[-1]:
                line.append(number)
        return tuple(line[1:])

    @property
    def moves(self) -> tuple[str, ...]:
        """The main line."""
        return tuple(self.branches[number - 1].text for number in self.main)


class Format(Protocol):
    """A way to write games that other programs read."""

    @property
    def name(self) -> str:
        """What people type: pgn."""
        ...

    @property
    def suffix(self) -> str:
        """How its files end, without the dot."""
        ...

    @property
    def title(self) -> str: ...
    @property
    def wanted(self) -> str:
        """What somebody may paste: "a FEN or a PGN"."""
        ...

    @property
    def positions(self) -> str | None:
        """What a position is called, if it has a name of its own: FEN."""
        ...

    def recognises(self, text: str) -> bool:
        """Whether a text can only be in this format."""
        ...

    def may_be(self, text: str) -> bool:
        """Whether a text of one of its games is in this format, and no plain position or line of moves."""
        ...

    def write(self, game: Transcript) -> str:
        """A game as text; several one after the other make a file.

        Raises:
            GameError: the start or a move cannot be read or played.
        """
        ...

    def read(self, text: str, game: Game) -> Iterator[Transcript]:
        """The games of a text, one after the other; each says itself which game it is.

        Raises:
            GameError: one cannot be read.
        """
        ...

    def position(self, text: str, game: Game) -> str:
        """The position that a line of a file of positions describes, as the game writes it.

        Raises:
            GameError: it describes none.
        """
        ...


# --- knowledge ---------------------------------------------------------------------------------------
#
# Knowledge is a class that derives from those protocols below that it keeps. So `issubclass` tells what a
# kind of knowledge can do before any is built, and `isinstance` the same of one that is there.


class NamedKnowledge(Protocol):
    """Knowledge that a player's name may name. What its class declares is known before any is built."""

    title: ClassVar[str]
    """What people call it."""

    @classmethod
    def check_game(cls, game: Game) -> None:
        """Nothing where it knows the game.

        Raises:
            UnsupportedGame: it does not.
        """

    @classmethod
    def check_installed(cls) -> None:
        """Nothing where all that it needs is installed.

        Raises:
            BadOption: something is not.
        """
        return


@dataclass(frozen=True)
class Policy:
    """How likely the moves of B states are: numbers over the legal moves alone.

    They stand one after the other, those of each state in the order of its `moves()`, and sum to 1 there.
    """

    offsets: NDArray[np.int64]
    """[B + 1]: where the moves of each state begin, and at last the end of all."""
    shares: NDArray[np.float32]
    """[moves of all states]"""

    def of(self, i: int) -> NDArray[np.float32]:
        """[moves of state i], ascending."""
        return self.shares[self.offsets[i] : self.offsets[i + 1]]

    @classmethod
    def joined(cls, each: Sequence[NDArray[Any]]) -> Policy:
        """Of the shares of each state.

        >>> Policy.joined([np.array([0.25, 0.75]), np.array([1.0])]).of(1)
        array([1.], dtype=float32)
        """
        offsets = np.cumsum([0, *map(len, each)], dtype=np.int64)
        return cls(offsets, np.concatenate([*each, np.zeros(0)]).astype(np.float32))


@dataclass(frozen=True)
class Evaluation:
    """What an evaluator thinks of B states."""

    value: NDArray[np.float32]
    """[B, sides], each in [-1, 1]."""
    policy: Policy | None = None
    """None if the evaluator has no opinion on moves."""


@runtime_checkable
class Evaluator(Protocol):
    """Knowledge: how good is a position?"""

    def evaluate(self, states: Sequence[State]) -> Evaluation: ...


@runtime_checkable
class PolicyEvaluator(Evaluator, Protocol):
    """Knowledge that always has an opinion on moves: its evaluations have a policy."""

    def policy(self, states: Sequence[State]) -> Policy:
        """The policy alone, for searches that ask for nothing else."""
        found = self.evaluate(states).policy
        if found is None:
            raise EvaluationError(f"{type(self).__name__} gave no policy")
        return found


@runtime_checkable
class DefersValues(Protocol):
    """Knowledge of moves that leaves the value of a position to other knowledge."""

    static: Evaluator
    """Who evaluates the leaves of a search in its place."""


@runtime_checkable
class PolicyWithQuickValues(PolicyEvaluator, Protocol):
    """Knowledge of moves that names an evaluation quick enough to search with, beside its own."""

    def quick_values(self) -> Evaluator:
        """One that takes microseconds a position."""
        ...


@runtime_checkable
class MoveEvaluator(Protocol):
    """Knowledge that was trained to judge moves by what they lead to, the end of the game included."""

    def values_after(self, state: State, moves: Sequence[Move]) -> NDArray[np.float64]:
        """[moves, sides]"""
        ...


@runtime_checkable
class Explainer(Protocol):
    """Knowledge that can say why. Searches do not need it; people who look at a position like it."""

    def explain(self, state: State) -> Sequence[tuple[str, float]]:
        """What is there and what it counts for the seat to move, the weightiest first.

        Evaluators that add features up give the active ones with their weights.
        """
        ...


@runtime_checkable
class Comparator(Protocol):
    """Knowledge that only compares: is a better than b? Any `Evaluator` makes one."""

    def prefer(self, a: Sequence[State], b: Sequence[State], side: Side) -> NDArray[np.float32]:
        """[B]: the probability that a is the better of the two for that side.

        Of a pair turned round it is 1 less the same; of a state and itself, 0.5.
        """
        ...

    def prefer_to_draw(self, a: Sequence[State], side: Side) -> NDArray[np.float32]:
        """[B]: the probability that a is better for that side than a drawn game."""
        ...


@runtime_checkable
class NativeKnowledge(Protocol):
    """Knowledge that native searches carry along a line, and what the numbers mean that they then report."""

    native: Any
    """The knowledge itself, bound from C++. A search that is compiled for its class uses it at each leaf;
    another asks the evaluator."""

    def value(self, number: float) -> float:
        """Of a number of its own, seen by the side to move: a value in [-1, 1]."""
        ...

    def centipawns(self, number: float) -> float | None:
        """The same number in centipawns; None where it has no such meaning."""
        ...


@runtime_checkable
class EndgameDepth(Protocol):
    """Knowledge that wants a search to look deeper where little is left on the board."""

    def extra_depth(self, state: State) -> int:
        """By how many plies a depth that was asked for shall be exceeded here."""
        ...


@runtime_checkable
class Slack(Protocol):
    """Knowledge whose values a small advantage changes more or less than a pawn changes those of chess."""

    level_slack: float
    """By which `rookery.levels` multiplies how much worse a move may be and still be played."""


# --- belief ------------------------------------------------------------------------------------------


@runtime_checkable
class OpponentModel(Protocol):
    """Knowledge of where an opponent's pieces usually stand, for games that hide them."""

    def densities(self, seat: Seat) -> NDArray[np.float32]:
        """[kinds, times, squares]: how likely a piece of that seat and kind stands there after so many of its
        moves."""
        ...


@runtime_checkable
class BeliefValue(Protocol):
    """Knowledge of what a view is worth, for games that hide something."""

    def view_value(self, view: View) -> float:
        """What the view is worth to its seat besides a count of pieces: above 0 is good for it."""
        ...


@dataclass(frozen=True)
class Belief:
    """What a seat may think of the enemy's pieces that it cannot see."""

    squares: tuple[str, ...]
    kinds: tuple[str, ...]
    """Of pieces: pawn, knight, ..."""
    probability: NDArray[np.float32]
    """[squares, kinds]: how likely it is that an enemy piece of the kind stands there."""
    possible: NDArray[np.bool_]
    """[squares, kinds]: whether one can stand there at all, by the rules and all that the seat was told; what
    is true is always possible."""

    @property
    def occupied(self) -> dict[str, float]:
        """By square, how likely it is that any enemy piece stands there."""
        return dict(zip(self.squares, self.probability.sum(axis=1, dtype=np.float64).tolist(), strict=True))


@runtime_checkable
class Believer(Protocol):
    """A search that can say what it believes of what its seat cannot see."""

    def belief(self, view: View) -> Belief: ...


class Deduction(Believer, Protocol):
    """What a seat of a game that hides something may work out for itself, from its view alone."""

    def belief(self, view: View, model: str | None = None) -> Belief:
        """model: where a model of the opponent lies, if the belief shall use one.

        Raises:
            CheckpointMismatch: there is none.
        """
        ...

    def conclusions(self, view: View, first: int = 0) -> Sequence[Sequence[str]]:
        """For each event from that number on, what follows from it; often nothing.

        The sentences hold on every board that fits what the seat was told.
        """
        ...


# --- thought -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clock:
    """What a player has left, in seconds."""

    left: float
    increment: float = 0.0
    """Added after each move that stood."""
    moves: int | None = None
    """To be made before more time is given; None: all the rest of the game."""

    def __post_init__(self) -> None:
        _number("left", self.left, -math.inf)
        _number("increment", self.increment, 0)
        if self.moves is not None:
            _whole("moves", self.moves, 1, _MOST)


@dataclass(frozen=True)
class Limit:
    """When to stop thinking; the first bound reached counts, and no bound at all means the search's own.

    Depth and nodes give the same move on every machine; time does not.

    Raises:
        BadOption: a bound is out of range.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    """Seconds for this move; of a turn in which tries were refused, what is left."""
    only: tuple[Move, ...] = ()
    """The moves to choose from; empty means all. Searches that cannot be so bounded say so."""
    lines: int = 1
    """How many of the best moves to report while thinking, each with its line."""
    clocks: tuple[Clock, ...] = ()
    """By seat, where clocks run: each player divides its own time."""
    analyse: bool = False
    """Think up to the bounds even where a player would move at once: one legal move, or a win that is sure
    while other lines are asked for."""
    spent: float = 0.0
    """Seconds that refused tries of this turn have taken; see `rookery.clock.TurnTime`."""

    def __post_init__(self) -> None:
        if self.depth is not None:
            _whole("depth", self.depth, 1, _MOST)
        if self.nodes is not None:
            _whole("nodes", self.nodes, 1, 2**62)
        if self.time is not None:
            _number("time", self.time, 0)
        for move in self.only:
            _whole("only", move, 0, _MOST)
        _whole("lines", self.lines, 1, _MOST)
        _number("spent", self.spent, 0)

    def tighter(self, other: Limit) -> Limit:
        """The other limit, with the lower of each two bounds.

        >>> Limit(depth=4, nodes=100).tighter(Limit(depth=2))
        Limit(depth=2, nodes=100, time=None, only=(), lines=1, clocks=(), analyse=False, spent=0.0)
        """

        def lower(a: T | None, b: T | None) -> T | None:
            return b if a is None else a if b is None else min(a, b)

        return replace(
            other,
            depth=lower(self.depth, other.depth),
            nodes=lower(self.nodes, other.nodes),
            time=lower(self.time, other.time),
        )


_MOST = 2**31 - 1
"""More than any bound needs, and what native code can count."""


def _whole(name: str, value: int, least: int, most: int) -> None:
    try:
        within = least <= index(value) <= most
    except TypeError:
        within = False
    if not within:
        raise BadOption(f"{name} must be a whole number between {least} and {most} (got {value!s:.80})")


def _number(name: str, value: float, least: float) -> None:
    try:
        within = value >= least  # so that what is not a number is not
    except TypeError:
        within = False
    if not within:
        wanted = "a number" if least == -math.inf else f"a number, {least:g} or more"
        raise BadOption(f"{name} must be {wanted} (got {value!s:.80})")


@dataclass(frozen=True)
class Info:
    """What a search has to report while it thinks. Interfaces format it; searches never print."""

    depth: int | None
    nodes: int
    seconds: float
    value: tuple[float, ...]
    """One value per side, each in [-1, 1]."""
    pv: tuple[Move, ...]
    score: float | None = None
    """The same for the seat to move, in centipawns; None where the knowledge has none."""
    wins_in: int | None = None
    """Plies to a win that the seat to move can force; below 0, to a loss that it cannot avoid."""
    rank: int = 1
    """Which line this is where several are asked for, the best first."""
    deepest: int | None = None
    """The longest line that was looked at, in plies, where the search knows."""


@dataclass(frozen=True)
class SearchResult:
    """What a search decided, and why."""

    move: Move
    value: tuple[float, ...]
    """One value per side."""
    nodes: int
    policy: Mapping[Move, float] = field(default_factory=dict)
    """Each move's share of visits or probability, where it has one."""
    pv: tuple[Move, ...] = ()
    trace: Any = None
    """What learners learn from: nodes, bounds and depths; None unless asked for."""


class Searcher(Protocol):
    """Thought: which move is best? Built for one game, and refuses an unsuitable one when it is built.

    It serves one thread at a time; only `stop` may come from another.
    """

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult: ...
    def forget(self) -> None:
        """A new game begins: nothing kept from the last one may change the moves of this one."""
        ...

    def stop(self) -> None:
        """Called from another thread: end the search that is under way soon, with its best move so far."""
        ...


class NamedSearch(Searcher, Protocol):
    """A search that a player's name may name. What its class declares is known before any is built."""

    title: ClassVar[str]
    """What people call it."""
    limits: ClassVar[tuple[str, ...]] = ()
    """The bounds of a `Limit` that it obeys: depth, nodes, time."""
    takes: ClassVar[tuple[type, ...]] = ()
    """The protocols of which its knowledge must keep one; none: it thinks without knowledge."""
    bench: ClassVar[tuple[str, ...]] = ("",)
    """What `rookery bench` tries of it: options as they are typed, with a bound of nodes or depth that keeps
    a position to some milliseconds."""
    paced: ClassVar[bool] = True
    """Whether it reports while it searches, so that a clock can end it early. One that does not is given the
    time that a move should take, not the most that it may."""
    weighs_moves: ClassVar[bool] = False
    """Whether, with a `PolicyEvaluator`, its results give every move a share after one node already."""
    draws: ClassVar[bool] = False
    """Whether it plays each move as often as the share that its results give it; the shares of others say how
    often they looked at a move, and they play the best."""
    fallback: ClassVar[int] = 0
    """Where no card names a default for a game, people meet the search that fits it with the greatest of
    these; 0: never this one."""
    has_levels: ClassVar[bool] = True
    """Whether `rookery.levels` can hold it back."""
    renamed: ClassVar[Mapping[str, str]] = {}
    """Options that once had another name, the old one to the new: names that hold it are still read."""

    @classmethod
    def check_game(cls, game: Game) -> None:
        """Nothing where it fits the game.

        Raises:
            UnsupportedGame: it does not.
        """

    @classmethod
    def check_alone(cls, game: Game) -> None:
        """The same for a player whose name gives it no knowledge, though it may take some.

        Raises:
            UnsupportedGame: it does not fit so.
        """
        cls.check_game(game)


class Player(Protocol):
    """Somebody who can sit in a seat. It is asked by one thread at a time."""

    @property
    def name(self) -> str:
        """Its one spelling, which `players.make` reads back."""
        ...

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        """Sit down for a new game. The same seed gives the same choices under the same limits."""
        ...

    def choose(self, view: View, limit: Limit) -> Move:
        """Its move.

        Raises:
            Resignation: it gives the game up.
        """
        ...

    def end(self, outcome: Outcome) -> None: ...
    def close(self) -> None:
        """Leave for good, and free what it holds. `start` may still call it back."""
        ...


class Thinker(Player, Protocol):
    """A player that can say why, and be hurried."""

    @property
    def believer(self) -> Believer | None:
        """Who of it can be asked for its belief; None: it has none to tell."""
        return None

    def think(
        self, view: View, limit: Limit, on_info: Callable[[Info], None] = lambda info: None
    ) -> SearchResult:
        """Choose, and say why. Of the limit given here and the one in the name, the tighter counts."""
        ...

    def stop(self) -> None:
        """Called from another thread: end the thinking that is under way soon, with the best move so far."""
        ...


# --- training and measuring --------------------------------------------------------------------------

Metrics = Mapping[str, float]


@dataclass(frozen=True)
class Measure:
    """What one of a learner's metrics is, for people."""

    title: str
    meaning: str
    share: bool = False
    """Whether it lies between 0 and 1."""
    games: int = 0
    """It is the share of so many games that were won, and its error follows from them; 0: it is not."""


Promise = Literal["exact", "statistical"]
"""What a learner promises of a run that is broken off and resumed.

exact: the same options, data and seed give the same weights, bit for bit, however often it is broken off and
whatever the number of threads. statistical: what was learnt, the optimiser, the samples and the counters come
back as they were saved, and learning goes on from there; but a GPU adds in any order, or the clock has a say,
so that two runs are alike and not the same."""


class Learner(Protocol):
    """Trains knowledge. `step` is one unit of work between two possible checkpoints.

    Its class is called with options and a seed: `Options`, a frozen dataclass of the class, names all that a
    recipe may say, with defaults; `RANGES` has the bounds of numbers.
    """

    promise: ClassVar[Promise]

    @property
    def steps(self) -> int:
        """How many steps the whole run takes, those done included."""
        ...

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """Work on. `stop` is asked some times a second whether the step shall be given up.

        Raises:
            Interrupted: it was, and the learner is as it was before the step. One that cannot go back
                to there ends the step early instead.
            Diverged: what is learnt means nothing any more; the learner is not to be saved.
        """
        ...

    def player(self) -> Player:
        """A frozen copy of what has been learnt, to be measured."""
        ...

    @staticmethod
    def measures(options: Any) -> Mapping[str, Measure]:
        """What its metrics are, by name, for a run with these options; first the one that curves are drawn
        over."""
        ...

    @staticmethod
    def data(options: Any) -> Mapping[str, str]:
        """What it reads besides its options, such as a store of games or weights to begin with: a hash of
        each by name. A run writes them down, and goes on with no other data."""
        ...

    def save(self, folder: Path) -> None:
        """Weights, optimiser, buffers, generators, step: all that `load` needs to go on as promised."""
        ...

    def load(self, folder: Path) -> None: ...


@dataclass(frozen=True)
class GameRecord:
    """One finished game, as it is written to the record."""

    game: str
    version: int
    seed: int
    players: tuple[str, ...]
    """By seat."""
    start: str
    moves: tuple[str, ...]
    """As text, refused tries included: replaying them gives the same game."""
    outcome: Outcome
    opening: int = 0
    """How many of the moves were given and not chosen."""
    plies: int = 0
    """How many of the moves stood."""
    seconds: tuple[float, ...] = field(default=(), compare=False)
    """What each seat thought in all; two records of the same game are equal whatever they took."""
