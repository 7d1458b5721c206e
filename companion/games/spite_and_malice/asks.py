"""The referee's questions: what fits on a side stack, what may be played, who starts, a deadlock, a whole deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from companion.engine.cards import RANKS, SUITS, Card
from companion.engine.dialogue import (
    ACE_HIGH,
    COUNTS,
    MARKS,
    UNKNOWN_CARD,
    AnswerSection,
    Choice,
    Context,
    DealCheck,
    DealerCheck,
    Face,
    Field,
    Grid,
    Heap,
    Joined,
    Page,
    Phrase,
    Picker,
    Prompt,
    Question,
    Reason,
    Scoring,
    Slot,
    State,
    Target,
    Text,
    Zone,
    active_zone,
    card_term,
    finding_reasons,
    go_to,
    grouped_reasons,
    in_rows,
    joined_texts,
    read_cards,
    reasons_of,
    verdict_sign,
)
from companion.engine.dialogue import deal_page as dialogue_deal_page
from companion.engine.ledger import team_name
from companion.engine.problems import Node, Refused
from companion.engine.scene import Flag, scene
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Because, Missing, Verdict
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice import shapes as t
from companion.games.spite_and_malice.deal import (
    Entry,
    Replay,
    Result,
    Seat,
    Stack,
    Table,
    begin,
    compulsory_plays,
    follow_all,
    judge_move,
    legal_moves,
    remedy_for,
    result_of,
    sides_of,
    start_entry,
)
from companion.games.spite_and_malice.entry import entered
from companion.games.spite_and_malice.hidden import knowledge
from companion.games.spite_and_malice.play import outcomes, starter, turning_anew
from companion.games.spite_and_malice.position import Position, names
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.stacks import Ruling, judge_new_side, judge_side


def _players_of(context: Context) -> tuple[str, ...]:
    """Return the players in the order of play, beginning with the one who asks."""
    rules: SpiteRules = context.rules
    if len(context.names) == rules.players:
        return context.seats(rules.players)
    names = context.with_names(()).seats(max(rules.players, 4))
    order = {2: (2, 0), 3: (2, 3, 0), 4: (2, 3, 0, 1)}.get(rules.players, range(rules.players))
    return tuple(names[place] for place in order)


def _position_of(context: Context, position: Mapping[str, object]) -> Position:
    """Return a position written as in a request. Raises Refused if it is impossible."""
    node = Node(dict(position), ("position",))
    return node.require(t.read_position(context.rules, node))


def _ranks_in_use(rules: SpiteRules) -> tuple[Card, ...]:
    """Return one card of every rank from the ace, and the joker if the packs hold any."""
    cards = (*(Card(rank) for rank in RANKS), *([Card(n.JOKER)] if rules.jokers else []))
    return tuple(dict.fromkeys(n.as_named(rules, card) for card in cards))


def _cards_of(context: Context, name: str) -> tuple[Card, ...]:
    """Return the cards of a stack from the bottom; a rank may be there more than once."""
    return _read_ranks(context.rules, context.state.words(name))


def _read_ranks(rules: SpiteRules, words: Iterable[str]) -> tuple[Card, ...]:
    """Return the cards that words name, their suits optional."""
    cards = read_cards(words, jokers=n.jokers_in(rules), bare=True)
    return tuple(n.as_named(rules, card) for card in cards)


def _add_card(context: Context, zones: Sequence[Zone], word: str) -> State:
    """Return the state with another card in the active zone; it replaces the card of a zone for one."""
    state, card = context.state, next(iter(_read_ranks(context.rules, [word])), None)
    if card is None or not zones:
        return state
    zone = active_zone(state, zones)
    cards = _cards_of(context, zone.name)
    if zone.is_full(len(cards)):
        return state
    return state.put_cards(zone.name, [card] if zone.most == 1 else (*cards, card))


def _drop_card(context: Context, zones: Sequence[Zone], word: str) -> State:
    """Return the state without one card of a zone: `h.2` removes the third card of the hand."""
    state, (name, _, place) = context.state, word.partition(".")
    if name not in {zone.name for zone in zones} or not (place.isascii() and place.isdecimal() and len(place) < 4):
        return state
    cards = _cards_of(context, name)
    return state.put_cards(name, (card for at, card in enumerate(cards) if at != int(place)))


def _tapped(context: Context, zones: Sequence[Zone], verb: str, word: str) -> State | None:
    """Return the state after a tap on a rank, a card in a zone or a zone; None after anything else."""
    acts = {"tap": _add_card, "drop": _drop_card}
    if verb == "to":
        return go_to(context.state, zones, word)
    return acts[verb](context, zones, word) if verb in acts else None


def _rank_picker(
    context: Context, zones: Sequence[Zone], *, look: Callable[[Face], Face] = lambda face: face
) -> Picker:
    """Return all ranks, to be added to the active zone; `look` changes how a card is shown."""
    now = active_zone(context.state, zones)
    full = now.is_full(len(_cards_of(context, now.name)))
    blank = (Face(card, tone="gone") if full else Face(card, f"tap:{card}") for card in _ranks_in_use(context.rules))
    row = tuple(map(look, blank))
    targets = tuple(
        Target(f"to:{zone.name}", zone.label, len(_cards_of(context, zone.name)), zone == now) for zone in zones
    )
    return Picker(now.label, (row,), targets if len(targets) > 1 else ())


def _zone_heap(
    context: Context, zone: Zone, note: Text = "", *, look: Callable[[int, Face], Face] = lambda place, face: face
) -> Heap:
    """Return the cards of a zone, each a button that removes it; `look` changes how the card at an index is shown."""
    drawn = [
        look(place, Face(card, f"drop:{zone.name}.{place}", note=context.say("take-back")))
        for place, card in enumerate(_cards_of(context, zone.name))
    ]
    return Heap(zone.label, tuple(drawn), note)


def _rank_term(card: Card | None) -> Text:
    """Return a card for a sentence: its rank, the joker, or a question mark."""
    if card is not None and card.rank == n.JOKER:
        return Phrase("asks.joker")
    return card_term(card or UNKNOWN_CARD)


def _card_move(context: Context, card: Card | None, source: str, stack: int | None, onto: str, to: n.Place) -> Phrase:
    """Return in words that a card goes from a source onto a stack, `onto` being `centre` or `side`."""
    origin = context.say(f"from-{source}", number=(stack or 0) + 1)
    target = context.say(f"{onto}-number", number=to + 1) if isinstance(to, int) else context.say(f"{onto}-new")
    return context.say("move", card=_rank_term(card), origin=origin, target=target)


def _move_message(context: Context, move: n.Move) -> Phrase:
    """Return a move in words."""
    match move:
        case n.Play(source, int() | str() as to, card, stack):
            return _card_move(context, card, source, stack, "centre", to)
        case n.Discard(to, card, source):
            return _card_move(context, card, source, None, "side", to)
    plain = n.plain(move)
    return context.say(f"move-{plain['type']}", count=plain.get("count", 0))


_MAX_STACK: Final = 40


# What fits on this side stack? --------------------------------------------------------------------------------------


def _stack_page(context: Context) -> Page:
    """Return the stack with whatever is wrong in it, and the verdict on every rank that may come next."""
    stack = _cards_of(context, "s")
    verdicts = {card: _side_verdict(context.rules, stack, card) for card in _ranks_in_use(context.rules)}
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
            heading, first = context.say(f"fits-{value}"), next(iter(found.values()))
            answers.append(AnswerSection(heading, value, reasons=grouped_reasons(found), verdict=first))
    return Page(
        context.say("fits", cards=joined_texts(_rank_term(card) for card in fit)),
        LEGAL if fit else ILLEGAL,
        heaps=(_zone_heap(context, _stack_zone(context), context.say("bottom-first"), look=on_stack),),
        picker=_rank_picker(context, (_stack_zone(context),), look=next_card),
        answers=tuple(answers),
    )


def _stack_zone(context: Context) -> Zone:
    return Zone("s", context.say("side-stack"), _MAX_STACK)


def _side_verdict(rules: SpiteRules, stack: Sequence[Card], card: Card) -> Verdict:
    """Return whether a card fits on the stack, regardless of other duties at the table."""
    ruling = Ruling("", lambda: knowledge(rules, Position(("", " "), "")))
    if not n.in_pack(rules, card):
        ruling.breach(a.PACKS, "not-in-pack", card=str(card))
        return ruling.verdict()
    if not stack:
        judge_new_side(n.Piles(sides=()), ruling)
    judge_side(rules, stack, card, ruling)
    return ruling.verdict()


# Who starts? --------------------------------------------------------------------------------------------------------


def _start_act(context: Context, verb: str, word: str) -> State:
    """Return the state with a top card for the active player; the next player without one becomes active."""
    state, zones = context.state, _start_zones(context)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "drop" and word in {zone.name for zone in zones}:
        return state.put(**{word: None, "to": word})
    rules: SpiteRules = context.rules
    found = _read_ranks(rules, [word]) if rules.numbered else read_cards([word], jokers=n.jokers_in(rules))
    card = next(iter(found), None)
    if verb != "tap" or card is None:
        return state
    tops = _tops_of(context)
    with suppress(Refused):  # tops that cannot be are corrected, not turned up anew
        if len(tops) == len(zones) and _starter(context, tops)[0].first is None:
            redraw = turning_anew(rules, tops, "redraw")
            again = redraw or turning_anew(rules, tops, "")
            tied = [zone.name for zone in zones if zone.label in again]
            compare = state.get("x") if redraw else ".".join(tied)
            state = state.put(**dict.fromkeys(tied), to=tied[0], x=compare)
    state = state.put_cards(active_zone(state, zones).name, [card])
    empty = next((zone.name for zone in zones if not state.get(zone.name)), None)
    return state.put(to=empty) if empty else state


def _start_page(context: Context) -> Page:
    """Return the top cards side by side, and who starts or how they are turned up anew (SNM-012, 013, 122, 208)."""
    if context.rules.starts != "highest_payoff":
        bar = context.say(f"starts-{context.rules.starts}")
        return Page(bar, LEGAL, answers=(AnswerSection(bar, LEGAL, reasons=(Reason(Because(a.START_AGREED.id)),)),))
    zones, tops = _start_zones(context), _tops_of(context)
    now = active_zone(context.state, zones)
    decided = _starter(context, tops) if len(tops) == len(zones) else None
    first = decided[0].first if decided and decided[1].value == LEGAL else None
    slots = tuple(
        Slot(
            zone.label,
            Face(tops[zone.label], f"drop:{zone.name}", note=context.say("take-back")) if zone.label in tops else None,
            next=first is None and zone == now,
            won=zone.label == first,
        )
        for zone in zones
    )
    picker = Picker(
        now.label,
        tuple(tuple(Face(card, f"tap:{card}") for card in row) for row in _start_rows(context.rules)),
        tuple(Target(f"to:{z.name}", z.label, int(z.label in tops), z == now) for z in zones),
    )
    if decided is None:
        return Page(context.say("tops-start", name=now.label), slots=slots, picker=picker)
    move, verdict = decided
    bar = context.say("starts", name=first) if first else context.say(f"redo-{move.redo}")
    if verdict.value != LEGAL:
        bar = context.say("tops-open")
    value = LEGAL if first else UNDECIDED
    return Page(
        bar, value, slots=slots, picker=picker, answers=(AnswerSection(bar, value, reasons=reasons_of(verdict)),)
    )


def _start_zones(context: Context) -> tuple[Zone, ...]:
    """Return a place for the top of each player; after a tie, of those alone who tied."""
    zones = [Zone(f"p{place}", player, 1) for place, player in enumerate(_players_of(context))]
    return tuple(zone for zone in zones if zone.name in context.state.words("x")) or tuple(zones)


def _tops_of(context: Context) -> dict[str, Card]:
    found = ((str(zone.label), _cards_of(context, zone.name)) for zone in _start_zones(context))
    return {label: cards[0] for label, cards in found if cards}


def _start_rows(rules: SpiteRules) -> list[tuple[Card, ...]]:
    if rules.numbered:
        return in_rows(_ranks_in_use(rules), [card.rank for card in _ranks_in_use(rules)])
    jokers = [card for card in _ranks_in_use(rules) if card.rank not in RANKS]
    return in_rows([*(Card(rank, suit) for suit in SUITS for rank in RANKS), *jokers], ("K", *ACE_HIGH[2:], "A"))


def _starter(context: Context, tops: Mapping[str, Card]) -> tuple[n.Start, Verdict]:
    """Return what the tops of all who compare decide, and the verdict that says why."""
    players = _players_of(context)
    position = _position_of(
        context,
        {"players": list(players), "player": players[0], "payoff_tops": {who: str(top) for who, top in tops.items()}},
    )
    position = replace(position, contenders=tuple(tops))
    kind, name = outcomes(context.rules, position)[0]
    move = n.Start(**{kind: name})
    return move, judge_move(context.rules, position, move)


# Nobody can play, or the stock runs low -----------------------------------------------------------------------------

_STUCK_COUNTS: Final = {"stock": 270, "hand": 5, "complete": 20, "incomplete": 20}
"""The numbers that are asked for, with the highest of each."""
_MAX_IDLE: Final = 12


_IDLE: Final = Flag(
    "idle", lambda context: [str(count) for count in range(min(2 * context.rules.players, _MAX_IDLE) + 1)], "",
    label=lambda context, word: word, above=True, numbers=True,
)  # fmt: skip


def _stuck_page(context: Context) -> Page:
    """Return the verdict on every move that could come now (SNM-071, 074, 080 to 085, 093)."""
    position = _stuck_position(context)
    shown = [
        (context.say(f"stuck-{name}"), judge_move(context.rules, position, move))
        for name, move in _stuck_moves(context.rules, position.player)
    ]
    allowed = [heading for heading, verdict in shown if verdict.value == LEGAL]
    order = sorted(shown, key=lambda one: {LEGAL: 0, UNDECIDED: 1}.get(one[1].value, 2))
    bar = context.say("stuck-now", names=joined_texts(allowed, " · ")) if allowed else context.say("stuck-nothing")
    return Page(
        bar,
        LEGAL if allowed else "",
        fields=tuple(Field(name, context.say(f"count-{name}"), context.state.get(name)) for name in _STUCK_COUNTS),
        answers=tuple(AnswerSection(heading, verdict.value, reasons=reasons_of(verdict)) for heading, verdict in order),
    )


def _stuck_position(context: Context) -> Position:
    players = _players_of(context)
    counts = {name: context.state.number(name, high=high) for name, high in _STUCK_COUNTS.items()}
    idle = context.state.number("idle", high=_MAX_IDLE)
    turns = None
    if idle is not None:
        turns = tuple(n.Turn(players[-1 - place % len(players)], acted=False) for place in reversed(range(idle)))
    return Position(
        players,
        players[0],
        hand_count=counts["hand"],
        stock=counts["stock"],
        phase=n.phase_after(context.rules, turns or ()),
        turns=turns,
        complete=counts["complete"],
        incomplete=counts["incomplete"],
    )


def _stuck_moves(rules: SpiteRules, player: str) -> Iterator[tuple[str, n.Move]]:
    if rules.replenished:
        by = "opponent" if rules.recycle_by == "opponent" else "player"
        yield "recycle-complete", n.Recycle("complete", by)
        if rules.recycle_source != "complete_only":
            yield "recycle-incomplete", n.Recycle("incomplete", by)
    if rules.redealt:
        yield "second-chance", n.SecondChance()
        yield "redeal", n.Redeal(player)
    if rules.abandoned:
        yield "stalemate", n.ClaimStalemate()


# Was it dealt right? ------------------------------------------------------------------------------------------------


def _dealt_page(context: Context) -> Page:
    """Return the numbers of cards against the deal of the table (SNM-005 to 008, 101, 105, 203 to 206, 301)."""
    rules: SpiteRules = context.rules
    players = _players_of(context)
    kinds = {"payoff-of": rules.payoff_size, "cards-of": rules.hands_dealt, "sides-of": rules.side_start}
    asked = [label for label in kinds if kinds[label] or label != "sides-of"]
    places = [(label, player) for label in asked for player in players][: len(COUNTS) - 1]

    def verdict(counts: Mapping[int, int]) -> Verdict:
        entered: dict[str, dict[str, int]] = {label: {} for label in kinds}
        for place, (label, player) in enumerate(places, start=1):
            if place in counts:
                entered[label][player] = counts[place]
        payoffs, hands, sides = entered.values()
        move = n.DealCheck(counts.get(0, rules.stock_dealt), payoffs, hands, sides)
        return judge_move(rules, Position(players, players[0]), move)

    expected = dict(enumerate((rules.stock_dealt, *(kinds[label] for label, _ in places))))
    labels = [context.say("count-stock"), *(context.say(label, name=player) for label, player in places)]
    return dialogue_deal_page(context, DealCheck(labels, verdict, expected), DealerCheck())


_SIDES: Final = tuple(f"s{place}" for place in range(SIDE_PLACES))
_MAX_CENTRE: Final = 12
_MAX_SIDE: Final = 30
_ZONE_OF_FACT: Final = {
    "hand": "h", "payoff": "y", "centre_stacks": "c", "centre_rank": "c", "side_stacks": "s0", "partner_payoff": "py",
    "partner_side_stacks": "ps",
}  # fmt: skip
"""The zone that shows a missing fact."""
_FOREIGN: Final = {"op": "opponent_payoff", "os": "opponent_side", "ce": "centre"}
"""Sources that nobody may take a card from, by their words in the address: people ask all the same."""


def _moves_act(context: Context, verb: str, word: str) -> State | None:
    """Return the state with a card added or removed, another zone, or a move to be judged."""
    state = context.state
    if verb == "from" and word in _sources(context):
        return state.put(f=word, g=None)
    if verb == "onto" and word in _targets(context):
        return state.put(g=word)
    found = _tapped(context, _zones(context), verb, word)
    return found.put(f=None, g=None) if found is not None and verb != "to" else found


def _moves_page(context: Context) -> Page:
    """Return the table with its compulsory plays, all that is legal, and the one move that was asked about."""
    zones, position = _zones(context), _position(context)
    moves, missing = legal_moves(context.rules, position)
    answers = [
        AnswerSection(context.say("compulsory"), texts=_in_words(context, plays), reasons=(Reason(because),))
        for because, plays in compulsory_plays(context.rules, position)
    ]
    bar: Text = context.say("moves-start")
    value = ""
    if any(_cards_of(context, name) for name in ("h", "y", *_SIDES)):
        bar = context.say("moves-count", must=len(answers), count=len(moves))
        value = LEGAL if moves else UNDECIDED
        if moves:
            answers.append(AnswerSection(context.say("legal-moves"), LEGAL, texts=_in_words(context, moves)))
        answers += _left_open(context, position, missing)
    checked = _checked_move(context, position)
    if checked is not None:
        answers.insert(0, checked)
        bar, value = checked.heading, checked.value
    notes = {"c": "tops", "ps": "tops", **dict.fromkeys(_SIDES, "bottom-first")}
    heaps = tuple(
        _zone_heap(context, zone, context.say(notes[zone.name]) if zone.name in notes else "")
        for zone in zones
        if _cards_of(context, zone.name)
    )
    return Page(
        bar,
        value,
        later=tuple(_move_prompts(context)),
        heaps=heaps,
        picker=_rank_picker(context, zones),
        answers=tuple(answers),
    )


def _in_words(context: Context, moves: Iterable[n.Move]) -> tuple[Phrase, ...]:
    return tuple(_move_message(context, move) for move in moves)


def _left_open(context: Context, position: Position, missing: Sequence[Missing]) -> Iterator[AnswerSection]:
    """Yield why the turn may not end now, and what moves that are not listed depend on."""
    end = judge_move(context.rules, position, n.EndTurn())
    if end.value != LEGAL:
        heading = context.say("end-not", open=end.value == UNDECIDED)
        yield AnswerSection(heading, end.value, reasons=reasons_of(end), verdict=end)
    if missing:
        zones, wanted = _zones(context), {_ZONE_OF_FACT.get(one.fact) for one in missing}
        wanted.discard(active_zone(context.state, zones).name)
        choices = tuple(Choice(f"to:{zone.name}", zone.label) for zone in zones if zone.name in wanted)
        yield AnswerSection(context.say("still-open"), UNDECIDED, reasons=tuple(map(Reason, missing)), choices=choices)


def _zones(context: Context) -> tuple[Zone, ...]:
    rules: SpiteRules = context.rules
    zones = [
        Zone("h", context.say("my-hand"), HAND_SIZE),
        Zone("y", context.say("payoff"), 1),
        Zone("c", context.say("centre-stacks"), rules.centre_max or _MAX_CENTRE),
    ]
    taken = [place for place, name in enumerate(_SIDES) if _cards_of(context, name)]
    shown = range(min(max(taken, default=-1) + 2, SIDE_PLACES))
    zones += [Zone(_SIDES[place], context.say("side-number", number=place + 1), _MAX_SIDE) for place in shown]
    if rules.paired:
        zones += [Zone("py", context.say("partner-payoff"), 1), Zone("ps", context.say("partner-sides"), SIDE_PLACES)]
    return tuple(zones)


def _position(context: Context) -> Position:
    """Return the table; a hand or a pay-off card that was not entered is unknown. Raises Refused if impossible."""
    state, players = context.state, _players_of(context)
    position: dict[str, object] = {
        "players": list(players),
        "player": players[0],
        "side_stacks": [names(_cards_of(context, name)) for name in _filled_sides(context)],
        "centre_stacks": names(_cards_of(context, "c")),
    }
    if hand := _cards_of(context, "h"):
        position["hand"] = names(hand)
    if payoff := _cards_of(context, "y"):
        position["payoff"] = str(payoff[0])
    if context.rules.paired:
        partner: dict[str, object] = {"side_stacks": [[str(card)] for card in _cards_of(context, "ps")]}
        if top := _cards_of(context, "py"):
            partner["payoff"] = str(top[0])
        position["partner"] = partner
    if state.get("chance") == "y":
        position |= {"phase": "second_chance", "played_ace_or_two": state.get("used") == "y"}
    return _position_of(context, position)


def _filled_sides(context: Context) -> list[str]:
    return [name for name in _SIDES if _cards_of(context, name)]


def _has_second_chances(context: Context) -> bool:
    return bool(context.rules.redealt)


_PHASE: Final = (
    Flag("chance", used=_has_second_chances),
    Flag("used", used=lambda context: _has_second_chances(context) and context.state.get("chance") == "y"),
)
"""Whether it is a second-chance turn, and whether an ace or a two has been played in it."""


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
    sides = _filled_sides(context)
    sources = {f"hand.{card}": _rank_term(card) for card in _cards_of(context, "h")}
    if payoff := _cards_of(context, "y"):
        sources["payoff"] = context.say("pile-card", pile=context.say("payoff"), card=_rank_term(payoff[0]))
    for place, name in enumerate(sides):
        pile = context.say("side-number", number=place + 1)
        sources[f"side.{place}"] = context.say("pile-card", pile=pile, card=_rank_term(_cards_of(context, name)[-1]))
    if not sources:
        return {}
    sources |= {word: context.say(f"from-{source}") for word, source in _FOREIGN.items()}
    if len(_cards_of(context, _SIDES[0])) > 1:
        sources["under"] = context.say("from-under")
    return sources


def _targets(context: Context) -> dict[str, Text]:
    """Return where a card can be said to go: each centre stack and side stack, and a new one of either."""
    tops = [_cards_of(context, name)[-1] for name in _filled_sides(context)]
    targets = {
        f"c{place}": context.say("onto-centre", number=place + 1, card=_rank_term(card))
        for place, card in enumerate(_cards_of(context, "c"))
    }
    targets["cn"] = context.say("onto-centre-new")
    for place, top in enumerate(tops):
        targets[f"s{place}"] = context.say("onto-side", number=place + 1, card=_rank_term(top))
    return {**targets, "sn": context.say("onto-side-new")}


def _checked_move(context: Context, position: Position) -> AnswerSection | None:
    """Return the verdict on the one move that was asked about, if it names a source and a target."""
    found = _asked_move(context, position)
    if found is None:
        return None
    text, move = found
    verdict = judge_move(context.rules, position, move)
    heading = context.say(f"move-{verdict.value}", move=text)
    return AnswerSection(heading, verdict.value, reasons=reasons_of(verdict, remedy_for), verdict=verdict)


def _asked_move(context: Context, position: Position) -> tuple[Text, n.Play | n.Discard] | None:
    """Return the move that was asked about, in words and as a value."""
    asked, onto, sources = context.state.get("f"), context.state.get("g"), _sources(context)
    if asked not in sources or onto not in _targets(context):
        return None
    kind, place = onto[0], onto[1:]
    to: n.Place = n.NEW if place == "n" else int(place)
    source, _, which = asked.partition(".")
    if source in _FOREIGN or source == "under":
        return sources[asked], _foreign_move(context.rules, position, source, kind, to)
    stack = int(which) if source == n.SIDE else None
    if source == n.HAND:
        card: Card | None = next(one for one in _cards_of(context, "h") if str(one) == which)
    else:
        card = position.own.payoff if stack is None else (position.own.sides or ())[stack][-1]
    if kind == "s":
        return _card_move(context, card, source, stack, "side", to), n.Discard(to, card, source)
    return _card_move(context, card, source, stack, "centre", to), n.Play(source, to, card, stack)


def _foreign_move(rules: SpiteRules, position: Position, source: str, kind: str, to: n.Place) -> n.Play | n.Discard:
    """Return a move with a card that nobody may take: another's pile, the centre, a covered card."""
    if isinstance(to, int) and to >= len(position.centre or ()):
        to = n.NEW
    if source == "under":
        return n.Play(n.SIDE, to, stack=0, depth=1)
    pile = _FOREIGN[source]
    return n.Discard(to, Card(n.rank_name(rules, n.ACE)), pile) if kind == "s" else n.Play(pile, to)


