"""All tables of the studio: made, found again, and put away while nobody looks."""

from __future__ import annotations

from collections import OrderedDict
from secrets import randbelow, token_urlsafe

from rookery import games
from rookery.errors import BadOption, UnknownName
from rookery.interfaces.web import faces
from rookery.interfaces.web.engines import Engines, Question
from rookery.interfaces.web.messages import Created, SeatAsked, TableAsked
from rookery.interfaces.web.store import Chair, Kept, Store, digest, new_secret
from rookery.interfaces.web.table import Table

_MOST = 1000
"""Tables that are kept laid; others are laid again when somebody comes."""
_KEPT = 100_000
"""Games that the store may hold."""
_PATIENCE = 20.0
"""Seconds that making a player may take."""


class Tables:
    """Tables by their name."""

    def __init__(self, store: Store, engines: Engines, pace: float) -> None:
        self.store = store
        self._engines = engines
        self._pace = pace
        self._spelt: dict[tuple[str, str], str] = {}
        self._laid: OrderedDict[str, Table] = OrderedDict()

    async def create(self, asked: TableAsked) -> Created:
        """Lay a table.

        Raises:
            RookeryError: there is no such game, player, position or line of moves.
        """
        game = games.get(asked.game)
        face = faces.get(asked.game)
        spec = game.spec
        if len(asked.seats) != spec.seats:
            raise BadOption(f"{asked.game} has {spec.seats} seats, not {len(asked.seats)}")
        start = asked.start or face.opening(asked.setup)
        state = game.start(start)
        moves = []
        for text in asked.moves:
            move = state.parse(text)
            moves.append((state.text(move), 0.0))
            state = state.play(move)
        if self.store.count() >= _KEPT:
            raise BadOption(f"{_KEPT} games are kept here, and no more; name another folder by --data")
        created = Created(id=token_urlsafe(9), secrets={}, invitations={})
        shared = new_secret()
        chairs = []
        for seat, wish in enumerate(asked.seats):
            # Who plays both sides of a game that hides something must not see them at once.
            secret = new_secret() if spec.hidden else shared
            chairs.append(await self._chair(wish, asked.game, seat, secret, created))
        clock = (60 * asked.clock.minutes, asked.clock.increment) if asked.clock else None
        self.store.create(Kept(created.id, asked.game, start, randbelow(1 << 31), clock, chairs, moves))
        return created

    def delete(self, name: str) -> None:
        """Throw a game away.

        Raises:
            UnknownName: there is none.
            BadOption: somebody is at it.
        """
        laid = self._laid.get(name)
        if laid is not None and not laid.idle:
            raise BadOption("somebody is at this game; it can be deleted when everybody has left")
        if laid is not None:
            self._laid.pop(name).close()
        if not self.store.delete(name):
            raise UnknownName("there is no such table")

    def get(self, name: str) -> Table:
        """The table of that name.

        Raises:
            UnknownName: there is none.
        """
        table = self._laid.get(name)
        if table is None:
            kept = self.store.load(name)
            if kept is None:
                raise UnknownName("there is no such table")
            table = self._laid[name] = Table(kept, self.store, self._engines, self._pace)
            self._clear()
        self._laid.move_to_end(name)
        return table

    async def spell(self, name: str, game: str) -> str:
        """The one spelling of a player's name, if it may sit at a table of that game.

        Raises:
            RookeryError: there is no such player, or the page may not ask for it.
        """
        if (name, game) not in self._spelt:
            # Made over there and not here: some would take a lot of memory, and some may not be made at all.
            reply = await self._engines.ask(Question("name", game, None, [], 0, name), _PATIENCE)
            if len(self._spelt) > _MOST:
                self._spelt.clear()
            self._spelt[name, game] = reply["name"]
        return self._spelt[name, game]

    async def _chair(self, wish: SeatAsked, game: str, seat: int, secret: str, created: Created) -> Chair:
        if wish.who == "player":
            return Chair(await self.spell(wish.player or "", game))
        if wish.who == "me":
            created.secrets[seat] = secret
            return Chair(None, digest(secret))
        created.invitations[seat] = new_secret()
        return Chair(None, None, digest(created.invitations[seat]))

    def close(self) -> None:
        for table in self._laid.values():
            table.close()

    def _clear(self) -> None:
        for name in [name for name, table in self._laid.items() if table.idle]:
            if len(self._laid) <= _MOST:
                return
            self._laid.pop(name).close()
