"""The words for everything the engine answers in codes, per language.

Each game has its own in `rules_xx/<game>/phrases.toml`; what all games share is in `rules_xx/phrases/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from companion.data import LANGUAGES as LANGUAGES
from companion.engine.articles import Article
from companion.engine.ledger import Line, Outcome
from companion.engine.options import HouseRules, Notice, Option, OptionSet
from companion.engine.problems import JsonObject, Problem
from companion.rulebook.messages import Facts, Message, Vocabulary

if TYPE_CHECKING:
    from companion.engine.verdict import Because, Breach, Finding, Missing

TABLES = ("lines", "because", "outcomes", "breaches", "missing", "problems", "findings", "notices", "units", "sources")
"""The tables of plain messages; `[options.*]`, `[presets.*]` and `[facts]` have shapes of their own."""
_ENGINE_TABLES = frozenset({*TABLES, "game", "facts", "options", "presets"})
"""Tables of a game's phrases that the engine's answers use; any other table is for the interface."""
_SHARED_TABLES: Mapping[str, tuple[str, ...]] = {"asks": ("referee",), "entry": ("entry", "keeper")}
"""Shared interface tables that are searched for a key that the game's own table of the name does not have."""

Toml = JsonObject


class Words:
    """The sentences of one game in one language. A code without a sentence of its own gets the title of its article."""

    def __init__(
        self,
        lang: str,
        tables: Toml,
        titles: Callable[[], Mapping[str, str]] = dict,
        site: Callable[[], Site] | None = None,
    ) -> None:
        """`titles` returns those of the articles by their ids, `site` the words of the pages: when first used."""
        self.lang = lang
        self._site = site
        self._titles = titles
        self.name: str = tables.get("game", {}).get("name", "")
        self.vocabulary = _vocabulary(lang, tables)
        self.tables = {
            name: {key: Message(text, self.vocabulary) for key, text in tables.get(name, {}).items()} for name in TABLES
        }
        self._options = {
            name: {key: Message(text, self.vocabulary) for key, text in words.items() if isinstance(text, str)}
            for name, words in tables.get("options", {}).items()
        }
        self.presets: Mapping[str, Mapping[str, str]] = tables.get("presets", {})
        self._lines = self.tables["lines"]
        self.interface = {
            key: Message(text, self.vocabulary)
            for table, texts in tables.items()
            if table not in _ENGINE_TABLES
            for key, text in flat(texts, f"{table}.")
        }
        """The game's own interface phrases by dotted key, such as `asks.card.title`, `entry.trump`, `print.bid`."""

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of the articles by their ids."""
        return self._titles()

    def say(self, key: str, facts: Facts | None = None) -> str:
        """Return an interface phrase by dotted key: the game's own, or else the one that all games share.

        A key of `asks` that the game does not have is looked up in the shared table `referee`; a key of `entry` in the
        shared tables `entry` and `keeper`. Raises KeyError if nobody has it.
        """
        template = self._find(key)
        if template is None:
            raise KeyError(key)
        return template(facts or {})

    def has(self, key: str) -> bool:
        """Return whether `say` knows an interface phrase."""
        return self._find(key) is not None

    def line(self, line: Line) -> str:
        """Return the sentence of a line of the ledger: `5 bid, 8 taken: contract made`."""
        template = self._lines.get(line.article.partition(".")[2])
        return template(line.facts) if template else self.title(line.article)

    def outcome(self, outcome: Outcome) -> str:
        """Return why the game is over; empty while it is not."""
        if outcome.reason is None:
            return ""
        facts = {**outcome.facts, "winners": list(outcome.winners)}
        return self._say("outcomes", _anchor(outcome.reason), facts) or self.title(outcome.reason)

    def breach(self, breach: Breach) -> str:
        """Return how an article is broken."""
        return self._say("breaches", breach.code, breach.facts) or self.title(breach.article)

    def missing(self, missing: Missing) -> str:
        """Return what must be known before a move can be judged, as a question."""
        facts = {**missing.facts, "seat": missing.seat}
        return self._say("missing", missing.fact, facts) or self.title(missing.article)

    def because(self, because: Because) -> str:
        """Return why a move is allowed."""
        return self._say("because", _anchor(because.article), because.facts) or self.title(because.article)

    def finding(self, finding: Finding) -> str:
        """Return what a recorded deal shows in retrospect. Parts of a fact are facts too (`shown_by_card`)."""
        facts = {**finding.facts, "seat": finding.seat}
        for name, parts in finding.facts.items():
            if isinstance(parts, Mapping):
                facts |= {f"{name}_{part}": value for part, value in parts.items()}
        text = self._say("findings", finding.code, facts) or self._say("breaches", finding.code, facts)
        return text or self.title(finding.article)

    def problem(self, problem: Problem) -> str:
        """Return what is wrong with an input."""
        return self._say("problems", problem.code, problem.facts) or _spelt(problem.code)

    def notice(self, notice: Notice) -> str:
        """Return a warning about a set of house rules."""
        return self._say("notices", notice.code, notice.facts) or self.title(notice.article)

    def title(self, article: str) -> str:
        """Return the title of an article."""
        return self.titles.get(article) or _spelt(_anchor(article))

    def source_label(self, article: Article) -> str:
        """Return where an article comes from; empty for the author's own text."""
        return self._say("sources", article.source, {"reference": article.reference})

    def option_label(self, name: str) -> str:
        """Return the short name of an option, for forms and differences."""
        return self.vocabulary.labels.get(name) or _spelt(name)

    def option_help(self, name: str) -> str:
        """Return one or two sentences on what an option does; empty if the label is enough."""
        template = self._options.get(name, {}).get("help")
        return template({}) if template else ""

    def option_value(self, option: Option, value: object) -> str:
        """Return an option's value with its unit: `10 bags`, `on`, `Sum of both`."""
        if value is None or option.kind in ("choice", "cards", "words"):
            return self.vocabulary.show(option.name, value or None)  # an empty list is none of them
        if option.kind == "flag":
            return self.vocabulary.words.get("on" if value else "off", str(value))
        unit = self.tables["units"].get(option.unit or "")
        return unit({"value": value}) if unit else self.vocabulary.show(option.name, value)

    def option_bare(self, option: Option, value: object) -> str:
        """Return an option's value for the running text of an article: a number without its unit."""
        return self.option_value(option, value) if option.kind == "flag" else self.vocabulary.show(option.name, value)

    def option_summary(self, option: Option, value: object) -> str:
        """Return an option with its value in as few words as possible, for the one-line summary."""
        template = self._options.get(option.name, {}).get("summary")
        if template:
            words = option.kind in ("choice", "cards", "words")
            return template({"value": self.vocabulary.show(option.name, value) if words else value})
        return f"{self.option_label(option.name)}: {self.option_value(option, value)}"

    def choices(self, option: Option) -> dict[str, str]:
        """Return the labels of a choice's values, in their order."""
        return {value: self.vocabulary.show(option.name, value) for value in option.choices}

    def preset_label(self, preset: str) -> str:
        """Return the name of a preset."""
        return self.presets.get(preset, {}).get("label") or _spelt(preset)

    def preset_help(self, preset: str) -> str:
        """Return one sentence on what a preset is for."""
        return self.presets.get(preset, {}).get("help", "")

    def summary(self, options: OptionSet[object], house: HouseRules[object]) -> str:
        """Return house rules in one line: the preset, then what differs from it."""
        base = options.preset(house.preset).options
        head, rest = self.preset_label(house.preset), self.summary_of(options.differences(base, house.options))
        return f"{head}{self.vocabulary.words.get('summary-mark', '; ')}{rest}" if rest else head

    def summary_of(self, differences: Sequence[tuple[Option, object, object]]) -> str:
        """Return the second values of differences in one line; empty if there are none."""
        return self.vocabulary.separator.join(self.option_summary(option, value) for option, _, value in differences)

    def _find(self, key: str) -> Message | None:
        found = self.interface.get(key)
        if found or self._site is None:
            return found
        table, _, rest = key.partition(".")
        keys = [key, *(f"{shared}.{rest}" for shared in _SHARED_TABLES.get(table, ()))]
        site = self._site()
        return next(filter(None, map(site.get, keys)), None)

    def _say(self, table: str, key: str, facts: Facts) -> str:
        template = self.tables[table].get(key)
        return template(facts) if template else ""


