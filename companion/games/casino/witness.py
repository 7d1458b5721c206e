"""What shows a verdict on a turn to be right: two deals of the hidden cards, or the counts that leave no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.problems import JsonObject, NamedFacts
from companion.engine.verdict import LEGAL, TRUE, UNDECIDED, AnyOf, Claim, Cut, Step, Verdict, Witness, World, negation
from companion.games.casino.hidden import BITS, STOCK, Unseen, fact_of
from companion.games.casino.table import Layout, capturers, hand_values, names

_HANDS_KEPT: Final = 4
"""Cards in a hidden hand where nothing tells how far the deal has got."""
_FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "card-not-held": ("hand",), "value-not-held": ("hand",), "capturer-used-up": ("hand", "builds"),
    "not-pile-top": ("piles",), "value-taken": ("builds",), "raise-own": ("builds",), "second-build": ("builds",),
}  # fmt: skip
"""Facts that show a breach; the table where none are named."""


def witness(verdict: Verdict) -> Witness:
    """Return what shows a verdict on a turn; nothing for moves about which nothing is hidden."""
    if not verdict.grounds or not isinstance(layout := verdict.grounds[0].case, Layout):
        return Witness()
    ground, seat, unseen = verdict.grounds[0], layout.player, layout.unseen()
    broken = TRUE if ground.breaches else AnyOf(tuple([question.claim for question in ground.questions]))
    if verdict.value == UNDECIDED:
        return _two_deals(layout, unseen, broken)
    legal = verdict.value == LEGAL
    alone = None if ground.breaches or legal else ground.decisive(unseen.world)
    sought = broken if legal else negation(alone.claim if alone else broken)
    asked = [each.facts for each in ground.questions if alone in (None, each)]
    chain = () if ground.breaches else tuple(_steps(layout, asked, unseen.world(sought)))
    if not (chain or alone or legal or ground.breaches):  # claims of two rules that exclude each other need no count
        rules = [one.article.id for one in ground.questions]
        chain = (Step("either-way", {"seat": seat, "article": rules[0], "cited": rules[-1], "cards": []}),)
    facts = ("hand", "builds") if chain else _FACTS.get(verdict.breaches[0].code, ()) if verdict.breaches else ()
    named = tuple([name for name in facts or ("table", "builds") if getattr(layout.position, name)])
    world = next((one for each in _likely(layout, unseen) if not isinstance(one := each.world(TRUE), tuple)), None)
    return Witness(seat, _shown(layout, world) if legal and world else None, facts=named, chain=chain)


def _two_deals(layout: Layout, unseen: Unseen, broken: Claim) -> Witness:
    """Return a deal where the turn is legal and one where it is not, with few cards that change places."""
    for known in _likely(layout, unseen):
        legal = known.world(negation(broken))
        illegal = legal if isinstance(legal, tuple) else known.world(broken, legal)
        if not isinstance(legal, tuple) and not isinstance(illegal, tuple):
            where = {bit: place for place, bits in legal.items() for bit in bits}
            moved = [bit for place, bits in illegal.items() for bit in bits if where[bit] != place]
            changed = [card for card in BITS if BITS[card] in moved]
            return Witness(layout.player, _shown(layout, legal), _shown(layout, illegal), tuple(names(changed)))
    return Witness(layout.player)


def _likely(layout: Layout, unseen: Unseen) -> Iterator[Unseen]:
    """Yield what is known with hands as large as they are likely to be, then without."""
    hands = [place for place in unseen.places if fact_of(place.name)[0] == "hand"]
    sides = {layout.seats.side(seat) for seat in layout.seats.names}
    hand = layout.position.hand
    left = unseen.cards.bit_count() - sum(place.most for place in unseen.places if place.name == STOCK)
    size = len(hand) if hand else left // len(hands) if hands and sides <= layout.piles.keys() else _HANDS_KEPT
    for count in (size, size + 1):
        sizes = {place.name: 1 for place in unseen.places if fact_of(place.name)[0] == "pile"}
        sizes |= {place.name: min(max(count, place.least), place.most) for place in hands}
        places = [
            replace(one, least=sizes.get(one.name, one.least), most=sizes.get(one.name, one.most))
            for one in unseen.places
        ]
        if (likely := replace(unseen, places=tuple(places))).consistent:
            yield likely
    yield unseen


def _shown(layout: Layout, world: World) -> JsonObject:
    """Return a deal as JSON: the hands beside the cards that the turn shows, and every other hidden place."""
    cards = {place: [card for card in BITS if BITS[card] in bits] for place, bits in world.items()}
    shown: dict[str, Any] = {"hands": {}, "piles": {}}
    for place, held in cards.items():
        fact, name = fact_of(place)
        if name is not None:
            shown[f"{fact}s"].setdefault(name, []).extend(names(held))
    shown["stock"] = names(cards.get(STOCK, []))
    if STOCK in cards and layout.position.half is None:
        shown["half"] = 1 if shown["stock"] else 2
    return {place: held for place, held in shown.items() if held}


def _steps(layout: Layout, facts: Sequence[NamedFacts], cuts: World | tuple[Cut, ...]) -> Iterator[Step]:
    """Yield the counts that rule something out, each by the value that the cards are needed for."""
    found, unseen = cuts if isinstance(cuts, tuple) else (), layout.unseen()
    if any(STOCK in cut.places for cut in found):
        later = next(place.most for place in unseen.places if place.name == STOCK)
        if (count := unseen.cards.bit_count() - len(layout.shown)) < later:
            yield Step("second-half", {"count": count, "seats": later, "cards": []})
    rules, position = layout.rules, layout.position
    hidden = unseen.cards & ~sum({BITS[one.card] for one in layout.shown})
    built = {card for build in position.builds for card in build.cards}
    places = {"on_table": position.table, "in_builds": built, "just_played": layout.played}
    aces = hand_values(rules, Card("A", "S"))
    courts = "not used" if rules.deck == 40 else "no number" if rules.court_values == "none" else None
    for cut in found:
        seat = next((name for place in cut.places if (name := fact_of(place)[1])), "")
        asked = [one["value"] for one in facts if one.get("seat") == seat and isinstance(one.get("value"), int)]
        for value in dict.fromkeys(asked):
            fit = capturers(rules, value)
            left = {card for card in fit if BITS[card] & hidden}
            counted = {card for card in BITS if BITS[card] & cut.cards}
            if counted <= fit and (counted or not left):
                where = {place: names(sorted(fit & set(cards))) for place, cards in places.items()}
                known = fit - left - {card for cards in places.values() for card in cards}
                yield Step("too-few" if cut.count else "none-left", {
                    "value": value, "cards": names(sorted(fit)), "count": cut.count, "seats": cut.seats, "seat": seat,
                    "fitting": len(fit), **where, "seen_before": names(sorted(known)), "aces": aces,
                    "courts": courts, "special": rules.special_hand_values,
                })  # fmt: skip
