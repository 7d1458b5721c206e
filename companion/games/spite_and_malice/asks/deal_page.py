"""A whole deal followed move by move: every pile as it is, every verdict, what shows later, the result to score."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    UNKNOWN_CARD,
    AnswerSection,
    Choice,
    Context,
    Face,
    Grid,
    Heap,
    Joined,
    Page,
    Picker,
    Prompt,
    Scoring,
    State,
    Text,
    Zone,
    active_zone,
    finding_reason,
    joined_texts,
    reasons_of,
    verdict_sign,
)
from companion.engine.ledger import team_name
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import notation as t
from companion.games.spite_and_malice.asks.common import (
    add_card,
    drop_card,
    move_message,
    rank_picker,
    rank_term,
    read_rank,
    zone_heap,
)
from companion.games.spite_and_malice.asks.deal import Deal
from companion.games.spite_and_malice.position import rank_name
from companion.games.spite_and_malice.replay import (
    Result,
    result_of,
    sides_of,
)
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES
from companion.games.spite_and_malice.table import Seat, Stack

_LOW_STOCK: Final = 20
"""Cards in the stock up to which recycling is offered: no table does so earlier."""
_TONES: Final = {ILLEGAL: "odd", UNDECIDED: "open"}


def deal_act(context: Context, verb: str, word: str) -> State:
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
    if verb == "tap" and (card := read_rank(word)):
        letter = t.rank_letter(card)
        if target:
            return deal.with_move(source + target + letter)
        waits = source in (t.PAYOFF, t.PARTNER_PAYOFF)
        return state.put(q=source + letter if waits and deal.top(source) is None else letter, g=None)
    if verb == "from" and word in tuple(t.PILES):
        return state.put(q=word, g=None)
    if verb == "onto" and source and len(word) == 1:
        return _onto(deal, source, word)
    if verb == "unseen" and target:
        return deal.with_move(source + target + t.UNKNOWN)
    return deal.with_move(word) if verb == "move" and word else state


def deal_page(context: Context) -> Page:
    """Return the first cards to be entered; then the table after the last move, judged, and what can be done next."""
    deal = Deal(context)
    if not deal.ready:
        return _first_cards(deal)
    run, over = deal.run, deal.table.over
    answers = list(_last_move(deal))
    findings = tuple(finding_reason(finding) for finding in run.findings)
    if findings:
        answers.append(AnswerSection(context.say("found-so-far"), ILLEGAL, reasons=findings))
    elif over:
        answers.append(AnswerSection(context.say("no-findings"), LEGAL))
    result = result_of(deal.table)
    if result is not None:
        answers.append(_result(deal, result))
    bar: Text = context.say("deal-done" if over else "turn-of", name=deal.mover)
    if context.state.get("g"):
        bar = context.say("turned-up")
    if findings:
        bar = Joined((bar, context.say("deal-found", count=len(findings))))
    later = [] if over else _move_prompts(deal)
    if not deal.moves:
        starters = tuple(Choice(f"first:{at}", name, name == deal.first) for at, name in enumerate(deal.players))
        later.append(Prompt(context.say("ask-begins"), (starters,)))
    return Page(
        bar,
        ILLEGAL if findings else LEGAL if over else "",
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
    if verb == "to" and word in {zone.name for zone in zones}:
        return state.put(to=word)
    if verb == "drop":
        return drop_card(state, zones, word)
    if verb != "tap":
        return state
    state = add_card(state, zones, word)
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
    return deal.with_move(deal.named(source) + target + t.UNKNOWN)


# What can be done next


def _first_cards(deal: Deal) -> Page:
    context, zones = deal.context, deal.zones
    heaps = tuple(zone_heap(context, zone) for zone in zones if context.state.get(zone.name))
    tools = [] if deal.lacks("l") else [Choice("begin", context.say("begin"))]
    tools += [Choice("back", context.say("back"))] if heaps else []
    bar = context.say("tap-for", name=active_zone(context.state, zones).label)
    return Page(bar, heaps=heaps, picker=rank_picker(context, zones), tools=tuple(tools))


def _hand_picker(deal: Deal) -> Picker:
    """Return all ranks: a card from the hand, or the card turned up."""
    context = deal.context
    turned, source = context.state.get("g"), context.state.get("q")
    label = context.say("turned-up") if turned else context.say("hand-card-of", name=deal.mover)

    def look(face: Face) -> Face:
        on = not turned and source == t.rank_letter(face.card)
        return replace(face, pressed=True, tone="chosen", mark="✓") if on else face

    return rank_picker(context, (Zone("", label, 1),), look=look)


def _move_prompts(deal: Deal) -> list[Prompt]:
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
    turned = t.UNKNOWN if source[0] in (t.PAYOFF, t.PARTNER_PAYOFF) else ""
    plays: list[tuple[str, Text]] = [
        (letter, context.say("onto-centre", number=place + 1, card=rank_term(_top(stack))))
        for place, (letter, stack) in enumerate(zip(t.TARGETS, deal.table.centre, strict=False))
    ]
    plays.append((t.NEW, context.say("onto-centre-new")))
    named = deal.named(source)
    groups = [tuple(_choice(deal, named + letter + turned, f"onto:{letter}", label) for letter, label in plays)]
    if source[0] not in t.PILES:
        sides: list[tuple[str, str, Text]] = [
            (t.SIDES[place], str(place), context.say("onto-side", number=place + 1, card=rank_term(stack[-1])))
            for place, stack in enumerate(deal.seat.sides)
            if stack
        ]
        if sum(map(bool, deal.seat.sides)) < SIDE_PLACES:
            sides.append(("N", t.NEW, context.say("onto-side-new")))
        groups.append(tuple(_choice(deal, f"s{source}{at}", f"onto:{word}", label) for word, at, label in sides))
    move = t.parse_move(named + t.NEW + turned, deal.players).move
    card = move.card if isinstance(move, n.Play) else None
    return Prompt(context.say("ask-onto", card=rank_term(card)), tuple(groups))


def _choice(deal: Deal, body: str, do: str, label: Text) -> Choice:
    """Return the button of one move, marked if the rules forbid it or leave it open."""
    verdict = deal.judge(body)
    tone = _TONES.get(verdict.value, "") if verdict else ""
    note: Text = deal.context.say(f"may-{verdict.value}") if verdict and tone else ""
    return Choice(do, label, tone=tone, note=note)


def _other_prompt(deal: Deal) -> Prompt:
    """Return what else may be done: drawing five, ending the turn, recycling, the end of the deal."""
    rules, table, bodies = deal.rules, deal.table, []
    done = sum(stack.top == rules.top for stack in table.centre)
    if not deal.due and deal.seat.hand_count == 0 and table.stock:
        bodies.append(f"r{min(HAND_SIZE, table.stock)}")
    bodies.append("e")
    if rules.recycle_source != "none" and table.stock <= _LOW_STOCK:
        by_player = rules.recycle_by == "anyone"
        bodies += ["m" if by_player else "k"] if done or table.aside else []
        bodies += ["o" if by_player else "l"] if len(table.centre) > done else []
    idle = list(table.turns)[-len(deal.players) :]
    if rules.deadlock == "second_chance_redeal" and len(idle) == len(deal.players):
        bodies += [] if any(turn.acted for turn in idle) else [f"u{place}" for place in range(len(deal.players))]
    if {"draw", "compare"} & {rules.deadlock, rules.stock_out}:
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
    return deal.context.say(f"other-{str(plain['type']).replace('_', '-')}", count=plain.get("count", 0))


def _top(stack: Stack) -> Card | None:
    """Return the rank that a centre stack shows, or None if nobody knows it."""
    return None if stack.top is None else Card(rank_name(stack.top))


# What is on the table, and what is said of it


def _heaps(deal: Deal) -> list[Heap]:
    """Return the centre, the piles of the mover and a partner with their tops to be tapped, and everybody else's."""
    context, table = deal.context, deal.table
    centre = [Face(_top(stack) or UNKNOWN_CARD, mark=str(place + 1)) for place, stack in enumerate(table.centre)]
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
    move = move_message(context, deal.moves[-1].move)
    heading = context.say(f"did-{verdict.value}", name=judged.move["seat"], move=move)
    texts = (context.say("undo-if-taken-back"),) if verdict.value == ILLEGAL else ()
    return [AnswerSection(heading, verdict.value, texts=texts, reasons=reasons_of(verdict))]


def _turns_grid(deal: Deal) -> Grid:
    """Return the turns with the verdicts on their moves, the latest first."""
    context, rows = deal.context, []
    judged = iter(deal.run.verdicts[1:])
    for number, turn in enumerate(deal.turns, start=1):
        part = [(one, next(judged)) for one in turn]
        texts = [Joined((verdict_sign(verdict), move_message(context, one.move))) for one, verdict in part]
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


def _sheet_answers(deal: Deal, result: Result) -> dict[str, object]:
    """Return the winner and the cards left as the sheet asks for them."""
    ids = dict(zip(deal.context.names, deal.context.seat_ids, strict=True))
    places = {side["id"]: place for place, side in enumerate(sides_of(deal.table))}
    remaining = {f"r{ids.get(name, name)}": count for name, count in result["remaining"].items()}
    return {"w": places.get(result["winner"] or "", "-"), **remaining}
