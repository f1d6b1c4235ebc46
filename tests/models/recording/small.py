"""Small models of transformers with tokenizers of their own, untrained, written to folders."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SENTENCES = (
    "I do not know where she lives .",
    "The white house belongs to my old friend .",
    "We saw two dogs and a small red boat on the lake .",
    "Nobody has ever been able to explain it to me .",
    "Je ne sais pas où elle vit .",
    "La maison blanche appartient à mon vieil ami .",
)
MARKS = ("<pad>", "<s>", "</s>", "<unk>")
IDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 32,
}
"""Two layers and four heads."""
PAIR = {
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
}
"""The same for each side of an encoder-decoder."""


def spread(model: Any, seed: int = 0) -> Any:
    """Give a model weights that make its attention uneven; as they begin, all keys are alike."""
    torch.manual_seed(seed)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model.eval()


def words(*, ended: bool = True) -> Any:
    """Return a fast tokenizer of whole words; its inputs may end with a mark."""
    from transformers import PreTrainedTokenizerFast

    found = sorted({word for sentence in SENTENCES for word in sentence.split()})
    vocabulary = {word: number for number, word in enumerate([*MARKS, *found])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    if ended:
        tokenizer.post_processor = TemplateProcessing(
            single="$A </s>", special_tokens=[("</s>", 2)]
        )
    pad, start, end, unknown = MARKS
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=pad,
        bos_token=start,
        eos_token=end,
        unk_token=unknown,
    )


def bart(vocabulary: int, **options: Any) -> Any:
    """Return an encoder-decoder of two layers and four heads."""
    from transformers import BartConfig, BartForConditionalGeneration

    settings = {
        "max_position_embeddings": 64,
        "decoder_start_token_id": 2,
        "forced_eos_token_id": None,
        "forced_bos_token_id": None,
        **PAIR,
        **IDS,
        **options,
    }
    return spread(BartForConditionalGeneration(BartConfig(vocab_size=vocabulary, **settings)))


def gpt2(vocabulary: int, **options: Any) -> Any:
    """Return a decoder of two layers and four heads."""
    from transformers import GPT2Config, GPT2LMHeadModel

    settings = {"n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 64, **IDS, **options}
    return spread(GPT2LMHeadModel(GPT2Config(vocab_size=vocabulary, **settings)))


def bert(vocabulary: int) -> Any:
    """Return an encoder of two layers and four heads."""
    from transformers import BertConfig, BertModel

    config = BertConfig(vocab_size=vocabulary, max_position_embeddings=64, **SIZES)
    return spread(BertModel(config))


def captioner(
    vocabulary: int, *, side: int = 3, layers: int = 2, heads: int = 4, positions: int = 64
) -> Any:
    """Return a ViT of so many patches on a side, before a GPT-2 that attends to it."""
    from transformers import VisionEncoderDecoderModel, ViTConfig, ViTModel

    encoder = ViTModel(
        ViTConfig(
            hidden_size=4 * heads,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=32,
            image_size=8 * side,
            patch_size=8,
        )
    )
    sizes = {"n_embd": 4 * heads, "n_layer": layers, "n_head": heads, "n_positions": positions}
    decoder = gpt2(vocabulary, is_decoder=True, add_cross_attention=True, **sizes)
    model = VisionEncoderDecoderModel(encoder=encoder, decoder=decoder)
    for owner in (model.config, model.generation_config):
        owner.decoder_start_token_id, owner.eos_token_id, owner.pad_token_id = 1, 2, 0
    return spread(model)


LABELS = {0: "boat", 1: "dog", 2: "house", 3: "lake"}


def classifier(**options: Any) -> Any:
    """Return a ViT of 3 × 3 patches that tells four classes apart."""
    from transformers import ViTConfig, ViTForImageClassification

    settings = {
        **SIZES,
        "image_size": 24,
        "patch_size": 8,
        "id2label": LABELS,
        "label2id": {name: place for place, name in LABELS.items()},
        **options,
    }
    return spread(ViTForImageClassification(ViTConfig(**settings)))


def blip(vocabulary: int) -> Any:
    """Return a BLIP of 3 × 3 patches, whose attention is its own."""
    from transformers import BlipConfig, BlipForConditionalGeneration

    text = {"vocab_size": vocabulary, "encoder_hidden_size": 16, "sep_token_id": 2, **IDS}
    config = BlipConfig(
        text_config={**SIZES, **text, "max_position_embeddings": 32},
        vision_config={**SIZES, "image_size": 24, "patch_size": 8},
    )
    return spread(BlipForConditionalGeneration(config))


def llava(vocabulary: int, image: int) -> Any:
    """Return a Llama that reads the 3 × 3 patches of a picture as tokens of its text."""
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
    )

    seen = CLIPVisionConfig(**SIZES, image_size=24, patch_size=8, projection_dim=16)
    text = LlamaConfig(vocab_size=vocabulary, max_position_embeddings=64, **SIZES, **IDS)
    config = LlavaConfig(
        vision_config=seen, text_config=text, image_token_index=image, vision_feature_layer=-1
    )
    model = LlavaForConditionalGeneration(config)
    model.generation_config.eos_token_id, model.generation_config.pad_token_id = 2, 0
    return spread(model)


def seeing(tokenizer: Any) -> Any:
    """Return what reads a picture and a text for `llava`."""
    from transformers import CLIPImageProcessor, LlavaProcessor

    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    return LlavaProcessor(
        CLIPImageProcessor(
            size={"shortest_edge": 24}, crop_size={"height": 24, "width": 24}, do_center_crop=True
        ),
        tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )


def whisper(vocabulary: int) -> Any:
    """Return a Whisper that hears one second in 50 frames."""
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    config = WhisperConfig(
        vocab_size=vocabulary,
        **PAIR,
        num_mel_bins=8,
        max_source_positions=50,
        max_target_positions=32,
        decoder_start_token_id=1,
        **IDS,
    )
    return spread(WhisperForConditionalGeneration(config))


def hearing() -> Any:
    """Return what reads the sound for `whisper`."""
    from transformers import WhisperFeatureExtractor

    return WhisperFeatureExtractor(feature_size=8, chunk_length=1)


def pixels(side: int = 3) -> Any:
    """Return what reads the pictures of `captioner`."""
    from transformers import ViTImageProcessor

    return ViTImageProcessor(size={"height": 8 * side, "width": 8 * side})


def saved(folder: Path, *parts: Any) -> Path:
    """Write a model and what reads its inputs into a folder."""
    for part in parts:
        part.save_pretrained(folder)
    return folder


def marian(folder: Path) -> Path:
    """Write a Marian model with SentencePiece's own tokenizer, which reports no offsets."""
    from transformers import MarianConfig, MarianMTModel

    pieces = sentence_pieces(folder, SENTENCES)
    vocabulary = {piece: number for number, piece in enumerate([*pieces, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "fr"})
    )
    pad = vocabulary["<pad>"]
    config = MarianConfig(
        vocab_size=len(vocabulary),
        **PAIR,
        max_position_embeddings=64,
        pad_token_id=pad,
        eos_token_id=vocabulary["</s>"],
        decoder_start_token_id=pad,
        forced_eos_token_id=None,
        max_length=12,
        num_beams=1,
    )
    spread(MarianMTModel(config)).save_pretrained(folder)
    return folder


def sentence_pieces(folder: Path, sentences: Iterable[str]) -> list[str]:
    """Train SentencePiece on these sentences, write its model twice, and return its pieces."""
    import sentencepiece

    trained = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=trained,
        vocab_size=70,
        hard_vocab_limit=False,
        bos_id=-1,
        unk_id=1,
        eos_id=0,
        num_threads=1,
        minloglevel=2,
    )
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(trained.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=trained.getvalue())
    return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]
