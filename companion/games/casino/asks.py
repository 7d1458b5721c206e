"""The referee's pages of Casino: a table laid out, what a card takes, a turn, a whole deal, the numbers dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, TypeVar

from companion.engine.cards import RANKS, Card
from companion.engine.dialogue import (
    COUNTS,
    AnswerSection,
    Choice,
    Citation,
    Context,
    DealCheck,
    DealerCheck,
    Face,
    Grid,
    Heap,
    Joined,
    Page,
    Phrase,
    Picker,
    Prompt,
    Question,
    Reason,
    Scoring,
    State,
    Text,
    Zone,
    card_picker,
    card_term,
    choose_dealer,
    deal_page,
    faces,
    finding_reasons,
    go_to,
    joined_texts,
    read_cards,
    reasons_of,
    tap,
    verdict_sign,
)
from companion.engine.ledger import team_name
from companion.engine.problems import JsonObject, Node
from companion.engine.scene import DROP, MANY, YES_NO, Flag, scene
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Breach, Judged, Verdict
from companion.games.casino.capture import build_values, play_turn, sets_of
from companion.games.casino.deal import (
    KINDS,
    MAX_TURNS,
    Course,
    Draft,
    announced_value,
    announced_values,
    begin,
    format_draft,
    join_plays,
    join_turns,
    judge,
    parse_draft,
    parse_plays,
    parse_turn,
    play_of,
    plays_of,
    split_plays,
    split_turns,
)
from companion.games.casino.moves import answer_demand, list_moves
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import remedy_for
from companion.games.casino.shapes import Record
from companion.games.casino.table import (
    BUILD,
    CAPTURE,
    FIRST_CARDS,
    TRAIL,
    Build,
    DealPlan,
    Layout,
    Play,
    Position,
    deal_plan,
    full_pack,
    hand_values,
    highest_value,
    names,
    read_against,
    recut_played,
)

_T = TypeVar("_T")

_MAX_BUILDS: Final = 6
_PLAYERS: Final = ("2", "3", "4")
_HALVES: Final = ("1", "2")
_BUILD_STATE: Final = tuple(f"{kind}{place}" for place in range(_MAX_BUILDS) for kind in "bvw")
_TABLE_STATE: Final = ("step", "to", "n", "whole", "half", "proven", "l", "h", "o1", "o2", "o3", "o4", *_BUILD_STATE)
"""The state of a table: `b0` the cards of a build, `v0` its value where several are possible, `w0` whose it is."""
_MAX_HAND: Final = 24
_MAX_PILE: Final = 12
_MAX_BUILD: Final = 16
_PILE_TOPS: Final = 4
_HIGHEST_PROVEN: Final = 16


@dataclass(frozen=True, slots=True)
class LaidBuild:
    """A build laid out: its index, its cards, the values they can have, the value (0 for no build), its owner."""

    place: int
    cards: tuple[Card, ...]
    values: tuple[int, ...]
    value: int
    owner: int

    @property
    def id(self) -> str:
        """Return the id under which plays name it."""
        return f"B{self.place + 1}"


@dataclass(frozen=True)
class Asked:
    """A question about a table: its rules, and who sits there."""

    context: Context

    @property
    def rules(self) -> CasinoRules:
        """Return the rules of the table."""
        rules: CasinoRules = self.context.rules
        return rules

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Return the seats clockwise, beginning with the player who asks."""
        return _seats_around(self.context)

    @property
    def paired(self) -> bool:
        """Return whether four play as partners: unless they score each alone on the sheet."""
        return _paired(self.context)


class Laid(Asked):
    """Everything on the table and in the hand of the player who asks."""

    @cached_property
    def loose(self) -> tuple[Card, ...]:
        """Return the loose cards."""
        return self.cards("l")

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """Return the cards of the hand that were entered."""
        return self.cards("h")

    def cards(self, name: str) -> tuple[Card, ...]:
        """Return the cards of a zone that are in the pack."""
        return tuple(card for card in self.context.state.cards(name) if card in full_pack(self.rules))

    @cached_property
    def laid_builds(self) -> tuple[LaidBuild, ...]:
        """Return the builds, also those whose cards make none."""
        state, found = self.context.state, []
        for place in range(_MAX_BUILDS):
            cards = self.cards(f"b{place}")
            if cards:
                values = build_values(self.rules, cards)
                chosen = state.number(f"v{place}")
                value = chosen if chosen in values else max(values, default=0)
                owner = (state.number(f"w{place}") or 0) % len(self.seats)
                found.append(LaidBuild(place, cards, values, value or 0, owner))
        return tuple(found)

    @cached_property
    def builds(self) -> tuple[Build, ...]:
        """Return the builds whose cards make one."""
        return tuple(
            Build(one.id, one.value, sets_of(self.rules, one.cards, one.value), self.seats[one.owner])
            for one in self.laid_builds
            if one.value
        )

    @property
    def piles(self) -> dict[str, tuple[Card, ...]]:
        """Return the opponents' piles that were entered, top card first, by seat; a partnership's by its first seat."""
        return {self.seats[place]: cards for place in self.opponents if (cards := self.cards(f"o{place}"))}

    @property
    def opponents(self) -> tuple[int, ...]:
        """Return the seats that keep the opponents' piles."""
        return (1,) if self.paired else tuple(range(1, len(self.seats)))

    @property
    def ready(self) -> bool:
        """Return whether the table has been laid out and questions are asked."""
        return self.context.state.get("step") == "ask"

    def position(self) -> dict[str, object]:
        """Return the table as the position of a request."""
        state = self.context.state
        position: dict[str, object] = {
            "seats": list(self.seats),
            "player": self.seats[0],
            "table": names(self.loose),
            "builds": [build.plain() for build in self.builds],
            "piles": {seat: names(cards) for seat, cards in self.piles.items()},
        }
        if self.hand and state.get("whole") != "n":
            position["hand"] = names(self.hand)
        if state.get("half") in _HALVES:
            position["half"] = int(state.get("half"))
        if len(self.seats) == 4 and not self.paired:
            position["partners"] = False
        values = [int(word) for word in state.words("proven") if word.isascii() and word.isdecimal()]
        if self.paired and values:
            position["proven"] = {self.seats[2]: [value for value in values if 1 <= value <= _HIGHEST_PROVEN]}
        return position

    def page(self, ask: Choice) -> Page:
        """Return the page on which the table is laid out, with the button that asks."""
        say = self.context.say
        broken = next((build for build in self.laid_builds if not build.value), None)
        bar = say("lay-out", table=len(self.loose), hand=len(self.hand))
        if broken is not None:
            bar = say("no-build", number=broken.place + 1)
        return Page(bar, later=_prompts(self), picker=_picker(self), tools=(ask,))


