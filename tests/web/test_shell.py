"""What surrounds the pages: headers, health, metrics, logs, settings, the server's announcement."""

from __future__ import annotations

import json
import logging
import re
import socket
import sys
from itertools import pairwise
from typing import Any

import pytest

from companion import __version__, serve
from companion.games import GAMES
from companion.web import create_app
from companion.web.site import public_paths
from tests.web.addresses import PARTS


def test_pages_are_closed_to_everything_from_elsewhere(shared_client: Any) -> None:
    headers = shared_client.get("/en/").headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Strict-Transport-Security" not in headers
    assert "Strict-Transport-Security" in shared_client.get("/en/", base_url="https://localhost").headers


@pytest.mark.parametrize("path", ["/api/v1/games", "/healthz", "/api/v1/nope"])
def test_data_is_closed_altogether(shared_client: Any, path: str) -> None:
    headers = shared_client.get(path).headers
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_service_says_how_it_is(shared_client: Any) -> None:
    for path in ("/healthz", "/readyz", "/version", "/metrics"):
        answer = shared_client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
    assert shared_client.get("/version").json["version"] == __version__


def test_service_that_is_not_ready_says_what_fails(app: Any) -> None:
    def broken() -> None:
        raise OSError("disk")

    app.extensions["readiness"]["store"] = broken
    app.logger.disabled = True
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json["checks"]["store"] is False
    assert answer.json["checks"]["rulebook"] is True
    assert "disk" not in answer.text


def test_metrics_count_by_pattern_and_never_by_address(client: Any) -> None:
    client.get("/ja/rules/spades")
    client.get("/ja/rules/secret-token")
    client.open("/", method="BREW")
    text = client.get("/metrics").text
    assert 'route="/<lang:lang>/rules/<game_id>",status="200"' in text
    assert 'method="other"' in text
    assert "secret-token" not in text
    assert "BREW" not in text


def test_log_has_patterns_and_ids_but_no_addresses(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("companion.access")
    client = create_app({"ACCESS_LOG": True, "RATE_LIMIT": "off", "DATABASE": "memory:"}).test_client()
    log.addHandler(caplog.handler)
    formatter = log.handlers[0].formatter
    assert formatter
    client.get("/ja/rules/secret-token", headers={"X-Request-Id": "abcdefgh"})
    log.removeHandler(caplog.handler)
    entry = json.loads(formatter.format(caplog.records[-1]))
    assert entry["request_id"] == "abcdefgh"
    assert (entry["route"], entry["status"]) == ("/<lang:lang>/rules/<game_id>", 404)
    assert "secret-token" not in str(entry)


def test_announcement_is_one_line_with_the_address() -> None:
    assert serve.announcement("127.0.0.1", 8123) == "Serving on http://127.0.0.1:8123 (Ctrl-C stops)"
    assert "http://[::1]:80 " in serve.announcement("::1", 80)


def test_announcement_for_phones_has_the_address_and_its_qr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_network_address", lambda: "192.0.2.7")
    lines = serve.announcement("0.0.0.0", 8000).splitlines()
    assert "nginx" in lines[1]
    assert lines[2].endswith("http://192.0.2.7:8000")
    drawing = lines[3:]
    assert len(drawing) > 10
    assert set("".join(drawing)) <= set(" █▀▄")
    monkeypatch.setattr(serve, "_network_address", lambda: None)
    assert len(serve.announcement("0.0.0.0", 8000).splitlines()) == 2


def test_port_in_use_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert serve.serve("127.0.0.1", taken.getsockname()[1]) == 2
    assert "Cannot serve on 127.0.0.1" in capsys.readouterr().err
    assert serve.serve("127.0.0.1", 70_000) == 2


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("RATE_LIMIT", "abc", "COMPANION_RATE_LIMIT is no limit such as '6000 per minute': 'abc'"),
        ("OPENING_LIMIT", "12", "COMPANION_OPENING_LIMIT is no limit"),
        ("WORK_LIMIT", "a lot", "COMPANION_WORK_LIMIT is no limit"),
        ("RATE_STORE", "nowhere://", "COMPANION_RATE_STORE cannot be used"),
        ("PROXIES", "one", "COMPANION_PROXIES is a whole number, not 'one'"),
        ("METRICS", "yes", "COMPANION_METRICS is true or false, not 'yes'"),
        ("SITE_URL", "cards.example", "COMPANION_SITE_URL must look like"),
        ("DATABSE", "x", "COMPANION_DATABSE is no setting; is it COMPANION_DATABASE?"),
        ("DATABASE", "/proc/nowhere/companion.sqlite3", "the database cannot be opened"),
        ("DATABASE", "postgresql://127.0.0.1/x", "COMPANION_SECRET_KEY must be set"),
    ],
)
def test_a_setting_with_a_slip_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    monkeypatch.setenv("COMPANION_DATABASE", "memory:")
    monkeypatch.setenv(f"COMPANION_{name}", value)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert serve.serve("127.0.0.1", port) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"Cannot start: {said}")


def test_several_processes_need_a_database_that_they_share(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATABASE", "memory:")
    assert serve.serve("127.0.0.1", 0, processes=2) == 2
    assert "PostgreSQL" in capsys.readouterr().err


FORMS = (
    "sheets", "sheets/new/spades", "referee", "referee/spades", "groups", "groups/join", "join", "problems",
    "search?q=bag", "learn/spades/deal/first/3", "learn/spades/deal/mistake/11?pick=all",
    "learn/spades/quiz/lead?say=no", "rules/spades/nil", *PARTS,
)  # fmt: skip


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_headings_begin_with_one_and_go_down_step_by_step(shared_client: Any, lang: str) -> None:
    """Screen readers lead from heading to heading: a level that is left out looks like a part that is missing."""
    wrong = {}
    articles = {path for path in public_paths() if path.startswith("rules/") and path.count("/") == 2}
    for path in ({*public_paths()} - articles) | {*FORMS}:
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", shared_client.get(f"/{lang}/{path}").text)]
        if levels[:1] != [1] or levels.count(1) != 1 or any(after > level + 1 for level, after in pairwise(levels)):
            wrong[path] = levels
    assert wrong == {}


@pytest.mark.parametrize("refused_by", [lambda *given: False, lambda *given: ("A",).index("joker")])
def test_refused_witness_is_logged_and_the_answer_stays(
    client: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, refused_by: Any
) -> None:
    position = {"seats": ["A", "B", "C", "D"], "trick": [{"seat": "A", "card": "2H"}], "trick_number": 11}
    body = {"position": position, "move": {"type": "play", "seat": "B", "card": "5S"}, "witness": True}
    path = f"/api/v1/games/{next(iter(GAMES))}/check"
    answer = client.post(path, json=body)
    assert not [record for record in caplog.records if "refused witness" in record.getMessage()]
    monkeypatch.setattr(sys.modules["companion.web.api.questions"], "verify_witness", refused_by)
    refused = client.post(path, json=body)
    assert (refused.status_code, refused.json) == (200, answer.json)
    assert [record.levelname for record in caplog.records if "refused witness" in record.getMessage()] == ["ERROR"]
