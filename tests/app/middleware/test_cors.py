from __future__ import annotations

from collections.abc import Callable

import httpx

MODELS = "/api/v1/models"


def test_pages_of_other_origins_may_call_the_api_only_if_they_are_allowed(
    client: httpx.Client, served: Callable
) -> None:
    theirs = {"Origin": "https://theirs.example"}
    assert "access-control-allow-origin" not in client.get(MODELS, headers=theirs).headers
    asking = {**theirs, "Access-Control-Request-Method": "POST"}
    assert client.options("/api/v1/translate", headers=asking).status_code == 405
    with served(preload="none", cors_origins="https://theirs.example") as server:
        response_headers = server.client.get(MODELS, headers=theirs).headers
        assert response_headers["access-control-allow-origin"] == "https://theirs.example"
        preflight = server.client.options("/api/v1/translate", headers=asking)
        assert preflight.status_code == 200
        other = server.client.get(MODELS, headers={"Origin": "https://other.example"})
        assert "access-control-allow-origin" not in other.headers
