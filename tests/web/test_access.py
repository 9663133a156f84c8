"""Nobody without the token gets in, and a guest gets no further than the table of the link."""

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from studio_table import Sitting, lay, settings

from rookery.errors import RookeryError
from rookery.interfaces.web import access
from rookery.interfaces.web.app import ROUTERS, create

TOKEN = "the-token-of-these-tests"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    made = create(replace(settings(tmp_path_factory.mktemp("studio")), token=TOKEN))
    with TestClient(made, base_url="http://localhost"):
        yield made


@pytest.fixture
def owner(app: Any) -> TestClient:
    return TestClient(app, base_url="http://localhost", headers=BEARER)


@pytest.fixture
def stranger(app: Any) -> TestClient:
    return TestClient(app, base_url="http://localhost")


def paths(app: Any, kind: type) -> list[tuple[str, str]]:
    """Every route of the application with its method."""
    found = []
    for route in [*app._app.routes, *(route for router in ROUTERS for route in router.routes)]:
        if isinstance(route, kind):
            path = route.path.replace("{game}", "chess").replace("{seat}", "0").replace("{number}", "0")
            for name in ("table", "contest", "run", "name", "picture"):
                path = path.replace("{" + name + "}", "some")
            found += [(method, path) for method in getattr(route, "methods", None) or ["WS"]]
    return found


def test_every_route_needs_the_token(app: Any, stranger: TestClient) -> None:
    asked = [(method, path) for method, path in paths(app, Route) if path.startswith(("/api", "/openapi"))]
    assert len(asked) > 25
    open_ = {"/api/access", "/api/tables/some/enter", "/api/tables/some/claim"}
    assert open_ <= {path for _, path in asked}
    for method, path in asked:
        if path not in open_:
            answer = stranger.request(method, path, json={})
            assert answer.status_code == 401, (method, path)
            assert method == "HEAD" or "token" in answer.json()["error"]


def test_every_socket_needs_the_token(app: Any, stranger: TestClient, owner: TestClient) -> None:
    sockets = [path for _, path in paths(app, WebSocketRoute)]
    assert len(sockets) >= 2
    for path in sockets:
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            stranger.websocket_connect(f"ws://localhost{path}") as socket,
        ):
            socket.receive_text()
        assert refused.value.code == 1008
        with owner.websocket_connect(f"ws://localhost{path}"):
            pass


def test_the_page_itself_holds_no_secret(app: Any, stranger: TestClient) -> None:
    page = stranger.get("/")
    assert page.status_code == 200 and 'data-access="guest"' in page.text and TOKEN not in page.text
    for path in ("/js/main.js", "/css/base.css", "/favicon.svg", "/games/chess/board/0", "/games/go9/rules"):
        assert stranger.get(path).status_code == 200


def test_an_address_with_the_token_lets_a_browser_in(stranger: TestClient) -> None:
    answer = stranger.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"rookery-80={TOKEN};")
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/;" in cookie
    assert 'data-access="owner"' in stranger.get("/").text
    assert stranger.get("/api/tables").status_code == 200
    with stranger.websocket_connect("ws://localhost/api/analyse"):
        pass


@pytest.mark.parametrize("wrong", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "é", "%00"])
def test_no_other_token_does(app: Any, wrong: str) -> None:
    for client in (TestClient(app, base_url="http://localhost") for _ in range(1)):
        assert "set-cookie" not in client.get(f"/?token={wrong}", follow_redirects=False).headers
        assert client.post("/api/access", json={"token": wrong}).json() == {"granted": False}
        if wrong.isascii():
            for headers in (
                {"authorization": f"Bearer {wrong}"},
                {"authorization": f"Basic {TOKEN}"},
                {"cookie": f"rookery-80={wrong}"},
                {"cookie": f"rookery-81={TOKEN}"},
            ):
                assert client.get("/api/games", headers=headers).status_code == 401


def test_the_form_lets_a_browser_in(stranger: TestClient) -> None:
    assert stranger.post("/api/access", json={"token": TOKEN}).json() == {"granted": True}
    assert stranger.get("/api/games").status_code == 200


