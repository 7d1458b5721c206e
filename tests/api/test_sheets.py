"""A sheet through the API: a whole game, its log, its consequences shown beforehand, exports that come back."""

from __future__ import annotations

import copy
import csv
import io
import json
from typing import Any

import pytest

from companion.engine.cards import number_text
from tests.sheet_client import EW, NAMES, NS, PREFIX, SheetClient, correct, deal, record, version_in


@pytest.fixture
def sheet(client: Any) -> SheetClient:
    """A sheet with a game of Spades to 200 just begun; D deals first."""
    return SheetClient(client, title="金曜", rules={"options": {"target": 200}})


A, B, C, D = "ABCD"


def call(seat: str, word: Any) -> dict[str, Any]:
    return {"type": "make_call", "call": {"seat": seat, "call": word}}


def totals(answer: Any) -> list[int]:
    game = answer["games"][-1] if "games" in answer else answer["game"]
    return [game["standing"][side]["total"] for side in (NS, EW)]


def test_a_new_sheet_tells_where_it_is_and_its_secrets_once(client: Any) -> None:
    answer = client.post(PREFIX, json={"seats": NAMES})
    assert answer.status_code == 201
    assert answer.headers["Location"] == answer.json["url"] == f"{PREFIX}/{answer.json['id']}"
    assert (version_in(answer), answer.json["version"]) == (1, 1)
    secrets = answer.json["secrets"]
    assert len(secrets["watch"]) >= 22
    assert len(secrets["score"]) >= 22
    shown = client.get(answer.headers["Location"], headers={"Authorization": f"Bearer {secrets['score']}"})
    assert secrets["watch"] not in shown.text
    assert secrets["score"] not in shown.text
    assert "Set-Cookie" not in answer.headers
    assert shown.json["games"] == []


@pytest.mark.parametrize(
    ("calls", "codes"),
    [
        (((A, 5), (B, 3), (C, 4)), [[], [], ["below-partner-bid"]]),
        (((A, 5), (C, 3)), [[], ["bid-out-of-turn", "below-partner-bid"]]),
        (((A, 14), (B, "double_nil"), (C, "moon"), (D, "pass")), [["bid-range"], ["not-far-enough-behind"],
                                                                   ["call-not-played"], ["no-passing"]]),
    ],
)  # fmt: skip
def test_a_call_against_the_rules_is_written_and_says_so(sheet: SheetClient, calls: Any, codes: Any) -> None:
    for seat, word in calls:
        written = sheet.written(call(seat, word))
    found = written["game"]["open_deal"]["breaches"]
    assert [[breach["code"] for breach in one] for one in found] == codes
    assert found == sheet.state()["games"][0]["open_deal"]["breaches"]
    assert all(breach["text"] and breach["url"] for one in found for breach in one)


@pytest.mark.parametrize(
    ("calls", "codes", "then"),
    [
        (((B, 3), (C, 3), (D, 4), (A, 5), (C, 4), (B, 99)), ["bidding-over", "bid-range"], []),
        (((B, 3), (C, 3), (D, 4), (A, 5), (C, 4), (C, 4), (D, 4)), ["bidding-over"], []),
        (((A, 99), (B, -1), (B, "pass"), (C, "blind_7")), ["call-not-played"], ["D"]),
    ],
)  # fmt: skip
def test_calls_after_one_that_cannot_be_are_judged_as_well(
    sheet: SheetClient, calls: Any, codes: list[str], then: list[str]
) -> None:
    for seat, word in calls:
        shown = sheet.written(call(seat, word))["game"]["open_deal"]
    assert {*codes} <= {breach["code"] for breach in shown["breaches"][-1]}
    assert shown["to_call"] == then


def test_a_first_deal_without_bidding_asks_for_no_calls(client: Any) -> None:
    sheet = SheetClient(client, rules={"options": {"first_hand_bids_itself": True}})
    assert sheet.state()["games"][0]["open_deal"]["to_call"] == []
    refused = sheet.write(call(A, 3)).json["errors"]
    assert [(one["pointer"], one["code"]) for one in refused] == [("/call", "no-calls")]
    assert refused[0]["detail"] == "Deal 1 is played without bidding."
    sheet.written({"type": "record_deal", "facts": {NS: {"tricks": 8}, EW: {"tricks": 5}}})
    assert sheet.state()["games"][0]["open_deal"]["to_call"] == ["B"]


