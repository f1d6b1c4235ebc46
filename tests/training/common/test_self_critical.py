"""What is shared by all that learn from texts of their own."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest
import torch

from heed.models.registry import build_network
from heed.models.text.tokenizer import END, PAD, START
from tests.models.tiny import NETWORK
from training.common.ngrams import ngrams, sentence_bleu
from training.common.self_critical import advantages, decoder_inputs, sample_texts, sample_tokens


def test_bleu_of_one_text() -> None:
    theirs = [ngrams(list("abcde")), ngrams(list("abx"))]
    whole = sentence_bleu(ngrams(list("abcde")), 5, theirs, [5, 3])
    assert whole == pytest.approx(1.0)
    short = sentence_bleu(ngrams(list("abcd")), 4, [theirs[0]], [5])
    assert short == pytest.approx(math.exp(1 - 5 / 4))
    assert sentence_bleu(ngrams(list("zzzz")), 4, theirs, [5, 3]) < 0.05


def test_places_are_drawn_as_often_as_they_are_likely() -> None:
    torch.manual_seed(4)
    likely = torch.tensor([0.0, 0.1, 0.0, 0.6, 0.3, 0.0])
    counted = sample_tokens(likely.log().expand(20_000, -1)).bincount(minlength=6) / 20_000
    torch.testing.assert_close(counted, likely, rtol=0, atol=0.02)
    assert not counted[[0, 2, 5]].any()


class StepOutput(NamedTuple):
    readout: torch.Tensor


class Counting:
    """A network whose row n writes n words and its end mark; it knows no more than its state."""

    output = torch.nn.Linear(1, 1)

    def advance(self, token: torch.Tensor, state: Rows) -> tuple[StepOutput, Rows]:
        assert len(token) == len(state.left)
        readout = torch.zeros(len(token), 9)
        readout[torch.arange(len(token)), torch.where(state.left > 0, 5, END)] = 50.0
        return StepOutput(readout), Rows(state.left - 1)

    def predict(self, readout: torch.Tensor) -> torch.Tensor:
        return readout


class Rows(NamedTuple):
    left: torch.Tensor

    def select(self, rows: torch.Tensor) -> Rows:
        return Rows(self.left[rows])


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
def test_rows_that_are_over_are_let_go_and_the_others_stay_in_their_place(
    temperature: float,
) -> None:
    lengths = [3, 1, 7, 2, 1, 9]
    texts = sample_texts(Counting(), Rows(torch.tensor(lengths)), 6, 8, temperature)  # type: ignore[arg-type]
    for length, ids in zip(lengths, texts.tolist(), strict=True):
        assert ids == ([5] * length + [END] + [PAD] * 8)[:8]


def test_texts_are_drawn_to_their_end_mark() -> None:
    torch.manual_seed(3)
    network = build_network(NETWORK).eval()
    source, lengths = torch.randint(3, 20, (2, 5)), torch.tensor([5, 4])
    state = network.start(network.encode(source, lengths)).select(torch.tensor([0, 0, 1, 1]))
    for ids in sample_texts(network, state, 4, 6, 1.0).tolist():
        written = [id for id in ids if id != PAD]
        assert written[0] != END
        assert START not in ids
        assert END not in written[:-1]
        assert ids == written + [PAD] * (len(ids) - len(written))
    greedy = [sample_texts(network, state, 4, 6) for _ in range(2)]
    assert torch.equal(*greedy)
    assert torch.equal(greedy[0][0], greedy[0][1])


def test_a_text_is_held_against_the_others_of_its_source() -> None:
    gained = advantages(torch.tensor([[1.0, 0.0, 0.5], [0.2, 0.2, 0.2]]))
    assert gained[0].argsort().tolist() == [1, 2, 0]
    assert gained[1].tolist() == pytest.approx([0, 0, 0], abs=1e-6)
    assert float(gained.sum()) == pytest.approx(0, abs=1e-6)


def test_what_is_fed_is_one_behind() -> None:
    assert decoder_inputs(torch.tensor([[5, 6, END, PAD]])).tolist() == [[START, 5, 6, PAD]]
