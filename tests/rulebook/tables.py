"""The complete rules of presets and of random tables as plain text, rendered once for all tests that read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from companion.engine.options import HouseRules, Option
from companion.engine.problems import Refused
from companion.engine.shapes import read
from companion.games import GAMES
from companion.rulebook.pages import page, plain_text
from companion.rulebook.words import TEXT_STYLE

CHANGES = 9
"""At most so many options of a random table are not its preset's."""
NUMBERS = (1, 2, 3, 4, 7, 12, 37, 150)
"""What a number of a random table is tried with, beside the ends of its range."""
_CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]")


@dataclass(frozen=True)
class Told:
    """What a page says: its summary, the heads of its sections, its articles by anchor, without readings and marks.

    `written` has the articles as Markdown, with their figures.
    """

    lead: str
    heads: dict[str, str]
    articles: dict[str, str]
    written: dict[str, str]

    @property
    def whole(self) -> str:
        """Everything, a line for each piece."""
        return "\n".join([self.lead, *self.heads.values(), *self.articles.values()])


@lru_cache(maxsize=4096)
def told(game: str, lang: str, code: str) -> Told:
    """What the complete rules of a preset or a house-rule code say."""
    own = page(game, lang, GAMES[game].options.decode(code))
    return Told(
        _plain(own.summary_html),
        {section.anchor: _plain(section.html) for section in own.sections},
        {article.anchor: _plain(article.html) for article in own.articles()},
        {article.anchor: article.markdown for article in own.articles()},
    )


def codes(game: str, count: int, seed: int) -> list[str]:
    """Every preset, and so many random tables."""
    rng = Random(f"{game} {seed}")
    return [*GAMES[game].options.presets, *(_random_code(game, rng) for _ in range(count))]


def numbers(text: str) -> set[str]:
    """The numbers in a text, those of cards aside."""
    return set(re.findall(r"\d+", _CARD.sub(" ", text)))


def _plain(html: str) -> str:
    text = plain_text(re.sub(r"</(p|li|tr|td|th|h\d)>", r"\n", html)).replace(TEXT_STYLE, "")
    return re.sub(r"\n\s*", "\n", text)


def _random_code(game: str, rng: Random) -> str:
    options = GAMES[game].options
    while True:
        chosen = rng.sample(list(options.options.values()), rng.randint(1, min(CHANGES, len(options.options))))
        try:
            house: HouseRules[Any] = options.build(
                rng.choice(list(options.presets)), {option.name: _random_value(option, rng) for option in chosen}
            )
            return options.code(house)
        except Refused:
            continue


def _random_value(option: Option, rng: Random) -> Any:
    if option.kind == "flag":
        return rng.random() < 0.5
    if option.kind == "choice":
        return rng.choice(option.choices)
    if option.kind != "number":
        least, most = option.low or 0, option.high or len(option.choices)
        return read(option.field(), rng.sample(option.choices, rng.randint(least, most)))
    if option.choices:
        return rng.choice([*map(int, option.choices), *([None] if option.nullable else [])])
    within = [number for number in (*NUMBERS, option.low, option.high) if option.low <= number <= option.high]
    return rng.choice([*within, *([None] if option.nullable else [])])
