"""The end of a game of Go at a table: dead stones proposed, changed and agreed on."""

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from studio_table import Sitting, lay, settings

from rookery.interfaces.web.app import create

# Black owns two thirds of the board; White has one hopeless stone in it.
HOPELESS = (
    "(;GM[1]FF[4]SZ[9]KM[7]AB[fa][fb][fc][fd][fe][ff][fg][fh][fi][ea]"
    "AW[ga][gb][gc][gd][ge][gf][gg][gh][gi][ce]PL[B])"
)
SETTLED = ".X.X.XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./..O..XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./.X.X.XO.O"
CHINESE = "0:0 - 0 0 area agreed komi=7.5"


def pasted(client: TestClient) -> dict[str, Any]:
    read = client.post("/api/import", json={"game": "go9", "text": HOPELESS}).json()
    return {"start": read["start"], "moves": read["moves"]}


def pass_out(sitting: Sitting) -> dict[str, Any]:
    for number in (1, 2):
        sitting.send({"do": "move", "text": "pass"})
        sitting.until(lambda shown, number=number: len(shown["moves"]) == number)
    return sitting.until(lambda shown: shown["scoring"])


def test_a_won_game_is_won_after_two_passes(client: TestClient) -> None:
    made = lay(client, "go9", ["me", "me"], **pasted(client))
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert me.shown["notes"] == ["Captures: Black 0, White 0 · komi 7 · Japanese rules"]
        shown = pass_out(me)
        assert shown["outcome"] is None and shown["scoring"]["open"] and not shown["legal"]
        assert shown["scoring"]["dead"] == ["C5"] and "C5" in shown["scoring"]["black"]
        assert shown["scoring"]["words"] == "Black 45, White 25: Black leads by 20"
        me.send({"do": "agree", "number": shown["scoring"]["number"]})
        shown = me.until(lambda shown: shown["outcome"])
        assert shown["outcome"]["words"] == "Black wins by 20 points."
        assert not shown["scoring"]["open"]
    text = client.get(f"/api/tables/{made['id']}/export").text.replace("\n", "")
    assert "RE[B+20]" in text and "RU[Japanese]" in text and "KM[7]" in text


def test_a_tap_changes_what_is_dead_and_withdraws_agreement(client: TestClient) -> None:
    made = lay(client, "go9", ["me", "open"], **pasted(client))
    ticket = {"invitation": made["invitations"][1]}
    other = client.post(f"/api/tables/{made['id']}/claim", json=ticket).json()["secret"]
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as black,
        Sitting(client, made["id"], [other]) as white,
        Sitting(client, made["id"]) as watcher,
    ):
        black.send({"do": "move", "text": "pass"})
        white.until(lambda shown: len(shown["moves"]) == 1)
        white.send({"do": "move", "text": "pass"})
        shown = black.until(lambda shown: shown["scoring"])
        assert "watching" in watcher.error({"do": "mark", "cell": "C5"})
        black.send({"do": "agree", "number": 0})
        white.until(lambda shown: shown["scoring"] and shown["scoring"]["agreed"] == [0])
        white.send({"do": "mark", "cell": "C5"})
        shown = black.until(lambda shown: shown["scoring"]["number"] == 1)
        assert shown["scoring"]["dead"] == [] and shown["scoring"]["agreed"] == []
        assert "White leads" in shown["scoring"]["words"]
        assert "changed" in black.error({"do": "agree", "number": 0})
        assert "no stone" in black.error({"do": "mark", "cell": "A1"})
        assert "agree on" in black.error({"do": "move", "text": "A1"})
        black.send({"do": "mark", "cell": "C5"})
        white.until(lambda shown: shown["scoring"]["number"] == 2)
        for sitting in (white, black):
            sitting.send({"do": "agree", "number": 2})
        assert black.until(lambda shown: shown["outcome"])["outcome"]["words"] == "Black wins by 20 points."
        assert "being counted" in black.error({"do": "mark", "cell": "C5"})


def test_play_can_be_resumed(client: TestClient) -> None:
    made = lay(client, "go9", ["me", "me"], **pasted(client))
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        pass_out(me)
        me.send({"do": "resume"})
        shown = me.until(lambda shown: not shown["moves"])
        assert shown["scoring"] is None and shown["turn"] == 0 and shown["legal"]
        assert "being counted" in me.error({"do": "resume"})


def test_a_program_agrees_to_what_was_proposed_and_to_gifts(client: TestClient) -> None:
    for tap, ending in ((None, "Black wins by 19.5 points."), ("G1", "Black wins by 73.5 points.")):
        made = lay(client, "go9", ["random", "me"], start=f"{SETTLED} w {CHINESE}")
        with Sitting(client, made["id"], [made["secrets"][1]]) as me:
            me.send({"do": "move", "text": "pass"})
            shown = me.until(lambda shown: shown["scoring"])  # Black has won by the count, and passed too.
            if tap:
                me.send({"do": "mark", "cell": tap})
                shown = me.until(lambda shown: shown["scoring"]["number"] == 1)
            me.send({"do": "agree", "number": shown["scoring"]["number"]})
            assert me.until(lambda shown: shown["outcome"])["outcome"]["words"] == ending


