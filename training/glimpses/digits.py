"""Pictures of single digits: handwriting of strokes, and type, each varied and warped.

A bank of them is drawn once, and pictures are put together from it. Shapes: `N` digits, `E` side.
"""

from __future__ import annotations

import math
from functools import cache
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from heed.models.trace import Floats
from training.glimpses.strokes import SHAPES, Shape, Stroke

Bytes = NDArray[np.uint8]

SIDE: Final = 30  # of the square in which a digit lies
SMALLEST, LARGEST = 15.0, 26.0  # the longer side of a digit, in pixels
FINE: Final = 4  # pixels are the means of so many squared
THINNEST, THICKEST = 1.3, 4.0
TYPED: Final = 0.15  # share of typed digits
BEND: Final = 0.05  # of a stroke's points, in shares of the digit's size
CURVE: Final = 8  # points between two points of a stroke


class Bank(NamedTuple):
    """Digits, each in the middle of its square."""

    pictures: Bytes  # (N, E, E)
    labels: NDArray[np.int64]  # (N,)

    def joined(self, other: Bank) -> Bank:
        """Return the digits of both."""
        pictures = np.concatenate([self.pictures, other.pictures])
        return Bank(pictures, np.concatenate([self.labels, other.labels]))


def draw_bank(seed: str, count: int) -> Bank:
    """Draw digits, the same for the same seed; each of the ten is as frequent as the others."""
    rng = Random(seed)
    labels = np.arange(count) % len(SHAPES)
    return Bank(np.stack([draw_digit(rng, int(label)) for label in labels]), labels)


def draw_digit(rng: Random, digit: int) -> Bytes:
    """Draw one digit (E, E), white on black."""
    side = SIDE * FINE
    canvas = Image.new("L", (side, side))
    pen = ImageDraw.Draw(canvas)
    size = rng.uniform(SMALLEST, LARGEST) * FINE
    if rng.random() < TYPED:
        _type(canvas, rng, digit, size)
    else:
        _write(pen, rng, rng.choice(SHAPES[digit]), size)
    return np.asarray(canvas.resize((SIDE, SIDE), Image.Resampling.BOX))


def _type(canvas: Image.Image, rng: Random, digit: int, size: float) -> None:
    """Type a digit with the font that Pillow has, sheared and turned."""
    face = _font(round(size * rng.uniform(1.15, 1.35)))
    middle = SIDE * FINE / 2
    bold = rng.randint(0, 6)
    ImageDraw.Draw(canvas).text(
        (middle, middle), str(digit), fill=255, font=face, anchor="mm", stroke_width=bold
    )
    angle, shear = math.radians(rng.gauss(0, 7)), rng.gauss(0, 0.12)
    across = rng.uniform(0.9, 1.25)
    turned = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    matrix = turned @ np.array([[across, shear], [0, 1]])
    moved = middle - matrix @ (middle, middle)
    values = (*matrix[0], moved[0], *matrix[1], moved[1])
    warped = canvas.transform(
        canvas.size, Image.Transform.AFFINE, values, Image.Resampling.BILINEAR
    )
    canvas.paste(warped)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _write(pen: ImageDraw.ImageDraw, rng: Random, shape: Shape, size: float) -> None:
    """Write the strokes of a digit, bent, sheared, turned and as thick as a pen's."""
    matrix, waves = _hand(rng)
    strokes = [_bend(_smooth(stroke), waves) @ matrix for stroke in shape]
    points = np.concatenate(strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    thick = rng.uniform(THINNEST, THICKEST) * FINE
    scale = (size - thick) / max(high - low)
    for stroke in strokes:
        place = (stroke - (low + high) / 2) * scale + SIDE * FINE / 2
        pen.line([(x, y) for x, y in place.tolist()], fill=255, width=round(thick), joint="curve")
        for x, y in (place[0], place[-1]):
            radius = thick / 2
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


def _hand(rng: Random) -> tuple[Floats, Floats]:
    """Draw how a digit is turned, sheared and stretched, and the waves that bend it."""
    angle, shear, across = rng.gauss(0, 0.13), rng.gauss(0, 0.2), rng.uniform(0.6, 1.0)
    cosine, sine = math.cos(angle), math.sin(angle)
    turned = np.array([[cosine, sine], [-sine, cosine]])
    matrix = np.array([[across, 0], [-shear, 1]]) @ turned
    # Of each wave: its direction and frequency, its phase, and its size along x and y.
    waves = [
        (
            rng.gauss(0, 3),
            rng.gauss(0, 3),
            rng.uniform(0, math.tau),
            rng.gauss(0, BEND),
            rng.gauss(0, BEND),
        )
        for _ in range(2)
    ]
    return matrix.astype(np.float32), np.array(waves, np.float32)


def _bend(points: Floats, waves: Floats) -> Floats:
    """Move points by smooth waves, so that points which touch still do."""
    moved = points.copy()
    for along, down, phase, x, y in waves:
        wave = np.sin(points @ (along, down) + phase)
        moved += wave[:, None] * (x, y)
    return moved.astype(np.float32)


def _smooth(stroke: Stroke) -> Floats:
    """Return points of the curve of Catmull and Rom through those of a stroke."""
    given = np.array([stroke[0], *stroke, stroke[-1]], np.float32)
    before, start, end, after = (given[k : len(given) - 3 + k] for k in range(4))
    time = (np.arange(CURVE, dtype=np.float32) / CURVE)[:, None, None]
    curve = 0.5 * (
        2 * start
        + (end - before) * time
        + (2 * before - 5 * start + 4 * end - after) * time**2
        + (3 * (start - end) + after - before) * time**3
    )  # (CURVE, segments, 2)
    joined = curve.transpose(1, 0, 2).reshape(-1, 2)
    return np.concatenate([joined, given[-1:]]).astype(np.float32)
