"""A form with a picture in it, read within its limits while it comes. Nothing is put on disk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from heed.app.errors import FieldError, RequestError, ServiceError, quoted
from heed.app.settings import Settings

MULTIPART = "multipart/form-data"
FILE = "image"
MOST_FIELD_BYTES = 16 * 1024  # of all fields but the file, together
MOST_FRAME_BYTES = 64 * 1024  # of boundaries, headers, and what stands behind the end
HELD_FILES = 5  # of the largest size, as many bytes as may be held of all uploads together
PIECE = 16 * 1024  # bytes; as many as a busy server was sent at once may come together
RETRY_SECONDS = 2


class Form(NamedTuple):
    """What came: the bytes of the file, if there was one, and the other fields."""

    file: bytes | None
    fields: dict[str, str]


class Uploads:
    """All forms that are being read, so that a crowd of them does not fill the memory."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._held = 0

    @property
    def most(self) -> int:
        """The most bytes of one form."""
        return self._most_bytes + MOST_FIELD_BYTES + MOST_FRAME_BYTES

    @asynccontextmanager
    async def form(self, request: Request) -> AsyncIterator[Form]:
        """The form that a request brings, held while the block lasts."""
        boundary = _boundary(request)
        settings: Settings = request.app.state.service.settings
        seconds = settings.upload_seconds
        most = self.most
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > most:
            raise too_heavy(self._most_bytes)
        with self._holding() as take:
            parts = FormParser(boundary, self._most_bytes, settings.max_fields)
            try:
                async with asyncio.timeout(seconds):
                    async for chunk in request.stream():
                        # Piece by piece: what is too large says so before it takes all the room.
                        for start in range(0, len(chunk), PIECE):
                            piece = chunk[start : start + PIECE]
                            take(len(piece), most)
                            parts.feed(piece)
            except TimeoutError:
                message = f"The upload took longer than {seconds:g} s. Send less."
                headers = {"Retry-After": str(RETRY_SECONDS)}
                raise ServiceError("deadline_exceeded", message, headers=headers) from None
            yield parts.form()

    @contextmanager
    def _holding(self) -> Iterator[Take]:
        take = Take(self)
        try:
            yield take
        finally:
            self._held -= take.taken

    def take(self, size: int) -> None:
        """Hold so many bytes more, unless that is too much for all together."""
        if self._held + size > max(HELD_FILES * self._most_bytes, self.most):
            message = "Too many pictures are being uploaded at once. Try again in a moment."
            raise ServiceError("overloaded", message, headers={"Retry-After": str(RETRY_SECONDS)})
        self._held += size


class Take:
    """What one form has been given of the room."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self.taken = 0

    def __call__(self, size: int, most: int) -> None:
        """Take so many bytes more."""
        self._uploads.take(size)
        self.taken += size
        if self.taken > most:
            raise RequestError(
                "body_too_large", f"The body is larger than {most} bytes. Send less."
            )


class FormParser:
    """The parts of one form, told apart as its bytes come in."""

    def __init__(self, boundary: bytes, most_bytes: int, most_parts: int) -> None:
        self._most_bytes = most_bytes
        self._most_parts = most_parts
        self._found: dict[str, bytearray] = {}
        self._field_bytes = 0
        self._header = bytearray()
        self._value = bytearray()
        self._name = ""
        self._ended = False
        self._fed = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._on_header,
                "on_header_value": self._on_value,
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._named,
                "on_part_data": self._on_data,
                "on_end": self._end,
            },
        )

    def feed(self, chunk: bytes) -> None:
        """Go on with the next bytes."""
        self._fed = self._fed or bool(chunk)
        try:
            self._parser.write(chunk)
        except FormParserError:
            raise _bad("it is not divided as its Content-Type says") from None

    def form(self) -> Form:
        """The whole, once all bytes are there."""
        if not self._fed:
            raise FieldError("empty_body", f"The body is empty. Send a form with `{FILE}` in it.")
        if not self._ended:
            raise _bad("it is cut short")
        file = self._found.pop(FILE, None)
        fields = {name: _text(name, bytes(value)) for name, value in self._found.items()}
        return Form(None if file is None else bytes(file), fields)

    def _begin(self) -> None:
        self._name = ""
        if len(self._found) >= self._most_parts:
            raise _bad(f"it has more than {self._most_parts} fields")

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self._value))
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._header.clear()
        self._value.clear()

    def _named(self) -> None:
        if not self._name:
            raise _bad("one of its fields has no name")
        if self._name in self._found:
            raise _bad(f"the field {quoted(self._name)} stands in it twice")
        self._found[self._name] = bytearray()

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        content = self._found[self._name]
        content += data[start:end]
        if self._name == FILE:
            if len(content) > self._most_bytes:
                raise too_heavy(self._most_bytes)
            return
        self._field_bytes += end - start
        if self._field_bytes > MOST_FIELD_BYTES:
            message = f"The fields beside the picture have more than {MOST_FIELD_BYTES} bytes."
            raise RequestError("body_too_large", message, self._name)

    def _end(self) -> None:
        self._ended = True


def too_heavy(most_bytes: int) -> RequestError:
    """The error of a file that is larger than is read."""
    message = f"The picture's file has more than {most_bytes:,} bytes. Make it smaller."
    return RequestError("image_file_too_large", message, FILE)


def _boundary(request: Request) -> bytes:
    media, options = parse_options_header(request.headers.get("content-type", ""))
    if media.lower() != MULTIPART.encode():
        found = f"not as {quoted(media.decode('latin-1'))}" if media else "and say so"
        message = f"Send the body as a form, `Content-Type: {MULTIPART}`, {found}."
        headers = {"Accept-Post": MULTIPART}
        raise RequestError("unsupported_media_type", message, headers=headers)
    boundary = options.get(b"boundary", b"")
    if not 1 <= len(boundary) <= 70:  # RFC 2046, section 5.1.1
        raise _bad("its Content-Type names no boundary")
    return boundary


def _bad(why: str) -> RequestError:
    return RequestError("bad_form", f"The body is no form that can be read: {why}.")


def _text(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        message = f"The field {quoted(name)} is not UTF-8. Send it as UTF-8."
        raise FieldError("invalid_text", message, name) from None
