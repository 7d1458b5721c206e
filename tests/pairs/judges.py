"""What the oracles say of a move in a position as requests have it, where they know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.pairs import casino_oracle, spades_oracle, spite_oracle

Json = dict[str, Any]
OPEN = {
    "spades": "dealer calls trick_number spades_broken played totals hand",
    "casino": "hand piles half",
    "spite-and-malice": "hand side_stacks payoff phase set_aside complete incomplete centre_stacks",
}
"""Facts of a position that are unknown where they are left out; of others something is taken for granted then."""


def by_the_oracle(game: str, options: Json, request: Json) -> bool | None:
    """Whether an oracle allows a move; None where it does not say, or would have to know more."""
    position, move = request["position"], request["move"]
    try:
        return ORACLES[game](options, position, move)
    except (KeyError, TypeError, ValueError):  # something is not told, or belongs to another table
        return None


def _spite(options: Json, position: Json, move: Json) -> bool | None:
    if move["type"] == "start":
        if not set(position["players"]) <= set(position["payoff_tops"]):
            return None
        way = next((name, said) for name, said in move.items() if name != "type")
        if options["starts"] == "any":
            return way[0] == "first"
        return spite_oracle.starts(options, position["payoff_tops"], position["dealer"]) == way
    told = {"hand", "stock", "refilled", "discarded", "played_ace_or_two", "complete", "incomplete", "phase", "turns"}
    piles = [position, *([position["partner"]] if options["partners"] == "opposite" else [])]
    piled = all("side_stacks" in one and ("payoff" in one or one["payoff_left"] == 0) for one in piles)
    return spite_oracle.may(options, position, move) if told <= position.keys() and piled else None


def _casino(options: Json, position: Json, move: Json) -> bool | None:
    if move["type"] == "recut":
        return casino_oracle.may_cut_again(options, move["table"])
    four, two = len(position["seats"]) == 4, len(position["seats"]) == 2
    halves = two and options["two_player_deal"] == "two_halves" and options["deal"] != "fours"
    told = {"table", "builds", "hand", "piles", *(["proven"] if four else []), *(["half"] if halves else [])}
    if move["type"] != "turn" or not told <= position.keys():
        return None
    return casino_oracle.may_turn(options, position, move)


def _spades(options: Json, position: Json, move: Json) -> bool | None:
    table = spades_oracle.Table(options, position["seats"], position["dealer"], position["totals"])
    calls, hand = position["calls"], position.get("hand")
    if move["type"] == "call":
        shown = options["bidding_rule"] in ("mirror", "whiz")
        if (shown and hand is None) or "looked" not in move:
            return None
        spades = sum(spades_oracle.Cards(options).suit(card) == "S" for card in hand) if shown else None
        return spades_oracle.may_call(table, calls, move, spades)
    if move["type"] != "play" or len(calls) < len(table.order) * table.rounds or not position["trick_number"]:
        return None
    leader = position.get("leader")
    if position["trick_number"] == 1 and not leader:
        leader = spades_oracle.first_leader(table, {move["seat"]: hand}, calls)
    return spades_oracle.may_play(options, position, move, leader)


ORACLES: dict[str, Callable[[Json, Json, Json], bool | None]] = {
    "spades": _spades, "casino": _casino, "spite-and-malice": _spite,
}  # fmt: skip
