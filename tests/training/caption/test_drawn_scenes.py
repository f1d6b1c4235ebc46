"""Scenes drawn by rule: their captions are true, and their boxes are where things are."""

from itertools import combinations

import numpy as np
import pytest

from training.caption.drawn_scenes import COLOURS, PLANS, Box, DrawnScene, draw_scenes

SCENES = list(draw_scenes(2 * len(PLANS), seed=1, size=(320, 240)))
EVERY = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.caption)


def inside(scene: DrawnScene, box: Box) -> np.ndarray:
    width, height = scene.image.size
    left, top, right, bottom = box
    pixels = np.asarray(scene.image, dtype=float)
    return pixels[int(top * height) : int(bottom * height), int(left * width) : int(right * width)]


@EVERY
def test_the_words_that_are_told_stand_in_the_caption(scene: DrawnScene) -> None:
    for word in scene.named:
        said = scene.caption[word.start : word.end]
        assert said.isalpha()
        assert (said in COLOURS) == (word.kind == "colour")
    assert not scene.caption.endswith(" ")
    assert " a orange" not in f" {scene.caption}"


@EVERY
def test_a_thing_has_the_colour_that_is_said_of_it(scene: DrawnScene) -> None:
    """At least an eighth of its box, and a larger part of it than of the box on the other side."""
    for word in scene.named:
        if word.kind != "colour":
            continue
        wanted = np.array(COLOURS[scene.caption[word.start : word.end]])
        there, across = (
            float((np.abs(inside(scene, box) - wanted).max(axis=-1) < 30).mean())
            for box in (word.box, word.box.mirrored())
        )
        assert there > 0.125
        assert there > across


@EVERY
def test_boxes_lie_in_one_half_each(scene: DrawnScene) -> None:
    """So the mirrored box is elsewhere, and one word's place is not another's."""
    boxes = {word.box for word in scene.named}
    for box in boxes:
        assert 0 <= box.left < box.right <= 1
        assert 0 <= box.top < box.bottom <= 1
        assert (box.right < 0.5) != (box.left > 0.5)
        mirrored = box.mirrored()
        assert mirrored.left > box.right or mirrored.right < box.left
        np.testing.assert_allclose(mirrored.mirrored(), box)
    for one, other in combinations(boxes, 2):
        apart = (one.left > 0.5) != (other.left > 0.5)
        within = min(one, other, key=lambda each: each.bottom - each.top)
        around = other if within is one else one
        assert apart or (around.left <= within.left and within.right <= around.right)


def test_scenes_are_the_same_from_the_same_seed() -> None:
    again = draw_scenes(2, seed=1, size=(320, 240))
    for old, new in zip(SCENES, again, strict=False):
        assert (old.caption, old.named) == (new.caption, new.named)
        assert old.image.tobytes() == new.image.tobytes()
    other = next(draw_scenes(1, seed=2, size=(320, 240)))
    assert other.image.tobytes() != SCENES[0].image.tobytes()


def test_things_stand_on_both_sides() -> None:
    sides = {box.left > 0.5 for scene in SCENES for _, _, _, box in scene.named[:1]}
    assert sides == {True, False}
