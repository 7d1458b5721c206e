"""A site that offers the program to phones, and a phone that has it."""

from __future__ import annotations

import json
from functools import lru_cache
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask

from companion.web import create_app
from companion.web.phone import MANIFEST
from companion.web.phone.device import Device
from tests.keeper.phone import Phone

ROOT = "http://localhost:8000"
FORM = [("content-type", "application/x-www-form-urlencoded")]
NAMES = ("licences.txt", "memory.bin", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs", "tree.bin", "static/a.css")


class Names(dict[str, str]):
    """Addresses of static files."""

    def __missing__(self, name: str) -> str:
        return f"/static/{name}"


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """An application with a bundle, whose files are none that would run."""
    folder = tmp_path_factory.mktemp("bundle")
    files = {}
    for name in NAMES:
        stem, _, ending = name.rpartition(".")
        path = f"{stem}.h-0123456789.{ending}"
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(name.encode())
        files[name] = {"path": path, "size": 3_000_000, "packed": 1_000_000}
    manifest = {"version": "v1", "runtime": {}, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest))
    return create_app({"DATABASE": "memory:", "RATE_LIMIT": "off", "PHONE": str(folder)})


class OnPhone:
    """What a `Phone` asks of a test client, answered by the program of a phone."""

    def __init__(self, number: int = 0) -> None:
        self.device = _device(number)
        self.device.begin("key", "{}", [])

    def get(self, path: str, *, query_string: list[tuple[str, str]] | None = None, follow_redirects: bool) -> Any:
        """Return the page that the address leads to."""
        return self._answer("GET", f"{path}?{urlencode(query_string)}" if query_string else path)

    def post(self, path: str, *, data: dict[str, Any], follow_redirects: bool) -> Any:
        """Send a form; return the page that it leads to."""
        return self._answer("POST", path, urlencode(data, doseq=True).encode())

    def _answer(self, method: str, path: str, body: bytes = b"") -> Any:
        answer = self.device.answer(method, ROOT + path, FORM if body else [], body)
        if answer.status in (302, 303):
            return self._answer("GET", dict(answer.headers)["Location"].partition("#")[0])
        text, asked = answer.body.decode(), SimpleNamespace(path=path.partition("?")[0])
        return SimpleNamespace(
            status_code=answer.status,
            request=asked,
            get_data=lambda as_text: text,
        )


@lru_cache(maxsize=2)
def _device(number: int) -> Device:
    """A phone's program, which takes a while to start: once for all tests, each of which begins with nothing kept."""
    return Device(Names())


@pytest.fixture
def away() -> Phone:
    """A phone without a line, which has the program."""
    return Phone(OnPhone())


@pytest.fixture
def second() -> Phone:
    """Another phone without a line, which has the program."""
    return Phone(OnPhone(1))
