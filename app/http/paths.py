"""Paths of the API that other parts of the server refer to."""

from __future__ import annotations

from typing import Final

API: Final = "/api/v1"
TRANSLATE: Final = f"{API}/translate"
BATCH: Final = f"{TRANSLATE}/batch"
CAPTION: Final = f"{API}/caption"
ASK: Final = f"{API}/ask"
SEE: Final = f"{API}/see"
STORY: Final = f"{API}/story"
GRAPH: Final = f"{API}/graph"
TRANSCRIBE: Final = f"{API}/transcribe"
READ: Final = f"{API}/read"
GLIMPSE: Final = f"{API}/glimpse"
TRACES: Final = f"{API}/traces"
RUNS: Final = f"{API}/runs"
