"""The judge of every move of a turn: who begins, the deal, plays, discards, draws, duties, the end of a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from companion.engine.articles import Article
from companion.engine.cards import RANKS, SUITS, Card
from companion.engine.verdict import FALSE, TRUE, AllOf, AnyOf, AtLeast, AtMost, Claim, Knowledge, Place, negation
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.hidden import ALL, RANK, SIDES, exposed_twos, holds, mask, seen, wild_mask
from companion.games.spite_and_malice.position import (
    ACE,
    HAND,
    TWO,
    UNKNOWN,
    Piles,
    Position,
    is_natural,
    is_wild,
    rank_name,
)
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.stacks import (
    Facts,
    Ruling,
    accepted,
    draws_last,
    judge_climb,
    judge_new_side,
    judge_opening,
    judge_side,
    judge_unknown_side,
    redeal_due,
    room,
    stacks_complete,
    stacks_incomplete,
    wild_article,
    wild_fits,
    with_discard,
)

_HIGHEST, _LOWEST = 14, 0
_PACK: Final = (*(Card(rank, suit) for suit in SUITS for rank in RANKS), Card(n.JOKER))
"""Every kind of card by the number of its bit."""
_REST: Final = " rest"
"""All other cards; a name that no player has."""
_Outcome = tuple[str, str]
"""`first` and a player, or `redo` and how the tops are turned up anew."""


def judge_start(rules: SpiteRules, position: Position, move: n.Start, ruling: Ruling) -> None:
    """Judge who plays first, or how tied tops are turned up anew (SNM-012, 013, 112, 122, 207, 208, 302)."""
    if rules.starts != "highest_payoff":
        _judge_agreed_start(rules, position, move, ruling)
        return
    possible = outcomes(rules, position)
    announced = ("redo", move.redo or "") if move.first is None else ("first", move.first)
    tops = compared(position)
    article = _article(rules, tops, possible)
    if announced not in possible:
        _breach(possible, article, move, position, rules, ruling)
    elif len(possible) > 1:
        unknown = [player for player in position.contenders or position.players if player not in tops]
        for player in unknown:
            ruling.lack("payoff_top", a.START, player)
        for player in _suits_wanted(rules, tops) if not unknown else ():
            ruling.lack("suit", a.START_SUIT, player)
    ruling.allow(article, **({"redo": move.redo} if move.redo and article is a.START_SUIT else {}))
    if rules.players > 2:
        ruling.allow(a.PARTNERS_START if rules.paired else a.ALONE_START)
    kind, name = announced
    ruling.then(lambda: {kind: name})


def _judge_agreed_start(rules: SpiteRules, position: Position, move: n.Start, ruling: Ruling) -> None:
    """Judge a first player whom no pay-off card decides: the dealer, the player left of the dealer, or anybody."""
    first = move.first if rules.starts == "any" else position.dealer
    if first is not None and rules.starts == "left_of_dealer":
        first = n.after(position.players, first)
    if move.first is None:
        ruling.breach(a.START_AGREED, "no-cards-compared", redo=move.redo)
    elif first is None:
        ruling.lack("dealer", a.START_AGREED)
    elif move.first != first:
        ruling.breach(a.START_AGREED, "dealer-decides", first=first, named=move.first)
    ruling.allow(a.START_AGREED)
    ruling.then(lambda: {"first": move.first})


def starter(rules: SpiteRules, position: Position) -> str | None:
    """Return who plays first by the pay-off tops, or None if they decide nothing."""
    if not position.payoff_tops or rules.starts != "highest_payoff":
        return None
    possible = outcomes(rules, position)
    kind, name = possible[0] if len(possible) == 1 else ("", "")
    return name if kind == "first" else None


def outcomes(rules: SpiteRules, position: Position) -> list[_Outcome]:
    """Return everything that the tops can decide: who plays first, or a redo; one outcome if they are all known.

    Tops that contradict the pack decide nothing: a record that holds them leaves every outcome open.
    """
    players, tops = position.contenders or position.players, compared(position)
    if len(tops) == len(players) and not _suits_wanted(rules, tops):
        return [_decided(rules, tops)]
    known = _knowledge(rules, position)
    may = {place.name: place.may for place in known.places}
    found: dict[_Outcome, None] = {}
    for outcome, claims in _ways(rules, players):
        # Most ways fail at a top that shows: only the others need the pack to be looked at.
        conceivable = outcome not in found and all(may[each.place] & each.cards for each in claims)
        if conceivable and known.possible(AllOf(claims)):
            found[outcome] = None
    return list(found or dict.fromkeys(outcome for outcome, _ in _ways(rules, players)))


def compared(position: Position) -> dict[str, Card]:
    """Return the tops of those who still compare theirs (ALO-R4)."""
    players = position.contenders or position.players
    return {player: card for player, card in position.payoff_tops.items() if player in players}


def _decided(rules: SpiteRules, tops: Mapping[str, Card]) -> _Outcome:
    """Return what tops decide that are all known."""
    if turning_anew(rules, tops, "redraw"):
        return "redo", "redraw"
    leaders = turning_anew(rules, tops, "")
    return ("first", leaders[0]) if len(leaders) == 1 else ("redo", _redo(rules))


def turning_anew(rules: SpiteRules, tops: Mapping[str, Card], redo: str) -> tuple[str, ...]:
    """Return who turns up another pay-off card: whoever has a wild one, or the highest ones that tie (ALO-R4)."""
    if redo == "redraw":
        redrawn = rules.start_wild == "redraw"
        return tuple(player for player, card in tops.items() if redrawn and is_wild(rules, card))
    best = max((_strength(rules, card) for card in tops.values()), default=None)
    return tuple(player for player, card in tops.items() if _strength(rules, card) == best)


def _redo(rules: SpiteRules) -> str:
    """Return what happens on a tie; where suits decide ties, that of two cards that are the same."""
    return "reshuffle" if rules.start_tie == "suit" else rules.start_tie


def _strength(rules: SpiteRules, card: Card) -> tuple[int, int]:
    """Return what a top counts for the start; suits count where they decide ties, and a card without one is lowest."""
    value = card.pips
    if is_wild(rules, card):
        value = _LOWEST if rules.start_wild == "low" else _HIGHEST
    if rules.start_tie != "suit" or not card.suit:
        return value, -len(SUITS)
    return value, -SUITS.index(card.suit)


def _suits_wanted(rules: SpiteRules, tops: Mapping[str, Card]) -> list[str]:
    """Return the players among those with the highest rank whose suit decides and is not known."""
    if rules.start_tie != "suit" or not tops or turning_anew(rules, tops, "redraw"):
        return []
    values = {player: _strength(rules, card)[0] for player, card in tops.items()}
    leaders = [player for player, value in values.items() if value == max(values.values())]
    return [player for player in leaders if not tops[player].suit and tops[player].pips] if len(leaders) > 1 else []


def _knowledge(rules: SpiteRules, position: Position) -> Knowledge:
    """Return what is known of the tops: the pack or packs that pay-off piles are dealt from, and the tops that show."""
    one_pack = rules.one_pack
    gone = Counter() if one_pack else Counter(card for card in seen(position) if card.suit or not card.pips)
    held = [1 if one_pack else rules.packs] * 52 + [0 if one_pack else rules.jokers]
    copies = tuple([max(count - gone[card], 0) for card, count in zip(_PACK, held, strict=True)])
    places = []
    for player in position.players:
        top = position.payoff_tops.get(player)
        may = [top is None or n.matches(n.as_named(rules, card), top) for card in _PACK]
        places.append(Place.of(player, 1, sum(fits << kind for kind, fits in enumerate(may))))
    hidden = sum(1 << kind for kind, count in enumerate(copies) if count)
    return Knowledge(hidden, (*places, Place(_REST, 0, sum(copies))), copies=copies)


def _ways(rules: SpiteRules, players: Sequence[str]) -> Iterator[tuple[_Outcome, tuple[AtLeast, ...]]]:
    """Yield every outcome with the claims that are true in one way to it; the same outcome comes many times."""
    wild = 0
    if rules.start_wild == "redraw":
        wild = sum(is_wild(rules, card) << kind for kind, card in enumerate(_PACK))
        for player in players if wild else ():
            yield ("redo", "redraw"), (AtLeast(player, wild),)
    kinds: dict[tuple[int, int], int] = {}
    for place, card in enumerate(_PACK):
        if not wild >> place & 1:
            strength = _strength(rules, card)
            kinds[strength] = kinds.get(strength, 0) | 1 << place
    below = 0
    for strength in sorted(kinds):
        best, upto = kinds[strength], below | kinds[strength]
        for player in players:
            others = [AtLeast(other, below) for other in players if other != player]
            yield ("first", player), (AtLeast(player, best), *others)
        for pair in combinations(players, 2):
            others = [AtLeast(other, upto) for other in players if other not in pair]
            yield ("redo", _redo(rules)), (*(AtLeast(player, best) for player in pair), *others)
        below = upto


def _article(rules: SpiteRules, tops: Mapping[str, Card], possible: Sequence[_Outcome]) -> Article:
    """Return the article that decides, as far as it is known."""
    if all(outcome == ("redo", "redraw") for outcome in possible):
        return a.KING_IN_PAYOFF if rules.deal_mode == "split" else a.WILD_IN_PAYOFF
    if possible[0][0] == "redo" and len(possible) == 1:
        return {"bury": a.START_BURY, "reshuffle": a.START_RESHUFFLE, "suit": a.START_SUIT}[rules.start_tie]
    values = [_strength(rules, card)[0] for card in tops.values()]
    tied = bool(values) and values.count(max(values)) > 1 and rules.start_tie == "suit"
    return a.START_SUIT if tied else a.START


def _breach(
    possible: Sequence[_Outcome], article: Article, move: n.Start, position: Position,
    rules: SpiteRules, ruling: Ruling,
) -> None:  # fmt: skip
    """Record why an announcement is wrong in every world."""
    ways = [name for kind, name in possible if kind == "redo"]
    if len(ways) == len(possible):  # a hidden top may leave open how they are turned up anew, but not that they are
        tops, redo = compared(position), ways[0] if len(ways) == 1 else ways
        if move.redo is not None:
            ruling.breach(article, "wrong-redo", redo=redo, named=move.redo)
        else:
            again = turning_anew(rules, tops, "redraw" if redo == "redraw" else "")
            ruling.breach(article, "start-redo", redo=redo, tied=[*again])
        return
    first = possible[0][1] if len(possible) == 1 else None  # hidden tops may leave open who it is
    if move.first is None:
        ruling.breach(article, "no-redo", redo=move.redo, first=first)
    else:
        ruling.breach(article, "start-higher", first=first, named=move.first)


def judge_deal(rules: SpiteRules, position: Position, move: n.DealCheck, ruling: Ruling) -> None:
    """Judge counts after the deal against the packs, piles and hands (SNM-005 to 008, 101, 105, 203 to 206, 301)."""
    stock = {
        "split": a.HAND,
        "single": a.PARTNERS_PACKS if rules.paired else a.SINGLE_SHUFFLE,
        "payoff_from_one_pack": a.HANDS_DEALT if rules.hands_dealt else a.COMMON_STOCK,
    }[rules.deal_mode]
    payoff = a.SMALL_PAYOFF if rules.deal_mode == "payoff_from_one_pack" else a.PAYOFF_PILE
    hand = a.DRAWN_HANDS if rules.initial_hand == "drawn_first_turn" else a.HAND
    _judge_count("stock", move.stock, rules.stock_dealt, stock, ruling)
    _judge_count("centre_stacks", move.centre, 0, a.OPENING_TABLE, ruling)
    for zone, counts, expected, article in (
        ("payoff", move.payoffs, rules.payoff_size, payoff),
        ("hand", move.hands, rules.hands_dealt, hand),
        ("side_stacks", move.sides, rules.side_start, a.FIRST_SIDE_CARDS if rules.side_start else a.OPENING_TABLE),
    ):
        for player, count in counts.items():
            _judge_count(zone, count, expected, article, ruling, player)
    ruling.then(lambda: {"cards": rules.cards, "stock": rules.stock_dealt})


def _judge_count(
    zone: str, count: int | None, expected: int, article: Article, ruling: Ruling, player: str | None = None
) -> None:
    if count is None:
        return
    if count != expected:
        ruling.breach(article, "deal-count", zone=zone, count=count, expected=expected, player=player)
    else:
        ruling.allow(article)


# The end of a deal ---------------------------------------------------------------------------------------------------


def judge_win(rules: SpiteRules, position: Position, move: n.ClaimWin, ruling: Ruling) -> None:
    """Judge `I am out`: the own pay-off pile is empty, and the partner's too (SNM-090, 108, 221, 312)."""
    article = _out_article(rules)
    _judge_empty(position.own, position.player, "payoff_left", article, ruling)
    if rules.paired:
        partner = position.partner_name or position.player
        _judge_empty(position.partner or UNKNOWN, partner, "partner_payoff_left", article, ruling)
    ruling.allow(article)
    ruling.then(lambda: {"over": True, "winner": position.player})


