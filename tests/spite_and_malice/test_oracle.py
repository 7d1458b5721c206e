"""The judge against the definition: every distribution of a few hidden cards listed, each judged with all known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.data import LANGUAGES
from companion.engine.problems import Node
from companion.engine.shapes import read_at
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.position import MOVE, players_in
from companion.games.spite_and_malice.shapes import read_position
from companion.rulebook.words import words
from tests.pairs.arrays import array, request
from tests.spite_and_malice.oracle import NAMES, World, allowed, deck, hands_and_tops, starts

POSITIONS = 160
"""Positions of a round."""
WILD = 30
"""Positions of a round in which nobody knows the rank of a wild card in the centre."""
STARTS = 40
"""Positions of a round in which the pay-off tops decide who starts."""
START_OPTIONS: dict[str, list[Any]] = {
    "start_tie": ["suit", "reshuffle", "bury"],
    "start_wild": ["redraw", "high", "low"],
}
OPTIONS: dict[str, list[Any]] = {
    "mandatory_timing": ["before_turn_end", "immediate"],
    "block_two": ["strict", "one_is_enough", "payoff_only", "off"],
    "discard_ace": [True, False],
    "discard_required": [True, False],
    "midturn_refill": ["may", "must"],
    "discard_rule": ["same_or_lower", "free"],
    "centre_max": [None, 3],
    "wild_as_ace": [True, False],
    "recycle_source": ["none"],
    "mandatory": [["payoff_ace", "payoff_two", "side_ace", "side_two"], ["payoff_two", "hand_ace"], []],
    "wild_as_seven": [True, False],
    "refill_at": ["start", "end"],
}


def some_rules(chance: random.Random) -> dict[str, Any]:
    """A preset with some of the options that this oracle knows."""
    presets = [
        "blackwood", "blackwood", "blackwood108", "massachusetts", "hoyle", "partners4", "partners6", "alone3",
        "alone4", "skip_bo",
    ]  # fmt: skip
    preset = chance.choice(presets)
    given = {name: chance.choice(values) for name, values in OPTIONS.items() if chance.random() < 0.5}
    if preset in ("partners4", "partners6"):
        given["mandatory_scope"] = chance.choice(["own", "own_and_partner"])
    return {"preset": preset, "options": {**given, "recycle_source": "none"}}


class Case:
    """A random position of which only a few cards are hidden; the rest of the packs lies in the side stacks."""

    def __init__(self, seed: int | str, asked: dict[str, Any] | None = None) -> None:
        chance = self.chance = random.Random(seed)
        self.asked = some_rules(chance) if asked is None else asked
        self.rules: Any = GAME.options.read(Node(self.asked)).options
        last = {"K": 13, "Q": 12}[self.rules.top_rank]
        self.centre = [chance.choice([1, 1, 2, chance.randint(1, last)]) for _ in range(chance.randint(0, 3))]
        self.hidden_hand, self.hidden_top = chance.random() < 0.6, chance.random() < 0.6
        self.size = chance.randint(0, 3) if chance.random() < 0.8 else 5
        self.left = chance.randint(1, 3)
        # Cards that matter are hidden more often than others, so that worlds differ.
        rich = [*deck(self.rules).elements(), *([1, 2, 0, 3] * 12)]
        chance.shuffle(rich)
        left, few = deck(self.rules), chance.randint(8, 12)
        hidden: list[int] = []
        for card in rich:
            if left[card] and len(hidden) < few + len(self.centre):
                hidden.append(card)
                left -= Counter([card])
        self.unseen = Counter(hidden)
        seen = list(left.elements())
        chance.shuffle(seen)
        numbered = self.rules.card_names == "numbered"
        in_pile = [card for card in seen if card or numbered or self.rules.deal_mode == "single"]
        self.top = None if self.hidden_top else in_pile[-1]
        if self.top is not None:
            seen.remove(self.top)
        self.partner_left = chance.randint(1, 2) if self.rules.partners == "opposite" else 0
        self.partner_top = seen.pop() if self.partner_left and chance.random() < 0.5 else None
        self.hand = None if self.hidden_hand else tuple(seen.pop() for _ in range(self.size))
        cuts = sorted(chance.sample(range(1, len(seen)), chance.randint(1, 3)))
        self.sides = [seen[i:j] for i, j in zip([0, *cuts], [*cuts, len(seen)], strict=True)]
        self.stock = chance.choice([0, 1, 1, 2])
        self.refilled = chance.random() < 0.8
        self.second_chance = self.rules.deadlock == "second_chance_redeal" and chance.random() < 0.4

    def position(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "players": list("ABCDEF")[: self.rules.players], "player": "A",
            "payoff_left": self.left, "stock": self.stock,
            "centre_stacks": [NAMES[top] for top in self.centre], "refilled": self.refilled,
            "side_stacks": [[NAMES[card] for card in side] for side in self.sides],
            "phase": "second_chance" if self.second_chance else "normal",
        }  # fmt: skip
        if self.partner_left:
            told["partner"] = {"payoff_left": self.partner_left, "side_stacks": []}
            told["partner"] |= {} if self.partner_top is None else {"payoff": NAMES[self.partner_top]}
        told |= {"hand_count": self.size} if self.hand is None else {"hand": [NAMES[card] for card in self.hand]}
        return told if self.top is None else told | {"payoff": NAMES[self.top]}

    def moves(self) -> list[dict[str, Any]]:
        chance = self.chance
        highest = max(deck(self.rules))
        cards = [NAMES[chance.choice([0, 1, 2, 3, chance.randint(1, highest)])] for _ in range(2)]
        spots = ["new", *range(len(self.centre))]
        sides = ["new", *range(len(self.sides))]
        moves: list[dict[str, Any]] = [{"type": "end_turn"}, {"type": "refill", "count": chance.randint(1, 5)}]
        for card in cards:
            moves.append({"type": "play", "from": "hand", "card": card, "to": chance.choice(spots)})
            moves.append({"type": "play", "from": "payoff", "card": card, "to": chance.choice(spots)})
            moves.append({"type": "discard", "card": card, "to": chance.choice(sides)})
        stack = chance.randrange(len(self.sides))
        moves.append({"type": "play", "from": "side", "stack": stack, "to": chance.choice(spots)})
        return [*moves, {"type": "play", "from": "payoff", "to": chance.choice(spots)}]

    def worlds(self) -> list[World]:
        found = hands_and_tops(
            self.rules, self.unseen, pile=self.left - (self.top is not None), centre=self.centre,
            seen_tops=[] if self.top is None else [self.top], hand=self.size if self.hand is None else None,
            partner=self.partner_left - (self.partner_top is not None),
        )  # fmt: skip
        total = sum(self.unseen.values()) - len(self.centre) - self.left + (self.top is not None)
        total -= self.partner_left - (self.partner_top is not None)
        if total - (self.size if self.hand is None else 0) < self.stock:
            return []
        seen = self.top is not None
        distinct = {
            (
                self.top if seen else top,
                self.hand if held is None else held,
                other if self.partner_top is None else self.partner_top,
            )
            for top, held, other, _ in found
        }
        return [
            World(
                self.rules, top, self.left, held, self.sides, self.centre, self.stock, self.refilled,
                second_chance=self.second_chance, partner_top=other,
            )
            for top, held, other in distinct
        ]  # fmt: skip


def defined(worlds: list[World], move: dict[str, Any]) -> str:
    """The verdict by its definition; a named card of a hidden place counts as told."""
    named = NAMES.index(move["card"]) if "card" in move else None
    if named is not None:
        source = move.get("from", "hand")
        worlds = [one for one in worlds if (named in one.hand if source == "hand" else one.top == named)]
    answers = {allowed(one, move) for one in worlds} or {False}
    return "undecided" if len(answers) > 1 else "legal" if True in answers else "illegal"


def test_every_verdict_is_the_one_that_all_distributions_define(soak_round: int, soaked: Any) -> None:
    kinds = judged(Case(soak_round * POSITIONS + number) for number in range(POSITIONS))
    soaked(positions=POSITIONS, verdicts=kinds.total() - kinds["impossible"], undecided=kinds["undecided"])
    assert min(kinds[kind] for kind in ("legal", "illegal", "undecided", "impossible")) >= POSITIONS // 100


def test_every_verdict_is_defined_so_on_tables_that_hold_every_pair_of_options(soak_round: int, soaked: Any) -> None:
    """What the oracle does not know is fixed: nothing is recycled, and nobody breaks a deadlock for another."""
    kinds: Counter[str] = Counter()
    for number, values in enumerate(array(GAME.id, soak_round, triples=False).tables):
        asked = request(GAME.id, {**values, "recycle_source": "none", "second_chance_scope": "both"})
        kinds += judged(Case(f"pairs {soak_round} {number} {place}", asked) for place in range(2))
    soaked(verdicts=kinds.total() - kinds["impossible"], undecided=kinds["undecided"])
    assert min(kinds[kind] for kind in ("legal", "illegal", "undecided")) > 20, kinds


def judged(cases: Iterable[Case]) -> Counter[str]:
    """How often each verdict was found on the moves of some positions; each is the one that the oracle defines."""
    kinds: Counter[str] = Counter()
    for number, case in enumerate(cases):
        worlds, position = case.worlds(), case.position()
        node = Node(position)
        table = read_position(case.rules, node)
        if table is None:
            assert {problem.code for problem in node.problems} == {"impossible-position"}
            assert worlds == [], (number, position)
            kinds["impossible"] += 1
            continue
        assert worlds, (number, position)
        for move in case.moves():
            announcement = read_at(Node(move), MOVE, context=players_in(case.rules, node["players"]))
            assert announcement is not None
            verdict = judge_move(case.rules, table, announcement)
            expected = defined(worlds, move)
            assert verdict.value == expected, (number, case.asked, position, move, verdict)
            assert bool(verdict.missing) == (expected == "undecided")
            kinds[expected] += 1
    return kinds


def test_a_wild_card_of_unknown_rank_in_the_centre_counts_as_every_rank(soak_round: int, soaked: Any) -> None:
    """Each such stack uses up a wild card, and has in turn every rank that the card may stand for (SNM-062)."""
    kinds: Counter[str] = Counter()
    for number in range(soak_round * WILD, (soak_round + 1) * WILD):
        case = Case(f"wild {number}")
        told, last = case.centre, {"K": 13, "Q": 12}[case.rules.top_rank]
        wild = 13 if "K" in case.rules.wild and case.rules.card_names == "playing" else 0
        if not told or not case.unseen[wild]:
            continue
        place = case.chance.randrange(len(told))
        case.centre, case.unseen = told[:place] + told[place + 1 :], case.unseen - Counter([wild])
        worlds = [replace(one, centre=[*told[:place], rank, *told[place + 1 :]])
                  for one in case.worlds() for rank in range(1 if case.rules.wild_as_ace else 2, last + 1)]  # fmt: skip
        position = case.position()
        position["centre_stacks"] = [NAMES[top] for top in [*told[:place], wild, *told[place + 1 :]]]
        node = Node(position)
        table = read_position(case.rules, node)
        assert (table is None) == (not worlds), (number, position, node.problems)
        for move in case.moves() if table is not None else ():
            announcement = read_at(Node(move), MOVE, context=players_in(case.rules, node["players"]))
            assert announcement is not None
            expected = defined(worlds, move)
            assert judge_move(case.rules, table, announcement).value == expected, (number, case.asked, position, move)
            kinds[expected] += 1
    soaked(positions=WILD, verdicts=kinds.total())
    assert min(kinds[kind] for kind in ("legal", "illegal", "undecided")) > 0, kinds


def some_tops(chance: random.Random, rules: Any, players: str) -> dict[str, str]:
    """The pay-off tops as somebody tells them: some not at all, some without their suit."""
    cards = [name + suit for name in NAMES[1:] for suit in "SHDC"] * (rules.packs if rules.deal_mode == "single" else 1)
    cards += ["X"] * (rules.jokers if rules.deal_mode == "single" else 0)
    few = [card for card in cards if card[:-1] in chance.sample(NAMES[1:], 3) or card == "X"]
    dealt = chance.sample(few if chance.random() < 0.7 and len(few) >= len(players) else cards, len(players))
    tops = dict(zip(players, dealt, strict=True))
    for player in chance.sample(players, chance.randint(0, 2 if len(players) == 2 else 1)):
        del tops[player]
    bare = chance.random() < 0.3 and len(tops) < 5
    return {
        player: card[:-1] if bare and card != "X" and chance.random() < 0.5 else card for player, card in tops.items()
    }


def test_every_verdict_on_a_start_is_the_one_that_all_tops_define(soak_round: int, soaked: Any) -> None:
    """Two, four and six players; wild cards that are turned up anew, or count high or low; ties by suit or not."""
    kinds: Counter[str] = Counter()
    for number in range(STARTS):
        chance = random.Random(f"start {soak_round * STARTS + number}")
        preset = chance.choice(["blackwood", "blackwood108", "massachusetts", "pagat", "partners4", "partners6"])
        given = {name: chance.choice(values) for name, values in START_OPTIONS.items() if chance.random() < 0.6}
        rules: Any = GAME.options.read(Node({"preset": preset, "options": given})).options
        players = "ABCDEF"[: rules.players]
        tops = some_tops(chance, rules, players)
        position = {"players": list(players), "player": "A", "payoff_tops": tops}
        possible = starts(rules, players, tops)
        moves = [("first", player) for player in players]
        moves += [("redo", how) for how in ("redraw", "reshuffle", "bury")]
        for kind, name in moves:
            node = Node(position)
            verdict = GAME.judge(rules, node, Node({"type": "start", kind: name}))
            assert not node.problems, (preset, given, tops, node.problems)
            expected = "illegal" if (kind, name) not in possible else "undecided" if len(possible) > 1 else "legal"
            assert verdict.value == expected, (preset, given, tops, kind, name, possible)
            kinds[expected] += 1
    soaked(positions=STARTS, verdicts=kinds.total())
    assert min(kinds.values()) > STARTS // 10


def test_tops_that_are_turned_up_anew_in_any_case_let_nobody_start() -> None:
    """Two kings tie; whether a hidden joker decides how the tops are turned up anew is open."""
    rules = GAME.options.read(Node({"preset": "partners4", "options": {"start_tie": "bury"}})).options
    tops = {"A": "KS", "B": "KH", "D": "2H"}
    assert starts(rules, "ABCD", tops) == {("redo", "redraw"), ("redo", "bury")}
    position = {"players": list("ABCD"), "player": "A", "payoff_tops": tops}
    for move, code in (({"first": "A"}, "start-redo"), ({"redo": "reshuffle"}, "wrong-redo")):
        verdict = GAME.judge(rules, Node(position), Node({"type": "start", **move}))
        assert [(breach.code, breach.facts["redo"]) for breach in verdict.breaches] == [(code, ["redraw", "bury"])]
        for lang in LANGUAGES:
            assert words(GAME.id, lang).breach(verdict.breaches[0])
