"""Paths of the API that other parts of the server refer to."""

from __future__ import annotations

from typing import Final

API: Final = "/api/v1"
BATCH: Final = f"{API}/translate/batch"
TIMELINE: Final = f"{API}/translate/timeline"
TRACES: Final = f"{API}/traces"
RUNS: Final = f"{API}/runs"
