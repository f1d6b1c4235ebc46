"""Every error the API can give, in one tree and one shape.

    HeedError
    ├── RequestError        the request itself cannot be taken
    │   ├── bad_http                400  what came is not HTTP
    │   ├── unknown_host            400  the server does not go by the name it was called
    │   ├── bad_json                400  the body is not JSON
    │   ├── bad_form                400  the body is no form that can be read
    │   ├── bad_npz                 400  the body is no .npz archive that can be read
    │   ├── missing_key             401  deleting needs the key
    │   ├── wrong_key               403  this key belongs to another trace
    │   ├── not_found               404  nothing lives at this path
    │   ├── unknown_trace           404  no saved trace of this id
    │   ├── method_not_allowed      405  this path knows other methods
    │   ├── not_acceptable          406  no content type that Accept allows
    │   ├── request_timeout         408  the request came too slowly
    │   ├── body_too_large          413  the body is larger than the limit
    │   ├── image_file_too_large    413  the picture's file is larger than the limit
    │   ├── unsupported_media_type  415  the body is of a type that is not read here
    │   ├── unsupported_picture     415  the file is no picture of a kind that is read
    │   └── rate_limited            429  this address asks too often
    ├── FieldError          422: a field of the body is not what it should be
    │   ├── empty_body, missing_field, unknown_field, wrong_type, out_of_range, invalid_choice
    │   ├── unknown_model, wrong_task
    │   ├── empty_text, blank_text, unknown_characters, text_too_long, invalid_text
    │   ├── empty_target, blank_target, target_too_long
    │   ├── empty_question, blank_question, question_too_long
    │   ├── empty_picture, picture_too_large, broken_picture, draws_unsupported
    │   ├── empty_batch, batch_too_large
    │   └── invalid_trace
    └── ServiceError        the request is good, the server cannot answer it
        ├── non_finite_output       500  a model gave something else than numbers
        ├── internal_error          500  a defect of ours, logged under the id in the message
        ├── weights_unreadable      500  the model's weights cannot be read
        ├── trace_unreadable        500  what was saved cannot be read any more
        ├── overloaded              503  too many requests wait already
        ├── not_ready               503  weights are still being read
        ├── shutting_down           503  the server is stopping
        ├── store_unavailable       503  saved traces can be neither read nor written
        ├── deadline_exceeded       504  it took longer than a request may
        └── store_full              507  there is no room for another saved trace

On the wire each is `{"error": {"code", "message", "field"}}`. Codes are stable; the sentences are
for people and may change.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from heed.app.schemas import ErrorBody, ErrorOut

LONGEST_QUOTE = 60

log = logging.getLogger("heed")


class Code(NamedTuple):
    """What stands behind a code: its HTTP status, and what it means."""

    status: int
    meaning: str


class HeedError(Exception):
    """An error with a stable code, a sentence that says what to do, and the field if any."""

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
        """The HTTP status that goes with the code."""
        return self.codes[self.code].status

    def out(self) -> ErrorOut:
        """The error as it goes on the wire."""
        field = None if self.field is None else printable(self.field)
        body = ErrorBody(code=self.code, message=printable(self.message), field=field)
        return ErrorOut(error=body)


class RequestError(HeedError):
    """The request itself cannot be taken."""

    codes: ClassVar[Mapping[str, Code]] = {
        "bad_http": Code(
            400,
            "What came is not HTTP, or does not say once where it ends and for which host it is.",
        ),
        "unknown_host": Code(400, "The server does not go by the name in `Host`."),
        "bad_json": Code(400, "The body is not JSON, or not UTF-8."),
        "bad_form": Code(
            400, "The body is no form that can be read: it is cut short, for instance."
        ),
        "bad_npz": Code(400, "The body is no `.npz` archive, or has no arrays that can be read."),
        "missing_key": Code(401, "Deleting needs the key that saving gave, as a bearer token."),
        "wrong_key": Code(403, "This is not the key that this trace was saved with."),
        "not_found": Code(404, "Nothing lives at this path."),
        "unknown_trace": Code(404, "No saved trace has this id: never, or not any more."),
        "method_not_allowed": Code(405, "This path knows other methods; `Allow` lists them."),
        "not_acceptable": Code(406, "No content type of this path that `Accept` allows."),
        "request_timeout": Code(
            408, "The request came too slowly: its headers, or its body. The connection is closed."
        ),
        "body_too_large": Code(
            413, "The body is larger than this path takes; `limits` says how much."
        ),
        "image_file_too_large": Code(
            413, "The picture's file is larger than `limits.image_bytes`."
        ),
        "unsupported_media_type": Code(415, "The body is not sent as what this path reads."),
        "unsupported_picture": Code(
            415, "The file is no JPEG, PNG, WebP, GIF, BMP or TIFF, by its content."
        ),
        "rate_limited": Code(
            429, "This address has asked too often; `Retry-After` says when to ask."
        ),
    }


class FieldError(HeedError):
    """A field of the body is not what it should be."""

    codes: ClassVar[Mapping[str, Code]] = {
        "empty_body": Code(422, "There is no body."),
        "missing_field": Code(422, "A field that must be there is not."),
        "unknown_field": Code(422, "A field that nobody knows, most often a slip of the pen."),
        "wrong_type": Code(422, "A field of another type than it must have."),
        "out_of_range": Code(422, "A number outside its bounds."),
        "invalid_choice": Code(422, "A word that is not among the choices."),
        "unknown_model": Code(422, "No model of that id."),
        "wrong_task": Code(422, "The model named does something else than this path is for."),
        "empty_text": Code(422, "The text has no characters."),
        "blank_text": Code(422, "The text has nothing to be seen: only spaces, say."),
        "unknown_characters": Code(
            422, "The model has met none of the characters: emoji alone, say."
        ),
        "text_too_long": Code(422, "The text is longer than the model reads."),
        "invalid_text": Code(422, "The text is not valid Unicode: half a surrogate pair, say."),
        "empty_target": Code(422, "The target has no characters."),
        "blank_target": Code(422, "The target has nothing to be seen."),
        "target_too_long": Code(422, "The target is longer than the model writes."),
        "empty_question": Code(422, "The question has no characters."),
        "blank_question": Code(422, "The question has nothing to be seen."),
        "question_too_long": Code(422, "The question is longer than the model reads."),
        "empty_picture": Code(422, "The file of the picture has no bytes."),
        "picture_too_large": Code(
            422,
            "The picture has more pixels than `limits.image_pixels`, or takes too much to decode.",
        ),
        "broken_picture": Code(422, "The file begins as a picture, but is cut short or damaged."),
        "draws_unsupported": Code(422, "Draws were asked of a model that draws nothing."),
        "empty_batch": Code(422, "There is no text in the batch."),
        "batch_too_large": Code(422, "There are more texts in the batch than `limits.batch`."),
        "invalid_trace": Code(
            422, "It is no attention: a row that does not sum to 1, for instance."
        ),
    }


class ServiceError(HeedError):
    """The request is good, the server cannot answer it."""

    codes: ClassVar[Mapping[str, Code]] = {
        "non_finite_output": Code(500, "The model gave something else than numbers."),
        "internal_error": Code(500, "A defect of ours; the log has it under the id given."),
        "weights_unreadable": Code(500, "The weights of this model cannot be read."),
        "trace_unreadable": Code(500, "What was saved is damaged; the log says how."),
        "overloaded": Code(503, "Too many requests wait already; `Retry-After` says when to ask."),
        "not_ready": Code(503, "Weights are still being read. Only `/readyz` says this."),
        "shutting_down": Code(503, "The server is stopping."),
        "store_unavailable": Code(503, "Saved traces cannot be reached; the log says why."),
        "deadline_exceeded": Code(504, "It took longer than a request may."),
        "store_full": Code(507, "There is no room for another saved trace."),
    }


def log_internal_error(error: Exception, place: str) -> ServiceError:
    """Log what should never have happened under an id, and tell no more than the id."""
    identity = secrets.token_hex(4)
    log.error("defect id=%s in=%r", identity, place, exc_info=error)
    message = f"Something broke on our side. The log has it under the id {identity}."
    return ServiceError("internal_error", message)


def all_codes() -> dict[str, Code]:
    """Every code of the tree."""
    return {**RequestError.codes, **FieldError.codes, **ServiceError.codes}


def quoted(value: str) -> str:
    """What the user typed, short enough and safe to stand in a sentence."""
    short = value if len(value) <= LONGEST_QUOTE else value[: LONGEST_QUOTE - 1] + "…"
    return f"'{printable(short)}'"


def printable(text: str) -> str:
    """The text with what UTF-8 cannot say (half a surrogate pair) replaced by `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")
