"""Schemathesis follows the document from answer to request: what one call made is used by the next."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.api.test_fuzz import IN_CI, schema

TestWalk = schema.as_state_machine().TestCase
TestWalk.settings = settings(
    max_examples=12 if IN_CI else 3,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
