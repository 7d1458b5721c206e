"""Codes of house rules as people type or scan them: read with patience, refused with the reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from companion.engine.game import Game
from companion.engine.options import HouseRules, Option
from companion.engine.problems import Problem, Refused
from companion.games import GAMES
from companion.rulebook.book import article_url, say, words

LONGEST: Final = 2000
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−ー", "-") | {"〜": "~", "∼": "~"})


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why something typed is no code that fits, in words, with a link that helps."""

    text: str
    url: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed: house rules of a game, or what is wrong with it."""

    game: Game | None = None
    house: HouseRules[Any] | None = None
    wrong: tuple[Wrong, ...] = ()


def read_code(text: str, lang: str, game: Game | None = None) -> Asked:
    """The house rules behind a typed code or the address of a page that shows them; of any game where none is named."""
    code = _tidy(text)
    if not code or len(code) > LONGEST:
        return Asked(wrong=(Wrong(say(lang, "house-rules.wrong-empty")),))
    games = [game] if game else list(GAMES.values())
    for each in games:
        if house := _decoded(each, code):
            return Asked(each, house)
    for other in GAMES.values():
        if game and other is not game and (house := _decoded(other, code)):
            return Asked(wrong=(_of_another(game, other, house, lang),))
    meant = next((each for each in games if _preset(code) in each.options.presets), game)
    return Asked(wrong=_reasons(meant, code, lang))


def set_url(lang: str, game: Game, house: HouseRules[Any]) -> str:
    """Where a set of house rules is shown on this site."""
    return f"/{lang}/house-rules/{game.id}/{game.options.code(house)}"


def _tidy(text: str) -> str:
    """A code without what phones and people put around it: spaces, wide letters, the address that it came in."""
    plain = unicodedata.normalize("NFKC", text[: 2 * LONGEST]).translate(_DASHES)
    plain = "".join(sign for sign in plain if not sign.isspace() and unicodedata.category(sign) != "Cf")
    if "/" not in plain and "=" not in plain:
        return plain.strip("「」『』\"'“”.,。、")
    try:
        address = urlsplit(plain)
    except ValueError:
        return plain
    asked = parse_qs(address.query)
    for name in ("rules", "one", "other"):
        if name in asked:
            return asked[name][0]
    return unquote(address.path.rstrip("/").rpartition("/")[2])


def _decoded(game: Game, code: str) -> HouseRules[Any] | None:
    for spelling in _spellings(code):
        try:
            return game.options.decode(spelling)
        except Refused:
            continue
    return None


def _spellings(code: str) -> Iterable[str]:
    """The code as it was typed, then as it may have been meant: keyboards of phones like capitals."""
    yield code
    parts = [part.partition("-") for part in code.split("~")]
    for fold in (str, str.lower, str.upper):
        yield "~".join(key.lower() + mark + fold(value) for key, mark, value in parts)


def _preset(code: str) -> str:
    return code.partition("~")[0].lower()


def _of_another(game: Game, other: Game, house: HouseRules[Any], lang: str) -> Wrong:
    own = words(other.id, lang)
    facts = {"game": words(game.id, lang).name, "other": own.name, "summary": own.summary(other.options, house)}
    return Wrong(
        say(lang, "house-rules.wrong-game", **facts),
        set_url(lang, other, house),
        say(lang, "house-rules.show-set", game=own.name),
    )


def _reasons(game: Game | None, code: str, lang: str) -> tuple[Wrong, ...]:
    if game is None:
        known = [preset for each in GAMES.values() for preset in each.options.presets]
        near = get_close_matches(_preset(code), known, 1)
        return (Wrong(say(lang, "house-rules.wrong-anywhere", value=code[:60], near="".join(near))),)
    spelling = list(_spellings(code))[1]
    try:
        game.options.decode(spelling)
    except Refused as refused:
        return tuple(_reason(game, problem, lang) for problem in refused.problems)
    return ()


def _reason(game: Game, problem: Problem, lang: str) -> Wrong:
    own, facts = words(game.id, lang), problem.facts
    if problem.code != "rules-code":
        url, link = (article_url(lang, problem.article), own.title(problem.article)) if problem.article else ("", "")
        return Wrong(own.problem(problem), url, link)
    if "option" in facts:
        option = game.options.options[facts["option"]]
        told = {"part": facts["part"], "option": own.option_label(option.name), "possible": written(option, lang)}
        text = say(lang, "house-rules.wrong-value", **told)
        return Wrong(text, article_url(lang, option.article), own.title(option.article))
    if "part" in facts:
        return Wrong(say(lang, "house-rules.wrong-part", part=facts["part"], game=own.name))
    near = get_close_matches(facts.get("preset", ""), game.options.presets, 1)
    told = {"value": facts["value"], "game": own.name, "presets": list(game.options.presets), "near": "".join(near)}
    return Wrong(say(lang, "house-rules.wrong-preset", **told))


def written(option: Option, lang: str) -> str:
    """How the values of an option may be written in a code."""
    none = say(lang, "house-rules.written-none") if option.nullable else ""
    if option.kind == "flag":
        return say(lang, "house-rules.written-flag")
    if option.kind == "number" and not option.choices:
        return say(lang, "house-rules.written-number", low=option.low, high=option.high) + none
    several = option.kind in ("cards", "words")
    way = "house-rules.written-several" if several else "house-rules.written-one"
    return say(lang, way, choices=", ".join(option.choices)) + none
