"""A ledger as plain text for a terminal or a chat: every point with its article."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.cards import columns, number_text, signed_text
from companion.engine.game import Game
from companion.engine.ledger import AFTER_END, VOID, DealScore, Ledger, Side, SideScore, Standing
from companion.engine.options import HouseRules
from companion.rulebook.book import article_title, say, words
from companion.rulebook.phrases import Words


def ledger_text(game: Game, house: HouseRules[object], sides: Sequence[Side], ledger: Ledger, lang: str) -> str:
    """The whole ledger in a language: the rules in one line, each deal's lines with their articles, the end."""
    own = words(game.id, lang)
    width = max(columns(side.id) for side in sides)
    blocks = ["\n".join(_head(game, house, sides, own))]
    blocks += ["\n".join(_deal(number, deal, own, width)) for number, deal in enumerate(ledger.deals, start=1)]
    blocks.append("\n".join(_end(ledger, own, width)))
    return "\n\n".join(blocks) + "\n"


def _head(game: Game, house: HouseRules[object], sides: Sequence[Side], own: Words) -> Iterator[str]:
    yield f"{own.name} · {own.summary(game.options, house)}"
    for side in sides:
        if side.players:
            yield f"{side.id}: {own.vocabulary.separator.join(side.players)}"


def _deal(number: int, deal: DealScore, own: Words, width: int) -> Iterator[str]:
    if deal.status in (VOID, AFTER_END):
        yield say(own.lang, f"ledger.{deal.status}", number=number)
        return
    yield say(own.lang, "ledger.deal", number=number)
    for side, score in deal.sides.items():
        yield from _side(side, score, own, width)
    for warned in deal.warnings:
        reason = f" ({warned.reason})" if warned.reason else ""
        yield f"  ! {own.problem(warned.problem)}{reason}"


def _side(side: str, score: SideScore, own: Words, width: int) -> Iterator[str]:
    yield f"  {_padded(side, width)} {signed_text(score.points):>6}  {_standing(score.standing, own)}"
    for line in score.lines:
        cite = f"{article_title(own.lang, line.article)} [{line.article}]"
        yield f"  {' ' * width} {signed_text(line.points):>6}    {own.line(line)} — {cite}"


def _end(ledger: Ledger, own: Words, width: int) -> Iterator[str]:
    yield say(own.lang, "ledger.standing")
    for side, standing in ledger.standing.items():
        yield f"  {_padded(side, width)} {_standing(standing, own)}"
    outcome = ledger.outcome
    if outcome.over and outcome.reason:
        winners = own.vocabulary.separator.join(outcome.winners)
        yield say(own.lang, "ledger.over", winners=winners)
        yield f"  {own.outcome(outcome)} [{outcome.reason}]"
    else:
        yield say(own.lang, "ledger.open")


def _standing(standing: Standing, own: Words) -> str:
    tallies = [own.say(f"ledger.{name}", {"count": count}) for name, count in standing.tallies.items()]
    return "  ".join([say(own.lang, "ledger.total", total=number_text(standing.total)), *tallies])


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))
