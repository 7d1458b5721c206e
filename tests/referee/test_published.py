"""The published cases asked on the pages: what the judge says is what the page shows, however it was tapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.conformance import published
from companion.engine.problems import Node
from companion.games import GAMES
from companion.games.spades.bidding import Bids
from companion.games.spades.table import Table, read_calls
from companion.rulebook.words import words
from tests.referee.reading import address, read

Question = tuple[str, Mapping[str, object], str]
"""The page, its state, and the card button whose look is the verdict; the bar's verdict where it is empty."""


def house(case: dict[str, Any]) -> Any:
    game = GAMES[case["post"].split("/")[2]]
    node = Node(case["request"].get("rules", {}))
    found = game.options.read(node)
    assert not node.problems
    return game, found


def spades_play(case: dict[str, Any], rules: Any) -> Question | None:
    position, move = case["request"]["position"], case["request"]["move"]
    trick, seats = position.get("trick", []), position["seats"]
    order = [seats[(seats.index(move["seat"]) - len(trick) + n) % len(seats)] for n in range(len(trick))]
    if (
        "hand" not in position
        or move["card"] not in position["hand"]
        or {"played", "leader"} & set(position)
        or position.get("trick_number") == rules.tricks
        or [one["seat"] for one in trick] != order
        or "dummy" in seats
    ):
        return None
    if position.get("trick_number") == 1 and not trick:
        return None  # who may lead is another question
    state = {
        "t": ".".join(one["card"] for one in trick),
        "h": ".".join(position["hand"]),
        "first": "y" if position.get("trick_number") == 1 else "",
        "unseen": "y" if {"seat": move["seat"], "call": "double_blind_nil"} in position.get("calls", []) else "",
        "broken": {True: "y", False: "n"}.get(position.get("spades_broken"), ""),
    }
    return "spades/card", state, f"tap:{move['card']}"


def spades_call(case: dict[str, Any], rules: Any) -> Question | None:
    position, move = case["request"]["position"], case["request"]["move"]
    seats = tuple(position["seats"])
    # A page always says who is behind, so no case without totals can be asked there.
    missing = [one["fact"] for one in case["expect"].get("body", {}).get("missing", ())]
    if "dealer" not in position or rules.mode == "duo_dummy" or "totals" in missing:
        return None
    if rules.bidding_rule in ("mirror", "whiz") and "hand" in position:
        return None  # the page asks for no cards
    table = Table(rules, seats, position["dealer"])
    said, words = [*position.get("calls", []), move], []
    for place, call in enumerate(said):
        bids = Bids(table, read_calls(Node(said[:place]), table))
        if bids.over or bids.by_sides or call.get("seat") != bids.turn[0][0]:
            return None
        looked = {True: "-y", False: "-n"}.get(call.get("looked"), "")
        words.append(f"{call['call']}{looked}")
    totals = {"+".join(sorted(side.split("+"))): total for side, total in position.get("totals", {}).items()}
    sides = [totals.get("+".join(sorted(side.split("+"))), 0) for side in table.sides]
    behind = {f"x{place}": max(sides) - total for place, total in enumerate(sides)}
    if any(word.startswith("-") for word in words):
        return None
    return "spades/call", {"d": seats.index(position["dealer"]), "c": ".".join(words), **behind}, ""


LUMPED = {"casino-check-M090"}
"""Cases that announce two sets as one: the page parts tapped cards into sets by itself."""
KINDS = {"capture": "c", "build": "b", "raise": "r", "augment": "a", "trail": "t"}


def casino_turn(case: dict[str, Any], rules: Any) -> Question | None:
    position, move = case["request"]["position"], case["request"]["move"]
    seats = position["seats"]
    me = seats.index(position["player"])
    order = [seats[(me + n) % len(seats)] for n in range(len(seats))]
    builds = position.get("builds", [])
    state: dict[str, object] = {"n": len(seats), "step": "ask", "l": ".".join(position.get("table", []))}
    state["h"] = ".".join(position.get("hand", []))
    for place, build in enumerate(builds):
        state[f"b{place}"] = ".".join(card for one in build["sets"] for card in one)
        state[f"v{place}"] = build["value"]
        state[f"w{place}"] = order.index(build["owner"])
    for seat, cards in position.get("piles", {}).items():
        if cards and seat != order[0] and order.index(seat) < 3:
            state[f"o{order.index(seat)}"] = ".".join(cards)
    if "half" in position:
        state["half"] = position["half"]
    if position.get("proven"):
        state["proven"] = ".".join(str(value) for seat in position["proven"] for value in position["proven"][seat])
        if list(position["proven"]) != order[2:3]:
            return None
    ids = {build["id"]: f"B{place + 1}" for place, build in enumerate(builds)}
    plays = []
    for play in move["plays"]:
        draft = written(play, ids)
        if draft is None:
            return None
        plays.append(draft)
    if "hand" not in position:
        return None
    return "casino/turn", {**state, "p": "_".join(plays[:-1]), "q": plays[-1] if plays else ""}, ""


