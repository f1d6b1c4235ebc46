"""The pipeline of models that read text."""

from __future__ import annotations

from heed.models.generation.kept_steps import MOST_KEPT
from heed.models.generation.pipeline import GenerationPipeline, PreparedInput
from heed.models.generation.protocol import Progress, wrong_request
from heed.models.generation.requests import Request, TextRequest
from heed.models.runtime.protocol import Tokens
from heed.models.trace import TraceHeader, TraceRequest

__all__ = ["Progress", "TextRequest", "Translator"]


class Translator(GenerationPipeline[Tokens]):
    """A model that reads the tokens of a text."""

    def prepare(self, request: Request) -> PreparedInput[Tokens]:
        """Prepare the tokens of a request and the plan for its output, or raise `InputError`."""
        if not isinstance(request, TextRequest):
            raise wrong_request(self.card, request)
        source = self._axis(request.text, "text")
        edits = self._edits(request.edits, source)
        about = TraceRequest(
            request.text,
            request.search,
            request.target,
            vectors=request.vectors,
            edits=edits.edits if edits else (),
            continue_from=request.continue_from,
        )
        tokens = [token.id for token in source.tokens]
        plan = self._plan(request.target, request.search, request.continue_from)
        kept = edits is not None and len(tokens) <= MOST_KEPT
        return PreparedInput(
            TraceHeader(self._stamp(), self.card.task, about, source),
            tokens,
            plan,
            request.by_tiles and edits is None,
            edits,
            (plan, request.vectors, request.text) if kept else None,
        )
