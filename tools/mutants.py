"""Changes the program at random, a little each time, and sees whether the tests notice: `make mutants`.

Every change is tried in a copy of the last commit, in a temporary folder; nothing here is touched. Python and
native code are sampled by their share of lines. Native changes are compiled without much optimisation, for
this processor alone. Then those tests run that are nearest to the changed file (`NEAR` in mutants.toml, and
whichever imports it), up to the first that fails or the last that begins within a minute of processor time;
with --all, all of them. A test that fails must pass without the change, and fail once more if it depends on
the clock or on other processes (`UNSURE` in mutants.toml).

What was found is kept, so that a killed run goes on where it was. With --again, what nobody noticed is tried
once more with the code and the tests of the last commit. Changes that make no difference are set aside by a
reason in mutants.toml; those that do not compile are replaced by others.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic

import mutations
from mutations import Mutation

ROOT = Path(__file__).resolve().parent.parent
NOTES = Path(__file__).with_suffix(".toml")
_CPU = 60
"""Processor seconds after which no other test of a change begins."""
_WALL = 1800
_EXAMPLES = "tests/test_doctests.py::test_examples"

Status = str
"""noticed, unnoticed, set aside, invalid."""


@dataclass(frozen=True)
class Result:
    """What became of one change."""

    key: str
    kind: str
    line: int
    status: Status
    by: str
    """The test that failed, or the reason."""
    seconds: float
    again: str = ""
    """The later commit at which it was tried once more."""

    @property
    def native(self) -> bool:
        return self.key.startswith("native/")


# --- which changes -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Candidate:
    """A change, with the file that it changes."""

    mutation: Mutation
    source: str

    @property
    def key(self) -> str:
        return self.mutation.key(self.source)


def candidates(files: Sequence[tuple[str, str]]) -> list[Candidate]:
    """All changes of these files, given as path and text."""
    found = []
    for path, source in files:
        of = mutations.of_python if path.endswith(".py") else mutations.of_cpp
        found += [Candidate(each, source) for each in of(path, source)]
    return found


def draw(files: Sequence[tuple[str, str]], seed: int) -> Iterator[Candidate]:
    """Changes of these files in an order that the seed decides, each once."""
    found = candidates(files)
    random.Random(seed).shuffle(found)
    seen = set()
    for each in found:
        if each.key not in seen:
            seen.add(each.key)
            yield each


def share(
    python: Sequence[tuple[str, str]], native: Sequence[tuple[str, str]], count: int
) -> tuple[int, int]:
    """How many of so many changes are of Python and of native code, by their lines."""
    lines = [
        sum(bool(line.strip()) for _, text in files for line in text.splitlines())
        for files in (python, native)
    ]
    of_python = round(count * lines[0] / max(1, sum(lines)))
    return of_python, count - of_python


def near(path: str, areas: dict[str, list[str]], tests: dict[str, str]) -> list[str]:
    """The tests of a file, the nearest first: those of its area that name its module, those called like it,
    the rest of its area, and whichever else imports it. `tests` are the files of tests by path, with their
    text."""
    area = next(
        (areas[prefix] for prefix in sorted(areas, key=len, reverse=True) if path.startswith(prefix)), []
    )
    inside = [each for want in area for each in sorted(tests) if each == want or each.startswith(f"{want}/")]
    module = _module(path)
    package, _, name = module.rpartition(".")
    names = re.compile(
        rf"\b{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{re.escape(name)}\b"
    )
    naming = {each for each, text in tests.items() if path.endswith(".py") and names.search(text)}
    words = set(Path(path).stem.split("_"))
    first = [each for each in inside if each in naming]
    alike = [each for each in inside if words & set(Path(each).stem.split("_"))]
    return list(dict.fromkeys([*first, *alike, *inside, *sorted(naming)]))


def _module(path: str) -> str:
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


# --- the copy ----------------------------------------------------------------------------------------


class Copy:
    """A copy of a commit, with an environment and a build of its own."""

    def __init__(self, folder: Path, commit: str, everything: bool) -> None:
        self.tree, self._everything = folder / "tree", everything
        _git("worktree", "add", "--quiet", "--detach", "--force", str(self.tree), commit)
        self._python = self._environment(folder / "venv")
        self._modules, self._plain = folder / "modules", folder / "plain"
        self._modules.mkdir()
        self._build: Path | None = None
        self._passing: set[tuple[bool, str]] = set()
        asked = "from rookery.native import _level, level; print(level, _level.__file__)"
        self._level, said = _say([sys.executable, "-c", asked]).strip().split(" ", 1)
        for module in Path(said).parent.glob("*.so"):
            if module.name.startswith(("_level.", f"_{self._level.replace('-', '_')}.")):
                shutil.copy(module, self._modules)
        self.restore()
        subprocess.run([str(self._python), "-c", "import rookery.cli"], check=True)
        compileall.compile_dir(self.tree / "src", quiet=2)
        notes = tomllib.loads(NOTES.read_text())
        self.areas: dict[str, list[str]] = notes["NEAR"]
        self._unsure: tuple[str, ...] = tuple(notes["UNSURE"])
        paths = sorted(self.tree.glob("tests/**/test_*.py"))
        self.tests = {path.relative_to(self.tree).as_posix(): path.read_text() for path in paths}

    def _environment(self, folder: Path) -> Path:
        """Sees the copy first, and what is installed here besides."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        seen = [str(self.tree / "src"), *(each for each in sys.path if "-packages" in each)]
        packages = next(folder.glob("lib/python*/site-packages"))
        (packages / "copy.pth").write_text("\n".join(seen) + "\n")
        command = folder / "bin/rookery"
        command.write_text(f"#!{folder}/bin/python\nfrom rookery.cli import main\nmain()\n")
        command.chmod(0o755)
        return folder / "bin/python"

    def sources(self, under: str, *endings: str) -> list[tuple[str, str]]:
        paths = sorted(path for path in (self.tree / under).rglob("*") if path.suffix in endings)
        return [(path.relative_to(self.tree).as_posix(), path.read_text()) for path in paths]

    def put(self, path: str, text: str) -> None:
        file = self.tree / path
        file.write_text(text)
        for cached in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):
            cached.unlink()  # it may be as long and as old as the next one

    def compile(self) -> bool:
        """The native module of the copy as it stands; False if it cannot be compiled."""
        assert self._build is not None
        done = subprocess.run(
            [_tool("ninja"), "-C", str(self._build), "-j1"], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            self._place(self._build)
        return done.returncode == 0

    def prepare(self) -> None:
        """Compiles all native code, unchanged, as the changes will be: a test must pass with that."""
        if self._build is None:
            self._build = self._configure()
            if not self.compile():
                raise SystemExit("mutants: the native code of the last commit does not compile")
            self._plain.mkdir()
            for module in self._build.glob("*.so"):
                shutil.copy(module, self._plain)

    def restore(self) -> None:
        """The native module as it was."""
        self._place(self._modules)

    def _place(self, modules: Path) -> None:
        native = self.tree / "src/rookery/native"
        for module in modules.glob("*.so"):
            shutil.copy(module, native / ".new")
            (native / ".new").replace(native / module.name)

    def _configure(self) -> Path:
        """A build in the copy: one level, hardly optimised, and remembered by ccache where there is one."""
        build = self.tree / "build/mutants"
        launcher = self.tree.parent / "compiler"
        cache = shutil.which("ccache") or ""
        places = f"CCACHE_BASEDIR={self.tree.parent} CCACHE_NOHASHDIR=1 " * bool(cache)
        launcher.write_text(f'#!/bin/bash\n{places}exec {cache} "${{@/#-O[23]/-O1}}"\n')
        launcher.chmod(0o755)
        settings = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_CXX_COMPILER_LAUNCHER": str(launcher),
            "CMAKE_DISABLE_PRECOMPILE_HEADERS": "ON" if cache else "OFF",
            "CMAKE_MAKE_PROGRAM": _tool("ninja"),
            "ROOKERY_LEVELS": self._level,
            "Python_EXECUTABLE": str(self._python),
        }
        said = [f"-D{name}={value}" for name, value in settings.items()]
        subprocess.run(
            [_tool("cmake"), "-S", str(self.tree), "-B", str(build), "-G", "Ninja", *said],
            check=True,
            capture_output=True,
        )
        return build

    def test(self, *which: str) -> tuple[bool, str]:
        """Whether tests pass. If not, which failed first, or died and took the others along; if they do, why
        some did not run."""
        command = [str(self._python), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header"]
        command += ["--tb=no", "-rfE", "--timeout=120", "--timeout-method=thread", "-p", "bounded", *which]
        running = self.tree.parent / "running"
        running.unlink(missing_ok=True)
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(NOTES.parent)}
        environment |= {
            "BOUNDED_RUNNING": str(running),
            "BOUNDED_SECONDS": "" if self._everything else str(_CPU),
        }
        process = subprocess.Popen(
            command,
            cwd=self.tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=_WALL)
        except subprocess.TimeoutExpired:
            output = ""
        finally:
            _end(process)
        if process.returncode in (0, 5):
            return True, ""
        failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output, re.MULTILINE)
        if failed:
            return False, failed[1]
        if process.returncode == 2 and "out of time" in output:
            return True, f"of its tests, not all were run in {_CPU} s"
        return False, running.read_text() if running.exists() else which[0]

    def passes(self, test: str, *, native: bool) -> bool:
        """Whether a test passes here, where nothing is changed; asked once."""
        if (native, test) not in self._passing:
            if native:
                self._place(self._plain)
            passed = self.test(test)[0]
            self.restore()
            if not passed:
                return False
            self._passing.add((native, test))
        return True

    def unsure(self, test: str) -> bool:
        return test.startswith(self._unsure)

    def near(self, path: str) -> list[str]:
        if self._everything:
            return sorted(self.tests)
        has_examples = ">>> " in (self.tree / path).read_text() and _EXAMPLES.partition("::")[0] in self.tests
        examples = [f"{_EXAMPLES}[{_module(path)}]"] if has_examples else []
        return [*examples, *near(path, self.areas, self.tests)]


