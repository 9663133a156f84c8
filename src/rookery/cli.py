"""The one way in: `rookery VERB`.

Every command that reports takes `--json` and then writes one JSON document to stdout and nothing else;
progress goes to stderr. Exit codes: 0 done, 1 it failed and one line says why, 2 wrong usage.

Commands import what they need when they run, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import asdict
from io import TextIOWrapper
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from rookery.errors import BadOption, IllegalMove, RookeryError, UnknownName, describe
from rookery.interfaces import analysing, judging, solving, training
from rookery.interfaces import commands as protocols
from rookery.interfaces import data as keeping
from rookery.interfaces import examine as examining
from rookery.interfaces import paper as reproducing
from rookery.interfaces.arena import commands as arena
from rookery.interfaces.writing import make_console as _console
from rookery.interfaces.writing import print_table as _print_table
from rookery.interfaces.writing import write_json as _write
from rookery.names import PlayerName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rookery.games.state import NativeState


# Typer's own name for wrong usage; the class lies elsewhere in each of its versions.
UsageError: Any = next(kind for kind in typer.BadParameter.mro() if kind.__name__ == "UsageError")


_AGAIN = "the same command goes on with what was kept"
_REMEDIES = {
    errno.ENOSPC: f"; make room, and {_AGAIN}",
    errno.EDQUOT: f"; make room, and {_AGAIN}",
    errno.EFBIG: f"; it may grow no more, and in another place {_AGAIN}",
    errno.EROFS: "; choose another place",
    errno.EACCES: "; choose another place, or change its rights",
    errno.EPERM: "; choose another place, or change its rights",
    errno.EMFILE: "; `ulimit -n` says how many files may be open at a time",
}
"""What people can do about an error of the system."""


class OneLine(TyperGroup):
    """Whatever goes wrong is said in one line."""

    def main(self, args: Sequence[str] | None = None, *others: Any, **extra: Any) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(arguments, *others, **{**extra, "standalone_mode": False})
        except UsageError as error:
            usage = cast(typer.BadParameter, error)
            if type(error).__name__ == "NoArgsIsHelpError":
                usage.show()
                sys.exit(2)
            command = usage.ctx.command_path if usage.ctx else "rookery"
            told = usage.format_message().rstrip(".") + _given(usage, arguments)
            typer.echo(f"rookery: {told}; see `{command} --help`", err=True)
            sys.exit(2)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (UnknownName, BadOption) as error:
            _fail(str(error), 2)
        except RookeryError as error:
            _fail(str(error), 1)
        except KeyboardInterrupt:
            _fail("interrupted", 1)
        except BrokenPipeError:
            # The reader has gone. Python would complain once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from None
        except OSError as error:
            _fail(describe(error) + _REMEDIES.get(error.errno or 0, ""), 1)
        except MemoryError:
            _fail("there is not enough memory for this; ask for less", 1)


def _given(error: typer.BadParameter, arguments: Sequence[str]) -> str:
    """The value that an option was given, which the message of its refusal leaves out."""
    for option in getattr(getattr(error, "param", None), "opts", ()):
        for given, following in zip(arguments, [*arguments[1:], ""], strict=True):
            name, equals, value = given.partition("=")
            if name == option:
                return f", not {(value if equals else following)!r}"
    return ""


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"rookery: {' '.join(message.splitlines())}", err=True)
    raise typer.Exit(code) from None


app = typer.Typer(
    cls=OneLine,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Train board-game players from scratch, measure them honestly, and play them.",
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game; `rookery games` lists them.")]
Position = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Start here: the game's own text, in chess a FEN.")
]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")]


def main() -> None:
    # Bytes that are no text become question marks here, at the edge, and surprise nobody further in.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app([argument.encode(errors="replace").decode() for argument in sys.argv[1:]], prog_name="rookery")


def _version(asked: bool) -> None:
    if asked:
        from rookery import __version__

        typer.echo(f"rookery {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


# --- playing -----------------------------------------------------------------------------------------


@app.command()
def play(
    game: GameName,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="PLAYER",
            help="The other players: one name for all seats, or one for each; `human` for another person.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Their level, from 1 (weakest); default 2 (chess: see --elo), or full strength for --with.",
        ),
    ] = None,
    elo: Annotated[
        int | None,
        typer.Option(min=1, help="Of chess: play somebody who plays like people rated so; default 1500."),
    ] = None,
    seat: Annotated[str, typer.Option(metavar="SEAT", help="Your seat, by number or name.")] = "0",
    position: Position = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed, to repeat a game; default a new one each time.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of Go: chinese, japanese, tromp-taylor or mayer.")
    ] = None,
    komi: Annotated[float | None, typer.Option(help="Of Go: White's extra points.")] = None,
    handicap: Annotated[
        int | None, typer.Option(min=0, max=9, help="Of Go: Black's stones at the start.")
    ] = None,
) -> None:
    """Play in the terminal."""
    from rookery import games
    from rookery.interfaces.screen import Screen
    from rookery.interfaces.terminal import Table, choose, fill_seats, find_seat

    options = {"rules": rules, "komi": komi, "handicap": handicap}
    given = {name: str(value) for name, value in options.items() if value is not None}
    played = games.adjusted(games.get(game), given)
    seated = fill_seats(played, find_seat(played.spec, seat), choose(played, opponents or [], level, elo))
    seed = randbelow(1_000_000) if seed is None else seed
    Table(played, played.start(position), seated, seed, Screen(_console())).play()


@app.command("rules")
def print_rules(game: GameName) -> None:
    """Print the rules of a game, for players."""
    from rich.markdown import Markdown

    from rookery import games

    text = games.rules(game)
    console = _console()
    # Markdown reads well as it is where nobody draws it.
    console.print(Markdown(text)) if console.is_terminal else typer.echo(text)


app.command()(protocols.serve)


@app.command("players")
def list_players(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only players of this game.")] = None,
    as_json: Json = False,
) -> None:
    """List the players, under the names that the other commands take."""
    from rookery import games, roster, strength

    asked = [games.get(name) for name in ([game] if game else games.names())]
    found: dict[str, dict[str, Any]] = {}
    for rules in asked:
        for entry in roster.for_game(rules):
            options = {option.name: option.default for option in entry.options}
            shown = {"name": entry.name, "description": entry.description, "options": options}
            player = found.setdefault(entry.name, {**shown, "games": [], "levels": {}})
            player["games"].append(rules.spec.name)
            if elo := strength.elo(rules.spec.name, entry.name):
                player["levels"][rules.spec.name] = elo
    if as_json:
        _write({"players": list(found.values()), "default": {r.spec.name: roster.default(r) for r in asked}})
        return
    rows = [(player["name"], " ".join(player["games"]), player["description"]) for player in found.values()]
    _print_table(("player", "games", "what it does"), rows)
    typer.echo()
    _print_table(("options of", "written as NAME:key=value,key=value"), sorted(_options(found.values())))
    measured = [(player["name"], *each) for player in found.values() for each in player["levels"].items()]
    if measured:
        typer.echo()
        rows = [(name, game, " ".join(map(str, elo))) for name, game, elo in measured]
        _print_table(("levels of", "game", "Elo of level=1, level=2, ..."), rows)


def _options(found: Iterable[dict[str, Any]]) -> set[tuple[str, str]]:
    """What each search lets people set; a default in brackets."""
    from rookery import options

    told = set()
    for player in found:
        if player["options"]:
            keys = [
                key if default is None else f"{key} [{options.text(default)}]"
                for key, default in player["options"].items()
            ]
            told.add((PlayerName.parse(player["name"]).word, ", ".join(keys)))
    return told


@app.command("games")
def list_games(as_json: Json = False) -> None:
    """List the games."""
    from rookery import games

    specs = [games.get(name).spec for name in games.names()]
    if as_json:
        _write({"games": [asdict(spec) | {"seats": spec.seats, "sides": spec.sides} for spec in specs]})
        return
    rows = [(s.name, s.title, ", ".join(s.seat_names), "imperfect" if s.hidden else "perfect") for s in specs]
    _print_table(("game", "title", "seats", "information"), rows)


# --- training ----------------------------------------------------------------------------------------

app.command()(training.train)
app.command()(training.resume)
app.command()(training.recipes)
app.command()(reproducing.paper)
app.add_typer(keeping.data, name="data")


# --- measuring ---------------------------------------------------------------------------------------

app.command()(analysing.analyse)
app.command()(examining.examine)
app.command()(arena.match)
app.command()(arena.tournament)
app.add_typer(arena.record, name="record")


# --- other programs ----------------------------------------------------------------------------------

app.command()(solving.solve)
app.command()(judging.judge)
app.command()(protocols.uci)
app.command()(protocols.gtp)
app.command("engine-config")(protocols.engine_config)


# --- the rules ---------------------------------------------------------------------------------------


@app.command()
def moves(game: GameName, position: Position = None, as_json: Json = False) -> None:
    """List the moves of a position."""
    from rookery.interfaces.screen import Screen
    from rookery.interfaces.terminal import tell_outcome

    state = _state(game, position)
    forced_pass = state.forced() is not None
    texts = [] if forced_pass else sorted(state.text(move) for move in state.board_moves())
    outcome = state.outcome()
    if as_json:
        _write(
            {
                "game": game,
                "position": str(state),
                "seat": state.seat,
                "moves": texts,
                "outcome": asdict(outcome) if outcome else None,
                "forced_pass": forced_pass,
            }
        )
        return
    screen = Screen(_console())
    screen.board(state.picture(), None)
    who = state.spec.seat_names[state.seat]
    if outcome:
        screen.say(tell_outcome(state.spec, outcome), "bold")
    if forced_pass:
        screen.say(f"{who} cannot move, and must pass.", "bold")
    elif texts:
        screen.say(f"{who} has {len(texts)} {'move' if len(texts) == 1 else 'moves'}:", "bold")
        screen.columns(texts)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, max=32, help="Depth in plies.")],
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the leaves below each move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the leaves of the move tree, to test a move generator and its speed."""
    from rookery.interfaces.waiting import wait_for

    state = _state(game, position)
    over = state.outcome()
    if divide and depth == 0:
        raise BadOption("--divide needs --depth 1 or more (got 0)")
    if divide and over:
        raise IllegalMove(
            f"nothing follows '{state}': {over.reason}; without --divide its leaves are counted"
        )
    # A drawn position still has leaves to count, but nothing may be played there.
    roots = [] if depth == 0 or over else sorted((state.text(move), move) for move in state.board_moves())
    counts: dict[str, int] = {}

    def count(advance: Callable[[], None]) -> tuple[int, float]:
        began = perf_counter()
        for text, move in roots:
            counts[text] = state.play(move).native.perft(depth - 1)
            advance()
        nodes = sum(counts.values()) if roots else int(state.native.perft(depth))
        return nodes, perf_counter() - began

    nodes, seconds = wait_for(count, "perft", len(roots))
    speed = round(nodes / max(seconds, 1e-9))
    if as_json:
        found = {"game": game, "position": str(state), "depth": depth, "nodes": nodes, "seconds": seconds}
        _write(found | {"nodes_per_second": speed} | ({"divide": counts} if divide else {}))
        return
    if divide:
        for text, leaves in counts.items():
            typer.echo(f"{text}  {leaves:,}")
    typer.echo(f"{nodes:,} leaves at depth {depth} in {seconds:.3f} s, {speed:,} a second")


