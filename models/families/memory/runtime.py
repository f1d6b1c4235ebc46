"""A memory network in NumPy.

The stories of a batch are read one by one, so none is padded and none changes with its company.
Shapes: `S` sentences, `H` hops, `T` = H + 1 tables, `D` width, `V` vocabulary, `A` answers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.families.memory.config import MemoryNetworkConfig
from heed.models.families.memory.result import HOPS, StoryInput, StoryResult
from heed.models.runtime.edited import EditPlan, Plans, edited_row
from heed.models.runtime.numpy.operations import Weights, log_softmax, relu, softmax
from heed.models.runtime.protocol import Tokens
from heed.models.trace import Floats


class NumpyMemoryNetwork:
    """A memory network; `network.py` names the formulas."""

    def __init__(self, config: MemoryNetworkConfig, weights: Weights) -> None:
        self.config = config
        tables, width = config.hops + 1, config.width
        vocabulary, oldest = config.vocabulary, config.sentences + 1
        self._question = weights("question_embedding", vocabulary, width)[:, None]
        self._sentences = weights("sentence_embeddings", vocabulary, tables, width)
        self._temporal = weights("temporal_encoding", oldest, tables, width)
        self._transitions = weights("transitions", config.hops, width, width)
        self._hidden = weights.linear("hidden", width, width)
        self._answer = weights.linear("answer", config.answers, width)
        self._depth = np.arange(1, width + 1, dtype=np.float32) / np.float32(width)
        self._rectified = np.arange(width) % 2 == 1

    def answer(self, inputs: Sequence[StoryInput], plans: Plans = ()) -> list[StoryResult]:
        """Answer a batch of questions about stories, perhaps under edits."""
        plans = plans or [None] * len(inputs)
        return [self._read(story, plan) for story, plan in zip(inputs, plans, strict=True)]

    def _read(self, story: StoryInput, plan: EditPlan | None) -> StoryResult:
        memories = self._remember(story.memory)
        state = self._encode([story.question], self._question)[0, 0]
        queries, scores, weights, contexts, states = [], [], [], [], []
        for hop, transition in enumerate(self._transitions):
            queries.append(state)
            scores.append(memories[hop] @ state)
            weights.append(edited_row(plan, HOPS, hop, scores[-1], softmax(scores[-1])))
            contexts.append(weights[-1] @ memories[hop + 1])
            state = transition @ state + contexts[-1]
            state = np.where(self._rectified, relu(state), state)
            states.append(state)
        after = np.stack(states)
        return StoryResult(
            np.stack(scores),
            np.stack(weights),
            np.stack(queries),
            memories[:-1],
            memories[1:],
            np.stack(contexts),
            after,
            log_softmax(self._answer(relu(self._hidden(after)))),
        )

    def _remember(self, sentences: Sequence[Tokens]) -> Floats:
        """Encode the sentences of a story in time: (T, S, D)."""
        places = np.arange(len(sentences))
        ages = np.minimum(len(sentences) - 1 - places, self.config.sentences - 1)
        ages[0] = self.config.sentences  # the empty sentence has an age of its own
        timed = self._encode(sentences, self._sentences) + self._temporal[ages]
        return np.ascontiguousarray(timed.transpose(1, 0, 2))

    def _encode(self, sentences: Sequence[Tokens], tables: Floats) -> Floats:
        """Encode sentences with embeddings (V, T, D): (S, T, D)."""
        return np.stack([self._encode_words(words, tables) for words in sentences])

    def _encode_words(self, words: Tokens, tables: Floats) -> Floats:
        """Encode the words of a sentence with their positions, as section 4.1 does: (T, D)."""
        place = np.arange(1, len(words) + 1, dtype=np.float32)[:, None] / np.float32(len(words))
        position = (1 - place) - self._depth * (1 - 2 * place)  # (words, D)
        encoded: Floats = np.einsum("wd,wtd->td", position, tables[list(words)])
        return encoded
