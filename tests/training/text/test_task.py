"""The task of a translator: its recipes, its batches, its corpora and its start."""

import gzip
import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.card import Language
from heed.models.catalogue import Catalogue
from heed.models.checkpoint import load_network, tensors
from heed.models.config import NetworkConfig, RecurrentConfig, TransformerConfig
from heed.models.generation.translator import TextRequest
from heed.models.text.tokenizer import END, PAD, START, BytePieces
from heed.models.trace import TokenAxis
from tests.training.tiny_sentences import write_pairs
from training.common.batches import STEPS, bucketed, collate, pad
from training.common.errors import RecipeError
from training.common.recipe import RECIPES
from training.common.schedule import learning_rate
from training.common.trainer import Trainer, train
from training.evaluate import main
from training.text.attention_snapshots import FILE, AttentionSnapshots, take_snapshot
from training.text.data.corpora import Corpus, SourceNoise
from training.text.datasets import DatesDataset, SentenceDataset, build_dataset
from training.text.recipe import TextRecipe
from training.text.task import TextTask

DATES = DatesDataset(BytePieces.characters(lowercase=True))


def small(updates: int = 6) -> TextRecipe:
    recipe = TextRecipe.named("dates-additive")
    network = replace(
        recipe.network, embedding=8, encoder_width=6, decoder_width=12, attention_width=6
    )
    schedule = replace(recipe.schedule, updates=updates, batch=4, warmup=2, save_every=3)
    return replace(recipe, network=network, schedule=schedule)


def test_a_batch_is_padded_and_fed_one_behind() -> None:
    batch = collate([([5, 6, END], [7, END]), ([8, END], [9, 9, END])])
    assert batch.source.tolist() == [[5, 6, END], [8, END, PAD]]
    assert batch.lengths.tolist() == [3, 2]
    assert batch.fed.tolist() == [[START, 7, PAD], [START, 9, 9]]
    assert batch.target.tolist() == [[7, END, PAD], [9, 9, END]]
    assert pad([[1], [1, 2]]).tolist() == [[1, PAD], [1, 2]]


def test_buckets_hold_like_lengths_and_lose_nothing() -> None:
    pairs = list(islice(DATES.stream(3), 400))
    made = list(bucketed(pairs, 8, seed=1))
    lengths = [length for batch in made for length in batch.lengths.tolist()]
    assert sorted(lengths) == sorted(len(source) for source, _ in pairs)
    spreads = [int(batch.lengths.max() - batch.lengths.min()) for batch in made]
    assert sum(spreads) / len(spreads) < 8


def test_the_rate_rises_then_falls_to_nothing() -> None:
    schedule = replace(TextRecipe.named("dates-dot").schedule, warmup=10, updates=100)
    rates = [learning_rate(schedule, update) for update in range(101)]
    assert max(rates) == pytest.approx(schedule.learning_rate)
    assert rates.index(max(rates)) in (9, 10)
    assert rates[100] == pytest.approx(0)
    assert rates[:9] == sorted(rates[:9])
    assert rates[10:] == sorted(rates[10:], reverse=True)


def test_batches_counted_in_tokens_stay_below_their_size() -> None:
    pairs = list(islice(DATES.stream(3), 400))
    made = list(bucketed(pairs, 200, seed=1, by_tokens=True))
    assert sum(len(batch.lengths) for batch in made) == 400
    for batch in made:
        rows, longest = len(batch.lengths), max(batch.source.shape[1], batch.target.shape[1])
        assert rows * longest <= 200 or rows == 1
        assert batch.source.shape[1] % STEPS == batch.target.shape[1] % STEPS == 0


# --- sentences --------------------------------------------------------------------------------


@pytest.fixture
def own_sentences(tmp_path: Path) -> Path:
    return write_pairs(tmp_path)


def translator(network: str = "additive") -> TextRecipe:
    recipe = small(updates=9)
    shape: NetworkConfig = replace(recipe.network, vocabulary=300)
    if network == "transformer":
        shape = TransformerConfig(
            vocabulary=300, width=8, heads=2, feedforward=8, encoder_layers=1, decoder_layers=1
        )
    return replace(
        recipe,
        id="mine",
        task="translate",
        network=shape,
        corpus=Corpus(("en", "fr"), train=("own.tsv",), dev=("dev.tsv",)),
        source_noise=SourceNoise(0.3, 0.3, 0.3, 0.3),
        schedule=replace(recipe.schedule, batch=60, by_tokens=True),
    )


