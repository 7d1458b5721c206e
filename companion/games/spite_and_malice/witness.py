"""What shows a verdict on a move of a turn to be right: two tables that fit, or the counts that leave no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion.engine.cards import Card
from companion.engine.problems import JsonObject, NamedFacts
from companion.engine.verdict import (
    LEGAL,
    TRUE,
    UNDECIDED,
    AnyOf,
    AtLeast,
    Claim,
    Ground,
    Knowledge,
    Place,
    Question,
    Step,
    Verdict,
    Witness,
    World,
    bounds_of,
    negation,
)
from companion.games.spite_and_malice import articles, hidden
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.deal import Announced, centres, judge_move, kinds_left, ranks_filled_in
from companion.games.spite_and_malice.hidden import CENTRE, RANK, SIDES, knowledge
from companion.games.spite_and_malice.play import can_draw, hidden_source
from companion.games.spite_and_malice.position import ACE, HAND, SECOND_CHANCE, Position, Turn, is_wild, rank_name
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules
from companion.games.spite_and_malice.stacks import accepted, side_article

_OpenFacts = dict[str, object]
_SHOWN: Final = (
    CENTRE, "hands", "partner_payoff", "partner_side_stacks", "payoff", "side_stacks", "complete", "acted",
    "centre_stacks", "stack",
)  # fmt: skip
"""What is shown of a world, the most telling last; all other cards are under these or in the stock."""
_MANY_CASES: Final = 60
"""Cases of what is open that are looked at for one in which the move may be legal and may be illegal."""
_EXPLAINED: Final = ("discard-owed", "second-chance-open")
"""Breaches whose proof says why the exceptions do not apply."""


def witness(verdict: Verdict) -> Witness:
    """Return what shows a verdict on a move of a turn; nothing for other moves."""
    announced = [ground.case for ground in verdict.grounds if isinstance(ground.case, Announced)]
    if not announced or not isinstance(announced[0].move, n.IN_TURN):
        return Witness()
    seat = announced[0].position.player
    cases = (case for at in announced for case in _cases(at))
    if verdict.value == UNDECIDED:
        return _two_tables(seat, cases)
    legal, found = verdict.value == LEGAL, list(cases)
    steps = {repr(step): step for case in found for step in case.steps(legal=not legal)}
    at = announced[0].position
    given = {
        "hand": at.hand, "payoff": at.own.payoff, "side_stacks": at.own.sides, "centre_stacks": at.centre,
        "partner": at.partner, "stock": at.stock, "turns": at.turns,
    }  # fmt: skip
    facts = tuple([name for name, value in given.items() if value not in (None, ())])
    shown = next(
        (
            case.shown(world)
            for case in found
            if legal and case.broken != AnyOf(()) and (world := case.world(negation(case.broken))) is not None
        ),
        None,
    )
    return Witness(seat, shown, facts=facts, chain=tuple(steps.values()))


def _two_tables(seat: str, cases: Iterator[_Case]) -> Witness:
    """Return a table where the move is legal and one where it is not, of one case if that can be."""
    found: dict[bool, _Case] = {}
    for number, case in enumerate(cases):
        known, broken = case.known, case.broken
        can = [legal for legal in (True, False) if known.possible(negation(broken) if legal else broken)]
        found |= {legal: case for legal in can if len(can) > 1 or legal not in found}
        if len(can) > 1 or (len(found) > 1 and number > _MANY_CASES):
            break
    if len(found) < 2:
        return Witness(seat)
    first = found[True].world(negation(found[True].broken))
    second = found[False].world(found[False].broken, first)
    if first is None or second is None:
        return Witness(seat)
    one, other = found[True].shown(first), found[False].shown(second)
    changed = [card for place in one for card in _moved(one[place], other.get(place))]
    return Witness(seat, one, other, tuple(dict.fromkeys(changed)))


def _moved(one: object, other: object) -> list[str]:
    """Return the cards of a place that are there in one of two tables only."""
    if isinstance(one, dict):
        return [card for seat in one for card in _moved(one[seat], other.get(seat) if isinstance(other, dict) else ())]
    if not isinstance(one, list) or not isinstance(other, list):
        return []
    before, after = Counter(one), Counter(other)
    return [*(before - after), *(after - before)]


class _Case:
    """One case of what is open about a table: where the move is wrong in it, and the facts."""

    def __init__(self, at: Announced, ground: Ground, facts: _OpenFacts, *extra: Claim) -> None:
        self.at, self.ground, self.facts = at, ground, facts
        claims = tuple([question.claim for question in ground.questions])
        self.broken: Claim = TRUE if ground.breaches else AnyOf(claims)
        self.wild: list[int] = []
        self.known = knowledge(at.rules, at.position, *at.shown, *extra)

    def world(self, claim: Claim, like: World | None = None) -> World | None:
        """Return a distribution where a claim is true, with a hand of the usual size if that can be."""
        usual = tuple([
            Place.of(HAND, HAND_SIZE) if one.name == HAND and one.least < HAND_SIZE < one.most else one
            for one in self.known.places
        ])  # fmt: skip
        for known in (replace(self.known, places=usual), self.known):
            found = known.world(claim, like)
            if not isinstance(found, tuple):
                return found
        return None

    def shown(self, world: World) -> JsonObject:
        """Return a distribution as JSON, with the facts of the case."""
        cards = {
            place: [rank_name(self.at.rules, (bit.bit_length() - 1) % len(RANK)) for bit in bits]
            for place, bits in world.items()
        }
        if HAND in cards:
            named = getattr(self.at.move, "card", None)
            if named is not None and getattr(self.at.move, "source", HAND) == HAND:
                cards[HAND].remove(named.rank)
        hands = {"hands": {self.at.position.player: cards[HAND]}} if HAND in cards else {}
        shown = {**cards, **hands, CENTRE: self._on_stacks(cards.get(CENTRE, [])), **self.facts}
        return {place: shown[place] for place in _SHOWN if place in shown}

    def _on_stacks(self, cards: list[str]) -> list[str]:
        """Return the cards on top of the centre stacks in order: wild ones where no other is left."""
        laid: list[str] = []
        for top in self.at.position.centre or ():
            name = rank_name(self.at.rules, top or 0)
            laid.append(name if name in cards and len(laid) not in self.wild else "")
            if laid[-1]:
                cards.remove(name)
        return [card or cards.pop() for card in laid]

    def steps(self, *, legal: bool) -> Iterator[Step]:
        """Yield the counts for which the move is in no world legal, or illegal."""
        asked = self.ground.decisive(self.known.world) if legal and self.broken != TRUE else None
        broken = asked.claim if asked else self.broken
        found = self.known.world(negation(broken) if legal else broken)
        if not isinstance(found, tuple):
            return
        cases = list(self._by_cases()) if legal and not asked and broken != TRUE else []
        yield from cases
        for cut in found:
            cards = _ranks(self.at.rules, cut.cards, self.known)
            bounds = [bound for bound in bounds_of(broken) if bound.place in cut.places]
            for bound in bounds if not cut.count else ():
                cards += [] if self.known.count(bound.cards) else _ranks(self.at.rules, bound.cards, None)
            code = "too-many" if not cut.need else "too-few" if cut.count > 0 else "none-left" if cards else "whichever"
            facts = {"cards": list(dict.fromkeys(cards)), "count": cut.count, "seats": cut.seats}
            if asked and asked.code in _EXPLAINED and {*cut.places} == {HAND} and cut.need:
                code, facts = asked.code, {**facts, **self._reasons(asked)}
            elif code == "whichever":
                named = [str(card) for card in self._in_hand()[:1]] if {*cut.places} == {HAND} else []
                facts |= {"card": named, "illegal": legal}
                facts |= {"article": asked.article.id} if asked else {}
            if code != "whichever" or not cases:
                yield Step(code, facts | {"places": list(dict.fromkeys(cut.places))})

    def _in_hand(self) -> Sequence[Card]:
        """Return the cards that are known to be in the hand: all of it, or the one that the move names."""
        named, source = getattr(self.at.move, "card", None), getattr(self.at.move, "source", HAND)
        return self.at.position.hand or ([named] if named and source == HAND else [])

    def _reasons(self, asked: Question) -> NamedFacts:
        """Return what shows that a discard is owed, or a card in a second chance."""
        at, rules = self.at.position, self.at.rules
        full = None if at.own.sides is None else len([one for one in at.own.sides if one]) >= SIDE_PLACES
        fitting = sorted({card.rank for card in self._in_hand()}.intersection(asked.facts.get("cards", ())))
        return {
            "seat": at.player, "held": at.held, "stock": at.stock, "fitting": fitting, "shown": at.hand is None,
            "full": full, "free": rules.discard_rule == "free", "turns": bool(at.turns),
            "cited": (side_article(rules, ()) if asked.code == "discard-owed" else articles.SECOND_CHANCE).id,
            "ace": None if rules.discard_ace else rank_name(rules, ACE),
        }  # fmt: skip

    def _by_cases(self) -> Iterator[Step]:
        """Yield which article is broken in which case: one where a place has certain cards, or else the last."""
        asked = [one for one in self.ground.questions if not one.table]
        plain = {
            bound: one
            for one in asked
            for bound in (one.claim.claims if isinstance(one.claim, AnyOf) else (one.claim,))
            if isinstance(bound, AtLeast) and bound.count == 1
        }
        for last in reversed(asked):
            others = [bound for bound, one in plain.items() if one is not last]
            if not self.known.decide(AnyOf((last.claim, *others))):
                continue
            for bound in list(others):
                left = [each for each in others if each != bound]
                others = left if self.known.decide(AnyOf((last.claim, *left))) else others
            for one in sorted(asked, key=lambda one: one is last):
                bounds = [bound for bound in others if plain[bound] is one]
                ranks = [rank for bound in bounds for rank in _ranks(self.at.rules, bound.cards, self.known)]
                places = list(dict.fromkeys(bound.place for bound in bounds))
                if ranks or one is last:
                    facts = {**self._reasons(one), "article": one.article.id, "when": ranks, "places": places}
                    yield Step(
                        one.code if one.code in _EXPLAINED else "case", {**facts, "otherwise": True, "cards": []}
                    )
            return


def _ranks(rules: SpiteRules, kinds: int, known: Knowledge | None) -> list[str]:
    """Return ranks; with a star where of the hidden ones only those are meant that pay-off piles may have."""
    hidden_kinds = known.hidden if known else kinds
    found = []
    for rank, every in enumerate(RANK):
        here = kinds & every & hidden_kinds
        beside = hidden_kinds & every & ~kinds
        if here:
            star = "*" if beside and here >= 1 << 2 * len(RANK) and beside < 1 << 2 * len(RANK) else ""
            found.append(rank_name(rules, rank) + star)
    return found


def _cases(at: Announced) -> Iterator[_Case]:
    """Yield every case of what is open about the table, each with the move as it is judged there."""
    rules, move = at.rules, at.move
    onto = move.to if isinstance(move, n.Play) else None
    tables: Iterable[Position] = [at.position]
    if at.position.centre is None:
        tables = centres(rules, at.position, move)
    elif None in at.position.centre:
        tables = ranks_filled_in(rules, at.position, onto)
    wild = [place for place, top in enumerate(at.position.centre or ()) if top is None]
    for table in tables:
        facts: _OpenFacts = {"centre_stacks": [rank_name(rules, top or 0) for top in table.centre or ()]}
        uncounted = at.position.centre is None and at.position.complete is None
        for position, more in _with_open_facts(rules, table, move, uncounted=uncounted):
            for case in _moves(rules, position, move, facts | more):
                case.wild = wild
                yield case


def _with_open_facts(
    rules: SpiteRules, table: Position, move: n.Move, *, uncounted: bool
) -> Iterator[tuple[Position, _OpenFacts]]:
    """Yield the table with each case of whether somebody broke a deadlock, and whether there is anything to draw."""
    cases: list[tuple[Position, _OpenFacts]] = [(table, {})]
    if rules.second_chance_scope == "until_broken" and table.turns is None and table.phase == SECOND_CHANCE:
        cases = [(replace(table, turns=(Turn(table.player, acted),)), {"acted": acted}) for acted in (True, False)]
    for position, facts in cases:
        draw = can_draw(rules, position)
        if rules.discard_required and isinstance(move, n.EndTurn) and (draw is None or (uncounted and not draw)):
            for count in (0, 1):
                yield replace(position, complete=count, set_aside=0, incomplete=0), {**facts, "complete": count > 0}
        else:
            yield position, facts


def _moves(rules: SpiteRules, position: Position, move: n.Move, facts: _OpenFacts) -> Iterator[_Case]:
    """Yield the cases of a hidden card that the move does not name, or of a hidden stack that it goes to."""
    if isinstance(move, n.Play) and move.card is None and (place := hidden_source(position, move)):
        for card in kinds_left(rules, position, move):
            top = {place: [card.rank]} if move.source in n.PAYOFF_SOURCES else {"stack": [card.rank]}
            yield _judged(rules, position, replace(move, card=card), facts | top)
        return
    if (
        isinstance(move, n.Discard)
        and position.own.sides is None
        and move.to != n.NEW
        and move.owner == "own"
        and rules.discard_rule != "free"
        and move.card is not None
        and not is_wild(rules, move.card)
    ):
        for rank in range(len(hidden.RANK)):
            covering = Card(rank_name(rules, rank))
            stack = (move.card, covering) if is_wild(rules, covering) else (covering,)
            named = facts | {"stack": [card.rank for card in stack]}
            one = _judged(rules, position, move, named, hidden.holds(SIDES, rank))
            if move.card.pips not in accepted(rules, stack):
                one.broken = TRUE
            yield one
        return
    yield _judged(rules, position, move, facts)


def _judged(rules: SpiteRules, position: Position, move: n.Move, facts: _OpenFacts, *extra: Claim) -> _Case:
    ground = judge_move(rules, position, move).grounds[0]
    at = ground.case if isinstance(ground.case, Announced) else Announced(rules, position, move, ())
    return _Case(at, ground, facts, *extra)
