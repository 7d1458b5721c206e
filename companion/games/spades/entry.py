"""Entering a deal of Spades: calls seat by seat, then tricks; what follows from the rest is filled in and marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from companion.engine.dialogue import Choice, Joined, Phrase, Prompt, Sentence, Term, Text, joined_texts, small_number
from companion.engine.entry import (
    Answered,
    Answers,
    Entry,
    EntryQuestion,
    EntryStep,
    LedgerRow,
    Sitting,
    next_step,
    number_choices,
)
from companion.engine.ledger import Side, is_void, team_name
from companion.engine.problems import JsonObject, Node
from companion.engine.shapes import Attributes
from companion.engine.verdict import Breach
from companion.games.spades.bidding import (
    RULES_OF_BIDS,
    Bids,
    NilEntry,
    SideEntry,
    call_menu,
    judge_call,
    nils_played,
    settled_by_side,
    sums_of_spades,
)
from companion.games.spades.rules import SpadesRules
from companion.games.spades.score import bids_itself, may_score_last_tricks, result_of
from companion.games.spades.table import (
    DUMMY_TRICKS,
    NIL_CALLS,
    NORMAL,
    TIME_UP,
    Call,
    NilFacts,
    Position,
    SideFacts,
    Table,
    call_facts,
    pack_of,
    read_calls,
)

_NONE: Final = "-"


def step(sitting: Sitting, answers: Answers) -> EntryStep:
    """Return the next step of the open deal: a call, then counts, then the facts."""
    if _bids_itself(sitting):
        uncalled: dict[str, SideEntry] = {side.id: {} for side in sitting.sides}
        return _count_step(Counting(sitting, uncalled, answers), ())
    bids = _bids(sitting)
    change = small_number(answers.get("change"))
    if change is not None and change >= len(bids.calls):
        change = None
    if change is not None or not bids.over:
        return _call_step(sitting, bids, change)
    return _count_step(Counting(sitting, settled_by_side(bids, sitting.sides), answers), _calls_made(sitting, bids))


def _bids(sitting: Sitting) -> Bids:
    """Return the calls of the deal."""
    return _read_bids(Table(sitting.rules, sitting.seating, sitting.dealer), sitting.calls)


def _bids_itself(sitting: Sitting) -> bool:
    scored = sum(not is_void(facts) for facts in sitting.deals)
    return bids_itself(sitting.rules, scored, carried_over=bool(sitting.opening))


# Calls ---------------------------------------------------------------------------------------------------------------


def _call_step(sitting: Sitting, bids: Bids, change: int | None) -> EntryStep:
    """Return the step that asks for the next call, or for the one at an index that is to be changed."""
    table, rules = bids.table, bids.table.rules
    before = bids if change is None else Bids(table, bids.calls[:change])
    seat, side = before.caller()
    if change is not None:
        seat, side = bids.calls[change].seat, bids.calls[change].side or ""
    elif seat is not None:
        seat = before.turn[0][-1]  # the others are partners of a blind number or a moon
        side = table.side(seat)
    menu = call_menu(before, seat, side)
    numbers = menu.numbers[rules.lowest_bid :]
    objection = _objections(sitting, before)
    groups = [tuple(_call_choice(objection, call, Term("call", call.spoken)) for call in numbers)]
    nils = tuple(_nil_choice(sitting, objection, call, seat) for call in menu.nils)
    special = tuple(_call_choice(objection, call, Term("call", call.spoken)) for call in menu.special)
    passes = tuple(Choice(call.word, Phrase("entry.pass")) for call in menu.passes)
    groups += [group for group in (nils, special, passes) if group]
    who = sitting.names[seat] if seat else _side_name(sitting, table, side)
    prompt = Prompt(
        Phrase("entry.calls", {"name": who}), tuple(groups), f"seat:{seat}" if seat else f"side:{side}", place=change
    )
    bid = [bids.contract(table.side(each.players[0])) for each in sitting.sides]
    texts = []
    for number, each in zip(bid, sitting.sides, strict=True):
        final = bids.by_sides or all(seat in bids.by_seat or bids.silent(seat) for seat in each.players)
        texts.append("" if number is None else f"{number}{'' if final else '+'}")
    rows = _ledger(texts, [""] * len(bid))
    return EntryStep("call", _calls_made(sitting, bids), prompt, _bid_hint(rules, bid), rows=rows)


def _bid_hint(rules: SpadesRules, bid: Iterable[int | None], *, over: bool = False) -> Text:
    """Return how many of all tricks are bid, or that it is too few; empty before the first number."""
    total = sum(number or 0 for number in bid)
    if over and rules.least_total is not None and total < rules.least_total:
        return Phrase("entry.thrown-in", {"total": total, "least": rules.least_total})
    left = rules.tricks - total
    facts = {"total": total, "tricks": rules.tricks, "left": left, "over": -left}
    return Phrase("entry.bids-so-far", facts) if total else ""


def _ledger(bid: Iterable[str], taken: Iterable[str]) -> tuple[LedgerRow, ...]:
    """Return what each side bid and took."""
    rows = (("entry.bid", bid), ("entry.taken", taken))
    return tuple(LedgerRow(Phrase(name), tuple((text, 0) for text in texts)) for name, texts in rows)


_Objection = Callable[[Call], Text]
"""Returns what the rules say against a call, empty where they allow it."""


def _objections(sitting: Sitting, bids: Bids) -> _Objection:
    """Return the objections to whatever is called after these calls."""
    totals = {bids.table.side(side.players[0]): sitting.totals.get(side.id, 0) for side in sitting.sides}
    position = Position(bids.table, "bidding", totals=totals, calls=bids.calls)

    def objection(call: Call) -> Text:
        breaches = judge_call(position, call, bids).breaches or _wrong_sum(Bids(bids.table, (*bids.calls, call)))
        return Sentence(breaches[0]) if breaches else ""

    return objection


def _wrong_sum(bids: Bids) -> tuple[Breach, ...]:
    """Return that all bids together are not the spades in play, where they must be (MIR-002)."""
    sums = sums_of_spades(bids.table.rules)
    if sums is None or not bids.over or bids.total in sums:
        return ()
    facts = {"total": bids.total, "low": sums[0], "high": sums[-1]}
    return (Breach(RULES_OF_BIDS[bids.table.rules.bidding_rule].id, "mirror-total", facts),)


def _call_choice(objection: _Objection, call: Call, label: Text, value: str = "") -> Choice:
    """Return the button of a call; one that the rules forbid is marked, and can be pressed all the same."""
    note = objection(call)
    if isinstance(note, Sentence) and isinstance(note.found, Breach):
        small = Phrase("entry.odd", {**note.found.facts, "code": note.found.code})
        return Choice(value or str(call.spoken), label, tone="odd", note=note, small=small)
    return Choice(value or str(call.spoken), label)


def _nil_choice(sitting: Sitting, objection: _Objection, call: Call, seat: str | None) -> Choice:
    label = Term("call", call.word)
    if seat is not None:
        return _call_choice(objection, call, label)
    owner = call.seat or ""
    return _call_choice(objection, call, Joined((f"{sitting.names[owner]}:", label)), f"{owner}/{call.word}")


def _calls_made(sitting: Sitting, bids: Bids) -> tuple[Answered, ...]:
    """Return the calls so far, each with what the rules say against it."""
    made = []
    for place, call in enumerate(bids.calls):
        who = sitting.names[call.seat] if call.seat else _side_name(sitting, bids.table, call.side or "")
        mark = _objections(sitting, Bids(bids.table, bids.calls[:place]))(call)
        article = (mark.found.article if isinstance(mark, Sentence) else None) or ""
        caller = call.seat or bids.table.members(call.side or "")[0]
        side = next((each.id for each in sitting.sides if caller in each.players), "")
        value = Term("call", str(call.spoken))
        made.append(
            Answered(f"change={place}", who, value, mark=mark, article=article, side=side, seat=call.seat or "")
        )
    return tuple(made)


def _side_name(sitting: Sitting, table: Table, side: str) -> str:
    return team_name(sitting.names[seat] for seat in table.members(side))


# Counts --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Counting:
    """A deal that is being counted: what each side called, and the answers so far."""

    sitting: Sitting
    called: Mapping[str, SideEntry]
    answers: Answers

    def nils(self, side: Side) -> list[tuple[str, NilEntry]]:
        """Return the nils of a side, each behind the question that asks for its tricks; some may name no player."""
        nils = self.called[side.id].get("nils", ())
        return [(f"n{nil.get('player') or f'{side.id}.{place}'}", nil) for place, nil in enumerate(nils)]


def _count_step(counting: Counting, made: tuple[Answered, ...]) -> EntryStep:
    """Return the step that counts tricks side by side, then those of each nil player, then the last tricks."""
    facts: Attributes = {}
    step = next_step(_counted(counting, facts), counting.answers, facts)
    rules, bid = counting.sitting.rules, [counting.called[side.id].get("bid") for side in counting.sitting.sides]
    taken, _ = _tricks(counting)
    rows = _ledger(*([_text(number) or "" for number in row] for row in (bid, taken)))
    hint = _bid_hint(rules, bid, over=True)
    if taken != [None] * len(bid) and step.question and step.question.id in [f"t{place}" for place in range(len(bid))]:
        hint = Phrase("entry.tricks-left", {"left": rules.tricks - sum(filter(None, taken))})
    return replace(step, said=(*made, *step.said), hint=hint, rows=rows)


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _counted(counting: Counting, facts: Attributes) -> Iterator[EntryQuestion]:
    """Yield what is counted, one after the other, and fill in the facts of what is known."""
    sitting, answers = counting.sitting, counting.answers
    tricks, computed = _tricks(counting)
    for place, side in enumerate(sitting.sides):
        label = Phrase("entry.tricks-of", {"name": sitting.side_name(side)})
        choices = _trick_choices(sitting.rules, place, tricks)
        yield EntryQuestion(f"t{place}", label, (choices,), _text(tricks[place]), place == computed, side=side.id)
    for own, side in zip(tricks, sitting.sides, strict=True):
        facts[side.id] = {**counting.called[side.id], "tricks": own}
        facts[side.id].pop("nils", None)
        for question, nil in counting.nils(side):
            count, follows = _nil_tricks(counting, side, question, own or 0)
            seat = nil.get("player", "")
            label = Phrase("entry.tricks-of-nil", {"name": sitting.names.get(seat, sitting.side_name(side))})
            choices = number_choices(0, own or 0)
            yield EntryQuestion(question, label, (choices,), _text(count), follows, side=side.id, seat=seat)
            facts[side.id]["nils"] = [*facts[side.id].get("nils", ()), {**nil, "tricks": count}]
    if sitting.rules.mode == "duo_dummy":
        facts[DUMMY_TRICKS] = left = sitting.rules.tricks - sum(filter(None, tricks))
        yield EntryQuestion("", Phrase("entry.tricks-of-dummy"), (), str(left), computed=True)
    yield from _last_tricks(counting, facts)
    clock = answers.get(TIME_UP)
    if clock or answers.get("ask") == TIME_UP:
        choices = tuple(Choice(word, Phrase(f"entry.{said}")) for word, said in (("y", "yes"), ("n", "no")))
        answer = ("y" if clock == "y" else "n") if clock else None
        yield EntryQuestion(TIME_UP, Phrase("entry.time-up"), (choices,), answer)
    if clock == "y":
        facts[TIME_UP] = True


def _tricks(counting: Counting) -> tuple[list[int | None], int | None]:
    """Return tricks by side, and the index of a last count that is what the others leave."""
    rules, count = counting.sitting.rules, len(counting.sitting.sides)
    tricks = [small_number(counting.answers.get(f"t{place}")) for place in range(count)]
    unknown = [place for place, number in enumerate(tricks) if number is None]
    left = rules.tricks - sum(number or 0 for number in tricks)
    if len(unknown) == 1 and rules.mode != "duo_dummy" and left >= 0:
        tricks[unknown[0]] = left
        return tricks, unknown[0]
    return tricks, None


def _nil_tricks(counting: Counting, side: Side, question: str, own: int) -> tuple[int | None, bool]:
    """Return a nil player's tricks, and whether they follow: of none, of a side alone, of two nils."""
    given = small_number(counting.answers.get(question))
    if given is not None:
        return given, False
    if own == 0:
        return 0, True
    if len(side.players) == 1:
        return own, True
    partners = [other for other, _ in counting.nils(side) if other != question]
    other = small_number(counting.answers.get(partners[0])) if len(partners) == 1 else None
    return (None, False) if other is None or other > own else (own - other, True)


