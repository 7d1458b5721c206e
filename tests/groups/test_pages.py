"""A group on its pages: made, opened for others, players tapped, sheets that belong to it."""

from __future__ import annotations

import re

import pytest

from tests.groups.conftest import NAMES
from tests.keeper.phone import Phone


def new_sheet(phone: Phone, *players: str, game: str = "spades") -> str:
    """Open a sheet from the group's page for these members, by their ids."""
    group = phone.url
    chosen = "&".join(f"player={player}" for player in players)
    phone.get(f"/en/sheets/new/{game}?group={group.rpartition('/')[2]}&{chosen}")
    phone.press("Start")
    assert phone.status == 200
    phone.sheet = phone.url
    return phone.sheet


def secret_of(phone: Phone, group: str, label: str) -> str:
    """Make a link on the group's page of links; return its secret."""
    phone.get(f"{group}/share")
    phone.press(label)
    return re.search(r"/groups/(?:watch/|join#)([\w-]+)", phone.page.html)[1]


def test_sheet_opened_from_a_group_has_its_players_and_belongs_to_it(phone: Phone) -> None:
    group = phone.url
    new_sheet(phone, "m3", "m1", "m4", "m2")
    assert "Chika & Dan" in phone.page.text
    phone.deal(3, 4, 5, 6, 6)
    phone.get(group)
    assert re.findall(r"Chika (?:&amp;|&) Dan <strong>([−\d]+)<", phone.page.html)
    evening = re.search(rf'href="({group}/evenings/[^"]+)"', phone.page.html)[1]
    assert "Deals, latest first" in phone.get(evening).text


def test_new_name_on_the_sheet_joins_the_group(phone: Phone) -> None:
    group = phone.url
    phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&player=m1&player=m2")
    phone.press("4 in pairs")
    phone.press("Start", name2="Chika", name3="Eve")
    assert "Eve" in phone.get(f"{group}/members").text
    assert phone.page.text.count("Chika") == phone.page.text.count("Dan")


@pytest.mark.parametrize(
    ("game", "count", "seats"),
    [
        ("spades", 2, 2), ("spades", 3, 3), ("spades", 4, 4), ("spades", 6, 6), ("casino", 3, 3), ("casino", 5, 5),
        *(("spite-and-malice", count, count) for count in range(2, 7)),
        ("spades", 5, 0), ("casino", 6, 0), ("spite-and-malice", 7, 0), ("casino", 1, 0),
    ],
)  # fmt: skip
def test_as_many_as_were_tapped_sit_down_or_it_is_said_that_they_cannot(
    phone: Phone, game: str, count: int, seats: int
) -> None:
    group = phone.url
    phone.get(f"{group}/members")
    phone.press("Add", names="Eve, Fay, Gil")
    names = [*NAMES, "Eve", "Fay", "Gil"][:count]
    asked = f"group={group.rpartition('/')[2]}&" + "&".join(f"player=m{n + 1}" for n in range(count))
    page = phone.get(f"/en/sheets/new/{game}?{asked}")
    assert (f"players, not {count}." in page.text) == (not seats)
    if not seats:
        return
    phone.get(re.search(r'<a class="language" href="([^"]+)"', page.html)[1].replace("&amp;", "&"))
    for place, name in enumerate(names):
        assert f'name="name{place}" value="{name}"' in phone.page.html
    phone.press("始める")
    assert all(name in phone.page.text for name in names)
    assert phone.get(group).text.count(names[-1]) > 1


def test_nobody_joins_a_group_by_a_name_that_nobody_typed(phone: Phone) -> None:
    group = phone.url
    phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&player=m1&player=m2&player=m3")
    phone.press("6 in pairs")
    phone.press("Start")
    assert "These rules are for 6 players, not 3." in phone.page.text


