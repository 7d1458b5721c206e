"""Groups on every kind of store: their logs are append-only, apart from those of sheets, verified and erased alike."""

from __future__ import annotations

import json
from itertools import count

import pytest

from companion.engine import shapes
from companion.engine.problems import Refused
from companion.sheets.group_events import (
    MAX_MEMBERS,
    AddMembers,
    GroupCommand,
    KeepRules,
    MergeMember,
    RemoveMember,
    RenameMember,
    TitleGroup,
)
from companion.sheets.groups import GroupFileShape, GroupService
from companion.sheets.service import SheetService
from companion.sheets.store import SCORE, WATCH, NoSuchSheet, Store
from tests.sheets.conftest import NAMES, Clock


def _groups(store: Store) -> GroupService:
    return GroupService(SheetService(store, clock=Clock()))


def _codes(groups: GroupService, group: str, command: GroupCommand) -> list[str]:
    with pytest.raises(Refused) as refused:
        groups.do(group, command)
    return [problem.code for problem in refused.value.problems]


def test_group_is_read_back_as_it_was_written(any_store: Store) -> None:
    groups = _groups(any_store)
    opened = groups.open_group("Tuesday", NAMES, "en")
    sheet = groups.sheets.open_sheet({"seats": [*NAMES[:3], "Eve"], "game": "spades"})
    group = opened.view.id
    groups.join(group, sheet.id)
    groups.do(group, RenameMember("m1", "Akiko"))
    groups.do(group, MergeMember("m4", "m5"))
    groups.do(group, KeepRules("spades", "classic"))
    groups.do(group, TitleGroup("Wednesday"))
    groups.do(group, RemoveMember("m2"))
    fresh = _groups(any_store).read(group)
    assert fresh == groups.read(group)
    assert [member.name for member in fresh.group.current] == ["Akiko", "Chie", "Eve"]
    assert fresh.group.title == "Wednesday"
    assert fresh.group.seated(sheet.id, sheet.view.sheet.names) == {"A": "m1", "B": "m2", "C": "m3", "D": "m5"}
    assert fresh.group.named("dai") == fresh.group.members["m5"]
    assert "Ben" not in str(fresh.group.members["m2"])
    assert groups.sheets.verify() == []


def test_groups_and_sheets_do_not_see_one_another(any_store: Store) -> None:
    groups = _groups(any_store)
    opened = groups.open_group("Tuesday", NAMES)
    sheet = groups.sheets.open_sheet({"seats": NAMES, "game": "spades"})
    assert (list(any_store.sheets()), list(any_store.groups())) == ([sheet.id], [opened.view.id])
    watch = groups.sheets.create_link(opened.view.id, WATCH, "the wall")
    for secret in (opened.score_secret, watch.secret):
        assert groups.find(secret).sheet == opened.view.id
        for read in (groups.sheets.find, groups.sheets.watch):
            with pytest.raises(NoSuchSheet):
                read(secret)
    for secret in (sheet.watch_secret, sheet.score_secret):
        with pytest.raises(NoSuchSheet):
            groups.find(secret)
    with pytest.raises(NoSuchSheet):
        groups.find(watch.secret, SCORE)
    with pytest.raises(NoSuchSheet):
        groups.sheets.read(opened.view.id)
    with pytest.raises(NoSuchSheet):
        groups.read(sheet.id)


def test_lists_of_devices_hold_both_apart(any_store: Store) -> None:
    from companion.sheets.device_service import DeviceService

    groups, devices = _groups(any_store), DeviceService(any_store.devices)
    opened = groups.open_group("Tuesday", NAMES)
    sheet = groups.sheets.open_sheet({"seats": NAMES, "game": "spades"})
    devices.keep("key", (opened.view.id, opened.score_link.id), (sheet.id, sheet.score_link.id))
    assert (devices.sheets("key", 10), devices.groups("key"), devices.count("key")) == (
        [sheet.id],
        [opened.view.id],
        1,
    )
    move = devices.make_move("key", leave=False)
    devices.use("other", move)
    assert (devices.sheets("other", 10), devices.groups("other")) == ([sheet.id], [opened.view.id])


def test_erased_group_leaves_its_sheets(any_store: Store) -> None:
    groups = _groups(any_store)
    opened = groups.open_group("Tuesday", NAMES)
    sheet = groups.sheets.open_sheet({"seats": NAMES, "game": "spades"})
    groups.join(opened.view.id, sheet.id)
    groups.sheets.erase(opened.view.id)
    for read in (lambda: groups.read(opened.view.id), lambda: groups.find(opened.score_secret)):
        with pytest.raises(NoSuchSheet):
            read()
    assert groups.sheets.read(sheet.id).sheet.names["A"] == NAMES[0]


def test_sheet_that_was_erased_is_not_in_the_statistics(any_store: Store) -> None:
    groups = _groups(any_store)
    opened = groups.open_group("Tuesday", NAMES)
    sheets = [groups.sheets.open_sheet({"seats": NAMES, "game": "spades"}) for _ in range(3)]
    for sheet in sheets:
        groups.join(opened.view.id, sheet.id)
    assert len(groups.played(groups.read(opened.view.id))) == 3
    groups.sheets.erase(sheets[0].id)
    groups.leave(opened.view.id, sheets[1].id)
    assert [game.id for game in groups.played(groups.read(opened.view.id))] == [f"{sheets[2].id}.1"]


