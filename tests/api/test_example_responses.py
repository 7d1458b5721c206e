"""The example responses of the OpenAPI document, kept as a file of the package.

`python -m tests.api.test_example_responses` asks an application every example, on a store of its own, and writes its
answers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson
from flask import Flask

from companion.describe import extra_questions
from companion.engine.shapes import Json
from companion.games import GAMES, default_game
from companion.rulebook.words import words
from companion.sheets.memory import MemoryStore
from companion.sheets.service import SheetService
from companion.web import create_app
from companion.web.api import examples
from companion.web.api.http import JSON, NDJSON, PREFIX, operation_id
from companion.web.sheet_service import use_service

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

FILE: Final = Path(str(files("companion.web.api"))) / "example-responses.json"
AT: Final = datetime(2026, 11, 20, 18, tzinfo=UTC)
"""When everything shown happened."""
ID: Final = "shown-in-the-document"
SHEETS: Final = f"{PREFIX}/sheets"
GROUPS: Final = f"{PREFIX}/groups"


def example_responses() -> Json:
    """Return what an application answers to every example. The same in every process."""
    app = create_app({"RATE_LIMIT": "off", "ACCESS_LOG": False, "DATABASE": "memory:"})
    use_service(app, SheetService(MemoryStore(), clock=lambda: AT, token=_tokens()))
    recorder = _Recorder(app)
    _ask_questions(recorder)
    _use_sheet(recorder)
    _use_group(recorder)
    _be_refused(recorder)
    return {"answers": recorder.answers, "problems": sorted(recorder.problems, key=lambda each: each["status"])}


def test_the_file_is_fresh() -> None:
    """Else write it anew; see above."""
    assert example_responses() == json.loads(FILE.read_text("utf-8"))


class _Recorder:
    """A client that keeps the answers."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.urls = app.url_map.bind("")
        self.answers: dict[str, dict[str, dict[str, Json]]] = {}
        """By operation, status and name of the example."""
        self.problems: list[Json] = []

    def ask(
        self,
        name: str,
        path: str,
        body: Json = None,
        *,
        method: str = "",
        media: str = JSON,
        headers: Mapping[str, str] | None = None,
        most: int | None = None,
    ) -> TestResponse:
        """Send a request and keep its answer under a name; with a body it is a POST unless `method` says.

        Of lists in the answer `most` entries are kept, of a text so many lines.
        """
        sent = b"" if body is None else body.encode() if isinstance(body, str) else orjson.dumps(body)
        verb = method or ("GET" if body is None else "POST")
        answer = self.client.open(
            path, method=verb, data=sent, content_type=media, headers={"X-Request-Id": ID, **(headers or {})}
        )
        kept = _shortened(answer.get_json(), most) if answer.is_json else "".join(answer.text.splitlines(True)[:most])
        if answer.status_code >= 400:
            self.problems.append(kept)
        else:
            by_status = self.answers.setdefault(self._operation(path, verb), {})
            by_status.setdefault(str(answer.status_code), {})[name] = kept
        return answer

    def _operation(self, path: str, verb: str) -> str:
        endpoint, _ = self.urls.match(path.partition("?")[0], verb)
        return operation_id(endpoint.rpartition(".")[2])


def _shortened(value: Json, most: int | None) -> Json:
    if isinstance(value, list):
        return [_shortened(item, most) for item in value[:most]]
    return {key: _shortened(item, most) for key, item in value.items()} if isinstance(value, dict) else value


def _ask_questions(recorder: _Recorder) -> None:
    asked = {
        "rules": examples.RULES,
        "rules/diff": examples.DIFF,
        "score": examples.SCORE,
        "check": examples.CHECK,
        "moves": examples.MOVES,
        "replay": examples.REPLAY,
    } | {name: examples.of_operation(name) for name in extra_questions()}
    for path, by_game in asked.items():
        for game, request in by_game.items():
            recorder.ask(game, f"{PREFIX}/games/{game}/{path}", request)
    for question, batch in (("score", examples.BATCH), ("replay", examples.REPLAY_BATCH)):
        for game, lines in batch.items():
            recorder.ask(game, f"{PREFIX}/games/{game}/{question}/batch", lines, media=NDJSON)
    first, short = default_game(), min(GAMES.values(), key=lambda each: len(each.articles))
    title = words(first.id, "en").title(next(iter(first.articles)).id)
    recorder.ask("all", PREFIX)
    recorder.ask("all", f"{PREFIX}/games")
    recorder.ask("first", f"{PREFIX}/articles/{next(iter(first.articles)).id}")
    recorder.ask("terms", f"{PREFIX}/glossary", most=1)
    recorder.ask(short.id, f"{PREFIX}/games/{short.id}/articles", most=1)
    recorder.ask("title", f"{PREFIX}/articles?q={title}&limit=2")
    recorder.ask(short.id, f"{PREFIX}/games/{short.id}", most=1)
    recorder.ask(short.id, f"{PREFIX}/games/{short.id}/book", most=1)
    recorder.ask(short.id, f"{PREFIX}/games/{short.id}/vectors", most=1)