def _players_of(context: Context) -> int:
    """Return how many play: as entered, else as many as the sheet names, else two; five with a pack of 49."""
    named = len(context.names)
    if context.rules.deck == 49:
        return 5
    return context.state.number("n", low=2, high=4) or (named if str(named) in _PLAYERS else 2)


def _paired(context: Context) -> bool:
    return _players_of(context) == 4 and len(context.totals) < 4 and context.rules.partners == "opposite"


def _seats_around(context: Context) -> tuple[str, ...]:
    """Return the seats clockwise by the names of the sheet, else from the south."""
    count = _players_of(context)
    if len(context.names) == count:
        return context.seats(count)
    order = {2: (2, 0), 5: (0, 1, 2, 3, 4)}.get(count, (2, 3, 0, 1))
    some = context.with_names(()).seats(max(count, 4))
    return tuple(some[place] for place in order[:count])


_PLAYERS_FLAG: Final = Flag(
    "n", _PLAYERS, lambda context: str(_players_of(context)), lambda context, word: word,
    text=lambda context: context.say("ask-players"), above=True,
    used=lambda context: not context.names and context.rules.deck != 49,
)  # fmt: skip
"""How many play."""
_TABLE_FLAGS: Final = {
    flag.name: flag
    for flag in (
        _PLAYERS_FLAG,
        Flag(
            "half", _HALVES, "", "half",
            used=lambda context: context.rules.two_player_deal == "two_halves" and _players_of(context) == 2,
        ),
        Flag("whole", YES_NO, "y", "whole", mode=DROP, used=lambda context: bool(Laid(context).hand)),
        Flag(
            "proven", lambda context: [str(value) for value in range(1, highest_value(context.rules) + 1)], "",
            lambda context, word: word, text=lambda context: context.say("ask-proven", name=_seats_around(context)[2]),
            used=lambda context: context.rules.partner_build == "proven" and _paired(context),
            mode=MANY, numbers=True,
        ),
    )
}  # fmt: skip
"""What is asked about a table while it is laid out."""


def _act_on_table(context: Context, verb: str, word: str) -> State | None:
    """Return the state after an action on the table; None where it is another action."""
    state = context.state
    if verb == "tap":
        return tap(state, _zones(Laid(context)), word)
    if verb == "to":
        return go_to(state, _zones(Laid(context)), word)
    if verb == "step":
        return state.put(step=word if word == "ask" else None)
    if verb in _TABLE_FLAGS:
        return _TABLE_FLAGS[verb].act(context, word)
    kind, place = verb[:1], verb[1:]
    if kind in ("v", "w") and place.isdecimal() and int(place) < _MAX_BUILDS and word.isdecimal():
        return state.put(**{verb: word[:2]})
    return None


def _toggled(items: tuple[_T, ...], item: _T) -> tuple[_T, ...]:
    """Return the items with one more, or without it where it is among them."""
    return tuple(one for one in items if one != item) if item in items else (*items, item)


def _heaps_of(
    context: Context,
    loose: tuple[Card, ...],
    builds: tuple[Build, ...],
    hand: tuple[Card, ...] | None = None,
    *,
    marked: tuple[Card, ...],
    chosen: Card | None = None,
    named: tuple[str, ...],
    piles: Mapping[str, tuple[Card, ...]] | None = None,
) -> tuple[Heap, ...]:
    """Return the table to be tapped: `mark:` a loose or pile card, `named:` a build, `card:` a hand card."""

    def drawn(card: Card, verb: str, *, on: bool) -> Face:
        return Face(card, f"{verb}:{card}", "chosen" if on else "", "✓" if on else "", pressed=on)

    heaps = [Heap(context.say("loose"), tuple(drawn(card, "mark", on=card in marked) for card in loose))]
    for build in builds:
        label = context.say("build-of", value=build.value, name=build.owner)
        choice = Choice(f"named:{build.id}", context.say("this-build"), build.id in named)
        heaps.append(Heap(label, faces(build.cards), build.id, (choice,)))
    for seat, cards in (piles or {}).items():
        tops = tuple(drawn(card, "mark", on=card in marked) for card in cards[:_PILE_TOPS])
        heaps.append(Heap(context.say("pile-of", name=seat), tops, context.say("top-first")))
    if hand is not None:
        heaps.append(Heap(context.say("my-hand"), tuple(drawn(card, "card", on=card == chosen) for card in hand)))
    return tuple(heaps)


