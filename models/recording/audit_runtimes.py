"""Models of transformers behind the two calls of `Runtime`, as audits take their steps again.

Shapes: `B` inputs, `N` rows, `H` heads, `Q` tokens written, `K` keys, `D` width, `V` vocabulary.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.map_group import MapGroup
from heed.models.recording.edits import Sites
from heed.models.recording.maps import masked
from heed.models.recording.record import recording
from heed.models.recording.tape import Scored
from heed.models.recording.tracer import Tracer, evaluating
from heed.models.runtime.edited import EditPlan, Plans, edited_weights, plans_of
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
from heed.models.trace import Floats, MapKind

NO_PLANS: Final[Plans] = ()


class Newest(NamedTuple):
    """The newest row of each map of a step, and the logits that it gave."""

    logits: Tensor  # (N, V)
    scores: Sequence[Tensor]  # (N, H, K), of each layer
    weights: Sequence[Tensor]  # the same


class RecordedRuntime(ABC):
    """A model of transformers that takes a step under edits."""

    encode_groups: tuple[MapGroup, ...] = ()
    editing = Editing()
    kind: ClassVar[MapKind]  # of the maps of a step

    def __init__(self, tracer: Tracer, sites: Sites) -> None:
        self._tracer, self._model = tracer, tracer.model
        self._sites = {place: group for place, group in sites.items() if group.kind == self.kind}
        self.step_groups = tuple(self._sites.values())

    @abstractmethod
    def encode(
        self, sources: Sequence[Any], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode inputs."""

    @abstractmethod
    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = NO_PLANS
    ) -> tuple[Step, object]:
        """Continue rows, each with its last token."""

    def _run(self, plans: tuple[Plans, ...], **inputs: Any) -> Newest:
        """Run the model once, each of the queries under the edits of its step."""
        with (
            evaluating(self._model),
            torch.no_grad(),
            _last_logits(self._model),
            recording(self._model, _StepEditor(self._sites, plans)) as tape,
        ):
            outputs = self._model(output_attentions=True, **inputs)
        calls = tape.calls if self.kind == "decoder-self" else tape.layers()[self.kind]
        return Newest(
            outputs.logits[:, -1].float(),
            [call.scores[:, :, -1] for call in calls],
            [call.weights[:, :, -1] for call in calls],
        )


class ReadingRuntime(RecordedRuntime):
    """A model that reads an input and writes an output, by whole passes of its decoder.

    It reads all that was written at each step, so that an edit of one step leaves the steps before
    as they were: with the edits that each of them had.
    """

    kind = "cross"

    class _Read(NamedTuple):
        """The input, and all that was written, with its edits."""

        memory: Tensor  # (B, K, D)
        mask: Tensor | None  # (B, K), of texts
        owners: Ints  # (N,), the input of each row
        written: Tensor  # (N, Q)
        edits: tuple[Plans, ...]  # of each step, for each row
        lasting: Plans  # of each input, in all steps

    def __init__(self, tracer: Tracer, sites: Sites, inputs: Mapping[str, Tensor]) -> None:
        super().__init__(tracer, sites)
        self._inputs = inputs

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
        state = self._Read(memory, mask, np.arange(len(sources)), written, (), options.edits)
        return Encoded(state, _array(memory), (), tuple(None for _ in self.step_groups))

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = NO_PLANS
    ) -> tuple[Step, object]:
        """Read what these rows wrote and their last token, under the edits of every step."""
        if not isinstance(state, self._Read):
            raise foreign_state(state)
        owners = state.owners[rows]
        if not len(state.edits):  # transformers has a first token of its own
            tokens = np.full(len(rows), self._tracer.start)
        written = torch.cat([state.written[rows], torch.tensor(tokens)[:, None]], dim=1)
        plans = (
            *(plans_of(of, rows) for of in state.edits),
            edits or plans_of(state.lasting, owners),
        )
        device, mask = self._model.device, state.mask
        from transformers.modeling_outputs import BaseModelOutput

        newest = self._run(
            plans,
            encoder_outputs=BaseModelOutput(last_hidden_state=state.memory[owners]),
            attention_mask=None if mask is None else mask[owners].to(device),
            decoder_input_ids=written.to(device),
            use_cache=False,
        )
        after = self._Read(state.memory, mask, owners, written, plans, state.lasting)
        return _step_of(newest), after


