"""The command that says how exactly recorded games of small Go were played: `rookery judge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rookery.errors import UnsupportedGame
from rookery.interfaces.writing import print_table, write_json


def judge(
    path: Annotated[Path, typer.Argument(metavar="RECORD", help="A record of games, from `rookery match`.")],
    nodes: Annotated[int, typer.Option(min=1, help="Node limit for each position.")] = 200_000,
    games: Annotated[int | None, typer.Option(min=1, help="Only the first N games; default all.")] = None,
    hash_mb: Annotated[
        int, typer.Option("--hash", min=1, max=1 << 20, metavar="MB", help="Size of the transposition table.")
    ] = 256,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")] = False,
) -> None:
    """Check recorded Go moves against proven values."""
    from rookery.arena import record
    from rookery.games.go import Go
    from rookery.solve import LARGEST, Judgement, Record, Solver
    from rookery.solve import judge as weigh

    header, played = record.read(path)
    size = int(header["game"][2:]) if header["game"].startswith("go") else LARGEST + 1
    if size > LARGEST:
        raise UnsupportedGame(f"{header['game']} cannot be judged; go2 to go{LARGEST} can")
    # Exact play is by area: whoever counts stones and land is not fooled by prisoners.
    rules, solver = Go(size, scoring="area"), Solver(hash_mb)
    found: dict[str, list[Judgement]] = {}
    for one in played[:games]:
        states = [rules.start(one.record.start)]
        for text in one.record.moves:
            states.append(states[-1].play(states[-1].parse(text)))
        for ply, judgement in enumerate(weigh(states, nodes, solver)):
            if ply >= one.record.opening:  # those before were nobody's choice
                found.setdefault(one.record.players[judgement.seat], []).append(judgement)
    rows: list[dict[str, Any]] = []
    for name, judgements in found.items():
        told = Record.of(judgements)
        rows.append(
            {
                "player": name,
                "moves": told.moves,
                "judged": told.judged,
                "kept": told.share_kept,
                "scored": told.scored,
                "points_lost": told.lost_per_move,
            }
        )
    if as_json:
        write_json({"record": str(path), "nodes": nodes, "players": rows})
        return
    columns = ("player", "moves", "judged", "kept the outcome", "scored", "points lost a move")
    print_table(columns, [tuple(_show(value) for value in row.values()) for row in rows])


def _show(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
