"""The command that looks at a position from one seat: `rookery analyse`.

Where a game hides something, it shows what the seat sees, what it was told, and what it may believe of the
rest; nothing else of the game is told. A player that is named says what it would do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rookery.errors import BadOption, quote
from rookery.interfaces.writing import print_table, write_json

if TYPE_CHECKING:
    from rookery.api import Belief, Game, SearchResult, State, Thinker, View

_LIKELY = 0.005
"""Chances below it are not printed."""


def analyse(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; `rookery games` lists them.")],
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVES]...", help="The moves so far, refused tries too.")
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Start here: the game's own text, in chess a FEN.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Take a game of a record, from `rookery match`, instead."),
    ] = None,
    number: Annotated[int, typer.Option("--game", min=1, help="Which game of the record.")] = 1,
    ply: Annotated[int | None, typer.Option(min=0, help="Only so many of its moves; default all.")] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Whose eyes to see by; default who is to move.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="Who shall think, and whose belief to tell, if it has one."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="A model of the opponent to believe by, from the recipe kriegspiel-model."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")] = False,
) -> None:
    """Show a position as one seat sees it, and what that seat may believe of what is hidden."""
    from rookery import games, players
    from rookery.api import Limit
    from rookery.interfaces.terminal import find_seat

    rules = games.get(game)
    state = _state(rules, moves or [], position, record, number, ply)
    view = state.view(state.seat if seat is None else find_seat(rules.spec, seat))
    thinker = players.make(player, rules) if player else None
    belief = _belief(rules, view, thinker, model)
    if belief is None and thinker is None:
        raise BadOption(f"nothing is hidden in {game}; name a player who shall think: --player NAME")
    result = None
    if thinker is not None and view.moves():
        thinker.start(rules.spec, view.seat, 1)
        result = thinker.think(view, Limit(analyse=True))
        thinker.close()
    if as_json:
        write_json(_document(view, belief, result))
    else:
        _print(view, belief, result)


def _state(
    game: Game, moves: Sequence[str], position: str | None, record: Path | None, number: int, ply: int | None
) -> State:
    if record is not None:
        from rookery.arena import record as records

        if moves or position:
            raise BadOption("say either a record, or a position and moves")
        header, played = records.read(record)
        if header["game"] != game.spec.name:
            raise BadOption(f"{record} holds games of {header['game']}, not of {game.spec.name}")
        if number > len(played):
            raise BadOption(f"{record} holds {len(played)} games; there is no number {number}")
        found = played[number - 1].record
        position, moves = found.start, found.moves
    state = game.start(position)
    for text in [each for words in moves for each in words.split()][:ply]:
        state = state.play(state.parse(text))
    return state


def _belief(game: Game, view: View, player: Thinker | None, model: str | None) -> Belief | None:
    """The player's own, or else by the matrices."""
    if player is not None and player.believer is not None and model is None:
        return player.believer.belief(view)
    from rookery.games.kriegspiel import KriegspielView
    from rookery.searches.kriegspiel.belief import believed

    if not isinstance(view, KriegspielView):
        if model is not None:
            raise BadOption(f"{quote(model)}: models are for kriegspiel, not for {game.spec.name}")
        return None
    from rookery.evaluators.opponent_model import Placements

    return believed(view, model=Placements(game, model) if model else None)


def _document(view: View, belief: Belief | None, result: SearchResult | None) -> dict[str, Any]:
    said: dict[str, Any] = {
        "game": view.spec.name,
        "seat": view.spec.seat_names[view.seat],
        "picture": view.picture().splitlines(),
        "heard": [{"event": event, "words": view.spoken(event)} for event in view.events]
        if view.spec.hidden
        else [],
    }
    if belief is not None:
        said["belief"] = {
            square: {
                kind: round(float(chance), 4)
                for kind, chance in zip(belief.kinds, chances, strict=True)
                if chance >= 1e-4
            }
            for square, chances in zip(belief.squares, belief.probability, strict=True)
        }
        said["possible"] = {
            square: [kind for kind, may in zip(belief.kinds, kinds, strict=True) if may]
            for square, kinds in zip(belief.squares, belief.possible, strict=True)
        }
    if result is not None:
        said["move"] = view.text(result.move)
        said["value"] = [float(value) for value in result.value]
        said["nodes"] = result.nodes
    return said


def _print(view: View, belief: Belief | None, result: SearchResult | None) -> None:
    typer.echo(view.picture())
    if view.spec.hidden and view.events:
        typer.echo(f"\nLast heard: {view.spoken(view.events[-1])}")
    if belief is not None:
        typer.echo("\nChance of a hidden piece, in per cent; -- where none can stand:")
        typer.echo(heat(belief, view.seat))
        typer.echo()
        rows = []
        for place, kind in enumerate(belief.kinds):
            column = belief.probability[:, place]
            likely = [i for i in column.argsort()[::-1][:6] if column[i] >= _LIKELY]
            where = "  ".join(f"{belief.squares[i]} {100 * float(column[i]):.0f}%" for i in likely)
            rows.append(
                (kind, f"{float(column.sum()):.1f}", str(int(belief.possible[:, place].sum())), where)
            )
        print_table(("piece", "left", "squares", "most likely"), rows, right=(1, 2))
    if result is not None:
        typer.echo(
            f"\n{view.text(result.move)} after {result.nodes} nodes, worth {result.value[view.seat]:+.2f}"
        )


def heat(belief: Belief, seat: int) -> str:
    """A board of chances, seen from a seat: a square's file and rank are its name."""
    chances = belief.occupied
    possible = dict(zip(belief.squares, map(any, belief.possible.tolist()), strict=True))
    files, ranks = ("abcdefgh", "87654321") if seat == 0 else ("hgfedcba", "12345678")
    rows = []
    for rank in ranks:
        cells = [f"{100 * chances[file + rank]:3.0f}" if possible[file + rank] else " --" for file in files]
        rows.append(f"{rank} " + "".join(cells))
    return "\n".join([*rows, "  " + "".join(f"  {file}" for file in files)])
