"""All kinds of requests for a long time."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.memory import family
from tests.live import Live, live
from tests.models.drawn import quarters, saved
from tests.models.pictures.test_hostile_files import WHOLE, mutated
from tests.models.tiny import write_tiny_captioners
from tests.scale import LONG, amount, open_files, report, resident
from tests.traffic import DATE, TRANSLATE, Answers, Connection, timed

MINUTES = float(os.environ.get("SOAK_MINUTES", "10")) if LONG else 0.08
CLIENTS = 6
SHARE = amount(0.25, 0.05)  # by which memory may grow; in the gate it has hardly begun
KNOWN = {200, 201, 400, 404, 413, 415, 422, 503}
FORM = "multipart/form-data; boundary=b"
PICTURE = saved(quarters(), "JPEG")
PLAIN = {"source": ["a", "b"], "target": ["c"], "weights": [[0.5, 0.5]]}


def form(picture: bytes) -> bytes:
    head = b'--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n'
    return head + picture + b"\r\n--b--\r\n"


async def send_any(connection: Connection, rng: random.Random, ids: list[str]) -> int:
    match rng.randrange(10):
        case 0 | 1 | 2 | 3:
            text = f"{rng.randint(1, 28)} may {rng.randint(1900, 2100)}"
            return await connection.send(TRANSLATE, json.dumps({"text": text}).encode())
        case 4:
            return await connection.send("/api/v1/caption", form(PICTURE), FORM)
        case 5:
            damaged = mutated(WHOLE[rng.choice(list(WHOLE))], rng)
            return await connection.send("/api/v1/caption", form(damaged), FORM)
        case 6:
            status = await connection.send("/api/v1/traces", json.dumps(PLAIN).encode())
            if status == 201:
                ids[:] = [*ids[-99:], json.loads(connection.body)["id"]]
            return status
        case 7 if ids:
            return await connection.send(f"/api/v1/traces/{rng.choice(ids)}")
        case 8:
            garbage = rng.randbytes(rng.randint(0, 300))
            return await connection.send(TRANSLATE, rng.choice([garbage, DATE[:-3], b"[" * 1000]))
    return await connection.send(
        rng.choice(["/", "/metrics", "/api/v1/models", "/nope", "/api/v1/limits"])
    )


def of_all(measure: Callable[[int], int], it: Live) -> int:
    return sum(measure(pid) for pid in family(it.pid))


async def soak(host: str, port: int, seconds: float, seed: int) -> Answers:
    answers, ids = Answers(), []
    end = time.perf_counter() + seconds

    async def client(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        async with Connection(host, port) as connection:
            while time.perf_counter() < end:
                await timed(answers, send_any(connection, rng, ids))

    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    answers.took = seconds
    return answers


def test_memory_stays_bounded_and_no_request_fails(
    tmp_path: Path, way: Mapping[str, object]
) -> None:
    weights = write_tiny_captioners(tmp_path / "weights")
    shipped = Path(__file__).parents[2] / "models" / "weights" / "dates-additive"
    (weights / shipped.name).symlink_to(shipped, target_is_directory=True)
    settings = {"weights": weights, "preload": "all", "log_level": "warning", **way}
    with live(tmp_path, **settings) as it:
        host, port, seconds = it.host, it.port, MINUTES * 60
        asyncio.run(soak(host, port, seconds / 5, 0))  # until everything has been needed once
        memory, files = of_all(resident, it), of_all(open_files, it)
        answers = asyncio.run(soak(host, port, seconds, 1))
        time.sleep(0.3)
        grown, now = of_all(resident, it) / memory - 1, of_all(open_files, it)
        report(minutes=MINUTES, answers=answers.statuses, lost=answers.lost)
        report(megabytes=memory / 1e6, grown=grown, files=files, files_after=now)
        assert "Traceback" not in it.log.read_text()
        assert it.stop()[0] in (0, -signal.SIGTERM)
    assert not answers.lost
    assert set(answers.statuses) <= KNOWN
    assert grown < SHARE
    assert now <= files + 4