def _use_sheet(recorder: _Recorder) -> None:
    """Open a sheet, play a little, show it to others, take it along."""
    opened = [recorder.ask(name, SHEETS, request) for name, request in examples.OPEN.items()]
    sheet = opened[0].json or {}
    url, secrets = f"{SHEETS}/{sheet['id']}", sheet["secrets"]
    score = bearer(secrets["score"])
    for name, request in examples.LINK.items():
        link = recorder.ask(name, f"{url}/links", request, headers=score)
    recorder.ask("links", f"{url}/links", headers=score)
    for name, command in examples.COMMANDS.items():
        if name in examples.PREVIEW:
            recorder.ask(name, f"{url}/preview", command, headers=score)
        recorder.ask(name, f"{url}/events", command, headers={**score, "If-Match": "*", "Idempotency-Key": name})
    for name, request in examples.WHAT_IF.items():
        recorder.ask(name, f"{url}/what-if", request, headers=score)
    for name, path in {
        "sheet": "",
        "log": "/events",
        **{f"export.{kind}": f"/export.{kind}" for kind in EXPORTS},
    }.items():
        recorder.ask(name, f"{url}{path}", headers=score)
    for name, file in examples.FILE.items():
        recorder.ask(name, f"{SHEETS}/import", file)
    same = {"type": "title_sheet", "title": next(iter(examples.OPEN.values())).get("title", "")}
    recorder.ask("same-title", f"{url}/events", same, headers={**score, "If-Match": "*", "Idempotency-Key": "same"})
    command, key = examples.COMMANDS["undo"], {"Idempotency-Key": "another"}
    recorder.ask("no-version", f"{url}/events", command, headers={**score, **key})
    recorder.ask("no-key", f"{url}/events", command, headers={**score, "If-Match": "*"})
    recorder.ask("outdated", f"{url}/events", command, headers={**score, **key, "If-Match": '"3"'})
    watch = bearer(secrets["watch"])
    recorder.ask("watching", f"{url}/events", command, headers={**watch, **key, "If-Match": "*"})
    recorder.ask("no-secret", url)
    recorder.ask("revoked", f"{url}/links/{(link.json or {})['link']['id']}", method="DELETE", headers=score)
    recorder.ask("deleted", url, method="DELETE", headers=score)


def _use_group(recorder: _Recorder) -> None:
    """Open a group, let it play a little, show it to others, take it along."""
    opened = [recorder.ask(name, GROUPS, request) for name, request in examples.GROUP_OPEN.items()]
    group = opened[0].json or {}
    url, score = group["url"], bearer(group["secrets"]["score"])
    for name, command in examples.GROUP_COMMANDS.items():
        recorder.ask(name, f"{url}/events", command, headers={**score, "If-Match": "*", "Idempotency-Key": name})
    same = {"type": "title_group", "title": examples.GROUP_COMMANDS["title"]["title"]}
    recorder.ask("same-title", f"{url}/events", same, headers={**score, "If-Match": "*", "Idempotency-Key": "same"})
    sheets = [
        recorder.ask(name, f"{url}/sheets", request, headers=score).json or {}
        for name, request in examples.GROUP_SHEET.items()
    ]
    events = {**bearer(sheets[0]["secrets"]["score"]), "If-Match": "*"}
    recorder.client.post(
        f"{sheets[0]['url']}/events",
        json=examples.COMMANDS["deal"],
        headers={**events, "Idempotency-Key": "deal"},
    )
    for name in examples.GROUP_JOIN:
        secret = {"secret": sheets[0]["secrets"]["score"]}
        recorder.ask(name, f"{url}/sheets/{sheets[0]['id']}", secret, method="PUT", headers=score)
    for name, request in examples.GROUP_LINK.items():
        recorder.ask(name, f"{url}/links", request, headers=score)
    for name, path in {
        "group": "",
        "sheets": "/sheets",
        "sheet": f"/sheets/{sheets[0]['id']}",
        "tables": "/playing",
        "all": "/statistics",
        "autumn": "/leagues/1",
        "links": "/links",
        "export.json": "/export.json",
        "export.csv": "/export.csv",
    }.items():
        recorder.ask(name, url + path, headers=score)


EXPORTS: Final = ("json", "csv", "txt")


def bearer(secret: str) -> dict[str, str]:
    """Return the header that carries a secret."""
    return {"Authorization": f"Bearer {secret}"}


def _be_refused(recorder: _Recorder) -> None:
    game = default_game()
    score = f"{PREFIX}/games/{game.id}/score"
    request = examples.SCORE[game.id]
    if game.id in examples.REFUSED:
        recorder.ask("facts", score, examples.REFUSED[game.id])
    recorder.ask("unknown-key", score, {**request, "player": 1})
    recorder.ask("no-such-game", f"{PREFIX}/games/{'-'.join(GAMES)}")
    recorder.ask("not-json", score, "{")
    recorder.ask("no-json", score, "{}", media="text/plain")
    recorder.ask("too-large", score, {"rules": " " * 100_000})


def _tokens() -> Callable[[int], str]:
    """Return a source of ids and secrets that are always the same."""
    numbers = count(1)

    def token(size: int) -> str:
        return hashlib.sha256(f"example {next(numbers)}".encode()).hexdigest()[: size * 4 // 3]

    return token


if __name__ == "__main__":
    FILE.write_text(json.dumps(example_responses(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
