"""Translations that a model wrote itself, and what it learns from them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch

from heed.models.catalogue import Catalogue
from heed.models.checkpoint import load_network
from heed.models.registry import TextNetwork, build_network
from heed.models.text.tokenizer import END, PAD, BytePieces
from tests.models.tiny import NETWORK
from tests.training.text.test_task import own_sentences, translator  # noqa: F401 - a fixture
from training.common.batches import ReferencedSource
from training.common.schedule import phase_learning_rate, phase_schedule
from training.common.self_critical import SelfCritical
from training.common.trainer import Trainer, train
from training.text.data.corpora import SourceNoise
from training.text.datasets import SentenceDataset
from training.text.recipe import TextRecipe
from training.text.self_critical import (
    Reward,
    collate_sources,
    compute_rewards,
    greedy_bleu,
    sample_translations,
    self_critical_loss,
    source_batches,
)
from training.text.task import TextTask

CPU = torch.device("cpu")
PIECES = BytePieces.characters()
CRITIC = SelfCritical(
    updates=4, rate=1e-2, draws=3, temperature=0.7, reference_weight=0.5, average=0.5, save_every=2
)


def judged(network: str = "additive") -> TextRecipe:
    recipe = translator(network)
    return replace(recipe, self_critical=CRITIC, schedule=replace(recipe.schedule, updates=7))


def test_what_people_wrote_is_rewarded_most() -> None:
    reward = Reward(PIECES)
    known = [PIECES.ids("Un chat dort ici."), PIECES.ids("Il y a un chat.")]
    assert reward(PIECES.ids("un chat dort ici."), known) == pytest.approx(1.0)
    assert reward(PIECES.ids("Il y a un chat."), known) == pytest.approx(1.0)
    other = reward(PIECES.ids("un chat dort la."), known)
    assert 0.2 < other < 0.9
    assert reward(PIECES.ids("dort chat un. ici"), known) < other
    assert reward(PIECES.ids("Un chat dort ici.")[:-1], known) < 1, "it never came to its end"
    assert reward([END], known) < 0.05


def test_rewards_go_by_source() -> None:
    one, other = PIECES.ids("a b c"), PIECES.ids("d e f")
    sources = [ReferencedSource([5, END], [one]), ReferencedSource([6, END], [other])]
    texts = torch.tensor([[one, other], [one, other]])
    first, second = compute_rewards(texts, sources, Reward(PIECES)).tolist()
    assert first[0] > first[1]
    assert second[1] > second[0]


def test_a_source_is_held_against_all_that_is_known_of_it(tmp_path: Path) -> None:
    pairs = (("a", "un"), ("a", "une"), ("b", "deux"))
    made = SentenceDataset(PIECES, [*pairs, *pairs], pairs, SourceNoise(), longest=20)
    for each in islice(made.sources(2), 12):
        source = PIECES.text(each.source)
        texts = [PIECES.text(ids) for ids in each.references]
        assert texts[0] in texts[1:]
        assert texts[1:] == (["un", "une"] if source == "a" else ["deux"])
    joined = replace(made, source_noise=SourceNoise(joined=1.0))
    for each in islice(joined.sources(2), 12):
        words = [PIECES.text(ids).split() for ids in each.references]
        count = len(PIECES.text(each.source).split())
        assert {len(text) for text in words} == {count}
    assert [PIECES.text(each.source) for each in made.dev_sources()] == ["a"]
    assert [len(each.references) for each in made.dev_sources()] == [2]
    short = replace(made, longest=4)
    assert {PIECES.text(each.source) for each in islice(short.sources(2), 6)} == {"a"}, "une: 4"
    named = replace(made, train=(), named=[("Tom left", "Tom est parti")] * 3, longest=99)
    for each in islice(named.sources(2), 6):
        name = PIECES.text(each.source).removesuffix(" left")
        assert {PIECES.text(ids) for ids in each.references} == {f"{name} est parti"}


def test_batches_hold_sources_of_like_length() -> None:
    sources = [
        ReferencedSource([5] * (1 + n % 7) + [END], [[6, END], [6] * (n % 5)]) for n in range(300)
    ]
    made = list(source_batches(sources, 3, CPU))
    assert sum(len(each.sources) for each in made) == 300
    for each in made:
        assert each.batch.target[:, 0].tolist() == [6] * len(each.sources)
        assert each.longest == max(len(ids) for one in each.sources for ids in one.references)


@pytest.fixture(params=["additive", "transformer"])
def network(request: pytest.FixtureRequest) -> TextNetwork:
    torch.manual_seed(5)
    shape = replace(NETWORK, vocabulary=40)
    recipe = translator(request.param)
    return build_network(shape if request.param == "additive" else recipe.network).eval()


def test_what_did_better_than_the_others_becomes_likelier(network: TextNetwork) -> None:
    batch = collate_sources(
        [ReferencedSource([5, 6, END], [[7, END]]), ReferencedSource([8, END], [[9, END]])], CPU
    ).batch
    texts = torch.tensor([[[5, 6, END], [7, END, PAD]], [[5, END, PAD], [7, 8, END]]])
    rewards = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    before = self_critical_loss(network, batch, texts, rewards, 0.5)
    before.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    after = self_critical_loss(network, batch, texts, rewards, 0.5)
    assert float(after.detach()) < float(before.detach())
    none = self_critical_loss(network, batch, texts, torch.ones(2, 2), 0.5)
    assert float(none.detach()) == 0.0, "nothing is learned where all did alike"


def test_each_source_is_translated_as_often_as_is_asked(network: TextNetwork) -> None:
    torch.manual_seed(2)
    sources = [ReferencedSource([5, 6, 7, END], [[8, END]]), ReferencedSource([9, END], [[8, END]])]
    batch = collate_sources(sources, CPU).batch
    texts = sample_translations(network, batch, 3, 6, 1.0)
    assert texts.shape[:2] == (2, 3)
    (alone,) = sample_translations(network, collate_sources(sources[1:], CPU).batch, 1, 6)
    steps = alone.shape[-1]
    assert torch.equal(sample_translations(network, batch, 1, 6)[1][:, :steps], alone)


def test_the_last_updates_are_those_of_the_critic(own_sentences: Path) -> None:  # noqa: F811
    recipe, runs = judged(), own_sentences / "runs"
    schedule = recipe.schedule
    assert phase_learning_rate(schedule, CRITIC, 3) == pytest.approx(1e-2)
    assert phase_learning_rate(schedule, CRITIC, 5) == pytest.approx(0.5e-2)
    assert phase_schedule(schedule, CRITIC, 3) == schedule
    assert phase_schedule(schedule, CRITIC, 4) == replace(schedule, average=0.5, save_every=2)
    task = TextTask(recipe, own_sentences, runs)
    before = task.model.embedding.weight.detach().clone()
    trainer = Trainer(task, runs / "mine")
    assert 0 <= trainer.update(next(task.epoch(1))) <= 1, "the mean reward"
    assert not torch.equal(task.model.embedding.weight, before)


@pytest.mark.parametrize("network", ["additive", "transformer"])
def test_a_criticised_translator_can_be_served(own_sentences: Path, network: str) -> None:  # noqa: F811
    runs = own_sentences / "runs"
    folder = train(TextTask, judged(network), runs, own_sentences)
    assert Catalogue(folder.parent).cards["mine"]
    task = TextTask(judged(network), own_sentences, runs)
    trainer = Trainer(task, folder.parent)
    trainer.resume()
    assert trainer.state.update == 7
    assert trainer.state.best <= 0, "BLEU on dev, below zero"
    again = load_network(folder)
    first = greedy_bleu(again, task.dataset.dev_sources(), task.dataset.tokenizer, 20, CPU)  # type: ignore[arg-type]
    assert 0 <= first <= 100