def _trick_choices(rules: SpadesRules, place: int, tricks: list[int | None]) -> tuple[Choice, ...]:
    others = sum(filter(None, tricks)) - (tricks[place] or 0)
    return tuple(
        replace(choice, tone="odd" if number + others > rules.tricks else "")
        for number, choice in enumerate(number_choices(0, rules.tricks))
    )


def _last_tricks(counting: Counting, facts: Attributes) -> Iterator[EntryQuestion]:
    """Yield the question about the high trumps of the last tricks, where they can score for a side."""
    answers = counting.answers
    rules, sides, first_hand = counting.sitting.rules, counting.sitting.sides, _bids_itself(counting.sitting)
    exact = []
    for index, side in enumerate(sides):
        entry = facts[side.id]
        nils = tuple(NilFacts(nil["call"], nil["tricks"]) for nil in entry.get("nils", ()))
        counted = SideFacts(entry.get("bid"), entry["tricks"], entry.get("call", NORMAL), nils)
        if may_score_last_tricks(rules, counted, result_of(rules, counted, first_hand=first_hand)):
            exact.append(index)
    if not exact:
        return
    pack = pack_of(rules)
    high = [str(card) for card in pack.trumps if pack.high_trump(card)]
    winner, _, cards = answers.get("last", "").partition(".")
    place = small_number(winner)
    chosen = [card for card in cards.split(".") if card in high]
    if place is not None and place < len(sides) and chosen:
        facts[sides[place].id]["last_tricks"] = chosen
    groups: list[tuple[Choice, ...]] = [(Choice("", Phrase("entry.none")),)]
    if chosen:
        groups = [(Choice(f"{winner}.{'.'.join(chosen)}.", Phrase("entry.done")),)]
    end = "" if rules.last_sequence_bonus else "."  # the last trick alone counts: one card says it all
    groups += [
        tuple(
            Choice(
                f"{index}.{'.'.join([*chosen, card])}{end}",
                Joined((f"{counting.sitting.side_name(sides[index])}:", Term("card", card))),
            )
            for card in reversed(high)
            if chosen.count(card) < pack.copies
        )
        for index in exact
        if not chosen or place == index
    ]
    last = answers.get("last") if answers.get("ask") != "last" else None
    answer = last if last is not None and (not last or last.endswith(".")) else None
    shown = Term("cards", chosen) if chosen else Phrase("entry.none")
    yield EntryQuestion("last", Phrase("entry.last-tricks"), tuple(groups), answer, shown=shown)


