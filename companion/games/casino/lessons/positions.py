"""Positions of the quiz of Casino: what they look like, how they are said, what tapping cards means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.engine.cards import Card, read_card
from companion.engine.dialogue import Phrase
from companion.engine.lessons import Puzzle, Scene
from companion.engine.problems import JsonObject
from companion.games.casino.lessons.steps import describe_turn, position_scene
from companion.games.casino.rules import OPTIONS, CasinoRules
from companion.games.casino.table import ACE_HIGH, hand_values, set_value

_ACTS: Final = ("capture", "build", "trail")


def scene(puzzle: Puzzle) -> Scene:
    """Return what a position looks like; a card of the hand, cards of the table and builds can be tapped."""
    return position_scene(puzzle.position, puzzle.move)


def acts(puzzle: Puzzle) -> Mapping[str, Phrase]:
    """Return what can be done with tapped cards."""
    return {act: Phrase(f"tap-{act}") for act in _ACTS}


def describe(puzzle: Puzzle) -> list[Phrase]:
    """Return the sentences that say the turn."""
    return describe_turn(puzzle.move)


def tap(puzzle: Puzzle, taps: Sequence[str]) -> JsonObject | None:
    """Return the turn of one card of the hand, the tapped things of the table, and the tapped act."""
    position, rules = puzzle.position, OPTIONS.preset(puzzle.rules["preset"]).options
    hand = [one for one in taps if one in position["hand"]]
    acts = [one for one in taps if one in _ACTS]
    table = [one for one in taps if one in position["table"]]
    builds = [build for build in position["builds"] if build["id"] in taps]
    if len(hand) != 1 or len(acts) != 1:
        return None
    plays = {"capture": _capture, "build": _build, "trail": lambda *_: {"play": "trail", "card": hand[0]}}
    left = [read_card(one) for one in position["hand"] if one != hand[0]]
    play = plays[acts[0]](rules, hand[0], table, builds, left)
    return play and {"type": "turn", "player": position["player"], "plays": [play]}


def _capture(
    rules: CasinoRules, card: str, table: Sequence[str], builds: Sequence[JsonObject], _: Sequence[Card]
) -> JsonObject | None:
    if not table and not builds:
        return None
    play: dict[str, object] = {
        "play": "capture", "card": card, "table": list(table), "builds": [build["id"] for build in builds],
    }  # fmt: skip
    values = hand_values(rules, read_card(card))
    if len(values) > 1:
        total = sum(set_value(rules, read_card(one)) for one in table)
        high = total >= ACE_HIGH or any(build["value"] == ACE_HIGH for build in builds)
        play["as"] = ACE_HIGH if high else 1
    return play


def _build(
    rules: CasinoRules, card: str, table: Sequence[str], builds: Sequence[JsonObject], left: Sequence[Card]
) -> JsonObject | None:
    """Return a raise or an augmentation of a tapped build, or a build of what is tapped, of one set or two."""
    total = sum(set_value(rules, read_card(one)) for one in (card, *table))
    if len(builds) == 1:
        build = builds[0]
        sets = [{"card": card, "table": list(table)}]
        if table or total == build["value"]:
            return {"play": "augment", "value": build["value"], "base": {"build": build["id"]}, "sets": sets}
        return {"play": "raise", "card": card, "build": build["id"], "to": build["value"] + total}
    if builds or not table:
        return None
    for base in table:
        value, rest = set_value(rules, read_card(base)), [one for one in table if one != base]
        if any(value in hand_values(rules, one) for one in left) and total == 2 * value:
            return {
                "play": "augment", "value": value, "base": {"table": base}, "sets": [{"card": card, "table": rest}],
            }  # fmt: skip
    return {"play": "build", "card": card, "table": list(table), "value": total}