def judge_stalemate(rules: SpiteRules, position: Position, move: n.ClaimStalemate, ruling: Ruling) -> None:
    """Judge `nobody can finish`: the rules end the deal on a deadlock or an empty stock (SNM-085, 093, 313).

    A deal that is played on with what there is ends as well, once nothing can be drawn and everybody was idle in a row.
    """
    if is_over(rules, position):
        return
    if not rules.abandoned:
        ruling.breach(a.REDEAL, "no-stalemate")
        return
    held, draw = position.held, can_draw(rules, position)
    idle = None if position.turns is None else len(n.idle_run(position.turns))
    if rules.deadlock == "none" and rules.stock_out == "play_on":
        _judge_dead_table(rules, position, draw, idle, ruling)
        return
    by_stock, by_deadlock = rules.stock_out != "play_on", rules.deadlock in ("draw", "compare")
    stuck = by_deadlock and idle and idle >= rules.players
    exhausted = by_stock and not draw and (held or 0) < HAND_SIZE and (None if None in (draw, held) else True)
    if exhausted:
        _allow_end(a.STOCK_EXHAUSTED, rules.stock_out, ruling)
    elif stuck and (exhausted is False or not rules.ends_both_ways):
        _allow_end(a.STALEMATE, rules.deadlock, ruling)
    elif None in (exhausted, stuck):
        if exhausted is None:
            _lack_counts(rules, position, a.STOCK_EXHAUSTED, ruling)
            if held is None:
                ruling.lack("hand", a.STOCK_EXHAUSTED, position.player)
        if stuck is None:
            ruling.lack("turns", a.IDLE_TURN)
    elif by_stock and draw is False:
        ruling.breach(a.STOCK_EXHAUSTED, "nothing-to-draw", held=held)
    elif by_deadlock:
        ruling.breach(a.STALEMATE, "not-all-idle", idle=idle, needed=rules.players)
    else:
        ruling.breach(a.STOCK_EXHAUSTED, "stock-left", stock=position.stock)


