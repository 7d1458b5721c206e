"""The pictures of the README, drawn from a real evening in a real browser: `make screenshots`.

Draw them with the faces of phones: on Debian install `fonts-roboto` and `fonts-noto-cjk`.
"""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.web import create_app
from tests.conftest import CHROMIUM, settings_in
from tests.keeper.driving import Keeper

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
PHONE: Any = {"width": 390, "height": 780}
WALL = {"width": 960, "height": 540}
SHARPNESS = 1.5
JAPANESE, ENGLISH = ("あき", "べん", "ちか", "だん"), ("Aki", "Ben", "Chika", "Dan")
EVENING = (((4, 3, 3, 4), 8), ((2, 4, 5, 4), 7), ((3, "nil", 4, 5), 5, 0), ((4, 3, 6, 4), 9))
"""Calls and counts, deal by deal; the third has a nil."""


class Quiet(WSGIRequestHandler):
    """Says nothing of every request."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing."""


def main() -> None:
    """Keep two evenings and write the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        server = make_server("127.0.0.1", 0, create_app(settings_in(Path(place))), threaded=True, request_handler=Quiet)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            draw(browser, f"http://127.0.0.1:{server.server_port}")
            browser.close()
        server.shutdown()
        server.server_close()
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.relative_to(FOLDER.parent.parent)}  {picture.stat().st_size // 1024} KB")


def draw(browser: Browser, url: str) -> None:
    """All pictures: a sheet in each language and theme, a correction, the rules of the table, the wall."""
    keeper = _evening(browser, url, "ja", "light", JAPANESE)
    for call in (3, 4, 5):
        keeper.tap(call)
    _picture(keeper, "sheet-ja-light")
    keeper.page.goto(f"{url}/ja/rules/spades/nil")
    _picture(keeper, "rules-ja-light")
    keeper = _evening(browser, url, "en", "dark", ENGLISH)
    keeper.page.locator(".cell").nth(2).click()
    _picture(keeper, "sheet-en-dark")
    keeper.page.goto(f"{keeper.sheet}/deals/2/correct?t0=9#entry")
    _picture(keeper, "correction-en-dark")
    keeper.page.goto(f"{keeper.sheet}/share")
    keeper.page.locator("button[value=watch]").click()
    wall = f"{keeper.page.locator('.made a').get_attribute('href')}/wall"
    keeper.page.set_viewport_size(WALL)
    keeper.page.goto(wall)
    _picture(keeper, "wall-en-dark")


def _evening(browser: Browser, url: str, lang: str, scheme: Any, names: tuple[str, ...]) -> Keeper:
    context = browser.new_context(
        base_url=url, viewport=PHONE, color_scheme=scheme, device_scale_factor=SHARPNESS, locale=lang,
        reduced_motion="reduce",  # totals that count up would be caught on their way
    )  # fmt: skip
    keeper = Keeper(context.new_page(), lang)
    keeper.open(names=names)
    for calls, *tricks in EVENING:
        keeper.deal(calls, *tricks)
    return keeper


def _picture(keeper: Keeper, name: str) -> None:
    keeper.page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
