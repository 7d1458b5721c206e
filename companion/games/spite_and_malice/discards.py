"""The discard: one card from hand onto one's own side stack, which ends the turn."""

from __future__ import annotations

from companion.engine.verdict import Ruling
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.cards import in_pack, names
from companion.games.spite_and_malice.duties import judge_duties
from companion.games.spite_and_malice.options import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.plays import hand_card
from companion.games.spite_and_malice.position import Position
from companion.games.spite_and_malice.stacks import accepted, judge_new_side, judge_side
from companion.games.spite_and_malice.turn import can_draw


def judge_discard(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    """A discard: from hand, with no duty left, onto a stack of one's own that takes it (SNM-050 to 055, 064 to 069)."""
    if move.source != n.HAND:
        ruling.breach(a.ONLY_FROM_HAND, "discard-source", source=move.source)
        card = move.card
    else:
        card = hand_card(position, move.card, ruling)
    if move.owner != "own":
        ruling.breach(a.OWN_SIDE_STACKS if rules.players > 2 else a.ONLY_FROM_HAND, "discard-owner", owner=move.owner)
    judge_duties(rules, position, ruling)
    ruling.allow(a.CLOSING_DISCARD if rules.discard_required else a.DISCARD)
    if card is not None and not in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        return
    if move.owner == "own":
        _judge_target(rules, position, move, ruling)
    if ruling.legal:
        _note_effect(rules, position, move, ruling)


def _judge_target(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    sides = position.own.sides
    if move.to == n.NEW:
        judge_new_side(position.own, ruling)
        if move.card is not None:
            judge_side(rules, (), move.card, ruling)
        return
    place = int(move.to)
    if sides is None:
        known = Ruling()
        if move.card is not None:
            judge_side(rules, (), move.card, known)  # what no stack takes needs no look at the stack
        if known.breaches:
            ruling.breaches += known.breaches
        elif move.card is not None and move.card.pips in accepted(rules, ()) and rules.discard_rule != "free":
            ruling.lack("side_stacks", a.SAME_OR_LOWER)
        else:
            ruling.because += known.because
    elif place >= len(sides):
        ruling.breach(a.SIDE_STACKS, "no-such-stack", stack=place)
    elif move.card is not None:
        judge_side(rules, sides[place], move.card, ruling)


def _note_effect(rules: SpiteRules, position: Position, move: n.Discard, ruling: Ruling) -> None:
    held, sides = position.held, position.own.sides
    again = rules.after_last_discard == "refill_and_replay" and held == 1 and can_draw(rules, position)
    ruling.effect |= {"turn_ends": not again, "next": position.player if again else position.next_player}
    if again and position.stock != 0:  # with an empty stock, the stacks put under it decide how many can be drawn
        ruling.effect["refill"] = HAND_SIZE if position.stock is None else min(HAND_SIZE, position.stock)
    if held is not None:
        ruling.effect["hand_count"] = held - 1
    if sides is not None and move.card is not None:
        stacks = [names(stack) for stack in sides]
        if move.to == n.NEW:
            free = next((place for place, stack in enumerate(stacks) if not stack), None)
            if free is None:
                stacks.append([str(move.card)])
            else:
                stacks[free] = [str(move.card)]
        else:
            stacks[int(move.to)].append(str(move.card))
        ruling.effect["side_stacks"] = stacks
