"""The hidden board never crosses the wire: every byte sent to a Kriegspiel seat follows from its view."""

import json
import random
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import pytest
from starlette.testclient import TestClient
from studio_table import Sitting, lay

from rookery import opponents
from rookery.games.chess import board_rows
from rookery.games.kriegspiel import KRIEGSPIEL, Heard, KriegspielView
from rookery.games.kriegspiel_conclusions import conclusions, pawn_tries
from rookery.interfaces.web.app import ROUTERS
from rookery.searches.kriegspiel.belief import believed

# What a message has besides what the view decides: the same for every game, or known to everybody.
PUBLIC = {
    "type": "table",
    "game": "kriegspiel",
    "title": "Kriegspiel",
    "hidden": True,
    "notes": [],
    "picture": "",
    "moves": [],
    "running": False,
    "failure": None,
    "outcome": None,
    "offer": None,
    "declined": None,
    "rematch": None,
    "time": None,
    "scoring": None,
    "can_undo": False,
    "position": None,
}


def men(view: KriegspielView) -> list[dict[str, Any]]:
    found = []
    for rank, row in zip("87654321", board_rows(view.men), strict=True):
        for file, mark in zip("abcdefgh", row, strict=True):
            if mark != ".":
                found.append({"cell": file + rank, "kind": mark.upper(), "seat": int(mark.islower())})
    return found


def told(player: str | None) -> dict[str, str]:
    """What everybody may know of a seat's player."""
    met = opponents.meet(player, KRIEGSPIEL) if player else opponents.Opponent("", "", "")
    return {"title": met.title, "about": met.description, "strength": met.strength}


def written(view: KriegspielView, text: str) -> str:
    """A try of this view's seat as people write it, by its own pieces."""
    kind = next(man["kind"] for man in men(view) if man["cell"] == text[:2])
    if kind == "K" and text in ("e1g1", "e8g8", "e1c1", "e8c8"):
        return "O-O" if text[2] == "g" else "O-O-O"
    sign = "x" if kind == "P" and text[0] != text[2] else "-"
    return f"{kind.strip('P')}{text[:2]}{sign}{text[2:4]}{'=' + text[4:].upper() if text[4:] else ''}"


def expected(
    view: KriegspielView, table: str, player: str | None, own_tries: Sequence[str]
) -> dict[str, Any]:
    """All that a seat may be told, from its views so far and nothing else; `own_tries` as it wrote them."""
    own = men(view)
    heard = [Heard.read(event) for event in view.events]
    steps = [view.text(move) for move in view.moves()]
    checked = view.checks not in ("", "-") and view.turn == view.seat
    other = 1 - view.seat
    labels = iter(own_tries)
    stood = [0, *accumulate(not line.refused for line in heard)]
    seats = [
        {
            "name": name,
            "colour": name.lower(),
            "side": seat,
            "player": player if seat == other else None,
            **told(player if seat == other else None),
            "yours": seat == view.seat,
            "vacant": False,
            "away": False,
            "clock": None,
        }
        for seat, name in enumerate(("White", "Black"))
    ]
    return {
        **PUBLIC,
        "id": table,
        "seats": seats,
        "turn": view.turn,
        "seat": view.seat,
        "men": own,
        "alarms": [man["cell"] for man in own if checked and man["kind"] == "K"],
        "heard": [
            {
                "words": line.spoken(),
                "mine": line.move,
                "refused": line.refused,
                "label": next(labels) if line.move or line.refused else None,
                "number": 1 + stood[place] // 2,
                "start": (line.move or line.refused or "")[:2] or None,
                "to": (line.move or line.refused or "")[2:4] or None,
                "square": line.square,
                "tries": line.tries,
            }
            for place, line in enumerate(heard)
        ],
        "legal": [
            {
                "text": text,
                "to": text[2:4],
                "start": text[:2],
                "promotion": text[4:].upper() or None,
                "teleport": False,
                "drops": None,
                "passes": False,
            }
            for text in steps
        ],
        "thinking": player is not None and view.turn == other,
    }


@pytest.fixture
def studio(client: TestClient) -> Any:
    return client.app._app.state.studio  # type: ignore[attr-defined]


@pytest.mark.parametrize("opponent", ["sergeant", "random"])
@pytest.mark.parametrize("seat", [0, 1])
def test_every_byte_follows_from_the_view(client: TestClient, studio: Any, seat: int, opponent: str) -> None:
    seats = ["me", opponent] if seat == 0 else [opponent, "me"]
    made = lay(client, "kriegspiel", seats)
    rng = random.Random(seat)
    with Sitting(client, made["id"], [made["secrets"][seat]]) as me:
        for _ in range(40):
            me.until(lambda shown: bool(shown["legal"] or shown["outcome"]))
            if me.shown["outcome"]:
                break
            before = len(me.heard)
            me.send({"do": "move", "text": rng.choice(me.shown["legal"])["text"]})
            while len(me.heard) == before:
                me.read()
        heard = me.heard
    allowed = views(studio.tables.get(made["id"]).kept.moves, seat, made["id"], opponent)
    told = [json.loads(text) for text in heard]
    playing = [message for message in told if not message["outcome"]]
    assert len(playing) > 20
    # Each message is what the view says at some moment, in order, and none is sent without a change of view.
    place = 0
    for message in playing:
        while place < len(allowed) and allowed[place] != message:
            place += 1
        assert place < len(allowed), message
        place += 1