def test_house_rules_are_kept_for_the_next_sheet(phone: Phone) -> None:
    group = phone.url
    phone.get(
        f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&" + "&".join(f"player=m{n}" for n in range(1, 5))
    )
    phone.press("Start", **{"o.target": "250"})
    page = phone.get(group)
    code = re.search(r'name="rules" value="([^"]+)"', page.html)[1]
    assert "250" in phone.get(f"/en/sheets/new/spades?rules={code}").text
    phone.get(f"{group}/members")
    phone.press("Forget")
    assert 'name="rules"' not in phone.get(group).html


def test_a_group_goes_on_with_the_next_partners_on_a_new_sheet(phone: Phone) -> None:
    group = phone.url
    four = "&".join(f"player=m{n}" for n in range(1, 5))
    phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&{four}")
    phone.press("Start", **{"o.target": "30"})
    sheet = phone.url
    assert "Next: " not in phone.get(group).text
    phone.get(sheet)
    phone.deal(3, 3, 3, 3, 7)
    seen = []
    for _ in range(3):
        link = re.search(r'<a class="button" href="([^"]+)">Next: ([^<]+)</a>', phone.get(group).html)
        seen.append(link[2].replace("\u00a0", " "))
        phone.get(link[1].replace("&amp;", "&"))
        phone.press("Start")
        phone.deal(3, 3, 3, 3, 7)
    assert seen == [
        "Aki &amp; Beth – Dan &amp; Chika", "Aki &amp; Dan – Chika &amp; Beth", "Aki &amp; Chika – Beth &amp; Dan"
    ]  # fmt: skip