@pytest.mark.parametrize("mergers", [[(1, 2), (2, 3)], [(1, 3), (2, 3)], [(1, 2), (2, 3), (3, 4)]])
def test_who_is_removed_is_removed_under_every_name(any_store: Store, mergers: list[tuple[int, int]]) -> None:
    groups = _groups(any_store)
    group = groups.open_group("Tuesday", NAMES).view.id
    for one, into in mergers:
        groups.do(group, MergeMember(f"m{one}", f"m{into}"))
    last = mergers[-1][1]
    view = groups.do(group, RemoveMember(f"m{last}"))
    left = "m4" if last == 3 else ""
    assert [member.id for member in view.group.members.values() if member.name or member.earlier] == [left] * bool(left)
    assert [member.id for member in view.group.current] == [left] * bool(left)
    exported = json.dumps(shapes.write(GroupFileShape, view.group, ()))
    assert [name for name in NAMES if name in exported] == [NAMES[3]] * bool(left)
    assert _groups(any_store).read(group) == view


def test_a_sheet_that_joins_again_changes_nothing(any_store: Store) -> None:
    groups = _groups(any_store)
    group = groups.open_group("Tuesday", NAMES).view.id
    sheet = groups.sheets.open_sheet({"seats": [*NAMES[:3], "Eve"], "game": "spades"})
    first = groups.join(group, sheet.id)
    links = groups.sheets.links(sheet.id)
    assert groups.join(group, sheet.id) == first
    assert groups.sheets.links(sheet.id) == links
    groups.sheets.revoke_link(sheet.id, first.group.sheets[sheet.id].link)
    again = groups.join(group, sheet.id)
    assert again.head.version == first.head.version + 1
    assert groups.sheet(again.group.sheets[sheet.id]).id == sheet.id
    groups.sheets.do(sheet.id, {"type": "rename_player", "seat": "A", "name": "Finn"})
    assert [member.name for member in groups.join(group, sheet.id).group.current][-1] == "Finn"


def test_a_sheet_that_may_not_join_gets_no_link(any_store: Store) -> None:
    groups = _groups(any_store)
    group = groups.open_group("Tuesday", NAMES).view.id
    sheet = groups.sheets.open_sheet({"seats": NAMES, "game": "spades"})
    before = groups.sheets.links(sheet.id)
    for _ in range(3):
        with pytest.raises(Refused):
            groups.join(group, sheet.id, table=(1, 1, 1))
    assert groups.sheets.links(sheet.id) == before


def test_what_a_group_refuses(any_store: Store) -> None:
    groups = _groups(any_store)
    group = groups.open_group("Tuesday", NAMES).view.id
    groups.do(group, RemoveMember("m4"))
    cases: list[tuple[GroupCommand, str]] = [
        (RenameMember("m1", "BEN"), "name-taken"),
        (RenameMember("m4", "Dai"), "unknown-member"),
        (MergeMember("m1", "m1"), "same-member"),
        (MergeMember("m1", "m4"), "unknown-member"),
        (MergeMember("m9", "m1"), "unknown-member"),
        (RemoveMember("m4"), "unknown-member"),
        (AddMembers(tuple(f"p{number}" for number in range(MAX_MEMBERS - 3))), "members-full"),
    ]
    version = groups.read(group).head
    assert [_codes(groups, group, command) for command, _ in cases] == [[code] for _, code in cases]
    with pytest.raises(Refused):
        groups.do(group, KeepRules("spades", "no such code"))
    assert groups.read(group).head == version
    groups.do(group, AddMembers(tuple(f"p{number}" for number in range(MAX_MEMBERS - 4))))
    assert len(groups.read(group).group.members) == MAX_MEMBERS


def test_same_command_again_writes_nothing(any_store: Store) -> None:
    groups = _groups(any_store)
    group = groups.open_group("Tuesday", NAMES).view.id
    version = groups.read(group).head
    for command in (AddMembers(("aki", "ＢＥＮ")), RenameMember("m1", "Aki"), TitleGroup("Tuesday")):
        assert groups.do(group, command).head == version


def test_write_after_another_one_is_decided_anew(any_store: Store) -> None:
    """Two services on one store, as two processes have them: neither loses what the other wrote."""
    one, two = _groups(any_store), _groups(any_store)
    group = one.open_group("Tuesday", NAMES).view.id
    numbers = count()
    for service in (one, two, two, one):
        service.do(group, AddMembers((f"new {next(numbers)}",)))
    assert one.read(group) == two.read(group)
    assert len(one.read(group).group.members) == 8


def test_revoked_link_writes_nothing(any_store: Store) -> None:
    groups = _groups(any_store)
    opened = groups.open_group("Tuesday", NAMES)
    groups.sheets.revoke_link(opened.view.id, opened.score_link.id)
    with pytest.raises(NoSuchSheet):
        groups.do(opened.view.id, TitleGroup("Mine"), link=opened.score_link)
    assert groups.read(opened.view.id).group.title == "Tuesday"
