"""Games go out as other programs read them, and come in again."""

import pytest
from starlette.testclient import TestClient
from studio_table import lay

LINES = {
    "chess": ["e2e4", "c7c5", "g1f3"],
    "go9": ["C3", "G7", "pass"],
    "duchess4": ["P1c3-1c4", "N2b2-2c4", "P4a3-4a4", "D5e2-5d4", "P1c4-1c5"],
}


@pytest.mark.parametrize("game", LINES)
def test_there_and_back(client: TestClient, game: str) -> None:
    seats = 4 if game == "duchess4" else 2
    made = lay(client, game, ["me"] * seats, moves=LINES[game])
    answer = client.get(f"/api/tables/{made['id']}/export")
    assert "attachment" in answer.headers["content-disposition"]
    again = client.post("/api/import", json={"game": game, "text": answer.text}).json()
    assert (again["game"], again["moves"]) == (game, LINES[game])
    replay = client.post("/api/replay", json=again).json()
    assert len(replay["frames"]) == len(LINES[game]) + 1
    assert lay(client, game, ["me"] * seats, start=again["start"], moves=again["moves"])


def test_what_people_paste(client: TestClient) -> None:
    def read(game: str, text: str) -> dict[str, object]:
        answer = client.post("/api/import", json={"game": game, "text": text})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert read("chess", f" {fen}\n") == {"game": "chess", "start": fen, "moves": []}
    assert read("chess", "1. e4 e5 2. Nf3 *")["moves"] == ["e2e4", "e7e5", "g1f3"]
    assert read("chess", "e4 e5 Nf3")["moves"] == ["e2e4", "e7e5", "g1f3"]
    assert read("chess", f'[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 Kd7 *')["start"] == fen
    assert read("go9", "(;GM[1]SZ[13];B[cc])")["game"] == "go13"
    assert read("duchess4", "1c3-1c4 2c3-2c4")["moves"] == ["P1c3-1c4", "P2c3-2c4"]


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("chess", "hello"),
        ("chess", "1. e4 e4"),
        ("chess", "9/8/8/8/8/8/8/8 w - - 0 1"),
        ("go9", "(;GM[1]SZ[9];B[zz])"),
        ("go9", "(;"),
        ("duchess4", "4 t1 q0 | K1c1"),
        ("duchess6", "P1c3-9z9"),
    ],
)
def test_what_cannot_be_read(client: TestClient, game: str, text: str) -> None:
    answer = client.post("/api/import", json={"game": game, "text": text})
    assert answer.status_code == 400 and answer.json()["error"], answer.text


def test_positions_by_hand_must_be_legal(client: TestClient) -> None:
    kings = [{"cell": "e1", "kind": "K", "seat": 0}, {"cell": "e8", "kind": "K", "seat": 1}]
    good = client.post("/api/setup", json={"game": "chess", "men": kings, "turn": 1})
    assert good.json() == {"position": "4k3/8/8/8/8/8/8/4K3 b - - 0 1"}
    for men in ([], kings[:1], [*kings, {"cell": "e7", "kind": "Q", "seat": 0}]):
        bad = client.post("/api/setup", json={"game": "chess", "men": men, "turn": 0})
        assert bad.status_code == 400, bad.text
