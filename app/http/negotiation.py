"""Content negotiation by `Accept` and `Accept-Encoding` (RFC 9110, section 12.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import Request

from heed.app.errors import RequestError

CACHED_HEADERS = 100  # clients send few different values, each again and again
MAX_CACHED_CHARACTERS = 500
MAX_RANGES = 100  # of a header; the others are ignored
WEIGHT = re.compile(r"0(\.\d{0,9})?|1(\.0{0,9})?", re.ASCII)


class Range(NamedTuple):
    """One media range of `Accept`, such as `text/*;q=0.5`, and its position in the header.

    Or one coding of `Accept-Encoding`.
    """

    media: str
    quality: float
    position: int

    def specificity(self, offer: str) -> int:
        """Return 2 if the range names the offer, 1 for its type, 0 for `*/*`, else -1."""
        if self.media == offer:
            return 2
        if self.media == offer.partition("/")[0] + "/*":
            return 1
        return 0 if self.media in ("*/*", "*") else -1


def negotiate(request: Request, *offers: str) -> str:
    """Return the offered media type that the client prefers, or raise `not_acceptable`."""
    accept = ", ".join(request.headers.getlist("accept"))
    found = preferred(accept, offers)
    if found is None:
        message = f"Cannot satisfy `Accept`. Available: {', '.join(offers)}."
        raise RequestError("not_acceptable", message)
    return found


def preferred(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the offer that the client prefers, or None if it accepts none of them.

    The most specific range decides the quality of an offer. Between offers of equal quality, the
    one named more specifically wins, then the one named first, then the one offered first.
    """
    choose = _cached_choice if len(accept or "") <= MAX_CACHED_CHARACTERS else _choice
    return choose(accept, tuple(offers))


def _choice(accept: str | None, offers: tuple[str, ...]) -> str | None:
    ranges = _ranges(accept or "*/*")
    best: tuple[float, int, int, int] | None = None
    chosen = None
    for order, offer in enumerate(offers):
        matching = [found for found in ranges if found.specificity(offer) >= 0]
        if not matching:
            continue
        closest = max(matching, key=lambda found: (found.specificity(offer), -found.position))
        rank = (closest.quality, closest.specificity(offer), -closest.position, -order)
        if closest.quality > 0 and (best is None or rank > best):
            best, chosen = rank, offer
    return chosen


_cached_choice = lru_cache(CACHED_HEADERS)(_choice)


def has_no_store(headers: Headers) -> bool:
    """Return whether the client wants its answer kept nowhere, as while a person drags."""
    return "no-store" in headers.get("cache-control", "").lower()


def takes_gzip(headers: Headers) -> bool:
    """Return whether the client names gzip, and not with the weight 0."""
    accepted = ", ".join(headers.getlist("accept-encoding"))
    find = _cached_codings if len(accepted) <= MAX_CACHED_CHARACTERS else _codings
    return "gzip" in find(accepted)


def _codings(accepted: str) -> frozenset[str]:
    return frozenset(coding.media for coding in _listed(accepted) if coding.quality > 0)


_cached_codings = lru_cache(CACHED_HEADERS)(_codings)


def _ranges(accept: str) -> list[Range]:
    return _listed(accept) or [Range("*/*", 1.0, 0)]


def _listed(header: str) -> list[Range]:
    ranges = []
    for position, part in enumerate(header.split(",", MAX_RANGES)[:MAX_RANGES]):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if name:
            ranges.append(Range(name, _quality(parameters), position))
    return ranges


def _quality(parameters: Sequence[str]) -> float:
    """Return the weight; one that is malformed, such as `q=nan` or `q=-1`, is ignored."""
    for parameter in parameters:
        name, _, value = (piece.strip() for piece in parameter.partition("="))
        if name == "q":
            return float(value) if WEIGHT.fullmatch(value) else 1.0
    return 1.0
