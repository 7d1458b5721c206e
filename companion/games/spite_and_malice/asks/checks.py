"""Questions about one moment: side stacks, who starts, what to do when stuck, whether it was dealt right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from companion.engine.cards import RANKS, SUITS, Card
from companion.engine.dialogue import (
    ACE_HIGH,
    COUNTS,
    MARKS,
    AnswerSection,
    Choice,
    Context,
    DealCheck,
    DealerCheck,
    Face,
    Field,
    Page,
    Picker,
    Prompt,
    Reason,
    Slot,
    State,
    Target,
    Text,
    Zone,
    active_zone,
    deal_page,
    go_to,
    grouped_reasons,
    in_rows,
    joined_texts,
    read_cards,
    reasons_of,
)
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Verdict
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.asks.common import (
    add_card,
    cards_of,
    drop_card,
    players_of,
    position_of,
    rank_picker,
    rank_term,
    ranks_in_use,
    zone_heap,
)
from companion.games.spite_and_malice.deal import judge_move
from companion.games.spite_and_malice.hidden import knowledge
from companion.games.spite_and_malice.position import JOKERS, Piles, Position, Turn, in_pack, phase_after
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.ruling import Ruling
from companion.games.spite_and_malice.stacks import judge_new_side, judge_side

MAX_PLAYERS: Final = 6
_MAX_STACK: Final = 40


# What fits on this side stack? --------------------------------------------------------------------------------------


def stack_act(context: Context, verb: str, word: str) -> State:
    """Return the state with a card added to the stack, or removed from it."""
    zones = (_stack_zone(context),)
    if verb == "tap":
        return add_card(context.state, zones, word)
    return drop_card(context.state, zones, word) if verb == "drop" else context.state


def stack_page(context: Context) -> Page:
    """Return the stack with whatever is wrong in it, and the verdict on every rank that may come next."""
    stack = cards_of(context.state, "s")
    verdicts = {card: _side_verdict(context.rules, stack, card) for card in ranks_in_use(context.rules)}
    below = [_side_verdict(context.rules, stack[:place], card) for place, card in enumerate(stack)]

    def on_stack(place: int, face: Face) -> Face:
        value = below[place].value
        return face if value == LEGAL else replace(face, tone=value, mark=MARKS[value])

    def next_card(face: Face) -> Face:
        value = verdicts[face.card].value
        return replace(face, tone=value, mark=MARKS[value], note=context.say(f"may-{value}"))

    fit = [card for card in verdicts if verdicts[card].value == LEGAL]
    answers = []
    wrong = tuple(Reason(breach) for verdict in below for breach in verdict.breaches)
    if wrong:
        answers.append(AnswerSection(context.say("stack-wrong"), ILLEGAL, reasons=wrong))
    for value in (LEGAL, ILLEGAL, UNDECIDED):
        found = {card: verdict for card, verdict in verdicts.items() if verdict.value == value}
        if found:
            answers.append(AnswerSection(context.say(f"fits-{value}"), value, reasons=grouped_reasons(found)))
    return Page(
        context.say("fits", cards=joined_texts(rank_term(card) for card in fit)),
        LEGAL if fit else ILLEGAL,
        heaps=(zone_heap(context, _stack_zone(context), context.say("bottom-first"), look=on_stack),),
        picker=rank_picker(context, (_stack_zone(context),), look=next_card),
        answers=tuple(answers),
    )


def _stack_zone(context: Context) -> Zone:
    return Zone("s", context.say("side-stack"), _MAX_STACK)


def _side_verdict(rules: SpiteRules, stack: Sequence[Card], card: Card) -> Verdict:
    """Return whether a card fits on the stack, regardless of other duties at the table."""
    ruling = Ruling("", lambda: knowledge(rules, Position(("", " "), "")))
    if not in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        return ruling.verdict()
    if not stack:
        judge_new_side(Piles(sides=()), ruling)
    judge_side(rules, stack, card, ruling)
    return ruling.verdict()


# Who starts? --------------------------------------------------------------------------------------------------------


def start_act(context: Context, verb: str, word: str) -> State:
    """Return the state with a top card for the active player; the next player without one becomes active."""
    state, zones = context.state, _start_zones(context)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "drop" and word in {zone.name for zone in zones}:
        return state.put(**{word: None, "to": word})
    card = next(iter(read_cards([word], jokers=JOKERS)), None)
    if verb != "tap" or card is None:
        return state
    state = state.put_cards(active_zone(state, zones).name, [card])
    empty = next((zone.name for zone in zones if not cards_of(state, zone.name)), None)
    return state.put(to=empty) if empty else state


def start_page(context: Context) -> Page:
    """Return the top cards side by side, and who starts or how they are turned up anew (SNM-012, 013, 122, 208)."""
    players, zones = players_of(context), _start_zones(context)
    tops = {player: cards[0] for player, zone in zip(players, zones, strict=True) if (cards := _top(context, zone))}
    now = active_zone(context.state, zones)
    decided = _starter(context, players, tops) if len(tops) == len(players) else None
    first = decided[0].first if decided else None
    slots = tuple(
        Slot(
            player,
            Face(tops[player], f"drop:{zone.name}", note=context.say("take-back")) if player in tops else None,
            next=first is None and zone == now,
            won=player == first,
        )
        for player, zone in zip(players, zones, strict=True)
    )
    picker = Picker(
        now.label,
        tuple(tuple(Face(card, f"tap:{card}") for card in row) for row in _start_rows(context.rules)),
        tuple(Target(f"to:{z.name}", z.label, len(_top(context, z)), z == now) for z in zones),
    )
    if decided is None:
        return Page(context.say("tops-start", name=now.label), slots=slots, picker=picker)
    move, verdict = decided
    bar: Text = context.say("tops-open")
    if verdict.value == LEGAL:
        bar = context.say("starts", name=first) if first else context.say(f"redo-{move.redo}")
    value = LEGAL if first else UNDECIDED
    return Page(
        bar, value, slots=slots, picker=picker, answers=(AnswerSection(bar, value, reasons=reasons_of(verdict)),)
    )


def _start_zones(context: Context) -> tuple[Zone, ...]:
    return tuple(Zone(f"p{place}", player, 1) for place, player in enumerate(players_of(context)))


def _top(context: Context, zone: Zone) -> tuple[Card, ...]:
    return cards_of(context.state, zone.name)[:1]


def _start_rows(rules: SpiteRules) -> list[tuple[Card, ...]]:
    jokers = [card for card in ranks_in_use(rules) if card.rank not in RANKS]
    return in_rows([*(Card(rank, suit) for suit in SUITS for rank in RANKS), *jokers], ("K", *ACE_HIGH[2:], "A"))


def _starter(context: Context, players: tuple[str, ...], tops: Mapping[str, Card]) -> tuple[n.Start, Verdict]:
    """Return the announcement that is legal with its verdict; if none is, an open one without a name."""
    position = position_of(
        context,
        {"players": list(players), "player": players[0], "payoff_tops": {who: str(top) for who, top in tops.items()}},
    )
    verdict = Verdict()
    for player in players:
        verdict = judge_move(context.rules, position, n.Start(player))
        if verdict.value == LEGAL:
            return n.Start(player), verdict
    for redo in ("reshuffle", "bury", "redraw"):
        again = judge_move(context.rules, position, n.Start(redo=redo))
        if again.value == LEGAL:
            return n.Start(redo=redo), again
    return n.Start(), verdict


# Nobody can play, or the stock runs low -----------------------------------------------------------------------------

STUCK_COUNTS: Final = {"stock": 162, "hand": 5, "complete": 20, "incomplete": 20}
"""The numbers that are asked for, with the highest of each."""
_MAX_IDLE: Final = 12


def stuck_act(context: Context, verb: str, word: str) -> State:
    """Return the state with the number of idle turns."""
    return context.state.put(idle=word) if verb == "idle" and word.isdecimal() and len(word) < 3 else context.state


def stuck_page(context: Context) -> Page:
    """Return the verdict on every announcement that could come now (SNM-071, 074, 080 to 085, 093)."""
    position = _stuck_position(context)
    shown = [
        (context.say(f"stuck-{name}"), judge_move(context.rules, position, move))
        for name, move in _stuck_announcements(context.rules, position.player)
    ]
    allowed = [heading for heading, verdict in shown if verdict.value == LEGAL]
    order = sorted(shown, key=lambda one: {LEGAL: 0, UNDECIDED: 1}.get(one[1].value, 2))
    bar = context.say("stuck-now", names=joined_texts(allowed, " · ")) if allowed else context.say("stuck-nothing")
    now, most = context.state.get("idle"), min(2 * len(position.players), _MAX_IDLE)
    choices = tuple(Choice(f"idle:{count}", str(count), str(count) == now) for count in range(most + 1))
    return Page(
        bar,
        LEGAL if allowed else "",
        asks=(Prompt(context.say("ask-idle"), (choices,), numbers=True),),
        fields=tuple(Field(name, context.say(f"count-{name}"), context.state.get(name)) for name in STUCK_COUNTS),
        answers=tuple(AnswerSection(heading, verdict.value, reasons=reasons_of(verdict)) for heading, verdict in order),
    )


def _stuck_position(context: Context) -> Position:
    players = players_of(context)
    counts = {name: context.state.number(name, high=high) for name, high in STUCK_COUNTS.items()}
    idle = context.state.number("idle", high=_MAX_IDLE)
    turns = None
    if idle is not None:
        turns = tuple(Turn(players[-1 - place % len(players)], acted=False) for place in reversed(range(idle)))
    return Position(
        players,
        players[0],
        hand_count=counts["hand"],
        stock=counts["stock"],
        phase=phase_after(context.rules, turns or ()),
        turns=turns,
        complete=counts["complete"],
        incomplete=counts["incomplete"],
    )


def _stuck_announcements(rules: SpiteRules, player: str) -> Iterator[tuple[str, n.Announcement]]:
    if rules.recycle_source != "none":
        by = "opponent" if rules.recycle_by == "opponent" else "player"
        yield "recycle-complete", n.Recycle("complete", by)
        if rules.recycle_source != "complete_only":
            yield "recycle-incomplete", n.Recycle("incomplete", by)
    if rules.deadlock == "second_chance_redeal":
        yield "second-chance", n.SecondChance()
        yield "redeal", n.Redeal(player)
    if {"draw", "compare"} & {rules.deadlock, rules.stock_out}:
        yield "stalemate", n.ClaimStalemate()


# Was it dealt right? ------------------------------------------------------------------------------------------------


def dealt_page(context: Context) -> Page:
    """Return the numbers of cards against the deal of the table (SNM-005 to 008, 101, 105, 203 to 206, 301)."""
    rules: SpiteRules = context.rules
    players = players_of(context)
    kinds = [("payoff-of", rules.payoff_size), ("cards-of", rules.hands_dealt)]
    kinds += [("sides-of", rules.side_start)] if rules.side_start else []
    places = [(label, expected, player) for label, expected in kinds for player in players][: len(COUNTS) - 1]

    def verdict(counts: Mapping[int, int]) -> Verdict:
        entered: dict[str, dict[str, int]] = {"payoff-of": {}, "cards-of": {}, "sides-of": {}}
        for place, (label, _, player) in enumerate(places, start=1):
            if place in counts:
                entered[label][player] = counts[place]
        stock = counts.get(0, rules.stock_dealt)
        move = n.DealCheck(stock, entered["payoff-of"], entered["cards-of"], entered["sides-of"])
        return judge_move(rules, Position(players, players[0]), move)

    expected = {0: rules.stock_dealt} | {place: count for place, (_, count, _) in enumerate(places, start=1)}
    labels = [context.say("count-stock"), *(context.say(label, name=player) for label, _, player in places)]
    return deal_page(context, DealCheck(labels, verdict, expected), DealerCheck())


def unchanged(context: Context, verb: str, word: str) -> State:
    """Return the state as it is: this page has no buttons."""
    return context.state
