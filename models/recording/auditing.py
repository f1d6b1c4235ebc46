"""Audits of models of transformers that write a text: behind an input of their own, or a prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from torch import Tensor

from heed.models.errors import InputError
from heed.models.generation.pipeline import PreparedInput
from heed.models.generation.search import Plan
from heed.models.recording.audit_runtimes import (
    ContinuingRuntime,
    ReadingRuntime,
    RecordedRuntime,
)
from heed.models.recording.edits import Sites
from heed.models.recording.tracer import Family, Tracer
from heed.models.trace import Trace, TraceHeader

READ: Final[Mapping[Family, frozenset[str]]] = {
    "encoder-decoder": frozenset({"input_ids", "attention_mask", "pixel_values"}),
    "decoder": frozenset({"input_ids", "attention_mask", "token_type_ids"}),
}
"""The inputs of the models that can be audited."""


class Named(Protocol):
    """The card of a model, as far as an audit reads it."""

    @property
    def id(self) -> str:
        """The name in messages."""


class Running(Protocol):
    """The run that is audited."""

    def steps(self) -> Iterator[None]:
        """Go on until it has ended."""

    def trace(self, place: int, /) -> Trace:
        """Return the trace of the run, which has ended."""


@dataclass(frozen=True)
class RecordedPipeline:
    """A model of transformers, as an audit takes it: it is run as a whole, and then by steps."""

    card: Named
    runtime: RecordedRuntime
    start: Callable[[], Running]
    trainings = None  # it was trained once

    def batch(self, _prepared: Sequence[object]) -> Running:
        """Start the run."""
        return self.start()


class _Ended(NamedTuple):
    """A run that has ended."""

    run: Trace

    def steps(self) -> Iterator[None]:
        return iter(())

    def trace(self, _place: int, /) -> Trace:
        return self.run


def runtime_of(tracer: Tracer, given: Any, sites: Sites) -> tuple[RecordedRuntime, Any]:
    """Return what takes the steps of a model again, and an input as it encodes it.

    Raises `InputError` for a model that cannot be audited.
    """
    inputs: Mapping[str, Tensor] = tracer.processor.prepare(given, tracer.model.config).inputs
    if set(inputs) - READ.get(tracer.family, frozenset()):
        message = f"{tracer.stamp.id} cannot be audited: only models that read a text, or a picture"
        raise InputError("edits_not_supported", f"{message} alone, can.", "model")
    source: Any = inputs["input_ids"][0].tolist() if "input_ids" in inputs else inputs
    if tracer.family == "decoder":
        return ContinuingRuntime(tracer, sites), source
    return ReadingRuntime(tracer, sites, inputs), source


def audited(tracer: Tracer, given: Any, **options: Any) -> tuple[RecordedPipeline, Any]:
    """Run a model of transformers; return it and its input for an audit, or raise an error."""
    runtime, source = runtime_of(tracer, given, tracer.sites(given))
    trace = tracer.trace(given, **options)
    tokens = tuple(token.id for token in trace.output.tokens.tokens)
    header = TraceHeader(trace.model, trace.task, trace.request, trace.source, trace.picture)
    prepared = PreparedInput(
        header, source, Plan(trace.request.search, len(tokens), tokens), False, None
    )
    return RecordedPipeline(trace.model, runtime, lambda: _Ended(trace)), prepared
