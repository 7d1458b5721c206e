"""What the book prints is so: sentences with numbers and cards are read, and the engine is asked about them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import astuple
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion import library as companion
from companion.library import GAMES, LANGUAGES
from companion.rulebook.lessons import advice, lesson_words, quick_start
from tests.pairs.arrays import array, request, third
from tests.pairs.asking import CARD, Asker, Json, pattern, presets
from tests.pairs.casino_asker import CasinoAsker
from tests.pairs.spades_asker import SpadesAsker
from tests.pairs.spite_asker import SpiteAsker

ASKERS: dict[str, type[Asker]] = {"spades": SpadesAsker, "casino": CasinoAsker, "spite-and-malice": SpiteAsker}
PRINTED = {
    "en": re.compile(rf"{CARD}|[0-9]+"),
    "ja": re.compile(
        rf"{CARD}|(?![1-4][人つ回巡種度組番チ段行倍])(?!1(?:枚|トリック|個|ディール|山))(?!2[枚をもがはに」の])[0-9]+"
    ),
}
"""A number or a card; Japanese counts people and things with numerals where English has words."""
REPEATS = 5
"""Tables on which a short run asks the same question."""
READ = 0.9


@lru_cache
def claims(game: str) -> dict[str, list[Json]]:
    """Return the claims of a game by their articles."""
    found: dict[str, list[Json]] = defaultdict(list)
    text = (Path(__file__).parent / "claims" / f"{game}.toml").read_text("utf-8")
    for number, claim in enumerate(tomllib.loads(text)["claim"]):
        for lang in LANGUAGES:
            given = claim.get(lang, [])
            claim[lang] = [pattern(one) for one in ([given] if isinstance(given, str) else given)]
        for anchor in [claim["article"]] if isinstance(claim["article"], str) else claim["article"]:
            found[anchor].append(claim | {"number": number})
    return found


@pytest.mark.parametrize("game", ASKERS)
def test_what_the_book_prints_is_so(game: str, soak_round: int, thorough: bool, soaked: Any) -> None:
    reading = Reading(game, 10**6 if thorough else REPEATS)
    tables = array(game, soak_round, triples=thorough).tables
    tables = tables if thorough else tables[third() :: 3]
    for rules in (*presets(game), *(request(game, values) for values in tables)):
        reading.read(rules)
    lessons = GAMES[game].load_lessons()
    for way in (*lessons.ways, *lessons.starts) if lessons else ():
        reading.read_lessons(way)
    soaked(tables=reading.tables, claims=reading.asked.total(), printed=reading.printed, read=reading.known)
    assert not reading.untrue, "\n".join(reading.untrue)
    assert not thorough or not reading.never(), "claims that no table asks: " + ", ".join(reading.never())
    assert not reading.toothless(), "claims that cannot fail: " + ", ".join(reading.toothless())
    assert reading.known >= READ * reading.printed, "\n".join(reading.unread(40))


class Reading:
    """The pages of tables, and what of them was read and asked."""

    def __init__(self, game: str, repeats: int) -> None:
        self.game, self.repeats = game, repeats
        self.tables = self.printed = self.known = 0
        self.untrue: list[str] = []
        self.waiting: Counter[str] = Counter()
        self.asked: Counter[tuple[str, int]] = Counter()
        self.refuted: set[tuple[str, int]] = set()
        self.times: Counter[Any] = Counter()
        self.left: Counter[tuple[str, str, str]] = Counter()

    def read(self, rules: Json) -> None:
        """Read what the book says about a table, in each language."""
        self.tables += 1
        self.asker = ASKERS[self.game](rules)
        self.answers: dict[Any, bool | None] = {}
        for lang in LANGUAGES:
            for section in companion.book(self.game, rules=rules, lang=lang)["sections"]:
                for article in section["articles"]:
                    text = f"{article['title']}\n{article['text']}".replace("\ufe0e", "")
                    self._article(article["anchor"], text, lang)

    def read_lessons(self, way: str) -> None:
        """Read the quick start of a preset, its questions, mistakes and advice, and what its quiz teaches."""
        self.asker = ASKERS[self.game]({"preset": way})
        self.answers = {}
        for lang in LANGUAGES:
            for text in _lessons(self.game, way, lang):
                self._article("learn", _plain(text), lang)

    def _article(self, anchor: str, text: str, lang: str) -> None:
        seen = [False] * len(text)
        for claim in claims(self.game).get(anchor, ()):
            for one in claim[lang]:
                for match in one.finditer(text):
                    self._claim(anchor, claim, match)
                    spans = (
                        [match.span()]
                        if "unasked" in claim or "reads_all" in claim
                        else map(match.span, match.groupdict())
                    )
                    for start, end in spans:
                        seen[start:end] = [True] * (end - start)
        for token in PRINTED[lang].finditer(text):
            self.printed += 1
            self.known += seen[token.start()]
            if not seen[token.start()]:
                start = max(text.rfind(mark, 0, token.start()) for mark in ".。\n") + 1
                self.left[lang, anchor, text[start : token.end() + 40]] += 1

    def _claim(self, anchor: str, claim: Json, match: re.Match[str]) -> None:
        groups = match.groupdict() | {"article": anchor}
        key = (anchor, claim["number"], tuple(groups.items()))
        if key not in self.answers:
            self.times[key] += 1
            if self.times[key] > self.repeats and (anchor, claim["number"]) in self.refuted:
                return
            self.answers[key] = self.asker.holds(claim, groups)
            if self.answers[key] is None:
                return
            self.asked[anchor, claim["number"]] += 1
            if not self.answers[key] and "waits" in claim:
                self.waiting[anchor] += 1
            elif not self.answers[key]:
                self.untrue.append(
                    f"{anchor}: {match[0]!r}\n    {companion.rules(self.game, self.asker.rules)['code']}"
                )
            elif (anchor, claim["number"]) not in self.refuted:
                self._shake(anchor, claim, groups)

    def _shake(self, anchor: str, claim: Json, groups: dict[str, Any]) -> None:
        """Change one group after the other: what is said then is not so."""
        for name, text in groups.items():
            if name == "article" or text is None:
                continue
            for other in _others(text):
                if self.asker.holds(claim, groups | {name: other}) is False:
                    self.refuted.add((anchor, claim["number"]))
                    return

    def never(self) -> list[str]:
        """The claims that no table asks, unless they are for none or rare."""
        run = {number for _, number in self.asked}
        every = {claim["number"]: claim for group in claims(self.game).values() for claim in group}
        return [
            f"{claim['article']} {number}" for number, claim in sorted(every.items())
            if number not in run and not {"unasked", "optional"} & claim.keys()
        ]  # fmt: skip

    def toothless(self) -> list[str]:
        """The claims that were never refuted."""
        run, refuted = {number for _, number in self.asked}, {number for _, number in self.refuted}
        return [str(number) for number in sorted(run - refuted)]

    def unread(self, most: int) -> list[str]:
        """What was printed most and not read."""
        share = f"{self.known} of {self.printed} read"
        return [
            share,
            *(f"{count} {lang} {anchor}: {text}" for (lang, anchor, text), count in self.left.most_common(most)),
        ]


def _lessons(game: str, way: str, lang: str) -> Iterator[str]:
    """Yield what learners read about a preset, as HTML."""
    for part in astuple(quick_start(game, lang, way)):
        yield from [part] if isinstance(part, str) else part
    advised = advice(game, lang, way)
    for item in (*advised.questions, *advised.mistakes, *advised.strategy):
        yield f"{item.head}\n{item.html}"
    lessons = GAMES[game].load_lessons()
    if lessons is None or way in lessons.starts:
        return
    words = lesson_words(game, way, lang)
    yield words.about_sheet()
    yield from (question for question, _ in words.explained())
    for name in lessons.ways[way].puzzles:
        yield f"{words.title(name)}\n{words.lesson(name)}"


def _plain(text: str) -> str:
    """Return what is read of HTML: figures, tables and signs that join words are left out."""
    text = re.sub(r"<(figure|svg|table).*?</\1>", "", text, flags=re.DOTALL)
    return unescape(re.sub("<[^>]*>", "", text)).replace("\ufe0e", "").replace("\u2060", "")


def _others(text: str) -> list[str]:
    """Return other cards or numbers than these."""
    if re.fullmatch(CARD, text):
        return [other for other in ("3♥", "A♠", "5♣", "K♦", "8♠", "2♦") if other != text]
    if re.fullmatch(r"[−-]?[0-9]+", text):
        number = int(text.replace("−", "-"))
        return [str(number + 1), str(number - 1)] if number else ["1", "5"]
    return [" ".join(reversed(text.split())), text + ", 5♣", "、".join(reversed(text.split("、"))), text + "、5♣"]
