"""Names as people write them, made safe."""

from __future__ import annotations

import pytest

from companion.engine.problems import Refused
from companion.sheets.service import SheetService
from companion.sheets.state import clean, length


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Aki \n  Ito ", "Aki Ito"),
        ("か\u3099く", "がく"),
        ("abc\u202edef\u2066g\u200f", "abcdefg"),
        ("a\x00b\x7f\u2028c", "ab c"),
        ("\u200b\u200d ", ""),
        ("👩\u200d👧", "👩\u200d👧"),
        ("=SUM(A1)", "=SUM(A1)"),
    ],
)
def test_names_are_cleaned(written: str, kept: str) -> None:
    assert clean(written) == kept
    assert clean(kept) == kept


@pytest.mark.parametrize(
    ("text", "signs"),
    [("がぎ", 2), ("👩\u200d👩\u200d👧", 1), ("🇯🇵🇬🇧", 2), ("👍🏽!", 2), ("e\u0301\u0301", 1), ("한국", 2)],
)
def test_signs_are_counted_as_a_reader_sees_them(text: str, signs: int) -> None:
    assert length(text) == signs


def test_forty_signs_are_a_name_and_one_more_is_not(service: SheetService) -> None:
    assert service.open_sheet({"seats": ["が" * 40]}).view.sheet.names["A"] == "が" * 40
    for name in ("が" * 41, "a" + "\u0301" * 400, "", " \u202e "):
        with pytest.raises(Refused) as refused:
            service.open_sheet({"seats": ["Aki", name]})
        assert refused.value.problems[0].path() == "/seats/1"
