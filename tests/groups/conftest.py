"""People who play together, and the phones that keep their group."""

from __future__ import annotations

from typing import Any

import pytest

from companion.sheets.groups import GroupService, GroupView
from companion.sheets.service import Opened, SheetService
from companion.sheets.store import open_store
from tests.keeper.phone import Phone
from tests.sheets.conftest import Clock

NAMES = ("Aki", "Beth", "Chika", "Dan")


@pytest.fixture
def groups() -> GroupService:
    """Groups in memory, with a clock that moves on."""
    return GroupService(SheetService(open_store("memory:"), clock=Clock()))


@pytest.fixture
def tuesday(groups: GroupService) -> Opened[GroupView]:
    """A group of four, who get the ids m1 to m4."""
    return groups.open_group("Tuesday", NAMES, "en")


@pytest.fixture
def phone(app: Any) -> Phone:
    """The phone on which the group was made; its page is in view."""
    phone = Phone(app.test_client())
    phone.get("/en/groups")
    phone.press("Make the group", title="Tuesday", names="\n".join(NAMES))
    assert phone.status == 200
    return phone


@pytest.fixture
def other(app: Any) -> Phone:
    """A phone that has no link to anything yet."""
    return Phone(app.test_client())
