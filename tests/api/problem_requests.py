"""Requests about sheets, groups and whole documents that are refused, one for each code, for the pages of the codes."""

from __future__ import annotations

import json
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from companion.library import LANGUAGES
from companion.sheets.events import SheetOpened, SheetTitled, Undone
from companion.sheets.memory import MemoryStore
from companion.sheets.service import SheetService
from companion.sheets.sql import SqlStore
from companion.sheets.state import Seat
from companion.sheets.store import MAX_EVENTS, NO_HASH, Conflict, Unavailable, stamp, to_file, to_records
from companion.web import create_app
from companion.web.api.http import PREFIX
from companion.web.sheet_service import use_service
from tests.api.test_example_responses import AT, ID, _tokens

NAMES: Final = ["Aki", "Ben", "Chie", "Dai"]
FACTS: Final = {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}
SEATS: Final = tuple(Seat(seat, name) for seat, name in zip("ABCD", NAMES, strict=True))


class Asker:
    """A client of an application with a store of its own, which keeps the problems that it is answered with."""

    def __init__(self, store: Any, **config: Any) -> None:
        app = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:", "SECRET_KEY": "an example", **config})
        use_service(app, SheetService(store, clock=lambda: AT, token=_tokens()))
        self.client = app.test_client()
        self.kept: dict[str, Any] = {}
        self.secrets: dict[str, str] = {}
        self._keys = iter(range(10**6))

    def send(self, path: str, body: Any = None, *, method: str = "", **headers: str) -> Any:
        """Send a request, with the secret of the sheet or the group in its path and a new key; return the answer."""
        known = {"Idempotency-Key": f"key-{next(self._keys)}", "If-Match": "*", "X-Request-Id": ID}
        secret = next((secret for log, secret in self.secrets.items() if f"/{log}" in path), "")
        known |= {"Authorization": f"Bearer {secret}"} if secret else {}
        known |= {name.replace("_", "-"): value for name, value in headers.items()}
        verb = method or ("GET" if body is None else "POST")
        if verb == "GET" and "If_Match" not in headers:
            del known["If-Match"]
        media = known.pop("Content-Type", "application/json")
        known = {name: value for name, value in known.items() if value}
        sent = body if isinstance(body, str) else json.dumps(body)
        return self.client.open(PREFIX + path, method=verb, data=sent, content_type=media, headers=known)

    def open(self, path: str, body: Any) -> str:
        """Open a sheet or a group; return its id."""
        made = self.send(path, body).get_json()
        self.secrets[made["id"]] = made["secrets"]["score"]
        log: str = made["id"]
        return log

    def write(self, log: str, *commands: Any) -> None:
        """Write commands, which must be good."""
        for command in commands:
            answer = self.send(f"/{log_path(log)}/events", command)
            assert answer.status_code < 300, answer.text

    def refuse(self, code: str, path: str, body: Any = None, *, method: str = "", **headers: str) -> None:
        """Keep what a request that is refused with a code is answered in each language."""
        answers = {}
        for lang in LANGUAGES:
            answer = self.send(f"{path}{'&' if '?' in path else '?'}lang={lang}", body, method=method, **headers)
            document = answer.get_json()
            errors = [error for error in document.get("errors", ()) if error["code"] == code]
            assert errors or document["type"] == f"/problems/{code}", (code, answer.text)
            answers[lang] = errors[0] if errors else document
        for log, name in [(log, "{group}" if log.startswith("~") else "{sheet}") for log in self.secrets]:
            path = path.replace(log, name)
        verb = method or ("GET" if body is None else "POST")
        sent = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items() if value]
        self.kept[code] = {"path": "\n".join([f"{verb} {PREFIX}{path}", *sent]), "request": body, "answers": answers}


def log_path(log: str) -> str:
    """The path of a log below that of the API."""
    return f"groups/{log}" if log.startswith("~") else f"sheets/{log}"


def kept_requests() -> dict[str, Any]:
    """Every request with its answers, by the code. The same in every process."""
    asker = Asker(MemoryStore())
    for ask in (of_sheets, of_deals, of_history, of_groups, of_documents):
        ask(asker)
    return asker.kept | of_files() | of_faults()


