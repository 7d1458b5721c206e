"""What finished games are remembered for, against an independent count over the random evenings of a group."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from companion.engine.evenings import Story, story_of
from companion.engine.game import score
from companion.engine.ledger import SCORED
from companion.games import GAMES
from tests.groups.evenings import play
from tests.groups.oracle import COUNT

Counted = dict[str, dict[str, tuple[int, int]]]
"""By the name of a achievement and by who has done it: how many, out of how many."""


def test_feats_of_random_evenings_are_those_of_an_independent_count(thorough: bool, soaked: Any) -> None:
    evenings = 1_000 if thorough else 60
    groups, group = play(Random(7 + evenings), evenings)
    checked = dict.fromkeys((achievement.name for game in GAMES.values() for achievement in game.achievements), 0)
    for joined in groups.read(group).group.sheets.values():
        view = groups.sheets.read(joined.id)
        for game, ledger in zip(view.sheet.games, view.ledgers, strict=True):
            known = view.games[game.game]
            story = story_of(ledger, partial(known.leaders, view.house(game).options), known.achievements)
            if story is None or game.game not in EXPECTED:
                continue
            expected = EXPECTED[game.game](view, game, ledger)
            assert found(story) == {name: who for name, who in expected.items() if who}, (joined.id, game.number)
            for done in story.achievements:
                checked[done.achievement] += 1
                lines = [line for number in done.deals for line in ledger.deals[number - 1].sides[done.side].lines]
                (achievement,) = (
                    achievement for achievement in known.achievements if achievement.name == done.achievement
                )
                own = [line for line in lines if line.facts.get("player") in (None, "", done.who)]
                assert done.points == sum(line.points for line in own if achievement.count(line) is not None)
    soaked(evenings=evenings, achievements=sum(checked.values()))
    assert [name for name, count in checked.items() if not count and name not in ("aces", "shutout")] == []


def found(story: Story) -> Counted:
    by_name: Counted = {}
    for done in story.achievements:
        by_name.setdefault(done.achievement, {})[done.who] = (done.count, done.tried)
    return by_name


def _spades(view: Any, game: Any, ledger: Any) -> Counted:
    nils: dict[str, tuple[int, int]] = {}
    taken = dict.fromkeys(ledger.standing, 0)
    first = True
    for deal, scored in zip(game.deals, ledger.deals, strict=True):
        if scored.status != SCORED:
            continue
        rules = view.house(game).options
        for side in game.sides:
            taken[side.id] += COUNT["spades"](deal.facts, side.id, "", rules, first).get("bags", (0, 1))[0]
            for nil in deal.facts[side.id].get("nils", []):
                made, tried = nils.get(nil["player"], (0, 0))
                nils[nil["player"]] = made + (nil["tricks"] == 0), tried + 1
        first = False
    left = {side: at.tallies.get("bags", 0) for side, at in ledger.standing.items()}
    threshold = view.house(game).options.bag_threshold
    gone = {side: taken[side] - left[side] for side in taken if taken[side] > left[side]}
    if "bags" not in next(iter(ledger.standing.values())).tallies:
        gone = {}
    return {"nil": nils, "bags": {side: (bags // threshold, bags) for side, bags in gone.items()}}


def _most(counts: dict[str, int], tried: dict[str, int]) -> dict[str, tuple[int, int]]:
    best = max(counts.values(), default=0)
    first = [side for side, count in counts.items() if count == best]
    return {first[0]: (best, tried[first[0]])} if best and len(first) == 1 else {}


def _casino(view: Any, game: Any, ledger: Any) -> Counted:
    rules = view.house(game).options
    sides = [side.id for side in game.sides]
    sweeps, all_sweeps, tens = (dict.fromkeys(sides, 0) for _ in range(3))
    aces: dict[str, tuple[int, int]] = {}
    shutouts: dict[str, tuple[int, int]] = {}
    for deal, scored in zip(game.deals, ledger.deals, strict=True):
        if scored.status != SCORED:
            continue
        facts = {side: deal.facts[side] for side in sides}
        holding = [side for side, own in facts.items() if own["aces"] or own["big_ten"] or own["spy_two"]]
        lowest = min(own["sweeps"] for own in facts.values()) if rules.sweep_cancel else 0
        for side, own in facts.items():
            if rules.sweep and own["sweeps"]:
                sweeps[side] += own["sweeps"] - lowest
                all_sweeps[side] += own["sweeps"]
            if rules.shutout and len(sides) == 2 and len(holding) == 1:
                if side == holding[0]:
                    shutouts[side] = tuple(n + 1 for n in shutouts.get(side, (0, 0)))  # type: ignore[assignment]
                continue
            tens[side] += bool(own["big_ten"] and rules.big_ten_points)
            if own["aces"] == 4 and rules.ace_points:
                aces[side] = tuple(n + 1 for n in aces.get(side, (0, 0)))  # type: ignore[assignment]
    return {
        "shutout": shutouts, "aces": aces, "sweeps": _most(sweeps, all_sweeps), "big-ten": _most(tens, tens)
    }  # fmt: skip


def _spite(view: Any, game: Any, ledger: Any) -> Counted:
    outs = dict.fromkeys((side.id for side in game.sides), 0)
    caught: list[tuple[int, str]] = []
    for deal, scored in zip(game.deals, ledger.deals, strict=True):
        if scored.status == SCORED and deal.facts["winner"]:
            outs[deal.facts["winner"]] += 1
            caught.append((sum(deal.facts["remaining"].values()), deal.facts["winner"]))
    best = max(caught, key=lambda each: each[0], default=(0, ""))
    return {"out": _most(outs, outs), "caught": {best[1]: (best[0], 1)} if best[0] else {}}


EXPECTED: dict[str, Any] = {"spades": _spades, "casino": _casino, "spite-and-malice": _spite}


def test_two_nils_that_score_as_one_count_twice_for_the_side() -> None:
    nils = [{"player": player, "call": "nil", "tricks": tricks} for player, tricks in (("N", 0), ("S", 2))]
    both = {"bid": None, "tricks": 2, "nils": nils}
    asked = {
        "rules": {"options": {"both_nil": "unit", "target": 100}},
        "sides": [{"id": "NS", "players": ["N", "S"]}, {"id": "EW", "players": ["E", "W"]}],
        "deals": [
            {"NS": both, "EW": {"bid": 9, "tricks": 11}},
            {"NS": {"bid": 1, "tricks": 2}, "EW": {"bid": 9, "tricks": 11}},
        ],
    }
    _, ledger = score(GAMES["spades"], asked)
    story = story_of(ledger, partial(GAMES["spades"].leaders, None), GAMES["spades"].achievements)
    assert story is not None
    assert found(story) == {"nil": {"NS": (0, 2)}}
