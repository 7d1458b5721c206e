"""What a referee's page says, read out of its HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from flask.sessions import SecureCookieSessionInterface

from companion.web.keeper.access import EARLIER_COOKIE
from tests.markup import Reader

VERDICTS = ("legal", "illegal", "undecided")
VOID = {"input", "link", "meta", "br", "wbr", "img", "hr"}


@dataclass
class Said:
    """The bar with its verdict, the cards on buttons with their look, all buttons, the articles linked, the state.

    Links to what the table does about a breach are `remedies`.
    """

    bar: str = ""
    value: str = ""
    cards: dict[str, str] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)
    pressed: set[str] = field(default_factory=set)
    articles: list[str] = field(default_factory=list)
    remedies: list[str] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    address: str = ""
    text: str = ""


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self.said = Said()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.do = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        classes = (known.get("class") or "").split()
        if tag not in VOID:
            self.open.append((tag, known))
        if known.get("role") == "status":
            self.said.value = next((name for name in classes if name in VERDICTS), "")
        if tag == "button" and known.get("name") == "do":
            self.do = known["value"] or ""
            self.said.buttons[self.do] = ""
            if known.get("aria-pressed") == "true":
                self.said.pressed.add(self.do)
            if "face" in classes:
                self.said.cards[self.do] = " ".join(classes)
        if tag == "input" and known.get("type") == "hidden" and any(name == "main" for name, _ in self.open):
            self.said.hidden[known["name"] or ""] = known["value"] or ""
        if "data-address" in known:
            self.said.address = known["data-address"] or ""
        if tag == "a" and "#" in (known.get("href") or "") and any("answer" in a for a in self._classes()):
            remedy = any("remedy" in each for each in self._classes())
            (self.said.remedies if remedy else self.said.articles).append((known["href"] or "").rpartition("#")[2])

    def handle_endtag(self, tag: str) -> None:
        if tag == "button":
            self.do = ""
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(attrs.get("role") == "status" for _, attrs in self.open):
            self.said.bar += data
        if self.do:
            self.said.buttons[self.do] += data
        if any(tag == "main" for tag, _ in self.open):
            self.said.text += data

    def _classes(self) -> list[list[str]]:
        return [(attrs.get("class") or "").split() for _, attrs in self.open]


def read(html: str) -> Said:
    """What the page says."""
    reader = _Reader()
    reader.feed(html)
    return reader.said


def address(path: str, state: Mapping[str, object], *acts: str, lang: str = "en") -> str:
    """The address of a question in a state, with what is done next."""
    query = [(name, str(value)) for name, value in state.items() if value not in ("", None)]
    return f"/{lang}/referee/{path}?{urlencode([*query, *(('do', act) for act in acts)])}"


def ask(client: Any, path: str, state: Mapping[str, object] | None = None, *acts: str, lang: str = "en") -> Said:
    """What the page of a question says in this state after these acts; it must be there."""
    answer = client.get(address(path, state or {}, *acts, lang=lang))
    assert answer.status_code == 200
    return read(answer.text)


def keep_sheet(client: Any, made: Any) -> None:
    """Let the client's device keep a sheet that was opened over the API: by a cookie of an earlier version."""
    serializer = SecureCookieSessionInterface().get_signing_serializer(client.application)
    assert serializer
    earlier = {"keys": {made["id"]: made["secrets"]["score"]}}
    client.set_cookie(EARLIER_COOKIE, str(serializer.dumps(earlier)))
