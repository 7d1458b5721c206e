"""The keeper's questions about a deal of Casino, without a sheet or a page."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.engine.cards import Card
from companion.engine.dialogue import Choice, Phrase
from companion.engine.entry import EntryStep, Sitting
from companion.engine.ledger import Before, Irregularity, MeasuredDeal, Side, SideScore, Standing
from companion.engine.problems import JsonObject, Node
from companion.games.casino import CASINO
from companion.games.casino.entry import NOBODY, correction, step
from companion.games.casino.rules import OPTIONS
from companion.games.casino.score import DealFacts, SideFacts
from companion.games.casino.table import full_pack
from companion.rulebook.words import words
from tests.casino.asking import answer, scored

NAMES = {"a": "Aki", "b": "Beth", "c": "Chika"}
MODES = ("most", "counts", "cards")


def sitting(preset: str | None = None, players: int = 2, deals: tuple[JsonObject, ...] = ()) -> Sitting:
    seats = tuple(NAMES)[:players]
    sides = tuple(Side(seat.upper(), (seat,)) for seat in seats)
    return Sitting(OPTIONS.preset(preset).options, sides, seats, NAMES, seats[-1], deals=deals)


def choices(found: EntryStep) -> list[Choice]:
    assert found.question is not None
    return [choice for group in found.question.groups for choice in group]


def entered(table: Sitting, mode: str, chance: random.Random) -> tuple[EntryStep, dict[str, str]]:
    """Answer every question with one of its buttons; several cards are tapped before a pile is called complete."""
    answers: dict[str, str] = {"by": mode}
    found = step(table, answers)
    while found.kind == "ask":
        assert found.question is not None
        tapped = [choice for choice in choices(found) if found.done is None or choice.pressed is False]
        if found.done is not None and (not tapped or chance.random() < 0.2):
            answers[found.done[0]] = found.done[1].value
        else:
            answers[found.question.id] = chance.choice(tapped).value
        found = step(table, answers)
    return found, answers


@pytest.mark.parametrize(("lang", "sweeps"), [("ja", "スイープ"), ("en", "sweeps")])
@pytest.mark.parametrize("preset", OPTIONS.presets)
def test_the_points_of_a_deal_name_sweeps_only_where_they_are_entered(preset: str, lang: str, sweeps: str) -> None:
    asked = step(sitting(preset), {"by": "counts"})
    entered = Phrase("print.sweeps") in [row.label for row in asked.rows]
    assert isinstance(asked.hint, Phrase)
    assert (sweeps in words("casino", lang).say(asked.hint.key, asked.hint.facts)) == entered


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("preset", OPTIONS.presets)
@pytest.mark.parametrize("mode", MODES)
def test_recorded_deal_comes_back_from_its_correction(mode: str, preset: str, players: int) -> None:
    table, chance = sitting(preset, players), random.Random(f"{mode} {preset} {players}")
    for _ in range(5):
        ready, _ = entered(table, mode, chance)
        again = correction(table, ready.facts, {})
        assert (again.kind, again.facts) == ("ready", ready.facts)
        assert again.answers == {}
        assert [one.value for one in again.said] == [one.value for one in ready.said]


@pytest.mark.parametrize(("preset", "options", "players", "missing"), [
    ("standard", {"cards_points": 0}, 2, {"mc"}), ("standard", {"spades_points": 0}, 2, {"ms"}),
    ("khasino", {}, 3, {"mc", "ms"}), ("khasino", {}, 2, set()), ("spade", {"cards_points": 0}, 2, {"mc"}),
    ("swazi", {"majorities": "two_sides_only", "each_spade_points": 1}, 3, {"mc"}),
])  # fmt: skip
def test_a_majority_that_scores_nothing_is_not_asked_for(
    preset: str, options: JsonObject, players: int, missing: set[str]
) -> None:
    """Nor has it a row of its own before its cards are counted, nor is it counted for the players."""
    asked = Node({"preset": preset, "options": options})
    table = replace(sitting(preset, players), rules=OPTIONS.read(asked).options)
    ready, _ = entered(table, "most", random.Random(1))
    named = {one.question[:2] for one in ready.said} & {"mc", "ms"}
    assert named == {"mc", "ms"} - missing
    rows = {f"print.most-{name}": key for key, name in (("mc", "cards"), ("ms", "spades"))}
    assert {
        rows[row.label.key] for row in ready.rows if isinstance(row.label, Phrase) and row.label.key in rows
    } == named
    body = {"rules": asked.value, "sides": [side.id for side in table.sides], "deals": [ready.facts]}
    assert not {code for code in answer("score", body)[2] if code == "required" or code.startswith("most")}


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("preset", OPTIONS.presets)
def test_the_points_of_a_deal_are_the_most_that_all_sides_score_in_it(preset: str, players: int) -> None:
    """Where no majority is tied, and each side that can has enough spades: fewer with three sides at some tables."""
    table, chance, totals = sitting(preset, players), random.Random(f"{preset} {players}"), set()
    for _ in range(100):
        piles: dict[str, list[Card]] = {side.id: [] for side in table.sides}
        takers = chance.sample([*piles], chance.randint(2, players))
        for card in sorted(full_pack(table.rules)):
            piles[chance.choice(takers)].append(card)
        deal = {
            side: {"captured": [*map(str, pile)], "last_capture": side == takers[0]} for side, pile in piles.items()
        }
        found = scored({"rules": {"preset": preset}, "sides": [*piles], "deals": [deal]})["deals"][0]["sides"]
        totals.add(sum(side["points"] for side in found.values()))
    hint = step(table, {}).hint
    assert isinstance(hint, Phrase)
    assert hint.facts["points"] == max(totals)


def test_a_majority_that_nobody_told_counts_for_no_player() -> None:
    found = {measure.name: measure.count for measure in CASINO.measures}

    def counted(*, most: bool) -> set[tuple[int, int] | None]:
        mine = SideFacts(None, None, 3, big_ten=True, spy_two=False)
        theirs = SideFacts(None, None, 1, big_ten=False, spy_two=True, most_cards=most, most_spades=most)
        facts, score = DealFacts({"A": mine, "B": theirs}), SideScore((), Standing(0))
        deal = MeasuredDeal(sitting().rules, facts, Before({}), "A", "a", score)
        return {found[name](deal) for name in ("most-cards", "most-spades")}

    assert counted(most=False) == {None}
    assert counted(most=True) == {(0, 1)}


def test_two_sides_have_the_whole_pack_between_them() -> None:
    table = sitting()
    ready, _ = entered(table, "cards", random.Random(1))
    assert ready.facts is not None
    piles = [ready.facts[side.id]["captured"] for side in table.sides]
    assert sorted(piles[0] + piles[1]) == sorted(map(str, full_pack(table.rules)))


def said(found: EntryStep) -> dict[str, Any]:
    return {one.question: (one.value, one.computed) for one in found.said}


COUNTED = {"mc0": "30", "mc1": "22", "ms0": "7", "bt": "0", "st": NOBODY, "ac1": "1"}


def test_last_count_follows_from_the_others() -> None:
    table = sitting()
    found = step(table, {"by": "counts", **COUNTED})
    shown = said(found)
    assert (shown["ms0"], shown["ms1"]) == (("7", False), ("6", True))
    assert (shown["ac0"], shown["ac1"]) == (("3", True), ("1", False))
    assert (shown["mc0"], shown["mc1"]) == (("30", False), ("22", False))


@pytest.mark.parametrize(
    ("change", "cards"),
    [({"mc0": "29"}, (29, 23)), ({"mc1": "20"}, (32, 20)), ({"mc0": "29", "mc1": "20"}, (29, 20))],
)
def test_correction_of_one_count_moves_the_other(change: Mapping[str, str], cards: tuple[int, int]) -> None:
    table = sitting()
    ready, _ = entered(table, "counts", random.Random(2))
    assert ready.facts is not None
    facts = {
        side: {**entry, "cards": count} for (side, entry), count in zip(ready.facts.items(), (30, 22), strict=True)
    }
    found = correction(table, facts, change)
    assert found.facts is not None
    assert tuple(entry["cards"] for entry in found.facts.values()) == cards
    assert found.answers == dict(change)


def test_questions_are_asked_of_every_side_by_name() -> None:
    found = step(sitting(), {"by": "counts"})
    assert found.question is not None
    assert found.question.text == Phrase("entry.cards-of", {"name": "Aki"})
    found = step(sitting(), {"by": "cards"})
    assert found.question is not None
    assert "Aki" in repr(found.question.text)
    assert found.done == ("kd", Choice("1", Phrase("entry.captured-done")))
    found = step(sitting(players=3), {"by": "cards", "kd": "1"})
    assert found.question is not None
    assert "Beth" in repr(found.question.text)
    assert found.done == ("kd", Choice("11", Phrase("entry.captured-done")))


def test_majority_can_be_shared_in_every_way() -> None:
    labels = {choice.value: choice.label for choice in choices(step(sitting(players=3), {}))}
    assert list(labels) == ["0", "1", "2", "0+1", "0+2", "1+2", "0+1+2"]
    assert labels["1"] == "Beth"
    assert labels["0+2"] == Phrase("entry.shared", {"names": "Aki = Chika"})
    found = step(sitting(players=3), {"mc": "0+2"})
    assert [entry.value for entry in found.said] == [Phrase("entry.shared", {"names": "Aki = Chika"})]


@pytest.mark.parametrize("mode", MODES)
def test_next_deal_is_entered_as_the_last_one_was(mode: str) -> None:
    ready, _ = entered(sitting(), mode, random.Random(3))
    assert ready.facts is not None
    later = step(sitting(deals=(ready.facts, {"void": True})), {})
    assert [one.value for one in later.modes if one.current] == [mode]
    assert [one.value for one in later.modes] == list(MODES)


ENDINGS: list[tuple[str, dict[str, Any], int]] = [
    ("book", {"ending": "claim"}, 15), ("book", {"ending": "count_out"}, 17), ("spade", {}, 60), ("spade_26", {}, 60),
]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("preset", "options", "total"), ENDINGS)
def test_who_was_first_is_asked_where_it_decides_and_comes_back(
    preset: str, options: dict[str, Any], total: int, mode: str
) -> None:
    """END-R1, R7: a deal that is ready is never refused for what only the table saw."""
    chance, asked = random.Random(f"{preset} {mode}"), set[str]()
    plain = sitting(preset)
    totals = {side.id: total for side in plain.sides}
    table = replace(plain, rules=OPTIONS.build(preset, options).options, totals=totals)
    for _ in range(25):
        ready, answers = entered(table, mode, chance)
        assert ready.facts is not None
        asked |= answers.keys()
        again = correction(table, ready.facts, {})
        assert (again.kind, again.facts, again.answers) == ("ready", ready.facts, {})
        rules: JsonObject = {"preset": preset, "options": options}
        opening = {side: {"total": total} for side in totals}
        request = {"rules": rules, "sides": [*totals], "deals": [ready.facts], "opening": opening}
        codes = answer("score", request)[2]
        assert not codes & {"first-out-needed", "first-out-short", "aces-needed"}
        assert ("claim" in ready.facts) <= (mode != "most" or "cards" in ready.facts[table.sides[0].id])
    assert asked >= ({"cl"} if options.get("ending") == "claim" else {"fo"} if not options else set())
    assert mode != "counts" or options.get("ending") != "count_out" or asked & {"aS"}


@pytest.mark.parametrize(("wrong", "asked"), [((), False), ((Irregularity("false_build", "a", side="A"),), True)])
def test_who_was_first_is_asked_where_a_false_build_decides_it(wrong: tuple[Irregularity, ...], *, asked: bool) -> None:
    """A has 12 + 9, B 18 + 2 and a point for the false build: 21 both."""
    rules = OPTIONS.build("swazi", {"ending": "as_taken", "target": 21, "false_build_remedy": "point"}).options
    table = replace(sitting(), rules=rules, totals={"A": 12, "B": 18}, irregularities=wrong)
    counted = {"by": "counts", "mc0": "30", "ms0": "8", "bt": "0", "st": "1", "ac0": "3"}
    found = step(table, counted)
    assert (found.question.id if found.question else None) == ("fo" if asked else None)


def test_a_claimed_deal_is_counted_and_nothing_follows_from_the_rest() -> None:
    rules = OPTIONS.build("book", {"ending": "claim"}).options
    found = step(replace(sitting("book"), rules=rules), {"cl": "0", "mc0": "20"})
    assert [mode.value for mode in found.modes] == ["counts"]
    assert found.question is not None
    assert found.question.id == "mc1"


UNCLAIMED_DEALS: tuple[JsonObject, ...] = (
    {"A": {"cards": 27, "spades": 7, "aces": 3, "big_ten": True, "spy_two": False},
     "B": {"cards": 20, "spades": 6, "aces": 1, "big_ten": False, "spy_two": True}},
    {"A": {"cards": 27, "spades": 5, "aces": 1, "big_ten": True, "spy_two": False},
     "B": {"cards": 20, "spades": 6, "aces": 1, "big_ten": False, "spy_two": False}},
    {"A": {"most_cards": True, "most_spades": True, "big_ten": True, "spy_two": False, "aces": 3},
     "B": {"most_cards": False, "most_spades": False, "big_ten": False, "spy_two": True, "aces": 0}},
    {"A": {"captured": ["AS", "2S", "10D"]},
     "B": {"captured": [str(card) for card in full_pack(OPTIONS.preset("draw").options)
                        if str(card) not in ("AS", "2S", "10D", "KH", "KD", "KC", "KS", "QH")]}},
)  # fmt: skip


@pytest.mark.parametrize("facts", UNCLAIMED_DEALS)
def test_cards_that_nobody_took_stay_in_a_corrected_deal(facts: JsonObject) -> None:
    table, recorded = sitting("draw"), {**facts, "unclaimed": 5}
    found = correction(table, recorded, {})
    assert found.kind == "ready"
    assert found.facts is not None
    assert found.facts["unclaimed"] == 5
    for side, entry in facts.items():
        assert {key: found.facts[side][key] for key in entry} == entry
    if "captured" not in facts["A"]:
        assert ("un", "5") in [(one.question, one.value) for one in found.said]
    if "cards" in facts["A"]:
        changed = correction(table, recorded, {"mc0": "30"})
        assert changed.facts is not None
        assert [changed.facts[side]["cards"] for side in "AB"] == [30, 17]


@pytest.mark.parametrize("answers", [{}, {"mc0": "30"}, {"aS": "1"}, {"sa": "1"}])
def test_the_ace_of_spades_is_where_the_suits_of_the_aces_say(answers: dict[str, str]) -> None:
    """Recorded by suits alone; the correction shows it once, and writes nothing that contradicts it."""
    facts: JsonObject = {
        "A": {"cards": 27, "spades": 7, "aces": ["S", "H", "D"], "big_ten": True, "spy_two": False},
        "B": {"cards": 25, "spades": 6, "aces": ["C"], "big_ten": False, "spy_two": True},
    }
    table = sitting("spade_26")
    found = correction(table, facts, {"ac0": "2", **answers} if answers == {"aS": "1"} else answers)
    assert found.facts is not None
    for side in "AB":
        aces = found.facts[side]["aces"]
        assert found.facts[side]["spade_ace"] == ("S" in aces if isinstance(aces, list) else False), found.facts
    assert sum(one.question in ("sa", "aS") for one in found.said) == 1
