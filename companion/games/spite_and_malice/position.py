"""Cards as this game sees them, a snapshot of the table as somebody describes it, and the moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, ClassVar, Final, Unpack

from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import RANKS, Card
from companion.engine.problems import Node, Problem
from companion.engine.verdict import Claim
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.rules import SIDE_PLACES, SpiteRules

JOKER: Final = "X"
WILD: Final = "W"
_NUMBERS: Final = ("1", "11", "12", WILD, "SB")
_AS_NUMBER: Final = {"A": "1", "J": "11", "Q": "12", "K": WILD, JOKER: WILD, "SB": WILD}
"""What cards of ordinary packs, and `SB`, are among cards with numbers (SKB-012)."""
ACE: Final = 1
TWO: Final = 2


def is_wild(rules: SpiteRules, card: Card) -> bool:
    """Return whether the card stands for any rank (SNM-060, 202)."""
    return card.rank == WILD or ("joker" if card.rank == JOKER else card.rank) in rules.wild


def is_natural(rules: SpiteRules, card: Card | None, rank: int) -> bool:
    """Return whether the card is known and is this rank by itself, not as a wild card."""
    return card is not None and card.pips == rank and not is_wild(rules, card)


def in_pack(rules: SpiteRules, card: Card) -> bool:
    """Return whether such a card is among the packs in use."""
    return card.rank != JOKER or rules.jokers > 0


def jokers_in(rules: SpiteRules) -> tuple[str, ...]:
    """Return the cards beside the thirteen ranks that can be named: jokers, or cards with numbers and wild ones."""
    return (*_NUMBERS, JOKER) if rules.numbered else (JOKER,)


def as_named(rules: SpiteRules, card: Card) -> Card:
    """Return a card as the table writes it: cards with numbers have no suit (SKB-012)."""
    return Card(_AS_NUMBER.get(card.rank, card.rank)) if rules.numbered else card


def copies(rules: SpiteRules, card: Card) -> int:
    """Return how many cards in the packs could be this one; four times as many if its suit is unknown."""
    if not card.pips:
        return rules.unranked
    return rules.packs if card.suit else 4 * rules.packs


def rank_name(rules: SpiteRules, rank: int) -> str:
    """Return the name of a rank, 1 to 13: `A`, `10`, `K`; of cards with numbers the number, of wild ones 0."""
    if not rank:
        return WILD if rules.numbered else JOKER
    return str(rank) if rules.numbered else RANKS[rank - 1]


def wild_card(rules: SpiteRules) -> Card:
    """Return a card that is wild here, if any is."""
    return Card(WILD if rules.numbered else JOKER if "joker" in rules.wild else "K")


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
_MOST = 270
"""More cards than any pile of a position can hold."""
_MOST_SIDES: Final = 2 * SIDE_PLACES
"""More side stacks than anybody starts, one too many by mistake among them (IRR-M1)."""
MOST_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True)
class Players:
    """The rules, and who plays in order as far as that can be read: what positions and moves are read against."""

    rules: SpiteRules
    seats: tuple[str, ...]

    def check(self, players: tuple[str, ...], key: str) -> Iterator[Problem]:
        """Yield a problem unless there are as many different players as the rules say."""
        if len(players) != self.rules.players or len(set(players)) != len(players) or "" in players:
            article = players_article(self.rules).id
            facts = {"expected": self.rules.players, "count": len(set(players) - {""})}
            yield Problem((key,), "seats-count", facts, article)


def players_article(rules: SpiteRules) -> Article:
    """Return the article on who plays against whom."""
    return a.PARTNERS if rules.paired else a.PLAYERS if rules.players == 2 else a.ALONE


def players_in(rules: SpiteRules, node: Node) -> Players:
    """Return the players that a list names, as far as it can be read, so that all problems are found in one pass."""
    value = node.value
    return Players(rules, tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ())


class _TableCard(s.CardField):
    """A card that the table's packs can hold; cards with numbers are also read as the ordinary ones that they are."""

    def take(self, value: s.Json, context: Players) -> Card:
        card = super().take(value, context)
        if card.rank in _NUMBERS and not context.rules.numbered:
            raise s.fault("card", contextual=True, value=value)
        return as_named(context.rules, card)


