"""A whole deal: its turns as text, the replay with what later cards prove, the judge of every kind of move.

As text `c*9S*9H.5C*B1*9` captures with the 9S the 9H, the 5C and the build B1, as 9. A play is its kind, the hand card,
other cards, builds and the announced value, separated by `*`; empty parts at the end are left out. Plays of a turn are
joined by `_`, turns of a deal by `-`; a digit before a turn is the index of the seat that took it out of turn. A text
names cards without grouping them: how they form sets depends on the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.engine.cards import Card
from companion.engine.dialogue import join_cards, read_cards
from companion.engine.problems import JsonObject, Node
from companion.engine.shapes import Attributes, Seat, Shape, read_at, shape_of
from companion.engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDECIDED,
    AtMost,
    Breach,
    Finding,
    Judged,
    Place,
    Question,
    Ruling,
    Verdict,
    bounds_of,
    record_contradicts,
)
from companion.games.casino import articles as a
from companion.games.casino.articles import ARTICLES
from companion.games.casino.capture import build_values, play_turn, sets_of
from companion.games.casino.hidden import BITS, ELSEWHERE, STOCK, Shown, Unseen, any_of, hand_of
from companion.games.casino.rules import NO_HALVES, CasinoRules
from companion.games.casino.score import FALSE_BUILD, UNCLAIMED, card_lines, from_cards, is_false_build, remedy_for
from companion.games.casino.shapes import Hands, Record
from companion.games.casino.table import (
    AUGMENT,
    BUILD,
    CAPTURE,
    COURTS,
    FIRST_CARDS,
    MOVE,
    RAISE,
    TRAIL,
    Around,
    Base,
    Build,
    DealPlan,
    Dealt,
    Draw,
    Layer,
    Layout,
    Material,
    Play,
    Position,
    Recut,
    Request,
    Seats,
    alone_values,
    capturers,
    check_ids,
    deal_plan,
    full_pack,
    hand_values,
    names,
    pack_article,
    read_against,
    read_around,
    recut_played,
    seats_of,
    total,
)

KINDS: Final = {"c": CAPTURE, "b": BUILD, "r": RAISE, "a": AUGMENT, "t": TRAIL}
"""Kinds of plays by their letter."""
MAX_PLAYS: Final = 12
MAX_TURNS: Final = 60
_NO_BUILD: Final = "?"
"""The id of the base of an augmented build that names none."""
_LETTERS: Final = {kind: letter for letter, kind in KINDS.items()}
_PARTS: Final = 5
_MAX_ID: Final = 8
_MAX_BUILDS: Final = 8
_SEATS: Final = "01234"


@dataclass(frozen=True, slots=True)
class Draft:
    """A play as it is tapped together: its kind, the hand card, other cards, builds by id, the announced value."""

    kind: str = ""
    card: Card | None = None
    marked: tuple[Card, ...] = ()
    named: tuple[str, ...] = ()
    value: int | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all cards of the play outside builds, the hand card last."""
        return (*self.marked, *([self.card] if self.card else []))

    @property
    def empty(self) -> bool:
        """Return whether nothing has been tapped yet."""
        return not (self.card or self.marked or self.named)


def parse_draft(text: str) -> Draft:
    """Return the play that a text stands for; unreadable parts are skipped.

    >>> parse_draft("b*6S*3D**9")
    Draft(kind='build', card=Card(rank='6', suit='S'), marked=(Card(rank='3', suit='D'),), named=(), value=9)
    >>> parse_draft("?")
    Draft(kind='', card=None, marked=(), named=(), value=None)
    """
    letter, card, marked, named, value = (*text.split("*"), *[""] * _PARTS)[:_PARTS]
    number = int(value) if value.isascii() and value.isdecimal() and len(value) < 3 else None
    return Draft(
        KINDS.get(letter, ""),
        next(iter(read_cards([card])), None),
        read_cards(marked.split(".")),
        tuple(name[:_MAX_ID] for name in named.split(".") if name)[:_MAX_BUILDS],
        number,
    )


def format_draft(draft: Draft) -> str:
    """Return a play as text.

    >>> format_draft(parse_draft("c*9S*9H.5C*B1*9"))
    'c*9S*9H.5C*B1*9'
    >>> format_draft(parse_draft("t*KC"))
    't*KC'
    """
    letter = _LETTERS.get(draft.kind, "")
    parts = (letter, str(draft.card or ""), join_cards(draft.marked), ".".join(draft.named), str(draft.value or ""))
    return "*".join(parts).rstrip("*")


