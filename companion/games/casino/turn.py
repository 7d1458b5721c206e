"""Judging a turn: its plays one after another, each on the table that the one before left, then the turn as a whole."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.verdict import ILLEGAL, Verdict
from companion.games.casino import articles as a
from companion.games.casino import relatives as rel
from companion.games.casino.builds import judge_augment, judge_build, judge_raise
from companion.games.casino.layout import Layout, names
from companion.games.casino.options import CasinoRules
from companion.games.casino.plays import AUGMENT, BUILD, CAPTURE, RAISE, Play
from companion.games.casino.position import Position
from companion.games.casino.taking import judge_capture
from companion.games.casino.values import alone_values, set_value

_JUDGES = {CAPTURE: judge_capture, BUILD: judge_build, RAISE: judge_raise, AUGMENT: judge_augment}


def play_turn(rules: CasinoRules, position: Position, plays: tuple[Play, ...]) -> Layout:
    """The table after the turn with everything found on the way (CASINO-201 to 208, 704)."""
    layout = Layout(rules, position)
    for play in plays:
        _check_material_value(layout, play)
        _JUDGES.get(play.kind, _judge_trail)(layout, play)
        layout.close_play()
    if not layout.played:
        layout.ruling.breach(layout.cite(a.ONE_HAND_CARD, rel.STANDARD_TURN), "no-hand-card")
    for name, value in layout.awaiting.items():
        layout.ruling.breach(a.OPPONENTS_BUILD, "not-captured", build=name, value=value)
    layout.check_kept()
    return layout


def verdict_of(layout: Layout) -> Verdict:
    """Return the verdict on a turn that has been played through; what it changes also while it is undecided."""
    verdict = layout.ruling.verdict()
    return verdict if verdict.value == ILLEGAL else replace(verdict, effect=layout.effect())


def _judge_trail(layout: Layout, play: Play) -> None:
    """One hand card joins the loose cards (CASINO-701 to 705, STD-601, ROY-205)."""
    material, rules = play.material, layout.rules
    if material.table or material.piles or material.builds:
        cards = names((*material.table, *(card for _, card in material.piles)))
        layout.ruling.breach(a.TRAIL, "trail-takes-cards", cards=cards, builds=list(material.builds))
    card = material.card
    if card is None:
        layout.ruling.breach(a.TRAIL, "trail-without-card")
        return
    layout.play_card(card)
    own = [build.id for build in layout.own_builds()]
    if own and not rules.owner_may_trail:
        layout.ruling.breach(rel.OWNER_MAY_NOT_TRAIL, "owner-trails", builds=own)
    elif own and layout.first_half(builds=own):
        layout.ruling.breach(a.FIRST_HALF, "owner-trails-first-half", builds=own)
    if not rules.trail_equal:
        equal = [one for one in layout.loose if one.rank == card.rank]
        if equal:
            layout.ruling.breach(rel.EQUAL_CARDS_TAKEN, "trail-equal", card=str(card), cards=names(equal))
    layout.loose += layout.place((card,))
    layout.trailed.append(card)
    layout.ruling.allow(a.TRAIL_ANY_CARD, card=str(card))


def _check_material_value(layout: Layout, play: Play) -> None:
    """A value declared for a card that goes into a set or on the table must be one that it has there."""
    card = play.material.card
    if play.kind == CAPTURE or play.declared is None or card is None:
        return
    possible = {set_value(layout.rules, card), *alone_values(layout.rules, card)} - {0}
    if play.declared not in possible:
        told = {"card": str(card), "declared": play.declared, "values": sorted(possible)}
        layout.ruling.breach(a.ACE_VALUES if card.rank == "A" else rel.GIVEN_VALUES, "declared-value", **told)
