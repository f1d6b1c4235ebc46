"""`heed story`: an answer, and the weight of every sentence in a terminal."""

from __future__ import annotations

import argparse

from heed.app.commands.answer import given, print_answer
from heed.app.inference.stories import story_request
from heed.app.schemas import StoryIn


def story(options: argparse.Namespace) -> int:
    """Print the answer to a question, and the weights of the sentences; return the exit code."""
    inputs = {"story": given(options.story), "question": options.question}
    return print_answer(options, "story", StoryIn, inputs, lambda asked, _: story_request(asked))
