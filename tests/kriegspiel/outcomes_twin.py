"""What a try of Kriegspiel is worth by approach C, as slowly and readably as can be: Ciancarini and Favini
(2010), section 5.3. Probabilities and control come from the belief; all that is made of them is done here."""

import math
import re

WORTH = {
    "count": (dict.fromkeys("PNBRQ", 0.1) | {"K": 0.0}, 0.1, 0.1),
    "weighted": ({"P": 0.1, "N": 0.15, "B": 0.2, "R": 0.25, "Q": 0.3, "K": 0.0}, 0.08, 0.08 * 15 / 7),
}
STEPS = {
    "N": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "R": [(1, 0), (-1, 0), (0, 1), (0, -1)],
}
STEPS["Q"] = STEPS["K"] = STEPS["B"] + STEPS["R"]


def gain(attackers, king, first, later, control):
    """G_1, attackers the cheapest first; king: the last of them is the King."""
    if not attackers:
        return 0.0
    return max(0.0, _gain(1, attackers, king, first, later, control))


def _gain(n, attackers, king, first, later, control):
    if n > len(attackers):
        return 0.0
    taken = first if n == 1 else later
    again = 1 - math.exp(-max(0.0, control - n))
    if king and n == len(attackers):
        return (1 - again) * taken
    then = _gain(n + 1, attackers, king, first, later, control)
    return taken - again * (attackers[n - 1] - max(0.0, then))


def attackers(men, square, without, up, worth):
    """The worth of the men that attack a square, if one of them is away; whether the King is among them."""
    men = {s: kind for s, kind in men.items() if s != without}
    found = []
    for s, kind in men.items():
        files, ranks = square % 8 - s % 8, square // 8 - s // 8
        if kind == "P":
            if abs(files) == 1 and ranks == up:
                found.append(kind)
        elif kind in "NK":
            if (files, ranks) in STEPS[kind]:
                found.append(kind)
        else:
            for x, y in STEPS[kind]:
                for distance in range(1, 8):
                    if (files, ranks) == (x * distance, y * distance):
                        found.append(kind)
                        break
                    if s + distance * (x + 8 * y) in men:
                        break
    found.sort(key="PNBRQK".index)
    return [worth[kind] for kind in found], "K" in found


RATES = {"retake": (1.05, 1.4), "checker": 0.38, "capture": (0.035, 1.6)}
"""How reactions depend on control: rate, power."""


def capture_chance(control):
    rate, power = RATES["capture"]
    return min(0.5, rate * control**power)


def exchange(view):
    """The square on which the enemy has just taken, or None."""
    heard = [line for line in view.events if not line.startswith("ILLEGAL")]
    found = re.search(r"^OPP .*cap=\w@(\w\d)", heard[-1]) if heard else None
    return "abcdefgh".index(found[1][0]) + 8 * (int(found[1][1]) - 1) if found else None


def stood(view, belief, move, weights, constants, reactions="control", mode="corrected"):
    """E(move) given that it is legal."""
    worth, pawn, piece = WORTH[weights]
    men = {s: kind for s in range(64) if (kind := view.piece(f"{'abcdefgh'[s % 8]}{s // 8 + 1}"))}
    up = -1 if view.seat else 1
    start, to, promotes = move % 64, move // 64 % 64, move // 4096 != 0
    kind = men[start]
    mover = worth["Q"] if promotes else worth[kind]
    balance = sum(worth[k] for k in men.values()) - belief.pawns * pawn - belief.pieces * piece
    now = balance + (worth["Q"] - worth["P"] if promotes else 0.0)

    chance, control = belief.chance(move), belief.control

    def taker_at(square):
        above = [
            square + 8 * up + d for d in (-1, 1) if 0 <= square % 8 + d < 8 and 0 <= square + 8 * up < 64
        ]
        pawns = sum(belief.pawn[s] for s in above)
        share = min(1.0, pawns / control[square]) if control[square] > 1e-6 else 0.0
        return share * pawn + (1 - share) * piece

    def fear(square, origin, value):
        if control[square] < 1e-3:
            return 0.0
        others = {s: k for s, k in men.items() if s not in (square, origin)}
        ours, king = attackers(others, square, None, up, worth)
        taker = taker_at(square)
        back = gain(ours, king, taker, taker, control[square])
        return capture_chance(control[square]) * max(0.0, value - back)

    exposed = {s: (control[s], worth[k]) for s, k in men.items() if k != "K" and s != start}
    if reactions == "control":
        quiet = now - sum(fear(s, s, w) for s, (_, w) in exposed.items())
        quiet -= fear(to, start, mover) if kind != "K" else 0.0
        retake = 1 - math.exp(-RATES["retake"][0] * control[to] ** RATES["retake"][1])
        checker = 1 - math.exp(-RATES["checker"] * control[to])
    else:
        if kind != "K":
            exposed[to] = (control[to], mover)
        total = sum(c for c, _ in exposed.values())
        quiet = now - (
            constants["suffer"] * sum(c * w for c, w in exposed.values()) / total if total > 1e-6 else 0
        )
        retake, checker = constants["retake"], constants["take_checker"]
        if to == exchange(view):
            retake = min(1.0, control[to]) if mode == "paper" else 1 - math.exp(-control[to])

    loss = by_pawn = 0.0
    if kind != "K":
        taker = taker_at(to)
        ours, king = attackers(men, to, start, up, worth)
        loss = mover - gain(ours, king, taker, taker, control[to])
        by_pawn = mover - gain(ours, king, pawn, taker, control[to])
    takes = chance.pawn + chance.piece
    silent = chance.pawn_try * (now - constants["use_pawn_try"] * by_pawn) + (1 - chance.pawn_try) * quiet
    return (
        chance.pawn * (now + pawn - retake * loss)
        + chance.piece * (now + piece - retake * loss)
        + (1 - takes) * (chance.check * (now - checker * loss) + (1 - chance.check) * silent)
    )
