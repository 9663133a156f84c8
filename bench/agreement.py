"""How far a policy network as ONNX Runtime runs it is from the same network in torch, on recorded positions.

    python bench/agreement.py GAMES RECIPE FILE.onnx

GAMES is a store of `rookery data`; RECIPE, such as chess-policy-best, says what the network is in torch
(rookery.nets.policy), whose weights are read from the file. Of each position the probability of every move is
compared, and win, draw and loss.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from rookery import native
from rookery.evaluators.policy import ENCODERS
from rookery.examine import moves
from rookery.nets import backend, decoding, policy, policy_start
from rookery.records.store import Store
from rookery.runs import find

_CHUNK = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", type=Path)
    parser.add_argument("recipe")
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=10_000)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    content = asked.file.read_bytes()
    runtime = backend.OnnxBackend(content, backend.check(content))
    options = find(asked.recipe).options
    names = ("encoder", "trunk", "blocks", "channels", "squeeze", "head", "norm")
    net = policy_start.read(asked.file, policy.Shape(**{name: getattr(options, name) for name in names}))
    task = moves.draw(Store.open(asked.games), "game", asked.positions, 1, 1)
    encoder = ENCODERS[runtime.card["encoder"]]
    furthest, first, outcome = [], 0, 0.0
    for begin in range(0, len(task.positions), _CHUNK):
        states = [state.native for state in task.positions.states[begin : begin + _CHUNK]]  # type: ignore[attr-defined]
        arrays = {"planes": encoder.planes(states).astype(np.float32)}
        if net.shape.rated:
            rated = task.ratings[begin : begin + _CHUNK].astype(np.float32)
            arrays["ratings"] = np.stack([rated, rated], 1)
        said = runtime.run(arrays, runtime.outputs)
        with torch.inference_mode():
            logits, wdl = net(*(torch.from_numpy(each) for each in arrays.values()))
        offsets, actions = native.chess_legal_actions(states, encoder.turned)
        legal = np.split(actions, offsets[1:-1])
        ours, theirs = (decoding.policy(each, legal, 1.0) for each in (said["policy"], logits.numpy()))
        for row in range(len(states)):
            furthest.append(float(np.abs(ours.of(row) - theirs.of(row)).max()))
            first += int(ours.of(row).argmax() == theirs.of(row).argmax())
        if wdl is not None:
            apart = torch.softmax(torch.from_numpy(said["wdl"]), 1) - torch.softmax(wdl, 1)
            outcome = max(outcome, float(apart.abs().max()))
    print(
        f"{len(furthest):,} positions: largest difference of a probability {max(furthest):.2e}, mean of a "
        f"position's largest {np.mean(furthest):.2e}; same first move {100 * first / len(furthest):.2f} %; "
        f"win, draw and loss {outcome:.2e}"
    )


if __name__ == "__main__":
    main()
