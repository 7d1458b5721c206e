"""What a sheet looks like on a screen: sides with totals, deals as rows, the chart, the end, what was just saved."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final

from flask import Flask
from markupsafe import Markup

from companion.engine.cards import number_text, signed_text
from companion.engine.dialogue import Text
from companion.engine.entry import Answered, EntryStep, SeatNote, TableNotes
from companion.engine.evenings import Done, Story, story_of
from companion.engine.ledger import AFTER_END, SCORED, VOID, DealScore, Ledger, Line, team_name
from companion.rulebook.book import article_title, article_url, rules_url, say, words
from companion.rulebook.phrases import Words
from companion.sheets.events import View
from companion.sheets.state import Sheet, SheetDeal, SheetGame
from companion.web.naming import by_name

# Chart ----------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, EDGE, LABELS = 320, 150, 10, 34
"""Units of the drawing: its size, its margin, and the room for the numbers at the left."""


@dataclass(frozen=True, slots=True)
class Course:
    """One side's totals as dots from left to right; `path` joins them."""

    mark: str
    name: str
    dots: tuple[tuple[float, float], ...]

    @property
    def path(self) -> str:
        """The dots as the `points` of a polyline."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.dots)


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of totals: a course for each side, and the levels worth a line (zero, the target)."""

    courses: tuple[Course, ...]
    levels: tuple[tuple[int, float], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LABELS


def chart(marks: Sequence[tuple[str, str]], totals: Sequence[Sequence[int]], target: int | None) -> Chart | None:
    """The drawing of each side's totals after every deal; `marks` are mark and name by side. None for one deal."""
    deals = max(map(len, totals), default=0)
    if deals < 2:
        return None
    levels = [0] if target is None else [0, target]
    low = min(*levels, *(total for course in totals for total in course))
    high = max(*levels, *(total for course in totals for total in course), low + 1)

    def x(deal: int) -> float:
        return round(LABELS + (WIDTH - LABELS - EDGE) * deal / deals, 1)

    def y(total: int) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (high - total) / (high - low), 1)

    courses = tuple(
        Course(mark, name, tuple((x(place), y(total)) for place, total in enumerate((0, *course))))
        for (mark, name), course in zip(marks, totals, strict=True)
    )
    return Chart(courses, tuple((level, y(level)) for level in levels))


# Board ----------------------------------------------------------------------------------------------------------------

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
class ShownTally:
    """A tally of a side in words; also beside the limit at which it costs points, if there is one."""

    count: int
    text: str
    limit: int | None = None
    of_limit: str = ""
    left: str = ""
    """How many are left until then, in words."""


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side with its total, the points that it needs to reach the target, and its tallies."""

    id: str
    name: str
    mark: str
    total: str
    to_go: int | None
    tallies: tuple[ShownTally, ...] = ()
    won: bool = False


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
class Highlight:
    """One thing to remember of a game: a figure that leads, the sentence, the deal behind it, and the side's colour."""

    figure: str
    text: str
    deal: int
    mark: str
    worded: bool = False
    """Whether the figure is in words, such as the deals meant, rather than a number."""


@dataclass(frozen=True, slots=True)
class Board:
    """A game on a sheet, ready for a template."""

    game: SheetGame
    name: str
    summary: str
    code: str
    rules_url: str
    sides: tuple[ShownSide, ...]
    rows: Rows
    over: bool
    winners: tuple[str, ...] = ()
    reason: str = ""
    reason_url: str = ""
    reason_title: str = ""
    target: int | None = None
    columns: dict[str, str] = field(default_factory=dict)
    chart: Chart | None = None
    story: tuple[Highlight, ...] = ()

    @property
    def dealer(self) -> str:
        """The name of whoever deals next."""
        return self.columns[self.game.open.dealer]

    @property
    def deals(self) -> tuple[ShownDeal, ...]:
        """The rows of the score table."""
        return self.rows.shown

    @property
    def marks(self) -> dict[str, str]:
        """Return the letter of each side's colour by its name."""
        return {side.name: side.mark for side in self.sides}


def board(view: View, lang: str, *, number: int | None = None) -> Board:
    """The board of a game of the sheet, of the running one where no number is named."""
    game = view.sheet.games[(number or len(view.sheet.games)) - 1]
    ledger, names = view.ledgers[game.number - 1], view.sheet.names_in(game)
    key = view.id, game.number, lang
    shown = UNCHANGED.board(key, game.deals, ledger, names, lambda rows: _board(view, game, ledger, lang, names, rows))
    return replace(shown, game=game)


