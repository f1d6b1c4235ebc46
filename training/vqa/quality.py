"""Quality of question answering: accuracy, a blind baseline, and localization.

Shapes: `Q` tokens written, `K` cells, `W` words of the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.pictures.decode import SIDE, Picture
from heed.models.trace import AxisName, Floats, SearchRequest, Token, Trace
from training.caption.class_activation import photo_picture
from training.caption.drawn_scenes import DrawnScene, NamedBox, draw_scenes
from training.caption.everyday import load_everyday, read_everyday
from training.caption.flickr8k import load_flickr8k, read_captions
from training.caption.localization import (
    SCENES,
    SEED,
    Localization,
    LocatedWord,
    as_uploaded,
    covered_cells,
)
from training.caption.photos import Photos
from training.common.batches import chunks
from training.vqa.everyday_questions import written_questions
from training.vqa.questions import FORMS, BlindBaseline, Question, make_questions

BATCH = 32
GRAY = 127  # the brightness of the picture that hides a photo
GREEDY = SearchRequest("greedy")


@dataclass(frozen=True, slots=True)
class SceneQuestion:
    """A question about a thing in a drawn scene, with its place."""

    picture: Picture
    text: str
    thing: str
    answer: str
    where: NamedBox


def evaluate_vqa(
    asker: PicturePipeline, data: Path, runs: Path, count: int, scenes: int = SCENES
) -> dict[str, float]:
    """Compute every figure, on questions about photos of both dev sets and on drawn scenes."""
    photos = load_flickr8k(data, "dev", runs).first(count)
    total = make_questions(dict(zip(photos.names, photos.captions, strict=True)))
    learned = make_questions(read_captions(data / "flickr8k" / "train.captions.json.gz"))
    quality = answer_figures(asker, photos, total, BlindBaseline(learned))
    quality |= everyday_figures(asker, data, runs, count)
    quality |= scene_figures(asker, scene_questions(scenes))
    return {name: round(float(value), 4) for name, value in quality.items()}


def answer_figures(
    asker: PicturePipeline, photos: Photos, questions: Sequence[Question], blind: BlindBaseline
) -> dict[str, float]:
    """Return the accuracy of the model and of the blind baseline, for each form."""
    places = {name: place for place, name in enumerate(photos.names)}
    total: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    guessed: Counter[str] = Counter()
    unstopped = 0
    for chunk in chunks(questions, BATCH):
        pictures = [photo_picture(photos, places[question.photo]) for question in chunk]
        texts = [question.text for question in chunk]
        answers = _answers(asker, pictures, texts)
        others = _answers(asker, pictures, [text.rstrip("?") for text in texts])
        for question, answer, other in zip(chunk, answers, others, strict=True):
            unstopped += other == question.answer
            for form in ("", question.form):
                total[form] += 1
                counts[form] += answer == question.answer
                guessed[form] += blind.answer(question) == question.answer
    figures = {"questions": float(total[""])}
    for form in ("", *FORMS):
        name = f"_{form.replace(' ', '_')}" if form else ""
        if total[form]:
            figures[f"accuracy{name}"] = counts[form] / total[form]
            figures[f"blind{name}"] = guessed[form] / total[form]
    return figures | {"accuracy_without_mark": unstopped / max(total[""], 1)}


def everyday_figures(
    asker: PicturePipeline, data: Path, runs: Path, count: int
) -> dict[str, float]:
    """Return the accuracy on questions that people wrote, with the photo and with a gray one."""
    photos = load_everyday(data, "dev", runs).first(count)
    places = {name: place for place, name in enumerate(photos.names)}
    asked = [q for q in written_questions(read_everyday(data, "dev")) if q.photo in places]
    gray = Photos(np.full((1, SIDE, SIDE, 3), GRAY, np.uint8), ("gray",), ((),))
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    largest: list[float] = []
    for chunk in chunks(asked, BATCH):
        texts = [question.text for question in chunk]
        pictures = [photo_picture(photos, places[question.photo]) for question in chunk]
        traces = _ask(asker, pictures, texts)
        unseen = _answers(asker, [photo_picture(gray, 0)] * len(chunk), texts)
        for question, trace, other in zip(chunk, traces, unseen, strict=True):
            largest.append(float(first_row(trace, "source").max()))
            for form in ("", f"_{question.form.replace(' ', '_')}"):
                total[form] += 1
                right[form] += trace.text == question.answer
                hidden[form] += other == question.answer
    figures = {"everyday_questions": float(total[""])}
    for form, count_ in total.items():
        figures[f"everyday_accuracy{form}"] = right[form] / count_
        figures[f"everyday_hidden{form}"] = hidden[form] / count_
    return figures | {"largest_weight": float(np.mean(largest)) if largest else 0.0}


def _answers(
    asker: PicturePipeline, pictures: Sequence[Picture], texts: Sequence[str]
) -> list[str]:
    return [trace.text for trace in _ask(asker, pictures, texts)]


def _ask(asker: PicturePipeline, pictures: Sequence[Picture], texts: Sequence[str]) -> list[Trace]:
    asks = [
        PictureRequest(picture, question=text, search=GREEDY)
        for picture, text in zip(pictures, texts, strict=True)
    ]
    return list(asker.run(asks))


# --- drawn scenes -----------------------------------------------------------------------------


def scene_questions(count: int = SCENES, seed: int = SEED) -> Iterator[SceneQuestion]:
    """Yield colour questions about drawn things that are the only one of their kind."""
    for scene in draw_scenes(count, seed):
        yield from _questions_about(scene)


def _questions_about(scene: DrawnScene) -> Iterator[SceneQuestion]:
    picture = as_uploaded(scene.image)
    said = [(scene.caption[word.start : word.end], word) for word in scene.named]
    # A colour stands before its noun.
    pairs = [
        (thing, colour, where)
        for (colour, word), (thing, where) in pairwise(said)
        if word.kind == "colour" and where.kind == "noun"
    ]
    kinds = Counter(thing for thing, _, _ in pairs)
    for thing, colour, where in pairs:
        if kinds[thing] == 1:
            yield SceneQuestion(picture, f"what colour is the {thing}?", thing, colour, where)


def scene_figures(asker: PicturePipeline, questions: Iterable[SceneQuestion]) -> dict[str, float]:
    """Return the localization of the first piece of a colour, in the image and in the question."""
    attended, total, right, on_thing = Localization(), 0, 0, 0.0
    for chunk in chunks(questions, BATCH):
        asks = [
            PictureRequest(question.picture, question=question.text, search=GREEDY)
            for question in chunk
        ]
        for question, trace in zip(chunk, asker.run(asks), strict=True):
            box = question.where.box
            spot = LocatedWord(0, 0, "colour", covered_cells(box), covered_cells(box.mirrored()))
            attended.add(first_row(trace, "source"), spot)
            total += 1
            right += trace.text == question.answer
            on_thing += weight_on(trace, question.thing)
    figures = {f"scenes_answer_{name}": value for name, value in attended.means().items()}
    return figures | {
        "scenes_questions": float(total),
        "scenes_accuracy": right / max(total, 1),
        "question_thing": on_thing / max(total, 1),
    }


def first_row(trace: Trace, key: AxisName) -> Floats:
    """Return the row (K,) or (W,) of a map for the first piece of the answer."""
    (attention,) = (m for m in trace.output.maps if m.kind == "cross" and m.key == key)
    row: Floats = attention.weights[0]
    return row


def weight_on(trace: Trace, thing: str) -> float:
    """Return the weight, at the first piece of the answer, on the word that names the thing."""
    question = trace.question
    if question is None:
        raise ValueError("the trace has no question")
    start = question.text.index(thing)
    mine = [_within(token, start, start + len(thing)) for token in question.tokens]
    return float(first_row(trace, "question")[np.array(mine)].sum())


def _within(token: Token, start: int, end: int) -> bool:
    return not token.special and token.start < end and token.end > start
