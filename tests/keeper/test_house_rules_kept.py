"""House rules kept on a device under names of its own: a cookie that anybody could write, and nobody can misuse."""

from __future__ import annotations

import base64
import json
import random
import zlib
from contextlib import suppress
from typing import Any

import pytest

from companion.games import GAMES
from companion.web.keeper.house_rules import COOKIE, LARGEST, MOST, NotKept, OwnPreset, pack, unpack, with_kept
from tests.keeper.phone import Phone

FRIDAY = OwnPreset("spades", "Friday", "classic~bt-5")
CLUB = OwnPreset("casino", "Club 夜", "swazi~pca-5")


def keep(phone: Phone, code: str = "classic~bt-5", name: str = "Friday", game: str = "spades") -> None:
    phone.get(f"/en/house-rules/{game}/{code}")
    phone.press("Keep under this name", name=name)


def packed(value: Any) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode(), 9)).decode().rstrip("=")


def test_kept_rules_are_offered_wherever_rules_are_chosen(opened: Phone) -> None:
    keep(opened)
    assert opened.url == "/en/house-rules/spades/classic~bt-5"
    assert "Kept on this device as “Friday”." in opened.page.text
    assert not opened.has("Keep under this name")
    opened.get("/en/sheets/new")
    assert '<a class="own" href="/en/sheets/new/spades?rules=classic~bt-5"><b>Friday</b>' in opened.page.html
    option = '<option value="classic~bt-5">Friday</option>'
    for page in ("/en/sheets/new/spades", "/en/house-rules/spades/compare", f"{opened.sheet}/rules"):
        assert option in opened.get(page).html, page
    friday = f"{opened.sheet}/what-if?rules=classic~bt-5"
    assert f'<a href="{friday}"><span>Friday</span>' in opened.get(f"{opened.sheet}/what-if").html
    assert "Under “Friday”" in opened.get(friday).text
    for page in ("/en/sheets/new/casino", "/en/house-rules/casino/compare"):
        assert "Friday" not in opened.get(page).text, page
    opened.get("/en/house-rules/spades/compare?one=classic&other=classic~bt-5")
    assert "10 bags in Classic, 5 bags in Friday." in opened.page.text


def test_sheet_starts_from_kept_rules(phone: Phone) -> None:
    keep(phone)
    phone.get("/en/sheets/new/spades?rules=classic~bt-5")
    assert "Spades: Friday" in phone.page.text
    phone.press("Start")
    assert "classic~bt-5" in phone.get(f"{phone.url}/rules").text


def test_other_device_knows_nothing_of_it(phone: Phone, other: Phone) -> None:
    keep(phone)
    assert "Friday" not in other.get("/en/house-rules").text


def test_name_is_changed_and_never_given_twice(phone: Phone) -> None:
    keep(phone)
    keep(phone, "plain", "Quick")
    phone.get("/en/house-rules")
    forms = [form for form in phone.page.forms if form.action.endswith("/rename")]
    phone.post(forms[0].action, **{**dict(forms[0].fields), "to": "Quick"})
    assert phone.status == 422
    assert "There is a “Quick” already." in phone.page.text
    phone.get("/en/house-rules")
    phone.post(forms[0].action, **{**dict(forms[0].fields), "to": "  Friday\u202e  evening "})
    assert "The name was changed." in phone.page.text
    assert "<b>Friday evening</b>" in phone.page.html
    assert phone.page.html.index("Friday evening") < phone.page.html.index("<b>Quick</b>")


def test_deleted_rules_come_back_with_one_tap(phone: Phone) -> None:
    keep(phone)
    phone.get("/en/house-rules")
    phone.press("Delete")
    assert "“Friday” was deleted." in phone.page.text
    assert "None yet." in phone.page.text
    assert "Friday" not in phone.client.get("/en/sheets/new").text
    phone.press("Bring it back")
    assert "<b>Friday</b>" in phone.get("/en/sheets/new").html


def test_same_name_takes_the_place_of_the_one_before(phone: Phone) -> None:
    keep(phone)
    keep(phone, "classic~bt-7")
    html = phone.get("/en/sheets/new").html
    assert html.count("<b>Friday</b>") == 1
    assert "classic~bt-7" in html


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Please enter a name."),
        (" \u200b ", "Please enter a name."),
        ("x" * 41, "A name has 40 characters at most."),
    ],
)
def test_name_that_is_none_is_refused_in_words(phone: Phone, name: str, said: str) -> None:
    keep(phone, name=name)
    assert phone.status == 422
    assert said in phone.page.text
    assert phone.client.get_cookie(COOKIE) is None


def test_names_are_shown_as_they_were_written(phone: Phone) -> None:
    keep(phone, name="<script>x</script> & \"'")
    for page in ("/en/house-rules", "/en/sheets/new", "/en/sheets/new/spades", "/en/house-rules/spades/classic~bt-5"):
        html = phone.get(page).html
        assert "<script>x" not in html
        assert "&lt;script&gt;x&lt;/script&gt; &amp;" in html


