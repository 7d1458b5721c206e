"""Three to six each alone, and Skip-Bo: random deals, planted faults, and what every player has left is scored."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.engine.game import score
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from tests.spite_and_malice.asking import articles, check, replayed
from tests.spite_and_malice.dealer import Dealer

Json = dict[str, Any]
PRESETS = ("alone3", "alone4", "skip_bo")
DEALS, FAULTS, TURNS, WHOLE = 5, 3, 40, 400
"""Clean deals, of which one is played to its end, and planted faults of a round: 200 rounds make 1,000 and 600; turns
of a deal that is broken off, and of one that is not."""
TABLES: list[tuple[str, Json]] = [
    ("alone3", {"refill_at": "end"}),
    ("alone3", {"refill_at": "end", "discard_required": False, "mandatory": ["hand_ace"]}),
    ("alone4", {"starts": "dealer", "wild_as_seven": False}),
    ("alone4", {"starts": "left_of_dealer", "mandatory": ["hand_ace", "payoff_ace"], "start_tie": "bury"}),
    ("alone4", {"players": 5, "packs": 4, "wild": ["joker"], "top_rank": "K", "jokers": 8, "deadlock": "compare"}),
    ("alone4", {"players": 6, "packs": 5, "payoff_size": 26, "stock_out": "draw"}),
    ("massachusetts", {"players": 4, "payoff_size": 13}),
    ("skip_bo", {"players": 3}),
    ("skip_bo", {"players": 5, "payoff_size": 20}),
    ("skip_bo", {"players": 4, "partners": "opposite"}),
    ("skip_bo", {"players": 6, "partners": "opposite", "payoff_size": 20, "refill_at": "end", "packs": 5}),
]
"""Tables beside the presets."""


def rules_of(preset: str, **options: Any) -> Any:
    node = Node({"preset": preset, "options": options})
    house = GAME.options.read(node)
    node.raise_for_problems()
    return house.options


def played_clean(preset: str, rules: Any, seed: int, options: Json, turns: int = WHOLE) -> int:
    """Play a deal at random, replay it without a finding, score it; return its number of moves."""
    dealer = Dealer(rules, seed, idleness=random.Random(seed).choice([0.0, 0.0, 0.3]))
    record = dealer.play(turns)
    told = GAME.replay(rules, Node(record))
    assert told["findings"] == []
    assert {judged.verdict.value for judged in told["verdicts"]} == {"legal"}
    assert told["state"]["stock"] == len(dealer.stock)
    if told["complete"] and dealer.winner:
        request = {"rules": {"preset": preset, "options": options}, "sides": told["sides"], "deals": [told["result"]]}
        _, ledger = score(GAME, request)
        left = dealer.remaining()
        points = sum(left.values()) * rules.score_per_card + rules.score_bonus
        assert {side: at.total for side, at in ledger.standing.items() if at.total} == {"+".join(dealer.winner): points}
    return len(told["verdicts"])


@pytest.mark.parametrize("preset", PRESETS)
def test_deals_of_a_preset_replay_clean(preset: str, soak_round: int, soaked: Any) -> None:
    seeds = range(soak_round * DEALS, (soak_round + 1) * DEALS)
    rules = rules_of(preset)
    moves = sum(played_clean(preset, rules, seed, {}, WHOLE if seed % DEALS == 0 else TURNS) for seed in seeds)
    soaked(deals=DEALS, moves=moves)
    assert moves > 100 * DEALS


@pytest.mark.parametrize(("preset", "options"), TABLES)
def test_deals_of_other_tables_replay_clean(preset: str, options: Json, soak_round: int) -> None:
    assert played_clean(preset, rules_of(preset, **options), soak_round, options) > 50


def _more_drawn(record: Json, turn: Json, chance: random.Random) -> bool:
    draws = [move for move in turn["moves"] if move["type"] == "refill"]
    for move in draws[:1]:
        move["count"] += 1
        del move["cards"]
    return bool(draws)


def _no_draw(record: Json, turn: Json, chance: random.Random) -> bool:
    moves = turn["moves"]
    if moves[0]["type"] != "refill" or len(moves) < 2 or moves[1]["type"] not in ("play", "discard"):
        return False
    del moves[0]
    return True


def _no_discard(record: Json, turn: Json, chance: random.Random) -> bool:
    if turn["moves"][-1]["type"] != "discard":
        return False
    turn["moves"][-1] = {"type": "end_turn"}
    return True


def _two_discards(record: Json, turn: Json, chance: random.Random) -> bool:
    if turn["moves"][-1]["type"] != "discard":
        return False
    turn["moves"].append({**turn["moves"][-1], "to": "new"})
    return True


def _wrong_opening(record: Json, turn: Json, chance: random.Random) -> bool:
    """A card that can start no stack starts one."""
    plays = [move for move in turn["moves"] if move["type"] == "play" and move["to"] != "new"]
    plays = [move for move in plays if move["card"][0] not in "AKXW" and move["card"] != "1"]
    if plays:
        chance.choice(plays)["to"] = "new"
    return bool(plays)


def _anothers_pile(record: Json, turn: Json, chance: random.Random) -> bool:
    plays = [move for move in turn["moves"] if move["type"] == "play" and move["from"] == "payoff"]
    if plays:
        plays[-1]["from"] = "partner_payoff"
    return bool(plays)


def _said_too_early(record: Json, turn: Json, chance: random.Random) -> bool:
    turn["moves"].insert(0, {"type": "claim_win"})
    return True


def _another_player(record: Json, turn: Json, chance: random.Random) -> bool:
    """A neighbour takes the turn."""
    turn["player"] = chance.choice([player for player in record["players"] if player != turn["player"]])
    return True


PLANTED: list[Callable[[Json, Json, random.Random], bool]] = [
    _more_drawn, _no_draw, _no_discard, _two_discards, _wrong_opening, _anothers_pile, _said_too_early, _another_player,
]  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_a_planted_fault_is_found_in_its_turn(preset: str, soak_round: int, soaked: Any) -> None:
    found, seed = 0, soak_round * 1_000
    rules = rules_of(preset)
    while found < FAULTS:
        seed += 1
        chance = random.Random(f"fault {preset} {seed}")
        record = Dealer(rules, seed).play(chance.randint(4, TURNS))
        at = len(record["turns"]) - 1
        if not chance.choice(PLANTED)(record, record["turns"][at], chance):
            continue
        findings = GAME.replay(rules, Node(record))["findings"]
        assert findings, (preset, seed)
        assert min(finding.facts["turn"] for finding in findings) == at + 1, (preset, seed, findings)
        found += 1
    soaked(faults=found)


# Cases worked out by hand --------------------------------------------------------------------------------------------

LINES = (Path(__file__).parent / "family_cases.txt").read_text("utf-8").splitlines()
CASES = [[part.strip() for part in line.split("|")] for line in LINES if not line.startswith("#")]
NAMES = {"payoff": "payoff", "left": "payoff_left", "aside": "set_aside", "tops": "payoff_tops"}


def position_of(written: str, players: list[str]) -> Json:
    """Return a position from its short form."""
    position: Json = {"players": players, "player": "A", "complete": 0} if "aside" in written else {
        "players": players, "player": "A",
    }  # fmt: skip
    for part in filter(None, (part.strip() for part in written.split(";"))):
        name, _, text = part.partition("=")
        if name == "hand":
            position["hand"] = text.split()
        elif name == "centre":
            position["centre_stacks"] = text.split()
        elif name == "side":
            position["side_stacks"] = [[card] for card in text.split("/")]
        elif name == "tops":
            position["payoff_tops"] = dict(top.split(":") for top in text.split())
        elif name == "idle":
            position["turns"] = [{"player": player, "acted": False} for player in text]
        elif name in ("payoff", "dealer"):
            position[name] = text
        else:
            position[NAMES.get(name, name)] = json.loads(text)
    position.setdefault("stock", 60)
    if position.get("payoff_left") != 0 and "payoff_tops" not in position:
        position.setdefault("payoff", "8")
    position.setdefault("side_stacks", [])
    position.setdefault("centre_stacks", [])
    return position


@pytest.mark.parametrize("case", CASES, ids=[f"{number} {case[0]}" for number, case in enumerate(CASES)])
def test_a_case_is_judged_as_worked_out_by_hand(case: list[str]) -> None:
    _, table, written, move, expected = case
    preset, *given = table.split()
    options: Json = {}
    for one in given:
        name, _, text = one.partition("=")
        options[name] = json.loads(text) if text[0] in '[{"' or text.isdigit() or text in ("true", "false") else text
    players = list("ABCDEF"[: rules_of(preset, **options).players])
    request = {"rules": {"preset": preset, "options": options}, "position": position_of(written, players)}
    verdict = check({**request, "move": json.loads(move)})
    value, *broken = expected.split()
    assert verdict.value == value, verdict
    if broken:
        assert articles(verdict) == set(broken)


def test_each_preset_has_fifteen_cases() -> None:
    counts = Counter(case[1].split()[0] for case in CASES)
    assert min(counts[preset] for preset in PRESETS) >= 15, counts


# What a record shows -------------------------------------------------------------------------------------------------


def replayed_alone(preset: str, turns: list[Json], **told: Any) -> Any:
    return replayed({"rules": {"preset": preset}, "players": ["A", "B", "C"], "turns": turns, **told})


@pytest.mark.parametrize(("first", "value"), [("B", "legal"), ("A", "illegal"), ("C", "illegal")])
def test_only_the_highest_who_tie_turn_up_again(first: str, value: str) -> None:
    """ALO-R4: C's nine is out of it, though it is higher than what the two turn up then."""
    tops = {"A": "QH", "B": "QD", "C": "9S"}
    again = {"type": "start", "redo": "reshuffle", "payoff_tops": {"A": "3H", "B": "5S"}}
    told = replayed_alone("alone3", [again, {"type": "start", "first": first}], payoff_tops=tops)
    assert [judged.verdict.value for judged in told["verdicts"]] == ["legal", value]


