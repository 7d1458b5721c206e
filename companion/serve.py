"""Serves the site and the API: `python -m companion.serve`."""

from __future__ import annotations

import argparse
import io
import logging
import os
import resource
import signal
import socket
import sys
from contextlib import suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

from companion.serving import Misconfigured
from companion.serving.bounds import Bounds
from companion.serving.bridge import Bridge
from companion.serving.connections import Connection

EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104
URGENT = ("/healthz",)
"""Answered while all other requests wait: an orchestrator restarts a service that does not answer here."""
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while others wait. A write gives it up some twenty times, at each call of the
database, and would wait so long each time while batches run."""
SECONDS_TO_STOP = 5
"""A client that stopped reading does not keep the server from stopping for longer."""


def main(arguments: list[str] | None = None) -> None:
    """Read host, port and number of processes from the command line and serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m companion.serve", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--processes", type=int, default=1, help="more than one needs a database that they share")
    options = parser.parse_args(arguments)
    sys.exit(serve(options.host, options.port, options.processes))


def serve(host: str, port: int, processes: int = 1) -> int:
    """Serve until interrupted; return the exit status."""
    try:
        listener = _listen(host, port)
    except (OSError, OverflowError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        print(f"Cannot serve on {host}:{port}: {reason}. Another port: make run PORT=8123", file=sys.stderr)
        return 1
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: None)  # uvicorn sends itself the signal that stopped it, to no effect here
    _allow_many_connections()
    if os.geteuid() == 0:
        print("Warning: this runs as root; it needs no more than a user who may write the database.", file=sys.stderr)
    config = uvicorn.Config(
        "companion.serve:application",
        factory=True,
        workers=processes,
        http=Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        proxy_headers=False,  # the application knows its proxies
        server_header=False,
        access_log=False,
        log_config=None,
        log_level=logging.ERROR,
        timeout_keep_alive=Bounds().idle_seconds,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
    )
    try:
        if processes > 1:
            application()  # settings with which no process would start are said once
            print(announcement(host, port), flush=True)
            Multiprocess(config, sockets=[listener]).run()
        else:
            Announced(config, announcement(host, port)).run(sockets=[listener])
    except Misconfigured as fault:
        print(f"Cannot start: {fault}", file=sys.stderr)
        return 1
    return 0


class Announced(uvicorn.Server):
    """A server that says where it is once it serves."""

    def __init__(self, config: uvicorn.Config, text: str) -> None:
        super().__init__(config)
        self._text = text

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve and say so."""
        await super().startup(sockets)
        print(self._text, flush=True)


def application() -> Bridge:
    """Return the application of a process."""
    from companion.web import start
    from companion.web.direct import direct
    from companion.web.limits import body_limit

    sys.setswitchinterval(SWITCH_SECONDS)
    app = start()
    bounds = Bounds(connections=0) if int(app.config["PROXIES"]) else Bounds(connections=int(app.config["CONNECTIONS"]))
    return Bridge(app, body_limit(app), bounds=bounds, urgent=URGENT, is_quick=direct(app).is_quick)


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
    import segno  # a tenth of a second that only this line needs

    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue().rstrip("\n")


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address[0], port, *address[2:]))  # `getaddrinfo` takes any number for a port
        listener.set_inheritable(True)
    except BaseException:
        listener.close()
        raise
    return listener


def _allow_many_connections() -> None:
    """Raise the number of open files to what the system allows: many systems begin with 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


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
