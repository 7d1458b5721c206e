"""A turn: its plays judged one after another, then as a whole."""

from __future__ import annotations

from companion.games.casino import articles as a
from companion.games.casino.builds import judge_augment, judge_build, judge_raise
from companion.games.casino.capture import judge_capture
from companion.games.casino.layout import Layout, names
from companion.games.casino.plays import AUGMENT, BUILD, CAPTURE, RAISE, Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import Position, alone_values, set_value

_JUDGES = {CAPTURE: judge_capture, BUILD: judge_build, RAISE: judge_raise, AUGMENT: judge_augment}


def play_turn(rules: CasinoRules, position: Position, plays: tuple[Play, ...]) -> Layout:
    """Return the table after the turn with everything found on the way (CASINO-201 to 208, 704)."""
    layout = Layout(rules, position)
    for play in plays:
        _check_material_value(layout, play)
        _JUDGES.get(play.kind, _judge_trail)(layout, play)
        layout.close_play()
    if not layout.played:
        layout.ruling.breach(layout.cite(a.ONE_HAND_CARD, a.STANDARD_TURN), "no-hand-card")
    for name, value in layout.awaiting.items():
        layout.ruling.breach(a.OPPONENTS_BUILD, "not-captured", build=name, value=value)
    layout.check_kept()
    return layout


def _judge_trail(layout: Layout, play: Play) -> None:
    """Judge one hand card that joins the loose cards (CASINO-701 to 705, STD-601, ROY-205)."""
    material, rules = play.material, layout.rules
    if material.table or material.piles or material.builds:
        cards = names((*material.table, *(card for _, card in material.piles)))
        layout.ruling.breach(a.TRAIL, "trail-takes-cards", cards=cards, builds=list(material.builds))
    card = material.card
    if card is None:
        layout.ruling.breach(a.TRAIL, "trail-without-card")
        return
    layout.play_card(card)
    if not rules.owner_may_trail:
        layout.charge_owner(a.OWNER_MAY_NOT_TRAIL, "owner-trails")
    else:
        layout.charge_owner(a.FIRST_HALF, "owner-trails-first-half")
    if not rules.trail_equal:
        equal = [one for one in layout.loose if one.rank == card.rank]
        if equal:
            layout.ruling.breach(a.EQUAL_CARDS_TAKEN, "trail-equal", card=str(card), cards=names(equal))
    layout.loose += layout.place((card,))
    layout.trailed.append(card)
    layout.ruling.allow(a.TRAIL_ANY_CARD, card=str(card))


def _check_material_value(layout: Layout, play: Play) -> None:
    """Check that a value declared for a card in a set or on the table is one that it has there."""
    card = play.material.card
    if play.kind == CAPTURE or play.declared is None or card is None:
        return
    possible = {set_value(layout.rules, card), *alone_values(layout.rules, card)} - {0}
    if play.declared not in possible:
        facts = {"card": str(card), "declared": play.declared, "values": sorted(possible)}
        layout.ruling.breach(a.ACE_VALUES if card.rank == "A" else a.GIVEN_VALUES, "declared-value", **facts)
