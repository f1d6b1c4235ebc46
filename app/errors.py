"""Every error of the API: one tree, one shape, one code for each cause.

    HeedError
    ├── RequestError        the request cannot be processed
    │   ├── bad_http                400  malformed HTTP
    │   ├── unknown_host            400  the `Host` header is not allowed
    │   ├── bad_json                400  the body is not valid JSON
    │   ├── bad_form                400  the body is not a valid multipart form
    │   ├── bad_npz                 400  the body is not a valid .npz archive
    │   ├── missing_key             401  deleting needs a key
    │   ├── wrong_key               403  the key belongs to another trace
    │   ├── not_found               404  there is no such path
    │   ├── unknown_trace           404  there is no saved trace with this id
    │   ├── unknown_run             404  the maps of this trace are no longer kept
    │   ├── method_not_allowed      405  the path does not support this method
    │   ├── not_acceptable          406  `Accept` allows none of the available media types
    │   ├── request_timeout         408  the request arrived too slowly
    │   ├── body_too_large          413  the body exceeds the limit
    │   ├── image_file_too_large    413  the image file exceeds the limit
    │   ├── sound_file_too_large    413  the sound file exceeds the limit
    │   ├── unsupported_media_type  415  the path does not read this media type
    │   ├── unsupported_picture     415  the file has no supported image format
    │   ├── unsupported_sound       415  the file has no supported sound format
    │   └── rate_limited            429  too many requests from this address
    ├── FieldError          422: a field of the body is invalid
    │   ├── empty_body, missing_field, unknown_field, wrong_type, out_of_range, invalid_choice
    │   ├── unknown_model, wrong_task
    │   ├── empty_text, blank_text, unknown_characters, text_too_long, invalid_text
    │   ├── empty_target, blank_target, target_too_long, target_unsupported
    │   ├── empty_question, blank_question, question_too_long
    │   ├── empty_story, blank_story, story_too_long
    │   ├── empty_graph, blank_graph, invalid_graph, no_known_class, graph_too_large
    │   ├── empty_picture, blank_picture, picture_too_large, broken_picture, draws_unsupported
    │   ├── empty_sound, broken_sound, sound_too_long
    │   ├── empty_batch, batch_too_large, answer_too_large
    │   ├── audit_too_large, scores_not_supported
    │   ├── edits_not_supported, empty_row, invalid_row, impossible_weight, unknown_word
    │   └── invalid_trace, invalid_links
    └── ServiceError        the request is valid, but the server cannot answer it
        ├── non_finite_output       500  a model returned NaN or infinity
        ├── internal_error          500  a defect of the server, logged under an id
        ├── weights_unreadable      500  the weights of the model cannot be read
        ├── trace_unreadable        500  the saved trace is damaged
        ├── overloaded              503  too many requests (`ServiceUnavailable`)
        ├── not_ready               503  weights are still being loaded
        ├── shutting_down           503  the server is stopping
        ├── store_unavailable       503  saved traces can be neither read nor written
        ├── deadline_exceeded       504  the request took longer than allowed
        └── store_full              507  no space is left for another saved trace

On the wire each is `{"error": {"code", "message", "field"}}`. Codes are stable; messages are for
people and may change.
"""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from heed.app.schemas import ErrorBody, ErrorOut

MAX_QUOTED_CHARACTERS = 60
RETRY_SECONDS = 2
"""`Retry-After` of an error of unknown duration."""

log = logging.getLogger("heed")


class Code(NamedTuple):
    """HTTP status and meaning of an error code."""

    status: int
    meaning: str


