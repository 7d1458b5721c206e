"""The record that a game fills in, the shapes in which it is asked and answers, and the scoring of a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.engine import shapes as s
from companion.engine.articles import Articles
from companion.engine.chooser import read_chooser
from companion.engine.deferred import Deferred
from companion.engine.evenings import Achievement
from companion.engine.ledger import (
    OPENING,
    Agreement,
    Before,
    Deal,
    DealContext,
    Essentials,
    Facts,
    Fixes,
    Ledger,
    Measure,
    PaperSheet,
    Rules,
    Scorer,
    Seating,
    Side,
    Sides,
    Standing,
    VoidDealShape,
    clockwise,
    is_void,
    keep_ledger,
)
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import MOST_COUNTED, JsonObject, Node, Pointer, Problem, Refused, json_pointer
from companion.engine.shapes import (
    MAX_ITEMS,
    NOT_PLAIN,
    SCALAR,
    SHAPE_CODES,
    Anything,
    FactTypes,
    ListOf,
    compiled,
    read,
    read_at,
)

if TYPE_CHECKING:
    from companion.engine.dialogue import Question
    from companion.engine.entry import Entry
    from companion.engine.lessons import Lessons
    from companion.engine.verdict import Verdict, Witness


_Keys = Mapping[str, s.Field[s.Json]]

_LIST: Final[s.JsonSchema] = {
    "type": "array",
    "items": {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]},
}
FACT: Final[s.JsonSchema] = {
    "anyOf": [SCALAR, _LIST, {"type": "object", "additionalProperties": {"anyOf": [SCALAR, _LIST]}}]
}
"""A fact of a breach, a line or a problem: a scalar, or a list or an object of them."""


@dataclass(frozen=True, slots=True)
class QuestionShapes:
    """A question of one game: its request, and the keys of its answer."""

    request: type[s.Shape[s.Json]]
    answer: _Keys
    summary: str = ""
    """What is asked, for a question that is not common to all games."""
    about: str = ""
    """What the answer says, likewise."""


@dataclass(frozen=True, slots=True)
class GameShapes:
    """The shapes of one game beside those that all games share; without one the question is not asked."""

    position: type[s.Shape[s.Json]] | None = None
    move: s.Field[s.Json] | None = None
    """A move to be judged."""
    effect: type[s.Shape[s.Json]] | None = None
    """What a legal move changes."""
    moves: QuestionShapes | None = None
    """What can be done; the verdict's `missing` is among every answer."""
    replay: QuestionShapes | None = None
    """A recorded deal; `verdicts` and `findings` are among every answer."""
    replayed_move: s.Field[s.Json] | None = None
    """A move as the verdict on it in a replay repeats it."""
    extra: Mapping[str, QuestionShapes] = field(default_factory=dict)
    problems: Mapping[str, FactTypes] = field(default_factory=dict)
    """The facts of its own problems by their codes; a code without them may carry any."""
    acceptable: tuple[str, ...] = ()
    """Codes of its problems that may be recorded anyway, or only warn: what a warning may be about."""


class AnswerShape(s.OpenShape[s.Attributes]):
    """A part of an answer: later versions may add keys."""


class ScoredSide(AnswerShape):
    """A side as a score request has it."""

    id = s.Text()
    players = s.ListOf(s.Text())


