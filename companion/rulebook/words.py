"""The words of the book: messages, the phrases of every game and language, and all texts in memory.

Messages are sentences with places for facts, written in Jinja and compiled when they are first used:

    {{ name }}                                       the fact as the language prints it: 10♥︎, −50, a list, a known word
    {{ led|suit }}                                   a fact through a filter, see `_environment`
    {{ count }} {{ count|plural(one='trick', other='tricks') }}   the word that the plural rules of the language ask for
    {% if player %}{{ player }}: {% endif %}         only if the fact is there and not zero, empty or false
    {% if call == 'moon' %}a{% else %}b{% endif %}   only if the fact has this value

A fact that is not given prints nothing and is false; `is none` holds for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, product
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

from companion.data import FALLBACK_LANGUAGE, LANGUAGES, data_folder, merge, original_of, read_toml
from companion.engine.articles import Article, Articles
from companion.engine.cards import number_text, signed_text
from companion.engine.ledger import Line, Outcome
from companion.engine.options import HouseRules, Notice, Option, OptionSet
from companion.engine.problems import JsonObject, Problem
from companion.games import GAMES
from companion.rulebook.source import completed, game_folder, parts, pieces, titles

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

    from companion.engine.verdict import Because, Breach, Finding, Missing, Remedy, Step, Witness


Facts: TypeAlias = Mapping[str, object]
_Root: TypeAlias = Callable[[Facts], Iterable[str]]
"""A compiled message: facts to the parts of the sentence."""
_MOST_NAMED: Final = 9
"""Number of cards up to which a proof names them."""
_KEYWORDS: Final = frozenset({"if", "elif", "else", "endif", "and", "or", "not", "is", "in", "none", "true", "false"})
"""Words of the language of messages, which name no facts."""
_ALLOWED: Final = frozenset({
    "And", "Compare", "Const", "Filter", "If", "Keyword", "Name", "Not", "Operand", "Or", "Output", "TemplateData",
    "Test",
})  # fmt: skip
"""What a message may be made of: places, filters and conditions, but no loops, calls or assignments."""
TEXT_STYLE = "\ufe0e"
_GLYPHS = {"S": "♠" + TEXT_STYLE, "H": "♥" + TEXT_STYLE, "D": "♦" + TEXT_STYLE, "C": "♣" + TEXT_STYLE}
"""Suit signs with the mark that keeps them from being drawn as coloured pictures."""

PEOPLE = frozenset({
    "asker", "by", "claim", "counts", "dealer", "expected", "first", "from", "given", "last", "leader", "left", "name",
    "named", "next", "other", "owner", "partner", "pile", "player", "players", "seat", "seats", "side", "sides", "tied",
    "winner", "winners",
})  # fmt: skip
"""Facts that are a seat or a side, or several of them, wherever they are a text."""
_NAMES = PEOPLE - {"expected"} | {"key", "reason"}
"""Facts that people wrote or chose themselves: printed as they are, even if they look like a card. What is expected may
be a word as well, so a phrase says `|text` where it is people."""

_CARD = re.compile(r"(A|[2-9]|10|[JQK])([SHDC])")
_SUIT_SIGN = re.compile(rf"([♠♥♦♣]){TEXT_STYLE}?")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"|\|\s*\w+|\w+\s*=(?!=)")
_WORD = re.compile(r"[a-z_][a-z0-9_]*")


class Message:
    """A sentence with places for facts."""

    __slots__ = ("_root", "_source", "vocabulary")

    def __init__(self, source: str, vocabulary: Vocabulary) -> None:
        self._source = source
        self.vocabulary = vocabulary
        self._root: _Root | str | None = None

    def __call__(self, facts: Facts) -> str:
        """Return the sentence with these facts. Raises ValueError or TemplateError if it is not well formed."""
        root = self.root()
        if isinstance(root, str):
            return root
        if type(facts) is dict:  # another mapping may know more than it lists
            try:
                return _said(self, tuple(facts), *facts.values())
            except TypeError:  # lists cannot be keys
                pass
        return "".join(root(facts))

    @property
    def source(self) -> str:
        """The sentence as it is written, with marked suit signs."""
        return _with_text_style(self._source)

    @property
    def names(self) -> frozenset[str]:
        """Every fact that the message mentions."""
        from jinja2.meta import find_undeclared_variables

        return frozenset(find_undeclared_variables(self._parsed()))

    @property
    def needed(self) -> frozenset[str]:
        """The facts without which the message has a hole: those that are printed under no condition."""
        from jinja2 import nodes

        return frozenset(_printed(node for node in self._parsed().body if isinstance(node, nodes.Output)))

    def root(self) -> _Root | str:
        """Return the compiled message; the sentence itself if no fact is in it."""
        return self._root or self._compile()

    def check(self) -> None:
        """Compile the message. Raises ValueError or jinja2.TemplateError if it is not well formed."""
        self._compile()

    def _compile(self) -> _Root | str:
        source = self.source
        if "{" not in source and "}" not in source:
            self._root = source
            return source
        from jinja2 import Template, nodes
        from jinja2.utils import missing

        known, tree = _environment(self.vocabulary), self._parsed()
        for output in tree.find_all(nodes.Output):
            output.nodes = [_shown(node) if isinstance(node, nodes.Name) else node for node in output.nodes]
        template = Template.from_code(known, known.compile(tree), {})
        render = cast("Callable[[_Facts], Iterable[str]]", template.root_render_func)
        root = self._root = lambda facts: render(_Facts(facts, missing))
        return root

    def _parsed(self) -> nodes.Template:
        """Return the nodes of the message. Raises ValueError for what is not for messages, and for a stray brace."""
        from jinja2 import nodes

        tree = _environment(self.vocabulary).parse(self.source)
        for node in tree.find_all(nodes.Node):
            if type(node).__name__ not in _ALLOWED:
                raise ValueError(f"{type(node).__name__} is not for messages: {self.source!r}")
            if isinstance(node, nodes.TemplateData) and ("{" in node.data or "}" in node.data):
                raise ValueError(f"stray brace in {self.source!r}")
        return tree


class _Facts:
    """What a compiled message needs of Jinja's context; creating the whole context would double the time it takes."""

    __slots__ = ("facts", "missing")

    def __init__(self, facts: Facts, missing: object) -> None:
        self.facts, self.missing = facts, missing

    def resolve_or_missing(self, name: str) -> object:
        return self.facts.get(name, self.missing)


