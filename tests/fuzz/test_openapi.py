"""Whatever the description of the API allows is asked, and much that it does not."""

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
from tests.scale import amount, told

# For each call, of the good and of the bad kind.
CASES = int(os.environ.get("FUZZ_CASES", amount(6, 700)))
NOT_HELD = {
    # What a text says, or a picture shows, is more than a schema can tell: a blank one is refused.
    "positive_data_acceptance",
    # They ask again, and more: done by tests of their own.
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


def unsaid(case: schemathesis.Case) -> bool:
    """Whether what is wrong may not be so as it is sent: a form has strings, and no empty lists."""
    return case.media_type == "multipart/form-data"


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_what_the_description_allows_and_what_not(
    server: Running,
    schema: schemathesis.schemas.BaseSchema,
    session: requests.Session,
    mode: GenerationMode,
) -> None:
    checks: list[CheckFunction] = [
        check for check in CHECKS.get_all() if check.__name__ not in NOT_HELD
    ]
    codes = all_codes()
    answers: dict[int, int] = {}
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
        def ask(case: schemathesis.Case) -> None:
            response = case.call(base_url=server.url, session=session, timeout=60)
            answers[response.status_code] = answers.get(response.status_code, 0) + 1
            if response.status_code >= 400:
                code = response.json()["error"]["code"]
                assert codes[code].status == response.status_code
            held = [check for check in checks if not (unsaid(case) and check.__name__ == REFUSED)]
            case.validate_response(response, checks=held)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NonInteractiveExampleWarning)
            try:
                ask()
            except Unsatisfiable:
                continue  # nothing of it can be wrong
    told(mode=mode.value, cases=sum(answers.values()), answers=dict(sorted(answers.items())))
    assert answers
    assert not [status for status in answers if status >= 500]
