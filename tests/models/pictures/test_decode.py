"""Files to pictures: every format and every kind of pixel, the way they are displayed."""

import struct
from io import BytesIO
from typing import cast

import numpy as np
import pytest
from PIL import Image, ImageChops
from PIL.Image import Transpose

from heed.models.errors import PictureError
from heed.models.pictures.decode import Picture, decode_picture
from tests.models.drawn import BLUE, FORMATS, GREEN, RED, YELLOW, chunk, png, quarters, saved

WHITE = (255, 255, 255)


def seen(picture: Picture) -> list[tuple[int, ...]]:
    """The middle of each quarter: left and right above, left and right below."""
    places = ((56, 56), (56, 168), (168, 56), (168, 168))
    return [tuple(int(value) for value in picture.pixels[place]) for place in places]


def assert_seen(data: bytes, *colours: tuple[int, ...], tolerance: int = 3) -> None:
    np.testing.assert_allclose(seen(decode_picture(data)), colours, atol=tolerance)


def grey(colour: tuple[int, ...]) -> tuple[int, ...]:
    """Luma as ITU-R 601 has it."""
    red, green, blue = colour
    return (round(0.299 * red + 0.587 * green + 0.114 * blue),) * 3


# --- formats ----------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_read_and_named(format: str) -> None:
    picture = decode_picture(saved(quarters(64, 48), format))
    assert picture.pixels.shape == (224, 224, 3)
    assert picture.pixels.dtype == np.uint8
    assert (picture.width, picture.height, picture.format) == (64, 48, FORMATS[format])
    np.testing.assert_allclose(seen(picture), [RED, GREEN, BLUE, YELLOW], atol=3)


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (500, 1), (13, 37), (224, 224), (2001, 33)])
def test_every_shape_is_squashed_whole(size: tuple[int, int]) -> None:
    picture = decode_picture(saved(quarters(*size), "PNG"))
    assert picture.pixels.shape == (224, 224, 3)
    assert (picture.width, picture.height) == size
    if min(size) > 1:
        np.testing.assert_allclose(picture.pixels[-1, -1], YELLOW, atol=3)
        np.testing.assert_allclose(picture.pixels[0, 0], RED, atol=3)


@pytest.mark.parametrize("size", [(1500, 900), (901, 1403), (5000, 700)])
def test_in_bands_or_at_once_the_square_is_the_same(size: tuple[int, int]) -> None:
    """Waves, so that a row out of its place would show."""
    rows, columns = np.mgrid[: size[1], : size[0]]
    waves = [127 + 120 * np.sin(columns / 90) * np.cos(rows / slow) for slow in (70, 110, 50)]
    image = Image.fromarray(np.stack(waves, axis=-1).astype(np.uint8))
    wanted = np.asarray(image.resize((224, 224), Image.Resampling.BICUBIC), dtype=int)
    found = decode_picture(saved(image, "BMP")).pixels
    assert np.abs(found - wanted).max() <= 4
    assert np.abs(found - wanted).mean() < 0.6


def test_the_first_picture_of_several_is_the_one() -> None:
    others = [Image.new("RGB", (64, 48), "black")] * 2
    for format in ("GIF", "PNG", "WEBP", "TIFF", "MPO"):
        data = saved(quarters(), format, save_all=True, append_images=others)
        assert_seen(data, RED, GREEN, BLUE, YELLOW)
    assert decode_picture(data).format == "JPEG"


def test_a_large_jpeg_is_decoded_at_part_of_its_size() -> None:
    data = saved(quarters(4000, 3000), "JPEG")
    picture = decode_picture(data)
    assert (picture.width, picture.height) == (4000, 3000)
    np.testing.assert_allclose(seen(picture), [RED, GREEN, BLUE, YELLOW], atol=3)


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((4000, 3000), (500, 375)),  # an eighth
        ((3000, 4000), (375, 500)),
        ((3600, 3000), (640, 533)),  # a quarter, for an eighth would leave too little
        ((6000, 2000), (640, 213)),
        ((900, 300), (640, 213)),
        ((500, 300), (500, 300)),
    ],
)
def test_a_preview_is_as_large_as_it_may_be(size: tuple[int, int], shown: tuple[int, int]) -> None:
    picture = decode_picture(saved(quarters(*size), "JPEG"))
    with Image.open(BytesIO(picture.preview)) as preview:
        assert preview.size == shown


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_a_preview_has_no_metadata(format: str) -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0110] = "a secret description", "a secret camera"
    file = BytesIO()
    quarters(900, 300).save(file, format, exif=exif)
    assert b"a secret" in file.getvalue()
    picture = decode_picture(file.getvalue())
    assert b"a secret" not in picture.preview
    with Image.open(BytesIO(picture.preview)) as preview:
        assert not preview.getexif()


