"""Who may write on a sheet: everything else is refused, and nothing has changed afterwards."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.web.keeper.entry import COMMANDS
from tests.keeper.phone import Phone

PAGES = ["", "/settings", "/rules", "/share", "/what-if", "/games", "/version", "/deals/1", "/deals/1/correct"]
PAGES += ["/export.json", "/export.csv", "/export.txt", "/log", "/text", "/games/1", "/games/1/deals/1"]


def version(phone: Phone) -> int:
    """The version that stands in the store."""
    return int(phone.client.get(f"{phone.sheet}/version").text.partition("-")[0])


def test_form_without_token_is_refused(opened: Phone) -> None:
    before = version(opened)
    form, button = opened.find(5)
    fields = [(name, value) for name, value in form.fields if name != "csrf_token"]
    answer = opened.client.post(form.action, data=dict([*fields, (button.name, button.value)]))
    assert answer.status_code == 400
    assert version(opened) == before


def test_form_of_another_site_is_refused_even_with_a_token(opened: Phone) -> None:
    before = version(opened)
    form, button = opened.find(5)
    data = dict([*form.fields, (button.name, button.value)])
    answer = opened.client.post(form.action, data=data, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert version(opened) == before


@pytest.mark.parametrize("place", PAGES)
def test_foreign_sheet_is_not_there(opened: Phone, other: Phone, place: str) -> None:
    assert opened.client.get(opened.sheet + place).status_code == 200
    assert other.client.get(opened.sheet + place).status_code == 404
    other.open()  # with a sheet of one's own the others are not there either
    assert other.client.get(opened.sheet + place).status_code == 404


@pytest.mark.parametrize("kind", COMMANDS)
def test_foreign_sheet_takes_nothing(opened: Phone, other: Phone, kind: str) -> None:
    before = version(opened)
    other.open()
    other.post(f"{opened.sheet}/do/{kind}", v=str(before), side="A+C", points="50", reason="mine", seat="A", name="X")
    assert other.status == 404
    assert version(opened) == before


@pytest.mark.parametrize("place", ["/share", "/share/nothing/revoke", "/deals/1/correct"])
def test_foreign_sheet_shares_and_corrects_nothing(opened: Phone, other: Phone, place: str) -> None:
    other.open()
    other.post(opened.sheet + place, scope="score", deal="1", t0="7")
    assert other.status == 404


def test_secrets_that_open_nothing(phone: Phone) -> None:
    for path in ("/en/watch/nothing", "/en/watch/nothing/wall", "/ja/watch/" + "x" * 500):
        assert phone.client.get(path).status_code == 404
    phone.get("/en/join")
    phone.press("Open the sheet", code="nothing")
    assert phone.status == 404
    assert "This code does not open a sheet" in phone.page.text


def test_watch_link_shows_but_does_not_open_for_writing(opened: Phone, other: Phone) -> None:
    secret = watch_secret(opened)
    other.get(f"/en/watch/{secret}")
    assert other.totals == ["121", "103"]
    assert [form for form in other.page.forms if form.method == "post"] == []
    other.get("/en/join")
    other.press("Open the sheet", code=secret)
    assert other.status == 404


def watch_secret(phone: Phone) -> str:
    """The secret of a new watch link."""
    phone.get(f"{phone.sheet}/share")
    phone.press("Make a watch link", label="the wall")
    return str(re.search(r"/watch/([\w-]+)", phone.page.html)[1])


def test_revoked_watch_link_opens_nothing(opened: Phone, other: Phone) -> None:
    secret = watch_secret(opened)
    link = re.findall(r"/share/([\w-]+)/revoke", opened.page.html)[-1]
    opened.post(f"{opened.sheet}/share/{link}/revoke")
    assert "no longer works" in opened.page.text
    for path in (f"/en/watch/{secret}", f"/en/watch/{secret}/wall"):
        assert other.client.get(path).status_code == 404


def test_revoked_score_link_writes_nothing_any_more(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    before = version(phone)
    phone.get(f"{phone.sheet}/share")
    assert "this device" in phone.page.text
    link = re.findall(r"/share/([\w-]+)/revoke", phone.page.html)[-1]
    phone.post(f"{phone.sheet}/share/{link}/revoke")
    other.press(6)  # the question was on its screen when the link was revoked
    assert other.status == 404
    other.get("/en/sheets")
    assert "There is no sheet on this device yet" in other.page.text
    assert version(phone) == before


def test_this_device_cannot_revoke_itself_by_accident(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/share")
    assert "Revoke" not in opened.page.text
    assert "this device" in opened.page.text


def test_link_of_another_sheet_is_not_revoked_here(opened: Phone, other: Phone) -> None:
    watch_secret(opened)
    link = re.findall(r"/share/([\w-]+)/revoke", opened.page.html)[-1]
    other.open()
    other.post(f"{other.sheet}/share/{link}/revoke")
    assert other.status == 404
    opened.get(f"{opened.sheet}/share")
    assert "revoked" not in opened.page.text


def test_unknown_kind_is_not_there(opened: Phone) -> None:
    before = version(opened)
    opened.post(f"{opened.sheet}/do/erase-everything", v=str(before))
    assert opened.status == 404
    assert version(opened) == before


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("call", {"who": "seat:Z", "call": "5"}),
        ("call", {"who": "seat:B", "call": "five"}),
        ("change-call", {"who": "seat:B", "call": "5", "place": "77"}),
        ("change-call", {"who": "seat:B", "call": "5", "place": "first"}),
        ("record", {}),
        ("record", {"t0": "5", "t1": "5"}),
        ("correct", {"deal": "9", "t0": "1"}),
        ("correct", {"deal": "-1"}),
        ("void", {"deal": "99"}),
        ("adjust", {"side": "A+C", "points": "0", "reason": "x", "sign": "plus"}),
        ("adjust", {"side": "A+C", "points": "5", "reason": "", "sign": "plus"}),
        ("adjust", {"side": "nobody", "points": "5", "reason": "x"}),
        ("adjust", {"side": "A+C", "points": "99999999999", "reason": "x"}),
        ("adjust", {"side": "A+C", "points": "٣", "reason": "x"}),
        ("confirm", {"deal": "1", "side": "nobody"}),
        ("dealer", {"seat": "Z"}),
        ("names", {"name.A": "   "}),
        ("names", {"name.A": "x" * 500}),
        ("take-seat", {"seat": "A", "player": "   ", "from_deal": "1"}),
        ("take-seat", {"seat": "A", "player": "Eve", "from_deal": "9"}),
        ("rules", {"preset": "classic", "options": "1", "o.target": "many"}),
        ("rematch", {"v": "stale"}),
        ("undo", {"target": "1"}),
        ("redo", {}),
        ("note", {"note": ""}),
    ],
)
def test_what_cannot_be_is_refused_in_words(opened: Phone, kind: str, fields: dict[str, str]) -> None:
    before = version(opened)
    opened.post(f"{opened.sheet}/do/{kind}", **{"v": str(before), **fields})
    assert opened.status == 422, opened.page.text
    assert 'role="alert"' in opened.page.html
    assert version(opened) == before


def test_stale_version_is_told_and_changes_nothing(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    phone.press(6)
    phone.press("Save the deal")
    before = version(phone)
    for kind, fields in (("void", {"deal": "1"}), ("undo", {}), ("call", {"who": "seat:C", "call": "5"})):
        other.post(f"{other.sheet}/do/{kind}", v="3", **fields)
        assert other.status == 409
        assert "Somebody else has changed this sheet" in other.page.text
    assert version(phone) == before


def test_key_sent_twice_writes_once(opened: Phone) -> None:
    form, button = opened.find(5)
    data = dict([*form.fields, (button.name, button.value)])
    before = version(opened)
    for _ in range(3):
        assert opened.client.post(form.action, data=data).status_code == 303
    assert version(opened) == before + 1


def test_key_sent_with_something_else_is_told(opened: Phone) -> None:
    """Two buttons pressed quickly without scripts: the first counts, the second is shown what stands."""
    form, button = opened.find(5)
    before = version(opened)
    opened.client.post(form.action, data={**dict(form.fields), button.name: "5"})
    answer = opened.client.post(form.action, data={**dict(form.fields), button.name: "6"})
    assert answer.status_code == 409
    assert "Aki to bid" in answer.text
    assert version(opened) == before + 1


def test_address_of_a_form_leads_back_to_the_sheet(opened: Phone) -> None:
    opened.get(f"{opened.sheet}/do/record")
    assert opened.url == opened.sheet


def test_pages_of_a_sheet_are_nobody_elses(opened: Phone) -> None:
    headers = opened.client.get(opened.sheet).headers
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Robots-Tag"] == "noindex"
    assert "private" in headers["Cache-Control"]


def test_cookie_comes_along_from_a_chat_but_not_with_foreign_forms(app: Any) -> None:
    """Lax, not Strict: a page opened from another site would else come without the cookie and start an empty one."""
    cookie = app.test_client().get("/en/join").headers["Set-Cookie"]
    assert "SameSite=Lax" in cookie
    assert "HttpOnly" in cookie
    assert "Secure" not in cookie
    assert "Secure" in app.test_client().get("/en/join", base_url="https://localhost").headers["Set-Cookie"]


def test_a_torn_key_is_none(opened: Phone) -> None:
    (name,) = opened.keys
    opened.client.set_cookie(name, opened.cookies[name][:-1])
    assert opened.client.get(opened.sheet).status_code == 404
    assert opened.client.get("/en/sheets").status_code == 200


def test_leaving_forgets_the_sheet_on_this_device_alone(both: tuple[Phone, Phone]) -> None:
    phone, other = both
    other.get(f"{other.sheet}/settings")
    other.press("Remove this sheet from this device")
    assert "There is no sheet on this device yet" in other.page.text
    assert phone.client.get(phone.sheet).status_code == 200