def _shown(name: nodes.Name) -> nodes.Filter:
    """`{{ card }}` as `{{ card|show('card') }}`, since how a value is printed depends on what the fact is called."""
    from jinja2 import nodes

    return nodes.Filter(name, "show", [nodes.Const(name.name)], [], None, None, lineno=name.lineno)


def _printed(outputs: Iterable[nodes.Output]) -> Iterator[str]:
    from jinja2 import nodes

    for output in outputs:
        for node in output.nodes:
            while isinstance(node, nodes.Filter) and node.node is not None:
                node = node.node
            if isinstance(node, nodes.Name):
                yield node.name


@lru_cache(maxsize=8192, typed=True)
def _said(message: Message, names: tuple[str, ...], *values: object) -> str:
    """Return a sentence with these facts: a page, a batch or a poll says much again that was said before.

    Rows "batch of lines" and "a keeper's tap" of `make bench`.
    """
    root = message.root()
    return root if isinstance(root, str) else "".join(root(dict(zip(names, values, strict=True))))


def stray_brace(source: str) -> bool:
    """Return whether there is a brace outside the tags of a Jinja source."""
    rest = _TAG.sub("", source)
    return "{" in rest or "}" in rest


def mentioned(source: str) -> frozenset[str]:
    """Return the names in the tags of a Jinja source, without parsing it: enough to compare languages at start-up."""
    tags = (_LITERAL.sub(" ", tag) for tag in _TAG.findall(source))
    return frozenset(name for tag in tags for name in _WORD.findall(tag)) - _KEYWORDS


