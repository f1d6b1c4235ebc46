"""`heed glimpse`: a digit, and the belief after each glimpse in a terminal."""

from __future__ import annotations

import argparse

from heed.app.commands.errors import DONE
from heed.app.commands.options import load_model, read_picture_file, request_errors
from heed.app.commands.output import print_trace
from heed.app.settings import Settings
from heed.models.generation.requests import GlimpseRequest
from heed.models.images.read import read_picture


def glimpse(options: argparse.Namespace) -> int:
    """Print the digit in a picture, and the belief after each glimpse; return the exit code."""
    settings = Settings.from_environment()
    with request_errors():
        reader = load_model(settings, options.model, "glimpse")
        picture = read_picture(
            read_picture_file(options.picture, settings),
            max_bytes=settings.max_image_bytes,
            max_pixels=settings.max_image_pixels,
        )
        (trace,) = reader.run([GlimpseRequest(picture)])
    print_trace(trace, options.detail, as_json=options.json, with_map=not options.quiet)
    return DONE
