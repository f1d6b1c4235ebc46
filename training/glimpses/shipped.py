"""Figures of a shipped model that looks in glimpses."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from heed.models.checkpoint import load_module
from heed.models.families.glimpse.config import GlimpseConfig
from heed.models.families.glimpse.network import GlimpseNetwork
from heed.models.families.glimpse.pipeline import GlimpsePipeline, GlimpseRequest
from heed.models.pictures.decode import decode_picture
from heed.models.trace import GlimpseAxis, Trace
from training.glimpses.picture_file import picture_file
from training.glimpses.quality import (
    KINDS,
    WRITTEN,
    Looked,
    evaluate_glimpses,
    held_out,
    written,
)


def evaluate_glimpse_model(
    pipeline: GlimpsePipeline, folder: Path, count: int, data: Path
) -> dict[str, float]:
    """Measure a model on held-out pictures, through the pipeline that serves it.

    Beside it the same network looks at random places. Handwritten digits are those of `data` that
    no training has seen.
    """
    network = load_module(folder, GlimpseConfig, GlimpseNetwork)
    torch.manual_seed(network.config.picture)
    side = network.config.picture
    pictures = {kind: held_out("test", kind, count, side) for kind in KINDS}
    pictures |= {name: written(data, "test", name, side) for name in WRITTEN}
    quality = {
        "pictures": float(count * len(KINDS)),
        "handwritten_digits": float(len(pictures["handwritten"].labels)),
    }
    for kind, tested in pictures.items():
        right, on_digit = evaluate_glimpses(lambda pictures: _served(pipeline, pictures), tested)
        at_random, off_digit = evaluate_glimpses(
            lambda pictures: _random(network.eval(), pictures), tested
        )
        quality |= {
            f"right_{kind}": right[-1],
            f"first_glimpse_{kind}": right[0],
            f"random_places_{kind}": at_random[-1],
            f"on_digit_{kind}": on_digit,
            f"random_on_digit_{kind}": off_digit,
        }
    return {name: round(value, 4) for name, value in quality.items()}


def _served(pipeline: GlimpsePipeline, pictures: Tensor) -> Looked:
    """Look at pictures as the server does, given their files."""
    requests = [GlimpseRequest(decode_picture(picture_file(picture))) for picture in pictures]
    traces = pipeline.run(requests)
    return Looked(
        torch.stack([_beliefs(trace) for trace in traces]),
        torch.stack([_places(trace) for trace in traces]),
    )


def _beliefs(trace: Trace) -> Tensor:
    """Return the probabilities of the classes after each glimpse (T, C)."""
    ordered = [sorted(step.alternatives) for step in trace.output.steps]
    return torch.tensor([[alternative.probability for alternative in step] for step in ordered])


def _places(trace: Trace) -> Tensor:
    """Return the middles of the glimpses (T, 2), from -1 to 1."""
    target, picture = trace.output.target, trace.picture
    assert isinstance(target, GlimpseAxis) and picture is not None  # noqa: PT018, S101
    finest = [boxes[0] for boxes in target.glimpses]
    middles = [(box.left + box.side / 2, box.top + box.side / 2) for box in finest]
    return torch.tensor(middles) * (2 / picture.width) - 1


@torch.inference_mode()
def _random(network: GlimpseNetwork, pictures: Tensor) -> Looked:
    glimpses = network(pictures, lambda means: torch.rand_like(means) * 2 - 1)
    return Looked(glimpses.logits, glimpses.places)
