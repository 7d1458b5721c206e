"""Recorded deals with cards hidden: legal ones are never accused, a planted fault is found exactly when provable."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.problems import Node
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.hidden import RANK, Hand
from tests.spite_and_malice.dealer import Dealer

HANDS, DEALS = 300, 12
KINDS = ("A", "2", "9")


# What became of a hand ------------------------------------------------------------------------------------------------


def possible_hands(size: int, events: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield every hand that can have led to these draws and plays: all hands and all draws are tried."""
    draws = [count for kind, count in events if kind == "draw"]
    for cards in product(KINDS, repeat=size + sum(draws)):
        first, rest = cards[:size], list(cards[size:])
        held = Counter(first)
        for kind, what in events:
            if kind == "draw":
                held.update(rest[:what])
                del rest[:what]
            elif held[what]:
                held[what] -= 1
            else:
                break
        else:
            yield first


@pytest.mark.parametrize("wanted", [("A",), ("2",), ("A", "2"), ("9",)])
def test_what_plays_and_draws_say_of_a_hand(wanted: tuple[str, ...], soak_round: int, soaked: Any) -> None:
    chance = random.Random(f"{wanted}{soak_round}")
    sure = 0
    for _ in range(HANDS):
        size = chance.randint(0, 3)
        hand, held = Hand(size), size
        events: list[tuple[str, Any]] = []
        for _ in range(chance.randint(1, 6)):
            if held and chance.random() < 0.7:
                card = chance.choice(KINDS)
                events.append(("play", card))
                hand.play(Card(card))
                held -= 1
            elif held + hand.draws < 6:
                count = chance.randint(1, 2)
                events.append(("draw", count))
                hand.draws += count
                held += count
        mask = sum(RANK[Card(kind).pips] for kind in wanted)
        counts = [sum(card in wanted for card in first) for first in possible_hands(size, events)]
        assert counts, events
        assert hand.least(mask) == min(counts), (size, events)
        assert hand.can_have(mask) == (max(counts) > 0), (size, events)
        sure += min(counts) > 0 or max(counts) == 0
    assert 0 < sure < HANDS
    soaked(hands=HANDS)


# Whole deals ----------------------------------------------------------------------------------------------------------


class Cheat(Dealer):
    """A dealer who once ends a turn, with a card that must be played, as soon as there is one."""

    def __init__(self, *args: Any, after: int, **more: Any) -> None:
        self.after = after
        self.fault: tuple[int, int, str, set[str], int] | None = None
        super().__init__(*args, **more)

    def _wishes(self) -> list[n.Move]:
        if self.fault is None and len(self.record["turns"]) >= self.after and self.refilled and not self.discarded:
            verdict = judge_move(self.rules, self.position(), n.EndTurn())
            codes = {breach.code for breach in verdict.breaches}
            if codes and codes <= {"duty-open", "second-chance-open"}:
                self.fault = (len(self.record["turns"]), len(self.moves), self.player, codes, self.left())
        return super()._wishes()

    def left(self) -> int:
        return len(self.payoff[self.player])

    def _move(self) -> None:
        before = self.fault
        if before is None:
            self._wishes()
        if self.fault is not None and before is None:
            self._make(n.EndTurn())
            return
        super()._move()