def test_the_next_partners_of_a_group_are_those_who_sit_there_now(phone: Phone) -> None:
    group = phone.url
    four = "&".join(f"player=m{n}" for n in range(1, 5))
    phone.get(f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&{four}")
    phone.press("Start", **{"o.target": "100"})
    sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    phone.get(f"{sheet}/settings")
    phone.press("Save who plays on", seat="D", player="Emi")
    phone.get(sheet)
    phone.deal(3, 3, 3, 3, 7)
    link = re.search(r'<a class="button" href="([^"]+)">Next: ([^<]+)</a>', phone.get(group).html)
    page = phone.get(link[1].replace("&amp;", "&"))
    names = [value for form in page.forms for name, value in form.fields if re.fullmatch(r"name\d+", name) and value]
    assert (names, link[2].replace("\u00a0", " ")) == (
        ["Aki", "Emi", "Beth", "Chika"],
        "Aki &amp; Beth – Emi &amp; Chika",
    )


def test_finished_games_are_in_the_table_of_wins(phone: Phone) -> None:
    group = phone.url
    phone.get(
        f"/en/sheets/new/spades?group={group.rpartition('/')[2]}&" + "&".join(f"player=m{n}" for n in range(1, 5))
    )
    phone.press("Start", **{"o.target": "30"})
    phone.sheet = phone.url
    phone.deal(3, 3, 3, 3, 7)
    page = phone.get(group)
    row = r'<tr[^>]*><th [^\n]*?<a[^>]*>([^<]+)</a>[^\n]*?<span class="muted">(\d+) game</span></th>[^\n]*?<b>(\d+)</b>'
    won = {name: int(wins) for name, games, wins in re.findall(row, page.html) if games == "1"}
    assert won["Aki"] == won["Chika"] != won["Beth"] == won["Dan"]


def test_watch_link_shows_and_changes_nothing(phone: Phone, other: Phone) -> None:
    group = phone.url
    sheet = new_sheet(phone, "m1", "m2", "m3", "m4")
    secret = secret_of(phone, group, "Make a watch link")
    watch = f"/en/groups/watch/{secret}"
    page = other.get(watch)
    assert other.status == 200
    assert "Play now" not in page.text
    assert 'method="post"' not in page.html
    shown = other.get(f"{watch}/evenings/{sheet.rpartition('/')[2]}")
    assert (other.status, 'method="post"' in shown.html) == (200, False)
    for place in ("", "/members", "/share", f"/evenings/{sheet.rpartition('/')[2]}"):
        assert other.client.get(group + place).status_code == 404
    for place in ("/members", "/share"):
        assert other.client.get(watch + place).status_code == 404


def test_keeper_link_opens_the_group_and_its_sheets_on_another_phone(phone: Phone, other: Phone) -> None:
    group = phone.url
    sheet = new_sheet(phone, "m1", "m2", "m3", "m4")
    code = secret_of(phone, group, "Make a keeper link")
    other.get("/en/groups/join")
    other.press("Open the group", code=code)
    assert (other.url, other.status) == (group, 200)
    assert other.client.get(sheet).status_code == 404
    other.get(f"{group}/evenings/{sheet.rpartition('/')[2]}")
    other.press("Keep this score on this device")
    assert (other.url, other.status) == (sheet, 200)


def test_sheets_of_a_device_are_brought_in_and_taken_out(phone: Phone) -> None:
    group = phone.url
    sheet = phone.open(*NAMES[:3], "Eve").rpartition("/")[2]
    phone.get(f"{group}/evenings")
    phone.press("Add to the group")
    assert f"{group}/evenings/{sheet}" in phone.page.html
    assert "Eve" in phone.get(f"{group}/members").text
    phone.get(f"{group}/evenings/{sheet}")
    phone.press("Take this sheet out of the group")
    assert f"{group}/evenings/{sheet}" not in phone.page.html
    assert phone.client.get(f"{group}/evenings/{sheet}").status_code == 404


def test_sheet_whose_link_was_revoked_is_not_shown_any_more(phone: Phone) -> None:
    group = phone.url
    sheet = new_sheet(phone, "m1", "m2", "m3", "m4")
    phone.get(f"{sheet}/share")
    link = re.findall(r"/share/([\w-]+)/revoke", phone.page.html)[-1]
    assert "Tuesday" in phone.page.text
    phone.post(f"{sheet}/share/{link}/revoke")
    assert phone.client.get(f"{group}/evenings/{sheet.rpartition('/')[2]}").status_code == 404
    assert "can no longer be read" in phone.get(f"{group}/evenings").text


def test_players_are_renamed_merged_and_removed(phone: Phone) -> None:
    group = phone.url
    phone.get(f"{group}/members")
    phone.post(f"{group}/do/rename", member="m1", name="Akiko")
    assert "Akiko" in phone.page.text
    phone.post(f"{group}/do/rename", member="m1", name="ｂｅｔｈ")
    assert (phone.status, "already called" in phone.page.text) == (422, True)
    phone.post(f"{group}/do/merge", member="m4", into="m4")
    assert phone.status == 422
    phone.post(f"{group}/do/merge", member="m4", into="m3")
    assert "Dan" not in phone.page.text
    phone.post(f"{group}/do/remove", member="m2")
    assert "Beth" not in phone.page.text
    phone.post(f"{group}/do/rename", member="m2", name="Beth")
    assert (phone.status, "no such player" in phone.page.text) == (422, True)


@pytest.mark.parametrize(
    ("title", "names", "said"),
    [
        ("", "Aki", "missing"),
        ("x" * 5_000, "Aki", "40"),
        ("T", "y" * 300, "40"),
        ("T", "\n".join(f"p{n}" for n in range(10_000)), ""),
        ("T", "\n".join(f"p{n}" for n in range(201)), "200"),
    ],
)
def test_what_cannot_be_is_answered_with_a_problem(other: Phone, title: str, names: str, said: str) -> None:
    page = other.get("/en/groups")
    other.post("/en/groups", title=title, names=names)
    assert other.status in (413, 422)
    assert said in other.page.text
    assert "~" not in other.url, page


def test_hostile_names_are_shown_as_text(other: Phone) -> None:
    other.get("/en/groups")
    names = "<script>alert(1)</script>\r\nA\x00B\n\u202eevil\nAki\nAKI\nＡｋｉ\n   \n"
    other.post("/en/groups", title='"><img src=x>', names=names)
    if other.status == 422:  # a control sign is refused in words
        other.post("/en/groups", title='"><img src=x>', names=names.replace("\x00", ""))
    assert other.status == 200
    assert "<script>alert" not in other.page.html
    assert "<img src=x" not in other.page.html
    assert re.findall(r'name="player" value="(m\d+)"', other.page.html) == ["m1", "m2", "m3", "m4"]


def test_forms_need_the_token_and_the_same_site(phone: Phone) -> None:
    group = phone.url
    for place in ("/do/add", "/do/remove", "/share", "/evenings", "/forget"):
        assert phone.client.post(group + place, data={"names": "Mallory"}).status_code == 400
        foreign = {"Sec-Fetch-Site": "cross-site"}
        assert phone.client.post(group + place, data={"names": "Mallory"}, headers=foreign).status_code == 403


def test_secrets_and_ids_of_sheets_and_groups_open_nothing_of_the_other_kind(phone: Phone, other: Phone) -> None:
    group = phone.url
    sheet = new_sheet(phone, "m1", "m2", "m3", "m4")
    log = group.rpartition("/")[2]
    watch, keep = secret_of(phone, group, "Make a watch link"), secret_of(phone, group, "Make a keeper link")
    phone.get(f"{sheet}/share")
    phone.press("Make a watch link")
    of_sheet = re.search(r"/watch/([\w-]+)", phone.page.html)[1]
    for client in (phone.client, other.client):
        for secret in (watch, keep):
            for place in ("", "/wall", "/log"):
                assert client.get(f"/en/watch/{secret}{place}").status_code == 404
            for path in (f"/api/v1/sheets/{log}", f"/api/v1/sheets/{log}/events", f"/api/v1/sheets/{log}/export.json"):
                assert client.get(path, headers={"Authorization": f"Bearer {secret}"}).status_code == 404
        assert client.get(f"/en/groups/watch/{of_sheet}").status_code == 404
        assert client.get(f"/en/groups/{sheet.rpartition('/')[2]}").status_code == 404
        for place in ("", "/share", "/log", "/games", "/settings", "/export.json", "/text", "/version"):
            assert client.get(f"/en/sheets/{log}{place}").status_code == 404
    other.get("/en/join")
    other.press("Open the sheet", code=keep)
    assert other.status == 404
    other.get("/en/groups/join")
    other.press("Open the group", code=watch)
    assert other.status == 404
    other.press("Open the group", code="nonsense")
    assert other.status == 404


def test_revoked_link_of_a_group_reads_like_one_that_never_was(phone: Phone, other: Phone) -> None:
    group = phone.url
    secret = secret_of(phone, group, "Make a watch link")
    assert other.client.get(f"/en/groups/watch/{secret}").status_code == 200
    link = re.findall(r"/share/([\w-]+)/revoke", phone.page.html)[-1]
    phone.post(f"{group}/share/{link}/revoke")
    answers = [other.client.get(f"/en/groups/watch/{each}") for each in (secret, "x" * len(secret))]
    assert [answer.status_code for answer in answers] == [404, 404]
    bodies = {re.sub(r'href="/(?:ja|en)/[^"]*"', "", answer.text) for answer in answers}
    assert len(bodies) == 1


def test_group_is_forgotten_by_one_device(phone: Phone) -> None:
    group = phone.url
    phone.get(f"{group}/members")
    phone.press("Remove this group from this device")
    assert phone.client.get(group).status_code == 404


def test_sheets_of_a_device_do_not_list_its_groups(phone: Phone) -> None:
    phone.get("/en/sheets")
    assert (phone.status, "Tuesday" in phone.page.text) == (200, False)
    assert "Tuesday" in phone.get("/en/groups").text
    assert 'href="/en/groups"' in phone.get("/en/").html


def test_an_evening_says_once_who_won(phone: Phone) -> None:
    group = phone.url
    sheet = new_sheet(phone, "m1", "m2", game="spite-and-malice")
    phone.deal("Aki", 12)
    won = re.search(r'<p class="how-won">(.*?)</p>', phone.get(f"{group}/evenings/{sheet.rpartition('/')[2]}").html)
    assert won[1].startswith("Won by Aki · ")
    assert won[1].count("Aki") == 1
    assert won[1].count("Won") == 1
