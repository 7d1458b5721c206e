"""Random tables and turns of Casino, aimed at every kind of rule: each request is true of one deal."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

from tests.casino.worlds import counts, pips

Json = dict[str, Any]
PRESETS = (
    ("swazi",) * 8
    + ("swazi_pagat",) * 4
    + ("royal",) * 2
    + ("royal", "standard", "dominican", "south_african", "khasino") * 2
    + ("finnish", "japanese", "spade", "draw", "royal_draw")
)
OPTIONS: dict[str, list[Any]] = {
    "two_player_deal": ["all_24", "two_halves"],
    "court_values": ["11_13", "none"],
    "ace_hand": ["1", "14", "1or14"],
    "ace_table": ["1or14"],
    "special_hand_values": [False, True],
    "court_take": ["one", "all", "one_or_three"],
    "building": ["swazi", "standard"],
    "table_only_build": [False, True],
    "same_value_builds": ["forbidden", "allowed"],
    "merge_own_value": [True],
    "raise_builds": ["opponents", "others", "anyone", "never"],
    "builds_per_player": [None, 1],
    "pile_cards": ["none", "augment", "augment_and_capture"],
    "owner_may_trail": [False, True],
    "trail_equal": [False],
    "keep_capturer": [False, True],
    "partner_build": ["proven", "none"],
}
KINDS = (
    "capture",
    "capture",
    "build",
    "build",
    "table",
    "augment",
    "augment",
    "raise",
    "trail",
    "base",
    "foreign",
    "pile",
    "request",
    "several",
)


class Table:
    """A position of which nothing is hidden, the part of it that a request names, and a turn."""

    def __init__(self, seed: str) -> None:
        chance = self.chance = random.Random(seed)
        often = chance.choice([0.12, 0.12, 0.4])  # some tables where many options meet
        given = {name: chance.choice(values) for name, values in OPTIONS.items() if chance.random() < often}
        merging = chance.random() < 0.12  # a raise onto the own build of that value, where nobody has two
        if merging:
            given |= {"merge_own_value": True, "builds_per_player": chance.choice([1, 1, None]), "building": "swazi"}
        self.rules: Json = {"preset": chance.choice(PRESETS), "options": given}
        ranks = 10 if self.rules["preset"] in ("south_african", "khasino") else 13
        names = ["A", *map(str, range(2, 11)), "J", "Q", "K"][:ranks]
        self.seats = ["P1", "P2", "P3", "P4"][: chance.choice([2, 2, 3, 4, 4])]
        self.player = chance.choice(self.seats)
        mate = self.seats[(self.seats.index(self.player) + 2) % 4] if len(self.seats) == 4 else None
        self.partners = mate is None or chance.random() < 0.9
        self.mate = mate if self.partners else None
        left = [name + suit for name in names for suit in "SHDC"]
        # Few values make builds, used-up cards and equal cards likely.
        self.value = chance.choice([1, 14, chance.randint(2, 14), chance.randint(6, ranks)])
        chance.shuffle(left)
        left.sort(key=lambda card: self.value in counts(card) and chance.random() < 0.5)
        self.gone = chance.choice([0.3, 0.6, 1])
        self.hand = [left.pop() for _ in range(chance.choice([1, 2, 3, 4]))]
        self.courts = ranks == 13 and self.rules["preset"] not in ("standard",)
        self.table = [left.pop() for _ in range(chance.choice([1, 2, 3, 4, 6, 8]))]
        self.builds: list[Json] = []
        for number in range(chance.choice([0, 1, 1, 2, 3])):
            wanted = (
                self.value
                if number == 0 and chance.random() < 0.7
                else chance.choice([1, 14, chance.randint(2, 14)] if self.courts else [*range(2, 11)])
            )
            sets = [one for one in (self._set(left, wanted) for _ in range(chance.choice([1, 1, 2]))) if one]
            if sum(map(len, sets)) > 1 and (
                wanted not in [one["value"] for one in self.builds] or chance.random() < 0.1
            ):
                owner = chance.choice(self.seats)
                self.builds.append({"id": f"B{number}", "value": wanted, "sets": sets, "owner": owner})
            else:
                left += [card for one in sets for card in one]
                chance.shuffle(left)
        if self.builds and (merging or chance.random() < 0.25):  # one of the value to which another may be raised
            wanted = self.builds[0]["value"] + pips(self.hand[0])
            one = self._set(left, wanted)
            if len(one) > 1 and all(wanted != each["value"] for each in self.builds):
                self.builds.append({"id": "BX", "value": wanted, "sets": [one], "owner": chance.choice(self.seats)})
            else:
                left += one
        self.raising = len(self.builds) > 1 and (merging or chance.random() < 0.3)
        if self.raising:  # an opponent's single build, while the player may have another
            others = [seat for seat in self.seats if seat not in (self.player, self.mate)]
            left += [card for one in self.builds[0]["sets"][1:] for card in one]
            self.builds[0] |= {"owner": chance.choice(others), "sets": self.builds[0]["sets"][:1]}
            self.builds[-1]["owner"] = chance.choice([self.player] * (3 if merging else 1) + others)
            self.raising = len(self.builds[0]["sets"][0]) > 1
            if not self.raising:
                left += self.builds.pop(0)["sets"][0]
        sides = self.seats[:2] if self.partners and len(self.seats) == 4 else self.seats
        self.piles: dict[str, list[str]] = {}
        for side in sides:
            if chance.random() < 0.75:
                size = chance.choice([0, 1, 3, 6, 10])
                gone = [card for card in left if self.value in counts(card)]
                pile = [left.pop() for _ in range(min(size, len(left)))]
                pile += [card for card in gone if chance.random() < self.gone and card in left]
                left = [card for card in left if card not in pile]
                pairs = [two for two in combinations(pile, 2) if sum(map(pips, two)) in self._values()]
                if pairs and chance.random() < 0.5:
                    pile = [*pairs[0], *(card for card in pile if card not in pairs[0])]
                self.piles[side] = pile
        self.left = left
        self.half = chance.choice([1, 2, None]) if chance.random() < 0.7 else None
        values = {value for card in self.hand for value in counts(card)}
        if left:
            unseen = {value for card in left for value in counts(card)}
            likely = sorted(unseen & {self.value, *values} or unseen)
            self.proven = {seat: [chance.choice(likely)] for seat in self.seats if chance.random() < 0.25}
            own = sorted(values & {*self.proven.pop(self.player, ()), *likely})
            if own and chance.random() < 0.25:
                self.proven[self.player] = [chance.choice(own)]
        else:
            self.proven = {}
        relied = [one["value"] for one in self.builds if one["owner"] == self.mate]
        if relied and relied[0] in values and chance.random() < 0.3:
            self.proven[self.player] = relied[:1]
        self.plays = self._turn()

    def _values(self) -> list[int]:
        return [one["value"] for one in self.builds] + [value for card in self.hand for value in counts(card)]

    def _set(self, left: list[str], value: int) -> list[str]:
        cards = left[:24]
        sizes = [3, 2, 1] if self.chance.random() < 0.3 else [2, 3, 1]
        for size in sizes:
            for some in combinations(cards, size):
                if fits(some, value):
                    for card in some:
                        left.remove(card)
                    return list(some)
        return []

    def request(self) -> Json:
        chance = self.chance
        position: Json = {"seats": self.seats, "player": self.player, "table": self.table, "builds": self.builds}
        if not self.partners:
            position["partners"] = False
        if chance.random() < 0.3:
            position["hand"] = self.hand
        position["piles"] = {side: pile for side, pile in self.piles.items() if chance.random() < 0.85}
        if self.proven and chance.random() < 0.8:
            position["proven"] = self.proven
        if self.half and chance.random() < 0.8:
            position["half"] = self.half
        if "draw" in self.rules["preset"] and chance.random() < 0.5:
            position["stock"] = chance.randrange(max(1, len(self.left) - 4 * len(self.seats)))
        return {"rules": self.rules, "position": position, "move": {"type": "turn", "plays": self.plays}}

    # Turns -----------------------------------------------------------------------------------------------------------

    def _turn(self) -> list[Json]:
        chance, plays = self.chance, []
        kind = chance.choice(KINDS)
        if self.rules["preset"] not in ("swazi", "swazi_pagat") and kind in ("table", "foreign", "pile"):
            kind = chance.choice(["capture", "build", "raise", "base", "trail", "table", kind, kind])
        hand = chance.sample(self.hand, len(self.hand))
        if self.raising:
            kind, hand = "raise", self.hand
        mine = [one["value"] for one in self.builds if one["owner"] == self.player]
        if kind == "trail" and chance.random() < 0.5:  # a card that could take an own build
            hand.sort(key=lambda card: not counts(card) & {*mine})
        loose = chance.sample(self.table, len(self.table))
        if kind == "several":
            for number in range(chance.choice([1, 2])):
                play = self._play(chance.choice(["table", "augment", "base", "pile"]), None, loose, f"X{number}")
                if play:
                    plays.append(play)
        play = self._play(kind if kind != "several" else "trail", hand[0], loose, "Y")
        plays += [play] if play else []
        used = any(card in str(plays) for card in self.hand)
        if not used:
            last = (
                "capture"
                if kind in ("foreign", "table", "pile") and chance.random() < 0.7
                else chance.choice(["trail", "trail", "capture", "build"])
            )
            play = self._play(last, hand[0], loose, "Z", made=plays) or {"play": "trail", "card": hand[0]}
            plays.append(play)
        if chance.random() < 0.1:
            self._spoil(plays)
        return plays

    def _play(
        self, kind: str, card: str | None, loose: list[str], name: str, made: list[Json] | tuple[Json, ...] = ()
    ) -> Json | None:
        chance, builds = self.chance, self.builds
        own = card if card and (kind in ("build", "raise", "capture", "trail") or chance.random() < 0.6) else None
        with_own = [own] if own else []
        if kind == "trail":
            return {"play": "trail", "card": card}
        if kind == "capture" and card:
            value = chance.choice(sorted(counts(card)))
            names = [one["id"] for one in builds if one["value"] == value]
            names += [
                one.get("id") or one["base"].get("build")
                for one in made
                if one.get("value") == value and (one.get("id") or one.get("base", {}).get("build"))
            ]
            taken: list[str] = []
            for _ in range(chance.choice([0, 1, 2]) if names else chance.choice([1, 1, 2, 3])):
                taken += some_set(chance, [one for one in loose if one not in taken], value)
            play: Json = {
                "play": "capture",
                "card": card,
                "table": taken,
                "builds": sorted(set(names)) if chance.random() < 0.9 else [],
            }
            if card[0] == "A" and chance.random() < 0.8:
                play["as"] = value
            tops = [
                {"from": side, "card": pile[0]}
                for side, pile in self.piles.items()
                if pile and value in counts(pile[0])
            ]
            if tops and chance.random() < 0.3:
                play["piles"] = tops[: chance.choice([1, 1, 2])]
            for side, pile in self.piles.items():
                bare = pile[:2] if sum(map(pips, pile[:2])) == value and chance.random() < 0.7 else pile[:1]
                more = some_set(chance, [one for one in loose if one not in taken], value - sum(map(pips, bare)))
                taken_there = [one["from"] for one in play.get("piles", ())]
                if bare and side not in taken_there and (more or len(bare) == 2) and chance.random() < 0.3:
                    play["piles"] = [*play.get("piles", ()), *({"from": side, "card": one} for one in bare)]
                    taken += more
            self._use(loose, taken)
            return play if taken or names or chance.random() < 0.1 else None
        if kind in ("build", "table"):
            with_own = [card] if kind == "build" and card else []
            taken = chance.sample(loose, min(len(loose), chance.choice([1, 1, 2, 3]) + (kind == "table")))
            value = sum(map(pips, [*taken, *with_own]))
            wanted = [v for one in self.hand if one != card for v in counts(one)]
            fitting = [
                some
                for size in (1, 2, 3)
                for some in combinations(loose, size)
                if sum(map(pips, [*some, *with_own])) in wanted and len([*some, *with_own]) > 1
            ]
            if fitting and chance.random() < 0.8:
                taken = list(chance.choice(fitting))
                value = sum(map(pips, [*taken, *with_own]))
            if (value > 14 or len([*taken, *with_own]) < 2) and chance.random() < 0.95:
                return None
            self._use(loose, taken)
            play = {"play": "build", "value": value, "table": taken, "id": name}
            return play | {"card": card} if with_own else play
        if kind == "raise" and builds:
            build = builds[0] if self.raising else chance.choice(builds)
            to = build["value"] + pips(str(card))
            play = {"play": "raise", "build": build["id"], "card": card, "to": to}
            some = some_set(chance, loose, to) if chance.random() < 0.3 else []
            self._use(loose, some)
            return play | ({"absorb": [some]} if some else {})
        if kind in ("augment", "foreign", "pile", "request") and builds:
            foreign = [one for one in builds if one["owner"] not in (self.player, self.mate)]
            own_side = [one for one in builds if one not in foreign]
            others = kind == "foreign" or (kind in ("pile", "request") and chance.random() < 0.5)
            aimed = foreign if others else own_side
            build = chance.choice(aimed or builds)
            value = build["value"]
            sets: list[Json] = []
            lying = [(side, pile[0]) for side, pile in self.piles.items() if pile]
            if (kind == "pile" or chance.random() < 0.2) and lying:
                side, top = chance.choice([one for one in lying if one[0] not in (self.player, self.mate)] or lying)
                some = [] if value in counts(top) else some_set(chance, loose, value - pips(top))
                self._use(loose, some)
                sets.append({"table": some, "piles": [{"from": side, "card": top}]})
                two = self.piles[side][:2]
                if sum(map(pips, two)) == value and len(two) == 2:
                    sets[-1] = {"piles": [{"from": side, "card": one} for one in two]}
            if kind == "pile" and self.left and chance.random() < 0.3:
                side = chance.choice([one for one in self.seats if one not in (self.player, self.mate)])
                sets.append({"piles": [{"from": side, "card": chance.choice(self.left)}]})
            if own and (build not in foreign or chance.random() < 0.1):
                some = [] if value in counts(own) else some_set(chance, loose, value - pips(own))
                self._use(loose, some)
                sets.append({"card": own, "table": some})
            if not sets or chance.random() < 0.3:
                some = some_set(chance, loose, value)
                if not some and not sets and chance.random() < 0.95:
                    return None
                self._use(loose, some)
                sets.append({"table": some})
            play = {
                "play": "augment",
                "value": value,
                "base": {"build": build["id"]},
                "sets": [one for one in sets if one.get("table") or one.get("card") or one.get("piles")],
            }
            if kind == "request":
                play["asked_by"] = self.mate if self.mate and chance.random() < 0.9 else chance.choice(self.seats)
            return play
        if kind == "base" and loose:
            lone = chance.choice(loose)
            value = chance.choice(sorted(counts(lone))) if chance.random() < 0.9 else chance.randint(2, 13)
            loose.remove(lone)
            sets = []
            if own:
                some = [] if value in counts(own) else some_set(chance, loose, value - pips(own))
                self._use(loose, some)
                sets.append({"card": own, "table": some})
            else:
                some = some_set(chance, loose, value)
                self._use(loose, some)
                sets += [{"table": some}] if some else [{"card": card}] if card else []
            return {"play": "augment", "value": value, "base": {"table": lone}, "sets": sets, "id": name}
        return None

    @staticmethod
    def _use(loose: list[str], cards: list[str]) -> None:
        for card in cards:
            if card in loose:
                loose.remove(card)

    def _spoil(self, plays: list[Json]) -> None:
        """Make one thing wrong: a value, a card, a second card of the hand."""
        chance, play = self.chance, self.chance.choice(plays)
        what = chance.choice(["value", "card", "table", "second", "as", "order", "after", "pile"])
        lying = [{"from": side, "card": pile[0]} for side, pile in self.piles.items() if pile]
        if what == "value" and "value" in play:
            play["value"] += chance.choice([-1, 1])
        elif what == "card" and "card" in play and self.left:
            play["card"] = chance.choice([*self.table, *self.left])
        elif what == "table" and play.get("table"):
            play["table"] = play["table"][:-1]
        elif what == "order":
            plays.reverse()
        elif what == "pile" and lying:  # one more top than the sets need
            parts = [part for one in plays for part in (one, *one.get("sets", ())) if part.get("piles")] or [play]
            parts[0]["piles"] = [*parts[0].get("piles", ()), chance.choice(lying)]
        elif what == "after" and play["play"] == "trail":  # the card that was laid down is built upon
            value = chance.choice(sorted(counts(play["card"])))
            some = some_set(chance, [card for card in self.table if card not in str(plays)], value)
            base = {"play": "augment", "value": value, "base": {"table": play["card"]}, "id": "Z"}
            plays.append({**base, "sets": [{"table": some}]})
        elif what == "second":
            plays.append({"play": "trail", "card": self.hand[-1]})
        elif what == "as" and play.get("card"):
            play["as"] = chance.choice([1, 14, 10])


AIMED = (
    "court", "court beside a pile", "ace and court", "court in a set", "court in a build", "two piles", "two of a pile",
    "partner's build", "after a trail", "ace and ace", "owner's trail",
)  # fmt: skip
"""Rules that random turns seldom reach."""


def aimed(seed: str) -> Json:
    """A turn about one of these rules, legal or not by one card, with the hand or without."""
    chance = random.Random(f"aimed {seed}")
    what = chance.choice(AIMED)
    seats = ["P1", "P2", "P3", "P4"][: {"two piles": 3, "partner's build": 4}.get(what, 2)]
    options: Json = {"pile_cards": "augment_and_capture"} | ({"court_values": "none"} if "court" in what else {})
    value = 14 if what in ("ace and court", "ace and ace") else chance.randint(6, 10)
    less = chance.choice([number for number in range(2, value - 1) if number * 2 != value])
    suits = chance.sample("SHDC", 4)
    own, other = (f"{'A' if value == 14 else value}{suit}" for suit in suits[:2])
    mine, rest = f"{less}{suits[2]}", f"{value - less}{suits[3]}"
    court = [chance.choice("JQK") + suits[0]] if chance.random() < 0.7 else []
    build: Json = {"id": "B0", "value": value, "sets": [[f"A{suits[0]}", f"{value - 1}{suits[1]}"]], "owner": "P1"}
    position: Json = {"seats": seats, "player": "P1", "table": [mine, rest, *court], "builds": []}
    position["piles"] = {seat: [] for seat in seats[: 2 if len(seats) == 4 else None]}
    plays: list[Json] = [{"play": "capture", "card": own, "table": [mine, rest, *court], "builds": []}]
    hand, into = [own, other], {"play": "augment", "value": value, "base": {"build": "B0"}}
    if what == "court beside a pile":
        position |= {"table": [rest, *court], "piles": {"P1": [], "P2": [mine]}}
        plays[0] |= {"table": [rest, *court], "piles": [{"from": "P2", "card": mine}]}
    elif what == "ace and court":
        rank, low = chance.choice([("J", 3), ("Q", 2), ("K", 1)])
        pair = [rank + suits[2], f"{'A' if low == 1 else low}{suits[3]}"]
        position["table"], plays[0] = pair, plays[0] | {"table": pair, "as": 14}
    elif what == "ace and ace":
        position |= {"table": [other], "piles": {"P1": [], "P2": [f"A{suits[2]}"]}}
        top = [{"from": "P2", "card": f"A{suits[2]}"}]
        plays[0], hand = plays[0] | {"table": [], "as": chance.choice([1, 14, 14]), "piles": top}, [own]
        if chance.random() < 0.5:
            options |= {"trail_equal": False, "ace_hand": chance.choice(["14", "1or14"])}
            plays = [{"play": "trail", "card": own}]
    elif what == "owner's trail":
        options |= {"keep_capturer": False, "owner_may_trail": False}
        position |= {"table": [], "builds": [{**build, "owner": chance.choice(["P1", "P1", "P2"])}]}
        plays, hand = [{"play": "trail", "card": chance.choice([own, mine])}], [own, mine]
    elif what == "court in a set":
        position |= {"table": [rest, *court], "builds": [build]}
        plays, hand = [{**into, "sets": [{"card": mine, "table": [rest, *court]}]}], [mine, own]
    elif what == "court in a build":
        position |= {"table": [], "builds": [{**build, "sets": [[mine, rest, *court]]}]}
        plays[0] |= {"table": [], "builds": ["B0"]}
    elif what == "two piles":
        tops = [f"{value}{suits[2]}", chance.choice([other, mine, mine])]
        some = [rest] if tops[1] == mine and chance.random() < 0.6 else []
        if some and chance.random() < 0.6:  # each top with a card of its own from the table
            another = chance.choice([number for number in range(2, value - 1) if number not in (less, value - less)])
            tops[0], some = f"{another}{suits[2]}", [rest, f"{value - another}{suits[3]}"]
        position |= {"table": some or [rest], "piles": {"P1": [], "P2": tops[:1], "P3": tops[1:]}}
        taken = [{"from": side, "card": card} for side, card in zip(seats[1:], tops, strict=True)]
        plays[0], hand = plays[0] | {"table": some, "piles": chance.sample(taken, 2)}, [own]
    elif what == "two of a pile":
        position |= {"table": [], "builds": [build], "piles": {"P1": [], "P2": [mine, rest]}}
        two = [{"from": "P2", "card": card} for card in (mine, rest)]
        plays = [{**into, "sets": [{"piles": two}, {"card": own, "table": []}]}]
    elif what == "partner's build":
        options["raise_builds"] = chance.choice(["opponents", "opponents", "others", "anyone"])
        position |= {"table": [], "builds": [{**build, "owner": chance.choice(seats)}]}
        hand = [f"2{suits[2]}", {11: "J", 12: "Q"}.get(value + 2, str(value + 2)) + suits[3]]
        plays = [{"play": "raise", "build": "B0", "card": hand[0], "to": value + 2}]
    elif what == "after a trail":
        third = f"{value}{suits[2]}"
        position["table"] = [mine, rest, third]
        base = chance.choice([own, third])
        more = {
            "play": "augment",
            "value": value,
            "base": {"table": base},
            "sets": [{"table": [mine, rest]}],
            "id": "Y",
        }
        plays = [{"play": "trail", "card": own}, more]
    if chance.random() < 0.7:
        position["hand"] = hand
    preset = chance.choice(["swazi", "standard"]) if what == "after a trail" else "swazi"
    options |= {"table_only_build": True} if preset == "standard" else {}
    return {
        "rules": {"preset": preset, "options": options}, "position": position, "move": {"type": "turn", "plays": plays}
    }  # fmt: skip


def some_set(chance: random.Random, cards: list[str], value: int) -> list[str]:
    found = [some for size in (1, 2, 3) for some in combinations(cards, size) if fits(some, value)]
    return list(chance.choice(found)) if found else []


def fits(cards: tuple[str, ...], value: int) -> bool:
    return value in counts(cards[0]) if len(cards) == 1 else sum(map(pips, cards)) == value
