"""Every limit of this server, with what it means in the words of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from heed.app.errors import FieldError
from heed.app.schemas import BoundOut, BoundsOut
from heed.app.settings import PREFIX, Settings

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
    "cache_bytes": "bytes",
    "max_body_bytes": "bytes",
    "max_held_bytes": "bytes",
    "max_image_bytes": "bytes",
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
"""The settings that bound something, and what they count."""


class Search(Protocol):
    """What a search is bounded by."""

    @property
    def kind(self) -> str:
        """`beam` is the one that has hypotheses."""

    @property
    def beam(self) -> int:
        """How many it keeps."""


def check_search(search: Search, settings: Settings) -> None:
    """A `FieldError` if the search would keep more hypotheses than it may here."""
    if search.kind == "beam" and search.beam > settings.max_beam:
        message = f"The field 'search.beam' must be at most {settings.max_beam}, not {search.beam}."
        raise FieldError("out_of_range", message, "search.beam")


def limits_out(settings: Settings) -> BoundsOut:
    """The limits as the API gives them."""
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