@lru_cache(maxsize=1024)
def plural_form(lang: str, count: int) -> str:
    """Return the CLDR plural category of a number in a language, such as `one`, `few` or `other`."""
    rule = _PLURALS.get(lang)
    if rule is not None:
        return rule(count)
    from babel.core import Locale  # takes as long as to score a game: it reads all that is known of a language

    return Locale.parse(lang, sep="-").plural_form(count)


_PLURALS: Mapping[str, Callable[[int], str]] = {
    "en": lambda count: "one" if abs(count) == 1 else "other",
    "ja": lambda count: "other",
}
"""The plural rules of languages that need none of Babel's data."""


@lru_cache(maxsize=64)
def _environment(vocabulary: Vocabulary) -> Environment:
    """Return the Jinja environment of messages, whose filters print facts; `show` is that of a fact without one."""
    from jinja2 import Environment, Undefined  # not for who only lists names

    words, labels, lang = vocabulary.words, vocabulary.labels, vocabulary.lang

    def show(value: object, name: str = "") -> str:
        """What `{{ name }}` prints: a number, a card, a known word, a list."""
        if type(value) is int and value >= 0:
            return str(value)
        return "" if isinstance(value, Undefined) else vocabulary.show(name, value)

    def plural(count: object, other: str, **forms: str) -> str:
        """The word for a number of things, by the plural forms of the language."""
        return forms.get(plural_form(lang, count), other) if isinstance(count, int) else other

    def suit(code: object) -> str:
        """The name of a suit."""
        return words.get(f"suit-{code}", str(code))

    def signed(points: object) -> str:
        """Points with their sign: +50, −100, ±0."""
        return signed_text(points if isinstance(points, int) else 0)

    def option(names: object) -> str:
        """The labels of options."""
        each = names if isinstance(names, list | tuple) else [names]
        return vocabulary.separator.join(labels.get(str(name), str(name)) for name in each)

    def value(setting: object, option: object = None) -> str:
        """The value of an option, `on` or `off` for a flag."""
        if isinstance(setting, bool):
            return words.get("on" if setting else "off", str(setting))
        return show(setting, str(option or "value"))

    def setting(names: Iterable[str], values: Mapping[str, object], before: str, after: str) -> str:
        """The labels of options, each with its value between two marks; a gap for values that are not known."""

        def given(name: str) -> object:
            return values[name] if isinstance(values, Mapping) else values

        return vocabulary.separator.join(f"{option(name)}{before}{value(given(name), name)}{after}" for name in names)

    def nth(place: object) -> str:
        """A place counted from 1, as people count."""
        return number_text(place + 1) if type(place) is int else show(place)

    def text(value: object) -> str:
        """A value, or each value of a list, as it was sent."""
        return vocabulary.separator.join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    made = Environment(autoescape=False, keep_trailing_newline=True)  # noqa: S701  plain text, escaped by templates
    made.filters |= {each.__name__: each for each in (show, text, plural, suit, signed, option, value, setting, nth)}
    made.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words that one game in one language has for the values of facts."""

    lang: str = "en"
    separator: str = ", "
    words: Mapping[str, str] = field(default_factory=dict)
    """Words for values whatever the fact is called: `none`, `yes`, `no`, `nil`."""
    by_fact: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Words for the values of one fact; the choices of an option under the option's name."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the options by their names."""

    def show(self, name: str, value: object) -> str:
        """Return a fact's value in words."""
        if type(value) is int:
            return number_text(value)
        if isinstance(value, str):
            return self._person(value) if name in _NAMES else self.word(name, value)
        if value is None or isinstance(value, bool):
            return self.word(name, "none" if value is None else "yes" if value else "no")
        if isinstance(value, Mapping):
            return self.separator.join(f"{self._person(key)} {self.show(name, item)}" for key, item in value.items())
        if isinstance(value, list | tuple | set | frozenset):
            return self.separator.join(self.show(name, item) for item in value)
        return self.show(name, str(value))

    def _person(self, name: str) -> str:
        """Return a name as it was written, but for seats that nobody sits in (`[facts.people]`)."""
        return self.by_fact.get("people", {}).get(name, name)

    def word(self, name: str, value: str) -> str:
        """Return the word for a value: the fact's own, that of any fact, a card, or the value itself."""
        known = self.by_fact.get(name, {}).get(value) or self.words.get(value)
        return _with_text_style(known) if known else card_text(value)


