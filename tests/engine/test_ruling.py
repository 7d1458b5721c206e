"""How a judge's findings are collected: each once, and only what the verdict needs."""

from __future__ import annotations

import pytest

from companion.engine.articles import Article
from companion.engine.verdict import (
    ILLEGAL,
    LEGAL,
    TRUE,
    UNDECIDED,
    AtLeast,
    AtMost,
    Because,
    Breach,
    Finding,
    Knowledge,
    Missing,
    Place,
    Question,
    Ruling,
    decide,
    record_contradicts,
)
from companion.games import GAMES

FIRST, SECOND, *_ = next(iter(GAMES.values())).articles


def test_breaches_are_recorded_once_and_in_order() -> None:
    ruling = Ruling()
    ruling.breach(FIRST, "b", card="7H")
    ruling.breach(FIRST, "a", card="7H")
    ruling.breach(FIRST, "b", card="7H")
    ruling.breach(FIRST, "b", card="8H")
    ruling.breach(SECOND, "b", card="7H")
    assert not ruling.legal
    verdict = ruling.verdict()
    assert verdict.value == ILLEGAL
    assert verdict.breaches == (
        Breach(FIRST.id, "b", {"card": "7H"}),
        Breach(FIRST.id, "a", {"card": "7H"}),
        Breach(FIRST.id, "b", {"card": "8H"}),
        Breach(SECOND.id, "b", {"card": "7H"}),
    )


def test_a_missing_fact_is_recorded_with_the_first_article_that_needs_it() -> None:
    ruling = Ruling()
    ruling.lack("hand", FIRST, "A", suit="S")
    ruling.lack("hand", SECOND, "A", suit="S")
    ruling.lack("hand", FIRST, "B", suit="S")
    ruling.lack("hand", FIRST, "A", suit="H")
    ruling.lack("trump", FIRST)
    assert not ruling.legal
    verdict = ruling.verdict()
    assert verdict.value == UNDECIDED
    assert verdict.missing == (
        Missing("hand", FIRST.id, "A", {"suit": "S"}),
        Missing("hand", FIRST.id, "B", {"suit": "S"}),
        Missing("hand", FIRST.id, "A", {"suit": "H"}),
        Missing("trump", FIRST.id),
    )


@pytest.mark.parametrize("allow_once", [False, True])
def test_what_allows_a_move(allow_once: bool) -> None:
    ruling = Ruling(allow_once=allow_once)
    ruling.allow(FIRST, card="7H")
    ruling.allow(FIRST, card="7H")
    ruling.allow(SECOND)
    ruling.allow(FIRST, card="8H")
    ruling.effect["next"] = "B"
    assert ruling.legal
    again = () if allow_once else (Because(FIRST.id, {"card": "8H"}),)
    verdict = ruling.verdict()
    assert verdict.value == LEGAL
    assert verdict.because == (Because(FIRST.id, {"card": "7H"}), Because(SECOND.id), *again)
    assert verdict.effect == {"next": "B"}


@pytest.mark.parametrize("fault", ["breach", "lack"])
def test_only_a_legal_verdict_says_why_and_what_follows(fault: str) -> None:
    ruling = Ruling()
    ruling.allow(FIRST)
    ruling.effect["next"] = "B"
    if fault == "breach":
        ruling.breach(SECOND, "code")
    else:
        ruling.lack("hand", SECOND)
    verdict = ruling.verdict()
    assert verdict.because == ()
    assert verdict.effect == {}
    assert len(verdict.breaches) + len(verdict.missing) == 1


def test_a_record_that_contradicts_itself_accuses_nobody_unless_named() -> None:
    article: Article = FIRST
    assert record_contradicts("cards", article) == Finding(article.id, "record-contradicts", "", {"why": "cards"})
    assert record_contradicts("cards", FIRST, "A", held=3) == Finding(
        article.id, "record-contradicts", "A", {"why": "cards", "held": 3}
    )


def test_decide_tells_certain_from_open_questions() -> None:
    known = Knowledge(0b111, (Place.of("A", 2), Place.of("B", 1)))
    sure = Question(AtLeast("A", 0b011), FIRST, "sure")
    left, right = (Question(AtMost("A", bit), FIRST, f"without {bit}") for bit in (0b001, 0b110))
    never = Question(AtLeast("B", -1, 2), FIRST, "never")
    assert decide(known.decide, (sure, left, never)) == ([sure], [(left, None)], False)
    either = Question(AtLeast("A", 0b001), FIRST, "with 1")
    assert decide(known.decide, (left, either)) == ([], [(left, None), (either, None)], True)
    assert decide(known.decide, (left,)).either is False
    turn = Question(TRUE, FIRST, "turn", table=("dealer",))
    assert decide(known.decide, (turn, right)) == ([], [(turn, True)], False)
