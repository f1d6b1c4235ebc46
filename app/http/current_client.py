"""The client whose request is being handled, for whatever is divided among clients."""

from __future__ import annotations

from contextvars import ContextVar

CURRENT_CLIENT: ContextVar[str] = ContextVar("client", default="")
"""The address of the client, as `client_address` returns it; empty outside of a request."""
