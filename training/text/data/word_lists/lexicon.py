"""Lexicon: rare words such as Norway, giraffe or historian, each in a few plain sentences.

    lexicon.tsv: kind ⇥ English ⇥ French ⇥ German ⇥ Spanish

A country has its article in French, and in German if it takes one; a thing has the indefinite
article (un, une) in French, for its gender, and the definite one elsewhere; a plural has an article
in French and Spanish; a person is a profession, or a nationality, which English capitalizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from training.text.data.corpora import LANGUAGES, SentencePair, capitalized, without_accents

LEXICON = Path(__file__).parent / "lexicon.tsv"
ASPIRATED = ("hamburger", "hamster", "hérisson", "hibou", "homard")  # no elision before these
SOUNDS_LIKE_YOU = ("unicorn",)  # so that it is "a", not "an"
Sentence = tuple[str, str, str, str]  # in all languages
Forms = dict[str, str]  # of a word, by name; with a capital in the name, each begins large

LEARNED: dict[str, tuple[Sentence, ...]] = {
    "country": (
        ("{en}", "{Fr}", "{De}", "{Es}"),
        ("{small}", "{fr}", "{de}", "{es}"),
        ("I live in {en}.", "J'habite {within}.", "Ich wohne in {at}.", "Vivo en {es}."),
        ("I am from {en}.", "Je viens {out_of}.", "Ich komme aus {at}.", "Soy de {es}."),
        (
            "We went to {en}.",
            "Nous sommes allés {within}.",
            "Wir sind {to} gefahren.",
            "Fuimos a {es}.",
        ),
        (
            "{en} is a beautiful country.",
            "{Fr} est un beau pays.",
            "{De} ist ein schönes Land.",
            "{Es} es un país hermoso.",
        ),
        (
            "The capital of {en} is beautiful.",
            "La capitale {of} est belle.",
            "Die Hauptstadt {whose} ist schön.",
            "La capital de {es} es hermosa.",
        ),
    ),
    "city": (
        ("{en}", "{fr}", "{de}", "{es}"),
        ("{small}", "{fr}", "{de}", "{es}"),
        ("I live in {en}.", "J'habite à {fr}.", "Ich wohne in {de}.", "Vivo en {es}."),
        (
            "She was born in {en}.",
            "Elle est née à {fr}.",
            "Sie wurde in {de} geboren.",
            "Ella nació en {es}.",
        ),
        ("He comes from {en}.", "Il vient {out_of}.", "Er kommt aus {de}.", "Él viene de {es}."),
        (
            "They went to {en}.",
            "Ils sont allés à {fr}.",
            "Sie sind nach {de} gefahren.",
            "Fueron a {es}.",
        ),
        (
            "{en} is a big city.",
            "{fr} est une grande ville.",
            "{de} ist eine große Stadt.",
            "{es} es una ciudad grande.",
        ),
    ),
    "noun": (
        ("{en}", "{french}", "{german}", "{spanish}"),
        ("{En}", "{French}", "{German}", "{Spanish}"),
        ("{a}", "{fr}", "{ein}", "{un}"),
        ("{A}", "{Fr}", "{Ein}", "{Un}"),
        ("the {en}", "{le}", "{de}", "{es}"),
        ("The {en}", "{Le}", "{De}", "{Es}"),
        ("This is {a}.", "C'est {fr}.", "Das ist {ein}.", "Esto es {un}."),
        ("There is {a}.", "Il y a {fr}.", "Da ist {ein}.", "Hay {un}."),
        ("Where is the {en}?", "Où est {le} ?", "Wo ist {de}?", "¿Dónde está {es}?"),
        ("The {en} is here.", "{Le} est ici.", "{De} ist hier.", "{Es} está aquí."),
        ("My {en} is here.", "{Mon} est ici.", "M{ein} ist hier.", "Mi {spanish} está aquí."),
    ),
    "person": (
        ("He is {what}.", "Il est {fr}.", "Er ist {de}.", "Él es {es}."),
        ("My father is {what}.", "Mon père est {fr}.", "Mein Vater ist {de}.", "Mi padre es {es}."),
    ),
    "many": (
        ("I like {en}.", "J'aime {fr}.", "Ich mag {de}.", "Me gustan {es}."),
        ("Do you like {en}?", "Aimez-vous {fr} ?", "Magst du {de}?", "¿Te gustan {es}?"),
    ),
}
OF_PROFESSIONS: tuple[Sentence, ...] = (
    ("{en}", "{fr}", "{de}", "{es}"),
    (
        "The {en} reads a book.",
        "{Le} lit un livre.",
        "Der {de} liest ein Buch.",
        "El {es} lee un libro.",
    ),
)
TESTED: dict[str, Sentence] = {
    "country": (
        "My brother works in {en}.",
        "Mon frère travaille {within}.",
        "Mein Bruder arbeitet in {at}.",
        "Mi hermano trabaja en {es}.",
    ),
    "city": (
        "I have a friend in {en}.",
        "J'ai un ami à {fr}.",
        "Ich habe einen Freund in {de}.",
        "Tengo un amigo en {es}.",
    ),
    "noun": (
        "There was {a} in the garden.",
        "Il y avait {fr} dans le jardin.",
        "Im Garten war {ein}.",
        "Había {un} en el jardín.",
    ),
    "person": (
        "Our neighbor is {what}.",
        "Notre voisin est {fr}.",
        "Unser Nachbar ist {de}.",
        "Nuestro vecino es {es}.",
    ),
    "many": (
        "There are {en} in the box.",
        "Il y a des {french} dans la boîte.",
        "In der Kiste sind {german}.",
        "Hay {spanish} en la caja.",
    ),
}
BARE: Sentence = ("{en}", "{french}", "{german}", "{spanish}")  # the word itself


def lexicon_pairs(pair: tuple[str, str]) -> list[SentencePair]:
    """Return the sentences in two of the languages."""
    here, there = map(LANGUAGES.index, pair)
    return [(sentence[here], sentence[there]) for sentence in sentences()]


@cache
def sentences() -> tuple[Sentence, ...]:
    """Return the sentences of all words."""
    return tuple(
        _filled(template, forms)
        for kind, forms in _words()
        for template in (*LEARNED[kind], *_more_of(kind, forms))
    )


class LexiconTest(NamedTuple):
    """A held-out sentence, and the start of its rare word in the other language."""

    text: str
    wanted: str


def lexicon_tests(pair: tuple[str, str]) -> list[LexiconTest]:
    """Return one test sentence for each word."""
    here, there = map(LANGUAGES.index, pair)
    return [
        LexiconTest(_filled(TESTED[kind], forms)[here], _filled(BARE, forms)[there])
        for kind, forms in _words()
    ]


def _more_of(kind: str, forms: Forms) -> tuple[Sentence, ...]:
    return OF_PROFESSIONS if kind == "person" and forms["en"][0].islower() else ()


def _words() -> Iterator[tuple[str, Forms]]:
    """Yield the kind of each word and its forms in all languages."""
    _, *lines = LEXICON.read_text(encoding="utf-8").splitlines()
    for line in lines:
        kind, en, fr, de, es = line.split("\t")
        word = {"en": en, "fr": fr, "de": de, "es": es}
        forms = word | {"french": fr, "german": de, "spanish": es} | _FORMS[kind](en, fr, de, es)
        yield kind, forms | {capitalized(name): capitalized(form) for name, form in forms.items()}


def _filled(template: Sentence, forms: Forms) -> Sentence:
    en, fr, de, es = (text.format_map(forms) for text in template)
    return en, fr, de, es


def _of_country(en: str, fr: str, de: str, es: str) -> Forms:
    del es
    bare = fr.removeprefix("l'") if fr.startswith("l'") else fr.split(" ", 1)[1]
    masculine, the = fr.startswith("le "), de.startswith("die ")
    return {
        "small": en.lower(),
        "french": bare,
        "german": de.removeprefix("die "),
        "within": f"au {bare}" if masculine else f"en {bare}",
        "out_of": f"du {bare}" if masculine else _elided("de", bare),
        "of": f"du {bare}" if masculine else f"de {fr}",
        "at": f"der {de[4:]}" if the else de,  # behind "in" and "aus"
        "to": f"in {de}" if the else f"nach {de}",
        "whose": f"der {de[4:]}" if the else f"von {de}",
    }


def _of_city(en: str, fr: str, de: str, es: str) -> Forms:
    del de, es
    return {"small": en.lower(), "out_of": _elided("de", fr)}


def _of_noun(en: str, fr: str, de: str, es: str) -> Forms:
    french, german, spanish = (noun.split(" ", 1)[1] for noun in (fr, de, es))
    feminine = fr.startswith("une ")
    return {
        "french": french,
        "german": german,
        "spanish": spanish,
        "a": _with_article(en),
        "le": _definite(french, feminine=feminine),
        "mon": f"{'ma' if feminine and not _elides(french) else 'mon'} {french}",
        "ein": f"{'eine' if de.startswith('die ') else 'ein'} {german}",
        "un": f"{'una' if es.startswith('la ') else 'un'} {spanish}",
    }


def _of_person(en: str, fr: str, de: str, es: str) -> Forms:
    del de, es
    what = en if en[0].isupper() else _with_article(en)  # a nationality has no article
    return {"what": what, "le": _definite(fr, feminine=False)}


def _of_many(en: str, fr: str, de: str, es: str) -> Forms:
    del en, de
    return {"french": fr.split(" ", 1)[1], "spanish": es.split(" ", 1)[1]}


_FORMS: dict[str, Callable[[str, str, str, str], Forms]] = {
    "country": _of_country,
    "city": _of_city,
    "noun": _of_noun,
    "person": _of_person,
    "many": _of_many,
}


def _with_article(en: str) -> str:
    begins = en[0] in "aeiou" and en not in SOUNDS_LIKE_YOU
    return f"an {en}" if begins else f"a {en}"


def _elides(word: str) -> bool:
    """Return whether French elides a vowel before a word."""
    return without_accents(word[0].lower()) in "aeiouh" and word not in ASPIRATED


def _elided(before: str, word: str) -> str:
    return f"{before[:-1]}'{word}" if _elides(word) else f"{before} {word}"


def _definite(word: str, *, feminine: bool) -> str:
    if _elides(word):
        return f"l'{word}"
    return f"la {word}" if feminine else f"le {word}"