def test_form_without_token_or_of_another_site_is_refused(phone: Phone) -> None:
    phone.get("/en/house-rules/spades/plain")
    form, _ = phone.find("Keep under this name")
    fields = {**dict(form.fields), "name": "Mine"}
    without = {name: value for name, value in fields.items() if name != "csrf_token"}
    for action in ("keep", "rename", "forget"):
        assert phone.client.post(f"/en/house-rules/{action}", data=without).status_code == 400
    answer = phone.client.post(form.action, data=fields, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert phone.client.get_cookie(COOKIE) is None


def test_what_cannot_be_kept_is_refused(phone: Phone) -> None:
    phone.get("/en/house-rules/spades/plain")
    form, _ = phone.find("Keep under this name")
    for given, status in (({"game": "chess"}, 404), ({"code": "nope"}, 422), ({"code": ""}, 422)):
        phone.post(form.action, **{**dict(form.fields), "name": "Mine", **given})
        assert phone.status == status
        phone.get("/en/house-rules/spades/plain")


def test_cookie_is_out_of_reach_of_scripts_and_of_other_sites(phone: Phone) -> None:
    keep(phone)
    cookie = phone.client.get_cookie(COOKIE)
    assert (cookie.http_only, cookie.same_site, cookie.secure, cookie.path) == (True, "Lax", False, "/")
    phone.get("/en/house-rules/spades/plain")
    form, _ = phone.find("Keep under this name")
    answer = phone.client.post(
        form.action, data={**dict(form.fields), "name": "Over HTTPS"}, base_url="https://localhost"
    )
    (cookie_line,) = [line for line in answer.headers.getlist("Set-Cookie") if line.startswith(f"{COOKIE}=")]
    assert "Secure" in cookie_line


@pytest.mark.parametrize(
    "cookie",
    [
        "", "rubbish", "%00%ff", "ä", "A" * 9000, packed({}), packed("x"), packed(7), packed(None),
        packed([1, None, [], {}]),
        packed([["spades"]]), packed([["chess", "x", "classic"]]), packed([["spades", "x", "nope"]]),
        packed([["spades", "", "classic"]]), packed([["spades", {"a": 1}, "classic"]]), packed([["spades", "x", 5]]),
        packed([[["spades"], "x", "classic"]]), packed([["spades", "y" * 999, "classic"]]),
        base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000, 9)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b" " * 2_000_000 + b"[]", 9)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\xff\xfe")).decode(),
        packed([["spades", "x", "classic"]])[:-6],
    ],
)  # fmt: skip
def test_rubbish_in_the_cookie_is_passed_over(app: Any, cookie: str) -> None:
    client = app.test_client()
    for page in ("/en/house-rules", "/ja/sheets/new", "/en/sheets/new/spades", "/en/house-rules/spades/plain"):
        answer = client.get(page, headers={"Cookie": f"{COOKIE}={cookie}"})
        assert answer.status_code == 200
    assert unpack(cookie) == []


def test_good_sets_beside_rubbish_are_kept() -> None:
    assert unpack(packed([7, ["spades", "Friday", "classic~bt-5"], ["chess", "x", "y"]])) == [FRIDAY]
    assert unpack(packed([["spades", "Friday", "classic~bt-10~bt-5"], ["spades", "Long", "classic~bt-5~bp-100"]])) == [
        OwnPreset("spades", "Long", "classic~bt-5")
    ]


def test_what_is_packed_comes_back() -> None:
    assert unpack(pack([FRIDAY, CLUB])) == [FRIDAY, CLUB]
    assert unpack(pack([])) == []


def test_number_and_size_are_bounded() -> None:
    kept: list[OwnPreset] = []
    for number in range(MOST):
        kept = with_kept(kept, GAMES["spades"], f"Rules {number}", "classic")
    with pytest.raises(NotKept) as no:
        with_kept(kept, GAMES["spades"], "One more", "classic")
    assert no.value.reason == "full"
    assert len(with_kept(kept, GAMES["spades"], "Rules 3", "plain")) == MOST

    chance = random.Random(7)
    many: list[OwnPreset] = []
    with suppress(NotKept):
        while True:
            name = "".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(40))
            keys = ("nv", "dnv", "bp", "t", "atb")
            code = "classic~" + "~".join(f"{key}-{chance.randrange(20, 900)}" for key in keys)
            many = with_kept(many, GAMES["spades"], name, code)
    assert 10 < len(many) <= MOST
    assert len(pack(many)) <= LARGEST


def test_full_device_says_so(phone: Phone) -> None:
    kept: list[OwnPreset] = []
    for number in range(MOST):
        kept = with_kept(kept, GAMES["spades"], f"Rules {number}", "classic")
    phone.client.set_cookie(COOKIE, pack(kept))
    keep(phone)
    assert phone.status == 422
    assert "Please delete one first." in phone.page.text
