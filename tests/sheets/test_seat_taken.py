"""Somebody leaves and somebody else plays on: every deal stays with whoever played it, the next game with who sits."""

from __future__ import annotations

import csv
import io
import json

import pytest

from companion.engine.evenings import Statistics
from companion.engine.problems import Refused
from companion.sheets.event import BrokenLog, fold
from companion.sheets.events import SeatTaken
from companion.sheets.groups import GroupService
from companion.sheets.service import SheetService
from companion.sheets.state import Entry
from companion.sheets.store import Store, from_records
from tests.sheets.conftest import NAMES, Clock, imported
from tests.sheets.deals import EW, NS, record

NIL = {NS: {"bid": 5, "tricks": 8}, EW: {"bid": 4, "tricks": 5, "nils": [{"player": "D", "call": "nil", "tricks": 0}]}}


def taken(player: str, **more: object) -> dict[str, object]:
    """The command by which somebody plays for D."""
    return {"type": "take_seat", "seat": "D", "player": player, **more}


def rows(service: SheetService, sheet: str) -> list[dict[str, str]]:
    """The rows of the table for spreadsheets."""
    return list(csv.DictReader(io.StringIO(service.export_csv(sheet))))


def played(service: SheetService, sheet: str) -> None:
    """Play two deals, the first with a nil of Dai; from the second on Eve plays for him."""
    service.do(sheet, {"type": "record_deal", "facts": NIL})
    service.do(sheet, taken("Eve"))
    service.do(sheet, {"type": "record_deal", "facts": NIL})


def test_each_deal_stays_with_whoever_played_it(service: SheetService, spades: str) -> None:
    played(service, spades)
    sheet = service.read(spades).sheet
    assert [sheet.state.names_at(1, deal)["D"] for deal in (1, 2, 3)] == ["Dai", "Eve", "Eve"]
    assert [row["players"] for row in rows(service, spades) if row["side"] == EW] == ["Ben & Dai", "Ben & Eve"]
    assert rows(service, spades)[0]["dealer"] == "Dai"
    assert sheet.names_in(sheet.game)[EW] == "Ben & Eve"
    text = service.export_text(spades, lambda key, facts: f"{key} {json.dumps(facts)}")
    assert 'chat-taken {"deal": 2, "name": "Dai", "player": "Eve"}' in text


@pytest.mark.parametrize(("player", "deal"), [("Aki", 1), ("Ben", 3), ("Fay", 1)])
def test_nobody_sits_at_two_seats_of_a_deal(service: SheetService, spades: str, player: str, deal: int) -> None:
    played(service, spades)
    service.do(spades, {"type": "take_seat", "seat": "C", "player": "Fay"})
    with pytest.raises(Refused) as refused:
        service.do(spades, taken(player, from_deal=deal))
    assert [problem.code for problem in refused.value.problems] == ["name-taken"]


def test_whoever_came_back_is_renamed_in_every_deal(service: SheetService, spades: str) -> None:
    played(service, spades)
    service.do(spades, taken("Dai"))
    service.do(spades, {"type": "rename_player", "seat": "D", "name": "David"})
    sheet = service.read(spades).sheet
    assert [sheet.state.names_at(1, deal)["D"] for deal in (1, 2, 3)] == ["David", "Eve", "David"]


def test_the_next_game_keeps_the_one_who_sits_there(service: SheetService, spades: str) -> None:
    played(service, spades)
    service.do(spades, {"type": "rematch"})
    sheet = service.read(spades).sheet
    assert [sheet.names_in(game)["D"] for game in sheet.games] == ["Eve", "Eve"]
    service.do(spades, taken("Finn"))
    sheet = service.read(spades).sheet
    assert [sheet.names_in(game)["D"] for game in sheet.games] == ["Eve", "Finn"]
    assert list(sheet.players.values()) == ["Dai", "Eve", "Aki", "Ben", "Chie", "Finn"]


def test_after_the_end_of_a_game_somebody_sits_down_for_the_next_one(service: SheetService) -> None:
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": {"options": {"target": 50}}}).id
    service.do(sheet, record(5, 8, 4))
    entry = service.do(sheet, taken("Eve")).entries[0]
    assert entry.event == SeatTaken("D", "Eve", 1, 2)
    assert service.history(sheet)[-1].description.message.key == "seat-taken-next"
    service.do(sheet, {"type": "rematch"})
    now = service.read(sheet).sheet
    assert [now.names_in(game)["D"] for game in now.games] == ["Dai", "Eve"]


def test_an_earlier_deal_replaces_what_was_said_of_later_ones(service: SheetService, spades: str) -> None:
    played(service, spades)
    service.do(spades, taken("Finn", from_deal=1))
    sheet = service.read(spades).sheet
    assert [sheet.state.names_at(1, deal)["D"] for deal in (0, 1, 2, 3)] == ["Dai", "Finn", "Finn", "Finn"]
    service.do(spades, {"type": "undo"})
    assert service.read(spades).sheet.state.names_at(1, 2)["D"] == "Eve"
    service.do(spades, taken("Dai", from_deal=2))
    assert service.read(spades).sheet.state.taken == ()
    assert service.do(spades, taken("Dai")).entries == ()


def test_a_rename_is_for_spelling_and_reaches_every_deal_of_the_player(service: SheetService, spades: str) -> None:
    played(service, spades)
    service.do(spades, {"type": "rename_player", "seat": "D", "name": "Eva"})
    sheet = service.read(spades).sheet
    assert [sheet.state.names_at(1, deal)["D"] for deal in (1, 2)] == ["Dai", "Eva"]


