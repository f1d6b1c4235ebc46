"""The numbers of an LSTMN, between its runtime and the pipeline.

Shapes: `T` words with the start, `V` vocabulary, `A` attention width, `H` width. Row t of what is
read has word t as its last one, and predicts the next.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from heed.models.networks.map_group import MapGroup
from heed.models.trace import Floats

TAPE: Final = MapGroup("decoder-self", 0, 1, "target", "decoder_input")
"""The one map, with a row for each word that is predicted."""


class TapeResult(NamedTuple):
    """The reading of one sentence; the names are those of `network.py`."""

    scores: Floats  # (T, T), -inf above the diagonal
    weights: Floats  # (T, T)
    queries: Floats  # (T, A)
    keys: Floats  # (T, A)
    hidden: Floats  # (T, H)
    cells: Floats  # (T, H)
    hidden_summaries: Floats  # (T, H)
    cell_summaries: Floats  # (T, H)
    gates: Floats  # (T, 3H)
    log_probabilities: Floats  # (T, V), of the next word
