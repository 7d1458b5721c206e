"""Taking a sheet elsewhere and back: files, text for a chat, the whole of a game, the link for another app."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.sheets.store import MAX_FILE
from tests.keeper.phone import Phone


def send(phone: Phone, content: bytes, lang: str = "en") -> Any:
    """The answer to a file sent with the form of the import."""
    phone.get(f"/{lang}/sheets/import")
    token = next(dict(form.fields)["csrf_token"] for form in phone.page.forms if form.method == "post")
    part = '--frame\r\nContent-Disposition: form-data; name="{}"'
    body = f'{part.format("csrf_token")}\r\n\r\n{token}\r\n{part.format("file")}; filename="s.json"\r\n\r\n'.encode()
    kind = "multipart/form-data; boundary=frame"
    return phone.client.post(f"/{lang}/sheets/import", data=body + content + b"\r\n--frame--\r\n", content_type=kind)


def _without_anchor(file: bytes) -> dict[str, Any]:
    """A file without the signature, which names the sheet that it was saved from."""
    return {key: value for key, value in json.loads(file).items() if key != "anchor"}


@pytest.mark.parametrize(("lang", "lines"), [
    ("en", ["1: 14 – 0 (+14, ±0)", "2: 14 – 14 (±0, +14)", "A draw: Aki, Beth, 14 – 14"]),
    ("ja", ["1：14 – 0（+14、±0）", "2：14 – 14（±0、+14）", "Aki、Bethの引き分け（14 – 14）"]),
])  # fmt: skip
def test_text_for_a_chat_lists_as_its_language_does(app: Any, lang: str, lines: list[str]) -> None:
    phone = Phone(app.test_client(), lang)
    phone.open("Aki", "Beth", game="spite-and-malice", match="deals", match_deals="2")
    for winner in ("Aki", "Beth"):
        phone.deal(winner, 9)
    said = phone.client.get(f"{phone.sheet}/export.txt").text
    assert [line for line in lines if line not in said.splitlines()] == [], said


def test_json_comes_back_on_another_device_without_a_change(opened: Phone, other: Phone) -> None:
    opened.press("Undo")
    file = opened.client.get(f"{opened.sheet}/export.json").data
    answer = send(other, file)
    assert answer.status_code == 303
    assert answer.location.startswith("/en/sheets/")
    other.sheet = answer.location
    page = other.get(answer.location)
    assert other.totals == ["60", "52"]
    assert "You can go on from here" in page.text
    assert other.sheet != opened.sheet
    assert _without_anchor(other.client.get(f"{other.sheet}/export.json").data) == _without_anchor(file)
    other.press("Redo")
    assert other.totals == ["121", "103"]
    assert re.findall(r"<li><b>([^<]*)</b>", other.get(f"{other.sheet}/share").html) == ["Keep the score"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Choose a file first"),
        (b"Friday\nGame 1: Spades", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b"[" * 5000, "is not JSON"),
        (b"[]", "not a sheet saved by this program"),
        (b'{"format": "other", "format_version": 1, "events": []}', "not a sheet saved by this program"),
        (b'{"format": "companion-sheet", "format_version": 2, "events": []}', "saved by a newer version"),
        (b" " * (MAX_FILE + 1), "larger than 2 MB"),
    ],
)
def test_file_that_is_no_sheet_is_refused_in_words(phone: Phone, content: bytes, words: str) -> None:
    answer = send(phone, content)
    assert answer.status_code == 422
    assert words in answer.text
    assert 'role="alert"' in answer.text
    assert "no sheet on this device yet" in phone.get("/en/sheets").text


def test_tampered_file_names_the_entry_that_does_not_fit(opened: Phone, other: Phone) -> None:
    file = json.loads(opened.client.get(f"{opened.sheet}/export.json").data)
    file["events"][6]["data"]["facts"]["A+C"]["tricks"] = 13
    answer = send(other, json.dumps(file).encode())
    assert answer.status_code == 422
    assert "Entry 7 of the file" in answer.text


def test_sheet_without_a_game_is_refused(client: Any, phone: Phone) -> None:
    made = client.post("/api/v1/sheets", json={"seats": ["Aki", "Beth"]}).json
    bearer = {"Authorization": f"Bearer {made['secrets']['score']}"}
    file = client.get(f"{made['url']}/export.json", headers=bearer).data
    answer = send(phone, file)
    assert answer.status_code == 422
    assert "no game on this sheet" in answer.text


def test_import_is_guarded_like_every_form(phone: Phone) -> None:
    data = {"file": (io.BytesIO(b"{}"), "x.json")}
    answer = phone.client.post("/en/sheets/import", data=data, content_type="multipart/form-data")
    assert answer.status_code == 400
    assert send(phone, b" " * (2 * MAX_FILE)).status_code == 413


def test_table_is_read_by_spreadsheets_in_any_writing_and_holds_no_formula(phone: Phone) -> None:
    phone.open("=HYPERLINK(1)", "+81", "＝1+1", "千佳")
    phone.deal(3, 4, 5, 6, 6)
    answer = phone.client.get(f"{phone.sheet}/export.csv")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert rows[0]["dealer"] == "'=HYPERLINK(1)"
    assert [row["players"] for row in rows] == ["'=HYPERLINK(1) & ＝1+1", "'+81・千佳"]


def test_text_for_a_chat_stands_on_a_page_in_both_languages(opened: Phone) -> None:
    english = opened.get(f"{opened.sheet}/text").text
    assert "2: 121 – 103 (+61, +51)" in english
    japanese = opened.get(opened.sheet.replace("/en/", "/ja/") + "/text").text
    assert "スペード" in japanese
    assert "2：121 – 103（+61、+51）" in japanese


@pytest.mark.parametrize(("lang", "left", "goes_on"), [
    ("en", "Left unfinished.", "The game goes on."), ("ja", "途中でやめました。", "ゲームは続きます。"),
])  # fmt: skip
def test_game_left_for_another_one_is_not_said_to_go_on(app: Any, lang: str, left: str, goes_on: str) -> None:
    phone = Phone(app.test_client(), lang)
    phone.open()
    phone.deal(3, 4, 5, 6, 6)
    phone.get(f"{phone.sheet}/settings")
    phone.post(f"{phone.sheet}/do/rematch")
    said = phone.client.get(f"{phone.sheet}/export.txt").text
    assert (said.count(left), said.count(goes_on)) == (1, 1)
    assert left in phone.get(f"{phone.sheet}/games/1").text
    assert phone.get(f"{phone.sheet}/games").text.count(left) == 1


def test_past_game_can_be_opened_and_its_deals_explained(phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    phone.press("Rematch")
    phone.deal(3, 4, 5, 6, 7)
    page = phone.get(f"{phone.sheet}/games")
    assert re.findall(r'href="[^"]*/games/(\d)"', page.html) == ["2", "1"]
    page = phone.get(f"{phone.sheet}/games/1")
    assert "6 bid, 7 taken: contract made" in page.text
    assert "Won by Aki & Chika" in page.text
    page = phone.get(f"{phone.sheet}/games/1/deals/2")
    assert "+61" in page.text
    assert "6 bid, 7 taken: contract made" in page.text
    assert "Deal 2 was entered." in page.text
    for place in ("/games/3", "/games/0", "/games/1/deals/3", "/games/2/deals/2", "/games/9/deals/1"):
        assert phone.client.get(phone.sheet + place).status_code == 404


def test_finished_game_has_a_link_for_bg_stats(app: Any, phone: Phone) -> None:
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    assert "bgstats" not in phone.get(f"{phone.sheet}/games/1").html
    phone.get(phone.sheet)
    phone.deal(5, 5, 6, 5, 7)
    page = phone.get(f"{phone.sheet}/games/1")
    url = re.search(r'href="(https://app\.bgstatsapp\.com/[^"]*)" rel="external noreferrer"', page.html)[1]
    play = json.loads(parse_qs(urlsplit(url.replace("&amp;", "&")).query)["data"][0])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play.pop("playDate"))
    assert play == {
        "sourceName": "Card table companion",
        "sourcePlayId": f"{phone.sheet.rpartition('/')[2]}-1",
        "game": {"name": "Spades", "sourceGameId": "spades", "highestWins": True, "noPoints": False},
        "players": [
            {"name": name, "sourcePlayerId": name, "score": score, "winner": score == 121, "team": team}
            for name, score, team in (
                ("Aki", 121, "Aki & Chika"),
                ("Beth", 103, "Beth & Dan"),
                ("Chika", 121, "Aki & Chika"),
                ("Dan", 103, "Beth & Dan"),
            )
        ],
    }


def test_records_of_two_kinds_of_games_are_not_added_up(app: Any, phone: Phone) -> None:
    """Twenty-one points at Casino and five hundred at Spades have no common mean."""
    phone.open(target="100")
    phone.deal(3, 4, 5, 6, 6)
    phone.deal(5, 5, 6, 5, 7)
    service, sheet = app.extensions["companion-sheets"], phone.sheet.rpartition("/")[2]
    rules = {"options": {"match": "single"}}
    try:
        service.do(sheet, {"type": "start_game", "game": "casino", "seating": ["A", "B"], "rules": rules})
    except Exception:
        service.do(sheet, {"type": "start_game", "game": "casino", "seating": ["A", "B"]})
    page = phone.get(f"{phone.sheet}/games")
    assert "Spades · Players" in page.text
    assert re.search(
        r'Aki</th><td class="number">1</td><td class="number">1</td><td class="number">121</td>', page.html
    )


@pytest.mark.parametrize(("lang", "sentence"), [
    ("en", "The target of 9 points was reached. Points to the winner: Beth & Dan 11."),
    ("ja", "目標の9点に届きました。勝った側に渡す点：Beth & Dan 11。"),
])  # fmt: skip
def test_what_a_game_is_worth_is_told_by_names(app: Any, lang: str, sentence: str) -> None:
    phone = Phone(app.test_client(), lang)
    phone.open(game="casino", target="9", margin="difference")
    phone.deal(*["Aki & Chika"] * 4, 4)
    assert sentence in phone.page.text
    assert sentence in phone.client.get(f"{phone.sheet}/export.txt").text.splitlines()
