"""Static files under hashed names that never expire, compressed, by WhiteNoise; QR codes; the manifest of the app."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import cast
from wsgiref.headers import Headers

import orjson
from flask import Blueprint, Flask, Response, current_app, render_template
from markupsafe import Markup

from companion import __version__
from companion.data import LANGUAGES
from companion.games import GAMES
from companion.rulebook.words import say, words
from companion.web.http import GOOD, CachedPage, serve

STATIC = Path(__file__).parent / "static"
_DOCS = "docs/"
DOCS_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
_HASHED = ".h-"
_PREFIX = "/static/"
_EXTENSION = _FOLDERS = "companion-static"
SECONDS_KEPT = 30 * 24 * 3600
"""How long a folder of static files is kept after the last start that used it."""
SECONDS_TO_FILL = 3600
"""How long a folder may be unfinished; it takes half a second."""
_UNFINISHED = "unfinished-"
_OWNER = os.geteuid() if hasattr(os, "geteuid") else 0
"""The user of this process; Windows gives every file the number 0."""


def init_app(app: Flask) -> None:
    """Serve `/static/` and give templates `static(name)`."""
    from whitenoise import WhiteNoise  # on a phone, the worker has the files

    folder, names = _gather()
    app.extensions[_EXTENSION] = app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=str(folder),
        prefix=_PREFIX,
        max_age=300,
        allow_all_origins=False,
        immutable_file_test=lambda path, url: _HASHED in url,
        add_headers_function=_headers,
    )
    app.jinja_env.globals["static"] = lambda name: f"{_PREFIX}{names[name]}"


def compress(app: Flask) -> None:
    """Compress the static files, and serve them so from now on; half a second that a start need not wait for."""
    app.extensions[_EXTENSION].add_files(str(_compressed()), _PREFIX)


def static_files() -> dict[str, bytes]:
    """Return the static files of this program by their names."""
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}


def serve_folder(app: Flask, folder: Path, prefix: str) -> None:
    """Serve the files of a folder, whose names go by their content, with the compressed copies beside them."""
    app.extensions[_EXTENSION].add_files(str(folder), prefix)


@lru_cache(maxsize=1)
def _gather() -> tuple[Path, dict[str, str]]:
    """Return a folder with every static file, plain and under its hashed name; and the hashed names."""
    contents = static_files() | {f"{_DOCS}{name}": (_docs_folder() / name).read_bytes() for name in DOCS_FILES}
    names = {name: hashed_name(name, content) for name, content in contents.items()}

    def fill(folder: Path) -> None:
        for name, content in contents.items():
            for target in (folder / name, folder / names[name]):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)

    return shared_folder(_digest(names), fill), names


@lru_cache(maxsize=1)
def _compressed() -> Path:
    """Return a folder like that of `_gather` with a compressed copy beside every file that becomes smaller."""
    from whitenoise.compress import Compressor

    plain, names = _gather()

    def fill(folder: Path) -> None:
        shutil.copytree(plain, folder, dirs_exist_ok=True)
        for name, hashed in names.items():
            # The documentation's interface is large and rarely requested: quick compression will do.
            compressor = Compressor(use_brotli=not name.startswith(_DOCS), quiet=True)
            if compressor.should_compress(name):
                for made in compressor.compress(str(folder / name)):
                    shutil.copyfile(made, folder / (hashed + Path(made).suffix))

    return shared_folder(f"{_digest(names)}-compressed", fill)


def shared_folder(name: str, fill: Callable[[Path], None]) -> Path:
    """Return a folder that is filled once and shared by all processes of this user, also by later ones.

    It appears whole. Where another user could have planted files, another folder is used.
    """
    home = _home()
    whole = home / name
    if not whole.is_dir():
        made = Path(tempfile.mkdtemp(dir=home, prefix=_UNFINISHED))
        try:
            fill(made)
            with suppress(OSError):  # another process was faster
                made.rename(whole)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    with suppress(OSError):
        os.utime(whole)
    _remove_stale_folders(home)
    return whole


def _home() -> Path:
    """Return the folder that this user's processes share: of the usual name, else the one an earlier start had to make.

    None is of one process alone: a process that is killed removes nothing, and a server is often restarted.
    """
    usual = Path(tempfile.gettempdir()) / f"{_FOLDERS}-{_OWNER}"
    with suppress(OSError):
        usual.mkdir(mode=0o700, exist_ok=True)
    ours = (folder for folder in (usual, *sorted(usual.parent.glob(f"{usual.name}-*"))) if _is_ours(folder))
    return next(ours, None) or Path(tempfile.mkdtemp(prefix=f"{usual.name}-"))


def _is_ours(folder: Path) -> bool:
    """Return whether this user alone can write in a folder, which is no link."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == _OWNER and not found.st_mode & 0o077


