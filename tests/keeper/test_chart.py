"""The drawing of the totals: every side has its line with its own mark and total at the end, not by colour alone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from companion.web.keeper.board import chart
from tests.keeper.phone import Phone


def test_every_side_has_its_mark_and_its_total_at_the_end_of_its_line(opened: Phone) -> None:
    page = opened.get(opened.sheet).html
    drawing = re.search(r'<figure class="chart box">.*?</svg>', page, re.DOTALL)[0]
    assert drawing.count("<polyline") == 2
    assert (drawing.count("<circle"), drawing.count("<rect")) == (1, 1)
    ends = re.findall(r"(?:circle|rect)[^>]*/><text[^>]*>([^<]+)</text></g>", drawing)
    assert ends == re.findall(r'<b class="total">([^<]+)</b>', page)


def test_labels_of_lines_that_end_together_are_apart() -> None:
    drawn = chart([(mark, mark) for mark in "abc"], [[10, 20], [10, 20], [10, 19]], None)
    assert list(drawn.labels) == ["a", "b", "c"]
    assert all(low - high >= 20 for high, low in pairwise(drawn.labels.values()))


def test_lines_begin_at_nothing_and_rise_with_the_totals() -> None:
    drawn = chart([("a", "Aki"), ("b", "Beth")], [[10, 20], [-10, 5]], 100)
    first, second = drawn.courses
    assert first.dots[0] == second.dots[0]
    assert first.dots[1][1] < first.dots[0][1] < second.dots[1][1]  # up is less, as on every screen
    assert chart([("a", "Aki")], [[10]], None) is None


@pytest.mark.parametrize(
    ("totals", "levels"),
    [
        ([[10, 20], [-10, 5]], [-10, 0, 10, 20]),
        ([[62, 133], [-70, -130]], [-100, 0, 100]),
        ([[1, 2], [0, 0]], [0, 1, 2]),
        ([[400, 980], [10, 20]], [0, 300, 600, 900]),
        ([[0, 0], [0, 0]], [0, 1]),
    ],
)
def test_the_drawing_fills_its_height_whatever_the_totals_are(totals: list[list[int]], levels: list[int]) -> None:
    """A target far above left the lines of a young game in the lowest fifth of the drawing."""
    drawn = chart([("a", "Aki"), ("b", "Beth")], totals, 1_000)
    assert [level for level, _ in drawn.levels] == levels
    heights = [y for course in drawn.courses for _, y in course.dots]
    assert max(heights) == drawn.height - 20
    assert min(heights) == 20 or totals == [[0, 0], [0, 0]]


@pytest.mark.parametrize(("match", "levels"), [("target", ["0", "30"]), ("deals", ["0", "20", "40"])])
def test_the_target_has_a_line_only_where_it_ended_the_game(phone: Phone, match: str, levels: list[str]) -> None:
    phone.open("Aki", "Beth", game="spite-and-malice", match=match, target="30")
    phone.deal("Aki", 12)
    phone.deal("Aki", 20)
    assert re.findall(r"<text[^>]*end\">(\d+)</text>", phone.page.html) == levels


def test_the_turn_of_a_game_is_named_where_it_is_marked(phone: Phone) -> None:
    phone.open(target="90")
    for tricks in (4, 10, 3):
        phone.deal(3, 3, 3, 3, tricks)
    named = r'class="turned" cx="([\d.]+)".*?<text x="\1"[^>]*>Ahead from deal 2</text>'
    assert re.search(named, phone.page.html, re.DOTALL)
