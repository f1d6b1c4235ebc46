"""The Vision Transformer: its tokens, its rollout, and reading a part of the patches."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from heed.models.families.vision_transformer.network import VisionTransformer, rollout
from heed.models.networks.image_encoder import Backbone
from tests.models.tiny import VISION


@pytest.fixture
def network() -> VisionTransformer:
    torch.manual_seed(3)
    return VisionTransformer(VISION).eval()


@pytest.fixture
def pictures() -> Tensor:
    torch.manual_seed(4)
    return torch.randint(0, 256, (2, 224, 224, 3), dtype=torch.uint8)


def test_there_is_a_token_for_each_patch_and_one_for_the_class(
    network: VisionTransformer, pictures: Tensor
) -> None:
    viewed = network(pictures)
    assert viewed.logits.shape == (2, VISION.vocabulary)
    assert [each.shape for each in viewed.states] == [(2, 197, VISION.width)] * VISION.layers
    for looked in viewed.attended:
        assert looked.weights.shape == (2, VISION.heads, 197, 197)
        torch.testing.assert_close(looked.weights.sum(dim=-1), torch.ones(2, VISION.heads, 197))


def test_the_cells_are_those_of_the_convolutional_network(
    network: VisionTransformer, pictures: Tensor
) -> None:
    backbone = Backbone()
    backbone.load_state_dict(network.convolutions.state_dict(), strict=False)
    early = backbone.early(pictures, VISION.blocks)
    torch.testing.assert_close(network.cells(pictures)[1, 14], early[1, :, 1, 0])


def test_rollout_multiplies_the_layers(network: VisionTransformer, pictures: Tensor) -> None:
    attended = network(pictures).attended
    whole = torch.eye(197)
    for looked in attended:
        whole = (looked.weights[0].mean(dim=0) + torch.eye(197)) / 2 @ whole
    torch.testing.assert_close(rollout(attended)[0], whole[0])
    assert rollout(attended).sum(dim=1).tolist() == pytest.approx([1, 1])


def test_rollout_needs_a_layer() -> None:
    with pytest.raises(ValueError, match="without layers"):
        rollout(())


def test_the_order_of_the_patches_that_are_read_does_not_matter(
    network: VisionTransformer, pictures: Tensor
) -> None:
    cells = network.cells(pictures)
    kept = torch.stack([torch.randperm(196) for _ in range(2)])
    whole, turned = network.attend(cells), network.attend(cells, kept)
    torch.testing.assert_close(turned.logits, whole.logits, atol=1e-5, rtol=1e-5)
    some = network.attend(cells, kept[:, :50])
    assert some.attended[0].weights.shape[-1] == 51
    assert not torch.allclose(some.logits, whole.logits)
