"""A page made of what is kept of the page before is the page that is made anew."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.web.keeper.board import UNCHANGED, Board, BoardCache
from companion.web.sheet_service import sheet_service
from tests.keeper.phone import Phone

FACTS = {"A+C": {"bid": 4, "tricks": 6}, "B+D": {"bid": 5, "tricks": 7}}
FEWER = {"A+C": {"bid": 6, "tricks": 5}, "B+D": {"bid": 5, "tricks": 8}}
SHORT = {"options": {"target": 150}}
STEPS: tuple[dict[str, Any], ...] = (
    {"type": "record_deal", "facts": FACTS},
    {"type": "make_call", "call": {"seat": "B", "call": 3}},
    {"type": "clear_calls"},
    {"type": "record_deal", "facts": FACTS},
    {"type": "confirm_deal", "deal": 1, "side": "A+C"},
    {"type": "confirm_deal", "deal": 1, "side": "B+D"},
    {"type": "correct_deal", "deal": 1, "facts": FEWER},
    {"type": "record_deal", "facts": FEWER},
    {"type": "rename_player", "seat": "A", "name": "<Ai>"},
    {"type": "void_deal", "deal": 2, "reason": "misdeal"},
    {"type": "adjust", "side": "B+D", "points": -50, "reason": "late", "deal": 1},
    {"type": "undo"},
    {"type": "undo"},
    {"type": "redo"},
    {"type": "record_deal", "facts": FACTS},
    {"type": "change_rules", "rules": SHORT, "deal": 1},
    {"type": "undo"},
    {"type": "change_rules", "rules": SHORT},
    {"type": "record_deal", "facts": FACTS},
    {"type": "undo"},
    {"type": "rematch"},
    {"type": "record_deal", "facts": FEWER},
)
_NEW_EACH_TIME = re.compile(r'name="(?:csrf_token|key)" value="[^"]*"')


def test_what_is_kept_of_a_page_is_what_would_be_made_anew(app: Any, phone: Phone) -> None:
    phone.open("Aki", "Beth", "Chika", "Dan")
    sheet = phone.sheet.rpartition("/")[2]
    with app.app_context():
        service = sheet_service()
    kept = 0
    for step in STEPS:
        service.do(sheet, step)
        pages = [f"/{lang}/sheets/{sheet}{more}" for lang in ("en", "ja") for more in ("", "/deals/1")]
        shown = [_page(phone, page) for page in pages]
        again = [_page(phone, page) for page in pages]
        kept += UNCHANGED.rows_kept()
        UNCHANGED.forget()
        anew = [_page(phone, page) for page in pages]
        assert shown == again == anew, step
        for page in pages:  # what the next step begins with
            _page(phone, page)
    assert kept > len(STEPS)


def test_no_more_rows_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.keeper.board.KEPT_ROWS", 10)
    cache, one = BoardCache(), SimpleNamespace(deals=("a deal",), columns={}, game=SimpleNamespace(deals=()))
    for number in range(50):
        ledger: Any = object()
        cache.board((str(number), 1, "en"), (), ledger, {}, lambda rows: cast("Board", one))
    assert 0 < cache.rows_kept() <= 10


def _page(phone: Phone, path: str) -> str:
    answer = phone.client.get(path)
    return f"{answer.status_code} {_NEW_EACH_TIME.sub('', answer.text)}"
