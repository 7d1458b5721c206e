"""Extra points of a deal: ten bids, last tricks, bids above six, all tricks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.engine.cards import Card
from companion.engine.ledger import Line
from companion.games.spades import articles as a
from companion.games.spades import facts as f
from companion.games.spades.contract import Result
from companion.games.spades.options import SpadesRules
from companion.games.spades.pack import SpadesPack, pack_of

TEN_BONUS: Final = 200
PER_CARD: Final = 10


def bonus_lines(rules: SpadesRules, facts: f.SideFacts, result: Result) -> Iterator[Line]:
    """The bonuses of one side's deal in the order of 1.9 (SPADES-200, 201, 205, 203, 204, 208)."""
    bid = result.bid
    if bid is not None and not result.is_moon and not result.first_hand:
        yield from _ten_bonus(rules, bid, result)
        if rules.above_six_bonus and result.made and bid > 6:
            yield Line(a.ABOVE_SIX.id, 10 * (bid - 6), {"bid": bid})
        if result.made and result.exact:
            yield from _last_tricks(rules, facts.last_tricks)
    if rules.all_tricks_bonus and facts.tricks == rules.tricks and not result.is_moon:
        yield Line(a.ALL_TRICKS_BONUS.id, rules.all_tricks_bonus, {"tricks": facts.tricks})


def _ten_bonus(rules: SpadesRules, bid: int, result: Result) -> Iterator[Line]:
    told = {"bid": bid, "taken": result.taken, "made": result.made}
    if rules.ten_bonus == "plus200" and bid >= 10:
        if result.made:
            yield Line(a.TEN_BONUS.id, TEN_BONUS, told)
        elif rules.ten_bonus_failure != "none":
            yield Line(a.TEN_BONUS.id, -TEN_BONUS, told)
    elif rules.ten_bonus == "exact200" and bid == 10 and result.exact and result.made:
        yield Line(a.EXACT_TEN.id, TEN_BONUS, told)


def _last_tricks(rules: SpadesRules, cards: tuple[Card, ...]) -> Iterator[Line]:
    """Ten a card for the longest run of high trumps that ends in the last trick, else ten for the last trick alone."""
    if not cards:
        return
    pack = pack_of(rules)
    length = _run(pack, cards)
    if rules.last_sequence_bonus and length >= 2:
        told = {"cards": [str(card) for card in cards[:length]], "count": length}
        yield Line(a.LAST_SEQUENCE.id, PER_CARD * length, told)
    elif rules.last_trick_bonus and pack.high_trump(cards[0]):
        yield Line(a.LAST_TRICK.id, PER_CARD, {"card": str(cards[0])})


def _run(pack: SpadesPack, cards: tuple[Card, ...]) -> int:
    """The longest start of the list whose cards are high trumps next to each other in strength, in any order (A-39)."""
    best, places = 0, []
    for count, card in enumerate(cards, start=1):
        if not pack.high_trump(card):
            break
        places.append(pack.strength(card))
        if max(places) - min(places) == count - 1:
            best = count
    return best