@dataclass(frozen=True, slots=True)
class Game:
    """Everything the program knows of one game.

    Answers of `moves`, `replay` and the extra questions are mappings that may hold engine values (Verdict, Judged,
    Missing, Finding, Card) anywhere; the rulebook turns those into JSON with words.
    """

    id: str
    articles: Articles
    options: OptionSet[Rules]
    scorer: Scorer[Rules, Facts]
    read_sides: Callable[[Node, Rules], tuple[Side, ...]]
    """Sides of a score request under the rules; notes a wrong number of sides."""
    deal: type[s.Shape[Deal[s.Json]]]
    """The shape of one deal, its facts under the ids of the sides."""
    shapes: GameShapes = field(default_factory=GameShapes)
    """The shapes of its positions and moves, and of its own answers."""
    deal_keys: tuple[str, ...] = ()
    """Keys of a deal beside the sides and the shared ones, such as `dummy_tricks`."""
    irregular: tuple[str, ...] = ()
    """The kinds of irregularities that a deal may have had."""
    tallies: Callable[[Rules], tuple[str, ...]] = lambda rules: ()
    """Names of the tallies kept beside the total under the rules."""
    paper_tallies: tuple[str, ...] = ()
    """Every tally that a paper sheet may bring along; one that these rules do not keep is read and left."""
    check_opening: Callable[[Rules, Mapping[str, Standing]], Iterable[Problem]] = lambda rules, opening: ()
    """Standings that nobody can bring along, pointers relative to the opening."""
    judge: Callable[[Rules, Node, Node], Verdict] | None = None
    """The verdict on a move in a position; faults of the reading are noted at the nodes."""
    witness: Callable[[Verdict], Witness] | None = None
    """What shows a verdict to be right, from what its judge decided."""
    verify: Callable[[JsonObject, str, JsonObject], bool | None] | None = None
    """Whether a witness shows a verdict, from the request and their JSON alone; None if it is not covered."""
    moves: Callable[[Rules, Node], JsonObject] | None = None
    """What can be done: the rules and the whole request (`position` and the game's own keys beside it)."""
    replay: Callable[[Rules, Node], JsonObject] | None = None
    """A recorded deal: the rules and the whole request."""
    extra: Mapping[str, Callable[[Rules, Node], JsonObject]] = field(default_factory=dict)
    """Further questions of this game alone, by name."""
    entry: Entry | Deferred[Entry] | None = None
    """How its deals are entered on a sheet; `load_entry` returns it."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    """The referee's questions by name, in the order of their page; may be a DeferredMapping."""
    call_facts: Callable[[str], JsonObject] = lambda call: {}
    """Facts of a call that follow from its word alone, such as that the caller has not looked."""
    settle_calls: Callable[[Node, Rules, Sequence[Side]], JsonObject] | None = None
    """The part of a deal's facts that the calls made so far settle, as JSON."""
    without_calls: Callable[[Rules, int, bool], bool] = lambda rules, scored, carried_over: False
    """Whether the deal after so many scored ones has no calls; totals may have been carried over before the first."""
    seatings: Callable[[Rules], Sequence[Seating]] = lambda rules: (Seating(2),)
    """How people can sit down under the rules, the preferred way first."""
    lowest_wins: Callable[[Rules], bool] = lambda rules: False
    """Whether the side with the lowest total leads and wins under the rules."""
    target: Callable[[Rules], int | None] = lambda rules: getattr(rules, "target", None)
    """The total at which a game ends under the rules, in points; None without one."""
    next_dealer: Callable[[JsonObject, Sequence[str], str], str] = clockwise
    """The seat that deals next: the options as plain values, the seats clockwise, the dealer of this deal."""
    tally_limits: Callable[[Rules], Mapping[str, int]] = lambda rules: {}
    """The number at which a tally costs its side points, by the name of the tally."""
    numbers: Callable[[Rules], Mapping[str, int]] = lambda rules: {}
    """Numbers that follow from the rules and that the texts may print, such as the cards of a hand, by name."""
    attempts: Callable[[JsonObject, str], tuple[int, int]] | None = None
    """Contracts of a player for records: how many were made and tried, from the facts of the side and the seat."""
    measures: tuple[Measure, ...] = ()
    """What is counted for its players in statistics, beside wins and points."""
    achievements: tuple[Achievement, ...] = ()
    """What a finished game is remembered for, in the order of the page that ends it."""
    paper: PaperSheet = field(default_factory=PaperSheet)
    """The columns of a score sheet on paper."""
    essentials: Essentials = field(default_factory=Essentials)
    """What the summary on one page holds."""
    fixes: Fixes = field(default_factory=Fixes)
    """Fixes for problems of an entry."""
    agreements: tuple[Agreement, ...] = ()
    """What is asked where a sheet is opened, in the order in which people settle it."""
    examples: JsonObject = field(default_factory=dict)
    """Requests for the API document, by the name of the operation."""
    lessons: Lessons | Deferred[Lessons] | None = None
    """What teaches the game; `load_lessons` returns it."""
    chooser: Path | None = None
    """The file of questions that lead to the way in which people play; None where nothing is asked."""
    texts: str = ""
    """The package that holds this game's `rules_<language>` folders; empty where they come with the program."""

    def load_entry(self) -> Entry | None:
        """Return how its deals are entered on a sheet; None where they are not."""
        return self.entry.load() if isinstance(self.entry, Deferred) else self.entry

    def load_lessons(self) -> Lessons | None:
        """Return what teaches the game; None where nothing does."""
        return self.lessons.load() if isinstance(self.lessons, Deferred) else self.lessons

    def phrase_keys(self) -> Iterator[str]:
        """Yield the key of every interface phrase that this record makes pages ask for; a language must have them."""
        yield "home.about"
        for column in (*self.paper.shared, *self.paper.each):
            yield f"print.{column.name}"
        for tally in self.paper_tallies:
            yield f"print.{tally}"
        presets = [self.options.preset(name).options for name in self.options.presets]
        for tally in dict.fromkeys(tally for rules in presets for tally in self.tallies(rules)):
            yield f"ledger.{tally}"
        for tally in dict.fromkeys(tally for rules in presets for tally in self.tally_limits(rules)):
            yield f"tallies.{tally}-of"
            yield f"tallies.{tally}-left"
        if self.attempts is not None:
            yield "games.attempts"
        for measure in self.measures:
            yield f"measures.{measure.name}"
            yield f"measures.{measure.name}-help"
        for achievement in self.achievements:
            yield f"story.{achievement.name}"
        for agreement in self.agreements:
            yield f"agree.{agreement.id}.question"
            for offer in agreement.offers:
                yield from (f"agree.{agreement.id}.{offer.id}", f"agree.{agreement.id}.{offer.id}-example")
        if self.chooser is not None:
            yield "which.not-here"
            for name, answers in read_chooser(self.chooser).questions.items():
                yield from (f"which.{name}.{each}" for each in ("ask", *answers))
        for question in self.questions:
            yield from (f"asks.{question}.{part}" for part in ("title", "short", "help"))

    def partnership(self, house: HouseRules[object] | None = None) -> Seating:
        """Return how partners sit down under house rules, or else under the first preset in which there are any.

        A game without partners has its usual seating.
        """
        tables = [house] if house else []
        tables += [self.options.preset(name) for name in self.options.presets]
        ways = [way for each in tables for way in self.seatings(each.options)]
        return next((way for way in ways if way.side_players > 1), ways[0])

    def leaders(self, rules: Rules, standing: Mapping[str, Standing]) -> tuple[str, ...]:
        """Return the ids of the sides with the best total under the rules."""
        totals = [at.total for at in standing.values()]
        best = min(totals) if self.lowest_wins(rules) else max(totals)
        return tuple(side for side, at in standing.items() if at.total == best)


