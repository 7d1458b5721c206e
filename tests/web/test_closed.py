"""What is not set up fails closed: keys, hosts, metrics, folders; cookies carry nothing that opens a sheet."""

from __future__ import annotations

import base64
import os
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.web import assets, create_app, sheet_service
from companion.web.http import Misconfigured
from tests.keeper.phone import Phone


@cache
def _application(settings: tuple[tuple[str, str | int], ...]) -> Flask:
    return create_app({"RATE_LIMIT": "off", "DATABASE": "memory:", **dict(settings)})


def _asked(path: str, host: str, **settings: str | int) -> Any:
    return _application(tuple(settings.items())).test_client().get(path, base_url=f"http://{host}")


def test_a_database_on_a_server_needs_a_signing_key() -> None:
    app = Flask("keyless")
    app.config["DATABASE"] = "postgresql://127.0.0.1/companion"
    with pytest.raises(Misconfigured, match="COMPANION_SECRET_KEY"):
        sheet_service.init_app(app)


@pytest.mark.parametrize(
    ("host", "settings", "status"),
    [
        ("localhost:8000", {}, 200),
        ("192.0.2.7:8000", {}, 200),
        ("[2001:db8::7]:8000", {}, 200),
        ("table", {}, 200),
        ("table.local", {}, 200),
        ("evil.example", {}, 400),
        ("evil.example", {"HOSTS": "cards.example other.example"}, 400),
        ("192.0.2.7", {"HOSTS": "cards.example"}, 400),
        ("cards.example", {"HOSTS": "cards.example other.example"}, 200),
        ("OTHER.example:443", {"HOSTS": "cards.example other.example"}, 200),
        ("a.cards.example", {"HOSTS": ".cards.example"}, 200),
        ("notcards.example", {"HOSTS": ".cards.example"}, 400),
        ("cards.example", {"SITE_URL": "https://cards.example"}, 200),
        ("evil.example", {"SITE_URL": "https://cards.example"}, 400),
        ("127.0.0.1:8000", {"SITE_URL": "https://cards.example"}, 200),
    ],
)
def test_hosts_are_an_allow_list(host: str, settings: dict[str, str], status: int) -> None:
    answer = _asked("/robots.txt", host, **settings)
    assert answer.status_code == status
    assert _asked("/healthz", host, **settings).status_code == 200
    assert status == 200 or host not in answer.text


def test_links_and_codes_carry_the_sites_own_address() -> None:
    app = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:", "SITE_URL": "https://cards.example"})
    phone = Phone(app.test_client())
    phone.open()
    phone.get(f"{phone.sheet}/share")
    shared = phone.post(f"{phone.sheet}/share", scope="watch", label="")
    assert "https://cards.example/en/watch/" in shared.html
    assert "localhost" not in shared.html
    for path in ("/en/rules/spades/summary", "/en/house-rules/spades/classic"):
        assert "//localhost" not in phone.get(path).html


def test_metrics_are_there_only_where_told() -> None:
    assert _asked("/metrics", "localhost").status_code == 404
    assert _asked("/metrics", "localhost", METRICS=1).status_code == 200


