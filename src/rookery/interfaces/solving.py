"""The command that proves what small Go boards are worth: `rookery solve`."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rookery.errors import UnknownName
from rookery.interfaces.writing import write_json

if TYPE_CHECKING:
    from rookery.games.go import GoState
    from rookery.solve import Progress, Solver

GAMES = {f"go{size}": size for size in range(2, 6)}


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="go2, go3, go4 or go5.")],
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Start from this position, not from the empty board.")
    ] = None,
    at_least: Annotated[
        int | None,
        typer.Option(metavar="POINTS", help="Prove or refute that Black wins by at least this many points."),
    ] = None,
    hash_mb: Annotated[
        int, typer.Option("--hash", min=1, max=1 << 20, metavar="MB", help="Size of the transposition table.")
    ] = 1024,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Search threads.")] = 1,
    nodes: Annotated[int, typer.Option(min=1, help="Node limit.")] = 2_000_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")] = False,
) -> None:
    """Prove the score of a small Go board with perfect play: area scoring, simple ko."""
    from rookery import registry
    from rookery.games.go import Go
    from rookery.solve import LONG, Solver

    if game not in GAMES:
        raise UnknownName(f"{game!r} cannot be solved; {registry.hint(game, GAMES)}")
    state = Go(GAMES[game], scoring="area").start(position)
    began = process_time()

    def tell(step: Progress) -> None:
        who = state.spec.seat_names[step.seat]
        found = {True: "proven", False: "no proof", None: "stopped"}[step.holds]
        seconds = process_time() - began
        typer.echo(
            f"{who} >= {step.points}, {step.moves} moves: {found} ({step.nodes:,} nodes, {seconds:.0f} s)",
            err=True,
        )

    if GAMES[game] >= 4 and nodes >= LONG:
        typer.echo(
            "rookery: a proof is not saved: if it is interrupted, it starts from the beginning", err=True
        )
    solver = Solver(hash_mb, threads, tell)
    told = _value(solver, state, nodes) if at_least is None else _claim(solver, state, at_least, nodes)
    said = told.pop("said")
    if as_json:
        write_json(
            {"game": game, "position": str(state), **told, "seconds": round(process_time() - began, 1)}
        )
    else:
        typer.echo(f"{said} ({told['nodes']:,} nodes, {process_time() - began:.1f} s of processor time)")
        if told.get("line"):
            typer.echo(" ".join(told["line"]))


def _claim(solver: Solver, state: GoState, points: int, nodes: int) -> dict[str, Any]:
    verdict = solver.at_least(state, points, nodes, line=True)
    claim = f"Black scores at least {points}"
    if verdict.holds is None:
        said = f"{_unsettled(verdict.nodes, nodes)}: {claim}"
    else:
        said = f"{'Proven' if verdict.holds else 'Refuted'}: {claim}"
    line, here = [], state
    for move in verdict.line:
        if here.outcome() or move not in here.moves():
            break  # Inside what is settled the proof leaves moves out, and its line ends.
        line.append(here.text(move))
        here = here.play(move)
    return {"said": said, "at_least": points, "holds": verdict.holds, "moves": verdict.moves, "line": line,
            "nodes": verdict.nodes}  # fmt: skip


def _unsettled(used: int, nodes: int) -> str:
    """Why there is no answer: the nodes ran out, or proofs of every length were tried."""
    from rookery.solve import MOST_MOVES

    if used >= nodes:
        return f"Not settled within {nodes:,} nodes"
    return f"Not settled by proofs of up to {MOST_MOVES} moves, all that are tried"


def _value(solver: Solver, state: GoState, nodes: int) -> dict[str, Any]:
    bounds = solver.bounds(state, nodes)
    if bounds.points is None:
        said = f"{_unsettled(bounds.nodes, nodes)}: Black scores from {bounds.least} to {bounds.most}"
    else:
        said = f"Proven: Black scores {bounds.points}"
    return {
        "said": said,
        "least": bounds.least,
        "most": bounds.most,
        "points": bounds.points,
        "nodes": bounds.nodes,
    }
