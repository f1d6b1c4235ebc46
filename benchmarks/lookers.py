"""Two that look at photos of 12 megapixels: Heed, and eager PyTorch.

Photos are drawn on the spot, each another one, so that none has been seen before. Both write ten
pieces; ours makes a preview, and a trace besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from benchmarks.contenders import Call, Case, scratch
from benchmarks.endless import write_endless
from heed.models.catalogue import Catalogue
from heed.models.checkpoint import load_image_encoder, load_image_network
from heed.models.generation.captioner import ImageRequest
from heed.models.images.read import SIDE, read_picture
from heed.models.networks.captioning import RecurrentCaptioner
from heed.models.text.tokenizer import START

EYES = "eyes"
WIDTH, HEIGHT = 4000, 3000
PHOTOS = 20
STEPS = 10


class Photos:
    """Heed: drafted decoding, preview, eyes, and the trace."""

    def __init__(self, model: str, threads: int) -> None:
        self._scratch = scratch()
        folder = write_endless(Path(self._scratch.name), [model, EYES], STEPS)
        self._captioner = Catalogue(folder, "native").load(model, threads)
        self._photos = _drawn()

    def call(self, case: Case) -> Call:
        """One photo after the other."""
        del case
        return lambda: self._look(next(self._photos))

    def _look(self, photo: bytes) -> None:
        (trace,) = self._captioner.run([ImageRequest(read_picture(photo))])
        assert len(trace.output.target) == STEPS


class EagerPhotos:
    """The whole picture decoded, made smaller, and the same network called step by step."""

    def __init__(self, model: str, threads: int) -> None:
        torch.set_num_threads(threads)
        self._scratch = scratch()
        folder = write_endless(Path(self._scratch.name), [model, EYES], STEPS)
        network = load_image_network(folder / model)
        assert isinstance(network, RecurrentCaptioner)
        self._network = network
        self._eyes = load_image_encoder(folder / EYES)
        self._photos = _drawn()

    def call(self, case: Case) -> Call:
        """One photo after the other."""
        del case
        return lambda: self._look(next(self._photos))

    @torch.inference_mode()
    def _look(self, photo: bytes) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        with Image.open(BytesIO(photo)) as image:
            square = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BICUBIC)
        cells = self._eyes(torch.from_numpy(np.array(square)).unsqueeze(0))
        state = self._network.start(self._network.encode(cells))
        token = torch.tensor([START])
        tokens, weights = [], []
        for _ in range(STEPS):
            advanced, state = self._network.advance(token, state)
            token = self._network.predict(advanced.readout).log_softmax(dim=-1).argmax(dim=-1)
            tokens.append(token)
            weights.append(advanced.attended[0].weights)
        return tokens, weights


def _drawn() -> Iterator[bytes]:
    """JPEGs of shapes before a sky, a little noisy, each shifted against the one before."""
    chance = np.random.default_rng(1)
    down, across = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    waves = [np.sin(across / (90 + 40 * c)) * np.cos(down / (70 + 30 * c)) for c in range(3)]
    scene = 128 + 60 * np.stack(waves, axis=-1) + chance.normal(0, 4, (HEIGHT, WIDTH, 1))
    scene[900:2100, 1200:2600] = scene[900:2100, 1200:2600] * 0.3 + 120
    pixels = scene.clip(0, 255).astype(np.uint8)
    photos = []
    for place in range(PHOTOS):
        file = BytesIO()
        Image.fromarray(np.roll(pixels, 173 * place, axis=1)).save(file, "JPEG", quality=88)
        photos.append(file.getvalue())
    return iter(photos)
