"""Quality of a captioner: captions, movement of its maps, and localization.

Shapes: `Q` tokens written, `K` cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heed.models.errors import InputError
from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.trace import Floats, Output, SearchRequest
from training.caption.bleu_cider import bleu, caption_quality, cider, movement
from training.caption.class_activation import located_photos, photo_picture
from training.caption.everyday import load_everyday
from training.caption.flickr8k import load_flickr8k, read_photo_set
from training.caption.localization import (
    DRAWN,
    SCENES,
    LocatedCaption,
    best_map,
    cross_maps,
    head_figures,
    localization_figures,
    located_scenes,
    measure_localization,
)
from training.caption.photos import Photos
from training.caption.things import things_named
from training.common.batches import chunks

BATCH = 32  # within the feature cache, so that each photo is encoded once
GREEDY, BEAM = SearchRequest("greedy"), SearchRequest("beam", beam=3)
AGAIN = SearchRequest("beam", beam=3, seed=1)  # other cells are drawn


def evaluate_captioner(
    captioner: PicturePipeline, data: Path, runs: Path, count: int, scenes: int = SCENES
) -> dict[str, float]:
    """Compute every figure, on the first photos of both dev sets and on drawn scenes."""
    photos = load_flickr8k(data, "dev", runs).first(count)
    quality = writing_figures(captioner, photos)
    quality |= everyday_figures(captioner, load_everyday(data, "dev", runs).first(count))
    in_scenes = measure_localization(captioner, located_scenes(scenes))
    best = best_map(in_scenes)
    quality |= localization_figures(in_scenes, "scenes", best) | head_figures(in_scenes, "scenes")
    shown = accepted(captioner, located_photos(photos, data))
    quality |= localization_figures(measure_localization(captioner, shown), "photos", best)
    return _rounded(quality)


def evaluate_photo_set(captioner: PicturePipeline, path: Path, count: int) -> dict[str, float]:
    """Compute caption figures on the photos beside a file of their captions."""
    name = path.name.partition(".")[0]
    quality = writing_figures(captioner, read_photo_set(path).first(count))
    return _rounded({f"{name}_{figure}": value for figure, value in quality.items()})


def everyday_figures(captioner: PicturePipeline, photos: Photos) -> dict[str, float]:
    """Return scores of the captions of everyday photos, and the share of things they name."""
    texts = [
        trace.text
        for chunk in chunks(range(len(photos)), BATCH)
        for trace in captioner.run(
            [PictureRequest(photo_picture(photos, place), search=BEAM) for place in chunk]
        )
    ]
    return {
        "everyday_photos": float(len(photos)),
        "everyday_bleu_4": bleu(texts, photos.captions)[3],
        "everyday_cider": cider(texts, photos.captions),
        "everyday_things_named": things_named(texts, photos.captions),
    }


def writing_figures(captioner: PicturePipeline, photos: Photos) -> dict[str, float]:
    """Return scores of the captions, and the movement of their maps."""
    texts: dict[SearchRequest, list[str]] = {GREEDY: [], BEAM: []}
    if captioner.card.mechanism == "hard":
        texts[AGAIN] = []
    moving = MapMovement()
    for chunk in chunks(range(len(photos)), BATCH):
        pictures = [photo_picture(photos, place) for place in chunk]
        for search, written in texts.items():
            traces = captioner.run([PictureRequest(picture, search=search) for picture in pictures])
            written += [trace.text for trace in traces]
            if search is BEAM:
                for trace in traces:
                    moving.add(trace.output)
    quality = {"photos": float(len(photos))} | caption_quality(texts[BEAM], photos.captions)
    quality["greedy_bleu_4"] = bleu(texts[GREEDY], photos.captions)[3]
    quality["greedy_cider"] = cider(texts[GREEDY], photos.captions)
    quality |= moving.figures()
    if AGAIN in texts:
        pairs = zip(texts[BEAM], texts[AGAIN], strict=True)
        quality["captions_changed_by_seed"] = _mean([first != other for first, other in pairs])
    return quality


@dataclass(slots=True)
class MapMovement:
    """Movement of maps from word to word, and difference from photo to photo."""

    moved: list[float] = field(default_factory=list)  # of each map of each caption
    bits: list[float] = field(default_factory=list)  # of each row of each map
    whole: list[Floats] = field(default_factory=list)  # (K,) of each photo
    jumped: list[float] = field(default_factory=list)  # of each caption, where cells are drawn
    sharp: list[float] = field(default_factory=list)  # of each row there, whether another is likely

    def add(self, output: Output) -> None:
        """Count one caption, without the step of the stop token."""
        words = [not token.special for token in output.tokens.tokens]
        maps = {name: weights[words] for name, weights in cross_maps(output).items()}
        drawn = maps.pop(DRAWN, None)
        single = [weights for name, weights in maps.items() if not name.endswith("mean")]
        self.moved.append(_mean([movement(weights) for weights in single]))
        self.bits.append(_mean([entropy(weights) for weights in single]))
        self.whole.append(np.mean(single, axis=(0, 1)))
        if drawn is not None:
            self.jumped.append(movement(drawn))
            self.sharp.append(float(1 - (single[0] ** 2).sum(axis=1).mean()))

    def figures(self) -> dict[str, float]:
        """Return means over captions."""
        mean: Floats = np.mean(self.whole, axis=0)
        apart = [float(np.abs(weights - mean).sum() / 2) for weights in self.whole]
        figures = {
            "map_movement": _mean(self.moved),
            "map_between_photos": _mean(apart),
            "map_entropy_bits": _mean(self.bits),
        }
        if self.jumped:
            figures |= {"drawn_moves": _mean(self.jumped), "drawn_otherwise": _mean(self.sharp)}
        return figures


def entropy(weights: Floats) -> float:
    """Return the mean entropy of the rows in bits."""
    return float(-(weights * np.log2(np.maximum(weights, 1e-12))).sum(axis=1).mean())


def accepted(
    captioner: PicturePipeline, shown: Iterable[LocatedCaption]
) -> Iterator[LocatedCaption]:
    """Yield those whose captions fit the limits of the model."""
    for caption in shown:
        try:
            captioner.check(PictureRequest(caption.picture, target=caption.caption))
        except InputError:
            continue
        yield caption


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _rounded(quality: dict[str, float]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in quality.items()}
