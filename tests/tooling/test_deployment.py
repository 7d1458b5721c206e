"""What the deployment pages promise is there: commands, settings with their defaults, the same in both languages."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from flask.testing import FlaskClient

from companion.cli import cli, main
from companion.web import DEFAULTS

ROOT = Path(__file__).parents[2]
PAGES = {
    lang: (ROOT / "docs" / name).read_text("utf-8")
    for lang, name in (("en", "deployment.md"), ("ja", "deployment.ja.md"))
}
pages = pytest.mark.parametrize("lang", PAGES)


def blocks(text: str) -> list[str]:
    """The code blocks of a page without their comments."""
    return [re.sub(r" *#.*", "", block) for block in re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M)]


def test_both_languages_show_the_same_commands() -> None:
    assert blocks(PAGES["en"]) == blocks(PAGES["ja"])
    assert len(blocks(PAGES["en"])) == 8


@pages
def test_every_command_is_there(lang: str) -> None:
    named = set(re.findall(r"companion ([a-z]+)\b", "\n".join(blocks(PAGES[lang]))))
    assert {"backup", "restore", "verify", "migrate"} <= named
    assert named <= set(cli.commands)


@pages
def test_settings_are_named_with_their_defaults(lang: str) -> None:
    rows = dict(re.findall(r"^\| `COMPANION_(\w+)` \| (.*?) \|", PAGES[lang], re.M))
    assert set(re.findall(r"COMPANION_(\w+)", PAGES[lang])) == set(rows)
    documented = {name: default.strip("`") for name, default in rows.items() if default.startswith("`")}
    assert set(rows) - set(documented) == {"SECRET_KEY", "SITE_URL", "GAMES", "HOSTS"}
    assert documented == {
        name: str(DEFAULTS[name]).lower() if DEFAULTS[name] is False else str(DEFAULTS[name]) for name in documented
    }


def test_every_test_that_the_page_on_security_names_is_there() -> None:
    text = (ROOT / "docs/security.md").read_text("utf-8")
    files, names = set(re.findall(r"`(tests/[\w/]+\.py)`", text)), set(re.findall(r"`(test_\w+)`", text))
    written = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert {file for file in files if not (ROOT / file).is_file()} == set()
    assert {name for name in names if f"def {name}(" not in written} == set()
    assert len(files) + len(names) > 20


# Files for containers and for systemd, which cannot all be run where tests run: what they rely on is compared ---------

DOCKERFILE, COMPOSE, PROXY, UPSTREAM, UNIT = (
    (ROOT / name).read_text("utf-8")
    for name in (
        "Dockerfile", "compose.yaml", "deploy/proxy.conf", "deploy/upstream-compose.conf", "deploy/companion.service",
    )
)  # fmt: skip


def test_files_that_were_not_run_say_so() -> None:
    for text in (DOCKERFILE, COMPOSE, UNIT):
        head = " ".join(re.findall(r"^# (.*)", text, re.M)[:4])
        assert re.search(r"(where|engine) [\w ]* ?this was written", head)


def test_deployment_sets_only_what_the_program_reads() -> None:
    written = "\n".join(path.read_text("utf-8") for path in (ROOT / "companion").rglob("*.py"))
    named = set(re.findall(r"COMPANION_(\w+)", DOCKERFILE + COMPOSE + UNIT))
    assert {"DATABASE", "SECRET_KEY", "SITE_URL", "RATE_STORE", "PROXIES"} <= named
    assert {name for name in named - set(DEFAULTS) if f'"{name}"' not in written} == set()


def test_deployment_starts_programs_with_arguments_that_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    started = [json.loads(found) for found in re.findall(r"^CMD (\[.*\])", DOCKERFILE, re.M)]
    started += [line.split() for line in re.findall(r"^ExecStart=(.*)", UNIT, re.M)]
    main(["serve", "--help"])
    options = set(re.findall(r"--\w+", capsys.readouterr().out))
    assert len(started) == 2
    for command in started:
        assert (Path(command[0]).name, command[1]) == ("companion", "serve")
        assert {word for word in command if word.startswith("--")} <= options
    services = yaml.safe_load(COMPOSE)["services"]
    for command in (service["command"] for service in services.values() if "build" in service and "command" in service):
        assert command[0] == "companion"
        assert command[1] in cli.commands


def test_proxy_and_containers_agree_on_names_ports_and_paths(shared_client: FlaskClient) -> None:
    services = yaml.safe_load(COMPOSE)["services"]
    port = re.search(r'"--port", "(\d+)"', DOCKERFILE)[1]
    web = {name for name, service in services.items() if "build" in service and "command" not in service}
    assert set(re.findall(r"server (\w+):" + port, UPSTREAM)) == web == set(services["proxy"]["depends_on"])
    assert f"EXPOSE {port}" in DOCKERFILE
    path = re.search(rf"127\.0\.0\.1:{port}(/\w+)", DOCKERFILE)[1]
    assert shared_client.get(path).status_code == 200
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
    hosts = set(re.findall(r"(?:@|redis://)([a-z]\w*)[:/]", COMPOSE))
    assert hosts == {"database", "counts"} <= set(services)
    for volume in services["proxy"]["volumes"]:
        inside = volume.split(":")[-2]
        assert inside.endswith(".conf") or f"{inside}/" in PROXY
        assert volume.startswith("${TLS_FOLDER") or (ROOT / volume.split(":")[0]).is_file()


@pages
def test_every_setting_that_compose_asks_for_is_shown(lang: str) -> None:
    shown = set(re.findall(r"export (\w+)=", "\n".join(blocks(PAGES[lang]))))
    assert set(re.findall(r"\$\{(\w+)", COMPOSE)) <= shown
    addresses = re.findall(r"\w+://\S*", COMPOSE)
    assert not [address for address in addresses if "$" in address], "a password may have any sign"


@pages
def test_the_unit_runs_what_the_page_installs(lang: str) -> None:
    install, by_hand = blocks(PAGES[lang])[:2]
    state = re.search(r"^StateDirectory=(\w+)", UNIT, re.M)[1]
    assert f"--home-dir /var/lib/{state}" in install
    assert re.search(r"useradd .*?(\w+)$", install, re.M)[1] == re.search(r"^User=(\w+)", UNIT, re.M)[1]
    assert re.search(r"^ExecStart=(.*)", UNIT, re.M)[1] in by_hand.splitlines()
    assert "/opt/companion/bin/pip install --no-deps ." in install
    for name in ("DATABASE", "PROXIES", "SITE_URL"):
        setting = re.search(rf"COMPANION_{name}=(\S+)", UNIT)[1]
        assert f"export COMPANION_{name}={setting}\n" in by_hand
    assert re.search(r"COMPANION_DATABASE=(\S+)/", UNIT)[1] == f"/var/lib/{state}"
    assert re.search(r"^KillMode=control-group$", UNIT, re.M)


@pytest.mark.slow
def test_the_lines_of_the_dockerfile_install_a_service_that_answers(tmp_path: Path) -> None:
    """In a clean folder in place of the image, with this Python: what installs, the settings, and the command."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = [name.decode() for name in tracked.split(b"\0") if name and (ROOT / name.decode()).is_file()]
    for name in names:
        (tmp_path / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / "src" / name)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COMPANION_"))}

    def here(text: str) -> str:
        text = re.sub(r"(?<![\w/])/(app|data)\b", rf"{tmp_path}/\1", text)
        return text.replace("python -m venv", f"{sys.executable} -m venv")

    (install,) = re.findall(r"^RUN (python(?:.*\\\n)*.*)", DOCKERFILE, re.M)
    done = subprocess.run(here(install), shell=True, cwd=tmp_path / "src", env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(tmp_path / "src")
    (tmp_path / "data").mkdir(mode=0o700)
    (text,) = re.findall(r"^ENV ((?:.*\\\n)*.*)", DOCKERFILE, re.M)
    settings = dict(setting.split("=", 1) for setting in here(text).replace("\\\n", " ").split())
    settings["PATH"] = settings["PATH"].replace("$PATH", clean["PATH"])
    command = json.loads(re.findall(r"^CMD (\[.*\])", DOCKERFILE, re.M)[-1])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command[command.index("--host") + 1], command[command.index("--port") + 1] = "127.0.0.1", str(port)
    server = subprocess.Popen(
        command, cwd=tmp_path / "data", env=clean | settings, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert "Serving on" in server.stdout.readline()
        (check,) = re.findall(r"HEALTHCHECK .*CMD (\[.*\])", DOCKERFILE)
        healthy = [word.replace(":8000/", f":{port}/").replace("timeout=4", "timeout=60") for word in json.loads(check)]
        assert subprocess.run(healthy, env=clean | settings).returncode == 0
    finally:
        server.terminate()
        server.communicate(timeout=60)
    assert (tmp_path / "data/companion.sqlite3").is_file()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "companion.service"
    unit.write_text(re.sub(r"^User=.*", "", UNIT, flags=re.M).replace("/opt/companion/bin/companion", "/bin/true"))
    checked = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=60)
    assert (checked.returncode, [line for line in checked.stderr.splitlines() if unit.name in line]) == (0, [])
