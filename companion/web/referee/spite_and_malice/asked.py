"""What is asked while a deal of Spite and Malice is followed: which card, where to, and what else may be done."""

from __future__ import annotations

from typing import Any

from companion.engine.cards import Card
from companion.engine.verdict import ILLEGAL, UNDECIDED
from companion.games.spite_and_malice.options import HAND_SIZE, SIDE_PLACES
from companion.web.referee.asking import Asking
from companion.web.referee.picking import Zone
from companion.web.referee.shown import Ask, Choice, Picker
from companion.web.referee.spite_and_malice import script
from companion.web.referee.spite_and_malice.following import Followed
from companion.web.referee.spite_and_malice.ranks import rank_picker, rank_text

LOW_STOCK = 20
"""Cards in the stock up to which putting stacks under it is offered: no table does so earlier."""
_TONES = {ILLEGAL: "odd", UNDECIDED: "open"}


def hand_picker(asking: Asking, deal: Followed) -> Picker:
    """All ranks: a card from the hand, or the card turned up."""
    turned, source = asking.state.get("g"), asking.state.get("q")
    label = asking.say("turned-up") if turned else asking.say("hand-card-of", name=deal.mover)

    def look(card: Card) -> dict[str, Any]:
        on = not turned and source == script.rank_letter(card.rank)
        return {"pressed": on, "tone": "chosen" if on else "", "mark": "✓" if on else ""}

    return rank_picker(asking, (Zone("", label, 1),), look=look)


def move_asks(asking: Asking, deal: Followed) -> tuple[list[Ask], list[Ask]]:
    """The questions over the picker and under it."""
    if asking.state.get("g"):
        unseen = (Choice("unseen", asking.say("turned-unseen")),)
        return [], [Ask(asking.say("turned-up"), (unseen,))]
    source = asking.state.get("q")
    if source in (script.PAYOFF, script.PARTNER_PAYOFF) and deal.top(source) is None:
        return [], [Ask(asking.say("tap-payoff"), ())]
    asks = [_onto_ask(asking, deal, source)] if source else []
    return [], [*asks, *_draw_ask(asking, deal), _other_ask(asking, deal), _who_ask(asking, deal)]


def start_asks(asking: Asking, deal: Followed) -> list[Ask]:
    """Who starts."""
    choices = tuple(Choice(f"first:{n}", name, name == deal.first) for n, name in enumerate(deal.players))
    return [Ask(asking.say("ask-begins"), (choices,))]


def _onto_ask(asking: Asking, deal: Followed, source: str) -> Ask:
    """Where the card goes: onto the centre, or from the hand onto a side stack; what the rules forbid is marked."""
    state = deal.state
    centre = [
        (str(script.TARGETS[n]), asking.say("onto-centre", number=n + 1, card=asking.card(top)))
        for n, top in enumerate(state["centre_stacks"][: len(script.TARGETS)])
    ]
    plays = [*centre, (script.NEW, asking.say("onto-centre-new"))]
    groups = [tuple(_target(asking, deal, _body(deal, source, word), f"onto:{word}", label) for word, label in plays)]
    if source[0] not in script.PILES:
        stacks = deal.piles(deal.mover)["side_stacks"]
        sides = [
            (script.SIDES[n], str(n), asking.say("onto-side", number=n + 1, card=rank_text(asking, stack[-1])))
            for n, stack in enumerate(stacks)
            if stack
        ]
        if sum(map(bool, stacks)) < SIDE_PLACES:
            sides.append(("N", script.NEW, asking.say("onto-side-new")))
        groups.append(
            tuple(_target(asking, deal, f"s{source}{place}", f"onto:{word}", label) for word, place, label in sides)
        )
    card = script.move_of(_body(deal, source, script.NEW), deal.players).get("card", "?")
    return Ask(asking.say("ask-onto", card=rank_text(asking, card)), tuple(groups))


def _body(deal: Followed, source: str, target: str) -> str:
    """The letters of a play, the card turned up left open."""
    turned = script.UNKNOWN if source[0] in (script.PAYOFF, script.PARTNER_PAYOFF) else ""
    return deal.named(source) + target + turned


def _target(asking: Asking, deal: Followed, body: str, do: str, label: str) -> Choice:
    """A button for one move, marked where the rules forbid it or cannot tell."""
    verdict = deal.judge(script.move_of(body, deal.players))
    value = "" if verdict is None else verdict.value
    note = asking.say(f"may-{value}") if value in _TONES else ""
    return Choice(do, label, False, _TONES.get(value, ""), note)


def _draw_ask(asking: Asking, deal: Followed) -> list[Ask]:
    """How many cards are drawn first: as many as are due, unless another number is told."""
    if not deal.due:
        return []
    choices = tuple(Choice(f"draw:{n}", str(n), n == deal.drawn) for n in range(HAND_SIZE + 1))
    return [Ask(asking.say("ask-draw", name=deal.mover, count=deal.due), (choices,))]


def _other_ask(asking: Asking, deal: Followed) -> Ask:
    """What else may be done: drawing five, ending the turn, putting stacks under the stock, the end of the deal."""
    bodies = []
    state, place = deal.state, deal.players.index(deal.mover)
    if not deal.due and deal.piles(deal.mover)["hand_count"] == 0 and state["stock"]:
        bodies.append(f"r{min(HAND_SIZE, state['stock'])}")
    bodies.append("e")
    if deal.rules.recycle_source != "none" and state["stock"] <= LOW_STOCK:
        by_player = deal.rules.recycle_by == "anyone"
        bodies += ["m" if by_player else "k"] if state["complete"] or state["set_aside"] else []
        bodies += ["o" if by_player else "l"] if state["incomplete"] else []
    if deal.rules.deadlock == "second_chance_redeal":
        bodies += [f"u{n}" for n in range(len(deal.players))] if _idle(deal) else []
    if {"draw", "compare"} & {deal.rules.deadlock, deal.rules.stock_out}:
        bodies.append("y")
    if deal.piles(deal.mover)["payoff_left"] <= 1:
        bodies.append(f"w{place}")
    choices = []
    for body in bodies:
        label = _other_text(asking, script.move_of(body, deal.players))
        choices.append(_target(asking, deal, body, f"move:{body}", label))
    return Ask(asking.say("ask-other"), (tuple(choices),))


def _other_text(asking: Asking, move: dict[str, Any]) -> str:
    if move["type"] == "recycle":
        return asking.say(f"stuck-recycle-{move['what']}")
    if move["type"] == "redeal":
        return asking.say("redeal-first", name=move["first"])
    return asking.say(f"other-{move['type'].replace('_', '-')}", count=move.get("count", 0))


def _idle(deal: Followed) -> bool:
    """Whether the last turns were idle all round the table."""
    last = deal.state["turns"][-len(deal.players) :]
    return len(last) == len(deal.players) and not any(turn["acted"] for turn in last)


def _who_ask(asking: Asking, deal: Followed) -> Ask:
    choices = tuple(Choice(f"who:{n}", name, name == deal.mover) for n, name in enumerate(deal.players))
    return Ask(asking.say("ask-who"), (choices,))
