"""Batches of texts to translate: a request of the API to traces."""

from __future__ import annotations

import io
from dataclasses import dataclass

from heed.app.errors import FieldError
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.inference.catalogue import Models
from heed.app.inference.engine import Engine
from heed.app.inference.execution import trace_job
from heed.app.inference.jobs import Answer
from heed.app.schemas import BatchIn
from heed.app.tasks.checks import check_text
from heed.app.tasks.edits import edits_of
from heed.app.tasks.translate import TRANSLATE, search_of
from heed.models.generation.requests import TextRequest


@dataclass(frozen=True)
class TextBatches:
    """Answers requests for batches of texts."""

    models: Models
    engine: Engine
    max_batch: int

    async def answer(self, request: BatchIn, on_disconnect: OnDisconnect) -> bytes:
        """Return the traces of several texts in order, with an error in place of each bad one."""
        self._check_size(request)
        model = self.models.known(request.model, TRANSLATE)
        search, edits = search_of(request.search), edits_of(request.edits)
        answers: dict[int, Answer] = {}
        texts: dict[int, TextRequest] = {}
        for i, value in enumerate(request.texts):
            try:
                text = check_text(value, f"texts[{i}]")
            except FieldError as error:
                answers[i] = error
            else:
                texts[i] = TextRequest(
                    text,
                    None,
                    search,
                    request.vectors,
                    edits=edits,
                    continue_from=request.continue_from,
                )
        if texts:
            job = trace_job(model, list(texts.values()), request.detail)
            self.engine.submit(job)
            answers |= zip(texts, await self.engine.answers(job, on_disconnect), strict=True)
            del job  # it has the answers
        return _joined([answers.pop(i) for i in range(len(request.texts))])

    def _check_size(self, request: BatchIn) -> None:
        if not request.texts:
            message = "The list 'texts' is empty. Send at least one text."
            raise FieldError("empty_batch", message, "texts")
        if len(request.texts) > self.max_batch:
            message = (
                f"The list 'texts' has {len(request.texts)} texts. Send at most {self.max_batch}."
            )
            raise FieldError("batch_too_large", message, "texts")


def _joined(answers: list[Answer]) -> bytes:
    """Return the answers to a batch as one, and free each when it is copied."""
    joined = io.BytesIO()
    joined.write(b'{"traces":[')
    for i in range(len(answers)):
        joined.write(b"," if i else b"")
        joined.write(_batch_item(answers[i], i))
        answers[i] = b""
    joined.write(b"]}")
    return joined.getvalue()


def _batch_item(answer: Answer, index: int) -> bytes:
    if isinstance(answer, bytes):
        return answer
    return to_json(FieldError(answer.code, answer.message, f"texts[{index}]").out())
