"""Quality of a translator: BLEU and chrF of what it writes, and how well its attention aligns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import sacrebleu

from models.errors import InputError
from models.trace import TokenAxis, Trace
from models.translator import Ask, Translator
from training.alignments import Agreement, Linked, diagonal, error_rate, merge, read_links
from training.batches import chunks
from training.corpora import Corpus, SentencePair, read_tsv

BATCH = 64
LENGTHS = (10, 20, 30, 40, 50, 60)


def evaluate_pairs(translator: Translator, path: Path, count: int) -> dict[str, float]:
    """BLEU and chrF on a tab-separated file."""
    name = path.name.partition(".")[0]
    quality = text_quality(translator, list(read_tsv(path))[:count])
    return {f"{name}_{figure}": round(value, 4) for figure, value in quality.items()}


def evaluate_translation(translator: Translator, data: Path, count: int) -> dict[str, float]:
    """Every figure there is data for, of the corpora in the data folder."""
    card = translator.card
    pair = card.source.code, card.target.code
    corpus = Corpus(pair, tatoeba=True, multi30k={"en", "fr", "de", "cs"} >= set(pair))
    quality: dict[str, float] = {}
    sets = corpus.sets(data, "dev") | {
        f"{name}_test": pairs for name, pairs in corpus.sets(data, "test").items()
    }
    for name, pairs in sets.items():
        figures = text_quality(translator, pairs[:count])
        quality |= {f"{name}_{figure}": value for figure, value in figures.items()}
    joined = by_length(joined_lines([p for pairs in sets.values() for p in pairs]), count)
    for longest, pairs in joined.items():
        if pairs:
            quality[f"bleu_up_to_{longest}_words"] = text_quality(translator, pairs)["bleu"]
    links = data / "alignments"
    stem = f"{pair[0]}-{pair[1]}"
    if translator.card.heads and (links / f"{stem}.silver-dev.jsonl").exists():
        quality |= alignment_quality(
            translator, list(read_links(links / f"{stem}.silver-dev.jsonl"))[:count]
        )
    if translator.card.heads and (links / f"{stem}.dev.jsonl").exists():
        quality |= gold_quality(translator, list(read_links(links / f"{stem}.dev.jsonl"))[:count])
    return {name: round(float(value), 4) for name, value in quality.items()}


def grouped(pairs: Iterable[SentencePair]) -> dict[str, list[str]]:
    """All references of each source."""
    references: dict[str, list[str]] = {}
    for source, target in pairs:
        references.setdefault(source, []).append(target)
    return references


def text_quality(translator: Translator, pairs: Sequence[SentencePair]) -> dict[str, float]:
    """BLEU (13a, lower-cased) and chrF of greedy translations, against all references there are."""
    references = grouped(pairs)
    written = [translate(translator, chunk) for chunk in chunks(references, BATCH)]
    hypotheses = [text for chunk in written for text in chunk]
    most = max(map(len, references.values()))
    columns = [
        [each[place] if place < len(each) else "" for each in references.values()]
        for place in range(most)
    ]
    bleu = sacrebleu.corpus_bleu(hypotheses, columns, lowercase=True)
    chrf = sacrebleu.corpus_chrf(hypotheses, columns)
    return {"bleu": bleu.score, "chrf": chrf.score}


def translate(translator: Translator, texts: Sequence[str]) -> list[str]:
    """Greedy translations; a text the model cannot take is translated as nothing."""
    asks = [Ask(text) for text in texts]
    good = [ask for ask in asks if _runs(translator, ask)]
    outputs = (
        {ask.text: trace.text for ask, trace in zip(good, translator.run(good), strict=True)}
        if good
        else {}
    )
    return [outputs.get(text, "") for text in texts]


def _runs(translator: Translator, ask: Ask) -> bool:
    try:
        translator.check(ask)
    except InputError:
        return False
    return True


def joined_lines(pairs: Sequence[SentencePair]) -> Iterator[SentencePair]:
    """Lines of one to eight pairs in a row, for sources of every length."""
    for size in range(1, 9):
        for start in range(0, len(pairs) - size + 1, size):
            chosen = pairs[start : start + size]
            yield " ".join(s for s, _ in chosen), " ".join(t for _, t in chosen)


def by_length(pairs: Iterable[SentencePair], count: int) -> dict[int, list[SentencePair]]:
    """Pairs by the words of their source, in buckets up to 60, at most `count` in each."""
    buckets: dict[int, list[SentencePair]] = {longest: [] for longest in LENGTHS}
    for source, target in pairs:
        words = len(source.split())
        longest = next((limit for limit in LENGTHS if words <= limit), None)
        if longest is not None and len(buckets[longest]) < count:
            buckets[longest].append((source, target))
    return buckets


def alignment_quality(translator: Translator, linked: Sequence[Linked]) -> dict[str, float]:
    """Agreement of every set, layer and head with the links, and that of a diagonal."""
    ours: dict[str, Agreement] = {}
    for each, trace in forced(translator, linked):
        agreements = {f"{each.set}_diagonal": diagonal(each)}
        for m in trace.output.maps:
            if m.kind == "cross" and isinstance(trace.source, TokenAxis):
                merged = merge(m.weights, trace.source, trace.output.target, each)
                agreements[f"{each.set}_layer{m.layer}_head{m.head}"] = merged
        for name, merged in agreements.items():
            ours.setdefault(f"alignment_{name}", Agreement()).add(merged, each.links)
    return {name: agreement.rate for name, agreement in sorted(ours.items())}


def gold_quality(translator: Translator, linked: Sequence[Linked]) -> dict[str, float]:
    """Alignment error rate of the first map against gold links, and that of a diagonal."""
    right = {"model": 0, "diagonal": 0}
    links = {"model": 0, "diagonal": 0}
    for each, trace in forced(translator, linked):
        if not isinstance(trace.source, TokenAxis):
            continue
        first = next(m for m in trace.output.maps if m.kind == "cross")
        merged = merge(first.weights, trace.source, trace.output.target, each)
        for name, map_ in (("model", merged), ("diagonal", diagonal(each))):
            hits, total = error_rate(map_, each.links)
            right[name] += hits
            links[name] += total
    return {
        f"alignment_error_{name}": 1 - 2 * right[name] / links[name]
        for name in right
        if links[name]
    }


def forced(translator: Translator, linked: Sequence[Linked]) -> Iterator[tuple[Linked, Trace]]:
    """The linked sentences that the model can take, and its traces of writing their targets."""
    for chunk in chunks(linked, BATCH):
        asks = [(each, Ask(each.source_text, each.target_text)) for each in chunk]
        good = [(each, ask) for each, ask in asks if _runs(translator, ask)]
        if good:
            traces = translator.run([ask for _, ask in good])
            yield from zip((each for each, _ in good), traces, strict=True)
