"""Lessons of Spite and Malice: the positions of the quiz, deals to watch, a sheet to keep, which way to choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Final

from companion.engine.cards import RANKS
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
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.deal import follow, list_moves, read_record
from companion.games.spite_and_malice.rules import OPTIONS, SIDE_PLACES, SpiteRules

_PAYOFF, _NEW = "payoff", "new"


def scene(puzzle: Puzzle) -> Scene:
    """Return what a position looks like; a card of the mover and a centre stack can be tapped."""
    position, on = puzzle.position, str(puzzle.move.get("card", ""))
    seat, tops, sides = position["player"], position["centre_stacks"], position["side_stacks"]
    free = [""] * (SIDE_PLACES - len(sides))
    return (
        replace(_centre(tops), taps=_centre_names(tops), group="centre"),
        replace(_sides(sides, seat), taps=(*_names("side", sides), *free), group="card"),
        replace(_payoff(position["payoff"], position["payoff_left"], seat), taps=(_PAYOFF,), group="card"),
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
    return [_describe_move(move, tops[to] if isinstance(to, int) else "")]


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
    centre = next((one for one in taps if one in _centre_names(position["centre_stacks"])), "")
    if not name or not centre:
        return None
    move = {"type": "play", "seat": seat, "from": name.partition("-")[0], "card": cards[name], "to": _place(centre)}
    return {**move, "stack": _place(name)} if name.startswith("side") else move


def _names(place: str, cards: Sequence[object]) -> tuple[str, ...]:
    return tuple(f"{place}-{number}" for number in range(len(cards)))


def _centre_names(tops: Sequence[object]) -> tuple[str, ...]:
    return (*_names("centre", tops), f"centre-{_NEW}")


def _place(name: str) -> int | str:
    return _NEW if name.endswith(_NEW) else int(name.rpartition("-")[2])


def _at(
    payoff: str, hand: str, centre: str, sides: str, move: JsonObject, article: str
) -> tuple[JsonObject, JsonObject, str]:
    """Return a position, a move of p1, its article; side stacks are separated by bars, the top card of each last."""
    position = {
        "players": ["p1", "p2"], "player": "p1", "payoff": payoff, "payoff_left": 12, "hand": hand.split(),
        "centre_stacks": centre.split(), "side_stacks": [stack.split() for stack in sides.split("|") if stack.strip()],
        "stock": 40,
    }  # fmt: skip
    return position, {"seat": "p1", **move}, article


def _play(source: str, card: str, to: int | str, **more: object) -> JsonObject:
    return {"type": "play", "from": source, "card": card, "to": to, **more}


def _discard(card: str, to: int | str) -> JsonObject:
    return {"type": "discard", "card": card, "to": to}


_ALL: Final = {
    "next": _at("9", "4 7 7 J Q", "3", "", _play("hand", "4", 0), a.NEXT_RANK.id),
    "skip": _at("9", "5 7 7 J Q", "3", "", _play("hand", "5", 0), a.NEXT_RANK.id),
    "open": _at("9", "2 7 7 J Q", "6", "", _play("hand", "2", "new"), a.OPEN_STACK.id),
    "payoff": _at("8", "3 5 J Q Q", "7 2", "", _play("payoff", "8", 0), a.PAYOFF_TOP.id),
    "side-top": _at("9", "2 7 J Q Q", "4", "5 4", _play("side", "5", 0, stack=0, depth=1), a.TOP_CARD_ONLY.id),
    "joker": _at("9", "X 7 7 J K", "7", "", _play("hand", "X", 0), a.JOKER_TO_CENTRE.id),
    "king": _at("9", "K 7 7 J Q", "7", "", _play("hand", "K", 0), a.KING_TO_CENTRE.id),
    "fourth": _at("9", "A 7 7 J Q", "3 6 9", "", _play("hand", "A", "new"), a.CENTRE_PLACES.id),
    "fifth": _at("9", "A 7 7 J Q", "3 6 9 J", "", _play("hand", "A", "new"), a.CENTRE_PLACES.id),
    "discard-any": _at("4", "9 J Q 3 3", "5", "8", _discard("9", 0), a.ANY_CARD_ANYWHERE.id),
    "discard-ace": _at("4", "A J Q 3 3", "5", "8", _discard("A", 0), a.ANY_CARD_ANYWHERE.id),
    "no-discard": _at("4", "9 J Q 3 3", "5", "8", {"type": "end_turn"}, a.CLOSING_DISCARD.id),
    "discard-lower": _at("9", "7 J K 3 3", "5", "8", _discard("7", 0), a.SAME_OR_LOWER.id),
    "discard-higher": _at("4", "9 J K 3 3", "5", "8", _discard("9", 0), a.SAME_OR_LOWER.id),
    "payoff-ace": _at("A", "7 J K 3 3", "5", "8", _discard("7", 0), a.PAYOFF_ACE.id),
    "joker-range": _at("4", "6 J K 3 Q", "9", "8 X", _discard("6", 0), a.JOKER_RANGE.id),
}
_QUIZ: Final = {
    "blackwood": "next skip open payoff side-top joker discard-lower discard-higher payoff-ace joker-range",
    "massachusetts": "next skip open payoff side-top king discard-any fifth discard-ace no-discard",
    "pagat": "next skip open payoff side-top king discard-any fourth discard-ace no-discard",
}


def _puzzles(preset: str) -> Mapping[str, Puzzle]:
    """Return the quiz of a preset from easy to hard."""
    return {name: Puzzle({"preset": preset}, *_ALL[name]) for name in _QUIZ[preset].split()}


def draw(random: Random, preset: str) -> Puzzle:
    """Return a position that nobody has thought out, with a play to the centre or a discard that looks right."""
    jokers = OPTIONS.preset(preset).options.jokers
    ranks = RANKS if jokers else RANKS[:-1]
    wild = "X" if jokers else "K"
    payoff, *hand = random.choices([rank for rank in ranks if rank != "A"], k=6)
    centre = random.sample(ranks[:-1], 2)
    sides = [[rank] for rank in random.sample(ranks[3:], 2)]
    if random.random() < 0.4:
        sides[0].append(wild)
    hand[0] = random.choice((hand[0], wild, "A"))
    shown = " | ".join(" ".join(stack) for stack in sides)
    text, place = " ".join(hand), random.randrange(2)
    if random.random() < 0.5:
        near = sorted(hand, key=lambda card: abs(_after(centre[place], card, wild) - 1))[: random.choice((1, 2))]
        move = _play("hand", random.choice(near), place)
    elif jokers or random.random() < 0.3:
        near = sorted(hand, key=lambda card: abs(_after(sides[place][0], card, wild) + 0.5))[:2]
        move = _discard(random.choice(near), place)
    else:
        card = sides[place][-1]
        move = _play("side", card, 1 - place, stack=place)
    return Puzzle({"preset": preset}, *_at(payoff, text, " ".join(centre), shown, move, ""))


def _after(top: str, card: str, wild: str) -> int:
    """Return how many ranks above a card another one is; a wild card is just above."""
    return 1 if card == wild else RANKS.index(card) - RANKS.index(top)


_DEALS: Final[Sequence[tuple[str, str, int]]] = [
    ("p1", "p2", 9), ("p2", "p1", 4), ("p1", "p2", 13), ("p2", "p1", 12), ("p1", "p2", 13),
]  # fmt: skip
"""Who went out in each deal, who did not, and how many cards of that pay-off pile were left."""
_TARGET: Final = {"blackwood": 50, "massachusetts": 30, "pagat": 30}
"""To how many points: without a bonus for going out it takes longer."""


def sheet(preset: str) -> JsonObject:
    """Return the score request of a whole game."""
    rules = {"preset": preset, "options": {"match": "target", "target": _TARGET[preset]}}
    deals = [{"winner": winner, "remaining": {loser: left}} for winner, loser, left in _DEALS]
    return {"rules": rules, "sides": ["p1", "p2"], "deals": deals}


def why(preset: str) -> Sequence[Why]:
    """Return the places of that sheet which are explained."""
    return (Why(1, "p1", "win" if preset == "blackwood" else "win-plain"), Why(2, "p1", "nothing"), Why(5, "p1", "end"))


_CHOICE: Final = {
    "time": {"short": {"massachusetts": 3}, "middle": {"pagat": 2}, "long": {"blackwood": 2}},
    "jokers": {"have": {"blackwood": 2}, "none": {"massachusetts": 2, "pagat": 2}},
    "discard": {"free": {"massachusetts": 2, "pagat": 2}, "strict": {"blackwood": 3}},
    "known": {"first": {"massachusetts": 2}, "again": {"blackwood": 1, "pagat": 1}},
}


def steps(watched: Watched) -> Iterator[LessonStep]:
    """Yield the steps of a deal. Raises Refused for a record that is none."""
    record = watched.record
    rules = read_whole(record["rules"], OPTIONS.read).options
    run, entries = read_record(rules, watched.request)
    positions = [(run.table.as_position(), run.table.shown())]
    positions += [(table.as_position(), table.shown()) for table in follow(run, entries)]
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
            moves.append(Made(_describe_move(played), judged.verdict, judged.settled))
        yield LessonStep(_scene(before, seen, sent["player"], drawn), tuple(moves), _others(rules, before, sent, drawn))


def _describe_move(move: JsonObject, onto: str = "") -> Phrase:
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
    position = {**before, "hand": [*before["hand"], *drawn], "refilled": True, "stock": before["stock"] - len(drawn)}
    first: JsonObject = next((move for move in sent["moves"] if move["type"] != "refill"), {})
    found: JsonObject = list_moves(rules, Node({"position": position}))
    plays = [one["card"] for one in found["moves"] if one["type"] == "play" and one.get("card") != first.get("card")]
    cards = list(dict.fromkeys(plays))
    return (Phrase("others-cards", {"cards": cards}),) if cards else (Phrase("others-none"),)


def _scene(before: JsonObject, seen: JsonObject, player: str, drawn: Sequence[str]) -> Scene:
    """Return the table before a turn: the other side's piles, the centre, the piles and the hand of who plays."""
    other = next(seat for seat in before["players"] if seat != player)
    theirs, own = (
        [_payoff(of.get("payoff"), of.get("payoff_left"), seat), _sides(of.get("side_stacks") or (), seat)]
        for of, seat in ((seen["piles"][other], other), (before, player))
    )
    rows = [*theirs, _centre(before["centre_stacks"]), *reversed(own)]
    if "hand" in before:
        rows.append(Row("hand", (*signs(before["hand"]), *(f"{sign(card)}!" for card in drawn)), player))
    return tuple(rows)


