"""A Vision Transformer in NumPy, on the cells of `convolutions.py`.

Pictures are read one by one, so none changes with its company. Shapes: `K` tokens, `H` heads,
`D` width.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from heed.models.families.vision_transformer.config import VisionConfig
from heed.models.families.vision_transformer.convolutions import EarlyBlocks
from heed.models.networks.map_group import MapGroup
from heed.models.networks.mobilenet import BLOCKS, CELLS
from heed.models.pictures.decode import Bytes
from heed.models.runtime.edited import EditPlan, Plans, edited_weights
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.numpy.operations import Norm, Weights, log_softmax, relu, softmax
from heed.models.runtime.protocol import PictureInput
from heed.models.runtime.vision import LayerVectors, VisionResult
from heed.models.trace import Floats

KEPT: Final = 8  # pictures whose cells are kept, of 100 kB each


class LayerRead(NamedTuple):
    """Everything that a layer computes."""

    states: Floats  # (K, D), after it
    context: Floats  # (K, D), what its attention adds
    scores: Floats  # (H, K, K)
    weights: Floats  # (H, K, K)
    queries: Floats  # (H, K, D / H)
    keys: Floats  # (H, K, D / H)
    values: Floats  # (H, K, D / H)


class Layer:
    """Self-attention, then a feed-forward network; `transformer.py` has the same layer."""

    def __init__(self, config: VisionConfig, weights: Weights, name: str) -> None:
        width, hidden = config.width, config.feedforward
        self._heads = config.heads
        self._norms = [weights.norm(f"{name}.norms.{place}", width) for place in range(2)]
        self._query, self._key, self._value, self._output = (
            weights.linear(f"{name}.attention.{part}", width, width)
            for part in ("query", "key", "value", "output")
        )
        self._widen = weights.linear(f"{name}.feedforward.0", hidden, width)
        self._narrow = weights.linear(f"{name}.feedforward.3", width, hidden)

    def __call__(self, states: Floats, group: MapGroup, plan: EditPlan | None) -> LayerRead:
        """Compute the next states from those before (K, D), and all between."""
        normed = self._norms[0](states)
        query, key, value = (
            self._split(part(normed)) for part in (self._query, self._key, self._value)
        )
        scores = query @ key.swapaxes(1, 2) / np.float32(np.sqrt(key.shape[-1]))
        weights = softmax(scores)
        if plan is not None:
            weights = edited_weights(scores[None], weights[None], group, [plan])[0][0]
        context = self._output((weights @ value).swapaxes(0, 1).reshape(states.shape))
        states = states + context
        states = states + self._narrow(relu(self._widen(self._norms[1](states))))
        return LayerRead(states, context, scores, weights, query, key, value)

    def _split(self, vectors: Floats) -> Floats:
        """Split vectors (K, D) into a part for each head (H, K, …)."""
        return vectors.reshape(len(vectors), self._heads, -1).swapaxes(0, 1)


class Embedding:
    """The class token and the cells of a picture with their positions: (K, D)."""

    def __init__(self, config: VisionConfig, weights: Weights) -> None:
        width, channels = config.width, BLOCKS[config.blocks - 1].out
        self._convolutions = EarlyBlocks(weights, "convolutions", config.blocks)
        self._standardised = Norm(np.ones(channels, np.float32), np.zeros(channels, np.float32))
        self._patches = weights.linear("patches", width, channels)
        self._class_token = weights("class_token", width)
        self.positions = weights("positions", 1 + CELLS, width)

    def __call__(self, picture: Bytes) -> Floats:
        """Embed a picture of 224×224."""
        cells = self._convolutions(picture)
        patches = self._patches(self._standardised(cells.reshape(CELLS, -1)))
        states: Floats = np.vstack([self._class_token, patches]) + self.positions
        return states


class NumpyVision:
    """A Vision Transformer; `network.py` names its parts."""

    def __init__(self, config: VisionConfig, weights: Weights) -> None:
        self.config = config
        width = config.width
        embedding = Embedding(config, weights)
        self.positions = embedding.positions
        self._layers = [Layer(config, weights, f"layers.{place}") for place in range(config.layers)]
        # The convolutions take most of the time; edits and other heads of a picture share them.
        self._embedded = FeatureCache(embedding, capacity=KEPT)
        self._norm = weights.norm("norm", width)
        self._classes = weights.linear("classes", config.vocabulary, width)

    @property
    def groups(self) -> tuple[MapGroup, ...]:
        """The maps of self-attention, by layer."""
        layers, heads = range(self.config.layers), self.config.heads
        return tuple(MapGroup("encoder-self", at, heads, "source", "source") for at in layers)

    def look(self, pictures: Sequence[Bytes], plans: Plans = ()) -> list[VisionResult]:
        """Look at pictures of 224×224, perhaps under edits."""
        plans = plans or [None] * len(pictures)
        embedded = self._embedded.of([PictureInput(picture) for picture in pictures])
        return [self._look(states, plan) for states, plan in zip(embedded, plans, strict=True)]

    def _look(self, states: Floats, plan: EditPlan | None) -> VisionResult:
        before = states
        read: list[LayerRead] = []
        for layer, group in zip(self._layers, self.groups, strict=True):
            before = states
            read.append(layer(before, group, plan))
            states = read[-1].states
        after, contexts, scores, weights, queries, keys, values = map(
            np.stack, zip(*read, strict=True)
        )
        after[-1] = self._norm(after[-1])
        return VisionResult(
            scores,
            weights,
            before[0],
            contexts[-1, 0],
            after[-1, 0],
            log_softmax(self._classes(after[-1, 0])),
            LayerVectors(queries, keys, values, after),
        )