def _opposing_piles(layout: Layout) -> dict[str, tuple[Card, ...]]:
    """Return the opponents' piles that have cards, the top card first."""
    piles = {side: tuple(card for layer in layers for card in sorted(layer)) for side, layers in layout.piles.items()}
    return {side: cards for side, cards in piles.items() if side != layout.side and cards}


def _zones(laid: Laid) -> tuple[Zone, ...]:
    """Return where tapped cards go: the loose cards, the hand, each build and one more, the opponents' piles."""
    context, say = laid.context, laid.context.say
    zones = [Zone("l", say("loose"), 52, "●"), Zone("h", say("my-hand"), _MAX_HAND, say("hand-mark"))]
    taken = [place for place in range(_MAX_BUILDS) if context.state.cards(f"b{place}")]
    free = next((place for place in range(_MAX_BUILDS) if place not in taken), None)
    for place in sorted({*taken, *([] if free is None else [free])}):
        label = say("build-number", number=place + 1) if place in taken else say("new-build")
        zones.append(Zone(f"b{place}", label, _MAX_BUILD, f"B{place + 1}"))
    if laid.rules.pile_cards != "none":
        piles = ((f"o{place}", laid.seats[place]) for place in laid.opponents)
        zones += [Zone(name, say("pile-of", name=seat), _MAX_PILE) for name, seat in piles]
    return tuple(zones)


def _prompts(laid: Laid) -> tuple[Prompt, ...]:
    """Return questions about the table: how many play, which half, whose builds these are, proven cards."""
    context = laid.context
    asked = {name: flag.prompt(context) for name, flag in _TABLE_FLAGS.items() if flag.used(context)}
    proven = asked.pop("proven", None)
    prompts = [*asked.values()]
    for build in laid.laid_builds:
        values = tuple(Choice(f"v{build.place}:{v}", str(v), v == build.value) for v in build.values)
        owners = tuple(
            Choice(f"w{build.place}:{place}", name, place == build.owner) for place, name in enumerate(laid.seats)
        )
        text = context.say("ask-build", number=build.place + 1, value=build.value)
        prompts.append(Prompt(text, (owners, values if len(values) > 1 else ())))
    return (*prompts, *([proven] if proven else []))


def _picker(laid: Laid) -> Picker:
    return card_picker(laid.context.state, _zones(laid), full_pack(laid.rules), ranks=RANKS)


_MAX_ROUNDS: Final = 6


def _act_dealt(context: Context, verb: str, word: str) -> State | None:
    """Return the state after another dealer; None for any other action."""
    if verb == "tap" and not recut_played(context.rules):
        return context.state
    return choose_dealer(context.state, verb, word) if verb in ("last", "deals") else None


def _page_dealt(context: Context) -> Page:
    """Return the numbers against the deal of the table; four cards that were cut, where they may be cut again."""
    seats = list(_seats_around(context))
    plan = deal_plan(context.rules, len(seats))
    number = min(context.state.number("r", low=1, high=_MAX_ROUNDS) or 1, len(plan.rounds))

    def verdict(counts: Mapping[int, int]) -> Verdict:
        hands = {seat: counts[place + 1] for place, seat in enumerate(seats) if place + 1 in counts}
        move = {"type": "deal", "hands": hands, "round": number}
        return _judge(context, {"seats": seats}, move | ({"table": counts[0]} if 0 in counts else {}))

    def deals(last: str, seat: str) -> Verdict:
        return _judge(context, {"seats": seats, "dealer": last}, {"type": "deal", "dealer": seat})

    labels = [context.say("loose"), *(context.say("cards-of", name=seat) for seat in seats)]
    each = {place + 1: plan.rounds[number - 1] for place in range(len(seats))}
    check = DealCheck(labels, verdict, {0: plan.table if number == 1 else 0, **each})
    return deal_page(
        context, check, DealerCheck(seats, deals), more=[*_second_cut(context, seats), *_drawn(context, seats)]
    )


def _rounds(context: Context) -> list[str]:
    """Return the rounds of dealing by their numbers."""
    return [str(n + 1) for n in range(len(deal_plan(context.rules, _players_of(context)).rounds))][:_MAX_ROUNDS]


def _draws(context: Context) -> bool:
    return bool(context.rules.deal == "draw")


_DRAW: Final = Flag("draw", ("0", "1", "2"), "0", "drawn", used=_draws)
_MISSED: Final = Flag("missed", used=_draws, mode=DROP)
_LEFT: Final = Flag("left", ("2", "1", "0"), "2", "left", used=_draws)


def _drawn(context: Context, seats: list[str]) -> list[AnswerSection]:
    """Return whether so many cards may be drawn, once that is asked."""
    count = int(_DRAW.now(context))
    if not _draws(context) or not count:
        return []
    position = {
        "seats": seats, "player": seats[0], "stock": int(_LEFT.now(context)),
        "missed_draw": _MISSED.now(context) == "y",
    }  # fmt: skip
    verdict = _judge(context, position, {"type": "draw", "count": count})
    return [AnswerSection(context.say(f"draw-{verdict.value}"), verdict.value, reasons=reasons_of(verdict))]


_DEALT_QUESTION: Final = scene(
    ("n", "r", "b", "d", "t", "draw", "missed", "left", *COUNTS), _page_dealt, act=_act_dealt,
    flags=(
        replace(_PLAYERS_FLAG, clears=("b", "d")),
        Flag(
            "round", _rounds, "1", lambda context, word: word, "r",
            used=lambda context: len(_rounds(context)) > 1, above=True,
        ),
        _DRAW, _MISSED, _LEFT,
    ),
    zones=lambda context: _cut(context) if recut_played(context.rules) else (),
    pack=lambda context: full_pack(context.rules), ranks=RANKS,
)  # fmt: skip


