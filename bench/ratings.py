"""How strong a network that plays like people is, by the rating that it is told and its temperature.

    python bench/ratings.py chess/human chess-policy-best --device cuda --games 60 --record met.jsonl
    python bench/ratings.py --fit met.jsonl

RECIPE says what the network is in torch. Neighbours in rating or temperature meet, after six random moves,
all games at once; a draw of a won game is drawn again once, as `sample` does. A game of 300 plies is won by
who is five pawns ahead. The table is Elo, 0 on average, by one Bradley-Terry fit, and says nothing of others.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native, weights
from rookery.games.chess import CHESS

ELOS = (1000, 1500, 2000, 2500)
TEMPERATURES = (1.5, 1.2, 1.0, 0.8, 0.6, 0.45, 0.3, 0.15, 0.05)
Setting = tuple[int, float]
_MOST_PLIES, _LEAD, _WON, _CHUNK = 300, 5, 0.5, 8192
_WORTH = dict(zip("pnbrqkPNBRQK", (-1, -3, -3, -5, -9, 0, 1, 3, 3, 5, 9, 0), strict=True))


@dataclass
class Game:
    state: Any
    players: tuple[Setting, Setting]
    """By colour."""
    pairing: int
    first: int
    """The colour of the first of its pairing."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", nargs="?")
    parser.add_argument("recipe", nargs="?")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--games", type=int, default=60, help="of each pairing, an even number")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--fit", type=Path, help="only this record")
    asked = parser.parse_args()
    if asked.fit:
        rows = [json.loads(line) for line in asked.fit.read_text().splitlines()]
    else:
        rows = play(asked.network, asked.recipe, asked.device, asked.games)
    if asked.record:
        asked.record.write_text("".join(json.dumps(row) + "\n" for row in rows))
    fitted = fit(rows)
    print("told".rjust(12), *(f"{elo:6d}" for elo in ELOS))
    for temperature in TEMPERATURES:
        print(f"{temperature:12g}", *(f"{fitted[elo, temperature]:+6.0f}" for elo in ELOS))


def play(network: str, recipe: str, device: str, games: int) -> list[list[Any]]:
    """Of each pairing: the two, and what the first won, drew and lost."""
    ask = _network(network, recipe, device)
    pairs: list[tuple[Setting, Setting]] = [
        ((elo, a), (elo, b)) for elo in ELOS for a, b in pairwise(TEMPERATURES)
    ]
    pairs += [((a, each), (b, each)) for each in TEMPERATURES for a, b in pairwise(ELOS)]
    chance = np.random.default_rng(1)
    under_way = []
    for number, (a, b) in enumerate(pairs):
        for _ in range(games // 2):
            start = _opening(chance)
            under_way += [Game(start, (a, b), number, 0), Game(start, (b, a), number, 1)]
    tally = np.zeros((len(pairs), 3), int)
    while under_way:
        under_way = _ply(under_way, ask, tally, chance)
    return [[a, b, *counts] for (a, b), counts in zip(pairs, tally.tolist(), strict=True)]


def _network(network: str, recipe: str, device: str) -> Any:
    """Logits of all actions, and the value to the mover, of planes and ratings."""
    import torch

    from rookery.nets import policy, policy_start
    from rookery.runs import find

    options = find(recipe).options
    names = ("encoder", "trunk", "blocks", "channels", "squeeze", "head", "norm")
    shape = policy.Shape(**{name: getattr(options, name) for name in names})
    net = policy_start.read(weights.find(network, "policy.onnx"), shape).to(device)

    def ask(planes: NDArray[np.uint8], told: NDArray[np.float32]) -> tuple[Any, Any]:
        found = []
        with torch.inference_mode(), torch.autocast("cuda", torch.float16, enabled=device != "cpu"):
            for first in range(0, len(planes), _CHUNK):
                x = torch.from_numpy(planes[first : first + _CHUNK]).to(device).float()
                logits, wdl = net(x, torch.from_numpy(told[first : first + _CHUNK]).to(device))
                shares = wdl.float().softmax(1)
                found.append((logits.float().cpu().numpy(), (shares[:, 0] - shares[:, 2]).cpu().numpy()))
        return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])

    return ask


def _opening(chance: np.random.Generator) -> Any:
    while True:
        state: Any = CHESS.start().native
        for _ in range(6):
            if moves := state.moves():
                state = state.play(moves[int(chance.integers(len(moves)))])
        if state.moves():
            return state


def _ply(games: list[Game], ask: Any, tally: NDArray[Any], chance: np.random.Generator) -> list[Game]:
    """A move in every game; those that go on."""
    states = [game.state for game in games]
    offsets, actions = native.chess_legal_actions(states, True)
    mover = [game.players[game.state.seat] for game in games]
    other = [game.players[1 - game.state.seat] for game in games]
    told = np.array([(a[0], b[0]) for a, b in zip(mover, other, strict=True)], np.float32)
    logits, values = ask(native.chess_squares(states), told)
    rows = np.repeat(np.arange(len(games)), np.diff(offsets))
    likely = logits[rows, actions] / np.array([each[1] for each in mover])[rows]
    likely -= np.maximum.reduceat(likely, offsets[:-1])[rows]
    sums = np.concatenate([[0], np.exp(likely.astype(np.float64)).cumsum()])
    begin, end = sums[offsets[:-1]], sums[offsets[1:]]

    def drawn() -> NDArray[np.int64]:
        places = np.searchsorted(sums[1:], begin + chance.random(len(games)) * (end - begin), "right")
        return np.asarray(places.clip(offsets[:-1], offsets[1:] - 1) - offsets[:-1])

    picks, others, going_on = drawn(), drawn(), []
    for i, game in enumerate(games):
        moves = game.state.moves()
        after = game.state.play(moves[picks[i]])
        over = after.outcome()
        if over and over[0] < 0 and values[i] > _WON:
            after = game.state.play(moves[others[i]])
            over = after.outcome()
        game.state = after
        if not over and after.ply < _MOST_PLIES:
            going_on.append(game)
            continue
        white = {-1: 0, 0: 1, 1: -1}[over[0]] if over else _adjudicated(str(after))
        tally[game.pairing][1 - (white if game.first == 0 else -white)] += 1
    return going_on


def _adjudicated(fen: str) -> int:
    lead = sum(_WORTH.get(man, 0) for man in fen.partition(" ")[0])
    return 0 if abs(lead) < _LEAD else 1 if lead > 0 else -1


def fit(rows: list[list[Any]]) -> dict[Setting, float]:
    """Elo of each, by minorisation of the Bradley-Terry likelihood; a draw is half a win of each."""
    who = sorted({(row[side][0], row[side][1]) for row in rows for side in (0, 1)})
    place = {each: number for number, each in enumerate(who)}
    points = np.zeros((len(who), len(who)))
    for first, second, won, drew, lost in rows:
        a, b = place[tuple(first)], place[tuple(second)]
        points[a, b] += won + drew / 2
        points[b, a] += lost + drew / 2
    games, strength = points + points.T, np.ones(len(who))
    for _ in range(5000):
        strength = points.sum(1) / (games / (strength[:, None] + strength)).sum(1)
        strength /= np.exp(np.log(strength).mean())
    return dict(zip(who, (400 * np.log10(strength)).tolist(), strict=True))


if __name__ == "__main__":
    main()
