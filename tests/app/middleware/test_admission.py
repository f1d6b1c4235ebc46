from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.app.inference.test_engine import post, waiting
from tests.app.server.test_protocol import HEAD, error_code, read_response
from tests.conftest import HeldTranslator, wait_for

MODELS = "/api/v1/models"


def test_a_full_queue_refuses_before_the_body_is_read(
    served: Callable, held: HeldTranslator
) -> None:
    with served(queue_size=1) as server, ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        answers.append(pool.submit(post, server))
        wait_for(lambda: waiting(server) == 1)
        place = httpx.URL(server.url)
        for head in (HEAD, HEAD.replace(b"translate", b"translate/batch")):
            with socket.create_connection((place.host, place.port), timeout=20) as connection:
                connection.sendall(head + b"Content-Length: 100000\r\n\r\n")  # and nothing of it
                answer = read_response(connection)
                assert error_code(answer) == (503, "overloaded")
                assert b"retry-after: 1" in answer
        assert server.client.get(MODELS).status_code == 200
        held.let()
        assert [one.result().status_code for one in answers] == [200, 200]
