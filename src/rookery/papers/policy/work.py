"""The work behind the report: trainings, what the networks predict, then matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

from rookery.errors import RookeryError
from rookery.learners.policy import REPORT
from rookery.papers.deepchess.pieces import play_games, store_facts
from rookery.papers.matches import Met, Terms, meet_all
from rookery.papers.policy import lockstep, pieces
from rookery.papers.policy.plan import LEARNING_RATES, OURS, RECIPES, SELF_PLAY, SPLIT_SEED, Size
from rookery.papers.study import Piece, Study
from rookery.papers.trainings import folder
from rookery.records.store import Store

PEOPLE = "people"
TRAINING, RATES = "training", "learning-rates"
TABLE2, TABLE3 = "table-2", "table-3"
OPENINGS = "random:4"
_ELSEWHERE = "elsewhere"
"""The folder in which matches lie that were played on another machine."""
_MOST_PLIES = 400
Told = Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave; what was not measured is missing."""

    store: Told | None
    runs: Mapping[str, Sequence[Told]]
    """By network of Table 1: a run for each seed, as `pieces.learn` tells it."""
    rates: Mapping[float, Told]
    """By learning rate, of the paper's network."""
    selfplay: Sequence[Told]
    """The lines of a run of self-play."""
    network: str
    """Whose players meet."""
    predicted: Told | None
    """How well it predicts moves."""
    table2: Mapping[str, Met]
    table3: Mapping[int, Told]
    """By the games after each move, as `lockstep.meet` tells it."""

    def met(self, of_each: int) -> Met | None:
        told = self.table3.get(of_each)
        return None if told is None else Met(**_of_match(told))


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    content = _games(study, size, seed)
    store = None
    if content:
        facts = Piece(store_facts, {"folder": f"data/{PEOPLE}", "content": content})
        store = study.do("stores", {PEOPLE: facts})[PEOPLE]
    runs, rates = _trained(study, size, seed, content)
    network = size.network or f"{folder(TRAINING, OURS, seed)}"
    knowledge = network if size.network else f"policy@{network}"
    predicted = None
    if content:
        asked = {"knowledge": knowledge, "store": f"data/{PEOPLE}", "content": content}
        piece = Piece(pieces.predict, {**asked, "count": size.positions, "seed": SPLIT_SEED})
        predicted = study.do("predicted", {"network": piece}).get("network")
    lines: Sequence[Told] = ()
    if (study.out / TRAINING / "selfplay" / "metrics.jsonl").is_file():
        piece = Piece(pieces.selfplay, {"run": f"{TRAINING}/selfplay"})
        lines = study.do("selfplay", {SELF_PLAY: piece})[SELF_PLAY]
    return Outcome(
        store, runs, rates, lines, network, predicted, _table2(study, size, seed, knowledge),
        _table3(study, size, seed, network),
    )  # fmt: skip


def _games(study: Study, size: Size, seed: int) -> str:
    """The hash of the store; empty where there is none, and all is taken up from elsewhere."""
    place = study.out / "data" / PEOPLE
    if size.own_games:
        asked = {"to": f"data/{PEOPLE}", "count": size.own_games, "seed": seed}
        return str(study.do("games", {"own": Piece(play_games, asked)})["own"])
    return Store.open(place).hash if place.is_dir() else ""


# --- trainings ---------------------------------------------------------------------------------------


