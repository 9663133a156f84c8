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


def analyse(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; `rookery games` lists them.")],
    moves: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MOVE", help="The moves so far; in Kriegspiel with the tries that were refused."
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Start from this position: a FEN in chess, else as `rookery moves GAME --json` writes it.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Take the moves from a game recorded by `rookery match` instead."),
    ] = None,
    number: Annotated[int, typer.Option("--game", min=1, help="Which game of the record.")] = 1,
    ply: Annotated[int | None, typer.Option(min=0, help="Stop after this many moves; default all.")] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Whose view to show; default the seat to move.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="The player that analyses; in Kriegspiel also where it believes the enemy pieces to be.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="An opponent model for the belief, trained by the recipe kriegspiel-model.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")] = False,
) -> None:
    """Analyse a position: what a player would do and, in Kriegspiel, where enemy pieces may be."""
    from rookery import games, players, roster
    from rookery.api import Limit
    from rookery.interfaces.terminal import find_seat

    rules = games.get(game)
    state = _state(rules, moves or [], position, record, number, ply)
    view = state.view(state.seat if seat is None else find_seat(rules.spec, seat))
    thinker = players.make(player, rules) if player else None
    belief = _belief(rules, view, thinker, model)
    if belief is None and thinker is None:
        raise BadOption(f"name a player to analyse with: --player {roster.default(rules)}")
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
            raise BadOption("--record gives the position and the moves; leave out --position and the moves")
        header, played = records.read(record)
        if header["game"] != game.spec.name:
            raise BadOption(f"{record} holds games of {header['game']}, not of {game.spec.name}")
        if number > len(played):
            raise BadOption(f"{record} holds {len(played)} games; there is no number {number}")
        found = played[number - 1].record
        position, moves = found.start, found.moves
    state = game.start(position)
    for text in [each for words in moves for each in words.split()][:ply]:
        # The seat's view reads the tries that a referee would refuse too.
        state = state.play(state.view(state.seat).parse(text))
    return state


def _belief(game: Game, view: View, player: Thinker | None, model: str | None) -> Belief | None:
    """The player's own, or else what anybody may work out."""
    from rookery import deductions

    if player is not None and player.believer is not None and model is None:
        return player.believer.belief(view)
    deduction = deductions.of(game.spec)
    if deduction is None:
        if model is not None:
            raise BadOption(f"{game.spec.name} has no hidden pieces; leave out --model {quote(model)}")
        return None
    return deduction.belief(view, model)


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
        from rookery.interfaces import believing

        typer.echo("\nChance of a hidden piece, in per cent; -- where none can stand:")
        typer.echo(believing.chart(belief, view.seat))
        typer.echo()
        print_table(believing.COLUMNS, believing.rows(belief), right=(1, 2))
    if result is not None:
        value = result.value[view.spec.side_of[view.seat]]
        found = f"value {value:+.2f} (-1 lost, +1 won), {result.nodes:,} nodes"
        typer.echo(f"\n{view.text(result.move)}: {found if result.nodes else 'chosen without a search'}")
