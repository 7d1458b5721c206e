"""What an undecided verdict asks for: always a smallest set of facts that decides, by every distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from companion.engine import verdict as knowledge
from companion.engine.problems import Node
from companion.engine.shapes import read_at
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.position import MOVE, players_in
from companion.games.spite_and_malice.shapes import read_position
from tests.spite_and_malice.asking import ask
from tests.spite_and_malice.oracle import NAMES, World, allowed, hands_and_tops
from tests.spite_and_malice.test_oracle import Case, defined

POSITIONS = 100
"""Positions of a round."""
IDLE = 99
"""A card on a side stack that neither binds nor takes another."""
NOW_CENTRE = {"centre_rank": "centre", "centre_stacks": "centre"}


class Untold(Case):
    """A random position in which side stacks, or the rank of a wild card in the centre, may be hidden, too."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        chance, self.place, self.hidden_sides = self.chance, None, False
        self.beside: list[list[int]] = []
        wild = 13 if "K" in self.rules.wild else 0
        if self.partner_left and chance.random() < 0.5:
            self.hidden_sides, self.beside, self.sides = True, self.sides, []
            few = list(self.unseen.elements())
            chance.shuffle(few)
            while len(few) > 5 + len(self.centre) + self.left + self.partner_left:
                self.beside[0].insert(0, few.pop())
            self.unseen, self.size = Counter(few), min(self.size, 2) if self.hand is None else self.size
        elif self.centre and self.unseen[wild] and chance.random() < 0.4:
            self.place = chance.randrange(len(self.centre))

    def position(self) -> dict[str, Any]:
        told = super().position()
        if self.place is not None:
            told["centre_stacks"][self.place] = "K" if "K" in self.rules.wild else "X"
        if self.hidden_sides:
            del told["side_stacks"]
            told["partner"]["side_stacks"] = [[NAMES[card] for card in side] for side in self.beside]
        return told

    def moves(self) -> list[dict[str, Any]]:
        if not self.hidden_sides:
            return super().moves()
        self.sides = [[]]
        moves = [one for one in super().moves() if one.get("from") != "side"]
        self.sides = []
        return [one | {"to": "new"} if one["type"] == "discard" else one for one in moves]

    def worlds(self) -> list[World]:
        if self.hidden_sides:
            return self._with_sides()
        if self.place is None:
            return super().worlds()
        told, unseen, wild = self.centre, self.unseen, 13 if "K" in self.rules.wild else 0
        self.centre, self.unseen = told[: self.place] + told[self.place + 1 :], unseen - Counter([wild])
        worlds, last = super().worlds(), {"K": 13, "Q": 12}[self.rules.top_rank]
        self.centre, self.unseen = told, unseen
        return [
            replace(one, centre=[*told[: self.place], rank, *told[self.place + 1 :]])
            for one in worlds for rank in range(1, last + 1)
        ]  # fmt: skip

    def _with_sides(self) -> list[World]:
        found: dict[Any, World] = {}
        for top, held, other, rest in hands_and_tops(
            self.rules, self.unseen, pile=self.left - (self.top is not None), centre=self.centre,
            seen_tops=[] if self.top is None else [self.top], hand=self.size if self.hand is None else None,
            partner=self.partner_left - (self.partner_top is not None),
        ):  # fmt: skip
            cards = sorted(rest.elements())
            for count in range(min(4, len(cards) - self.stock) + 1):
                for tops in set(combinations(cards, count)):
                    if not self.rules.discard_ace:  # SNM-043: no ace that nobody names binds there
                        tops = tuple(IDLE if card == 1 else card for card in tops)
                    key = (top, held, other, tops)
                    found[key] = World(
                        self.rules, self.top if self.top is not None else top, self.left,
                        self.hand if held is None else held, [[card] for card in tops], self.centre, self.stock,
                        self.refilled, second_chance=self.second_chance,
                        partner_top=other if self.partner_top is None else self.partner_top, partner_sides=self.beside,
                    )  # fmt: skip
        return list(found.values())

    def untold(self) -> list[str]:
        """The facts that can be asked for."""
        hidden = {
            "hand": self.hand is None, "payoff": self.top is None, "side_stacks": self.hidden_sides,
            "partner_payoff": self.partner_left > 0 and self.partner_top is None, "centre": self.place is not None,
        }  # fmt: skip
        return [fact for fact, unknown in hidden.items() if unknown]


def deciding(worlds: Sequence[World], move: dict[str, Any], facts: Sequence[str]) -> list[set[str]]:
    """Every smallest set of facts that decides: wherever these are the same, the move is allowed or not alike."""
    rows = [
        (
            {
                "hand": tuple(sorted(one.hand)), "payoff": one.top, "partner_payoff": one.partner_top,
                "side_stacks": tuple(sorted(side[-1] for side in one.sides)), "centre": tuple(one.centre),
            },
            allowed(one, move),
        )
        for one in worlds
    ]  # fmt: skip
    for size in range(1, len(facts) + 1):
        found = []
        for chosen in combinations(facts, size):
            seen: dict[tuple[object, ...], bool] = {}
            if all(seen.setdefault(tuple(values[one] for one in chosen), yes) == yes for values, yes in rows):
                found.append(set(chosen))
        if found:
            return found
    return []


