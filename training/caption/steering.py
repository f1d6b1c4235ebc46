"""The share of nouns that become a thing of the picture when the attention is sent there.

A captioner is given the caption of a drawn scene with two things up to the noun of one. There, all
attention is set to the box of the other: that of all heads together, and that of each head alone.
The aim is the noun of the other thing, or what the captioner calls it by itself (a ball "frisbee").
Scenes in which it calls both things the same are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from heed.models.edits.operations import SetWeight
from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.pictures.decode import Picture
from heed.models.trace import Output
from training.caption.drawn_scenes import Box, DrawnScene, draw_scenes
from training.caption.localization import SEED, as_uploaded
from training.common.alignments import word_indices
from training.common.batches import chunks
from training.common.steering import Steering, word_at

BATCH: Final = 16
SCENES: Final = 150
PEOPLE: Final = frozenset({"boy", "child", "girl", "man", "person", "woman"})
PARTS: Final = ("shirt",)
"""Words of a scene's caption that are no thing of its own."""


def steering_quality(captioner: PicturePipeline, scenes: int = SCENES) -> dict[str, float]:
    """Measure drawn scenes with two things."""
    heads: list[tuple[int | None, int | None]] = [(None, None)]
    if captioner.card.layers * captioner.card.heads > 1:
        heads += product(range(captioner.card.layers), range(captioner.card.heads))
    sums = {place: Steering() for place in heads}
    edits = [edits_of(captioner, scene) for scene in draw_scenes(scenes, SEED)]
    for batch in chunks([pair for pair in edits if pair], BATCH // 2):
        known = list(_aims(captioner, [edit for pair in batch for edit in pair]))
        for place in heads if known else ():
            requests = [edit.request(*place) for edit, _, _ in known]
            for (edit, before, aims), trace in zip(known, captioner.run(requests), strict=True):
                sums[place].add(before, edit.word(trace.output), aims)
    figures = sums[None, None].figures()
    for (layer, head), steering in sums.items():
        if layer is not None:
            share = steering.reached / max(steering.nouns, 1)
            figures[f"steered_layer{layer}_head{head}"] = share
    return figures


def _aims(
    captioner: PicturePipeline, edits: Sequence[SceneEdit]
) -> Iterator[tuple[SceneEdit, str, frozenset[str]]]:
    """Yield edits, which stand in pairs, with the word at the noun without them and their aims."""
    plain = captioner.run([edit.plain for edit in edits])
    words = [edit.word(trace.output) for edit, trace in zip(edits, plain, strict=True)]
    for place, (edit, word) in enumerate(zip(edits, words, strict=True)):
        aims = edit.aims | {words[place ^ 1]}
        if word not in aims:
            yield edit, word, aims


class Thing(NamedTuple):
    """A thing of a scene: its noun in the caption, the nouns it may be called, and its box."""

    span: tuple[int, int]
    nouns: frozenset[str]
    box: Box


def things_of(scene: DrawnScene) -> list[Thing]:
    """Return the things of a scene that differ in their nouns."""
    things: dict[str, Thing] = {}
    for named in scene.named:
        word = scene.caption[named.start : named.end]
        if named.kind == "noun" and word not in PARTS:
            nouns = PEOPLE if word in PEOPLE else frozenset({word})
            things[word] = Thing((named.start, named.end), nouns, named.box)
    return list(things.values())


class SceneEdit(NamedTuple):
    """The noun of one thing in the caption of a scene, and the other thing."""

    picture: Picture
    caption: str
    steps: range
    box: tuple[float, float, float, float]  # in pixels
    aims: frozenset[str]

    @property
    def plain(self) -> PictureRequest:
        """The request without the edit."""
        return PictureRequest(self.picture, target=self.caption, continue_from=self.steps.start)

    def request(self, layer: int | None, head: int | None) -> PictureRequest:
        """Set the attention at the noun, of one head or of all."""
        edit = SetWeight(
            kind="cross", weight=1.0, box=self.box, queries=self.steps, layers=layer, heads=head
        )
        return PictureRequest(
            self.picture, target=self.caption, edits=(edit,), continue_from=self.steps.start
        )

    def word(self, output: Output) -> str:
        """Return the word that was written at the noun."""
        return word_at(output, self.steps.start)


def edits_of(captioner: PicturePipeline, scene: DrawnScene) -> list[SceneEdit]:
    """Return an edit of each noun of a scene with two things; none of other scenes."""
    things = things_of(scene)
    if len(things) != 2:
        return []
    picture = as_uploaded(scene.image)
    tokens = captioner.tokenizer.encode(scene.caption, "mean")
    edits = []
    for here, there in (things, things[::-1]):
        steps = [step for step, at in enumerate(word_indices(tokens, [here.span])) if at == 0]
        left, top, right, bottom = there.box
        box = (
            left * picture.width,
            top * picture.height,
            (right - left) * picture.width,
            (bottom - top) * picture.height,
        )
        noun = range(steps[0], steps[-1] + 1)
        edits.append(SceneEdit(picture, scene.caption, noun, box, there.nouns))
    return edits
