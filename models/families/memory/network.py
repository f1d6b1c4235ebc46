"""An end-to-end memory network: a question attends to the sentences of a story, hop after hop.

Sukhbaatar et al. 2015, "End-To-End Memory Networks", with adjacent weight tying: the values of a
hop are the keys of the next. Shapes: `B` stories, `S` sentences, `W` words of a sentence, `H` hops,
`D` width, `V` vocabulary, `A` answers.

Row 0 of every story is the empty sentence, one word `NOTHING`. A question that no sentence answers
attends to it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heed.models.families.memory.config import MemoryNetworkConfig
from heed.models.families.memory.stories import PADDING
from heed.models.networks.dropout import Dropout


class Hops(NamedTuple):
    """Every vector and weight of an answer, by hop."""

    scores: Tensor  # (B, H, S), the product of query and key, -inf where there is no sentence
    weights: Tensor  # (B, H, S)
    queries: Tensor  # (B, H, D), u of each hop
    keys: Tensor  # (B, H, S, D), m
    values: Tensor  # (B, H, S, D), c
    contexts: Tensor  # (B, H, D), o
    states: Tensor  # (B, H, D), u after each hop
    logits: Tensor  # (B, H, A), of the answers after each hop; those of the last are the answer


class MemoryNetwork(nn.Module):
    """A memory of sentences, and a query that changes with what it reads.

    In each hop: 1. score every sentence, e = u·m  2. weigh, α = softmax(e)  3. read, o = Σ α c
    4. update, u' = ρ(R u + o), where ρ rectifies every other unit (section 5 of the paper).
    """

    def __init__(self, config: MemoryNetworkConfig) -> None:
        super().__init__()
        self.config = config
        tables, width = config.hops + 1, config.width
        self.question_embedding = nn.Parameter(torch.randn(config.vocabulary, width) * 0.1)
        self.sentence_embeddings = nn.Parameter(torch.randn(config.vocabulary, tables, width) * 0.1)
        self.temporal_encoding = nn.Parameter(
            torch.randn(config.sentences + 1, tables, width) * 0.1
        )
        self.transitions = nn.Parameter(torch.eye(width).repeat(config.hops, 1, 1))
        self.hidden = nn.Linear(width, width)
        self.dropout = Dropout(config.dropout)
        self.answer = nn.Linear(width, config.answers)
        depth = torch.arange(1, width + 1) / width
        self.register_buffer("depth", depth, persistent=False)
        self.register_buffer("rectified", torch.arange(width) % 2 == 1, persistent=False)
        self.depth: Tensor
        self.rectified: Tensor

    def forward(self, story: Tensor, sentences: Tensor, question: Tensor) -> Hops:
        """Answer questions (B, W) about stories (B, S, W) whose `sentences` (B, S) are no padding.

        A story begins with its empty sentence, and its padding stands at the end.
        """
        memories = self.remember(story, sentences)  # (B, H + 1, S, D)
        state = self.encode(question, self.question_embedding[:, None]).squeeze(1)
        queries, scores, weights, contexts, states = [], [], [], [], []
        for hop, transition in enumerate(self.transitions):
            queries.append(state)
            score = torch.einsum("bd,bsd->bs", state, memories[:, hop])
            scores.append(score.masked_fill(~sentences, -torch.inf))
            weights.append(self.weigh(scores[-1]))
            contexts.append(torch.einsum("bs,bsd->bd", weights[-1], memories[:, hop + 1]))
            state = state @ transition.T + contexts[-1]
            state = torch.where(self.rectified, state.relu(), state)
            states.append(state)
        after = torch.stack(states, dim=1)
        return Hops(
            torch.stack(scores, dim=1),
            torch.stack(weights, dim=1),
            torch.stack(queries, dim=1),
            memories[:, :-1],
            memories[:, 1:],
            torch.stack(contexts, dim=1),
            after,
            self.answer(self.dropout(self.hidden(after).relu())),
        )

    def weigh(self, scores: Tensor) -> Tensor:
        """Return the weights of the sentences (B, S)."""
        return torch.softmax(scores, dim=-1)

    def remember(self, story: Tensor, sentences: Tensor) -> Tensor:
        """Encode the sentences of a story in time: (B, H + 1, S, D).

        Hop k has the memories k as its keys and the memories k + 1 as its values.
        """
        encoded = self.encode(story.flatten(0, 1), self.sentence_embeddings)
        timed = encoded.view(*story.shape[:2], *self.sentence_embeddings.shape[1:])
        timed = timed + self.temporal_encoding[self.ages(sentences)]
        return timed.transpose(1, 2)

    def ages(self, sentences: Tensor) -> Tensor:
        """Count the sentences from the newest back: 0, 1, … (B, S).

        Those beyond the longest story share the last age. The empty sentence has one of its own.
        """
        places = torch.arange(sentences.shape[1], device=sentences.device)
        ages = sentences.sum(dim=1, keepdim=True) - 1 - places
        ages = ages.clamp(0, self.config.sentences - 1)
        return torch.where(places == 0, self.config.sentences, ages)

    def encode(self, words: Tensor, tables: Tensor) -> Tensor:
        """Encode sentences (N, W) with several embeddings (V, T, D) at once: (N, T, D).

        The position encoding of section 4.1: word j of J counts l_k = (1 - j/J) - k/D (1 - 2j/J)
        in dimension k. It is linear in k/D, so two bags of words are all that is multiplied.
        """
        real = words != PADDING
        length = real.sum(dim=-1, keepdim=True).clamp(min=1)
        place = torch.arange(1, words.shape[1] + 1, device=words.device) / length
        empty = tables.new_zeros(len(words), len(tables))
        start = empty.scatter_add(1, words, torch.where(real, 1 - place, 0.0))  # (N, V)
        slope = empty.scatter_add(1, words, torch.where(real, 1 - 2 * place, 0.0))
        flat = tables.flatten(1)
        encoded = start @ flat - self.depth.repeat(tables.shape[1]) * (slope @ flat)
        return encoded.view(-1, *tables.shape[1:])
