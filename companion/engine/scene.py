"""Pages of "cards, buttons, verdict": what is tapped, what is asked and how both are kept is declared, not written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from companion.engine.cards import Card
from companion.engine.dialogue import (
    ACE_HIGH,
    Choice,
    Context,
    Page,
    Prompt,
    Question,
    State,
    Text,
    Zone,
    card_picker,
    go_to,
    tap,
)

_T = TypeVar("_T")
_Given: TypeAlias = "_T | Callable[[Context], _T]"
"""A value, or what finds it for a context."""
YES_NO: Final = ("y", "n")
SET, DROP, TOGGLE, MANY = "set", "drop", "toggle", "many"


def _given(value: _Given[_T], context: Context) -> _T:
    return value(context) if callable(value) else value


@dataclass(frozen=True, slots=True)
class Flag:
    """One question with a button for each word: `first:y` puts `first=y` into the address.

    `mode` says what a tap does: SET writes the word, DROP does so but for the default, which removes it, TOGGLE removes
    the word that is there already, and MANY adds a word to others, or takes it away again.
    """

    name: str
    """The verb of its buttons; its text is `ask-<name>` unless `text` makes another."""
    words: _Given[Collection[str]] = YES_NO
    default: _Given[str] = "n"
    """The word that is pressed while none is chosen."""
    label: str | Callable[[Context, str], Text] = "answer"
    """The beginning of the phrases of its words (`answer-y`, `answer-open` for the empty word), or what makes them."""
    key: str = ""
    """Its name in the address where that is not `name`."""
    text: Callable[[Context], Text] | None = None
    used: Callable[[Context], bool] = lambda context: True
    """Whether it is asked; it can be answered at any time."""
    above: bool = False
    """Whether it is asked before the cards are tapped; below them it does not move them."""
    mode: str = SET
    numbers: bool = False
    clears: tuple[str, ...] = ()
    """What else a tap removes from the address."""

    def now(self, context: Context) -> str:
        """Return the word that is chosen, else the default."""
        word = context.state.get(self.key or self.name)
        return word if word in _given(self.words, context) else _given(self.default, context)

    def act(self, context: Context, word: str) -> State:
        """Return the state after a tap on a word; the same state where there is no such word."""
        state, key = context.state, self.key or self.name
        if word not in _given(self.words, context):
            return state
        chosen: str | None = word
        if self.mode == MANY:
            words = state.words(key)
            chosen = ".".join([each for each in words if each != word] if word in words else [*words, word])
        elif word == (state.get(key) if self.mode == TOGGLE else _given(self.default, context)) and self.mode != SET:
            chosen = None
        return state.put(**dict.fromkeys(self.clears), **{key: chosen})

    def prompt(self, context: Context) -> Prompt:
        """Return the question with its buttons."""
        pressed = context.state.words(self.key or self.name) if self.mode == MANY else (self.now(context),)
        choices = tuple(
            Choice(f"{self.name}:{word}", self._label(context, word), word in pressed)
            for word in _given(self.words, context)
        )
        text = context.say(f"ask-{self.name}") if self.text is None else self.text(context)
        return Prompt(text, (choices,), numbers=self.numbers)

    def _label(self, context: Context, word: str) -> Text:
        return self.label(context, word) if callable(self.label) else context.say(f"{self.label}-{word or 'open'}")


def scene(
    names: tuple[str, ...],
    show: Callable[[Context], Page],
    *,
    flags: Sequence[Flag] = (),
    zones: Callable[[Context], Sequence[Zone]] = lambda context: (),
    pack: Callable[[Context], Collection[Card]] = lambda context: (),
    ranks: _Given[Sequence[str]] = ACE_HIGH,
    jokers: tuple[str, ...] = (),
    act: Callable[[Context, str, str], State | None] = lambda context, verb, word: None,
) -> Question:
    """Return a question of the referee whose cards are tapped into zones and whose flags are asked beside them.

    `show` returns what is said about the state. Flags above the cards precede its own prompts, those below follow
    them; where there are zones, all cards of the pack can be tapped, unless it draws a picker itself. `act` is for
    further verbs, and comes first: None leaves an action to the zones and flags.
    """
    by_name = {flag.name: flag for flag in flags}

    def act_on(context: Context, verb: str, word: str) -> State:
        state = act(context, verb, word)
        if state is not None:
            return state
        if verb == "tap":
            return tap(context.state, zones(context), word, jokers=jokers)
        if verb == "to":
            return go_to(context.state, zones(context), word)
        return by_name[verb].act(context, word) if verb in by_name else context.state

    def page(context: Context) -> Page:
        shown, places, picker = show(context), zones(context), None
        if places and shown.picker is None:
            picker = card_picker(context.state, places, pack(context), ranks=_given(ranks, context), jokers=jokers)
        above, below = (
            tuple(flag.prompt(context) for flag in flags if flag.above == place and flag.used(context))
            for place in (True, False)
        )
        return replace(shown, asks=(*above, *shown.asks), later=(*shown.later, *below), picker=shown.picker or picker)

    return Question(names, act_on, page)
