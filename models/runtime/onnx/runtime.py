"""ONNX Runtime behind the two calls of `Runtime`: runs exported graphs without PyTorch.

A graph takes the weights of a group of heads as they are after edits. They follow from its scores,
so that the graph is run once more for each group with edits.

Shapes: `N` rows, `B` texts or pictures, `H` heads, `K` keys, `T` tokens written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from heed.models.checkpoint import WEIGHTS, Halves, borrowed, layout, read_config
from heed.models.config import read_step_network
from heed.models.errors import CheckpointError
from heed.models.networks.gumbel import gumbel
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans, edited_weights, given_gates
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.onnx.graph_signature import (
    BORROWED,
    ENCODE,
    GIVEN,
    GUMBEL,
    IMAGE_ENCODER,
    LAYOUT,
    METADATA,
    NEXT,
    OWN,
    STEP,
    WRITTEN,
    GraphSignature,
)
from heed.models.runtime.onnx.supported import runs
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    Attended,
    DrawnCells,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    PictureInput,
    Projected,
    Ranking,
    Step,
    Tokens,
    all_in_order,
    foreign_state,
    padded,
)
from heed.models.trace import Floats

Array = NDArray[np.generic]
Arrays = dict[str, Array]
_NONE: Mapping[str, Halves] = MappingProxyType({})
TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(bool)": np.bool_}


class State(NamedTuple):
    """The decoder's state; every array has the rows as its first dimension."""

    fixed: Arrays
    moving: Arrays
    edits: Plans = ()  # of each row; empty if none of them has any
    steps: int = 0

    def select(self, rows: Ints) -> State:
        """Select these rows, which may repeat; all rows in order are the same arrays."""
        if all_in_order(rows, len(next(iter(self.moving.values())))):
            return self
        return State(
            {name: array.take(rows, axis=0) for name, array in self.fixed.items()},
            {name: array.take(rows, axis=0) for name, array in self.moving.items()},
            [self.edits[row] for row in rows] if self.edits else (),
            self.steps,
        )


