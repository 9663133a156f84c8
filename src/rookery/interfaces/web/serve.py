"""`rookery serve`: the studio on a port of this machine."""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rookery.errors import RookeryError
from rookery.interfaces.web.access import check_token, keep_token

LOCAL = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")
SHARING = "docs/sharing.md"


@dataclass(frozen=True)
class Wish:
    """What the owner says when starting."""

    data: Path
    runs: Path
    reports: Path
    host: str = "127.0.0.1"
    hosts: list[str] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)
    token: str | None = None
    pace: float = 0.35
    show: bool = False


def bind(host: str, port: int, search: bool) -> socket.socket:
    """A listening socket; if the port is taken and `search` allows it, the next free one.

    Raises:
        RookeryError: it cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, port + 20 if search else port + 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
        except OSError as error:
            listener.close()
            why = error
        else:
            listener.set_inheritable(False)
            return listener
    if isinstance(why, socket.gaierror) or why.errno == errno.EADDRNOTAVAIL:
        raise RookeryError(f"{host} is no address of this machine; name another by --host")
    raise RookeryError(f"port {port} of {host} cannot be used: {why.strerror}; name another by --port")


def serve(listener: socket.socket, wish: Wish) -> None:
    """Until somebody stops it.

    Raises:
        RookeryError: it cannot start here; the message says why.
    """
    try:
        import uvicorn

        from rookery.interfaces.web.app import Settings, create
        from rookery.interfaces.web.connections import Door, guarded, make_room
        from rookery.interfaces.web.permits import engines
    except ImportError as error:
        raise RookeryError(
            f"the studio needs {error.name}, which is not installed; run: pip install 'rookery[web]'"
        ) from None
    kept = keep_token(wish.data)
    token = check_token(wish.token) if wish.token is not None else kept
    port = listener.getsockname()[1]
    shared = shared_addresses(wish.host, port)
    app = create(
        Settings(
            folder=wish.data.resolve(),
            runs=wish.runs.resolve(),
            records=(wish.data / "contests").resolve(),
            reports=wish.reports.resolve(),
            token=token,
            key=kept,
            engines=engines(wish.engines),
            hosts=(*wish.hosts, *own_names(wish.host)),
            addresses=tuple(shared),
            pace=wish.pace,
        )
    )
    local = wish.host if wish.host not in (*LOCAL, *EVERYWHERE) else "localhost"
    address = f"http://{f'[{local}]' if ':' in local else local}:{port}/?token={token}"
    print(f"Rookery is at {address}  (Ctrl-C leaves)", flush=True)
    if shared:
        print(_warning(shared, token), flush=True)
    if wish.show and (sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()):
        threading.Timer(0.5, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        app,
        http=guarded(Door(make_room())),
        backlog=128,
        log_level="warning",
        ws_max_size=256 * 1024,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _warning(shared: list[str], token: str) -> str:
    lines = [f"    {address}/?token={token}" for address in shared]
    return "\n".join(
        [
            "Others on the network reach it at",
            *lines,
            "Who has such an address may do everything here: play, analyse, train, hold matches. For a",
            "friend, use Copy invitation or Copy link beside a game: it opens that game and nothing else.",
            f"The connection is not encrypted; {SHARING} says how to put TLS or an ssh tunnel before it.",
        ]
    )


def shared_addresses(host: str, port: int) -> list[str]:
    """Where other machines reach a server that listens there."""
    if host in LOCAL or host.startswith("127."):
        return []
    found = own_addresses() if host in EVERYWHERE else [host]
    return [f"http://{f'[{each}]' if ':' in each else each}:{port}" for each in found]


def own_names(host: str) -> list[str]:
    """Names under which a server that listens there may be reached, besides the address that is called."""
    if host in LOCAL:
        return []
    name = socket.gethostname()
    return [f"[{host}]" if ":" in host else host, name, f"{name}.local"]


def own_addresses() -> list[str]:
    """This machine's IPv4 addresses but for the one that it alone can reach, the one of the way out first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # Nothing is sent: it only asks which way it would go.
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError, ImportError, AttributeError):
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            for _, name in socket.if_nameindex():
                with suppress(OSError):
                    wanted = struct.pack("256s", name.encode()[:15])
                    answer = fcntl.ioctl(asking.fileno(), 0x8915, wanted)  # SIOCGIFADDR
                    found.append(socket.inet_ntoa(answer[20:24]))
    return [each for each in dict.fromkeys(found) if not each.startswith("127.")]
