"""The program of a phone, as it runs there: without a server's packages, over lines that the phone keeps."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from urllib.parse import urlencode

import pytest

from companion.data import LANGUAGES
from companion.games import GAMES
from companion.sheets.memory import Line
from companion.web.phone.device import Device, Response
from phone.__main__ import NOT_THERE
from tests.phone.conftest import FORM, ROOT, Names


@pytest.fixture(scope="module")
def device() -> Device:
    device = Device(Names())
    device.begin("key", "{}", [])
    return device


def get(device: Device, path: str) -> Response:
    return device.answer("GET", ROOT + path, [], b"")


def post(device: Device, page: str, path: str, **fields: str) -> Response:
    token = re.search(r'name="csrf_token"[^>]*value="([^"]*)', page)[1]
    return device.answer("POST", ROOT + path, FORM, urlencode({"csrf_token": token, **fields}).encode())


def opened(device: Device, game: str = "spades") -> tuple[str, list[Line], str]:
    """The path of the first sheet of a phone, its lines and the cookies of the phone."""
    device.begin("key", "{}", [])
    form = get(device, f"/en/sheets/new/{game}")
    answer = post(device, form.body.decode(), f"/en/sheets/new/{game}", name0="Aki", name1="Beth", name2="C", name3="D")
    assert answer.status == 303
    return dict(answer.headers)["Location"], answer.lines, answer.cookies or form.cookies


def test_every_part_of_the_site_answers(device: Device) -> None:
    """Book, referee, search and keeper of every game, and what every language has."""
    pages = [f"en/{part}/{game}" for game in GAMES for part in ("sheets/new", "rules")]
    pages += [f"en/referee/{game.id}" for game in GAMES.values() if game.judge]
    pages += [f"{lang}/{part}" for lang in LANGUAGES for part in ("", "sheets", "sheets/new", "referee", "problems")]
    for path in [*pages, "en/search?q=nil"]:
        answer = get(device, f"/{path}")
        assert answer.status == 200, path
        assert answer.lines == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_an_icon_on_the_home_screen_offers_is_there(device: Device, lang: str) -> None:
    """Its start, its shortcuts, and house rules that another app shares."""
    app = json.loads(get(device, f"/{lang}/app.webmanifest").body)
    for place in (app["start_url"], *(each["url"] for each in app["shortcuts"])):
        assert get(device, place).status == 200, place
    shared = get(device, f"{app['share_target']['action']}?text=classic~bt-5")
    assert get(device, dict(shared.headers)["Location"]).status == 200


def test_a_sheet_is_there_again_from_its_lines(device: Device) -> None:
    sheet, lines, cookies = opened(device)
    page = get(device, sheet).body.decode()
    called = post(device, page, f"{sheet}/do/names", title="Friday")
    assert called.status in (200, 303)
    again = Device(Names())
    again.begin("key", cookies, [line.text for line in (*lines, *called.lines)])
    assert [line.kind for line in called.lines] == ["append", "give"]
    assert b"Friday" in get(again, sheet).body


@pytest.mark.parametrize(("lang", "said"), [("en", "This needs the network"), ("ja", "ここには通信が必要です")])
@pytest.mark.parametrize("page", ["devices", "join", "groups/of-a-later-version", "sheets/unknown", "watch/secret"])
def test_what_only_the_site_can_make_says_so(device: Device, page: str, lang: str, said: str) -> None:
    answer = get(device, f"/{lang}/{page}")
    assert answer.status == 503
    assert said in answer.body.decode()


def test_links_of_a_sheet_are_made_by_the_site_alone(device: Device) -> None:
    sheet, _, _ = opened(device)
    assert get(device, f"{sheet}/share").status == 503
    page = get(device, f"{sheet}/settings").body.decode()
    answer = post(device, page, f"{sheet}/share", scope="watch", label="")
    assert (answer.status, answer.lines) == (503, [])


@pytest.mark.parametrize("own", [True, False])
def test_a_form_that_the_server_has_made_is_taken_from_a_page_of_this_site_alone(device: Device, own: bool) -> None:
    device.begin("key", "{}", [])
    sent = urlencode({"csrf_token": "of.the-server", "name0": "Aki", "name1": "Beth", "name2": "C", "name3": "D"})
    answer = device.answer("POST", f"{ROOT}/en/sheets/new/spades", FORM, sent.encode(), own)
    assert answer.status == (303 if own else 400)
    assert bool(answer.lines) is own


def test_no_answer_sets_a_cookie_and_none_is_taken_from_a_request(device: Device) -> None:
    sheet, _, cookies = opened(device)
    assert cookies
    stranger = Device(Names())
    stranger.begin("key", "{}", [])
    asked = stranger.answer("GET", ROOT + sheet, [("cookie", f"companion={cookies}")], b"")
    assert asked.status == 503
    assert "set-cookie" not in {name.lower() for name, _ in asked.headers}


def test_the_program_needs_nothing_that_a_phone_has_not() -> None:
    """Red where a page of the phone imports what cannot be there.

    That is the database, metrics, compiled modules, and what the bundle leaves out: a phone has one process.
    """
    absent = [
        "alembic", "apispec", "brotli", "fcntl", "granian", "grp", "limits", "multiprocessing.connection",
        "prometheus_client", "pythonjsonlogger", "resource", "sqlalchemy", "syslog", "termios", "uvicorn", "whitenoise",
    ]  # fmt: skip
    absent += [f"companion.{path.removesuffix('.py').replace('/', '.')}" for path in NOT_THERE]
    program = f"import sys; sys.modules.update(dict.fromkeys({absent})); import companion.web.phone.device"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