def test_a_whole_game(sheet: SheetClient) -> None:
    for seat, word, then in (("A", 5, ["B"]), ("B", 4, ["C"]), ("C", 5, ["D"]), ("D", 4, [])):
        assert sheet.written(call(seat, word))["game"]["open_deal"]["to_call"] == then
    counted = {"type": "record_deal", "facts": {NS: {"tricks": 8}, EW: {"tricks": 5}}}
    assert totals(sheet.written(counted)) == [53, 41]
    assert totals(sheet.written(record(6, 6, 4))) == [113, 84]

    corrected = sheet.written(correct(1, 5, 4, 4, reason="counted again"))
    assert corrected["events"][0]["kind"] == "deal_corrected"
    assert totals(corrected) == [10, 88]
    state = sheet.state()
    first = state["games"][0]["deals"][0]
    assert (first["corrected"], [change["reason"] for change in first["changes"]]) == (True, ["", "counted again"])
    assert first["facts"][NS] == {"bid": 5, "tricks": 4}
    assert [line["article"] for line in first["sides"][NS]["lines"]] == ["spades.set"]
    assert state["undo"]["kind"] == "deal_corrected"

    undone = sheet.written({"type": "undo"})
    assert totals(undone) == [113, 84]
    assert undone["redo"]["kind"] == "deal_corrected"
    assert totals(sheet.written({"type": "redo"})) == [10, 88]
    assert totals(sheet.written({"type": "undo"})) == [113, 84]

    adjusted = sheet.written({"type": "adjust", "side": EW, "points": -30, "reason": "revoke"})
    assert totals(adjusted) == [113, 54]
    over = sheet.written(record(9, 9, 4))["game"]
    assert (over["outcome"]["over"], over["outcome"]["winners"]) == (True, [NS])
    assert over["outcome"]["reason"].startswith("spades.")
    assert over["open_deal"] is None
    refused = sheet.write(record(5, 8, 4))
    assert (refused.status_code, refused.json["errors"][0]["code"]) == (422, "game-over")

    again = sheet.written({"type": "rematch"})["game"]
    assert (again["number"], again["outcome"]["over"], again["open_deal"]["dealer"]) == (2, False, "C")
    state = sheet.state()
    assert [totals({"games": [game]}) for game in state["games"]] == [[203, 94], [0, 0]]
    assert state["version"] == sheet.version == len(sheet.get("/events").json["events"])


def test_a_problem_is_in_the_words_of_the_game_and_can_be_accepted(sheet: SheetClient) -> None:
    wrong = deal(5, 8, 4)
    wrong[EW]["tricks"] = 4
    refused = sheet.write({"type": "record_deal", "facts": wrong})
    assert refused.status_code == 422
    (error,) = refused.json["errors"]
    assert (error["pointer"], error["code"], error["acceptable"]) == ("/facts", "tricks-total", True)
    assert error["detail"].startswith("The tricks add up to 12")
    assert "トリック" in sheet.write({"type": "record_deal", "facts": wrong}, lang="ja").json["detail"]
    wrong["accept"] = [{"code": "tricks-total", "reason": "a card was lost"}]
    assert totals(sheet.written({"type": "record_deal", "facts": wrong})) == [53, 40]
    (warning,) = sheet.state()["games"][0]["deals"][0]["warnings"]
    assert (warning["code"], warning["reason"]) == ("tricks-total", "a card was lost")


def test_lines_call_players_by_name_and_facts_keep_their_ids(sheet: SheetClient) -> None:
    nil = {
        NS: {"bid": 4, "tricks": 8, "nils": [{"player": "A", "call": "nil", "tricks": 0}]},
        EW: {"bid": 4, "tricks": 5},
    }
    sheet.written({"type": "record_deal", "facts": nil})
    lines = sheet.state()["games"][0]["deals"][0]["sides"][NS]["lines"]
    (line,) = [line for line in lines if line["facts"].get("player")]
    assert "Aki" in line["text"]
    assert line["facts"]["player"] == "A"
    assert sheet.state()["games"][0]["sides"][0]["name"] == "Aki & Chie"


