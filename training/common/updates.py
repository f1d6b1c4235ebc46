"""The updates of a training with one schedule, without a self-critical phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from tqdm import tqdm

from training.common.averaging import update_average
from training.common.schedule import Schedule, average_decay, learning_rate


class Run(Protocol):
    """The state of a training that updates change."""

    @property
    def model(self) -> torch.nn.Module:
        """The network that is trained."""

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """Its optimizer."""

    @property
    def average(self) -> dict[str, torch.Tensor]:
        """The running average of its weights."""

    update: int


def apply_gradients(run: Run, schedule: Schedule) -> None:
    """Update the weights by their gradients, and the running average of the weights."""
    for group in run.optimizer.param_groups:
        group["lr"] = learning_rate(schedule, run.update)
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    update_average(run.average, run.model, average_decay(schedule, run.update))


def make_updates(
    run: Run,
    schedule: Schedule,
    name: str,
    step: Callable[[], float],
    save: Callable[[], list[str]],
) -> None:
    """Make the updates that are left, show the loss, and save; `save` returns what to report."""
    with tqdm(total=schedule.updates, initial=run.update, unit="update", desc=name) as bar:
        while run.update < schedule.updates:
            loss = step()
            bar.update()
            if run.update % schedule.report_every == 0:
                rate = learning_rate(schedule, run.update)
                bar.set_postfix(loss=f"{loss:.4f}", rate=f"{rate:.1e}")
            if run.update % schedule.save_every == 0 or run.update == schedule.updates:
                for line in save():
                    bar.write(line)
