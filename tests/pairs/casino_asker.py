"""What is asked about the articles of Casino."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.pairs.asking import Asker, Json

VALUES = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 11)}

MAJORITIES = {"most-cards", "most-spades", "enough-spades"}
"""Articles of points that only two sides play for where an option says so."""


ACCEPTED = ("cards-below-parts", "spades-below-parts", "last-capture-total", "spade-jack-total", "spade-ace-total")
"""What counts may contradict where a sentence is about one of them only."""


class CasinoAsker(Asker):
    """A table of Casino for two, with 49 cards for five, P1 to move."""

    game = "casino"

    def __init__(self, rules: Json) -> None:
        super().__init__(rules)
        self.seats = [f"P{number}" for number in range(1, (5 if self.options["deck"] == 49 else 2) + 1)]

    def holds(self, claim: Json, groups: Mapping[str, str]) -> bool | None:
        """Return whether what a sentence says is so; None for an example with a card that is not in the pack."""
        try:
            return super().holds(claim, groups)
        except LookupError:
            if self.seats[2:]:
                return None
            raise

    def verdict(self, position: Json, move: Json) -> str:
        """Return a verdict. Raises LookupError for one of the twos that five leave out."""
        if self.seats[2:] and re.search(r"'2[HDC]'", f"{position} {move}"):
            raise LookupError
        return super().verdict(position, move)

    def cards(self, said: str | None) -> list[str]:
        """Return cards that are named by groups or as they are."""
        return [str(self.groups.get(name, name)) for name in (said or "").split()]

    def ask_turn(self, said: Json) -> bool | None:
        """Whether a turn of one play is in order: what it takes, builds, raises or adds to."""
        hand = self.cards(said["hand"])
        play: Json = {"play": said["play"]}
        if said.get("card", True):
            play["card"] = hand[0]
        table = self.cards(said.get("table"))
        if said["play"] in ("capture", "build"):
            play["table"] = self.cards(said.get("takes", said.get("table")))
        if "as" in said:
            play["as"] = self.value(said["as"])
        builds = []
        for place, each in enumerate(said.get("builds", ())):
            value, owner, *sets = each.split("|")
            owner = owner.strip()
            builds.append(
                {"id": f"B{place}", "value": self.value(value), "owner": owner, "sets": [self.cards(s) for s in sets]}
            )
        if said["play"] == "capture" and builds and said.get("with_builds", True):
            play["builds"] = [build["id"] for build in builds]
        if said["play"] == "build":
            play["value"] = self.value(said["value"])
        if said["play"] == "raise":
            play |= {"build": "B0", "to": self.value(said["to"])}
        if said["play"] == "augment":
            base = {"build": "B0"} if builds else {"table": self.cards(said["base"])[0]}
            added: Json = {"table": self.cards(said.get("adds", ""))}
            added |= {"card": play.pop("card")} if play.get("card") else {}
            if "pile" in said:
                added["piles"] = [{"from": "P2", "card": self.cards(said["pile"])[0]}]
            play |= {"value": self.value(said["value"]), "base": base, "sets": [added]}
        position: Json = {"seats": self.seats, "player": "P1", "table": table, "builds": builds, "hand": hand}
        if self.options["two_player_deal"] == "two_halves":
            position["half"] = 2
        if "pile" in said:
            position["piles"] = {"P2": self.cards(said["pile"])}
        plays = [play]
        if not said.get("card", True):
            taker, taken = self.cards(said["then"])
            plays.append({"play": "capture", "card": taker, "table": [taken]})
        verdict = self.verdict(position, {"type": "turn", "plays": plays})
        return verdict == said.get("want", "legal")

    def ask_sums(self, said: Json) -> bool:
        """Whether sets of cards come each to a value."""
        return all(
            sum(VALUES[card[:-1]] for card in self.cards(one)) == self.value(said["value"])
            for one in said["sets"].split("|")
        )

    def ask_demand(self, said: Json) -> bool | None:
        """Whether others may demand that a capture takes more, and what."""
        table, taken = self.cards(said["table"]), self.cards(said["takes"])
        position = {"seats": self.seats, "player": "P1", "table": table, "builds": []}
        if self.seats[2:] and {"2H", "2D", "2C"} & {*table}:
            return None
        from companion import library as companion

        try:
            answer = companion.demand(
                self.game,
                {"rules": self.rules, "position": position, "card": self.cards(said["card"])[0], "table": taken,
                 "builds": [], "by": "P2"},
            )  # fmt: skip
        except companion.InvalidInput:
            return False
        return answer["may_demand"] and set(answer["must_take"]["table"]) == set(self.cards(said["must"]))

    def ask_value(self, said: Json) -> bool | None:
        """Whether a card takes builds or loose cards of these values and no other near them."""
        rank = said["rank"] if said["rank"] not in self.groups else str(self.groups[said["rank"]])
        wanted = {self.value(one) for one in said["values"].split()}
        return all(self._takes(rank, value) == (value in wanted) for value in (*range(1, 17),))

    def _takes(self, rank: str, value: int) -> bool:
        """Whether a card captures as a value: a set of other cards that come to it."""
        sets = {
            1: ["AC"], 2: ["AC", "AH"], 3: ["2H", "AC"], 14: ["9H", "5C"], 15: ["9H", "6C"], 16: ["9H", "7C"]
        }.get(value, ["AC", "2H"] if value == 3 else [f"{value - 2}H", "2C"])  # fmt: skip
        if self.options["deck"] == 49 and "2" in "".join(card[0] for card in sets):  # one two is left
            sets = ["AC", "AH", "AD"] if value == 3 else [f"{value - 1}H", "AC"]
        if value in (11, 12, 13):
            sets = ["9H", f"{value - 9}C"]
        card = rank if rank[-1] in "SHDC" and len(rank) > 1 else f"{rank}S"
        position = {"seats": self.seats, "player": "P1", "table": sets, "builds": [], "hand": [card]}
        if value == 1 and not card.startswith("A"):
            return False
        play = {"play": "capture", "card": card, "as": value, "table": sets}
        return self.verdict(position, {"type": "turn", "plays": [play]}) == "legal"

    def ask_takes_all(self, said: str, want: str = "legal") -> bool:
        """Whether the first number takes one of its rank and a sum of others at once."""
        own, *others = (str(self.groups.get(name, name)) for name in said.split())
        table = [f"{rank}{suit}" for rank, suit in zip(others, "HCDH", strict=False)]
        position = {"seats": self.seats, "player": "P1", "table": table, "builds": [], "hand": [f"{own}S"]}
        play = {"play": "capture", "card": f"{own}S", "table": table}
        return self.verdict(position, {"type": "turn", "plays": [play]}) == want

    def ask_cannot_take(self, said: str) -> bool:
        """Whether an eight does not take these."""
        return self.ask_takes_all(f"8 {said}", "illegal") and "5" in str(self.groups["high"])

    def ask_scoring(self, said: str) -> bool:
        """Whether the cards, as far as they are named, are those that score by themselves."""
        return {self.groups[name] for name in said.split() if name in self.groups} == {"10D", "2S"}

    def ask_alone(self, said: Json) -> bool:
        """Whether a loose ace counts just these values as a set of its own: a played one takes it as each of them."""
        values = {self.value(one) for one in said["values"].split()}
        held = {"1": {1}, "14": {14}, "1or14": {1, 14}}[self.options["ace_hand"]]
        if 14 not in held:
            return values == ({1, 14} if self.options["ace_table"] == "1or14" else {1})
        position = {"seats": self.seats, "player": "P1", "table": ["AH"], "builds": [], "hand": ["AS"]}
        taken = {
            value
            for value in held
            if self.verdict(
                position,
                {"type": "turn", "plays": [{"play": "capture", "card": "AS", "as": value, "table": ["AH"]}]},
            )
            == "legal"
        }
        return taken == values & held and values <= {1, 14}

    def ask_most(self, said: Json) -> bool | None:
        """Whether a build of a value can be, and one higher cannot."""
        if self.options["building"] == "none":
            return None
        return self._builds(self.value(said["high"])) and not self._builds(self.value(said["high"]) + 1)

    def _builds(self, value: int) -> bool:
        cards = {14: ["5H", "9S"], 15: ["6H", "9S"], 16: ["7H", "9S"], 17: ["8H", "9S"]}.get(value)
        cards = cards or ([f"{value - 1}H", "AS"] if value <= 10 else [f"{value - 9}H", "9S"])
        holds = [f"{rank}{suit}" for rank in VALUES for suit in "CD" if self.options["deck"] > 40 or VALUES[rank] < 11]
        holds += ["2S"]
        holds = [card for card in holds if card not in cards and (card[0] != "2" or self.options["deck"] != 49)]
        for keep in (*holds,):
            position = {
                "seats": self.seats,
                "player": "P1",
                "table": cards[:1],
                "builds": [],
                "hand": [cards[1], keep],
            }
            play = {"play": "build", "card": cards[1], "value": value, "table": cards[:1]}
            if self.verdict(position, {"type": "turn", "plays": [play]}) == "legal":
                return True
        return False

    # Scores

    def scored(self, request: Json) -> Json | None:
        """Return what deals score; the ace and the jack of spades are the last side's unless it is said otherwise."""
        for deal in request["deals"]:
            *_, last = deal.values()
            for seat in self.seats[2:]:
                deal[seat] = {"cards": 0, "spades": 0, "aces": 0, "big_ten": False, "spy_two": False}
            if self.seats[2:]:  # the third one has what two halves leave over
                for name, whole in (("cards", 49), ("spades", 13)):
                    deal["P3"][name] = whole - sum(side[name] for side in deal.values())
                missing = max(0, deal["P3"]["spades"] - deal["P3"]["cards"])
                deal["P3"]["cards"] += missing
                last["cards"] -= missing
            for card in ("spade_ace", "spade_jack"):
                told = any(card in side for side in deal.values())
                for side in deal.values():
                    side.setdefault(card, side is last and not told)
        accept = [{"code": code, "reason": "asked"} for code in ACCEPTED]
        deals = [{**deal, "accept": accept} for deal in request["deals"]]
        return super().scored({**request, "deals": deals, "sides": [*request["sides"], *self.seats[2:]]})

    def _deal(self, **us: Any) -> list[Json] | None:
        """The lines of a side with these facts beside another that has the rest."""
        deck = self.options["deck"]
        half = deck // 2
        spades = deck // 4
        facts: Json = {"cards": half, "spades": 0, "aces": 0, "big_ten": False, "spy_two": False, **us}
        facts["aces"] = max(facts["aces"], int(us.get("spade_ace", False)))
        facts["spades"] = max(facts["spades"], sum(us.get(card, 0) for card in ("spade_ace", "spade_jack")))
        other = {
            "cards": deck - facts["cards"], "spades": spades - facts["spades"], "aces": 4 - facts["aces"],
            "big_ten": not facts["big_ten"], "spy_two": not facts["spy_two"],
            "last_capture": not facts.get("last_capture", False),
        }  # fmt: skip
        answer = self.scored({"sides": ["us", "them"], "deals": [{"us": facts, "them": other}]})
        return answer["deals"][0]["sides"]["us"]["lines"] if answer else None

    def ask_points(self, said: Json) -> bool | None:
        """Whether a side with these facts has so many points under an article."""
        if self._no_majorities() and MAJORITIES & {*said["only"].split()}:
            return None
        facts = {key: value for key, value in said.items() if key not in ("points", "only")}
        if self.options["shutout"] and not (facts.get("aces") or facts.get("big_ten") or facts.get("spy_two")):
            facts["aces"] = 1
        if "spy_two" in facts:
            facts["spades"] = 1
        if "cards" in facts:
            facts["cards"] = self.options["deck"] // 2 + self.value(facts["cards"])
        if "spades" in facts:
            facts["spades"] = self.value(facts["spades"])
        lines = self._deal(**facts)
        if lines is None:
            return False
        anchors = [f"casino.{name}" for name in said["only"].split()]
        points = sum(line["points"] for line in lines if line["article"] in anchors)
        return points == self.value(said["points"])

    def ask_over(self, said: str) -> bool | None:
        """Whether a game ends with a total of so many, and not with one less."""
        target = self.value(said)
        return self._ends(target) and not self._ends(target - 1)

    def _ends(self, total: int) -> bool:
        deck = self.options["deck"]
        us = {"cards": deck // 2 + 1, "spades": deck // 4 - 3, "aces": 3, "big_ten": True, "spy_two": False}
        them = {"cards": deck // 2 - 1, "spades": 3, "aces": 1, "big_ten": False, "spy_two": True}
        deal = {"us": us, "them": them | {"last_capture": True}}
        first = self.scored({"sides": ["us", "them"], "deals": [deal]})
        if first is None:
            return False
        points = first["deals"][0]["sides"]["us"]["points"]
        opening = {"us": {"total": total - points}, "them": {"total": -50}}
        answer = self.scored({"sides": ["us", "them"], "deals": [deal], "opening": opening})
        return answer is not None and bool(answer["outcome"]["over"])

    # Deals

    def _dealt(self, players: int) -> Json:
        seats = [f"P{number}" for number in range(1, players + 1)]
        return self.effect({"seats": self.seats if self.seats[2:] else seats}, {"type": "deal"})

    def ask_hand(self, said: Json) -> bool:
        """Whether players are dealt so many cards in all, so many at first, or in so many rounds."""
        found = {2: self._dealt(2), 3: self._dealt(3), 4: self._dealt(4)}
        kinds = {"all": sum, "first": lambda rounds: rounds[0], "rounds": len}
        return all(
            kinds[said["what"]](found[count]["rounds"]) == self.value(said[name])
            for count, name in ((2, "two"), (3, "three"), (4, "four"))
            if name in said and not isinstance(self.value(said[name]), str)
        )

    def ask_layout_dealt(self, said: str) -> bool:
        """Whether a deal begins with so many cards on the table."""
        return bool(self._dealt(2)["table"] == self.value(said))

    def ask_pack(self, said: str) -> bool:
        """Whether the pack has so many cards: hands and table of two, and what is left to draw from, come to it."""
        effect = self._dealt(2)
        dealt = len(self.seats) * sum(effect["rounds"]) + effect["table"]
        return bool(dealt + effect.get("stock", 0) == self.value(said))

    def ask_layout(self, said: str) -> bool:
        """Whether these are different cards of the pack, the last two a build of nine."""
        cards = [str(self.groups[name]) for name in said.split() if name in self.groups]
        position: Json = {"seats": self.seats, "player": "P1", "table": cards[:3], "hand": ["9C"], "builds": []}
        if len(cards) == 5:
            position["builds"] = [{"id": "B0", "value": self.groups.get("nine", 9), "owner": "P2", "sets": [cards[3:]]}]
        play = {
            "play": "capture",
            "card": "9C",
            "table": [cards[0]],
            "builds": [one["id"] for one in position["builds"]],
        }
        return self.verdict(position, {"type": "turn", "plays": [play]}) == "legal"

    def ask_loose_ace(self, said: str) -> bool:
        """Whether an ace on the table has this value alone."""
        return self.options["ace_table"] == "1" and self.value(said) == 1

    def ask_same_card(self, said: str) -> bool:
        names = said.split()
        return all(self.groups[name] == card for name, card in zip(names[::2], names[1::2], strict=True))

    def ask_named(self, said: str) -> bool:
        """Whether the card is the one that its article counts."""
        return self.groups[said] == {"big-ten": "10D", "spy-two": "2S"}[str(self.groups["article"])]

    def ask_shutout(self, said: Json) -> bool | None:
        """Whether a side without aces, big ten and spy two gives all points of a deal to the other."""
        deck = self.options["deck"]
        facts = {"cards": deck // 2 + 1, "spades": deck // 4 - 3, "aces": 0, "big_ten": False, "spy_two": False}
        other = {"cards": deck // 2 - 1, "spades": 3, "aces": 4, "big_ten": True, "spy_two": True, "last_capture": True}
        answer = self.scored({"sides": ["us", "them"], "deals": [{"us": facts, "them": other}]})
        if answer is None:
            return False
        sides = answer["deals"][0]["sides"]
        return [sides["them"]["points"], sides["us"]["points"]] == [self.value(said["all"]), self.value(said["none"])]

    def ask_total(self, said: str) -> bool | None:
        """Whether all points of a deal come to so many, where nobody ties and nothing is swept."""
        if self.options["shutout"] or self.options["last_capture_points"]:
            return None
        deck = self.options["deck"]
        us = {"cards": deck // 2 + 1, "spades": deck // 4 - 3, "aces": 3, "big_ten": True, "spy_two": False}
        them = {"cards": deck // 2 - 1, "spades": 3, "aces": 1, "big_ten": False, "spy_two": True}
        answer = self.scored({"sides": ["us", "them"], "deals": [{"us": us, "them": them | {"last_capture": True}}]})
        sums = sum(side["points"] for side in answer["deals"][0]["sides"].values()) if answer else None
        return bool(sums == self.value(said))

    def _no_majorities(self) -> bool:
        return bool(self.seats[2:]) and self.options["majorities"] == "two_sides_only"

    def ask_tie(self, said: Json) -> bool | None:
        """Whether a tied majority splits so many points, whichever of the two splits them."""
        if self._no_majorities():
            return None
        deck, whole, each = self.options["deck"], self.value(said["whole"]), self.value(said["each"])
        us = {"cards": deck // 2, "spades": 0, "aces": 2, "big_ten": True, "spy_two": False}
        them = {"cards": deck // 2, "spades": deck // 4, "aces": 2, "big_ten": False, "spy_two": True}
        answer = self.scored({"sides": ["us", "them"], "deals": [{"us": us, "them": them | {"last_capture": True}}]})
        lines = answer["deals"][0]["sides"]["us"]["lines"] if answer else []
        split = sum(line["points"] for line in lines if line["article"] in ("casino.most-cards", "casino.majority-tie"))
        of_cards = self.options["cards_tie"] == "split"
        return each * 2 == whole and (not of_cards or whole != self.options["cards_points"] or split == each)

    def ask_equal(self, said: str) -> bool:
        """Whether two cards are of one rank."""
        one, other = self.cards(said)
        return re.sub(r".$", "", one) == re.sub(r".$", "", other)