def split_plays(text: str) -> tuple[str, ...]:
    """Return the plays of a turn, each as text.

    >>> split_plays("b**4D.5C**9_t*KC")
    ('b**4D.5C**9', 't*KC')
    """
    return tuple(one for one in text.split("_") if one)[:MAX_PLAYS]


def join_plays(texts: Sequence[str]) -> str:
    """Return plays, each as text, as the text of a turn."""
    return "_".join(texts[:MAX_PLAYS])


def parse_plays(text: str) -> tuple[Draft, ...]:
    """Return the plays of a turn."""
    return tuple(parse_draft(one) for one in split_plays(text))


def split_turns(text: str) -> tuple[str, ...]:
    """Return the turns of a deal, each as text."""
    return tuple(one for one in text.split("-") if one)[:MAX_TURNS]


def join_turns(texts: Sequence[str]) -> str:
    """Return turns, each as text, as the text of a deal."""
    return "-".join(texts)


def parse_turn(text: str) -> tuple[int | None, tuple[Draft, ...]]:
    """Return the index of the seat that played out of turn, None where none is named, and the plays.

    >>> parse_turn("2t*KC")[0], len(parse_turn("2t*KC")[1])
    (2, 1)
    """
    seat = int(text[0]) if text[:1].isdecimal() else None
    return seat, parse_plays(text.lstrip(_SEATS))


def announced_values(draft: Draft, layout: Layout) -> tuple[int, ...]:
    """Return the values that can be announced with these cards; where there is one, it needs no question."""
    rules, cards = layout.rules, draft.cards
    if draft.kind == BUILD:
        return build_values(rules, cards)
    if draft.kind == AUGMENT:
        build = next((layout.builds[name] for name in draft.named if name in layout.builds), None)
        return (build.value,) if build else build_values(rules, cards)
    if draft.kind == CAPTURE and draft.card is not None:
        return hand_values(rules, draft.card)
    return ()


def announced_value(draft: Draft, layout: Layout) -> int:
    """Return the value announced: the one chosen, else the highest possible, else the sum of the cards."""
    possible = announced_values(draft, layout)
    if draft.value in possible:
        return draft.value or 0
    return max(possible, default=total(layout.rules, draft.cards))


def play_of(draft: Draft, layout: Layout) -> Play:
    """Return the play that a draft amounts to on this table; its cards form sets of the value where they can."""
    value = announced_value(draft, layout)
    if draft.kind == CAPTURE:
        several = draft.card is not None and len(hand_values(layout.rules, draft.card)) > 1
        material = Material(_loose(draft.marked, layout), draft.card, _piles(draft.marked, layout), draft.named)
        return Play(CAPTURE, material, declared=value if several else None)
    if draft.kind == BUILD:
        sets = _sets(layout.rules, draft.cards, value)
        if len(sets) > 1:
            return Play(BUILD, Material(), tuple(_material(one, draft, layout) for one in sets), value)
        return Play(BUILD, _material(draft.cards, draft, layout, builds=draft.named), value=value)
    if draft.kind == RAISE:
        return _raise(draft, layout)
    if draft.kind == AUGMENT:
        return _augment(draft, layout, value)
    return Play(TRAIL, Material(_loose(draft.marked, layout), draft.card))


def plays_of(rules: CasinoRules, position: Position, drafts: Sequence[Draft]) -> tuple[tuple[Play, ...], Layout]:
    """Return the plays of a turn, each formed on the table that those before it left, and the table after them."""
    plays: tuple[Play, ...] = ()
    layout = play_turn(rules, position, plays)
    for draft in drafts:
        plays = (*plays, play_of(draft, layout))
        layout = play_turn(rules, position, plays)
    return plays, layout


def _raise(draft: Draft, layout: Layout) -> Play:
    """Return a raise: loose cards that form sets of the new value are absorbed, others are added to it."""
    target, loose = next(iter(draft.named), ""), _loose(draft.marked, layout)
    build = layout.builds.get(target)
    to = total(layout.rules, (*(build.cards if build else ()), *((draft.card,) if draft.card else ())))
    absorbed = tuple(_sets(layout.rules, loose, to))
    beside = () if absorbed else loose
    material = Material(beside, draft.card, _piles(draft.marked, layout))
    return Play(RAISE, material, value=to + total(layout.rules, beside), target=target, absorbed=absorbed)


