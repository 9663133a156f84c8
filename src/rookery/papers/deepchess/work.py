"""The work behind the report: games, trainings, what the networks know, then matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rookery import games, players
from rookery.errors import RookeryError, UnknownName
from rookery.papers.deepchess import pieces
from rookery.papers.deepchess.plan import (
    DISTILLED,
    ENGINES,
    ENGINES_OUTSIDE,
    FULL_NET,
    MASTERS,
    PEOPLE,
    RECIPES,
    REFERENCE,
    SPLIT_SEED,
    SPLITS,
    Size,
)
from rookery.papers.matches import Met, Series, Terms, meet_all
from rookery.papers.measure import Measured, mean
from rookery.papers.study import Piece, Study
from rookery.papers.trainings import folder
from rookery.records.store import Store

TRAINING = "training"
MATCHES = "matches"
STOCKFISH = "stockfish"
REFERENCES = ("material", "classical")


@dataclass(frozen=True)
class Score:
    """A share of pairs judged right, by each network of a kind or by a reference."""

    each: tuple[Measured, ...]
    by_ply: tuple[Mapping[str, Measured], ...]
    pairs: int
    games: int

    @property
    def all(self) -> Measured:
        return _together(self.each)

    def band(self, name: str) -> Measured | None:
        found = [bands[name] for bands in self.by_ply if name in bands]
        return _together(found) if found else None


def _together(each: Sequence[Measured]) -> Measured:
    """Over the seeds, on the same pairs: the error of the pairs and that from seed to seed."""
    over = mean([one.value for one in each])
    of_pairs = max(one.error for one in each)
    from_seeds = over.error if len(each) > 1 else 0.0
    return Measured(over.value, (of_pairs**2 + from_seeds**2) ** 0.5)


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave."""

    stores: Mapping[str, Mapping[str, Any]]
    """By data: what they hold."""
    runs: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
    """By data and training: a run for each seed, as `pieces.learn` tells it."""
    scores: Mapping[str, Mapping[str, Mapping[str, Score]]]
    """By data, split and who is examined."""
    understood: Mapping[str, Sequence[Sequence[Mapping[str, Any]]]]
    """By who is asked: what each seed's network says of each pair."""
    circles: Mapping[str, tuple[int, int]]
    matches: Mapping[str, Met]
    """By name; those that were not played are missing."""
    missing: Sequence[str]
    """Programs that are not installed."""

    def end(self, data: str, net: str, split: str) -> list[float]:
        """The accuracy of each seed at the end of its schedule."""
        return [run["end"][split] for run in self.runs[data][net] if split in run["end"]]

    def series(self, name: str) -> Series | None:
        """A match that was played by each seed's network."""
        found = tuple(met for each, met in self.matches.items() if each.startswith(f"{name}-seed"))
        return Series(found) if found else None


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    contents = _games(study, size, seed)
    facts = {
        data: Piece(pieces.store_facts, {"folder": f"data/{data}", "content": content})
        for data, content in contents.items()
    }
    stores = study.do("stores", facts)
    runs: dict[str, dict[str, list[Any]]] = {}
    for data in (PEOPLE, ENGINES):
        if data in contents:
            runs[data] = _train(study, size, seed, data, contents[data])
    known = {
        data: {
            net: [f"deepchess@{_run(data, net, of)}" for of in range(seed, seed + len(found))]
            for net, found in nets.items()
        }
        for data, nets in runs.items()
    }
    first = known[PEOPLE]
    told = study.do(
        "understanding",
        {
            f"{name}-{n}": Piece(pieces.understand, {"knowledge": who})
            for name, each in {**first, "classical": ["classical"]}.items()
            for n, who in enumerate(each, 1)
        },
    )
    asked = {"store": f"data/{PEOPLE}", "content": contents[PEOPLE], "count": size.triples_of}
    circles = study.do(
        "circles",
        {
            name: Piece(pieces.circles, {"knowledge": each[0], **asked, "seed": SPLIT_SEED})
            for name, each in first.items()
        },
    )
    scores = _examine(study, size, contents, known)
    matches, missing = _meet(study, size, seed, first[DISTILLED])
    return Outcome(
        stores,
        runs,
        scores,
        {
            name: [told[f"{name}-{n}"] for n in range(1, len(each) + 1)]
            for name, each in {**first, "classical": ["classical"]}.items()
        },
        {name: (found[0], found[1]) for name, found in circles.items()},
        matches,
        missing,
    )


def _games(study: Study, size: Size, seed: int) -> dict[str, str]:
    """The stores that there are, each with the hash of its content."""
    if size.own_games:
        asked = {"to": f"data/{PEOPLE}", "count": size.own_games, "seed": seed}
        content = study.do("games", {"own": Piece(pieces.play_games, asked)})["own"]
        for other in (ENGINES, MASTERS):
            study.lend(other, study.out / "data" / PEOPLE)
        return dict.fromkeys((PEOPLE, ENGINES, MASTERS), content)
    places = {name: study.out / "data" / name for name in (PEOPLE, ENGINES, MASTERS)}
    if not places[PEOPLE].is_dir():
        raise RookeryError(f"the full study needs games of people: --data {PEOPLE}=STORE")
    return {name: Store.open(place).hash for name, place in places.items() if place.is_dir()}