def _state(game: str, position: str | None) -> NativeState:
    from rookery import games

    return cast("NativeState", games.get(game).start(position))


# --- this machine ------------------------------------------------------------------------------------


@app.command()
def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Only these: perft, chess, perft/chess; signature for that alone."
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help="Time for each row.")] = 0.3,
    anyway: Annotated[bool, typer.Option("--anyway", help="Measure a debug or sanitizer build too.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speeds on this machine, and print a signature of what games and searches do.

    The signature is one number. It changes when some search would play or count otherwise than before.
    """
    from rookery import bench, games, native, signature
    from rookery.interfaces.waiting import wait_for

    words = names or []
    speeds = [word for word in words if word != "signature"]
    chosen = bench.select(speeds) if speeds or not words else []
    signed = games.names() if not words or "signature" in words else []
    if chosen and not anyway:
        bench.require_release()
    results: list[bench.Result] = []
    parts: list[signature.Part] = []

    def run(advance: Callable[[], None]) -> None:
        for name in chosen:
            results.append(bench.measure(name, seconds))
            advance()
        for game in signed:
            parts.extend(signature.parts([game]))
            advance()

    wait_for(run, "bench", len(chosen) + len(signed))
    if as_json:
        found = {"build": native.build, "level": native.level, "seconds": seconds}
        found |= {"results": [asdict(result) for result in results]}
        if parts:
            found |= {"signature": signature.total(parts), "signatures": signature.by_game(parts)}
            found |= {"parts": [asdict(part) for part in parts]}
        _write(found)
        return
    rows = [(r.name, f"{r.value:,.{2 if r.unit == 'us' else 0}f}", r.unit) for r in results]
    if rows:
        _print_table(("benchmark", "speed", "unit"), rows, right={1})
        typer.echo()
    if parts:
        _print_table(*signature.table(parts))
        typer.echo()
    signed_by = f" Signature: {signature.total(parts)}" if parts else ""
    typer.echo(f"{native.build} build for {native.level}.{signed_by}")


@app.command()
def doctor(as_json: Json = False) -> None:
    """Print what is installed, what this machine is, and how fast it is."""
    from rookery import doctor
    from rookery.interfaces.waiting import wait_for

    found = wait_for(lambda advance: doctor.examine(), "doctor", 1)
    if as_json:
        _write(found)
        return
    _print_table(("", ""), doctor.lines(found))
    for warning in found["warnings"]:
        _console().print(f"\nWARNING: {warning}", style="bold red", markup=False)
