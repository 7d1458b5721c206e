"""Code that knows nothing of the program, beside it on every table: judges and scorers written a second time.

A short run asks little on each table rather than much on few: it is the table that a fault between two options needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import pytest

from companion import library as companion
from companion.library import GAMES
from tests.pairs import casino_oracle, spades_oracle, spite_oracle
from tests.pairs.arrays import array, crossed, request, values_of
from tests.pairs.positions import casino_moves, casino_position, spite_moves, spite_position
from tests.pairs.walks import WALKS, Json, Step
from tests.spades.chance import deal, side_names
from tests.spades.oracle import deal_points, is_set, winners

PARTS = 4
"""Tests that share the tables of a game."""
JUDGED = {
    "casino": "court_values ace_hand ace_table special_hand_values court_take building table_only_build"
    " same_value_builds merge_own_value raise_builds builds_per_player pile_cards owner_may_trail trail_equal"
    " keep_capturer partner_build two_player_deal deal partners owner_must_take trail_capturing",
    "spite-and-malice": "partners players refill_at wild wild_as_seven centre_max centre_done wild_as_ace discard_rule"
    " discard_ace discard_required midturn_refill after_last_discard mandatory mandatory_timing mandatory_scope"
    " block_two recycle_threshold recycle_by recycle_source stock_out deadlock second_chance_scope",
}
"""Options that moves are judged by, by themselves."""
Judged = tuple[Json, Json, bool | None]
"""A position, a move in it, and whether the oracle allows it."""
Judge = Callable[[Json, Json, Json], bool | None]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", WALKS)
def test_moves_are_judged_as_the_oracle_does(
    game: str, part: int, soak_round: int, thorough: bool, soaked: Any
) -> None:
    """Ask about as many legal as other moves, in positions that are dense in what options are about."""
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    tables = [*array(game, soak_round, triples=thorough).tables, *(crossed(game, soak_round, 300) if thorough else [])]
    for number, values in enumerate(tables[part::PARTS]):
        rules, rng = request(game, values), Random(f"{game} {soak_round} {part} {number}")
        for position, move, expected in ASKED[game](rules, rng, thorough):
            try:
                verdict = companion.judge(game, {"rules": rules, "position": position, "move": move})
            except companion.InvalidInput:
                counts["refused"] += 1
                continue
            value = verdict.value
            counts[value] += 1
            said = ""
            if expected is not None and value != ("legal" if expected else "illegal"):
                said = f"is {value}, the oracle says {expected}"
            elif (
                expected and game in AFTER and (other := AFTER[game](rules["options"], position, move, verdict.effect))
            ):
                said = f"leads to {verdict.effect}, by the oracle to {other}"
            if said:
                code = companion.rules(game, rules)["code"]
                wrong.append(f"{move} {said} in {position}\n    {code}")
    soaked(**counts)
    assert not wrong, "\n".join(wrong[:5])
    assert min(counts["legal"], counts["illegal"]) > max(40, counts["refused"])


def _spades_asked(rules: Json, rng: Random, thorough: bool) -> Iterator[Judged]:
    """Go through deals as the oracle allows them; ask about calls, first tricks, and cards here and there.

    Calls are where most options of Spades meet, and cost little: a short run asks them in another deal as well.
    """
    for number in range(3 if thorough else 2):
        for step in _spades_steps(rules, rng):
            bids, first = "phase" not in step.position, step.position.get("trick_number", 1) == 1
            if number and not (bids or thorough):
                break
            if first or rng.random() < (0.4 if thorough else 0.12):
                count = 12 if bids else 3 if first else 2
                judge = partial(_as_the_step_says, step)
                yield from _some(step.position, step.candidates, judge, rng, count, rules["options"])


EXCHANGED = ([0, 0], [1, 1], [2, 2], [1, 2])
"""How many cards two partners give each other."""


@pytest.mark.parametrize("part", range(PARTS))
def test_spades_exchanges_are_what_the_oracle_allows(part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    """After every call, and beside calls that nobody tells: what is wrong is what the calls so far make wrong."""
    wrong, counts = [], Counter[str]()
    for number, values in enumerate(array("spades", soak_round, triples=thorough).tables[part::PARTS]):
        rules, rng = request("spades", values), Random(f"exchange {soak_round} {part} {number}")
        code = companion.rules("spades", rules)["code"]
        for _ in range(6 if thorough else 2):
            record, biddings = _spades_bidding(rules, rng)
            table = spades_oracle.Table(rules["options"], record["seats"], record["dealer"], record["totals"])
            gifts = [{"type": "exchange", "side": s, "counts": n} for s in record["totals"] for n in EXCHANGED]
            asked = [(calls, rng.choice(gifts)) for calls in biddings]
            for calls, move in [*asked, *((biddings[-1], gift) for gift in gifts)]:
                told = {name: record[name] for name in ("seats", "dealer", "totals")} | {"calls": calls}
                expected = spades_oracle.wrong_exchange(table, calls, move)
                verdict = companion.judge("spades", {"rules": rules, "position": told, "move": move})
                counts[expected or "legal"] += 1
                found = [breach.code for breach in verdict.breaches]
                if found != [expected] * bool(expected):
                    wrong.append(f"{move} is {found}, the oracle says {expected} in {told}\n    {code}")
                elif not expected:
                    del told["calls"]
                    value = companion.judge("spades", {"rules": rules, "position": told, "move": move}).value
                    wrong += [f"{move} is {value} after calls that nobody tells\n    {code}"] * (value != "undecided")
    soaked(**counts)
    assert not wrong, "\n".join(wrong[:5])
    assert min(counts["legal"], counts["exchange-count"], counts["bidding-not-over"], counts["no-exchange"]) > 3


def _spades_bidding(rules: Json, rng: Random) -> tuple[Json, list[list[Json]]]:
    """A bidding with many nils that the oracle allows: who sits where, the calls before each call and at the end."""
    walk, biddings = WALKS["spades"](rules["options"], rules, rng), []
    step = next(walk)
    record: Json = step.position
    try:
        while "phase" not in step.position:
            biddings.append(step.position["calls"])
            legal = [move for move in step.candidates if step.judge(move) is not False]
            nils = [move for move in legal if str(move["call"]).endswith("nil") and rng.random() < 0.5]
            step = walk.send(nils or legal)
        record = step.position
    except StopIteration as end:  # the hands are thrown in
        record = end.value
    return record, [*biddings, record["calls"]]


def _as_the_step_says(step: Step, options: Json, position: Json, move: Json) -> bool | None:
    return step.judge(move)


def _spades_steps(rules: Json, rng: Random) -> Iterator[Step]:
    walk = WALKS["spades"](rules["options"], rules, rng)
    with suppress(StopIteration):
        step = next(walk)
        while True:
            yield step
            step = walk.send([move for move in step.candidates if step.judge(move) is not False])


def _casino_asked(rules: Json, rng: Random, thorough: bool) -> Iterator[Judged]:
    def drawn(options: Json, other: Json) -> tuple[Json, list[Json]]:
        position = casino_position(options, rng)
        moves = casino_moves(options, position, rng) + casino_moves(other, position, rng)
        return position, rng.sample(moves, min(len(moves), 40))

    tries = (20, 60) if thorough else (8, 16)
    yield from _searched("casino", rules["options"], rng, drawn, casino_oracle.may_turn, tries, 6)


def _spite_asked(rules: Json, rng: Random, thorough: bool) -> Iterator[Judged]:
    def drawn(options: Json, _: Json) -> tuple[Json, list[Json]]:
        position = spite_position(options, rng)
        return position, spite_moves(position)

    tries = (30, 200) if thorough else (8, 20)
    yield from _searched("spite-and-malice", rules["options"], rng, drawn, spite_oracle.may, tries, 6)


def _searched(
    game: str, options: Json, rng: Random, drawn: Callable[[Json, Json], tuple[Json, list[Json]]], judge: Judge,
    tries: tuple[int, int], count: int,
) -> Iterator[Judged]:  # fmt: skip
    """Yield moves of positions drawn by lot, then, of more of them, moves that one option decides.

    An oracle costs a small part of what the judge does, so that positions can be looked for in which an option matters;
    each value of it is asked about three times if it is found.
    """
    changes = [(name, value) for name, value in values_of(game) if name in JUDGED[game].split()]
    left = Counter(
        {number: 3 for number, (name, value) in enumerate(changes) if options[name] != _plain(game, name, value)}
    )
    plain, further = tries
    for place in range(plain + further):
        asked = rng.sample(sorted(+left), min(8, len(+left)))
        tables = [options | {name: _plain(game, name, value)} for name, value in (changes[one] for one in asked)]
        position, moves = drawn(options, tables[0] if tables else options)
        judged = [(position, move, judge(options, position, move)) for move in moves]
        for wanted in (True, False) if place < plain else ():
            fit = [one for one in judged if one[2] is not None and one[2] == wanted]
            yield from _of_every_kind(rng.sample(fit, len(fit)))[:count]
        for number, other in zip(asked, tables, strict=True):
            fit = [one for one in judged if one[2] is not None and judge(other, position, one[1]) != one[2]]
            yield from (some := rng.sample(fit, min(len(fit), 2)))
            left[number] -= len(some)


def _plain(game: str, name: str, value: Any) -> Any:
    return GAMES[game].options.options[name].plain(value)


def _casino_after(options: Json, position: Json, move: Json, effect: Mapping[str, Any]) -> Json:
    """Return what an oracle says of the table after a turn, if it is not what the judge says."""
    builds = sorted((one["value"], len(one["sets"]), one["owner"]) for one in effect["builds"])
    said = {"table": {*effect["table"]}, "builds": builds, "hand": {*effect["hand"]}, "sweep": effect["sweep"]}
    return {} if (found := casino_oracle.after(options, position, move)) == said else found


def _spite_after(options: Json, position: Json, move: Json, effect: Mapping[str, Any]) -> Json:
    """Return the parts of what an oracle says of a move that are not what the judge says."""
    found = spite_oracle.after(options, position, move)
    return {name: value for name, value in found.items() if effect.get(name) != value}


AFTER = {"casino": _casino_after, "spite-and-malice": _spite_after}
ASKED: dict[str, Callable[[Json, Random, bool], Iterator[Judged]]] = {
    "spades": _spades_asked, "casino": _casino_asked, "spite-and-malice": _spite_asked,
}  # fmt: skip


def _of_every_kind(judged: list[Judged]) -> list[Judged]:
    """Return the first move of each kind, then the second of each, and so on: of some kinds there are few."""
    seen: Counter[str] = Counter()
    place = {}
    for number, (_, move, _) in enumerate(judged):
        kind = " ".join(play["play"] for play in move.get("plays", ())) or move["type"]
        seen[kind] += 1
        place[number] = seen[kind]
    return [judged[number] for number in sorted(place, key=lambda number: place[number])]


def _some(position: Json, moves: list[Json], judge: Judge, rng: Random, count: int, options: Json) -> Iterator[Judged]:
    """Yield some moves that the oracle allows, and as many others."""
    judged = [(position, move, judge(options, position, move)) for move in moves]
    for wanted in (True, False):
        fit = [one for one in judged if one[2] is not None and one[2] == wanted]
        yield from _of_every_kind(rng.sample(fit, len(fit)))[:count]


@pytest.mark.parametrize("part", range(PARTS))
def test_casino_demands_what_brute_force_finds(part: int, soak_round: int, thorough: bool, soaked: Any) -> None:
    """Every capture there is says whether another may be demanded, and what may be added to builds."""
    wrong, counts = [], Counter[str]()
    for number, values in enumerate(array("casino", soak_round, triples=thorough).tables[part::PARTS]):
        rules, rng = request("casino", values), Random(f"demand {soak_round} {part} {number}")
        options = rules["options"]
        lifts = options["pile_cards"] == "augment_and_capture"
        for _ in range(12 if thorough else 6 if lifts else 2):
            position = casino_position(options, rng)
            few = options["pile_cards"] != "none" and rng.random() < 0.7  # brute force looks at every set of them
            position["piles"] = {seat: pile[:2] for seat, pile in position["piles"].items()} if few else {}
            position["table"] = position["table"][: 3 if few or lifts else None]
            hidden = lifts and len(position["seats"]) == 2 and rng.random() < 0.5
            for took in _captures(options, position | ({"piles": {}} if hidden else {}), rng, 3):
                other = rng.choice([s for s in position["seats"] if s != position["player"]])
                shown = {name: said for name, said in position.items() if name != "piles"} if hidden else position
                try:
                    answer = companion.demand("casino", {"rules": rules, "position": shown, "by": other, **took})
                except companion.InvalidInput:
                    counts["refused"] += 1
                    continue
                turn = casino_oracle.Turn(options, position)
                opposed = turn.side(other) != turn.side(position["player"])
                demand = partial(casino_oracle.may_demand, options, **_named(took))
                may = opposed and demand(position={**position, "piles": {}} if hidden else position)
                counts["may" if may else "may not"] += 1
                asked_for = may or bool(answer.get("must_add"))
                good = answer["may_demand"] == asked_for and (not may or _enough(options, shown, took, answer))
                if hidden:  # the top is asked for where any that may lie there makes more of it
                    tops = [{**position, "piles": {other: [top]}} for top in _unseen(options, position)]
                    missing = bool(answer.get("missing"))
                    if may:
                        good &= missing or all(_enough(options, one, took, answer) for one in tops)
                    else:
                        good &= missing == any(demand(position=one) for one in tops)
                elif not _added(options, position, took, answer):
                    good = False
                if not good:
                    code = companion.rules("casino", rules)["code"]
                    wrong.append(f"{took} by {other}: {answer}, the oracle says {may} in {shown}\n    {code}")
    soaked(**counts)
    assert not wrong, "\n".join(wrong[:5])
    assert min(counts["may"], counts["may not"]) > 0


def _captures(options: Json, position: Json, rng: Random, count: int) -> Iterator[Json]:
    """Yield captures that are in order, and trails."""
    found: list[Json] = []
    for card in position["hand"]:
        found.append({"card": card, "play": "trail"})
        for value in casino_oracle.Values.under(options).played(card) or {None}:
            for table, builds in casino_oracle.captures(options, position, card, value):
                took = casino_oracle.capture(card, value, sorted(table, key=_from_the_top(position)), builds)
                found.append({name: said for name, said in took.items() if name != "play"})
    legal = [one for one in found if "play" not in one or _trails(options, position, one["card"])]
    yield from rng.sample(legal, min(len(legal), count))


def _unseen(options: Json, position: Json) -> list[str]:
    """Return the cards of the pack that lie nowhere in sight."""
    seen = {*position["table"], *position["hand"], *(c for b in position["builds"] for one in b["sets"] for c in one)}
    return [card for card in casino_oracle.Values.under(options).pack if card not in seen]


def _from_the_top(position: Json) -> Callable[[str], int]:
    """Return how deep a card lies, in a pile or on the table."""
    depth = {f"{seat} {card}": n for seat, pile in position.get("piles", {}).items() for n, card in enumerate(pile)}
    return lambda one: depth.get(one, 0)


def _trails(options: Json, position: Json, card: str) -> bool:
    """Whether a card may be trailed."""
    return casino_oracle.may_turn(options, position, {"plays": [{"play": "trail", "card": card}]})


def _named(took: Json) -> Json:
    """What was taken, as the oracle asks for it; a card without a value takes by its rank."""
    tops = [f"{one['from']} {one['card']}" for one in took.get("piles", ())]
    cards = [*took.get("table", ()), *tops]
    return {"card": took["card"], "value": took.get("as"), "table": cards, "builds": took.get("builds", [])}


def _enough(options: Json, position: Json, took: Json, answer: Json) -> bool:
    """Whether what must be taken is in order, holds what was taken, and leaves nothing to demand."""
    play = {"play": "capture", "card": took["card"], **answer["must_take"]}
    play |= {"as": took["as"]} if "as" in took else {}
    in_order = casino_oracle.may_turn(options, position, {"plays": [play]})
    before, now = _named(took), _named(play)
    holds = set(before["table"]) <= set(now["table"]) or options["demand_measure"] == "maximum"
    return in_order and holds and not casino_oracle.may_demand(options, position, **now)


def _added(options: Json, position: Json, took: Json, answer: Json) -> bool:
    """Whether what may be added to builds may be, and nothing is left out where something may be."""
    if "must_add" not in answer:
        return True
    said = {(one["build"], frozenset(_named({"card": "", **one})["table"])) for one in answer["must_add"]}
    there = casino_oracle.may_add(options, position, {"play": "capture", **took})
    return said <= there and bool(said) == bool(there)


def test_casino_cuts_again_as_the_oracle_does(soak_round: int, thorough: bool) -> None:
    wrong, counts = [], Counter[bool]()
    for number, values in enumerate(array("casino", soak_round, triples=thorough).tables):
        rules, rng = request("casino", values), Random(f"recut {soak_round} {number}")
        pack = casino_oracle.Values.under(rules["options"]).pack
        position = {"seats": [*"ABCDE"[: 5 if rules["options"]["deck"] == 49 else 2]]}
        rich = [card for card in pack if card[0] in "AJQK" or card in ("10D", "2S")]
        for _ in range(8):
            cards = list(dict.fromkeys([*rng.sample(rich, rng.randrange(4)), *rng.sample(pack, 8)]))[:4]
            move = {"type": "recut", "table": cards}
            verdict = companion.judge("casino", {"rules": rules, "position": position, "move": move})
            may = casino_oracle.may_cut_again(rules["options"], cards)
            counts[may] += 1
            if (verdict.value == "legal") != may:
                wrong.append(f"{cards}: {verdict}, the oracle says {may}: {companion.rules('casino', rules)['code']}")
    assert not wrong, "\n".join(wrong[:5])
    assert min(counts.values()) > 5


# Scores --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", WALKS)
def test_scores_are_those_of_the_oracle(game: str, soak_round: int, thorough: bool, soaked: Any) -> None:
    """Score games on every table, and on others where any three options meet: scores cost little."""
    wrong, scored, refused = [], 0, 0
    triples = thorough or game == "casino"
    tables = array(game, soak_round, triples=triples).tables
    tables = [*tables, *crossed(game, soak_round, 1000 if thorough else 120)]
    for number, values in enumerate(tables):
        rules, rng = request(game, values), Random(f"score {game} {soak_round} {number}")
        in_order = rules["options"].get("ending", "highest") != "highest"  # who is there first is seldom a question
        for _ in range((12 if thorough else 4 if game == "spades" else 7) * (4 if in_order else 1)):
            asked, expected, won = SCORED[game](rng, rules["options"])
            try:
                answer = companion.score(game, {"rules": rules, **asked})
            except companion.InvalidInput as unread:
                refused += 1
                if asks := {one.code for one in unread.problems} & ASKED_IN_VAIN:
                    wrong.append(f"{asked} is refused by {asks}\n    {companion.rules(game, rules)['code']}")
                continue
            scored += len(asked["deals"])
            got = [
                {name: (side["points"], side["total"], side.get("bags", 0)) for name, side in one["sides"].items()}
                for one in answer["deals"]
            ]
            end = answer["outcome"]
            if got != expected or (end["over"], end["winners"], end.get("margin", {})) != won:
                code = companion.rules(game, rules)["code"]
                wrong.append(f"{asked} gives {got}, {answer['outcome']}; the oracle says {expected}, {won}\n    {code}")
    soaked(deals=scored, refused=refused)
    assert not wrong, "\n".join(wrong[:5])
    assert scored > 2 * refused


ASKED_IN_VAIN = {"first-out-needed", "first-out-short", "aces-needed"}
"""What no deal lacks here: who was first is named where it decides, and only then."""
Scored = tuple[Json, list[Any], tuple[bool, list[str], dict[str, int]]]
"""A request, what each of its deals brings each side, and how the game stands then: who won, and how much of whom."""


def _spades_game(rng: Random, options: Json) -> Scored:
    """Deals until the game is over, at most six; they begin near the ends of a game and near a penalty for bags."""
    names = side_names(options)
    totals, bags = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    asked: Json = {"sides": names, "deals": []}
    if not options["first_hand_bids_itself"] and rng.random() < 0.7:
        ends = (-60, 0, (options["target"] or 500) - 90, (options["loss_limit"] or 0) + 70)
        totals = {name: rng.choice(ends) + 10 * rng.randrange(-3, 4) for name in names}
        counts = options["overtrick"] in ("plus1", "zero")
        bags = {name: rng.randrange(options["bag_threshold"]) if counts else 0 for name in names}
        opening = {name: {"total": totals[name]} | ({"bags": bags[name]} if counts else {}) for name in names}
        asked["opening"] = opening
        if _won_before(options, totals):
            return _spades_game(rng, options)
    sets: dict[str, list[bool]] = {name: [] for name in names}
    expected, won = [], list[str]()
    while len(asked["deals"]) < 6 and not won:
        first = options["first_hand_bids_itself"] and not asked["deals"]
        facts = deal(rng, options, first_hand=first)
        for _ in range(12 if rng.random() < 0.3 else 0):  # now and then a deal that leaves the best level
            points = {
                name: deal_points(options, facts[name], bags[name], before=totals[name], first_hand=first)[0]
                for name in names
            }
            if _level(totals, points):
                break
            facts = deal(rng, options, first_hand=first)
        sides = {}
        for name in names:
            own, bags[name] = deal_points(options, facts[name], bags[name], before=totals[name], first_hand=first)
            totals[name] += own
            sides[name] = (own, totals[name], bags[name])
        asked["deals"].append(facts)
        expected.append(sides)
        for name in names:
            failed = is_set(options, facts[name], first_hand=first)
            sets[name] += [] if failed is None else [failed]
        won = winners(options, facts, totals, played=len(expected), sets=sets)
    return asked, expected, (bool(won), won, {})


def _won_before(options: Json, totals: dict[str, int]) -> bool:
    """Whether such totals would have ended the game before."""
    floor = options["loss_limit"]
    goal = options["target"]
    return (goal is not None and max(totals.values()) >= goal) or (floor is not None and min(totals.values()) <= floor)


def _casino_game(rng: Random, options: Json) -> Scored:
    sides = [*"ABCD"[: rng.choice((2, 2, 3, 4))]]
    totals = dict.fromkeys(sides, 0)
    asked: Json = {"sides": sides, "deals": []}
    facts = casino_deal(rng, options, sides)
    if options["target"] is not None and options["target"] > 7 and rng.random() < 0.6:  # near the end of a game
        points = casino_oracle.points(options, facts)
        totals = {side: max(0, options["target"] - rng.randint(1, max(6, points[side]))) for side in sides}
        asked["opening"] = {side: {"total": total} for side, total in totals.items()}
    expected, won = [], list[str]()
    target = options["target"]
    while target and options["ending"] == "claim" and sum(total >= target for total in totals.values()) > 1:
        target += 11
    while len(asked["deals"]) < 3 and not won:
        facts = casino_deal(rng, options, sides) if asked["deals"] else facts
        for _ in range(20 if rng.random() < 0.4 else 0):  # now and then a deal that leaves the best level
            if _level(totals, casino_oracle.points(options, facts)):
                break
            facts = casino_deal(rng, options, sides)
        beside = {side: rng.choice((-4, 0, 3)) if rng.random() < 0.2 else 0 for side in sides}  # the table's own points
        wrongs: list[Json] = []
        if rng.random() < 0.4:
            wrongs = [{"kind": "false_build", "by": rng.choice(sides), "corrected": rng.random() < 0.2}]
        after = casino_oracle.after_false_builds(options, beside, wrongs)
        held = {side: totals[side] + beside[side] for side in sides}
        remedied = {side: totals[side] + after[side] for side in sides}
        stated, ends = casino_end(rng, options, remedied, facts, target, held=held)
        points = casino_oracle.points(options, facts, stopped="claim" in stated)
        points = {side: points[side] + after[side] for side in sides}
        before, totals = totals, {side: total + points[side] for side, total in totals.items()}
        codes = ("spy-two-without-spade", "cards-below-parts", "spades-below-parts", "spade-ace-against-aces")
        shown = {side: {key: item for key, item in own.items() if key != "suits"} for side, own in facts.items()}
        if options["ending"] == "count_out":
            shown = {side: own | {"aces": facts[side]["suits"]} for side, own in shown.items()}
            there = [side for side, total in totals.items() if target and total >= target]
            ends = {"first": casino_oracle.counted_out(options, before, facts, there)} if len(there) > 1 else {}
        accept = [{"code": code, "reason": "tried out"} for code in codes]
        adjusted = [{"side": side, "points": n, "reason": "agreed"} for side, n in beside.items() if n]
        asked["deals"].append(shown | stated | {"accept": accept, "irregularities": wrongs, "adjustments": adjusted})
        expected.append({side: (points[side], totals[side], 0) for side in sides})
        won = casino_oracle.winners(options, totals if options["target"] else points, target=target, **ends)
        if not won and target and sum(total >= target for total in totals.values()) > 1:
            target += 11 if options["ending"] == "claim" else 0
    return asked, expected, (bool(won), won, casino_oracle.margins(options, totals, won))


def casino_end(
    rng: Random, options: Json, totals: dict[str, int], facts: Json, target: int | None, *, held: dict[str, int]
) -> tuple[Json, dict[str, str | None]]:
    """What a deal says of its end, and what that means: a claim now and then, who was first of several.

    `held` are the totals before the deal without what false builds cost, which comes after all others.
    """
    sides = [*facts]
    if options["ending"] == "claim" and target and rng.random() < 0.3:
        side = rng.choice(sides)
        return {"claim": side}, {"claim": side}
    if options["ending"] == "as_taken" and target:
        points = casino_oracle.points(options, facts)
        there = [side for side in sides if totals[side] + points[side] >= target]
        taken = casino_oracle.taken(options, facts)
        early = [side for side in there if held[side] + taken[side] >= target] or there
        if len(there) > 1:
            first = rng.choice(early)
            return {"first_out": first}, {"first": first}
    return {}, {}


def _level(totals: dict[str, int], points: dict[str, int]) -> bool:
    """Whether several sides have the highest total after a deal."""
    after = [total + points[side] for side, total in totals.items()]
    return after.count(max(after)) > 1


def casino_deal(rng: Random, options: Json, sides: list[str]) -> Json:
    """What the sides took, often as much as each other, sometimes without anything that scores by itself."""
    deck, spades = options["deck"], options["deck"] // 4
    even = rng.random() < 0.4
    last, ten, two = (rng.choice(sides) for _ in range(3))
    facts = {}
    cards = _shared(rng, deck, sides, even=even)
    black = _shared(rng, spades, sides, even=even)
    aces = rng.choices(sides if rng.random() < 0.7 else [ten], k=4)
    jack = rng.choice(sides)
    two = two if rng.random() < 0.7 else ten
    if options["shutout"] and len(sides) == 2 and rng.random() < 0.25:  # one has nothing that scores by itself
        aces, two, jack = [ten] * 4, ten, ten
        black = {side: spades if side == ten else 0 for side in sides}
    for side in sides:
        facts[side] = {
            "cards": cards[side], "spades": black[side], "aces": aces.count(side), "big_ten": side == ten,
            "spy_two": side == two, "sweeps": rng.choice((0, 0, 1, 2, 3)) if options["sweep"] else 0,
            "last_capture": side == last, "spade_ace": side == aces[0], "spade_jack": side == jack,
            "suits": [suit for suit, holder in zip("SCHD", aces, strict=True) if holder == side],
        }  # fmt: skip
    return facts


def _shared(rng: Random, whole: int, sides: list[str], *, even: bool) -> dict[str, int]:
    if even:
        each, rest = divmod(whole, len(sides))
        return {side: each + (rest if side == sides[-1] else 0) for side in sides}
    cuts = sorted(rng.randrange(whole + 1) for _ in sides[1:])
    return dict(zip(sides, (b - a for a, b in zip([0, *cuts], [*cuts, whole], strict=True)), strict=True))


def _spite_game(rng: Random, options: Json) -> Scored:
    players = [*"ABCDEF"[: options["players"]]]
    half = max(1, len(players) // 2)
    paired = options["partners"] == "opposite"
    pairs = [players[n::half] for n in range(half)] if paired else [[one] for one in players]
    names = ["+".join(pair) for pair in pairs]
    asked: Json = {"sides": [{"id": n, "players": p} for n, p in zip(names, pairs, strict=True)], "deals": []}
    totals, expected, won = dict.fromkeys(names, 0), [], None
    while len(asked["deals"]) < 4 and won is None:
        winner = rng.choice((*names, None)) if rng.random() < 0.9 else None
        tied = rng.randint(1, options["payoff_size"])
        left = {
            one: tied if winner is None and rng.random() < 0.4 else rng.randint(1, options["payoff_size"])
            for one in players
        }
        sides = {
            name: 0 if name == winner else sum(left[one] for one in pair)
            for name, pair in zip(names, pairs, strict=True)
        }
        counted = {one: left[one] for name, pair in zip(names, pairs, strict=True) if name != winner for one in pair}
        points = spite_oracle.points(options, sides, winner)
        totals = {name: total + points[name] for name, total in totals.items()}
        asked["deals"].append({"winner": winner, "remaining": counted})
        expected.append({name: (points[name], totals[name], 0) for name in names})
        won = spite_oracle.winners(options, sides, winner, totals, len(asked["deals"]))
    return asked, expected, (won is not None, won or [], {})


SCORED: dict[str, Callable[[Random, Json], Scored]] = {
    "spades": _spades_game, "casino": _casino_game, "spite-and-malice": _spite_game,
}  # fmt: skip


def test_spite_and_malice_starts_as_the_oracle_does(soak_round: int, thorough: bool, soaked: Any) -> None:
    game, wrong, asked = "spite-and-malice", [], 0
    for number, values in enumerate(array(game, soak_round, triples=thorough).tables):
        rules, rng = request(game, values), Random(f"start {soak_round} {number}")
        options = rules["options"]
        players = [*"ABCDEF"[: options["players"]]]
        for _ in range(20 if thorough else 4):
            ranks = rng.choices(("K", "Q", "A", "9"), k=2)
            tops = {player: rng.choice(ranks) + rng.choice("SHDC") for player in players}
            if options["jokers"] and options["deal_mode"] == "single" and rng.random() < 0.4:
                tops[rng.choice(players)] = "X"
            dealer = rng.choice(players)
            way = spite_oracle.starts(options, tops, dealer)
            for other in {way, ("first", players[0]), ("redo", rng.choice(("reshuffle", "bury", "redraw")))}:
                position = {"players": players, "player": players[0], "payoff_tops": tops, "dealer": dealer}
                request_ = {"rules": rules, "position": position, "move": {"type": "start", other[0]: other[1]}}
                try:
                    value = companion.judge(game, request_).value
                except companion.InvalidInput:
                    continue
                asked += 1
                if (value == "legal") != (other == way):
                    wrong.append(f"{other} is {value} with {tops}, the oracle says {way}: {options}")
    soaked(starts=asked)
    assert not wrong, "\n".join(wrong[:5])
    assert asked > 200
