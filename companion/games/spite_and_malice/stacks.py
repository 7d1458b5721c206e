"""What stacks accept, and when they are recycled or dealt again; the ruling in which a judge collects findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from companion.engine import verdict as v
from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.verdict import FALSE, TRUE, AnyOf, AtLeast, Claim, Decided, Ground, Knowledge, Question, decide
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import hidden
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.hidden import ALL, SIDES
from companion.games.spite_and_malice.position import ACE, SECOND_CHANCE, Position, idle_run, is_wild, rank_name
from companion.games.spite_and_malice.rules import HAND_SIZE, SIDE_PLACES, SpiteRules

_SEVEN: Final = 7
_C = TypeVar("_C")
Facts = tuple[str, ...]
"""Facts that would decide, by the names of `missing`."""
_Maker = Callable[[], Mapping[str, object]]


class Ruling(v.Ruling):
    """Collects breaches, conditions and what is missing; the effect is worked out of a legal move only."""

    __slots__ = ("_effects", "_known", "seat")

    def __init__(self, seat: str, known: Callable[[], Knowledge]) -> None:
        """`seat` is whose hand `hand` asks for; `known` returns what is known of the hidden cards."""
        super().__init__()
        self.seat = seat
        self._known = known
        self._effects: list[_Maker] = []

    def breach_if(
        self, claim: Claim, article: Article, code: str, asks: Facts, /, table: Facts = (), **facts: object
    ) -> None:
        """Record an article that is broken in the worlds where a claim is true; `asks` are the facts that decide.

        With `table` it is only broken there if these unknown facts of the table are such, too.
        """
        if claim == FALSE:
            return
        if claim != TRUE or table:
            self.questions.append(Question(claim, article, code, facts, asks, table))
        else:
            self.breach(article, code, **facts)

    def then(self, effect: _Maker) -> None:
        """Record a part of what a legal move changes."""
        self._effects.append(effect)

    def verdict(self, case: object = None) -> v.Verdict:
        """Return the verdict: illegal if every world breaks an article, legal if none does and nothing is missing.

        `case` is what was judged.
        """
        grounds = (Ground(case, tuple(self.questions), tuple(self.breaches)),)
        if self.questions:
            self._decide()
        if self.breaches:
            return v.Verdict(tuple(self.breaches), grounds=grounds)
        if self.missing:
            return v.Verdict(missing=tuple(self.missing), grounds=grounds)
        for make in self._effects:
            self.effect |= make()
        return v.Verdict(because=tuple(self.because), effect=self.effect, grounds=grounds)

    def _decide(self) -> None:
        known = self._known()
        # A record may contradict itself, which is another finding; nothing follows from such cards.
        unclear = Decided([], [(one, one.claim == TRUE or None) for one in self.questions], False)
        decided = decide(known.decide, self.questions) if known.consistent else unclear
        for one in decided.certain:
            self.breach(one.article, one.code, **one.facts)
        if self.breaches:
            return
        if decided.either:  # none of them in every world, but always one
            for one, _ in decided.open:
                if not one.table:
                    self.breach(one.article, "either-way")
        elif decided.open:
            self._lack(known, decided.open)

    def _lack(self, known: Knowledge, live: Sequence[tuple[Question, bool | None]]) -> None:
        """Record the fewest facts that decide what is open: with facts of the table among them, or without."""
        asked = dict.fromkeys(fact for one, broken in live if not broken for fact in one.asks)
        table = dict.fromkeys(fact for one, _ in live for fact in one.table)
        wanted = {*asked, *table}
        if len(wanted) > 1 and known.consistent:
            wanted = _fewest(known, live, {fact: (fact,) for fact in asked}, table) or wanted
        for one, broken in live:
            for fact in (*one.table, *(() if broken else one.asks)):
                if fact in wanted:
                    self.lack(fact, one.article, self.seat if fact == "hand" else None)


def _fewest(
    known: Knowledge,
    live: Sequence[tuple[Question, bool | None]],
    facts: Mapping[str, tuple[str, ...]],
    table: Iterable[str],
) -> set[str] | None:
    """Return the fewest of these facts and of those of the table that decide what is open."""
    sure = tuple(one.claim for one, _ in live if not one.table)
    perhaps = [one.claim for one, _ in live if one.table]
    most = AnyOf((*sure, *perhaps))
    alone = known.smallest([(AnyOf(sure), most)], facts, kinds=hidden.RANK, enough=not perhaps)
    if not perhaps:
        return None if alone is None else set(alone)
    exact = [AnyOf(sure), most, *(AnyOf((*sure, one)) for one in perhaps)]
    with_table = known.smallest([(claim, claim) for claim in exact], facts, kinds=hidden.RANK)
    found = [set(alone)] if alone is not None else []
    if with_table is not None:
        found.append({*with_table, *table})
    return min(found, key=len, default=None)


def accepted(rules: SpiteRules, stack: Sequence[Card]) -> range:
    """Return the ranks of natural cards that may be laid on a side stack (SNM-051 to 053, 065 to 068, 103).

    Wild cards are not among them: one goes on every stack that is there. An empty stack stands for a free place.

    >>> [rank_name(SpiteRules(), rank) for rank in accepted(SpiteRules(), (Card("8"), Card("X")))]
    ['6', '7', '8']
    """
    ranks = _ranks(rules, stack)
    return ranks if rules.discard_ace else range(max(ACE + 1, ranks.start), ranks.stop)


def _ranks(rules: SpiteRules, stack: Sequence[Card]) -> range:
    """Return the ranks that fit, including the ace even if the table does not let it be discarded."""
    natural = len(stack)
    while natural and is_wild(rules, stack[natural - 1]):
        natural -= 1
    if rules.discard_rule == "free" or natural == 0:
        return range(ACE, rules.top + 1)
    base, wild = stack[natural - 1].pips, len(stack) - natural
    return range(max(ACE, base - wild - 1), base + 1)


def room(rules: SpiteRules, position: Position) -> bool | None:
    """Return whether another centre stack may be opened, or None if unknown (SNM-031, 212, 304).

    Completed stacks take a place only if they stay; a wild card of unknown rank may have completed its stack or not.
    """
    if rules.centre_max is None or position.centre is None:
        return rules.centre_max is None or None
    stay = rules.centre_done == "stay"
    taken = sum(stay or top != rules.top for top in position.centre)
    if taken < rules.centre_max:
        return True
    return None if not stay and taken - position.centre.count(None) < rules.centre_max else False


def judge_opening(rules: SpiteRules, position: Position, card: Card | None, ruling: Ruling) -> None:
    """Judge a card that opens a centre stack: there is room, and it is an ace or a wild card used as one."""
    free = room(rules, position)
    if free is False:
        ruling.breach(a.CENTRE_PLACES, "centre-full", places=rules.centre_max)
    elif free is None and position.centre is None:
        ruling.lack("centre_stacks", a.CENTRE_PLACES)
    for place, top in enumerate(position.centre or ()):
        if free is None and top is None:
            ruling.lack("centre_rank", a.CENTRE_PLACES, stack=place)
    if card is None:
        return
    if is_wild(rules, card):
        article = wild_article(card, a.JOKER_AS_ACE, a.KING_AS_ACE)
        if rules.wild_as_ace:
            ruling.allow(article, card=str(card), rank=rank_name(rules, ACE))
        else:
            ruling.breach(a.OPEN_STACK if card.rank == n.JOKER else article, "wild-opens", card=str(card))
    elif card.pips == ACE:
        ruling.allow(a.OPEN_STACK)
    else:
        ruling.breach(a.OPEN_STACK, "opens-with-ace", card=str(card), needed=rank_name(rules, ACE))


def judge_climb(rules: SpiteRules, top: int, card: Card | None, ruling: Ruling) -> None:
    """Judge a card onto a centre stack with this effective top: one rank higher or wild, the stack not complete."""
    if top >= rules.top:
        ruling.breach(_done_article(rules), "stack-complete", top=rank_name(rules, top))
    elif card is None:
        return
    elif is_wild(rules, card) and not wild_fits(rules, top):
        ruling.breach(a.NOT_AS_SEVEN, "wild-as-seven", card=str(card))
    elif is_wild(rules, card):
        article = wild_article(card, a.JOKER_TO_CENTRE, a.KING_TO_CENTRE)
        ruling.allow(article, card=str(card), rank=rank_name(rules, top + 1))
    elif card.pips == top + 1:
        ruling.allow(a.NEXT_RANK, top=rank_name(rules, top), card=str(card))
    else:
        ruling.breach(
            a.NEXT_RANK, "next-rank", top=rank_name(rules, top), needed=rank_name(rules, top + 1), card=str(card)
        )


def wild_fits(rules: SpiteRules, top: int) -> bool:
    """Return whether a wild card may go onto an unfinished stack with this top, or open one on 0 (SNM-062, ALO-004)."""
    return (rules.wild_as_ace or top != 0) and (rules.wild_as_seven or top + 1 != _SEVEN)


def wild_article(card: Card, joker: Article, king: Article) -> Article:
    """Return the article on a wild card of its kind."""
    return a.NUMBERED_WILD if card.rank == n.WILD else joker if card.rank == n.JOKER else king


def _done_article(rules: SpiteRules) -> Article:
    """Return the article on completed stacks under these rules."""
    return {"stay": a.COMPLETED_STACK, "set_aside": a.SET_ASIDE, "shuffle_now": a.SHUFFLED_IN}[rules.centre_done]


def judge_new_side(own: n.Piles, ruling: Ruling) -> None:
    """Judge whether there is a free place for another side stack (SNM-050)."""
    if own.sides is None:
        full = AtLeast(SIDES, ALL, SIDE_PLACES)
        ruling.breach_if(full, a.SIDE_STACKS, "sides-full", ("side_stacks",), places=SIDE_PLACES)
    elif sum(map(bool, own.sides)) >= SIDE_PLACES:
        ruling.breach(a.SIDE_STACKS, "sides-full", places=SIDE_PLACES)


def judge_side(rules: SpiteRules, stack: Sequence[Card], card: Card, ruling: Ruling) -> None:
    """Judge a card onto a side stack from the stack's present contents alone (SNM-053, 065 to 068)."""
    if is_wild(rules, card):
        ruling.allow(wild_article(card, a.JOKER_DISCARDED, a.KING_DISCARDED), card=str(card))
        return
    if n.is_natural(rules, card, ACE) and not rules.discard_ace:
        ruling.breach(a.ACE_STAYS_IN_HAND, "ace-discarded", card=str(card))
    article = side_article(rules, stack)
    if card.pips in _ranks(rules, stack):
        ruling.allow(article, **({"top": str(stack[-1])} if stack else {}), card=str(card))
    else:
        code = "joker-range" if article is a.JOKER_RANGE else "same-or-lower"
        ruling.breach(article, code, top=str(stack[-1]), card=str(card), accepted=_offered(rules, stack))


