"""Who is let in, and what the world is told."""

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from studio_table import settings

from rookery.interfaces.web import app as web
from rookery.interfaces.web.doorway import STATIC
from rookery.interfaces.web.guard import BODY, Bucket


def test_other_hosts_are_not_served(client: TestClient) -> None:
    for host in ("evil.example", "localhost.evil.example", "evil.example:8000", "", "127.0.0.1.nip.io"):
        assert client.get("/", headers={"host": host}).status_code == 421
    for host in ("localhost", "localhost:8000", "127.0.0.1:1234", "[::1]:8000", "[::1]"):
        assert client.get("/", headers={"host": host}).status_code == 200


def test_a_host_is_a_name_and_a_port(client: TestClient) -> None:
    for host in (
        "localhost:1@evil.com",
        "localhost:80:80",
        "localhost:x",
        "[::1",
        "localhost/",
        "a b",
        "@localhost",
    ):
        assert client.get("/", headers={"host": host}).status_code == 421, host


def test_headers_that_come_twice_are_refused(client: TestClient) -> None:
    for twice in (
        [("origin", "http://localhost"), ("origin", "http://evil.example")],
        [("host", "localhost"), ("host", "evil.example")],
        [("authorization", "Bearer a"), ("authorization", "Bearer b")],
    ):
        answer = client.get("/api/games", headers=twice)  # type: ignore[arg-type]
        assert answer.status_code == 400, twice


def test_the_address_that_was_called_is_its_own(tmp_path: Path) -> None:
    """With --host, browsers of the network name the machine by its address."""
    app = web.create(settings(tmp_path))
    with TestClient(app, base_url="http://192.168.7.9:8000") as client:
        assert client.get("/api/games").status_code == 200
        assert client.get("/api/games", headers={"host": "192.168.7.10:8000"}).status_code == 421
        assert client.get("/api/games", headers={"host": "evil.example:8000"}).status_code == 421


def test_pages_of_other_sites_are_turned_away(client: TestClient) -> None:
    for origin in ("http://evil.example", "null", "http://localhost:9999", "https://localhost.evil.example"):
        assert client.get("/api/games", headers={"origin": origin}).status_code == 403
        assert client.post("/api/tables", json={}, headers={"origin": origin}).status_code == 403
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect("ws://localhost/api/analyse", headers={"origin": origin}),
        ):
            pass
        assert refused.value.code == 1008
    assert client.get("/api/games", headers={"origin": "http://localhost"}).status_code == 200


def test_the_page_may_load_nothing_from_elsewhere(client: TestClient) -> None:
    headers = client.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "*" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_nothing_of_the_page_lies_elsewhere() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            text = path.read_text()
            for word in ("http://", "https://", "@import", "eval(", "innerHTML", "document.write"):
                found = text.replace("http://www.w3.org/2000/svg", "")
                assert word not in found or "/^https?:" in found, f"{path.name} has {word}"


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py",
        "/..%2fapp.py",
        "/js/..%2f..%2f..%2fapp.py",
        "/%2e%2e/%2e%2e/app.py",
        "/%2fetc%2fpasswd",
        "/js/%00",
        "/api/papers/..%2f..%2fetc",
        "/api/papers/x/..%2f..%2fsecret.png",
        "/api/contests/..%2fstudio",
        "/api/runs/..",
        "/api/runs/%2e%2e%2fdata",
    ],
)
def test_no_path_of_the_disk_is_reachable(client: TestClient, folder: Path, path: str) -> None:
    (folder / "secret.png").write_text("secret")
    answer = client.get(path)
    assert answer.status_code in (404, 405, 422), answer.text
    assert "def create" not in answer.text and "root:" not in answer.text


def test_requests_may_not_be_too_large(client: TestClient) -> None:
    big = b'{"game": "chess", "text": "' + b"x" * BODY + b'"}'
    assert client.post("/api/import", content=big).status_code == 413

    def parts():
        for _ in range(20):
            yield b"x" * (BODY // 10)

    assert client.post("/api/import", content=parts()).status_code in (400, 413)


def test_the_page_is_told_where_others_reach_it(tmp_path: Path) -> None:
    """So that an invitation copied on this machine is of use on another."""
    for addresses, told in (
        ((), ""),
        (("http://192.168.1.7:80", "http://10.0.0.2:80"), "http://192.168.1.7:80"),
    ):
        app = web.create(replace(settings(tmp_path), addresses=addresses))
        with TestClient(app, base_url="http://localhost") as client:
            assert f'data-share="{told}"' in client.get("/").text


def test_requests_may_not_come_too_often(tmp_path: Path) -> None:
    app = web.create(replace(settings(tmp_path), rate=0.001, burst=5.0))
    with TestClient(app, base_url="http://localhost") as client:
        codes = [client.get("/favicon.svg").status_code for _ in range(8)]
    assert codes == [200] * 5 + [429] * 3


def test_a_bucket_fills_again() -> None:
    clock = [0.0]
    bucket = Bucket(2.0, 3.0, lambda: clock[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_an_error_never_shows_a_traceback(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("the secret is in here")

    monkeypatch.setattr("rookery.interfaces.web.catalogue._board", fail)
    answer = client.get("/games/chess/board/0")
    assert answer.status_code == 500
    assert "secret" not in answer.text and "Traceback" not in answer.text and "log" in answer.json()["error"]


def test_faults_are_one_sentence(client: TestClient) -> None:
    assert client.post("/api/tables", json={"game": "chess"}).json() == {"error": "seats: Field required"}
    answer = client.post("/api/tables", json={"game": "chess", "seats": [{"who": "me"}] * 2, "surprise": 1})
    assert answer.status_code == 422 and "surprise" in answer.json()["error"]
    assert "no game" in client.get("/api/games/checkers/start").json()["error"]
    assert (
        "2 seats"
        in client.post("/api/tables", json={"game": "chess", "seats": [{"who": "me"}] * 3}).json()["error"]
    )
