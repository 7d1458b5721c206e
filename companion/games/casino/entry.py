"""Enter a deal of Casino: who had the most, counts, or the captured cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.dialogue import (
    MARKS,
    Choice,
    Phrase,
    card_term,
    join_cards,
    joined_texts,
    read_cards,
    small_number,
)
from companion.engine.entry import (
    Answers,
    Entry,
    EntryQuestion,
    EntryStep,
    LedgerRow,
    Mode,
    Sitting,
    chosen_answer,
    next_step,
    number_choices,
)
from companion.engine.ledger import Before, Side, Standing
from companion.engine.problems import JsonObject
from companion.engine.verdict import LEGAL
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import (
    ACES,
    CLAIM,
    FIRST_OUT,
    UNCLAIMED,
    DealFacts,
    SideFacts,
    check_ending,
    deal_lines,
    from_cards,
    majorities_scored,
    most_points,
    single_spades,
    spades_in,
)
from companion.games.casino.table import full_pack

NOBODY: Final = "-"
_MAX_SWEEPS: Final = 12
_MODES: Final = ("most", "counts", "cards")
_SUITS: Final = "SHDC"
_MAJORITIES: Final = (("mc", "most_cards"), ("ms", "most_spades"))
_SINGLE_CARDS: Final = (("bt", "big_ten"), ("st", "spy_two"), ("sj", "spade_jack"), ("sa", "spade_ace"))
_ACE_SUITS: Final = "SCHD"


_Facts = dict[str, dict[str, object]]
"""The facts entered so far, by side."""


@dataclass(frozen=True, slots=True)
class _Entering:
    """A deal being entered: who plays by which rules, and the answers so far."""

    sitting: Sitting
    answers: Answers

    @property
    def rules(self) -> CasinoRules:
        rules: CasinoRules = self.sitting.rules
        return rules

    @property
    def sides(self) -> tuple[Side, ...]:
        return self.sitting.sides

    def side_choices(self) -> tuple[Choice, ...]:
        """Return a button for each side."""
        return tuple(Choice(str(place), self.sitting.side_name(side)) for place, side in enumerate(self.sides))

    def holders(self) -> tuple[tuple[Choice, ...], ...]:
        """Return buttons for the sides, and for nobody."""
        return (self.side_choices(), (Choice(NOBODY, Phrase("entry.nobody")),))

    @property
    def claimed(self) -> bool:
        """Return whether somebody claimed the target and stopped the deal."""
        return self.rules.ending == "claim" and self.answers.get("cl", NOBODY) != NOBODY

    @property
    def unclaimed(self) -> int:
        """Return how many cards nobody took, in a recorded deal in which some did."""
        return small_number(self.answers.get("un")) or 0

    def majorities(self) -> tuple[tuple[Choice, ...], ...]:
        """Return buttons for each side alone, and for every way to share the most."""
        shared = [
            Choice(
                "+".join(str(place) for place, _ in some),
                Phrase("entry.shared", {"names": " = ".join(self.sitting.side_name(side) for _, side in some)}),
            )
            for size in range(2, len(self.sides) + 1)
            for some in combinations(enumerate(self.sides), size)
        ]
        return (self.side_choices(), tuple(shared))

    def about(self, key: str, fact: str, groups: tuple[tuple[Choice, ...], ...]) -> EntryQuestion:
        """Return a question about one thing that somebody has, with its short name."""
        name = f"entry.{fact.replace('_', '-')}"
        answer = chosen_answer(self.answers.get(key), groups)
        return EntryQuestion(key, Phrase(name), groups, answer, short=Phrase(f"{name}-short"))

    def ace(self, suit: str) -> EntryQuestion:
        """Return the question who took one of the aces."""
        card, groups = {"card": card_term(Card("A", suit))}, (self.side_choices(),)
        answer = chosen_answer(self.answers.get(f"a{suit}"), groups)
        return EntryQuestion(
            f"a{suit}", Phrase("entry.ace", card), groups, answer, short=Phrase("entry.ace-short", card)
        )

    def number(
        self, key: str, fact: str, side: Side, groups: tuple[tuple[Choice, ...], ...], computed: str | None = None
    ) -> EntryQuestion:
        """Return a question about a number of one side; `computed` is the answer that follows from the others."""
        label = Phrase(f"entry.{fact}-of", {"name": self.sitting.side_name(side)})
        answer = chosen_answer(self.answers.get(key), groups)
        follows = answer is None and computed is not None
        return EntryQuestion(key, label, groups, computed if follows else answer, follows, side=side.id)


def step(sitting: Sitting, answers: Answers) -> EntryStep:
    """Return the next question of the open deal, in the way in which the last deal was entered."""
    return _step(_Entering(sitting, {"by": _latest_mode(sitting), **answers}))


def correction(sitting: Sitting, facts: JsonObject | None, answers: Answers) -> EntryStep:
    """Return the step of a recorded deal, its facts filled in.

    Answers that only repeat what is recorded are left out of the step: they may follow from those that changed.
    """
    given = {} if facts is None else _given(sitting, facts, answers)
    found = _step(_Entering(sitting, given | dict(answers)))
    kept = {name: text for name, text in (found.answers or {}).items() if name in answers or given.get(name) != text}
    return replace(found, answers=kept)


ENTRY: Final = Entry(step, correction)


def _latest_mode(sitting: Sitting) -> str:
    """Return how the last deal was entered: a table that counts its cards goes on counting them."""
    last = next((facts for facts in reversed(sitting.deals) if not facts.get("void")), None)
    return _MODES[0] if last is None else _mode(last.get(side.id, {}) for side in sitting.sides)


def _mode(entries: Iterable[JsonObject]) -> str:
    keys = {key for entry in entries for key in entry}
    return "cards" if "captured" in keys else "counts" if "cards" in keys else "most"


def _step(entering: _Entering) -> EntryStep:
    # Where enough spades are points for every side that has them, who had the most does not say it. Of a deal that a
    # claim stopped, the rest lies about: it is counted.
    first = 0 if entering.rules.spades_minimum is None else 1
    modes = _MODES[1:2] if entering.claimed else _MODES[first:]
    chosen = entering.answers.get("by", "")
    current = chosen if chosen in modes else modes[0]
    choices = [Mode(each, Phrase(f"entry.by-{each}"), each == current) for each in modes]
    return _by_cards(entering, choices) if current == "cards" else _by_questions(entering, current, choices)


def _by_questions(entering: _Entering, mode: str, modes: list[Mode]) -> EntryStep:
    rules = entering.rules
    facts: _Facts = {side.id: {} for side in entering.sides}
    questions = _claims(entering)
    if mode == "most":
        for key, fact in _MAJORITIES:
            if fact == "most_spades" and rules.each_spade_points:
                questions += _counts(entering, key, "spades", spades_in(rules), facts)
            elif fact.removeprefix("most_") in majorities_scored(rules, len(entering.sides)):
                questions.append(_holder(entering, key, fact, entering.majorities(), facts))
    else:
        questions += _counts(entering, "mc", "cards", len(full_pack(rules)) - entering.unclaimed, facts)
        questions += _counts(entering, "ms", "spades", spades_in(rules), facts)
    for key, fact in _SINGLE_CARDS:
        if fact.startswith("spade_") and fact not in single_spades(rules):
            continue
        questions.append(_holder(entering, key, fact, entering.holders(), facts))
    questions += _counts(entering, "ac", "aces", ACES, facts)
    questions += _extras(entering, facts)
    whole: dict[str, object] = dict(facts)
    if entering.unclaimed:
        whole[UNCLAIMED] = entering.unclaimed
        groups = (number_choices(0, len(full_pack(rules))),)
        label = Phrase("entry.unclaimed")
        questions.append(EntryQuestion("un", label, groups, chosen_answer(entering.answers["un"], groups)))
    elif mode == "counts" and not entering.claimed and not any(entry.get("cards") for entry in facts.values()):
        whole[UNCLAIMED] = len(full_pack(rules))  # cards that nobody took are a fact of their own (CASINO-903)
    return _finished(entering, questions, {**entering.answers, "by": mode}, whole, facts, modes)


def _claims(entering: _Entering) -> list[EntryQuestion]:
    """Return the question who claimed the target, where it is claimed at all."""
    return [entering.about("cl", CLAIM, entering.holders())] if entering.rules.ending == "claim" else []


def _finished(
    entering: _Entering, questions: list[EntryQuestion], answers: Answers, whole: dict[str, object], facts: _Facts,
    modes: list[Mode],
) -> EntryStep:  # fmt: skip
    """Return the step after the questions about every deal: who was first at the target, where that must be told."""
    place = {str(place): side.id for place, side in enumerate(entering.sides)}
    if entering.claimed:
        whole[CLAIM] = place.get(entering.answers["cl"])
    if all(question.answer is not None for question in questions):
        sides = {side: _side_facts(entry) for side, entry in facts.items()}
        standing = {side.id: Standing(entering.sitting.totals.get(side.id, 0)) for side in entering.sides}
        sitting = entering.sitting
        before = Before(standing, irregularities=sitting.irregularities, adjustments=sitting.adjustments)
        codes = {one.code for one in check_ending(entering.rules, DealFacts(sides), before)}
        if "first-out-needed" in codes:
            question = entering.about("fo", FIRST_OUT, (entering.side_choices(),))
            questions.append(question)
            whole[FIRST_OUT] = place.get(question.answer or "")
        holders = [answers.get(f"a{suit}") for suit in _ACE_SUITS]
        agree = None not in holders and all(
            holders.count(holder) == facts[side].get("aces") for holder, side in place.items()
        )
        if "aces-needed" in codes or agree:
            found = [entering.ace(suit) for suit in _ACE_SUITS]
            questions = [one for one in questions if one.id != "sa"] + found
            for side, holder in zip(entering.sides, place, strict=True):
                suits = [suit for suit, one in zip(_ACE_SUITS, found, strict=True) if one.answer == holder]
                ace = {"spade_ace": "S" in suits} if "spade_ace" in facts[side.id] else {}
                whole[side.id] = {**facts[side.id], "aces": suits, **ace}
    return _drawn(entering, next_step(questions, answers, whole, modes=modes), facts)


def _counts(entering: _Entering, key: str, fact: str, total: int, facts: _Facts) -> Iterator[EntryQuestion]:
    """Yield a count for each side; the only one that was not answered is what the others leave."""
    sides, choices = entering.sides, (number_choices(0, total),)
    counts = [chosen_answer(entering.answers.get(f"{key}{place}"), choices) for place in range(len(sides))]
    left = total - sum(int(count) for count in counts if count is not None)
    follows = not entering.claimed and (fact == "cards" or not entering.unclaimed)
    computed = str(left) if counts.count(None) == 1 and left >= 0 and follows else None
    for place, side in enumerate(sides):
        question = entering.number(f"{key}{place}", fact, side, choices, computed)
        yield question
        if question.answer is not None:
            facts[side.id][fact] = int(question.answer)


def _holder(
    entering: _Entering, key: str, fact: str, groups: tuple[tuple[Choice, ...], ...], facts: _Facts
) -> EntryQuestion:
    """Return the question who has something, with what its answer says of each side among the facts."""
    question = entering.about(key, fact, groups)
    holders = (question.answer or "").split("+")
    for place, side in enumerate(entering.sides):
        facts[side.id][fact] = str(place) in holders
    return question


def _extras(entering: _Entering, facts: _Facts) -> Iterator[EntryQuestion]:
    """Yield sweeps and the last capture, where the rules score them."""
    if entering.rules.sweep:
        for place, side in enumerate(entering.sides):
            question = entering.number(f"sw{place}", "sweeps", side, (number_choices(0, _MAX_SWEEPS),))
            yield question
            facts[side.id]["sweeps"] = int(question.answer or 0)
    if entering.rules.last_capture_points:
        yield _holder(entering, "lc", "last_capture", entering.holders(), facts)


def _by_cards(entering: _Entering, modes: list[Mode]) -> EntryStep:
    """Return the step that asks for the captured cards of all sides but the last, which has the rest.

    Where nobody took some, those are the rest.
    """
    free = sorted(full_pack(entering.rules), key=lambda card: (_SUITS.index(card.suit), card.pips))
    facts: _Facts = {}
    questions = _claims(entering)
    done, opened = entering.answers.get("kd", ""), entering.answers.get("ask", "")
    for place, side in enumerate(entering.sides if entering.unclaimed else entering.sides[:-1]):
        key = f"k{place}"
        if opened == key:  # to be changed: open until it is called complete again, and the piles after it too
            done = done[:place]
        chosen = [card for card in read_cards(entering.answers.get(key, "").split(".")) if card in free]
        label = Phrase("entry.captured-by", {"name": entering.sitting.side_name(side)})
        counted = joined_texts((label, f" ({len(chosen)})"), "")
        finished = len(done) > place
        shown = joined_texts(map(card_term, chosen))
        answer = join_cards(chosen) if finished else None
        questions.append(EntryQuestion(key, counted, _card_buttons(free, chosen), answer, shown=shown))
        facts[side.id] = {"captured": [str(card) for card in chosen]}
        if not finished:
            found = next_step(questions, {**entering.answers, "kd": done}, {}, modes=modes)
            complete = ("kd", Choice(done + "1", Phrase("entry.captured-done")))
            return _drawn(entering, replace(found, done=complete), facts)
        free = [card for card in free if card not in chosen]
    whole: dict[str, object] = {UNCLAIMED: len(free)} if entering.unclaimed else {}
    if not entering.unclaimed:
        facts[entering.sides[-1].id] = {"captured": [str(card) for card in free]}
    questions += _extras(entering, facts)
    return _finished(entering, questions, entering.answers, facts | whole, facts, modes)


_LEDGER: Final = (
    ("mc", "most-cards", ("cards", "most_cards"), (a.MOST_CARDS.id,)),
    ("ms", "most-spades", ("spades", "most_spades"), (a.MOST_SPADES.id, a.ENOUGH_SPADES.id, a.EACH_SPADE.id)),
    ("bt", "big-ten", ("big_ten",), (a.BIG_TEN.id,)),
    ("st", "spy-two", ("spy_two",), (a.SPY_TWO.id,)),
    ("sj", "spade-jack", ("spade_jack",), (a.SPADE_JACK.id,)),
    ("sa", "spade-ace", ("spade_ace",), (a.SPADE_ACE.id,)),
    ("ac", "aces", ("aces",), (a.ACES.id,)),
    ("sw", "sweeps", ("sweeps",), (a.SWEEPS.id,)),
    ("lc", "last-capture", ("last_capture",), (a.LAST_CAPTURE.id,)),
)
"""How the questions about a row of the ledger begin, its name, its facts, and the articles of its points."""


def _drawn(entering: _Entering, step: EntryStep, facts: _Facts) -> EntryStep:
    """Return a step with the ledger of what each side has taken so far, and what that is worth.

    What a side gets for being the only one with scoring cards is left out: those of the others may still be entered.
    """
    rules = replace(entering.rules, shutout=False)
    sides = {side.id: _side_facts(facts.get(side.id, {})) for side in entering.sides}
    claim = entering.sides[0].id if entering.claimed else None  # whoever it was: only certain majorities count then
    lines = deal_lines(rules, DealFacts(sides, claim=claim))
    asked = step.question.id if step.question else ""
    worth = {"sweeps": rules.sweep, "last_capture": rules.last_capture_points, "spades": rules.each_spade_points}
    scored = {fact for fact, points in worth.items() if points} | {"big_ten", "spy_two", "aces"}
    scored |= {*majorities_scored(rules, len(sides)), *single_spades(rules)}
    rows = []
    for start, name, counted, articles in _LEDGER:
        cells = []
        for side, own in sides.items():
            value = next((value for fact in counted if (value := getattr(own, fact))), "")
            own_lines = [one for one in lines[side] if one.article in articles or one.facts.get("item") == counted[0]]
            cells.append((MARKS[LEGAL] if value is True else str(value), sum(line.points for line in own_lines)))
        if counted[0] in scored or (start in ("mc", "ms") and any(text for text, _ in cells)):
            rows.append(LedgerRow(Phrase(f"print.{name}"), tuple(cells), asked.startswith(start)))
    sums = ((str(sum(line.points for line in lines[side])), 0) for side in sides)
    hint = Phrase("entry.points-in-all", {"points": most_points(rules, len(sides)), "sweeps": rules.sweep})
    return replace(step, hint=hint, rows=(*rows, LedgerRow(Phrase("entry.points"), tuple(sums))))


def _side_facts(entry: dict[str, object]) -> SideFacts:
    """Return what is known of a side; a count that is not known yet is None, or nothing."""
    captured = entry.get("captured")
    if isinstance(captured, list):
        own = from_cards(tuple(read_cards(captured)))
    else:
        own = SideFacts(None, None, 0, big_ten=False, spy_two=False)
    known: dict[str, Any] = {key: value for key, value in entry.items() if key != "captured"}
    return replace(own, **known)


def _card_buttons(free: list[Card], chosen: list[Card]) -> tuple[tuple[Choice, ...], ...]:
    """Return a row for each suit; a button adds its card to the list or takes it out."""
    rows = []
    for suit in _SUITS:
        row = []
        for card in (one for one in free if one.suit == suit):
            after = [one for one in chosen if one != card] if card in chosen else [*chosen, card]
            row.append(Choice(join_cards(after), card_term(card), card in chosen, f"suit-{suit.lower()}"))
        rows.append(tuple(row))
    return tuple(rows)


def _given(sitting: Sitting, facts: JsonObject, answers: Answers) -> dict[str, str]:
    """Return the answers behind recorded facts; one count of those that add up follows from the others again.

    That is the last one; of two sides the one whose count is not being corrected.
    """
    rules: CasinoRules = sitting.rules
    entries: list[JsonObject] = [facts.get(side.id, {}) for side in sitting.sides]
    pack, unclaimed = len(full_pack(rules)), int(facts.get(UNCLAIMED, 0))
    if unclaimed == pack:
        unclaimed = 0  # it follows, where nobody has a card
    given = {"by": _mode(entries)} | ({"un": str(unclaimed)} if unclaimed else {})
    if given["by"] == "cards":
        asked = entries if unclaimed else entries[:-1]
        given |= {f"k{place}": ".".join(entry["captured"]) for place, entry in enumerate(asked)}
        given["kd"] = "1" * len(asked)
    else:
        for key, fact in (*_MAJORITIES, *_SINGLE_CARDS):
            given[key] = "+".join(str(place) for place, entry in enumerate(entries) if entry.get(fact)) or NOBODY
        totals = [("mc", "cards", pack - unclaimed), ("ms", "spades", spades_in(rules)), ("ac", "aces", ACES)]
        for key, fact, total in totals:
            counts = {f"{key}{place}": _count(entry[fact]) for place, entry in enumerate(entries) if fact in entry}
            follows = facts.get(CLAIM) is None and (key == "mc" or not unclaimed)
            if follows and len(counts) == len(entries) and sum(counts.values()) == total:
                only_last = len(entries) == 2 and answers.keys() & counts.keys() == {f"{key}1"}
                counts.pop(f"{key}0" if only_last else f"{key}{len(entries) - 1}")
            given |= {name: str(count) for name, count in counts.items()}
    given |= {f"sw{place}": str(entry["sweeps"]) for place, entry in enumerate(entries) if "sweeps" in entry}
    for suit in _ACE_SUITS:
        held = [str(place) for place, entry in enumerate(entries) if suit in _suits(entry)]
        given |= {f"a{suit}": held[0]} if held else {}
    given |= {"sa": given["aS"]} if "aS" in given else {}
    places = {side.id: str(place) for place, side in enumerate(sitting.sides)}
    given |= {"fo": places[facts[FIRST_OUT]]} if facts.get(FIRST_OUT) in places else {}
    last = [str(place) for place, entry in enumerate(entries) if entry.get("last_capture")]
    return given | {"lc": last[0] if last else NOBODY, "cl": places.get(facts.get(CLAIM, ""), NOBODY)}


def _suits(entry: JsonObject) -> Sequence[str]:
    """Return the suits of a side's aces, where they were told."""
    suits = entry.get("aces")
    return suits if isinstance(suits, list) else ()


def _count(value: object) -> int:
    """Return a recorded count: of aces that were told by their suits, how many."""
    return len(value) if isinstance(value, list) else int(str(value))
