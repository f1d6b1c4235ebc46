"""A model of text to text, asked in strings and answered in traces."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from models.familiar import Familiar
from models.runtime import Runtime, Tokens
from models.tokenizer import BytePieces
from models.trace import Opening, SearchRequest, TokenAxis, TraceRequest, Vectors
from models.writer import Progress, Reading, Writer
from models.zoo import Card

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

    def __init__(
        self,
        card: Card,
        runtime: Runtime[Tokens, Any],
        tokenizer: BytePieces,
        familiar: Familiar | None = None,
    ) -> None:
        super().__init__(card, runtime, tokenizer)
        self._familiar = familiar

    def read(self, ask: Ask) -> Reading[Tokens]:
        """The tokens of an ask and the plan for its output, or `InputError`."""
        source = self._told(self._axis(ask.text, "text"))
        request = TraceRequest(ask.text, ask.search, ask.target, vectors=ask.vectors)
        return Reading(
            Opening(self._stamp(), self.card.task, request, source),
            [token.id for token in source.tokens],
            self._plan(ask.target, ask.search),
        )

    def _told(self, axis: TokenAxis) -> TokenAxis:
        """An axis with the words that the model hardly met, if that is known."""
        if self._familiar is None:
            return axis
        return replace(axis, strangers=self._familiar.strangers(axis))
