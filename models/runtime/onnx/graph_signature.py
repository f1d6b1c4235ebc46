"""The inputs and outputs of a model's graphs, stored in them, so that PyTorch need not run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from heed.models.networks.map_group import MapGroup

ENCODE: Final = "encode.onnx"
STEP: Final = "step.onnx"
IMAGE_ENCODER: Final = "image-encoder.onnx"
METADATA: Final = "heed.wiring/1"  # its name in a graph
BORROWED: Final = "borrowed."  # before the name of a tensor that another model stores
LAYOUT: Final = "heed.layout"  # SHA-256 of the header of the weights' file
NEXT: Final = "next_"  # before the name of a moving part, as an output of a step
OWN: Final = "own_"  # before the vectors of self-attention in `encode`, computed on request
WRITTEN: Final = "written_"  # before a layer and `keys` or `values`: of the tokens written so far
GIVEN: Final = "given_"  # before the place of a group, `gate` or `drawn_by`: NaN where not edited
GUMBEL: Final = "gumbel"  # the part of a state that comes from a seed


@dataclass(frozen=True, slots=True)
class GraphSignature:
    """The names of the inputs and outputs of a model's two graphs, and their maps."""

    encode_groups: tuple[MapGroup, ...]
    step_groups: tuple[MapGroup, ...]
    fixed: tuple[str, ...]  # parts of the state that no step changes
    moving: tuple[str, ...]  # parts of the state that every step changes
    projected: tuple[tuple[str, str] | None, ...]  # names of the keys and values of a step group
    gated: bool
    drawn: bool

    def text(self) -> str:
        """Serialize for a graph."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read from a graph."""
        values: dict[str, Any] = json.loads(text)
        return cls(
            encode_groups=tuple(MapGroup(**group) for group in values["encode_groups"]),
            step_groups=tuple(MapGroup(**group) for group in values["step_groups"]),
            fixed=tuple(values["fixed"]),
            moving=tuple(values["moving"]),
            projected=tuple(pair and (pair[0], pair[1]) for pair in values["projected"]),
            gated=values["gated"],
            drawn=values["drawn"],
        )

    @property
    def step_outputs(self) -> list[str]:
        """The outputs of `step`, in this order; the moving parts follow."""
        return [
            *("logits", "likeliest", "log_likeliest", "normalizer", "query", "context", "state"),
            *(
                f"looked_{place}_{part}"
                for place in range(len(self.step_groups))
                for part in ("scores", "weights", "query")
            ),
            *(["gate"] if self.gated else []),
            *(["drawn", "log_drawn"] if self.drawn else []),
        ]