def a_card(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.CardField:
    """Declare a card of which the suit may be left out."""
    return _TableCard(describe, jokers=(JOKER, *_NUMBERS), bare_ranks=True, **common)


def some_cards(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    """Declare a list of cards."""
    return s.ListOf(a_card(), describe, most=_MOST, **common)


def some_stacks(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[tuple[Card, ...]]:
    """Declare the side stacks of a player."""
    return s.ListOf(some_cards(), describe, most=_MOST_SIDES, **common)


def by_player(value: s.Field[s.Json], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Keyed[s.Json]:
    """Declare an object with a value for each player."""
    return s.Keyed(value, describe, keys=lambda players: players.seats, code="unknown-seat", **common)


def _card_count(describe: str, **common: Unpack[s.FieldOptions]) -> s.Count:
    common["unit"] = "cards"
    return s.Count(describe, high=_MOST, **common)


def _stack_place(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Integer:
    return s.Integer(describe, low=0, high=FAR, **common)


def _any_count(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Integer:
    return s.Integer(describe, low=-FAR, high=FAR, **common)


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished turn: who, and whether a card went to the centre or was discarded."""

    player: Annotated[str, s.Seat()]
    acted: Annotated[bool, s.Flag()]


@dataclass(frozen=True, slots=True)
class Piles:
    """What lies in front of one player."""

    payoff: Annotated[Card | None, a_card("The top of the pay-off pile.")] = None
    payoff_left: Annotated[int | None, _card_count("How many cards the pay-off pile has, the top among them.")] = None
    sides: Annotated[
        tuple[tuple[Card, ...], ...] | None,
        some_stacks("The side stacks, each from the bottom to the top; empty ones too.", key="side_stacks"),
    ] = None

    shape_name: ClassVar = "PilesShape"

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield a top of an empty pile."""
        if data.get("payoff_left") == 0 and data.get("payoff") is not None:
            yield Problem(("payoff_left",), "payoff-empty", {"card": str(data["payoff"])}, a.PAYOFF_TOP.id)

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
    """The table before one move. What is left out is not known; an unknown stock is plenty."""

    players: Annotated[tuple[str, ...], s.ListOf(s.Name(), "Who plays, clockwise.", least=1, most=MOST_PLAYERS)]
    player: Annotated[str, s.Seat("Who is to move.")]
    own: Piles = UNKNOWN
    partner: Annotated[Piles | None, s.object_of(Piles, "What lies in front of the partner.")] = None
    hand: Annotated[tuple[Card, ...] | None, some_cards("The mover's hand.")] = None
    hand_count: Annotated[int | None, _card_count("How many cards the mover holds, where the hand is not known.")] = (
        None
    )
    centre: tuple[int | None, ...] | None = None
    """The effective rank of each centre stack's top, 1 to 13; None if a wild card's rank is unknown."""
    stock: Annotated[int | None, _card_count("How many cards the stock has.")] = None
    refilled: Annotated[
        bool, s.Flag("Whether the mover has drawn for this turn, and the stock had enough for that.")
    ] = True
    discarded: Annotated[bool, s.Flag("Whether the mover has discarded.")] = False
    phase: Annotated[str, s.Word(PHASES, "Without it as the turns say.", optional=True)] = NORMAL
    played_ace_or_two: Annotated[bool, s.Flag("Whether the mover played an ace or a two in this turn.")] = False
    turns: Annotated[tuple[Turn, ...] | None, s.ListOf(s.object_of(Turn), "The turns so far.")] = None
    complete: Annotated[
        int | None, _card_count("Completed centre stacks; without `set_aside` those set aside, too.")
    ] = None
    set_aside: Annotated[int | None, _card_count("Completed stacks that were set aside.")] = None
    incomplete: Annotated[int | None, _card_count("Centre stacks that are not complete.")] = None
    payoff_tops: Annotated[
        Mapping[str, Card],
        by_player(
            a_card(nullable=True),
            "The tops of all pay-off piles, before the first turn; null for who is out of it after a tie.",
        ),
    ] = field(default_factory=dict)
    over: Annotated[bool, s.Flag("Whether somebody has gone out.")] = False
    dealer: Annotated[str | None, s.Seat("Who dealt, where that decides who starts.")] = None
    partner_name: str | None = None
    """Who sits opposite in a partnership."""
    contenders: tuple[str, ...] = ()
    """Who still compares pay-off tops after a tie; empty for all players."""
    known: tuple[Claim, ...] = ()
    """What else is known of hidden cards, such as cards that the hand is known to hold."""
    assumed: tuple[int, ...] = ()
    """Ranks that wild cards in the centre are taken to stand for; nothing else shows these tops."""
    laid: Callable[[], Sequence[Card]] | None = None
    """Returns every other card that is seen, centre stacks whole; None where of these only the tops are known."""
    paid: Mapping[int, int] = field(default_factory=dict)
    """How many cards of each rank have been played from pay-off piles, as far as that is known."""

    checks_parts: ClassVar = True
    shape_name: ClassVar = "PositionShape"
    read_keys: ClassVar = {
        "payoff": a_card("The top of the mover's pay-off pile.", optional=True),
        "payoff_left": _card_count("How many cards that pile has.", optional=True),
        "side_stacks": some_stacks("The mover's side stacks, each from the bottom to the top.", optional=True),
        "centre_stacks": some_cards("The top of each centre stack; a wild card is of unknown rank.", optional=True),
    }

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield another number of players than the rules say, and a top of an empty pile."""
        if "players" in data:
            yield from players.check(data["players"], "players")
        yield from Piles.check_read(data, players)

    @staticmethod
    def build_read(data: s.Attributes, players: Players) -> Position:
        """Return the position; without a phase it is that after the turns."""
        own = Piles(data.pop("payoff"), data.pop("payoff_left"), data.pop("side_stacks"))
        centre = data.pop("centre_stacks")
        tops = None if centre is None else tuple(_effective(players.rules, top) for top in centre)
        if not players.rules.paired:
            data["partner"] = None
        data["refilled"] |= players.rules.refill_at == "end"
        data["phase"] = data["phase"] or phase_after(players.rules, data["turns"] or ())
        compared = data.get("payoff_tops", {})
        if None in compared.values():
            data["contenders"] = tuple(player for player in data["players"] if compared.get(player, "") is not None)
            data["payoff_tops"] = {player: top for player, top in compared.items() if top is not None}
        partner = partner_in(players.rules, data["players"], data["player"])
        return Position(own=own, centre=tops, partner_name=partner, **data)

    def sources(self, *, partner: bool) -> Iterator[tuple[Piles, str, str]]:
        """Yield the mover's piles, and those of a partner, each with the names of its two sources."""
        yield self.own, PAYOFF, SIDE
        if partner:
            yield self.partner or UNKNOWN, PARTNER_PAYOFF, PARTNER_SIDE

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
        return after(self.players, self.player)

    def aces_showing(self) -> tuple[int, int]:
        """Return the least and the most aces that can be on top of centre stacks, wild cards used as aces included."""
        if self.centre is None:
            return 0, _MOST
        sure = sum(top == ACE for top in self.centre)
        return sure, sure + sum(top is None for top in self.centre)


def after(players: Sequence[str], player: str) -> str:
    """Return who sits on the left of a player."""
    return players[(players.index(player) + 1) % len(players)]


def partner_in(rules: SpiteRules, players: Sequence[str], player: str) -> str | None:
    """Return who sits opposite in a partnership; who plays alone has no partner."""
    half = len(players) // 2
    return players[(players.index(player) + half) % len(players)] if rules.paired else None


def _effective(rules: SpiteRules, top: Card) -> int | None:
    """Return the rank of a centre stack's top; None where a wild card's rank is not known."""
    return None if is_wild(rules, top) or not top.pips else top.pips


def phase_after(rules: SpiteRules, turns: tuple[Turn, ...]) -> str:
    """Return whether the next turn is a second chance, after the turns played so far (SNM-071, 073)."""
    idle = left = 0
    for turn in turns:
        idle = 0 if turn.acted else idle % (2 * rules.players) + 1  # after a redeal they are counted anew
        if left:
            left -= 1
        elif begins_second_chance(rules, idle):
            left = rules.players
    return SECOND_CHANCE if left else NORMAL


def begins_second_chance(rules: SpiteRules, idle: int) -> bool:
    """Return whether a second chance begins after so many idle turns; after twice as many a redeal is due (SNM-074)."""
    return rules.redealt and rules.players <= idle < 2 * rules.players


def idle_run(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the idle turns in a row at the end of the log."""
    run: list[Turn] = []
    for turn in reversed(turns):
        if turn.acted:
            break
        run.append(turn)
    return tuple(reversed(run))


HAND, PAYOFF, SIDE = "hand", "payoff", "side"
OPPONENT_PAYOFF, OPPONENT_SIDE = "opponent_payoff", "opponent_side"
PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND = "partner_payoff", "partner_side", "partner_hand"
_SOURCES: Final = (
    HAND, PAYOFF, SIDE, PARTNER_PAYOFF, PARTNER_SIDE, PARTNER_HAND,
    OPPONENT_PAYOFF, OPPONENT_SIDE, "opponent_hand", "centre", "stock",
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
    """A side stack of one's own, which only discards may go to."""

    side: Annotated[int, _stack_place("Its place.")]

    shape_name: ClassVar = "OntoSideShape"


@dataclass(frozen=True, slots=True)
class _Move:
    seat: Annotated[str | None, s.Seat("Who does it, where that could be another than who is to move.")] = field(
        default=None, kw_only=True
    )

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield a card of the hand that is not named."""
        if data.get("source") == HAND and data["card"] is None:
            yield Problem(("card",), "required", contextual=True)


@dataclass(frozen=True, slots=True)
class Play(_Move):
    """A card to the centre."""

    source: Annotated[str, s.Word(_SOURCES, "Where it comes from.", key="from")]
    to: Annotated[
        Place | OntoSide,
        s.Either(
            s.Word((NEW,)), s.object_of(OntoSide), _stack_place(),
            describe="The place of the centre stack, or `new`.",
        ),
    ]  # fmt: skip
    card: Annotated[Card | None, a_card("The card; it may be left out where only one can be meant.")] = None
    stack: Annotated[int | None, _stack_place("Which side stack it comes from.")] = None
    depth: Annotated[int, s.Count("How many cards lie on it in that stack.", high=_MOST)] = 0

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield a card of the hand that is not named, and a side stack that is not."""
        yield from _Move.check_read(data, players)
        if data["source"] in SIDE_SOURCES and data["stack"] is None:
            yield Problem(("stack",), "required", contextual=True)


@dataclass(frozen=True, slots=True)
class Discard(_Move):
    """A card onto a side stack, which ends the turn."""

    to: Annotated[Place, s.Either(s.Word((NEW,)), _stack_place(), describe="The place of the side stack, or `new`.")]
    card: Annotated[Card | None, a_card("The card.")] = None
    source: Annotated[str, s.Word(_SOURCES, "Where it comes from.", key="from")] = HAND
    owner: Annotated[str, s.Word(("own", "partner", "opponent"), "Whose side stack it goes to.")] = "own"


@dataclass(frozen=True, slots=True)
class Refill(_Move):
    """Cards drawn from the stock."""

    count: Annotated[int, _any_count("How many.", unit="cards")]


@dataclass(frozen=True, slots=True)
class EndTurn(_Move):
    """The spoken end of a turn."""


@dataclass(frozen=True, slots=True)
class Complete(_Move):
    """A completed centre stack, and what is done with it."""

    stack: Annotated[int, _stack_place("Its place.")]
    done: Annotated[str, s.Word(("stay", "set_aside", "shuffle_now"), "What is done with it.", key="do")]


@dataclass(frozen=True, slots=True)
class Recycle(_Move):
    """Centre stacks shuffled and put under the stock."""

    what: Annotated[str, s.Word(("complete", "incomplete"), "Which stacks.")]
    by: Annotated[str, s.Word(("opponent", "player"), "Who shuffles them.")]


@dataclass(frozen=True, slots=True)
class SecondChance(_Move):
    """The announcement that everybody gets one further turn."""


@dataclass(frozen=True, slots=True)
class Redeal(_Move):
    """All cards but the pay-off piles dealt again."""

    first: Annotated[str, s.Seat("Who plays first then.")]


@dataclass(frozen=True, slots=True)
class Start(_Move):
    """Who plays first, or how the tops of the pay-off piles are turned up anew."""

    first: Annotated[str | None, s.Seat("Who plays first.")] = None
    redo: Annotated[str | None, s.Word(("reshuffle", "bury", "redraw"), "How the tops are turned up anew.")] = None

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield a move that says both or neither."""
        if (data["first"] is None) == (data["redo"] is None):
            yield Problem(("first",), "first-or-redo")


_Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DealCheck(_Move):
    """Counts after the deal."""

    stock: Annotated[int | None, _any_count("Cards of the stock.", unit="cards")] = None
    payoffs: Annotated[_Counts, by_player(_any_count(unit="cards"), "Cards of the pay-off piles.", absent=True)] = (
        field(default_factory=dict)
    )
    hands: Annotated[_Counts, by_player(_any_count(unit="cards"), "Cards of the hands.", absent=True)] = field(
        default_factory=dict
    )
    sides: Annotated[
        _Counts, by_player(_any_count(unit="cards"), "Cards in side stacks.", absent=True, key="side_stacks")
    ] = field(default_factory=dict)
    centre: Annotated[int | None, _any_count("Centre stacks.", key="centre_stacks")] = None

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield a check that counts nothing."""
        given = [key for key in ("payoffs", "hands", "sides") if key in data]
        if not given and data["stock"] is None and data["centre"] is None:
            yield Problem(("stock",), "required", contextual=True)


@dataclass(frozen=True, slots=True)
class ClaimWin(_Move):
    """`I am out`."""


@dataclass(frozen=True, slots=True)
class ClaimStalemate(_Move):
    """The claim that nobody can finish the deal."""


Move = (
    Play | Discard | Refill | EndTurn | Complete | Recycle | SecondChance | Redeal | Start | DealCheck | ClaimWin
    | ClaimStalemate
)  # fmt: skip
MOVES: Final[Mapping[str, type[Move]]] = {
    "play": Play, "discard": Discard, "refill": Refill, "end_turn": EndTurn, "complete": Complete, "recycle": Recycle,
    "second_chance": SecondChance, "redeal": Redeal, "start": Start, "deal": DealCheck, "claim_win": ClaimWin,
    "claim_stalemate": ClaimStalemate,
}  # fmt: skip
IN_TURN: Final = (Play, Discard, Refill, EndTurn)
MOVE: Final[s.Variants[Move]] = s.one_of(MOVES, suffix="Move")


def plain(move: Move) -> dict[str, object]:
    """Return a move in the shape of the API, without what is left out or is as usual."""
    shown: dict[str, object] = {"type": next(word for word, kind in MOVES.items() if isinstance(move, kind))}
    for each in fields(move):
        value = getattr(move, each.name)
        if value not in (None, each.default):
            plain_value = {"side": value.side} if isinstance(value, OntoSide) else value
            shown[_KEYS.get(each.name, each.name)] = str(value) if isinstance(value, Card) else plain_value
    return shown


_KEYS: Final = {"source": "from", "done": "do"}
