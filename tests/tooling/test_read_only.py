"""An installation that nobody may write: every command, the library and the server start, and nothing is left there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.cli import cli
from companion.games import GAMES
from tests.tooling.test_wheel import wheel  # noqa: F401  a fixture

COMPANION = [sys.executable, "-m", "companion"]
SECONDS = 60


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """The folder of an installation, with the requests that commands are asked."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)
    for command in ("score", "check", "moves", "demand", "replay"):
        game = next(game for game in GAMES.values() if command in game.examples)
        request = {**game.examples[command], "game": game.id}
        (folder / f"{command}.json").write_text(json.dumps(request), "utf-8")
    (folder / "batch.jsonl").write_text(json.dumps(GAMES["spades"].examples["score"]) + "\n", "utf-8")
    return folder


@pytest.fixture
def read_only(installed: Path) -> list[str]:
    """What stands before a command that sees the installation as a mount that cannot be written."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a folder read-only")
    mount = f"mount --bind {installed} {installed} && mount -o remount,bind,ro {installed}"
    before = ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*before, "true"], capture_output=True).returncode:
        pytest.skip("this system does not let a test mount a folder")
    assert subprocess.run([*before, "touch", f"{installed}/file"], capture_output=True).returncode
    return before


def commands(installed: Path, place: str, copy: Path) -> dict[str, list[str]]:
    """Return arguments of every command that ends by itself."""
    asked = {name: [str(installed / f"{name}.json")] for name in ("score", "check", "moves", "demand", "replay")}
    return asked | {
        "batch": [str(installed / "batch.jsonl"), "--game", "spades"], "ask": ["bags"], "article": ["spades.bags"],
        "rules": ["modern"], "completion": ["bash"], "digests": [], "untranslated": ["en"], "conformance": ["http://127.0.0.1:9"],
        "migrate": ["--database", place], "backup": [str(copy), "--database", place],
        "verify": ["--database", place], "anchor": ["--database", place],
        "erase": ["nobody", "--yes", "--database", place], "restore": [str(copy), "--replace", "--database", place],
    }  # fmt: skip


def environment(installed: Path, home: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return own | {"PYTHONPATH": str(installed), "HOME": str(home), "XDG_CACHE_HOME": str(home), "LC_ALL": "C.UTF-8"}


def run_all(before: list[str], installed: Path, home: Path, work: Path) -> dict[str, subprocess.CompletedProcess[str]]:
    place, copy = f"sqlite:///{work / 'companion.sqlite3'}", work / "copy.sqlite3"
    return {
        name: subprocess.run(
            [*before, *COMPANION, name, *arguments], capture_output=True, text=True, cwd=work, timeout=SECONDS,
            env=environment(installed, home) | {"COMPANION_SECRET_KEY": "x" * 40},
        )
        for name, arguments in commands(installed, place, copy).items()
    }  # fmt: skip


@pytest.mark.slow
def test_every_command_answers_where_nothing_can_be_written(
    read_only: list[str], installed: Path, tmp_path: Path
) -> None:
    done = run_all(read_only, installed, installed, tmp_path)
    assert {*done, "serve", "mcp"} == {*cli.commands}
    failed = {name: each.stderr for name, each in done.items() if "Traceback" in each.stderr or each.returncode == 70}
    assert failed == {}
    status = {name: each.returncode for name, each in done.items()}
    assert {name for name, code in status.items() if code == 2} <= {"conformance", "erase"}, done
    assert "[spades.bags]" in done["ask"].stdout


@pytest.mark.slow
def test_nothing_is_left_but_what_python_compiles(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    before = {path for path in installed.rglob("*") if path.is_file()}
    run_all([], installed, tmp_path / "home", tmp_path)
    new = {path for path in installed.rglob("*") if path.is_file()} - before
    assert {path for path in new if path.parent.name != "__pycache__" or path.suffix != ".pyc"} == set()
    assert {path.name for path in (tmp_path / "home").rglob("*.*")} == {"search-en.pickle"}


@pytest.mark.slow
def test_the_library_answers_where_nothing_can_be_written(read_only: list[str], installed: Path) -> None:
    program = "import companion; print(companion.__file__, len(companion.search('bags')['results']))"
    done = subprocess.run(
        [*read_only, sys.executable, "-c", program], capture_output=True, text=True, cwd="/", timeout=SECONDS,
        env=environment(installed, installed),
    )  # fmt: skip
    assert done.stdout.startswith(f"{installed}/companion/__init__.py "), done.stderr
    assert int(done.stdout.split()[1]) > 5


@pytest.mark.slow
def test_the_server_answers_where_nothing_can_be_written(read_only: list[str], installed: Path, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = environment(installed, installed) | {"COMPANION_DATABASE": f"sqlite:///{tmp_path}/companion.sqlite3"}
    with _served([*read_only, *COMPANION, "serve", "--port", str(port)], settings, tmp_path):
        assert _page(f"http://127.0.0.1:{port}/en/rules/spades") == 200
        assert _page(f"http://127.0.0.1:{port}/en/search?q=bags") == 200


@contextmanager
def _served(command: list[str], settings: dict[str, str], folder: Path) -> Iterator[None]:
    server = subprocess.Popen(command, env=settings, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(SECONDS)


def _page(url: str) -> int:
    """Return the status of a page, once the server is there."""
    for _ in range(10 * SECONDS):
        try:
            with urlopen(url, timeout=SECONDS) as page:
                return int(page.status)
        except ConnectionError:
            time.sleep(0.1)
        except OSError as fault:
            if not isinstance(getattr(fault, "reason", None), ConnectionError):
                raise
            time.sleep(0.1)
    raise TimeoutError(url)
