"""Audits of models of transformers that read an input and write an output.

The decoder reads all that was written at each step, so that an edit of one step leaves the steps
before as they were: with the edits that each of them had.

Shapes: `B` inputs, `N` rows, `H` heads, `Q` tokens written, `K` keys, `D` width, `V` vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from heed.models.errors import RecordingError
from heed.models.generation.pipeline import PreparedInput
from heed.models.generation.search import Plan
from heed.models.networks.map_group import MapGroup
from heed.models.recording.edits import Sites
from heed.models.recording.maps import masked
from heed.models.recording.record import recording
from heed.models.recording.tape import Scored, Tape
from heed.models.recording.tracer import Tracer, evaluating
from heed.models.runtime.edited import EditPlan, Plans, edited_weights
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    NEVER_WRITTEN,
    RANKED,
    Attended,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    Ranking,
    Step,
    foreign_state,
)
from heed.models.trace import Floats, Trace, TraceHeader


class Read(NamedTuple):
    """The state of a decoder: what was read, and all that was written under its edits."""

    memory: Tensor  # (B, K, D)
    mask: Tensor | None  # (B, K), of texts
    owners: Ints  # (N,), the input of each row
    written: Tensor  # (N, Q)
    edits: tuple[Plans, ...]  # of each step, for each row
    lasting: Plans  # of each input, in all steps


class RecordedRuntime:
    """The two calls of `Runtime`, by whole passes of the decoder under a hook."""

    encode_groups: tuple[MapGroup, ...] = ()
    editing = Editing()

    def __init__(self, tracer: Tracer, sites: Sites, inputs: Mapping[str, Tensor]) -> None:
        self._tracer, self._model, self._inputs = tracer, tracer.model, inputs
        self._sites = {place: group for place, group in sites.items() if group.kind == "cross"}
        self.step_groups = tuple(self._sites.values())

    def encode(
        self, sources: Sequence[Any], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode texts, given by their tokens, or the picture as often as it is given."""
        mask = None
        if "input_ids" in self._inputs:
            lengths = [len(source) for source in sources]
            ids = torch.zeros(len(sources), max(lengths), dtype=torch.long)
            for row, source in zip(ids, sources, strict=True):
                row[: len(source)] = torch.tensor(source)
            mask = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).long()
            inputs = {"input_ids": ids, "attention_mask": mask}
        else:
            inputs = {
                name: tensor.expand(len(sources), *tensor.shape[1:])
                for name, tensor in self._inputs.items()
            }
        moved = {name: tensor.to(self._model.device) for name, tensor in inputs.items()}
        with evaluating(self._model), torch.inference_mode():
            memory = self._model.get_encoder()(**moved).last_hidden_state
        written = torch.zeros(len(sources), 0, dtype=torch.long)
        state = Read(memory, mask, np.arange(len(sources)), written, (), options.edits)
        return Encoded(state, _array(memory), (), tuple(None for _ in self.step_groups))

    def step(self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()) -> tuple[Step, Read]:
        """Read what these rows wrote and their last token, under the edits of every step."""
        if not isinstance(state, Read):
            raise foreign_state(state)
        owners = state.owners[rows]
        if not len(state.edits):  # transformers has a first token of its own
            tokens = np.full(len(rows), self._tracer.start)
        written = torch.cat([state.written[rows], torch.tensor(tokens)[:, None]], dim=1)
        lasting = [state.lasting[owner] for owner in owners] if state.lasting else ()
        plans = (*([of[row] for row in rows] if of else () for of in state.edits), edits or lasting)
        device, mask = self._model.device, state.mask
        from transformers.modeling_outputs import BaseModelOutput

        with (
            evaluating(self._model),
            torch.inference_mode(),
            recording(self._model, _StepEditor(self._sites, plans)) as tape,
        ):
            outputs = self._model(
                encoder_outputs=BaseModelOutput(last_hidden_state=state.memory[owners]),
                attention_mask=None if mask is None else mask[owners].to(device),
                decoder_input_ids=written.to(device),
                use_cache=False,
                output_attentions=True,
            )
        after = Read(state.memory, mask, owners, written, plans, state.lasting)
        return self._made(outputs.logits[:, -1].float(), tape), after

    def _made(self, logits: Tensor, tape: Tape) -> Step:
        best, likeliest = logits.log_softmax(-1).topk(min(RANKED, logits.shape[-1]))
        # Without the first two, which are no marks here, every token is in it once.
        twice = torch.cat([logits, logits[:, :NEVER_WRITTEN]], dim=1)
        calls = tape.layers()["cross"]
        none = np.zeros((len(logits), 1), np.float32)
        return Step(
            logits=_array(twice),
            ranking=Ranking(likeliest.cpu().numpy(), _array(best), _array(logits.logsumexp(dim=1))),
            attended=tuple(
                Attended(masked(_array(call.scores[:, :, -1])), _array(call.weights[:, :, -1]))
                for call in calls
            ),
            query=none,
            context=none,
            state=none,
        )


