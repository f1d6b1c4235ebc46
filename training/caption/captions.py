"""Captions of a set of photos, with the features of the photos."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heed.models.text.tokenizer import BytePieces
from training.caption.batches import CaptionBatch, caption_batches, caption_ids
from training.caption.features import FeatureLoader, Features
from training.caption.photos import Photos, Split
from training.caption.self_critical import Reward


@dataclass(slots=True)
class Captions:
    """Features of one set of photos, and the ids of its captions."""

    features: Features
    ids: Sequence[Sequence[Sequence[int]]]
    judged: Reward | None = None

    @property
    def reward(self) -> Reward:
        """Reward of a caption of one of its photos."""
        if self.judged is None:
            self.judged = Reward(self.ids)
        return self.judged

    def batches(self, size: int, seed: int) -> Iterator[CaptionBatch]:
        """Yield batches of endless epochs."""
        while True:
            yield from caption_batches(self.ids, size, seed)
            seed += 1


CaptionSets = dict[str, Captions]  # by the name of the set


def load_captions(
    loader: FeatureLoader, split: Split, photos: Mapping[str, Photos], tokenizer: BytePieces
) -> CaptionSets:
    """Load the captions and features of each set of a split."""
    features = loader.load_sets(split, photos)
    return {
        name: Captions(features[name], caption_ids(listed, tokenizer))
        for name, listed in photos.items()
    }