def written(play: dict[str, Any], ids: dict[str, str]) -> str | None:
    """The play as it would be tapped together; None where it announces what cannot be tapped."""
    if play.get("id") or "asked_by" in play:
        return None
    groups = [play, *play.get("sets", [])]
    hand = [group["card"] for group in groups if group.get("card")]
    table = [card for group in groups for card in group.get("table", [])]
    table += [pile["card"] for group in groups for pile in group.get("piles", [])]
    table += [card for one in play.get("absorb", []) for card in one]
    base = play.get("base", {})
    if "hand" in base or "pile" in base or len(hand) > 1 or len(set(table)) < len(table):
        return None
    table += [base["table"]] if "table" in base else []
    named = [*play.get("builds", []), *([play["build"]] if "build" in play else [])]
    named += [base["build"]] if "build" in base else []
    if any(name not in ids for name in named):
        return None
    if play["play"] == "raise" and play.get("table"):
        return None
    value = play.get("value", play.get("as", ""))
    parts = (KINDS[play["play"]], "".join(hand), ".".join(table), ".".join(ids[name] for name in named), str(value))
    return "*".join(parts)


def spite_move(case: dict[str, Any], rules: Any) -> Question | None:
    position, move = case["request"]["position"], case["request"]["move"]
    if set(position) - {"player", "players", "hand", "payoff", "payoff_left", "side_stacks", "centre_stacks"}:
        return None
    if position.get("payoff_left") == 0 or not {"side_stacks", "centre_stacks"} <= set(position):
        return None
    if any(not stack for stack in position["side_stacks"]) or move.get("depth") or move.get("owner"):
        return None
    source, to = move.get("from", "hand"), move["to"]
    if isinstance(to, dict) or source not in ("hand", "payoff", "side"):
        return None
    piles = len(position["centre_stacks"] if move["type"] == "play" else position["side_stacks"])
    if to != "new" and to >= piles:
        return None
    state: dict[str, object] = {"h": ".".join(position.get("hand", [])), "y": position.get("payoff", "")}
    state["c"] = ".".join(position["centre_stacks"])
    state |= {f"s{place}": ".".join(stack) for place, stack in enumerate(position["side_stacks"])}
    if source == "hand" and move["card"] not in position.get("hand", []):
        return None
    which = {"hand": f"hand.{move.get('card')}", "payoff": "payoff", "side": f"side.{move.get('stack')}"}[source]
    state["f"] = which
    state["g"] = ("s" if move["type"] == "discard" else "c") + ("n" if to == "new" else str(to))
    return "spite-and-malice/moves", state, ""


ASKERS = {
    ("spades", "play"): (spades_play, 10),
    ("spades", "call"): (spades_call, 40),
    ("casino", "turn"): (casino_turn, 85),
    ("spite-and-malice", "play"): (spite_move, 12),
    ("spite-and-malice", "discard"): (spite_move, 20),
}


def asked(name: str, kind: str) -> Iterator[tuple[dict[str, Any], Question, str]]:
    """The cases that can be tapped together on the pages, with the question and the code of the rules."""
    for case in published("*check"):
        game_id = case["post"].split("/")[2]
        if game_id != name or case["request"].get("move", {}).get("type") != kind:
            continue
        if case["expect"]["status"] != 200 or case["id"] in LUMPED:
            continue
        game, found = house(case)
        question = ASKERS[name, kind][0](case, found.options)
        if question is not None:
            yield case, question, game.options.code(found)


@pytest.mark.parametrize(("name", "kind"), ASKERS)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_pages_give_the_published_verdicts(shared_client: Any, name: str, kind: str, lang: str) -> None:
    wrong, count = [], 0
    for case, (path, state, card), code in asked(name, kind):
        answer = shared_client.get(address(path, {"rules": code, **state}, lang=lang))
        assert answer.status_code == 200, case["id"]
        said = read(answer.text)
        shown = said.value
        if card:
            shown = next((word for word in said.cards[card].split() if word in ("legal", "illegal", "undecided")), "")
        if said.bar.strip() == words("casino", lang).say("asks.turn-unfinished"):
            shown = "illegal"  # a published case takes the turn for finished
        expected = case["expect"]["body"]["verdict"]
        articles = [breach["article"].partition(".")[2] for breach in case["expect"]["body"].get("breaches", ())]
        if shown != expected or (expected == "illegal" and not set(articles) <= set(said.articles)):
            wrong.append(f"{case['id']}: {shown} for {expected}, {said.bar.strip()}, {articles}, {said.articles}")
        count += 1
    assert wrong == []
    assert count >= ASKERS[name, kind][1], count
