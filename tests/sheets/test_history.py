"""The trail: what stands and what was taken back, what was confirmed no longer, which deal a step is about."""

from __future__ import annotations

from companion.sheets.service import SheetService
from tests.sheets.deals import EW, NS, correct, record


def test_what_was_taken_back_is_marked_and_named_by_what_took_it_back(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, correct(1, 5, 7, 4))
    service.do(spades, {"type": "undo"})
    corrected, undone = service.history(spades)[-2:]
    assert not corrected.in_effect
    assert undone.target == corrected.entry
    assert undone.place == corrected.place == (1, 1)
    assert (corrected.before["A+C"]["tricks"], corrected.after["A+C"]["tricks"]) == (8, 7)
    service.do(spades, {"type": "redo"})
    *_, corrected, undone, redone = service.history(spades)
    assert corrected.in_effect
    assert redone.target == corrected.entry


def test_a_deal_recorded_twice_keeps_both_attempts(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, {"type": "undo"})
    service.do(spades, record(5, 6, 4))
    told = [(trace.in_effect, trace.after and trace.after["A+C"]["tricks"]) for trace in service.history(spades)[2:]]
    assert told == [(False, 8), (True, None), (True, 6)]


def test_a_correction_says_whose_confirmation_it_ends(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, {"type": "confirm_deal", "deal": 1, "side": EW})
    service.do(spades, {"type": "confirm_deal", "deal": 1, "side": NS})
    service.do(spades, correct(1, 5, 7, 4))
    assert [trace.unconfirmed for trace in service.history(spades)[2:]] == [(), (), (), (EW, NS)]
    service.do(spades, {"type": "undo"})
    assert service.read(spades).game.deal(1).confirmed == (EW, NS)


def test_names_are_those_of_the_time(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, {"type": "rename_player", "seat": "A", "name": "Akiko"})
    recorded, renamed = service.history(spades)[-2:]
    assert recorded.sheet.names["A"] == "Aki"
    assert (renamed.earlier.names["A"], renamed.sheet.names["A"]) == ("Aki", "Akiko")


def test_rules_changed_and_names_are_about_no_recorded_deal(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, {"type": "change_rules", "deal": 1, "rules": {"options": {"target": 300}}})
    trace = service.history(spades)[-1]
    assert (trace.before, trace.after, trace.unconfirmed) == (None, None, ())
