"""Models of Hugging Face transformers that a server offers beside those of Heed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from heed.models.card import Card
from heed.models.errors import CheckpointError, InputError, RecordingError
from heed.models.generation.pipeline import PreparedInput
from heed.models.generation.protocol import (
    Between,
    Pipeline,
    Progress,
    RunningBatch,
    wrong_request,
)
from heed.models.generation.requests import ImageRequest, Request, TextRequest
from heed.models.generation.search import Plan
from heed.models.recording.search import search_of
from heed.models.trace import (
    Axis,
    GridAxis,
    Output,
    PictureInfo,
    TokenAxis,
    Trace,
    TraceHeader,
    TraceRequest,
)

if TYPE_CHECKING:
    from heed.models.recording.tracer import Tracer

BEAT_SECONDS = 0.25
"""Between two signs of life of a model that runs."""


class HFPipeline(Pipeline[PreparedInput]):
    """A model of transformers behind the calls of the models of Heed."""

    def __init__(self, card: Card, tracer: Tracer) -> None:
        self.card = card
        self.tracer = tracer

    @classmethod
    def load(cls, card: Card, folder: Path) -> HFPipeline:
        """Load the model in a folder; raises `CheckpointError`."""
        from heed.models.recording.load import load_tracer

        try:
            tracer = load_tracer(folder)
        except RecordingError as error:
            raise CheckpointError(str(error).rstrip(".")) from error
        stamp = replace(tracer.stamp, id=card.id, weights=card.weights)
        return cls(card, replace(tracer, stamp=stamp))

    def read(self, request: Request) -> PreparedInput:
        """Prepare a request; raises `InputError`."""
        expected = ImageRequest if self.card.reads_pictures else TextRequest
        if not isinstance(request, TextRequest | ImageRequest) or not isinstance(request, expected):
            raise wrong_request(self.card, request)
        plan = Plan(request.search, self.card.limits.steps)
        if request.target is not None:
            if self.tracer.family == "encoder":
                message = f"{self.card.id} writes nothing: leave the target out."
                raise InputError("target_unsupported", message, "target")
            ids = self._checked(request.target, "target", self.card.limits.steps)
            plan = Plan(request.search, len(ids), tuple(ids))
        text = request.text if isinstance(request, TextRequest) else ""
        about = TraceRequest(text, request.search, request.target, vectors=request.vectors)
        config = self.tracer.model.config
        source: Axis
        picture: PictureInfo | None = None
        if isinstance(request, TextRequest):
            self._checked(text, "text", self.card.limits.tokens)
            source = self.tracer.reader.prepare(text, config).axis(0)
        else:
            shown = request.picture
            picture = PictureInfo(shown.width, shown.height, shown.format, shown.preview)
            prepared = self.tracer.reader.prepare(_opened(picture), config)
            source = _scaled(prepared.axis(self.tracer.cells(prepared)), picture)
        return PreparedInput(
            TraceHeader(self._stamp(), self.card.task, about, source, picture), [], plan
        )

    def _checked(self, text: str, name: str, most: int) -> list[int]:
        """Return the tokens of a field, or raise `InputError`."""
        label = "input" if name == "text" else name
        try:
            text.encode()
        except UnicodeEncodeError as error:
            message = f"Character {error.start} is half of a surrogate pair, which is not text."
            raise InputError("invalid_text", message, name) from error
        if not text.strip():
            raise InputError(
                f"empty_{name}", f"The {label} is {'blank' if text else 'empty'}.", name
            )
        code, most_characters = f"{name}_too_long", self.card.limits.characters
        if len(text) > most_characters:
            message = f"The {label} has {len(text)} characters; {self.card.id} takes at most "
            raise InputError(code, f"{message}{most_characters}: shorten it.", name)
        read = self.tracer.target_ids if name == "target" else self.tracer.reader.source_ids
        ids = read(text)
        if len(ids) > most:
            message = f"The {label} has {len(ids)} tokens; {self.card.id} takes at most "
            raise InputError(code, f"{message}{most}: shorten it.", name)
        return ids

    def batch(self, prepared: Sequence[PreparedInput]) -> RunningBatch:
        """Start a batch; its requests are run one after another."""
        return HFBatch(self, prepared)

    def traced(self, prepared: PreparedInput, stopped: Callable[[], bool]) -> Trace:
        """Run one request; writing ends at the next token once `stopped` returns true."""
        header = prepared.opening
        about = header.request
        trace = self.tracer.trace(
            about.text if header.picture is None else _opened(header.picture),
            target=about.target,
            search=search_of(about.search),
            max_tokens=self.card.limits.steps,
            vectors=about.vectors,
            stopped=stopped,
        )
        return replace(
            trace,
            model=header.model,
            task=header.task,
            request=about,
            source=header.source if header.picture else trace.source,
            picture=header.picture,
        )


class HFBatch:
    """Requests that are run one after another, on a thread that can be stopped between tokens."""

    def __init__(self, pipeline: HFPipeline, prepared: Sequence[PreparedInput]) -> None:
        self._hf = pipeline
        self._requests = prepared
        self._traces: dict[int, Trace] = {}
        self._stopped: set[int] = set()

    def steps(self) -> Iterator[None]:
        """Run request after request; yields as long as one runs."""
        with ThreadPoolExecutor(1, "heed-transformers") as pool:
            for place, prepared in enumerate(self._requests):
                if place in self._stopped:
                    continue
                stopped = partial(self._stopped.__contains__, place)
                future = pool.submit(self._hf.traced, prepared, stopped)
                try:
                    while not wait([future], BEAT_SECONDS).done and not stopped():
                        yield
                finally:  # also where the consumer leaves
                    if not future.done():
                        self._stopped.add(place)
                if not stopped():
                    self._traces[place] = future.result()
                yield

    def ended(self, place: int) -> bool:
        """Return true if the request at this place has been run."""
        return place in self._traces

    def leave_out(self, place: int) -> None:
        """Do not run the request at this place."""
        self._stopped.add(place)

    def progress(self, place: int) -> Progress:
        """Return the output of the request at this place; empty until it has been run."""
        if place in self._traces:
            return Progress(0, self._traces[place].output)
        return Progress(0, Output(TokenAxis("", (), (), "mean"), (), (), 0.0, 0.0, "length"))

    def trace(self, place: int, between_steps: Between | None = None) -> Trace:
        """Return the trace of the request at this place, which must have been run."""
        del between_steps
        return self._traces[place]


def _opened(picture: PictureInfo) -> Image.Image:
    with Image.open(io.BytesIO(picture.preview)) as image:
        return image.convert("RGB")


def _scaled(axis: Axis, picture: PictureInfo) -> Axis:
    """Return the grid over a preview as one over the picture itself."""
    if not isinstance(axis, GridAxis):
        return axis
    with Image.open(io.BytesIO(picture.preview)) as image:
        across, down = picture.width / image.width, picture.height / image.height
    return replace(
        axis,
        left=axis.left * across,
        top=axis.top * down,
        width=axis.width * across,
        height=axis.height * down,
    )
