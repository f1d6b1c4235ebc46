"""Tokenizers and processors of transformers: what a person gives, as what a model takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageOps

from heed.models.errors import PictureError, RecordingError, SoundError
from heed.models.pictures.decode import decode_picture, picture_bytes
from heed.models.recording.spans import (
    SPACES,
    Span,
    decoded_spans,
    position_axis,
    sound_axis,
    spans_of_pieces,
    token_axis,
    with_patches,
)
from heed.models.sounds.read import Sound, sound_file
from heed.models.trace import Axis, GridAxis, Merge, Patches, PictureInfo, TokenAxis

CLASS_TOKEN = "[CLS]"  # noqa: S105 - no password
SAMPLING_RATE = 16_000
EXACT = 1e-6
"""The share of a frame that is an error of rounding."""


class Prepared(NamedTuple):
    """An input as a model takes it, and its axis once the number of its keys is known."""

    inputs: Mapping[str, Any]
    axis: Callable[[int], Axis]
    text: str = ""
    picture: PictureInfo | None = None


@dataclass(frozen=True)
class InputProcessor:
    """A tokenizer, and what reads images or audio, as far as there are any."""

    tokenizer: Any = None
    images: Any = None
    audio: Any = None
    both: Any = None
    """The processor that reads a picture and a text together."""

    @classmethod
    def of(cls, *processors: Any) -> InputProcessor:
        """Find the parts of processors and tokenizers."""
        known: dict[str, Any] = {}
        for processor in processors:
            parts = {
                "tokenizer": getattr(processor, "tokenizer", None),
                "images": getattr(processor, "image_processor", None),
                "audio": getattr(processor, "feature_extractor", None),
            }
            if parts["images"] is not None:  # an old name of the image processor
                parts["audio"] = None
            if not any(part is not None for part in parts.values()):
                parts = {_part_of(processor): processor}
            known |= {name: part for name, part in parts.items() if part is not None}
            if getattr(processor, "image_token", None) and parts.get("images") is not None:
                known["both"] = processor
        return cls(**known)

    def prepare(self, given: Any, config: Any) -> Prepared:
        """Prepare a text, a picture (an image or a path), both, or a sound (samples or a path)."""
        match given:
            case (Image.Image() | str() | Path() as picture, str(text)) if isinstance(given, tuple):
                self._check_both()
                opened = picture if isinstance(picture, Image.Image) else _file(Path(picture))
                upright = ImageOps.exif_transpose(opened).convert("RGB")
                return self._picture_in_text(upright, text, config)
            case str() | Path() if self.audio is not None:
                return self._samples(_sound(Path(given)).at(self.rate), config)
            case str() if self.tokenizer is not None and not self._names_picture(given):
                return self._text(given)
            case str() | Path() if self.images is not None:
                return self._picture(_file(Path(given)), config)
            case Image.Image():
                return self._picture(ImageOps.exif_transpose(given).convert("RGB"), config)
            case str():
                message = "The model needs a tokenizer to read a text: give one behind the model."
                raise RecordingError(message)
            case Path():
                message = "The model needs an image processor to read a picture: give one."
                raise RecordingError(message)
        return self._samples(given, config)

    def _names_picture(self, given: str) -> bool:
        """Return true if a string is the path of a picture for a model that reads pictures."""
        return self.images is not None and len(given) < 1000 and Path(given).is_file()

    # --- texts --------------------------------------------------------------------------------

    def _text(self, text: str) -> Prepared:
        if not text.strip():
            raise RecordingError("The text is empty: give the model something to read.")
        encoded = self.tokenizer(text, return_tensors="pt")
        ids = encoded["input_ids"][0].tolist()
        axis = self.axis_of(text, ids)
        return Prepared(dict(encoded), lambda _: axis, text)

    def axis_of(self, text: str, ids: Sequence[int]) -> TokenAxis:
        """Make the axis of the tokens of a text."""
        names = self._names(ids)
        if getattr(self.tokenizer, "is_fast", False):
            encoded = self.tokenizer(text, return_offsets_mapping=True)
            spans = [(start, end) for start, end in encoded["offset_mapping"]]
        else:
            spans = self._followed(text, ids, names)
        return token_axis(text, ids, spans, names, "sum")

    def _followed(self, text: str, ids: Sequence[int], names: Sequence[str | None]) -> list[Span]:
        """Return the places of tokens from their pieces; marks have none."""
        known = [place for place, name in enumerate(names) if name is None]
        pieces = self.tokenizer.convert_ids_to_tokens([ids[place] for place in known])
        spans = [(0, 0)] * len(ids)
        for place, span in zip(known, spans_of_pieces(text, pieces), strict=True):
            spans[place] = span
        return spans

    def written_axis(self, ids: Sequence[int], merge: Merge = "mean") -> TokenAxis:
        """Make the axis of tokens that a model wrote."""
        text, spans = decoded_spans(ids, self._decode)
        return token_axis(text, ids, spans, self._names(ids), merge)

    def continued_axis(self, prompt: TokenAxis, ids: Sequence[int]) -> tuple[TokenAxis, TokenAxis]:
        """Make the axis of a prompt with its answer, and that of the answer alone."""
        before = [token.id for token in prompt.tokens]
        text, spans = decoded_spans([*before, *ids], self._decode)
        there = len(self._decode(before))
        spans = [
            (max(start - there, 0), max(end - there, 0)) for start, end in spans[len(before) :]
        ]
        answer, names = text[there:], self._names(ids)
        whole = token_axis(
            prompt.text + answer,
            [*before, *ids],
            [
                *((token.start, token.end) for token in prompt.tokens),
                *((start + len(prompt.text), end + len(prompt.text)) for start, end in spans),
            ],
            [*(token.text if token.special else None for token in prompt.tokens), *names],
            "sum",
            len(before),
        )
        if prompt.patches is not None:
            whole = with_patches(whole, prompt.patches)
        return whole, token_axis(answer, ids, spans, names, "mean")

    def source_ids(self, text: str) -> list[int]:
        """Return the tokens of an input."""
        ids: list[int] = self.tokenizer(text)["input_ids"]
        return ids

    def target_ids(self, target: str) -> list[int]:
        """Return the tokens of an output that the model is made to write."""
        ids: list[int] = self.tokenizer(text_target=target)["input_ids"]
        return ids

    def plain_ids(self, target: str) -> list[int]:
        """Return the tokens of a text without the marks around it."""
        ids: list[int] = self.tokenizer(target, add_special_tokens=False)["input_ids"]
        return ids

    def texts_of(self, ids: Sequence[int]) -> list[str]:
        """Return tokens for display."""
        if self.tokenizer is None:
            return [str(id) for id in ids]
        pieces = self.tokenizer.convert_ids_to_tokens(list(ids))
        return [
            str(piece) if name else self._decode([id]) or str(piece).strip(SPACES) or " "
            for id, piece, name in zip(ids, pieces, self._names(ids), strict=True)
        ]

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self.tokenizer.decode(
            list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text

    def _names(self, ids: Sequence[int]) -> list[str | None]:
        """Return the names of marks; None for the tokens of a text, an unknown one too."""
        marks = set(self.tokenizer.all_special_ids) - {self.tokenizer.unk_token_id}
        pieces = self.tokenizer.convert_ids_to_tokens(list(ids))
        return [str(piece) if id in marks else None for id, piece in zip(ids, pieces, strict=True)]

    # --- pictures and audio -------------------------------------------------------------------

    def _picture(self, image: Image.Image, config: Any) -> Prepared:
        if self.images is None:
            message = "The model needs an image processor to read a picture: give one behind it."
            raise RecordingError(message)
        picture = _information(image)
        inputs = dict(self.images(images=image, return_tensors="pt"))
        pixels = inputs["pixel_values"]
        size = _patch_size(config)
        rows, columns = pixels.shape[-2] // size[0], pixels.shape[-1] // size[1]
        place = _crop(self.images, picture.width, picture.height, *pixels.shape[-2:])

        def axis(count: int) -> GridAxis:
            marks = count - rows * columns
            if marks < 0:
                message = f"The model has {count} keys for a grid of {rows} × {columns} patches"
                raise RecordingError(f"{message}, and cannot be shown over the picture.")
            names = [CLASS_TOKEN, *(f"[mark {place}]" for place in range(2, marks + 1))][:marks]
            return GridAxis(rows, columns, *place, tuple(names))

        return Prepared(inputs, axis, picture=picture)

    def _check_both(self) -> None:
        if self.both is None:
            message = "The model needs a processor that reads a picture and a text together"
            raise RecordingError(f"{message}: give one behind it.")

    def _picture_in_text(self, image: Image.Image, text: str, config: Any) -> Prepared:
        """Prepare a picture within a text, at its mark or before it."""
        self._check_both()
        mark = self.both.image_token
        if mark not in text:
            text = f"{mark}\n{text}"
        inputs = dict(self.both(images=image, text=text, return_tensors="pt"))
        ids = inputs["input_ids"][0].tolist()
        cells = [place for place, id in enumerate(ids) if id == config.image_token_id]
        picture = _information(image)
        high, wide = inputs["pixel_values"].shape[-2:]
        size = _patch_size(config)
        grid = GridAxis(
            high // size[0],
            wide // size[1],
            *_crop(self.images, picture.width, picture.height, high, wide),
        )
        first = cells[0] if cells else 0
        if cells != list(range(first, first + len(grid))):
            message = f"The picture is read as {len(cells)} tokens, which are no grid of "
            raise RecordingError(
                f"{message}{grid.rows} × {grid.columns} patches: give one picture."
            )
        shown = text.replace(mark, "", 1)
        names = self._names(ids)
        for place in cells:
            row, column = divmod(place - first, grid.columns)
            names[place] = f"patch {row + 1},{column + 1}"
        spans = self._followed(shown, ids, names)
        axis = with_patches(token_axis(shown, ids, spans, names, "sum"), Patches(first, grid))
        return Prepared(inputs, lambda _: axis, shown, picture)

    @property
    def rate(self) -> int:
        """The samples of a second of a sound."""
        return int(getattr(self.audio, "sampling_rate", SAMPLING_RATE))

    def _samples(self, samples: Any, config: Any) -> Prepared:
        if self.audio is None:
            kind = type(samples).__name__
            message = f"An input of type {kind} cannot be read: give a text, a picture, or samples"
            raise RecordingError(f"{message} of audio with a processor behind the model.")
        rate = self.rate
        inputs = dict(self.audio(np.asarray(samples), sampling_rate=rate, return_tensors="pt"))
        heard = len(np.asarray(samples)) / rate
        features = inputs.get("input_features")
        stride = math.prod(getattr(config, "conv_stride", None) or (0,))  # samples for a frame

        def axis(count: int) -> TokenAxis:
            if features is not None:
                length = getattr(self.audio, "hop_length", 0) * features.shape[-1]
                seconds = length / rate / count
            else:
                seconds = stride / rate
            if not seconds:
                return position_axis(count)
            return sound_axis(min(count, max(math.ceil(heard / seconds - EXACT), 1)), seconds)

        return Prepared(inputs, axis)


def _part_of(processor: Any) -> str:
    """Return the part that a processor is."""
    if hasattr(processor, "convert_ids_to_tokens"):
        return "tokenizer"
    return "audio" if hasattr(processor, "sampling_rate") else "images"


def _file(path: Path) -> Image.Image:
    """Open a picture whose size and content are those of a picture that can be read."""
    try:
        data = picture_bytes(path)
        decode_picture(data)
    except PictureError as error:
        raise RecordingError(error.message) from None
    return ImageOps.exif_transpose(Image.open(BytesIO(data))).convert("RGB")


def _sound(path: Path) -> Sound:
    try:
        return sound_file(path)
    except SoundError as error:
        raise RecordingError(error.message) from None


def _information(image: Image.Image) -> PictureInfo:
    """Describe a picture, with a preview of it."""
    read = decode_picture(picture_bytes(image))
    return PictureInfo(read.width, read.height, read.format, read.preview)


def _patch_size(config: Any) -> tuple[int, int]:
    """Return the height and width of a patch, from the configuration of what reads the picture."""
    for name in ("encoder", "vision_config", None):
        part = config if name is None else getattr(config, name, None)
        size = getattr(part, "patch_size", None)
        if size is not None:
            return (size, size) if isinstance(size, int) else (size[0], size[1])
    message = "The model does not read a picture in patches: its attention has no grid."
    raise RecordingError(message)


def _crop(
    images: Any, width: int, height: int, rows: int, columns: int
) -> tuple[float, float, float, float]:
    """Return the part of a picture that its pixels cover: left, top, width, height."""
    whole = (0.0, 0.0, float(width), float(height))
    if not getattr(images, "do_center_crop", False):
        return whole
    size = getattr(images, "size", None) or {}
    shortest = size.get("shortest_edge") if hasattr(size, "get") else None
    if shortest is None:
        return whole
    scale = min(width, height) / shortest  # pixels of the picture for one that the model sees
    across, down = min(columns * scale, width), min(rows * scale, height)
    return ((width - across) / 2, (height - down) / 2, across, down)
