"""What a sheet looks like on a screen: sides with their totals, deals as rows, the end and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine.ledger import AFTER_END, SCORED, VOID, DealScore, Ledger, Line
from companion.rulebook.book import article_title, article_url, words
from companion.rulebook.wording import number_text, signed_text
from companion.sheets.scoring import View
from companion.sheets.state import SheetDeal, SheetGame
from companion.web.keeper.chart import Chart, chart
from companion.web.keeper.naming import by_name, names_of

SIDE_MARKS = "abcdef"
"""Colour and shape of a side go by its place."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the ledger in words, with the way to its article."""

    points: str
    text: str
    article: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side with its total, what is missing to the end, and how near its next penalty is."""

    id: str
    name: str
    mark: str
    total: str
    leads: bool
    to_go: int | None
    bags: int | None = None
    bag_limit: int | None = None
    won: bool = False

    @property
    def bags_left(self) -> int | None:
        """Bags until the penalty."""
        return None if self.bags is None or self.bag_limit is None else self.bag_limit - self.bags


@dataclass(frozen=True, slots=True)
class ShownScore:
    """What one deal gave one side."""

    side: str
    points: str
    total: str
    lines: tuple[ShownLine, ...]
    entered: str = ""


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """One row of the score table."""

    number: int
    status: str
    dealer: str
    scores: tuple[ShownScore, ...]
    corrected: bool
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A game on a sheet, ready for a template."""

    game: SheetGame
    name: str
    summary: str
    code: str
    rules_url: str
    sides: tuple[ShownSide, ...]
    deals: tuple[ShownDeal, ...]
    dealer: str
    over: bool
    winners: tuple[str, ...] = ()
    reason: str = ""
    reason_url: str = ""
    reason_title: str = ""
    target: int | None = None
    columns: dict[str, str] = field(default_factory=dict)
    chart: Chart | None = None


def board(view: View, lang: str, *, number: int | None = None) -> Board:
    """The board of a game of the sheet, of the running one where no number is named."""
    game = view.sheet.games[(number or len(view.sheet.games)) - 1]
    ledger = view.ledgers[game.number - 1]
    known, house, own = view.games[game.game], view.house(game), words(game.game, lang)
    outcome = ledger.outcome
    names = names_of(view.sheet, game)
    code = known.options.code(house)
    reason = {}
    if outcome.over and outcome.reason:
        shown = replace(outcome, winners=tuple(names[w] for w in outcome.winners), facts=by_name(outcome.facts, names))
        reason = {
            "reason": own.outcome(shown),
            "reason_url": article_url(lang, outcome.reason),
            "reason_title": article_title(lang, outcome.reason),
        }
    sides = _sides(view, game, ledger, house.options)
    return Board(
        game=game,
        name=own.name,
        summary=own.summary(known.options, house),
        code=code,
        rules_url=f"/{lang}/rules/{game.game}?rules={code}",
        sides=sides,
        deals=tuple(
            _deal(deal, score, lang, game, names) for deal, score in zip(game.deals, ledger.deals, strict=True)
        ),
        dealer=view.sheet.names[game.open.dealer],
        over=outcome.over,
        winners=tuple(names[winner] for winner in outcome.winners),
        target=target_of(house.options),
        columns=names,
        chart=_chart(ledger, sides, target_of(house.options)),
        **reason,
    )


def target_of(rules: Any) -> int | None:
    """The points at which a game ends, where its rules have a target in force."""
    return getattr(rules, "target", None) if getattr(rules, "match", "target") == "target" else None


def shown_lines(lines: tuple[Line, ...], lang: str, game: str, names: dict[str, str]) -> tuple[ShownLine, ...]:
    """Lines in words; seats and sides are called by the names of their players."""
    own = words(game, lang)
    shown = []
    for line in lines:
        text = own.line(replace(line, facts=by_name(line.facts, names)))
        title, url = article_title(lang, line.article), article_url(lang, line.article)
        shown.append(ShownLine(signed_text(line.points), text, line.article, title, url))
    return tuple(shown)


def _sides(view: View, game: SheetGame, ledger: Ledger, rules: Any) -> tuple[ShownSide, ...]:
    target = target_of(rules)
    limit = getattr(rules, "bag_threshold", None) if getattr(rules, "sandbag", False) else None
    best = max(at.total for at in ledger.standing.values())
    shown = []
    for place, side in enumerate(game.sides):
        at = ledger.standing[side.id]
        shown.append(
            ShownSide(
                id=side.id,
                name=view.sheet.side_name(side),
                mark=SIDE_MARKS[place % len(SIDE_MARKS)],
                total=number_text(at.total),
                leads=at.total == best and any(other.total < best for other in ledger.standing.values()),
                to_go=None if target is None or ledger.outcome.over else max(target - at.total, 0),
                bags=at.tallies.get("bags"),
                bag_limit=limit,
                won=side.id in ledger.outcome.winners,
            )
        )
    return tuple(shown)


def _chart(ledger: Ledger, sides: tuple[ShownSide, ...], target: int | None) -> Chart | None:
    scored = [deal for deal in ledger.deals if deal.status == SCORED]
    totals = [[deal.sides[side.id].standing.total for deal in scored] for side in sides]
    return chart([(side.mark, side.name) for side in sides], totals, target)


def _deal(deal: SheetDeal, scored: DealScore, lang: str, game: SheetGame, names: dict[str, str]) -> ShownDeal:
    own = words(game.game, lang)
    scores = []
    for side in game.sides:
        score = scored.sides[side.id]
        counts = scored.status not in (VOID, AFTER_END)
        scores.append(
            ShownScore(
                side.id,
                signed_text(score.points) if counts else "",
                number_text(score.standing.total),
                shown_lines(score.lines, lang, game.game, names),
            )
        )
    warnings = []
    for warned in scored.warnings:
        text = own.problem(replace(warned.problem, facts=by_name(warned.problem.facts, names)))
        warnings.append(f"{text} ({warned.reason})" if warned.reason else text)
    return ShownDeal(
        deal.number, scored.status, names[deal.dealer], tuple(scores), deal.corrected,
        tuple(warnings), deal.notes, deal.confirmed,
    )  # fmt: skip
