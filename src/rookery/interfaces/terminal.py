"""A game at the terminal: people in some seats, players in the others.

A person sees the view of the seat and never the state, so that a game that hides something keeps it hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from rookery import deductions, endings, opponents, players, roster
from rookery.api import (
    Cells,
    Deduction,
    Ending,
    Game,
    GameSpec,
    Limit,
    Move,
    Notated,
    Outcome,
    Seat,
    State,
    Thinker,
    View,
)
from rookery.clock import TurnTime
from rookery.errors import BadOption, GameError, IllegalMove, Resignation, clip, quote
from rookery.interfaces import believing
from rookery.interfaces.screen import Screen

HUMAN = "human"
FRIENDLY = 2
"""The level of the usual opponent unless somebody asks for another; the studio begins with the same."""

HELP = {
    "MOVE": "play that move",
    "moves [START]": "list the legal moves, or those that begin with START",
    "hint": "what a player at full strength would play",
    "undo": "take back your last move",
    "board": "show the board again",
    "history": "list the moves so far, or what the referee said",
    "position": "print the position as text, for --position",
    "resign": "give the game up",
    "new": "start again",
    "quit": "leave",
    "help": "this list; also ?",
}

HELP_COUNT = {
    "POINT": "mark the stones there as dead, or as alive again",
    "agree": "count the board as it is marked",
    "resume": "take the passes back and play on",
}

HELP_DEDUCE = {
    "belief [PIECE]": "how likely an enemy piece, or one of that kind, stands on each square",
    "conclusions [N]": "what follows from the last N lines you heard; without N, of the last 5",
}
_LINES = 5


class Leave(Exception):
    """The person has had enough."""


def choose(game: Game, named: Sequence[str], level: int | None, elo: int | None = None) -> list[str]:
    """Whom a person meets: those named, or the usual opponent, at a level or a rating.

    Raises:
        BadOption: there is no such level or rating.
        UnknownName: somebody who is named has no levels.
    """
    if elo is not None and (named or level is not None):
        raise BadOption(f"--elo takes the place of {'--with' if named else '--level'}; leave one out")
    like = roster.like_people(game) if not named and level is None else None
    if elo is not None and (like is None or like.ratings is None):
        raise BadOption(f"no player of {game.spec.name} imitates people of a rating; leave out --elo")
    if like and like.ratings:
        if elo is None:
            elo = int(dict(like.told)[like.ratings.option])
        if not like.ratings.lowest <= elo <= like.ratings.highest:
            raise BadOption(
                f"--elo must be between {like.ratings.lowest} and {like.ratings.highest} (got {elo})"
            )
        return [players.rated(str(like.player), elo)]
    if named:
        change = {} if level is None else {"level": level}
        return [players.vary(name, change) if change and name != HUMAN else name for name in named]
    usual = roster.default(game)
    most = players.levels(usual)
    if level is not None and level > most:
        raise BadOption(f"--level must be between 1 and {most} (got {level})")
    return [players.vary(usual, {"level": level or FRIENDLY}) if most else usual]


def find_seat(spec: GameSpec, text: str) -> Seat:
    """The seat of that name or number.

    Raises:
        BadOption: there is none.
    """
    names = [name.lower() for name in spec.seat_names]
    if text.lower() in names:
        return names.index(text.lower())
    if text.isdecimal() and len(text) < 10 and int(text) < spec.seats:
        return int(text)
    known = ", ".join(f"{seat} {name}" for seat, name in enumerate(spec.seat_names))
    raise BadOption(f"{spec.name} has no seat {quote(text)}; there are {known}")


def fill_seats(game: Game, seat: Seat, names: Sequence[str]) -> list[Thinker | None]:
    """A person (None) in one seat and the named players around the table, one name serving all.

    Raises:
        BadOption: there are neither one nor enough names.
    """
    others = [other for other in range(game.spec.seats) if other != seat]
    if len(names) not in (1, len(others)):
        raise BadOption(
            f"--with must name one player for all or one for each of {len(others)} seats (got {len(names)})"
        )
    around = list(names) * len(others) if len(names) == 1 else list(names)
    seated: list[Thinker | None] = [None] * game.spec.seats
    for other, name in zip(others, around, strict=True):
        seated[other] = None if name == HUMAN else players.make(name, game)
    return seated


def tell_outcome(spec: GameSpec, outcome: Outcome) -> str:
    """How it ended, for people: "White wins: checkmate."."""
    if outcome.winner is None:
        return f"Draw: {outcome.reason}."
    winners = [
        name for name, side in zip(spec.seat_names, spec.side_of, strict=True) if side == outcome.winner
    ]
    verb = "wins" if len(winners) == 1 else "win"
    # A reason that is a part of the sentence: "Black wins by 8.5 points."
    link = " " if outcome.reason.startswith("by ") else ": "
    return f"{' and '.join(winners)} {verb}{link}{outcome.reason}."


class Table:
    """One evening at the terminal: a game, perhaps taken back, perhaps followed by another."""

    def __init__(
        self, game: Game, start: State, seated: Sequence[Thinker | None], seed: int, screen: Screen
    ) -> None:
        self._game = game
        self._spec = game.spec
        self._ending = endings.of(game.spec)
        self._deduction = deductions.of(game.spec)
        self._start = start
        self._seated = seated
        self._people = [seat for seat, player in enumerate(seated) if player is None]
        self._seed = seed
        self._screen = screen
        self._new()

    def play(self) -> None:
        """Until the person leaves; the end of a game leaves the table laid."""
        try:
            self._greet()
            while True:
                self._turn()
        except (Leave, EOFError, KeyboardInterrupt) as leave:
            if not isinstance(leave, Leave):
                self._screen.say()
            self._screen.say("Goodbye.")
        self._leave_game()

    # --- the game ------------------------------------------------------------------------------------

    def _new(self) -> None:
        self._state = self._start
        self._ended: Outcome | None = None
        """By resignation, or by agreement on a count."""
        self._over = False
        self._proposed: Cells | None = None
        self._dead: Cells = frozenset()
        self._pictures: dict[Seat, str] = {}
        self._heard = dict.fromkeys(self._people, 0)
        self._last_person: Seat | None = None
        self._time = TurnTime()
        for seat, player in enumerate(self._seated):
            if player is not None:
                player.start(self._spec, seat, self._seed)

    def _greet(self) -> None:
        table = ", ".join(
            f"{'you are' if player is None else f'{self._title(player)} is'} {name}"
            for name, player in zip(self._spec.seat_names, self._seated, strict=True)
        )
        self._screen.say(f"{self._spec.title}: {table}. `help` lists what you can type.", "bold")
        if self._start.about():
            self._screen.say(self._start.about(), "dim")
        if len(self._people) < self._spec.seats:
            met = [opponents.meet(player.name, self._game) for player in self._seated if player is not None]
            measured = (one for one in met if one.measured)
            for title, strength in dict.fromkeys((one.title, one.strength) for one in measured):
                self._screen.say(f"{title}: {strength}.", "dim")
            self._screen.say(f"Random seed {self._seed}: --seed {self._seed} repeats their choices.", "dim")

    def _leave_game(self) -> None:
        # Players hear of the end only now: until here it could have been taken back.
        outcome = self._outcome()
        if outcome is not None:
            for player in self._seated:
                if player is not None:
                    player.end(outcome)

    def _outcome(self) -> Outcome | None:
        return self._ended or (None if self._counting() else self._state.outcome())

    def _counting(self) -> bool:
        """Whether play has ended and the dead stones are to be agreed on."""
        return self._ended is None and endings.waits(self._state)

    def _turn(self) -> None:
        """Whatever is next: somebody moves, or the person is asked."""
        outcome = self._outcome()
        seat = self._state.seat
        player = self._seated[seat]
        if outcome is not None:
            self._show_end(outcome)
            self._obey(self._screen.ask("over> "), self._people[0])
        elif self._counting():
            self._count()
        elif (forced := self._state.forced()) is not None:
            self._screen.say(f"{self._spec.seat_names[seat]} cannot move, and passes.", "yellow")
            self._state = self._state.play(forced)
        elif player is not None:
            self._let_play(player)
        else:
            self._hand_over(seat)
            self._show(seat)
            self._obey(self._screen.ask(f"{self._spec.seat_names[seat]}> "), seat)

    def _let_play(self, player: Thinker) -> None:
        seat = self._state.seat
        who = f"{self._spec.seat_names[seat]} ({self._title(player)})"
        began = perf_counter()
        view = self._state.view(seat)
        try:
            move = endings.settle(self._state, self._wait_for(player, who, view, self._time.left(Limit())))
        except Resignation:
            self._resign(seat)
            return
        seconds = perf_counter() - began
        before = self._state
        self._state = before.play(move)
        self._time.tried(seconds, self._state.stood)
        if not self._spec.hidden:
            slow = f", after {seconds:.1f} s" if seconds >= 1 else ""
            self._screen.say(f"{who} plays {_written(before, move)}{slow}", "cyan")

    def _title(self, player: Thinker) -> str:
        """What people call a player."""
        return opponents.meet(player.name, self._game).title

    def _wait_for(self, player: Thinker, who: str, view: View, limit: Limit) -> Move:
        return self._screen.wait(who, lambda: player.choose(view, limit), player.stop)

    # --- a count on which people agree ---------------------------------------------------------------

    def _count(self) -> None:
        """The dead stones are shown; the person changes them, agrees, or plays on."""
        state, ending = self._state, self._ending
        assert ending is not None
        if self._proposed is None:
            who = "The referee"
            self._proposed = self._screen.wait(who, lambda: ending.propose(state), lambda: None)
            self._dead = self._proposed
            self._show_count(ending)
            self._screen.say(
                "Small letters are dead stones, b and w territory. Type a stone to change it, `agree`, or "
                "`resume`."
            )
        line = self._screen.ask("count> ")
        tapped = next((cell for cell in ending.pieces(state) if state.text(cell) == line.upper()), None)
        if line.lower() == "agree":
            self._agree(ending, self._proposed)
        elif line.lower() == "resume":
            self._resume(ending)
        elif tapped is not None:
            self._dead = ending.toggle(state, self._dead, tapped)
            self._show_count(ending)
        elif line.lower() in ("help", "?"):
            self._help(HELP_COUNT | HELP)
        else:
            self._obey(line, self._people[0])

    def _show_count(self, ending: Ending) -> None:
        self._screen.board(ending.picture(self._state, self._dead), None)
        self._screen.say(ending.count(self._state, self._dead).words())

    def _agree(self, ending: Ending, proposed: Cells) -> None:
        for seat, player in enumerate(self._seated):
            if player is not None and not ending.accepts(self._state, seat, proposed, self._dead):
                self._screen.say(f"{self._spec.seat_names[seat]} does not agree; play it out.", "yellow")
                self._resume(ending)
                return
        self._ended = ending.count(self._state, self._dead).outcome()

    def _resume(self, ending: Ending) -> None:
        self._state = ending.resumed(self._state)
        self._proposed = None
        self._screen.say("The passes are taken back.", "yellow")

    # --- what a person sees --------------------------------------------------------------------------

    def _hand_over(self, seat: Seat) -> None:
        """Two people at one screen must not see each other's view of a game that hides something."""
        if self._spec.hidden and self._last_person not in (None, seat):
            name = self._spec.seat_names[seat]
            self._screen.ask(f"Press Enter to hide this and hand over to {name}. ")
            self._screen.clear()
            self._screen.ask(f"{name}, press Enter when you alone can see this. ")
            self._screen.clear()
        self._last_person = seat

    def _show(self, seat: Seat) -> None:
        """The board, if it looks different from when this person last saw it, and what was heard since."""
        view = self._state.view(seat)
        self._tell(view)
        if view.picture() != self._pictures.get(seat):
            self._show_board(view)

    def _show_board(self, view: View) -> None:
        picture = view.picture()
        self._screen.board(picture, self._pictures.get(view.seat))
        self._pictures[view.seat] = picture
        if not self._spec.hidden and view.events:
            self._screen.say(f"Last moves: {' '.join(self._moves(view.events[-8:]))}", "dim")

    def _written(self, view: View, move: Move) -> str:
        """A move of the seat whose turn it is; it must not tell what the view does not."""
        return view.text(move) if self._spec.hidden else _written(self._state, move)

    def _moves(self, events: Sequence[str]) -> list[str]:
        """The last moves as people write them; their events, where a game hides nothing, are their texts."""
        written: list[str] = []
        state: State | None = self._state
        for event in reversed(events):
            state = state.previous() if state is not None else None
            written.append(event if state is None else _written(state, state.parse(event)))
        return written[::-1]

    def _tell(self, view: View) -> None:
        """In a game that hides something: what this seat heard and has not been told yet."""
        if self._spec.hidden:
            for event in view.events[self._heard[view.seat] :]:
                self._screen.say(view.spoken(event), "cyan")
            self._heard[view.seat] = len(view.events)

    def _show_end(self, outcome: Outcome) -> None:
        if self._over:
            return
        self._over = True
        if self._spec.hidden:
            if len(self._people) == 1:
                self._tell(self._state.view(self._people[0]))
            self._screen.say("The board, as the referee saw it:")
            self._screen.board(self._state.picture(), None)
        elif self._proposed is None:
            self._show(self._people[0])
        words = tell_outcome(self._spec, outcome)
        if len(self._people) == 1:
            value = outcome.values[self._spec.side_of[self._people[0]]]
            words += " You win!" if value > 0 else " You lose." if value < 0 else ""
        self._screen.say(words, "bold green")

    # --- what a person can do ------------------------------------------------------------------------

    def _obey(self, line: str, seat: Seat) -> None:
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "moves": lambda: self._list_moves(seat, rest.strip()),
            "hint": lambda: self._hint(seat),
            "undo": self._undo,
            "board": lambda: self._show_board(self._state.view(seat)),
            "history": lambda: self._history(seat),
            "position": self._position,
            "resign": lambda: self._resign(seat),
            "new": self._again,
            "quit": self._quit,
            "exit": self._quit,
            "help": self._help,
            "?": self._help,
        }
        if (deduction := self._deduction) is not None:
            commands["belief"] = lambda: self._belief(deduction, seat, rest.strip().lower())
            commands["conclusions"] = lambda: self._conclusions(deduction, seat, rest.strip())
        commands.get(word.lower(), lambda: self._move(seat, line))()

    def _move(self, seat: Seat, text: str) -> None:
        if self._outcome() is not None:
            self._screen.say("The game is over: `new` starts another, `undo` takes back, `quit` leaves.")
            return
        if self._counting():
            self._screen.say(f"{text}: no stone stands there; `agree`, `resume`, or `help`.", "red")
            return
        try:
            self._state = self._state.play(self._state.view(seat).parse(text))
        except IllegalMove:
            self._screen.say(f"{text} is not a legal move; `moves` lists those that are.", "red")
        except GameError as error:
            self._screen.say(f"{error}. `help` lists what else you can type.", "red")
        else:
            self._tell(self._state.view(seat))

    def _list_moves(self, seat: Seat, start: str) -> None:
        if self._outcome() is not None:
            self._screen.say("There is nothing to play: the game is over.")
            return
        view = self._state.view(seat)
        found = sorted(
            written
            for move in view.moves()
            for written in [self._written(view, move)]
            if any(text.lower().startswith(start.lower()) for text in (written, view.text(move)))
        )
        if found:
            self._screen.columns(found)
        else:
            self._screen.say(f"No move begins with {start!r}.")

    def _hint(self, seat: Seat) -> None:
        if self._outcome() is not None:
            self._screen.say("The game is over.")
            return
        # Not who sits at the table, who may be weak, and must not be disturbed in its choices.
        adviser = players.make(roster.default(self._game), self._game)
        adviser.start(self._spec, seat, self._seed)
        view = self._state.view(seat)
        who = self._title(adviser)
        move = self._wait_for(adviser, who, view, Limit())
        self._screen.say(f"{who} at full strength would play {self._written(view, move)}", "cyan")

    def _undo(self) -> None:
        if self._spec.hidden:
            self._screen.say("What has been heard cannot be unheard: there is no undo in this game.")
            return
        if self._ended is None:
            state = self._state.previous()
            while state is not None and not self._asks_person(state):
                state = state.previous()
            if state is None:
                self._screen.say("There is nothing to take back.")
                return
            self._state = state
        self._ended, self._over, self._proposed = None, False, None
        self._show(self._state.seat)

    def _asks_person(self, state: State) -> bool:
        return self._seated[state.seat] is None and state.forced() is None

    def _history(self, seat: Seat) -> None:
        view = self._state.view(seat)
        if not view.events:
            self._screen.say("Nothing has happened yet.")
        elif self._spec.hidden:
            for event in view.events:
                self._screen.say(f"{event:<50} {view.spoken(event)}".rstrip())
        else:
            self._screen.say(" ".join(self._moves(view.events)))

    def _belief(self, deduction: Deduction, seat: Seat, kind: str) -> None:
        """Of this seat alone, by what it was told."""
        belief = deduction.belief(self._state.view(seat))
        try:
            board = believing.chart(belief, seat, kind or None)
        except BadOption as error:
            self._screen.say(f"{error}.", "red")
            return
        of = f"a {kind} of theirs" if kind else "an enemy piece"
        self._screen.say(f"Chance of {of}, in per cent; -- where none can stand:")
        self._screen.board(board, None)
        for piece, left, squares, likely in believing.rows(belief):
            if kind in ("", piece):
                self._screen.say(f"  {piece:<8}{left:>4} left, possible on {squares:>2}: {likely}")

    def _conclusions(self, deduction: Deduction, seat: Seat, count: str) -> None:
        view = self._state.view(seat)
        if count and not (count.isdecimal() and len(count) < 10):
            said = clip(count, 40)
            self._screen.say(f"{said} is no number of lines; `conclusions 20` goes back twenty.", "red")
            return
        first = max(0, len(view.events) - (int(count) if count else _LINES))
        if not view.events:
            self._screen.say("Nothing has happened yet.")
        for event, sentences in zip(view.events[first:], deduction.conclusions(view, first), strict=True):
            self._screen.say(view.spoken(event), "cyan")
            self._screen.say(f"  {' '.join(sentences) or 'Nothing follows.'}")

    def _position(self) -> None:
        if self._spec.hidden and self._outcome() is None:
            self._screen.say("That is the referee's secret until the game is over.")
        else:
            self._screen.say(str(self._state))

    def _resign(self, seat: Seat) -> None:
        if self._outcome() is not None:
            self._screen.say("The game is over already.")
            return
        self._ended = self._spec.lost_by(seat, f"{self._spec.seat_names[seat]} resigned")

    def _again(self) -> None:
        self._leave_game()
        self._seed += 1
        self._new()
        self._screen.say("A new game.", "bold")

    def _quit(self) -> None:
        raise Leave

    def _help(self, told: Mapping[str, str] = HELP) -> None:
        if self._deduction is not None:
            told = {**told, **HELP_DEDUCE}
        for what, meaning in told.items():
            self._screen.say(f"  {what:<17}{meaning}")


def _written(state: State, move: Move) -> str:
    """A move as people of its game write it: Nf3, where programs say g1f3."""
    return state.san(move) if isinstance(state, Notated) else state.text(move)
