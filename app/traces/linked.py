"""A large trace without its maps, which clients request one at a time.

`H` heads, `Q` queries, `K` keys.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heed.app.schemas import Detail
from heed.models.rollout import through_layers
from heed.models.trace import (
    AttentionMap,
    Floats,
    HeadVectors,
    MapKind,
    Output,
    Trace,
    TraceStep,
)
from heed.output.serialize import JsonObject, map_out, trace_out

LARGE: Final = 500_000
"""Weights of a trace above which its maps are left out, if the request allows that."""
STEP_BYTES: Final = 1500
"""Memory of a token with its alternatives."""
WHOLE: Final = 7
"""Bytes for each byte that is kept: 2 as an object, 5 as JSON of numbers of 16 bits."""
PART: Final = 3
THUMBNAIL: Final = 32
"""Rows and columns of a small map, at most."""

Halves = NDArray[np.float16]


def weights_in(outputs: Sequence[Output]) -> int:
    """Count the weights of all maps."""
    return sum(attention.weights.size for output in outputs for attention in output.maps)


@dataclass(frozen=True)
class KeptTrace:
    """A large trace that is kept for a while, its maps in 16 bits."""

    path: str
    trace: Trace
    """The trace without its maps."""
    maps: tuple[tuple[AttentionMap, ...], ...]
    """Those of the output, then those of each of its runners-up, and of the run without edits."""
    detail: Detail

    @classmethod
    def of(cls, trace: Trace, detail: Detail, path: str) -> KeptTrace:
        """Halve the maps of a trace, and copy what else it has.

        Its vectors are parts of the blocks of all steps, which would be kept with them.
        """
        outputs = _outputs(trace)
        maps = tuple(
            tuple(_converted(attention, np.float16) for attention in output.maps)
            for output in outputs
        )
        return cls(path, _copied(_with_maps(trace, [()] * len(outputs))), maps, detail)

    def answer(self) -> JsonObject:
        """Return the trace without its maps, with an address for each below the path."""
        answer = trace_out(self.trace, self.detail)
        numbers = count()
        fields = [answer, *_others(answer)]
        for field, own in zip(fields, self.maps, strict=True):
            field["linked"] = [
                _link(attention, f"{self.path}/maps/{next(numbers)}") for attention in own
            ]
        return answer | {"run": self.path}

    @property
    def bytes(self) -> int:
        """Memory that the trace and its maps take."""
        steps = [step for output in _outputs(self.trace) for step in output.steps]
        vectors = sum(
            part.nbytes for step in steps for part in step if isinstance(part, np.ndarray)
        )
        maps = sum(part.nbytes for attention in self._all() for part in _parts(attention))
        return maps + vectors + STEP_BYTES * (len(steps) + len(self.trace.source))

    @property
    def whole_bytes(self) -> int:
        """Memory that the whole trace takes, as an object and as JSON or arrays."""
        return WHOLE * self.bytes

    @property
    def part_bytes(self) -> int:
        """Memory that work with all maps of a kind takes."""
        return PART * self.bytes

    def map_bytes(self, number: int) -> int:
        """Memory that a map takes, as an object and as JSON."""
        attention = self.map(number)
        return 0 if attention is None else WHOLE * sum(part.nbytes for part in _parts(attention))

    def map(self, number: int) -> AttentionMap | None:
        """Return a map in 16 bits, or None if there are not so many."""
        maps = list(self._all())
        return maps[number] if 0 <= number < len(maps) else None

    def map_out(self, number: int) -> JsonObject | None:
        """Return a map as the API gives it, with its scores and vectors."""
        attention = self.map(number)
        return (
            None if attention is None else map_out(_converted(attention, np.float32), self.detail)
        )

    def thumbnails(self, kind: MapKind, pick: int) -> Halves:
        """Return the maps of a kind in order, each pooled to the largest weight of a few cells."""
        own = self._alike(kind, pick)
        if not own:
            return np.zeros((0, 0, 0), np.float16)
        pooled: Halves = np.stack(own)
        for axis in (1, 2):
            size = pooled.shape[axis]
            cells = min(size, THUMBNAIL)
            if cells < size:
                starts = np.arange(cells) * size // cells
                pooled = np.maximum.reduceat(pooled, starts, axis=axis)
        return pooled

    def row(self, kind: MapKind, pick: int, row: int) -> Halves | None:
        """Return one row of all maps of a kind in order, (H, K), or None if there is none."""
        own = self._alike(kind, pick)
        fits = own and 0 <= row < len(own[0])
        return np.stack([weights[row] for weights in own]) if fits else None

    def rollout(self, kind: MapKind, pick: int, layer: int) -> Halves | None:
        """Return the attention rollout of the layers up to one (Q, K), or None if there is none."""
        own = [
            attention
            for attention in self._of(pick)
            if attention.kind == kind and attention.query == attention.key
        ]
        layers = sorted({attention.layer for attention in own if attention.layer <= layer})
        if layer not in layers:
            return None
        heads = [
            [attention.weights for attention in own if attention.layer == number]
            for number in layers
        ]
        means = np.stack([np.mean(layer_heads, axis=0, dtype=np.float32) for layer_heads in heads])
        everyone: Floats = np.eye(len(own[0].weights), dtype=np.float32)
        return through_layers(means, everyone).astype(np.float16)

    def _alike(self, kind: MapKind, pick: int) -> list[Halves]:
        """Return the weights of the maps of a kind in order: those with the keys of the first."""
        own = [attention for attention in self._of(pick) if attention.kind == kind]
        alike = [attention.weights for attention in own if attention.key == own[0].key]
        return [weights.astype(np.float16, copy=False) for weights in alike]

    def of_kind(self, kind: MapKind, pick: int) -> Trace:
        """Return the trace with the maps of one kind, of one hypothesis, in 32 bits."""
        output = (self.trace.output, *self.trace.runners_up)[pick]
        own = tuple(
            _converted(attention._replace(vectors=None), np.float32)
            for attention in self._of(pick)
            if attention.kind == kind
        )
        return replace(self.trace, output=replace(output, maps=own), runners_up=())

    def whole(self) -> Trace:
        """Return the trace with all its maps in 32 bits."""
        converted = [
            tuple(_converted(attention, np.float32) for attention in own) for own in self.maps
        ]
        return _with_maps(self.trace, converted)

    def picks(self) -> int:
        """Count the hypotheses."""
        return 1 + len(self.trace.runners_up)

    def _all(self) -> Iterator[AttentionMap]:
        return (attention for own in self.maps for attention in own)

    def _of(self, pick: int) -> tuple[AttentionMap, ...]:
        return self.maps[pick]


def npy(array: NDArray[Any]) -> bytes:
    """Return an array as a file of NumPy."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _link(attention: AttentionMap, address: str) -> JsonObject:
    rows, columns = attention.weights.shape
    return {
        "kind": attention.kind,
        "layer": attention.layer,
        "head": attention.head,
        "query": attention.query,
        "key": attention.key,
        "rows": rows,
        "columns": columns,
        "address": address,
    }


