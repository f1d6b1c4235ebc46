"""The question answerer attends to cells and words, and multiplies the two contexts."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from heed.models.checkpoint import load_picture_network, load_text_network, save_checkpoint
from heed.models.config import read_step_network
from heed.models.errors import CheckpointError
from heed.models.networks.mobilenet import CELLS
from heed.models.networks.vqa import VQANetwork
from heed.models.registry import build_network
from heed.models.text.tokenizer import BytePieces
from tests.models.tiny import ASKER

QUESTIONS = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])
LENGTHS = torch.tensor([4, 2])


@pytest.fixture
def model() -> VQANetwork:
    torch.manual_seed(3)
    return build_network(ASKER).eval().requires_grad_(requires_grad=False)


def cells(pictures: int = 2) -> torch.Tensor:
    return torch.randn(pictures, CELLS, 10, generator=torch.Generator().manual_seed(1))


def answered(
    model: VQANetwork, seen: torch.Tensor, asked: torch.Tensor, lengths: torch.Tensor
) -> list[float]:
    """Scores after two steps, of all rows, one behind the other."""
    state = model.start(model.encode(seen, asked, lengths))
    for token in (1, 5):
        advanced, state = model.advance(torch.full((len(asked),), token), state)
    return model.predict(advanced.readout).flatten().tolist()


def test_each_step_attends_to_every_cell_and_every_word(model: VQANetwork) -> None:
    state = model.start(model.encode(cells(), QUESTIONS, LENGTHS))
    for token in (1, 7, 9):
        advanced, state = model.advance(torch.tensor([token, token]), state)
    assert [group.key for group in model.step_groups] == ["source", "question"]
    at_cells, at_words = advanced.attended
    assert at_cells.weights.shape == (2, 1, CELLS)
    assert at_words.weights.shape == (2, 1, 4)
    for attended in (at_cells, at_words):
        torch.testing.assert_close(attended.weights.sum(dim=-1), torch.ones(2, 1))
    assert model.predict(advanced.readout).shape == (2, 259)
    assert model.projected(state) == (None, None)


def test_padding_of_a_question_gets_no_attention(model: VQANetwork) -> None:
    state = model.start(model.encode(cells(), QUESTIONS, LENGTHS))
    advanced, _ = model.advance(torch.tensor([1, 1]), state)
    assert advanced.attended[1].weights[1, 0, 2:].tolist() == [0, 0]


def test_a_question_is_answered_the_same_alone_and_in_company(model: VQANetwork) -> None:
    both = answered(model, cells(), QUESTIONS, LENGTHS)
    alone = answered(model, cells()[1:], QUESTIONS[1:, :2], LENGTHS[1:])
    assert both[259:] == pytest.approx(alone, abs=1e-5)


def test_the_context_is_the_weighted_mean_of_the_cells(model: VQANetwork) -> None:
    state = model.start(model.encode(cells(), QUESTIONS, LENGTHS))
    advanced, _ = model.advance(torch.tensor([1, 1]), state)
    weights = advanced.attended[0].weights[:, 0]
    torch.testing.assert_close(advanced.context, torch.einsum("bk,bkd->bd", weights, cells()))


def test_several_questions_may_be_about_one_picture(model: VQANetwork) -> None:
    one = model.encode(cells(1), QUESTIONS, LENGTHS, torch.tensor([0, 0]))
    twice = model.encode(cells(1).expand(2, -1, -1), QUESTIONS, LENGTHS)
    got, wanted = (
        model.advance(torch.tensor([1, 1]), model.start(memory))[0].readout
        for memory in (one, twice)
    )
    torch.testing.assert_close(got, wanted)


def test_the_answer_depends_on_the_picture_and_on_the_question(model: VQANetwork) -> None:
    first = answered(model, cells()[:1], QUESTIONS[:1], LENGTHS[:1])
    assert first != answered(model, cells()[1:], QUESTIONS[:1], LENGTHS[:1])
    assert first != answered(model, cells()[:1], QUESTIONS[1:, :2], LENGTHS[1:])


def test_a_row_may_be_continued_twice(model: VQANetwork) -> None:
    state = model.start(model.encode(cells(), QUESTIONS, LENGTHS)).select(torch.tensor([1, 1, 0]))
    advanced, _ = model.advance(torch.tensor([5, 5, 5]), state)
    torch.testing.assert_close(advanced.readout[0], advanced.readout[1])
    assert not torch.equal(advanced.readout[0], advanced.readout[2])


def test_a_checkpoint_holds_it_and_it_reads_no_text(model: VQANetwork, tmp_path: Path) -> None:
    weights = dict(model.named_parameters())
    tokenizer = BytePieces.characters(lowercase=True)
    save_checkpoint(tmp_path / "it", {"id": "it"}, ASKER, weights, tokenizer)
    loaded = load_picture_network(tmp_path / "it")
    assert isinstance(loaded, VQANetwork)
    for name, value in loaded.named_parameters():
        torch.testing.assert_close(value, weights[name].half().float())
    with pytest.raises(CheckpointError, match="reads pictures"):
        load_text_network(tmp_path / "it")


def test_its_family_is_known_by_name() -> None:
    assert read_step_network(ASKER.to_dict()) == ASKER
    assert ASKER.heads_and_layers == (1, 1)
