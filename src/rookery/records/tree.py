"""A game with its variations as a list of branches: each move says which one it follows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rookery.api import Branch, State
from rookery.errors import GameError

Node = TypeVar("Node")


def line(moves: Iterable[str]) -> tuple[Branch, ...]:
    """Moves one after the other."""
    return tuple(Branch(number, text) for number, text in enumerate(moves))


def flatten(
    state: State,
    root: Node,
    following: Callable[[Node], Sequence[Node]],
    move_of: Callable[[Node, State], str | None],
) -> tuple[Branch, ...]:
    """The moves of another program's tree, the main line first.

    following: what comes after a node, its main line first; move_of: the move of a node in the state before
    it, if it has one. A variation that cannot be played is left out from there on, and so is the rest of a
    main line: who reads it says what is wrong with it.
    """
    branches: list[Branch] = []
    waiting = deque((node, 0, state) for node in following(root))
    while waiting:
        here, after, state = waiting.popleft()
        node: Node | None = here
        while node is not None:
            try:
                text = move_of(node, state)
                if text is not None:
                    move = state.parse(text)
                    branches.append(Branch(after, state.text(move)))
                    state, after = state.play(move), len(branches)
            except GameError:
                break
            rest = following(node)
            waiting.extend((other, after, state) for other in rest[1:])
            node = rest[0] if rest else None
    return tuple(branches)