def test_a_program_that_does_not_agree_plays_on(client: TestClient) -> None:
    made = lay(client, "go9", ["random", "me"], start=f"{SETTLED} w {CHINESE}")
    with Sitting(client, made["id"], [made["secrets"][1]]) as me:
        me.send({"do": "move", "text": "pass"})
        me.until(lambda shown: shown["scoring"])
        me.send({"do": "mark", "cell": "C5"})
        me.until(lambda shown: shown["scoring"]["number"] == 1)
        assert me.error({"do": "agree", "number": 1}) == "Black does not agree to this; play it out"
        assert me.until(lambda shown: not shown["moves"])["turn"] == 1


def test_between_programs_the_proposal_decides(client: TestClient) -> None:
    made = lay(client, "go9", ["random", "random"], start=f"{SETTLED} w {CHINESE}", moves=["pass", "pass"])
    with Sitting(client, made["id"]) as watcher:
        shown = watcher.until(lambda shown: shown["outcome"])
        assert shown["outcome"]["words"] == "Black wins by 19.5 points."


def test_the_count_survives_the_server(tmp_path: Path) -> None:
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        made = lay(client, "go9", ["me", "me"], clock={"minutes": 5, "increment": 0}, **pasted(client))
        with Sitting(client, made["id"], [made["secrets"][0]]) as me:
            pass_out(me)
            me.send({"do": "mark", "cell": "C5"})
            before = me.until(lambda shown: shown["scoring"]["number"] == 1)
            assert not before["running"]
    with (
        TestClient(create(settings(tmp_path)), base_url="http://localhost") as client,
        Sitting(client, made["id"], [made["secrets"][0]]) as me,
    ):
        assert me.shown["scoring"] == before["scoring"] and not me.shown["running"]
        me.send({"do": "mark", "cell": "C5"})
        me.until(lambda shown: shown["scoring"]["number"] == 2)
        me.send({"do": "agree", "number": 2})
        assert "Black wins by 20" in me.until(lambda shown: shown["outcome"])["outcome"]["words"]
    with (
        TestClient(create(settings(tmp_path)), base_url="http://localhost") as client,
        Sitting(client, made["id"], [made["secrets"][0]]) as me,
    ):
        assert me.shown["outcome"]["reason"] == "by 20 points" and me.shown["scoring"]["dead"] == ["C5"]


def test_rules_komi_and_handicap_are_chosen(client: TestClient) -> None:
    asked = {"rules": "japanese", "komi": "5.5", "handicap": "3"}
    made = lay(client, "go9", ["me", "random"], setup=asked)
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert me.shown["notes"][0].endswith("komi 5.5 · handicap 3 · Japanese rules")
        me.until(lambda shown: len(shown["moves"]) == 1)
        assert me.shown["moves"][0]["seat"] == 1
    seats = [{"who": "me"}, {"who": "me"}]
    for wrong in ({"rules": "ing"}, {"handicap": "1"}, {"komi": "0.3"}, {"komi": "nan"}, {"ko": "none"}):
        answer = client.post("/api/tables", json={"game": "go9", "seats": seats, "setup": wrong})
        assert answer.status_code in (400, 404), answer.text
    start = client.get("/api/games/go9/start?handicap=2").json()
    assert len(start["frames"][0]["men"]) == 2 and start["frames"][0]["turn"] == 1


def test_where_every_stone_counts_there_is_nothing_to_agree_on(client: TestClient) -> None:
    made = lay(client, "go9", ["me", "me"], setup={"rules": "tromp-taylor"})
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.move("pass")
        shown = me.move("pass")
        assert shown["outcome"]["words"] == "White wins: passes." and shown["scoring"] is None


def test_the_score_is_estimated_for_who_plays(client: TestClient) -> None:
    made = lay(client, "go9", ["me", "me"], start=f"{SETTLED} w {CHINESE}")
    path = f"/api/tables/{made['id']}/estimate"
    told = client.post(path, json={"secret": made["secrets"][0]}).json()
    assert told["words"] in ("Estimate: Black leads by about 19", "Estimate: Black leads by about 20")
    assert "A9" in told["black"] and "H9" in told["white"]
    assert client.post(path, json={"secret": "x" * 24}).status_code == 400
    chess = lay(client, "chess", ["me", "me"])
    refused = client.post(f"/api/tables/{chess['id']}/estimate", json={"secret": chess["secrets"][0]})
    assert refused.status_code == 400