def _lack_counts(rules: SpiteRules, position: Position, article: Article, ruling: Ruling) -> None:
    for fact in _uncounted(rules, position):
        ruling.lack(fact, article)


def _allow_end(article: Article, settled_by: str, ruling: Ruling) -> None:
    ruling.allow(article)
    ruling.then(lambda: {"over": True, "winner": None, "settled_by": settled_by})


def _judge_dead_table(
    rules: SpiteRules, position: Position, draw: bool | None, idle: int | None, ruling: Ruling
) -> None:
    """Judge the end of a deal that the rules would play on for ever: nobody played, and no card can be drawn (SKB-R1).

    Where nobody has to discard, that has to be for want of a hand as well (A21).
    """
    article, held, needed = a.NUMBERED_END if rules.numbered else a.SHORT_HAND, position.held, rules.players
    if draw:
        ruling.breach(article, "stock-left", stock=position.stock)
    _lack_counts(rules, position, article, ruling)
    if idle is None:
        ruling.lack("turns", article)
    elif idle < needed:
        ruling.breach(article, "not-all-idle", idle=idle, needed=needed)
    if not rules.numbered:
        if held:
            ruling.breach(article, "cards-in-hand", held=held)
        elif held is None and not (idle and rules.discard_required and rules.discard_rule == "free"):
            ruling.lack("hand", article, position.player)  # else whoever was idle had no card to discard
    _allow_end(article, "play_on", ruling)


def _judge_empty(piles: Piles, player: str, fact: str, article: Article, ruling: Ruling) -> None:
    if piles.payoff is not None or piles.payoff_left:
        ruling.breach(article, "cards-left", left=piles.payoff_left, pile=fact)
    elif piles.payoff_left is None:
        ruling.lack(fact, article, player)


