"""Questions made from captions: what captions say, what they agree on, what can be guessed."""

from collections import Counter
from pathlib import Path

import pytest

from training.caption.phrases import phrases
from training.caption.words import words
from training.vqa.questions import (
    FEW,
    FORMS,
    TOP_SHARE,
    WORDINGS,
    BlindBaseline,
    Question,
    balanced,
    main,
    make_questions,
    questions_about,
    report,
)
from training.vqa.scenes import agreed, gerund, read_scene


def asked(*captions: str) -> dict[str, str]:
    """Answers by question, each in the first of its wordings."""
    return {question.plain: question.answer for question in questions_about("photo.jpg", captions)}


def answers(form: str, *captions: str) -> dict[str, str]:
    """Answers by what is asked about, of one form."""
    made = questions_about("photo.jpg", captions)
    return {question.about: question.answer for question in made if question.form == form}


# --- what a caption says ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caption", "noun", "number", "colours"),
    [
        ("A dog", "dog", 1, ()),
        ("A big black and white dog", "dog", 1, ("white", "black")),
        ("Two small children", "child", 2, ()),
        ("several people", "person", 0, ()),
        ("A lady", "woman", 1, ()),
        ("a light blue striped T-shirt", "shirt", 1, ("blue",)),
        ("grey shorts", "shorts", 1, ("gray",)),
        ("two brown dogs", "dog", 2, ()),
        ("a gray tennis ball", "ball", 1, ("gray",)),
    ],
)
def test_a_noun_is_read_with_what_stands_before_it(
    caption: str, noun: str, number: int, colours: tuple[str, ...]
) -> None:
    (phrase,) = phrases(words(caption))
    assert (phrase.noun, phrase.number, phrase.colours) == (noun, number, colours)


def test_colours_do_not_reach_over_another_noun() -> None:
    found = {p.noun: p.colours for p in phrases(words("A red ball and a dog with a blue collar"))}
    assert found == {"ball": ("red",), "dog": (), "collar": ("blue",)}


@pytest.mark.parametrize(
    "caption",
    ["a hot dog", "a ball game", "a toy car", "a tank top", "a dog park", "the dog 's toy"],
)
def test_two_words_that_are_one_thing_are_not_the_first_of_them(caption: str) -> None:
    assert words(caption)[1] not in {p.noun for p in phrases(words(caption))} - {"toy"}


@pytest.mark.parametrize(
    ("verb", "form"),
    [("run", "running"), ("ride", "riding"), ("lie", "lying"), ("play", "playing")],
)
def test_verbs_are_told_as_going_on(verb: str, form: str) -> None:
    assert gerund(verb) == form


# --- what captions agree on -------------------------------------------------------------------


def test_two_of_five_agree_unless_half_as_many_say_otherwise() -> None:
    assert agreed(Counter({"red": 2})) == "red"
    assert agreed(Counter({"red": 1})) is None
    assert agreed(Counter({"red": 1}), least=1) == "red"
    assert agreed(Counter({"red": 2, "blue": 1})) is None
    assert agreed(Counter({"red": 3, "blue": 1})) == "red"
    assert agreed(Counter[str]()) is None


def test_a_dog_has_the_colour_that_captions_agree_on() -> None:
    assert answers("colour", "A black dog runs .", "The black dog .") == {"dog": "black"}
    assert answers("colour", "A black dog runs .", "The brown dog .") == {}
    assert answers("colour", "A white and black dog .", "A black and white dog .") == {
        "dog": "black and white"
    }


def test_where_there_are_two_nobody_asks_for_the_colour_of_the_one() -> None:
    said = "A black dog chases a white dog .", "A black dog .", "A black dog ."
    assert "dog" not in answers("colour", *said)
    assert "dog" not in answers("colour", "A black dog and another dog .", "A black dog .")


