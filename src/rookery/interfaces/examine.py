"""The command that measures knowledge on games that were played: `rookery examine`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rookery.errors import BadOption, RookeryError, UnsupportedGame, quote
from rookery.interfaces.writing import print_table, write_json

if TYPE_CHECKING:
    from rookery.examine import moves as predicting
    from rookery.examine import pairs as telling
    from rookery.examine.clusters import Mean
    from rookery.examine.judges import Judge


def examine(
    knowledge: Annotated[
        str,
        typer.Argument(
            metavar="EVALUATION",
            help="An evaluation by name (pieces, classical, deepchess@FILE), `material` to count pieces, or a"
            " player (uci:stockfish,nodes=10000).",
        ),
    ],
    on: Annotated[
        Path | None,
        typer.Option(
            metavar="GAMES",
            help="Games: a store from `rookery data import`, or a PGN file, compressed or not.",
        ),
    ] = None,
    split: Annotated[
        Literal["position", "game", "time"] | None,
        typer.Option(
            help="Only what training holds out: single positions, whole games, or the latest games.",
        ),
    ] = None,
    pairs: Annotated[
        int,
        typer.Option(
            min=2,
            max=10**6,
            help="How many pairs of a won and a lost position; for a policy, how many positions.",
        ),
    ] = 20_000,
    seed: Annotated[
        int,
        typer.Option(
            min=0, help="Random seed; what is held out follows from it too, as from split_seed in training."
        ),
    ] = 1,
    pairs_file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Use the pairs of positions in this file; `understanding`: a set that comes with Rookery.",
        ),
    ] = None,
    blunders: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Measure instead the centipawn loss of moves in the judgement of this player"
            " (uci:stockfish,nodes=5000), and how many lose 200 or more: of the moves played, and of those"
            " that EVALUATION predicts for a player of that rating.",
        ),
    ] = None,
    own_rating: Annotated[
        bool,
        typer.Option(
            "--own-rating",
            help="Give EVALUATION at each position the rating of the player who moved; only for one that"
            " takes ratings, like chess/human.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")] = False,
) -> None:
    """Measure on recorded chess games how well positions are judged and moves are predicted."""
    from rookery import games
    from rookery.examine import judges

    if on is None and pairs_file is None:
        raise BadOption("name games or pairs of positions: --on GAMES or --pairs-file FILE")
    if on is not None and pairs_file is not None:
        raise BadOption("--on and --pairs-file exclude each other; leave one out")
    if pairs_file is not None:
        for option, given in (("--split", split), ("--blunders", blunders), ("--own-rating", own_rating)):
            if given:
                raise BadOption(f"{option} goes with --on GAMES alone; leave it out")
    if blunders is not None and own_rating:
        raise BadOption("--blunders tells EVALUATION each rating anyway; leave out --own-rating")
    if on is not None and not on.exists():
        raise RookeryError(f"{quote(on)} does not exist; name a store of games or a PGN file")
    if on is not None and blunders is not None:
        _blunders(knowledge, blunders, on, split, pairs, seed, as_json)
        return
    with judges.find(knowledge, games.get("chess")) as (judge, known):
        if pairs_file is not None:
            _understanding(knowledge, judge, pairs_file, as_json)
        elif on is not None:
            _games(knowledge, judge, known, on, split, pairs, seed, own_rating, as_json)


def _games(
    name: str,
    judge: Judge | None,
    known: Any,
    on: Path,
    split: Literal["position", "game", "time"] | None,
    count: int,
    seed: int,
    own_rating: bool,
    as_json: bool,
) -> None:
    from rookery import games
    from rookery.api import PolicyEvaluator
    from rookery.examine import drawing, judges, moves, pairs, positions

    if own_rating and not (isinstance(known, PolicyEvaluator) and drawing.takes_ratings(name)):
        raise BadOption(
            f"{quote(name)} does not predict moves by rating as chess/human does; leave out --own-rating"
        )
    said: dict[str, Any] = {"knowledge": name, "games": str(on), "split": split, "seed": seed}
    tables: list[tuple[str, Mapping[str, Any]]] = []
    with positions.opened(on) as store:
        said |= {"store": store.hash, "errors": "standard errors, clustered by game"}
        if judge is not None and not own_rating:
            task = pairs.draw(store, split, count, seed, positions.cores())
            total = len(task.positions)
            found = _wait(lambda step: pairs.measure(task, judge, step), "positions", total)
            plain = pairs.measure(task, judges.ByValue(judges.count_men))
            said["values"] = {**_pairs_json(found), "games": task.games, "material": _pairs_json(plain)}
            tables.append((name, said["values"]))
            if name != judges.MATERIAL:
                tables.append((judges.MATERIAL, said["values"]["material"]))
        if isinstance(known, PolicyEvaluator):
            asked = moves.draw(store, split, count, seed, positions.cores())
            total = len(asked.positions)
            with drawing.of_ratings(name, games.get("chess")) as of_rating:
                ask = of_rating if own_rating else lambda rating: known
                predicted = _wait(lambda step: moves.measure(asked, ask, step), "positions", total)
            said["policy"] = _moves_json(predicted)
    if "values" not in said and "policy" not in said:
        raise UnsupportedGame(f"{quote(name)} gives neither values nor moves that could be measured")
    if as_json:
        write_json(said)
        return
    _print(tables, said.get("policy"))


def _blunders(
    name: str,
    player: str,
    on: Path,
    split: Literal["position", "game", "time"] | None,
    count: int,
    seed: int,
    as_json: bool,
) -> None:
    from rookery import games, players
    from rookery.examine import blunders, drawing, moves, positions

    chess = games.get("chess")
    engine = players.make(player, chess)
    try:
        with positions.opened(on) as store, drawing.of_ratings(name, chess) as of_rating:
            task = moves.draw(store, split, count, seed, positions.cores(), blunders.RATINGS)
            found = _wait(
                lambda step: blunders.measure(task, of_rating, engine, seed, step),
                "positions",
                len(task.positions),
            )
            content = store.hash
    finally:
        engine.close()
    if as_json:
        bands = {
            band: {"positions": one.positions, **_mean("played", one.played), **_mean("drawn", one.drawn),
                   **_mean("difference", one.difference), **_mean("played_loss", one.played_loss),
                   **_mean("drawn_loss", one.drawn_loss)}
            for band, one in found.items()
        }  # fmt: skip
        said = {"knowledge": name, "games": str(on), "store": content, "split": split, "seed": seed}
        write_json({**said, "by": player, "loss": blunders.LOSS, "bands": bands})
        return
    rows = [
        (
            band,
            f"{one.positions:,}",
            *(_share(each) for each in (one.played, one.drawn, one.difference)),
            *(f"{each.value:.1f} ± {each.error:.1f}" for each in (one.played_loss, one.drawn_loss)),
        )
        for band, one in found.items()
    ]
    columns = ("rating", "positions", "blunders played", "drawn", "difference", "mean loss played", "drawn")
    print_table(columns, rows, right=(1, 2, 3, 4, 5, 6))


def _share(mean: Mean) -> str:
    return f"{100 * mean.value:.1f} ± {100 * mean.error:.1f} %"


def _wait(work: Callable[[Callable[[int], None]], Any], what: str, total: int) -> Any:
    from rookery.interfaces.waiting import wait_for

    def counted(advance: Callable[[], None]) -> Any:
        def step(count: int) -> None:
            for _ in range(count):
                advance()

        return work(step)

    return wait_for(counted, what, total)


def _pairs_json(found: telling.Result) -> dict[str, Any]:
    def score(one: telling.Score) -> dict[str, Any]:
        return {
            "pairs": one.pairs,
            **_mean("accuracy", one.accuracy),
            **_mean("cross_entropy", one.cross_entropy),
            **_mean("scaled_cross_entropy", one.scaled_cross_entropy),
        }

    return {
        **score(found.all),
        "scale": found.scale,
        "by_ply": {band: score(one) for band, one in found.by_ply.items()},
        "by_material": {band: score(one) for band, one in found.by_material.items()},
    }


def _moves_json(found: predicting.Result) -> dict[str, Any]:
    def score(one: predicting.Score) -> dict[str, Any]:
        return {
            "positions": one.positions,
            **_mean("top1", one.top1),
            **_mean("top3", one.top3),
            **_mean("cross_entropy", one.cross_entropy),
        }

    parts = {"by_ply": found.by_ply, "by_material": found.by_material, "by_rating": found.by_rating}
    return score(found.all) | {
        name: {band: score(one) for band, one in part.items()} for name, part in parts.items()
    }


def _mean(name: str, mean: Mean) -> dict[str, float | None]:
    """JSON has no NaN."""
    return {
        name: round(mean.value, 6),
        f"{name}_error": None if mean.error != mean.error else round(mean.error, 6),
    }


def _print(tables: list[tuple[str, Mapping[str, Any]]], policy: Mapping[str, Any] | None) -> None:
    """Shares in percent, each with its standard error."""
    if tables:
        rows = []
        for name, table in tables:
            rows.append((name, "all pairs", *_pair_cells(table)))
            rows += [(name, f"plies {band}", *_pair_cells(one)) for band, one in table["by_ply"].items()]
            rows += [
                (name, f"material differs by {band}", *_pair_cells(one))
                for band, one in table["by_material"].items()
            ]
        columns = ("knowledge", "", "pairs", "accuracy %", "cross-entropy", "scaled")
        print_table(columns, rows, right=(2, 3, 4, 5))
    if policy:
        rows = [("all positions", *_move_cells(policy))]
        for key, word in (
            ("by_ply", "plies"),
            ("by_material", "material differs by"),
            ("by_rating", "rating"),
        ):
            rows += [(f"{word} {band}", *_move_cells(one)) for band, one in policy[key].items()]
        print_table(("moves", "positions", "top 1 %", "top 3 %", "cross-entropy"), rows, right=(1, 2, 3, 4))


def _pair_cells(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        f"{one['pairs']:,}",
        _percent(one, "accuracy"),
        _number(one, "cross_entropy"),
        _number(one, "scaled_cross_entropy"),
    )


def _move_cells(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        f"{one['positions']:,}",
        _percent(one, "top1"),
        _percent(one, "top3"),
        _number(one, "cross_entropy"),
    )


def _percent(one: Mapping[str, Any], key: str) -> str:
    error = one[f"{key}_error"]
    return f"{100 * one[key]:.1f}" + ("" if error is None else f" ± {100 * error:.1f}")


def _number(one: Mapping[str, Any], key: str) -> str:
    error = one[f"{key}_error"]
    return f"{one[key]:.3f}" + ("" if error is None else f" ± {error:.3f}")


def _understanding(name: str, judge: Judge | None, file: str, as_json: bool) -> None:
    from rookery.examine import understanding

    if judge is None:
        raise UnsupportedGame(f"{quote(name)} gives no values that could be compared")
    told = understanding.judge(
        understanding.read(understanding.OURS if file == "understanding" else Path(file)), judge
    )
    kinds = {}
    for kind in understanding.KINDS:
        of = [one.right for one in told if one.pair.kind == kind]
        if of:
            kinds[kind] = {"pairs": len(of), "right": sum(of), "accuracy": round(sum(of) / len(of), 6)}
    wrong = [one for one in told if one.right < 1]
    if as_json:
        rows = [
            {
                "kind": one.pair.kind,
                "theme": one.pair.theme,
                "better": str(one.pair.better),
                "worse": str(one.pair.worse),
                "right": one.right,
                "logit": round(one.logit, 4),
            }
            for one in told
        ]
        write_json({"knowledge": name, "kinds": kinds, "pairs": rows})
        return
    rows_told = [(kind, str(of["pairs"]), f"{of['right']:g}") for kind, of in kinds.items()]
    print_table(("kind", "pairs", "judged right"), rows_told, right=(1, 2))
    if wrong:
        typer.echo()
        columns = ("judged wrong", "better for White", "worse for White")
        print_table(columns, [(o.pair.theme, str(o.pair.better), str(o.pair.worse)) for o in wrong])
