"""The time from a photo of 12 megapixels to its trace, against eager PyTorch.

The photos are generated, each different, so that no cache helps. Both captioners write ten tokens;
Heed also makes a preview and a trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from benchmarks.case import Call, Case, scratch, write_no_eos
from benchmarks.figures import Options, Report, Target, compared, ratio
from benchmarks.rounds import interleaved, workers
from heed.models.catalogue import Catalogue
from heed.models.checkpoint import load_image_encoder, load_picture_network
from heed.models.generation.picture_pipeline import PictureRequest
from heed.models.networks.captioners import RecurrentCaptioner
from heed.models.pictures.decode import SIDE, decode_picture
from heed.models.text.tokenizer import START

NAMES = {"photo:caption-soft": "Heed", "photo-eager:caption-soft": "eager PyTorch, full decode"}
ROUNDS = 9
IMAGE_ENCODER = "image-encoder"
WIDTH, HEIGHT = 4000, 3000
PHOTOS = 20
STEPS = 10


def measure(options: Options) -> Report:
    """Measure a photo on one thread."""
    with workers(list(NAMES), 1) as runners:
        found = interleaved(runners, Case(1, 1), 3 if options.quick else ROUNDS, 0.0)
    measured = {NAMES[name]: seconds for name, seconds in found.items()}
    target = Target("12 MP to trace over eager PyTorch", 4, ratio(*measured.values()))
    head = ["12 MP to trace, one thread", "ms", "over Heed's"]
    return Report({"photos": compared(head, measured)}, [target])


class Photos:
    """Heed: decoding at reduced size, preview, image encoder and trace."""

    def __init__(self, model: str, threads: int) -> None:
        self._scratch = scratch()
        folder = write_no_eos(Path(self._scratch.name), [model, IMAGE_ENCODER], STEPS)
        self._captioner = Catalogue(folder, "native").load(model, threads)

    def call(self, case: Case) -> Call:
        """One photo after the other."""
        del case
        photos = drawn()
        return lambda: self._look(next(photos))

    def _look(self, photo: bytes) -> None:
        (trace,) = self._captioner.run([PictureRequest(decode_picture(photo))])
        assert len(trace.output.target) == STEPS


class EagerPhotos:
    """The whole picture decoded and resized, and the same network called step by step."""

    def __init__(self, model: str, threads: int) -> None:
        torch.set_num_threads(threads)
        with scratch() as name:
            folder = write_no_eos(Path(name), [model, IMAGE_ENCODER], STEPS)
            network = load_picture_network(folder / model)
            self._image_encoder = load_image_encoder(folder / IMAGE_ENCODER)
        assert isinstance(network, RecurrentCaptioner)
        self._network = network

    def call(self, case: Case) -> Call:
        """One photo after the other."""
        del case
        photos = drawn()
        return lambda: self._look(next(photos))

    def _look(self, photo: bytes) -> None:
        with Image.open(BytesIO(photo)) as image, torch.inference_mode():
            square = image.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            cells = self._image_encoder(torch.from_numpy(np.array(square)).unsqueeze(0))
            state = self._network.start(self._network.encode(cells))
            token = torch.tensor([START])
            kept = []
            for _ in range(STEPS):
                advanced, state = self._network.advance(token, state)
                token = self._network.predict(advanced.readout).log_softmax(dim=-1).argmax(dim=-1)
                kept.append((token, advanced.attended[0].weights))


def drawn() -> Iterator[bytes]:
    """Noisy JPEGs of waves and a rectangle, each shifted from the one before."""
    generator = np.random.default_rng(1)
    down, across = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    waves = [np.sin(across / (90 + 40 * c)) * np.cos(down / (70 + 30 * c)) for c in range(3)]
    scene = 128 + 60 * np.stack(waves, axis=-1) + generator.normal(0, 4, (HEIGHT, WIDTH, 1))
    scene[900:2100, 1200:2600] = scene[900:2100, 1200:2600] * 0.3 + 120
    pixels = scene.clip(0, 255).astype(np.uint8)
    photos = []
    for place in range(PHOTOS):
        file = BytesIO()
        Image.fromarray(np.roll(pixels, 173 * place, axis=1)).save(file, "JPEG", quality=88)
        photos.append(file.getvalue())
    return iter(photos)