def _augment(draft: Draft, layout: Layout, value: int) -> Play:
    """Return sets added to a build, or to one loose card of the value where no build was named."""
    rules, cards = layout.rules, list(draft.cards)
    base = Base("build", _NO_BUILD)
    if draft.named:
        base = Base("build", draft.named[0])
    else:
        on_table = [card for card in draft.marked if card in layout.loose]
        lone = next((card for card in on_table if value in alone_values(rules, card)), next(iter(on_table), None))
        if lone is not None:
            base = Base("table", card=lone)
            cards.remove(lone)
        elif draft.card is not None:
            base = Base("hand", card=draft.card)
            cards.remove(draft.card)
    sets = _sets(rules, tuple(cards), value) or ([tuple(cards)] if cards else [])
    sets.sort(key=lambda one: max(_depth(layout, card) for card in one))  # what lies on top is taken first
    return Play(
        AUGMENT, Material(), tuple(_material(one, draft, layout) for one in sets), value, target=base.build, base=base
    )


def _sets(rules: CasinoRules, cards: tuple[Card, ...], value: int) -> list[tuple[Card, ...]]:
    return [tuple(dict.fromkeys(one)) for one in sets_of(rules, cards, value)]


def _material(cards: Sequence[Card], draft: Draft, layout: Layout, *, builds: tuple[str, ...] = ()) -> Material:
    """Return one set: its loose cards, the hand card if it is in it, pile cards with their pile, builds."""
    own = draft.card if draft.card in cards else None
    others = [card for card in cards if card != own]
    return Material(_loose(others, layout), own, _piles(others, layout), builds)


def _loose(cards: Sequence[Card], layout: Layout) -> tuple[Card, ...]:
    return tuple(card for card in cards if not _pile_of(layout, card))


def _piles(cards: Sequence[Card], layout: Layout) -> tuple[tuple[str, Card], ...]:
    return tuple((seat, card) for card in cards if (seat := _pile_of(layout, card)))


def _pile_of(layout: Layout, card: Card) -> str:
    """Return the side in whose pile a card is; empty where it is in none."""
    if card in layout.loose:
        return ""
    return next((side for side, layers in layout.piles.items() if any(card in layer for layer in layers)), "")


def _depth(layout: Layout, card: Card) -> int:
    """Return how many layers of a pile lie above a card; 0 where it is in none."""
    return next((depth for depth, layer in enumerate(layout.piles.get(_pile_of(layout, card), ())) if card in layer), 0)