def _others(answer: JsonObject) -> list[JsonObject]:
    """Return the runners-up of an answer, and its run without edits if there is one."""
    outputs = answer["runners_up"]
    assert isinstance(outputs, list)  # noqa: S101 - as `trace_out` makes it
    baseline = answer.get("baseline")
    return [*outputs, baseline] if isinstance(baseline, dict) else outputs


def _outputs(trace: Trace) -> tuple[Output, ...]:
    """Return the output of a trace, its runners-up, and that without edits if there is one."""
    baseline = () if trace.baseline is None else (trace.baseline.output,)
    return trace.output, *trace.runners_up, *baseline


def _with_outputs(trace: Trace, outputs: Iterable[Output]) -> Trace:
    output, *others = outputs
    baseline = trace.baseline
    if baseline is not None:
        baseline = replace(baseline, output=others.pop())
    return replace(trace, output=output, runners_up=tuple(others), baseline=baseline)


def _with_maps(trace: Trace, maps: Sequence[tuple[AttentionMap, ...]]) -> Trace:
    pairs = zip(_outputs(trace), maps, strict=True)
    return _with_outputs(trace, (replace(output, maps=own) for output, own in pairs))


def _copied(trace: Trace) -> Trace:
    """Return the trace with vectors of its own."""
    copied = _with_outputs(
        trace,
        (
            replace(output, steps=tuple(_copied_step(step) for step in output.steps))
            for output in _outputs(trace)
        ),
    )
    memory = None if trace.memory is None else trace.memory.copy()
    return replace(copied, memory=memory)


def _copied_step(step: TraceStep) -> TraceStep:
    fields = step._asdict().items()
    own: dict[str, Any] = {
        name: part.copy() for name, part in fields if isinstance(part, np.ndarray)
    }
    return step._replace(**own)


def _parts(attention: AttentionMap) -> Iterator[NDArray[Any]]:
    yield attention.weights
    yield attention.scores
    if attention.sinks is not None:
        yield attention.sinks
    if attention.vectors is not None:
        yield from attention.vectors


def _converted(attention: AttentionMap, kind: type[np.floating[Any]]) -> AttentionMap:
    """Return a map with numbers of another precision; scores beyond its range stay finite."""
    most = np.finfo(np.float16).max
    scores = np.where(
        np.isfinite(attention.scores), np.clip(attention.scores, -most, most), attention.scores
    )
    vectors = attention.vectors
    return attention._replace(
        weights=attention.weights.astype(kind),
        scores=scores.astype(kind),
        vectors=vectors and HeadVectors(*(part.astype(np.float32) for part in vectors)),
        sinks=None if attention.sinks is None else attention.sinks.astype(kind),
    )
