"""The trail: what stands and what was taken back, what was confirmed no longer, which deal a step is about."""

from __future__ import annotations

from companion.sheets.desk import Desk
from tests.sheets.deals import EW, NS, correct, record


def test_what_was_taken_back_is_marked_and_named_by_what_took_it_back(desk: Desk, spades: str) -> None:
    desk.do(spades, record(5, 8, 4))
    desk.do(spades, correct(1, 5, 7, 4))
    desk.do(spades, {"type": "undo"})
    corrected, undone = desk.trail(spades)[-2:]
    assert not corrected.stands
    assert undone.target == corrected.entry
    assert undone.place == corrected.place == (1, 1)
    assert (corrected.before["A+C"]["tricks"], corrected.after["A+C"]["tricks"]) == (8, 7)
    desk.do(spades, {"type": "redo"})
    *_, corrected, undone, redone = desk.trail(spades)
    assert corrected.stands
    assert redone.target == corrected.entry


def test_a_deal_recorded_twice_keeps_both_attempts(desk: Desk, spades: str) -> None:
    desk.do(spades, record(5, 8, 4))
    desk.do(spades, {"type": "undo"})
    desk.do(spades, record(5, 6, 4))
    told = [(trace.stands, trace.after and trace.after["A+C"]["tricks"]) for trace in desk.trail(spades)[2:]]
    assert told == [(False, 8), (True, None), (True, 6)]


def test_a_correction_says_whose_confirmation_it_ends(desk: Desk, spades: str) -> None:
    desk.do(spades, record(5, 8, 4))
    desk.do(spades, {"type": "confirm_deal", "deal": 1, "side": EW})
    desk.do(spades, {"type": "confirm_deal", "deal": 1, "side": NS})
    desk.do(spades, correct(1, 5, 7, 4))
    assert [trace.unconfirmed for trace in desk.trail(spades)[2:]] == [(), (), (), (EW, NS)]
    desk.do(spades, {"type": "undo"})
    assert desk.read(spades).game.deal(1).confirmed == (EW, NS)


def test_names_are_those_of_the_time(desk: Desk, spades: str) -> None:
    desk.do(spades, record(5, 8, 4))
    desk.do(spades, {"type": "rename_player", "seat": "A", "name": "Akiko"})
    recorded, renamed = desk.trail(spades)[-2:]
    assert recorded.sheet.names["A"] == "Aki"
    assert (renamed.earlier.names["A"], renamed.sheet.names["A"]) == ("Aki", "Akiko")


def test_rules_changed_and_names_are_about_no_recorded_deal(desk: Desk, spades: str) -> None:
    desk.do(spades, record(5, 8, 4))
    desk.do(spades, {"type": "change_rules", "deal": 1, "rules": {"options": {"target": 300}}})
    trace = desk.trail(spades)[-1]
    assert (trace.before, trace.after, trace.unconfirmed) == (None, None, ())
