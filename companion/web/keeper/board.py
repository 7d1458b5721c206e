"""What a sheet looks like on a screen: sides with totals, deals as rows, the chart, the end, what was just saved."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from flask import Flask
from markupsafe import Markup

from companion.engine.cards import columns, number_text, signed_text
from companion.engine.entry import Answered, EntryStep, SeatNote
from companion.engine.evenings import Story, story_of
from companion.engine.game import Game
from companion.engine.ledger import SCORED, DealScore, Ledger, Line, Rules, SideScore, Standing, team_name
from companion.engine.options import HouseRules
from companion.engine.problems import JsonObject, Problem
from companion.rulebook.words import Words, article_title, article_url, rules_url, say, words
from companion.sheets.event import View
from companion.sheets.state import ByteCache, Sheet, SheetDeal, SheetGame
from companion.web.dialogue import by_name, outcome_text, went_wrong

# Chart ----------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LABELS, LINE = 320, 200, 42, 20
"""Units of the drawing: its size, the room for the numbers at the left, a line of a label, also the margin."""


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
    """A drawing of totals: a course for each side, and levels: round numbers, or zero and a target that was reached.

    `labels` are the places at the ends of the courses, by their marks and apart from each other.
    """

    courses: tuple[Course, ...]
    levels: tuple[tuple[int, float], ...]
    labels: Mapping[str, float]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LABELS


def chart(marks: Sequence[tuple[str, str]], totals: Sequence[Sequence[int]], target: int | None) -> Chart | None:
    """The drawing of each side's totals after every deal; `marks` are mark and name by side. None for one deal."""
    deals = max(map(len, totals), default=0)
    if deals < 2:
        return None
    low, high = min(0, *map(min, totals)), max(1, *map(max, totals))
    span = high - low
    step = 10 ** len(str(span)) // 10
    step *= 1 + span // step // 4
    levels = [0, target] if target and target <= high else range(-(-low // step) * step, high + 1, step)

    def x(deal: int) -> float:
        return round(LABELS + (WIDTH - LABELS - LINE) * deal / deals, 1)

    def y(total: int) -> float:
        return round(LINE + (HEIGHT - 2 * LINE) * (high - total) / span, 1)

    courses = tuple(
        Course(mark, name, tuple((x(place), y(total)) for place, total in enumerate((0, *course))))
        for (mark, name), course in zip(marks, totals, strict=True)
    )
    labels, lowest = {}, 0.0
    for course in sorted(courses, key=lambda course: course.dots[-1][1]):
        labels[course.mark] = lowest = max(course.dots[-1][1], lowest + LINE)
    return Chart(courses, tuple((level, y(level)) for level in levels), labels)


# Board ----------------------------------------------------------------------------------------------------------------

SIDE_MARKS = "abcdefghijkl"
"""Colour and shape of a side go by its place."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A tally of a side, and the limit at which it costs points, if there is one."""

    name: str
    count: int
    limit: int | None = None


class BoardSide(NamedTuple):
    """A side with its total, the points that it needs to reach the target, and its tallies.

    `tied` says that it shares the lead where the game would be over, so that another deal decides.
    """

    id: str
    name: str
    mark: str
    total: str
    to_go: int | None
    tallies: tuple[Tally, ...] = ()
    won: bool = False
    tied: bool = False


class Highlight(NamedTuple):
    """One thing to remember of a game: a figure that leads, the sentence, the deal behind it, and the side's colour."""

    figure: str
    text: str
    deal: int
    mark: str
    worded: str = ""
    """What is remembered, where the figure is in words, such as the deals meant, rather than a number."""


@dataclass(frozen=True)
class Board:
    """A game on a sheet as templates show it; what a page does not ask for is not worked out."""

    view: View
    game: SheetGame
    lang: str
    deal: int | None = None
    """The deal whose players give the names; None for those of the end of the game."""

    def at(self, deal: int) -> Board:
        """Return the board with the names of whoever played a deal."""
        return replace(self, deal=deal) if self.view.sheet.state.taken else self

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger of the game."""
        return self.view.ledgers[self.game.number - 1]

    @cached_property
    def words(self) -> Words:
        """The words of the game."""
        return words(self.game.game, self.lang)

    @cached_property
    def columns(self) -> dict[str, str]:
        """The name of every seat and side by its id."""
        return self.view.sheet.names_in(self.game, self.deal)

    @cached_property
    def known(self) -> Game:
        """The game of which this is one."""
        return self.view.games[self.game.game]

    @cached_property
    def house(self) -> HouseRules[Rules]:
        """The house rules of the open deal."""
        return self.view.house(self.game)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.words.name

    @cached_property
    def summary(self) -> str:
        """The house rules in a line."""
        return self.words.summary(self.known.options, self.house)

    @cached_property
    def code(self) -> str:
        """The short code of the house rules."""
        return self.known.options.code(self.house)

    @property
    def rules_url(self) -> str:
        """The page of the rulebook for these house rules."""
        return rules_url(self.lang, self.game.game, self.code)

    @cached_property
    def sides(self) -> tuple[BoardSide, ...]:
        """The sides in the order of the game."""
        limits, outcome, target = self.known.tally_limits(self.house.options), self.ledger.outcome, self.target
        same = self.game.rules is self.game.rules_of(max(len(self.game.deals), 1))
        tied = outcome.reason and not (outcome.over or self.raised_to) and same
        leaders = self.leaders(self.ledger.standing) if tied else ()
        return tuple(
            BoardSide(
                side.id,
                self.columns[side.id],
                SIDE_MARKS[place % len(SIDE_MARKS)],
                number_text(at.total),
                None if target is None or outcome.over else max(target - at.total, 0),
                tuple(Tally(name, count, limits.get(name)) for name, count in at.tallies.items()),
                side.id in outcome.winners,
                side.id in leaders,
            )
            for place, side in enumerate(self.game.sides)
            if (at := self.ledger.standing[side.id])
        )

    @property
    def deals(self) -> tuple[tuple[SheetDeal, DealScore], ...]:
        """The recorded deals with their scores."""
        return tuple(zip(self.game.deals, self.ledger.deals, strict=True))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.ledger.outcome.over

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the sides that won."""
        return self.named(self.ledger.outcome.winners)

    @property
    def reason(self) -> str:
        """Why the game is over, or goes on after a tie, as a sentence."""
        outcome = self.ledger.outcome
        return outcome_text(outcome, self.words, self.columns) if outcome.reason else ""

    @property
    def raised_to(self) -> int | None:
        """The target in force, where it is not that of the rules any more."""
        return self.ledger.outcome.facts.get("raised_to")

    @cached_property
    def target(self) -> int | None:
        """The total at which the game ends, if it ends by one."""
        return self.raised_to or self.known.target(self.house.options)

    @property
    def dealer(self) -> str:
        """The name of whoever deals next."""
        return self.columns[self.game.open.dealer]

    def leaders(self, standing: Mapping[str, Standing]) -> tuple[str, ...]:
        """Return the ids of the sides with the best total."""
        return self.known.leaders(self.house.options, standing)

    @cached_property
    def chart(self) -> Chart | None:
        """The drawing of all totals."""
        scored = [deal for deal in self.ledger.deals if deal.status == SCORED]
        totals = [[deal.sides[side.id].standing.total for deal in scored] for side in self.sides]
        return chart([(side.mark, side.name) for side in self.sides], totals, self.target)

    @cached_property
    def story(self) -> tuple[Highlight, ...]:
        """What the game is remembered for; nothing before it is over."""
        story = story_of(self.ledger, self.leaders, self.known.achievements, self._player)
        return _highlights(story, self) if story else ()

    def _player(self, deal: int, seat: str) -> str:
        everybody = {key: key for key in self.view.sheet.players}
        return self.view.sheet.seated(everybody, (self.game.number, deal)).get(seat, seat)

    def went_wrong(self, facts: JsonObject) -> list[str]:
        """Return what the facts of a deal say went wrong: who, what, in which trick, and when it was found."""
        return went_wrong(facts.get("irregularities", ()), self.words, self.columns)

    def named(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the names of these seats or sides."""
        return tuple(self.columns[each] for each in ids)

    def sentence(self, found: Line | Problem) -> str:
        """Return a line or a problem in words, seats and sides called by the names of their players."""
        named = replace(found, facts=by_name(found.facts, self.columns))
        return self.words.line(named) if isinstance(named, Line) else self.words.problem(named)


def board(view: View, lang: str, *, number: int | None = None) -> Board:
    """The board of a game of the sheet, of the running one where no number is named."""
    return Board(view, view.sheet.games[(number or len(view.sheet.games)) - 1], lang)


def _highlights(story: Story, board: Board) -> tuple[Highlight, ...]:
    lang, of_side, players = board.lang, {side.id: side for side in board.sides}, board.view.sheet.players
    swung, deal = of_side[story.swing.side], story.swing.deal
    text = say(lang, "keeper.story-swing", name=board.at(deal).columns[swung.id], deal=deal)
    found = [Highlight(signed_text(story.swing.points), text, deal, swung.mark)]
    if story.ahead is not None:
        won = next(side for side in board.sides if side.won)
        which = "throughout" if story.throughout else "last" if story.ahead == story.last else "ahead"
        text = say(lang, f"keeper.story-{which}", name=won.name, deal=story.ahead, deals=story.last)
        meant = say(lang, "keeper.story-deals", first=story.ahead, last=story.last)
        found.append(Highlight(meant, text, story.ahead, won.mark, "ahead"))
    for done in story.achievements:
        name = players.get(done.who) or board.at(done.deals[-1]).columns[done.who]
        facts = {"name": name, "count": done.count, "tried": done.tried}
        facts |= {"deals": list(done.deals), "in_deals": len(done.deals)}
        text = board.words.say(f"story.{done.achievement}", facts)
        found.append(Highlight(signed_text(done.points), text, done.deals[0], of_side[done.side].mark))
    taken = [each for each in board.view.sheet.state.taken if each.game == board.game.number]
    for place, each in enumerate(taken):
        if each.from_deal > story.last:
            continue
        later = (after.from_deal - 1 for after in taken[place + 1 :] if after.seat == each.seat)
        last, player = min((story.last, *later)), players[each.key]
        back = any(before.seat == each.seat and before.left == player for before in taken[: place + 1])
        facts = {"name": each.left, "player": player, "deal": each.from_deal, "until": last if last < story.last else 0}
        text = say(lang, "keeper.story-back" if back else "keeper.story-taken", **facts)
        meant = say(lang, "keeper.story-deals", first=each.from_deal, last=last)
        mark = of_side[board.game.side_of(each.seat).id].mark
        found.append(Highlight(meant, text, each.from_deal, mark, "taken"))
    for recorded, scored in board.deals:
        wrong = zip(scored.irregularities, board.at(recorded.number).went_wrong(recorded.facts), strict=True)
        for one, text in wrong if scored.status == SCORED else ():
            if not one.corrected:
                meant = say(lang, "keeper.story-deals", first=recorded.number, last=recorded.number)
                found.append(Highlight(meant, f"{meant} {text}", recorded.number, of_side[one.side].mark, "wrong"))
    return tuple(found)


# What was saved -------------------------------------------------------------------------------------------------------

_WHOLE_DEAL = ("record", "correct", "void", "adjust")


def saved_sentence(view: View, kind: str, lang: str, *, earlier: bool) -> str:
    """Return what was saved, such as `Deal 7 saved: +91, −70`; on a second line, for the ear, the dealer and totals.

    Of an earlier game it is only said what was saved.
    """
    if earlier or kind not in _WHOLE_DEAL or view.game is None:
        return say(lang, f"keeper.saved-{kind}")
    shown = board(view, lang)
    winners = list(shown.winners)
    facts = {"number": len(view.game.deals), "winners": winners, "count": len(winners), "name": shown.dealer}
    scores = shown.ledger.deals[-1].sides if kind == "record" else {}
    points = {side.id: signed_text(scores[side.id].points) for side in shown.sides if scores}
    said = [say(lang, f"keeper.{'won-by' if shown.over else 'next-dealer'}", **facts)]
    for side in shown.sides:
        tallies = [shown.words.say(f"ledger.{tally.name}", {"count": tally.count}) for tally in side.tallies]
        stands = {"name": side.name, "total": side.total, "tallies": tallies, "points": points.get(side.id, "")}
        said.append(say(lang, "keeper.side-stands", **stands))
    brief = say(lang, f"keeper.saved-{kind}", **facts, points=say(lang, "keeper.comma").join(points.values()))
    return f"{brief}\n{say(lang, 'site.sentence-gap').join(said)}"


class _Table(NamedTuple):
    """The table of deals of a game as HTML, and what it shows: the ledger is recognised as an object."""

    ledger: Ledger
    names: Mapping[str, str]
    marks: tuple[object, ...]
    html: Markup


_TABLES: Final[ByteCache[tuple[str, int, str, str], _Table]] = ByteCache(16 * 1024 * 1024)


def cached_table(draw: Callable[[Board, str], Markup], board: Board, base: str) -> Markup:
    """Return the table of deals of a board, drawn by a macro unless it was drawn before and nothing in it has changed.

    A ledger is the same object for as long as the facts, the rules and the opening of its game are.
    """
    key = board.view.id, board.game.number, board.lang, base
    marks = (*((deal.corrected, len(deal.confirmed)) for deal in board.game.deals), board.view.sheet.state.taken)
    kept = _TABLES.get(key)
    if kept is None or kept.ledger is not board.ledger or (kept.names, kept.marks) != (board.columns, marks):
        kept = _Table(board.ledger, board.columns, marks, draw(board, base))
        _TABLES.put(key, kept, 3 * sys.getsizeof(kept.html))
    return kept.html


def _article_link(article: str, lang: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(article_url(lang, article), article_title(lang, article))


def init_app(app: Flask) -> None:
    """Let templates show the objects of a ledger: lines, points and articles."""
    app.jinja_env.globals.update(cached_table=cached_table, article_title=article_title)
    app.jinja_env.filters |= {"signed": signed_text, "number": number_text, "article_link": _article_link}
    app.jinja_env.filters["columns"] = columns


ASKED = "seat:"
"""How the question begins that asks a seat for its call."""


class Seat(NamedTuple):
    """One place at the table. `place` counts clockwise from whoever keeps the score.

    `note` is what the game puts at the seat, such as its pile.
    """

    id: str
    name: str
    place: int
    dealer: bool
    turn: bool
    said: Answered | None
    note: SeatNote | None
    mark: str = "a"
    """Letter of the side's colour."""


def seats_at(view: View, game: SheetGame, step: EntryStep, *, changeable: bool = True) -> tuple[Seat, ...]:
    """Return the seats in the order in which they call, else as they sit; none where there is nothing to show at them.

    Whoever only watches is given calls that cannot be changed.
    """
    called = {said.seat: said if changeable else replace(said, question="") for said in step.said if said.seat}
    asked = step.question.id.removeprefix(ASKED) if step.question else ""
    notes = {note.seat: note for note in step.notes}
    order = list(called) or [seat for seat in game.seating if seat == asked]
    if not order and not notes:
        return ()
    first, names = game.seating.index(order[0]) if order else 0, view.sheet.names_in(game)
    return tuple(
        Seat(
            seat,
            names[seat],
            game.seating.index(seat),
            seat == game.open.dealer,
            seat == asked or step.asked in (seat, game.side_of(seat).id),
            called.get(seat),
            notes.get(seat),
            SIDE_MARKS[game.sides.index(game.side_of(seat)) % len(SIDE_MARKS)],
        )
        for seat in (*game.seating[first:], *game.seating[:first])
    )


def moods(game: SheetGame, scores: Mapping[str, SideScore]) -> dict[str, str]:
    """Return by seat what a deal is about to bring: `beat` for a special call that was made, `fell` for a loss."""
    found: dict[str, str] = {}
    for side in game.sides:
        score = scores[side.id]
        found |= dict.fromkeys(side.players if score.points < 0 else (), "fell")
        found |= {
            str(line.facts["player"]): "beat" for line in score.lines if line.points > 0 and "player" in line.facts
        }
    return found


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
