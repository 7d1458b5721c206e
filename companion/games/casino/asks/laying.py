"""The table of Casino as an address describes it: loose cards, builds, piles, the hand, and how they are laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from companion.engine.cards import RANKS, Card
from companion.engine.dialogue import (
    Choice,
    Context,
    Face,
    Heap,
    Page,
    Picker,
    Prompt,
    State,
    Zone,
    card_picker,
    faces,
    go_to,
    tap,
)
from companion.games.casino.builds import build_values, sets_of
from companion.games.casino.layout import Layout, names
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import Build, full_pack, highest_value

T = TypeVar("T")

MAX_BUILDS: Final = 6
PLAYERS: Final = ("2", "3", "4")
HALVES: Final = ("1", "2")
YES_NO: Final = ("y", "n")
BUILD_STATE: Final = tuple(f"{kind}{place}" for place in range(MAX_BUILDS) for kind in "bvw")
TABLE_STATE: Final = ("step", "to", "n", "whole", "half", "proven", "l", "h", "o1", "o2", "o3", *BUILD_STATE)
"""The state of a table: `b0` the cards of a build, `v0` its value where several are possible, `w0` whose it is."""
_MAX_HAND: Final = 24
_MAX_PILE: Final = 12
_MAX_BUILD: Final = 16
_PILE_TOPS: Final = 4
_HIGHEST_PROVEN: Final = 16


@dataclass(frozen=True, slots=True)
class LaidBuild:
    """A build laid out: its index, its cards, the values they can have, the value (0 for no build), its owner."""

    place: int
    cards: tuple[Card, ...]
    values: tuple[int, ...]
    value: int
    owner: int

    @property
    def id(self) -> str:
        """Return the id under which plays name it."""
        return f"B{self.place + 1}"


@dataclass(frozen=True)
class Asked:
    """A question about a table: its rules, and who sits there."""

    context: Context

    @property
    def rules(self) -> CasinoRules:
        """Return the rules of the table."""
        rules: CasinoRules = self.context.rules
        return rules

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Return the seats clockwise, beginning with the player who asks."""
        return seats_around(self.context)


class Laid(Asked):
    """Everything on the table and in the hand of the player who asks."""

    @cached_property
    def loose(self) -> tuple[Card, ...]:
        """Return the loose cards."""
        return self.cards("l")

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """Return the cards of the hand that were entered."""
        return self.cards("h")

    def cards(self, name: str) -> tuple[Card, ...]:
        """Return the cards of a zone that are in the pack."""
        return tuple(card for card in self.context.state.cards(name) if card in full_pack(self.rules))

    @cached_property
    def laid_builds(self) -> tuple[LaidBuild, ...]:
        """Return the builds, also those whose cards make none."""
        state, found = self.context.state, []
        for place in range(MAX_BUILDS):
            cards = self.cards(f"b{place}")
            if cards:
                values = build_values(self.rules, cards)
                chosen = state.number(f"v{place}")
                value = chosen if chosen in values else max(values, default=0)
                owner = (state.number(f"w{place}") or 0) % len(self.seats)
                found.append(LaidBuild(place, cards, values, value or 0, owner))
        return tuple(found)

    @cached_property
    def builds(self) -> tuple[Build, ...]:
        """Return the builds whose cards make one."""
        return tuple(
            Build(one.id, one.value, sets_of(self.rules, one.cards, one.value), self.seats[one.owner])
            for one in self.laid_builds
            if one.value
        )

    @property
    def piles(self) -> dict[str, tuple[Card, ...]]:
        """Return the opponents' piles that were entered, top card first, by seat; a partnership's by its first seat."""
        return {self.seats[place]: cards for place in self.opponents if (cards := self.cards(f"o{place}"))}

    @property
    def opponents(self) -> tuple[int, ...]:
        """Return the seats that keep the opponents' piles."""
        return (1, 2) if len(self.seats) == 3 else (1,)

    @property
    def ready(self) -> bool:
        """Return whether the table has been laid out and questions are asked."""
        return self.context.state.get("step") == "ask"

    def position(self) -> dict[str, object]:
        """Return the table as the position of a request."""
        state = self.context.state
        position: dict[str, object] = {
            "seats": list(self.seats),
            "player": self.seats[0],
            "table": names(self.loose),
            "builds": [build.plain() for build in self.builds],
            "piles": {
                self.seats[place]: names(cards) for place in self.opponents if (cards := self.cards(f"o{place}"))
            },
        }
        if self.hand and state.get("whole") != "n":
            position["hand"] = names(self.hand)
        if state.get("half") in HALVES:
            position["half"] = int(state.get("half"))
        values = [int(word) for word in state.words("proven") if word.isascii() and word.isdecimal()]
        if len(self.seats) == 4 and values:
            position["proven"] = {self.seats[2]: [value for value in values if 1 <= value <= _HIGHEST_PROVEN]}
        return position

    def page(self, ask: Choice) -> Page:
        """Return the page on which the table is laid out, with the button that asks."""
        say = self.context.say
        broken = next((build for build in self.laid_builds if not build.value), None)
        bar = say("lay-out", table=len(self.loose), hand=len(self.hand))
        if broken is not None:
            bar = say("no-build", number=broken.place + 1)
        return Page(bar, later=_prompts(self), picker=_picker(self), tools=(ask,))


