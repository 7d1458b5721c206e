"""House rules as data: reading, what gives way, conflicts that name both options, short codes."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.game import Game
from companion.engine.options import (
    Caution,
    Excludes,
    Needs,
    Option,
    OptionSet,
    card_list,
    choice,
    flag,
    number,
    word_list,
)
from companion.engine.problems import Node, Refused, read_whole
from companion.engine.shapes import read_at
from companion.games import GAMES

A = ("game.a",)


@dataclass(frozen=True, slots=True)
class Rules:
    bags: bool = flag(True, key="b", articles=A)
    over: str = choice("plus", "minus", "none", key="o", articles=A)
    limit: int | None = number(10, 1, 50, key="l", unit="bags", nullable=True, articles=A)
    twos: tuple[Card, ...] = card_list("2C 2D", among="2C 2D 2H", least=1, most=2, key="t", articles=A)
    high: tuple[Card, ...] = card_list("", among="2C 2D 2H", least=0, most=3, key="h", articles=A)
    jokers: bool = flag(False, key="j", articles=A)
    wild: bool = flag(False, key="w", articles=A)
    extras: tuple[str, ...] = word_list("x", among=("x", "y", "z"), least=0, key="e", articles=A)


SET = OptionSet(
    Rules,
    {"usual": {}, "minus": {"over": "minus", "bags": False}, "wild": {"jokers": True, "wild": True}},
    excludes=(
        Excludes("game.minus", {"over": ("minus",)}, {"bags": (True,)}),
        Excludes("game.limit", {"limit": (None,)}, {"extras": (("z",), ("y", "z"))}),
    ),
    needs=(Needs("game.wild", {"wild": (True,)}, {"jokers": (True,)}),),
    cautions=(Caution("lonely", "game.a", ("limit", "bags"), lambda rules: rules.limit == 1),),
)


def build(preset: str = "usual", **given: Any) -> Any:
    return read_whole({"preset": preset, "options": given}, SET.read)


def problems(**given: Any) -> list[tuple[str, str, Any]]:
    with pytest.raises(Refused) as caught:
        build(**given)
    return [(p.path(), p.code, p.facts.get("options")) for p in caught.value.problems]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_numbers_below_zero_are_offered_and_all_offers_are_in_range(game: Game) -> None:
    for option in game.options.options.values():
        assert bool(option.offers) == (option.kind == "number" and (option.low or 0) < 0), option.name
        assert all((option.low or 0) <= number <= (option.high or 0) for number in option.offers), option.name


def test_defaults_and_presets() -> None:
    assert read_whole({}, SET.read).options == Rules()
    assert read_whole({"preset": "minus"}, SET.read).options.over == "minus"
    assert SET.default_preset == "usual"
    assert SET.plain(Rules())["twos"] == ["2C", "2D"]


def test_default_gives_way_to_what_was_given() -> None:
    house = build(over="minus")
    assert house.options.bags is False
    (notice,) = house.notices
    assert (notice.code, notice.article, notice.options) == ("gave-way", "game.minus", ("bags",))
    assert notice.facts == {"option": "bags", "from": True, "to": False}


def test_preset_gives_way_to_what_was_given() -> None:
    house = build("minus", bags=True)
    assert (house.options.over, house.options.bags) == ("plus", True)


@pytest.mark.parametrize("options", [SET, *(game.options for game in GAMES.values())])
def test_a_value_that_cannot_be_read_has_one_problem_at_its_own_place(options: OptionSet[Any]) -> None:
    """What stands in for it is never judged: no problem tells of a value that nobody sent."""
    wrong: tuple[Any, ...] = ("zz", 10**7, None, 0.5, "")
    for option in options.options.values():
        lists = option.kind in ("cards", "words")
        known = next(iter(option.choices), "")
        for value in [*([each, known] for each in wrong), [known, "zz"]] if lists else [*wrong, [], {}]:
            if value is None and option.nullable:
                continue
            node = Node(value)
            read_at(node, option.field())
            place = (int(value[0] == known),) if lists else ()
            assert [problem.pointer for problem in node.problems] == [place], (option.name, value)


def test_two_given_options_conflict_and_both_are_named() -> None:
    assert problems(over="minus", bags=True) == [("/options/bags", "options-conflict", ["over", "bags"])]


def test_needed_setting_comes_along_or_conflicts() -> None:
    assert build(wild=True).options.jokers is True
    assert build("wild", jokers=False).options.wild is False
    assert problems(wild=True, jokers=False) == [("/options/jokers", "options-conflict", ["wild", "jokers"])]


def test_caution_is_a_warning_with_the_values() -> None:
    (notice,) = build(limit=1).notices
    assert (notice.code, notice.facts) == ("lonely", {"limit": 1, "bags": True})


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"nothing": 1}, "unknown-option"),
        ({"bags": 1}, "type"),
        ({"over": "plenty"}, "choice"),
        ({"over": 3}, "type"),
        ({"limit": 0}, "range"),
        ({"limit": 51}, "range"),
        ({"limit": 2.0}, "type"),
        ({"twos": []}, "length"),
        ({"twos": ["2C", "2C"]}, "choice"),
        ({"twos": ["3C"]}, "choice"),
        ({"twos": ["17Z"]}, "card"),
        ({"twos": "2C"}, "type"),
        ({"extras": ["x", "x"]}, "choice"),
        ({"extras": ["q"]}, "choice"),
        ({"bags": None}, "type"),
    ],
)
def test_unreadable(given: dict[str, Any], code: str) -> None:
    assert code in {found for _, found, _ in problems(**given)}


def test_every_fault_is_told() -> None:
    assert len(problems(nothing=1, bags=1, limit=0)) == 3


def test_null_is_a_value_where_it_may_be() -> None:
    assert build(limit=None).options.limit is None


def test_words_keep_the_order_of_their_declaration() -> None:
    assert build(extras=["z", "y"]).options.extras == ("y", "z")


CODES: dict[str, dict[str, Any]] = {
    "usual": {},
    "usual~l-x": {"limit": None},
    "usual~o-minus~b-0": {"over": "minus"},
    "usual~t-2H.2C~h-2D": {"twos": ["2H", "2C"], "high": ["2D"]},
    "usual~e-": {"extras": []},
}


@pytest.mark.parametrize("code", CODES)
def test_short_code(code: str) -> None:
    house = build(**CODES[code])
    assert set(SET.code(house).split("~")) == set(code.split("~"))
    assert SET.decode(code).options == house.options


@pytest.mark.parametrize(
    "code",
    ["", "other", "usual~", "usual~q-1", "usual~l-51", "usual~l-ten", "usual~b-2", "usual~b-1~b-0", "usual~t-3C",
     "usual~o-minus~b-1", "usual~l-٣", "usual l-5"],
)  # fmt: skip
def test_what_is_no_code(code: str) -> None:
    with pytest.raises(Refused):
        SET.decode(code)


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("other~l-5", {"preset": "other"}),
        ("usual~q-1", {"part": "q-1"}),
        ("usual~b-1~b-0", {"part": "b-0"}),
        ("usual~b-1~l-51", {"part": "l-51", "option": "limit"}),
    ],
)
def test_what_is_no_code_says_which_part_is_none(code: str, facts: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        SET.decode(code)
    assert [(problem.code, problem.facts) for problem in refused.value.problems] == [
        ("rules-code", {"value": code, **facts, "example": "usual~l-10"})
    ]
    assert SET.decode("usual~l-10") == SET.preset()


def test_two_options_may_not_share_a_key() -> None:
    @dataclass(frozen=True, slots=True)
    class Twice:
        one: bool = flag(True, key="x", articles=A)
        two: bool = flag(True, key="x", articles=A)

    with pytest.raises(ValueError, match="key"):
        OptionSet(Twice, {"usual": {}})


def some_value(rng: Random, option: Option) -> Any:
    """A JSON value that the option reads, as far as its range goes."""
    if option.kind == "flag":
        return rng.random() < 0.5
    if option.kind in ("cards", "words"):
        most = min(option.high or len(option.choices), len(option.choices))
        return rng.sample(option.choices, rng.randint(option.low or 0, most))
    if option.nullable and rng.random() < 0.2:
        return None
    if option.kind == "number":
        assert option.low is not None
        assert option.high is not None
        return int(rng.choice(option.choices)) if option.choices else rng.randint(option.low, option.high)
    return rng.choice(option.choices)


@pytest.mark.parametrize("game", GAMES)
def test_settled_rules_of_every_game_break_no_exclusion(game: str) -> None:
    options, rng, settled = GAMES[game].options, Random(game), 0
    for _ in range(400):
        names = rng.sample(list(options.options), rng.randint(1, min(6, len(options.options))))
        given = {name: some_value(rng, options.options[name]) for name in names}
        preset = rng.choice(list(options.presets))
        try:
            house = read_whole({"preset": preset, "options": given}, options.read)
        except Refused:
            continue
        settled += 1
        named = [(options.options[name], getattr(house.options, name)) for name in given]
        code = preset + "".join(f"~{option.key}-{option.encode(value)}" for option, value in named)
        assert options.decode(code) == house, code
        values = {name: getattr(house.options, name) for name in options.options}
        assert not [rule.article for rule in options.excludes if rule.clash(values)], given
        plain = options.plain(house.options)
        assert all(plain[name] == value or isinstance(value, list) for name, value in given.items())
        assert options.decode(options.code(house)).options == house.options
    assert settled > 100


@pytest.mark.parametrize("game", GAMES)
def test_declarations_of_every_game(game: str) -> None:
    options, articles = GAMES[game].options, GAMES[game].articles
    for option in options.options.values():
        assert option.articles
        assert all(article in articles for article in option.articles), option.name
        assert option.unit or option.kind != "number"
        assert not any(mark in choice for choice in option.choices for mark in "~.") or option.kind == "cards"
    rules: list[Any] = [*options.excludes, *options.needs, *options.cautions]
    for rule in rules:
        assert rule.article in articles
    for preset in options.presets:
        house = options.preset(preset)
        assert not [notice for notice in house.notices if notice.code == "gave-way"], preset
        assert options.code(house) == preset
