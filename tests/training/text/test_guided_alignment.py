"""Guided alignment: predictions and attention of teachers, and word alignments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from heed.models.card import Language
from heed.models.checkpoint import load_text_network
from heed.models.config import RecurrentConfig
from heed.models.networks.transformer import Transformer
from heed.models.registry import build_network
from tests.training.text.test_task import own_sentences, translator  # noqa: F401 - a fixture
from training.common.batches import collate
from training.common.errors import RecipeError
from training.common.trainer import Trainer, train
from training.text.datasets import build_dataset
from training.text.guided_alignment import (
    GuidedAlignment,
    PieceAligner,
    TeacherOutput,
    alignment_loss,
    describe_guidance,
    teacher_alignment_loss,
    teacher_output,
)
from training.text.recipe import TextRecipe
from training.text.task import TextTask

CPU = torch.device("cpu")
BATCH = collate([([5, 6, 7, 2], [8, 9, 2]), ([5, 2], [8, 2])])


@pytest.mark.parametrize(
    ("network", "change"),
    [("additive", {}), ("additive", {"cell": "lstm"}), ("transformer", {})],
)
def test_a_sibling_tells_what_it_would_write_and_where_it_looks(
    network: str, change: dict[str, str]
) -> None:
    torch.manual_seed(1)
    config = replace(translator(network).network, vocabulary=40, **change)
    teacher = build_network(config).eval()
    output = teacher_output(teacher, BATCH)
    scores = teacher(BATCH.source, BATCH.lengths, BATCH.fed)
    torch.testing.assert_close(output.output(output.readouts), scores)
    if network == "transformer":
        assert output.weights is None, "it has several heads"
    else:
        assert output.weights is not None
        torch.testing.assert_close(output.weights.sum(dim=-1), torch.ones(2, 3))
        assert not output.weights[1, :, 2:].any(), "padding"


def test_a_head_goes_astray_by_what_siblings_would_have_looked_at() -> None:
    wanted = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    teacher_outputs = [
        TeacherOutput(torch.zeros(1, 2, 3), torch.nn.Linear(3, 4), maps) for maps in (wanted, None)
    ]
    real = torch.tensor([[True, True]])
    right = teacher_alignment_loss(wanted, teacher_outputs, real)
    assert float(right) == pytest.approx(0.5 * float(torch.tensor(2.0).log()), abs=1e-4)
    assert float(teacher_alignment_loss(wanted.flip(-1), teacher_outputs, real)) > 3
    assert float(
        teacher_alignment_loss(wanted, teacher_outputs, torch.tensor([[True, False]]))
    ) == pytest.approx(0)


def guided(runs: Path, data: Path, guide: GuidedAlignment, network: str) -> TextTask:
    train(TextTask, replace(translator(), id="elder"), runs, data)
    recipe = replace(translator(network), guided_alignment=guide)
    recipe = replace(recipe, schedule=replace(recipe.schedule, learning_rate=2e-2, updates=200))
    return TextTask(recipe, data, runs)


@pytest.mark.parametrize("network", ["additive", "transformer"])
def test_words_come_near_to_those_of_a_sibling(own_sentences: Path, network: str) -> None:  # noqa: F811
    task = guided(
        own_sentences / "runs", own_sentences, GuidedAlignment(("elder",), words=1.0), network
    )
    elder = load_text_network(own_sentences / "runs/elder/checkpoint")
    batch = next(task.epoch(0))
    trainer = Trainer(task, task.runs)
    scores = elder(batch.source, batch.lengths, batch.fed).log_softmax(dim=-1)

    def apart() -> float:
        task.model.eval()
        mine = task.model(batch.source, batch.lengths, batch.fed).log_softmax(dim=-1)
        return float(
            (scores.exp() * (scores - mine)).sum(dim=-1)[batch.target != 0].mean().detach()
        )

    before = apart()
    for _ in range(20):
        trainer.update(batch)
    assert apart() < 0.5 * before


def told_often(task: TextTask) -> tuple[list[float], float]:
    """What the guide adds to the loss, update by update, and the last loss of the words."""
    batch = next(task.epoch(0))
    trainer = Trainer(task, task.runs)
    lost = []
    for _ in range(30):
        total, words, _ = task.supervised(batch)
        lost.append(float((total - words).detach()))
        trainer.update(batch)
    return lost, float(words.detach())


def test_a_head_comes_to_look_where_a_sibling_looks(own_sentences: Path) -> None:  # noqa: F811
    guide = GuidedAlignment(("elder",), maps=5.0, layer=0, head=1)
    task = guided(own_sentences / "runs", own_sentences, guide, "transformer")
    assert isinstance(task.model, Transformer)
    lost, words = told_often(task)
    assert lost[-1] < lost[0]
    assert words > 0


def test_only_a_transformer_has_a_head_to_be_told(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="guided_alignment"):
        TextRecipe.read(_recipe(tmp_path, 'teachers = ["en-fr-dot"]\nmaps = 0.1'))
    with pytest.raises(RecipeError, match="guided_alignment"):
        TextRecipe.read(_recipe(tmp_path, 'teachers = ["en-fr-dot"]\nfame = 0.1'))
    read = TextRecipe.read(_recipe(tmp_path, 'teachers = ["en-fr-dot"]\nwords = 0.5'))
    assert read.guided_alignment == GuidedAlignment(("en-fr-dot",), words=0.5)


def test_what_was_not_linked_is_free() -> None:
    weights = torch.tensor([[[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]])
    wanted = torch.tensor([[[0.8, 0.0], [0.0, 0.4], [0.0, 0.0]]])
    half = float(torch.tensor(2.0).log())
    assert float(alignment_loss(weights, wanted)) == pytest.approx(0.4 * half / 1.2, abs=1e-4)
    assert float(alignment_loss(weights, torch.zeros_like(wanted))) == 0


def test_pieces_are_linked_as_their_words_are(own_sentences: Path) -> None:  # noqa: F811
    made = build_dataset(translator(), own_sentences, own_sentences / "runs")
    aligner = PieceAligner(made.tokenizer, made.clean())
    source, target = made.tokenizer.ids("A TREE b"), made.tokenizer.ids("un arbre b")
    links = aligner.links(source, target)
    axes = made.tokenizer.written(source), made.tokenizer.written(target)
    assert len(axes[0]) > len(axes[0].words), "a word in pieces"
    for row, token in zip(links, axes[1].tokens, strict=True):
        theirs = row[[token.word == each.word for each in axes[0].tokens]]
        assert row.sum() <= 1
        if token.special:
            assert not row.any()
        else:
            assert theirs.sum() > 0.5 * row.sum() > 0, token.text
            assert theirs.min() == pytest.approx(theirs.max())
    batch = collate([(source, target), (source[:1], target[:1])])
    wanted = aligner.targets(batch)
    assert wanted[0].numpy() == pytest.approx(links)
    assert not wanted[1, 1:].any(), "padding"
    assert not wanted[1, :, 1:].any(), "padding"


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Xiomara runs a", "un Xiomara"),
        ("a Xiomara's tree", "un arbre, Xiomara"),
        ("a xiomara", "Xiomara"),
    ],
)
def test_a_name_is_linked_piece_by_piece(own_sentences: Path, source: str, target: str) -> None:  # noqa: F811
    made = build_dataset(translator(), own_sentences, own_sentences / "runs")
    aligner = PieceAligner(made.tokenizer, made.clean())
    ids = made.tokenizer.ids(source), made.tokenizer.ids(target)
    links = aligner.links(*ids)
    here, there = (made.tokenizer.written(each).tokens for each in ids)
    linked = 0
    for row, token in zip(links, there, strict=True):
        for weight, other in zip(row, here, strict=True):
            if token.text.strip() and token.text.strip().lower() in "xiomara" and weight > 0.3:
                same = set(token.text.lower().strip()) & set(other.text.lower().strip())
                assert same, (token, other)
                linked += 1
    assert linked >= 3, "a name in pieces"


@pytest.mark.parametrize("order", ["before", "after", "transformer"])
def test_attention_comes_to_look_where_words_are_linked(own_sentences: Path, order: str) -> None:  # noqa: F811
    recipe = translator("transformer" if order == "transformer" else "additive")
    if isinstance(recipe.network, RecurrentConfig):
        recipe = replace(recipe, network=replace(recipe.network, order=order))
    recipe = replace(recipe, guided_alignment=GuidedAlignment(links=5.0))
    recipe = replace(recipe, schedule=replace(recipe.schedule, learning_rate=2e-2, updates=200))
    lost, _ = told_often(TextTask(recipe, own_sentences, own_sentences / "runs"))
    assert lost[-1] < 0.7 * lost[0]


def test_without_attention_there_is_nothing_to_link(tmp_path: Path) -> None:
    assert TextRecipe.read(_recipe(tmp_path, "links = 0.5")).guided_alignment == GuidedAlignment(
        links=0.5
    )
    text = (Path("training/recipes") / "dates-none.toml").read_text()
    path = tmp_path / "none.toml"
    path.write_text(f"{text}\n[guided_alignment]\nlinks = 0.5\n")
    with pytest.raises(RecipeError, match="needs a network with attention"):
        TextRecipe.read(path)


def test_siblings_of_other_pieces_are_refused(own_sentences: Path) -> None:  # noqa: F811
    runs = own_sentences / "runs"
    train(TextTask, replace(translator(), id="elder"), runs, own_sentences)
    (own_sentences / "own.tsv").write_text("a cat b\tein Hund\nthe tree\tder Baum\n" * 10)
    recipe = replace(translator(), guided_alignment=GuidedAlignment(("elder",), words=0.5))
    recipe = replace(recipe, target=Language("de", "German"))
    with pytest.raises(RecipeError, match="elder has another tokenizer"):
        train(TextTask, recipe, runs, own_sentences)


def _recipe(folder: Path, guide: str) -> Path:
    text = (Path("training/recipes") / "dates-additive.toml").read_text()
    path = folder / "recipe.toml"
    path.write_text(f"{text}\n[guided_alignment]\n{guide}\n")
    return path


@pytest.mark.parametrize(
    ("network", "guide", "description"),
    [
        ("additive", GuidedAlignment(), ""),
        ("additive", GuidedAlignment(words=0.5), ""),
        ("additive", GuidedAlignment(links=0.5), "attention guided by word alignments in training"),
        (
            "transformer",
            GuidedAlignment(maps=0.3, layer=1, head=2),
            "head 3 of layer 2 guided by word alignments in training",
        ),
    ],
)
def test_a_card_says_what_was_told_where_to_look(
    network: str, guide: GuidedAlignment, description: str
) -> None:
    assert describe_guidance(guide, translator(network).network) == description