def _judge(context: Context, position: JsonObject, move: JsonObject) -> Verdict:
    return judge(context.rules, Node(position, ("position",)), Node(move, ("move",)))


def _cut(context: Context) -> tuple[Zone, ...]:
    return (Zone("t", context.say("cut-cards"), FIRST_CARDS),)


def _second_cut(context: Context, seats: list[str]) -> list[AnswerSection]:
    """Return whether these four may be cut again."""
    cards = [card for card in context.state.cards("t") if card in full_pack(context.rules)][:FIRST_CARDS]
    if len(cards) < FIRST_CARDS or not recut_played(context.rules):
        return []
    verdict = _judge(context, {"seats": seats}, {"type": "recut", "table": names(cards)})
    return [AnswerSection(context.say(f"recut-{verdict.value}"), verdict.value, reasons=reasons_of(verdict))]


_MAX_ROWS: Final = 12
_DONE: Final = {"c": CAPTURE, "b": BUILD, "t": TRAIL}
"""What was done with the card, by its letter in the address."""


def _act_take(context: Context, verb: str, word: str) -> State | None:
    """Return the state after an action on the table, another hand card, or cards announced; None for any other."""
    state = context.state
    laid = _act_on_table(context, verb, word)
    if laid is not None:
        return laid
    card = next(iter(read_cards([word])), None)
    if verb == "card" and card:
        return state.put(c=str(card), **{"as": None})
    if verb == "mark" and card:
        return state.toggle_card("m", card)
    if verb == "named":
        return state.put(k=".".join(_toggled(state.words("k"), word[:3])))
    return None


def _page_take(context: Context) -> Page:
    """Return the table to be laid out, then what the hand card takes, then the verdict on what is announced."""
    laid, say = Laid(context), context.say
    if not laid.ready:
        return laid.page(Choice("step:ask", say("ask-now")))
    card = _card(laid)
    marked = tuple(one for one in context.state.cards("m") if one in laid.loose)
    named = tuple(build.id for build in laid.builds if build.id in context.state.words("k"))
    heaps = _heaps_of(context, laid.loose, laid.builds, laid.hand, marked=marked, chosen=card, named=named)
    tools = (Choice("step:lay", say("change-table")),)
    if card is None:
        return Page(say("tap-hand-card"), heaps=heaps, tools=tools)
    request: dict[str, object] = {"position": laid.position(), "card": str(card)}
    if _AS.used(context):
        request["as"] = int(_AS.now(context))
    takes = list_moves(laid.rules, Node(request))
    most = takes["maximum"]
    answers, tables = _takes(context, card, takes)
    bar, value = say("takes-most", card=card_term(card), count=most["cards"]), ""
    if most["cards"] or most["builds"]:
        value = LEGAL
    done = _DONE[_DID.now(context)]
    if marked or named or done != CAPTURE:
        if done == CAPTURE:
            announced = _announced(laid, request, marked, named)
        else:
            announced = _demanded(laid, {**request, "play": done}, ())
        answers = (announced, *answers)
        bar, value = announced.heading, announced.value  # type: ignore[assignment]
    return Page(
        bar, value, heaps=heaps, answers=answers, tables=tables, tools=tools,
    )  # fmt: skip


def _card(laid: Laid) -> Card | None:
    """Return the card that is played: the one tapped, or the only one."""
    chosen = next(iter(laid.context.state.cards("c")), None)
    if chosen in laid.hand:
        return chosen
    return laid.hand[0] if len(laid.hand) == 1 else None


def _takes(context: Context, card: Card, takes: JsonObject) -> tuple[tuple[AnswerSection, ...], tuple[Grid, ...]]:
    """Return the largest capture, all complete captures, and the sets that can be taken each by itself."""
    say, most = context.say, takes["maximum"]
    if not most["table"] and not most["builds"]:
        return (AnswerSection(say("takes-nothing", card=card_term(card))),), ()
    texts = (say("with-builds", builds=most["builds"]),) if most["builds"] else ()
    answer = AnswerSection(say("largest", count=most["cards"]), LEGAL, faces(read_cards(most["table"])), texts)
    tables = []
    for name, rows in (("captures", takes["captures"]), ("minimal", takes["minimal_sets"])):
        if rows:
            shown = tuple((str(len(one)), faces(read_cards(one))) for one in rows[:_MAX_ROWS])
            caption = say(f"{name}-all", count=len(rows), more=max(len(rows) - _MAX_ROWS, 0))
            tables.append(Grid(caption, (say("head-count"), say("head-cards")), shown))
    return (answer,), tuple(tables)


def _announced(laid: Laid, request: JsonObject, marked: tuple[Card, ...], named: tuple[str, ...]) -> AnswerSection:
    """Return the verdict on the announced capture, and what may be demanded beyond it."""
    taken = {"table": names(marked), "builds": list(named)}
    play = {"play": CAPTURE, "card": request["card"], **taken} | ({"as": request["as"]} if "as" in request else {})
    verdict = _judge(laid.context, request["position"], {"type": "turn", "plays": [play]})
    if verdict.value != LEGAL:
        heading = laid.context.say(f"announced-{verdict.value}")
        return AnswerSection(heading, verdict.value, faces(marked), reasons=reasons_of(verdict), verdict=verdict)
    return _demanded(laid, {**request, **taken}, marked, reasons_of(verdict))


