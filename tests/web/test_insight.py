"""What players know, on the page: an evaluator that is an `Explainer`, a search that is a `Believer`."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from browsing import Window, browsing, chromium
from numpy.typing import NDArray
from starlette.testclient import TestClient

from rookery import games, roster
from rookery.api import (
    Belief,
    Comparator,
    Evaluation,
    Evaluator,
    Explainer,
    Game,
    NamedKnowledge,
    Side,
    State,
    View,
)
from rookery.errors import UnsupportedGame
from rookery.interfaces.web import catalogue, worker
from rookery.interfaces.web.engines import Engines, Question
from rookery.searches.sergeant import Sergeant

DUCHESS = games.get("duchess4")
KINDS = {"K": "King", "Q": "Queen", "R": "Rook", "P": "Pawn"}


class Counting(NamedKnowledge, Evaluator, Explainer):
    """Counts men, and says so."""

    title = "counting"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.seats != DUCHESS.spec.seats:
            raise UnsupportedGame("it counts the men of Duchess for four")

    def __init__(self, game: Game) -> None:
        self._spec = game.spec

    def explain(self, state: State) -> list[tuple[str, float]]:
        side = self._spec.side_of[state.seat]
        found = [
            (f"{name} of ours" if self._spec.side_of[man.seat] == side else f"{name} of theirs", worth)
            for kind, name in KINDS.items()
            for man in state.men()  # type: ignore[attr-defined]
            if man.kind == kind
            for worth in [(1 if self._spec.side_of[man.seat] == side else -1) * (1 + len(name)) / 100]
        ]
        return sorted(found, key=lambda reason: -abs(reason[1]))

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        mine = [sum(weight for _, weight in self.explain(state)) for state in states]
        signs = [1 if self._spec.side_of[state.seat] == 0 else -1 for state in states]
        first = np.array(mine, np.float32) * np.array(signs, np.float32)
        return Evaluation(np.stack([first, -first], axis=1))


class Preferring(NamedKnowledge, Comparator, Evaluator):
    """Prefers what leaves the other side fewer moves."""

    title = "preferring"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "chess":
            raise UnsupportedGame("it prefers moves of chess")

    def __init__(self, game: Game) -> None:
        pass

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        return Evaluation(np.zeros((len(states), 2), np.float32))

    def prefer(self, a: Sequence[State], b: Sequence[State], side: Side) -> NDArray[np.float32]:
        fewer = [len(y.moves()) - len(x.moves()) for x, y in zip(a, b, strict=True)]
        return np.array(0.5 + np.sign(fewer) * 0.3, np.float32)

    def prefer_to_draw(self, a: Sequence[State], side: Side) -> NDArray[np.float32]:
        return np.full(len(a), 0.5, np.float32)


class Believer(Sergeant):
    """Holds it that the others have not moved yet."""

    def belief(self, view: View) -> Belief:
        ranks = "78" if view.seat == 0 else "12"
        squares = tuple(file + rank for file in "abcdefgh" for rank in ranks)
        likely = np.array([[0.4, 0.5] if square[1] in "18" else [0.5, 0] for square in squares], np.float32)
        return Belief(squares, ("pawn", "piece"), likely, likely > 0)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Such knowledge among the others; the process in which it would think is this one."""
    monkeypatch.setitem(roster.kinds(), "counting", Counting)  # type: ignore[arg-type]
    monkeypatch.setitem(roster.kinds(), "preferring", Preferring)  # type: ignore[arg-type]
    monkeypatch.setitem(roster.searches(), "believer", Believer)  # type: ignore[arg-type]
    ask = Engines.ask

    async def here(engines: Engines, question: Question, *more: Any) -> dict[str, Any]:
        if question.do not in ("explain", "belief"):
            return await ask(engines, question, *more)
        answers: list[dict[str, Any]] = []
        request = {"id": 1, **vars(question)}
        await asyncio.to_thread(worker.Worker(answers.append).answer, request)
        assert "error" not in answers[0], answers
        return answers[0]

    monkeypatch.setattr(Engines, "ask", here)
    catalogue._players.cache_clear()
    yield
    catalogue._players.cache_clear()


FEWER = "4 t1 q0 | K1c1 Q1b1 P1a1 | K2c1 | K4c1 R4c2 R4d1 | K5c1"
"""Red and Yellow have a Queen, two Rooks and a pawn more."""


def test_reasons_travel_in_the_movers_view(client: TestClient, counting: None) -> None:
    entries = client.get("/api/games/duchess4/players").json()["players"]
    told = {entry["name"]: (entry["sees"], entry["explains"]) for entry in entries}
    assert told["greedy+counting"] == (True, True) and told["uct"] == (False, False)
    asked = {"game": "duchess4", "player": "greedy+counting", "start": FEWER}
    seen = client.post("/api/explain", json=asked).json()
    # The same twice is two reasons, not one.
    assert seen["features"].count(["Rook of ours", 0.05]) == 2
    assert seen["features"][0][0].startswith("Queen") and seen["value"][0] == pytest.approx(0.21)
    green = client.post("/api/explain", json={**asked, "start": FEWER.replace("t1", "t2")}).json()
    assert ["Rook of theirs", -0.05] in green["features"] and green["value"][0] == pytest.approx(0.21)


