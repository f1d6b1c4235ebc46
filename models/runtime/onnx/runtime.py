"""ONNX Runtime behind the two calls of `Runtime`: what shipped models run on, without PyTorch.

Shapes: `N` rows, `B` texts or pictures, `H` heads, `K` what is looked at, `T` tokens written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import onnxruntime as ort

from heed.models.checkpoint import WEIGHTS, Halves, borrowed, layout
from heed.models.errors import CheckpointError
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.gumbel import gumbel
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
from heed.models.runtime.protocol import (
    Attended,
    DrawnCells,
    Encoded,
    ImageInput,
    Ints,
    MapGroup,
    Projected,
    Ranking,
    Step,
    Tokens,
    all_in_order,
    padded,
)
from heed.models.trace import Floats

Arrays = dict[str, Any]
_NONE: Mapping[str, Halves] = MappingProxyType({})
TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(bool)": np.bool_}


class State(NamedTuple):
    """What is carried from step to step; every array has the rows as its first dimension."""

    fixed: Arrays
    moving: Arrays

    def select(self, rows: Ints) -> State:
        """The state of these rows, which may repeat; the same arrays if they are all of them."""
        if all_in_order(rows, len(next(iter(self.moving.values())))):
            return self
        return State(
            {name: array.take(rows, axis=0) for name, array in self.fixed.items()},
            {name: array.take(rows, axis=0) for name, array in self.moving.items()},
        )


class OnnxSteps:
    """What is the same whatever was read: the groups of maps, and the steps."""

    def __init__(self, folder: Path, threads: int) -> None:
        kept = borrowed(folder)
        self._encode = session(folder / ENCODE, threads, kept)
        self._step = session(folder / STEP, threads, kept)
        self._wiring = GraphSignature.read(self._step.get_modelmeta().custom_metadata_map[METADATA])
        self._inputs = {given.name: given for given in self._step.get_inputs()}
        told = [output.name for output in self._step.get_outputs()]
        self._at = {name: place for place, name in enumerate(told)}
        self._next = [(name, self._at[NEXT + name]) for name in self._wiring.moving]
        self._looked = [
            tuple(self._at[f"looked_{place}_{what}"] for what in ("scores", "weights", "query"))
            for place in range(len(self._wiring.step_groups))
        ]
        self._added = [
            tuple(self._at[f"{NEXT}{WRITTEN}{group.layer}_{what}"] for what in ("keys", "values"))
            if group.key == "decoder_input"
            else ()
            for group in self._wiring.step_groups
        ]
        self._read = [output.name for output in self._encode.get_outputs()]

    @property
    def encode_groups(self) -> tuple[MapGroup, ...]:
        """The self-attention of the encoder's layers, if it has any."""
        return self._wiring.encode_groups

    @property
    def step_groups(self) -> tuple[MapGroup, ...]:
        """The attention of the decoder's layers, if it has any."""
        return self._wiring.step_groups

    def step(self, state: State, rows: Ints, tokens: Ints) -> tuple[Step, State]:
        """Go on from these rows, each fed its token."""
        fixed, moving = state.select(rows)
        told = self._step.run(None, {"token": tokens, **fixed, **moving})
        logits, likeliest, log_likeliest, normalizer, query, context, hidden = told[:7]
        at = self._at
        step = Step(
            logits=logits,
            ranking=Ranking(likeliest, log_likeliest, normalizer),
            attended=tuple(
                # Copied: a part of what was written would keep the whole, longer with every step.
                Attended(
                    *(told[each] for each in looked),
                    *(told[each][:, :, -1].copy() for each in added),
                )
                for looked, added in zip(self._looked, self._added, strict=True)
            ),
            query=query,
            context=context,
            state=hidden,
            gates=told[at["gate"]] if self._wiring.gated else None,
            drawn=DrawnCells(told[at["drawn"]], told[at["log_drawn"]])
            if self._wiring.drawn
            else None,
        )
        return step, State(fixed, {name: told[place] for name, place in self._next})

    def _encoded(
        self, read: Arrays, seeds: Sequence[int] = (), *, vectors: bool = False
    ) -> Encoded[State]:
        outputs = [name for name in self._read if vectors or not name.startswith(OWN)]
        told = dict(zip(outputs, self._encode.run(outputs, read), strict=True))
        memory = told["memory"]
        parts = {
            name: told[name] if name in told else self._begun(name, len(memory), seeds)
            for name in (*self._wiring.fixed, *self._wiring.moving)
        }
        return Encoded(
            state=State(
                {name: parts[name] for name in self._wiring.fixed if name in self._inputs},
                {name: parts[name] for name in self._wiring.moving},
            ),
            memory=memory,
            attended=tuple(
                Attended(
                    *(told[f"read_{place}_{what}"] for what in ("scores", "weights")),
                    *(told.get(f"{OWN}{place}_{what}") for what in ("query", "key", "value")),
                )
                for place in range(len(self.encode_groups))
            ),
            projected=tuple(
                names and Projected(parts[names[0]], parts[names[1]])
                for names in self._wiring.projected
            ),
        )

    def _begun(self, name: str, rows: int, seeds: Sequence[int]) -> Any:
        """A part of the state that does not come of what is read: luck, or zeros."""
        given = self._inputs[name]
        if name == GUMBEL:
            return gumbel(seeds, given.shape[-1])
        sizes = {"rows": rows, "written": 0}
        shape = [sizes[side] if isinstance(side, str) else side for side in given.shape]
        return np.zeros(shape, TYPES[given.type])


