"""The devices that share a list of sheets: named, signed out, and joined by a code from another phone or from paper."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.problems import Refused
from companion.rulebook.book import say
from companion.sheets.belonging import MINUTES, NoSuchCode
from companion.web.assets import qr
from companion.web.keeper.device import device_key, needed_key
from companion.web.sheet_service import device_service
from companion.web.site_address import site_root


def add_pages(keeper: Blueprint) -> None:
    """Everything under `/<lang>/devices`."""
    keeper.get("/<lang:lang>/devices")(my_devices)
    keeper.post("/<lang:lang>/devices/<device>/name")(rename_device)
    keeper.post("/<lang:lang>/devices/<device>/sign-out")(sign_out)
    keeper.post("/<lang:lang>/devices/code")(make_code)
    keeper.get("/<lang:lang>/devices/enter")(enter_page)
    keeper.post("/<lang:lang>/devices/enter")(enter_code)


def my_devices(lang: str) -> str:
    """The devices with the same list as this one."""
    return _render()


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
    page = _render({"kind": kind, "code": code, "qr": qr(url)})
    return make_response(page, {"Cache-Control": "no-store"})


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


def _render(made: dict[str, object] | None = None) -> str:
    key, service = device_key(), device_service()
    mine = service.find(key) if key else None
    return render_template(
        "keeper/devices.html", mine=mine, devices=service.with_same_list(key) if key else [], made=made,
        recovery=bool(key and service.has_recovery(key)), minutes=MINUTES, path="devices",
    )  # fmt: skip
