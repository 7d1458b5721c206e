"""What must I play, and what may I? Hand and piles; compulsory plays, legal moves, one move judged by itself."""

from __future__ import annotations

from typing import Any

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.engine.verdict import LEGAL, UNDECIDED
from companion.games.spite_and_malice.options import HAND_SIZE, SIDE_PLACES, SpiteRules
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import reason, reasons
from companion.web.referee.picking import Zone, go_to
from companion.web.referee.shown import Answer, Ask, Choice, Heap, Page
from companion.web.referee.spite_and_malice.ranks import add, cards_of, drop, heap, rank_picker, rank_text
from companion.web.referee.spite_and_malice.table import players_of
from companion.web.referee.state import State

SIDES = tuple(f"s{place}" for place in range(SIDE_PLACES))
MOST_CENTRE = 12
YES = ("y", "n")
LOWEST = "A"
_PLACES = {
    "hand": "h", "payoff": "y", "centre_stacks": "c", "side_stacks": "s0", "partner_payoff": "py",
    "partner_side_stacks": "ps",
}  # fmt: skip
"""Where the cards are told that a missing fact is about."""
FOREIGN = {"op": "opponent_payoff", "os": "opponent_side", "ce": "centre"}
"""Where nobody may take a card from, by their words in the address: people ask all the same."""


def act(asking: Asking, verb: str, word: str) -> State:
    """A card laid down or taken away, another place, a move to be judged."""
    state, zones = asking.state, _zones(asking)
    if verb == "tap":
        return add(state, zones, word).put(f=None, g=None)
    if verb == "drop":
        return drop(state, zones, word).put(f=None, g=None)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "from":
        return state.put(f=word[:12], g=None)
    if verb == "onto":
        return state.put(g=word[:4])
    if verb in ("chance", "used") and word in YES:
        return state.put(**{verb: word})
    return state


def page(asking: Asking) -> Page:
    """The table in heaps; compulsory plays first, then all that is legal, then the one move asked about."""
    zones = _zones(asking)
    position = _position(asking)
    found = asking.game.moves(asking.rules, Node({"position": position}))  # type: ignore[misc]
    answers, bar, value = [], asking.say("moves-start"), ""
    for duty in found["compulsory"]:
        texts = tuple(move_text(asking, move) for move in duty["moves"])
        why = tuple(reason(asking, because) for because in duty["because"])
        answers.append(Answer(asking.say("compulsory"), "", texts=texts, reasons=why))
    told = _told(asking)
    if told:
        count = len(found["moves"])
        bar = asking.say("moves-count", must=len(found["compulsory"]), count=count)
        value = LEGAL if count else UNDECIDED
    checked = _checked(asking, position)
    if checked is not None:
        answers.insert(0, checked)
        bar, value = checked.heading, checked.value
    if told and found["moves"]:
        texts = tuple(move_text(asking, move) for move in found["moves"])
        answers.append(Answer(asking.say("legal-moves"), LEGAL, texts=texts))
    if told:
        end = asking.game.judge(asking.rules, Node(position, ("position",)), Node({"type": "end_turn"}, ("move",)))
        if end.value != LEGAL:
            answers.append(Answer(asking.say("end-not"), end.value, reasons=reasons(asking, end)))
        missing = tuple(reason(asking, one) for one in found["missing"])
        if missing:
            places = {_PLACES[one.fact]: None for one in found["missing"] if one.fact in _PLACES}
            choices = tuple(Choice(f"to:{zone.name}", zone.label) for zone in zones if zone.name in places)
            answers.append(Answer(asking.say("still-open"), UNDECIDED, reasons=missing, choices=choices))
    return Page(
        bar, value, later=(*_move_ask(asking), *_phase_asks(asking)), heaps=tuple(_heaps(asking, zones)),
        picker=rank_picker(asking, zones),
        answers=tuple(answers),
    )  # fmt: skip