def hide(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The record with hands, drawn cards and pay-off tops left out at random."""
    hidden: dict[str, Any] = {key: value for key, value in record.items() if key not in ("hands", "payoff_tops")}
    for key in ("hands", "payoff_tops"):
        hidden[key] = {player: cards for player, cards in record[key].items() if chance.random() < 0.5}
    lost = {"cards": chance.random(), "turned": chance.random(), "hands": chance.random()}
    hidden["turns"] = [
        {**turn, "moves": [{key: value for key, value in move.items() if chance.random() >= lost.get(key, -1)}
                           for move in turn["moves"]]}
        for turn in record["turns"]
    ]  # fmt: skip
    return hidden


@pytest.mark.parametrize("preset", ["blackwood", "hoyle", "massachusetts", "partners4"])
def test_a_legal_deal_with_cards_hidden_is_never_accused(preset: str, soak_round: int, soaked: Any) -> None:
    rules = GAME.options.preset(preset).options
    settled: Counter[str | None] = Counter()
    for seed in range(DEALS // 4):
        chance = random.Random(f"{preset}{seed}{soak_round}")
        dealer = Dealer(rules, chance.randrange(10**9), idleness=chance.choice([0.0, 0.3, 0.9]))
        record = dealer.play(chance.choice([30, 80, 150]))
        story: Any = GAME.replay(rules, Node(hide(record, chance)))
        assert story["findings"] == [], (preset, seed)
        settled.update(judged.settled for judged in story["verdicts"] if judged.verdict.value == "undecided")
        assert {judged.verdict.value for judged in story["verdicts"]} <= {"legal", "undecided"}
        assert story["state"]["stock"] == len(dealer.stock)
        assert {player: pile["payoff_left"] for player, pile in story["piles"].items()} == dealer.remaining()
    assert "illegal" not in settled
    soaked(deals=DEALS // 4, undecided=settled.total(), settled=settled["legal"])


def test_a_planted_fault_is_found_exactly_when_it_is_provable(soak_round: int, soaked: Any) -> None:
    """A turn ended with an ace or a two on the pay-off pile: proven if that card is told, or played later."""
    found = faults = 0
    rules = GAME.options.preset("blackwood").options
    for seed in range(DEALS):
        chance = random.Random(f"{seed}{soak_round}")
        dealer = Cheat(rules, chance.randrange(10**9), idleness=0.1, after=chance.randint(1, 30))
        record = dealer.play(80)
        if dealer.fault is None or dealer.fault[3] != {"duty-open"}:
            continue
        number, place, player, _, left = dealer.fault
        hidden = hide(record, chance)
        story: Any = GAME.replay(rules, Node(hidden))
        mine = [f for f in story["findings"] if f.code == "duty-open"]
        faults += 1
        clean: Any = GAME.replay(rules, Node(record))
        known = [f for f in clean["findings"] if f.code == "duty-open"]
        assert {(f.facts["turn"], f.seat) for f in known} == {(number + 1, player)}
        others = [f for f in story["findings"] if f.code != "duty-open"]
        # In a second chance a turn that ends so breaks some rule whatever the hidden card is.
        assert {(f.code, f.facts["turn"], f.seat) for f in others} <= {("either-way", number + 1, player)}
        on_side = any(f.facts["source"] == "side" for f in known)
        provable = on_side or _shown(hidden, player, left, rules.payoff_size, number, place)
        assert bool(mine) == provable, (seed, soak_round)
        assert {(f.facts["turn"], f.seat) for f in mine} <= {(number + 1, player)}
        found += bool(mine)
    soaked(faults=faults, found=found)
    assert 0 < found <= faults


def _shown(record: dict[str, Any], player: str, left: int, size: int, number: int, place: int) -> bool:
    """Whether a record tells the pay-off card that was on top with so many left: turned up, or named when played."""
    told, now = player in record["payoff_tops"], size
    for turn in record["turns"]:
        for move in turn["moves"]:
            if turn["player"] != player or move.get("from") != "payoff":
                continue
            if now == left:
                return True  # its play names it
            now -= 1
            told = "turned" in move
    return told and now == left


def test_one_rule_or_another_gives_way_to_the_one_that_a_later_card_shows() -> None:
    """A second chance ended with an untold two on the pay-off pile: either that, or any other card had to be played."""
    rules = GAME.options.preset("blackwood").options
    chance = random.Random("681107")
    dealer = Cheat(rules, chance.randrange(10**9), idleness=0.1, after=chance.randint(1, 30))
    record = dealer.play(80)
    hidden = hide(record, chance)
    before: Any = GAME.replay(rules, Node({**hidden, "turns": hidden["turns"][:15]}))
    assert {f.code for f in before["findings"]} == {"either-way"}
    after: Any = GAME.replay(rules, Node(hidden))
    assert [(f.code, f.facts["turn"], f.facts["card"]) for f in after["findings"]] == [("duty-open", 15, "2D")]
