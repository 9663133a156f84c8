"""The commands `match`, `tournament` and `record`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from rookery.errors import BadOption, RecordMismatch
from rookery.interfaces.signals import leaving_in_order
from rookery.interfaces.writing import print_table, write_json

if TYPE_CHECKING:
    from rookery.api import Clock, Limit
    from rookery.arena.contest import Contest
    from rookery.arena.match import MatchResult
    from rookery.arena.record import Played, Record
    from rookery.arena.tournament import TournamentResult
    from rookery.interfaces.arena.progress import Progress

Result = TypeVar("Result")

MOST_GAMES = 1_000_000
"""Between two players: their openings are drawn before the first is played."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game; `rookery games` lists them.")]
Depth = Annotated[int | None, typer.Option(min=1, help="Search depth in plies.")]
Nodes = Annotated[
    int | None, typer.Option(min=1, help="Nodes (positions, in tree searches simulations) per move.")
]
MoveTime = Annotated[float | None, typer.Option(min=0.001, max=1e6, metavar="SECONDS", help="Time per move.")]
ClockTime = Annotated[
    str | None,
    typer.Option(
        "--clock", metavar="BASE+INC", help="Time for the game plus increment per move, in seconds: 10+0.1."
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")]
Openings = Annotated[
    str | None,
    typer.Option(
        metavar="random:PLIES|FILE[:PLIES]",
        help="Where games begin: random moves, or a book of games (.pgn) or positions (.epd). "
        "Default: four random moves, or one for each seat if there are more.",
    ),
]
MaxPlies = Annotated[int | None, typer.Option(min=1, help="Adjudicate games of this length as draws.")]
Workers = Annotated[int | None, typer.Option(min=0, help="Games in parallel; default one per core.")]
RecordFile = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Save every game here; an unfinished FILE is resumed."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Only resume: fail if FILE does not exist.")]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")]


def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="PLAYER", help="A player; `rookery players` lists them.")],
    b: Annotated[str, typer.Argument(metavar="OPPONENT", help="Its opponent.")],
    games: Annotated[
        int, typer.Option(min=1, max=MOST_GAMES, help="Number of games; with --sprt the maximum.")
    ] = 100,
    depth: Depth = None,
    nodes: Nodes = None,
    movetime: MoveTime = None,
    clock: ClockTime = None,
    seed: Seed = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="E0,E1",
            help="Sequential probability ratio test: stop when one of two Elo differences is accepted.",
        ),
    ] = None,
    openings: Openings = None,
    max_plies: MaxPlies = None,
    workers: Workers = None,
    record: RecordFile = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Play a match of two players and estimate their Elo difference."""
    from rookery.arena.contest import Contest, enter
    from rookery.arena.match import match as play_match
    from rookery.arena.sprt import Sprt
    from rookery.interfaces.arena.report import match_summary

    test = Sprt.read(sprt) if sprt else None
    contest = Contest(
        game=game,
        entrants=enter(game, (a, b)),
        games=games,
        limit=_limit(game, depth, nodes, movetime, clock),
        seed=seed,
        openings=openings,
        max_plies=max_plies,
        sprt=(test.elo0, test.elo1) if test else None,
    )
    _show_match(_play(play_match, match_summary, contest, workers, record, resume), as_json)


def tournament(
    game: GameName,
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER", help="Players; `rookery players` lists them.")
    ],
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="Games per pairing.")] = 20,
    depth: Depth = None,
    nodes: Nodes = None,
    movetime: MoveTime = None,
    clock: ClockTime = None,
    seed: Seed = 0,
    openings: Openings = None,
    max_plies: MaxPlies = None,
    workers: Workers = None,
    record: RecordFile = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Play a round-robin tournament and rank the players."""
    from rookery.arena.contest import Contest, enter
    from rookery.arena.tournament import tournament as play_tournament
    from rookery.interfaces.arena.report import tournament_summary

    contest = Contest(
        game=game,
        entrants=enter(game, players),
        games=games,
        limit=_limit(game, depth, nodes, movetime, clock),
        seed=seed,
        openings=openings,
        max_plies=max_plies,
    )
    _show_tournament(_play(play_tournament, tournament_summary, contest, workers, record, resume), as_json)


def _play(
    play: Callable[..., Result],
    summary: Callable[[Result], str],
    contest: Contest,
    workers: int | None,
    record: Path | None,
    resume: bool,
) -> Result:
    """Play the games of a contest, and show meanwhile how it stands."""
    with _sitting(contest, record, resume) as (kept, progress, ended):
        result = play(
            contest,
            kept,
            _count(workers),
            on_end=ended,
            on_result=lambda so_far: progress.result(summary(so_far)),
        )
    return result


def _limit(
    game: str, depth: int | None, nodes: int | None, movetime: float | None, clock: str | None
) -> Limit:
    from rookery.api import Limit

    return Limit(depth, nodes, movetime, clocks=_read_clock(clock, game))


