"""Rewritten instead of forced: the outputs that a model writes by itself without each word.

A word is taken from every row of the map (`edge`), or from the input (`word`); of a picture a cell
is taken from every row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from heed.models.audit.audit import LeavingOut
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import AT_ONCE
from heed.models.audit.row_edits import Maps
from heed.models.audit.run import FigureRun, S
from heed.models.errors import NonFiniteOutputError
from heed.models.generation.search import Plan, search
from heed.models.generation.size import expected_length
from heed.models.runtime.protocol import EncodeOptions
from heed.models.text.tokenizer import whole_words
from heed.models.trace import Axis, Trace

MOST_AT_ONCE: Final = 2048
"""Tokens of all outputs of a call, if none ends before the limit: each row has the keys and values
of what it wrote, and without a word a model may repeat itself."""


class Rewriting(NamedTuple):
    """The output without one word."""

    word: int  # of the axis that is read; of a picture, its cell
    text: str
    changed: int  # words: inserted, removed or replaced


@dataclass(frozen=True)
class Rewritten:
    """The outputs of a model without each word of its input, or each cell."""

    trace: Trace
    choices: AuditChoices
    maps: Maps
    text: str  # with all words
    words: int  # of that text
    outputs: tuple[Rewriting, ...]
    rows: int  # steps that were run

    @property
    def kept(self) -> int:
        """The outputs that stay as they are."""
        return sum(output.changed == 0 for output in self.outputs)


class RewrittenRun(FigureRun[S, Rewritten]):
    """The run that writes again without each word."""

    @property
    def _plan(self) -> Plan:
        """The search of the request, in which no token is given, and no map is kept."""
        longest = self._pipeline.card.limits.steps
        return replace(self._prepared.plan, longest=longest, target=(), recorded=False)

    def _of_one(self, source: Axis) -> int:
        """Return how many tokens an output is expected to have, in all hypotheses together."""
        return self._plan.width * expected_length(len(source), self._plan.longest)

    def _price(self, source: Axis, written: int) -> int:
        return len(source) * max(self._of_one(source), written)

    def _steps(self, trace: Trace) -> Iterator[None]:
        left = LeavingOut(trace.source, self.maps, self._choices.removal)
        choices = replace(self._choices, unit="edge") if left.cells else self._choices
        given, plan = self._prepared.source, self._plan
        usual: list[str] = []
        yield from self._write([given], (), plan, usual)
        outputs: list[str] = []
        at_once = min(AT_ONCE, max(1, MOST_AT_ONCE // (plan.width * plan.longest)))
        for first in range(0, len(left.words), at_once):
            some = slice(first, first + at_once)
            if choices.unit == "edge":
                edits = [self.maps.plan(self._choices.removal, keys) for keys in left.tokens[some]]
                yield from self._write([given] * len(edits), edits, plan, outputs)
            else:
                yield from self._write(left.inputs(given, some)[0], (), plan, outputs)
        before = [word.text for word in whole_words(usual[0])]
        made: list[Rewriting] = []
        for word, text in zip(left.words, outputs, strict=True):
            after = [later.text for later in whole_words(text)]
            made.append(Rewriting(word, text, changed_words(before, after)))
            yield  # the count takes milliseconds for a long text
        self._result = Rewritten(
            trace,
            choices,
            self.maps,
            usual[0],
            len(before),
            tuple(made),
            self.rows,
        )

    def _write(
        self, sources: Sequence[S], edits: Sequence[Any], plan: Plan, texts: list[str]
    ) -> Iterator[None]:
        """Write an output for each source, by the search of the request."""
        runtime, header = self._pipeline.runtime, self._prepared.opening
        state = runtime.encode(sources, EncodeOptions(by_tiles=False, edits=edits)).state
        lengths = [header.lengths] * len(sources)
        decodings: Sequence[Any] = ()
        for decodings in search(runtime, state, [plan] * len(sources), lengths):
            self.rows += sum(len(decoding.rows) for decoding in decodings)
            yield
        if any(decoding.broken for decoding in decodings):
            raise NonFiniteOutputError("the model computed NaN or infinity under an edit")
        for decoding in decodings:
            path = decoding.ranked()[0].path()
            texts.append(self._pipeline.tokenizer.written([step.token for step in path]).text)


def changed_words(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the least words that are inserted, removed or replaced between two texts."""
    costs = list(range(len(after) + 1))
    for row, word in enumerate(before, 1):
        diagonal, costs[0] = costs[0], row
        for column, other in enumerate(after, 1):
            diagonal, costs[column] = (
                costs[column],
                min(costs[column] + 1, costs[column - 1] + 1, diagonal + (word != other)),
            )
    return costs[-1]
