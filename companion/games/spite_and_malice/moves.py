"""What can be done in a position: legal moves, what is compulsory and why, what each side stack accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import LEGAL, UNDECIDED, Because, Missing, Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import ACE
from companion.games.spite_and_malice.duties import Duty, duties, second_chance_cards
from companion.games.spite_and_malice.judge import judge_move
from companion.games.spite_and_malice.options import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.position import Position, idle_run, read_position
from companion.games.spite_and_malice.stacks import side_offers


def list_moves(rules: SpiteRules, request: Node) -> Mapping[str, Any]:
    """Legal and compulsory moves, what side stacks accept, and what hidden cards leave open.

    Raises Refused where the position cannot be read.
    """
    request.object(required=("position",), optional=("rules",))
    position = read_position(rules, request["position"]) if request["position"].present else None
    if position is None or request.problems:
        raise Refused(request.problems)
    moves, missing = legal_moves(rules, position)
    compulsory = [
        {
            "moves": [n.plain(play) for play in plays],
            "at_least": 1,
            "because": [Because(article, {"cards": [str(play.card) for play in plays]})],
        }
        for article, plays in compulsory_plays(rules, position)
    ]
    return {
        "moves": [n.plain(move) for move in moves],
        "compulsory": compulsory,
        "side_stacks": [{"to": place, "accepts": ranks} for place, ranks in side_offers(rules, position.own)],
        "missing": missing,
    }


def legal_moves(rules: SpiteRules, position: Position) -> tuple[list[n.Announcement], list[Missing]]:
    """Every legal move, and the facts on which others hang."""
    moves: list[n.Announcement] = []
    missing: list[Missing] = []
    if position.hand is None and position.held != 0 and not position.discarded:
        missing.append(Missing("hand", a.PLAYS.id, position.player))
    for move in _candidates(rules, position):
        verdict = judge_move(rules, position, move)
        if verdict.value == LEGAL:
            moves.append(move)
        elif verdict.value == UNDECIDED:
            asked = {(one.fact, one.seat) for one in missing}
            missing += [one for one in verdict.missing if (one.fact, one.seat) not in asked]
    return moves, missing


def compulsory_plays(rules: SpiteRules, position: Position) -> Iterator[tuple[str, Sequence[n.Play]]]:
    """Article by article what must be played before the turn ends; of each entry at least one play."""
    if position.discarded:
        return
    hidden = Ruling()
    for duty in duties(rules, position, hidden):
        yield duty.article.id, _ways(position, duty)
    held = second_chance_cards(rules, position, hidden)
    if held:
        plays = [play for card in held for play in _targets(position, n.HAND, None, card)]
        yield a.SECOND_CHANCE_DUTY.id, [play for play in plays if judge_move(rules, position, play).value == LEGAL]


def _ways(position: Position, duty: Duty) -> list[n.Play]:
    if duty.card.pips == ACE:
        return [n.Play(duty.source, n.NEW, duty.card, duty.stack)]
    aces = [place for place, top in enumerate(position.centre or ()) if top == ACE]
    return [n.Play(duty.source, place, duty.card, duty.stack) for place in aces]


def _candidates(rules: SpiteRules, position: Position) -> Iterator[n.Announcement]:
    """Everything that could be announced; the judge has the last word."""
    if position.over or position.own.out:
        yield n.ClaimWin()
    held = position.held
    if held is not None:
        stock = HAND_SIZE if position.stock is None else position.stock
        drawn = HAND_SIZE if position.refilled else HAND_SIZE - held
        yield n.Refill(min(drawn, stock))
    hand = list(dict.fromkeys(position.hand or ()))
    for card in hand:
        yield from _targets(position, n.HAND, None, card)
    yield from _pile_plays(position)
    for card in hand:
        yield from (n.Discard(place, card) for place, stack in enumerate(position.own.sides or ()) if stack)
        yield n.Discard(n.NEW, card)
    yield n.EndTurn()
    yield from _between(rules, position)


def _pile_plays(position: Position) -> Iterator[n.Play]:
    piles = [(position.own, n.PAYOFF, n.SIDE)]
    if position.partner is not None:
        piles.append((position.partner, n.PARTNER_PAYOFF, n.PARTNER_SIDE))
    for pile, payoff, side in piles:
        if not pile.out:
            yield from _targets(position, payoff, None, pile.payoff)
        for place, card in pile.side_tops():
            yield from _targets(position, side, place, card)


def _targets(position: Position, source: str, stack: int | None, card: Card | None) -> Iterator[n.Play]:
    for place in range(len(position.centre or ())):
        yield n.Play(source, place, card, stack)
    yield n.Play(source, n.NEW, card, stack)


def _between(rules: SpiteRules, position: Position) -> Iterator[n.Announcement]:
    if position.stock is not None:
        for what in ("complete", "incomplete"):
            for by in ("opponent", "player"):
                yield n.Recycle(what, by)
    if position.turns is not None:
        run = idle_run(position.turns)
        if len(run) >= 2 * rules.players:
            yield n.Redeal(run[-2 * rules.players].player)
    if position.turns is not None or position.stock is not None:
        yield n.ClaimStalemate()
