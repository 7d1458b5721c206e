"""Questions as data: the state of a page in its address, prompts and findings, pickers of cards, checks of a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar
from urllib.parse import quote

from companion.engine.cards import RANKS, SUITS, Card, read_card
from companion.engine.ledger import Rules
from companion.engine.problems import JsonObject, NamedFacts, Problem
from companion.engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDECIDED,
    Because,
    Breach,
    Finding,
    Judged,
    Missing,
    Remedy,
    Verdict,
)

LONGEST_VALUE: Final = 3_400
"""Maximum characters of one value: a whole deal takes 155 to 1,500."""
MAX_CARDS: Final = 110
_SAFE: Final = "-._~!*,:"
_NOT_STATE: Final = ("do", "lang")


@dataclass(frozen=True, slots=True)
class State:
    """What has been entered so far, by short names. Unreadable values count as absent."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, query: Mapping[str, str]) -> State:
        """Return the state in a query string, without the action to be done next."""
        return cls({name: text[:LONGEST_VALUE] for name, text in query.items() if text and name not in _NOT_STATE})

    def get(self, name: str) -> str:
        """Return a value as written; empty where it is absent."""
        return self.values.get(name, "")

    def number(self, name: str, *, low: int = 0, high: int = 99) -> int | None:
        """Return a value as a whole number within the range, or None."""
        return whole_number(self.get(name), low=low, high=high)

    def words(self, name: str) -> tuple[str, ...]:
        """Return the items of a list value."""
        return tuple(part for part in self.get(name).split(".") if part)

    def cards(
        self, name: str, *, jokers: tuple[str, ...] = (), bare: bool = False, copies: int = 1
    ) -> tuple[Card, ...]:
        """Return the cards of a value in order; without `bare`, no more than the copies of each."""
        return read_cards(self.words(name), jokers=jokers, bare=bare, copies=copies)

    def put(self, **changes: str | int | None) -> State:
        """Return the state with other values; None and the empty text remove one."""
        values = dict(self.values)
        for name, value in changes.items():
            values.pop(name, None)
            if value is not None and value != "":
                values[name] = str(value)
        return State(values)

    def put_cards(self, name: str, cards: Iterable[Card]) -> State:
        """Return the state with other cards under a name."""
        return self.put(**{name: join_cards(cards)})

    def toggle_card(self, name: str, card: Card) -> State:
        """Return the state with a card added to a list, or removed from it."""
        cards = self.cards(name)
        return self.put_cards(name, (one for one in cards if one != card) if card in cards else (*cards, card))

    def without_last(self, name: str) -> State:
        """Return the state without the last item of a list."""
        return self.put(**{name: ".".join(self.words(name)[:-1])})

    def query(self, names: Iterable[str]) -> str:
        """Return the query string with these names, in their order."""
        return "&".join([f"{name}={quote(self.get(name), safe=_SAFE)}" for name in names if self.get(name)])

    def only(self, names: Iterable[str]) -> State:
        """Return the state reduced to these names."""
        return State({name: self.get(name) for name in names if self.get(name)})


def read_cards(
    words: Iterable[str], *, jokers: tuple[str, ...] = (), bare: bool = False, copies: int = 1
) -> tuple[Card, ...]:
    """Return the cards that these words name, at most `MAX_CARDS`; unreadable words are skipped."""
    found: list[Card] = []
    for word in words:
        try:
            card = read_card(word, jokers=jokers, bare_ranks=bare)
        except ValueError:
            continue
        if bare or found.count(card) < copies:
            found.append(card)
    return tuple(found[:MAX_CARDS])


def join_cards(cards: Iterable[Card]) -> str:
    """Return cards as an address writes them: `7H.2S`."""
    return ".".join(str(card) for card in cards)


def whole_number(text: str, *, low: int, high: int) -> int | None:
    """Return the whole number of at most seven digits within the range that a text spells, or None."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 7:
        return None
    return int(text) if low <= int(text) <= high else None


def small_number(text: str | None) -> int | None:
    """Return the whole number below 1,000 that a text spells, or None."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 4 else None


Statement = Breach | Missing | Because | Finding | Problem | Remedy
"""Everything with an article that the words of a game can put into a sentence."""
_Subject = TypeVar("_Subject", bound=Card | int | str)
"""What there is a verdict about: a card, or a call."""

MARKS: Final = {LEGAL: "✓", ILLEGAL: "✕", UNDECIDED: "?"}
UNKNOWN_CARD: Final = Card("?")
"""A card that is there although nobody has named it; its face is a question mark."""
_LONGEST_QUERY: Final = 3_500
"""Maximum characters of a query string: gunicorn accepts request lines of 4,094, and some proxies little more."""
SHARED_STATE: Final = ("sheet", "rules")
"""State that every question has: the sheet it was opened from, and the code of the house rules."""


