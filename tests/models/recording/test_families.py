"""Recording computes what `eager` of transformers computes, in every family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from heed.models.recording.maps import masked
from heed.models.recording.record import recording
from tests.models.recording import small

transformers = pytest.importorskip(
    "transformers", reason="models of Hugging Face need the extra hf"
)

MARKS = {"vocab_size": 40, **small.IDS}
PAIR = {
    **MARKS,
    **small.PAIR,
    "encoder_attention_heads": 2,
    "max_position_embeddings": 64,
    "decoder_start_token_id": 2,
}
STACK = {**MARKS, **small.SIZES, "max_position_embeddings": 64}
GROUPED = {**STACK, "num_key_value_heads": 2}
PICTURE = {**small.SIZES, "image_size": 24, "patch_size": 8}
GPT2 = {**MARKS, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 64}
IDS = torch.tensor([[5, 6, 7, 8, 9, 10], [11, 12, 13, 14, 0, 0]])
TEXT = {"input_ids": IDS, "attention_mask": (IDS != 0).long()}
WRITTEN = torch.tensor([[2, 20, 21, 22], [2, 23, 24, 25]])
PIXELS = {"pixel_values": torch.linspace(-1, 1, 2 * 3 * 24 * 24).reshape(2, 3, 24, 24)}


def model(name: str, config: str, **settings: Any) -> Callable[[], Any]:
    def build() -> Any:
        settings_of = getattr(transformers, config)
        return getattr(transformers, name)(settings_of(**settings))

    return build


def captioner(decoder: Callable[[], Any]) -> Callable[[], Any]:
    def build() -> Any:
        encoder = model("ViTModel", "ViTConfig", **PICTURE)()
        return transformers.VisionEncoderDecoderModel(encoder=encoder, decoder=decoder())

    return build


BOTH = {"cross", "decoder-self", "encoder-self"}
PAIRS = [
    ("Marian", "MarianMTModel", "MarianConfig"),
    ("BART", "BartForConditionalGeneration", "BartConfig"),
    ("mBART", "MBartForConditionalGeneration", "MBartConfig"),
    ("NLLB", "M2M100ForConditionalGeneration", "M2M100Config"),
    ("Pegasus", "PegasusForConditionalGeneration", "PegasusConfig"),
]
DECODERS = [
    ("Llama", "LlamaForCausalLM", "LlamaConfig", {}),
    ("Qwen2", "Qwen2ForCausalLM", "Qwen2Config", {}),
    ("Gemma2", "Gemma2ForCausalLM", "Gemma2Config", {"head_dim": 4, "sliding_window": 4}),
    ("Mistral", "MistralForCausalLM", "MistralConfig", {}),
]
FAMILIES = [
    *((name, model(*built, **PAIR), {**TEXT, "decoder_input_ids": WRITTEN}, BOTH)
      for name, *built in PAIRS),
    *((name, model(built, config, **GROUPED, **more), TEXT, {"decoder-self"})
      for name, built, config, more in DECODERS),
    ("T5", model("T5ForConditionalGeneration", "T5Config", **MARKS, d_model=16, d_kv=4, d_ff=32,
                 num_layers=2, num_heads=4), {**TEXT, "decoder_input_ids": WRITTEN}, BOTH),
    ("GPT-2", model("GPT2LMHeadModel", "GPT2Config", **GPT2), TEXT, {"decoder-self"}),
    ("BERT", model("BertModel", "BertConfig", **STACK), TEXT, {"encoder-self"}),
    ("RoBERTa", model("RobertaModel", "RobertaConfig", **STACK), TEXT, {"encoder-self"}),
    ("ViT", model("ViTModel", "ViTConfig", **PICTURE), PIXELS, {"encoder-self"}),
    ("Whisper", model("WhisperForConditionalGeneration", "WhisperConfig", **PAIR, num_mel_bins=8,
                      max_source_positions=30, max_target_positions=32),
     {"input_features": torch.linspace(-1, 1, 2 * 8 * 60).reshape(2, 8, 60),
      "decoder_input_ids": WRITTEN}, BOTH),
    ("ViT-GPT2", captioner(model("GPT2LMHeadModel", "GPT2Config", **GPT2, is_decoder=True,
                                 add_cross_attention=True)),
     {**PIXELS, "decoder_input_ids": WRITTEN}, BOTH),
    ("TrOCR", captioner(model("TrOCRForCausalLM", "TrOCRConfig", **MARKS, d_model=16,
                              decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=32,
                              cross_attention_hidden_size=16, max_position_embeddings=64)),
     {**PIXELS, "decoder_input_ids": WRITTEN}, BOTH),
]  # fmt: skip
FIELDS = {
    "cross": ("cross_attentions",),
    "decoder-self": ("decoder_attentions", "attentions"),
    "encoder-self": ("encoder_attentions", "attentions"),
}


@pytest.mark.parametrize(
    ("build", "inputs", "kinds"),
    [each[1:] for each in FAMILIES],
    ids=[each[0] for each in FAMILIES],
)
def test_a_recorded_model_computes_what_eager_computes(
    build: Callable[[], Any], inputs: dict[str, torch.Tensor], kinds: set[str]
) -> None:
    torch.manual_seed(0)
    built = build().eval()
    for parameter in built.parameters():  # as they begin, all weights would be nearly equal
        torch.nn.init.normal_(parameter, std=0.3)
    own = {id(each.config): each.config._attn_implementation for each in built.modules()
           if isinstance(each, transformers.PreTrainedModel)}  # fmt: skip
    with torch.no_grad():
        with recording(built) as tape:
            recorded = built(**inputs, use_cache=False) if kinds != {"encoder-self"} else built(
                **inputs, output_attentions=True)  # fmt: skip
        if tape.layers().keys() != kinds:  # of modules that return weights only if asked
            with recording(built) as tape:
                recorded = built(**inputs, output_attentions=True)
        now = {id(each.config): each.config._attn_implementation for each in built.modules()
               if isinstance(each, transformers.PreTrainedModel)}  # fmt: skip
        assert now == own
        for each in built.modules():
            if hasattr(getattr(each, "config", None), "_attn_implementation_internal"):
                each.config._attn_implementation_internal = "eager"
        eager = built(**inputs, output_attentions=True)
    result = "logits" if hasattr(eager, "logits") else "last_hidden_state"
    assert torch.equal(getattr(recorded, result), getattr(eager, result))
    layers = tape.layers()
    assert layers.keys() == kinds
    for kind, calls in layers.items():
        fields = [field for field in FIELDS[kind] if getattr(eager, field, None)]
        expected = getattr(eager, fields[0])
        assert len(calls) == len(expected) == 2
        for call, weights in zip(calls, expected, strict=True):
            assert torch.equal(call.weights, weights)
            scores = torch.from_numpy(masked(call.scores.numpy()))
            seen = scores.isfinite().any(-1)  # all rows but those whose every key is masked
            assert torch.allclose(scores.softmax(-1)[seen], weights[seen], atol=1e-6)


def test_a_blip_computes_what_it_does_by_itself() -> None:
    built = small.blip(40)
    inputs = {"pixel_values": PIXELS["pixel_values"][:1], "input_ids": WRITTEN[:1]}
    with torch.no_grad():
        with recording(built) as tape:
            recorded = built(**inputs, output_attentions=True)
        own = built(**inputs, output_attentions=True)
        read = built.text_decoder(
            input_ids=WRITTEN[:1],
            encoder_hidden_states=own.last_hidden_state,
            output_attentions=True,
            return_dict=True,
        )
    assert torch.equal(recorded.logits, own.logits)
    layers = tape.layers()
    expected = {
        "cross": read.cross_attentions,
        "decoder-self": read.attentions,
        "encoder-self": own.attentions,
    }
    assert layers.keys() == expected.keys()
    for kind, maps in expected.items():
        for call, weights in zip(layers[kind], maps, strict=True):
            assert torch.equal(call.weights, weights)
