"""The judge against the list of all distributions: random positions and records with small packs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.engine.cards import pack, read_card
from companion.games.spades import table as judged
from companion.games.spades.rules import SpadesRules
from tests.spades.asking import Json, answer
from tests.spades.worlds import FACTS, RANKS, Play, Small, World, deciding, verdict, worlds

POSITIONS, RECORDS = 200, 60
MODES = {"partners4": "ABCD", "solo4": "ABCD", "solo3": "ABC", "duo_draw": "AB", "duo_dummy": ("A", "dummy", "B")}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes the judge play with a small pack."""
    now: dict[str, Any] = {}

    def use(table: Small) -> Small:
        kept = {read_card(card) for card in table.pack}
        promoted = tuple(read_card(card) for card in table.promoted)
        gone = tuple(card for card in pack() if card not in kept)
        now.update(pack=judged.SpadesPack("standard52", gone, promoted, "ace_high"), tricks=table.tricks)
        return table

    monkeypatch.setattr(judged, "_pack", lambda *_, **__: now["pack"])
    monkeypatch.setattr(SpadesRules, "tricks", property(lambda rules: now["tricks"]))
    return use


def some_table(rng: Random) -> Small:
    mode = rng.choice(list(MODES))
    seats = MODES[mode]
    options: dict[str, Any] = {"mode": mode}
    if rng.random() < 0.35:
        options["first_trick"] = rng.choice(["lowest_club", "lowest_club_strict"])
    elif rng.random() < 0.35:
        options["first_leader"] = "club_two"
        options["club_two_must_lead"] = rng.random() < 0.5
    if rng.random() < 0.1:
        options["lead_spades_anytime"] = True
    if rng.random() < 0.2:
        options["promoted_twos"] = ("2H",)
    options["double_blind_nil"] = rng.random() < 0.3
    tricks = 2 if len(seats) == 4 else rng.randint(2, 9 // len(seats))
    size = tricks * len(seats) + rng.choice([0, 1, 2, 2] if len(seats) > 2 else [0, 1, 2, 4])
    cards = ["2H", *rng.sample([rank + suit for suit in "CHS" for rank in RANKS[:7] if rank + suit != "2H"], size - 1)]
    if len(seats) == 4 and size == tricks * 4 + 2:
        options["deck"] = "jokers_dealer_discards"
    return Small(seats, tricks, tuple(cards), options)  # type: ignore[arg-type]


def calls_of(rng: Random, table: Small, dealer: str) -> tuple[list[Json], set[str]]:
    order = [seat for seat in table.seats if seat != "dummy"]
    while order[-1] != dealer:
        order = order[1:] + order[:1]
    blind = {s for s in order if table.options["double_blind_nil"] and rng.random() < 0.3}
    return [{"seat": s, "call": "double_blind_nil" if s in blind else 1} for s in order], {*blind, "dummy"}


class Deal:
    """A deal played by chance, more or less in turn, whatever the cards."""

    def __init__(self, rng: Random, table: Small) -> None:
        self.table, self.seats = table, list(table.seats)
        self.dealer = "A" if "dummy" in self.seats else rng.choice(self.seats)
        self.calls, self.exempt = calls_of(rng, table, self.dealer)
        cards = rng.sample(table.pack, len(table.pack))
        self.hands = {s: cards[n * table.tricks : (n + 1) * table.tricks] for n, s in enumerate(self.seats)}
        self.dead = cards[len(self.seats) * table.tricks :]
        self.discards_named = table.options.get("deck") == "jokers_dealer_discards" and rng.random() < 0.7
        self.plays: list[tuple[str, str]] = []
        self.turns: list[str | None] = []
        left = {seat: list(hand) for seat, hand in self.hands.items()}
        leader: str = self._first(rng)
        for number in range(1, table.tricks + 1):
            trick: list[tuple[str, str]] = []
            together = number == 1 and table.options.get("first_trick") == "lowest_club"
            waiting = [self.seats[(self.seats.index(leader) + n) % len(self.seats)] for n in range(len(self.seats))]
            free = number == 1 and self.first_by_cards
            while waiting:
                due = None if together or (free and not trick) else waiting[0]
                seat = waiting.pop(0) if rng.random() < 0.93 else waiting.pop(rng.randrange(len(waiting)))
                if trick and not together:
                    order = [self._after(trick[0][0], n) for n in range(1, len(self.seats))]
                    due = next(one for one in order if one not in {s for s, _ in trick})
                card = left[seat].pop(0 if seat in self.exempt else rng.randrange(len(left[seat])))
                trick.append((seat, card))
                self.turns.append(due)
                self.plays.append((seat, card))
            leader = table.winner(trick, first=number == 1)

    def _after(self, seat: str, steps: int) -> str:
        return self.seats[(self.seats.index(seat) + steps) % len(self.seats)]

    @property
    def first_by_cards(self) -> bool:
        options = self.table.options
        return options.get("first_trick", "normal") != "normal" or options.get("first_leader") == "club_two"

    def _first(self, rng: Random) -> str:
        if self.first_by_cards:
            return rng.choice(self.seats)
        return self._after(self.dealer, 1)

    def play(self, place: int) -> Play:
        """One play as the oracle sees it."""
        size = len(self.seats)
        start = place - place % size
        seat, card = self.plays[place]
        return Play(
            seat, card, tuple(self.plays[start:place]), place // size + 1,
            frozenset(c for _, c in self.plays[:start]), self.turns[place], seat in self.exempt,
        )  # fmt: skip

    def left(self, seat: str, place: int) -> list[str]:
        """The hand of a seat before a play, the top card first."""
        gone = {card for _, card in self.plays[:place]}
        return [card for card in self.hands[seat] if card not in gone]


def as_json(plays: list[tuple[str, str]]) -> list[Json]:
    return [{"seat": seat, "card": card} for seat, card in plays]


def options_of(table: Small) -> Json:
    return {"options": {name: list(v) if isinstance(v, tuple) else v for name, v in table.options.items()}}


# Positions -----------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A position and a move, the verdict by definition, and every smallest set of facts that would decide."""

    position: Json
    play: Play
    expected: str
    decide: list[set[str]]


def some_position(rng: Random, deal: Deal) -> Asked:
    """A position of the deal with facts left out and now and then a wrong one, and a move."""
    table, size = deal.table, len(deal.seats)
    place = rng.randrange(len(deal.plays))
    play = deal.play(place)
    start = place - len(play.trick)
    earlier = [card for _, card in deal.plays[:start]]
    named = earlier if rng.random() < 0.4 else rng.sample(earlier, rng.randint(0, len(earlier)))
    hand = deal.left(play.seat, place) if rng.random() < 0.3 else None
    numbered = rng.random() < 0.7
    spade = any(table.suit(card) == "S" for card in earlier)
    flag = rng.choice([None, None, spade, spade, spade, not spade])
    if hand is None and rng.random() < 0.15:
        play = play._replace(card=rng.choice([c for c in table.pack if (play.seat, c) not in deal.plays[start:place]]))
    position: Json = {
        "phase": "play", "seats": deal.seats, "dealer": deal.dealer, "trick": as_json(list(play.trick)),
        "calls": deal.calls, "spades_broken": flag, "hand": hand,
    }  # fmt: skip
    if named or rng.random() < 0.5:
        position["played"] = named
    if numbered:
        position["trick_number"] = play.number
    if rng.random() < 0.3:
        del position["dealer"]
    if not play.trick and (play.number > 1 or not numbered) and deal.turns[place] and rng.random() < 0.6:
        position["leader"] = deal.turns[place]
    elif not play.trick:
        play = play._replace(turn=None, by_dealer=not deal.first_by_cards)
    return Asked(position, play, *by_definition(deal, play, position, named, size))


def by_definition(deal: Deal, play: Play, position: Json, named: list[str], size: int) -> tuple[str, list[set[str]]]:
    table, hand = deal.table, position["hand"]
    shown = {*named, *(card for _, card in play.trick), *(hand or ())}
    hidden = [card for card in table.pack if card not in shown]
    on_table = sum(seat == play.seat for seat, _ in play.trick)
    possible: list[World] = []
    dealers = ["A"] if "dummy" in deal.seats else deal.seats if "dealer" not in position else [deal.dealer]
    for number in [position["trick_number"]] if "trick_number" in position else range(1, table.tricks + 1):
        mine = table.tricks - number + 1 - on_table
        gone = (number - 1) * size - len(named)
        if hand is not None and len(hand) > mine:  # fewer are the whole hand all the same
            continue
        if number == table.tricks and any(seat == play.seat for seat, _ in play.trick):
            continue
        found = worlds(hidden, 0 if hand is not None else mine, table.dead, gone, hand or (), ())
        possible += [world._replace(number=number, dealer=dealer) for world in found for dealer in dealers]
    flag, spades = position["spades_broken"], table.suits["S"]
    shown_broken = not spades.isdisjoint(named)
    ruffed = not spades.isdisjoint(card for _, card in play.trick)

    def agrees(world: World) -> bool:
        broken = shown_broken or not spades.isdisjoint(world.earlier)
        return flag is None or flag == broken or (flag and ruffed)

    judged = play._replace(seen=frozenset(named), number=position.get("trick_number", 0))
    expected = verdict(table, judged, possible, agrees)
    if expected == "impossible":
        return expected, []
    if play.card in named or play.card in {card for _, card in play.trick}:
        return "illegal", []
    if play.exempt and hand and play.card != hand[0]:
        return "illegal", []
    left = [world for world in possible if play.card in world.hand and agrees(world)]
    unsaid = [fact for fact in FACTS if position.get(fact) is None]
    return expected, deciding(table, judged, left, unsaid) if expected == "undecided" else []


def test_every_verdict_on_a_position_is_that_of_all_distributions(small: Any, soak_round: int, soaked: Any) -> None:
    rng, found = Random(2026 + soak_round), Counter[str]()
    for _ in range(POSITIONS):
        table = small(some_table(rng))
        deal = Deal(rng, table)
        position, play, expected, decide = some_position(rng, deal)
        move = {"type": "play", "seat": play.seat, "card": play.card}
        request = {"rules": options_of(table), "position": position, "move": move}
        status, body = answer("check", request)
        got = body["verdict"] if status == 200 else "impossible"
        assert got == expected, (expected, str(table), str(request), str(body))
        if status == 200:
            assert bool(body["breaches"]) == (got == "illegal")
            missing = {one["fact"] for one in body["missing"]}
            assert missing in decide if got == "undecided" else not missing, (decide, str(table), str(request), body)
        else:
            assert {error["code"] for error in body["errors"]} == {"impossible-position"}
        found[got] += 1
        found["open"] += not {"trick_number", "dealer"} <= position.keys()
    soaked(positions=POSITIONS, without_number_or_dealer=found["open"])
    assert found["open"] > POSITIONS / 3, found
    assert min(found[kind] for kind in ("legal", "illegal", "undecided", "impossible")) > POSITIONS / 50, found


# Records -------------------------------------------------------------------------------------------------------------


def expectations(deal: Deal, length: int, known: set[str], exchange: Exchanged | None) -> Iterator[tuple[str, str]]:
    """For each play of a record: the verdict at the time and with the whole record, by definition."""
    for place in range(length):
        play = deal.play(place)
        yield tuple(_at(deal, play, place, upto, known, exchange) for upto in (place, length))  # type: ignore[misc]


def _at(deal: Deal, play: Play, place: int, upto: int, known: set[str], exchange: Exchanged | None) -> str:
    """The verdict on a play where the record is known up to some play, some hands as dealt, and what was exchanged."""
    table, upto, mover = deal.table, max(upto, place + 1), play.seat
    shown = deal.plays[:upto]
    gone = {card for _, card in deal.plays[:place]}
    held = [(seat, {card}) for seat, card in shown[place:]]
    pools: list[tuple[set[str], int]] = []
    for seat in known:
        if exchange is None or seat not in exchange.given:
            held.append((seat, set(deal.hands[seat])))
        elif seat in exchange.named:
            held.append((seat, exchange.dealt[seat] - exchange.given[seat]))
        else:
            pool, partner = exchange.dealt[seat], exchange.partner(seat)
            if mover in (seat, partner):
                count = len(exchange.given[seat])
                pools.append((pool, count if mover == partner else table.tricks - count))
            else:
                held.append((partner, pool))
    for seat in exchange.named if exchange else ():
        held.append((exchange.partner(seat), exchange.given[seat]))  # type: ignore[union-attr]
    hand = set().union(*(cards for seat, cards in held if seat == mover)) - gone
    others = set().union(*(cards for seat, cards in held if seat != mover)) - gone
    laid = set(deal.dead) if deal.discards_named else set[str]()
    hidden = [card for card in table.pack if card not in gone | others | hand | laid]
    played = {card for seat, card in deal.plays[:place] if seat == mover}
    mine = table.tricks - len(played) - len(hand)
    if play.exempt and mover in known and play.card != deal.left(mover, place)[0]:
        return "illegal"

    def agrees(world: World) -> bool:
        return all(len(pool & (played | world.hand)) == count and pool.isdisjoint(world.dead) for pool, count in pools)

    dead = table.dead - len(laid)
    return verdict(table, play, worlds(hidden, mine, dead, 0, hand, others, laid), agrees)


def out_of_turn(table: Small, plays: list[tuple[str, str]]) -> int:
    """How many play out of turn after the first lead; whoever led after a trick with an unknown card was in turn."""
    found, size = 0, len(table.seats)
    for place, (seat, _) in enumerate(plays):
        trick, last = plays[place - place % size : place], plays[max(place - size, 0) : place]
        there = {one for one, _ in trick}
        if trick and (place > size or table.options.get("first_trick") != "lowest_club"):
            at = table.seats.index(trick[0][0])
            found += seat != next(one for one in (*table.seats[at:], *table.seats[:at]) if one not in there)
        elif place >= size and "" not in {card for _, card in last}:
            found += seat != table.winner(last, first=place == size)
    return found


def explained(table: Small, plays: list[tuple[str, str]]) -> bool:
    """Whether fewer play out of turn if one play was left out of the record."""
    fuller = [
        [*plays[:gap], (seat, ""), *plays[gap:]]
        for gap in range(len(plays)) for seat in table.seats if len(plays) < table.tricks * len(table.seats)
    ]  # fmt: skip
    return any(out_of_turn(table, one) < out_of_turn(table, plays) for one in fuller)


class Exchanged:
    """Cards that two partners gave each other: the hands as dealt, what each gave, and whose cards are named."""

    def __init__(self, rng: Random, deal: Deal, side: str) -> None:
        count = rng.randint(1, deal.table.tricks)
        self.side, self.count = side, count
        # The hands of the deal are those that were played, so a card that was given is now the partner's.
        self.given = {seat: set(rng.sample(deal.hands[self.partner(seat)], count)) for seat in side}
        self.dealt = {
            seat: (set(deal.hands[seat]) - self.given[self.partner(seat)]) | self.given[seat] for seat in side
        }
        self.named = {seat for seat in side if rng.random() < 0.4}

    def partner(self, seat: str) -> str:
        return self.side[1 - self.side.index(seat)]

    def plain(self) -> Json:
        cards = {seat: sorted(self.given[seat]) for seat in sorted(self.named)}
        return {"side": "+".join(self.side), "counts": [self.count] * 2} | ({"cards": cards} if cards else {})


def some_exchange(rng: Random, deal: Deal) -> Exchanged | None:
    """An exchange of a side with a nil, where partners play and nobody of the side plays unseen."""
    if len(deal.seats) != 4 or deal.table.options["mode"] != "partners4" or rng.random() < 0.3:
        return None
    side = rng.choice(["AC", "BD"])
    if deal.exempt & set(side):
        return None
    found = Exchanged(rng, deal, side)
    deal.table.options["nil_exchange"] = found.count
    next(call for call in deal.calls if call["seat"] in side)["call"] = "nil"
    return found


def test_every_verdict_on_a_record_is_that_of_all_distributions(small: Any, soak_round: int, soaked: Any) -> None:
    rng, found = Random(1926 + soak_round), Counter[str]()
    for _ in range(RECORDS):
        table = small(some_table(rng))
        deal = Deal(rng, table)
        length = rng.choice([len(deal.plays), rng.randint(0, len(deal.plays))])
        known = {seat for seat in deal.seats if rng.random() < 0.25}
        exchange = some_exchange(rng, deal)
        dealt = {seat: list(deal.hands[seat]) for seat in known}
        if exchange is not None:
            dealt |= {
                seat: rng.sample(sorted(exchange.dealt[seat]), table.tricks) for seat in known & set(exchange.side)
            }
        request = {
            "rules": options_of(table), "seats": deal.seats, "dealer": deal.dealer, "calls": deal.calls,
            "plays": as_json(deal.plays[:length]), "hands": dealt,
            "exchanges": [exchange.plain()] if exchange else [], "discards": deal.dead if deal.discards_named else [],
        }  # fmt: skip
        status, body = answer("replay", request)
        assert status == 200, (table, request, body)
        verdicts = body["verdicts"][len(deal.calls) + (exchange is not None) :]
        found["exchange"] += exchange is not None
        found["discards"] += deal.discards_named
        faults, doubtful = [], explained(table, deal.plays[:length])
        for place, (then, settled) in enumerate(expectations(deal, length, known, exchange)):
            got = verdicts[place]
            if doubtful and [one["fact"] for one in got["missing"]] == ["plays"]:
                assert (got["verdict"], got["settled"]) == ("undecided", None)
                found["doubtful"] += 1
                continue
            assert got["verdict"] == then, (then, place, str(table), str(request), str(got))
            assert got["settled"] == (None if settled == "undecided" else settled), (
                settled,
                place,
                str(table),
                str(request),
                str(got),
            )
            found[f"{then}-{settled}"] += 1
            if settled == "illegal":
                faults.append((place // len(deal.seats) + 1, *deal.plays[place]))
        told = {(one["trick"], one["seat"], one["card"]) for one in body["findings"]}
        assert told == set(faults), str((table, request, body["findings"]))
    soaked(records=RECORDS)
    assert min(found["undecided-illegal"], found["undecided-legal"]) > 5, found
    assert min(found["exchange"], found["discards"]) > 0, found
