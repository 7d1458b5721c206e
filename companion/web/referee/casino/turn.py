"""A turn of several plays, put together step by step and judged as a whole at every step."""

from __future__ import annotations

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import Breach, Verdict
from companion.games.casino.layout import Layout
from companion.games.casino.plays import Play, read_plays
from companion.games.casino.position import Position, read_position
from companion.games.casino.turn import play_turn, verdict_of
from companion.web.referee.asking import Asking, Question
from companion.web.referee.casino.draft import KINDS, Draft, announced, read_draft, value_of, values_of
from companion.web.referee.casino.table import NAMES, Laid, act_on_table, heaps_of, lay_asks, lay_picker
from companion.web.referee.faces import faces, reason, reasons
from companion.web.referee.shown import ILLEGAL, UNDECIDED, Answer, Ask, Choice, Page, Reason
from companion.web.referee.state import State, read_cards

MOST_PLAYS = 12
_UNFINISHED = {"no-hand-card", "not-captured"}
"""Breaches that later plays of the same turn can still mend."""


def act(asking: Asking, verb: str, word: str) -> State:
    """A tap on the table, on the play being put together, or the play added to the turn or taken back."""
    state = asking.state
    laid = act_on_table(asking, verb, word)
    if laid is not None:
        return laid
    draft = read_draft(state.get("q"))
    card = next(iter(read_cards([word])), None)
    if verb == "kind" and word in KINDS:
        draft = Draft(word, draft.card, draft.marked, draft.named)
    elif verb == "card" and card:
        draft = Draft(draft.kind, None if draft.card == card else card, draft.marked, draft.named)
    elif verb == "mark" and card:
        marked = tuple(one for one in draft.marked if one != card) if card in draft.marked else (*draft.marked, card)
        draft = Draft(draft.kind, draft.card, marked, draft.named)
    elif verb == "named":
        name = word[:8]
        named = tuple(one for one in draft.named if one != name) if name in draft.named else (*draft.named, name)
        draft = Draft(draft.kind, draft.card, draft.marked, named)
    elif verb == "value" and word.isdecimal():
        draft = Draft(draft.kind, draft.card, draft.marked, draft.named, int(word[:2]))
    elif verb == "add":
        plays = [one for one in state.get("p").split("_") if one]
        return state.put(p="_".join([*plays, draft.written()][:MOST_PLAYS]), q=None) if draft.kind else state
    elif verb == "back":
        return state.put(p="_".join([one for one in state.get("p").split("_") if one][:-1]), q=None)
    else:
        return state
    return state.put(q=draft.written())


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
    plays, layout = _played(laid, position)
    draft = read_draft(asking.state.get("q"))
    piles = {seat: tuple(card for layer in layers for card in sorted(layer)) for seat, layers in layout.piles.items()}
    heaps = heaps_of(
        laid,
        tuple(layout.loose),
        tuple((b.id, b.value, b.cards, b.owner) for b in layout.builds.values()),
        _hand(laid, layout),
        marked=draft.marked, chosen=draft.card, named=draft.named,
        piles={seat: cards for seat, cards in piles.items() if seat != layout.side and cards},
    )  # fmt: skip
    answers, bar, value = _judged(laid, position, plays, draft, layout)
    steps = [Choice("step:lay", asking.say("change-table"))]
    if plays:
        steps.insert(0, Choice("back", asking.say("back")))
    if draft.kind and not draft.empty:
        steps.insert(0, Choice("add", asking.say("add-play")))
    return Page(
        bar, value,
        said=tuple(Choice("", _play_text(asking, play)) for play in plays),
        asks=tuple(_asks(laid, draft, layout)),
        heaps=heaps,
        answers=tuple(answers),
        tools=tuple(steps),
    )  # fmt: skip


def _played(laid: Laid, position: Position) -> tuple[tuple[Play, ...], Layout]:
    """The plays of the turn so far, each read on the table that those before it left, and that table."""
    plays: tuple[Play, ...] = ()
    layout = play_turn(laid.rules, position, ())
    for text in [one for one in laid.asking.state.get("p").split("_") if one][:MOST_PLAYS]:
        play = _read(read_draft(text), position, layout)
        plays = (*plays, play)
        layout = play_turn(laid.rules, position, plays)
    return plays, layout


