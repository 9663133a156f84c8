"""Games at a table, as browsers play them."""

import pytest
from starlette.testclient import TestClient
from studio_table import Sitting, lay

WEAK = {"chess": "alphabeta:level=1+classical", "kriegspiel": "sergeant"}


@pytest.mark.parametrize("game", ["chess", "kriegspiel", "go5", "duchess4", "duchess6"])
def test_players_answer(client: TestClient, game: str) -> None:
    seats = {"duchess4": 4, "duchess6": 6}.get(game, 2)
    made = lay(client, game, ["me", *[WEAK.get(game, "random")] * (seats - 1)])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert [seat["yours"] for seat in me.shown["seats"]] == [True] + [False] * (seats - 1)
        for _ in range(3):
            shown = me.move(me.shown["legal"][0]["text"])
        assert shown["turn"] == 0 and not shown["failure"]
        if game == "kriegspiel":
            assert shown["moves"] == [] and len(shown["heard"]) >= 6
        else:
            assert len(shown["moves"]) == 3 * seats


def test_moves_are_spelt_as_people_write_them(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.move("Nf3")
        shown = me.move("e5")
    assert [move["label"] for move in shown["moves"]] == ["Nf3", "e5"]
    assert shown["moves"][0] | {"seat": 0} == shown["moves"][0] and shown["moves"][0]["start"] == "g1"


def test_only_who_holds_the_seat_moves_it(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "open"])
    with Sitting(client, made["id"]) as watcher:
        assert "watching" in watcher.error({"do": "move", "text": "e2e4"})
        assert watcher.shown["legal"] == [] and watcher.shown["seat"] is None
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert "somebody else" in me.error({"do": "move", "text": "e7e5", "seat": 1})
        assert "e2e5 is not a legal move" in me.error({"do": "move", "text": "e2e5"})
        me.send({"do": "move", "text": "e2e4"})
        me.until(lambda shown: len(shown["moves"]) == 1)
        assert "turn" in me.error({"do": "move", "text": "d2d4"})


def test_an_invitation_is_good_once(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "open"])
    path, ticket = f"/api/tables/{made['id']}/claim", {"invitation": made["invitations"][1]}
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert me.shown["seats"][1]["vacant"]
        first = client.post(path, json=ticket).json()
        me.until(lambda shown: not shown["seats"][1]["vacant"])
    assert client.post(path, json=ticket).status_code == 400
    assert first["seat"] == 1 and first["secret"] not in made["secrets"].values()
    with Sitting(client, made["id"], [first["secret"]]) as other:
        assert other.shown["seat"] == 1


def test_two_browsers_hear_each_other(client: TestClient) -> None:
    made = lay(client, "duchess4", ["me", "open", "random", "random"])
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as red,
        Sitting(client, made["id"], [claimed["secret"]]) as green,
    ):
        red.send({"do": "move", "text": "P1c3-1c4"})
        green.until(lambda shown: shown["legal"] != [])
        assert green.shown["moves"][0]["text"] == "P1c3-1c4"
        green.send({"do": "move", "text": green.shown["legal"][0]["text"]})
        red.until(lambda shown: shown["legal"] != [] and len(shown["moves"]) == 4)


def test_undo_takes_back_to_ones_own_turn(client: TestClient) -> None:
    made = lay(client, "chess", ["me", WEAK["chess"]])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert not me.shown["can_undo"]
        assert "nothing" in me.error({"do": "undo"})
        me.move("e2e4")
        me.move(me.shown["legal"][0]["text"])
        me.send({"do": "undo"})
        shown = me.until(lambda shown: len(shown["moves"]) == 2)
        assert shown["turn"] == 0 and shown["moves"][0]["label"] == "e4"


