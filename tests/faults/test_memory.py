"""Pictures that take much memory to decode: the server returns it to the operating system."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx

from tests.live import live
from tests.models.drawn import quarters, saved
from tests.models.pictures.test_hostile_files import LARGE, WHOLE, mutated
from tests.scale import amount, report, resident

URL = "/api/v1/caption"
CASES = amount(12, 110)  # of each format, nine of them
MAX_BYTES = 200_000_000


def test_the_memory_of_decoded_pictures_is_returned(tmp_path: Path) -> None:
    formats = amount(2, len(LARGE))
    with (
        live(tmp_path, log_level="warning") as server,
        httpx.Client(base_url=server.url, timeout=120) as client,
    ):
        start = resident(server.pid)

        def send(data: bytes) -> int:
            fields = {"detail": "weights", "target": "a dog"}
            return client.post(URL, files={"image": data}, data=fields).status_code

        assert send(saved(quarters(), "JPEG")) == 200
        for format, whole in WHOLE.items():
            rng = Random(f"http {format}")
            for _ in range(CASES):
                assert send(mutated(whole, rng)) in (200, 413, 415, 422)
        small = resident(server.pid)
        for _, draw in list(LARGE.values())[:formats]:
            assert send(draw()) in (200, 422)
        assert send(saved(quarters(), "JPEG")) == 200  # the last large one is returned by now
        end = resident(server.pid)
        report(start=start / 1e6, after_mutated=small / 1e6, after_large=end / 1e6)
    assert end < MAX_BYTES