def of_sheets(asker: Asker) -> None:
    empty = asker.open("/sheets", {"seats": NAMES})
    asker.refuse("no-game", f"/sheets/{empty}/events", {"type": "record_deal", "facts": FACTS})
    asker.refuse("nothing-to-undo", f"/sheets/{empty}/events", {"type": "undo"})
    asker.refuse("nothing-to-redo", f"/sheets/{empty}/events", {"type": "redo"})
    asker.refuse("unknown-command", f"/sheets/{empty}/events", {"type": "shuffle"})
    full = asker.open("/sheets", {"seats": [f"Player {number}" for number in range(1, 13)]})
    asker.refuse("seats-full", f"/sheets/{full}/events", {"type": "add_player", "name": "Eve"})
    asker.refuse("unknown-game", "/sheets", {"seats": NAMES, "game": "poker"})
    asker.refuse("table-size", "/sheets", {"seats": [*NAMES, "Eve", "Fumi", "Gen"], "game": "spades"})
    sides = [{"id": "us", "players": ["A", "C"]}, {"id": "them", "players": ["B"]}]
    asker.refuse("sides-seats", "/sheets", {"seats": NAMES, "game": "spades", "sides": sides})
    asker.refuse("seat-id", "/sheets", {"seats": [{"id": "seat 1", "name": "Aki"}, {"id": "B", "name": "Ben"}]})
    asker.refuse("hidden-signs", "/games/spades/score", {"sides": ["NS\u202e", "EW"], "deals": []})


def of_deals(asker: Asker) -> None:
    sheet = asker.open("/sheets", {"seats": NAMES, "game": "spades"})
    path = f"/sheets/{sheet}/events"
    asker.write(
        sheet,
        *(
            {"type": "make_call", "call": {"seat": seat, "call": call}}
            for seat, call in zip("BCDA", (2, 2, 4, 5), strict=True)
        ),
    )
    asker.refuse("calls-differ", path, {"type": "record_deal", "facts": {**FACTS, "A+C": {"bid": 6, "tricks": 8}}})
    asker.refuse("unknown-call", path, {"type": "change_call", "place": 7, "call": {"seat": "B", "call": 3}})
    asker.write(sheet, {"type": "record_deal", "deal": 1, "facts": FACTS})
    asker.refuse("deal-number", path, {"type": "record_deal", "deal": 5, "facts": FACTS})
    asker.refuse("unknown-deal", path, {"type": "correct_deal", "deal": 9, "facts": FACTS})
    asker.refuse("unknown-game-number", path, {"type": "confirm_deal", "deal": 1, "side": "A+C", "game_number": 4})
    asker.refuse("no-points", path, {"type": "adjust", "side": "A+C", "points": 0, "reason": "talk"})
    asker.write(sheet, {"type": "record_deal", "deal": 2, "facts": FACTS})
    asker.refuse("dealer-moved-on", path, {"type": "void_deal", "deal": 1, "dealer_stays": True})
    deep: Any = 1
    for _ in range(13):
        deep = [deep]
    asker.refuse("depth", path, {"type": "record_deal", "facts": {"A+C": deep}})
    other = asker.open("/sheets", {"seats": NAMES[:2], "game": "casino"})
    asker.refuse("no-calls", f"/sheets/{other}/events", {"type": "make_call", "call": {"seat": "A", "call": 3}})


def of_history(asker: Asker) -> None:
    """Files that were changed after they had been exported."""
    events = [SheetOpened(SEATS), SheetTitled("Friday")]
    whole = to_file(to_records(events, NO_HASH, 0, stamp(AT), ""))

    def changed(place: int, **fields: Any) -> Any:
        return {
            **whole,
            "events": [{**event, **(fields if at == place else {})} for at, event in enumerate(whole["events"])],
        }

    for code, file in {
        "hash-chain": changed(1, data={"title": "Saturday"}),
        "unknown-event": changed(1, kind="sheet_burnt"),
        "event-version": changed(1, version=9),
        "not-canonical": changed(1, data={"title": " Friday"}),
        "time": changed(1, at="yesterday"),
        "broken-log": to_file(to_records([SheetOpened(SEATS), Undone(1)], NO_HASH, 0, stamp(AT), "")),
    }.items():
        asker.refuse(code, "/sheets/import", file)


def of_groups(asker: Asker) -> None:
    group = asker.open("/groups", {"title": "Tuesday", "names": NAMES})
    path = f"/groups/{group}/events"
    asker.refuse("name-taken", path, {"type": "rename_member", "member": "m1", "name": "Ben"})
    asker.refuse("same-member", path, {"type": "merge_member", "member": "m1", "into": "m1"})
    asker.refuse("unknown-member", path, {"type": "rename_member", "member": "m9", "name": "Eve"})
    league: Any = {"type": "start_league", "title": "Autumn", "game": "spades", "form": "random-partners"}
    league |= {"players": ["m1", "m2", "m3", "m4"], "win": 2, "level": 1}
    asker.write(group, *[league] * 50)
    asker.refuse("leagues-full", path, league)
    rounds = [{"type": "draw_round", "league": 1, "after": after, "seed": 4} for after in range(101)]
    asker.write(group, *rounds[:-1])
    asker.refuse("rounds-full", path, rounds[-1])
    guests = [f"Guest {number}" for number in range(196)]
    asker.write(group, *({"type": "add_members", "names": guests[first : first + 49]} for first in range(0, 196, 49)))
    asker.refuse("members-full", path, {"type": "add_members", "names": ["Eve"]})


