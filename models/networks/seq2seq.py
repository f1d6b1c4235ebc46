"""A recurrent encoder and decoder put together.

Shapes: `B` batch, `K` source tokens, `Q` target tokens, `V` vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from heed.models.config import RecurrentConfig
from heed.models.networks.attention import Keys, StepEdit
from heed.models.networks.decoders import DecoderState, RecurrentDecoder, StepOutput
from heed.models.networks.encoders import EncoderStates, RecurrentEncoder
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
            if "weight_hh" in name:  # the state neither fades nor grows at first
                for gate in torch.split(value.detach(), value.shape[1]):
                    nn.init.orthogonal_(gate)
        heads = self.decoder.attention.heads
        self.step_groups = (MapGroup("cross", 0, heads, "target", "source"),) if heads else ()

    @property
    def output(self) -> nn.Linear:
        """The projection onto the vocabulary."""
        return self.decoder.output

    def encode(
        self, source: Tensor, lengths: Tensor, _edit: StepEdit | None = None, /
    ) -> EncoderStates:
        """Encode a padded batch (B, K); there is no self-attention to edit."""
        return self.encoder(self.embedding(source), lengths)

    def start(self, encoder_states: EncoderStates) -> DecoderState:
        """Make the state before the first step."""
        return self.decoder.start(encoder_states)

    def advance(
        self, token: Tensor, state: DecoderState, edit: StepEdit | None = None
    ) -> tuple[StepOutput, DecoderState]:
        """Take one step after the token (B,)."""
        return self.decoder.advance(self.embedding(token), state, edit)

    def projected(self, state: DecoderState) -> tuple[Keys | None, ...]:
        """Return the projected memory of each of `step_groups`, if the values are projected.

        With one head the values are the memory itself, and the query is the decoder's own.
        """
        projects = self.decoder.attention.projects_values
        return tuple(state.keys if projects else None for _ in self.step_groups)

    def value_vectors(self, state: DecoderState) -> tuple[Tensor, ...]:
        """Return what each key adds to the context, for each of `step_groups`."""
        return tuple(self.decoder.attention.value_vectors(state.keys) for _ in self.step_groups)

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (…, V) from readouts (…, D)."""
        return self.decoder.predict(readout)

    def forward(self, source: Tensor, lengths: Tensor, decoder_input: Tensor) -> Tensor:
        """Teacher forcing: logits (B, Q, V) for the decoder input (B, Q), the shifted target."""
        return self.predict(self.readouts(source, lengths, decoder_input))

    def readouts(self, source: Tensor, lengths: Tensor, decoder_input: Tensor) -> Tensor:
        """Teacher forcing without the projection onto the vocabulary: (B, Q, D)."""
        return self.teacher_force(decoder_input, self.start(self.encode(source, lengths)))

    def teacher_force(self, decoder_input: Tensor, state: DecoderState) -> Tensor:
        """Compute readouts (B, Q, D) by teacher forcing, from the state before the first step."""
        readouts = []
        for embedded in self.embedding(decoder_input).unbind(1):
            advanced, state = self.decoder.advance(embedded, state)
            readouts.append(advanced.readout)
        return self.decoder.dropout(torch.stack(readouts, dim=1))