def _demanded(
    laid: Laid, question: Mapping[str, object], marked: tuple[Card, ...], allowed: tuple[Reason, ...] = ()
) -> AnswerSection:
    """Return what may be demanded beyond what was done with the card, by whom it was asked, and when."""
    context, say = laid.context, laid.context.say
    asked = {**question, "by": laid.seats[int(_BY.now(context))], "acted": context.state.get("acted") == "y"}
    demand = answer_demand(laid.rules, Node(asked))
    why = tuple(Citation("", article) for article in demand["articles"])
    captured = question.get("play", CAPTURE) == CAPTURE
    if not demand["may_demand"]:
        stands = "announced-complete" if demand["complete"] else "announced-stands"
        heading = say(stands if captured else "demand-not")
        return AnswerSection(heading, LEGAL if captured else ILLEGAL, faces(marked), reasons=(*allowed, *why))
    must, more = demand["must_take"], demand.get("must_add", [])
    texts = [say("with-builds", builds=must["builds"])] if must["builds"] else []
    values = {build.id: build.value for build in laid.laid_builds}
    for one in more:
        cards = read_cards([*one["table"], *(pile["card"] for pile in one["piles"])])
        texts.append(say("demand-added", value=values[one["build"]], cards=_card_texts(cards)))
    heading = say("demand-add" if demand["complete"] else "announced-short" if captured else "demand-may")
    return AnswerSection(heading, UNDECIDED, faces(read_cards(must["table"])), tuple(texts), reasons=why)


def _values(context: Context) -> list[str]:
    """Return the values that the card which is played can have."""
    card = _card(Laid(context))
    return [] if card is None else [str(value) for value in hand_values(context.rules, card)]


def _asks_demand(context: Context) -> bool:
    laid = Laid(context)
    return laid.ready and _card(laid) is not None


_AS: Final = Flag(
    "as", _values, lambda context: _values(context)[-1], lambda context, word: word,
    text=lambda context: context.say("ask-as", card=card_term(_card(Laid(context)) or "")),
    used=lambda context: Laid(context).ready and len(_values(context)) > 1, above=True,
)  # fmt: skip
_DID: Final = Flag(
    "did", _DONE, "c", lambda context, word: context.say(f"kind-{_DONE[word]}"), used=_asks_demand, mode=DROP
)
_BY: Final = Flag(
    "by", lambda context: [str(place) for place in range(1, _players_of(context))], "1",
    lambda context, word: _seats_around(context)[int(word)],
    used=lambda context: _players_of(context) > 2 and _asks_demand(context),
)  # fmt: skip
"""Who demands: the next player unless another was named."""
_TAKE_QUESTION: Final = scene(
    (*_TABLE_STATE, "c", "as", "m", "k", "did", "by", "acted"), _page_take, act=_act_take,
    flags=(_AS, _DID, _BY, Flag("acted", used=_asks_demand, mode=DROP)),
)  # fmt: skip


_UNFINISHED: Final = ("no-hand-card", "not-captured")
"""Breaches that later plays of the same turn can still mend."""


def _act_turn(context: Context, verb: str, word: str) -> State:
    """Return the state after an action on the table or on the play, or with the play added or taken back."""
    state = context.state
    laid = _act_on_table(context, verb, word)
    if laid is not None:
        return laid
    draft, plays = parse_draft(state.get("q")), split_plays(state.get("p"))
    if verb == "add":
        return state.put(p=join_plays((*plays, format_draft(draft))), q=None) if draft.kind else state
    if verb == "back":
        return state.put(p=join_plays(plays[:-1]), q=None)
    return _act_on_draft(state, draft, verb, word)


def _page_turn(context: Context) -> Page:
    """Return the table to be laid out, then the turn so far with the play that is being put together."""
    laid = Laid(context)
    if not laid.ready:
        return laid.page(Choice("step:ask", context.say("play-now")))
    node = Node(laid.position(), ("position",))
    position = node.require(read_against(node, Position, laid.rules, node))
    plays, layout = plays_of(laid.rules, position, parse_plays(context.state.get("p")))
    draft = parse_draft(context.state.get("q"))
    heaps = _heaps_of(
        context, tuple(layout.loose), tuple(layout.builds.values()), _hand(laid, layout),
        marked=draft.marked, chosen=draft.card, named=draft.named, piles=_opposing_piles(layout),
    )  # fmt: skip
    answers, bar, value = _judge_open_turn(context, position, plays, draft, layout)
    tools = [Choice("step:lay", context.say("change-table"))]
    if plays:
        tools.insert(0, Choice("back", context.say("back")))
    if draft.kind and not draft.empty:
        tools.insert(0, Choice("add", context.say("add-play")))
    return Page(
        bar, value, said=_said_plays(context, plays), asks=_draft_prompts(context, draft, layout),
        heaps=heaps, answers=answers, tools=tuple(tools),
    )  # fmt: skip


_TURN_QUESTION: Final = Question((*_TABLE_STATE, "p", "q"), _act_turn, _page_turn)


def _act_on_draft(state: State, draft: Draft, verb: str, word: str) -> State:
    """Return the state with another play in `q` after an action on it; other actions change nothing."""
    card = next(iter(read_cards([word])), None)
    after = replace(draft, value=None)  # what was announced was announced for other cards
    if verb == "kind" and word in KINDS:
        after = replace(after, kind=KINDS[word])
    elif verb == "card" and card:
        after = replace(after, card=None if draft.card == card else card)
    elif verb == "mark" and card:
        after = replace(after, marked=_toggled(draft.marked, card))
    elif verb == "named":
        after = replace(after, named=_toggled(draft.named, word[:8]))
    elif verb == "value" and word.isdecimal():
        after = replace(after, value=int(word[:2]))
    else:
        return state
    return state.put(q=format_draft(after))


