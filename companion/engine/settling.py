"""Resolve conflicts between options: explicit options override presets and defaults."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.engine.option import Option
from companion.engine.problems import NamedFacts, Problem, Refused

Setting = Mapping[str, Collection[object]]
"""Option names with the values meant; a setting is in force where any of the options has one of its values."""
_NO_VALUE: Final = object()


@dataclass(frozen=True, slots=True)
class Excludes:
    """Two settings that cannot be in force together."""

    article: str
    one: Setting
    other: Setting
    within: Setting = field(default_factory=dict)
    """Restricts the exclusion to rules with this setting; empty for all rules."""

    def clash(self, values: Mapping[str, object]) -> tuple[str, str] | None:
        """Return the two options that exclude each other with these values, or None."""
        one, other = in_force(self.one, values), in_force(self.other, values)
        holds = not self.within or in_force(self.within, values)
        return (one, other) if one and other and holds else None


@dataclass(frozen=True, slots=True)
class Needs:
    """A setting that has no effect unless one of others is in force.

    `soft` decides what happens to a setting that is not explicit: it is changed itself (`yields`), or what it needs is
    changed (`insists`). `asks` insists too, but keeps the setting where nothing else can be changed.
    """

    article: str
    setting: Setting
    needed: Setting
    soft: str = "yields"


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning about a set of house rules: a stable code, the options concerned, the facts."""

    code: str
    article: str
    options: tuple[str, ...]
    facts: NamedFacts = field(default_factory=dict)


@dataclass(slots=True)
class Settling:
    """The values of all options while conflicts are resolved; options in `firm` are explicit and never change."""

    options: Mapping[str, Option]
    excludes: Iterable[Excludes]
    needs: Iterable[Needs]
    values: dict[str, object]
    firm: Collection[str]
    notices: list[Notice] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def settle(self) -> None:
        """Resolve exclusions, then needs. Raises Refused where explicit options exclude each other.

        One pass is enough for every rule set that the games declare: a test settles random ones a second time.
        """
        self._settle_exclusions()
        self._settle_needs()
        if self.problems:
            raise Refused(self.problems)
        for rule in self.excludes:
            if names := rule.clash(self.values):
                self._conflict(*names, rule.article)
        if self.problems:
            raise Refused(self.problems)

    def _settle_exclusions(self) -> None:
        for rule in self.excludes:
            names = rule.clash(self.values)
            if names is None:
                continue
            one, other = names
            if one in self.firm and other in self.firm:
                self._conflict(one, other, rule.article)
                continue
            loser, setting = (other, rule.other) if one in self.firm else (one, rule.one)
            value = self._nearest(loser, setting[loser], inside=False)
            if value is _NO_VALUE:
                self._conflict(one, other, rule.article)
            else:
                self._give_nearest(loser, value, rule.article)

    def _settle_needs(self) -> None:
        for need in self.needs:
            cause = in_force(need.setting, self.values)
            if not cause or in_force(need.needed, self.values):
                continue
            soft = [name for name in need.needed if name not in self.firm]
            if need.soft == "asks" and not soft:
                continue
            if cause not in self.firm and (need.soft == "yields" or not soft):
                self._give_nearest(cause, self._nearest(cause, need.setting[cause], inside=False), need.article)
                continue
            ways = {name: self._nearest(name, need.needed[name], inside=True) for name in soft}
            blockers = {name: self._blocker(name, value) for name, value in ways.items()}
            free = next((name for name, blocker in blockers.items() if blocker is None), None)
            if free is not None:
                self._give_nearest(free, ways[free], need.article)
            else:
                other = next((name for name in blockers.values() if name), None) or next(iter(need.needed))
                self._conflict(cause, other, need.article)

    def _conflict(self, one: str, other: str, article: str) -> None:
        facts = {"options": [one, other]}
        self.problems.append(Problem((other,), "options-conflict", facts, article))

    def _blocker(self, name: str, value: object) -> str | None:
        """Return the explicit option that excludes this value of another one, or None."""
        trial = self.values | {name: value}
        for rule in self.excludes:
            names = rule.clash(trial)
            if names and name in names:
                other = names[0] if names[1] == name else names[1]
                if other in self.firm:
                    return other
        return None

    def _nearest(self, name: str, wanted: Collection[object], *, inside: bool) -> object:
        """Return the value closest to the default that is among the wanted ones, or is not among them."""
        possible = self.options[name].possible(wanted if inside else ())
        return next((value for value in possible if (value in wanted) == inside), _NO_VALUE)

    def _give_nearest(self, name: str, value: object, article: str) -> None:
        option, before = self.options[name], self.values[name]
        self.values[name] = value
        facts = {"option": name, "from": option.plain(before), "to": option.plain(value)}
        self.notices.append(Notice("gave-way", article, (name,), facts))


def in_force(setting: Setting, values: Mapping[str, object]) -> str | None:
    """Return the first option of a setting that has one of its values, or None."""
    return next((name for name, wanted in setting.items() if values[name] in wanted), None)
