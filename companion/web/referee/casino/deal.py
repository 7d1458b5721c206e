"""A whole deal followed turn by turn: the table as it lies, every verdict, what shows later, the result to score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.engine.cards import RANKS, Card
from companion.engine.verdict import ILLEGAL, LEGAL, Judged
from companion.games.casino.table import full_pack
from companion.web.referee.asking import Asking, Question
from companion.web.referee.casino.draft import read_draft
from companion.web.referee.casino.following import MOST_TURNS, Followed
from companion.web.referee.casino.table import PLAYERS, heaps_of
from companion.web.referee.casino.turning import after_turn, draft_asks, judged, play_text, read, tapped
from companion.web.referee.faces import found_at, reasons, sign
from companion.web.referee.picking import Zone, picker, tap
from companion.web.referee.scoring import score_lines, to_sheet
from companion.web.referee.shown import Answer, Ask, Choice, Heap, Page, Picker, Table
from companion.web.referee.state import State


def act(asking: Asking, verb: str, word: str) -> State:
    """A card of the first four, a tap on the open turn, the turn finished or taken back."""
    state, deal = asking.state, Followed(asking)
    if verb == "n" and word in map(str, PLAYERS):
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
        texts = [*deal.open_plays, *([] if deal.draft.empty else [deal.draft.written()])]
        return state.put(u="_".join(texts), q=None)
    if verb == "done":
        text = deal.turn_text()
        if not text or len(deal.turns) >= MOST_TURNS:
            return state
        return state.put(p="-".join((*deal.turns, text)), u=None, q=None, w=None)
    after = tapped(read_draft(state.get("q")), "card" if verb == "tap" else verb, word)
    return state if after is None else state.put(q=after.written())


def page(asking: Asking) -> Page:
    """The first cards are told; then every turn is tapped together, judged, and the table moved on."""
    deal = Followed(asking)
    if not deal.ready:
        return _first_cards(asking, deal)
    course, report = deal.course, deal.report
    over = course.complete
    answers: list[Answer] = []
    findings = tuple(found_at(asking, finding) for finding in report["findings"])
    if over:
        bar, value = asking.say("deal-over"), ILLEGAL if findings else LEGAL
    else:
        bar, value = asking.say("turn-of", name=deal.player), ILLEGAL if findings else ""
    if findings:
        bar = f"{bar} {asking.say('deal-found', count=len(findings))}"
    told, layout = deal.open_turn
    busy = bool(told) or not deal.draft.empty
    if busy and not over:
        answers, bar, value = judged(asking, deal.position, told, deal.draft, layout)
    elif deal.turns:
        answers += _last(asking, deal)
    if findings:
        answers.append(Answer(asking.say("found-so-far"), ILLEGAL, reasons=findings))
    elif over:
        answers.append(Answer(asking.say("no-findings"), LEGAL))
    tables, facts, link = [_standing(asking, deal)], "", None
    if report["result"] is not None:
        answers.append(_result(asking, report))
        facts = json.dumps(report["result"], ensure_ascii=False)
        link = to_sheet(asking, _entries(deal, report))
    if deal.turns:
        tables.append(_turns(asking, deal))
    tools = [Choice("back", asking.say("back"))] if deal.turns or busy or deal.table else []
    if busy and not over:
        tools.insert(0, Choice("done", asking.say("turn-done")))
    return Page(
        bar, value,
        said=tuple(Choice("", play_text(asking, play)) for play in read(told, deal.position)) if not over else (),
        asks=() if over else tuple(draft_asks(asking, deal.draft, layout)),
        later=() if over else tuple(_asks(asking, deal)),
        heaps=_heaps(asking, deal, over=over),
        picker=None if over else _hand_picker(asking, deal),
        answers=tuple(answers), tables=tuple(tables), tools=tuple(tools), facts=facts, link=link,
    )  # fmt: skip


def _back(deal: Followed) -> State:
    """The state without what came last: the play being tapped, one added to the turn, a turn, a first card."""
    state = deal.asking.state
    if state.get("q"):
        return state.put(q=None)
    if deal.open_plays:
        return state.put(u="_".join(deal.open_plays[:-1]))
    if state.get("w"):
        return state.put(w=None)
    if deal.turns:
        return state.put(p="-".join(deal.turns[:-1]))
    return state.put_cards("t", deal.table[:-1])


def _table_zone(deal: Followed) -> tuple[Zone, ...]:
    return (Zone("t", deal.asking.say("loose"), deal.plan.table),)


def _first_cards(asking: Asking, deal: Followed) -> Page:
    cards = full_pack(asking.rules)
    bar = asking.say("first-cards", count=deal.plan.table, told=len(deal.table))
    tools = (Choice("back", asking.say("back")),) if deal.table else ()
    return Page(
        bar, later=tuple(_asks(asking, deal)), picker=picker(asking, _table_zone(deal), cards, ranks=RANKS),
        tools=tools,
    )  # fmt: skip


def _asks(asking: Asking, deal: Followed) -> list[Ask]:
    """Before the first turn: how many play and who begins; then who plays, should it be somebody out of turn."""
    asks = []
    if not deal.draft.empty:
        asks.append(Ask(asking.say("ask-more"), ((Choice("add", asking.say("add-play")),),)))
    if deal.turns:
        chosen = tuple(Choice(f"who:{n}", name, name == deal.player) for n, name in enumerate(deal.seats))
        return [*asks, Ask(asking.say("ask-who"), (chosen,))]
    if not asking.names:
        counts = tuple(Choice(f"n:{count}", str(count), count == len(deal.seats)) for count in PLAYERS)
        asks.append(Ask(asking.say("ask-players"), (counts,)))
    firsts = tuple(Choice(f"first:{n}", name, name == deal.first) for n, name in enumerate(deal.seats))
    return [*asks, Ask(asking.say("ask-begins"), (firsts,))]


def _heaps(asking: Asking, deal: Followed, *, over: bool) -> tuple[Heap, ...]:
    """The table: loose cards, builds, and the opponents' piles where their tops may be used."""
    layout, draft = deal.open_turn[1], deal.draft
    if over:
        return ()
    builds = tuple((b.id, b.value, b.cards, b.owner) for b in layout.builds.values())
    piles = {seat: tuple(card for layer in layers for card in sorted(layer)) for seat, layers in layout.piles.items()}
    shown = {seat: cards for seat, cards in piles.items() if seat != layout.side and cards}
    used = asking.rules.pile_cards != "none"
    return heaps_of(
        asking, tuple(layout.loose), builds, marked=draft.marked, named=draft.named, piles=shown if used else {}
    )