class ScoreRequest(NamedTuple):
    """A score request, read: the rules, the sides, what they brought with them, the deals."""

    house: HouseRules[object]
    sides: tuple[Side, ...]
    opening: Mapping[str, Standing]
    deals: tuple[Deal[object], ...]


def read_score_request(game: Game, node: Node) -> ScoreRequest | None:
    """Return a score request from JSON, or None with every problem recorded at the node."""
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
    deals = _read_deals(game, node["deals"], deal_context(game, house.options, sides))
    return ScoreRequest(house, sides, opening, deals)


def score_request(game: Game, request: ScoreRequest, *, after_end: str = "refuse") -> Ledger:
    """The ledger of a score request. Raises Refused where the facts of a deal cannot be."""
    rules = request.house.options
    return keep_ledger(
        game.scorer, rules, request.sides, request.deals,
        opening=request.opening, tallies=game.tallies(rules), after_end=after_end,
    )  # fmt: skip


def score(game: Game, value: object) -> tuple[ScoreRequest, Ledger]:
    """Return a score request in JSON, read, and its ledger. Raises Refused with every problem found."""
    node = request_node(game, value)
    request = node.require(read_score_request(game, node))
    return request, score_request(game, request)


_LABELS: Final = ("game", "title")


def request_labels(game: Game) -> dict[str, s.Field[str]]:
    """Return the fields by which every request may name itself."""
    named = s.Word([game.id], "The game again, as in a file; it must agree.", absent=True)
    called = s.Text("What the request is called; it changes nothing.", absent=True)
    return dict(zip(_LABELS, (named, called), strict=True))


