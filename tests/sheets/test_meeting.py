"""Where two things meet on a sheet: rules and later rules, rules and tallies, a void deal and a penalty, an opening and
the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.words import words
from companion.sheets.service import SheetService
from companion.web.dialogue import effect_sentences
from tests.sheets.conftest import NAMES
from tests.sheets.deals import EW, NS, record

SIDE = "Aki & Chie"
LATE = {"side": NS, "points": -50, "reason": "late"}


def change(deal: int | None = None, **options: Any) -> dict[str, Any]:
    """The command that changes the rules from a deal on, by default the open one."""
    return {"type": "change_rules", "rules": {"options": options}} | ({"deal": deal} if deal else {})


def told(service: SheetService, sheet: str, command: Mapping[str, Any], lang: str = "en") -> list[str]:
    """What a command would do beside the points of recorded deals, in words."""
    view = service.read(sheet)
    found = [each for each in service.preview(sheet, command).effects if each.kind in ("rules-gone",) or each.tally]
    return effect_sentences(found, words("spades", lang), view.sheet, view.sheet.games[-1])


def test_rules_from_an_earlier_deal_say_which_later_rules_no_longer_apply(service: SheetService, spades: str) -> None:
    for _ in range(3):
        service.do(spades, record(4, 6, 4))
    service.do(spades, change(2, target=400))
    service.do(spades, change(4, target=450))
    gone = change(1, target=300)
    assert told(service, spades, gone) == [
        "The rules agreed from deal 2 on no longer apply.",
        "The rules agreed from deal 4 on no longer apply.",
    ]
    assert all(told(service, spades, gone, "ja"))
    assert told(service, spades, change(4, target=600)) == []
    service.do(spades, gone)
    details = service.history(spades)[-1].description.details
    assert [(each.key, each.facts) for each in details] == [("later-rules-gone", {"deals": [2, 4]})]
    assert service.history(spades)[-2].description.details == ()
    service.do(spades, {"type": "undo"})
    assert [period.first_deal for period in service.read(spades).game.periods] == [1, 2, 4]


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        (
            {"bag_threshold": 5},
            ["Aki & Chie: 8 bags, at or above the new limit of 5; points are taken off with deal 5."],
        ),
        ({"overtrick": "minus1"}, ["From deal 5 on, Aki & Chie: 8 bags no longer counted."]),
        ({"bag_threshold": 9}, []),
        ({"target": 400}, []),
    ],
)
def test_rules_say_which_bags_they_forget_or_charge(
    service: SheetService, spades: str, options: dict[str, Any], sentences: list[str]
) -> None:
    for _ in range(4):
        service.do(spades, record(4, 6, 7))
    assert told(service, spades, change(**options)) == sentences
    assert len(told(service, spades, change(**options), "ja")) == len(sentences)
    service.do(spades, change(**options))
    before = service.read(spades).ledger.standing[NS]
    view = service.do(spades, record(4, 4, 9)).view
    charged = any("bag" in line.article and line.points < 0 for line in view.ledger.deals[-1].sides[NS].lines)
    assert charged == (options.get("bag_threshold") == 5)
    assert ("bags" in view.ledger.standing[NS].tallies) == ("overtrick" not in options)
    assert before.total == 4 * 40 + 4 * 2


def test_earlier_rules_say_which_bags_they_forget(service: SheetService, spades: str) -> None:
    for _ in range(2):
        service.do(spades, record(4, 6, 7))
    assert told(service, spades, change(1, overtrick="minus1")) == [
        "From deal 1 on, Aki & Chie: 4 bags no longer counted."
    ]


def test_a_penalty_counts_in_a_void_deal_however_it_came_there(service: SheetService) -> None:
    """A void deal counts for nothing but what the table gave or took beside it, on every way."""
    void = {"void": True, "adjustments": [LATE]}
    start = {"seats": NAMES, "game": "spades"}
    recorded, adjusted, corrected = (service.open_sheet(start).id for _ in range(3))
    service.do(recorded, {"type": "record_deal", "facts": void})
    service.do(adjusted, {"type": "void_deal"})
    service.do(adjusted, {"type": "adjust", "deal": 1, **LATE})
    service.do(corrected, record(4, 6, 4))
    service.do(corrected, {"type": "correct_deal", "deal": 1, "facts": void})
    for sheet in (recorded, adjusted, corrected):
        view = service.read(sheet)
        assert view.game.deals[0].facts == void
        assert (view.ledger.deals[0].status, view.ledger.standing[NS].total) == ("void", -50)
        assert view.ledger.deals[0].sides[NS].points == -50
        assert ",-50,-50," in service.export_csv(sheet)
        text = service.export_text(sheet, lambda key, facts: f"{key} {facts.get('totals', '')}")
        assert "chat-deal −50 – 0" in text
    later = service.do(recorded, record(4, 6, 4)).view.ledger
    assert (later.standing[NS].total, later.standing[EW].total) == (-8, 43)


def test_a_void_deal_without_a_penalty_shows_no_points(service: SheetService, spades: str) -> None:
    service.do(spades, {"type": "void_deal"})
    assert "chat-void" in service.export_text(spades, lambda key, facts: key)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "hearts"])
def test_nobody_brings_along_a_game_that_is_over(service: SheetService, game: str) -> None:
    """Under every preset: totals below the target are played on, those at it are refused with the article."""
    for name in GAMES[game].options.presets:
        house = GAMES[game].options.preset(name)
        target, seating = GAMES[game].target(house.options), GAMES[game].seatings(house.options)[0]
        seats = NAMES[: seating.players] + [f"P{place}" for place in range(len(NAMES), seating.players)]
        first = seating.sides([chr(65 + place) for place in range(seating.players)])[0].id
        asked = {"seats": seats, "game": game, "rules": {"preset": name}}
        if target is None:
            assert service.open_sheet({**asked, "opening": {first: {"total": 5}}}).id
            continue
        assert service.open_sheet({**asked, "opening": {first: {"total": target - 1}}}).id
        code, articles = _refusal(service, {**asked, "opening": {first: {"total": target}}})
        assert code == [("opening", "game-over")] or (code, GAMES[game].id) == ([], "spite-and-malice")
        assert all(articles)


def _refusal(service: SheetService, asked: dict[str, Any]) -> tuple[list[tuple[str, str]], list[str | None]]:
    try:
        service.open_sheet(asked)
    except Refused as refused:
        return [(str(p.pointer[0]), p.code) for p in refused.problems], [p.article for p in refused.problems]
    return [], []
