"""The reader of stories: sentences, words, and those that it does not know."""

from __future__ import annotations

from heed.models.families.memory.stories import NOTHING, UNKNOWN
from training.stories.vocabulary import ANSWERS, WORDS, Vocabulary


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
    assert Vocabulary.from_dict(vocabulary.to_dict()) == vocabulary