WITNESS: Final = s.Flag("Whether the answer shows that the verdict is right.", absent=True)


def request_node(game: Game, value: object) -> Node:
    """Return the node of a request without the keys by which it names itself, their problems recorded at the node."""
    if not isinstance(value, dict) or not ("game" in value or "title" in value):
        return Node(value, labels=_LABELS)
    labels = request_labels(game)
    node = Node({key: item for key, item in value.items() if key not in labels}, labels=_LABELS)
    for key in labels.keys() & value.keys():
        read_at(Node(value[key], (key,), node.problems), labels[key])
    return node


def read_side_list(node: Node) -> tuple[Side, ...]:
    """Return sides written as ids or as `{"id", "players"}`, each id once; none with problems recorded at the node."""
    if node.value.__class__ is list:
        try:
            return _named_sides(*node.value)
        except (TypeError, Refused):  # sides with players cannot be keys of a cache; problems belong to the node
            pass
    return read_at(node, _SIDES) or ()


@lru_cache(maxsize=256)
def _named_sides(*names: object) -> tuple[Side, ...]:
    """Return sides written as ids, which most lines of a batch have in common. Raises Refused or TypeError."""
    return read(_SIDES, list(names))


def deal_context(game: Game, rules: Rules, sides: Sequence[Side]) -> DealContext:
    """Return what the deals and openings of a score request are read against."""
    ids = tuple([side.id for side in sides])
    return DealContext(rules, tuple(sides), ids, game.deal_keys, game.paper_tallies, game.irregular)


def read_opening(game: Game, node: Node, rules: Rules, sides: Sequence[Side]) -> dict[str, Standing]:
    """Return the standings brought from a paper sheet, empty where none is given; other sides start at nothing."""
    if not node.present:
        return {}
    given = read_at(node, OPENING, context=deal_context(game, rules, sides))
    if not given:
        return {}
    names = game.tallies(rules)
    opening = {}
    for side in sides:
        entry = given.get(side.id, Standing())
        opening[side.id] = Standing(entry.total, {name: entry.tallies.get(name, 0) for name in names})
    for problem in game.check_opening(rules, opening):
        node.problems.append(replace(problem, pointer=(*node.pointer, *problem.pointer)))
    ended = game.scorer.outcome(rules, None, opening, Before(opening, 0, carried_over=True))
    if ended.over and game.target(rules) is not None:
        facts = {"winners": list(ended.winners), "opening": True}
        node.problems.append(Problem(node.pointer, "game-over", facts, ended.reason))
    return opening


def read_deal(game: Game, node: Node, rules: Rules, sides: Sequence[Side]) -> Deal[object]:
    """Return one deal from JSON, a void one with problems recorded at the node."""
    return _read_deal(game, node, deal_context(game, rules, sides))


def _read_deals(game: Game, node: Node, context: DealContext) -> tuple[Deal[object], ...]:
    """Return the deals of a list; those that are not plainly valid are read one by one, with their problems."""
    take = None if game.deal is None else compiled(game.deal)
    if take is not None and isinstance(node.value, list) and len(node.value) <= MAX_ITEMS:
        try:
            return tuple([take(value, context) for value in node.value])
        except NOT_PLAIN:
            pass
    deals = []
    values = read_at(node, _DEALS)
    for place, value in enumerate(values or ()):
        deals.append(_read_deal(game, Node(value, (*node.pointer, place), node.problems), context))
        if len(node.problems) >= MOST_COUNTED:
            break
    return tuple(deals)


