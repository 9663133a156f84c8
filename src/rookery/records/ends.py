"""How a game ended, in the few kinds that formats tell apart."""

from __future__ import annotations

from typing import Literal

End = Literal["rules", "resignation", "time", "length", "illegal move", "crash"]


def kind(reason: str) -> End:
    """The kind of the reason of an outcome, as the arena or a table of the studio gives it.

    >>> kind("White resigned"), kind("time"), kind("illegal move e2e5"), kind("checkmate")
    ('resignation', 'time', 'illegal move', 'rules')
    """
    if reason == "resignation" or reason.endswith(" resigned"):
        return "resignation"
    if reason == "time" or reason.endswith(" ran out of time"):
        return "time"
    if reason.startswith("illegal move"):
        return "illegal move"
    if reason.startswith("crashed"):
        return "crash"
    return "length" if reason == "length" else "rules"