@pytest.mark.parametrize(
    ("command", "code"),
    [(taken("Eve", from_deal=3), "unknown-deal"), (taken("", from_deal=1), "required"),
     ({**taken("Eve"), "seat": "X"}, "unknown-seat")],
)  # fmt: skip
def test_what_cannot_be_is_refused(service: SheetService, spades: str, command: dict[str, object], code: str) -> None:
    service.do(spades, record(5, 8, 4))
    with pytest.raises(Refused) as refused:
        service.do(spades, command)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_a_log_with_it_goes_through_export_import_undo_and_the_chain(any_store: Store) -> None:
    service = SheetService(any_store, clock=Clock())
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "dealer": "D"}).id
    played(service, sheet)
    service.do(sheet, {"type": "undo"})
    service.do(sheet, {"type": "undo"})
    assert service.read(sheet).sheet.names["D"] == "Dai"
    service.do(sheet, {"type": "redo"})
    file = service.export_json(sheet)
    again = imported(service, json.loads(json.dumps(file)))
    assert service.export_json(again.id)["events"] == file["events"]
    assert again.view.sheet.state == service.read(sheet).sheet.state
    assert SheetService(any_store).read(sheet).sheet.names["D"] == "Eve"
    assert service.verify() == []
    file["events"][3]["data"]["player"] = "Finn"
    with pytest.raises(Refused):
        imported(service, file)


def test_an_imported_substitution_of_a_deal_that_is_not_there_is_refused(service: SheetService, spades: str) -> None:
    service.do(spades, taken("Eve"))
    records = service.store.read(spades)
    for event in (SeatTaken("D", "Eve", 2, 1), SeatTaken("D", "Eve", 1, 3), SeatTaken("X", "Eve", 1, 1)):
        entries = from_records(records)
        with pytest.raises(BrokenLog):
            fold([*entries, Entry(len(entries) + 1, entries[-1].at, "", event)])


def test_statistics_count_whoever_really_played(any_store: Store) -> None:
    groups = GroupService(SheetService(any_store, clock=Clock()))
    group = groups.open_group("Tuesday", NAMES).view.id
    sheet = groups.sheets.open_sheet({"seats": NAMES, "game": "spades", "rules": {"options": {"target": 200}}}).id
    groups.join(group, sheet)
    played(groups.sheets, sheet)
    groups.substitute(group, sheet, "D")
    groups.sheets.do(sheet, {"type": "rename_player", "seat": "D", "name": "Eva"})
    dai, eve = "m4", "m5"
    assert groups.read(group).group.members[eve].name == "Eve"
    found = Statistics(groups.played(groups.read(group)))
    assert found.games[0].over
    nils = {who: found.measured(who, "nil") for who in (dai, eve, "m1")}
    assert [(nils[who].count, nils[who].of) for who in nils] == [(1, 1), (1, 1), (0, 0)]
    assert [found.points(who).of for who in (dai, eve, "m1", "m2")] == [1, 1, 2, 2]
    assert (found.wins(dai).of, found.wins(eve).of, found.wins("m2").of) == (0, 1, 1)
    lines = list(csv.DictReader(io.StringIO(groups.export_csv(groups.read(group)))))
    assert [(row["deal"], row["result"]) for row in lines if row["name"] in ("Dai", "Eve")] == [("1", ""), ("2", "won")]
    exported = json.loads(groups.export_json(groups.read(group)))["games"][0]
    assert [deal.get("sides") for deal in exported["deals"]] == [[["m1", "m3"], ["m2", dai]], None]
    groups.sheets.do(sheet, {"type": "rematch"})
    assert [dai in side for game in groups.played(groups.read(group))[1:] for side in game.sides] == [False, False]


@pytest.mark.parametrize("undone", [True, False])
@pytest.mark.parametrize("player", ["Fay", "Gus", "Dai"])
def test_a_substitute_named_by_mistake_has_no_deal(any_store: Store, player: str, undone: bool) -> None:
    """Fay belongs to the group, Gus joins it; Dai never left."""
    groups = GroupService(SheetService(any_store, clock=Clock()))
    group = groups.open_group("Tuesday", [*NAMES, "Eve", "Fay"]).view.id
    sheet = groups.sheets.open_sheet({"seats": NAMES, "game": "spades"}).id
    groups.join(group, sheet)
    groups.sheets.do(sheet, {"type": "record_deal", "facts": NIL})
    for seat, said in (("A", "Hal"), ("D", "Eve"), ("D", player)):
        groups.sheets.do(sheet, {"type": "take_seat", "seat": seat, "player": said})
        groups.substitute(group, sheet, seat)
        if undone and said == "Eve":
            groups.sheets.do(sheet, {"type": "undo"})
    groups.sheets.do(sheet, {"type": "rename_player", "seat": "A", "name": "Hall"})
    groups.sheets.do(sheet, {"type": "record_deal", "facts": NIL})
    now = groups.read(group)
    found = Statistics(groups.played(now))
    counted = {now.group.who(who).name: found.points(who).of for who in found.players}
    expected = {"Aki": 1, "Hal": 1, "Ben": 2, "Chie": 2, "Dai": 1}
    expected[player] = expected.get(player, 0) + 1
    assert counted == expected