# Corrections ---------------------------------------------------------------------------------------------------------


def correction(sitting: Sitting, facts: JsonObject | None, answers: Answers) -> EntryStep:
    """Return the step of a recorded deal: every fact is a question of its own, filled in as recorded.

    A void deal has no facts; it begins from its calls if all were made.
    """
    sides = any(name[:1] in ("b", "c") for name in answers)
    if facts is None:
        called = _bids(sitting)
        facts = settled_by_side(called, sitting.sides) if called.over else {}
    bids = None if sides else _bids_behind(sitting, facts)
    changed = _with_answers(sitting, bids, answers) if bids else ()
    if bids and changed != sitting.calls:
        bids = _read_bids(bids.table, changed)
        facts = {
            id_: _with_calls(facts.get(id_, {}), settled)
            for id_, settled in settled_by_side(bids, sitting.sides).items()
        }
    found = _correction(sitting, facts, answers, bids)
    calls = changed if bids and changed != sitting.calls else None
    return replace(found, answers={name: item for name, item in answers.items() if name != "ask"}, calls=calls)


def _read_bids(table: Table, calls: Sequence[JsonObject]) -> Bids:
    return Bids(table, read_calls(Node([dict(call) for call in calls]), table))


def _bids_behind(sitting: Sitting, facts: JsonObject) -> Bids | None:
    """Return the calls of a recorded deal; None where there are none, or its facts are no longer what they settle."""
    bids = _bids(sitting)
    for side, settled in settled_by_side(bids, sitting.sides).items():
        entry = facts.get(side, {})
        if not bids.calls or _with_calls(entry, settled) != _with_calls(entry, cast(SideEntry, entry)):
            return None
    return bids


