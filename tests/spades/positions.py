"""Random positions and cards aimed at every rule of a card, as requests: each comes from a deal of the cards."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.engine.problems import Refused, read_whole
from companion.games.spades.rules import OPTIONS

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SEATS = ("A", "B", "C", "D")
Request = dict[str, Any]


THEMES: tuple[Request, ...] = (
    {"first_trick": "lowest_club"},
    {"first_leader": "highest_bidder", "moon": True, "blind_moon": True},
    {"first_leader": "club_two", "club_two_must_lead": True, "double_blind_nil": True},
    {"first_trick": "lowest_club_strict", "mode": "duo_dummy"},
    {"first_trick_spades": "forbidden", "promoted_twos": ["2C"]},
)
"""Options whose rules meet in the first trick."""
AIMED: tuple[Request, ...] = (
    {"mode": "solo3", "deck": "jokers_added", "solo3_deck": "remove_2c"},
    {"mode": "solo3", "deck": "jokers_added", "solo3_deck": "remove_2c", "first_leader": "club_two"},
)
"""Options that seldom meet in random rules: with jokers added, three players keep the two of clubs."""


def rules(chance: Random, theme: Request) -> tuple[Request, Request]:
    """House rules that a card depends on, as given and with every option; those of a theme among them."""
    while True:
        options: Request = {}
        if chance.random() < 0.4:
            options["mode"] = chance.choice(["solo4", "solo3", "solo3", "duo_draw", "duo_dummy", "duo_dummy"])
        some: dict[str, list[object]] = {
            "deck": ["jokers_minus_twos", "jokers_dealer_discards", "jokers_added"], "trump_order": ["deuce_high"],
            "promoted_twos": [["2D"], ["2H", "2D"], ["2C"]], "solo3_deck": ["remove_2c"], "dummy_leads": [False],
            "first_trick": ["lowest_club", "lowest_club_strict"], "first_leader": ["club_two", "highest_bidder"],
            "club_two_must_lead": [True], "lead_spades_anytime": [True], "double_blind_nil": [True],
            "dummy_side": ["right"], "bid_method": ["sum", "consultation"], "second_round": [True],
            "blind_bid": [True], "moon": [True], "blind_moon": [True],
            "first_trick_spades": ["forbidden"],
        }  # fmt: skip
        for name in chance.sample(list(some), chance.choice([0, 1, 2, 3, 5])):
            options[name] = chance.choice(some[name])
        options |= theme
        try:
            return options, OPTIONS.plain(read_whole({"options": options}, OPTIONS.read).options)
        except Refused:
            continue


def request(chance: Random, *, honest: bool = False, themes: tuple[Request, ...] = THEMES) -> Request:
    """A card in a position with some facts left out, and now and then one that is wrong unless they are `honest`."""
    theme = chance.choice(themes) if chance.random() < (0.3 if themes is THEMES else 1) else {}
    given, options = rules(chance, theme)
    seats = {"partners4": SEATS, "solo4": SEATS, "solo3": SEATS[:3], "duo_draw": SEATS[:2]}.get(
        options["mode"], ("A", "dummy", "B")
    )
    pack = [rank + suit for rank in RANKS for suit in "SHDC"]
    if options["deck"] != "standard52":
        pack += ["BJ", "LJ"]
    if options["deck"] == "jokers_minus_twos":
        pack = [card for card in pack if card not in options["removed_twos"]]
    if (options["mode"], options["solo3_deck"]) == ("solo3", "remove_2c") and options["deck"] != "jokers_added":
        pack.remove("2C")
    size = 13 if len(seats) != 3 else 18 if options["deck"] == "jokers_added" else 17
    number = chance.choice([1, 1, 1, 2, 3, size - 3, size - 2, size - 1, chance.randint(1, size)])
    number = 1 if theme else number
    chance.shuffle(pack)
    if chance.random() < 0.3:  # suits that run out, hands of one suit
        pack.sort(key=lambda card: (card[-1] in chance.choice(["SJ", "C", "HD"])) + 0.7 * chance.random())
    played, rest = pack[: (number - 1) * len(seats)], pack[(number - 1) * len(seats) :]
    left = size - number + 1
    hands = {seat: rest[place * left : (place + 1) * left] for place, seat in enumerate(seats)}
    leader = chance.choice(seats)
    order = [*seats[seats.index(leader) :], *seats[: seats.index(leader)]]
    shown = chance.choice([0, 0, 1, 1, len(seats) - 1])
    if chance.random() < 0.05 and not honest:
        chance.shuffle(order)
    trick = [{"seat": seat, "card": chance.choice(hands[seat])} for seat in order[:shown]]
    mover = order[shown] if chance.random() < (0.7 if theme else 0.95) or honest else chance.choice(seats)
    there = {one["card"] for one in trick}
    hand = [card for card in hands[mover] if card not in there]
    position: Request = {"seats": list(seats), "trick": trick}
    keep = chance.choice([0.3, 0.6, 0.9])

    def tell(name: str, value: object, share: float = 1.0) -> None:
        if chance.random() < keep * share:
            position[name] = value

    tell("trick_number", number)
    if chance.random() < 0.7:
        position["played"] = played if chance.random() < 0.8 else played[: chance.randint(0, len(played))]
    tell("hand", hand if chance.random() < 0.9 else hand[: chance.randint(0, len(hand))], 0.5)
    trumps = [card for card in pack if card[-1] in "SJ" or card in options["promoted_twos"]]
    broken = bool({*played, *there} & {*trumps}) if honest or chance.random() < 0.9 else chance.random() < 0.5
    tell("spades_broken", broken, 0.4)
    dealers = [seat for seat in seats if seat != "dummy"]
    if not honest:
        tell("dealer", chance.choice(dealers), 0.8)
        tell("leader", chance.choice([leader, leader, chance.choice(seats)]), 0.2)
    if chance.random() < (0.6 if theme else 0.25):
        position["calls"] = calls(chance, dealers, options)
    if chance.random() < 0.05 and not honest:
        position["phase"] = chance.choice(["play", "bidding"])
    cards = hand or pack
    aimed = [card for card in cards if card in trumps] if chance.random() < 0.4 else cards
    clubs = sorted((card for card in cards if card[-1] == "C"), key=lambda card: RANKS.index(card[:-1]))
    if number == 1 and clubs and chance.random() < 0.4:
        aimed = clubs[:2]
    card = chance.choice(aimed or cards) if chance.random() < 0.97 or honest else chance.choice([*pack, "BJ", "2C"])
    move = {"type": "play", "seat": mover, "card": card}
    return {"rules": {"options": given}, "position": position, "move": move}


def calls(chance: Random, seats: list[str], options: Request) -> list[Request]:
    """Calls of some or all seats, or of sides where partners announce together."""
    words: list[object] = [*range(6), "nil"]
    words += [word for word in ("double_blind_nil", "moon", "blind_moon") if options[word]]
    if options["blind_bid"]:
        words.append("blind_7")
    if options["mode"] == "partners4" and options["bid_method"] == "consultation":
        return [{"side": side, "call": chance.choice(words[:6])} for side in ("A+C", "B+D")[: chance.choice([1, 2, 2])]]
    count = len(seats) if chance.random() < 0.7 else chance.randint(0, len(seats))
    return [{"seat": seat, "call": chance.choice(words)} for seat in seats[:count]]
