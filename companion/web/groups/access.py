"""Which groups this device may keep, and what a watch link shows: pages that write nothing are there for both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps

from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue

from companion.engine.problems import Problem
from companion.rulebook.book import words
from companion.sheets.events import View
from companion.sheets.group_events import Group, GroupCommand
from companion.sheets.groups import GroupView
from companion.sheets.store import Link, NoSuchSheet, is_group
from companion.web.keeper.access import device_key, no_page
from companion.web.sheet_service import device_service, group_service

_BETWEEN_NAMES = re.compile(r"[\n,、，;；]")


@dataclass(frozen=True, slots=True)
class Visit:
    """A group as somebody may see it: its address without the language, and whether changes are allowed."""

    view: GroupView
    lang: str
    path: str
    keeps: bool

    @property
    def group(self) -> Group:
        """The group."""
        return self.view.group

    @property
    def base(self) -> str:
        """The address of its page."""
        return f"/{self.lang}/{self.path}"

    def render(self, template: str, place: str = "", **facts: object) -> str:
        """Return a page of the group; `place` is its address after that of the group."""
        return render_template(template, visit=self, group=self.group, base=self.base, path=self.path + place, **facts)


ShowVisit = Callable[..., ResponseReturnValue]


def add_views(groups: Blueprint, rule: str, show: ShowVisit) -> None:
    """Add a page of a group that writes nothing, for those who keep it and for those who watch it."""

    @wraps(show)
    def keeper(lang: str, group: str, **rest: str) -> ResponseReturnValue:
        return show(kept_group(lang, group), **rest)

    @wraps(show)
    def watcher(lang: str, secret: str, **rest: str) -> ResponseReturnValue:
        visit = watched_group(lang, secret)
        return show(visit, **rest) if isinstance(visit, Visit) else visit

    groups.get(f"/<lang:lang>/groups/<group>{rule}", endpoint=show.__name__)(keeper)
    groups.get(f"/<lang:lang>/groups/watch/<secret>{rule}", endpoint=f"watch_{show.__name__}")(watcher)


def kept_group(lang: str, group: str) -> Visit:
    """Return a group that this device may keep; alike for unknown and foreign, the page is not there."""
    try:
        own_link(group)
        return Visit(group_service().read(group), lang, f"groups/{group}", True)
    except NoSuchSheet:
        abort(404)


def watched_group(lang: str, secret: str) -> Visit | Response:
    """Return the group behind a watch link; for unknown and revoked ones alike, a page that says what may be wrong."""
    service = group_service()
    try:
        view = service.read(service.find(secret).sheet)
    except NoSuchSheet:
        return no_page("keeper/no-link.html")
    return Visit(view, lang, f"groups/watch/{secret}", False)


def own_link(group: str) -> Link:
    """Return the link by which this device keeps a group. Raises NoSuchSheet."""
    key = device_key()
    if key is None or not is_group(group):
        raise NoSuchSheet(group)
    return device_service().link(key, group)


def kept_groups() -> list[GroupView]:
    """Return the groups that this device may keep, the latest first."""
    key, service = device_key(), group_service()
    found = []
    for group in device_service().groups(key) if key else ():
        try:
            own_link(group)
            found.append(service.read(group))
        except NoSuchSheet:
            continue
    return found


def write(visit: Visit, command: GroupCommand) -> GroupView:
    """Write in a group under the label of this device's link. Raises Refused."""
    return group_service().do(visit.view.id, command, link=own_link(visit.view.id))


def readable_sheet(visit: Visit, sheet: str) -> View:
    """Return a sheet of a group with at least one game; 404 for another one."""
    joined = visit.group.sheets.get(sheet)
    try:
        view = group_service().sheet(joined) if joined else abort(404)
    except NoSuchSheet:
        abort(404)
    return view if view.game is not None else abort(404)


def typed_names(text: str) -> list[str]:
    """Return the names that somebody typed, one a line or with commas between them."""
    return [name for each in _BETWEEN_NAMES.split(text) if (name := each.strip())]


def problem_texts(problems: Iterable[Problem], lang: str) -> list[str]:
    """Return what keeps a form from being written, each sentence once."""
    own = words("", lang)
    return list(dict.fromkeys(own.problem(problem) for problem in problems))