def _judge_open_turn(
    context: Context, position: Position, plays: tuple[Play, ...], draft: Draft, layout: Layout
) -> tuple[tuple[AnswerSection, ...], Text, str]:
    """Return the answers on a turn with the play being put together, the sentence of the status bar and its kind.

    What later plays can still mend is owed, and no breach.
    """
    if draft.kind and not draft.empty:
        plays = (*plays, play_of(draft, layout))
    if not plays:
        return (), context.say("turn-start"), ""
    after = play_turn(context.rules, position, plays)
    verdict = after.verdict()
    wrong = tuple(breach for breach in verdict.breaches if breach.code not in _UNFINISHED)
    owed = tuple(breach for breach in verdict.breaches if breach.code in _UNFINISHED)
    value = ILLEGAL if wrong else UNDECIDED if owed else verdict.value
    answers = []
    if wrong or not owed or verdict.missing:
        reasons = reasons_of(Verdict(wrong, verdict.missing, verdict.because), partial(remedy_for, context.rules))
        judged = verdict if value == verdict.value else None
        answers.append(AnswerSection(context.say(f"turn-{value}"), value, reasons=reasons, verdict=judged))
    if owed:
        answers.append(_owed(context, owed))
    bar = context.say("turn-unfinished" if owed and not wrong else f"turn-{value}")
    return (*answers, _table_after(context, after)), bar, value


def _table_after(context: Context, layout: Layout) -> AnswerSection:
    """Return what a turn takes and leaves."""
    texts = [
        context.say("build-after", value=build.value, name=build.owner, cards=_card_texts(build.cards))
        for build in layout.builds.values()
    ]
    texts.append(context.say("loose-after", cards=_card_texts(layout.loose)))
    if layout.taken:
        texts.insert(0, context.say("sweep-after" if layout.swept else "taken-after", count=len(layout.taken)))
    return AnswerSection(context.say("after"), "", faces(layout.taken), tuple(texts))


def _draft_prompts(context: Context, draft: Draft, layout: Layout) -> tuple[Prompt, ...]:
    """Return the question what is done, and of what value where several are possible."""
    kinds = tuple(Choice(f"kind:{one}", context.say(f"kind-{kind}"), kind == draft.kind) for one, kind in KINDS.items())
    prompts = [Prompt(context.say("ask-kind"), (kinds,))]
    values = announced_values(draft, layout)
    if len(values) > 1:
        now = announced_value(draft, layout)
        choices = tuple(Choice(f"value:{value}", str(value), value == now) for value in values)
        prompts.append(Prompt(context.say("ask-value"), (choices,)))
    return tuple(prompts)


def _said_plays(context: Context, plays: Sequence[Play]) -> tuple[Choice, ...]:
    """Return the plays of a turn in a few words each."""
    return tuple(Choice("", _play_text(context, play)) for play in plays)


def _play_text(context: Context, play: Play) -> Phrase:
    """Return a play in a few words."""
    cards = [card for group in play.groups() for card in group.cards]
    builds = (*play.material.builds, *([play.target] if play.target else []))
    return context.say(
        "play-text", kind=context.say(f"kind-{play.kind}"), cards=_card_texts(cards), builds=builds,
        value=play.value,
    )  # fmt: skip


def _card_texts(cards: Sequence[Card]) -> Joined:
    """Return cards in words, side by side."""
    return joined_texts(map(card_term, cards))


def _owed(context: Context, owed: tuple[Breach, ...]) -> AnswerSection:
    return AnswerSection(context.say("turn-owed"), reasons=reasons_of(Verdict(owed)))


def _hand(laid: Laid, layout: Layout) -> tuple[Card, ...]:
    """Return the cards still in the hand; where it is not wholly known, those that were entered."""
    if layout.hand is not None:
        return tuple(sorted(layout.hand))
    return tuple(card for card in laid.hand if card not in layout.played)


class Followed(Asked):
    """The deal in the address: `t` the first cards of the table, `p` the turns, `u` and `q` the open turn."""

    @cached_property
    def plan(self) -> DealPlan:
        """Return how many cards go where."""
        return deal_plan(self.rules, len(self.seats))

    @cached_property
    def first(self) -> str:
        """Return who plays first: as entered, else the player after the dealer of the sheet."""
        context, seats = self.context, self.seats
        seat = context.state.number("d", high=len(seats) - 1)
        if seat is None and context.dealer is not None and len(context.names) == len(seats):
            seat = (context.dealer + (1 if self.rules.direction == "clockwise" else -1)) % len(seats)
        return seats[seat or 0]

    @cached_property
    def table(self) -> tuple[Card, ...]:
        """Return the first cards of the table."""
        known = full_pack(self.rules)
        return tuple(card for card in self.context.state.cards("t") if card in known)[: self.plan.table]

    @property
    def ready(self) -> bool:
        """Return whether all first cards have been entered."""
        return len(self.table) == self.plan.table

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """Return the turns, each as text."""
        return split_turns(self.context.state.get("p"))

    @cached_property
    def course(self) -> Course:
        """Return the deal after all turns."""
        course = begin(self.rules, Record(self.seats, (), self.first, table=self.table, partners=self.paired))
        for text in self.turns:
            seat, drafts = parse_turn(text)
            player = self._player(seat, course)
            plays, _ = plays_of(self.rules, course.position(player), drafts)
            course.take(player, plays, (None,) * min(1, course.stock))  # nobody sees what is drawn
        return course

    @cached_property
    def player(self) -> str:
        """Return who takes the open turn: whose turn it is, unless another was named."""
        return self._player(parse_turn(self.context.state.get("w"))[0], self.course)

    @cached_property
    def position(self) -> Position:
        """Return the table as the player of the open turn finds it."""
        return self.course.position(self.player)

    @cached_property
    def open_turn(self) -> tuple[tuple[Play, ...], Layout]:
        """Return the plays added to the open turn, and the table after them."""
        return plays_of(self.rules, self.position, parse_plays(self.context.state.get("u")))

    @cached_property
    def draft(self) -> Draft:
        """Return the play being put together; without a kind it takes what was tapped, else the card is trailed."""
        draft = parse_draft(self.context.state.get("q"))
        if draft.kind or draft.empty:
            return draft
        return replace(draft, kind=CAPTURE if draft.marked or draft.named else TRAIL)

    @property
    def open_plays(self) -> tuple[str, ...]:
        """Return the plays of the open turn as text, with the one being put together."""
        added = split_plays(self.context.state.get("u"))
        return added if self.draft.empty else (*added, format_draft(self.draft))

    def turn_text(self) -> str:
        """Return the open turn as text; empty where nothing was played."""
        out_of_turn = str(self.seats.index(self.player)) if self.player != self.course.expected else ""
        return out_of_turn + "_".join(self.open_plays) if self.open_plays else ""

    def _player(self, seat: int | None, course: Course) -> str:
        if seat is not None and seat < len(self.seats):
            return self.seats[seat]
        return course.expected or self.first