def forbidden(client: TestClient, table: str, other: str) -> None:
    """All that a guest of a table may not do."""
    asked = {"game": "chess", "seats": [{"who": "me"}] * 2}
    for method, path, body in (
        ("GET", "/api/tables", None),
        ("POST", "/api/tables", asked),
        ("GET", "/api/games", None),
        ("GET", "/api/games/chess/players", None),
        ("POST", "/api/explain", {"game": "chess", "player": "greedy+pieces"}),
        ("POST", "/api/import", {"game": "chess", "text": "e4"}),
        ("POST", f"/api/tables/{table}/belief", {"player": "random", "secret": "x" * 20}),
        ("GET", "/api/contests", None),
        ("POST", "/api/contests", {"game": "chess", "players": ["random"] * 2}),
        ("GET", "/api/runs", None),
        ("GET", "/api/papers", None),
        ("GET", f"/api/tables/{other}/replay", None),
        ("GET", f"/api/tables/{other}/export", None),
        ("GET", f"/api/tables/{other}/link", None),
    ):
        assert client.request(method, path, json=body).status_code == 401, path
    for path in ("/api/analyse", f"/api/tables/{other}/play"):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"ws://localhost{path}") as socket,
        ):
            socket.receive_text()


def test_an_invitation_opens_its_table_alone(owner: TestClient, stranger: TestClient) -> None:
    made, other = lay(owner, "chess", ["me", "open"]), lay(owner, "chess", ["me", "open"])
    path = f"/api/tables/{made['id']}"
    assert stranger.get(f"{path}/replay").status_code == 401
    assert stranger.post(f"{path}/claim", json={"invitation": "x" * 24}).status_code == 400
    assert not stranger.cookies
    claimed = stranger.post(f"{path}/claim", json={"invitation": made["invitations"][1]}).json()
    cookie = next(iter(stranger.cookies.jar))
    assert cookie.path == path and cookie.has_nonstandard_attr("HttpOnly")
    with Sitting(stranger, made["id"], [claimed["secret"]]) as guest:
        assert guest.shown["seat"] == 1
    assert stranger.get(f"{path}/replay").status_code == 200
    assert stranger.get(f"{path}/export").status_code == 200
    forbidden(stranger, made["id"], other["id"])


def test_a_watch_link_grants_watching(owner: TestClient, stranger: TestClient) -> None:
    made, other = lay(owner, "chess", ["me", "me"]), lay(owner, "chess", ["me", "me"])
    watch = owner.get(f"/api/tables/{made['id']}/link").json()["watch"]
    assert stranger.post(f"/api/tables/{made['id']}/enter", json={}).json() == {"granted": False}
    assert stranger.post(f"/api/tables/{other['id']}/enter", json={"watch": watch}).json() == {
        "granted": False
    }
    assert not stranger.cookies
    assert stranger.post(f"/api/tables/{made['id']}/enter", json={"watch": watch}).json() == {"granted": True}
    assert stranger.post(f"/api/tables/{made['id']}/enter", json={}).json() == {"granted": True}
    with Sitting(stranger, made["id"]) as watcher:
        assert "watching" in watcher.error({"do": "move", "text": "e2e4"})
    forbidden(stranger, made["id"], other["id"])


def test_links_survive_a_restart(tmp_path: Path) -> None:
    kept = access.keep_token(tmp_path)
    assert stat.S_IMODE((tmp_path / access.FILE).stat().st_mode) == 0o600 and len(kept) >= 32
    assert access.keep_token(tmp_path) == kept
    assert access.Access("one", kept).link("table") == access.Access("another", kept).link("table")
    (tmp_path / access.FILE).chmod(0o644)
    assert access.keep_token(tmp_path) == kept
    assert stat.S_IMODE((tmp_path / access.FILE).stat().st_mode) == 0o600
    for damaged in (b"", b"\xff\xfe\x00", b"short\n"):
        (tmp_path / access.FILE).write_bytes(damaged)
        try:
            assert len(access.keep_token(tmp_path)) >= 32
        except RookeryError as error:
            assert "no text" in str(error)
            (tmp_path / access.FILE).unlink()


def test_a_token_can_be_chosen() -> None:
    assert access.check_token("long-enough") == "long-enough"
    for wrong in ("", "short", "with space in it", "semi;colon-token", "new\nline-token"):
        with pytest.raises(RookeryError, match="--token"):
            access.check_token(wrong)
