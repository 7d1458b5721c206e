"""Links that open a sheet for others, each with its QR and revocable; the devices that share a list."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from flask import Response, abort, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.data import LANGUAGES
from companion.engine.problems import Refused
from companion.rulebook.words import say
from companion.sheets.device_service import MINUTES, NoSuchCode
from companion.sheets.event import View
from companion.sheets.service import NewLink
from companion.sheets.store import SCORE, WATCH, Link, NoSuchSheet
from companion.web import assets
from companion.web.assets import qr
from companion.web.http import site_root
from companion.web.keeper import access
from companion.web.keeper.access import device_key, forget, kept_sheet, needed_key, no_page, own_link, remember
from companion.web.keeper.board import board, seats_at
from companion.web.keeper.deals import render_log
from companion.web.keeper.entry import open_step
from companion.web.sheet_service import device_service, sheet_service

PRIVATE = (("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex"))
"""Headers of every page of a sheet."""
REVALIDATED = "private, no-cache"
_WATCHED = re.compile(rf"/({'|'.join(LANGUAGES)})/watch/([^/]+)(|/wall|/log)")


def share(lang: str, sheet: str) -> str:
    """The links of a sheet; new ones are made here."""
    return _render(kept_sheet(sheet), lang)


def create(lang: str, sheet: str) -> str | tuple[str, int]:
    """A new link with its secret, which is shown this once."""
    view = kept_sheet(sheet)
    try:
        scope, label = request.form.get("scope", ""), request.form.get("label", "")
        made = sheet_service().create_link(sheet, scope, label, seed=access.form_seed())
    except Refused:
        abort(422)
    return _render(view, lang, made=shown_link(made, f"{lang}/"))


def revoke(lang: str, sheet: str, link: str) -> BaseResponse:
    """Let a link open nothing from now on."""
    return revoke_of(kept_sheet(sheet).id, link, f"/{lang}/sheets/{sheet}/share", lang)


def revoke_of(log: str, link: str, page: str, lang: str) -> BaseResponse:
    """Revoke a link of a sheet or a group, and go to the page of its links; 404 for another link."""
    try:
        sheet_service().revoke_link(log, link)
    except NoSuchSheet:
        abort(404)
    flash(say(lang, "share.revoked"), "saved")
    return redirect(page, 303)


def leave(lang: str, sheet: str) -> BaseResponse:
    """Let this device forget a sheet."""
    forget(sheet)
    return redirect(f"/{lang}/sheets", 303)


def watch(lang: str, secret: str) -> Response:
    """The sheet to look at. Answers 304 while nothing has changed; a small script asks every few seconds."""
    return _watched(lang, secret, lambda view: _render_watch("keeper/watch.html", view, lang, secret))


def wall(lang: str, secret: str) -> Response:
    """The totals alone, huge, with the QR of the watch page: for a screen on the wall."""
    return _watched(lang, secret, lambda view: _render_watch("keeper/wall.html", view, lang, secret, "/wall"))


def watch_log(lang: str, secret: str) -> Response:
    """Everything that was written on the sheet, for who may only look at it."""
    return _watched(lang, secret, lambda view: render_log(view, lang, f"watch/{secret}"))


def join_page(lang: str) -> str:
    """Where a score link leads: a script sends the code behind the #, without script it is typed in."""
    return render_template("join.html", path="join")


def join(lang: str) -> BaseResponse | tuple[str, int]:
    """Take a code and let this device keep the sheet that it opens."""
    return join_by_code(sheet_service().find, "join", f"/{lang}/sheets")


def join_by_code(find: Callable[[str, str], Link], path: str, pages: str) -> BaseResponse | tuple[str, int]:
    """Let this device keep what the code in a form opens, and go to its page under `pages`; else ask again."""
    code = request.form.get("code", "").strip().rpartition("#")[2]
    try:
        link = find(code, SCORE)
    except NoSuchSheet:
        return render_template(f"{path}.html", path=path, wrong=True), 404
    remember(link)
    return redirect(f"{pages}/{link.sheet}", 303)


def shown_link(made: NewLink, place: str) -> dict[str, object]:
    """Return what a page shows of a link that was just made; `place` is where its pages are."""
    scope, secret = made.link.scope, made.secret
    url = f"{site_root()}/{place}" + (f"watch/{secret}" if scope == WATCH else f"join#{secret}")
    return {"scope": scope, "url": url, "secret": secret, "qr": qr(url)}


def _render(view: View, lang: str, made: dict[str, object] | None = None) -> str:
    links = sheet_service().links(view.id)
    first = [link.id for link in links if link.created == links[0].created and not link.label]
    return render_template(
        "keeper/share.html", view=view, board=board(view, lang), links=links, made=made,
        own=own_link(view.id).id, first=first,
        key=secrets.token_urlsafe(12), path=f"sheets/{view.id}/share",
    )  # fmt: skip


