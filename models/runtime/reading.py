"""The interface between the reader of sentences and the runtimes of its LSTMN.

Shapes: `T` words with the start, `V` vocabulary, `A` attention width, `H` width. Row t of what is
read has word t as its last one, and predicts the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from heed.models.config import LSTMNConfig
from heed.models.runtime.protocol import Tokens
from heed.models.trace import Floats


class TapeRead(NamedTuple):
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


class ReadingRuntime(Protocol):
    """An LSTMN, ready to read."""

    @property
    def config(self) -> LSTMNConfig:
        """The shape of the network."""

    def read(self, sentences: Sequence[Tokens]) -> list[TapeRead]:
        """Read sentences that begin with the start token."""
