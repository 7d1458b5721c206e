"""Lessons in words: steps of a deal, positions of a quiz with the judge's answer, a sheet explained, advice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from random import Random
from typing import Any, TypeVar

from companion.engine.cards import signed_text
from companion.engine.dialogue import Phrase
from companion.engine.game import Game, score
from companion.engine.ledger import Line
from companion.engine.lessons import Lessons, LessonStep, Puzzle, Row, Scene, Way
from companion.engine.problems import JsonObject, Refused, read_whole
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Because, Breach, Finding, Missing, Verdict
from companion.games import GAMES
from companion.rulebook.book import article_url, say, words
from companion.rulebook.figures import Figure, draw_figure, draw_thing, make_row
from companion.rulebook.lessons import Texts, lesson_texts
from companion.rulebook.markup import draw_cards
from companion.rulebook.messages import Message
from companion.rulebook.page_texts import page_facts, page_template

T = TypeVar("T")
_MARKS = re.compile("[!○]")
_PERSON = re.compile(r"\b(?:p[1-6](?:\+p[1-6])*|dummy)\b")
FEW = 2
"""Reasons shown for a move, and moves of a step up to which that many are shown."""
_DRAWS = 200
"""Positions drawn at most until one has the wanted answer."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a sentence as HTML, the article's title and address."""

    html: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move in words: the sentence as HTML, the verdict, why."""

    html: str
    verdict: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class StepText:
    """A step of a deal in words: the drawing, the moves, what else was allowed, a remark; all HTML."""

    figure: str
    moves: tuple[MoveText, ...]
    others: tuple[str, ...]
    note: str
    passed_over: int


@dataclass(frozen=True, slots=True)
class SideText:
    """What a side scored in a deal: its name, the points with their reasons, the sum with its sign, the total."""

    name: str
    lines: tuple[tuple[str, str, str], ...]
    points: str
    total: int


@dataclass(frozen=True, slots=True)
class MoveTried:
    """A move in words that somebody tapped together, with what the judge says; `verdict` is empty for no move."""

    html: str
    verdict: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class PuzzleText:
    """A position of the quiz in words: the drawing and the question, the judge's answer with its reasons.

    In the drawing, fields of a form, cards can be tapped; `acts` are names and labels of its buttons.
    """

    drawing: str
    acts: tuple[tuple[str, str], ...]
    question: str
    verdict: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class DealText:
    """What is said of a deal before and after it is watched; `title` is plain text, the others are HTML."""

    title: str
    about: str
    end: str


class LessonWords:
    """The lessons of a preset in a language."""

    def __init__(self, game: Game, lessons: Lessons, preset: str, lang: str) -> None:
        self.game, self.lessons, self.lang = game, lessons, lang
        self.way: Way = lessons.ways[preset]
        self._texts: Texts = lesson_texts(game.id, lang)
        self._facts = page_facts(game, lang, game.options.preset(preset), book=False)
        self._own = words(game.id, lang)
        self._messages: dict[tuple[str, str], Message] = {}
        self._rendered: dict[tuple[str, ...], str] = {}

    def text(self, *keys: str) -> str:
        """Return a text for learners, with what holds for the preset. Raises KeyError if there is none."""
        if keys not in self._rendered:
            found: Any = self._texts
            for key in keys:
                found = found[key]
            self._rendered[keys] = " ".join(page_template(found).render(self._facts).split())
        return self._rendered[keys]

    # Deals to watch

    def deal(self, name: str) -> DealText:
        """Return what is said of a deal."""
        key = self.way.deals[name].texts
        title, about, end = (self.text("deals", key, part) for part in ("title", "about", "end"))
        return DealText(title, draw_cards(about), draw_cards(end))

    def steps(self, name: str) -> list[StepText]:
        """Return the steps of a deal; the last one comes after all that are not shown."""
        watched = self.way.deals[name]
        found = list(self.lessons.steps(watched))
        left_out = len(found) - 1 - watched.shown
        if left_out > 0:
            found = [*found[: watched.shown], replace(found[-1], passed_over=left_out)]
        notes = self._texts["deals"][watched.texts]["notes"]
        return [
            self._step(step, self.text("deals", watched.texts, "notes", str(place)) if str(place) in notes else "")
            for place, step in enumerate(found, start=1)
        ]

    def findings(self, name: str) -> list[Reason]:
        """Return what the record of a deal shows in the end."""
        return [
            self._reason(self._own.finding(found), found.article)
            for found in self.named(self._replayed(name)["findings"])
        ]

    def result(self, name: str) -> list[SideText]:
        """Return what each side scores for a deal; nothing for one that is not complete."""
        answer = self._replayed(name)
        if not answer["result"]:
            return []
        record = self.way.deals[name].record
        request = {"rules": record["rules"], "sides": answer["sides"], "deals": [answer["result"]]}
        return self._scored(request)[0]

    def _replayed(self, name: str) -> JsonObject:
        watched = self.way.deals[name]
        rules = read_whole(watched.record["rules"], self.game.options.read).options
        assert self.game.replay is not None  # noqa: S101  a game with deals to watch replays them
        return self.game.replay(rules, watched.request)

    def _step(self, step: LessonStep, note: str) -> StepText:
        most = FEW if len(step.moves) <= FEW else 1
        moves = tuple(
            MoveText(
                self._sentence(made.sentence),
                made.settled or made.verdict.value,
                self._reasons(made.verdict, most=most),
            )
            for made in step.moves
        )
        others = tuple(self._sentence(sentence) for sentence in step.others)
        return StepText(self._figure(step.scene), moves, others, draw_cards(note), step.passed_over)

    # The quiz

    def title(self, name: str) -> str:
        """Return the heading of a position of the quiz."""
        return self.text("quiz", name, "title")

    def lesson(self, name: str) -> str:
        """Return what a position of the quiz teaches, as HTML."""
        return draw_cards(self.text("quiz", name, "lesson"))

    def puzzle(self, puzzle: Puzzle, taps: Sequence[str] = ()) -> PuzzleText:
        """Return a position in words, tapped cards marked. Raises Refused for one that cannot be."""
        verdict = judge_puzzle(self.game, puzzle)
        acts = tuple((name, self._plain(label)) for name, label in self.lessons.acts(puzzle).items())
        drawing = self._form(self.lessons.scene(puzzle), taps)
        return PuzzleText(drawing, acts, self._question(puzzle), verdict.value, self._reasons(verdict))

    def tried(self, puzzle: Puzzle, taps: Sequence[str]) -> MoveTried:
        """Return what the judge says of the move that is tapped together."""
        move = self.lessons.tap(puzzle, taps)
        if move is None:
            return MoveTried(draw_cards(self.text("taps", "none")), "", ())
        tried = replace(puzzle, move=move)
        try:
            verdict = judge_puzzle(self.game, tried)
        except Refused:
            return MoveTried(draw_cards(self.text("taps", "none")), "", ())
        return MoveTried(self._question(tried), verdict.value, self._reasons(verdict))

    def known_taps(self, puzzle: Puzzle, taps: Iterable[str]) -> tuple[str, ...]:
        """Return those of some names that can be tapped in a position, in the order of the drawing."""
        known = [name for row in self.lessons.scene(puzzle) for name in row.taps if name]
        asked = set(taps)
        return tuple(name for name in (*known, *self.lessons.acts(puzzle)) if name in asked)

    def _question(self, puzzle: Puzzle) -> str:
        return " ".join(self._sentence(sentence) for sentence in self.lessons.describe(puzzle))

    # The sheet

    def sheet(self) -> list[list[SideText]]:
        """Return what each side scores in the sheet of a whole game, deal by deal."""
        return self._scored(self.way.sheet)

    def about_sheet(self) -> str:
        """Return what is said of the sheet, as HTML."""
        target = GAMES[self.game.id].target(read_whole(self.way.sheet["rules"], self.game.options.read).options)
        return draw_cards(
            page_template(self._texts["score"]["about"]).render({**self._facts, "target": target}).strip()
        )

    def explained(self) -> list[tuple[str, SideText]]:
        """Return the places of the sheet that are explained: the question as HTML, what the side scored."""
        deals, found = self.sheet(), []
        for why in self.way.why:
            side = next(one for one in deals[why.deal - 1] if one.name == self.named(why.side))
            facts = {"deal": why.deal, "side": why.side, "points": side.points.lstrip("+")}
            found.append((draw_cards(self._message("why", why.question, facts)), side))
        return found

    def _scored(self, request: JsonObject) -> list[list[SideText]]:
        _, ledger = score(self.game, request)
        return [
            [
                SideText(
                    self.named(side), tuple(map(self._line, self.named(scored.lines))), signed_text(scored.points),
                    scored.standing.total,
                )
                for side, scored in deal.sides.items()
            ]
            for deal in ledger.deals
        ]  # fmt: skip

    def _line(self, line: Line) -> tuple[str, str, str]:
        return draw_cards(self._own.line(line)), signed_text(line.points), article_url(self.lang, line.article)

    # Words

    def named(self, value: T) -> T:
        """Return a value in which people and pairs have their names."""
        found: T = _named(value, self.lang)
        return found

    def _reason(self, text: str, article: str) -> Reason:
        return Reason(draw_cards(text), self._own.title(article), article_url(self.lang, article))

    def _message(self, table: str, key: str, facts: Mapping[str, object]) -> str:
        message = self._messages.get((table, key))
        if message is None:
            message = self._messages[table, key] = Message(self._texts[table][key], self._own.vocabulary)
        return message(self.named(facts))

    def _plain(self, sentence: Phrase) -> str:
        return self._message("sentences", sentence.key, sentence.facts)

    def _sentence(self, sentence: Phrase) -> str:
        return draw_cards(self._plain(sentence))

    def _figure(self, scene: Scene) -> str:
        rows, heard = [], []
        for row in scene:
            label, cards = self._label(row), self._cards(row)
            rows.append(make_row(label, cards))
            apart = ", " if any("|" in card for card in cards) else " "
            heard.append(f"{label}{say(self.lang, 'keeper.colon')}{apart.join(cards)}")
        drawn = draw_figure(Figure(tuple(rows), ""), draw_cards(self._spoken(" / ".join(heard))))
        return drawn.replace("<figcaption>", '<figcaption class="heard">')

    def _form(self, scene: Scene, taps: Sequence[str]) -> str:
        """Return a drawing whose cards are fields of a form, each with a name for those who do not see it."""
        rows = []
        for row in scene:
            cards, names = self._cards(row), row.taps or ("",) * len(row.cards)
            drawn = make_row("", cards).things
            things = [
                _field(draw_thing(thing), self._spoken(card), name, row.group, chosen=name in taps)
                for thing, card, name in zip(drawn, cards, names, strict=True)
            ]
            label = escape(self._label(row))
            rows.append(f'<p role="group" aria-label="{label}"><small>{label}</small>{"".join(things)}</p>')
        return f"<figure>{''.join(rows)}</figure>"

    def _label(self, row: Row) -> str:
        return self._message("places", row.label, {"seat": row.seat})

    def _cards(self, row: Row) -> list[str]:
        return [self._word(self.named(word)) for word in row.cards]

    def _spoken(self, written: str) -> str:
        """Return what is drawn as somebody hears it who does not see it."""
        for mark, word in (("□", say(self.lang, "learn.signs.empty")), ("■", say(self.lang, "learn.signs.down"))):
            written = written.replace(mark, word)
        return _MARKS.sub("", written).replace("|", " ").replace("+", " + ").replace("=", " = ").replace("×", " × ")

    def _word(self, written: str) -> str:
        """Return a thing of a row; what is in square brackets as the game's word for it."""
        return self._own.vocabulary.word("call", written[1:-1]) if written.startswith("[") else written

    def _reasons(self, verdict: Verdict, *, most: int = 99) -> tuple[Reason, ...]:
        """Return why a verdict is as it is; of many reasons the last ones, which say most of the move."""
        found: list[tuple[str, str]] = []
        if verdict.value == ILLEGAL:
            found = [(self._own.breach(self.named(one)), one.article) for one in verdict.breaches]
        elif verdict.value == UNDECIDED:
            found = [(self._own.missing(self.named(one)), one.article) for one in verdict.missing]
        else:
            found = [(self._own.because(self.named(one)), one.article) for one in verdict.because]
        return tuple(self._reason(text, article) for text, article in found[-most:])


