"""Serve the site and the API over HTTP with granian, a WSGI server."""

from __future__ import annotations

import io
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings

_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104
FAILED = 2
"""Exit status where the service cannot start."""
_THREADS = 32
"""Twice as many as connections to the database: while all of these wait, what needs none is answered."""
_QUEUE = 512
"""Requests that one process has accepted and not answered."""
_SWITCH_SECONDS = 0.001
"""How long a thread keeps the interpreter while others wait: beside batches, half of a score's median wait."""
_HEAD_SECONDS = 10
_STOP_SECONDS = 60
"""How long a batch may go on after SIGTERM."""


def serve(host: str, port: int, processes: int = 1) -> int:
    """Serve until interrupted; return the exit status. What keeps the service from starting is printed in one line."""
    from companion.web import check_settings
    from companion.web.http import Misconfigured

    try:
        address = _free_address(host, port)
        check_settings(processes)
    except (OSError, OverflowError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        print(f"Cannot serve on {host}:{port}: {reason}. Another port: make run PORT=8123", file=sys.stderr)
        return FAILED
    except Misconfigured as fault:
        print(f"Cannot start: {fault}", file=sys.stderr)
        return FAILED
    server = Granian(
        "companion.web:start",
        address=address,
        port=port,
        interface=Interfaces.WSGI,
        workers=processes,
        blocking_threads=_THREADS,
        backpressure=_QUEUE,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=_HEAD_SECONDS * 1000, max_buffer_size=64 * 1024),
        websockets=False,
        log_enabled=False,
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_SECONDS,
    )
    announcing = threading.Thread(target=_announce, args=(address, port, announcement(host, port)), daemon=True)
    server.on_startup(announcing.start)
    server.serve(target_loader=_application)
    return 0


def _announce(address: str, port: int, text: str) -> None:
    """Print a text once somebody listens at an address."""
    while True:
        try:
            socket.create_connection((address, port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            break
    print(text, flush=True)


def _application(_: str) -> Callable[..., object]:
    """Return the application of a process, which a signal ends while it starts."""
    from companion.web import start

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    sys.setswitchinterval(_SWITCH_SECONDS)
    return start()


def announcement(host: str, port: int) -> str:
    """Return the address in a line; beyond this machine also what belongs in front, and a phone's address as QR."""
    local = "127.0.0.1" if host in _EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    lines = [f"Serving on http://{local}:{port} (Ctrl-C stops)"]
    if host not in ("127.0.0.1", "::1", "localhost"):
        lines.append("For a table at home. On the internet nginx belongs in front: deploy/proxy.conf")
    phone = _network_address() if host in _EVERY_ADDRESS else None
    if phone:
        url = f"http://{phone}:{port}"
        lines += [f"For phones on the same network: {url}", qr_lines(url)]
    return "\n".join(lines)


def qr_lines(text: str) -> str:
    """Return a QR code in half-block characters for a terminal."""
    import segno  # a tenth of a second that only this line needs

    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue().rstrip("\n")


def _free_address(host: str, port: int) -> str:
    """Return the number of an address where nobody listens: granian would share the port. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address[0], port, *address[2:]))  # `getaddrinfo` takes any number for a port
    return str(address[0])


def _network_address() -> str | None:
    """Return this machine's address on its network, the one it would send from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") or address == "0.0.0.0" else address  # noqa: S104