def players_of(context: Context) -> int:
    """Return how many play: as entered, else as many as the sheet names, else two."""
    named = len(context.names)
    return context.state.number("n", low=2, high=4) or (named if str(named) in PLAYERS else 2)


def seats_around(context: Context) -> tuple[str, ...]:
    """Return the seats clockwise by the names of the sheet, else from the south."""
    count = players_of(context)
    if len(context.names) == count:
        return context.seats(count)
    four = context.with_names(()).seats(4)
    order = (2, 0) if count == 2 else (2, 3, 0, 1)
    return tuple(four[place] for place in order[:count])


def players_prompt(context: Context) -> Prompt:
    """Return the question how many play."""
    now = str(players_of(context))
    choices = tuple(Choice(f"n:{count}", count, count == now) for count in PLAYERS)
    return Prompt(context.say("ask-players"), (choices,))


def act_on_table(context: Context, verb: str, word: str) -> State | None:
    """Return the state after an action on the table; None where it is another action."""
    state = context.state
    if verb == "tap":
        return tap(state, _zones(Laid(context)), word)
    if verb == "to":
        return go_to(state, _zones(Laid(context)), word)
    if verb == "step":
        return state.put(step=word if word == "ask" else None)
    if verb == "n" and word in PLAYERS:
        return state.put(n=word)
    if verb == "whole" and word in YES_NO:
        return state.put(whole="n" if word == "n" else None)
    if verb == "half" and word in HALVES:
        return state.put(half=word)
    if verb == "proven":
        return state.put(proven=".".join(toggled(state.words("proven"), word[:2])))
    kind, place = verb[:1], verb[1:]
    if kind in ("v", "w") and place.isdecimal() and int(place) < MAX_BUILDS and word.isdecimal():
        return state.put(**{verb: word[:2]})
    return None