_MAX_STATE: Final = 2_000
"""Maximum characters of a deal in an address: twice what long deals take, and still replayed quickly."""
_DEAL_STATE: Final = (
    "to",
    "b",
    "d",
    *(f"{kind}{place}" for place in range(6) for kind in "pl"),
    "m",
    "q",
    "g",
    "w",
    "r",
)
_MAX_MOVES: Final = 1_000
_OPEN: Final = ("q", "g", "w", "r")
"""Parts of a move that is being entered."""
_UNTURNED: Final = "klmouwy"
"""First letters of moves that belong to nobody's turn."""


@dataclass(frozen=True)
class Deal:
    """The deal so far: `p0` to `p5` the first pay-off tops, `l0` to `l5` first side cards, `m` the moves as text.

    `b` says that tops are left out, `d` who starts. `q` is the source of the move being entered, `g` its target while
    the card turned up is still unknown, `w` who moves out of turn, `r` how many cards are drawn if not as many as due.
    """

    context: Context

    @property
    def rules(self) -> SpiteRules:
        """Return the rules of the table."""
        rules: SpiteRules = self.context.rules
        return rules

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return the players in the order of play."""
        return _players_of(self.context)

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Return what is entered before the first move: everybody's pay-off top, and first side cards if any."""
        found = []
        for place, name in enumerate(self.players):
            found.append(Zone(f"p{place}", self.context.say("top-of", name=name), 1))
            if self.rules.side_start:
                found.append(Zone(f"l{place}", self.context.say("sides-of", name=name), self.rules.side_start))
        return tuple(found)

    def lacks(self, kind: str) -> bool:
        """Return whether pay-off tops (`p`) or first side cards (`l`) are still to be entered."""
        return any(len(_cards_of(self.context, z.name)) < z.most for z in self.zones if z.name[0] == kind)

    @property
    def ready(self) -> bool:
        """Return whether the deal can begin: side cards must be known, pay-off tops may be left out."""
        return not self.lacks("l") and (not self.lacks("p") or self.context.state.get("b") == "y")

    @cached_property
    def tops(self) -> dict[str, Card]:
        """Return the first pay-off tops that were entered."""
        found = ((name, _cards_of(self.context, f"p{place}")) for place, name in enumerate(self.players))
        return {name: cards[0] for name, cards in found if cards}

    @cached_property
    def first(self) -> str:
        """Return who starts: as entered, else by the tops, else the first player."""
        named = self._seat("d")
        by_tops = starter(self.rules, self.opening.table.position()) if len(self.tops) == len(self.players) else None
        return named or by_tops or self.players[0]

    @cached_property
    def moves(self) -> tuple[t.Recorded, ...]:
        """Return the moves so far."""
        return tuple(islice(t.parse_moves(self.context.state.get("m"), self.players, self.rules), _MAX_MOVES))

    @cached_property
    def turns(self) -> list[list[t.Recorded]]:
        """Return the moves turn by turn."""
        return t.group_turns(self.moves)

    @cached_property
    def opening(self) -> Replay:
        """Return the deal before its first move."""
        sides = {
            name: [[card] for card in _cards_of(self.context, f"l{place}")[: self.rules.side_start]]
            for place, name in enumerate(self.players)
        }
        return begin(self.rules, self.players, tops=self.tops, sides=sides)

    @cached_property
    def run(self) -> Replay:
        """Return the replay of these moves."""
        run, entries = self.opening, [start_entry(self.first)]
        for number, turn in enumerate(self.turns, start=1):
            entries += [
                Entry(one.move, one.turned, turn=number, seat=one.seat, shape=n.plain(one.move)) for one in turn
            ]
        return follow_all(run, entries)

    @property
    def table(self) -> Table:
        """Return the table as the next mover finds it."""
        return self.run.table

    @cached_property
    def mover(self) -> str:
        """Return who moves next: the player in turn, unless another was named."""
        return self._seat("w") or self.table.player

    @property
    def seat(self) -> Seat:
        """Return what the mover has."""
        return self.table.seats[self.mover]

    @property
    def out_of_turn(self) -> bool:
        """Return whether a player was named who is not in turn."""
        return self.mover != self.table.player

    @property
    def due(self) -> int:
        """Return how many cards the mover draws before anything else; none in the middle of a turn."""
        if not self.out_of_turn and (self.table.refilled or self.table.discarded):
            return 0
        return max(min(HAND_SIZE - self.seat.hand_count, self.table.stock), 0)

    @property
    def drawn(self) -> int:
        """Return how many are drawn: as entered, else as many as are due."""
        entered = self.context.state.number("r", high=9)
        return self.due if entered is None else entered

    def judge(self, body: str) -> Verdict | None:
        """Return the verdict on a move that could be made now, after the draw; None for a move out of turn."""
        if self.out_of_turn:
            return None
        position = self.table.position()
        if self.drawn:
            position = replace(position, hand=None)
        if self.due and self.drawn:
            stock, held = max(self.table.stock - self.drawn, 0), self.seat.hand_count + self.drawn
            position = replace(position, refilled=True, hand_count=held, stock=stock)
        return judge_move(self.rules, position, t.parse_move(body, self.players, self.rules).move)

    def with_move(self, body: str) -> State:
        """Return the state with another move, after the draw that is due; unchanged if the text is no move."""
        draw = f"r{self.drawn}" if self.due and self.drawn and body[0] not in f"r{_UNTURNED}" else ""
        seat = f"_{self.players.index(self.mover)}" if self.out_of_turn and body[0] not in _UNTURNED else ""
        text = "".join(one.text for one in self.moves) + seat + draw + body
        if "".join(one.text for one in t.parse_moves(text, self.players)) != text:
            return self.context.state
        return self.context.state.put(m=text, **dict.fromkeys(_OPEN))

    def owner(self, source: str) -> str | None:
        """Return whose pile a source is; None where the mover has no partner."""
        partners = source[0] == t.PARTNER_PAYOFF or source[0] in t.PARTNER_SIDES
        return self.table.partner_of(self.mover) if partners else self.mover

    def top(self, source: str) -> Card | None:
        """Return the card on top of the pile that a source names; None if nobody knows it."""
        owner = self.owner(source)
        if owner is None:
            return None
        seat = self.table.seats[owner]
        if source[0] in (t.PAYOFF, t.PARTNER_PAYOFF):
            return seat.payoff
        place = (t.SIDES + t.PARTNER_SIDES).index(source[0]) % len(t.SIDES)
        return seat.sides[place][-1] if place < len(seat.sides) and seat.sides[place] else None

    def named(self, source: str) -> str:
        """Return a source with the letter of its card: a hand card is that letter, a pile names its top."""
        if source[0] not in t.PILES or len(source) > 1:
            return source
        return source + t.rank_letter(self.top(source))

    def turns_up(self, source: str) -> bool:
        """Return whether a play from this source turns up another pay-off card."""
        owner = self.owner(source)
        return owner is not None and self.table.seats[owner].payoff_left > 1

    def _seat(self, name: str) -> str | None:
        place = self.context.state.number(name, high=len(self.players) - 1)
        return None if place is None else self.players[place]


