"""The facts that the problems of Spite and Malice carry, for the API's document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import new_class
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import FACT, AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.engine.ledger import POINTS_LIMIT, DealContext, DealShape
from companion.engine.problems import Node, Problem
from companion.engine.shapes import LIMITS, SIZE, TEXT, TEXTS, VALUE, FactTypes
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.hidden import contradictions
from companion.games.spite_and_malice.position import JOKERS, MOST, PHASES, Piles, Position, Turn, is_wild, phase_after
from companion.games.spite_and_malice.rules import SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.score import DealFacts, cards_left

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


_MOST_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True)
class Players:
    """The rules, and who plays in order as far as that can be read: what positions and moves are read against."""

    rules: SpiteRules
    seats: tuple[str, ...]

    def check(self, players: tuple[str, ...], key: str) -> Iterator[Problem]:
        """Yield a problem unless there are as many different players as the rules say."""
        if len(players) != self.rules.players or len(set(players)) != len(players) or "" in players:
            article = (a.PLAYERS if self.rules.players == 2 else a.PARTNERS).id
            facts = {"expected": self.rules.players, "count": len(set(players) - {""})}
            yield Problem((key,), "seats-count", facts, article)


def players_in(rules: SpiteRules, node: Node) -> Players:
    """Return the players that a list names, as far as it can be read, so that all problems are found in one pass."""
    value = node.value
    return Players(rules, tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ())


def _seats(table: Players) -> tuple[str, ...]:
    return table.seats


def card(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.CardField:
    return s.CardField(describe, jokers=JOKERS, bare_ranks=True, **common)


def cards(describe: str = "", *, most: int = MOST, **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    return s.ListOf(card(), describe, most=most, **common)


def stacks(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[tuple[Card, ...]]:
    return s.ListOf(cards(), describe, most=SIDE_PLACES, **common)


def count(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Count:
    common["unit"] = "cards"
    return s.Count(describe, high=MOST, **common)


def place(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Integer:
    return s.Integer(describe, low=0, high=n.FAR, **common)


def whole(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Integer:
    return s.Integer(describe, low=-n.FAR, high=n.FAR, **common)


def _by_player(value: s.Field[s.Json], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Keyed[s.Json]:
    return s.Keyed(value, describe, keys=_seats, code="unknown-seat", **common)


class OntoSideShape(s.Shape[n.OntoSide]):
    """A side stack of one's own, which only discards may go to."""

    builds = n.OntoSide
    side = place("Its place.")


class _MoveShape(s.Shape[n.Move]):
    seat = s.Seat("Who does it, where that could be another than who is to move.", optional=True)

    def make(self, data: s.Attributes, context: Players) -> n.Move:
        data.pop("type")
        return super().make(data, context)


class PlayMove(_MoveShape):
    """A card to the centre."""

    builds = n.Play
    type = s.Word(("play",))
    source = s.Word(n.SOURCES, "Where it comes from.", key="from")
    to = s.Either(
        s.Word((n.NEW,)), s.Object(OntoSideShape), place(), describe="The place of the centre stack, or `new`."
    )
    card = card("The card; it may be left out where only one can be meant.", optional=True)
    stack = place("Which side stack it comes from.", optional=True)
    depth = s.Count("How many cards lie on it in that stack.", high=MOST, default=0)

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        if data["source"] == n.HAND and data["card"] is None:
            yield Problem(("card",), "required", contextual=True)
        if data["source"] in n.SIDE_SOURCES and data["stack"] is None:
            yield Problem(("stack",), "required", contextual=True)


class DiscardMove(_MoveShape):
    """A card onto a side stack, which ends the turn."""

    builds = n.Discard
    type = s.Word(("discard",))
    to = s.Either(s.Word((n.NEW,)), place(), describe="The place of the side stack, or `new`.")
    card = card("The card.", optional=True)
    source = s.Word(n.SOURCES, "Where it comes from.", key="from", default=n.HAND)
    owner = s.Word(("own", "partner", "opponent"), "Whose side stack it goes to.", default="own")

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        if data["source"] == n.HAND and data["card"] is None:
            yield Problem(("card",), "required", contextual=True)


class RefillMove(_MoveShape):
    """Cards drawn from the stock."""

    builds = n.Refill
    type = s.Word(("refill",))
    count = whole("How many.", unit="cards")


