"""Every limit of this server, described as in the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from heed.app.errors import FieldError
from heed.app.schemas import BoundOut, BoundsOut
from heed.app.settings import MEBIBYTE, PREFIX, Settings

UNITS: Mapping[str, str] = {
    "queue_size": "requests",
    "deadline_seconds": "seconds",
    "header_seconds": "seconds",
    "body_seconds": "seconds",
    "body_bytes_per_second": "bytes per second",
    "upload_seconds": "seconds",
    "send_seconds": "seconds",
    "stop_seconds": "seconds",
    "max_connections": "connections",
    "model_bytes": "bytes",
    "work_bytes": "bytes",
    "cache_bytes": "bytes",
    "run_bytes": "bytes",
    "max_body_bytes": "bytes",
    "max_held_bytes": "bytes",
    "max_image_bytes": "bytes",
    "max_sound_bytes": "bytes",
    "max_image_pixels": "pixels",
    "max_batch": "texts",
    "max_beam": "hypotheses",
    "max_depth": "levels",
    "max_fields": "fields",
    "max_trace_bytes": "bytes",
    "max_store_bytes": "bytes",
    "keep_days": "days",
    "rate_per_minute": "calls per minute",
    "rate_burst": "calls",
}
"""The settings that are limits, and their units."""


OTHER_BYTES = (105 + 60 + 131) * MEBIBYTE
"""Memory of the program, of buffers, and of the processes that decode pictures."""


def most_memory(settings: Settings) -> int:
    """Return the memory that a server takes at most, with Heed's own models: docs/operations.md."""
    budgets = settings.work_bytes + settings.max_held_bytes
    kept = settings.model_bytes + settings.cache_bytes + settings.run_bytes
    return settings.workers * (OTHER_BYTES + budgets + kept)


class Search(Protocol):
    """The parameters of a search that are limited."""

    @property
    def kind(self) -> str:
        """Only `beam` has several hypotheses."""

    @property
    def beam(self) -> int:
        """The number of hypotheses."""


def check_search(search: Search, max_beam: int) -> None:
    """Raise a `FieldError` if the search has more hypotheses than this server allows."""
    if search.kind == "beam" and search.beam > max_beam:
        message = f"The field 'search.beam' must be at most {max_beam}, not {search.beam}."
        raise FieldError("out_of_range", message, "search.beam")


def limits_out(settings: Settings) -> BoundsOut:
    """Return the limits as the API gives them."""
    return BoundsOut(
        limits=[
            BoundOut(
                name=name,
                value=getattr(settings, name),
                unit=unit,
                setting=PREFIX + name.upper(),
                description=" ".join((Settings.model_fields[name].description or "").split()),
            )
            for name, unit in UNITS.items()
        ]
    )
