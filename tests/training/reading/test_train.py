"""A tiny training: it learns, it continues where it stopped, and its checkpoint is complete."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.catalogue import Catalogue
from heed.models.generation.sentence_reader import SentenceReader
from heed.models.networks.lstmn import LSTMN
from heed.models.text.words import PADDING, UNKNOWN
from training.reading.deferred import DeferredLSTMN
from training.reading.measure import dev_perplexity, reader_of
from training.reading.plain import PlainLSTM, count_numbers, equal_width
from training.reading.quality import evaluate_agreement
from training.reading.recipe import ReadingRecipe
from training.reading.run import ReadingRun, load_sentences
from training.reading.shipped import evaluate_sentence_reader
from training.reading.templates import agreements, plural
from training.reading.train import batches, collate, main, rows, train, train_step


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(lines) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Corpora of sentences of the templates, in the layout of the real ones."""
    root = tmp_path_factory.mktemp("data")
    for split, count in (("train", 120), ("dev", 20)):
        texts = [each.text for each in islice(agreements("train", split), count)]
        texts += [each.text for each in islice(agreements("test", split), count)]
        for language in ("fr", "de", "es"):
            write(root / f"tatoeba/en-{language}.{split}.tsv.gz", [f"{one}\tx" for one in texts])
        for name in ("words", "visitors"):
            write(root / f"sentences/{name}.{split}.tsv", ["Hello , Tom .\tx\tx\tx"])
        multi30k = {"train": "train", "dev": "val"}[split]
        write(root / f"multi30k/{multi30k}.en.gz", ["A man walks ."])
        captions = gzip.compress(json.dumps({"a.jpg": ["A dog runs ."]}).encode())
        (root / "flickr8k").mkdir(exist_ok=True)
        (root / f"flickr8k/{split}.captions.json.gz").write_bytes(captions)
        photo = {"b.jpg": {"captions": ["a red bus"], "questions": []}}
        (root / "photos").mkdir(exist_ok=True)
        (root / f"photos/{split}.json.gz").write_bytes(gzip.compress(json.dumps(photo).encode()))
    return root


@pytest.fixture
def recipe() -> ReadingRecipe:
    shipped = ReadingRecipe.named("read-lstmn")
    network = replace(shipped.network, vocabulary=200, embedding=12, width=16, attention_width=8)
    schedule = replace(shipped.schedule, updates=4, batch=16, save_every=2, warmup=1)
    return replace(shipped, network=network, schedule=schedule, templates=3)


@pytest.fixture
def run(recipe: ReadingRecipe, data: Path) -> ReadingRun:
    return ReadingRun.begin(recipe, load_sentences(recipe, data), plain=False)


def test_no_dev_sentence_is_trained_on(run: ReadingRun) -> None:
    _, train_rows, dev, _ = run.sentences
    assert not {tuple(ids) for ids in train_rows} & {tuple(ids) for ids in dev}