# --- the way up -------------------------------------------------------------------------------

# How each of EXIF's orientations came about: what undoes what the reader must do.
UNDONE = {
    1: None,
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_90,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_270,
}


@pytest.mark.parametrize("orientation", UNDONE)
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_a_picture_is_turned_as_it_is_displayed(format: str, orientation: int) -> None:
    image, undone = quarters(64, 48), UNDONE[orientation]
    exif = Image.Exif()
    exif[274] = orientation
    stored = image if undone is None else image.transpose(undone)
    picture = decode_picture(saved(stored, format, exif=exif))
    assert (picture.width, picture.height) == (64, 48)
    np.testing.assert_allclose(seen(picture), [RED, GREEN, BLUE, YELLOW], atol=3)


@pytest.mark.parametrize(
    "exif", [b"Exif\0\0", b"Exif\0\0II*\0", b"Exif\0\0MM\0*\0\0\0\x08\xff\xff", b"Exif\0\0nonsense"]
)
def test_broken_metadata_does_not_spoil_the_picture(exif: bytes) -> None:
    assert_seen(saved(quarters(), "JPEG", exif=exif), RED, GREEN, BLUE, YELLOW)


def test_an_orientation_that_does_not_exist_is_none() -> None:
    for value in (0, 9, 60_000):
        exif = Image.Exif()
        exif[274] = value
        assert_seen(saved(quarters(), "JPEG", exif=exif), RED, GREEN, BLUE, YELLOW)


# --- kinds of pixel ---------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["JPEG", "PNG", "GIF", "BMP", "TIFF"])
def test_greyscale(format: str) -> None:
    data = saved(quarters().convert("L"), format)
    assert_seen(data, *map(grey, (RED, GREEN, BLUE, YELLOW)))


@pytest.mark.parametrize("format", ["PNG", "GIF", "BMP", "TIFF"])
def test_one_bit(format: str) -> None:
    image = quarters().convert("L").point(lambda value: 255 * (value > 100)).convert("1")
    black = (0, 0, 0)
    assert_seen(saved(image, format), black, WHITE, black, WHITE)


@pytest.mark.parametrize("format", ["PNG", "GIF", "BMP", "TIFF"])
def test_palette(format: str) -> None:
    image = quarters().quantize(4)
    assert_seen(saved(image, format), RED, GREEN, BLUE, YELLOW)


@pytest.mark.parametrize("format", ["PNG", "GIF"])
def test_palette_with_a_colour_that_is_transparent(format: str) -> None:
    image = quarters().quantize(4)
    place = cast("int", image.getpixel((0, 0)))
    assert_seen(saved(image, format, transparency=place), WHITE, GREEN, BLUE, YELLOW)


