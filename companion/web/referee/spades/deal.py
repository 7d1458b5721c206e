"""A whole deal followed card by card: whose turn it is, the tricks, what later cards show, the result to score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import face, faces, reason, reasons
from companion.web.referee.picking import Look, picker, without_last
from companion.web.referee.scoring import score_lines, to_sheet
from companion.web.referee.shown import ILLEGAL, LEGAL, Answer, Ask, Choice, Page, Slot, Table
from companion.web.referee.spades.calling import (
    add_call,
    call_ask,
    called,
    caller,
    look,
    looked_ask,
    name_caller,
    options,
    who_ask,
)
from companion.web.referee.spades.following import NO_CALLS, Deal, deal_of
from companion.web.referee.spades.table import JOKER_WORDS, pack_cards, ranks_of, seat_name
from companion.web.referee.state import State, read_cards


def act(asking: Asking, verb: str, word: str) -> State:
    """A card played, a call, one of either taken back, the dealer, the leader, no calls at all."""
    state, deal = asking.state, deal_of(asking)
    if verb == "tap":
        card = next(iter(read_cards([word], jokers=JOKER_WORDS)), None)
        fits = card in pack_cards(asking.rules) and card not in deal.cards and not deal.over
        if not (card and fits and deal.playing):
            return state
        who = state.get("w")
        return state.put(p=".".join((*state.words("p"), f"{card}-{who}" if who else str(card))), w=None)
    if verb == "who" and not deal.playing:
        return name_caller(deal.at, word)
    if verb == "who" and word.isdecimal() and int(word[:1]) < len(deal.at.table.seats):
        return state.put(w=None if deal.at.table.seats[int(word[:1])] == deal.next else word[:1])
    if verb == "call":
        return add_call(deal.at, word) if not deal.playing else state
    if verb == "looked":
        return look(state, word)
    if verb == "skip":
        return state.put(c=NO_CALLS)
    if verb == "back":
        if state.get("w"):
            return state.put(w=None)
        return without_last(state, "p" if deal.plays else "c")
    if verb in ("dealer", "leader") and word.isdecimal() and len(word) == 1:
        return state.put(**{verb[0]: word})
    return state


def page(asking: Asking) -> Page:
    """The trick on the table, whose turn it is, what was found so far, the tricks, the result."""
    deal = deal_of(asking)
    if not deal.playing:
        return _bidding(asking, deal)
    request = deal.record()
    replayed = asking.game.replay(asking.rules, Node(request))  # type: ignore[misc]
    over = deal.over
    answers = list(_judged(asking, replayed))
    findings = tuple(reason(asking, finding) for finding in replayed["findings"])
    if findings:
        answers.append(Answer(asking.say("findings"), ILLEGAL, reasons=findings))
    elif over:
        answers.append(Answer(asking.say("no-findings"), LEGAL))
    tables, facts = _tables(asking, replayed), ""
    if replayed["result"] is not None:
        answers.append(_result(asking, deal, replayed))
        facts = json.dumps(replayed["result"], ensure_ascii=False)
    bar = asking.say("deal-over") if over else asking.say("deal-next", name=seat_name(asking, deal.mover))
    if findings:
        bar = f"{bar} {asking.say('deal-found', count=len(findings))}"
    asks = [] if deal.plays else [_dealer_ask(asking, deal), _leader_ask(asking, deal)]
    played, rules = _look(asking, deal), asking.rules
    return Page(
        bar,
        ILLEGAL if findings else LEGAL if over else "",
        said=() if deal.without_calls else called(deal.at),
        asks=tuple(asks),
        later=() if over else (_who_ask(asking, deal),),
        slots=_slots(asking, deal),
        picker=None if over else picker(asking, (), pack_cards(rules), ranks=ranks_of(rules), look=played),
        answers=tuple(answers),
        tables=tables,
        tools=(Choice("back", asking.say("back")),) if deal.cards or deal.at.calls or deal.without_calls else (),
        facts=facts,
        link=_to_sheet(asking, replayed) if facts else None,
    )  # fmt: skip


def _bidding(asking: Asking, deal: Deal) -> Page:
    at = deal.at
    asks = [] if at.calls else [_dealer_ask(asking, deal)]
    looked = looked_ask(at)
    asks += [looked] if looked else []
    asks.append(call_ask(at, options(at)))
    later = (who_ask(at),)
    tools = [Choice("back", asking.say("back"))] if at.calls else []
    tools.append(Choice("skip", asking.say("skip-calls")))
    answers = []
    for place, call in enumerate(at.calls):
        verdict = at.verdict(call, before=place)
        if verdict.value != LEGAL:
            answers.append(Answer("", verdict.value, reasons=reasons(asking, verdict)))
    return Page(
        asking.say("call-start", name=caller(at)), said=called(at), asks=tuple(asks), later=later,
        answers=tuple(answers), tools=tuple(tools),
    )  # fmt: skip


def _dealer_ask(asking: Asking, deal: Deal) -> Ask:
    table = deal.at.table
    choices = tuple(
        Choice(f"dealer:{place}", seat_name(asking, seat), seat == table.dealer)
        for place, seat in enumerate(table.seats)
        if seat in table.bidders
    )
    return Ask(asking.say("ask-dealer"), (choices,))


def _leader_ask(asking: Asking, deal: Deal) -> Ask:
    choices = tuple(
        Choice(f"leader:{place}", seat_name(asking, seat), seat == deal.leader)
        for place, seat in enumerate(deal.at.table.seats)
    )
    return Ask(asking.say("ask-leader"), (choices,))


def _look(asking: Asking, deal: Deal) -> Look:
    """Cards that were played cannot be played again."""
    gone = {card: number for number, card in enumerate(deal.cards)}
    size = len(deal.at.table.seats)

    def look(card: Card, zone: str) -> dict[str, object]:
        if card not in gone:
            return {}
        trick = gone[card] // size + 1
        return {"do": "", "tone": "gone", "mark": str(trick), "note": asking.say("played-in", trick=trick)}

    return look


def _slots(asking: Asking, deal: Deal) -> tuple[Slot, ...]:
    """The trick on the table in the order of the seats, the last full one until the next begins."""
    seats = deal.at.table.seats
    size = len(seats)
    open_cards = len(deal.plays) % size
    full = bool(deal.plays) and not open_cards
    trick = deal.plays[-(open_cards or size) :]
    leader = trick[0].seat if trick else deal.next
    on_table = {one.seat: one.card for one in trick}
    slots = []
    for place in range(size):
        seat = seats[(seats.index(leader) + place) % size]
        drawn = face(asking, on_table[seat]) if seat in on_table else None
        next_here = not deal.over and seat == deal.mover
        slots.append(Slot(seat_name(asking, seat), drawn, next=next_here, won=full and seat == deal.next))
    return tuple(slots)


def _who_ask(asking: Asking, deal: Deal) -> Ask:
    """Who plays the next card, should it be somebody who is not in turn."""
    choices = tuple(
        Choice(f"who:{place}", seat_name(asking, seat), seat == deal.mover)
        for place, seat in enumerate(deal.at.table.seats)
    )
    return Ask(asking.say("ask-who"), (choices,))


def _judged(asking: Asking, replayed: Mapping[str, Any]) -> list[Answer]:
    """What could be said of the last card when it was played."""
    judged = [one for one in replayed["verdicts"] if one.move["type"] == "play"]
    if not judged:
        return []
    last = judged[-1]
    told = {"name": seat_name(asking, last.move["seat"]), "card": asking.card(last.move["card"])}
    heading = asking.say(f"play-{last.verdict.value}", **told)
    drawn = faces(asking, read_cards([last.move["card"]], jokers=JOKER_WORDS))
    return [Answer(heading, last.verdict.value, drawn, reasons=reasons(asking, last.verdict))]


def _tables(asking: Asking, replayed: Mapping[str, Any]) -> tuple[Table, ...]:
    """The tricks, the latest first."""
    rows = []
    for number, trick in reversed(list(enumerate(replayed["tricks"], start=1))):
        if trick["winner"] is not None:
            cards = faces(asking, read_cards(trick["cards"], jokers=JOKER_WORDS))
            rows.append((str(number), seat_name(asking, trick["leader"]), cards, seat_name(asking, trick["winner"])))
    heads = tuple(asking.say(f"head-{name}") for name in ("trick", "leader", "cards", "winner"))
    return (Table(asking.say("tricks"), heads, tuple(rows)),) if rows else ()


def _result(asking: Asking, deal: Deal, replayed: Mapping[str, Any]) -> Answer:
    """The deal as a sheet takes it; scored by itself where the calls are known."""
    sides, result = replayed["sides"], replayed["result"]
    texts = []
    for side in sides:
        facts = result[side["id"]]
        told = {"name": " & ".join(side["players"]), "tricks": facts["tricks"]}
        texts.append(asking.say("took", **told))
    lines = () if deal.without_calls else score_lines(asking, sides, result)
    return Answer(asking.say("result"), "", texts=tuple(texts), reasons=lines)


def _to_sheet(asking: Asking, replayed: Mapping[str, Any]) -> tuple[str, str] | None:
    """The way to the sheet with the tricks filled in, where the question came from one."""
    ids = dict(zip(asking.names, asking.seat_ids, strict=True))
    answers: dict[str, object] = {}
    for place, side in enumerate(replayed["sides"]):
        facts = replayed["result"][side["id"]]
        answers[f"t{place}"] = facts["tricks"]
        answers |= {f"n{ids.get(nil['player'], '')}": nil["tricks"] for nil in facts.get("nils", ())}
    return to_sheet(asking, answers)


QUESTION = Question(("d", "l", "c", "p", "w"), act, page)
