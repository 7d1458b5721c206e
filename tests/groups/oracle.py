"""What the statistics of a group should be, counted the plain way from sheets and ledgers; no code is shared with them.

Everything is one list of rows, a game or a deal for each player at it, and each question walks through all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.sheets.groups import GroupService
from companion.sheets.store import NoSuchSheet

Row = dict[str, Any]


def rows_of(groups: GroupService, group: str) -> tuple[list[Row], list[Row]]:
    """Return a row for each player in each game, and one for each player in each scored deal, in order of time."""
    members = groups.read(group).group.members
    games: list[Row] = []
    deals: list[Row] = []
    for joined in groups.read(group).group.sheets.values():
        try:
            view = groups.sheets.read(joined.id)
        except NoSuchSheet:
            continue
        at_seat: dict[str, str] = {}
        for seat, player in joined.players.items():
            while members[player].into:
                player = members[player].into
            if player not in at_seat.values():
                at_seat[seat] = player
        for game, ledger in zip(view.sheet.games, view.ledgers, strict=True):
            low = game.game == "hearts"
            rules = [view.house(game, number + 1).options for number in range(len(game.deals))]
            first = True
            table: list[Row] = []
            for number, (deal, scored) in enumerate(zip(game.deals, ledger.deals, strict=True), start=1):
                if scored.status != "scored":
                    continue
                for side in game.sides:
                    for seat in side.players:
                        if seat in at_seat:
                            counts = COUNT[game.game](deal.facts, side.id, seat, rules[number - 1], first)
                            totals = {each: score.standing.total for each, score in scored.sides.items()}
                            table.append({
                                "player": at_seat[seat], "sheet": joined.id, "number": game.number, "deal": number,
                                "at": game.started, "game": game.game, "side": side.id, "counts": counts,
                                "points": sum(line.points for line in scored.sides[side.id].lines), "totals": totals,
                                "low": low,
                            })  # fmt: skip
                first = False
            deals += table
            for side in game.sides:
                for seat in side.players:
                    if seat in at_seat and ledger.outcome.over:
                        games.append({
                            "player": at_seat[seat], "sheet": joined.id, "number": game.number, "at": game.started,
                            "game": game.game, "side": side.id, "low": low,
                            "won": ledger.outcome.winners == (side.id,),
                            "drawn": len(ledger.outcome.winners) > 1 and side.id in ledger.outcome.winners,
                            "lost": side.id not in ledger.outcome.winners,
                            "total": ledger.standing[side.id].total,
                        })  # fmt: skip
    in_time: Callable[[Row], Any] = lambda row: (row["at"], f"{row['sheet']}.{row['number']}")  # noqa: E731
    return sorted(games, key=in_time), sorted(deals, key=in_time)


def wins(games: list[Row], player: str) -> tuple[int, int, int]:
    """Games won, drawn and finished."""
    mine = [row for row in games if row["player"] == player]
    return sum(row["won"] for row in mine), sum(row["drawn"] for row in mine), len(mine)


def beside(games: list[Row], player: str, partner: str) -> tuple[int, int]:
    """Games won with a partner, of those played with this partner."""
    seats = {(row["sheet"], row["number"], row["side"]): row["won"] for row in games if row["player"] == partner}
    shared = [seats[key] for row in games if row["player"] == player and (key := _side(row)) in seats]
    return sum(shared), len(shared)


def against(games: list[Row], player: str, other: str) -> tuple[int, int, int]:
    """Games in which one was ahead of the other, in which both were level, and all against each other."""
    theirs = {(row["sheet"], row["number"]): row for row in games if row["player"] == other}
    ahead = level = count = 0
    for row in games:
        their = theirs.get((row["sheet"], row["number"]))
        if row["player"] != player or their is None or their["side"] == row["side"]:
            continue
        count += 1
        best = [not row["lost"], not their["lost"]]
        if best == [True, True]:
            level += 1
        elif best == [True, False]:
            ahead += 1
        elif best == [False, False]:
            mine, yours = (-row["total"], -their["total"]) if row["low"] else (row["total"], their["total"])
            ahead += mine > yours
            level += mine == yours
    return ahead, level, count


def streaks(games: list[Row], player: str) -> tuple[int, int]:
    """The longest row of wins, and that which lasts until now."""
    longest = now = 0
    for row in games:
        if row["player"] == player:
            now = now + 1 if row["won"] else 0
            longest = max(longest, now)
    return longest, now


def comeback(games: list[Row], deals: list[Row], player: str, game: str) -> int:
    """The most points behind the best of the others after a deal of a game that was won."""
    won = {(row["sheet"], row["number"]) for row in games if row["player"] == player and row["won"]}
    worst = 0
    for row in deals:
        if row["player"] == player and row["game"] == game and (row["sheet"], row["number"]) in won:
            for side, total in row["totals"].items():
                if side != row["side"]:
                    gap = total - row["totals"][row["side"]]
                    worst = max(worst, -gap if row["low"] else gap) if len(row["totals"]) == 2 else worst
            if len(row["totals"]) > 2:
                rest = [total for side, total in row["totals"].items() if side != row["side"]]
                own = row["totals"][row["side"]]
                worst = max(worst, own - min(rest) if row["low"] else max(rest) - own)
    return worst


def points(deals: list[Row], player: str, game: str) -> tuple[int, int]:
    """Points and deals."""
    mine = [row["points"] for row in deals if row["player"] == player and row["game"] == game]
    return sum(mine), len(mine)


def counted(deals: list[Row], player: str, game: str, name: str) -> tuple[int, int]:
    """How many, and out of how many, of what a game counts."""
    made = tried = 0
    for row in deals:
        if row["player"] == player and row["game"] == game and name in row["counts"]:
            made += row["counts"][name][0]
            tried += row["counts"][name][1]
    return made, tried


def _side(row: Row) -> tuple[Any, ...]:
    return row["sheet"], row["number"], row["side"]


# What each game counts in a deal --------------------------------------------------------------------------------------


def _spades(facts: Row, side: str, seat: str, rules: Any, first: bool) -> dict[str, tuple[int, int]]:
    mine = facts[side]
    nils = mine.get("nils", [])
    by_nils = sum(nil["tricks"] for nil in nils)
    taken = mine["tricks"] if rules.failed_nil_tricks == "count" else mine["tricks"] - by_nils
    bid = mine.get("bid")
    if first and rules.first_hand_bids_itself:
        bid = mine["tricks"]
    found: dict[str, tuple[int, int]] = {}
    over = by_nils if rules.failed_nil_tricks == "bags_only" else 0
    if bid is None:
        found["set"] = 0, 1
        over = mine["tricks"] if rules.tricks_without_contract == "overtricks" else 0
    else:
        found["contract"] = int(taken >= bid), 1
        found["exact"] = int(taken == bid), 1
        found["off"] = max(taken - bid, bid - taken), 1
        found["set"] = int(taken < bid), 1
        over += max(taken - bid, 0)
    if rules.overtrick in ("plus1", "zero"):
        found["bags"] = over, 1
    tried = [nil for nil in nils if nil["player"] == seat]
    if tried:
        found["nil"] = sum(nil["tricks"] == 0 for nil in tried), len(tried)
    return found


def _casino(facts: Row, side: str, seat: str, rules: Any, first: bool) -> dict[str, tuple[int, int]]:
    sides = [key for key in facts if key not in ("unclaimed", "adjustments", "accept")]
    mine = facts[side]
    found = {"big-ten": (int(mine["big_ten"]), 1), "spy-two": (int(mine["spy_two"]), 1), "aces": (mine["aces"], 1)}
    for item in ("cards", "spades"):
        if item in mine:
            best = max(facts[each][item] for each in sides)
            first_one = mine[item] == best and [facts[each][item] for each in sides].count(best) == 1
        else:
            first_one = mine[f"most_{item}"] and sum(facts[each][f"most_{item}"] for each in sides) == 1
        found[f"most-{item}"] = int(first_one), 1
    if "cards" in mine:
        found["captures"] = mine["cards"], 1
    if rules.sweep > 0:
        found["sweeps"] = mine["sweeps"], 1
    return found


def _spite(facts: Row, side: str, seat: str, rules: Any, first: bool) -> dict[str, tuple[int, int]]:
    winner, remaining = facts["winner"], facts["remaining"]
    if winner == side:
        return {"out": (1, 1), "payoff": (sum(remaining.values()) * rules.score_per_card + rules.score_bonus, 1)}
    own = remaining[side] if side in remaining else sum(remaining[player] for player in side.split("+"))
    return {"out": (0, 1), "left": (own, 1)}


def _hearts(facts: Row, side: str, seat: str, rules: Any, first: bool) -> dict[str, tuple[int, int]]:
    return {"queen": (int(facts[side]["queen"]), 1), "hearts": (facts[side]["hearts"], 1)}


COUNT: dict[str, Any] = {"spades": _spades, "casino": _casino, "spite-and-malice": _spite, "hearts": _hearts}