class ContinuingRuntime(RecordedRuntime):
    """A model that continues a prompt, token by token behind the keys and values that it keeps."""

    kind = "decoder-self"

    class _Part(NamedTuple):
        """The rows whose prompts are equally long: they have as many keys."""

        rows: Ints  # in order
        cache: Any  # of transformers: their keys and values

    class _Begun(NamedTuple):
        """The rows of a state, in parts."""

        owners: Ints  # (N,), the prompt of each row
        lasts: Ints | None  # (N,), the ends of the prompts before the first step
        parts: tuple[ContinuingRuntime._Part, ...]
        lasting: Plans  # of each prompt, in all steps

    def encode(
        self, sources: Sequence[Any], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Read prompts but for the last token of each, which the first step reads."""
        from transformers import DynamicCache

        lengths = np.array([len(source) for source in sources])
        parts = []
        for length in np.unique(lengths):
            rows = np.flatnonzero(lengths == length)
            cache = DynamicCache()  # without a window: the place of a query is its number of keys
            if length > 1:
                ids = torch.tensor([list(sources[row])[:-1] for row in rows.tolist()])
                with evaluating(self._model), torch.no_grad():
                    self._model.base_model(  # without logits, which take the most memory
                        input_ids=ids.to(self._model.device), past_key_values=cache, use_cache=True
                    )
            parts.append(self._Part(rows, cache))
        lasts = np.array([source[-1] for source in sources])
        state = self._Begun(np.arange(len(sources)), lasts, tuple(parts), options.edits)
        none = np.zeros((len(sources), 0, 0), np.float32)
        return Encoded(state, none, (), tuple(None for _ in self.step_groups))

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = NO_PLANS
    ) -> tuple[Step, object]:
        """Read the last token of these rows; the first step reads the end of their prompts."""
        if not isinstance(state, self._Begun):
            raise foreign_state(state)
        owners = state.owners[rows]
        tokens = tokens if state.lasts is None else state.lasts[rows]
        plans = edits or plans_of(state.lasting, owners)
        parts, made = [], []
        for part in state.parts:
            own = np.flatnonzero(np.isin(rows, part.rows))
            if not len(own):
                continue
            cache = copy.deepcopy(part.cache)  # others may go on from the same state
            kept = torch.from_numpy(np.searchsorted(part.rows, rows[own]))
            cache.batch_select_indices(kept.to(self._model.device))
            newest = self._run(
                (plans_of(plans, own),),
                input_ids=torch.tensor(tokens[own])[:, None].to(self._model.device),
                past_key_values=cache,
                use_cache=True,
            )
            parts.append(self._Part(own, cache))
            made.append(newest)
        order = np.argsort(np.concatenate([part.rows for part in parts]))
        after = self._Begun(owners, None, tuple(parts), state.lasting)
        return _step_of(_joined(made, order)), after


@contextmanager
def _last_logits(model: Any) -> Iterator[None]:
    """Compute the logits of the last token alone: of all that was written they take the most."""
    head = model.get_output_embeddings()
    if head is None:
        yield
        return
    handle = head.register_forward_pre_hook(lambda _, given: (given[0][:, -1:], *given[1:]))
    try:
        yield
    finally:
        handle.remove()


def _joined(made: Sequence[Newest], order: Ints) -> Newest:
    """Join rows with different numbers of keys; those that a row lacks are masked."""
    if len(made) == 1:
        return made[0]
    keys = max(newest.weights[0].shape[-1] for newest in made)

    def together(parts: Sequence[Sequence[Tensor]], lacking: float) -> list[Tensor]:
        padded = [
            [F.pad(layer, (0, keys - layer.shape[-1]), value=lacking) for layer in part]
            for part in parts
        ]
        return [torch.cat(layers)[order] for layers in zip(*padded, strict=True)]

    return Newest(
        torch.cat([newest.logits for newest in made])[order],
        together([newest.scores for newest in made], -torch.inf),
        together([newest.weights for newest in made], 0.0),
    )


def _step_of(newest: Newest) -> Step:
    logits = newest.logits
    best, likeliest = logits.log_softmax(-1).topk(min(RANKED, logits.shape[-1]))
    # Without the first two, which are no marks here, every token is in it once.
    twice = torch.cat([logits, logits[:, :NEVER_WRITTEN]], dim=1)
    none = np.zeros((len(logits), 1), np.float32)
    return Step(
        logits=_array(twice),
        ranking=Ranking(likeliest.cpu().numpy(), _array(best), _array(logits.logsumexp(dim=1))),
        attended=tuple(
            Attended(masked(_array(scores)), _array(weights))
            for scores, weights in zip(newest.scores, newest.weights, strict=True)
        ),
        query=none,
        context=none,
        state=none,
    )


class _StepEditor:
    """The hook that edits each query of a call under the edits of its step."""

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


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.detach().to("cpu", torch.float32).numpy()
    return array
