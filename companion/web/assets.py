"""Static files, under hashed names that never expire and compressed, served by WhiteNoise; and QR codes as SVG."""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import io
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from wsgiref.headers import Headers

import segno
from flask import Flask
from markupsafe import Markup
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor

STATIC = Path(__file__).parent / "static"
DOCS_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
_HASHED = ".h-"


def init_app(app: Flask) -> None:
    """Serve `/static/` and give templates `static(name)`."""
    folder, names = gather()
    app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
        app.wsgi_app,
        root=str(folder),
        prefix="/static/",
        max_age=300,
        allow_all_origins=False,
        immutable_file_test=lambda path, url: _HASHED in url,
        add_headers_function=_headers,
    )
    app.jinja_env.globals["static"] = lambda name: f"/static/{names[name]}"


@lru_cache(maxsize=1)
def gather() -> tuple[Path, dict[str, str]]:
    """Return a folder with every static file, plain and under its hashed name, compressed; and the hashed names."""
    folder = Path(tempfile.mkdtemp(prefix="companion-static-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    names = {}
    own = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}
    docs = {f"docs/{name}": _docs_folder() / name for name in DOCS_FILES}
    for name, source in (own | docs).items():
        names[name] = _hashed(name, source.read_bytes())
        # The documentation's interface is large and rarely requested: quick compression will do.
        compressor = Compressor(use_brotli=name in own, quiet=True)
        for target in (folder / name, folder / names[name]):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            if compressor.should_compress(target.name):
                compressor.compress(str(target))
    return folder, names


def qr(url: str) -> Markup:
    """Return the QR code of an address as inline SVG."""
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


def _hashed(name: str, content: bytes) -> str:
    stem, dot, ending = name.rpartition(".")
    return f"{stem}{_HASHED}{hashlib.sha256(content).hexdigest()[:10]}{dot}{ending}"


def _headers(headers: Headers, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