def toggled(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """Return the items with one more, or without it where it is among them."""
    return tuple(one for one in items if one != item) if item in items else (*items, item)


def heaps_of(
    context: Context,
    loose: tuple[Card, ...],
    builds: tuple[Build, ...],
    hand: tuple[Card, ...] | None = None,
    *,
    marked: tuple[Card, ...] = (),
    chosen: Card | None = None,
    named: tuple[str, ...] = (),
    piles: Mapping[str, tuple[Card, ...]] | None = None,
) -> tuple[Heap, ...]:
    """Return the table to be tapped: `mark:` a loose or pile card, `named:` a build, `card:` a hand card."""

    def drawn(card: Card, verb: str, *, on: bool) -> Face:
        return Face(card, f"{verb}:{card}", "chosen" if on else "", "✓" if on else "", pressed=on)

    heaps = [Heap(context.say("loose"), tuple(drawn(card, "mark", on=card in marked) for card in loose))]
    for build in builds:
        label = context.say("build-of", value=build.value, name=build.owner)
        choice = Choice(f"named:{build.id}", context.say("this-build"), build.id in named)
        heaps.append(Heap(label, faces(build.cards), build.id, (choice,)))
    for seat, cards in (piles or {}).items():
        tops = tuple(drawn(card, "mark", on=card in marked) for card in cards[:_PILE_TOPS])
        heaps.append(Heap(context.say("pile-of", name=seat), tops, context.say("top-first")))
    if hand is not None:
        heaps.append(Heap(context.say("my-hand"), tuple(drawn(card, "card", on=card == chosen) for card in hand)))
    return tuple(heaps)


def opposing_piles(layout: Layout) -> dict[str, tuple[Card, ...]]:
    """Return the opponents' piles that have cards, the top card first."""
    piles = {side: tuple(card for layer in layers for card in sorted(layer)) for side, layers in layout.piles.items()}
    return {side: cards for side, cards in piles.items() if side != layout.side and cards}


def _zones(laid: Laid) -> tuple[Zone, ...]:
    """Return where tapped cards go: the loose cards, the hand, each build and one more, the opponents' piles."""
    context, say = laid.context, laid.context.say
    zones = [Zone("l", say("loose"), 52, "●"), Zone("h", say("my-hand"), _MAX_HAND, say("hand-mark"))]
    taken = [place for place in range(MAX_BUILDS) if context.state.cards(f"b{place}")]
    free = next((place for place in range(MAX_BUILDS) if place not in taken), None)
    for place in sorted({*taken, *([] if free is None else [free])}):
        label = say("build-number", number=place + 1) if place in taken else say("new-build")
        zones.append(Zone(f"b{place}", label, _MAX_BUILD, f"B{place + 1}"))
    if laid.rules.pile_cards != "none":
        piles = ((f"o{place}", laid.seats[place]) for place in laid.opponents)
        zones += [Zone(name, say("pile-of", name=seat), _MAX_PILE) for name, seat in piles]
    return tuple(zones)


def _prompts(laid: Laid) -> tuple[Prompt, ...]:
    """Return questions about the table: how many play, which half, whose builds these are, proven cards."""
    context, rules = laid.context, laid.rules
    prompts = [] if context.names else [players_prompt(context)]
    if rules.two_player_deal == "two_halves" and len(laid.seats) == 2:
        now = context.state.get("half")
        choices = tuple(Choice(f"half:{half}", context.say(f"half-{half}"), half == now) for half in HALVES)
        prompts.append(Prompt(context.say("ask-half"), (choices,)))
    if laid.hand:
        whole = "n" if context.state.get("whole") == "n" else "y"
        choices = tuple(Choice(f"whole:{word}", context.say(f"whole-{word}"), word == whole) for word in YES_NO)
        prompts.append(Prompt(context.say("ask-whole"), (choices,)))
    for build in laid.laid_builds:
        values = tuple(Choice(f"v{build.place}:{v}", str(v), v == build.value) for v in build.values)
        owners = tuple(
            Choice(f"w{build.place}:{place}", name, place == build.owner) for place, name in enumerate(laid.seats)
        )
        text = context.say("ask-build", number=build.place + 1, value=build.value)
        prompts.append(Prompt(text, (owners, values if len(values) > 1 else ())))
    if len(laid.seats) == 4 and rules.partner_build == "proven":
        known = context.state.words("proven")
        values = tuple(Choice(f"proven:{v}", str(v), str(v) in known) for v in range(1, highest_value(rules) + 1))
        prompts.append(Prompt(context.say("ask-proven", name=laid.seats[2]), (values,), numbers=True))
    return tuple(prompts)


def _picker(laid: Laid) -> Picker:
    return card_picker(laid.context.state, _zones(laid), full_pack(laid.rules), ranks=RANKS)
