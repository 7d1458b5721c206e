"""What the server hands over to a phone that wants to do without it: a page, the worker, files; and what comes back."""

from __future__ import annotations

import hashlib
import hmac
import json
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, render_template, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from companion.data import LANGUAGES, data_folder
from companion.engine.problems import JsonObject, Refused
from companion.sheets.store import MAX_FILE, KeyReused, to_file
from companion.web.assets import STATIC, serve_folder
from companion.web.http import PAGE_POLICY, allow_body, slot
from companion.web.keeper import offline
from companion.web.keeper.access import kept_sheet, own_link, remember
from companion.web.keeper.entry import join_picked, picked_group
from companion.web.keeper.exports import read_file
from companion.web.phone import BUNDLE, MANIFEST
from companion.web.sheet_service import sheet_service

_PREFIX = "/phone/"
_WORKER = "/on-phone.js"
_WORKER_POLICY = PAGE_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""For the worker alone: it compiles the runtime."""
_SHORT_FILE = 64 * 1024
"""Characters of a file that is read at once: most sheets were opened on the phone, and their files have two events."""
_SCRIPTS = ("phone-worker.js", "phone-sending.js", "offline.js")

_phone = Blueprint("phone", __name__)


def init_app(app: Flask) -> None:
    """Offer the program to phones, if `make phone` has built it: the setting PHONE names the folder."""
    folder = Path(app.config["PHONE"] or data_folder("templates").parent / BUNDLE)
    file = folder / MANIFEST
    if not file.is_file():
        return
    app.extensions["companion-phone"] = json.loads(file.read_text("utf-8"))
    app.jinja_env.globals["phone_offered"] = True
    serve_folder(app, folder, _PREFIX)
    allow_body(app, "phone.import_offline", MAX_FILE)
    app.register_blueprint(_phone)


@_phone.get("/<lang:lang>/phone")
def offer(lang: str) -> str:
    """What keeping the program costs, and the button that does it."""
    files = _manifest()["files"]
    packed, size = (round(sum(each[key] for each in files.values()) / 1e6) for key in ("packed", "size"))
    held = {f"{_PREFIX}{each['path']}": each["size"] for each in files.values()}
    return render_template(
        "phone.html", path="phone", packed=packed, size=size, files=held, version=_manifest()["version"],
        worker=_WORKER, licences=f"{_PREFIX}{files['licences.txt']['path']}",
    )  # fmt: skip


@_phone.get(_WORKER)
def worker() -> Response:
    """The service worker that holds the program, with the names of its files."""
    script = Response(_worker(json.dumps(_manifest())), mimetype="text/javascript")
    script.headers["Cache-Control"] = "no-cache"
    script.headers["Content-Security-Policy"] = _WORKER_POLICY
    return script


@_phone.get("/<lang:lang>/phone/sheets/<sheet>")
def copy(lang: str, sheet: str) -> Response:
    """What a phone needs to go on with a sheet without a line: its file, or what was written after a version."""
    view, records = kept_sheet(sheet), sheet_service().store.read(sheet)
    after = min(request.args.get("after", 0, int), len(records) - 1)
    previous = records[after - 1].hash if after > 0 else ""
    label = own_link(sheet).label
    response = jsonify(tag=view.head.tag, label=label, previous=previous, file=to_file(records[max(0, after) :]))
    response.headers["Cache-Control"] = "no-store"
    return response


@_phone.post("/<lang:lang>/phone/sheets")
def import_offline(lang: str) -> BaseResponse:
    """Go on with a sheet that a phone has continued, or opened, without a line; once, whoever sends it again.

    The key is the name that the phone has for the sheet. A sheet that the phone has opened is made from its file, and
    belongs to the group for which it was opened.
    """
    key = request.headers.get("Idempotency-Key", "")
    # A form of another site can send neither this header nor this type.
    if not key or not request.is_json or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        abort(403)
    sent = request.get_json()
    if not isinstance(sent, dict):
        abort(422)
    sheet = str(sent.get("sheet") or "")
    if not sheet:
        try:
            sheet = _opened(key, json.dumps(sent.get("file")).encode())
        except RecursionError:  # nested more deeply than any file
            abort(422)
        _join(sheet, sent.get("group"), lang)
    return offline.import_offline(lang, sheet, str(sent.get("base", "")), sent.get("mine", []), key)


def _opened(key: str, file: bytes) -> str:
    """Return the sheet that was made from this file, the same for the same key, kept by this device from now on."""
    service = sheet_service()
    seed = hmac.digest(str(current_app.config["SECRET_KEY"]).encode(), f"phone\0{key}".encode(), hashlib.sha256)
    try:
        with slot():
            opened = service.import_records(read_file(file, service.store.anchors), watch=False, seed=seed)
    except (Refused, KeyReused):
        abort(422)
    remember(opened.score_link)
    return opened.id


def _join(sheet: str, asked: object, lang: str) -> None:
    form = MultiDict({str(name): str(value) for name, value in asked.items()} if isinstance(asked, dict) else {})
    group = picked_group(form)
    if group is not None and sheet not in group.sheets:
        join_picked(form, sheet, lang)


@lru_cache(maxsize=2)
def _worker(manifest: str) -> str:
    found: JsonObject = json.loads(manifest)
    files = found["files"]
    bundle = {
        "version": found["version"],
        "runtime": found["runtime"],
        "languages": LANGUAGES,
        "files": {name: {"path": each["path"]} for name, each in files.items()},
        "statics": {f"/{each['path']}": each["path"] for name, each in files.items() if name.startswith("static/")},
    }
    return "\n".join(
        [
            f'import {{ loadPyodide }} from "{_PREFIX}{files["pyodide.mjs"]["path"]}";',
            f'import createPyodideModule from "{_PREFIX}{files["pyodide.asm.mjs"]["path"]}";',
            f"const BUNDLE = {json.dumps(bundle)};",
            *((STATIC / name).read_text("utf-8") for name in _SCRIPTS),
        ]
    )


def _manifest() -> JsonObject:
    found: JsonObject = current_app.extensions["companion-phone"]
    return found
