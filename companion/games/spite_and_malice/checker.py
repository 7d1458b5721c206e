"""Check witnesses of Spite and Malice: a naive judge of the moves of a turn with packs and piles of its own.

It is written against the articles and reads plain JSON. Cards are ranks; where pay-off piles are dealt from one pack,
a star marks the copies that may be in them. Facts of the table that are open make cases, each judged by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from companion.engine.cards import read_card
from companion.engine.checking import Bound, Case, Formula, Room, Together, World, accepts, every, opposite, some, spelt
from companion.engine.problems import JsonObject, Node
from companion.games.spite_and_malice.rules import OPTIONS

_RANKS = ("X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_CARDS = ("card", "centre_stacks", "hand", "payoff", "payoff_tops", "side_stacks")
_NUMBERS = {"1": "A", "11": "J", "12": "Q", "W": "X", "SB": "X", "K": "X"}
_HAND, _REST, _PAYOFFS = "hand", "rest", "payoffs"
_PILES = ("payoff", "partner_payoff", _PAYOFFS)
_SIDES = {"side": "side_stacks", "partner_side": "partner_side_stacks"}
_MOVES = ("play", "discard", "refill", "end_turn")


def verify(request: JsonObject, verdict: str, witness: JsonObject) -> bool | None:
    """Return whether a witness proves the verdict on a move of a turn; None for other moves."""
    if verdict == "impossible":
        return _Table(request, {}).contradicts()
    judged = cases(request, listed=verdict != "undecided")
    if judged is None:
        return None
    worlds = {}
    for name, world in (("legal", witness.get("legal") or witness.get("world")), ("illegal", witness.get("illegal"))):
        if world:
            case = (table := _Table(request, world)).case()
            worlds[name] = case, _places(case, world, table.move)
    counts = [frozenset(_tokens(step["facts"]["cards"])) for step in witness.get("chain", ())]
    return accepts(judged, verdict, worlds, counts)


def cases(request: JsonObject, *, listed: bool = True) -> tuple[Case, ...] | None:
    """Return where a move is wrong in each case of the open facts of the table; None for moves outside a turn.

    Unless they are to be listed, none is: two tables show that a move is undecided.
    """
    table = _Table(request, {})
    if request["move"].get("type") not in _MOVES or table.not_covered():
        return None
    return tuple(_Table(request, facts).case() for facts in (_open_facts(request) if listed else ()))


def _open_facts(request: JsonObject) -> Iterator[JsonObject]:
    """Yield every case of the facts of the table that are open and matter, in the words of a world."""
    table = _Table(request, {})
    position, move = table.position, table.move
    last, target = table.last, move.get("to")
    centres: list[list[int]] = [table.centre]
    if position.get("centre_stacks") is None:
        at, most = target if isinstance(target, int) and move["type"] == "play" else None, table.rules.centre_max or 12
        done = [] if at is None else [last] * (at + 1 - most)
        at, centres = None if at is None else at - len(done), []
        for aces, count in product(range(min(most, 10) + 1), (0, most)):
            others = [1] * aces + [3] * (max(count, aces, at or 0) - aces - (at is not None and count == most))
            tops = [[]] if at is None else [[top] for top in range(1, last + 1)]
            found = [[*done, *others[:at], *top, *others[at:]] for top in tops]
            centres += [centre for centre in found if len(centre) <= most + len(done)]
    elif 0 in table.centre:
        rules = table.rules  # an open top is a wild card, which cannot stand for every rank
        ranks = [1] * rules.wild_as_ace + [rank for rank in range(2, last + 1) if rank != 7 or rules.wild_as_seven]
        others = [rank for rank in ranks if rank in (1, last - 1, last)]
        tops = [[top] if top else ranks if at == target else others for at, top in enumerate(table.centre)]
        centres = [list(chosen) for chosen in product(*tops)]
    stacks: list[list[str] | None] = [None]
    if table.asks_for_stack():
        naturals = [[rank] for rank in _RANKS if table.pack[rank] and not table.wild(rank)]
        wilds = [rank for rank in _RANKS if table.wild(rank) and table.pack[rank]]
        stacks = [*naturals, *([under, wild] for wild in wilds for under in ("A", "K"))]
    for centre, stack, acted, complete in product(centres, stacks, table.acted(), table.complete()):
        yield {"centre_stacks": [_RANKS[top] for top in centre], "stack": stack, "acted": acted, "complete": complete}


def _rank(card: str) -> str:
    """Return the rank of a card that may have a suit or a number."""
    return card if card in _RANKS else _NUMBERS.get(card) or card[:-1]


def _tokens(cards: Sequence[str]) -> list[str]:
    """Return the copies of some cards; with a star, only those that pay-off piles may have."""
    plain = [_rank(card) for card in cards if card[-1:] != "*"]
    return [*plain, *(rank + "*" for rank in plain), *(_rank(card[:-1]) + "*" for card in cards if card[-1:] == "*")]


def _places(case: Case, world: JsonObject, move: JsonObject) -> World:
    """Return the hidden cards of a world by place; those that it does not name lie in pay-off piles or in the rest."""
    named = {place: list(cards) for place, cards in world.items() if place in case.rooms}
    if _HAND in case.rooms:
        beside = [move["card"]] if move.get("card") and move.get("from", _HAND) == _HAND else []
        named[_HAND] = beside
        named[_HAND] += [card for cards in world.get("hands", {}).values() for card in cards]
    named |= {f"centre {at}": [card] for at, card in enumerate(world.get("centre", ()))}
    left, found = Counter(case.hidden), dict[str, list[str]]()
    for place in sorted(named, key=lambda place: place not in _PILES):
        for card in map(_rank, named[place]):
            starred = left[card + "*"] > 0 and (place in _PILES or left[card] <= 0)
            found.setdefault(place, []).append(card + "*" if starred else card)
            left[found[place][-1]] -= 1
    room, rest = case.rooms[_PAYOFFS], list((+left).elements())
    piled = [card for card in rest if room.may is None or card in room.may][: room.least]
    return {**found, _PAYOFFS: piled, _REST: list((Counter(rest) - Counter(piled)).elements())}


class _Wrong(Exception):
    """The move is wrong whatever the hidden cards are."""


class _Table:
    """A table as it is given, with one case of what is open, and the move."""

    def __init__(self, request: JsonObject, facts: JsonObject) -> None:
        self.request, self.facts = request, facts
        rules = OPTIONS.read(Node(request.get("rules", {}))).options
        self.rules, self.last = rules, 12 if rules.top_rank == "Q" else 13
        numbered, copies = rules.card_names == "numbered", 4 * rules.packs
        self.names = _NUMBERS if numbered else {}
        position, self.move = (spelt(request[part], _CARDS, self._card) for part in ("position", "move"))
        tops = position.get("payoff_tops", {})
        self.position = position | {"payoff_tops": {name: card for name, card in tops.items() if card}}
        self.players, self.player, self.team = position["players"], position["player"], rules.paired
        unranked = rules.jokers + (copies if numbered else 0)
        self.pack = Counter(dict.fromkeys(_RANKS[1 : 13 if numbered else 14], copies))
        self.pack["X"] = unranked
        partner = position.get("partner") or {}
        self.left = {"payoff": position.get("payoff_left"), "partner_payoff": partner.get("payoff_left")}
        self.seen: dict[str, list[str] | None] = {
            _HAND: self._ranks([] if position.get("hand_count") == 0 else position.get("hand")),
            "payoff": self._top(position, "payoff"),
            "side_stacks": self._tops(position),
            "partner_payoff": self._top(partner, "partner_payoff"),
            "partner_side_stacks": self._tops(partner),
        }
        self.stacks = [self._ranks(stack) or [] for stack in position.get("side_stacks") or ()]
        shown, assumed = self._ranks(position.get("centre_stacks")), self._ranks(facts.get("centre_stacks")) or ()
        tops = assumed if shown is None else [
            (assumed[at] if at < len(assumed) else "") if self.wild(rank) else rank for at, rank in enumerate(shown)
        ]  # fmt: skip
        self.centre = [_RANKS.index(rank) if rank else 0 for rank in tops]
        self.stock, self.discarded = position.get("stock"), position.get("discarded", False)
        self.turns = position.get("turns")
        self.refilled = position.get("refilled", True) or rules.refill_at == "end"
        self.wrong: list[Formula] = []
        self.known: list[Formula] = []

    def _card(self, text: str) -> str:
        """Return a card by rank and suit, however it is written; in packs with numbers, its rank."""
        card = read_card(text, jokers=("X", *_NUMBERS), bare_ranks=True)
        return self.names.get(card.rank, card.rank) if self.names else str(card)

    def _ranks(self, cards: Sequence[str] | None) -> list[str] | None:
        return None if cards is None else [*map(_rank, cards)]

    def _top(self, piles: JsonObject, name: str) -> list[str] | None:
        return [] if self.left[name] == 0 else self._ranks([piles["payoff"]]) if piles.get("payoff") else None

    def _tops(self, piles: JsonObject) -> list[str] | None:
        stacks = piles.get("side_stacks")
        return None if stacks is None else self._ranks([stack[-1] for stack in stacks if stack])

    # What is given, and what is hidden -------------------------------------------------------------------------------

    def wild(self, rank: str) -> bool:
        joker = "joker" in self.rules.wild or bool(self.names)
        return (rank == "X" and joker) or (rank == "K" and "K" in self.rules.wild)

    def wilds(self) -> list[str]:
        return [rank for rank in ("X", "K") if self.wild(rank)]

    def least(self, place: str, ranks: Sequence[str], count: int = 1) -> Formula:
        """Where a place shows or holds so many cards of some ranks."""
        seen = self.seen[place]
        if seen is None:
            return count <= 0 or Bound("least", place, frozenset(_tokens(ranks)), count)
        return sum(rank in ranks for rank in seen) >= count

    def held(self, count: int) -> Formula:
        """Where the hand has at least so many cards."""
        size = self.position.get("hand_count")
        return self.least(_HAND, _RANKS, count) if self.seen[_HAND] is not None or size is None else size >= count

    def acted(self) -> list[bool]:
        """Whether somebody has broken the deadlock in this round of second chances; both where nobody knows."""
        if self.turns is None and self.rules.second_chance_scope == "until_broken" and self.phase() == "second_chance":
            return [False, True]
        return [any(turn["acted"] for turn in (self.turns or ())[1 - len(self.players) :])]

    def complete(self) -> list[bool]:
        """Whether anything can be drawn, once stacks are recycled; both where nobody counted them."""
        position, rules = self.position, self.rules
        if self.stock != 0 or rules.recycle_source == "none":
            return [self.stock != 0]
        shown = position.get("centre_stacks") is not None and 0 not in self.centre
        aside_here = rules.centre_done == "set_aside" and position.get("complete") is None
        aside = position.get("set_aside", None if aside_here else 0)
        counts = [position.get("complete", sum(top == self.last for top in self.centre) if shown else None), aside]
        if rules.recycle_source == "complete_then_incomplete":
            shown = shown or "centre_stacks" in self.facts
            counts.append(position.get("incomplete", sum(top < self.last for top in self.centre) if shown else None))
        return [True] if any(counts) else [False, True] if None in counts else [False]

    def _case(self, name: str, outcomes: list[bool]) -> bool:
        """Return which of several outcomes it is in this case of what is open."""
        return outcomes[0] if len(outcomes) == 1 else bool(self.facts.get(name))

    def phase(self, *, stated: bool = True) -> str:
        if not self.rules.redealt:
            return "normal"
        idle = left = 0
        for turn in self.turns or ():
            idle = 0 if turn["acted"] else idle % (2 * len(self.players)) + 1
            again = idle in range(len(self.players), 2 * len(self.players))
            left = left - 1 if left else len(self.players) * again
        return (stated and self.position.get("phase")) or ("second_chance" if left else "normal")

    def not_covered(self) -> bool:
        """Whether hidden side stacks decide if a discard is owed."""
        rules = self.rules
        ends = self.move["type"] == "end_turn" and rules.discard_required and rules.discard_rule != "free"
        return bool(ends and self.seen["side_stacks"] is None)

    def asks_for_stack(self) -> bool:
        """Whether what lies in a hidden side stack, or on a hidden pay-off pile, decides."""
        move = self.move
        if move["type"] == "play" and not move.get("card") and not move.get("depth"):
            return self.seen.get(_SIDES.get(move["from"], move["from"]), []) is None
        onto = move["type"] == "discard" and move["to"] != "new" and self.seen["side_stacks"] is None
        free = self.rules.discard_rule == "free" or any(map(self.wild, self._ranks([move.get("card") or "A"]) or ()))
        return bool(onto and not free)

    def case(self) -> Case:
        """Return where the move is wrong, and what is known of the hidden cards."""
        card = (self._ranks([self.move["card"]]) or [""])[0] if self.move.get("card") else ""
        place = _SIDES.get(self.move.get("from", _HAND), self.move.get("from", _HAND))
        own = self.team or place in ("payoff", "side_stacks")
        usable = place == _HAND or (self.move["type"] == "play" and not self.move.get("depth") and own)
        shown = bool(card) and usable and self.seen.get(place, []) is None
        hidden, starred = self._hidden()
        if shown and self.pack[card]:
            if not (hidden[card + "*"] if place in _PILES and starred else hidden[card] + hidden[card + "*"]):
                return Case(hidden, {_REST: Room(0, hidden.total())}, True)
            if place in _PILES:
                self.seen[place] = [card]
                hidden, starred = self._hidden()
            else:
                self.known.append(self.least(place, [card]))
        rooms = dict(self._rooms(frozenset(token for token in hidden if token[-1] == "*") if starred else None))
        try:
            wrong = self._judge(card)
        except _Wrong:
            wrong = True
        return Case(hidden, rooms, wrong, every(*self.known))

    def contradicts(self) -> bool:
        """Whether no deal has all that is given of the table."""
        position, rules, players = self.position, self.rules, self.players
        hand, count = position.get("hand"), position.get("hand_count")
        piles = [position, position.get("partner") or {}]
        stacks = [stack for one in piles for stack in one.get("side_stacks") or ()]
        owners = (self.player, self._partner())
        tops = [*position["payoff_tops"].items(), *zip(owners, [one.get("payoff") for one in piles], strict=True)]
        named = {who: {card for one, card in tops if one == who and card} for who, _ in tops if who}.values()
        piled = Counter(max(mine, key=len) for mine in named if mine)
        cards = Counter([*(hand or ()), *(card for stack in stacks for card in stack)]) + piled
        ranks, high = Counter(self._ranks([*cards.elements()])), Counter(self._ranks([*piled.elements()]))
        log, one_pack = [turn["player"] for turn in self.turns or ()], rules.one_pack
        latest = [turn["acted"] for turn in self.turns or ()][::-1]
        follows = any(not any(latest[back : back + len(players)]) for back in range(len(players)))
        sizes = [position.get("stock"), len(self.centre), count if hand is None else len(hand), *self.left.values()]
        empty = [who for who, left in zip(owners, self.left.values(), strict=True) if left == 0]
        return (
            any(who in empty and card for who, card in tops)
            or any(len({card[-1] for card in mine if self._suited(card)} or {*map(_rank, mine)}) > 1 for mine in named)
            or any(ranks[rank] > self.pack[rank] or (one_pack and high[rank] > 4) for rank in ranks)
            or any(cards[one] > rules.packs or (one_pack and piled[one] > 1) for one in filter(self._suited, cards))
            or max(len(hand or ()), count or 0) > 10 or (hand is not None and count not in (None, len(hand)))
            or any((left or 0) > rules.payoff_size for left in self.left.values())
            or any(after != players[(players.index(one) + 1) % len(players)] for one, after in pairwise(log))
            or sum(size or 0 for size in sizes) + sum(map(len, stacks)) > self.pack.total()
            or (one_pack and not self.names and high["X"] > 0)
            or bool(position.get("set_aside") and rules.centre_done != "set_aside")
            or (position.get("phase") == "second_chance" and rules.redealt and not follows)
            or position.get("phase", "second_chance") not in ("second_chance", self.phase(stated=False))
            or _Table({**self.request, "move": {"type": "end_turn"}}, {}).case().nowhere()
        )  # fmt: skip

    def _suited(self, card: str) -> bool:
        return card not in _RANKS and not self.names

    def _hidden(self) -> tuple[Counter[str], bool]:
        """Return the hidden cards, and whether only starred copies may be in pay-off piles (SNM-005, 203)."""
        position, one_pack = self.position, self.rules.one_pack
        lying = [*(position.get("hand") or ())]
        for piles in (position, position.get("partner") or {}):
            lying += [card for stack in piles.get("side_stacks") or () for card in stack]
        tops = {name: self._ranks([card]) or [] for name, card in position["payoff_tops"].items()}
        for name, place in zip((self.player, self._partner()), _PILES, strict=False):
            if self.seen[place]:
                tops[name] = self.seen[place] or []
        outside, piled = Counter(self._ranks(lying)), Counter(rank for top in tops.values() for rank in top)
        whole = [card for card, count in Counter(lying).items() if count >= self.rules.packs]
        doubled = Counter(card[:-1] for card in whole if card not in _RANKS and not self.names)
        hidden: Counter[str] = Counter()
        for rank, total in self.pack.items():
            left = total - outside[rank] - piled[rank]
            barred = max(doubled[rank], outside[rank] - (total - 4)) + piled[rank]
            payable = 4 - barred if one_pack and (rank != "X" or self.names) else 0
            hidden[rank + "*"] = min(max(payable, 0), left)
            hidden[rank] = left - hidden[rank + "*"]
        return +hidden, one_pack

    def _partner(self) -> str:
        half = len(self.players) // 2
        return self.players[(self.players.index(self.player) + half) % len(self.players)] if self.team else ""

    def _rooms(self, starred: frozenset[str] | None) -> Iterator[tuple[str, Room]]:
        """Yield the hidden places; of centre stacks the cards on top."""
        low = high = 0
        for place in _PILES[: 1 + self.team]:
            left = self.left[place]
            if left != 0:
                low, high = low + (left or 1) - 1, high + (left or self.rules.payoff_size) - 1
                if self.seen[place] is None:
                    yield place, Room(1 if left or place == "payoff" else 0, 1, starred)
        others = [one for one in self.players if one not in (self.player, self._partner())]
        tops = self.position["payoff_tops"]
        yield _PAYOFFS, Room(low, high + sum(self.rules.payoff_size - (one in tops) for one in others), starred)
        if self.seen[_HAND] is None:
            count = self.position.get("hand_count")
            yield _HAND, Room(0, 10) if count is None else Room(count, count)
        for place in ("side_stacks", "partner_side_stacks")[: 1 + self.team]:
            if self.seen[place] is None:
                yield place, Room(0, 4)
        shown = self._ranks(self.position.get("centre_stacks"))
        for at, top in enumerate(self.centre):
            natural = [] if shown is not None and self.wild(shown[at]) else [_RANKS[top]]
            yield f"centre {at}", Room(1, 1, frozenset(_tokens([*self.wilds(), *natural])))
        yield _REST, Room(self.stock or 0, sum(self.pack.values()))

    # The moves -------------------------------------------------------------------------------------------------------

    def need(self, fact: bool) -> None:
        if not fact:
            raise _Wrong

    def _judge(self, card: str) -> Formula:
        rules, kind, move = self.rules, self.move["type"], self.move
        self.need(move.get("seat") in (None, self.player) and not self.position.get("over"))
        self.need(not (self.left["payoff"] == 0 and (not self.team or self.left["partner_payoff"] == 0)))
        idle = next((at for at, turn in enumerate(reversed(self.turns or ())) if turn["acted"]), len(self.turns or ()))
        self.need(not rules.redealt or not idle or idle % (2 * rules.players) > 0)
        again = self.discarded and rules.after_last_discard == "refill_and_replay"
        last = self.discarded and rules.refill_at == "end"
        if self.discarded:
            self.need(kind == "end_turn" or (kind == "refill" and (again or last)))
            if last and kind == "end_turn" and self.stock != 0:
                self.wrong.append(opposite(self.held(5)))
        elif kind != "refill" and self.stock != 0:
            if not self.refilled:
                self.wrong.append(opposite(self.held(5)))
            elif rules.midturn_refill == "must":
                self.wrong.append(opposite(self.held(1)))
        if kind == "refill":
            self._refill(move["count"], empty=again or (self.refilled and not last))
        elif kind == "play":
            self._play(card)
        elif not self.discarded:
            self._end_of_turn()
            self._discard(card) if kind == "discard" else self._pass()
        return some(*self.wrong)

    def _refill(self, count: int, *, empty: bool) -> None:
        """Up to five cards, or five for an empty hand (SNM-020, 028, 123)."""
        stock = 5 if self.stock is None else self.stock
        fitting = [held for held in range(1 if empty else 5) if count == min(5 - held, stock)]
        self.need(count > 0 and bool(fitting))
        self.wrong += [opposite(self.held(min(fitting))), self.held(max(fitting) + 1)]

    def _play(self, card: str) -> None:
        move, source, to = self.move, self.move["from"], self.move["to"]
        self.need(source in ("hand", "payoff", "side") or (self.team and source in ("partner_payoff", "partner_side")))
        self.need(not move.get("depth") and (to == "new" or isinstance(to, int)) and (not card or self.pack[card] > 0))
        place = _SIDES.get(source, source)
        self.need(source not in _SIDES or self.seen[place] is not None or move["stack"] < 4)
        if source == "hand":
            self.need(self.held(1) is not False and self.least(_HAND, [card]) is not False)
        elif self.seen[place] is not None:
            top = self.seen[place] or []
            if source in _SIDES:
                piles = self.position if source == "side" else self.position["partner"]
                self.need(move["stack"] < len(piles["side_stacks"]))
                top = self._ranks(piles["side_stacks"][move["stack"]][-1:]) or []
            self.need(bool(top) and card in ("", top[0]) and self._same_suit(source))
            card = top[0]
        elif not card:
            card = _rank((self.facts.get("stack") or self.facts.get(place) or ["A"])[-1])
            self.known.append(self.least(place, [card]))
        self.wrong.append(self._onto_centre(card, source, to))
        if self.rules.mandatory_timing == "immediate":
            owed = list(self._owed())
            if (place, card) not in [(at, rank) for at, rank, _ in owed]:
                self.wrong += [where for _, _, where in owed]

    def _same_suit(self, source: str) -> bool:
        """Whether a named suit is that of the card that is seen."""
        piles = self.position if source in ("payoff", "side") else self.position.get("partner") or {}
        named = self.move.get("card") or ""
        top = piles["side_stacks"][self.move["stack"]][-1] if source in _SIDES else piles.get("payoff") or named
        return named in _RANKS or top in _RANKS or not named or named == top

    def _onto_centre(self, rank: str, source: str, to: int | str) -> Formula:
        """Where a card of this rank may not go to the centre (SNM-031 to 034, 045, 061, 062)."""
        wild = self.wild(rank)
        if to == "new":
            return not (self._room() and ((wild and self.rules.wild_as_ace) or (rank == "A" and not wild)))
        if int(to) >= len(self.centre):
            return True
        top = self.centre[int(to)]
        if top >= self.last or not (wild or _RANKS.index(rank) == top + 1):
            return True
        if wild and top == 6 and not self.rules.wild_as_seven:
            return True
        bound = source in ("payoff", "side") or (self._both() and source in ("partner_payoff", "partner_side"))
        return top == 1 and not (rank == "2" and bound) and self._starves()

    def _room(self) -> bool:
        taken = [top for top in self.centre if top != self.last or self.rules.centre_done == "stay"]
        return self.rules.centre_max is None or len(taken) < self.rules.centre_max

    def _both(self) -> bool:
        """Whether the partner's aces and twos bind as well."""
        return self.rules.mandatory_scope == "own_and_partner" and self.team

    def _starves(self) -> Formula:
        """Where one ace less is too few for the twos that are exposed (SNM-045, 124)."""
        aces, mode = self.centre.count(1), self.rules.block_two
        if mode == "off" or (mode == "one_is_enough" and aces > 1):
            return False
        places = dict.fromkeys(_PILES[: 1 + self._both()], 1)
        if mode != "payoff_only":
            places |= dict.fromkeys(list(_SIDES.values())[: 1 + self._both()], 4)
        shown = sum((self.seen[place] or []).count("2") for place in places)
        hidden = {place: most for place, most in places.items() if self.seen[place] is None}
        return shown >= aces or Together("least", hidden, frozenset(_tokens(["2"])), aces - shown)

    def _owed(self) -> Iterator[tuple[str, str, Formula]]:
        """Yield the cards that must go to the centre: where, which rank, and in which worlds (SNM-040 to 043)."""
        if "hand_ace" in self.rules.mandatory and self._room():
            yield _HAND, "A", self.least(_HAND, ["A"])
        for number, place in enumerate(
            ("payoff", "side_stacks", "partner_payoff", "partner_side_stacks")[: 2 + 2 * self._both()]
        ):
            kind = ("payoff", "side")[number % 2]
            laid = kind == "payoff" or self.seen[place] is not None or self.rules.discard_ace or self.rules.side_start
            if f"{kind}_ace" in self.rules.mandatory and self._room() and laid:
                yield place, "A", self.least(place, ["A"])
            if f"{kind}_two" in self.rules.mandatory and 1 in self.centre:
                yield place, "2", self.least(place, ["2"])

    def _end_of_turn(self) -> None:
        """No compulsory card is left, and a second chance is used (SNM-048, 072)."""
        self.wrong += [where for _, _, where in self._owed()]
        broken = self.rules.second_chance_scope == "until_broken" and self._case("acted", self.acted())
        if self.phase() == "second_chance" and not self.position.get("played_ace_or_two") and not broken:
            self.wrong.append(every(self._room(), self.least(_HAND, ["A"])))
            if 1 in self.centre:
                self.wrong.append(every(self.least(_HAND, ["2"]), opposite(self._starves())))

    def _discard(self, card: str) -> None:
        move, to = self.move, self.move["to"]
        self.need(move.get("from", "hand") == "hand" and move.get("owner", "own") == "own" and self.pack[card] > 0)
        self.need(self.held(1) is not False and self.least(_HAND, [card]) is not False)
        if to == "new":
            self.wrong.append(self.least("side_stacks", _RANKS, 4))
            self.need(self._fits(card, []))
        elif self.seen["side_stacks"] is not None:
            self.need(to < len(self.stacks) and self._fits(card, self.stacks[to]))
        else:
            self.need(to < 4)
            stack = self._ranks(self.facts.get("stack")) or []
            self.known += [self.least("side_stacks", [stack[-1]])] if stack else []
            self.need(self._fits(card, stack))

    def _fits(self, card: str, stack: Sequence[str]) -> bool:
        """Whether a card may be discarded onto a side stack (SNM-050 to 053, 064 to 068)."""
        if self.wild(card):
            return True
        if card == "A" and not self.rules.discard_ace:
            return False
        naturals = [at for at, rank in enumerate(stack) if not self.wild(rank)]
        if self.rules.discard_rule == "free" or not naturals:
            return True
        base = _RANKS.index(stack[naturals[-1]])
        return base - (len(stack) - naturals[-1]) <= _RANKS.index(card) <= base

    def _pass(self) -> None:
        """Where a discard is owed, only who has nothing to discard, and can draw nothing, may pass (SNM-216, 218)."""
        if not self.rules.discard_required:
            return
        if self._case("complete", self.complete()):
            self.wrong.append(opposite(self.held(1)))
        stacks = [stack for stack in self.stacks if stack]
        places = [*stacks, *([[]] if len(stacks) < 4 else [])]
        fitting = [rank for rank in _RANKS if any(self._fits(rank, stack) for stack in places)]
        self.wrong.append(self.least(_HAND, fitting))
