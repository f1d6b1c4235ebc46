"""Batches of graphs: one graph without edges between its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from training.graphs.examples import Example


class Batch(NamedTuple):
    """Graphs side by side, with the classes of their nodes."""

    features: Tensor  # (N, F)
    sources: Tensor  # (E,)
    targets: Tensor  # (E,)
    classes: Tensor  # (N,)
    unknown: Tensor  # (N,), true where the class has to be found


def read_batch(examples: Sequence[Example]) -> Batch:
    """Read examples."""
    sizes = [len(example.graph) for example in examples]
    firsts = np.cumsum(sizes) - sizes
    parts = [example.graph.neighbours for example in examples]
    unknown = np.zeros(sum(sizes), bool)
    for first, added in zip(firsts, examples, strict=True):
        unknown[first + np.array(added.unknown, np.int64)] = True
    return Batch(
        torch.from_numpy(np.concatenate([example.graph.features for example in examples])),
        _joined([part.sources for part in parts], firsts),
        _joined([part.targets for part in parts], firsts),
        torch.tensor([label for example in examples for label in example.classes]),
        torch.from_numpy(unknown),
    )


def _joined(parts: Sequence[np.ndarray], firsts: np.ndarray) -> Tensor:
    """Number the nodes of all graphs anew."""
    moved = [part + first for part, first in zip(parts, firsts, strict=True)]
    return torch.from_numpy(np.concatenate(moved))
