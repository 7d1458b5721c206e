"""Lessons of Casino: quiz positions, deals to watch, what tapped cards mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

from companion.engine.cards import RANKS, Card, pack, read_card
from companion.engine.dialogue import Phrase
from companion.engine.lessons import (
    Lessons,
    LessonStep,
    Made,
    Puzzle,
    Row,
    Scene,
    Watched,
    Way,
    Why,
    load,
    overlapping,
    sign,
    signs,
)
from companion.engine.problems import JsonObject, Node, read_whole
from companion.games.casino import articles as a
from companion.games.casino.deal import begin
from companion.games.casino.moves import list_moves
from companion.games.casino.rules import OPTIONS, CasinoRules
from companion.games.casino.shapes import Record
from companion.games.casino.table import ACE_HIGH, Position, hand_values, names, read_against, set_value

_ACTS: Final = ("capture", "build", "trail")


def scene(puzzle: Puzzle) -> Scene:
    """Return what a position looks like; a card of the hand, cards of the table and builds can be tapped."""
    position, move = puzzle.position, puzzle.move
    return _scene(
        position.get("table", ()), position.get("builds", ()), position.get("hand", ()), position["player"],
        _used(move["plays"]), {side: cards for side, cards in position.get("piles", {}).items() if cards},
    )  # fmt: skip


def acts(puzzle: Puzzle) -> Mapping[str, Phrase]:
    """Return what can be done with tapped cards."""
    return {act: Phrase(f"tap-{act}") for act in _ACTS}


def describe(puzzle: Puzzle) -> list[Phrase]:
    """Return the sentences that say the turn."""
    return _describe_turn(puzzle.move)


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
    if len(hand_values(rules, read_card(card))) > 1:
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


_SEATS: Final = ["p1", "p2"]
_BUILD: Final = "5♣4♦"
"""How verdicts call the one build of a position: by its cards, which are drawn."""


def _turn(
    table: str, hand: str, play: JsonObject, article: str, *, builds: Sequence[JsonObject] = ()
) -> tuple[JsonObject, JsonObject, str]:
    """Return a position, a turn of one play by p1, and the article that the answer rests on."""
    position = {
        "seats": _SEATS, "player": "p1", "table": table.split(), "hand": hand.split(), "builds": list(builds),
    }  # fmt: skip
    return position, {"type": "turn", "player": "p1", "plays": [play]}, article


def _capture_play(card: str, table: str, **more: int) -> JsonObject:
    return {"play": "capture", "card": card, "table": table.split(), "builds": [], **more}


def _build_play(card: str, table: str, value: int) -> JsonObject:
    return {"play": "build", "card": card, "table": table.split(), "value": value}


def _raise(card: str, to: int) -> JsonObject:
    return {"play": "raise", "card": card, "build": _BUILD, "to": to}


def _pile(value: int, owner: str, *sets: str) -> JsonObject:
    return {"id": _BUILD, "value": value, "owner": owner, "sets": [one.split() for one in sets]}


_MINE, _THEIRS = (_pile(9, "p1", "5C 4D"),), (_pile(9, "p2", "5C 4D"),)
_ALL: Final = {
    "equal": _turn("8H 3C KD", "8S 4D", _capture_play("8S", "8H"), a.EQUAL_RANK.id),
    "sum": _turn("2H 4C 5D QS", "JC 3S", _capture_play("JC", "2H 4C 5D"), a.SUMS.id),
    "sum-ten": _turn("2H 3C 5D QS", "10C 3S", _capture_play("10C", "2H 3C 5D"), a.SUMS.id),
    "twice": _turn("3H 3D 5C", "8S 9H", _capture_play("8S", "3H 3D 5C"), a.SUMS.id),
    "together": _turn("9D 6H 3C 7S", "9S KC", _capture_play("9S", "9D 6H 3C"), a.SUMS.id),
    "court-sum": _turn("2H 4C 5D QS", "JC 3S", _capture_play("JC", "2H 4C 5D"), a.COURT_CAPTURE.id),
    "court-two": _turn("KH KD 4C", "KS 3D", _capture_play("KS", "KH KD"), a.COURT_TAKE.id),
    "court-all": _turn("KH KD 4C", "KS 3D", _capture_play("KS", "KH KD"), a.COURT_CAPTURE.id),
    "ace-high": _turn("9C 5D 2H", "AS 7D", _capture_play("AS", "9C 5D", **{"as": 14}), a.SUMS.id),
    "trail": _turn("7D QC 2H", "7C JD", {"play": "trail", "card": "7C"}, a.TRAIL_ANY_CARD.id),
    "build": _turn("5C KH", "4D 9H", _build_play("4D", "5C", 9), a.SINGLE_BUILD.id),
    "build-court": _turn("8C KH", "4D QH", _build_play("4D", "8C", 12), a.SINGLE_BUILD.id),
    "build-unheld": _turn("5C KH", "4D 8H", _build_play("4D", "5C", 9), a.BUILD_NEEDS_CARD.id),
    "raise-own": _turn("KH", "2S JD 9C", _raise("2S", 11), a.OWN_BUILD_NOT_RAISED.id, builds=_MINE),
    "raise-theirs": _turn("KH", "2S JD 9C", _raise("2S", 11), a.RAISE.id, builds=_THEIRS),
    "same-value": _turn("6C 3S QD", "3H 9C 2D", _build_play("3H", "6C", 9), a.BUILD_VALUE_FREE.id, builds=_THEIRS),
    "trail-own": _turn("KH 2D", "7S 9C", {"play": "trail", "card": "7S"}, a.OWNER_MAY_NOT_TRAIL.id, builds=_MINE),
}  # fmt: skip
_QUIZ: Final = {
    "swazi": "equal sum twice together trail build build-unheld raise-own raise-theirs same-value",
    "standard": "equal sum-ten twice together court-sum court-two trail build build-unheld trail-own",
    "book": "equal sum-ten twice together court-sum court-all trail build build-unheld trail-own",
    "royal": "equal sum twice together ace-high trail build build-court build-unheld trail-own",
}


_STANDARD: Final = {
    a.SUMS.id: a.STANDARD_CAPTURE.id, a.SINGLE_BUILD.id: a.BUILD_TOTAL.id, a.BUILD_NEEDS_CARD.id: a.BUILDER_HOLDS.id,
}  # fmt: skip
"""The articles that say the same of standard building."""


def _puzzles(preset: str) -> Mapping[str, Puzzle]:
    """Return the quiz of a preset from easy to hard."""
    standard = OPTIONS.preset(preset).options.building == "standard"
    found = {}
    for name in _QUIZ[preset].split():
        position, move, article = _ALL[name]
        article = _STANDARD.get(article, article) if standard else article
        found[name] = Puzzle({"preset": preset}, position, move, article)
    return found


def draw(random: Random, preset: str) -> Puzzle:
    """Return a position that nobody has thought out, with a capture or a build that looks right."""
    rules = OPTIONS.preset(preset).options
    cards = [str(card) for card in pack()]
    random.shuffle(cards)
    value_of = {str(card): set_value(rules, card) or card.pips for card in pack()}
    adds_up = {str(card) for card in pack() if set_value(rules, card)}
    table, hand = cards[:5], sorted(cards[5:9])
    card = next((one for one in hand if 7 <= value_of[one] <= 13), hand[0])
    small = [one for one in hand if one in adds_up]
    loose = [one for one in table if one in adds_up]
    if random.random() < 0.5 and small and loose:
        low = min(small, key=value_of.__getitem__)
        first = min(loose, key=value_of.__getitem__)
        wanted = [value for one in hand if (value := value_of[one]) > value_of[low]]
        value = value_of[low] + value_of[first]
        value = value if random.random() < 0.6 or not wanted else random.choice(wanted)
        return _drawn(preset, table, hand, _build_play(low, first, value))
    for size in random.sample((1, 2, 3), 3):
        some = random.sample(table, size)
        if abs(sum(value_of[one] for one in some) - value_of[card]) <= random.choice((0, 0, 1)):
            return _drawn(preset, table, hand, _capture_play(card, " ".join(some)))
    return _drawn(preset, table, hand, _capture_play(card, random.choice(table)))


def _drawn(preset: str, table: Sequence[str], hand: Sequence[str], play: JsonObject) -> Puzzle:
    return Puzzle({"preset": preset}, *_turn(" ".join(table), " ".join(hand), play, ""))


def _deal(cards: int, spades: int, aces: int, big: bool, spy: bool, *, last: str = "p1") -> JsonObject:
    """Return a deal from what p1 took: cards, spades, aces, the big ten, the spy two."""
    return {
        "p1": _side(cards, spades, aces, big, spy, last == "p1"),
        "p2": _side(52 - cards, 13 - spades, 4 - aces, not big, not spy, last == "p2"),
    }


def _side(cards: int, spades: int, aces: int, big: bool, spy: bool, last: bool) -> JsonObject:
    return {
        "cards": cards, "spades": spades, "aces": aces, "big_ten": big, "spy_two": spy,
        "sweeps": 0, "last_capture": last,
    }  # fmt: skip


_DEALS: Final = [
    _deal(29, 6, 3, True, False),
    _deal(26, 8, 1, False, True, last="p2"),
    _deal(31, 5, 2, True, True),
    _deal(30, 9, 3, True, False),
]
_WHY: Final = (Why(1, "p1", "sum"), Why(2, "p2", "tie"), Why(4, "p1", "over"))


def sheet(preset: str) -> JsonObject:
    """Return the score request of a whole game."""
    return {"rules": {"preset": preset}, "sides": ["p1", "p2"], "deals": _DEALS}


_CHOICE: Final = {
    "known": {"never": {"standard": 3}, "some": {"royal": 2, "book": 2, "swazi": 1}, "well": {"swazi": 3}},
    "building": {"little": {"standard": 2, "book": 2}, "middle": {"royal": 2}, "much": {"swazi": 3}},
    "courts": {"plain": {"standard": 2, "book": 2}, "count": {"royal": 2, "swazi": 2}},
    "hands": {"few": {"standard": 1, "book": 1, "royal": 1}, "all": {"swazi": 2}},
}


_OTHERS = 3
"""Further turns that are listed."""


def steps(watched: Watched) -> Iterator[LessonStep]:
    """Yield the steps of a deal. Raises Refused for a record that is none."""
    record = watched.record
    rules = read_whole(record["rules"], OPTIONS.read).options
    read = read_against(watched.request, Record, rules, watched.request, players=True)
    assert read is not None  # noqa: S101  a record of ours
    course = begin(rules, read)
    made = []
    for turn, sent in zip(read.turns, record["turns"], strict=True):
        player = sent["player"]
        position = course.position(player)
        made.append((position, course.take(player, turn.plays), sent))
    for position, taken, sent in made:
        verdicts = [Made(one, taken.verdict, course.settled(taken)) for one in _describe_turn(sent)]
        hand, loose = names(position.hand or ()), names(position.table)
        builds = [build.plain() for build in position.builds]
        tops = {side: layers[0] for side, layers in position.piles.items() if layers}
        piles = {side: names(layer) for side, layer in tops.items() if len(layer) == 1}
        scene = _scene(loose, builds, hand, sent["player"], _used(sent["plays"]), piles)
        yield LessonStep(scene, tuple(verdicts), _others(rules, position, sent))


def _describe_turn(turn: JsonObject) -> list[Phrase]:
    """Return a sentence for each play of a turn."""
    return [_describe_play(play, turn["player"]) for play in turn["plays"]]


def _others(rules: CasinoRules, position: Position, sent: JsonObject) -> tuple[Phrase, ...]:
    """Return the best other turns of one play, at most a few."""
    if position.hand is None:
        return ()
    asked = {
        "seats": list(position.seats.names), "player": position.player, "table": names(position.table),
        "builds": [build.plain() for build in position.builds], "hand": names(position.hand),
    }  # fmt: skip
    found = [one["plays"][0] for one in list_moves(rules, Node({"position": asked}))["moves"]]
    used = _used(sent["plays"])
    wanted = [play for play in found if not set(used) & set(_used([play]))]
    wanted.sort(key=lambda play: (play["play"] == "trail", -len(play.get("table", ()))))
    kinds: list[JsonObject] = []
    for play in wanted:
        if all(play["play"] != one["play"] for one in kinds):
            kinds.append(play)
    return tuple(_describe_play(play, sent["player"]) for play in kinds[:_OTHERS])


def _scene(
    loose: Sequence[str],
    builds: Sequence[JsonObject],
    hand: Sequence[str],
    player: str,
    on: Sequence[str],
    piles: JsonObject,
) -> Scene:
    rows = [Row("table", signs(loose, *on), "", tuple(loose)) if loose else Row("table", ("□",))]
    for build in builds:
        stack = "|".join(overlapping(one) for one in build["sets"])
        rows.append(Row("build", (f"{stack}={build['value']}",), build["owner"], (build["id"],)))
    rows += [Row("pile", (sign(cards[0]),), side) for side, cards in piles.items()]
    if hand:
        held = sorted(hand, key=_by_rank)
        rows.append(Row("hand", signs(held, *on), player, tuple(held), "hand"))
    return tuple(rows)


def _describe_play(play: JsonObject, player: str) -> Phrase:
    kind, sets = play["play"], play.get("sets", ())
    card = play.get("card") or next((one["card"] for one in sets if one.get("card")), "")
    table = [*play.get("table", ()), *(card for one in sets for card in one.get("table", ()))]
    facts = {
        "seat": player, "card": card, "cards": table, "base": play.get("base", {}).get("table", ""),
        "builds": len(play.get("builds", ())), "value": play.get("to", play.get("value", 0)),
    }  # fmt: skip
    return Phrase(kind if card or kind != "build" else "table-build", facts)


def _used(plays: Sequence[JsonObject]) -> list[str]:
    """Return the cards of the hand that are used."""
    cards = [play.get("card") for play in plays]
    cards += [one.get("card") for play in plays for one in play.get("sets", ())]
    return [card for card in cards if card]


def _by_rank(card: str) -> tuple[int, str]:
    return RANKS.index(card[:-1]), card[-1]


_HERE: Final = Path(__file__).parent / "lessons"
_FILES: Final = {
    "swazi": ("swazi", "swazi-mistake"), "standard": ("standard", "unheld-mistake"),
    "book": ("standard", "unheld-mistake"), "royal": ("royal", "unheld-mistake"),
}  # fmt: skip
"""The deals of each way."""


def _way(preset: str) -> Way:
    first, mistake = _FILES[preset]
    deals = {
        "first": Watched(load(_HERE, first, preset), first, shown=12),
        "mistake": Watched(load(_HERE, mistake, preset), mistake),
    }
    return Way(deals, _puzzles(preset), sheet(preset), _WHY)


_STARTS: Final = {
    "japanese": "book", "spade": "standard", "spade_26": "standard", "draw": "standard", "royal_draw": "royal",
}  # fmt: skip
LESSONS: Final = Lessons(
    ways={preset: _way(preset) for preset in _FILES}, steps=steps, scene=scene, describe=describe, draw=draw, acts=acts,
    tap=tap, choice=_CHOICE, starts=_STARTS,
)  # fmt: skip
