"""`python -m training.caption.backbone`: check the ImageNet network, and measure its speed.

Holds `models/networks/image_encoder.py` with the published weights against the maps and
the probabilities that DATA/backbone/check.safetensors says it must give.

Shapes: `B` batch, `C` channels or classes, `Y` rows and `X` columns of a map.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from heed.models.networks.image_encoder import Backbone, Maps, renamed
from heed.models.networks.mobilenet import DEEP
from heed.models.pictures.decode import SIDE
from training.common.command_line import DATA
from training.common.errors import BackboneError
from training.common.mixed_precision import CPU, has_bfloat16

WEIGHTS, CHECK = "mobilenet_edgetpu_1.0_224.fp16.safetensors", "check.safetensors"
CLASSES = "Logits/Conv2d_1c_1x1"
# The maps to check against are kept as 16-bit floats, of eleven bits.
CLOSE = 2e-3


def load_backbone(data: Path) -> Backbone:
    """Load the network with its ImageNet weights."""
    backbone = Backbone()
    try:
        backbone.load_state_dict(renamed(load_file(data / "backbone" / WEIGHTS)))
    except (OSError, SafetensorError, RuntimeError) as error:
        raise BackboneError(f"{data / 'backbone' / WEIGHTS}: {error}") from error
    return backbone.to(memory_format=torch.channels_last)  # type: ignore[call-overload]


class Classifier(nn.Module):
    """Classifier of the published network, on the mean of its deep map; class 0 is background."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.logits = nn.Linear(DEEP, classes)

    def forward(self, maps: Maps) -> Tensor:
        """Probabilities (B, C)."""
        return self.logits(maps.deep.mean(dim=(2, 3))).softmax(dim=-1)

    def activation(self, maps: Maps) -> Tensor:
        """Return the activation of each class at each position of the deep map (B, C, Y, X).

        Class activation mapping, Zhou et al. 2016: the classifier reads the mean of the map, so it
        can be applied at every position.
        """
        places = maps.deep.movedim(1, -1)  # (B, Y, X, C)
        return self.logits(places).movedim(-1, 1)


def load_classifier(data: Path) -> Classifier:
    """Load the classifier of the published network."""
    try:
        published = load_file(data / "backbone" / WEIGHTS)
        weight = published[f"{CLASSES}.weight"].to(torch.float32).flatten(1)
        bias = published[f"{CLASSES}.bias"].to(torch.float32)
    except (OSError, SafetensorError, KeyError) as error:
        raise BackboneError(f"{data / 'backbone' / WEIGHTS}: {error}") from error
    classifier = Classifier(len(bias))
    classifier.load_state_dict({"logits.weight": weight, "logits.bias": bias})
    return classifier


@torch.inference_mode()
def disagreement(data: Path) -> dict[str, float]:
    """Return the largest error of each map and of the probabilities.

    Relative to the largest value, as rounding is.
    """
    try:
        check = load_file(data / "backbone" / CHECK)
    except (OSError, SafetensorError) as error:
        raise BackboneError(f"{data / 'backbone' / CHECK}: {error}") from error
    maps = load_backbone(data)(check["images_uint8_nhwc"])
    differences = {
        "features_14x14x768": maps.middle,
        "features_7x7x1280": maps.deep,
        "probabilities": load_classifier(data)(maps),
    }
    wanted = {name: check[name].to(torch.float32) for name in differences}
    return {
        name: float((differences[name] - wanted[name]).abs().max() / wanted[name].abs().max())
        for name in differences
    }


@torch.inference_mode()
def milliseconds(backbone: Backbone, batch: int, *, half: bool, seconds: float = 3.0) -> float:
    """Return the shortest time for a batch in milliseconds, over a few seconds."""
    pictures = torch.randint(0, 256, (batch, SIDE, SIDE, 3), dtype=torch.uint8)
    shortest, start = float("inf"), perf_counter()
    while perf_counter() < start + seconds:
        began = perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            backbone(pictures)
        shortest = min(shortest, perf_counter() - began)
    return 1000 * shortest


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.caption.backbone", description=__doc__
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder that has backbone/")
    parser.add_argument("--speed", action="store_true", help="measure its speed as well")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    try:
        worst = disagreement(given.data)
        for name, value in worst.items():
            print(f"{name:24}{value:.1e} of the largest")
        if given.speed:
            backbone = load_backbone(given.data).eval()
            for batch in (1, 32):
                for half in (False, has_bfloat16(CPU)):
                    kind = "bfloat16" if half else "float32"
                    took = milliseconds(backbone, batch, half=half)
                    print(f"{f'{batch} pictures, {kind}':24}{took:.1f} ms")
    except BackboneError as error:
        print(error, file=sys.stderr)
        return 2
    if max(worst.values()) > CLOSE:
        print("the outputs differ from the published ones", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
