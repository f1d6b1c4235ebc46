"""Edits that send the attention of a noun elsewhere, and the words that are then written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heed.models.catalogue import Catalogue
from heed.models.generation.requests import TextRequest
from training.caption.drawn_scenes import draw_scenes
from training.caption.steering import PEOPLE, things_of
from training.caption.steering import steering_quality as steering_of_captions
from training.common.alignments import Linked, spans
from training.common.steering import Steering, interval, word_at, words_of
from training.text.quality.steering import english_nouns, steering_quality

PAIRS = {
    "en-de": ("The dog runs on the beach", "Der Hund läuft am Strand", [(1, 1), (2, 2), (5, 4)]),
    "en-fr": ("The dog runs on the beach", "Le chien court sur la plage", [(1, 1), (2, 2), (5, 5)]),
}


@pytest.mark.parametrize(
    ("hits", "count", "ends"),
    [(0, 10, (0, 0.278)), (27, 100, (0.193, 0.364)), (10, 10, (0.722, 1)), (0, 0, (0, 1))],
)
def test_an_interval_is_that_of_wilson(hits: int, count: int, ends: tuple[float, float]) -> None:
    assert interval(hits, count) == pytest.approx(ends, abs=1e-3)


def test_a_word_that_changes_and_one_that_becomes_what_was_meant_are_counted_apart() -> None:
    steering = Steering()
    for after in ("dog", "cat", "ball", "ball"):
        steering.add("dog", after, frozenset({"ball"}))
    figures = steering.figures()
    assert figures["steered_nouns"] == 4
    assert (figures["steered_changed"], figures["steered_reached"]) == (0.75, 0.5)
    assert figures["steered_reached_low"] < 0.5 < figures["steered_reached_high"]


def linked(pair: str) -> Linked:
    source, target, links = PAIRS[pair]
    words = (spans(text, text.lower().split()) for text in (source, target))
    return Linked(source, target, *words, frozenset(links))


def test_nouns_are_words_that_german_writes_with_a_capital() -> None:
    assert english_nouns([linked("en-de")]) == {"dog", "beach"}


def test_a_translator_writes_the_noun_that_it_is_made_to_look_at(tmp_path: Path) -> None:
    for name, (source, target, links) in PAIRS.items():
        row = {
            "source_text": source,
            "target_text": target,
            "source": source.lower().split(),
            "target": target.lower().split(),
            "links": links,
        }
        (tmp_path / f"{name}.silver-dev.jsonl").write_text(json.dumps(row))
    translator = Catalogue().load("en-fr-additive")
    [plain] = translator.run([TextRequest(PAIRS["en-fr"][0])])
    steps = words_of(plain.output)
    chien = steps["chien"]
    assert chien is not None
    assert word_at(plain.output, chien.start) == "chien"
    assert word_at(plain.output, 99) == ""
    figures = steering_quality(translator, tmp_path, 5)  # type: ignore[arg-type]
    assert figures["steered_nouns"] == figures["steered_changed"] == 1
    assert steering_quality(translator, tmp_path / "none", 5) == {}  # type: ignore[arg-type]


def test_scenes_with_two_things_have_their_nouns_and_boxes() -> None:
    scenes = list(draw_scenes(10, seed=3))
    two = [things for scene in scenes if len(things := things_of(scene)) == 2]
    assert len(two) == 4
    for one, other in two:
        assert one.box != other.box
        assert not one.nouns & other.nouns
    assert any(thing.nouns == PEOPLE for things in two for thing in things)


def test_a_captioner_is_steered_where_it_calls_both_things_by_other_words() -> None:
    captioner = Catalogue().load("caption-soft")
    figures = steering_of_captions(captioner, scenes=10)  # type: ignore[arg-type]
    assert 1 <= figures["steered_nouns"] <= 8
    assert figures["steered_reached"] <= figures["steered_changed"] <= 1


def test_each_head_of_a_captioner_is_steered_alone() -> None:
    captioner = Catalogue().load("caption-transformer")
    figures = steering_of_captions(captioner, scenes=3)  # type: ignore[arg-type]
    assert sum(name.startswith("steered_layer") for name in figures) == 16
