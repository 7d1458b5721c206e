"""The picture of a finished game: drawn on the device, saved as a PNG where nothing can be shared, text that fits."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from companion.web.keeper.exports import wrapped
from tests.keeper.driving import Keeper
from tests.keeper.phone import Phone

SVG = "{http://www.w3.org/2000/svg}"


def test_picture_shows_winner_totals_curve_and_story_and_runs_nothing(phone: Phone) -> None:
    sheet = phone.open("<b>Aki</b>", "Beth", "Chika & Co", "Dan", target="100")
    page = f"{sheet}/games/1/picture.svg"
    phone.deal(3, 4, 5, 6, 6)
    assert phone.client.get(page).status_code == 404  # the game goes on
    phone.deal(5, 5, 6, 5, 7)
    answer = phone.client.get(page)
    assert answer.mimetype == "image/svg+xml"
    drawing = ET.fromstring(answer.data)
    said = [" ".join("".join(each.itertext()).split()) for each in drawing.iter(f"{SVG}text")]
    assert any("Won by <b>Aki</b>" in words and "Chika & Co" in words for words in said)
    assert " – ".join(phone.totals) in said
    assert len(list(drawing.iter(f"{SVG}polyline"))) == 2
    assert any("biggest swing" in words for words in said)
    assert not {each.tag for each in drawing.iter()} & {
        f"{SVG}script",
        f"{SVG}style",
        f"{SVG}image",
        f"{SVG}foreignObject",
    }
    assert b"href" not in answer.data


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("From deal 3 of 12 on, Nao & Saki stayed ahead.", 24, ["From deal 3 of 12 on,", "Nao & Saki stayed ahead."]),
        ("第3ディールから最後まで、なお・さきがリードしました。", 24, None),
        ("A", 24, ["A"]),
        ("", 24, []),
        ("Wolfeschlegelsteinhausenbergerdorff", 10, ["Wolfeschlegelsteinhausenbergerdorff"]),
    ],
)
def test_lines_break_at_spaces_and_between_signs_and_lose_nothing(
    text: str, most: int, lines: list[str] | None
) -> None:
    found = list(wrapped(text, most))
    assert "".join(found).replace(" ", "") == text.replace(" ", "")
    if lines is None:
        assert len(found) > 1
        assert all(2 * len(line) <= most + 2 for line in found)
        assert not any(line[0] in "、。・" for line in found)
    else:
        assert found == lines


@pytest.mark.browser
def test_a_tap_saves_a_png_where_nothing_can_be_shared(page: Any, tmp_path: Path) -> None:
    keeper = Keeper(page, "en")
    keeper.begin("casino", names=("Aki", "Beth"), rules="wippen")
    page.goto(f"{keeper.sheet}?mc=0&ms=1&bt=0&st=1&ac0=1&sw0=0&sw1=1")
    keeper.tap("Save the deal")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Send picture").click()
    saved = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(saved)
    content = saved.read_bytes()
    assert saved.name == "scores.png"
    assert content.startswith(b"\x89PNG")
    assert (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")) == (1080, 1350)
