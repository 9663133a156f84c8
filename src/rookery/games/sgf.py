"""Games of Go as SGF: the main line, its set-up and its rules. sgfmill reads and writes the format itself."""

from __future__ import annotations

from typing import Any

from sgfmill.sgf import Sgf_game  # type: ignore[import-untyped]

from rookery.errors import BadPosition, IllegalMove, UnknownName
from rookery.games.go import COLUMNS, SIZES, Go, GoState

# What the names of rules in SGF mean for scoring; all else of them (ko, suicide, handicap) stays ours.
_SCORING = {
    "japanese": "territory",
    "korean": "territory",
    "aga": "area",
    "chinese": "area",
    "goe": "area",
    "ing": "area",
    "new zealand": "area",
    "nz": "area",
    "tromp-taylor": "area",
}
_NAMES = {"territory": "Japanese", "area": "Chinese"}


def read_sgf(text: str, rules: str | None = None) -> GoState:
    """The state at the end of the main line of the first game in a text.

    SZ, KM, RU, AB, AW and PL are heeded, and passes may be empty or `tt`. `rules` stands in for RU.

    >>> state = read_sgf("(;GM[1]SZ[5]KM[0.5]RU[Chinese];B[cc];W[];B[tt])")
    >>> state.score(), state.outcome().reason
    (24.5, 'passes')

    Raises:
        BadPosition: it is no SGF, or no game of Go by our rules.
    """
    try:
        game = Sgf_game.from_string(text)
    except ValueError as error:
        raise BadPosition(f"this is no SGF: {_clip(error)}") from None
    root = game.get_root()
    if root.has_property("GM") and root.get_raw("GM").strip() != b"1":
        raise BadPosition(f"GM[{_raw(root, 'GM')}]: a record of another game; GM[1] is Go")
    if game.get_size() not in SIZES:
        raise BadPosition(f"SZ[{game.get_size()}]: a board from {SIZES[0]} to {SIZES[-1]} would do")
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


def write_sgf(state: GoState, players: tuple[str, str] | None = None) -> str:
    """The game that led to a state as SGF; `read_sgf` gives it back.

    >>> print(write_sgf(Go(5).start("...../..X../...../...../..... w").play(6)), end="")
    (;FF[4]AB[cb]CA[UTF-8]GM[1]KM[0]PL[W]RU[Japanese]SZ[5];W[bd])

    Raises:
        BadPosition: the game started with prisoners, a ko, passes or plies, which SGF cannot tell.
    """
    start = state
    while (before := start.previous()) is not None:
        start = before
    text, options = str(start), start.options.split()
    if text.split()[2:6] != ["0:0", "-", "0", "0"]:
        raise BadPosition(f"SGF cannot tell the prisoners, ko, passes and plies of '{text}'")
    game = Sgf_game(start.size)
    root = game.get_root()
    root.set_setup_stones(*({divmod(p, start.size) for p in start.stones(seat)} for seat in (0, 1)))
    if start.seat == 1:
        root.set("PL", "w")
    root.set("KM", start.komi)
    name = _NAMES["area" if "area" in options else "territory"]
    root.set("RU", " ".join([name, *(word for word in options if word in ("psk", "benson"))]))
    for identifier, player in zip(("PB", "PW"), players or (), strict=False):
        root.set(identifier, player)
    if state.outcome():
        root.set("RE", _result(state.score()))
    node = root
    for ply, move in enumerate(state.history()):
        point = divmod(move, start.size) if move < start.size**2 else None
        node = node.new_child()
        node.set_move("bw"[(start.seat + ply) % 2], point)
    return str(game.serialise().decode())


def _result(score: float) -> str:
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def _start(game: Any, rules: str | None, first: str) -> GoState:
    """The position before the first move. `first` moves unless PL says otherwise."""
    size, root = game.get_size(), game.get_root()
    signs = ["."] * (size * size)
    for identifier, sign in (("AB", "X"), ("AW", "O")):
        for row, column in _get(root, identifier, set()):
            if signs[size * row + column] != ".":
                raise BadPosition(f"{identifier}: two stones are set up at {COLUMNS[column]}{row + 1}")
            signs[size * row + column] = sign
    rows = ("".join(signs[size * row : size * row + size]) for row in reversed(range(size)))
    options = _options(rules if rules is not None else _get(root, "RU", "Japanese"))
    try:
        board = Go(size, komi=_get(root, "KM", 0.0), **options)
    except UnknownName as error:
        raise BadPosition(f"KM[{_raw(root, 'KM')}]: {error}") from None
    return board.start(f"{'/'.join(rows)} {_get(root, 'PL', first)}")


def _options(rules: str) -> dict[str, str]:
    """What a value of RU, perhaps with words of ours behind it, asks for."""
    words = rules.lower().split()
    options = {}
    for key, word in (("ko", "psk"), ("dead_stones", "benson")):
        if word in words[1:]:
            words.remove(word)
            options[key] = word
    name = " ".join(words)
    if name not in _SCORING:
        raise BadPosition(f"RU[{_clip(rules)}]: unknown rules; one of {', '.join(_SCORING)} would do")
    return {"scoring": _SCORING[name], **options}


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
    return _clip(node.get_raw(identifier).decode("utf-8", "replace"))


def _clip(what: object) -> str:
    """What was wrong, made fit for a message of one line."""
    text = "".join(c if c.isprintable() else "?" for c in str(what))
    return text if len(text) <= 60 else text[:57] + "..."