def test_house_rules_are_written_out_with_their_code(sheet: SheetClient) -> None:
    sheet.written(record(5, 8, 4))
    sheet.written({"type": "change_rules", "rules": {"options": {"target": 300}}, "note": "agreed"})
    game = sheet.state()["games"][0]
    (before,) = game["rules_before"]
    assert (before["first_deal"], before["options"]["target"]) == (1, 200)
    assert (game["rules"]["first_deal"], game["rules"]["options"]["target"], game["rules"]["note"]) == (
        2,
        300,
        "agreed",
    )
    assert game["rules"]["code"] != before["code"]
    assert "300" in game["rules"]["summary"]


def test_pollers_learn_when_nothing_has_changed(sheet: SheetClient) -> None:
    answer = sheet.get(secret=sheet.watch)
    tag = answer.headers["ETag"]
    assert version_in(answer) == sheet.version
    for path in ("", "/events"):
        again = sheet.get(path, secret=sheet.watch, If_None_Match=tag)
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    sheet.written(record(5, 8, 4))
    fresh = sheet.get(secret=sheet.watch, If_None_Match=tag)
    assert (fresh.status_code, version_in(fresh)) == (200, sheet.version)


def test_a_proxy_that_compresses_and_weakens_the_etag_does_not_stop_the_polling(sheet: SheetClient) -> None:
    weak = f"W/{sheet.get().headers['ETag']}"
    assert sheet.get(If_None_Match=weak).status_code == 304


def test_the_log_is_paged_and_read_from_a_version_on(sheet: SheetClient) -> None:
    for number in range(5):
        sheet.written({"type": "write_note", "note": f"note {number}"})
    whole = sheet.get("/events").json
    assert [entry["seq"] for entry in whole["events"]] == list(range(1, 8))
    assert (whole["next"], whole["version"]) == (None, 7)
    assert [entry["seq"] for entry in sheet.get("/events?after=5").json["events"]] == [6, 7]
    assert sheet.get("/events?after=900000").json["events"] == []
    page, seen = sheet.get("/events?after=1&limit=4"), []
    assert page.headers["Link"].endswith('rel="next"')
    while True:
        seen += [entry["seq"] for entry in page.json["events"]]
        if page.json["next"] is None:
            break
        page = sheet.get(page.headers["Link"].split(">")[0].removeprefix(f"<{sheet.url}"))
    assert seen == [2, 3, 4, 5, 6, 7]
    for wrong in ("limit=0", "limit=201", "after=-1", "after=x", "cursor=*"):
        assert sheet.get(f"/events?{wrong}").status_code == 422, wrong
    assert sheet.get("/events?cursor=____").json["events"] == []


def test_a_preview_shows_every_later_total_and_writes_nothing(sheet: SheetClient) -> None:
    sheet.written(record(4, 8, 4))
    sheet.written(record(4, 9, 4))
    sheet.written(record(10, 11, 2))
    before = sheet.state()
    assert totals(before) == [90, 101]
    answer = sheet.post("/preview", correct(1, 4, 4, 9))
    assert (answer.status_code, version_in(answer)) == (200, sheet.version)
    ripple = answer.json
    assert [row["number"] for row in ripple["deals"]] == [1, 2, 3]
    side = ripple["deals"][0]["sides"][NS]
    assert (side["before"]["total"], side["after"]["total"]) == (44, 40)
    assert "spades.overtricks" in [line["article"] for line in side["gone"]]
    assert "spades.overtricks" not in [line["article"] for line in side["come"]]
    penalties = [
        (row["number"], line["article"])
        for row in ripple["deals"]
        for line in row["sides"][NS]["gone"]
        if line["points"] < 0
    ]
    assert penalties == [(3, "spades.bag-penalty")]
    assert ripple["standing"]["before"] == before["games"][0]["standing"]
    assert sheet.state() == before

    sheet.written(correct(1, 4, 4, 9))
    assert sheet.state()["games"][0]["standing"] == ripple["standing"]["after"]


