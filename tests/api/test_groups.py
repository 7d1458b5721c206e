"""Groups in the API: every route with every kind of secret, what the commands do, and that the pages say the same."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from companion.games import GAMES
from companion.web import create_app
from tests.group_client import PREFIX, GroupClient
from tests.sheet_client import NAMES, SheetClient, as_json, bearer, deal, record, version_in

CODES = {401: "unauthorized", 403: "forbidden", 404: "not-found"}
STRANGERS = {"none": 401, "unknown": 404, "revoked": 404, "foreign": 404, "sheet": 404}
NEEDED = {"watch": {**STRANGERS, "watch": 0, "score": 0}, "score": {**STRANGERS, "watch": 403, "score": 0}}
ROUTES: list[tuple[str, str, str, Any]] = [
    ("GET", "", "watch", None),
    ("DELETE", "", "score", None),
    ("POST", "/events", "score", {"type": "title_group", "title": "Wednesday"}),
    ("GET", "/sheets", "watch", None),
    ("POST", "/sheets", "score", {"seats": NAMES, "game": "spades"}),
    ("GET", "/sheets/{sheet}", "watch", None),
    ("PUT", "/sheets/{sheet}", "score", {"secret": "{secret}"}),
    ("DELETE", "/sheets/{sheet}", "score", None),
    ("GET", "/playing", "watch", None),
    ("GET", "/statistics", "watch", None),
    ("GET", "/leagues/{league}", "watch", None),
    ("GET", "/export.json", "watch", None),
    ("GET", "/export.csv", "watch", None),
    ("GET", "/links", "score", None),
    ("POST", "/links", "score", {"scope": "watch"}),
    ("DELETE", "/links/{link}", "score", None),
]


@pytest.fixture
def group(client: Any) -> GroupClient:
    return GroupClient(client)


def test_every_route_with_a_group_is_tried(app: Any) -> None:
    served = {
        (method, rule.rule.removeprefix(f"{PREFIX}/<group>").replace("sheet:", "").replace("int:", ""))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"{PREFIX}/<")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == {(method, path.replace("{", "<").replace("}", ">")) for method, path, _, _ in ROUTES}


@pytest.mark.parametrize(("method", "path", "scope", "body"), ROUTES, ids=[f"{r[0]} {r[1]}" for r in ROUTES])
def test_every_route_with_every_secret(app: Any, method: str, path: str, scope: str, body: Any) -> None:
    for kind, expected in NEEDED[scope].items():
        group = GroupClient(app.test_client())
        sheet = group.sheet()
        group.written(type="start_league", title="L", game="spades", form="round-robin", players=["m1", "m2"])
        revoked = group.send("POST", "/links", {"scope": "score"}).json
        group.send("DELETE", f"/links/{revoked['link']['id']}")
        secrets = {
            "none": None, "unknown": "A" * 24, "revoked": revoked["secret"], "sheet": sheet.score,
            "foreign": GroupClient(group.client).score, "watch": group.watch, "score": group.score,
        }  # fmt: skip
        parts = {"sheet": sheet.id, "league": 1, "link": group.links()[0]["id"]}
        sent = {"secret": sheet.score} if body and "secret" in body else body
        before = group.get().data, group.links(), group.get("/sheets").data
        answer = group.client.open(
            group.url + path.format(**parts), method=method, **({} if sent is None else as_json(sent)),
            headers={**bearer(secrets[kind]), "If-Match": "*", "Idempotency-Key": "k"},
        )  # fmt: skip
        if not expected:
            assert answer.status_code in (200, 201, 204), answer.text
            assert answer.headers["Cache-Control"] == "private, no-store"
            continue
        assert (kind, answer.status_code) == (kind, expected)
        assert answer.json["type"] == f"/problems/{CODES[expected]}"
        assert ("WWW-Authenticate" in answer.headers) == (expected == 401)
        assert (group.get().data, group.links(), group.get("/sheets").data) == before


def test_unknown_foreign_and_revoked_are_answered_alike(group: GroupClient, client: Any) -> None:
    sheet = SheetClient(client)
    tries = [
        (group.url, "A" * 24), (group.url, GroupClient(client).watch), (f"{PREFIX}/~nowhere", group.score),
        (f"{PREFIX}/{sheet.id}", sheet.score), (f"/api/v1/sheets/{group.id}", group.score),
        (f"{group.url}/sheets/{sheet.id}", group.score), (f"{group.url}/leagues/7", group.score),
    ]  # fmt: skip
    answers = [client.get(url, headers=bearer(secret)) for url, secret in tries]
    assert {answer.status_code for answer in answers} == {404}
    assert len({(a.json["type"], a.json["title"], a.json["detail"], tuple(a.json)) for a in answers}) == 1


def test_players_are_added_renamed_merged_and_removed_without_a_name(group: GroupClient) -> None:
    assert [member["name"] for member in group.written(type="add_members", names=["Eve", "Aki"])["members"]] == [
        *NAMES, "Eve",
    ]  # fmt: skip
    group.written(type="rename_member", member="m1", name="Akiko")
    group.written(type="merge_member", member="m5", into="m2")
    after = group.written(type="remove_member", member="m3")
    members = {member["id"]: member for member in after["members"]}
    assert (members["m1"]["name"], members["m5"]["into"]) == ("Akiko", "m2")
    assert members["m3"] == {"id": "m3", "name": "", "removed": True, "into": None}
    everything = b"".join(group.get(path).data for path in ("", "/sheets", "/statistics", "/export.json"))
    assert NAMES[2].encode() not in everything
    again = group.write({"type": "rename_member", "member": "m3", "name": "Chie"})
    assert [error["code"] for error in again.json["errors"]] == ["unknown-member"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"type": "rename_member", "member": "m1", "name": "Ben"}, "name-taken"),
        ({"type": "merge_member", "member": "m1", "into": "m1"}, "same-member"),
        ({"type": "merge_member", "member": "m1", "into": "m9"}, "unknown-member"),
        ({"type": "draw_round", "league": 3, "after": 0, "seed": 1}, "choice"),
        ({"type": "keep_rules", "game": "spades", "code": "no-such-code"}, "rules-code"),
        (
            {"type": "start_league", "title": "L", "game": "spades", "form": "round-robin", "players": ["m1", "m1"]},
            "same-member",
        ),
        ({"type": "erase_everything"}, "unknown-command"),
        ({"title": "x"}, "required"),
        ([], "type"),
    ],
)
def test_what_cannot_be_written_is_said_and_nothing_changes(group: GroupClient, command: Any, code: str) -> None:
    before = group.get().data
    answer = group.write(command)
    assert (answer.status_code, [error["code"] for error in answer.json["errors"]]) == (422, [code])
    assert group.get().data == before


_LEAGUE = {"type": "start_league", "title": "L", "game": "spades", "form": "round-robin", "players": ["m1", "m2"]}


def test_a_round_of_a_league_that_nobody_began_names_no_game(group: GroupClient) -> None:
    error = group.write({"type": "draw_round", "league": 1, "after": 0, "seed": 1}).json["errors"][0]
    assert (error["pointer"], error.get("allowed")) == ("/league", None)
    assert "game" not in error["detail"]


@pytest.mark.parametrize(
    ("command", "pointer", "allowed"),
    [
        ({"type": "keep_rules", "game": "spades", "code": "no-such-code"}, "/code", None),
        ({"type": "keep_rules", "game": "chess", "code": ""}, "/game", list(GAMES)),
        ({**_LEAGUE, "game": "chess"}, "/game", list(GAMES)),
        ({"type": "draw_round", "league": 3, "after": 0, "seed": 1}, "/league", [1]),
        ({**_LEAGUE, "players": ["m1", "m9", "m2"]}, "/players/1", None),
        ({**_LEAGUE, "players": ["m1", "m2", "m1"]}, "/players/2", None),
        ({"type": "merge_member", "member": "m1", "into": "m9"}, "/into", None),
        ({"type": "remove_member", "member": "m9"}, "/member", None),
    ],
)
def test_a_problem_points_at_what_is_wrong_and_names_what_could_be(
    group: GroupClient, command: Any, pointer: str, allowed: Any
) -> None:
    group.written(**_LEAGUE)
    error = group.write(command).json["errors"][0]
    assert (error["pointer"], error.get("allowed")) == (pointer, allowed)


def test_command_with_the_same_key_is_written_once(group: GroupClient) -> None:
    command = {"type": "add_members", "names": ["Eve"]}
    first = group.write(command, key="k")
    group.written(type="title_group", title="Later")
    again = group.write(command, key="k", version='"1"')
    assert (first.status_code, again.status_code, again.json["events"]) == (201, 201, first.json["events"])
    assert (again.headers["ETag"], again.headers["Idempotent-Replayed"]) == (first.headers["ETag"], "true")
    assert again.json["version"] == first.json["version"]
    other = group.write({"type": "add_members", "names": ["Fumi"]}, key="k")
    assert (other.status_code, other.json["type"]) == (422, "/problems/idempotency-key-reused")
    assert len(group.get().json["members"]) == len(NAMES) + 1


def test_outdated_version_is_refused_with_the_latest(group: GroupClient) -> None:
    command = {"type": "title_group", "title": "Wednesday"}
    missing = group.send("POST", "/events", command, Idempotency_Key="k")
    assert missing.status_code == 428
    tag = group.get().headers["ETag"]
    assert group.write(command, version=tag).status_code == 201
    late = group.write({"type": "title_group", "title": "Thursday"}, version=tag)
    assert (late.status_code, late.json["type"]) == (412, "/problems/version-conflict")
    assert late.json["version"] == version_in(late) == group.get().json["version"]
    (renamed,) = late.json["events"]
    assert (renamed["seq"], renamed["kind"], renamed["data"]) == (
        version_in(late),
        "group_titled",
        {"title": "Wednesday"},
    )
    unknown = group.write({"type": "title_group", "title": "Thursday"}, version='"1-none", "2"')
    assert (unknown.status_code, unknown.json["events"]) == (412, [])
    sent_again = group.write({"type": "title_group", "title": "Thursday"}, version=late.headers["ETag"])
    assert sent_again.status_code == 201


MAKING: list[tuple[str, Any]] = [
    ("", {"title": "Tuesday", "names": NAMES}),
    ("/{group}/sheets", {"seats": NAMES, "game": "spades"}),
    ("/{group}/links", {"scope": "watch", "label": "Ben"}),
]


@pytest.mark.parametrize(("path", "body"), MAKING, ids=[path or "/" for path, _ in MAKING])
def test_what_is_made_is_made_once(group: GroupClient, app: Any, path: str, body: Any) -> None:
    def post(body: Any, **more: Any) -> Any:
        headers = {**bearer(group.score), "Idempotency-Key": "0d9f1c6e-4c36-4a31-8a6b-5d9d3f1f2a10"}
        return group.client.post(PREFIX + path.format(group=group.id), json=body, headers=headers, **more)

    def there() -> Any:
        store = app.extensions["companion-sheets"].store
        return len(list(store.groups())), len(list(store.sheets())), group.links(), group.get().json["sheets"]

    first, made = post(body), there()
    again = post(body)
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert there() == made
    changed = {**body, "label": "Chie"} if "label" in body else {**body, "title": "another"}
    other = post(changed)
    assert (other.status_code, other.json["type"]) == (422, "/problems/idempotency-key-reused")
    assert there() == made


def test_unchanged_is_304_and_a_change_is_not(group: GroupClient) -> None:
    sheet = group.sheet()
    group.written(type="start_league", title="L", game="spades", form="round-robin", players=["m1", "m2"])
    for path in ("", "/playing", "/statistics", "/leagues/1", f"/sheets/{sheet.id}"):
        first = group.get(path)
        assert group.get(path, If_None_Match=first.headers["ETag"]).status_code == 304, path
    tag = group.get("/playing").headers["ETag"]
    sheet.written(record(5, 8, 4))
    after = group.get("/playing", If_None_Match=tag)
    assert after.json["tables"][0]["game"]["deals"] == 1


def test_sheets_are_listed_in_pages_the_latest_first(group: GroupClient) -> None:
    opened = [group.sheet().id for _ in range(5)]
    first = group.get("/sheets?limit=2")
    assert [sheet["id"] for sheet in first.json["sheets"]] == opened[:2:-1]
    seen, answer = [], first
    while True:
        seen += [sheet["id"] for sheet in answer.json["sheets"]]
        if "Link" not in answer.headers:
            break
        url = answer.headers["Link"].partition(">")[0].removeprefix("<")
        answer = group.get(url.removeprefix(group.url))
    assert seen == opened[::-1]
    assert answer.json["next"] is None


def test_sheet_is_brought_in_with_its_own_secret_and_taken_out(group: GroupClient, client: Any) -> None:
    sheet = SheetClient(client)
    for secret in (sheet.watch, group.score, "A" * 24):
        assert group.send("PUT", f"/sheets/{sheet.id}", {"secret": secret}).status_code == 404
    joined = group.send("PUT", f"/sheets/{sheet.id}", {"secret": sheet.score})
    assert (joined.status_code, joined.json["players"]) == (200, {"A": "m1", "B": "m2", "C": "m3", "D": "m4"})
    assert group.get(f"/sheets/{sheet.id}").json == sheet.get().json
    assert group.send("DELETE", f"/sheets/{sheet.id}").status_code == 204
    assert group.get(f"/sheets/{sheet.id}").status_code == 404
    labels = {link["label"]: link["revoked"] for link in sheet.get("/links").json["links"]}
    assert labels["Tuesday"] is not None


def test_sheet_whose_link_was_revoked_remains_without_its_score(group: GroupClient) -> None:
    sheet = group.sheet()
    link = next(link for link in sheet.get("/links").json["links"] if link["label"] == "Tuesday")
    sheet.delete(f"/links/{link['id']}")
    listed = group.get("/sheets").json["sheets"][0]
    assert (listed["id"], listed["version"], listed["game"]) == (sheet.id, None, None)
    assert group.get(f"/sheets/{sheet.id}").status_code == 404


def test_sheet_for_a_table_counts_for_its_league(group: GroupClient) -> None:
    group.written(
        type="start_league", title="L", game="spades", form="random-partners", players=["m1", "m2", "m3", "m4"], win=3
    )
    for table in ([1, 1, 1], [2, 1, 1], [1, 0, 1], [1], [1, 1]):
        answer = group.send("POST", "/sheets", {"seats": NAMES, "game": "spades", "table": table})
        assert [error["code"] for error in answer.json["errors"]] == ["choice"]
    assert group.get().json["sheets"] == 0
    group.written(type="draw_round", league=1, after=0, seed=9)
    again = group.write({"type": "draw_round", "league": 1, "after": 0, "seed": 10})
    assert (again.status_code, again.json["events"]) == (200, [])
    seats = group.get("/leagues/1").json["rounds"][0]["tables"][0]["players"]
    names = {member["id"]: member["name"] for member in group.get().json["members"]}
    rules = {"options": {"target": 40}}
    sheet = group.sheet(seats=[names[seat] for seat in seats], table=[1, 1, 1], rules=rules)
    sheet.written(record(5, 8, 5))
    stand = group.get("/leagues/1").json
    table = stand["rounds"][0]["tables"][0]
    assert (table["sheet"], table["finished"], table["winners"]) == (sheet.id, True, [[seats[0], seats[2]]])
    points = {place["player"]: place["points"] for place in stand["places"]}
    assert points == {seats[0]: 3, seats[2]: 3, seats[1]: 0, seats[3]: 0}
    wins = {each["player"]: each["wins"] for each in group.get("/statistics").json["players"]}
    assert wins[seats[0]] == {"count": 1, "of": 1}


def _cleared(cards: int = 27) -> dict[str, Any]:
    """The command that records a deal of Casino for two."""
    mine = {"cards": cards, "spades": 7, "aces": 3, "big_ten": True, "spy_two": False}
    theirs = {"cards": 52 - cards, "spades": 6, "aces": 1, "big_ten": False, "spy_two": True}
    return {"type": "record_deal", "facts": {"A": mine, "B": theirs}}


def test_only_a_game_of_the_league_between_the_players_of_the_table_counts(group: GroupClient) -> None:
    players = ["m1", "m2", "m3", "m4"]
    group.written(type="start_league", title="L", game="spite-and-malice", form="round-robin", players=players)
    group.written(type="draw_round", league=1, after=0, seed=9)
    names = {member["id"]: member["name"] for member in group.get().json["members"]}

    def tables() -> list[Any]:
        return list(group.get("/leagues/1").json["rounds"][0]["tables"])

    one, other = ([names[player] for player in table["players"]] for table in tables())
    out = {"type": "record_deal", "facts": {"winner": "A", "remaining": {"B": 9}}}
    wrong = group.sheet(seats=one, game="casino", dealer="A", rules={"options": {"target": 1}}, table=[1, 1, 1])
    wrong.written(_cleared())
    guest = group.sheet(seats=["Zed", other[1]], game="spite-and-malice", dealer="A", table=[1, 1, 2])
    guest.written(out)
    stand = group.get("/leagues/1").json
    assert {(place["played"], place["points"]) for place in stand["places"]} == {(0, 0)}
    assert [(table["sheet"], table["finished"], table["winners"]) for table in tables()] == [(None, False, [])] * 2
    begun = group.sheet(seats=other, game="spite-and-malice", dealer="A", table=[1, 1, 2])
    assert [table["sheet"] for table in tables()] == [None, begun.id]
    begun.written(out)
    later = group.sheet(seats=other[::-1], game="spite-and-malice", dealer="A", table=[1, 1, 2])
    later.written(out)
    table = tables()[1]
    assert (table["sheet"], table["winners"]) == (begun.id, [[table["players"][0]]])


def test_statistics_are_those_of_the_contracts_as_remedies_leave_them(group: GroupClient) -> None:
    """A contract that a remedy sets is set, a credited one is made, and neither has bags; a guilty nil fails."""
    for remedy in ("set", "tricks"):
        sheet = group.sheet(rules={"options": {"revoke_remedy": remedy}})
        for by in ("A", "B"):
            facts = deal(5, 8, 6, irregularities=[{"kind": "revoke", "by": by}])
            if by == "B":
                facts["B+D"]["nils"] = [{"player": "B", "call": "nil", "tricks": 0}]
            sheet.written({"type": "record_deal", "facts": facts})
        for each in sheet.state()["games"][0]["deals"]:
            assert each["status"] == "scored"
    games = {each["player"]: each["games"]["spades"]["measures"] for each in group.get("/statistics").json["players"]}
    shown = {
        player: {name: (each["count"], each["of"]) for name, each in measures.items()}
        for player, measures in games.items()
    }
    assert (shown["m1"]["contract"], shown["m1"]["set"], shown["m1"]["bags"]) == ((3, 4), (1, 4), (3, 4))
    assert (shown["m2"]["contract"], shown["m2"]["set"], shown["m2"]["bags"]) == ((2, 4), (2, 4), (0, 4))
    assert shown["m2"]["nil"] == (1, 2)


@pytest.mark.parametrize("limit", ["MAX_SHEETS", "MAX_MEMBERS"])
def test_sheet_that_the_group_has_no_room_for_is_not_made(
    group: GroupClient, app: Any, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    group.sheet()
    monkeypatch.setattr(f"companion.sheets.group_events.{limit}", 1)
    made = list(app.extensions["companion-sheets"].store.sheets())
    answer = group.send("POST", "/sheets", {"seats": [*NAMES[:3], "Eve"], "game": "spades"})
    assert answer.status_code == 422
    assert answer.json["errors"][0]["code"] == {"MAX_SHEETS": "evenings-full", "MAX_MEMBERS": "members-full"}[limit]
    assert list(app.extensions["companion-sheets"].store.sheets()) == made


def test_statistics_are_of_a_game_and_of_a_year(group: GroupClient) -> None:
    sheet = group.sheet(rules={"options": {"target": 40}})
    sheet.written(record(5, 8, 5))
    whole = group.get("/statistics").json
    year = whole["years"][0]
    same = group.get(f"/statistics?year={year}&game=spades").json
    assert (same["year"], same["game"], same["players"]) == (year, "spades", whole["players"])
    for query in (f"year={year - 1}", "game=casino"):
        assert group.get(f"/statistics?{query}").json["players"] == []
    for query in ("year=x", "year=12", "game=chess"):
        assert group.get(f"/statistics?{query}").status_code == 422
    exported = group.get("/export.json").json
    assert exported["statistics"] == whole["players"]
    rows = list(csv.DictReader(io.StringIO(group.get("/export.csv").text)))
    assert len(rows) == len(NAMES)
    assert sum(int(row["points"]) for row in rows) == 2 * sum(exported["games"][0]["deals"][0]["points"])


def test_deleted_group_is_gone_its_sheets_remain_and_it_reads_them_no_more(group: GroupClient, app: Any) -> None:
    sheet = group.sheet()
    assert group.send("DELETE", "").status_code == 204
    for path in ("", "/sheets", "/export.json"):
        assert group.get(path).status_code == 404
    assert sheet.get().status_code == 200
    labels = {link["label"]: link["revoked"] for link in sheet.get("/links").json["links"]}
    assert labels["Tuesday"] is not None
    assert app.extensions["companion-sheets"].verify() == []


def test_pages_and_api_open_the_same_group(group: GroupClient, client: Any) -> None:
    group.sheet().written(record(5, 8, 4))
    link = group.send("POST", "/links", {"scope": "watch"}).json
    page = client.get(link["url"].partition("localhost")[2])
    assert page.status_code == 200
    assert "Tuesday" in page.text
    exported = client.get(link["url"].partition("localhost")[2] + "/export.json").json
    assert exported == group.get("/export.json").json


def test_opening_groups_and_their_sheets_has_the_limit_of_opening() -> None:
    client = create_app({"TESTING": True, "OPENING_LIMIT": "2 per hour", "DATABASE": "memory:"}).test_client()
    group = GroupClient(client)
    ask: list[Callable[[], Any]] = [
        lambda: group.send("POST", "/sheets", {"seats": NAMES, "game": "spades"}),
        lambda: group.send("POST", "/sheets", {"seats": NAMES, "game": "spades"}),
        lambda: client.post(PREFIX, json={"title": "Another"}),
    ]
    assert [one().status_code for one in ask] == [201, 429, 429]
