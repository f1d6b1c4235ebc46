"""Malicious and damaged files: a specific error, and little memory."""

import json
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

from heed.models.errors import PictureError
from heed.models.pictures.decode import MAX_MEMORY, decode_picture
from tests.models.drawn import FORMATS, chunk, png, png_with, quarters, saved, tiff

ROOT = Path(__file__).parents[3]
MAX_MORE = MAX_MEMORY + 20_000_000  # bytes that any file may take

ZEROS = zlib.compress(bytes(30_000_000), 9)


def code_of(data: bytes) -> str:
    with pytest.raises(PictureError) as error:
        decode_picture(data)
    assert error.value.field == "image"
    assert error.value.message.endswith((".", "!"))
    return error.value.code


# --- no picture at all ------------------------------------------------------------------------


def test_nothing_is_not_a_picture() -> None:
    assert code_of(b"") == "empty_picture"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
        (b"<!DOCTYPE html><title>404</title>", "web page"),
        (b"<HTML><BODY>", "web page"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1", "AVIF"),
        (b"%PDF-1.7\n", "PDF"),
        (b"GIMP", "none of the pictures"),
        (b"\0", "none of the pictures"),
        (b"\xff" * 5000, "none of the pictures"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "none of the pictures"),
    ],
)
def test_something_else_is_called_by_its_name(data: bytes, name: str) -> None:
    with pytest.raises(PictureError, match=name) as error:
        decode_picture(data)
    assert error.value.code == "unsupported_picture"
    assert "JPEG, PNG, WebP, GIF, BMP or TIFF" in error.value.message


@pytest.mark.parametrize("format", ["ICO", "PPM", "TGA", "PCX", "JPEG2000", "EPS"])
def test_formats_that_are_not_accepted_are_not_opened(format: str) -> None:
    assert code_of(saved(quarters(), format)) == "unsupported_picture"


