from __future__ import annotations

import gc
import json
import socket
import time
from asyncio import Transport
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from weakref import WeakSet

import httpx
import pytest

from heed.app.server import serve
from heed.app.server.protocol import DeadlineProtocol
from tests.conftest import HeldTranslator, Running, wait_for

HURRIED = {"preload": "none", "header_seconds": 0.3, "body_seconds": 0.3}
HEAD = b"POST /api/v1/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@contextmanager
def connect(server: Running, client: str = "127.0.0.1") -> Iterator[socket.socket]:
    address = httpx.URL(server.url)
    place, source = (address.host, address.port), (client, 0)
    with socket.create_connection(place, timeout=20, source_address=source) as connection:
        yield connection


def read_all(connection: socket.socket) -> bytes:
    """Return all bytes until the server closes the connection."""
    received = b""
    while more := connection.recv(65536):
        received += more
    return received


def read_response(connection: socket.socket) -> bytes:
    """Return one JSON response; the connection stays open."""
    received = b""
    while not received.endswith(b"}"):
        more = connection.recv(65536)
        assert more, received
        received += more
    return received


def drip(connection: socket.socket, pieces: Iterable[bytes]) -> bytes:
    """Send pieces slowly until the server answers or closes; return its response."""
    connection.settimeout(0.02)
    for piece in pieces:
        try:
            connection.sendall(piece)
            return connection.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return b""
    raise AssertionError("the server read everything")