class HeedError(Exception):
    """An error with a stable code, a sentence that says what to do, and the field, if any."""

    codes: ClassVar[Mapping[str, Code]] = {}

    def __init__(
        self,
        code: str,
        message: str,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.headers = dict(headers or {})

    @property
    def status(self) -> int:
        """The HTTP status of the code."""
        return self.codes[self.code].status

    def out(self) -> ErrorOut:
        """Return the error in the shape of the API."""
        field = None if self.field is None else printable(self.field)
        body = ErrorBody(code=self.code, message=printable(self.message), field=field)
        return ErrorOut(error=body)


class RequestError(HeedError):
    """The request cannot be processed."""

    codes: ClassVar[Mapping[str, Code]] = {
        "bad_http": Code(
            400,
            "The request is not valid HTTP, its length or its host is ambiguous, or its address "
            "has more than 1,000 parameters.",
        ),
        "unknown_host": Code(400, "The `Host` header names a host that is not allowed."),
        "bad_json": Code(400, "The body is not valid JSON, or not UTF-8."),
        "bad_form": Code(400, "The body is not a valid multipart form; it may be truncated."),
        "bad_npz": Code(400, "The body is not a valid `.npz` archive, or an array is unreadable."),
        "missing_key": Code(401, "Deleting a trace needs its key as a bearer token."),
        "wrong_key": Code(403, "The key is not the key of this trace."),
        "not_found": Code(404, "There is no such path."),
        "unknown_trace": Code(404, "There is no saved trace with this id."),
        "unknown_run": Code(404, "The maps of this large trace are no longer kept."),
        "method_not_allowed": Code(
            405, "The path does not support this method; `Allow` lists those it supports."
        ),
        "not_acceptable": Code(406, "`Accept` allows none of the media types of this path."),
        "request_timeout": Code(
            408, "The headers or the body arrived too slowly. The connection is closed."
        ),
        "body_too_large": Code(413, "The body exceeds the limit of this path; see `limits`."),
        "image_file_too_large": Code(413, "The image file exceeds `limits.image_bytes`."),
        "sound_file_too_large": Code(413, "The sound file exceeds `limits.sound_bytes`."),
        "unsupported_media_type": Code(415, "The path does not read this `Content-Type`."),
        "unsupported_picture": Code(
            415, "The content of the file is not JPEG, PNG, WebP, GIF, BMP or TIFF."
        ),
        "unsupported_sound": Code(415, "The content of the file is not WAV with PCM samples."),
        "rate_limited": Code(
            429, "Too many requests from this address; `Retry-After` says when to try again."
        ),
    }


class FieldError(HeedError):
    """A field of the body is invalid."""

    codes: ClassVar[Mapping[str, Code]] = {
        "empty_body": Code(422, "The body is empty."),
        "missing_field": Code(422, "A required field is missing."),
        "unknown_field": Code(422, "There is no such field; its name may be misspelled."),
        "wrong_type": Code(422, "A field has the wrong type."),
        "out_of_range": Code(422, "A number is out of range."),
        "invalid_choice": Code(422, "A value is not among the allowed values."),
        "unknown_model": Code(422, "There is no model with this id."),
        "wrong_task": Code(422, "The model does not support the task of this path."),
        "empty_text": Code(422, "The text is empty."),
        "blank_text": Code(422, "The text has only spaces or invisible characters."),
        "unknown_characters": Code(422, "The model knows none of the characters."),
        "text_too_long": Code(422, "The text exceeds the limit of the model."),
        "invalid_text": Code(422, "The text is not valid Unicode (an unpaired surrogate)."),
        "empty_target": Code(422, "The target is empty."),
        "blank_target": Code(422, "The target has only spaces or invisible characters."),
        "target_too_long": Code(422, "The target exceeds the limit of the model."),
        "target_unsupported": Code(422, "The model writes nothing, and takes no target."),
        "empty_question": Code(422, "The question is empty."),
        "blank_question": Code(422, "The question has only spaces or invisible characters."),
        "question_too_long": Code(422, "The question exceeds the limit of the model."),
        "empty_story": Code(422, "The story is empty."),
        "blank_story": Code(422, "The story has no words."),
        "story_too_long": Code(
            422, "The story, or one of its sentences, exceeds the limit of the model."
        ),
        "empty_graph": Code(422, "The graph has no nodes."),
        "blank_graph": Code(422, "The text of the graph has only spaces or invisible characters."),
        "invalid_graph": Code(
            422, "A node, an edge or a class of the graph is not valid; the message says which."
        ),
        "no_known_class": Code(422, "No node of the graph has a known class."),
        "graph_too_large": Code(422, "The graph has more nodes or edges than the model reads."),
        "empty_picture": Code(422, "The image file is empty."),
        "blank_picture": Code(422, "The picture has one colour, so there is nothing to read."),
        "picture_too_large": Code(
            422,
            "The picture has more pixels than `limits.image_pixels`, or is too costly to decode.",
        ),
        "broken_picture": Code(422, "The image file is truncated or damaged."),
        "empty_sound": Code(422, "The sound file is empty, or has no samples."),
        "broken_sound": Code(422, "The sound file is truncated or damaged."),
        "sound_too_long": Code(422, "The sound exceeds the limit of the model, or 30 seconds."),
        "draws_unsupported": Code(422, "`draws` works only with hard attention."),
        "empty_batch": Code(422, "The batch has no texts."),
        "batch_too_large": Code(422, "The batch has more texts than `limits.batch`."),
        "answer_too_large": Code(
            422,
            "Answering would take more memory than `HEED_WORK_BYTES`: shorten the input, or reduce "
            "`search.beam`, `detail` or `vectors`.",
        ),
        "audit_too_large": Code(422, "The audit would take too many steps of the model."),
        "scores_not_supported": Code(422, "The scores of this model cannot be taken apart."),
        "edits_not_supported": Code(
            422,
            "The attention of this model, or of this kind, cannot be edited; the message says why.",
        ),
        "empty_row": Code(422, "An edit leaves a row without a key, or is a row of zeros."),
        "invalid_row": Code(422, "An edit has another count of weights than its row has keys."),
        "impossible_weight": Code(422, "An edit sets the sum of all keys below 1."),
        "unknown_word": Code(422, "An edit names a word that the input does not have."),
        "invalid_trace": Code(
            422, "The body is not a valid trace: for example, a row does not sum to 1."
        ),
        "invalid_links": Code(
            422, "The links are not pairs of words of the trace, such as `0-0 2-1`."
        ),
    }


class ServiceError(HeedError):
    """The request is valid, but the server cannot answer it."""

    codes: ClassVar[Mapping[str, Code]] = {
        "non_finite_output": Code(500, "The model returned NaN or infinity."),
        "internal_error": Code(
            500, "A defect of the server; the log has the details under the id in the message."
        ),
        "weights_unreadable": Code(500, "The weights of this model cannot be read."),
        "trace_unreadable": Code(500, "The saved trace is damaged; see the log."),
        "overloaded": Code(503, "Too many requests; `Retry-After` says when to try again."),
        "not_ready": Code(503, "Weights are still being loaded. Only `/readyz` returns this."),
        "shutting_down": Code(503, "The server is stopping."),
        "store_unavailable": Code(503, "Saved traces are not available; see the log."),
        "deadline_exceeded": Code(504, "The request took longer than allowed."),
        "store_full": Code(507, "No space is left for another saved trace."),
    }


class ServiceUnavailable(ServiceError):  # noqa: N818 - named like the status, 503
    """A queue, a memory budget or the connections are exhausted; the client may try again."""

    def __init__(self, message: str, retry_after: float = RETRY_SECONDS) -> None:
        super().__init__("overloaded", message, headers=retry_headers(retry_after))


def retry_headers(seconds: float = RETRY_SECONDS) -> dict[str, str]:
    """Return a `Retry-After` header of whole seconds, at least 1."""
    return {"Retry-After": str(max(1, math.ceil(seconds)))}


class CommandError(Exception):
    """A command of the command line failed; the message says what to change."""

    code: ClassVar[int] = 1


class StartError(CommandError):
    """The server cannot start: unreadable weights, an invalid setting, a port in use."""


def log_internal_error(error: Exception, place: str) -> ServiceError:
    """Log an unexpected error under an id; return an error that reveals nothing but the id."""
    identity = secrets.token_hex(4)
    log.error("defect id=%s in=%r", identity, place, exc_info=error)
    message = f"Internal server error. The log has the details under the id {identity}."
    return ServiceError("internal_error", message)


def all_codes() -> dict[str, Code]:
    """Return every code of the tree."""
    return {**RequestError.codes, **FieldError.codes, **ServiceError.codes}


def quoted(value: str) -> str:
    """Return user input in quotes, shortened and encodable, for use in a message."""
    limit = MAX_QUOTED_CHARACTERS
    short = value if len(value) <= limit else value[: limit - 1] + "…"
    return f"'{printable(short)}'"


def printable(text: str) -> str:
    """Return the text with unpaired surrogates, which UTF-8 cannot encode, replaced by `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")