def _with_calls(entry: JsonObject, called: SideEntry) -> SideEntry:
    """Return the facts of a side with other calls; whoever was nil before has the same tricks."""
    tricks = {nil.get("player"): nil["tricks"] for nil in entry.get("nils", ()) if "tricks" in nil}
    nils = [
        cast(NilEntry, {**nil, "tricks": tricks[nil["player"]]} if nil.get("player") in tricks else dict(nil))
        for nil in called.get("nils", ())
    ]
    kept = {key: item for key, item in entry.items() if key not in ("bid", "call", "nils")}
    found = kept | {key: called[key] for key in ("bid", "call") if called.get(key) not in (None, NORMAL)}
    return cast(SideEntry, found | ({"nils": nils} if nils else {}))


def _with_answers(sitting: Sitting, bids: Bids, answers: Answers) -> tuple[JsonObject, ...]:
    """Return the calls of a recorded deal as they are answered now."""
    changed = list(sitting.calls)
    for place, call in enumerate(changed):
        if word := answers.get(f"k{place}", ""):
            seat, slash, rest = word.partition("/")
            caller = {"seat": seat} if slash else {key: call[key] for key in ("seat", "side") if key in call}
            word = rest if slash else word
            number = small_number(word)
            changed[place] = {**caller, "call": word if number is None else number, **call_facts(word)}
    return tuple(changed) if len(_read_bids(bids.table, changed).calls) == len(changed) else sitting.calls


