"""The training of any task: updates, running average, saves, and the way back to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic

import torch
from tqdm import tqdm

from training.common.averaging import averaged, update_average
from training.common.command_line import DATA
from training.common.recipe import Recipe
from training.common.schedule import (
    average_decay,
    is_self_critical,
    phase_learning_rate,
    phase_schedule,
)
from training.common.state import TrainingState, random_states, set_random_states
from training.common.task import BatchT, Task

STATE = "last.pt"
CHECKPOINT = "checkpoint"


def train(
    kind: type[Task[Any, Any]],
    recipe: Recipe,
    runs: Path,
    data: Path = DATA,
    *,
    baseline: bool = False,
    seed: int | None = None,
) -> Path:
    """Train by a recipe, or from another seed, and return the folder of the checkpoint.

    An interrupted training continues from its last save, and gives the weights that it would have
    given without the interruption.
    """
    suffix = f"-{kind.baseline_of.name}" if baseline and kind.baseline_of else ""
    if seed is not None:
        recipe = replace(recipe, schedule=replace(recipe.schedule, seed=seed))
        suffix += f"-seed-{seed}"
    trainer = Trainer(kind(recipe, data, runs, baseline=baseline), runs / f"{recipe.id}{suffix}")
    trainer.resume()
    return trainer.train()


class Trainer(Generic[BatchT]):
    """A training of one task, which is kept in a folder."""

    def __init__(self, task: Task[Any, BatchT], folder: Path) -> None:
        self.task = task
        self.folder = folder
        self.state = TrainingState.begin(task.model, task.optimizer())
        self._epoch: Iterator[BatchT] | None = None

    def resume(self) -> None:
        """Restore the last save, if there is one."""
        path = self.folder / STATE
        if not path.exists():
            return
        data, now = self.state.resume(path)
        self.task.restore_data(data)
        self.task.update = self.state.update
        # The batches that were drawn before the save are drawn again, from the same numbers.
        set_random_states(self.state.epoch_start)
        self._epoch = self.task.epoch(self.state.epoch)
        for _ in islice(self._epoch, self.state.drawn):
            pass
        set_random_states(now)

    def train(self) -> Path:
        """Make the updates that are left and return the folder of the checkpoint."""
        self.folder.mkdir(parents=True, exist_ok=True)
        state, schedule = self.state, self.task.recipe.schedule
        name = self.task.recipe.id
        with tqdm(total=schedule.updates, initial=state.update, unit="update", desc=name) as bar:
            while state.update < schedule.updates and not self._is_out_of_patience():
                shown = self.update(self.draw())
                bar.update()
                if state.update % schedule.report_every == 0:
                    bar.set_postfix(self._progress(shown))
                if state.update in self.task.snapshots:
                    with self.averaged():
                        self.task.snapshot(self.folder)
                now = phase_schedule(schedule, self.task.phase, state.update)
                if state.update % now.save_every == 0 or state.update == schedule.updates:
                    bar.write(self.save())
        return self.folder / CHECKPOINT

    def draw(self) -> BatchT:
        """Draw the next batch."""
        state = self.state
        while True:
            if self._epoch is None:
                state.epoch_start, state.drawn = random_states(), 0
                self._epoch = self.task.epoch(state.epoch)
            for batch in self._epoch:
                state.drawn += 1
                return batch
            state.epoch, self._epoch = state.epoch + 1, None

    def update(self, batch: BatchT) -> float:
        """Make one update and return the figure of its losses."""
        state, task = self.state, self.task
        schedule = task.recipe.schedule
        rate = phase_learning_rate(schedule, task.phase, state.update)
        for group in state.optimizer.param_groups:
            waits = state.update < group.get("after", 0)
            group["lr"] = 0.0 if waits else group.get("share", 1.0) * rate
        state.model.train()
        state.optimizer.zero_grad(set_to_none=True)
        shown = 0.0
        for loss in task.losses(batch):
            (loss.share * loss.total).backward()  # type: ignore[no-untyped-call]
            shown += loss.share * float(loss.shown.detach())
        torch.nn.utils.clip_grad_norm_(state.model.parameters(), schedule.clip)
        state.optimizer.step()
        task.update = state.update = state.update + 1
        if state.update % task.average_every == 0:
            now = phase_schedule(schedule, task.phase, state.update)
            decay = average_decay(now, state.update) ** task.average_every
            update_average(state.average, state.model, decay)
        return shown

    def averaged(self) -> AbstractContextManager[None]:
        """Give the network its averaged weights, without dropout, within a `with` block."""
        return averaged(self.state.model, self.state.average)

    def save(self) -> str:
        """Measure the averaged weights, keep them if they are the best, and save the state."""
        state = self.state
        with self.averaged():
            quality = self.task.evaluate()
            if quality.loss is None or quality.loss < state.best:
                state.best, state.waited = state.best if quality.loss is None else quality.loss, 0
                self.task.write(self.folder / CHECKPOINT)
            else:
                state.waited += 1
        state.save(self.folder / STATE, self.task.data_state())
        best = "" if quality.loss is None else f"; {state.best:.4f} at best"
        return f"update {state.update}: {quality.report}{best}"

    def _is_out_of_patience(self) -> bool:
        """Return whether the loss on the dev sets has not improved for `patience` saves."""
        return 0 < self.task.recipe.schedule.patience <= self.state.waited

    def _progress(self, shown: float) -> dict[str, str]:
        """Return the figures beside the bar."""
        schedule, phase, update = self.task.recipe.schedule, self.task.phase, self.state.update
        name = "reward" if is_self_critical(schedule, phase, update - 1) else "loss"
        rate = phase_learning_rate(schedule, phase, update)
        return {name: f"{shown:.4f}", "rate": f"{rate:.1e}"}
