"""`serve run` with the file of `deploy/ray`, in long runs alone: a cluster takes long to start.

`tests/docs/test_deploy.py` checks the file, and `test_ray.py` what replicas answer.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.live_ray import by_serve_run
from tests.scale import LONG
from tests.traffic import TRANSLATE

if LONG:

    def test_overload_is_refused_with_the_time_to_wait(tmp_path: Path) -> None:
        with by_serve_run(tmp_path, queue_size=1) as it, ThreadPoolExecutor(40) as pool:
            assert "<title>" in it.client.get("/").text
            texts = [{"text": f"{1 + number % 28} may 1979"} for number in range(200)]
            answers = list(pool.map(lambda text: it.client.post(TRANSLATE, json=text), texts))
        assert {answer.status_code for answer in answers} == {200, 503}
        refused = next(answer for answer in answers if answer.status_code == 503)
        assert refused.json()["error"]["code"] == "overloaded"
        assert refused.headers["retry-after"]
