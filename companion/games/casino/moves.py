"""Legal turns and captures, listed, and what an opponent may demand of an announced play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, combinations_with_replacement, islice, product, takewhile
from operator import add, le
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.problems import JsonObject, Node, Problem, Refused
from companion.engine.verdict import LEGAL, Missing
from companion.games.casino import articles as a
from companion.games.casino.capture import (
    Reach,
    by_rank,
    declared_values,
    largest,
    play_turn,
    set_types,
    sets_in,
    value_article,
)
from companion.games.casino.rules import CasinoRules
from companion.games.casino.shapes import DemandRequest, MovesRequest
from companion.games.casino.table import (
    AUGMENT,
    BUILD,
    CAPTURE,
    RAISE,
    TRAIL,
    Base,
    Layout,
    Material,
    Play,
    Position,
    alone_values,
    capturers,
    full_pack,
    hand_values,
    highest_value,
    makes,
    names,
    read_against,
    set_value,
    total,
)

_LIST_CAP: Final = 200
"""Sets or captures listed at most."""
_SMALL_LAYOUT: Final = 12
"""Loose cards up to which all complete captures are listed."""
_STATES: Final = 400
"""Ways to take cards from piles that are tried at most."""
_MOST_WAYS: Final = 60
"""Those for which every complete capture is listed."""
_NOTHING: Final = Material()
_ADDED: Final = ("augment", "augment_and_capture")
"""House rules by which pile cards can be added to builds."""


def minimal_sets(reach: Reach, loose: Sequence[Card], *, cap: int = _LIST_CAP) -> tuple[list[tuple[Card, ...]], bool]:
    """Return the sets that can be taken each by itself, singles first, and whether the list was cut at the cap."""
    sets = [*islice(sets_in(reach, loose), cap + 1)]
    return sets[:cap], len(sets) > cap


def complete_captures(
    reach: Reach, loose: Sequence[Card], *, maximum: bool = False, cap: int = _LIST_CAP
) -> tuple[list[tuple[Card, ...]], bool]:
    """Return all captures to which no loose card can be added, largest first, and whether the list was cut.

    With `maximum` only those of the greatest number of cards. For layouts of `_SMALL_LAYOUT` cards at most.
    """
    summed = by_rank(sorted(reach.summed(loose), key=lambda card: card.pips))
    # An ace that may be taken alone is never left, so only the other ranks tell complete captures apart.
    aces = summed.pop(1, []) if reach.loose_aces else []
    found: list[tuple[Card, ...]] = []
    equal = _equal_choices(reach, loose)
    order = {card: place for place, card in enumerate(loose)}
    for union in _complete_unions(reach, {rank: len(cards) for rank, cards in summed.items()}, len(aces)):
        picks = [list(combinations(cards, count)) for cards, count in zip(summed.values(), union, strict=True)]
        for alone, *chosen in product(equal, *picks):
            cards = [*alone, *aces, *(card for group in chosen for card in group)]
            if not cards:
                continue
            if len(found) == cap:
                return found, True
            cards.sort(key=order.__getitem__)
            found.append(tuple(cards))
    most_cards = max(map(len, found), default=0)
    found.sort(key=len, reverse=True)
    return [one for one in found if len(one) == most_cards or not maximum], False


def _most_with_tops(reach: Reach, position: Position, must: Material = _NOTHING) -> tuple[Material, bool]:
    """Return the most cards that can be taken together with all of `must`, pile tops among them, and every build.

    A pile card is taken from the top, at most one of each pile in a set. The second value is whether more might be
    possible: the search ends after so many ways to take pile cards.
    """
    best, (ways, truncated) = _NOTHING, _ways(reach, position, _STATES)
    for used, piles in ways:
        if not {*must.piles} <= {*piles}:
            continue
        left = [card for card in position.table if card not in used]
        more = largest(reach.above(piles), left, must=[card for card in must.table if card not in used])
        if more is not None:
            found = Material(tuple(card for card in position.table if card in used or card in more), piles=piles)
            best = found if len(found.cards) > len(best.cards) else best
    return replace(best, builds=_builds_of(reach.rules, position, reach.value)), truncated


def _captures_with_tops(reach: Reach, position: Position, *, maximum: bool) -> tuple[list[tuple[Card, ...]], bool]:
    """Return all captures to which no loose card and no pile card can be added, largest first, and whether cut.

    Pile cards come last, in the order in which they are taken from the tops. For layouts of `_SMALL_LAYOUT` cards.
    """
    ways, cut = _ways(reach, position, _MOST_WAYS)
    if len(ways) == 1:
        return complete_captures(reach, position.table, maximum=maximum)
    found: dict[frozenset[Card], tuple[Card, ...]] = {}
    for used, piles in ways:
        beside = reach.above(piles)
        captures, more = complete_captures(beside, [card for card in position.table if card not in used])
        cut |= more
        for capture in captures or ([()] if beside.most_equal(0) == 0 else []):
            loose = [card for card in position.table if card in used or card in capture]
            whole = (*loose, *(card for _, card in piles))
            found.setdefault(frozenset(whole), whole)
    complete = [whole for cards, whole in found.items() if whole and not any(cards < other for other in found)]
    complete.sort(key=len, reverse=True)
    if maximum:
        complete = [one for one in complete if len(one) == len(complete[0])]
    return complete[:_LIST_CAP], cut or len(complete) > _LIST_CAP


def _ways(
    reach: Reach, position: Position, states: int
) -> tuple[list[tuple[frozenset[Card], tuple[tuple[str, Card], ...]]], bool]:
    """Return every way to take pile cards, with the loose cards used for it; the first takes none.

    The second value is whether there are more than so many ways.
    """
    start = frozenset[Card](), tuple(_queues(reach.rules, position, "augment_and_capture").items())
    ways, waiting, truncated = {start: tuple[tuple[str, Card], ...]()}, [start], False
    while waiting:
        used, queues = state = waiting.pop()
        left = [card for card in position.table if card not in used]
        tops = {cards[0]: side for side, cards in queues if cards}
        for one in sets_in(reach, [*left, *tops]) if tops else ():
            deeper = tuple((side, cards[1:] if cards and cards[0] in one else cards) for side, cards in queues)
            then = used.union(card for card in one if card not in tops), deeper
            if deeper != queues and then not in ways:
                truncated |= len(ways) >= states
                if not truncated:
                    ways[then] = (*ways[state], *((tops[card], card) for card in one if card in tops))
                    waiting.append(then)
    return [(used, piles) for (used, _), piles in ways.items()], truncated


def _queues(rules: CasinoRules, position: Position, *uses: str) -> dict[str, tuple[Card, ...]]:
    """Return the opponents' piles by side, as far down as their order is known, where pile cards have such a use."""
    own, found = position.seats.side(position.player), {}
    for side, layers in position.piles.items() if rules.pile_cards in uses else ():
        known = [next(iter(layer)) for layer in takewhile(lambda layer: len(layer) == 1, layers)]
        if side != own and known:
            found[side] = tuple(known)
    return found


