"""The glimpse network: what it sees, where it looks, and what it learns from."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.families.glimpse.network import GlimpseNetwork
from tests.models.tiny import GLIMPSE


def network() -> GlimpseNetwork:
    torch.manual_seed(3)
    return GlimpseNetwork(GLIMPSE)


def test_patches_are_means_of_squares_around_the_place() -> None:
    model, margin = network(), GLIMPSE.margin
    picture = torch.rand(1, 20, 20)
    padded = F.pad(picture, (margin,) * 4)
    [patches] = model.sense(padded, torch.tensor([[0.2, -0.5]]))
    column, row = 12, 5  # the middle, in pixels
    for scale, patch in enumerate(patches):
        square = 2**scale
        for down in range(4):
            for across in range(4):
                top = margin + row + (down - 2) * square
                left = margin + column + (across - 2) * square
                cell = padded[0, top : top + square, left : left + square]
                torch.testing.assert_close(patch[down, across], cell.mean())


def test_a_place_at_the_corner_sees_beyond_the_picture() -> None:
    padded = F.pad(torch.ones(1, 20, 20), (GLIMPSE.margin,) * 4)
    [patches] = network().sense(padded, torch.tensor([[-1.0, -1.0]]))
    assert patches[:, 2:, 2:].eq(1).all()
    assert patches[:, :2].eq(0).all()
    assert patches[:, :, :2].eq(0).all()


def test_every_number_follows_from_those_before_it() -> None:
    model = network()
    pictures = torch.rand(2, 20, 20)
    found = model(pictures)
    state = torch.zeros(2, GLIMPSE.width)
    for glimpse in range(GLIMPSE.glimpses):
        place = model.policy(state) if glimpse else torch.zeros(2, 2)
        torch.testing.assert_close(found.places[:, glimpse], place)
        seen = model.encode(found.patches[:, glimpse], place)
        state = (model.transition(state) + seen).relu()
        torch.testing.assert_close(found.states[:, glimpse], state)
        torch.testing.assert_close(found.logits[:, glimpse], model.classify(state))


def test_chosen_places_stay_within_the_picture_and_the_first_is_its_middle() -> None:
    def far(means: Tensor) -> Tensor:
        return means + 5

    found = network()(torch.rand(3, 20, 20), far)
    assert found.places[:, 0].eq(0).all()
    assert found.places[:, 1:].eq(1).all()
    assert (found.drawn[:, 1:] > 1).all()


def test_beliefs_do_not_teach_the_policy() -> None:
    model = network()
    found = model(torch.rand(2, 20, 20), lambda means: means + 0.1 * torch.randn_like(means))
    found.logits.sum().backward(retain_graph=True)
    assert model.location.weight.grad is None  # a place is looked at, not computed with
    assert model.what.weight.grad is not None
    found.means.sum().backward()
    assert model.location.weight.grad is not None
