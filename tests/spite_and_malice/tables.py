"""Random tables and moves of Spite and Malice, aimed at every kind of rule: each request is true of one deal."""

from __future__ import annotations

import random
from typing import Any

from companion.games.spite_and_malice.rules import OPTIONS as HOUSE

Json = dict[str, Any]
RANKS = ("X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PRESETS = (
    *("blackwood",) * 5, *("partners4",) * 3, *("hoyle", "massachusetts", "blackwood108", "partners6") * 2,
    "pagat", "skipbo_like", *("alone3", "skip_bo") * 2,
)  # fmt: skip
OPTIONS: dict[str, list[Any]] = {
    "mandatory_timing": ["immediate"],
    "block_two": ["strict", "one_is_enough", "payoff_only", "off"],
    "discard_ace": [True],
    "discard_required": [True, False],
    "discard_rule": ["free"],
    "midturn_refill": ["may", "must"],
    "after_last_discard": ["refill_and_replay"],
    "centre_max": [3, 4],
    "wild_as_ace": [True, False],
    "recycle_source": ["none", "complete_only"],
    "mandatory": [["payoff_two", "side_two"], ["payoff_ace", "side_ace"], []],
    "second_chance_scope": ["until_broken"],
}
AIMS: dict[str, Json] = {
    "closing": {"discard_required": True, "discard_rule": "free"},
    "two aces": {"block_two": "one_is_enough"},
    "seven": {"wild_as_seven": False},
    "last draw": {"refill_at": "end", "after_last_discard": "end", "initial_hand": "dealt"},
    "first draw": {},
    "side start": {"side_start": 1, "mandatory": ["side_ace"], "discard_ace": False},
    "second chance": {"second_chance_scope": "until_broken"},
}
NUMBERED = {"A": "1", "J": "11", "Q": "12", "X": "W"}
LIKELY = ("A", "2", "2", "3", "X", "A", "2", "K")


