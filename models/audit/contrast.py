"""Contrast: why one word and not another, by cell (Yin and Neubig 2022, for cells of attention).

A cell's contrast is the difference of its effects on two words: that on log p of the word that was
written, less that on log p of the other. Before the pieces of the words part, both are the same
steps, and the contrast is exactly 0.

Shapes: `Q` tokens of the output up to the end of the word, `K` keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import Doubles
from heed.models.audit.row_edits import Maps, RowPlans
from heed.models.audit.run import FigureRun, S, word_rows
from heed.models.errors import InputError
from heed.models.text.checks import check_text
from heed.models.text.tokenizer import END, END_TEXT
from heed.models.trace import Axis, TokenAxis, Trace

PIECES = 4  # that another word is expected to have


@dataclass(frozen=True)
class Contrast:
    """The contrast of two words at one place of an output, in natural logarithms."""

    trace: Trace
    choices: AuditChoices
    maps: Maps
    word: str  # that was written
    other: str
    row: int  # the first of the word
    parts_at: int  # the first row whose piece differs
    log_probabilities: tuple[float, float]  # of both words, after the same words
    attention: Doubles  # (K,), the mean of the word's rows
    costs: Doubles  # (Q, K)
    rows: int  # forced steps that were run

    @property
    def total(self) -> Doubles:
        """The contrast of each key (K,), summed over the rows."""
        total: Doubles = self.costs.sum(axis=0)
        return total


class ContrastRun(FigureRun[S, Contrast]):
    """The run of a contrast."""

    def _price(self, source: Axis, written: int) -> int:
        self._choices.needed_row()
        if not (self._choices.other or "").strip():
            message = "A contrast takes another word for the row, in `other`."
            raise InputError("missing_field", message, "other")
        return 2 * (written + PIECES * len(source))

    def _steps(self, trace: Trace) -> Iterator[None]:
        """Force both words behind the same words, and take each key from each of their rows."""
        target, row = trace.output.tokens, self._choices.needed_row()
        of_word = word_rows(target, row)
        first, ids = of_word[0], [token.id for token in target.tokens]
        own, other = [ids[at] for at in of_word], self._pieces(target, first)
        shared = next(
            (at for at, both in enumerate(zip(own, other, strict=False)) if both[0] != both[1]),
            min(len(own), len(other)),
        )
        self.total = 2 * first + (len(own) + len(other) - 2 * shared) * len(trace.source)
        sums, maps, attention = [], [], []
        for pieces in (own, other):
            logs, costs = 0.0, np.zeros((first + len(pieces), len(trace.source)))
            steps = self._forced([*ids[:first], *pieces])
            for step in steps:
                weights, seen = self.maps.attention(step)
                logs += step.log_probability if step.query >= first else 0.0
                if pieces is own and step.query >= first:
                    attention.append(weights)
                if step.query < first + shared or len(seen) < 2:
                    yield
                    continue
                plans = RowPlans(self.maps, step, self._choices.removal)
                taken: list[float] = []
                for answers in steps.again(
                    step, [plans.without([key]) for key in seen], distances=False
                ):
                    taken.extend(answers.log_probabilities)
                    self.rows += len(answers.log_probabilities)
                    yield
                costs[step.query, seen] = step.log_probability - np.array(taken)
            sums.append(logs)
            maps.append(costs)
        contrast = np.zeros((max(map(len, maps)), len(trace.source)))
        contrast[: len(maps[0])] += maps[0]
        contrast[: len(maps[1])] -= maps[1]
        self._result = Contrast(
            trace,
            self._choices,
            self.maps,
            target.words[target.tokens[row].word].text,
            (self._choices.other or "").strip(),
            first,
            first + shared,
            (sums[0], sums[1]),
            np.mean(attention, axis=0),
            contrast,
            self.rows,
        )

    def _pieces(self, target: TokenAxis, first: int) -> list[int]:
        """Return the pieces of the other word, as they stand behind those before a row."""
        other = (self._choices.other or "").strip()
        if other == END_TEXT:
            return [END]
        try:
            check_text(self._pipeline.card, other, "text")
        except InputError as error:  # its codes are those of texts
            raise InputError(error.code, error.message, "other") from None
        before = target.text[: target.tokens[first].start].rstrip()
        spaced = target.text[len(before) :][:1].isspace()
        if target.tokens[first].special:  # the end, behind which a word would begin
            spaced = other[:1].isalnum()
        whole = self._pipeline.tokenizer.encode(f"{before}{' ' * spaced}{other}", "mean")
        ids = [
            token.id
            for token in whole.tokens
            if not token.special and token.end > len(before) and token.end > token.start
        ]
        if not ids:
            message = f"{self._pipeline.card.name} cannot write “{other[:40]}”."
            raise InputError("unknown_characters", message, "other")
        limit = self._pipeline.card.limits.steps
        if first + len(ids) > limit:
            message = f"The other word has {len(ids)} pieces, too many for an output of {limit}."
            raise InputError("text_too_long", message, "other")
        return ids
