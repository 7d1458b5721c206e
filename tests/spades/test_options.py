"""Every option bites, has its articles, and stays readable in short codes."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine.articles import Article
from companion.engine.options import Option
from companion.engine.problems import Refused, read_whole
from companion.games.spades import articles
from companion.games.spades.articles import ARTICLES
from companion.games.spades.rules import OPTIONS, PRESETS
from tests.pairs.arrays import array
from tests.spades.asking import answer
from tests.spades.dealer import play_deal
from tests.spades.test_cases import OWN, PUBLISHED

PACKAGE = Path(articles.__file__).parent
NUMBERS = """
    001-006 010-017 020-028 030-039 040-047 050-053 060-068 100-107 110-112 120-122 130-135 140-153 155-160 165-168
    170-171 180-185 190-194 200-208 210-213
"""
"""Every article of the rules, by number."""

BLIND: dict[str, Any] = {"blind_bid": True}
NEEDS: dict[str, dict[str, Any]] = {
    "solo3_deck": {"mode": "solo3"},
    "equal_cards": {"mode": "partners6"},
    "suicide_minimum": {"bidding_rule": "suicide"},
    "blind_failure": BLIND | {"blind_deficit": 0},
    "ten_bonus_value": {"ten_bonus": "flat200_up"},
    "dummy_side": {"mode": "duo_dummy"},
    "dummy_leads": {"mode": "duo_dummy"},
    "removed_twos": {"deck": "jokers_minus_twos"},
    "both_nil_value": {"both_nil": "unit"},
    "revoke_tricks": {"revoke_remedy": "tricks_lost"},
    "challenge_lost": {"revoke_remedy": "set"},
    "out_of_turn_remedy": {"revoke_remedy": "set"},
    "double_blind_nil_value": {"double_blind_nil": True},
    "double_blind_nil_deficit": {"double_blind_nil": True},
    "blind_bid_min": BLIND,
    "blind_reward": BLIND,
    "blind_exact": BLIND | {"blind_deficit": 0},
    "blind_exact_over": BLIND | {"blind_deficit": 0, "blind_exact": True},
    "blind_deficit": BLIND,
    "moon_value": {"moon": True},
    "thirteen_is_moon": {"moon": True},
    "moon_wins": {"moon": True},
    "blind_moon_value": {"blind_moon": True},
    "blind_moon_deficit": {"blind_moon": True},
    "club_two_must_lead": {"first_leader": "club_two"},
    "ten_bonus_failure": {"ten_bonus": "plus200"},
}
"""What an option needs to mean anything; every other one bites alone."""

OLD_CODES: dict[str, tuple[str, dict[str, Any]]] = {
    "classic": ("classic", {}),
    "plain": ("plain", {"sandbag": False}),
    "modern": ("modern", {"bid_method": "sum", "failed_nil_tricks": "bags_only", "zero_bid": False}),
    "jokers": ("jokers", {"deck": "jokers_minus_twos"}),
    "duo_dummy~ds-right": ("duo_dummy", {"mode": "duo_dummy", "dummy_side": "right"}),
    "solo3~s3-remove_2c": ("solo3", {"mode": "solo3", "solo3_deck": "remove_2c"}),
    "duo_dummy~dl-0": ("duo_dummy", {"mode": "duo_dummy", "dummy_leads": False}),
    "classic~d-jokers_dealer_discards": ("classic", {"deck": "jokers_dealer_discards"}),
    "jokers~rt-2C.2H~to-deuce_high~pt-2D": (
        "jokers",
        {
            "deck": "jokers_minus_twos",
            "removed_twos": ["2C", "2H"],
            "trump_order": "deuce_high",
            "promoted_twos": ["2D"],
        },
    ),
    "jokers_deuces~pt-": (
        "jokers_deuces",
        {
            "deck": "jokers_minus_twos",
            "removed_twos": ["2C", "2H"],
            "trump_order": "deuce_high",
            "bid_method": "sum",
            "failed_nil_tricks": "bags_only",
            "zero_bid": False,
        },
    ),
    "classic~bm-consultation~ft-1~fh-1~mb-4": (
        "classic",
        {"bid_method": "consultation", "forbid_total_13": True, "first_hand_bids_itself": True, "minimum_bid": 4},
    ),
    "classic~pn-0": ("classic", {"penalty_when_negative": False}),
    "classic~sr-1~zb-0": ("classic", {"second_round": True, "zero_bid": False}),
    "classic~n-0~dn-0": ("classic", {"nil": False, "double_nil": False}),
    "classic~nv-50~dnv-400~dnd-x~nx-2~dnx-0": (
        "classic",
        {
            "nil_value": 50,
            "double_nil_value": 400,
            "double_nil_deficit": None,
            "nil_exchange": 2,
            "double_nil_exchange": 0,
        },
    ),
    "classic~fn-ignore~tw-overtricks~bn-unit~bnv-400": (
        "classic",
        {
            "failed_nil_tricks": "ignore",
            "tricks_without_contract": "overtricks",
            "both_nil": "unit",
            "both_nil_value": 400,
        },
    ),
    "classic~db-1~dbv-200~dbd-200": (
        "classic",
        {"double_blind_nil": True, "double_blind_nil_value": 200, "double_blind_nil_deficit": 200},
    ),
    "classic~bb-1~bbm-7~br-bonus100~be-1~beo-normal~bd-0": (
        "classic",
        {
            "blind_bid": True,
            "blind_bid_min": 7,
            "blind_reward": "bonus100",
            "blind_exact": True,
            "blind_exact_over": "normal",
            "blind_deficit": 0,
        },
    ),
    "classic~mo-1~mov-300~tm-1~bmo-1~bmv-600~bmd-x~mw-1": (
        "classic",
        {
            "moon": True,
            "moon_value": 300,
            "thirteen_is_moon": True,
            "blind_moon": True,
            "blind_moon_value": 600,
            "blind_moon_deficit": None,
            "moon_wins": True,
        },
    ),
    "classic~f1-lowest_club_strict": ("classic", {"first_trick": "lowest_club_strict"}),
    "classic~fl-club_two~c2-1~la-1": (
        "classic",
        {"first_leader": "club_two", "club_two_must_lead": True, "lead_spades_anytime": True},
    ),
    "classic~sp-shortfall~ot-minus10~sb-0": (
        "classic",
        {"set_penalty": "shortfall", "overtrick": "minus10", "sandbag": False},
    ),
    "classic~bt-5~bp-50~btr-exceed~bre-empty": (
        "classic",
        {"bag_threshold": 5, "bag_penalty": 50, "bag_trigger": "exceed", "bag_reset": "empty"},
    ),
    "classic~tb-flat200~tbf-none~lt-1~ls-1~a6-1~sm-1~atb-200": (
        "classic",
        {
            "ten_bonus": "flat200",
            "ten_bonus_failure": "none",
            "last_trick_bonus": True,
            "last_sequence_bonus": True,
            "above_six_bonus": True,
            "small_bid_special": True,
            "all_tricks_bonus": 200,
        },
    ),
    "club~rr-tricks~rrt-2~cl-same~oot-tricks_lost~tlk-tricks_lost~md-next": (
        "club",
        {
            "minimum_bid": 4,
            "zero_bid": False,
            "nil": False,
            "double_nil": False,
            "lead_spades_anytime": True,
            "overtrick": "zero",
            "sandbag": False,
            "target": 350,
            "revoke_remedy": "tricks",
            "revoke_tricks": 2,
            "challenge_lost": "same",
            "out_of_turn_remedy": "tricks_lost",
            "talk_remedy": "tricks_lost",
            "misdeal_dealer": "next",
        },
    ),
    "partners6~d-two_packs_jokers~eq-earlier": (
        "partners6",
        {
            "mode": "partners6",
            "deck": "two_packs_jokers",
            "bid_method": "sum",
            "failed_nil_tricks": "bags_only",
            "zero_bid": False,
            "equal_cards": "earlier",
        },
    ),
    "suicide~smi-5~fb-dealer": (
        "suicide",
        {
            "bid_method": "sum",
            "failed_nil_tricks": "bags_only",
            "zero_bid": False,
            "double_nil": False,
            "loss_limit": -200,
            "bidding_rule": "suicide",
            "suicide_minimum": 5,
            "first_bidder": "dealer",
        },
    ),
    "plain~bm-sum~bru-whiz~dn-0": (
        "plain",
        {"sandbag": False, "bid_method": "sum", "double_nil": False, "bidding_rule": "whiz"},
    ),
    "classic~fto-12~lto-11~nf-50~bb-1~bf-single~f1s-forbidden~sp-none": (
        "classic",
        {
            "forbidden_total": 12,
            "least_total": 11,
            "nil_failure": 50,
            "blind_bid": True,
            "blind_failure": "single",
            "first_trick_spades": "forbidden",
            "set_penalty": "none",
        },
    ),
    "modern~tb-flat200_up~tbv-150~t-x~dlm-8~sl-3~srl-2": (
        "modern",
        {
            "bid_method": "sum",
            "failed_nil_tricks": "bags_only",
            "zero_bid": False,
            "ten_bonus": "flat200_up",
            "ten_bonus_value": 150,
            "target": None,
            "deals_limit": 8,
            "sets_lose": 3,
            "sets_in_row_lose": 2,
        },
    ),
    "solo4~t-300~atw-1~ll--200~tie-shared": (
        "solo4",
        {"mode": "solo4", "target": 300, "all_tricks_wins": True, "loss_limit": -200, "final_tie": "shared"},
    ),
}
"""Codes that are out in the world. They never change their meaning; this list only grows."""


def other_values(option: Option) -> list[Any]:
    """JSON values of an option that are not its default."""
    if option.kind == "flag":
        return [not option.default]
    if option.kind == "choice":
        return [word for word in option.choices if word != option.default]
    if option.kind == "cards":
        return [["2C", "2H"], ["2D", "2H"]] if option.low else [["2D"], ["2H", "2C"], ["2C", "2H"]]
    assert option.low is not None
    assert option.high is not None
    if option.default is None:
        return (
            [-200, -500]
            if option.high < 0
            else [50, 200]
            if option.high > 100
            else [option.low, *([11] if option.high > 11 and option.high < 100 else [])]
        )
    near = dict.fromkeys([option.low, option.high, option.default // 2])
    inside = [number for number in near if option.low <= number <= option.high and number != option.default]
    return inside + ([None] if option.nullable else [])


PAIRS = [(name, value) for name, option in OPTIONS.options.items() for value in other_values(option)]


@pytest.mark.parametrize(("name", "value"), PAIRS, ids=[f"{name}-{value}" for name, value in PAIRS])
def test_option_off_its_default_changes_an_outcome(name: str, value: Any) -> None:
    base = NEEDS.get(name, {})
    assert any(_outcome(place, base) != _outcome(place, base | {name: value}) for place in _promising_first(name))


def test_an_option_that_means_nothing_would_be_found() -> None:
    assert all(_outcome(place, {}) == _outcome(place, {"blind_reward": "bonus100"}) for place in range(200))


@cache
def _probes() -> list[tuple[str, dict[str, Any]]]:
    """Questions to ask under any rules: those of all cases, and some faulty deals."""
    asked = [(case["post"].rpartition("/")[2], case["request"]) for case in OWN + PUBLISHED]
    asked = [(question, request) for question, request in asked if question != "rules"]
    faulty = [play_deal(Random(seed), {}, fault="early-spade").request() for seed in range(3)]
    return asked + [("replay", request) for request in faulty]


@cache
def _promising_first(name: str) -> list[int]:
    """Places of all probes: first those of cases about an option, and those that are answered quickly."""

    def order(place: int) -> tuple[bool, bool]:
        question, request = _probes()[place]
        return name not in json.dumps(request.get("rules")), question == "replay"

    return sorted(range(len(_probes())), key=order)


def _outcome(place: int, options: dict[str, Any]) -> str:
    return _answered(place, json.dumps(options))


@cache
def _answered(place: int, options: str) -> str:
    question, request = _probes()[place]
    return json.dumps(answer(question, request | {"rules": {"options": json.loads(options)}}))


def test_default_rules_are_the_classic_ones() -> None:
    classic = OPTIONS.plain(OPTIONS.preset("classic").options)
    assert classic == {name: option.plain(option.default) for name, option in OPTIONS.options.items()}
    assert OPTIONS.default_preset == "classic"


def test_presets_settle_without_anything_giving_way() -> None:
    for name, settings in PRESETS.items():
        house = OPTIONS.preset(name)
        assert not [notice for notice in house.notices if notice.code == "gave-way"], name
        assert all(getattr(house.options, option) == value for option, value in settings.items())


@pytest.mark.parametrize("code", OLD_CODES)
def test_old_code_stays_readable(code: str) -> None:
    preset, off = OLD_CODES[code]
    house = OPTIONS.decode(code)
    assert house.preset == preset
    defaults = {name: option.plain(option.default) for name, option in OPTIONS.options.items()}
    assert OPTIONS.plain(house.options) == defaults | off
    assert OPTIONS.code(house) == code


def test_every_option_stands_in_some_old_code() -> None:
    keys = {part.partition("-")[0] for code in OLD_CODES for part in code.split("~")[1:]}
    known = {option.key for option in OPTIONS.options.values() if option.name not in ("mode",)}
    assert known - keys == set(), "add a code with the new option to the list"


def test_code_and_decode_are_inverse() -> None:
    rng = Random(7)
    for _ in range(2_000):
        preset = rng.choice(list(PRESETS))
        given = dict(rng.sample(PAIRS, rng.randrange(8)))
        try:
            house = read_whole({"preset": preset, "options": given}, OPTIONS.read)
        except Refused:
            continue
        code = OPTIONS.code(house)
        assert re.fullmatch(r"[a-z0-9_]+(~[a-z0-9]+-[A-Za-z0-9_.-]*)*", code)
        again = OPTIONS.decode(code)
        assert again.options == house.options
        assert OPTIONS.code(again) == code


def test_settled_rules_settle_again_to_themselves() -> None:
    rng = Random(8)
    for _ in range(500):
        given = dict(rng.sample(PAIRS, rng.randrange(10)))
        try:
            house = read_whole({"options": given}, OPTIONS.read)
        except Refused:
            continue
        plain = OPTIONS.plain(house.options)
        assert all(plain[name] == value for name, value in given.items()), "what was given never gives way"
        assert read_whole({"options": plain}, OPTIONS.read).options == house.options


def test_every_cited_article_is_on_the_page() -> None:
    declared = {name: value for name, value in vars(articles).items() if isinstance(value, Article)}
    assert {article.id for article in declared.values()} == {article.id for article in ARTICLES}
    for module in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "a":
                assert node.attr in declared or node.attr == "GAME", f"{module.name} cites {node.attr}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("spades."):
                assert node.value in ARTICLES, f"{module.name} cites {node.value}"


def test_every_option_has_articles_that_tell_of_it() -> None:
    for option in OPTIONS.options.values():
        assert option.articles, option.name
        assert set(option.articles) <= {article.id for article in ARTICLES}
    rules: list[Any] = [*OPTIONS.excludes, *OPTIONS.needs, *OPTIONS.cautions]
    assert all(rule.article in ARTICLES for rule in rules)


def test_every_number_of_the_rules_has_an_article() -> None:
    wanted = set()
    for span in NUMBERS.split():
        first, _, last = span.partition("-")
        wanted |= {f"SPADES-{number:03}" for number in range(int(first), int(last) + 1)}
    stated = {number for article in ARTICLES for number in article.numbers if number.startswith("SPADES-")}
    assert stated == wanted


def test_articles_follow_settings_that_exist() -> None:
    for article in ARTICLES:
        for name, values in [*article.when.items(), *article.unless.items()]:
            option = OPTIONS.options[name]
            if option.kind == "choice":
                assert set(values) <= set(option.choices), article.id


def test_short_code_keys_are_used_once() -> None:
    keys = [option.key for option in OPTIONS.options.values()]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch("[a-z][a-z0-9]*", key) for key in keys)


def test_a_caution_speaks_only_of_options_that_have_an_effect() -> None:
    """Those that say that an option has none aside."""
    seen = set()
    for values in array("spades", 0, triples=False).tables:
        house = OPTIONS.build("classic", dict(values))
        for notice in house.notices:
            if not notice.code.endswith(("-unreachable", "-without-effect")):
                seen.add(notice.code)
                assert [name for name in notice.options if not OPTIONS.has_effect(name, house.options)] == [], notice
    assert len(seen) > 3


@pytest.mark.parametrize("option", [{"forbid_total_13": True}, {"forbidden_total": 11}], ids=str)
@pytest.mark.parametrize("rule", ["mirror", "whiz"])
def test_where_a_hand_leaves_one_call_no_total_is_forbidden(option: dict[str, Any], rule: str) -> None:
    """The last to call could have no call left: without a spade there is nothing but nil."""
    options = {"bidding_rule": rule, "bid_method": "sum", **option}
    with pytest.raises(Refused) as refused:
        read_whole({"preset": "classic", "options": options}, OPTIONS.read)
    assert refused.value.problems[0].code == "options-conflict"
