"""Questions about everyday photos: their forms, their wordings, and whether a thing is there."""

import pytest

from training.caption.everyday import Annotation
from training.caption.lexicon import SEEN_THINGS
from training.vqa.everyday_questions import (
    form_of,
    presence_questions,
    wordings,
    written_questions,
)

PHOTOS = {
    "b.jpg": Annotation(
        ("a dog lies on a red sofa", "a sleeping dog"), (("what color is the sofa", "red"),)
    ),
    "a.jpg": Annotation(("two trains", "a station"), (("are there trains here", "yes"),)),
    "c.jpg": Annotation(("snow", "nothing else"), ()),
}


@pytest.mark.parametrize(
    ("text", "answer", "form"),
    [
        ("is there a dog", "no", "yes or no"),
        ("how many people are there", "two", "count"),
        ("what color is the dress", "blue", "colour"),
        ("where is the cat", "on a bed", "where"),
        ("what is the man doing", "eating", "doing"),
        ("what room is this", "a kitchen", "what"),
    ],
)
def test_the_form_goes_by_the_beginning_and_the_answer(text: str, answer: str, form: str) -> None:
    assert form_of(text, answer) == form


def test_a_question_is_worded_as_people_type_it() -> None:
    assert "what's the colour of the dress" in wordings("what color is the dress")
    assert "how many people can you see" in wordings("how many people are there")
    assert "do you see a dog" in wordings("is there a dog")
    assert "where's the cat" in wordings("where is the cat")
    assert wordings("does the man smile") == ("does the man smile",)
    for text in ("what color is the dress", "is there a dog"):
        assert wordings(text)[0] == text


def test_written_questions_keep_their_text_and_answer() -> None:
    first, second = written_questions(PHOTOS)
    assert (first.photo, first.text, first.answer) == ("a.jpg", "are there trains here", "yes")
    assert (second.photo, second.form, second.answer) == ("b.jpg", "colour", "red")


def test_presence_is_asked_of_a_thing_that_is_there_or_of_one_nobody_mentions() -> None:
    photos = {f"{n}-{name}": each for n in range(30) for name, each in PHOTOS.items()}
    made = presence_questions(photos)
    assert made == presence_questions(photos)
    for question in made:
        thing = question.text.split()[-1]
        mentioned = any(thing in text for text in photos[question.photo].captions)
        assert thing in SEEN_THINGS
        assert mentioned == (question.answer == "yes")
    assert len({question.photo for question in made}) == len(made)
    yes = sum(question.answer == "yes" for question in made)
    assert 0.25 < yes / len(made) < 0.75
    assert presence_questions({}) == []


def test_the_article_fits_the_thing() -> None:
    photos = {f"{n}.jpg": Annotation(("an umbrella",) * 2, ()) for n in range(9)}
    assert {question.text for question in presence_questions(photos)} == {"is there an umbrella"}
