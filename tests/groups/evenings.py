"""Random evenings of a group: every game, void deals, corrections, undos, games broken off, guests, players merged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from companion.engine.problems import Refused
from companion.games import GAMES
from companion.sheets.group_events import MergeMember, RemoveMember, RenameMember
from companion.sheets.groups import GroupService
from companion.sheets.service import SheetService
from companion.sheets.store import open_store
from tests.fixtures.hearts import HEARTS

PEOPLE = ("Aki", "Beth", "Chika", "Dan", "Eve", "Fumi", "Gen", "Hana", "Iori", "Jun")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
Facts = dict[str, Any]
TABLES: tuple[tuple[str, int, Facts], ...] = (
    ("spades", 4, {"preset": "classic", "options": {"target": 200}}),
    ("spades", 4, {"preset": "modern", "options": {"target": 150}}),
    ("spades", 4, {"preset": "classic", "options": {"target": 120, "first_hand_bids_itself": True}}),
    ("spades", 4, {"options": {"target": 100, "overtrick": "minus1", "failed_nil_tricks": "ignore"}}),
    ("spades", 4, {"preset": "solo4", "options": {"target": 100}}),
    ("casino", 2, {"preset": "swazi", "options": {"target": 21}}),
    ("casino", 3, {"preset": "royal", "options": {}}),
    ("casino", 4, {"preset": "swedish", "options": {"target": 16, "final_tie": "draw"}}),
    ("spite-and-malice", 2, {"preset": "blackwood", "options": {"match": "target", "target": 60}}),
    ("spite-and-malice", 2, {"preset": "blackwood", "options": {"match": "deals", "match_deals": 3}}),
    ("spite-and-malice", 4, {"preset": "partners4", "options": {"match": "deals", "match_deals": 2}}),
    ("hearts", 4, {"preset": "classic", "options": {"target": 60}}),
)  # fmt: skip


class Calendar:
    """A clock that is some hours later every time it is asked: a thousand evenings take years."""

    def __init__(self) -> None:
        self.now = datetime(2024, 12, 1, 18, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=40)
        return self.now


def play(random: Random, evenings: int) -> tuple[GroupService, str]:
    """Return groups and the id of one that has played so many evenings."""
    sheets = SheetService(open_store("memory:"), games={**GAMES, HEARTS.id: HEARTS}, clock=Calendar())
    groups = GroupService(sheets)
    group = groups.open_group("Tuesday", PEOPLE).view.id
    for _ in range(evenings):
        sheet = _evening(random, sheets)
        if random.random() < 0.95:
            groups.join(group, sheet)
        if random.random() < 0.01:
            _change(random, groups, group)
    return groups, group


def _evening(random: Random, sheets: SheetService) -> str:
    game, count, rules = random.choice(TABLES)
    names = random.sample(PEOPLE, count)
    if random.random() < 0.1:
        names[0] = f"Guest {random.randrange(8)}"
    sheet = sheets.open_sheet({"seats": names, "game": game, "rules": rules}, watch=False).id
    for _ in range(random.randrange(4, 16)):
        view = sheets.read(sheet)
        assert view.game is not None
        if view.ledger is not None and view.ledger.outcome.over:
            if random.random() < 0.7:
                break
            sheets.do(sheet, {"type": "rematch"})
            view = sheets.read(sheet)
        _step(random, sheets, sheet, [side.id for side in view.game.sides], [side.players for side in view.game.sides])
    return sheet


def _step(random: Random, sheets: SheetService, sheet: str, sides: list[str], players: list[tuple[str, ...]]) -> None:
    """Write one thing on a sheet; facts that cannot be are thrown anew."""
    game = sheets.read(sheet).game
    assert game is not None
    if random.random() < 0.05:
        commands: list[Facts] = [{"type": "void_deal"}, {"type": "undo"}, {"type": "skip_dealer"}]
        commands.append({"type": "adjust", "side": sides[0], "points": random.choice((-30, 5)), "reason": "agreed"})
        with suppress(Refused):
            sheets.do(sheet, random.choice(commands))
        return
    for _ in range(200):
        facts = FACTS[game.game](random, sides, players)
        command: Facts = {"type": "record_deal", "facts": facts}
        if game.deals and random.random() < 0.05:
            number = random.randrange(len(game.deals)) + 1
            command = {"type": "correct_deal", "deal": number, "facts": facts, "reason": "counted again"}
        try:
            sheets.do(sheet, command)
        except Refused as refused:
            why = refused
            continue
        return
    raise AssertionError(f"no facts of {game.game} are possible: {why.problems}")


def _spades(random: Random, sides: list[str], players: list[tuple[str, ...]]) -> Facts:
    cuts = sorted(random.randrange(14) for _ in sides[1:])
    tricks = [high - low for low, high in zip([0, *cuts], [*cuts, 13], strict=True)]
    deal: Facts = {}
    for side, seats, taken in zip(sides, players, tricks, strict=True):
        bid = max(1, min(13 // len(sides) + 3, taken + random.randrange(-3, 2)))
        deal[side] = {"bid": bid, "tricks": taken}
        if random.random() < 0.15:
            own = 0 if random.random() < 0.6 or not taken else random.randrange(1, taken + 1)
            deal[side]["nils"] = [{"player": random.choice(seats), "call": "nil", "tricks": own}]
            if len(seats) == 1:
                deal[side] |= {"bid": None, "nils": [{"player": seats[0], "call": "nil", "tricks": taken}]}
    return deal


def _casino(random: Random, sides: list[str], players: list[tuple[str, ...]]) -> Facts:
    pack = [rank + suit for suit in "SHDC" for rank in RANKS]
    taken: dict[str, list[str]] = {side: [] for side in sides}
    for card in pack:
        taken[random.choice(sides)].append(card)
    last = random.choice(sides)
    deal: Facts = {}
    for side, cards in taken.items():
        deal[side] = {
            "cards": len(cards), "spades": sum(card.endswith("S") for card in cards),
            "aces": sum(card.startswith("A") for card in cards), "big_ten": "10D" in cards, "spy_two": "2S" in cards,
            "sweeps": random.choice((0, 0, 1, 2)), "last_capture": side == last,
        }  # fmt: skip
    if random.random() < 0.2:  # only who had the most was entered
        for item in ("cards", "spades"):
            most = max(deal[side][item] for side in sides)
            for side in sides:
                deal[side][f"most_{item}"] = deal[side].pop(item) == most
    return deal


def _spite(random: Random, sides: list[str], players: list[tuple[str, ...]]) -> Facts:
    winner = random.randrange(len(sides) + 1) - 1
    names = [seats if len(seats) > 1 else (side,) for side, seats in zip(sides, players, strict=True)]
    left = {name: random.randrange(1, 15) for place, own in enumerate(names) if place != winner for name in own}
    return {"winner": sides[winner] if winner >= 0 else None, "remaining": left}


def _hearts(random: Random, sides: list[str], players: list[tuple[str, ...]]) -> Facts:
    deal: Facts = {side: {"hearts": 0, "queen": False} for side in sides}
    for _ in range(13):
        deal[random.choice(sides)]["hearts"] += 1
    deal[random.choice(sides)]["queen"] = True
    return deal


FACTS: dict[str, Any] = {"spades": _spades, "casino": _casino, "spite-and-malice": _spite, "hearts": _hearts}


def _change(random: Random, groups: GroupService, group: str) -> None:
    """Rename, merge or remove somebody, but leave some to play."""
    current = [member.id for member in groups.read(group).group.current]
    if len(current) < 8:
        return
    one, other = random.sample(current, 2)
    change = random.choice((RenameMember(one, f"Newly {one}"), MergeMember(one, other), RemoveMember(one)))
    groups.do(group, change)


def every_pair(players: list[str]) -> Iterator[tuple[str, str]]:
    """Yield everybody with everybody else."""
    return ((one, other) for one in players for other in players if one != other)
