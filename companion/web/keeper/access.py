"""Which sheets this device may keep: those on its list whose links still allow it, looked up at every request."""

from __future__ import annotations

from flask import Response, abort, g, make_response, render_template, request
from werkzeug.exceptions import Conflict, NotFound

from companion.sheets.scoring import View
from companion.sheets.store import Link, NoSuchSheet
from companion.web.keeper.device import device_key, needed_key
from companion.web.responses import error_page
from companion.web.sheet_service import device_service, sheet_service

PAGE = 50
"""Sheets of a list that one page shows."""
_FOUND = "own_link"
"""Where a request keeps the link that it was let in by."""


def remember(link: Link) -> None:
    """Let this device keep the sheet or the group of a score link from now on."""
    device_service().keep(needed_key(), (link.sheet, link.id))


def forget(sheet: str) -> None:
    """Take a sheet off the list of this device."""
    if key := device_key():
        device_service().forget(key, sheet)


def kept_sheets(most: int = PAGE, skip: int = 0) -> list[View]:
    """The sheets that this device may keep, the latest first; links that were revoked are left out."""
    key = device_key()
    sheets = device_service().sheets(key, most, skip) if key else []
    return [view for sheet in sheets if (view := _kept(sheet))]


def kept_sheet(sheet: str) -> View:
    """A sheet that this device may keep; alike for unknown and foreign, the page is not there.

    A device whose link was revoked learns that, as does one that was signed out. Nobody learns from it whether a sheet
    exists: it says no more than what is on the device's own list.
    """
    kept = _kept(sheet)
    if kept is None:
        abort(_why_not(sheet))
    if kept.game is None:
        abort(no_page("keeper/gameless.html"))
    return kept


def answer_gone(_: NoSuchSheet) -> Response:
    """Return the page for a link that was revoked, or a sheet that was erased, while a form was being written."""
    return _why_not((request.view_args or {}).get("sheet", ""))


def answer_lost(_: Exception) -> Response:
    """Return the page for a form that others were faster than, or whose key was used for something else."""
    return error_page(Conflict())


def _why_not(sheet: str) -> Response:
    key = device_key()
    if key and device_service().kept(key, sheet) and _kept(sheet) is None:
        return no_page("keeper/revoked.html", sheet=sheet)
    if is_signed_out():
        return no_page("keeper/signed-out.html")
    return error_page(NotFound())


def count_kept() -> int:
    """Return the number of sheets on this device's list whose links are not revoked."""
    key = device_key()
    return device_service().count(key) if key else 0


def is_signed_out() -> bool:
    """Return whether another device took the list away from this one."""
    key = device_key()
    found = device_service().find(key) if key else None
    return found is not None and found.signed_out is not None


def no_page(template: str, **facts: str) -> Response:
    """The answer 404 with a page of its own that says why there is nothing to be seen."""
    return make_response(render_template(template, **facts), 404, {"Cache-Control": "no-store"})


def own_link(sheet: str) -> Link:
    """The link by which this device keeps a sheet; its label says who writes. Raises NoSuchSheet.

    What `kept_sheet` has found in this request is not looked up again: whoever writes with a link that was revoked
    meanwhile is refused in the transaction that writes.
    """
    found: Link | None = g.get(_FOUND)
    return found if found and found.sheet == sheet else _look_up(sheet)


def _look_up(sheet: str) -> Link:
    key = device_key()
    if key is None:
        raise NoSuchSheet(sheet)
    link = device_service().link(key, sheet)
    setattr(g, _FOUND, link)
    return link


def _kept(sheet: str) -> View | None:
    try:
        _look_up(sheet)
        return sheet_service().read(sheet)
    except NoSuchSheet:
        return None
