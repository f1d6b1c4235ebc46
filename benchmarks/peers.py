"""The programs that Heed is compared with: `transformers`, CTranslate2, the network of tutorials.

All have random weights and about as many parameters as Heed's own, are greedy, and return their
attention. Each is held to a length by a least and a largest number of tokens. Shapes: `B` texts,
`K` tokens read, `D` width, `V` vocabulary.
"""

from __future__ import annotations

import logging
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.case import Call, Case, network_of, scratch, sentences, tokenizer_of
from heed.models.config import NetworkConfig, RecurrentConfig, TransformerConfig
from heed.models.text.tokenizer import END, PAD, START

# Our GRU, of 5.6 million parameters, is compared with Marian as it is published (Opus-MT: six
# layers on each side, eight heads, a feed-forward network four times as wide), only narrower: 5.6
# million. And with one as wide as the embeddings of the GRU, of few layers: 5.7 million.
AS_PUBLISHED = TransformerConfig(
    vocabulary=8000, width=160, heads=8, feedforward=640, encoder_layers=6, decoder_layers=6
)
SHALLOW = TransformerConfig(
    vocabulary=8000, width=256, heads=4, feedforward=1024, encoder_layers=2, decoder_layers=2
)
LONGEST = 512
MARKS = {PAD: "<blank>", START: "<unk>", END: "</s>"}  # as CTranslate2 writes them


class Peer(Protocol):
    """A network that a server in a thread pool can ask, too."""

    def written(self, ids: Tensor, length: int) -> tuple[list[int], Any]:
        """So many tokens for one text (1, K), and one row of attention for each."""


class Marian:
    """A MarianMT with its cache and all attentions."""

    def __init__(self, model: str, threads: int | None, *, shallow: bool = False) -> None:
        if threads:
            torch.set_num_threads(threads)
        self._model = model
        self._marian = random_marian(network_of(model), shallow=shallow)

    def call(self, case: Case) -> Call:
        """From the tokens to tokens and attentions; the tokens are made before."""
        ids = torch.tensor(ids_of(self._model, case))
        written = self._generate(ids, case.length)
        assert written.sequences.shape == (case.batch, case.length + 1)  # the start mark as well
        assert len(written.cross_attentions) == case.length
        return lambda: self._generate(ids, case.length)

    def written(self, ids: Tensor, length: int) -> tuple[list[int], Any]:
        """Return the mean of the heads of the last layer as its attention."""
        written = self._generate(ids, length)
        rows = [step[-1][0].mean(dim=0)[-1].tolist() for step in written.cross_attentions]
        return written.sequences[0, 1:].tolist(), rows

    def _generate(self, ids: Tensor, length: int) -> Any:
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


def random_marian(config: NetworkConfig, *, shallow: bool) -> Any:
    """A Marian of the shape of our Transformer, or of as many parameters as our GRU."""
    from transformers import MarianConfig, MarianMTModel  # `Tutorial` starts without it

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


class Converted:
    """The same Marian, converted to CTranslate2, in 32-bit floats, with attention of one head."""

    def __init__(self, model: str, threads: int, *, shallow: bool) -> None:
        import ctranslate2

        self._model = model
        self._scratch = scratch()
        config = network_of(model)
        self._vocabulary = [MARKS.get(id, f"piece{id}") for id in range(config.vocabulary)]
        self._convert(random_marian(config, shallow=shallow))
        self._translator = ctranslate2.Translator(
            self._scratch.name,
            device="cpu",
            compute_type="float32",
            inter_threads=1,
            intra_threads=threads,
        )

    def call(self, case: Case) -> Call:
        """From the tokens to tokens and attention; the tokens are made before."""
        pieces = [[self._vocabulary[id] for id in ids] for ids in ids_of(self._model, case)]
        for written in self._translate(pieces, case.length):
            assert len(written.hypotheses[0]) == len(written.attention[0]) == case.length
        return lambda: self._translate(pieces, case.length)

    def _translate(self, pieces: list[list[str]], length: int) -> Any:
        return self._translator.translate_batch(
            pieces,
            beam_size=1,
            return_attention=True,
            min_decoding_length=length,
            max_decoding_length=length,
        )

    def _convert(self, marian: Any) -> None:
        """Its own converter, but for the tokenizer's files, which a random model has not."""
        from ctranslate2.converters.transformers import MarianMTLoader

        spec = MarianMTLoader().get_model_spec(marian)
        spec.register_source_vocabulary(self._vocabulary)
        spec.register_target_vocabulary(self._vocabulary)
        spec.config.unk_token = MARKS[START]
        spec.config.eos_token = spec.config.decoder_start_token = MARKS[END]
        spec.validate()
        spec.optimize(quantization="float32")
        spec.save(self._scratch.name)


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
    """Eager PyTorch: a network of the same sizes, written as tutorials write it.

    In every step the keys are projected anew, as in "NLP from scratch: translation with a sequence
    to sequence network and attention" (pytorch.org); or they are precomputed, which is the first
    thing to mend. It has no end mark to look out for.
    """

    def __init__(self, model: str, threads: int | None, *, precomputed: bool) -> None:
        if threads:
            torch.set_num_threads(threads)
        torch.manual_seed(1)
        config = network_of(model)
        assert isinstance(config, RecurrentConfig)
        self._model = model
        self._network = Network(config).eval()
        self._precomputed = precomputed

    def call(self, case: Case) -> Call:
        """From the tokens to tokens and attention; the tokens are made before."""
        ids = torch.tensor(ids_of(self._model, case))
        return lambda: self._generate(ids, case.length)

    def written(self, ids: Tensor, length: int) -> tuple[list[int], Any]:
        """Return the tokens of one text, and their attention."""
        tokens, attention = self._generate(ids, length)
        return tokens[0].tolist(), attention[0].tolist()

    def _generate(self, ids: Tensor, length: int) -> tuple[Tensor, Tensor]:
        with torch.inference_mode():
            tokens, attention = self._network(ids, length, precomputed=self._precomputed)
        return tokens, attention


def ids_of(model: str, case: Case) -> list[list[int]]:
    """The tokens of the texts of a case."""
    tokenizer = tokenizer_of(model)
    return [tokenizer.ids(text) for text in sentences(tokenizer, case.length, case.batch)]
