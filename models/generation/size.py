"""The numbers of a trace, estimated before it is run.

Shapes: `Q` tokens written, `K` tokens or cells read, `D` the widest vectors of the network.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from heed.models.card import Card
from heed.models.networks.map_group import MapGroup
from heed.models.trace import TraceHeader

SLACK: Final = 12  # tokens that an output usually has at most beyond those of its input


@dataclass(frozen=True, slots=True)
class TraceSize:
    """The numbers of a trace: those of each hypothesis, and those that all of them share.

    Shared are the maps of the encoder, and the keys and values of what was read.
    """

    hypotheses: int
    read: int  # K
    written: int  # Q, of each hypothesis
    cells: int  # of the maps of a hypothesis: a weight and a score each
    shared_cells: int
    head_vectors: int  # queries, keys and values of the heads of a hypothesis
    shared_vectors: int
    head_width: int  # of such a vector
    width: int  # D, of the other vectors: a few for each token
    draws: int = 0  # outputs that hard attention repeats at once


def expected_length(read: int, longest: int) -> int:
    """Return how many tokens an output for so many tokens usually has at most."""
    return min(longest, read + SLACK)


def size_of_groups(
    card: Card, groups: Iterable[MapGroup], header: TraceHeader, hypotheses: int, written: int
) -> TraceSize:
    """Count the numbers of the maps of these groups, and of the vectors if heads have any."""
    lengths = {**header.lengths, "target": written, "decoder_input": written}
    projects, everything = card.mechanism == "multihead", header.request.vectors == "all"
    cells = shared_cells = vectors = shared_vectors = 0
    for group in groups:
        queries, keys = lengths[group.query], lengths[group.key]
        if group.kind == "encoder-self":
            shared_cells += group.heads * queries * keys
        else:
            cells += group.heads * queries * keys
        if projects and (everything or group.kind == "cross"):
            own = group.key == "decoder_input"
            vectors += group.heads * (queries + 2 * keys * own)
            shared_vectors += group.heads * 2 * keys * (not own)
    return TraceSize(
        hypotheses,
        max(header.lengths.values()),
        written,
        cells,
        shared_cells,
        vectors,
        shared_vectors,
        card.width // max(card.heads, 1),
        card.width,
    )


def size_of_card(card: Card, header: TraceHeader, hypotheses: int, written: int) -> TraceSize:
    """Count the numbers of every map that a model like this may have, and of its vectors."""
    read = max(header.lengths.values())
    heads, width = max(card.heads * card.layers, 1), card.width // max(card.heads, 1)
    if card.reads_pictures:  # the maps of a picture have no vectors, or those of one head
        cells, vectors = heads * (max(read, written) + 1) ** 2, 3 * (read + 1)
        return TraceSize(hypotheses, read, written, cells, 0, vectors, 0, width, card.width)
    cells, shared = heads * written * (read + written), heads * read * read
    vectors = heads * 3 * (read + written)
    return TraceSize(hypotheses, read, written, cells, shared, vectors, 0, width, card.width)
