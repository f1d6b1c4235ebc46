"""A trace of a module that has no tokenizer: its axes are named by the person, or numbered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heed.models.errors import RecordingError
from heed.models.recording.maps import READING, WRITING, maps_of
from heed.models.recording.spans import named_axis, position_axis
from heed.models.recording.tape import Tape
from heed.models.trace import (
    AxisName,
    Merge,
    ModelStamp,
    Output,
    Timing,
    TokenAxis,
    Trace,
    TraceError,
    TraceRequest,
    Vectors,
)


def plain_trace(
    tape: Tape,
    name: str,
    queries: Sequence[str] | None,
    keys: Sequence[str] | None,
    row: int,
    vectors: Vectors,
) -> Trace:
    """Return the trace of one row of the batch."""
    if not tape.calls:
        raise RecordingError(
            f"No attention was seen while {name} ran. Heed records scaled_dot_product_attention, "
            "nn.MultiheadAttention and modules that return their weights, one row per query."
        )
    layers = tape.layers()
    crossing = layers.get("cross")
    if row >= max(call.weights.shape[0] for call in tape.calls):
        raise RecordingError(f"The batch has no row {row}.")
    main = (crossing or tape.calls)[0].weights
    source = _axis(keys, main.shape[-1], "keys", "sum")
    target = TokenAxis("", (), (), "mean")
    if crossing:
        target = _axis(queries, main.shape[-2], "queries", "mean")
    elif queries is not None and keys is None:  # one axis, named from the other side
        source = _axis(queries, main.shape[-1], "queries", "sum")
    lengths: dict[AxisName, int] = {
        "source": len(source),
        "target": len(target),
        "decoder_input": len(target),
    }
    axes = WRITING if crossing else READING
    maps = maps_of(tape, axes, lengths, row=row, vectors=vectors)
    try:
        return Trace(
            model=ModelStamp(name, "", "multihead", "after"),
            task="record",
            request=TraceRequest(source.text, target=target.text or None, vectors=vectors),
            source=source,
            output=Output(target, tuple(maps), (), 0.0, 0.0, "forced"),
            runners_up=(),
            timing=Timing(0.0, 0.0),
        )
    except TraceError as error:
        raise RecordingError(f"The attention of {name} makes no trace: {error}.") from None


def _axis(names: Sequence[str] | None, count: int, what: str, merge: Merge) -> TokenAxis:
    """Make an axis of these names, or of numbers; fewer names than tokens leave padding out."""
    if names is None:
        return replace(position_axis(count), merge=merge)
    if not 0 < len(names) <= count:
        raise RecordingError(f"There are {len(names)} names for {count} {what}.")
    return named_axis(list(map(str, names)), merge)
