"""What must I play, and what may I? Hand and piles; compulsory plays, legal moves, one move judged by itself."""

from __future__ import annotations

from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Context,
    Page,
    Prompt,
    Reason,
    State,
    Text,
    Zone,
    active_zone,
    go_to,
    reasons_of,
)
from companion.engine.verdict import LEGAL, UNDECIDED, Because
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice.asks.common import (
    add_card,
    card_move,
    cards_of,
    drop_card,
    move_message,
    players_of,
    position_of,
    rank_picker,
    rank_term,
    zone_heap,
)
from companion.games.spite_and_malice.deal import compulsory_plays, judge_move, legal_moves
from companion.games.spite_and_malice.position import ACE, Position, names, rank_name
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules

SIDES: Final = tuple(f"s{place}" for place in range(SIDE_PLACES))
_MAX_CENTRE: Final = 12
_MAX_SIDE: Final = 30
_ZONE_OF_FACT: Final = {
    "hand": "h", "payoff": "y", "centre_stacks": "c", "side_stacks": "s0", "partner_payoff": "py",
    "partner_side_stacks": "ps",
}  # fmt: skip
"""The zone that shows a missing fact."""
_FOREIGN: Final = {"op": "opponent_payoff", "os": "opponent_side", "ce": "centre"}
"""Sources that nobody may take a card from, by their words in the address: people ask all the same."""


def moves_act(context: Context, verb: str, word: str) -> State:
    """Return the state with a card added or removed, another zone, or a move to be judged."""
    state, zones = context.state, _zones(context)
    if verb == "tap":
        return add_card(state, zones, word).put(f=None, g=None)
    if verb == "drop":
        return drop_card(state, zones, word).put(f=None, g=None)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "from" and word in _sources(context):
        return state.put(f=word, g=None)
    if verb == "onto" and word in _targets(context):
        return state.put(g=word)
    if verb in ("chance", "used") and word in ("y", "n"):
        return state.put(**{verb: word})
    return state


def moves_page(context: Context) -> Page:
    """Return the table with its compulsory plays, all that is legal, and the one move that was asked about."""
    zones, position = _zones(context), _position(context)
    active = active_zone(context.state, zones)
    moves, missing = legal_moves(context.rules, position)
    answers: list[AnswerSection] = []
    bar: Text = context.say("moves-start")
    value = ""
    for article, plays in compulsory_plays(context.rules, position):
        why = Reason(Because(article, {"cards": [str(play.card) for play in plays]}))
        texts = tuple(move_message(context, play) for play in plays)
        answers.append(AnswerSection(context.say("compulsory"), texts=texts, reasons=(why,)))
    entered = any(cards_of(context.state, name) for name in ("h", "y", *SIDES))
    if entered:
        bar = context.say("moves-count", must=len(answers), count=len(moves))
        value = LEGAL if moves else UNDECIDED
    checked = _checked_move(context, position)
    if checked is not None:
        answers.insert(0, checked)
        bar, value = checked.heading, checked.value
    if entered and moves:
        texts = tuple(move_message(context, move) for move in moves)
        answers.append(AnswerSection(context.say("legal-moves"), LEGAL, texts=texts))
    if entered:
        end = judge_move(context.rules, position, n.EndTurn())
        if end.value != LEGAL:
            answers.append(AnswerSection(context.say("end-not"), end.value, reasons=reasons_of(end)))
        if missing:
            wanted = {_ZONE_OF_FACT.get(one.fact) for one in missing}
            choices = tuple(
                Choice(f"to:{zone.name}", zone.label) for zone in zones if zone.name in wanted and zone != active
            )
            why_open = tuple(Reason(one) for one in missing)
            answers.append(AnswerSection(context.say("still-open"), UNDECIDED, reasons=why_open, choices=choices))
    notes = {"c": "tops", "ps": "tops", **dict.fromkeys(SIDES, "bottom-first")}
    heaps = tuple(
        zone_heap(context, zone, context.say(notes[zone.name]) if zone.name in notes else "")
        for zone in zones
        if cards_of(context.state, zone.name)
    )
    return Page(
        bar,
        value,
        later=(*_move_prompts(context), *_phase_prompts(context)),
        heaps=heaps,
        picker=rank_picker(context, zones),
        answers=tuple(answers),
    )


def _zones(context: Context) -> tuple[Zone, ...]:
    rules: SpiteRules = context.rules
    zones = [
        Zone("h", context.say("my-hand"), HAND_SIZE),
        Zone("y", context.say("payoff"), 1),
        Zone("c", context.say("centre-stacks"), rules.centre_max or _MAX_CENTRE),
    ]
    taken = [place for place, name in enumerate(SIDES) if cards_of(context.state, name)]
    shown = range(min(max(taken, default=-1) + 2, SIDE_PLACES))
    zones += [Zone(SIDES[place], context.say("side-number", number=place + 1), _MAX_SIDE) for place in shown]
    if rules.players > 2:
        zones += [Zone("py", context.say("partner-payoff"), 1), Zone("ps", context.say("partner-sides"), SIDE_PLACES)]
    return tuple(zones)


