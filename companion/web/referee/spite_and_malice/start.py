"""Who starts? The top cards of the pay-off piles compared, with their suits where a tie asks for them."""

from __future__ import annotations

from companion.engine.cards import RANKS, SUITS, Card
from companion.engine.reading import Node
from companion.engine.verdict import LEGAL, Verdict
from companion.games.spite_and_malice.cards import JOKERS
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import face, reasons
from companion.web.referee.picking import ACE_HIGH, Zone, active, go_to, in_rows
from companion.web.referee.shown import UNDECIDED, Answer, Page, Picker, Place, Slot
from companion.web.referee.spite_and_malice.ranks import cards_of, ranks_in_use
from companion.web.referee.spite_and_malice.table import players_of
from companion.web.referee.state import State, read_cards

MOST_PLAYERS = 6
REDO = ("reshuffle", "bury", "redraw")


def act(asking: Asking, verb: str, word: str) -> State:
    """A top card named for the active player; then the next one without a card is asked for."""
    state, zones = asking.state, _zones(asking)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "drop" and word in {zone.name for zone in zones}:
        return state.put(**{word: None, "to": word})
    card = next(iter(read_cards([word], jokers=JOKERS)), None)
    if verb != "tap" or card is None:
        return state
    state = state.put_cards(active(state, zones).name, [card])
    empty = next((zone.name for zone in zones if not cards_of(state, zone.name)), None)
    return state.put(to=empty) if empty else state


def page(asking: Asking) -> Page:
    """The tops side by side, and who starts by them or what is to be turned up anew."""
    players, zones = players_of(asking), _zones(asking)
    tops = {player: cards[0] for player, zone in zip(players, zones, strict=True) if (cards := _top(asking, zone))}
    now = active(asking.state, zones)
    first, verdict, redo = _decided(asking, players, tops)
    slots = tuple(
        Slot(
            player,
            face(asking, tops[player], do=f"drop:{zone.name}", note=asking.say("take-back"))
            if player in tops
            else None,
            next=first is None and zone == now,
            won=player == first,
        )
        for player, zone in zip(players, zones, strict=True)
    )
    picker = Picker(
        now.label,
        tuple(tuple(face(asking, card, do=f"tap:{card}") for card in row) for row in _rows(asking)),
        tuple(Place(f"to:{z.name}", z.label, len(_top(asking, z)), z == now) for z in zones),
    )
    if verdict is None:
        return Page(asking.say("tops-start", name=now.label), slots=slots, picker=picker)
    if first is not None:
        bar, value = asking.say("starts", name=first), LEGAL
    elif redo:
        bar, value = asking.say(f"redo-{redo}"), UNDECIDED
    else:
        bar, value = asking.say("tops-open"), UNDECIDED
    return Page(
        bar, value, slots=slots, picker=picker, answers=(Answer(bar, value, reasons=reasons(asking, verdict)),)
    )  # fmt: skip


def _zones(asking: Asking) -> tuple[Zone, ...]:
    return tuple(Zone(f"p{place}", player, 1) for place, player in enumerate(players_of(asking)))


def _top(asking: Asking, zone: Zone) -> tuple[Card, ...]:
    return cards_of(asking.state, zone.name)[:1]


def _rows(asking: Asking) -> list[tuple[Card, ...]]:
    jokers = [card for card in ranks_in_use(asking.rules) if card.rank not in RANKS]
    return in_rows([*(Card(rank, suit) for suit in SUITS for rank in RANKS), *jokers], ("K", *ACE_HIGH[2:], "A"))


def _decided(asking: Asking, players: tuple[str, ...], tops: dict[str, Card]) -> tuple[str | None, Verdict | None, str]:
    """Who starts, with the verdict that says so; else what is done anew; nothing while tops are missing."""
    if len(tops) < len(players):
        return None, None, ""
    position = {
        "players": list(players), "player": players[0], "payoff_tops": {who: str(card) for who, card in tops.items()}
    }  # fmt: skip
    verdict = Verdict()
    for player in players:
        move = {"type": "start", "first": player}
        verdict = asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))
        if verdict.value == LEGAL:
            return player, verdict, ""
    for redo in REDO:
        move = {"type": "start", "redo": redo}
        again = asking.game.judge(asking.rules, Node(position, ("position",)), Node(move, ("move",)))
        if again.value == LEGAL:
            return None, again, redo
    return None, verdict, ""


QUESTION = Question(("to", *(f"p{place}" for place in range(MOST_PLAYERS))), act, page)
