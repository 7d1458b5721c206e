"""A second scorer of what a table does about irregularities, in front of the rows of the other one.

Written from the rules page alone: what a deal came to is a dict for each side, changed step by step as the page orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from tests.spades.oracle import count, decided, numbers, price

Json = dict[str, Any]
REMEDY = {"revoke": "revoke_remedy", "out_of_turn": "out_of_turn_remedy", "talk": "talk_remedy",
          "challenge_lost": "challenge_lost"}  # fmt: skip
ARTICLE = {"revoke": "revoke-remedy", "out_of_turn": "out-of-turn-remedy", "talk": "talk-remedy",
           "challenge_lost": "challenge-lost"}  # fmt: skip


def evening(options: Json, sides: Json, deals: list[Json], opening: Json) -> list[Json]:
    """Return for every deal each side's points, total, bags and remedy lines, and who has won the game after it."""
    total = {name: opening.get(name, {}).get("total", 0) for name in sides}
    bags = {name: opening.get(name, {}).get("bags", 0) for name in sides}
    warned: set[str] = set()
    found: list[Json] = []
    scored, won, sets = 0, list[str](), {name: list[bool]() for name in sides}
    for facts in deals:
        if facts.get("void") or won:
            blank: Json = {name: (0, total[name], bags[name], []) for name in sides}
            found.append({"sides": blank, "winners": won})
            continue
        first = options["first_hand_bids_itself"] and not scored
        got = _deal(options, sides, facts, first, bags, total, warned)
        scored += 1
        for name, one in got.items():
            total[name], bags[name] = total[name] + one["points"], one["bags"]
            if one["x"].kind != "none":
                sets[name].append(not one["x"].made if one["x"].number else one["x"].sign < 0)
        won = _winners(options, got, total, scored, sets)
        found.append({
            "sides": {n: (one["points"], total[n], bags[n], one["lines"]) for n, one in got.items()}, "winners": won,
        })  # fmt: skip
    return found


def _deal(options: Json, sides: Json, facts: Json, first: bool, bags: Json, total: Json, warned: set[str]) -> Json:
    entries = []
    for entry in facts.get("irregularities", ()):
        name = next(n for n, players in sides.items() if entry["by"] == n or entry["by"] in players)
        if not entry.get("corrected") and (remedy := _remedy(options, entry["kind"], name, warned)):
            entries.append({"side": name, "kind": entry["kind"], "by": entry["by"], "remedy": remedy})
    result: Json = {}
    with_all = _changed(options, sides, facts, first, entries)
    for name in sides:
        x, given = with_all[name]
        (points, after), gained = count(x, bags[name], total[name]), False
        lines = [ARTICLE[entry["kind"]] for entry in entries if entry["side"] == name]
        others = [entry for entry in entries if entry["side"] != name]
        if len(others) < len(entries):
            y, given_then = _changed(options, sides, facts, first, others)[name]
            without, kept = count(y, bags[name], total[name])
            if points > without:
                y.swept, x, points, after, given, gained = x.tricks == x.T, y, without, kept, given_then, True
        lines += ["given-tricks"] * given + ["never-a-gain"] * gained
        result[name] = {"x": x, "points": points, "bags": after, "lines": lines}
    return result


def _remedy(options: Json, kind: str, side: str, warned: set[str]) -> str | None:
    """What is done about one established entry; None where nothing is."""
    value = options[REMEDY[kind]] if kind in REMEDY else "none"
    if value in ("same", "as_revoke"):
        value = options["revoke_remedy"]
    if value == "warning_then_tricks":
        value = "tricks_lost" if side in warned else "warning"
        warned.add(side)
    return None if value == "none" else str(value)