def test_a_missing_draw_at_the_end_is_found_with_whoever_did_not_draw() -> None:
    discards = [{"player": player, "moves": [{"type": "discard", "card": "9", "to": "new"}]} for player in "AB"]
    told = replayed(
        {"rules": {"preset": "alone3", "options": {"refill_at": "end"}}, "players": ["A", "B", "C"],
         "first": "A", "turns": discards}
    )  # fmt: skip
    found = [(finding.code, finding.seat) for finding in told["findings"]]
    assert found == [("refill-first", "A")]
    assert told["state"]["player"] == "B"


def test_a_record_in_numbers_is_answered_in_numbers() -> None:
    """SKB-012: what is read in ordinary cards comes back as the cards are written."""
    draw = {"type": "refill", "count": 5, "cards": ["AS", "J", "SB", "7", "Q"]}
    moves = [
        draw,
        {"type": "play", "from": "hand", "card": "1", "to": "new"},
        {"type": "discard", "card": "K", "to": "new"},
    ]
    told = replayed({"rules": {"preset": "skip_bo"}, "players": ["A", "B"], "first": "A",
                     "turns": [{"player": "A", "moves": moves}]})  # fmt: skip
    assert {judged.verdict.value for judged in told["verdicts"]} == {"legal"}
    assert told["tables"][-1]["centre_stacks"] == ["1"]
    assert told["piles"]["A"]["side_stacks"] == [["W"]]


def test_nobody_is_made_a_partner_by_a_number_of_players() -> None:
    """ALO-014: a table is written out as it was settled, so a stored one keeps what it was made with."""
    house = GAME.options.build("massachusetts", {"players": 4})
    assert house.options.partners == "off"
    assert not any("partners" in notice.options for notice in house.notices)
    stored = GAME.options.plain(GAME.options.preset("partners4").options)
    old = {name: value for name, value in stored.items() if name not in NEW_OPTIONS}
    assert GAME.options.plain(rules_of("blackwood", **old)) == stored


NEW_OPTIONS = ("wild_as_seven", "refill_at", "starts", "card_names")