class OnnxTextRuntime(OnnxSteps):
    """A network that reads text."""

    def encode(self, sources: Sequence[Tokens], *, vectors: bool = False) -> Encoded[State]:
        """Read a batch of texts."""
        return self._encoded(padded(sources), vectors=vectors)


class OnnxImageRuntime(OnnxSteps):
    """A network that looks at pictures, behind eyes that it may share with others."""

    def __init__(self, folder: Path, sight: FeatureCache[Floats], threads: int) -> None:
        super().__init__(folder, threads)
        self._sight = sight
        self._asked = any(given.name == "source" for given in self._encode.get_inputs())

    def encode(self, sources: Sequence[ImageInput], *, vectors: bool = False) -> Encoded[State]:
        """Look at a batch of pictures, and read the questions about them if there are any."""
        del vectors  # the cells do not look at each other, nor do the words of a question
        read: Arrays = {"cells": np.stack(self._sight.cells([look.pixels for look in sources]))}
        if self._asked:
            read |= padded([look.question for look in sources])
        return self._encoded(read, [look.seed for look in sources])


def load_runtime(folder: Path, threads: int = 1) -> OnnxTextRuntime:
    """The model in a folder."""
    return OnnxTextRuntime(folder, threads)


def load_image_runtime(
    folder: Path, sight: FeatureCache[Floats], threads: int = 1
) -> OnnxImageRuntime:
    """The model in a folder that looks at pictures, with its eyes."""
    return OnnxImageRuntime(folder, sight, threads)


def load_features(folder: Path, threads: int = 1) -> FeatureCache[Floats]:
    """The eyes in a folder."""
    eyes = session(folder / IMAGE_ENCODER, threads)
    return FeatureCache(lambda pixels: eyes.run(None, {"pictures": pixels[None]})[0][0])


def session(path: Path, threads: int, kept: Mapping[str, Halves] = _NONE) -> ort.InferenceSession:
    """A graph, ready to run, given the tensors that a sibling keeps for it."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others want the core
    names = [BORROWED + name for name in kept]
    # A graph may not point out of its folder: what lies there is handed to it instead.
    options.add_external_initializers(
        names, [*map(ort.OrtValue.ortvalue_from_numpy, kept.values())]
    )
    weights = path.parent / WEIGHTS
    _, header = layout(weights)
    try:
        ready = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own kinds have no other root
        message = f"{path}, or {weights} that it points into, cannot be read: {error}"
        raise CheckpointError(message) from error
    if ready.get_modelmeta().custom_metadata_map.get(LAYOUT) != hashlib.sha256(header).hexdigest():
        raise CheckpointError(f"{path} was written for other weights: `heed export` writes it anew")
    return ready
