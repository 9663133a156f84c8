"""rust-pgn-reader-python-binding on one thread. It wants a text a game: to cut them is not timed."""

import re
from importlib.metadata import version
from pathlib import Path

import rust_pgn_reader_python_binding as rust
from protocol import repeat, serve


def read_pgn(game, file, seconds):
    text = Path(file).read_text(errors="replace")
    games = re.split(r"(?m)^(?=\[Event )", text)[1:]

    def once():
        found = rust.parse_games_from_strings(games, num_threads=1)
        return found.num_moves, found.num_games

    return repeat(seconds, once)


serve(
    {"name": "rust_pgn_reader", "version": version("rust-pgn-reader-python-binding")}, {"read_pgn": read_pgn}
)
