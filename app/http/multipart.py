"""A multipart form with a file, parsed within its limits while it arrives, in memory."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import BaseModel
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from heed.app.errors import (
    FieldError,
    HeedError,
    RequestError,
    ServiceError,
    quoted,
    retry_headers,
)
from heed.app.http.media_types import FILE, MULTIPART, SOUND
from heed.app.http.request_body import parse_json
from heed.app.http.validation_errors import validated
from heed.app.settings import Settings

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_FIELD_BYTES = 16 * 1024  # of all fields except the file, together
MAX_FRAME_BYTES = 64 * 1024  # of boundaries, headers, and bytes after the end
CHUNK = 16 * 1024  # bytes parsed at a time: a larger chunk may exceed several limits at once
INTEGERS = ("draws", "layer", "head", "continue_from", "row", "column", "seeds")
OBJECTS = ("search", "edits")
"""Fields in JSON."""
INTEGER = re.compile(r"-?\d{1,9}", re.ASCII)

Options = TypeVar("Options", bound=BaseModel)


class Form(NamedTuple):
    """The file of a form, if it has one, and its other fields."""

    file: bytes | None
    fields: dict[str, str]


def max_form_bytes(max_file_bytes: int) -> int:
    """Return the size of the largest form whose file is within its limit."""
    return max_file_bytes + MAX_FIELD_BYTES + MAX_FRAME_BYTES


async def read_options(
    request: Request, schema: type[Options], file: str = FILE
) -> tuple[Options, bytes | None]:
    """Read the form of a request; return its validated fields, and its file if it has one."""
    form = await read_form(request, file)
    return validated(_values(form.fields), schema), form.file


async def read_form(request: Request, file: str = FILE) -> Form:
    """Read the form of a request within the limits of the settings."""
    settings: Settings = request.app.state.settings
    most = settings.max_sound_bytes if file == SOUND else settings.max_image_bytes
    parser = FormParser(_boundary(request), most, settings.max_fields, file)
    try:
        async with asyncio.timeout(settings.upload_seconds):
            async for received in request.stream():
                for start in range(0, len(received), CHUNK):
                    parser.feed(received[start : start + CHUNK])
    except TimeoutError:
        message = f"The upload took longer than {settings.upload_seconds:g} s. Send less."
        raise ServiceError("deadline_exceeded", message, headers=retry_headers()) from None
    return parser.form()


def image_file_too_large(max_bytes: int) -> RequestError:
    """Return the error of an image file that exceeds its limit."""
    message = f"The image file is larger than {max_bytes:,} bytes. Make it smaller."
    return RequestError("image_file_too_large", message, FILE)


def sound_file_too_large(max_bytes: int) -> RequestError:
    """Return the error of a sound file that exceeds its limit."""
    message = f"The sound file is larger than {max_bytes:,} bytes. Make it smaller."
    return RequestError("sound_file_too_large", message, SOUND)


class FormParser:
    """Parser of one form, fed with its bytes as they arrive."""

    def __init__(self, boundary: bytes, max_bytes: int, max_parts: int, file: str = FILE) -> None:
        self._fed = False
        self._parts = _Parts(max_bytes, max_parts, file)
        self._parser = MultipartParser(boundary, self._parts.callbacks())

    def feed(self, chunk: bytes) -> None:
        """Parse the next bytes."""
        self._fed = self._fed or bool(chunk)
        try:
            self._parser.write(chunk)
        except FormParserError:
            raise _bad("the boundary does not match") from None

    def form(self) -> Form:
        """Return the form, once all bytes have been parsed."""
        if not self._fed:
            name = self._parts.file
            raise FieldError("empty_body", f"The body is empty. Send a form with a field `{name}`.")
        return self._parts.form()


class _Parts:
    """The parts of a form, as a parser finds them.

    They do not refer to the parser: in a reference cycle, what a client has sent would stay in
    memory until Python's collector finds it.
    """

    def __init__(self, max_bytes: int, max_parts: int, file: str) -> None:
        self.file = file
        self._max_bytes = max_bytes
        self._max_parts = max_parts
        self._parts: dict[str, bytearray] = {}
        self._field_bytes = 0
        self._header = bytearray()
        self._value = bytearray()
        self._name = ""
        self._ended = False

    def callbacks(self) -> MultipartCallbacks:
        """Return what the parser calls."""
        return {
            "on_part_begin": self._on_part_begin,
            "on_header_field": self._on_header_field,
            "on_header_value": self._on_header_value,
            "on_header_end": self._on_header_end,
            "on_headers_finished": self._on_headers_finished,
            "on_part_data": self._on_part_data,
            "on_end": self._on_end,
        }

    def form(self) -> Form:
        """Return the form, if it has ended."""
        if not self._ended:
            raise _bad("it is truncated")
        file = self._parts.pop(self.file, None)
        fields = {name: _text(name, bytes(value)) for name, value in self._parts.items()}
        return Form(None if file is None else bytes(file), fields)

    def _on_part_begin(self) -> None:
        self._name = ""
        if len(self._parts) >= self._max_parts:
            raise _bad(f"it has more than {self._max_parts} fields")

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, options = parse_options_header(bytes(self._value))
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._header.clear()
        self._value.clear()

    def _on_headers_finished(self) -> None:
        if not self._name:
            raise _bad("a field has no name")
        if self._name in self._parts:
            raise _bad(f"the field {quoted(self._name)} occurs twice")
        self._parts[self._name] = bytearray()

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        content = self._parts[self._name]
        content += data[start:end]
        if self._name == self.file:
            if len(content) > self._max_bytes:
                refused = sound_file_too_large if self.file == SOUND else image_file_too_large
                raise refused(self._max_bytes)
            return
        self._field_bytes += end - start
        if self._field_bytes > MAX_FIELD_BYTES:
            message = f"The fields other than the file exceed {MAX_FIELD_BYTES} bytes."
            raise RequestError("body_too_large", message, self._name)

    def _on_end(self) -> None:
        self._ended = True


def _values(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields with the types of the schema: a form has only strings."""
    values: dict[str, Any] = dict(fields)
    for name in OBJECTS:
        if name in values:
            values[name] = _json_field(name, fields[name])
    for name in INTEGERS:
        if INTEGER.fullmatch(fields.get(name, "")):
            values[name] = int(fields[name])
    return values


def _json_field(name: str, text: str) -> Any:
    try:
        return parse_json(text.encode())
    except HeedError as error:
        message = error.message.replace("The body", f"The field '{name}'")
        raise RequestError("bad_json", message, name) from None


def _boundary(request: Request) -> bytes:
    media, options = parse_options_header(request.headers.get("content-type", ""))
    if media.lower() != MULTIPART.encode():
        found = f"not {quoted(media.decode('latin-1'))}" if media else "which is missing"
        message = f"Send the body as a form with `Content-Type: {MULTIPART}`, {found}."
        headers = {"Accept-Post": MULTIPART}
        raise RequestError("unsupported_media_type", message, headers=headers)
    boundary = options.get(b"boundary", b"")
    if not 1 <= len(boundary) <= 70:  # RFC 2046, section 5.1.1
        raise _bad("`Content-Type` has no valid boundary")
    return boundary


def _bad(reason: str) -> RequestError:
    return RequestError("bad_form", f"Malformed multipart body: {reason}.")


def _text(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        message = f"The field {quoted(name)} is not valid UTF-8."
        raise FieldError("invalid_text", message, name) from None
