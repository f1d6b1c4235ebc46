"""Sentences that are read word by word: a request of the API to a trace."""

from __future__ import annotations

from heed.app.inference.catalogue import known_model
from heed.app.inference.checks import check_text
from heed.app.inference.single import SingleInference
from heed.app.schemas import ReadIn
from heed.models.generation.requests import ReadingRequest


class Readings(SingleInference[ReadIn]):
    """Reads sentences."""

    async def _prepared(self, request: ReadIn) -> tuple[str, ReadingRequest]:
        model = known_model(self._catalogue, request.model, self._defaults, "read")
        return model, reading_request(request)


def reading_request(request: ReadIn) -> ReadingRequest:
    """Return the request for a model, or raise a `FieldError`."""
    return ReadingRequest(check_text(request.text, "text"))
