"""Quality of a translator: BLEU and chrF of its output, names, rare words, long texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

import sacrebleu

from heed.models.generation.translator import TextRequest, Translator
from heed.models.trace import TokenAxis
from training.common.batches import chunks
from training.text.data.corpora import (
    LANGUAGES,
    SENTENCES,
    Corpus,
    SentencePair,
    group_translations,
    read_tsv,
)
from training.text.data.word_lists.lexicon import LexiconTest, lexicon_tests
from training.text.data.word_lists.names import contains_name, replace_names
from training.text.quality.attention import accepts, attention_quality
from training.text.quality.lengths import (
    BUCKET,
    LONG_TEXTS,
    SHORT_TEXTS,
    by_length,
    joined_lines,
    texts_of_tokens,
)

BATCH = 64
MANY_LONG_TEXTS = 100
NAMES_SEED = 2015


def evaluate_pairs(translator: Translator, path: Path, count: int) -> dict[str, float]:
    """BLEU and chrF on a tab-separated file."""
    name = path.name.partition(".")[0]
    quality = text_quality(translator, list(read_tsv(path))[:count])
    return {f"{name}_{figure}": round(value, 4) for figure, value in quality.items()}


def evaluate_translation(translator: Translator, data: Path, count: int) -> dict[str, float]:
    """Compute every figure for which the data folder has a corpus."""
    card = translator.card
    pair = card.source.code, card.target.code
    corpus = evaluation_corpus(pair, data)
    quality: dict[str, float] = {}
    sets = {f"{name}_test": pairs for name, pairs in corpus.sets(data, "test").items()}
    sets |= corpus.sets(data, "dev")
    references = {name: group_translations(pairs[:count]) for name, pairs in sets.items()}
    translated = {name: translate_texts(translator, texts) for name, texts in references.items()}
    for name, known in references.items():
        figures = score(translated[name], known)
        quality |= {f"{name}_{figure}": value for figure, value in figures.items()}
    if named := [pair for pair in sets.get("tatoeba", [])[:count] if contains_name(pair)]:
        quality["names_kept"] = names_kept(translator, named)
    if {*pair} <= {*LANGUAGES}:
        quality["words_known"] = words_known(translator, lexicon_tests(pair)[:count])
    if everyday := references.get("tatoeba"):
        quality |= rare_words_quality(translator, translated["tatoeba"], everyday)
    joinable = [pair for name, pairs in sets.items() if name not in SENTENCES for pair in pairs]
    for longest, pairs in by_length(joined_lines(joinable), min(count, BUCKET)).items():
        if pairs:
            quality[f"bleu_up_to_{longest}_words"] = text_quality(translator, pairs)["bleu"]
    quality |= long_texts_quality(translator, joinable, count)
    if card.heads:
        quality |= attention_quality(translator, data / "alignments", count)
    return {name: round(float(value), 4) for name, value in quality.items()}


def evaluation_corpus(pair: tuple[str, str], data: Path) -> Corpus:
    """Return the sets of these languages that the data folder has."""
    captions = int({"en", "fr", "de", "cs"} >= {*pair})
    sentences = int({*LANGUAGES} >= {*pair} and (data / "sentences").is_dir())
    return Corpus(pair, tatoeba=1, multi30k=captions, words=sentences, visitors=sentences)


def long_texts_quality(
    translator: Translator, pairs: Sequence[SentencePair], count: int
) -> dict[str, float]:
    """Return BLEU of short and of long texts of joined pairs, and the second over the first."""
    if LONG_TEXTS[-1] > translator.card.limits.tokens:
        return {}

    def count_tokens(text: str) -> int:
        return len(translator.tokenizer.read(text))

    scores: dict[range, float] = {}
    for tokens, most in ((SHORT_TEXTS, BUCKET), (LONG_TEXTS, MANY_LONG_TEXTS)):
        texts = texts_of_tokens(pairs, tokens, count_tokens, min(count, most))
        if not texts:
            return {}
        scores[tokens] = text_quality(translator, texts)["bleu"]
    short, long = scores.values()
    named = {f"bleu_{group[0]}_to_{group[-1]}_tokens": bleu for group, bleu in scores.items()}
    return named | ({"bleu_kept_on_long_texts": long / short} if short else {})


def text_quality(translator: Translator, pairs: Sequence[SentencePair]) -> dict[str, float]:
    """BLEU (13a, lower-cased) and chrF of greedy translations, against all references there are."""
    references = group_translations(pairs)
    return score(translate_texts(translator, references), references)


def translate_texts(translator: Translator, texts: Iterable[str]) -> dict[str, str]:
    """Translate each text."""
    translated: dict[str, str] = {}
    for chunk in chunks(texts, BATCH):
        translated |= zip(chunk, translate(translator, chunk), strict=True)
    return translated


def score(
    translated: Mapping[str, str], references: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return BLEU and chrF of the translations of the texts with references."""
    hypotheses = [translated[text] for text in references]
    most = max(map(len, references.values()))
    columns = [
        [several[place] if place < len(several) else "" for several in references.values()]
        for place in range(most)
    ]
    bleu = sacrebleu.corpus_bleu(hypotheses, columns, lowercase=True)
    chrf = sacrebleu.corpus_chrf(hypotheses, columns)
    return {"bleu": bleu.score, "chrf": chrf.score}


def names_kept(translator: Translator, pairs: Sequence[SentencePair]) -> float:
    """Return the share of sentences with made-up names whose translation keeps every name."""
    rng, card = Random(NAMES_SEED), translator.card
    named: dict[str, set[str]] = {}
    for pair in pairs:
        languages = card.source.code, card.target.code
        source, target = replace_names(pair, languages, rng, made_up=1)
        named[source] = (_words(source) & _words(target)) - _words(pair[0])
    translated = translate(translator, list(named))
    kept = [names <= _words(text) for names, text in zip(named.values(), translated, strict=True)]
    return sum(kept) / len(kept)


def words_known(translator: Translator, tests: Sequence[LexiconTest]) -> float:
    """Return the share of sentences with a rare word whose translation has the right word."""
    translated = translate(translator, [text for text, _ in tests])
    known = [
        re.search(rf"\b{re.escape(wanted)}", text, re.IGNORECASE)
        for (_, wanted), text in zip(tests, translated, strict=True)
    ]
    return sum(map(bool, known)) / len(known)


def rare_words_quality(
    translator: Translator, translated: Mapping[str, str], references: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return BLEU of texts with rare words, and of those without."""
    rare = {text: known for text, known in references.items() if _has_rare_words(translator, text)}
    others = {text: known for text, known in references.items() if text not in rare}
    if not rare or not others:
        return {}
    return {
        "with_rare_words": len(rare) / len(references),
        "bleu_with_rare_words": score(translated, rare)["bleu"],
        "bleu_without_rare_words": score(translated, others)["bleu"],
    }


def _has_rare_words(translator: Translator, text: str) -> bool:
    """Return whether an accepted text has rare words."""
    if not accepts(translator, ask := TextRequest(text)):
        return False
    source = translator.prepare(ask).opening.source
    return isinstance(source, TokenAxis) and bool(source.rare_words)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def translate(translator: Translator, texts: Sequence[str]) -> list[str]:
    """Translate greedily; a refused text has an empty translation."""
    asks = [TextRequest(text) for text in texts]
    good = [ask for ask in asks if accepts(translator, ask)]
    outputs = (
        {ask.text: trace.text for ask, trace in zip(good, translator.run(good), strict=True)}
        if good
        else {}
    )
    return [outputs.get(text, "") for text in texts]
