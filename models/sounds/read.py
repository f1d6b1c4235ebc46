"""Reading a user's sound: a WAV file of PCM samples, as one channel at any rate.

A file is never trusted: its declared length and the number of its chunks are checked before
anything is decoded.
"""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heed.models.errors import SoundError

Samples = NDArray[np.float32]

MAX_BYTES: Final = 20_000_000
MAX_SECONDS: Final = 30.0
"""The longest sound that is read; that is as much as a Whisper hears at once."""
RATES: Final = (1_000, 192_000)
"""The sampling rates that are read."""
CHANNELS: Final = 8
MAX_CHUNKS: Final = 1000
"""Chunks of a file up to its samples; a recorder writes about ten."""
BLOCK: Final = 1 << 16
"""Frames that are decoded at once."""
OTHERS: Final = {
    "an MP3": (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"),
    "an Ogg file": (b"OggS",),
    "a FLAC file": (b"fLaC",),
    "a WebM file": (b"\x1aE\xdf\xa3",),
}
"""Other files that people choose for a sound, by their first bytes."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound as one channel of numbers between -1 and 1."""

    samples: Samples
    rate: int

    @property
    def seconds(self) -> float:
        """The length of the sound."""
        return len(self.samples) / self.rate

    def at(self, rate: int) -> Samples:
        """Return the samples at another rate, without the frequencies that it cannot hold.

        >>> len(Sound(np.zeros(441, np.float32), 44_100).at(16_000))
        160
        """
        if rate == self.rate or not len(self.samples):
            return self.samples
        # A second of silence, so that the end does not run into the beginning, or a little more.
        padded = np.zeros(_smooth(len(self.samples) + self.rate), np.float32)
        padded[: len(self.samples)] = self.samples
        wanted = max(round(len(padded) * rate / self.rate), 1)
        spectrum = np.fft.rfft(padded)[: wanted // 2 + 1]
        resampled = np.fft.irfft(spectrum, wanted) * (wanted / len(padded))
        return resampled[: round(len(self.samples) * rate / self.rate)].astype(np.float32)


def read_sound(data: bytes, *, max_bytes: int = MAX_BYTES) -> Sound:
    """Read the WAV file in these bytes, or raise `SoundError`."""
    if not data:
        raise SoundError("empty_sound", "The file is empty.")
    if len(data) > max_bytes:
        message = f"The file has {len(data):,} bytes; up to {max_bytes:,} are read: shorten it."
        raise SoundError("sound_file_too_large", message)
    if not (data.startswith(b"RIFF") and data[8:12] == b"WAVE"):
        message = f"The file is {_named(data)}: convert it to a WAV file of PCM samples."
        raise SoundError("unsupported_sound", message)
    _check_chunks(data)
    try:
        with wave.open(io.BytesIO(data)) as file:
            return _decoded(file)
    except wave.Error as error:
        if "unknown format" in str(error):
            message = "The samples of the WAV file are not plain PCM: convert it to 16-bit PCM."
            raise SoundError("unsupported_sound", message) from None
        raise _broken() from None
    except EOFError:
        raise _broken() from None


def sound_file(path: Path) -> Sound:
    """Read the WAV file at a path, or raise `SoundError`."""
    try:
        with path.open("rb") as file:
            return read_sound(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise SoundError("broken_sound", f"{path} cannot be read: {error.strerror}.") from None


def _check_chunks(data: bytes) -> None:
    """Raise `SoundError` on more chunks than any program writes."""
    place = 12
    for _ in range(MAX_CHUNKS):
        if place + 8 > len(data) or data[place : place + 4] == b"data":
            return
        size = int.from_bytes(data[place + 4 : place + 8], "little")
        place += 8 + size + size % 2
    raise _broken()


def _decoded(file: wave.Wave_read) -> Sound:
    rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
    if not (RATES[0] <= rate <= RATES[1] and 1 <= channels <= CHANNELS and 1 <= width <= 4):
        message = f"The file has {channels} channels of {8 * width} bits at {rate:,} Hz"
        raise SoundError("unsupported_sound", f"{message}: convert it to 16-bit PCM at 16,000 Hz.")
    frames = file.getnframes()
    if not frames:
        raise SoundError("empty_sound", "The file has no samples.")
    if frames > MAX_SECONDS * rate:
        message = f"The sound has {frames / rate:.1f} s; up to {MAX_SECONDS:g} s are read"
        raise SoundError("sound_too_long", f"{message}: shorten it.")
    samples = np.empty(frames, np.float32)
    for start in range(0, frames, BLOCK):
        block = samples[start : start + BLOCK]
        content = file.readframes(len(block))
        if len(content) < len(block) * width * channels:
            raise _broken()
        block[:] = _numbers(content, width).reshape(-1, channels).mean(axis=1)
    return Sound(samples, rate)


def _smooth(least: int) -> int:
    """Return a length of at least so many samples without a prime factor above 5.

    The FFT of a length with a large one takes ten times the memory.

    >>> [_smooth(least) for least in (7, 31, 999_983)]
    [8, 32, 1000000]
    """
    best, threes = 1 << (least - 1).bit_length(), 1
    while threes < best:
        product = threes
        while product < best:
            twos = -(-least // product) - 1
            best = min(best, product << twos.bit_length())
            product *= 5
        threes *= 3
    return best


def _numbers(content: bytes, width: int) -> Samples:
    """Return PCM samples of so many bytes as numbers between -1 and 1."""
    if width == 1:  # the only unsigned ones
        content = (np.frombuffer(content, np.uint8) ^ 128).tobytes()
    if width == 3:
        whole = np.zeros((len(content) // 3, 4), np.uint8)
        whole[:, 1:] = np.frombuffer(content, np.uint8).reshape(-1, 3)
        content, width = whole.tobytes(), 4
    samples = np.frombuffer(content, f"<i{width}").astype(np.float32)
    samples /= np.float32(2 ** (8 * width - 1))
    return samples


def _named(data: bytes) -> str:
    names = (name for name, starts in OTHERS.items() if data.startswith(starts))
    return next(names, "no sound that is read")


def _broken() -> SoundError:
    return SoundError("broken_sound", "The WAV file is truncated or damaged: export it again.")
