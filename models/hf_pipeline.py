"""Models of Hugging Face transformers that a server offers beside those of Heed."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PIL import Image

from heed.models.card import Card
from heed.models.edits.operations import Edit
from heed.models.errors import CheckpointError, InputError, RecordingError
from heed.models.generation.pipeline import PreparedInput
from heed.models.generation.protocol import (
    Between,
    Pipeline,
    Progress,
    RunningBatch,
    wrong_request,
)
from heed.models.generation.requests import (
    HeadPlace,
    PictureRequest,
    Request,
    SoundRequest,
    TextRequest,
)
from heed.models.generation.search import Plan
from heed.models.recording.search import search_of
from heed.models.sounds.read import Samples, Sound
from heed.models.text.checks import check_text, nothing_written, too_long
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
    from heed.models.recording.auditing import RecordedPipeline
    from heed.models.recording.edits import Sites
    from heed.models.recording.tracer import Resolves, Tracer

THREADS = "heed-transformers"
SHORT = "a b"
BEAT_SECONDS = 0.25
"""Between two signs of life of a model that runs."""


class HFInput(NamedTuple):
    """An input that was checked and can be run."""

    opening: TraceHeader
    rows: int  # of a batch, one for each hypothesis
    samples: Samples | None = None  # of a sound
    only: HeadPlace | None = None  # the head whose map the trace has, with its vectors
    edits: Sequence[Edit] = ()


class HFPipeline(Pipeline[HFInput]):
    """A model of transformers behind the calls of the models of Heed."""

    def __init__(self, card: Card, tracer: Tracer) -> None:
        self.card = card
        self.tracer = tracer
        self._sites: Sites | None = None

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

    def prepare(self, request: Request) -> HFInput:
        """Prepare a request; raises `InputError`."""
        if not isinstance(request, self._expected):
            raise wrong_request(self.card, request)
        if isinstance(request, PictureRequest) and request.question is not None:
            message = f"{self.card.id} answers no questions: choose another model."
            raise InputError("wrong_task", message, "model")
        continue_from = None if isinstance(request, SoundRequest) else request.continue_from
        self._check_target(request.target, continue_from)
        forced = request.target is not None and continue_from is None
        rows = request.search.beam if request.search.kind == "beam" and not forced else 1
        text = request.text if isinstance(request, TextRequest) else ""
        config = self.tracer.model.config
        source: Axis
        picture: PictureInfo | None = None
        samples: Samples | None = None
        only: HeadPlace | None = None
        edits: Sequence[Edit] = ()
        if isinstance(request, TextRequest):
            self._checked(text, "text", self.card.limits.tokens)
            source = self.tracer.processor.prepare(text, config).axis(0)
            edits = request.edits
        elif isinstance(request, SoundRequest):
            self._check_length(request.sound)
            samples = request.sound.at(self.tracer.processor.rate)
            source = self._heard(samples)
        else:
            shown, only = request.picture, request.only
            if only is not None:
                only.check(self.card.id, self.card.layers, self.card.heads)
            picture = PictureInfo(shown.width, shown.height, shown.format, shown.preview)
            opened = _opened(picture)
            prepared = self.tracer.processor.prepare(opened, config)
            source = _scaled(prepared.axis(self.tracer.cells(prepared)), picture)
            edits = request.edits
        if edits:
            self.tracer.check_writes()
        about = TraceRequest(
            text,
            request.search,
            request.target,
            vectors=request.vectors,
            edits=tuple(edits),
            continue_from=continue_from,
        )
        header = TraceHeader(self._stamp(), self.card.task, about, source, picture)
        return HFInput(header, 2 * rows + 1 if edits else rows, samples, only, edits)

    def _check_target(self, target: str | None, continue_from: int | None) -> None:
        """Raise `InputError` for a target that the model cannot be made to write."""
        if target is None:
            return
        if self.tracer.family == "encoder":
            message = f"{self.card.id} writes nothing: leave the target out."
            raise InputError("target_unsupported", message, "target")
        self._checked(target, "target", self.card.limits.steps)
        if continue_from is not None:
            self.tracer.beginning(target, continue_from)

    def _places(self, given: object) -> Sites:
        """Return the places of the maps, which are known once the model has run for one token.

        They are the same for every text, so that a short one is read.
        """
        if self._sites is None:
            self._sites = self.tracer.sites(SHORT if isinstance(given, str) else given)
        return self._sites

    @property
    def _expected(self) -> type[TextRequest | PictureRequest | SoundRequest]:
        if self.card.reads_sounds:
            return SoundRequest
        return PictureRequest if self.card.reads_pictures else TextRequest

    def _heard(self, samples: Samples) -> Axis:
        """Return the axis of a sound."""
        config = self.tracer.model.config
        return self.tracer.processor.prepare(samples, config).axis(config.max_source_positions)

    @cached_property
    def _frame_seconds(self) -> float | None:
        """The length of a frame, from a second of silence."""
        axis = self._heard(np.zeros(self.tracer.processor.rate, np.float32))
        return axis.frame_seconds if isinstance(axis, TokenAxis) else None

    def _check_length(self, sound: Sound) -> None:
        """Raise `InputError` for a sound that is too long, before it is resampled."""
        frame, most = self._frame_seconds, self.card.limits.tokens
        if frame is not None and sound.seconds > most * frame:
            message = f"The sound has {sound.seconds:.1f} s; {self.card.id} takes at most "
            raise InputError("sound_too_long", f"{message}{most * frame:.1f}: shorten it.", "sound")

    def _checked(self, text: str, name: str, most: int) -> None:
        """Raise `InputError` for a field that the model cannot take."""
        check_text(self.card, text, name)
        if not text.strip():
            raise nothing_written(name)
        read = self.tracer.target_ids if name == "target" else self.tracer.processor.source_ids
        ids = read(text)
        if len(ids) > most:
            raise too_long(self.card, text, name, len(ids), most, "tokens")

    def batch(self, prepared: Sequence[HFInput]) -> RunningBatch:
        """Start a batch; its requests are run one after another."""
        return HFBatch(self, prepared)

    def audited(self, prepared: HFInput) -> tuple[RecordedPipeline, PreparedInput[Any]]:
        """Return the pipeline that an audit runs, and what it takes for a prepared request."""
        from heed.models.recording.auditing import RecordedPipeline, runtime_of

        given = self._given(prepared)
        runtime, source = runtime_of(self.tracer, given, self._places(given))
        about = prepared.opening.request
        forced = () if about.target is None else (*self.tracer.target_ids(about.target),)
        plan = Plan(about.search, len(forced) or self.card.limits.steps, forced)
        start = partial(self.batch, [prepared])
        opened = PreparedInput(prepared.opening, source, plan, by_tiles=False)
        return RecordedPipeline(self.card, runtime, start), opened

    def traced(self, prepared: HFInput, stopped: Callable[[], bool]) -> Trace:
        """Run one request; writing ends at the next token once `stopped` returns true."""
        header = prepared.opening
        about = header.request
        trace = self.tracer.trace(
            self._given(prepared),
            target=about.target,
            search=search_of(about.search),
            max_tokens=self.card.limits.steps,
            vectors="all" if prepared.only else about.vectors,
            stopped=stopped,
            edits=prepared.edits and self._resolves(prepared),
            continue_from=about.continue_from,
        )
        if prepared.only:
            trace = _with_head(trace, prepared.only)
        return replace(
            trace,
            model=header.model,
            task=header.task,
            request=replace(about, edits=trace.request.edits),  # those that change something
            source=header.source if header.picture else trace.source,
            picture=header.picture,
        )

    def _resolves(self, prepared: HFInput) -> Resolves:
        """Return what resolves edits during the run, which knows the places of the maps."""
        steps, source = self.card.limits.steps, prepared.opening.source
        return lambda sites: self.tracer.resolved(prepared.edits, sites, source, steps)

    def _given(self, prepared: HFInput) -> object:
        """Return the input as `heed.trace` takes it."""
        if prepared.samples is not None:
            return prepared.samples
        header = prepared.opening
        return header.request.text if header.picture is None else _opened(header.picture)


def _with_head(trace: Trace, only: HeadPlace) -> Trace:
    """Return the trace of a classifier with the map of one head, beside the rollout."""
    maps = tuple(
        attention
        for attention in trace.output.maps
        if attention.kind == "rollout" or (attention.layer, attention.head) == only
    )
    return replace(trace, output=replace(trace.output, maps=maps), positions=None)


class HFBatch:
    """Requests that are run one after another, on a thread that can be stopped between tokens."""

    def __init__(self, pipeline: HFPipeline, prepared: Sequence[HFInput]) -> None:
        self._hf = pipeline
        self._requests = prepared
        self._traces: dict[int, Trace] = {}
        self._stopped: set[int] = set()

    def steps(self) -> Iterator[None]:
        """Run request after request; yields as long as one runs."""
        pool = ThreadPoolExecutor(1, THREADS)
        try:
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
        finally:
            # Dropped steps may be collected on the thread of the pool, which cannot join itself.
            pool.shutdown(wait=not threading.current_thread().name.startswith(THREADS))

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

    def trace(self, place: int, _between_steps: Between | None = None, /) -> Trace:
        """Return the trace of the request at this place, which must have been run."""
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
