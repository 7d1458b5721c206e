"""What is asked about the articles of Spades."""

from __future__ import annotations

import itertools
import re
from typing import Any

from tests.pairs.asking import Asker, Json, card
from tests.pairs.walks import RANKS
from tests.spades.oracle import tricks_of

ACCEPTED = (
    "below-minimum", "total-forbidden", "not-far-enough-behind", "blind-too-low", "total-too-low", "mirror-total",
    "suicide",
)  # fmt: skip
JOKERS = {"big joker": "BJ", "little joker": "LJ", "ビッグジョーカー": "BJ", "リトルジョーカー": "LJ"}
_TWO_OF_CLUBS_OUT = ("solo3", "remove_2c")
SEATS = {"solo3": "ABC", "duo_draw": "AB", "duo_dummy": "A dummy B"}


class SpadesAsker(Asker):
    """A table of Spades with the dealer in the last seat."""

    game = "spades"

    def __init__(self, rules: Json) -> None:
        """What is asked does not depend on who bids first, so that it is always the player at the dealer's left."""
        super().__init__({**rules, "options": {**rules.get("options", {}), "first_bidder": "left"}})
        mode = self.options["mode"]
        self.partners = mode in ("partners4", "partners6")
        self.hand = tricks_of(self.options)
        self.seats = [*{"solo3": "ABC", "duo_draw": "AB", "partners6": "ABCDEF"}.get(mode, "ABCD")]
        if mode == "duo_dummy":
            left = self.options["dummy_side"] == "left"
            self.seats = ["dummy", "A", "B"] if left else ["A", "dummy", "B"]
        self.dealer = self.seats[-1]
        self.bidders = [seat for seat in self.seats if seat != "dummy"]
        half = len(self.seats) // 2
        pairs = [f"{self.seats[n]}+{self.seats[n + half]}" for n in range(half)]
        self.sides = pairs if self.partners else [seat for seat in self.seats if seat != "dummy"]
        self.consulting = self.partners and self.options["bid_method"] == "consultation"
        free = self.options["bidding_rule"] == "free"
        self.moves_at_13 = free and self.options["moon"] and self.options["thirteen_is_moon"]

    # Scores

    def ask_score(self, said: Json) -> bool | None:
        taken, facts = self._facts(said)
        if facts is None or not 0 <= taken <= self.hand:
            return None if facts is None else False
        if facts.get("bid") == self.hand and self.moves_at_13 and "moon" not in facts.get("call", ""):
            return None
        scored = self._scored(facts, self.value(said.get("before", 0)), self.value(said.get("bags", 0)))
        if scored is None:
            return False
        if "total" in said:
            return bool(scored["total"] == self.value(said["total"]))
        return _points(scored, said.get("only")) == self.value(said["points"])

    def _facts(self, said: Json) -> tuple[int, Json | None]:
        """The tricks and the facts of a side; None where no side of this table can have them."""
        least = max(1, self.options["minimum_bid"])
        nils = self._nils(said)
        own = sum(tricks for _, tricks in nils)
        call = said.get("call", "normal")
        bid = self.value(said.get("bid", least if nils and self.partners and len(nils) == 1 else None))
        if "moon" in call:
            taken = self.hand if said.get("all") else self.hand - 1
            return taken, {"tricks": taken, "call": call, "bid": None}
        taken = self.hand if said.get("all") else self.value(said.get("tricks", min(self.hand, own + (bid or 0))))
        facts: Json = {"tricks": taken, "bid": bid}
        if nils:
            facts["nils"] = [{"call": word, "tricks": tricks} for word, tricks in nils]
            if bid is not None and not self.partners:
                return taken, None
            if len(nils) > 1 and not self.partners:
                return taken, None
        if call != "normal":
            facts["call"] = call
        if "last" in said:
            facts["last_tricks"] = self._cards(said["last"])
        return taken, facts

    def _nils(self, said: Json) -> list[tuple[str, int]]:
        if "nil_tricks" in said:
            return [("nil", self.value(said["nil_tricks"]))]
        words = said.get("nils", "").split()
        return [(word, int(count)) for word, count in zip(words[::2], words[1::2], strict=True)]

    def _cards(self, said: str) -> list[str]:
        ranked = re.fullmatch(r"(.+) ([SHDC])", said)
        if ranked and ranked[1] not in self.groups:
            return [f"{self.value(ranked[1])}{ranked[2]}"]
        if ranked:
            return [f"{self.groups[ranked[1]]}{ranked[2]}"]
        return [str(self.groups.get(name, name)) for name in said.split()]

    def _scored(self, us: Json, before: int = 0, bags: int = 0) -> Json | None:
        """The score of the first side, the others taking what is left."""
        deal: Json = {"us": us}
        names = ["us", *"abc"[: len(self.sides) - 1]]
        for name in names[1:]:
            rest = self.hand - us["tricks"] if name == names[1] else 0
            deal[name] = {"bid": 2 if (us.get("bid") or 0) + 1 == self.hand else 1, "tricks": rest}
            if self.options["last_trick_bonus"] or self.options["last_sequence_bonus"]:
                deal[name]["last_tricks"] = []
        if "last_tricks" in us:
            for name in names[1:]:
                deal[name].pop("last_tricks", None)
        if self.options["mode"] == "duo_dummy":
            deal["dummy_tricks"] = 0
        deal["accept"] = [{"code": code, "reason": "a claim"} for code in ACCEPTED]
        deals = [deal]
        if self.options["first_hand_bids_itself"] and not (before or bags):
            first = {name: {"tricks": {"us": 4, names[1]: self.hand - 4}.get(name, 0)} for name in names}
            deals.insert(0, first | ({"dummy_tricks": 0} if "dummy_tricks" in deal else {}))
        request: Json = {"sides": names, "deals": deals}
        if before or bags:
            request["opening"] = {name: {"total": 0} for name in names}
            request["opening"]["us"] = {"total": before} | ({"bags": bags} if bags else {})
        answer = self.scored(request)
        return answer and answer["deals"][-1]["sides"]["us"]

    def ask_first_hand(self, said: Json) -> bool | None:
        tricks = self.value(said["tricks"])
        names = ["us", *"abc"[: len(self.sides) - 1]]
        deal: Json = {name: {"tricks": 0} for name in names}
        deal |= {"us": {"tricks": tricks}, names[1]: {"tricks": self.hand - tricks}}
        if self.options["mode"] == "duo_dummy":
            deal["dummy_tricks"] = 0
        answer = self.scored({"sides": names, "deals": [deal]})
        return answer is not None and answer["deals"][0]["sides"]["us"]["points"] == self.value(said["points"])

    def ask_small(self, said: Json) -> bool | None:
        """Whether exactly these bids have points of their own."""
        bids = {self.value(name) for name in said["exactly"].split()}
        if self.options["minimum_bid"]:
            return None
        return all(
            _special(self._scored({"tricks": bid, "bid": bid})) == (bid in bids or bid < 3) for bid in {*bids, 3}
        )

    def ask_bag(self, said: Json) -> bool | None:
        """Whether the bag that makes a number brings a penalty, and how many are left then."""
        count = self.value(said.get("count", self.options["bag_threshold"]))
        over = self.options["bag_trigger"] == "exceed"
        if "left" in said and "count" not in said:
            count += over
        if count < 2:
            return None
        facts = {"tricks": 2, "bid": 1}
        scored, less = self._scored(facts, 100, count - 1), self._scored(facts, 100, count - 2)
        if scored is None or (less is None and count > 2):
            return False
        cost = -_points(scored, "bag-penalty several-penalties bag-numbers")
        if "cost" in said and cost != self.value(said["cost"]):
            return False
        if "left" in said and self.value(said["left"]) != scored["bags"] - (
            over and self.options["bag_reset"] == "carry"
        ):
            return False
        return cost > 0 and (less is None or not _points(less, "bag-penalty several-penalties bag-numbers"))

    def ask_over(self, said: str) -> bool | None:
        """Whether the game ends with a total of this and not a point before."""
        limit = self.value(said)
        if limit < 0 and self.options["set_penalty"] == "none":
            return None  # no deal brings a total down
        near = limit - 1 if limit > 0 else limit + 1
        return self._ends(limit) and not self._ends(near)

    def _ends(self, total: int) -> bool:
        """Whether a game is over where a side comes to a total with an ordinary deal."""
        names = ["us", *"abc"[: len(self.sides) - 1]]
        empty: Json = {name: {"bid": 1, "tricks": 1} for name in names} | {
            "us": {"bid": 2, "tricks": 2 if total > 0 else 1}
        }
        rest = self.hand - empty["us"]["tricks"] - len(names) + 2
        empty[names[1]] = {"bid": min(9, rest), "tricks": rest}  # neither many bags nor a bonus for ten
        if self.options["mode"] == "duo_dummy":
            empty["dummy_tricks"] = 0
        empty["accept"] = [{"code": code, "reason": "a claim"} for code in ACCEPTED]
        far = 60 if self.options["target"] else 360  # nobody ties or is lost, whatever bags cost
        opening = {name: {"total": far - 30 * place} for place, name in enumerate(names)}
        first = self.scored({"sides": names, "deals": [empty], "opening": opening})
        if first is None:
            return False
        opening["us"] = {"total": total - first["deals"][0]["sides"]["us"]["points"]}
        answer = self.scored({"sides": names, "deals": [empty], "opening": opening})
        return answer is not None and bool(answer["outcome"]["over"])

    # Bids

    def _call(self, say: Any, calls: str = "", totals: Json | None = None, seat: str | None = None) -> str:
        spoken = [(each if each in ("nil", "pass") else self.value(each)) for each in calls.split()]
        if spoken and not self.partners:
            return "refused"
        if len(self.seats) == 6 and len(spoken) == 2:
            spoken.append("x")  # between two partners there is one seat more
        totals = dict.fromkeys(self.sides, 0) | (totals or {})
        position: Json = {"seats": self.seats, "dealer": self.dealer, "totals": totals, "calls": []}
        for place, word in enumerate(spoken):
            made = max(1, self.options["minimum_bid"]) if word == "x" else word
            position["calls"].append({"seat": self.bidders[place], "call": made, "looked": True})
        if self.consulting and isinstance(say, int | str) and not str(say).endswith("nil"):
            move: Json = {"type": "call", "side": self.sides[0], "call": say, "looked": False}
        else:
            move = {"type": "call", "seat": seat or self.bidders[len(spoken)], "call": say, "looked": False}
        return self.verdict(position, move)

    def ask_call(self, said: Json) -> bool | None:
        if self.consulting or self.options["bidding_rule"] != "free":
            return None
        say = said["say"] if said["say"] == "nil" else self.value(said["say"])
        return self._call(say, said.get("calls", "") if self.partners else "") == said["want"]

    def ask_bids(self, said: Json) -> bool | None:
        """Whether the first bidder may bid from a number to another."""
        if self.options["bidding_rule"] in ("mirror", "whiz"):
            return None  # it is the number of spades
        low, high = self.value(said.get("low")), self.value(said.get("high"))
        held = [self._call(low) == "legal", low == 0 or self._call(low - 1) != "legal"] if low is not None else []
        held += [self._call(high) == "legal", self._call(high + 1) != "legal"] if high is not None else []
        held += [self._call(self.value(said["also"])) == "legal"] if "also" in said else []
        held += [self._call(self.value(said["never"])) == "illegal"] if "never" in said else []
        return all(held)

    def ask_blind(self, said: Json) -> bool:
        behind = {self.sides[0]: -1000}
        low = self.value(said.get("low"))
        held = [self._call(f"blind_{self.value(said['also'])}", totals=behind) == "legal"] if "also" in said else []
        high = self.value(said.get("high"))
        if high is not None:
            held += [self._call(f"blind_{high + 1}", totals=behind) != "legal"]
        if low is not None:
            held += [self._call(f"blind_{low}", totals=behind) == "legal"]
            held += [self._call(f"blind_{low - 1}", totals=behind) != "legal"]
        return all(held)

    def ask_behind(self, said: str) -> bool | None:
        """Whether the call of the article needs a deficit of just so many points."""
        word = {
            "double-nil-behind": "double_nil", "double-nil-deficit": "double_nil", "blind-moon-behind": "blind_moon",
            "double-blind-nil-behind": "double_blind_nil", "blind-behind": f"blind_{self.options['blind_bid_min']}",
        }.get(str(self.groups["article"]), "double_nil")  # fmt: skip
        deficit = self.value(said)
        whole = word == f"blind_{self.hand}" and self.options["thirteen_is_moon"]
        if deficit == 0 or self.options["minimum_bid"] == 13 or whole:
            return None
        exact = self._call(word, totals={self.sides[0]: -deficit})
        return exact == "legal" and self._call(word, totals={self.sides[0]: 1 - deficit}) == "illegal"

    def ask_minimum(self, said: str) -> bool | None:
        low = self.value(said)
        if self.partners and not self.consulting:
            ways = "later_partner"
            same = self.options["bid_method"] == ways
            first = "1 1" if self.options["minimum_bid"] > 1 else "0 0"
            if not same or self.options["second_round"]:
                return None
            return self._call(low, first) == "legal" and self._call(low - 1, first) == "illegal"
        return self._call(low) == "legal" and self._call(low - 1) == "illegal"

    def ask_contracts(self, said: Json) -> bool | None:
        """Whether calls make these contracts: each is legal, and each pair has the later one's."""
        if len(self.seats) != 4:
            return None  # the book names the calls of four
        calls = [self.value(name) for name in said["calls"].split()]
        legal = [self._call(call, " ".join(map(str, calls[:place]))) == "legal" for place, call in enumerate(calls)]
        return all(legal) and (calls[2], calls[3]) == (self.value(said["ac"]), self.value(said["bd"]))

    # Cards

    def _trick(self, cards: list[str]) -> str | None:
        """The card that takes a trick of these."""
        others = [c for c in ("4D", "5D", "4H", "5H", "4C", "5C") if c not in cards and c[-1] != cards[0][-1]]
        cards = [*cards, *others[: max(0, len(self.seats) - len(cards))]][: max(len(cards), len(self.seats))]
        if len(cards) > len(self.seats):
            return None
        position = {
            "seats": self.seats, "dealer": self.dealer, "phase": "play", "trick_number": 2, "leader": self.seats[0],
            "trick": [{"seat": seat, "card": c} for seat, c in zip(self.seats, cards[:-1], strict=False)],
            "spades_broken": True, "hand": [cards[-1]],
        }  # fmt: skip
        move = {"type": "play", "seat": self.seats[len(cards) - 1], "card": cards[-1]}
        winner = self.effect(position, move).get("winner")
        return cards[self.seats.index(winner)] if winner else None

    def ask_winner(self, said: Json) -> bool | None:
        cards = [self.groups[name] for name in said["cards"].split()]
        if len(self.seats) < len(cards):
            wins = self.groups[said["wins"]]
            pairs = [[cards[0], wins], [wins, cards[-1]], [cards[1], wins]]
            winners = [self._trick(pair) for pair in pairs if len(set(pair)) > 1]
            return all(one == wins for one in winners)
        return self._trick(cards) == self.groups[said["wins"]]

    def ask_must_play(self, said: Json) -> bool:
        hand, must = [self.groups[name] for name in said["hand"].split()], self.groups[said["must"]]
        position = {
            "seats": self.seats, "dealer": self.dealer, "phase": "play", "trick_number": 3, "leader": self.seats[-1],
            "trick": [{"seat": self.seats[-1], "card": self.groups[said["led"]]}], "hand": hand,
            "calls": [] if not self.options["double_blind_nil"] else [{"seat": s, "call": 3} for s in self.bidders],
        }  # fmt: skip
        seat = self.seats[0]
        if seat == "dummy" or self.consulting:
            return None
        plays = {c: self.verdict(position, {"type": "play", "seat": seat, "card": c}) for c in hand}
        return must in hand and all((plays[c] == "legal") == (c == must) for c in hand)

    def ask_ranks(self, said: Any) -> bool:
        ranks = self.groups.get("ranks")
        order = str(ranks).split() if ranks else ["A", *(self.groups[n] for n in ("next", "then", "after"))]
        if not ranks:
            order += [str(n) for n in range(self.groups["high"], self.groups["low"] - 1, -1)]
            if len(order) != len(RANKS):
                return False
        other = (*self._gone(), *self.options["promoted_twos"])
        suit = next((suit for suit in "HDC" if f"2{suit}" not in other), "C")
        cards = [f"{rank}{suit}" for rank in order if f"{rank}{suit}" not in other]
        return len(order) == 13 and all(self._trick([low, high]) == high for high, low in itertools.pairwise(cards))

    def _gone(self) -> list[str]:
        gone = self.options["removed_twos"] if self.options["deck"] == "jokers_minus_twos" else []
        out = (self.options["mode"], self.options["solo3_deck"]) == _TWO_OF_CLUBS_OUT
        return [*gone, *(["2C"] if out and "added" not in self.options["deck"] else [])]

    def ask_trumps(self, said: str) -> bool:
        """Whether trumps rank in this order, down to the lowest."""
        parts = re.split(r", |、", str(self.groups[said]).replace("which is the highest, then the ", ""))
        named = [
            re.sub(r"^(the )?(.*?)(, then.*)?$", r"\2", part).removeprefix("一番強い").removeprefix("次が")
            for part in parts
        ]
        cards = [JOKERS.get(one) or (card(one) if one[-1] in "♠♥♦♣" else None) for one in named]
        cards = [one for one in cards if one]
        cards += [self.groups["last"]] if "last" in self.groups else []
        return len(cards) > 2 and all(self._trick([low, high]) == high for high, low in itertools.pairwise(cards))

    def ask_promoted(self, said: str) -> bool:
        named = [card(one) for one in re.split(r", |、| and ", str(self.groups[said])) if one]
        pairs = zip([*named, "AS"], [*named[1:], "AS"], strict=False)
        return named == self.options["promoted_twos"] and all(a == b or self._trick([b, a]) == a for a, b in pairs)

    def ask_beats(self, said: str) -> bool:
        high, low = (self.groups[name] for name in said.split())
        return self._trick([low, high]) == high

    def ask_outranks(self, said: str) -> bool:
        """Whether a rank beats another in a plain suit."""
        high, low = (f"{self.groups[name]}H" for name in said.split())
        return self._trick([low, high]) == high != low

    def ask_lowest(self, said: str) -> bool:
        """Whether the number, whichever of these the sentence has, is the lowest that may be bid."""
        return all(self.ask_bids({"low": name}) for name in said.split() if name in self.groups)

    def ask_too_early(self, said: str) -> bool | None:
        """Whether the card may not be led to the first trick by whoever holds others."""
        seat = next(one for one in self.seats if one != "dummy")
        hand = [self.groups[said], "6H", "5H", "4D", "9D", "3C", "9C"]
        position = {"seats": self.seats, "dealer": self.dealer, "phase": "play", "trick_number": 1, "leader": seat}
        position |= {"trick": [], "spades_broken": False, "hand": hand[: self.hand]}
        if self.seats[0] != seat and self.options["dummy_leads"]:
            position |= {"trick_number": 2}
        moves = [{"type": "play", "seat": seat, "card": one} for one in hand[:2]]
        return [self.verdict(position | {"trick_number": 2}, move) for move in moves] == ["illegal", "legal"]

    def ask_preset(self, said: str) -> bool:
        """Whether a preset has the order of trumps."""
        other = SpadesAsker({"preset": said})
        order = [self.groups["two"], self.groups["deuce"], self.groups["ace"]]
        return all(other._trick([low, high]) == high for high, low in zip(["LJ", *order], order, strict=False))

    def ask_plain(self, said: str) -> bool:
        """Whether the ordinary pack has so many cards: each seat a hand, and what is left over or drawn."""
        return bool(self.value(said) == 52)

    def ask_pack(self, said: Json) -> bool:
        """Whether the pack has so many cards: those that can be played, less those that cannot."""
        perhaps = ["2S", "2H", "2D", "2C", "LJ", "BJ"]
        seat = next(one for one in self.seats if one != "dummy")
        position = {"seats": self.seats, "dealer": self.dealer, "phase": "play", "trick_number": 5, "leader": seat}
        position |= {"trick": [], "spades_broken": True}
        plays = {c: {"type": "play", "seat": seat, "card": c} for c in perhaps}
        known = [c for c, move in plays.items() if "card-not-in-pack" not in self.breaches(position, move)]
        gone = [card(one) for one in re.findall(r"(?:10|[2-9AKQJ])[♠♥♦♣]", str(self.groups.get("twos", "")))]
        gone += [self.groups["two"]] if "two" in self.groups else []
        return 48 + len(known) == self.value(said["cards"]) and not set(gone) & set(known)

    def ask_never_removed(self, said: str) -> bool:
        two, deck = self.groups[said], {"deck": "jokers_minus_twos", "promoted_twos": []}
        return two[0] == "2" and not self.allowed({**deck, "removed_twos": ["2C" if two != "2C" else "2D", two]})

    def ask_dealt(self, said: str) -> bool | None:
        """Whether a deal of so many to each is in order, and of one more is not."""
        count = self.value(said)
        if self.options["mode"] == "duo_draw":
            return bool(count == self.hand)
        return self._dealt(count) == "legal" and self._dealt(count + 1) != "legal"

    def _dealt(self, count: int) -> str:
        counts = dict.fromkeys(self.seats, count)
        counts[self.dealer] += 2 if self.options["deck"] == "jokers_dealer_discards" else 0
        return self.verdict({"seats": self.seats, "dealer": self.dealer}, {"type": "deal", "counts": counts})

    def ask_draws(self, said: str) -> bool:
        return bool(self.value(said) == self.hand)

    def ask_tricks(self, said: str) -> bool:
        """Whether a score whose tricks come to so many is accepted, and one with one more is not."""
        total = self.value(said)
        self.hand, hand = total, self.hand
        more = self._scored({"tricks": 1, "bid": 1})
        self.hand = total + 1
        most = self._scored({"tricks": 1, "bid": 1})
        self.hand = hand
        return more is not None and most is None

    def ask_leads(self, said: str) -> bool | None:
        """Whether who holds the card makes the first lead, with it where it must be that one."""
        lead = self.groups[said]
        seat = self.seats[-1] if self.seats[-1] != "dummy" else self.seats[0]
        hand = [lead, "AH", "KH"]
        position = {"seats": self.seats, "dealer": self.dealer, "phase": "play", "trick_number": 1, "trick": []}
        position["hand"] = hand + [r + "S" for r in RANKS[3:]][: self.hand - 3]
        if self.groups.get("same", lead) != lead:
            return False
        return self.verdict(position, {"type": "play", "seat": seat, "card": lead}) == "legal"

    def ask_without(self, said: str) -> bool | None:
        """Whether the lowest club that there is leads where this one is not among the clubs."""
        if self.groups[said] != "2C":
            return False
        if "2C" not in (*self._gone(), *self.options["promoted_twos"]):
            return None
        self.groups = {**self.groups, "three": "3C"}
        return self.ask_leads("three")

    def ask_exchange(self, said: str) -> bool | None:
        word = "double_nil" if str(self.groups["article"]) == "exchange" else "nil"
        if self.options["second_round"]:
            return None
        count = self.value(said)
        calls = [{"seat": seat, "call": 6} for seat in self.bidders]
        calls[0]["call"] = word
        if self.consulting:
            return bool(count == self.options["nil_exchange" if word == "nil" else "double_nil_exchange"])
        position = {
            "seats": self.seats,
            "dealer": self.dealer,
            "calls": calls,
            "totals": {side: -1000 * (side == self.sides[0]) for side in self.sides},
        }
        moves = [{"type": "exchange", "side": self.sides[0], "counts": [n, n]} for n in (count, count + 1)]
        return [self.verdict(position, move) for move in moves] == ["legal", "illegal"]


def _points(side: Json, only: str | None) -> int:
    anchors = only and [f"spades.{name}" for name in only.split()]
    return sum(line["points"] for line in side["lines"] if not anchors or line["article"] in anchors)


def _special(side: Json | None) -> bool:
    return side is not None and any(line["article"] == "spades.small-bids" for line in side["lines"])
