"""The pipeline of Vision Transformers, which attend among the patches of a picture.

There is no search: the output is the likeliest class, read off the class token in one step.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from heed.models.card import Card
from heed.models.errors import InputError, NonFiniteOutputError
from heed.models.generation.protocol import Between, Pipeline, Progress, wrong_request
from heed.models.generation.requests import HeadPlace, ImageRequest, Request
from heed.models.images.read import Bytes
from heed.models.networks.mobilenet import GRID
from heed.models.runtime.numpy.vision import NumpyVision
from heed.models.runtime.vision import LayerVectors, Looked, class_output, likeness
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

__all__ = ["VisionReader"]

CLASS_TOKEN: Final = "[CLS]"  # noqa: S105 - no password


class PreparedPicture(NamedTuple):
    """A picture that can be looked at."""

    opening: TraceHeader
    source: Bytes
    only: HeadPlace | None
    rows: int = 1


class VisionReader(Pipeline[PreparedPicture]):
    """A Vision Transformer with the names of its classes. It holds no state between calls."""

    def __init__(self, card: Card, runtime: NumpyVision, classes: Sequence[str]) -> None:
        self.card = card
        self.runtime = runtime
        self.positions = likeness(runtime.positions)
        self._classes = tuple(classes)

    def read(self, request: Request) -> PreparedPicture:
        """Prepare the picture of a request, or raise `InputError`."""
        if not isinstance(request, ImageRequest):
            raise wrong_request(self.card, request)
        if request.question is not None or request.target is not None:
            message = f"{self.card.id} writes no text and answers no questions."
            raise InputError("wrong_task", f"{message} Choose another model.", "model")
        picture = request.picture
        grid = GridAxis(
            GRID, GRID, 0.0, 0.0, float(picture.width), float(picture.height), (CLASS_TOKEN,)
        )
        info = PictureInfo(picture.width, picture.height, picture.format, picture.preview)
        header = TraceHeader(self._stamp(), self.card.task, TraceRequest(""), grid, info)
        if request.only is not None:
            request.only.check(self.card.id, self.runtime.config.layers, self.runtime.config.heads)
        return PreparedPicture(header, picture.pixels, request.only)

    def batch(self, prepared: Sequence[PreparedPicture]) -> VisionBatch:
        """Look at prepared pictures."""
        return VisionBatch(self, prepared)

    def output(self, looked: Looked, only: HeadPlace | None = None) -> Output:
        """Build the output: every map, or that of one head with its vectors."""
        layers, heads = looked.weights.shape[:2]
        places = [HeadPlace(layer, head) for layer in range(layers) for head in range(heads)]
        maps = (
            [_map_with_vectors(looked, looked.vectors, only)]
            if only and looked.vectors
            else [_map(looked, each) for each in places]
        )
        return class_output(looked, self._classes, maps)


def _map(looked: Looked, place: HeadPlace) -> AttentionMap:
    return AttentionMap(
        "encoder-self",
        *place,
        "source",
        "source",
        looked.weights[place],
        looked.scores[place],
    )


def _map_with_vectors(looked: Looked, of: LayerVectors, place: HeadPlace) -> AttentionMap:
    vectors = HeadVectors(of.queries[place], of.keys[place], of.values[place])
    return _map(looked, place)._replace(vectors=vectors, states=of.states[place.layer])


class VisionBatch:
    """Pictures that are looked at together, in one step."""

    def __init__(self, reader: VisionReader, prepared: Sequence[PreparedPicture]) -> None:
        self._reader = reader
        self._prepared = prepared
        self._stopped: set[int] = set()
        self._looked: list[Looked] = []
        self._milliseconds = 0.0

    def steps(self) -> Iterator[None]:
        """Look at every picture that was not stopped, and then yield once."""
        began = time.perf_counter()
        self._looked = self._reader.runtime.look([each.source for each in self._prepared])
        self._milliseconds = 1e3 * (time.perf_counter() - began)
        yield

    def ended(self, place: int) -> bool:
        """Return true once the picture was looked at."""
        return bool(self._looked) and place not in self._stopped

    def leave_out(self, place: int) -> None:
        """Stop the request at this place."""
        self._stopped.add(place)

    def progress(self, place: int) -> Progress:
        """Return the output of the request at this place."""
        return Progress(0, self._reader.output(self._looked[place], self._prepared[place].only))

    def trace(self, place: int, _between_steps: Between | None = None, /) -> Trace:
        """Build the trace of the request at this place."""
        prepared, looked = self._prepared[place], self._looked[place]
        opening = prepared.opening
        if not np.isfinite(looked.log_probabilities).all():
            raise NonFiniteOutputError(f"{self._reader.card.id} computed NaN or infinity")
        return Trace(
            model=opening.model,
            task=opening.task,
            request=opening.request,
            source=opening.source,
            output=self._reader.output(looked, prepared.only),
            runners_up=(),
            timing=Timing(self._milliseconds, 0.0),
            picture=opening.picture,
            positions=None if prepared.only else self._reader.positions,
        )
