"""Rookery, as a Python program meets it."""

import atexit
import random
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np
from protocol import repeat, repeat_perft, serve

from rookery import __version__, games, native, players
from rookery.api import Limit
from rookery.bench import kinds
from rookery.records import archive, importing, store

HANDICAP = sys.argv[1] if len(sys.argv) > 1 else ""
SIMULATIONS = 2000


def perft(game, depth, seconds):
    state = games.get(game).start()
    return repeat_perft(seconds, lambda: state.native.perft(depth))


def playouts(game, seconds):
    """One native call, of as many games as should fill the seconds."""
    state = games.get(game).start()
    trial, spent = 8, 0.0
    while spent < seconds / 20:
        trial *= 2
        start = time.process_time()
        state.native.playouts(trial, 0)
        spent = time.process_time() - start
    start = time.process_time()
    played = state.native.playouts(max(1, round(trial * seconds / spent)), 1)
    return {"units": played.plies, "games": played.games, "seconds": time.process_time() - start}


def search(game, depth, positions, seconds):
    """Alpha-beta with material and piece-square values, each position to a depth."""
    rules = games.get(game)
    player = players.make("alphabeta+pieces", rules)
    states = [rules.start(position) for position in positions]

    def once():
        nodes = 0
        for state in states:
            player.start(rules.spec, state.seat, 0)
            nodes += player.think(state.view(state.seat), Limit(depth=depth)).nodes
        return nodes, len(states)

    return repeat(seconds, once)


def uct(game, seconds, threads=1, clock=time.process_time):
    """Searches from the first position."""
    state, stop = games.get(game).start(), native.Stop()

    def once():
        found = state.native.uct(1.0, threads, 1, threads * SIMULATIONS, 0.0, [], stop, None)
        return found.nodes, 1

    return repeat(seconds, once, clock)


def threads(game, seconds):
    """The same by the clock on the wall: processor seconds would count every thread's."""
    return uct(game, seconds, 1 if HANDICAP == "1 thread" else 2, time.perf_counter)


def linear_search(game, seconds):
    """Alpha-beta to depth 5 with every feature of the linear evaluation."""
    return timed("search", game, seconds)


def linear_values(game, seconds):
    """Values of positions a move further, kept from the one before or, as a handicap, from nothing."""
    return timed("values", "scratch" if HANDICAP == "from nothing" else "kept", seconds)


def timed(kind, subject, seconds):
    """What `rookery bench` times under that name."""
    work = kinds()[kind].prepare(subject)

    def once():
        work.run()
        return work.units, 1

    return repeat(seconds, once)


def td(game, network, seconds):
    """Self-play that a network learns from, as `rookery bench td` times it; creative selection."""
    learner = native.TdLearner(games.get(game).start().native, network, 1)
    learner.play(2000)  # it must first learn to fill the board

    def once():
        return learner.play(500).plies, 500

    return repeat(seconds, once)


def read_pgn(game, file, seconds):
    """The file into the parts of a store, without duplicates, as `rookery data import` has it; one thread."""

    def once():
        importer = importing.Filter().native(np.zeros(0, store.HEADER), 0, 0)
        for chunk in archive.chunks(Path(file), 0, lambda data: None):
            importer.feed(chunk, False)
            importer.take()
        importer.feed(b"", True)
        importer.take()
        return importer.counts["plies"], importer.counts["read"]

    return repeat(seconds, once)


@cache
def stored(file):
    """The store of a file's games."""
    folder = tempfile.mkdtemp(prefix="rookery-bench-")
    atexit.register(shutil.rmtree, folder, True)
    importing.run([Path(file)], Path(folder) / "store", importing.Filter())
    return store.Store.open(Path(folder) / "store")


def sample(game, file, seconds):
    """Ten quiet positions of each game, encoded; two threads, by the clock on the wall."""
    found = stored(file)
    every = np.arange(len(found), dtype=np.uint32)
    seeds = iter(range(10**9))

    def once():
        drawn = found.native.sample_features(every, 10, 5, True, next(seeds), 2)
        return len(drawn[0]), len(found)

    return repeat(seconds, once, time.perf_counter)


def random_game(game, rng):
    """The states of a random game, first to last, and the moves between them."""
    states, moves = [games.get(game).start()], []
    while choices := states[-1].moves():
        moves.append(rng.choice(choices))
        states.append(states[-1].play(moves[-1]))
    return states, moves


def play(game, seconds):
    """Replays random games, so that early and late positions, wide and narrow ones, weigh as in life."""

    def replay(states, moves):
        state = states[0]
        for move in moves:
            state = state.play(move)

    return time_calls(game, seconds, replay)


def moves(game, seconds):
    """Asks for the moves of every state of random games."""

    def ask(states, moves):
        for state in states[:-1]:
            state.moves()

    return time_calls(game, seconds, ask)


def time_calls(game, seconds, through):
    rng = random.Random(1)
    played = [random_game(game, rng) for _ in range(5)]

    def once():
        for states, moves in played:
            through(states, moves)
        return sum(len(moves) for _, moves in played), len(played)

    return repeat(seconds, once)


serve(
    {"name": "rookery", "version": __version__, "level": native.level, "games": games.names()},
    {
        "perft": perft,
        "playouts": playouts,
        "search": search,
        "uct": uct,
        "threads": threads,
        "td": td,
        "linear_search": linear_search,
        "linear_values": linear_values,
        "play": play,
        "moves": moves,
        "read_pgn": read_pgn,
        "sample": sample,
    },
)
