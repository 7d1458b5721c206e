"""The application, its clients, a live server, a browser; what a machine lacks skips a test, but fails it in CI."""

from __future__ import annotations

import gc
import json
import logging
import os
import shutil
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import axe_playwright_python
import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect
from werkzeug.serving import make_server

DATABASE = "companion.sqlite3"
VECTORS = Path(__file__).parent / "vectors"
CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")  # the same engine without a browser's own interface, at half the cost
    or shutil.which("chromium")
    or "/usr/bin/chromium"
)
POSTGRES = ("127.0.0.1", 5432)
IN_CI = os.environ.get("CI") == "true"
SOAKED = "soaked:"
SECONDS = Path(__file__).with_name("seconds.json")
"""What each slow file of tests took when `--write-seconds` was last given: only the order matters."""
PATIENCE = 60_000
"""Milliseconds within which a page shows or does what is expected, however busy the machine is."""
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

expect.set_options(timeout=PATIENCE)
# jsonschema loads a grammar of international addresses if it is there, which takes each test process four seconds; no
# schema of the API speaks of such addresses.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--soak", type=int, default=1, metavar="ROUNDS",
        help="run every randomised test for so many rounds, each with random numbers of its own (default: 1)",
    )  # fmt: skip
    parser.addoption(
        "--soak-first", type=int, default=0, metavar="ROUND",
        help="the number of the first round, so that a further run has random numbers that no other had (default: 0)",
    )  # fmt: skip
    parser.addoption("--write-seconds", action="store_true", help=f"write what files took to {SECONDS.name}")