# Texts
@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase by its key, with the facts that fill it; facts may be texts themselves.

    In dialogues the key is dotted; those of lessons and of a sheet's history are keys of their own tables.
    """

    key: str
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """A value in the game's vocabulary: `Term("call", "blind_6")`, `Term("card", "7H")`, `Term("cards", [...])`."""

    fact: str
    value: object


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentence of a finding, with names in place of seats and sides."""

    found: Statement


@dataclass(frozen=True, slots=True)
class Joined:
    """Texts with a separator between them."""

    parts: tuple[Text, ...]
    separator: str = " "


Text = str | Phrase | Term | Sentence | Joined


def card_term(card: Card | str) -> Term:
    """Return a card as text."""
    return Term("card", str(card))


def joined_texts(parts: Iterable[Text], separator: str = " ") -> Joined:
    """Return several texts as one."""
    return Joined(tuple(parts), separator)


# Parts of a page


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: the value it sends, its label, and how it looks.

    `pressed` is None where the button is no toggle. `tone` is `odd` where the rules forbid the choice, `open` where it
    is undecided, `computed` where it follows from other answers; `note` says the same to a screen reader.
    `small` is printed below the label.
    """

    value: str
    label: Text
    pressed: bool | None = None
    tone: str = ""
    note: Text = ""
    small: Text = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question with its buttons in groups. `id` is the name its answer is sent under, where it has one."""

    text: Text
    groups: tuple[tuple[Choice, ...], ...]
    id: str = ""
    numbers: bool = False
    """Whether the first group is a keypad of numbers."""
    place: int | None = None
    """The index of the call that the answer would change."""
    span: tuple[int, int] | None = None
    """The lowest and the highest number that can be typed, in place of buttons."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is shown; with `do` it is a button.

    `tone` is a verdict, `taken` where the card is elsewhere, `gone` where it cannot be tapped, `chosen`. `mark` is the
    small sign below it, `note` says the same to a screen reader.
    """

    card: Card
    do: str = ""
    tone: str = ""
    mark: Text = ""
    note: Text = ""
    pressed: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a trick with its player; `next` marks whose turn it is, `won` who takes the trick."""

    name: Text
    face: Face | None = None
    next: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that belong together on the table: loose cards, a build, a pile, a hand."""

    label: Text
    faces: tuple[Face, ...]
    note: Text = ""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A whole number that is typed."""

    name: str
    label: Text
    value: str


@dataclass(frozen=True, slots=True)
class Target:
    """A zone that tapped cards go to, as a tab above the picker."""

    do: str
    label: Text
    count: int
    active: bool


