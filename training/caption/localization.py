"""Localization: weight that the map of a word has on its thing in the image.

The captioner writes a given caption (forced decoding); the map of each noun and colour, the mean
over the pieces of the word, is compared with the cells of its thing. Chance is the figure of a
uniform map.

Shapes: `Q` tokens written, `K` cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image

from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.networks.mobilenet import GRID
from heed.models.pictures.decode import Picture, decode_picture
from heed.models.trace import Floats, Output
from training.caption.drawn_scenes import Box, draw_scenes
from training.common.alignments import word_indices
from training.common.batches import chunks

BATCH = 32
SCENES, SEED = 300, 4
HALF = 0.5 / GRID  # half a cell, by which a box is grown, as no map is finer than its cells

Place = tuple[str, str]  # the name of a map, and the kind of word
DRAWN, LATER = "drawn", "later"


class LocatedWord(NamedTuple):
    """A word of a caption, and the cells of its thing."""

    start: int  # characters of the caption
    end: int
    kind: str
    inside: Floats  # (K,) share of each cell that belongs to the thing
    elsewhere: Floats  # (K,) the same of another plausible place


@dataclass(frozen=True, slots=True)
class LocatedCaption:
    """A picture and a caption whose words have known places."""

    picture: Picture
    caption: str
    spots: tuple[LocatedWord, ...]


@dataclass(slots=True)
class Localization:
    """Sums over words: the weight of their maps inside, and chance."""

    words: int = 0
    inside: float = 0.0
    chance: float = 0.0
    elsewhere: float = 0.0
    strongest: float = 0.0

    def add(self, weights: Floats, spot: LocatedWord) -> None:
        """Count the map (K,) of one word."""
        self.words += 1
        self.inside += float(weights @ spot.inside)
        self.chance += float(spot.inside.mean())
        self.elsewhere += float(weights @ spot.elsewhere)
        self.strongest += float(spot.inside[int(weights.argmax())] >= 0.5)

    def means(self) -> dict[str, float]:
        """Each sum over the number of words."""
        names = "inside", "chance", "elsewhere", "strongest"
        return {name: getattr(self, name) / max(self.words, 1) for name in names}


def cross_maps(output: Output) -> dict[str, Floats]:
    """Return the maps (Q, K) from words to cells: the only one, or each head and each layer's mean.

    Hard attention also has a map of its draws.
    """
    cross = [m for m in output.maps if m.kind == "cross" and m.key == "source"]
    if len(cross) == 1:
        maps = {"": cross[0].weights}
    else:
        maps = {f"layer{m.layer}_head{m.head}": m.weights for m in cross}
        for layer in sorted({m.layer for m in cross}):
            heads = [m.weights for m in cross if m.layer == layer]
            maps[f"layer{layer}_mean"] = np.mean(heads, axis=0)
    drawn = [step.drawn.cell for step in output.steps if step.drawn]
    if drawn:
        maps[DRAWN] = np.eye(GRID * GRID, dtype=np.float32)[drawn]
    return maps


def measure_localization(
    captioner: PicturePipeline, shown: Iterable[LocatedCaption]
) -> dict[Place, Localization]:
    """Return sums by map and kind of word.

    A map named `later` is that of the next step, when the word has been written: if it were better,
    the page would have to show a word with the map of the next one.
    """
    sums: dict[Place, Localization] = {}
    for batch in chunks(shown, BATCH):
        asks = [PictureRequest(caption.picture, target=caption.caption) for caption in batch]
        for caption, trace in zip(batch, captioner.run(asks), strict=True):
            tokens = word_indices(
                trace.output.tokens, [(spot.start, spot.end) for spot in caption.spots]
            )
            for name, weights in _and_later(cross_maps(trace.output)):
                for place, spot in enumerate(caption.spots):
                    rows = [row for row, owner in enumerate(tokens) if owner == place]
                    localization = sums.setdefault((name, spot.kind), Localization())
                    localization.add(weights[rows].mean(axis=0), spot)
    return sums


def _and_later(maps: dict[str, Floats]) -> Iterator[tuple[str, Floats]]:
    """Yield the maps, and each of them moved up by a step; the last row repeats."""
    for name, weights in maps.items():
        yield name, weights
        yield f"{name}_{LATER}", np.concatenate([weights[1:], weights[-1:]])


def best_map(sums: dict[Place, Localization]) -> str:
    """Return the name of the single map with most weight inside."""
    single = {name for name, _ in sums if not name.endswith((LATER, "mean", DRAWN))}
    return max(sorted(single), key=lambda name: inside(sums, name))


def inside(sums: dict[Place, Localization], name: str) -> float:
    """Return the mean weight of a map inside, over all kinds of words."""
    measured = [sum for (map_, _), sum in sums.items() if map_ == name]
    return sum(it.inside for it in measured) / max(sum(it.words for it in measured), 1)


def localization_figures(sums: dict[Place, Localization], set_: str, best: str) -> dict[str, float]:
    """Return the figures of one set: those of the best map, by kind of word."""
    figures: dict[str, float] = {}
    for kind in sorted({kind for _, kind in sums}, reverse=True):
        localization = sums[best, kind]
        means = {f"{set_}_{kind}_{name}": value for name, value in localization.means().items()}
        figures |= {f"{set_}_{kind}_words": localization.words} | means
        if kind == "noun":  # a colour is followed by its noun, which lies at the same place
            figures[f"{set_}_{kind}_{LATER}"] = sums[f"{best}_{LATER}", kind].means()["inside"]
        if (DRAWN, kind) in sums:
            figures[f"{set_}_{kind}_{DRAWN}"] = sums[DRAWN, kind].means()["inside"]
    return figures


def head_figures(sums: dict[Place, Localization], set_: str) -> dict[str, float]:
    """Return the weight inside of each head, and of the mean of each layer."""
    names = dict.fromkeys(name for name, _ in sums if name.startswith("layer"))
    every = [name for name in names if not name.endswith(LATER)]
    return {f"{set_}_{name}": inside(sums, name) for name in every}


# --- drawn scenes -----------------------------------------------------------------------------


def located_scenes(count: int = SCENES, seed: int = SEED) -> Iterator[LocatedCaption]:
    """Yield drawn scenes as uploaded pictures."""
    for scene in draw_scenes(count, seed):
        spots = [
            LocatedWord(
                word.start,
                word.end,
                word.kind,
                covered_cells(word.box),
                covered_cells(word.box.mirrored()),
            )
            for word in scene.named
        ]
        yield LocatedCaption(as_uploaded(scene.image), scene.caption, tuple(spots))


def as_uploaded(image: Image.Image) -> Picture:
    """Return the image as it is read from a file."""
    file = BytesIO()
    image.save(file, "BMP")  # quick to write, and to read
    return decode_picture(file.getvalue())


def covered_cells(box: Box) -> Floats:
    """Return the share of each cell (K,) that a box covers, grown by half a cell on each side."""
    columns = _overlap(box.left - HALF, box.right + HALF)
    rows = _overlap(box.top - HALF, box.bottom + HALF)
    return np.outer(rows, columns).astype(np.float32).ravel()


def _overlap(start: float, end: float) -> Sequence[float]:
    """The share of each of the rows, or columns, that lies between."""
    return [min(max(min(end * GRID, n + 1) - max(start * GRID, n), 0), 1) for n in range(GRID)]
