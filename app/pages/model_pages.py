"""The pages of single kinds of models whose addresses contain a request.

The name of a page is that of its path, of its template, and of its kind of model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from heed.app.inference.catalogue import Kind
from heed.app.inference.single import SingleInference
from heed.app.pages.example import Example
from heed.app.pages.page_requests import PageRequests
from heed.app.pages.preload import Preloader, glimpse_in, graph_in, read_in, story_in
from heed.app.schemas import RunOptions
from heed.models.card import Card

Asked = TypeVar("Asked", bound=RunOptions)


@dataclass(frozen=True)
class ModelPage(Generic[Asked]):
    """A page, the fields of its form, and the request in a query."""

    id: Kind
    inputs: tuple[str, ...]
    request: Callable[[Mapping[str, str], Card], Asked]

    @property
    def path(self) -> str:
        """The path of the page."""
        return f"/{self.id}"

    @property
    def template(self) -> str:
        """The name of its template."""
        return f"{self.id}.html"

    def requests(
        self, preloader: Preloader, inference: SingleInference[Asked]
    ) -> PageRequests[Asked]:
        """Return the requests of the page, which these models answer."""
        catalogue, defaults = preloader.catalogue, preloader.defaults
        return PageRequests(
            self.path,
            frozenset((*self.inputs, "model")),
            lambda query: preloader.read(self.id, self.request, query),
            inference,
            Example(catalogue, defaults, self.id, self.request, inference),
        )


MODEL_PAGES: Final[tuple[ModelPage[Any], ...]] = (
    ModelPage("story", ("story", "question"), story_in),
    ModelPage("graph", ("graph",), graph_in),
    ModelPage("glimpse", ("picture",), glimpse_in),
    ModelPage("read", ("text",), read_in),
)
