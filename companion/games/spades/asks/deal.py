"""The question about a whole deal, card by card: whose turn it is, the tricks, what later cards show, the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Context,
    Face,
    Grid,
    Page,
    Picker,
    Prompt,
    Question,
    Reason,
    Scoring,
    Slot,
    State,
    Text,
    card_picker,
    card_term,
    faces,
    joined_texts,
    reasons_of,
)
from companion.engine.ledger import team_name
from companion.engine.verdict import ILLEGAL, LEGAL
from companion.games.spades.asks.bidding import (
    bids_of,
    call_action,
    call_chips,
    call_options,
    call_prompt,
    caller_prompt,
    caller_text,
    judged_calls,
    looked_prompts,
    totals_of,
)
from companion.games.spades.asks.seats import dealer_of, dealer_prompt, ranks_of, seat_name, table_of
from companion.games.spades.calls import Bids
from companion.games.spades.notation import format_play, parse_play, parse_plays
from companion.games.spades.play import opening_leaders
from companion.games.spades.replay import Replay, follow
from companion.games.spades.table import Played, Record, Table, pack_of
from companion.games.spades.tricks import next_to_play

_NO_CALLS: Final = "-"


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of the state: its calls, then its plays."""

    table: Table
    bids: Bids
    without_calls: bool
    leader: str | None
    """Who leads first: as entered, else by the rules."""
    plays: tuple[Played, ...]

    @property
    def playing(self) -> bool:
        """Whether the bidding is over, or left out."""
        return self.without_calls or self.bids.over

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == self.table.rules.tricks * len(self.table.seats)

    @property
    def next(self) -> str:
        """Whose turn it is."""
        return next_to_play(self.table, self.plays, self.leader) or self.table.seats[0]

    def mover(self, context: Context) -> str:
        """Return who plays next: whose turn it is, unless another was named."""
        named = context.state.number("w", high=len(self.table.seats) - 1)
        return self.next if named is None else self.table.seats[named]


def deal_act(context: Context, verb: str, word: str) -> State:
    """Return the state after a card, a call, one of either taken back, another dealer or leader, or no calls at all."""
    state, deal = context.state, _deal_of(context)
    seats = deal.table.seats
    if verb == "tap":
        read = parse_play(word)
        left = pack_of(context.rules).cards - {one.card for one in deal.plays}
        if read is None or read[0] not in left or deal.over or not deal.playing:
            return state
        play = format_play(read[0], state.number("w", high=len(seats) - 1))
        return state.put(p=".".join((*state.words("p"), play)), w=None)
    if verb == "who" and deal.playing:
        if word.isdecimal() and int(word[:1]) < len(seats):
            return state.put(w=None if seats[int(word[:1])] == deal.next else word[:1])
        return state
    if verb == "skip":
        return state.put(c=_NO_CALLS)
    if verb == "back":
        return state.put(w=None) if state.get("w") else state.without_last("p" if deal.plays else "c")
    if verb in ("dealer", "leader"):
        return state.put(**{verb[0]: word}) if word.isdecimal() and len(word) == 1 else state
    if verb == "call" and deal.playing:
        return state
    return call_action(context, deal.bids, verb, word) or state


def deal_page(context: Context) -> Page:
    """Return the trick on the table, whose turn it is, what was found so far, the tricks and the result."""
    deal = _deal_of(context)
    if not deal.playing:
        return _bidding_page(context, deal)
    replay = follow(_record(context, deal))
    answers = _last_play(context, replay)
    findings = tuple(Reason(finding) for finding in replay.findings)
    if findings:
        answers.append(AnswerSection(context.say("findings"), ILLEGAL, reasons=findings))
    elif deal.over:
        answers.append(AnswerSection(context.say("no-findings"), LEGAL))
    if replay.facts is not None:
        answers.append(_result(context, deal, replay))
    bar: Text = context.say("deal-next", name=seat_name(deal.mover(context)))
    if deal.over:
        bar = context.say("deal-over")
    if findings:
        bar = joined_texts((bar, context.say("deal-found", count=len(findings))))
    begun = deal.plays or deal.bids.calls or deal.without_calls
    return Page(
        bar,
        ILLEGAL if findings else LEGAL if deal.over else "",
        said=() if deal.without_calls else call_chips(context, deal.bids),
        asks=() if deal.plays else (dealer_prompt(context, deal.table), _leader_prompt(context, deal)),
        later=() if deal.over else (_mover_prompt(context, deal),),
        slots=_slots(context, deal, replay),
        picker=None if deal.over else _picker(context, deal),
        answers=tuple(answers),
        tables=_tricks(context, replay),
        tools=(Choice("back", context.say("back")),) if begun else (),
        facts=replay.result,
        sheet_answers=_sheet_answers(context, replay),
    )  # fmt: skip


def _deal_of(context: Context) -> Deal:
    state = context.state
    table = table_of(context, dealer_of(context))
    bids, without_calls = bids_of(context, table), state.get("c") == _NO_CALLS
    chosen = state.number("l")
    if chosen is not None:
        leader: str | None = table.seats[chosen % len(table.seats)]
    else:
        leader = next(iter(opening_leaders(table, None if without_calls else bids.calls)), None)
    return Deal(table, bids, without_calls, leader, parse_plays(table, state.words("p"), leader))


