"""Captions written by force, all those of a photo together: the same as step by step."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from heed.models.config import RecurrentCaptionerConfig, TransformerCaptionerConfig
from heed.models.registry import CaptionNetwork, build_network
from heed.models.text.tokenizer import PAD
from tests.models.networks.test_captioning import HARD, cells
from tests.models.tiny import HEADS, SOFT
from training.caption.caption_forward import (
    active_captions,
    attention_entropy,
    discounted_returns,
    doubly_stochastic_penalty,
    energies,
    nll,
    teacher_force,
)

# Two photos with three captions each, the longest first, behind their start marks.
FED = torch.tensor(
    [
        [[2, 7, 8, 9], [2, 9, 9, 0], [2, 5, 0, 0]],
        [[2, 6, 6, 0], [2, 6, 0, 0], [2, 0, 0, 0]],
    ]
)


def network(config: RecurrentCaptionerConfig | TransformerCaptionerConfig) -> CaptionNetwork:
    torch.manual_seed(3)
    return build_network(config).eval().requires_grad_(requires_grad=False)


def stepped(model: CaptionNetwork, photo: int, fed: Tensor) -> tuple[Tensor, Tensor]:
    """Readouts and maps of one caption, by the calls that search makes."""
    state = model.start(model.encode(cells()[photo : photo + 1]))
    readouts, maps = [], []
    for token in fed[fed != PAD]:
        advanced, state = model.advance(token[None], state)  # type: ignore[arg-type]
        readouts.append(advanced.readout[0])
        maps.append(advanced.attended[0].weights[0, 0])
    return torch.stack(readouts), torch.stack(maps)


@pytest.mark.parametrize("config", [SOFT, HEADS], ids=lambda each: each.mechanism)
def test_all_captions_together_are_each_caption_step_by_step(
    config: RecurrentCaptionerConfig,
) -> None:
    model = network(config)
    output = teacher_force(model, cells(), FED)
    for photo in range(2):
        for caption in range(3):
            fed = FED[photo, caption]
            count = int((fed != PAD).sum())
            readouts, maps = stepped(model, photo, fed)
            torch.testing.assert_close(output.readouts[photo, caption, :count], readouts)
            if output.weights is not None:
                torch.testing.assert_close(output.weights[photo, caption, :count], maps)


def test_steps_are_taken_for_no_more_captions_than_have_them() -> None:
    assert active_captions(FED) == [3, 3, 2, 1]
    with pytest.raises(ValueError, match="longest first"):
        active_captions(FED.flip(1))


def test_a_hard_model_tells_the_likelihood_of_what_it_drew() -> None:
    torch.manual_seed(0)
    output = teacher_force(network(HARD), cells(), FED)
    assert output.drawn is not None
    assert output.weights is not None
    chosen = output.drawn.log_probability.exp()
    nearest = (output.weights - chosen[..., None]).abs().amin(dim=-1)
    assert float(nearest[FED != PAD].max()) < 1e-6
    assert bool((output.drawn.entropy[FED != PAD] > 0).all())


def test_softened_captions_look_at_the_mean() -> None:
    hard, soft = network(HARD), network(SOFT)
    hard.load_state_dict(soft.state_dict())
    real = FED != PAD
    softened, mean = teacher_force(hard, cells(), FED, 1.0), teacher_force(soft, cells(), FED)
    torch.testing.assert_close(softened.readouts[real], mean.readouts[real])
    assert softened.drawn is not None
    assert float(softened.drawn.alone.sum()) == 0


def test_a_caption_that_looks_everywhere_alike_is_even() -> None:
    real = torch.tensor([[[True, True, False]]])
    weights = torch.tensor([[[[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]]])
    assert float(doubly_stochastic_penalty(weights, real)) == 0
    assert float(doubly_stochastic_penalty(weights.flip(-1)[:, :, [0, 2, 1]], real)) == 2


def test_one_cell_is_no_spread_and_two_alike_are_one_bit() -> None:
    real = torch.tensor([[[True, True, False]]])
    weights = torch.tensor([[[[1.0, 0.0], [0.5, 0.5], [1.0, 0.0]]]])
    assert float(attention_entropy(weights, real)) == pytest.approx(math.log(2) / 2)


def test_what_follows_counts_the_less_the_later_it_comes() -> None:
    rewards = torch.tensor([[[-1.0, -2.0, -4.0]]])
    real = torch.tensor([[[True, True, False]]])
    assert discounted_returns(rewards, real, 0.5).tolist() == [[[-2.0, -2.0, 0.0]]]


def test_surprise_is_the_cross_entropy_of_each_word() -> None:
    model = network(SOFT)
    output = teacher_force(model, cells(), FED)
    found = nll(model, output.readouts, FED)
    logs = torch.log_softmax(model.predict(output.readouts), dim=-1)
    torch.testing.assert_close(found, -logs.gather(-1, FED[..., None])[..., 0])


def test_energies_and_their_gradients_are_those_written_out() -> None:
    torch.manual_seed(4)
    query, keys, energy = torch.randn(5, 3, 4), torch.randn(5, 7, 4), torch.randn(4)
    given = [each.double().requires_grad_() for each in (query, keys, energy)]
    torch.autograd.gradcheck(energies, given)
    plain = torch.tanh(keys[:, None] + query[:, :, None]) @ energy
    torch.testing.assert_close(energies(query, keys, energy), plain)
