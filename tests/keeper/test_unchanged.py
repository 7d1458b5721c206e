"""A page made of what is kept of the page before is the page that is made anew."""

from __future__ import annotations

import re
from typing import Any

import pytest
from markupsafe import Markup

from companion.sheets.service import SheetService
from companion.sheets.state import ByteCache
from companion.sheets.store import open_store
from companion.web.keeper import board
from companion.web.keeper.board import Board
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
    {"type": "change_rules", "rules": SHORT},  # which ends the game
    {"type": "undo"},
    {"type": "redo"},
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
        kept += board._TABLES.size > 0
        board._TABLES.clear()
        anew = [_page(phone, page) for page in pages]
        assert shown == again == anew, step
        for page in pages:  # what the next step begins with
            _page(phone, page)
    assert kept == len(STEPS)


def test_no_more_bytes_of_tables_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "_TABLES", ByteCache(10_000))
    sheets = SheetService(open_store("memory:"))
    view = sheets.open_sheet({"seats": ["Aki", "Beth", "Chika", "Dan"], "game": "spades"}).view
    drawn: list[str] = []

    def draw(shown: Board, base: str) -> Markup:
        drawn.append(base)
        return Markup("x" * 1_000)

    for number in range(50):
        for _ in range(2):
            board.cached_table(draw, board.board(view, "en"), str(number))
        assert 0 < board._TABLES.size <= 10_000
    assert drawn == [str(number) for number in range(50)]


def _page(phone: Phone, path: str) -> str:
    answer = phone.client.get(path)
    return f"{answer.status_code} {_NEW_EACH_TIME.sub('', answer.text)}"