_LOW_STOCK: Final = 20
"""Cards in the stock up to which recycling is offered: no table does so earlier."""
_TONES: Final = {ILLEGAL: "odd", UNDECIDED: "open"}


def _deal_act(context: Context, verb: str, word: str) -> State:
    """Return the state after one action: a first card, a source, a target, a card turned up, a move, taking back."""
    deal, state = Deal(context), context.state
    if verb == "back":
        return _taken_back(deal)
    if verb in ("first", "who") and word.isdecimal() and int(word[:1]) < len(deal.players):
        return state.put(**{"d" if verb == "first" else "w": word[:1], "q": None, "g": None})
    if not deal.ready:
        return _with_first_card(deal, verb, word)
    if deal.table.over:
        return state
    source, target = state.get("q"), state.get("g")
    if verb == "draw" and word.isdecimal():
        return state.put(r=word[:1])
    if verb == "tap" and (cards := _read_ranks(context.rules, [word])):
        letter = t.rank_letter(cards[0])
        if target:
            return deal.with_move(source + target + letter)
        waits = source in (t.PAYOFF, t.PARTNER_PAYOFF)
        return state.put(q=source + letter if waits and deal.top(source) is None else letter, g=None)
    if verb == "from" and word in tuple(t.PILES):
        return state.put(q=word, g=None)
    if verb == "onto" and source and len(word) == 1:
        return _onto(deal, source, word)
    if verb == "unseen" and target:
        return deal.with_move(source + target + t.UNKNOWN_CARD)
    return deal.with_move(word) if verb == "move" and word else state


