"""Requests that cost a client little, and must cost the server, and everybody else, little too.

One server with 1 GiB of memory is asked for `/healthz` all the time, while it gets them.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from urllib.parse import quote_plus

import httpx
import pytest
from PIL import Image

from tests.conftest import SECONDS, wait_for
from tests.hostile import (
    large_trace,
    many_chunks,
    many_scans,
    repeated,
    sentences,
    unknown_keys,
)
from tests.limited import Limited, limited
from tests.models.drawn import quarters, saved
from tests.scale import amount, report
from tests.traffic import TRANSLATE

JSON = {"Content-Type": "application/json"}
PICTURE = {"detail": "weights", "target": "a dog"}
REFUSED = (400, 413, 422, 429, 431, 503, 504)
MEBIBYTE = 1 << 20
MAX_BYTES = 512 * MEBIBYTE
MAX_STALL_SECONDS = amount(0.3, 0.1)
"""Processor time of one callback; that of a busy machine differs, so the gate allows more."""
MAX_LOCK_SECONDS = amount(1.0, 0.5)
USUAL = b'{"text": "3 may 1979"}' + b" " * 2000
OTHER = "127.0.0.2"
"""The address of the attackers, where the bounds are those of a client."""


class Servers:
    """One server for all tests, and another one after an attack that ends it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: Limited | None = None
        self.stack = ExitStack()

    def get(self) -> Limited:
        """Return the running server."""
        if self._running is None or self._running.process.poll() is not None:
            self._running = self._start()
        return self._running

    def _start(self) -> Limited:
        settings = {"body_seconds": amount(2.0, 8.0), "send_seconds": amount(5.0, 60.0)}
        it = self.stack.enter_context(limited(self._folder, **settings))
        with httpx.Client(base_url=it.url, timeout=SECONDS) as client:  # load what all need
            assert client.post(TRANSLATE, json={"text": "3 may 1979"}).status_code == 200
            photo = {"image": saved(quarters(), "JPEG")}
            assert client.post("/api/v1/caption", files=photo, data=PICTURE).status_code == 200
            assert client.get("/preview.png").status_code == 200
            assert client.get("/graph").status_code == 200
        return it


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    servers = Servers(tmp_path_factory.mktemp("cheap"))
    with servers.stack:
        yield servers


@pytest.fixture
def server(servers: Servers) -> Limited:
    return servers.get()


@pytest.fixture
def client(server: Limited) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=SECONDS) as client:
        yield client


@contextmanager
def harmless(
    server: Limited, *, more_bytes: int = MAX_BYTES, processor_seconds: float = float("inf")
) -> Iterator[None]:
    """Hold what a block may cost: memory, processor time, and others' time."""
    server.forget()
    before, spent = server.peak_bytes, server.processor_seconds
    with server.watched() as watch:
        yield
        spent = server.processor_seconds - spent
    stalls, peak = server.stalls, server.peak_bytes
    locks = [each.seconds for each in stalls if each.kind == "lock"]
    report(
        peak_mb=peak / 1e6,
        more_mb=(peak - before) / 1e6,
        stall=str(stalls[0]) if stalls else "none",
        healthz=f"{watch.answered}/{watch.asked}",
        healthz_longest=watch.longest_seconds,
        processor=spent,
    )
    assert watch.answered == watch.asked
    assert peak < MAX_BYTES
    assert peak - before < more_bytes
    assert spent < processor_seconds
    others = [each for each in stalls if each.kind != "lock"]
    assert max((each.seconds for each in others), default=0.0) < MAX_STALL_SECONDS, others[0]
    assert max(locks, default=0.0) < MAX_LOCK_SECONDS, stalls[0]


def refused(answer: httpx.Response) -> bool:
    """Return whether an answer is an error with a code, as every error is, and a short one."""
    error = answer.json()["error"]
    return answer.status_code in REFUSED and bool(error["code"]) and len(answer.content) < 2000


def idle(server: Limited) -> bool:
    """Return whether the server computes little for a moment: the watch itself takes a tenth."""
    before = server.processor_seconds
    time.sleep(2.0)
    return server.processor_seconds - before < 0.4


# --- validation -----------------------------------------------------------------------------------

