"""Every message between the page and the server. Nothing else is read, and nothing else is sent."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator

from rookery.interfaces.web.faces import Man, Step

Name = Annotated[str, Field(max_length=200)]
MoveText = Annotated[str, Field(min_length=1, max_length=20)]
PositionText = Annotated[str, Field(max_length=2000)]
Secret = Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Field(ge=0, le=5)]
SeatKey = Annotated[str, Field(pattern=r"^[0-5]$")]
"""A seat as the key of an object."""
Moves = Annotated[list[MoveText], Field(max_length=3000)]
Word = Annotated[str, Field(max_length=20)]
Setup = Annotated[dict[Word, Word], Field(max_length=8)]
"""Options of a game, by name."""


class Asked(BaseModel):
    """Anything that comes in: what is unknown is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Told(BaseModel):
    """Anything that goes out."""


# --- what a browser says at a table -------------------------------------------------------------------


class Sit(Asked):
    """The first message: which seats the browser holds. None: it watches."""

    do: Literal["sit"]
    secrets: Annotated[list[Secret], Field(max_length=6)] = []


class Move(Asked):
    do: Literal["move"]
    text: MoveText
    seat: SeatNumber | None = None
    """For whom, where one browser holds several seats; whose turn it is, if not said."""


class Undo(Asked):
    """Take back; where other people play too, ask them."""

    do: Literal["undo"]


class Resign(Asked):
    do: Literal["resign"]
    seat: SeatNumber | None = None


class Draw(Asked):
    """Offer a draw."""

    do: Literal["draw"]


class Answer(Asked):
    """To an offer of others."""

    do: Literal["answer"]
    yes: bool


class Retry(Asked):
    """Ask a player that failed once more."""

    do: Literal["retry"]