def _act_deal(context: Context, verb: str, word: str) -> State:
    """Return the state after a card of the first ones, an action on the open turn, a turn finished or taken back."""
    state, deal = context.state, Followed(context)
    if verb == "n" and word in _PLAYERS:
        return state if deal.turns else state.put(n=word, d=None)
    if verb == "first" and word.isdecimal() and len(word) == 1:
        return state if deal.turns else state.put(d=word)
    if verb == "back":
        return _back(deal)
    if not deal.ready:
        return tap(state, _table_zone(deal), word) if verb == "tap" else state
    if deal.course.complete:
        return state
    if verb == "who" and word.isdecimal() and int(word[:1]) < len(deal.seats):
        same = deal.seats[int(word[:1])] == deal.course.expected
        return state.put(w=None if same else word[:1], u=None, q=None)
    if verb == "add":
        return state.put(u="_".join(deal.open_plays), q=None)
    if verb == "done":
        text = deal.turn_text()
        if not text or len(deal.turns) >= MAX_TURNS:
            return state
        return state.put(p=join_turns((*deal.turns, text)), u=None, q=None, w=None)
    return _act_on_draft(state, parse_draft(state.get("q")), "card" if verb == "tap" else verb, word)


def _page_deal(context: Context) -> Page:
    """Return the first cards to be entered, then the open turn with its verdict and the deal so far."""
    deal, say = Followed(context), context.say
    if not deal.ready:
        return _first_cards(deal)
    course, over = deal.course, deal.course.complete
    found = tuple(course.findings())
    bar: Text = say("deal-over") if over else say("turn-of", name=deal.player)
    value = ILLEGAL if found else LEGAL if over else ""
    if found:
        bar = joined_texts((bar, say("deal-found", count=len(found))))
    plays, layout = deal.open_turn
    busy = bool(plays) or not deal.draft.empty
    answers: list[AnswerSection] = []
    if busy and not over:
        judged, bar, value = _judge_open_turn(context, deal.position, plays, deal.draft, layout)
        answers += judged
    elif course.turns:
        answers += _last_turn(deal)
    if found:
        answers.append(AnswerSection(say("found-so-far"), ILLEGAL, reasons=finding_reasons(found)))
    elif over:
        answers.append(AnswerSection(say("no-findings"), LEGAL))
    tables = [_standing(deal), *([_turns(deal)] if course.turns else [])]
    tools = [Choice("back", say("back"))] if deal.turns or busy or deal.table else []
    if over:
        answers.append(_result(deal))
    elif busy:
        tools.insert(0, Choice("done", say("turn-done")))
    page = Page(bar, value, answers=tuple(answers), tables=tuple(tables), tools=tuple(tools))
    if over:
        return replace(page, facts=course.result(), sheet_answers=_sheet_answers(course))
    return replace(
        page, said=_said_plays(context, plays), asks=_draft_prompts(context, deal.draft, layout),
        later=_prompts_deal(deal), heaps=_heaps(deal), picker=_hand_picker(deal),
    )  # fmt: skip


_DEAL_QUESTION: Final = Question(("n", "d", "t", "p", "w", "u", "q"), _act_deal, _page_deal)


def _back(deal: Followed) -> State:
    """Return the state without what came last: the play being put together, an added one, a turn, a first card."""
    state = deal.context.state
    added = split_plays(state.get("u"))
    if state.get("q"):
        return state.put(q=None)
    if added:
        return state.put(u=join_plays(added[:-1]))
    if state.get("w"):
        return state.put(w=None)
    if deal.turns:
        return state.put(p=join_turns(deal.turns[:-1]))
    return state.put_cards("t", deal.table[:-1])


def _table_zone(deal: Followed) -> tuple[Zone, ...]:
    return (Zone("t", deal.context.say("loose"), deal.plan.table),)


def _first_cards(deal: Followed) -> Page:
    say = deal.context.say
    picker = card_picker(deal.context.state, _table_zone(deal), full_pack(deal.rules), ranks=RANKS)
    tools = (Choice("back", say("back")),) if deal.table else ()
    bar = say("first-cards", count=deal.plan.table, tapped=len(deal.table))
    return Page(bar, later=_prompts_deal(deal), picker=picker, tools=tools)


