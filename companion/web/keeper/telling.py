"""The steps of a log in plain words: what was written, from what to what, when, why and by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from companion.engine.game import Game
from companion.rulebook.answers import diff_answer
from companion.rulebook.book import say, words
from companion.sheets import events as e
from companion.sheets.events import Json
from companion.sheets.fold import HistoryEntry
from companion.sheets.scoring import View, house_rules
from companion.sheets.state import RulesPeriod, Sheet, SheetGame
from companion.web.keeper.entry import entries
from companion.web.keeper.naming import names_of

Games = Mapping[str, Game]

OF_DEAL = (e.DealRecorded, e.DealCorrected, e.DealVoided, e.Adjusted, e.DealConfirmed, e.Noted)
"""What belongs to a deal itself; its calls stand among what was entered."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step for a reader: a sentence, more about it, lines that went and lines that came, and why.

    `game` is the game that was running, `place` the game and the recorded deal that it is about, `target` the number of
    the step that it took back or brought back.
    """

    seq: int
    at: datetime
    text: str
    stands: bool
    more: tuple[str, ...]
    gone: tuple[str, ...]
    come: tuple[str, ...]
    reason: str
    actor: str
    game: int
    place: tuple[int, int] | None
    target: int | None
    brief: bool
    """Whether it is told in one line: a call that stands, of which a deal has four."""


def told(trace: HistoryEntry, games: Games, lang: str) -> Step:
    """A step of a log as a reader has it, everybody called as they were called then."""
    entry, sheet = trace.entry, trace.sheet
    gone, come = _changed(trace, games, lang)
    return Step(
        seq=entry.seq,
        at=entry.at,
        text=_sentence(trace, lang),
        stands=trace.stands,
        more=tuple(_more(trace, games, lang)),
        gone=gone,
        come=come,
        reason=getattr(entry.event, "reason", ""),
        actor=entry.actor,
        game=max(len(sheet.games), len(trace.earlier.games) if trace.earlier else 0),
        place=trace.place if isinstance((trace.target or entry).event, OF_DEAL) else None,
        target=trace.target.seq if trace.target else None,
        brief=isinstance(entry.event, e.CallMade) and trace.stands,
    )


def facts_told(sheet: Sheet, games: Games, number: int, deal: int, facts: Json | None, lang: str) -> list[str]:
    """Facts of a deal in a game of a sheet as lines that tell of one side or one question each."""
    game = sheet.games[number - 1]
    entry = entries().get(game.game)
    if not facts or entry is None:
        return []
    if facts.get("void"):
        return [say(lang, "keeper.void-mark")]
    view = View("", sheet, games, {})
    if entry.told is not None:
        return entry.told(view, game, facts, lang)
    period = replace(game.rules_of(deal), first_deal=1)
    alone = replace(game, periods=(period,), deals=(replace(game.deals[0], number=1, facts=facts),))
    return [
        f"{said.label}{say(lang, 'keeper.colon')}{said.value}"
        for said in entry.correction(view, alone, 1, {}, lang).said
    ]


def _sentence(trace: HistoryEntry, lang: str) -> str:
    event = trace.entry.event
    if trace.target:
        key = "trail.undone" if isinstance(event, e.Undone) else "trail.redone"
        # Who was renamed is called as the sheet called them while that stood.
        there, back = (trace.earlier, trace.sheet) if isinstance(event, e.Undone) else (trace.sheet, trace.earlier)
        return say(lang, key, what=_event_text(trace.target.event, back, there or trace.sheet, lang))
    return _event_text(event, trace.earlier, trace.sheet, lang)


def _event_text(event: Any, earlier: Sheet | None, sheet: Sheet, lang: str) -> str:
    key, facts = _FACTS[type(event)](event, earlier or sheet, sheet, lang)
    text = say(lang, f"trail.{key}", **facts)
    number = getattr(event, "game_number", len(sheet.games))
    if number < len(sheet.games) and not isinstance(event, e.GameStarted):
        return say(lang, "trail.in-game", number=number, what=text)
    return text


def _opened(event: e.SheetOpened, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    return "opened", {"players": [seat.name for seat in event.seats]}


def _started(event: e.GameStarted, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    game = words(event.game, lang).name
    return "started", {"number": event.game_number, "game": game, "dealer": sheet.names[event.dealer]}


def _call(event: Any, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    key = "call" if isinstance(event, e.CallMade) else "call-changed"
    game = sheet.games[event.game_number - 1]
    who = names_of(sheet, game).get(event.call.get("seat") or event.call.get("side") or "", "")
    return key, {"name": who, "call": _call_text(game, event.call, lang)}


def _confirmed(event: e.DealConfirmed, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    return "confirmed", {"deal": event.deal, "name": _side_name(sheet, event)}


def _adjusted(event: e.Adjusted, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    return "adjusted", {"deal": event.deal, "name": _side_name(sheet, event), "points": event.points}


def _dealer(event: e.DealerSet, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    before = earlier.games[event.game_number - 1].open.dealer
    facts = {"deal": event.deal, "name": sheet.names[before], "dealer": sheet.names[event.seat]}
    return "skipped" if event.skipped else "dealer", facts


def _renamed(event: e.PlayerRenamed, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    return "renamed", {"old": earlier.names[event.seat], "name": event.name}


def _joined(event: e.PlayerJoined, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    return "joined", {"name": event.name}


def _titled(event: e.SheetTitled, earlier: Sheet, sheet: Sheet, lang: str) -> tuple[str, dict[str, Any]]:
    return "titled", {"title": event.title}


def _of_deal(key: str) -> Callable[[Any, Sheet, Sheet, str], tuple[str, dict[str, Any]]]:
    return lambda event, earlier, sheet, lang: (key, {"deal": event.deal})


_FACTS: Mapping[type, Callable[[Any, Sheet, Sheet, str], tuple[str, dict[str, Any]]]] = {
    e.SheetOpened: _opened,
    e.GameStarted: _started,
    e.CallMade: _call,
    e.CallChanged: _call,
    e.CallsCleared: _of_deal("calls-cleared"),
    e.DealRecorded: _of_deal("recorded"),
    e.DealCorrected: _of_deal("corrected"),
    e.DealVoided: _of_deal("voided"),
    e.Adjusted: _adjusted,
    e.DealConfirmed: _confirmed,
    e.DealerSet: _dealer,
    e.RulesChanged: _of_deal("rules"),
    e.Noted: _of_deal("noted"),
    e.PlayerRenamed: _renamed,
    e.PlayerJoined: _joined,
    e.SheetTitled: _titled,
}


def _more(trace: HistoryEntry, games: Games, lang: str) -> Iterator[str]:
    """What belongs to a step beside its sentence: sides and rules of a game, rules that differ, notes, reasons."""
    event, sheet = trace.entry.event, trace.sheet
    if isinstance(event, e.GameStarted):
        yield " – ".join(sheet.side_name(side) for side in event.sides)
        known = games[event.game]
        house = house_rules(known, RulesPeriod(1, event.preset, event.options))
        yield words(event.game, lang).summary(known.options, house)
    elif isinstance(event, e.RulesChanged) and trace.earlier:
        game = trace.earlier.games[event.game_number - 1]
        known = games[game.game]
        old = house_rules(known, game.rules_of(event.deal))
        new = house_rules(known, RulesPeriod(event.deal, event.preset, event.options))
        for difference in diff_answer(known, old, new, lang)["differences"]:
            yield difference["text"]
    elif isinstance(event, e.DealRecorded | e.DealCorrected):
        known_reasons = _accepted(trace.before)
        for reason in _accepted(event.facts):
            if reason not in known_reasons:
                yield say(lang, "trail.anyway", reason=reason)
    elif isinstance(event, e.DealVoided) and event.dealer_stays:
        yield say(lang, "trail.dealer-stays")
    if note := getattr(event, "note", ""):
        yield note
    if trace.unconfirmed:
        names = names_of(sheet, sheet.games[event.game_number - 1])  # type: ignore[union-attr]
        yield say(lang, "trail.unconfirmed", players=[names[side] for side in trace.unconfirmed])


def _changed(trace: HistoryEntry, games: Games, lang: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that a step took away, and those that it put there."""
    event, earlier = trace.entry.event, trace.earlier
    if earlier is None:
        return (), ()
    if isinstance(event, e.CallChanged | e.CallsCleared):
        game = earlier.games[event.game_number - 1]
        if isinstance(event, e.CallsCleared):
            return tuple(_whose(earlier, game, call, lang) for call in game.open.calls), ()
        return (_call_text(game, game.open.calls[event.place], lang),), (_call_text(game, event.call, lang),)
    if not isinstance(event, e.DealRecorded | e.DealCorrected | e.DealVoided):
        return (), ()
    before, after = (
        facts_told(trace.sheet, games, event.game_number, event.deal, facts, lang)
        for facts in (trace.before, trace.after)
    )
    gone, come = (tuple(line for line in one if line not in other) for one, other in ((before, after), (after, before)))
    return gone, () if isinstance(event, e.DealVoided) else come


def _call_text(game: SheetGame, call: Json, lang: str) -> str:
    return words(game.game, lang).vocabulary.show("call", call.get("call"))


def _whose(sheet: Sheet, game: SheetGame, call: Json, lang: str) -> str:
    who = names_of(sheet, game).get(call.get("seat") or call.get("side") or "", "")
    return f"{who}{say(lang, 'keeper.colon')}{_call_text(game, call, lang)}"


def _side_name(sheet: Sheet, event: Any) -> str:
    side: str = event.side
    return names_of(sheet, sheet.games[event.game_number - 1]).get(side, side)


def _accepted(facts: Json | None) -> list[str]:
    """The reasons for which facts that do not add up were recorded anyway, each once."""
    listed = facts.get("accept", ()) if facts else ()
    return list(dict.fromkeys(str(each.get("reason", "")) for each in listed if each.get("reason")))
