from __future__ import annotations

import socket
from collections.abc import Callable

import httpx
import pytest

from heed.app.middleware.hosts import MAX_PARAMETERS
from tests.app.server.test_protocol import error_code, read_response
from tests.app.test_errors import error_of
from tests.conftest import Running

MODELS = "/api/v1/models"


def test_an_address_of_very_many_parameters_is_refused(server: Running) -> None:
    assert server.client.get("/?" + "a=1&" * (MAX_PARAMETERS - 1)).status_code == 200
    error_of(server.client.get("/api/v1/models?" + "a=1&" * MAX_PARAMETERS), 400, "bad_http")


def test_requests_for_other_hosts_are_refused(served: Callable) -> None:
    with served(preload="none", allowed_hosts="heed.example.org, *.school.example") as server:

        def get(host: str, path: str = MODELS) -> httpx.Response:
            return server.client.get(path, headers={"Host": host})

        for host in ("heed.example.org", "HEED.example.org:8000", "a.school.example"):
            assert get(host).status_code == 200, host
        for host in (
            "evil.example",
            "school.example",
            "xheed.example.org",
            "[::1]:80",
            "127.0.0.1",
        ):
            error_of(get(host), 400, "unknown_host")
        assert get("10.1.2.3", "/healthz").status_code == 200
        page = server.client.get("/", headers={"Host": "evil", "Accept": "text/html"})
        assert page.status_code == 400
        assert "evil" in page.text


@pytest.mark.parametrize(
    "lines",
    [
        b"",
        b"Host: a\r\nHost: b\r\n",
        b"Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        b"Host: a\r\nContent-Length: " + b"0" * 4400 + b"2\r\n",
        b"Host: a\r\nContent-Length: " + b"9" * 19 + b"9\r\n",
    ],
)
def test_an_ambiguous_host_or_length_is_refused(server: Running, lines: bytes) -> None:
    place = httpx.URL(server.url)
    with socket.create_connection((place.host, place.port), timeout=20) as connection:
        connection.sendall(b"POST /api/v1/translate HTTP/1.1\r\n" + lines + b"\r\n")
        assert error_code(read_response(connection)) == (400, "bad_http")


def test_chunks_of_http_1_0_are_refused(server: Running) -> None:
    place = httpx.URL(server.url)
    with socket.create_connection((place.host, place.port), timeout=20) as connection:
        head = b"POST /api/v1/translate HTTP/1.0\r\nContent-Type: application/json\r\n"
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
        assert error_code(read_response(connection)) == (400, "bad_http")
