"""Drawn scenes: pictures of one or two things in a plain landscape, with their boxes.

They serve to measure localization: content, colours and places are known, and they are free of
rights.

Shapes: `Y` rows, `X` columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from heed.models.trace import Floats

Rgb = tuple[int, int, int]
Kind = Literal["noun", "colour"]

SIZE = 640, 480  # as most photos are; squashed for the network like any other

COLOURS: dict[str, Rgb] = {
    "red": (200, 30, 35),
    "blue": (35, 75, 190),
    "green": (40, 140, 60),
    "yellow": (240, 205, 40),
    "orange": (240, 120, 25),
    "pink": (240, 130, 180),
    "black": (28, 28, 30),
    "white": (240, 240, 238),
    "brown": (115, 70, 40),
    "tan": (200, 160, 110),
}
BRIGHT = ("red", "blue", "green", "yellow", "orange", "pink", "black", "white")
FUR = ("black", "white", "brown", "tan")

GROUNDS: dict[str, Rgb] = {
    "grass": (92, 140, 62),
    "sand": (216, 192, 146),
    "snow": (232, 236, 244),
    "street": (122, 121, 122),
    "water": (58, 112, 152),
}
# What would not be seen against it.
HIDDEN = {"grass": {"green"}, "sand": {"tan", "yellow"}, "snow": {"white"}, "water": {"blue"}}
SKIES: tuple[tuple[Rgb, Rgb], ...] = (
    ((88, 148, 214), (198, 222, 240)),
    ((150, 160, 172), (214, 216, 220)),
    ((226, 150, 104), (246, 214, 170)),
)
SKIN: tuple[Rgb, ...] = ((236, 196, 166), (198, 146, 108), (118, 78, 54))
DARK: Rgb = (40, 42, 48)


class Box(NamedTuple):
    """A rectangle, in shares of the picture's width and height."""

    left: float
    top: float
    right: float
    bottom: float

    def mirrored(self) -> Box:
        """Return the box mirrored to the other side."""
        return Box(1 - self.right, self.top, 1 - self.left, self.bottom)

    def part(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Return a rectangle in shares of this one."""
        width, height = self.right - self.left, self.bottom - self.top
        return Box(
            self.left + left * width,
            self.top + top * height,
            self.left + right * width,
            self.top + bottom * height,
        )


class NamedBox(NamedTuple):
    """A word of a scene's caption, and the box of its thing."""

    start: int  # characters of the caption
    end: int
    kind: Kind
    box: Box


@dataclass(frozen=True, slots=True)
class DrawnScene:
    """A picture, its caption, and the boxes of its words."""

    image: Image.Image
    caption: str
    named: tuple[NamedBox, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Things to draw, and a caption in which `1:colour` is the colour of the second thing."""

    caption: str
    things: tuple[str, ...]
    grounds: tuple[str, ...] = ("grass", "sand", "snow", "street")


PLANS = (
    Plan("a 0:colour 0:ball lies on the ground", ("ball",)),
    Plan("a 0:colour 0:dog stands on the ground", ("dog",)),
    Plan("a 0:colour 0:dog runs on the ground with a 1:colour 1:ball", ("dog", "ball")),
    Plan("a 0:colour 0:dog and a 1:colour 1:dog play on the ground", ("dog", "dog")),
    Plan("a 0:man in a 0:colour 0:shirt stands on the ground", ("person",)),
    Plan("a 0:boy in a 0:colour 0:shirt plays with a 1:colour 1:ball", ("person", "ball")),
    Plan("a 0:woman in a 0:colour 0:shirt walks with a 1:colour 1:dog", ("person", "dog")),
    Plan(
        "a 0:man in a 0:colour 0:shirt stands next to a 1:colour 1:car",
        ("person", "car"),
        ("street",),
    ),
    Plan("a 0:colour 0:car drives down the ground", ("car",), ("street",)),
    Plan("a 0:colour 0:boat floats on the ground", ("boat",), ("water",)),
)


class Pen:
    """Draws in shares of one box, turned to the left or to the right."""

    def __init__(self, image: Image.Image, box: Box, *, turned: bool) -> None:
        self._draw = ImageDraw.Draw(image, "RGBA")
        self._size = image.size
        self._box, self._turned = box, turned

    def _at(self, x: float, y: float) -> tuple[float, float]:
        left, top, right, bottom = self._box
        x = 1 - x if self._turned else x
        across, down = self._size
        return (left + x * (right - left)) * across, (top + y * (bottom - top)) * down

    def oval(self, left: float, top: float, right: float, bottom: float, rgb: Rgb) -> None:
        """An ellipse between these sides."""
        (x, y), (z, w) = self._at(left, top), self._at(right, bottom)
        self._draw.ellipse((min(x, z), y, max(x, z), w), fill=rgb)

    def shape(self, *corners: tuple[float, float], rgb: Rgb) -> None:
        """A polygon."""
        self._draw.polygon([self._at(*corner) for corner in corners], fill=rgb)

    def bar(self, left: float, top: float, right: float, bottom: float, rgb: Rgb) -> None:
        """A rectangle between these sides."""
        self.shape((left, top), (right, top), (right, bottom), (left, bottom), rgb=rgb)

    def shadow(self) -> None:
        """Draw the shadow on the ground."""
        (x, y), (z, w) = self._at(-0.05, 0.94), self._at(1.05, 1.03)
        self._draw.ellipse((min(x, z), y, max(x, z), w), fill=(0, 0, 0, 70))


def shaded(rgb: Rgb, light: float) -> Rgb:
    """Darker below 1, lighter above."""
    red, green, blue = (min(int(part * light + 12 * (light > 1)), 255) for part in rgb)
    return red, green, blue


def draw_ball(pen: Pen, rgb: Rgb, random: Random) -> None:
    """A ball with light from above."""
    del random
    pen.oval(0, 0, 1, 1, shaded(rgb, 0.75))
    pen.oval(0.04, 0.02, 0.92, 0.9, rgb)
    pen.oval(0.24, 0.14, 0.5, 0.36, shaded(rgb, 1.35))


def draw_dog(pen: Pen, rgb: Rgb, random: Random) -> None:
    """A dog from the side."""
    dark = shaded(rgb, 0.7)
    step = random.uniform(-0.05, 0.05)
    for foot in (0.2, 0.32, 0.58, 0.68):
        pen.bar(foot - 0.035 + step, 0.6, foot + 0.035 + step, 1, dark if foot > 0.6 else rgb)
    pen.shape((0.16, 0.4), (0, 0.12), (0.06, 0.1), (0.24, 0.34), rgb=rgb)  # tail
    pen.oval(0.12, 0.32, 0.78, 0.72, rgb)
    pen.shape((0.6, 0.4), (0.68, 0.12), (0.84, 0.2), (0.76, 0.62), rgb=rgb)  # neck
    pen.oval(0.64, 0.04, 0.92, 0.36, rgb)
    pen.shape((0.82, 0.14), (1, 0.2), (1, 0.3), (0.8, 0.34), rgb=rgb)  # snout
    pen.oval(0.95, 0.18, 1, 0.25, DARK)
    pen.shape((0.68, 0.06), (0.62, 0.3), (0.74, 0.28), rgb=dark)  # ear
    pen.oval(0.8, 0.13, 0.84, 0.18, DARK)


def draw_person(pen: Pen, rgb: Rgb, random: Random) -> None:
    """Draw a standing person in a shirt of this colour."""
    skin, hair = random.choice(SKIN), random.choice((DARK, (92, 58, 34), (188, 150, 84)))
    trousers = random.choice(((52, 62, 92), (70, 66, 62), (38, 40, 44)))
    pen.bar(0.3, 0.52, 0.48, 0.95, trousers)
    pen.bar(0.52, 0.52, 0.7, 0.95, shaded(trousers, 0.85))
    pen.oval(0.24, 0.93, 0.5, 1, DARK)
    pen.oval(0.5, 0.93, 0.76, 1, DARK)
    pen.shape((0.26, 0.2), (0.02, 0.5), (0.14, 0.54), (0.34, 0.32), rgb=rgb)  # arms
    pen.shape((0.74, 0.2), (0.98, 0.5), (0.86, 0.54), (0.66, 0.32), rgb=shaded(rgb, 0.85))
    pen.oval(0, 0.48, 0.15, 0.56, skin)
    pen.oval(0.85, 0.48, 1, 0.56, skin)
    pen.shape((0.24, 0.2), (0.76, 0.2), (0.73, 0.56), (0.27, 0.56), rgb=rgb)
    pen.bar(0.43, 0.14, 0.57, 0.22, skin)
    pen.oval(0.32, 0, 0.68, 0.18, hair)
    pen.oval(0.35, 0.03, 0.65, 0.18, skin)


SHIRT = 0.02, 0.19, 0.98, 0.57  # its box, in shares of that of who wears it


def draw_car(pen: Pen, rgb: Rgb, random: Random) -> None:
    """A car from the side."""
    del random
    pen.shape((0.2, 0.48), (0.32, 0.06), (0.7, 0.06), (0.84, 0.48), rgb=shaded(rgb, 0.9))
    glass = (176, 204, 220)
    pen.shape((0.27, 0.45), (0.35, 0.14), (0.49, 0.14), (0.49, 0.45), rgb=glass)
    pen.shape((0.53, 0.45), (0.53, 0.14), (0.67, 0.14), (0.76, 0.45), rgb=glass)
    pen.shape(
        (0, 0.56), (0.06, 0.44), (0.9, 0.44), (1, 0.58), (1, 0.82), (0, 0.82), rgb=rgb
    )  # fmt: skip
    pen.oval(0.94, 0.52, 1, 0.64, (250, 244, 210))
    for wheel in (0.22, 0.78):
        pen.oval(wheel - 0.1, 0.62, wheel + 0.1, 1, DARK)
        pen.oval(wheel - 0.045, 0.73, wheel + 0.045, 0.89, (186, 188, 192))


def draw_boat(pen: Pen, rgb: Rgb, random: Random) -> None:
    """A boat with a hull and a sail of this colour."""
    del random
    pen.bar(0.47, 0, 0.5, 0.74, (104, 76, 48))
    pen.shape((0.52, 0.02), (0.52, 0.66), (0.94, 0.66), rgb=rgb)
    pen.shape((0.45, 0.1), (0.45, 0.66), (0.14, 0.66), rgb=shaded(rgb, 0.85))
    pen.shape((0, 0.72), (1, 0.72), (0.84, 1), (0.16, 1), rgb=shaded(rgb, 0.7))


class Appearance(NamedTuple):
    """Drawing, size and colours of a kind of thing."""

    draw: Callable[[Pen, Rgb, Random], None]
    heights: tuple[float, float]  # least and most, in shares of the picture's
    slender: float  # width over height
    colours: tuple[str, ...]


THINGS = {
    "ball": Appearance(draw_ball, (0.16, 0.26), 1.0, BRIGHT),
    "dog": Appearance(draw_dog, (0.3, 0.42), 1.3, FUR),
    "person": Appearance(draw_person, (0.55, 0.78), 0.42, BRIGHT),
    "car": Appearance(draw_car, (0.2, 0.28), 2.1, BRIGHT),
    "boat": Appearance(draw_boat, (0.32, 0.44), 1.3, BRIGHT),
}


def draw_scenes(count: int, seed: int, size: tuple[int, int] = SIZE) -> Iterator[DrawnScene]:
    """So many scenes, of each plan as often as of the others; always the same from a seed."""
    for place in range(count):
        yield draw_scene(PLANS[place % len(PLANS)], Random(f"{seed}, {place}"), size)


def draw_scene(plan: Plan, random: Random, size: tuple[int, int] = SIZE) -> DrawnScene:
    """One scene. Nothing reaches over the middle, so that a mirrored box is somewhere else."""
    ground = random.choice(plan.grounds)
    horizon = random.uniform(0.3, 0.5)
    image = landscape(ground, horizon, random, size)
    colours: list[str] = []
    boxes: list[Box] = []
    on_the_right = random.random() < 0.5
    for number, name in enumerate(plan.things):
        looks = THINGS[name]
        taken = HIDDEN.get(ground, set()) | set(colours)
        colour = random.choice([colour for colour in looks.colours if colour not in taken])
        box = _place(looks, horizon, random, size, right=on_the_right ^ bool(number))
        pen = Pen(image, box, turned=random.random() < 0.5)
        pen.shadow()
        looks.draw(pen, COLOURS[colour], random)
        colours.append(colour)
        boxes.append(box)
    caption, named = _said(plan, ground, colours, boxes)
    return DrawnScene(_grained(image, random), caption, named)


def _place(
    looks: Appearance, horizon: float, random: Random, size: tuple[int, int], *, right: bool
) -> Box:
    """Somewhere in one half, standing on the ground."""
    height = random.uniform(*looks.heights)
    width = min(height * looks.slender * size[1] / size[0], 0.46)
    bottom = random.uniform(max(horizon + 0.15, height + 0.03), 0.96)
    left = random.uniform(0.02, 0.48 - width) + 0.5 * right
    return Box(left, bottom - height, left + width, bottom)


def _said(
    plan: Plan, ground: str, colours: list[str], boxes: list[Box]
) -> tuple[str, tuple[NamedBox, ...]]:
    """The caption, and where what its marked words say is."""
    caption, named = "", []
    for marked in plan.caption.split():
        thing, colon, word = marked.rpartition(":")
        kind: Kind = "colour" if word == "colour" else "noun"
        if not colon:
            caption += f"{ground if word == 'ground' else word} "
            continue
        number = int(thing)
        box = boxes[number]
        if plan.things[number] == "person" and word in ("colour", "shirt"):
            box = box.part(*SHIRT)
        said = colours[number] if kind == "colour" else word
        if said[0] in "aeiou" and caption.split()[-1] == "a":
            caption = f"{caption[:-1]}n "
        named.append(NamedBox(len(caption), len(caption) + len(said), kind, box))
        caption += f"{said} "
    return caption.rstrip(), tuple(named)


def landscape(ground: str, horizon: float, random: Random, size: tuple[int, int]) -> Image.Image:
    """Ground below, sky above, neither of them even."""
    across, down = size
    dice = np.random.default_rng(random.randrange(2**32))
    rows = np.linspace(0, 1, down, dtype=np.float32)[:, None, None]  # (Y, 1, 1)
    high, low = (np.array(rgb, dtype=np.float32) for rgb in random.choice(SKIES))
    sky = high + (low - high) * np.clip(rows / horizon, 0, 1)
    near = 0.85 + 0.2 * np.clip((rows - horizon) / (1 - horizon), 0, 1)
    earth = np.array(GROUNDS[ground], dtype=np.float32) * near
    even = np.broadcast_to(np.where(rows < horizon, sky, earth), (down, across, 3))
    rough = np.where(rows[..., 0] < horizon, np.float32(6), np.float32(12))
    for fineness, cells in enumerate((6, 24, 90), start=1):
        even = even + (rough / fineness * _patches(dice, cells, size))[..., None]
    return Image.fromarray(np.clip(even, 0, 255).astype(np.uint8))


def _patches(dice: np.random.Generator, cells: int, size: tuple[int, int]) -> Floats:
    """Smooth noise (Y, X) of about so many patches across."""
    coarse = dice.standard_normal((cells, cells), dtype=np.float32)
    return np.asarray(Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC))


def _grained(image: Image.Image, random: Random) -> Image.Image:
    """As a camera would have it: edges a little soft, and some noise."""
    dice = np.random.default_rng(random.randrange(2**32))
    soft = np.asarray(image.filter(ImageFilter.GaussianBlur(1)), dtype=np.float32)
    noise = dice.standard_normal(soft.shape, dtype=np.float32) * 5
    return Image.fromarray(np.clip(soft + noise, 0, 255).astype(np.uint8))
