"""What a model learns from its siblings: the words they would write, and where they look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from models.checkpoint import load_text_network
from models.networks import build_network
from models.transformer import Transformer
from models.zoo import Language
from tests.training.test_train import own_sentences, translator  # noqa: F401 - a fixture
from training.batches import collate
from training.guide import Guide, Lesson, astray, lesson
from training.material import material
from training.recipe import Recipe, RecipeError
from training.train import Run, batches, guides, learn, taught_loss, train

CPU = torch.device("cpu")
BATCH = collate([([5, 6, 7, 2], [8, 9, 2]), ([5, 2], [8, 2])])


@pytest.mark.parametrize("network", ["additive", "transformer"])
def test_a_sibling_tells_what_it_would_write_and_where_it_looks(network: str) -> None:
    torch.manual_seed(1)
    sibling = build_network(replace(translator(network).network, vocabulary=40)).eval()
    told = lesson(sibling, BATCH)
    scores = sibling(BATCH.source, BATCH.lengths, BATCH.fed)
    torch.testing.assert_close(told.output(told.readouts), scores)
    if network == "transformer":
        assert told.weights is None, "it has several heads"
    else:
        assert told.weights is not None
        torch.testing.assert_close(told.weights.sum(dim=-1), torch.ones(2, 3))
        assert not told.weights[1, :, 2:].any(), "padding"


def test_a_head_goes_astray_by_what_siblings_would_have_looked_at() -> None:
    wanted = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    lessons = [Lesson(torch.zeros(1, 2, 3), torch.nn.Linear(3, 4), maps) for maps in (wanted, None)]
    real = torch.tensor([[True, True]])
    right = astray(wanted, lessons, real)
    assert float(right) == pytest.approx(0.5 * float(torch.tensor(2.0).log()), abs=1e-4)
    assert float(astray(wanted.flip(-1), lessons, real)) > 3
    assert float(astray(wanted, lessons, torch.tensor([[True, False]]))) == pytest.approx(0)


def guided(runs: Path, data: Path, guide: Guide, network: str) -> Run:
    train(replace(translator(), id="elder"), runs, data)
    recipe = replace(translator(network), guide=guide)
    recipe = replace(recipe, schedule=replace(recipe.schedule, learning_rate=2e-2, updates=200))
    run = Run.begin(recipe, material(recipe, data, runs), CPU)
    run.siblings = guides(run, runs)
    return run


@pytest.mark.parametrize("network", ["additive", "transformer"])
def test_words_come_near_to_those_of_a_sibling(own_sentences: Path, network: str) -> None:  # noqa: F811
    run = guided(own_sentences / "runs", own_sentences, Guide(("elder",), words=1.0), network)
    elder = load_text_network(own_sentences / "runs/elder/checkpoint")
    batch = next(batches(run))
    scores = elder(batch.source, batch.lengths, batch.fed).log_softmax(dim=-1)

    def apart() -> float:
        run.model.eval()
        mine = run.model(batch.source, batch.lengths, batch.fed).log_softmax(dim=-1)
        return float(
            (scores.exp() * (scores - mine)).sum(dim=-1)[batch.target != 0].mean().detach()
        )

    before = apart()
    for _ in range(20):
        learn(run, batch)
    assert apart() < 0.5 * before


def test_a_head_comes_to_look_where_a_sibling_looks(own_sentences: Path) -> None:  # noqa: F811
    guide = Guide(("elder",), maps=5.0, layer=0, head=1)
    run = guided(own_sentences / "runs", own_sentences, guide, "transformer")
    assert isinstance(run.model, Transformer)
    batch = next(batches(run))
    lost = []
    for _ in range(30):
        words, total = taught_loss(run, batch)
        lost.append(float((total - words).detach()))
        learn(run, batch)
    assert lost[-1] < lost[0]
    assert float(words.detach()) > 0


def test_only_a_transformer_has_a_head_to_be_told(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="guide"):
        Recipe.read(_recipe(tmp_path, 'by = ["en-fr-dot"]\nmaps = 0.1'))
    with pytest.raises(RecipeError, match="guide"):
        Recipe.read(_recipe(tmp_path, 'by = ["en-fr-dot"]\nfame = 0.1'))
    read = Recipe.read(_recipe(tmp_path, 'by = ["en-fr-dot"]\nwords = 0.5'))
    assert read.guide == Guide(("en-fr-dot",), words=0.5)


def test_siblings_of_other_pieces_are_refused(own_sentences: Path) -> None:  # noqa: F811
    runs = own_sentences / "runs"
    train(replace(translator(), id="elder"), runs, own_sentences)
    (own_sentences / "own.tsv").write_text("a cat b\tein Hund\nthe tree\tder Baum\n" * 10)
    recipe = replace(translator(), guide=Guide(("elder",), words=0.5))
    recipe = replace(recipe, target=Language("de", "German"))
    with pytest.raises(RecipeError, match="elder, to be asked, has other pieces"):
        train(recipe, runs, own_sentences)


def _recipe(folder: Path, guide: str) -> Path:
    text = (Path("training/recipes") / "dates-additive.toml").read_text()
    path = folder / "recipe.toml"
    path.write_text(f"{text}\n[guide]\n{guide}\n")
    return path