def test_people_agree_on_undo_and_draw(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "open"])
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as white,
        Sitting(client, made["id"], [claimed["secret"]]) as black,
    ):
        white.send({"do": "move", "text": "e2e4"})
        white.until(lambda shown: len(shown["moves"]) == 1)
        white.send({"do": "undo"})
        black.until(lambda shown: shown["offer"] is not None)
        assert black.shown["offer"] == {"kind": "undo", "by": 0, "mine": False}
        black.send({"do": "answer", "yes": True})
        white.until(lambda shown: len(shown["moves"]) == 0 and shown["offer"] is None)
        assert "nothing to answer" in white.error({"do": "answer", "yes": True})
        white.send({"do": "draw"})
        black.until(lambda shown: shown["offer"] is not None)
        black.send({"do": "answer", "yes": False})
        white.until(lambda shown: shown["declined"])
        assert white.shown["declined"] == "Black declined the draw."  # who asked is told,
        black.until(lambda shown: shown["offer"] is None)
        assert black.shown["declined"] is None  # and nobody else.
        black.send({"do": "draw"})
        white.until(lambda shown: shown["offer"] is not None)
        white.send({"do": "answer", "yes": True})
        assert black.until(lambda shown: shown["outcome"])["outcome"]["reason"] == "agreement"


def test_players_decline_draws_at_first(client: TestClient) -> None:
    made = lay(client, "chess", ["me", WEAK["chess"]])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.send({"do": "draw"})
        shown = me.until(lambda shown: shown["declined"])
        assert shown["declined"] == "Black declined the draw." and shown["offer"] is None
        me.move("e2e4")
        assert me.shown["declined"] is None


def test_resigning_ends_the_game_and_can_be_taken_back(client: TestClient) -> None:
    made = lay(client, "duchess4", ["me", "random", "random", "random"])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.send({"do": "resign"})
        shown = me.until(lambda shown: shown["outcome"])
        assert shown["outcome"]["values"] == [-1.0, 1.0] and shown["legal"] == []
        assert "over" in me.error({"do": "move", "text": "P1c3-1c4"})
        me.send({"do": "undo"})
        assert me.until(lambda shown: not shown["outcome"])["legal"]


