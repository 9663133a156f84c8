"""Games go out as other programs read them, and come in again."""

import io

import chess.pgn
import pytest
from starlette.testclient import TestClient
from studio_table import Sitting, lay

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
    assert [branch["text"] for branch in again["branches"]] == LINES[game]
    line = {key: again[key] for key in ("game", "start", "moves")}
    replay = client.post("/api/replay", json=line).json()
    assert len(replay["frames"]) == len(LINES[game]) + 1
    assert lay(client, game, ["me"] * seats, start=again["start"], moves=again["moves"])


def test_what_people_paste(client: TestClient) -> None:
    def read(game: str, text: str) -> dict[str, object]:
        answer = client.post("/api/import", json={"game": game, "text": text})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert read("chess", f" {fen}\n") == {"game": "chess", "start": fen, "moves": [], "branches": []}
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


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SGF = "(;GM[1]SZ[9];B[ee];W[cc](;B[gg];W[gc])(;B[cg](;W[ge])(;W[])))"
FOUR = "4 t1 q0 | K1c1 Q1b1 P1a1 | K2c1 | K4c1 R4c2 R4d1 | K5c1"


@pytest.mark.parametrize(
    ("game", "text", "of", "words"),
    [
        ("chess", SGF, "go9", "SGF; choose Go 9x9"),
        ("duchess6", SGF, "go9", "SGF; choose Go 9x9"),
        ("go9", START, "chess", "FEN; choose Chess"),
        ("go9", '[Event "?"]\n\n1. e4 e5 *', "chess", "PGN; choose Chess"),
        ("duchess4", START, "chess", "FEN; choose Chess"),
        ("chess", FOUR, "duchess4", "a position of Duchess for four; choose Duchess for four"),
        ("duchess6", FOUR, "duchess4", "a position of Duchess for four; choose Duchess for four"),
    ],
)
def test_a_text_of_another_game_is_named_or_changes_the_game(
    client: TestClient, game: str, text: str, of: str, words: str
) -> None:
    refused = client.post("/api/import", json={"game": game, "text": text})
    assert refused.status_code == 400 and f"this looks like {words}" in refused.json()["error"]
    taken = client.post("/api/import", json={"game": game, "text": text, "any_game": True})
    assert taken.status_code == 200 and taken.json()["game"] == of, taken.text


def test_kriegspiel_is_written_as_chess_is(client: TestClient) -> None:
    taken = client.post("/api/import", json={"game": "kriegspiel", "text": START, "any_game": True})
    assert taken.json()["game"] == "kriegspiel"


@pytest.mark.parametrize(("game", "wanted"), [("chess", "a FEN or a PGN"), ("go9", "an SGF")])
def test_an_empty_box_is_named(client: TestClient, game: str, wanted: str) -> None:
    answer = client.post("/api/import", json={"game": game, "text": " \n"})
    assert answer.status_code == 400
    assert answer.json()["error"] == f"there is nothing to read; paste {wanted}"


def test_variations_come_in_and_go_out_again(client: TestClient) -> None:
    pgn = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 (2. f4 exf4) 2... Nc6 *"
    read = client.post("/api/import", json={"game": "chess", "text": pgn}).json()
    assert read["moves"] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    tree = {key: read[key] for key in ("game", "start", "branches")}
    assert [branch["text"] for branch in tree["branches"][:4]] == read["moves"]
    assert len(tree["branches"]) == 11
    frames = client.post("/api/tree", json=tree).json()["frames"]
    labels = [frame["move"]["label"] for frame in frames[1:]]
    assert len(frames) == 12 and {"c5", "c3", "d5", "d6", "exf4"} <= set(labels)
    written = client.post("/api/write", json=tree).json()
    assert written["ending"] == "pgn" and "( 1... c5 2. Nf3 ( 2. c3 d5 ) 2... d6 )" in written["text"]
    again = client.post("/api/import", json={"game": "chess", "text": written["text"]}).json()
    assert again["branches"] == read["branches"]


def test_variations_of_go_too(client: TestClient) -> None:
    read = client.post("/api/import", json={"game": "go9", "text": SGF}).json()
    assert read["moves"] == ["E5", "C7", "G3", "G7"]
    tree = {key: read[key] for key in ("game", "start", "branches")}
    assert [branch["text"] for branch in tree["branches"][4:]] == ["C3", "G5", "pass"]
    written = client.post("/api/write", json=tree).json()
    again = client.post("/api/import", json={"game": "go9", "text": written["text"]}).json()
    assert written["ending"] == "sgf" and again["branches"] == read["branches"]


@pytest.mark.parametrize("move", ["ee", "cc:dd", "c", "zz"])
def test_a_variation_that_cannot_be_played_is_left_out(client: TestClient, move: str) -> None:
    text = f"(;GM[1]SZ[9];B[ee](;W[cc])(;W[{move}];B[dd]))"
    read = client.post("/api/import", json={"game": "go9", "text": text}).json()
    assert [branch["text"] for branch in read["branches"]] == ["E5", "C7"]


def test_branches_must_follow_something(client: TestClient) -> None:
    for branch, status in (({"after": 1, "text": "e2e4"}, 422), ({"after": 0, "text": "e2e5"}, 400)):
        for path in ("/api/tree", "/api/write"):
            answer = client.post(path, json={"game": "chess", "branches": [branch]})
            assert answer.status_code == status and answer.json()["error"], answer.text


def test_one_step_is_one_position(client: TestClient) -> None:
    asked = {"game": "chess", "start": None, "moves": ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"]}
    here = client.post("/api/position", json=asked).json()
    assert here["frame"]["move"]["label"] == "Nf6" and len(here["legal"]) == 43 and here["outcome"] is None
    mate = client.post("/api/position", json={**asked, "moves": [*asked["moves"], "h5f7"]}).json()
    assert mate["legal"] == [] and "White wins" in mate["outcome"]["words"]
    start = client.post("/api/position", json={"game": "chess"}).json()
    assert start["frame"]["move"] is None and len(start["legal"]) == 20


def test_what_breaks_a_reader_is_an_error_of_the_asker(client: TestClient) -> None:
    """A bracket after a move that cannot be played breaks python-chess; a man of no kind broke the editor."""
    answer = client.post("/api/import", json={"game": "chess", "text": "1. Nf6 ) e4"})
    assert answer.status_code == 400 and "PGN" in answer.json()["error"]
    for game in ("chess", "kriegspiel", "go5", "duchess4"):
        men = [{"cell": "e1", "kind": "", "seat": 0}]
        assert client.post("/api/setup", json={"game": game, "men": men}).status_code == 422


def test_a_try_that_was_refused_is_no_move_even_where_it_forfeits_the_game(client: TestClient) -> None:
    """After 300 refusals the game is over, by a try that did not stand."""
    tries = ["e2e4", "e7e5", *["g1g5"] * 299]
    made = lay(client, "kriegspiel", ["me", "random"], moves=tries)
    with Sitting(client, made["id"], list(made["secrets"].values())) as seat:
        assert seat.move("g1g5")["outcome"]["reason"] == "forfeit"
    text = client.get(f"/api/tables/{made['id']}/export").text
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None and read.errors == []
    assert [move.uci() for move in read.mainline_moves()] == ["e2e4", "e7e5"]
