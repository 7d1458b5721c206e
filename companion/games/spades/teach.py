"""Positions of the quiz of Spades: what they look like, how they are said, what tapping a card means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from companion.engine.cards import pack
from companion.engine.dialogue import Phrase
from companion.engine.ledger import side_id
from companion.engine.lessons import Lessons, LessonStep, Made, Puzzle, Row, Scene, Watched, Way, Why, load, sign, signs
from companion.engine.problems import JsonObject, Node, read_whole
from companion.engine.verdict import Judged
from companion.games.spades import articles as a
from companion.games.spades.deal import list_moves, replay
from companion.games.spades.rules import OPTIONS, SpadesRules
from companion.games.spades.table import DUMMY, DUMMY_TRICKS


def scene(puzzle: Puzzle) -> Scene:
    """Return what a position looks like; a card of the hand can be tapped."""
    return _position_scene(puzzle.position, puzzle.move)


def acts(puzzle: Puzzle) -> Mapping[str, Phrase]:
    """Return what can be done: play the tapped card, or make a call."""
    if puzzle.move["type"] == "play":
        return {"play": Phrase("tap-play")}
    tricks = OPTIONS.preset(puzzle.rules["preset"]).options.tricks
    return {call: Phrase("tap-call", {"call": _call(call)}) for call in ("nil", *map(str, range(tricks + 1)))}


def describe(puzzle: Puzzle) -> list[Phrase]:
    """Return what the drawing does not show, and the move."""
    position, move = puzzle.position, puzzle.move
    known = []
    if move["type"] == "play" and not position["trick"]:
        known.append(Phrase("broken" if position["spades_broken"] else "not-broken"))
    if move["type"] == "call":
        said = {call["seat"] for call in position["calls"]}
        due = next(seat for seat in _from(position["seats"], position["dealer"]) if seat not in said)
        if due != move["seat"]:
            known.append(Phrase("seated", {"dealer": position["dealer"], "seats": position["seats"]}))
    if position.get("totals"):
        known += [Phrase("total", {"side": side, "total": total}) for side, total in position["totals"].items()]
    if move.get("looked") is False:
        known.append(Phrase("unseen", {"seat": move["seat"]}))
    return [*known, _describe_move(move)]


def tap(puzzle: Puzzle, taps: Sequence[str]) -> JsonObject | None:
    """Return the card that is tapped, or the call."""
    move = {key: puzzle.move[key] for key in ("type", "seat")}
    if move["type"] == "play":
        cards = [one for one in taps if one in puzzle.position["hand"]]
        return {**move, "card": cards[0]} if len(cards) == 1 else None
    calls = [one for one in taps if one in acts(puzzle)]
    return {**move, "call": _call(calls[0])} if calls else None


def _call(written: str) -> int | str:
    return int(written) if written.isdigit() else written


def _from(seats: Sequence[str], dealer: str) -> list[str]:
    """Return the bidders in order, the player after the dealer first; a dummy does not bid."""
    first = seats.index(dealer) + 1
    return [seat for seat in (*seats[first:], *seats[:first]) if seat != DUMMY]


_SEATS: Final = {"solo3": ("p1", "p2", "p3"), "duo_draw": ("p1", "p2"), "duo_dummy": ("p1", DUMMY, "p2")}
_ALL: Final = ("p1", "p2", "p3", "p4")


@dataclass(frozen=True, slots=True)
class _Table:
    """The table of a preset. p1 has the last word in a trick; the player after the dealer is the first to bid."""

    preset: str

    @property
    def seats(self) -> tuple[str, ...]:
        return _SEATS.get(self.preset, _ALL)

    def play(self, trick: str, hand: str, card: str, article: str, *, broken: bool = False, seat: str = "p1") -> Puzzle:
        """Return a card to a trick of others, of whom as many are there as the table seats, or to begin one."""
        cards = trick.split()[-(len(self.seats) - 1) :]
        place = self.seats.index(seat)
        before = [*self.seats, *self.seats][place + len(self.seats) - len(cards) : place + len(self.seats)]
        position = {
            "phase": "play", "seats": list(self.seats), "dealer": self._dealer, "spades_broken": broken,
            "trick_number": OPTIONS.preset(self.preset).options.tricks + 1 - len(hand.split()),
            "trick": [{"seat": who, "card": one} for who, one in zip(before, cards, strict=True)],
            "leader": before[0] if before else seat, "hand": hand.split(),
        }  # fmt: skip
        return Puzzle({"preset": self.preset}, position, {"type": "play", "seat": seat, "card": card}, article)

    def call(self, calls: Sequence[object], call: object, article: str, *, seat: str = "", **more: object) -> Puzzle:
        """Return a call after those of others, by who is next to call or by another seat."""
        bidders = _from(self.seats, self._dealer)
        said = [{"seat": who, "call": one} for who, one in zip(bidders, calls, strict=False)]
        position: dict[str, object] = {
            "phase": "bidding", "seats": list(self.seats), "dealer": self._dealer, "calls": said,
        }  # fmt: skip
        totals = more.pop("totals", None)
        position |= {"totals": totals} if totals else {}
        move = {"type": "call", "seat": seat or bidders[len(said)], "call": call, **more}
        return Puzzle({"preset": self.preset}, position, move, article)

    @property
    def _dealer(self) -> str:
        """The last seat; where the dummy plays, the one at its right."""
        return self.seats[0 if DUMMY in self.seats else -1]


def _puzzles(preset: str) -> Mapping[str, Puzzle]:
    """Return the quiz of a preset from easy to hard."""
    table = _Table(preset)
    play = table.play
    first = {
        "follow": play("9H KH 3H", "7H QS 8C 2C 4D", "QS", a.FOLLOW_SUIT.id, broken=True),
        "ruff": play("9H KH 3H", "4S QC 6C 2C 8D", "4S", a.WHEN_VOID.id, broken=True),
        "discard": play("AD 10D 5D", "9S 2S 7C 3C 8H", "3C", a.WHEN_VOID.id, broken=True),
        "lead": play("", "AS 9S KD 8D 4C 7H", "AS", a.LEADING_SPADES.id),
        "lead-broken": play("", "AS 9S KD 8D 4C 7H", "9S", a.BREAKING_SPADES.id, broken=True),
        "only-spades": play("", "KS 10S 8S 5S 3S", "8S", a.ALL_SPADES.id),
        "no-duty-to-win": play("JS 4S 10S", "AS 2S QH 8H 5C", "2S", a.FOLLOW_SUIT.id, broken=True),
    }
    return {**first, **_OWN[preset](table), "double-nil": _double_nil(table)}


def _alone(table: _Table) -> Mapping[str, Puzzle]:
    last = len(table.seats) - 1
    return {
        "out-of-turn": table.call([4], 3, a.BID_IN_TURN.id, seat="p1" if last == 1 else table.seats[last]),
        "low-bid": table.call([5, 3][:last], 1, a.BID.id),
    }


_OWN: Final[Mapping[str, Callable[[_Table], Mapping[str, Puzzle]]]] = {
    "classic": lambda table: {
        "partner": table.call([5, 3], 4, a.PARTNER_BID.id),
        "after-nil": table.call(["nil", 3], 2, a.NIL_THEN_NUMBER.id),
    },
    "modern": lambda table: {
        "partner-sum": table.call([5, 3], 4, a.SUM_BIDDING.id),
        "zero": table.call([4, 3], 0, a.NO_ZERO_BID.id),
    },
    "solo4": _alone, "solo3": _alone, "duo_draw": _alone,
    "duo_dummy": lambda table: {
        "dummy-top": table.play("KH", "7S 4H 10C 2D 5C", "4H", a.DUO_DUMMY.id, broken=True, seat=DUMMY),
        "dummy-lead": table.play("", "7S 4H 10C 2D 5C 9D KC 3H", "7S", a.DUO_DUMMY.id, seat=DUMMY),
    },
}  # fmt: skip


def _double_nil(table: _Table) -> Puzzle:
    """Return a double nil by the second to call, who is behind, but not by enough."""
    rules = OPTIONS.preset(table.preset).options
    sides = [("p1", "p3"), ("p2", "p4")] if rules.partners else [(seat,) for seat in table.seats if seat != DUMMY]
    second = "p1" if DUMMY in table.seats else "p2"
    totals = {side_id(side): 180 if second in side else 240 for side in sides}
    return table.call([4], "double_nil", a.DOUBLE_NIL_BEHIND.id, totals=totals, looked=False)


def draw(random: Random, preset: str) -> Puzzle:
    """Return a position that nobody has thought out: a card in a trick, a lead, or a bid."""
    table = _Table(preset)
    kind = random.choice(("trick", "trick", "lead", "bid" if OPTIONS.preset(preset).options.partners else "trick"))
    if kind == "bid":
        first = random.choice(("nil", *range(1, 7)))
        return table.call([first, random.randint(1, 5)], random.randint(0, 6), "")
    cards = [str(card) for card in pack()]
    random.shuffle(cards)
    hand, others = sorted(cards[: random.randint(5, 7)]), cards[7:]
    if kind == "lead":
        hand = sorted({*hand[:4], *random.sample([card for card in others if card[-1] == "S"], 2)})
        broken = random.random() < 0.4
        trick: list[str] = []
    else:
        led = random.choice(others)
        follow = [card for card in others if card[-1] == led[-1] and card != led]
        trick = [led, *random.sample(follow or others, min(len(table.seats) - 2, len(follow or others)))]
        broken = any(card[-1] == "S" for card in trick)
    return table.play(" ".join(trick), " ".join(hand), random.choice(hand), "", broken=broken)


_US, _THEM = "p1+p3", "p2+p4"
_GAMES: Final[Mapping[str, tuple[Mapping[str, int], Sequence[str], Sequence[Why]]]] = {
    "classic": (
        {},
        ["6/7 5/6", "4/7/p1/0 6/6", "7/5 4/8", "6/8 4/5/p4/1", "5/9 4/4", "9/9 3/4", "8/9 4/4", "6/8 5/5", "8/8 4/5",
         "5/6 6/7"],
        (Why(3, _US, "set"), Why(4, _THEM, "nil"), Why(5, _US, "bags")),
    ),
    "solo4": (
        {"target": 200},
        ["2/5 3/3 4/4 3/1", "3/6 -/0/p2/0 4/4 3/3", "2/5 3/4 -/1/p3/1 3/3", "4/6 3/3 2/2 2/2", "4/4 3/3 4/4 2/2"],
        (Why(1, "p4", "set"), Why(3, "p3", "nil"), Why(4, "p1", "bags")),
    ),
    "solo3": (
        {"target": 300},
        ["4/7 6/6 5/4", "5/8 -/0/p2/0 8/9", "5/8 6/7 -/2/p3/2", "6/8 5/5 4/4", "5/5 6/6 6/6"],
        (Why(1, "p3", "set"), Why(3, "p3", "nil"), Why(4, "p1", "bags")),
    ),
    "duo_draw": (
        {"target": 250},
        ["4/7 7/6", "-/0/p1/0 9/13", "5/8 -/5/p2/5", "4/7 6/6", "5/6 7/7", "6/6 7/7"],
        (Why(1, "p2", "set"), Why(3, "p2", "nil"), Why(5, "p1", "bags")),
    ),
    "duo_dummy": (
        {"target": 200},
        ["3/7 5/4 6", "3/7 -/0/p2/0 10", "-/2/p1/2 6/8 7", "5/7 5/5 5", "4/5 4/5 7"],
        (Why(1, "p2", "set"), Why(3, "p1", "nil"), Why(4, "p1", "bags")),
    ),
}  # fmt: skip
"""The whole games: options, the deals, what is explained; those who play alone have shorter ones.