def _hand_picker(asking: Asking, deal: Followed) -> Picker:
    """All cards of the pack; the one tapped is played from the hand, those already seen lie elsewhere."""
    seen = {one.card for one in deal.course.shown} | set(deal.table) | set(deal.open_turn[1].played)
    draft = deal.draft

    def look(card: Card, zone: str) -> dict[str, object]:
        if card == draft.card:
            return {"pressed": True, "tone": "chosen", "mark": "✓"}
        return {"do": "", "tone": "gone", "note": asking.say("seen")} if card in seen else {}

    zone = Zone("", asking.say("hand-card-of", name=deal.player), 1)
    return picker(asking, (zone,), full_pack(asking.rules), ranks=RANKS, look=look)


def _last(asking: Asking, deal: Followed) -> list[Answer]:
    """What can be said of the last turn, and what it left."""
    last: Judged = deal.report["verdicts"][-1]
    value = last.settled or last.verdict.value
    heading = asking.say(f"turn-was-{last.verdict.value}", name=last.move["player"])
    texts = (asking.say("undo-if-taken-back"),) if value == ILLEGAL else ()
    return [
        Answer(heading, last.verdict.value, texts=texts, reasons=reasons(asking, last.verdict)),
        after_turn(asking, deal.layouts[-1]),
    ]


def _standing(asking: Asking, deal: Followed) -> Table:
    """What everybody has taken, and the cards in the hands and still to be dealt."""
    course = deal.course
    to_deal = sum(course.plan.rounds[course.round + 1 :]) * len(deal.seats)
    rows = []
    for players in course.seats.sides().values():
        side = course.seats.side(players[0])
        held = ", ".join(str(course.left[player]) for player in players)
        taken = sum(len(layer) for layer in course.piles[side])
        rows.append((" & ".join(players), held, str(taken), str(course.sweeps.get(side, 0))))
    heads = tuple(asking.say(f"head-{name}") for name in ("side", "in-hand", "taken", "sweeps"))
    return Table(asking.say("standing", count=to_deal), heads, tuple(rows))


def _turns(asking: Asking, deal: Followed) -> Table:
    """The turns with their verdicts, the latest first."""
    rows = []
    for one, layout in reversed(list(zip(deal.report["verdicts"], deal.layouts, strict=True))):
        plays = read(one.move["plays"], layout.position)
        text = "; ".join(play_text(asking, play) for play in plays)
        rows.append((str(one.move["turn"]), one.move["player"], f"{sign(one)} {text}"))
    heads = tuple(asking.say(f"head-{name}") for name in ("turn", "who", "plays"))
    return Table(asking.say("turns"), heads, tuple(rows))


def _result(asking: Asking, report: Mapping[str, Any]) -> Answer:
    """The deal as a sheet takes it, and what it scores."""
    sides, result = report["sides"], report["result"]
    texts = tuple(
        asking.say("took-cards", name=" & ".join(side["players"]), count=len(result[side["id"]]["captured"]))
        for side in sides
    )
    return Answer(asking.say("result"), "", texts=texts, reasons=score_lines(asking, sides, result))


def _entries(deal: Followed, report: Mapping[str, Any]) -> dict[str, object]:
    """The captured cards, sweeps and the last capture as the sheet asks for them; none where nobody took anything."""
    result, sides = report["result"], report["sides"]
    if "unclaimed" in result:
        return {}
    told: dict[str, object] = {"by": "cards", "kd": "1" * (len(sides) - 1)}
    for place, side in enumerate(sides):
        facts = result[side["id"]]
        if place < len(sides) - 1:
            told[f"k{place}"] = ".".join(facts["captured"])
        if deal.course.rules.sweep:
            told[f"sw{place}"] = facts["sweeps"]
        if facts["last_capture"]:
            told["lc"] = place
    return told


QUESTION = Question(("n", "d", "t", "p", "w", "u", "q"), act, page)
