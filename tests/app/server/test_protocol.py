from __future__ import annotations

import json
import socket
import time
from asyncio import Transport
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Event

import httpx
import pytest

from heed.app.server import serve
from heed.app.server.protocol import DeadlineProtocol
from tests.conftest import SECONDS, HeldTranslator, Running, wait_for

HURRIED = {"preload": "none", "header_seconds": 0.3, "body_seconds": 0.3}
HEAD = b"POST /api/v1/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@contextmanager
def line_to(server: Running) -> Iterator[socket.socket]:
    address = httpx.URL(server.url)
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        yield line


def all_of(line: socket.socket) -> bytes:
    """What comes until the server closes."""
    told = b""
    while more := line.recv(65536):
        told += more
    return told


def answer_of(line: socket.socket) -> bytes:
    """One whole answer of JSON on a connection that goes on."""
    told = b""
    while not told.endswith(b"}"):
        more = line.recv(65536)
        assert more, told
        told += more
    return told


def drip(line: socket.socket, pieces: Iterable[bytes]) -> bytes:
    """Send a piece now and then until the server has had enough; what it said then."""
    line.settimeout(0.02)
    for piece in pieces:
        try:
            line.sendall(piece)
            return line.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return b""
    raise AssertionError("the server took it all")


def code_of(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    error = json.loads(body)["error"]
    assert error["message"]
    return int(head.split()[1]), error["code"]


def refusals(server: Running, code: str) -> float:
    text = server.client.get("/metrics").text
    found = [line for line in text.splitlines() if f'refusals_total{{code="{code}"}}' in line]
    return float(found[0].split()[1]) if found else 0.0


def test_who_asks_nothing_is_sent_away_without_a_word(served: Callable) -> None:
    with served(**HURRIED) as server, line_to(server) as line:
        assert all_of(line) == b""


def test_headers_that_never_end_are_given_up(served: Callable) -> None:
    with served(**HURRIED) as server, line_to(server) as line:
        line.sendall(HEAD)
        assert code_of(all_of(line)) == (408, "request_timeout")
        assert refusals(server, "request_timeout") == 1


def test_a_header_at_a_time_does_not_buy_time(served: Callable) -> None:
    with served(**HURRIED) as server, line_to(server) as line:
        line.sendall(HEAD)
        answer = drip(line, (b"X-%d: a\r\n" % number for number in range(400)))
        assert not answer or code_of(answer) == (408, "request_timeout")


def test_a_second_request_must_come_as_quickly_as_the_first(served: Callable) -> None:
    with served(**HURRIED) as server, line_to(server) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"alive" in answer_of(line)
        line.sendall(HEAD)
        assert code_of(all_of(line)) == (408, "request_timeout")


def test_between_two_requests_there_is_more_time(served: Callable) -> None:
    with served(preload="none", header_seconds=2.0) as server, line_to(server) as line:
        for pause in (2.5, 0.0):
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"alive" in answer_of(line)
            time.sleep(pause)


@pytest.mark.parametrize(
    "framing", [b"Content-Length: 100\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n2\r\n"]
)
def test_a_body_that_stands_still_is_given_up(served: Callable, framing: bytes) -> None:
    with served(**HURRIED) as server, line_to(server) as line:
        line.sendall(HEAD + framing + b'{"')
        assert code_of(all_of(line)) == (408, "request_timeout")


def test_a_body_that_trickles_is_given_up(served: Callable) -> None:
    with served(**HURRIED) as server, line_to(server) as line:
        line.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
        answer = drip(line, [b" "] * 400)
        assert not answer or code_of(answer) == (408, "request_timeout")


def test_a_body_that_is_slow_but_comes_is_taken(served: Callable) -> None:
    settings = {"body_seconds": 2.0, "body_bytes_per_second": 10}
    with served(preload="none", **settings) as server, line_to(server) as line:
        body = b'{"text": "3 may 1979"}'
        line.sendall(HEAD + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
        for start in range(0, len(body), 4):
            line.sendall(body[start : start + 4])
            time.sleep(0.4)
        assert all_of(line).startswith(b"HTTP/1.1 200")


def test_the_rest_of_a_refused_body_is_not_read_for_ever(served: Callable) -> None:
    with served(**HURRIED, max_body_bytes=1024) as server, line_to(server) as line:
        line.sendall(HEAD + b"Content-Length: 10000000000\r\n\r\n")
        assert code_of(answer_of(line)) == (413, "body_too_large")
        assert drip(line, [b" " * 1000] * 1000) == b""


def test_an_answer_that_nobody_reads_is_given_up(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Event()
    connection_lost = DeadlineProtocol.connection_lost

    def noting(connection: DeadlineProtocol, error: Exception | None) -> None:
        connection_lost(connection, error)
        lost.set()

    monkeypatch.setattr(DeadlineProtocol, "connection_lost", noting)
    with served(preload="none", send_seconds=0.3) as server, line_to(server) as line:
        path = server.app.state.service.assets.url("vendor/plotly.min.js")
        size = len(server.client.get(path, headers={"Accept-Encoding": "identity"}).content)
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 4)
        assert lost.wait(SECONDS)
        with suppress(ConnectionResetError):
            assert len(all_of(line)) < 4 * size


def test_too_many_connections_are_refused_and_place_is_free_again(served: Callable) -> None:
    with served(preload="none", max_connections=2) as server:
        server.client.close()
        with line_to(server), line_to(server):
            for _ in range(2):
                with line_to(server) as third:
                    third.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                    answer = all_of(third)
                    assert code_of(answer) == (503, "overloaded")
                    assert b"retry-after: 2" in answer
        wait_for(lambda: httpx.get(server.url + "/healthz").status_code == 200)


def test_beyond_that_they_are_closed_at_once(served: Callable) -> None:
    with served(preload="none", max_connections=1) as server:
        server.client.close()
        with (
            line_to(server),
            line_to(server),
            line_to(server) as third,
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
    ],
)
def test_what_is_no_http_is_told_so(served: Callable, client: httpx.Client, garbage: bytes) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(garbage)
        assert code_of(all_of(line)) == (400, "bad_http")


def test_a_chunk_that_is_none_ends_it(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\nnothing\r\n")
        assert code_of(all_of(line)) == (400, "bad_http")


def test_two_ways_to_end_a_body_are_one_too_many(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        assert code_of(all_of(line)) == (400, "bad_http")


def test_the_end_of_an_answer_does_not_wait_for_its_beginning_to_be_acknowledged(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    made = DeadlineProtocol.connection_made

    def noting(connection: DeadlineProtocol, transport: Transport) -> None:
        made(connection, transport)
        line = transport.get_extra_info("socket")
        told.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(DeadlineProtocol, "connection_made", noting)
    assert httpx.get(server.url + "/healthz").status_code == 200
    assert told
    assert all(told)


# --- what the parser is not asked to look at for ever ------------------------------------------

ALIVE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def poured(line: socket.socket, piece: bytes, times: int = 1000) -> bytes:
    """Send a piece again and again, as fast as it is taken; what the server said in the end."""
    with suppress(OSError):
        for _ in range(times):
            line.sendall(piece)
        raise AssertionError("the server took it all")
    with suppress(OSError):
        return all_of(line)
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
    ids=["headers", "one header", "path", "empty lines", "behind a body", "of a chunk"],
)
def test_what_nothing_comes_of_is_read_only_so_long(
    client: httpx.Client, begun: bytes, piece: bytes
) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(begun)
        answer = poured(line, piece)
        assert not answer or code_of(answer) == (400, "bad_http")


def test_requests_that_come_at_once_are_answered_in_their_order(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        paths = ["/healthz", "/version", "/nope", "/healthz"]
        ends = ["", "", "", "Connection: close\r\n"]
        for path, end in zip(paths, ends, strict=True):
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{end}\r\n".encode())
        told = all_of(line)
        assert [part[:3] for part in told.split(b"HTTP/1.1 ")[1:]] == [
            b"200",
            b"200",
            b"404",
            b"200",
        ]
        places = [told.index(word) for word in (b"alive", b"torch", b"not_found")]
        assert places == sorted(places)


def test_who_asks_a_thousand_things_at_once_is_answered_some_and_closed(
    client: httpx.Client,
) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        with suppress(OSError):
            line.sendall(ALIVE * 1000)
        told = b""
        with suppress(OSError):
            told = all_of(line)
        assert told.count(b"alive") < 500


def test_garbage_behind_a_request_does_not_cost_its_answer(client: httpx.Client) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(ALIVE + b"\x16\x03\x01 nonsense\r\n\r\n")
        told = all_of(line)
        assert told.startswith(b"HTTP/1.1 200")
        assert b"alive" in told
        assert told.count(b"HTTP/1.1") == 1


def test_a_second_request_has_time_while_the_first_is_answered(
    held: HeldTranslator, served: Callable
) -> None:
    with served(preload="none", header_seconds=2.0) as server, line_to(server) as line:
        body = b'{"text": "3 may 1979"}'
        first = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
        line.sendall(first + ALIVE[:20])
        time.sleep(2.5)
        held.let()
        assert b"1979" in answer_of(line)
        line.sendall(ALIVE[20:])
        assert b"alive" in answer_of(line)


@pytest.mark.parametrize(
    "more", [b"Upgrade: h2c", b"Upgrade: websocket\r\nSec-WebSocket-Key: eA=="]
)
def test_who_would_speak_another_protocol_is_answered_in_this_one(
    client: httpx.Client, more: bytes
) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        for _ in range(2):
            head = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
            line.sendall(head + more + b"\r\n\r\n")
            assert b"alive" in answer_of(line)


@pytest.mark.parametrize("hosts", [b"", b"Host: x\r\nHost: y\r\n"])
def test_a_request_names_its_host_once(client: httpx.Client, hosts: bytes) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(b"GET /version HTTP/1.1\r\n" + hosts + b"\r\n")
        assert code_of(answer_of(line)) == (400, "bad_http")
    with socket.create_connection((address.host, address.port), timeout=20) as line:
        line.sendall(b"GET /version HTTP/1.0\r\n\r\n")  # which knew of no hosts yet
        assert all_of(line).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("asked", "more"),
    [
        (ALIVE, b"\r\n"),
        (HEAD + b"Content-Length: 2000\r\n\r\n", b" " * 2000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"7d0\r\n" + b" " * 2000 + b"\r\n0\r\n\r\n"),
    ],
    ids=["an empty line", "the rest of a body", "the rest of one in pieces"],
)
def test_what_is_no_request_does_not_keep_a_connection_open(
    served: Callable, monkeypatch: pytest.MonkeyPatch, asked: bytes, more: bytes
) -> None:
    monkeypatch.setattr(serve, "KEEP_ALIVE_SECONDS", 0.3)
    settings = {**HURRIED, "body_seconds": 20.0, "max_body_bytes": 1024}
    with served(**settings) as server, line_to(server) as line:
        line.sendall(asked + more[:1500] * (more != b"\r\n"))
        answer_of(line)
        line.sendall(more[1500:] or more)
        assert all_of(line) == b""
