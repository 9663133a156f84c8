"""Duchess once more, slowly: the rules as one reads them, with names for squares and dicts for everything.

It shares nothing with the native half. Lines are walked in charts, Knights follow edges, and a move is
legal when, once made, nobody could take the mover's King.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

KINDS = "KWQDFNRBP"
SET = {"K": 1, "W": 1, "Q": 1, "D": 1, "F": 1, "N": 1, "R": 2, "B": 2, "P": 5}
HOME = {1: "RWKFR", 2: "BNQBD", 3: "PPPPP"}
SECTORS = {4: (1, 2, 4, 5), 6: (1, 2, 3, 4, 5, 6)}  # by seat
EDGE_HEADINGS = [(0, 1), (0, -1), (1, 0), (-1, 0)]
CORNER_HEADINGS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]

Man = tuple[int, str]
"""The seat it belongs to, and its letter."""
Step = tuple[str, str, str]
"""A move: from, to, and the letter of a promotion or nothing."""
PASS: Step = ("", "", "")


def around(sector: int) -> int:
    return (sector - 1) % 6 + 1


class Board:
    """The squares of a board by name, and what can be reached from them when it is empty."""

    def __init__(self, players: int) -> None:
        self.flaps = SECTORS[players]
        self.names: list[str] = []
        self.point: dict[str, tuple[int, int, int]] = {}
        for sector in range(1, 7):
            for rank in range(1, 7):
                for file in "abcde" if rank <= 4 else "cde":
                    if rank >= 5 or sector in self.flaps:
                        name = f"{sector}{file}{rank}"
                        self.names.append(name)
                        self.point[name] = (sector, "abcde".index(file) - 2, 7 - rank)
        self.names.append("V")
        self.straight = {name: list(self.rays(name, EDGE_HEADINGS, "c")) for name in self.names}
        self.slant = {name: list(self.rays(name, CORNER_HEADINGS, "d")) for name in self.names}
        self.edges = {name: {ray[0] for ray in self.straight[name]} for name in self.names}
        self.corners = {name: {ray[0] for ray in self.slant[name]} for name in self.names}
        self.beside = {name: self.edges[name] | self.corners[name] for name in self.names}
        self.leaps = {name: set(self.knight(name)) for name in self.names}
        self.between = {
            (name, target): ray[: ray.index(target)]
            for name in self.names
            for ray in self.straight[name] + self.slant[name]
            for target in ray
        }
        self.attacks = {kind: {name: self.attack_set(kind, name) for name in self.names} for kind in KINDS}

    def square_at(self, sector: int, x: int, y: int) -> str | None:
        """The square at a point of a chart, if there is one."""
        if abs(x) <= 2 and 3 <= y <= 6:
            return f"{sector}{'abcde'[x + 2]}{7 - y}" if sector in self.flaps else None
        if 0 <= x <= 2 and 1 <= y <= 2:
            return f"{sector}{'abcde'[x + 2]}{7 - y}"
        if x < 0 and y <= 2:
            return self.square_at(around(sector + 1), y, -x)
        if x > 0 and y <= 2:
            return self.square_at(around(sector - 1), -y, x)
        return None

    def walk(self, sector: int, x: int, y: int, dx: int, dy: int) -> Iterator[str]:
        """The squares ahead of a point, the lines through the Vortex included."""
        while True:
            x, y = x + dx, y + dy
            if (x, y) == (0, 0):
                yield "V"
                # The heading was (0, -1), or a corner's: from the right block of this sector, or from the
                # left one, which is the right block of the next sector.
                sector = around(sector + (4 if dx > 0 else 3))
                x, y = dx, dy = (0, 1) if dx == 0 else (1, 1)
            if y <= 0 and x < 0:
                sector, x, y, dx, dy = around(sector + 1), y, -x, dy, -dx
            elif y <= 0 and x > 0:
                sector, x, y, dx, dy = around(sector - 1), -y, x, -dy, dx
            square = self.square_at(sector, x, y)
            if square is None:
                return
            yield square

    def rays(self, name: str, headings: list[tuple[int, int]], gate: str) -> Iterator[list[str]]:
        if name == "V":
            for sector in range(1, 7):
                first = f"{sector}{gate}6"
                _, x, y = self.point[first]
                yield [first, *self.walk(sector, x, y, x, y)]
            return
        for heading in headings:
            ray = list(self.walk(*self.point[name], *heading))
            if ray:
                yield ray

    def straight_on(self, name: str, over: str) -> str | None:
        """Where a Rook goes that comes from one square over the next."""
        for ray in self.straight[name]:
            if ray[0] == over:
                return ray[1] if len(ray) > 1 else None
        raise AssertionError(f"{over} is not beside {name}")

    def knight(self, name: str) -> Iterator[str]:
        """One edge step and two turned, or two and one turned; turned is neither straight on nor back."""
        for one in self.edges[name]:
            ahead = self.straight_on(name, one)
            for turned in self.edges[one] - {name, ahead}:
                if two := self.straight_on(one, turned):
                    yield two
            if ahead:
                yield from self.edges[ahead] - {one, self.straight_on(one, ahead)}

    def attack_set(self, kind: str, name: str) -> set[str]:
        straight = {s for ray in self.straight[name] for s in ray}
        slant = {s for ray in self.slant[name] for s in ray}
        return {
            "K": self.beside[name],
            "W": self.beside[name],
            "Q": straight | slant,
            "D": slant | self.leaps[name],
            "F": straight | self.leaps[name],
            "N": self.leaps[name],
            "R": straight,
            "B": slant,
            "P": self.corners[name],
        }[kind]


@cache
def board(players: int) -> Board:
    return Board(players)


@dataclass
class Twin:
    """A position: who stands where, whose turn it is, and how long nothing has been taken or promoted."""

    players: int
    men: dict[str, Man] = field(default_factory=dict)
    turn: int = 0
    quiet: int = 0
    known: dict[int, list[Step]] = field(default_factory=dict)
    """The moves of those seats that were asked for, so that they are not looked for twice."""

    def __post_init__(self) -> None:
        self.board = board(self.players)

    @classmethod
    def start(cls, players: int) -> Twin:
        twin = cls(players)
        for seat, sector in enumerate(SECTORS[players]):
            for rank, kinds in HOME.items():
                for file, kind in zip("abcde", kinds, strict=True):
                    twin.men[f"{sector}{file}{rank}"] = (seat, kind)
        return twin

    def king(self, seat: int) -> str:
        return next(square for square, man in self.men.items() if man == (seat, "K"))

    def enemies(self, seat: int, other: int) -> bool:
        return seat % 2 != other % 2

    # --- check

    def attacks(self, square: str, target: str) -> bool:
        """Whether the man on a square could take on another by an ordinary move."""
        if target not in self.board.attacks[self.men[square][1]][square]:
            return False
        if target in self.board.leaps[square]:
            return True
        return not any(s in self.men for s in self.board.between[square, target])

    def in_check(self, seat: int) -> bool:
        king = self.king(seat)
        for square, (owner, kind) in self.men.items():
            near = king in self.board.attacks[kind][square]
            if near and self.enemies(seat, owner) and self.attacks(square, king):
                return True
        return False

    # --- moves

    def may_land(self, seat: int, square: str) -> bool:
        if square not in self.men:
            return True
        owner, kind = self.men[square]
        return self.enemies(seat, owner) and kind != "K"

    def ordinary(self, square: str) -> set[str]:
        """Where a man may go without a teleport, Kings left out of account."""
        seat, kind = self.men[square]
        if kind == "P":
            steps = {s for s in self.board.edges[square] if s not in self.men}
            return steps | {s for s in self.board.corners[square] if s in self.men and self.may_land(seat, s)}
        targets = self.board.attacks[kind][square]
        return {s for s in targets if self.may_land(seat, s) and self.attacks(square, s)}

    def beside_wizards(self, seat: int) -> set[str]:
        squares: set[str] = set()
        for square, (owner, kind) in self.men.items():
            if kind == "W" and not self.enemies(seat, owner):
                squares |= self.board.beside[square]
        return squares

    def targets(self, square: str) -> set[str]:
        seat, kind = self.men[square]
        targets = self.ordinary(square)
        teleports = self.beside_wizards(seat)
        if square in teleports or kind == "W":
            targets |= {s for s in teleports if self.may_land(seat, s)}
        return targets - {square}

    def missing(self, seat: int) -> list[str]:
        """What a Pawn of this seat may become."""
        there = [kind for owner, kind in self.men.values() if owner == seat]
        return [kind for kind in KINDS if kind not in "KP" and there.count(kind) < SET[kind]]

    def is_legal(self, seat: int, start: str, end: str) -> bool:
        before = dict(self.men)
        self.men[end] = self.men.pop(start)
        safe = not self.in_check(seat)
        self.men = before
        return safe

    def steps(self, seat: int) -> list[Step]:
        """The legal moves that a seat would have if it were its turn; no pass."""
        if seat not in self.known:
            self.known[seat] = self.find_steps(seat)
        return self.known[seat]

    def find_steps(self, seat: int) -> list[Step]:
        steps = []
        for square, (owner, kind) in list(self.men.items()):
            if owner != seat:
                continue
            for target in self.targets(square):
                if self.is_legal(seat, square, target):
                    steps.append((square, target, ""))
                    if kind == "P" and target == "V":
                        steps += [(square, "V", promotion) for promotion in self.missing(seat)]
        return steps

    def mated(self, seat: int) -> bool:
        return self.in_check(seat) and not self.steps(seat)

    def moves(self) -> list[Step]:
        """What the seat to move may do; empty when the game is won."""
        steps = self.steps(self.turn)
        return steps or ([] if self.lost(self.turn % 2) else [PASS])

    def lost(self, side: int) -> bool:
        return all(self.mated(seat) for seat in range(side, self.players, 2))

    def outcome(self) -> tuple[int | None, str] | None:
        """The side that won, or None, and why; nothing if the game goes on."""
        if self.lost(self.turn % 2):
            return 1 - self.turn % 2, "checkmate"
        if self.quiet >= 200:
            return None, "stagnation"
        if not any(self.steps((self.turn + i) % self.players) for i in range(self.players)):
            return None, "nobody can move"
        return None

    def play(self, step: Step) -> Twin:
        start, end, promotion = step
        men, quiet = dict(self.men), self.quiet + 1
        if step != PASS:
            if end in men or promotion:
                quiet = 0
            man = men.pop(start)
            men[end] = (man[0], promotion) if promotion else man
        return Twin(self.players, men, (self.turn + 1) % self.players, quiet)

    # --- text

    def text(self, step: Step) -> str:
        start, end, promotion = step
        if step == PASS:
            return "--"
        mark = ("" if end in self.ordinary(start) else "~") + ("x" if end in self.men else "")
        return f"{self.men[start][1]}{start}{mark or '-'}{end}" + (f"={promotion}" if promotion else "")

    def __str__(self) -> str:
        parts = [f"{self.players} t{self.turn + 1} q{self.quiet}"]
        for seat in range(self.players):
            men = [(KINDS.index(k), self.board.names.index(s)) for s, (o, k) in self.men.items() if o == seat]
            parts.append(" ".join(KINDS[kind] + self.board.names[square] for kind, square in sorted(men)))
        return " | ".join(parts)

    @classmethod
    def read(cls, text: str) -> Twin:
        head, *parts = text.split("|")
        players, turn, quiet = head.split()
        men = {word[1:]: (seat, word[0]) for seat, part in enumerate(parts) for word in part.split()}
        return cls(int(players), men, int(turn[1:]) - 1, int(quiet[1:]))

    def could_arise(self) -> bool:
        """Whether the last to move can have left this: in check only if mated, and his side not lost."""
        last = (self.turn - 1) % self.players
        if self.in_check(last) and (not self.mated(last) or self.lost(last % 2)):
            return False
        return not any(
            self.enemies(a, b) and self.king(b) in self.board.beside[self.king(a)]
            for a in range(self.players)
            for b in range(a)
        )
