"""Cards drawn for a page, and articles with their sentences and the cards that they concern."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Problem
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Because, Breach, Finding, Judged, Missing, Verdict
from companion.rulebook.book import article_title, article_url
from companion.web.referee.asking import Asking
from companion.web.referee.shown import Face, Reason

Found = Breach | Missing | Because
SIGNS = {LEGAL: "✓", ILLEGAL: "✕", UNDECIDED: "?"}
JOKER_FACES = {"X": "★", "BJ": "★", "LJ": "☆"}


def face(asking: Asking, card: Card, **look: Any) -> Face:
    """A card as it is drawn, with its name for those who hear the page."""
    if card.suit:
        label = asking.say("card", rank=card.rank, suit=card.suit)
    elif card.rank in JOKER_FACES:
        label = asking.own.vocabulary.show("card", card.rank)
        if label == card.rank:
            label = asking.say("joker")
    else:
        label = asking.say("rank", rank=card.rank)
    return Face(JOKER_FACES.get(card.rank, card.rank), card.suit, label, **look)


def faces(asking: Asking, cards: Iterable[Card], **look: Any) -> tuple[Face, ...]:
    """Cards as they are drawn."""
    return tuple(face(asking, card, **look) for card in cards)


def reason(
    asking: Asking, found: Found | Finding | Problem, things: Sequence[Any] = (), *, fact: str = "card"
) -> Reason:
    """An article in its bearing on the question; with several cards or calls its sentence speaks of all of them."""
    own, article = asking.own, found.article or ""
    if not isinstance(found, Problem):
        found = replace(found, facts=by_name(asking, found.facts))
    if isinstance(found, Breach):
        text, kind = own.breach(Breach(article, found.code, _of_all(found.facts, things, fact))), "breach"
    elif isinstance(found, Missing):
        text, kind = (
            own.missing(Missing(found.fact, article, found.seat, _of_all(found.facts, things, fact))),
            "missing",
        )
    elif isinstance(found, Because):
        text, kind = own.because(Because(article, _of_all(found.facts, things, fact))), "because"
    elif isinstance(found, Finding):
        text, kind = own.finding(found), "breach"
    else:
        text, kind = own.problem(found), "breach"
    title = article_title(asking.lang, article) if article else ""
    drawn = faces(asking, (thing for thing in things if isinstance(thing, Card)))
    return Reason(text, title, article_url(asking.lang, article) if article else "", drawn, kind)


def found_at(asking: Asking, finding: Finding) -> Reason:
    """A finding with the turn in which it happened, and whose it was."""
    plain = reason(asking, finding)
    if "shown_by" in finding.facts:  # its sentence tells both turns
        return plain
    text = asking.say("found-at", turn=finding.facts["turn"], name=finding.seat, text=plain.text)
    return replace(plain, text=text)


def reasons(asking: Asking, verdict: Verdict) -> tuple[Reason, ...]:
    """What a verdict rests on: every breach and every open question, else what allows the move."""
    found: list[Found] = [*verdict.breaches, *verdict.missing]
    return tuple(reason(asking, one) for one in found or verdict.because)


def grouped(asking: Asking, verdicts: Mapping[Any, Verdict], *, fact: str = "card") -> tuple[Reason, ...]:
    """The reasons behind the verdicts on several cards or calls, each once with all that it concerns."""
    groups: dict[tuple[str, str, str], tuple[Found, list[Any]]] = {}
    for thing, verdict in verdicts.items():
        for one in leading(verdict):
            code = one.code if isinstance(one, Breach) else one.fact if isinstance(one, Missing) else ""
            others = {name: value for name, value in one.facts.items() if name != fact}
            key = (one.article, code, repr(sorted(others.items(), key=str)))
            groups.setdefault(key, (one, []))[1].append(thing)
    order = {Breach: 1, Missing: 0, Because: 2}
    found = sorted(groups.values(), key=lambda each: order[type(each[0])])
    return tuple(reason(asking, one, things, fact=fact) for one, things in found)


def leading(verdict: Verdict) -> tuple[Found, ...]:
    """What decides a verdict: its breaches, else its open questions, else what allows the move."""
    if verdict.breaches:
        return verdict.breaches
    return verdict.missing if verdict.value == UNDECIDED else verdict.because if verdict.value == LEGAL else ()


def sign(one: Judged) -> str:
    """The verdict on a recorded move as a sign: as it was at the time, and what later cards made of it."""
    then = SIGNS[one.verdict.value]
    return f"{then}→{SIGNS[one.settled]}" if one.verdict.value == UNDECIDED and one.settled else then


def by_name(asking: Asking, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the names of both partners where the id of their side stands: `Aki & Chika`."""
    seats = set(asking.names or asking.seats(6))
    return {key: _side_name(item, seats) for key, item in facts.items()}


def _side_name(item: Any, seats: set[str]) -> Any:
    partners = item.split("+") if isinstance(item, str) and item not in seats else []
    return " & ".join(partners) if len(partners) > 1 and seats.issuperset(partners) else item


def _of_all(facts: Mapping[str, Any], things: Sequence[Any], fact: str) -> dict[str, Any]:
    """The facts with all that they hold for in the place of one."""
    if len(things) < 2 or fact not in facts:
        return dict(facts)
    return {**facts, fact: [str(thing) if isinstance(thing, Card) else thing for thing in things]}
