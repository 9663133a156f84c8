"""Games in and out of the studio as other programs write them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rookery import api, games, opponents, records
from rookery.api import Transcript
from rookery.interfaces.web.messages import Branch, Imported, Written
from rookery.interfaces.web.show import PLIES
from rookery.interfaces.web.table import Table
from rookery.records.tree import line


def write(table: Table) -> tuple[str, str]:
    """A game as text, and how such files are called."""
    game = games.get(table.kept.game)
    names = [
        opponents.meet(chair.player, game).title if chair.player else chair.person or "Anonymous"
        for chair in table.chairs
    ]
    marking = None if table.scoring else table.marking
    transcript = Transcript(
        game=table.kept.game,
        start=table.kept.start,
        branches=line(text for text, _ in table.kept.moves),
        players=tuple(names),
        outcome=table.outcome(),
        event=table.spec.title,
        site="Rookery",
        date=datetime.fromtimestamp(table.kept.created).date(),
        removed=tuple(table.state.text(point) for point in sorted(marking.dead)) if marking else None,
    )
    form = records.of(game)
    return form.write(transcript), form.suffix


def write_tree(game: str, start: str | None, branches: Sequence[Branch]) -> Written:
    """A game with its variations, as other programs read it; in plain text the main line.

    Raises:
        GameError: the start or a move cannot be read or played.
    """
    form = records.of(games.get(game))
    grown = tuple(api.Branch(branch.after, branch.text) for branch in branches)
    return Written(text=form.write(Transcript(game, start, grown)), ending=form.suffix)


def read(game: str, text: str, any_game: bool = False) -> Imported:
    """A game or a position that somebody pasted. With `any_game` a text of another game is read as such.

    Raises:
        GameError: it cannot be read as one of that game.
    """
    found = records.read(text, games.get(game), any_game)
    # What would be too much to show is left out.
    branches = [Branch(after=branch.after, text=branch.text) for branch in found.branches[:PLIES]]
    return Imported(game=found.game, start=found.start, moves=list(found.moves), branches=branches)
