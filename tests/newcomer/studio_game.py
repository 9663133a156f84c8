"""Plays sticks in a studio of its own, against players in processes; started by test_newcomer.py."""

import sys
from pathlib import Path

from starlette.testclient import TestClient
from studio_table import Sitting, lay, settings

from rookery.interfaces.web.app import create

with TestClient(create(settings(Path(sys.argv[1]))), base_url="http://localhost") as client:
    listed = {game["name"] for game in client.get("/api/games").json()}
    assert "sticks" in listed
    table = lay(client, "sticks", ["me", "random", "me", "random"])
    with Sitting(client, table["id"], list(table["secrets"].values())) as sitting:
        shown = sitting.until(lambda shown: bool(shown["legal"] or shown["outcome"]))
        while not shown["outcome"]:
            shown = sitting.move(shown["legal"][0]["text"])
        print(shown["outcome"])
