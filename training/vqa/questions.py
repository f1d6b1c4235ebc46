"""`python -m training.vqa.questions --data DATA`: questions about photos, made from their captions.

Colours and their things, counts, actions, places, people. The questions of a photo depend
on its captions and its name alone. Frequent answers are thinned out until the question does not
give them away; how much it still does is counted: the blind baseline.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal, get_args

from training.caption.flickr8k import read_captions
from training.caption.lexicon import ANIMALS, CLOTHES, NUMBER_WORDS, PAIRS, PEOPLE, SEVERAL, THINGS
from training.common.command_line import DATA
from training.common.errors import CorpusError
from training.vqa.scenes import Scene, agreed, read_scene

Form = Literal[
    "colour",
    "whose colour",
    "colour told apart",
    "count",
    "doing",
    "what",
    "where",
    "who",
    "yes or no",
]
FORMS: tuple[Form, ...] = get_args(Form)

# The same question as people ask it. Which of them is asked goes by the photo; training asks all.
WORDINGS = {
    "colour": (
        "what colour {be} the {thing}?",
        "what color {be} the {thing}?",
        "which color {be} the {thing}?",
        "what is the colour of the {thing}?",
    ),
    "whose colour": (
        "what colour {be} the {who}'s {thing}?",
        "what color {be} the {who}'s {thing}?",
        "what colour {be} the {thing} of the {who}?",
        "what color {thing} {has} the {who} {got}?",
    ),
    "colour told apart": (
        "what colour {be} the {thing} of the {who} {action}?",
        "what color {be} the {thing} of the {who} who is {action}?",
        "what colour {be} the {thing} of the {someone} {action}?",
        "what color {thing} {has} the {who} {action} {got}?",
    ),
    "count": (
        "how many {who} are there?",
        "how many {who} are in the picture?",
        "how many {who} can you see?",
        "how many {who} do you see?",
    ),
    "doing": ("what {be} the {who} doing?", "what {be} the {who} doing in the picture?"),
    "what": ("what {be} the {who} {act}?",),
    "where": ("where {be} the {who}?", "where in the picture {be} the {who}?"),
    "who": ("who is {action}?", "who is {action} in the picture?"),
}
# The largest share that one answer may have of what is asked about one thing; there are too few
# numbers that stand in captions for as small a share of them.
TOP_SHARE = 0.3
TOP_SHARE_OF_COUNTS = 0.36
FEW = 12  # questions about a thing; where there are fewer, the form counts as a whole


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a photo, and its one right answer."""

    photo: str
    form: Form
    about: str  # what decides the answer if the photo is not attended at
    text: str
    answer: str
    wordings: tuple[str, ...] = ()  # of the same question, this one among them

    @property
    def plain(self) -> str:
        """The first of its wordings."""
        return self.wordings[0] if self.wordings else self.text.replace("color ", "colour ")


def questions_about(photo: str, captions: Sequence[str], least: int = 2) -> list[Question]:
    """Every question that these captions answer, at least so many of them alike."""
    scene = read_scene(captions)
    asked = (
        *_colours(scene, least),
        *_counts(scene, least),
        *_beings(scene, least),
        *_who(scene, least),
        *_told_apart(scene),
    )
    made = []
    for form, about, slots, answer in dict.fromkeys(
        (form, about, tuple(slots.items()), answer) for form, about, slots, answer in asked
    ):
        wordings = tuple(wording.format(**dict(slots)) for wording in WORDINGS[form])
        text = Random(f"{photo} {form} {about}").choice(wordings)
        made.append(Question(photo, form, about, text, answer, wordings))
    return made


Asked = tuple[Form, str, dict[str, str], str]  # form, about, what fills the wording, answer


def _colours(scene: Scene, least: int) -> Iterator[Asked]:
    people = [who for who in scene.beings if who in PEOPLE]
    alone = len(people) == 1 and _number(scene, people[0]) == 1
    for thing, said in scene.colours.items():
        # Where there are several people, one caption's shirt may be another's unsaid.
        sure = thing in THINGS.values() or (alone and thing in CLOTHES.values())
        colour = agreed(said, 1 if sure else least)
        if colour and thing not in scene.plenty:
            yield "colour", thing, _thing(thing), colour
    for (who, thing), said in scene.worn.items():
        colour = agreed(said, 1)
        if colour and _number(scene, who) == 1:
            slots = {"who": who} | _thing(thing)
            yield "whose colour", f"{thing} of {who}", slots, colour


def _told_apart(scene: Scene) -> Iterator[Asked]:
    """Yield questions on the clothes of the being that does something, if captions agree."""
    seen: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for said in scene.told_apart:
        for worn in said.wears:
            if worn.colours and said.who.number == 1 and said.action:
                colour = " and ".join(sorted(worn.colours))
                seen[said.who.noun, worn.noun, said.action][colour] += 1
    for (who, thing, action), said_of in seen.items():
        if len(said_of) == 1:
            someone = who if who in ANIMALS else "person"
            slots = {"who": who, "action": action, "someone": someone} | _thing(thing)
            yield "colour told apart", f"{thing} of {who}", slots, next(iter(said_of))


def _counts(scene: Scene, least: int) -> Iterator[Asked]:
    for who, said in scene.counts.items():
        count = agreed(said, least)
        if count in NUMBER_WORDS and not said[0]:
            yield "count", SEVERAL[who], {"who": SEVERAL[who]}, NUMBER_WORDS[count]


