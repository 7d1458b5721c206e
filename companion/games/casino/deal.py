"""How the pack is dealt, and the judge of every move: a turn, a deal, a second cut, a partner's request."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import ILLEGAL, Breach, Ruling, Verdict
from companion.games.casino import articles as a
from companion.games.casino.plays import read_plays
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import from_cards
from companion.games.casino.table import (
    BIG_TEN,
    COURTS,
    SPY_TWO,
    Position,
    Seats,
    capturers,
    deal_plan,
    read_cards,
    read_position,
    read_seats,
)
from companion.games.casino.turn import play_turn

RECUT_POINTS = 3
RECUT_COURTS = 3


MOVE_TYPES = ("turn", "request", "deal", "recut")


def judge(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    """Return the verdict on a turn, a deal, a second cut or a partner's request; faults are noted at the nodes."""
    if not isinstance(move.value, dict):
        move.object()
        return Verdict()
    kind = move["type"].one_of(MOVE_TYPES)
    if kind == "deal":
        return judge_deal(rules, position, move)
    if kind == "recut":
        return judge_recut(rules, position, move)
    read = read_position(position, rules)
    if read is None:
        return Verdict()
    if kind == "request":
        return judge_request(rules, read, move)
    move.object(required=("type", "plays"), optional=("player",))
    plays = read_plays(move["plays"], read)
    player = move["player"].optional(lambda n: n.one_of(read.seats.names, code="unknown-seat"))
    if move.problems:
        return Verdict()
    if player is not None and player != read.player:
        return Verdict((Breach(a.FIRST_PLAYER.id, "out-of-turn", {"seat": player, "expected": read.player}),))
    return play_turn(rules, read, plays).verdict()


def judge_deal(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    """Return whether the right player deals the right number of cards (CASINO-004 to 007, 010)."""
    seats = _read_table(position)
    move.object(required=("type",), optional=("dealer", "first", "table", "hands", "round"))
    if seats is None:
        return Verdict()
    plan = deal_plan(rules, len(seats.names))
    dealing = a.ROUNDS_OF_FOUR if rules.deal == "fours" else a.SOUTH_AFRICAN_DEAL if rules.deck == 40 else a.DEALING
    last = position["dealer"].optional(lambda n: n.one_of(seats.names, code="unknown-seat"))
    dealer = move["dealer"].optional(lambda n: n.one_of(seats.names, code="unknown-seat"))
    first = move["first"].optional(lambda n: n.one_of(seats.names, code="unknown-seat"))
    table = move["table"].optional(lambda n: n.integer(low=0, high=rules.deck))
    number = move["round"].optional(lambda n: n.integer(low=1, high=len(plan.rounds))) or 1
    hands = _read_counts(move["hands"], seats, rules)
    ruling = Ruling()
    if last is not None and dealer is not None and dealer != seats.after(last, rules.direction):
        expected_dealer = seats.after(last, rules.direction)
        ruling.breach(a.DEALER, "wrong-dealer", dealer=dealer, expected=expected_dealer, last=last)
    if first is not None and dealer is not None and first != seats.after(dealer, rules.direction):
        ruling.breach(a.FIRST_PLAYER, "wrong-first-player", seat=first, expected=seats.after(dealer, rules.direction))
    expected = plan.table if number == 1 else 0
    if table is not None and table != expected:
        article = a.FIRST_TABLE_CARDS if rules.deal == "cut_four" else dealing
        ruling.breach(article, "table-count", count=table, expected=expected)
    for seat, count in hands.items():
        if count != plan.rounds[number - 1]:
            article = a.TWO_HALVES if len(plan.rounds) == 2 and rules.deal != "fours" else dealing
            ruling.breach(article, "hand-count", seat=seat, count=count, expected=plan.rounds[number - 1])
    ruling.allow(dealing)
    ruling.effect = {"table": plan.table, "rounds": list(plan.rounds)}
    return ruling.verdict()


def judge_recut(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    """Return whether the four cards may be cut again: rich ones, where the house rules have it (CASINO-009)."""
    _read_table(position)
    move.object(required=("type", "table"))
    cards = read_cards(move["table"], rules, {})
    points, courts = _points(rules, cards), sum(card.rank in COURTS for card in cards)
    ruling = Ruling()
    if rules.recut and (points >= RECUT_POINTS or courts >= RECUT_COURTS):
        ruling.allow(a.RECUT, points=points, courts=courts)
        ruling.effect = {"recut": True}
    else:
        ruling.breach(a.RECUT, "no-recut" if rules.recut else "recut-not-played", points=points, courts=courts)
    return ruling.verdict()


def judge_request(rules: CasinoRules, position: Position, move: Node) -> Verdict:
    """Return whether the player may ask the partner to add to a build instead of taking it (CASINO-807)."""
    move.object(required=("type", "build"))
    name = move["build"].text()
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


def _read_table(position: Node) -> Seats | None:
    keys = ("player", "table", "builds", "hand", "piles", "proven", "half", "dealer")
    return read_seats(position["seats"]) if position.object(required=("seats",), optional=keys) else None


def _read_counts(node: Node, seats: Seats, rules: CasinoRules) -> dict[str, int]:
    if not node.present or not node.object(optional=seats.names):
        return {}
    return {seat: node[seat].integer(low=0, high=rules.deck) for seat in seats.names if node[seat].present}


def _points(rules: CasinoRules, cards: tuple[Card, ...]) -> int:
    """Return what the scoring cards among these are worth."""
    facts = from_cards(cards)
    worth = {BIG_TEN: rules.big_ten_points, SPY_TWO: rules.spy_two_points}
    return sum(points for card, points in worth.items() if card in cards) + facts.aces * rules.ace_points
