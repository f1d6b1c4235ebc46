"""A recurrent encoder and decoder put together.

Shapes: `B` batch, `K` source tokens, `Q` target tokens, `V` vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heed.models.config import RecurrentConfig
from heed.models.networks.attention import Keys
from heed.models.networks.decoders import DecoderState, RecurrentDecoder, StepOutput
from heed.models.networks.encoders import Memory, RecurrentEncoder
from heed.models.networks.map_group import MapGroup


class Seq2Seq(nn.Module):
    """A `RecurrentEncoder` and a `RecurrentDecoder` on one table of embeddings."""

    encode_groups: tuple[MapGroup, ...] = ()

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)
        self.encoder = RecurrentEncoder(config)
        self.decoder = RecurrentDecoder(config)
        if config.tied:
            self.decoder.output.weight = self.embedding.weight
        for name, value in self.named_parameters():
            if "weight_hh" in name:  # what is remembered neither fades nor grows at first
                for gate in torch.split(value.detach(), value.shape[1]):
                    nn.init.orthogonal_(gate)
        heads = self.decoder.attention.heads
        self.step_groups = (MapGroup("cross", 0, heads, "target", "source"),) if heads else ()

    @property
    def output(self) -> nn.Linear:
        """The projection onto the vocabulary."""
        return self.decoder.output

    def encode(self, source: Tensor, lengths: Tensor) -> Memory:
        """Read a padded batch (B, K)."""
        return self.encoder(self.embedding(source), lengths)

    def start(self, memory: Memory) -> DecoderState:
        """The state before the first step."""
        return self.decoder.start(memory)

    def advance(self, token: Tensor, state: DecoderState) -> tuple[StepOutput, DecoderState]:
        """One step, fed the token (B,) written before."""
        return self.decoder.advance(self.embedding(token), state)

    def projected(self, state: DecoderState) -> tuple[Keys | None, ...]:
        """What the heads of each of `step_groups` were given of the memory, if it was projected.

        With one head the memory itself is summed, and the query is the decoder's own.
        """
        projects = self.decoder.attention.projects_values
        return tuple(state.keys if projects else None for _ in self.step_groups)

    def predict(self, readout: Tensor) -> Tensor:
        """Scores over the vocabulary (…, V) from readouts (…, D)."""
        return self.decoder.predict(readout)

    def forward(self, source: Tensor, lengths: Tensor, fed: Tensor) -> Tensor:
        """Teacher forcing: scores (B, Q, V) for `fed` (B, Q), the target behind its start mark."""
        return self.predict(self.readouts(source, lengths, fed))

    def readouts(self, source: Tensor, lengths: Tensor, fed: Tensor) -> Tensor:
        """Teacher forcing, short of the projection onto the vocabulary: (B, Q, D)."""
        return self.told(fed, self.start(self.encode(source, lengths)))

    def told(self, fed: Tensor, state: DecoderState) -> Tensor:
        """The same from the state before the first step."""
        readouts = []
        for embedded in self.embedding(fed).unbind(1):
            advanced, state = self.decoder.advance(embedded, state)
            readouts.append(advanced.readout)
        return self.decoder.dropout(torch.stack(readouts, dim=1))
