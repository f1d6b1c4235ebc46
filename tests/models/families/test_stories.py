"""Stories as sentences and words, each with its place in the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heed.models.families.memory.stories import (
    UNKNOWN,
    StoryVocabulary,
    lookup_form,
    split_sentences,
    split_words,
)

STORY = "Mary went home.  John left!\nWhere's Tom? ... Eva; Ben"


def test_a_story_is_cut_at_full_stops_and_ends_of_lines() -> None:
    assert [each.text for each in split_sentences(STORY)] == [
        "Mary went home.",
        "John left!",
        "Where's Tom?",
        "Eva;",
        "Ben",
    ]


def test_words_are_found_as_written_and_looked_up_in_lower_case() -> None:
    words = split_words("Where's the tea-pot, Who’s got it NOW?")
    written = ["Where", "'s", "the", "tea-pot", "Who", "’s", "got", "it", "NOW"]
    assert [word.text for word in words] == written
    looked_up = ["where", "is", "the", "tea-pot", "who", "is", "got", "it", "now"]
    assert [lookup_form(word.text) for word in words] == looked_up


def test_words_that_are_not_known_have_one_id() -> None:
    vocabulary = StoryVocabulary(("<padding>", "<unknown>", "<nothing>", "mary"), ("yes",))
    assert vocabulary.ids_of(split_words("Mary met Zoe")) == (3, UNKNOWN, UNKNOWN)


@given(st.text(max_size=60))
def test_every_sentence_and_word_stands_at_its_place(text: str) -> None:
    end = 0
    for sentence in split_sentences(text):
        assert end <= sentence.start
        end = sentence.end
        assert text[sentence.start : sentence.end] == sentence.text
        words = split_words(sentence.text, sentence.start)
        assert words
        assert all(text[word.start : word.end] == word.text for word in words)
