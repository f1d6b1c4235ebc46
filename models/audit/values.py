"""Maps that count the values, beside attention and effects.

Weighted by value: the norm of what a key adds to the output of a layer, ‖Σₕ αₜⱼ W v‖ (Kobayashi et
al. 2020, equation 5). Value zeroing: the cosine distance by which the output of a row moves if the
value of a key counts nothing (Mohebbi et al. 2023); here the output is the logits, less their mean.

Shapes: `Q` tokens of the output, `H` heads, `K` keys, `D` width, `V` vocabulary, `N` edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heed.models.audit.agreement import Agreement
from heed.models.audit.forced import Doubles, ForcedStep
from heed.models.audit.row_edits import Maps
from heed.models.trace import Floats


class ValueMaps(NamedTuple):
    """The maps that count the values, and their agreement with the effects."""

    weighted: Doubles | None  # (Q, K); None where a runtime does not know the values
    zeroed: Doubles | None  # (Q, K); None where it was not run
    weighted_agreement: Agreement | None
    zeroed_agreement: Agreement | None

    def maps(self) -> dict[str, Doubles]:
        """Return the maps that there are, by name."""
        maps = {"weighted": self.weighted, "zeroed": self.zeroed}
        return {name: map_ for name, map_ in maps.items() if map_ is not None}


def weighted_by_value(
    maps: Maps, vectors: Sequence[Floats | None], step: ForcedStep
) -> Doubles | None:
    """Return the norms (K,) of a row, the mean of its layers; vectors are (1, H, K, D) of each."""
    norms: list[Doubles] = []
    for layer, heads in maps.by_layer().items():
        place = maps.place(layer)
        of_layer = vectors[place]
        if of_layer is None:
            return None
        weights = step.attended[place].weights[0, heads].astype(np.float64)
        added = np.einsum("hk,hkd->kd", weights, of_layer[0, heads])
        norms.append(np.sqrt(np.square(added).sum(axis=1)))
    mean: Doubles = np.mean(norms, axis=0)
    return mean
