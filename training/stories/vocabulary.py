"""Reading of stories: sentences, words and their ids, and the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from heed.models.families.memory.stories import NOTHING, PADDING, StoryVocabulary, split_words

NAMES: Final = (
    "Adam Anna Ben Bill Clara Daniel Emma Eva Fred George Grace Jack Jane John Julia Kate "
    "Leo Lucy Mary Paul Peter Sandra Sophie Tom"
).split()
PLACES: Final = (
    "attic barn bathroom bedroom cellar forest garden hallway kitchen library market museum "
    "office park school shop"
).split()
OBJECTS: Final = (
    "apple bag ball book bottle box coin cup doll hat key lamp letter phone umbrella"
).split()
ANIMALS: Final = "cat dog hen kitten rabbit".split()
THINGS: Final = [*OBJECTS, *ANIMALS]

YES, NO, NOBODY, CANNOT_KNOW = "yes", "no", "nobody", "I cannot know"
NUMBERS: Final = "none one two three four".split()
ANSWERS: Final = (
    *NAMES,
    *(f"the {place}" for place in PLACES),
    *(YES, NO, *NUMBERS, NOBODY, CANNOT_KNOW),
)
FUNCTION_WORDS: Final = (
    "a an and at back before been being can carrying did does down find for gave get go going got "
    "grabbed had handed has have holding holds how i in is it journeyed know many me moved now of "
    "on over passed picked put ran set tell the then there things objects to took travelled up "
    "walked was went where which who place dropped"
).split()
SPECIAL: Final = ("<padding>", "<unknown>", "<nothing>")
WORDS: Final = (
    *SPECIAL,
    *(name.lower() for name in NAMES),
    *(*PLACES, *OBJECTS, *ANIMALS, *FUNCTION_WORDS),
)


@dataclass(frozen=True, slots=True)
class Vocabulary(StoryVocabulary):
    """The words and answers of the grammar, and sentences of one length."""

    words: tuple[str, ...] = WORDS
    answers: tuple[str, ...] = ANSWERS
    longest: int = 12  # words of a sentence; more are left out
    answer_ids: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        StoryVocabulary.__post_init__(self)
        object.__setattr__(self, "answer_ids", {text: i for i, text in enumerate(self.answers)})

    def read_sentence(self, sentence: str) -> list[int]:
        """Return the ids of the words of a sentence, padded to the longest."""
        ids = self.ids_of(split_words(sentence))[: self.longest]
        return [*ids, *[PADDING] * (self.longest - len(ids))]

    def read_story(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the ids of a story: the empty sentence, then its sentences."""
        empty = [NOTHING] + [PADDING] * (self.longest - 1)
        return [empty, *map(self.read_sentence, sentences)]