def move_text(asking: Asking, move: dict[str, Any]) -> str:
    """A move in words."""
    kind = move["type"]
    if kind in ("play", "discard"):
        source = move.get("from", "hand")
        origin = asking.say(f"from-{source.replace('_', '-')}", number=(move.get("stack") or 0) + 1)
        to = move["to"]
        onto = "side" if kind == "discard" else "centre"
        target = asking.say(f"{onto}-new") if to == "new" else asking.say(f"{onto}-number", number=to + 1)
        card = rank_text(asking, move.get("card", "?"))
        return asking.say("move", card=card, origin=origin, target=target)
    return asking.say(f"move-{kind.replace('_', '-')}", count=move.get("count", 0))


def _zones(asking: Asking) -> tuple[Zone, ...]:
    rules: SpiteRules = asking.rules
    zones = [
        Zone("h", asking.say("my-hand"), HAND_SIZE),
        Zone("y", asking.say("payoff"), 1),
        Zone("c", asking.say("centre-stacks"), rules.centre_max or MOST_CENTRE),
    ]
    taken = [place for place, name in enumerate(SIDES) if cards_of(asking.state, name)]
    shown = range(min(max(taken, default=-1) + 2, SIDE_PLACES))
    zones += [Zone(SIDES[place], asking.say("side-number", number=place + 1), 30) for place in shown]
    if rules.players > 2:
        zones += [Zone("py", asking.say("partner-payoff"), 1), Zone("ps", asking.say("partner-sides"), SIDE_PLACES)]
    return tuple(zones)


def _heaps(asking: Asking, zones: tuple[Zone, ...]) -> list[Heap]:
    notes = {"c": "tops", "ps": "tops", **dict.fromkeys(SIDES, "bottom-first")}
    return [
        heap(asking, zone, note=asking.say(notes[zone.name]) if zone.name in notes else "")
        for zone in zones
        if cards_of(asking.state, zone.name)
    ]


def _told(asking: Asking) -> bool:
    return any(cards_of(asking.state, name) for name in ("h", "y", *SIDES))


def _position(asking: Asking) -> dict[str, Any]:
    """The table in the shape of a request; a hand or a pay-off card that was not told is not known."""
    state, rules = asking.state, asking.rules
    players = players_of(asking)
    position: dict[str, Any] = {
        "players": list(players),
        "player": players[0],
        "side_stacks": [[str(card) for card in cards_of(state, name)] for name in SIDES if cards_of(state, name)],
        "centre_stacks": [str(card) for card in cards_of(state, "c")],
    }
    if hand := cards_of(state, "h"):
        position["hand"] = [str(card) for card in hand]
    if payoff := cards_of(state, "y"):
        position["payoff"] = str(payoff[0])
    if rules.players > 2:
        partner: dict[str, Any] = {"side_stacks": [[str(card)] for card in cards_of(state, "ps")]}
        if top := cards_of(state, "py"):
            partner["payoff"] = str(top[0])
        position["partner"] = partner
    if state.get("chance") == "y":
        position |= {"phase": "second_chance", "played_ace_or_two": state.get("used") == "y"}
    return position


def _phase_asks(asking: Asking) -> list[Ask]:
    """Whether it is a second-chance turn, where the table knows such turns."""
    if asking.rules.deadlock != "second_chance_redeal":
        return []
    asks = [_yes_no(asking, "chance")]
    return [*asks, _yes_no(asking, "used")] if asking.state.get("chance") == "y" else asks


