"""Questions, findings and effects as pages show them, with people called by the names that were given."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlencode

from companion.engine import dialogue as d
from companion.engine.cards import Card, read_card, signed_text
from companion.engine.game import Game, score
from companion.engine.ledger import MISDEAL, Outcome, team_name
from companion.engine.problems import JsonObject, Problem, Refused
from companion.engine.verdict import UNDECIDED, Because, Breach, Finding, Missing, Remedy, Step, Verdict, Witness
from companion.rulebook.answers import score_answer
from companion.rulebook.words import PEOPLE, Words, article_title, article_url, say, words
from companion.sheets.service import Effect, Say
from companion.sheets.state import Sheet, SheetGame


def by_name(facts: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """Return facts with names in place of ids; facts that are no people, nor counted by people, stay as they are."""
    return {
        key: _named(item, names) if key in PEOPLE or isinstance(item, Mapping) else item for key, item in facts.items()
    }


def chat_words(lang: str) -> Say:
    """Return the phrases of a sheet's text export as a function of a key and its facts."""

    def phrase(key: str, facts: JsonObject) -> str:
        own, named = words(facts.get("game", ""), lang), dict(facts)
        if "game" in facts:
            named["game"] = own.name
        if calls := facts.get("calls"):
            named["calls"] = ["+".join(own.vocabulary.show("call", call) for call in side) for side in calls]
        if wrong := facts.get("wrong"):
            named["wrong"] = went_wrong(wrong, own, facts["names"])
        if outcome := facts.get("outcome"):
            named["why"] = outcome_text(outcome, own, facts["names"])
        return say(lang, f"keeper.{key}", **named)

    return phrase


def outcome_text(outcome: Outcome, own: Words, names: Mapping[str, str]) -> str:
    """Return why a game is over, or goes on after a tie, as a sentence."""
    winners = tuple(names[side] for side in outcome.winners)
    return own.outcome(replace(outcome, winners=winners, facts=by_name(outcome.facts, names)))


def went_wrong(irregularities: Iterable[JsonObject], own: Words, names: Mapping[str, str]) -> list[str]:
    """Return what went wrong in a deal in words: who, what, in which trick, and when it was found."""
    return [
        say(
            own.lang, "keeper.went-wrong", name=names.get(one["by"], one["by"]), trick=one.get("trick"),
            what=own.vocabulary.show("kind", one["kind"]), misdeal=one["kind"] == MISDEAL,
            corrected=one.get("corrected"), note=one.get("note"),
        )
        for one in irregularities
    ]  # fmt: skip


def _named(item: object, names: Mapping[str, str]) -> object:
    if isinstance(item, str):
        return names.get(item, item)
    if isinstance(item, list | tuple):
        return [_named(each, names) for each in item]
    if isinstance(item, Mapping):
        return {names.get(key, key): value for key, value in item.items()}
    return item


def effect_sentences(effects: Iterable[Effect], own: Words, sheet: Sheet, game: SheetGame) -> list[str]:
    """Return a sentence for each line and total that a command changes, with the names of whoever played that deal."""
    return [effect_sentence(effect, own, sheet.names_in(game, effect.deal)) for effect in effects]


def effect_sentence(effect: Effect, own: Words, names: Mapping[str, str]) -> str:
    """Return the sentence of an effect; `names` are those of sides and seats by id."""
    facts = {"deal": effect.deal, "side": names.get(effect.side, effect.side)}
    if effect.tally:
        facts["tally"] = own.say(f"ledger.{effect.tally}", {"count": effect.before})
    if effect.line is None:
        return say(own.lang, f"effects.{effect.kind}", **facts, before=effect.before, after=effect.after)
    line = replace(effect.line, facts=by_name(effect.line.facts, names))
    return say(own.lang, f"effects.{effect.kind}", **facts, points=line.points, line=own.line(line))


_JOKER_SIGNS: Final = {"LJ": "☆"}
"""Signs of jokers; every other joker is a full star."""
_KINDS: Final = {
    Breach: "breach",
    Missing: "missing",
    Because: "because",
    Finding: "breach",
    Problem: "breach",
    Remedy: "remedy",
}

_T = TypeVar("_T")
Drawn = dict[str, Any]
_Rename = Callable[[JsonObject], dict[str, Any]]