class EndTurnMove(_MoveShape):
    """The spoken end of a turn."""

    builds = n.EndTurn
    type = s.Word(("end_turn",))


class CompleteMove(_MoveShape):
    """A completed centre stack, and what is done with it."""

    builds = n.Complete
    type = s.Word(("complete",))
    stack = place("Its place.")
    done = s.Word(("stay", "set_aside", "shuffle_now"), "What is done with it.", key="do")


class RecycleMove(_MoveShape):
    """Centre stacks shuffled and put under the stock."""

    builds = n.Recycle
    type = s.Word(("recycle",))
    what = s.Word(("complete", "incomplete"), "Which stacks.")
    by = s.Word(("opponent", "player"), "Who shuffles them.")


class SecondChanceMove(_MoveShape):
    """The announcement that everybody gets one further turn."""

    builds = n.SecondChance
    type = s.Word(("second_chance",))


class RedealMove(_MoveShape):
    """All cards but the pay-off piles dealt again."""

    builds = n.Redeal
    type = s.Word(("redeal",))
    first = s.Seat("Who plays first then.")


class StartMove(_MoveShape):
    """Who plays first, or how the tops of the pay-off piles are turned up anew."""

    builds = n.Start
    type = s.Word(("start",))
    first = s.Seat("Who plays first.", optional=True)
    redo = s.Word(("reshuffle", "bury", "redraw"), "How the tops are turned up anew.", optional=True)

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        if (data["first"] is None) == (data["redo"] is None):
            yield Problem(("first",), "first-or-redo")


class DealMove(_MoveShape):
    """Counts after the deal."""

    type = s.Word(("deal",))
    stock = whole("Cards of the stock.", optional=True, unit="cards")
    payoffs = _by_player(whole(unit="cards"), "Cards of the pay-off piles.", absent=True)
    hands = _by_player(whole(unit="cards"), "Cards of the hands.", absent=True)
    side_stacks = _by_player(whole(unit="cards"), "Cards in side stacks.", absent=True)
    centre_stacks = whole("Centre stacks.", optional=True)

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        given = [key for key in ("payoffs", "hands", "side_stacks") if key in data]
        if not given and data["stock"] is None and data["centre_stacks"] is None:
            yield Problem(("stock",), "required", contextual=True)

    def make(self, data: s.Attributes, context: Players) -> n.DealCheck:
        return n.DealCheck(
            data["stock"], data.get("payoffs", {}), data.get("hands", {}), data.get("side_stacks", {}),
            data["centre_stacks"], data["seat"],
        )  # fmt: skip


class ClaimWinMove(_MoveShape):
    """`I am out`."""

    builds = n.ClaimWin
    type = s.Word(("claim_win",))


class ClaimStalemateMove(_MoveShape):
    """The claim that nobody can finish the deal."""

    builds = n.ClaimStalemate
    type = s.Word(("claim_stalemate",))


_MOVES: Final[Mapping[str, type[s.Shape[n.Move]]]] = {
    "play": PlayMove,
    "discard": DiscardMove,
    "refill": RefillMove,
    "end_turn": EndTurnMove,
    "complete": CompleteMove,
    "recycle": RecycleMove,
    "second_chance": SecondChanceMove,
    "redeal": RedealMove,
    "start": StartMove,
    "deal": DealMove,
    "claim_win": ClaimWinMove,
    "claim_stalemate": ClaimStalemateMove,
}
MOVE: Final[s.Variants[n.Move]] = s.Variants("type", _MOVES)


def read_position(rules: SpiteRules, node: Node) -> Position | None:
    """Return the position at a node, or None with its problems recorded there."""
    return s.read_at(node, PositionShape, context=players_in(rules, node["players"]))


class PilesShape(s.Shape[Piles]):
    """What lies in front of one player."""

    payoff = card("The top of the pay-off pile.", optional=True)
    payoff_left = count("How many cards the pay-off pile has, the top among them.", optional=True)
    side_stacks = stacks("The side stacks, each from the bottom to the top; empty ones too.", optional=True)

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        return _check_payoff(data)

    def make(self, data: s.Attributes, context: Players) -> Piles:
        return Piles(data["payoff"], data.get("payoff_left"), data["side_stacks"])


class TurnShape(s.Shape[Turn]):
    """One finished turn: who, and whether a card went to the centre or was discarded."""

    builds = Turn

    player = s.Seat()
    acted = s.Flag()