def error_code(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    error = json.loads(body)["error"]
    assert error["message"]
    return int(head.split()[1]), error["code"]


def refusals(server: Running, code: str) -> float:
    text = server.client.get("/metrics").text
    found = [row for row in text.splitlines() if f'refusals_total{{code="{code}"}}' in row]
    return float(found[0].split()[1]) if found else 0.0


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("leaves", [False, True], ids=["answered", "left"])
def test_nothing_stays_of_a_closed_connection(served: Callable, leaves: bool) -> None:
    def kept() -> list[DeadlineProtocol]:
        return [each for each in gc.get_objects() if isinstance(each, DeadlineProtocol)]

    with served(**HURRIED) as server:
        before = WeakSet(kept())  # those of clients of other tests, which may close meanwhile
        with connect(server) as connection:
            connection.sendall(HEAD + b"Content-Length: 30\r\n\r\n{")
            assert leaves or b"request_timeout" in read_all(connection)
        wait_for(lambda: all(each in before for each in kept()))


def test_an_idle_connection_is_closed_without_a_response(served: Callable) -> None:
    with served(**HURRIED) as server, connect(server) as connection:
        assert read_all(connection) == b""


def test_unfinished_headers_time_out(served: Callable) -> None:
    with served(**HURRIED) as server, connect(server) as connection:
        connection.sendall(HEAD)
        assert error_code(read_all(connection)) == (408, "request_timeout")
        assert refusals(server, "request_timeout") == 1


def test_slow_headers_do_not_extend_the_deadline(served: Callable) -> None:
    with served(**HURRIED) as server, connect(server) as connection:
        connection.sendall(HEAD)
        answer = drip(connection, (b"X-%d: a\r\n" % number for number in range(400)))
        assert not answer or error_code(answer) == (408, "request_timeout")


def test_the_second_request_has_the_same_deadline_as_the_first(served: Callable) -> None:
    with served(**HURRIED) as server, connect(server) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"alive" in read_response(connection)
        connection.sendall(HEAD)
        assert error_code(read_all(connection)) == (408, "request_timeout")


def test_the_time_between_two_requests_may_exceed_the_header_deadline(served: Callable) -> None:
    with served(preload="none", header_seconds=2.0) as server, connect(server) as connection:
        for pause in (2.5, 0.0):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"alive" in read_response(connection)
            time.sleep(pause)


@pytest.mark.parametrize(
    "framing", [b"Content-Length: 100\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n2\r\n"]
)
def test_a_stalled_body_times_out(served: Callable, framing: bytes) -> None:
    with served(**HURRIED) as server, connect(server) as connection:
        connection.sendall(HEAD + framing + b'{"')
        assert error_code(read_all(connection)) == (408, "request_timeout")


def test_a_body_below_the_minimum_rate_times_out(served: Callable) -> None:
    with served(**HURRIED) as server, connect(server) as connection:
        connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
        answer = drip(connection, [b" "] * 400)
        assert not answer or error_code(answer) == (408, "request_timeout")


def test_a_slow_body_above_the_minimum_rate_is_read(served: Callable) -> None:
    settings = {"body_seconds": 2.0, "body_bytes_per_second": 10}
    with served(preload="none", **settings) as server, connect(server) as connection:
        body = b'{"text": "3 may 1979"}'
        connection.sendall(HEAD + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
        for start in range(0, len(body), 4):
            connection.sendall(body[start : start + 4])
            time.sleep(0.4)
        assert read_all(connection).startswith(b"HTTP/1.1 200")


def test_the_rest_of_a_refused_body_is_discarded_for_a_limited_time(served: Callable) -> None:
    with served(**HURRIED, max_body_bytes=1024) as server, connect(server) as connection:
        connection.sendall(HEAD + b"Content-Length: 10000000000\r\n\r\n")
        assert error_code(read_response(connection)) == (413, "body_too_large")
        assert drip(connection, [b" " * 1000] * 1000) == b""


def test_a_connection_with_an_unread_response_is_closed(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: set[tuple[str, int] | None] = set()  # addresses of clients, of other servers too
    connection_lost = DeadlineProtocol.connection_lost

    def record(protocol: DeadlineProtocol, error: Exception | None) -> None:
        connection_lost(protocol, error)
        lost.add(protocol.client)

    monkeypatch.setattr(DeadlineProtocol, "connection_lost", record)
    with served(preload="none", send_seconds=0.3) as server, connect(server) as connection:
        path = server.app.state.service.assets.url("vendor/plotly.min.js")
        size = len(server.client.get(path, headers={"Accept-Encoding": "identity"}).content)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 4)
        wait_for(lambda: connection.getsockname() in lost)
        with suppress(ConnectionResetError):
            assert len(read_all(connection)) < 4 * size


def test_connections_above_the_limit_are_refused_until_others_close(served: Callable) -> None:
    with served(preload="none", max_connections=2) as server:
        server.client.close()
        with connect(server), connect(server, "127.0.0.2"):
            for _ in range(2):
                with connect(server) as third:
                    third.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                    answer = read_all(third)
                    assert error_code(answer) == (503, "overloaded")
                    assert b"retry-after: 2" in answer
        wait_for(lambda: httpx.get(server.url + "/healthz").status_code == 200)


def test_a_client_leaves_connections_to_others(served: Callable) -> None:
    with served(preload="none", max_connections=8) as server, ExitStack() as stack:
        server.client.close()
        for _ in range(6):
            last = stack.enter_context(connect(server, "127.0.0.3"))
        assert asks_health(last) == 200
        with connect(server, "127.0.0.3") as beyond, suppress(ConnectionResetError):
            assert beyond.recv(100) == b""
        with connect(server, "127.0.0.2") as other:
            assert asks_health(other) == 200
        last.close()
        wait_for(lambda: httpx.get(server.url + "/healthz").status_code == 200)


def test_behind_a_proxy_a_client_leaves_connections_to_others(served: Callable) -> None:
    stalled = HEAD + b"X-Forwarded-For: 10.0.0.1\r\nContent-Length: 9\r\n\r\n"
    with served(preload="none", max_connections=8, trusted_proxies=1) as server:
        with ExitStack() as stack:
            server.client.close()
            for _ in range(6):
                stack.enter_context(connect(server)).sendall(stalled)
            with connect(server) as beyond:
                wait_for(lambda: asks_health(beyond, "10.0.0.1") == 503)
            with connect(server) as other:
                assert [asks_health(other, "10.0.0.2") for _ in range(20)] == [200] * 20
        wait_for(lambda: httpx.get(server.url + "/healthz").status_code == 200)


def asks_health(connection: socket.socket, client: str = "") -> int:
    """Ask for `/healthz`, for a client if the connection is that of a proxy."""
    header = f"X-Forwarded-For: {client}\r\n" if client else ""
    connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: x\r\n{header}\r\n".encode())
    return int(read_response(connection).split()[1])


def test_connections_above_twice_the_limit_are_closed_without_a_response(served: Callable) -> None:
    with served(preload="none", max_connections=1) as server:
        server.client.close()
        with (
            connect(server),
            connect(server),
            connect(server) as third,
            suppress(ConnectionResetError),
        ):
            assert third.recv(100) == b""


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n",
        # Of its body the parser would make another request.
        HEAD + b"Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 36\r\n\r\n",
    ],
)
def test_invalid_http_is_refused(served: Callable, client: httpx.Client, garbage: bytes) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(garbage)
        assert error_code(read_all(connection)) == (400, "bad_http")