def views(moves: list[tuple[str, float]], seat: int, table: str, opponent: str) -> list[dict[str, Any]]:
    """What the seat may be told after each try of either side, without repeats."""
    state = KRIEGSPIEL.start()
    found = [expected(state.view(seat), table, opponent, ())]
    tries: list[str] = []
    for text, _ in moves:
        if state.seat == seat:
            tries.append(written(state.view(seat), text))
        state = state.play(state.parse(text))
        if state.outcome():
            break
        now = expected(state.view(seat), table, opponent, tries)
        if now != found[-1]:
            found.append(now)
    return found


def test_a_refusal_is_heard_by_the_trier_alone(client: TestClient) -> None:
    made = lay(client, "kriegspiel", ["me", "open"], start="4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1")
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as white,
        Sitting(client, made["id"], [claimed["secret"]]) as black,
        Sitting(client, made["id"]) as watcher,
    ):
        white.send({"do": "move", "text": "a1a2"})  # White is in check: refused.
        white.until(lambda shown: bool(shown["heard"]))
        assert white.shown["heard"][-1]["refused"] == "a1a2"
        for other in (black, watcher):
            count = len(other.heard)
            other.send({"do": "ping"})
            assert other.read()["type"] == "pong" and len(other.heard) == count + 1
        assert black.shown["men"] == [
            {"cell": "e8", "kind": "K", "seat": 1},
            {"cell": "h1", "kind": "R", "seat": 1},
        ]
        assert watcher.shown["men"] == [] and watcher.shown["heard"] == []


def test_nothing_else_tells_before_the_end(client: TestClient) -> None:
    made = lay(client, "kriegspiel", ["me", "sergeant"])
    path = f"/api/tables/{made['id']}"
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.move("e2e4")
        for what in ("replay", "export"):
            answer = client.get(f"{path}/{what}")
            assert answer.status_code == 400 and "secret" in answer.json()["error"]
        listed = next(one for one in client.get("/api/tables").json() if one["id"] == made["id"])
        assert listed["moves"] is None
        stranger = client.post(f"{path}/belief", json={"player": "sergeant", "secret": "x" * 24})
        assert stranger.status_code == 400 and "holds a seat" in stranger.json()["error"]
        # Whatever nonsense is tried, the answer quotes nothing but the try.
        assert me.error({"do": "move", "text": "zz9"}) == (
            "cannot read 'zz9' as a move; write it like e4, Nf3 or e2e4"
        )
        me.send({"do": "resign"})
        me.until(lambda shown: bool(shown["outcome"]))
    replay = client.get(f"{path}/replay").json()
    assert len(replay["frames"][-1]["views"]) == 2 and len(replay["frames"][-1]["men"]) == 32
    assert "e2e4" not in client.get(f"{path}/export").text and "e4" in client.get(f"{path}/export").text


def test_one_browser_sits_in_one_chair(client: TestClient) -> None:
    made = lay(client, "kriegspiel", ["me", "me"])
    assert made["secrets"][0] != made["secrets"][1]
    with Sitting(client, made["id"], list(made["secrets"].values())) as me:
        assert [seat["yours"] for seat in me.shown["seats"]] == [True, False]
        assert {man["seat"] for man in me.shown["men"]} == {0}


HERE, THERE = "8/8/8/3k4/8/8/8/K6R w - - 0 1 material", "8/8/2k5/8/8/8/8/K6R w - - 0 1 material"


def test_what_can_be_known_follows_from_the_view(client: TestClient, studio: Any) -> None:
    """Two tables whose hidden boards differ, and whose views do not, are told the same to the last byte."""
    made = [lay(client, "kriegspiel", ["me", "me"], start=start) for start in (HERE, THERE)]
    for text in ("a1a3", "h1h2"):
        for each in made:
            studio.tables.get(each["id"]).move(0, text)
        first, second = (studio.tables.get(each["id"]).state for each in made)
        assert first.view(0) == second.view(0) and first.native.fen != second.native.fen
        for what in ("known", "conclusions"):
            answers = [
                client.post(f"/api/tables/{each['id']}/{what}", json={"secret": each["secrets"][0]})
                for each in made
            ]
            assert answers[0].status_code == 200 and answers[0].content == answers[1].content
    assert '"chances":{}' not in answers[0].text


