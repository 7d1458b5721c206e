"""The same pages on a phone without a line: the program that runs there, and what a server needs to hand it over."""

from __future__ import annotations

from typing import Final

BUNDLE: Final = "build/phone"
"""Where `make phone` writes what a phone fetches, in the checkout."""
MANIFEST: Final = "manifest.json"