def test_a_shirt_said_once_is_enough_where_there_is_one_person() -> None:
    assert answers("colour", "A man in a red shirt .", "A man .") == {"shirt": "red"}
    assert answers("colour", "A man in a red shirt .", "Two men .") == {}
    assert answers("colour", "A man in a red shirt .", "Two men , one in a red shirt .") == {
        "shirt": "red"
    }


def test_clothes_belong_to_who_wears_them() -> None:
    found = answers(
        "whose colour",
        "A boy in a blue shirt and red shorts runs .",
        "A girl wearing a pink hat looks at a boy .",
    )
    assert found == {"shirt of boy": "blue", "shorts of boy": "red", "hat of girl": "pink"}


def test_people_are_told_apart_by_what_they_do() -> None:
    found = asked("A man in a red shirt is kicking the ball .", "A woman in a blue shirt runs .")
    assert found["what colour is the shirt of the man kicking a ball?"] == "red"
    made = questions_about("x", ["A man in a red shirt is kicking the ball ."])
    apart = [question for question in made if question.form == "colour told apart"]
    assert [(q.about, q.answer) for q in apart] == [("shirt of man", "red")]
    assert apart[0].wordings == (
        "what colour is the shirt of the man kicking a ball?",
        "what color is the shirt of the man who is kicking a ball?",
        "what colour is the shirt of the person kicking a ball?",
        "what color shirt is the man kicking a ball wearing?",
    )
    assert apart[0].text in apart[0].wordings


def test_a_child_and_a_person_are_the_boy_where_nobody_else_is_there() -> None:
    said = "A boy jumps .", "A child jumping .", "A person is jumping ."
    assert answers("doing", *said) == {"boy": "jumping"}
    assert answers("who", *said) == {"jumping": "boy"}
    assert "boy" not in answers("doing", *said, "Two boys , a child jumps .")


def test_what_is_done_may_have_an_object() -> None:
    assert answers("doing", "A man rides a red bike .", "A man riding his bicycle .") == {
        "man": "riding a bike"
    }
    assert answers("doing", "Two boys play soccer .", "Two boys playing soccer .") == {
        "boys": "playing soccer"
    }
    assert answers("doing", "A man is holding something .", "A man holds hands .") == {}


def test_what_it_is_done_to_is_asked_as_well() -> None:
    assert answers("what", "A man rides a red bike .", "A man riding his bicycle .") == {
        "riding man": "a bike"
    }
    found = asked("Two boys play soccer .", "Two boys playing soccer .")
    assert found["what are the boys playing?"] == "soccer"
    assert answers("what", "A dog runs .", "A dog is running .") == {}


def test_what_one_caption_says_and_none_denies_is_enough_to_learn_from() -> None:
    said = "A dog runs on the grass .", "A dog .", "A brown animal ."
    assert answers("doing", *said) == {}
    lenient = {q.form: q.answer for q in questions_about("photo.jpg", said, least=1)}
    assert lenient["doing"] == "running"
    assert lenient["where"] == "on the grass"
    denied = questions_about("photo.jpg", [*said, "A dog jumps ."], least=1)
    assert "doing" not in {question.form for question in denied}


def test_where_is_the_same_place_in_other_words() -> None:
    said = "A dog runs through the snow .", "The dog is in the deep snow ."
    assert answers("where", *said) == {"dog": "in the snow"}
    assert answers("where", "A dog by the water .", "A dog runs near water .") == {}
    assert answers("where", "A man with a dog in the snow .", "A man and a dog in the snow .") == {
        "dog": "in the snow"
    }


def test_counts_are_those_that_captions_agree_on() -> None:
    assert answers("count", "Two dogs run .", "Two brown dogs .", "Dog in the snow") == {}
    assert answers("count", "Two dogs run .", "Two brown dogs .") == {"dogs": "two"}
    assert answers("count", "A dog and a dog .", "Two dogs .") == {"dogs": "two"}
    assert answers("count", "Several dogs .", "Two dogs .", "Two dogs .") == {}
    assert answers("count", "A man with a dog .", "A man and his dog .") == {
        "men": "one",
        "dogs": "one",
    }


