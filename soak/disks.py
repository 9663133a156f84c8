"""Full disks and read-only folders: one line, the right exit code, nothing lost.

    python -m soak.disks                           every command, every size
    python -m soak.disks --only match

Wants to mount small disks, so it needs root or user namespaces, and works in a mount namespace of its own. On
a full disk a command must end with one line, or do without; once there is room it goes on, and what it comes
to is held to an undisturbed run bit for bit. Where nothing may be written, it says so. A traceback, a wrong
exit code or a difference is a failure; the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from served import post, serve

from soak import ROOKERY
from soak.kills import WORKS, Work, run, undisturbed
from soak.table import table

SIZES = ("16k", "48k", "96k", "200k", "600k")
"""Of the disks that are too small."""
KINDS = ("full", "read-only")


@dataclass
class Try:
    command: str
    kind: str
    came_to: str
    """ended: with one line; done: there was room enough."""
    failure: str = ""


def mount(place: Path, options: str) -> None:
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "soak", str(place)], check=True)


def remount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)


def unmount(place: Path) -> None:
    subprocess.run(["umount", "-l", str(place)], check=True)


def verdict(code: int | None, said: str) -> str:
    """What is wrong with how a command failed; empty: nothing."""
    lines = [line for line in said.splitlines() if line.strip()]
    if code is None:
        return "it did not end"
    if code < 0 or code > 128:
        return f"exit code {code}"
    if "Traceback" in said:
        return f"a traceback: {lines[-1][:200]}"
    if code != 0 and not any(line.startswith("rookery: ") for line in lines):
        return f"exit code {code} and not a word"
    return ""


def start(work: Work, place: Path, seed: int, *, again: bool) -> tuple[int | None, str]:
    """Run it on a disk; what it says goes to another one."""
    with tempfile.TemporaryDirectory() as aside:
        command = (work.go_on if again else work.begin)(place, seed)
        with (Path(aside) / "out").open("wb") as out, (Path(aside) / "said").open("wb") as said:
            process = subprocess.Popen(command, stdout=out, stderr=said)
            try:
                code: int | None = process.wait(300)
            except subprocess.TimeoutExpired:
                process.kill()
                code = None
        if code == 0:
            remount(place, "size=64m")
            shutil.copy(Path(aside) / "out", place / "stdout")
        return code, (Path(aside) / "said").read_text(errors="replace")


def fill(name: str, size: str, seed: int, wanted: dict[str, object]) -> Try:
    """A work on a disk that is too small, then with room."""
    work = WORKS[name]
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        place = Path(folder) / "disk"
        mount(place, f"size={size}")
        try:
            code, said = start(work, place, seed, again=False)
            came_to = "done" if code == 0 else "ended"
            if wrong := verdict(code, said):
                return Try(name, f"full {size}", came_to, wrong)
            remount(place, "size=64m")
            if code != 0:
                code, said = start(work, place, seed, again=work.begun(place))
                if code != 0:
                    return Try(
                        name, f"full {size}", came_to, f"with room it ended with {code}: {said[-300:]}"
                    )
            got = work.left(place)
            differs = [
                each for each in sorted(wanted.keys() | got.keys()) if wanted.get(each) != got.get(each)
            ]
            return Try(name, f"full {size}", came_to, f"another result: {differs[:3]}" if differs else "")
        finally:
            unmount(place)


def fill_studio(size: str) -> Try:
    """A studio whose disk fills up while games are begun: it may refuse, and must go on answering."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        place = Path(folder) / "disk"
        mount(place, f"size={size}")
        try:
            command = [
                *ROOKERY,
                "serve",
                "--port",
                "0",
                "--data",
                str(place / "data"),
                "--runs",
                str(place / "runs"),
            ]
            with (Path(folder) / "said").open("wb") as noise:
                try:
                    process, address = serve(place, noise)
                except AssertionError:
                    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=noise)
                    code = process.wait(60)
                    said = (Path(folder) / "said").read_text(errors="replace")
                    return Try("studio", f"full {size}", "ended", verdict(code, said))
                statuses, told = set(), ""
                for _ in range(300):
                    seats = [{"who": "me"}, {"who": "me"}]
                    try:
                        post(
                            address,
                            "/api/tables",
                            {"game": "chess", "seats": seats, "moves": ["e2e4", "e7e5"]},
                        )
                    except urllib.error.HTTPError as refused:
                        statuses.add(refused.code)
                        told = json.load(refused).get("error", "")
                        if refused.code != 400:
                            break
                alive = urllib.request.urlopen(f"http://{address}/favicon.svg").status == 200
                process.terminate()
                process.wait(20)
            said = (Path(folder) / "said").read_text(errors="replace")
            wrong = (
                "a traceback: " + said[-200:]
                if "Traceback" in said
                else ""
                if alive
                else "it does not answer"
            )
            return Try("studio", f"full {size}", f"answers {sorted(statuses)}: {told[:40]}", wrong)
        finally:
            unmount(place)


