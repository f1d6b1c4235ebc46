"""Image encoders that a training starts from."""

import pytest
import torch

from heed.models.networks.image_encoder import Backbone
from training.caption.features import average_weights


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