class OnnxSteps:
    """The maps and the steps of a network, the same for texts and pictures."""

    def __init__(self, folder: Path, threads: int) -> None:
        network = read_step_network(read_config(folder)["network"])
        if not runs(network):
            kind = f"{network.family} with {network.mechanism} attention"
            raise CheckpointError(f"{folder}: no graphs of {kind}: run it with PyTorch")
        kept = borrowed(folder)
        self._encode = session(folder / ENCODE, threads, kept)
        self._step = session(folder / STEP, threads, kept)
        self._signature = GraphSignature.read(
            self._step.get_modelmeta().custom_metadata_map[METADATA]
        )
        self.encode_groups: tuple[MapGroup, ...] = self._signature.encode_groups
        self.step_groups: tuple[MapGroup, ...] = self._signature.step_groups
        self._inputs = {given.name: given for given in self._step.get_inputs()}
        of_encoder = {given.name: given for given in self._encode.get_inputs()}
        self._unedited = _unedited(self._inputs)
        self._unedited_encoder = _unedited(of_encoder)
        takes_edits = not self.step_groups or f"{GIVEN}0" in self._inputs
        self.editing = Editing(
            "" if takes_edits else "its graph was exported before: write it again with heed export",
            hides_end=getattr(network, "end_hidden", False),
            gated=self._signature.gated,
        )
        outputs = [output.name for output in self._step.get_outputs()]
        self._at = {name: place for place, name in enumerate(outputs)}
        self._next = [(name, self._at[NEXT + name]) for name in self._signature.moving]
        self._attention = [
            tuple(self._at[f"looked_{place}_{part}"] for part in ("scores", "weights", "query"))
            for place in range(len(self.step_groups))
        ]
        self._added = [
            tuple(self._at[f"{NEXT}{WRITTEN}{group.layer}_{part}"] for part in ("keys", "values"))
            if group.key == "decoder_input"
            else ()
            for group in self.step_groups
        ]
        self._encode_outputs = [output.name for output in self._encode.get_outputs()]

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, State]:
        """Continue these rows, each with its last token, under its own edits if any are given."""
        if not isinstance(state, State):
            raise foreign_state(state)
        fixed, moving, lasting, steps = state.select(rows)
        edits = edits or lasting
        feeds = {"token": tokens, **fixed, **moving, **self._unedited}
        if (gates := given_gates(edits, steps)) is not None:
            feeds[f"{GIVEN}gate"] = gates
        outputs = self._step.run(None, feeds)
        for place in _in_order(self.step_groups):
            scores, weights = (outputs[at] for at in self._attention[place][:2])
            rows_of = (scores[:, :, None], weights[:, :, None])
            if (edited := _edited(self.step_groups[place], *rows_of, edits, steps)) is None:
                continue
            feeds[f"{GIVEN}{place}"], drawn_by = (part[:, :, 0] for part in edited)
            if self._signature.drawn:
                feeds[f"{GIVEN}drawn_by"] = drawn_by
            outputs = self._step.run(None, feeds)
        logits, likeliest, log_likeliest, normalizer, query, context, hidden = outputs[:7]
        at, signature = self._at, self._signature
        step = Step(
            logits=logits,
            ranking=Ranking(likeliest, log_likeliest, normalizer),
            attended=tuple(
                # Copied: a view would keep all that was written, which grows with every step.
                Attended(
                    *(outputs[name] for name in scored),
                    *(outputs[name][:, :, -1].copy() for name in added),
                )
                for scored, added in zip(self._attention, self._added, strict=True)
            ),
            query=query,
            context=context,
            state=hidden,
            gates=outputs[at["gate"]] if signature.gated else None,
            drawn=DrawnCells(outputs[at["drawn"]], outputs[at["log_drawn"]])
            if signature.drawn
            else None,
        )
        after = {name: outputs[place] for name, place in self._next}
        return step, State(fixed, after, lasting, steps + 1)

    def _encoded(
        self, inputs: Mapping[str, Array], options: EncodeOptions, seeds: Sequence[int] = ()
    ) -> Encoded:
        signature = self._signature
        outputs = self._read({**inputs, **self._unedited_encoder}, options)
        memory = outputs["memory"]
        parts = {
            name: outputs[name] if name in outputs else self._initial(name, len(memory), seeds)
            for name in (*signature.fixed, *signature.moving)
        }
        return Encoded(
            state=State(
                {name: parts[name] for name in signature.fixed if name in self._inputs},
                {name: parts[name] for name in signature.moving},
                options.edits,
            ),
            memory=memory,
            attended=tuple(
                Attended(
                    *(outputs[f"read_{place}_{part}"] for part in ("scores", "weights")),
                    *(outputs.get(f"{OWN}{place}_{part}") for part in ("query", "key", "value")),
                )
                for place in range(len(self.encode_groups))
            ),
            projected=tuple(
                names and Projected(_floats(parts[names[0]]), _floats(parts[names[1]]))
                for names in signature.projected
            ),
        )

    def _read(self, feeds: Arrays, options: EncodeOptions) -> dict[str, Any]:
        """Run the encoder, and once more for each of its groups with edits."""
        names = [
            name for name in self._encode_outputs if options.vectors or not name.startswith(OWN)
        ]
        outputs = dict(zip(names, self._encode.run(names, feeds), strict=True))
        for place, group in enumerate(self.encode_groups):
            scores, weights = (
                _floats(outputs[f"read_{place}_{part}"]) for part in ("scores", "weights")
            )
            if (edited := _edited(group, scores, weights, options.edits)) is not None:
                feeds[f"{GIVEN}{place}"] = edited[0]
                outputs = dict(zip(names, self._encode.run(names, feeds), strict=True))
        return outputs

    def _initial(self, name: str, rows: int, seeds: Sequence[int]) -> Array:
        """Make a part of the state that does not depend on the source: noise, or zeros."""
        given = self._inputs[name]
        if name == GUMBEL:
            return gumbel(seeds, given.shape[-1])
        sizes = {"rows": rows, "written": 0}
        shape = [sizes[side] if isinstance(side, str) else side for side in given.shape]
        return np.zeros(shape, TYPES[given.type])


