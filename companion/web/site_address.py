"""The site's own address: configured, or that of the request; pages kept for everybody hold a mark in its place."""

from __future__ import annotations

import re

from flask import Flask, abort, current_app, request

from companion.web import Misconfigured

ROOT_MARK = "https://site.invalid"
"""What templates write for the root of the site; `with_root` puts the address in."""
_ROOT = re.compile(r"https?://[A-Za-z0-9.:_\[\]-]+(?:/[A-Za-z0-9._~/-]*)?")


def init_app(app: Flask) -> None:
    """Give templates `absolute(path)`. Raises Misconfigured if `SITE_URL` is set to something other than an address."""
    url = app.config["SITE_URL"]
    if url and not _ROOT.fullmatch(url):
        raise Misconfigured(f"COMPANION_SITE_URL must look like https://cards.example, not {url}")
    app.jinja_env.globals["absolute"] = lambda path: f"{ROOT_MARK}{path}"


def site_root() -> str:
    """Return the address that the site is reached by, without a slash at its end: `SITE_URL`, else the request's.

    Answers 400 where the host of a request has characters that no host has.
    """
    configured: str = current_app.config["SITE_URL"]
    root = (configured or request.url_root).rstrip("/")
    return root if _ROOT.fullmatch(root) else abort(400)


def with_root(text: str) -> str:
    """Return a rendered page with the site's own address in place of the mark."""
    return text.replace(ROOT_MARK, site_root())
