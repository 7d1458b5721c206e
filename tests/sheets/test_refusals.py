"""What a sheet does not let pass: codes for programs, pointers into the command, and nothing changed."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.data import LANGUAGES
from companion.engine.problems import Refused
from companion.rulebook.words import words
from companion.sheets.events import COMMANDS, possible_seats
from companion.sheets.service import SheetService
from companion.sheets.store import open_store
from tests.sheets.conftest import NAMES
from tests.sheets.deals import EW, NS, call, correct, deal, record


def refused(service: SheetService, sheet: str, command: dict[str, Any]) -> list[tuple[str, str]]:
    """The pointers and codes with which a command is refused; the sheet must stand as before."""
    before = service.head(sheet).version
    with pytest.raises(Refused) as caught:
        service.do(sheet, command)
    with pytest.raises(Refused):
        service.preview(sheet, command)
    assert service.head(sheet).version == before
    return [(problem.path(), problem.code) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("command", "path", "code"),
    [
        ({"type": "conquer"}, "/type", "unknown-command"),
        ({}, "/type", "required"),
        ({"type": "record_deal"}, "/facts", "required"),
        ({"type": "record_deal", "facts": {}, "points": 1}, "/points", "unknown-key"),
        ({"type": "record_deal", "facts": [1]}, "/facts", "type"),
        (record(5, 8, 4, deal=2), "/deal", "deal-number"),
        (correct(1, 5, 8, 4), "/deal", "unknown-deal"),
        (correct(1, 5, 8, 4, game_number=2), "/game_number", "unknown-game-number"),
        ({"type": "adjust", "side": "X", "points": 5, "reason": "why"}, "/side", "unknown-side"),
        ({"type": "adjust", "side": NS, "points": 0, "reason": "why"}, "/points", "no-points"),
        ({"type": "adjust", "side": NS, "points": 5, "reason": " "}, "/reason", "required"),
        ({"type": "adjust", "side": NS, "points": 5, "reason": "x" * 201}, "/reason", "length"),
        ({"type": "adjust", "side": NS, "points": True, "reason": "why"}, "/points", "type"),
        ({"type": "set_dealer", "seat": "X"}, "/seat", "unknown-seat"),
        ({"type": "confirm_deal", "deal": 1, "side": NS}, "/deal", "unknown-deal"),
        ({"type": "write_note", "note": ""}, "/note", "required"),
        ({"type": "rename_player", "seat": "X", "name": "Y"}, "/seat", "unknown-seat"),
        ({"type": "undo"}, "", "nothing-to-undo"),
        ({"type": "redo"}, "", "nothing-to-redo"),
        ({"type": "start_game", "game": "chess"}, "/game", "unknown-game"),
        ({"type": "start_game", "game": "spades", "seating": ["A", "B", "C", "X"]}, "/seating", "unknown-seat"),
        ({"type": "start_game", "game": "spades", "seating": ["A", "B", "C"]}, "/seats", "table-size"),
        ({"type": "start_game", "game": "spades", "dealer": "X"}, "/dealer", "unknown-seat"),
        (
            {"type": "start_game", "game": "spades", "sides": [{"id": "us", "players": ["A", "C"]}]},
            "/sides",
            "sides-seats",
        ),
        (
            {"type": "start_game", "game": "spades", "rules": {"options": {"target": 0}}},
            "/rules/options/target",
            "range",
        ),
        ({"type": "start_game", "game": "spades", "opening": {"X": {}}}, "/opening/X", "unknown-key"),
        ({"type": "change_rules", "rules": {"preset": "nobody"}}, "/rules/preset", "unknown-preset"),
        ({"type": "change_rules", "rules": {"preset": "solo4"}}, "/rules", "sides-count"),
        ({"type": "change_rules", "rules": {}, "deal": 2}, "/deal", "unknown-deal"),
        (call("X", 5), "/call/seat", "unknown-seat"),
        (call("A", "maybe"), "/call/call", "call"),
        ({"type": "make_call", "call": {"seat": "A", "call": 5}, "deal": 7}, "/deal", "deal-number"),
        ({"type": "change_call", "place": 0, "call": {"seat": "A", "call": 5}}, "/place", "unknown-call"),
    ],
)
def test_impossible_commands_are_refused(
    service: SheetService, spades: str, command: dict[str, Any], path: str, code: str
) -> None:
    assert (path, code) in refused(service, spades, command)


@pytest.mark.parametrize(("game", "options", "sides"), [
    ("spades", {}, (("A", "B"), ("C", "D"))),
    ("casino", {}, (("A", "D"), ("B", "C"))),
    ("spite-and-malice", {"players": 4, "partners": "opposite"}, (("A", "B"), ("C", "D"))),
])  # fmt: skip
def test_partners_who_sit_side_by_side_are_refused(
    service: SheetService, game: str, options: dict[str, Any], sides: tuple[tuple[str, ...], ...]
) -> None:
    asked = {"type": "start_game", "game": game, "rules": {"options": options}}
    named = [{"id": name, "players": list(players)} for name, players in zip("xy", sides, strict=True)]
    sheet = service.open_sheet({"seats": NAMES}).id
    assert ("/sides", "sides-seats") in refused(service, sheet, asked | {"sides": named})
    order = [*sides[0], *sides[1]]
    seating = [order[0], order[2], order[1], order[3]]
    service.do(sheet, asked | {"sides": named, "seating": seating})


@pytest.mark.parametrize("sides", [(("A", "B"), ("C", "D")), (("A", "B", "C"), ("D",))])
def test_partners_sit_as_they_like_where_no_move_is_judged(
    service: SheetService, sides: tuple[tuple[str, ...], ...]
) -> None:
    named = [{"id": name, "players": list(players)} for name, players in zip("xy", sides, strict=True)]
    opened = service.open_sheet({"seats": NAMES, "game": "pad", "sides": named})
    assert [side.players for side in opened.view.game.sides] == list(sides)


def test_other_rules_that_cannot_have_the_calls_made_say_so(service: SheetService) -> None:
    rules = {"options": {"bid_method": "consultation"}}
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": rules}).id
    service.do(sheet, {"type": "make_call", "call": {"side": EW, "call": 4}})
    change = {"type": "change_rules", "rules": {}}
    assert refused(service, sheet, change) == [("/rules", "calls-differ")]
    service.do(sheet, {"type": "clear_calls"})
    service.do(sheet, change)


def test_a_nil_without_a_name_is_of_whom_no_other_names(service: SheetService, spades: str) -> None:
    for seat, word in (("B", 3), ("C", "nil"), ("D", 4), ("A", "nil")):
        service.do(spades, {"type": "make_call", "call": {"seat": seat, "call": word}})
    nils = [{"call": "nil", "tricks": 2}, {"player": "C", "call": "nil", "tricks": 0}]
    facts = {NS: {"tricks": 2, "nils": nils}, EW: {"tricks": 11}}
    recorded = service.do(spades, {"type": "record_deal", "facts": facts}).view.game.deals[0].facts
    assert [(nil["player"], nil["tricks"]) for nil in recorded[NS]["nils"]] == [("A", 2), ("C", 0)]


def test_a_deal_that_does_not_add_up_points_at_the_facts(service: SheetService, spades: str) -> None:
    wrong = {NS: {"bid": 5, "tricks": 8}, EW: {"bid": 4, "tricks": 4}}
    paths = refused(service, spades, {"type": "record_deal", "facts": wrong})
    assert [code for _, code in paths] == ["tricks-total"]
    assert paths[0][0].startswith("/facts")
    unreadable = {NS: {"bid": "five", "tricks": 8}, EW: {"tricks": 5, "nils": [{"call": "nil"}]}}
    assert refused(service, spades, {"type": "record_deal", "facts": unreadable}) == [
        (f"/facts/{NS}/bid", "type"),
        (f"/facts/{EW}/nils/0/tricks", "required"),
    ]


def test_it_is_recorded_anyway_with_a_reason(service: SheetService, spades: str) -> None:
    facts = {NS: {"bid": 5, "tricks": 8}, EW: {"bid": 4, "tricks": 4}}
    accept = [{"code": "tricks-total", "reason": "a card was lost"}]
    view = service.do(spades, {"type": "record_deal", "facts": {**facts, "accept": accept}}).view
    warning = view.ledger.deals[0].warnings[0]
    assert (warning.problem.code, warning.reason) == ("tricks-total", "a card was lost")
    assert view.game.deals[0].facts["accept"] == accept


def test_facts_may_not_contradict_the_calls(service: SheetService, spades: str) -> None:
    for seat, word in (("A", 5), ("B", 3), ("C", 5), ("D", 7)):
        service.do(spades, call(seat, word))
    assert refused(service, spades, record(5, 8, 4)) == [(f"/facts/{EW}/bid", "calls-differ")]
    assert service.do(spades, record(5, 8, 7)).entries


def test_nothing_is_added_after_the_end_of_a_game(service: SheetService) -> None:
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": {"options": {"target": 50}}}).id
    service.do(sheet, record(5, 8, 4))
    for command in (record(5, 8, 4), call("A", 5), {"type": "void_deal"}):
        assert refused(service, sheet, command) == [("", "game-over")]


def test_the_dealer_who_moved_on_stays_gone(service: SheetService, spades: str) -> None:
    service.do(spades, {"type": "void_deal"})
    service.do(spades, record(5, 8, 4))
    service.do(spades, call("A", 5))
    command = {"type": "void_deal", "deal": 2, "dealer_stays": True}
    assert refused(service, spades, command) == [("/dealer_stays", "dealer-moved-on")]


def test_an_undo_can_name_what_it_means(service: SheetService, spades: str) -> None:
    seq = service.do(spades, record(5, 8, 4)).version
    assert refused(service, spades, {"type": "undo", "target": seq - 1}) == [("/target", "nothing-to-undo")]
    assert service.do(spades, {"type": "undo", "target": seq}).view.game.deals == ()


@pytest.mark.parametrize(
    ("request_", "path", "code"),
    [
        ({}, "/seats", "required"),
        ({"seats": []}, "/seats", "length"),
        ({"seats": ["A"] * 13}, "/seats", "length"),
        ({"seats": [{"id": "A", "name": "x"}, {"id": "A", "name": "y"}]}, "/seats/1", "seat-id"),
        ({"seats": [{"id": "A+B", "name": "x"}]}, "/seats/0/id", "seat-id"),
        ({"seats": NAMES, "lang": "fr"}, "/lang", "choice"),
        ({"seats": NAMES[:3], "game": "spades"}, "/seats", "table-size"),
        ({"seats": NAMES, "title": "x" * 41}, "/title", "length"),
        ([], "", "type"),
    ],
)
def test_impossible_sheets_are_refused(service: SheetService, request_: Any, path: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        service.open_sheet(request_)
    assert (path, code) in [(problem.path(), problem.code) for problem in caught.value.problems]
    assert list(service.store.sheets()) == []


def test_a_sheet_without_a_game_says_so(service: SheetService) -> None:
    sheet = service.open_sheet({"seats": NAMES}).id
    for command in (record(5, 8, 4), {"type": "skip_dealer"}, {"type": "rematch"}):
        assert refused(service, sheet, command) == [("", "no-game")]


@pytest.mark.parametrize("mode", ["solo4", "solo3", "duo_draw"])
def test_everybody_plays_alone_where_the_rules_say_so(service: SheetService, mode: str) -> None:
    names = NAMES[: {"solo4": 4, "solo3": 3, "duo_draw": 2}[mode]]
    view = service.open_sheet({"seats": names, "game": "spades", "rules": {"preset": mode}}).view
    assert [side.id for side in view.game.sides] == list("ABCD"[: len(names)])


@pytest.mark.parametrize(
    ("preset", "counts"), [("classic", [4]), ("solo4", [4]), ("solo3", [3]), ("duo_draw", [2]), ("duo_dummy", [2])]
)
def test_the_numbers_of_players_that_rules_allow_are_known(
    service: SheetService, preset: str, counts: list[int]
) -> None:
    game = service.games["spades"]
    assert possible_seats(game, game.options.preset(preset).options) == counts
    with pytest.raises(Refused) as caught:
        service.open_sheet({"seats": [*NAMES, "Emi"], "game": "spades", "rules": {"preset": preset}})
    assert caught.value.problems[0].facts == {"count": 5, "possible": counts}


def test_a_table_has_room_for_twelve(service: SheetService, spades: str) -> None:
    for number in range(8):
        service.do(spades, {"type": "add_player", "name": f"guest {number}"})
    assert refused(service, spades, {"type": "add_player", "name": "one more"}) == [("/name", "seats-full")]


def test_facts_too_deep_to_read_are_refused(service: SheetService, spades: str) -> None:
    nested: Any = 1
    for _ in range(40):
        nested = {"a": nested}
    assert refused(service, spades, {"type": "record_deal", "facts": nested}) == [("/facts" + "/a" * 12, "depth")]


@pytest.mark.parametrize("value", [1.5, float("nan"), float("inf"), 10**5000], ids=["1.5", "nan", "inf", "giant"])
def test_numbers_that_nobody_counts_are_refused(service: SheetService, spades: str, value: Any) -> None:
    facts = {NS: {"bid": 5, "tricks": 8, "last_tricks": [value]}, EW: {"bid": 4, "tricks": 5}}
    assert refused(service, spades, {"type": "record_deal", "facts": facts}) == [(f"/facts/{NS}/last_tricks/0", "type")]


anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([NS, EW, *"ABCD"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([NS, EW, "bid", "tricks", "nils", "call"]), inner)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_nothing_that_a_client_sends_does_more_than_be_refused(data: st.DataObject) -> None:
    service = SheetService(open_store("memory:"))
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    service.do(sheet, record(5, 8, 4))
    kind = data.draw(st.sampled_from(sorted(COMMANDS)))
    command_class: Any = COMMANDS[kind]
    fields = [field.name for field in dataclasses.fields(command_class)]
    command = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(fields, anything)))
    try:
        done = service.do(sheet, {**command, "type": kind})
    except Refused:
        assert service.head(sheet).version == 3
        return
    assert done.version == 3 + len(done.entries)
    assert SheetService(service.store).read(sheet).ledgers == done.view.ledgers


def test_words_in_facts_are_cleaned(service: SheetService, spades: str) -> None:
    adjustments = [{"side": NS, "points": -5, "reason": "re\u202evoke\x00"}]
    view = service.do(spades, {"type": "record_deal", "facts": deal(5, 8, 4, adjustments=adjustments)}).view
    assert view.game.deals[0].facts["adjustments"][0]["reason"] == "revoke"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["undo", "redo"])
def test_an_undo_of_an_earlier_entry_names_the_one_that_can_be_undone(
    service: SheetService, spades: str, command: str, lang: str
) -> None:
    for each in (record(5, 8, 4), {"type": "write_note", "note": "rain"}, {"type": "undo"}):
        service.do(spades, each)
    with pytest.raises(Refused) as caught:
        service.do(spades, {"type": command, "target": 2})
    sentences = [words("", lang).problem(problem) for problem in caught.value.problems]
    assert [str(3 + (command == "redo")) in sentence for sentence in sentences] == [True], sentences
