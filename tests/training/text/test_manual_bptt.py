"""The gradient written out by hand is the one autograd finds."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from heed.models.config import NetworkConfig, TransformerConfig
from heed.models.registry import StepNetwork, build_network
from tests.models.tiny import NETWORK
from training.text.manual_bptt import readouts, readouts_and_weights

PLAIN = replace(NETWORK, vocabulary=40, tied=True)
AFTER = replace(PLAIN, order="after")
CASES: dict[str, NetworkConfig] = {
    "additive, before": PLAIN,
    "query feeding": replace(PLAIN, query_feeding=True),
    "end hidden": replace(PLAIN, end_hidden=True),
    "none": replace(PLAIN, mechanism="none", order="fixed"),
    "additive, after": AFTER,
    "concat": replace(AFTER, mechanism="concat"),
    "dot": replace(AFTER, mechanism="dot"),
    "general": replace(AFTER, mechanism="general"),
    "scaled": replace(AFTER, mechanism="scaled"),
    "multihead": replace(AFTER, mechanism="multihead", heads=2),
    # These go the ordinary way.
    "general, before": replace(PLAIN, mechanism="general"),
    "input feeding": replace(AFTER, mechanism="dot", input_feeding=True),
    "lstm": replace(PLAIN, cell="lstm"),
    "two layers": replace(PLAIN, decoder_layers=2),
    "transformer": TransformerConfig(
        vocabulary=40, width=8, heads=2, feedforward=8, encoder_layers=1, decoder_layers=1
    ),
}
SOURCE = torch.randint(4, 40, (5, 9), generator=torch.Generator().manual_seed(1))
LENGTHS = torch.tensor([9, 3, 5, 1, 7])
FED = torch.randint(4, 40, (5, 6), generator=torch.Generator().manual_seed(2))


def gradients_of(loss: torch.Tensor, network: StepNetwork) -> dict[str, torch.Tensor]:
    network.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    return {
        name: value.grad.clone()
        for name, value in network.named_parameters()
        if value.grad is not None
    }


def outcome(network: StepNetwork, *, by_hand: bool) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    forward = readouts if by_hand else type(network).readouts
    made = forward(network, SOURCE, LENGTHS, FED)
    return made.detach(), gradients_of(made.square().sum(), network)


def told_where(
    network: StepNetwork, *, by_hand: bool
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    if by_hand:
        made, (weights,) = readouts_and_weights(network, SOURCE, LENGTHS, FED)
    else:
        state, steps, rows = network.start(network.encode(SOURCE, LENGTHS)), [], []
        for token in FED.unbind(1):
            advanced, state = network.advance(token, state)
            steps.append(advanced.readout)
            rows.append(advanced.attended[0].weights)
        made, weights = torch.stack(steps, dim=1), torch.stack(rows, dim=2)
    wanted = torch.rand(weights.shape, generator=torch.Generator().manual_seed(4)).double()
    astray = -(wanted * weights.clamp_min(1e-6).log()).sum()
    return weights.detach(), gradients_of(made.square().sum() + astray, network)


WITH_WEIGHTS = ("additive, before", "query feeding", "end hidden", "dot", "concat", "multihead")


@pytest.mark.parametrize(
    ("compute", "case", "close"),
    [
        *((outcome, case, 1e-12) for case in CASES),
        *((told_where, case, 1e-11) for case in WITH_WEIGHTS),
    ],
)
def test_outputs_weights_and_gradients_are_those_of_autograd(
    compute: Callable[..., Any], case: str, close: float
) -> None:
    torch.manual_seed(3)
    network = build_network(CASES[case]).double()
    plain, wanted = compute(network, by_hand=False)
    made, gradients = compute(network, by_hand=True)
    torch.testing.assert_close(made, plain, rtol=0, atol=1e-12)
    assert set(gradients) == set(wanted)
    for name in wanted:
        torch.testing.assert_close(gradients[name], wanted[name], rtol=0, atol=close, msg=name)


def test_heads_are_told_of_each_layer_or_not_at_all() -> None:
    for case, count in (("transformer", 1), ("none", 0), ("lstm", 0)):
        network = build_network(CASES[case])
        assert len(readouts_and_weights(network, SOURCE, LENGTHS, FED)[1]) == count


@pytest.mark.parametrize("case", ["additive, before", "query feeding", "none", "dot", "concat"])
def test_half_precision_is_near(case: str) -> None:
    torch.manual_seed(3)
    network = build_network(CASES[case])
    plain, wanted = outcome(network, by_hand=False)
    with torch.autocast("cpu", torch.bfloat16):
        made, gradients = outcome(network, by_hand=True)
    torch.testing.assert_close(made.float(), plain, rtol=0.1, atol=0.03)
    for name, gradient in gradients.items():
        assert gradient.dtype == torch.float32
        near = torch.cosine_similarity(gradient.flatten(), wanted[name].flatten(), dim=0)
        assert near > 0.98, name


@pytest.mark.parametrize("case", ["additive, before", "dot", "lstm", "transformer"])
def test_several_translations_of_a_source_are_told_side_by_side(case: str) -> None:
    torch.manual_seed(3)
    network = build_network(CASES[case]).double()
    sources, lengths = SOURCE[:2], LENGTHS[:2]
    both = readouts(network, sources, lengths, FED[:4], repeats=2)
    for place in range(4):
        which = slice(place // 2, place // 2 + 1)
        alone = readouts(network, sources[which], lengths[which], FED[place : place + 1])
        torch.testing.assert_close(both[place], alone[0], rtol=0, atol=1e-12)