ELEMENTS = amount(1_000_000, 4_000_000)
LISTS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "glimpse, pixels": ("glimpse", lambda n: repeated('{"pixels":[', "1", "]}", n // 2)),
    "glimpse, rows": ("glimpse", lambda n: repeated('{"pixels":[', "[]", "]}", n // 3)),
    "glimpse, unknown keys": ("glimpse", lambda n: unknown_keys(n // 8)),
    "traces, queries": (
        "traces",
        lambda n: repeated('{"schema":"heed.trace/2","maps":[{"queries":[', "1", "]}]}", n),
    ),
    "traces, maps": (
        "traces",
        lambda n: repeated('{"schema":"heed.trace/2","maps":[', "{}", "]}", n // 3),
    ),
    "traces, tokens": (
        "traces",
        lambda n: repeated('{"schema":"heed.trace/2","source":{"tokens":[', "{}", "]}}", n // 3),
    ),
    "traces, source": (
        "traces",
        lambda n: repeated('{"source":[', '""', '],"weights":[[1]]}', n // 3),
    ),
    "traces, weights": ("traces", lambda n: repeated('{"source":["a"],"weights":[', "1", "]}", n)),
    "traces, unknown keys": ("traces", lambda n: unknown_keys(n // 8)),
    "graph, nodes": ("graph", lambda n: repeated('{"nodes":[', "1", "]}", n // 8)),
    "graph, edges": ("graph", lambda n: repeated('{"nodes":[],"edges":[', "1", "]}", n // 8)),
    "graph, pairs": ("graph", lambda n: repeated('{"nodes":[],"edges":[[', "1", "]]}", n // 8)),
    "batch, texts": ("translate/batch", lambda n: repeated('{"texts":[', "1", "]}", n // 8)),
    "translate, unknown keys": ("translate", lambda n: unknown_keys(n // 40)),
}


@pytest.mark.parametrize("name", LISTS)
def test_the_first_of_many_errors_ends_the_validation(
    server: Limited, client: httpx.Client, name: str
) -> None:
    path, make = LISTS[name]
    body = make(ELEMENTS)
    with harmless(server, more_bytes=48 * MEBIBYTE + 16 * len(body), processor_seconds=4.0):
        answer = client.post(f"/api/v1/{path}", content=body, headers=JSON)
    assert refused(answer), answer.text[:300]


# --- text -----------------------------------------------------------------------------------------

GAPS = (" ", "\u00a0", "\t", "-", " -", "- ", "--", "~", " ~", ":", "#", ",", "\u0301")
QUERY_BYTES = 60_000


@pytest.mark.parametrize("characters", [3_500, 12_000, 50_000])
def test_the_text_of_a_graph_is_read_in_linear_time(
    server: Limited, client: httpx.Client, characters: int
) -> None:
    texts = ["a" + gap * (characters // len(gap)) + "b" for gap in GAPS]
    with harmless(server, processor_seconds=0.3 * len(texts)):
        for text in texts:
            answer = client.post("/api/v1/graph", json={"graph": text})
            assert answer.status_code in (200, *REFUSED)


@pytest.mark.parametrize("path", ["/graph", "/graph/preview.png"])
def test_the_query_of_a_page_is_read_in_linear_time(
    server: Limited, client: httpx.Client, path: str
) -> None:
    queries = [quote_plus("a" + gap * 50_000)[:QUERY_BYTES] for gap in GAPS]
    with harmless(server, processor_seconds=0.3 * len(queries)):
        for query in queries:
            assert client.get(f"{path}?graph={query}").status_code < 500


FIELDS = {
    "text of translate": ("translate", {"text": ""}),
    "target of translate": ("translate", {"text": "3 may 1979", "target": ""}),
    "text of read": ("read", {"text": ""}),
    "story": ("story", {"story": "", "question": "Where is the ball?"}),
    "question": ("story", {"story": "Mary took the ball.", "question": ""}),
}
REPEATED = (" ", "a", "a ", "a.", "\n", "\u0301", "'", "1", "…", "\u200b", "-", "!?", "<", "İ")


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("characters", [1_000, 20_000, 300_000])
def test_a_text_is_read_in_linear_time(
    server: Limited, client: httpx.Client, name: str, characters: int
) -> None:
    path, fields = FIELDS[name]
    texts = ["a" + each * (characters // len(each)) for each in REPEATED]
    with harmless(server, processor_seconds=0.5 * len(texts)):
        for text in texts:
            asked = {field: value or text for field, value in fields.items()}
            answer = client.post(f"/api/v1/{path}", json=asked)
            assert answer.status_code in (200, *REFUSED)


# --- previews -------------------------------------------------------------------------------------

LONG = amount(6_000, 30_000)
ODD = "a\u2028b\u2029c\x00d\u202ee"


def saved_page(client: httpx.Client, label: str) -> str:
    """Save a trace one of whose words is the label; return its page, if it may be saved."""
    trace = client.post(TRANSLATE, json={"text": "3 may 1979", "detail": "weights"}).json()
    for axis in (trace["source"], trace["target"]):
        axis["words"][0]["text"] = axis["tokens"][0]["text"] = label
    answer = client.post("/api/v1/traces", json={**trace, "text": label})
    return str(answer.json()["url"]) if answer.status_code == 201 else ""


@pytest.mark.parametrize(
    "label", [pytest.param("w" * LONG, id="long"), pytest.param(ODD, id="odd")]
)
def test_a_preview_of_any_label_is_drawn(server: Limited, client: httpx.Client, label: str) -> None:
    with harmless(server, processor_seconds=5.0):
        page = saved_page(client, label)
        previews = [f"{page}/preview.png"] if page else []
        text = label.replace("\x00", "")[:20_000]
        previews += [
            str(httpx.URL("/graph/preview.png", params={"graph": f"# {text}\na - b"})),
            str(httpx.URL("/graph/preview.png", params={"graph": f"{text} - b"})),
            str(httpx.URL("/story/preview.png", params={"story": f"{text}."})),
            str(httpx.URL("/read/preview.png", params={"text": text})),
            str(httpx.URL("/preview.png", params={"text": text})),
        ]
        answers = [client.get(each) for each in previews]
    assert not [answer.url for answer in answers if answer.status_code >= 500]


def test_a_preview_of_a_word_of_millions_of_characters_is_drawn(
    server: Limited, client: httpx.Client
) -> None:
    with harmless(server, processor_seconds=5.0):
        page = saved_page(client, "w" * amount(200_000, 2_000_000))
        answer = client.get(f"{page}/preview.png")
    assert not page or answer.status_code == 200


# --- queues ---------------------------------------------------------------------------------------

SCORE = {
    "text": sentences(300),
    "model": "en-fr-transformer",
    "kind": "cross",
    "layer": 0,
    "head": 0,
    "row": 1,
    "column": 1,
}


def test_one_client_that_fills_the_queue_stops_nobody(
    server: Limited, client: httpx.Client
) -> None:
    """More requests of one client than the queue has places, each of many slices."""
    with harmless(server, more_bytes=200 * MEBIBYTE), ExitStack() as stack:
        for number in range(80):
            connection = stack.enter_context(connected(server))
            body = json.dumps({**SCORE, "text": f"{SCORE['text']} {number}."}).encode()
            connection.sendall(whole(f"{TRANSLATE}/score", body))
        usual = [
            client.post(TRANSLATE, json={"text": f"{1 + day} may 1979"}).status_code
            for day in range(amount(5, 20))
        ]
    assert set(usual) == {200}, usual


def test_many_codes_of_one_client_are_drawn_one_after_the_other_while_it_waits(
    server: Limited, client: httpx.Client
) -> None:
    host = {"Host": "heed.example.org"}
    assert client.get("/qr.svg", headers=host).status_code == 200
    with harmless(server, processor_seconds=10.0), ExitStack() as stack:
        for number in range(300):
            path = f"/qr.svg?of=/?text={number}" + "%20a1" * 150
            asked = f"GET {path} HTTP/1.1\r\nHost: heed.example.org\r\n\r\n".encode()
            stack.enter_context(connected(server)).sendall(asked)
        assert client.get("/learn").status_code == 200
        stack.close()
        wait_for(lambda: idle(server))


# --- connections ----------------------------------------------------------------------------------


def connected(server: Limited, address: str = OTHER) -> socket.socket:
    """Connect from an address of this machine."""
    return socket.create_connection((server.host, server.port), SECONDS, (address, 0))


def chunked(path: str) -> bytes:
    """Return the head of a request whose body comes in chunks."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode()


def whole(path: str, body: bytes) -> bytes:
    """Return a request with its body."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def test_bodies_held_by_a_drip_of_chunk_extensions_refuse_nobody(
    server: Limited, client: httpx.Client
) -> None:
    # To the last bytes of the memory for all bodies.
    sizes = [8 * MEBIBYTE - 8] * 16 + [8 * MEBIBYTE >> n for n in range(1, 15) for _ in range(3)]
    held: list[socket.socket] = []
    ended = threading.Event()

    def drip() -> None:
        while not ended.wait(0.2):
            for connection in held:
                with suppress(OSError):  # it was closed
                    connection.sendall(b"x")

    with (
        harmless(server, more_bytes=100 * MEBIBYTE),
        ThreadPoolExecutor(1) as pool,
        ExitStack() as stack,
    ):
        pool.submit(drip)
        stack.callback(ended.set)
        for size in sizes:
            connection = stack.enter_context(connected(server))
            with suppress(OSError):  # refused
                connection.sendall(chunked("/api/v1/traces") + f"{size:x}\r\n".encode())
                connection.sendall(b" " * size + b"\r\n1;")
                held.append(connection)
        usual = [
            client.post(TRANSLATE, content=USUAL, headers=JSON).status_code
            for _ in range(amount(10, 200))
        ]
    assert set(usual) == {200}, usual


def test_answers_that_nobody_reads_take_little_memory(
    server: Limited, client: httpx.Client
) -> None:
    kept = client.post("/api/v1/traces", content=large_trace(4), headers=JSON)
    assert kept.status_code == 201, kept.text
    path = f"/api/v1/traces/{kept.json()['id']}"
    size = len(client.get(path).content)
    asked = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with harmless(server), ExitStack() as stack:
        for _ in range(amount(24, 500)):  # more than the server may hold
            connection = stack.enter_context(connected(server))
            connection.sendall(asked)
        wait_for(lambda: idle(server))
        usual = client.post(TRANSLATE, json={"text": "3 may 1979"})
    report(answer_mb=size / 1e6)
    assert usual.status_code == 200


def test_clients_that_leave_while_pipelining_are_no_defects(server: Limited) -> None:
    before = server.log.read_text()
    body = b'{"text": "3 may 1979"}'
    one = whole(TRANSLATE, body)
    page = b"GET /api/v1/models HTTP/1.1\r\nHost: x\r\n\r\n"
    with harmless(server):
        for _ in range(40):
            connection = connected(server)
            connection.sendall((one + page) * 10)
            connection.close()
    said = server.log.read_text().removeprefix(before)
    assert "Traceback" not in said
    assert "ERROR" not in said, said


@pytest.mark.parametrize("value", ["0" * 4400 + "2", "+2", "2, 2", "-1", "9" * 400])
def test_an_odd_content_length_is_no_defect(server: Limited, value: str) -> None:
    with harmless(server), connected(server) as connection:
        head = f"POST {TRANSLATE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {value}\r\n\r\n{{}}".encode())
        status = int(connection.recv(4096).split()[1])
    assert status in (400, 413, 422)


# --- models ---------------------------------------------------------------------------------------


def test_a_batch_of_long_texts_costs_little_memory(server: Limited, client: httpx.Client) -> None:
    asked = {
        "texts": [sentences(600)] * amount(2, 32),
        "model": "en-fr-transformer",
        "search": {"kind": "beam", "beam": 10},
        "detail": "full",
        "vectors": "all",
    }
    before = server.peak_bytes
    with harmless(server):
        answer = client.post("/api/v1/translate/batch", json=asked, timeout=2 * SECONDS)
        length = len(answer.content)
    report(status=answer.status_code, answer_mb=length / 1e6)
    assert answer.status_code in (200, *REFUSED)
    del answer
    server.forget()
    report(returned_to_mb=server.peak_bytes / 1e6)
    assert server.peak_bytes < before + 100 * MEBIBYTE


# --- pictures -------------------------------------------------------------------------------------

PATHS = ("caption", "see", "ask", "glimpse")


@pytest.mark.parametrize("path", PATHS)
def test_a_jpeg_of_many_scans_costs_little(
    server: Limited, client: httpx.Client, path: str
) -> None:
    data = many_scans(amount(3000, 7000), 185)
    fields = {"question": "what?"} if path == "ask" else {}
    with harmless(server, processor_seconds=5.0):
        answer = client.post(f"/api/v1/{path}", files={"image": data}, data=fields)
    assert answer.status_code in (200, *REFUSED)


def test_slow_pictures_do_not_stop_others(server: Limited, client: httpx.Client) -> None:
    data = many_scans(amount(3000, 7000), 185)

    def send(picture: bytes) -> int:
        with httpx.Client(base_url=server.url, timeout=SECONDS) as own:
            return own.post("/api/v1/caption", files={"image": picture}, data=PICTURE).status_code

    with harmless(server), ThreadPoolExecutor(4) as pool:
        slow = [pool.submit(send, data) for _ in range(4)]
        usual = send(saved(quarters(), "JPEG"))
        statuses = [each.result() for each in slow]
    assert usual == 200
    assert set(statuses) <= {200, *REFUSED}


def test_a_png_of_many_chunks_costs_little(server: Limited, client: httpx.Client) -> None:
    data = many_chunks(amount(200_000, 1_000_000))
    with harmless(server, processor_seconds=3.0):
        answer = client.post("/api/v1/caption", files={"image": data}, data=PICTURE)
    assert answer.status_code in (200, *REFUSED)


# --- headers --------------------------------------------------------------------------------------


def test_a_quality_of_zero_refuses_an_encoding(client: httpx.Client) -> None:
    for value in ("gzip;q=0", "gzip; q=0.000", "identity, gzip;q=0", "*;q=0"):
        answer = client.get("/", headers={"Accept-Encoding": value})
        assert "content-encoding" not in answer.headers, value


@pytest.mark.parametrize("value", ["*/*;q=nan", "*/*;q=inf", "*/*;q=", "application/json;q=nan"])
def test_an_invalid_quality_refuses_nothing(client: httpx.Client, value: str) -> None:
    answer = client.post(TRANSLATE, json={"text": "3 may 1979"}, headers={"Accept": value})
    assert answer.status_code == 200


def test_the_address_of_a_link_is_that_of_a_valid_host(client: httpx.Client) -> None:
    host = 'evil.example"><script>'
    answer = client.get("/", headers={"Host": host})
    found = re.search(r'property="og:url" content="([^"]*)"', answer.text)
    assert answer.status_code == 400 or (found and "evil" not in found[1])


def test_no_error_names_a_type_of_the_code(client: httpx.Client) -> None:
    for body in ({"source": 1, "weights": 1}, {"schema": "heed.trace/2", "source": {"kind": 1}}):
        answer = client.post("/api/v1/traces", content=json.dumps(body), headers=JSON)
        assert not re.search(r"[a-z](Out|In)\b|dict\[|list\[", answer.text), answer.text


# --- everybody else -------------------------------------------------------------------------------


def noise(width: int, height: int) -> Image.Image:
    """Return a picture that no format compresses, like a photo of many details."""
    return Image.frombytes("RGB", (width, height), Random(0).randbytes(3 * width * height))


def test_forty_students_behind_one_router_work(server: Limited) -> None:
    photo = saved(noise(1600, 1200), "JPEG", quality=95)
    assert 2_000_000 < len(photo) < 3_000_000
    retried = []

    def student(number: int) -> list[int]:
        statuses = []
        with httpx.Client(base_url=server.url, timeout=SECONDS) as own:

            def ask(send: Callable[[], httpx.Response]) -> None:
                for _ in range(200):
                    answer = send()
                    if answer.status_code != 503:
                        break
                    retried.append(answer.headers["retry-after"])
                    time.sleep(0.2)
                statuses.append(answer.status_code)

            ask(lambda: own.get("/"))
            for turn in range(amount(1, 5)):
                text = f"{1 + number % 28} may {1900 + turn}"
                ask(lambda text=text: own.post(TRANSLATE, json={"text": text}))
                ask(lambda: own.post("/api/v1/caption", files={"image": photo}, data=PICTURE))
        return statuses

    with harmless(server), ThreadPoolExecutor(40) as pool:
        statuses = [status for each in pool.map(student, range(40)) for status in each]
    report(answers=len(statuses), retried=len(retried))
    assert set(statuses) == {200}


def test_the_server_is_ready_at_last(server: Limited, client: httpx.Client) -> None:
    wait_for(lambda: client.get("/readyz").status_code == 200)
    assert client.post(TRANSLATE, json={"text": "3 may 1979"}).json()["text"] == "1979-05-03"