@contextmanager
def _sitting(
    contest: Contest, path: Path | None, resume: bool
) -> Iterator[tuple[Record | None, Progress, Callable[[Played], None]]]:
    """A record and a progress bar for a contest, and what is said when somebody ends it early."""
    from rookery.arena.record import Record, save
    from rookery.interfaces.arena.progress import Progress

    if resume and path is None:
        raise BadOption("--resume needs the record to go on with: --record FILE")
    if resume and path is not None and not path.exists():
        raise RecordMismatch(f"{path} does not exist; leave out --resume to begin it")
    contest.starts.draw(0)
    _mention_unheeded(contest)
    unkept: list[Played] = []
    with Record(contest, path) if path else nullcontext() as kept, Progress(contest.total) as progress:
        if kept:
            progress.known(len(kept.played))

        def ended(game: Played) -> None:
            if kept is None:
                unkept.append(game)
            progress.ended(game)

        try:
            with leaving_in_order():
                yield kept, progress, ended
            return
        except KeyboardInterrupt:
            pass
    if path is None and unkept:
        path = _free_name(contest.game)
        save(contest, unkept, path)
    typer.echo(f"rookery: interrupted after {progress.done} of {contest.total} games", err=True)
    if path:
        typer.echo(f"To go on: {_again(path)}", err=True)
    raise typer.Exit(1)


def _read_clock(text: str | None, game: str) -> tuple[Clock, ...]:
    """The clock of each seat."""
    from rookery import games
    from rookery.api import Clock

    if text is None:
        return ()
    base, _, increment = text.partition("+")
    try:
        clock = Clock(float(base), float(increment or 0))
        if not (0 < clock.left < 1e6 and 0 <= clock.increment < 1e6):
            raise ValueError
    except ValueError:
        raise BadOption(
            f"--clock must be seconds for the game and for each move, like 10+0.1 (got {text})"
        ) from None
    return (clock,) * games.get(game).spec.seats


def _mention_unheeded(contest: Contest) -> None:
    """A bound that somebody does not know of is easily taken for one that holds."""
    from rookery import players

    options = {"depth": "--depth", "nodes": "--nodes", "time": "--movetime"}
    given = [bound for bound in options if getattr(contest.limit, bound) is not None]
    if contest.limit.clocks:
        options["time"] = "--clock"
        given.append("time")
    for name in dict.fromkeys(contest.entrants):
        heeded = players.bounds(name)
        for bound in given:
            # Who heeds no bound at all, such as chance, needs none.
            if heeded and bound not in heeded:
                typer.echo(f"rookery: {name} does not heed {options[bound]}", err=True)


def _show_match(result: MatchResult, as_json: bool) -> None:
    from rookery.interfaces.arena.report import match_lines

    if as_json:
        write_json(result.json())
        return
    for line in match_lines(result):
        typer.echo(line)


def _show_tournament(result: TournamentResult, as_json: bool) -> None:
    from rookery.interfaces.arena import report

    if as_json:
        write_json(result.json())
        return
    print_table(*report.ladder_table(result), right={0, 2, 3, 4, 5, 6, 7})
    typer.echo()
    print_table(*report.cross_table(result), right={0})
    typer.echo()
    for line in report.tournament_lines(result):
        typer.echo(line)


def _free_name(game: str) -> Path:
    """A name for the record of games for which nobody had asked for one."""
    number = 1
    while (path := Path(f"{game}-{number}.jsonl")).exists():
        number += 1
    return path


def _again(path: Path) -> str:
    """The command that goes on with what was interrupted."""
    words = sys.argv[1:]
    if "--record" not in words and not any(word.startswith("--record=") for word in words):
        words = [*words, "--record", str(path)]
    return shlex.join(["rookery", *words])


def _count(workers: int | None) -> int:
    return len(os.sched_getaffinity(0)) if workers is None else workers


# --- records -----------------------------------------------------------------------------------------

record = typer.Typer(no_args_is_help=True, help="Show or export recorded matches and tournaments.")


@record.command()
def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record, from `rookery match` or `rookery tournament`.")
    ],
    to: Annotated[
        str | None, typer.Option(metavar="pgn|sgf|text", help="The format; default that of the game.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file; default stdout.")
    ] = None,
) -> None:
    """Write recorded games as other programs read them: PGN, SGF or plain text."""
    from rookery import durable
    from rookery.arena import record as records
    from rookery.arena.export import export as write

    header, played = records.read(file)
    texts = write(header, played, to)
    opened = output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout)
    with durable.naming(output or Path("the output")), opened as target:
        for text in texts:
            target.write(text)
        target.flush()


@record.command()
def show(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record, from `rookery match` or `rookery tournament`.")
    ],
    as_json: Json = False,
) -> None:
    """Print the result of a recorded match or tournament, finished or not."""
    from rookery.arena import record as records
    from rookery.arena.contest import Contest
    from rookery.arena.match import judge
    from rookery.arena.tournament import TournamentResult

    header, played = records.read(file)
    contest = Contest.recorded(header, max(1, len(played)))
    games = records.order(played)
    if len(contest.entrants) == 2:
        _show_match(judge(contest, games), as_json)
    else:
        table = TournamentResult.empty(contest)
        for game in games:
            table.add(game)
        _show_tournament(table, as_json)
