"""Who plays first: the pay-off tops compared, those that are hidden by all the cards that they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from companion.engine.articles import Article
from companion.engine.cards import RANKS, SUITS, Card
from companion.engine.verdict import AllOf, AtLeast, Knowledge, Place
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.hidden import seen
from companion.games.spite_and_malice.position import JOKER, Position, is_wild
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.ruling import Ruling

_HIGHEST, _LOWEST = 14, 0
_PACK: Final = (*(Card(rank, suit) for suit in SUITS for rank in RANKS), Card(JOKER))
"""Every kind of card by the number of its bit."""
_REST: Final = " rest"
"""All other cards; a name that no player has."""
Outcome = tuple[str, str]
"""`first` and a player, or `redo` and how the tops are turned up anew."""


def judge_start(rules: SpiteRules, position: Position, move: n.Start, ruling: Ruling) -> None:
    """Judge who plays first, or how tied tops are turned up anew (SNM-012, 013, 112, 122, 207, 208, 302)."""
    possible = outcomes(rules, position)
    announced = ("redo", move.redo or "") if move.first is None else ("first", move.first)
    article = _article(rules, position.payoff_tops, possible)
    if announced not in possible:
        _breach(possible, announced, article, move, position, rules, ruling)
    elif len(possible) > 1:
        unknown = [player for player in position.players if player not in position.payoff_tops]
        for player in unknown:
            ruling.lack("payoff_top", a.START, player)
        for player in _suits_wanted(rules, position.payoff_tops) if not unknown else ():
            ruling.lack("suit", a.START_SUIT, player)
    ruling.allow(article)
    if rules.players > 2:
        ruling.allow(a.PARTNERS_START)
    kind, name = announced
    ruling.then(lambda: {kind: name})


def starter(rules: SpiteRules, players: Sequence[str], tops: Mapping[str, Card]) -> str | None:
    """Return who plays first by the pay-off tops, or None if they decide nothing."""
    if not tops:
        return None
    possible = outcomes(rules, Position(tuple(players), players[0], payoff_tops=tops))
    kind, name = possible[0] if len(possible) == 1 else ("", "")
    return name if kind == "first" else None


def outcomes(rules: SpiteRules, position: Position) -> list[Outcome]:
    """Return everything that the tops can decide: who plays first, or a redo; one outcome if they are all known.

    Tops that contradict the pack decide nothing: a record that holds them leaves every outcome open.
    """
    tops, players = position.payoff_tops, position.players
    if len(tops) == len(players) and not _suits_wanted(rules, tops):
        return [_decided(rules, tops)]
    known = _knowledge(rules, position)
    may = {place.name: place.may for place in known.places}
    found: dict[Outcome, None] = {}
    for outcome, claims in _ways(rules, players):
        # Most ways fail at a top that shows: only the others need the pack to be looked at.
        conceivable = outcome not in found and all(may[each.place] & each.cards for each in claims)
        if conceivable and known.possible(AllOf(claims)):
            found[outcome] = None
    return list(found or dict.fromkeys(outcome for outcome, _ in _ways(rules, players)))


def _decided(rules: SpiteRules, tops: Mapping[str, Card]) -> Outcome:
    """Return what tops decide that are all known."""
    if rules.start_wild == "redraw" and any(is_wild(rules, card) for card in tops.values()):
        return "redo", "redraw"
    best = max(_strength(rules, card) for card in tops.values())
    leaders = [player for player, card in tops.items() if _strength(rules, card) == best]
    return ("first", leaders[0]) if len(leaders) == 1 else ("redo", _redo(rules))


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
    if rules.start_tie != "suit" or not tops:
        return []
    if rules.start_wild == "redraw" and any(is_wild(rules, card) for card in tops.values()):
        return []
    values = {player: _strength(rules, card)[0] for player, card in tops.items()}
    leaders = [player for player, value in values.items() if value == max(values.values())]
    return [player for player in leaders if not tops[player].suit and tops[player].pips] if len(leaders) > 1 else []


def _knowledge(rules: SpiteRules, position: Position) -> Knowledge:
    """Return what is known of the tops: the pack or packs that pay-off piles are dealt from, and the tops that show."""
    one_pack = rules.deal_mode != "single"
    gone = Counter() if one_pack else Counter(card for card in seen(position) if card.suit or not card.pips)
    held = [1 if one_pack else rules.packs] * 52 + [0 if one_pack else rules.jokers]
    copies = tuple([max(count - gone[card], 0) for card, count in zip(_PACK, held, strict=True)])
    places = []
    for player in position.players:
        top = position.payoff_tops.get(player)
        places.append(Place.of(player, 1, -1 if top is None else _kinds(_like(top))))
    hidden = sum(1 << kind for kind, count in enumerate(copies) if count)
    return Knowledge(hidden, (*places, Place(_REST, 0, sum(copies))), copies=copies)


def _like(top: Card) -> list[Card]:
    return [card for card in _PACK if card.rank == top.rank and top.suit in ("", card.suit)]


def _kinds(cards: Sequence[Card]) -> int:
    return sum(1 << _PACK.index(card) for card in cards)


def _ways(rules: SpiteRules, players: Sequence[str]) -> Iterator[tuple[Outcome, tuple[AtLeast, ...]]]:
    """Yield every outcome with the claims that are true in one way to it; the same outcome comes many times."""
    wild = 0
    if rules.start_wild == "redraw":
        wild = _kinds([card for card in _PACK if is_wild(rules, card)])
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


def _article(rules: SpiteRules, tops: Mapping[str, Card], possible: Sequence[Outcome]) -> Article:
    """Return the article that decides, as far as it is known."""
    if all(outcome == ("redo", "redraw") for outcome in possible):
        return a.WILD_IN_PAYOFF
    if possible[0][0] == "redo" and len(possible) == 1:
        return a.START_BURY if possible[0][1] == "bury" else a.START_RESHUFFLE
    values = [_strength(rules, card)[0] for card in tops.values()]
    tied = bool(values) and values.count(max(values)) > 1 and rules.start_tie == "suit"
    return a.START_SUIT if tied else a.START


def _breach(
    possible: Sequence[Outcome], announced: Outcome, article: Article, move: n.Start, position: Position,
    rules: SpiteRules, ruling: Ruling,
) -> None:  # fmt: skip
    """Record why an announcement is wrong in every world."""
    ways = [name for kind, name in possible if kind == "redo"]
    if len(ways) == len(possible):  # a hidden top may leave open how they are turned up anew, but not that they are
        tops, redo = position.payoff_tops, ways[0] if len(ways) == 1 else ways
        if move.redo is not None:
            ruling.breach(article, "wrong-redo", redo=redo, named=move.redo)
        else:
            best = max((_strength(rules, card) for card in tops.values()), default=None)
            tied = [player for player, card in tops.items() if _strength(rules, card) == best]
            wild = [player for player, card in tops.items() if is_wild(rules, card)]
            ruling.breach(article, "start-redo", redo=redo, tied=wild if redo == "redraw" else tied)
        return
    leaders = [player for outcome, player in possible if outcome == "first"]
    if len(leaders) > 1:  # the first of those who are seen to have a higher card
        leaders = sorted(leaders, key=lambda player: _seen_strength(rules, position, player), reverse=True)
    first = leaders[0]
    if move.first is None:
        ruling.breach(article, "no-redo", redo=move.redo, first=first)
    else:
        ruling.breach(article, "start-higher", first=first, named=move.first)


def _seen_strength(rules: SpiteRules, position: Position, player: str) -> tuple[int, int]:
    top = position.payoff_tops.get(player)
    return (-1, 0) if top is None else _strength(rules, top)