@cache
def _field_names(kind: type[object]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cast(Any, kind)))


def _same(left: Sequence[object], right: Sequence[object]) -> bool:
    return all(map(operator.is_, left, right))


class Drawer:
    """Turns texts into words of one game in one language, and parts of dialogues into values for templates."""

    def __init__(self, game: Game, lang: str, rename: _Rename = dict, rules: JsonObject | None = None) -> None:
        self.game, self.lang, self.rename = game, lang, rename
        self.rules = rules or {}
        """The house rules as a score request has them, for deals that are scored."""
        self.words = words(game.id, lang)

    def text(self, text: d.Text) -> str:
        """Return a text in words."""
        match text:
            case str():
                return text
            case d.Phrase(key, facts):
                return self.words.say(key, {name: self._fact(value) for name, value in facts.items()})
            case d.Term(fact, value):
                return self.words.vocabulary.show(fact, value)
            case d.Sentence(found):
                return self._sentence(found, self.rename(getattr(found, "facts", {})))
            case d.Joined(parts, separator):
                return separator.join(map(self.text, parts))

    def in_words(self, value: _T) -> _T:
        """Return a part of a dialogue with every text in words; mappings are left as they are."""
        match value:
            case str() | int() | None:
                return value
            case d.Phrase() | d.Term() | d.Sentence() | d.Joined():
                return cast("_T", self.text(value))
            case tuple():
                said = tuple([self.in_words(part) for part in value])
                return value if _same(said, value) else cast("_T", said)
            case _ if is_dataclass(value) and not isinstance(value, type):
                parts = [getattr(value, name) for name in _field_names(value.__class__)]
                fields_said = [self.in_words(part) for part in parts]
                return value if _same(fields_said, parts) else value.__class__(*fields_said)
        return value

    def draw(self, value: object) -> Any:
        """Return a part of a dialogue, or a collection of them, as plain values with words."""
        match value:
            case d.Phrase() | d.Term() | d.Sentence() | d.Joined():
                return self.text(value)
            case d.Face():
                return self._face(value)
            case d.Reason() | d.Citation():
                return self._reason(value)
            case d.AnswerSection():
                shown = self._witness(value.verdict) if value.verdict and self.game.witness else {}
                reasons = [one for each in value.reasons for one in self._reasons(each)]
                return self._fields(replace(value, verdict=None)) | {"reasons": reasons, "shown": shown}
            case d.Page():
                return self._fields(replace(value, facts=None, sheet_answers={})) | {"facts": _as_json(value.facts)}
            case tuple() | list():
                return [self.draw(item) for item in value]
            case _ if is_dataclass(value):
                return self._fields(value)
        return value

    def _fields(self, value: Any) -> Drawn:
        return {name: self.draw(getattr(value, name)) for name in _field_names(value.__class__)}

    def _fact(self, value: object) -> Any:
        if isinstance(value, d.Phrase | d.Term | d.Sentence | d.Joined):
            return self.text(value)
        if isinstance(value, list | tuple):
            return [self._fact(item) for item in value]
        return str(value) if isinstance(value, Card) else value

    def _face(self, face: d.Face) -> Drawn:
        card = face.card
        plain = card.pips > 0 or card == d.UNKNOWN_CARD
        if card.suit:
            label = self.words.say("asks.card", {"rank": card.rank, "suit": card.suit})
        elif plain:
            label = self.words.say("asks.rank", {"rank": card.rank})
        else:
            named = self.words.vocabulary.show("card", card.rank)
            label = self.words.say("asks.joker") if named == card.rank else named
        sign = card.rank if plain else _JOKER_SIGNS.get(card.rank, "★")
        return self._fields(face) | {"rank": sign, "suit": card.suit, "label": label}

    def _witness(self, verdict: Verdict) -> Drawn:
        """Return what shows a verdict to be right: two worlds with the cards that decide, or counts; empty without."""
        found = self.game.witness(verdict) if self.game.witness else Witness()
        if verdict.value != UNDECIDED:
            return {"steps": [{"text": self.words.step(step), "strip": self._strip(step)} for step in found.chain]}
        if found.legal is None or found.illegal is None:
            return {}
        both, *said = self.words.worlds(found)
        rows = []
        for value, text, world, other in (
            ("legal", said[0], found.legal, found.illegal), ("illegal", said[1], found.illegal, found.legal)
        ):  # fmt: skip
            hand = world.get("hands", {}).get(found.seat, ())
            if hand == other.get("hands", {}).get(found.seat, ()):
                hand = ()
            else:
                whose = self.words.say("referee.other-cards", {"seat": found.seat})
                text = f"{self.words.say(f'verdict.{value}')}: {whose}"
            cards = [d.Face(_card(card), tone="changed" if card in found.changed else "") for card in hand]
            rows.append({"value": value, "text": text.lstrip("✓✕ "), "faces": self.draw(tuple(cards))})
        return {"text": both, "rows": rows, "changed": said[2:]}

    def _strip(self, step: Step) -> list[Drawn]:
        """Return the cards of the suit that a count is about, each with where it was seen."""
        tones = {"played": "gone", "table": "chosen", "hand": "gone", "unseen": "undecided"}
        cells = cast("Mapping[str, str]", step.facts.get("strip") or {})
        return [
            self._face(d.Face(_card(card), tone=tones[where], mark="?" if where == "unseen" else "",
                              note=self.words.say(f"referee.strip-{where}")))
            for card, where in cells.items()
        ]  # fmt: skip

    def _reasons(self, reason: d.Reason | d.Citation | d.Scoring) -> Iterator[Drawn]:
        if isinstance(reason, d.Scoring):
            yield from self._scored(reason)
        else:
            yield self._reason(reason)

    def _reason(self, reason: d.Reason | d.Citation) -> Drawn:
        if isinstance(reason, d.Citation):
            return self._cited(self.text(reason.text), reason.article)
        found = reason.found
        facts = found.facts if isinstance(found, Problem) else self.rename(getattr(found, "facts", {}))
        if len(reason.things) > 1 and reason.fact in facts:
            facts = {**facts, reason.fact: [self._fact(thing) for thing in reason.things]}
        text = self._sentence(found, facts)
        if reason.around is not None:
            text = self.text(replace(reason.around, facts={**reason.around.facts, "text": text}))
        drawn = self.draw(tuple(d.Face(thing) for thing in reason.things if isinstance(thing, Card)))
        return self._cited(text, found.article or "") | {"faces": drawn, "kind": _KINDS[type(found)]}

    def _cited(self, text: str, article: str) -> Drawn:
        title = article_title(self.lang, article) if article else ""
        url = article_url(self.lang, article) if article else ""
        return {"text": text, "title": title, "url": url, "faces": [], "kind": ""}

    def _sentence(self, found: d.Statement, facts: JsonObject) -> str:
        own = self.words
        match found:
            case Breach():
                return own.breach(replace(found, facts=facts))
            case Missing():
                return own.missing(replace(found, facts=facts))
            case Because():
                return own.because(replace(found, facts=facts))
            case Finding():
                return own.finding(replace(found, facts=facts))
            case Problem():
                return own.problem(replace(found, facts=facts))
            case Remedy():
                return own.remedy(found)

    def _scored(self, scoring: d.Scoring) -> Iterator[Drawn]:
        """Yield every line that the deal scores with its article; where it cannot be scored, its problems."""
        request = {"rules": self.rules, "sides": list(scoring.sides), "deals": [scoring.result]}
        try:
            _, ledger = score(self.game, request)
        except Refused as refused:
            for problem in refused.problems:
                yield self._reason(d.Reason(problem))
            return
        scored = score_answer(self.game, ledger, self.lang)["deals"][0]["sides"]
        for side in scoring.sides:
            name = team_name(side["players"])
            for line in scored[side["id"]]["lines"]:
                yield self._cited(f"{name} {signed_text(line['points'])}: {line['text']}", line["article"])


def _card(text: str) -> Card:
    """Return a card of any game by its code."""
    return read_card(text, jokers=("BJ", "LJ", "X", "W", "1", "11", "12"), bare_ranks=True)


def sheet_address(lang: str, sheet: str, answers: Mapping[str, object]) -> str:
    """Return the address of a sheet's entry with these answers filled in."""
    return f"/{lang}/sheets/{sheet}?{urlencode(answers, safe='.+')}#entry"


def _as_json(facts: JsonObject | None) -> str:
    return json.dumps(facts, ensure_ascii=False) if facts else ""
