"""Search over the book and the options: what is asked leads to the article that answers, in words, kana or romaji."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from companion.data import LANGUAGES, cached_on_disk, data_folder, other_language, read_toml
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.book import GUIDES, article_url, load_book, rules_url, words
from companion.rulebook.pages import Page, page
from companion.rulebook.reading import readings
from companion.rulebook.search_index import Document, Hit, Index
from companion.rulebook.search_reading import Lists, Reading
from companion.rulebook.source import game_folder
from companion.rulebook.spelling import Spelling, folded_in_place, is_japanese
from companion.rulebook.structured import answer_text

KINDS = ("article", "preset", "option", "term", "guide", "lesson")
"""What can be found: articles, presets, options, terms of the glossary, passages on verdicts, pages for learners."""
QUERY_LIMIT = 100
"""Longer questions are cut here."""
QUESTIONS = "questions.toml"
"""The file of a game's texts with what people ask: `names` of the game, `[presets]` in other words, `[questions]`."""
_KANA_END = re.compile("[ぁ-ん]*$")
FAR = 4
"""How many times better the best hit may be than one that is still shown."""
_VARIANT = 0.9
_OPTION = 0.5
_PRESET, _NAMED = 0.55, 2.5
_OTHER_LANGUAGE = 0.9
_SECTION = 0.8
"""What counts a hit in an article that the default rules do not play, in an option, in a preset, by a preset's name, by
the words of the other language, and by a title with its section's."""
_OWN, _PRESET_ASIDE = 1.2, 0.3
"""What counts a hit in an article that only the preset asked about plays, and in the preset itself."""
_CLEARLY = 1.3
"""How much better another game must answer that has a name which is a word of the game asked for too."""
_GUIDE = {"glossary": ("term", 0.55), "verdicts": ("guide", 0.85)}
"""The kind of what stands in a guide, and what a hit there counts: the rule itself comes before the word for it."""
_LESSON = 0.4
"""What counts a hit in a page for learners, which leads to the rules and comes after them."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought: how the query was read; hits, the best first; near words where nothing answers."""

    reading: Reading
    hits: tuple[Hit, ...] = ()
    total: int = 0
    """How many hits there are, of which these are the best."""
    near: tuple[str, ...] = ()
    widened: bool = False
    """Whether the scope that was asked for has no answer, and these are hits outside it."""


def search(
    lang: str,
    query: str,
    *,
    games: Iterable[str] = (),
    house: HouseRules[object] | None = None,
    kinds: Collection[str] = KINDS,
    limit: int = 50,
) -> Found:
    """Return what the rulebook of a language says about a query.

    `games` keeps to those, unless the query names another one or nothing there answers; `house` are the rules of the
    one game asked for: articles that it does not play come later. Empty `kinds` are all. A query that the language has
    no answer to is looked up as one in the other language, if it is written in that.
    """
    found = _found(lang, query, tuple(games), house, kinds, limit)
    other = other_language(lang)
    if found.hits or not query.strip() or is_japanese(query) is not bool(_readings(other)):
        return found
    translated = _found(other, query, tuple(games), house, kinds, limit)
    own = {(each.kind, each.game, each.id): each for each in index(lang).documents}
    hits = ((hit, own.get((hit.document.kind, hit.document.game, hit.document.id))) for hit in translated.hits)
    known = tuple(replace(hit, document=document) for hit, document in hits if document)
    return replace(translated, hits=known) if known else found


def _found(
    lang: str,
    query: str,
    wanted: tuple[str, ...],
    house: HouseRules[object] | None,
    kinds: Collection[str],
    limit: int,
) -> Found:
    """Return what the rulebook of a language says about a query that is written in it."""
    found = index(lang)
    reading = found.reader.read(query[:QUERY_LIMIT])
    if not found.reader.answerable(query[:QUERY_LIMIT], reading):
        return Found(reading, near=_near(found, lang, query))
    factors = _played_factors(wanted[0], house) if house and len(wanted) == 1 else {}
    factors |= _preset_factors(lang, reading, wanted)
    hits = _answers(found.rank(reading, games=wanted, factors=factors), kinds)
    named = _named(found, reading, wanted, kinds)
    if named and (not hits or named[0].score > _CLEARLY * hits[0].score):
        return Found(reading, named[:limit], len(named))
    widened = bool(wanted) and not hits
    if widened:
        hits = _answers(found.rank(reading), kinds)
    if not hits:
        return Found(reading, near=_near(found, lang, query))
    return Found(reading, hits[:limit], len(hits), widened=widened)


