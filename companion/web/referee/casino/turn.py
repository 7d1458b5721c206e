"""A turn of several plays, put together step by step and judged as a whole at every step."""

from __future__ import annotations

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.games.casino.layout import Layout
from companion.games.casino.table import read_position
from companion.web.referee.asking import Asking, Question
from companion.web.referee.casino.draft import read_draft
from companion.web.referee.casino.table import NAMES, Laid, act_on_table, heaps_of, lay_asks, lay_picker
from companion.web.referee.casino.turning import (
    MOST_PLAYS,
    draft_asks,
    judged,
    play_text,
    played,
    read,
    split_plays,
    tapped,
)
from companion.web.referee.shown import Choice, Page
from companion.web.referee.state import State


def act(asking: Asking, verb: str, word: str) -> State:
    """A tap on the table, on the play being put together, or the play added to the turn or taken back."""
    state = asking.state
    laid = act_on_table(asking, verb, word)
    if laid is not None:
        return laid
    draft, plays = read_draft(state.get("q")), split_plays(state.get("p"))
    if verb == "add":
        return state.put(p="_".join([*plays, draft.written()][:MOST_PLAYS]), q=None) if draft.kind else state
    if verb == "back":
        return state.put(p="_".join(plays[:-1]), q=None)
    after = tapped(draft, verb, word)
    return state if after is None else state.put(q=after.written())


def page(asking: Asking) -> Page:
    """The table is laid out; then every play is tapped together, judged with those before it, and added."""
    laid = Laid(asking)
    if not laid.ready:
        wrong = tuple(asking.say("no-build", number=build.place + 1) for build in laid.broken)
        bar = wrong[0] if wrong else asking.say("lay-out", table=len(laid.loose), hand=len(laid.hand))
        tools = (Choice("step:ask", asking.say("play-now")),)
        return Page(bar, later=tuple(lay_asks(laid)), picker=lay_picker(laid), tools=tools)
    node = Node(laid.position(), ("position",))
    position = read_position(node, laid.rules)
    if position is None:
        raise Refused(node.problems)
    told, layout = played(laid.rules, position, split_plays(asking.state.get("p")))
    draft = read_draft(asking.state.get("q"))
    piles = {seat: tuple(card for layer in layers for card in sorted(layer)) for seat, layers in layout.piles.items()}
    heaps = heaps_of(
        asking,
        tuple(layout.loose),
        tuple((b.id, b.value, b.cards, b.owner) for b in layout.builds.values()),
        _hand(laid, layout),
        marked=draft.marked, chosen=draft.card, named=draft.named,
        piles={seat: cards for seat, cards in piles.items() if seat != layout.side and cards},
    )  # fmt: skip
    answers, bar, value = judged(asking, position, told, draft, layout)
    steps = [Choice("step:lay", asking.say("change-table"))]
    if told:
        steps.insert(0, Choice("back", asking.say("back")))
    if draft.kind and not draft.empty:
        steps.insert(0, Choice("add", asking.say("add-play")))
    return Page(
        bar, value,
        said=tuple(Choice("", play_text(asking, play)) for play in read(told, position)),
        asks=tuple(draft_asks(asking, draft, layout)),
        heaps=heaps,
        answers=tuple(answers),
        tools=tuple(steps),
    )  # fmt: skip


def _hand(laid: Laid, layout: Layout) -> tuple[Card, ...]:
    """The cards still in the hand; of one that is not wholly known, those that were told."""
    if layout.hand is not None:
        return tuple(sorted(layout.hand))
    return tuple(card for card in laid.hand if card not in layout.played)


QUESTION = Question((*NAMES, "p", "q"), act, page)
