"""Games of Go as SGF: the main line, its set-up and its rules. sgfmill reads and writes the format itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from sgfmill.sgf import Sgf_game  # type: ignore[import-untyped]

from rookery import games, registry
from rookery.api import Game, Outcome, State, Transcript
from rookery.errors import BadNotation, BadPosition, IllegalMove, UnknownName, clip
from rookery.games import go_rules
from rookery.games.go import COLUMNS, SIZES, Go, GoState, Point
from rookery.games.go import rows as rows_of
from rookery.games.go_scoring import count, propose
from rookery.records import ends
from rookery.records.tree import flatten

# What the names of rules in SGF mean here; all else of them (suicide, how a dispute is settled) stays ours.
_SAID = 60
"""Characters of a record that an error shows."""
_AGREED_AREA = ("area", "simple", "agreed")
_AGREED_TERRITORY = ("territory", "simple", "agreed")
_NAMES = {
    **{rules.name: (rules.scoring, rules.ko, rules.dead_stones) for rules in go_rules.RULES.values()},
    "korean": _AGREED_TERRITORY,
    "aga": _AGREED_AREA,
    "goe": _AGREED_AREA,
    "ing": _AGREED_AREA,
    "new zealand": _AGREED_AREA,
    "nz": _AGREED_AREA,
}
_EVERY_STONE = "every-stone"
"""Behind the name of rules: no stone is dead."""


def read_sgf(text: str, rules: str | None = None) -> GoState:
    """The state at the end of the main line of the first game in a text.

    SZ, KM, RU, HA, AB, AW and PL are heeded, and passes may be empty or `tt`. `rules` stands in for RU.

    >>> state = read_sgf("(;GM[1]SZ[5]KM[0.5]RU[Chinese];B[cc];W[];B[tt])")
    >>> state.score(), state.outcome().reason
    (24.5, 'by 24.5 points')

    Raises:
        BadPosition: it is no SGF, or no game of Go by our rules.
    """
    try:
        game = Sgf_game.from_string(text)
    except ValueError as error:
        raise BadPosition(f"this is no SGF: {clip(error, _SAID)}") from None
    root = game.get_root()
    if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
        raise BadPosition(f"GM[{_raw(root, 'GM')}]: a record of another game; GM[1] is Go")
    if game.get_size() not in SIZES:
        raise BadPosition(f"SZ[{game.get_size()}]: the board must be between {SIZES[0]} and {SIZES[-1]} wide")
    moves = _moves(game)
    start = _start(game, rules, moves[0][0] if moves else "b")
    state = start
    for number, (colour, vertex) in enumerate(moves, start=1):
        if colour != "bw"[state.seat]:
            raise BadPosition(f"move {number}: {colour.upper()} moves out of turn; our games alternate")
        try:
            state = state.play(state.parse(vertex))
        except IllegalMove as error:
            raise BadPosition(f"move {number}: {error}") from None
    return state


def write_sgf(
    state: GoState,
    players: tuple[str, str] | None = None,
    dead: Iterable[Point] | None = None,
    result: str | None = None,
) -> str:
    """The game that led to a state as SGF; `read_sgf` gives it back.

    dead: the stones on which the players agreed, the proposed ones if None; the end is written with its
    territory. result: how it ended, where not by the count.

    >>> print(write_sgf(Go(5).start("...../..X../...../...../..... w").play(6)), end="")
    (;FF[4]AB[cb]CA[UTF-8]GM[1]KM[0]PL[W]RU[Mayer]SZ[5];W[bd])

    Raises:
        BadPosition: the game started with prisoners, a ko, passes or plies, which SGF cannot tell.
    """
    start = state
    while (before := start.previous()) is not None:
        start = before
    text, size = str(start), start.size
    if text.split()[2:6] != ["0:0", "-", "0", "0"]:
        raise BadPosition(f"SGF cannot tell the prisoners, ko, passes and plies of '{text}'")
    game = Sgf_game(size)
    root = game.get_root()
    root.set_setup_stones(*({divmod(p, size) for p in start.stones(seat)} for seat in (0, 1)))
    if start.seat == 1:
        root.set("PL", "w")
    root.set("KM", start.komi)
    root.set("RU", _rules(start))
    if start.handicap:
        root.set("HA", start.handicap)
    for identifier, player in zip(("PB", "PW"), players or (), strict=False):
        root.set(identifier, player)
    node = root
    for ply, move in enumerate(state.history()):
        point = divmod(move, size) if move < size * size else None
        node = node.new_child()
        node.set_move("bw"[(start.seat + ply) % 2], point)
    if result is not None:
        root.set("RE", result)
    elif state.outcome():
        root.set("RE", _result(state, dead, node))
    return str(game.serialise().decode())


def _result(state: GoState, dead: Iterable[Point] | None, node: Any) -> str:
    score = state.score()
    if state.dead_stones == "agreed":
        off = propose(state) if dead is None else frozenset(dead)
        found = count(state, off)
        score = found.margin
        standing = {*state.stones(0), *state.stones(1)} - off
        for identifier, seat in (("TB", 0), ("TW", 1)):
            land = {
                divmod(p, state.size) for p, of in enumerate(found.owner) if of == seat and p not in standing
            }
            if land:
                node.set(identifier, land)
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def _rules(state: GoState) -> str:
    """The name of the rules, or the nearest one with the words of what differs."""
    if known := go_rules.of(state):
        return known.title
    words = ["psk"] if state.ko_rule == "psk" else []
    words += {"none": [_EVERY_STONE], "benson": ["benson"], "agreed": []}[state.dead_stones]
    return " ".join([{"territory": "Japanese", "area": "Chinese"}[state.scoring], *words])


def _start(game: Any, rules: str | None, first: str) -> GoState:
    """The position before the first move. `first` moves unless PL says otherwise."""
    size, root = game.get_size(), game.get_root()
    black, white = (_get(root, identifier, set()) for identifier in ("AB", "AW"))
    for row, column in black & white:
        raise BadPosition(f"AW: two stones are set up at {COLUMNS[column]}{row + 1}")
    stones = [{size * row + column for row, column in setup} for setup in (black, white)]
    options = _options(rules if rules is not None else _get(root, "RU", "Japanese"))
    # Some programs write HA[0] or HA[1] where there is no handicap.
    handicap = _get(root, "HA", 0)
    try:
        board = Go(size, komi=_get(root, "KM", 0.0), handicap=handicap if handicap > 1 else 0, **options)
    except UnknownName as error:
        which = "HA" if "handicap" in str(error) else "KM"
        raise BadPosition(f"{which}[{_raw(root, which)}]: {error}") from None
    return board.start(f"{rows_of(size, *stones)} {_get(root, 'PL', first)}")


def _options(rules: str) -> dict[str, str]:
    """What a value of RU, perhaps with words of ours behind it, asks for."""
    words = rules.lower().split()
    changes = {}
    for word, key, value in (
        ("psk", "ko", "psk"),
        ("benson", "dead_stones", "benson"),
        (_EVERY_STONE, "dead_stones", "none"),
    ):
        if word in words[1:]:
            words.remove(word)
            changes[key] = value
    name = " ".join(words)
    if name not in _NAMES:
        raise BadPosition(f"RU[{clip(rules, _SAID)}]: unknown rules; {registry.hint(name, _NAMES)}")
    return dict(zip(("scoring", "ko", "dead_stones"), _NAMES[name], strict=True)) | changes


def _moves(game: Any) -> list[tuple[str, str]]:
    """The moves of the main line, each a colour and a vertex."""
    moves = []
    for index, node in enumerate(game.main_sequence_iter()):
        if index > 0 and node.has_setup_stones():
            raise BadPosition(
                f"node {index}: stones are set up during the game; only the first node may do so"
            )
        colours = [c for c in "BW" if node.has_property(c)]
        if len(colours) == 2:
            raise BadPosition(f"node {index}: both B and W; a node holds one move")
        for colour in colours:
            point = _get(node, colour, None)
            vertex = f"{COLUMNS[point[1]]}{point[0] + 1}" if point else "pass"
            moves.append((colour.lower(), vertex))
    return moves


def _get(node: Any, identifier: str, default: Any) -> Any:
    try:
        return node.get(identifier)
    except KeyError:
        return default
    except ValueError:
        raise BadPosition(f"{identifier}[{_raw(node, identifier)}]: {identifier} has no such value") from None


def _raw(node: Any, identifier: str) -> str:
    return clip(node.get_raw(identifier).decode("utf-8", "replace"), _SAID)


class Sgf:
    """Smart Game Format, one game a text."""

    name = "sgf"
    suffix = "sgf"
    title = "SGF"
    wanted = "an SGF"
    positions = None

    def recognises(self, text: str) -> bool:
        return re.match(r"\ufeff?\s*\(\s*;", text) is not None

    def may_be(self, text: str) -> bool:
        """Even one that is broken at its beginning."""
        return text.lstrip().startswith("(")

    def write(self, game: Transcript) -> str:
        states: list[State] = [games.get(game.game).start(game.start)]
        for branch in game.branches:
            before = states[branch.after]
            states.append(before.play(before.parse(branch.text)))
        last = cast(GoState, states[game.main[-1]] if game.main else states[0])
        tree = Sgf_game.from_string(_main_line(game, last))
        root, *line = tree.get_main_sequence()
        main = dict(zip(game.main, line, strict=True))
        nodes = [root]
        for number, (branch, after) in enumerate(zip(game.branches, states[1:], strict=True), 1):
            before = cast(GoState, states[branch.after])
            nodes.append(main[number] if number in main else _variation(nodes[branch.after], before, after))
        if game.date:
            root.set("DT", game.date.isoformat())
        if game.outcome:
            root.set("GC", game.outcome.reason)
        return f"{tree.serialise().decode().strip()}\n"

    def read(self, text: str, game: Game) -> Iterator[Transcript]:
        end = read_sgf(text)
        first = end
        while (before := first.previous()) is not None:
            first = before
        root = Sgf_game.from_string(text).get_root()
        # The root may hold the first move.
        branches = flatten(first, None, lambda node: [root] if node is None else list(node), _vertex)
        yield Transcript(end.spec.name, str(first), branches)

    def position(self, text: str, game: Game) -> str:
        return str(game.start(text))


def _main_line(game: Transcript, last: GoState) -> str:
    dead = None
    if game.removed is not None:
        dead = [point for point in (*last.stones(0), *last.stones(1)) if last.text(point) in game.removed]
    players = (game.players[0], game.players[1]) if game.players else None
    return write_sgf(last, players, dead, _told(game, last))


def _variation(parent: Any, before: GoState, after: State) -> Any:
    move, child = after.history()[-1], parent.new_child()
    child.set_move("bw"[before.seat], divmod(move, before.size) if move < before.size**2 else None)
    return child


def _told(game: Transcript, last: GoState) -> str | None:
    """How a game ended, where not by the count of its last position."""
    if game.outcome is None:
        return "?" if last.outcome() and last.dead_stones == "agreed" else None
    return _sign(game.outcome) if last.outcome() is None else None


def _sign(outcome: Outcome) -> str:
    end = ends.kind(outcome.reason)
    if outcome.winner is None:
        return "Void" if end == "length" else "0"
    how = {"rules": "", "resignation": "R", "time": "T"}.get(end, "F")
    return f"{'BW'[outcome.winner]}+{how}"


def _vertex(node: Any, state: State) -> str | None:
    try:
        colour, point = node.get_move()
    except ValueError:
        raise BadNotation("no point of the board") from None
    if colour is None:
        return None
    if colour != "bw"[state.seat]:
        raise BadNotation(f"{colour.upper()} moves out of turn")
    return f"{COLUMNS[point[1]]}{point[0] + 1}" if point else "pass"


FORMATS = [Sgf()]
