"""Figures: rows of cards as data in the text of a page, alike in both languages, drawn as SVG with words beside it."""

from __future__ import annotations

import re

import pytest

from companion.data import LANGUAGES
from companion.engine.cards import Card, read_card
from companion.engine.game import Game
from companion.games import GAMES
from companion.games.spite_and_malice.stacks import accepted
from companion.rulebook.markup import Figure, Row, Stack, read_figure, to_html
from companion.rulebook.pages import page, plain_text
from companion.rulebook.source import pieces
from companion.rulebook.words import load_book

FENCE = re.compile(r"^```figure\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRESETS = [(game, preset) for game in GAMES.values() for preset in game.options.presets]

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)


def sources(game: str, lang: str) -> dict[str, list[str]]:
    """The figures of a page as written, by article."""
    found = {piece.anchor: FENCE.findall(piece.text) for piece in pieces(load_book().sources[game, lang])}
    return {anchor: figures for anchor, figures in found.items() if figures}


def drawn(source: str) -> list[list[str]]:
    """What a figure shows but for its labels, seats and words, row by row."""
    rows = source.partition("\n\n")[0].splitlines()
    return [re.findall(r"\{%.*?%\}|[^\s()]*[♠♥♦♣★☆■□_][^\s()]*", row) for row in rows]


def unconditional(game: str, anchor: str) -> Figure:
    """The figure of an article, with everything that depends on an option."""
    return read_figure(re.sub(r"\{%.*?%\}", "", sources(game, "ja")[anchor][0]))


def test_a_figure_is_read_from_rows_and_a_caption() -> None:
    figure = read_figure("Hand: 10♥! ★\n9♥|4♣+5♦=9 → ■×13 (North) x\n\nTen of\nhearts.\n")
    build = Stack((("9♥",), ("4♣", "5♦")), "9")
    assert figure.rows[0] == Row("Hand", (Stack((("10♥!",),)), Stack((("★",),))))
    assert figure.rows[1] == Row("", (build, "→", Stack((("■",),), "13"), "(North)", "x"))
    assert build.cards == ("9♥", "4♣", "5♦")
    assert figure.caption == "Ten of hearts."


@pytest.mark.parametrize("source", ["", "9♥\n", "\n\nWords.\n", "9♥\n\n \n"])
def test_a_figure_without_rows_or_without_words_is_an_error(source: str) -> None:
    with pytest.raises(ValueError, match="rows and a caption"):
        to_html(f"```figure\n{source}```")


def test_a_page_has_no_other_blocks() -> None:
    with pytest.raises(ValueError, match="python"):
        to_html("```python\nx\n```")


def test_a_figure_is_drawn_without_script_style_or_identifier() -> None:
    html = to_html("```figure\nHand: 9♥|4♣+5♦=9 <b> ■×\x0213\x03 K♦!\n\nTake 9♥ <i>.\n```")
    assert html.count("<svg") == 5
    assert "<b>9</b>" in html
    assert "<b>13</b>" in html
    assert "&lt;b&gt;" in html
    assert 'class="K suit-d on"' in html
    assert '<figcaption>Take <span class="card suit-h">9♥\ufe0e</span> &lt;i&gt;.</figcaption>' in html
    assert not re.search(r" style=| id=|<script|\x02", html)


def test_the_words_of_an_article_have_the_caption_and_not_the_drawing() -> None:
    html = to_html("Before.\n\n```figure\nHand: 9♥ (North)\n\nA nine.\n```\n")
    assert plain_text(html).split() == ["Before.", "A", "nine."]
    assert 'aria-hidden="true"' in html


@games
def test_both_languages_have_the_same_figures(game: Game) -> None:
    ja, en = ({anchor: [drawn(f) for f in found] for anchor, found in sources(game.id, lg).items()} for lg in LANGUAGES)
    assert ja == en
    assert len(ja) >= (4 if game.judge else 0)


@pytest.mark.parametrize(("game", "preset"), PRESETS, ids=lambda each: getattr(each, "id", each))
def test_every_preset_has_its_table_and_the_figures_of_what_it_plays(game: Game, preset: str) -> None:
    shown = []
    for lang in LANGUAGES:
        html = {a.anchor: a.html for a in page(game.id, lang, game.options.preset(preset)).articles()}
        shown.append([anchor for anchor, text in html.items() if "<figure>" in text])
        for text in html.values():
            assert "```" not in text
            assert text.count("<figure>") == text.count('class="drawing"') == text.count("<figcaption>")
    assert shown[0] == shown[1]
    assert set(shown[0]) & TABLES or not game.judge


TABLES = {"alone", "capture-pile", "players", "partners", "solo4", "solo3", "duo-draw", "duo-dummy", "partners6"}


def value(card: str) -> int:
    """What a card counts in a sum of Casino."""
    return {"A": 1, "J": 11, "Q": 12, "K": 13}.get(card.rstrip("!")[:-1]) or int(card.rstrip("!")[:-1])


@pytest.mark.parametrize("anchor", [a for a in sources("casino", "ja") if a != "capture-pile"])
def test_the_sets_of_a_build_add_up_to_its_value(anchor: str) -> None:
    for row in unconditional("casino", anchor).rows:
        for stack in row.stacks:
            if stack.mark and row.label != "相手の山":
                assert {sum(map(value, each)) for each in stack.sets} == {int(stack.mark)}


@pytest.mark.parametrize("anchor", ["sums", "all-together", "capture-build", "opponents-build"])
def test_every_set_on_the_table_has_the_value_of_the_card_that_takes_it(anchor: str) -> None:
    *table, hand = unconditional("casino", anchor).rows
    taker = value(hand.stacks[0].cards[0])
    assert {sum(map(value, each)) for row in table for stack in row.stacks for each in stack.sets} == {taker}


def test_what_may_go_on_a_joker_is_what_the_game_accepts() -> None:
    rules = GAMES["spite-and-malice"].options.preset().options
    for row in unconditional("spite-and-malice", "joker-range").rows:
        stack, *fitting = row.stacks
        cards = [Card("X") if card == "★" else read_card(card) for card in stack.cards]
        assert sorted(value(each.cards[0]) for each in fitting) == list(accepted(rules, cards))
