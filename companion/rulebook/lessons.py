"""Lessons in words: quick starts, deals step by step, a quiz with the judge, advice; checks of all texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import islice
from random import Random
from typing import Any, TypeVar

from companion.data import FALLBACK_LANGUAGE, LANGUAGES, SOURCE_LANGUAGE, data_folder, read_toml
from companion.engine.cards import signed_text
from companion.engine.dialogue import Phrase
from companion.engine.game import Game, score
from companion.engine.ledger import Line
from companion.engine.lessons import Lessons, LessonStep, Puzzle, Row, Scene, Way
from companion.engine.problems import JsonObject, Refused, read_whole
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Because, Breach, Finding, Missing, Verdict
from companion.games import GAMES
from companion.rulebook.markup import Figure, draw_cards, draw_figure, draw_thing, inline_html, make_row, to_html
from companion.rulebook.pages import book_text_of, link_articles, page_facts, page_template, plain_text
from companion.rulebook.source import check_digests, game_folder, pieces, source_faults
from companion.rulebook.words import (
    GUIDES,
    Book,
    Message,
    Words,
    article_title,
    article_url,
    flat,
    load_book,
    mentioned,
    say,
    stray_brace,
    words,
)

FILE = "lessons.toml"
QUESTIONS, MISTAKES = 15, 8
"""How many frequent questions and common mistakes a way to play has; more are written than hold for each."""
PLACES = ("", "deal/first", "deal/mistake", "quiz", "score", "questions", "choose", "hand-out")
"""The pages of a way to play, in the order in which they are offered; the first one is the quick start."""
OWN = ("", "questions", "hand-out")
"""The pages of a preset that has only a quick start; the others are those of a way like it."""
CHOOSE = "choose"
"""The one page that is not about one way to play."""
_Texts = JsonObject


@dataclass(frozen=True, slots=True)
class QuickStart:
    """One way to play on one page, each part as HTML; `lead` and `aim` and the steps and lines without a paragraph."""

    lead: str
    need: str
    begin: str
    table: str
    aim: str
    turn: tuple[str, ...]
    score: tuple[str, ...]
    leave: str
    tip: str


@dataclass(frozen=True, slots=True)
class _Item:
    """A question with its answer, a mistake with what is right, an advice with its reason; `url` is its article's."""

    head: str
    html: str
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """What people ask, what goes wrong, and what helps to win, which is no rule."""

    questions: tuple[_Item, ...]
    mistakes: tuple[_Item, ...]
    strategy: tuple[_Item, ...]


@dataclass(frozen=True, slots=True)
class _LessonPage:
    """A page for learners that can be found: its path without the language, its title, words that people look for."""

    game: str
    path: str
    title: str
    asked: str


def learn_path(game_id: str, lessons: Lessons, way: str, place: str = "") -> str:
    """Return the path of a page of a way to play, without the language."""
    way = way if place in OWN else lessons.starts.get(way, way)
    named = "" if way == next(iter(lessons.ways)) or place == CHOOSE else way
    return "/".join(part for part in ("learn", game_id, named, place) if part)


def place_key(place: str) -> str:
    """Return the key of a page among the phrases."""
    return place.replace("/", "-") or "quick"


def lesson_pages(lang: str) -> Iterator[_LessonPage]:
    """Yield the pages for learners that a search should find: all for beginners, the quick starts of other ways."""
    for game in GAMES.values():
        lessons = game.load_lessons()
        if lessons is None:
            continue
        own, (first, *others) = words(game.id, lang), (*lessons.ways, *lessons.starts)
        for place in PLACES:
            title = f"{own.name}{say(lang, 'keeper.colon')}{say(lang, f'learn.pages.{place_key(place)}')}"
            asked = say(lang, f"learn.asked.{place_key(place)}")
            yield _LessonPage(game.id, learn_path(game.id, lessons, first, place), title, asked)
        for way in others:
            title = say(lang, "learn.title-of", game=own.name, way=own.preset_label(way))
            yield _LessonPage(game.id, learn_path(game.id, lessons, way), title, say(lang, "learn.asked.quick"))