def _complete_unions(reach: Reach, counts: Mapping[int, int], aces: int) -> list[tuple[int, ...]]:
    """Return the largest unions of disjoint sets of the value: cards of each of these ranks, more cards first.

    None is part of another. `aces` lie beside them, may help in sets, and do not count.
    """
    needed = {(0,) * len(counts): 0}  # the fewest aces with which a union can be made
    for one in chain.from_iterable(set_types(reach.value) if reach.value else ()):
        used, part = one.count(1) if aces else 0, tuple(map(one.count, counts))
        if not any(part) or sum(part) + used < len(one):
            continue
        border = list(needed.items())
        while border:
            reached = []
            for union, before in border:
                there, cost = tuple(map(add, union, part)), before + used
                if cost <= aces and all(map(le, there, counts.values())) and needed.get(there, cost + 1) > cost:
                    needed[there] = cost
                    reached.append((there, cost))
            border = reached
    complete: list[tuple[int, ...]] = []
    for union in sorted(needed, key=sum, reverse=True):
        if not any(all(map(le, union, larger)) for larger in complete):
            complete.append(union)
    return complete


def _equal_choices(reach: Reach, loose: Sequence[Card]) -> list[tuple[Card, ...]]:
    alone = reach.alone(loose)
    count = reach.most_equal(len(alone))
    return [] if count is None else list(combinations(alone, count))


_MOST_LOOSE: Final = 5
"""Loose cards in one set of a build that is listed."""
_TRIED: Final = 400
"""Builds, raises and augmentations tried for one list."""


