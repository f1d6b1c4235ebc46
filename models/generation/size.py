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
    """The numbers of a trace."""

    hypotheses: int
    read: int  # K
    written: int  # Q, of each hypothesis
    cells: int  # of the maps of a hypothesis: a weight and a score each
    shared: int  # cells of the maps of the encoder, the same for all hypotheses
    head_vectors: int  # queries, keys and values of the heads of a hypothesis
    head_numbers: int  # in these vectors
    width: int  # D, of the other vectors: a few for each token
    draws: int = 0  # outputs that hard attention repeats


def expected_length(read: int, longest: int) -> int:
    """Return how many tokens an output for so many tokens usually has at most."""
    return min(longest, read + SLACK)


def size_of_groups(
    card: Card, groups: Iterable[MapGroup], header: TraceHeader, hypotheses: int, written: int
) -> TraceSize:
    """Count the numbers of the maps of these groups, and of the vectors if heads have any."""
    lengths = {**header.lengths, "target": written, "decoder_input": written}
    projects, everything = card.mechanism == "multihead", header.request.vectors == "all"
    cells = shared = vectors = numbers = 0
    for group in groups:
        queries, keys = lengths[group.query], lengths[group.key]
        if group.kind == "encoder-self":
            shared += group.heads * queries * keys
        else:
            cells += group.heads * queries * keys
        if projects and (everything or group.kind == "cross"):
            vectors += group.heads * (queries + 2 * keys)
            numbers += card.width * (queries + 2 * keys)
    read = max(header.lengths.values())
    return TraceSize(hypotheses, read, written, cells, shared, vectors, numbers, card.width)


def size_of_card(card: Card, header: TraceHeader, hypotheses: int, written: int) -> TraceSize:
    """Count the numbers of every map that a model like this may have, and of its vectors."""
    read = max(header.lengths.values())
    heads = max(card.heads * card.layers, 1)
    most = max(read, written) + 1
    if card.reads_pictures:  # the maps of a picture have no vectors, or those of one head
        return TraceSize(hypotheses, read, written, heads * most**2, 0, 3 * most, 0, card.width)
    cells, shared = heads * written * (read + written), heads * read * read
    vectors = heads * 3 * (read + written)
    numbers = card.layers * 3 * (read + written) * card.width
    return TraceSize(hypotheses, read, written, cells, shared, vectors, numbers, card.width)
