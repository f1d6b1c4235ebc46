"""Heed shows where a neural network looks.

`heed.trace` runs a model and records its attention, `heed.record` records any PyTorch module while
it runs. `heed.app` is the web application and the command line, `heed.models` the networks, their
runtimes and the trace that they all produce.

Importing heed imports neither torch nor transformers; the names below are loaded when first used.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heed.auditing import Audit, audit
    from heed.models.edits.operations import (
        Block,
        Gate,
        Only,
        Permute,
        Row,
        Scale,
        SetWeight,
        Silence,
        Temperature,
        Uniform,
    )
    from heed.models.errors import RecordingError
    from heed.models.heads import Head, parse_links, rank_heads
    from heed.traced import Trace
    from heed.tracing import Beam, Greedy, Recording, Sample, Search, record, trace

__all__ = [
    "Audit",
    "Beam",
    "Block",
    "Gate",
    "Greedy",
    "Head",
    "Only",
    "Permute",
    "Recording",
    "RecordingError",
    "Row",
    "Sample",
    "Scale",
    "Search",
    "SetWeight",
    "Silence",
    "Temperature",
    "Trace",
    "Uniform",
    "audit",
    "parse_links",
    "rank_heads",
    "record",
    "trace",
]

_PLACES = {
    "heed.auditing": ("Audit", "audit"),
    "heed.models.edits.operations": (
        *("Block", "Gate", "Only", "Permute", "Row"),
        *("Scale", "SetWeight", "Silence", "Temperature", "Uniform"),
    ),
    "heed.models.errors": ("RecordingError",),
    "heed.models.heads": ("Head", "parse_links", "rank_heads"),
    "heed.traced": ("Trace",),
    "heed.tracing": ("Beam", "Greedy", "Recording", "Sample", "Search", "record", "trace"),
}

DISTRIBUTION = "heed-attention"
"""The name on package indexes, where `heed` is a package of others."""
try:
    __version__ = version(DISTRIBUTION)
except PackageNotFoundError:  # run from a folder that was never installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> object:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'heed' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
