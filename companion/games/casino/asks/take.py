"""What can this card take? Every capture, the largest, and what an opponent may demand of an announced one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Citation,
    Context,
    Grid,
    Page,
    Prompt,
    Question,
    Reason,
    State,
    card_term,
    faces,
    read_cards,
    reasons_of,
)
from companion.engine.problems import JsonObject, Node
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED
from companion.games.casino.asks.laying import TABLE_STATE, YES_NO, Laid, act_on_table, heaps_of, toggled
from companion.games.casino.choices import list_moves
from companion.games.casino.deal import judge
from companion.games.casino.demand import answer_demand
from companion.games.casino.layout import names
from companion.games.casino.plays import BUILD, CAPTURE, TRAIL
from companion.games.casino.table import hand_values

MAX_ROWS: Final = 12
DONE: Final = {"c": CAPTURE, "b": BUILD, "t": TRAIL}
"""What was done with the card, by its letter in the address."""


def act(context: Context, verb: str, word: str) -> State:
    """Return the state after an action on the table, another hand card, or another announcement."""
    state = context.state
    laid = act_on_table(context, verb, word)
    if laid is not None:
        return laid
    card = next(iter(read_cards([word])), None)
    if verb == "card" and card:
        return state.put(c=str(card), **{"as": None})
    if verb == "mark" and card:
        return state.toggle_card("m", card)
    if verb == "as" and word.isdecimal():
        return state.put(**{"as": word[:2]})
    if verb == "by" and word.isdecimal() and len(word) == 1:
        return state.put(by=word)
    if verb == "acted" and word in YES_NO:
        return state.put(acted="y" if word == "y" else None)
    if verb == "did" and word in DONE:
        return state.put(did=None if word == "c" else word)
    if verb == "named":
        return state.put(k=".".join(toggled(state.words("k"), word[:3])))
    return state


def page(context: Context) -> Page:
    """Return the table to be laid out, then what the hand card takes, then the verdict on what is announced."""
    laid, say = Laid(context), context.say
    if not laid.ready:
        return laid.page(Choice("step:ask", say("ask-now")))
    card = _card(laid)
    marked = tuple(one for one in context.state.cards("m") if one in laid.loose)
    named = tuple(build.id for build in laid.builds if build.id in context.state.words("k"))
    heaps = heaps_of(context, laid.loose, laid.builds, laid.hand, marked=marked, chosen=card, named=named)
    tools = (Choice("step:lay", say("change-table")),)
    if card is None:
        return Page(say("tap-hand-card"), heaps=heaps, tools=tools)
    request: dict[str, object] = {"position": laid.position(), "card": str(card)}
    values = hand_values(laid.rules, card)
    prompts = []
    if len(values) > 1:
        chosen = context.state.number("as")
        declared = chosen if chosen in values else values[-1]
        choices = tuple(Choice(f"as:{value}", str(value), value == declared) for value in values)
        prompts.append(Prompt(say("ask-as", card=card_term(card)), (choices,)))
        request["as"] = declared
    takes = list_moves(laid.rules, Node(request))
    most = takes["maximum"]
    answers, tables = _takes(context, card, takes)
    bar, value = say("takes-most", card=card_term(card), count=most["cards"]), ""
    if most["cards"] or most["builds"]:
        value = LEGAL
    done = DONE.get(context.state.get("did"), CAPTURE)
    if marked or named or done != CAPTURE:
        if done == CAPTURE:
            announced = _announced(laid, request, marked, named)
        else:
            announced = _demanded(laid, {**request, "play": done}, ())
        answers = (announced, *answers)
        bar, value = announced.heading, announced.value  # type: ignore[assignment]
    return Page(
        bar, value, asks=tuple(prompts), later=_demand_prompts(laid), heaps=heaps, answers=answers, tables=tables,
        tools=tools,
    )  # fmt: skip


QUESTION: Final = Question((*TABLE_STATE, "c", "as", "m", "k", "did", "by", "acted"), act, page)


def _card(laid: Laid) -> Card | None:
    """Return the card that is played: the one tapped, or the only one."""
    chosen = next(iter(laid.context.state.cards("c")), None)
    if chosen in laid.hand:
        return chosen
    return laid.hand[0] if len(laid.hand) == 1 else None


def _takes(context: Context, card: Card, takes: JsonObject) -> tuple[tuple[AnswerSection, ...], tuple[Grid, ...]]:
    """Return the largest capture, all complete captures, and the sets that can be taken each by itself."""
    say, most = context.say, takes["maximum"]
    if not most["table"] and not most["builds"]:
        return (AnswerSection(say("takes-nothing", card=card_term(card))),), ()
    texts = (say("with-builds", builds=most["builds"]),) if most["builds"] else ()
    answer = AnswerSection(say("largest", count=most["cards"]), LEGAL, faces(read_cards(most["table"])), texts)
    tables = []
    for name, rows in (("captures", takes["captures"]), ("minimal", takes["minimal_sets"])):
        if rows:
            shown = tuple((str(len(one)), faces(read_cards(one))) for one in rows[:MAX_ROWS])
            caption = say(f"{name}-all", count=len(rows), more=max(len(rows) - MAX_ROWS, 0))
            tables.append(Grid(caption, (say("head-count"), say("head-cards")), shown))
    return (answer,), tuple(tables)


def _announced(
    laid: Laid, request: Mapping[str, object], marked: tuple[Card, ...], named: tuple[str, ...]
) -> AnswerSection:
    """Return the verdict on the announced capture, and what may be demanded beyond it."""
    taken = {"table": names(marked), "builds": list(named)}
    play = {"play": CAPTURE, "card": request["card"], **taken} | ({"as": request["as"]} if "as" in request else {})
    move = {"type": "turn", "plays": [play]}
    verdict = judge(laid.rules, Node(request["position"], ("position",)), Node(move, ("move",)))
    if verdict.value != LEGAL:
        heading = laid.context.say(f"announced-{verdict.value}")
        return AnswerSection(heading, verdict.value, faces(marked), reasons=reasons_of(verdict))
    return _demanded(laid, {**request, **taken}, marked, reasons_of(verdict))


def _demanded(
    laid: Laid, question: Mapping[str, object], marked: tuple[Card, ...], allowed: tuple[Reason, ...] = ()
) -> AnswerSection:
    """Return what may be demanded beyond what was done with the card, by whom it was asked, and when."""
    context, say = laid.context, laid.context.say
    asked = {**question, "by": laid.seats[_demander(laid)], "acted": context.state.get("acted") == "y"}
    demand = answer_demand(laid.rules, Node(asked))
    why = tuple(Citation("", article) for article in demand["articles"])
    captured = question.get("play", CAPTURE) == CAPTURE
    if not demand["may_demand"]:
        heading = say("announced-complete" if demand["complete"] else "announced-stands")
        if not captured:
            heading = say("demand-not")
        return AnswerSection(heading, LEGAL if captured else ILLEGAL, faces(marked), reasons=(*allowed, *why))
    must = demand["must_take"]
    texts = (say("with-builds", builds=must["builds"]),) if must["builds"] else ()
    heading = say("announced-short" if captured else "demand-may")
    return AnswerSection(heading, UNDECIDED, faces(read_cards(must["table"])), texts, reasons=why)


def _demander(laid: Laid) -> int:
    """Return the index of the seat that demands: the next player unless another was named."""
    return laid.context.state.number("by", low=1, high=len(laid.seats) - 1) or 1


def _demand_prompts(laid: Laid) -> tuple[Prompt, ...]:
    """Return what was done with the card, who demands, and whether it is too late."""
    context, say = laid.context, laid.context.say
    now = context.state.get("did") or "c"
    done = tuple(Choice(f"did:{letter}", say(f"kind-{kind}"), letter == now) for letter, kind in DONE.items())
    prompts = [Prompt(say("ask-did"), (done,))]
    if len(laid.seats) > 2:
        others = enumerate(laid.seats[1:], start=1)
        choices = tuple(Choice(f"by:{place}", name, place == _demander(laid)) for place, name in others)
        prompts.append(Prompt(say("ask-by"), (choices,)))
    acted = context.state.get("acted") or "n"
    answers = tuple(Choice(f"acted:{word}", say(f"answer-{word}"), word == acted) for word in YES_NO)
    return (*prompts, Prompt(say("ask-acted"), (answers,)))