def _field(drawn: str, spoken: str, name: str, group: str, *, chosen: bool) -> str:
    """Return a drawn card as a field of a form; one without a name is only drawn."""
    drawn = drawn.replace("<svg", '<svg aria-hidden="true"')
    if not name:
        return drawn if drawn.startswith("<i>") else f'{drawn}<span class="heard">{escape(spoken)}</span>'
    kind, field = ("radio", f"tap-{group}") if group else ("checkbox", "tap")
    checked = " checked" if chosen else ""
    return (
        f'<label><input type="{kind}" name="{field}" value="{escape(name)}"{checked}>{drawn}'
        f'<span class="heard">{escape(spoken)}</span></label>'
    )


@lru_cache(maxsize=64)
def lesson_words(game_id: str, preset: str, lang: str) -> LessonWords:
    """Return the lessons of a preset in a language. Raises KeyError for a preset without."""
    game = GAMES[game_id]
    lessons = game.load_lessons()
    if lessons is None:
        raise KeyError(game_id)
    return LessonWords(game, lessons, preset, lang)


def judge_puzzle(game: Game, puzzle: Puzzle) -> Verdict:
    """Return the verdict on the move of a position. Raises Refused for a position that cannot be."""
    rules = read_whole(puzzle.rules, game.options.read, ("rules",)).options
    asked = {"position": puzzle.position, "move": puzzle.move}
    return read_whole(asked, lambda node: game.judge(rules, node["position"], node["move"]))


