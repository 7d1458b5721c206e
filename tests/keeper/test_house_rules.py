"""House rules before and during a game: codes, differences in words, changes seen before they are saved, what-if."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.games import GAMES
from companion.rulebook.words import article_url, words
from companion.web.assets import qr
from tests.keeper.phone import Phone

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
languages = pytest.mark.parametrize("lang", LANGUAGES)
CHANGED = {
    "spades": "classic~bt-5~ll--300",
    "casino": "swazi~pca-5",
    "spite-and-malice": "blackwood~w-K.joker~tr-Q~ps-20",
    "pad": "plain~t-50~r-7",
}
"""A code of each game with something changed."""


def house_of(game: Game) -> HouseRules[Any]:
    return game.options.decode(CHANGED[game.id])


def code_of(game: Game) -> str:
    return game.options.code(house_of(game))


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
        ("", "http://[bad", "is not a house-rule code"),
        ("spades", "clasic~bt-5", "Did you mean “classic”?"),
        ("spades", "swazi~pca-5", "This is a code for Casino (Swazi; most cards 5). It cannot be used for Spades."),
        ("", "classic~bt-99", "“bt-99” in it cannot be read."),
        ("", "classic~ll-zero", "“ll-zero” in it cannot be read."),
        ("", "classic~rt-9C.2D", "“rt-9C.2D” in it cannot be read."),
        ("", "classic~zz-1", "“zz-1” in it cannot be read."),
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
    assert "they start from different presets, but no setting differs" in otherwise
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
    assert "This is a code for Casino" in second
    assert 'href="/en/house-rules/casino/swazi"' in second
    assert 'value="swazi"' in second


def test_form_without_script_tells_what_differs_and_keeps_the_names(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades?rules=classic")
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
    phone.get("/en/sheets/new/spades?rules=classic")
    phone.press("Check what differs", **{"o.overtrick": "minus1"})
    assert "“Penalty for bags” does not go with another setting and was changed to off." in phone.page.text
    phone.press("Check what differs", **{"o.target": "99999"})
    assert phone.status == 422
    assert "99999 is out of range" in phone.page.text
    assert 'name="o.target" value="99999"' in phone.page.html


@pytest.mark.parametrize(
    ("given", "summary"),
    [({"start": "modern"}, "Modern"), ({"start": "plain", "start-code": "Classic~t-300"}, "Classic; to 300")],
)
def test_form_starts_from_another_set_and_keeps_the_names(phone: Phone, given: dict[str, str], summary: str) -> None:
    phone.get("/en/sheets/new/spades?rules=classic")
    phone.press("Fill in these rules", name0="Aki", **given)
    assert f'class="summary-line">{summary}<' in phone.page.html
    assert 'name="name0" value="Aki"' in phone.page.html


def test_typed_code_is_never_passed_over(phone: Phone) -> None:
    phone.get("/en/sheets/new/spades?rules=classic")
    phone.press("Start", **{"start-code": "classic~t-300"})
    assert "Classic; to 300" in phone.page.text
    phone.press("Start")
    assert "300 to go" in phone.page.text


def test_address_with_a_code_that_is_none_says_why(shared_client: Any) -> None:
    answer = shared_client.get("/en/sheets/new/spades?rules=swazi~pca-5")
    assert answer.status_code == 422
    assert "This is a code for Casino" in answer.text
    assert 'class="new-sheet"' in answer.text


def test_form_refuses_a_code_of_another_game(phone: Phone) -> None:
    phone.get("/ja/sheets/new/spades?rules=classic")
    phone.press("このルールを入れる", **{"start-code": "swazi"})
    assert phone.status == 422
    said = phone.page.html.index("これはカシノのコードです")
    assert phone.page.html.index('id="rules"') < said < phone.page.html.index('id="start"')
    assert phone.page.html.count('class="problems"') == 1


def test_part_for_the_script_says_what_the_whole_page_says(phone: Phone) -> None:
    page = phone.get("/en/sheets/new/spades?rules=classic")
    form = next(form for form in page.forms if form.method == "post")
    fields = {**dict(form.fields), "o.bag_threshold": "7"}
    part = phone.client.post("/en/house-rules/spades/chosen", data=fields)
    assert part.status_code == 200
    assert 'data-differs="bag_threshold "' in part.text
    assert "Classic; a penalty every 7 bags" in part.text
    assert "<html" not in part.text
    assert "out of range" in phone.client.post("/en/house-rules/spades/chosen", data=fields | {"o.target": "0"}).text
    assert phone.client.post("/en/house-rules/spades/chosen", data={"preset": "classic"}).status_code == 400  # no token
