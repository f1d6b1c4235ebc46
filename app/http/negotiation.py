"""What a client accepts, from its headers (RFC 9110, section 12.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from starlette.datastructures import Headers

JSON = "application/json"
EVENTS = "text/event-stream"
HTML = "text/html"
NPZ = "application/x-npz"
KEPT = 100  # wishes of clients, of which there are a few, each sent again and again
LONGEST = 500  # characters of one that is kept


class Range(NamedTuple):
    """One media range of the header: `text/*;q=0.5` at its place."""

    media: str
    quality: float
    place: int

    def specificity(self, offer: str) -> int:
        """How closely the range names the offer: 2 by name, 1 by type, 0 as anything, else -1."""
        if self.media == offer:
            return 2
        if self.media == offer.partition("/")[0] + "/*":
            return 1
        return 0 if self.media in ("*/*", "*") else -1


def preferred(accept: str | None, offers: Sequence[str]) -> str | None:
    """The offer the client likes best, or nothing if it accepts none of them.

    The closest range decides the quality of an offer. Where two offers are liked equally, the one
    that is named more closely wins, then the one named first, then the one offered first.
    """
    choose = _remembered if len(accept or "") <= LONGEST else _preferred
    return choose(accept, tuple(offers))


def _preferred(accept: str | None, offers: tuple[str, ...]) -> str | None:
    ranges = _ranges(accept or "*/*")
    best: tuple[float, int, int, int] | None = None
    chosen = None
    for order, offer in enumerate(offers):
        matching = [found for found in ranges if found.specificity(offer) >= 0]
        if not matching:
            continue
        closest = max(matching, key=lambda found: (found.specificity(offer), -found.place))
        rank = (closest.quality, closest.specificity(offer), -closest.place, -order)
        if closest.quality > 0 and (best is None or rank > best):
            best, chosen = rank, offer
    return chosen


_remembered = lru_cache(KEPT)(_preferred)


def takes_gzip(headers: Headers) -> bool:
    """Whether an answer may be compressed."""
    return "gzip" in headers.get("accept-encoding", "")


def _ranges(accept: str) -> list[Range]:
    ranges = []
    for place, part in enumerate(accept.split(",")):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if media:
            ranges.append(Range(media, _quality(parameters), place))
    return ranges or [Range("*/*", 1.0, 0)]


def _quality(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 1.0
    return 1.0
