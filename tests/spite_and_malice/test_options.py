"""House rules: presets, what gives way to what, round trips, and an outcome that each option changes."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.game import score
from companion.engine.options import Option
from companion.engine.problems import Node, Refused
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import articles as a
from tests.spite_and_malice.asking import ask

OPTIONS = GAME.options
DEALT = {
    "blackwood": 46, "blackwood108": 58, "massachusetts": 64, "pagat": 54, "partners4": 8, "partners6": 12,
    "skipbo_like": 8, "hoyle": 46, "alone3": 81, "alone4": 56, "skip_bo": 102,
}  # fmt: skip


@pytest.mark.parametrize("preset", OPTIONS.presets)
def test_presets_leave_the_stock_of_the_rules(preset: str) -> None:
    assert OPTIONS.preset(preset).options.stock_dealt == DEALT[preset]


def chosen(preset: str, **given: Any) -> dict[str, Any]:
    node = Node({"preset": preset, "options": given})
    house = OPTIONS.read(node)
    node.raise_for_problems()
    return OPTIONS.plain(house.options)


@pytest.mark.parametrize(
    ("preset", "given", "settled"),
    [
        ("blackwood", {"players": 4}, {"partners": "off", "deal_mode": "single", "payoff_size": 20}),
        ("blackwood", {"partners": "opposite"}, {"players": 4, "deal_mode": "single", "payoff_size": 20}),
        ("blackwood", {"players": 3}, {"partners": "off", "deal_mode": "single", "payoff_size": 20, "packs": 2}),
        ("blackwood", {"players": 5}, {"partners": "off", "packs": 3, "jokers": 6, "payoff_size": 20}),
        ("blackwood", {"players": 5, "payoff_size": 30}, {"packs": 4, "jokers": 8}),
        ("blackwood", {"packs": 5}, {"jokers": 10, "deal_mode": "single"}),
        ("blackwood", {"jokers": 8}, {"packs": 4, "deal_mode": "single"}),
        ("partners4", {"players": 3}, {"partners": "off"}),
        ("blackwood", {"packs": 3, "jokers": 6, "deal_mode": "split"}, {"players": 2}),
        ("partners4", {"partners": "off"}, {"players": 4, "payoff_size": 20, "packs": 2}),
        ("massachusetts", {"players": 4}, {"payoff_size": 13, "deal_mode": "payoff_from_one_pack"}),
        ("massachusetts", {"partners": "opposite"}, {"players": 4, "deal_mode": "single"}),
        ("alone3", {"partners": "opposite"}, {"players": 4}),
        ("alone4", {"players": 6}, {"packs": 3, "jokers": 0, "payoff_size": 20}),
        ("alone4", {"players": 6, "payoff_size": 26}, {"packs": 4, "jokers": 0}),
        ("alone4", {"wild": ["joker"]}, {"top_rank": "K", "jokers": 6}),
        ("skip_bo", {"players": 6}, {"payoff_size": 20, "packs": 3, "jokers": 6}),
        ("skip_bo", {"players": 3, "packs": 4}, {"payoff_size": 30, "jokers": 8}),
        ("skip_bo", {"players": 4, "refill_at": "end"}, {"payoff_size": 30, "packs": 3}),
        ("skip_bo", {"partners": "opposite"}, {"players": 4, "payoff_size": 30}),
        ("massachusetts", {"players": 3, "payoff_size": 18}, {"deal_mode": "single", "packs": 2}),
        ("skip_bo", {"top_rank": "K"}, {"card_names": "playing"}),
        ("skip_bo", {"refill_at": "end"}, {"initial_hand": "dealt"}),
        ("blackwood", {"card_names": "numbered"}, {"wild": ["K", "joker"], "top_rank": "Q", "start_tie": "reshuffle"}),
        ("blackwood", {"players": 6}, {"packs": 3, "jokers": 6, "payoff_size": 20}),
        ("partners4", {"players": 2}, {"partners": "off"}),
        ("partners6", {"packs": 2}, {"players": 6, "jokers": 4, "payoff_size": 12}),
        ("blackwood", {"payoff_size": 30}, {"deal_mode": "single"}),
        ("blackwood", {"wild": ["K"]}, {"jokers": 0, "top_rank": "Q"}),
        ("blackwood", {"top_rank": "Q"}, {"wild": ["K", "joker"], "jokers": 4}),
        ("massachusetts", {"jokers": 4}, {"wild": ["K", "joker"], "top_rank": "Q"}),
        ("massachusetts", {"packs": 3}, {"jokers": 0, "wild": ["K"]}),
    ],
)  # fmt: skip
def test_what_was_not_given_gives_way(preset: str, given: dict[str, Any], settled: dict[str, Any]) -> None:
    assert chosen(preset, **given).items() >= (given | settled).items()


@pytest.mark.parametrize("preset", OPTIONS.presets)
def test_packs_that_nobody_named_are_enough(preset: str) -> None:
    """ALO-016: packs give way upwards to as many players, cards in their piles and first side cards as are named."""
    for players, piles, start in product((2, 3, 4, 5, 6), (5, 13, 21, 26, 30), (0, 1, 4)):
        rules = OPTIONS.build(preset, {"players": players, "payoff_size": piles, "side_start": start}).options
        assert (rules.players, rules.payoff_size, rules.side_start) == (players, piles, start)
        assert rules.stock_dealt >= 0


@pytest.mark.parametrize(
    "given",
    [
        {"players": 3, "partners": "opposite"},
        {"players": 5, "partners": "opposite"},
        {"players": 4, "payoff_size": 14, "deal_mode": "payoff_from_one_pack"},
        {"partners": "opposite", "deal_mode": "payoff_from_one_pack"},
        {"packs": 4, "jokers": 6},
        {"packs": 3, "deal_mode": "split"},
        {"packs": 5, "jokers": 10, "deal_mode": "split"},
        {"players": 6, "packs": 3, "jokers": 0, "payoff_size": 22},
        {"refill_at": "end", "initial_hand": "drawn_first_turn"},
        {"refill_at": "end", "after_last_discard": "refill_and_replay"},
        {"card_names": "numbered", "top_rank": "K"},
        {"card_names": "numbered", "wild": ["joker"]},
        {"players": 4, "deal_mode": "split"},
        {"payoff_size": 30, "deal_mode": "split"},
        {"players": 6, "packs": 2, "payoff_size": 20},
        {"packs": 3, "jokers": 4},
        {"wild": ["K"], "top_rank": "K"},
        {"partners": "off", "mandatory_scope": "own_and_partner"},
        {"mandatory_scope": "own_and_partner"},
    ],
)
def test_given_options_that_exclude_each_other_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        chosen("blackwood", **given)
    assert {problem.code for problem in refused.value.problems} == {"options-conflict"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", 7), ("packs", 6), ("jokers", 5), ("centre_max", 5), ("score_bonus", 7), ("payoff_size", 31),
     ("wild", []), ("wild", ["K", "K"]), ("mandatory", ["hand_two"]), ("discard_ace", "yes"),
     ("match", "best of three"), ("jokers", None)],
)  # fmt: skip
def test_values_out_of_range_are_refused(name: str, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        chosen("blackwood", **{name: value})
    assert all(problem.path().startswith(f"/options/{name}") for problem in refused.value.problems)


def values(option: Option) -> st.SearchStrategy[Any]:
    if option.kind == "flag":
        return st.booleans()
    if option.kind == "words":
        subsets = st.lists(st.sampled_from(option.choices), unique=True, min_size=option.low or 0)
        return subsets.map(lambda words: tuple(word for word in option.choices if word in words))
    if option.kind == "choice":
        return st.sampled_from(option.choices)
    some = [int(word) for word in option.choices]
    numbers = st.sampled_from(some) if some else st.integers(option.low, option.high)
    return numbers | st.none() if option.nullable else numbers


GIVEN = st.fixed_dictionaries({}, optional={name: values(option) for name, option in OPTIONS.options.items()})


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(preset=st.sampled_from(list(OPTIONS.presets)), given=GIVEN)
def test_settled_rules_stay_as_they_are(preset: str, given: dict[str, Any]) -> None:
    """What was given is kept; the rules written out, and their code, give the same rules again."""
    try:
        house = OPTIONS.build(preset, given)
    except Refused:
        return
    assert all(getattr(house.options, name) == value for name, value in given.items())
    node = Node({"preset": preset, "options": OPTIONS.plain(house.options)})
    assert (OPTIONS.read(node).options, node.problems) == (house.options, [])
    assert OPTIONS.decode(OPTIONS.code(house)).options == house.options


HAND = ["4", "5", "9", "J", "Q"]
TABLE: dict[str, Any] = {"payoff": "7", "hand": HAND, "side_stacks": [], "centre_stacks": ["3"], "stock": 40}
END = {"type": "end_turn"}
IDLE = [{"player": player, "acted": False} for player in "ABAB"]
FOUR = {"players": list("ABCD"), "partner": {"payoff": "2", "side_stacks": []}}
TOPS = {"payoff_tops": {"A": "7S", "B": "7H"}}


def play(card: str, to: int | str = 0, source: str = "hand") -> dict[str, Any]:
    return {"type": "play", "from": source, "card": card, "to": to}


def discard(card: str, to: int | str = "new") -> dict[str, Any]:
    return {"type": "discard", "card": card, "to": to}


def recycle(what: str = "complete", by: str = "opponent") -> dict[str, Any]:
    return {"type": "recycle", "what": what, "by": by}


# option, another value, the options it depends on, the move, the position
BITES: list[tuple[str, Any, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("packs", 3, {}, {"type": "deal", "stock": 46}, {}),
    ("jokers", 0, {}, play("X"), {key: value for key, value in TABLE.items() if key != "hand"}),
    ("wild", ["K"], {}, play("K"), TABLE | {"hand": ["K", *HAND[:4]]}),
    ("top_rank", "Q", {}, play("K"), TABLE | {"hand": ["K", *HAND[:4]], "centre_stacks": ["Q"]}),
    ("payoff_size", 20, {}, {"type": "deal", "stock": 46}, {}),
    ("initial_hand", "drawn_first_turn", {}, {"type": "deal", "stock": 46}, {}),
    ("side_start", 1, {}, {"type": "deal", "stock": 46}, {}),
    ("starts", "dealer", {}, {"type": "start", "first": "A"}, {"dealer": "B", "payoff_tops": {"A": "9S", "B": "7H"}}),
    ("starts", "left_of_dealer", {}, {"type": "start", "first": "A"},
     {"dealer": "A", "payoff_tops": {"A": "9S", "B": "7H"}}),
    ("starts", "any", {"start_tie": "reshuffle"}, {"type": "start", "redo": "reshuffle"},
     {"payoff_tops": {"A": "9S", "B": "9H"}}),
    ("refill_at", "end", {}, {"type": "refill", "count": 2}, TABLE | {"hand": HAND[:3], "refilled": False}),
    ("wild_as_seven", False, {}, play("X"), TABLE | {"hand": ["X", *HAND[:4]], "centre_stacks": ["6"]}),
    ("start_tie", "reshuffle", {}, {"type": "start", "first": "A"}, TOPS),
    ("start_tie", "bury", {}, {"type": "start", "first": "A"}, TOPS),
    ("start_wild", "high", {"deal_mode": "single"}, {"type": "start", "first": "A"},
     {"payoff_tops": {"A": "X", "B": "7H"}}),
    ("start_wild", "low", {"deal_mode": "single"}, {"type": "start", "first": "B"},
     {"payoff_tops": {"A": "X", "B": "7H"}}),
    ("centre_max", 3, {}, play("A", "new"), TABLE | {"hand": ["A", *HAND[:4]], "centre_stacks": ["3", "5", "7"]}),
    ("centre_done", "set_aside", {"centre_max": 3}, play("A", "new"),
     TABLE | {"hand": ["A", *HAND[:4]], "centre_stacks": ["3", "5", "K"]}),
    ("centre_done", "shuffle_now", {}, {"type": "complete", "stack": 0, "do": "stay"}, {"centre_stacks": ["K"]}),
    ("wild_as_ace", False, {}, play("X", "new"), TABLE | {"hand": ["X", *HAND[:4]]}),
    ("discard_rule", "free", {}, discard("Q", 0), TABLE | {"side_stacks": [["9"]]}),
    ("discard_ace", True, {}, discard("A"), TABLE | {"hand": ["A", *HAND[:4]]}),
    ("discard_required", True, {}, END, TABLE),
    ("midturn_refill", "must", {}, END, TABLE | {"hand": []}),
    ("after_last_discard", "refill_and_replay", {}, {"type": "refill", "count": 5},
     TABLE | {"hand": [], "discarded": True}),
    ("mandatory", ["payoff_two"], {}, END, TABLE | {"payoff": "A"}),
    ("mandatory", [], {}, END, TABLE | {"side_stacks": [["2"]], "centre_stacks": ["A"]}),
    ("mandatory", ["payoff_ace", "payoff_two", "side_two"], {"discard_ace": True}, END,
     TABLE | {"side_stacks": [["A"]]}),
    ("mandatory_timing", "immediate", {}, play("4"), TABLE | {"payoff": "A"}),
    ("mandatory", [*a.DUTIES], {}, END, TABLE | {"hand": ["A", *HAND[:4]]}),
    ("mandatory_scope", "own_and_partner", {"partners": "opposite"}, END, TABLE | FOUR | {"centre_stacks": ["A"]}),
    ("block_two", "one_is_enough", {}, play("2"),
     TABLE | {"hand": ["2", *HAND[:4]], "payoff": "2", "side_stacks": [["2"]], "centre_stacks": ["A", "A"]}),
    ("block_two", "payoff_only", {}, play("2"),
     TABLE | {"hand": ["2", *HAND[:4]], "side_stacks": [["2"]], "centre_stacks": ["A"]}),
    ("block_two", "off", {}, play("2"), TABLE | {"hand": ["2", *HAND[:4]], "payoff": "2", "centre_stacks": ["A"]}),
    ("recycle_threshold", 20, {}, recycle(), {"stock": 16, "complete": 1}),
    ("recycle_by", "anyone", {}, recycle(by="player"), {"stock": 8, "complete": 1}),
    ("recycle_source", "complete_only", {}, recycle("incomplete"), {"stock": 8, "complete": 0, "incomplete": 2}),
    ("recycle_source", "none", {}, recycle(), {"stock": 8, "complete": 1}),
    ("stock_out", "draw", {}, {"type": "claim_stalemate"}, {"stock": 0, "complete": 0, "incomplete": 0, "hand": []}),
    ("stock_out", "compare", {}, {"type": "claim_stalemate"}, {"stock": 0, "complete": 0, "incomplete": 0, "hand": []}),
    ("deadlock", "draw", {}, {"type": "redeal", "first": "A"}, {"turns": IDLE}),
    ("deadlock", "compare", {}, {"type": "claim_stalemate"}, {"turns": IDLE}),
    ("deadlock", "none", {}, {"type": "redeal", "first": "A"}, {"turns": IDLE}),
    ("second_chance_scope", "until_broken", {}, END,
     TABLE | {"hand": ["A"], "phase": "second_chance", "turns": [*IDLE[1:3], {"player": "B", "acted": True}]}),
]  # fmt: skip


LOOSENS = {
    "wild=['K']", "start_wild=high", "start_wild=low", "centre_done=set_aside", "discard_rule=free", "discard_ace=True",
    "after_last_discard=refill_and_replay", "mandatory=['payoff_two']", "mandatory=[]",
    "mandatory=['payoff_ace', 'payoff_two', 'side_two']", "block_two=one_is_enough", "block_two=payoff_only",
    "block_two=off", "recycle_threshold=20", "recycle_by=anyone", "stock_out=draw", "stock_out=compare",
    "deadlock=compare", "second_chance_scope=until_broken",
}  # fmt: skip
"""The rows above whose option allows what the default forbids; the others forbid what it allows."""


@pytest.mark.parametrize(("name", "value", "others", "move", "position"), BITES, ids=[f"{b[0]}={b[1]}" for b in BITES])
def test_option_changes_a_verdict(
    name: str, value: Any, others: dict[str, Any], move: dict[str, Any], position: dict[str, Any]
) -> None:
    plain = ask(move, options=others, **position)
    changed = ask(move, options=others | {name: value}, **position)
    looser = f"{name}={value}" in LOOSENS
    assert (plain.value, changed.value) == (("illegal", "legal") if looser else ("legal", "illegal"))


def standing(deal: dict[str, Any], preset: str = "blackwood", **options: Any) -> tuple[dict[str, int], bool]:
    sides = [{"id": "A+C", "players": ["A", "C"]}, {"id": "B+D", "players": ["B", "D"]}]
    request = {"rules": {"preset": preset, "options": options}, "deals": [deal]}
    four = chosen(preset, **options)["players"] == 4
    _, ledger = score(GAME, request | {"sides": sides if four else ["A", "B"]})
    return {side: at.total for side, at in ledger.standing.items()}, ledger.outcome.over


WON = {"winner": "A", "remaining": {"B": 9}}
STUCK = {"winner": None, "remaining": {"A": 12, "B": 7}}
SCORED: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "score_bonus": (0, WON, {}), "score_per_card": (5, WON, {}), "stalemate_score": ("difference", STUCK, {}),
    "match": ("target", WON, {}), "target": (10, WON, {"match": "target"}),
    "match_deals": (1, WON, {"match": "deals"}),
}  # fmt: skip


@pytest.mark.parametrize("name", SCORED)
def test_option_changes_a_score(name: str) -> None:
    value, deal, others = SCORED[name]
    assert standing(deal, **others) != standing(deal, **others | {name: value})


def test_players_and_partners_change_who_plays() -> None:
    deal = {"winner": "A+C", "remaining": {"B": 2, "D": 0}}
    assert standing(deal, partners="opposite")[0] == {"A+C": 7, "B+D": 0}
    for seats in (2, 4):
        with pytest.raises(Refused):
            standing(deal, players=seats)


def test_deal_mode_changes_which_tops_can_be() -> None:
    twice: dict[str, Any] = {"payoff_tops": {"A": "7S", "B": "7S"}}
    with pytest.raises(Refused):
        ask({"type": "start", "redo": "reshuffle"}, **twice)
    assert ask({"type": "start", "redo": "reshuffle"}, options={"deal_mode": "single"}, **twice).value == "legal"


def test_names_of_cards_change_what_is_read() -> None:
    asked = {"wild": ["K"], "start_tie": "bury"}
    with pytest.raises(Refused):
        ask(play("12"), options=asked, **TABLE | {"hand": ["12", *HAND[:4]], "centre_stacks": ["J"]})
    table = TABLE | {"hand": ["12", *HAND[:4]], "centre_stacks": ["J"]}
    assert ask(play("12"), options=asked | {"card_names": "numbered"}, **table).value == "legal"


def test_every_option_bites_somewhere() -> None:
    shown = {bite[0] for bite in BITES} | set(SCORED) | {"players", "partners", "deal_mode", "card_names"}
    assert shown == set(OPTIONS.options)
    assert not any(option.advisory for option in OPTIONS.options.values())


def test_kings_wild_are_the_same_words_everywhere() -> None:
    assert OPTIONS.preset("pagat").options.wild in a.KINGS_WILD
    assert OPTIONS.preset("blackwood").options.wild in a.JOKERS_WILD


def test_an_option_gives_way_once() -> None:
    """The notice says what the table is played with, and not what it passed through."""
    for preset, named in (("alone4", {"players": 6, "payoff_size": 30}), ("skip_bo", {"players": 3, "packs": 5})):
        house = OPTIONS.build(preset, named)
        changed = [one.facts for one in house.notices if one.code == "gave-way"]
        assert len({one["option"] for one in changed}) == len(changed)
        assert all(one["to"] == getattr(house.options, one["option"]) != one["from"] for one in changed)


def test_a_conflict_names_the_partnership_that_makes_it() -> None:
    """ALO-015: four players may deal pay-off piles from one pack, partners may not."""
    with pytest.raises(Refused) as refused:
        OPTIONS.build("partners4", {"deal_mode": "payoff_from_one_pack", "payoff_size": 13})
    assert [one.facts["options"] for one in refused.value.problems] == [["partners", "deal_mode"]]