def _trained(
    study: Study, size: Size, seed: int, content: str
) -> tuple[dict[str, list[Told]], dict[float, Told]]:
    asked: dict[str, dict[str, Piece]] = {TRAINING: {}, RATES: {}}
    can = content and (not size.gpu or _has_gpu())

    def ask(stage: str, name: str, of: int, recipe: str, changes: Mapping[str, Any]) -> None:
        run = folder(stage, name, of)
        if not can and not (study.out / run / REPORT).is_file():
            return
        options = {**size.changes, "batches": size.steps, **changes}
        arguments = {"run": run, "recipe": recipe, "changes": options, "seed": of}
        data = {"store": f"data/{PEOPLE}", "content": content}
        asked[stage][f"{name}-seed{of}"] = Piece(pieces.learn, {**arguments, **data}, gpu=size.gpu)

    for of in range(seed, seed + size.seeds):
        for name, recipe in RECIPES.items():
            # The dense network has four layers, whatever its blocks.
            ask(TRAINING, name, of, recipe, {})
    for rate in LEARNING_RATES if size.rate_steps else ():
        changes = {"learning_rate": rate, "batches": size.rate_steps}
        ask(RATES, f"rate{rate:g}", seed, RECIPES[OURS], changes)
    if not size.network and not can:
        raise RookeryError("this size trains its own network; it needs games and torch")
    done = study.do(TRAINING, asked[TRAINING])
    runs = {
        name: [done[key] for of in range(seed, seed + size.seeds) if (key := f"{name}-seed{of}") in done]
        for name in RECIPES
    }
    tried = study.do(RATES, asked[RATES])
    rates = {rate: tried[key] for rate in LEARNING_RATES if (key := f"rate{rate:g}-seed{seed}") in tried}
    return {name: found for name, found in runs.items() if found}, rates


def _has_gpu() -> bool:
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


# --- matches -----------------------------------------------------------------------------------------


def _table2(study: Study, size: Size, seed: int, knowledge: str) -> dict[str, Met]:
    """Ours is the policy's two likeliest moves; AB sees four plies; the third search is both."""
    device = ":device=cuda" if size.gpu else ""
    ours = f"topk:k=2+{knowledge}"
    quick = {"ours-ab": (ours, size.plain), "ours-stronger": (ours, size.stronger)}
    found = meet_all(study, TABLE2, quick, Terms("chess", size.games, OPENINGS), seed)
    searching = f"{size.probability}+{knowledge}{device}"
    slow = {
        "probability-ab": (searching, size.plain),
        "probability-ours": (searching, f"{ours}{device}"),
    }
    for name, pair in slow.items():
        file = f"{_ELSEWHERE}/{name}.jsonl"
        if (study.out / file).is_file():
            asked = {"pair": pair, "count": size.slow_games, "openings": OPENINGS}
            piece = Piece(pieces.played_elsewhere, {**_file(study, file), **asked})
            told = study.do(TABLE2, {name: piece})
            found |= {each: Met(**_of_match(met)) for each, met in told.items()}
        elif not size.gpu or _has_gpu():
            terms = Terms("chess", size.slow_games, OPENINGS)
            found |= meet_all(study, TABLE2, {name: pair}, terms, seed)
    return found


def _file(study: Study, file: str) -> dict[str, str]:
    """A file as a piece asks for it: with its hash, so that another in its place is read anew."""
    return {"file": file, "content": sha256((study.out / file).read_bytes()).hexdigest()}


def _of_match(told: Told) -> dict[str, Any]:
    return {key: told[key] for key in Met.__dataclass_fields__ if key in told}


def _table3(study: Study, size: Size, seed: int, network: str) -> dict[int, Told]:
    """Monte-Carlo of 3, 5, 10 and 40 games after each move against the policy alone."""
    asked = {}
    for of_each, games in size.rollouts.items():
        file = f"{_ELSEWHERE}/mcts-{of_each}.json"
        terms = {
            "network": network, "games": games, "of_each": of_each, "openings": OPENINGS,
            "max_plies": _MOST_PLIES, "played_out": size.rollout_plies,
        }  # fmt: skip
        if (study.out / file).is_file():
            piece = Piece(pieces.rolled_out_elsewhere, {**_file(study, file), "terms": terms})
            asked[f"{of_each}"] = piece
        elif not size.gpu or _has_gpu():
            device = "cuda" if size.gpu else "cpu"
            asked[f"{of_each}"] = Piece(
                lockstep.meet, {**terms, "device": device, "seed": seed}, gpu=size.gpu
            )
    return {int(name): told for name, told in study.do(TABLE3, asked).items()}
