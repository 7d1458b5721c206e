"""Draw the icons of the app from their SVG sources: `python -m tests.icons`, after a change of one of these."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from companion.web.assets import APPLE_ICON, ICONS, STATIC
from tests.conftest import CHROMIUM

SOURCES = {"any": "icon.svg", "maskable": "maskable.svg", "apple": "maskable.svg"}


def main() -> None:
    """Write every icon."""
    wanted = {f"icons/{purpose}-{size}.png": size for purpose, sizes in ICONS.items() for size in sizes}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, size in (wanted | {APPLE_ICON: 180}).items():
            page = browser.new_page(viewport={"width": size, "height": size})
            source = SOURCES[Path(name).name.partition("-")[0]]
            drawing = (STATIC / source).read_text("utf-8")
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{drawing}")
            picture = STATIC / name
            picture.parent.mkdir(exist_ok=True)
            page.screenshot(path=str(picture), omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