def _read_deal(game: Game, node: Node, context: DealContext) -> Deal[object]:
    if is_void(node.value):
        return read_at(node, VoidDealShape, context=context) or Deal(None)
    return read_at(node, game.deal, context=context) or Deal(None)


_SIDES: Final = Sides()
_DEALS: Final = ListOf(Anything())


def with_smallest_facts(
    refused: Refused, request: JsonObject, judge: Callable[[JsonObject], object]
) -> tuple[Problem, ...]:
    """Return the problems of a request, a contradiction of its position with the fewest facts that cannot be together.

    `judge` raises Refused for a request that it cannot judge. Who plays is no fact that could be left out.
    """
    if not all(map(_contradicts, refused.problems)):
        return refused.problems
    gone, last, steps = set[Pointer](), refused.problems[0], iter(range(_MOST_STEPS))
    codes = {problem.code for problem in refused.problems}

    def impossible_without(at: Pointer) -> bool:
        nonlocal last
        gone.add(at)
        try:
            if next(steps, None) is not None:
                judge(_select(request, lambda pointer: pointer not in gone))
        except Refused as less:
            # A hand with cards left out is whole again, and may contradict what all of it does not.
            if all(map(_contradicts, less.problems)) and less.problems[0].code in codes:
                last = less.problems[0]
                return True
        gone.remove(at)
        return False

    def needed(at: Pointer, value: s.Json) -> list[tuple[Pointer, object]]:
        if impossible_without(at):
            return []
        keyed = isinstance(value, dict) and len(at) == len(("position", "piles"))  # else a record, which is one fact
        parts = value.items() if keyed else enumerate(value) if isinstance(value, list) else ()
        inside = [(one, needed(one, part)) for one, part in [((*at, key), part) for key, part in parts]]
        facts = [fact for _, found in inside for fact in found]
        if facts and not all(found and found[0][0] == one for one, found in inside):
            return facts
        gone.difference_update([one for one, _ in inside])  # what is named whole contradicts with all that is in it
        return [(at, value)]

    facts = [
        fact
        for name, value in request["position"].items() if name not in _PLAYERS
        for fact in needed(("position", name), value)
    ]  # fmt: skip
    alike = [one for one in refused.problems if (one.code, one.article) == (last.code, last.article)]
    shown = (alike or refused.problems)[0]
    return tuple([replace(one, witness=tuple(facts)) if one is shown else one for one in refused.problems])


def only_facts(request: JsonObject, facts: Sequence[str]) -> JsonObject:
    """Return a request whose position has only some facts, given as JSON pointers, and who plays."""
    kept = [f"{fact}/" for fact in (*facts, *(f"/position/{name}" for name in _PLAYERS))]

    def wanted(pointer: Pointer) -> bool:
        path = json_pointer(pointer) + "/"
        return pointer[0] != "position" or any(path.startswith(fact) or fact.startswith(path) for fact in kept)

    return {key: _select(part, wanted, (key,)) for key, part in request.items()}


def _select(value: s.Json, wanted: Callable[[Pointer], bool], at: Pointer = ()) -> s.Json:
    """Return the part of a JSON value whose pointers are wanted."""
    if isinstance(value, dict):
        return {key: _select(part, wanted, (*at, key)) for key, part in value.items() if wanted((*at, key))}
    if isinstance(value, list):
        return [_select(part, wanted, (*at, key)) for key, part in enumerate(value) if wanted((*at, key))]
    return value


_PLAYERS: Final = ("seats", "players", "player", "partners")
"""Keys of a position that say who plays."""
_MOST_STEPS: Final = 400


def _contradicts(problem: Problem) -> bool:
    """Return whether a problem is one of facts that can be read, but break an article together."""
    rules_of_input = problem.code in SHAPE_CODES or problem.pointer[:1] in (("rules",), ("move",))
    return bool(problem.article) and not rules_of_input
