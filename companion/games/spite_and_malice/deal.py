"""The judge of one move, and everything that can be done in a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.problems import Node
from companion.engine.shapes import read_at
from companion.engine.verdict import LEGAL, UNDECIDED, AtLeast, Because, Breach, Claim, Missing, Verdict
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import hidden
from companion.games.spite_and_malice.claims import judge_deal, judge_stalemate, judge_win
from companion.games.spite_and_malice.duties import Duty, duties, second_chance_plays
from companion.games.spite_and_malice.hidden import knowledge
from companion.games.spite_and_malice.play import hidden_source, judge_discard, judge_play
from companion.games.spite_and_malice.position import ACE, UNKNOWN, Position, idle_run, in_pack
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.ruling import Ruling
from companion.games.spite_and_malice.shapes import MOVE, players_in, read_position
from companion.games.spite_and_malice.stacks import (
    judge_complete,
    judge_recycle,
    judge_redeal,
    judge_second_chance,
    side_offers,
)
from companion.games.spite_and_malice.start import judge_start
from companion.games.spite_and_malice.turn import judge_end, judge_moment, judge_refill


def judge(rules: SpiteRules, position: Node, move: Node) -> Verdict:
    """Return the verdict on a move in a position from JSON; problems are recorded at the nodes."""
    table = read_position(rules, position)
    announcement = read_at(move, MOVE, context=players_in(rules, position["players"]))
    if table is None or announcement is None:
        return Verdict()
    return judge_move(rules, table, announcement)


def judge_move(rules: SpiteRules, position: Position, move: n.Announcement) -> Verdict:
    """Return the verdict on one announcement: every broken article, every missing fact, what it changes.

    What the move shows counts as known: a card named from a hidden place is there, if another copy of it is left.
    """
    shown: tuple[Claim, ...] = ()
    table = position
    ruling = Ruling(position.player, lambda: knowledge(rules, table, *shown))
    if isinstance(move, _CARDED) and move.card is not None:
        place = hidden_source(position, move)
        if place is not None and in_pack(rules, move.card):
            shown, table = _shown(rules, position, move.card, place, ruling)
    judge_moment(rules, table, move, ruling)
    _JUDGES[move.__class__](rules, table, move, ruling)
    verdict = ruling.verdict()
    if verdict.value == UNDECIDED and None in (position.centre or ()):
        return _whatever_the_ranks(rules, position, move, verdict)
    return verdict


def _whatever_the_ranks(rules: SpiteRules, position: Position, move: n.Announcement, verdict: Verdict) -> Verdict:
    """Return the verdict if it is the same whatever ranks the wild cards on top of centre stacks stand for.

    Otherwise it stays undecided; what is asked for are the ranks and what each may leave open, or less if less decides.
    """
    target = move.to if isinstance(move, n.Play) else None
    found = [judge_move(rules, filled, move) for filled in _ranks_filled_in(rules, position, target)]
    if len({one.value for one in found}) > 1 or found[0].value == UNDECIDED:
        return replace(verdict, missing=_with_ranks(found, verdict.missing))
    first, others = found[0], found[1:]
    if first.breaches:
        always = [breach for breach in first.breaches if all(breach in other.breaches for other in others)]
        articles = dict.fromkeys(breach.article for verdict in found for breach in verdict.breaches)
        return Verdict(tuple(always or [Breach(article, "either-way") for article in articles]))
    because = [one for one in first.because if all(one in other.because for other in others)]
    effect = {key: value for key, value in first.effect.items() if all(one.effect.get(key) == value for one in others)}
    return Verdict(because=tuple(because), effect=effect)


def _with_ranks(found: Sequence[Verdict], alone: Sequence[Missing]) -> tuple[Missing, ...]:
    """Return the fewer facts: those asked for as it is, or the ranks with what the verdicts on each rank ask for."""
    centre = [one for one in alone if one.fact in ("centre_rank", "centre_stacks")]
    if not centre:
        return tuple(alone)
    others = {(one.fact, one.seat): one for verdict in found for one in verdict.missing}
    return (*centre, *others.values())


def _ranks_filled_in(rules: SpiteRules, position: Position, target: object) -> Iterator[Position]:
    """Yield the position with every rank for the unknown tops of centre stacks, as far as it matters.

    Of a stack that nobody plays on now it only matters whether an ace or the last rank is on top, and not of which.
    """
    centre = list(position.centre or ())
    known = position.known
    if position.laid is None:
        known = (*known, AtLeast(hidden.CENTRE, hidden.wild_mask(rules), centre.count(None)))
    played_on = [place for place, top in enumerate(centre) if top is None and place == target]
    others = [place for place, top in enumerate(centre) if top is None and place != target]
    for ranks in combinations_with_replacement((ACE, rules.top - 1, rules.top), len(others)):
        for rank in range(ACE, rules.top + 1) if played_on else (ACE,):
            for place, top in zip([*others, *played_on], [*ranks, rank], strict=False):
                centre[place] = top
            assumed = tuple(top or 0 for top, was in zip(centre, position.centre or (), strict=True) if was is None)
            yield replace(position, centre=tuple(centre), known=known, assumed=assumed)


_CARDED = (n.Play, n.Discard)
_JUDGES: Final[Mapping[type, Callable[[SpiteRules, Position, Any, Ruling], None]]] = {
    n.Play: judge_play,
    n.Discard: judge_discard,
    n.Refill: judge_refill,
    n.EndTurn: lambda rules, position, move, ruling: judge_end(rules, position, ruling),
    n.Complete: judge_complete,
    n.Recycle: judge_recycle,
    n.SecondChance: lambda rules, position, move, ruling: judge_second_chance(rules, position, ruling),
    n.Redeal: judge_redeal,
    n.Start: judge_start,
    n.DealCheck: judge_deal,
    n.ClaimWin: lambda rules, position, move, ruling: judge_win(rules, position, ruling),
    n.ClaimStalemate: lambda rules, position, move, ruling: judge_stalemate(rules, position, ruling),
}


def _shown(
    rules: SpiteRules, position: Position, card: Card, place: str, ruling: Ruling
) -> tuple[tuple[Claim, ...], Position]:
    """Return what a named card says of the hidden place that it comes from, and the position with it."""
    claim = hidden.holds(place, card.pips)
    recorded = position.laid is not None  # it was seen there; that too many were seen contradicts the record alone
    left = recorded or hidden.plainly_left(rules, position, place, card)
    if not left and not _is_left(rules, position, claim, card, ruling):
        return (), position
    if place == hidden.PAYOFF:
        return (), replace(position, own=replace(position.own, payoff=card))
    if place == hidden.PARTNER_PAYOFF:
        return (), replace(position, partner=replace(position.partner or UNKNOWN, payoff=card))
    return (claim,), position


def _is_left(rules: SpiteRules, position: Position, claim: Claim, card: Card, ruling: Ruling) -> bool:
    """Return whether a world has a card where a move shows it; record a breach if none has."""
    left = not card.suit or sum(one == card for one in (*hidden.seen(position), *hidden.tops_seen(position)))
    known = knowledge(rules, position)
    if (left is not True and left >= rules.packs) or not known.possible(claim):
        if known.consistent:
            ruling.breach(a.PACKS, "none-left", card=str(card))
        return False
    return True


# What can be done ----------------------------------------------------------------------------------------------------


def list_moves(rules: SpiteRules, request: Node) -> Mapping[str, object]:
    """Return legal and compulsory moves, what side stacks accept, and what hidden cards leave open.

    Raises Refused where the position cannot be read.
    """
    request.object(required=("position",), optional=("rules",))
    position = request.require(read_position(rules, request["position"]) if request["position"].present else None)
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
    """Return every legal move, and the missing facts on which others depend."""
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
    """Yield what must be played before the turn ends, article by article; at least one play of each."""
    if position.discarded:
        return
    for duty in duties(rules, position):
        if duty.card is not None and not duty.table:
            yield duty.article.id, _ways(position, duty, duty.card)
    held = second_chance_plays(rules, position)
    if held:
        plays = [play for card in held for play in _targets(position, n.HAND, None, card)]
        yield a.SECOND_CHANCE_DUTY.id, [play for play in plays if judge_move(rules, position, play).value == LEGAL]


def _ways(position: Position, duty: Duty, card: Card) -> list[n.Play]:
    if duty.rank == ACE:
        return [n.Play(duty.source, n.NEW, card, duty.stack)]
    aces = [place for place, top in enumerate(position.centre or ()) if top == ACE]
    return [n.Play(duty.source, place, card, duty.stack) for place in aces]


def _candidates(rules: SpiteRules, position: Position) -> Iterator[n.Announcement]:
    """Yield everything that could be announced; the judge has the last word."""
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