@dataclass(frozen=True, slots=True)
class Picker:
    """All cards of the pack in rows, to be tapped."""

    label: Text
    rows: tuple[tuple[Face, ...], ...]
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """A finding that supports an answer, with the cards or calls it concerns.

    With several `things` the sentence speaks of all of them in place of the fact named `fact`. `around` is a message
    that takes the sentence as its fact `text`.
    """

    found: Statement
    things: tuple[Card | int | str, ...] = ()
    fact: str = "card"
    around: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A text of its own that an article supports."""

    text: Text
    article: str


@dataclass(frozen=True, slots=True)
class Scoring:
    """A deal to be scored: every line becomes a reason; what cannot be scored, its problems."""

    sides: tuple[JsonObject, ...]
    result: JsonObject


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """One part of the answer: a heading with a verdict, cards, sentences, articles, what can be tapped next."""

    heading: Text
    value: str = ""
    faces: tuple[Face, ...] = ()
    texts: tuple[Text, ...] = ()
    reasons: tuple[Reason | Citation | Scoring, ...] = ()
    choices: tuple[Choice, ...] = ()
    verdict: Verdict | None = field(default=None, compare=False, repr=False)
    """The verdict that it shows to be right on demand."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with headings; cells are texts or cards."""

    caption: Text
    heads: tuple[Text, ...]
    rows: tuple[tuple[Text | tuple[Face, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What one question shows. `verdict` is the sentence of the status bar, `value` its kind."""

    verdict: Text
    value: str = ""
    said: tuple[Choice, ...] = ()
    asks: tuple[Prompt, ...] = ()
    later: tuple[Prompt, ...] = ()
    """Prompts below the picker, which must not move while it is tapped."""
    fields: tuple[Field, ...] = ()
    heaps: tuple[Heap, ...] = ()
    slots: tuple[Slot, ...] = ()
    picker: Picker | None = None
    answers: tuple[AnswerSection, ...] = ()
    tables: tuple[Grid, ...] = ()
    tools: tuple[Choice, ...] = ()
    facts: JsonObject | None = None
    """The result as JSON, for programs."""
    sheet_answers: Mapping[str, object] = field(default_factory=dict)
    """The result as answers of the keeper's entry, to be carried over to the sheet."""


# Questions of the referee


@dataclass(frozen=True, slots=True)
class Context:
    """What a question is asked under: the table's rules, the names at the table, and what has been entered."""

    rules: Rules
    state: State
    default_names: tuple[str, ...] = ()
    """Names of seats where no sheet gives any, in the order of the compass from north."""
    names: tuple[str, ...] = ()
    """Names from a sheet in the order of its seats; empty without one."""
    seat_ids: tuple[str, ...] = ()
    """The ids of these seats on the sheet."""
    totals: Mapping[int, int] = field(default_factory=dict)
    """Totals from a sheet, by the index of the side."""
    dealer: int | None = None
    """The index of the seat that deals by the sheet."""

    def say(self, key: str, **facts: object) -> Phrase:
        """Return a phrase of the referee's pages: the game's own `asks.<key>`, or the shared one; it has hyphens."""
        return Phrase(f"asks.{key.replace('_', '-')}", facts)

    def with_state(self, state: State) -> Context:
        """Return the same context with another state."""
        return replace(self, state=state)

    def with_names(self, names: tuple[str, ...]) -> Context:
        """Return the same context with other names from a sheet, or none."""
        return replace(self, names=names)

    def seats(self, count: int) -> tuple[str, ...]:
        """Return the names of that many seats clockwise: those of the sheet where they fit, else the default ones."""
        if len(self.names) == count and len(set(self.names)) == count:
            return self.names
        return self.default_names[:count]


@dataclass(frozen=True, slots=True)
class Question:
    """One page of the referee. Its words are `asks.<name>.title`, `.help` and `.short` of the game."""

    names: tuple[str, ...]
    """The names of its state in the order of the address."""
    act: Callable[[Context, str, str], State]
    """Return the state after one action: a verb and a word, such as `tap` and `7H`."""
    page: Callable[[Context], Page]
    """Return what is shown. Raises Refused where the state describes no possible position."""
    longest: int = _LONGEST_QUERY

    @property
    def all_names(self) -> tuple[str, ...]:
        """Return every name of the state in the order of the address."""
        return (*SHARED_STATE, *self.names)

    def too_long(self, state: State) -> bool:
        """Return whether the state does not fit into an address."""
        return len(state.query(self.all_names)) > self.longest


def reasons_of(verdict: Verdict, remedy: Callable[[str], Remedy] | None = None) -> tuple[Reason, ...]:
    """Return what a verdict rests on: every breach and missing fact, else what allows the move.

    After the breaches comes what to do about them: the remedy of the verdict, or that of the first one by its code.
    """
    found: tuple[Statement, ...] = (*verdict.breaches, *verdict.missing)
    after = remedy(verdict.breaches[0].code) if remedy and verdict.breaches else verdict.remedy
    return tuple(Reason(one) for one in (*(found or verdict.because), *([after] if after else [])))


def decisive(verdict: Verdict) -> tuple[Breach | Missing | Because, ...]:
    """Return what decides a verdict: its breaches, else its missing facts, else what allows the move."""
    if verdict.breaches:
        return verdict.breaches
    return verdict.missing if verdict.value == UNDECIDED else verdict.because if verdict.value == LEGAL else ()


def grouped_reasons(verdicts: Mapping[_Subject, Verdict], *, fact: str = "card") -> tuple[Reason, ...]:
    """Return what is behind the verdicts on several cards or calls, each once with all it concerns; then remedies."""
    groups: dict[tuple[str, str, str], tuple[Breach | Missing | Because, list[_Subject]]] = {}
    for thing, verdict in verdicts.items():
        for one in decisive(verdict):
            code = one.code if isinstance(one, Breach) else one.fact if isinstance(one, Missing) else ""
            others = {name: value for name, value in one.facts.items() if name != fact}
            key = (one.article, code, repr(sorted(others.items(), key=str)))
            groups.setdefault(key, (one, []))[1].append(thing)
    order = {Missing: 0, Breach: 1, Because: 2}
    found = sorted(groups.values(), key=lambda each: order[type(each[0])])
    remedies = {one.remedy.article: one.remedy for one in verdicts.values() if one.remedy}
    return (*[Reason(one, tuple(things), fact) for one, things in found], *map(Reason, remedies.values()))


def finding_reasons(findings: Iterable[Finding]) -> tuple[Reason, ...]:
    """Return what a record shows, and then every remedy for it once."""
    listed = tuple(findings)
    remedies = {one.remedy.article: one.remedy for one in listed if one.remedy}
    return (*map(finding_reason, listed), *map(Reason, remedies.values()))


def finding_reason(finding: Finding) -> Reason:
    """Return a finding with the turn in which it happened and whose it was."""
    if "shown_by" in finding.facts or "turn" not in finding.facts:  # its sentence names both turns, or it has none
        return Reason(finding)
    return Reason(finding, around=Phrase("asks.found-at", {"turn": finding.facts["turn"], "name": finding.seat}))


def verdict_sign(judged: Judged) -> str:
    """Return the verdict on a recorded move as a sign: as it was then, and as later cards settled it."""
    then = MARKS[judged.verdict.value]
    return f"{then}→{MARKS[judged.settled]}" if judged.verdict.value == UNDECIDED and judged.settled else then


ACE_HIGH = ("A", *reversed(RANKS[1:]))
_Look = Callable[[Card, str], JsonObject]
"""Return changes to how a card is drawn, from the card and the name of its zone (empty where it is in none)."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards: its name in the state, its label, how many it holds, the mark on its cards."""

    name: str
    label: Text
    most: int = 52
    mark: Text = ""
    """Empty where the cards are numbered in their order."""
    copies: int = 1
    """How many of each card the packs have."""

    def is_full(self, count: int) -> bool:
        """Return whether it holds no more than this many cards; a single card gives way to another."""
        return self.most > 1 and count >= self.most


def active_zone(state: State, zones: Sequence[Zone]) -> Zone:
    """Return the zone that tapped cards go to: the one chosen, else the first."""
    return next((zone for zone in zones if zone.name == state.get("to")), zones[0])


def tap(state: State, zones: Sequence[Zone], word: str, *, jokers: tuple[str, ...] = ()) -> State:
    """Return the state after a tap: a card of which no copy is left leaves its zones, another enters the active one."""
    card = next(iter(read_cards([word], jokers=jokers)), None)
    if card is None or not zones:
        return state
    held = {each.name: state.cards(each.name, jokers=jokers, copies=each.copies) for each in zones}
    count, zone = sum(cards.count(card) for cards in held.values()), active_zone(state, zones)
    cards = held[zone.name]
    if count >= zone.copies or (count and zone.is_full(len(cards))):
        for name, laid in held.items():
            state = state.put_cards(name, (one for one in laid if one != card))
        return state
    if zone.is_full(len(cards)):
        return state
    return state.put_cards(zone.name, [card] if zone.most == 1 else (*cards, card))


def go_to(state: State, zones: Sequence[Zone], word: str) -> State:
    """Return the state with another active zone."""
    return state.put(to=word) if word in {zone.name for zone in zones} else state


def card_picker(
    state: State,
    zones: Sequence[Zone],
    cards: Iterable[Card],
    *,
    ranks: Sequence[str] = ACE_HIGH,
    jokers: tuple[str, ...] = (),
    look: _Look | None = None,
) -> Picker:
    """Return all cards of the pack, those in a zone marked; `look` has the last word on how a card is drawn.

    Where the active zone holds no more cards, only those in a zone can be tapped.
    """
    now = active_zone(state, zones) if zones else None
    laid = {zone.name: state.cards(zone.name, jokers=jokers, copies=zone.copies) for zone in zones}
    full = now is not None and now.is_full(len(laid[now.name]))
    held = {card: (zone, place) for zone in zones for place, card in enumerate(laid[zone.name])}

    def drawn(card: Card) -> Face:
        if card in held:
            zone, place = held[card]
            both = sum(cards.count(card) for cards in laid.values()) > 1
            mark = "×2" if both else zone.mark or str(place + 1)
            face = Face(card, f"tap:{card}", pressed=True, tone="taken", mark=mark, note=zone.label)
        else:
            face = Face(card, tone="gone") if full else Face(card, f"tap:{card}")
        if look is not None:
            face = replace(face, **look(card, held[card][0].name if card in held else ""))
        return face

    targets = [Target(f"to:{zone.name}", zone.label, len(laid[zone.name]), zone == now) for zone in zones]
    rows = tuple(tuple(map(drawn, row)) for row in in_rows(cards, ranks))
    return Picker(now.label if now else Phrase("asks.cards"), rows, tuple(targets) if len(targets) > 1 else ())


def in_rows(cards: Iterable[Card], ranks: Sequence[str] = ACE_HIGH) -> list[tuple[Card, ...]]:
    """Return cards by suit, each suit in the order of the ranks; jokers last."""
    left = set(cards)
    rows = [tuple(Card(rank, suit) for rank in ranks if Card(rank, suit) in left) for suit in SUITS]
    return [row for row in (*rows, tuple(sorted(card for card in left if not card.suit))) if row]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards sorted as they are shown in a hand."""
    return tuple(card for row in in_rows(cards) for card in row)


def faces(cards: Iterable[Card]) -> tuple[Face, ...]:
    """Return cards as they are shown, without buttons."""
    return tuple(Face(card) for card in cards)


MAX_COUNTS: Final = 16
COUNTS: Final = tuple(f"c{place}" for place in range(MAX_COUNTS))
"""Names of the numbers in the address, in the order in which a game asks for them."""
DEALERS: Final = ("b", "d")
"""Names of the last dealer and of the one who deals now."""
_MAX_CARDS: Final = 162


@dataclass(frozen=True, slots=True)
class DealCheck:
    """How a game checks a deal: what is counted, how many there should be, and the judge, all by index of the label."""

    labels: Sequence[Text]
    judge: Callable[[Mapping[int, int]], Verdict]
    expected: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class DealerCheck:
    """The seats and the judge of who deals after whom; `seats` is empty where a game does not ask."""

    seats: Sequence[str] = ()
    judge: Callable[[str, str], Verdict] = lambda last, seat: Verdict()


def choose_dealer(state: State, verb: str, word: str) -> State:
    """Return the state after somebody was named as the last dealer, or as the one who deals now."""
    if verb in ("last", "deals") and word.isdecimal() and len(word) == 1:
        name = {"last": "b", "deals": "d"}[verb]
        return state.put(**{name: None if state.get(name) == word else word})
    return state


def deal_page(
    context: Context,
    deal: DealCheck,
    dealer: DealerCheck,
    *,
    more: Sequence[AnswerSection] = (),
    picker: Picker | None = None,
) -> Page:
    """Return the numbers as they should be, the verdict on those entered, and whose deal it is."""
    entered = {
        place: count
        for place in range(len(deal.labels))
        if (count := context.state.number(COUNTS[place], high=_MAX_CARDS)) is not None
    }
    fields = tuple(Field(COUNTS[place], label, str(entered.get(place, ""))) for place, label in enumerate(deal.labels))
    texts = tuple(
        context.say("dealt-count", name=label, count=deal.expected[place])
        for place, label in enumerate(deal.labels)
        if place in deal.expected
    )
    verdict = deal.judge(entered)
    answers = [AnswerSection(context.say("dealt-right"), texts=texts)]
    bar: Text = context.say("dealt-start")
    value = ""
    if entered:
        bar, value = context.say(f"dealt-{verdict.value}"), verdict.value
        answers.insert(0, AnswerSection(bar, value, reasons=reasons_of(verdict)))
    deals = _dealer_answer(context, dealer)
    if deals is not None:
        answers.insert(0, deals)
        if not entered or deals.value == ILLEGAL:
            bar, value = deals.heading, deals.value
    for one in more:
        answers.insert(0, one)
        bar, value = one.heading, one.value
    return Page(bar, value, asks=_dealer_prompts(context, dealer), fields=fields, answers=tuple(answers), picker=picker)


def _dealer_answer(context: Context, dealer: DealerCheck) -> AnswerSection | None:
    """Return who deals after the last dealer, or whether the one who was named may."""
    last, now = (context.state.number(name, high=len(dealer.seats) - 1) for name in DEALERS)
    if last is None or not dealer.seats:
        return None
    before = dealer.seats[last]
    if now is not None:
        verdict = dealer.judge(before, dealer.seats[now])
        heading = context.say(f"deals-{verdict.value}", name=dealer.seats[now])
        return AnswerSection(heading, verdict.value, reasons=reasons_of(verdict))
    for seat in dealer.seats:
        verdict = dealer.judge(before, seat)
        if verdict.value == LEGAL:
            return AnswerSection(context.say("deals-legal", name=seat), LEGAL, reasons=reasons_of(verdict))
    return None


def _dealer_prompts(context: Context, dealer: DealerCheck) -> tuple[Prompt, ...]:
    if not dealer.seats:
        return ()
    prompts = []
    for name, verb in zip(DEALERS, ("last", "deals"), strict=True):
        now = context.state.get(name)
        if name == "b" or context.state.get("b"):
            choices = tuple(Choice(f"{verb}:{n}", seat, str(n) == now) for n, seat in enumerate(dealer.seats))
            prompts.append(Prompt(context.say(f"ask-{verb}"), (choices,)))
    return tuple(prompts)
