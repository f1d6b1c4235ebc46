"""Image encoders that a training starts from."""

from types import SimpleNamespace

import pytest
import torch

from heed.models.networks.image_encoder import Backbone
from training.caption.features import FeatureLoader, average_weights
from training.caption.recipe import ImageEncoderRecipe


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_weights_are_averaged_by_the_share_of_the_other_network(share: float) -> None:
    torch.manual_seed(3)
    mine, other, before = Backbone(), Backbone(), Backbone()
    before.load_state_dict(mine.state_dict())
    average_weights(mine, other, share)
    for value, old, learned in zip(
        mine.parameters(), before.parameters(), other.parameters(), strict=True
    ):
        torch.testing.assert_close(value, (1 - share) * old + share * learned)


@pytest.mark.parametrize(("trainable", "expected"), [(True, 3), (False, 2)])
def test_a_frozen_encoder_needs_the_views_whose_cells_are_kept(
    monkeypatch: pytest.MonkeyPatch, *, trainable: bool, expected: int
) -> None:
    settings = ImageEncoderRecipe(trainable=trainable, views=3, cached_views=2)
    loader = FeatureLoader(SimpleNamespace(image_encoder=settings), *[None] * 3)  # type: ignore[arg-type]
    counts: dict[str, int] = {}

    def load(self: FeatureLoader, name: str, photos: object, views: int) -> None:
        counts[name] = views

    monkeypatch.setattr(FeatureLoader, "load", load)
    for split in ("train", "dev"):
        loader.load_sets(split, {"everyday": None})  # type: ignore[dict-item]
    assert counts == {"everyday-train": expected, "everyday-dev": 1}
