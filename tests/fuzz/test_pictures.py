"""Hostile image files, sent over HTTP to a server whose memory is measured."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from heed.app.errors import all_codes
from tests.live import Live, live
from tests.models.drawn import chunk, quarters, saved
from tests.models.pictures.test_hostile_files import IN_PIECES, WHOLE, mutated, scanned
from tests.scale import amount, report, resident

URL = "/api/v1/caption"
CASES = amount(12, 520)  # of each format
MAX_GROWTH_BYTES = 50_000_000
BLOCK = 1_000_000


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory, tiny_weights: Path) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("pictures")
    settings = {"weights": tiny_weights, "preload": "all", "log_level": "warning"}
    with live(folder, **settings) as server:
        with httpx.Client(base_url=server.url) as client:
            for format in WHOLE:  # load what the first file of a format loads
                for _ in range(3):
                    send(client, WHOLE[format])
        yield server
        assert "Traceback" not in server.log.read_text()


@pytest.fixture
def client(it: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=it.url, timeout=60) as client:
        yield client


def send(client: httpx.Client, data: bytes) -> tuple[int, str]:
    """Send a file; return the status and the code of an error."""
    fields = {"detail": "weights", "target": "a"}
    answer = client.post(URL, files={"image": data}, data=fields, timeout=60)
    if answer.status_code == 200:
        return 200, ""
    code = answer.json()["error"]["code"]
    assert all_codes()[code].status == answer.status_code
    assert answer.status_code in (413, 415, 422), answer.text
    return answer.status_code, code


def test_mutated_pictures_are_read_or_refused(it: Live, client: httpx.Client) -> None:
    answers: dict[tuple[int, str], int] = {}
    before = most = resident(it.pid)
    for format, whole in WHOLE.items():
        rng = Random(f"http {format}")
        for _ in range(CASES):
            answer = send(client, mutated(whole, rng))
            answers[answer] = answers.get(answer, 0) + 1
        most = max(most, resident(it.pid))
    report(cases=sum(answers.values()), answers=answers, megabytes_more=(most - before) / 1e6)
    assert answers
    assert most - before < MAX_GROWTH_BYTES


def bomb(side: int, channels: int) -> bytes:
    """Return a PNG of black pixels, as small as possible: one block of deflate, repeated."""
    import zlib

    size = side * (1 + side * channels)
    press = zlib.compressobj(9)
    head = press.compress(bytes(BLOCK)) + press.flush(zlib.Z_FULL_FLUSH)
    again = press.compress(bytes(BLOCK)) + press.flush(zlib.Z_FULL_FLUSH)
    last = press.compress(bytes(size % BLOCK)) + press.flush()
    packed = head + again * (size // BLOCK - 1) + last[:-4]
    packed += struct.pack(">I", (size % 65521) << 16 | 1)  # Adler-32 of so many zeros
    kind = {1: 0, 3: 2}[channels]
    header = struct.pack(">IIBBBBB", side, side, 8, kind, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.mark.parametrize(("side", "channels"), [(13_304, 3), (20_000, 1), (7_000, 1)])
def test_decompression_bombs_take_no_memory(
    it: Live, client: httpx.Client, side: int, channels: int
) -> None:
    data = bomb(side, channels)
    before = resident(it.pid)
    answer = send(client, data)
    report(megapixels=side * side / 1e6, kilobytes=len(data) / 1e3, answer=answer)
    if side * side > 50_000_000:
        assert answer == (422, "picture_too_large")
        assert resident(it.pid) - before < MAX_GROWTH_BYTES
    else:
        assert answer == (200, "")  # within the limit: decoded as usual


def test_files_made_to_be_slow_are_refused(it: Live, client: httpx.Client) -> None:
    before = resident(it.pid)
    slow = {name: IN_PIECES[name]() for name in list(IN_PIECES)[:: amount(5, 1)]}
    slow["scans"] = scanned(7000, 7000, 175)
    answers = {name: send(client, data) for name, data in slow.items()}
    more = resident(it.pid) - before
    report(files=len(answers), megabytes_more=more / 1e6)
    assert set(answers.values()) == {(422, "picture_too_large")}
    assert more < MAX_GROWTH_BYTES


def polyglots() -> dict[str, bytes]:
    """Return files that are valid in two formats."""
    jpeg, gif = saved(quarters(), "JPEG"), saved(quarters(), "GIF")
    script = b"<script>alert(1)</script>"
    comment = b"\xff\xfe" + struct.pack(">H", len(script) + 2) + script
    return {
        "JPEG and web page": jpeg[:2] + comment + jpeg[2:],
        "JPEG and archive": jpeg + b"PK\x03\x04" + bytes(100) + b"PK\x05\x06" + bytes(18),
        "GIF and script": b"GIF89a/*" + gif[8:] + b"*/=1;alert(1)",
        "PNG and program": saved(quarters(), "PNG") + b"\x7fELF" + bytes(100),
        "web page and GIF": b"<!doctype html>" + script + gif,
        "document and JPEG": b"%PDF-1.4\n" + jpeg,
        "two pictures": gif + jpeg,
        "archive": b"PK\x03\x04" + bytes(1000),
    }


def test_files_of_two_formats_are_read_by_their_first_bytes(client: httpx.Client) -> None:
    answers = {name: send(client, data)[0] for name, data in polyglots().items()}
    report(answers=answers)
    assert answers["two pictures"] == 200
    assert answers["web page and GIF"] == answers["document and JPEG"] == answers["archive"] == 415


def test_wrong_file_names_and_media_types_are_ignored(client: httpx.Client) -> None:
    jpeg = saved(quarters(), "JPEG")
    for name in ("../../etc/passwd", "a\x00.png", "x" * 5000, "con.svg", 'a";b="', "😀"):
        for kind in ("image/png", "text/html", "application/x-php", ""):
            file = {"image": (name, jpeg, kind)}
            answer = client.post(URL, files=file, data={"detail": "weights"})
            assert answer.status_code in (200, 400), answer.text  # 400: a header too long
            assert name not in answer.text
