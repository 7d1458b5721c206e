"""Markdown to HTML as the rulebook writes it: readings of Japanese words, suits, cards and figures drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from companion.rulebook.figures import SUITS, draw_figure, read_figure
from companion.rulebook.messages import TEXT_STYLE

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_CARD = re.compile(
    rf"(?<![A-Za-z0-9])(?P<rank>10|[2-9AJQK])(?P<suit>[♠♥♦♣]){TEXT_STYLE}?"
    rf"|(?P<first>[♠♥♦♣]){TEXT_STYLE}?(?P<second>10|[2-9AJQK])(?![A-Za-z0-9])"
    rf"|(?P<bare>[♠♥♦♣]){TEXT_STYLE}?"
)
RUBY = re.compile(r"\{([^{}|\n]+)\|([^{}|\n]+)\}")
_READING = re.compile(r"\{([^{}|\\\n]+)\\?\|[^{}|\n]+\}")
"""A word with its reading, also in a table, where the bar is escaped."""
_DIFFERS = re.compile("\x02([^\x03]*)\x03")
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_AMOUNT = re.compile(
    r'[−+±]?(?:<b class="differs">)?(?<![\d&#;])\d+(?:</b>)?(?:トリック|ディール|[個点枚人回組番巡倍つ]| [a-z]+)'
)
"""A number and its counter, which a narrow cell of a table must not part."""


def rulebook_markdown() -> MarkdownIt:
    """The reader of rule pages: CommonMark with tables, anchors, readings (`{札|ふだ}`) and figures, no HTML."""
    from markdown_it import MarkdownIt  # a start renders nothing (row "start to the first answer" of `make bench`)
    from mdit_py_plugins.attrs import attrs_block_plugin

    reader = MarkdownIt("commonmark", {"html": False}).enable("table").use(attrs_block_plugin)
    reader.inline.ruler.before("text", "ruby", _ruby)
    reader.add_render_rule("text", _render_text)
    reader.add_render_rule("ruby", _render_ruby)
    reader.add_render_rule("fence", _render_fence)
    return reader


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    return rulebook_markdown()


@lru_cache(maxsize=4096)
def to_html(markdown: str) -> str:
    """Return Markdown as HTML; a paragraph that opens in bold is a decision of this book and gets the class `ruling`.

    Tables that differ in few options share most of their articles, so these are kept.
    """
    html = str(_reader().render(markdown)).replace("<p><strong>", '<p class="ruling"><strong>')
    html = _DIFFERS.sub(r'<b class="differs">\1</b>', html)
    return _TABLE.sub(lambda table: _AMOUNT.sub(r'<span class="amount">\g<0></span>', table[0]), html)


@lru_cache(maxsize=2048)
def inline_html(markdown: str) -> str:
    """Return one line of Markdown, such as a title, as HTML without a paragraph around it."""
    return str(_reader().renderInline(markdown))


def differing(text: str) -> str:
    """Return text marked so that `to_html` emphasises it as different from the preset."""
    return f"\x02{text}\x03"


def plain_markdown(markdown: str) -> str:
    """Return Markdown that any reader of it understands: without readings, and without marks of what differs."""
    return _DIFFERS.sub(r"\1", _READING.sub(r"\1", markdown)).replace("\xad", "").strip()


def ruby_html(word: str, reading: str) -> str:
    """Return a word with its reading above it."""
    return f"<ruby>{escape(word)}<rp>(</rp><rt>{escape(reading)}</rt><rp>)</rp></ruby>"


def draw_cards(text: str) -> str:
    """Plain text as HTML, cards and suits drawn: `10♥` becomes `<span class="card suit-h">10♥︎</span>`."""
    return _CARD.sub(_draw, escape(text))


def _draw(found: re.Match[str]) -> str:
    sign = found["suit"] or found["first"] or found["bare"]
    name, drawn = f"suit-{SUITS[sign]}", sign + TEXT_STYLE
    if found["bare"]:
        return f'<span class="{name}">{drawn}</span>'
    words = found["rank"] + drawn if found["suit"] else drawn + found["second"]
    return f'<span class="card {name}">{words}</span>'


def _ruby(state: StateInline, silent: bool) -> bool:
    found = RUBY.match(state.src, state.pos) if state.src[state.pos] == "{" else None
    if not found:
        return False
    if not silent:
        token = state.push("ruby", "", 0)
        token.content, token.info = found[1], found[2]
    state.pos = found.end()
    return True


def _render_text(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
    return draw_cards(tokens[at].content)


def _render_ruby(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
    token = tokens[at]
    return ruby_html(token.content, token.info)


def _render_fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
    token = tokens[at]
    if token.info.strip() != "figure":
        raise ValueError(f"a block of a kind that pages do not have: {token.info!r}")
    figure = read_figure(_DIFFERS.sub(r"\1", token.content))
    return draw_figure(figure, inline_html(figure.caption))