class Table:
    """A table of which nothing is hidden, the part of it that a request names, and a move."""

    def __init__(self, seed: str) -> None:
        chance = self.chance = random.Random(seed)
        preset = chance.choice(PRESETS)
        often = chance.choice([0.12, 0.12, 0.4])  # some tables where many options meet
        given = {name: chance.choice(values) for name, values in OPTIONS.items() if chance.random() < often}
        aim = chance.choice([*AIMS, *[""] * 7])  # rules that few tables meet
        given |= AIMS.get(aim, {})
        self.aim = aim
        if given.get("discard_required") and preset in ("blackwood", "partners4", "hoyle", "blackwood108", "partners6"):
            given["discard_rule"] = "free"
        if "second_chance_scope" in given and preset in ("massachusetts", "pagat", "hoyle", "alone3", "skip_bo"):
            del given["second_chance_scope"]
        house: Any = HOUSE.preset(preset).options
        self.numbered, self.partners = house.numbered, house.partners == "opposite"
        if self.partners and chance.random() < 0.4:
            given["mandatory_scope"] = "own_and_partner"
        self.rules: Json = {"preset": preset, "options": given}
        self.wild = "K" if "K" in house.wild else "X"
        self.last = house.top
        self.one_pack = house.deal_mode != "single"
        self.left = [rank for rank in RANKS[1 : 13 if self.numbered else 14] for _ in range(4 * house.packs)]
        self.left += ["X"] * house.unranked
        chance.shuffle(self.left)
        self.players = list("ABCDEF")[: house.players]
        self.player = chance.choice(self.players)
        self.piled = dict.fromkeys(RANKS, 0)
        self.used_up = chance.choice([None, None, "A", "2", "X", chance.choice(RANKS)])
        self.sides = self._stacks()
        self.partner: Json = {}
        self.payoff = self._top()
        self.payoff_left = chance.choice([1, 2, 5, 12])
        if self.partners:
            self.partner = {
                "payoff": self._top(),
                "payoff_left": chance.choice([1, 3, 9]),
                "side_stacks": self._stacks(),
            }
            if chance.random() < 0.1:
                self.partner = {"payoff_left": 0, "side_stacks": self.partner["side_stacks"]}
        self.refilled = chance.random() < 0.85
        held = chance.choice([0, 1, 2, 3, 4, 5]) if chance.random() < 0.6 else 5
        self.hand = [self._draw() for _ in range(held)]
        if aim == "closing" and chance.random() < 0.7:
            self.left += self.hand
            self.hand = []
        self.centre = []
        first = {"two aces": ["A", "A"], "seven": ["6", "6"]}.get(aim, [])
        for place in range(chance.choice([0, 1, 2, 2, 3, 4]) + len(first)):
            rank = chance.choice(["A", "A", "2", "6", RANKS[chance.randint(1, self.last)], RANKS[self.last]])
            rank = first[place] if place < len(first) else rank
            for card in (rank, self.wild):
                if card in self.left:
                    self.left.remove(card)
                    self.centre.append(rank)
                    break
        self.turns = self._log()
        if aim == "second chance":
            order = self._before(len(self.players) + 1)
            self.turns = [{"player": who, "acted": not place} for place, who in enumerate(order)]
        self.move = {"type": "end_turn"} if aim in ("closing", "side start", "second chance") else self._move()
        if aim in ("last draw", "first draw"):
            self.move = (
                {"type": "refill", "count": chance.randint(1, 5)} if chance.random() < 0.7 else {"type": "end_turn"}
            )
        if self.used_up and self.move.get("card") and chance.random() < 0.15:
            self.move["card"] = self.used_up  # a card of which every copy may be seen elsewhere

    def _draw(self) -> str:
        card = self.chance.choice(LIKELY) if self.chance.random() < 0.45 else self.chance.choice(self.left)
        card = card if card in self.left else self.left[0]
        self.left.remove(card)
        return card

    def _top(self) -> str:
        while True:
            card = self._draw()
            if not self.one_pack or (card != "X" and self.piled[card] < 3):
                self.piled[card] += 1
                return card
            self.left.append(card)
            self.chance.shuffle(self.left)

    def _stacks(self) -> list[list[str]]:
        stacks = [
            [self._draw() for _ in range(self.chance.choice([1, 1, 2, 4]))] for _ in range(self.chance.randint(0, 4))
        ]
        if stacks and self.used_up and self.chance.random() < 0.7:
            few = [card for card in self.left if card == self.used_up]
            for card in few[: len(few) - self.chance.choice([0, 0, 1, 2, 4])]:
                self.left.remove(card)
                stacks[-1].insert(0, card)
        return stacks

    def _log(self) -> list[Json]:
        chance = self.chance
        if chance.random() < 0.5:
            return []
        at, count = self.players.index(self.player), len(self.players)
        length = chance.choice([1, count - 1, count, count, count + 1, 2 * count - 1, 2 * count])
        order = [self.players[(at - back) % count] for back in range(length, 0, -1)]
        return [{"player": who, "acted": chance.random() < 0.15} for who in order]

    def request(self) -> Json:
        chance = self.chance
        position: Json = {"players": self.players, "player": self.player, "refilled": self.refilled}
        hidden = chance.choice([0.15, 0.4, 0.6])
        for key, value in (
            ("hand", self.hand),
            ("side_stacks", self.sides),
            ("payoff", self.payoff),
            ("payoff_left", self.payoff_left),
        ):
            if chance.random() > hidden:
                position[key] = value
        if chance.random() > 0.07:
            position["centre_stacks"] = list(self.centre)
            if self.centre and chance.random() < 0.15:
                position["centre_stacks"][chance.randrange(len(self.centre))] = self.wild
        if "hand" not in position and chance.random() < 0.6:
            position["hand_count"] = len(self.hand)
        if self.partner and chance.random() > 0.2:
            position["partner"] = {key: value for key, value in self.partner.items() if chance.random() > hidden}
        if chance.random() < 0.4:
            position["stock"] = chance.choice([0, 1, 1, 3, 10])
        if self.turns and chance.random() < 0.8:
            position["turns"] = self.turns
        elif chance.random() < 0.3 and self.rules["preset"] not in ("massachusetts", "pagat", "hoyle"):
            position["turns"] = [{"player": who, "acted": False} for who in self._before(len(self.players))]
        if chance.random() < 0.08:
            position["discarded"] = True
        if chance.random() < 0.1:
            position["played_ace_or_two"] = True
        if chance.random() < 0.1:
            position["complete"] = chance.choice([0, 1])
        if self.aim in ("last draw", "first draw"):  # how many cards are in the hand decides
            position.pop("hand", None)
            position.pop("hand_count", None)
            position |= {"stock": chance.choice([1, 2, 3, 4, 5, 20]), "refilled": False}
            position["discarded"] = self.aim == "last draw"
        if self.aim == "side start":
            position.pop("side_stacks", None)
        named = {"position": position, "move": self.move}
        return {"rules": self.rules, **(numbers(named) if self.numbered else named)}

    def _before(self, length: int) -> list[str]:
        at, count = self.players.index(self.player), len(self.players)
        return [self.players[(at - back) % count] for back in range(length, 0, -1)]

    def _move(self) -> Json:
        chance = self.chance
        kind = chance.choice(["play"] * 5 + ["discard"] * 3 + ["end_turn"] * 3 + ["refill"])
        if kind == "end_turn":
            return {"type": kind}
        if kind == "refill":
            return {"type": kind, "count": chance.choice([5 - len(self.hand), 5, chance.randint(-1, 6)])}
        if kind == "discard":
            card = chance.choice(self.hand) if self.hand and chance.random() < 0.9 else chance.choice(RANKS)
            fitting = [
                at
                for at, stack in enumerate(self.sides)
                if RANKS.index(stack[-1]) in (RANKS.index(card), RANKS.index(card) + 1, 0)
            ]
            to = chance.choice([*fitting, "new"] if chance.random() < 0.8 else ["new", *range(len(self.sides) + 1)])
            move: Json = {"type": kind, "card": card, "to": to}
            if chance.random() < 0.04:
                move["owner"] = chance.choice(["partner", "opponent"])
            return move
        sources = {"hand": list(self.hand), "payoff": [self.payoff], "side": [stack[-1] for stack in self.sides]}
        if self.partner:
            sources["partner_side"] = [stack[-1] for stack in self.partner["side_stacks"]]
            sources["partner_payoff"] = [self.partner["payoff"]] if "payoff" in self.partner else []
        spots: list[tuple[str, int, str, Any]] = []
        for source, cards in sources.items():
            for at, card in enumerate(cards):
                wild = card == self.wild
                tops = [
                    place for place, top in enumerate(self.centre) if wild or RANKS.index(card) == RANKS.index(top) + 1
                ]
                spots += [(source, at, card, to) for to in [*tops, *(["new"] if card == "A" or wild else [])]]
        if not spots or chance.random() < 0.15:
            source = chance.choice(
                [*sources, "partner_hand", "opponent_payoff"] if chance.random() < 0.1 else [*sources]
            )
            cards = sources.get(source) or [chance.choice(RANKS)]
            at = chance.randrange(len(cards))
            spots = [(source, at, cards[at], chance.choice(["new", *range(len(self.centre) + 1)]))]
        onto_ace = [
            spot
            for spot in spots
            if spot[3] != "new" and int(spot[3]) < len(self.centre) and self.centre[int(spot[3])] == "A"
        ]
        source, at, card, to = chance.choice(onto_ace if onto_ace and chance.random() < 0.6 else spots)
        move = {"type": "play", "from": source, "to": to}
        if source in ("side", "partner_side"):
            move["stack"] = at
        if source == "hand" or chance.random() < 0.5:
            move["card"] = card
        if chance.random() < 0.03 and source != "hand":
            move["depth"] = 1
        return move


