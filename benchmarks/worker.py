"""`python -m benchmarks.worker NAME THREADS`: one contender in a process of its own.

A line of JSON comes in, `{"length": 20, "batch": 1, "seconds": 0.1}`, and one goes out: the seconds
of each call of that round.
"""

from __future__ import annotations

import json
import sys
import time

from benchmarks.contenders import Call, Case, Contender, open_contender

WARM = 0.1  # what takes longer warms itself up


def calls(contender: Contender, case: Case, known: dict[Case, Call]) -> Call:
    """The call of a case, made once."""
    if case not in known:
        known[case] = contender.call(case)
    return known[case]


def a_round(call: Call, seconds: float) -> list[float]:
    """Seconds of each call of one round; what was cold is not counted."""
    times = [_timed(call)]
    if times[0] < WARM:
        times = [_timed(call)]
    while sum(times) < seconds:
        times.append(_timed(call))
    return times


def _timed(call: Call) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main() -> None:
    """Answer until there is nothing more to read."""
    name, threads = sys.argv[1:]
    contender = open_contender(name, int(threads))
    known: dict[Case, Call] = {}
    print(json.dumps({"ready": name}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        call = calls(contender, Case(asked["length"], asked["batch"]), known)
        print(json.dumps(a_round(call, asked["seconds"])), flush=True)


if __name__ == "__main__":
    main()
