"""Captions that a model wrote itself, and what it learns from them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from heed.models.text.tokenizer import END, PAD
from tests.training.caption.test_task import captioner
from training.caption.self_critical import (
    Reward,
    compute_rewards,
    sample_captions,
    self_critical_loss,
)
from training.caption.task import CaptionTask
from training.common.schedule import is_self_critical, phase_learning_rate
from training.common.trainer import Trainer

SAID = [[[5, 6, 7, 8, END], [5, 6, 7, 9, END]], [[10, 11, 12, 13, END]], [[14, 15, END]]]
CRITIC = {"updates": 2, "rate": 1e-2, "draws": 3}


@pytest.fixture
def task(photos: Path, seen: Path, tmp_path: Path) -> CaptionTask:
    schedule = {"updates": 3, "batch": 2, "warmup": 1}
    recipe = captioner(
        tmp_path, "caption-hard", schedule=schedule, self_critical=CRITIC, repetition_penalty=0.0
    )
    return CaptionTask(recipe, photos, seen)


def test_what_people_said_is_rewarded_most() -> None:
    reward = Reward(SAID)
    said = reward(0, [5, 6, 7, 8, END])
    for other in ([5, 6, 8, END], [10, 11, 12, 13, END], [8, 7, 6, 5, END]):
        assert said > reward(0, other)
    assert said > 2 * reward(2, [5, 6, 7, 8, END])


def test_repetition_takes_off_from_the_reward() -> None:
    captions = torch.tensor([[[5, 6, 7, 8, END], [5, 6, 5, 6, END]]])
    plain, penalized = (
        compute_rewards(captions, torch.tensor([0]), Reward(SAID), penalty)[0].tolist()
        for penalty in (0.0, 0.5)
    )
    assert penalized[0] == plain[0]
    assert penalized[1] == pytest.approx(plain[1] - 0.5)


def test_captions_are_drawn_to_their_end_mark(task: CaptionTask) -> None:
    cells = task.train["everyday"].features.cells(torch.tensor([0, 1]), 0).float()
    torch.manual_seed(3)
    task.model.eval()
    drawn = sample_captions(task.captioner, cells, 4, 6, 1.0)
    assert drawn.shape[:2] == (2, 4)
    for ids in drawn.flatten(0, 1).tolist():
        written = [id for id in ids if id != PAD]
        assert written[0] != END
        assert END not in written[:-1]
        assert ids == written + [PAD] * (len(ids) - len(written))
    greedy = [sample_captions(task.captioner, cells, 1, 6) for _ in range(2)]
    assert torch.equal(*greedy)


def test_what_did_better_than_the_others_becomes_likelier(task: CaptionTask) -> None:
    cells = task.train["everyday"].features.cells(torch.tensor([0]), 0).float()
    captions = torch.tensor([[[5, 6, END, PAD], [7, 8, 9, END]]])
    task.model.eval()
    optimizer = torch.optim.SGD(task.captioner.parameters(), lr=0.1)

    def likely() -> list[float]:
        with torch.no_grad():
            return [
                -float(self_critical_loss(task.captioner, cells, both, rewards, 1.0)[0])
                for both, rewards in (
                    (captions, torch.tensor([[1.0, 0.0]])),
                    (captions, torch.tensor([[0.0, 1.0]])),
                )
            ]

    before = likely()
    rewards = torch.tensor([[1.0, 0.0]])
    loss, output, real = self_critical_loss(task.captioner, cells, captions, rewards, 1.0)
    assert output.readouts.shape[:3] == real.shape == (1, 2, 4)
    loss.backward()
    optimizer.step()
    after = likely()
    assert after[0] > before[0]
    assert after[1] < before[1]


def test_the_last_updates_are_those_of_the_critic(task: CaptionTask, tmp_path: Path) -> None:
    schedule, self_critical = task.recipe.schedule, task.recipe.self_critical
    taught = schedule.updates - self_critical.updates
    assert taught == 1
    trainer = Trainer(task, tmp_path)
    assert not is_self_critical(schedule, self_critical, task.update)
    trainer.update(trainer.draw())
    assert is_self_critical(schedule, self_critical, task.update)
    assert phase_learning_rate(schedule, self_critical, taught) == pytest.approx(1e-2)
    assert phase_learning_rate(schedule, self_critical, taught + 1) == pytest.approx(0.5e-2)
    assert trainer.update(trainer.draw()) >= 0, "the mean reward"
    trainer.save()
    assert trainer.state.best <= 0, "the reward on dev, below zero"
    assert (tmp_path / "checkpoint" / "model.safetensors").exists()


def test_rewards_go_by_photo() -> None:
    captions = torch.tensor([[[5, 6, 7, 8, END]], [[5, 6, 7, 8, END]]])
    first, second = compute_rewards(captions, torch.tensor([0, 1]), Reward(SAID))[:, 0].tolist()
    assert first > second