def list_moves(rules: CasinoRules, request: Node) -> JsonObject:
    """Return what a card can take (`card`, `as`), or legal turns of one play with every card of the hand.

    Raises Refused with every problem of the request.
    """
    asked = request.require(read_against(request, MovesRequest, rules, request["position"]))
    read, card = asked.position, asked.card
    if card is None:
        return _choice(rules, read)
    values = declared_values(rules, card, asked.declared)
    if not values or card not in full_pack(rules) or card in read.visible():
        if not values:
            request["as"].fault("card-value", card=str(card), values=list(hand_values(rules, card)))
        else:
            request["card"].fault("card-elsewhere", card=str(card))
        raise Refused(request.problems)
    return max((_takes(rules, read, card, value) for value in values), key=lambda one: one["maximum"]["cards"])


def _builds_of(rules: CasinoRules, position: Position, value: int) -> tuple[str, ...]:
    """Return the builds that a card of this value takes, by their ids."""
    takes = rules.building != "none" and value
    return tuple(build.id for build in position.builds if takes and build.value == value)


def _takes(rules: CasinoRules, position: Position, card: Card, value: int) -> dict[str, object]:
    reach = Reach(rules, card, value)
    most, truncated = _most_with_tops(reach, position)
    lying = [*position.table, *(top for top, *_ in _queues(rules, position, "augment_and_capture").values())]
    sets, cut = minimal_sets(reach, lying)
    listed = len(lying) <= _SMALL_LAYOUT
    captures, more = (
        _captures_with_tops(reach, position, maximum=rules.demand_measure == "maximum") if listed else ([], False)
    )
    plays, missing = _judged(rules, position, (_capture(rules, card, value, most), _trail(card)))
    return {
        "as": value or None,
        "maximum": {
            "cards": len(most.table), "table": names(most.table), "builds": list(most.builds), **_piles(most.piles),
        },
        "minimal_sets": [names(one) for one in sets],
        "captures": [names(one) for one in captures] if listed else None,
        "truncated": bool(cut or more or truncated),
        "moves": [_plain(play) for play in plays],
        "partial": True,
        "compulsory": [],
        "missing": [*missing, *_unknown_piles(rules, position, "augment_and_capture")],
    }  # fmt: skip


def _unknown_piles(rules: CasinoRules, position: Position, use: str) -> list[Missing]:
    """Return the opponents' piles that are not known, where the house rules use pile cards so."""
    if rules.pile_cards != use:
        return []
    own, article = position.seats.side(position.player), a.PILE_TOP if use == "augment" else a.PILE_TOPS_TAKEN
    sides = dict.fromkeys(position.seats.side(seat) for seat in position.seats.names)
    return [Missing("pile", article.id, side) for side in sides if side not in (own, *position.piles)]


def _choice(rules: CasinoRules, position: Position) -> JsonObject:
    """Return legal turns of one play for each card of the hand: the largest captures, builds, raises, the trail.

    Turns of several plays and smaller captures are left out, so the list is always partial.
    """
    if position.hand is None:
        missing = [Missing("hand", a.ONE_HAND_CARD.id, position.player)]
        return {"moves": [], "partial": True, "truncated": False, "compulsory": [], "missing": missing}
    found, cut = list[Play](), False
    for card in sorted(position.hand):
        for value in declared_values(rules, card, None):
            most, short = _most_with_tops(Reach(rules, card, value), position)
            cut |= short
            found.append(_capture(rules, card, value, most))
        found.append(_trail(card))
    cards = sorted(position.hand) if rules.building != "none" else ()
    built = (each(rules, position, card) for card in cards for each in (_builds, _raises, _augments))
    tried = [*islice(chain.from_iterable(built), _TRIED + 1)]
    plays, lacking = _judged(rules, position, (*found, *tried[:_TRIED]))
    return {
        "moves": [_plain(play) for play in plays[:_LIST_CAP]],
        "partial": True,
        "truncated": cut or len(tried) > _TRIED or len(plays) > _LIST_CAP,
        "compulsory": [],
        "missing": [*lacking, *_unknown_piles(rules, position, "augment_and_capture")],
    }


def _judged(rules: CasinoRules, position: Position, plays: Iterable[Play]) -> tuple[list[Play], list[Missing]]:
    """Return the plays that are legal turns, and what must be known before others can be judged."""
    legal: list[Play] = []
    missing: list[Missing] = []
    for play in plays:
        verdict = play_turn(rules, position, (play,)).verdict()
        if verdict.value == LEGAL:
            legal.append(play)
        missing += [one for one in verdict.missing if one not in missing]
    return legal, missing


