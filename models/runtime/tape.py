"""The numbers of an LSTMN, between its runtime and the pipeline.

Shapes: `T` words with the start, `V` vocabulary, `A` attention width, `H` width. Row t of what is
read has word t as its last one, and predicts the next.
"""

from __future__ import annotations

from typing import NamedTuple

from heed.models.trace import Floats


class TapeResult(NamedTuple):
    """The reading of one sentence; the names are those of `networks/lstmn.py`."""

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
