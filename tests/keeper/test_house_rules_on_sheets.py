"""House rules of a sheet: compared, changed from a deal on after seeing what that means, and what others would give."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

from companion.engine.game import Game
from companion.rulebook.words import words
from tests.keeper.phone import Phone
from tests.keeper.test_house_rules import code_of, games, house_of, languages


def open_sheet(phone: Phone, game: str, *, rules: str = "", names: tuple[str, ...] = ("Aki", "Beth")) -> None:
    phone.get(f"/{phone.lang}/sheets/new/{game}" + (f"?rules={rules}" if rules else ""))
    given = {f"name{place}": name for place, name in enumerate(names)}
    phone.press({"en": "Start", "ja": "始める"}[phone.lang], **given)
    assert phone.status == 200, phone.page.text
    phone.sheet = phone.url


def test_change_is_shown_before_it_is_saved_and_stays_readable(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    before = opened.client.get(f"{opened.sheet}/version").text
    opened.press("Show what changes", **{"o.bag_threshold": "3", "o.target": "300", "note": "a short <b>evening</b>"})
    assert "From deal 3 on, this changes:" in opened.page.text
    assert "Bags for a penalty: 10 bags → 3 bags" in opened.page.text
    assert "Target: 500 points → 300 points" in opened.page.text
    assert "The points so far do not change." in opened.page.text
    assert opened.client.get(f"{opened.sheet}/version").text == before
    opened.press("Play by these rules from deal 3 on")
    assert "House rules changed." in opened.page.text
    opened.get(f"{opened.sheet}/rules")
    history = opened.page.html.partition('class="periods"')[2].partition("</ol>")[0]
    assert "From deal 3 on" in history
    assert "10 bags → 3 bags" in history
    assert "a short &lt;b&gt;evening&lt;/b&gt;" in history
    opened.get(f"{opened.sheet}/log")
    assert "Bags for a penalty: 10 bags → 3 bags" in opened.page.text
    assert "a short <b>evening</b>" in opened.page.text


def test_change_from_an_earlier_deal_shows_the_points_that_change(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show how they differ", rules="plain", **{"rules-code": "classic~ot-minus10", "deal": "2"})
    assert "From deal 2 on, this changes:" in opened.page.text
    assert "The points so far change as well" in opened.page.text
    assert re.search(r"<th scope=\"row\">2</th>\s*<td><s>121</s> → <b>110</b>", opened.page.html)
    assert "The points so far do not change." not in opened.page.text
    opened.press("Play by these rules from deal 2 on")
    assert opened.totals[0] == "110"
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show how they differ", rules="classic", deal="1")
    assert "This replaces the later change (from deal 2 on)." in opened.page.text


def test_change_that_changes_nothing_says_so_and_cannot_be_saved(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules/change?rules=classic")
    assert "there is nothing to change" in opened.page.text
    assert not [form for form in opened.page.forms if form.method == "post"]


def test_change_to_rules_that_do_not_fit_the_sides_is_refused_in_words(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules/change?rules=solo4")
    assert 'role="alert"' in opened.page.html
    assert not [form for form in opened.page.forms if form.method == "post"]
    opened.get(f"{opened.sheet}/rules/change?rules-code=swazi")
    assert opened.status == 422
    assert "This is a code for Casino" in opened.page.text
    opened.get(f"{opened.sheet}/rules/change")
    assert opened.status == 422


def test_change_can_be_edited_again_with_nothing_lost(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules/change?rules=classic~bt-3&deal=2&note=hello")
    back = unescape(re.search(r'href="([^"]+)#change-some"', opened.page.html)[1])
    opened.get(back)
    form = next(form for form in opened.page.forms if form.method == "post")
    assert {"o.bag_threshold": "3", "deal": "2", "note": "hello"}.items() <= dict(form.fields).items()


def test_foreign_sheet_shows_and_takes_no_rules(opened: Phone, other: Phone) -> None:
    other.open()
    assert other.client.get(f"{opened.sheet}/rules/change?rules=plain").status_code == 404
    other.get(f"{other.sheet}/rules")
    other.post(f"{opened.sheet}/rules", preset="plain", options="1")
    assert other.status == 404


def test_what_if_counts_by_any_code_and_says_who_would_have_won(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/what-if?rules=classic~t-60")
    text = opened.page.text
    assert "As played, nobody has won yet. In the lead: Aki & Chika (Aki & Chika 121, Beth & Dan 103)." in text
    assert "Under “Classic; to 60”, Aki & Chika would have won after deal 1 (Aki & Chika 60, Beth & Dan 52)." in text
    assert re.search(r"2 <span class=\"flag\">after the end</span></th><td>121 → <b>–</b></td>", opened.page.html)
    assert "Target: 500 points → 60 points" in text
    opened.get(f"{opened.sheet}/what-if")
    opened.press("Count by these rules", **{"rules-code": "classic~ot-minus10"})
    assert re.search(r'<th scope="row">2</th><td>121 → <b>110</b></td>', opened.page.html)
    opened.press("Count by these rules", **{"rules-code": "swazi"})
    assert opened.status == 422
    assert "This is a code for Casino" in opened.page.text


def test_what_if_of_a_finished_game_compares_the_winners(phone: Phone) -> None:
    phone.open(target="50")
    phone.deal(5, 5, 5, 5, 5)
    phone.get(f"{phone.sheet}/what-if?rules=classic~t-30")
    assert "As played, Beth & Dan won after deal 1 (Aki & Chika 50, Beth & Dan 53)." in phone.page.text
    assert "The winner is the same under both." in phone.page.text
    phone.get(f"{phone.sheet}/what-if?rules=classic~t-30~ot-minus1~sb-0")
    assert "Aki & Chika would have won after deal 1 (Aki & Chika 50, Beth & Dan 47)." in phone.page.text
    assert "The winner changes." in phone.page.text


@games
@languages
def test_every_page_of_the_rules_of_a_sheet(phone: Phone, game: Game, lang: str) -> None:
    phone.lang = lang
    names = ("Aki", "Beth", "Chika", "Dan")[: 4 if game.id == "spades" else 2]
    open_sheet(phone, game.id, names=names, rules=game.options.default_preset)
    code = code_of(game)
    for place in ("rules", f"rules?rules={code}", f"rules/change?rules={code}", f"what-if?rules={code}", "settings"):
        phone.get(f"{phone.sheet}/{place}")
        assert phone.status == 200, place
    assert "<svg" in phone.page.html
    link = re.search(r'href="(/\w+/house-rules/[^"]+)"', phone.page.html)[1]
    assert link == f"/{lang}/house-rules/{game.id}/{game.options.default_preset}"
    phone.get(f"{phone.sheet}/rules/change?rules={quote(code)}")
    own = words(game.id, lang)
    for option, now, then in game.options.differences(game.options.preset().options, house_of(game).options):
        assert f"{own.option_value(option, now)} → {own.option_value(option, then)}" in unescape(phone.page.html)
    phone.press({"en": "Play by these rules from deal 1 on", "ja": "第1ディールからこのルールで遊ぶ"}[lang])
    assert phone.status == 200
    phone.get(f"{phone.sheet}/rules")
    assert f"<code>{code}</code>" in phone.page.html


def test_sheets_of_this_device_are_offered_for_comparing(phone: Phone, other: Phone) -> None:
    phone.open(target="300")
    open_sheet(phone, "casino", rules="swazi~pca-5")
    html = phone.get("/en/house-rules/spades/compare?one=classic").html
    assert '<option value="classic~t-300">Sheet of Aki, Beth, Chika, Dan</option>' in html
    assert "pca-5" not in html
    phone.press("Compare", other="classic~t-300")
    assert "Target: 500 points in the first, 300 points in the second." in phone.page.text
    assert "Sheet of" not in other.get("/en/house-rules/spades/compare").text