def _wanted(rules: CasinoRules, position: Position, card: Card) -> list[int]:
    """Return the values of builds that the player could answer for after playing this card."""
    rest = (position.hand or frozenset()) - {card}
    held = {value for one in rest for value in hand_values(rules, one)}
    return sorted(value for value in held | position.proven_by_partner(rules) if value <= highest_value(rules))


def _sums_choices(rules: CasinoRules, cards: Sequence[Card], total: int) -> Iterator[tuple[Card, ...]]:
    """Yield the sets of at most some loose cards with this sum."""
    fit = [card for card in cards if 0 < set_value(rules, card) <= total]
    for size in range(1, min(len(fit), _MOST_LOOSE) + 1):
        for some in combinations(fit, size):
            if sum(set_value(rules, card) for card in some) == total:
                yield some


def _builds(rules: CasinoRules, position: Position, card: Card) -> Iterator[Play]:
    for value in _wanted(rules, position, card):
        for some in _sums_choices(rules, position.table, value - set_value(rules, card)):
            yield Play(BUILD, Material(some, card), value=value)


def _raises(rules: CasinoRules, position: Position, card: Card) -> Iterator[Play]:
    for build in position.builds:
        yield Play(RAISE, Material(card=card), value=build.value + set_value(rules, card), target=build.id)


def _augments(rules: CasinoRules, position: Position, card: Card) -> Iterator[Play]:
    """Yield one set with the card, added to a build or to a loose card of the value."""
    bases = [(build.value, Base("build", build=build.id), position.table) for build in position.builds]
    for lone in position.table:
        rest = tuple(one for one in position.table if one != lone)
        bases += [(value, Base("table", card=lone), rest) for value in alone_values(rules, lone)]
    wanted = _wanted(rules, position, card)
    for value, base, loose in bases:
        if value not in wanted:
            continue
        for piles in _tops(rules, position):
            with_card = (card, *(top for _, top in piles))
            for some in ((), *_sums_choices(rules, loose, value - total(rules, with_card))):
                if makes(rules, (*with_card, *some), value):
                    yield Play(AUGMENT, Material(some, card, piles), value=value, target=base.build, base=base)


def _tops(rules: CasinoRules, position: Position) -> Iterator[tuple[tuple[str, Card], ...]]:
    """Yield the tops of opponents' piles that one set may hold: none, each, and of two opponents both (CASINO-605)."""
    tops = [(side, cards[0]) for side, cards in _queues(rules, position, *_ADDED).items()]
    for size in range(len(tops) + 1):
        yield from combinations(tops, size)


def _capture(rules: CasinoRules, card: Card, value: int, taken: Material) -> Play:
    return Play(CAPTURE, replace(taken, card=card), declared=value if len(hand_values(rules, card)) > 1 else None)


def _trail(card: Card) -> Play:
    return Play(TRAIL, Material(card=card))


def _piles(piles: Sequence[tuple[str, Card]]) -> dict[str, object]:
    return {"piles": [{"from": side, "card": str(card)} for side, card in piles]} if piles else {}


def _plain(play: Play) -> JsonObject:
    """Return a turn of one play as a check takes it."""
    material, tops = play.material, _piles(play.material.piles)
    one: dict[str, object] = {"play": play.kind, "card": str(material.card)}
    if play.kind == CAPTURE:
        one |= {"table": names(material.table), "builds": list(material.builds), **tops}
    elif play.kind == BUILD:
        one |= {"value": play.value, "table": names(material.table)}
    elif play.kind == RAISE:
        one |= {"build": play.target, "to": play.value}
    elif play.kind == AUGMENT and play.base is not None:
        base = {"build": play.target} if play.target else {"table": str(play.base.card)}
        added = {"card": str(material.card), "table": names(material.table), **tops}
        one = {"play": AUGMENT, "value": play.value, "base": base, "sets": [added]}
    if play.declared is not None:
        one["as"] = play.declared
    return {"type": "turn", "plays": [one]}


