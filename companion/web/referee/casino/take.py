"""What can this card take? Every capture, the largest, and what an opponent may demand of an announced one."""

from __future__ import annotations

from typing import Any

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import LEGAL
from companion.games.casino.values import hand_values
from companion.rulebook.book import article_title, article_url
from companion.web.referee.asking import Asking, Question
from companion.web.referee.casino.table import (
    NAMES,
    Laid,
    act_on_table,
    heaps_of,
    lay_asks,
    lay_picker,
    toggled,
)
from companion.web.referee.faces import faces, reasons
from companion.web.referee.shown import UNDECIDED, Answer, Ask, Choice, Page, Reason, Table
from companion.web.referee.state import State, read_cards

MOST_ROWS = 12


def act(asking: Asking, verb: str, word: str) -> State:
    """A tap on the table, another card to be played, a card or a build announced as taken."""
    state = asking.state
    laid = act_on_table(asking, verb, word)
    if laid is not None:
        return laid
    card = next(iter(read_cards([word])), None)
    if verb == "card" and card:
        return state.put(c=str(card), **{"as": None})
    if verb == "mark" and card:
        return toggled(state, "m", card)
    if verb == "as" and word.isdecimal():
        return state.put(**{"as": word[:2]})
    if verb == "named":
        names = state.words("k")
        return state.put(k=".".join([n for n in names if n != word] if word in names else [*names, word[:3]]))
    return state


def page(asking: Asking) -> Page:
    """First the table is laid out, then the hand card is tapped, then what is announced with it."""
    laid = Laid(asking)
    if not laid.ready:
        wrong = tuple(asking.say("no-build", number=build.place + 1) for build in laid.broken)
        bar = wrong[0] if wrong else asking.say("lay-out", table=len(laid.loose), hand=len(laid.hand))
        return Page(
            bar,
            later=tuple(lay_asks(laid)),
            picker=lay_picker(laid),
            tools=(Choice("step:ask", asking.say("ask-now")),),
        )
    card = _card(laid)
    marked = tuple(one for one in asking.state.cards("m") if one in laid.loose)
    builds = [build for build in laid.builds if build.value]
    named = tuple(build.id for build in builds if build.id in asking.state.words("k"))
    heaps = heaps_of(
        asking, laid.loose, tuple((b.id, b.value, b.cards, laid.seats[b.owner]) for b in builds), laid.hand,
        marked=marked, chosen=card, named=named,
    )  # fmt: skip
    tools = (Choice("step:lay", asking.say("change-table")),)
    if card is None:
        return Page(asking.say("tap-hand-card"), heaps=heaps, tools=tools)
    request: dict[str, Any] = {"position": laid.position(), "card": str(card)}
    values = hand_values(laid.rules, card)
    declared = asking.state.number("as")
    asks = []
    if len(values) > 1:
        declared = declared if declared in values else values[-1]
        choices = tuple(Choice(f"as:{value}", str(value), value == declared) for value in values)
        asks.append(Ask(asking.say("ask-as", card=asking.card(card)), (choices,)))
        request["as"] = declared
    takes = asking.game.moves(laid.rules, Node(request))  # type: ignore[misc]
    answers, tables = _takes(asking, card, takes)
    bar = asking.say("takes-most", card=asking.card(card), count=takes["maximum"]["cards"])
    value = LEGAL if takes["maximum"]["cards"] or takes["maximum"]["builds"] else ""
    if marked or named:
        announced = _announced(laid, request, marked, named)
        answers = [announced, *answers]
        bar, value = announced.heading, announced.value
    return Page(
        bar, value, asks=tuple(asks), heaps=heaps, answers=tuple(answers), tables=tables, tools=tools
    )  # fmt: skip


def _card(laid: Laid) -> Card | None:
    """The card that is played: the one tapped, or the only one."""
    chosen = next(iter(laid.asking.state.cards("c")), None)
    if chosen in laid.hand:
        return chosen
    return laid.hand[0] if len(laid.hand) == 1 else None


def _takes(asking: Asking, card: Card, takes: Any) -> tuple[list[Answer], tuple[Table, ...]]:
    """The largest capture, the sets that can be taken each by itself, all complete captures."""
    most = takes["maximum"]
    drawn = faces(asking, read_cards(most["table"]))
    texts = [asking.say("with-builds", builds=", ".join(most["builds"]))] if most["builds"] else []
    if not drawn and not texts:
        return [Answer(asking.say("takes-nothing", card=asking.card(card)))], ()
    answers = [Answer(asking.say("largest", count=most["cards"]), LEGAL, drawn, tuple(texts))]
    tables = []
    for name, rows in (("captures", takes["captures"]), ("minimal", takes["minimal_sets"])):
        if rows:
            shown = tuple((str(len(one)), faces(asking, read_cards(one))) for one in rows[:MOST_ROWS])
            caption = asking.say(f"{name}-all", count=len(rows), more=max(len(rows) - MOST_ROWS, 0))
            tables.append(Table(caption, (asking.say("head-count"), asking.say("head-cards")), shown))
    return answers, tuple(tables)


def _announced(laid: Laid, request: dict[str, Any], marked: tuple[Card, ...], named: tuple[str, ...]) -> Answer:
    """The verdict on the announced capture, and what may be demanded beyond it."""
    asking = laid.asking
    play: dict[str, Any] = {
        "play": "capture", "card": request["card"], "table": [str(one) for one in marked], "builds": list(named)
    }  # fmt: skip
    if "as" in request:
        play["as"] = request["as"]
    move = {"type": "turn", "plays": [play]}
    position = request["position"]
    verdict = asking.game.judge(laid.rules, Node(position, ("position",)), Node(move, ("move",)))
    if verdict.value != LEGAL:
        heading = asking.say(f"announced-{verdict.value}")
        return Answer(heading, verdict.value, faces(asking, marked), reasons=reasons(asking, verdict))
    question = {**request, "table": play["table"], "builds": play["builds"], "by": laid.seats[1]}
    demand = asking.game.extra["demand"](laid.rules, Node(question))
    why = tuple(
        Reason("", article_title(asking.lang, article), article_url(asking.lang, article))
        for article in demand["articles"]
    )
    if not demand["may_demand"]:
        heading = asking.say("announced-complete" if demand["complete"] else "announced-stands")
        return Answer(heading, LEGAL, faces(asking, marked), reasons=(*reasons(asking, verdict), *why))
    must = demand["must_take"]
    texts = (asking.say("with-builds", builds=", ".join(must["builds"])),) if must["builds"] else ()
    return Answer(
        asking.say("announced-short"), UNDECIDED, faces(asking, read_cards(must["table"])), texts, reasons=why
    )


QUESTION = Question((*NAMES, "c", "as", "m", "k"), act, page)
