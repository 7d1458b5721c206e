"""Sheets belong to a device, without an account: nothing is forgotten or overtaken, and another phone can have it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from companion.web import create_app
from companion.web.keeper.access import COOKIE, EARLIER_COOKIE, KEYS, LINKS, TOKEN
from tests.conftest import fresh_access_log
from tests.keeper.phone import Phone
from tests.sheet_client import SheetClient

LISTED = re.compile(r'<li><a href="(/\w+/sheets/[^"]+)"')


def listed(phone: Phone, page: int = 1) -> list[str]:
    """The sheets on the list of a phone."""
    return LISTED.findall(phone.get(f"/{phone.lang}/sheets?page={page}").html)


def code_on(phone: Phone) -> str:
    """The code that a page shows."""
    return phone.page.html.partition('device-code">')[2].partition("<")[0]


def another_tab(phone: Phone) -> Phone:
    """A tab with the cookies that the phone has now; what it is answered reaches the phone later."""
    tab = Phone(phone.client.application.test_client(), phone.lang)
    for name, value in phone.cookies.items():
        tab.client.set_cookie(name, value)
    return tab


def overtaken(phone: Phone, tab: Phone) -> None:
    """Give the phone the cookies that the other tab was given, late."""
    for name, value in tab.cookies.items():
        phone.client.set_cookie(name, value)


def test_a_late_answer_of_another_tab_loses_no_sheet(phone: Phone) -> None:
    first = phone.open()
    tab = another_tab(phone)
    tab.get(first)
    tab.deal(3, 4, 5, 6, 6)
    second = phone.open()
    overtaken(phone, tab)
    assert listed(phone) == [second, first]


def test_a_late_answer_to_the_first_visit_loses_no_sheet(phone: Phone) -> None:
    tab = another_tab(phone)
    tab.get("/en/sheets/new/spades")
    sheet = phone.open()
    overtaken(phone, tab)
    assert len(phone.keys) == 2
    assert listed(phone) == [sheet]
    other = tab.open()
    overtaken(phone, tab)
    assert set(listed(phone)) == {sheet, other}
    assert len(phone.keys) == 1


def test_the_key_is_set_once_and_never_by_another_answer(phone: Phone) -> None:
    answers = [phone.client.get(path) for path in ("/en/", "/en/sheets", "/en/devices/enter", "/en/join")]
    cookies = [line for answer in answers for line in answer.headers.getlist("Set-Cookie")]
    assert [line.startswith(COOKIE) for line in cookies] == [True]
    assert re.search(r"=[\w-]{43};", cookies[0]), "256 bits"
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookies[0].split("; "))
    assert "Max-Age=34560000" in cookies[0]
    phone.open()
    phone.deal(3, 4, 5, 6, 6)
    for path in (phone.sheet, f"{phone.sheet}/log", "/en/sheets", "/en/devices", "/en/house-rules", "/en/sheets/new"):
        sent = phone.client.get(path).headers.getlist("Set-Cookie")
        assert not [line for line in sent if line.startswith(COOKIE)], path


def test_many_sheets_are_all_listed(app: Any, phone: Phone) -> None:
    opened = [phone.open() for _ in range(53)]
    assert listed(phone) == opened[:2:-1]
    assert "1 / 2" in phone.page.text
    assert listed(phone, 2) == opened[2::-1]
    assert listed(phone, 99) == listed(phone, 2)
    assert phone.client.get(opened[0]).status_code == 200


def earlier_cookie(app: Any, **held: Any) -> str:
    """The cookie of an earlier version, as that version signed it."""
    serializer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert serializer
    return str(serializer.dumps({TOKEN: "token of long ago", "_permanent": True, **held}))


def test_sheets_of_an_earlier_cookie_are_taken_over_once(app: Any, phone: Phone) -> None:
    sheets = [SheetClient(app.test_client()) for _ in range(3)]
    links = {
        each.id: next(x["id"] for x in each.get("/links").json["links"] if x["scope"] == "score") for each in sheets
    }
    secrets = {sheets[0].id: sheets[0].score, "unknown": "secret", "odd": 7}
    held = {LINKS: {each: links[each] for each in list(links)[1:]}, KEYS: secrets}
    phone.client.set_cookie(EARLIER_COOKIE, earlier_cookie(app, **held))
    tabs = [another_tab(phone), another_tab(phone)]
    for tab in tabs:  # at once: both before either answer has come
        assert len(listed(tab)) == 3
        overtaken(phone, tab)
    phone.client.delete_cookie(EARLIER_COOKIE)
    assert len(phone.keys) == 1
    assert {path.rpartition("/")[2] for path in listed(phone)} == set(links)
    tab = another_tab(phone)
    tab.client.set_cookie(EARLIER_COOKIE, earlier_cookie(app, **held))
    answer = tab.client.get("/en/sheets")
    assert any(line.startswith(f"{EARLIER_COOKIE}=;") for line in answer.headers.getlist("Set-Cookie"))
    assert tab.client.get_cookie(EARLIER_COOKIE) is None


@pytest.mark.parametrize("forged", ["torn.cookie.here", "e30.aaa.bbb", ""])
def test_an_earlier_cookie_that_nobody_signed_says_nothing(phone: Phone, forged: str) -> None:
    phone.client.set_cookie(EARLIER_COOKIE, forged)
    assert listed(phone) == []
    assert phone.keys == []


def test_a_link_of_one_sheet_in_an_earlier_cookie_keeps_no_other(app: Any, phone: Phone) -> None:
    own, other = SheetClient(app.test_client()), SheetClient(app.test_client())
    watch = next(link["id"] for link in own.get("/links").json["links"] if link["scope"] == "watch")
    foreign = other.get("/links").json["links"][0]["id"]
    for link in (watch, foreign):
        phone.client.set_cookie(EARLIER_COOKIE, earlier_cookie(app, **{LINKS: {own.id: link}}))
        assert phone.client.get(f"/en/sheets/{own.id}").status_code == 404


def test_a_form_shown_by_an_earlier_version_is_still_taken(app: Any, phone: Phone) -> None:
    """A page that was open while the server was brought up to date: twice, with the old cookie and after it."""
    sheet = SheetClient(app.test_client(), game="spades")
    link = next(each["id"] for each in sheet.get("/links").json["links"] if each["scope"] == "score")
    phone.client.set_cookie(EARLIER_COOKIE, earlier_cookie(app, **{LINKS: {sheet.id: link}}))
    token = URLSafeTimedSerializer(app.config["SECRET_KEY"], salt="wtf-csrf-token").dumps("token of long ago")
    for number in range(2):
        form = {"csrf_token": token, "key": f"k{number}", "title": f"Evening {number}"}
        assert phone.client.post(f"/en/sheets/{sheet.id}/do/names", data=form).status_code == 303
    stranger = Phone(app.test_client())
    stranger.open()
    form = {"csrf_token": token, "title": "Evening"}
    assert stranger.client.post(f"{stranger.sheet}/do/names", data=form).status_code == 400


def test_a_form_of_one_device_is_none_of_another(phone: Phone, other: Phone) -> None:
    phone.open()
    other.open()
    token = dict(phone.page.forms[0].fields)
    tokens = [dict(form.fields)["csrf_token"] for form in phone.page.forms if "csrf_token" in dict(form.fields)]
    assert tokens, token
    for sent in (tokens[0], "", "a.b", ".", "é.é"):
        answer = other.client.post(f"{other.sheet}/do/names", data={"csrf_token": sent, "title": "Mine"})
        assert answer.status_code == 400


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_another_phone_gets_the_list_and_the_old_one_may_go(app: Any, lang: str) -> None:
    old, new = Phone(app.test_client(), lang), Phone(app.test_client(), lang)
    words = {
        "en": ("Show a code", "Use the code", "signed out", "can now open the same"),
        "ja": (
            "コードを表示",
            "このコードを使う",
            "この端末ではシートを開けません",
            "同じシートが開けるようになりました",
        ),
    }[lang]
    sheet = old.open()
    old.get(f"/{lang}/devices")
    old.press(words[0], leave="on")
    code = code_on(old)
    assert "<svg" in old.page.html
    assert old.page.html.count(code) == 1, "the address with the code is in the QR alone"
    new.get(f"/{lang}/devices/enter")
    new.press(words[1], code=code.lower().replace("-", " "))
    assert words[3] in new.page.text
    assert listed(new) == [sheet]
    new.get(sheet)
    new.press(5)
    assert new.status == 200
    assert listed(old) == []
    assert words[2] in old.page.text
    assert words[2] in old.get(sheet).text
    assert old.status == 404
    assert words[2] in old.get(f"/{lang}/sheets/unknown").text, "alike for sheets that never were"
    new.get(f"/{lang}/devices/enter")
    new.press(words[1], code=code)
    assert new.status == 404


def test_a_lost_phone_is_signed_out_with_the_recovery_code(phone: Phone, other: Phone) -> None:
    sheet = phone.open()
    phone.get("/en/devices")
    phone.press("Make a recovery code")
    code = code_on(phone)
    assert len(code.replace("-", "")) == 24
    assert code not in phone.get("/en/devices").html
    assert "There is a recovery code" in phone.page.text
    other.get("/en/devices/enter")
    other.press("Use the code", code=code, alone="on")
    assert "The recovery code is used up" in other.page.text
    assert listed(other) == [sheet]
    assert phone.client.get(sheet).status_code == 404
    assert phone.client.post(f"{sheet}/do/names", data={"title": "x"}).status_code in (400, 404)
    phone.open()
    assert len(listed(phone)) == 1, "a list of its own from now on"


def test_devices_are_listed_named_and_signed_out(phone: Phone, other: Phone) -> None:
    sheet = phone.open()
    phone.get("/en/devices")
    phone.press("Show a code")
    code = code_on(phone)
    other.get("/en/devices/enter")
    other.press("Use the code", code=code)
    page = phone.get("/en/devices")
    assert page.text.count("Unnamed device") == 2
    assert len(re.findall(r"last used on \w+ \d+, \d{4}", page.text)) == 2
    (place,) = re.findall(r"/devices/([\w-]+)/sign-out", page.html)
    phone.post(f"/en/devices/{place}/name", name="Oma’s <b>tablet</b>")
    assert "Oma’s <b>tablet</b>" in phone.page.text or "Oma’s &lt;b&gt;tablet" in phone.page.html
    phone.post(f"/en/devices/{place}/sign-out")
    assert "can no longer open" in phone.page.text
    assert other.client.get(sheet).status_code == 404
    assert phone.client.get(sheet).status_code == 200


def test_devices_of_others_are_out_of_reach(phone: Phone, other: Phone) -> None:
    phone.open()
    phone.get("/en/devices")
    (place,) = re.findall(r"/devices/([\w-]+)/name", phone.page.html)
    other.open()
    other.get("/en/devices")
    for act in ("name", "sign-out"):
        other.post(f"/en/devices/{place}/{act}", name="mine")
        assert other.status == 404
        other.get("/en/devices")
    assert phone.client.get(phone.sheet).status_code == 200


def test_a_link_that_was_revoked_is_so_for_every_phone_that_got_the_list(app: Any, both: tuple[Phone, Phone]) -> None:
    phone, other = both
    third = Phone(app.test_client())
    other.get("/en/devices")
    other.press("Show a code")
    code = code_on(other)
    third.get("/en/devices/enter")
    third.press("Use the code", code=code)
    assert third.client.get(phone.sheet).status_code == 200
    phone.get(f"{phone.sheet}/share")
    link = re.findall(r"/share/([\w-]+)/revoke", phone.page.html)[-1]
    phone.post(f"{phone.sheet}/share/{link}/revoke")
    for each in (other, third):
        assert listed(each) == []
        assert "can no longer change this sheet" in each.get(phone.sheet).text
    assert phone.client.get(phone.sheet).status_code == 200


def test_an_erased_sheet_leaves_every_list(app: Any, both: tuple[Phone, Phone]) -> None:
    app.extensions["companion-sheets"].erase(both[0].sheet.rpartition("/")[2])
    assert [listed(each) for each in both] == [[], []]


def test_codes_are_not_guessed_in_numbers() -> None:
    app = create_app({"TESTING": True, "GUESS_LIMIT": "5 per hour", "DATABASE": "memory:"})
    phone = Phone(app.test_client())
    phone.open()
    statuses = []
    for _ in range(7):
        phone.get("/en/devices/enter")
        phone.press("Use the code", code="0000-0000-0000")
        statuses.append(phone.status)
    assert statuses == [404] * 5 + [429] * 2
    assert phone.client.get(phone.sheet).status_code == 200


def test_keys_and_codes_are_in_no_log(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    fresh_access_log(monkeypatch)
    app = create_app({"ACCESS_LOG": True, "RATE_LIMIT": "off", "DATABASE": "memory:"})
    phone, other = Phone(app.test_client()), Phone(app.test_client())
    phone.open()
    phone.get("/en/devices")
    phone.press("Make a recovery code")
    code = code_on(phone)
    other.get("/en/devices/enter")
    other.press("Use the code", code=code)
    assert other.status == 200
    logged = "".join(capfd.readouterr())
    assert "/devices/enter" in logged
    for secret in (code, *phone.cookies.values(), *other.cookies.values()):
        assert secret not in logged


def test_the_list_is_not_taken_over_by_following_a_link(client: Any) -> None:
    """Somebody else's code in an address would give him this phone's sheets: the page only fills it in."""
    page = client.get("/en/devices/enter").text
    assert re.search(r'<form method="post"[^>]* id="join" data-waits>', page)
