"""Three ways to work a page in a browser: a thumb on the screen, keys alone, a browser without scripts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.keeper import driving
from tests.keeper.evenings import WORDS, Answer, Evening

FOCUSED = """() => {
  const on = document.activeElement, box = on.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const label = on.labels && on.labels.length ? on.labels[0].textContent : on.textContent;
  return {
    name: (on.getAttribute("aria-label") || label).trim().replace(/\\s+/g, " "),
    tag: on.tagName,
    inside: !!on.closest("#entry"),
    seen: on === document.body || !hit || on.contains(hit) || hit.contains(on),
  };
}"""
"""What has the focus: its name, whether it is in the entry, and whether a bar covers it."""


class Thumb:
    """Somebody who taps what is written on the screen; every tap is counted."""

    def __init__(self, page: Any, lang: str) -> None:
        self.page = page
        self.thumb = driving.Thumb(page)
        self.lang = lang
        self.taps = 0
        self.sheet = ""

    def word(self, key: str, *facts: object) -> str:
        """Words of the screen in this language."""
        return WORDS[self.lang][key].format(*facts)

    def open(self, evening: Evening) -> None:
        """A new sheet for the evening."""
        self.page.goto(f"/{self.lang}/sheets/new/{evening.game}?rules={evening.rules}")
        for number, name in enumerate(evening.names, 1):
            self.write(self.word("player", number), name)
        for one_more in self.page.locator(".names .seat input:not([type=radio])").all()[len(evening.names) :]:
            one_more.fill("")  # somebody of the last evening
        self.press(self.word("start"), inside="main")
        self.page.wait_for_url(re.compile(rf"/{self.lang}/sheets/(?!new)[^/]+$"))
        self.sheet = self.page.url

    def deal(self, answers: tuple[Answer, ...]) -> int:
        """One deal, answered and saved; the answer is how many taps it took."""
        before = self.taps
        for answer in answers:
            self.press(WORDS[self.lang].get(str(answer), str(answer)))
        self.press(self.word("save"))
        return self.taps - before

    def press(self, label: str, *, inside: str = "#entry") -> None:
        """The first button with exactly these words, and the screen that follows."""
        self.taps += 1
        with self.followed():
            self.thumb.tap(self.page.locator(inside).get_by_role("button", name=label, exact=True).first)
        self.thumb.when = time.monotonic()

    def follow(self, label: str) -> None:
        """The link with exactly these words, and the page that follows."""
        self.taps += 1
        with self.followed():
            self.page.locator("main").get_by_role("link", name=label, exact=True).first.click()

    def write(self, label: str, text: str) -> None:
        """The field with this label, filled in."""
        self.page.get_by_label(label, exact=True).first.fill(text)

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Whatever happens inside brings another screen, in place or by a page load; wait until it is there."""
        self.page.evaluate("document.querySelector('main').dataset.old = ''")
        yield
        self.page.wait_for_function(
            "() => document.readyState === 'complete' && document.querySelector('main').dataset.old === undefined"
        )

    @property
    def totals(self) -> Any:
        """Where the totals are written in large digits."""
        return self.page.locator(".board .total")


class Keys(Thumb):
    """Somebody without a pointer: Tab to every place, Enter to press it, digits for the numbers of the entry."""

    def press(self, label: str, *, inside: str = "#entry") -> None:
        """As with the thumb; the focus is never lost behind a bar on the way."""
        self.taps += 1
        if label.isdecimal() and self.page.evaluate(FOCUSED)["inside"]:
            with self.followed():
                self.page.keyboard.type(label)
            return
        self._reach(label, "BUTTON")
        with self.followed():
            self.page.keyboard.press("Enter")

    def follow(self, label: str) -> None:
        """As with the thumb."""
        self.taps += 1
        self._reach(label, "A")
        with self.followed():
            self.page.keyboard.press("Enter")

    def write(self, label: str, text: str) -> None:
        """The field is reached, what stands in it is marked, and the text typed over it."""
        self._reach(label, "INPUT")
        self.page.keyboard.type(text)

    def _reach(self, label: str, tag: str) -> None:
        on = self.page.evaluate(FOCUSED)
        for _ in range(120):
            if (on["name"], on["tag"]) == (label, tag):
                return
            self.page.keyboard.press("Tab")
            on = self.page.evaluate(FOCUSED)
            assert on["seen"], f"{on} is covered"
        raise AssertionError(f"no way by keys to {label}")


class Plain(Thumb):
    """Somebody whose browser runs no scripts: every tap loads a page."""

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Wait for the page that was asked for."""
        with self.page.expect_navigation(wait_until="load"):
            yield
