"""Makes the text of the package page from the README.

A package page shows no files of the checkout: pictures are left out, and links to files are written as their names.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURES = re.compile(r"^\|[ |]*\n\|[-|]*\n\|.*!\[.*\n\n", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)([^)]*)\)")


class DescriptionHook(MetadataHookInterface):
    """Sets the `readme` of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the text to that of `README.md` without pictures and relative links."""
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": package_page(text)}


def package_page(readme: str) -> str:
    """Return the text of a README as it is read where the files of its checkout are not."""
    return _LINK.sub(
        lambda link: f"`{link[2]}`" if link[1] == link[2] else f"{link[1]} (`{link[2]}`)", _PICTURES.sub("", readme)
    )
