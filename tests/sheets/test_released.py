"""A finished game never changes because the program was updated: sheets of released versions keep their totals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.sheets.service import SheetService
from tests.sheets.conftest import imported

RELEASED = sorted((Path(__file__).parent / "released").glob("*.json"))


@pytest.mark.parametrize("file", RELEASED, ids=lambda file: file.stem)
def test_a_sheet_of_a_released_version_keeps_its_totals(service: SheetService, file: Path) -> None:
    told = json.loads(file.read_text(encoding="utf-8"))
    opened = imported(service, told["sheet"])
    totals = [{side: at.total for side, at in kept.standing.items()} for kept in opened.view.ledgers]
    assert totals == told["standing"]
    assert service.export_json(opened.id) == told["sheet"]


def test_there_is_a_sheet_of_every_release() -> None:
    assert RELEASED
