"""Judging a capture: which value the card is played as, what it may take, how pile tops join in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.games.casino import articles as a
from companion.games.casino import relatives as rel
from companion.games.casino.capture import Reach, split
from companion.games.casino.layout import Layout, names
from companion.games.casino.options import CasinoRules
from companion.games.casino.plays import Play
from companion.games.casino.position import Build
from companion.games.casino.values import hand_values, numberless, total

Fault = tuple[Article, str, dict[str, object]]


def judge_capture(layout: Layout, play: Play) -> None:
    """One hand card takes loose cards, builds of its value and, where played so, pile tops (CASINO-301 to 313)."""
    material, rules = play.material, layout.rules
    if material.card is None:
        layout.ruling.breach(a.CAPTURE_WITH_HAND_CARD, "capture-without-card")
        return
    card = material.card
    layout.play_card(card)
    if not material.table and not material.piles and not material.builds:
        layout.ruling.breach(a.TAKES_SOMETHING, "takes-nothing", card=str(card))
    builds = [build for build in (layout.find(name) for name in dict.fromkeys(material.builds)) if build is not None]
    loose_before = tuple(layout.loose)
    layout.take_loose(tuple(dict.fromkeys(material.table)))
    if material.piles and rules.pile_cards != "augment_and_capture":
        layout.ruling.breach(a.NO_PILE_CAPTURE, "pile-capture", cards=names(one for _, one in material.piles))
    else:
        # One by one, for a capture may hold several sets and each may use the top that then lies bare.
        for pile in material.piles:
            layout.take_from_piles((pile,))
    _judge_value(layout, play, card, builds, loose_before)
    for build in builds:
        layout.builds.pop(build.id, None)
        layout.awaiting.pop(build.id, None)
    played = layout.place((card,))
    cards = layout.place((*material.table, *(one for _, one in material.piles)))
    taken = (*cards, *(one for build in builds for one in build.cards))
    layout.taken += [*played, *taken]
    if layout.side in layout.piles:
        new = [frozenset(layer) for layer in (played, taken) if layer]
        layout.piles[layout.side] = [*new, *layout.piles[layout.side]]
    layout.swept = not layout.loose and not layout.builds


def declared_values(rules: CasinoRules, card: Card, declared: int | None) -> tuple[int, ...]:
    """The values that the card may be played as; a court without a number has only 0; none for a wrong declaration."""
    values = hand_values(rules, card) or (0,)
    return values if declared is None else tuple(value for value in values if value == declared and value)


def value_article(rules: CasinoRules, card: Card) -> Article:
    """The article that says what this card counts."""
    if card.rank == "A":
        return {"1or14": a.ACE_DECLARED, "14": rel.FINNISH_VALUES, "1": rel.GIVEN_VALUES}[rules.ace_hand]
    if rules.special_hand_values and len(hand_values(rules, card)) == 1 and hand_values(rules, card)[0] > card.pips:
        return rel.SPECIAL_VALUES
    return a.CARD_VALUES if rules.court_values == "11_13" else rel.GIVEN_VALUES


def capture_faults(
    rules: CasinoRules,
    card: Card,
    value: int,
    table: Sequence[Card],
    builds: Sequence[Build],
    *,
    piles: Sequence[tuple[str, Card]] = (),
    loose: Sequence[Card] = (),
) -> list[Fault]:
    """Why the card, played as the value, does not take exactly this; empty where it does."""
    reach = Reach(rules, card, value)
    court = numberless(rules, card)
    swazi = rules.building == "swazi"
    faults: list[Fault] = []
    wrong = [build for build in builds if build.value != value]
    for build in wrong:
        article = rel.COURT_CAPTURE if court else a.CAPTURE_BUILD if swazi else rel.STANDARD_BUILD_CAPTURE
        told: dict[str, object] = {"build": build.id, "value": build.value, "card": str(card), "as": value}
        faults.append((article, "build-value", told))
    single = [one for _, one in piles]
    cards = [*table, *single]
    if cards and not _adds_up(reach, table, piles):
        if court:
            equal = all(one.rank == card.rank for one in cards)
            told = {"card": str(card), "cards": names(cards), "take": rules.court_take}
            article, code = (rel.COURT_TAKE, "court-count") if equal else (rel.COURT_CAPTURE, "court-capture")
            faults.append((article, code, told))
        elif len(reach.alone(cards)) not in (0, *reach.equal_counts()):
            told = {"card": str(card), "cards": names(cards), "take": rules.court_take}
            faults.append((rel.COURT_TAKE, "court-count", told))
        else:
            told = {"cards": names(cards), "value": value, "total": total(rules, cards)}
            faults.append((a.SUMS if swazi else rel.STANDARD_CAPTURE, "sets-do-not-add-up", told))
        if any(build.value + total(rules, cards) == value for build in wrong):
            faults.append((a.BUILD_NOT_IN_SUMS, "build-in-sum", {"builds": [build.id for build in wrong]}))
    if not rules.trail_equal:
        left = [one for one in reach.alone(loose) if one.rank == card.rank and one not in table]
        if left:
            faults.append((rel.EQUAL_CARDS_TAKEN, "equal-left", {"card": str(card), "cards": names(left)}))
    return faults


def _judge_value(layout: Layout, play: Play, card: Card, builds: Sequence[Build], loose: Sequence[Card]) -> None:
    rules, material = layout.rules, play.material
    repeated = sorted({str(one) for one in material.table if material.table.count(one) > 1})
    if repeated:
        layout.ruling.breach(layout.cite(a.SUMS, rel.STANDARD_CAPTURE), "card-in-two-sets", cards=repeated)
    values = declared_values(rules, card, play.declared)
    if not values:
        told = {"card": str(card), "declared": play.declared, "values": list(hand_values(rules, card))}
        layout.ruling.breach(value_article(rules, card), "declared-value", **told)
        return
    table = tuple(dict.fromkeys(material.table))
    tried = {
        value: capture_faults(rules, card, value, table, builds, piles=material.piles, loose=loose) for value in values
    }
    value, faults = min(tried.items(), key=lambda pair: len(pair[1]))
    for article, code, facts in faults:
        layout.ruling.breach(article, code, **facts)
    if faults:
        return
    alone = Reach(rules, card, value).alone(table)
    if alone:
        layout.ruling.allow(a.EQUAL_RANK if value else rel.COURT_CAPTURE, card=str(card), cards=names(alone))
    if len(alone) < len(table):
        layout.ruling.allow(layout.cite(a.SUMS, rel.STANDARD_CAPTURE), value=value, cards=names(table))
    if builds:
        layout.ruling.allow(layout.cite(a.CAPTURE_BUILD, rel.STANDARD_BUILD_CAPTURE), value=value)
    if material.piles:
        layout.ruling.allow(rel.PILE_TOPS_TAKEN, cards=names(one for _, one in material.piles))


def _adds_up(reach: Reach, table: Sequence[Card], piles: Sequence[tuple[str, Card]]) -> bool:
    """Whether the cards make sets, with one card of a pile in each at most and every pile used from its top."""
    if not piles:
        return split(reach, table) is not None
    queues: dict[str, tuple[Card, ...]] = {}
    for side, card in piles:
        queues[side] = (*queues.get(side, ()), card)
    return _chain(reach, tuple(table), tuple(queues.values()))


def _chain(reach: Reach, table: tuple[Card, ...], queues: tuple[tuple[Card, ...], ...]) -> bool:
    queues = tuple(queue for queue in queues if queue)
    if not queues:
        return not table or split(reach, table) is not None
    for place, (top, *_) in enumerate(queues):
        others = [queue[0] for number, queue in enumerate(queues) if number != place]
        for one in _sets_with(reach, top, (*table, *others)):
            rest = tuple(card for card in table if card not in one)
            if _chain(reach, rest, tuple(queue[1:] if queue[0] in one else queue for queue in queues)):
                return True
    return False


def _sets_with(reach: Reach, top: Card, others: Sequence[Card]) -> list[tuple[Card, ...]]:
    """The sets that hold this pile card, alone or with others."""
    found: list[tuple[Card, ...]] = [(top,)] if reach.equal(top) else []
    if reach.in_sums(top):
        fit = [card for card in others if reach.in_sums(card)]
        for size in range(1, min(len(fit), reach.value - 1) + 1):
            sets = ((top, *some) for some in combinations(fit, size))
            found += [one for one in sets if total(reach.rules, one) == reach.value]
    return found