def _position(context: Context) -> Position:
    """Return the table; a hand or a pay-off card that was not entered is unknown. Raises Refused if impossible."""
    state, players = context.state, players_of(context)
    position: dict[str, object] = {
        "players": list(players),
        "player": players[0],
        "side_stacks": [names(cards_of(state, name)) for name in _filled_sides(state)],
        "centre_stacks": names(cards_of(state, "c")),
    }
    if hand := cards_of(state, "h"):
        position["hand"] = names(hand)
    if payoff := cards_of(state, "y"):
        position["payoff"] = str(payoff[0])
    if context.rules.players > 2:
        partner: dict[str, object] = {"side_stacks": [[str(card)] for card in cards_of(state, "ps")]}
        if top := cards_of(state, "py"):
            partner["payoff"] = str(top[0])
        position["partner"] = partner
    if state.get("chance") == "y":
        position |= {"phase": "second_chance", "played_ace_or_two": state.get("used") == "y"}
    return position_of(context, position)


def _filled_sides(state: State) -> list[str]:
    return [name for name in SIDES if cards_of(state, name)]


def _phase_prompts(context: Context) -> list[Prompt]:
    """Return whether it is a second-chance turn, if the table plays such turns."""
    if context.rules.deadlock != "second_chance_redeal":
        return []
    asked = ("chance", "used") if context.state.get("chance") == "y" else ("chance",)
    prompts = []
    for name in asked:
        now = context.state.get(name) or "n"
        choices = tuple(Choice(f"{name}:{word}", context.say(f"answer-{word}"), word == now) for word in ("y", "n"))
        prompts.append(Prompt(context.say(f"ask-{name}"), (choices,)))
    return prompts


def _move_prompts(context: Context) -> list[Prompt]:
    """Return the prompt for one move to be judged by itself: which card, then where to."""
    sources, now = _sources(context), context.state.get("f")
    if not sources:
        return []
    groups = [tuple(Choice(f"from:{word}", label, word == now) for word, label in sources.items())]
    if now in sources:
        onto, targets = context.state.get("g"), _targets(context)
        groups.append(tuple(Choice(f"onto:{word}", label, word == onto) for word, label in targets.items()))
    return [Prompt(context.say("ask-move"), tuple(groups))]


def _sources(context: Context) -> dict[str, Text]:
    """Return the cards that can be asked about, also those that nobody may take; none before any card is entered."""
    state, sides = context.state, _filled_sides(context.state)
    sources: dict[str, Text] = {f"hand.{card}": rank_term(card) for card in cards_of(state, "h")}
    if payoff := cards_of(state, "y"):
        sources["payoff"] = context.say("pile-card", pile=context.say("payoff"), card=rank_term(payoff[0]))
    for place, name in enumerate(sides):
        pile = context.say("side-number", number=place + 1)
        sources[f"side.{place}"] = context.say("pile-card", pile=pile, card=rank_term(cards_of(state, name)[-1]))
    if not sources:
        return {}
    sources |= {word: context.say(f"from-{source.replace('_', '-')}") for word, source in _FOREIGN.items()}
    if len(cards_of(state, SIDES[0])) > 1:
        sources["under"] = context.say("from-under")
    return sources


def _targets(context: Context) -> dict[str, Text]:
    """Return where a card can be said to go: each centre stack and side stack, and a new one of either."""
    state = context.state
    tops = [cards_of(state, name)[-1] for name in _filled_sides(state)]
    targets: dict[str, Text] = {
        f"c{place}": context.say("onto-centre", number=place + 1, card=rank_term(card))
        for place, card in enumerate(cards_of(state, "c"))
    }
    targets["cn"] = context.say("onto-centre-new")
    for place, top in enumerate(tops):
        targets[f"s{place}"] = context.say("onto-side", number=place + 1, card=rank_term(top))
    return {**targets, "sn": context.say("onto-side-new")}


def _checked_move(context: Context, position: Position) -> AnswerSection | None:
    """Return the verdict on the one move that was asked about, if it names a source and a target."""
    found = _asked_move(context, position)
    if found is None:
        return None
    text, move = found
    verdict = judge_move(context.rules, position, move)
    return AnswerSection(context.say(f"move-{verdict.value}", move=text), verdict.value, reasons=reasons_of(verdict))


def _asked_move(context: Context, position: Position) -> tuple[Text, n.Play | n.Discard] | None:
    """Return the move that was asked about, in words and as a value."""
    asked, onto = context.state.get("f"), context.state.get("g")
    if asked not in _sources(context) or onto not in _targets(context):
        return None
    kind, place = onto[0], onto[1:]
    to: n.Place = n.NEW if place == "n" else int(place)
    source, _, which = asked.partition(".")
    if source in _FOREIGN or source == "under":
        return _foreign_move(context, position, source, kind, to)
    stack = int(which) if source == n.SIDE else None
    if source == n.HAND:
        card: Card | None = next(one for one in cards_of(context.state, "h") if str(one) == which)
    else:
        card = position.own.payoff if stack is None else (position.own.sides or ())[stack][-1]
    if kind == "s":
        return card_move(context, card, source, stack, "side", to), n.Discard(to, card, source)
    return card_move(context, card, source, stack, "centre", to), n.Play(source, to, card, stack)


def _foreign_move(
    context: Context, position: Position, source: str, kind: str, to: n.Place
) -> tuple[Text, n.Play | n.Discard]:
    """Return a move with a card that nobody may take: another's pile, the centre, a covered card."""
    if isinstance(to, int) and to >= len(position.centre or ()):
        to = n.NEW
    if source == "under":
        return context.say("from-under"), n.Play(n.SIDE, to, stack=0, depth=1)
    pile = _FOREIGN[source]
    text = context.say(f"from-{pile.replace('_', '-')}")
    if kind == "s":
        return text, n.Discard(to, Card(rank_name(ACE)), pile)
    return text, n.Play(pile, to)