def _deal_page(context: Context) -> Page:
    """Return the first cards to be entered; then the table after the last move, judged, and what can be done next."""
    deal = Deal(context)
    if not deal.ready:
        return _first_cards(deal)
    run, over = deal.run, deal.table.over
    answers = list(_last_move(deal))
    if run.findings:
        answers.append(AnswerSection(context.say("found-so-far"), ILLEGAL, reasons=finding_reasons(run.findings)))
    elif over:
        answers.append(AnswerSection(context.say("no-findings"), LEGAL))
    result = result_of(deal.table)
    if result is not None:
        answers.append(_result(deal, result))
    bar: Text = context.say("deal-done" if over else "turn-of", name=deal.mover)
    if context.state.get("g"):
        bar = context.say("turned-up")
    if run.findings:
        bar = Joined((bar, context.say("deal-found", count=len(run.findings))))
    later = [] if over else _next_prompts(deal)
    if not deal.moves:
        starters = tuple(Choice(f"first:{at}", name, name == deal.first) for at, name in enumerate(deal.players))
        later.append(Prompt(context.say("ask-begins"), (starters,)))
    return Page(
        bar,
        ILLEGAL if run.findings else LEGAL if over else "",
        later=tuple(later),
        heaps=tuple(_heaps(deal)),
        picker=None if over else _hand_picker(deal),
        answers=tuple(answers),
        tables=(_turns_grid(deal),) if deal.moves else (),
        tools=(Choice("back", context.say("back")),),
        facts=result,
        sheet_answers={} if result is None else _sheet_answers(deal, result),
    )


