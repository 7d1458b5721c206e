"""QR codes as drawings in a page."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup


def qr(url: str) -> Markup:
    """The QR code of an address as inline SVG."""
    out = io.BytesIO()
    segno.make(url, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=False, omitsize=True, border=2, svgclass="qr"
    )
    return Markup(out.getvalue().decode())  # noqa: S704  (drawn by the library from an address of ours)
