"""A model of text to text, asked in strings and answered in traces."""

from __future__ import annotations

from dataclasses import dataclass, field

from heed.models.generation.pipeline import Progress, Reading, Writer
from heed.models.runtime.protocol import Tokens
from heed.models.trace import Opening, SearchRequest, TraceRequest, Vectors

__all__ = ["Ask", "Progress", "Translator"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A text to be read; with a target, the model is told what to write."""

    text: str
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)
    vectors: Vectors = "cross"


class Translator(Writer[Ask, Tokens]):
    """Reads the tokens of a text."""

    def read(self, ask: Ask) -> Reading[Tokens]:
        """The tokens of an ask and the plan for its output, or `InputError`."""
        source = self._axis(ask.text, "text")
        request = TraceRequest(ask.text, ask.search, ask.target, vectors=ask.vectors)
        return Reading(
            Opening(self._stamp(), self.card.task, request, source),
            [token.id for token in source.tokens],
            self._plan(ask.target, ask.search),
        )