def test_captions_that_say_nothing_known_answer_nothing() -> None:
    assert questions_about("x", ["The empty tracks .", "", "?!"]) == []
    assert read_scene([]).beings == Counter()


def test_every_question_is_one_sentence_with_a_short_answer() -> None:
    made = questions_about(
        "x",
        [
            "A little girl in a pink dress and a black dog are running on the grass .",
            "A girl in a pink dress runs on the grass with a black dog .",
            "The girl is running with her dog in the grass .",
        ],
    )
    assert {question.form for question in made} >= {"colour", "whose colour", "count", "doing"}
    for question in made:
        assert question.text.endswith("?")
        assert "{" not in question.text
        assert 1 <= len(question.answer.split()) <= 4


def test_questions_are_the_same_each_time_and_worded_by_the_photo() -> None:
    captions = ["A man in a red shirt .", "A man ."]
    assert questions_about("a", captions) == questions_about("a", captions)
    texts = {questions_about(f"{n}", captions)[0].text for n in range(20)}
    assert texts == {
        "what colour is the shirt?",
        "what color is the shirt?",
        "which color is the shirt?",
        "what is the colour of the shirt?",
    }
    assert set(WORDINGS) == set(FORMS) - {"yes or no"}  # made elsewhere


# --- balance ----------------------------------------------------------------------------------


def many(**counts: int) -> list[Question]:
    return [
        Question(f"{answer}{n}", "colour", "dog", "what colour is the dog?", answer)
        for answer, count in counts.items()
        for n in range(count)
    ]


def test_no_answer_has_more_than_its_share() -> None:
    kept = Counter(q.answer for q in balanced(many(black=500, brown=60, white=50, tan=40, grey=5)))
    assert max(kept.values()) <= TOP_SHARE * kept.total()
    assert (kept["tan"], kept["grey"]) == (40, 5)


def test_with_few_answers_the_commonest_is_given_as_often_as_the_second() -> None:
    assert Counter(q.answer for q in balanced(many(black=9, white=4))) == {"black": 4, "white": 4}
    assert len(balanced(many(black=9))) == 1


def test_which_questions_go_does_not_depend_on_their_order() -> None:
    some = many(black=30, white=10, brown=9, grey=9)
    assert balanced(some) == balanced(some[::-1])


# --- blind ------------------------------------------------------------------------------------


def test_the_blind_give_the_commonest_answer_to_the_same_question() -> None:
    blind = BlindBaseline(many(black=FEW, white=FEW - 2))
    held_out = many(white=3, black=1)
    assert blind.answer(held_out[0]) == "black"
    assert blind.accuracy(held_out) == 0.25
    assert blind.accuracy([]) == 0


def test_a_question_that_was_hardly_met_is_answered_by_its_kind() -> None:
    rare = Question("x", "colour", "kayak", "what colour is the kayak?", "red")
    blind = BlindBaseline([*many(black=20), *[rare] * (FEW - 1)])
    assert blind.answer(rare) == "black"
    assert BlindBaseline([*many(black=20), *[rare] * FEW]).answer(rare) == "red"
    assert BlindBaseline([]).answer(rare) == ""


def test_spelling_colour_otherwise_does_not_hide_what_was_met() -> None:
    met = Question("x", "colour", "hat", "what color is the hat?", "red")
    asked_now = Question("y", "colour", "hat", "what colour is the hat?", "red")
    assert BlindBaseline([met] * FEW).answer(asked_now) == "red"


def test_the_report_counts_every_form() -> None:
    made = make_questions({f"{n}": ["A black dog runs .", "A black dog runs ."] for n in range(5)})
    lines = list(report(made, made))
    assert len(lines) == 2 + len(FORMS)
    assert lines[-1].startswith("all")


def test_data_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert "captions" in capsys.readouterr().err
