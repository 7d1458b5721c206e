"""House rules as a form: every option with its explanation and article, grouped as on the rule page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Game
from companion.engine.options import Option
from companion.rulebook.book import article_url, say, words
from companion.rulebook.pages import page
from companion.rulebook.phrases import Words

LOSSES = (-100, -200, -250, -300, -400, -500, -1000)
"""Losing floors to choose from: a phone's number keys have no minus."""


@dataclass(frozen=True, slots=True)
class Field:
    """One option in the form."""

    option: Option
    label: str
    help: str
    value: Any
    text: str
    url: str
    choices: tuple[tuple[str, str], ...] = ()
    differs: bool = False
    said: str = ""
    """The value in words."""
    usual: str = ""
    """The value of the preset in words."""
    range: str = ""
    """The least and the greatest number with their unit, where a number is typed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Options whose articles stand in one section of the rule page."""

    title: str
    fields: tuple[Field, ...]

    @property
    def differing(self) -> int:
        """How many of the options differ from the preset."""
        return sum(1 for field in self.fields if field.differs)


def option_groups(game: Game, values: Mapping[str, Any], lang: str, *, preset: str) -> list[Group]:
    """All options of a game in groups, with these values (JSON) filled in."""
    own = words(game.id, lang)
    base = game.options.plain(game.options.preset(preset).options)
    titles = {article.id: section.title for section in page(game.id, lang).sections for article in section.articles}
    groups: dict[str, list[Field]] = {}
    for option in game.options.options.values():
        usual = base[option.name]
        value = values.get(option.name, usual)
        field = Field(
            option, own.option_label(option.name), own.option_help(option.name), value, _text(value),
            article_url(lang, option.article), _choices(option, value, own), value != usual,
            own.option_value(option, value), own.option_value(option, usual), range_text(option, lang),
        )  # fmt: skip
        groups.setdefault(titles.get(option.article, ""), []).append(field)
    return [Group(title, tuple(fields)) for title, fields in groups.items()]


def range_text(option: Option, lang: str) -> str:
    """From where to where a number goes, with its unit; empty for what is chosen rather than typed."""
    if option.kind != "number" or option.choices or (option.low or 0) < 0:
        return ""
    numbers = say(lang, "sheets.range", low=option.low, high=option.high)
    unit = words(option.article.partition(".")[0], lang).tables["units"].get(option.unit or "")
    return unit({"value": numbers}) if unit else numbers


def given_rules(game: Game, form: Any) -> dict[str, Any]:
    """The rules that a form stands for: the preset, and the options that differ from it.

    A form that only passes rules on has their short code instead. Raises Refused where that is none.
    """
    if "rules" in form:
        house = game.options.decode(form["rules"])
        return {"preset": house.preset, "options": game.options.plain(house.options)}
    preset = form.get("preset") or game.options.default_preset
    if "options" not in form or preset not in game.options.presets:
        return {"preset": preset}
    base = game.options.plain(game.options.preset(preset).options)
    given = {}
    for name, option in game.options.options.items():
        value = _value(option, form)
        if value != base[name]:
            given[name] = value
    return {"preset": preset, "options": given}


def _value(option: Option, form: Any) -> Any:
    """The JSON value in a form; what is not one stays a text, for the reader to refuse."""
    name = f"o.{option.name}"
    if option.kind == "flag":
        return name in form
    if option.kind == "words":
        return [word for word in option.choices if word in form.getlist(name)]
    if option.kind == "cards":
        return [word for word in form.get(name, "").replace(",", " ").split() if word]
    text = form.get(name, "").strip()
    if not text and option.nullable:
        return None
    digits = text.removeprefix("-")
    whole = digits.isascii() and digits.isdigit() and len(digits) < 9
    return int(text) if option.kind == "number" and whole else text


def _choices(option: Option, value: Any, own: Words) -> tuple[tuple[str, str], ...]:
    if option.kind in ("choice", "words"):
        return tuple(own.choices(option).items())
    numbers = _numbers(option, value)
    if not numbers:
        return ()
    none = [("", own.option_value(option, None))] if option.nullable else []
    return (*none, *((str(number), own.option_value(option, number)) for number in numbers))


def _numbers(option: Option, value: Any) -> list[int]:
    """The numbers to choose from, where an option has few or they are below zero."""
    if option.kind != "number":
        return []
    if option.choices:
        return [int(number) for number in option.choices]
    if (option.low or 0) >= 0:
        return []
    own = [value] if isinstance(value, int) else []
    return sorted((number for number in {*LOSSES, *own} if number >= (option.low or 0)), reverse=True)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
