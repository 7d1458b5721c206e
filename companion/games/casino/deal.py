"""How the pack is dealt, and the judge of every move: a turn, a deal, a second cut, a partner's request."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.cards import Card
from companion.engine.problems import Node
from companion.engine.shapes import read_at
from companion.engine.verdict import ILLEGAL, Breach, Ruling, Verdict
from companion.games.casino import articles as a
from companion.games.casino.plays import Dealt, Recut, Request
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import from_cards
from companion.games.casino.shapes import MOVE, Around, DealtShape, PositionShape, check_ids, read_around
from companion.games.casino.table import BIG_TEN, COURTS, SPY_TWO, Position, capturers, deal_plan
from companion.games.casino.turn import play_turn

RECUT_POINTS = 3
RECUT_COURTS = 3


def judge(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    """Return the verdict on a turn, a deal, a second cut or a partner's request; faults are noted at the nodes."""
    around = read_around(position, rules)
    if around is None:
        return Verdict()
    made = read_at(move, MOVE, context=around)
    if isinstance(made, Dealt | Recut):
        table = read_at(position, DealtShape, context=around)
        if table is None:
            return Verdict()
        return judge_recut(rules, made) if isinstance(made, Recut) else judge_deal(around, table["dealer"], made)
    before = read_at(position, PositionShape, context=around)
    if before is None or made is None:
        return Verdict()
    if isinstance(made, Request):
        return judge_request(rules, before, made.build)
    check_ids(move["plays"], made.plays, before.builds)
    if made.player not in (None, before.player):
        facts = {"seat": made.player, "expected": before.player}
        return Verdict((Breach(a.FIRST_PLAYER.id, "out-of-turn", facts),))
    return play_turn(rules, before, made.plays).verdict()


def judge_deal(around: Around, last: str | None, move: Dealt) -> Verdict:
    """Return whether the right player deals the right number of cards (CASINO-004 to 007, 010)."""
    rules, seats = around.rules, around.table
    plan, number, dealer, first = deal_plan(rules, len(seats.names)), move.round, move.dealer, move.first
    dealing = a.ROUNDS_OF_FOUR if rules.deal == "fours" else a.SOUTH_AFRICAN_DEAL if rules.deck == 40 else a.DEALING
    ruling = Ruling()
    if last is not None and dealer is not None and dealer != seats.after(last, rules.direction):
        expected_dealer = seats.after(last, rules.direction)
        ruling.breach(a.DEALER, "wrong-dealer", dealer=dealer, expected=expected_dealer, last=last)
    if first is not None and dealer is not None and first != seats.after(dealer, rules.direction):
        ruling.breach(a.FIRST_PLAYER, "wrong-first-player", seat=first, expected=seats.after(dealer, rules.direction))
    expected = plan.table if number == 1 else 0
    if move.table is not None and move.table != expected:
        article = a.FIRST_TABLE_CARDS if rules.deal == "cut_four" else dealing
        ruling.breach(article, "table-count", count=move.table, expected=expected)
    for seat, count in move.hands.items():
        if count != plan.rounds[number - 1]:
            article = a.TWO_HALVES if len(plan.rounds) == 2 and rules.deal != "fours" else dealing
            ruling.breach(article, "hand-count", seat=seat, count=count, expected=plan.rounds[number - 1])
    ruling.allow(dealing)
    ruling.effect = {"table": plan.table, "rounds": list(plan.rounds)}
    return ruling.verdict()


def judge_recut(rules: CasinoRules, move: Recut) -> Verdict:
    """Return whether the four cards may be cut again: rich ones, where the house rules have it (CASINO-009)."""
    points, courts = _points(rules, move.table), sum(card.rank in COURTS for card in move.table)
    ruling = Ruling()
    if rules.recut and (points >= RECUT_POINTS or courts >= RECUT_COURTS):
        ruling.allow(a.RECUT, points=points, courts=courts)
        ruling.effect = {"recut": True}
    else:
        ruling.breach(a.RECUT, "no-recut" if rules.recut else "recut-not-played", points=points, courts=courts)
    return ruling.verdict()


def judge_request(rules: CasinoRules, position: Position, name: str) -> Verdict:
    """Return whether the player may ask the partner to add to a build instead of taking it (CASINO-807)."""
    build = next((one for one in position.builds if one.id == name), None)
    ruling = Ruling()
    if build is None:
        ruling.breach(a.BUILDS, "no-such-build", build=name)
        return ruling.verdict()
    if rules.building != "swazi" or position.partner is None or position.seats.opponents(build.owner, position.player):
        ruling.breach(a.REQUEST, "not-partners-build", build=name, owner=build.owner)
        return ruling.verdict()
    fit = capturers(rules, build.value)
    held = (fit & position.hand) if position.hand is not None else (fit - position.visible())
    if not held:
        seat = position.player
        ruling.breach(a.REQUEST, "value-not-held", value=build.value, count=1, seat=seat, build=name)
    elif position.hand is None:
        ruling.lack("hand", a.REQUEST, position.player, value=build.value, count=1)
    ruling.allow(a.REQUEST, value=build.value)
    ruling.allow(a.REQUEST_OWNER)
    verdict = ruling.verdict()
    if verdict.value == ILLEGAL:
        return verdict
    return replace(verdict, effect={"owner": position.player, "build": name})


def _points(rules: CasinoRules, cards: tuple[Card, ...]) -> int:
    """Return what the scoring cards among these are worth."""
    facts = from_cards(cards)
    worth = {BIG_TEN: rules.big_ten_points, SPY_TWO: rules.spy_two_points}
    return sum(points for card, points in worth.items() if card in cards) + facts.aces * rules.ace_points
