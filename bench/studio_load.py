"""The studio under load: many games at once, a server killed in the middle, and nothing lost.

    python bench/studio_load.py --games 200 --seconds 60

Each game is a person against a light player. A person thinks for a while, moves, and waits for the answer;
what that takes is measured. Half-way the server is killed (SIGKILL) and started again on the same folder, and
every game must come back with every move that had been answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any

import websockets

from studio_server import TOKEN, start

PLAYER = "alphabeta:level=1+classical"


@dataclass
class Person:
    """One game, as its person knows it."""

    table: str
    secret: str
    rng: random.Random
    known: list[str] = field(default_factory=list)
    """Moves that the server has told of."""
    waits: list[float] = field(default_factory=list)
    lost: int = 0
    over: bool = False


HEADERS = {"authorization": f"Bearer {TOKEN}"}


@dataclass
class Server:
    process: subprocess.Popen[str]
    address: str


def serve(folder: str) -> Server:
    process, port = start(folder, "--pace", "0", "--data", folder)
    address = f"127.0.0.1:{port}"
    began = time.perf_counter()
    while True:
        try:
            urllib.request.urlopen(f"http://{address}/").close()
            print(f"the page answered {time.perf_counter() - began:.2f} s after the port was bound")
            return Server(process, address)
        except OSError:
            if process.poll() is not None:
                sys.exit("the server ended before it answered")
            time.sleep(0.02)


def lay(address: str, number: int) -> Person:
    seats = [{"who": "me"}, {"who": "player", "player": PLAYER}]
    request = urllib.request.Request(
        f"http://{address}/api/tables",
        json.dumps({"game": "chess", "seats": seats}).encode(),
        {"content-type": "application/json", **HEADERS},
    )
    with urllib.request.urlopen(request) as answer:
        made = json.load(answer)
    return Person(made["id"], made["secrets"]["0"], random.Random(number))


async def sit(person: Person, address: str, think: float, until: float) -> None:
    """Play until that time, or until the server goes."""
    url = f"ws://{address}/api/tables/{person.table}/play"
    try:
        async with websockets.connect(url, open_timeout=60, additional_headers=HEADERS) as socket:
            await socket.send(json.dumps({"do": "sit", "secrets": [person.secret]}))
            shown = await hear(socket, person)
            while time.perf_counter() < until and not person.over:
                while not shown["legal"] and not person.over:
                    shown = await hear(socket, person)
                await asyncio.sleep(person.rng.uniform(0.5, 1.5) * think)
                if person.over or time.perf_counter() >= until:
                    return
                began = time.perf_counter()
                await socket.send(
                    json.dumps({"do": "move", "text": person.rng.choice(shown["legal"])["text"]})
                )
                shown = await hear(socket, person)
                while not shown["legal"] and not person.over:
                    shown = await hear(socket, person)
                person.waits.append(time.perf_counter() - began)
    except (websockets.ConnectionClosed, OSError):
        return


async def hear(socket: Any, person: Person) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(await socket.recv())
    moves = [move["text"] for move in shown["moves"]]
    if moves[: len(person.known)] != person.known:
        person.lost += 1
    person.known = moves
    person.over = shown["outcome"] is not None
    return shown


async def play(people: list[Person], server: Server, think: float, seconds: float, kill: bool) -> None:
    until = time.perf_counter() + seconds
    playing = [
        asyncio.create_task(sit(person, server.address, think, until + (9 if kill else 0)))
        for person in people
    ]
    if kill:
        await asyncio.sleep(seconds)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    await asyncio.gather(*playing)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds that a person thinks")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = serve(folder)
        people = [lay(server.address, number) for number in range(asked.games)]
        print(f"{len(people)} games laid")
        try:
            asyncio.run(play(people, server, asked.think, asked.seconds / 2, kill=True))
            told = sum(len(person.known) for person in people)
            print(f"killed after {told} moves")
            server = serve(folder)
            asyncio.run(play(people, server, asked.think, asked.seconds / 2, kill=False))
        finally:
            server.process.kill()
            server.process.wait()
    report(people)


def report(people: list[Person]) -> None:
    waits = sorted(wait for person in people for wait in person.waits)
    if not waits:
        sys.exit("no move was answered")

    def at(share: float) -> str:
        return f"{1000 * waits[min(len(waits) - 1, int(share * len(waits)))]:.0f} ms"

    within = sum(wait <= 1 for wait in waits) / len(waits)
    print(f"{len(waits)} moves answered: median {at(0.5)}, 95 % {at(0.95)}, 99 % {at(0.99)}, longest {at(1)}")
    print(f"{100 * within:.2f} % within a second; {sum(person.lost for person in people)} games lost moves")


if __name__ == "__main__":
    main()