def _centre(tops: Sequence[str]) -> Row:
    return Row("centre", (*map(sign, tops), "□"))


def _sides(stacks: Sequence[Sequence[str]], seat: str) -> Row:
    places = [overlapping(stack) if stack else "□" for stack in stacks]
    return Row("side", (*places, *["□"] * (SIDE_PLACES - len(places))), seat)


def _payoff(top: str | None, left: int | None, seat: str) -> Row:
    card = sign(top) if top else "■"
    return Row("payoff", (f"{card}×{left}" if left else card,), seat)


_HERE: Final = Path(__file__).parent / "lessons"
_FILES: Final = {
    "blackwood": ("blackwood", "blackwood-mistake"), "massachusetts": ("massachusetts", "free-mistake"),
    "pagat": ("pagat", "free-mistake"),
}  # fmt: skip
"""The deals of each way."""
_BEGUN: Final = {"massachusetts": {"side_stacks": {"p1": [["8H"]], "p2": [["JC"]]}}}
"""What the first side stacks begin with in a deal that two ways share, where they begin with a card."""


def _way(preset: str) -> Way:
    first, mistake = _FILES[preset]
    record: JsonObject = {**load(_HERE, mistake, preset), **_BEGUN.get(preset, {})}
    deals = {"first": Watched(load(_HERE, first, preset), first), "mistake": Watched(record, mistake)}
    return Way(deals, _puzzles(preset), sheet(preset), why(preset))


_STARTS: Final = {"alone3": "pagat", "alone4": "pagat", "skip_bo": "pagat"}
LESSONS: Final = Lessons(
    ways={preset: _way(preset) for preset in _FILES}, steps=steps, scene=scene, describe=describe, draw=draw, acts=acts,
    tap=tap, choice=_CHOICE, starts=_STARTS,
)  # fmt: skip
