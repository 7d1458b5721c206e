"""Positions of the quiz of Spite and Malice: what they look like, how they are said, what tapping cards means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine.dialogue import Phrase
from companion.engine.lessons import Puzzle, Row, Scene, overlapping, sign, signs
from companion.engine.problems import JsonObject
from companion.games.spite_and_malice.lessons.steps import PLACES, describe_move

_PAYOFF, _NEW = "payoff", "new"


def scene(puzzle: Puzzle) -> Scene:
    """Return what a position looks like; a card of the mover and a centre stack can be tapped."""
    position, on = puzzle.position, str(puzzle.move.get("card", ""))
    seat, tops, sides = position["player"], position["centre_stacks"], position["side_stacks"]
    free = [""] * (PLACES - len(sides))
    return (
        Row("centre", (*map(sign, tops), "□"), "", (*_names("centre", tops), f"centre-{_NEW}"), "centre"),
        Row("side", (*map(overlapping, sides), *("□" for _ in free)), seat, (*_names("side", sides), *free), "card"),
        Row("payoff", (f"{sign(position['payoff'])}×{position['payoff_left']}",), seat, (_PAYOFF,), "card"),
        Row("hand", signs(position["hand"], on), seat, _names("hand", position["hand"]), "card"),
    )


def acts(puzzle: Puzzle) -> Mapping[str, Phrase]:
    """Return what can be done: play the tapped card to the tapped centre stack, discard it, end the turn."""
    sides = puzzle.position["side_stacks"]
    return {
        "play": Phrase("tap-play"),
        **{f"discard-{place}": Phrase("tap-discard", {"onto": stack[-1]}) for place, stack in enumerate(sides)},
        f"discard-{_NEW}": Phrase("tap-discard-new"), "end_turn": Phrase("tap-end"),
    }  # fmt: skip


def describe(puzzle: Puzzle) -> list[Phrase]:
    """Return the sentence that says the move, and what the card goes on."""
    position, move, to = puzzle.position, puzzle.move, puzzle.move.get("to")
    tops = position["centre_stacks"] if move["type"] == "play" else [stack[-1] for stack in position["side_stacks"]]
    return [describe_move(move, tops[to] if isinstance(to, int) else "")]


def tap(puzzle: Puzzle, taps: Sequence[str]) -> JsonObject | None:
    """Return the play of a tapped card to a tapped centre stack, its discard, or the end of the turn."""
    position, seat = puzzle.position, puzzle.position["player"]
    act = next((one for one in taps if one in acts(puzzle)), "")
    cards = {name: card for card, name in zip(position["hand"], _names("hand", position["hand"]), strict=True)}
    cards[_PAYOFF] = position["payoff"]
    cards |= {f"side-{place}": stack[-1] for place, stack in enumerate(position["side_stacks"])}
    name = next((one for one in taps if one in cards), "")
    if act == "end_turn":
        return {"type": act, "seat": seat}
    if act.startswith("discard"):
        return {"type": "discard", "seat": seat, "card": cards[name], "to": _place(act)} if "hand" in name else None
    centre = next((one for one in taps if one in (*_names("centre", position["centre_stacks"]), f"centre-{_NEW}")), "")
    if not name or not centre:
        return None
    move = {"type": "play", "seat": seat, "from": name.partition("-")[0], "card": cards[name], "to": _place(centre)}
    return {**move, "stack": _place(name)} if name.startswith("side") else move


def _names(place: str, cards: Sequence[object]) -> tuple[str, ...]:
    return tuple(f"{place}-{number}" for number in range(len(cards)))


def _place(name: str) -> int | str:
    return _NEW if name.endswith(_NEW) else int(name.rpartition("-")[2])
