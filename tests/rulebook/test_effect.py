"""An option that can change nothing under the rest of the rules is not named as in force; conflicts name values."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.conformance import published
from companion.data import LANGUAGES
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.answers import diff_answer
from companion.rulebook.pages import page
from companion.rulebook.words import words

RULE_SETS, PAIRS, PROBES = 3, 12, 8
FILES = {"spades": "spades_*", "casino": "casino_*", "spite-and-malice": "snm_*"}


def values(game: Game, name: str) -> list[Any]:
    option = game.options.options[name]
    limits = [] if option.choices or option.kind != "number" else [option.low, option.high]
    return list(dict.fromkeys([*option.possible(()), *limits]))


def some_rules(game: Game, chance: random.Random) -> HouseRules[object]:
    """A preset with a few options changed by chance."""
    options = game.options
    while True:
        names = chance.sample(list(options.options), chance.choice([0, 1, 3, 6]))
        given = {name: chance.choice(values(game, name)) for name in names}
        try:
            return options.build(chance.choice(list(options.presets)), given)
        except Refused:
            continue


def idle_pairs(
    game: Game, chance: random.Random, house: HouseRules[object]
) -> Iterator[tuple[str, HouseRules[object]]]:
    """Yield options without effect, each with the same rules but another value of it."""
    options = game.options
    whole = {name: getattr(house.options, name) for name in options.options}
    for name in options.options:
        if not options.has_effect(name, house.options):
            other = chance.choice([value for value in values(game, name) if value != whole[name]])
            try:
                yield name, options.build(house.preset, whole | {name: other})
            except Refused:
                continue


@pytest.mark.parametrize("name", FILES)
def test_an_option_without_effect_changes_no_answer(
    name: str, shared_client: Any, soak_round: int, soaked: Any
) -> None:
    """Published requests are asked under random rules, and under the same rules with another value of the option."""
    game, chance = GAMES[name], random.Random(f"{name}{soak_round}")
    asked = [(case["post"], case["request"]) for case in published(FILES[name]) if "replay" not in case["post"]]

    def answered(post: str, request: dict[str, Any], rules: HouseRules[object]) -> tuple[int, Any]:
        given = {"preset": rules.preset, "options": game.options.plain(rules.options)}
        reply = shared_client.post(f"/api/v1{post}", json=request | {"rules": given})
        return reply.status_code, {key: part for key, part in reply.json.items() if key not in ("rules", "instance")}

    compared = 0
    while compared < PAIRS:
        house = some_rules(game, chance)
        for option, other in list(idle_pairs(game, chance, house))[:3]:
            compared += 1
            for post, request in chance.sample(asked, PROBES):
                if getattr(house.options, "building", "") == "none" and request.get("position", {}).get("builds"):
                    continue  # these rules have no builds
                before, after = (answered(post, request, rules) for rules in (house, other))
                assert before == after, (
                    option,
                    game.options.code(house),
                    game.options.code(other),
                    json.dumps(request),
                )
    soaked(pairs=compared)


@pytest.mark.parametrize("name", FILES)
def test_an_option_without_effect_is_not_named(name: str, soak_round: int, soaked: Any) -> None:
    """The summary, the comparison and every article of a table's own rules are the same whatever its value."""
    game, chance, compared = GAMES[name], random.Random(f"{name}{soak_round}"), 0

    def said(rules: HouseRules[object], lang: str) -> list[Any]:
        shown = [article for part in page(name, lang, rules).parts for s in part.sections for article in s.articles]
        compared = diff_answer(game, game.options.preset(rules.preset), rules, lang)["differences"]
        return [words(name, lang).summary(game.options, rules), compared, *shown]

    for _ in range(RULE_SETS):
        house = some_rules(game, chance)
        for place, (option, other) in enumerate(list(idle_pairs(game, chance, house))[:6]):
            lang = LANGUAGES[place % len(LANGUAGES)]
            for one, two in zip(said(house, lang), said(other, lang), strict=True):
                assert one == two, (option, game.options.code(house), game.options.code(other))
            compared += 1
    assert compared > RULE_SETS
    soaked(pairs=compared)


@pytest.mark.parametrize("name", FILES)
def test_a_refused_combination_gives_the_values_of_its_options(name: str) -> None:
    game, chance, refused = GAMES[name], random.Random(name), 0
    options = game.options
    while refused < 60:
        names = chance.sample(list(options.options), 8)
        given = {each: chance.choice(values(game, each)) for each in names}
        try:
            options.build(chance.choice(list(options.presets)), given)
        except Refused as no:
            for problem in no.problems:
                shown = problem.facts["values"]
                assert list(shown) == list(problem.facts["options"])
                for lang in LANGUAGES:
                    own = words(name, lang)
                    sentence = own.problem(problem)
                    for each, value in shown.items():
                        option = options.options[each]
                        assert own.option_label(each) in sentence
                        assert own.option_bare(option, value) in sentence
                        assert each not in given or option.plain(given[each]) == value
                refused += 1
