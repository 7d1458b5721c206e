"""What a sheet shows after its events: dealers, open deals, corrections, undo and redo, several games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from companion.engine.problems import Refused
from companion.sheets import events as e
from companion.sheets.event import BrokenLog, fold
from companion.sheets.service import SheetService
from companion.sheets.state import Entry
from tests.sheets.conftest import BEGINNING, NAMES, imported
from tests.sheets.deals import EW, NS, call, correct, deal, record
from tests.sheets.test_service import rewritten


def test_a_sheet_opens_with_its_seats_sides_and_every_option_written_out(service: SheetService, spades: str) -> None:
    sheet = service.read(spades).sheet
    game = sheet.game
    assert game is not None
    assert sheet.names == dict(zip("ABCD", NAMES, strict=True))
    assert [side.id for side in game.sides] == [NS, EW]
    assert game.rules.options["bag_threshold"] == 10
    assert set(game.rules.options) == set(service.games["spades"].options.options)
    assert game.open.dealer == "D"
    assert sheet.names_in(game)[NS] == "Aki & Chie"


def test_deals_add_up_and_the_dealer_moves_on_clockwise(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    view = service.do(spades, record(6, 5, 4)).view
    assert [one.dealer for one in view.game.deals] == ["D", "A"]
    assert view.game.open.dealer == "B"
    assert {side: at.total for side, at in view.ledger.standing.items()} == {NS: 53 - 60, EW: 41 + 44}


def test_calls_are_kept_when_made_and_form_the_bids_of_the_deal(service: SheetService, spades: str) -> None:
    for seat, word in (("A", 5), ("B", 3), ("C", "nil"), ("D", 7)):
        view = service.do(spades, call(seat, word)).view
    assert [one["call"] for one in view.game.open.calls] == [5, 3, "nil", 7]
    view = service.do(spades, {"type": "change_call", "place": 0, "call": {"seat": "A", "call": 4}}).view
    facts = {NS: {"tricks": 5, "nils": [{"player": "C", "call": "nil", "tricks": 1}]}, EW: {"tricks": 8}}
    view = service.do(spades, {"type": "record_deal", "facts": facts}).view
    recorded = view.game.deals[0]
    assert recorded.facts[NS] == {"bid": 4, "tricks": 5, "nils": [{"player": "C", "call": "nil", "tricks": 1}]}
    assert recorded.facts[EW] == {"bid": 7, "tricks": 8}
    assert [one["call"] for one in recorded.calls] == [4, 3, "nil", 7]
    assert view.game.open.calls == ()
    assert view.ledger.standing[NS].total == 41 - 100


def test_cleared_calls_are_gone_until_undone(service: SheetService, spades: str) -> None:
    service.do(spades, call("A", 5))
    assert service.do(spades, {"type": "clear_calls"}).view.game.open.calls == ()
    assert len(service.do(spades, {"type": "undo"}).view.game.open.calls) == 1


def test_a_correction_keeps_a_mark_and_the_trail(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4), actor="kitchen phone")
    view = service.do(spades, correct(1, 5, 4, 4, reason="miscounted"), actor="Ben's phone").view
    corrected = view.game.deals[0]
    assert corrected.corrected
    assert corrected.facts == deal(5, 4, 4)
    first, second = corrected.changes
    assert (first.before, first.after, first.actor) == (None, deal(5, 8, 4), "kitchen phone")
    assert (second.before, second.after, second.reason) == (deal(5, 8, 4), deal(5, 4, 4), "miscounted")
    assert second.at == BEGINNING + timedelta(seconds=4)
    assert view.ledger.standing[NS].total == -50


def test_a_correction_that_changes_nothing_writes_nothing(service: SheetService, spades: str) -> None:
    before = service.do(spades, record(5, 8, 4)).version
    done = service.do(spades, correct(1, 5, 8, 4))
    assert (done.entries, done.version, service.head(spades).version) == ((), before, before)


def test_undo_and_redo_walk_along_the_log_without_erasing_it(service: SheetService, spades: str) -> None:
    start = service.read(spades)
    one = service.do(spades, record(5, 8, 4)).view
    two = service.do(spades, correct(1, 5, 4, 4)).view
    assert service.do(spades, {"type": "undo"}).view.sheet.state == one.sheet.state
    assert service.do(spades, {"type": "undo"}).view.sheet.state == start.sheet.state
    assert service.do(spades, {"type": "redo"}).view.sheet.state == one.sheet.state
    view = service.do(spades, {"type": "redo"}).view
    assert view.sheet.state == two.sheet.state
    assert view.ledger == two.ledger
    assert view.sheet.to_redo is None
    assert [type(entry.event).__name__ for entry in service.events(spades)][2:] == [
        "DealRecorded", "DealCorrected", "Undone", "Undone", "Redone", "Redone",
    ]  # fmt: skip


def test_a_new_event_ends_what_could_be_redone(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, {"type": "undo"})
    assert service.do(spades, record(3, 3, 10)).view.sheet.to_redo is None


def test_undo_stops_at_the_beginning_of_the_first_game(service: SheetService, spades: str) -> None:
    assert service.read(spades).sheet.to_undo is None
    assert service.do(spades, record(5, 8, 4)).view.sheet.to_undo.event == e.DealRecorded(1, 1, deal(5, 8, 4))


def test_the_trail_shows_what_was_taken_back(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, correct(1, 5, 4, 4, reason="wrong pile"))
    service.do(spades, {"type": "undo"})
    recorded, corrected, undone = service.history(spades)[2:]
    assert (recorded.in_effect, corrected.in_effect, undone.in_effect) == (True, False, True)
    assert (corrected.before, corrected.after) == (deal(5, 8, 4), deal(5, 4, 4))
    service.do(spades, {"type": "redo"})
    assert service.history(spades)[3].in_effect


@pytest.mark.parametrize(("stays", "dealer"), [(False, "A"), (True, "D")])
def test_a_misdeal_counts_for_nothing_and_the_dealer_passes_or_stays(
    service: SheetService, spades: str, stays: bool, dealer: str
) -> None:
    view = service.do(spades, {"type": "void_deal", "reason": "a card lay open", "dealer_stays": stays}).view
    assert view.game.deals[0].void
    assert view.game.open.dealer == dealer
    assert view.ledger.deals[0].status == "void"
    assert view.ledger.standing[NS].total == 0


def test_a_recorded_deal_can_be_voided_and_brought_back(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    view = service.do(spades, {"type": "void_deal", "deal": 1, "dealer_stays": True}).view
    assert (view.game.open.dealer, view.ledger.standing[NS].total) == ("D", 0)
    assert view.game.deals[0].corrected
    view = service.do(spades, correct(1, 5, 8, 4)).view
    assert view.ledger.standing[NS].total == 53


def test_adjustments_wait_for_the_first_deal_and_outlast_a_correction(service: SheetService, spades: str) -> None:
    service.do(spades, {"type": "adjust", "side": NS, "points": -30, "reason": "revoke"})
    view = service.do(spades, record(5, 8, 4)).view
    assert view.ledger.standing[NS].total == 23
    service.do(spades, {"type": "adjust", "side": EW, "points": 10, "reason": "late"})
    view = service.do(spades, correct(1, 5, 5, 4)).view
    assert {side: at.total for side, at in view.ledger.standing.items()} == {NS: 20, EW: 44 + 10}
    view = service.do(spades, {**correct(1, 5, 5, 4), "facts": deal(5, 5, 4, adjustments=[])}).view
    assert view.ledger.standing[NS].total == 50


def test_an_adjustment_that_waits_outlives_a_misdeal(service: SheetService, spades: str) -> None:
    service.do(spades, {"type": "adjust", "side": NS, "points": -30, "reason": "revoke"})
    service.do(spades, {"type": "void_deal"})
    assert service.do(spades, record(5, 8, 4)).view.ledger.standing[NS].total == 23


def test_dealers_can_be_skipped_and_named(service: SheetService, spades: str) -> None:
    assert service.do(spades, {"type": "skip_dealer"}).view.game.open.dealer == "A"
    assert service.do(spades, {"type": "set_dealer", "seat": "C"}).view.game.open.dealer == "C"
    assert service.do(spades, record(5, 8, 4)).view.game.open.dealer == "D"


def test_a_confirmation_falls_with_a_correction(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    confirm = {"type": "confirm_deal", "deal": 1, "side": EW}
    assert service.do(spades, confirm).view.game.deals[0].confirmed == (EW,)
    assert service.do(spades, confirm).entries == ()
    assert service.do(spades, correct(1, 5, 4, 4)).view.game.deals[0].confirmed == ()


def test_names_titles_notes_and_late_comers(service: SheetService, spades: str) -> None:
    service.do(spades, {"type": "rename_player", "seat": "B", "name": "  Bea\u202e "})
    service.do(spades, {"type": "title_sheet", "title": "金曜の会"})
    service.do(spades, {"type": "add_player", "name": "Emi"})
    service.do(spades, {"type": "write_note", "note": "new pack"})
    sheet = service.do(spades, record(5, 8, 4)).view.sheet
    assert (sheet.names["B"], sheet.names["E"], sheet.title) == ("Bea", "Emi", "金曜の会")
    assert tuple(sheet.game.deals[0].notes) == ("new pack",)


def test_a_rematch_keeps_rules_and_sides_and_moves_the_dealer_on(service: SheetService) -> None:
    rules = {"preset": "plain", "options": {"target": 50}}
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": rules, "dealer": "D"}).id
    assert service.do(sheet, record(5, 8, 4)).view.ledger.outcome.winners == (NS,)
    view = service.do(sheet, {"type": "rematch"}).view
    assert [game.number for game in view.sheet.games] == [1, 2]
    assert view.game.rules.options["target"] == 50
    assert view.game.open.dealer == "A"
    assert [ledger.outcome.over for ledger in view.ledgers] == [True, False]


def test_a_rematch_with_other_partners(service: SheetService, spades: str) -> None:
    view = service.do(spades, {"type": "rematch", "seating": ["A", "C", "B", "D"]}).view
    assert [side.players for side in view.game.sides] == [("A", "B"), ("C", "D")]


def test_an_earlier_game_can_still_be_corrected(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, {"type": "rematch"})
    view = service.do(spades, correct(1, 5, 4, 4, game_number=1)).view
    assert [ledger.standing[NS].total for ledger in view.ledgers] == [-50, 0]


def test_a_sheet_can_carry_on_from_paper(service: SheetService) -> None:
    asked = {"seats": NAMES, "game": "spades", "opening": {NS: {"total": 337, "bags": 7}}}
    sheet = service.open_sheet(asked).id
    at = service.do(sheet, record(5, 8, 4)).view.ledger.standing[NS]
    assert (at.total, at.tallies["bags"]) == (337 + 53 - 100, 0)


def test_a_log_that_cannot_have_come_about_is_refused(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    entries = service.events(spades)
    at = entries[-1].at
    for event in (
        e.SheetOpened(()),
        e.DealRecorded(1, 1, {}),
        e.DealRecorded(2, 1, {}),
        e.DealCorrected(1, 2, {}),
        e.DealCorrected(1, 0, {}),
        e.Undone(2),
        e.Redone(3),
        e.CallChanged(1, 2, 0, {}),
        e.Adjusted(1, 1, "X", 5, "why"),
        e.DealConfirmed(1, 1, "X"),
        e.DealVoided(1, 9, "", True),
        e.PlayerRenamed("X", "name"),
        e.PlayerJoined("A", "name"),
        e.DealerSet(1, 2, "X"),
        e.RulesChanged(1, 3, "classic", {}),
    ):
        with pytest.raises(BrokenLog):
            fold([*entries, Entry(4, at, "", event)])
    with pytest.raises(BrokenLog):
        fold([entries[0]._replace(seq=2)])
    with pytest.raises(BrokenLog):
        fold([])


@pytest.mark.parametrize("undone", [False, True])
def test_calls_of_a_deal_that_turns_out_to_have_none_are_left_out(
    service: SheetService, spades: str, *, undone: bool
) -> None:
    """By other rules from the open deal on, or since the deal before it is void; the contract is what was taken."""
    bids_itself = {"type": "change_rules", "rules": {"options": {"first_hand_bids_itself": True}}}
    if undone:
        service.do(spades, bids_itself)
        service.do(spades, {"type": "record_deal", "facts": {NS: {"tricks": 7}, EW: {"tricks": 6}}})
    for seat, word in zip("ABCD" if not undone else "BCDA", (3, "nil", 4, 5), strict=True):
        service.do(spades, call(seat, word))
    service.do(spades, {"type": "void_deal", "deal": 1} if undone else bids_itself)
    view = service.do(spades, {"type": "record_deal", "facts": {NS: {"tricks": 8}, EW: {"tricks": 5}}}).view
    assert view.game.deals[-1].calls == ()
    assert [at.total for at in view.ledger.standing.values()] == [80, 50]
    again = imported(service, service.export_json(spades))
    assert again.view.sheet.state == view.sheet.state


def test_facts_may_hold_lists_of_which_the_calls_say_nothing(service: SheetService, spades: str) -> None:
    for seat, word in zip("ABCD", (5, 3, "nil", "nil"), strict=True):
        service.do(spades, call(seat, word))
    wrong = [{"kind": "revoke", "by": "A"}, {"kind": "talk", "by": "B", "corrected": True}]
    nils = [{"call": "nil", "tricks": 0}]
    facts = {NS: {"tricks": 8, "nils": nils}, EW: {"tricks": 5, "nils": nils}, "irregularities": wrong}
    view = service.do(spades, {"type": "record_deal", "facts": facts}).view
    assert view.game.deal(1).facts["irregularities"] == wrong


@pytest.mark.parametrize(("facts", "kept"), [
    ({NS: {"bid": 5, "tricks": 9, "nils": [{"player": "C", "call": "nil", "tricks": 1}]}, EW: {"bid": 4, "tricks": 4}},
     True),
    ({NS: {"bid": 6, "tricks": 9, "nils": [{"player": "C", "call": "nil", "tricks": 1}]}, EW: {"bid": 4, "tricks": 4}},
     False),
    (deal(5, 8, 4), False),
    ({"void": True}, True),
])  # fmt: skip
def test_calls_stay_behind_corrected_facts_as_long_as_they_settle_them(
    service: SheetService, spades: str, facts: dict[str, Any], *, kept: bool
) -> None:
    for seat, word in zip("ABCD", (5, 3, "nil", 4), strict=True):
        service.do(spades, call(seat, word))
    nil = {"nils": [{"player": "C", "call": "nil", "tricks": 0}]}
    service.do(spades, {"type": "record_deal", "facts": {NS: {"tricks": 8, **nil}, EW: {"tricks": 5}}})
    view = service.do(spades, {"type": "correct_deal", "deal": 1, "facts": facts}).view
    assert (view.game.deal(1).facts, len(view.game.deal(1).calls)) == (facts, 4 * kept)
    assert imported(service, service.export_json(spades)).view.sheet.state == view.sheet.state


def test_calls_are_corrected_with_what_they_settle(service: SheetService) -> None:
    rules = {"options": {"bid_method": "sum"}}
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "dealer": "D", "rules": rules}).id
    for seat, word in zip("ABCD", (4, 3, 5, 2), strict=True):
        service.do(sheet, call(seat, word))
    service.do(sheet, {"type": "record_deal", "facts": {NS: {"tricks": 9}, EW: {"tricks": 4}}})
    calls = [{"seat": seat, "call": word} for seat, word in zip("ABCD", (3, 3, 5, 2), strict=True)]
    correction = {"type": "correct_deal", "deal": 1, "facts": {NS: {"tricks": 9}, EW: {"tricks": 4}}, "calls": calls}
    with pytest.raises(Refused) as refused:
        service.do(sheet, {**correction, "facts": deal(9, 9, 5)})
    assert [(p.pointer, p.code) for p in refused.value.problems] == [(("facts", NS, "bid"), "calls-differ")]
    view = service.do(sheet, correction).view
    recorded = view.game.deal(1)
    assert (list(recorded.calls), recorded.facts, recorded.corrected) == (calls, deal(8, 9, 5), True)
    assert service.do(sheet, correction).entries == ()
    again = imported(service, service.export_json(sheet))
    assert again.view.sheet.state == view.sheet.state
    file = rewritten(service.export_json(sheet), view.version, calls=calls[:1])
    with pytest.raises(Refused) as refused:
        imported(service, file)
    assert {p.code for p in refused.value.problems} == {"calls-differ"}