# What an action changes


def _taken_back(deal: Deal) -> State:
    """Return the state without what came last: part of a move, a move, a card entered before the deal."""
    state = deal.context.state
    for name in ("g", "q", "r", "w"):
        if state.get(name):
            return state.put(**{name: None})
    if deal.moves:
        return state.put(m="".join(one.text for one in deal.moves[:-1]))
    if deal.ready and deal.lacks("p"):
        return state.put(b=None)
    entered = [zone for zone in deal.zones if state.get(zone.name)]
    return state.without_last(entered[-1].name).put(to=entered[-1].name) if entered else state


def _with_first_card(deal: Deal, verb: str, word: str) -> State:
    """Return the state with a card entered before the first move; then the next zone with room is active."""
    state, zones = deal.context.state, deal.zones
    if verb == "begin":
        return state.put(b="y")
    state = _tapped(deal.context, zones, verb, word) or state
    if verb != "tap":
        return state
    room = next((zone.name for zone in zones if len(state.words(zone.name)) < zone.most), None)
    now = active_zone(state, zones)
    return state.put(to=room) if len(state.words(now.name)) >= now.most else state


def _onto(deal: Deal, source: str, target: str) -> State:
    """Return the state with a source and its target: a discard, or a play, which may turn up a card."""
    if target in t.SIDES or target == "N":
        place = t.NEW if target == "N" else str(t.SIDES.index(target))
        return deal.with_move(f"s{source}{place}")
    if source[0] not in (t.PAYOFF, t.PARTNER_PAYOFF):
        return deal.with_move(deal.named(source) + target)
    if deal.turns_up(source):
        return deal.context.state.put(q=deal.named(source), g=target)
    return deal.with_move(deal.named(source) + target + t.UNKNOWN_CARD)


