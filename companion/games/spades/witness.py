"""What shows a verdict on a card to be right: two worlds, or the counts that leave no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.engine.problems import JsonObject
from companion.engine.verdict import (
    LEGAL,
    TRUE,
    UNDECIDED,
    AnyOf,
    Claim,
    Cut,
    Ground,
    Knowledge,
    Step,
    Verdict,
    Witness,
    World,
    bounds_of,
    negation,
)
from companion.games.spades.play import DEAD, EARLIER, HAND, OTHERS, Situation, dead_cards, dealing_rule, lead_rule

_PLACING: Final = ("trick_number", "trick", "played", "spades_broken", "hand")
"""Facts that say where cards can be."""
_TURN: Final = ("trick_number", "trick", "leader", "calls")
_LED: Final = ("trick", "spades_broken", "played", "hand")


def witness(verdict: Verdict) -> Witness:
    """Return what shows a verdict on a card; nothing for moves that do not depend on hidden cards."""
    found = [case for ground in verdict.grounds for case in _cases(ground)]
    if not found:
        return Witness()
    at = found[0].at
    if verdict.value == UNDECIDED:
        return _two_worlds(found)
    legal = verdict.value == LEGAL
    cuts = {(case.number, cut): case for case in found for cut in case.cuts(legal=not legal)}
    numbered = not at.position.trick_number or len({case.number for case in found}) > 1
    chain = tuple([_step(case, cut, held=not legal, numbered=numbered) for (_, cut), case in cuts.items()])
    facts = _PLACING if chain else _LED if legal or found[0].ground.breaches[0].code in _OF_CARDS else _TURN
    known = tuple([name for name in facts if getattr(at.position, name) not in (None, ())])
    return Witness(at.play.seat, _first(found) if legal else None, facts=known, chain=chain)


_OF_CARDS: Final = ("must-follow", "spades-not-broken", "first-trick-lowest-club", "first-trick-no-spade")


class _Case:
    """One trick that it may be in one case of the table: what is known in it, and when the card is illegal."""

    def __init__(self, ground: Ground, at: Situation, number: int, known: Knowledge) -> None:
        self.ground, self.at, self.number, self.known = ground, at, number, known
        asked = {question.code for question in ground.questions}
        certain = any(breach.code not in asked | {"club-holder-leads-spade"} for breach in ground.breaches)
        if certain and ground.breaches[0].code == "card-not-in-hand" and at.position.hand is None:
            certain = False  # no world has the card there
        self.broken: Claim = TRUE if certain else AnyOf(tuple([question.claim for question in ground.questions]))

    def world(self, *, legal: bool, like: World | None = None) -> World | tuple[Cut, ...]:
        """Return a world where the card is legal or illegal, or why there is none."""
        return self.known.world(negation(self.broken) if legal else self.broken, like)

    def cuts(self, *, legal: bool) -> tuple[Cut, ...]:
        """Return why there is no world where the card is legal, or illegal."""
        one = self.ground.decisive(self.known.world) if legal and self.broken != TRUE else None
        self.asked = one.claim if one else self.broken
        found = self.known.world(negation(self.asked)) if legal else self.world(legal=False)
        cuts = [cut for cut in found if cut.count >= 0] if isinstance(found, tuple) else []
        if self.at.position.hand is not None:  # what a known hand lacks needs no count
            cuts = [cut for cut in cuts if HAND not in cut.places or DEAD in cut.places]
        # where some cards have no room, more of them have none either
        return tuple([one for one in cuts if not any(_implies(other, one) for other in cuts)])


def _cases(ground: Ground) -> Iterator[_Case]:
    """Yield the tricks that it may be, the last first: few cards are easily looked through."""
    at = ground.case
    if isinstance(at, Situation):
        played = len(at.position.played or ())
        for known in reversed(list(at.holding.worlds())):
            earlier = next(place.least for place in known.places if place.name == EARLIER)
            number = at.position.trick_number or (earlier + played) // len(at.position.table.seats) + 1
            yield _Case(ground, at, number, known)


def _two_worlds(cases: Sequence[_Case]) -> Witness:
    """Return a world where the card is legal and one where it is not, in the same case if that can be."""
    found: dict[bool, tuple[_Case, World]] = {}
    for one in cases:
        here = {
            legal: (one, world) for legal in (True, False) if not isinstance(world := one.world(legal=legal), tuple)
        }
        found = here if len(here) == 2 else {**here, **found}
        if len(here) == 2:
            break
    if len(found) < 2:
        return Witness(cases[0].at.play.seat)
    several = len({case.at.position.calls for case in cases}) > 1
    pairs = []
    for legal in (True, False):  # from which of the two fewer cards have to move is seen by trying
        (case, first), (other, second) = found[legal], found[not legal]
        again = other.world(legal=not legal, like=first)
        shown = _shown(case, first, {}, several=several)
        against = _shown(other, second if isinstance(again, tuple) else again, shown["hands"], several=several)
        changed = tuple([card for _, card in Counter(_where(shown)) - Counter(_where(against))])
        pairs.append((shown, against, changed) if legal else (against, shown, changed))
    return Witness(cases[0].at.play.seat, *min(pairs, key=lambda pair: len(pair[2])))


def _first(cases: Sequence[_Case]) -> JsonObject | None:
    """Return the first world where the card is legal."""
    several = len({case.at.position.calls for case in cases}) > 1
    worlds = ((case, case.world(legal=True)) for case in cases)
    return next((_shown(case, at, {}, several=several) for case, at in worlds if not isinstance(at, tuple)), None)


def _shown(case: _Case, world: World, like: Mapping[str, Sequence[str]], *, several: bool) -> JsonObject:
    """Return a world as JSON; players keep the cards that they have in `like` where they can."""
    at, position = case.at, case.at.position
    table, named = position.table, at.pack.named
    on_table = [one.seat for one in position.trick]
    left = sorted(world[OTHERS], key=lambda bit: bit.bit_length() * 29 % 61)  # hands of several suits
    hands = {at.play.seat: named(sum(world[HAND]))}
    for seat in () if at.find_holding else table.after(at.play.seat)[:-1]:
        count = table.rules.tricks - case.number + 1 - on_table.count(seat)
        kept = [bit for bit in left if at.pack.named(bit)[0] in like.get(seat, ())]
        mine = (kept + [bit for bit in left if bit not in kept])[:count]
        hands[seat] = named(sum(mine))
        left = [bit for bit in left if bit not in mine]
    shown = {"trick_number": case.number, "hands": hands}
    for name, cards in (
        ("earlier", world[EARLIER]),
        ("dead", world[DEAD]),
        ("others" if at.find_holding else "left_out", left),
    ):
        if cards:
            shown[name] = named(sum(cards))
    if table.dealer is not None:
        shown["dealer"] = table.dealer
    if several and position.calls is not None:
        callers = [{"seat": call.seat} if call.seat else {"side": call.side} for call in position.calls]
        shown["calls"] = [{**who, "call": call.spoken} for who, call in zip(callers, position.calls, strict=True)]
    return shown


def _where(world: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the place of every card of a world."""
    places = {**world["hands"], **{name: world.get(name, ()) for name in ("earlier", "dead", "others", "left_out")}}
    for place, cards in places.items():
        yield from [(place, card) for card in cards]