def test_what_can_be_known_is_that_of_the_view(client: TestClient, studio: Any) -> None:
    made = lay(client, "kriegspiel", ["me", "me"])
    table, path = studio.tables.get(made["id"]), f"/api/tables/{made['id']}"
    for text in ("e2e4", "d7d5", "e4f5", "e4d5", "d8d5", "b1c3"):
        table.move(table.state.seat, text)
        for seat, secret in made["secrets"].items():
            view = table.state.view(seat)
            known = client.post(f"{path}/known", json={"secret": secret}).json()
            belief = believed(view)
            assert known["chances"] == {
                square: pytest.approx(chance, abs=1e-4)
                for square, chance in belief.occupied.items()
                if chance >= 0.0005
            }
            follows = client.post(f"{path}/conclusions", json={"secret": secret, "first": 1}).json()
            assert follows["lines"] == [list(line) for line in conclusions(view, 1)]
            pairs = [(step["start"], step["to"]) for step in follows["announced"]]
            assert pairs == [(one.start, one.to) for one in pawn_tries(view)]


def test_nobody_is_told_what_the_other_seat_believes_before_the_end(client: TestClient) -> None:
    made = lay(client, "kriegspiel", ["me", "open"])
    path, secret = f"/api/tables/{made['id']}", made["secrets"][0]
    for what in ("known", "conclusions"):
        stranger = client.post(f"{path}/{what}", json={"secret": "x" * 24})
        assert stranger.status_code == 400 and "holds a seat" in stranger.json()["error"]
        # The secret alone says which seat it is; there is no asking for another.
        other = client.post(f"{path}/{what}", json={"secret": secret, "seat": 1})
        assert other.status_code == 422 and "\n" not in other.json()["error"]
    both = client.get(f"{path}/beliefs")
    assert both.status_code == 400
    assert both.json()["error"] == "the board is the referee's secret until the game is over"


def test_after_the_end_both_beliefs_can_be_seen(client: TestClient, studio: Any) -> None:
    made = lay(client, "kriegspiel", ["me", "me"])
    path, table = f"/api/tables/{made['id']}", studio.tables.get(made["id"])
    for text in ("e2e4", "d7d5", "e4d5"):
        table.move(table.state.seat, text)
    table.resign(1)
    start, later = (client.get(f"{path}/beliefs?number={number}").json() for number in (0, 3))
    assert start[0]["kinds"]["king"] == {"e8": 1.0} and start[1]["kinds"]["king"] == {"e1": 1.0}
    assert later[0]["chances"] != start[0]["chances"] and len(later) == 2


def test_a_game_that_hides_nothing_has_nothing_to_be_known(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    answer = client.post(f"/api/tables/{made['id']}/known", json={"secret": made["secrets"][0]})
    assert answer.status_code == 400 and answer.json()["error"] == "Chess hides nothing"


def asked(client: TestClient, table: str) -> dict[str, Any]:
    """What every GET route answers, to the last byte."""
    known = {"game": "kriegspiel", "seat": "0", "table": table, "number": "0"}
    found = {}
    for router in ROUTERS:
        for route in router.routes:
            if "GET" in getattr(route, "methods", ()):
                path = re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], "none"), route.path)
                answer = client.get(path)
                headers = {key: value for key, value in answer.headers.items() if key != "date"}
                found[path] = answer.status_code, headers, answer.content
    return found


@pytest.mark.parametrize("offered", ["", "by the trier", "by the other", "declined"])
def test_nothing_public_changes_at_a_refused_try(client: TestClient, offered: str) -> None:
    before = lay(client, "chess", ["me", "me"])  # Another game, touched later than ours or earlier.
    made = lay(client, "kriegspiel", ["me", "open"], start="4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1")
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    after = lay(client, "chess", ["me", "me"])
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as white,
        Sitting(client, made["id"], [claimed["secret"]]) as black,
        Sitting(client, made["id"]) as watcher,
        Sitting(client, before["id"]) as elsewhere,
        Sitting(client, after["id"]) as somewhere,
        client.websocket_connect("ws://localhost/api/analyse") as analyst,
    ):
        others = (black, watcher, elsewhere, somewhere)
        if offered:
            who = black if offered == "by the other" else white
            who.send({"do": "draw"})
            for one in (white, black, watcher):
                one.until(lambda shown: shown["offer"] is not None)
        if offered == "declined":
            black.send({"do": "answer", "yes": False})
            for one in (white, black, watcher):
                one.until(lambda shown: shown["offer"] is None)
        public, heard = asked(client, made["id"]), [list(one.heard) for one in others]
        assert len(public) > 12 and public["/api/tables"][0] == 200
        for text in ("a1a2", "a1b1", "e2e4", "a1d1"):  # White is in check: all of it is refused.
            count = len(white.shown["heard"])
            white.send({"do": "move", "text": text})
            white.until(lambda shown, count=count: len(shown["heard"]) > count)  # type: ignore[misc]
            assert white.shown["heard"][-1]["refused"] == text
        assert asked(client, made["id"]) == public
        for one, known in zip(others, heard, strict=True):
            one.send({"do": "ping"})
            assert one.read()["type"] == "pong" and one.heard[:-1] == known
        analyst.send_text("?")
        assert analyst.receive_json()["text"] == "that message cannot be read"
        white.send({"do": "move", "text": "e1d2"})  # This one stands, and everybody may know it.
        black.until(lambda shown: shown["turn"] == 1)
        assert asked(client, made["id"])["/api/tables"] != public["/api/tables"]
