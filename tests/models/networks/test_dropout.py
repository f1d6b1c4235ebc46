"""Dropout from few random bits."""

import pytest
import torch

from heed.models.networks.dropout import Dropout, dropout


@pytest.mark.parametrize("probability", [0.1, 0.3, 0.5])
def test_the_share_dropped_is_the_probability_and_the_mean_stays(probability: float) -> None:
    torch.manual_seed(1)
    kept = dropout(torch.ones(400, 501), probability, training=True)
    assert float((kept == 0).float().mean()) == pytest.approx(probability, abs=0.005)
    assert float(kept.mean()) == pytest.approx(1, abs=0.01)
    assert len(kept.unique()) == 2


def test_every_place_is_drawn_for_itself() -> None:
    torch.manual_seed(2)
    gone = dropout(torch.ones(512, 512), 0.5, training=True) == 0
    for other in (gone.roll(1, 0), gone.roll(1, 1), gone.roll(8, 1)):
        assert float((gone == other).float().mean()) == pytest.approx(0.5, abs=0.01)


def test_nothing_goes_outside_training() -> None:
    values = torch.randn(3, 4)
    layer = Dropout(0.5).eval()
    assert torch.equal(layer(values), values)
    assert torch.equal(Dropout(0.0)(values), values)


def test_the_type_and_the_seed_are_kept_and_gradients_flow_where_values_do() -> None:
    values = torch.ones(64, dtype=torch.bfloat16, requires_grad=True)
    torch.manual_seed(3)
    kept = Dropout(0.25)(values)
    torch.manual_seed(3)
    assert torch.equal(kept, Dropout(0.25)(values))
    assert kept.dtype == torch.bfloat16
    (gradient,) = torch.autograd.grad(kept.sum(), values)
    assert torch.equal(gradient, kept.detach())
