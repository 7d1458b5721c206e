"""Tricks by side and by nil player; what follows from the rest is filled in and marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.ledger import Side
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import pack_of
from companion.rulebook.book import say, words
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.entry import Answers, Choice, Question, Said, Stage
from companion.web.keeper.entry.spades.shared import number_in


@dataclass(frozen=True, slots=True)
class Counting:
    """What is known of a deal that is being counted: who bid what, whose nils there are, the answers so far."""

    view: View
    game: SheetGame
    rules: SpadesRules
    lang: str
    bids: Mapping[str, Any]
    answers: Answers

    def name(self, side: Side) -> str:
        """A side as people call it."""
        return self.view.sheet.side_name(side)

    def nils(self, side: Side) -> list[Mapping[str, Any]]:
        """The nils of a side."""
        return list(self.bids[side.id].get("nils", ()))


def count_stage(counting: Counting, said: tuple[Said, ...]) -> Stage:
    """Tricks side by side, then those of each nil player; what follows from the rest is filled in."""
    game, rules, lang = counting.game, counting.rules, counting.lang
    answers = dict(counting.answers)
    asked = answers.pop("ask", "")
    tricks, marked = _tricks(counting, answers)
    shown = list(said)
    for place, side in enumerate(game.sides):
        if tricks[place] is not None:
            label = say(lang, "keeper.tricks-of", name=counting.name(side))
            shown.append(Said(f"t{place}", label, str(tricks[place]), computed=place in marked, side=side.id))
        if tricks[place] is None or asked == f"t{place}":
            return Stage(
                "ask",
                tuple(shown),
                _trick_question(counting, place, tricks),
                _left_hint(counting, tricks),
                answers=answers,
            )
    facts: dict[str, Any] = {}
    for place, side in enumerate(game.sides):
        entry = {key: item for key, item in counting.bids[side.id].items() if key in ("bid", "call", "last_tricks")}
        entry["tricks"] = tricks[place]
        nils = []
        for nil in counting.nils(side):
            seat, count, follows = (
                nil["player"],
                *_nil_tricks(counting, side, nil["player"], tricks[place] or 0, answers),
            )
            label = say(lang, "keeper.tricks-of-nil", name=counting.view.sheet.names[seat])
            if count is not None:
                shown.append(Said(f"n{seat}", label, str(count), computed=follows, side=side.id))
            if count is None or asked == f"n{seat}":
                limit = tricks[place] or 0
                choices = tuple(Choice(str(n), str(n)) for n in range(limit + 1))
                return Stage("ask", tuple(shown), Question(f"n{seat}", label, (choices,)), answers=answers)
            nils.append({"player": seat, "call": nil["call"], "tricks": count})
        if nils:
            entry["nils"] = nils
        facts[side.id] = entry
    if rules.mode == "duo_dummy":
        facts["dummy_tricks"] = rules.tricks - sum(count or 0 for count in tricks)
        shown.append(Said("", say(lang, "keeper.tricks-of-dummy"), str(facts["dummy_tricks"]), computed=True))
    asks_last = _last_trick_stage(counting, facts, shown, answers, asked)
    return asks_last or Stage("ready", tuple(shown), facts=facts, answers=answers)


def _tricks(counting: Counting, answers: Mapping[str, str]) -> tuple[list[int | None], set[int]]:
    """Tricks by side; the last unknown is what the others leave, and marked as computed."""
    game, rules = counting.game, counting.rules
    tricks = [number_in(answers.get(f"t{place}")) for place in range(len(game.sides))]
    unknown = [place for place, count in enumerate(tricks) if count is None]
    left = rules.tricks - sum(count or 0 for count in tricks)
    if len(unknown) == 1 and rules.mode != "duo_dummy" and left >= 0:
        tricks[unknown[0]] = left
        return tricks, set(unknown)
    return tricks, set()


def _nil_tricks(
    counting: Counting, side: Side, seat: str, own: int, answers: Mapping[str, str]
) -> tuple[int | None, bool]:
    """A nil player's tricks, and whether they follow from the rest: of none, of a side alone, of two nils."""
    given = number_in(answers.get(f"n{seat}"))
    if given is not None:
        return given, False
    if own == 0:
        return 0, True
    if len(side.players) == 1:
        return own, True
    nils = [nil["player"] for nil in counting.nils(side)]
    others = [number_in(answers.get(f"n{other}")) for other in nils if other != seat]
    if len(nils) == 2 and others[0] is not None and others[0] <= own:
        return own - others[0], True
    return None, False


def _trick_question(counting: Counting, place: int, tricks: list[int | None]) -> Question:
    rules, side = counting.rules, counting.game.sides[place]
    others = sum(count or 0 for other, count in enumerate(tricks) if other != place)
    text = say(counting.lang, "keeper.tricks-of", name=counting.name(side))
    choices = tuple(Choice(str(n), str(n), "odd" if n + others > rules.tricks else "") for n in range(rules.tricks + 1))
    return Question(f"t{place}", text, (choices,))


def _left_hint(counting: Counting, tricks: list[int | None]) -> str:
    counted = sum(count or 0 for count in tricks)
    if not any(count is not None for count in tricks):
        return ""
    return say(counting.lang, "keeper.tricks-left", left=counting.rules.tricks - counted)


def _last_trick_stage(
    counting: Counting, facts: dict[str, Any], shown: list[Said], answers: dict[str, str], asked: str
) -> Stage | None:
    """Which high trumps won the last tricks, where a side met its contract exactly and the table pays for that."""
    rules, lang = counting.rules, counting.lang
    exact = [side for side in counting.game.sides if facts[side.id].get("bid") == facts[side.id]["tricks"] != 0]
    if not (rules.last_trick_bonus or rules.last_sequence_bonus) or not exact:
        return None
    pack = pack_of(rules)
    high = [str(card) for card in pack.trumps if pack.high_trump(card)]
    told, _, cards = answers.get("last", "").partition(".")
    place = number_in(told)
    chosen = [card for card in cards.split(".") if card in high]
    done = "last" in answers and (not answers["last"] or answers["last"].endswith("."))
    if place is not None and place < len(counting.game.sides) and chosen:
        facts[counting.game.sides[place].id]["last_tricks"] = chosen
    text = say(lang, "keeper.last-tricks")
    label = words("spades", lang).vocabulary.show("cards", chosen) if chosen else say(lang, "keeper.none")
    if done and asked != "last":
        shown.append(Said("last", text, label))
        return None
    end = "" if rules.last_sequence_bonus else "."  # the last trick alone counts: one card says it all
    groups: list[tuple[Choice, ...]] = [(Choice("", say(lang, "keeper.none")),)]
    if chosen:
        groups = [(Choice(f"{told}.{'.'.join(chosen)}.", say(lang, "keeper.done")),)]
    for side in exact:
        index = counting.game.sides.index(side)
        if chosen and place != index:
            continue
        label = counting.name(side)
        groups.append(
            tuple(
                Choice(
                    f"{index}.{'.'.join([*chosen, card])}{end}",
                    f"{label}: {words('spades', lang).vocabulary.show('card', card)}",
                )
                for card in reversed(high)
                if card not in chosen
            )
        )
    return Stage("ask", tuple(shown), Question("last", text, tuple(groups)), answers=answers)