# What can be done next


def _first_cards(deal: Deal) -> Page:
    context, zones = deal.context, deal.zones
    heaps = tuple(_zone_heap(context, zone) for zone in zones if context.state.get(zone.name))
    tools = [] if deal.lacks("l") else [Choice("begin", context.say("begin"))]
    tools += [Choice("back", context.say("back"))] if heaps else []
    bar = context.say("tap-for", name=active_zone(context.state, zones).label)
    return Page(bar, heaps=heaps, picker=_rank_picker(context, zones), tools=tuple(tools))


def _hand_picker(deal: Deal) -> Picker:
    """Return all ranks: a card from the hand, or the card turned up."""
    context = deal.context
    turned, source = context.state.get("g"), context.state.get("q")
    label = context.say("turned-up") if turned else context.say("hand-card-of", name=deal.mover)

    def look(face: Face) -> Face:
        on = not turned and source == t.rank_letter(face.card)
        return replace(face, pressed=True, tone="chosen", mark="✓") if on else face

    return _rank_picker(context, (Zone("", label, 1),), look=look)


def _next_prompts(deal: Deal) -> list[Prompt]:
    """Return the prompts of the next move: where the card goes, the draw, what else may be done, who moves."""
    context = deal.context
    if context.state.get("g"):
        return [Prompt(context.say("turned-up"), ((Choice("unseen", context.say("turned-unseen")),),))]
    source = context.state.get("q")
    if source in (t.PAYOFF, t.PARTNER_PAYOFF) and deal.top(source) is None:
        return [Prompt(context.say("tap-payoff"), ())]
    prompts = [_onto_prompt(deal, source)] if source else []
    if deal.due:
        choices = tuple(Choice(f"draw:{count}", str(count), count == deal.drawn) for count in range(HAND_SIZE + 1))
        prompts.append(Prompt(context.say("ask-draw", name=deal.mover, count=deal.due), (choices,)))
    movers = tuple(Choice(f"who:{place}", name, name == deal.mover) for place, name in enumerate(deal.players))
    return [*prompts, _other_prompt(deal), Prompt(context.say("ask-who"), (movers,))]


