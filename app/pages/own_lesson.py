"""A lesson of one's own: a title, addresses of the page and a sentence for each, kept in its link.

The link has them compressed, as `mine`. Nothing is stored on the server.
"""

from __future__ import annotations

import base64
import zlib
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

import orjson
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heed.app.pages.lessons import PATHS, Lesson, State, Step

NAME = "mine"
MOST_STEPS = 24
MOST_PACKED = 6_000
"""Characters in the link, which an address must have room for."""
MOST_BYTES = 32_000
MOST_SENTENCE = 500
MOST_TITLE = 100
MOST_PARAMETERS = 100
NOT_KEPT = frozenset({"lesson", "at", "mine", "present", "tour", "wait"})
"""Parameters of an address that belong to another lesson, or to a moment."""
PAGES = {path: name for name, path in PATHS.items()}


class OwnStep(BaseModel):
    """A step: an address of this site, and a sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: Annotated[str, Field(max_length=4_000)]
    sentence: Annotated[str, Field(max_length=MOST_SENTENCE)]


class OwnLesson(BaseModel):
    """A lesson as its link has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Annotated[str, Field(min_length=1, max_length=MOST_TITLE)]
    steps: Annotated[tuple[OwnStep, ...], Field(min_length=1, max_length=MOST_STEPS)]


def written(title: str, lines: str) -> str | None:
    """Return the link of a lesson that is typed: a line each, its address and then its sentence.

    None if it has no step, too many, or one that is no address of a page.
    """
    rows = [line.split(maxsplit=1) for line in lines.splitlines()[: MOST_STEPS + 1] if line.strip()]
    steps = [{"address": row[0], "sentence": row[1] if len(row) > 1 else ""} for row in rows]
    try:
        own = OwnLesson.model_validate({"title": title.strip() or "My lesson", "steps": steps})
    except ValidationError:
        return None
    packed = _packed(own)
    lesson = own_lesson(packed)
    return lesson.steps[0].href if lesson else None


def own_lesson(packed: str) -> Lesson | None:
    """Return the lesson of a link, or None if it is not one."""
    own = _unpacked(packed)
    if own is None:
        return None
    steps = [_step(packed, at, step) for at, step in enumerate(own.steps, 1)]
    known = tuple(step for step in steps if step is not None)
    if len(known) < len(steps):
        return None
    return Lesson(name=NAME, title=own.title, description=own.title, steps=known)


def _step(packed: str, at: int, own: OwnStep) -> Step | None:
    try:
        split = urlsplit(own.address)
        given = parse_qsl(split.query, max_num_fields=MOST_PARAMETERS)
    except ValueError:  # a host with half of its brackets, or too many parameters
        return None
    page = PAGES.get(split.path)
    if page is None:
        return None
    address = {name: value for name, value in given if name not in NOT_KEPT}
    prose = Markup("<p>{}</p>").format(own.sentence)
    place: dict[str, str | int] = {"lesson": NAME, "at": at, "mine": packed}
    state = State(page=page, address=dict(address))
    return Step(f"Step {at}", prose, len(own.sentence.split()), state, place)


def _packed(own: OwnLesson) -> str:
    content = [own.title, [[step.address, step.sentence] for step in own.steps]]
    return base64.urlsafe_b64encode(zlib.compress(orjson.dumps(content), 9)).decode().rstrip("=")


def _unpacked(packed: str) -> OwnLesson | None:
    if not 0 < len(packed) <= MOST_PACKED:
        return None
    try:
        held = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        title, steps = orjson.loads(zlib.decompressobj().decompress(held, MOST_BYTES))
        rows = [{"address": address, "sentence": sentence} for address, sentence in steps]
        return OwnLesson.model_validate({"title": title, "steps": rows})
    except (ValueError, TypeError, zlib.error):
        return None
