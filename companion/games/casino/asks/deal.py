"""A whole deal followed turn by turn: the table as it is, every verdict, what shows later, the result to score."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final

from companion.engine.cards import RANKS, Card
from companion.engine.dialogue import (
    AnswerSection,
    Choice,
    Context,
    Grid,
    Heap,
    Page,
    Picker,
    Prompt,
    Question,
    Scoring,
    State,
    Text,
    Zone,
    card_picker,
    finding_reason,
    joined_texts,
    reasons_of,
    tap,
    verdict_sign,
)
from companion.engine.ledger import team_name
from companion.engine.verdict import ILLEGAL, LEGAL, Judged
from companion.games.casino.asks.laying import (
    PLAYERS,
    Asked,
    heaps_of,
    opposing_piles,
    players_prompt,
)
from companion.games.casino.asks.turn import (
    act_on_draft,
    draft_prompts,
    judge_open_turn,
    play_text,
    said_plays,
    table_after,
)
from companion.games.casino.layout import Layout
from companion.games.casino.notation import (
    MAX_TURNS,
    Draft,
    format_draft,
    join_plays,
    join_turns,
    parse_draft,
    parse_plays,
    parse_turn,
    plays_of,
    split_plays,
    split_turns,
)
from companion.games.casino.plays import CAPTURE, TRAIL, Play
from companion.games.casino.replay import Course, begin
from companion.games.casino.shapes import Record
from companion.games.casino.table import DealPlan, Position, deal_plan, full_pack


class Followed(Asked):
    """The deal in the address: `t` the first cards of the table, `p` the turns, `u` and `q` the open turn."""

    @cached_property
    def plan(self) -> DealPlan:
        """Return how many cards go where."""
        return deal_plan(self.rules, len(self.seats))

    @cached_property
    def first(self) -> str:
        """Return who plays first: as entered, else the player after the dealer of the sheet."""
        context = self.context
        seat = context.state.number("d", high=len(self.seats) - 1)
        if seat is None and context.dealer is not None and len(context.names) == len(self.seats):
            step = 1 if self.rules.direction == "clockwise" else -1
            seat = (context.dealer + step) % len(self.seats)
        return self.seats[seat or 0]

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
        course = begin(self.rules, Record(self.seats, self.first, None, self.table, {}, (), ()))
        for text in self.turns:
            seat, drafts = parse_turn(text)
            player = self._player(seat, course)
            plays, _ = plays_of(self.rules, course.position(player), drafts)
            course.take(player, plays)
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


def act(context: Context, verb: str, word: str) -> State:
    """Return the state after a card of the first ones, an action on the open turn, a turn finished or taken back."""
    state, deal = context.state, Followed(context)
    if verb == "n" and word in PLAYERS:
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
    return act_on_draft(state, parse_draft(state.get("q")), "card" if verb == "tap" else verb, word)


def page(context: Context) -> Page:
    """Return the first cards to be entered, then the open turn with its verdict and the deal so far."""
    deal, say = Followed(context), context.say
    if not deal.ready:
        return _first_cards(deal)
    course, over = deal.course, deal.course.complete
    findings = tuple(finding_reason(finding) for finding in course.findings())
    bar: Text = say("deal-over") if over else say("turn-of", name=deal.player)
    value = ILLEGAL if findings else LEGAL if over else ""
    if findings:
        bar = joined_texts((bar, say("deal-found", count=len(findings))))
    plays, layout = deal.open_turn
    busy = bool(plays) or not deal.draft.empty
    answers: list[AnswerSection] = []
    if busy and not over:
        judged, bar, value = judge_open_turn(context, deal.position, plays, deal.draft, layout)
        answers += judged
    elif course.turns:
        answers += _last_turn(deal)
    if findings:
        answers.append(AnswerSection(say("found-so-far"), ILLEGAL, reasons=findings))
    elif over:
        answers.append(AnswerSection(say("no-findings"), LEGAL))
    tables = [_standing(deal), *([_turns(deal)] if course.turns else [])]
    tools = [Choice("back", say("back"))] if deal.turns or busy or deal.table else []
    if over:
        answers.append(_result(deal))
        return Page(
            bar, value, answers=tuple(answers), tables=tuple(tables), tools=tuple(tools),
            facts=course.result(), sheet_answers=_sheet_answers(course),
        )  # fmt: skip
    if busy:
        tools.insert(0, Choice("done", say("turn-done")))
    return Page(
        bar, value,
        said=said_plays(context, plays), asks=draft_prompts(context, deal.draft, layout), later=_prompts(deal),
        heaps=_heaps(deal), picker=_hand_picker(deal),
        answers=tuple(answers), tables=tuple(tables), tools=tuple(tools),
    )  # fmt: skip


QUESTION: Final = Question(("n", "d", "t", "p", "w", "u", "q"), act, page)


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
    return Page(bar, later=_prompts(deal), picker=picker, tools=tools)


def _prompts(deal: Followed) -> tuple[Prompt, ...]:
    """Return, before the first turn, how many play and who begins; then who plays, should it be out of turn."""
    context, say = deal.context, deal.context.say
    prompts = []
    if not deal.draft.empty:
        prompts.append(Prompt(say("ask-more"), ((Choice("add", say("add-play")),),)))
    if deal.turns:
        chosen = tuple(Choice(f"who:{n}", name, name == deal.player) for n, name in enumerate(deal.seats))
        return (*prompts, Prompt(say("ask-who"), (chosen,)))
    if not context.names:
        prompts.append(players_prompt(context))
    firsts = tuple(Choice(f"first:{n}", name, name == deal.first) for n, name in enumerate(deal.seats))
    return (*prompts, Prompt(say("ask-begins"), (firsts,)))


def _heaps(deal: Followed) -> tuple[Heap, ...]:
    """Return the table: loose cards, builds, and the opponents' piles where their tops may be used."""
    layout, draft = deal.open_turn[1], deal.draft
    piles = opposing_piles(layout) if deal.rules.pile_cards != "none" else {}
    return heaps_of(
        deal.context, tuple(layout.loose), tuple(layout.builds.values()), marked=draft.marked, named=draft.named,
        piles=piles,
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
    return [
        AnswerSection(heading, last.verdict.value, texts=texts, reasons=reasons_of(last.verdict)),
        table_after(deal.context, last.layout),
    ]


def _standing(deal: Followed) -> Grid:
    """Return what everybody has taken, and the cards in the hands and still to be dealt."""
    course, say = deal.course, deal.context.say
    to_deal = sum(course.plan.rounds[course.round + 1 :]) * len(deal.seats)
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
        plays = joined_texts((play_text(deal.context, play) for play in turn.plays), " · ")
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