class PositionShape(s.Shape[Position]):
    """The table before one move. What is left out is not known; an unknown stock is plenty."""

    checks_parts = True
    players = s.ListOf(s.Name(), "Who plays, clockwise.", least=1, most=_MOST_PLAYERS)
    player = s.Seat("Who is to move.")
    payoff = card("The top of the mover's pay-off pile.", optional=True, example="7")
    payoff_left = count("How many cards that pile has.", optional=True)
    hand = cards("The mover's hand.", optional=True)
    hand_count = count("How many cards the mover holds, where the hand is not known.", optional=True)
    side_stacks = stacks("The mover's side stacks, each from the bottom to the top.", optional=True)
    centre_stacks = cards("The top of each centre stack; a wild card is of unknown rank.", optional=True)
    stock = count("How many cards the stock has.", optional=True)
    refilled = s.Flag("Whether the mover has drawn for this turn.", default=True)
    discarded = s.Flag("Whether the mover has discarded.", default=False)
    phase = s.Word(PHASES, "Without it as the turns say.", optional=True)
    played_ace_or_two = s.Flag("Whether the mover played an ace or a two in this turn.", default=False)
    turns = s.ListOf(s.Object(TurnShape), "The turns so far.", optional=True)
    complete = count("Completed centre stacks that are still there.", optional=True)
    incomplete = count("Centre stacks that are not complete.", optional=True)
    set_aside = count("Completed stacks that were set aside.", optional=True)
    partner = s.Object(PilesShape, "What lies in front of the partner.", optional=True)
    payoff_tops = _by_player(card(), "The tops of all pay-off piles, before the first turn.", optional=True)
    over = s.Flag("Whether somebody has gone out.", default=False)

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        if "players" in data:
            yield from context.check(data["players"], "players")
        yield from _check_payoff(data)

    def make(self, data: s.Attributes, context: Players) -> Position:
        own, turns = _own(data), data["turns"]
        for key in ("payoff", "payoff_left", "side_stacks"):
            del data[key]
        centre = data.pop("centre_stacks")
        if context.rules.players == 2:
            data["partner"] = None
        data |= {
            "own": own,
            "centre": None if centre is None else tuple(_effective(context.rules, top) for top in centre),
            "phase": data["phase"] or phase_after(context.rules, turns or ()),
            "payoff_tops": data["payoff_tops"] or {},
        }
        position = Position(**data)
        problems = [*contradictions(context.rules, position, centre or ())]
        if problems:
            raise s.invalid(problems)
        return position


def _own(data: s.Attributes) -> Piles:
    return Piles(data["payoff"], data.get("payoff_left"), data["side_stacks"])


def _effective(rules: SpiteRules, top: Card) -> int | None:
    """The rank of a centre stack's top; None where a wild card's rank is not known."""
    return None if is_wild(rules, top) or not top.pips else top.pips


def _check_payoff(data: s.Attributes) -> Iterator[Problem]:
    if data.get("payoff_left") == 0 and data.get("payoff") is not None:
        yield Problem(("payoff_left",), "payoff-empty", {"card": str(data["payoff"])}, a.PAYOFF_TOP.id)


@dataclass(frozen=True, slots=True)
class Shown:
    """A recorded move with what it showed: the card turned up, cards drawn, hands dealt again, tops turned anew."""

    move: n.Move
    turned: Card | None
    cards: tuple[Card, ...] | None
    hands: Mapping[str, tuple[Card, ...]]
    tops: Mapping[str, Card]


def _recorded(shape: type[s.Shape[n.Move]]) -> type[s.Shape[Shown]]:
    """Return the shape of a recorded move: the move, and what it showed."""
    shown: dict[str, s.Field[s.Json]] = {
        "turned": card("The card that was turned up then.", optional=True),
        "cards": cards("Cards drawn.", optional=True),
        "payoff_tops": _by_player(card(), "The tops of the pay-off piles, if turned anew.", optional=True),
    }
    if "hands" not in shape._declared_fields:
        shown["hands"] = _by_player(cards(), "Hands that were dealt again.", optional=True)

    def make(self: s.Shape[n.Move], data: s.Attributes, context: Players) -> Shown:
        found = {key: data.pop(key) for key in shown}
        move = shape.make(self, data, context)
        return Shown(move, found["turned"], found["cards"], found.get("hands") or {}, found["payoff_tops"] or {})

    attributes = {**shown, "make": make, "__doc__": shape.__doc__, "__module__": __name__}
    return new_class(f"Recorded{shape.__name__}", (shape,), exec_body=lambda names: names.update(attributes))


