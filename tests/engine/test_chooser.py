"""Which rules do people play: every combination of answers leads to rules that say what was answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.chooser import UNKNOWN, Chooser, ChooserRule, read_chooser
from companion.engine.game import Game
from companion.engine.problems import Node
from companion.games import GAMES
from companion.rulebook.words import words

ASKED = [game for game in GAMES.values() if game.chooser]
games = pytest.mark.parametrize("game", ASKED, ids=lambda game: game.id)
PLAYERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "four_pairs": 4, "six_pairs": 6}
Means = Callable[[Any, dict[str, str]], bool]
FORTY = "forty"
MEANS: dict[str, dict[str, dict[str, Means]]] = {
    "spite-and-malice": {
        "cards": {
            "kings": lambda o, said: o.wild == ("K",) and o.top_rank == "Q" and o.jokers == 0,
            "jokers": lambda o, said: "joker" in o.wild and o.jokers == 2 * o.packs,
            "skip_bo": lambda o, said: o.card_names == "numbered" and o.score_bonus == 25,
        },
        "people": {
            name: lambda o, said, name=name: (  # type: ignore[misc]
                o.players == PLAYERS[name] and o.partners == ("opposite" if "pairs" in name else "off")
            )
            for name in PLAYERS
        },
        "stacks": {
            "any": lambda o, said: o.discard_rule == "free",
            "same_or_lower": lambda o, said: o.discard_rule == "same_or_lower",
        },
        "discard": {
            "must": lambda o, said: o.discard_required,
            "may": lambda o, said: not o.discard_required,
        },
    },
    "casino": {
        "people": {
            "pairs": lambda o, said: (o.partners, o.deck == 49) == ("opposite", False),
            "alone": lambda o, said: (o.partners, o.deck == 49) == ("off", False),
            "five": lambda o, said: (o.partners, o.deck) == ("off", 49),
        },
        "courts": {
            "none": lambda o, said: o.court_values == "none",
            "numbers": lambda o, said: o.court_values == "11_13" or o.deck == 40,
        },
        "deal": {
            "fours": lambda o, said: o.deal == "fours",
            "draw": lambda o, said: o.deal == "draw",
            "all": lambda o, said: o.deal == "cut_four",
            FORTY: lambda o, said: o.deck == 40,
        },
        "sweep": {
            "one": lambda o, said: (o.sweep, o.sweep_cancel) == (1, False),
            "nothing": lambda o, said: o.sweep == 0,
            "cancel": lambda o, said: (o.sweep, o.sweep_cancel) == (1, True),
        },
        "table": {
            "nothing": lambda o, said: o.each_spade_points == 0 and o.trail_capturing and not o.owner_must_take,
            "spades": lambda o, said: o.each_spade_points == 1 and o.target == 61,
            "must_take": lambda o, said: o.owner_must_take,
            "no_trail": lambda o, said: not o.trail_capturing,
            "pile": lambda o, said: o.pile_cards != "none",
        },
    },
    "spades": {
        "people": {
            "pairs": lambda o, said: o.mode == "partners4",
            "four": lambda o, said: o.mode == "solo4",
            "three": lambda o, said: o.mode == "solo3",
            "two": lambda o, said: o.mode in ("duo_draw", "duo_dummy"),
            "six": lambda o, said: o.mode == "partners6",
        },
        "bids": {
            "sum": lambda o, said: "partners" not in o.mode or o.bid_method == "sum",
            "later": lambda o, said: "partners" not in o.mode or o.bid_method == "later_partner",
            "confer": lambda o, said: "partners" not in o.mode or o.bid_method == "consultation",
            **{rule: lambda o, said, rule=rule: o.bidding_rule == rule for rule in ("suicide", "mirror", "whiz")},  # type: ignore[misc]
        },
        "cards": {
            "plain": lambda o, said: "joker" not in o.deck and o.trump_order == "ace_high",
            "jokers": lambda o, said: "joker" in o.deck and o.trump_order == "ace_high",
            "jokers_deuces": lambda o, said: (
                "joker" in o.deck and (o.trump_order, len(o.promoted_twos)) == ("deuce_high", 1)
            ),
        },
        "end": {
            "to_500": lambda o, said: o.target == 500,
            "to_350": lambda o, said: (o.target, o.sets_lose) == (350, 2),
            "deals": lambda o, said: o.target is None and o.deals_limit,
            "clock": lambda o, said: o.target == 500,
        },
    },
}
"""What each answer says of the options, written apart from the file that leads there."""


def combinations(chooser: Chooser) -> Iterator[dict[str, str]]:
    """Yield every combination of answers, each question also without one."""
    for answers in product(*((UNKNOWN, *known) for known in chooser.questions.values())):
        yield {name: each for name, each in zip(chooser.questions, answers, strict=True) if each != UNKNOWN}


@games
def test_every_combination_leads_to_rules_that_say_what_was_answered(game: Game) -> None:
    assert game.chooser is not None
    chooser, options, reached = read_chooser(game.chooser), game.options, set()
    for said in combinations(chooser):
        chosen = chooser.choose(said)
        node = Node({"preset": chosen.preset, "options": chosen.options})
        house = options.read(node)
        assert not node.problems, (said, chosen, node.problems)
        assert (
            options.decode(options.code(house)) == house or options.decode(options.code(house)).options == house.options
        )
        for name, answer in said.items():
            excused = any(note.startswith(f"no-{answer}") for note in chosen.notes)
            assert MEANS[game.id][name][answer](house.options, said) != excused, (said, options.code(house))
        for code in chosen.also:
            assert options.decode(code)
        reached |= {chosen.preset, *chosen.also}
    assert reached == set(options.presets)


@games
def test_every_rule_is_reached_and_every_word_is_there(game: Game) -> None:
    assert game.chooser is not None
    chooser = read_chooser(game.chooser)
    used = [rule for rule in chooser.rules if any(rule_counts(chooser, rule, said) for said in combinations(chooser))]
    assert used == list(chooser.rules)
    for lang in LANGUAGES:
        own = words(game.id, lang)
        assert own.say("which.not-here")
        for name, known in chooser.questions.items():
            labels = [own.say(f"which.{name}.{answer}") for answer in known]
            assert len(set(labels)) == len(labels) == len(known)
            assert own.say(f"which.{name}.ask")
        assert all(own.say(f"which.notes.{rule.note}") for rule in chooser.rules if rule.note)


def rule_counts(chooser: Chooser, rule: ChooserRule, said: dict[str, str]) -> bool:
    chosen = chooser.choose(said)
    if rule.preset:
        return (chosen.preset, chosen.also) == (rule.preset, rule.also) and rule.options.items() <= {
            **rule.options, **chosen.options
        }.items()  # fmt: skip
    return all(said.get(name, UNKNOWN) in meant for name, meant in rule.when.items())


def test_what_is_not_known_counts_as_the_first_answer() -> None:
    chooser = Chooser(
        {"one": ("a", "b")},
        (
            ChooserRule({"one": ("b",)}, "second"),
            ChooserRule({"one": ("a",)}, "first"),
            ChooserRule({"one": ("a",)}, options={"said": True}),
        ),
        (),
    )
    assert [chooser.choose(given).preset for given in ({}, {"one": "x"}, {"one": "b"})] == ["first", "first", "second"]
    assert (chooser.choose({}).options, chooser.choose({"one": "a"}).options) == ({}, {"said": True})
