"""Random evenings: folding a log with corrections, voids, undo and redo equals scoring the corrected list."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.game import read_score_request, score_request
from companion.engine.problems import Node, Refused
from companion.games import GAMES
from companion.sheets.service import SheetService
from companion.sheets.store import check_log, open_store
from tests.sheets.conftest import NAMES
from tests.sheets.deals import EW, NS, deal

RULES = {"options": {"target": 200, "bag_threshold": 4}}

facts = st.builds(deal, st.integers(0, 13), st.integers(0, 13), st.integers(0, 13))
steps = st.one_of(
    st.tuples(st.just("record"), facts),
    st.tuples(st.just("correct"), st.integers(1, 8), facts),
    st.tuples(st.just("void"), st.integers(1, 8)),
    st.tuples(st.just("adjust"), st.integers(1, 8), st.sampled_from([NS, EW]), st.integers(-50, 50)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


class Paper:
    """The same evening kept on paper: a list of deals, and copies of it for undo and redo."""

    def __init__(self) -> None:
        self.deals: list[dict[str, Any]] = []
        self.past: list[list[dict[str, Any]]] = []
        self.future: list[list[dict[str, Any]]] = []

    def write(self, deals: list[dict[str, Any]]) -> None:
        if deals != self.deals:
            self.past.append(self.deals)
            self.deals, self.future = deals, []

    def take(self, step: tuple[Any, ...]) -> dict[str, Any] | None:
        """Write one step down; the command for it, or None where it would be refused."""
        kind, deals = step[0], list(self.deals)
        if kind in ("undo", "redo"):
            source, other = (self.past, self.future) if kind == "undo" else (self.future, self.past)
            if not source:
                return None
            other.append(self.deals)
            self.deals = source.pop()
            return {"type": kind}
        if kind == "record":
            if ledger_of(deals).outcome.over:
                return None
            self.write([*deals, step[1]])
            return {"type": "record_deal", "facts": step[1]}
        number = step[1]
        if number > len(deals):
            return None
        old = deals[number - 1]
        if kind == "correct":
            kept = {"adjustments": old["adjustments"]} if "adjustments" in old else {}
            deals[number - 1] = {**step[2], **kept}
            command = {"type": "correct_deal", "deal": number, "facts": step[2]}
        elif kind == "void":
            deals[number - 1] = {"void": True}
            command = {"type": "void_deal", "deal": number}
        else:
            if old.get("void") or not step[3]:
                return None
            adjustment = {"side": step[2], "points": step[3], "reason": "why"}
            deals[number - 1] = {**old, "adjustments": [*old.get("adjustments", []), adjustment]}
            command = {"type": "adjust", "deal": number, **adjustment}
        self.write(deals)
        return command


def ledger_of(deals: list[dict[str, Any]]) -> Any:
    request = read_score_request(GAMES["spades"], Node({"rules": RULES, "sides": [NS, EW], "deals": deals}))
    assert request is not None
    return score_request(GAMES["spades"], request, after_end="mark")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, max_size=30))
def test_folding_a_log_equals_scoring_the_corrected_list(evening: list[tuple[Any, ...]]) -> None:
    service, paper = SheetService(open_store("memory:")), Paper()
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": RULES}).id
    for step in evening:
        command = paper.take(step)
        if command is not None:
            service.do(sheet, command)
    view = service.read(sheet)
    assert [one.facts for one in view.game.deals] == paper.deals
    assert view.ledger == ledger_of(paper.deals)
    afresh = SheetService(service.store).read(sheet)
    assert afresh.sheet == view.sheet
    assert afresh.ledger == view.ledger
    assert check_log(service.events(sheet), GAMES) == view.sheet


@settings(max_examples=60, deadline=None)
@given(st.lists(facts, max_size=4), steps.filter(lambda step: step[0] not in ("undo", "redo")))
def test_undo_brings_back_what_was_before(evening: list[dict[str, Any]], step: tuple[Any, ...]) -> None:
    service, paper = SheetService(open_store("memory:")), Paper()
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": RULES}).id
    for recorded in evening:
        command = paper.take(("record", recorded))
        if command is not None:
            service.do(sheet, command)
    before = service.read(sheet)
    command = paper.take(step)
    if command is None:
        return
    try:
        done = service.do(sheet, command)
    except Refused as refused:
        raise AssertionError(refused) from refused
    if done.entries:
        after = service.do(sheet, {"type": "undo"}).view
        assert after.sheet.state == before.sheet.state
        assert after.ledger == before.ledger
