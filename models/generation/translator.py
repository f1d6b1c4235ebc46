"""The pipeline of models that read text."""

from __future__ import annotations

from collections.abc import Sequence

from heed.models.card import Card
from heed.models.generation.pipeline import (
    GenerationPipeline,
    PreparedInput,
    Source,
)
from heed.models.generation.protocol import Progress, wrong_request
from heed.models.generation.requests import Request, TextRequest
from heed.models.runtime.protocol import Encoded, ImageInput, Runtime, Tokens
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords
from heed.models.trace import TraceHeader, TraceRequest

__all__ = ["Progress", "TextRequest", "Translator"]


class Translator(GenerationPipeline):
    """A model that reads the tokens of a text."""

    def __init__(
        self,
        card: Card,
        runtime: Runtime[Tokens],
        tokenizer: BytePieces,
        known_words: KnownWords | None = None,
    ) -> None:
        super().__init__(card, runtime, tokenizer, known_words)
        self._runtime = runtime

    def read(self, request: Request) -> PreparedInput:
        """Prepare the tokens of a request and the plan for its output, or raise `InputError`."""
        if not isinstance(request, TextRequest):
            raise wrong_request(self.card, request)
        source = self._axis(request.text, "text")
        about = TraceRequest(request.text, request.search, request.target, vectors=request.vectors)
        return PreparedInput(
            TraceHeader(self._stamp(), self.card.task, about, source),
            [token.id for token in source.tokens],
            self._plan(request.target, request.search),
        )

    def encode(self, sources: Sequence[Source], *, vectors: bool = False) -> Encoded:
        """Encode a batch of texts."""
        texts = [source for source in sources if not isinstance(source, ImageInput)]
        if len(texts) < len(sources):
            raise TypeError(f"{self.card.id} reads texts, not pictures")
        return self._runtime.encode(texts, vectors=vectors)
