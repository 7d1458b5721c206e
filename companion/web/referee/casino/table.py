"""The table of Casino as the address tells it: loose cards, builds, piles, the hand, and how they are laid out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.engine.cards import RANKS, Card
from companion.games.casino.capture import Reach, split
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import capturers, full_pack, highest_value
from companion.web.referee.asking import Asking
from companion.web.referee.faces import face
from companion.web.referee.picking import Zone, go_to, picker, tap
from companion.web.referee.shown import Ask, Choice, Face, Heap, Picker
from companion.web.referee.state import State

MOST_BUILDS = 6
PLAYERS = (2, 3, 4)
BUILD_NAMES = tuple(f"{kind}{place}" for place in range(MOST_BUILDS) for kind in "bvw")
NAMES = ("step", "to", "n", "whole", "half", "proven", "l", "h", "o1", "o2", "o3", *BUILD_NAMES)
"""The state of a table: `b0` the cards of a build, `v0` its value where several are possible, `w0` whose it is."""


@dataclass(frozen=True)
class Build:
    """A build laid out: its place, its cards, its value and sets where the cards make one."""

    place: int
    cards: tuple[Card, ...]
    values: tuple[int, ...]
    value: int
    owner: int

    @property
    def id(self) -> str:
        """The name by which plays call it."""
        return f"B{self.place + 1}"


@dataclass(frozen=True)
class Laid:
    """Everything on the table and in the hand."""

    asking: Asking

    @property
    def rules(self) -> CasinoRules:
        """The rules of the table."""
        rules: CasinoRules = self.asking.rules
        return rules

    @property
    def count(self) -> int:
        """How many play."""
        return players_at(self.asking)

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The seats clockwise, the one who asks first."""
        return seats_around(self.asking, self.count)

    @cached_property
    def loose(self) -> tuple[Card, ...]:
        """The loose cards."""
        return self.cards("l")

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the hand that were told."""
        return self.cards("h")

    def cards(self, name: str) -> tuple[Card, ...]:
        """The cards of a zone that are in the pack."""
        return tuple(card for card in self.asking.state.cards(name) if card in full_pack(self.rules))

    @cached_property
    def builds(self) -> tuple[Build, ...]:
        """The builds; one whose cards make none has the value 0."""
        found = []
        for place in range(MOST_BUILDS):
            cards = self.cards(f"b{place}")
            if cards:
                values = build_values(self.rules, cards)
                chosen = self.asking.state.number(f"v{place}")
                value = chosen if chosen in values else max(values, default=0)
                owner = (self.asking.state.number(f"w{place}") or 0) % self.count
                found.append(Build(place, cards, values, value or 0, owner))
        return tuple(found)

    @cached_property
    def piles(self) -> dict[int, tuple[Card, ...]]:
        """The opponents' piles that were told, top card first, by seat; a partnership's under its first seat."""
        return {place: cards for place in self.opponents if (cards := self.cards(f"o{place}"))}

    @property
    def opponents(self) -> tuple[int, ...]:
        """The seats that keep the opponents' piles."""
        return (1,) if self.count in (2, 4) else (1, 2)

    @property
    def broken(self) -> tuple[Build, ...]:
        """Builds whose cards make none."""
        return tuple(build for build in self.builds if not build.value)

    @property
    def ready(self) -> bool:
        """Whether the table has been laid out and questions are asked."""
        return self.asking.state.get("step") == "ask"

    def position(self) -> dict[str, Any]:
        """The table in the shape of a request."""
        position: dict[str, Any] = {
            "seats": list(self.seats),
            "player": self.seats[0],
            "table": [str(card) for card in self.loose],
            "builds": [
                {"id": build.id, "value": build.value, "sets": sets_of(self.rules, build.cards, build.value),
                 "owner": self.seats[build.owner]}
                for build in self.builds if build.value
            ],
            "piles": {self.seats[place]: [str(card) for card in cards] for place, cards in self.piles.items()},
        }  # fmt: skip
        if self.hand and self.asking.state.get("whole") != "n":
            position["hand"] = [str(card) for card in self.hand]
        if self.asking.state.get("half") in ("1", "2"):
            position["half"] = int(self.asking.state.get("half"))
        values = [int(word) for word in self.asking.state.words("proven") if word.isascii() and word.isdecimal()]
        if self.count == 4 and values:
            position["proven"] = {self.seats[2]: [value for value in values if 1 <= value <= 16]}
        return position


def players_at(asking: Asking) -> int:
    """How many play: as told, else as many as the sheet names, else two."""
    named = len(asking.names)
    return asking.state.number("n", low=2, high=4) or (named if named in PLAYERS else 2)


def seats_around(asking: Asking, count: int) -> tuple[str, ...]:
    """The seats clockwise by the names of the sheet, else from the south."""
    if len(asking.names) == count:
        return asking.seats(count)
    four = asking.with_names(()).seats(4)
    order = (2, 0) if count == 2 else (2, 3, 0, 1)
    return tuple(four[place] for place in order[:count])


