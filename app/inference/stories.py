"""Questions about stories: a request of the API to a trace."""

from __future__ import annotations

from heed.app.inference.catalogue import known_model
from heed.app.inference.checks import check_text
from heed.app.inference.single import SingleInference
from heed.app.schemas import StoryIn
from heed.models.generation.story_reader import StoryRequest


class Stories(SingleInference[StoryIn]):
    """Answers questions about stories."""

    async def _prepared(self, request: StoryIn) -> tuple[str, StoryRequest]:
        model = known_model(self._catalogue, request.model, self._defaults, "story")
        return model, story_request(request)


def story_request(request: StoryIn) -> StoryRequest:
    """Return the request for a model, or raise a `FieldError`."""
    story = check_text(request.story, "story", "story")
    return StoryRequest(story, check_text(request.question, "question", "question"))
