"""Markdown to HTML as the rulebook writes it: readings, cards and figures drawn, terms linked; plain text.

A figure is rows of cards as data in the text of a page, drawn as inline SVG: a fenced block named `figure`. Its rows
come first, its caption after an empty line:

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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from companion.data import SOURCE_LANGUAGE, data_folder, read_toml
from companion.engine.cards import columns, number_text, signed_text
from companion.engine.game import Game
from companion.engine.ledger import AFTER_END, VOID, DealScore, Ledger, Side, SideScore, Standing
from companion.engine.options import HouseRules
from companion.rulebook.source import pieces
from companion.rulebook.words import TEXT_STYLE, Words, article_title, article_url, load_book, say, words

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
_RUBY = re.compile(r"\{([^{}|\n]+)\|([^{}|\n]+)\}")
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


def _ruby_html(word: str, reading: str) -> str:
    """Return a word with its reading above it."""
    return f"<ruby>{escape(word)}<rp>(</rp><rt>{escape(reading)}</rt><rp>)</rp></ruby>"


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


def _ruby(state: StateInline, silent: bool) -> bool:
    found = _RUBY.match(state.src, state.pos) if state.src[state.pos] == "{" else None
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
    return _ruby_html(token.content, token.info)


def _render_fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: object, env: object) -> str:
    token = tokens[at]
    if token.info.strip() != "figure":
        raise ValueError(f"a block of a kind that pages do not have: {token.info!r}")
    figure = read_figure(_DIFFERS.sub(r"\1", token.content))
    return draw_figure(figure, inline_html(figure.caption))


_GLOSSARY = "glossary"
_COMMON = "terms-common"
_LOANWORD = re.compile(r"[ァ-ヶー]{2}")
"""Katakana, in which the source language writes loanwords."""
_SENSE = re.compile(r"\s*[(（].*")
_TAG = re.compile(r"(<[^>]+>)")
_ALONE = "(?<![一-龯々])(?<![一-龯々][きみり]){}(?![一-龯々])"
"""A word of one sign, which is another one within a longer word (場, but 場合 and 置き場)."""
_READ = re.compile(r"<ruby>(.*?)<rp>")
_CLOSED = frozenset({"a", "code", "figure", "ruby", "svg"})
"""Elements whose text stays as it is."""


@lru_cache(maxsize=4096)
def link_terms(html: str, game: str, lang: str) -> str:
    """Return the HTML of an article with each loanword of its game linked to the glossary at its first use."""
    pattern, urls = _terms(game, lang)
    if not urls:
        return html
    linked: set[str] = set()

    def link(found: re.Match[str]) -> str:
        url = urls[found[1].lower()]
        if not url or url in linked:
            return found[0]
        linked.add(url)
        return f'<a href="{url}">{found[0]}</a>'

    return _in_text(html, lambda text: pattern.sub(link, text), _CLOSED)


@lru_cache(maxsize=64)
def _terms(game: str, lang: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds the terms of a game, and their addresses in the glossary by the word in small letters.

    A term that is no loanword has no address: it only keeps a loanword within it (`side stack`) from being linked.
    """
    urls: dict[str, str] = {}
    terms = _terms_of(game)
    for piece in pieces(load_book().sources[_GLOSSARY, lang]):
        if piece.anchor in terms:
            word = _SENSE.sub("", piece.title).lower()
            urls.setdefault(word, article_url(lang, f"{_GLOSSARY}.{piece.anchor}") if terms[piece.anchor] else "")
    words = "|".join(re.escape(word) for word in sorted(urls, key=len, reverse=True))
    if lang == SOURCE_LANGUAGE:
        return re.compile(rf"(?<![ァ-ヶー・])({words})(?![ァ-ヶー・])"), urls
    return re.compile(rf"(?<![\w-])({words})(?:s|es)?(?![\w-]| cards?\b)", re.IGNORECASE), urls


@lru_cache(maxsize=64)
def _terms_of(game: str) -> Mapping[str, bool]:
    """Return the anchors of the terms of all games and of the game's own, each with whether it is a loanword."""
    found, section = {}, ""
    for piece in pieces(load_book().sources[_GLOSSARY, SOURCE_LANGUAGE]):
        if piece.level == 2:
            section = piece.anchor
        elif section in (_COMMON, f"terms-{game}"):
            found[piece.anchor] = bool(_LOANWORD.search(_SENSE.sub("", piece.title)))
    return found


@lru_cache(maxsize=8)
def readings(lang: str) -> Mapping[str, str]:
    """Return readings by word: `選ば` is 選 before ば, `0枚` is 枚 after a number; empty for one that is not shown."""
    found: Mapping[str, str] = read_toml(data_folder(f"rules_{lang}") / "furigana.toml").get("furigana", {})
    words = ((*word.rstrip("]").partition("["), reading) for word, reading in found.items())
    return {word + kana: reading for word, _, endings, reading in words for kana in endings or ("",)}


@lru_cache(maxsize=8)
def _hard_words(lang: str) -> Mapping[str, str]:
    """Return the words that the texts write with their readings anywhere (`{札|ふだ}`)."""
    texts = (text for (_, language), text in load_book().sources.items() if language == lang)
    return {word: reading for text in texts for word, reading in _RUBY.findall(text)}


