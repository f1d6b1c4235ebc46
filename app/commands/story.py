"""`heed story`: an answer, and the weight of every sentence in a terminal."""

from __future__ import annotations

import argparse

from heed.app.commands.errors import DONE
from heed.app.commands.options import load_model, read_stdin, request_errors
from heed.app.commands.output import print_trace
from heed.app.http.validation_errors import validated
from heed.app.inference.stories import story_request
from heed.app.schemas import StoryIn
from heed.app.settings import Settings
from heed.models.trace import Trace


def story(options: argparse.Namespace) -> int:
    """Print the answer to a question, and the weights of the sentences; return the exit code."""
    with request_errors():
        request = validated(_body(options), StoryIn)
        trace = _run(request)
    print_trace(trace, request.detail, as_json=options.json, with_map=not options.quiet)
    return DONE


def _body(options: argparse.Namespace) -> dict[str, object]:
    """Return the body of the request that these options stand for."""
    return {
        "story": read_stdin() if options.story == "-" else options.story,
        "question": options.question,
        "model": options.model,
        "detail": options.detail,
    }


def _run(request: StoryIn) -> Trace:
    reader = load_model(Settings.from_environment(), request.model, "story")
    (trace,) = reader.run([story_request(request)])
    return trace
