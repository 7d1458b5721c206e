"""The site as an app: a manifest for each language, icons of the sizes that it says, the colours of its pages."""

from __future__ import annotations

import re
import struct
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.web.assets import APPLE_ICON, STATIC, THEMES

OWN = "classic~bt-5"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_manifest_names_only_what_there_is(shared_client: Any, lang: str) -> None:
    answer = shared_client.get(f"/{lang}/app.webmanifest")
    assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
    told = answer.get_json(force=True)
    assert (told["lang"], told["display"], told["scope"]) == (lang, "standalone", "/")
    assert len(told["short_name"]) <= 12, "more is cut off below an icon"
    for place in (told["start_url"], *(each["url"] for each in told["shortcuts"])):
        assert place.startswith(f"/{lang}/")
        assert shared_client.get(place).status_code == 200
    assert [each["url"] for each in told["shortcuts"][1:3]] == [f"/{lang}/referee", f"/{lang}/search"]
    assert {f"/{lang}/sheets/new/{game}" for game in GAMES} < {each["url"] for each in told["shortcuts"]}
    assert told["shortcuts"][0]["url"] == f"/{lang}/sheets/new/{next(iter(GAMES))}"
    assert {each["purpose"] for each in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        with shared_client.get(icon["src"]) as picture:
            assert picture.mimetype == "image/png"
            assert png_size(picture.data) == icon["sizes"]


def png_size(data: bytes) -> str:
    """The size of a picture, as a manifest writes it."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return "{}x{}".format(*struct.unpack(">II", data[16:24]))


def test_icons_of_the_app_are_small() -> None:
    assert png_size((STATIC / APPLE_ICON).read_bytes()) == "180x180"
    assert sum(file.stat().st_size for file in (STATIC / "icons").iterdir()) < 40_000


def test_colours_of_the_app_are_those_of_the_paper() -> None:
    css = (STATIC / "site.css").read_text("utf-8")
    light, dark = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", css).groups()  # type: ignore[union-attr]
    assert {"light": light, "dark": dark} == THEMES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_leads_to_the_app_of_its_language(shared_client: Any, lang: str) -> None:
    for path in ("/", "/rules/spades", "/sheets", "/referee", "/nothing"):
        html = shared_client.get(f"/{lang}{path}").text
        assert f'<link rel="manifest" href="/{lang}/app.webmanifest">' in html
        assert html.count('name="theme-color"') == 2
        assert "viewport-fit=cover" in html


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"text": f"Our rules: {OWN}"}, f"spades/{OWN}"),
        ({"text": OWN}, f"spades/{OWN}"),
        ({"text": "classic"}, "spades/classic"),
        ({"url": f"https://cards.example/ja/house-rules/spades/{OWN}"}, f"spades/{OWN}"),
        ({"text": f"うちのルールはhttps://cards.example/ja/house-rules/spades/{OWN}です。"}, f"spades/{OWN}"),
        (
            {"title": "A classic evening", "text": f"(https://x.example/en/sheets/new/spades?rules={OWN})"},
            f"spades/{OWN}",
        ),
        ({"text": f"{OWN}  https://cards.example/en/house-rules/casino/standard"}, "casino/standard"),
    ],
)
def test_house_rules_sent_from_another_app_are_found(shared_client: Any, given: dict[str, str], place: str) -> None:
    game, _, code = place.partition("/")
    if code not in GAMES[game].options.presets and "~" not in code:
        code = GAMES[game].options.default_preset
        given = {name: text.replace("standard", code) for name, text in given.items()}
    answer = shared_client.get("/en/house-rules/shared", query_string=given)
    assert (answer.status_code, answer.headers.get("Location")) == (303, f"/en/house-rules/{game}/{code}")


@pytest.mark.parametrize("text", ["", "a classic evening", "hello/world", "x" * 9000, "~~~", "http://[", "%00"])
def test_text_without_house_rules_is_told_so(shared_client: Any, text: str) -> None:
    answer = shared_client.get("/ja/house-rules/shared", query_string={"text": text})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


COVERED = """([top, bottom]) => {
  const high = innerHeight, wide = innerWidth, found = [], fixed = [];
  const hanging = (each) => {
    for (let up = each; up; up = up.parentElement) {
      const { position, top, bottom } = getComputedStyle(up), box = up.getBoundingClientRect();
      if (position === "fixed") return true;
      if (position === "sticky" && Math.abs(box.top - parseFloat(top)) < 1) return true;
      if (position === "sticky" && Math.abs(high - box.bottom - parseFloat(bottom)) < 1) return true;
    }
    return false;
  };
  const last = document.documentElement.scrollHeight - high;
  for (const where of [0, last / 2, last]) {
    scrollTo({ top: where, behavior: "instant" });
    for (const each of document.querySelectorAll("a, button, input, select, summary")) {
      const box = each.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
      if (!box.width || y < 0 || y > high || x < 0 || x > wide) continue;
      if (!each.contains(document.elementFromPoint(x, y))) continue;
      const above = box.top < top - 1 && (where === 0 || hanging(each));
      const below = box.bottom > high - bottom + 1 && (where === last || hanging(each));
      if (hanging(each)) fixed.push(each);
      if (above || below) found.push(`${each.tagName} ${each.textContent.trim()} ${box.top} ${box.bottom} at ${where}`);
    }
  }
  return [found, fixed.length];
}"""
"""What can be tapped and lies below the notch or the bar of the device, where no scrolling brings it out."""


@pytest.mark.browser
def test_nothing_to_tap_lies_below_the_notch_or_the_bar_of_the_device(page: Any, base_url: str) -> None:
    """On a screen without a browser's own bars."""
    insets = {"top": 47, "bottom": 34, "left": 0, "right": 0}
    page.set_viewport_size({"width": 390, "height": 844})
    fixed = 0
    device = page.context.new_cdp_session(page)
    device.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    for path in ("en/", "en/sheets", "en/sheets/new/spades", "en/rules/spades", "en/referee/spades", "en/learn/spades"):
        page.goto(f"{base_url}/{path}")
        covered, hanging = page.evaluate(COVERED, [insets["top"], insets["bottom"]])
        assert covered == [], path
        fixed += hanging
    assert fixed
    expect(page.locator(".top")).to_have_css("padding-top", "47px")
    page.goto(f"{base_url}/en/sheets/new/spades")
    for place, name in enumerate(("Aki", "Beth", "Chika", "Dan")):
        page.fill(f"#name{place}", name)
    page.get_by_role("button", name="Start").first.click()
    expect(page.locator("[data-live]")).to_be_visible()
    covered, hanging = page.evaluate(COVERED, [insets["top"], insets["bottom"]])
    assert covered == []
    assert hanging


@pytest.mark.browser
def test_a_browser_finds_nothing_wrong_with_the_app(page: Any, base_url: str) -> None:
    page.goto(f"{base_url}/en/sheets")
    asked = page.context.new_cdp_session(page)
    found = asked.send("Page.getAppManifest")
    assert found["url"].endswith("/en/app.webmanifest")
    assert found["errors"] == []
    bar = page.locator("meta[name=theme-color]")
    button = page.locator("button[data-setting=theme]")
    button.click()
    button.click()
    for place, media in enumerate(("not all", "all")):
        expect(bar.nth(place)).to_have_attribute("media", media)
