"""Positions of the quiz of Spades: what they look like, how they are said, what tapping a card means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine.dialogue import Phrase
from companion.engine.lessons import Puzzle, Scene
from companion.engine.problems import JsonObject
from companion.games.spades.lessons.steps import describe_move, position_scene
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import DUMMY


def scene(puzzle: Puzzle) -> Scene:
    """Return what a position looks like; a card of the hand can be tapped."""
    return position_scene(puzzle.position, puzzle.move)


def acts(puzzle: Puzzle) -> Mapping[str, Phrase]:
    """Return what can be done: play the tapped card, or make a call."""
    if puzzle.move["type"] == "play":
        return {"play": Phrase("tap-play")}
    tricks = OPTIONS.preset(puzzle.rules["preset"]).options.tricks
    return {call: Phrase("tap-call", {"call": _call(call)}) for call in ("nil", *map(str, range(tricks + 1)))}


def describe(puzzle: Puzzle) -> list[Phrase]:
    """Return what the drawing does not show, and the move."""
    position, move = puzzle.position, puzzle.move
    known = []
    if move["type"] == "play" and not position["trick"]:
        known.append(Phrase("broken" if position["spades_broken"] else "not-broken"))
    if move["type"] == "call":
        said = {call["seat"] for call in position["calls"]}
        due = next(seat for seat in _from(position["seats"], position["dealer"]) if seat not in said)
        if due != move["seat"]:
            known.append(Phrase("seated", {"dealer": position["dealer"], "seats": position["seats"]}))
    if position.get("totals"):
        known += [Phrase("total", {"side": side, "total": total}) for side, total in position["totals"].items()]
    if move.get("looked") is False:
        known.append(Phrase("unseen", {"seat": move["seat"]}))
    return [*known, describe_move(move)]


def tap(puzzle: Puzzle, taps: Sequence[str]) -> JsonObject | None:
    """Return the card that is tapped, or the call."""
    move = {key: puzzle.move[key] for key in ("type", "seat")}
    if move["type"] == "play":
        cards = [one for one in taps if one in puzzle.position["hand"]]
        return {**move, "card": cards[0]} if len(cards) == 1 else None
    calls = [one for one in taps if one in acts(puzzle)]
    return {**move, "call": _call(calls[0])} if calls else None


def _call(written: str) -> int | str:
    return int(written) if written.isdigit() else written


def _from(seats: Sequence[str], dealer: str) -> list[str]:
    """Return the bidders in order, the player after the dealer first; a dummy does not bid."""
    first = seats.index(dealer) + 1
    return [seat for seat in (*seats[first:], *seats[:first]) if seat != DUMMY]