class OnnxTextRuntime(OnnxSteps):
    """A network that reads text."""

    def encode(
        self, sources: Sequence[Tokens], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of texts."""
        return self._encoded(padded(sources), options)


class OnnxPictureRuntime(OnnxSteps):
    """A network that reads pictures, behind an image encoder that it may share."""

    def __init__(self, folder: Path, features: FeatureCache, threads: int) -> None:
        super().__init__(folder, threads)
        self.features = features
        self._reads_question = any(given.name == "source" for given in self._encode.get_inputs())

    def encode(
        self, sources: Sequence[PictureInput], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures, and the questions about them if there are any."""
        cells = self.features.of(sources)
        inputs: dict[str, Array] = {"cells": np.stack(cells)}
        if self._reads_question:
            inputs |= padded([source.question for source in sources])
        return self._encoded(inputs, options, [source.seed for source in sources])


def _unedited(inputs: Mapping[str, ort.NodeArg]) -> Arrays:
    """Return what a graph is given for weights that no edit changes."""
    return {
        name: np.full((1,) * len(given.shape), np.nan, np.float32)
        for name, given in inputs.items()
        if name.startswith(GIVEN)
    }


def _in_order(groups: Sequence[MapGroup]) -> list[int]:
    """Return the places of groups so that each stands behind those that its scores follow from.

    Within a layer what was written comes before what is read, and a question before its picture.
    """
    own = ("decoder_input", "question")
    return sorted(range(len(groups)), key=lambda at: (groups[at].layer, groups[at].key not in own))


def _edited(
    group: MapGroup, scores: Floats, weights: Floats, plans: Plans, first: int = 0
) -> tuple[Floats, Floats] | None:
    """Return the weights of a group (N, H, Q, K) after its edits; None if it has none here."""
    queries = range(first, first + scores.shape[2])
    if not any(plan and plan.changes(group, queries) for plan in plans):
        return None
    return edited_weights(scores, weights, group, plans, first)


def _floats(array: Array) -> Floats:
    return np.asarray(array, np.float32)


def load_runtime(folder: Path, threads: int = 1) -> OnnxTextRuntime:
    """Load the model in a folder that reads text."""
    return OnnxTextRuntime(folder, threads)


def load_picture_runtime(
    folder: Path, features: FeatureCache, threads: int = 1
) -> OnnxPictureRuntime:
    """Load the model in a folder that reads pictures."""
    return OnnxPictureRuntime(folder, features, threads)


def load_features(folder: Path, threads: int = 1) -> FeatureCache:
    """Load the image encoder in a folder."""
    encoder = session(folder / IMAGE_ENCODER, threads)
    return FeatureCache(lambda pixels: encoder.run(None, {"pictures": pixels[None]})[0][0])


def _used(path: Path, kept: Mapping[str, Halves]) -> dict[str, Halves]:
    """Return the tensors of another model that a graph uses; it is an error to pass others.

    A graph is a file of Protocol Buffers, where each name follows its length.
    """
    if not kept:
        return {}
    graph = path.read_bytes()
    named = {BORROWED + name: half for name, half in kept.items()}
    return {
        name: half for name, half in named.items() if len(name).to_bytes() + name.encode() in graph
    }


def session(path: Path, threads: int, kept: Mapping[str, Halves] = _NONE) -> ort.InferenceSession:
    """Open a graph, given the tensors that another model keeps for it."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry(
        "session.intra_op.allow_spinning", "0"
    )  # spinning would take the core from others
    weights = path.parent / WEIGHTS
    _, header = layout(weights)
    try:
        # A graph may not point out of its folder, so the tensors of another model go in as arrays.
        used = _used(path, kept)
        options.add_external_initializers(
            [*used], [*map(ort.OrtValue.ortvalue_from_numpy, used.values())]
        )
        ready = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the exceptions of ONNX Runtime share no other base
        message = f"{path}, or {weights} that it points into, cannot be read: {error}"
        raise CheckpointError(message) from error
    if ready.get_modelmeta().custom_metadata_map.get(LAYOUT) != hashlib.sha256(header).hexdigest():
        raise CheckpointError(
            f"{path} was written for other weights: write it again with `heed export`"
        )
    return ready