def _run(data: str, net: str, seed: int) -> str:
    return folder(TRAINING, f"{data}-{net}", seed)


def _train(study: Study, size: Size, seed: int, data: str, content: str) -> dict[str, list[Any]]:
    """Every training by its seeds; the distilled ones after those that they learn from."""
    found: dict[str, list[Any]] = {}
    wanted = size.seeds[data]
    for later in (False, True):
        asked = {}
        for net, count in wanted.items():
            for of in range(seed, seed + count):
                if (net == DISTILLED) == later:
                    asked[f"{data}-{net}-seed{of}"] = _training(size, data, content, net, of)
        done = study.do(TRAINING, asked)
        for net, count in wanted.items():
            if (net == DISTILLED) == later:
                found[net] = [done[f"{data}-{net}-seed{of}"] for of in range(seed, seed + count)]
    return {net: found[net] for net in wanted}


def _training(size: Size, data: str, content: str, net: str, seed: int) -> Piece:
    asked = {
        "run": _run(data, net, seed),
        "recipe": RECIPES[net],
        "changes": dict(size.changes[data][net]),
        "seed": seed,
        "store": f"data/{data}",
        "content": content,
        "teacher": _run(data, FULL_NET, seed) if net == DISTILLED else "",
    }
    return Piece(pieces.learn, asked, gpu=size.gpu)


def _examine(
    study: Study, size: Size, contents: Mapping[str, str], known: Mapping[str, Mapping[str, list[str]]]
) -> dict[str, dict[str, dict[str, Score]]]:
    """Who tells how many pairs rightly. Games of strong players are held out whole, whichever store they are
    in; the latest of them need not be the latest of all."""
    places = [(data, split) for data in known for split in SPLITS]
    places += [(MASTERS, "game")] if MASTERS in contents else []
    who = {
        data: {name: [name] for name in REFERENCES} | dict(known[PEOPLE if data == MASTERS else data])
        for data, _ in places
    }
    asked = {
        f"{data}-{split}-{name}-{n}": _asked(knowledge, data, contents[data], split, size.pairs)
        for data, split in places
        for name, each in who[data].items()
        for n, knowledge in enumerate(each, 1)
    }
    done = study.do("examine", asked)
    by_search = {}
    if _is_here(REFERENCE):
        by_search = study.do(
            STOCKFISH,
            {
                f"{data}-{split}": _asked(REFERENCE, data, contents[data], split, size.reference_pairs)
                for data, split in places
            },
        )
    scores: dict[str, dict[str, dict[str, Score]]] = {}
    for data, split in places:
        rows = {
            name: _score([done[f"{data}-{split}-{name}-{n}"] for n in range(1, len(each) + 1)])
            for name, each in who[data].items()
        }
        if found := by_search.get(f"{data}-{split}"):
            rows["Stockfish, 10,000 nodes"] = _score([found])
        scores.setdefault(data, {})[split] = rows
    return scores


def _asked(knowledge: str, data: str, content: str, split: str, count: int) -> Piece:
    return Piece(
        pieces.examine,
        {
            "knowledge": knowledge,
            "store": f"data/{data}",
            "content": content,
            "split": split,
            "count": count,
            "seed": SPLIT_SEED,
        },
    )


def _score(told: Sequence[Mapping[str, Any]]) -> Score:
    return Score(
        tuple(Measured(*one["accuracy"]) for one in told),
        tuple({band: Measured(*found) for band, found in one["by_ply"].items()} for one in told),
        told[0]["pairs"],
        told[0]["games"],
    )


def _meet(
    study: Study, size: Size, seed: int, distilled: Sequence[str]
) -> tuple[dict[str, Met], tuple[str, ...]]:
    """Table 2: the distilled network plays, by comparisons; our classical player stands for Falcon."""
    short, long = f"time={size.seconds:g}", f"time={size.more_time * size.seconds:g}"
    classical = f"alphabeta:{short}+classical"
    several: dict[str, tuple[str, str]] = {}
    for match, first, search, second in (
        ("equal", short, "comparison", None),
        ("more", long, "comparison", None),
        ("scalar", short, "alphabeta", "comparison"),
    ):
        for of, net in enumerate(distilled, seed):
            rival = f"{second}:{short}+{net}" if second else classical
            several[f"{match}-seed{of}"] = f"{search}:{first}+{net}", rival
    missing = tuple(engine.title for engine in ENGINES_OUTSIDE if not _is_here(engine.player))
    outside = {
        engine.title.replace(" ", "-"): (f"comparison:{short}+{distilled[0]}", f"{engine.player},{short}")
        for engine in ENGINES_OUTSIDE
        if engine.title not in missing
    }
    by_seed, single = (Terms("chess", games, "random:6") for games in (size.games, size.single_games))
    control = {"control": (f"alphabeta:{long}+classical", classical)}
    found: dict[str, Met] = {}
    for pairs, terms in ((several, by_seed), (control, single), (outside, single)):
        found |= meet_all(study, MATCHES, pairs, terms, seed)
    return found, missing


def _is_here(player: str) -> bool:
    """Whether the program is installed."""
    try:
        players.make(player, games.get("chess")).close()
    except UnknownName:
        return False
    return True
