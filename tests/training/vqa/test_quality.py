"""Measuring what answers questions: right answers, guessed ones, and where it looks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.pictures.decode import Picture
from tests.models.tiny import write_tiny_captioners
from tests.training.tiny_photos import write_photos
from training.caption.drawn_scenes import draw_scenes
from training.caption.flickr8k import Photos
from training.common.metrics_table import meaning
from training.evaluate import main
from training.vqa.quality import (
    answer_figures,
    evaluate_vqa,
    everyday_figures,
    first_row,
    scene_figures,
    scene_questions,
    weight_on,
)
from training.vqa.questions import BlindBaseline, Question

LIMITS = {"characters": 200, "tokens": 200, "steps": 10}
SCENES = list(draw_scenes(4, seed=7, size=(96, 72)))
CAPTIONS = {f"{n}.jpg": [scene.caption, scene.caption] for n, scene in enumerate(SCENES)}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_captioners(tmp_path_factory.mktemp("weights"), limits=LIMITS)


@pytest.fixture(scope="module")
def asker(weights: Path) -> PicturePipeline:
    loaded = Catalogue(weights).load("ask")
    assert isinstance(loaded, PicturePipeline)
    return loaded


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Drawn photos and what their captions say."""
    return write_photos(tmp_path_factory.mktemp("data"), CAPTIONS)


def test_right_answers_and_guessed_ones_are_counted_by_form(asker: PicturePipeline) -> None:
    photos = Photos(np.zeros((1, 224, 224, 3), np.uint8), ("a",), ((),))
    picture = next(iter(scene_questions(1))).picture
    (trace,) = asker.run([PictureRequest(picture, question="who?")])
    answered = Question("a", "who", "running", "who is running?", trace.text)
    colour = Question("a", "colour", "dog", "what colour is the dog?", "no such colour")
    figures = answer_figures(asker, photos, [colour, answered], BlindBaseline([colour] * 20))
    assert figures["questions"] == 2
    assert figures["accuracy_colour"] == 0
    assert figures["blind_colour"] == 1
    assert figures["blind"] == 0.5
    assert figures["accuracy"] == figures["accuracy_who"] / 2
    assert "accuracy_count" not in figures


def test_scenes_are_asked_for_the_colour_of_what_is_there_once() -> None:
    asked = list(scene_questions(20))
    assert {question.thing for question in asked} >= {"ball", "dog", "shirt", "car"}
    for question in asked:
        assert question.text == f"what colour is the {question.thing}?"
        assert question.where.kind == "noun"
        assert 0 <= question.where.box.left < question.where.box.right <= 1


def test_where_it_looks_is_held_against_the_box_of_the_thing(asker: PicturePipeline) -> None:
    figures = scene_figures(asker, scene_questions(4))
    assert figures["scenes_questions"] >= 4
    for name in ("inside", "chance", "elsewhere", "strongest"):
        assert 0 <= figures[f"scenes_answer_{name}"] <= 1
    assert 0 < figures["question_thing"] < 1


def test_the_weight_on_a_word_is_that_of_its_pieces(asker: PicturePipeline) -> None:
    picture = next(iter(scene_questions(1))).picture
    (trace,) = asker.run([PictureRequest(picture, question="a dog?")])
    row = first_row(trace, "question")  # the tokens are letters, and the end mark
    assert weight_on(trace, "dog") == pytest.approx(float(row[2:5].sum()))
    assert first_row(trace, "source").shape == (196,)


def test_answers_to_written_questions_are_counted_with_the_photo_and_without(
    asker: PicturePipeline, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An asker that reads the photo's brightness is right, unless the photo is hidden."""

    def answers(
        asker: PicturePipeline, pictures: list[Picture], texts: list[str]
    ) -> list[SimpleNamespace]:
        del asker
        maps = [SimpleNamespace(kind="cross", key="source", weights=np.eye(2))]
        return [
            SimpleNamespace(
                text="a flag" if picture.pixels.std() else "no",
                output=SimpleNamespace(maps=maps),
            )
            for picture, text in zip(pictures, texts, strict=True)
        ]

    monkeypatch.setattr("training.vqa.quality._ask", answers)
    figures = everyday_figures(asker, data, tmp_path, 3)
    assert figures["everyday_questions"] == 6
    assert figures["everyday_accuracy_what"] == figures["everyday_hidden_yes_or_no"] == 1
    assert figures["everyday_accuracy_yes_or_no"] == figures["everyday_hidden_what"] == 0
    assert figures["everyday_accuracy"] == 0.5
    assert figures["largest_weight"] == 1


def test_every_figure_has_a_meaning(asker: PicturePipeline, data: Path, tmp_path: Path) -> None:
    quality = evaluate_vqa(asker, data, tmp_path, 4, scenes=3)
    assert quality["questions"] > 0
    assert quality["everyday_questions"] == 2 * len(SCENES)
    assert 0 < quality["largest_weight"] < 1
    for name in quality:
        assert meaning(name) != name.replace("_", " "), name


def test_the_command_measures_it_by_its_task(
    weights: Path,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("training.evaluate.evaluate_vqa", partial(evaluate_vqa, scenes=1))
    given = ["ask", "--weights", str(weights), "--data", str(data), "--runs", str(tmp_path)]
    assert main([*given, "--count", "1"]) == 0
    assert "scenes_answer_inside" in capsys.readouterr().out