def _changed(options: Json, sides: Json, facts: Json, first: bool, entries: list[Json]) -> Json:
    """The numbers of every side after these entries, each with whether it was given anything."""
    two = len(sides) == 2
    n = options["revoke_tricks"]
    owed = {name: {"tricks": 0, "tricks_lost": 0, "set": 0, "bid_raised": 0, "warning": 0} for name in sides}
    for entry in entries:
        value = "tricks_lost" if entry["remedy"] == "tricks" and not two else entry["remedy"]
        owed[entry["side"]][value] += 1
    claims = {name: one["tricks"] for name, one in owed.items()}
    gone, given = {}, dict.fromkeys(sides, 0)
    for name in sides:
        taken = facts[name]["tricks"]
        lost = min(taken, n * owed[name]["tricks_lost"])
        over = 0
        if two:
            (other,) = (o for o in sides if o != name)
            over = min(taken - lost, max(0, n * (claims[name] - claims[other])))
            given[other] = over
        gone[name] = lost + over
    clean = {name for name, one in owed.items() if not sum(one.values()) - one["warning"]}
    any_set = any(one["set"] for one in owed.values())
    found = {}
    for name in sides:
        credited = two and any_set and name in clean
        guilty = {
            entry["by"] for entry in entries
            if entry["side"] == name and entry["remedy"] == "set" and entry["kind"] in ("revoke", "out_of_turn")
        }  # fmt: skip
        if guilty and len(sides[name]) == 1:  # whoever plays alone needs no name
            guilty |= {*sides[name], None}
        x = _counted(
            options, facts[name], first, gone=gone[name], given=given[name], credited=credited,
            fails=bool(owed[name]["set"]), rise=n * owed[name]["bid_raised"], guilty=guilty,
            players=sides[name],
        )  # fmt: skip
        found[name] = (x, bool(given[name] or credited))
    return found


def _owners(calls: Sequence[Json], players: Sequence[str], guilty: set[str | None]) -> list[tuple[Json, str | None]]:
    """The nils with who made each: whom none names share the rest, and the guilty of them have one that failed."""
    named = {call.get("player") for call in calls}
    free = [player for player in players if player not in named]
    certain = sum(not call.get("player") for call in calls) - sum(player not in guilty for player in free)
    unnamed = [player for player in free if player in guilty][: max(certain, 0)]
    owners = {}
    for place in sorted(range(len(calls)), key=lambda place: not calls[place]["tricks"]):
        call = calls[place]
        owners[place] = call["player"] if call.get("player") else unnamed.pop() if unnamed else None
    return [(call, owners[place]) for place, call in enumerate(calls)]


def _counted(
    options: Json, side: Json, first: bool, *,
    gone: int, given: int, credited: bool, fails: bool, rise: int, guilty: set[str | None], players: Sequence[str],
) -> SimpleNamespace:  # fmt: skip
    x = numbers(options, side, first_hand=first)
    if not (gone or given or credited or fails or rise):
        return x
    # Nils: what they took decides, but for the one who is named; the tricks that leave are the partner's first.
    at_nils = x.nil_tricks
    owners = _owners(side.get("nils", ()), players, guilty)
    x.nils = [(nil["call"], max(1, nil["tricks"]) if owner in guilty else nil["tricks"]) for nil, owner in owners]
    x.nil_tricks = sum(took for _, took in x.nils)
    at_nils -= max(0, gone - (x.tricks - at_nils))
    left = x.tricks - gone
    own = left - (at_nils if x.failed_nil_tricks != "count" else 0)
    loose = at_nils if x.number and x.failed_nil_tricks == "bags_only" else 0
    loose = left if x.kind == "none" and x.tricks_without_contract == "overtricks" else loose
    x.sign = 1 if not fails and not rise and (credited or left + given >= x.T) else -1
    need = x.bid + rise
    if first and x.number:
        need = x.bid = x.tricks if fails or rise or credited else left + given
        need += rise
    played, exact = x.own, x.own == x.bid and not first
    wrong = x.kind == "blind" and x.blind_exact and not credited and played != x.bid
    given = 0 if wrong and x.blind_exact_over == "fail" else given
    filled = max(own, min(own + given, need))
    reached = credited or filled >= need
    x.made = x.number and reached and not fails and not (wrong and x.blind_exact_over == "fail")
    x.made = x.made and not (first and rise)
    x.blind = x.kind == "blind" and not (wrong and x.made)
    price(x, exact=exact, first_hand=first, short=0 if fails else max(0, need - filled))
    above = max(0, own - need) if x.made else 0
    x.overtricks = 0 if fails or credited else loose + above
    x.own = played
    x.tricks = -1 if gone or fails else x.tricks
    return x


def _winners(options: Json, got: Json, total: Json, scored: int, sets: dict[str, list[bool]]) -> list[str]:
    for name, one in got.items():
        x = one["x"]
        moon = "moon" in x.kind and x.sign > 0
        if (options["all_tricks_wins"] and getattr(x, "swept", x.tricks == x.T)) or (options["moon_wins"] and moon):
            return [name]
    return decided(options, total, played=scored, sets=sets)
