"""Every form of the site, whatever it sends and whatever has happened since it was shown: a page, never a fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path
from sqlite3 import connect
from typing import Any, NamedTuple

import pytest
from flask import Flask

from companion.sheets.device_service import DeviceService
from companion.sheets.sql import SqlStore
from companion.sheets.store import Conflict, NoSuchSheet
from companion.web.keeper.entry import COMMANDS
from tests.conftest import DATABASE, in_folder
from tests.keeper.phone import Page, Phone

NAMES = ("Aki", "Beth", "Chika", "Dan")
TYPED = {
    "title": "Friday", "name": "Eve", "label": "Eve", "reason": "agreed", "note": "late", "points": "5", "side": "A+C",
    "sign": "plus", "scope": "score", "into": "m3", "form": "random-partners", "win": "2", "level": "1", "seat": "B",
    "player": "Finn",
}  # fmt: skip
"""What somebody types or taps where a form is empty."""
TIME = '[{"at": "%s", "command": {"type": "undo"}}]'
RUBBISH = (
    "", "nothing", "-1", "9" * 400, "٣", "1-", "null", "[null]", "[[]]", '[{"command": {}}]', '{"0": 1}', "[" * 30_000,
    '[{"command": {"type": "undo"}, "key": 5, "at": []}]', TIME % "0001-01-01T00:00:00+14:00", TIME % "2026-11-23",
    '[{"question": {}, "value": 1e999}]', "\0", "x" * 30_000, "seat:", "../..", "%s{0}", "~~", "1,2", "𝟙",
)  # fmt: skip
"""What no page sends."""


class Sent(NamedTuple):
    """A form of a page with one of its buttons pressed; `rule` and `kind` say which."""

    rule: str
    kind: str
    path: str
    data: Mapping[str, str]


class Site(NamedTuple):
    """A phone with a group, a league and sheets, and the forms of its pages."""

    phone: Phone
    forms: Sequence[Sent]

    def answer(self, path: str, data: Mapping[str, str]) -> int:
        """Send a form; return the status of the answer, 500 for a fault."""
        try:
            return int(self.phone.client.post(path, data=data).status_code)
        except Exception:
            return 500


@pytest.fixture(scope="module")
def made(shared_app: Flask, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Site]:
    """A folder with a database, and everything that a phone can have on it."""
    folder = tmp_path_factory.mktemp("forms")
    with in_folder(shared_app, folder):
        phone = Phone(shared_app.test_client())
        phone.get("/en/groups")
        phone.press("Make the group", title="Tuesday", names="\n".join(NAMES))
        group = phone.url
        phone.get(f"{group}/leagues")
        players: Any = ["m1", "m2", "m3", "m4"]
        phone.post(f"{group}/leagues", title="Autumn", game="spades", form="random-partners", win="2", level="1",
                   player=players)  # fmt: skip
        phone.open()
        members = "&".join(f"player={player}" for player in players)
        phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&{members}")
        phone.press("Start", **{"o.target": "30"})
        over = phone.url
        phone.deal(3, 3, 3, 3, 7)
        phone.open()
        base = phone.client.get(f"{phone.sheet}/version").text
        phone.deal(3, 4, 5, 6, 6)
        phone.press(3)
        for shared in (phone.sheet, group):
            phone.get(f"{shared}/share")
            phone.press("Make a watch link", label="wall")
        mine = json.dumps([{"command": {"type": "undo"}, "label": "x", "shown": ""}])
        phone.get(phone.sheet)
        phone.post(f"{phone.sheet}/back", base=base, mine=mine, key="back")
        pages = [phone.page.html, *(phone.client.get(each).text for each in _places(phone.sheet, over, group))]
        forms = {(each.rule, each.kind, *each.data): each for page in pages for each in _forms(shared_app, page)}
        token = next(iter(forms.values())).data["csrf_token"]
        further = [
            Sent(*_rule(shared_app, path), path, {**data, "csrf_token": token})
            for path, data in _further(phone.sheet, over, group).items()
        ]
    forgetting = ("/leave", "/forget")  # last, since the other forms need what is forgotten
    return folder, Site(phone, sorted([*forms.values(), *further], key=lambda each: each.path.endswith(forgetting)))


@pytest.fixture
def site(made: tuple[Path, Site], app: Flask, tmp_path: Path) -> Site:
    """The phone, on a copy of what was made once."""
    folder, found = made
    with closing(connect(folder / DATABASE)) as source, closing(connect(tmp_path / DATABASE)) as copy:
        source.backup(copy)
    return found


def _places(sheet: str, over: str, group: str) -> list[str]:
    of_sheet = [
        "",
        "?t0=6",
        "/settings",
        "/rules",
        "/share",
        "/deals/1",
        "/deals/1/correct?t0=7",
        "/games",
        "/what-now?what=revoke&player=A&when=later",
    ]
    of_group = ["", "/members", "/share", "/evenings", f"/evenings/{over.rpartition('/')[2]}", "/leagues", "/leagues/1"]
    others = ["devices", "devices/enter", "join", "groups", "groups/join", "sheets/new/spades", "sheets/import"]
    return [
        *(sheet + place for place in of_sheet), f"{sheet}/rules/change?rules=classic~t250", over,
        *(group + place for place in of_group), *(f"/en/{place}" for place in others),
    ]  # fmt: skip


def _further(sheet: str, over: str, group: str) -> dict[str, dict[str, str]]:
    """Forms that none of these pages shows, or whose text is typed."""
    deal, own = f"{sheet}/do", {"game": "spades", "name": "Eve"}
    return {
        f"{deal}/record": {"t0": "6"},
        f"{deal}/correct": {"deal": "1", "t0": "7"},
        f"{deal}/change-call": {"who": "seat:B", "call": "4", "place": "1"},
        f"{deal}/note": {"note": "late"},
        f"{deal}/redo": {},
        f"{sheet}/deals/1/correct": {"deal": "1", "t0": "7"},
        f"{group}/do/add": {"names": "Eve\nFinn"},
        f"{group}/evenings/{over.rpartition('/')[2]}/keep": {},
        "/en/groups": {"title": "Friday", "names": "Aki\nBeth"},
        "/en/devices/nobody/sign-out": {},
        "/en/house-rules/keep": {**own, "code": "classic~t250"},
        "/en/house-rules/rename": {**own, "to": "Finn"},
        "/en/house-rules/forget": own,
        "/en/house-rules/spades/chosen": {"preset": "classic", "options": "1", "o.target": "250"},
    }


def _forms(app: Flask, page: str) -> Iterator[Sent]:
    for form in Page(page).forms:
        if form.method == "post":
            data = {name: value or TYPED.get(name, "") for name, value in form.fields}
            pressed = {button.name: button.value for button in form.buttons[:1] if button.name}
            yield Sent(*_rule(app, form.action), form.action, {**data, **pressed})


def _rule(app: Flask, path: str) -> tuple[str, str]:
    found, values = app.url_map.bind("localhost").match(path.partition("?")[0], "POST", return_rule=True)
    return found.rule, values.get("kind", "")


def test_these_are_all_forms(site: Site) -> None:
    rules = site.phone.client.application.url_map.iter_rules()
    forms = {rule.rule for rule in rules if "POST" in (rule.methods or ()) and "/phone/" not in rule.rule}
    assert {form for form in forms if not form.startswith("/api/")} == {form.rule for form in site.forms}
    assert {form.kind for form in site.forms if "<sheet>" in form.rule} - {""} == set(COMMANDS)


def test_a_link_that_is_revoked_meanwhile_is_no_fault(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """It works when the form is looked at, and no more at one of the moments after that; nothing is ever written."""
    looked_up, asked, works = DeviceService.link, 0, 0

    def link(self: DeviceService, key: str, sheet: str) -> Any:
        nonlocal asked
        asked += 1
        if asked > works:
            raise NoSuchSheet(sheet)
        return looked_up(self, key, sheet)

    def gone(self: SqlStore, sheet: str, *_: Any) -> Any:
        raise NoSuchSheet(sheet)

    monkeypatch.setattr(DeviceService, "link", link)
    for method in ("append", "add_link", "revoke_link"):
        monkeypatch.setattr(SqlStore, method, gone)
    wrong = []
    for form in site.forms:
        if "<sheet>" not in form.rule and "<group>" not in form.rule:
            continue
        for works in range(1, 9):
            asked = 0
            status = site.answer(form.path, {name: form.data[name] for name in form.data if name not in ("v", "key")})
            if status not in (200, 303, 404, 422):
                wrong.append((form.path, works, status))
            if asked <= works:
                break
    assert wrong == []


def test_a_sheet_that_others_write_all_the_time_is_no_fault(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(self: SqlStore, sheet: str, base: int, *_: Any) -> Any:
        raise Conflict(base + 1, raced=True)

    monkeypatch.setattr(SqlStore, "append", lost)
    found = [(form.path, site.answer(form.path, {**form.data, "key": "another"})) for form in site.forms]
    assert [each for each in found if each[1] not in (200, 303, 404, 409, 422)] == []
    assert sum(status == 409 for _, status in found) > 15


def test_what_no_page_sends_is_no_fault(site: Site, thorough: bool) -> None:
    """A short run gives each field some of the rubbish, each field other kinds of it."""
    wrong, turn, step = [], 0, 1 if thorough else 7
    for form in site.forms:
        for name in form.data:
            if name == "csrf_token" or re.match(r"o\.(?!target)", name):
                continue
            turn += 1
            for rubbish in RUBBISH if name == "mine" else RUBBISH[turn % step :: step]:
                status = site.answer(form.path, {**form.data, name: rubbish})
                if status not in (200, 303, 400, 403, 404, 409, 413, 422):
                    wrong.append((form.path, name, rubbish[:60], status))
    assert wrong == []


def test_a_form_sent_twice_makes_one_thing(site: Site, tmp_path: Path) -> None:
    """A tap sent again, because its answer was lost: no second sheet, group, link, league or event."""
    file = site.phone.client.get(f"{site.phone.sheet}/export.json").data
    wrong, made = [], set()
    for number, form in enumerate(site.forms):
        data: dict[str, Any] = {**form.data, "key": form.data.get("key") or f"twice {number}"}
        data |= {"player": ["m1", "m2"], "game": "spades"} if form.rule.endswith("/leagues") else {}
        data = {name: data[name] for name in data if name not in ("kind", "step")}  # the button that starts
        counts = [_counts(tmp_path)]
        for _ in range(2):
            uploaded: dict[str, Any] = {"file": (BytesIO(file), "sheet.json")} if form.rule.endswith("/import") else {}
            site.answer(form.path, {**data, **uploaded})
            counts.append(_counts(tmp_path))
        if counts[1] != counts[2]:
            wrong.append((form.path, *counts))
        if counts[0] != counts[1]:
            made.add(form.rule)
    assert wrong == []
    assert {rule.removeprefix("/<lang:lang>") for rule in made} >= {
        "/sheets/new/<game_id>", "/sheets/import", "/sheets/<sheet>/share", "/sheets/<sheet>/do/<kind>", "/groups",
        "/groups/<group>/share", "/groups/<group>/leagues",
    }  # fmt: skip


def test_a_page_gone_back_to_makes_another_thing(site: Site, tmp_path: Path) -> None:
    [form] = [each for each in site.forms if each.path == "/en/groups"][:1]
    before = _counts(tmp_path)
    for title in ("Tuesday", "Friday"):
        assert site.answer(form.path, {**form.data, "title": title}) == 303
    assert _counts(tmp_path)["sheet"] == before["sheet"] + 2


def _counts(folder: Path) -> dict[str, int]:
    """Return how many rows there are of all that a store keeps for good."""
    with closing(connect(folder / DATABASE)) as store:
        return {
            table: store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("sheet", "event", "link")
        }  # fmt: skip