_RECORDED: Final[s.Variants[Shown]] = s.Variants("type", {word: _recorded(shape) for word, shape in _MOVES.items()})


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of one turn, and who played it where that is written."""

    seat: str | None
    moves: tuple[Shown, ...]


class RecordedTurn(s.Shape[Moves]):
    """The moves of one turn."""

    player = s.Seat("Who played it.", optional=True)
    seat = s.Seat("Another name of `player`.", optional=True)
    moves = s.ListOf(_RECORDED, "The moves in order.")

    def make(self, data: s.Attributes, context: Players) -> Moves:
        return Moves(data["player"] or data["seat"], data["moves"])


class TurnOrMove(s.Field[Moves | Shown]):
    """A turn with its moves, or a move alone."""

    turn, move = s.Object(RecordedTurn), _RECORDED

    def take(self, value: s.Json, context: Players) -> Moves | Shown:
        field: s.Field[s.Json] = self.turn if isinstance(value, dict) and "moves" in value else self.move
        taken: Moves | Shown = field.take(value, context)
        return taken

    def reader(self) -> s.Read[Moves | Shown]:
        turn, move = self.turn.reader(), self.move.reader()

        def read_either(value: s.Json, context: Players) -> Moves | Shown:
            if value.__class__ is not dict:
                raise s.Slow
            found: Moves | Shown = turn(value, context) if "moves" in value else move(value, context)
            return found

        return read_either

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        moves = self.move.json_schema(refer)
        return {"oneOf": [refer(RecordedTurn), *moves["oneOf"]]}


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """What was written down of a deal; cards that are not known are left out."""

    players: tuple[str, ...]
    tops: Mapping[str, Card]
    hands: Mapping[str, tuple[Card, ...]]
    sides: Mapping[str, tuple[tuple[Card, ...], ...]]
    first: str | None
    turns: tuple[Moves | Shown, ...]


class SpiteAndMaliceReplayRequest(s.Shape[RecordedDeal]):
    """A recorded deal: who played, what was turned up, and every move in order."""

    checks_parts = True
    rules = s.Anything("The house rules, read before.", absent=True)
    players = s.ListOf(s.Name(), "Who plays, clockwise.", least=1, most=_MOST_PLAYERS, absent=True)
    seats = s.ListOf(s.Name(), "Another name of `players`.", least=1, most=_MOST_PLAYERS, absent=True)
    payoff_tops = _by_player(card(), "The tops of the pay-off piles at the start.", optional=True)
    hands = _by_player(cards(), "Hands as dealt.", optional=True)
    side_stacks = _by_player(stacks(), "Side stacks as dealt.", optional=True)
    first = s.Seat("Who played first.", optional=True)
    turns = s.ListOf(TurnOrMove(), "Turns with their moves, or moves one after the other.")

    def check(self, data: s.Attributes, context: Players) -> Iterator[Problem]:
        players, also = data.get("seats"), data.get("players")
        if players is not None and also is not None:
            yield Problem(("players",), "unknown-key", {"key": "players"}, contextual=True)
        elif players is not None or also is not None:
            yield from context.check(players or also or (), "players" if players is None else "seats")
        hands, stacks = data.get("hands") or {}, data.get("side_stacks") or {}
        for player in context.seats if "side_stacks" in data else ():
            hand, laid = hands.get(player), sum(map(len, stacks.get(player, ())))
            if hand is not None and len(hand) != context.rules.hands_dealt:
                facts = {"expected": context.rules.hands_dealt, "count": len(hand), "player": player}
                yield Problem(("hands", player), "hand-count", facts, a.HAND.id)
            if laid != context.rules.side_start:
                facts = {"expected": context.rules.side_start, "count": laid, "player": player}
                yield Problem(("side_stacks",), "side-start-count", facts, a.FIRST_SIDE_CARDS.id)

    def make(self, data: s.Attributes, context: Players) -> RecordedDeal:
        return RecordedDeal(
            data.get("seats") or data.get("players") or (), data["payoff_tops"] or {}, data["hands"] or {},
            data["side_stacks"] or {}, data["first"], data["turns"],
        )  # fmt: skip


class SpiteAndMaliceDeal(DealShape):
    """A deal of Spite and Malice: who went out, and the pay-off cards that the others have left."""

    winner = s.SideId("The side that went out; null where nobody could.", nullable=True, example="A")
    remaining = s.Keyed(
        s.Integer(
            low=0, high=POINTS_LIMIT, code="remaining-range", unit="cards", article="spite-and-malice.cards-left"
        ),
        "Pay-off cards left, by side, or in partnerships by player.",
        example={"B": 9},
    )

    def facts(self, data: s.Attributes, context: DealContext) -> DealFacts:
        return cards_left(data["winner"], data["remaining"], context.rules, context.all_sides)


class SpiteAndMaliceMovesRequest(s.Shape[s.Attributes]):
    """A position."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)


