"""The look: a page shows every token and the parts in both themes, and colours mean one thing."""

from __future__ import annotations

import colorsys
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect
from werkzeug.serving import make_server

from companion.games import GAMES
from companion.web.assets import STATIC
from companion.web.keeper.exports import SUIT_PATHS
from tests.conftest import settings_in
from tests.keeper.driving import Keeper
from tests.web import look
from tests.web.look import tokens


@pytest.fixture(scope="module")
def look_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """An application with the page of the look."""
    from companion.web import create_app

    app = create_app(settings_in(tmp_path_factory.mktemp("look")))
    look.init_app(app)
    return app


@pytest.fixture(scope="module")
def look_site(look_app: Flask) -> Iterator[str]:
    """The address of a server that has the page."""
    server = make_server("127.0.0.1", 0, look_app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield every selector with its own declarations, those of nested rules too."""
    outer: list[list[str]] = [["", ""]]
    for text, sign in re.findall(r"([^{};]*)([{};])", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        if sign == "{":
            outer.append([text, ""])
        else:
            outer[-1][1] += f"{text};"
        if sign == "}":
            yield (" ".join(selector for selector, _ in outer), outer.pop()[1])


def test_rules_are_read_with_those_inside_them() -> None:
    found = list(rules("a { b: c; d:hover { e: f } g: h } @media (i) { j { k: l; } }"))
    assert [(" ".join(one.split()), " ".join(other.split())) for one, other in found] == [
        ("a d:hover", "e: f ;"), ("a", "b: c; g: h ;"), ("@media (i) j", "k: l; ;"), ("@media (i)", ";"),
    ]  # fmt: skip


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_token_is_shown_in_both_themes(look_app: Flask, lang: str) -> None:
    page = look_app.test_client().get(f"/{lang}/look")
    assert page.status_code == 200
    declared = set(re.findall(r"(?<![\w-])--([a-z-]+):", (STATIC / "site.css").read_text("utf-8").partition("\n}")[0]))
    assert {token.name for token in tokens()} == declared
    for token in tokens():
        assert page.text.count(f"<code>{token.name}</code>") == (2 if token.colour else 1), token.name
    for path in SUIT_PATHS.values():
        assert page.text.count(path) == 8  # as a card and alone, in two decks and two themes


def test_colours_have_one_value_in_a_theme_wherever_they_are_used() -> None:
    """A part that renamed the ink for itself would print white words in white fields inside it."""
    own = {token.name for token in tokens() if token.colour} - {"spade", "heart", "diamond", "club"}
    changed = [
        f"{sheet.name}: {selector.strip()} {name}"
        for sheet in STATIC.glob("*.css")
        for selector, rule in rules(sheet.read_text("utf-8"))
        for name in re.findall(r"--([a-z-]+):", rule)
        if name in own and ":root" not in selector
    ]
    assert changed == []


@pytest.mark.browser
def test_axe_finds_nothing_and_nothing_is_too_wide(page: Any, look_site: str, faults: Any) -> None:
    for lang in ("ja", "en"):
        page.goto(f"{look_site}/{lang}/look")
        found = faults(page)
        assert found == []


SEARCH = ".top .search"


def becomes(page: Any, selector: str, side: str, bound: str) -> None:
    """Wait until a part of a page is as wide or high as is said."""
    page.wait_for_function(
        f"([part, side]) => document.querySelector(part)?.getBoundingClientRect()[side] {bound}", arg=[selector, side]
    )


@pytest.mark.browser
@pytest.mark.parametrize(("lang", "width"), [("ja", 390), ("ja", 600), ("en", 390)])
@pytest.mark.parametrize("path", ["learn", "rules/spades", "referee/spades/card", "groups", "help", "house-rules"])
def test_on_a_phone_one_row_is_above_the_page_and_one_button_leads(page: Any, lang: str, width: int, path: str) -> None:
    """A field, a row of links and a row of tabs stood above the first line; three buttons of a page were filled."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"/{lang}/{path}")
    header, field = page.locator("header.top"), page.locator(".top .search input[type=search]")
    expect(header).to_be_visible()
    closed = header.bounding_box()["height"]
    assert closed < 60
    becomes(page, SEARCH, "width", "<= 48")
    expect(page.locator("main .strong").nth(1)).to_have_count(0)
    x, y = (field.bounding_box()[side] for side in ("x", "y"))
    page.mouse.click(x + 16, y + 24)  # the icon
    page.keyboard.type("nil")
    becomes(page, SEARCH, "width", ">= 300")
    becomes(page, "header.top", "height", f"=== {closed}")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{lang}/search?q=nil*")
    becomes(page, SEARCH, "width", ">= 200")


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(
    "size", [(390, 844), (320, 568), (844, 390), (1280, 800)], ids=["phone", "small", "lying", "desk"]
)
def test_places_of_the_site_are_at_the_foot_of_an_upright_phone_and_else_in_the_header(
    page: Any, lang: str, size: tuple[int, int]
) -> None:
    """Five words, a field and a language shared one line of a phone, while a sheet had its bar below the thumb."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/{lang}/rules")
    bar, upright = page.locator(".top nav").bounding_box(), height > width
    assert (round(bar["y"] + bar["height"]) == height) == upright
    assert (bar["y"] + bar["height"] <= 64) != upright
    places = page.locator(".top nav a").evaluate_all(
        "all => all.map((each) => [each.scrollWidth, each.clientWidth, each.offsetHeight])"
    )
    assert [place for place in places if place[0] > place[1] or place[2] < 44] == []
    page.evaluate("scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
    last = page.locator(".bottom a").last.bounding_box()
    assert last["y"] + last["height"] <= (bar["y"] if upright else height)
    page.goto(f"/{lang}/sheets/new/spades")  # a page of a sheet has none of it: nothing fixed there is lifted
    lifted = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--bar').trim()")
    assert lifted == "0px"


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_front_page_of_a_phone_shows_what_is_open_and_every_game(page: Any, lang: str) -> None:
    """A third of the second card was the last that fitted below an open game and a group."""
    page.set_viewport_size({"width": 390, "height": 844})
    Keeper(page, lang).begin()
    page.goto(f"/{lang}/groups")
    page.locator("input[name=title]").fill("Tuesday")
    page.locator("textarea").fill("Aki\nBeth")
    page.locator("form.stack button").click()
    expect(page.locator(".chips label")).to_have_count(2)
    page.goto(f"/{lang}/")
    expect(page.locator(".page > section")).to_have_count(2)
    foot = page.locator(".top nav").bounding_box()["y"]
    page.set_viewport_size({"width": 320, "height": 844})
    drawn = page.locator(".lying .art").first.bounding_box()
    said = page.locator(".lying h2").first.bounding_box()
    assert drawn["x"] + drawn["width"] < said["x"], "the picture of a game leaves its name free"
    page.set_viewport_size({"width": 390, "height": 844})
    cards = [card.bounding_box() for card in page.locator(".games > section").all()]
    assert len(cards) == len(GAMES)
    assert [card for card in cards if card["y"] + card["height"] > foot] == []


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "columns"), [(390, 844, 2), (1024, 768, 1), (1280, 800, 1)])
@pytest.mark.parametrize("path", ["", "learn", "rules", "referee"])
def test_the_games_end_at_the_foot_of_a_desk_and_their_links_share_rows_on_a_phone_alone(
    page: Any, path: str, width: int, height: int, columns: int
) -> None:
    """A quarter of a desk's window was empty below; in one column on a phone the third game had left the window."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/en/{path}")
    places = {link.bounding_box()["x"] for link in page.locator(".tall .ask").first.locator("li").all()}
    assert len(places) == (columns if path in {"learn", "referee"} else 0)
    games = page.locator(".games").bounding_box()
    assert columns == 2 or 8 <= height - games["y"] - games["height"] <= 20


@pytest.mark.browser
@pytest.mark.parametrize(("width", "full"), [(320, [4, 4, 4, 4]), (390, [4, 4, 4, 4]), (1280, [4, 4, 4, 4])])
def test_the_keypad_has_full_rows_at_every_width(page: Any, width: int, full: list[int]) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    keeper = Keeper(page, "en")
    keeper.begin()
    tops = [button.bounding_box()["y"] for button in page.locator(".frame .keys button").all()]
    rows = [len([top for top in tops if top == row]) for row in sorted(set(tops))]
    assert rows == full  # zero to thirteen, nil and double nil


@pytest.mark.browser
@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390)], ids=["phone", "small", "lying"])
def test_a_keypad_without_zero_has_no_hole(page: Any, size: tuple[int, int]) -> None:
    """Where nobody can bid 0 its place was empty; nil has it, and every number keeps its own."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    keeper = Keeper(page, "en")
    keeper.begin(rules="modern")

    def boxes() -> dict[str, tuple[float, float, float]]:
        keys = """keys => keys.map(key => [key.innerText.split("\\n")[0], key.getBoundingClientRect()])"""
        found = page.locator(".frame .keys button").evaluate_all(keys)
        return {name: (round(box["y"]), round(box["x"]), box["width"]) for name, box in found}

    bids = boxes()
    row, column, width = bids["3"]
    assert "0" not in bids
    assert bids["nil"][0] == row
    assert sorted(place[0] for place in bids.values())[-1] == bids["double nil"][0]
    assert abs(bids["double nil"][1] + bids["double nil"][2] - column - width) < 2
    for call in (3, 3, 3, 3):
        keeper.tap(call)
    tricks = boxes()
    assert tricks["0"] == bids["nil"]
    assert {name: place for name, place in tricks.items() if name in bids} == {
        name: place for name, place in bids.items() if name.isdigit()
    }


def test_the_sheets_are_no_larger_than_before_the_frame() -> None:
    sizes = {name: (STATIC / f"{name}.css").stat().st_size for name in ("keeper", "groups", "site")}
    assert sum(sizes.values()) <= 63_700, sizes


SCALE = {".75rem", ".875rem", "1rem", "1.125rem", "1.5rem", "2rem"}
"""The six sizes of type; the entry scales them for small and tall phones by tokens of its own."""


def test_type_has_one_scale() -> None:
    """There were nineteen sizes, four of them between 0.8 and 0.95 rem."""
    sizes = {
        (sheet.name, selector.strip(), size)
        for sheet in STATIC.glob("*.css")
        for selector, rule in rules(sheet.read_text("utf-8"))
        if "@media print" not in selector and "@container bar" not in selector  # the bar's labels at 200 % text
        for size in re.findall(r"font(?:-size)?: (?:[\w-]+ )*([\d.]+rem)", rule)
    }
    assert {size for *_, size in sizes} == SCALE, {each for each in sizes if each[2] not in SCALE}


def test_gold_means_this_one_now_and_nothing_else() -> None:
    """It was the turn, the winner, a note, a link, a rule in force and a made nil."""
    used = {
        selector.strip()
        for sheet in STATIC.glob("*.css")
        for selector, rule in rules(sheet.read_text("utf-8"))
        if "var(--gold)" in rule
    }
    assert used
    assert [selector for selector in used if not re.search(r"\.(turn|now|lit|on)\b", selector)] == []


MEANING = ("bad", "red", "blue", "side-a", "side-b", "gold")
"""Colours that mean something else than what can be done: danger, suits, teams, now."""


def rgb(colour: str) -> tuple[float, float, float]:
    digits = colour.removeprefix("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2, 1 to 21."""
    light = [
        sum(
            weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
            for weight, part in zip((0.2126, 0.7152, 0.0722), rgb(colour), strict=True)
        )
        for colour in (one, other)
    ]
    return (max(light) + 0.05) / (min(light) + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_what_leads_on_a_screen_has_a_colour_that_means_nothing_else(theme: int) -> None:
    """Start was as red as a warning and as hearts, then purple; now all to press is of the green of the table."""
    values = {token.name: re.findall(r"#[0-9a-f]{3,6}", token.value) for token in tokens() if token.colour}
    colours = {name: found[min(theme, len(found) - 1)] for name, found in values.items() if found}
    hues = {name: 360 * colorsys.rgb_to_hls(*rgb(colours[name]))[0] for name in ("act", "link", "felt", *MEANING)}
    near = {name for name in MEANING if min(abs(hues[name] - hues["act"]), 360 - abs(hues[name] - hues["act"])) < 45}
    assert near == set()
    table = [hues[name] for name in ("act", "link", "felt")]
    assert max(table) - min(table) < 10
    assert contrast(colours["act"], colours["on-act"]) >= 4.5
    assert min(contrast(colours["act"], colours[ground]) for ground in ("paper", "raised", "tint")) >= 4.5


def test_that_colour_is_on_buttons_that_lead_alone() -> None:
    used = [
        selector.strip()
        for sheet in STATIC.glob("*.css")
        for selector, rule in rules(sheet.read_text("utf-8"))
        if "var(--act)" in rule
    ]
    assert used
    assert [selector for selector in used if ".strong" not in selector] == []
