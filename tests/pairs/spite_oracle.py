"""Spite and Malice on paper: every move over a table on which everything is known, who starts, and what a deal scores.

Written from the rules, in another style than the judge: cards are numbers (0 a joker), and a move is in order or not.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
NAMES = ["X", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
NUMBERS = {"1": 1, "11": 11, "12": 12, "W": 0}
SUITS = "SHDC"  # from the highest
Open = tuple[str, int | None, int]
"""Where a card lies open, in which stack, and its number."""


class World:
    """A position as somebody sees it who may look everywhere."""

    def __init__(self, options: Json, position: Json) -> None:
        self.options, self.position = options, position
        self.last = 13 if options["top_rank"] == "K" else 12
        self.hand = [*map(rank, position["hand"])]
        self.centre = [*map(rank, position["centre_stacks"])]
        self.stock = position["stock"]
        own: list[Open] = [("payoff", None, rank(position["payoff"]))] if "payoff" in position else []
        own += [("side", n, rank(stack[-1])) for n, stack in enumerate(position["side_stacks"]) if stack]
        mate = position.get("partner", {})
        theirs: list[Open] = [("partner_payoff", None, rank(mate["payoff"]))] if "payoff" in mate else []
        theirs += [("partner_side", n, rank(stack[-1])) for n, stack in enumerate(mate.get("side_stacks", ())) if stack]
        self.exposed = [*own, *(theirs if options["partners"] == "opposite" else [])]
        """What lies open and may be played, with where it lies."""
        bound = options["partners"] == "opposite" and options["mandatory_scope"] == "own_and_partner"
        self.binding = [*own, *(theirs if bound else [])]
        self.idle = 0
        for turn in position["turns"]:
            self.idle = 0 if turn["acted"] else self.idle + 1
        out = position["payoff_left"] == 0 and (options["partners"] == "off" or mate.get("payoff_left") == 0)
        self.over = out or position.get("over", False)

    def wild(self, card: int) -> bool:
        unranked = "joker" in self.options["wild"] or self.options["card_names"] == "numbered"
        return (card == 0 and unranked) or (card == 13 and "K" in self.options["wild"])

    @property
    def room(self) -> bool:
        """Whether the centre has a place for another stack."""
        taken = (
            self.centre if self.options["centre_done"] == "stay" else [top for top in self.centre if top != self.last]
        )
        return self.options["centre_max"] is None or len(taken) < self.options["centre_max"]

    def owed(self) -> set[Open]:
        """The open cards that must go to the centre now."""
        found: set[Open] = set()
        if 1 in self.hand and "hand_ace" in self.options["mandatory"] and self.room:
            found.add(("hand", None, 1))
        for where, n, card in self.binding:
            kind = where.removeprefix("partner_")
            ace = card == 1 and f"{kind}_ace" in self.options["mandatory"] and self.room
            if ace or (card == 2 and f"{kind}_two" in self.options["mandatory"] and 1 in self.centre):
                found.add((where, n, card))
        return found

    def starves(self, where: str, card: int) -> bool:
        """Whether a card on an ace leaves an open two without one."""
        how = self.options["block_two"]
        if how == "off" or (card == 2 and any(where == each for each in self._piles_that_bind())):
            return False
        twos = [each for each in self.binding if each[2] == 2 and (how != "payoff_only" or "payoff" in each[0])]
        left = self.centre.count(1) - 1
        return bool(twos) and (left < len(twos) if how != "one_is_enough" else left < 1)

    def _piles_that_bind(self) -> set[str]:
        both = self.options["partners"] == "opposite" and self.options["mandatory_scope"] == "own_and_partner"
        return {"payoff", "side"} | ({"partner_payoff", "partner_side"} if both else set())

    def chance_left(self) -> bool:
        """Whether a second chance asks for an ace or a two of the hand."""
        position, options = self.position, self.options
        if options["deadlock"] != "second_chance_redeal" or position["phase"] != "second_chance":
            return False
        if position["played_ace_or_two"]:
            return False
        lately = position["turns"][1 - options["players"] :]
        if options["second_chance_scope"] == "until_broken" and any(turn["acted"] for turn in lately):
            return False
        return (1 in self.hand and self.room) or (2 in self.hand and 1 in self.centre and not self.starves("hand", 2))

    def lies(self, card: int, stack: list[int]) -> bool:
        """Whether a card may be discarded onto a stack, or to a free place."""
        if self.wild(card):
            return True
        if card == 1 and not self.options["discard_ace"]:
            return False
        if self.options["discard_rule"] == "free":
            return True
        jokers = 0
        while stack and self.wild(stack[-1 - jokers]):
            jokers += 1
            if jokers == len(stack):
                return True
        return not stack or stack[-1 - jokers] - jokers - 1 <= card <= stack[-1 - jokers]

    @property
    def sides(self) -> list[list[int]]:
        return [[*map(rank, stack)] for stack in self.position["side_stacks"]]

    def complete(self) -> int:
        return int(self.position["complete"] + self.position["set_aside"])

    def drawable(self) -> bool:
        """Whether the stock has cards, or stacks that can be put under it."""
        source = self.options["recycle_source"]
        more = source != "none" and bool(self.complete())
        return self.stock > 0 or more or (source == "complete_then_incomplete" and self.position["incomplete"] > 0)


def rank(card: str) -> int:
    """Return the number of a card that is named with or without its suit."""
    if card in NUMBERS:
        return NUMBERS[card]
    return NAMES.index(card if card in NAMES else card[:-1])


def may(options: Json, position: Json, move: Json) -> bool | None:
    """Return whether a move is in order; None for those that are not looked at here."""
    world, kind = World(options, position), move["type"]
    if kind == "recycle":
        return not world.over and _recycles(world, move)
    if kind == "redeal":
        return not world.over and _redeals(world, move["first"])
    if kind == "second_chance":
        chance = options["deadlock"] == "second_chance_redeal" and position["phase"] == "second_chance"
        return chance and not world.over
    if kind == "claim_win":
        return position["payoff_left"] == 0 and (
            options["partners"] == "off" or position.get("partner", {}).get("payoff_left") == 0
        )
    if kind == "claim_stalemate":
        return None if world.over else _nobody_can(world)
    if kind == "complete":
        there = move["stack"] < len(world.centre) and world.centre[move["stack"]] == world.last
        return there and move["do"] == options["centre_done"]
    if kind not in ("play", "discard", "refill", "end_turn"):
        return None
    return _in_turn(world, move)


def after(options: Json, position: Json, move: Json) -> Json:
    """Return some of what is so after a move that is in order."""
    world, kind = World(options, position), move["type"]
    following = position["players"][position["players"].index(position["player"]) - len(position["players"]) + 1]
    if kind == "discard":
        again = options["after_last_discard"] == "refill_and_replay" and len(world.hand) == 1
        goes_on = (again or options["refill_at"] == "end") and world.drawable()
        return {"turn_ends": not goes_on, "next": position["player"] if goes_on else following}
    if kind != "play":
        return {}
    found: Json = {"hand_count": len(world.hand) - 1} if move["from"] == "hand" else {}
    new = 1 if move["to"] == "new" else world.centre[move["to"]] + 1
    place = len(world.centre) if move["to"] == "new" else move["to"]
    tops = [*world.centre[:place], new, *world.centre[place + 1 :]]
    if new == world.last:
        found["completed"] = options["centre_done"]
        if options["centre_done"] != "stay":
            del tops[place]
    if options["card_names"] != "numbered":
        found["centre_stacks"] = [NAMES[top] for top in tops]
    if move["from"] in ("payoff", "partner_payoff"):
        own, mate = position["payoff_left"], position.get("partner", {}).get("payoff_left")
        left, other = (own, mate) if move["from"] == "payoff" else (mate, own)
        if left == 1:
            found["over"] = options["partners"] == "off" or other == 0
    return found


def _in_turn(world: World, move: Json) -> bool:
    options, position, kind = world.options, world.position, move["type"]
    due = world.idle and world.idle % (2 * options["players"]) == 0  # a log that goes on goes on after a redeal
    if world.over or (options["deadlock"] == "second_chance_redeal" and due):
        return False
    held, stock = len(world.hand), world.stock
    at_end = options["refill_at"] == "end"
    refilled = position["refilled"] or at_end
    if position["discarded"] and at_end and held < 5:
        return (kind == "end_turn" and not stock) or (kind == "refill" and 0 < move["count"] == min(5 - held, stock))
    if position["discarded"]:
        again = options["after_last_discard"] == "refill_and_replay" and held == 0
        return kind == "end_turn" or (kind == "refill" and again and move["count"] == min(5, stock) > 0)
    if kind == "refill":
        due = 5 - held if not refilled else 0 if held else 5
        return bool(0 < move["count"] == min(due, stock))
    if stock and ((not refilled and held < 5) or (refilled and not held and options["midturn_refill"] == "must")):
        return False
    if kind == "play":
        return _plays(world, move)
    if world.owed() or world.chance_left():
        return False
    return _discards(world, move) if kind == "discard" else _ends(world)


def _plays(world: World, move: Json) -> bool:
    where, to = move["from"], move["to"]
    named = rank(move["card"]) if "card" in move else None
    if where == "hand":
        if named not in world.hand:
            return False
        assert named is not None
        card = named
    else:
        there = [one for one in world.exposed if one[0] == where and one[1] == move.get("stack")]
        if not there or named not in (None, there[0][2]):
            return False
        card = there[0][2]
    owed = world.owed()
    if owed and world.options["mandatory_timing"] == "immediate" and (where, move.get("stack"), card) not in owed:
        return False
    if to == "new":
        return world.room and (world.options["wild_as_ace"] if world.wild(card) else card == 1)
    if to >= len(world.centre) or world.centre[to] >= world.last:
        return False
    top = world.centre[to]
    wild = world.wild(card) and (top != 6 or world.options["wild_as_seven"])
    natural = card == top + 1 and not world.wild(card)
    return (wild or natural) and not (top == 1 and world.starves(where, card))


def _discards(world: World, move: Json) -> bool:
    card, sides = rank(move["card"]), world.sides
    if card not in world.hand:
        return False
    if move["to"] == "new":
        return sum(map(bool, sides)) < 4 and world.lies(card, [])
    return move["to"] < len(sides) and world.lies(card, sides[move["to"]])


def _ends(world: World) -> bool:
    """Whether a turn may end without a discard."""
    if not world.options["discard_required"]:
        return True
    if not world.hand:
        return not world.drawable()
    free: list[list[int]] = [[]] if sum(map(bool, world.sides)) < 4 else []
    return not any(world.lies(card, stack) for card in world.hand for stack in (*filter(None, world.sides), *free))


def _recycles(world: World, move: Json) -> bool:
    options, source, held = world.options, world.options["recycle_source"], len(world.hand)
    if options["centre_done"] == "shuffle_now" and source == "complete_only":
        return False  # a completed stack has been shuffled in before it could be put under the stock
    ends = options["refill_at"] == "end"
    drawing = world.position["discarded"] if ends else not world.position["refilled"]
    due = 5 - held if drawing else 5 if not held else 0
    low = world.stock <= options["recycle_threshold"] or world.stock < due
    if source == "none" or not low or (move["by"] == "player" and options["recycle_by"] == "opponent"):
        return False
    if move["what"] == "complete":
        return world.complete() > 0
    return source == "complete_then_incomplete" and not world.complete() and world.position["incomplete"] > 0


def _redeals(world: World, first: str) -> bool:
    """Whether everybody was idle twice in a row, and who was idle first begins, also if it was seen late."""
    if world.options["deadlock"] != "second_chance_redeal" or world.idle < 2 * world.options["players"]:
        return False
    return bool(world.position["turns"][-world.idle]["player"] == first)


def _nobody_can(world: World) -> bool:
    """Whether the deal ends because nobody can finish it."""
    ends, idle = ("draw", "compare"), world.idle >= world.options["players"]
    if world.options["stock_out"] in ends and not world.drawable() and len(world.hand) < 5:
        return True
    if world.options["deadlock"] in ends:
        return idle
    plays_on = world.options["deadlock"] == "none" and world.options["stock_out"] not in ends
    return plays_on and not world.drawable() and idle and (not world.hand or world.options["card_names"] == "numbered")


# Before and after ----------------------------------------------------------------------------------------------------


def starts(options: Json, tops: dict[str, str], dealer: str) -> tuple[str, str]:
    """Return what the tops of the pay-off piles, or the deal, decide: who is `first`, or how to `redo` them."""
    if options["starts"] != "highest_payoff":
        order = [*tops, *tops]
        agreed = {"any": order[0], "dealer": dealer, "left_of_dealer": order[order.index(dealer) + 1]}
        return "first", agreed[options["starts"]]
    numbered = options["card_names"] == "numbered"
    wild = {
        p: (c == "X" and ("joker" in options["wild"] or numbered)) or (c[0] == "K" and "K" in options["wild"])
        for p, c in tops.items()
    }
    if any(wild.values()) and options["start_wild"] == "redraw":
        return "redo", "redraw"
    strength = {}
    for player, card in tops.items():
        value = {"high": 99, "low": -1}.get(options["start_wild"], 0) if wild[player] else rank(card)
        by_suit = options["start_tie"] == "suit" and card != "X"
        strength[player] = (value, -SUITS.index(card[-1]) if by_suit else -9 if options["start_tie"] == "suit" else 0)
    best = [player for player, one in strength.items() if one == max(strength.values())]
    if len(best) == 1:
        return "first", best[0]
    return "redo", "reshuffle" if options["start_tie"] == "suit" else options["start_tie"]


def points(options: Json, sides: dict[str, int], winner: str | None) -> dict[str, int]:
    """Return what each side scores for the pay-off cards that sides have left."""
    found = dict.fromkeys(sides, 0)
    if winner is not None:
        found[winner] = sum(sides.values()) * options["score_per_card"] + options["score_bonus"]
    elif options["stalemate_score"] == "difference":
        least = [side for side, left in sides.items() if left == min(sides.values())]
        if len(least) == 1:
            found[least[0]] = sum(left - sides[least[0]] for left in sides.values())
    return found


def winners(
    options: Json, sides: dict[str, int], winner: str | None, totals: dict[str, int], deals: int
) -> list[str] | None:
    """Return who has won a match after a deal; None while it goes on."""
    if options["match"] == "single":
        if winner is not None:
            return [winner]
        ends = (options["deadlock"], options["stock_out"])
        counts = "compare" in ends or (options["stalemate_score"] == "difference" and "draw" not in ends)
        least = [side for side, left in sides.items() if left == min(sides.values())]
        return least if counts and len(least) == 1 else []
    best = max(totals.values())
    if (options["match"] == "target" and best < options["target"]) or (
        options["match"] == "deals" and deals < options["match_deals"]
    ):
        return None
    return [side for side, total in totals.items() if total == best]