def test_an_invalid_chunk_is_refused(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\nnothing\r\n")
        assert error_code(read_all(connection)) == (400, "bad_http")


def test_a_body_with_two_framings_is_refused(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(
            HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        )
        assert error_code(read_all(connection)) == (400, "bad_http")


def test_connections_disable_the_delay_of_small_packets(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[int] = []
    made = DeadlineProtocol.connection_made

    def record(protocol: DeadlineProtocol, transport: Transport) -> None:
        made(protocol, transport)
        raw = transport.get_extra_info("socket")
        received.append(raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(DeadlineProtocol, "connection_made", record)
    assert httpx.get(server.url + "/healthz").status_code == 200
    assert received
    assert all(received)


# --- limits of the parser ---------------------------------------------------------------------

ALIVE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def pour(connection: socket.socket, piece: bytes, times: int = 5000) -> bytes:
    """Send a piece repeatedly until the server closes; return its response."""
    with suppress(OSError):
        for _ in range(times):
            connection.sendall(piece)
        raise AssertionError("the server read everything")
    with suppress(OSError):
        return read_all(connection)
    return b""


@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        (HEAD, b"X-A: b\r\n" * 1000),
        (HEAD + b"X-A: ", b"a" * 10_000),
        (b"GET /", b"a" * 10_000),
        (b"", b"\r\n" * 5000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-A: ", b"a" * 10_000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n2;a=", b"a" * 10_000),
    ],
    ids=["headers", "one header", "path", "empty lines", "trailer", "of a chunk"],
)
def test_an_unparsed_part_of_a_request_is_limited(
    client: httpx.Client, begun: bytes, piece: bytes
) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(begun)
        answer = pour(connection, piece)
        assert not answer or error_code(answer) == (400, "bad_http")


def test_pipelined_requests_are_answered_in_order(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        paths = ["/healthz", "/version", "/nope", "/healthz"]
        ends = ["", "", "", "Connection: close\r\n"]
        for path, end in zip(paths, ends, strict=True):
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{end}\r\n".encode())
        received = read_all(connection)
        assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [
            b"200",
            b"200",
            b"404",
            b"200",
        ]
        places = [received.index(word) for word in (b"alive", b"torch", b"not_found")]
        assert places == sorted(places)


def test_the_number_of_pipelined_requests_is_limited(
    client: httpx.Client,
) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        with suppress(OSError):
            connection.sendall(ALIVE * 1000)
        received = b""
        with suppress(OSError):
            received = read_all(connection)
        assert received.count(b"alive") < 500


def test_a_request_before_invalid_data_is_answered(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(ALIVE + b"\x16\x03\x01 nonsense\r\n\r\n")
        received = read_all(connection)
        assert received.startswith(b"HTTP/1.1 200")
        assert b"alive" in received
        assert received.count(b"HTTP/1.1") == 1


def test_the_deadline_of_a_pipelined_request_starts_after_the_response_before(
    held: HeldTranslator, served: Callable
) -> None:
    with served(preload="none", header_seconds=2.0) as server, connect(server) as connection:
        body = b'{"text": "3 may 1979"}'
        first = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
        connection.sendall(first + ALIVE[:20])
        time.sleep(2.5)
        held.let()
        assert b"1979" in read_response(connection)
        connection.sendall(ALIVE[20:])
        assert b"alive" in read_response(connection)


@pytest.mark.parametrize(
    "more", [b"Upgrade: h2c", b"Upgrade: websocket\r\nSec-WebSocket-Key: eA=="]
)
def test_requests_to_upgrade_the_protocol_are_answered_in_http_1(
    client: httpx.Client, more: bytes
) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        for _ in range(2):
            head = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
            connection.sendall(head + more + b"\r\n\r\n")
            assert b"alive" in read_response(connection)


@pytest.mark.parametrize("hosts", [b"", b"Host: x\r\nHost: y\r\n"])
def test_a_request_must_have_exactly_one_host(client: httpx.Client, hosts: bytes) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(b"GET /version HTTP/1.1\r\n" + hosts + b"\r\n")
        assert error_code(read_response(connection)) == (400, "bad_http")
    with socket.create_connection((address.host, address.port), timeout=20) as connection:
        connection.sendall(b"GET /version HTTP/1.0\r\n\r\n")  # HTTP/1.0 has no Host header
        assert read_all(connection).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("request_bytes", "more"),
    [
        (ALIVE, b"\r\n"),
        (HEAD + b"Content-Length: 2000\r\n\r\n", b" " * 2000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"7d0\r\n" + b" " * 2000 + b"\r\n0\r\n\r\n"),
    ],
    ids=["an empty line", "rest of a body", "rest of a chunked body"],
)
def test_data_that_is_not_a_request_does_not_extend_keep_alive(
    served: Callable, monkeypatch: pytest.MonkeyPatch, request_bytes: bytes, more: bytes
) -> None:
    monkeypatch.setattr(serve, "KEEP_ALIVE_SECONDS", 0.3)
    settings = {**HURRIED, "body_seconds": 20.0, "max_body_bytes": 1024}
    with served(**settings) as server, connect(server) as connection:
        connection.sendall(request_bytes + more[:1500] * (more != b"\r\n"))
        read_response(connection)
        connection.sendall(more[1500:] or more)
        assert read_all(connection) == b""
