"""The one way in: `rookery VERB`.

Every command that reports takes `--json` and then writes one JSON document to stdout and nothing else;
progress goes to stderr. Exit codes: 0 done, 1 it failed and one line says why, 2 wrong usage.

Commands import what they need when they run, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from dataclasses import asdict
from io import TextIOWrapper
from secrets import randbelow
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from rookery.errors import BadOption, IllegalMove, RookeryError, UnknownName, UnsupportedGame, describe
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

    from rookery.api import State


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
            told = _plainly(usage.format_message().rstrip("."))
            told += "" if "(got " in told else _given(usage, arguments)
            more = "" if told.endswith("?") else f"; see `{command} --help`"
            typer.echo(f"rookery: {told}{more}", err=True)
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
                return f" (got {(value if equals else following)!r})"
    return ""


_PLAINLY = {
    r"Invalid value for (.*): Value error, ('.*') is not one of (.*)": r"\1 must be one of \3 (got \2)",
    r"Invalid value for (.*): Input should be greater than or equal to (\S+)": r"\1 must be \2 or more",
    r"Invalid value for (.*): Input should be less than or equal to (\S+)": r"\1 must be \2 or less",
    r"Invalid value for (.*): Input should be a valid integer\b.*": r"\1 must be a whole number",
    r"Invalid value for (.*): Input should be a valid number\b.*": r"\1 must be a number",
    r"No such option: (\S+) \(Possible options: (.*)\)": r"there is no option \1; did you mean \2?",
    r"No such option: (\S+)": r"there is no option \1",
    r"No such command ('.*')\. Did you mean (.*)\?": r"there is no command \1; did you mean \2?",
    r"No such command ('.*')": r"there is no command \1",
    r"Missing (argument|option) '(.*)'": r"\1 \2 is missing",
    r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)": r"unexpected argument '\1'",
}
"""How typer refuses what was typed, and how we do."""


def _plainly(told: str) -> str:
    """A refusal of typer's in plain words; one that is not known here, as it is.

    >>> _plainly("Invalid value for '--games': Input should be greater than or equal to 1")
    '--games must be 1 or more'
    >>> _plainly("No such option: --foo"), _plainly("That cannot be")
    ('there is no option --foo', 'That cannot be')
    """
    for theirs, ours in _PLAINLY.items():
        if found := re.fullmatch(theirs, told):
            return re.sub(r"'(--?[a-z-]+)'", r"\1", found.expand(ours))
    return told


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
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Start from this position: a FEN in chess, else as `rookery moves GAME --json` writes it.",
    ),
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

_PLAY, _TRAIN, _MEASURE = "Play", "Train", "Measure"
_CONNECT, _INSPECT = "Connect to other programs", "Rules and this machine"


@app.command(rich_help_panel=_PLAY)
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
            help="How strong the others are, from 1 (weakest). Default: 2; in chess --elo 1500; full strength"
            " for players that --with names.",
        ),
    ] = None,
    elo: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Chess only: an opponent who plays like people of this rating, 1000 to 2500; default 1500.",
        ),
    ] = None,
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Your seat: white, black, red, ... or its number.")
    ] = "0",
    position: Position = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Random seed: the opponents' choices repeat with it. Default: a new one."),
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME", help="Go only: chinese, japanese, tromp-taylor or mayer.")
    ] = None,
    komi: Annotated[float | None, typer.Option(help="Go only: White's extra points.")] = None,
    handicap: Annotated[
        int | None, typer.Option(min=0, max=9, help="Go only: Black's stones at the start.")
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


@app.command("rules", rich_help_panel=_PLAY)
def print_rules(game: GameName) -> None:
    """Print the rules of a game, for players."""
    from rich.markdown import Markdown

    from rookery import games

    text = games.rules(game)
    console = _console()
    # Markdown reads well as it is where nobody draws it.
    console.print(Markdown(text)) if console.is_terminal else typer.echo(text)


app.command(rich_help_panel=_PLAY)(protocols.serve)


@app.command("players", rich_help_panel=_PLAY)
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


@app.command("games", rich_help_panel=_PLAY)
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

app.command(rich_help_panel=_TRAIN)(training.train)
app.command(rich_help_panel=_TRAIN)(training.resume)
app.command(rich_help_panel=_TRAIN)(training.recipes)
app.command(rich_help_panel=_TRAIN)(reproducing.paper)
app.add_typer(keeping.data, name="data", rich_help_panel=_TRAIN)


# --- measuring ---------------------------------------------------------------------------------------

app.command(rich_help_panel=_MEASURE)(analysing.analyse)
app.command(rich_help_panel=_MEASURE)(examining.examine)
app.command(rich_help_panel=_MEASURE)(arena.match)
app.command(rich_help_panel=_MEASURE)(arena.tournament)
app.command(rich_help_panel=_MEASURE)(solving.solve)
app.command(rich_help_panel=_MEASURE)(judging.judge)
app.add_typer(arena.record, name="record", rich_help_panel=_MEASURE)


# --- other programs ----------------------------------------------------------------------------------

app.command(rich_help_panel=_CONNECT)(protocols.uci)
app.command(rich_help_panel=_CONNECT)(protocols.gtp)
app.command("engine-config", rich_help_panel=_CONNECT)(protocols.engine_config)


# --- the rules ---------------------------------------------------------------------------------------


@app.command(rich_help_panel=_INSPECT)
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


@app.command(rich_help_panel=_INSPECT)
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, max=32, help="Depth in plies.")],
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the leaves below each move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the leaves of the move tree, to test a move generator and its speed."""
    from rookery.games.state import NativeState
    from rookery.interfaces.waiting import wait_for

    state = _state(game, position)
    if not isinstance(state, NativeState):
        raise UnsupportedGame(f"the rules of {game} are written in Python; perft counts only in native code")
    native, over = state.native, state.outcome()
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
            counts[text] = native.play(move).perft(depth - 1)
            advance()
        nodes = sum(counts.values()) if roots else int(native.perft(depth))
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


def _state(game: str, position: str | None) -> State:
    from rookery import games

    return games.get(game).start(position)


# --- this machine ------------------------------------------------------------------------------------


@app.command(rich_help_panel=_INSPECT)
def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Only these: a kind (perft), a game (chess), both (perft/chess), or `signature`.",
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help="Time for each benchmark.")] = 0.3,
    anyway: Annotated[bool, typer.Option("--anyway", help="Measure a debug or sanitizer build too.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speeds on this machine, and print a signature of what games and searches do.

    The signature is one number. It changes when the rules of a game or a search behave differently.
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


@app.command(rich_help_panel=_INSPECT)
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
