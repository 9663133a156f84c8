"""One live game: who sits where, whose turn it is, and what each browser may know of it.

Browsers are told what their seats see and nothing else. In a game that hides something a browser sits in one
seat only, and is told anew only if that seat's knowledge changed: even the time of a message must not tell of
a try that the referee refused to somebody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from rookery import endings, games, opponents
from rookery.api import Clock, Ending, Limit, Move, Outcome, Seat, State
from rookery.clock import TurnTime, budget
from rookery.errors import EngineError, GameError, IllegalMove, Resignation, RookeryError
from rookery.interfaces.web import faces
from rookery.interfaces.web.clocks import Clocks
from rookery.interfaces.web.engines import Engines, Question
from rookery.interfaces.web.messages import EstimateTold
from rookery.interfaces.web.scoring import Marking
from rookery.interfaces.web.store import Chair, Kept, Store, digest, new_secret

THINK = 5.0
"""Seconds that a player without a clock may think about a move."""
_LATE = 30.0
"""Seconds after which a player that does not heed time is stopped."""
_HINT = 1.0
"""Seconds for a hint."""
_EARLY = 20
"""Moves before which players do not speak of draws."""


class Refused(RookeryError):
    """What was asked cannot be done at this table now."""


@dataclass
class Offer:
    """A draw or a takeback, on which everybody else must agree."""

    kind: str
    by: Seat
    mine: frozenset[Seat]
    """All seats of who offers it."""
    agreed: set[Seat]


class Table:
    """A game that goes on."""

    def __init__(self, kept: Kept, store: Store, engines: Engines, pace: float = 0.0) -> None:
        """pace: least seconds between two moves that no person makes."""
        self.kept = kept
        self.id = kept.id
        self.spec = games.get(kept.game).spec
        self.face = faces.get(kept.game)
        self.ending = endings.of(self.spec)
        self._store = store
        self._engines = engines
        self._pace = pace
        self.state: State = games.get(kept.game).start(kept.start)
        self.first: Seat = self.state.seat
        """Who moved first."""
        self.labels: list[tuple[str, str, Seat]] = []
        """Each move's text, how people write it, and who made it."""
        self.clocks = Clocks(self.spec.seats, *kept.clock) if kept.clock else None
        self.offer: Offer | None = None
        self.failure: str | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self.declined: tuple[Seat, str] | None = None
        """Whose offer was not taken, and by whom, in words."""
        self.rematch: dict[Seat, str] = {}
        """Where each seat is invited to play again."""
        self._listeners: dict[Callable[[], None], frozenset[Seat]] = {}
        self._values: dict[Seat, float] = {}
        self._hinting = False
        self._time = TurnTime()
        """What players have thought about the turn under way; people have no such bound."""
        self._since = monotonic()
        for text, seconds in kept.moves:
            seat, move = self.state.seat, self.state.parse(text)
            self._advance(move, self.state.play(move))
            if self.clocks:
                self.clocks.spend(seat, seconds)
                if self.state.stood:
                    self.clocks.moved(seat)

    # --- who is here ----------------------------------------------------------------------------------

    def watch(self, listener: Callable[[], None], seats: Sequence[Seat] = ()) -> None:
        """Call this whenever something may have changed, for somebody in these seats."""
        before = self.present()
        self._listeners[listener] = frozenset(seats)
        if self.present() != before:
            self._changed()
        self.go_on()

    def unwatch(self, listener: Callable[[], None]) -> None:
        before = self.present()
        self._listeners.pop(listener, None)
        if self.present() != before:
            self._changed()

    def present(self) -> frozenset[Seat]:
        """The seats of whoever is connected now."""
        return frozenset().union(*self._listeners.values())

    def call(self, seats: Sequence[Seat], name: str) -> None:
        """Whoever holds these seats wants to be called so; nothing: to have no name."""
        for seat in seats:
            self.chairs[seat].person = name or None
            self._store.seat(self.id, seat, self.chairs[seat])
        self._changed()

    @property
    def chairs(self) -> list[Chair]:
        return self.kept.chairs

    def seats_of(self, secrets: Sequence[str]) -> tuple[Seat, ...]:
        """The seats that these secrets open; in a game that hides something, one at most."""
        mine = tuple(
            seat for seat, chair in enumerate(self.chairs) if any(chair.opens(secret) for secret in secrets)
        )
        return mine[:1] if self.spec.hidden else mine

    def claim(self, invitation: str) -> tuple[Seat, str]:
        """Sit down where an invitation says, for good.

        Raises:
            Refused: it has been used, or was never one.
        """
        for seat, chair in enumerate(self.chairs):
            if chair.invitation is not None and chair.invitation == digest(invitation):
                secret = new_secret()
                chair.secret, chair.invitation = digest(secret), None
                self._store.seat(self.id, seat, chair)
                self._changed()
                return seat, secret
        raise Refused("this invitation has been used already")

    def invite_again(self, table: str, invitations: Mapping[str, str]) -> None:
        """Somebody has laid the next table; the others may join it.

        Raises:
            Refused: this game is not over, or the others have been invited already.
        """
        if self.outcome() is None:
            raise Refused("the game is not over")
        if self.rematch:
            raise Refused("there is a rematch already")
        self.rematch = {int(seat): f"{table}/join/{ticket}" for seat, ticket in invitations.items()}
        self._changed()

    async def hint(self, seats: Sequence[Seat]) -> str:
        """What the usual player would do for whoever is to move.

        Raises:
            Refused: it is not the turn of these seats, or somebody is being asked already.
        """
        self._require_play()
        seat = self.state.seat
        if seat not in seats:
            raise Refused("only the player to move can ask for a hint")
        if self._hinting:
            raise Refused("a hint is being looked for already")
        name = opponents.house(self.kept.game)
        question = replace(self._question("move", seat, name, {"time": _HINT}), table=f"{self.id} hint")
        self._hinting = True
        try:
            return str((await self._engines.ask(question, _LATE))["move"])
        finally:
            self._hinting = False

    @property
    def idle(self) -> bool:
        """Nobody looks, and nobody thinks."""
        return not self._listeners and self._thinking is None

    # --- the game -------------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        return self.kept.outcome or (None if self.scoring else self.state.outcome())

    @property
    def scoring(self) -> bool:
        """Whether play has ended and the dead stones are not yet agreed on."""
        return self.kept.outcome is None and endings.waits(self.state)

    @property
    def marking(self) -> Marking | None:
        """The stones that are marked as dead, once somebody has proposed some."""
        return self.kept.marking

    @property
    def thinking(self) -> bool:
        return self._thinking is not None

    def move(self, seat: Seat, text: str) -> None:
        """A person moves.

        Raises:
            Refused: it is no legal move, not their turn, or the game is over.
        """
        self._require_play()
        if self.state.seat != seat:
            raise Refused(f"it is {self.spec.seat_names[self.state.seat]}'s turn")
        try:
            self._play(self.state.view(seat).parse(text))
        except IllegalMove:
            raise Refused(f"{text} is not a legal move") from None
        except GameError as error:
            raise Refused(str(error)) from None

    def go_on(self) -> None:
        """Let whoever is next do what they do without being asked: pass, think, run out of time."""
        if self.outcome() is not None or self.failure or self._thinking:
            return
        if self.scoring:
            if self.marking is None:
                self._thinking = asyncio.create_task(self._judge())
            return
        if any(chair.player is None and chair.secret is None for chair in self.chairs):
            return  # Somebody is still expected.
        if self.clocks and self.clocks.running is None:
            self._run_clock()
        if self.chairs[self.state.seat].player is not None or self.state.forced() is not None:
            self._thinking = asyncio.create_task(self._think())

    def undo(self, seat: Seat, mine: Sequence[Seat] = ()) -> None:
        """Take back to this seat's last turn, or ask the other people whether they agree.

        mine: all seats of whoever asks.
        """
        if not self.can_undo(seat):
            raise Refused("there is nothing to take back")
        if self.kept.outcome and not self._others(seat):
            self._take_back(len(self.labels))
        else:
            self._propose("undo", seat, mine)

    def can_undo(self, seat: Seat) -> bool:
        return not self.spec.hidden and self._undo_to(self._together(seat)) is not None

    def resign(self, seat: Seat) -> None:
        self._require_going()
        self._lose(seat, "resigned")

    def offer_draw(self, seat: Seat, mine: Sequence[Seat] = ()) -> None:
        self._require_play()
        self._propose("draw", seat, mine)

    def answer(self, seats: Sequence[Seat], yes: bool) -> None:
        """To an offer of somebody else."""
        if self.offer is None or not set(seats) - self.offer.agreed:
            raise Refused("there is nothing to answer")
        if not yes:
            self._decline(self.offer, seats[0])
            return
        self.offer.agreed |= set(seats)
        self._settle()

    # --- a count on which people agree ----------------------------------------------------------------

    async def estimate(self) -> EstimateTold:
        """Who leads now, as far as random games can tell.

        Raises:
            Refused: nothing is counted in this game, or it is over.
        """
        self._require_play()
        if self.ending is None:
            raise Refused(f"{self.spec.title} has no score to be estimated")
        reply = await self._engines.ask(self._question("estimate"), _LATE)
        return EstimateTold(**reply)

    def mark(self, cell: str) -> None:
        """A person taps a stone: it and its like are dead, or alive after all.

        Raises:
            Refused: nothing is being counted, or no stone stands there.
        """
        ending, marking = self._require_count()
        place = next((p for p in ending.pieces(self.state) if self.state.text(p) == cell), None)
        if place is None:
            raise Refused(f"no stone stands at {cell}")
        self._keep(marking.tapped(ending, self.state, place))

    def agree(self, seats: Sequence[Seat], number: int) -> None:
        """People agree to what is marked; once all do, so do programs, or play goes on.

        Raises:
            Refused: it is something else that is marked now, or a program does not agree.
        """
        ending, marking = self._require_count()
        if number != marking.number:
            raise Refused("the marked stones have changed; look again")
        marking = replace(marking, agreed=marking.agreed | set(seats))
        if not self._people() <= marking.agreed:
            self._keep(marking)
            return
        for seat in set(range(self.spec.seats)) - self._people():
            if not ending.accepts(self.state, seat, marking.proposed, marking.dead):
                self.resume()
                raise Refused(f"{self.spec.seat_names[seat]} does not agree to this; play it out")
        self.kept.marking = marking
        self._store.mark(self.id, marking.write())
        self._end(ending.count(self.state, marking.dead).outcome())

    def resume(self) -> None:
        """Somebody does not agree: the passes are taken back, and play goes on."""
        ending, _ = self._require_count()
        self._take_back(len(ending.resumed(self.state).history()))

    def _require_count(self) -> tuple[Ending, Marking]:
        if not self.scoring or self.marking is None or self.ending is None:
            raise Refused("no stones are being counted now")
        return self.ending, self.marking

    def _people(self) -> set[Seat]:
        return {seat for seat, chair in enumerate(self.chairs) if chair.player is None}

    def _keep(self, marking: Marking) -> None:
        self.kept.marking = marking
        self._store.mark(self.id, marking.write())
        self._changed()

    async def _judge(self) -> None:
        """Have the dead stones proposed; where only programs play, that decides."""
        try:
            reply = await self._engines.ask(self._question("dead"), _LATE)
        except RookeryError as error:
            self._thinking = None
            self.failure = f"The dead stones could not be found: {error}"
            self._changed()
            return
        self._thinking = None
        dead = frozenset(reply["dead"])
        self._keep(Marking(dead, dead))
        if not self._people():
            assert self.ending is not None
            self._end(self.ending.count(self.state, dead).outcome())

    def retry(self) -> None:
        self.failure = None
        self.go_on()
        self._changed()

    def close(self) -> None:
        """Stop thinking; the game itself is in the store."""
        self._interrupt()

    # --- moves ----------------------------------------------------------------------------------------

    def _require_going(self) -> None:
        if self.outcome() is not None:
            raise Refused("the game is over")

    def _require_play(self) -> None:
        self._require_going()
        if self.scoring:
            raise Refused("play has ended; agree on the dead stones, or resume it")

    def _advance(self, move: Move, after: State) -> None:
        seat, text = self.state.seat, self.state.text(move)
        label = self.face.label(self.state, text)
        self.state = after
        self.labels.append((text, label, seat))

    def _play(self, move: Move, thought: float = 0.0) -> None:
        """Make a move that a player has thought about for so long, and keep it before anybody hears of it."""
        if not self.spec.hidden and move not in self.state.moves():
            raise IllegalMove(f"{self.state.text(move)} is not legal here")
        now = monotonic()
        seat, seconds = self.state.seat, now - self._since
        text, after = self.state.text(move), self.state.play(move)
        self._store.append(self.id, len(self.labels), text, seconds, after.stood)
        self.kept.moves.append((text, seconds))
        self._advance(move, after)
        self._time.tried(thought, after.stood)
        self._since = now
        # Of a try that was refused nobody else may learn, not even by an offer that goes away.
        if after.stood:
            self.declined = None
            if self.offer and seat != self.offer.by:
                self.offer = None
        if self.clocks and after.stood:
            self.clocks.run(None)
            self.clocks.moved(seat)
        self._after()

    def _after(self) -> None:
        """The position is a new one."""
        self._run_clock()
        outcome = self.outcome()
        if self.scoring:
            self.offer = None
        if outcome:
            self.offer = None
            self._store.end(self.id, outcome)
        self._changed()
        self.go_on()

    def _lose(self, seat: Seat, how: str) -> None:
        self._end(self.spec.lost_by(seat, f"{self.spec.seat_names[seat]} {how}"))

    def _end(self, outcome: Outcome) -> None:
        self._interrupt()
        self.offer = self.failure = None
        self.kept.outcome = outcome
        self._store.end(self.id, outcome)
        self._run_clock()
        self._changed()

    def _changed(self) -> None:
        for listener in list(self._listeners):
            listener()

    # --- players --------------------------------------------------------------------------------------

    async def _think(self) -> None:
        try:
            if self._pace:
                await asyncio.sleep(max(0.0, self._pace - (monotonic() - self._since)))
            forced = self.state.forced()
            began = monotonic()
            move = forced if forced is not None else await self._choose(self.state.seat)
            self._thinking = None
            self._play(move, monotonic() - began)
        except Resignation:
            self._thinking = None
            self.resign(self.state.seat)
        except (EngineError, RookeryError) as error:
            self._thinking = None
            # What went wrong may quote the board, which in some games is a secret.
            why = "it failed" if self.spec.hidden else str(error)
            name = self.chairs[self.state.seat].player or ""
            self.failure = f"{opponents.meet(name, games.get(self.kept.game)).title}: {why}"
            self._changed()

    async def _choose(self, seat: Seat) -> Move:
        name = self.chairs[seat].player
        assert name is not None
        limit = self._time.left(Limit(time=THINK))
        if self.clocks:
            clock = Clock(self.clocks.left(seat), self.clocks.increment)
            share = budget(clock, 0.05, self._time.spent)
            limit = self._time.left(Limit(time=THINK * 4)).tighter(replace(limit, time=share.soft))
        self._changed()
        asked = {"time": limit.time, "spent": limit.spent}
        reply = await self._engines.ask(self._question("move", seat, name, asked), _LATE)
        self._values[seat] = reply["value"][self.spec.side_of[seat]]
        return self.state.view(seat).parse(reply["move"])

    def _question(
        self, do: str, seat: Seat = 0, player: str = "", limit: dict[str, Any] | None = None
    ) -> Question:
        """About the position as it stands; without a player it is one for nobody in particular."""
        kept, moves = self.kept, [text for text, _ in self.kept.moves]
        return Question(do, kept.game, kept.start, moves, seat, player, self.id, kept.seed, limit or {})

    def _interrupt(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        if self._flag:
            self._flag.cancel()
            self._flag = None

    # --- clocks ---------------------------------------------------------------------------------------

    def _run_clock(self) -> None:
        """Let the clock of whoever is to move run, or nobody's if the game is over."""
        if not self.clocks:
            return
        if self._flag:
            self._flag.cancel()
            self._flag = None
        over = self.outcome() is not None or self.scoring
        if self.clocks.running != self.state.seat or over:
            self.clocks.run(None if over else self.state.seat)
        if not over:
            left = self.clocks.left(self.state.seat)
            self._flag = asyncio.get_running_loop().call_later(left + 0.01, self._out_of_time)

    def _out_of_time(self) -> None:
        assert self.clocks is not None
        seat = self.state.seat
        if self.outcome() is None and not self.scoring and self.clocks.left(seat) <= 0:
            self._lose(seat, "ran out of time")

    # --- offers ---------------------------------------------------------------------------------------

    def _propose(self, kind: str, seat: Seat, mine: Sequence[Seat]) -> None:
        """Whoever asks agrees with every seat of theirs, however they came by it."""
        together = self._together(seat, mine)
        self.offer, self.declined = Offer(kind, seat, frozenset(together), together), None
        self._settle()
        self._changed()

    def _settle(self) -> None:
        """See whether everybody agrees by now."""
        offer = self.offer
        assert offer is not None
        for seat, chair in enumerate(self.chairs):
            if chair.player is not None and seat not in offer.agreed:
                if offer.kind == "draw" and not self._would_draw(seat):
                    self._decline(offer, seat)
                    return
                offer.agreed.add(seat)
        if len(offer.agreed) < self.spec.seats:
            self._changed()
            return
        self.offer = None
        if offer.kind == "draw":
            self._end(Outcome((0.0,) * self.spec.sides, "agreement"))
        else:
            target = self._undo_to(offer.mine)
            if target is not None:
                self._take_back(target)

    def _decline(self, offer: Offer, seat: Seat) -> None:
        what = "the draw" if offer.kind == "draw" else "the takeback"
        self.offer = None
        self.declined = offer.by, f"{self.spec.seat_names[seat]} declined {what}."
        self._changed()

    def _would_draw(self, seat: Seat) -> bool:
        return len(self.labels) >= _EARLY and self._values.get(seat, 1.0) <= 0.0

    def _others(self, seat: Seat) -> bool:
        """Whether other people than this one play."""
        return any(
            chair.player is None and number != seat and chair.secret != self.chairs[seat].secret
            for number, chair in enumerate(self.chairs)
        )

    def _undo_to(self, mine: Collection[Seat]) -> int | None:
        """How many moves would be left; None if nothing can be taken back."""
        if self.kept.outcome:
            return len(self.labels)
        number, before = len(self.labels) - 1, self.state.previous()
        while before is not None:
            if self.chairs[before.seat].player is None and before.seat in mine and before.forced() is None:
                return number
            number, before = number - 1, before.previous()
        return None

    def _together(self, seat: Seat, mine: Sequence[Seat] = ()) -> set[Seat]:
        """All seats of who holds this one: those that they say, and those that the same secret opens."""
        secret = self.chairs[seat].secret
        same = {other for other, chair in enumerate(self.chairs) if secret and chair.secret == secret}
        return {seat, *mine} | same

    def _take_back(self, number: int) -> None:
        self._interrupt()
        self._store.take_back(self.id, number)
        while len(self.labels) > number:
            before = self.state.previous()
            assert before is not None
            _, seconds = self.kept.moves.pop()
            _, _, seat = self.labels.pop()
            self.state = before
            if self.clocks:
                self.clocks.run(None)
                self.clocks.spend(seat, self.clocks.increment - seconds)
        self.kept.outcome = self.kept.marking = self.failure = None
        self._since = monotonic()
        self._after()