@pytest.mark.parametrize(
    "path", ["/en/sheets/a%0Ab", "/en/sheets/a%0D%0AX:y/do/call", "/en/rules/a%0Ab", "/en/watch/%00"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_addresses_have_no_control_characters(shared_client: Any, path: str, method: str) -> None:
    assert shared_client.open(path, method=method).status_code in (404, 405)


# Cookies -------------------------------------------------------------------------------------------------------------


def test_a_cookie_holds_no_secret_of_a_sheet_nor_its_name(app: Any) -> None:
    phone = Phone(app.test_client())
    phone.open()
    service = app.extensions["companion-sheets"]
    for value in phone.cookies.values():
        raw = value.encode() + base64.urlsafe_b64decode(value.lstrip(".").split(".")[0] + "===")
        assert phone.sheet.rsplit("/", 1)[1].encode() not in raw
        assert service.known(value) is None


def test_the_database_keeps_no_key_of_a_device(app: Any, tmp_path: Path) -> None:
    phone = Phone(app.test_client())
    phone.open()
    phone.get("/en/devices")
    page = phone.press("Make a recovery code")
    code = page.html.partition('device-code">')[2].partition("<")[0].replace("-", "")
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("*.sqlite3*"))
    assert phone.sheet.rsplit("/", 1)[1].encode() in stored
    assert len(code) == 24
    for secret in (code, *(phone.cookies[name] for name in phone.keys)):
        assert secret.encode() not in stored


def test_answers_that_change_nothing_set_no_cookie(app: Any) -> None:
    phone = Phone(app.test_client())
    phone.open()
    for path in ("/", "/en/", "/en/sheets", phone.sheet, f"{phone.sheet}/log", "/en/rules/spades", "/api/v1/games"):
        answer = phone.client.get(path)
        assert (answer.status_code in (200, 302), answer.headers.getlist("Set-Cookie")) == (True, []), path


def test_what_everybody_may_keep_carries_no_cookie(fresh_app: Any) -> None:
    from flask import Response, session

    def careless() -> Response:
        session["a"] = "b"
        return Response("", headers={"Cache-Control": "public, max-age=300"})

    fresh_app.add_url_rule("/careless", view_func=careless)
    assert fresh_app.test_client().get("/careless").headers.getlist("Set-Cookie") == []


# Static files --------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / f"companion-static-{os.geteuid()}"


def _fill(folder: Path) -> None:
    (folder / "a.css").write_text("whole")


def test_static_files_are_made_once_and_shared(home: Path, tmp_path: Path) -> None:
    folders = {assets.shared_folder("digest", _fill) for _ in range(3)}
    assert folders == {home / "digest"}
    assert [path.name for path in tmp_path.iterdir()] == [home.name]
    assert home.stat().st_mode & 0o777 == 0o700
    os.utime(home / "digest", (0, 0))
    assets.shared_folder("another", _fill)
    assert [path.name for path in home.iterdir()] == ["another"]


@pytest.mark.parametrize("planted", ["open", "link", "file"])
def test_files_that_others_could_have_planted_are_not_served(home: Path, tmp_path: Path, planted: str) -> None:
    if planted == "file":
        home.touch()
    else:
        trap = home if planted == "open" else tmp_path / "trap"
        (trap / "digest").mkdir(parents=True)
        (trap / "digest/a.css").write_text("planted")
        if planted == "link":
            home.symlink_to(trap)
        else:
            trap.chmod(0o777)
    assert (assets.shared_folder("digest", _fill) / "a.css").read_text() == "whole"


def test_where_the_usual_folder_is_not_ours_all_starts_share_another(home: Path, tmp_path: Path) -> None:
    home.touch()
    foreign = tmp_path / f"{home.name}-planted"
    (foreign / "digest").mkdir(parents=True)
    foreign.chmod(0o777)
    folders = {assets.shared_folder("digest", _fill) for _ in range(3)}
    assert len(folders) == 1
    assert len(list(tmp_path.iterdir())) == 3
    assert (folders.pop() / "a.css").read_text() == "whole"


def test_what_a_killed_start_left_unfinished_is_removed(home: Path) -> None:
    class Killed(BaseException):
        pass

    def interrupted(folder: Path) -> None:
        _fill(folder)
        raise Killed

    def leave(*_: object, **__: object) -> None:
        """Remove nothing: a killed process cannot."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shutil.rmtree", leave)
        with pytest.raises(Killed):
            assets.shared_folder("digest", interrupted)
    (unfinished,) = home.iterdir()
    assets.shared_folder("digest", _fill)
    assert unfinished.is_dir()  # another start may be filling it
    two_hours_ago = time.time() - 2 * 3600
    os.utime(unfinished, (two_hours_ago, two_hours_ago))
    assets.shared_folder("digest", _fill)
    assert [path.name for path in home.iterdir()] == ["digest"]