def judge_unknown_side(rules: SpiteRules, card: Card, ruling: Ruling) -> None:
    """Judge a card onto a side stack that is not known: some cards fit every stack, some fit none."""
    barred = n.is_natural(rules, card, ACE) and not rules.discard_ace
    if barred or is_wild(rules, card) or rules.discard_rule == "free":
        judge_side(rules, (), card, ruling)
    else:
        ruling.lack("side_stacks", a.SAME_OR_LOWER)


def side_offers(rules: SpiteRules, piles: n.Piles) -> Iterator[tuple[int | str, list[str]]]:
    """Yield every place for a discard with the natural ranks it accepts, highest first; a new stack is `new`."""
    stacks = piles.sides or ()
    yield from ((place, _offered(rules, stack)) for place, stack in enumerate(stacks) if stack)
    if piles.sides is not None and sum(map(bool, stacks)) < SIDE_PLACES:
        yield n.NEW, _offered(rules, ())


def _offered(rules: SpiteRules, stack: Sequence[Card]) -> list[str]:
    return [rank_name(rules, rank) for rank in reversed(accepted(rules, stack))]


def with_discard(sides: Iterable[Sequence[_C]], to: int | str, card: _C) -> list[list[_C]]:
    """Return side stacks with a card on one of them, or on the first free place.

    >>> with_discard([["9"], []], "new", "4"), with_discard([["9"]], 3, "4")
    ([['9'], ['4']], [['9'], ['4']])
    """
    stacks = [*map(list, sides), []]
    place = to if isinstance(to, int) else stacks.index([])
    stacks[min(place, len(stacks) - 1)].append(card)
    return stacks if stacks[-1] else stacks[:-1]


