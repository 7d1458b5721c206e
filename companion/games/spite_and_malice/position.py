"""Cards as this game sees them, and a snapshot of the table as somebody describes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.engine.cards import RANKS, Card
from companion.engine.verdict import Claim
from companion.games.spite_and_malice.rules import SpiteRules

JOKER: Final = "X"
JOKERS: Final = (JOKER,)
ACE: Final = 1
TWO: Final = 2


def is_wild(rules: SpiteRules, card: Card) -> bool:
    """Return whether the card stands for any rank (SNM-060, 202)."""
    return (card.rank == JOKER and "joker" in rules.wild) or (card.rank == "K" and "K" in rules.wild)


def is_natural(rules: SpiteRules, card: Card | None, rank: int) -> bool:
    """Return whether the card is known and is this rank by itself, not as a wild card."""
    return card is not None and card.pips == rank and not is_wild(rules, card)


def in_pack(rules: SpiteRules, card: Card) -> bool:
    """Return whether such a card is among the packs in use."""
    return card.rank != JOKER or rules.jokers > 0


def copies(rules: SpiteRules, card: Card) -> int:
    """Return how many cards in the packs could be this one; four times as many if its suit is unknown."""
    if card.rank == JOKER:
        return rules.jokers
    return rules.packs if card.suit else 4 * rules.packs


def rank_name(rank: int) -> str:
    """Return the name of a rank, 1 to 13: `A`, `10`, `K`."""
    return RANKS[rank - 1]


def matches(card: Card, named: Card) -> bool:
    """Return whether a card can be the one that was named; an unknown suit fits every suit."""
    return card.rank == named.rank and (not card.suit or not named.suit or card.suit == named.suit)


def find(cards: Sequence[Card], named: Card) -> int | None:
    """Return the index of a named card among cards, an exact match first, or None."""
    if named in cards:
        return cards.index(named)
    return next((place for place, card in enumerate(cards) if matches(card, named)), None)


def names(cards: Sequence[Card]) -> list[str]:
    """Return cards as JSON has them."""
    return [card.rank + card.suit for card in cards]


# The position --------------------------------------------------------------------------------------------------------


NORMAL, SECOND_CHANCE = "normal", "second_chance"
PHASES = (NORMAL, SECOND_CHANCE)
MOST = 200
"""More cards than any pile of a position can hold."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished turn of the log: who, and whether a card went to the centre or was discarded."""

    player: str
    acted: bool


@dataclass(frozen=True, slots=True)
class Piles:
    """The piles in front of one player; None stands for what is unknown."""

    payoff: Card | None = None
    payoff_left: int | None = None
    sides: tuple[tuple[Card, ...], ...] | None = None

    @property
    def out(self) -> bool:
        """Return whether the pay-off pile is known to be empty."""
        return self.payoff_left == 0

    def side_tops(self) -> Iterator[tuple[int, Card]]:
        """Yield place and top card of every side stack that is known."""
        for place, stack in enumerate(self.sides or ()):
            if stack:
                yield place, stack[-1]


UNKNOWN = Piles()


@dataclass(frozen=True, slots=True)
class Position:
    """The table before one move; None stands for what is unknown; an unknown stock is plenty."""

    players: tuple[str, ...]
    player: str
    own: Piles = UNKNOWN
    partner: Piles | None = None
    hand: tuple[Card, ...] | None = None
    hand_count: int | None = None
    centre: tuple[int | None, ...] | None = None
    """The effective rank of each centre stack's top, 1 to 13; None if a wild card's rank is unknown."""
    stock: int | None = None
    refilled: bool = True
    discarded: bool = False
    phase: str = NORMAL
    played_ace_or_two: bool = False
    turns: tuple[Turn, ...] | None = None
    complete: int | None = None
    """Completed stacks that are still in the centre."""
    set_aside: int | None = None
    incomplete: int | None = None
    payoff_tops: Mapping[str, Card] = field(default_factory=dict)
    over: bool = False
    known: tuple[Claim, ...] = ()
    """What else is known of hidden cards, such as cards that the hand is known to hold."""
    assumed: tuple[int, ...] = ()
    """Ranks that wild cards in the centre are taken to stand for; nothing else shows these tops."""
    laid: Callable[[], Sequence[Card]] | None = None
    """Returns every other card that is seen, centre stacks whole; None where of these only the tops are known."""
    paid: Mapping[int, int] = field(default_factory=dict)
    """How many cards of each rank have been played from pay-off piles, as far as that is known."""

    @property
    def partner_name(self) -> str | None:
        """Return who sits opposite in a partnership."""
        half = len(self.players) // 2
        return self.players[(self.players.index(self.player) + half) % len(self.players)] if half > 1 else None

    def piles_at(self, source: str) -> Piles:
        """Return the piles that a source belongs to: the mover's own, or those of a partner."""
        return self.own if source in (PAYOFF, SIDE) else self.partner or UNKNOWN

    @property
    def held(self) -> int | None:
        """Return the number of cards in hand, or None if unknown."""
        return len(self.hand) if self.hand is not None else self.hand_count

    @property
    def next_player(self) -> str:
        """Return who plays after this turn, clockwise."""
        return self.players[(self.players.index(self.player) + 1) % len(self.players)]

    def aces_showing(self) -> tuple[int, int]:
        """Return the least and the most aces that can be on top of centre stacks, wild cards used as aces included."""
        if self.centre is None:
            return 0, MOST
        sure = sum(top == ACE for top in self.centre)
        return sure, sure + sum(top is None for top in self.centre)