def test_palette_with_transparency_in_degrees() -> None:
    image = quarters().quantize(4)
    first = cast("int", image.getpixel((0, 0)))
    alphas = bytes(128 if place == first else 255 for place in range(4))
    half = tuple((value + 255) // 2 for value in RED)
    assert_seen(saved(image, "PNG", transparency=alphas), half, GREEN, BLUE, YELLOW)


@pytest.mark.parametrize("format", ["PNG", "WEBP", "TIFF"])
def test_alpha_lies_over_white(format: str) -> None:
    image = quarters().convert("RGBA")
    alpha = Image.new("L", image.size, 255)
    alpha.paste(0, (0, 0, 32, 24))
    alpha.paste(128, (32, 0, 64, 24))
    image.putalpha(alpha)
    half = tuple((value + 255) // 2 for value in GREEN)
    data = saved(image, format, **({"lossless": True} if format == "WEBP" else {}))
    assert_seen(data, WHITE, half, BLUE, YELLOW)


def test_colours_under_full_transparency_do_not_bleed() -> None:
    """Averaging before laying on white would mix in what nobody sees."""
    values = np.zeros((900, 900, 4), np.uint8)
    values[:, ::2] = (255, 0, 0, 0)
    values[:, 1::2] = (0, 0, 255, 255)
    assert_seen(saved(Image.fromarray(values), "PNG"), *[(128, 128, 255)] * 4)


def test_greyscale_with_alpha() -> None:
    image = quarters().convert("LA")
    image.putalpha(quarters().convert("L").point(lambda value: 255 * (value > 100)))
    for format in ("PNG", "TIFF"):
        assert_seen(saved(image, format), WHITE, grey(GREEN), WHITE, grey(YELLOW))


@pytest.mark.parametrize("colour", [0, 2, 4, 6])  # grey, RGB, and both with alpha
def test_sixteen_bits_of_a_png(colour: int) -> None:
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    values = np.full((40, 40, channels), 65_535, np.uint16)
    values[:20, :20, : min(channels, 3)] = 0x4020
    if colour in (4, 6):
        values[..., -1] = 65_535
        values[20:, 20:] = 0
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    dark = (0x40, 0x40, 0x40)
    assert_seen(png(40, 40, depth=16, colour=colour, rows=rows), dark, WHITE, WHITE, WHITE)
    if colour in (0, 2):
        clear = chunk(b"tRNS", b"\x40\x20" * channels)
        data = png(40, 40, depth=16, colour=colour, rows=rows, extra=clear)
        assert_seen(data, WHITE, WHITE, WHITE, WHITE)


@pytest.mark.parametrize("order", ["<u2", ">u2"])
def test_sixteen_bits_of_a_tiff(order: str) -> None:
    shades = np.asarray(quarters().convert("L"))
    values = (shades.astype(np.uint16) * 257).astype(order)
    tags = {256: 64, 257: 48, 258: 16, 259: 1, 262: 1, 277: 1, 278: 48, 279: 64 * 48 * 2}
    sign = order[0]
    entries = {tag: struct.pack(f"{sign}HHII", tag, 4, 1, value) for tag, value in tags.items()}
    start = 8 + 2 + 12 * (len(entries) + 1) + 4
    entries[273] = struct.pack(f"{sign}HHII", 273, 4, 1, start)
    head = (b"II*\0" if sign == "<" else b"MM\0*") + struct.pack(f"{sign}IH", 8, len(entries))
    data = head + b"".join(entries[tag] for tag in sorted(entries)) + bytes(4) + values.tobytes()
    assert_seen(data, *map(grey, (RED, GREEN, BLUE, YELLOW)))


def test_numbers_of_32_bits_are_scaled_by_what_they_can_be() -> None:
    shades = np.asarray(quarters().convert("L"))
    wanted = [grey(colour) for colour in (RED, GREEN, BLUE, YELLOW)]
    for values in (shades / np.float32(255), shades.astype(np.float32), shades.astype(np.int32)):
        image = Image.fromarray(values.astype(np.float32) if values.dtype == np.float64 else values)
        assert_seen(saved(image, "TIFF"), *wanted)
    assert_seen(saved(Image.fromarray(shades.astype(np.int32) * 257), "TIFF"), *wanted)
    holes = (shades / 255).astype(np.float32)
    holes[:4] = np.nan
    assert_seen(saved(Image.fromarray(holes), "TIFF"), *wanted)


def test_inks_as_adobe_writes_them_upside_down() -> None:
    data = saved(quarters().convert("CMYK"), "JPEG", quality=95)
    assert b"Adobe" in data
    assert_seen(data, RED, GREEN, BLUE, YELLOW)


def test_inks_as_others_write_them() -> None:
    data = saved(ImageChops.invert(quarters().convert("CMYK")), "JPEG", quality=95)
    start = data.index(b"\xff\xeeAdobe"[:2])
    length = struct.unpack_from(">H", data, start + 2)[0]
    assert b"Adobe" in data[start : start + 2 + length]
    assert_seen(data[:start] + data[start + 2 + length :], RED, GREEN, BLUE, YELLOW)


def test_inks_of_a_tiff() -> None:
    assert_seen(saved(quarters().convert("CMYK"), "TIFF"), RED, GREEN, BLUE, YELLOW)


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_adobe_deflate", "jpeg", "packbits"])
def test_tiffs_are_packed_in_many_ways(compression: str) -> None:
    data = saved(quarters(), "TIFF", compression=compression)
    assert_seen(data, RED, GREEN, BLUE, YELLOW, tolerance=4)


# --- limits -----------------------------------------------------------------------------------


def test_limits_are_those_that_are_given() -> None:
    data = saved(quarters(), "PNG")
    assert decode_picture(data, max_bytes=len(data), max_pixels=64 * 48)
    with pytest.raises(PictureError) as heavy:
        decode_picture(data, max_bytes=len(data) - 1)
    assert (heavy.value.code, heavy.value.field) == ("image_file_too_large", "image")
    with pytest.raises(PictureError, match="64 × 48 pixels") as large:
        decode_picture(data, max_pixels=64 * 48 - 1)
    assert large.value.code == "picture_too_large"
