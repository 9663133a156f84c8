"""What a browser is told of a table: made from the views of its seats alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rookery import games, opponents
from rookery.api import GameSpec, Outcome, Seat, State
from rookery.errors import RookeryError
from rookery.interfaces.terminal import tell_outcome
from rookery.interfaces.web import faces
from rookery.interfaces.web.faces import Face, Sight, Step
from rookery.interfaces.web.messages import (
    Branch,
    Frame,
    HeardShown,
    MoveShown,
    OfferShown,
    OutcomeShown,
    PositionShown,
    Replay,
    ScoringShown,
    SeatShown,
    Seen,
    TableShown,
    Tree,
)
from rookery.interfaces.web.table import Table
from rookery.opponents import Opponent

PLIES = 3000
"""As many moves as a game may have here."""


def show(table: Table, seats: Sequence[Seat]) -> TableShown:
    """The table as somebody in these seats sees it; none: a spectator."""
    outcome = table.outcome()
    secret = table.spec.hidden and outcome is None
    mine = seats[0] if seats else None
    turn = table.state.seat
    if not table.spec.hidden and turn in seats:
        mine = turn
    sight = _sight(table, mine, secret)
    my_turn = outcome is None and not table.scoring and turn in seats and table.state.forced() is None
    return TableShown(
        id=table.id,
        game=table.kept.game,
        title=table.spec.title,
        hidden=table.spec.hidden,
        seats=[_seat(table, seat, seats) for seat in range(table.spec.seats)],
        turn=turn,
        seat=mine,
        men=list(sight.men),
        alarms=list(sight.alarms),
        notes=list(sight.notes),
        picture=sight.picture,
        moves=[] if secret else [_move(table.face, *label) for label in table.labels],
        heard=_heard(table, mine),
        legal=_legal(table.face, table.state, turn) if my_turn else [],
        running=table.clocks is not None and table.clocks.running is not None,
        thinking=_thinks(table),
        failure=table.failure,
        outcome=outcome_shown(table.spec, outcome),
        offer=_offer(table, seats),
        rematch=next((table.rematch[seat] for seat in seats if seat in table.rematch), None),
        time=table.kept.clock,
        declined=table.declined[1] if table.declined and table.declined[0] in seats else None,
        scoring=_scoring(table),
        can_undo=bool(seats) and any(table.can_undo(seat) for seat in seats),
        position=None if secret else str(table.state),
    )


def _sight(table: Table, mine: Seat | None, secret: bool) -> Sight:
    if not table.spec.hidden:
        return table.face.truth(table.state)
    if not secret:
        return table.face.truth(table.state)
    return table.face.see(table.state.view(mine)) if mine is not None else Sight(())


@lru_cache(1000)
def meet(player: str, game: str) -> Opponent:
    """Who a player is, for people."""
    return opponents.meet(player, games.get(game))


def _thinks(table: Table) -> bool:
    if table.outcome() is not None or table.failure:
        return False
    return table.marking is None if table.scoring else table.chairs[table.state.seat].player is not None


def _scoring(table: Table) -> ScoringShown | None:
    marking = table.marking
    if marking is None:
        return None
    ending, state = table.ending, table.state
    assert ending is not None
    black, white = ending.territory(state, marking.dead)
    return ScoringShown(
        open=table.scoring,
        number=marking.number,
        dead=[state.text(cell) for cell in sorted(marking.dead)],
        black=list(black),
        white=list(white),
        words=ending.count(state, marking.dead).words(over=not table.scoring),
        agreed=sorted(marking.agreed),
    )


def _seat(table: Table, seat: Seat, seats: Sequence[Seat]) -> SeatShown:
    chair = table.chairs[seat]
    met = meet(chair.player, table.kept.game) if chair.player else None
    return SeatShown(
        name=table.spec.seat_names[seat],
        colour=faces.colours(table.kept.game)[seat],
        side=table.spec.side_of[seat],
        player=chair.player,
        title=met.title if met else chair.person or "",
        about=met.description if met else "",
        strength=met.strength if met else "",
        yours=seat in seats,
        vacant=chair.player is None and chair.secret is None,
        away=chair.secret is not None and seat not in table.present(),
        clock=round(table.clocks.left(seat), 2) if table.clocks else None,
    )


def _move(face: Face, text: str, label: str, seat: Seat) -> MoveShown:
    step = face.step(text)
    return MoveShown(
        text=text,
        label=label,
        seat=seat,
        to=step.to,
        start=step.start,
        teleport=step.teleport,
        passes=step.passes,
    )


def _legal(face: Face, state: State, seat: Seat) -> list[Step]:
    view = state.view(seat)
    return [face.step(view.text(move)) for move in view.moves()]


def _heard(table: Table, mine: Seat | None) -> list[HeardShown]:
    if not table.spec.hidden or mine is None:
        return []
    found: list[HeardShown] = []
    own = iter([label for _, label, seat in table.labels if seat == mine])
    stood = table.first
    for line in table.face.announcements(table.state.view(mine)):
        text = line.move or line.refused
        step = table.face.step(text) if text else None
        found.append(
            HeardShown(
                words=line.words,
                mine=line.move,
                refused=line.refused,
                label=next(own) if text else None,
                number=1 + stood // table.spec.seats,
                start=step.start if step else None,
                to=step.to if step else None,
                square=line.cell,
                tries=line.tries,
            )
        )
        stood += line.refused is None
    return found


def outcome_shown(spec: GameSpec, outcome: Outcome | None) -> OutcomeShown | None:
    if outcome is None:
        return None
    words = tell_outcome(spec, outcome)
    return OutcomeShown(words=words, reason=outcome.reason, values=list(outcome.values))


def _offer(table: Table, seats: Sequence[Seat]) -> OfferShown | None:
    if table.offer is None:
        return None
    mine = table.offer.by in seats and not set(seats) - table.offer.agreed
    return OfferShown(kind=table.offer.kind, by=table.offer.by, mine=mine)


# --- games that are over, or hide nothing -------------------------------------------------------------


def replay(game: str, start: str | None, moves: Sequence[str], outcome: Outcome | None = None) -> Replay:
    """Every position of a game.

    Raises:
        GameError: the start or a move cannot be read or played.
    """
    rules, face = games.get(game), faces.get(game)
    if len(moves) > PLIES:
        raise RookeryError(f"at most {PLIES} moves can be shown (got {len(moves)})")
    state = rules.start(start)
    first = str(state)
    frames = [_frame(face, state, None)]
    for text in moves:
        state, frame = _after(face, state, text)
        frames.append(frame)
    over = outcome or state.outcome()
    legal = [] if over else _legal(face, state, state.seat)
    return Replay(game=game, start=first, frames=frames, legal=legal, outcome=outcome_shown(rules.spec, over))


def tree(game: str, start: str | None, branches: Sequence[Branch]) -> Tree:
    """Every position of a game with its variations.

    Raises:
        GameError: the start or a move cannot be read or played.
    """
    face, state = faces.get(game), games.get(game).start(start)
    grown = [(state, _frame(face, state, None))]
    for branch in branches:
        grown.append(_after(face, grown[branch.after][0], branch.text))
    return Tree(frames=[frame for _, frame in grown])


def here(game: str, start: str | None, moves: Sequence[str]) -> PositionShown:
    """The position that a line of moves leads to.

    Raises:
        GameError: the start or a move cannot be read or played.
    """
    face, state = faces.get(game), games.get(game).start(start)
    for text in moves[:-1]:
        state = state.play(state.parse(text))
    frame = _frame(face, state, None)
    if moves:
        state, frame = _after(face, state, moves[-1])
    over = state.outcome()
    legal = [] if over else _legal(face, state, state.seat)
    return PositionShown(frame=frame, legal=legal, outcome=outcome_shown(state.spec, over))


def _after(face: Face, state: State, text: str) -> tuple[State, Frame]:
    """The state after a move, and how it looks."""
    move = state.parse(text)
    spelt = state.text(move)
    label = face.label(state, spelt)
    after = state.play(move)
    return after, _frame(face, after, _move(face, spelt, label, state.seat))


def _frame(face: Face, state: State, move: MoveShown | None) -> Frame:
    sight = face.truth(state)
    views = []
    if state.spec.hidden:
        seen = [face.see(state.view(seat)) for seat in range(state.spec.seats)]
        views = [Seen(men=list(each.men), picture=each.picture) for each in seen]
    return Frame(
        men=list(sight.men),
        alarms=list(sight.alarms),
        notes=list(sight.notes),
        picture=sight.picture,
        move=move,
        position=str(state),
        turn=state.seat,
        views=views,
        refused=not state.stood,
    )