class Site:
    """The words of the interface in one language that all games share, by dotted keys."""

    def __init__(self, lang: str, files: Iterable[Toml], common: Toml) -> None:
        """`files` are read one after another, as far as it takes to find what is asked for."""
        self._vocabulary = _vocabulary(lang, common)
        self._unread = iter(files)
        self._known: dict[str, Message] = {}
        self._reading = Lock()

    @property
    def templates(self) -> Mapping[str, Message]:
        """Every phrase."""
        self.get("")
        return self._known

    def get(self, key: str) -> Message | None:
        """Return the phrase under a dotted key; None if there is none."""
        found = self._known.get(key)
        if found is None:
            with self._reading:
                while key not in self._known and (tables := next(self._unread, None)) is not None:
                    self._known = {
                        **self._known,
                        **{each: Message(text, self._vocabulary) for each, text in flat(tables)},
                    }
            found = self._known.get(key)
        return found

    def say(self, key: str, facts: Facts) -> str:
        """Return the phrase under a dotted key (`sheet.undo`). Raises KeyError for an unknown key."""
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found(facts)


def merge(common: Toml, own: Toml) -> Toml:
    """Return tables with those of a game merged in; the game's phrases override the common ones."""
    merged = dict(common)
    for key, value in own.items():
        merged[key] = merge(merged.get(key, {}), value) if isinstance(value, Mapping) else value
    return merged


def flat(tables: Toml, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of nested tables with its dotted key."""
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _vocabulary(lang: str, tables: Toml) -> Vocabulary:
    words: dict[str, str] = {}
    by_fact: dict[str, Mapping[str, str]] = {}
    for key, value in tables.get("facts", {}).items():
        if isinstance(value, str):
            words[key] = value
        else:
            by_fact[key] = value
    options = tables.get("options", {})
    by_fact |= {name: option["choices"] for name, option in options.items() if "choices" in option}
    labels = {name: option["label"] for name, option in options.items() if "label" in option}
    return Vocabulary(lang, words.get("separator", ", "), words, by_fact, labels)


def _anchor(article: str) -> str:
    return article.partition(".")[2]


def _spelt(code: str) -> str:
    return code.replace("-", " ").replace("_", " ")
