"""A recorded deal of Casino in steps, one for each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.dialogue import Phrase
from companion.engine.lessons import LessonStep, Made, Row, Scene, Watched, overlapping, sign, signs
from companion.engine.problems import JsonObject, Node, read_whole
from companion.games.casino.choices import list_moves
from companion.games.casino.replay import begin
from companion.games.casino.rules import OPTIONS, CasinoRules
from companion.games.casino.shapes import read_record
from companion.games.casino.table import Position

OTHERS = 3
"""Further turns that are listed."""


def steps(watched: Watched) -> Iterator[LessonStep]:
    """Yield the steps of a deal. Raises Refused for a record that is none."""
    record = watched.record
    rules = read_whole(record["rules"], OPTIONS.read).options
    read = read_record(watched.request, rules)
    assert read is not None  # noqa: S101  a record of ours
    course = begin(rules, read)
    made = []
    for turn, sent in zip(read.turns, record["turns"], strict=True):
        player = sent["player"]
        position = course.position(player)
        made.append((position, course.take(player, turn.plays), sent))
    for position, taken, sent in made:
        sentence = describe_turn(sent)
        verdicts = [Made(one, taken.verdict, course.settled(taken)) for one in sentence]
        hand = sorted(map(str, position.hand or ()), key=_by_rank)
        loose, builds = list(map(str, position.table)), [build.plain() for build in position.builds]
        tops = {side: layers[0] for side, layers in position.piles.items() if layers}
        piles = {side: list(map(str, layer)) for side, layer in tops.items() if len(layer) == 1}
        scene = _scene(loose, builds, hand, sent["player"], _used(sent["plays"]), piles)
        yield LessonStep(scene, tuple(verdicts), _others(rules, position, sent))


def describe_turn(turn: JsonObject) -> list[Phrase]:
    """Return a sentence for each play of a turn."""
    return [_describe_play(play, turn["player"]) for play in turn["plays"]]


def position_scene(position: JsonObject, move: JsonObject) -> Scene:
    """Return what a position looks like: the table, the builds, the hand of who is to move."""
    return _scene(
        position.get("table", ()), position.get("builds", ()), position.get("hand", ()), position["player"],
        _used(move["plays"]), {side: cards for side, cards in position.get("piles", {}).items() if cards},
    )  # fmt: skip


def _others(rules: CasinoRules, position: Position, sent: JsonObject) -> tuple[Phrase, ...]:
    """Return the best other turns of one play, at most a few."""
    if position.hand is None:
        return ()
    asked = {
        "seats": list(position.seats.names), "player": position.player, "table": list(map(str, position.table)),
        "builds": [build.plain() for build in position.builds], "hand": sorted(map(str, position.hand)),
    }  # fmt: skip
    found = [one["plays"][0] for one in list_moves(rules, Node({"position": asked}))["moves"]]
    used = _used(sent["plays"])
    wanted = [play for play in found if not set(used) & set(_used([play]))]
    wanted.sort(key=lambda play: (play["play"] == "trail", -len(play.get("table", ()))))
    kinds: list[JsonObject] = []
    for play in wanted:
        if all(play["play"] != one["play"] for one in kinds):
            kinds.append(play)
    return tuple(_describe_play(play, sent["player"]) for play in kinds[:OTHERS])


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
    base = play.get("base", {}).get("table")
    facts = {
        "seat": player, "card": card, "cards": [*([base] if base else []), *table],
        "builds": len(play.get("builds", ())), "value": play.get("to", play.get("value", 0)),
    }  # fmt: skip
    return Phrase(kind if card or kind != "build" else "table-build", facts)


def _used(plays: Sequence[JsonObject]) -> list[str]:
    """Return the cards of the hand that are used."""
    cards = [play.get("card") for play in plays]
    cards += [one.get("card") for play in plays for one in play.get("sets", ())]
    return [card for card in cards if card]


def _by_rank(card: str) -> tuple[int, str]:
    return ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].index(card[:-1]), card[-1]
