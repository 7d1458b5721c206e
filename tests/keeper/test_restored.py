"""A restore while tabs are open: nothing of the history that is gone passes for the one that is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.sheets import backup
from companion.sheets.store import open_store
from companion.web.sheet_service import use_store
from tests.conftest import DATABASE
from tests.keeper.phone import Phone
from tests.sheet_client import SheetClient, record, version_in
from tests.sheets.conftest import postgres_place as postgres_place  # a fixture


def test_a_restore_drill_with_tabs_open(app: Flask, tmp_path: Path) -> None:
    place, copy, key = str(tmp_path / DATABASE), tmp_path / "copy.sqlite3", str(app.config["SECRET_KEY"])
    store: Any = app.extensions["companion-sheets"].store
    old, new = Phone(app.test_client()), Phone(app.test_client())
    old.open()
    api = SheetClient(app.test_client())
    assert backup.back_up(place, copy, key=key).faults == ()

    old.press(3)  # what the restore will take away
    gone, form = old.version, old.find(4)
    api.written(record(4, 6, 5))
    link = share_link(old)
    seen = api.get().headers["ETag"]
    assert new.client.get(link).status_code == 200

    store.close()
    assert backup.restore(copy, place, replace=True, key=key).faults == ()
    assert new.client.get(link).status_code == 404  # made after the backup
    assert api.get(If_None_Match=seen).status_code == 200

    other = Phone(old.client)
    other.sheet = old.sheet
    watched = share_link(other)
    tag = new.client.get(watched).headers["ETag"]
    other.get(old.sheet)
    other.press(5)  # other calls at the same place: the numbers are as they were
    api.version -= 1
    api.written(record(8, 9, 4))
    assert (other.version, version_in(api.get())) == (gone, api.version)

    sent, button = form
    answer = old.client.post(sent.action, data={**dict(sent.fields), button.name: button.value})
    assert answer.status_code == 409
    assert "Somebody else has changed this sheet" in answer.text
    assert api.get(If_None_Match=seen).status_code == 200
    conflict = api.write(record(5, 7, 4), version=seen)
    assert (conflict.status_code, version_in(conflict)) == (412, api.version)
    assert new.client.get(watched, headers={"If-None-Match": tag}).status_code == 200
    assert old.client.get(f"{old.sheet}/version").text != dict(sent.fields)["v"]
    assert backup.verify(place, key=key).faults == ()


def share_link(phone: Phone) -> str:
    """The path of a new watch link."""
    phone.get(f"{phone.sheet}/share")
    form = next(form for form in phone.page.forms if form.action.endswith("/share"))
    made = phone.client.post(form.action, data={**dict(form.fields), "scope": "watch", "label": ""})
    return "/en/watch/" + made.text.partition("/en/watch/")[2].split('"')[0].split("<")[0]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_app(request: pytest.FixtureRequest, app: Flask) -> Iterator[Flask]:
    """The application on either database."""
    if request.param == "sqlite":
        yield app
        return
    store = open_store(request.getfixturevalue("postgres_place"), migrate=True, key="key")
    use_store(app, store)
    yield app
    store.close()


def test_a_key_that_no_database_can_store_is_refused(any_app: Flask) -> None:
    phone = Phone(any_app.test_client())
    phone.open()
    form, button = phone.find(5)
    before = phone.version
    for key in ("a\x00b", "\x00", "a\nb", "x" * 201):
        data = {**dict(form.fields), button.name: button.value, "key": key}
        assert phone.client.post(form.action, data=data).status_code == 422, key
    for path in ("a%00b", "%00"):
        assert phone.client.get(f"/en/sheets/{path}").status_code == 404
        assert phone.client.get(f"/en/watch/{path}").status_code == 404
    phone.get(phone.sheet)
    assert phone.version == before