_LATER: Final = {"value-not-held": "card-never-shown"}
"""Breaches that have another code where later cards prove them."""
_CONTRADICTIONS: Final = ("not-in-pack", "card-seen", "card-not-held", "no-cards-left")
"""Breaches that no distribution of the cards allows: the record contradicts itself, whoever is wrong."""


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn of the deal: who took it, its plays, and the table after it with everything found on the way."""

    number: int
    player: str
    plays: tuple[Play, ...]
    layout: Layout
    verdict: Verdict


@dataclass(slots=True)
class Course:
    """The deal as far as it has been followed."""

    rules: CasinoRules
    seats: Seats
    plan: DealPlan
    hands: Hands
    table: tuple[Card, ...]
    expected: str | None
    """Who is to move; None while nobody knows who began."""
    builds: tuple[Build, ...] = ()
    piles: dict[str, tuple[Layer, ...]] = field(default_factory=dict)
    proven: dict[str, frozenset[int]] = field(default_factory=dict)
    sweeps: dict[str, int] = field(default_factory=dict)
    last: str | None = None
    turns: list[JudgedTurn] = field(default_factory=list)
    round: int = 0
    rounds: list[int] = field(default_factory=lambda: [0])
    """The round of dealing at the start and after each turn."""
    left: dict[str, int] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    contradicted: bool = False
    """Whether no distribution of the cards agrees with the record so far."""
    dealt_table: tuple[Card, ...] = ()
    foreign: tuple[tuple[str, Card], ...] = ()
    """Cards in hands, or on the table at the start, that the pack in use does not hold."""
    captures: list[JsonObject] = field(default_factory=list)
    stock: int = 0
    drawn: dict[str, frozenset[Card]] = field(default_factory=dict)
    """Cards that each seat is known to have drawn."""
    hidden: list[tuple[int, str]] = field(default_factory=list)
    """Every card that was drawn and not recorded: after which turn, and by whom."""
    missed: set[str] = field(default_factory=set)
    """Who forgot to draw in the last turn of their own."""

    def __post_init__(self) -> None:
        self.dealt_table, self.stock = self.table, self.plan.stock
        self.piles = {self.seats.side(seat): () for seat in self.seats.names}
        self.left = dict.fromkeys(self.seats.names, self.plan.rounds[0])

    @property
    def complete(self) -> bool:
        """Return whether every card has been played from the hands."""
        return self.round == len(self.plan.rounds) - 1 and not self.stock and not any(self.left.values())

    def position(self, player: str) -> Position:
        """Return the table as this player finds it."""
        gone, open_ = {one.card for one in self.shown}, {seat for _, seat in self.hidden}
        known = {
            seat: frozenset((dealt[self.round] if self.round < len(dealt) else frozenset()) | self._drawn(seat)) - gone
            for seat in self.seats.names if (dealt := self.hands.get(seat, ())) or self._drawn(seat)
        }  # fmt: skip
        hands = {
            seat: known[seat] for seat, dealt in self.hands.items() if self.round < len(dealt) and seat not in open_
        }
        partly = {seat: cards for seat, cards in known.items() if seat not in hands}
        hand = hands.pop(player, None)
        later = [cards for dealt in self.hands.values() for cards in dealt[self.round + 1 :]]
        later += [cards for seat, cards in partly.items() if seat != player]
        return Position(
            self.seats,
            player,
            self.table,
            self.builds,
            hand,
            dict(self.piles),
            dict(self.proven),
            min(self.round + 1, 2),
            hands,
            frozenset().union(*hands.values(), *later),
            self.round,
            self.unseen(len(self.turns)),
            partly,
            self.stock,
            player in self.missed,
        )

    def _drawn(self, seat: str) -> frozenset[Card]:
        return self.drawn.get(seat, frozenset())

    def unseen(self, turns: int) -> Unseen:
        """Return what the record says of hidden cards after so many turns.

        Where it contradicts itself, no hand is taken to have a certain size, so that only what cards were seen counts.
        """
        known = frozenset().union(
            self.dealt_table, *(cards for dealt in self.hands.values() for cards in dealt), *self.drawn.values()
        )
        shown = tuple(one for one in self.shown if one.turn <= turns)
        hidden = Counter(seat for turn, seat in self.hidden if turn <= turns)
        places, stock = [], self.plan.stock - hidden.total() - sum(map(len, self.drawn.values()))
        for seat in self.seats.names:
            for place, size in enumerate(self.plan.rounds):
                size = hidden[seat] + (0 if place < len(self.hands.get(seat, ())) else size)
                if not size:
                    continue
                if place > self.rounds[turns]:
                    stock += size
                else:
                    places.append(Place(hand_of(seat, place), 0 if self.contradicted else size, size))
        places.append(Place(STOCK, 0 if self.contradicted else stock, stock))
        if self.contradicted:
            places.append(Place(ELSEWHERE, 0, self.rules.deck))
        return Unseen(sum(BITS[card] for card in full_pack(self.rules) - known), tuple(places), shown)

    def take(self, player: str, plays: tuple[Play, ...], drawn: Sequence[Card | None] = ()) -> JudgedTurn:
        """Judge a turn on the table that it meets, and move the table on, whatever the verdict.

        `drawn` are the cards drawn after it, None for one that was not recorded (DRC-001 to 003).
        """
        layout = play_turn(self.rules, self.position(player), plays)
        if self.expected not in (None, player):
            layout.ruling.breach(a.FIRST_PLAYER, "out-of-turn", seat=player, expected=self.expected)
        for card in layout.played[self.left[player] :]:
            layout.ruling.breach(a.END_OF_DEAL, "no-cards-left", seat=player, card=str(card))
        self._check_drawn(player, layout, drawn)
        turn = JudgedTurn(len(self.turns) + 1, player, plays, layout, layout.verdict())
        self.turns.append(turn)
        self._draw(player, drawn)
        self._carry(player, layout)
        return turn

    def _check_drawn(self, player: str, layout: Layout, drawn: Sequence[Card | None]) -> None:
        """Check the number drawn after a turn, and that nobody had seen the cards."""
        if drawn:
            _check_draw(layout.ruling, self.rules, len(drawn), self.stock, missed=player in self.missed)
        seen = layout.position.visible().union(layout.played, layout.hand or ())
        for card in drawn:
            if card in seen:
                layout.ruling.breach(pack_article(self.rules), "card-seen", card=str(card))

    def _draw(self, player: str, drawn: Sequence[Card | None]) -> None:
        """Move cards from the stock into a hand; who draws none, while there are some, has missed it."""
        drawn = drawn[: self.stock]
        self.stock -= len(drawn)
        self.left[player] += len(drawn)
        self.hidden += [(len(self.turns), player) for card in drawn if card is None]
        self.drawn[player] = self._drawn(player) | {card for card in drawn if card is not None}
        (self.missed.discard if drawn or not self.stock else self.missed.add)(player)

    def settled(self, turn: JudgedTurn, unseen: Unseen | None = None) -> str | None:
        """Return `legal` or `illegal` once a turn is decided, at the time or by later cards; None while it is open.

        `unseen` is what is known at the end of the record, where that was asked for already.
        """
        if turn.verdict.value != UNDECIDED:
            return turn.verdict.value
        unseen = unseen or self.unseen(len(self.turns))
        broken = unseen.decide(any_of(*(one.claim for one in self._lasting(turn))))
        # A card that was drawn since may be the one that was held: nothing proves then that a turn was in order.
        return ILLEGAL if broken else None if broken is None or self._drawn_since(turn) else LEGAL

    def _drawn_since(self, turn: JudgedTurn) -> bool:
        return any(number >= turn.number for number, _ in self.hidden)

    def _lasting(self, turn: JudgedTurn) -> list[Question]:
        """Return the questions that cards drawn since cannot make true: those of too few cards in a hand."""
        since = self._drawn_since(turn)
        return [
            one for one in turn.layout.ruling.questions
            if not since or all(isinstance(bound, AtMost) for bound in bounds_of(one.claim))
        ]  # fmt: skip

    def findings(self) -> Iterator[Finding]:
        """Yield every broken article in the order of the turns, also those that only later cards proved.

        What no distribution of the cards agrees with accuses nobody: the record contradicts itself there.
        """
        for seat, card in self.foreign:
            yield record_contradicts("not-in-pack", pack_article(self.rules), seat, cards=[str(card)])
        now = self.unseen(len(self.turns))
        for turn in self.turns:
            for breach in turn.verdict.breaches:
                if breach.code in _CONTRADICTIONS:
                    yield record_contradicts(
                        breach.code, ARTICLES[breach.article], turn.player,
                        turn=turn.number, cards=[breach.facts["card"]],
                    )  # fmt: skip
                else:
                    facts = {**breach.facts, "turn": turn.number}
                    yield self._finding(turn, breach, breach.code, facts)
            for breach in self._proven(turn, now):
                if breach not in turn.verdict.breaches:
                    facts = {**breach.facts, "turn": turn.number, "shown_by": self._evidence(turn, breach)}
                    facts.pop("seat", None)
                    yield self._finding(turn, breach, _LATER.get(breach.code, breach.code), facts)

    def _finding(self, turn: JudgedTurn, breach: Breach, code: str, facts: dict[str, object]) -> Finding:
        after = (one.number for one in self.turns[turn.number :] if self.seats.opponents(one.player, turn.player))
        established = next(after, None)
        seat = str(breach.facts.get("seat", turn.player))
        return Finding(breach.article, code, seat, facts, remedy_for(self.rules, code), established)

    def _proven(self, turn: JudgedTurn, unseen: Unseen) -> list[Breach]:
        """Return the breaches of a turn that are certain where so much is known of hidden cards."""
        return unseen.breaches(self._lasting(turn))[0]

    def _evidence(self, turn: JudgedTurn, breach: Breach) -> dict[str, object]:
        """Return the card, with its turn and seat, from which on a breach was certain."""
        first, last = turn.number, len(self.turns)
        while first < last:
            middle = (first + last) // 2
            if breach in self._proven(turn, self.unseen(middle)):
                last = middle
            else:
                first = middle + 1
        shown = next(one for one in reversed(self.shown) if one.turn <= first)
        return {"turn": shown.turn, "card": str(shown.card), "seat": shown.seat}

    def side_list(self) -> list[JsonObject]:
        """Return the sides as a score request has them."""
        return [{"id": name, "players": list(players)} for name, players in self.seats.sides().items()]

    def _carry(self, player: str, layout: Layout) -> None:
        """Update the deal with what a turn left behind."""
        number = len(self.turns)
        self.table, self.builds = tuple(layout.loose), tuple(layout.builds.values())
        self.piles = {side: tuple(layers) for side, layers in layout.piles.items()}
        self.shown += [replace(one, turn=number) for one in layout.shown]
        self.contradicted |= any(one.code in _CONTRADICTIONS for one in layout.ruling.breaches)
        if layout.taken:
            side = self.seats.side(player)
            self.last = side
            self.sweeps[side] = self.sweeps.get(side, 0) + layout.swept
            card, *cards = layout.taken
            self.captures.append({"turn": number, "player": player, "card": str(card), "cards": names(cards)})
        self._carry_proofs(player, layout)
        self.left[player] = max(self.left[player] - len(layout.played), 0)
        if not any(self.left.values()) and self.round < len(self.plan.rounds) - 1:
            self.round += 1
            self.left = dict.fromkeys(self.seats.names, self.plan.rounds[self.round])
            self.proven.clear()
        self.rounds.append(self.round)
        self.expected = self._next(player)

    def _next(self, player: str) -> str:
        """Return who plays next: who has no card left, for having played two at once, is passed over."""
        for _ in self.seats.names:
            player = self.seats.after(player, self.rules.direction)
            if self.left[player]:
                break
        return player

    @property
    def rest(self) -> tuple[Card, ...]:
        """Return all cards on the table."""
        return (*self.table, *(card for build in self.builds for card in build.cards))

    def result(self) -> JsonObject:
        """Return the deal as a score request has it, with the number of cards that nobody took, if any."""
        unclaimed = {} if self.last is not None else {UNCLAIMED: len(self.rest)}
        return {**self.side_results(), **unclaimed}

    def side_results(self) -> Mapping[str, JsonObject]:
        """Return what each side took; the rest goes to the last capturer, or to nobody (CASINO-902, 903)."""
        results: dict[str, dict[str, object]] = {}
        for name, players in self.seats.sides().items():
            side = self.seats.side(players[0])
            cards = [card for layer in self.piles[side] for card in sorted(layer)]
            last = side == self.last
            results[name] = {"captured": names([*cards, *self.rest] if last else cards), "last_capture": last}
            if self.rules.sweep:
                results[name]["sweeps"] = self.sweeps.get(side, 0)
        return results

    def _carry_proofs(self, player: str, layout: Layout) -> None:
        """Keep a proof until its player plays a card of the value (CASINO-803 to 805).

        What everybody sees that nobody can hold any more is proven no longer.
        """
        if self.seats.partner(player) is None:
            return
        ended = {value for card in layout.played for value in hand_values(self.rules, card)}
        self.proven[player] = frozenset((self.proven.get(player, frozenset()) - ended) | layout.proofs)
        seen = {*self.rest, *(card for pile in self.piles.values() for layer in pile for card in layer)}
        for seat, values in self.proven.items():
            self.proven[seat] = frozenset(value for value in values if not capturers(self.rules, value) <= seen)


def replay(rules: CasinoRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each turn, findings, captures, the result ready to score. Raises Refused if unreadable."""
    record = request.require(read_against(request, Record, rules, request, players=True))
    course = begin(rules, record)
    for place, turn in enumerate(record.turns):
        at = Node(None, ("turns", place), request.problems)
        player = turn.player or (record.first if not place else None) or course.expected
        if player is None:
            at["player"].fault("required", a.FIRST_PLAYER.id, contextual=True)
            break
        check_ids(at["plays"], turn.plays, course.builds)
        course.take(player, turn.plays, turn.drawn)
    request.raise_for_problems()
    unseen, findings = course.unseen(len(course.turns)), list(course.findings())
    return {
        "verdicts": [
            Judged(_move(turn, sent), turn.verdict, course.settled(turn, unseen))
            for turn, sent in zip(course.turns, request["turns"].value, strict=True)
        ],
        "findings": findings,
        "captures": course.captures,
        "table": names(course.table),
        "builds": [build.plain() for build in course.builds],
        "proven": {seat: sorted(values) for seat, values in course.proven.items() if values},
        "complete": course.complete,
        "sides": course.side_list(),
        "result": _result(course, findings) if course.complete else None,
    }


