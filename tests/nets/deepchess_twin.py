"""DeepChess in floats, as its paper has it: the slow twin of native/nets/deepchess.hpp; networks to try."""

from __future__ import annotations

from itertools import pairwise

import chess
import numpy as np

SMALL = {"embed": [773, 100, 100, 100], "compare": [200, 100, 100, 2], "scalar": [100, 32, 1]}
FULL = {
    "embed": [773, 600, 400, 200, 100],
    "compare": [200, 400, 200, 100, 2],
    "scalar": [100, 32, 1],
}
TINY = {"embed": [773, 20, 7], "compare": [14, 9, 2], "scalar": [7, 1]}


def bits(state) -> np.ndarray:
    """The 773 bits of a state, told by python-chess."""
    board, found = chess.Board(str(state)), np.zeros(773)
    for square, piece in board.piece_map().items():
        found[((not piece.color) * 6 + piece.piece_type - 1) * 64 + square] = 1
    found[768] = board.turn == chess.WHITE
    found[769:] = [
        side(colour)
        for colour in chess.COLORS
        for side in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    return found


def mirrored(state) -> str:
    return chess.Board(str(state)).mirror().fen(en_passant="fen")


def run(x, arrays, part, last_relu):
    """The layers of a part, of rows; with what every layer with a ReLU gave."""
    heard = []
    number = 0
    while f"{part}.{number}.weight" in arrays:
        x = x @ arrays[f"{part}.{number}.weight"].astype(float).T + arrays[f"{part}.{number}.bias"]
        if last_relu or f"{part}.{number + 1}.weight" in arrays:
            x = np.maximum(x, 0)
            heard.append(x)
        number += 1
    return x, heard


def embed(arrays, states):
    return run(np.stack([bits(state) for state in states]), arrays, "embed", True)[0]


def d(arrays, a, b):
    logits, _ = run(np.concatenate([a, b], axis=1), arrays, "compare", False)
    return logits[:, 0] - logits[:, 1]


def leads(arrays, a, b):
    """s(a, b) of embeddings."""
    return d(arrays, a, b) - d(arrays, b, a)


def worth(arrays, a):
    return run(a, arrays, "scalar", False)[0][:, 0]


def network(sizes, seed, states, sharp=1.0):
    """Random weights, and the ranges of what they make of some states. As training leaves them, the halves of
    the head oppose each other; `sharp` scales the last layer.
    """
    rng = np.random.default_rng(seed)
    arrays = {}
    for part, of in sizes.items():
        for number, (inputs, outputs) in enumerate(pairwise(of)):
            heard = 33 if inputs == 773 else inputs
            weight = rng.normal(0, np.sqrt(2 / heard), (outputs, inputs))
            if part == "compare" and number == 0:
                half = inputs // 2
                weight[:, half:] = -weight[:, :half] + rng.normal(0, 0.1 / np.sqrt(half), (outputs, half))
            if number == len(of) - 2 and part != "embed":
                weight *= sharp
            arrays[f"{part}.{number}.weight"] = weight.astype(np.float32)
            arrays[f"{part}.{number}.bias"] = rng.normal(0, 0.05, outputs).astype(np.float32)
    x = embed(arrays, states)
    pairs = np.concatenate([x, x[::-1]], axis=1)
    inputs = {"embed": np.stack([bits(state) for state in states]), "compare": pairs, "scalar": x}
    for part in sizes:
        _, heard = run(inputs[part], arrays, part, part == "embed")
        arrays[f"{part}.ranges"] = np.array([np.quantile(each, 0.9999) for each in heard], np.float32)
    return arrays
