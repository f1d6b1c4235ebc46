"""The pipeline of Vision Transformers, which attend among the patches of a picture.

There is no search: the output is the likeliest class, read off the class token in one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from heed.models.card import Card
from heed.models.errors import InputError
from heed.models.families.vision_transformer.runtime import NumpyVision
from heed.models.generation.computed_batch import ComputedPipeline, ComputedRequest
from heed.models.generation.edits import EditedModel, plan_of, resolve
from heed.models.generation.protocol import wrong_request
from heed.models.generation.requests import HeadPlace, PictureRequest, Request
from heed.models.networks.mobilenet import GRID
from heed.models.pictures.decode import Bytes
from heed.models.runtime.edited import EditPlan, missing_weight
from heed.models.runtime.vision import LayerVectors, VisionResult, class_output, likeness
from heed.models.trace import (
    AttentionMap,
    GridAxis,
    HeadVectors,
    Output,
    PictureInfo,
    Timing,
    Trace,
    TraceHeader,
    TraceRequest,
)

__all__ = ["VisionPipeline"]

CLASS_TOKEN: Final = "[CLS]"  # noqa: S105 - no password


@dataclass(frozen=True, slots=True)
class PreparedPicture(ComputedRequest):
    """A picture that can be looked at."""

    source: Bytes
    only: HeadPlace | None


class VisionPipeline(ComputedPipeline[PreparedPicture, VisionResult]):
    """A Vision Transformer with the names of its classes."""

    def __init__(self, card: Card, runtime: NumpyVision, classes: Sequence[str]) -> None:
        self.card = card
        self.runtime = runtime
        self.positions = likeness(runtime.positions)
        self._classes = tuple(classes)

    def prepare(self, request: Request) -> PreparedPicture:
        """Prepare the picture of a request, or raise `InputError`."""
        if not isinstance(request, PictureRequest):
            raise wrong_request(self.card, request)
        if request.question is not None or request.target is not None:
            message = f"{self.card.id} writes no text and answers no questions."
            raise InputError("wrong_task", f"{message} Choose another model.", "model")
        picture = request.picture
        grid = GridAxis(
            GRID, GRID, 0.0, 0.0, float(picture.width), float(picture.height), (CLASS_TOKEN,)
        )
        info = PictureInfo(picture.width, picture.height, picture.format, picture.preview)
        edits = resolve(
            request.edits,
            EditedModel(self.card.id, self.runtime.groups, {"source": grid}, len(grid)),
        )
        asked = TraceRequest("", edits=edits.edits if edits else ())
        header = TraceHeader(self._stamp(), self.card.task, asked, grid, info)
        if request.only is not None:
            request.only.check(self.card.id, self.runtime.config.layers, self.runtime.config.heads)
        return PreparedPicture(header, edits, picture.pixels, request.only)

    def answer(self, prepared: Sequence[PreparedPicture]) -> list[VisionResult]:
        """Look at every picture of a batch."""
        plans = [plan_of(item.edits) for item in prepared]
        return self.runtime.look([item.source for item in prepared], plans)

    def steps(self, _computed: VisionResult, /) -> int:
        """Count one step: a picture is looked at as a whole."""
        return 1

    def trace(self, prepared: PreparedPicture, looked: VisionResult, timing: Timing, /) -> Trace:
        """Build the trace, with the likeness of positions if it has every map."""
        trace = super().trace(prepared, looked, timing)
        return trace if prepared.only else replace(trace, positions=self.positions)

    def output(self, prepared: PreparedPicture, looked: VisionResult, _steps: int, /) -> Output:
        """Build the output: every map, or that of one head with its vectors."""
        only = prepared.only
        layers, heads = looked.weights.shape[:2]
        places = [HeadPlace(layer, head) for layer in range(layers) for head in range(heads)]
        maps = (
            [_map_with_vectors(looked, looked.vectors, only)]
            if only and looked.vectors
            else [_map(looked, place) for place in places]
        )
        plan = plan_of(prepared.edits)
        if plan is not None:
            maps = [self._with_sinks(attention, plan) for attention in maps]
        return class_output(looked, self._classes, maps)

    def _with_sinks(self, attention: AttentionMap, plan: EditPlan) -> AttentionMap:
        group = self.runtime.groups[attention.layer]
        return attention._replace(
            sinks=missing_weight(plan, group, attention.head, attention.weights)
        )


def _map(looked: VisionResult, place: HeadPlace) -> AttentionMap:
    return AttentionMap(
        "encoder-self",
        *place,
        "source",
        "source",
        looked.weights[place],
        looked.scores[place],
    )


def _map_with_vectors(looked: VisionResult, of: LayerVectors, place: HeadPlace) -> AttentionMap:
    vectors = HeadVectors(of.queries[place], of.keys[place], of.values[place])
    return _map(looked, place)._replace(vectors=vectors, states=of.states[place.layer])
