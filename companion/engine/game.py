"""The record that every game package fills in, and the reading of a score request that all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine.articles import Articles
from companion.engine.dialogue import Question
from companion.engine.entry import Entry
from companion.engine.ledger import Accepted, Adjustment, Deal, Ledger, Scorer, Side, Standing, keep_ledger
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import Refused
from companion.engine.profile import Essentials, Fixes, JsonObject, PaperSheet, Seating, clockwise
from companion.engine.reading import Node
from companion.engine.verdict import Verdict

POINTS_LIMIT = 1_000_000
SHARED_DEAL_KEYS = ("adjustments", "void", "accept")
RESERVED_SIDE_IDS = frozenset(SHARED_DEAL_KEYS)


@dataclass(frozen=True, slots=True)
class Game:
    """Everything the program knows of one game.

    Answers of `moves`, `replay` and the extra questions are mappings that may hold engine values (Verdict, Judged,
    Missing, Finding, Card) anywhere; the rulebook turns those into JSON with words.
    """

    id: str
    articles: Articles
    options: OptionSet[Any]
    scorer: Scorer[Any, Any]
    read_sides: Callable[[Node, Any], tuple[Side, ...]]
    """Sides of a score request under the rules; notes a wrong number of sides."""
    read_facts: Callable[[Node, Any, Sequence[Side]], Any]
    """The game's own facts of one deal; shared keys of the deal are already checked."""
    judge: Callable[[Any, Node, Node], Verdict]
    """The verdict on a move in a position; faults of the reading are noted at the nodes."""
    deal_keys: tuple[str, ...] = ()
    """Keys of a deal beside the sides and the shared ones, such as `dummy_tricks`."""
    tallies: Callable[[Any], tuple[str, ...]] = lambda rules: ()
    """Names of the tallies kept beside the total under the rules."""
    paper_tallies: tuple[str, ...] = ()
    """Every tally that a paper sheet may bring along; one that these rules do not keep is read and left."""
    moves: Callable[[Any, Node], Mapping[str, Any]] | None = None
    """What can be done: the rules and the whole request (`position` and the game's own keys beside it)."""
    replay: Callable[[Any, Node], Mapping[str, Any]] | None = None
    """A recorded deal: the rules and the whole request."""
    extra: Mapping[str, Callable[[Any, Node], Mapping[str, Any]]] = field(default_factory=dict)
    """Further questions of this game alone, by name."""
    entry: Entry | None = None
    """How its deals are entered on a sheet."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    """The referee's questions by name, in the order of their page."""
    settle_calls: Callable[[Node, Any, Sequence[Side]], Mapping[str, Any]] | None = None
    """The part of a deal's facts that the calls made so far settle, as JSON."""
    seatings: Callable[[Any], Sequence[Seating]] = lambda rules: (Seating(2),)
    """How people can sit down under the rules, the preferred way first."""
    lowest_wins: bool = False
    """Whether the side with the lowest total leads and wins."""
    target: Callable[[Any], int | None] = lambda rules: getattr(rules, "target", None)
    """The total at which a game ends under the rules, in points; None without one."""
    next_dealer: Callable[[JsonObject, Sequence[str], str], str] = clockwise
    """The seat that deals next: the options as plain values, the seats clockwise, the dealer of this deal."""
    tally_limits: Callable[[Any], Mapping[str, int]] = lambda rules: {}
    """The number at which a tally costs its side points, by the name of the tally."""
    attempts: Callable[[JsonObject, str], tuple[int, int]] | None = None
    """Contracts of a player for records: how many were made and tried, from the facts of the side and the seat."""
    paper: PaperSheet = field(default_factory=PaperSheet)
    """The columns of a score sheet on paper."""
    essentials: Essentials = field(default_factory=Essentials)
    """What the summary on one page holds."""
    fixes: Fixes = field(default_factory=Fixes)
    """Fixes for problems of an entry."""
    examples: Mapping[str, Any] = field(default_factory=dict)
    """Requests for the API document, by the name of the operation."""
    texts: str = ""
    """The package that holds this game's `rules_<language>` folders; empty where they come with the program."""

    def phrase_keys(self) -> Iterator[str]:
        """Yield the key of every interface phrase that this record makes pages ask for; a language must have them."""
        yield "home.about"
        for column in (*self.paper.shared, *self.paper.each):
            yield f"print.{column.name}"
        presets = [self.options.preset(name).options for name in self.options.presets]
        for tally in dict.fromkeys(tally for rules in presets for tally in self.tallies(rules)):
            yield f"ledger.{tally}"
        for tally in dict.fromkeys(tally for rules in presets for tally in self.tally_limits(rules)):
            yield f"tallies.{tally}-of"
            yield f"tallies.{tally}-left"
        if self.attempts is not None:
            yield "games.attempts"
        for question in self.questions:
            yield from (f"asks.{question}.{part}" for part in ("title", "short", "help"))

    def leaders(self, standing: Mapping[str, Standing]) -> tuple[str, ...]:
        """Return the ids of the sides with the best total."""
        totals = [at.total for at in standing.values()]
        best = min(totals) if self.lowest_wins else max(totals)
        return tuple(side for side, at in standing.items() if at.total == best)


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A score request, read: the rules, the sides, what they brought with them, the deals."""

    house: HouseRules[Any]
    sides: tuple[Side, ...]
    opening: Mapping[str, Standing]
    deals: tuple[Deal[Any], ...]


def read_score_request(game: Game, node: Node) -> ScoreRequest | None:
    """A score request from JSON; faults are noted at the node, and None comes back where it cannot be gone on with."""
    if not node.object(required=("sides", "deals"), optional=("rules", "opening")):
        return None
    faults = len(node.problems)
    house = game.options.read(node["rules"]) if "rules" in node else game.options.preset()
    if "sides" not in node:
        return None
    sides = game.read_sides(node["sides"], house.options)
    if len(node.problems) > faults:
        return None
    opening = read_opening(game, node["opening"], house.options, sides) if "opening" in node else {}
    if "deals" not in node:
        return None
    deals = tuple([read_deal(game, item, house.options, sides) for item in node["deals"].items()])
    return ScoreRequest(house, sides, opening, deals)


def score_request(game: Game, request: ScoreRequest, *, after_end: str = "refuse") -> Ledger:
    """The ledger of a score request. Raises Refused where the facts of a deal cannot be."""
    rules = request.house.options
    return keep_ledger(
        game.scorer, rules, request.sides, request.deals,
        opening=request.opening, tallies=game.tallies(rules), after_end=after_end,
    )  # fmt: skip


def score(game: Game, value: Any) -> tuple[HouseRules[Any], Ledger]:
    """House rules and ledger of a score request in JSON. Raises Refused with every problem found."""
    node = Node(value)
    request = read_score_request(game, node)
    if request is None or node.problems:
        raise Refused(node.problems)
    return request.house, score_request(game, request)


def read_side_list(node: Node, *, least: int, most: int) -> tuple[Side, ...]:
    """Sides written as ids or as `{"id", "players"}`, each id once."""
    sides: list[Side] = []
    for item in node.items(least=least, most=most):
        faults = len(node.problems)
        if isinstance(item.value, str):
            side = Side(item.name(most=60))
        elif item.object(required=("id",), optional=("players",)):
            side = Side(item["id"].name(most=60), tuple(p.name(most=60) for p in item["players"].items(most=4)))
        else:
            continue
        taken = not side.id or side.id in RESERVED_SIDE_IDS or side.id in [other.id for other in sides]
        if taken and len(node.problems) == faults:
            item.fault("side-id", value=side.id)
        sides.append(side)
    if not node.present:
        node.fault("required")
    return tuple(sides)


def read_opening(game: Game, node: Node, rules: Any, sides: Sequence[Side]) -> dict[str, Standing]:
    """Standings brought from a paper sheet; a side that is not named starts at nothing. Empty where none is given."""
    if not node.present or not node.object(optional=[side.id for side in sides]) or not node.value:
        return {}
    names = game.tallies(rules)
    opening = {}
    for side in sides:
        entry, total, counts = node[side.id], 0, dict.fromkeys(names, 0)
        if entry.present and entry.object(optional=("total", *game.paper_tallies)):
            if entry["total"].present:
                total = entry["total"].integer(low=-POINTS_LIMIT, high=POINTS_LIMIT)
            told = {
                name: entry[name].integer(low=0, high=POINTS_LIMIT)
                for name in game.paper_tallies
                if entry[name].present
            }
            counts |= {name: count for name, count in told.items() if name in counts}
        opening[side.id] = Standing(total, counts)
    return opening


def read_deal(game: Game, node: Node, rules: Any, sides: Sequence[Side]) -> Deal[Any]:
    """One deal from JSON, its shared keys here, its facts by the game."""
    ids = [side.id for side in sides]
    if not node.object(optional=(*ids, *game.deal_keys, *SHARED_DEAL_KEYS)):
        return Deal(None)
    adjustments: tuple[Adjustment, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    if "adjustments" in node:
        adjustments = tuple(_read_adjustment(item, ids) for item in node["adjustments"].items(most=50))
    if "accept" in node:
        accepted = tuple(_read_accepted(item) for item in node["accept"].items(most=50))
    if "void" in node and node["void"].flag():
        return Deal(None)
    return Deal(game.read_facts(node, rules, sides), adjustments, accepted)


def _read_adjustment(node: Node, ids: Sequence[str]) -> Adjustment:
    node.object(required=("side", "points", "reason"))
    points = node["points"].integer(low=-POINTS_LIMIT, high=POINTS_LIMIT)
    return Adjustment(node["side"].one_of(ids, code="unknown-side"), points, node["reason"].text(most=200))


def _read_accepted(node: Node) -> Accepted:
    node.object(required=("code", "reason"))
    return Accepted(node["code"].text(most=60), node["reason"].text(most=200))
