"""QR codes, drawn here so that no other server learns what a hall looks at."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import Final

import segno

MAX_WAITING: Final = 40
"""Codes that may wait: one for each person of a class."""
QUIET_ZONE = 4
"""Modules of white around the code (ISO/IEC 18004)."""

KEPT: Final = 64
"""Codes that are not drawn again: a class opens the same page."""


@lru_cache(KEPT)
def qr_svg(address: str) -> bytes:
    """Return the code of an address as SVG, with the address as its title."""
    code = segno.make(address, error="m", micro=False)
    drawing = BytesIO()
    code.save(
        drawing,
        kind="svg",
        border=QUIET_ZONE,
        light="white",
        omitsize=True,
        xmldecl=False,
        title=address,
        svgclass=None,
        lineclass=None,
    )
    return drawing.getvalue()
