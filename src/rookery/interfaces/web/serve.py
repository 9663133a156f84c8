"""`rookery serve`: the studio on a port of this machine."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

from rookery.errors import RookeryError

LOCAL = ("127.0.0.1", "localhost", "::1")


def bind(host: str, port: int, search: bool) -> socket.socket:
    """A listening socket; if the port is taken and `search` allows it, the next free one.

    Raises:
        RookeryError: it cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, port + 20 if search else port + 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
        except OSError as error:
            listener.close()
            why = error.strerror
        else:
            listener.set_inheritable(False)
            return listener
    raise RookeryError(f"port {port} of {host} cannot be had: {why}; name another by --port")


def serve(
    listener: socket.socket,
    host: str,
    folder: Path,
    runs: Path,
    reports: Path,
    hosts: list[str],
    engines: list[str],
    pace: float,
    show: bool,
) -> None:
    """Until somebody stops it."""
    try:
        import uvicorn

        from rookery.interfaces.web.app import Settings, create
        from rookery.interfaces.web.permits import engines as find_engines
    except ImportError as error:
        raise RookeryError(
            f"the studio needs {error.name}, which is not installed; pip install 'rookery[web]' would do"
        ) from None
    address = f"http://{'localhost' if host in LOCAL else host}:{listener.getsockname()[1]}/"
    app = create(
        Settings(
            folder=folder.resolve(),
            runs=runs.resolve(),
            records=(folder / "contests").resolve(),
            reports=reports.resolve(),
            engines=find_engines(engines),
            hosts=tuple(hosts) if host in LOCAL else (host, *hosts),
            pace=pace,
        )
    )
    print(f"Rookery is at {address}  (Ctrl-C leaves)", flush=True)
    if show and (sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()):
        threading.Timer(0.5, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        app, log_level="warning", ws_max_size=256 * 1024, timeout_graceful_shutdown=2, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listener])
