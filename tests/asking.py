"""A client that asks for `/healthz` every 50 ms, in a process of its own.

    python -m tests.asking HOST PORT

It asks until its input ends, then writes what it saw as one line of JSON. In the process of a busy
test it would measure how long it waits for the interpreter of that process.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

SECONDS = 60.0
ASK_SECONDS = 0.05


@dataclass
class Watch:
    """Answers of `/healthz` to a client that asks all the time."""

    asked: int = 0
    answered: int = 0
    longest_seconds: float = 0.0

    def note(self, seconds: float, *, answered: bool) -> None:
        """Count a request."""
        self.asked += 1
        self.answered += answered
        self.longest_seconds = max(self.longest_seconds, seconds)


def ask(host: str, port: int, ended: threading.Event) -> Watch:
    """Ask on one connection until the event."""
    watch = Watch()
    connection = HTTPConnection(host, port, timeout=SECONDS)
    while not ended.is_set():
        began = time.monotonic()
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            answer.read()
            answered = answer.status == HTTPStatus.OK
        except (OSError, HTTPException):
            connection.close()  # the next request opens it again
            answered = False
        watch.note(time.monotonic() - began, answered=answered)
        ended.wait(max(0.0, began + ASK_SECONDS - time.monotonic()))
    connection.close()
    return watch


def main() -> None:
    """Ask until the input ends."""
    host, port = sys.argv[1:]
    ended = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    print(json.dumps(asdict(ask(host, int(port), ended))), flush=True)


if __name__ == "__main__":
    main()