def test_a_preview_says_what_a_void_deal_or_other_rules_do_to_later_deals(sheet: SheetClient) -> None:
    sheet.written(record(4, 8, 4))
    sheet.written(record(4, 9, 4))
    sheet.written(record(10, 11, 2))
    void = {"type": "void_deal", "deal": 1}
    rules = {"type": "change_rules", "deal": 1, "rules": {"options": {"bag_threshold": 9}}}
    for command, penalty in ((void, (3, "line-gone")), (rules, (2, "line-come"))):
        answer = sheet.post("/preview", command)
        assert answer.status_code == 200, answer.json
        effects = answer.json["effects"]
        bags = [one for one in effects if one["article"] == "spades.bag-penalty" and one["kind"] == penalty[1]]
        assert [(one["deal"], one["side"], one["points"]) for one in bags] == [(penalty[0], NS, -100)]
        assert all(str(one["deal"]) in one["text"] and "A" in one["text"] for one in bags)
        totals_of = [one for one in effects if one["kind"] == "total" and one["side"] == NS]
        scores = {row["number"]: row["sides"][NS] for row in answer.json["deals"]}
        for one in totals_of:
            score = scores[one["deal"]]
            assert (one["before"], one["after"]) == (score["before"]["total"], score["after"]["total"])
        assert all(number_text(one[when]) in one["text"] for one in totals_of for when in ("before", "after"))


def test_a_preview_shows_another_end(sheet: SheetClient) -> None:
    sheet.written(record(9, 9, 3))
    sheet.written(record(10, 10, 3))
    sheet.written(record(5, 5, 3))
    assert sheet.state()["games"][0]["outcome"]["winners"] == [NS]
    outcome = sheet.post("/preview", correct(3, 5, 4, 3)).json["outcome"]
    assert (outcome["changes"], outcome["before"]["over"], outcome["after"]["over"]) == (True, True, False)
    rows = sheet.post("/preview", correct(2, 12, 12, 1)).json["deals"]
    assert [(row["number"], row["status"]["after"]) for row in rows] == [(2, "scored"), (3, "after-end")]


def test_a_command_that_changes_nothing_writes_nothing(sheet: SheetClient) -> None:
    answer = sheet.write({"type": "title_sheet", "title": "金曜"})
    assert (answer.status_code, answer.json["events"], answer.json["version"]) == (200, [], sheet.version)
    assert sheet.state()["version"] == sheet.version


def test_what_is_written_bears_the_label_of_the_link(sheet: SheetClient) -> None:
    _, secret = sheet.link("score", "Ben's phone")
    assert sheet.write(record(5, 8, 4), secret=secret).json["events"][0]["actor"] == "Ben's phone"
    assert sheet.state()["games"][0]["deals"][0]["changes"][0]["actor"] == "Ben's phone"


