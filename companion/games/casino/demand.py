"""The demand for a full capture: is an announced capture complete, what must be taken, and who may ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NotRequired, TypedDict

from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.problems import Node, Problem, Refused
from companion.engine.verdict import Missing
from companion.games.casino import articles as a
from companion.games.casino.capture import Reach, capture_faults, declared_values, value_article
from companion.games.casino.choices import builds_of
from companion.games.casino.layout import names
from companion.games.casino.listing import CapturedCards, minimal_sets, most_with_tops
from companion.games.casino.plays import CAPTURE, TRAIL
from companion.games.casino.rules import CasinoRules
from companion.games.casino.shapes import DemandRequest, read_demand
from companion.games.casino.table import Build, Position, full_pack, makes


class MustTake(TypedDict):
    """Loose cards and ids of builds."""

    table: list[str]
    builds: list[str]
    piles: NotRequired[list[dict[str, str]]]


class MustAdd(TypedDict):
    """One set that may be demanded for a build."""

    build: str
    table: list[str]
    piles: list[dict[str, str]]


class Demand(TypedDict):
    """The answer about an announced capture."""

    legal: bool
    complete: bool
    must_take: MustTake
    may_demand: bool
    articles: list[str]
    missing: NotRequired[list[Missing]]
    must_add: NotRequired[list[MustAdd]]


def answer_demand(rules: CasinoRules, request: Node) -> Demand:
    """Return whether an announced capture is legal and complete, what must be taken, and whether `by` may demand it.

    Raises Refused with every problem of the request.
    """
    announced = request.require(read_demand(request, rules))
    position, card = announced.position, announced.card
    if problems := list(_not_there(announced)):
        raise Refused(problems)
    refusal = _refusal(rules, announced)
    values = declared_values(rules, card, announced.declared)
    if not values or card not in full_pack(rules):
        return _answer(announced, legal=False, complete=False, articles=[value_article(rules, card).id], may=False)
    judged = [_judge(rules, announced, value, refusal) for value in values]
    best = next((one for one in judged if one["legal"]), judged[0])
    if rules.demand_augment and refusal in (None, a.DEMAND_NOT_ON_BUILDS, a.DEMAND_ON_TRAIL):
        best["must_add"] = _must_add(rules, position, announced)
    return best


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


def _judge(rules: CasinoRules, announced: DemandRequest, value: int, refusal: Article | None) -> Demand:
    position = announced.position
    trail = announced.play != CAPTURE
    by_id = {build.id: build for build in position.builds}
    builds = [by_id[name] for name in announced.builds if name in by_id]
    faults: list[Article] = [] if len(builds) == len(announced.builds) else [a.BUILDS]
    if announced.card in position.visible() or (position.hand is not None and announced.card not in position.hand):
        faults.append(a.ONE_HAND_CARD)
    if any(card not in position.table for card in announced.table):
        faults.append(a.LOOSE_CARDS)
    if announced.piles and rules.pile_cards != "augment_and_capture":
        faults.append(a.NO_PILE_CAPTURE)
    elif not _on_top(position, announced.piles):
        faults.append(a.PILE_TOP)
    if len(set(announced.table)) < len(announced.table):
        faults.append(a.SUMS)
    if not trail and not announced.table and not announced.piles and not builds:
        faults.append(a.TAKES_SOMETHING)
    loose = () if trail else position.table
    found = capture_faults(rules, announced.card, value, announced.table, builds, piles=announced.piles, loose=loose)
    if faults or found:
        articles = [*(article.id for article in faults), *(breach.article for breach in found)]
        return _answer(announced, legal=False, complete=False, articles=articles, may=False)
    larger, reasons = _larger(rules, position, announced, value, builds)
    if larger is None:
        answer = _answer(announced, legal=True, complete=True, articles=[(refusal or a.DEMAND).id], may=False)
        if refusal is None and (hidden := _hidden_tops(rules, announced, value)):
            answer["missing"] = [Missing("pile", a.PILE_TOPS_TAKEN.id, side) for side in hidden]
        return answer
    if refusal is not None:
        # What nobody may demand is not left out: a trail, or a build, is as complete as it can be asked to be.
        complete = trail or not rules.demand
        return _answer(announced, legal=True, complete=complete, articles=[refusal.id], may=False)
    return _answer(announced, legal=True, complete=False, articles=[a.DEMAND.id, *reasons], may=True, larger=larger)


def _larger(
    rules: CasinoRules, position: Position, announced: DemandRequest, value: int, builds: Sequence[Build]
) -> tuple[tuple[CapturedCards, list[Build]] | None, list[str]]:
    """Return what should be taken instead, or None where the announced capture is complete (CASINO-403, 404)."""
    now = CapturedCards(announced.table, announced.piles)
    all_builds = builds_of(position.builds, value)
    must = now if rules.demand_measure == "maximal" else CapturedCards()
    most, _ = most_with_tops(Reach(rules, announced.card, value), position, must)
    reasons: list[str] = []
    if len(most) > len(now):
        reasons.append(a.DEMAND_MEASURE.id)
    if len(all_builds) > len(builds):
        reasons.append(a.DEMAND_BUILDS.id)
    return ((most if len(most) > len(now) else now, all_builds) if reasons else None), reasons


def _hidden_tops(rules: CasinoRules, announced: DemandRequest, value: int) -> list[str]:
    """Return the opponents whose piles are not known, if a top of theirs could be taken as well (SAF-103)."""
    position = announced.position
    if rules.pile_cards != "augment_and_capture":
        return []
    own, reach = position.seats.side(position.player), Reach(rules, announced.card, value)
    sides = {position.seats.side(seat) for seat in position.seats.names} - {own, *position.piles}
    unseen = full_pack(rules) - position.visible() - (position.hand or frozenset()) - {announced.card}
    must = CapturedCards(announced.table, announced.piles) if rules.demand_measure == "maximal" else CapturedCards()
    for size in range(1, len(sides) + 1):
        some = sorted(sides)[:size]
        for cards in combinations(sorted(unseen), size):
            piles = {side: (frozenset((card,)),) for side, card in zip(some, cards, strict=True)}
            most, _ = most_with_tops(reach, replace(position, piles={**position.piles, **piles}), must)
            if len(most) > len(announced.table) + len(announced.piles):
                return sorted(sides)
    return []


def _on_top(position: Position, piles: Sequence[tuple[str, Card]]) -> bool:
    """Return whether these cards come off the tops of opponents' piles one after another; what is hidden may do so."""
    left = {side: list(layers) for side, layers in position.piles.items()}
    for side, card in piles:
        if side == position.seats.side(position.player):
            return False
        layers = left.get(side)
        if layers is None:
            continue
        if not layers or card not in layers[0]:
            return False
        layers[0] -= {card}
        if not layers[0]:
            del layers[0]
    return True


