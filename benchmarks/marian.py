"""`transformers`: a MarianMT of like size with random weights, all attentions given."""

from __future__ import annotations

import logging
from typing import Any

import torch
from transformers import MarianConfig, MarianMTModel

from benchmarks.case import Call, Case, network_of, tokenizer_of
from benchmarks.sentences import sentences
from heed.models.config import NetworkConfig, TransformerConfig
from heed.models.text.tokenizer import END

# What our GRU, of 5.6 million parameters, is compared with. Marian as it is published (Opus-MT: six
# layers on each side, eight heads, a feed-forward network four times as wide), only narrower: 5.6
# million. And one as wide as the embeddings of the GRU, of few layers: 5.7 million.
AS_PUBLISHED = TransformerConfig(
    vocabulary=8000, width=160, heads=8, feedforward=640, encoder_layers=6, decoder_layers=6
)
SHALLOW = TransformerConfig(
    vocabulary=8000, width=256, heads=4, feedforward=1024, encoder_layers=2, decoder_layers=2
)
LONGEST = 512


class Marian:
    """Greedy, with a cache, and held to a length by a least and a largest number of tokens."""

    def __init__(self, model: str, threads: int | None, *, shallow: bool = False) -> None:
        if threads:
            torch.set_num_threads(threads)
        self._tokenizer = tokenizer_of(model)
        self._marian = random_marian(network_of(model), shallow=shallow)

    def call(self, case: Case) -> Call:
        """From the tokens to tokens and attentions; the tokens are made before."""
        texts = sentences(self._tokenizer, case.length, case.batch)
        ids = torch.tensor([self._tokenizer.ids(text) for text in texts])
        written = self.generate(ids, case.length)
        assert written.sequences.shape == (case.batch, case.length + 1)  # the start mark as well
        assert len(written.cross_attentions) == case.length
        return lambda: self.generate(ids, case.length)

    def generate(self, ids: torch.Tensor, length: int) -> Any:
        """Write so many tokens for each of the texts (B, K)."""
        with torch.inference_mode():
            return self._marian.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                min_new_tokens=length,
                max_new_tokens=length,
                num_beams=1,
                do_sample=False,
                output_attentions=True,
                return_dict_in_generate=True,
            )


def random_marian(config: NetworkConfig, *, shallow: bool = False) -> Any:
    """A Marian of the shape of our Transformer, or of as many parameters as our GRU."""
    logging.getLogger("transformers").setLevel(logging.ERROR)
    torch.manual_seed(1)
    like = SHALLOW if shallow else AS_PUBLISHED
    if isinstance(config, TransformerConfig):
        like = config
    shape: Any = MarianConfig
    return MarianMTModel(
        shape(
            vocab_size=like.vocabulary + 1,  # its padding comes last
            d_model=like.width,
            encoder_layers=like.encoder_layers,
            decoder_layers=like.decoder_layers,
            encoder_attention_heads=like.heads,
            decoder_attention_heads=like.heads,
            encoder_ffn_dim=like.feedforward,
            decoder_ffn_dim=like.feedforward,
            max_position_embeddings=LONGEST,
            activation_function="swish",
            scale_embedding=True,
            pad_token_id=like.vocabulary,
            decoder_start_token_id=like.vocabulary,
            eos_token_id=END,
            forced_eos_token_id=None,
            bos_token_id=None,
            attn_implementation="eager",  # the only one that gives its attention
        )
    ).eval()