def side_article(rules: SpiteRules, stack: Sequence[Card]) -> Article:
    """Return the article that says which cards go on a side stack, or on a free place."""
    if rules.discard_rule == "free":
        return a.NUMBERED_DISCARD if rules.numbered else a.FREE_DISCARDS if rules.jokers else a.ANY_CARD_ANYWHERE
    if not stack or not is_wild(rules, stack[-1]):
        return a.SAME_OR_LOWER if stack else a.NEW_SIDE_STACK
    return a.ONLY_JOKERS if all(is_wild(rules, card) for card in stack) else a.JOKER_RANGE


# Stock and deadlock --------------------------------------------------------------------------------------------------


def judge_complete(rules: SpiteRules, position: Position, move: n.Complete, ruling: Ruling) -> None:
    """Judge a completed stack and what becomes of it (SNM-034, 219, 310)."""
    article = _done_article(rules)
    if move.done != rules.centre_done:
        ruling.breach(article, "completed-otherwise", done=move.done, centre_done=rules.centre_done)
    if position.centre is None:
        ruling.lack("centre_stacks", article)
    elif move.stack >= len(position.centre):
        ruling.breach(a.CENTRE, "no-such-stack", stack=move.stack)
    else:
        top = position.centre[move.stack]
        if top is None:
            ruling.lack("centre_rank", article, stack=move.stack)
        elif top < rules.top:
            ruling.breach(article, "not-complete", top=rank_name(rules, top), needed=rank_name(rules, rules.top))
    ruling.allow(article)
    ruling.then(lambda: {"completed": rules.centre_done})