def _correction(sitting: Sitting, facts: JsonObject, answers: Answers, bids: Bids | None) -> EntryStep:
    called = {side.id: cast(SideEntry, dict(facts.get(side.id, {}))) for side in sitting.sides}
    given = dict(answers)
    follows = _other_follows(sitting, facts, answers)
    given.setdefault(TIME_UP, "y" if facts.get(TIME_UP) else "n")  # most tables have no clock: no row in the entry
    for place, side in enumerate(sitting.sides):
        entry = called[side.id]
        if "tricks" in entry and place != follows:
            given.setdefault(f"t{place}", str(entry["tricks"]))
        if f"b{place}" in answers:
            entry["bid"] = small_number(answers[f"b{place}"])
        entry["nils"] = list(_nils_asked(entry, side, answers))
    counting = Counting(sitting, called, given)
    for side in sitting.sides:
        for question, nil in counting.nils(side):
            if "tricks" in nil:
                given.setdefault(question, str(nil["tricks"]))
    opened = answers.get("ask", "")
    said: list[Answered] = []
    if bids:
        for place, each in enumerate(_calls_made(replace(sitting, totals={}), bids)):
            said.append(replace(each, question=f"k{place}", mark="", article=""))
            if opened == f"k{place}":
                asked = _call_step(sitting, bids, place).question
                if asked is not None:
                    groups = tuple(tuple(replace(one, tone="", note="") for one in group) for group in asked.groups)
                    return EntryStep("ask", tuple(said), Prompt(asked.text, groups, opened), answers=given)
        return _count_step(counting, tuple(said))
    step = next_step(_contracts(counting), answers, {})
    return step if step.kind == "ask" else _count_step(counting, step.said)


def _contracts(counting: Counting) -> Iterator[EntryQuestion]:
    """Yield what each side of a recorded deal bid, and which nil each player called."""
    sitting, rules = counting.sitting, counting.sitting.rules
    for place, side in enumerate(sitting.sides):
        label = Phrase("entry.bid-of", {"name": sitting.side_name(side)})
        groups = number_choices(0, rules.max_contract), (Choice(_NONE, Phrase("entry.none")),)
        bid = _text(counting.called[side.id].get("bid")) or _NONE
        yield EntryQuestion(f"b{place}", label, groups, bid, side=side.id)
        nils = {nil.get("player", ""): nil["call"] for nil in counting.called[side.id]["nils"]}
        for seat in side.players:
            label = Phrase("entry.nil-of", {"name": sitting.names[seat]})
            unsaid = "?" if "" in nils and f"c{seat}" not in counting.answers else Phrase("entry.no-nil")
            shown = Term("call", nils[seat]) if seat in nils else unsaid
            calls = tuple(Choice(nil, Term("call", nil)) for nil in nils_played(rules))
            calls = (Choice(_NONE, Phrase("entry.no-nil")), *calls)
            yield EntryQuestion(f"c{seat}", label, (calls,), _NONE, shown=shown, side=side.id)


