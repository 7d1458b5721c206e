"""Figures of the rulebook: rows of cards as data in the text of a page, drawn as inline SVG.

A figure is a fenced block named `figure`. Its rows come first, its caption after an empty line:

    ```figure
    場: 2♥ 3♣+4♦ ■×13
    手札: 7♣!

    7♣ takes 3♣+4♦.
    ```

    10♥ ★ ☆ ■ □ _  a card, a joker, another joker, a card face down, an empty place, a gap
    5○             a card of no matter which suit
    4♣+5♦          cards that overlap
    9♥|4♣+5♦=9     sets on one stack, with the value that it was given
    ■×13           a pile and the number of its cards
    7♣!            the card that the caption speaks of
    (North) → ...  a seat; anything else is printed as it is

The caption is the text alternative: it names what the drawing shows, which is hidden from screen readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from companion.rulebook.messages import TEXT_STYLE

SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_ROW = re.compile(r"(?:(?P<label>[^:：]+)[:：]\s*)?(?P<things>.*)")
_THING = re.compile(r"\([^)]*\)|\S+")
_CARD = rf"(?:(?:10|[2-9AJQK])(?:[♠♥♦♣]{TEXT_STYLE}?|○)|[★☆■□_])!?"
_SET = rf"{_CARD}(?:\+{_CARD})*"
_STACK = re.compile(rf"(?P<sets>{_SET}(?:\|{_SET})*)(?:[=×](?P<mark>\S+))?")
_EMPTY = {"■": "back", "□": "place", "_": "gap"}


@dataclass(frozen=True, slots=True)
class Stack:
    """Sets of cards on one another, each card as written; `mark` is the value announced or the number of cards."""

    sets: tuple[tuple[str, ...], ...]
    mark: str = ""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of all sets."""
        return tuple(card for each in self.sets for card in each)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a figure: its label, then stacks, seats (`(North)`) and words."""

    label: str
    things: tuple[Stack | str, ...]

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """The stacks of the row."""
        return tuple(thing for thing in self.things if isinstance(thing, Stack))


@dataclass(frozen=True, slots=True)
class Figure:
    """Rows of cards, and the Markdown of the caption."""

    rows: tuple[Row, ...]
    caption: str


def read_figure(source: str) -> Figure:
    """Return the figure that a fenced block declares. Raises ValueError without rows or without a caption."""
    rows, _, caption = source.strip("\n").partition("\n\n")
    if not rows.strip() or not caption.strip():
        raise ValueError(f"a figure needs rows and a caption: {source!r}")
    return Figure(tuple(_row(line) for line in rows.splitlines()), " ".join(caption.split()))


def make_row(label: str, words: Iterable[str]) -> Row:
    """Return a row from its label and its things, each as it is written in a figure."""
    return Row(label, tuple(map(_thing, words)))


def draw_figure(figure: Figure, caption_html: str) -> str:
    """Return a figure as HTML: each card an SVG of its own, so that rows wrap and grow with the text."""
    rows = "".join(f"<p>{''.join(_draw_row(row))}</p>" for row in figure.rows)
    drawing = f'<div class="drawing" aria-hidden="true">{rows}</div>'
    return f"<figure>{drawing}<figcaption>{caption_html}</figcaption></figure>\n"


def _row(line: str) -> Row:
    found = _ROW.fullmatch(line.strip())
    assert found  # noqa: S101  any line matches
    return Row((found["label"] or "").strip(), tuple(_thing(word) for word in _THING.findall(found["things"])))


def _thing(word: str) -> Stack | str:
    found = _STACK.fullmatch(word)
    if not found:
        return word
    sets = tuple(tuple(each.split("+")) for each in found["sets"].replace(TEXT_STYLE, "").split("|"))
    return Stack(sets, found["mark"] or "")


def _draw_row(row: Row) -> Iterator[str]:
    if row.label:
        yield f"<small>{escape(row.label)}</small>"
    yield from map(draw_thing, row.things)


def draw_thing(thing: Stack | str) -> str:
    """Return a stack, a seat or a word as HTML."""
    if isinstance(thing, Stack):
        return _draw_stack(thing)
    return f"<i>{escape(thing[1:-1])}</i>" if thing.startswith("(") else f"<span>{escape(thing)}</span>"


def _draw_stack(stack: Stack) -> str:
    sets = ["".join(map(_draw_card, each)) for each in stack.sets]
    if len(stack.cards) == 1 and not stack.mark:
        return sets[0]
    mark = f"<b>{escape(stack.mark)}</b>" if stack.mark else ""
    return f"<span>{''.join(f'<span>{each}</span>' for each in sets)}{mark}</span>"


def _draw_card(written: str) -> str:
    card, on = written.rstrip("!"), " on" if written.endswith("!") else ""
    if card in _EMPTY:
        return f'<svg class="{_EMPTY[card]}{on}"/>'
    if card in "★☆":
        return f'<svg viewBox="0 0 40 56" class="suit-s{on}"><text x="20" y="38">{card}</text></svg>'
    rank, suit = card[:-1], card[-1]
    if suit == "○":
        return f'<svg viewBox="0 0 40 56" class="suit-s{on}"><text x="20" y="36">{rank}</text></svg>'
    return (
        f'<svg viewBox="0 0 40 56" class="suit-{SUITS[suit]}{on}"><text x="4" y="18">{rank}</text>'
        f'<text x="17" y="46">{suit}{TEXT_STYLE}</text></svg>'
    )
