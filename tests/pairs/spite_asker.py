"""What is asked about the articles of Spite and Malice."""

from __future__ import annotations

import itertools
import re
from typing import Any

from companion import library as companion
from tests.pairs.asking import CARD, Asker, Json

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class SpiteAsker(Asker):
    """A table of Spite and Malice, A to move with a full hand."""

    game = "spite-and-malice"

    def __init__(self, rules: Json) -> None:
        super().__init__(rules)
        self.players = list("ABCDEF"[: self.options["players"]])
        self.last = "Q" if self.options["top_rank"] == "Q" else "K"

    def cards(self, said: str) -> list[str]:
        """Return cards that are named by groups or as they are, without suits."""
        found = [str(self.groups.get(name, name)) for name in said.split()]
        return [one[:-1] if one[-1] in "SHDC" else one for one in found]

    def position(self, **told: Any) -> Json:
        """A position in which nothing is compulsory but what is told."""
        left = min(9, self.options["payoff_size"])
        calm: Json = {
            "players": self.players, "player": "A", "hand": ["9", "8", "7", "10", "J"],
            "payoff": "9", "payoff_left": left, "side_stacks": [], "centre_stacks": [],
            "stock": 40, "phase": "normal", "turns": [], "set_aside": 0, "complete": 0,
        }  # fmt: skip
        if self.options["partners"] == "opposite":
            calm["partner"] = {"payoff": "9", "payoff_left": left, "side_stacks": []}
        return calm | told

    def ask_play(self, said: Json) -> bool:
        """Whether a card may go to the centre: onto a top, or to an empty place."""
        played, source = self.cards(said["card"])[0], said.get("from", "hand")
        position = self.position(centre_stacks=self.cards(said["centre"]) if "centre" in said else [])
        move: Json = {"type": "play", "from": source, "card": played, "to": said.get("to", 0)}
        if source == "hand":
            position["hand"] = [played, *self.cards(said.get("hand", "9 J 10 J"))]
        if source == "side":
            position["side_stacks"] = [[*self.cards(said.get("under", "")), played]]
            move["stack"] = 0
        if "payoff" in said or source == "payoff":
            position["payoff"] = self.cards(said["payoff"])[0] if "payoff" in said else played
        return self.verdict(position, move) == said.get("want", "legal")

    def ask_discard(self, said: Json) -> bool:
        """Whether a card may be discarded onto a stack; `new` is an empty place."""
        discarded = self.cards(said["card"])[0]
        stack = self._wild(self.cards(said.get("onto", "")))
        position = self.position(side_stacks=[stack] if stack else [], hand=[discarded, "9", "10", "J", "J"])
        move = {"type": "discard", "card": discarded, "to": 0 if stack else "new"}
        return self.verdict(position, move) == said.get("want", "legal")

    def _wild(self, stack: list[str]) -> list[str]:
        """Return a stack with kings for jokers where the article says that its jokers stand for the wild kings."""
        return stack if self.options["jokers"] else ["K" if one == "X" else one for one in stack]

    def ask_accepts(self, said: Json) -> bool:
        """Whether just these ranks may be discarded onto a stack, wild cards aside."""
        text = str(self.groups.get(said["stack"], said["stack"]))
        stack = [*re.findall(rf"{CARD}|joker|ジョーカー(?!2枚)|[2-9AKQJ]+[SHDC]|X", text)]
        named = [re.sub(r"[♠♥♦♣SHDC]$", "", one) if one not in ("joker", "ジョーカー", "X") else "X" for one in stack]
        named += ["X", "X"] if "ジョーカー2枚" in text else []
        named = self._wild(named)
        wanted = set(str(self.groups.get(said["ranks"], "")).replace("、", " ").split())
        if "names" in said:
            wanted = {str(self.groups[name]) for name in said["names"].split()}
        legal = set()
        for rank in RANKS:
            position = self.position(side_stacks=[named], hand=[rank, "9", "10", "J", "J"])
            if self.verdict(position, {"type": "discard", "card": rank, "to": 0}) == "legal":
                legal.add(rank)
        wild = {"K"} if "K" in self.options["wild"] else set()
        return legal - wild == wanted - wild

    def ask_ranks(self, said: str) -> bool:
        """Whether the ranks follow each other in this order, the first opening a stack and the last ending it."""
        order = re.split(r"[ 、]", str(self.groups[said]))
        follows = [
            self.verdict(
                self.position(centre_stacks=[low], hand=[high, "9", "9", "8", "8"]),
                {"type": "play", "from": "hand", "card": high, "to": 0},
            ) == "legal"
            for low, high in itertools.pairwise(order)
        ]  # fmt: skip
        return all(follows) and order[0] == "A" and order[-1] == self.last and len(order) > 11

    def ask_first(self, said: Json) -> bool | None:
        """Whether the owner of the second of two tops begins."""
        tops = dict(zip("AB", (self.groups[name] for name in said["tops"].split()), strict=True))
        if len(self.players) > 2:
            return None
        position = {"players": self.players, "player": "A", "payoff_tops": tops}
        return self.verdict(position, {"type": "start", "first": "B"}) == "legal"

    # Deals

    def _deal(self, **counts: Any) -> str:
        return self.verdict({"players": self.players, "player": "A"}, {"type": "deal", **counts})

    def ask_deal(self, said: Json) -> bool:
        """Whether a deal has so many cards in its piles, and not one more."""
        held = []
        for name, expression in said.items():
            value = self.value(expression)
            if isinstance(value, str):
                continue
            for count, wanted in ((value, "legal"), (value + 1, "illegal")):
                told = count if name == "stock" else dict.fromkeys(self.players, count)
                held.append(self._deal(**{name: told}) == wanted)
        return bool(held) and all(held)

    def ask_players(self, said: str) -> bool:
        return bool(self.value(said) == len(self.players))

    def ask_pack(self, said: str) -> bool:
        """Whether all places together come to so many cards: piles, hands, side stacks and stock."""
        stock = self.value(said) - len(self.players) * (
            self.options["payoff_size"]
            + (5 if self.options["initial_hand"] == "dealt" else 0)
            + self.options["side_start"]
        )
        return self._deal(stock=stock) == "legal" and self._deal(stock=stock + 1) == "illegal"

    # Scores

    def _sides(self) -> list[Json]:
        half = len(self.players) // 2
        pairs = (
            [self.players[n::half] for n in range(half)]
            if self.options["partners"] == "opposite"
            else [[one] for one in self.players]
        )
        return [{"id": "+".join(pair), "players": pair} for pair in pairs]

    def ask_score(self, said: Json) -> bool:
        """Whether the winner scores so many points for the cards left."""
        sides = self._sides()
        losers = [one for side in sides[1:] for one in side["players"]]
        left = [self.value(one) for one in said["left"].split()]
        remaining = dict(zip(losers, [*left, *[0] * len(losers)], strict=False))
        if len(losers) > len(left):
            remaining |= dict.fromkeys(losers[len(left) :], 1)
        extra = len(losers) - len(left)
        answer = self.scored({"sides": sides, "deals": [{"winner": sides[0]["id"], "remaining": remaining}]})
        if answer is None:
            return False
        lines = answer["deals"][0]["sides"][sides[0]["id"]]["lines"]
        only = [f"spite-and-malice.{name}" for name in said.get("only", "").split()]
        points = sum(line["points"] for line in lines if not only or line["article"] in only)
        counted = not only or any("cards" in name or "score" in name for name in only)
        return points - (extra * self.options["score_per_card"] if counted else 0) == self.value(said["points"])

    def ask_draw(self, said: Json) -> bool | None:
        """Whether a deal that nobody can finish scores the difference."""
        if len(self.players) > 2:
            return None
        remaining = {"A": self.value(said["a"]), "B": self.value(said["b"])}
        answer = self.scored({"sides": self._sides(), "deals": [{"winner": None, "remaining": remaining}]})
        return answer is not None and answer["deals"][0]["sides"]["A"]["points"] == self.value(said["points"])

    def ask_between(self, said: Json) -> bool:
        low, high = self.value(said["low"]), self.value(said["high"])
        most = str(self.options["payoff_size"])
        return self.ask_score({"left": "1", "points": low}) and self.ask_score({"left": most, "points": high})

    def ask_over(self, said: Json) -> bool | None:
        """Whether a match ends at a total, or after so many deals."""
        sides = self._sides()
        losers = {one: 1 for side in sides[1:] for one in side["players"]}
        deal = {"winner": sides[0]["id"], "remaining": losers}
        if "deals" in said:
            count = self.value(said["deals"])
            ends = [self.scored({"sides": sides, "deals": [deal] * n}) for n in (count, count - 1)]
            return [bool(one and one["outcome"]["over"]) for one in ends] == [True, False]
        answer = self.scored({"sides": sides, "deals": [deal]})
        if answer is None:
            return False
        points = answer["deals"][0]["sides"][sides[0]["id"]]["points"]
        target, over = self.value(said["target"]), []
        for total in (target, target - 1):
            opening = {side["id"]: {"total": total - points if side is sides[0] else 0} for side in sides}
            found = self.scored({"sides": sides, "deals": [deal], "opening": opening})
            over.append(bool(found and found["outcome"]["over"]))
        return over == [True, False]

    # Turns

    def ask_draws(self, said: Json) -> bool:
        """Whether somebody with so many cards in hand draws so many."""
        held, count = self.value(said["hand"]), self.value(said["count"])
        hand = ["9", "8", "7", "J", "10", "9"][:held]
        position = self.position(hand=hand, refilled=bool(said.get("refilled", False)))
        draws = [self.verdict(position, {"type": "refill", "count": n}) for n in (count, count + 1)]
        return draws == ["legal", "illegal"] if count else draws[1] == "illegal"

    def ask_recycles(self, said: str) -> bool | None:
        """Whether the stock is made up with so many cards and not with one more."""
        count = self.value(said)
        if (self.options["centre_done"], self.options["recycle_source"]) == ("shuffle_now", "complete_only"):
            return None
        verdicts = []
        for stock in (count, count + 1):
            position = self.position(
                centre_stacks=[self.last, "3"], stock=stock, complete=1, incomplete=1, refilled=True
            )
            if self.options["centre_done"] == "set_aside":
                position |= {"centre_stacks": ["3"], "set_aside": 1, "complete": 0}
            if self.options["centre_done"] == "shuffle_now":
                position |= {"centre_stacks": ["3"], "complete": 0}
            what = "incomplete" if self.options["centre_done"] == "shuffle_now" else "complete"
            move = {"type": "recycle", "what": what, "by": "opponent"}
            verdicts.append(self.verdict(position, move))
        return verdicts == ["legal", "illegal"]

    def ask_places(self, said: str) -> bool:
        """Whether so many centre stacks can lie side by side, and no more."""
        count = self.value(said)
        verdicts = []
        for there in (count - 1, count):
            position = self.position(centre_stacks=["3"] * there, hand=["A", "9", "8", "7", "10"])
            verdicts.append(self.verdict(position, {"type": "play", "from": "hand", "card": "A", "to": "new"}))
        return verdicts == ["legal", "illegal"]

    def ask_full(self, said: str) -> bool:
        """Whether a hand of so many draws nothing, and one with a card less does, when hands are made up."""
        count = self.value(said)
        hand = ["9", "8", "7", "J", "10", "9", "8"]
        when = {"refilled": False, "discarded": self.options["refill_at"] == "end"}
        verdicts = [
            self.verdict(self.position(hand=hand[:held], **when), {"type": "refill", "count": 1})
            for held in (count, count - 1)
        ]
        return verdicts == ["illegal", "legal"]

    def ask_side_places(self, said: str) -> bool:
        """Whether so many side stacks can lie there and no more."""
        count, verdicts = self.value(said), []
        for there in (count - 1, count):
            position = self.position(side_stacks=[["9"]] * there, hand=["10", "9", "8", "7", "J"])
            verdicts.append(self.verdict(position, {"type": "discard", "card": "10", "to": "new"}))
        return verdicts == ["legal", "illegal"]

    def ask_loser(self, said: str) -> bool:
        sides = self._sides()
        remaining = {one: 4 for side in sides[1:] for one in side["players"]}
        answer = self.scored({"sides": sides, "deals": [{"winner": sides[0]["id"], "remaining": remaining}]})
        return answer is not None and answer["deals"][0]["sides"][sides[1]["id"]]["points"] == self.value(said)

    def ask_equal(self, said: str) -> bool:
        """Whether names stand for the same cards, two by two."""
        names = said.split()
        return all(self.groups[a] == self.groups[b] for a, b in zip(names[::2], names[1::2], strict=True))

    def ask_next(self, said: str) -> bool:
        """Whether a number is the rank after a card's."""
        name, word, number = said.split()
        rank = RANKS[RANKS.index(self.cards(name)[0]) + 1]
        named = {"four": "4", "eight": "8"}[word]
        return rank == named and str(self.groups.get(number, named)) == named

    def ask_rest(self, said: str) -> bool:
        """Whether so many cards are left where the pay-off piles have a pack of their own."""
        self.groups = {**self.groups, "sum": self.value(said) + 52}
        return self.ask_pack("sum")

    def ask_there(self, said: str) -> bool:
        return self.groups[said] == "6C"

    def ask_packs(self, said: str) -> bool:
        """Whether so many packs with so many jokers make the cards of the table."""
        packs, plain, jokers = (self.groups.get(name, 0) for name in said.split())
        self.groups = {**self.groups, "n": packs * plain + jokers}
        return self.ask_pack("n")

    def ask_packs_split(self, said: str) -> bool:
        one, other = (self.groups[name] for name in said.split())
        self.groups = {**self.groups, "sum": one + other}
        return one == 52 and self.ask_pack("sum")

    def ask_common(self, said: str) -> bool:
        """Whether the stock before hands are dealt has so many cards."""
        dealt = len(self.players) * ((5 if self.options["initial_hand"] == "dealt" else 0) + self.options["side_start"])
        return self._deal(stock=self.value(said) - dealt) == "legal"

    def ask_option_of(self, said: str) -> bool:
        """Whether a preset has the value of an option: `preset option expression`."""
        preset, name, expression = said.split()
        options = companion.rules(self.game, {"preset": preset})["options"]
        cards = 52 * options["packs"] + options["jokers"]
        return bool({**options, "cards": cards}[name] == self.value(expression))