def _remove_stale_folders(home: Path) -> None:
    """Remove folders that no start has used for long, those of other versions, and those that were never filled."""
    for folder in home.iterdir():
        with suppress(OSError):
            kept = SECONDS_TO_FILL if folder.name.startswith(_UNFINISHED) else SECONDS_KEPT
            if time.time() - folder.stat().st_mtime > kept:
                shutil.rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=1)
def program_tag() -> str:
    """Return what the entity tags of pages hold of this program: another version draws the same sheet differently."""
    return f"{__version__}-{_digest(_gather()[1])[:8]}"


def _digest(names: dict[str, str]) -> str:
    return hashlib.sha256("\n".join(sorted(names.values())).encode()).hexdigest()[:20]


def qr(url: str) -> Markup:
    """Return the QR code of an address as inline SVG."""
    import segno  # a twentieth of a start, and few pages need it

    out = io.BytesIO()
    segno.make(url, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=False, omitsize=True, border=2, svgclass="qr"
    )
    return Markup(out.getvalue().decode())  # noqa: S704  (drawn by the library from an address of ours)


def _docs_folder() -> Path:
    """Where the package of the documentation's interface keeps its files; the package itself is not loaded."""
    found = importlib.util.find_spec("flask_swagger_ui")
    if not found or not found.submodule_search_locations:
        raise FileNotFoundError("flask_swagger_ui")
    return Path(found.submodule_search_locations[0]) / "dist"


def hashed_name(name: str, content: bytes) -> str:
    """Return the name of a file that goes by its content."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}{_HASHED}{hashlib.sha256(content).hexdigest()[:10]}{dot}{ending}"


def _headers(headers: Headers, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"


THEMES = {"light": "#faf7f0", "dark": "#151412"}
"""The colour of paper in each theme; a test holds that the style sheet says the same."""
ICONS = {"any": (192, 512), "maskable": (192, 512)}
"""Sizes of the icons by purpose: `python -m tests.icons` draws them from `icon.svg` and `maskable.svg`."""
APPLE_ICON = "icons/apple-180.png"

_installing = Blueprint("installing", __name__)


def add_manifest(app: Flask) -> None:
    """Add the manifests, and what templates say of the app."""
    app.register_blueprint(_installing)
    app.jinja_env.globals.update(themes=THEMES, apple_icon=APPLE_ICON)


@_installing.get("/<lang:lang>/app.webmanifest")
def manifest(lang: str) -> Response:
    """What a browser needs to put the site on the home screen."""
    return serve(_cached_manifest(lang))


@_installing.get("/<lang:lang>/needs-network")
def needs_network(lang: str) -> Response:
    """What a phone shows without a network in the place of a page that it has not kept."""
    return serve(_cached_needs_network(lang))


@lru_cache(maxsize=len(LANGUAGES))
def _cached_needs_network(lang: str) -> CachedPage:
    return CachedPage(render_template("needs-network.html", why=say(lang, "phone.needs-server")), lang, GOOD)


@lru_cache(maxsize=len(LANGUAGES))
def _cached_manifest(lang: str) -> CachedPage:
    return CachedPage(orjson.dumps(described(lang)).decode(), lang, GOOD, "application/manifest+json")


def described(lang: str) -> dict[str, object]:
    """Return the manifest in a language. Of the shortcuts, phones show the first three or four."""
    root, address = f"/{lang}", cast("Callable[[str], str]", current_app.jinja_env.globals["static"])
    first, *others = (
        (say(lang, "site.new-sheet", game=words(game.id, lang).name), f"{root}/sheets/new/{game.id}")
        for game in GAMES.values()
    )
    everywhere = [(say(lang, name), f"{root}/{path}") for name, path in _SHORTCUTS.items()]
    return {
        "id": f"{root}/",
        "name": say(lang, "site.name"),
        "short_name": say(lang, "site.short-name"),
        "description": say(lang, "site.promise"),
        "lang": lang,
        "dir": "ltr",
        "start_url": f"{root}/sheets",
        "scope": "/",
        "display": "standalone",
        "theme_color": THEMES["light"],
        "background_color": THEMES["light"],
        "icons": [
            {
                "src": address(f"icons/{purpose}-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for purpose, sizes in ICONS.items()
            for size in sizes
        ],
        "shortcuts": [{"name": name, "url": url} for name, url in (first, *everywhere, *others)],
        "share_target": {
            "action": f"{root}/house-rules/shared",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }


_SHORTCUTS = {"navigation.referee": "referee", "search.title": "search"}
"""Pages of all games, by the phrase that names them."""
