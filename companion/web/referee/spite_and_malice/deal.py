"""A whole deal followed move by move: every pile as it lies, every verdict, what shows later, the result to score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.engine.cards import Card
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Judged
from companion.games.spite_and_malice.cards import JOKERS
from companion.web.referee.asking import Asking, Question
from companion.web.referee.faces import face, found_at, reasons, sign
from companion.web.referee.picking import active
from companion.web.referee.scoring import score_lines, to_sheet
from companion.web.referee.shown import Answer, Choice, Heap, Page, Table
from companion.web.referee.spite_and_malice import script
from companion.web.referee.spite_and_malice.asked import hand_picker, move_asks, start_asks
from companion.web.referee.spite_and_malice.following import MOST_PLAYERS, Followed
from companion.web.referee.spite_and_malice.moves import move_text
from companion.web.referee.spite_and_malice.ranks import add, drop, heap, rank_picker
from companion.web.referee.state import State, read_cards

LONGEST = 2_000
"""Characters of a deal in an address: twice what long deals take, and soon replayed."""
_OPEN = ("q", "g", "w", "r")


def act(asking: Asking, verb: str, word: str) -> State:
    """A card told before the deal, a source, a target, a card turned up, another move, or the last one taken back."""
    deal, state = Followed(asking), asking.state
    if verb == "back":
        return _back(deal)
    if verb in ("first", "who") and word.isdecimal() and int(word[:1]) < len(deal.players):
        return state.put(**{"d" if verb == "first" else "w": word[:1], "q": None, "g": None})
    if not deal.ready:
        return _told(deal, verb, word)
    if deal.over:
        return state
    source, target = state.get("q"), state.get("g")
    if verb == "draw" and word.isdecimal():
        return state.put(r=word[:1])
    if verb == "tap" and (card := next(iter(read_cards([word], jokers=JOKERS, bare=True)), None)):
        letter = script.rank_letter(card.rank)
        if target:
            return _written(deal, source + target + letter)
        waits = source in (script.PAYOFF, script.PARTNER_PAYOFF)
        return state.put(q=source + letter if waits and deal.top(source) is None else letter, g=None)
    if verb == "from" and word in tuple(script.PILES):
        return state.put(q=word, g=None)
    if verb == "onto" and source and len(word) == 1:
        return _onto(deal, source, word)
    if verb == "unseen" and target:
        return _written(deal, source + target + script.UNKNOWN)
    if verb == "move" and word:
        return _written(deal, word)
    return state


def page(asking: Asking) -> Page:
    """The first cards are told; then move after move is tapped, judged, and the table moved on."""
    deal = Followed(asking)
    if not deal.ready:
        return _start(asking, deal)
    replayed = deal.replayed
    answers = list(_last(asking, deal))
    findings = tuple(found_at(asking, finding) for finding in replayed["findings"])
    if findings:
        answers.append(Answer(asking.say("found-so-far"), ILLEGAL, reasons=findings))
    elif deal.over:
        answers.append(Answer(asking.say("no-findings"), LEGAL))
    facts, link = "", None
    if replayed["result"] is not None:
        answers.append(_result(asking, replayed))
        facts = json.dumps(replayed["result"], ensure_ascii=False)
        link = to_sheet(asking, _entries(asking, deal))
    if asking.state.get("g"):
        bar = asking.say("turned-up")
    else:
        bar = asking.say("deal-done" if deal.over else "turn-of", name=deal.mover)
    if findings:
        bar = f"{bar} {asking.say('deal-found', count=len(findings))}"
    asks, later = ([], []) if deal.over else move_asks(asking, deal)
    if not deal.pieces:
        later += start_asks(asking, deal)
    return Page(
        bar, ILLEGAL if findings else LEGAL if deal.over else "",
        asks=tuple(asks), later=tuple(later), heaps=tuple(_heaps(asking, deal)),
        picker=None if deal.over else hand_picker(asking, deal),
        answers=tuple(answers),
        tables=(_turns(asking, deal),) if deal.pieces else (),
        tools=(Choice("back", asking.say("back")),), facts=facts, link=link,
    )  # fmt: skip


def _back(deal: Followed) -> State:
    """The state without what came last: a half-told move, a move, a card told before the deal."""
    state = deal.asking.state
    for name in ("g", "q", "r", "w"):
        if state.get(name):
            return state.put(**{name: None})
    if deal.pieces:
        return state.put(m="".join(piece.text for piece in deal.pieces[:-1]))
    if deal.ready and deal.lacking("p"):
        return state.put(b=None)
    told = [zone for zone in deal.zones if state.get(zone.name)]
    return (
        state.put(**{told[-1].name: ".".join(state.words(told[-1].name)[:-1]), "to": told[-1].name}) if told else state
    )


def _told(deal: Followed, verb: str, word: str) -> State:
    """A card told before the first move; then the next place with room is asked for."""
    state, zones = deal.asking.state, deal.zones
    if verb == "begin":
        return state.put(b="y")
    if verb == "to" and word in {zone.name for zone in zones}:
        return state.put(to=word)
    if verb == "drop":
        return drop(state, zones, word)
    if verb != "tap":
        return state
    state = add(state, zones, word)
    room = next((zone.name for zone in zones if len(state.words(zone.name)) < zone.most), None)
    full = len(state.words(active(state, zones).name)) >= active(state, zones).most
    return state.put(to=room) if full else state


def _onto(deal: Followed, source: str, target: str) -> State:
    """A source with its target: a discard where it is a side stack, else a play, which may turn up a card."""
    state = deal.asking.state
    if target in script.SIDES or target == "N":
        place = script.NEW if target == "N" else str(script.SIDES.index(target))
        return _written(deal, f"s{source}{place}")
    if source[0] in (script.PAYOFF, script.PARTNER_PAYOFF):
        if deal.needs_turned(source):
            return state.put(q=deal.named(source), g=target)
        return _written(deal, deal.named(source) + target + script.UNKNOWN)
    return _written(deal, deal.named(source) + target)


def _written(deal: Followed, body: str) -> State:
    """The state with one move more; what is none changes nothing."""
    text = deal.written(body)
    state = deal.asking.state
    if "".join(piece.text for piece in script.read_script(text, deal.players)) != text:
        return state
    return state.put(m=text, **dict.fromkeys(_OPEN))


def _start(asking: Asking, deal: Followed) -> Page:
    zones, now = deal.zones, active(asking.state, deal.zones)
    heaps = tuple(heap(asking, zone) for zone in zones if asking.state.get(zone.name))
    tools = [Choice("back", asking.say("back"))] if heaps else []
    if not deal.lacking("l"):
        tools.insert(0, Choice("begin", asking.say("begin")))
    return Page(
        asking.say("tap-for", name=now.label), heaps=heaps, picker=rank_picker(asking, zones), tools=tuple(tools)
    )


def _heaps(asking: Asking, deal: Followed) -> list[Heap]:
    """The centre, the piles of who moves with their tops to be tapped, and what lies in front of the others."""
    state, chosen = deal.state, asking.state.get("q")
    centre = [face(asking, Card(top), mark=str(n + 1)) for n, top in enumerate(state["centre_stacks"])]
    told = asking.say("centre-counts", stock=state["stock"], aside=state["set_aside"])
    heaps = [Heap(asking.say("centre-stacks"), tuple(centre), told)]
    heaps += _own(asking, deal, deal.mover, script.PAYOFF, script.SIDES, chosen)
    if deal.partner:
        heaps += _own(asking, deal, deal.partner, script.PARTNER_PAYOFF, script.PARTNER_SIDES, chosen)
    for name in deal.players:
        if name not in (deal.mover, deal.partner):
            piles = deal.piles(name)
            tops = [piles["payoff"]] if "payoff" in piles else []
            tops += [stack[-1] for stack in piles["side_stacks"] if stack]
            drawn = tuple(face(asking, _card(top)) for top in tops)
            heaps.append(Heap(asking.say("others-piles", name=name), drawn, _counts(asking, piles)))
    return heaps


def _own(asking: Asking, deal: Followed, name: str, payoff: str, sides: str, chosen: str) -> list[Heap]:
    """The pay-off pile and the side stacks of one player, whose tops can be played."""
    piles, playing = deal.piles(name), not deal.over

    def top(card: Card | None, source: str) -> Any:
        on = chosen[:1] == source
        look = {"pressed": on, "tone": "chosen" if on else "", "do": f"from:{source}" if playing else ""}
        if card is not None:
            return face(asking, card, **look)
        return face(asking, Card("?"), **look)

    heaps = []
    if piles["payoff_left"]:
        card = _card(piles["payoff"]) if "payoff" in piles else None
        label = asking.say("payoff-of", name=name)
        heaps.append(Heap(label, (top(card, payoff),), _counts(asking, piles)))
    for place, stack in enumerate(piles["side_stacks"]):
        if stack:
            under = tuple(face(asking, _card(card)) for card in stack[:-1])
            label = asking.say("side-of", name=name, number=place + 1)
            heaps.append(Heap(label, (*under, top(_card(stack[-1]), sides[place])), asking.say("bottom-first")))
    return heaps


def _card(text: str) -> Card:
    return next(iter(read_cards([text], jokers=JOKERS, bare=True)))


def _counts(asking: Asking, piles: Mapping[str, Any]) -> str:
    return asking.say("pile-counts", left=piles["payoff_left"], hand=piles["hand_count"])


def _moves(deal: Followed) -> list[Judged]:
    """The verdicts on the moves, without the one on who started."""
    found: list[Judged] = deal.replayed["verdicts"][1:]
    return found


def _last(asking: Asking, deal: Followed) -> list[Answer]:
    """What can be said of the last move; before the first one, of who starts."""
    one: Judged = deal.replayed["verdicts"][-1]
    if not deal.pieces:
        if one.verdict.value == UNDECIDED:
            return []
        heading = asking.say("starts", name=deal.first)
        return [Answer(heading, one.verdict.value, reasons=reasons(asking, one.verdict))]
    told = {"name": one.move["seat"], "move": move_text(asking, dict(one.move))}
    texts = (asking.say("undo-if-taken-back"),) if one.verdict.value == ILLEGAL else ()
    heading = asking.say(f"did-{one.verdict.value}", **told)
    return [Answer(heading, one.verdict.value, texts=texts, reasons=reasons(asking, one.verdict))]


def _turns(asking: Asking, deal: Followed) -> Table:
    """The turns with the verdicts on their moves, the latest first."""
    judged, rows, place = _moves(deal), [], 0
    for number, turn in enumerate(deal.turns, start=1):
        part = judged[place : place + len(turn)]
        place += len(turn)
        texts = [f"{sign(one)} {move_text(asking, dict(one.move))}" for one in part]
        rows.append((str(number), part[0].move["seat"], "; ".join(texts)))
    heads = tuple(asking.say(f"head-{name}") for name in ("turn", "who", "plays"))
    return Table(asking.say("turns"), heads, tuple(reversed(rows)))


def _result(asking: Asking, replayed: Mapping[str, Any]) -> Answer:
    """The deal as a sheet takes it, and what it scores."""
    result = replayed["result"]
    winners = [side for side in replayed["sides"] if side["id"] == result["winner"]]
    texts = [asking.say("went-out", name=" & ".join(side["players"])) for side in winners]
    texts += [asking.say("left-over", name=name, count=count) for name, count in result["remaining"].items()]
    lines = score_lines(asking, replayed["sides"], result)
    return Answer(asking.say("result"), "", texts=tuple(texts), reasons=lines)


def _entries(asking: Asking, deal: Followed) -> dict[str, object]:
    """The winner and the cards left as the sheet asks for them."""
    result, sides = deal.replayed["result"], deal.replayed["sides"]
    ids = dict(zip(asking.names, asking.seat_ids, strict=True))
    winner = next((place for place, side in enumerate(sides) if side["id"] == result["winner"]), "-")
    return {"w": winner, **{f"r{ids.get(name, name)}": count for name, count in result["remaining"].items()}}


NAMES = tuple(f"{kind}{place}" for place in range(MOST_PLAYERS) for kind in "pl")
QUESTION = Question(("to", "b", "d", *NAMES, "m", *_OPEN), act, page, LONGEST)
