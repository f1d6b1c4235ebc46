"""A Transformer of Heed as a model of transformers: `PegasusForConditionalGeneration`.

Pegasus has the same layers (norms before each sublayer and behind the last, a rectifier, scaled
embeddings that encoder, decoder and output share, a bias of the output). Its table of positions has
all sines before all cosines; Heed's alternate, so the table is overwritten. Heed's normalization of
texts (characters that the model does not know, quotation marks) has no counterpart in a tokenizer
of transformers, and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from torch import Tensor

from heed.models.checkpoint import TOKENIZER, load_network, read_config, tokenizer_of
from heed.models.errors import RecordingError
from heed.models.networks.transformer import Transformer, positions
from heed.models.recording.folder import ABOUT
from heed.models.recording.load import quiet, transformers_or_error
from heed.models.runtime.protocol import NEVER_WRITTEN
from heed.models.text.tokenizer import END, END_TEXT, MARKS, PAD, START

PARTS: Final = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
SUBLAYERS: Final = {
    "encoder": {"attention": ("self_attn", 0)},
    "decoder": {"own": ("self_attn", 0), "cross": ("encoder_attn", 1)},
}
"""By side: the attention of a layer, its name in Pegasus, and the number of the norm before it."""
NEVER: Final = -1e4
"""The logit of marks that no output contains: Heed leaves them out of the softmax."""


def write_pegasus(folder: Path, target: Path) -> list[Path]:
    """Write the Transformer in a folder of Heed as one of transformers; returns its files."""
    transformers_or_error()
    import torch
    from transformers import PegasusForConditionalGeneration, PreTrainedTokenizerFast

    about = read_config(folder)
    network = load_network(folder) if about["network"].get("family") == "transformer" else None
    if not isinstance(network, Transformer):
        raise RecordingError(
            f"{about['id']} has no counterpart in transformers: only a translating Transformer "
            "is exported, such as en-fr-transformer."
        )
    longest = max(about["limits"]["tokens"], about["limits"]["steps"]) + 1
    with torch.random.fork_rng():
        model = PegasusForConditionalGeneration(_config(network, longest))
    table = positions(0, longest, network.config.width)
    weights = _weights(network) | {
        f"model.{side}.embed_positions.weight": table for side in ("encoder", "decoder")
    }
    missing, unexpected = model.load_state_dict(weights, strict=False)
    tied = {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"}
    if unexpected or set(missing) - tied - {"lm_head.weight"}:
        raise RecordingError(f"transformers names other weights: {sorted(missing)[:3]}.")
    target.mkdir(parents=True, exist_ok=True)
    with quiet(), _errors_of_files():
        model.save_pretrained(target)
    tokenizer_of(folder).save(target / TOKENIZER)
    _end_inputs(target / TOKENIZER)
    pad, start, end = MARKS
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(target / TOKENIZER),
        pad_token=pad,
        bos_token=start,
        eos_token=end,
        model_max_length=about["limits"]["tokens"],
    )
    with _errors_of_files():
        tokenizer.save_pretrained(target)
    shown = {name: about[name] for name in ("name", "source", "target", "examples")}
    (target / ABOUT).write_text(json.dumps(shown, ensure_ascii=False, indent=2) + "\n", "utf-8")
    return sorted(path for path in target.iterdir() if path.is_file())


@contextmanager
def _errors_of_files() -> Iterator[None]:
    """Turn other errors of writing, those of safetensors and tokenizers, into an `OSError`."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(str(error)) from error


def _config(network: Transformer, longest: int) -> Any:
    from transformers import PegasusConfig

    config = network.config
    return PegasusConfig(
        vocab_size=config.vocabulary,
        d_model=config.width,
        encoder_layers=config.encoder_layers,
        decoder_layers=config.decoder_layers,
        encoder_attention_heads=config.heads,
        decoder_attention_heads=config.heads,
        encoder_ffn_dim=config.feedforward,
        decoder_ffn_dim=config.feedforward,
        activation_function="relu",
        scale_embedding=True,
        max_position_embeddings=longest,
        dropout=config.dropout,
        pad_token_id=PAD,
        bos_token_id=START,
        eos_token_id=END,
        decoder_start_token_id=START,
        forced_eos_token_id=None,
        tie_word_embeddings=True,
    )


def _weights(network: Transformer) -> dict[str, Tensor]:
    """Return the weights under the names of Pegasus."""
    own = dict(network.named_parameters())
    bias = own["output.bias"].detach().clone()
    bias[:NEVER_WRITTEN] = NEVER
    tensors = {
        "model.shared.weight": own["embedding.weight"],
        "final_logits_bias": bias[None],
    }
    for number, side in enumerate(SUBLAYERS):
        tensors |= _linear(own, f"norms.{number}", f"model.{side}.layer_norm")
        layers = cast(Any, network.encoder if side == "encoder" else network.decoder)
        for layer in range(len(layers)):
            mine, theirs = f"{side}.{layer}", f"model.{side}.layers.{layer}"
            for name, (attention, norm) in SUBLAYERS[side].items():
                for part, projection in PARTS.items():
                    tensors |= _linear(
                        own, f"{mine}.{name}.{part}", f"{theirs}.{attention}.{projection}"
                    )
                tensors |= _linear(own, f"{mine}.norms.{norm}", f"{theirs}.{attention}_layer_norm")
            last = len(SUBLAYERS[side])
            tensors |= _linear(own, f"{mine}.norms.{last}", f"{theirs}.final_layer_norm")
            tensors |= _linear(own, f"{mine}.feedforward.0", f"{theirs}.fc1")
            tensors |= _linear(own, f"{mine}.feedforward.3", f"{theirs}.fc2")
    return tensors


def _linear(own: Mapping[str, Tensor], mine: str, theirs: str) -> dict[str, Tensor]:
    return {f"{theirs}.{name}": own[f"{mine}.{name}"] for name in ("weight", "bias")}


def _end_inputs(path: Path) -> None:
    """Let a tokenizer put the end mark behind every text, and decode bytes."""
    content = json.loads(path.read_text("utf-8"))
    mark = {"SpecialToken": {"id": END_TEXT, "type_id": 0}}
    content["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"Sequence": {"id": "A", "type_id": 0}}, mark],
        "pair": [
            {"Sequence": {"id": "A", "type_id": 0}},
            {"Sequence": {"id": "B", "type_id": 0}},
            mark,
        ],
        "special_tokens": {END_TEXT: {"id": END_TEXT, "ids": [END], "tokens": [END_TEXT]}},
    }
    content["decoder"] = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": False,
    }
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