def answer_demand(rules: CasinoRules, request: Node) -> JsonObject:
    """Return whether an announced capture is legal and complete, what must be taken, and whether `by` may demand it.

    Raises Refused with every problem of the request.
    """
    announced = request.require(read_against(request, DemandRequest, rules, request["position"]))
    position, card = announced.position, announced.card
    if problems := list(_not_there(announced)):
        raise Refused(problems)
    refusal = _refusal(rules, announced)
    values = declared_values(rules, card, announced.declared) if card in full_pack(rules) else ()
    judged = [_judge(rules, announced, value, refusal) for value in values]
    judged = judged or [_answer(announced.taken, [value_article(rules, card).id], legal=False)]
    best = next((one for one in judged if one["legal"]), judged[0])
    if announced.play == TRAIL:  # it was played as no value yet
        best = max(judged, key=lambda one: (one["legal"], _size(one["must_take"])))
    if values and rules.demand_augment and refusal in (None, a.DEMAND_NOT_ON_BUILDS, a.DEMAND_ON_TRAIL):
        added, missing = _must_add(rules, position, announced)
        best = {**best, "must_add": added}
        if best["legal"]:
            best["missing"] += [one for one in missing if one not in best["missing"]]
        if best["legal"] and added:
            articles = [*(best["articles"] if best["may_demand"] else ()), a.DEMAND_AUGMENT.id]
            best = {**best, "may_demand": True, "articles": articles}
    return {name: said for name, said in best.items() if name != "missing" or said}


def _size(taken: JsonObject) -> tuple[int, int]:
    """Return how many cards and how many builds are taken."""
    return len(taken["table"]) + len(taken.get("piles", ())), len(taken["builds"])


def _not_there(announced: DemandRequest) -> Iterator[Problem]:
    """Yield a problem for each announced card that is not loose on the table, and each build that is not there."""
    position = announced.position
    for place, card in enumerate(announced.table):
        if card not in position.table:
            yield Problem(("table", place), "not-on-table", {"card": card, "choices": list(position.table)})
    builds = [build.id for build in position.builds]
    for place, name in enumerate(announced.builds):
        if name not in builds:
            yield Problem(("builds", place), "unknown-build", {"value": name, "choices": builds})


def _refusal(rules: CasinoRules, announced: DemandRequest) -> Article | None:
    """Return the article that leaves nothing to demand, if there is one (CASINO-401, 402, 405, 406, 408)."""
    if not rules.demand:
        return a.CAPTURE_OPTIONAL
    by, position = announced.by, announced.position
    if by is not None and not position.seats.opponents(by, position.player):
        return a.PARTNER_SILENT if by != position.player else a.DEMAND
    if announced.acted:
        return a.DEMAND_MOMENT
    if announced.play == TRAIL:
        return None if rules.demand_on_trail else a.DEMAND_ON_TRAIL
    return None if announced.play == CAPTURE else a.DEMAND_NOT_ON_BUILDS


def _judge(rules: CasinoRules, announced: DemandRequest, value: int, refusal: Article | None) -> JsonObject:
    """Return the answer where the card was played as this value."""
    position, card = announced.position, announced.card
    plays = {CAPTURE: _capture(rules, card, value, announced.taken), TRAIL: _trail(card)}
    if announced.play in plays:
        layout = play_turn(rules, position, (plays[announced.play],))
    else:
        layout = Layout(rules, position)
        layout.play_card(card)
    verdict = layout.verdict()
    if breaches := verdict.breaches:
        return _answer(announced.taken, [one.article for one in breaches], legal=False)
    answer = _demanded(rules, announced, value, refusal)
    missing = [*verdict.missing, *(one for one in answer["missing"] if one not in verdict.missing)]
    return {**answer, "missing": missing}


def _demanded(rules: CasinoRules, announced: DemandRequest, value: int, refusal: Article | None) -> JsonObject:
    """Return the answer for a turn in which nothing known is wrong (CASINO-403, 404)."""
    position = announced.position
    builds = _builds_of(rules, position, value)
    most = _most_beside(rules, position, announced, value)
    reasons = [a.DEMAND_MEASURE.id] * bool(most) + [a.DEMAND_BUILDS.id] * (not {*builds} <= {*announced.builds})
    # What nobody may demand is not left out: a trail, or a build, is as complete as it can be asked to be.
    asked = refusal is None or (announced.play == CAPTURE and rules.demand)
    complete = not (asked and reasons)
    hidden = []
    if refusal is None or (asked and complete):
        hidden = _open_piles(rules, announced, value)
    if refusal is None and reasons:
        larger = replace(most or announced.taken, builds=builds)
        return _answer(larger, [a.DEMAND.id, *reasons], may=True, missing=hidden)
    return _answer(announced.taken, [(refusal or a.DEMAND).id], complete=complete, missing=hidden)


def _most_beside(rules: CasinoRules, position: Position, announced: DemandRequest, value: int) -> Material:
    """Return the most cards that may be demanded; nothing where they are no more than were taken (CASINO-403)."""
    must = announced.taken if rules.demand_measure == "maximal" else _NOTHING
    most, _ = _most_with_tops(Reach(rules, announced.card, value), position, must)
    return most if len(most.cards) > len(announced.taken.cards) else _NOTHING


