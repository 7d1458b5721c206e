"""What can this card take? Every capture, the largest, and what an opponent may demand of an announced one."""

from __future__ import annotations

from typing import Any

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import LEGAL
from companion.games.casino.table import hand_values
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
from companion.web.referee.shown import ILLEGAL, UNDECIDED, Answer, Ask, Choice, Page, Reason, Table
from companion.web.referee.state import State, read_cards

MOST_ROWS = 12
DONE = {"c": "capture", "b": "build", "t": "trail"}
"""What was done with the card, by its word in the address."""


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
    if verb == "by" and word.isdecimal() and len(word) == 1:
        return state.put(by=word)
    if verb == "acted" and word in ("y", "n"):
        return state.put(acted="y" if word == "y" else None)
    if verb == "did" and word in DONE:
        return state.put(did=None if word == "c" else word)
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
    done = DONE.get(asking.state.get("did"), "capture")
    if marked or named or done != "capture":
        if done == "capture":
            announced = _announced(laid, request, marked, named)
        else:
            announced = _demanded(laid, {**request, "play": done}, ())
        answers = [announced, *answers]
        bar, value = announced.heading, announced.value
    return Page(
        bar, value, asks=tuple(asks), later=_demand_asks(laid), heaps=heaps, answers=tuple(answers), tables=tables,
        tools=tools,
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
    question = {**request, "table": play["table"], "builds": play["builds"]}
    return _demanded(laid, question, marked, reasons(asking, verdict))


def _demanded(
    laid: Laid, question: dict[str, Any], marked: tuple[Card, ...], allowed: tuple[Reason, ...] = ()
) -> Answer:
    """What may be demanded beyond what was done with the card, by whom it was asked, and when."""
    asking = laid.asking
    by = laid.seats[_demander(laid)]
    told = {**question, "by": by, "acted": asking.state.get("acted") == "y"}
    demand = asking.game.extra["demand"](laid.rules, Node(told))
    why = tuple(
        Reason("", article_title(asking.lang, article), article_url(asking.lang, article))
        for article in demand["articles"]
    )
    captured = question.get("play", "capture") == "capture"
    if not demand["may_demand"]:
        heading = asking.say("announced-complete" if demand["complete"] else "announced-stands")
        if not captured:
            heading = asking.say("demand-not")
        return Answer(heading, LEGAL if captured else ILLEGAL, faces(asking, marked), reasons=(*allowed, *why))
    must = demand["must_take"]
    texts = (asking.say("with-builds", builds=", ".join(must["builds"])),) if must["builds"] else ()
    heading = asking.say("announced-short" if captured else "demand-may")
    return Answer(heading, UNDECIDED, faces(asking, read_cards(must["table"])), texts, reasons=why)


def _demander(laid: Laid) -> int:
    """Who demands, by the place of the seat: the next player unless another was named."""
    told = laid.asking.state.number("by", low=1, high=laid.count - 1)
    return told or 1


def _demand_asks(laid: Laid) -> tuple[Ask, ...]:
    """What was done with the card, who demands, and whether it is too late."""
    asking = laid.asking
    done = asking.state.get("did") or "c"
    asks = [Ask(asking.say("ask-did"), (tuple(
        Choice(f"did:{word}", asking.say(f"kind-{kind}"), word == done) for word, kind in DONE.items()
    ),))]  # fmt: skip
    if laid.count > 2:
        others = enumerate(laid.seats[1:], start=1)
        choices = tuple(Choice(f"by:{place}", name, place == _demander(laid)) for place, name in others)
        asks.append(Ask(asking.say("ask-by"), (choices,)))
    acted = asking.state.get("acted") or "n"
    answers = tuple(Choice(f"acted:{word}", asking.say(f"answer-{word}"), word == acted) for word in ("y", "n"))
    return (*asks, Ask(asking.say("ask-acted"), (answers,)))


QUESTION = Question((*NAMES, "c", "as", "m", "k", "did", "by", "acted"), act, page)
