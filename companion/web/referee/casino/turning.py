"""A turn being put together play by play: what a tap changes, the plays so far, what the judge says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.engine.reading import Node
from companion.engine.verdict import Breach, Verdict
from companion.games.casino.layout import Layout
from companion.games.casino.plays import Play, read_plays
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import Position
from companion.games.casino.turn import play_turn, verdict_of
from companion.web.referee.asking import Asking
from companion.web.referee.casino.draft import KINDS, Draft, announced, read_draft, value_of, values_of
from companion.web.referee.faces import faces, reason, reasons
from companion.web.referee.shown import ILLEGAL, UNDECIDED, Answer, Ask, Choice
from companion.web.referee.state import read_cards

MOST_PLAYS = 12
_UNFINISHED = {"no-hand-card", "not-captured"}
"""Breaches that later plays of the same turn can still mend."""


def tapped(draft: Draft, verb: str, word: str) -> Draft | None:
    """The play after a tap on it; None where the tap is none on a play."""
    card = next(iter(read_cards([word])), None)
    if verb == "kind" and word in KINDS:
        return Draft(word, draft.card, draft.marked, draft.named)
    if verb == "card" and card:
        return Draft(draft.kind, None if draft.card == card else card, draft.marked, draft.named)
    if verb == "mark" and card:
        marked = tuple(one for one in draft.marked if one != card) if card in draft.marked else (*draft.marked, card)
        return Draft(draft.kind, draft.card, marked, draft.named)
    if verb == "named":
        name = word[:8]
        named = tuple(one for one in draft.named if one != name) if name in draft.named else (*draft.named, name)
        return Draft(draft.kind, draft.card, draft.marked, named)
    if verb == "value" and word.isdecimal():
        return Draft(draft.kind, draft.card, draft.marked, draft.named, int(word[:2]))
    return None


def split_plays(text: str) -> tuple[str, ...]:
    """The plays of a turn as the address has them."""
    return tuple(one for one in text.split("_") if one)[:MOST_PLAYS]


def played(rules: CasinoRules, position: Position, texts: Sequence[str]) -> tuple[list[dict[str, Any]], Layout]:
    """The plays of a turn as they are announced, each on the table that those before it left, and that table."""
    told: list[dict[str, Any]] = []
    layout = play_turn(rules, position, ())
    for text in texts:
        told.append(announced(read_draft(text), layout))
        layout = play_turn(rules, position, read(told, position))
    return told, layout


def read(told: list[dict[str, Any]], position: Position) -> tuple[Play, ...]:
    """Announced plays as the judge takes them. Raises Refused where one cannot be read."""
    node = Node(told, ("plays",))
    plays = read_plays(node, position)
    if node.problems:
        raise Refused(node.problems)
    return plays


def judged(
    asking: Asking, position: Position, told: list[dict[str, Any]], draft: Draft, layout: Layout
) -> tuple[list[Answer], str, str]:
    """The verdict on the turn with the play being put together, what is still owed, and the table after it."""
    if draft.kind and not draft.empty:
        told = [*told, announced(draft, layout)]
    if not told:
        return [], asking.say("turn-start"), ""
    after = play_turn(asking.rules, position, read(told, position))
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
    answers.append(after_turn(asking, after))
    return answers, bar, value


def after_turn(asking: Asking, layout: Layout) -> Answer:
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


def draft_asks(asking: Asking, draft: Draft, layout: Layout) -> list[Ask]:
    """What is done, and of what value where there is a choice."""
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


def play_text(asking: Asking, play: Play) -> str:
    """A play in a few words."""
    cards: list[Card] = [card for group in play.groups() for card in group.cards]
    return asking.say(
        "play-text", kind=asking.say(f"kind-{play.kind}"), cards=" ".join(asking.card(card) for card in cards),
        builds=", ".join((*play.material.builds, *([play.target] if play.target else []))), value=play.value,
    )  # fmt: skip


def _owed(asking: Asking, owed: tuple[Breach, ...]) -> tuple[Any, ...]:
    return tuple(reason(asking, breach) for breach in owed)
