"""The visible trail: every step in a sentence, struck where it was taken back, for keepers and for watchers alike."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.sheets.events import COMMANDS
from companion.sheets.service import SheetService
from companion.sheets.store import open_store
from companion.web.keeper.deals import STEPS_A_PAGE, log_of
from tests.keeper.conftest import share
from tests.keeper.phone import Phone


def log(phone: Phone) -> str:
    """The text of the log, from its heading on."""
    return phone.get(f"{phone.sheet}/log").text.partition("struck through.")[2]


def test_every_step_is_a_sentence_latest_first(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct?t0=7")
    opened.press("Save the correction", reason="miscounted")
    told = log(opened)
    steps = [
        "Deal 1 was corrected. Deal 1 Aki & Chika: bid 6, 6 tricks Beth & Dan: bid 5, 7 tricks "
        "Aki & Chika: bid 6, 7 tricks Beth & Dan: bid 5, 6 tricks Reason: miscounted",
        "Deal 2 was entered.",
        "Chika called 5.",
        "Deal 1 was entered.",
        "Chika called 4.",
        "Game 1 began: Spades. Aki deals first. Aki & Chika – Beth & Dan Classic",
        "The sheet was opened for Aki, Beth, Chika, Dan.",
    ]
    places = [told.index(step) for step in steps]
    assert places == sorted(places)
    assert "<s>Aki &amp; Chika: bid 6, 6 tricks</s>" in opened.page.html


def test_what_was_taken_back_is_struck_and_named_by_the_undo(opened: Phone) -> None:
    opened.press("Undo")
    told = log(opened)
    assert told.index("Undone: Deal 2 was entered.") < told.index("undone Deal 2 was entered.")
    assert "<s>Deal 2 was entered.</s>" in opened.page.html
    opened.get(opened.sheet)
    opened.press("Redo")
    told = log(opened)
    assert "Redone: Deal 2 was entered." in told
    assert "<s>Deal 2 was entered.</s>" not in opened.page.html


def test_correction_that_was_undone_stays_in_the_history_of_its_deal(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1/correct?t0=7")
    opened.press("Save the correction", reason="misheard")
    opened.press("Undo")
    page = opened.get(f"{opened.sheet}/deals/1")
    history = page.text.partition("History")[2]
    assert re.search(r"undone Deal 1 was corrected\..*Reason: misheard.*Undone: Deal 1 was corrected\.", history)
    assert "<s>Deal 1 was corrected.</s>" in page.html
    assert "Deal 2" not in history


SEATS = ["Aki", "Beth", "Chika", "Dan"]


def every_command() -> list[dict[str, Any]]:
    """Every command there is, in an order in which all of them can be taken."""
    facts = {"A+C": {"bid": 5, "tricks": 6}, "B+D": {"bid": 5, "tricks": 7}}
    short = {"A+C": {"bid": 5, "tricks": 6}, "B+D": {"bid": 5, "tricks": 6}}
    anyway = {"accept": [{"code": "tricks-total", "reason": "a card was lost"}]}
    return [
        {"type": "make_call", "call": {"seat": "B", "call": 4}},
        {"type": "change_call", "place": 0, "call": {"seat": "B", "call": "nil"}},
        {"type": "clear_calls"},
        {"type": "skip_dealer"},
        {"type": "set_dealer", "seat": "D"},
        {"type": "record_deal", "facts": facts},
        {"type": "correct_deal", "deal": 1, "facts": short | anyway, "reason": "recount"},
        {"type": "correct_deal", "deal": 1, "facts": short | anyway, "calls": [{"seat": s, "call": 5} for s in "BCDA"]},
        {"type": "confirm_deal", "deal": 1, "side": "B+D"},
        {"type": "adjust", "deal": 1, "side": "A+C", "points": -30, "reason": "revoke"},
        {"type": "write_note", "deal": 1, "note": "a late hour"},
        {"type": "change_rules", "rules": {"options": {"target": 300}}, "note": "shorter"},
        {"type": "rename_player", "seat": "A", "name": "Akiko"},
        {"type": "set_names", "names": {"A": "Aki"}, "title": "Saturday"},
        {"type": "take_seat", "seat": "B", "player": "Gen"},
        {"type": "add_player", "name": "Emi"},
        {"type": "title_sheet", "title": "Friday"},
        {"type": "void_deal", "deal": 1, "reason": "exposed card", "dealer_stays": True},
        {"type": "rematch"},
        {"type": "start_game", "game": "casino", "seating": ["A", "B"]},
        {"type": "undo"},
        {"type": "redo"},
    ]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_kind_of_event_has_its_sentence(lang: str) -> None:
    service = SheetService(open_store("memory:"))
    sheet = service.open_sheet({"seats": SEATS, "game": "spades"}).id
    asked = every_command()
    assert {command["type"] for command in asked} == set(COMMANDS)
    for command in asked:
        service.do(sheet, command, actor="Ben's phone")
    steps = [step for chapter in log_of(service.read(sheet), service, lang).chapters for step in chapter.steps]
    assert len(steps) == len(asked) + 3  # the opening, the first game, and a title beside a name
    assert all(step.text for step in steps)
    assert {step.actor for step in steps[:-2]} == {"Ben's phone"}
    lines = [(step.text, *step.more, *step.removed, *step.added, step.reason) for step in steps]
    told = "\n".join(line for step in lines for line in step)
    for word in ("Akiko", "Emi", "Friday", "300", "shorter", "a late hour", "revoke", "−30", "exposed card", "recount"):
        assert word in told
    assert "a card was lost" in told
    assert {"en": "Beth: nil", "ja": "Beth：ニル"}[lang] in told  # the call that was cleared
    assert not re.search(r"[{}]|None|<", told)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_kind_of_event_can_be_taken_back_and_told(lang: str) -> None:
    service = SheetService(open_store("memory:"))
    sheet = service.open_sheet({"seats": SEATS, "game": "spades"}).id
    told = []
    for command in every_command()[:-2]:
        for step in (command, {"type": "undo"}, {"type": "redo"}):
            service.do(sheet, step)
            told.append(log_of(service.read(sheet), service, lang).chapters[0].steps[0].text)
    back, again = {"en": ("Undone: ", "Redone: "), "ja": ("取り消し：", "やり直し：")}[lang]
    for first, undone, redone in zip(told[::3], told[1::3], told[2::3], strict=True):
        assert (undone, redone) == (back + first, again + first)


def test_long_evening_is_told_in_pages() -> None:
    service = SheetService(open_store("memory:"))
    sheet = service.open_sheet(
        {"seats": ["Aki", "Beth", "Chika", "Dan"], "game": "spades", "rules": {"options": {"target": 1000}}}
    ).id
    for number in range(50):
        if service.read(sheet).ledger.outcome.over:
            service.do(sheet, {"type": "rematch"})
        for seat in service.read(sheet).game.seating:
            service.do(sheet, {"type": "make_call", "call": {"seat": seat, "call": 3}})
        taken = 4 + number % 6
        service.do(sheet, {"type": "record_deal", "facts": {"A+C": {"tricks": taken}, "B+D": {"tricks": 13 - taken}}})
    view = service.read(sheet)
    page = log_of(view, service, "en")
    assert sum(len(chapter.steps) for chapter in page.chapters) == STEPS_A_PAGE < view.version
    seen = [step.seq for chapter in page.chapters for step in chapter.steps]
    while page.older:
        page = log_of(view, service, "en", before=page.older)
        seen += [step.seq for chapter in page.chapters for step in chapter.steps]
    assert seen == list(range(view.version, 0, -1))


def test_watcher_reads_the_same_log_and_can_write_nothing(opened: Phone, other: Phone) -> None:
    opened.get(f"{opened.sheet}/share")
    opened.press("Make a watch link")
    secret = re.search(r"/watch/([\w-]+)", opened.page.html)[1]
    page = other.get(f"/en/watch/{secret}")
    assert f'href="/en/watch/{secret}/log"' in page.html
    page = other.get(f"/en/watch/{secret}/log")
    assert other.status == 200
    assert "Deal 2 was entered." in page.text
    assert opened.sheet not in page.html
    assert [form for form in page.forms if form.method == "post"] == []
    assert 'href="/ja/watch/' in page.html


def test_log_says_who_wrote_where_the_link_has_a_label(opened: Phone, other: Phone) -> None:
    share(opened, other)
    other.press(5)
    assert "by the other phone" in log(opened)


def test_foreign_log_is_not_there(opened: Phone, other: Phone) -> None:
    assert other.client.get(f"{opened.sheet}/log").status_code == 404
    assert other.client.get("/en/watch/nothing/log").status_code == 404


@pytest.mark.parametrize("before", ["0", "1", "99999", "x", "-3", "٣"])
def test_odd_places_in_the_log_show_something(opened: Phone, before: str) -> None:
    assert opened.client.get(f"{opened.sheet}/log?before={before}").status_code == 200


def test_confirmation_ends_with_a_correction_and_every_page_says_so(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/deals/1")
    opened.press("Beth & Dan: it is right")
    page = opened.get(f"{opened.sheet}/deals/1/correct?t0=7")
    assert "Beth & Dan confirmed this deal. After a correction they will be asked again" in page.text
    opened.press("Save the correction")
    page = opened.get(f"{opened.sheet}/deals/1")
    assert "Changed since Beth & Dan confirmed it" in page.text
    assert "The confirmation by Beth & Dan no longer counts." in page.text
    opened.press("Beth & Dan: it is right")
    assert "Changed since" not in opened.get(f"{opened.sheet}/deals/1").text


def test_who_only_watches_cannot_confirm(opened: Phone, other: Phone) -> None:
    opened.get(f"{opened.sheet}/share")
    opened.press("Make a watch link")
    secret = re.search(r"/watch/([\w-]+)", opened.page.html)[1]
    other.get("/en/join")
    for place in (opened.sheet, f"/en/watch/{secret}"):
        other.post(f"{place}/do/confirm", deal="1", side="A+C")
        assert other.status == 404
        other.get("/en/join")
    assert "✓" not in opened.get(f"{opened.sheet}/deals/1").text


def test_names_in_the_log_never_run(phone: Phone) -> None:
    phone.open("<script>alert(1)</script>", "Beth", "Chika", "Dan")
    phone.press(4)
    assert "<script>alert" not in phone.get(f"{phone.sheet}/log").html


@pytest.mark.parametrize("before", [0, 2])
def test_a_correction_of_nothing_but_who_was_first_has_its_lines(before: int) -> None:
    """What is asked in a deal depends on the totals before it, which are those of its time."""
    rules = {"options": {"ending": "as_taken", "target": 21}}
    service = SheetService(open_store("memory:"))
    taken = {"A": {"cards": 27, "spades": 7, "aces": 2}, "B": {"cards": 25, "spades": 6, "aces": 2}}
    facts = {side: {**own, "big_ten": side == "A", "spy_two": side == "B"} for side, own in taken.items()}
    opening = {"A": {"total": 17 - 8 * before}, "B": {"total": 18 - 3 * before}}
    opened = service.open_sheet(
        {"seats": ["Aki", "Beth"], "game": "casino", "dealer": "A", "rules": rules, "opening": opening}
    )
    for _ in range(before):
        service.do(opened.id, {"type": "record_deal", "facts": facts})
    service.do(opened.id, {"type": "record_deal", "facts": {**facts, "first_out": "B"}})
    correction = {"type": "correct_deal", "deal": before + 1, "facts": {**facts, "first_out": "A"}}
    view = service.do(opened.id, correction).view
    (latest, recorded, *_) = log_of(view, service, "en").chapters[0].steps
    assert [len(lines) for lines in (latest.removed, latest.added)] == [1, 1]
    assert latest.removed[0].replace("Beth", "Aki") == latest.added[0]
    assert latest.removed[0] in recorded.added
