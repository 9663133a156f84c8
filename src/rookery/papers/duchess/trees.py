"""How many nodes the trees of the paper's search have beside ours: what a learning rate sums over."""

from __future__ import annotations

from rookery import games, players
from rookery.api import Limit, State
from rookery.papers.study import Piece, Study
from rookery.seeds import generator

SEARCHES = {
    "the paper's": "hash=0,windows=plain,killers=1,history=no",
    "with a table": "hash=4,windows=plain,killers=1,history=no",
    "with two killers and history": "hash=0,windows=plain",
    "with null windows": "hash=0,killers=1,history=no",
    "ours": "hash=4",
}
"""The paper's search, one change each, and all of them."""
SOURCE = "duchess/stage1"
PLAYED = "alphabeta:hash=4,pruning=no,quiescence=no,nodes=2000"
"""By which the games go on from which the positions are."""
EVERY = 10
"""Plies between two positions of a game."""


def count_all(study: Study, positions: int, depth: int, seed: int) -> dict[str, list[int]]:
    """The nodes of each search at each position."""
    pieces = {
        "nodes": Piece(
            count, {"positions": positions, "depth": depth, "searches": dict(SEARCHES), "seed": seed}
        )
    }
    return dict(study.do("trees", pieces).get("nodes", {}))


def count(positions: int, depth: int, searches: dict[str, str], seed: int) -> dict[str, list[int]]:
    game = games.get("duchess4")
    rng = generator(seed, "trees")
    found: list[State] = []
    state = game.start()
    played = players.make(f"{PLAYED}+{SOURCE}", game)
    plies = 0
    while len(found) < positions:
        if state.outcome() is not None or plies > 100:
            state, plies = game.start(), 0
        moves = state.moves()
        at_random = plies < 4
        move = (
            moves[int(rng.integers(len(moves)))]
            if at_random
            else played.choose(state.view(state.seat), Limit())
        )
        state, plies = state.play(move), plies + 1
        if plies % EVERY == 0 and state.outcome() is None:
            found.append(state)
    told: dict[str, list[int]] = {}
    for name, options in searches.items():
        player = players.make(f"alphabeta:pruning=no,quiescence=no,{options}+{SOURCE}", game)
        told[name] = []
        for each in found:
            player.start(game.spec, each.seat, 0)
            told[name].append(player.think(each.view(each.seat), Limit(depth=depth)).nodes)
    return told
