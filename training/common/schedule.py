"""Schedule of a training: updates, learning rates, averaging, and the self-critical phase."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from training.common.self_critical import SelfCritical


@dataclass(frozen=True, slots=True)
class Schedule:
    """Length and speed of a training."""

    seed: int
    updates: int
    batch: int  # examples an update; tokens, padding included, where `by_tokens`
    learning_rate: float
    warmup: int  # updates until the learning rate is reached; it then falls to zero as a cosine
    label_smoothing: float = 0.0
    weight_decay: float = 0.0
    clip: float = 1.0  # largest norm of the gradient
    average: float = 0.0  # decay of the running average of the weights that is shipped; 0: none
    by_tokens: bool = False
    patience: int = 0  # saves without a lower loss on the dev sets before it stops; 0: no limit
    save_every: int = 500
    report_every: int = 50


def learning_rate(schedule: Schedule, update: int) -> float:
    """Return the learning rate at an update: a linear warm-up, then a cosine down to zero."""
    if update < schedule.warmup:
        return schedule.learning_rate * (update + 1) / schedule.warmup
    done = (update - schedule.warmup) / max(schedule.updates - schedule.warmup, 1)
    return schedule.learning_rate * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


def average_decay(schedule: Schedule, update: int) -> float:
    """Return the decay of the running average; at first it follows the weights closely."""
    return min(schedule.average, update / (update + 10))


def phase_learning_rate(schedule: Schedule, phase: SelfCritical, update: int) -> float:
    """Return the learning rate at an update, in the self-critical phase that of the phase."""
    supervised = schedule.updates - phase.updates
    if update < supervised:
        return learning_rate(replace(schedule, updates=supervised), update)
    return phase.rate * (1 - (update - supervised) / phase.updates) if phase.updates else 0.0


def is_self_critical(schedule: Schedule, phase: SelfCritical, update: int) -> bool:
    """Return whether an update belongs to the self-critical phase."""
    return update >= schedule.updates - phase.updates


def phase_schedule(schedule: Schedule, phase: SelfCritical, update: int) -> Schedule:
    """Return the schedule before an update, with what the self-critical phase overrides."""
    if not is_self_critical(schedule, phase, update - 1):
        return schedule
    average, save_every = phase.average or schedule.average, phase.save_every
    return replace(schedule, average=average, save_every=save_every or schedule.save_every)