@lru_cache(maxsize=64)
def lesson_texts(game_id: str, lang: str) -> _Texts:
    """Return the texts for learners of a game in a language; empty where it has none."""
    return read_toml(game_folder(GAMES[game_id], lang) / FILE)


@lru_cache(maxsize=64)
def quick_start(game_id: str, lang: str, preset: str) -> QuickStart:
    """Return the quick start of a preset, every number as its rules have it. Raises KeyError without texts."""
    game, texts = GAMES[game_id], lesson_texts(game_id, lang)["quick"]
    facts = page_facts(game, lang, game.options.preset(preset), book=False)

    def block(text: str) -> str:
        return _finished(to_html(page_template(text).render(facts).strip()), game_id, lang)

    def line(text: str) -> str:
        return _finished(inline_html(page_template(text).render(facts).strip()), game_id, lang)

    return QuickStart(
        lead=line(texts["lead"]), need=block(texts["need"]), begin=block(texts["begin"]), table=block(texts["table"]),
        aim=line(texts["aim"]), turn=tuple(map(line, texts["turn"])), score=tuple(map(line, texts["score"])),
        leave=line(texts["leave"]), tip=line(texts["tip"]),
    )  # fmt: skip


@lru_cache(maxsize=64)
def advice(game_id: str, lang: str, preset: str) -> Advice:
    """Return the questions, mistakes and advice that hold for a preset, with its numbers. Raises KeyError without.

    An entry holds under its `when`, a condition like those of the quick start, and where its article is played.
    """
    game, texts = GAMES[game_id], lesson_texts(game_id, lang)
    rules = game.options.preset(preset)
    facts = page_facts(game, lang, rules, book=False)

    def holds(entry: _Texts) -> bool:
        if "article" in entry and not game.articles[f"{game_id}.{entry['article']}"].played(rules.options):
            return False
        return bool(page_template(f"{{% if {entry.get('when', 'true')} %}}1{{% endif %}}").render(facts))

    def item(entry: _Texts) -> _Item:
        head, html = (inline_html(page_template(entry[key]).render(facts).strip()) for key in ("head", "text"))
        article = f"{game_id}.{entry['article']}" if "article" in entry else ""
        return _Item(
            head, _finished(html, game_id, lang), article_title(lang, article) if article else "",
            article_url(lang, article) if article else "",
        )  # fmt: skip

    def items(key: str, most: int) -> tuple[_Item, ...]:
        return tuple(item(entry) for entry in islice(filter(holds, texts[key]), most))

    return Advice(items("questions", QUESTIONS), items("mistakes", MISTAKES), items("strategy", QUESTIONS))


def lesson_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong with the texts for learners of a game: missing ones, languages that differ."""
    source = _outline(lesson_texts(game.id, SOURCE_LANGUAGE))
    for lang in LANGUAGES:
        found = _outline(lesson_texts(game.id, lang))
        if game.load_lessons() is not None and not found:
            yield f"{lang}, {game.id}: {FILE} is missing"
        for article in _articles(lesson_texts(game.id, lang)):
            if f"{game.id}.{article}" not in game.articles:
                yield f"{lang}, {game.id}: {FILE} names an unknown article {article}"
        for key in sorted(found ^ source):
            fault = "is missing" if key in source else "is not in the source language"
            yield f"{lang}, {game.id}: {key} of {FILE} {fault}"


def _articles(texts: _Texts) -> Iterator[str]:
    """Yield the articles that questions, mistakes and advice lead to."""
    for key in ("questions", "mistakes", "strategy"):
        yield from (entry["article"] for entry in texts.get(key, ()) if "article" in entry)


def _outline(value: object, key: str = "") -> frozenset[str]:
    """Return the dotted keys of all texts, lists by place."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        return frozenset({key})
    return frozenset().union(*(_outline(item, f"{key}.{name}".strip(".")) for name, item in items))


def _finished(html: str, game_id: str, lang: str) -> str:
    return link_articles(html, page=game_id, lang=lang, near={})