def test_the_game_ends_by_its_rules(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        for text in ("f3", "e5", "g4", "Qh4"):
            shown = me.move(text)
    assert shown["outcome"]["reason"] == "checkmate" and shown["alarms"] == ["e1"]
    listed = next(one for one in client.get("/api/tables").json() if one["id"] == made["id"])
    assert listed["outcome"]["words"] == "Black wins: checkmate." and listed["moves"] == 4


def test_a_seat_without_moves_passes_by_itself(client: TestClient) -> None:
    start = "4 t1 q0 | K1e1 Q2b2 R2c4 | K2a1 P2e3 | K4e1 | K5e1 N2d4"
    made = lay(client, "duchess4", ["me"] * 4, start=start)
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        shown = me.move("R2c4-2b4")  # Green is mated, and misses this turn.
    assert [move["text"] for move in shown["moves"]] == ["R2c4-2b4", "--"] and shown["turn"] == 2


def test_running_out_of_time_loses(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"], clock={"minutes": 0.002, "increment": 0})
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert me.shown["seats"][0]["clock"] <= 0.12 and me.shown["running"]
        shown = me.until(lambda shown: shown["outcome"])
        assert shown["outcome"]["reason"] == "White ran out of time"


def test_a_player_that_cannot_be_made_is_refused(client: TestClient) -> None:
    def refuse(game: str, player: str) -> str:
        seats = [{"who": "me"}, {"who": "player", "player": player}]
        answer = client.post("/api/tables", json={"game": game, "seats": seats})
        assert answer.status_code in (400, 404, 503), answer.text
        return str(answer.json()["error"])

    assert "sergeant" in refuse("chess", "sergeant")
    assert "did you mean" in refuse("chess", "alphabet+classical")
    assert "may not be started" in refuse("chess", "uci:/bin/sh")
    assert "no name of a run" in refuse("chess", "greedy+classical@../../etc/passwd")


def test_tables_that_are_not_there(client: TestClient) -> None:
    assert client.get("/api/tables/nothing/replay").status_code == 404
    with client.websocket_connect("ws://localhost/api/tables/nothing/play") as socket:
        assert socket.receive_json() == {"type": "error", "text": "there is no such table"}


def test_a_game_can_be_looked_at_move_by_move(client: TestClient) -> None:
    made = lay(client, "go5", ["me", "me"], moves=["C3", "C4", "B4"])
    replay = client.get(f"/api/tables/{made['id']}/replay").json()
    assert [frame["move"] and frame["move"]["label"] for frame in replay["frames"]] == [
        None,
        "C3",
        "C4",
        "B4",
    ]
    assert [len(frame["men"]) for frame in replay["frames"]] == [0, 1, 2, 3]


def test_people_have_names_and_are_seen_to_leave(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "open"])
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    with Sitting(client, made["id"], [made["secrets"][0]]) as white:
        assert white.shown["seats"][1]["away"] and white.shown["seats"][1]["title"] == ""
        with Sitting(client, made["id"], [claimed["secret"]]) as black:
            black.send({"do": "call", "name": "  Ada   Lovelace "})
            white.until(lambda shown: shown["seats"][1]["title"] == "Ada Lovelace")
            assert not white.shown["seats"][1]["away"]
            for bad in ("x" * 31, "two\nlines", "\x1b[2J"):
                assert "cannot be read" in black.error({"do": "call", "name": bad})
        white.until(lambda shown: shown["seats"][1]["away"])
        with Sitting(client, made["id"]) as watcher:
            assert "watching" in watcher.error({"do": "call", "name": "Eve"})
    listed = next(one for one in client.get("/api/tables").json() if one["id"] == made["id"])
    assert listed["titles"] == ["", "Ada Lovelace"]


def test_saved_games_tell_who_played_and_when(client: TestClient) -> None:
    from datetime import date

    today = date.today()
    made = lay(client, "chess", ["me", WEAK["chess"]])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.send({"do": "call", "name": 'Mary "Ann" [Q]'})
        me.move("e2e4")
    pgn = client.get(f"/api/tables/{made['id']}/export").text
    assert f'[Date "{today:%Y.%m.%d}"]' in pgn and '[Black "Rookery level 1"]' in pgn
    again = client.post("/api/import", json={"game": "chess", "text": pgn})
    assert again.status_code == 200 and again.json()["moves"][0] == "e2e4"
    made = lay(client, "go5", ["me", "random"])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.move("C3")
    sgf = client.get(f"/api/tables/{made['id']}/export").text
    assert f"DT[{today:%Y-%m-%d}]" in sgf and "PW[Random mover]" in sgf and "PB[Anonymous]" in sgf


def test_an_offer_is_settled_by_who_joined_twice(client: TestClient) -> None:
    """One browser may follow two invitations, and holds two seats by two secrets then."""
    made = lay(client, "duchess4", ["me", "open", "me", "open"])
    path = f"/api/tables/{made['id']}/claim"
    secrets = [
        client.post(path, json={"invitation": made["invitations"][seat]}).json()["secret"] for seat in (1, 3)
    ]
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as me,
        Sitting(client, made["id"], secrets) as friend,
    ):
        for count, one in enumerate((me, friend, me, friend), 1):
            one.until(lambda shown: bool(shown["legal"]))
            one.send({"do": "move", "text": one.shown["legal"][0]["text"]})
            for other in (me, friend):
                other.until(lambda shown, wanted=count: len(shown["moves"]) == wanted)  # type: ignore[misc]
        friend.send({"do": "undo"})
        me.until(lambda shown: shown["offer"] is not None)
        assert me.shown["offer"]["mine"] is False
        me.send({"do": "answer", "yes": True})
        me.until(lambda shown: shown["offer"] is None and len(shown["moves"]) == 3)
        me.send({"do": "draw"})
        friend.until(lambda shown: shown["offer"] is not None)
        friend.send({"do": "answer", "yes": True})
        assert me.until(lambda shown: shown["outcome"])["outcome"]["reason"] == "agreement"


def test_what_cannot_be_kept_is_not_played(client: TestClient) -> None:
    """A full disk: the move is refused in a sentence, and the table goes on."""
    made = lay(client, "chess", ["me", "me"])
    db = client.app._app.state.studio.store._db  # type: ignore[attr-defined]
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        db.execute("PRAGMA query_only = 1")
        try:
            assert "cannot be kept" in me.error({"do": "move", "text": "e2e4"})
        finally:
            db.execute("PRAGMA query_only = 0")
        assert me.shown["moves"] == []
        me.move("e2e4")
