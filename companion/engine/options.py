"""House rules: options declared once as data, presets, what excludes or needs what, and the short code of a set.

A game's options are the fields of one frozen dataclass, each declared with `flag`, `number`, `choice` or `card_list`;
forms, schemas, rule pages, summaries and short codes are derived from them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from companion.engine.option import Option, card_list, choice, flag, number, one_number, word_list
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.reading import Node
from companion.engine.settling import Excludes, Needs, Notice, Setting, Settling
from companion.engine.shapes import Word, read, read_at

R = TypeVar("R")
CODE_LENGTH: Final = 2_000
"""Characters of the longest short code that is read."""
_KEPT: Final = 256
"""Number of cached rule sets: many requests come from one table."""


@dataclass(frozen=True, slots=True)
class Caution:
    """A combination of options that is allowed but pointless or surprising."""

    code: str
    article: str
    options: tuple[str, ...]
    holds: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class HouseRules(Generic[R]):
    """The rules of one table: their preset, every option written out, and warnings."""

    preset: str
    options: R
    notices: tuple[Notice, ...] = ()


class OptionSet(Generic[R]):
    """All options of one game with their presets, exclusions, needs and cautions."""

    def __init__(
        self,
        rules_type: type[R],
        presets: Mapping[str, Mapping[str, object]],
        *,
        excludes: Iterable[Excludes] = (),
        needs: Iterable[Needs] = (),
        cautions: Iterable[Caution] = (),
        conflicts: Callable[[R], Iterable[Problem]] = lambda rules: (),
        when: Mapping[str, Callable[[R], bool]] | None = None,
    ) -> None:
        """`when` says for an option when its value can change anything; without an entry it always can."""
        self.rules_type = rules_type
        self.options = {
            f.name: Option(f.name, default=f.default, **f.metadata)
            for f in dataclasses.fields(rules_type)  # type: ignore[arg-type]
        }
        self.presets = {name: dict(settings) for name, settings in presets.items()}
        self.excludes, self.needs, self.cautions = tuple(excludes), tuple(needs), tuple(cautions)
        self.conflicts = conflicts
        self._when = dict(when or {})
        if unknown := set(self._when) - set(self.options):
            raise ValueError(f"no such options: {sorted(unknown)}")
        self.default_preset = next(iter(presets))
        self._preset_field = Word(self.presets, code="unknown-preset")
        self._fields = {name: option.field() for name, option in self.options.items()}
        self._by_key = {option.key: option for option in self.options.values()}
        if len(self._by_key) != len(self.options):
            raise ValueError("two options share a short-code key")
        self._built = lru_cache(maxsize=_KEPT)(self._build)
        self._cache: dict[str, HouseRules[R]] = {name: self.build(name, {}) for name in self.presets}

    def preset(self, name: str | None = None) -> HouseRules[R]:
        """Return a preset unchanged; the default preset without a name. Raises KeyError."""
        return self._cache[name or self.default_preset]

    def read(self, node: Node) -> HouseRules[R]:
        """Return the rules of `{"preset": ..., "options": {...}}`, both optional. Problems are recorded at the node."""
        if not node.present or not node.object(optional=("preset", "options")):
            return self.preset()
        faults = len(node.problems)
        preset = (read_at(node["preset"], self._preset_field) if "preset" in node else None) or self.default_preset
        given = self._read_given(node["options"])
        if not given or len(node.problems) > faults:
            return self.preset(preset)
        try:
            return self.build(preset, given, pointer=(*node.pointer, "options"))
        except Refused as refused:
            node.problems.extend(refused.problems)
            return self.preset(preset)

    def _read_given(self, node: Node) -> dict[str, object]:
        if not node.present or not node.object(others=True):
            return {}
        given = {}
        for name in node.names():
            if name in self.options:
                given[name] = read_at(node[name], self._fields[name])
            else:
                node.fault("unknown-option", at=(name,), option=name)
        return given

    def build(self, preset: str, given: Mapping[str, object], *, pointer: Pointer = ()) -> HouseRules[R]:
        """Return the rules of a preset with explicit options, which are already of the right types.

        Explicit options override presets and defaults, with a notice. Raises Refused where two explicit options
        exclude each other, one problem per pair.
        """
        try:
            return self._built(preset, tuple(given.items()))
        except Refused as refused:
            raise Refused(dataclasses.replace(p, pointer=(*pointer, *p.pointer)) for p in refused.problems) from None

    def _build(self, preset: str, given: tuple[tuple[str, object], ...]) -> HouseRules[R]:
        values = {name: option.default for name, option in self.options.items()} | self.presets[preset] | dict(given)
        settling = Settling(self.options, self.excludes, self.needs, values, frozenset(name for name, _ in given))
        try:
            settling.settle()
            rules, notices = self.rules_type(**values), settling.notices
            if problems := tuple(self.conflicts(rules)):
                raise Refused(problems)
        except Refused as refused:
            raise Refused([self._with_values(problem, values) for problem in refused.problems]) from None
        for caution in self.cautions:
            if caution.holds(rules):
                facts = {name: self.options[name].plain(values[name]) for name in caution.options}
                notices.append(Notice(caution.code, caution.article, caution.options, facts))
        return HouseRules(preset, rules, tuple(notices))

    def _with_values(self, problem: Problem, values: Mapping[str, object]) -> Problem:
        """Return a conflict of options with the JSON values that they had."""
        names = problem.facts.get("options", ())
        shown = {name: self.options[name].plain(values[name]) for name in names}
        return dataclasses.replace(problem, facts={**problem.facts, "values": shown})

    def plain(self, rules: R) -> dict[str, object]:
        """Return every option with its JSON value."""
        return {name: option.plain(getattr(rules, name)) for name, option in self.options.items()}

    def has_effect(self, name: str, rules: R) -> bool:
        """Return whether the value of an option can change anything while the other options are as they are."""
        return name not in self._when or self._when[name](rules)

    def effective(self, rules: R) -> R:
        """Return the rules with every option that changes nothing at its default, where the others allow that."""
        idle = {name: self.options[name].default for name in self._when if not self.has_effect(name, rules)}
        for rule in self.excludes:
            values = {name: getattr(rules, name) for name in self.options} | idle
            idle = {name: value for name, value in idle.items() if name not in (rule.clash(values) or ())}
        return dataclasses.replace(rules, **idle) if idle else rules  # type: ignore[type-var]

    def differences(self, one: R, other: R) -> list[tuple[Option, object, object]]:
        """Return the options in which two rule sets differ, with both JSON values.

        An option that changes nothing under the other rules is left out: nobody plays by its value.
        """
        a, b = self.plain(one), self.plain(other)
        return [
            (option, a[name], b[name])
            for name, option in self.options.items()
            if a[name] != b[name] and self.has_effect(name, other)
        ]

    def code(self, house: HouseRules[R]) -> str:
        """Return the short code: the preset, then each difference under its permanent key (`classic~bt-5~bp-50`)."""
        own, base = house.options, self.preset(house.preset).options
        parts = [
            f"~{option.key}-{option.encode(getattr(own, name))}"
            for name, option in self.options.items()
            if getattr(own, name) != getattr(base, name)
        ]
        return house.preset + "".join(parts)

    def decode(self, code: str, *, pointer: Pointer = ()) -> HouseRules[R]:
        """Return the rules of a short code.

        Raises Refused where it is none of this game; the facts name the preset that is none (`preset`), or the first
        part that cannot be read (`part`) with the option whose value it should be (`option`).
        """
        preset, *parts = code.split("~")
        if preset not in self.presets:
            raise _no_code(code, pointer, preset=preset[:80])
        given: dict[str, object] = {}
        for part in parts:
            key, _, text = part.partition("-")
            option = self._by_key.get(key)
            if option is None or option.name in given:
                raise _no_code(code, pointer, part=part[:80])
            try:
                given[option.name] = read(self._fields[option.name], option.decode(text))
            except Refused:
                raise _no_code(code, pointer, part=part[:80], option=option.name) from None
        base = self.preset(preset).options
        try:  # a code that was made here leaves out what agrees with the preset: nothing may give way to the rest
            return self.build(preset, {name: getattr(base, name) for name in self.options} | given)
        except Refused:
            return self.build(preset, given, pointer=pointer)


def _no_code(code: str, pointer: Pointer, **facts: str) -> Refused:
    return Refused([Problem(pointer, "rules-code", {"value": code[:80], **facts})])


__all__ = [
    "Caution", "Excludes", "HouseRules", "Needs", "Notice", "Option", "OptionSet", "Setting",
    "card_list", "choice", "flag", "number", "one_number", "word_list",
]  # fmt: skip
