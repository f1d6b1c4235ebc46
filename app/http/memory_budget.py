"""One limit for the bytes of all request bodies that the server has in memory."""

from __future__ import annotations

from heed.app.errors import ServiceUnavailable


class MemoryBudget:
    """Bytes that request bodies, uploads and traces to be saved may take together."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.reserved = 0

    def reserve(self, size: int) -> None:
        """Reserve so many bytes, or raise `ServiceUnavailable`."""
        if self.reserved + size > self.max_bytes:
            message = "Too many request bodies are in memory. Try again in a moment."
            raise ServiceUnavailable(message)
        self.reserved += size

    def release(self, size: int) -> None:
        """Return reserved bytes."""
        self.reserved -= size
