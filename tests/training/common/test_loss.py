"""The loss that never holds all scores is PyTorch's own."""

import pytest
import torch
from torch.nn import functional as F

from training.common.loss import (
    CHUNK_ROWS,
    TeacherLogits,
    distilled_cross_entropy,
    projected_cross_entropy,
)


def tensors(rows: int, kind: torch.dtype) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(4)
    made = [torch.randn(shape, generator=generator, dtype=kind) for shape in ((rows, 10), (50, 10))]
    bias = torch.randn(50, generator=generator, dtype=kind)
    return (*(each.requires_grad_() for each in (*made, bias)),)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("rows", [1, CHUNK_ROWS, 2 * CHUNK_ROWS + 7])
def test_loss_and_gradients_are_those_of_cross_entropy(rows: int, smoothing: float) -> None:
    readouts, weight, bias = tensors(rows, torch.float64)
    target = torch.arange(rows) % 50
    plain = F.cross_entropy(readouts @ weight.T + bias, target, label_smoothing=smoothing)
    wanted = torch.autograd.grad(3 * plain, (readouts, weight, bias))
    made = projected_cross_entropy(readouts, weight, bias, target, smoothing)
    gradients = torch.autograd.grad(3 * made, (readouts, weight, bias))
    torch.testing.assert_close(made, plain, rtol=0, atol=1e-12)
    torch.testing.assert_close(gradients, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_rows_may_count_for_more_or_less(smoothing: float) -> None:
    readouts, weight, bias = tensors(600, torch.float64)
    target = torch.arange(600) % 50
    shares = torch.linspace(-2, 3, 600, dtype=torch.float64)
    scores = readouts @ weight.T + bias
    each = F.cross_entropy(scores, target, label_smoothing=smoothing, reduction="none")
    plain = (shares * each).mean()
    wanted = torch.autograd.grad(plain, (readouts, weight, bias))
    made = projected_cross_entropy(readouts, weight, bias, target, smoothing, shares)
    gradients = torch.autograd.grad(made, (readouts, weight, bias))
    torch.testing.assert_close(made, plain, rtol=0, atol=1e-12)
    torch.testing.assert_close(gradients, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_share_of_the_truth_is_what_teachers_hold_likely(share: float) -> None:
    readouts, weight, bias = tensors(600, torch.float64)
    target = torch.arange(600) % 50
    teachers = [
        TeacherLogits(*(part.detach() * n for part in tensors(600, torch.float64))) for n in (2, 3)
    ]
    likely = [(each.readouts @ each.weight.T + each.bias).softmax(dim=1) for each in teachers]
    wanted_words = (1 - share) * F.one_hot(target, 50).double() + share * torch.stack(likely).mean(
        dim=0
    )
    plain = F.cross_entropy(readouts @ weight.T + bias, wanted_words)
    wanted = torch.autograd.grad(3 * plain, (readouts, weight, bias))
    made = distilled_cross_entropy(readouts, weight, bias, target, teachers, share)
    gradients = torch.autograd.grad(3 * made, (readouts, weight, bias))
    torch.testing.assert_close(made, plain, rtol=0, atol=1e-12)
    torch.testing.assert_close(gradients, wanted, rtol=0, atol=1e-12)


def test_half_precision_is_near() -> None:
    readouts, weight, bias = tensors(600, torch.float32)
    target = torch.arange(600) % 50
    plain = F.cross_entropy(readouts @ weight.T + bias, target, label_smoothing=0.1)
    made = projected_cross_entropy(readouts.bfloat16(), weight, bias, target, 0.1)
    assert made.dtype == torch.float32
    assert float(made.detach()) == pytest.approx(float(plain.detach()), rel=0.01)


def test_a_truth_held_for_impossible_costs_much_but_not_everything() -> None:
    weight = torch.tensor([[300.0], [-300.0]], requires_grad=True)
    loss = projected_cross_entropy(torch.ones(1, 1), weight, torch.zeros(2), torch.tensor([1]), 0.0)
    assert torch.isfinite(loss)
    assert torch.isfinite(torch.autograd.grad(loss, weight)[0]).all()
