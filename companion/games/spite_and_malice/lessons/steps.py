"""A recorded deal of Spite and Malice in steps, one for each turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from companion.engine.dialogue import Phrase
from companion.engine.lessons import LessonStep, Made, Row, Scene, Watched, overlapping, sign, signs
from companion.engine.problems import JsonObject, Node, read_whole
from companion.games.spite_and_malice.deal import list_moves
from companion.games.spite_and_malice.replay import follow, read_record
from companion.games.spite_and_malice.rules import OPTIONS, SpiteRules

PLACES = 4


def steps(watched: Watched) -> Iterator[LessonStep]:
    """Yield the steps of a deal. Raises Refused for a record that is none."""
    record = watched.record
    rules = read_whole(record["rules"], OPTIONS.read).options
    run, entries = read_record(rules, watched.request)
    shown, positions = run.table.shown(), []
    position = run.table.as_position()
    for table in follow(run, entries):
        positions.append((position, shown))
        position, shown = table.as_position(), table.shown()
    opening = len(entries) - sum(len(turn["moves"]) for turn in record["turns"])
    for turn, found in groupby(range(opening, len(entries)), lambda place: entries[place].turn):
        places, sent = list(found), record["turns"][turn - 1]
        before, seen = positions[places[0]]
        drawn = [card for move in sent["moves"][:1] for card in move.get("cards", ())]
        moves = []
        for place, move in zip(places, sent["moves"], strict=True):
            judged = run.verdicts[place]
            # The cards drawn first are marked in the hand.
            played = {**move, "seat": sent["player"], "cards": () if place == places[0] else move.get("cards", ())}
            moves.append(Made(describe_move(played), judged.verdict, judged.settled))
        scene = _scene(before, seen, sent["player"], drawn)
        yield LessonStep(scene, tuple(moves), _others(rules, before, sent, drawn))


def describe_move(move: JsonObject, onto: str = "") -> Phrase:
    """Return the sentence of a move; `onto` is the card that it goes on, where that is to be said."""
    kind = move["type"]
    key = f"play-{move['from']}" if kind == "play" else kind
    facts = {
        "seat": move.get("seat", ""), "card": move.get("card", ""), "count": move.get("count", 0), "onto": onto,
        "new": move.get("to") == "new", "turned": move.get("turned", ""), "cards": move.get("cards", ()),
    }  # fmt: skip
    return Phrase(key, facts)


def _others(rules: SpiteRules, before: JsonObject, sent: JsonObject, drawn: Sequence[str]) -> tuple[Phrase, ...]:
    """Return what could have been played first in one sentence."""
    if "hand" not in before:
        return ()
    stock = before["stock"] - len(drawn)
    position = {**before, "hand": [*before["hand"], *drawn], "refilled": True, "stock": stock}
    first: JsonObject = next((move for move in sent["moves"] if move["type"] != "refill"), {})
    found: JsonObject = list_moves(rules, Node({"position": position}))
    plays = [one["card"] for one in found["moves"] if one["type"] == "play" and one.get("card") != first.get("card")]
    cards = list(dict.fromkeys(card for card in plays))
    return (Phrase("others-cards", {"cards": cards}),) if cards else (Phrase("others-none"),)


def _scene(before: JsonObject, seen: JsonObject, player: str, drawn: Sequence[str]) -> Scene:
    """Return the table before a turn: the other side's piles, the centre, the piles and the hand of who plays."""
    piles: Mapping[str, JsonObject] = seen["piles"]
    other = next(seat for seat in before["players"] if seat != player)
    theirs = piles[other]
    rows = [
        _payoff(theirs.get("payoff"), theirs.get("payoff_left"), other),
        _sides(theirs.get("side_stacks") or (), other),
        _centre(before["centre_stacks"]),
        _sides(before.get("side_stacks") or (), player),
        _payoff(before.get("payoff"), before.get("payoff_left"), player),
    ]
    if "hand" in before:
        rows.append(Row("hand", (*signs(before["hand"]), *(f"{sign(card)}!" for card in drawn)), player))
    return tuple(rows)


def _centre(tops: Sequence[str]) -> Row:
    return Row("centre", (*map(sign, tops), "□"))


def _sides(stacks: Sequence[Sequence[str]], seat: str) -> Row:
    places = [overlapping(stack) if stack else "□" for stack in stacks]
    return Row("side", (*places, *["□"] * (PLACES - len(places))), seat)


def _payoff(top: str | None, left: int | None, seat: str) -> Row:
    card = sign(top) if top else "■"
    return Row("payoff", (f"{card}×{left}" if left else card,), seat)