def _board(view: View, game: SheetGame, ledger: Ledger, lang: str, names: dict[str, str], before: Rows) -> Board:
    """Return a board made of the rows that were shown before."""
    known, house, own = view.games[game.game], view.house(game), words(game.game, lang)
    outcome = ledger.outcome
    code = known.options.code(house)
    reason = {}
    if outcome.over and outcome.reason:
        shown = replace(outcome, winners=tuple(names[w] for w in outcome.winners), facts=by_name(outcome.facts, names))
        reason = {
            "reason": own.outcome(shown),
            "reason_url": article_url(lang, outcome.reason),
            "reason_title": article_title(lang, outcome.reason),
        }
    target = known.target(house.options)
    sides = _sides(view, game, ledger, target, known.tally_limits(house.options), own)
    return Board(
        game=game,
        name=own.name,
        summary=own.summary(known.options, house),
        code=code,
        rules_url=rules_url(lang, game.game, code),
        sides=sides,
        rows=before.after(game.deals, ledger.deals, names, lambda deal, score: _deal(deal, score, lang, game, names)),
        over=outcome.over,
        winners=tuple(names[winner] for winner in outcome.winners),
        target=target,
        columns=names,
        chart=_chart(ledger, sides, target),
        story=_story(story_of(ledger, known.leaders, known.feats), sides, names, own),
        **reason,
    )


def shown_lines(lines: tuple[Line, ...], lang: str, game: str, names: dict[str, str]) -> tuple[ShownLine, ...]:
    """Lines in words; seats and sides are called by the names of their players."""
    own = words(game, lang)
    shown = []
    for line in lines:
        text = own.line(replace(line, facts=by_name(line.facts, names)))
        title, url = article_title(lang, line.article), article_url(lang, line.article)
        shown.append(ShownLine(signed_text(line.points), text, line.article, title, url))
    return tuple(shown)


def _sides(
    view: View, game: SheetGame, ledger: Ledger, target: int | None, limits: Mapping[str, int], own: Words
) -> tuple[ShownSide, ...]:
    shown = []
    for place, side in enumerate(game.sides):
        at = ledger.standing[side.id]
        shown.append(
            ShownSide(
                id=side.id,
                name=view.sheet.side_name(side),
                mark=SIDE_MARKS[place % len(SIDE_MARKS)],
                total=number_text(at.total),
                to_go=None if target is None or ledger.outcome.over else max(target - at.total, 0),
                tallies=tuple(_tally(name, count, limits.get(name), own) for name, count in at.tallies.items()),
                won=side.id in ledger.outcome.winners,
            )
        )
    return tuple(shown)


def _tally(name: str, count: int, limit: int | None, own: Words) -> ShownTally:
    text = own.say(f"ledger.{name}", {"count": count})
    if limit is None:
        return ShownTally(count, text)
    of_limit = own.say(f"tallies.{name}-of", {"count": count, "limit": limit})
    return ShownTally(count, text, limit, of_limit, own.say(f"tallies.{name}-left", {"left": limit - count}))


def _story(
    story: Story | None, sides: tuple[ShownSide, ...], names: dict[str, str], own: Words
) -> tuple[Highlight, ...]:
    if story is None:
        return ()
    lang = own.lang
    swung = next(side for side in sides if side.id == story.swing.side)
    points, deal = signed_text(story.swing.points), story.swing.deal
    found = [Highlight(points, say(lang, "keeper.story-swing", name=swung.name, deal=deal), deal, swung.mark)]
    if story.ahead is not None:
        won = next(side for side in sides if side.won)
        which = "throughout" if story.throughout else "last" if story.ahead == story.last else "ahead"
        text = say(lang, f"keeper.story-{which}", name=won.name, deal=story.ahead, deals=story.deals)
        meant = say(lang, "keeper.story-deals", first=story.ahead, last=story.last)
        found.append(Highlight(meant, text, story.ahead, won.mark, worded=True))
    return (*found, *(_highlight(done, sides, names, own) for done in story.feats))


def _highlight(done: Done, sides: tuple[ShownSide, ...], names: dict[str, str], own: Words) -> Highlight:
    mark = next(side.mark for side in sides if side.id == done.side)
    facts = {"name": names[done.who], "count": done.count, "tried": done.tried}
    facts |= {"deals": list(done.deals), "in_deals": len(done.deals)}
    return Highlight(signed_text(done.points), own.say(f"story.{done.feat}", facts), done.deals[0], mark)


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
        tuple(warnings), tuple(deal.notes), deal.confirmed,
    )  # fmt: skip


