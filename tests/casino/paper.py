"""Whole deals of Casino on paper: a dealer and players who know nothing of the program, and faults planted in a deal.

What may be played is asked of `tests.pairs.casino_oracle`; the table is kept here, card by card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from companion import library
from tests.pairs import casino_oracle
from tests.pairs.walks import Json, casino_turns


@dataclass
class Deal:
    """A deal with everything that lies anywhere, as it goes on."""

    rules: Json
    options: Json
    seats: list[str]
    table: list[str]
    hands: dict[str, list[list[str]]]
    stock: list[str]
    turns: list[Json] = field(default_factory=list)
    before: list[Json] = field(default_factory=list)
    """The position that each turn met."""
    loose: list[str] = field(default_factory=list)
    builds: list[Json] = field(default_factory=list)
    piles: dict[str, list[str]] = field(default_factory=dict)
    sweeps: dict[str, int] = field(default_factory=dict)
    last: str = ""

    @property
    def paired(self) -> bool:
        return len(self.seats) == 4 and self.options["partners"] == "opposite"

    def side(self, seat: str) -> str:
        return self.seats[self.seats.index(seat) % 2] if self.paired else seat

    def sides(self) -> dict[str, str]:
        """The sides by their ids, each with its first seat."""
        if self.paired:
            return {"+".join(self.seats[place::2]): self.seats[place] for place in (0, 1)}
        return {seat: seat for seat in self.seats}

    def request(self, turns: list[Json] | None = None) -> Json:
        return {
            "rules": self.rules, "seats": self.seats, "dealer": self.seats[-1], "table": self.table,
            "hands": self.hands, "turns": self.turns if turns is None else turns,
        }  # fmt: skip

    def taken(self) -> dict[str, list[str]]:
        """What each side has, the rest with whoever took last."""
        rest = [*self.loose, *(card for build in self.builds for one in build["sets"] for card in one)]
        return {
            name: [*self.piles.get(seat, ()), *(rest if seat == self.last else ())]
            for name, seat in self.sides().items()
        }

    def facts(self) -> Json:
        """What each side took, counted."""
        return {
            name: {
                "cards": len(cards), "spades": sum(card[-1] == "S" for card in cards),
                "aces": sum(card[0] == "A" for card in cards), "big_ten": "10D" in cards, "spy_two": "2S" in cards,
                "spade_ace": "AS" in cards, "spade_jack": "JS" in cards,
                "sweeps": self.sweeps.get(self.sides()[name], 0), "last_capture": self.sides()[name] == self.last,
            }
            for name, cards in self.taken().items()
        }  # fmt: skip

    def position(self, seat: str, hand: list[str]) -> Json:
        return {
            "seats": self.seats, "player": seat, "table": [*self.loose], "hand": [*hand], "piles": {},
            "builds": [build | {"sets": [[*one] for one in build["sets"]]} for build in self.builds],
        }  # fmt: skip

    def move(self, seat: str, play: Json) -> None:
        """Carry a turn of one play out."""
        taken = [*play.get("table", ())]
        self.loose = [card for card in self.loose if card not in taken]
        kind = play["play"]
        if kind == "trail":
            self.loose.append(play["card"])
        elif kind == "capture":
            gone = [build for build in self.builds if build["id"] in play.get("builds", ())]
            self.builds = [build for build in self.builds if build not in gone]
            won = [card for build in gone for one in build["sets"] for card in one]
            self.piles.setdefault(self.side(seat), []).extend([play["card"], *taken, *won])
            self.last = self.side(seat)
            self.sweeps[self.last] = self.sweeps.get(self.last, 0) + (not self.loose and not self.builds)
        elif kind == "build":
            self.builds.append(self._new(play, seat, [[*taken, play["card"]]]))
        elif kind == "raise":
            build = next(build for build in self.builds if build["id"] == play["build"])
            build |= {"value": play["to"], "owner": seat, "sets": [[*build["sets"][0], play["card"]]]}
        else:
            self._add(seat, play)

    def _new(self, play: Json, seat: str, sets: list[list[str]]) -> Json:
        return {"id": play["id"], "value": play["value"], "owner": seat, "sets": sets}

    def _add(self, seat: str, play: Json) -> None:
        sets = [[*one.get("table", ()), one["card"]] for one in play["sets"]]
        self.loose = [card for card in self.loose if all(card not in one for one in sets)]
        if "table" in play["base"]:
            self.loose.remove(play["base"]["table"])
            self.builds.append(self._new(play, seat, [[play["base"]["table"]], *sets]))
            return
        build = next(build for build in self.builds if build["id"] == play["base"]["build"])
        build |= {"owner": seat, "sets": [*build["sets"], *sets]}


def turns_of(deal: Deal, position: Json, chance: Random) -> list[Json]:
    """Turns of one play with a card of the hand that somebody could think of, new builds named."""
    asked = position | {"player": position["player"]}
    found = [{"play": "trail", "card": card} for card in position["hand"]]
    for plays in casino_turns(deal.options, asked, chance):
        if len(plays) == 1 and (plays[0].get("card") or any(one.get("card") for one in plays[0].get("sets", ()))):
            found.append(plays[0])
    name = f"T{len(deal.turns)}"
    return [
        play | {"id": name} if play["play"] == "build" or "table" in play.get("base", {}) else play for play in found
    ]


def played(rules: Json, players: int, chance: Random) -> Deal:
    """A random deal that is in order throughout."""
    options = library.rules("casino", rules)["options"]
    cards = [*casino_oracle.Values.under(options).pack]
    chance.shuffle(cards)
    seats = [f"P{number}" for number in range(1, players + 1)]
    table = [cards.pop() for _ in range(4)]
    if options["deck"] == 49:
        rounds = [4, 5]
    elif options["deal"] == "draw":
        rounds = [4]
    else:
        rounds = [4] * (48 // players // 4)
    hands = {seat: [[cards.pop() for _ in range(count)] for count in rounds] for seat in seats}
    deal = Deal(rules, options, seats, table, hands, cards, loose=[*table])
    for number, count in enumerate(rounds):
        held = {seat: [*hands[seat][number]] for seat in seats}
        while any(held.values()):
            seat = seats[len(deal.turns) % players]
            position = deal.position(seat, held[seat])
            plays = turns_of(deal, position, chance)
            fit = [play for play in plays if casino_oracle.may_turn(options, position, {"plays": [play]})]
            fit = fit or [*_captures(options, position)]  # whoever may not trail takes what nobody thought of
            wanted = [play for play in fit if play["play"] != "trail"]
            play = chance.choice(wanted if wanted and chance.random() < 0.8 else fit)
            card = play.get("card") or next(one["card"] for one in play["sets"] if one.get("card"))
            turn: Json = {"player": seat, "plays": [play]}
            held[seat].remove(card)
            if deal.stock:
                held[seat].append(deal.stock.pop())
                turn["drawn"] = held[seat][-1]
            deal.before.append(position)
            deal.move(seat, play)
            deal.turns.append(turn)
        assert count
    return deal


def _captures(options: Json, position: Json) -> Iterator[Json]:
    """Yield every capture there is."""
    for card in position["hand"]:
        for value in casino_oracle.Values.under(options).played(card) or {None}:
            for table, builds in casino_oracle.captures(options, position, card, value):
                play: Json = {"play": "capture", "card": card, "table": [*table], "builds": [*builds]}
                yield play if value is None else play | {"as": value}


def faulty(deal: Deal, chance: Random) -> tuple[str, Json]:
    """A record that ends with a fault, and of which kind it is."""
    for place in chance.sample(range(len(deal.turns)), len(deal.turns)):
        position, turn = deal.before[place], deal.turns[place]
        earlier = deal.turns[:place]
        wrong = [
            play for play in turns_of(deal, position, chance)
            if not casino_oracle.may_turn(deal.options, position, {"plays": [play]})
        ]  # fmt: skip
        kinds = {"play": wrong, "drawn": ["drawn"] if turn.get("drawn") else [], "turn": ["turn"]}
        kind = chance.choice([name for name, some in kinds.items() if some])
        if kind == "drawn":  # a second card, which nobody may draw
            return kind, deal.request([*earlier, turn | {"drawn": [turn["drawn"], "hidden"]}])
        if kind == "turn":
            other = deal.seats[(deal.seats.index(turn["player"]) + 1) % len(deal.seats)]
            return kind, deal.request([*earlier, turn | {"player": other}])
        if wrong:
            bad = chance.choice(wrong)
            return bad["play"], deal.request([*earlier, {"player": turn["player"], "plays": [bad]}])
    raise AssertionError("no fault can be planted")