def test_an_undecided_verdict_asks_for_a_smallest_set_of_facts_that_decides(soak_round: int, soaked: Any) -> None:
    sizes: Counter[int] = Counter()
    for number in range(POSITIONS):
        case = Untold(f"missing {soak_round * POSITIONS + number}")
        position = case.position()
        node = Node(position)
        table = read_position(case.rules, node)
        judged = []
        for move in case.moves() if table is not None and len(case.untold()) > 1 else ():
            announcement = read_at(Node(move), MOVE, context=players_in(case.rules, node["players"]))
            assert announcement is not None
            judged.append((move, judge_move(case.rules, table, announcement)))
        open_ = [(move, verdict) for move, verdict in judged if verdict.value == "undecided"]
        worlds = case.worlds() if open_ else []
        for move, verdict in open_:
            assert defined(worlds, move) == "undecided", (number, case.asked, position, move, verdict)
            named = NAMES.index(move["card"]) if "card" in move else None
            hand = move.get("from", "hand") == "hand"
            left = [one for one in worlds if named is None or (named in one.hand if hand else one.top == named)]
            facts = {NOW_CENTRE.get(missing.fact, missing.fact) for missing in verdict.missing}
            wanted = deciding(left, move, case.untold())
            assert facts in wanted, (number, case.asked, position, move, verdict.missing, wanted)
            sizes[len(facts)] += 1
    soaked(positions=POSITIONS, undecided=sizes.total())
    assert 0 < sizes[1] < sizes.total(), sizes


LOGS = [[True, True], [True, False], [False, False]]
KNOWN: dict[str, list[Any]] = {
    "hand": [[], ["3", "4"], ["3", "4", "5", "6", "8"]],
    "turns": [[{"player": player, "acted": acted} for player, acted in zip("AB", log, strict=True)] for log in LOGS],
    "complete": [0, 2],
    "incomplete": [0, 1],
}


@pytest.mark.parametrize("source", ["none", "complete_only", "complete_then_incomplete"])
@pytest.mark.parametrize("deadlock", ["draw", "compare", "none", "second_chance_redeal"])
@pytest.mark.parametrize("stock_out", ["draw", "compare", "play_on"])
def test_the_end_of_a_deal_is_open_as_long_as_what_is_not_told_decides(
    stock_out: str, deadlock: str, source: str
) -> None:
    """SNM-085, 093, 313: neither granted, settled nor refused before all that decides is told."""
    options = {"stock_out": stock_out, "deadlock": deadlock, "recycle_source": source}

    def judged(facts: dict[str, Any]) -> Any:
        return ask({"type": "claim_stalemate"}, options=options, stock=0, payoff="9", side_stacks=[["J"]], **facts)

    whole = [dict(zip(KNOWN, facts, strict=True)) for facts in product(*KNOWN.values())]
    answers = [(found.value, found.effect) for found in map(judged, whole)]
    for count in range(len(KNOWN)):
        for left in combinations(KNOWN, count):
            for facts in product(*(KNOWN[fact] for fact in left)):
                given = dict(zip(left, facts, strict=True))
                fits = [at for at, world in enumerate(whole) if given.items() <= world.items()]
                found, first = judged(given), answers[fits[0]]
                certain = all(answers[at] == first for at in fits)
                assert (found.value, found.effect) == (first if certain else ("undecided", {})), given
                asked = [one.fact for one in found.missing]
                for at in fits if asked else ():
                    assert judged(given | {fact: whole[at][fact] for fact in asked}).missing == (), (given, asked)


@pytest.mark.parametrize("preset", ["blackwood", "hoyle", "massachusetts"])
@pytest.mark.parametrize("card", ["2", "X", "7"])
def test_all_that_a_card_onto_an_unknown_stack_depends_on_is_asked_for_at_once(preset: str, card: str) -> None:
    """SNM-045: the stack may show an ace, which exposed twos keep."""
    card = "K" if (preset, card) == ("massachusetts", "X") else card
    play = {"type": "play", "from": "hand", "card": card, "to": 0}
    known: dict[str, list[Any]] = {
        "payoff": ["2", "9"], "side_stacks": [[["2"]], [["9"]]], "centre_stacks": [["A", "4"], ["6", "A"], ["9"]],
    }  # fmt: skip
    for count in range(len(known)):
        for told in combinations(known, count):
            for facts in product(*known.values()):
                world = dict(zip(known, facts, strict=True))
                given = {fact: world[fact] for fact in told}
                asked = {one.fact: world[one.fact] for one in ask(play, preset, hand=[card], **given).missing}
                assert not ask(play, preset, hand=[card], **given | asked).missing, (given, asked)


NEARLY_NOTHING: dict[str, Any] = {"stock": 4, "refilled": False}


@pytest.mark.parametrize(
    ("move", "told", "asked"),
    [
        ({"type": "discard", "card": "X", "to": 2}, NEARLY_NOTHING, ["hand", "payoff", "centre_stacks", "side_stacks"]),
        ({"type": "end_turn"}, NEARLY_NOTHING, ["hand", "payoff", "centre_stacks", "side_stacks"]),
        (
            {"type": "end_turn"},
            {"stock": 0, "turns": [{"player": player, "acted": False} for player in "AB"]},
            ["payoff", "centre_stacks", "side_stacks", "hand"],
        ),
    ],
    ids=["discard", "end", "second-chance"],
)
def test_a_position_of_which_nearly_nothing_is_told_is_judged_in_bounded_work(
    move: dict[str, Any], told: dict[str, Any], asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fewest facts are looked for in ever more worlds: eleven seconds of them, for one question."""
    count, fits = 0, knowledge._fits

    def counted(*args: Any) -> bool:
        nonlocal count
        count += 1
        return fits(*args)

    monkeypatch.setattr(knowledge, "_fits", counted)
    verdict = ask(move, **told)
    assert list(dict.fromkeys(missing.fact for missing in verdict.missing)) == asked
    assert count < 20_000