def _result(course: Course, findings: Iterable[Finding]) -> JsonObject:
    """Return the deal for a score request, with each false build that the record shows, once it is established."""
    wrong = [one for one in findings if one.established and is_false_build(one.code)]
    builds = dict.fromkeys((one.facts["turn"], one.facts.get("value"), one.seat) for one in wrong)
    false = [{"kind": FALSE_BUILD, "by": maker} for _, _, maker in builds]
    return {**course.result(), "irregularities": false} if false else course.result()


def begin(rules: CasinoRules, record: Record) -> Course:
    """Return the deal before its first turn."""
    seats, first = seats_of(rules, record.seats, partners=record.partners), record.first
    if record.dealer is not None:
        first = seats.after(record.dealer, rules.direction)
    plan = deal_plan(rules, len(record.seats))
    return Course(
        rules, seats, plan, record.hands, record.table, first,
        foreign=record.foreign, contradicted=bool(record.foreign),
    )  # fmt: skip


def _move(turn: JudgedTurn, sent: Mapping[str, object]) -> dict[str, object]:
    """Return a turn as the answer repeats it, with the plays as they were sent."""
    drawn = {"drawn": sent["drawn"]} if "drawn" in sent else {}
    return {"type": "turn", "turn": turn.number, "player": turn.player, "plays": sent["plays"], **drawn}


