"""IRR-0c, IRR-S6: what went wrong in a deal is kept on its sheet, and a misdeal may say who deals next."""

from __future__ import annotations

from typing import Any

import pytest

from companion.sheets.service import SheetService
from tests.sheets.deals import EW, NS, correct
from tests.sheets.test_refusals import refused

MISDEAL = {"kind": "misdeal", "by": "D"}
REVOKE = {"kind": "revoke", "by": "A", "trick": 4}


def rules(service: SheetService, sheet: str, **options: Any) -> None:
    service.do(sheet, {"type": "change_rules", "rules": {"options": options}})


def facts(*irregularities: dict[str, Any]) -> dict[str, Any]:
    return {NS: {"bid": 5, "tricks": 8}, EW: {"bid": 6, "tricks": 5}, "irregularities": list(irregularities)}


def record(*irregularities: dict[str, Any]) -> dict[str, Any]:
    return {"type": "record_deal", "facts": facts(*irregularities)}


def test_a_remedy_counts_on_a_sheet_and_a_correction_keeps_it(service: SheetService, spades: str) -> None:
    rules(service, spades, revoke_remedy="tricks")
    view = service.do(spades, record(REVOKE)).view
    assert {side: at.total for side, at in view.ledger.standing.items()} == {NS: 50, EW: 60}
    assert view.ledger.deals[0].irregularities[0].side == NS
    view = service.do(spades, correct(1, 5, 9, 4)).view
    assert view.game.deals[0].facts["irregularities"] == [REVOKE]
    assert view.ledger.standing[NS].total == 51  # 9 taken, 3 of them gone


def test_warnings_are_counted_over_the_deals_of_the_game(service: SheetService, spades: str) -> None:
    rules(service, spades, talk_remedy="warning_then_tricks")
    talk = {"kind": "talk", "by": "C"}
    assert service.do(spades, record(talk)).view.ledger.standing[NS].total == 53
    assert service.do(spades, record(talk)).view.ledger.standing[NS].total == 103  # 8 - 3 still make 5


@pytest.mark.parametrize(
    ("decided", "given", "dealer"),
    [("none", None, "A"), ("same", None, "D"), ("next", None, "A"), ("next", True, "D"), ("same", False, "A")],
)
@pytest.mark.parametrize("open_deal", [True, False])
def test_a_misdeal_says_who_deals(
    service: SheetService, spades: str, decided: str, given: bool | None, dealer: str, open_deal: bool
) -> None:
    rules(service, spades, misdeal_dealer=decided)
    command: dict[str, Any] = {"type": "void_deal", "irregularities": [MISDEAL]}
    if given is not None:
        command["dealer_stays"] = given
    if not open_deal:
        service.do(spades, record())
    view = service.do(spades, command if open_deal else command | {"deal": 1}).view
    assert view.game.deals[0].facts == {"void": True, "irregularities": [MISDEAL]}
    assert view.game.open.dealer == dealer


def test_a_recorded_misdeal_is_voided_alike(service: SheetService, spades: str) -> None:
    rules(service, spades, misdeal_dealer="same")
    void = {"type": "record_deal", "facts": {"void": True, "irregularities": [MISDEAL, REVOKE]}}
    view = service.do(spades, void).view
    assert (view.game.open.dealer, view.ledger.deals[0].status) == ("D", "void")
    assert service.do(spades, record()).view.game.open.dealer == "A"


@pytest.mark.parametrize(("decided", "dealer"), [("none", "A"), ("same", "D"), ("next", "A")])
@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize("entries", [[MISDEAL], [REVOKE, MISDEAL], [REVOKE]])
@pytest.mark.parametrize("adjusted", [False, True])
def test_facts_that_say_misdeal_say_who_deals_alike(
    service: SheetService, spades: str, decided: str, dealer: str, corrected: bool, entries: list[Any], adjusted: bool
) -> None:
    """Recorded or corrected into one, with points agreed on beside it or none."""
    rules(service, spades, misdeal_dealer=decided)
    void: dict[str, Any] = {"void": True, "irregularities": entries}
    if adjusted:
        void["adjustments"] = [{"side": NS, "points": -10, "reason": "agreed"}]
    if corrected:
        service.do(spades, record())
    command = {"type": "correct_deal", "deal": 1} if corrected else {"type": "record_deal"}
    done = service.do(spades, command | {"facts": void})
    view = done.view
    assert len(done.entries) == 1 + (adjusted and decided == "same" and MISDEAL in entries)  # one undo takes it back
    assert (view.game.deals[0].facts, view.ledger.deals[0].status) == (void, "void")
    assert (view.game.open.number, view.game.open.dealer) == (2, dealer if MISDEAL in entries else "A")
    assert view.ledger.standing[NS].total == -10 * adjusted


@pytest.mark.parametrize("entries", [[MISDEAL], [REVOKE, MISDEAL], [REVOKE]])
def test_a_deal_that_was_no_misdeal_after_all_is_corrected_into_its_counts(
    service: SheetService, spades: str, entries: list[Any]
) -> None:
    """What else went wrong in it stays, as in every correction."""
    service.do(spades, {"type": "void_deal", "irregularities": entries})
    view = service.do(spades, correct(1, 5, 8, 6)).view
    assert view.ledger.deals[0].status == "scored"
    assert view.game.deals[0].facts["irregularities"] == [one for one in entries if one == REVOKE]


def test_a_deal_corrected_into_a_misdeal_after_the_next_was_called_leaves_its_dealer(
    service: SheetService, spades: str
) -> None:
    rules(service, spades, misdeal_dealer="same")
    service.do(spades, record())
    service.do(spades, {"type": "make_call", "call": {"seat": "B", "call": 4}})
    void = {"void": True, "irregularities": [MISDEAL]}
    assert service.do(spades, {"type": "correct_deal", "deal": 1, "facts": void}).view.game.open.dealer == "A"


def test_a_void_deal_without_a_misdeal_goes_as_before(service: SheetService, spades: str) -> None:
    rules(service, spades, misdeal_dealer="same")
    assert service.do(spades, {"type": "void_deal", "irregularities": [REVOKE]}).view.game.open.dealer == "A"


@pytest.mark.parametrize(
    ("wrong", "pointer", "code"),
    [
        ({"kind": "false_build", "by": "A"}, "/facts/irregularities/0/kind", "choice"),
        ({"kind": "revoke", "by": "Zoe"}, "/facts/irregularities/0/by", "unknown-player"),
        ({"kind": "revoke", "by": "A", "trick": 14}, "/facts/irregularities/0/trick", "range"),
        ({"kind": "misdeal", "by": "A"}, "/facts/irregularities/0", "misdeal-not-void"),
    ],
)
def test_what_cannot_have_happened_is_refused(
    service: SheetService, spades: str, wrong: dict[str, Any], pointer: str, code: str
) -> None:
    assert refused(service, spades, record(wrong)) == [(pointer, code)]
    if code != "misdeal-not-void":
        assert refused(service, spades, {"type": "void_deal", "irregularities": [wrong]}) == [(pointer, code)]
