"""The interface between the search and the runtimes that execute a network.

`search` knows a model only by two calls, *encode a batch* and *step it*, both on NumPy arrays, so
that another runtime can replace PyTorch behind it.

Shapes: `N` rows (one per live hypothesis), `B` texts or pictures, `H` heads, `K` keys (tokens or
cells), `V` vocabulary, `D` width of a vector, `Y` rows and `X` columns of pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans
from heed.models.runtime.operation_log import OperationLog
from heed.models.trace import Floats

RANKED = 6  # tokens: the alternatives that a trace lists, and one more
NEVER_WRITTEN = 2  # tokens, the first of a vocabulary: the padding and the start mark

Ints = NDArray[np.int64]
Tokens = Sequence[int]


@dataclass(frozen=True, slots=True)
class PictureInput:
    """A picture, the tokens of a question about it, and the seed of hard attention."""

    pixels: NDArray[np.uint8]  # (Y, X, 3)
    question: Tokens = ()
    seed: int = 0
    kept: bool = True
    """False for a picture of one run alone, so that it takes no place in the cache of features."""


class Attended(NamedTuple):
    """The attention of one group of heads: in a step of the decoder, or in the whole encoder."""

    scores: Floats  # (N, H, K) of a step, (B, H, K, K) of the encoder; -inf where masked
    weights: Floats  # the same
    query: Floats | None = None  # (N, H, D) of a step, as it was scored
    # Self-attention also has the key and value that a step adds, (N, H, D).
    key: Floats | None = None
    value: Floats | None = None
    # Of the encoder all three are (B, H, K, D), and present only on request.


class Projected(NamedTuple):
    """The memory as projected by the heads of one group."""

    keys: Floats  # (B, H, K, D)
    values: Floats  # (B, H, K, D)


class DrawnCells(NamedTuple):
    """The cell that each row of a step drew from its weights."""

    cells: Ints  # (N,)
    log_probabilities: Floats  # (N,)


class Ranking(NamedTuple):
    """The likeliest tokens of each row, the best first, and the normalizer of its logits.

    Both leave out the padding and the start mark, which are never written.
    """

    tokens: Ints  # (N, A)
    log_probabilities: Floats  # (N, A)
    normalizer: Floats  # (N,), the logarithm of the sum of the exponentials of the logits


class Step(NamedTuple):
    """The outputs of one step of the decoder, a row per hypothesis."""

    logits: Floats  # (N, V), valid until the next step, which may overwrite them
    ranking: Ranking
    attended: tuple[Attended, ...]  # one per group of `Runtime.step_groups`
    query: Floats  # (N, D)
    context: Floats  # (N, D)
    state: Floats  # (N, D)
    gates: Floats | None = None  # (N,), β of Xu et al. (2015), where a model has one
    drawn: DrawnCells | None = None  # where attention is hard


Source_contra = TypeVar("Source_contra", contravariant=True)


class Encoded(NamedTuple):
    """An encoded batch: the decoder's first state and the maps of the encoder itself."""

    state: object  # only its runtime can read it
    memory: Floats  # (B, K, D), the state of each token; padding behind the shorter texts
    attended: tuple[Attended, ...]  # one per group of `Runtime.encode_groups`
    projected: tuple[Projected | None, ...]  # one per group of `Runtime.step_groups`


class EncodeOptions(NamedTuple):
    """Options of encoding a batch, and of the steps that follow."""

    vectors: bool = False  # the attention of the encoder has its queries, keys and values
    by_tiles: bool = True  # kernels may use tiles (AMX); without, no bit depends on the batch
    edits: Plans = ()  # of each source; empty if none of them has any
    log: OperationLog | None = None  # of the times of operations, where a runtime can tell them


DEFAULT_OPTIONS: Final = EncodeOptions()


class Editing(NamedTuple):
    """The edits of attention that a runtime can make with its network."""

    refusal: str = ""  # the reason why it makes none
    hides_end: bool = False  # true if no query sees the last key, the end mark of a text
    gated: bool = False  # true if a gate can be set


class Runtime(Protocol[Source_contra]):
    """Two calls, for the tokens of a text (`Tokens`) or for a picture (`PictureInput`).

    The state is opaque: the search only passes it back, and a runtime raises `TypeError` on the
    state of another.
    """

    @property
    def encode_groups(self) -> tuple[MapGroup, ...]:
        """The maps that `encode` returns."""

    @property
    def step_groups(self) -> tuple[MapGroup, ...]:
        """The maps that each `step` returns a row of."""

    @property
    def editing(self) -> Editing:
        """The edits that it can make."""

    def encode(
        self, sources: Sequence[Source_contra], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch. Row `b` of the state belongs to source `b`."""

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, object]:
        """Continue `rows` of `state`, each with its last token. A row may repeat, or be dropped.

        `edits` are those of each row in this step alone, instead of those of its source.
        """


@runtime_checkable
class KnowsValues(Protocol):
    """A runtime that can say what its keys add to the output."""

    def value_vectors(self, state: object, /) -> tuple[Floats | None, ...]:
        """Return what each key adds to the output of its head at a weight of 1 (B, H, K, D).

        One array per group of `step_groups`, None for keys that are written; without biases.
        """


def ranked(logits: Floats) -> Ranking:
    """Rank the tokens of each row by their logits."""
    written = logits[:, NEVER_WRITTEN:]
    likeliest = np.argsort(-written, axis=1, kind="stable")[:, :RANKED]
    most = written.max(axis=1)
    normalizer = most + np.log(np.exp(written - most[:, None]).sum(axis=1))
    best = np.take_along_axis(written, likeliest, axis=1) - normalizer[:, None]
    return Ranking(likeliest + NEVER_WRITTEN, best, normalizer)


def padded(sources: Sequence[Tokens]) -> dict[str, Ints]:
    """Pad texts of different lengths to one array (B, K); also returns their lengths (B,)."""
    lengths = np.array([len(source) for source in sources], dtype=np.int64)
    texts = np.zeros((len(sources), int(lengths.max())), dtype=np.int64)
    for row, source in zip(texts, sources, strict=True):
        row[: len(source)] = source
    return {"source": texts, "lengths": lengths}


def all_in_order(rows: Ints, count: int) -> bool:
    """Return true if these are all of `count` rows in order."""
    return len(rows) == count and rows.tolist() == list(range(count))


def foreign_state(state: object) -> TypeError:
    """Make the error of a runtime that is given the state of another."""
    return TypeError(f"{type(state).__name__} is the state of another runtime")
