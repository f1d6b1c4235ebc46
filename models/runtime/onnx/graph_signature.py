"""What the graphs of a model read and give, written into them: no PyTorch is needed to run them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from heed.models.networks.map_group import MapGroup

ENCODE: Final = "encode.onnx"
STEP: Final = "step.onnx"
IMAGE_ENCODER: Final = "image-encoder.onnx"
METADATA: Final = "heed.wiring/1"  # its name in a graph
BORROWED: Final = "borrowed."  # before the name of a tensor that a sibling keeps
LAYOUT: Final = "heed.layout"  # SHA-256 of what says where the weights lie
NEXT: Final = "next_"  # before the name of a moving part, as a step gives it
OWN: Final = "own_"  # before what the heads of `encode` tell where it is asked for
WRITTEN: Final = "written_"  # before a layer and `keys` or `values`: of what was written so far
GUMBEL: Final = "luck"  # the part of a state that is drawn by a seed, not read


@dataclass(frozen=True, slots=True)
class GraphSignature:
    """The names of what goes in and out of a model's two graphs, and the maps they give."""

    encode_groups: tuple[MapGroup, ...]
    step_groups: tuple[MapGroup, ...]
    fixed: tuple[str, ...]  # of the state, what no step changes
    moving: tuple[str, ...]  # of the state, what every step makes anew
    projected: tuple[tuple[str, str] | None, ...]  # keys and values that are told, of a step group
    gated: bool
    drawn: bool

    def text(self) -> str:
        """As it stands in a graph."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> Self:
        """From what stands in a graph."""
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
    def read_maps(self) -> list[str]:
        """The maps that `encode` gives: scores and weights of each group."""
        return [
            f"read_{place}_{what}"
            for place in range(len(self.encode_groups))
            for what in ("scores", "weights")
        ]

    @property
    def told(self) -> list[str]:
        """What `step` tells, in this order. Behind it come the moving parts."""
        return [
            *("logits", "likeliest", "log_likeliest", "normalizer", "query", "context", "state"),
            *(
                f"looked_{place}_{what}"
                for place in range(len(self.step_groups))
                for what in ("scores", "weights", "query")
            ),
            *(["gate"] if self.gated else []),
            *(["drawn", "log_drawn"] if self.drawn else []),
        ]