def aimed(seed: str) -> Json:
    """A move at a table of a kind that random tables seldom show: an own pile that is empty, a hidden side stack."""
    chance, table = random.Random(f"aimed {seed}"), Table(seed)
    asked = table.request()
    position = asked["position"]
    if chance.random() < 0.5:
        position.pop("payoff", None)
        position["payoff_left"] = 0
        return asked
    top = table.last if chance.random() < 0.6 else chance.randint(1, table.last)
    card = RANKS[top]
    if "hand" in position:
        position["hand"] = [*position["hand"][:4], card]
    position.pop("side_stacks", None)
    asked["move"] = {"type": "discard", "card": card, "to": chance.choice([0, 1])}
    return {**asked, **numbers({"position": position, "move": asked["move"]})} if table.numbered else asked


def numbers(value: Any) -> Any:
    """The same in the words of cards with numbers; names of players, and all that is no list of cards, stay."""
    if isinstance(value, list):
        return [NUMBERED.get(one, one) if isinstance(one, str) else numbers(one) for one in value]
    if isinstance(value, dict):
        cards = {key: NUMBERED.get(value[key], value[key]) for key in ("card", "payoff") if key in value}
        return {key: part if key in ("players", "turns") else numbers(part) for key, part in value.items()} | cards
    return value