def test_templates_stand_among_the_sentences(run: ReadingRun) -> None:
    found = list(rows(run, "seed"))
    templates = [row for row in found if row.verb >= 0]
    assert len(found) - len(templates) == len(run.sentences.train)
    assert len(templates) == -(-len(run.sentences.train) // 3)
    batch = collate(found[:16])
    assert (batch.target[batch.rows, batch.verbs] != PADDING).all()
    assert (batch.heads <= batch.verbs).all()


def test_a_head_and_its_verb_agree_and_the_distractor_does_not() -> None:
    for each in islice(agreements("test", "some"), 200):
        verb, wrong = each.words[each.verb], each.wrong_verb
        assert {verb, wrong} in ({"is", "are"}, {"was", "were"}, {"has", "have"})
        assert each.head < each.distractor < each.verb
        many = [verb in ("are", "were", "have"), wrong in ("are", "were", "have")]
        for noun, is_plural in zip(
            (each.words[each.head], each.words[each.distractor]), many, strict=True
        ):
            assert (plural(noun) != noun) or is_plural


def test_training_and_test_share_no_noun() -> None:
    nouns = {}
    for part in ("train", "test"):
        drawn = islice(agreements(part, "any"), 500)  # type: ignore[arg-type]
        nouns[part] = {
            each.words[place] for each in drawn for place in (each.head, each.distractor)
        }
    assert not nouns["train"] & nouns["test"]


@pytest.mark.parametrize(
    ("noun", "many"),
    [("key", "keys"), ("city", "cities"), ("box", "boxes"), ("child", "children"), ("boy", "boys")],
)
def test_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many


def test_gradients_that_wait_are_those_of_autograd(run: ReadingRun) -> None:
    batch = next(batches(run))
    waiting, plain = run.model.eval(), LSTMN(run.recipe.network).eval()
    assert isinstance(waiting, DeferredLSTMN)
    plain.load_state_dict(waiting.state_dict())
    for model in (waiting, plain):
        read = model(batch.words)
        (read.readouts.square().sum() + read.weights.square().sum()).backward()
    waiting.finish()
    for (name, one), other in zip(waiting.named_parameters(), plain.parameters(), strict=True):
        if one.grad is not None and other.grad is not None:
            assert torch.allclose(one.grad, other.grad, atol=1e-4, rtol=1e-4), name


def test_the_loss_falls_and_the_head_is_found(recipe: ReadingRecipe, data: Path) -> None:
    schedule = replace(recipe.schedule, updates=150, batch=32, learning_rate=1e-2, warmup=5)
    recipe = replace(recipe, schedule=schedule, templates=1, guide=1.0)
    run = ReadingRun.begin(recipe, load_sentences(recipe, data), plain=False)
    stream = batches(run)
    losses = [train_step(run, next(stream)) for _ in range(150)]
    assert sum(losses[-5:]) < 0.7 * sum(losses[:5])
    with run.averaged() as model:
        found = evaluate_agreement(reader_of(model, run.sentences.vocabulary), 60)
    assert found["head_weight"] > found["distractor_weight"]


def test_the_plain_lstm_has_as_many_numbers(recipe: ReadingRecipe) -> None:
    wanted = count_numbers(LSTMN(recipe.network))
    plain = PlainLSTM(recipe.network)
    assert wanted <= count_numbers(plain)
    narrower = replace(recipe.network, width=equal_width(recipe.network) - 1)
    assert plain.lstm.hidden_size == narrower.width + 1


def test_training_writes_a_whole_checkpoint_and_continues(
    recipe: ReadingRecipe, data: Path, tmp_path: Path
) -> None:
    half = replace(recipe, schedule=replace(recipe.schedule, updates=2))
    train(half, data, tmp_path)
    folder = train(recipe, data, tmp_path)
    reader = Catalogue(folder.parent).load(recipe.id)
    assert isinstance(reader, SentenceReader)
    run = ReadingRun.begin(recipe, load_sentences(recipe, data), plain=False)
    run.resume(tmp_path / recipe.id / "last.pt")
    assert run.update == 4
    quality = evaluate_sentence_reader(reader, data, tmp_path, 10)
    assert quality["perplexity"] > 1
    assert 0 <= quality["head"] <= 1
    with run.averaged() as model:
        lost = dev_perplexity(model, run.sentences.dev)
    every = evaluate_sentence_reader(reader, data, tmp_path, 2000)
    assert every["perplexity"] == pytest.approx(lost, rel=1e-2)


def test_the_baseline_is_trained_on_the_same(
    recipe: ReadingRecipe, data: Path, tmp_path: Path
) -> None:
    folder = train(recipe, data, tmp_path, plain=True)
    assert folder.parent.name == "read-lstmn-plain"
    found = evaluate_agreement(
        reader_of(PlainLSTM(recipe.network), load_sentences(recipe, data).vocabulary), 5
    )
    assert set(found) == {"agrees"}


def test_missing_corpora_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read-lstmn", "--data", str(tmp_path), "--runs", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_vocabulary_is_of_words(run: ReadingRun) -> None:
    vocabulary = run.sentences.vocabulary
    assert vocabulary.read("the zebrafinch")[1] == UNKNOWN
    assert np.unique(vocabulary.words).size == len(vocabulary)
