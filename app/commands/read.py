"""`heed read`: the words of a sentence, and those that each leans on in a terminal."""

from __future__ import annotations

import argparse

from heed.app.commands.errors import DONE
from heed.app.commands.options import load_model, read_stdin, request_errors
from heed.app.commands.output import print_trace
from heed.app.http.validation_errors import validated
from heed.app.inference.readings import reading_request
from heed.app.schemas import ReadIn
from heed.app.settings import Settings


def read(options: argparse.Namespace) -> int:
    """Print a sentence, and the map of its words; return the exit code."""
    with request_errors():
        text = read_stdin() if options.text == "-" else options.text
        body = {"text": text, "model": options.model, "detail": options.detail}
        request = validated(body, ReadIn)
        reader = load_model(Settings.from_environment(), request.model, "read")
        (trace,) = reader.run([reading_request(request)])
    print_trace(trace, request.detail, as_json=options.json, with_map=not options.quiet)
    return DONE