def _end(process: subprocess.Popen[str]) -> None:
    """The tests, and all that they started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tool(name: str) -> str:
    beside = [str(Path(each).parents[2] / "bin") for each in sys.path if each.endswith("site-packages")]
    found = shutil.which(name, path=os.pathsep.join([*beside, os.environ.get("PATH", "")]))
    if found is None:
        raise SystemExit(f"mutants: {name} is needed to compile native changes; run `make`")
    return found


def _say(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def _git(*words: str) -> str:
    return _say(["git", *words])


# --- trying them -------------------------------------------------------------------------------------


def try_out(copy: Copy, candidate: Candidate, aside: dict[str, str]) -> Result:
    """Applies a change, runs the tests, and takes it back."""
    mutation, key, began = candidate.mutation, candidate.key, monotonic()

    def result(status: Status, by: str) -> Result:
        line = mutation.line(candidate.source)
        return Result(key, mutation.kind, line, status, by, round(monotonic() - began, 1))

    if key in aside:
        return result("set aside", aside[key])
    native = not mutation.path.endswith(".py")
    if native:
        copy.prepare()
    flaky: list[str] = []
    while True:
        left_out = [f"--deselect={each}" for each in flaky]
        try:
            copy.put(mutation.path, mutation.apply(candidate.source))
            if native and not copy.compile():
                return result("invalid", "does not compile")
            passed, by = copy.test(*copy.near(mutation.path), *left_out)
            sure = passed or not copy.unsure(by) or not copy.test(by)[0]
        finally:
            copy.put(mutation.path, candidate.source)
            if native:
                copy.restore()
        if passed:
            return result("unnoticed", by)
        if sure and copy.passes(by, native=native):
            return result("noticed", by)
        if by in flaky:
            return result("unnoticed", f"though {by} fails without it")
        flaky.append(by)


class Ledger:
    """What was found so far, in a file that survives a kill."""

    def __init__(self, path: Path, seed: int, commit: str) -> None:
        self.path, self.results = path, dict[str, Result]()
        self.first: dict[str, Result] = {}
        """What was found when a change was tried for the first time."""
        self.commit = commit
        if path.exists():
            first, *rest = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
            self.commit = first["commit"]
            for each in rest:
                self._note(Result(**each))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"commit": commit, "seed": seed}) + "\n")

    def _note(self, result: Result) -> None:
        self.results[result.key] = result
        self.first.setdefault(result.key, result)

    def add(self, result: Result) -> None:
        self._note(result)
        with self.path.open("a") as file:
            file.write(json.dumps(asdict(result)) + "\n")


def run(
    copy: Copy, ledger: Ledger, counts: tuple[int, int], seed: int, aside: dict[str, str]
) -> list[Result]:
    """So many changes of Python and of native code, by turns, without those that do not compile."""
    python = draw(copy.sources("src/rookery", ".py"), seed)
    native = draw(copy.sources("native", ".hpp", ".cpp"), seed)
    kept: list[Result] = []
    for source in _turns(*counts, python, native):
        kept += _next(copy, ledger, source, aside)
    return kept


def run_again(copy: Copy, ledger: Ledger, commit: str, aside: dict[str, str]) -> list[Result]:
    """Tries what nobody noticed once more, at a later commit, and gives all results."""
    sources = [*copy.sources("src/rookery", ".py"), *copy.sources("native", ".hpp", ".cpp")]
    now = {each.key: each for each in candidates(sources)}
    for key, result in list(ledger.results.items()):
        if result.status == "unnoticed" and result.again != commit and key in now:
            ledger.add(replace(try_out(copy, now[key], aside), again=commit))
            print(_line(ledger.results[key]), file=sys.stderr, flush=True)
    return [each for each in ledger.results.values() if each.status != "invalid"]


def _turns(
    first: int, second: int, python: Iterator[Candidate], native: Iterator[Candidate]
) -> Iterator[Iterator[Candidate]]:
    """Whose turn it is: so many of each, evenly mixed, so that a run broken off is a fair sample too."""
    order = sorted(
        [((at + 0.5) / first, python) for at in range(first)]
        + [((at + 0.5) / second, native) for at in range(second)],
        key=lambda each: each[0],
    )
    yield from (source for _, source in order)


def _next(copy: Copy, ledger: Ledger, source: Iterator[Candidate], aside: dict[str, str]) -> list[Result]:
    """The next change that compiles; none if there is none left."""
    for candidate in source:
        result = ledger.results.get(candidate.key)
        if result is None or (candidate.key in aside and result.status != "set aside"):
            result = try_out(copy, candidate, aside)
            ledger.add(result)
            print(_line(result), file=sys.stderr, flush=True)
        if result.status != "invalid":
            return [result]
    return []


def _line(result: Result) -> str:
    return f"{result.status:10} {result.key} [{result.by}]"


def summary(results: Sequence[Result], first: dict[str, Result]) -> dict[str, int]:
    """How many there are of each kind; `at first` counts what was noticed before anything was tried again."""
    return {
        "sampled": len(results),
        "python": sum(not each.native for each in results),
        "native": sum(each.native for each in results),
        **{
            name: sum(each.status == name for each in results)
            for name in ("noticed", "unnoticed", "set aside")
        },
        "noticed at first": sum(first[each.key].status == "noticed" for each in results),
    }


def report(results: Sequence[Result], ledger: Ledger, seed: int) -> str:
    """For people: the figures, and what nobody noticed."""
    found, commit = summary(results, ledger.first), ledger.commit
    changing = found["noticed"] + found["unnoticed"]
    lines = [
        f"{found['sampled']} changes of {commit[:9]}, seed {seed}: "
        f"{found['python']} of Python, {found['native']} native.",
        f"{found['noticed']} of {changing} that change anything are noticed; "
        f"{found['set aside']} are set aside.",
    ]
    if found["noticed at first"] < found["noticed"]:
        lines.append(f"{found['noticed at first']} were noticed at first, the others by later tests.")
    for status in ("unnoticed", "set aside"):
        some = [each for each in results if each.status == status]
        if some:
            lines += ["", f"{status}:"]
            lines += [
                f"  {each.kind:10} {each.key} (line {each.line})" + f"\n      {each.by}" * bool(each.by)
                for each in some
            ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="how many changes (100)")
    parser.add_argument("--seed", type=int, default=1, help="which changes (1)")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--python-only", action="store_true")
    only.add_argument("--native-only", action="store_true")
    parser.add_argument("--all", action="store_true", help="run the whole suite, not only the nearest tests")
    parser.add_argument("--again", action="store_true", help="try once more what nobody noticed")
    parser.add_argument("--json", action="store_true", help="write one JSON document")
    parser.add_argument("--results", type=Path, help="where results are kept (build/mutants/SEED.jsonl)")
    said = parser.parse_args()
    if said.count < 1:
        raise SystemExit(f"mutants: --count must be 1 or more (got {said.count})")
    path = said.results or ROOT / f"build/mutants/{said.seed}.jsonl"
    head = _git("rev-parse", "HEAD").strip()
    ledger = Ledger(path, said.seed, head)
    aside = tomllib.loads(NOTES.read_text()).get("SAME", {})
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        try:
            copy = Copy(Path(folder), head if said.again else ledger.commit, said.all)
            python, native = copy.sources("src/rookery", ".py"), copy.sources("native", ".hpp", ".cpp")
            counts = share([] if said.native_only else python, [] if said.python_only else native, said.count)
            results = (
                run_again(copy, ledger, head, aside)
                if said.again
                else run(copy, ledger, counts, said.seed, aside)
            )
        finally:
            _git("worktree", "remove", "--force", str(Path(folder) / "tree"))
    if said.json:
        facts = {"commit": ledger.commit, "seed": said.seed, **summary(results, ledger.first)}
        print(json.dumps({**facts, "changes": [asdict(each) for each in results]}, indent=1))
    else:
        print(report(results, ledger, said.seed))


if __name__ == "__main__":
    main()