def _other_follows(sitting: Sitting, facts: JsonObject, answers: Answers) -> int | None:
    """Return the index of the side whose tricks follow from the one count that is corrected, or None."""
    answered = [place for place in range(len(sitting.sides)) if f"t{place}" in answers]
    recorded = sum(facts.get(side.id, {}).get("tricks", 0) for side in sitting.sides)
    if len(sitting.sides) != 2 or len(answered) != 1 or recorded != sitting.rules.tricks:
        return None
    return 1 - answered[0]


def _nils_asked(entry: SideEntry, side: Side, answers: Answers) -> Iterator[NilEntry]:
    """Yield the nils of a side with the answers in place of what was recorded.

    One without a name belongs to a player who answers that it is theirs, or who alone can have it.
    """
    nils = entry.get("nils", ())
    named = {nil["player"]: nil for nil in nils if nil.get("player") is not None}
    unnamed = [nil for nil in nils if nil.get("player") is None]
    for seat in side.players:
        word = answers.get(f"c{seat}")
        if word in NIL_CALLS:
            before = named.get(seat) or (unnamed.pop(0) if unnamed else NilEntry())
            yield {**before, "player": seat, "call": word}
        elif word is None and seat in named:
            yield {**named[seat], "player": seat}
    others = [seat for seat in side.players if seat not in named and f"c{seat}" not in answers]
    for nil in unnamed[: len(others)]:
        yield {**nil, "player": others[0]} if len(others) == 1 else nil


# The history ---------------------------------------------------------------------------------------------------------


def describe(sitting: Sitting, facts: JsonObject) -> list[Text]:
    """Return recorded facts in words, a line for each side, nil and final run; sides that they leave out have none."""
    lines = [line for side in sitting.sides if side.id in facts for line in _described(sitting, side, facts[side.id])]
    if DUMMY_TRICKS in facts:
        lines.append(joined_texts((Phrase("entry.tricks-of-dummy"), str(facts[DUMMY_TRICKS]))))
    if facts.get(TIME_UP):
        lines.append(Phrase("entry.time-up"))
    return lines


def _described(sitting: Sitting, side: Side, entry: JsonObject) -> Iterator[Text]:
    name, call = sitting.side_name(side), entry.get("call", NORMAL)
    special = "" if call == NORMAL else Term("call", call)
    tricks = entry.get("tricks", 0)
    yield Phrase("entry.entered-side", {"name": name, "bid": entry.get("bid"), "tricks": tricks, "call": special})
    for nil in entry.get("nils", ()):
        player = sitting.names.get(nil.get("player"), name)
        kind, taken = Term("call", nil["call"]), nil.get("tricks", 0)
        yield Phrase("entry.entered-nil", {"name": player, "call": kind, "tricks": taken})
    if entry.get("last_tricks"):
        yield Joined((Phrase("entry.last-tricks"), Term("cards", list(entry["last_tricks"]))), ": ")


def outline(sitting: Sitting, facts: JsonObject) -> dict[str, Text]:
    """Return what each side bid and took: `4+5 · 10` where partners' bids are added, else `4/5 · 10`."""
    bids, adds = _bids_behind(sitting, facts), sitting.rules.bid_method == "sum"
    found: dict[str, Text] = {}
    for side in sitting.sides:
        entry = facts.get(side.id, {})
        calls = [call for seat in side.players for call in bids.by_seat.get(seat, ())] if bids else []
        said = [str(call.spoken) for call in calls] or [
            *([] if entry.get("bid") is None else [str(entry["bid"])]), *(nil["call"] for nil in entry.get("nils", ()))
        ]  # fmt: skip
        parts = joined_texts((Term("call", word) for word in said), "+" if adds or not calls else "/")
        found[side.id] = joined_texts((parts, str(entry.get("tricks", 0))), " · ")
    return found


ENTRY: Final = Entry(step, correction, describe, outline)