class Call(Asked):
    """What whoever sits here wants to be called."""

    do: Literal["call"]
    name: Annotated[str, Field(max_length=30)]

    @field_validator("name")
    @classmethod
    def plain(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("a name has no such characters")
        return " ".join(name.split())


class Rematch(Asked):
    """Another game has been laid; the others of this one are invited to it, by seat."""

    do: Literal["rematch"]
    table: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
    invitations: Annotated[dict[SeatKey, Secret], Field(max_length=6)] = {}


class Mark(Asked):
    """Tap a stone while the dead ones are being agreed on."""

    do: Literal["mark"]
    cell: Annotated[str, Field(max_length=4)]


class Agree(Asked):
    """To the stones that are marked as dead."""

    do: Literal["agree"]
    number: int
    """Of the marking that was seen."""


class Resume(Asked):
    """Take the passes back and play on."""

    do: Literal["resume"]


class Ping(Asked):
    do: Literal["ping"]


Said = Annotated[
    Sit | Move | Undo | Resign | Draw | Answer | Retry | Mark | Agree | Resume | Call | Rematch | Ping,
    Field(discriminator="do"),
]
said: TypeAdapter[Said] = TypeAdapter(Said)


# --- what a table says to a browser -------------------------------------------------------------------


class SeatShown(Told):
    name: str
    colour: str
    side: int
    player: str | None
    """None: a person."""
    title: str
    """What to call whoever sits there; empty: somebody who gave no name."""
    about: str
    """A sentence on a player, or nothing,"""
    strength: str
    """and how strong it was measured to be."""
    yours: bool
    vacant: bool
    """Waits for somebody to follow an invitation."""
    away: bool
    """Whether a person holds it who is not connected now."""
    clock: float | None = None
    """Seconds left when this was sent."""


class MoveShown(Told):
    text: str
    label: str
    seat: int
    to: str | None = None
    start: str | None = None
    teleport: bool = False
    passes: bool = False


class HeardShown(Told):
    """What the referee said to this seat."""

    words: str
    mine: str | None = None
    """My try that stood."""
    refused: str | None = None
    label: str | None = None
    """My move or try as people write it."""
    number: int = 1
    """Of the round of moves."""
    start: str | None = None
    """Where that move or try began,"""
    to: str | None = None
    """and where it went."""
    square: str | None = None
    """Where something was captured."""
    tries: int = 0


class OutcomeShown(Told):
    words: str
    reason: str
    values: list[float]


class OfferShown(Told):
    kind: str
    by: int
    mine: bool


class ScoringShown(Told):
    """The count of a game of Go."""

    open: bool
    """Whether it can still be changed."""
    number: int
    dead: list[str]
    black: list[str]
    white: list[str]
    """Territory, dead stones in it included."""
    words: str
    agreed: list[int]
    """Seats of people who agree to this."""


class TableShown(Told):
    """All that a browser may know of a game."""

    type: Literal["table"] = "table"
    id: str
    game: str
    title: str
    hidden: bool
    seats: list[SeatShown]
    turn: int
    seat: int | None
    """From whose chair the board is seen; None: nobody's."""
    men: list[Man]
    alarms: list[str]
    notes: list[str]
    picture: str
    """The board in characters, where nothing else is drawn."""
    moves: list[MoveShown]
    heard: list[HeardShown]
    legal: list[Step]
    running: bool
    """Whether a clock is running."""
    thinking: bool
    failure: str | None
    outcome: OutcomeShown | None
    offer: OfferShown | None
    rematch: str | None
    """Where this browser is invited to play again: TABLE/join/INVITATION."""
    time: tuple[float, float] | None
    """Seconds on each clock at the start, and after each move."""
    declined: str | None
    """What became of an offer of this browser's, in words."""
    scoring: ScoringShown | None = None
    can_undo: bool
    position: str | None
    """As text; None while it is a secret."""


class ErrorTold(Told):
    type: Literal["error"] = "error"
    text: str


class Pong(Told):
    type: Literal["pong"] = "pong"


# --- asked of the server itself -----------------------------------------------------------------------


class SeatAsked(Asked):
    """Who sits there: me, open (somebody who is sent the link), or a player's name."""

    who: Literal["me", "open", "player"]
    player: Name | None = None


class ClockAsked(Asked):
    minutes: Annotated[float, Field(gt=0, le=600, strict=False)]
    increment: Annotated[float, Field(ge=0, le=600, strict=False)] = 0


class TableAsked(Asked):
    game: Name
    seats: Annotated[list[SeatAsked], Field(min_length=2, max_length=6)]
    clock: ClockAsked | None = None
    start: PositionText | None = None
    moves: Moves = []
    setup: Setup = {}
    """What was chosen of the game's options, where no position says it."""


class Created(Told):
    id: str
    secrets: dict[int, str]
    invitations: dict[int, str]


class ClaimAsked(Asked):
    invitation: Secret


class Claimed(Told):
    seat: int
    secret: str


class HintAsked(Asked):
    secret: Secret


class HintTold(Told):
    text: str
    label: str
    start: str | None
    to: str | None


class KnownAsked(Asked):
    """What may be known in the seat that the secret opens."""

    secret: Secret


class ConclusionsAsked(KnownAsked):
    first: Annotated[int, Field(ge=0, le=10_000)] = 0
    """Of which line on; those before have been asked for already."""


class BeliefTold(Told):
    """How likely enemy pieces are, by square; squares without a chance are left out."""

    chances: dict[str, float]
    """Of any piece,"""
    kinds: dict[str, dict[str, float]]
    """and of each kind."""


class Conclusions(Told):
    first: int
    lines: list[list[str]]
    """One list of sentences for each line of the referee, from the first on."""
    announced: list[Step]
    """Moves of which the referee said that some can be played: pawn tries."""


class EstimateTold(Told):
    """Who leads a game of Go, by random games from here on."""

    words: str
    black: list[str]
    white: list[str]
    """Points that are likely to be theirs."""


class LineAsked(Asked):
    """A game up to somewhere."""

    game: Name
    start: PositionText | None = None
    moves: Moves = []


class Seen(Told):
    """What one seat saw of a position."""

    men: list[Man]
    picture: str


class Frame(Told):
    """One position of a game that hides nothing any more."""

    men: list[Man]
    alarms: list[str]
    notes: list[str]
    move: MoveShown | None
    """What led here."""
    position: str
    turn: int
    picture: str
    """The board in characters, where nothing else is drawn."""
    views: list[Seen] = []
    """What each seat saw, in a game that hid something."""
    refused: bool = False


class PositionShown(Told):
    """Where a line of moves has led."""

    frame: Frame
    legal: list[Step]
    outcome: OutcomeShown | None


class Branch(Asked):
    """A move in a tree of moves."""

    after: Annotated[int, Field(ge=0)]
    """What it follows: 0, the start; n, the n-th of the list, which stands before it."""
    text: MoveText


Branches = Annotated[list[Branch], Field(max_length=3000)]
"""Of what follows the same move the first belongs to the main line; the others are variations."""


class TreeAsked(Asked):
    """A game with its variations."""

    game: Name
    start: PositionText | None = None
    branches: Branches = []

    @model_validator(mode="after")
    def _grown_in_order(self) -> Self:
        for number, branch in enumerate(self.branches, 1):
            if branch.after >= number:
                raise ValueError(f"branch {number} follows {branch.after}, which does not stand before it")
        return self


class Tree(Told):
    frames: list[Frame]
    """The start, then one for each branch."""


class Written(Told):
    """A game as other programs read it."""

    text: str
    ending: str
    """How such files are called: pgn, sgf, txt."""


class Replay(Told):
    game: str
    start: str
    frames: list[Frame]
    legal: list[Step]
    """In the last of them."""
    outcome: OutcomeShown | None


class ImportAsked(Asked):
    game: Name
    text: Annotated[str, Field(max_length=200_000)]
    any_game: bool = False
    """Whether a text of another game may change the game; else it is refused by its name."""


class Imported(Told):
    game: str
    start: str | None
    moves: list[str]
    """The main line."""
    branches: list[Branch]
    """The same with its variations."""


class PlaceAsked(Asked):
    cell: Annotated[str, Field(max_length=4)]
    kind: Annotated[str, Field(min_length=1, max_length=1)]
    seat: SeatNumber


class SetupAsked(Asked):
    """Pieces put on a board by hand."""

    game: Name
    men: Annotated[list[PlaceAsked], Field(max_length=400)]
    turn: SeatNumber = 0


class Arranged(Told):
    position: str
