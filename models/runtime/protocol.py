"""The seam between search and whatever runs the network.

`search` knows a model only through two calls, *encode a batch* and *step it*, both on NumPy
arrays, so that another runtime can take PyTorch's place behind it.

Shapes: `N` rows (one per live hypothesis), `B` texts or pictures, `H` heads, `K` keys (tokens or
cells), `V` vocabulary, `D` width of a vector, `Y` rows and `X` columns of pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from heed.models.trace import AxisName, Floats, MapKind

RANKED = 6  # tokens: the alternatives that are told, and one more
NEVER_WRITTEN = 2  # tokens, the first of a vocabulary: the padding and the start mark

Ints = NDArray[np.int64]
Tokens = Sequence[int]


@dataclass(frozen=True, slots=True)
class ImageInput:
    """A picture to be read, the tokens of what is asked of it, and the seed of what is drawn."""

    pixels: NDArray[np.uint8]  # (Y, X, 3)
    question: Tokens = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class MapGroup:
    """The heads of one attention layer, which come out of the network together."""

    kind: MapKind
    layer: int
    heads: int
    query: AxisName
    key: AxisName


class Attended(NamedTuple):
    """What the heads of one group did: in one step of the decoder, or in the whole encoder."""

    scores: Floats  # (N, H, K) of a step, (B, H, K, K) of the encoder; -inf where masked
    weights: Floats  # the same
    query: Floats | None = None  # (N, H, D) of a step, as it was scored
    # What asks is looked at as well, where it is one of those: of a step what it adds, (N, H, D).
    key: Floats | None = None
    value: Floats | None = None
    # Of the encoder all three are (B, H, K, D), and there only if they were asked for.


class Projected(NamedTuple):
    """The memory as the heads of one group have it: what they compare, and what they sum."""

    keys: Floats  # (B, H, K, D)
    values: Floats  # (B, H, K, D)


class DrawnCells(NamedTuple):
    """The cell that each row of a step looked at, drawn from its weights."""

    cells: Ints  # (N,)
    log_probabilities: Floats  # (N,)


class Ranking(NamedTuple):
    """The likeliest tokens of each row, the best first, and what makes its logits probabilities.

    The padding and the start mark are left out of both: they are never written.
    """

    tokens: Ints  # (N, A)
    log_probabilities: Floats  # (N, A)
    normalizer: Floats  # (N,), the logarithm of the sum of the exponentials of the logits


class Step(NamedTuple):
    """What one step of the decoder gives, a row per hypothesis."""

    logits: Floats  # (N, V), until the next step, which may write over them
    ranking: Ranking
    attended: tuple[Attended, ...]  # one per group of `Runtime.step_groups`
    query: Floats  # (N, D)
    context: Floats  # (N, D)
    state: Floats  # (N, D)
    gates: Floats | None = None  # (N,), β of Xu et al. (2015), where a model has one
    drawn: DrawnCells | None = None  # where attention is hard


State = TypeVar("State")
Source_contra = TypeVar("Source_contra", contravariant=True)


class Encoded(NamedTuple, Generic[State]):
    """A batch, read: the decoder's first state and the maps of the encoder itself."""

    state: State
    memory: Floats  # (B, K, D), what was kept of each token; padding behind the shorter texts
    attended: tuple[Attended, ...]  # one per group of `Runtime.encode_groups`
    projected: tuple[Projected | None, ...]  # one per group of `Runtime.step_groups`


class Runtime(Protocol[Source_contra, State]):
    """Two calls, whatever is read: the tokens of a text (`Tokens`), or a picture (`ImageInput`).

    The state is the runtime's own affair; search only hands it back.
    """

    @property
    def encode_groups(self) -> tuple[MapGroup, ...]:
        """The maps that `encode` gives."""

    @property
    def step_groups(self) -> tuple[MapGroup, ...]:
        """The maps that each `step` gives a row of."""

    def encode(self, sources: Sequence[Source_contra], *, vectors: bool = False) -> Encoded[State]:
        """Read a batch. Row `b` of the state belongs to source `b`.

        With `vectors` its own heads tell what they compared and summed, too.
        """

    def step(self, state: State, rows: Ints, tokens: Ints) -> tuple[Step, State]:
        """Go on from `rows` of `state`, each fed its token. A row may go on twice, or never."""


def padded(sources: Sequence[Tokens]) -> dict[str, Ints]:
    """Texts of different lengths as one array (B, K), and their lengths (B,)."""
    lengths = np.array([len(source) for source in sources], dtype=np.int64)
    texts = np.zeros((len(sources), int(lengths.max())), dtype=np.int64)
    for row, source in zip(texts, sources, strict=True):
        row[: len(source)] = source
    return {"source": texts, "lengths": lengths}


def all_in_order(rows: Ints, count: int) -> bool:
    """Whether these are all of so many rows, each where it is."""
    return len(rows) == count and rows.tolist() == list(range(count))