A deal is what every side bid and took, with the player of a nil and what that player took; then the dummy's tricks.
"""


def sheet(preset: str) -> JsonObject:
    """Return the score request of a whole game."""
    options, deals, _ = _GAMES.get(preset, _GAMES["classic"])
    alone = [seat for seat in _Table(preset).seats if seat != DUMMY]
    names = [_US, _THEM] if OPTIONS.preset(preset).options.partners else alone
    sides = [{"id": name, "players": name.split("+")} for name in names]
    facts = [dict(_facts(names, deal)) for deal in deals]
    return {"rules": {"preset": preset, "options": options}, "sides": sides, "deals": facts}


def _facts(sides: Sequence[str], deal: str) -> Iterator[tuple[str, object]]:
    """Yield the facts of a deal by side, those of a dummy at the end."""
    for side, written in zip((*sides, DUMMY_TRICKS), deal.split(), strict=False):
        bid, *counts = written.split("/")
        if not counts:
            yield side, int(bid)
            continue
        tricks, *nil = counts
        nils = [{"player": nil[0], "call": "nil", "tricks": int(nil[1])}] if nil else []
        yield side, {"bid": None if bid == "-" else int(bid), "tricks": int(tricks), "nils": nils}


def why(preset: str) -> Sequence[Why]:
    """Return the places of that sheet which are explained."""
    return _GAMES.get(preset, _GAMES["classic"])[2]


_CHOICE: Final = {
    "people": {
        "four": {"classic": 9, "modern": 9, "solo4": 9}, "three": {"solo3": 20},
        "two": {"duo_draw": 20, "duo_dummy": 20},
    },
    "together": {"teams": {"classic": 2, "modern": 2}, "alone": {"solo4": 3}},
    "apps": {"yes": {"modern": 3}, "no": {"classic": 2, "duo_draw": 1}},
    "luck": {"choose": {"duo_draw": 2, "classic": 1}, "surprise": {"duo_dummy": 4, "solo4": 1}},
}  # fmt: skip


_SUITS = "SHCD"


def steps(watched: Watched) -> Iterator[LessonStep]:
    """Yield the steps of a deal. Raises Refused for a record that is none."""
    record = watched.record
    rules = read_whole(record["rules"], OPTIONS.read).options
    replayed: JsonObject = replay(rules, watched.request)
    judged: Sequence[Judged] = replayed["verdicts"]
    calls, plays, seats = record.get("calls", ()), record["plays"], record["seats"]
    base = {"seats": seats, "dealer": record["dealer"]}
    hands = {seat: list(cards) for seat, cards in record.get("hands", {}).items()}
    for place, call in enumerate(calls):
        before = {**base, "phase": "bidding", "calls": calls[:place]}
        scene = _position_scene({**before, **_hand(hands, call["seat"])}, call)
        yield LessonStep(scene, (_made(call, judged[place]),), _others(rules, before, call, "calls"))
    for start in range(0, len(plays), len(seats)):
        trick, number = plays[start : start + len(seats)], start // len(seats) + 1
        verdicts = judged[len(calls) + start :]
        if start >= watched.detailed * len(seats):
            moves = tuple(map(_made, trick, verdicts))
            yield LessonStep(
                (_trick_row(trick, verdicts[len(trick) - 1].verdict.effect.get("card", "")),),
                _with_winner(moves, verdicts),
            )
            continue
        for place, play in enumerate(trick):
            before = {
                **base, "phase": "play", "trick": trick[:place], "trick_number": number, "leader": trick[0]["seat"],
                "spades_broken": any(one["card"][-1] == "S" for one in plays[:start]), "calls": calls,
                **_hand(hands, play["seat"]),
            }  # fmt: skip
            rows = [_trick_row(trick[: place + 1], play["card"])]
            if play["seat"] in hands:
                rows.append(_hand_row(hands[play["seat"]], play["seat"], play["card"]))
            moves = (_made(play, verdicts[place]),)
            if place + 1 == len(seats):
                moves = _with_winner(moves, verdicts)
            yield LessonStep(tuple(rows), moves, _others(rules, before, play, "cards"))
            if play["seat"] in hands:
                hands[play["seat"]].remove(play["card"])


def _describe_move(move: JsonObject) -> Phrase:
    """Return the sentence of a call or of a card."""
    if "call" in move:
        key = "bid" if isinstance(move["call"], int) else "call"
        return Phrase(key, {"seat": move["seat"], "call": move["call"]})
    return Phrase("play", {"seat": move["seat"], "card": move["card"]})


def _position_scene(position: JsonObject, move: JsonObject) -> Scene:
    """Return what a position looks like: the calls or the trick, and the hand of who is to move."""
    seat, rows = move["seat"], []
    if position.get("calls"):
        calls = (word for call in position["calls"] for word in (f"({call['seat']})", f"[{call['call']}]"))
        rows.append(Row("calls", tuple(calls)))
    if position.get("phase") == "play":
        rows.append(_trick_row(position.get("trick", ()), ""))
    if "hand" in position:
        rows.append(_hand_row(position["hand"], seat, move.get("card", "")))
    return tuple(rows)


def _made(move: JsonObject, judged: Judged) -> Made:
    return Made(_describe_move(move), judged.verdict, judged.settled)


def _with_winner(moves: tuple[Made, ...], verdicts: Sequence[Judged]) -> tuple[Made, ...]:
    """Return moves whose last one describe, too, who won the trick."""
    *first, last = moves
    effect = last.verdict.effect
    facts = {**last.sentence.facts, "winner": effect.get("winner", ""), "winning": effect.get("card", "")}
    return (*first, Made(Phrase(f"{last.sentence.key}-last", facts), last.verdict, last.settled))


def _others(rules: SpadesRules, position: JsonObject, move: JsonObject, key: str) -> tuple[Phrase, ...]:
    """Return what else was allowed in one sentence: other cards of the hand, or which numbers could be called."""
    if key == "cards" and "hand" not in position:
        return ()
    found: JsonObject = list_moves(rules, Node({"position": {**position}}))
    if key == "cards":
        cards = [one["card"] for one in found["moves"] if one["card"] != move["card"]]
        closed = {card[-1] for card in position["hand"]} - {card[-1] for card in (*cards, move["card"])}
        facts = {"cards": _sorted(cards), "closed": not position["trick"] and "S" in closed}
        return (Phrase("others-cards", facts),) if cards else (Phrase("others-none"),)
    numbers = [one["call"] for one in found["moves"] if isinstance(one["call"], int)]
    words = [one["call"] for one in found["moves"] if not isinstance(one["call"], int) and one["call"] != move["call"]]
    if not numbers[1:]:
        return ()
    facts = {"least": numbers[0], "most": numbers[-1], "words": words, "other": move["call"] in numbers}
    return (Phrase("others-calls", facts),)


def _hand(hands: Mapping[str, Sequence[str]], seat: str) -> JsonObject:
    return {"hand": list(hands[seat])} if seat in hands else {}


def _trick_row(trick: Sequence[JsonObject], on: str) -> Row:
    """Return the cards of a trick, each after who played it; an empty place where nobody has played."""
    cards = (word for one in trick for word in (f"({one['seat']})", sign(one["card"], on=one["card"] == on)))
    return Row("trick", tuple(cards) or ("□",))


def _hand_row(hand: Sequence[str], seat: str, on: str) -> Row:
    """Return a hand whose cards can be tapped; of a dummy, which lies face down, the card that is turned up next."""
    if seat == DUMMY:
        others = (f"■×{len(hand) - 1}",) if hand[1:] else ()
        return Row("hand", (*signs(hand[:1], on), *others), seat, (hand[0], *("" for _ in others)), "hand")
    held = _sorted(hand)
    return Row("hand", signs(held, on), seat, tuple(held), "hand")


def _sorted(cards: Sequence[str]) -> list[str]:
    """Return cards by suit, the highest first."""
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
    return sorted(cards, key=lambda card: (_SUITS.index(card[-1]), ranks.index(card[:-1])))


_HERE: Final = Path(__file__).parent / "lessons"
_DEALS: Final = {
    "classic": ("four", "four-mistake"), "modern": ("four", "four-mistake"), "solo4": ("four", "four-mistake"),
    "solo3": ("three", "three-mistake"), "duo_draw": ("draw", "draw-mistake"), "duo_dummy": ("dummy", "dummy-mistake"),
}  # fmt: skip
"""The deals of each way; four people may play the same cards in any of theirs."""


def _way(preset: str) -> Way:
    first, mistake = _DEALS[preset]
    deals = {
        "first": Watched(load(_HERE, first, preset), first, detailed=4),
        "mistake": Watched(load(_HERE, mistake, preset), mistake, detailed=0),
    }
    return Way(deals, _puzzles(preset), sheet(preset), why(preset))


_STARTS: Final = {
    "club_350": "modern", "four_deals": "modern", "suicide": "modern", "mirror": "modern", "whiz": "modern",
    "partners6": "modern", "solo3_jokers": "solo3",
}  # fmt: skip
LESSONS: Final = Lessons(
    ways={preset: _way(preset) for preset in _DEALS}, steps=steps, scene=scene, describe=describe, draw=draw, acts=acts,
    tap=tap, choice=_CHOICE, starts=_STARTS,
)  # fmt: skip
