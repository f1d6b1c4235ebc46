"""The LSTMN follows the paper's equations, and sees no word before its time."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from heed.models.families.lstmn import network as lstmn
from tests.models.tiny import LSTMN

Network = lstmn.LSTMN

WORDS = torch.tensor([[2, 5, 6, 8, 5, 9], [2, 5, 7, 11, 16, 4]])


@pytest.fixture
def network() -> Network:
    torch.manual_seed(3)
    made = Network(LSTMN).eval()
    with torch.no_grad():
        for value in made.parameters():
            value.mul_(3)
    return made


def by_hand(network: Network, words: list[int]) -> tuple[list[Tensor], list[Tensor]]:
    """Return the weights and the logits after each word, in the formulas of the module."""
    hidden: list[Tensor] = []
    cells: list[Tensor] = []
    weights, logits = [], []
    summary = cell_summary = torch.zeros(LSTMN.width)
    for word in words:
        x = network.embedding.weight[word]
        gates = network.word_gates(x) + network.state_gates.weight @ summary
        i, f, o, proposal = gates.chunk(4)
        cells.append(f.sigmoid() * cell_summary + i.sigmoid() * proposal.tanh())
        hidden.append(o.sigmoid() * cells[-1].tanh())
        query = network.word_query(x) + network.state_query.weight @ summary
        scores = [
            network.energy.weight[0] @ torch.tanh(network.key.weight @ h + query) for h in hidden
        ]
        weights.append(torch.stack(scores).softmax(dim=0))
        summary = sum(a * h for a, h in zip(weights[-1], hidden, strict=True))  # type: ignore[assignment]
        cell_summary = sum(a * c for a, c in zip(weights[-1], cells, strict=True))  # type: ignore[assignment]
        read = torch.tanh(network.readout(torch.cat([hidden[-1], summary])))
        logits.append(network.embedding.weight @ read + network.output_bias)
    return weights, logits


@torch.no_grad()
def test_every_step_is_that_of_the_formulas(network: Network) -> None:
    read = network(WORDS)
    for row, words in enumerate(WORDS.tolist()):
        weights, logits = by_hand(network, words)
        for place, (weight, logit) in enumerate(zip(weights, logits, strict=True)):
            assert torch.allclose(read.weights[row, place, : place + 1], weight, atol=1e-6)
            found = network.logits(read.readouts[row, place])
            assert torch.allclose(found, logit, atol=1e-5)


@torch.no_grad()
def test_a_row_sums_to_one_over_the_words_so_far(network: Network) -> None:
    weights = network(WORDS).weights
    assert torch.allclose(weights.sum(dim=-1), torch.ones(2, 6))
    assert (weights.triu(1) == 0).all()


@torch.no_grad()
def test_a_later_word_changes_nothing_before_it(network: Network) -> None:
    other = WORDS.clone()
    other[:, 4] = 12
    for one, changed in zip(network(WORDS), network(other), strict=True):
        assert torch.equal(one[:, :4], changed[:, :4])


@torch.no_grad()
def test_with_all_weight_on_the_last_word_it_is_an_lstm(network: Network) -> None:
    lstm = torch.nn.LSTM(LSTMN.embedding, LSTMN.width, batch_first=True)
    order = [0, 1, 3, 2]  # PyTorch has the proposal before the output gate

    def sorted_rows(rows: Tensor) -> Tensor:
        return torch.cat([rows.chunk(4)[place] for place in order])

    lstm.weight_ih_l0.copy_(sorted_rows(network.word_gates.weight))
    lstm.weight_hh_l0.copy_(sorted_rows(network.state_gates.weight))
    lstm.bias_ih_l0.copy_(sorted_rows(network.word_gates.bias))
    lstm.bias_hh_l0.zero_()
    states, _ = lstm(network.embedding(WORDS[:1, :1]))
    assert torch.allclose(network(WORDS[:1]).hidden[:, :1], states, atol=1e-6)