def _near(found: Index, lang: str, query: str) -> tuple[str, ...]:
    """Return words of the book that are near those of a query; the games, if none is; nothing for an empty query."""
    names = tuple(words(game, lang).name for game in GAMES)
    return found.reader.near(query[:QUERY_LIMIT]) or (names if query.strip() else ())


def _named(found: Index, reading: Reading, wanted: Sequence[str], kinds: Collection[str]) -> tuple[Hit, ...]:
    """Return the answers of a game that a query names with a word that can mean another thing in the game asked for."""
    if not wanted or reading.strict or not reading.rest or reading.game in ("", *wanted):
        return ()
    return _answers(found.rank(Reading(reading.rest), games=[reading.game]), kinds)


def _answers(hits: Sequence[Hit], kinds: Collection[str]) -> tuple[Hit, ...]:
    """Return the hits of some kinds without those that the best leaves far behind."""
    good = [hit for hit in hits if hit.document.kind in (kinds or KINDS)]
    return tuple(hit for hit in good if hit.score * FAR > good[0].score)


def asks_permission(lang: str, query: str) -> bool:
    """Return whether a question is about what somebody may do, which the referee judges for the cards at hand."""
    return any(word in query.lower() for word in _known(lang).get("may", ()))


@lru_cache(maxsize=4)
def index(lang: str) -> Index:
    """Return the index of a language, made at the first call and kept on the disk; not beside games from elsewhere."""
    if not GAMES.are_built_in():
        return _make_index(lang)
    return cached_on_disk(f"search-{lang}", _sources(), partial(_make_index, lang))


def _sources() -> list[Path]:
    """Return the files that an index is made of: all texts, and the code that decides what is made of them."""
    code = Path(__file__).parent.parent
    texts = [path for lang in LANGUAGES for path in data_folder(f"rules_{lang}").rglob("*.*") if path.suffix != ".png"]
    return sorted(texts + [path for name in ("engine", "games", "rulebook") for path in (code / name).rglob("*.py")])


def _make_index(lang: str) -> Index:
    known = _known(lang)
    spelling = Spelling(known.get("forms", {}), _readings(lang), tuple(known.get("filler", ())))
    lists = Lists(names=_names(), **{name: known.get(name, ()) for name in ("small", "plain", "foreign")})
    return Index(documents(lang), known.get("groups", ()), spelling, lists)


def documents(lang: str) -> Iterator[Document]:
    """Yield everything that can be found in a language."""
    yield from _articles(lang, _known(lang).get("leads", {}))
    yield from _presets(lang)
    yield from _options(lang)
    yield from _guides(lang)
    yield from _lessons(lang)


def _known(lang: str) -> dict[str, Any]:
    return _toml(data_folder(f"rules_{lang}") / "synonyms.toml")


def _readings(lang: str) -> dict[str, str]:
    """Return the readings of words: those that pages show, with the kana that end a word, and the others."""
    shown = {word: reading + _KANA_END.findall(word)[0] for word, reading in readings(lang).items()}
    others: Mapping[str, str] = _toml(data_folder(f"rules_{lang}") / "readings.toml").get("readings", {})
    return {**shown, **others}


def asked_questions(game: Game, lang: str) -> Mapping[str, Sequence[str]]:
    """Return what people ask, by the anchor of the article that answers."""
    found: Mapping[str, Sequence[str]] = _toml(game_folder(game, lang) / QUESTIONS).get("questions", {})
    return found


def _names() -> dict[str, list[str]]:
    """Return what each game is called in every language."""
    found = {}
    for game in GAMES.values():
        own = [name for lang in LANGUAGES for name in _toml(game_folder(game, lang) / QUESTIONS).get("names", ())]
        found[game.id] = [*dict.fromkeys([words(game.id, lang).name for lang in LANGUAGES] + own)]
    return found


def _played_factors(game: str, house: HouseRules[object]) -> dict[str, float]:
    return {a.id: 1.0 if a.played(house.options) else _VARIANT * _VARIANT for a in GAMES[game].articles}