def _prompts_deal(deal: Followed) -> tuple[Prompt, ...]:
    """Return, before the first turn, how many play and who begins; then who plays, should it be out of turn."""
    context, say = deal.context, deal.context.say
    prompts = []
    if not deal.draft.empty:
        prompts.append(Prompt(say("ask-more"), ((Choice("add", say("add-play")),),)))
    if deal.turns:
        chosen = tuple(Choice(f"who:{n}", name, name == deal.player) for n, name in enumerate(deal.seats))
        return (*prompts, Prompt(say("ask-who"), (chosen,)))
    if _PLAYERS_FLAG.used(context):
        prompts.append(_PLAYERS_FLAG.prompt(context))
    firsts = tuple(Choice(f"first:{n}", name, name == deal.first) for n, name in enumerate(deal.seats))
    return (*prompts, Prompt(say("ask-begins"), (firsts,)))


def _heaps(deal: Followed) -> tuple[Heap, ...]:
    """Return the table: loose cards, builds, and the opponents' piles where their tops may be used."""
    layout, draft = deal.open_turn[1], deal.draft
    return _heaps_of(
        deal.context, tuple(layout.loose), tuple(layout.builds.values()), marked=draft.marked, named=draft.named,
        piles=_opposing_piles(layout) if deal.rules.pile_cards != "none" else {},
    )  # fmt: skip


def _hand_picker(deal: Followed) -> Picker:
    """Return all cards of the pack; the one tapped is played from the hand, those already seen are elsewhere."""
    seen = {one.card for one in deal.course.shown} | set(deal.table) | set(deal.open_turn[1].played)

    def look(card: Card, zone: str) -> dict[str, object]:
        if card == deal.draft.card:
            return {"pressed": True, "tone": "chosen", "mark": "✓"}
        return {"do": "", "tone": "gone", "note": deal.context.say("seen")} if card in seen else {}

    zone = Zone("", deal.context.say("hand-card-of", name=deal.player), 1)
    return card_picker(deal.context.state, (zone,), full_pack(deal.rules), ranks=RANKS, look=look)


def _last_turn(deal: Followed) -> list[AnswerSection]:
    """Return what can be said of the last turn, and what it left."""
    last, say = deal.course.turns[-1], deal.context.say
    value = deal.course.settled(last) or last.verdict.value
    texts = (say("undo-if-taken-back"),) if value == ILLEGAL else ()
    heading = say(f"turn-was-{last.verdict.value}", name=last.player)
    reasons = reasons_of(last.verdict, partial(remedy_for, deal.context.rules))
    return [
        AnswerSection(heading, last.verdict.value, texts=texts, reasons=reasons, verdict=last.verdict),
        _table_after(deal.context, last.layout),
    ]


def _standing(deal: Followed) -> Grid:
    """Return what everybody has taken, and the cards in the hands and still to be dealt."""
    course, say = deal.course, deal.context.say
    to_deal = sum(course.plan.rounds[course.round + 1 :]) * len(deal.seats) + course.stock
    rows = []
    for players in course.seats.sides().values():
        side = course.seats.side(players[0])
        held = " · ".join(str(course.left[player]) for player in players)
        taken = sum(len(layer) for layer in course.piles[side])
        rows.append((team_name(players), held, str(taken), str(course.sweeps.get(side, 0))))
    heads = tuple(say(f"head-{name}") for name in ("side", "in-hand", "taken", "sweeps"))
    return Grid(say("standing", count=to_deal), heads, tuple(rows))


def _turns(deal: Followed) -> Grid:
    """Return the turns with their verdicts, the latest first."""
    course, say = deal.course, deal.context.say
    rows = []
    for turn in reversed(course.turns):
        sign = verdict_sign(Judged({}, turn.verdict, course.settled(turn)))
        plays = joined_texts((_play_text(deal.context, play) for play in turn.plays), " · ")
        rows.append((str(turn.number), turn.player, joined_texts((sign, plays))))
    heads = tuple(say(f"head-{name}") for name in ("turn", "who", "plays"))
    return Grid(say("turns"), heads, tuple(rows))


def _result(deal: Followed) -> AnswerSection:
    """Return the deal as a sheet takes it, and what it scores."""
    sides, results, say = deal.course.side_list(), deal.course.side_results(), deal.context.say
    texts = tuple(
        say("took-cards", name=team_name(side["players"]), count=len(results[side["id"]]["captured"])) for side in sides
    )
    return AnswerSection(say("result"), texts=texts, reasons=(Scoring(tuple(sides), deal.course.result()),))


def _sheet_answers(course: Course) -> dict[str, object]:
    """Return the captured cards, sweeps and the last capture as the sheet asks for them; none if nobody took any."""
    results, sides = course.side_results(), course.side_list()
    if course.last is None:
        return {}
    answers: dict[str, object] = {"by": "cards", "kd": "1" * (len(sides) - 1)}
    for place, side in enumerate(sides):
        facts = results[side["id"]]
        if place < len(sides) - 1:
            answers[f"k{place}"] = ".".join(facts["captured"])
        if course.rules.sweep:
            answers[f"sw{place}"] = facts["sweeps"]
        if facts["last_capture"]:
            answers["lc"] = place
    return answers


QUESTIONS: Final[Mapping[str, Question]] = {
    "take": _TAKE_QUESTION,
    "turn": _TURN_QUESTION,
    "deal": _DEAL_QUESTION,
    "dealt": _DEALT_QUESTION,
}
