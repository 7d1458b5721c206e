"""A name is printed as it was written, even where it looks like a card."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import urljoin

import pytest

from companion.data import LANGUAGES
from tests.keeper.evenings import EVENINGS, WORDS, Evening
from tests.keeper.phone import Phone

LIKE_CARDS = ("JD", "QH", "QD", "JH")
READ_AS_CARDS = re.compile("[JQ][♥♦]")
AGAIN = re.compile(r"/deals/([2-9]|\d\d)|/statistics(/m\d+)?\?|/(do|rules/code|back|picture|unlock)\b|\.\w+$|/calendar")
"""Pages that are the same again for another deal or another choice, and files."""


def pages(app: Any, lang: str, evening: Evening) -> dict[str, str]:
    """Return the words of every page of a sheet, of those who watch it, and of its group, by their addresses."""
    phone = Phone(app.test_client(), lang)
    called = dict(zip(evening.names, LIKE_CARDS, strict=False))
    phone.open(*called.values(), game=evening.game, rules=evening.rules)
    for answers in (*evening.begun, *evening.rest):
        phone.deal(*(called.get(str(each), WORDS[lang].get(str(each), each)) for each in answers))
    phone.get(f"{phone.sheet}/share")
    phone.post(f"{phone.sheet}/share", scope="watch")
    watched = re.search(rf"/{lang}/watch/[\w-]+", phone.page.html)[0]
    phone.get(f"/{lang}/groups")
    phone.post(f"/{lang}/groups", title="Tuesday")
    group = phone.url
    phone.get(f"{group}/evenings")
    phone.post(f"{group}/evenings", sheet=re.search(r'name="sheet" value="([^"]+)"', phone.page.html)[1])
    within = (phone.sheet, watched, group)
    found: dict[str, str] = {}
    waiting = [*within, f"{phone.sheet}/rules/change?deal=1&o.target=33"]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = phone.get(path).text
            links = [
                urljoin(path, unescape(link)) for link in re.findall(r'<a\b[^>]*\bhref="([^"#]+)', phone.page.html)
            ]
            asked = f"?sheet={phone.sheet.rpartition('/')[2]}"
            waiting += [link for link in links if (link.startswith(within) or asked in link) and not AGAIN.search(link)]
    return found


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.game)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_page_reads_a_name_as_a_card(app: Any, lang: str, evening: Evening) -> None:
    found = pages(app, lang, evening)
    assert {path: text for path, text in found.items() if READ_AS_CARDS.search(text)} == {}
    assert sum(LIKE_CARDS[0] in text for text in found.values()) > 20