def judge_recycle(rules: SpiteRules, position: Position, move: n.Recycle, ruling: Ruling) -> None:
    """Judge recycling stacks into the stock: when, by whom, and which (SNM-080 to 083, 125, 220)."""
    if not rules.replenished:
        ruling.breach(_done_article(rules), "never-recycled")
        return
    _judge_low(rules, position, ruling)
    by_player = move.by == "player" if move.seat is None else move.seat == position.player
    if by_player and rules.recycle_by == "opponent":
        ruling.breach(a.WHO_RECYCLES, "opponent-recycles")
    complete = count = stacks_complete(rules, position)
    article = a.RECYCLE_SET_ASIDE if rules.recycle_source == "complete_only" else a.RECYCLE_COMPLETE
    if move.what == "incomplete":
        if rules.recycle_source == "complete_only":
            ruling.breach(article, "only-complete")
            return
        article, count = a.RECYCLE_INCOMPLETE, stacks_incomplete(rules, position)
        if complete is None:
            ruling.lack("complete", article)
        elif complete:
            ruling.breach(article, "complete-first", complete=complete)
    elif rules.centre_done == "shuffle_now":
        article = a.SHUFFLED_IN
    if count is None:
        ruling.lack(move.what, article)
    elif not count:
        ruling.breach(article, "nothing-to-recycle", what=move.what)
    ruling.allow(article)
    ruling.then(lambda: {"recycled": move.what, "under_stock": True})


def judge_second_chance(rules: SpiteRules, position: Position, move: n.SecondChance, ruling: Ruling) -> None:
    """Judge the announcement that everybody has been idle and gets one further turn (SNM-071)."""
    if not rules.redealt:
        ruling.breach(a.STALEMATE, "no-second-chance")
    elif position.turns is None:
        if position.phase != SECOND_CHANCE:
            ruling.lack("turns", a.SECOND_CHANCE)
    elif position.phase != SECOND_CHANCE:
        every = 2 * rules.players
        if redeal_due(rules, position):
            ruling.breach(a.REDEAL, "redeal-due", idle=every)
        else:
            idle = len(idle_run(position.turns)) % every
            ruling.breach(a.SECOND_CHANCE, "not-all-idle", idle=idle, needed=rules.players)
    ruling.allow(a.SECOND_CHANCE)
    ruling.then(lambda: {"phase": SECOND_CHANCE})


