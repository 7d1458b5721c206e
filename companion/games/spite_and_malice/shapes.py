"""What is asked about Spite and Malice and what is answered: records, requests, answers, moves as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, cast

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import FACT, AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.engine.problems import Node, Problem
from companion.engine.shapes import LIMITS, SIZE, TEXT, TEXTS, VALUE, FactTypes
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.hidden import contradictions
from companion.games.spite_and_malice.position import PHASES, Players, Position
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.score import DEAL

_PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "duplicate-card": {"card": TEXT},
    "first-or-redo": {},
    "hand-count": {"player": TEXT, **SIZE},
    "payoff-empty": {"card": TEXT},
    "players-count": SIZE,
    "remaining-players": {"expected": TEXTS, "given": TEXTS},
    "remaining-range": {"player?": TEXT, **VALUE, **LIMITS},
    "side-start-count": {"player": TEXT, **SIZE},
    "sides-count": SIZE,
}


def read_position(rules: SpiteRules, node: Node) -> Position | None:
    """Return the position at a node, or None with its problems recorded there."""
    players = n.players_in(rules, node["players"])
    position = s.read_at(node, s.shape_of(Position), context=players)
    if position is None:
        return None
    centre = node["centre_stacks"].value
    tops = s.read(n.some_cards(), centre, context=players) if centre else ()
    problems = [*contradictions(rules, position, tops)]
    node.problems.extend(s.in_order(problems, node.value, node.pointer))
    return None if problems else position


@dataclass(frozen=True, slots=True)
class Shown:
    """A recorded move with what it showed: the card turned up, cards drawn, hands dealt again, tops turned anew."""

    move: n.Move
    turned: Card | None = None
    cards: tuple[Card, ...] | None = None
    hands: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    tops: Mapping[str, Card] = field(default_factory=dict)
    corrected: bool = False
    """Whether it was taken back at once."""


class _RecordedMove(s.Shape[Shown]):
    turned = n.a_card("The card that was turned up then.", optional=True)
    cards = n.some_cards("Cards drawn.", optional=True)
    payoff_tops = n.by_player(n.a_card(), "The tops of the pay-off piles, if turned anew.", optional=True)

    def make(self, data: s.Attributes, context: Players) -> Shown:
        turned, cards, tops = (data.pop(key) for key in ("turned", "cards", "payoff_tops"))
        hands = None if type(self).builds is n.DealCheck else data.get("hands")
        corrected = data.pop("corrected", False)
        return Shown(cast("n.Move", self.build_read(data, context)), turned, cards, hands or {}, tops or {}, corrected)


_CORRECTED: Final = s.Flag("Whether it was taken back at once.", default=False)
_HANDS: Final = n.by_player(n.some_cards(), "Hands that were dealt again.", optional=True)


def _recorded(word: str, kind: type[n.Move]) -> type[s.Shape[Shown]]:
    """Return the shape of a recorded move: the move, and what it showed."""
    keys: dict[str, s.Field[s.Json]] = {"type": s.Word((word,))}
    keys |= {} if kind is n.DealCheck else {"hands": _HANDS}
    keys |= {"corrected": _CORRECTED} if kind in (n.Play, n.Discard) else {}
    name = f"Recorded{word.title().replace('_', '')}Move"
    return cast("type[s.Shape[Shown]]", s.shape_of(kind, _RecordedMove, name=name, keys=keys))


_RECORDED: Final[s.Variants[Shown]] = s.Variants(
    "type", {word: _recorded(word, kind) for word, kind in n.MOVES.items()}
)


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """The moves of one turn."""

    seat: str | None
    moves: Annotated[tuple[Shown, ...], s.ListOf(_RECORDED, "The moves in order.")]

    read_keys: ClassVar = {
        "player": s.Seat("Who played it.", optional=True), "seat": s.Seat("Another name of `player`.", optional=True),
    }  # fmt: skip

    @staticmethod
    def build_read(data: s.Attributes, players: Players) -> RecordedTurn:
        """Return the turn with its player under either name."""
        return RecordedTurn(data["player"] or data["seat"], data["moves"])


class _TurnOrMove(s.Field[RecordedTurn | Shown]):
    """A turn with its moves, or a move alone."""

    turn, move = s.object_of(RecordedTurn), _RECORDED

    def take(self, value: s.Json, context: Players) -> RecordedTurn | Shown:
        field = self.turn if isinstance(value, dict) and "moves" in value else self.move
        return field.take(value, context)

    def reader(self) -> s.Read[RecordedTurn | Shown]:
        turn, move = self.turn.reader(), self.move.reader()

        def read_either(value: s.Json, context: Players) -> RecordedTurn | Shown:
            if value.__class__ is not dict:
                raise s.Slow
            return turn(value, context) if "moves" in value else move(value, context)

        return read_either

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        return {"oneOf": [refer(self.turn.shape), *self.move.json_schema(refer)["oneOf"]]}


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """A recorded deal: who played, what was turned up, and every move in order."""

    players: tuple[str, ...]
    turns: Annotated[
        tuple[RecordedTurn | Shown, ...],
        s.ListOf(_TurnOrMove(), "Turns with their moves, or moves one after the other."),
    ]
    tops: Annotated[
        Mapping[str, Card],
        n.by_player(n.a_card(), "The tops of the pay-off piles at the start.", key="payoff_tops"),
    ] = field(default_factory=dict)
    hands: Annotated[Mapping[str, tuple[Card, ...]], n.by_player(n.some_cards(), "Hands as dealt.")] = field(
        default_factory=dict
    )
    sides: Annotated[
        Mapping[str, tuple[tuple[Card, ...], ...]],
        n.by_player(n.some_stacks(), "Side stacks as dealt.", key="side_stacks"),
    ] = field(default_factory=dict)
    first: Annotated[str | None, s.Seat("Who played first.")] = None
    dealer: Annotated[str | None, s.Seat("Who dealt, where that decides who starts.")] = None

    checks_parts: ClassVar = True
    shape_name: ClassVar = "SpiteAndMaliceReplayRequest"
    read_keys: ClassVar = {
        "rules": s.Anything("The house rules, read before.", absent=True),
        "players": s.ListOf(s.Name(), "Who plays, clockwise.", least=1, most=n.MOST_PLAYERS, absent=True),
        "seats": s.ListOf(s.Name(), "Another name of `players`.", least=1, most=n.MOST_PLAYERS, absent=True),
    }

    @staticmethod
    def check_read(data: s.Attributes, players: Players) -> Iterator[Problem]:
        """Yield other numbers of players and of cards than were dealt."""
        seats, also = data.get("seats"), data.get("players")
        if seats is not None and also is not None:
            yield Problem(("players",), "unknown-key", {"key": "players"}, contextual=True)
        elif seats is not None or also is not None:
            yield from players.check(seats or also or (), "players" if seats is None else "seats")
        hands, stacks = data.get("hands") or {}, data.get("sides") or {}
        for player in players.seats if "sides" in data else ():
            hand, laid = hands.get(player), sum(map(len, stacks.get(player, ())))
            if hand is not None and len(hand) != players.rules.hands_dealt:
                facts = {"expected": players.rules.hands_dealt, "count": len(hand), "player": player}
                yield Problem(("hands", player), "hand-count", facts, a.HAND.id)
            if laid != players.rules.side_start:
                facts = {"expected": players.rules.side_start, "count": laid, "player": player}
                yield Problem(("side_stacks", player), "side-start-count", facts, a.FIRST_SIDE_CARDS.id)

    @staticmethod
    def build_read(data: s.Attributes, context: Players) -> RecordedDeal:
        """Return the deal with its players under either name."""
        data.pop("rules", None)
        players, seats = data.pop("players", ()), data.pop("seats", ())
        return RecordedDeal(seats or players, **data)


class _SpiteAndMaliceMovesRequest(s.Shape[s.Attributes]):
    """A position."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(s.shape_of(Position))