@lru_cache(maxsize=256)
def draw_puzzle(game_id: str, preset: str, seed: int) -> Puzzle:
    """Return the position of a seed, whose answer is as often yes as no. Raises LookupError if none is found."""
    lessons = GAMES[game_id].load_lessons()
    random = Random(seed)  # noqa: S311  nothing secret
    wanted = random.choice((LEGAL, ILLEGAL))
    for _ in range(_DRAWS):
        puzzle = lessons.draw(random, preset) if lessons else None
        try:
            if puzzle and judge_puzzle(GAMES[game_id], puzzle).value == wanted:
                return puzzle
        except Refused:
            continue
    raise LookupError(seed)


def recommend(lessons: Lessons, answers: Mapping[str, str]) -> str:
    """Return the preset that most answers speak for; the one for beginners where none does."""
    points = dict.fromkeys(lessons.ways, 0)
    for question, answer in answers.items():
        for preset, weight in lessons.choice.get(question, {}).get(answer, {}).items():
            points[preset] += weight
    return max(lessons.ways, key=points.__getitem__)


def _named(value: object, lang: str) -> Any:
    if isinstance(value, str):
        return _PERSON.sub(lambda found: _name(found[0], lang), value)
    if isinstance(value, Mapping):
        return {_named(key, lang): _named(item, lang) for key, item in value.items()}
    if isinstance(value, Because | Breach | Line):
        return replace(value, facts=_named(value.facts, lang))
    if isinstance(value, Finding | Missing):
        return replace(value, seat=_named(value.seat, lang), facts=_named(value.facts, lang))
    if isinstance(value, Sequence):
        return [_named(item, lang) for item in value]
    return value


def _name(written: str, lang: str) -> str:
    return say(lang, "learn.and").join(say(lang, f"learn.names.{one}") for one in written.split("+"))


def choices(lessons: Lessons) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the questions of the choice of a preset, each with its answers."""
    for question, answers in lessons.choice.items():
        yield question, tuple(answers)
