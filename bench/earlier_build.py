"""How strong is a player beside one of an earlier commit?

    python bench/earlier_build.py GAME PLAYER OTHER --build DIR [--games N] [--seed S]

DIR is a checkout of that commit with its native half built into its src. OTHER runs in a process of that
code; it is told the moves, and makes its own view of them. Openings, seeds, pairs and Elo are those of
`rookery match`. Both players are bounded by their own options.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rookery import games, players
from rookery.api import GameSpec, Limit, Move, Outcome, Player, View
from rookery.arena.contest import Contest
from rookery.arena.game import play_game
from rookery.arena.record import Played
from rookery.arena.tally import Tally

# What runs in the earlier code: it uses nothing but what players and games have had from the start.
SERVER = """
import json, sys
from rookery import games, players
from rookery.api import Limit
game = games.get(sys.argv[1])
player = players.make(sys.argv[2], game)
for line in sys.stdin:
    asked = json.loads(line)
    if "seat" in asked:
        player.start(game.spec, asked["seat"], asked["seed"])
        state = game.start(asked["start"])
        continue
    for text in asked["moves"]:
        state = state.play(state.parse(text))
    print(state.text(player.choose(state.view(state.seat), Limit())), flush=True)
"""


class Earlier:
    """A player of the earlier build."""

    def __init__(self, game: str, name: str, build: Path) -> None:
        self.name = f"{name} of {build}"
        # Without site (-S), which would put today's code first; other packages are where they are today.
        others = Path(np.__file__).parents[1]
        path = os.pathsep.join(map(str, (build.absolute() / "src", others)))
        command = [sys.executable, "-S", "-c", SERVER, game, name]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._moves: Sequence[str] = ()
        self._told = 0
        self._start: str | None = None

    def begin(self, start: str | None) -> None:
        self._start, self._moves, self._told = start, (), 0

    def watch(self, moves: Sequence[str]) -> None:
        self._moves = tuple(moves)

    def start(self, spec: GameSpec, seat: int, seed: int) -> None:
        self._send({"seat": seat, "seed": seed, "start": self._start})

    def choose(self, view: View, limit: Limit) -> Move:
        self._send({"moves": self._moves[self._told :]})
        self._told = len(self._moves)
        assert self._process.stdout
        return view.parse(self._process.stdout.readline().strip())

    def end(self, outcome: Outcome) -> None:
        pass

    @property
    def ended(self) -> bool:
        """It is no loss of its player if the earlier program fails."""
        return self._process.poll() is not None

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def _send(self, said: dict[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("game")
    parser.add_argument("player", help="of today")
    parser.add_argument("other", help="of the earlier build")
    parser.add_argument("--build", type=Path, required=True, help="its checkout, built")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    game = games.get(given.game)
    player = players.make(given.player, game)
    other = Earlier(given.game, given.other, given.build)
    contest = Contest(given.game, (player.name, other.name), given.games, seed=given.seed)
    tally = Tally()
    for each in contest.schedule():
        seats: list[Player] = [(player, other)[side] for side in each.sides]
        other.begin(each.start)
        record = play_game(
            game,
            seats,
            seed=each.seed,
            start=each.start,
            opening=each.opening,
            watch=lambda seat, moves: other.watch(moves),
        )
        if other.ended:
            sys.exit(f"the player of {given.build} has ended; the game under way does not count")
        tally.add(Played(each.pair, each.sides, record), game.spec.side_of)
        print(f"{tally.games} games: +{tally.wins} ={tally.draws} -{tally.losses}", file=sys.stderr)
    other.close()
    rating = tally.rating
    print(f"{player.name} against {other.name}: +{tally.wins} ={tally.draws} -{tally.losses},", end=" ")
    print(f"Elo {rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f}); {dict(tally.reasons)}")


if __name__ == "__main__":
    main()