def _record(context: Context, deal: Deal) -> Record:
    leader = deal.leader if context.state.get("l") else None
    if deal.without_calls:
        return Record(deal.table, None, (), False, deal.plays, leader)
    return Record(deal.table, totals_of(context, deal.table), deal.bids.calls, True, deal.plays, leader)


def _bidding_page(context: Context, deal: Deal) -> Page:
    bids = deal.bids
    asks = [] if bids.calls else [dealer_prompt(context, deal.table)]
    asks += looked_prompts(context, bids)
    asks.append(call_prompt(context, bids, call_options(context, bids)))
    tools = [Choice("back", context.say("back"))] if bids.calls else []
    tools.append(Choice("skip", context.say("skip-calls")))
    answers = tuple(
        AnswerSection("", verdict.value, reasons=reasons_of(verdict))
        for _, verdict in judged_calls(context, bids)
        if verdict.value != LEGAL
    )
    return Page(
        context.say("call-start", name=caller_text(context, bids)), said=call_chips(context, bids), asks=tuple(asks),
        later=(caller_prompt(context, bids),), answers=answers, tools=tuple(tools),
    )  # fmt: skip


def _leader_prompt(context: Context, deal: Deal) -> Prompt:
    choices = tuple(
        Choice(f"leader:{place}", seat_name(seat), seat == deal.leader) for place, seat in enumerate(deal.table.seats)
    )
    return Prompt(context.say("ask-leader"), (choices,))


def _mover_prompt(context: Context, deal: Deal) -> Prompt:
    """Return the question who plays the next card, should it be somebody who is not in turn."""
    mover = deal.mover(context)
    choices = tuple(
        Choice(f"who:{place}", seat_name(seat), seat == mover) for place, seat in enumerate(deal.table.seats)
    )
    return Prompt(context.say("ask-who"), (choices,))


def _picker(context: Context, deal: Deal) -> Picker:
    """Return the pack; cards that were played show their trick and cannot be tapped."""
    size = len(deal.table.seats)
    gone = {play.card: place // size + 1 for place, play in enumerate(deal.plays)}

    def look(card: Card, zone: str) -> Mapping[str, object]:
        if card not in gone:
            return {}
        return {"do": "", "tone": "gone", "mark": str(gone[card]), "note": context.say("played-in", trick=gone[card])}

    return card_picker(context.state, (), pack_of(context.rules).cards, ranks=ranks_of(context.rules), look=look)


def _slots(context: Context, deal: Deal, replay: Replay) -> tuple[Slot, ...]:
    """Return the trick on the table in the order of the seats, the last full one until the next begins."""
    seats = deal.table.seats
    last = replay.tricks[-1] if deal.plays else None
    on_table = {one.seat: one.card for one in last.plays} if last else {}
    leader = last.plays[0].seat if last else deal.next
    slots = []
    for seat in (leader, *deal.table.after(leader)[:-1]):
        face = Face(on_table[seat]) if seat in on_table else None
        next_here = not deal.over and seat == deal.mover(context)
        slots.append(Slot(seat_name(seat), face, next_here, last is not None and seat == last.winner))
    return tuple(slots[: len(seats)])


def _last_play(context: Context, replay: Replay) -> list[AnswerSection]:
    """Return what could be said of the last card when it was played."""
    if not replay.record.plays:
        return []
    play, verdict = replay.record.plays[-1], replay.verdicts[-1].verdict
    heading = context.say(f"play-{verdict.value}", name=seat_name(play.seat), card=card_term(play.card))
    return [AnswerSection(heading, verdict.value, faces([play.card]), reasons=reasons_of(verdict))]


def _tricks(context: Context, replay: Replay) -> tuple[Grid, ...]:
    """Return the full tricks, the latest first."""
    rows = tuple(
        (str(trick.number), seat_name(trick.plays[0].seat), faces(one.card for one in trick.plays), seat_name(winner))
        for trick in reversed(replay.tricks)
        if (winner := trick.winner) is not None
    )
    heads = tuple(context.say(f"head-{name}") for name in ("trick", "leader", "cards", "winner"))
    return (Grid(context.say("tricks"), heads, rows),) if rows else ()


def _result(context: Context, deal: Deal, replay: Replay) -> AnswerSection:
    """Return the deal as a sheet takes it; scored by itself where the calls are known."""
    facts = replay.facts or {}
    texts = tuple(
        context.say("took", name=team_name(side["players"]), tricks=facts[side["id"]]["tricks"])
        for side in replay.sides
    )
    return AnswerSection(
        context.say("result"),
        texts=texts,
        reasons=() if deal.without_calls else (Scoring(replay.sides, replay.result or {}),),
    )


def _sheet_answers(context: Context, replay: Replay) -> dict[str, object]:
    """Return the tricks as answers of the keeper's entry."""
    ids = dict(zip(context.names, context.seat_ids, strict=True))
    answers: dict[str, object] = {}
    for place, side in enumerate(replay.sides):
        facts = (replay.facts or {}).get(side["id"])
        if facts is not None:
            answers[f"t{place}"] = facts["tricks"]
            answers |= {f"n{ids.get(nil['player'], '')}": nil["tricks"] for nil in facts.get("nils", ())}
    return answers


DEAL: Final = Question(("d", "l", "c", "p", "w"), deal_act, deal_page)
