from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from heed.models.checkpoint import (
    load_image_encoder,
    load_picture_network,
    save_checkpoint,
    save_image_encoder,
)
from heed.models.config import RecurrentCaptionerConfig, TransformerCaptionerConfig
from heed.models.networks.captioners import RecurrentCaptioner, TransformerCaptioner
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.networks.mobilenet import CELLS
from heed.models.registry import CaptionNetwork, build_network
from heed.models.text.tokenizer import BytePieces
from tests.models.tiny import HEADS, SOFT

HARD = replace(SOFT, mechanism="hard")
EVERY = pytest.mark.parametrize("config", [SOFT, HARD, HEADS], ids=lambda each: each.mechanism)


def network(config: RecurrentCaptionerConfig | TransformerCaptionerConfig) -> CaptionNetwork:
    torch.manual_seed(3)
    return build_network(config).eval().requires_grad_(requires_grad=False)


def cells(rows: int = 2) -> torch.Tensor:
    return torch.randn(rows, CELLS, 10, generator=torch.Generator().manual_seed(1))


@EVERY
def test_each_step_attends_to_every_cell(config: RecurrentCaptionerConfig) -> None:
    model = network(config)
    state = model.start(model.encode(cells()))
    for token in (1, 7, 9):
        advanced, state = model.advance(torch.tensor([token, token]), state)  # type: ignore[arg-type]
    cross = advanced.attended[0]
    assert cross.weights.shape[-1] == CELLS
    torch.testing.assert_close(cross.weights.sum(dim=-1), torch.ones_like(cross.weights[..., 0]))
    assert model.predict(advanced.readout).shape == (2, 259)


@EVERY
def test_a_caption_does_not_depend_on_the_batch(config: RecurrentCaptionerConfig) -> None:
    model = network(config)

    def drawn(pictures: torch.Tensor, seeds: list[int]) -> torch.Tensor:
        state = model.start(model.encode(pictures), torch.tensor(seeds))
        for token in (1, 5):
            fed = torch.full((len(pictures),), token)
            advanced, state = model.advance(fed, state)  # type: ignore[arg-type]
        return model.predict(advanced.readout)

    both = cells()
    torch.testing.assert_close(drawn(both, [4, 9])[1:], drawn(both[1:], [9]), atol=1e-6, rtol=1e-5)


def test_soft_attention_takes_the_weighted_mean_of_the_cells() -> None:
    model = network(SOFT)
    seen = cells(1)
    advanced, _ = model.advance(torch.tensor([1]), model.start(model.encode(seen)))  # type: ignore[arg-type]
    weights = advanced.attended[0].weights[:, 0]
    torch.testing.assert_close(advanced.context, torch.einsum("bk,bkd->bd", weights, seen))
    assert advanced.gate is not None
    assert 0 < float(advanced.gate) < 1


def test_hard_attention_takes_one_cell() -> None:
    model = network(HARD)
    seen = cells(1)
    advanced, _ = model.advance(torch.tensor([1]), model.start(model.encode(seen)))  # type: ignore[arg-type]
    assert advanced.drawn is not None
    torch.testing.assert_close(advanced.context, seen[:, int(advanced.drawn)])


def test_the_cells_drawn_follow_the_weights_and_the_seed() -> None:
    model = network(HARD)
    assert isinstance(model, RecurrentCaptioner)
    with torch.no_grad():
        model.attention.energy.weight.mul_(30)  # far from all alike
    seeds = torch.arange(4000)
    state = model.start(model.encode(cells(1).expand(4000, -1, -1)), seeds)
    advanced, _ = model.advance(torch.ones(4000, dtype=torch.long), state)
    assert advanced.drawn is not None
    shares = torch.bincount(advanced.drawn, minlength=CELLS) / 4000
    assert float((shares - advanced.attended[0].weights[0, 0]).abs().max()) < 0.03
    again, _ = model.advance(torch.ones(4000, dtype=torch.long), state)
    assert again.drawn is not None
    assert torch.equal(advanced.drawn, again.drawn)


def test_a_hard_model_draws_another_cell_at_the_next_step() -> None:
    model = network(HARD)
    assert isinstance(model, RecurrentCaptioner)
    state = model.start(model.encode(cells(1)), torch.tensor([7]))
    drawn = []
    for _ in range(6):
        advanced, state = model.advance(torch.tensor([5]), state)
        assert advanced.drawn is not None
        drawn.append(int(advanced.drawn))
    assert len(set(drawn)) > 3


def test_a_row_may_be_continued_twice() -> None:
    model = network(HARD)
    assert isinstance(model, RecurrentCaptioner)
    state = model.start(model.encode(cells()), torch.tensor([1, 2]))
    state = state.select(torch.tensor([1, 1, 0]))
    advanced, _ = model.advance(torch.tensor([5, 5, 5]), state)
    assert advanced.drawn is not None
    assert int(advanced.drawn[0]) == int(advanced.drawn[1])


def test_every_head_of_every_layer_attends_to_the_cells() -> None:
    model = network(HEADS)
    assert isinstance(model, TransformerCaptioner)
    kinds = [(group.kind, group.layer, group.heads) for group in model.step_groups]
    assert kinds == [
        ("cross", 0, 2),
        ("cross", 1, 2),
        ("decoder-self", 0, 2),
        ("decoder-self", 1, 2),
    ]


@EVERY
def test_a_checkpoint_contains_no_image_encoder(
    config: RecurrentCaptionerConfig, tmp_path: Path
) -> None:
    model = network(config)
    tokenizer = BytePieces.characters(lowercase=True)
    weights = dict(model.named_parameters())
    save_checkpoint(tmp_path / "it", {"id": "it"}, config, weights, tokenizer)
    loaded = load_picture_network(tmp_path / "it")
    for name, value in loaded.named_parameters():
        torch.testing.assert_close(value, weights[name].half().float())


def test_a_saved_image_encoder_gives_the_same_cells(tmp_path: Path) -> None:
    torch.manual_seed(2)
    eyes = ImageEncoder(10)
    with torch.no_grad():
        for value in eyes.parameters():
            value.copy_(value.half().float())
    save_image_encoder(tmp_path, eyes)
    pictures = torch.randint(0, 256, (1, 224, 224, 3), dtype=torch.uint8)
    with torch.inference_mode():
        cells = load_image_encoder(tmp_path)(pictures)
        assert cells.shape == (1, CELLS, 10)
        torch.testing.assert_close(cells, eyes(pictures), atol=1e-4, rtol=1e-4)