# What was saved -------------------------------------------------------------------------------------------------------

_WHOLE_DEAL = ("record", "correct", "void", "adjust")


def saved_sentence(view: View, kind: str, lang: str, *, earlier: bool = False) -> str:
    """What was saved and how it stands now: `Deal 7 saved. West deals.`, on a second line `North & South 248 ...`.

    The second line is for the ear: the eye has the totals beside it, and who won in large letters.
    Of an earlier game it is only said what was saved.
    """
    if earlier or kind not in _WHOLE_DEAL or view.game is None:
        return say(lang, f"keeper.saved-{kind}")
    shown = board(view, lang)
    after = "won-by" if shown.over else "next-dealer"
    winners = list(shown.winners)
    facts = {"number": len(view.game.deals), "winners": winners, "count": len(winners), "name": shown.dealer}
    brief = [say(lang, f"keeper.saved-{kind}", **facts)]
    standings: list[str] = []
    (standings if shown.over else brief).append(say(lang, f"keeper.{after}", **facts))
    for side in shown.sides:
        tallies = [tally.text for tally in side.tallies]
        standings.append(say(lang, "keeper.side-stands", name=side.name, total=side.total, tallies=tallies))
    gap = say(lang, "site.sentence-gap")
    return f"{gap.join(brief)}\n{gap.join(standings)}"


KEPT_ROWS: Final = 4_000
"""Rows of all games that are kept: some 6 KB each, with their HTML."""

_Deals = tuple[SheetDeal, ...]
_Scores = tuple[DealScore, ...]
_Key = tuple[str, int, str]
"""The id of a sheet, the number of its game, the language."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a game, and what they were made of: deals and scores are recognised as objects."""

    deals: _Deals = ()
    scores: _Scores = ()
    names: Mapping[str, str] = field(default_factory=dict)
    shown: tuple[ShownDeal, ...] = ()
    drawn: dict[str, tuple[Chart | None, bool, Markup]] = field(default_factory=dict, compare=False, repr=False)
    """The whole table as HTML by the address of its sheet, with what it shows beside the rows."""

    def after(
        self,
        deals: _Deals,
        scores: _Scores,
        names: Mapping[str, str],
        make: Callable[[SheetDeal, DealScore], ShownDeal],
    ) -> Rows:
        """Return the rows of the game as it is now; `make` makes those of deals that are new or have another score."""
        kept = self if self.names == names else Rows()
        same = list(map(operator.and_, map(operator.is_, kept.deals, deals), map(operator.is_, kept.scores, scores)))
        if len(kept.deals) == len(deals) == sum(same):
            return kept
        old = [row if is_same else None for row, is_same in zip(kept.shown, same, strict=False)]
        old += [None] * (len(deals) - len(same))
        shown = [row or make(deal, score) for row, deal, score in zip(old, deals, scores, strict=True)]
        return Rows(deals, scores, names, tuple(shown))

    def table(self, draw: Callable[[Board, str], Markup], board: Board, base: str) -> Markup:
        """Return the table of a board that has these rows."""
        kept = self.drawn.get(base)
        if kept is None or kept[:2] != (board.chart, board.over):
            kept = self.drawn[base] = board.chart, board.over, draw(board, base)
        return kept[2]


class BoardCache:
    """The boards of games shown last; the oldest goes first."""

    def __init__(self) -> None:
        self._kept: dict[_Key, tuple[Ledger, Board]] = {}
        self._size = 0
        self._lock = Lock()

    def board(
        self, key: _Key, deals: _Deals, ledger: Ledger, names: Mapping[str, str], make: Callable[[Rows], Board]
    ) -> Board:
        """Return the board of a game, made of the rows before where its deals or its ledger are other objects.

        A ledger is the same object for as long as the facts, the rules and the opening of its game are.
        """
        before, kept = self._kept.get(key, (None, None))
        if kept is None or before is not ledger or kept.game.deals is not deals or kept.columns != names:
            kept = make(kept.rows if kept else Rows())
            self._keep(key, ledger, kept)
        return kept

    def rows_kept(self) -> int:
        """Return how many rows are kept of all games."""
        return sum(len(board.deals) for _, board in self._kept.values())

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _keep(self, key: _Key, ledger: Ledger, board: Board) -> None:
        with self._lock:
            self._drop(key)
            self._kept[key] = ledger, board
            self._size += 1 + len(board.deals)
            while self._size > KEPT_ROWS and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: _Key) -> None:
        dropped = self._kept.pop(key, None)
        if dropped:
            self._size -= 1 + len(dropped[1].deals)


