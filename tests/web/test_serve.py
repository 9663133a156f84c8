"""What `rookery serve` says when it starts, or cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.errors import RookeryError
from rookery.interfaces.web import serve
from rookery.interfaces.web.access import FILE

COMMAND = [sys.executable, "-c", "from rookery.cli import main; main()", "serve", "--port", "0"]


def start(folder: Path, *options: str) -> list[str]:
    """The first lines that it prints."""
    options = ("--data", str(folder / "data"), "--runs", str(folder / "runs"), *options)
    process = subprocess.Popen([*COMMAND, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline()]
        if "--host" in options:
            while "sharing.md" not in lines[-1]:
                lines.append(process.stdout.readline())
                assert lines[-1]
        return lines
    finally:
        process.terminate()
        process.wait(20)


def test_the_printed_address_carries_the_token(tmp_path: Path) -> None:
    first = start(tmp_path)[0]
    token = (tmp_path / "data" / FILE).read_text().strip()
    assert f"/?token={token} " in first and "http://localhost:" in first
    assert f"/?token={token} " in start(tmp_path)[0]  # and is the same next time
    assert "/?token=one-of-my-own " in start(tmp_path, "--token", "one-of-my-own")[0]


@pytest.mark.skipif(not serve.own_addresses(), reason="this machine has no address that others could use")
def test_a_host_tells_what_is_shared(tmp_path: Path) -> None:
    told = "".join(start(tmp_path, "--host", "0.0.0.0"))
    for address in serve.own_addresses():
        assert f"http://{address}:" in told
    assert "may do everything" in told and "not encrypted" in told and "Copy invitation" in told


def test_addresses_and_names() -> None:
    assert serve.shared_addresses("127.0.0.1", 80) == serve.shared_addresses("localhost", 80) == []
    assert serve.shared_addresses("192.168.1.7", 80) == ["http://192.168.1.7:80"]
    assert serve.shared_addresses("fe80::1", 80) == ["http://[fe80::1]:80"]
    assert serve.own_names("127.0.0.1") == [] and "192.168.1.7" in serve.own_names("192.168.1.7")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--engine", "uci:nothing-of-that-name"], "no program"),
        (["--engine", "sh"], "PROTOCOL:PROGRAM"),
        (["--token", "short"], "at least 8"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(tmp_path: Path, options: list[str], told: str) -> None:
    place = ["--data", str(tmp_path / "data"), "--runs", str(tmp_path / "runs")]
    ended = subprocess.run([*COMMAND, *place, *options], capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and len(ended.stderr.splitlines()) == 1 and told in ended.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_may_not_be_written_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    ended = subprocess.run(
        [*COMMAND, "--data", str(tmp_path / "data"), "--runs", str(tmp_path / "runs")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode != 0 and len(ended.stderr.splitlines()) == 1 and "--data" in ended.stderr


def test_a_folder_in_the_place_of_a_file_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    (tmp_path / "runs").write_text("another")
    for data, runs, told in (("data", "new", "--data"), ("new", "runs", "--runs")):
        place = ["--data", str(tmp_path / data), "--runs", str(tmp_path / runs)]
        ended = subprocess.run([*COMMAND, *place], capture_output=True, text=True, timeout=60)
        assert ended.returncode != 0 and len(ended.stderr.splitlines()) == 1 and told in ended.stderr


def test_an_address_of_somewhere_else_is_named() -> None:
    # 192.0.2.0/24 is kept for documentation: no machine has it.
    with pytest.raises(RookeryError, match="is no address of this machine; name another by --host"):
        serve.bind("192.0.2.1", 8000, search=True)
