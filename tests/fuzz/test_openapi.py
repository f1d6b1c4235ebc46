"""Requests that the OpenAPI document allows, and requests that it does not."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import NonInteractiveExampleWarning, Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, CheckFunction, load_all_checks

from heed.app.errors import all_codes
from tests.conftest import Running
from tests.scale import amount, report

# For each operation, of valid and of invalid requests.
CASES = int(os.environ.get("FUZZ_CASES", amount(4, 700)))
EXCLUDED = {
    # A schema cannot describe the content of a text or a picture: a blank text is refused.
    "positive_data_acceptance",
    # Other tests cover these.
    *("use_after_free", "ensure_resource_availability", "ignored_auth"),
    *("object_level_authorization", "max_response_time"),
}
REFUSED = "negative_data_rejection"
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)

load_all_checks()


@pytest.fixture(scope="module")
def schema(server: Running) -> schemathesis.schemas.BaseSchema:
    return schemathesis.openapi.from_dict(server.client.get("/openapi.json").json())


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def loses_types(case: schemathesis.Case) -> bool:
    """Return whether an invalid value may become valid: a form has strings, and no empty lists."""
    return case.media_type == "multipart/form-data"


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_responses_conform_to_the_document(
    server: Running,
    schema: schemathesis.schemas.BaseSchema,
    session: requests.Session,
    mode: GenerationMode,
) -> None:
    checks: list[CheckFunction] = [
        check for check in CHECKS.get_all() if check.__name__ not in EXCLUDED
    ]
    codes = all_codes()
    statuses: dict[int, int] = {}
    for found in schema.get_all_operations():
        operation = found.ok()
        strategy = operation.as_strategy(generation_mode=mode)

        @settings(
            max_examples=CASES,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=strategy)
        def send(case: schemathesis.Case) -> None:
            response = case.call(base_url=server.url, session=session, timeout=60)
            statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
            if response.status_code >= 400:
                code = response.json()["error"]["code"]
                assert codes[code].status == response.status_code
            # Schemathesis does not know that a body may be too large for a refusal of its content.
            accepts = loses_types(case) or response.status_code == 413
            applied = [check for check in checks if not (accepts and check.__name__ == REFUSED)]
            case.validate_response(response, checks=applied)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NonInteractiveExampleWarning)
            try:
                send()
            except Unsatisfiable:
                continue  # no request can be invalid
    report(mode=mode.value, cases=sum(statuses.values()), answers=dict(sorted(statuses.items())))
    assert statuses
    assert not [status for status in statuses if status >= 500]
