"""What a hit says: the sentence that answers, with the numbers of a table, and the places of the query's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from companion.engine import shapes as s
from companion.engine.cards import columns
from companion.engine.game import AnswerShape
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.answers import MOST_TEXT, Json
from companion.rulebook.book import rules_url, say
from companion.rulebook.pages import page_article
from companion.rulebook.search import Found, index
from companion.rulebook.search_index import Hit, Index
from companion.rulebook.search_reading import Reading
from companion.rulebook.spelling import folded_in_place, is_kanji, is_latin
from companion.rulebook.structured import answer_text, sentences

ENOUGH = 180
"""Columns that an answer fills at least where its article goes on; a character of full width takes two."""
MOST = 260
FIRST = 1.4
"""How much better another sentence must fit than the first, which states the rule that the title names."""
_FIGURE = re.compile(r"<figure>.*?</figure>|<table>.*?</table>", re.DOTALL)
_LIST = re.compile(r"(?=<[uo]l>)|(?<=</[uo]l>)")
_BETWEEN_ITEMS = " · "
_WORDS = re.compile(r"[A-Za-zÀ-ž]+|[0-9]+|[♠♥♦♣]|[ァ-ヶー・]+|[ぁ-ん一-鿿々]+")
_PARTICLES = "はがをにのへもでと"
"""Hiragana between words, which belongs to neither; what katakana writes is a word."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """A hit with the sentences that answer, the places of the query's words in them, and where to read on."""

    hit: Hit
    text: str
    marks: tuple[tuple[int, int], ...]
    url: str
    played: bool
    """Whether the rules that were asked for play the article; True where none were."""

    def parts(self) -> Iterator[tuple[str, bool]]:
        """Yield the text in parts, each with whether it is marked."""
        at = 0
        for start, end in self.marks:
            if start > at:
                yield self.text[at:start], False
            yield self.text[start:end], True
            at = end
        if at < len(self.text):
            yield self.text[at:], False


class HitShape(AnswerShape):
    """An article, a preset, an option with the article that explains it, a term, a passage on verdicts."""

    kind = s.Word(("article", "preset", "option", "term", "guide", "lesson"), get=s.attribute("hit.document.kind"))
    game = s.Text(get=s.attribute("hit.document.game"))
    id = s.Text(get=s.attribute("hit.document.id"))
    title = s.Text(most=MOST_TEXT, get=s.attribute("hit.document.title"))
    excerpt = s.Text(most=MOST_TEXT, get=s.attribute("text"))
    marks = s.ListOf(s.ListOf(s.Integer()), get=lambda answer, given: map(list, answer.marks))
    score = s.Integer(get=lambda answer, given: round(1000 * answer.hit.score))
    played = s.Flag()
    url = s.Text()


class RepairShape(AnswerShape):
    """A word of a query with a typing error, and the word that it was read as."""

    typed = s.Text(get=lambda repair, given: repair[0])
    read = s.Text(get=lambda repair, given: repair[1])


class AnswersShape(AnswerShape):
    """What was found, the best first; written with the answers to the hits."""

    results = s.ListOf(s.Object(HitShape), get=lambda found, given: given)
    near = s.ListOf(s.Text())
    repairs = s.ListOf(s.Object(RepairShape), get=s.attribute("reading.repairs"))
    widened = s.Flag()


def answers(found: Found, lang: str, house: HouseRules[object] | None = None, game: str = "") -> Iterator[SearchAnswer]:
    """Yield the hits of a search with their answers; with house rules of a game, those of the table that plays them."""
    known = index(lang)
    for hit in found.hits:
        document = hit.document
        table = house if house is not None and document.game == game and document.kind == "article" else None
        code = GAMES[game].options.code(table) if table else ""
        html = _html(lang, document.game, document.id, code) if document.kind == "article" else None
        gap = say(lang, "site.sentence-gap")
        parts = list(_parts(html or "", gap)) or [_Part(part) for part in _sentences(document.text, gap)]
        chosen = _chosen(known, found.reading, document.title, parts, gap)
        url = f"{rules_url(lang, game, code)}#{document.anchor}" if code and html else document.url
        played = table is None or GAMES[game].articles[document.id].played(table.options)
        yield SearchAnswer(hit, chosen, tuple(marks(known, found.reading, chosen)), url, played)


def found_answer(found: Found, given: Iterable[SearchAnswer]) -> Json:
    """Return a search's outcome as JSON: results with the sentence that answers, how the query was read, near words."""
    return s.write(AnswersShape, found, tuple(given))