def judge_play(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> None:
    """Judge a play to the centre, source and target separately (SNM-021 to 023, 031 to 034, 045, 106)."""
    card = _source_card(rules, position, move, ruling)
    if card is not None and not n.in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        card = None
    if isinstance(move.to, n.OntoSide):
        ruling.breach(a.CLOSED_LIST, "only-to-centre", source=move.source)
        return
    _judge_timing(rules, position, move, ruling)
    if move.to == n.NEW:
        judge_opening(rules, position, card, ruling)
    else:
        _judge_stack(rules, position, move, int(move.to), card, ruling)
    if card is not None:
        played = card
        ruling.then(lambda: _effect_of_play(rules, position, move, played))
    elif _is_hidden_top(position, move):
        _judge_hidden_top(rules, position, move, ruling)


def _is_hidden_top(position: Position, move: n.Play) -> bool:
    """Return whether a play takes a pay-off top that is not known."""
    return move.source in n.PAYOFF_SOURCES and hidden_source(position, move) is not None


def hidden_source(position: Position, move: n.Play | n.Discard) -> str | None:
    """Return the hidden place that a card is taken from, or None if the place is known or may not be used."""
    if move.source == n.HAND:
        return HAND if position.hand is None and position.hand_count != 0 else None
    usable = (*n.PAYOFF_SOURCES, *n.SIDE_SOURCES) if position.partner_name else (n.PAYOFF, n.SIDE)
    if isinstance(move, n.Discard) or move.depth or move.source not in usable:
        return None
    piles = position.piles_at(move.source)
    shown = piles.sides is not None if move.source in n.SIDE_SOURCES else piles.payoff is not None or piles.out
    return None if shown else n.place_of(move.source)


def _judge_hidden_top(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> None:
    """Judge a pay-off top that is played without being named: which cards it can be decides (SNM-032, 033, 045)."""
    wild = wild_mask(rules)
    if move.to == n.NEW:
        article, fits = a.OPEN_STACK, RANK[ACE] | (wild if rules.wild_as_ace else 0)
    else:
        tops = position.centre or ()
        top = next(iter(tops[int(str(move.to)) :]), None)
        if top is None or top >= rules.top:
            return
        article, fits = a.NEXT_RANK, RANK[top + 1] | (wild if wild_fits(rules, top) else 0)
        if top == ACE:
            _judge_kept_ace(rules, position, move, n.wild_card(rules), ruling, where=move.source)
    ruling.breach_if(AtLeast(move.source, ALL & ~fits), article, "no-card-fits", (move.source,))


def _source_card(rules: SpiteRules, position: Position, move: n.Play, ruling: Ruling) -> Card | None:
    """Return the card that is played, or None (and record why) if it is unknown or may not be taken."""
    source = move.source
    if source == n.HAND:
        return _hand_card(position, move.card, ruling)
    if source == n.PARTNER_HAND and rules.paired:
        ruling.breach(a.PARTNERS_PILES, "partners-hand")
        return None
    if source in (n.PARTNER_PAYOFF, n.PARTNER_SIDE) and rules.paired:
        ruling.allow(a.PARTNERS_PILES)
    elif source not in (n.PAYOFF, n.SIDE):
        ruling.breach(a.CLOSED_LIST, "closed-source", source=source)
        return None
    return (_payoff_card if source in n.PAYOFF_SOURCES else _side_card)(position.piles_at(source), move, ruling)


def _hand_card(position: Position, named: Card | None, ruling: Ruling) -> Card | None:
    """Return the named card of the hand; if the hand is unknown, the card that was shown is taken to be in it."""
    if named is None:
        return None
    if position.held == 0 or (position.hand is not None and n.find(position.hand, named) is None):
        ruling.breach(a.PLAYS, "not-in-hand", card=str(named))
        return named
    ruling.allow(a.PLAYS)
    return named


def _payoff_card(piles: Piles, move: n.Play, ruling: Ruling) -> Card | None:
    if piles.out:
        ruling.breach(a.PAYOFF_TOP, "payoff-empty")
        return None
    if move.depth:
        ruling.breach(a.PAYOFF_TOP, "covered", depth=move.depth)
        return None
    ruling.allow(a.PAYOFF_TOP)
    return _shown(piles.payoff, move, ruling, a.PAYOFF_TOP)


def _side_card(piles: Piles, move: n.Play, ruling: Ruling) -> Card | None:
    place = move.stack or 0
    if move.depth:
        ruling.breach(a.TOP_CARD_ONLY, "covered", depth=move.depth)
        return None
    if place >= SIDE_PLACES if piles.sides is None else not piles.sides[place : place + 1] or not piles.sides[place]:
        ruling.breach(a.PLAYS, "no-such-stack", stack=place)
        return None
    top = None if piles.sides is None else piles.sides[place][-1]
    ruling.allow(a.TOP_CARD_ONLY)
    return _shown(top, move, ruling, a.TOP_CARD_ONLY)


def _shown(top: Card | None, move: n.Play, ruling: Ruling, article: Article) -> Card | None:
    """Return the top card, known or as it was shown; another card is recorded as a breach."""
    if top is None:
        if move.card is None and move.source in n.SIDE_SOURCES:
            ruling.lack(n.place_of(move.source), article)
        return move.card
    if move.card is not None and not n.matches(top, move.card):
        ruling.breach(article, "not-that-card", card=str(move.card), top=str(top))
        return None
    return top


def _judge_stack(
    rules: SpiteRules, position: Position, move: n.Play, place: int, card: Card | None, ruling: Ruling
) -> None:
    if position.centre is not None and place >= len(position.centre):
        ruling.breach(a.CENTRE, "no-such-stack", stack=place)
        return
    top = None if position.centre is None else position.centre[place]
    if top is None:
        if is_natural(rules, card, ACE):
            ruling.breach(a.NEXT_RANK, "ace-onto-stack", card=str(card))
        elif position.centre is None:
            ruling.lack("centre_stacks", a.NEXT_RANK)
            if card is not None and (is_wild(rules, card) or card.pips == TWO):  # it may be an ace that is covered
                _judge_kept_ace(rules, position, move, card, ruling)
        else:
            ruling.lack(
                "centre_rank", wild_article(n.wild_card(rules), a.JOKER_TO_CENTRE, a.KING_TO_CENTRE), stack=place
            )
        if card is None and _is_hidden_top(position, move):
            ruling.lack(move.source, a.NEXT_RANK)
        return
    judge_climb(rules, top, card, ruling)
    if card is not None and top == ACE:
        _judge_kept_ace(rules, position, move, card, ruling)


def _effect_of_play(rules: SpiteRules, position: Position, move: n.Play, card: Card) -> dict[str, object]:
    effect: dict[str, object] = {}
    if position.centre is not None:
        tops = list(position.centre)
        place = len(tops) if move.to == n.NEW else int(str(move.to))
        new = ACE if move.to == n.NEW else (tops[place] or 0) + 1
        tops[place:] = [new, *tops[place + 1 :]]
        effect["as"] = rank_name(rules, new)
        if new == rules.top:
            effect["completed"] = rules.centre_done
            if rules.centre_done != "stay":
                del tops[place]
        effect["centre_stacks"] = [None if top is None else rank_name(rules, top) for top in tops]
    if move.source == n.HAND and position.held is not None:
        effect["hand_count"] = position.held - 1
    if move.source in n.PAYOFF_SOURCES:
        effect |= _effect_of_payoff(rules, position, move)
    if move.source == n.HAND and (is_natural(rules, card, ACE) or is_natural(rules, card, TWO)):
        effect["played_ace_or_two"] = True
    return effect


def _effect_of_payoff(rules: SpiteRules, position: Position, move: n.Play) -> dict[str, object]:
    piles, other = position.own, position.partner or UNKNOWN
    if move.source != n.PAYOFF:
        piles, other = other, piles
    if piles.payoff_left is None:
        return {}
    left, alone = piles.payoff_left - 1, not rules.paired
    effect: dict[str, object] = {f"{move.source}_left": left, "turn_up": left > 0}
    if left == 0 and (alone or other.payoff_left is not None):
        effect["over"] = alone or other.out
    return effect


# The discard ---------------------------------------------------------------------------------------------------------


def judge_discard(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    """Judge a discard: from hand, no compulsory play left, onto an own stack that fits (SNM-050 to 055, 064 to 069)."""
    if move.source != n.HAND:
        ruling.breach(a.ONLY_FROM_HAND, "discard-source", source=move.source)
        card = move.card
    else:
        card = _hand_card(position, move.card, ruling)
    if move.owner != "own":
        ruling.breach(a.OWN_SIDE_STACKS if rules.paired else a.ONLY_FROM_HAND, "discard-owner", owner=move.owner)
    _judge_duties(rules, position, ruling)
    ruling.allow(a.CLOSING_DISCARD if rules.discard_required else a.DISCARD)
    if card is not None and not n.in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        return
    if move.owner == "own":
        _judge_target(rules, position, move, ruling)
    ruling.then(lambda: _effect_of_discard(rules, position, move))


def _judge_target(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    sides = position.own.sides
    if move.to == n.NEW:
        judge_new_side(position.own, ruling)
        if move.card is not None:
            judge_side(rules, (), move.card, ruling)
    elif int(move.to) >= (SIDE_PLACES if sides is None else len(sides)):
        ruling.breach(a.SIDE_STACKS, "no-such-stack", stack=int(move.to))
    elif move.card is not None and sides is None:
        judge_unknown_side(rules, move.card, ruling)
    elif move.card is not None and sides is not None:
        judge_side(rules, sides[int(move.to)], move.card, ruling)


def _effect_of_discard(rules: SpiteRules, position: Position, move: n.Discard) -> dict[str, object]:
    held, sides = position.held, position.own.sides
    last = rules.refill_at == "end" and held is not None and held <= HAND_SIZE
    again = rules.after_last_discard == "refill_and_replay" and held == 1
    more = (again or last) and bool(can_draw(rules, position))
    effect = {"turn_ends": not more, "next": position.player if more else position.next_player}
    if more and position.stock != 0:  # with an empty stock, the stacks put under it decide how many can be drawn
        missing = HAND_SIZE + 1 - (held or 1)
        effect["refill"] = missing if position.stock is None else min(missing, position.stock)
    if held is not None:
        effect["hand_count"] = held - 1
    if sides is not None and move.card is not None:
        effect["side_stacks"] = with_discard(map(n.names, sides), move.to, str(move.card))
    return effect


_HAND: Facts = ("hand",)
_SIDES: Facts = ("side_stacks",)
_PLACE_FREE: Final = AtMost(SIDES, ALL, SIDE_PLACES - 1)
_ANYBODYS: Final = frozenset((n.Recycle, n.Start, n.DealCheck, n.Complete, n.SecondChance, n.Redeal, n.ClaimStalemate))
_AFTER_THE_END: Final = frozenset((n.Start, n.DealCheck, n.ClaimWin, n.Complete))


def judge_moment(rules: SpiteRules, position: Position, move: n.Move, ruling: Ruling) -> None:
    """Judge whether this kind of move may come now: the deal goes on, the turn is not over, the hand is refilled."""
    kind = move.__class__
    seat = move.seat if kind not in _ANYBODYS else None
    if seat not in (None, position.player) and not (kind is n.ClaimWin and seat == position.partner_name):
        ruling.breach(a.TURN_ORDER, "not-your-turn", seat=seat, player=position.player)
    if is_over(rules, position) and kind not in _AFTER_THE_END:
        ruling.breach(_out_article(rules), "deal-over")
    if kind not in n.IN_TURN:
        return
    if redeal_due(rules, position):
        ruling.breach(a.REDEAL, "redeal-due", idle=2 * rules.players)
    if not position.discarded or (kind is n.EndTurn and draws_last(rules, position)):
        if kind is not n.Refill:
            _judge_drawn(rules, position, ruling)
    elif kind is not n.EndTurn and not (
        kind is n.Refill and (_may_play_again(rules, position) or draws_last(rules, position))
    ):
        ruling.breach(a.AFTER_DISCARD, "turn-is-over")


def is_over(rules: SpiteRules, position: Position) -> bool:
    """Return whether the deal has ended, by announcement or because the mover's side is out (SNM-090, 108)."""
    if position.over or not position.own.out:
        return position.over
    return not rules.paired or (position.partner is not None and position.partner.out)


def _out_article(rules: SpiteRules) -> Article:
    """Return the article on the end of a deal: one pile, or both of a partnership."""
    return a.BOTH_PILES if rules.paired else a.GOING_OUT


def _may_play_again(rules: SpiteRules, position: Position) -> bool:
    """Return whether the discard that emptied the hand lets its player draw and go on (SNM-123)."""
    return rules.after_last_discard == "refill_and_replay" and position.held in (0, None)


def judge_refill(rules: SpiteRules, position: Position, move: n.Refill, ruling: Ruling) -> None:
    """Judge the number of cards drawn: up to five at the start, five in mid-turn with an empty hand (SNM-020, 028)."""
    again, last = position.discarded and _may_play_again(rules, position), draws_last(rules, position)
    if position.discarded and not (again or last):
        return
    article, held = a.DRAW_AT_END if last else a.REFILL, position.held
    if (position.refilled or again) and not last:
        midturn = a.FIVE_NEW_CARDS if rules.midturn_refill == "must" else a.EMPTY_HAND
        article = a.PLAY_AGAIN if again else midturn
        if held is not None and held > 0:
            ruling.breach(article, "hand-not-empty", held=held)
            return
        if held is None:
            ruling.breach_if(AtLeast(HAND, ALL), article, "hand-not-empty", _HAND, held=1)
        held = 0
    ruling.allow(article, count=move.count)
    if last:
        ruling.then(lambda: {"turn_ends": True, "next": position.next_player})
    stock = position.stock if position.stock is not None else n.FAR
    most = min(HAND_SIZE, stock)
    due = None if held is None else max(min(HAND_SIZE - held, stock), 0)
    if held is None and 1 <= move.count <= most:
        ruling.breach_if(_not_due(move.count, stock), article, "draw-count", _HAND, count=move.count, most=most)
    elif not move.count or move.count != due:
        ruling.breach(article, "draw-count", count=move.count, most=due)
    full = HAND_SIZE if move.count < stock else None
    after = {"hand_count": full if held is None else held + move.count}
    after |= {"stock": None if position.stock is None else stock - move.count}
    ruling.then(lambda: {name: count for name, count in after.items() if count is not None})


def judge_end(rules: SpiteRules, position: Position, move: n.EndTurn, ruling: Ruling) -> None:
    """Judge the spoken end of a turn: no compulsory play is left, and no discard is owed (SNM-026, 216, 218)."""
    _judge_duties(rules, position, ruling)
    if rules.discard_required and not position.discarded:
        _judge_closing(rules, position, ruling)
    if rules.discard_required:
        ruling.allow(a.CLOSING_DISCARD, passed=not position.discarded)
    else:
        ruling.allow(a.END_OF_TURN)
    ruling.then(lambda: {"turn_ends": True, "next": position.next_player})


def can_draw(rules: SpiteRules, position: Position) -> bool | None:
    """Return whether the stock has cards, or would have after recycling; None where nobody counted the stacks."""
    if position.stock is None or position.stock > 0:
        return True
    if rules.recycle_source == "none":
        return False
    counts = _counts(rules, position).values()
    return True if any(counts) else None if None in counts else False


def _counts(rules: SpiteRules, position: Position) -> dict[str, int | None]:
    """Return how many stacks can fill up the stock, by the fact that tells it; None where nobody counted them."""
    counts = {"complete": stacks_complete(rules, position)}
    if rules.recycle_source == "complete_then_incomplete":
        counts["incomplete"] = stacks_incomplete(rules, position)
    return counts


def _uncounted(rules: SpiteRules, position: Position) -> Facts:
    """Return which stacks must be counted to know whether cards can be drawn, if nobody knows."""
    open_ = can_draw(rules, position) is None
    return tuple(fact for fact, count in _counts(rules, position).items() if open_ and count is None)


def _not_due(count: int, stock: int) -> Claim:
    """Claim that a hidden hand is not one to which so many cards are drawn, up to five or what the stock has."""
    more = AtLeast(HAND, ALL, HAND_SIZE - count + 1)
    return more if count == stock else AnyOf((more, AtMost(HAND, ALL, HAND_SIZE - count - 1)))


def _due(position: Position, count: int) -> int:
    """Return how many of so many cards the stock has; with none left, as many as it may have once it is filled up."""
    return min(count, position.stock or count)


def _judge_drawn(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    if position.stock == 0:
        return
    held = position.held
    last = draws_last(rules, position)
    if not position.refilled or last:
        article = a.DRAW_AT_END if last else a.REFILL
        if held is None:
            short = AtMost(HAND, ALL, HAND_SIZE - 1)
            ruling.breach_if(short, article, "refill-first", _HAND, held=HAND_SIZE - 1, count=1)
        elif held < HAND_SIZE:
            ruling.breach(article, "refill-first", held=held, count=_due(position, HAND_SIZE - held))
    elif rules.midturn_refill == "must":
        count = _due(position, HAND_SIZE)
        if held == 0:
            ruling.breach(a.FIVE_NEW_CARDS, "five-first", count=count)
        elif held is None:
            ruling.breach_if(AtMost(HAND, ALL), a.FIVE_NEW_CARDS, "five-first", _HAND, count=count)


def _judge_closing(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge a turn that ends without a discard: none can be made, and no cards can be drawn for one."""
    held, draw, article = position.held, can_draw(rules, position), a.CLOSING_DISCARD
    if held == 0:
        _lack_counts(rules, position, article, ruling)
        if draw and rules.midturn_refill == "must":
            renewed = {"renew": True} if position.stock == 0 else {}
            ruling.breach(a.FIVE_NEW_CARDS, "five-first", count=_due(position, HAND_SIZE), **renewed)
        elif draw:
            ruling.breach(article, "discard-owed")
        return
    fits, unsure = _discardable(rules, position), rules.discard_rule != "free" and position.own.sides is None
    if position.hand is not None:
        ranks = fits & {0 if is_wild(rules, card) else card.pips for card in position.hand}
        if unsure and ranks and 0 not in ranks:
            _judge_hidden_sides(rules, ranks, ruling)
        elif ranks:
            ruling.breach(article, "discard-owed")
        return
    discard: Claim = AtLeast(HAND, discardable_kinds(rules, position))
    empty = AtMost(HAND, ALL)
    if unsure:
        ruling.breach_if(discard, article, "discard-owed", _HAND, table=_SIDES)
        discard = AnyOf((AtLeast(HAND, wild_mask(rules)), AllOf((discard, _PLACE_FREE))))
    if held is not None or draw is not True:
        ruling.breach_if(discard, article, "discard-owed", (*_HAND, *_SIDES) if unsure else _HAND)
    if held is None and draw is not False:
        owed = AnyOf((discard, empty)) if draw else empty
        ruling.breach_if(owed, article, "discard-owed", _HAND, table=_uncounted(rules, position))


def _judge_hidden_sides(rules: SpiteRules, ranks: set[int], ruling: Ruling) -> None:
    """Judge a turn that ends without a discard of cards that fit a free place; hidden stacks may leave none."""
    article, wild = a.CLOSING_DISCARD, wild_mask(rules)
    fitting = mask({rank + above for rank in ranks for above in (0, 1) if rank + above <= rules.top}) & ~wild
    ruling.breach_if(AnyOf((_PLACE_FREE, AtLeast(SIDES, fitting))), article, "discard-owed", _SIDES)
    ruling.breach_if(AtLeast(SIDES, wild), article, "discard-owed", _SIDES, table=_SIDES)


def discardable_kinds(rules: SpiteRules, position: Position) -> int:
    """Return the kinds of hidden cards that fit a side stack."""
    wild = wild_mask(rules)
    return (mask(_discardable(rules, position) - {0}) & ~wild) | wild


def _discardable(rules: SpiteRules, position: Position) -> set[int]:
    """Return the ranks that fit a side stack, wild cards as 0; where the stacks are not known, a place is free."""
    places = [stack for stack in position.own.sides or () if stack]
    if len(places) >= SIDE_PLACES:
        return {0}.union(*(accepted(rules, stack) for stack in places))
    return {0, *range(ACE if rules.discard_ace else ACE + 1, rules.top + 1)}


_CENTRE: Facts = ("centre_stacks",)


@dataclass(frozen=True, slots=True)
class Duty:
    """One card that must go to the centre: its article, and where it is; `card` is None while it is hidden."""

    article: Article
    source: str
    stack: int | None
    rank: int
    card: Card | None
    open: Claim = TRUE
    """Whether such a card is there; only a hidden place leaves that open."""
    table: Facts = ()
    """Facts of the table that must be known as well, such as the centre stacks."""

    def met_by(self, play: n.Play) -> bool:
        """Return whether a play is this compulsory play."""
        shown = play.card is None or play.card.pips == self.rank
        return shown and play.source == self.source and self.stack in (None, play.stack)

    @property
    def asks(self) -> Facts:
        """Return the facts that say which card is there."""
        return () if self.card else (n.place_of(self.source),)

    def facts(self, rules: SpiteRules) -> dict[str, object]:
        """Return the facts of a breach."""
        return {"card": str(self.card or rank_name(rules, self.rank)), "source": self.source, "stack": self.stack}


def duties(rules: SpiteRules, position: Position) -> list[Duty]:
    """Return the compulsory plays that are open now, or may be (SNM-040 to 043)."""
    if not rules.mandatory or position.discarded:
        return []
    hand: Iterable[Card | None] = ()
    if "hand_ace" in rules.mandatory and position.held != 0:
        hand = (None,) if position.hand is None else dict.fromkeys(position.hand)
    found = [duty for card in hand for duty in _owed(rules, position, n.HAND, None, card)]
    for piles, payoff, side in _piles_in_scope(rules, position):
        if not piles.out:
            found += _owed(rules, position, payoff, None, piles.payoff)
        for place, card in piles.side_tops():
            found += _owed(rules, position, side, place, card)
        if piles.sides is None:
            aces = rules.discard_ace or rules.side_start > 0  # else none can be in a side stack (SNM-052, 205)
            found += [each for each in _owed(rules, position, side, None, None) if aces or each.rank == TWO]
    return found


def _judge_duties(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the end of a turn: no compulsory play is left, and a second chance was used (SNM-048, 072)."""
    for duty in duties(rules, position):
        ruling.breach_if(duty.open, duty.article, "duty-open", duty.asks, table=duty.table, **duty.facts(rules))
    if _second_chance_binds(rules, position):
        _judge_second_chance(rules, position, ruling)


def _judge_timing(rules: SpiteRules, position: Position, play: n.Play, ruling: Ruling) -> None:
    """Judge a play where compulsory cards go first: no other play may come before them (SNM-048)."""
    if rules.mandatory_timing != "immediate" or not rules.mandatory:
        return
    found = duties(rules, position)
    met = [duty for duty in found if duty.met_by(play)]
    if any(duty.open == TRUE and not duty.table for duty in met):
        return
    for duty in found:
        if duty not in met:
            first = AllOf((duty.open, *(negation(each.open) for each in met))) if met else duty.open
            asks = (*duty.asks, *(fact for each in met for fact in each.asks))
            facts = duty.facts(rules)
            ruling.breach_if(first, a.WHEN_COMPULSORY, "duty-first", asks, table=duty.table, **facts)


def _judge_kept_ace(
    rules: SpiteRules, position: Position, play: n.Play, card: Card, ruling: Ruling, *, where: str | None = None
) -> None:
    """Judge a card onto an ace: it must leave an ace for every exposed two of one's own (SNM-045, 124).

    With `where` it is only such a card if that hidden place has a wild one.
    """
    there = AtLeast(where, wild_mask(rules)) if where else TRUE
    shown, places = _exposed_twos(rules, position)
    asks = tuple(places)
    least, most = position.aces_showing()
    facts: dict[str, Any] = {"card": str(card), "twos": max(shown, 1), "aces": most}
    sure = _shut_out(rules, position, play, card, most)
    ruling.breach_if(_both(there, sure), a.ACE_KEPT_FOR_TWO, "ace-needed", asks, **facts)
    if least < most and sure != TRUE:
        perhaps = _shut_out(rules, position, play, card, least)
        ruling.breach_if(_both(there, perhaps), a.ACE_KEPT_FOR_TWO, "ace-needed", asks, table=_CENTRE, **facts)


def second_chance_plays(rules: SpiteRules, position: Position) -> list[Card]:
    """Return the aces and twos of a known hand of which one must be played now; empty if none must."""
    if not _second_chance_binds(rules, position):
        return []
    playable = [rank for rank in (ACE, TWO) if _playable(rules, position, rank) == TRUE]
    return [card for card in position.hand or () if any(is_natural(rules, card, rank) for rank in playable)]


def _second_chance_binds(rules: SpiteRules, position: Position) -> bool:
    """Return whether this is a second-chance turn in which no ace or two has been played from hand yet."""
    done = position.played_ace_or_two or position.discarded
    if not rules.redealt or position.phase != n.SECOND_CHANCE or done:
        return False
    return rules.second_chance_scope == "both" or not _broken(position)


def _piles_in_scope(rules: SpiteRules, position: Position) -> Iterator[tuple[Piles, str, str]]:
    """Return the piles whose aces and twos bind the mover, each with the names of its two sources."""
    return position.sources(partner=rules.mandatory_scope == "own_and_partner")


def _owed(rules: SpiteRules, position: Position, source: str, stack: int | None, card: Card | None) -> Iterator[Duty]:
    """Yield the duty of a card that is seen in a place, or the duties a hidden one would have."""
    if card is not None and card.pips > TWO:
        return
    pile = "hand" if source == n.HAND else "payoff" if source in n.PAYOFF_SOURCES else "side"
    for rank, kind in ((ACE, "ace"), (TWO, "two")):
        name = f"{pile}_{kind}"
        if name not in rules.mandatory or not (card is None or is_natural(rules, card, rank)):
            continue
        free, (least, most) = room(rules, position), position.aces_showing()
        needed, sure = (free is not False, free is True) if rank == ACE else (most > 0, least > 0)
        if needed:
            there = TRUE if card else holds(n.place_of(source), rank)
            yield Duty(_ARTICLES[name], source, stack, rank, card, there, () if sure else _CENTRE)


_ARTICLES = {
    "hand_ace": a.HAND_ACE,
    "payoff_ace": a.PAYOFF_ACE, "payoff_two": a.PAYOFF_TWO, "side_ace": a.SIDE_ACE, "side_two": a.SIDE_TWO,
}  # fmt: skip


def _shut_out(rules: SpiteRules, position: Position, play: n.Play, card: Card, aces: int) -> Claim:
    """Claim that a card onto one of so many aces leaves an exposed two without one (SNM-045, 124)."""
    # One of the twos that an ace is kept for may always go there.
    exposed = any(play.source in sources for _, *sources in _piles_in_scope(rules, position))
    enough = rules.block_two == "one_is_enough" and aces > 1
    if rules.block_two == "off" or enough or (exposed and is_natural(rules, card, TWO)):
        return FALSE
    shown, places = _exposed_twos(rules, position)
    return exposed_twos(places, max(aces, 1) - shown)


def _exposed_twos(rules: SpiteRules, position: Position) -> tuple[int, Mapping[str, int]]:
    """Return how many exposed twos are seen, and the hidden places that may show more, with the most of each."""
    shown, places = 0, {}
    for piles, payoff, side in _piles_in_scope(rules, position):
        if piles.payoff is None and not piles.out:
            places[payoff] = 1
        shown += is_natural(rules, piles.payoff, TWO)
        if rules.block_two == "payoff_only":
            continue
        if piles.sides is None:
            places[n.place_of(side)] = SIDE_PLACES
        shown += sum(is_natural(rules, top, TWO) for _, top in piles.side_tops())
    return shown, places


def _judge_second_chance(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge the end of a second chance: no ace is in hand that could be played, nor a two (SNM-072)."""
    turns = ("turns",) if position.turns is None and rules.second_chance_scope == "until_broken" else ()
    held, hand = second_chance_plays(rules, position), position.hand
    if held:
        cards = [str(card) for card in held]
        ruling.breach_if(TRUE, a.SECOND_CHANCE_DUTY, "second-chance-open", (), table=turns, cards=cards)
        return
    asks: Facts = ("hand",) if hand is None else ()
    least, most_aces = position.aces_showing()
    unknown = least < most_aces or room(rules, position) is None
    for most in (False, True)[: 1 + unknown]:  # of the aces and places that the centre may have
        claims = {}
        for rank in (ACE, TWO):
            there: Claim = holds(HAND, rank)
            if hand is not None:
                there = TRUE if any(is_natural(rules, card, rank) for card in hand) else FALSE
            playable = FALSE if there == FALSE else _playable(rules, position, rank, most=most)
            if playable not in (TRUE, FALSE):
                asks = (*asks, *_exposed_twos(rules, position)[1])
            claims[rank] = _both(there, playable)
        cards = [rank_name(rules, rank) for rank, claim in claims.items() if claim != FALSE]
        some = tuple(claim for claim in claims.values() if claim != FALSE)
        open_ = TRUE if TRUE in some else AnyOf(some)
        table = (*turns, *_CENTRE) if most else turns
        ruling.breach_if(open_, a.SECOND_CHANCE_DUTY, "second-chance-open", asks, table=table, cards=cards)


def _playable(rules: SpiteRules, position: Position, rank: int, *, most: bool = False) -> Claim:
    """Claim that an ace or a two from hand can be played: for certain, or with the most that the centre may have."""
    if rank == ACE:
        free = room(rules, position)
        return TRUE if free or (most and free is None) else FALSE
    aces, card = position.aces_showing()[most], Card(rank_name(rules, TWO))
    return negation(_shut_out(rules, position, n.Play(n.HAND, 0, card), card, aces)) if aces else FALSE


def _both(one: Claim, other: Claim) -> Claim:
    if FALSE in (one, other):
        return FALSE
    return one if other == TRUE else other if one == TRUE else AllOf((one, other))


def _broken(position: Position) -> bool:
    """Return whether somebody has acted in this round of second chances."""
    turns = position.turns or ()
    return bool(turns) and any(turn.acted for turn in turns[-len(position.players) + 1 :])
