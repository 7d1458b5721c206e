"""A keeper at work in a browser: opens sheets, taps buttons by what they say, and counts the taps."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.keeper.phone import Phone, Requests

NAMES = ("Aki", "Beth", "Chika", "Dan")
PHONE = {"width": 390, "height": 844}
NIL = {"ja": "ニル", "en": "nil"}
SAVE = {"ja": "このディールを記録する", "en": "Save the deal"}
START = {"ja": "始める", "en": "Start"}


BOUNCE = 0.26
"""Seconds after which a touch of the same place is a tap of its own, no finger that bounces."""

SEEN = """async (place) => {
  const seen = await caches.open("sheets-1");
  for (let left = 1200; left && !await seen.match(place); left -= 1) await new Promise((done) => setTimeout(done, 50));
  if (!await seen.match(place)) throw new Error(place + " is not kept");
}"""


def seen(page: Any, place: str) -> None:
    """Wait until this phone can show a page without a line. A predicate of `wait_for_function` must not be async."""
    page.evaluate(SEEN, place)


MIDDLE = """each => {
  each.scrollIntoViewIfNeeded();
  const box = each.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Where a thumb meets what it is about to tap."""


FORETELLING = """(() => {
  const plain = window.fetch;
  window.ahead = { asked: 0, known: 0 };
  window.fetch = async (place, ...more) => {
    if (!String(place.url || place).includes("/ahead")) return plain(place, ...more);
    window.ahead.asked += 1;
    const answer = await plain(place, ...more), json = answer.json.bind(answer);
    answer.json = async () => {
      const found = await json();
      setTimeout(() => { window.ahead.known += 1; });
      return found;
    };
    return answer;
  };
})()"""
"""Count how often a page asks for the questions to come, and how often it has taken in the answer."""


@contextmanager
def foretold(page: Any) -> Iterator[None]:
    """Whatever happens inside lets the page ask for the questions to come; wait until it knows them.

    That the answer came is not enough: who is taken off the line then may never read it.
    """
    page.evaluate("window.ahead = { asked: 0, known: 0 }")
    yield
    page.wait_for_function("() => window.ahead.asked && window.ahead.known === window.ahead.asked")


@contextmanager
def held(page: Any, pattern: str) -> Iterator[None]:
    """Let no request to such an address go on until the block ends."""
    waiting: list[Any] = []
    over: list[bool] = []
    page.route(pattern, lambda route: route.continue_() if over else waiting.append(route))
    yield
    over.append(True)
    for route in waiting:
        route.continue_()


class Thumb:
    """A thumb that taps, as a person does, not twice within a quarter of a second on the same place."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.place = (-99.0, -99.0)
        self.when = 0.0

    def tap(self, button: Any) -> None:
        """Tap a button."""
        place = button.evaluate(MIDDLE)  # at once: a screen that is replaced has another button
        early = BOUNCE - (time.monotonic() - self.when)
        if early > 0 and math.dist(place, self.place) < 60:
            self.page.wait_for_timeout(1000 * early)
        button.click()
        self.place, self.when = place, time.monotonic()


class Keeper:
    """Somebody with a phone in one language."""

    def __init__(self, page: Any, lang: str) -> None:
        self.page = page
        self.thumb = Thumb(page)
        self.lang = lang
        self.taps = 0
        self.sheet = ""

    def open(self, game: str = "spades", *, rules: str = "", names: Sequence[str] = NAMES, **options: Any) -> str:
        """A new sheet; the answer is its address."""
        self.page.goto(f"/{self.lang}/sheets/new/{game}?rules={rules}")
        for place, name in enumerate(names):
            self.page.fill(f"#name{place}", name)
        for name, value in options.items():
            field = self.page.locator(f"[name='o.{name}']").first
            for part in (self.page.locator("details.house"), field.locator("xpath=ancestor::details[1]")):
                if not part.evaluate("each => each.open"):
                    part.locator("> summary").click()
            if isinstance(value, bool):
                field.set_checked(value)
            elif field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(str(value))
        self.page.get_by_role("button", name=START[self.lang]).first.click()
        self.page.wait_for_url(self.opened)
        self.sheet = self.page.url
        return self.sheet

    def begin(self, game: str = "spades", *, rules: str = "", names: Sequence[str] = NAMES, **options: Any) -> str:
        """A new sheet that nobody taps together, and its page; for what a test does with it afterwards."""
        sent = {
            name: ("on" if value else None) if isinstance(value, bool) else str(value)
            for name, value in options.items()
        }
        phone = Phone(Requests(self.page.context), self.lang)
        self.page.goto(phone.open(*names, game=game, rules=rules, **sent))
        self.sheet = self.page.url
        return self.sheet

    def tap(self, label: str | int, *, inside: str = "#entry") -> None:
        """One tap on the button with exactly these words, and the screen that follows it; a tap a digit of a number."""
        digits = self.page.locator("#entry .digits")
        if str(label).isdecimal() and digits.count():
            for digit in str(label):
                self.thumb.tap(digits.get_by_role("button", name=digit, exact=True))
                self.taps += 1
            label = f"OK {label}"
        button = self.page.locator(inside).get_by_role("button", name=str(label), exact=True)
        with self.settled():
            self.thumb.tap(button)
        self.thumb.when = time.monotonic()
        self.taps += 1

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Whatever happens inside brings a new screen; wait until it is there."""
        self.page.evaluate("document.querySelector('main').dataset.old = ''")
        yield
        self.page.wait_for_function("() => document.querySelector('main')?.dataset.old === undefined")

    @contextmanager
    def arrived(self) -> Iterator[None]:
        """Whatever happens inside opens another page; wait until it is there."""
        with self.page.expect_navigation(wait_until="load"):
            yield

    def deal(self, calls: Sequence[int | str], *tricks: int) -> int:
        """One deal: the calls in order, then the counts that are asked for; the answer is how many taps it took."""
        before = self.taps
        for call in (*calls, *tricks):
            self.tap(NIL[self.lang] if call == "nil" else call)
        self.tap(SAVE[self.lang])
        return self.taps - before

    @property
    def opened(self) -> re.Pattern[str]:
        """What the address of a sheet looks like."""
        return re.compile(rf"/{self.lang}/sheets/(?!new)[^/]+$")

    @property
    def totals(self) -> Any:
        """Where the totals are written in large digits."""
        return self.page.locator(".board .total")

    @property
    def said(self) -> Any:
        """Where the screen answers what was written."""
        return self.page.locator(".notice")