class _EffectShape(AnswerShape):
    """What a legal move changes."""

    over = s.Flag("True where it ends the deal.", absent=True)
    winner = s.Text("Who has won; null for nobody.", absent=True, nullable=True)
    settled_by = s.Text("The option that settles a deal that nobody can finish.", absent=True)
    turn_ends = s.Flag(absent=True)
    next = s.Text("Who plays next.", absent=True)
    hand_count = s.Integer("Cards in the mover's hand.", absent=True, unit="cards")
    refill = s.Integer("Cards to be drawn.", absent=True, unit="cards")
    stock = s.Integer("Cards in the stock.", absent=True, unit="cards")
    cards = s.Integer("Cards in the whole pack.", absent=True, unit="cards")
    side_stacks = s.ListOf(s.ListOf(s.Text()), "The mover's side stacks.", absent=True)
    centre_stacks = s.ListOf(s.Text(nullable=True), "The effective tops of the centre stacks.", absent=True)
    as_rank = s.Text("The rank that the card stands for.", key="as", absent=True)
    completed = s.Text("What is done with the stack that it completes.", absent=True)
    payoff_left = s.Integer("Cards of the mover's pay-off pile.", absent=True, unit="cards")
    partner_payoff_left = s.Integer("Cards of the partner's pay-off pile.", absent=True, unit="cards")
    turn_up = s.Flag("True where the next pay-off card is turned up.", absent=True)
    played_ace_or_two = s.Flag(absent=True)
    redo = s.Text("How the tops are turned up anew.", absent=True)
    first = s.Text("Who plays first.", absent=True)
    recycled = s.Text("Which stacks go under the stock.", absent=True)
    under_stock = s.Flag(absent=True)
    phase = s.Word(PHASES, absent=True)