def _move_ask(asking: Asking) -> list[Ask]:
    """One move to be judged by itself: which card, then where to."""
    state = asking.state
    sources = [(f"hand.{card}", rank_text(asking, card)) for card in dict.fromkeys(cards_of(state, "h"))]
    if payoff := cards_of(state, "y"):
        sources.append(
            ("payoff", asking.say("pile-card", pile=asking.say("payoff"), card=rank_text(asking, payoff[0])))
        )
    sides = [name for name in SIDES if cards_of(state, name)]
    for place, name in enumerate(sides):
        top = rank_text(asking, cards_of(state, name)[-1])
        pile = asking.say("side-number", number=place + 1)
        sources.append((f"side.{place}", asking.say("pile-card", pile=pile, card=top)))
    if not sources:
        return []
    sources += [(word, asking.say(f"from-{source.replace('_', '-')}")) for word, source in FOREIGN.items()]
    if len(cards_of(state, SIDES[0])) > 1:
        sources.append(("under", asking.say("from-under")))
    now = state.get("f")
    groups = [tuple(Choice(f"from:{word}", label, word == now) for word, label in sources)]
    if now in dict(sources):
        centre = [rank_text(asking, top) for top in cards_of(state, "c")]
        tops = [rank_text(asking, cards_of(state, name)[-1]) for name in sides]
        targets = [(f"c{n}", asking.say("onto-centre", number=n + 1, card=card)) for n, card in enumerate(centre)]
        targets.append(("cn", asking.say("onto-centre-new")))
        targets += [(f"s{n}", asking.say("onto-side", number=n + 1, card=card)) for n, card in enumerate(tops)]
        targets.append(("sn", asking.say("onto-side-new")))
        groups.append(tuple(Choice(f"onto:{word}", label, word == state.get("g")) for word, label in targets))
    return [Ask(asking.say("ask-move"), tuple(groups))]


def _yes_no(asking: Asking, name: str) -> Ask:
    now = asking.state.get(name) or "n"
    choices = tuple(Choice(f"{name}:{word}", asking.say(f"answer-{word}"), word == now) for word in YES)
    return Ask(asking.say(f"ask-{name}"), (choices,))


def _checked(asking: Asking, position: dict[str, Any]) -> Answer | None:
    """The verdict on the one move that was asked about."""
    source, _, which = asking.state.get("f").partition(".")
    target = asking.state.get("g")
    if source not in ("hand", "payoff", "side", "under", *FOREIGN) or target[:1] not in ("c", "s") or not target[1:]:
        return None
    if target[1:] != "n" and not target[1:].isdecimal():
        return None
    to: int | str = "new" if target[1:] == "n" else int(target[1:])
    move: dict[str, Any] = {"type": "discard" if target[0] == "s" else "play", "from": source, "to": to}
    card: Card | None = None
    if source in FOREIGN or source == "under":
        return _foreign(asking, position, move, source)
    if source == "hand":
        card = next((one for one in cards_of(asking.state, "h") if str(one) == which), None)
        if card is None:
            return None
    elif source == "payoff":
        card = next(iter(cards_of(asking.state, "y")), None)
    else:
        sides = position["side_stacks"]
        if not which.isdecimal() or int(which) >= len(sides):
            return None
        move["stack"] = int(which)
        move["card"] = sides[int(which)][-1]
    if card is not None:
        move["card"] = str(card)
    text = move_text(asking, move)
    if move["type"] == "discard":
        move.pop("stack", None)
    verdict = asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))
    heading = asking.say(f"move-{verdict.value}", move=text)
    return Answer(heading, verdict.value, reasons=reasons(asking, verdict))


def _foreign(asking: Asking, position: dict[str, Any], move: dict[str, Any], source: str) -> Answer:
    """The verdict on a card from where none may be taken: another's pile, the centre, under other cards."""
    covered = source == "under"
    move |= {"type": "play", "from": "side", "stack": 0, "depth": 1} if covered else {"from": FOREIGN[source]}
    if isinstance(move["to"], int) and move["to"] >= len(position["centre_stacks"]):
        move["to"] = "new"
    if move["type"] == "discard":
        move["card"] = LOWEST
    verdict = asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))
    origin = "from-under" if covered else f"from-{FOREIGN[source].replace('_', '-')}"
    heading = asking.say(f"move-{verdict.value}", move=asking.say(origin))
    return Answer(heading, verdict.value, reasons=reasons(asking, verdict))


QUESTION = Question(("to", "chance", "used", "f", "g", "h", "y", "c", *SIDES, "py", "ps"), act, page)
