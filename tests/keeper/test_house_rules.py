"""House rules before and during a game: codes, differences in words, changes seen before they are saved, what-if."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest

from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.book import article_url, words
from companion.rulebook.phrases import LANGUAGES
from companion.web.qr import qr
from tests.keeper.phone import Phone

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
languages = pytest.mark.parametrize("lang", LANGUAGES)
CHANGED = {
    "spades": "classic~bt-5~ll--300",
    "casino": "swazi~pca-5",
    "spite-and-malice": "blackwood~w-K.joker~tr-Q~ps-20",
}
"""A code of each game with something changed."""


def house_of(game: Game) -> HouseRules[Any]:
    return game.options.decode(CHANGED[game.id])


def code_of(game: Game) -> str:
    return game.options.code(house_of(game))


def open_sheet(phone: Phone, game: str, *, rules: str = "", names: tuple[str, ...] = ("Aki", "Beth")) -> None:
    phone.get(f"/{phone.lang}/sheets/new/{game}" + (f"?rules={rules}" if rules else ""))
    given = {f"name{place}": name for place, name in enumerate(names)}
    phone.press({"en": "Start", "ja": "始める"}[phone.lang], **given)
    assert phone.status == 200, phone.page.text
    phone.sheet = phone.url


@games
@languages
def test_every_option_has_its_range_unit_explanation_and_article_on_the_form(
    shared_client: Any, game: Game, lang: str
) -> None:
    html = shared_client.get(f"/{lang}/sheets/new/{game.id}").text
    rows = dict(re.findall(r'data-option="([^"]+)">(.*?)(?=<div class="option|</details>)', html, re.DOTALL))
    assert rows.keys() == game.options.options.keys()
    own, places = words(game.id, lang), {}
    for name, option in game.options.options.items():
        row = unescape(rows[name])
        assert own.option_label(name) in row
        assert len(own.option_help(name)) > 5
        assert own.option_help(name) in row
        url = article_url(lang, option.article)
        assert f'href="{url}"' in row
        path, _, anchor = url.partition("#")
        if path not in places:
            places[path] = shared_client.get(path).text
        assert f'id="{anchor}"' in places[path]
        for label in own.choices(option).values() if option.kind in ("choice", "words") else ():
            assert label in row
        if option.kind == "number":
            unit = re.sub(r"[\d−]+", "", own.option_value(option, option.high or 2)).strip()
            assert unit
            assert unit in row
        if "<input" in row and option.kind == "number":
            shown = re.search(r'class="muted range"[^>]*>([^<]*)<', row)[1]
            assert {str(option.low), str(option.high)} <= set(re.findall(r"\d+", shown))
            assert unit in shown


@games
@languages
def test_page_of_a_set_says_every_value_and_marks_what_differs(shared_client: Any, game: Game, lang: str) -> None:
    own, house, code = words(game.id, lang), house_of(game), code_of(game)
    answer = shared_client.get(f"/{lang}/house-rules/{game.id}/{code}")
    html = unescape(answer.text)
    assert own.summary(game.options, house) in html
    assert f"<code>{code}</code>" in html
    values = re.findall(r'<div( class="differs-row")?><dt><a href="([^"]+)">(.*?)</a>.*?</dt><dd>(.*?)</dd>', html)
    differing = {option.name for option, _, _ in game.options.differences(game.options.preset().options, house.options)}
    assert len(differing) >= 1
    assert sorted(values) == sorted(
        (
            ' class="differs-row"' if option.name in differing else "",
            article_url(lang, option.article),
            own.option_label(option.name),
            own.option_value(option, game.options.plain(house.options)[option.name]),
        )
        for option in game.options.options.values()
    )
    assert str(qr(f"http://localhost/{lang}/house-rules/{game.id}/{code}")) in answer.text
    for link in (f"rules/{game.id}", f"sheets/new/{game.id}"):
        assert f'href="/{lang}/{link}?rules={code}"' in html
        assert shared_client.get(f"/{lang}/{link}?rules={code}").status_code == 200
    assert f'href="/{lang}/house-rules/{game.id}/compare?one={code}"' in html


@games
@languages
def test_every_value_has_words_even_an_empty_list(game: Game, lang: str) -> None:
    own = words(game.id, lang)
    for option in game.options.options.values():
        values = [option.plain(value) for value in option.possible()]
        values += [[]] if option.kind in ("cards", "words") and not option.low else []
        for value in values:
            assert own.option_value(option, value).strip(), option.name
            assert own.option_summary(option, value).strip()[-1] not in ":は", option.name


@pytest.mark.parametrize(
    "typed",
    [
        "classic~bt-5", " Classic~BT-5 ", "classic 〜bt－5", "classic~bt−5",
        "http://192.168.1.7:8000/ja/house-rules/spades/classic~bt-5", "https://x.example/en/rules/spades?rules=classic~bt-5",
        "/en/house-rules/spades/classic%7Ebt-5",
    ],
)  # fmt: skip
def test_code_is_read_as_phones_and_people_write_it(shared_client: Any, typed: str) -> None:
    answer = shared_client.get("/ja/house-rules", query_string={"code": typed})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/ja/house-rules/spades/classic~bt-5")


@pytest.mark.parametrize(
    ("game", "typed", "reason"),
    [
        ("", "", "Enter a code"),
        ("", "swazy", "Did you mean “swazi”?"),
        ("", "http://[bad", "is no code of house rules"),
        ("spades", "clasic~bt-5", "Did you mean “classic”?"),
        ("spades", "swazi~pca-5", "This is a code of Casino (Swazi; most cards 5). It cannot be used for Spades."),
        ("", "classic~bt-99", "“bt-99” in this code cannot be read. “Bags for a penalty” takes a number from 1 to 50."),
        ("", "classic~ll-zero", "takes a number from −10000 to −1, or x for none"),
        ("", "classic~sb-9", "takes 0 (off) or 1 (on)"),
        ("", "classic~ot-much", "takes one of plus1, minus1, minus10, zero"),
        ("", "classic~rt-9C.2D", "takes some of 2C, 2D, 2H, with full stops between"),
        ("", "classic~zz-1", "“zz-1” in this code stands for nothing that Spades knows"),
        ("", "classic~ot-minus1~sb-1", "These settings exclude each other"),
        ("", "x" * 9000, "code"),
        ("", "<script>alert(1)</script>", "script&gt;”"),
    ],
)
def test_wrong_code_is_refused_with_the_reason(shared_client: Any, game: str, typed: str, reason: str) -> None:
    answer = shared_client.get("/en/house-rules", query_string={"code": typed, "game": game})
    assert answer.status_code == 422
    assert reason in (answer.text if "&gt;" in reason else unescape(answer.text))
    assert "<script>alert" not in answer.text
    assert shared_client.get("/ja/house-rules", query_string={"code": typed, "game": game}).status_code == 422


def test_set_has_one_address_and_what_is_none_is_not_there(shared_client: Any) -> None:
    answer = shared_client.get("/en/house-rules/spades/classic~bt-10~bp-50")
    assert answer.headers["Location"] == "/en/house-rules/spades/classic~bp-50"
    assert shared_client.get("/en/house-rules/spades/nope").status_code == 404
    assert shared_client.get("/en/house-rules/chess/classic").status_code == 404
    assert shared_client.get("/en/house-rules/chess/compare").status_code == 404


@games
@languages
def test_comparison_tells_what_the_api_tells(shared_client: Any, game: Game, lang: str) -> None:
    presets = list(game.options.presets)
    one, other = code_of(game), presets[1]
    told = shared_client.post(
        f"/api/v1/games/{game.id}/rules/diff?lang={lang}",
        json={"one": {"preset": presets[0], "options": _given(game)}, "other": {"preset": other}},
    ).json["differences"]
    html = shared_client.get(f"/{lang}/house-rules/{game.id}/compare?one={one}&other={other}").text
    items = re.findall(
        r"<li>([^<]*) <a href=\"([^\"]+)\"", html.partition('class="differences"')[2].partition("</ul>")[0]
    )
    assert [url for _, url in items] == [each["url"] for each in told]
    own = words(game.id, lang)
    for (text, _), each in zip(items, told, strict=True):
        option = game.options.options[each["option"]]
        assert each["label"] in unescape(text)
        for value in (each["one"], each["other"]):
            assert own.option_value(option, value) in unescape(text)


def _given(game: Game) -> dict[str, Any]:
    house, base = house_of(game), game.options.preset().options
    return {option.name: other for option, _, other in game.options.differences(base, house.options)}


def test_comparison_says_that_equal_sets_are_equal(shared_client: Any) -> None:
    page = "/en/house-rules/spades/compare"
    assert "no setting differs" not in shared_client.get(page).text
    assert "Both are the same rules: no setting differs." in shared_client.get(f"{page}?one=plain&other=plain").text
    otherwise = shared_client.get(f"{page}?one=plain&other=classic~sb-0").text
    assert "they start from different presets, yet no setting differs" in otherwise
    assert (
        "<li>Penalty for bags: on in Classic, off in Plain. "
        in shared_client.get(f"{page}?one=classic&other=plain").text
    )


def test_typed_code_goes_before_the_list_and_a_wrong_one_is_told_where_it_stands(shared_client: Any) -> None:
    page = "/en/house-rules/spades/compare"
    html = shared_client.get(f"{page}?one=classic&other=plain&other-code=Modern").text
    assert "added" in html.partition('class="differences"')[2]
    assert '<option value="modern" selected>' in html
    answer = shared_client.get(f"{page}?one=classic&other-code=swazi")
    assert answer.status_code == 422
    first, second = answer.text.split("<fieldset>")[1:]
    assert "problems" not in first
    assert "This is a code of Casino" in second
    assert 'href="/en/house-rules/casino/swazi"' in second
    assert 'value="swazi"' in second


def test_form_without_script_tells_what_differs_and_keeps_the_names(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades")
    assert "Exactly as in “Classic”." in phone.page.text
    phone.press("Check what differs", name1="Beth", **{"o.bag_threshold": "5", "o.moon": "on", "title": "Friday"})
    assert phone.status == 200
    assert "Classic; with moon, a penalty every 5 bags" in phone.page.text
    assert "2 settings differ from “Classic”." in phone.page.text
    assert re.search(r'differs-row" data-option="bag_threshold"', phone.page.html)
    assert phone.page.html.count('class="option differs-row"') == 2
    phone.press("Start")
    assert "Beth" in phone.page.text
    assert "Friday" in phone.page.text
    phone.get(f"{phone.url}/rules")
    assert "classic~mo-1~bt-5" in phone.page.text


def test_form_without_script_says_what_gives_way_and_what_cannot_be(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades")
    phone.press("Check what differs", **{"o.overtrick": "minus1"})
    assert "“Penalty for bags” gave way to another setting and is now off." in phone.page.text
    phone.press("Check what differs", **{"o.target": "99999"})
    assert phone.status == 422
    assert "99999 is out of range" in phone.page.text
    assert 'name="o.target" value="99999"' in phone.page.html


@pytest.mark.parametrize(
    ("given", "summary"),
    [({"start": "modern"}, "Modern"), ({"start": "plain", "start-code": "Classic~t-300"}, "Classic; to 300")],
)
def test_form_starts_from_another_set_and_keeps_the_names(phone: Phone, given: dict[str, str], summary: str) -> None:
    phone.get("/en/sheets/new/spades")
    phone.press("Fill in these rules", name0="Aki", **given)
    assert f'class="summary-line">{summary}<' in phone.page.html
    assert 'name="name0" value="Aki"' in phone.page.html


def test_form_refuses_a_code_of_another_game(phone: Phone) -> None:
    phone.get("/ja/sheets/new/spades")
    phone.press("このルールを入れる", **{"start-code": "swazi"})
    assert phone.status == 422
    assert "これはカジノのコードです" in phone.page.text


def test_part_for_the_script_says_what_the_whole_page_says(phone: Phone) -> None:
    page = phone.get("/en/sheets/new/spades")
    form = next(form for form in page.forms if form.method == "post")
    fields = {**dict(form.fields), "o.bag_threshold": "7"}
    part = phone.client.post("/en/house-rules/spades/chosen", data=fields)
    assert part.status_code == 200
    assert 'data-differs="bag_threshold "' in part.text
    assert "Classic; a penalty every 7 bags" in part.text
    assert "<html" not in part.text
    assert "out of range" in phone.client.post("/en/house-rules/spades/chosen", data=fields | {"o.target": "0"}).text
    assert phone.client.post("/en/house-rules/spades/chosen", data={"preset": "classic"}).status_code == 400  # no token


def test_change_is_shown_before_it_is_saved_and_stays_readable(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    before = opened.client.get(f"{opened.sheet}/version").text
    opened.press("Show what changes", **{"o.bag_threshold": "3", "o.target": "300", "note": "a short <b>evening</b>"})
    assert "From deal 3 on this changes:" in opened.page.text
    assert "Bags for a penalty: 10 bags → 3 bags" in opened.page.text
    assert "Target: 500 points → 300 points" in opened.page.text
    assert "No points so far change." in opened.page.text
    assert opened.client.get(f"{opened.sheet}/version").text == before
    opened.press("Play by these rules from deal 3 on")
    assert "House rules changed." in opened.page.text
    opened.get(f"{opened.sheet}/rules")
    history = opened.page.html.partition('class="periods"')[2].partition("</ol>")[0]
    assert "From deal 3 on" in history
    assert "10 bags → 3 bags" in history
    assert "a short &lt;b&gt;evening&lt;/b&gt;" in history


def test_change_from_an_earlier_deal_shows_the_points_that_change(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show how they differ", rules="plain", **{"rules-code": "classic~ot-minus10", "deal": "2"})
    assert "From deal 2 on this changes:" in opened.page.text
    assert "Points so far change too" in opened.page.text
    assert re.search(r"<th scope=\"row\">2</th>\s*<td><s>121</s> → <b>110</b>", opened.page.html)
    assert "No points so far change." not in opened.page.text
    opened.press("Play by these rules from deal 2 on")
    assert opened.totals[0] == "110"
    opened.get(f"{opened.sheet}/rules")
    opened.press("Show how they differ", rules="classic", deal="1")
    assert "The later change (from deal 2 on) gives way to this one." in opened.page.text


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
    assert "This is a code of Casino" in opened.page.text
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
    assert "As played, nobody has won yet; in the lead: Aki & Chika (Aki & Chika 121, Beth & Dan 103)." in text
    assert "Under “Classic; to 60”, Aki & Chika would have won after deal 1 (Aki & Chika 60, Beth & Dan 52)." in text
    assert re.search(r"2 <span class=\"flag\">after the end</span></th><td>121 → <b>–</b></td>", opened.page.html)
    assert "Target: 500 points → 60 points" in text
    opened.get(f"{opened.sheet}/what-if")
    opened.press("Count by these rules", **{"rules-code": "classic~ot-minus10"})
    assert re.search(r'<th scope="row">2</th><td>121 → <b>110</b></td>', opened.page.html)
    opened.press("Count by these rules", **{"rules-code": "swazi"})
    assert opened.status == 422
    assert "This is a code of Casino" in opened.page.text


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
    open_sheet(phone, game.id, names=names)
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
