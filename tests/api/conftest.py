"""What Schemathesis needs to make requests from the OpenAPI document of an application that forgets."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.generation.meta import TestPhase
from schemathesis.python._constants.orchestrator import make_constants_value_source

from companion.engine.shapes import SHAPE_CODES

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            # Whoever has no secret, or no sheet, gets 401 and 404; 422 is looked into by `answers_by_the_rules`.
            "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 401, 404, 412, 413, 422]},
            "negative_data_rejection": {"expected-statuses": [400, 401, 404, 405, 412, 413, 415, 422, 428]},
            "missing_required_header": {"expected-statuses": [400, 401, 428]},
            # It wants 401 or 403 for a wrong secret; here a sheet is not there (404) for who has no secret of it, so
            # that nobody learns which ids there are. `LiveSheets.check_secret` looks into that in its place.
            "ignored_auth": {"enabled": False},
        },
    }
)


@schemathesis.serializer("application/x-ndjson")
def ndjson(context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson")
def read_ndjson(context: object, response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined]


@schemathesis.check
def answers_by_the_rules(context: object, response: Any, case: schemathesis.Case) -> None:
    """What the document allows is never refused for its shape: only by a rule, or beside the rest of the input.

    At `/games/{game}/...` the game in the path says which of the bodies is meant; each game has paths of its own too.
    """
    sound = case.meta is not None and case.meta.generation.mode.is_positive
    if response.status_code != 422 or not sound or "{game}" in case.operation.path:
        return
    errors = json.loads(response.content).get("errors", ())
    faults = [each for each in errors if each["code"] in SHAPE_CODES and not each.get("contextual")]
    assert not faults, f"The document allows it, and it is refused: {faults}"


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
    operation: Any, check: Callable[[schemathesis.Case], None], *, examples: int, bounds: bool, seed: int = 0
) -> None:
    """Run the check on an operation's own examples and on generated requests, with `bounds` at every bound, too.

    Schemathesis' own `parametrize` generates them when tests are collected, which every test process does: with bounds
    of every option that is half a minute for each. Its lazy schemas do not work with pytest 9, and look for constants
    in the program for each operation anew.
    """
    load_all_checks()
    modes = [HypothesisTestMode.EXAMPLES, HypothesisTestMode.FUZZING, HypothesisTestMode.COVERAGE]
    whole = operation.schema
    config = HypothesisTestConfig(
        modes=modes if bounds else modes[:2],
        explicit_settings=settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
        ),
        project=whole.config,
        feedback=FeedbackSources(constants_value_source=make_constants_value_source(whole)),
    )
    create_test(operation=operation, test_func=hypothesis.seed(seed)(check) if seed else check, config=config)()