def _step(case: _Case, cut: Cut, *, held: bool, numbered: bool) -> Step:
    """Return a count as one link of a chain; `held` says that it shows what is in the hand, not what is not."""
    at, pack, places = case.at, case.at.pack, list(dict.fromkeys(cut.places))
    rules, hand = at.rules, at.position.hand
    asked = next((bound.cards for bound in bounds_of(case.asked) if bound.place == HAND), 0)
    code = "too-few" if cut.need else "too-many"
    if cut.need and places == [HAND]:
        code = "few-others" if held else "none-left" if not cut.count else code
    elif held and not cut.need and not cut.cards & ~pack.suits["C"]:
        code = "club-holder"
    elif cut.cards == pack.trump_bits & at.holding.hidden and {HAND, OTHERS, DEAD} == {*places}:
        code = "spade-before"
    suit = next((suit for suit, cards in pack.suits.items() if cards == asked), None)
    others = sum(pack.suits.values()) & ~asked if held else asked
    seen = others & ~at.holding.hidden
    mine = pack.suits["C"] & at.own
    left = rules.tricks - case.number
    return Step(code, {
        "places": places, "cards": pack.named(cut.cards), "count": cut.count, "seats": cut.seats, "need": cut.need,
        "seat": at.play.seat, "trick": case.number if numbered else None, "sure": abs(cut.seats - cut.count),
        "suit": suit, "strip": _strip(at, pack.suits[suit]) if suit and places == [HAND] else {},
        "card": str(at.card), "before": case.number - 1, "dealt": rules.tricks, "counted": cut.seats == left,
        "spades": others == pack.trump_bits, "total": others.bit_count(), "seen": pack.named(seen),
        "number_seen": seen.bit_count(), "summed": (others & ~seen).bit_count() == cut.count,
        "asked": pack.named(asked), "extra": [card for card in pack.named(pack.trump_bits) if card[-1:] != "S"],
        "out": dead_cards(at.position.table), "pack": pack.whole.bit_count(), "players": len(at.position.table.seats),
        "dead": DEAD in places, "hand": len(hand or ()), "lowest": pack.named(mine)[:1],
        "club": [card for card in pack.named(pack.suits["C"])[:1] if card != "2C"],
        "cited": dealing_rule(rules).id, "blind": rules.double_blind_nil, "discarded": rules.dealer_extra,
        "dummy": rules.mode == "duo_dummy", **({"article": lead_rule(rules).id} if code == "club-holder" else {}),
    })  # fmt: skip


def _implies(cut: Cut, other: Cut) -> bool:
    same = {*cut.places} == {*other.places} and not (cut.need or other.need) and cut.seats == other.seats
    return same and cut.cards != other.cards and cut.cards & ~other.cards == 0


def _strip(at: Situation, cards: int) -> dict[str, str]:
    """Return the cards of a suit, the lowest first, each with where it was seen."""
    table, seen = at.pack.mask(one.card for one in at.position.trick), at.seen
    mine = at.own
    where = {"table": table, "played": seen & ~table, "hand": mine & ~seen}
    return {
        str(card): next((name for name, there in where.items() if bit & there), "unseen")
        for card, bit in at.pack.bits.items() if bit & cards
    }  # fmt: skip