def card_text(code: str) -> str:
    """Return a card code as people read it: `10H` becomes `10♥︎`; anything else stays as it is."""
    found = _CARD.fullmatch(code)
    return found[1] + _GLYPHS[found[2]] if found else code


def _with_text_style(text: str) -> str:
    """Return text whose suit signs are all marked to be drawn as text."""
    return _SUIT_SIGN.sub(rf"\1{TEXT_STYLE}", text)


TABLES = (
    "lines",
    "because",
    "outcomes",
    "breaches",
    "missing",
    "problems",
    "findings",
    "remedies",
    "notices",
    "units",
    "sources",
)
"""The tables of plain messages; `[options.*]`, `[presets.*]` and `[facts]` have shapes of their own."""
_ENGINE_TABLES = frozenset({*TABLES, "game", "facts", "options", "presets"})
"""Tables of a game's phrases that the engine's answers use; any other table is for the interface."""
_SHARED_TABLES: Mapping[str, tuple[str, ...]] = {"asks": ("referee",), "entry": ("entry", "keeper")}
"""Shared interface tables that are searched for a key that the game's own table of the name does not have."""

_Toml = JsonObject


class Words:
    """The sentences of one game in one language. A code without a sentence of its own gets the title of its article."""

    def __init__(
        self,
        lang: str,
        tables: _Toml,
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
        rule = {"rule": self.title(breach.article)} if breach.code == "either-way" else {}
        return self._say("breaches", breach.code, {**breach.facts, **rule}) or self.title(breach.article)

    def missing(self, missing: Missing) -> str:
        """Return what must be known before a move can be judged, as a question."""
        facts = {**missing.facts, "seat": missing.seat}
        return self._say("missing", missing.fact, facts) or self.title(missing.article)

    def because(self, because: Because) -> str:
        """Return why a move is allowed."""
        return self._say("because", _anchor(because.article), because.facts) or self.title(because.article)

    def remedy(self, remedy: Remedy) -> str:
        """Return until when a breach can be put right, and what follows at this table."""
        return self._say("remedies", _anchor(remedy.article), {"until": remedy.until, **(remedy.then or {})})

    def step(self, step: Step) -> str:
        """Return the sentence of one count of a proof."""
        cited = (("rule", "article"), ("cited", "cited"))
        titles = {name: self.title(str(step.facts[fact])) for name, fact in cited if fact in step.facts}
        return self.say(f"witness.{step.code}", {**step.facts, **titles})

    def worlds(self, witness: Witness) -> list[str]:
        """Return two worlds in sentences: what they have in common, and how they differ."""
        legal, illegal = witness.legal or {}, witness.illegal or {}
        found = [self.say("witness.both-fit")]
        for name, world, other in (("legal", legal, illegal), ("illegal", illegal, legal)):
            hands, others = world.get("hands", {}), other.get("hands", {})
            seats = [seat for seat in (witness.seat, *hands) if hands.get(seat) != others.get(seat)][:1]
            where = [self.say("witness.hand", {"seat": seat, "cards": hands.get(seat, [])}) for seat in seats]
            if witness.seat not in seats:
                for key, value in world.items():
                    if key != "hands" and value != other.get(key):
                        cards = [card for card in value if card in witness.changed] if isinstance(value, list) else []
                        where = [self.say(f"witness.{key}", {"value": value, "cards": cards})]
                        break
            found.append(self.say(f"witness.{name}", {"where": where}))
        if 0 < len(witness.changed) <= _MOST_NAMED:
            found.append(self.say("witness.changed", {"cards": witness.changed}))
        return found

    def contradiction(self, problem: Problem) -> str:
        """Return which facts of a position cannot be true together."""
        parts: dict[str, list[object]] = {}
        for (_, part, *_), value in problem.witness:
            values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
            parts.setdefault(str(part), []).extend(one for one in values if isinstance(one, str | int))
        named = [
            self.say("witness.fact", {"part": part, "values": [] if len(values) > _MOST_NAMED else values})
            for part, values in parts.items()
        ]
        return self.say("witness.contradiction", {"facts": named, "count": len(problem.witness)})

    def finding(self, finding: Finding) -> str:
        """Return what a recorded deal shows in retrospect. Parts of a fact are facts too (`shown_by_card`)."""
        facts = {**finding.facts, "seat": finding.seat}
        for name, fact in finding.facts.items():
            if isinstance(fact, Mapping):
                facts |= {f"{name}_{part}": value for part, value in fact.items()}
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
        return next(filter(None, map(self._site().get, keys)), None)

    def _say(self, table: str, key: str, facts: Facts) -> str:
        template = self.tables[table].get(key)
        return template(facts) if template else ""


class Site:
    """The words of the interface in one language that all games share, by dotted keys."""

    def __init__(self, lang: str, files: Iterable[_Toml], common: _Toml) -> None:
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


def flat(tables: _Toml, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of nested tables with its dotted key."""
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _vocabulary(lang: str, tables: _Toml) -> Vocabulary:
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


_K = TypeVar("_K")
_V = TypeVar("_V")
_SITE_FILES = ("site", "keeper", "house-rules", "groups", "referee", "learn", "api")
"""Files of interface words: of all pages, of the keeper's screens, of groups, the referee, the learners, the API."""
GUIDES = ("glossary", "verdicts")
"""Pages of the book that belong to no game: the words of all games, and how to read a verdict."""


class _Lazy(Mapping[_K, _V]):
    """Values that are loaded when they are first asked for."""

    def __init__(self, keys: Callable[[], Iterable[_K]], load: Callable[[_K], _V]) -> None:
        """`load` raises KeyError for what is not among the `keys`."""
        self._keys, self._load = keys, load
        self._known: dict[_K, _V] = {}

    def __getitem__(self, key: _K) -> _V:
        try:
            return self._known[key]
        except KeyError:
            value = self._known[key] = self._load(key)
            return value

    def __iter__(self) -> Iterator[_K]:
        return iter(self._keys())

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Book:
    """Words by game and language, sources of the pages by page and language, words of the interface by language.

    `places` has the address of every article and section by id, such as `rules/<game>/<part>#<article>`. Everything is
    read when it is first asked for: a command needs one game in one language.
    """

    words: Mapping[tuple[str, str], Words]
    sources: Mapping[tuple[str, str], str]
    sites: Mapping[str, Site]
    places: Mapping[str, str]

    def title(self, lang: str, article: str) -> str:
        """Return the title of an article in a language."""
        return self.words[article.partition(".")[0], lang].title(article)


@lru_cache(maxsize=1)
def load_book() -> Book:
    """Return the rulebook. Using it raises ValueError if a page has an article that its game does not know."""
    commons = _Lazy(lambda: LANGUAGES, lambda lang: read_toml(_phrases(lang) / "common.toml"))
    sources = _Lazy(lambda: product((*GAMES, *GUIDES), LANGUAGES), _read_source)
    sites = _Lazy(
        lambda: LANGUAGES,
        lambda lang: Site(lang, (read_toml(_phrases(lang) / f"{name}.toml") for name in _SITE_FILES), commons[lang]),
    )
    by_page = _Lazy(lambda: (*GAMES, *GUIDES), lambda page: _places(page, [sources[page, lang] for lang in LANGUAGES]))

    def read_words(key: tuple[str, str]) -> Words:
        game, lang = key
        if not game:
            return Words(lang, commons[lang], site=lambda: sites[lang])
        phrases = merge(commons[lang], read_toml(game_folder(GAMES[game], lang) / "phrases.toml"))
        return Words(lang, phrases, lambda: titles(sources[game, lang], game), lambda: sites[lang])

    return Book(
        _Lazy(lambda: product(("", *GAMES), LANGUAGES), read_words),
        sources,
        sites,
        _Lazy(lambda: chain.from_iterable(by_page.values()), lambda name: by_page[name.partition(".")[0]][name]),
    )


def words(game: str, lang: str) -> Words:
    """Return the sentences of a game in a language; for `""` those that all games share."""
    return load_book().words[game, lang]


def say(lang: str, key: str, **facts: object) -> str:
    """Return a shared interface phrase: `say("en", "sheet.deal", number=3)`. Raises KeyError for an unknown key."""
    return load_book().sites[lang].say(key, facts)


def article_url(lang: str, article: str) -> str:
    """Where an article stands on the site, also one that has retired: `/en/rules/<game>#follow-suit`."""
    place = load_book().places.get(article)
    if place is None:
        game, _, anchor = article.partition(".")
        return f"/{lang}/rules/{game}#{anchor}"
    return f"/{lang}/{place}"


def rules_url(lang: str, game: str, code: str) -> str:
    """Return where the complete rules of a preset (`/en/rules/<game>/<preset>`) or a code (`?rules=<code>`) are."""
    return f"/{lang}/{rules_path(game, code)}"


def rules_path(game: str, code: str) -> str:
    """Return the path of the complete rules of a preset or a code, without the language."""
    return f"rules/{game}?rules={code}" if "~" in code else f"rules/{game}/{code}"


def article_title(lang: str, article: str) -> str:
    """Return the title of an article in a language."""
    return load_book().title(lang, article)


def _phrases(lang: str) -> Path:
    if lang not in LANGUAGES:
        raise KeyError(lang)
    return data_folder(f"rules_{lang}") / "phrases"


def _read_source(key: tuple[str, str]) -> str:
    """Return the Markdown of a page in a language; empty if there is no such file. Raises KeyError or ValueError."""
    name, lang = key
    path = _phrases(lang).parent / f"{name}.md" if name in GUIDES else game_folder(GAMES[name], lang) / "book.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if original_of(path):
        text = completed(text, _read_source((name, FALLBACK_LANGUAGE)), say(lang, "rules.untranslated"))
    if name not in GUIDES:
        _check_page(text, GAMES[name].articles, lang)
    return text


def _places(page: str, texts: Iterable[str]) -> dict[str, str]:
    """Return the address of every part, section and article of a page; a retired one has its successor's."""
    address, retired = (page, {}) if page in GUIDES else (f"rules/{page}", GAMES[page].articles.retired)
    found = {}
    for text in texts:
        for anchor, part in parts(text).items():
            path = f"{address}/{part}" if part else address
            found[f"{page}.{anchor}"] = path if anchor == part else f"{path}#{anchor}"
    return found | {old: found[new] for old, new in retired.items() if new in found}


def _check_page(text: str, articles: Articles, lang: str) -> None:
    strange = [
        piece.anchor for piece in pieces(text) if piece.level == 3 and f"{articles.game}.{piece.anchor}" not in articles
    ]
    if strange:
        raise ValueError(f"{articles.game} in {lang} has articles that the game does not know: {', '.join(strange)}")
