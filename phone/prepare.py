"""Runs on the phone's Python when its memory is prepared: imports the program, and answers once what is asked often."""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import re
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, "/app")
os.environ["XDG_CACHE_HOME"] = "/dev/null"  # the memory is kept; a copy of the index on its disk would only fill it

import companion
from companion.data import LANGUAGES
from companion.games import GAMES
from companion.web.phone.device import Device, Response

ROOT = "http://localhost"
FORM = [("content-type", "application/x-www-form-urlencoded")]


def ask(path: str, **fields: str) -> Response:
    """Return the answer to a request, which must succeed: to a form where fields are given."""
    answer = device.answer("POST" if fields else "GET", ROOT + path, FORM if fields else [], urlencode(fields).encode())
    if answer.status >= 400:
        raise LookupError(f"{path}: {answer.status}")
    return answer


def warm(lang: str, game: str) -> None:
    """Ask for the pages of a game, and open a sheet of it."""
    form = f"/{lang}/sheets/new/{game}"
    token = re.findall(r'name="csrf_token"[^>]*value="([^"]*)', ask(form).body.decode())
    names = {f"name{place}": f"{place}" for place in range(2)}
    fields = {"csrf_token": token[0], **names}
    opened = device.answer("POST", ROOT + form, FORM, urlencode(fields).encode())
    if opened.status != 303:
        fields |= {f"name{place}": f"{place}" for place in range(4)}
        opened = ask(form, **fields)
    sheet = dict(opened.headers)["Location"]
    for page in ("", "/ahead", "/log", "/version", "/settings", "/rules", "/what-if", "/text"):
        device.answer("GET", ROOT + sheet + page, [], b"")
    for page in (f"rules/{game}", *([f"referee/{game}"] if GAMES[game].questions else []), f"search?q={game}"):
        ask(f"/{lang}/{page}")


for found in pkgutil.walk_packages(companion.__path__, "companion."):
    with suppress(ModuleNotFoundError):  # what only a server has
        importlib.import_module(found.name)
device = Device(json.loads(Path("/app/static.json").read_text("utf-8")))
for lang in LANGUAGES:
    for page in ("", "sheets", "sheets/new", "rules", "referee", "problems", "sheets/import"):
        ask(f"/{lang}/{page}")
    for game in GAMES:
        warm(lang, game)
device.begin("", "{}", [])
gc.collect()