_T = TypeVar("_T")
_MARKS = re.compile("[!○]")
_PERSON = re.compile(r"\b(?:p[1-6](?:\+p[1-6])*|dummy)\b")
_FEW = 2
"""Reasons shown for a move, and moves of a step up to which that many are shown."""
_DRAWS = 200
"""Positions drawn at most until one has the wanted answer."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a sentence as HTML, the article's heading under the rules of the way, its address."""

    html: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move in words: the sentence as HTML, the verdict (empty where taps make no move), why."""

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
class _SideText:
    """What a side scored in a deal: its name, the points with their reasons, the sum with its sign, the total."""

    name: str
    lines: tuple[tuple[str, str, str], ...]
    points: str
    total: int


@dataclass(frozen=True, slots=True)
class _PuzzleText:
    """A position of the quiz in words: the drawing and the question, the judge's answer with its reasons.

    In the drawing, fields of a form, cards can be tapped; `acts` are names and labels of its buttons.
    """

    drawing: str
    acts: tuple[tuple[str, str], ...]
    question: str
    verdict: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _DealText:
    """What is said of a deal before and after it is watched; `title` is plain text, the others are HTML."""

    title: str
    about: str
    end: str


class LessonWords:
    """The lessons of a preset in a language."""

    def __init__(self, game: Game, lessons: Lessons, preset: str, lang: str) -> None:
        self.game, self.lessons, self.lang = game, lessons, lang
        self.way: Way = lessons.ways[preset]
        self._texts: _Texts = lesson_texts(game.id, lang)
        self._rules = game.options.preset(preset)
        self._facts = page_facts(game, lang, self._rules, book=False)
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

    def deal(self, name: str) -> _DealText:
        """Return what is said of a deal."""
        key = self.way.deals[name].texts
        title, about, end = (self.text("deals", key, part) for part in ("title", "about", "end"))
        return _DealText(title, draw_cards(about), draw_cards(end))

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
        findings = self.named(self._replayed(name)["findings"])
        return [self._reason(self._own.finding(found), found.article) for found in findings]

    def result(self, name: str) -> list[_SideText]:
        """Return what each side scores for a deal; nothing for one that is not complete."""
        answer = self._replayed(name)
        if not answer["result"]:
            return []
        record = self.way.deals[name].record
        return self._scored({"rules": record["rules"], "sides": answer["sides"], "deals": [answer["result"]]})[0]

    def _replayed(self, name: str) -> JsonObject:
        watched = self.way.deals[name]
        rules = read_whole(watched.record["rules"], self.game.options.read).options
        assert self.game.replay is not None  # noqa: S101  a game with deals to watch replays them
        return self.game.replay(rules, watched.request)

    def _step(self, step: LessonStep, note: str) -> StepText:
        most = _FEW if len(step.moves) <= _FEW else 1
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

    def puzzle(self, puzzle: Puzzle, taps: Sequence[str] | None = ()) -> _PuzzleText:
        """Return a position in words, tapped cards marked; with None for taps, none can be tapped.

        Raises Refused for a position that cannot be.
        """
        verdict = judge_puzzle(self.game, puzzle)
        acts = tuple((name, self._plain(label)) for name, label in self.lessons.acts(puzzle).items())
        scene = self.lessons.scene(puzzle)
        drawing = self._figure(scene) if taps is None else self._form(scene, taps)
        return _PuzzleText(drawing, acts, self._question(puzzle), verdict.value, self._reasons(verdict))

    def tried(self, puzzle: Puzzle, taps: Sequence[str]) -> MoveText:
        """Return what the judge says of the move that is tapped together."""
        move = self.lessons.tap(puzzle, taps)
        if move is None:
            return MoveText(draw_cards(self.text("taps", "none")), "", ())
        tried = replace(puzzle, move=move)
        try:
            verdict = judge_puzzle(self.game, tried)
        except Refused:
            return MoveText(draw_cards(self.text("taps", "none")), "", ())
        return MoveText(self._question(tried), verdict.value, self._reasons(verdict))

    def known_taps(self, puzzle: Puzzle, taps: Iterable[str]) -> tuple[str, ...]:
        """Return those of some names that can be tapped in a position, in the order of the drawing."""
        known = [name for row in self.lessons.scene(puzzle) for name in row.taps if name]
        asked = set(taps)
        return tuple(name for name in (*known, *self.lessons.acts(puzzle)) if name in asked)

    def _question(self, puzzle: Puzzle) -> str:
        return " ".join(self._sentence(sentence) for sentence in self.lessons.describe(puzzle))

    # The sheet

    def sheet(self) -> list[list[_SideText]]:
        """Return what each side scores in the sheet of a whole game, deal by deal."""
        return self._scored(self.way.sheet)

    def about_sheet(self) -> str:
        """Return what is said of the sheet, as HTML."""
        target = GAMES[self.game.id].target(read_whole(self.way.sheet["rules"], self.game.options.read).options)
        return draw_cards(
            page_template(self._texts["score"]["about"]).render({**self._facts, "target": target}).strip()
        )

    def explained(self) -> list[tuple[str, _SideText]]:
        """Return the places of the sheet that are explained: the question as HTML, what the side scored."""
        deals, found = self.sheet(), []
        for why in self.way.why:
            side = next(one for one in deals[why.deal - 1] if one.name == self.named(why.side))
            facts = {"deal": why.deal, "side": why.side, "points": side.points.lstrip("+")}
            found.append((draw_cards(self._message("why", why.question, facts)), side))
        return found

    def _scored(self, request: JsonObject) -> list[list[_SideText]]:
        _, ledger = score(self.game, request)
        return [
            [
                _SideText(
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

    def named(self, value: _T) -> _T:
        """Return a value in which people and pairs have their names."""
        found: _T = _named(value, self.lang)
        return found

    def _reason(self, text: str, article: str) -> Reason:
        heading = book_text_of(self.game, self.lang, self.game.articles[article].anchor, self._rules).title
        return Reason(draw_cards(text), plain_text(heading), article_url(self.lang, article))

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
    judge = game.judge
    assert judge is not None  # noqa: S101  a game with puzzles judges moves
    return read_whole(asked, lambda node: judge(rules, node["position"], node["move"]))


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


_PLAYED = re.compile(r"played\('([a-z0-9-]+)'\)")
_PAGE_FACTS = frozenset({"played", "book", "cited"})
"""What the text of a page may mention beside the options of its game."""


@lru_cache(maxsize=1)
def check_texts() -> None:
    """Check the texts of every game in every language. Raises ValueError with everything that is wrong."""
    faults = list(find_faults(load_book()))
    if faults:
        raise ValueError("The texts are not complete:\n" + "\n".join(faults))


def find_faults(book: Book) -> Iterator[str]:
    """Return what is missing from the texts and what differs from the source language, one line each."""
    for lang in LANGUAGES:
        ours, source = book.sites[lang].templates, book.sites[SOURCE_LANGUAGE].templates
        yield from _differences(f"{lang}, interface", ours, source)
        for guide in GUIDES:
            yield from _page_faults(f"{lang}, {guide}", book.sources[guide, lang], book.sources[guide, SOURCE_LANGUAGE])
        for name in ("", *GAMES):
            where, words, theirs = (
                f"{lang}, {name or 'common'}",
                book.words[name, lang],
                book.words[name, SOURCE_LANGUAGE],
            )
            yield from _differences(where, dict(_messages(words)), dict(_messages(theirs)))
        for game in GAMES.values():
            where, text = f"{lang}, {game.id}", book.sources[game.id, lang]
            yield from (f"{where}: {fault}" for fault in _lacking(game, book.words[game.id, lang]))
            yield from _page_faults(where, text, book.sources[game.id, SOURCE_LANGUAGE])
            yield from (f"{where}: {fault}" for fault in _unknown(game, text))
    for game in GAMES.values():
        yield from source_faults(game)
        yield from lesson_faults(game)


def untranslated(lang: str) -> Iterator[str]:
    """Yield what a translation takes from English, by file: keys and articles; then articles whose source has changed.

    The words by which a language is searched are its own.
    """
    own, original = (data_folder(f"rules_{each}") for each in (lang, FALLBACK_LANGUAGE))
    for path in sorted(original.rglob("*.*")):
        name = path.relative_to(original)
        if path.suffix == ".toml" and path.name not in _SEARCHED:
            known = {key for key, _ in flat(read_toml(own / name, alone=True))}
            yield from (f"{name}: {key}" for key, _ in flat(read_toml(path, alone=True)) if key not in known)
        elif path.suffix == ".md":
            text = (own / name).read_text("utf-8") if (own / name).is_file() else ""
            anchors = {piece.anchor for piece in pieces(text)}
            yield from (
                f"{name}: {each.anchor}" for each in pieces(path.read_text("utf-8")) if each.anchor not in anchors
            )
    if lang != SOURCE_LANGUAGE:
        for page, changed in check_digests(data_folder(f"rules_{SOURCE_LANGUAGE}"), own).items():
            yield from (f"{page}: {article} has changed" for article in changed)


_SEARCHED = ("synonyms.toml", "questions.toml", "names.toml")
"""Files with the words of those who search."""


def _messages(words: Words) -> Iterator[tuple[str, Message]]:
    for table, messages in words.tables.items():
        yield from ((f"{table}.{key}", message) for key, message in messages.items())
    yield from words.interface.items()


def _differences(where: str, ours: Mapping[str, Message], source: Mapping[str, Message]) -> Iterator[str]:
    yield from (
        f"{where}: {key} has a brace outside {{{{ }}}} and {{% %}}" for key in ours if stray_brace(ours[key].source)
    )
    yield from (f"{where}: {key} is missing" for key in sorted(source.keys() - ours.keys()))
    yield from (f"{where}: {key} is not in the source language" for key in sorted(ours.keys() - source.keys()))
    for key in sorted(ours.keys() & source.keys()):
        if ours[key] is not source[key] and mentioned(ours[key].source) != mentioned(source[key].source):
            yield f"{where}: {key} does not mention the same facts as in the source language"


def _lacking(game: Game, words: Words) -> Iterator[str]:
    """What the record of a game asks for and its texts do not have."""
    if not words.name:
        yield "game.name is missing"
    yield from (f"article {article.id} is missing" for article in game.articles if article.id not in words.titles)
    for option in game.options.options.values():
        if option.name not in words.vocabulary.labels:
            yield f"options.{option.name}.label is missing"
        if not words.option_help(option.name):
            yield f"options.{option.name}.help is missing"
        if option.kind == "choice":
            known = words.vocabulary.by_fact.get(option.name, {})
            yield from (
                f"options.{option.name}.choices.{each} is missing" for each in option.choices if each not in known
            )
        if option.kind == "number" and option.unit not in words.tables["units"]:
            yield f"units.{option.unit} is missing"
    for preset in game.options.presets:
        yield from (
            f"presets.{preset}.{key} is missing"
            for key in ("label", "help")
            if not words.presets.get(preset, {}).get(key)
        )
    yield from (f"{key} is missing" for key in game.phrase_keys() if not words.has(key))


def _page_faults(where: str, text: str, source: str) -> Iterator[str]:
    """How a page differs from the source language: sections or articles, their order, the options they print."""
    if text is source:
        return
    ours, theirs = ({piece.anchor: mentioned(piece.text) for piece in pieces(each)} for each in (text, source))
    yield from (f"{where}: {anchor} is missing from the page" for anchor in theirs if anchor not in ours)
    yield from (
        f"{where}: {anchor} is not on the page of the source language" for anchor in ours if anchor not in theirs
    )
    if ours.keys() == theirs.keys() and list(ours) != list(theirs):
        yield f"{where}: the sections of the page are not in the order of the source language"
    for anchor in ours.keys() & theirs.keys():
        if ours[anchor] != theirs[anchor]:
            yield f"{where}: {anchor} does not mention the same options as in the source language"


def _unknown(game: Game, text: str) -> Iterator[str]:
    """Options and articles that the tags of a page name and the game does not have."""
    numbers = game.numbers(game.options.preset().options).keys()
    for name in sorted(numbers & game.options.options.keys()):
        yield f"the number {name} is called like an option"
    for name in sorted(mentioned(text) - _PAGE_FACTS - numbers - game.options.options.keys()):
        yield f"the page mentions an unknown option {name}"
    for anchor in sorted(set(_PLAYED.findall(text))):
        if f"{game.id}.{anchor}" not in game.articles:
            yield f"the page mentions an unknown article {anchor}"