def _read(draft: Draft, position: Position, layout: Layout) -> Play:
    node = Node([announced(draft, layout)], ("plays",))
    plays = read_plays(node, position)
    if node.problems:
        raise Refused(node.problems)
    return plays[0]


def _judged(
    laid: Laid, position: Position, plays: tuple[Play, ...], draft: Draft, layout: Layout
) -> tuple[list[Answer], str, str]:
    """The verdict on the turn with the play being put together, what is still owed, and the table after it."""
    asking = laid.asking
    if draft.kind and not draft.empty:
        plays = (*plays, _read(draft, position, layout))
    if not plays:
        return [], asking.say("turn-start"), ""
    after = play_turn(laid.rules, position, plays)
    verdict = verdict_of(after)
    wrong = tuple(breach for breach in verdict.breaches if breach.code not in _UNFINISHED)
    owed = tuple(breach for breach in verdict.breaches if breach.code in _UNFINISHED)
    if wrong or not owed:
        value = ILLEGAL if wrong else verdict.value
        shown = Verdict(wrong, verdict.missing, verdict.because)
        answers = [Answer(asking.say(f"turn-{value}"), value, reasons=reasons(asking, shown))]
    else:
        value = UNDECIDED
        answers = []
        if verdict.missing:
            found = tuple(reason(asking, one) for one in verdict.missing)
            answers = [Answer(asking.say("turn-undecided"), UNDECIDED, reasons=found)]
    if owed:
        answers.append(Answer(asking.say("turn-owed"), "", reasons=_owed(asking, owed)))
    bar = asking.say("turn-unfinished" if owed and not wrong else f"turn-{value}")
    answers.append(_after(asking, after))
    return answers, bar, value


def _hand(laid: Laid, layout: Layout) -> tuple[Card, ...]:
    """The cards still in the hand; of one that is not wholly known, those that were told."""
    if layout.hand is not None:
        return tuple(sorted(layout.hand))
    return tuple(card for card in laid.hand if card not in layout.played)


def _owed(asking: Asking, owed: tuple[Breach, ...]) -> tuple[Reason, ...]:
    return tuple(reason(asking, breach) for breach in owed)


def _after(asking: Asking, layout: Layout) -> Answer:
    """What the turn takes and leaves."""
    texts = []
    for build in layout.builds.values():
        cards = " ".join(asking.card(card) for card in build.cards)
        texts.append(asking.say("build-after", value=build.value, name=build.owner, cards=cards))
    texts.append(asking.say("loose-after", cards=" ".join(asking.card(card) for card in layout.loose)))
    taken = faces(asking, layout.taken)
    if taken:
        texts.insert(0, asking.say("sweep-after" if layout.swept else "taken-after", count=len(taken)))
    return Answer(asking.say("after"), "", taken, tuple(texts))


def _asks(laid: Laid, draft: Draft, layout: Layout) -> list[Ask]:
    asking = laid.asking
    kinds = tuple(
        Choice(f"kind:{kind}", asking.say(f"kind-{name}"), kind == draft.kind) for kind, name in KINDS.items()
    )
    asks = [Ask(asking.say("ask-kind"), (kinds,))]
    values = values_of(draft, layout)
    if len(values) > 1:
        now = value_of(draft, layout)
        choices = tuple(Choice(f"value:{value}", str(value), value == now) for value in values)
        asks.append(Ask(asking.say("ask-value"), (choices,)))
    return asks


def _play_text(asking: Asking, play: Play) -> str:
    """A play in a few words."""
    cards: list[Card] = [card for group in play.groups() for card in group.cards]
    return asking.say(
        "play-text", kind=asking.say(f"kind-{play.kind}"), cards=" ".join(asking.card(card) for card in cards),
        builds=", ".join((*play.material.builds, *([play.target] if play.target else []))), value=play.value,
    )  # fmt: skip


QUESTION = Question((*NAMES, "p", "q"), act, page)
