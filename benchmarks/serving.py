"""`make bench`: time until the server is ready, memory it holds, and what a token costs.

Machines are shared and noisy: compare the figures of one run, not those of different runs.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx

from models.translator import Ask, Translator
from models.zoo import Zoo

ROUNDS = 30
BATCH = 32


def serving() -> tuple[float, float]:
    """Seconds from the command to the first 200 of /readyz, and megabytes resident then."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "app", "serve", "--port", "8765"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            while time.perf_counter() - began < 60:
                try:
                    if httpx.get("http://127.0.0.1:8765/readyz").status_code == 200:
                        break
                except httpx.TransportError:
                    pass
                time.sleep(0.02)
            return time.perf_counter() - began, resident(server.pid)
        finally:
            server.terminate()


def resident(pid: int) -> float:
    """Megabytes of a process, where the system tells."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text())
    return int(found[1]) / 1024 if found else float("nan")


def token_milliseconds(translator: Translator, texts: list[str]) -> float:
    """Milliseconds a written token, the median of some rounds; all texts in one batch."""
    asks = [Ask(text) for text in texts]
    translator.run(asks)
    figures = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        traces = translator.run(asks)
        written = sum(len(trace.output.target) for trace in traces)
        figures.append(1e3 * (time.perf_counter() - began) / written)
    return statistics.median(figures)


def main() -> None:
    """Print the figures."""
    seconds, megabytes = serving()
    print(f"ready after {seconds:.1f} s, {megabytes:.0f} MB resident, {os.cpu_count()} cores")
    zoo = Zoo()
    first: float | None = None
    print(f"{'model':24}{'ms/token':>10}{'ratio':>8}{f'batch of {BATCH}':>14}")
    for model, card in zoo.cards.items():
        translator = zoo.load(model)
        alone = token_milliseconds(translator, [card.examples[0]])
        together = token_milliseconds(translator, [card.examples[0]] * BATCH)
        first = first or alone
        print(f"{model:24}{alone:10.3f}{alone / first:8.2f}{alone / together:13.1f}×")


if __name__ == "__main__":
    main()
