"""Questions about everyday photos: those that people wrote, and whether a thing is there.

A question stands in training in several wordings, as people type it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from random import Random

from training.caption.everyday import Annotation
from training.caption.lexicon import SEEN_THINGS
from training.caption.things import singular
from training.caption.words import words
from training.vqa.questions import Form, Question

# What a question may be reworded to; a part of the text and its replacements.
REWORDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"^what color is the (.+)$", ("what's the colour of the {0}", "what colour has the {0}")),
    (r"^what color are the (.+)$", ("what's the colour of the {0}", "which colour are the {0}")),
    (r"^what color (is|are) (.+)$", ("what colour {0} {1}", "which color {0} {1}")),
    (r"^how many (.+) are there$", ("how many {0} can you see", "how many {0} do you see")),
    (r"^how many (.+) are there$", ("how many {0} are in the picture", "count the {0}")),
    (r"^is there (.+)$", ("can you see {0}", "do you see {0}", "is there {0} in the picture")),
    (r"^are there (.+)$", ("can you see {0}", "do you see {0}", "are there {0} in the photo")),
    (r"^what is (.+)$", ("what's {0}",)),
    (r"^where is (.+)$", ("where's {0}",)),
    (r"^what room is (.+)$", ("which room is {0}", "what kind of room is {0}")),
    (r"^what animal is (.+)$", ("which animal is {0}", "what kind of animal is {0}")),
    (r"^what sport is (.+)$", ("which sport is {0}",)),
    (r"^what vehicle is (.+)$", ("which vehicle is {0}", "what kind of vehicle is {0}")),
)
PRESENT = 0.5  # share of the questions about a thing that is there
WRITTEN_AS = (("color", "colour"), ("gray", "grey"))


def wordings(text: str) -> tuple[str, ...]:
    """Return the wordings of a question, the question itself first."""
    texts = [text]
    for pattern, others in REWORDINGS:
        if match := re.match(pattern, text):
            texts += [other.format(*match.groups()) for other in others]
    for american, british in WRITTEN_AS:
        texts += [word.replace(american, british) for word in texts if american in word]
    return tuple(dict.fromkeys(texts))


def form_of(text: str, answer: str) -> Form:
    """Return the form of a question by its beginning and its answer."""
    if answer in ("yes", "no"):
        return "yes or no"
    if text.startswith("how many"):
        return "count"
    if text.startswith("what color"):
        return "colour"
    if text.startswith("where"):
        return "where"
    return "doing" if text.endswith("doing") else "what"


def written_questions(photos: Mapping[str, Annotation]) -> list[Question]:
    """Return the questions that people wrote about photos."""
    return [
        Question(name, form_of(text, answer), text, text, answer, wordings(text))
        for name, photo in sorted(photos.items())
        for text, answer in photo.questions
    ]


def presence_questions(photos: Mapping[str, Annotation]) -> list[Question]:
    """Return for each photo whether a thing is there: one that is mentioned, or another.

    The others are drawn by how often they stand in captions, so that the word of a thing does not
    give the answer away. One that nobody mentions may still be there, but rarely.
    """
    by_photo = {name: _things(photo) for name, photo in sorted(photos.items())}
    counts = Counter(thing for things in by_photo.values() for thing in sorted(things))
    if not counts:
        return []
    every, weights = list(counts), list(counts.values())
    made: list[Question] = []
    for name, things in by_photo.items():
        random = Random(name)
        (other,) = random.choices(every, weights)
        if things and random.random() < PRESENT:
            made.append(_presence(name, random.choice(sorted(things)), "yes"))
        elif other not in things:
            made.append(_presence(name, other, "no"))
    return made


def _things(annotation: Annotation) -> set[str]:
    """Return the things that captions, questions and answers of a photo mention."""
    texts = [*annotation.captions, *(f"{text} {answer}" for text, answer in annotation.questions)]
    return {singular(word) for text in texts for word in words(text)} & SEEN_THINGS


def _presence(photo: str, thing: str, answer: str) -> Question:
    article = "an" if thing[0] in "aeiou" else "a"
    text = f"is there {article} {thing}"
    return Question(photo, "yes or no", text, text, answer, wordings(text))
