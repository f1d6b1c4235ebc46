"""Tiny models, untrained: for what does not depend on what a model has learned."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import torch
from PIL import Image, ImageDraw
from safetensors.numpy import save_file
from torch import nn

from heed.models.checkpoint import (
    CONFIG,
    TOKENIZER,
    WEIGHTS,
    save_checkpoint,
    save_image_encoder,
    tensors,
)
from heed.models.config import (
    NetworkConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    VQAConfig,
)
from heed.models.families.glimpse.config import GlimpseConfig
from heed.models.families.glimpse.network import GlimpseNetwork
from heed.models.families.graph.config import GraphConfig
from heed.models.families.graph.network import GraphNetwork
from heed.models.families.lstmn import network as lstmn
from heed.models.families.lstmn.config import LSTMNConfig
from heed.models.families.memory.config import MemoryNetworkConfig
from heed.models.families.memory.network import MemoryNetwork
from heed.models.families.memory.stories import StoryVocabulary
from heed.models.families.vision_transformer.config import VisionConfig
from heed.models.families.vision_transformer.network import VisionTransformer
from heed.models.graphs.graph import CLASSES
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.registry import build_network
from heed.models.text.tokenizer import BytePieces
from heed.models.text.words import WordVocabulary

NETWORK = RecurrentConfig(
    vocabulary=259,
    mechanism="additive",
    order="before",
    embedding=6,
    encoder_width=4,
    decoder_width=8,
    attention_width=5,
)
SOFT = RecurrentCaptionerConfig(
    vocabulary=259,
    mechanism="soft",
    embedding=6,
    cells=10,
    decoder_width=8,
    attention_width=5,
)
HEADS = TransformerCaptionerConfig(
    vocabulary=259, width=8, heads=2, feedforward=12, layers=2, cells=10
)
ASKER = VQAConfig(
    vocabulary=259,
    embedding=6,
    question_width=4,
    cells=10,
    decoder_width=8,
    attention_width=5,
    fused=7,
)
WORDS = (
    *("<padding>", "<unknown>", "<nothing>", "john", "mary", "picked", "up", "the", "ball"),
    *("went", "to", "garden", "kitchen", "where", "is"),
)
ANSWERS = ("the garden", "the kitchen", "John", "Mary", "yes", "I cannot know")
THINGS = ("background", "flag", "sheep", "car", "kettle", "dog", "cat")
MEMORY = MemoryNetworkConfig(
    vocabulary=len(WORDS), width=8, hops=3, sentences=6, words=7, answers=len(ANSWERS)
)
GLIMPSE = GlimpseConfig(
    vocabulary=10,
    picture=20,
    patch=4,
    scales=3,
    glimpses=4,
    what=12,
    where=6,
    width=16,
    deviation=0.1,
)
VISION = VisionConfig(vocabulary=len(THINGS), width=16, heads=2, feedforward=24, layers=3, blocks=9)
READING_WORDS = (
    *("<padding>", "<unknown>", "<start>", "<end>", ".", "the", "keys", "key", "to", "cabinet"),
    *("are", "is", "on", "table", "Tom", "'s", "old"),
)
LSTMN = LSTMNConfig(vocabulary=len(READING_WORDS), embedding=6, width=8, attention_width=5)
ABOUT = {
    "name": "Tiny",
    "task": "dates",
    "source": {"code": "en", "name": "English"},
    "target": {"code": "xx", "name": "Noise"},
    "granularity": "characters",
    "limits": {"characters": 40, "tokens": 30, "steps": 8},
    "examples": ["may"],
}


def write_tiny(folder: Path, network: NetworkConfig = NETWORK, **about: object) -> Path:
    torch.manual_seed(5)
    model = build_network(network)
    tokenizer = BytePieces.characters(lowercase=True)
    weights = dict(model.named_parameters())
    save_checkpoint(folder, ABOUT | {"id": folder.name} | about, network, weights, tokenizer)
    return folder


def _write_network(
    folder: Path,
    kind: Callable[[Any], nn.Module],
    network: NetworkConfig,
    about: dict[str, object],
    factor: float = 3,
) -> Path:
    """Write an untrained network whose weights are large enough to differ, but for convolutions."""
    torch.manual_seed(5)
    weights = {
        name: value if name.startswith("convolutions") else factor * value
        for name, value in kind(network).named_parameters()
    }
    save_checkpoint(folder, ABOUT | {"id": folder.name, "rank": 410} | about, network, weights)
    return folder


def write_tiny_memory(folder: Path, **about: object) -> Path:
    """Write an untrained memory network."""
    story = {
        "task": "story",
        "limits": {"characters": 200, "tokens": 6, "steps": 3},
        "examples": ["Mary went to the kitchen. John picked up the ball.\nWhere is the ball?"],
        "rank": 400,
        **StoryVocabulary(WORDS, ANSWERS).to_dict(),
    }
    return _write_network(folder, MemoryNetwork, MEMORY, story | about)


GRAPH = GraphConfig(vocabulary=len(CLASSES), width=8, heads=2, layers=2)
CHAIN = "# Chain\nAnn: A\nAnn - Bob - Cid - Dan\nDan: B"


def write_tiny_graph(folder: Path, **about: object) -> Path:
    """Write an untrained network of graphs."""
    graph = {
        "task": "graph",
        "limits": {"characters": 2000, "tokens": 20, "steps": 20},
        "examples": [CHAIN, "# Pair\na: A\na - b"],
    }
    return _write_network(folder, GraphNetwork, GRAPH, graph | about)


def write_tiny_reader(folder: Path, **about: object) -> Path:
    """Write an untrained LSTMN."""
    reader = {
        "task": "read",
        "limits": {"characters": 200, "tokens": 12, "steps": 13},
        "examples": ["The keys to the cabinet are on the table."],
    }
    _write_network(folder, lstmn.LSTMN, LSTMN, reader | about)
    WordVocabulary(READING_WORDS).save(folder)
    return folder


def write_tiny_glimpse(folder: Path, **about: object) -> Path:
    """Write an untrained glimpse network, which looks around."""
    glimpse = {
        "task": "glimpse",
        "source": {"code": "picture", "name": "Picture"},
        "limits": {"characters": 1, "tokens": 400, "steps": 4},
        "examples": [drawn_seven()],
    }
    return _write_network(folder, GlimpseNetwork, GLIMPSE, glimpse | about)


def write_tiny_vision(folder: Path, **about: object) -> Path:
    """Write an untrained Vision Transformer."""
    sees = {
        "task": "see",
        "limits": {"characters": 0, "tokens": 0, "steps": 1},
        "examples": [],
        "classes": THINGS,
    }
    return _write_network(folder, VisionTransformer, VISION, sees | about, factor=2)


def seven(size: tuple[int, int] = (60, 60), *, dark: bool = True) -> Image.Image:
    """Draw a seven."""
    paper, ink = (255, 0) if dark else (0, 255)
    image = Image.new("L", size, paper)
    width, height = size
    points = [(0.38, 0.35), (0.62, 0.35), (0.46, 0.68)]
    line = [(x * width, y * height) for x, y in points]
    ImageDraw.Draw(image).line(line, ink, max(1, width // 20))
    return image


def png(image: Image.Image) -> bytes:
    """Return a picture as a file."""
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def drawn_seven() -> str:
    """Return a seven as the examples of a card have it."""
    return base64.urlsafe_b64encode(png(seven())).decode()


def change(folder: Path, **about: object) -> None:
    """Put something into the config of a model."""
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | about))


def borrow(folder: Path, sibling: str, *names: str) -> None:
    """Let a sibling keep the tokenizer and these tensors of a model."""
    kept = {name: value.copy() for name, value in tensors(folder).items() if name not in names}
    save_file(kept, folder / WEIGHTS)
    (folder / TOKENIZER).unlink()
    change(folder, tokenizer=sibling, shared={"from": sibling, "tensors": names})


def write_tiny_captioners(root: Path, **others: object) -> Path:
    """Write an untrained image encoder, and a captioner of each kind that shares it."""
    torch.manual_seed(5)
    save_image_encoder(root / "image-encoder", ImageEncoder(SOFT.cells))
    about = {"task": "caption", "source": {"code": "picture", "name": "Picture"}, "examples": []}
    about |= others
    write_tiny(root / "caption-soft", SOFT, **about, rank=300)
    write_tiny(root / "caption-hard", replace(SOFT, mechanism="hard"), **about, rank=301)
    write_tiny(root / "caption-heads", HEADS, **about, rank=302)
    write_tiny(root / "ask", ASKER, **about | {"task": "ask"}, rank=303)
    return root
