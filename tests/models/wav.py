"""Sounds as WAV files."""

from __future__ import annotations

import io
import wave

import numpy as np


def tone(
    seconds: float, rate: int = 16_000, *, hertz: float = 440, channels: int = 1, width: int = 2
) -> bytes:
    """Return a tone as a WAV file; its second channel is silent."""
    wave_form = 0.5 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)
    values = np.round(wave_form * (2 ** (8 * width - 1) - 1)).astype(np.int64)
    columns = np.stack([values, *[0 * values] * (channels - 1)], axis=1).reshape(-1)
    if width == 1:
        columns = columns + 128
    content = b"".join(int(value).to_bytes(width, "little", signed=width > 1) for value in columns)
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(channels)
        written.setsampwidth(width)
        written.setframerate(rate)
        written.writeframes(content)
    return file.getvalue()
