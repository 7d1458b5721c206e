"""Markdown to HTML as the rulebook writes it: readings, places for options, suits and cards drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.attrs import attrs_block_plugin

from companion.rulebook.wording import TEXT_STYLE

_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_CARD = re.compile(
    rf"(?<![A-Za-z0-9])(?P<rank>10|[2-9AJQK])(?P<suit>[♠♥♦♣]){TEXT_STYLE}?"
    rf"|(?P<first>[♠♥♦♣]){TEXT_STYLE}?(?P<second>10|[2-9AJQK])(?![A-Za-z0-9])"
    rf"|(?P<bare>[♠♥♦♣]){TEXT_STYLE}?"
)
_RUBY = re.compile(r"\{([^{}|\n]+)\|([^{}|\n]+)\}")
_OPTION = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_PLACE = re.compile("\x02([a-z0-9_]+)\x03")
_CONDITION = re.compile(r"\{(if [A-Za-z0-9_=, -]+|/if)\}")


def rulebook_markdown() -> MarkdownIt:
    """The reader of rule pages: CommonMark with tables and anchors, no HTML."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").use(attrs_block_plugin)
    reader.inline.ruler.before("text", "braces", _braces)
    reader.add_render_rule("text", _render_text)
    reader.add_render_rule("ruby", _render_ruby)
    reader.add_render_rule("option", _render_option)
    reader.add_render_rule("condition", _render_condition)
    return reader


def draw_cards(text: str) -> str:
    """Plain text as HTML, cards and suits drawn: `10♥` becomes `<span class="card suit-h">10♥︎</span>`."""
    return _CARD.sub(_draw, escape(text))


def _draw(found: re.Match[str]) -> str:
    sign = found["suit"] or found["first"] or found["bare"]
    name, drawn = f"suit-{_SUITS[sign]}", sign + TEXT_STYLE
    if found["bare"]:
        return f'<span class="{name}">{drawn}</span>'
    words = found["rank"] + drawn if found["suit"] else drawn + found["second"]
    return f'<span class="card {name}">{words}</span>'


def places(html: str) -> tuple[str, ...]:
    """HTML parted at the places for options: text, option name, text, ... with the text first and last."""
    return tuple(_PLACE.split(html))


def fill(parts: Sequence[str], values: Mapping[str, str]) -> str:
    """Parted HTML with the values of options put in. Raises KeyError for an option that the game does not have."""
    return "".join(part if index % 2 == 0 else values[part] for index, part in enumerate(parts))


def option_names(parts: Sequence[str]) -> tuple[str, ...]:
    """The options whose values stand in parted HTML."""
    return tuple(parts[1::2])


def _braces(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "{":
        return False
    for kind, pattern in (("ruby", _RUBY), ("option", _OPTION), ("condition", _CONDITION)):
        found = pattern.match(state.src, state.pos)
        if found:
            if not silent:
                token = state.push(kind, "", 0)
                token.content, token.info = found[1], found[2] if kind == "ruby" else ""
            state.pos = found.end()
            return True
    return False


def _render_text(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return draw_cards(tokens[at].content)


def _render_ruby(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    return f"<ruby>{escape(token.content)}<rp>(</rp><rt>{escape(token.info)}</rt><rp>)</rp></ruby>"


def _render_option(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f"\x02{tokens[at].content}\x03"


def _render_condition(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f"\x04{tokens[at].content}\x05"
