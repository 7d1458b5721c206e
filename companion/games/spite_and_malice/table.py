"""The public state of a deal as its moves change it: every pile, the stock, the log of turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from companion.engine.cards import Card
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice.hidden import holding
from companion.games.spite_and_malice.position import (
    ACE,
    NORMAL,
    SECOND_CHANCE,
    TWO,
    Piles,
    Position,
    Turn,
    find,
    is_natural,
    is_wild,
    names,
    rank_name,
)
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.turn import can_draw


@dataclass(slots=True)
class Seat:
    """What one player has; of the hand the cards that are known, and the number of those that are not."""

    payoff_left: int
    unseen: int
    payoff: Card | None = None
    sides: list[list[Card]] = field(default_factory=list)
    known: list[Card] = field(default_factory=list)

    @property
    def hand_count(self) -> int:
        """Return the number of cards in hand."""
        return len(self.known) + self.unseen

    @property
    def hand(self) -> list[Card] | None:
        """Return the cards in hand, or None unless all of them are known."""
        return None if self.unseen else self.known

    def hold(self, cards: Sequence[Card] | None, count: int) -> None:
        """Take cards into the hand, or so many that nobody knows."""
        if cards is None or len(cards) != count:
            self.unseen += count
        else:
            self.known += cards

    def drop_hand(self) -> None:
        """Lay the whole hand away."""
        self.known, self.unseen = [], 0

    def piles(self) -> Piles:
        """Return the piles as a position has them."""
        return Piles(self.payoff, self.payoff_left, tuple(tuple(stack) for stack in self.sides))


@dataclass(slots=True, eq=False)
class Stack:
    """One centre stack: its cards, and the effective rank of the top one; None for what nobody knows."""

    cards: list[Card | None]
    top: int | None


class Table:
    """A deal in progress. Moves are applied as far as real cards allow, whether or not they were legal."""

    def __init__(self, rules: SpiteRules, players: Sequence[str]) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.player = self.players[0]
        self.seats = {player: Seat(rules.payoff_size, rules.hands_dealt) for player in players}
        self.centre: list[Stack] = []
        self.aside: list[list[Card | None]] = []
        self.stock = rules.stock_dealt
        self.refilled = self.discarded = self.acted = self.played_ace_or_two = self.over = False
        self.winners: tuple[str, ...] = ()
        self.paid: Mapping[int, int] = {}
        self.gone: list[Card] = []
        """Cards that went out of sight, under or into the stock, since somebody last looked."""
        self.turns: deque[Turn] = deque(maxlen=2 * rules.players)
        self.idle = self.second_chances = 0

    @property
    def phase(self) -> str:
        """Return whether the turn in progress is a second chance."""
        return SECOND_CHANCE if self.second_chances else NORMAL

    def partner_of(self, player: str) -> str | None:
        """Return who sits opposite in a partnership."""
        half = len(self.players) // 2
        return self.players[(self.players.index(player) + half) % len(self.players)] if half > 1 else None

    def side_of(self, player: str) -> tuple[str, ...]:
        """Return the players that go out together."""
        partner = self.partner_of(player)
        return tuple(p for p in self.players if p in (player, partner))

    def position(self, player: str | None = None) -> Position:
        """Return the table as the judge sees it before the next move, for the player who makes it."""
        player = player or self.player
        seat, partner = self.seats[player], self.partner_of(player)
        done = sum(stack.top == self.rules.top for stack in self.centre)
        return Position(
            players=self.players,
            player=player,
            own=seat.piles(),
            partner=self.seats[partner].piles() if partner else None,
            hand=None if seat.unseen else tuple(seat.known),
            hand_count=seat.hand_count,
            centre=tuple(stack.top for stack in self.centre),
            stock=self.stock,
            refilled=self.refilled,
            discarded=self.discarded,
            phase=self.phase,
            played_ace_or_two=self.played_ace_or_two,
            turns=tuple(self.turns),
            complete=done + len(self.aside),
            incomplete=len(self.centre) - done,
            payoff_tops={name: each.payoff for name, each in self.seats.items() if each.payoff},
            over=self.over,
            known=holding(seat.known) if seat.unseen else (),
            paid=self.paid,
            laid=partial(self.laid, player),
        )

    def laid(self, player: str) -> tuple[Card, ...]:
        """Return every card that is seen but those of a player's own piles and hand, and of a partner's piles."""
        partner, cards = self.partner_of(player), [*self._centre_cards()]
        for name, seat in self.seats.items():
            if name != player:
                cards += seat.known
            if name not in (player, partner):
                cards += [card for stack in seat.sides for card in stack]
        return tuple(cards)

    def total(self) -> int:
        """Return the number of all cards, which never changes."""
        held = sum(s.payoff_left + s.hand_count + sum(map(len, s.sides)) for s in self.seats.values())
        centre = sum(len(stack.cards) for stack in self.centre) + sum(map(len, self.aside))
        return held + centre + self.stock

    def visible(self) -> Iterator[Card]:
        """Yield every card whose place is known."""
        for seat in self.seats.values():
            yield from [seat.payoff] if seat.payoff else []
            yield from seat.known
            for stack in seat.sides:
                yield from stack
        yield from self._centre_cards()

    def _centre_cards(self) -> Iterator[Card]:
        for cards in (*(pile.cards for pile in self.centre), *self.aside):
            yield from (card for card in cards if card is not None)

    def play(self, move: n.Play, turned: Card | None) -> bool:
        """Play a card to the centre. Return False if that cannot have happened."""
        if isinstance(move.to, n.OntoSide) or not self._can_take(move):
            return False
        taken = self._take(move, turned)
        if move.to == n.NEW:
            stack = Stack([], 0)
            self.centre.append(stack)
        else:
            stack = self.centre[int(move.to)]
        stack.cards.append(taken)
        completes = stack.top == self.rules.top - 1
        stack.top = self._top_after(stack.top, taken)
        self.refilled = self.acted = True
        natural = is_natural(self.rules, taken, ACE) or is_natural(self.rules, taken, TWO)
        self.played_ace_or_two |= natural and move.source == n.HAND
        if stack.top == self.rules.top or (taken is None and completes):
            self._settle_completed(stack)
        return True

    def discard(self, move: n.Discard) -> bool:
        """Discard onto an own side stack and end the turn. Return False if that cannot have happened."""
        seat = self.seats[self.player]
        if move.card is None or move.source != n.HAND or move.owner != "own":
            return False
        free = next((place for place, stack in enumerate(seat.sides) if not stack), None)
        place = move.to if isinstance(move.to, int) else free if free is not None else len(seat.sides)
        if place > len(seat.sides) or (place == len(seat.sides) and move.to != n.NEW) or not self._in_hand(move.card):
            return False
        self._from_hand(move.card)
        if place == len(seat.sides):
            seat.sides.append([])
        seat.sides[place].append(move.card)
        self.refilled = self.acted = self.discarded = True
        again = self.rules.after_last_discard == "refill_and_replay" and seat.hand_count == 0
        if not (again and can_draw(self.rules, self.position())):
            self.end_turn()
        return True

    def refill(self, count: int, cards: Sequence[Card] | None) -> bool:
        """Draw cards from the stock. Return False if it has fewer."""
        seat = self.seats[self.player]
        if not 0 < count <= self.stock or seat.hand_count + count > 2 * HAND_SIZE:
            return False
        seat.hold(cards, count)
        self.stock -= count
        self.refilled, self.discarded = True, False
        return True

    def end_turn(self) -> None:
        """Log the turn and pass it to the next player."""
        self.turns.append(Turn(self.player, self.acted))
        self.idle = 0 if self.acted else self.idle + 1
        if self.second_chances:
            self.second_chances -= 1
        elif self.idle >= len(self.players) and self.rules.deadlock == "second_chance_redeal":
            self.second_chances = len(self.players)
        self.give_turn(self.players[(self.players.index(self.player) + 1) % len(self.players)])

    def break_order(self, player: str) -> None:
        """Begin a turn of a player who was not next: nothing of what came before counts as a row of turns."""
        self.turns.clear()
        self.idle = self.second_chances = 0
        self.give_turn(player)

    def give_turn(self, player: str) -> None:
        """Begin a turn of this player."""
        self.player = player
        self.refilled = self.discarded = self.acted = self.played_ace_or_two = False

    def recycle(self, what: str) -> bool:
        """Put completed stacks, or all others, under the stock. Return False if there are none."""
        chosen = [stack for stack in self.centre if (stack.top == self.rules.top) == (what == "complete")]
        aside = self.aside if what == "complete" else []
        cards = sum(len(stack.cards) for stack in chosen) + sum(map(len, aside))
        self.stock += cards
        self.gone += [card for pile in (*(stack.cards for stack in chosen), *aside) for card in pile if card]
        self.centre = [stack for stack in self.centre if stack not in chosen]
        if aside:
            self.aside = []
        return cards > 0

    def redeal(self, first: str, hands: Mapping[str, list[Card]]) -> None:
        """Deal again everything but the pay-off piles."""
        total = self.total()
        self.gone += self._centre_cards()
        self.centre, self.aside = [], []
        for player, seat in self.seats.items():
            self.gone += [*seat.known, *(card for stack in seat.sides for card in stack)]
            seat.sides = []
            seat.drop_hand()
            seat.hold(hands.get(player), HAND_SIZE)
        self.stock = 0
        self.stock = total - self.total()
        self.turns.clear()
        self.idle = self.second_chances = 0
        self.give_turn(first)

    def shown(self) -> dict[str, object]:
        """Return what everybody sees after a move."""
        return {
            "player": self.player,
            "phase": self.phase,
            "centre_stacks": [_top_name(self.rules, stack.top) for stack in self.centre],
            "set_aside": len(self.aside),
            "stock": self.stock,
            "piles": self.piles(),
            "over": self.over,
        }

    def as_position(self) -> dict[str, object]:
        """Return the table in the shape of a position of the API."""
        position, seat = self.position(), self.seats[self.player]
        shown: dict[str, object] = {"players": list(self.players), "player": self.player, **_pile_json(seat)}
        shown |= {"hand_count": seat.hand_count} if seat.hand is None else {"hand": names(seat.hand)}
        partner = self.partner_of(self.player)
        return shown | {
            "centre_stacks": [_top_name(self.rules, stack.top) for stack in self.centre],
            "stock": self.stock,
            "set_aside": len(self.aside),
            "complete": (position.complete or 0) - len(self.aside),
            "incomplete": position.incomplete,
            "refilled": self.refilled,
            "discarded": self.discarded,
            "phase": self.phase,
            "played_ace_or_two": self.played_ace_or_two,
            "turns": [{"player": turn.player, "acted": turn.acted} for turn in self.turns],
            "over": self.over,
            **({"partner": _pile_json(self.seats[partner])} if partner else {}),
        }

    def piles(self) -> dict[str, object]:
        """Return everybody's piles and number of cards in hand."""
        return {player: {**_pile_json(seat), "hand_count": seat.hand_count} for player, seat in self.seats.items()}

    def _can_take(self, move: n.Play) -> bool:
        """Return whether the source of a play has a card to take, and its target is there."""
        if (isinstance(move.to, int) and move.to >= len(self.centre)) or move.depth:
            return False
        if move.source == n.HAND:
            return move.card is not None and self._in_hand(move.card)
        owner = self.owner(move.source)
        if owner is None:
            return False
        seat = self.seats[owner]
        if move.source in (n.PAYOFF, n.PARTNER_PAYOFF):
            return seat.payoff_left > 0
        return move.stack is not None and move.stack < len(seat.sides) and bool(seat.sides[move.stack])

    def owner(self, source: str) -> str | None:
        """Return whose pile or hand a source is, for the player in turn; None for a source nobody may use."""
        if source in (n.HAND, n.PAYOFF, n.SIDE):
            return self.player
        return self.partner_of(self.player) if source in (n.PARTNER_PAYOFF, n.PARTNER_SIDE) else None

    def _take(self, move: n.Play, turned: Card | None) -> Card | None:
        """Take the card of a play from its source. Return it, or None if nobody knows which it was."""
        owner = self.owner(move.source) or self.player
        seat = self.seats[owner]
        if move.source == n.HAND:
            return self._from_hand(move.card)
        if move.source in (n.PAYOFF, n.PARTNER_PAYOFF):
            return self._from_payoff(owner, seat, move.card, turned)
        return seat.sides[move.stack or 0].pop()

    def _top_after(self, top: int | None, card: Card | None) -> int | None:
        """Return the effective top of a stack after a card; a wild card on an unknown top is unknown, too."""
        if card is None:
            return None
        if not is_wild(self.rules, card):
            return card.pips or top
        return None if top is None else min(top + 1, self.rules.top)

    def _in_hand(self, card: Card) -> bool:
        seat = self.seats[self.player]
        return seat.unseen > 0 or find(seat.known, card) is not None

    def _from_hand(self, card: Card | None) -> Card | None:
        seat = self.seats[self.player]
        place = None if card is None else find(seat.known, card)
        if place is None:
            seat.unseen -= 1
        else:
            del seat.known[place]
        return card

    def _from_payoff(self, owner: str, seat: Seat, named: Card | None, turned: Card | None) -> Card | None:
        taken = seat.payoff or named
        if taken is not None:
            self.paid = {**self.paid, taken.pips: self.paid.get(taken.pips, 0) + 1}
        seat.payoff_left -= 1
        seat.payoff = turned if seat.payoff_left else None
        side = self.side_of(owner)
        if all(self.seats[player].payoff_left == 0 for player in side):
            self.over, self.winners = True, side
        return taken

    def _settle_completed(self, stack: Stack) -> None:
        if self.rules.centre_done == "stay":
            return
        self.centre.remove(stack)
        if self.rules.centre_done == "set_aside":
            self.aside.append(stack.cards)
        else:
            self.stock += len(stack.cards)
            self.gone += [card for card in stack.cards if card]


def _pile_json(seat: Seat) -> dict[str, object]:
    top = {} if seat.payoff is None else {"payoff": str(seat.payoff)}
    return {**top, "payoff_left": seat.payoff_left, "side_stacks": [names(stack) for stack in seat.sides]}


def _top_name(rules: SpiteRules, top: int | None) -> str:
    """Return the top of a centre stack as a position has it; a wild card stands for an unknown rank."""
    if top is not None:
        return rank_name(top)
    return "X" if "joker" in rules.wild else "K"