class _ListedMove(AnswerShape):
    """A legal move."""

    type = s.Text()
    source = s.Text(key="from", absent=True)
    card = s.Text(absent=True)
    stack = s.Integer(absent=True)
    to = s.Either(s.Integer(), s.object_of(n.OntoSide), s.Text(), absent=True)
    count = s.Integer(absent=True)
    what = s.Text(absent=True)
    by = s.Text(absent=True)
    first = s.Text(absent=True)


class _ReplayedMove(_ListedMove):
    """A recorded move with its turn."""

    turn = s.Integer("The number of its turn.")
    seat = s.Text("Who made it.")
    depth = s.Integer(absent=True)
    owner = s.Text(absent=True)
    done = s.Text(key="do", absent=True)
    redo = s.Text(absent=True)
    stock = s.Integer(absent=True)
    payoffs = s.Keyed(s.Integer(), absent=True)
    side_stacks = s.Keyed(s.Integer(), absent=True)
    centre_stacks = s.Integer(absent=True)


class _BecauseShape(AnswerShape):
    """An article that asks for a play."""

    article = s.Text()
    text = s.Text()
    facts = s.Keyed(s.Anything(schema=FACT))
    url = s.Text()


class _CompulsoryShape(AnswerShape):
    """Plays of which at least one must be made before the turn ends."""

    moves = s.ListOf(s.Object(_ListedMove))
    at_least = s.Integer("How many of them.")
    because = s.ListOf(s.Object(_BecauseShape))


class _OfferShape(AnswerShape):
    """What a side stack accepts."""

    to = s.Either(s.Integer(), s.Text(), describe="Its place, or `new`.")
    accepts = s.ListOf(s.Text(), "Natural ranks, the highest first.")


class _SeatPilesShape(AnswerShape):
    """What lies in front of a player."""

    payoff = s.Text(absent=True, nullable=True)
    payoff_left = s.Integer(absent=True, unit="cards")
    side_stacks = s.ListOf(s.ListOf(s.Text()), absent=True)
    hand_count = s.Integer(absent=True, unit="cards")


class _TableShape(AnswerShape):
    """The table after a move."""

    player = s.Text("Whose turn it is.")
    phase = s.Word(PHASES)
    centre_stacks = s.ListOf(s.Text(), "The effective tops of the centre stacks; a wild card is of unknown rank.")
    set_aside = s.Integer("Completed stacks that were set aside.", unit="stacks")
    stock = s.Integer("Cards in the stock.", unit="cards")
    piles = s.Keyed(s.Object(_SeatPilesShape), "What lies in front of each player.")
    over = s.Flag("Whether the deal is over.")


SHAPES: Final = GameShapes(
    position=s.shape_of(Position),
    move=n.MOVE,
    effect=_EffectShape,
    problems=_PROBLEMS,
    acceptable=("remaining-range",),
    moves=QuestionShapes(
        _SpiteAndMaliceMovesRequest,
        {
            "moves": s.ListOf(s.Object(_ListedMove), "Every legal move."),
            "compulsory": s.ListOf(s.Object(_CompulsoryShape), "What must be played before the turn ends."),
            "side_stacks": s.ListOf(s.Object(_OfferShape), "What each side stack accepts."),
        },
    ),
    replay=QuestionShapes(
        s.shape_of(RecordedDeal),
        {
            "tables": s.ListOf(s.Object(_TableShape), "The table after each move, in the order of `verdicts`."),
            "complete": s.Flag("Whether the deal is over."),
            "sides": s.ListOf(s.Object(ScoredSide), "The sides of a score request."),
            "result": s.Object(DEAL, "A deal of a score request; null while it goes on.", nullable=True),
            "state": s.Object(s.shape_of(Position), "The table at the end, as a position."),
            "piles": s.Keyed(s.Object(_SeatPilesShape), "What lies in front of each player at the end."),
        },
    ),
    replayed_move=s.Object(_ReplayedMove),
)


# Moves as text --------------------------------------------------------------------------------------------------------


