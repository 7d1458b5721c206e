"""A browser without scripts in fifty lines: reads forms, presses buttons by what they say, follows where that leads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode, urlsplit

from companion.web.keeper.access import COOKIE
from tests.keeper.evenings import WORDS, Answer, Evening
from tests.markup import Reader


@dataclass
class Button:
    """A button of a form: what it says, and what it sends."""

    label: str
    name: str
    value: str
    disabled: bool


@dataclass
class Form:
    """A form with what it sends before anybody writes into it."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)


class Page(Reader):
    """What a page says, and its forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.forms: list[Form] = []
        self._words: list[str] = []
        self._form: Form | None = None
        self._outside: list[tuple[str, Button]] = []
        self._ids: dict[str, Form] = {}
        self._button: Button | None = None
        self._select = ""
        self._silent = self._small = 0
        self.feed(html)
        for form, button in self._outside:
            self._ids[form].buttons.append(button)
        self.text = " ".join(" ".join(self._words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self._silent += tag in ("script", "style", "title")
        self._small += tag == "small"  # print on a key that is no part of its name
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get"))
            self.forms.append(self._form)
            self._ids[given.get("id", "")] = self._form
        if tag == "button" and "form" in given:  # of a form elsewhere
            self._button = Button("", given.get("name", ""), given.get("value", ""), "disabled" in given)
            self._outside.append((given["form"], self._button))
            return
        if self._form is None or given.get("type") == "button":
            return
        if tag == "button":
            self._button = Button("", given.get("name", ""), given.get("value", ""), "disabled" in given)
            self._form.buttons.append(self._button)
        elif tag == "input" and "name" in given:
            box = given.get("type") in ("radio", "checkbox")
            if not box or "checked" in given:
                self._form.fields.append((given["name"], given.get("value", "on" if box else "")))
        elif tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and "selected" in given:
            self._form.fields.append((self._select, given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style", "title")
        self._small -= tag == "small"
        if tag == "form":
            self._form = None
        if tag == "button":
            self._button = None

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._words.append(data)
        if self._button is not None and not self._small:
            self._button.label = " ".join(f"{self._button.label} {data}".split())


class Phone:
    """A keeper's device: one client with its cookie, the page it shows, the sheet it keeps."""

    def __init__(self, client: Any, lang: str = "en") -> None:
        self.client = client
        self.lang = lang
        self.taps = 0
        self.sheet = ""
        self.page = Page("")
        self.status = 0
        self.url = ""

    def get(self, path: str) -> Page:
        """Open a page."""
        return self._show(self.client.get(path, follow_redirects=True))

    def post(self, path: str, **data: Any) -> Page:
        """Send a form of one's own making, with the token of the page in view and the version that it knows."""
        token = next(dict(form.fields)["csrf_token"] for form in self.page.forms if form.method == "post")
        return self._show(self.client.post(path, data={"csrf_token": token, **data}, follow_redirects=True))

    def open(self, *names: str, game: str = "spades", rules: str = "", **options: str) -> str:
        """A new sheet; options as the form sends them, `None` for a box that is not ticked."""
        self.get(f"/{self.lang}/sheets/new/{game}?rules={rules}")
        given = {f"name{place}": name for place, name in enumerate(names or ("Aki", "Beth", "Chika", "Dan"))}
        self.press({"ja": "始める"}.get(self.lang, "Start"), **given, **{f"o.{key}": v for key, v in options.items()})
        assert self.status == 200, self.page.text
        self.sheet = self.url
        return self.sheet

    def press(self, label: str | int, /, **given: str | None) -> Page:
        """Tap the button with these words, in whichever form it is; with fields filled in, ticked or (None) cleared."""
        if str(label).isdecimal() and "data-most" in self.page.html:  # a number of digits, each a tap
            for digit in str(label):
                self.press_button(*self.find(digit))
            label = f"OK {label}"
        form, button = self.find(label)
        assert not button.disabled, label
        self.press_button(form, button, **given)
        return self.page

    def press_button(self, form: Form, button: Button, **given: str | None) -> str:
        """Tap this button; the answer is the address that shows the same page again."""
        fields = [(name, value) for name, value in form.fields if name not in given]
        fields += [(name, value) for name, value in given.items() if value is not None]
        fields += [(button.name, button.value)] if button.name else []
        self.taps += 1
        if form.method == "post":
            self._show(self.client.post(form.action, data=_together(fields), follow_redirects=True))
            return self.url
        place = form.action.partition("#")[0]
        self._show(self.client.get(place, query_string=fields, follow_redirects=True))
        return f"{place}?{urlencode(fields)}"

    def find(self, label: str | int) -> tuple[Form, Button]:
        """The button with these words and its form."""
        known = [(form, button) for form in self.page.forms for button in form.buttons]
        for form, button in known:
            if button.label == str(label):
                return form, button
        raise AssertionError(f"no button {label!r} among {[button.label for _, button in known]}: {self.page.text}")

    def has(self, label: str | int) -> bool:
        """Whether there is a button with these words."""
        return any(button.label == str(label) for form in self.page.forms for button in form.buttons)

    def deal(self, *labels: str | int) -> int:
        """One deal, button by button, then saved; the answer is how many taps it took."""
        before = self.taps
        for label in labels:
            self.press(label)
        self.press({"ja": "このディールを記録する"}.get(self.lang, "Save the deal"))
        return self.taps - before

    def play(self, deals: tuple[tuple[Answer, ...], ...]) -> None:
        """Enter deals of an evening, in the words of the phone's language."""
        for answers in deals:
            self.deal(*(WORDS[self.lang].get(str(answer), answer) for answer in answers))

    def correct(self, evening: Evening) -> None:
        """Put the first deal of an evening right."""
        self.get(f"{self.sheet}/deals/1/correct")
        what, value = re.fullmatch(r"(.*)[:：] ?(\w+)[.。].*", evening.wrong[self.lang]).groups()
        labels = [button.label for form in self.page.forms for button in form.buttons]
        self.press(next(label for label in labels if label.startswith(f"{what} {value}")))  # it may say "computed"
        self.press(evening.right)
        self.press(WORDS[self.lang]["keep"])

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies of the device."""
        return {cookie.key: cookie.value for cookie in self.client._cookies.values()}

    @property
    def keys(self) -> list[str]:
        """The keys by which the server knows the device, by the names of their cookies: one."""
        return [name for name in self.cookies if name.startswith(COOKIE)]

    @property
    def totals(self) -> list[str]:
        """The totals in large digits."""
        return re.findall(r'class="total">([^<]*)<', self.page.html)

    @property
    def version(self) -> int:
        """The version of the sheet that the page shows."""
        return int(re.search(r'data-version="(\d+)-', self.page.html)[1])

    def _show(self, response: Any) -> Page:
        self.status = response.status_code
        self.url = response.request.path
        self.page = Page(response.get_data(as_text=True))
        return self.page


class Requests:
    """Requests with the cookies of a browser's context, as a `Phone` makes them: nothing is drawn, so it takes little.

    For what a test of a page only needs to be there; tests of the keeper's evenings tap it in the browser.
    """

    def __init__(self, context: Any) -> None:
        self._requests = context.request

    def get(self, path: str, *, query_string: list[tuple[str, str]] | None = None, follow_redirects: bool) -> Answered:
        """Return the page that the address leads to."""
        asked = f"{path}?{urlencode(query_string)}" if query_string else path
        return Answered(self._requests.get(asked, max_redirects=20 if follow_redirects else 0))

    def post(self, path: str, *, data: dict[str, Any], follow_redirects: bool) -> Answered:
        """Send a form; return the page that it leads to."""
        media = {"Content-Type": "application/x-www-form-urlencoded"}
        sent = urlencode(data, doseq=True)
        return Answered(
            self._requests.post(path, data=sent, headers=media, max_redirects=20 if follow_redirects else 0)
        )


class Answered:
    """A response to a request of a browser's context, with what a `Phone` reads of those of a test client."""

    def __init__(self, response: Any) -> None:
        self.status_code = response.status
        self.request = SimpleNamespace(path=urlsplit(response.url).path)
        self._text = response.text()

    def get_data(self, *, as_text: bool) -> str:
        """Return the body."""
        assert as_text
        return str(self._text)


def _together(fields: list[tuple[str, str]]) -> dict[str, Any]:
    """Fields as the test client takes them: a list where a name comes more than once."""
    data: dict[str, Any] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    return data
