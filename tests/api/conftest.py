"""What Schemathesis needs to make requests from the OpenAPI document of an application that forgets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Err
from schemathesis.generation.meta import TestPhase
from schemathesis.pytest.lazy import get_all_tests

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            # A game's rules are more than a schema says (tricks add up to 13): sound shapes may be refused.
            # And longer than the few kilobytes that an address takes.
            "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 400, 401, 404, 412, 413, 422]},
            "negative_data_rejection": {"expected-statuses": [400, 401, 404, 405, 412, 413, 415, 422, 428]},
            "missing_required_header": {"expected-statuses": [400, 401, 428]},
        },
    }
)


@schemathesis.serializer("application/x-ndjson")
def ndjson(context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson")
def read_ndjson(context: object, response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined]


@schemathesis.hook
def before_call(context: object, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Ask for a body that is not compressed: Schemathesis accepts brotli but does not undo it without a server."""
    case.headers["Accept-Encoding"] = "identity"


@pytest.fixture(scope="module")
def described() -> Any:
    """The whole document. Loaded when a test runs: when it is collected, every test process would pay for it."""
    from companion.web import create_app

    app = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:"})
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=CONFIG)


@contextmanager
def sample_of_bounds(schema: Any, *, first: int, step: int) -> Iterator[None]:
    """Make only every so many of the requests with every bound of every field: some twenty thousand for the API."""
    numbers = itertools.count()

    def filter_case(context: object, case: schemathesis.Case) -> bool:
        bounds = case.meta is not None and case.meta.phase.name is TestPhase.COVERAGE
        return not bounds or next(numbers) % step == first

    schema.hooks.hook(filter_case)  # what includes some operations shares its hooks with the whole
    yield
    schema.hooks.unregister(filter_case)


def ask_everything(
    schema: Any, check: Callable[[schemathesis.Case], None], *, examples: int, phases: list[Phase], seed: int = 0
) -> None:
    """Run the check on generated requests of every operation of a document.

    Schemathesis' own `parametrize` generates them when tests are collected, which every test process does: with bounds
    of every option that is half a minute for each. Its lazy schemas do not work with pytest 9.
    """
    load_all_checks()
    chosen = settings(
        max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), phases=phases
    )
    seeded = hypothesis.seed(seed)(check) if seed else check
    tests = list(get_all_tests(schema=schema, test_func=seeded, settings=chosen, given_kwargs=None))
    assert tests
    for found in tests:
        assert not isinstance(found, Err)
        found.ok()[1]()