class EffectShape(AnswerShape):
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


class ListedMove(AnswerShape):
    """A legal move."""

    type = s.Text()
    source = s.Text(key="from", absent=True)
    card = s.Text(absent=True)
    stack = s.Integer(absent=True)
    to = s.Either(s.Integer(), s.Object(OntoSideShape), s.Text(), absent=True)
    count = s.Integer(absent=True)
    what = s.Text(absent=True)
    by = s.Text(absent=True)
    first = s.Text(absent=True)


class ReplayedMove(ListedMove):
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


class BecauseShape(AnswerShape):
    """An article that asks for a play."""

    article = s.Text()
    text = s.Text()
    facts = s.Keyed(s.Anything(schema=FACT))
    url = s.Text()


class CompulsoryShape(AnswerShape):
    """Plays of which at least one must be made before the turn ends."""

    moves = s.ListOf(s.Object(ListedMove))
    at_least = s.Integer("How many of them.")
    because = s.ListOf(s.Object(BecauseShape))


class OfferShape(AnswerShape):
    """What a side stack accepts."""

    to = s.Either(s.Integer(), s.Text(), describe="Its place, or `new`.")
    accepts = s.ListOf(s.Text(), "Natural ranks, the highest first.")


class SeatPilesShape(AnswerShape):
    """What lies in front of a player."""

    payoff = s.Text(absent=True, nullable=True)
    payoff_left = s.Integer(absent=True, unit="cards")
    side_stacks = s.ListOf(s.ListOf(s.Text()), absent=True)
    hand_count = s.Integer(absent=True, unit="cards")


class TableShape(AnswerShape):
    """The table after a move."""

    player = s.Text("Whose turn it is.")
    phase = s.Word(PHASES)
    centre_stacks = s.ListOf(s.Text(), "The effective tops of the centre stacks; a wild card is of unknown rank.")
    set_aside = s.Integer("Completed stacks that were set aside.", unit="stacks")
    stock = s.Integer("Cards in the stock.", unit="cards")
    piles = s.Keyed(s.Object(SeatPilesShape), "What lies in front of each player.")
    over = s.Flag("Whether the deal is over.")


SHAPES: Final = GameShapes(
    position=PositionShape,
    move=MOVE,
    effect=EffectShape,
    problems=_PROBLEMS,
    acceptable=("remaining-range",),
    moves=QuestionShapes(
        SpiteAndMaliceMovesRequest,
        {
            "moves": s.ListOf(s.Object(ListedMove), "Every legal move."),
            "compulsory": s.ListOf(s.Object(CompulsoryShape), "What must be played before the turn ends."),
            "side_stacks": s.ListOf(s.Object(OfferShape), "What each side stack accepts."),
        },
    ),
    replay=QuestionShapes(
        SpiteAndMaliceReplayRequest,
        {
            "tables": s.ListOf(s.Object(TableShape), "The table after each move, in the order of `verdicts`."),
            "complete": s.Flag("Whether the deal is over."),
            "sides": s.ListOf(s.Object(ScoredSide), "The sides of a score request."),
            "result": s.Object(SpiteAndMaliceDeal, "A deal of a score request; null while it goes on.", nullable=True),
            "state": s.Object(PositionShape, "The table at the end, as a position."),
            "piles": s.Keyed(s.Object(SeatPilesShape), "What lies in front of each player at the end."),
        },
    ),
    replayed_move=s.Object(ReplayedMove),
)
