"""Is this turn allowed? A turn of several plays, put together one by one and judged as a whole at every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Context,
    Joined,
    Page,
    Phrase,
    Prompt,
    Question,
    State,
    Text,
    card_term,
    faces,
    joined_texts,
    read_cards,
    reasons_of,
)
from companion.engine.problems import Node
from companion.engine.verdict import ILLEGAL, UNDECIDED, Breach, Verdict
from companion.games.casino.asks.laying import (
    TABLE_STATE,
    Laid,
    act_on_table,
    heaps_of,
    opposing_piles,
    toggled,
)
from companion.games.casino.layout import Layout
from companion.games.casino.notation import (
    KINDS,
    Draft,
    announced_value,
    announced_values,
    format_draft,
    join_plays,
    parse_draft,
    parse_plays,
    play_of,
    plays_of,
    split_plays,
)
from companion.games.casino.plays import Play
from companion.games.casino.shapes import read_position
from companion.games.casino.table import Position
from companion.games.casino.turn import play_turn

_UNFINISHED: Final = ("no-hand-card", "not-captured")
"""Breaches that later plays of the same turn can still mend."""


def act(context: Context, verb: str, word: str) -> State:
    """Return the state after an action on the table or on the play, or with the play added or taken back."""
    state = context.state
    laid = act_on_table(context, verb, word)
    if laid is not None:
        return laid
    draft, plays = parse_draft(state.get("q")), split_plays(state.get("p"))
    if verb == "add":
        return state.put(p=join_plays((*plays, format_draft(draft))), q=None) if draft.kind else state
    if verb == "back":
        return state.put(p=join_plays(plays[:-1]), q=None)
    return act_on_draft(state, draft, verb, word)


def page(context: Context) -> Page:
    """Return the table to be laid out, then the turn so far with the play that is being put together."""
    laid = Laid(context)
    if not laid.ready:
        return laid.page(Choice("step:ask", context.say("play-now")))
    node = Node(laid.position(), ("position",))
    position = node.require(read_position(node, laid.rules))
    plays, layout = plays_of(laid.rules, position, parse_plays(context.state.get("p")))
    draft = parse_draft(context.state.get("q"))
    heaps = heaps_of(
        context, tuple(layout.loose), tuple(layout.builds.values()), _hand(laid, layout),
        marked=draft.marked, chosen=draft.card, named=draft.named, piles=opposing_piles(layout),
    )  # fmt: skip
    answers, bar, value = judge_open_turn(context, position, plays, draft, layout)
    tools = [Choice("step:lay", context.say("change-table"))]
    if plays:
        tools.insert(0, Choice("back", context.say("back")))
    if draft.kind and not draft.empty:
        tools.insert(0, Choice("add", context.say("add-play")))
    return Page(
        bar, value, said=said_plays(context, plays), asks=draft_prompts(context, draft, layout),
        heaps=heaps, answers=answers, tools=tuple(tools),
    )  # fmt: skip


QUESTION: Final = Question((*TABLE_STATE, "p", "q"), act, page)


def act_on_draft(state: State, draft: Draft, verb: str, word: str) -> State:
    """Return the state with another play in `q` after an action on it; other actions change nothing."""
    card = next(iter(read_cards([word])), None)
    after = replace(draft, value=None)  # what was announced was announced for other cards
    if verb == "kind" and word in KINDS:
        after = replace(after, kind=KINDS[word])
    elif verb == "card" and card:
        after = replace(after, card=None if draft.card == card else card)
    elif verb == "mark" and card:
        after = replace(after, marked=toggled(draft.marked, card))
    elif verb == "named":
        after = replace(after, named=toggled(draft.named, word[:8]))
    elif verb == "value" and word.isdecimal():
        after = replace(after, value=int(word[:2]))
    else:
        return state
    return state.put(q=format_draft(after))


def judge_open_turn(
    context: Context, position: Position, plays: tuple[Play, ...], draft: Draft, layout: Layout
) -> tuple[tuple[AnswerSection, ...], Text, str]:
    """Return the answers on a turn with the play being put together, the sentence of the status bar and its kind.

    What later plays can still mend is owed, and no breach.
    """
    if draft.kind and not draft.empty:
        plays = (*plays, play_of(draft, layout))
    if not plays:
        return (), context.say("turn-start"), ""
    after = play_turn(context.rules, position, plays)
    verdict = after.verdict()
    wrong = tuple(breach for breach in verdict.breaches if breach.code not in _UNFINISHED)
    owed = tuple(breach for breach in verdict.breaches if breach.code in _UNFINISHED)
    value = ILLEGAL if wrong else UNDECIDED if owed else verdict.value
    answers = []
    if wrong or not owed or verdict.missing:
        shown = Verdict(wrong, verdict.missing, verdict.because)
        answers.append(AnswerSection(context.say(f"turn-{value}"), value, reasons=reasons_of(shown)))
    if owed:
        answers.append(_owed(context, owed))
    bar = context.say("turn-unfinished" if owed and not wrong else f"turn-{value}")
    return (*answers, table_after(context, after)), bar, value


def table_after(context: Context, layout: Layout) -> AnswerSection:
    """Return what a turn takes and leaves."""
    texts = [
        context.say("build-after", value=build.value, name=build.owner, cards=card_texts(build.cards))
        for build in layout.builds.values()
    ]
    texts.append(context.say("loose-after", cards=card_texts(layout.loose)))
    if layout.taken:
        texts.insert(0, context.say("sweep-after" if layout.swept else "taken-after", count=len(layout.taken)))
    return AnswerSection(context.say("after"), "", faces(layout.taken), tuple(texts))


def draft_prompts(context: Context, draft: Draft, layout: Layout) -> tuple[Prompt, ...]:
    """Return the question what is done, and of what value where several are possible."""
    kinds = tuple(Choice(f"kind:{one}", context.say(f"kind-{kind}"), kind == draft.kind) for one, kind in KINDS.items())
    prompts = [Prompt(context.say("ask-kind"), (kinds,))]
    values = announced_values(draft, layout)
    if len(values) > 1:
        now = announced_value(draft, layout)
        choices = tuple(Choice(f"value:{value}", str(value), value == now) for value in values)
        prompts.append(Prompt(context.say("ask-value"), (choices,)))
    return tuple(prompts)


def said_plays(context: Context, plays: Sequence[Play]) -> tuple[Choice, ...]:
    """Return the plays of a turn in a few words each."""
    return tuple(Choice("", play_text(context, play)) for play in plays)


def play_text(context: Context, play: Play) -> Phrase:
    """Return a play in a few words."""
    cards = [card for group in play.groups() for card in group.cards]
    builds = (*play.material.builds, *([play.target] if play.target else []))
    return context.say(
        "play-text", kind=context.say(f"kind-{play.kind}"), cards=card_texts(cards), builds=builds,
        value=play.value,
    )  # fmt: skip


def card_texts(cards: Sequence[Card]) -> Joined:
    """Return cards in words, side by side."""
    return joined_texts(map(card_term, cards))


def _owed(context: Context, owed: tuple[Breach, ...]) -> AnswerSection:
    return AnswerSection(context.say("turn-owed"), reasons=reasons_of(Verdict(owed)))


def _hand(laid: Laid, layout: Layout) -> tuple[Card, ...]:
    """Return the cards still in the hand; where it is not wholly known, those that were entered."""
    if layout.hand is not None:
        return tuple(sorted(layout.hand))
    return tuple(card for card in laid.hand if card not in layout.played)