@pytest.mark.parametrize("network", ["additive", "transformer"])
def test_a_users_own_file_makes_a_translator_that_can_be_measured_and_served(
    own_sentences: Path, network: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = train(TextTask, translator(network), own_sentences / "runs", own_sentences)
    card = Catalogue(folder.parent).cards["mine"]
    assert card.granularity == "subwords"
    [trace] = Catalogue(folder.parent).load("mine").run([TextRequest("a cat sat")])
    assert trace.text
    assert isinstance(trace.source, TokenAxis)
    assert [trace.source.words[place].text for place in trace.source.rare_words or ()] == [
        "cat",  # which is in one text, ten times
        "sat",
    ]
    dev = str(own_sentences / "dev.tsv")
    assert main(["mine", "--weights", str(folder.parent), "--dev", dev]) == 0
    assert re.search(r"^dev_bleu +\d", capsys.readouterr().out, re.MULTILINE)


def test_it_stops_when_the_dev_sets_get_no_better(own_sentences: Path) -> None:
    recipe = translator()
    schedule = replace(recipe.schedule, learning_rate=0.0, updates=99, patience=2, average=0.0)
    recipe = replace(recipe, schedule=schedule)
    folder = train(TextTask, recipe, own_sentences / "runs", own_sentences).parent
    trainer = Trainer(TextTask(recipe, own_sentences, own_sentences / "runs"), folder)
    trainer.resume()
    assert trainer.state.update == 9  # the first save is the best, two more are no better


def test_judging_leaves_the_weights_in_training_as_they_were(own_sentences: Path) -> None:
    task = TextTask(translator(), own_sentences, own_sentences / "runs")
    trainer = Trainer(task, own_sentences / "runs/mine")
    trainer.update(trainer.draw())
    before = task.model.embedding.weight.detach().clone()
    trainer.save()
    assert 0 < trainer.state.best < 10
    assert torch.equal(task.model.embedding.weight, before)


def test_a_tokenizer_is_learned_once_and_shared(own_sentences: Path) -> None:
    runs = own_sentences / "runs"
    first = build_dataset(translator(), own_sentences, runs)
    (saved,) = (runs / "tokenizers").iterdir()
    stamp = saved.stat().st_mtime_ns
    second = build_dataset(translator("transformer"), own_sentences, runs)
    assert isinstance(first, SentenceDataset)
    assert saved.stat().st_mtime_ns == stamp
    assert first.tokenizer.ids("a cat") == second.tokenizer.ids("a cat")
    assert not first.tokenizer.spaced
    spaced = build_dataset(replace(translator(), spaced=True), own_sentences, runs)
    assert spaced.tokenizer.spaced
    assert list(spaced.dev()) == [
        (spaced.tokenizer.ids("a cat b"), spaced.tokenizer.ids("un cat deux"))
    ]


def test_pairs_too_long_for_the_model_are_left_out(own_sentences: Path) -> None:
    made = build_dataset(translator(), own_sentences, own_sentences / "runs")
    assert isinstance(made, SentenceDataset)
    lengths = sorted({max(map(len, pair)) for pair in islice(made.stream(1), 200)})
    shorter = replace(made, longest=lengths[0])
    assert {max(map(len, pair)) for pair in islice(shorter.stream(1), 50)} == {lengths[0]}
    assert shorter.dev() == made.dev()


def test_a_corpus_can_be_gone_through_more_than_once_an_epoch(own_sentences: Path) -> None:
    (own_sentences / "tatoeba").mkdir()
    for split in ("train", "dev"):
        with gzip.open(own_sentences / f"tatoeba/en-fr.{split}.tsv.gz", "wt") as file:
            file.write("a cat b\tun cat deux\n")
    recipe = translator()
    assert recipe.corpus
    recipe = replace(recipe, corpus=replace(recipe.corpus, tatoeba=3))
    made = build_dataset(recipe, own_sentences, own_sentences / "runs")
    assert isinstance(made, SentenceDataset)
    assert len(made.train) == 40 + 3
    assert len(made.held_out) == 1 + 1


def test_a_model_starts_from_what_fits_of_a_sibling(own_sentences: Path) -> None:
    runs = own_sentences / "runs"
    train(TextTask, translator(), runs, own_sentences)
    recipe = translator()
    after = replace(recipe.network, mechanism="dot", order="after")  # type: ignore[arg-type]
    recipe = replace(recipe, id="other", network=after, start="mine")
    task = TextTask(recipe, own_sentences, runs)
    learned = dict(load_network(runs / "mine/checkpoint").named_parameters())
    taken = [n for n, v in task.model.named_parameters() if torch.equal(v, learned.get(n, v[:0]))]
    assert "embedding.weight" in taken
    assert "encoder.forwards.0.weight_hh_l0" in taken
    assert "decoder.join.weight" not in taken  # of another shape
    average = Trainer(task, runs / "other").state.average
    assert torch.equal(average["embedding.weight"], learned["embedding.weight"])
    train(TextTask, recipe, runs, own_sentences)
    with pytest.raises(RecipeError, match="nobody is neither among the runs nor shipped"):
        train(TextTask, replace(recipe, id="third", start="nobody"), runs, own_sentences)


def test_what_is_frozen_stays_that_of_the_sibling_number_for_number(own_sentences: Path) -> None:
    runs = own_sentences / "runs"
    train(TextTask, translator(), runs, own_sentences)
    recipe = replace(translator(), id="other", start="mine", frozen=("embedding.*",))
    train(TextTask, recipe, runs, own_sentences)
    mine, other = (tensors(runs / each / "checkpoint") for each in ("mine", "other"))
    assert np.array_equal(mine["embedding.weight"], other["embedding.weight"])
    assert not np.array_equal(mine["decoder.join.weight"], other["decoder.join.weight"])
    with pytest.raises(RecipeError, match=r"wings\.\*"):
        train(TextTask, replace(recipe, id="third", frozen=("wings.*",)), runs, own_sentences)


def test_what_is_fresh_is_not_taken_from_the_sibling(own_sentences: Path) -> None:
    runs = own_sentences / "runs"
    train(TextTask, translator(), runs, own_sentences)
    recipe = replace(translator(), id="other", start="mine", fresh=("decoder.attention.*",))
    weights = dict(TextTask(recipe, own_sentences, runs).model.named_parameters())
    for name, value in load_network(runs / "mine/checkpoint").named_parameters():
        taken = torch.equal(weights[name], value)
        assert taken != name.startswith("decoder.attention."), name


def test_a_sibling_of_other_languages_gives_the_rows_of_the_pieces_both_have(
    own_sentences: Path,
) -> None:
    runs = own_sentences / "runs"
    train(TextTask, translator(), runs, own_sentences)
    (own_sentences / "own.tsv").write_text("a cat b\tein Hund\nthe tree\tder Baum\n" * 10)
    recipe = replace(translator(), id="other", target=Language("de", "German"))
    assert recipe.corpus
    recipe = replace(recipe, corpus=replace(recipe.corpus, pair=("en", "de")))
    fresh = TextTask(recipe, own_sentences, runs).model.embedding.weight.detach()
    task = TextTask(replace(recipe, start="mine"), own_sentences, runs)
    mine, theirs = task.dataset.tokenizer, BytePieces.load(runs / "mine/checkpoint/tokenizer.json")
    learned = dict(load_network(runs / "mine/checkpoint").named_parameters())["embedding.weight"]
    shared = mine.places_of(theirs)
    assert mine.ids("cat") != theirs.ids("cat")
    assert {mine.text_of(a) for a in shared} == {theirs.text_of(b) for b in shared.values()}
    for id, row in enumerate(task.model.embedding.weight):
        assert torch.equal(row, learned[shared[id]] if id in shared else fresh[id])


def test_attention_is_recorded_while_it_learns(own_sentences: Path) -> None:
    runs = own_sentences / "runs"
    recording = AttentionSnapshots(
        at=(2, 5), sentences=(("a cat b", "un cat deux"), ("a dog b", "un dog"))
    )
    recipe = replace(translator(), attention_snapshots=recording)
    train(TextTask, recipe, runs, own_sentences)
    file = runs / "mine" / FILE
    kept = json.loads(file.read_text())
    assert (kept["format"], kept["model"]) == ("heed.learning/1", "mine")
    assert (kept["shorter"], kept["layer"], kept["head"], kept["heads"]) == (False, 0, 0, 1)
    assert [moment["update"] for moment in kept["moments"]] == [2, 5]
    assert all(moment["loss"] > 0 for moment in kept["moments"])
    for moment in kept["moments"]:
        for sentence, rows in zip(kept["sentences"], moment["maps"], strict=True):
            assert len(rows) == len(sentence["target"]["tokens"])
            assert {len(row) for row in rows} == {len(sentence["source"]["tokens"])}
            assert all(sum(row) == pytest.approx(1, abs=0.02) for row in rows)
    # A run that was killed between the two goes on without what came after its save.
    take_snapshot(recording, runs / "mine", "mine", file, 4)
    assert [m["update"] for m in json.loads(file.read_text())["moments"]] == [2, 4]


def test_a_recipe_lists_what_is_recorded(tmp_path: Path) -> None:
    text = (RECIPES / "dates-additive.toml").read_text()
    path = tmp_path / "recipe.toml"
    path.write_text(text + '\n[attention_snapshots]\nat = [5]\nsentences = [["a", "b"]]\n')
    assert TextRecipe.read(path).attention_snapshots == AttentionSnapshots((5,), (("a", "b"),))


def test_what_differs_in_a_family_is_the_mechanism() -> None:
    family = [TextRecipe.read(path) for path in RECIPES.glob("en-fr-*.toml")]
    first = TextRecipe.named("en-fr-additive")
    for recipe in family:
        assert recipe.corpus is not None
        assert first.corpus is not None
        # Words by themselves and names came later, and more or less often.
        more = ("short", "phrase_pairs", "phrasebook", "named", "lexicon")
        later = {name: getattr(first.corpus, name) for name in more}
        assert replace(recipe.corpus, **later) == first.corpus
        assert recipe.source_noise == first.source_noise
        assert recipe.limits == first.limits
        # The unguided counterpart repeats words of the longest text, so that is no example of it.
        examples = first.examples[:-1] if recipe.id == "en-fr-additive-free" else first.examples
        assert recipe.examples == examples
        assert recipe.hints == {text: first.hints[text] for text in examples}
        assert recipe.network.vocabulary == first.network.vocabulary
        if isinstance(recipe.network, RecurrentConfig):
            alike = replace(
                recipe.network,
                mechanism=first.network.mechanism,
                order=first.network.order,
                query_feeding=first.network.query_feeding,
                end_hidden=first.network.end_hidden,
            )
            assert alike == first.network


def test_pieces_are_split_into_what_they_were_merged_from(own_sentences: Path) -> None:
    recipe = translator()
    plain = build_dataset(recipe, own_sentences, own_sentences / "runs")
    assert isinstance(plain, SentenceDataset)
    halves = plain.tokenizer.halves()
    whole = plain.tokenizer.ids("a house b")
    assert any(id in halves for id in whole)

    def drawn(split: float) -> list[list[int]]:
        source_noise = SourceNoise(split=split)
        changed = replace(recipe, source_noise=source_noise)
        made = build_dataset(changed, own_sentences, own_sentences / "runs")
        return [list(side) for pair in islice(made.stream(3), 40) for side in pair]

    def text(ids: list[int]) -> str:
        return plain.tokenizer.written(ids).text

    always, sometimes, never = drawn(1.0), drawn(0.3), drawn(0.0)
    assert [text(ids) for ids in always] == [text(ids) for ids in sometimes]
    assert [text(ids) for ids in always] == [text(ids) for ids in never]
    assert not any(id in halves for ids in always for id in ids)
    assert sum(map(len, always)) > sum(map(len, sometimes)) > sum(map(len, never))
    assert drawn(0.3) == sometimes
