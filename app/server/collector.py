"""The garbage collector of a process that serves."""

from __future__ import annotations

import gc

# A batch of traces is some ten thousand objects, hardly any of them in a cycle. Collecting after
# every 700 allocations, Python's default, took a tenth of the time under load, and a tenth of the
# start.
GENERATION_0 = 50_000
# A pass visits what was made since the last one: few objects at a time, as a pass over the million
# of a large trace holds the interpreter for more than a tenth of a second.
GENERATION_1 = 5
GENERATION_2 = 80


def collect_rarely() -> None:
    """Raise the thresholds of the collector."""
    gc.set_threshold(GENERATION_0, GENERATION_1, GENERATION_2)


def leave_out_what_is_loaded() -> None:
    """Let collections skip all objects of now: modules, schemas and routes, which live on.

    A full collection would visit a hundred thousand of them and hold the interpreter for 0.2 s.
    """
    gc.freeze()
