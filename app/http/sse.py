"""Server-sent events (HTML Living Standard, section 9.2)."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from heed.app.http.encoding import to_json
from heed.app.schemas import Wire

COMPRESSION_LEVEL = 2  # events are small and many: a higher level gains little
GZIP_WINDOW = zlib.MAX_WBITS | 16  # 16: with the header and the trailer of a gzip file


def event(name: str, data: Wire | Mapping[str, Any] | bytes) -> bytes:
    """Encode one event. JSON has no raw line breaks, so its data is one line."""
    body = data if isinstance(data, bytes) else to_json(data)
    return b"event: %s\ndata: %s\n\n" % (name.encode(), body)


async def gzip_stream(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Compress a stream; every event is flushed at once."""
    compressor = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, GZIP_WINDOW)
    async for piece in events:
        yield compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)
    yield compressor.flush()