def of_documents(asker: Asker) -> None:
    sheet = asker.open("/sheets", {"seats": NAMES})
    path, note = f"/sheets/{sheet}/events", {"type": "title_sheet", "title": "Friday"}
    asker.send(path, note, Idempotency_Key="friday")
    other = {"type": "title_sheet", "title": "Saturday"}
    asker.refuse("idempotency-key-reused", path, other, Idempotency_Key="friday")
    asker.refuse("if-match-unreadable", path, other, If_Match="seven")
    asker.refuse("precondition-failed", "/games", If_Match='"an-older-version"')
    asker.refuse("method-not-allowed", "/games", {}, method="PUT")
    asker.refuse("cursor", "/articles?q=bags&cursor=page-2")
    asker.refuse("duplicate-key", "/games/spades/score", '{"sides": ["NS", "EW"], "deals": [], "deals": []}')
    asker.refuse("bad-request", "/games", Host="another.example")
    for code, left_out in (("unauthorized", "Authorization"), ("idempotency-key-required", "Idempotency_Key")):
        asker.refuse(code, path, other, **{left_out: ""})
    asker.refuse("precondition-required", path, other, If_Match="")
    asker.refuse("version-conflict", path, other, If_Match='"1"')
    watching = asker.send(f"/sheets/{sheet}/links", {"scope": "watch", "label": "Eve"}).get_json()["secret"]
    asker.refuse("forbidden", path, other, Authorization=f"Bearer {watching}")
    asker.refuse("not-found", "/games/poker")
    asker.refuse("malformed-json", "/games/spades/score", '{"sides": ["NS", "EW"], "deals": [}')
    asker.refuse("unsupported-media-type", "/games/spades/score", "sides: [NS, EW]", Content_Type="application/yaml")
    score = {"sides": ["NS", "EW"], "deals": [{"NS": {"bid": 5, "tricks": 14}, "EW": {"bid": 6, "trics": 5}}]}
    asker.refuse("invalid-input", "/games/spades/score", score)
    titles = [SheetTitled(str(number)) for number in range(1, MAX_EVENTS)]
    records = to_records([SheetOpened(SEATS), *titles], NO_HASH, 0, stamp(AT), "")
    full = asker.open("/sheets/import", to_file(records))
    asker.refuse("sheet-full", f"/sheets/{full}/events", other)


def of_files() -> dict[str, Any]:
    """A file that a server with a key has signed, without its last event."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(SqlStore(Path(folder) / "a.sqlite3", key="an example")) as store,
    ):
        asker = Asker(store)
        sheet = asker.open("/sheets", {"seats": NAMES, "title": "Friday"})
        asker.write(sheet, {"type": "title_sheet", "title": "Saturday"})
        file = asker.send(f"/sheets/{sheet}/export.json").get_json()
        asker.refuse("file-anchor", "/sheets/import", {**file, "events": file["events"][:-1]})
        return asker.kept


class Busy(MemoryStore):
    """A store to which others always write first."""

    def append(self, sheet: str, *given: Any, **more: Any) -> Any:
        """Raise Conflict."""
        raise Conflict(1, raced=True)


class Away(MemoryStore):
    """A store whose disk is full, or worse."""

    fault: Exception = Unavailable("SQLITE_FULL")

    def linked_head(self, secret_hash: str) -> Any:
        """Raise the fault."""
        raise self.fault


class Broken(Away):
    """A store that fails as no store may."""

    fault = RuntimeError("broken")


def of_faults() -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for code, store in (("conflict", Busy()), ("unavailable", Away()), ("server-error", Broken())):
        asker = Asker(store)
        sheet = asker.open("/sheets", {"seats": NAMES})
        title = {"type": "title_sheet", "title": "Friday"} if code == "conflict" else None
        asker.refuse(code, f"/sheets/{sheet}/events" if title else f"/sheets/{sheet}", title)
        kept |= asker.kept
    asker = Asker(MemoryStore(), RATE_LIMIT="1 per hour")
    asker.send("/games")
    asker.refuse("too-many-requests", "/games")
    return kept | asker.kept