def _onto_prompt(deal: Deal, source: str) -> Prompt:
    """Return where the card may go: onto the centre, or from the hand onto a side stack; forbidden targets marked."""
    context = deal.context
    turned = t.UNKNOWN_CARD if source[0] in (t.PAYOFF, t.PARTNER_PAYOFF) else ""
    plays = [
        (letter, context.say("onto-centre", number=place + 1, card=_rank_term(_shown_rank(deal.rules, stack))))
        for place, (letter, stack) in enumerate(zip(t.TARGETS, deal.table.centre, strict=False))
    ]
    plays.append((t.NEW, context.say("onto-centre-new")))
    named = deal.named(source)
    groups = [tuple(_choice(deal, named + letter + turned, f"onto:{letter}", label) for letter, label in plays)]
    if source[0] not in t.PILES:
        sides = [
            (t.SIDES[place], str(place), context.say("onto-side", number=place + 1, card=_rank_term(stack[-1])))
            for place, stack in enumerate(deal.seat.sides)
            if stack
        ]
        if sum(map(bool, deal.seat.sides)) < SIDE_PLACES:
            sides.append(("N", t.NEW, context.say("onto-side-new")))
        groups.append(tuple(_choice(deal, f"s{source}{at}", f"onto:{word}", label) for word, at, label in sides))
    move = t.parse_move(named + t.NEW + turned, deal.players, deal.rules).move
    card = move.card if isinstance(move, n.Play) else None
    return Prompt(context.say("ask-onto", card=_rank_term(card)), tuple(groups))


def _choice(deal: Deal, body: str, do: str, label: Text) -> Choice:
    """Return the button of one move, marked if the rules forbid it or leave it open."""
    verdict = deal.judge(body)
    tone = _TONES.get(verdict.value, "") if verdict else ""
    note = deal.context.say(f"may-{verdict.value}") if verdict and tone else ""
    return Choice(do, label, tone=tone, note=note)


def _other_prompt(deal: Deal) -> Prompt:
    """Return what else may be done: drawing five, ending the turn, recycling, the end of the deal."""
    rules, table, bodies = deal.rules, deal.table, []
    done = sum(map(table.is_complete, table.centre))
    if not deal.due and table.stock and (deal.seat.hand_count == 0 or table.draws_last):
        bodies.append(f"r{min(HAND_SIZE - deal.seat.hand_count, table.stock)}")
    bodies.append("e")
    if rules.replenished and table.stock <= _LOW_STOCK:
        by_player = rules.recycle_by == "anyone"
        bodies += ["m" if by_player else "k"] if done or table.aside else []
        bodies += ["o" if by_player else "l"] if len(table.centre) > done else []
    if rules.redealt and table.idle >= len(deal.players):
        bodies += [f"u{place}" for place in range(len(deal.players))]
    if rules.abandoned:
        bodies.append("y")
    if deal.seat.payoff_left <= 1:
        bodies.append(f"w{deal.players.index(deal.mover)}")
    choices = (_choice(deal, body, f"move:{body}", _other_label(deal, body)) for body in bodies)
    return Prompt(deal.context.say("ask-other"), (tuple(choices),))


