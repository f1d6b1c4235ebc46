"""Pairs of which models wrote one side."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from heed.models.card import Language
from heed.models.checkpoint import load_text_network
from heed.models.registry import TextNetwork
from heed.models.text.tokenizer import START
from tests.training.text.test_task import own_sentences, translator  # noqa: F401 - a fixture
from training.common.batches import collate
from training.common.checkpoints import find_checkpoint
from training.common.errors import RecipeError
from training.common.trainer import train
from training.text.data.corpora import Corpus, Distillation, SentencePair
from training.text.datasets import SentenceDataset, build_dataset, distilled_pairs
from training.text.distillation import detokenized, load_distilled, sentences_to_translate
from training.text.recipe import TextRecipe
from training.text.self_critical import sample_translations
from training.text.task import TextTask
from training.text.teachers import Ensemble

ECHO = '\n[distillation]\nteachers = ["en-fr-additive"]\ncaptions = true\n'
FRENCH = Corpus(("en", "fr"), tatoeba=1, multi30k=1)


def packed(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


@pytest.fixture
def data(own_sentences: Path) -> Path:  # noqa: F811
    for code, *lines in (
        ("fr", "a cat b\tun chat", "a dog b\tun chien"),
        ("de", "a cat b\teine Katze", "a tree b\tein Baum"),
        ("es", "a house b\tuna casa", "a tree b\tun árbol"),
    ):
        packed(own_sentences / f"tatoeba/en-{code}.train.tsv.gz", *lines)
    packed(own_sentences / "multi30k/train.en.gz", "Two dogs play.", "A man sleeps.")
    packed(own_sentences / "multi30k/train.fr.gz", "Deux chiens jouent.", "Un homme dort.")
    photos = {
        "dogs.jpg": ["Two dogs play .", "Dogs in the 'grass' , playing"],
        "elsewhere.jpg": ["A test photo ."],
    }
    with gzip.open(own_sentences / "flickr8k.captions.json.gz", "wt") as file:
        json.dump(photos, file)
    (own_sentences / "flickr8k").mkdir()
    (own_sentences / "flickr8k.captions.json.gz").rename(
        own_sentences / "flickr8k/train.captions.json.gz"
    )
    return own_sentences


def french() -> TextRecipe:
    return replace(translator(), source=Language("en", "English"), target=Language("fr", "French"))


def elder(data: Path, id: str = "elder", seed: int = 1) -> Path:
    recipe = french()
    schedule = replace(recipe.schedule, seed=seed, updates=40)
    return train(TextTask, replace(recipe, id=id, schedule=schedule), data / "runs", data)


def test_what_is_translated(data: Path) -> None:
    assert sentences_to_translate(Distillation(), FRENCH, data) == {"a tree b", "a house b"}
    assert sentences_to_translate(Distillation(), Corpus(("en", "es"), tatoeba=1), data) == {
        "a cat b",
        "a dog b",
    }
    beside = {"Dogs in the 'grass', playing"}  # of photos known from training, and no others
    assert (
        sentences_to_translate(
            Distillation(tatoeba=False, captions=True), Corpus(("de", "en")), data
        )
        == beside
    )
    known = sentences_to_translate(Distillation(tatoeba=False, known=True), FRENCH, data)
    assert known == {"a cat b", "a dog b", "Two dogs play.", "A man sleeps."}


@pytest.mark.parametrize(
    ("caption", "typed"),
    [
        ("A dog runs .", "A dog runs."),
        ("A  dog , a cat", "A dog, a cat"),
        ("a man 's dog does n't run !", "a man's dog doesn't run!"),
    ],
)
def test_captions_as_people_type_them(caption: str, typed: str) -> None:
    assert detokenized(caption) == typed


def shouting(
    sentences: Sequence[str], _writers: Ensemble, _tokenizer: object, _device: object
) -> list[str]:
    """In the place of models, which learn too little in a test to come to an end."""
    return [sentence.upper() for sentence in sentences]


def test_echoes_are_made_once_and_go_on_where_they_were(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, kept = elder(data), data / "runs/mine/distilled.tsv"
    monkeypatch.setattr("training.text.distillation.ensemble_translations", shouting)
    made = load_distilled(Distillation(("elder",)), FRENCH, data, [folder], kept)
    assert {english for english, _ in made} == {"a tree b", "a house b"}
    assert all(text == english.upper() for english, text in made)
    whole = kept.read_text()
    kept.unlink()
    kept.with_suffix(".part").write_text(whole.splitlines()[0] + "\na tre")
    assert load_distilled(Distillation(("elder",)), FRENCH, data, [folder], kept) == made
    assert kept.read_text() == whole
    kept.write_text("a cat b\tun chat\na dog b\t\n")
    pairs: list[SentencePair] = load_distilled(
        Distillation(("elder",)), FRENCH, data, [folder], kept
    )
    assert pairs == [("a cat b", "un chat")], "of the other there was no end"


def test_a_recipe_learns_from_echoes_beside_what_people_wrote(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.text.distillation.ensemble_translations", shouting)
    elder(data)
    recipe = replace(french(), distillation=Distillation(("elder",)))
    alone, both = (build_dataset(each, data, data / "runs") for each in (french(), recipe))
    assert isinstance(alone, SentenceDataset)
    assert isinstance(both, SentenceDataset)
    pairs = both.train[len(alone.train) :]
    assert pairs == distilled_pairs(recipe, FRENCH, data, data / "runs")
    assert {english for english, _ in pairs} == {"a tree b", "a house b"}
    assert both.held_out == alone.held_out


def test_for_a_model_that_writes_english_they_are_sources(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.text.distillation.ensemble_translations", shouting)
    elder(data)
    turned = replace(
        french(),
        source=french().target,
        target=french().source,
        distillation=Distillation(("elder",)),
    )
    other = replace(french(), id="forth", distillation=Distillation(("elder",)))
    forth = distilled_pairs(other, FRENCH, data, data / "runs")
    assert distilled_pairs(turned, Corpus(("fr", "en")), data, data / "runs") == [
        (text, english) for english, text in forth
    ]


def test_together_they_write_what_both_hold_likely(data: Path) -> None:
    folders = [elder(data), elder(data, "other", seed=2)]
    networks = [load_text_network(folder) for folder in folders]
    batch = collate([([5, 6, 2], [7, 2]), ([6, 2], [7, 2])])

    def first(network: TextNetwork | Ensemble) -> torch.Tensor:
        state = network.start(network.encode(batch.source, batch.lengths))
        advanced, _ = network.advance(torch.tensor([START, START]), state)
        return network.predict(advanced.readout).softmax(dim=-1)

    with torch.no_grad():
        mean = (first(networks[0]) + first(networks[1])) / 2
        torch.testing.assert_close(first(Ensemble(networks)), mean)
        alone = sample_translations(networks[0], batch, 1, 9)
        assert torch.equal(sample_translations(Ensemble(networks[:1]), batch, 1, 9), alone)
        assert sample_translations(Ensemble(networks), batch, 1, 9).shape[:2] == (2, 1)


def test_whom_nobody_knows_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="nobody is neither among the runs nor shipped"):
        find_checkpoint("nobody", tmp_path)


def test_a_recipe_names_them(tmp_path: Path) -> None:
    text = Path("training/recipes/en-fr-none.toml").read_text("utf-8")
    text = re.sub(r"^\[distillation\]\n(.+\n)+", "", text, flags=re.MULTILINE)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert TextRecipe.read(path).distillation == Distillation()
    path.write_text(text + ECHO)
    assert TextRecipe.read(path).distillation == Distillation(("en-fr-additive",), captions=True)
    path.write_text(text + '\n[distillation]\nfrom = "nowhere"\n')
    with pytest.raises(RecipeError, match="distillation has unknown keys: from"):
        TextRecipe.read(path)
    path.write_text(text.replace('pair = ["en", "fr"]', 'pair = ["de", "fr"]') + ECHO)
    with pytest.raises(RecipeError, match="the corpus needs English"):
        TextRecipe.read(path)


def test_who_makes_echoes_must_know_the_languages(data: Path) -> None:
    elder(data)
    recipe = replace(french(), distillation=Distillation(("elder",)))
    with pytest.raises(RecipeError, match="elder does not translate"):
        distilled_pairs(recipe, Corpus(("en", "es")), data, data / "runs")
    (data / "runs/tokenizers/en-fr-300.json").unlink()
    (data / "own.tsv").write_text("one bird and another bird\tun oiseau et un autre oiseau\n" * 9)
    train(TextTask, replace(french(), id="other"), data / "runs", data)
    recipe = replace(recipe, distillation=Distillation(("elder", "other")))
    with pytest.raises(RecipeError, match="other has another tokenizer"):
        distilled_pairs(recipe, FRENCH, data, data / "runs")
