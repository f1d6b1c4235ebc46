"""A model of text to text, asked in strings and answered in traces.

text → tokens → runtime.encode → search(runtime.step) → Trace
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from models.errors import InputError
from models.maps import Read, decoder_maps, encoder_maps, read_of
from models.runtime import Runtime
from models.search import Decoding, Hypothesis, Plan, search
from models.tokenizer import BytePieces
from models.trace import (
    Alternative,
    ModelStamp,
    Output,
    SearchRequest,
    Timing,
    TokenAxis,
    Trace,
    TraceRequest,
    TraceStep,
)
from models.zoo import Card


@dataclass(frozen=True, slots=True)
class Ask:
    """A text to be read; with a target, the model is told what to write."""

    text: str
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)


class Progress(NamedTuple):
    """The best hypothesis so far; its positions before `since` are as they were."""

    since: int
    output: Output


class Translator:
    """A runtime with its tokenizer and card. It holds no state between calls."""

    def __init__(self, card: Card, runtime: Runtime[Any], tokenizer: BytePieces) -> None:
        self.card = card
        self._runtime = runtime
        self._tokenizer = tokenizer

    def check(self, ask: Ask) -> None:
        """Raise `InputError` if the model cannot run this."""
        self.read(ask)

    def run(
        self,
        asks: Sequence[Ask],
        *,
        between_steps: Callable[[], None] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> list[Trace]:
        """Run a batch together. `between_steps` may raise to abort; `on_progress` wants one ask."""
        if on_progress and len(asks) != 1:
            raise ValueError("progress can be told of one text only")
        sources, plans = zip(*(self.read(ask) for ask in asks), strict=True)
        began = time.perf_counter()
        encoded = self._runtime.encode([[token.id for token in axis.tokens] for axis in sources])
        texts = [read_of(encoded, row, len(axis)) for row, axis in enumerate(sources)]
        after_reading = time.perf_counter()
        written: tuple[int, ...] = ()
        decodings: list[Decoding] = []
        for decodings in search(
            self._runtime, encoded.state, plans, [len(axis) for axis in sources]
        ):
            if between_steps:
                between_steps()
            if on_progress:
                leader = decodings[0].leading()
                tokens = tuple(step.token for step in leader.path())
                since = _first_difference(written, tokens)
                on_progress(Progress(since, self._output(plans[0], leader, texts[0])))
                written = tokens
        timing = Timing(1e3 * (after_reading - began), 1e3 * (time.perf_counter() - after_reading))
        return [
            self._trace(ask, axis, decoding, read, timing)
            for ask, axis, decoding, read in zip(asks, sources, decodings, texts, strict=True)
        ]

    def read(self, ask: Ask) -> tuple[TokenAxis, Plan]:
        """The tokens of an ask and the plan for its output, or `InputError`."""
        source = self._axis(ask.text, "text")
        limits = self.card.limits
        if ask.target is None:
            return source, Plan(ask.search, limits.steps)
        target = self._axis(ask.target, "target")
        ids = tuple(token.id for token in target.tokens)
        return source, Plan(ask.search, len(ids), ids)

    def _axis(self, text: str, name: str) -> TokenAxis:
        """The axis of the user's own string, which may be empty, too long or not even text."""
        limits = self.card.limits
        what, most = ("input", limits.tokens) if name == "text" else ("target", limits.steps)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            place = error.start
            raise InputError(
                "invalid_text", f"Character {place} is half of a surrogate pair: not text.", name
            ) from error
        if not text:
            raise InputError(f"empty_{name}", f"The {what} is empty: write something.", name)
        if len(text) > limits.characters:
            message = f"The {what} has {len(text)} characters; {self.card.id} takes at most "
            raise InputError(f"{name}_too_long", f"{message}{limits.characters}: shorten it.", name)
        axis = self._tokenizer.encode(text, "sum" if name == "text" else "mean")
        if len(axis.words) == 1:  # the end mark alone
            raise InputError(f"empty_{name}", f"The {what} is blank: write something.", name)
        if len(axis) > most:
            message = f"The {what} has {len(axis)} tokens with its end mark; {self.card.id} takes "
            raise InputError(f"{name}_too_long", f"{message}at most {most}: shorten it.", name)
        return axis

    def _trace(
        self,
        ask: Ask,
        source: TokenAxis,
        decoding: Decoding,
        read: Read,
        timing: Timing,
    ) -> Trace:
        card, plan = self.card, decoding.plan
        best, *others = [self._output(plan, hypothesis, read) for hypothesis in decoding.ranked()]
        return Trace(
            model=ModelStamp(card.id, card.weights, card.mechanism, card.order),
            task=card.task,
            request=TraceRequest(ask.text, ask.search, ask.target),
            source=source,
            output=best,
            runners_up=tuple(others),
            timing=timing,
            memory=read.memory,
        )

    def _output(self, plan: Plan, hypothesis: Hypothesis, read: Read) -> Output:
        path = hypothesis.path()
        records = [step.record for step in path if step.record is not None]
        target = self._tokenizer.written([step.token for step in path])
        looked = [record.attended for record in records]
        maps = [
            *decoder_maps(self._runtime.step_groups, looked, read),
            *encoder_maps(self._runtime.encode_groups, read),
        ]
        return Output(
            target=target,
            maps=tuple(maps),
            steps=tuple(
                TraceStep(
                    record.log_probability,
                    tuple(
                        Alternative(token, self._tokenizer.text_of(token), probability)
                        for token, probability in record.alternatives
                    ),
                    record.query,
                    record.context,
                    record.state,
                )
                for record in records
            ),
            log_probability=hypothesis.log_probability,
            score=hypothesis.score(plan.search.length_penalty),
            finish="forced" if plan.forced else "end" if hypothesis.ended else "length",
        )


def _first_difference(old: Sequence[int], new: Sequence[int]) -> int:
    for place, (before, now) in enumerate(zip(old, new, strict=False)):
        if before != now:
            return place
    return min(len(old), len(new))
