"""What no page would say to the studio."""

import json
import random
from typing import Any

VALID: list[dict[str, Any]] = [
    {"do": "sit", "secrets": ["x" * 20]},
    {"do": "move", "text": "e2e4", "seat": 0},
    {"do": "undo"},
    {"do": "resign", "seat": 0},
    {"do": "draw"},
    {"do": "answer", "yes": True},
    {"do": "retry"},
    {"do": "ping"},
    {"do": "think", "game": "chess", "player": "random", "moves": ["e2e4"], "lines": 2, "seconds": 0.1},
    {"do": "stop"},
]
ODD: list[Any] = [
    *(None, True, -1, 0, 6, 10**30, 1e308, "", "e2e4", "\u0000", "\ud83d", "a" * 5000, [], {}, [[]], ["x"]),
    {"do": "move"},
]


def nonsense(rng: random.Random) -> str:
    kind = rng.randrange(5)
    if kind == 0:
        return "".join(chr(rng.randrange(32, 0x2FF)) for _ in range(rng.randrange(60)))
    if kind == 1:
        return json.dumps(rng.choice(ODD))
    message = dict(rng.choice(VALID))
    for _ in range(rng.randrange(1, 3)):
        key = rng.choice([*message, "surprise", "do", "seat"])
        if rng.random() < 0.2:
            message.pop(key, None)
        else:
            message[key] = rng.choice(ODD)
    text = json.dumps(message)
    return text[: rng.randrange(len(text))] if kind == 2 else text
