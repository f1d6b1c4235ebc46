"""Browser tests shared by two processes: one begins at the front, the other at the back.

Each takes a test by making a file that was not there yet, until they meet; so nobody has to know
beforehand how long anything takes.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

FOLDER = "TESTS_SHARED"
"""Names the folder where the tests that are taken are marked; unset where nothing is shared."""
BACKWARDS = "TESTS_BACKWARDS"
"""Set for the process that begins at the back."""


def backwards() -> bool:
    """Whether this process begins at the back."""
    return BACKWARDS in os.environ


def shared() -> bool:
    """Whether there is another process."""
    return bool(os.environ.get(FOLDER))


def take(test: str) -> bool:
    """Whether a test is ours to run; if so, it is nobody else's from now on."""
    mark = Path(os.environ[FOLDER], hashlib.sha256(test.encode()).hexdigest())
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