def marks(known: Index, reading: Reading, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of a query's words in a text, in order: other forms of a word too, and its synonyms."""
    query = known.spelling.tokens(reading.text)
    wanted = {token for token in query if not known.reader.is_small(token)}
    runs = [token for token in wanted if not is_latin(token) and not token.isdigit()]
    synonyms = known.spellings_beside(reading.text)
    found: list[tuple[int, int]] = []
    plain = folded_in_place(text)
    for word in _WORDS.finditer(text):
        run = plain[word.start() : word.end()]
        if is_latin(run) or run.isdigit() or run in "♠♥♦♣":
            if known.spelling.form(run) in wanted | synonyms:
                found.append(word.span())
        else:
            found += [(word.start() + at, word.start() + end) for at, end in _shared(word[0], runs, synonyms)]
    yield from _joined(found)


def _shared(written: str, wanted: list[str], synonyms: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a run of Japanese that are in the query, or are synonyms, without particles."""
    run, at = folded_in_place(written), 0
    while at < len(run):
        for end in range(len(run), at, -1):
            part = run[at:end]
            if part in synonyms:
                yield from _without_particles(written[at:end], at) if any(map(is_kanji, part)) else [(at, end)]
            elif _means(part) and any(part in token for token in wanted):
                yield from (each for each in _without_particles(written[at:end], at) if not _cut_off(run, *each))
            else:
                continue
            at = end
            break
        else:
            at += 1


def _cut_off(run: str, at: int, end: int) -> bool:
    """Return whether a part of a run is one kanji of a longer word: the 札 of 手札."""
    return end - at == 1 and any(map(is_kanji, run[max(at - 1, 0) : at] + run[end : end + 1]))


def _without_particles(part: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield where a part that begins there is without the particles around it, if anything is left of it."""
    end = at + len(part.rstrip(_PARTICLES))
    at += len(part) - len(part.lstrip(_PARTICLES))
    if at < end:
        yield at, end


def _means(part: str) -> bool:
    """Return whether a part of a run has a kanji, or is long enough to be a word written in kana."""
    return len(part) > 1 and (any(is_kanji(sign) for sign in part) or len(part) > 3)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


class _Part(NamedTuple):
    """A sentence of an article, or an item of a list in it."""

    text: str
    listed: bool = False


def _parts(html: str, gap: str) -> Iterator[_Part]:
    """Yield what an article says to answer questions, without its figures."""
    for block in _LIST.split(_FIGURE.sub("", html)):
        listed = block.startswith(("<ul", "<ol"))
        for item in block.split("</li>") if listed else [block]:
            yield from (_Part(sentence, listed) for sentence in _sentences(answer_text(item), gap))


def _sentences(text: str, gap: str) -> Iterator[str]:
    """Yield the sentences of a text, each with the brackets within it or after it."""
    whole = ""
    for part in sentences(" ".join(text.split())):
        if whole and part[0] not in "(（" and whole.count("（") == whole.count("）"):
            yield whole
            whole = ""
        whole = f"{whole}{gap if whole else ''}{part}"
    if whole:
        yield whole


def _chosen(known: Index, reading: Reading, title: str, parts: Sequence[_Part], gap: str) -> str:
    """Return the part of a titled article that fits a query best, and what follows while that is short.

    A list follows what introduces it.
    """
    if not parts:
        return ""
    fit = [known.fit(reading.text, part.text) for part in parts]
    fit[0] = FIRST * max(fit[0], known.fit(reading.text, f"{title} {parts[0].text}"))
    best = last = parts[fit.index(max(fit))]
    chosen = best.text
    for following in parts[parts.index(best) + 1 :]:
        introduced = following.listed and not best.listed
        longer = f"{chosen}{_BETWEEN_ITEMS if following.listed and last.listed else gap}{following.text}"
        if columns(chosen) >= (MOST if introduced else ENOUGH) or (not introduced and columns(longer) > MOST):
            break
        chosen, last = longer, following
    return chosen if columns(chosen) <= MOST else _cut(chosen)


def _cut(text: str) -> str:
    while columns(text) >= MOST:
        text = text[:-1]
    return f"{text}…"


@lru_cache(maxsize=1024)
def _html(lang: str, game_id: str, name: str, code: str) -> str | None:
    """Return an article as the rules of a code play it, as the book has it without a code; None where there is none."""
    game = GAMES[game_id]
    house, article = game.options.decode(code) if code else None, game.articles[name]
    if house and (article.survey or not article.played(house.options)):
        return None
    return page_article(game, lang, article, house)[1].html