def pytest_configure(config: pytest.Config) -> None:
    """Let Hypothesis take its time where the machine is busy, and try three times as much in a long run.

    A short run tries the same examples each time: whether a change is accepted is no matter of luck.
    """
    patient = settings(settings.get_profile("default"), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("long", patient, max_examples=3 * patient.max_examples)
    settings.register_profile("patient", patient, derandomize=True, database=None)
    settings.load_profile("long" if config.getoption("soak") > 1 else "patient")
    gc.disable()  # until everything is collected: hardly anything of it is garbage


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for `soak_round` its rounds; the first is the one of every run."""
    if "soak_round" in metafunc.fixturenames:
        first = metafunc.config.getoption("soak_first")
        rounds = range(first, first + metafunc.config.getoption("soak"))
        metafunc.parametrize("soak_round", rounds, ids=[f"round{number}" for number in rounds])


def pytest_collection_finish() -> None:
    """Keep what was loaded out of the garbage collector's way, as a server does: a twentieth of all the time."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)  # another twentieth: hardly anything that a test leaves refers to itself


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is randomised, and put the files that take longest first: each goes to one of several processes.

    Of the cases of a test marked `by_turns(n)` a short run takes one in n, of `by_turns` one: its file decides which,
    so that tests of a file that prepare the same prepare it once.
    """
    turns: dict[str, list[pytest.Item]] = {}
    for item in items:
        if {"soak_round", "thorough"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("soak")
        if item.get_closest_marker("by_turns"):
            item.add_marker("soak")
            turns.setdefault(item.nodeid.partition("[")[0], []).append(item)
    if config.getoption("soak") == 1:
        later = {item for test, cases in turns.items() for item in of_another_turn(test, cases)}
        items[:] = [item for item in items if item not in later]
        config.hook.pytest_deselected(items=list(later))
    seconds = json.loads(SECONDS.read_text("utf-8"))
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 0))


def of_another_turn(test: str, cases: list[pytest.Item]) -> set[pytest.Item]:
    """The cases of a test that a short run leaves to long ones."""
    step = min([len(cases), *cases[0].get_closest_marker("by_turns").args])
    return set(cases) - set(cases[crc32(test.partition("::")[0].encode()) % step :: step])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what the rounds of a long run came to, added up for each test; write what files took if asked."""
    if config.getoption("write_seconds"):
        _write_seconds(terminalreporter.stats)
    if config.getoption("soak") == 1:
        return
    sums: dict[str, dict[str, int]] = {}
    for report in terminalreporter.stats.get("passed", []):
        figures = sums.setdefault(report.nodeid.partition("[")[0], {"rounds": 0})
        for name, value in report.user_properties:
            if name.startswith(SOAKED):
                figures["rounds"] += name == SOAKED
                figures[name.removeprefix(SOAKED)] = figures.get(name.removeprefix(SOAKED), 0) + value
    terminalreporter.section("soak")
    for test, figures in sums.items():
        figures.pop("", None)
        terminalreporter.line(f"{test}: " + ", ".join(f"{value:,} {name}" for name, value in figures.items()))


def _write_seconds(stats: dict[str, list[Any]]) -> None:
    """Keep how long each file took that took more than two seconds, the longest first."""
    seconds: Counter[str] = Counter()
    for report in (each for kind in ("", "passed") for each in stats.get(kind, [])):
        seconds[report.nodeid.partition("::")[0]] += report.duration
    slow = {file: round(taken) for file, taken in seconds.most_common() if taken > 2}
    SECONDS.write_text(json.dumps(slow, indent=1) + "\n", encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def _together(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Name the folder that all processes of a run have, for what one of them prepares for all."""
    with pytest.MonkeyPatch.context() as patch:
        if "PYTEST_XDIST_WORKER" in os.environ:
            patch.setenv("TESTS_TOGETHER", str(tmp_path_factory.getbasetemp().parent))
        yield


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether this is a long run, in which a test that samples goes through everything."""
    return pytestconfig.getoption("soak") > 1


@pytest.fixture(scope="session")
def looked_at(thorough: bool) -> Callable[[Sequence[str], str], Sequence[str]]:
    """A function that answers at which pages this run looks in a language: a short one at each in one of two."""
    from companion.data import LANGUAGES

    return lambda pages, lang: pages if thorough else pages[LANGUAGES.index(lang) :: len(LANGUAGES)]


@pytest.fixture
def soaked(record_property: Any) -> Any:
    """A function that counts what a round came to, for the figures of a long run: `soaked(deals=20_000)`."""
    record_property(SOAKED, 1)

    def count(**figures: int) -> None:
        for name, value in figures.items():
            record_property(f"{SOAKED}{name}", value)

    return count


def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than the machine has cores: those that drive a browser or a server wait for it a lot."""
    return min(6, (os.cpu_count() or 1) + 2)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, lacking in (("browser", _browser_lacking), ("postgres", _postgres_lacking)):
        if item.get_closest_marker(marker) and (reason := lacking()):
            (pytest.fail if IN_CI else pytest.skip)(reason)


def _browser_lacking() -> str | None:
    return None if os.access(CHROMIUM, os.X_OK) else f"no browser at {CHROMIUM}"


def _postgres_lacking() -> str | None:
    try:
        socket.create_connection(POSTGRES, timeout=2).close()
    except OSError as fault:
        return f"no PostgreSQL server on {POSTGRES[0]}:{POSTGRES[1]}: {fault}"
    return None


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The server that tests marked `postgres` may fill and empty."""
    return "postgresql+psycopg://postgres@127.0.0.1:5432/test"


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The one application of a test process; a test that writes takes `app`, one that adds routes takes `fresh_app`."""
    from companion.web import create_app

    return create_app(settings_in(tmp_path_factory.mktemp("shared")))


@pytest.fixture
def app(shared_app: Flask, tmp_path: Path) -> Iterator[Flask]:
    """The shared application on an empty database of its own; its settings and checks are restored afterwards."""
    with in_folder(shared_app, tmp_path):
        yield shared_app


@cache
def empty_database() -> bytes:
    """The file of a migrated database without sheets: migrating one for each test takes a second in fifty tests."""
    from companion.sheets.store import open_store

    with TemporaryDirectory() as folder:
        place = Path(folder) / DATABASE
        open_store(place).close()
        return place.read_bytes()


@contextmanager
def in_folder(app: Flask, folder: Path) -> Iterator[None]:
    """Serve the sheets of a folder's database; settings and checks of the application are restored afterwards."""
    from companion.sheets.store import open_store
    from companion.web.sheet_service import use_store

    config = dict(app.config)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "extensions", dict(app.extensions))
        patch.setitem(app.extensions, "readiness", dict(app.extensions["readiness"]))
        patch.setattr(app.logger, "disabled", False)
        app.config.update(settings_in(folder))
        if not (folder / DATABASE).exists():
            (folder / DATABASE).write_bytes(empty_database())
        store = open_store(app.config["DATABASE"], key=app.config["SECRET_KEY"])
        use_store(app, store)
        yield
        store.close()
    app.config.clear()
    app.config.update(config)


@pytest.fixture
def fresh_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """An application that has answered nothing yet, for a test that changes more than settings."""
    from companion.web import create_app

    app = create_app(settings_in(tmp_path))
    monkeypatch.setattr(app.logger, "disabled", False)  # restored afterwards: applications share their logger
    return app


@pytest.fixture
def client(app: Flask) -> Any:
    return app.test_client()


@pytest.fixture
def runner(app: Flask) -> Any:
    return app.test_cli_runner()


@pytest.fixture(scope="session")
def shared_client(shared_app: Flask) -> Any:
    """One client for the many tests that leave nothing behind."""
    return shared_app.test_client()


@pytest.fixture(scope="session")
def live_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs for the whole session."""
    from companion.web import create_app

    app = create_app(settings_in(tmp_path_factory.mktemp("live")))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def base_url(live_site: str) -> str:
    """What relative addresses of browser tests start from."""
    return live_site


def one_of_three(attempt: Callable[[], bool]) -> bool:
    """Return whether one of three attempts is in time.

    Other work of the machine makes a client or a server late now and then; what is wrong is late each time.
    """
    return any(attempt() for _ in range(3))


def settings_in(folder: Path) -> dict[str, Any]:
    """Settings of an application under test."""
    return {
        "TESTING": True,
        "METRICS": True,
        "HOSTS": ".example",
        "RATE_LIMIT": "off",
        "DATABASE": f"sqlite:///{folder / DATABASE}",
    }


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    flags = [
        "--no-sandbox",  # the build machine is root; only pages of this program are opened
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        # Each page would begin a process of its own, and what paints it another one: a fifth of what a new page costs.
        "--renderer-process-limit=1",
        "--in-process-gpu",
        # No page and no phone's worker lives long enough for optimising compilers to be worth their time.
        "--js-flags=--liftoff-only,--no-turbofan",
    ]
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": flags}


@pytest.fixture(scope="session")
def browser(browser: Any) -> Any:
    """A browser whose pages are waited for as long as what is expected of them: a click, a page that is opened."""
    plain = browser.new_context

    def new_context(**settings: Any) -> Any:
        context = plain(**settings)
        context.set_default_timeout(PATIENCE)
        return context

    browser.new_context = new_context
    return browser


A_FEW_OF_A_KIND = """measured => {
  // WCAG's large text: 18 points, or 14 and bold.
  const large = s => parseFloat(s.fontSize) >= (s.fontWeight >= 700 ? 56 / 3 : 24);
  const paint = new Map();
  const behind = each => {
    if (!each) return "";
    if (!paint.has(each)) {
      const s = getComputedStyle(each);
      const own = [s.backgroundColor, s.backgroundImage, s.opacity, s.filter, s.mixBlendMode].join();
      paint.set(each, behind(each.parentElement) + (own === "rgba(0, 0, 0, 0),none,1,none,normal" ? "" : own + ";"));
    }
    return paint.get(each);
  };
  const marked = [];
  for (const each of document.querySelectorAll("body *")) {
    each.removeAttribute("data-measured");
    const written = [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!written && !each.matches("a, input, select, textarea")) continue;
    const s = getComputedStyle(each), box = each.getBoundingClientRect();
    const kind = [
      innerWidth, s.color, large(s), s.textShadow !== "none" && [s.textShadow, s.fontSize],
      s.position, s.clip, s.clipPath,
      each.checkVisibility(), box.width > 1 && box.height > 1,
      each.matches(":disabled, :disabled *, [aria-disabled=true] *"), behind(each), each.textContent.trim().length > 1,
      each.matches("a") && [s.textDecorationLine, s.borderBottom, getComputedStyle(each.parentElement).color],
    ].join();
    if ((measured[kind] || 0) >= 3) continue;
    measured[kind] = (measured[kind] || 0) + 1;
    each.toggleAttribute("data-measured", true);
    marked.push(kind);
  }
  for (const each of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")) {
    const box = each.getBoundingClientRect(), parent = each.parentElement;
    if (!each.checkVisibility() || Math.min(box.width, box.height) >= 24) continue;
    const kind = ["target", innerWidth, each.tagName, each.className, parent.tagName, parent.className].join();
    if ((measured[kind] || 0) >= 3) continue;
    measured[kind] = (measured[kind] || 0) + 1;
    marked.push(kind);
  }
  return marked;
}"""
"""Mark three elements of each kind of text on all pages of a file of tests; return their kinds, and of small targets.

What is painted alike has the same contrast, with what is behind it and with the text around it, and what is large
enough for a finger needs no space around it: axe, which lays a grid over the page for these two and takes three
quarters of its time for it, is asked about three of a kind."""
ARRIVE = "for (const each of document.getAnimations()) each.finish()"
"""Let everything that moves be where it ends: halfway, a colour is none of the design's."""
BY_COLOUR = ["color-contrast", "link-in-text-block"]
"""What axe measures on what is marked, in every theme."""
BY_SIZE = ["target-size"]


@pytest.fixture(scope="module")
def measured() -> dict[str, int]:
    """How many elements of each kind of text the tests of a file have measured."""
    return {}


DRAW_EVERYTHING = """const whole = new CSSStyleSheet();
whole.replaceSync("* { content-visibility: visible !important }");
document.adoptedStyleSheets.push(whole);
"""
"""What is not drawn yet has a guessed size: measured there, it would lie over what follows."""


@pytest.fixture
def axe(thorough: bool, measured: dict[str, int]) -> Any:
    """A function that returns what axe finds on a page. Evaluated, since the pages' policy admits no foreign script.

    With `contrast_only` it asks for that alone: of all that axe looks for, another theme can change nothing else. A
    long run leaves nothing out that an earlier page of the file had alike.
    """
    source = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    narrowed = [
        {"id": "color-contrast", "selector": "[data-measured]"},
        {"id": "link-in-text-block", "selector": "a[href][data-measured]"},
    ]
    source += f";axe.configure({{rules: {json.dumps(narrowed)}}})"
    ask = "asked => axe.run(document, asked).then(result => result.violations)"

    def violations(page: Any, *, contrast_only: bool = False) -> list[str]:
        page.evaluate(ARRIVE)
        new = page.evaluate(A_FEW_OF_A_KIND, {} if thorough else measured)
        whole = not contrast_only
        if not whole and all(kind.startswith("target,") for kind in new):
            return []
        for kind in new:
            measured[kind] = measured.get(kind, 0) + 1
        if not page.evaluate("'axe' in window"):
            page.evaluate(f"{DRAW_EVERYTHING}{source}")
        small = {kind for kind in new if kind.startswith("target,")}
        only = {"type": "tag", "values": WCAG} if whole else {"type": "rule", "values": BY_COLOUR}
        asked = {"runOnly": only, "resultTypes": ["violations"], "preload": False}
        if whole and not thorough:
            needless = [*(() if set(new) - small else BY_COLOUR), *(() if small else BY_SIZE)]
            asked["rules"] = {rule: {"enabled": False} for rule in needless}
        found = page.evaluate(ask, asked)
        return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]

    return violations


@pytest.fixture
def faults(axe: Any) -> Any:
    """A function that answers what is wrong with the looks of a page: small and light, a little wider and dark.

    With `also` it asks for further widths that the page is to fit. It begins at the size at which it ended, since each
    change draws the page anew.
    """
    looks = [(320, "light"), (390, "dark")]

    def found(page: Any, *, also: Iterable[int] = ()) -> list[str]:
        wrong = []
        for width, scheme in looks:
            page.emulate_media(color_scheme=scheme)
            wrong += too_wide(page, width)
            wrong += [f"at {width}, {scheme}: {fault}" for fault in axe(page, contrast_only=scheme == "dark")]
        looks.reverse()
        return wrong + [fault for width in also for fault in too_wide(page, width)]

    return found


def too_wide(page: Any, width: int) -> list[str]:
    """Make the window so wide; say if the page is wider."""
    page.set_viewport_size({"width": width, "height": 844})
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [f"at {width} it is {wide} wide"] if wide > width else []


def fresh_access_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next application write its access log to the standard error of this test.

    The first one of a process binds the log to the standard error of that moment, which another test has captured.
    """
    log = logging.getLogger("companion.access")
    monkeypatch.setattr(log, "handlers", [])
    monkeypatch.setattr(log, "propagate", True)
