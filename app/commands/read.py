"""`heed read`: the words of a sentence, and those that each leans on in a terminal."""

from __future__ import annotations

import argparse

from heed.app.commands.answer import given, print_answer
from heed.app.inference.readings import reading_request
from heed.app.schemas import ReadIn


def read(options: argparse.Namespace) -> int:
    """Print a sentence, and the map of its words; return the exit code."""
    inputs = {"text": given(options.text)}
    return print_answer(options, "read", ReadIn, inputs, lambda asked, _: reading_request(asked))
