"""The reader of stories: sentences, words, and those that it does not know."""

from __future__ import annotations

from heed.models.families.memory.stories import NOTHING, UNKNOWN, split_sentences
from training.stories.vocabulary import ANSWERS, WORDS, Vocabulary, split_words


def test_words_are_lower_case_and_without_punctuation() -> None:
    assert split_words("Where’s the BALL, now?") == ["where", "is", "the", "ball", "now"]
    assert split_words("Who's got the key?") == ["who", "is", "got", "the", "key"]


def test_a_text_is_split_at_full_stops_and_lines() -> None:
    text = "Mary went to the garden. Tom is in the office!\nAnna took the key\n\n..."
    assert [each.text.rstrip(".!?;") for each in split_sentences(text)] == [
        "Mary went to the garden",
        "Tom is in the office",
        "Anna took the key",
    ]


def test_an_unknown_word_is_read_as_unknown() -> None:
    vocabulary = Vocabulary()
    ids = vocabulary.read_sentence("Zelda went to the garden")
    assert ids[0] == UNKNOWN
    assert [vocabulary.words[i] for i in ids[1:5]] == ["went", "to", "the", "garden"]
    assert ids[5:] == [0] * 7


def test_a_story_begins_with_the_empty_sentence_and_long_sentences_are_cut() -> None:
    story = Vocabulary(longest=3).read_story(["Mary went to the garden"])
    assert story[0] == [NOTHING, 0, 0]
    assert len(story[1]) == 3


def test_no_word_and_no_answer_is_listed_twice() -> None:
    assert len(set(WORDS)) == len(WORDS)
    assert len(set(ANSWERS)) == len(ANSWERS)


def test_a_vocabulary_survives_its_configuration() -> None:
    vocabulary = Vocabulary()
    assert Vocabulary.from_dict(vocabulary.to_dict(), vocabulary.longest) == vocabulary
