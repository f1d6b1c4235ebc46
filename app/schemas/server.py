"""The state, the version and the limits of a server."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from heed.app.schemas.base import Wire


class HealthOut(Wire):
    """State of the server."""

    status: Literal["alive", "ready"]


class LimitsOut(Wire):
    """Limits of requests."""

    batch: int
    """Texts in a batch."""
    body_bytes: int
    """Size of a request body."""
    image_bytes: int
    """Size of an image file."""
    sound_bytes: int
    """Size of a sound file."""
    image_pixels: int
    """Pixels that an image file may declare."""
    queue: int
    """Requests that may wait."""
    deadline_seconds: float
    """Seconds a request may take, including its time in the queue."""
    trace_bytes: int
    """Size of a trace to be saved."""
    keep_days: float
    """Days after which a saved trace is deleted; 0: never."""


class BoundOut(Wire):
    """One limit of this server."""

    name: str
    value: int | float
    unit: str
    """The unit of the value."""
    setting: str
    """The environment variable that changes it."""
    description: str


class BoundsOut(Wire):
    """All limits of this server. The length of a text is a limit of its model."""

    limits: list[BoundOut]


class VersionOut(Wire):
    """Versions and limits of the server."""

    name: str
    version: str
    python: str
    torch: str
    schema_: Annotated[str, Field(alias="schema")]
    """Version of the trace schema."""
    limits: LimitsOut
    models: list[str]
    """Ids of the models, the best first."""

    model_config = ConfigDict(populate_by_name=True)
