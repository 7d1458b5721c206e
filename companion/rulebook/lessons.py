"""The texts for learners from the `lessons.toml` of a game: quick starts, questions, mistakes, advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from companion.data import LANGUAGES, SOURCE_LANGUAGE, read_toml
from companion.engine.game import Game
from companion.engine.lessons import Lessons
from companion.engine.problems import JsonObject
from companion.games import GAMES
from companion.rulebook.book import article_title, article_url, say, words
from companion.rulebook.markup import inline_html, to_html
from companion.rulebook.page_texts import page_facts, page_template
from companion.rulebook.pages import link_articles
from companion.rulebook.source import game_folder

FILE = "lessons.toml"
QUESTIONS, MISTAKES = 15, 8
"""How many frequent questions and common mistakes a way to play has; more are written than hold for each."""
PLACES = ("", "deal/first", "deal/mistake", "quiz", "score", "questions", "choose", "hand-out")
"""The pages of a way to play, in the order in which they are offered; the first one is the quick start."""
CHOOSE = "choose"
"""The one page that is not about one way to play."""
Texts = JsonObject


@dataclass(frozen=True, slots=True)
class QuickStart:
    """One way to play on one page, each part as HTML; `lead` and `aim` and the steps and lines without a paragraph."""

    lead: str
    need: str
    begin: str
    table: str
    aim: str
    turn: tuple[str, ...]
    score: tuple[str, ...]
    leave: str
    tip: str


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its answer, a mistake with what is right, an advice with its reason; `url` is its article's."""

    head: str
    html: str
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """What people ask, what goes wrong, and what helps to win, which is no rule."""

    questions: tuple[Item, ...]
    mistakes: tuple[Item, ...]
    strategy: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class LessonPage:
    """A page for learners that can be found: its path without the language, its title, words that people look for."""

    game: str
    path: str
    title: str
    asked: str


def learn_path(game_id: str, lessons: Lessons, way: str, place: str = "") -> str:
    """Return the path of a page of a way to play, without the language."""
    named = "" if way == next(iter(lessons.ways)) or place == CHOOSE else way
    return "/".join(part for part in ("learn", game_id, named, place) if part)


def place_key(place: str) -> str:
    """Return the key of a page among the phrases."""
    return place.replace("/", "-") or "quick"


def lesson_pages(lang: str) -> Iterator[LessonPage]:
    """Yield the pages for learners that a search should find: all for beginners, the quick starts of other ways."""
    for game in GAMES.values():
        lessons = game.load_lessons()
        if lessons is None:
            continue
        own, (first, *others) = words(game.id, lang), lessons.ways
        for place in PLACES:
            title = f"{own.name}{say(lang, 'keeper.colon')}{say(lang, f'learn.pages.{place_key(place)}')}"
            asked = say(lang, f"learn.asked.{place_key(place)}")
            yield LessonPage(game.id, learn_path(game.id, lessons, first, place), title, asked)
        for way in others:
            title = say(lang, "learn.title-of", game=own.name, way=own.preset_label(way))
            yield LessonPage(game.id, learn_path(game.id, lessons, way), title, say(lang, "learn.asked.quick"))


@lru_cache(maxsize=64)
def lesson_texts(game_id: str, lang: str) -> Texts:
    """Return the texts for learners of a game in a language; empty where it has none."""
    path = game_folder(GAMES[game_id], lang) / FILE
    return read_toml(path)


@lru_cache(maxsize=64)
def quick_start(game_id: str, lang: str, preset: str) -> QuickStart:
    """Return the quick start of a preset, every number as its rules have it. Raises KeyError without texts."""
    game, texts = GAMES[game_id], lesson_texts(game_id, lang)["quick"]
    facts = page_facts(game, lang, game.options.preset(preset), book=False)

    def block(text: str) -> str:
        return _finished(to_html(page_template(text).render(facts).strip()), game_id, lang)

    def line(text: str) -> str:
        return _finished(inline_html(page_template(text).render(facts).strip()), game_id, lang)

    return QuickStart(
        lead=line(texts["lead"]), need=block(texts["need"]), begin=block(texts["begin"]), table=block(texts["table"]),
        aim=line(texts["aim"]), turn=tuple(map(line, texts["turn"])), score=tuple(map(line, texts["score"])),
        leave=line(texts["leave"]), tip=line(texts["tip"]),
    )  # fmt: skip


@lru_cache(maxsize=64)
def advice(game_id: str, lang: str, preset: str) -> Advice:
    """Return the questions, mistakes and advice that hold for a preset, with its numbers. Raises KeyError without.

    An entry holds under its `when`, a condition like those of the quick start, and where its article is played.
    """
    game, texts = GAMES[game_id], lesson_texts(game_id, lang)
    rules = game.options.preset(preset)
    facts = page_facts(game, lang, rules, book=False)

    def holds(entry: Texts) -> bool:
        if "article" in entry and not game.articles[f"{game_id}.{entry['article']}"].played(rules.options):
            return False
        return bool(page_template(f"{{% if {entry.get('when', 'true')} %}}1{{% endif %}}").render(facts))

    def item(entry: Texts) -> Item:
        head, html = (inline_html(page_template(entry[key]).render(facts).strip()) for key in ("head", "text"))
        article = f"{game_id}.{entry['article']}" if "article" in entry else ""
        return Item(
            head, _finished(html, game_id, lang), article_title(lang, article) if article else "",
            article_url(lang, article) if article else "",
        )  # fmt: skip

    def items(key: str, most: int) -> tuple[Item, ...]:
        return tuple(item(entry) for entry in islice(filter(holds, texts[key]), most))

    return Advice(items("questions", QUESTIONS), items("mistakes", MISTAKES), items("strategy", QUESTIONS))


def lesson_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong with the texts for learners of a game: missing ones, languages that differ."""
    source = _outline(lesson_texts(game.id, SOURCE_LANGUAGE))
    for lang in LANGUAGES:
        found = _outline(lesson_texts(game.id, lang))
        if game.load_lessons() is not None and not found:
            yield f"{lang}, {game.id}: {FILE} is missing"
        for article in _articles(lesson_texts(game.id, lang)):
            if f"{game.id}.{article}" not in game.articles:
                yield f"{lang}, {game.id}: {FILE} names an unknown article {article}"
        for key in sorted(found ^ source):
            fault = "is missing" if key in source else "is not in the source language"
            yield f"{lang}, {game.id}: {key} of {FILE} {fault}"


def _articles(texts: Texts) -> Iterator[str]:
    """Yield the articles that questions, mistakes and advice lead to."""
    for key in ("questions", "mistakes", "strategy"):
        yield from (entry["article"] for entry in texts.get(key, ()) if "article" in entry)


def _outline(value: object, key: str = "") -> frozenset[str]:
    """Return the dotted keys of all texts, lists by place."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        return frozenset({key})
    return frozenset().union(*(_outline(item, f"{key}.{name}".strip(".")) for name, item in items))


def _finished(html: str, game_id: str, lang: str) -> str:
    return link_articles(html, page=game_id, lang=lang, near={})
