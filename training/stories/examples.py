"""Examples: stories with a question and its answer, of every kind and as many as one likes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from training.stories.grammar import LEAST, MOST, Story, say
from training.stories.questions import ASKERS, KINDS, Hop, Kind, Stage
from training.stories.vocabulary import CANNOT_KNOW, NO, NUMBERS, YES

ABSENT = 0.4  # unanswerable questions about a person or thing that is never mentioned
SETTLED = 0.15  # stories in which one person never moves
TRIALS = 100_000
ASKED_OF_A_STORY = 4  # attempts, before another is written


@dataclass(frozen=True, slots=True)
class Example:
    """A story, a question about it and its answer."""

    sentences: tuple[str, ...]
    question: str
    answer: str
    kind: Kind
    supporting: tuple[int, ...]  # sentences that together tell the answer; none if none does
    hops: tuple[Hop, ...]  # the sentences that each hop should read alike, -1 for none of them

    @property
    def answerable(self) -> bool:
        """Return whether the story tells the answer."""
        return self.answer != CANNOT_KNOW


def examples(
    seed: int | str, kind: Kind | None = None, *, answerable: bool | None = None
) -> Iterator[Example]:
    """Yield endless examples, the same for the same seed; of one kind or sort if given."""
    rng = Random(seed)
    while True:
        chosen = rng.choice(KINDS) if kind is None else kind
        yield draw(rng, chosen, rng.random() < 0.8 if answerable is None else answerable)


def draw(rng: Random, kind: Kind, answerable: bool) -> Example:
    """Draw a story that fits a question of this kind, which it answers or not."""
    wanted = rng.choice(NUMBERS) if kind == "count" else rng.choice((YES, NO))
    least = 3 if kind == "three" and answerable else LEAST
    length = rng.randint(least, MOST)
    absent = not answerable and (kind in ("who", "count") or rng.random() < ABSENT)
    settled = not (answerable or absent) or rng.random() < SETTLED
    focus = rng.choice((0.5, 0.8)) if kind == "count" else 0.0
    for trial in range(1, TRIALS):
        if trial % 20 == 0:
            length = rng.randint(length, MOST)
        story = Story.write(rng, length, focus=focus, settled=settled)
        for _ in range(ASKED_OF_A_STORY):
            asked = ASKERS[kind](rng, Stage.of(story, absent=absent))
            if asked is None or (asked.answer != CANNOT_KNOW) != answerable:
                continue
            if answerable and kind in ("count", "yes-no") and asked.answer != wanted:
                continue
            told = tuple(say(rng, event) for event in story.events)
            return Example(told, asked.ask(rng), asked.answer, kind, asked.supporting, asked.hops)
    raise RuntimeError(f"no story fits a question of the kind {kind}")