def phase_after(rules: SpiteRules, turns: tuple[Turn, ...]) -> str:
    """Return whether the next turn is a second chance, after the turns played so far (SNM-071, 073)."""
    if rules.deadlock != "second_chance_redeal":
        return NORMAL
    idle = left = 0
    for turn in turns:
        idle = 0 if turn.acted else idle + 1
        if left:
            left -= 1
        elif idle >= rules.players:
            left = rules.players
    return SECOND_CHANCE if left else NORMAL


def idle_run(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the idle turns in a row at the end of the log."""
    run: list[Turn] = []
    for turn in reversed(turns):
        if turn.acted:
            break
        run.append(turn)
    return tuple(reversed(run))


HAND, PAYOFF, SIDE = "hand", "payoff", "side"
PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND = "partner_payoff", "partner_side", "partner_hand"
SOURCES: Final = (
    HAND, PAYOFF, SIDE, PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND,
    "opponent_payoff", "opponent_side", "opponent_hand", "centre", "stock",
)  # fmt: skip
PAYOFF_SOURCES: Final = (PAYOFF, PARTNER_PAYOFF)
SIDE_SOURCES: Final = (SIDE, PARTNER_SIDE)
NEW: Final = "new"
FAR: Final = 1_000_000


def place_of(source: str) -> str:
    """Return the fact that shows what can be taken from a source; hidden places have the same names."""
    return f"{source}_stacks" if source in SIDE_SOURCES else source


Place = int | str
"""A stack by its place in the list, or `new`."""


@dataclass(frozen=True, slots=True)
class OntoSide:
    """A target that only discards have: a side stack of one's own."""

    side: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the centre; `depth` counts the cards that lie on it in its stack."""

    source: str
    to: Place | OntoSide
    card: Card | None = None
    stack: int | None = None
    depth: int = 0
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A card onto a side stack, which ends the turn."""

    to: Place
    card: Card | None = None
    source: str = HAND
    owner: str = "own"
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Refill:
    """Cards drawn from the stock."""

    count: int
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The spoken end of a turn."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Complete:
    """A completed centre stack, and what is done with it."""

    stack: int
    done: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Recycle:
    """Centre stacks shuffled and put under the stock."""

    what: str
    by: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class SecondChance:
    """The announcement that everybody gets one further turn."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Redeal:
    """All cards but the pay-off piles dealt again; who plays first then."""

    first: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Who plays first, or how the pay-off tops are turned up anew."""

    first: str | None = None
    redo: str | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class DealCheck:
    """Counts after the deal: the stock, and by player the pay-off pile, the hand, the cards in side stacks."""

    stock: int | None
    payoffs: Mapping[str, int]
    hands: Mapping[str, int]
    sides: Mapping[str, int]
    centre: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """`I am out`."""

    seat: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimStalemate:
    """Nobody can finish the deal."""

    seat: str | None = None


Move = (
    Play | Discard | Refill | EndTurn | Complete | Recycle | SecondChance | Redeal | Start | DealCheck | ClaimWin
    | ClaimStalemate
)  # fmt: skip


def plain(move: Move) -> dict[str, object]:
    """A play, a discard or another move of a turn in the shape of the API."""
    match move:
        case Play(source, to, card, stack, _, _):
            target = {"side": to.side} if isinstance(to, OntoSide) else to
            named = {} if card is None else {"card": str(card)}
            pile = {} if stack is None else {"stack": stack}
            return {"type": "play", "from": source, **named, **pile, "to": target}
        case Discard(to, card, _, _, _):
            return {"type": "discard", "card": str(card), "to": to}
        case Refill(count, _):
            return {"type": "refill", "count": count}
        case Recycle(what, by, _):
            return {"type": "recycle", "what": what, "by": by}
        case Redeal(first, _):
            return {"type": "redeal", "first": first}
        case ClaimWin():
            return {"type": "claim_win"}
        case ClaimStalemate():
            return {"type": "claim_stalemate"}
        case EndTurn():
            return {"type": "end_turn"}
        case _:
            raise TypeError(move)
