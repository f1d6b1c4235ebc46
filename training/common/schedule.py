"""Schedule of a training: updates, learning rates, averaging, and the self-critical phase."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from training.common.self_critical import Critic


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast the model learns."""

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
    patience: int = 0  # saves without a better loss on the dev sets before it stops; 0: never
    save_every: int = 500
    report_every: int = 50


def rate(schedule: Schedule, update: int) -> float:
    """The learning rate at an update: a line up, then a cosine down to zero."""
    if update < schedule.warmup:
        return schedule.learning_rate * (update + 1) / schedule.warmup
    done = (update - schedule.warmup) / max(schedule.updates - schedule.warmup, 1)
    return schedule.learning_rate * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


def decay(schedule: Schedule, update: int) -> float:
    """How much of the running average stays; at first it follows the weights closely."""
    return min(schedule.average, update / (update + 10))


def rate_of(schedule: Schedule, critic: Critic, update: int) -> float:
    """The learning rate at an update: that of the schedule, then that of the critic."""
    taught = schedule.updates - critic.updates
    if update < taught:
        return rate(replace(schedule, updates=taught), update)
    return critic.rate * (1 - (update - taught) / critic.updates) if critic.updates else 0.0


def criticised_yet(schedule: Schedule, critic: Critic, update: int) -> bool:
    """Whether it is the turn of the texts that the model writes itself."""
    return update >= schedule.updates - critic.updates


def in_force(schedule: Schedule, critic: Critic, update: int) -> Schedule:
    """The schedule as it is by the time of an update: that of the critic, if it has its own."""
    if not criticised_yet(schedule, critic, update - 1):
        return schedule
    average, save_every = critic.average or schedule.average, critic.save_every
    return replace(schedule, average=average, save_every=save_every or schedule.save_every)
