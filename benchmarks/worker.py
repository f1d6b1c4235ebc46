"""`python -m benchmarks.worker NAME THREADS`: one contender in a process of its own.

For each line of JSON on standard input, `{"length": 20, "batch": 1, "seconds": 0.1}`, it writes
one with the seconds of each call of that round.
"""

from __future__ import annotations

import json
import sys

from benchmarks import figures
from benchmarks.case import Call, Case, Contender
from benchmarks.contenders import open_contender

WARM = 0.1  # a longer call needs no warm-up


def calls(contender: Contender, case: Case, known: dict[Case, Call]) -> Call:
    """The call of a case, made once."""
    if case not in known:
        known[case] = contender.call(case)
    return known[case]


def a_round(call: Call, seconds: float) -> list[float]:
    """Seconds of each call of one round, without the warm-up."""
    times = [figures.seconds(call)]
    if times[0] < WARM:
        times = [figures.seconds(call)]
    while sum(times) < seconds:
        times.append(figures.seconds(call))
    return times


def main() -> None:
    """Answer until the input ends."""
    name, threads = sys.argv[1:]
    contender = open_contender(name, int(threads))
    known: dict[Case, Call] = {}
    print(json.dumps({"ready": name}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        call = calls(contender, Case(request["length"], request["batch"]), known)
        print(json.dumps(a_round(call, request["seconds"])), flush=True)


if __name__ == "__main__":
    main()
