"""Schemathesis makes requests from the OpenAPI document: no fault of ours, no answer that it does not know."""

from __future__ import annotations

import os

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from companion.web import create_app

IN_CI = os.environ.get("CI") == "true"
EXAMPLES = 15 if IN_CI else 4

APP = create_app({"RATE_LIMIT": "off", "DATABASE": "memory:"})
CONFIG = SchemathesisConfig.from_dict(
    {
        "phases": {"coverage": {"enabled": IN_CI}},  # every bound of every option: some twenty thousand requests
        "checks": {
            # A game's rules are more than a schema says (tricks add up to 13): sound shapes may be refused.
            "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 400, 401, 404, 412, 422]},
            "negative_data_rejection": {"expected-statuses": [400, 401, 404, 405, 412, 413, 415, 422, 428]},
            "missing_required_header": {"expected-statuses": [400, 401, 428]},
        },
    }
)
schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", APP, config=CONFIG)


@schemathesis.serializer("application/x-ndjson")
def ndjson(context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.deserializer("application/x-ndjson")
def read_ndjson(context: object, response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined]


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)  # fmt: skip
def test_answers_are_as_documented(case: schemathesis.Case) -> None:
    case.call_and_validate()
