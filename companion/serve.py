"""Serves the site and the API with Granian: `python -m companion.serve`."""

from __future__ import annotations

import argparse
import io
import socket
import sys

import segno
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104
THREADS = 16
"""Few enough that a burst queues instead of fighting over one interpreter; batches leave the others room."""


def main(arguments: list[str] | None = None) -> None:
    """Read host and port from the command line and serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m companion.serve", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    sys.exit(serve(options.host, options.port))


def serve(host: str, port: int) -> int:
    """Serve until interrupted; answers the exit status."""
    fault = _bind_fault(host, port)
    if fault:
        print(f"Cannot serve on {host}:{port}: {fault}. Another port: make run PORT=8123", file=sys.stderr)
        return 1
    server = Server(
        "companion.serve:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        factory=True,
        workers=1,  # one process keeps one SQLite writer and one set of rate limits
        blocking_threads=THREADS,
        websockets=False,
        workers_kill_timeout=5,  # a client that stopped reading does not keep the server from stopping
        log_level=LogLevels.error,  # it warns of more threads than processors, which wait for the network and the disk
    )
    server.on_startup(lambda: print(announcement(host, port), flush=True))
    server.serve()
    return 0


def application() -> object:
    """The application in a worker."""
    from companion.web import start  # only the worker needs it

    return start()


def announcement(host: str, port: int) -> str:
    """One line with the address; for every address of the machine also the one for a phone, with its QR."""
    if host not in EVERY_ADDRESS:
        return f"Serving on http://{_in_url(host)}:{port} (Ctrl-C stops)"
    lines = [f"Serving on http://127.0.0.1:{port} (Ctrl-C stops)"]
    phone = _network_address()
    if phone:
        url = f"http://{phone}:{port}"
        lines += [f"For phones on the same network: {url}", qr_lines(url)]
    return "\n".join(lines)


def qr_lines(text: str) -> str:
    """A QR code in half-block characters for a terminal."""
    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue().rstrip("\n")


def _bind_fault(host: str, port: int) -> str | None:
    """Why the address cannot be served, in the system's words; None where it can."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind((host, port))
    except (OSError, OverflowError) as fault:
        return getattr(fault, "strerror", None) or str(fault)
    return None


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _network_address() -> str | None:
    """This machine's address on its network: the one it would send from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") or address == "0.0.0.0" else address  # noqa: S104


if __name__ == "__main__":
    main()
