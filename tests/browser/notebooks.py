"""Servers of notebooks."""

from __future__ import annotations

import urllib.request
from urllib.error import URLError

PATIENCE = 90_000  # a kernel imports torch's companions on a busy machine


def answers(address: str) -> bool:
    """Return true once a server answers at an address."""
    try:
        with urllib.request.urlopen(address, timeout=5) as response:
            return bool(response.status == 200)
    except (URLError, OSError):
        return False
