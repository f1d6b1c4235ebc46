"""Reading sounds: samples as they are, at any rate, and files that are refused."""

from __future__ import annotations

import struct
import tracemalloc

import numpy as np
import pytest

from heed.models.errors import SoundError
from heed.models.sounds import read
from heed.models.sounds.read import Sound, read_sound
from tests.models.wav import tone


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_samples_of_every_width_are_numbers_between_minus_one_and_one(width: int) -> None:
    sound = read_sound(tone(0.1, width=width))
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(1600) / 16_000)
    assert (sound.rate, sound.seconds) == (16_000, 0.1)
    assert np.abs(sound.samples - expected).max() < (0.01 if width == 1 else 1e-4)


def test_channels_are_merged() -> None:
    one, two = (read_sound(tone(0.1, channels=count)).samples for count in (1, 2))
    assert np.allclose(two, one / 2, atol=1e-4)


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_100, 48_000])
def test_a_tone_stays_itself_at_another_rate(rate: int) -> None:
    found = read_sound(tone(0.5, rate)).at(16_000)
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(8_000) / 16_000)
    assert abs(len(found) - 8_000) <= 1
    assert np.abs(found - expected[: len(found)])[200:-200].max() < 0.01


def test_frequencies_that_a_rate_cannot_hold_are_left_out() -> None:
    found = read_sound(tone(0.5, 44_100, hertz=15_000)).at(16_000)
    assert np.abs(found)[200:-200].max() < 0.01


def test_a_sound_at_its_own_rate_is_as_it_was() -> None:
    sound = Sound(np.ones(3, np.float32), 16_000)
    assert sound.at(16_000) is sound.samples


def test_a_sound_is_padded_to_a_length_without_large_prime_factors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lengths = []

    def transformed(samples: np.ndarray) -> np.ndarray:
        lengths.append(len(samples))
        return np.zeros(len(samples) // 2 + 1, np.complex64)

    monkeypatch.setattr(np.fft, "rfft", transformed)
    rate = 99_991  # and 31 times as much, one a prime
    Sound(np.zeros(30 * rate, np.float32), rate).at(16_000)
    [length] = lengths
    assert 31 * rate <= length < 1.05 * 31 * rate
    for factor in (2, 3, 5):
        while length % factor == 0:
            length //= factor
    assert length == 1


def test_channels_are_merged_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "BLOCK", 999)
    data = bytearray(tone(2.0, channels=8, width=1))
    data[-8:] = bytes([255] * 8)
    tracemalloc.start()
    try:
        sound = read_sound(bytes(data))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 2 * len(data)
    assert sound.samples[-1] == pytest.approx(127 / 128)
    assert len(sound.samples) == 32_000


FLOATS = b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt " + struct.pack(
    "<IHHIIHHI", 16, 3, 1, 16_000, 64_000, 4, 32, 0
)  # fmt: skip


@pytest.mark.parametrize(
    ("data", "code", "sentence"),
    [
        (b"", "empty_sound", "is empty"),
        (tone(0), "empty_sound", "no samples"),
        (b"ID3 and more", "unsupported_sound", "an MP3"),
        (b"no sound at all", "unsupported_sound", "no sound that is read"),
        (FLOATS, "unsupported_sound", "not plain PCM"),
        (tone(0.1)[:30], "broken_sound", "truncated"),
        (tone(0.1)[:-100], "broken_sound", "truncated"),
        (tone(30.1, 1_000), "sound_too_long", "30.1 s"),
        (tone(0.1, 500), "unsupported_sound", "at 500 Hz"),
        (tone(0.001, 400_000), "unsupported_sound", "at 400,000 Hz"),
        (tone(0.01, channels=9), "unsupported_sound", "9 channels"),
    ],
)
def test_a_file_that_is_no_sound_is_refused(data: bytes, code: str, sentence: str) -> None:
    with pytest.raises(SoundError, match=sentence) as refused:
        read_sound(data)
    assert refused.value.code == code


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(SoundError) as refused:
        read_sound(tone(0.1), max_bytes=100)
    assert refused.value.code == "sound_file_too_large"


def test_a_file_in_millions_of_chunks_is_refused() -> None:
    def chunked(chunks: bytes) -> bytes:
        data = tone(0.1)
        start = data.index(b"data")
        content = data[8:start] + chunks + data[start:]
        return b"RIFF" + struct.pack("<I", len(content)) + content

    assert read_sound(chunked(b"note\3\0\0\0abc\0" * 20)).seconds == 0.1
    with pytest.raises(SoundError) as error:
        read_sound(chunked(b"note\0\0\0\0" * 2_400_000))
    assert error.value.code == "broken_sound"