def _preset_factors(lang: str, reading: Reading, wanted: Sequence[str]) -> dict[str, float]:
    """Return what hits count where a query asks about a preset: more in what it plays and the default does not."""
    found = index(lang)
    text = folded_in_place(reading.rest or reading.text)
    names = (each for each in _preset_names(lang) if each[0] in text and reading.game in ("", each[1]))
    name, game, preset = next((each for each in names if not wanted or each[1] in wanted), ("", "", ""))
    if not name:
        return {}
    rest = found.spelling.tokens(found.spelling.plain(text.replace(name, " ")))
    if all(map(found.reader.is_small, rest)):
        return {preset: 1.0}
    options = GAMES[game].options
    factors = {preset: _PRESET_ASIDE}
    for article in GAMES[game].articles:
        if not article.played(options.preset(preset).options):
            factors[article.id] = _VARIANT * _VARIANT
        elif not article.played(options.preset().options):
            factors[article.id] = _OWN
    return factors


@lru_cache(maxsize=4)
def _preset_names(lang: str) -> list[tuple[str, str, str]]:
    """Return what the presets but the default are called in any language, folded, with game and preset."""
    found: dict[str, tuple[str, str]] = {}
    presets = (document for document in index(lang).documents if document.kind == "preset")
    for _, (_, *others) in itertools.groupby(presets, key=lambda document: document.game):
        for document in others:
            found |= {folded_in_place(name): (document.game, document.id) for name, _ in document.phrases[1:]}
    return sorted(((name, *own) for name, own in found.items()), key=lambda each: -len(each[0]))


_toml = lru_cache(maxsize=32)(read_toml)


def _articles(lang: str, leads: Mapping[str, Sequence[str]]) -> Iterator[Document]:
    other = other_language(lang)
    for whole in _pages(lang):
        game = GAMES[whole.game]
        asked = asked_questions(game, lang)
        translated = words(whole.game, other)
        for section in whole.sections:
            for article in section.articles:
                own = (*leads.get(article.id, ()), *asked.get(article.anchor, ()))
                phrases = [(phrase, 1.0) for phrase in own]
                phrases += [
                    (translated.title(article.id), _OTHER_LANGUAGE), (f"{section.title} {article.title}", _SECTION),
                ]  # fmt: skip
                factor = 1.0 if article.played else _VARIANT
                yield Document(
                    "article",
                    whole.game,
                    article.id,
                    article.title,
                    answer_text(article.html),
                    article.url,
                    tuple(phrases),
                    factor,
                )


def _pages(lang: str) -> Iterator[Page]:
    sources = load_book().sources
    return (page(game, lang) for game in GAMES if sources[game, lang])


def _options(lang: str) -> Iterator[Document]:
    other = other_language(lang)
    for game in GAMES.values():
        here, there = words(game.id, lang), words(game.id, other)
        for option in game.options.options.values():
            text = " ".join([here.option_help(option.name), *here.choices(option).values()])
            phrases = (
                (option.name.replace("_", " "), _OTHER_LANGUAGE), (there.option_label(option.name), _OTHER_LANGUAGE),
            )  # fmt: skip
            url, label = article_url(lang, option.article), here.option_label(option.name)
            yield Document("option", game.id, option.name, label, text, url, phrases, _OPTION)


def _presets(lang: str) -> Iterator[Document]:
    for game in GAMES.values():
        asked = {each: _toml(game_folder(game, each) / QUESTIONS).get("presets", {}) for each in LANGUAGES}
        known = {each: words(game.id, each) for each in (lang, *LANGUAGES)}
        for preset in game.options.presets:
            label, text = known[lang].preset_label(preset), known[lang].preset_help(preset)
            labels = (own.preset_label(preset) for own in known.values())
            names = (*labels, *(name for each in LANGUAGES for name in asked[each].get(preset, ())))
            phrases = tuple((phrase, _NAMED) for phrase in (f"{known[lang].name} {label}", *names))
            yield Document("preset", game.id, preset, label, text, rules_url(lang, game.id, preset), phrases, _PRESET)


def _guides(lang: str) -> Iterator[Document]:
    for name in GUIDES:
        if load_book().sources[name, lang]:
            kind, factor = _GUIDE[name]
            for article in page(name, lang).articles():
                yield Document(kind, "", article.id, article.title, article.text, article.url, (), factor)


def _lessons(lang: str) -> Iterator[Document]:
    from companion.rulebook.lessons import lesson_pages  # not for who only asks: the index is kept

    for lesson in lesson_pages(lang):
        url, asked = f"/{lang}/{lesson.path}", ((lesson.asked, 1.0),)
        yield Document("lesson", lesson.game, lesson.path, lesson.title, lesson.asked, url, asked, _LESSON)
