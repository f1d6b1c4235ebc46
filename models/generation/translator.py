"""A model of text to text, asked in strings and answered in traces."""

from __future__ import annotations

from dataclasses import dataclass, field

from heed.models.generation.pipeline import GenerationPipeline, PreparedInput, Progress
from heed.models.runtime.protocol import Tokens
from heed.models.trace import SearchRequest, TraceHeader, TraceRequest, Vectors

__all__ = ["Progress", "TextRequest", "Translator"]


@dataclass(frozen=True, slots=True)
class TextRequest:
    """A text to be read; with a target, the model is told what to write."""

    text: str
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)
    vectors: Vectors = "cross"


class Translator(GenerationPipeline[TextRequest, Tokens]):
    """Reads the tokens of a text."""

    def read(self, ask: TextRequest) -> PreparedInput[Tokens]:
        """The tokens of an ask and the plan for its output, or `InputError`."""
        source = self._axis(ask.text, "text")
        request = TraceRequest(ask.text, ask.search, ask.target, vectors=ask.vectors)
        return PreparedInput(
            TraceHeader(self._stamp(), self.card.task, request, source),
            [token.id for token in source.tokens],
            self._plan(ask.target, ask.search),
        )
