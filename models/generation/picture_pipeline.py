"""The pipeline of models that read pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from heed.models.errors import InputError
from heed.models.generation.maps import EncodedInput
from heed.models.generation.pipeline import GenerationPipeline, PreparedInput
from heed.models.generation.protocol import Between, wrong_request
from heed.models.generation.requests import PictureRequest, Request
from heed.models.generation.search import Decoding, Plan, search
from heed.models.generation.size import TraceSize
from heed.models.mechanisms import HARD
from heed.models.networks.mobilenet import GRID
from heed.models.runtime.protocol import EncodeOptions, PictureInput
from heed.models.trace import (
    AttentionMap,
    Floats,
    GridAxis,
    PictureInfo,
    Timing,
    Trace,
    TraceHeader,
    TraceRequest,
)

__all__ = ["PicturePipeline", "PictureRequest"]

ASK: Final = "ask"  # the task of answering questions; that of the others is to caption
SEEDS: Final = 2**32
AT_ONCE: Final = 25  # draws again of hard attention, in one batch


class PicturePipeline(GenerationPipeline[PictureInput]):
    """A model that reads the cells of a picture, and writes a caption or an answer."""

    def prepare(self, request: Request) -> PreparedInput[PictureInput]:
        """Prepare the picture of a request and the plan for its output, or raise `InputError`."""
        if not isinstance(request, PictureRequest):
            raise wrong_request(self.card, request)
        if (request.question is None) == (self.card.task == ASK):
            does = "answers questions" if self.card.task == ASK else "answers no questions"
            message = f"{self.card.id} {does}: choose another model."
            raise InputError("wrong_task", message, "model")
        if request.draws and self.card.mechanism != HARD:
            message = f"`draws` works only with hard attention, which {self.card.id} does not have."
            raise InputError("draws_unsupported", message, "draws")
        question = None if request.question is None else self._axis(request.question, "question")
        picture = request.picture
        grid = GridAxis(GRID, GRID, 0.0, 0.0, float(picture.width), float(picture.height))
        edits = self._edits(request.edits, grid, question)
        about = TraceRequest(
            request.question or "",
            request.search,
            request.target,
            request.draws,
            request.vectors,
            edits.edits if edits else (),
            request.continue_from,
        )
        return PreparedInput(
            TraceHeader(
                self._stamp(),
                self.card.task,
                about,
                grid,
                PictureInfo(picture.width, picture.height, picture.format, picture.preview),
                question,
            ),
            PictureInput(
                picture.pixels,
                () if question is None else [token.id for token in question.tokens],
                request.search.seed,
            ),
            self._plan(request.target, request.search, request.continue_from),
            request.by_tiles and edits is None,
            edits,
        )

    def size(self, prepared: PreparedInput[PictureInput], written: int | None = None) -> TraceSize:
        """Estimate the trace of a request, with the outputs that hard attention repeats."""
        size = super().size(prepared, written)
        return replace(size, draws=min(prepared.opening.request.draws, AT_ONCE))

    def trace(
        self,
        prepared: PreparedInput[PictureInput],
        decoding: Decoding,
        encoded: EncodedInput,
        timing: Timing,
        between_steps: Between | None = None,
        /,
    ) -> Trace:
        """Build the trace; hard attention draws again as often as was requested."""
        trace = super().trace(prepared, decoding, encoded, timing)
        draws = prepared.opening.request.draws
        return self._drawn_again(prepared, trace, draws, between_steps) if draws else trace

    def _drawn_again(
        self,
        prepared: PreparedInput[PictureInput],
        trace: Trace,
        draws: int,
        between_steps: Between | None,
    ) -> Trace:
        """Add one map to the trace: the share of the draws that fell on each cell."""
        opening, source, plan, by_tiles, edits, _ = prepared
        written = tuple(token.id for token in trace.output.tokens.tokens)
        total = np.zeros((len(written), len(opening.source)), np.float32)
        for first in range(0, draws, AT_ONCE):
            seeds = [(source.seed + draw) % SEEDS for draw in range(first, draws)][:AT_ONCE]
            seeded = [replace(source, seed=seed) for seed in seeds]
            plans_of = [edits.plan] * len(seeds) if edits else ()
            options = EncodeOptions(by_tiles=by_tiles, edits=plans_of)
            state = self.runtime.encode(seeded, options).state
            plans = [Plan(plan.search, len(written), written)] * len(seeds)
            lengths = [opening.lengths] * len(seeds)
            decodings: list[Decoding] = []
            for decodings in search(self.runtime, state, plans, lengths):  # noqa: B007
                if between_steps:
                    between_steps()
            total += np.sum(
                [_cells(decoding, len(opening.source)) for decoding in decodings], axis=0
            )
        shares = total / np.float32(draws)
        with np.errstate(divide="ignore"):
            scores = np.log(shares)
        drawn = AttentionMap("drawn", 0, 0, "target", "source", shares, scores)
        return replace(trace, output=replace(trace.output, maps=(*trace.output.maps, drawn)))


def _cells(decoding: Decoding, cells: int) -> Floats:
    """Return a row for each token: 1 at the cell that was drawn, else 0."""
    records = [step.record for step in decoding.ranked()[0].path()]
    rows = np.zeros((len(records), cells), dtype=np.float32)
    for row, record in zip(rows, records, strict=True):
        if record is not None and record.drawn is not None:
            row[record.drawn.cell] = 1.0
    return rows
