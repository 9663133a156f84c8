"""Writes tests/bench/signature.json: what every game and search does now, which the tests hold them to."""

from __future__ import annotations

import json
from pathlib import Path

from rookery import games, signature
from rookery.cards import zoo

TARGET = Path(__file__).parent.parent / "tests/bench/signature.json"


def signed(game: str) -> dict[str, str]:
    """The marks of a game's parts, without those of networks, whose last bits the processor decides."""
    slow = {name for name, card in zoo().items() if card.slow}
    parts = (part for part in signature.parts([game]) if part.subject.partition("+")[2] not in slow)
    return {part.subject: f"{part.mark:08x}" for part in parts}


if __name__ == "__main__":
    TARGET.write_text(json.dumps({game: signed(game) for game in games.names()}, indent=1) + "\n")
