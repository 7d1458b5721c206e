"""Ledgers of a sheet: ripples of a correction, deals after an earlier end, rules that change, other house rules."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from companion.engine.ledger import NOT_SEEN, keep_ledger
from companion.engine.problems import Refused, read_whole
from companion.games import GAMES
from companion.sheets import event as scoring
from companion.sheets.service import SheetService
from tests.sheets.conftest import NAMES
from tests.sheets.deals import EW, NS, correct, deal, record


def test_a_ripple_shows_every_later_total_tally_penalty_and_winner(service: SheetService) -> None:
    rules = {"options": {"target": 150, "bag_threshold": 5}}
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": rules}).id
    for facts in ((5, 7, 4), (6, 9, 4), (4, 5, 3)):
        service.do(sheet, record(*facts))
    before = service.read(sheet)
    ripple = service.preview(sheet, correct(1, 5, 5, 4))
    assert service.read(sheet).version == before.version
    assert [one.number for one in ripple.changed] == [1, 2, 3]
    second = ripple.deals[1].sides[NS]
    assert [(line.article, line.points) for line in second.removed] == [("spades.bag-penalty", -100)]
    assert second.added == ()
    assert (second.before.standing.total, second.after.standing.total) == (52 + 63 - 100, 50 + 63)
    assert (second.before.standing.tallies["bags"], second.after.standing.tallies["bags"]) == (0, 3)
    assert ripple.before.outcome != ripple.after.outcome
    assert (ripple.before.outcome.winners, ripple.after.outcome.winners) == ((), (NS,))
    after = service.do(sheet, correct(1, 5, 5, 4)).view
    assert after.ledger == ripple.after


def test_deals_after_an_earlier_end_stay_marked_and_unscored(service: SheetService) -> None:
    sheet = service.open_sheet({"seats": NAMES, "game": "spades", "rules": {"options": {"target": 60}}}).id
    service.do(sheet, record(5, 8, 4))
    service.do(sheet, record(3, 4, 4))
    view = service.do(sheet, correct(1, 8, 8, 4)).view
    assert [one.status for one in view.ledger.deals] == ["scored", "after-end"]
    assert view.ledger.outcome.winners == (NS,)
    assert len(view.game.deals) == 2
    view = service.do(sheet, {"type": "undo"}).view
    assert [one.status for one in view.ledger.deals] == ["scored", "scored"]


def test_a_preview_of_a_new_deal_an_undo_and_a_rematch(service: SheetService, spades: str) -> None:
    ripple = service.preview(spades, record(5, 8, 4))
    assert (ripple.deals[0].before, ripple.deals[0].sides[NS].after.points) == (None, 53)
    service.do(spades, record(5, 8, 4))
    undone = service.preview(spades, {"type": "undo"})
    assert (undone.deals[0].sides[NS].before.points, undone.deals[0].after) == (53, None)
    rematch = service.preview(spades, {"type": "rematch"})
    assert (rematch.game_number, rematch.deals) == (2, ())
    assert service.preview(spades, {"type": "title_sheet", "title": "x"}).changed == ()


def test_a_call_that_needs_a_deficit_is_only_warned_of_when_an_earlier_deal_changes(
    service: SheetService, spades: str
) -> None:
    service.do(spades, record(10, 10, 4))
    blind = deal(5, 6, 4)
    blind[EW]["nils"] = [{"player": "B", "call": "double_nil", "tricks": 0}]
    service.do(spades, {"type": "record_deal", "facts": blind})
    view = service.do(spades, correct(1, 4, 4, 4)).view
    warning = view.ledger.deals[1].warnings[0]
    assert (warning.problem.code, warning.reason) == ("not-far-enough-behind", "")
    with pytest.raises(Refused) as caught:
        service.do(spades, {"type": "correct_deal", "deal": 2, "facts": {**blind, NS: {"bid": 4, "tricks": 6}}})
    assert [problem.code for problem in caught.value.problems] == ["not-far-enough-behind"]


def test_rules_change_from_a_deal_on(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    service.do(spades, record(5, 8, 4))
    rules = {"options": {"overtrick": "minus1"}}
    change = {"type": "change_rules", "rules": rules, "deal": 2, "note": "agreed by all"}
    view = service.do(spades, change).view
    assert [period.first_deal for period in view.game.periods] == [1, 2]
    assert view.game.rules.note == "agreed by all"
    assert [one.sides[NS].points for one in view.ledger.deals] == [53, 47]
    assert "bags" not in view.ledger.standing[NS].tallies
    assert service.do(spades, change).entries == ()
    view = service.do(spades, {"type": "change_rules", "rules": {}, "deal": 2}).view
    assert view.ledger.standing[NS].tallies["bags"] == 6
    view = service.do(spades, {"type": "change_rules", "rules": {}, "deal": 1}).view
    assert [one.sides[NS].points for one in view.ledger.deals] == [53, 53]


def test_tallies_begin_at_nothing_where_the_rules_did_not_count_them_before(service: SheetService) -> None:
    asked = {"seats": NAMES, "game": "spades", "rules": {"options": {"overtrick": "minus1"}}}
    sheet = service.open_sheet(asked).id
    service.do(sheet, record(5, 8, 4))
    service.do(sheet, {"type": "change_rules", "rules": {"preset": "classic"}})
    view = service.do(sheet, record(5, 8, 4)).view
    assert view.ledger.standing[NS].tallies == {"bags": 3}
    assert view.ledger.standing[NS].total == 47 + 53


def test_the_same_facts_under_other_house_rules(service: SheetService, spades: str) -> None:
    view = service.do(spades, record(5, 8, 4)).view
    options = GAMES["spades"].options
    other = service.what_if(view, read_whole({"options": {"overtrick": "minus10"}}, options.read)).after
    assert other.standing[NS].total == 50 - 30
    assert view.ledger.standing[NS].total == 53
    with pytest.raises(Refused):
        service.what_if(view, options.preset("solo4"))


def test_ledgers_of_games_that_nobody_touched_are_not_scored_again(service: SheetService, spades: str) -> None:
    service.do(spades, record(5, 8, 4))
    view = service.do(spades, {"type": "rematch"}).view
    first = view.ledgers[0]
    assert service.do(spades, record(6, 6, 7)).view.ledgers[0] is first


def test_the_deal_passes_the_other_way_where_the_rules_say_so(service: SheetService, spades: str) -> None:
    game = service.read(spades).game
    period = dataclasses.replace(game.rules, options={**game.rules.options, "direction": "anticlockwise"})
    turned = game._replace(game="casino", periods=(period,))
    assert [game.after("D"), turned.after("D"), turned.after("A")] == ["A", "C", "D"]


def test_a_log_full_of_doubtful_deals_is_reckoned_in_a_few_rounds(
    service: SheetService, spades: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[int] = []

    def counted(*arguments: object, **more: object) -> object:
        rounds.append(1)
        return keep_ledger(*arguments, **more)  # type: ignore[arg-type]

    accept = [{"code": "tricks-total", "reason": "a card was lost"}]
    for _ in range(12):
        facts = {NS: {"bid": 5, "tricks": 4}, EW: {"bid": 9, "tricks": 8}, "accept": accept}
        service.do(spades, {"type": "record_deal", "facts": facts})
    (game,) = service.read(spades).sheet.games
    doubtful = tuple(deal._replace(facts={side: deal.facts[side] for side in (NS, EW)}) for deal in game.deals[1:])
    game = game._replace(deals=(game.deals[0], *doubtful))
    monkeypatch.setattr(scoring, "keep_ledger", counted)
    scored = scoring.ledger(game, GAMES)
    assert len(rounds) == 1
    assert [deal.warnings[0].reason for deal in scored.deals] == ["a card was lost"] + [NOT_SEEN] * 11
    with pytest.raises(Refused) as caught:
        scoring.ledger(game, GAMES, strict=12)
    assert caught.value.problems[0].pointer[:2] == ("deals", 11)


def test_one_more_deal_is_scored_alone(service: SheetService, spades: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[int] = []

    def counted(*arguments: object, **more: object) -> object:
        scored.append(len(arguments[3]))  # type: ignore[arg-type]
        return keep_ledger(*arguments, **more)  # type: ignore[arg-type]

    for _ in range(5):
        service.do(spades, record(5, 6, 4))
    monkeypatch.setattr(scoring, "keep_ledger", counted)
    view = service.do(spades, record(5, 8, 4)).view
    assert view.ledger.deals[-1].sides[NS].points == 53
    assert max(scored) == 1
    scored.clear()
    view = service.do(spades, {"type": "correct_deal", "deal": 4, "facts": record(6, 6, 7)["facts"]}).view
    assert [deal.sides[NS].points for deal in view.ledger.deals] == [51, 51, 51, 60, 51, 53]
    assert max(scored) == 3  # those from the corrected one on


def test_problems_that_a_strict_deal_has_are_found_though_it_was_scored_before(
    service: SheetService, spades: str
) -> None:
    service.do(spades, record(5, 8, 4))
    (game,) = service.read(spades).sheet.games
    doubtful = game.deals[0]._replace(facts={**game.deals[0].facts, NS: {"bid": 5, "tricks": 7}})
    game = game._replace(deals=(doubtful,))
    assert scoring.ledger(game, GAMES).deals[0].warnings[0].reason == NOT_SEEN
    with pytest.raises(Refused):
        scoring.ledger(game, GAMES, strict=1)


SPITE_DEAL = {"winner": "A", "remaining": {"B": 3}}
CASINO_DEAL = {
    "A": {"cards": 30, "spades": 7, "aces": 4, "big_ten": True, "spy_two": True, "sweeps": 0, "last_capture": True},
    "B": {"cards": 22, "spades": 6, "aces": 0, "big_ten": False, "spy_two": False, "sweeps": 0, "last_capture": False},
}
ENDS_BY_RULES: tuple[tuple[str, dict[str, Any], dict[str, Any], list[dict[str, Any]], list[str]], ...] = (
    ("spades", {}, {"target": 100}, [deal(5, 6, 4), deal(6, 7, 4)], [NS]),
    ("spades", {}, {"target": 80}, [deal(5, 6, 4), deal(4, 6, 4)], [NS]),
    ("spades", {}, {"loss_limit": -100}, [deal(8, 6, 4), deal(9, 6, 4)], [EW]),
    ("spades", {}, {"deals_limit": 2}, [deal(5, 6, 4), deal(6, 7, 4)], [NS]),
    ("spades", {"sets_lose": 3}, {"sets_lose": 2}, [deal(8, 6, 4), deal(9, 6, 4)], [EW]),
    ("spades", {}, {"target": 100}, [deal(5, 6, 4), deal(6, 7, 4), {"void": True}], [NS]),
    ("casino", {"target": 50}, {"target": 11}, [CASINO_DEAL, CASINO_DEAL], ["A"]),
    ("spite-and-malice", {"match": "target", "target": 100}, {"match": "single"}, [SPITE_DEAL], ["A"]),
    ("spite-and-malice", {"match": "deals", "match_deals": 4}, {"match_deals": 2}, [SPITE_DEAL] * 2, ["A"]),
    ("spite-and-malice", {"match": "target", "target": 500}, {"match": "target", "target": 5}, [SPITE_DEAL], ["A"]),
)


@pytest.mark.parametrize(("game", "options", "later", "facts", "winners"), ENDS_BY_RULES)
def test_a_game_ends_when_the_rules_are_changed_so_that_it_is_over(
    service: SheetService, game: str, options: Any, later: Any, facts: list[Any], winners: list[str]
) -> None:
    """The preview says it, nothing more is recorded, and other rules or an undo let it go on."""
    names = NAMES if game == "spades" else NAMES[:2]
    sheet = service.open_sheet({"seats": names, "game": game, "rules": {"options": options}}).id
    for one in facts:
        service.do(sheet, {"type": "record_deal", "facts": one})
    change = {"type": "change_rules", "rules": {"options": {**options, **later}}}
    assert not service.read(sheet).ledger.outcome.over
    ripple = service.preview(sheet, change)
    outcome = service.do(sheet, change).view.ledger.outcome
    assert (outcome.over, [*outcome.winners]) == (True, winners)
    assert ripple.after.outcome == outcome
    assert ripple.changed == ()
    with pytest.raises(Refused) as caught:
        service.do(sheet, {"type": "record_deal", "facts": facts[0]})
    assert [problem.code for problem in caught.value.problems] == ["game-over"]
    assert not service.do(sheet, {"type": "change_rules", "rules": {"options": options}}).view.ledger.outcome.over
    assert service.do(sheet, {"type": "undo"}).view.ledger.outcome == outcome
    assert not service.do(sheet, {"type": "undo"}).view.ledger.outcome.over


def test_a_deal_that_was_recorded_after_such_a_change_still_counts(service: SheetService, spades: str) -> None:
    """Programs before this one let a sheet go on; whether deals are scored together or one by one is the same."""
    service.do(spades, record(5, 6, 4))
    service.do(spades, record(6, 7, 4))
    (before,) = service.read(spades).sheet.games
    service.do(spades, {"type": "change_rules", "rules": {"options": {"target": 50}}, "deal": 2})
    (game,) = service.read(spades).sheet.games
    open_again = game._replace(deals=game.deals[:1])
    assert scoring.ledger(open_again, GAMES).outcome.over
    found = scoring.ledger(game, GAMES)
    assert ([one.status for one in found.deals], found.outcome.winners) == (["scored", "scored"], (NS,))
    assert found.deals == scoring.ledger(before, GAMES).deals
