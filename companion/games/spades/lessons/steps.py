"""A recorded deal of Spades in steps: each call, the cards of the first tricks one by one, then trick by trick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.engine.dialogue import Phrase
from companion.engine.lessons import LessonStep, Made, Row, Scene, Watched, sign, signs
from companion.engine.problems import JsonObject, Node, read_whole
from companion.engine.verdict import Judged
from companion.games.spades.deal import list_moves
from companion.games.spades.replay import replay
from companion.games.spades.rules import OPTIONS, SpadesRules
from companion.games.spades.table import DUMMY

SUITS = "SHCD"


def steps(watched: Watched) -> Iterator[LessonStep]:
    """Yield the steps of a deal. Raises Refused for a record that is none."""
    record = watched.record
    rules = read_whole(record["rules"], OPTIONS.read).options
    replayed: JsonObject = replay(rules, watched.request)
    judged: Sequence[Judged] = replayed["verdicts"]
    calls, plays, seats = record.get("calls", ()), record["plays"], record["seats"]
    base = {"seats": seats, "dealer": record["dealer"]}
    hands = {seat: list(cards) for seat, cards in record.get("hands", {}).items()}
    for place, call in enumerate(calls):
        before = {**base, "phase": "bidding", "calls": calls[:place]}
        scene = position_scene({**before, **_hand(hands, call["seat"])}, call)
        yield LessonStep(scene, (_made(call, judged[place]),), _others(rules, before, call, "calls"))
    for start in range(0, len(plays), len(seats)):
        trick, number = plays[start : start + len(seats)], start // len(seats) + 1
        verdicts = judged[len(calls) + start :]
        if start >= watched.detailed * len(seats):
            moves = tuple(map(_made, trick, verdicts))
            yield LessonStep((_trick_row(trick, _winner(verdicts[len(trick) - 1])),), _with_winner(moves, verdicts))
            continue
        for place, play in enumerate(trick):
            before = {
                **base, "phase": "play", "trick": trick[:place], "trick_number": number, "leader": trick[0]["seat"],
                "spades_broken": any(one["card"][-1] == "S" for one in plays[:start]), "calls": calls,
                **_hand(hands, play["seat"]),
            }  # fmt: skip
            rows = [_trick_row(trick[: place + 1], play["card"])]
            if play["seat"] in hands:
                rows.append(_hand_row(hands[play["seat"]], play["seat"], play["card"]))
            moves = (_made(play, verdicts[place]),)
            if place + 1 == len(seats):
                moves = _with_winner(moves, verdicts)
            yield LessonStep(tuple(rows), moves, _others(rules, before, play, "cards"))
            if play["seat"] in hands:
                hands[play["seat"]].remove(play["card"])


def describe_move(move: JsonObject) -> Phrase:
    """Return the sentence of a call or of a card."""
    if "call" in move:
        key = "bid" if isinstance(move["call"], int) else "call"
        return Phrase(key, {"seat": move["seat"], "call": move["call"]})
    return Phrase("play", {"seat": move["seat"], "card": move["card"]})


def position_scene(position: JsonObject, move: JsonObject) -> Scene:
    """Return what a position looks like: the calls or the trick, and the hand of who is to move."""
    seat, rows = move["seat"], []
    if position.get("calls"):
        rows.append(_calls_row(position["calls"]))
    if position.get("phase") == "play":
        rows.append(_trick_row(position.get("trick", ()), ""))
    if "hand" in position:
        rows.append(_hand_row(position["hand"], seat, move.get("card", "")))
    return tuple(rows)


def _made(move: JsonObject, judged: Judged) -> Made:
    return Made(describe_move(move), judged.verdict, judged.settled)


def _with_winner(moves: tuple[Made, ...], verdicts: Sequence[Judged]) -> tuple[Made, ...]:
    """Return moves whose last one describe, too, who won the trick."""
    *first, last = moves
    effect = last.verdict.effect
    facts = {**last.sentence.facts, "winner": effect.get("winner", ""), "winning": effect.get("card", "")}
    return (*first, Made(Phrase(f"{last.sentence.key}-last", facts), last.verdict, last.settled))


def _winner(judged: Judged) -> str:
    return str(judged.verdict.effect.get("card", ""))


def _others(rules: SpadesRules, position: JsonObject, move: JsonObject, key: str) -> tuple[Phrase, ...]:
    """Return what else was allowed in one sentence: other cards of the hand, or which numbers could be called."""
    if key == "cards" and "hand" not in position:
        return ()
    found: JsonObject = list_moves(rules, Node({"position": {**position}}))
    if key == "cards":
        cards = [one["card"] for one in found["moves"] if one["card"] != move["card"]]
        closed = (
            not position["trick"]
            and any(card[-1] == "S" for card in position["hand"])
            and not any(card[-1] == "S" for card in (*cards, move["card"]))
        )
        facts = {"cards": _sorted(cards), "closed": closed}
        return (Phrase("others-cards", facts),) if cards else (Phrase("others-none"),)
    numbers = [one["call"] for one in found["moves"] if isinstance(one["call"], int)]
    words = [one["call"] for one in found["moves"] if not isinstance(one["call"], int)]
    return (Phrase("others-calls", {"least": min(numbers), "most": max(numbers), "words": words}),) if numbers else ()


def _hand(hands: Mapping[str, Sequence[str]], seat: str) -> JsonObject:
    return {"hand": list(hands[seat])} if seat in hands else {}


def _calls_row(calls: Sequence[JsonObject]) -> Row:
    return Row("calls", tuple(word for call in calls for word in (f"({call['seat']})", f"[{call['call']}]")))


def _trick_row(trick: Sequence[JsonObject], on: str) -> Row:
    """Return the cards of a trick, each after who played it; an empty place where nobody has played."""
    cards = (word for one in trick for word in (f"({one['seat']})", sign(one["card"], on=one["card"] == on)))
    return Row("trick", tuple(cards) or ("□",))


def _hand_row(hand: Sequence[str], seat: str, on: str) -> Row:
    """Return a hand whose cards can be tapped; of a dummy, which lies face down, the card that is turned up next."""
    if seat == DUMMY:
        others = (f"■×{len(hand) - 1}",) if hand[1:] else ()
        return Row("hand", (*signs(hand[:1], on), *others), seat, (hand[0], *("" for _ in others)), "hand")
    held = _sorted(hand)
    return Row("hand", signs(held, on), seat, tuple(held), "hand")


def _sorted(cards: Sequence[str]) -> list[str]:
    """Return cards by suit, the highest first."""
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
    return sorted(cards, key=lambda card: (SUITS.index(card[-1]), ranks.index(card[:-1])))
