"""Every page of the keeper leads to the same page in the other language, with what is chosen on it."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.keeper.evenings import EVENINGS, Evening
from tests.keeper.phone import Phone


def others(html: str) -> set[str]:
    """The addresses in Japanese that a page links to; what it announces is the page that is canonical."""
    announced = re.findall(r'<link rel="alternate" hreflang="ja" href="([^"]+)"', html)
    canonical = re.findall(r'<link rel="canonical" href="([^"]+)"', html)
    assert [urlsplit(one).path[3:] for one in announced] == [urlsplit(one).path[3:] for one in canonical]
    return {unescape(address) for address in re.findall(r'<a class="language" href="([^"]+)"', html)}


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.game)
def test_a_page_keeps_its_query_in_the_other_language(phone: Phone, evening: Evening) -> None:
    phone.open(*evening.names, game=evening.game, rules=evening.rules)
    for labels in evening.begun:
        phone.deal(*labels)
    chosen = f"rules={evening.rules}"
    for page in (
        f"{phone.sheet}/rules?{chosen}",
        f"{phone.sheet}/rules?{chosen}&deal=2&note=late",
        f"{phone.sheet}/rules/change?{chosen}&deal=2",
        f"{phone.sheet}/what-if?{chosen}",
        f"{phone.sheet}/games/1/deals/1/correct",
        f"{phone.sheet}/log?before=3",
        f"/en/house-rules/{evening.game}/compare?one={evening.rules}&other={evening.rules}",
        f"/en/sheets/new/{evening.game}?{chosen}",
        f"/en/rules/{evening.game}?{chosen}",
        f"/en/referee/{evening.game}?{chosen}",
    ):
        answer = phone.client.get(page, follow_redirects=True)  # a preset has an address of its own
        assert answer.status_code == 200, page
        page = answer.request.full_path.removesuffix("?")
        found = others(answer.text)
        assert found, page
        for other in found:
            assert phone.client.get(other).status_code == 200, other
            assert urlsplit(other).path == f"/ja/{urlsplit(page).path[4:]}"
            kept, asked = parse_qs(urlsplit(other).query), parse_qs(urlsplit(page).query)
            assert {name: kept.get(name) for name in asked} == asked, page


def test_what_is_refused_is_not_carried_over(phone: Phone) -> None:
    phone.open()
    refused = phone.client.get(f"{phone.sheet}/rules?rules=nonsense")
    assert refused.status_code == 422
    assert [phone.client.get(other).status_code for other in others(refused.text)] == [200]