def _beings(scene: Scene, least: int) -> Iterator[Asked]:
    """Yield questions on the action, object and place of each being."""
    for who in scene.beings:
        number = _number(scene, who)
        if number is None:
            continue
        name = who if number == 1 else SEVERAL[who]
        slots = {"be": "is" if number == 1 else "are", "who": name}
        if action := agreed(scene.actions.get(who, Counter()), least):
            yield "doing", name, slots, action
            act, _, thing = action.partition(" ")
            if thing:
                yield "what", f"{act} {name}", slots | {"act": act}, thing
        if place := agreed(scene.places.get(who, Counter()), least):
            yield "where", name, slots, place


def _who(scene: Scene, least: int) -> Iterator[Asked]:
    doers: dict[str, Counter[str]] = defaultdict(Counter)
    for who, actions in scene.actions.items():
        number = _number(scene, who)
        for action, times in actions.items():
            doers[action][who if number == 1 else SEVERAL[who]] += times
    for action, said in doers.items():
        # `A person` is no answer to who.
        if len(said) == 1 and (doer := agreed(said, least)) and doer != "person":
            yield "who", action, {"action": action}, doer


def _number(scene: Scene, who: str) -> int | None:
    """One, or more, as the captions agree; 2 stands for any that is more."""
    said = Counter[int]()
    for count, times in scene.counts[who].items():
        said[1 if count == 1 else 2] += times
    return agreed(said, 1)


def _thing(thing: str) -> dict[str, str]:
    """Return the words that fill a wording about a thing: "have" for hair, "wear" for the rest."""
    has, got = ("has", "got") if thing == "hair" else ("is", "wearing")
    return {"thing": thing, "be": "are" if thing in PAIRS else "is", "has": has, "got": got}


def make_questions(captions: Mapping[str, Sequence[str]], least: int = 2) -> list[Question]:
    """The questions about all photos, balanced; at least so many captions answer each alike."""
    made = [q for photo in sorted(captions) for q in questions_about(photo, captions[photo], least)]
    return balanced(made)


def balanced(questions: Sequence[Question]) -> list[Question]:
    """Thin out the frequent answers, of what is asked about each thing, and of each form.

    Which questions go is drawn from their own words, so that it is always the same ones.
    """
    kept = list(questions)
    for by_thing in (True, False):
        groups: dict[tuple[str, ...], list[Question]] = defaultdict(list)
        for question in kept:
            groups[_group(question, by_thing=by_thing)].append(question)
        kept = [q for group in groups.values() for q in _thinned(group)]
    return sorted(kept, key=lambda q: (q.photo, FORMS.index(q.form), q.about, q.text))


def _group(question: Question, *, by_thing: bool) -> tuple[str, ...]:
    return (question.form, question.about) if by_thing else (question.form,)


def _thinned(questions: Sequence[Question]) -> list[Question]:
    counts = Counter(question.answer for question in questions)
    share = TOP_SHARE_OF_COUNTS if questions[0].form == "count" else TOP_SHARE
    most = _most(sorted(counts.values(), reverse=True), share)
    kept: list[Question] = []
    taken = Counter[str]()
    for question in sorted(questions, key=lambda q: Random(f"{q.photo} {q.text}").random()):
        if taken[question.answer] < most:
            taken[question.answer] += 1
            kept.append(question)
    return kept


def _most(counts: Sequence[int], share: float) -> int:
    """Return how often an answer may occur to keep within its share.

    Where there are too few answers for that, the commonest may be given as often as the second.
    """
    for most in range(counts[0], 0, -1):
        if most <= share * sum(min(count, most) for count in counts):
            return most
    return counts[1] if len(counts) > 1 else 1


class BlindBaseline:
    """Blind baseline: the commonest answer to the question in training."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._answers: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for question in questions:
            for key in self._keys(question):
                self._answers[key][question.answer] += 1

    @staticmethod
    def _keys(question: Question) -> tuple[tuple[str, ...], ...]:
        """From the exact question to its form alone."""
        return (
            (question.form, question.about, question.plain),
            (question.form, question.about),
            (question.form,),
        )

    def answer(self, question: Question) -> str:
        """By the narrowest kind of question that was met often enough to go by."""
        for key in self._keys(question):
            met = self._answers.get(key)
            if met and met.total() >= FEW:
                return _commonest(met)
        return _commonest(self._answers.get((question.form,), Counter()))

    def accuracy(self, questions: Sequence[Question]) -> float:
        """Return the number of right answers."""
        right = sum(self.answer(question) == question.answer for question in questions)
        return right / len(questions) if questions else 0.0


def _commonest(answers: Counter[str]) -> str:
    return min(answers, key=lambda answer: (-answers[answer], answer), default="")


def report(train: Sequence[Question], dev: Sequence[Question]) -> Iterator[str]:
    """Return the number of questions of each form, and how many the blind baseline gets right."""
    blind = BlindBaseline(train)
    yield f"{'form':20}{'train':>8}{'dev':>8}{'answers':>9}{'blind on dev':>14}"
    for form in (*FORMS, "all"):
        mine, theirs = ([q for q in s if form in (q.form, "all")] for s in (train, dev))
        answers = len({question.answer for question in mine})
        guessed = f"{blind.accuracy(theirs):.1%}"
        yield f"{form:20}{len(mine):8}{len(theirs):8}{answers:9}{guessed:>14}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.vqa.questions", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder that has flickr8k/")
    parser.add_argument("--print", type=int, default=0, help="so many of them, with the captions")
    given = parser.parse_args(arguments)
    try:
        captions = {
            split: read_captions(given.data / "flickr8k" / f"{split}.captions.json.gz")
            for split in ("train", "dev")
        }
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 2
    made = {split: make_questions(captions_of) for split, captions_of in captions.items()}
    for line in report(made["train"], made["dev"]):
        print(line)
    for question in Random(given.print).sample(made["train"], min(given.print, len(made["train"]))):
        print(f"\n{question.text} {question.answer.upper()}")
        for caption in captions["train"][question.photo]:
            print(f"    {caption}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