def redeal_due(rules: SpiteRules, position: Position) -> bool:
    """Return whether everybody was idle twice in a row, so that the cards are dealt again before any turn (SNM-074).

    A log that somebody tells and that goes on after that tells of turns after they were.
    """
    idle, every = len(idle_run(position.turns or ())), 2 * rules.players
    return rules.redealt and idle >= every and (position.laid is not None or idle % every == 0)


def judge_redeal(rules: SpiteRules, position: Position, move: n.Redeal, ruling: Ruling) -> None:
    """Judge dealing again everything but the pay-off piles, after two idle rounds in a row (SNM-074 to 076)."""
    if not rules.redealt:
        ruling.breach(a.STALEMATE, "no-redeal")
        return
    if position.turns is None:
        ruling.lack("turns", a.REDEAL)
        return
    needed, idle = 2 * rules.players, idle_run(position.turns)
    if len(idle) < needed:
        ruling.breach(a.REDEAL, "redeal-too-early", idle=len(idle), needed=needed)
        return
    first = idle[0].player  # a turn too many changes nothing
    if move.first != first:
        ruling.breach(a.REDEAL_STARTER, "redeal-starter", first=first, named=move.first)
    ruling.allow(a.REDEAL)
    ruling.allow(a.REDEAL_STARTER, first=first)
    enough = rules.cards >= rules.players * (rules.payoff_size + HAND_SIZE)
    hands = {"hand_count": HAND_SIZE} if enough else {}
    ruling.then(lambda: {"first": first, **hands, "side_stacks": [], "centre_stacks": []})


def stacks_complete(rules: SpiteRules, position: Position) -> int | None:
    """Return the number of completed stacks, those set aside among them, or None if it is not known to be above 0."""
    aside = position.set_aside
    if aside is None and (rules.centre_done != "set_aside" or position.complete is not None):
        aside = 0
    shown = [position.complete]
    if position.complete is None:
        tops = (None,) if position.centre is None else position.centre
        shown = [None if top is None else int(top == rules.top) for top in tops]
    return sum(filter(None, (*shown, aside))) or (None if None in (*shown, aside) else 0)


def stacks_incomplete(rules: SpiteRules, position: Position) -> int | None:
    """Return the number of incomplete centre stacks, or None if unknown."""
    if position.incomplete is not None:
        return position.incomplete
    tops = (None,) if position.centre is None else position.centre
    return sum(top is not None and top != rules.top for top in tops) or (None if None in tops else 0)


def _judge_low(rules: SpiteRules, position: Position, ruling: Ruling) -> None:
    """Judge whether the stock is low enough: at the threshold, or too short for the cards that must be drawn."""
    article = a.STOCK_LOW if rules.recycle_source == "complete_then_incomplete" else a.RECYCLE_SET_ASIDE
    stock, held = position.stock, position.held
    if stock is None:
        ruling.breach(article, "stock-not-low", threshold=rules.recycle_threshold)
        return
    drawing = not position.refilled or draws_last(rules, position)
    to_draw = HAND_SIZE - held if drawing and held is not None else HAND_SIZE if held == 0 else 0
    if stock <= rules.recycle_threshold or stock < to_draw:
        ruling.allow(article, stock=stock)
    elif held is None and stock < HAND_SIZE:
        enough = AtLeast(n.HAND, ALL, HAND_SIZE - stock if drawing else 1)
        ruling.breach_if(enough, article, "stock-not-low", ("hand",), stock=stock, threshold=rules.recycle_threshold)
    else:
        ruling.breach(article, "stock-not-low", stock=stock, threshold=rules.recycle_threshold)


def draws_last(rules: SpiteRules, position: Position) -> bool:
    """Return whether the discard has been made and the hand is still to be filled, which ends the turn (ALO-010)."""
    return rules.refill_at == "end" and position.discarded and position.held not in range(HAND_SIZE, 2 * HAND_SIZE + 1)
