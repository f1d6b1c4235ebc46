"""The verdict of an audit: sentences made from its figures and their baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, Protocol

import numpy as np

from heed.models.audit.audit import Audit, Band, LeftOut, band
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import Doubles
from heed.models.audit.other_trainings import sentence
from heed.models.audit.row_edits import Maps
from heed.models.trace import GridAxis, TokenAxis, Trace

BIT: Final = math.log(2)
NUMBERS: Final = {1: "", 2: "two ", 3: "three "}
SMALL: Final = 0.05  # bits, below which a figure is called less than 0.1


def verdict(audit: Audit) -> tuple[str, ...]:
    """Return the sentences: what is necessary, what agrees, and what the edge alone leaves."""
    return tuple(_sentences(audit))


class Measured(Protocol):
    """A figure of the output of a run."""

    @property
    def trace(self) -> Trace:
        """The run."""

    @property
    def choices(self) -> AuditChoices:
        """The choices behind it."""

    @property
    def maps(self) -> Maps:
        """The heads that it is about."""

    @property
    def rows(self) -> int:
        """The forced steps that were run."""


def noun_of(figure: Measured) -> str:
    """Return the noun of the keys: cell, word or piece."""
    source = figure.trace.source
    if isinstance(source, GridAxis):
        return "cell"
    whole = isinstance(source, TokenAxis) and len(source.tokens) == len(source.words)
    return "word" if whole else "piece"


def strongest_cost(audit: Audit) -> tuple[float, Band] | None:
    """Return the mean cost of the strongest keys in bits, and that of as many at random."""
    cost, random = audit.controls.cost / BIT, audit.controls.random / BIT
    rows = np.isfinite(cost)
    if not rows.any():
        return None
    return float(cost[rows].mean()), band(random[:, rows].mean(axis=1).tolist())


def edge_and_word(left: LeftOut) -> tuple[float, float] | None:
    """Return the mean cost in bits of taking the strongest word from its row, and at all."""
    whole: Doubles = left.cost[np.arange(len(left.cost)), list(left.strongest)] / BIT
    taken = left.taken / BIT
    rows = np.isfinite(taken) & np.isfinite(whole)
    return (float(taken[rows].mean()), float(whole[rows].mean())) if rows.any() else None


def _sentences(audit: Audit) -> Iterator[str]:
    noun = noun_of(audit)
    yield from _necessary(audit, noun)
    yield from _agreeing(audit, noun)
    yield from _leaking(audit, noun)
    if audit.trainings is not None:
        yield sentence(audit.trainings)


def _necessary(audit: Audit, noun: str) -> Iterator[str]:
    costs = strongest_cost(audit)
    if costs is None:
        yield f"Every row sees a single {noun}, so none can be taken away."
        return
    cost, random = costs
    count, ing = audit.controls.keys, taking(audit)
    number = NUMBERS.get(count, f"{count} ")
    some = f"{number}strongest {noun}{'s' if count > 1 else ''}"
    if max(abs(cost), abs(random.high)) < SMALL:
        yield (
            f"{ing} the {some} of a row changes what is written by less than 0.1 bits on average: "
            "the rest was enough."
        )
        return
    others = f"{number.strip() or 'one'} at random, {bits(random.mean)}"
    around = f"({bits(random.low)} to {bits(random.high)})"
    more = "" if cost > random.high else ": no more than chance"
    yield (
        f"{ing} the {some} of a row costs {bits(cost)} bits on average; {others} {around}{more}."
    )


def _agreeing(audit: Audit, noun: str) -> Iterator[str]:
    figures, place = audit.agreements, audit.agreements.place
    first, tau = figures.attention.first, figures.attention.tau
    if first is None or tau is None:
        yield f"Attention and effect cannot be compared: no {noun} has more effect than another."
        return
    flat = "the centre" if noun == "cell" else "the diagonal"
    there = "" if place.first is None else f"; {flat}: {percent(place.first)}"
    band_ = f"{two(figures.random_tau.mean)}, {two(figures.random_tau.low)} to "
    yield (
        f"The {noun} with the most attention is the one that is missed most in {percent(first)} "
        f"of the rows (one at random: {percent(figures.random_first)}{there}), and the order of "
        f"all {noun}s agrees with τ = {two(tau)} (random: {band_}{two(figures.random_tau.high)})."
    )


def _leaking(audit: Audit, noun: str) -> Iterator[str]:
    if audit.left_out is None or (both := edge_and_word(audit.left_out)) is None:
        return
    edge, whole = both
    ing = taking(audit)
    if noun == "cell":
        yield (
            f"{ing} the strongest cell at its own row costs {bits(edge)} bits on average, and at "
            f"every row {bits(whole)}."
        )
        return
    rest = (
        ": the difference reaches the output through the states of its neighbours"
        if whole > edge + 2 * SMALL
        else ""
    )
    source = audit.trace.source
    prompt = isinstance(source, TokenAxis) and source.written is not None
    word = "word of the prompt" if prompt else "word"
    yield (
        f"{ing} the strongest {word} of a row in that row alone costs {bits(edge)} bits on "
        f"average, and leaving it out of the input {bits(whole)}{rest}."
    )


def taking(audit: Measured) -> str:
    """Return the verb of the removal."""
    return "Blocking" if audit.choices.removal == "block" else "Silencing"


def bits(value: float) -> str:
    """Return a number of bits in a sentence."""
    return f"{value:.1f}".replace("-0.0", "0.0").replace("-", "−")


def two(value: float) -> str:
    """Return a number to two digits in a sentence."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def percent(share: float) -> str:
    """Return a share in a sentence."""
    return f"{math.floor(100 * share + 0.5)}\N{NO-BREAK SPACE}%"
