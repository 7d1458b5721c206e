"""Browser tests wait: what is read from a page at once is what it showed before the click as often as after it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
EXPECTED = {
    "all_inner_texts", "all_text_contents", "inner_html", "inner_text", "input_value", "is_checked", "is_disabled",
    "is_editable", "is_enabled", "is_hidden", "is_visible", "text_content",
}  # fmt: skip
"""What `expect(locator)` asks as well, and goes on asking until it is so."""
MEASURED = {"bounding_box", "content", "evaluate", "evaluate_all", "get_attribute"}
"""What has no such question always: read into a name after something was expected, not inside an assertion."""
PRESSED = {"click", "press"}


def in_a_browser(tree: ast.Module) -> bool:
    """Whether a module works pages: it takes `page`, `browser` or `new_phone`, or a class of it keeps a page."""
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    marked = any(isinstance(node, ast.Attribute) and node.attr == "browser" for node in ast.walk(tree))
    return marked or bool({"page", "browser", "new_phone"} & names and "playwright" in ast.dump(tree))


def called(node: ast.AST) -> str:
    """The name of the method that a call calls."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def hasty(source: str) -> Iterator[tuple[int, str]]:
    """Every line that does not wait for the page it asks, and what it does instead."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (called(node) in EXPECTED or (called(node) == "count" and not node.args)):
            yield node.lineno, called(node)
        if isinstance(node, ast.Call) and called(node) == "wait_for_function" and "async" in ast.unparse(node):
            yield node.lineno, "wait_for_function"  # which takes a promise for true
        if isinstance(node, ast.Assert):
            for part in ast.walk(node.test):
                if isinstance(part, ast.Call) and called(part) in MEASURED:
                    yield part.lineno, called(part)
                elif (
                    isinstance(part, ast.Attribute) and part.attr == "url" and ast.unparse(part.value).endswith("page")
                ):
                    yield part.lineno, "url"
        for statements in (getattr(node, field, None) for field in ("body", "orelse")):
            if isinstance(statements, list):
                yield from interrupted(statements)


def interrupted(statements: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Every press of a button whose page is left, or whose address is read, before what it does has happened."""
    for first, second in itertools.pairwise(statements):
        if isinstance(first, ast.Expr) and called(first.value) in PRESSED and "keyboard" not in ast.unparse(first):
            asked = ast.unparse(second).partition("\n")[0]  # of a loop or a block only how it begins
            if ".goto(" in asked or "page.url" in asked:
                yield second.lineno, "goto"


@pytest.fixture(scope="module")
def browser_tests() -> dict[Path, str]:
    """The source of every module that works pages. Read when a test runs: every test process collects."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py"))}
    named = {path: source for path, source in sources.items() if "playwright" in source or ".browser" in source}
    return {path: source for path, source in named.items() if in_a_browser(ast.parse(source))}


def test_a_browser_test_waits_for_what_it_expects(browser_tests: dict[Path, str]) -> None:
    found = {path.relative_to(TESTS).as_posix(): sorted(hasty(source)) for path, source in browser_tests.items()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_browser_tests_are_found(browser_tests: dict[Path, str]) -> None:
    found = {path.parent.name for path in browser_tests}
    assert {"keeper", "referee", "web", "api"} <= found


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("assert page.locator('tr').count() == 2", "count"),
        ("assert not page.locator('rt').first.is_visible()", "is_visible"),
        ("texts = page.locator('td').all_inner_texts()", "all_inner_texts"),
        ("assert 'x' in page.locator('p').inner_text()", "inner_text"),
        ("assert page.locator('a').get_attribute('href') == '/'", "get_attribute"),
        ("assert page.evaluate('scrollY') == 0", "evaluate"),
        ("assert keeper.page.url == sheet", "url"),
        ("button.click()\npage.goto('/')", "goto"),
        ("button.click()\nsheet = page.url", "goto"),
        ("page.wait_for_function('async () => await seen()')", "wait_for_function"),
    ],
)
def test_a_hasty_line_would_be_found(line: str, why: str) -> None:
    assert [found for _, found in hasty(line)] == [why]


def test_a_patient_line_is_left_alone() -> None:
    lines = (
        "expect(page.locator('tr')).to_have_count(2)", "width = page.evaluate('innerWidth')", "assert 'aba'.count('a')",
        "with page.expect_navigation():\n    button.click()\npage.goto('/')",
        "page.wait_for_function('() => seen')", "button.click()\npage.wait_for_url('/x')\npage.goto('/')",
        "page.keyboard.press('Tab')\npage.goto('/')",
    )  # fmt: skip
    assert [line for line in lines if [*hasty(line)]] == []