def build_values(rules: CasinoRules, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """The values of which these cards can be a build."""
    if len(cards) < 2:
        return ()
    return tuple(v for v in range(1, highest_value(rules) + 1) if capturers(rules, v) and sets_of(rules, cards, v))


def sets_of(rules: CasinoRules, cards: tuple[Card, ...], value: int) -> list[list[str]]:
    """The sets of a value into which cards fall; none where they do not."""
    fit = capturers(rules, value)
    found = split(Reach(rules, min(fit), value), cards) if fit else None
    return [[str(card) for card in one] for one in found or ()]


def act_on_table(asking: Asking, verb: str, word: str) -> State | None:
    """What a tap does to the table; None where it is no tap on the table."""
    laid = Laid(asking)
    state, zones = asking.state, zones_of(laid)
    if verb == "tap":
        return tap(state, zones, word)
    if verb == "to":
        return go_to(state, zones, word)
    if verb == "step":
        return state.put(step=word if word == "ask" else None)
    if verb == "n" and word in ("2", "3", "4"):
        return state.put(n=word)
    if verb == "whole" and word in ("y", "n"):
        return state.put(whole="n" if word == "n" else None)
    if verb == "half" and word in ("1", "2"):
        return state.put(half=word)
    kind, place = verb[:1], verb[1:]
    if kind in ("v", "w") and place.isdecimal() and int(place) < MOST_BUILDS and word.isdecimal():
        return state.put(**{verb: word[:2]})
    if verb == "proven":
        return state.put(proven=".".join(_toggled(state.words("proven"), word[:2])))
    return None


def _toggled(words: tuple[str, ...], word: str) -> list[str]:
    return [one for one in words if one != word] if word in words else [*words, word]


def zones_of(laid: Laid) -> tuple[Zone, ...]:
    """Where tapped cards go: the loose cards, the hand, each build and one more, the opponents' piles."""
    asking, rules = laid.asking, laid.rules
    zones = [Zone("l", asking.say("loose"), 52, "●"), Zone("h", asking.say("my-hand"), 24, asking.say("hand-mark"))]
    taken = [place for place in range(MOST_BUILDS) if asking.state.cards(f"b{place}")]
    free = next((place for place in range(MOST_BUILDS) if place not in taken), None)
    for place in sorted({*taken, *([] if free is None else [free])}):
        label = asking.say("build-number", number=place + 1) if place in taken else asking.say("new-build")
        zones.append(Zone(f"b{place}", label, 16, f"B{place + 1}"))
    if rules.pile_cards != "none":
        zones += [Zone(f"o{place}", asking.say("pile-of", name=laid.seats[place]), 12) for place in laid.opponents]
    return tuple(zones)


def lay_asks(laid: Laid) -> list[Ask]:
    """Questions about the table: how many play, the half of the deal, whose builds these are, proven cards."""
    asking, rules = laid.asking, laid.rules
    asks = []
    if not asking.names:
        choices = tuple(Choice(f"n:{count}", str(count), count == laid.count) for count in PLAYERS)
        asks.append(Ask(asking.say("ask-players"), (choices,)))
    if rules.two_player_deal == "two_halves" and laid.count == 2:
        now = asking.state.get("half")
        choices = tuple(Choice(f"half:{half}", asking.say(f"half-{half}"), half == now) for half in ("1", "2"))
        asks.append(Ask(asking.say("ask-half"), (choices,)))
    if laid.hand:
        told = "n" if asking.state.get("whole") == "n" else "y"
        choices = tuple(Choice(f"whole:{word}", asking.say(f"whole-{word}"), word == told) for word in ("y", "n"))
        asks.append(Ask(asking.say("ask-whole"), (choices,)))
    for build in laid.builds:
        values = tuple(Choice(f"v{build.place}:{v}", str(v), v == build.value) for v in build.values)
        owners = tuple(
            Choice(f"w{build.place}:{place}", name, place == build.owner) for place, name in enumerate(laid.seats)
        )
        text = asking.say("ask-build", number=build.place + 1, value=build.value)
        asks.append(Ask(text, (owners, values if len(values) > 1 else ())))
    if laid.count == 4 and rules.partner_build == "proven":
        known = asking.state.words("proven")
        values = tuple(Choice(f"proven:{v}", str(v), str(v) in known) for v in range(1, highest_value(rules) + 1))
        asks.append(Ask(asking.say("ask-proven", name=laid.seats[2]), (values,), numbers=True))
    return asks


def lay_picker(laid: Laid) -> Picker:
    """All cards of the pack, to be laid out."""
    return picker(laid.asking, zones_of(laid), full_pack(laid.rules), ranks=RANKS)


def heaps_of(
    asking: Asking,
    loose: tuple[Card, ...],
    builds: tuple[tuple[str, int, tuple[Card, ...], str], ...],
    hand: tuple[Card, ...] | None = None,
    *,
    marked: tuple[Card, ...] = (),
    chosen: Card | None = None,
    named: tuple[str, ...] = (),
    piles: dict[str, tuple[Card, ...]] | None = None,
) -> tuple[Heap, ...]:
    """The table to be tapped: `mark:` for a loose or a pile card, `named:` for a build, `card:` for one of the hand."""

    def drawn(card: Card, verb: str, *, on: bool) -> Face:
        look = {"pressed": on, "tone": "chosen" if on else "", "mark": "✓" if on else ""}
        return face(asking, card, do=f"{verb}:{card}", **look)

    heaps = [Heap(asking.say("loose"), tuple(drawn(card, "mark", on=card in marked) for card in loose))]
    for name, value, cards, owner in builds:
        label = asking.say("build-of", value=value, name=owner)
        choice = Choice(f"named:{name}", asking.say("this-build"), name in named)
        heaps.append(Heap(label, tuple(face(asking, card) for card in cards), name, (choice,)))
    for seat, cards in (piles or {}).items():
        tops = tuple(drawn(card, "mark", on=card in marked) for card in cards[:4])
        heaps.append(Heap(asking.say("pile-of", name=seat), tops, asking.say("top-first")))
    if hand is not None:
        heaps.append(Heap(asking.say("my-hand"), tuple(drawn(card, "card", on=card == chosen) for card in hand)))
    return tuple(heaps)


def toggled(state: State, name: str, card: Card) -> State:
    """The state with a card marked, or no longer."""
    cards = state.cards(name)
    return state.put_cards(name, (one for one in cards if one != card) if card in cards else (*cards, card))
