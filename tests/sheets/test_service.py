"""The service: secrets and links, retried commands, exports that come back, tables and lines for others."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

import pytest

from companion.data import LANGUAGES
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.sheets.service import SheetService, safe_cell
from companion.sheets.store import SCORE, WATCH, Conflict, KeyReused, NoSuchSheet, Store, open_store
from companion.web.api.sheets import ShownGame
from companion.web.keeper.board import board
from companion.web.keeper.entry import call_given, open_step
from tests.sheets.conftest import BEGINNING, NAMES, Clock, imported
from tests.sheets.deals import EW, NS, call, correct, deal, record


def test_secrets_are_shown_once_and_stored_hashed(any_store: Store) -> None:
    service = SheetService(any_store)
    opened = service.open_sheet({"seats": NAMES})
    secrets = (opened.watch_secret, opened.score_secret)
    assert all(len(secret) >= 22 for secret in secrets)
    assert len(set(secrets)) == 2
    for secret in secrets:
        assert any_store.find_link(secret) is None
        assert service.find(secret).sheet == opened.id


def test_a_sheet_may_begin_without_a_watch_link(any_store: Store) -> None:
    """The site shows no secret: a watch link that nobody was shown would stand among the links for ever."""
    service = SheetService(any_store)
    opened = service.open_sheet({"seats": NAMES}, watch=False)
    assert [link.scope for link in service.links(opened.id)] == [SCORE]
    assert opened.watch_secret == ""
    assert service.check(opened.score_secret, WATCH, opened.id)
    again = service.import_records(service.store.read(opened.id), watch=False)
    assert [link.scope for link in service.links(again.id)] == [SCORE]


def test_no_id_begins_like_an_option_of_a_command() -> None:
    tokens = iter(["-abc", "-def", "ghi", "watch", "watch-secret", "score", "score-secret"])
    assert SheetService(open_store("memory:"), token=lambda _: next(tokens)).open_sheet({"seats": NAMES}).id == "ghi"


def test_a_watch_secret_opens_only_watching_and_only_its_sheet(service: SheetService) -> None:
    one, other = (service.open_sheet({"seats": NAMES}) for _ in range(2))
    assert service.check(one.watch_secret, WATCH, one.id).scope == WATCH
    assert service.check(one.score_secret, SCORE, one.id).scope == SCORE
    assert service.check(one.score_secret, WATCH, one.id).scope == SCORE
    for secret, scope, sheet in (
        (one.watch_secret, SCORE, one.id),
        (one.score_secret, WATCH, other.id),
        ("", WATCH, one.id),
        ("\ud800", WATCH, one.id),
        (one.score_secret + "x", WATCH, one.id),
    ):
        with pytest.raises(NoSuchSheet):
            service.check(secret, scope, sheet)


def test_links_have_labels_and_can_be_revoked_one_by_one(any_store: Store) -> None:
    service = SheetService(any_store, clock=Clock())
    opened = service.open_sheet({"seats": NAMES})
    link, secret, _ = service.create_link(opened.id, SCORE, " Ben's\u202e phone ")
    assert (link.label, link.scope) == ("Ben's phone", SCORE)
    assert [one.label for one in service.links(opened.id)][2:] == ["Ben's phone"]
    service.revoke_link(opened.id, link.id)
    with pytest.raises(NoSuchSheet):
        service.check(secret, WATCH, opened.id)
    assert service.links(opened.id)[2].revoked is not None
    assert service.check(opened.score_secret, SCORE, opened.id)
    with pytest.raises(Refused):
        service.create_link(opened.id, "rule")
    with pytest.raises(Refused):
        service.create_link(opened.id, WATCH, "x" * 41)


def test_an_old_version_is_told_from_a_lost_race(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4), base_version=2)
    with pytest.raises(Conflict) as caught:
        service.do(spades, record(5, 8, 4), base_version=2)
    assert (caught.value.version, caught.value.raced) == (3, False)

    append = service.store.append

    def faster(sheet: str, base: int, *rest: Any) -> Any:
        service.store.append = append  # type: ignore[method-assign]
        SheetService(service.store).do(sheet, {"type": "write_note", "note": "first"})
        return append(sheet, base, *rest)

    service.store.append = faster  # type: ignore[method-assign, assignment]
    with pytest.raises(Conflict) as caught:
        service.do(spades, record(5, 8, 4), base_version=3)
    assert (caught.value.version, caught.value.raced) == (4, True)
    service.store.append = faster  # type: ignore[method-assign, assignment]
    assert service.do(spades, record(5, 8, 4)).version == 6


def test_a_retried_command_gets_the_first_answer_again_whatever_happened_since(any_store: Store) -> None:
    service = SheetService(any_store)
    sheet = service.open_sheet({"seats": NAMES, "game": "spades"}).id
    first = service.do(sheet, record(5, 8, 4), base_version=2, key="tap-1")
    service.do(sheet, record(5, 8, 4), key="tap-2")
    again = SheetService(any_store).do(sheet, record(5, 8, 4), base_version=2, key="tap-1")
    assert again.replayed
    assert not first.replayed
    assert (again.version, again.entries) == (first.version, first.entries)
    assert again.view.version == 4
    with pytest.raises(KeyReused):
        service.do(sheet, record(6, 8, 4), key="tap-1")
    for key in ("", "a\x00b", "x" * 201):
        with pytest.raises(Refused):
            service.do(sheet, record(5, 8, 4), key=key)


@pytest.mark.parametrize("moment", ["head", "append"])
@pytest.mark.parametrize("more", [{"base_version": 2}, {}])
def test_the_same_command_sent_twice_at_once_is_answered_alike(
    service: SheetService, spades: str, more: dict[str, Any], moment: str
) -> None:
    """The other one is written before this one looks at the sheet, or when this one has decided what to write."""
    plain, first = getattr(service.store, moment), []

    def just_before(*given: Any) -> Any:
        setattr(service.store, moment, plain)
        first.append(service.do(spades, record(5, 8, 4, deal=1), key="tap-1", **more))
        return plain(*given)

    setattr(service.store, moment, just_before)
    again = service.do(spades, record(5, 8, 4, deal=1), key="tap-1", **more)
    assert (again.replayed, again.entries) == (True, first[0].entries)
    assert service.head(spades).version == 3


def test_a_refused_command_leaves_its_key_free(service: SheetService, spades: str) -> None:
    with pytest.raises(Refused):
        service.do(spades, {"type": "redo"}, key="tap-1")
    assert service.do(spades, record(5, 8, 4), key="tap-1").entries


def test_time_never_runs_backwards_in_a_log(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    clock = service.now
    assert isinstance(clock, Clock)
    clock.now = BEGINNING - timedelta(hours=1)
    first, second = service.do(spades, record(5, 8, 4)).view.game.deals
    assert second.changes[0].at == first.changes[0].at


def evening(service: SheetService, sheet: str) -> None:
    """A little of everything."""
    for seat, word in (("A", 5), ("B", 3), ("C", 5), ("D", 4)):
        service.do(sheet, call(seat, word), actor="台所")
    service.do(sheet, {"type": "record_deal", "facts": {NS: {"tricks": 8}, EW: {"tricks": 5}}})
    service.do(sheet, correct(1, 5, 4, 4, reason="数え直し"))
    service.do(sheet, {"type": "undo"})
    service.do(sheet, {"type": "void_deal", "reason": "misdeal"})
    service.do(sheet, {"type": "adjust", "side": EW, "points": -30, "reason": "=revoke"})
    service.do(sheet, {"type": "change_rules", "rules": {"preset": "plain"}, "note": "late"})
    service.do(sheet, record(6, 6, 4))
    service.do(sheet, {"type": "rename_player", "seat": "B", "name": "@Ben"})
    service.do(sheet, {"type": "confirm_deal", "deal": 3, "side": NS})
    service.do(sheet, {"type": "rematch"})


def test_an_export_comes_back_exactly(any_store: Store) -> None:
    service = SheetService(any_store)
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "title": "金曜"}).id
    evening(service, sheet)
    told = json.loads(json.dumps(service.export_json(sheet)))
    other = SheetService(open_store("memory:"))
    opened = imported(other, told)
    assert opened.id != sheet
    assert other.export_json(opened.id) == told
    assert opened.view.sheet == service.read(sheet).sheet
    assert opened.view.ledgers == service.read(sheet).ledgers
    assert other.check(opened.score_secret, SCORE, opened.id)
    assert other.verify() == []


def bend(told: dict[str, Any], seq: int, **changes: Any) -> dict[str, Any]:
    bent = copy.deepcopy(told)
    bent["events"][seq - 1] |= changes
    return bent


def rewritten(told: dict[str, Any], seq: int, **data: Any) -> dict[str, Any]:
    """An export whose event was changed and whose hashes were all made anew."""
    from companion.sheets.shapes import canonical
    from companion.sheets.store import NO_HASH, chain

    bent = copy.deepcopy(told)
    bent["events"][seq - 1]["data"] |= data
    last = NO_HASH
    for one in bent["events"]:
        body = canonical(one["data"])
        last = one["hash"] = chain(last, one["seq"], one["at"], one["actor"], one["kind"], one["version"], body)
    return bent


def codes_of_import(service: SheetService, value: Any) -> list[str]:
    """The codes with which a file is refused, none where it is taken."""
    try:
        imported(service, value)
    except Refused as refused:
        return [problem.code for problem in refused.problems]
    return []


def test_what_was_tampered_with_or_cannot_be_is_not_imported(service: SheetService, spades: str) -> None:
    evening(service, spades)
    told = service.export_json(spades)
    kinds = [one["kind"] for one in told["events"]]
    recorded, adjusted = kinds.index("deal_recorded") + 1, kinds.index("adjusted") + 1
    wrong: list[tuple[Any, str]] = [
        (None, "type"),
        ({}, "required"),
        ({**told, "format": "other"}, "choice"),
        ({**told, "format_version": 2}, "range"),
        ({**told, "events": []}, "length"),
        ({**told, "events": told["events"][1:]}, "hash-chain"),
        (bend(told, recorded, hash="0" * 64), "hash-chain"),
        (bend(told, recorded, actor="Mallory"), "hash-chain"),
        (bend(told, recorded, at="yesterday"), "time"),
        (bend(told, recorded, at="2026-11-20T18:00:00+09:00"), "time"),
        (bend(told, recorded, kind="deal_guessed"), "unknown-event"),
        (bend(told, adjusted, data={**told["events"][adjusted - 1]["data"], "points": -20}), "hash-chain"),
        (rewritten(told, recorded, deal=3), "broken-log"),
        (rewritten(told, recorded, facts={NS: {"bid": 5, "tricks": "8"}, EW: {"tricks": 5}}), "type"),
        (rewritten(told, recorded, facts=deal(5, 14, 4)), "tricks-range"),
        (rewritten(told, 2, game="chess"), "unknown-game"),
        (rewritten(told, 2, options={"removed_twos": ["2c", "2d"]}), "not-canonical"),
        (rewritten(told, 2, options={"target": "many"}), "type"),
        (rewritten(told, 2, preset="nobody"), "unknown-preset"),
        (rewritten(told, 3, call={"seat": "A", "call": "maybe"}), "call"),
        (rewritten(told, adjusted, side="X"), "broken-log"),
        (rewritten(told, adjusted, reason="a\u202eb"), "not-canonical"),
    ]
    before = list(service.store.sheets())
    for value, code in wrong:
        assert code in codes_of_import(service, value), code
    assert list(service.store.sheets()) == before


def test_a_file_of_an_older_program_with_fewer_options_is_taken(service: SheetService, spades: str) -> None:
    opened = imported(service, rewritten(service.export_json(spades), 2, options={"target": 300}))
    assert service.do(opened.id, record(5, 8, 4)).view.house(opened.view.game).options.bag_threshold == 10


def test_a_table_for_spreadsheets_holds_no_formula(service: SheetService) -> None:
    sheet = service.open_sheet({"seats": ["=cmd|' /C calc'!A0", "+Ben", "-Chie", "@Dai"], "game": "spades"}).id
    service.do(sheet, record(5, 4, 4))
    rows = list(csv.DictReader(io.StringIO(service.export_csv(sheet))))
    assert rows[0]["dealer"] == "'=cmd|' /C calc'!A0"
    assert [row["players"][:2] for row in rows] == ["'=", "'+"]
    assert [(row["side"], row["points"], row["total"], row["bags"]) for row in rows] == [
        (NS, "-50", "-50", "0"),
        (EW, "45", "45", "5"),
    ]
    assert [(row["bid"], row["tricks"]) for row in rows] == [("5", "4"), ("4", "9")]
    assert "facts" not in rows[0]


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "\n@", "＝1", "＠x"])
def test_cells_that_begin_like_a_formula_are_made_harmless(cell: str) -> None:
    assert safe_cell(cell) == "'" + cell
    assert (safe_cell(-50), safe_cell("a=b")) == (-50, "a=b")


def test_lines_for_a_chat(service: SheetService) -> None:
    rules = {"options": {"target": 50}}
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "title": "Friday", "rules": rules}).id
    service.do(sheet, {"type": "void_deal"})
    service.do(sheet, record(5, 8, 4))
    service.do(sheet, {"type": "rematch"})
    shown = ("number", "game", "deal", "status", "winners", "count", "totals", "points", "calls", "deals")

    def say(key: str, facts: Mapping[str, object]) -> str:
        return " ".join([key, *(str(facts[name]) for name in shown if name in facts)])

    lines = service.export_text(sheet, say).splitlines()
    assert lines == [
        "Friday",
        "",
        "chat-game 1 spades",
        "Aki & Chie – Ben & Dai",
        "chat-void spades 1 void",
        "chat-deal spades 2 53 – 41 ['+53', '+41'] []",
        "chat-winner ['Aki & Chie'] 1 53 – 41",
        "chat-why spades",
        "",
        "chat-game 2 spades",
        "Aki & Chie – Ben & Dai",
        "chat-open 0",
    ]


def test_points_below_zero_have_a_real_minus_sign_in_a_chat(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 4, 4))
    said = service.export_text(spades, lambda key, facts: f"{facts.get('totals')} {facts.get('points')}")
    assert "−50 – 45 ['−50', '+45']" in said


def test_an_erased_sheet_opens_nothing(any_store: Store) -> None:
    service = SheetService(any_store)
    opened = service.open_sheet({"seats": NAMES, "game": "spades"})
    service.erase(opened.id)
    for ask in (
        lambda: service.read(opened.id),
        lambda: service.do(opened.id, record(5, 8, 4)),
        lambda: service.check(opened.score_secret, SCORE, opened.id),
        lambda: service.export_json(opened.id),
    ):
        with pytest.raises(NoSuchSheet):
            ask()
    assert service.verify() == []


def test_verify_finds_sheets_that_can_no_longer_be_scored(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    without = SheetService(service.store, games={})
    assert [(fault.sheet, fault.seq) for fault in without.verify()] == [(spades, 3)]


def test_a_link_that_was_revoked_in_between_writes_nothing(service: SheetService) -> None:
    opened = service.open_sheet({"seats": ["Aki", "Ben", "Chie", "Dai"], "game": "spades"})
    link = service.check(opened.score_secret, "score", opened.id)
    service.do(opened.id, {"type": "write_note", "note": "before"}, link=link)
    service.revoke_link(opened.id, link.id)
    with pytest.raises(NoSuchSheet):
        service.do(opened.id, {"type": "write_note", "note": "after"}, link=link)
    assert service.head(opened.id).version == 3


def test_every_fact_has_a_column_in_every_game(service: SheetService) -> None:
    """Facts of the side, of its players, of the whole deal, and what was agreed beside them; no JSON."""
    casino = service.open_sheet({"seats": ["Aki", "Ben"], "game": "casino"}).id
    counts = {"cards": 30, "spades": 8, "aces": 3, "big_ten": True, "spy_two": False, "sweeps": 0}
    others = {"cards": 22, "spades": 5, "aces": 1, "big_ten": False, "spy_two": True, "sweeps": 1}
    service.do(casino, {"type": "record_deal", "facts": {"A": {**counts, "last_capture": True}, "B": others}})
    found = list(csv.DictReader(io.StringIO(service.export_csv(casino))))
    assert [[row[name] for name in ("cards", "big_ten", "spy_two", "sweeps")] for row in found] == [
        ["30", "1", "0", "0"], ["22", "0", "1", "1"],
    ]  # fmt: skip
    rules = {"preset": "partners4"}
    spite = service.open_sheet({"seats": NAMES, "game": "spite-and-malice", "rules": rules}).id
    service.do(spite, {"type": "record_deal", "facts": {"winner": NS, "remaining": {"B": 9, "D": 4}}})
    service.do(spite, {"type": "adjust", "side": NS, "points": -30, "reason": "revoke"})
    found = list(csv.DictReader(io.StringIO(service.export_csv(spite))))
    assert [(row["winner"], row["remaining"], row["adjustments"]) for row in found] == [
        ("Aki & Chie", "", "Aki & Chie -30 revoke"), ("Aki & Chie", "9 4", ""),
    ]  # fmt: skip
    assert not any("{" in cell for row in found for cell in row.values())


CAPTURED: Final = {"cards": 26, "spades": 7, "aces": 2, "big_ten": True, "spy_two": False, "sweeps": 0}
OTHERS: Final = {"cards": 26, "spades": 6, "aces": 2, "big_ten": False, "spy_two": True, "sweeps": 0}


@pytest.mark.parametrize(("ending", "fact"), [("claim", "claim"), ("as_taken", "first_out")])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_ended_a_game_has_a_name_in_the_table_and_in_the_sentence(
    service: SheetService, ending: str, fact: str, seats: int, lang: str
) -> None:
    rules = {"options": {"ending": ending, "target": 21, "partners": "opposite" if seats == 4 else "off"}}
    sides = ("A", "B") if seats == 2 else ("A+C", "B+D")
    request = {"seats": NAMES[:seats], "game": "casino", "rules": rules}
    sheet = service.open_sheet({**request, "opening": {side: {"total": 19} for side in sides}}).id
    facts = {sides[0]: CAPTURED, sides[1]: OTHERS, fact: sides[1]}
    view = service.do(sheet, {"type": "record_deal", "facts": facts}).view
    names = view.sheet.names_in(view.sheet.games[0])
    assert [row[fact] for row in csv.DictReader(io.StringIO(service.export_csv(sheet)))] == [names[sides[1]]] * 2
    said = board(view, lang).reason
    assert not re.search(r"\b[A-D]\b", said)
    assert (names[sides[1]] in said) == (ending == "claim")


CALLING: Final = [
    (game.id, {"preset": preset, "options": options})
    for game in GAMES.values()
    if game.settle_calls is not None
    for preset in game.options.presets
    for options in ({}, {"bid_method": "consultation"}, {"second_round": True})
]


@pytest.mark.parametrize(("game", "rules"), CALLING, ids=str)
def test_who_may_call_is_whom_the_keeper_asks(service: SheetService, game: str, rules: dict[str, Any]) -> None:
    """Also where what one may call depends on a hand that nobody has laid open."""
    try:
        house = GAMES[game].options.build(rules["preset"], rules["options"])
    except Refused:  # no such bidding for so many
        return
    seats = [f"Player {place}" for place in range(GAMES[game].seatings(house.options)[0].players)]
    view = service.read(service.open_sheet({"seats": seats, "game": game, "rules": rules}).id)
    for _ in range(2 * len(seats)):
        step = open_step(view, {}, "en")
        assert step is not None
        may_call = ShownGame(view, view.sheet.games[0], view.ledgers[0]).to_call
        if step.kind != "call" or step.question is None:
            assert may_call == [] or "bid_method" in rules["options"]  # a nil may still take a side's call apart
            return
        assert step.question.id.partition(":")[2] in may_call
        word = next(one.value for group in step.question.groups for one in group if one.value.isdecimal())
        command = {"type": "make_call", "call": call_given(step.question.id, word, GAMES[game])}
        view = service.do(view.id, command).view
    assert step.kind == "call"
