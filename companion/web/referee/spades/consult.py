"""Bidding after a talk: what partners may say to each other, which side announces first, and each announcement."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.reading import Node
from companion.games.spades import articles as a
from companion.rulebook.book import article_title, article_url
from companion.web.referee.asking import Asking, Question
from companion.web.referee.shown import ILLEGAL, LEGAL, Answer, Page, Reason
from companion.web.referee.spades import call
from companion.web.referee.state import State

METHOD = "consultation"


def act(asking: Asking, verb: str, word: str) -> State:
    """An announcement, one taken back, another dealer, another side."""
    talking = _talking(asking)
    return asking.state if talking is None else call.act(talking, verb, word)


def page(asking: Asking) -> Page:
    """The announcements so far and the next one; what may be said; whether this table plays so at all."""
    talking = _talking(asking)
    if talking is None:
        bar = asking.say("talk-alone")
        return Page(bar, ILLEGAL, answers=(Answer(bar, ILLEGAL, reasons=(_cited(asking, a.CONSULTATION.id),)),))
    shown = call.page(talking)
    rules = Answer(
        asking.say("talk-may"), LEGAL, texts=(asking.say("talk-tricks"), asking.say("talk-nothing-else")),
        reasons=(_cited(asking, a.CONSULTATION_TALK.id),),
    )  # fmt: skip
    answers = (*shown.answers, rules)
    if asking.rules.bid_method != METHOD:
        answers = (Answer(asking.say("talk-not-here"), "", reasons=(_cited(asking, a.CONSULTATION.id),)), *answers)
    return replace(shown, answers=answers)


def _talking(asking: Asking) -> Asking | None:
    """The question with rules under which partners confer; None where nobody has a partner."""
    if not asking.rules.partners:
        return None
    if asking.rules.bid_method == METHOD:
        return asking
    spoken = asking.spoken_rules
    node = Node({**spoken, "options": {**spoken["options"], "bid_method": METHOD, "second_round": False}})
    house = asking.game.options.read(node)
    return None if node.problems else replace(asking, house=house)


def _cited(asking: Asking, article: str) -> Reason:
    return Reason("", article_title(asking.lang, article), article_url(asking.lang, article))


QUESTION = Question(call.QUESTION.names, act, page)