NEW: Final = "n"
UNKNOWN_CARD: Final = "-"
PAYOFF, PARTNER_PAYOFF = "p", "f"
SIDES, PARTNER_SIDES = "abcd", "ghij"
PILES: Final = PAYOFF + PARTNER_PAYOFF + SIDES + PARTNER_SIDES
TARGETS: Final = "0123456789ABCDEFGHIJKLM"
"""Centre stacks by their index; a deal has at most twelve, a record of mistakes may have more."""
_RANKS: Final = "A234567890JQKX"
_LETTERS: Final = {"10": "0", "1": "A", "11": "J", "12": "Q", n.WILD: "K"}
_USUAL: Final = SpiteRules()
_RECYCLED: Final[Mapping[str, tuple[str, str]]] = {
    "k": ("complete", "opponent"), "l": ("incomplete", "opponent"),
    "m": ("complete", "player"), "o": ("incomplete", "player"),
}  # fmt: skip
_MOVE: Final = re.compile(
    rf"(?:_(?P<seat>\d))?(?P<body>[{_RANKS}][{TARGETS}n]|[pf][{_RANKS}-][{TARGETS}n][{_RANKS}-]|[a-dg-j][{_RANKS}-][{TARGETS}n]"
    rf"|s[{_RANKS}][0-3n]|r\d|[eklmoy]|[uw]\d)"
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One move with its text, who made it where that is written, and the pay-off card turned up after it."""

    text: str
    move: n.Move
    seat: str | None = None
    turned: Card | None = None

    @property
    def ends_turn(self) -> bool:
        """Return whether the move is a discard or a spoken end of the turn."""
        return isinstance(self.move, n.Discard | n.EndTurn)


def parse_moves(text: str, players: Sequence[str], rules: SpiteRules = _USUAL) -> Iterator[Recorded]:
    """Yield the moves of a text, up to the first characters that are no move.

    >>> [str(one.move.card) for one in parse_moves("An20s5n?", ("N", "S"))]
    ['A', '2', '5']
    """
    place = 0
    while found := _MOVE.match(text, place):
        place = found.end()
        recorded = parse_move(found["body"], players, rules)
        seat = recorded.seat
        if found["seat"] is not None and int(found["seat"]) < len(players):
            seat = players[int(found["seat"])]
        yield Recorded(found[0], recorded.move, seat, recorded.turned)


def parse_move(body: str, players: Sequence[str], rules: SpiteRules = _USUAL) -> Recorded:
    """Return the move of one text without a seat, as `parse_moves` matches it.

    >>> parse_move("p708", ("N", "S")).turned
    Card(rank='8', suit='')
    """
    kind, rest = body[0], body[1:]

    def _card(letter: str) -> Card | None:
        return None if letter == UNKNOWN_CARD else n.as_named(rules, Card("10" if letter == "0" else letter))

    if kind in _RANKS:
        return Recorded(body, n.Play(n.HAND, _target(rest), _card(kind)))
    if kind in (PAYOFF, PARTNER_PAYOFF):
        source = n.PAYOFF if kind == PAYOFF else n.PARTNER_PAYOFF
        return Recorded(body, n.Play(source, _target(rest[1]), _card(rest[0])), turned=_card(rest[2]))
    if kind in SIDES or kind in PARTNER_SIDES:
        source, stacks = (n.SIDE, SIDES) if kind in SIDES else (n.PARTNER_SIDE, PARTNER_SIDES)
        return Recorded(body, n.Play(source, _target(rest[1]), _card(rest[0]), stacks.index(kind)))
    if kind == "s":
        return Recorded(body, n.Discard(_target(rest[1]), _card(rest[0])))
    if kind == "r":
        return Recorded(body, n.Refill(int(rest)))
    if kind in _RECYCLED:
        return Recorded(body, n.Recycle(*_RECYCLED[kind]))
    if kind == "u":
        return Recorded(body, n.Redeal(players[int(rest) % len(players)]))
    if kind == "w":
        return Recorded(body, n.ClaimWin(), players[int(rest) % len(players)])
    return Recorded(body, n.EndTurn() if kind == "e" else n.ClaimStalemate())


def rank_letter(card: Card | None) -> str:
    """Return the rank of a card as one character: `0` for the ten, `-` for an unknown card."""
    return UNKNOWN_CARD if card is None else _LETTERS.get(card.rank, card.rank)


def group_turns(moves: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return the moves turn by turn; a discard, a spoken end or a move out of turn closes a turn.

    >>> [len(turn) for turn in group_turns(list(parse_moves("An20s5nr1e", ("N", "S"))))]
    [3, 2]
    """
    turns: list[list[Recorded]] = [[]]
    for one in moves:
        if turns[-1] and (turns[-1][-1].ends_turn or one.seat is not None):
            turns.append([])
        turns[-1].append(one)
    return [turn for turn in turns if turn]


def _target(letter: str) -> n.Place:
    return n.NEW if letter == NEW else TARGETS.index(letter)