def test_knowledge_without_reasons_or_values(client: TestClient) -> None:
    asked = {"game": "chess", "player": "alphabeta+classical"}
    assert client.post("/api/explain", json=asked).json()["features"] == []
    nothing = client.post("/api/explain", json={"game": "chess", "player": "uct"})
    assert nothing.status_code == 400 and "no evaluation function" in nothing.json()["error"]


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
def test_the_panel_follows_the_position(counting: None, tmp_path: Path) -> None:
    with browsing(tmp_path) as opening:
        me: Window = opening("phone")
        me.open(f"#/analyse/position/duchess4/{FEWER.replace(' ', '%20').replace('|', '%7C')}")
        me.page.wait_for_selector("main:not([aria-busy])")
        me.page.select_option("[aria-label=Player]", "greedy+counting")
        first = me.page.locator(".features li").first
        # Until its answer comes, the panel still shows what the player before it saw.
        me.page.wait_for_selector(".features li >> text=Queen of ours")
        words = [text.split("\n") for text in me.page.locator(".features li").all_inner_texts()]
        assert words[0][0] == "Queen of ours" and words[0][-1] == "+0.060"
        assert ["Rook of ours", "+0.050"] in [[word[0], word[-1]] for word in words]
        assert me.page.locator(".features .against").count() == 2  # Kings of theirs
        me.page.click("#see")
        first.wait_for(state="detached")
        me.page.click("#see")
        first.wait_for()
        me.move("1b1", "1b2")
        me.page.wait_for_selector(".features li.against >> text=Queen of theirs")
        assert not me.faults


CORNER = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
"""White may mate, stalemate, or leave the King one move."""


def test_preferences_travel_best_first(client: TestClient, counting: None) -> None:
    entries = client.get("/api/games/chess/players").json()["players"]
    told = {entry["name"]: entry["explains"] for entry in entries}
    assert told["comparison+preferring"] and not told["alphabeta+classical"]
    asked = {"game": "chess", "player": "comparison+preferring", "start": CORNER}
    moves = client.post("/api/explain", json=asked).json()["preferences"]
    labels, sure = [move["label"] for move in moves], np.array([move["sure"] for move in moves])
    assert "Ra8#" not in labels and len(labels) > 10, "what ends the game is not compared"
    np.testing.assert_allclose(sure + sure.T, 1, atol=1e-6)
    wins = (sure > 0.5).sum(axis=1)
    assert (np.diff(wins) <= 0).all() and wins[0] > wins[-1]
    assert (
        client.post("/api/explain", json={**asked, "player": "greedy+classical"}).json()["preferences"] == []
    )


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
def test_two_moves_are_compared(counting: None, tmp_path: Path) -> None:
    with browsing(tmp_path) as opening:
        me: Window = opening("phone")
        me.open(f"#/analyse/position/chess/{quote(CORNER, safe='')}")
        me.page.wait_for_selector("main:not([aria-busy])")
        me.page.select_option("[aria-label=Player]", "comparison+preferring")
        panel = me.page.locator("[aria-label='Two moves compared']")
        panel.wait_for()
        first, second = (me.page.locator(f"[aria-label='{which} move']") for which in ("First", "Second"))
        labels = first.locator("option").all_inner_texts()
        assert first.input_value() == "0" and second.input_value() == "1"
        second.select_option(str(len(labels) - 1))
        panel.get_by_text(f"Prefers {labels[0]} to {labels[-1]}: 80 % sure.").wait_for()
        first.select_option(str(len(labels) - 1))
        panel.get_by_text("No preference.").wait_for()
        assert not me.faults


@pytest.mark.skipif(chromium() is None, reason="there is no Chromium")
def test_belief_is_drawn_as_heat(counting: None, tmp_path: Path) -> None:
    with browsing(tmp_path) as opening:
        me: Window = opening("phone")
        me.begin("kriegspiel", ["me", "random"])
        shows = "[aria-label='What the heat map shows']"
        me.page.select_option("[aria-label='Whose belief']", "believer")
        me.page.select_option(shows, "any")
        me.page.wait_for_selector("[data-heat=a8]", state="attached")
        heat = {
            cell: float(me.page.get_attribute(f"[data-heat={cell}]", "opacity") or 0) for cell in ("a8", "a7")
        }
        assert heat["a8"] > heat["a7"] > 0 and not me.page.locator("[data-heat=a2]").count()
        me.page.select_option(shows, "")
        me.page.wait_for_selector("[data-heat=a8]", state="detached")
        assert not me.faults