def _other_label(deal: Deal, body: str) -> Text:
    move = t.parse_move(body, deal.players).move
    if isinstance(move, n.Recycle):
        return deal.context.say(f"stuck-recycle-{move.what}")
    if isinstance(move, n.Redeal):
        return deal.context.say("redeal-first", name=move.first)
    plain = n.plain(move)
    return deal.context.say(f"other-{plain['type']}", count=plain.get("count", 0))


def _shown_rank(rules: SpiteRules, stack: Stack) -> Card | None:
    """Return the rank that a centre stack shows, or None if nobody knows it."""
    return None if stack.top is None else Card(n.rank_name(rules, stack.top))


# What is on the table, and what is said of it


def _heaps(deal: Deal) -> list[Heap]:
    """Return the centre, the piles of the mover and a partner with their tops to be tapped, and everybody else's."""
    context, table = deal.context, deal.table
    centre = [
        Face(_shown_rank(deal.rules, stack) or UNKNOWN_CARD, mark=str(place + 1))
        for place, stack in enumerate(table.centre)
    ]
    note = context.say("centre-counts", stock=table.stock, aside=len(table.aside))
    heaps = [Heap(context.say("centre-stacks"), tuple(centre), note)]
    heaps += _own_heaps(deal, deal.mover, t.PAYOFF, t.SIDES)
    partner = table.partner_of(deal.mover)
    if partner:
        heaps += _own_heaps(deal, partner, t.PARTNER_PAYOFF, t.PARTNER_SIDES)
    for name in deal.players:
        if name not in (deal.mover, partner):
            seat = table.seats[name]
            tops = [*([seat.payoff] if seat.payoff else []), *(stack[-1] for stack in seat.sides if stack)]
            label = context.say("others-piles", name=name)
            heaps.append(Heap(label, tuple(Face(top) for top in tops), _counts(context, seat)))
    return heaps


def _own_heaps(deal: Deal, name: str, payoff: str, sides: str) -> list[Heap]:
    """Return the pay-off pile and the side stacks of one player, whose tops can be played."""
    context, seat = deal.context, deal.table.seats[name]
    chosen = context.state.get("q")[:1]

    def top(card: Card | None, source: str) -> Face:
        on = chosen == source
        do = "" if deal.table.over else f"from:{source}"
        return Face(card or UNKNOWN_CARD, do, pressed=on, tone="chosen" if on else "")

    heaps = []
    if seat.payoff_left:
        heaps.append(Heap(context.say("payoff-of", name=name), (top(seat.payoff, payoff),), _counts(context, seat)))
    for place, stack in enumerate(seat.sides):
        if stack:
            under = tuple(Face(card) for card in stack[:-1])
            label = context.say("side-of", name=name, number=place + 1)
            heaps.append(Heap(label, (*under, top(stack[-1], sides[place])), context.say("bottom-first")))
    return heaps


def _counts(context: Context, seat: Seat) -> Text:
    return context.say("pile-counts", left=seat.payoff_left, hand=seat.hand_count)


def _last_move(deal: Deal) -> list[AnswerSection]:
    """Return what can be said of the last move; before the first one, of who starts."""
    context, judged = deal.context, deal.run.verdicts[-1]
    verdict = judged.verdict
    if not deal.moves:
        heading = context.say("starts", name=deal.first)
        return (
            [] if verdict.value == UNDECIDED else [AnswerSection(heading, verdict.value, reasons=reasons_of(verdict))]
        )
    move = _move_message(context, deal.moves[-1].move)
    heading = context.say(f"did-{verdict.value}", name=judged.move["seat"], move=move)
    texts = (context.say("undo-if-taken-back"),) if verdict.value == ILLEGAL else ()
    reasons = reasons_of(verdict, remedy_for)
    return [AnswerSection(heading, verdict.value, texts=texts, reasons=reasons, verdict=verdict)]


def _turns_grid(deal: Deal) -> Grid:
    """Return the turns with the verdicts on their moves, the latest first."""
    context, rows = deal.context, []
    judged = iter(deal.run.verdicts[1:])
    for number, turn in enumerate(deal.turns, start=1):
        part = [(one, next(judged)) for one in turn]
        texts = [Joined((verdict_sign(verdict), _move_message(context, one.move))) for one, verdict in part]
        rows.append((str(number), part[0][1].move["seat"], joined_texts(texts, " · ")))
    heads = tuple(context.say(f"head-{name}") for name in ("turn", "who", "plays"))
    return Grid(context.say("turns"), heads, tuple(reversed(rows)))


def _result(deal: Deal, result: Result) -> AnswerSection:
    """Return the deal as a sheet takes it, and what it scores."""
    context, sides = deal.context, sides_of(deal.table)
    winners = [side for side in sides if side["id"] == result["winner"]]
    texts = [context.say("went-out", name=team_name(side["players"])) for side in winners]
    texts += [context.say("left-over", name=name, count=count) for name, count in result["remaining"].items()]
    return AnswerSection(context.say("result"), texts=tuple(texts), reasons=(Scoring(tuple(sides), result),))


def _sheet_answers(deal: Deal, result: Result) -> Mapping[str, object]:
    """Return the winner and the cards left as the sheet asks for them."""
    ids = dict(zip(deal.context.names, deal.context.seat_ids, strict=True))
    remaining = {ids.get(name, name): count for name, count in result["remaining"].items()}
    return entered({**result, "remaining": remaining}, [side["id"] for side in sides_of(deal.table)])


QUESTIONS: Final[Mapping[str, Question]] = {
    "stack": scene(
        ("s",), _stack_page, act=lambda context, *act: _tapped(context, (_stack_zone(context),), *act)
    ),
    "moves": scene(
        ("to", "chance", "used", "f", "g", "h", "y", "c", *_SIDES, "py", "ps"), _moves_page,
        flags=_PHASE, act=_moves_act,
    ),
    "start": Question(("to", "x", *(f"p{place}" for place in range(n.MOST_PLAYERS))), _start_act, _start_page),
    "stuck": scene(("idle", *_STUCK_COUNTS), _stuck_page, flags=(_IDLE,)),
    "deal": Question(_DEAL_STATE, _deal_act, _deal_page, _MAX_STATE),
    "dealt": scene(COUNTS, _dealt_page),
}  # fmt: skip