def forbid(name: str, words: list[str]) -> Try:
    """A command that would write where nothing may be written."""
    try:
        done = subprocess.run([*ROOKERY, *words], capture_output=True, text=True, timeout=60, check=False)
        wrong = verdict(done.returncode, done.stderr)
        if not wrong and done.returncode == 0:
            wrong = "it says that it worked"
        if not wrong and len(done.stderr.strip().splitlines()) != 1:
            wrong = f"more than a line: {done.stderr[-300:]!r}"
    except subprocess.TimeoutExpired:
        wrong = "it did not end"
    return Try(name, "read-only", "ended", wrong)


def forbidden(place: Path, run: Path) -> dict[str, list[str]]:
    """Commands that write, each to that place; run: one that was begun there."""
    small = ["--set", "games=2000", "--set", "evaluate_every=1000", "--set", "evaluation_games=4"]
    return {
        "train": ["train", "go5-koten", "--run", str(place / "run"), *small],
        "train copies": [
            "train",
            "go5-koten",
            "--run",
            str(place / "runs"),
            "--copies",
            "2",
            "--workers",
            "1",
            *small,
        ],
        "resume": ["resume", str(run)],
        "match": ["match", "go5", "random", "random", "--games", "2", "--record", str(place / "m.jsonl")],
        "tournament": [
            "tournament",
            "go5",
            "random",
            "naive",
            "--games",
            "2",
            "--record",
            str(place / "t.jsonl"),
        ],
        "paper": ["paper", "go-td", "--quick", "--out", str(place / "paper")],
        "serve": ["serve", "--port", "0", "--data", str(place / "data"), "--runs", str(place / "runs")],
    }


def main() -> int:
    names = [*WORKS, "studio", "read-only"]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=len(SIZES), help="sizes of disks for each command")
    parser.add_argument("--only", choices=names, action="append", help="this command")
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if not asked.inside:
        alone = (
            ["unshare", "--mount"]
            if os.geteuid() == 0
            else ["unshare", "--user", "--map-root-user", "--mount"]
        )
        os.execvp(alone[0], [*alone, sys.executable, "-m", "soak.disks", "--inside", *sys.argv[1:]])
    chosen = asked.only or names
    tries: list[Try] = []

    def note(found: Try) -> None:
        tries.append(found)
        if found.failure and not asked.json:
            print(f"{found.command}, {found.kind}: {found.failure}", flush=True)

    for name in (each for each in chosen if each in WORKS):
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            wanted = undisturbed(WORKS[name], Path(folder), asked.seed)
        for size in SIZES[: asked.count]:
            note(fill(name, size, asked.seed, wanted))
    if "studio" in chosen:
        for size in SIZES[: asked.count]:
            note(fill_studio(size))
    if "read-only" in chosen:
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            place = Path(folder) / "disk"
            mount(place, "size=64m")
            try:
                small = ["--set", "games=100000", "--set", "evaluate_every=1000", "--minutes", "0.01"]
                begun = [*ROOKERY, "train", "go5-koten", "--run", str(place / "begun"), *small]
                run(begun, Path(folder) / "begun").wait()
                remount(place, "ro")
                for name, words in forbidden(place, place / "begun").items():
                    note(forbid(name, words))
            finally:
                unmount(place)
    failures = [each for each in tries if each.failure]
    if asked.json:
        print(json.dumps({"tries": [vars(each) for each in tries], "failures": len(failures)}))
    else:
        print(
            table(
                ["command", "disk", "came to", "failure"],
                [[t.command, t.kind, t.came_to, t.failure[:60]] for t in tries],
            )
        )
        print(f"{len(tries)} tries, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
