"""Programs on the other side of a pipe, as the tests of the protocols meet them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

ROOKERY = Path(sys.executable).with_name("rookery")
PATIENCE = 120.0
"""Seconds without a line after which a test gives up; nothing should ever come near it."""


class Spoken:
    """Lines to somebody, and the lines that come back."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        """Every line so far."""
        self._lines: Queue[str | None] = Queue()

    def send(self, *lines: str) -> None:
        raise NotImplementedError

    def line(self) -> str:
        """The next line."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except Empty:
            raise AssertionError(f"no answer; the last lines were {self.heard[-5:]}") from None
        assert line is not None, f"it has ended; the last lines were {self.heard[-5:]}"
        self.heard.append(line)
        return line

    def until(self, start: str) -> list[str]:
        """The lines up to one that starts so."""
        lines = [self.line()]
        while not lines[-1].startswith(start):
            lines.append(self.line())
        return lines

    def ask(self, question: str, answer: str) -> list[str]:
        self.send(question)
        return self.until(answer)


class Piped(Spoken):
    """A process."""

    def __init__(self, *arguments: str) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [str(ROOKERY), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.decode().removesuffix("\n"))
        self._lines.put(None)

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self) -> tuple[int, str]:
        """Close its input; its exit code, and what it said on stderr."""
        assert self.process.stdin and self.process.stderr
        self.process.stdin.close()
        error = self.process.stderr.read().decode()
        return self.process.wait(PATIENCE), error

    def __enter__(self) -> Piped:
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


class Inside(Spoken):
    """A server in a thread of this process: quick, where the pipe itself is not what is tested."""

    def __init__(self, make: Callable[[Callable[[str], None]], object]) -> None:
        """make: builds the server from the function that takes what it writes."""
        super().__init__()
        self._sent: Queue[str | None] = Queue()
        self.problem: BaseException | None = None
        self.server = make(self._hear)
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _hear(self, text: str) -> None:
        for line in text.split("\n"):
            self._lines.put(line)

    def _serve(self) -> None:
        try:
            self.server.run(self._read())  # type: ignore[attr-defined]
        except BaseException as problem:
            self.problem = problem
        self._lines.put(None)

    def _read(self) -> Iterator[str]:
        while (line := self._sent.get()) is not None:
            yield line

    def send(self, *lines: str) -> None:
        for line in lines:
            self._sent.put(line)

    def __enter__(self) -> Inside:
        return self

    def __exit__(self, *problem: object) -> None:
        self._sent.put(None)
        self._thread.join(PATIENCE)
        assert self.problem is None, self.problem
