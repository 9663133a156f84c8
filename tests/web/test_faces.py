"""Every board can be drawn, and everything that happens on it has a place there."""

import random

import pytest

from rookery import games
from rookery.games.duchess import squares
from rookery.interfaces.web import faces
from rookery.interfaces.web.faces import Cell, Man
from rookery.interfaces.web.faces.plain import PlainFace

NAMES = games.names()


def wander(name: str, plies: int, seed: int = 1):
    rng = random.Random(seed)
    state = games.get(name).start(faces.get(name).opening({}))
    for _ in range(plies):
        if state.outcome():
            return
        yield state
        state = state.play(rng.choice(list(state.moves())))


@pytest.mark.parametrize("name", NAMES)
def test_moves_and_men_lie_on_the_board(name: str) -> None:
    face = faces.get(name)
    cells = {cell.name for cell in face.geometry(0).cells}
    for state in wander(name, 60):
        view = state.view(state.seat)
        steps = [face.step(view.text(move)) for move in view.moves()]
        assert {step.to for step in steps} | {step.start for step in steps} <= cells | {None}
        sight = face.see(view)
        assert {man.cell for man in sight.men} | set(sight.alarms) <= cells
        letters = {piece.letter for piece in face.pieces}
        assert {man.kind for man in sight.men} <= letters
        assert {step.drops for step in steps} | {step.promotion for step in steps} <= letters | {None}
        assert len({man.cell for man in sight.men}) == len(sight.men)


@pytest.mark.parametrize("name", NAMES)
def test_every_seat_sees_the_same_squares(name: str) -> None:
    face = faces.get(name)
    seen = [face.geometry(seat) for seat in range(games.get(name).spec.seats)]
    for geometry in seen:
        left, top, width, height = geometry.box
        assert {cell.name for cell in geometry.cells} == {cell.name for cell in seen[0].cells}
        for cell in geometry.cells:
            assert left <= cell.x <= left + width and top <= cell.y <= top + height


def test_own_men_are_at_the_bottom() -> None:
    for name, back in (("chess", ("e1", "e8")), ("duchess6", tuple(f"{n}c1" for n in range(1, 7)))):
        face = faces.get(name)
        for seat, square in enumerate(back):
            cells = {cell.name: cell for cell in face.geometry(seat).cells}
            lowest = max(cell.y for cell in cells.values())
            assert cells[square].y > 0.85 * lowest
    # With four, a folded flap is at the bottom and one's own beside it.
    for seat, square in enumerate(("1c1", "2c1", "4c1", "5c1")):
        assert {c.name: c for c in faces.get("duchess4").geometry(seat).cells}[square].y > 0


@pytest.mark.parametrize("players", [4, 6])
def test_squares_of_the_rose_touch_where_the_rules_say(players: int) -> None:
    cells = {cell.name: cell for cell in faces.get(f"duchess{players}").geometry(0).cells}
    board = squares(players)
    assert len(cells) == {4: 117, 6: 157}[players]

    def near(one: Cell, other: Cell) -> int:
        return sum(any(abs(x - u) + abs(y - v) < 0.5 for u, v in other.outline) for x, y in one.outline)

    for square in board:
        for index in square.edges:
            assert near(cells[square.name], cells[board[index].name]) >= 2, (square.name, board[index].name)
        for index in square.corners:
            assert near(cells[square.name], cells[board[index].name]) == 1, (square.name, board[index].name)


@pytest.mark.parametrize("name", NAMES)
def test_a_position_can_be_set_up_by_hand(name: str) -> None:
    face = faces.get(name)
    for state in list(wander(name, 12))[::3]:
        men = face.truth(state).men
        again = games.get(name).start(face.arrange(men, state.seat))
        assert set(face.truth(again).men) == set(men)
        assert again.seat == state.seat


def test_castling_is_allowed_where_it_looks_so() -> None:
    men = [Man("e1", "K", 0), Man("h1", "R", 0), Man("a1", "R", 0), Man("e8", "K", 1), Man("a8", "R", 1)]
    assert faces.get("chess").arrange(men, 0).split()[2] == "KQq"


def test_steps_of_duchess() -> None:
    step = faces.get("duchess4").step
    assert (step("R1a1~x4a4").teleport, step("R1a1~x4a4").to) == (True, "4a4")
    assert (step("P1c6-V=Q").promotion, step("P1c6xV").promotion) == ("Q", None)
    assert step("--").to is None


@pytest.mark.parametrize("name", NAMES)
def test_a_game_that_nobody_has_drawn_shows_its_text(name: str) -> None:
    spec = games.get(name).spec
    face = PlainFace(spec)
    assert len(face.look.colours) == spec.seats and face.look.family.title == spec.title
    assert not face.geometry(0).cells and not face.look.editable
    for state in wander(name, 6):
        view = state.view(state.seat)
        assert face.see(view).picture == view.picture()
        assert face.truth(state).picture == state.picture()
        assert [face.step(view.text(move)).text for move in view.moves()] == list(
            map(view.text, view.moves())
        )
        assert len(face.announcements(view)) == len(view.events)


def test_families_offer_games_that_there_are() -> None:
    looks = [faces.get(name).look for name in NAMES]
    assert all(look.family.game in NAMES for look in looks)
    assert len({look.family.place for look in looks}) == len({look.family.name for look in looks})
    families = {look.family.name for look in looks}
    for family in families:
        variants = [look.variant for look in looks if look.family.name == family]
        assert len(set(variants)) == len(variants) and (len(variants) == 1 or all(variants))


def test_what_is_usual_depends_on_what_was_chosen() -> None:
    face = faces.get("go9")

    def usual(**setup: str) -> str:
        return next(option.usual for option in face.options(setup) if option.name == "komi")

    assert (usual(), usual(rules="japanese"), usual(handicap="2"), usual(rules="nonsense")) == (
        *("7.5", "6.5", "0.5", "7.5"),
    )
    assert len(faces.get("go5").options({})[2].choices) == 1  # No handicap is customary there.
    opening = face.opening({"rules": "japanese", "komi": "5.5", "handicap": "3"})
    assert opening is not None and "komi=5.5" in opening and "handicap=3" in opening