_DEALINGS: Final = {
    "cut_four": a.DEALING, "fours": a.ROUNDS_OF_FOUR, "south_african": a.SOUTH_AFRICAN_DEAL, "draw": a.DRAW_CASINO
}  # fmt: skip
"""The article on each way to deal."""
_RECUT_POINTS = 3
_RECUT_COURTS = 3
_BEFORE_A_DEAL: Final[type[Shape[Attributes]]] = type(
    "BeforeADeal",
    (shape_of(Position),),
    {"player": Seat(optional=True), "check": lambda *_: (), "make": lambda _, data, around: data},
)
"""A position in which nobody has to be in turn, and the cards may be those of the deal before."""


def judge(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    """Return the verdict on a turn, a deal, a second cut or a partner's request; faults are noted at the nodes."""
    verdict = _judge(rules, position, move)
    if not verdict.breaches:
        return verdict
    codes = [breach.code for breach in verdict.breaches]
    code = next(filter(is_false_build, codes), codes[0])  # the first row of the remedies that fits (IRR-C2)
    dealing = move["type"].value in ("deal", "recut")
    return replace(
        verdict, remedy=remedy_for(rules, code, dealing=dealing, later="round" in move and move["round"].value != 1)
    )


def _judge(rules: CasinoRules, position: Node, move: Node) -> Verdict:
    around = read_around(position, rules)
    if around is None:
        return Verdict()
    made = read_at(move, MOVE, context=around)
    if isinstance(made, Dealt | Recut) or (made is None and move["type"].value in ("deal", "recut")):
        table = read_at(position, _BEFORE_A_DEAL, context=around)
        if table is None or made is None:
            return Verdict()
        return _judge_recut(rules, made) if isinstance(made, Recut) else _judge_deal(around, table.get("dealer"), made)
    before = read_at(position, shape_of(Position), context=around)
    if before is None or made is None:
        return Verdict()
    if isinstance(made, Request):
        return _judge_request(rules, before, made.build)
    if isinstance(made, Draw):
        return _judge_draw(rules, before, made.count)
    check_ids(move["plays"], made.plays, before.builds)
    if made.player not in (None, before.player):
        return Verdict((Breach(a.FIRST_PLAYER.id, "out-of-turn", {"seat": made.player, "expected": before.player}),))
    return play_turn(rules, before, made.plays).verdict()


def _judge_deal(around: Around, last: str | None, move: Dealt) -> Verdict:
    """Return whether the right player deals the right number of cards (CASINO-004 to 007, 010)."""
    rules, seats = around.rules, around.table
    plan, number, dealer, first = deal_plan(rules, len(seats.names)), move.round or 1, move.dealer, move.first
    dealing = a.FORTY_NINE if rules.deck == 49 else _DEALINGS[rules.deal]
    ruling = Ruling()
    due = last and seats.after(last, rules.direction)
    begins = (deals := dealer or due) and seats.after(deals, rules.direction)
    if due and dealer not in (None, due):
        ruling.breach(a.DEALER, "wrong-dealer", dealer=dealer, expected=due, last=last)
    if begins and first not in (None, begins):
        ruling.breach(a.FIRST_PLAYER, "wrong-first-player", seat=first, expected=begins)
    expected = plan.table if number == 1 else 0
    if move.table is not None and move.table != expected:
        article = a.FIRST_TABLE_CARDS if rules.deal == "cut_four" else dealing
        ruling.breach(article, "table-count", count=move.table, expected=expected)
    for seat, count in move.hands.items():
        if count != plan.rounds[number - 1]:
            article = a.TWO_HALVES if len(plan.rounds) == 2 and rules.deal not in NO_HALVES else dealing
            ruling.breach(article, "hand-count", seat=seat, count=count, expected=plan.rounds[number - 1])
    ruling.allow(dealing)
    ruling.effect = {"table": plan.table, "rounds": list(plan.rounds)} | ({"stock": plan.stock} if plan.stock else {})
    return ruling.verdict()


def _check_draw(ruling: Ruling, rules: CasinoRules, count: int, stock: int | None, *, missed: bool | None) -> None:
    """Check how many cards are drawn: one, two where the player missed one, never more than there are (DRC-001, 2)."""
    left, owed = (0, 1, 2) if stock is None else (stock,), (False, True) if missed is None else (missed,)
    due = {min(1 + late, there) for late in owed for there in left}
    if rules.deal != "draw":
        ruling.breach(_DEALINGS[rules.deal], "no-drawing")
    elif count not in due:
        expected = min(1 + bool(missed), max(left))
        ruling.breach(a.MISSED_DRAW if missed else a.DRAW_CASINO, "draw-count", count=count, expected=expected)
    elif len(due) > 1:
        for fact, value, article in (("missed_draw", missed, a.MISSED_DRAW), ("stock", stock, a.DRAW_CASINO)):
            if value is None:
                ruling.lack(fact, article)


def _judge_draw(rules: CasinoRules, position: Position, count: int) -> Verdict:
    """Return whether the player may draw so many cards now: after the play, and to four in the hand at most."""
    ruling, missed, held = Ruling(), position.missed_draw, len(position.hand or ())
    if missed is None and position.hand is not None:
        missed = held < FIRST_CARDS - 1
    _check_draw(ruling, rules, count, position.stock, missed=missed)
    if rules.deal == "draw" and held + count > FIRST_CARDS:
        ruling.breach(a.DRAW_CASINO, "draw-before-play", count=held, most=FIRST_CARDS - count)
    ruling.allow(a.MISSED_DRAW if missed else a.DRAW_CASINO, count=count)
    ruling.effect = {} if position.stock is None else {"stock": position.stock - count}
    return ruling.verdict()


def _judge_recut(rules: CasinoRules, move: Recut) -> Verdict:
    """Return whether the four cards may be cut again: rich ones, where the house rules have it (CASINO-009)."""
    points = sum(line.points for line in card_lines(rules, from_cards(move.table)))
    courts = sum(card.rank in COURTS for card in move.table)
    ruling = Ruling()
    if recut_played(rules) and (points >= _RECUT_POINTS or courts >= _RECUT_COURTS):
        ruling.allow(a.RECUT, points=points, courts=courts)
        ruling.effect = {"recut": True}
    else:
        ruling.breach(a.RECUT, "no-recut" if recut_played(rules) else "recut-not-played", points=points, courts=courts)
    return ruling.verdict()


def _judge_request(rules: CasinoRules, position: Position, name: str) -> Verdict:
    """Return whether the player may ask the partner to add to a build instead of taking it (CASINO-807)."""
    build, seat = next((one for one in position.builds if one.id == name), None), position.player
    ruling = Ruling()
    if build is None:
        ruling.breach(a.BUILDS, "no-such-build", build=name)
    elif rules.building != "swazi" or position.partner is None:
        ruling.breach(a.REQUEST if rules.building == "swazi" else a.ADDING, "no-request", seat=seat)
    elif position.seats.opponents(build.owner, seat):
        ruling.breach(a.REQUEST, "not-partners-build", build=name, owner=build.owner)
    else:
        fit = capturers(rules, build.value)
        if not (fit - position.visible() if position.hand is None else fit & position.hand):
            ruling.breach(a.REQUEST, "value-not-held", value=build.value, count=1, seat=seat, build=name)
        elif position.hand is None:
            ruling.lack("hand", a.REQUEST, seat, value=build.value, count=1)
        ruling.allow(a.REQUEST, value=build.value)
        ruling.allow(a.REQUEST_OWNER)
        ruling.effect = {"owner": seat, "build": name}
    verdict = ruling.verdict()
    return verdict if verdict.breaches else replace(verdict, effect=ruling.effect)