def _open_piles(rules: CasinoRules, announced: DemandRequest, value: int) -> list[Missing]:
    """Return the opponents' piles that are not known, if tops of theirs would change how much can be taken."""

    def found(there: Position) -> int:
        return len(_most_beside(rules, there, announced, value).cards)

    position = announced.position
    piles, now = _unknown_piles(rules, position, "augment_and_capture"), found(position)
    known = position.visible().union(position.hand or (), (announced.card,))
    unseen = by_rank(sorted(full_pack(rules) - known))
    for size in range(1, len(piles) + 1):
        for ranks in combinations_with_replacement(unseen, size):
            cards = chain.from_iterable(unseen[rank][: ranks.count(rank)] for rank in {*ranks})
            tops = {one.seat: (frozenset((card,)),) for one, card in zip(piles, cards, strict=False) if one.seat}
            if found(replace(position, piles={**position.piles, **tops})) != now:
                return piles
    return []


def _must_add(
    rules: CasinoRules, position: Position, announced: DemandRequest
) -> tuple[list[JsonObject], list[Missing]]:
    """Return what may be demanded for a build of the player's side: sets that may still be added (CASINO-407).

    Each set is judged as an augmentation without a hand card after what was announced; the second list is what must be
    known to decide whether it may be added.
    """
    gone = {announced.card, *announced.table}
    trailed = (announced.card,) if announced.play == TRAIL else ()
    left = replace(
        position,
        table=(*(card for card in position.table if card not in gone), *trailed),
        builds=tuple(build for build in position.builds if build.id not in announced.builds),
        hand=None if position.hand is None else position.hand - gone,
        elsewhere=position.elsewhere | gone.difference(trailed),
    )
    found: list[JsonObject] = []
    missing: list[Missing] = []
    hidden = _unknown_piles(rules, position, "augment")
    for build in left.builds:
        if position.seats.opponents(build.owner, position.player):
            continue
        for material in _sets_to_add(rules, left, build.value, hidden):
            unknown = [pile for pile in hidden if pile.seat in dict(material.piles)]
            if unknown and unknown[0] in missing:
                continue
            play = Play(AUGMENT, Material(), (material,), build.value, target=build.id, base=Base("build", build.id))
            layout = play_turn(rules, left, (play,))
            if {breach.code for breach in layout.verdict().breaches} == {"no-hand-card"}:
                _, open_ = layout.unseen().breaches(layout.ruling.questions)
                lacking = [one for one in layout.unseen().lacking(open_) if one.fact != "pile"]
                missing += [one for one in (*lacking, *unknown) if one not in missing]
                piles = [{"from": side, "card": str(card)} for side, card in material.piles]
                found += [{"build": build.id, "table": names(material.table), "piles": piles}] if not unknown else []
    return found, missing


def _sets_to_add(rules: CasinoRules, position: Position, value: int, hidden: Sequence[Missing]) -> Iterator[Material]:
    """Yield the sets of a value that loose cards and tops of opponents' piles form, the smallest first.

    Then come sets with a card that may lie on top of a pile which is not known, one of each rank.
    """
    tops = {cards[0]: side for side, cards in _queues(rules, position, *_ADDED).items()}
    fit = capturers(rules, value)
    for one in minimal_sets(Reach(rules, min(fit), value), [*position.table, *tops])[0] if fit else ():
        piles = tuple((tops[card], card) for card in one if card in tops)
        yield Material(tuple(card for card in one if card not in tops), piles=piles)
    unseen = by_rank(full_pack(rules) - position.visible().union(position.hand or ())) if hidden else {}
    for top in map(min, unseen.values()):
        for rest in ((), *islice(_sums_choices(rules, position.table, value - set_value(rules, top)), 1)):
            if makes(rules, (top, *rest), value):
                yield from (Material(rest, piles=((pile.seat or "", top),)) for pile in hidden)


def _answer(
    must: Material, articles: Iterable[str], *, legal: bool = True, complete: bool = False, may: bool = False,
    missing: Iterable[Missing] = (),
) -> JsonObject:  # fmt: skip
    return {
        "legal": legal,
        "complete": complete,
        "must_take": {"table": names(must.table), "builds": list(must.builds), **_piles(must.piles)},
        "may_demand": may,
        "articles": list(dict.fromkeys(articles)),
        "missing": list(missing),
    }
