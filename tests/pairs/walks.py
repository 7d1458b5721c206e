"""Deals on any table, as their positions come up; whoever walks through one says what may be done in each."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any

from companion import library as companion
from companion.library import GAMES
from tests.pairs import casino_oracle, spades_oracle, spite_oracle
from tests.spades.oracle import tricks_of
from tests.spite_and_malice.dealer import Dealer

Json = dict[str, Any]


@dataclass
class Step:
    """A position in which everything is told, and moves to be judged in it."""

    position: Json
    candidates: list[Json]
    asked: Json = field(default_factory=dict)
    """What a request for moves says beside the position."""
    facts: tuple[str, ...] = ()
    """Keys of the position that may be left out."""
    optional: bool = False
    """Whether it may be that nothing can be done here, since somebody else is to move."""
    judge: Callable[[Json], bool | None] = lambda move: None
    """Whether a move is in order by another reckoning; None where it does not say."""
    recorded: Callable[[Json], Json] | None = None
    """The record up to here with a move as its last, where all hands are told."""


Walk = Generator[Step, list[Json], Json]


# Spades --------------------------------------------------------------------------------------------------------------

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
WORDS = ("pass", "nil", "double_nil", "double_blind_nil", "moon", "blind_moon", *(f"blind_{n}" for n in range(5, 15)))
_NILS = ("nil", "double_nil", "double_blind_nil")
_WHOLE = ("moon", "blind")
"""How calls begin that are the whole bid of a side, after which the partner may have nothing to say."""
SEATS = {"solo3": "ABC", "duo_draw": "AB", "duo_dummy": "AB", "partners6": "ABCDEF"}


def _spades(options: Json, rules: Json, rng: Random) -> Walk:
    """Yield each position of a deal; be sent the moves that are legal there; return the record."""
    table = _Spades(options, rng)
    unbid = options["first_hand_bids_itself"] and rng.random() < 0.5
    if unbid or (yield from _spades_bidding(table, rng)):
        table.exchange(rng)
        yield from _spades_play(table, rng)
    return table.record()


class _Spades:
    """Who sits where with which cards, and what was called and played."""

    def __init__(self, options: Json, rng: Random) -> None:
        self.options = options
        mode = options["mode"]
        self.tricks = tricks_of(options)
        self.seats = list(SEATS.get(mode, "ABCD"))
        self.dealer = rng.choice(self.seats)
        if mode == "duo_dummy":
            other = next(seat for seat in self.seats if seat != self.dealer)
            left = options["dummy_side"] == "left"
            self.seats = [self.dealer, "dummy", other] if left else [self.dealer, other, "dummy"]
        jokers = "jokers" in options["deck"]
        gone = set(options["removed_twos"]) if options["deck"] == "jokers_minus_twos" else set()
        gone |= spades_oracle.removed_club(options)
        spades = [rank + "S" for rank in RANKS]
        spades = spades[1:] + spades[:1] if options["trump_order"] == "deuce_high" else spades
        trumps = [*spades, *reversed(options["promoted_twos"]), *(["LJ", "BJ"] if jokers else [])]
        self.trumps = [card for card in trumps if card not in gone]
        self.pack = [*self.trumps, *(rank + suit for suit in "CDH" for rank in RANKS)]
        self.pack = [card for card in dict.fromkeys(self.pack) if card not in gone]
        self.twice = options["deck"].startswith("two_packs")
        cards: list[str] = self.pack * (1 + self.twice)
        rng.shuffle(cards)
        self.hands = {seat: cards[i * self.tricks : (i + 1) * self.tricks] for i, seat in enumerate(self.seats)}
        self.dealt, self.exchanges, self.told = {**self.hands}, list[Json](), rng.random() < 0.5
        self.partners = mode in ("partners4", "partners6")
        half = len(self.seats) // 2
        pairs = [f"{self.seats[n]}+{self.seats[n + half]}" for n in range(half)]
        self.sides: list[str] = pairs if self.partners else [seat for seat in self.seats if seat != "dummy"]
        self.totals = {side: 10 * rng.randrange(-19, 29) for side in self.sides}
        self.calls: list[Json] = []
        self.plays: list[Json] = []

    def suit(self, card: str) -> str:
        return "S" if card in self.trumps else card[-1]

    def strength(self, card: str) -> int:
        return self.trumps.index(card) if card in self.trumps else RANKS.index(card[:-1])

    def order(self, first: str) -> list[str]:
        place = self.seats.index(first)
        return self.seats[place:] + self.seats[:place]

    def side(self, call: Json) -> str:
        """The side of a call."""
        return str(call.get("side") or next(side for side in self.sides if call["seat"] in side))

    def consulted(self) -> bool:
        """Whether each side has a number or two nils."""
        sides = [self.side(call) for call in self.calls for _ in range(1 if call["call"] in _NILS else 2)]
        return all(sides.count(side) >= 2 for side in self.sides)

    def winner(self, trick: list[Json], number: int) -> str:
        """The highest trump, else the highest card of the suit led; in a first trick of clubs, clubs are led."""
        led = self.suit(trick[0]["card"])
        if number == 1 and self.options["first_trick"] != "normal" and any(self.suit(p["card"]) == "C" for p in trick):
            led = "C"
        counting = [p for p in trick if self.suit(p["card"]) == "S"] or [
            p for p in trick if self.suit(p["card"]) == led
        ]
        if self.twice and self.options["equal_cards"] == "later":
            counting = counting[::-1]
        return str(max(counting, key=lambda play: self.strength(play["card"]))["seat"])

    def exchange(self, rng: Random) -> None:
        """Let partners exchange as many cards as they may after these calls; not every record tells of it."""
        table = spades_oracle.Table(self.options, self.seats, self.dealer, self.totals)
        for side, count in product(self.sides, (1, 2)) if self.calls else ():
            move = {"side": side, "counts": [count, count]}
            if not spades_oracle.wrong_exchange(table, self.calls, move):
                members = side.split("+")
                cards = {seat: rng.sample(self.hands[seat], count) for seat in members}
                for seat, partner in zip(members, reversed(members), strict=True):
                    kept = [*self.hands[seat]]
                    for card in cards[seat]:
                        kept.remove(card)
                    self.hands[seat] = [*kept, *cards[partner]]
                self.exchanges.append(move | {"cards": cards})

    def with_play(self, count: int, move: Json) -> Json:
        """The record of so many plays, and another as the last."""
        play = {"seat": move["seat"], "card": move["card"]}
        whole = {"hands": self.dealt, "exchanges": self.exchanges}
        return self.record() | {"plays": [*self.plays[:count], play]} | whole

    def record(self) -> Json:
        shown = {"seats": self.seats, "dealer": self.dealer, "totals": self.totals}
        told = {"exchanges": self.exchanges} if self.told else {}
        return shown | {"calls": self.calls, "plays": self.plays} | told


def _spades_bidding(table: _Spades, rng: Random) -> Generator[Step, list[Json], bool]:
    """Call until all have; return whether they could, and whether their hands are played or thrown in.

    A number that must be called may be one that is forbidden.
    """
    options = table.options
    oracle = spades_oracle.Table(options, table.seats, table.dealer, table.totals)
    shown = options["bidding_rule"] in ("mirror", "whiz")
    rounds = 2 if options["second_round"] else 1
    turns: list[str | None] = [seat for _ in range(rounds) for seat in oracle.order]
    if table.partners and options["bid_method"] == "consultation":
        turns = [None for _ in range(3 * len(table.sides))]
    for seat in turns:
        position = {"seats": table.seats, "dealer": table.dealer, "totals": table.totals, "calls": [*table.calls]}
        asked: Json = {} if seat else {"looked": False}
        numbers: range = range(2 * table.tricks + 2)
        moves: list[Json] = [] if seat else [*_announcements(table, numbers)]
        silent = seat is None and table.consulted()
        if seat:
            looked = rng.random() < 0.3 or any(call["seat"] == seat and call["looked"] for call in table.calls)
            asked = {"seat": seat, "looked": looked}
            moves = [{"type": "call", "call": call, **asked} for call in (*numbers, *WORDS)]
            partner = table.order(seat)[len(table.seats) // 2] if table.partners else ""
            position |= {"hand": table.hands[seat]} if shown else {}
            silent = any(call["seat"] == partner and str(call["call"])[:5] in _WHOLE for call in table.calls)
        step = Step(position, moves, asked, ("dealer", "totals", "calls"), optional=silent)
        held = sum(table.suit(card) == "S" for card in table.hands[seat]) if seat and shown else None
        step.judge = partial(spades_oracle.may_call, oracle, [*table.calls], spades=held)
        legal = yield step
        if not legal and not silent:
            return False
        if legal:
            words = [move for move in legal if not isinstance(move["call"], int)]
            small = [move for move in legal if move not in words and move["call"] < 7] or legal
            move = rng.choice(words if words and rng.random() < 0.35 else small)
            table.calls.append({key: value for key, value in move.items() if key != "type"})
    return sum(side.number or 0 for side in oracle.states(table.calls)) >= (options["least_total"] or 0)


def _announcements(table: _Spades, numbers: range) -> Iterator[Json]:
    """What sides that confer may say, and a nil of each partner."""
    for side in table.sides:
        words = [word for word in WORDS if word not in _NILS]
        yield from ({"type": "call", "side": side, "call": call, "looked": False} for call in (*numbers, *words))
        for seat in side.split("+"):
            yield from ({"type": "call", "seat": seat, "call": call, "looked": False} for call in _NILS)


def _spades_play(table: _Spades, rng: Random) -> Generator[Step, list[Json], None]:
    left = {seat: [*hand] for seat, hand in table.hands.items()}
    leader: str | None = None
    broken = False
    seated = spades_oracle.Table(table.options, table.seats, table.dealer, table.totals)
    opens = spades_oracle.first_leader(seated, table.hands, table.calls)
    for number in range(1, table.tricks + 1):
        trick: list[Json] = []
        order = table.order(leader) if leader else rng.sample(table.seats, len(table.seats))
        while order:
            seat = order.pop(0)
            played = [play["card"] for play in table.plays[: (number - 1) * len(table.seats)]]
            position = {
                "seats": table.seats, "dealer": table.dealer, "totals": table.totals, "calls": table.calls,
                "phase": "play", "trick": [*trick], "trick_number": number, "hand": left[seat], "played": played,
                "spades_broken": broken,
            } | ({"leader": leader} if leader else {})  # fmt: skip
            candidates = [{"type": "play", "seat": seat, "card": card} for card in left[seat]]
            facts: tuple[str, ...] = ("dealer", "calls", "trick_number", "spades_broken", "played", "totals")
            if not any(call["call"] == "double_blind_nil" for call in table.calls) and seat != "dummy":
                facts += ("hand",)  # of a hand that nobody has seen, the card that is played passes for the top one
            recorded = partial(table.with_play, len(table.plays))
            first = not leader and not trick
            step = Step(position, candidates, {"seat": seat}, facts, optional=first, recorded=recorded)
            step.judge = partial(_may_play, table.options, position, leader or opens)
            legal = yield step
            if not legal and not trick and number == 1:
                if not order:
                    return
                continue
            move = rng.choice(legal)
            left[seat].remove(move["card"])
            play = {"seat": seat, "card": move["card"]}
            trick.append(play)
            table.plays.append(play)
            if len(trick) == 1:
                order = table.order(seat)[1:]
        broken = broken or any(table.suit(play["card"]) == "S" for play in trick)
        leader = table.winner(trick, number)


def _may_play(options: Json, position: Json, leader: str | None, move: Json) -> bool | None:
    return spades_oracle.may_play(options, position, move, leader)


# Casino --------------------------------------------------------------------------------------------------------------

PIPS = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 11)}
_MOST_TURNS = 40
"""Turns that are judged in one position."""


def _casino(options: Json, rules: Json, rng: Random) -> Walk:
    seats = [f"P{number}" for number in range(1, rng.choice((5,) if options["deck"] == 49 else (2, 3, 4, 4)) + 1)]
    dealt = companion.check("casino", {"rules": rules, "position": {"seats": seats}, "move": {"type": "deal"}})[
        "effect"
    ]
    cards = [*casino_oracle.Values.under(options).pack]
    rng.shuffle(cards)
    table = [cards.pop() for _ in range(dealt["table"])]
    hands = {seat: [[cards.pop() for _ in range(count)] for count in dealt["rounds"]] for seat in seats}
    dealer = seats[0]
    record: Json = {"seats": seats, "dealer": dealer, "table": table, "hands": hands, "turns": []}
    order = seats[1:] + seats[:1] if options["direction"] == "clockwise" else [*reversed(seats)]
    halves = len(seats) == 2 and options["two_player_deal"] == "two_halves" and options["deal"] != "fours"
    loose, builds, piles = [*table], list[Json](), dict[str, list[str]]()
    for number, count in enumerate(dealt["rounds"]):
        left = {seat: [*hands[seat][number]] for seat in seats}
        for place in range(count * len(seats)):
            seat = order[place % len(order)]
            position: Json = {"seats": seats, "player": seat, "table": loose, "builds": builds, "hand": left[seat]}
            position |= {"piles": piles, "half": number + 1 if halves else None}
            if len(seats) == 4 and options["building"] != "none":
                shown = companion.replay("casino", {"rules": rules, **record})
                position["proven"] = shown["proven"]
            turns = [*casino_turns(options, position, rng)]
            trails = [[{"play": "trail", "card": card}] for card in left[seat]]
            turns = [*trails, *rng.sample(turns, min(len(turns), _MOST_TURNS))]
            moves = [{"type": "turn", "plays": plays} for plays in turns]
            recorded = partial(_with_turn, record, len(record["turns"]), seat)
            step = Step(position, moves, {}, ("hand", "piles", "half", "proven"), recorded=recorded)
            step.judge = partial(casino_oracle.may_turn, options, position)
            legal = yield step
            choices = [move for move in legal if move["plays"] not in trails]
            move = rng.choice(choices if choices and rng.random() < 0.85 else legal)
            request = {"rules": rules, "position": position, "move": move}
            effect = companion.check("casino", request)["effect"]
            loose, builds = effect["table"], effect["builds"]
            piles = piles | effect.get("piles", {})
            left[seat] = effect["hand"]
            record["turns"].append({"player": seat, "plays": move["plays"]})
    return record


def _with_turn(record: Json, count: int, seat: str, move: Json) -> Json:
    return record | {"turns": [*record["turns"][:count], {"player": seat, "plays": move["plays"]}]}


def casino_turns(options: Json, position: Json, rng: Random) -> Iterator[list[Json]]:
    """Turns that may be legal: one play with a card of the hand, or a play without one and then a trail or capture."""
    loose = rng.sample(position["table"], min(len(position["table"]), 7))
    hand = rng.sample(position["hand"], min(len(position["hand"]), 4))
    own = {position["player"]}
    if len(position["seats"]) == 4:
        own |= {position["seats"][(position["seats"].index(position["player"]) + 2) % 4]}
    tops = [(seat, pile[0]) for seat, pile in position["piles"].items() if pile and seat not in own]
    sums = [some for size in (1, 2, 3) for some in combinations(loose, size)]
    cardless: list[Json] = []
    for card in (*hand, None):
        held = {"card": card} if card else {}
        for value in _hand_values(options, card) if card else ():
            builds = [build["id"] for build in position["builds"] if build["value"] == value]
            taken = [card_ for card_ in loose if value in _alone(options, card_)]
            fitting = [one for one in sums if len(one) > 1 and sum(_in_set(options, each) for each in one) == value]
            both = [[*taken[:size], *one] for one in fitting[:2] for size in {1, len(taken)} if taken]
            for some in ([], taken, *both, *rng.sample(sums, min(len(sums), 6))):
                if some or builds:
                    yield [{"play": "capture", **held, "as": value, "table": [*some], "builds": builds}]
            for (seat, top), some in product(tops, (taken, [], *fitting[:1])):
                piles = [{"from": seat, "card": top}]
                yield [{"play": "capture", **held, "as": value, "table": [*some], "piles": piles}]
        if card and not _hand_values(options, card):
            same = [each for each in loose if each[:-1] == card[:-1]]
            for size in range(len(same) + 1):
                if size:
                    yield [{"play": "capture", **held, "table": same[:size]}]
                for seat, top in tops:
                    if top[:-1] == card[:-1]:
                        piles = [{"from": seat, "card": top}]
                        yield [{"play": "capture", **held, "table": same[:size], "piles": piles}]
        plays: list[Json] = []
        for some in sums:
            total = sum(_in_set(options, each) for each in (*some, *((card,) if card else ())))
            if card or len(some) > 1:
                plays.append({"play": "build", "value": total, **held, "table": [*some]})
            for build in position["builds"]:
                if build["value"] == total:
                    plays.append(
                        {
                            "play": "augment",
                            "value": total,
                            "base": {"build": build["id"]},
                            "sets": [{**held, "table": [*some]}],
                        }
                    )
            for base in loose:
                if base not in some and total in _alone(options, base):
                    sets = [{**held, "table": [*some]}]
                    plays.append({"play": "augment", "value": total, "base": {"table": base}, "sets": sets})
        for build in position["builds"]:
            if card:
                plays.append(
                    {"play": "raise", "build": build["id"], **held, "to": build["value"] + _in_set(options, card)}
                )
                if build["value"] in _alone(options, card):
                    sets = [{"card": card}]
                    plays.append(
                        {"play": "augment", "value": build["value"], "base": {"build": build["id"]}, "sets": sets}
                    )
            for seat, top in tops:
                if build["value"] in _alone(options, top):
                    sets = [{"piles": [{"from": seat, "card": top}]}]
                    plays.append(
                        {"play": "augment", "value": build["value"], "base": {"build": build["id"]}, "sets": sets}
                    )
        if card:
            yield from ([play] for play in plays)
        else:
            cardless = plays
    for play in rng.sample(cardless, min(len(cardless), 8)):
        for card in hand:
            yield [play, {"play": "trail", "card": card}]


def _hand_values(options: Json, card: str) -> tuple[int, ...]:
    """What a card counts as when it takes."""
    if options["special_hand_values"] and card in ("10D", "2S"):
        return (16,) if card == "10D" else (15,)
    if card[0] == "A":
        return {"1": (1,), "14": (14,), "1or14": (1, 14)}[options["ace_hand"]]
    return (_in_set(options, card),) if _in_set(options, card) else ()


def _in_set(options: Json, card: str) -> int:
    return 0 if card[0] in "JQK" and options["court_values"] == "none" else PIPS[card[:-1]]


def _alone(options: Json, card: str) -> tuple[int, ...]:
    return (1, 14) if card[0] == "A" and options["ace_table"] == "1or14" else (_in_set(options, card),)


# Spite and Malice ----------------------------------------------------------------------------------------------------


def _spite_and_malice(options: Json, rules: Json, rng: Random) -> Walk:
    settings = GAMES["spite-and-malice"].options
    house = settings.decode(companion.rules("spite-and-malice", rules)["code"])
    _Watched.options = options
    dealer = _Watched(house.options, rng.randrange(1 << 30), idleness=rng.choice((0.0, 0.0, 0.5)))
    for turns in range(1, rng.choice((8, 16, 40)) + 1):
        dealer.play(turns)
        for step in sorted(dealer.steps, key=lambda step: (_low_cards(step), rng.random()))[-2:]:
            assert (yield step) is not None
        dealer.steps.clear()
    return dealer.record


def _low_cards(step: Step) -> int:
    """How many aces and twos lie open or are held: duties and what is kept for twos are about them."""
    partner = step.position.get("partner", {})
    tops = [pile.get("payoff") for pile in (step.position, partner)]
    tops += [stack[-1] for pile in (step.position, partner) for stack in pile.get("side_stacks", ()) if stack]
    return sum(card in ("A", "2") for card in (*tops, *step.position["centre_stacks"], *step.position["hand"]))


class _Watched(Dealer):
    """A dealer who notes every position in which somebody is to move."""

    options: Json

    def _begin(self) -> None:
        super()._begin()
        self.steps: list[Step] = getattr(self, "steps", [])

    def _move(self) -> None:
        self.steps.append(self._step())
        super()._move()

    def _redeal(self, first: str) -> None:
        if len(self.stock) + sum(map(len, (*self.centre, *self.hands.values()))) < 5 * len(self.players):
            self.over = True  # there are too few cards for hands of five
        else:
            super()._redeal(first)

    def _step(self) -> Step:
        partner = self._partner(self.player)
        position = {
            "players": [*self.players], "player": self.player, "hand": [*map(_rank, self.hands[self.player])],
            "centre_stacks": [_top(self.rules, stack) for stack in self.centre], "stock": len(self.stock),
            "refilled": self.refilled, "discarded": self.discarded, "phase": self.phase,
            "played_ace_or_two": self.played, "set_aside": len(self.aside),
            "complete": sum(len(stack) == self.rules.top for stack in self.centre),
            "incomplete": sum(len(stack) < self.rules.top for stack in self.centre), "over": self.over,
            "turns": [{"player": turn.player, "acted": turn.acted} for turn in self.log[-2 * len(self.players) :]],
            **self._before(self.player),
        }  # fmt: skip
        if partner:
            position["partner"] = self._before(partner)
        facts: tuple[str, ...] = (
            "hand",
            "side_stacks",
            "payoff",
            "phase",
            "turns",
            "set_aside",
            "complete",
            "incomplete",
        )
        recorded = partial(self._with_move, len(self.record["turns"]), self.player, [*self.moves])
        facts += ("centre_stacks", "payoff_left")
        step = Step(position, [*self._candidates(partner)], {}, facts, recorded=recorded)
        step.judge = partial(spite_oracle.may, self.options, position)
        return step

    def _with_move(self, turns: int, player: str, moves: list[Json], move: Json) -> Json:
        return self.record | {"turns": [*self.record["turns"][:turns], {"player": player, "moves": [*moves, move]}]}

    def _before(self, player: str) -> Json:
        pile = self.payoff[player]
        stacks = [[*map(_rank, stack)] for stack in self.sides[player]]
        return {"payoff_left": len(pile), "side_stacks": stacks} | ({"payoff": _rank(pile[-1])} if pile else {})

    def _candidates(self, partner: str | None) -> Iterator[Json]:
        hand = dict.fromkeys(map(_rank, self.hands[self.player]))
        sources: list[Json] = [{"from": "hand", "card": card} for card in hand]
        for owner, of in ((self.player, ""), (partner, "partner_")):
            if owner:
                sources += [{"from": f"{of}payoff", "card": _rank(pile[-1])} for pile in [self.payoff[owner]] if pile]
                stacks = enumerate(self.sides[owner])
                sources += [{"from": f"{of}side", "card": _rank(s[-1]), "stack": place} for place, s in stacks if s]
        for source in sources:
            for to in (*range(len(self.centre)), "new"):
                yield {"type": "play", **source, "to": to}
        for card in hand:
            places = [place for place, stack in enumerate(self.sides[self.player]) if stack]
            for to in (*places, "new"):
                yield {"type": "discard", "card": card, "to": to}
        yield from ({"type": "refill", "count": count} for count in range(1, 6))
        yield {"type": "end_turn"}


def _rank(card: Any) -> str:
    """A card as people name it where suits do not matter."""
    return str(card.rank)


def _top(rules: Any, stack: list[Any]) -> str:
    """The top of a centre stack as people name it: by the rank that it counts as."""
    if rules.card_names == "numbered":
        return str(len(stack))
    return ("A", *map(str, range(2, 11)), "J", "Q", "K")[len(stack) - 1]


WALKS: dict[str, Callable[[Json, Json, Random], Walk]] = {
    "spades": _spades,
    "casino": _casino,
    "spite-and-malice": _spite_and_malice,
}
