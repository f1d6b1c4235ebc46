"""The maps of a large trace that an answer left out, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.errors import FieldError, RequestError
from heed.app.http.conditional import conditional_response
from heed.app.http.encoding import to_json
from heed.app.http.media_types import JSON, NPY, NPZ
from heed.app.http.negotiation import negotiate
from heed.app.http.paths import RUNS
from heed.app.http.responses import json_response
from heed.app.inference.execution import trace_bytes
from heed.app.openapi.document import FIELDS, NPY_RESPONSE, TRACE_ARCHIVE, errors
from heed.app.schemas import HeadsOut, MapOut, PlainKind, TraceOut
from heed.app.traces.linked import Halves, KeptTrace, npy
from heed.models.heads import parse_links, rank_heads
from heed.output.encoding import compact
from heed.output.npz import write_npz

router = APIRouter(prefix=RUNS, tags=["large traces"])

MOST_INDEX = 1_000_000
"""The highest number of a map, a row or a layer."""
KEPT = "private, max-age=86400, immutable"
"""An id belongs to one trace for ever."""
MISSING = errors("unknown_run", "not_acceptable", "overloaded", "answer_too_large", *FIELDS)

Kind = Annotated[PlainKind, Query(description="The kind of the maps.")]
Index = Annotated[int, Path(ge=-MOST_INDEX, le=MOST_INDEX)]
Pick = Annotated[int, Query(ge=0, le=9, description="0: the output; from 1: a runner-up.")]


@router.get(
    "/{id}",
    summary="Read a large trace with all its maps",
    response_model=TraceOut,
    responses={200: TRACE_ARCHIVE, **MISSING},
)
async def read_run(request: Request, service: ServiceDep, id: str) -> Response:
    """Return the whole trace, from weights of 16 bits. It can be very large."""
    media = negotiate(request, JSON, NPZ)
    kept = service.kept_traces.find(id)

    def rendered() -> bytes:
        whole = kept.whole()
        return write_npz(whole) if media == NPZ else compact(trace_bytes(whole, kept.detail))

    content = await service.kept_traces.read(kept.whole_bytes, rendered)
    return Response(content, headers={"Vary": "Accept", "Cache-Control": KEPT}, media_type=media)


@router.get(
    "/{id}/maps/{number}",
    summary="Read one map of a large trace",
    response_model=MapOut,
    responses={200: NPY_RESPONSE, 304: {"description": "The client has it."}, **MISSING},
)
async def read_map(request: Request, service: ServiceDep, id: str, number: Index) -> Response:
    """Return the weights of a map as a NumPy file of 16-bit numbers, or the map as JSON."""
    media = negotiate(request, NPY, JSON)
    kept = service.kept_traces.find(id)
    attention = kept.map(number)
    if attention is None:
        raise RequestError("unknown_run", f"This trace has no map {number}.")
    if media == NPY:
        content = npy(attention.weights)
    else:
        size = kept.map_bytes(number)
        content = await service.kept_traces.read(size, lambda: to_json(kept.map_out(number) or {}))
    return _binary(request, content, f"{id}-{number}-{media[-4:]}", media)


@router.get(
    "/{id}/thumbnails",
    summary="Read all maps of a kind, reduced",
    response_class=Response,
    responses={200: NPY_RESPONSE, 304: {"description": "The client has it."}, **MISSING},
)
async def read_thumbnails(
    request: Request, service: ServiceDep, id: str, kind: Kind = "cross", pick: Pick = 0
) -> Response:
    """Return all maps of a kind as one NumPy file of 16-bit numbers, heads × rows × columns.

    They are in the order of `linked`, and at most 32 × 32 cells large: each has the largest weight
    of the cells that it stands for.
    """
    return await _array(
        request, service, id, f"{kind}-{pick}", pick, lambda kept: kept.thumbnails(kind, pick)
    )


@router.get(
    "/{id}/rows/{row}",
    summary="Read one row of all maps of a kind",
    response_class=Response,
    responses={200: NPY_RESPONSE, 304: {"description": "The client has it."}, **MISSING},
)
async def read_row(
    request: Request, service: ServiceDep, id: str, row: Index, kind: Kind = "cross", pick: Pick = 0
) -> Response:
    """Return a row of every map of a kind as one NumPy file of 16-bit numbers, heads × columns.

    The maps are in the order of `linked`, and the row is unreduced: what every head reads for one
    token.
    """
    missing = f"The maps of this kind have no row {row}."
    part = f"{kind}-{pick}-{row}"
    return await _array(
        request, service, id, part, pick, lambda kept: kept.row(kind, pick, row), missing
    )


@router.get(
    "/{id}/rollout/{layer}",
    summary="Read the rollout of self-attention",
    response_class=Response,
    responses={200: NPY_RESPONSE, 304: {"description": "The client has it."}, **MISSING},
)
async def read_rollout(
    request: Request,
    service: ServiceDep,
    id: str,
    layer: Index,
    kind: Kind = "encoder-self",
    pick: Pick = 0,
) -> Response:
    """Return the attention rollout of the layers up to one as a NumPy file of 16-bit numbers.

    It is the product of the means of all heads, each averaged with the identity, which stands for
    the residual connection (Abnar and Zuidema 2020). Layers are counted from 0.
    """
    missing = f"There is no self-attention of this kind in layer {layer}."
    part = f"{kind}-{pick}-rollout-{layer}"
    return await _array(
        request, service, id, part, pick, lambda kept: kept.rollout(kind, pick, layer), missing
    )


@router.get(
    "/{id}/heads",
    summary="Measure the heads of a large trace",
    response_model=HeadsOut,
    responses=errors("invalid_links", "unknown_run", "not_acceptable", "overloaded", *FIELDS),
)
async def read_heads(
    request: Request,
    service: ServiceDep,
    id: str,
    kind: Kind = "cross",
    pick: Pick = 0,
    links: Annotated[str, Query(max_length=10_000, description="Linked words: `0-0 2-1`.")] = "",
    beside: Annotated[
        str | None, Query(max_length=100, description="The id of another large trace.")
    ] = None,
) -> Response:
    """Return entropy, diagonal and sink share of each head, in the order of `linked`.

    With `links`, cross-attention has the alignment too; with `beside`, each head has its difference
    to the same head of another trace with the same tokens.
    """
    negotiate(request, JSON)
    kept = _with_pick(service.kept_traces.find(id), pick)
    other = None if beside is None else _with_pick(service.kept_traces.find(beside), pick)

    def measured() -> bytes:
        others = None if other is None else [other.of_kind(kind, pick)]
        ranked = rank_heads(kept.of_kind(kind, pick), [parse_links(links) or None], others=others)
        fields = ("layer", "head", "entropy", "diagonal", "sink", "alignment", "moved")
        heads = [
            {name: value for name in fields if (value := getattr(head, name)) is not None}
            for head in sorted(ranked, key=lambda head: (head.layer, head.head))
        ]
        return to_json({"heads": heads})

    try:
        size = kept.part_bytes + (0 if other is None else other.part_bytes)
        content = await service.kept_traces.read(size, measured)
    except ValueError as error:
        raise FieldError("invalid_links", f"Links that do not fit: {error}.", "links") from None
    return json_response(content, {"Cache-Control": KEPT})


async def _array(
    request: Request,
    service: ServiceDep,
    id: str,
    part: str,
    pick: int,
    read: Callable[[KeptTrace], Halves | None],
    missing: str = "",
) -> Response:
    """Return a part of a kept trace as a NumPy file; `missing` is the error if it has none."""
    media = negotiate(request, NPY)
    kept = _with_pick(service.kept_traces.find(id), pick)
    halves = await service.kept_traces.read(kept.part_bytes, lambda: read(kept))
    if halves is None:
        raise RequestError("unknown_run", missing)
    return _binary(request, npy(halves), f"{id}-{part}", media)


def _with_pick(kept: KeptTrace, pick: int) -> KeptTrace:
    if pick >= kept.picks():
        raise RequestError("unknown_run", f"This trace has no hypothesis {pick}.")
    return kept


def _binary(request: Request, content: bytes, digest: str, media: str) -> Response:
    headers = {"Cache-Control": KEPT, "Vary": "Accept"}
    return conditional_response(
        request.headers, digest, lambda: content, None, media=media, headers=headers
    )