def _render_watch(template: str, view: View, lang: str, secret: str, place: str = "") -> str:
    url = f"{site_root()}/{lang}/watch/{secret}"
    shown = board(view, lang)
    step = None if shown.over else open_step(view, {}, lang)
    return render_template(
        template,
        view=view,
        board=shown,
        seats=seats_at(view, shown.game, step, changeable=False) if step else (),
        step=step,
        secret=secret,
        qr=qr(url),
        path=f"watch/{secret}{place}",
    )


def _watched(lang: str, secret: str, render: Callable[[View], str]) -> Response:
    """A page behind a watch link; for unknown, revoked and mistyped ones alike, a page that says what may be wrong."""
    try:
        link, head = sheet_service().watch(secret)
    except NoSuchSheet:
        return no_page("keeper/no-link.html")

    def page() -> str:
        view = sheet_service().read(link.sheet)
        return render(view) if view.game else abort(no_page("keeper/gameless.html"))

    return unless_known(f"{link.id}-{head.tag}-{lang}-{assets.program_tag()}", page)


def unless_known(tag: str, render: Callable[[], str]) -> Response:
    """Return a page with its entity tag; without rendering it, 304 to a browser that has it."""
    response = Response(status=304) if request.if_none_match.contains_weak(tag) else make_response(render())
    response.set_etag(tag)
    response.headers["Cache-Control"] = REVALIDATED
    return response


def my_devices(lang: str) -> str:
    """The devices with the same list as this one."""
    return _render_devices()


def rename_device(lang: str, device: str) -> BaseResponse:
    """Name a device."""
    try:
        device_service().rename(needed_key(), device, request.form.get("name", ""))
    except LookupError:
        abort(404)
    except Refused:
        abort(422)
    return redirect(f"/{lang}/devices", 303)


def sign_out(lang: str, device: str) -> BaseResponse:
    """Take the list away from a device."""
    try:
        device_service().sign_out(needed_key(), device)
    except LookupError:
        abort(404)
    flash(say(lang, "devices.is-out"), "saved")
    return redirect(f"/{lang}/devices", 303)


def make_code(lang: str) -> Response:
    """A code for another phone or for recovery, which is shown this once."""
    kind = request.form.get("kind", "")
    if kind == "recovery":
        code = device_service().make_recovery(needed_key())
    elif kind == "move":
        code = device_service().make_move(needed_key(), leave="leave" in request.form)
    else:
        abort(422)
    url = f"{site_root()}/{lang}/devices/enter#{code}"
    return make_response(_render_devices({"kind": kind, "code": code, "qr": qr(url)}), {"Cache-Control": "no-store"})


def enter_page(lang: str) -> str:
    """Where a code is typed. One that came in an address is filled in, but sent by nobody else than who reads this."""
    return render_template("keeper/enter-code.html", path="devices/enter")


def enter_code(lang: str) -> BaseResponse | tuple[str, int]:
    """Give this device the list behind a code."""
    try:
        recovery = device_service().use(needed_key(), request.form.get("code", ""), alone="alone" in request.form)
    except NoSuchCode:
        return render_template("keeper/enter-code.html", path="devices/enter", wrong=True), 404
    flash(say(lang, "devices.has-list"), "saved")
    if recovery:
        flash(say(lang, "devices.spent"), "warning")
    return redirect(f"/{lang}/devices", 303)


def _render_devices(made: dict[str, object] | None = None) -> str:
    key, service = device_key(), device_service()
    mine = service.find(key) if key else None
    return render_template(
        "keeper/devices.html", mine=mine, devices=service.with_same_list(key) if key else [], made=made,
        recovery=bool(key and service.has_recovery(key)), minutes=MINUTES, path="devices",
    )  # fmt: skip


ROUTES = {
    "GET /sheets/<sheet>/share": share,
    "POST /sheets/<sheet>/share": create,
    "POST /sheets/<sheet>/share/<link>/revoke": revoke,
    "POST /sheets/<sheet>/leave": leave,
    "GET /watch/<secret>": watch,
    "GET /watch/<secret>/wall": wall,
    "GET /watch/<secret>/log": watch_log,
    "GET /join": join_page,
    "POST /join": join,
    "GET /devices": my_devices,
    "POST /devices/<device>/name": rename_device,
    "POST /devices/<device>/sign-out": sign_out,
    "POST /devices/code": make_code,
    "GET /devices/enter": enter_page,
    "POST /devices/enter": enter_code,
}
"""Sharing, watching and joining, and everything under `/<lang>/devices`."""
