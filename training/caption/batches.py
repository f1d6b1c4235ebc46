"""Batches of photos, each with all of its captions.

Features of a photo cost more time than a caption, so five captions for one photo give five times
the training data in little more time.

Shapes: `P` photos, `B` captions, `Q` tokens of a caption, `Y` rows, `X` columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from heed.models.text.tokenizer import START, BytePieces
from training.caption.photos import Photos
from training.caption.words import tidy
from training.common.batches import chunks, pad

POOL = 8  # batches in a pool that is sorted by length
LONGEST = 20  # pieces of a training caption; the few longer ones are cut
STEPS = 2  # captions are padded to a multiple: see training/common/batches.py


class CaptionBatch(NamedTuple):
    """Photos and their captions."""

    places: Tensor  # (P,) of the photos in their array
    photo: Tensor  # (B,) which of these photos a caption belongs to
    fed: Tensor  # (B, Q), the caption shifted right by its start mark
    target: Tensor  # (B, Q)


def caption_batches(
    captions: Sequence[Sequence[Sequence[int]]], size: int, seed: int
) -> Iterator[CaptionBatch]:
    """Yield one epoch: every photo once, `size` at a time, with the ids of all its captions.

    Photos with captions of similar length share a batch, so that little is padded.
    """
    random = Random(seed)
    order = list(range(len(captions)))
    random.shuffle(order)
    batches: list[list[int]] = []
    for pool in chunks(order, POOL * size):
        pool.sort(key=lambda place: sum(map(len, captions[place])))
        batches += chunks(pool, size)
    random.shuffle(batches)
    for places in batches:
        yield collate_captions(places, captions)


def collate_captions(
    places: Sequence[int], captions: Sequence[Sequence[Sequence[int]]]
) -> CaptionBatch:
    """Collate these photos with all their captions, the longest of each first."""
    owners = [photo for photo, place in enumerate(places) for _ in captions[place]]
    targets = [ids for place in places for ids in sorted(captions[place], key=len, reverse=True)]
    return CaptionBatch(
        torch.tensor(places),
        torch.tensor(owners),
        pad([[START, *ids[:-1]] for ids in targets], STEPS),
        pad(targets, STEPS),
    )


def caption_ids(photos: Photos, tokenizer: BytePieces) -> list[list[list[int]]]:
    """Return the normalised captions of each photo as ids, with a stop token unless cut."""
    return [
        [tokenizer.ids(tidy(caption))[:LONGEST] for caption in several]
        for several in photos.captions
    ]


def pictures_at(photos: Photos, places: Tensor) -> Tensor:
    """Return the photos at these indices, as bytes (P, Y, X, 3)."""
    # Read in the order of the disk, then put into the given order.
    wanted = places.numpy()
    order = np.argsort(wanted)
    pictures = np.empty((len(wanted), *photos.pixels.shape[1:]), np.uint8)
    pictures[order] = photos.pixels[wanted[order]]
    return torch.from_numpy(pictures)