def _must_add(rules: CasinoRules, position: Position, announced: DemandRequest) -> list[MustAdd]:
    """Return loose cards and pile tops that may be demanded for a build of the player's side (CASINO-407)."""
    side = position.seats.side(position.player)
    loose = [card for card in position.table if card not in announced.table]
    tops = {
        seat: next(iter(layers[0]))
        for seat, layers in position.piles.items()
        if seat != side and layers and len(layers[0]) == 1 and rules.pile_cards != "none"
    }
    found: list[MustAdd] = []
    for build in position.builds:
        if position.seats.opponents(build.owner, position.player) or build.id in announced.builds:
            continue
        material = [*loose, *tops.values()]
        sets, _ = minimal_sets(Reach(rules, announced.card, build.value), material)
        for one in sets:
            if makes(rules, one, build.value):
                piles = [{"from": seat, "card": str(card)} for seat, card in tops.items() if card in one]
                found.append({"build": build.id, "table": names(card for card in one if card in loose), "piles": piles})
    return found


def _answer(
    announced: DemandRequest,
    *,
    legal: bool,
    complete: bool,
    articles: Sequence[str],
    may: bool,
    larger: tuple[CapturedCards, list[Build]] | None = None,
) -> Demand:
    taken, builds = CapturedCards(announced.table, announced.piles), list(announced.builds)
    if larger is not None:
        taken, builds = larger[0], [build.id for build in larger[1]]
    must: MustTake = {"table": names(taken.table), "builds": builds}
    if taken.piles:
        must["piles"] = [{"from": side, "card": str(card)} for side, card in taken.piles]
    return {
        "legal": legal,
        "complete": complete,
        "must_take": must,
        "may_demand": may,
        "articles": list(dict.fromkeys(articles)),
    }