class _StepEditor:
    """The hook that edits each query of cross-attention under the edits of its step."""

    def __init__(self, sites: Mapping[tuple[str, int], MapGroup], plans: tuple[Plans, ...]) -> None:
        self._sites, self._plans = sites, plans

    def __call__(self, call: Scored) -> Tensor:
        group = self._sites.get((call.path, call.run))
        if group is None or not any(any(plans) for plans in self._plans):
            return call.weights
        scores, weights = masked(_array(call.scores)), _array(call.weights).copy()
        rows = len(weights)
        for query, plans in enumerate(self._plans):
            if any(plans):
                own: list[EditPlan | None] = list(plans)
                place = np.s_[:rows, :, query : query + 1]
                edited, _ = edited_weights(scores[place], weights[place], group, own, query)
                weights[place] = edited
        return torch.from_numpy(weights).to(call.weights)


@dataclass(frozen=True)
class _Limits:
    steps: int


@dataclass(frozen=True)
class _Card:
    id: str
    limits: _Limits

    @property
    def name(self) -> str:
        """The name in messages."""
        return self.id


class RecordedPipeline:
    """A model of transformers with one run of it, as an audit takes them."""

    def __init__(self, runtime: RecordedRuntime, trace: Trace) -> None:
        self.card = _Card(trace.model.id, _Limits(len(trace.output.tokens)))
        self.runtime, self._trace = runtime, trace

    def batch(self, _prepared: Sequence[object]) -> RecordedPipeline:
        """Return the run, which has ended."""
        return self

    def steps(self) -> Iterator[None]:
        """Yield nothing: the run has ended."""
        return iter(())

    def trace(self, _place: int) -> Trace:
        """Return the run."""
        return self._trace


def audited(tracer: Tracer, given: Any, **options: Any) -> tuple[RecordedPipeline, Any]:
    """Run a model of transformers; return it and its input for an audit, or raise an error."""
    name = tracer.stamp.id
    if tracer.family != "encoder-decoder":
        message = f"{name} has no attention from an output to an input of its own"
        raise RecordingError(f"{message}: its keys are the words that it writes, too.")
    trace = tracer.trace(given, **options)
    prepared = tracer.processor.prepare(given, tracer.model.config)
    if set(prepared.inputs) - {"input_ids", "attention_mask", "pixel_values"}:
        raise RecordingError(f"{name} reads another input than a text or a picture.")
    runtime = RecordedRuntime(tracer, tracer.sites(given), prepared.inputs)
    tokens = tuple(token.id for token in trace.output.tokens.tokens)
    source: Any = prepared.inputs
    if "input_ids" in prepared.inputs:
        source = prepared.inputs["input_ids"][0].tolist()
    header = TraceHeader(trace.model, trace.task, trace.request, trace.source, trace.picture)
    plan = Plan(trace.request.search, len(tokens), tokens)
    return RecordedPipeline(runtime, trace), PreparedInput(header, source, plan, False, None)


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.detach().to("cpu", torch.float32).numpy()
    return array
