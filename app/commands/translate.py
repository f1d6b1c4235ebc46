"""`heed translate`: a translation and its attention map in a terminal."""

from __future__ import annotations

import argparse

from heed.app.commands.errors import DONE
from heed.app.commands.options import load_model, read_stdin, request_errors, search_options
from heed.app.commands.output import print_trace
from heed.app.http.validation_errors import validated
from heed.app.inference.translation import text_request
from heed.app.schemas import TranslateIn
from heed.app.settings import Settings
from heed.models.trace import Trace


def translate(options: argparse.Namespace) -> int:
    """Print the output of a model for a text, and its attention map; return the exit code."""
    with request_errors():
        request = validated(_body(options), TranslateIn)
        trace = _run(request)
    print_trace(trace, request.detail, as_json=options.json, with_map=not options.quiet)
    return DONE


def _body(options: argparse.Namespace) -> dict[str, object]:
    """Return the body of the request that these options stand for."""
    search = search_options(options)
    text = read_stdin() if options.text == "-" else options.text
    return {
        "text": text,
        "model": options.model,
        "target": options.target,
        "search": search,
        "detail": options.detail,
        "vectors": options.vectors,
    }


def _run(request: TranslateIn) -> Trace:
    translator = load_model(Settings.from_environment(), request.model, "text")
    text = text_request(request)
    translator.check(text)
    (trace,) = translator.run([text])
    return trace
