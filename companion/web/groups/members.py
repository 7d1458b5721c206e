"""The members of a group: added, renamed, merged, removed; the name of the group and its house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from flask import Blueprint, abort, flash, redirect, request
from werkzeug.wrappers import Response

from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import rules_url, say, words
from companion.sheets.group_events import (
    AddMembers,
    GroupCommand,
    KeepRules,
    MergeMember,
    RemoveMember,
    RenameMember,
    TitleGroup,
)
from companion.sheets.shapes import read
from companion.web.groups.access import Visit, kept_group, problem_texts, typed_names, write

Fields = Callable[[Mapping[str, str]], dict[str, object]]


def _of(*names: str) -> Fields:
    return lambda form: {name: form.get(name, "").strip() for name in names}


COMMANDS: Final[Mapping[str, tuple[type[GroupCommand], Fields]]] = {
    "add": (AddMembers, lambda form: {"names": typed_names(form.get("names", ""))}),
    "rename": (RenameMember, _of("member", "name")),
    "merge": (MergeMember, _of("member", "into")),
    "remove": (RemoveMember, _of("member")),
    "title": (TitleGroup, _of("title")),
    "rules": (KeepRules, _of("game", "code")),
}


def add_pages(groups: Blueprint) -> None:
    """The page of the members and its forms."""
    groups.get("/<lang:lang>/groups/<group>/members")(members)
    groups.post("/<lang:lang>/groups/<group>/do/<kind>")(change)


def members(lang: str, group: str) -> str:
    """Everybody of the group, with what can be changed."""
    return _render(kept_group(lang, group))


def change(lang: str, group: str, kind: str) -> Response | tuple[str, int]:
    """Write down what a form says, and show the members again."""
    visit = kept_group(lang, group)
    if kind not in COMMANDS:
        abort(404)
    command, fields = COMMANDS[kind]
    try:
        write(visit, read(command, fields(request.form)))
    except Refused as refused:
        return _render(visit, problem_texts(refused.problems, lang)), 422
    flash(say(lang, "groups.saved"), "saved")
    return redirect(f"{visit.base}/members", 303)


def _render(visit: Visit, problems: list[str] | None = None) -> str:
    rules = []
    for game, code in visit.group.rules.items():
        own = words(game, visit.lang)
        house = GAMES[game].options.decode(code)
        rules.append((game, own.name, own.summary(GAMES[game].options, house), rules_url(visit.lang, game, code)))
    return visit.render("groups/members.html", "/members", problems=problems, rules=rules)