# --- broken pictures --------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_cut_short_is_an_error(format: str) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (60, 80, 3), np.uint8)
    data = saved(Image.fromarray(noise), format)
    for length in (1, 8, 16, 30, len(data) // 3, len(data) // 2, len(data) * 3 // 4):
        assert code_of(data[:length]) in ("broken_picture", "unsupported_picture")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("format", [*FORMATS, "packed TIFF", "palette", "inks", "progressive"])
def test_a_mutated_file_gives_a_picture_or_an_error_and_nothing_else(
    format: str, seed: int
) -> None:
    rng = Random(f"{format} {seed}")
    for _ in range(5):
        try:
            picture = decode_picture(mutated(WHOLE[format], rng))
        except PictureError:
            continue
        else:
            assert picture.pixels.shape == (224, 224, 3)


WHOLE = {format: saved(quarters(40, 30), format) for format in FORMATS} | {
    "packed TIFF": saved(quarters(40, 30), "TIFF", compression="tiff_lzw"),
    "palette": saved(quarters(40, 30).quantize(4), "PNG", transparency=b"\0\x80\xff"),
    "inks": saved(quarters(40, 30).convert("CMYK"), "JPEG"),
    "progressive": saved(quarters(40, 30), "JPEG", progressive=True),
}


def mutated(whole: bytes, rng: Random) -> bytes:
    """A few wounds: bytes changed, pieces lost, doubled or emptied; PNG's sums are mended."""
    data = bytearray(whole)
    for _ in range(rng.randint(1, 4)):
        # The beginning declares what is to come, so it is hit most.
        start = rng.randrange(min(len(data), rng.choice((32, 200, len(data)))))
        length = rng.randint(1, rng.choice((1, 4, 60)))
        match rng.randrange(6):
            case 0:
                data[start] ^= 1 << rng.randrange(8)
            case 1:
                data[start : start + length] = rng.randbytes(length)
            case 2:
                del data[start : start + length]
            case 3:
                data[start:start] = data[start : start + length]
            case 4:
                data[start : start + length] = bytes([rng.choice((0, 0x7F, 0xFF))]) * length
            case 5:
                del data[rng.randrange(max(len(data) // 2, 1)) :]
        if not data:
            return b"\0"
    return mended(bytes(data)) if rng.random() < 0.7 else bytes(data)


def mended(data: bytes) -> bytes:
    """A PNG with the right sum on every chunk, so that wounds get as far as the decoder."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return data
    made, place = [data[:8]], 8
    while place + 12 <= len(data):
        length = int.from_bytes(data[place : place + 4])
        if place + 12 + length > len(data):
            break
        made.append(chunk(data[place + 4 : place + 8], data[place + 8 : place + 8 + length]))
        place += 12 + length
    return b"".join(made) + data[place:]


# --- bombs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(png_with(chunk(b"zTXt", b"Comment\0\0" + ZEROS)), id="zTXt"),
        pytest.param(png_with(chunk(b"iTXt", b"Comment\0\1\0\0\0" + ZEROS)), id="iTXt"),
        pytest.param(png_with(chunk(b"iCCP", b"profile\0\0" + ZEROS)), id="iCCP"),
    ],
)
def test_a_bomb_in_the_metadata_of_a_png_is_an_error(data: bytes) -> None:
    assert code_of(data) == "broken_picture"


HUGE = 60_000, 60_000
DECLARED = {
    "PNG": png(*HUGE, depth=8, colour=2, rows=b"\0"),
    "GIF": b"GIF89a" + struct.pack("<HH", *HUGE) + WHOLE["GIF"][10:],
    "BMP": WHOLE["BMP"][:18] + struct.pack("<II", *HUGE) + WHOLE["BMP"][26:],
    "JPEG": WHOLE["JPEG"].replace(struct.pack(">HH", 30, 40), struct.pack(">HH", *HUGE), 1),
    "TIFF": tiff(*HUGE, {258: (3, 1, 8), 262: (3, 1, 1), 273: (4, 1, 8)}),
    "WEBP": b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + b"\x5f\xea\0" * 2 + WHOLE["WEBP"][12:],
}


@pytest.mark.parametrize("format", DECLARED)
def test_what_is_declared_too_large_is_never_decoded(format: str) -> None:
    assert code_of(DECLARED[format]) == "picture_too_large"


def test_a_side_can_be_too_long_by_itself() -> None:
    data = png(70_000, 1, depth=1, colour=0, rows=bytes(8751))
    assert code_of(data) == "picture_too_large"


def jpeg_declared(size: tuple[int, int], **options: object) -> bytes:
    """A small JPEG with a larger declared size."""
    data = saved(quarters(40, 30), "JPEG", **options)
    return data.replace(struct.pack(">HH", 30, 40), struct.pack(">HH", *size[::-1]), 1)


def test_a_progressive_jpeg_counts_with_all_that_is_kept_of_it() -> None:
    """libjpeg keeps two bytes of every sample until the last scan."""
    full = {"progressive": True, "subsampling": "4:4:4"}
    assert code_of(jpeg_declared((7000, 7000), **full)) == "picture_too_large"
    # Of smaller ones, and of those in one scan, what is missing is left grey, as browsers do.
    assert decode_picture(jpeg_declared((4000, 4000), **full)).width == 4000
    assert decode_picture(jpeg_declared((7000, 7000), subsampling="4:4:4")).width == 7000


def test_a_jpeg_of_endless_scans_is_refused() -> None:
    data = saved(quarters(), "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    again = data[last:-2] * 250
    assert code_of(data[:last] + again + b"\xff\xd9") == "picture_too_large"


def scanned(width: int, height: int, more: int) -> bytes:
    """A black progressive JPEG of ten scans and so many more, each a complete one."""
    data = saved(Image.new("RGB", (width, height)), "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * (more + 1) + data[-2:]


def test_scans_are_bounded_by_the_pixels_that_they_decode() -> None:
    assert code_of(scanned(7000, 7000, 175)) == "picture_too_large"
    assert code_of(scanned(4000, 3000, 80)) == "picture_too_large"
    assert code_of(scanned(5600, 5600, 24)) == "picture_too_large"
    assert decode_picture(scanned(5600, 5600, 2)).width == 5600
    assert decode_picture(scanned(640, 480, 150)).width == 640


def test_scans_of_other_pictures_in_the_file_do_not_count() -> None:
    data = saved(quarters(), "JPEG", progressive=True)
    thumbnail = b"\xff\xe2\xff\xf0" + b"\xff\xda" * (0xFFF0 // 2 - 1)
    film = b"\xff\xda" * 10_000
    assert decode_picture(data[:2] + thumbnail + data[2:] + film).width == 64


def inserted(whole: bytes, place: int, pieces: bytes) -> bytes:
    return whole[:place] + pieces + whole[place:]


AFTER_PALETTE = 13 + (3 << (WHOLE["GIF"][10] & 7) + 1)
SCAN = WHOLE["JPEG"].index(b"\xff\xda") + 14
IN_PIECES = {
    "comments of a JPEG": lambda: inserted(WHOLE["JPEG"], 2, b"\xff\xfe\0\2" * 4_000_000),
    "filling of a JPEG": lambda: inserted(WHOLE["JPEG"], 2, b"\xff" * 19_000_000),
    "junk of a JPEG": lambda: inserted(WHOLE["JPEG"], 2, b"\xff\0" * 9_000_000),
    "restarts of a JPEG": lambda: inserted(WHOLE["JPEG"], 2, b"\xff\xd0" * 9_000_000),
    "ends of a JPEG": lambda: inserted(WHOLE["JPEG"], 2, b"\xff\xd9" * 9_000_000),
    "a JPEG without a scan": lambda: b"\xff\xd8\xff" + b"\xff" * 19_000_000,
    "markers in a scan": lambda: inserted(WHOLE["JPEG"], SCAN, b"\xff\x01" * 9_000_000),
    "texts of a PNG": lambda: png_with(chunk(b"tEXt", b"a\0b") * 1_000_000),
    "texts after the pixels": lambda: inserted(
        WHOLE["PNG"], len(WHOLE["PNG"]) - 12, chunk(b"tEXt", b"a\0b") * 1_000_000
    ),
    "pixels of a PNG": lambda: inserted(WHOLE["PNG"], 33, chunk(b"IDAT", b"") * 1_500_000),
    "comments of a GIF": lambda: inserted(WHOLE["GIF"], AFTER_PALETTE, b"!\xfe\1a\0" * 3_800_000),
    "blocks of a GIF": lambda: inserted(
        WHOLE["GIF"], AFTER_PALETTE, b"!\xff" + b"\1a" * 9_000_000 + b"\0"
    ),
}


@pytest.mark.parametrize("name", IN_PIECES)
def test_a_file_in_millions_of_pieces_is_refused(name: str) -> None:
    assert code_of(IN_PIECES[name]()) == "picture_too_large"


def frames(format: str, count: int) -> bytes:
    others = [quarters(64, 48).point(lambda value, n=n: value ^ n) for n in range(1, count)]
    return saved(quarters(), format, save_all=True, append_images=others)


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG", "TIFF", "MPO"])
def test_only_the_first_frame_is_read(format: str) -> None:
    alone = decode_picture(saved(quarters(), "PNG")).pixels.astype(int)
    found = decode_picture(frames(format, 6)).pixels.astype(int)
    assert np.abs(found - alone).mean() < 5


def tiled(count: int, compression: int, content: bytes, side: int) -> bytes:
    """A TIFF of so many tiles in a row, all in one place."""
    entries = {258: (3, 1, 8), 259: (3, 1, compression), 262: (3, 1, 1)}
    entries |= {322: (4, 1, side), 323: (4, 1, side)}
    start = 8 + 2 + 12 * (len(entries) + 4) + 4
    entries |= {324: (4, count, start), 325: (4, count, start + 4 * count)}
    places = struct.pack("<I", start + 8 * count) * count
    return tiff(
        count * side, side, entries, places + struct.pack("<I", len(content)) * count + content
    )


def test_a_tiff_of_tiles_in_one_place_is_refused() -> None:
    tile = zlib.compress(bytes(256))
    assert code_of(tiled(4000, 8, tile + bytes(10_000), 16)) == "picture_too_large"
    assert decode_picture(tiled(4, 8, tile, 16)).width == 64


def test_a_tiff_of_a_jpeg_in_many_scans_is_refused() -> None:
    entries = {258: (3, 1, 8), 259: (3, 1, 7), 262: (3, 1, 1)}
    start = 8 + 2 + 12 * (len(entries) + 5) + 4
    tile = scanned(4000, 4000, 80)
    entries |= {273: (4, 1, start), 278: (4, 1, 4000), 279: (4, 1, len(tile))}
    assert code_of(tiff(4000, 4000, entries, bytes(24) + tile)) == "picture_too_large"


def test_a_tiff_of_endless_tags_is_refused() -> None:
    tags = {1000 + n: (3, 1, 0) for n in range(5000)}
    assert code_of(tiff(64, 64, tags)) == "picture_too_large"


def test_a_directory_that_leads_to_itself_is_read_once() -> None:
    data = saved(quarters(), "TIFF")
    where = struct.unpack_from("<I", data, 4)[0]
    count = struct.unpack_from("<H", data, where)[0]
    end = where + 2 + 12 * count
    assert decode_picture(data[:end] + data[4:8] + data[end + 4 :]).width == 64


def test_metadata_that_leads_to_itself_leaves_the_picture() -> None:
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, 8) for tag in (0x8769, 0x8825, 0xA005))
    block = b"II*\0\x08\0\0\0" + struct.pack("<H", 3) + entries + struct.pack("<I", 8)
    for format in ("JPEG", "PNG", "WEBP"):
        prefix = b"" if format == "PNG" else b"Exif\0\0"
        assert decode_picture(saved(quarters(), format, exif=prefix + block)).width == 64


def test_a_tiff_in_a_million_pieces_is_refused() -> None:
    pieces = bytes(4_000_000)
    entries = {258: (3, 1, 8), 262: (3, 1, 1), 278: (3, 1, 1)}
    entries |= {273: (4, 1_000_000, 200), 279: (4, 1_000_000, 200)}
    assert code_of(tiff(5000, 5000, entries, bytes(200) + pieces)) == "picture_too_large"


def test_a_tiff_of_one_enormous_tile_is_refused() -> None:
    entries = {258: (3, 1, 8), 259: (3, 1, 8), 262: (3, 1, 1)}
    entries |= {322: (4, 1, 40_000), 323: (4, 1, 40_000), 324: (4, 1, 8), 325: (4, 1, 20)}
    assert code_of(tiff(64, 64, entries)) == "picture_too_large"


def test_a_long_bmp_in_runs_is_refused() -> None:
    head = struct.pack("<IiiHHIIiiII", 40, 5000, 5000, 1, 8, 1, 0, 0, 0, 256, 0)
    start = 14 + len(head) + 1024
    data = b"BM" + struct.pack("<IHHI", 0, 0, 0, start) + head + bytes(1024) + b"\1\1" * 1_100_000
    assert code_of(data) == "image_file_too_large"


# --- memory -----------------------------------------------------------------------------------

# Not getrusage: its highest mark is handed down from the process that started this one.
MEASURE = """
import json, re, sys
from pathlib import Path
from heed.models.errors import PictureError
from heed.models.pictures.decode import decode_picture
from tests.models.drawn import quarters, saved

def most():
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])

decode_picture(saved(quarters(), "PNG"))
data = sys.stdin.buffer.read()
before = most()
try:
    found = decode_picture(data).format
except PictureError as error:
    found = error.code
print(json.dumps([found, most() - before]))
"""


def measured(data: bytes) -> tuple[str, int]:
    """What became of a file, and the bytes that it took at most."""
    command = [sys.executable, "-c", MEASURE]
    done = subprocess.run(command, input=data, capture_output=True, cwd=ROOT, check=True)
    code, more = json.loads(done.stdout)
    return code, more


def plain(colour: int, channels: int, width: int = 7000, height: int = 7100) -> bytes:
    """A PNG, of nearly as many pixels as there may be, all alike."""
    rows = bytes(1 + width * channels) * height
    return png(width, height, depth=8, colour=colour, rows=rows)


LARGE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "with alpha": ("PNG", lambda: plain(6, 4, 4000, 6000)),
    "greyscale": ("PNG", lambda: plain(0, 1)),
    "baseline": ("JPEG", lambda: jpeg_declared((7000, 7100))),
    "progressive": ("JPEG", lambda: jpeg_declared((5600, 5700), progressive=True)),
    "palette": ("GIF", lambda: saved(Image.new("P", (7000, 7100)), "GIF")),
    "packed": ("TIFF", lambda: saved(Image.new("L", (7000, 7100)), "TIFF", compression="tiff_lzw")),
    "lossless": ("WebP", lambda: saved(Image.new("RGB", (2880, 2160)), "WEBP", lossless=True)),
    "too large with alpha": ("picture_too_large", lambda: plain(6, 4)),
    "WebP of a kind": ("picture_too_large", lambda: DECLARED["WEBP"]),
    "TIFF of a kind": ("picture_too_large", lambda: DECLARED["TIFF"]),
}


@pytest.mark.parametrize("kind", LARGE)
def test_no_file_takes_more_than_its_share_of_memory(kind: str) -> None:
    wanted, draw = LARGE[kind]
    code, more = measured(draw())
    assert code == wanted
    assert more < MAX_MORE


def test_a_phones_photo_takes_little_memory() -> None:
    code, more = measured(saved(quarters(4032, 3024), "JPEG", quality=95))
    assert code == "JPEG"
    assert 0 < more < 40_000_000


def test_many_at_once_are_read_one_after_the_other() -> None:
    data = saved(quarters(300, 200), "PNG")
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(decode_picture(data).pixels.tobytes()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
