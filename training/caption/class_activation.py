"""Class activation maps: approximate places of things in photos, from an ImageNet classifier.

Class activation mapping (Zhou et al. 2016) of the published network, not of the trained image
encoder. It serves nouns with ImageNet classes, where the network is sure. It marks what is typical
rather than the whole thing, so it is compared with the map of another photo with the same noun.

Shapes: `B` photos, `C` classes, `K` cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional as F

from heed.models.networks.mobilenet import CELLS, GRID
from heed.models.pictures.decode import SIDE, Picture
from heed.models.trace import Floats
from training.caption.backbone import load_backbone, load_classifier
from training.caption.lexicon import COLOURS
from training.caption.localization import LocatedCaption, LocatedWord
from training.caption.photos import Photos
from training.caption.phrases import Phrase, phrases
from training.caption.words import tidy, words
from training.common.alignments import spans
from training.common.batches import chunks
from training.common.errors import BackboneError

LABELS = "imagenet_labels.txt"
BATCH = 32
SURE = 0.3  # least total probability of a noun's classes
MARKED = 0.2  # share of the cells that it marks

# Nouns of captions, and what ImageNet has of their kind: labels, or the first and the last of a
# row of them. What a label only has to do with (a dog sled with dogs) is left out.
KINDS = {
    "dog": ("Chihuahua … Mexican hairless",),
    "cat": ("tabby … Egyptian cat",),
    "bird": ("cock … great grey owl", "black grouse … black swan", "white stork … albatross"),
    "horse": ("sorrel",),
    "cow": ("ox",),
    "ball": (
        *("baseball", "basketball", "croquet ball", "golf ball", "ping-pong ball", "rugby ball"),
        *("soccer ball", "tennis ball", "volleyball"),
    ),
    "bike": ("mountain bike", "bicycle-built-for-two"),
    "motorcycle": ("moped", "motor scooter"),
    "car": (
        *("beach wagon", "cab", "convertible", "jeep", "limousine", "minivan", "Model T"),
        *("racer", "sports car"),
    ),
    "truck": ("fire engine", "garbage truck", "moving van", "pickup", "tow truck", "trailer truck"),
    "bus": ("minibus", "school bus", "trolleybus"),
    "train": ("bullet train", "electric locomotive", "passenger car", "steam locomotive"),
    "boat": ("canoe", "catamaran", "fireboat", "gondola", "lifeboat", "speedboat", "trimaran"),
    "canoe": ("canoe",),
    "kayak": ("canoe",),
    "bench": ("park bench",),
    "couch": ("studio couch",),
    "umbrella": ("umbrella",),
    "tent": ("mountain tent",),
    "guitar": ("acoustic guitar", "electric guitar"),
    "backpack": ("backpack",),
    "bikini": ("bikini",),
    "balloon": ("balloon",),
    "sled": ("bobsled", "dogsled"),
    "helmet": ("crash helmet", "football helmet"),
    "jersey": ("jersey",),
    "jeans": ("jean",),
    "bucket": ("bucket",),
}


class LocatedPhrase(NamedTuple):
    """A noun phrase in the caption of a photo, and its cells."""

    photo: int
    caption: str
    phrase: Phrase
    cells: Floats  # (K,), 1 where it is marked


def classes(data: Path) -> dict[str, list[int]]:
    """Return the ImageNet classes of each noun."""
    path = data / "backbone" / LABELS
    try:
        labels = [line.partition(",")[0].strip() for line in path.read_text("utf-8").splitlines()]
        places: dict[str, list[int]] = {}
        for noun, kinds in KINDS.items():
            for kind in kinds:
                first, _, last = kind.partition(" … ")
                row = range(labels.index(first), labels.index(last or first) + 1)
                places.setdefault(noun, []).extend(row)
    except (OSError, ValueError) as error:
        raise BackboneError(f"{path}: {error}") from error
    return places


def located_photos(photos: Photos, data: Path) -> Iterator[LocatedCaption]:
    """Yield photos with a caption and the places of its nouns, which colours share.

    A noun is taken from the first caption of a photo that has it.
    """
    located = list(marked(photos, data))
    elsewhere: dict[str, list[Floats]] = {}
    for item in located:
        elsewhere.setdefault(item.phrase.noun, []).append(item.cells)
    by_caption: dict[tuple[int, str], list[LocatedWord]] = {}
    seen: dict[str, int] = {}
    for item in located:
        noun = item.phrase.noun
        others = elsewhere[noun]
        seen[noun] = seen.get(noun, 0) + 1
        if len(others) > 1:
            other = others[seen[noun] % len(others)]  # of the next photo that has one
            spots = by_caption.setdefault((item.photo, item.caption), [])
            spots += _spots(item, other)
    for (photo, caption), spots in by_caption.items():
        picture = photo_picture(photos, photo)
        yield LocatedCaption(picture, caption, tuple(spots))


def photo_picture(photos: Photos, place: int) -> Picture:
    """Return a photo as a captioner reads it."""
    return Picture(np.array(photos.pixels[place]), SIDE, SIDE, "JPEG", b"")


def _spots(phrase: LocatedPhrase, other: Floats) -> Iterator[LocatedWord]:
    tokens = words(phrase.caption)
    places = spans(phrase.caption, tokens)
    for place in range(phrase.phrase.start, phrase.phrase.end):
        start, end = places[place]
        if place + 1 == phrase.phrase.end:
            yield LocatedWord(start, end, "noun", phrase.cells, other)
        elif COLOURS.get(tokens[place]) in phrase.phrase.colours:
            yield LocatedWord(start, end, "colour", phrase.cells, other)


@torch.inference_mode()
def marked(photos: Photos, data: Path) -> Iterator[LocatedPhrase]:
    """Yield every noun of a photo's captions that the classifier is sure of."""
    backbone, classifier = load_backbone(data), load_classifier(data)
    of_noun = classes(data)
    said = ((place, *said) for place in range(len(photos)) for said in _said(photos, place))
    by_photo: dict[int, list[tuple[str, Phrase]]] = {}
    for place, caption, phrase in said:
        by_photo.setdefault(place, []).append((caption, phrase))
    for chunk in chunks(by_photo, BATCH):
        maps = backbone(torch.from_numpy(photos.pixels[chunk]))
        probabilities, activation = classifier(maps), classifier.activation(maps)
        for row, place in enumerate(chunk):
            for caption, phrase in by_photo[place]:
                kinds = of_noun[phrase.noun]
                if float(probabilities[row, kinds].sum()) < SURE:
                    continue
                likeliest = kinds[int(probabilities[row, kinds].argmax())]
                yield LocatedPhrase(place, caption, phrase, _strongest(activation[row, likeliest]))


def _said(photos: Photos, place: int) -> Iterator[tuple[str, Phrase]]:
    """Yield the nouns with classes, each in the first caption that has it."""
    seen: set[str] = set()
    for caption in map(tidy, photos.captions[place]):
        tokens = words(caption)
        try:
            spans(caption, tokens)
        except ValueError:  # brackets, which the words of captions have other names for
            continue
        for phrase in phrases(tokens):
            if phrase.noun in KINDS and phrase.noun not in seen:
                seen.add(phrase.noun)
                yield caption, phrase


def _strongest(activation: torch.Tensor) -> Floats:
    """Return 1 at the strongest cells (K,) of a coarser activation (Y, X), else 0."""
    fine = F.interpolate(
        activation[None, None], size=(GRID, GRID), mode="bilinear", align_corners=False
    )
    cells = np.zeros(CELLS, dtype=np.float32)
    cells[fine.flatten().argsort(descending=True)[: round(MARKED * CELLS)].numpy()] = 1.0
    return cells
