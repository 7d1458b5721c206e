"""Sets of house rules as people compare them: one line, a short code with its QR, what differs, every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import request
from markupsafe import Markup

from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.rulebook.answers import diff_answer, notice_answer
from companion.rulebook.book import say, words
from companion.sheets.scoring import View
from companion.web.keeper.codes import Asked, read_code, set_url
from companion.web.keeper.options import given_rules
from companion.web.keeper.presets import own_presets
from companion.web.qr import qr


@dataclass(frozen=True, slots=True)
class RuleSet:
    """House rules ready for a template; `name` where a preset or somebody here gave them one."""

    game: str
    game_name: str
    name: str
    own: bool
    code: str
    summary: str
    preset: str
    differences: list[dict[str, Any]]
    notices: list[dict[str, Any]]
    url: str
    link: str
    """The whole address, for other phones."""
    lang: str

    @property
    def qr(self) -> Markup:
        """The address as a QR code."""
        return qr(self.link)


@dataclass(frozen=True, slots=True)
class Choices:
    """Sets that can be chosen from, of one kind: their codes and what they are called."""

    title: str
    sets: tuple[tuple[str, str], ...]


def rule_set(game: Game, house: HouseRules[Any], lang: str) -> RuleSet:
    """House rules in words, told against the preset that they started from."""
    own, code, url = words(game.id, lang), game.options.code(house), set_url(lang, game, house)
    base = game.options.preset(house.preset)
    differences = diff_answer(game, base, house, lang)["differences"]
    kept = next((each.name for each in own_presets(game.id) if each.code == code), "")
    return RuleSet(
        game=game.id,
        game_name=own.name,
        name=kept or ("" if differences else own.preset_label(house.preset)),
        own=bool(kept),
        code=code,
        summary=own.summary(game.options, house),
        preset=own.preset_label(house.preset),
        differences=differences,
        notices=[notice_answer(notice, own) for notice in house.notices],
        url=url,
        link=request.url_root.rstrip("/") + url,
        lang=lang,
    )


def form_rules(game: Game, form: Any) -> tuple[HouseRules[Any] | None, Sequence[Problem]]:
    """The house rules that a form stands for, settled; or what is wrong with them."""
    try:
        node = Node(given_rules(game, form), ("rules",))
    except Refused as refused:
        return None, refused.problems
    house = game.options.read(node)
    return (None, node.problems) if node.problems else (house, ())


def choices(game: Game, lang: str, *, sheets: Sequence[View] = (), also: Sequence[RuleSet] = ()) -> list[Choices]:
    """The sets of a game that can be chosen without typing: presets, own ones, those of sheets, and what is at hand."""
    own = words(game.id, lang)
    presets = tuple((name, own.preset_label(name)) for name in game.options.presets)
    kept = tuple((each.code, each.name) for each in own_presets(game.id))
    played = tuple(_of_sheets(game, lang, sheets))
    known = {code for group in (presets, kept, played) for code, _ in group}
    others = tuple({each.code: each.summary for each in also if each.code not in known}.items())
    groups = [
        Choices(say(lang, "house-rules.at-hand"), others),
        Choices(say(lang, "house-rules.own"), kept),
        Choices(say(lang, "house-rules.of-sheets"), played),
        Choices(say(lang, "house-rules.presets"), presets),
    ]
    return [group for group in groups if group.sets]


def asked_rules(given: Any, name: str, lang: str, game: Game | None = None) -> Asked:
    """What a picker in a form stands for: a code that was typed or scanned, else the set chosen from the list."""
    typed, chosen = given.get(f"{name}-code", "").strip(), given.get(name, "").strip()
    return read_code(typed or chosen, lang, game) if typed or chosen else Asked()


def _of_sheets(game: Game, lang: str, sheets: Sequence[View]) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for view in sheets:
        if view.game is not None and view.game.game == game.id:
            names = view.sheet.title or say(lang, "house-rules.sheet-of", players=list(view.sheet.names.values()))
            found.setdefault(game.options.code(view.house(view.game)), names)
    return list(found.items())