def help_reading(html: str, game: str, lang: str) -> str:
    """Return the HTML of an article with what helps in reading it: links to the glossary, readings of hard words."""
    return add_readings(link_terms(html, game, lang), lang)


@lru_cache(maxsize=4096)
def add_readings(html: str, lang: str) -> str:
    """Return the HTML of an article with the reading of each hard word where the article first uses it."""
    return add_page_readings(html, lang)


def add_page_readings(html: str, lang: str) -> str:
    """Return the HTML of a page with the reading of each hard word where the page first uses it; it is not kept."""
    words = _hard_words(lang)
    if not words:
        return html
    read = set(_READ.findall(html))

    def ruby(found: re.Match[str]) -> str:
        word = found[0]
        if word in read:
            return word
        read.add(word)
        return _ruby_html(word, words[word])

    longest_first = sorted(words, key=len, reverse=True)
    pattern = re.compile("|".join(re.escape(word) if len(word) > 1 else _ALONE.format(word) for word in longest_first))
    return _in_text(html, lambda text: pattern.sub(ruby, text), _CLOSED - {"a"})


def _in_text(html: str, change: Callable[[str], str], closed: Collection[str]) -> str:
    """Return HTML whose text is changed, but for that in elements of these names."""
    parts, inside = _TAG.split(html), 0
    for place, part in enumerate(parts):
        if place % 2:
            if part.strip("</>").split(" ")[0] in closed and not part.endswith("/>"):
                inside += -1 if part.startswith("</") else 1
        elif not inside:
            parts[place] = change(part)
    return "".join(parts)


_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_ROW = re.compile(r"(?:(?P<label>[^:：]+)[:：]\s*)?(?P<things>.*)")
_THING = re.compile(r"\([^)]*\)|\S+")
_WRITTEN_CARD = rf"(?:(?:10|[2-9AJQK])(?:[♠♥♦♣]{TEXT_STYLE}?|○)|[★☆■□_])!?"
_SET = rf"{_WRITTEN_CARD}(?:\+{_WRITTEN_CARD})*"
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
    rank, suit = card[:-1], card[-1]
    if suit in "★☆○":
        return f'<svg viewBox="0 0 40 56" class="suit-s{on}"><text x="20" y="37">{rank or suit}</text></svg>'
    return (
        f'<svg class="{rank} suit-{_SUITS[suit]}{on}" viewBox="0 0 40 56">'
        f'<text x="4" y="18">{rank}</text><text x="17" y="46">{suit}{TEXT_STYLE}</text></svg>'
    )


def ledger_text(game: Game, house: HouseRules[object], sides: Sequence[Side], ledger: Ledger, lang: str) -> str:
    """The whole ledger in a language: the rules in one line, each deal's lines with their articles, the end."""
    own = words(game.id, lang)
    width = max(columns(side.id) for side in sides)
    blocks = ["\n".join(_head(game, house, sides, own))]
    blocks += ["\n".join(_deal(number, deal, own, width)) for number, deal in enumerate(ledger.deals, start=1)]
    blocks.append("\n".join(_end(ledger, own, width)))
    return "\n\n".join(blocks) + "\n"


def _head(game: Game, house: HouseRules[object], sides: Sequence[Side], own: Words) -> Iterator[str]:
    yield f"{own.name} · {own.summary(game.options, house)}"
    for side in sides:
        if side.players:
            yield f"{side.id}: {own.vocabulary.separator.join(side.players)}"


def _deal(number: int, deal: DealScore, own: Words, width: int) -> Iterator[str]:
    if deal.status in (VOID, AFTER_END):
        yield say(own.lang, f"ledger.{deal.status}", number=number)
        return
    yield say(own.lang, "ledger.deal", number=number)
    for side, score in deal.sides.items():
        yield from _side(side, score, own, width)
    for warned in deal.warnings:
        reason = f" ({warned.reason})" if warned.reason else ""
        yield f"  ! {own.problem(warned.problem)}{reason}"


def _side(side: str, score: SideScore, own: Words, width: int) -> Iterator[str]:
    yield f"  {_padded(side, width)} {signed_text(score.points):>6}  {_standing(score.standing, own)}"
    for line in score.lines:
        cite = f"{article_title(own.lang, line.article)} [{line.article}]"
        yield f"  {' ' * width} {signed_text(line.points):>6}    {own.line(line)} — {cite}"


def _end(ledger: Ledger, own: Words, width: int) -> Iterator[str]:
    yield say(own.lang, "ledger.standing")
    for side, standing in ledger.standing.items():
        yield f"  {_padded(side, width)} {_standing(standing, own)}"
    outcome = ledger.outcome
    if outcome.over and outcome.reason:
        yield say(own.lang, "ledger.over", winners=own.vocabulary.separator.join(outcome.winners))
        yield f"  {own.outcome(outcome)} [{outcome.reason}]"
    else:
        yield say(own.lang, "ledger.open")
        if outcome.reason:
            yield f"  {own.outcome(outcome)} [{outcome.reason}]"


def _standing(standing: Standing, own: Words) -> str:
    tallies = [own.say(f"ledger.{name}", {"count": count}) for name, count in standing.tallies.items()]
    return "  ".join([say(own.lang, "ledger.total", total=number_text(standing.total)), *tallies])


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))