UNCHANGED: Final = BoardCache()


def init_app(app: Flask) -> None:
    """Let templates draw a table of deals only where it has changed: `unchanged_table(macro, board, base)`."""
    app.jinja_env.globals["unchanged_table"] = lambda macro, board, base: board.rows.table(macro, board, base)


_TWO = 2
ASKED = "seat:"
"""How the question begins that asks a seat for its call."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table. `place` counts clockwise from the far edge, `question` asks for its call.

    `note` is what the game puts at the seat, such as the points of the deal so far.
    """

    name: str
    place: int
    question: str
    dealer: bool
    turn: bool
    said: Answered | None
    note: SeatNote | None
    side: str = ""
    mark: str = "a"
    """Letter of the side's colour."""


def seats_at(view: View, game: SheetGame, step: EntryStep, *, changeable: bool = True) -> tuple[Seat, ...]:
    """Return the seats in the order in which they call, else as they sit; none where there is nothing to show at them.

    Whoever only watches is given calls that cannot be changed.
    """
    called = {said.seat: said if changeable else replace(said, question="") for said in step.said if said.seat}
    asked = step.question.id if step.question else ""
    notes = {note.seat: note for note in (step.table or TableNotes()).seats}
    order = list(called) or [seat for seat in game.seating if ASKED + seat == asked]
    if not order and not notes:
        return ()
    first = game.seating.index(order[0]) if order else 0
    return tuple(
        Seat(
            view.sheet.names[seat],
            game.seating.index(seat),
            ASKED + seat,
            seat == game.open.dealer,
            ASKED + seat == asked or step.asked in (seat, game.side_of(seat).id),
            called.get(seat),
            notes.get(seat),
            game.side_of(seat).id,
            SIDE_MARKS[game.sides.index(game.side_of(seat)) % len(SIDE_MARKS)],
        )
        for seat in (*game.seating[first:], *game.seating[:first])
    )


def at_totals(seats: Sequence[Seat]) -> dict[str, Seat]:
    """Return the seats by side where two play alone: what is at the seats is shown with the totals, and no table.

    Empty where people sit round a table, or call.
    """
    alone = len(seats) == len({seat.side for seat in seats}) == _TWO and all(seat.note for seat in seats)
    return {seat.side: seat for seat in seats} if alone else {}


def middle_of(step: EntryStep) -> Text:
    """Return the text in the middle of the table: the count of the calls, else what the game puts there."""
    return step.hint if step.kind == "call" else step.table.middle if step.table else ""


_GAMES_IN_ROUND: Final = 3
"""Games until everybody of four has played with everybody."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """Who plays with whom in the next game, and how far the rotation is.

    `game` is the number of the last game in its round of three; 0 while the partners have not changed yet.
    """

    sides: str
    game: int = 0

    @property
    def complete(self) -> bool:
        """Return whether everybody has played with everybody."""
        return self.game == _GAMES_IN_ROUND


def next_seating(seating: Sequence[str]) -> tuple[str, ...]:
    """Return the seats for other partners: the first stays, and the others move up behind the one who sits last."""
    return (*seating[:1], *seating[-1:], *seating[1:-1])


def next_sides(game: SheetGame, names: Mapping[str, str]) -> str:
    """Return who would play with whom in the next game of a rotation; empty where four do not play in pairs."""
    if len(game.seating) != 4 or len(game.sides) != 2:
        return ""
    sat = [names[seat] for seat in next_seating(game.seating)]
    return " – ".join(_unbroken(team_name(side)) for side in (sat[::2], sat[1::2]))


def _unbroken(team: str) -> str:
    """Return a team that stays in one line where there is room."""
    return team.replace(" & ", "\u00a0&\u00a0").replace("・", "\u2060・\u2060")


def rotation_of(sheet: Sheet) -> Rotation | None:
    """Return how the rotation of a sheet goes on; None where four do not play in pairs.

    It lasts as long as each game is seated as this one says, so that nothing has to be written down about it.
    """
    sides = next_sides(sheet.games[-1], sheet.names)
    if not sides:
        return None
    rotated = 0
    for before, game in zip(sheet.games[-2::-1], sheet.games[:0:-1], strict=True):
        if tuple(game.seating) != next_seating(before.seating):
            break
        rotated += 1
    return Rotation(sides, rotated % _GAMES_IN_ROUND + 1 if rotated else 0)
