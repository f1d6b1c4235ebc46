"""Uploaded pictures, decoded in processes that can be killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from heed.app.errors import HeedError
from heed.app.inference import pictures
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.pictures import PictureDecoder
from heed.app.inference.work import WorkBudget
from heed.models.pictures.decode import MAX_BYTES, MAX_PIXELS, decode_picture
from tests.app.inference.child_functions import crash, hang
from tests.conftest import wait_for
from tests.models.drawn import png, quarters, saved
from tests.models.pictures.test_hostile_files import LARGE

PHOTO = saved(quarters(), "JPEG")
DEADLINE_SECONDS = 240  # on a busy machine
WORK = WorkBudget(64 * 1024 * 1024)


def staying(_callback: Callable[[], None]) -> Callable[[], object]:
    """Register a callback for a client that never leaves."""
    return lambda: None


@pytest.fixture
def decoder() -> Iterator[PictureDecoder]:
    decoder = PictureDecoder(
        WORK, max_bytes=10**7, max_pixels=10**6, deadline_seconds=DEADLINE_SECONDS
    )
    yield decoder
    decoder.close()


def code_of(decoder: PictureDecoder, file: bytes) -> str:
    with pytest.raises(HeedError) as error:
        asyncio.run(decoder.decoded(file, staying))
    return error.value.code


def test_a_picture_is_the_same_from_another_process(decoder: PictureDecoder) -> None:
    found, wanted = asyncio.run(decoder.decoded(PHOTO, staying)), decode_picture(PHOTO)
    assert found.pixels.tobytes() == wanted.pixels.tobytes()
    assert (found.width, found.height, found.format) == (64, 48, "JPEG")
    assert found.preview == wanted.preview


def test_errors_are_those_of_the_file(decoder: PictureDecoder) -> None:
    assert code_of(decoder, b"") == "empty_picture"
    assert code_of(decoder, b"%PDF-1.7") == "unsupported_picture"
    assert code_of(decoder, PHOTO[:300]) == "broken_picture"
    assert code_of(decoder, saved(quarters(1001, 1000), "PNG")) == "picture_too_large"


def test_a_picture_that_crashes_the_decoder_is_broken(
    decoder: PictureDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "picture_parts", crash)
        assert code_of(decoder, PHOTO) == "broken_picture"
    assert asyncio.run(decoder.decoded(PHOTO, staying)).width == 64


def test_a_picture_has_a_deadline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    decoder = PictureDecoder(WORK, max_bytes=10**7, max_pixels=10**6, deadline_seconds=1)
    monkeypatch.setattr(pictures, "picture_parts", hang)
    assert code_of(decoder, str(tmp_path / "pid").encode()) == "deadline_exceeded"
    decoder.close()  # waits for all functions


def test_the_work_ends_when_the_client_leaves(
    decoder: PictureDecoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "pid"
    callbacks: list[Callable[[], None]] = []

    def leaving(callback: Callable[[], None]) -> Callable[[], object]:
        callbacks.append(callback)
        return lambda: callbacks.remove(callback)

    async def leave() -> None:
        decoding = asyncio.ensure_future(decoder.decoded(str(place).encode(), leaving))
        await asyncio.to_thread(wait_for, place.exists, 60)
        callbacks[0]()
        with pytest.raises(AbandonedError):
            await decoding

    with monkeypatch.context() as patch:
        patch.setattr(pictures, "picture_parts", hang)
        asyncio.run(leave())
    assert not callbacks
    assert asyncio.run(decoder.decoded(PHOTO, staying)).width == 64


async def waits_while(held: AbstractAsyncContextManager[object], decoder: PictureDecoder) -> None:
    """Check that a picture that takes much memory waits while this is held, and no other does."""
    costly = png(400, 400, depth=8, colour=2, rows=bytes(1201 * 400))
    async with held:
        waiting = asyncio.ensure_future(decoder.decoded(costly, staying))
        assert (await decoder.decoded(PHOTO, staying)).width == 64
        assert not waiting.done()
    assert (await waiting).width == 400


@asynccontextmanager
async def large_work() -> AsyncIterator[None]:
    with WORK.parsed(80 * 1024 * 1024):
        yield


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a picture of 400 × 400 pixels take much memory."""
    monkeypatch.setattr(pictures, "USUAL_MEMORY", 100_000)


@pytest.mark.usefixtures("little_memory")
def test_pictures_that_take_much_memory_wait_for_each_other_alone(decoder: PictureDecoder) -> None:
    asyncio.run(waits_while(decoder._large, decoder))


@pytest.mark.usefixtures("little_memory")
def test_a_picture_that_takes_much_memory_is_decoded_alone(decoder: PictureDecoder) -> None:
    asyncio.run(waits_while(decoder._slots, decoder))  # one of two


@pytest.mark.usefixtures("little_memory")
def test_a_picture_that_takes_much_memory_waits_for_other_large_work(
    decoder: PictureDecoder,
) -> None:
    asyncio.run(waits_while(large_work(), decoder))
    assert not WORK.taken


@pytest.mark.parametrize("kind", ["with alpha", "lossless", "progressive"])
def test_the_largest_pictures_fit_into_the_memory_of_a_process(kind: str) -> None:
    format, draw = LARGE[kind]
    decoder = PictureDecoder(
        WORK, max_bytes=MAX_BYTES, max_pixels=MAX_PIXELS, deadline_seconds=DEADLINE_SECONDS
    )
    assert asyncio.run(decoder.decoded(draw(), staying)).format == format
    decoder.close()


def test_a_stopped_decoder_says_so(decoder: PictureDecoder) -> None:
    decoder.stop()
    assert code_of(decoder, PHOTO) == "shutting_down"
