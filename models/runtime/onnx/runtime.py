"""ONNX Runtime behind the two calls of `Runtime`: runs exported graphs without PyTorch.

Shapes: `N` rows, `B` texts or pictures, `H` heads, `K` keys, `T` tokens written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from heed.models.checkpoint import WEIGHTS, Halves, borrowed, layout, read_config
from heed.models.config import read_network
from heed.models.errors import CheckpointError
from heed.models.networks.gumbel import gumbel
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.onnx.graph_signature import (
    BORROWED,
    ENCODE,
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

    def select(self, rows: Ints) -> State:
        """Select these rows, which may repeat; all rows in order are the same arrays."""
        if all_in_order(rows, len(next(iter(self.moving.values())))):
            return self
        return State(
            {name: array.take(rows, axis=0) for name, array in self.fixed.items()},
            {name: array.take(rows, axis=0) for name, array in self.moving.items()},
        )


class OnnxSteps:
    """The maps and the steps of a network, the same for texts and pictures."""

    editing = Editing(refusal="the exported graph that runs it takes no edits")

    def __init__(self, folder: Path, threads: int) -> None:
        network = read_network(read_config(folder)["network"])
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
        """Continue these rows, each with its last token. The graphs have no inputs for edits."""
        if any(edits):
            raise TypeError(self.editing.refusal)
        if not isinstance(state, State):
            raise foreign_state(state)
        fixed, moving = state.select(rows)
        outputs = self._step.run(None, {"token": tokens, **fixed, **moving})
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
        return step, State(fixed, {name: outputs[place] for name, place in self._next})

    def _encoded(
        self, inputs: Mapping[str, Array], seeds: Sequence[int] = (), *, vectors: bool = False
    ) -> Encoded:
        signature = self._signature
        names = [name for name in self._encode_outputs if vectors or not name.startswith(OWN)]
        outputs = dict(zip(names, self._encode.run(names, inputs), strict=True))
        memory = outputs["memory"]
        parts = {
            name: outputs[name] if name in outputs else self._initial(name, len(memory), seeds)
            for name in (*signature.fixed, *signature.moving)
        }
        return Encoded(
            state=State(
                {name: parts[name] for name in signature.fixed if name in self._inputs},
                {name: parts[name] for name in signature.moving},
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
        return self._encoded(padded(sources), vectors=options.vectors)


class OnnxPictureRuntime(OnnxSteps):
    """A network that reads pictures, behind an image encoder that it may share."""

    def __init__(self, folder: Path, features: FeatureCache, threads: int) -> None:
        super().__init__(folder, threads)
        self._features = features
        self._reads_question = any(given.name == "source" for given in self._encode.get_inputs())

    def encode(
        self, sources: Sequence[PictureInput], _options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures, and the questions about them if there are any."""
        cells = self._features.cells([source.pixels for source in sources])
        inputs: dict[str, Array] = {"cells": np.stack(cells)}
        if self._reads_question:
            inputs |= padded([source.question for source in sources])
        return self._encoded(inputs, [source.seed for source in sources])


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
