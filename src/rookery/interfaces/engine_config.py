"""What other programs must be told to play with a player: the text that their users paste."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

from rookery import games, registry
from rookery.errors import BadOption
from rookery.games import go_rules
from rookery.interfaces.gtp import lay
from rookery.interfaces.session import make_thinker


def describe(program: str, player: str) -> str:
    """The text for one of the programs, once it is sure that the player plays its game.

    Raises:
        BadOption: nothing is known of that program.
        RookeryError: the player does not play the game.
    """
    if program not in _PROGRAMS:
        raise BadOption(f"nothing is known of {program!r}; {registry.hint(program, _PROGRAMS)}")
    if program == "sabaki":
        lay(player, go_rules.USUAL, None, None)
    else:
        make_thinker(player, games.get("chess"))
    return _PROGRAMS[program](player, command())


def command() -> str:
    """The path of the `rookery` that runs now."""
    beside = Path(sys.executable).with_name("rookery")
    return str(beside) if beside.exists() else shutil.which("rookery") or str(Path(sys.argv[0]).absolute())


def _quoted(path: str) -> str:
    """For programs that split a command at its spaces."""
    return f'"{path}"' if " " in path else path


def _cutechess(player: str, rookery: str) -> str:
    line = f"{_quoted(rookery)} uci {player}"
    name = f"Rookery {player}"
    entry = {"name": name, "command": line, "protocol": "uci", "workingDirectory": "", "stderrFile": ""}
    return f"""\
Cute Chess: Tools, Settings, Engines, Add. The command is

    {line}

and the protocol UCI; or add this to the list in its engines.json:

{json.dumps(entry, indent=4)}

cutechess-cli takes

    -engine name={shlex.quote(name)} cmd={shlex.quote(rookery)} arg=uci arg={player} proto=uci"""


def _en_croissant(player: str, rookery: str) -> str:
    return f"""\
En Croissant runs a file without arguments. Make one by pasting this into a shell:

{_script(player, rookery)}

Then: Engines, Add New, Local; the binary file is that one."""


def _nibbler(player: str, rookery: str) -> str:
    return f"""\
Nibbler runs a file without arguments, unless its engines.json says otherwise. Make one by pasting this
into a shell:

{_script(player, rookery)}

Then: Engine, Choose engine; it is that file."""


def _lichess_bot(player: str, rookery: str) -> str:
    return f"""\
lichess-bot runs a file without arguments. Make one by pasting this into a shell in its folder:

{_script(player, rookery, "engines/")}

and in config.yml let the engine be

engine:
  dir: "./engines/"
  name: "{_file(player)}"
  protocol: "uci"
  ponder: true
  uci_options:
    Move Overhead: 100
    Threads: 1
    Hash: 64"""


def _sabaki(player: str, rookery: str) -> str:
    return f"""\
Sabaki: Engines, Manage Engines, Add.

    Path        {rookery}
    Arguments   gtp {player}

The player counts by Chinese rules; `--rules japanese` behind its name changes that."""


def _file(player: str) -> str:
    return "rookery-" + re.sub(r"[^A-Za-z0-9.]+", "-", player).strip("-")


def _script(player: str, rookery: str, folder: str = "") -> str:
    """Makes a file that runs the player, and can be run."""
    file = folder + _file(player)
    return f"""\
cat > {file} << 'END'
#!/bin/sh
exec {shlex.quote(rookery)} uci {shlex.quote(player)}
END
chmod +x {file}"""


_PROGRAMS = {
    "cutechess": _cutechess,
    "en-croissant": _en_croissant,
    "nibbler": _nibbler,
    "lichess-bot": _lichess_bot,
    "sabaki": _sabaki,
}
