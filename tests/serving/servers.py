"""The service as it is deployed, on 127.0.0.1 alone: granian, and nginx with deploy/proxy.conf in front."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
SECONDS_TO_WAIT = 60
MAIN = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{ worker_connections 4096; }}
http {{
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def asked(
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    *,
    source: str = "127.0.0.1",
    **headers: str,
) -> tuple[int, bytes]:
    """Return the status and the body of the answer to a client of that address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT, source_address=(source, 0))
    with closing(connection):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Content-Type": "application/json", **names})
        answer = connection.getresponse()
        return answer.status, answer.read()


@contextmanager
def serving(folder: Path, *options: str, **settings: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run the service on a free port until the block ends."""
    port = free_port()
    environ = {
        "COMPANION_DATABASE": f"sqlite:///{folder}/companion.sqlite3", "COMPANION_RATE_LIMIT": "off",
        "MALLOC_ARENA_MAX": "2", **settings,
    }  # fmt: skip
    command = [sys.executable, "-m", "companion", "serve", "--port", str(port), *options]
    with running(command, port, {**os.environ, **environ}) as process:
        yield port, process


@contextmanager
def proxied(folder: Path, behind: int) -> Iterator[int]:
    """Run nginx with deploy/proxy.conf in front of the service on a port until the block ends; return its port."""
    assert NGINX
    port = free_port()
    proxy = (ROOT / "deploy/proxy.conf").read_text("utf-8")
    proxy = re.sub(r"^ *ssl_.*\n", "", proxy, flags=re.M)
    for stood, stands in (("443 ssl", f"127.0.0.1:{port}"), ("/var/tmp/nginx-companion", f"{folder}/bodies")):
        assert stood in proxy
        proxy = proxy.replace(stood, stands)
    upstream = (ROOT / "deploy/upstream.conf").read_text("utf-8").replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    (folder / "conf.d").mkdir(parents=True)
    (folder / "conf.d/proxy.conf").write_text(proxy, "utf-8")
    (folder / "conf.d/upstream.conf").write_text(upstream, "utf-8")
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user), "utf-8")
    with running([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], port, dict(os.environ)):
        yield port


@contextmanager
def running(
    command: list[str], port: int, environ: dict[str, str], *, alive: str = "/healthz"
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server from its first answer until the block ends."""
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ, start_new_session=True
    )
    try:
        end = time.monotonic() + SECONDS_TO_WAIT
        while True:
            with suppress(OSError):
                if asked(port, "GET", alive)[0] in (200, 405):
                    break
            assert process.poll() is None, command
            assert time.monotonic() < end, command
            time.sleep(0.1)
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def resident(pid: int) -> int:
    """Return the megabytes that a process and those that it has started have in memory; what they share counts once."""
    kilobytes = 0
    for process in (pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())):
        with suppress(OSError):
            kilobytes += int(re.search(r"^Pss: +(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.M)[1])
    return kilobytes // 1024


def busy(pid: int) -> bool:
    """Return whether a process and those that it has started use a tenth of a processor or more."""
    before = cpu(pid)
    time.sleep(0.5)
    return cpu(pid) - before > 0.05


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process and those that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    texts = [Path(f"/proc/{process}/stat").read_text() for process in (pid, *children)]
    return sum(sum(map(int, text.rpartition(")")[2].split()[11:13])) for text in texts) / os.sysconf("SC_CLK_TCK")
