"""Eager PyTorch: a network of the same sizes, written as tutorials write it.

In every step the keys are projected anew, as in "NLP from scratch: translation with a sequence to
sequence network and attention" (pytorch.org); or they are precomputed, which is the first thing to
mend. Shapes: `B` texts, `K` tokens read, `D` width, `V` vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.case import Call, Case, network_of, tokenizer_of
from benchmarks.sentences import sentences
from heed.models.config import RecurrentConfig
from heed.models.text.tokenizer import START


class Network(nn.Module):
    """A GRU in both directions, additive attention, and a GRU that writes."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        memory, asking = config.memory_width, config.decoder_width + config.embedding
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        self.encoder = nn.GRU(
            config.embedding, config.encoder_width, batch_first=True, bidirectional=True
        )
        self.bridge = nn.Linear(memory, config.decoder_width)
        self.key = nn.Linear(memory, config.attention_width)
        self.query = nn.Linear(asking, config.attention_width, bias=False)
        self.energy = nn.Linear(config.attention_width, 1, bias=False)
        self.cell = nn.GRU(config.embedding + memory, config.decoder_width, batch_first=True)
        self.join = nn.Linear(config.decoder_width + memory + config.embedding, config.embedding)
        self.output = nn.Linear(config.embedding, config.vocabulary)
        self.output.weight = self.embedding.weight

    def forward(self, source: Tensor, length: int, *, precomputed: bool) -> tuple[Tensor, Tensor]:
        """Tokens (B, `length`) and attention (B, `length`, K), greedily."""
        memory, ends = self.encoder(self.embedding(source))
        hidden = torch.tanh(self.bridge(torch.cat([ends[0], ends[1]], dim=-1))).unsqueeze(0)
        keys = self.key(memory) if precomputed else None
        token = torch.full((len(source), 1), START)
        tokens, attention = [], []
        for _ in range(length):
            embedded = self.embedding(token)  # (B, 1, D)
            query = self.query(torch.cat([hidden[-1].unsqueeze(1), embedded], dim=-1))
            scores = self.energy(torch.tanh(query + (self.key(memory) if keys is None else keys)))
            weights = F.softmax(scores.transpose(1, 2), dim=-1)  # (B, 1, K)
            context = torch.bmm(weights, memory)
            out, hidden = self.cell(torch.cat([embedded, context], dim=-1), hidden)
            joined = torch.tanh(self.join(torch.cat([out, context, embedded], dim=-1)))
            logits = F.log_softmax(self.output(joined), dim=-1)  # (B, 1, V)
            token = logits.argmax(dim=-1)
            tokens.append(token)
            attention.append(weights)
        return torch.cat(tokens, dim=1), torch.cat(attention, dim=1)


class Tutorial:
    """Random weights, and no end mark to look out for."""

    def __init__(self, model: str, threads: int | None, *, precomputed: bool) -> None:
        if threads:
            torch.set_num_threads(threads)
        torch.manual_seed(1)
        config = network_of(model)
        assert isinstance(config, RecurrentConfig)
        self._tokenizer = tokenizer_of(model)
        self._network = Network(config).eval()
        self._precomputed = precomputed

    def call(self, case: Case) -> Call:
        """From the tokens to tokens and attention; the tokens are made before."""
        texts = sentences(self._tokenizer, case.length, case.batch)
        ids = torch.tensor([self._tokenizer.ids(text) for text in texts])
        return lambda: self.generate(ids, case.length)

    def generate(self, ids: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """Write so many tokens for each of the texts (B, K)."""
        with torch.inference_mode():
            tokens, attention = self._network(ids, length, precomputed=self._precomputed)
        return tokens, attention
