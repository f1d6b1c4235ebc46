from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from heed.app.errors import RequestError
from heed.app.http.request_body import parse_json
from heed.app.inference.limits import UNITS
from heed.app.settings import Settings
from tests.app.test_errors import JSON, URL, error_of
from tests.conftest import wait_for

NO_LIMITS = {"port", "threads", "workers", "trusted_proxies", "metrics"}


def test_every_numeric_setting_is_listed_as_a_limit() -> None:
    numbers = {
        name
        for name, field in Settings.model_fields.items()
        if isinstance(field.default, int | float)
    }
    assert set(UNITS) == numbers - NO_LIMITS


def test_limits_have_value_unit_and_description(served: Callable) -> None:
    with served(preload="none", max_beam=7) as server:
        limits = {
            each["name"]: each for each in server.client.get("/api/v1/limits").json()["limits"]
        }
    assert limits["max_beam"] == {
        "name": "max_beam",
        "value": 7,
        "unit": "hypotheses",
        "setting": "HEED_MAX_BEAM",
        "description": "Maximum number of hypotheses of a beam search.",
    }
    assert all(each["description"].endswith(".") for each in limits.values())


def test_a_beam_above_the_limit_of_the_server_is_refused(served: Callable) -> None:
    with served(preload="none", max_beam=2) as server:
        beam = {"text": "3 may 1979", "search": {"kind": "beam", "beam": 3}}
        answer = server.client.post(URL, json=beam)
        assert "at most 2" in error_of(answer, 422, "out_of_range")["message"]
        batch = {"texts": ["3 may 1979"], "search": beam["search"]}
        error_of(server.client.post(URL + "/batch", json=batch), 422, "out_of_range")
        assert server.client.post(URL, json={"text": "3 may 1979"}).status_code == 200


@pytest.mark.parametrize("levels", [33, 500, 5000, 100_000])
@pytest.mark.parametrize("sign", ["[]", "{}"])
def test_json_nested_too_deeply_is_refused(client: httpx.Client, levels: int, sign: str) -> None:
    opening = sign[0] if sign == "[]" else '{"a":'
    body = opening * levels + "1" + sign[1] * levels
    error = error_of(client.post(URL, content=body.encode(), headers=JSON), 400, "bad_json")
    assert "nested" in error["message"]


def test_nesting_counts_levels_and_not_brackets() -> None:
    assert parse_json(b"[" * 32 + b"]" * 32)
    assert parse_json(b"[" + b",".join([b"[]"] * 100) + b"]")
    assert parse_json(b'["' + b"[" * 100 + b'"]')
    with pytest.raises(RequestError):
        parse_json(b"[" * 33 + b"]" * 33)


def test_responses_beyond_the_memory_budget_are_refused(
    served: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    with served(preload="none") as server:
        budget = server.app.state.service.body_budget
        server.client.post(URL, json={"text": "3 may 1979"})
        budget.reserved = budget.most - 1000
        error_of(server.client.get("/"), 503, "overloaded")
        answer = server.client.post(
            URL, json={"text": "3 may 1979"}, headers={"Accept": "text/event-stream"}
        )
        assert answer.text.startswith("event: start")  # its events are small
        budget.reserved = 0
        assert server.client.get("/").status_code == 200
    assert "Traceback" not in caplog.text


def test_bodies_beyond_the_memory_budget_are_refused(served: Callable) -> None:
    with served(preload="none") as server:
        budget = server.app.state.service.body_budget
        budget.reserved = budget.most - 10
        answer = server.client.post(URL, json={"text": "3 may 1979"})
        error_of(answer, 503, "overloaded")
        assert answer.headers["retry-after"]
        budget.reserved = 0
        assert server.client.post(URL, json={"text": "3 may 1979"}).status_code == 200
        server.client.post(URL, content=b" " * 2_000_000, headers=JSON)
        wait_for(lambda: budget.reserved == 0)


def test_a_form_of_many_fields_is_refused(served: Callable) -> None:
    fields = {f"f{number}": "a" for number in range(20)}
    with served(preload="none") as server:
        answer = server.client.post("/api/v1/caption", data=fields, files={"image": b""})
        error_of(answer, 400, "bad_form")
