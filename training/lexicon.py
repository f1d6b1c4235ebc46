"""Words that corpora hardly have, each in a few plain sentences: Norway, giraffe, historian.

    lexicon.tsv: kind ⇥ English ⇥ French ⇥ German ⇥ Spanish

A country stands in French with its article, and in German where it has one; a thing in French with
the one that tells its gender (un, une), elsewhere with its own; of many things French and Spanish
have theirs; a person is a profession, or where somebody is from, which English begins large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from training.corpora import SentencePair, without_accents

LEXICON = Path(__file__).parent / "lexicon.tsv"
LANGUAGES = ("en", "fr", "de", "es")
ASPIRATED = ("hamburger", "hamster", "hérisson", "hibou", "homard")  # no elision before these
SOUNDS_LIKE_YOU = ("unicorn",)  # so that it is "a", not "an"
Sentence = tuple[str, str, str, str]  # in all languages


def lexicon(pair: tuple[str, str]) -> list[SentencePair]:
    """The sentences in two of the languages."""
    here, there = map(LANGUAGES.index, pair)
    return [(sentence[here], sentence[there]) for sentence in sentences()]


@cache
def sentences() -> tuple[Sentence, ...]:
    """Those of all words."""
    return tuple(sentence for kind, words in _rows() for sentence in _OF[kind](*words))


def _rows() -> Iterator[tuple[str, list[str]]]:
    """The kind of each word, and the word in all languages."""
    _, *lines = LEXICON.read_text(encoding="utf-8").splitlines()
    for line in lines:
        kind, *words = line.split("\t")
        yield kind, words


class Question(NamedTuple):
    """A sentence that is not learned from, and how the word in it begins in the other language."""

    text: str
    wanted: str


def questions(pair: tuple[str, str]) -> list[Question]:
    """One of each word."""
    here, there = map(LANGUAGES.index, pair)
    asked = (_asked(kind, *words) for kind, words in _rows())
    return [Question(said[here], word[there]) for said, word in asked]


def _asked(kind: str, en: str, fr: str, de: str, es: str) -> tuple[Sentence, Sentence]:
    """Such a sentence in all languages, and the word."""
    if kind == "country":
        country = _country(fr, de)
        said = (
            f"My brother works in {en}.",
            f"Mon frère travaille {country.within}.",
            f"Mein Bruder arbeitet in {country.at}.",
            f"Mi hermano trabaja en {es}.",
        )
        return said, (en, country.bare, de.removeprefix("die "), es)
    if kind == "noun":
        noun = _noun(en, fr, de, es)
        said = (
            f"There was {noun.a} in the garden.",
            f"Il y avait {fr} dans le jardin.",
            f"Im Garten war {noun.ein}.",
            f"Había {noun.un} en el jardín.",
        )
        return said, (en, noun.french, noun.german, noun.spanish)
    if kind == "many":
        french, spanish = (each.split(" ", 1)[1] for each in (fr, es))
        said = (
            f"There are {en} in the box.",
            f"Il y a des {french} dans la boîte.",
            f"In der Kiste sind {de}.",
            f"Hay {spanish} en la caja.",
        )
        return said, (en, french, de, spanish)
    if kind == "city":
        said = (
            f"I have a friend in {en}.",
            f"J'ai un ami à {fr}.",
            f"Ich habe einen Freund in {de}.",
            f"Tengo un amigo en {es}.",
        )
    else:
        said = (
            f"Our neighbor is {_what(en)}.",
            f"Notre voisin est {fr}.",
            f"Unser Nachbar ist {de}.",
            f"Nuestro vecino es {es}.",
        )
    return said, (en, fr, de, es)


class _Country(NamedTuple):
    bare: str
    within: str
    out_of: str
    of: str
    at: str  # in German, behind "in" and "aus"


def _country(fr: str, de: str) -> _Country:
    bare = fr.removeprefix("l'") if fr.startswith("l'") else fr.split(" ", 1)[1]
    at = f"der {de[4:]}" if de.startswith("die ") else de
    if fr.startswith("le "):
        return _Country(bare, f"au {bare}", f"du {bare}", f"du {bare}", at)
    return _Country(bare, f"en {bare}", _elided("de", bare), f"de {fr}", at)


class _Noun(NamedTuple):
    french: str
    german: str
    spanish: str
    a: str
    le: str
    mon: str
    ein: str
    un: str


def _noun(en: str, fr: str, de: str, es: str) -> _Noun:
    french, german, spanish = (each.split(" ", 1)[1] for each in (fr, de, es))
    feminine = fr.startswith("une ")
    return _Noun(
        french,
        german,
        spanish,
        a=_with_article(en),
        le=_definite(french, feminine=feminine),
        mon=f"{'ma' if feminine and not _elides(french) else 'mon'} {french}",
        ein=f"{'eine' if de.startswith('die ') else 'ein'} {german}",
        un=f"{'una' if es.startswith('la ') else 'un'} {spanish}",
    )


def _of_country(en: str, fr: str, de: str, es: str) -> Iterator[Sentence]:
    country = _country(fr, de)
    at, to = country.at, f"in {de}" if de.startswith("die ") else f"nach {de}"
    yield en, _large(fr), _large(de), _large(es)
    yield en.lower(), fr, de, es
    yield f"I live in {en}.", f"J'habite {country.within}.", f"Ich wohne in {at}.", f"Vivo en {es}."
    yield f"I am from {en}.", f"Je viens {country.out_of}.", f"Ich komme aus {at}.", f"Soy de {es}."
    yield (
        f"We went to {en}.",
        f"Nous sommes allés {country.within}.",
        f"Wir sind {to} gefahren.",
        f"Fuimos a {es}.",
    )
    yield (
        f"{en} is a beautiful country.",
        f"{_large(fr)} est un beau pays.",
        f"{_large(de)} ist ein schönes Land.",
        f"{_large(es)} es un país hermoso.",
    )
    yield (
        f"The capital of {en} is beautiful.",
        f"La capitale {country.of} est belle.",
        f"Die Hauptstadt {at if at != de else f'von {de}'} ist schön.",
        f"La capital de {es} es hermosa.",
    )


def _of_city(en: str, fr: str, de: str, es: str) -> Iterator[Sentence]:
    yield en, fr, de, es
    yield en.lower(), fr, de, es
    yield f"I live in {en}.", f"J'habite à {fr}.", f"Ich wohne in {de}.", f"Vivo en {es}."
    yield (
        f"She was born in {en}.",
        f"Elle est née à {fr}.",
        f"Sie wurde in {de} geboren.",
        f"Ella nació en {es}.",
    )
    yield (
        f"He comes from {en}.",
        f"Il vient {_elided('de', fr)}.",
        f"Er kommt aus {de}.",
        f"Él viene de {es}.",
    )
    yield (
        f"They went to {en}.",
        f"Ils sont allés à {fr}.",
        f"Sie sind nach {de} gefahren.",
        f"Fueron a {es}.",
    )
    yield (
        f"{en} is a big city.",
        f"{fr} est une grande ville.",
        f"{de} ist eine große Stadt.",
        f"{es} es una ciudad grande.",
    )


def _of_noun(en: str, fr: str, de: str, es: str) -> Iterator[Sentence]:
    noun = _noun(en, fr, de, es)
    bare = en, noun.french, noun.german, noun.spanish
    for words in (bare, (noun.a, fr, noun.ein, noun.un), (f"the {en}", noun.le, de, es)):
        yield words
        first, second, third, fourth = map(_large, words)
        yield first, second, third, fourth
    yield f"This is {noun.a}.", f"C'est {fr}.", f"Das ist {noun.ein}.", f"Esto es {noun.un}."
    yield f"There is {noun.a}.", f"Il y a {fr}.", f"Da ist {noun.ein}.", f"Hay {noun.un}."
    yield f"Where is the {en}?", f"Où est {noun.le} ?", f"Wo ist {de}?", f"¿Dónde está {es}?"
    yield (
        f"The {en} is here.",
        f"{_large(noun.le)} est ici.",
        f"{_large(de)} ist hier.",
        f"{_large(es)} está aquí.",
    )
    yield (
        f"My {en} is here.",
        f"{_large(noun.mon)} est ici.",
        f"M{noun.ein} ist hier.",
        f"Mi {noun.spanish} está aquí.",
    )


def _of_person(en: str, fr: str, de: str, es: str) -> Iterator[Sentence]:
    what = _what(en)
    yield f"He is {what}.", f"Il est {fr}.", f"Er ist {de}.", f"Él es {es}."
    yield (
        f"My father is {what}.",
        f"Mon père est {fr}.",
        f"Mein Vater ist {de}.",
        f"Mi padre es {es}.",
    )
    if en[0].islower():
        yield en, fr, de, es
        yield (
            f"The {en} reads a book.",
            f"{_large(_definite(fr, feminine=False))} lit un livre.",
            f"Der {de} liest ein Buch.",
            f"El {es} lee un libro.",
        )


def _of_many(en: str, fr: str, de: str, es: str) -> Iterator[Sentence]:
    yield f"I like {en}.", f"J'aime {fr}.", f"Ich mag {de}.", f"Me gustan {es}."
    yield (
        f"Do you like {en}?",
        f"Aimez-vous {fr} ?",
        f"Magst du {de}?",
        f"¿Te gustan {es}?",
    )


_OF: dict[str, Callable[[str, str, str, str], Iterator[Sentence]]] = {
    "country": _of_country,
    "city": _of_city,
    "noun": _of_noun,
    "person": _of_person,
    "many": _of_many,
}


def _large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with_article(en: str) -> str:
    begins = en[0] in "aeiou" and en not in SOUNDS_LIKE_YOU
    return f"an {en}" if begins else f"a {en}"


def _what(en: str) -> str:
    """A profession with its article, or where somebody is from without."""
    return en if en[0].isupper() else _with_article(en)


def _elides(word: str) -> bool:
    """Whether French leaves out a vowel before a word."""
    return without_accents(word[0].lower()) in "aeiouh" and word not in ASPIRATED


def _elided(before: str, word: str) -> str:
    return f"{before[:-1]}'{word}" if _elides(word) else f"{before} {word}"


def _definite(word: str, *, feminine: bool) -> str:
    if _elides(word):
        return f"l'{word}"
    return f"la {word}" if feminine else f"le {word}"
