"""A glimpse network in NumPy.

The drawings of a batch are read one by one, so none changes with its company. Shapes: `Y` rows,
`X` columns, `T` glimpses, `S` scales, `P` side of a patch, `D` width.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.families.glimpse.config import GlimpseConfig
from heed.models.families.glimpse.result import GlimpseResult
from heed.models.runtime.numpy.operations import Weights, log_softmax, relu
from heed.models.trace import Floats


class NumpyGlimpse:
    """A glimpse network; `network.py` names the formulas."""

    def __init__(self, config: GlimpseConfig, weights: Weights) -> None:
        self.config = config
        width, what, where = config.width, config.what, config.where
        self._what = weights.linear("what", what, config.scales * config.patch**2)
        self._where = weights.linear("where", where, 2)
        self._what_projection = weights.linear("what_projection", width, what)
        self._where_projection = weights("where_projection.weight", width, where).T.copy()
        self._transition = weights.linear("transition", width, width)
        self._location_hidden = weights.linear("location_hidden", where, width)
        self._location = weights.linear("location", 2, where)
        self._classify = weights.linear("classify", config.vocabulary, width)

    def look(self, drawings: Sequence[Floats]) -> list[GlimpseResult]:
        """Look at drawings (Y, X), each at the means of the policy."""
        return [self._look(drawing) for drawing in drawings]

    def _look(self, drawing: Floats) -> GlimpseResult:
        padded = np.pad(drawing, self.config.margin)
        state, place = np.zeros(self.config.width, np.float32), np.zeros(2, np.float32)
        glimpses: list[tuple[Floats, ...]] = []
        for glimpse in range(self.config.glimpses):
            before = state
            if glimpse:
                place = np.tanh(self._location(relu(self._location_hidden(state))))
            patches = self._sense(padded, place)
            what, where = relu(self._what(patches.ravel())), relu(self._where(place))
            seen = relu(self._what_projection(what) + where @ self._where_projection)
            state = relu(self._transition(state) + seen)
            glimpses.append((place, patches, before, seen, state))
        places, looked, befores, views, states = map(np.stack, zip(*glimpses, strict=True))
        logs = log_softmax(self._classify(states))
        return GlimpseResult(places, looked, befores, views, states, logs)

    def _sense(self, padded: Floats, place: Floats) -> Floats:
        """Cut patches around a place, each twice as wide as the one before: (S, P, P)."""
        config = self.config
        column, row = np.floor((place + 1) * (config.picture / 2) + 0.5).astype(int)
        wide = 2 * config.margin
        widest = padded[row : row + wide, column : column + wide]
        patches = []
        for scale in range(config.scales):
            square = 2**scale
            cut = (wide - square * config.patch) // 2
            part = widest[cut : wide - cut, cut : wide - cut]
            cells = part.reshape(config.patch, square, config.patch, square)
            patches.append(cells.mean(axis=(1, 3)))
        return np.stack(patches)