def test_an_export_comes_back_exactly(sheet: SheetClient, client: Any) -> None:
    sheet.written(record(5, 8, 4))
    sheet.written(correct(1, 5, 7, 4, reason="数え直し"))
    sheet.written({"type": "undo"})
    exported = sheet.get("/export.json")
    assert exported.headers["Content-Disposition"] == 'attachment; filename="scores.json"'
    answer = client.post(f"{PREFIX}/import", data=exported.data, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json["id"] != sheet.id
    headers = {"Authorization": f"Bearer {answer.json['secrets']['score']}"}
    copy = client.get(f"{answer.json['url']}/export.json", headers=headers).json
    assert copy.pop("anchor")["sheet"] == answer.json["id"]
    assert copy == {key: value for key, value in exported.json.items() if key != "anchor"}
    copied = client.get(answer.json["url"], headers=headers).json
    assert {**copied, "id": sheet.id} == sheet.state()
    assert client.get(answer.json["url"], headers={"Authorization": f"Bearer {sheet.score}"}).status_code == 404


@pytest.mark.parametrize(
    "bend",
    [
        lambda exported: exported["events"].pop(1),
        lambda exported: exported["events"].reverse(),
        lambda exported: exported["events"][0]["data"]["seats"][0].update(name="Eve"),
        lambda exported: exported["events"][2].update(hash="0" * 64),
        lambda exported: exported["events"][2].update(kind="points_granted"),
        lambda exported: exported["events"][2].update(version=99),
        lambda exported: exported["events"][2]["data"].update(deal=7),
        lambda exported: exported.update(events=[]),
        lambda exported: exported.update(events="many"),
        lambda exported: exported.update(format="another"),
        lambda exported: exported.update(more=1),
        lambda exported: exported.pop("events"),
    ],
)
def test_a_bent_export_is_refused(sheet: SheetClient, client: Any, bend: Any) -> None:
    sheet.written(record(5, 8, 4))
    exported = copy.deepcopy(sheet.get("/export.json").json)
    bend(exported)
    answer = client.post(f"{PREFIX}/import", json=exported)
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/invalid-input")
    assert answer.json["errors"][0]["detail"]


def test_an_import_may_be_larger_than_a_command_and_not_endless(sheet: SheetClient, client: Any) -> None:
    for number in range(300):
        sheet.written({"type": "write_note", "note": f"{number} " + "x" * 190})
    exported = sheet.get("/export.json").data
    assert len(exported) > 64 * 1024
    assert client.post(f"{PREFIX}/import", data=exported, content_type="application/json").status_code == 201
    endless = b'{"format": "' + b"x" * 5_000_000
    assert client.post(f"{PREFIX}/import", data=endless, content_type="application/json").status_code == 413


def test_a_table_for_spreadsheets_has_no_formulas(client: Any) -> None:
    sheet = SheetClient(client, seats=["=1+1", "+Ben", "-Chie", "@Dai"])
    sheet.written(record(5, 8, 4))
    answer = sheet.get("/export.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["side"], row["points"], row["total"]) for row in rows] == [(NS, "53", "53"), (EW, "41", "41")]
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_lines_for_a_chat_come_in_both_languages(sheet: SheetClient) -> None:
    sheet.written(record(5, 8, 4))
    english, japanese = (sheet.get("/export.txt", Accept_Language=lang) for lang in ("en", "ja"))
    assert english.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "53 – 41" in english.text
    assert "Spades" in english.text
    assert "スペード" in japanese.text
    assert japanese.text != english.text


def test_links_are_made_listed_and_revoked(sheet: SheetClient) -> None:
    link, secret = sheet.link("watch", "wall")
    shown = sheet.get("/links")
    listed = {(each["scope"], each["label"], each["revoked"]) for each in shown.json["links"]}
    assert listed == {("watch", "", None), ("score", "", None), ("watch", "wall", None)}
    assert secret not in shown.text
    assert sheet.get(secret=secret).status_code == 200
    for _ in range(2):
        answer = sheet.delete(f"/links/{link}")
        assert (answer.status_code, answer.data) == (204, b"")
    assert sheet.get(secret=secret).status_code == 404
    (revoked,) = [each for each in sheet.get("/links").json["links"] if each["id"] == link]
    assert revoked["revoked"] >= revoked["created"]
    assert sheet.delete("/links/nope").status_code == 404
    other = SheetClient(sheet.client)
    assert other.delete(f"/links/{link}").status_code == 404
    wrong: Any
    for wrong in (
        {},
        {"scope": "rule"},
        {"scope": ["watch"]},
        {"scope": "watch", "label": 1},
        {"scope": "watch", "x": 1},
        [],
    ):
        assert sheet.post("/links", wrong).status_code == 422


def test_what_belongs_to_a_table_is_kept_nowhere(sheet: SheetClient) -> None:
    for answer in (sheet.get(), sheet.get(secret=None), sheet.get("/export.csv"), sheet.write({"type": "undo"})):
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "Authorization" in answer.headers["Vary"]


def test_a_sheet_survives_another_application_on_the_same_file(sheet: SheetClient, app: Any) -> None:
    from companion.web import create_app

    sheet.written(record(5, 8, 4))
    settings = {name: app.config[name] for name in ("TESTING", "RATE_LIMIT", "DATABASE")}
    other = create_app(settings).test_client()
    shown = other.get(sheet.url, headers={"Authorization": f"Bearer {sheet.watch}"})
    assert json.loads(shown.data) == sheet.state()


def test_two_players_of_one_name_are_warned_of(client: Any) -> None:
    body = {"seats": ["Aki", "Ben", "ＡＫＩ", "Dai"], "game": "spades"}
    assert client.post(PREFIX, json=body).json["same_names"] == [{"id": "C", "name": "ＡＫＩ"}]
    assert "same_names" not in client.post(PREFIX, json={**body, "seats": ["Aki", "Ben", "Chie", "Dai"]}).json
