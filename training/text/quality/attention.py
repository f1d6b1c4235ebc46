"""Quality of a translator's attention: agreement of its strongest weights with word alignments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from heed.models.errors import InputError
from heed.models.generation.translator import TextRequest, Translator
from heed.models.trace import AttentionMap, Floats, TokenAxis, Trace
from training.common.alignments import (
    Agreement,
    Linked,
    combined,
    diagonal,
    error_rate,
    merge,
    read_links,
    spans,
)
from training.common.batches import chunks
from training.text.data.corpora import LANGUAGES, capitalized
from training.text.data.word_lists.described_nouns import DescribedNounTest, described_noun_tests

BATCH = 64


def attention_quality(translator: Translator, links: Path, count: int) -> dict[str, float]:
    """Compute every figure for which there are word links."""
    card = translator.card
    pair = card.source.code, card.target.code
    quality: dict[str, float] = {}
    best = (0, 0)
    if silver := links_between(links, pair, "silver-dev", count):
        quality, best = alignment_quality(translator, silver)
    if gold := links_between(links, pair, "dev", count):
        quality |= gold_quality(translator, gold, best)
    if {*pair} <= {*LANGUAGES}:
        quality["described_nouns_aligned"] = described_nouns_aligned(translator, pair, best)
    return quality


def links_between(folder: Path, pair: tuple[str, str], kind: str, count: int) -> list[Linked]:
    """Read the links of two languages, reversed if the file has the other direction, or none."""
    here, there = (folder / f"{first}-{two}.{kind}.jsonl" for first, two in (pair, pair[::-1]))
    if here.exists():
        return list(read_links(here))[:count]
    return [link.turned() for link in read_links(there)][:count] if there.exists() else []


def alignment_quality(
    translator: Translator, linked: Sequence[Linked]
) -> tuple[dict[str, float], tuple[int, int]]:
    """Return the agreement of the best head with the links, and its layer and head.

    Figures are for all sets and for each, with a diagonal for comparison; with several heads also
    for each head and for the mean of each layer.
    """
    heads: dict[tuple[int, int], dict[str, Agreement]] = {}
    layers: dict[int, Agreement] = {}
    straight: dict[str, Agreement] = {}
    for linked_pair, trace in forced_traces(translator, linked):
        straight.setdefault(linked_pair.set, Agreement()).add(
            diagonal(linked_pair), linked_pair.links
        )
        beside: dict[int, list[Floats]] = {}
        for m, merged in merged_maps(linked_pair, trace):
            sets = heads.setdefault((m.layer, m.head), {})
            sets.setdefault(linked_pair.set, Agreement()).add(merged, linked_pair.links)
            beside.setdefault(m.layer, []).append(merged)
        for layer, maps in beside.items():
            mean: Floats = np.mean(maps, axis=0)
            layers.setdefault(layer, Agreement()).add(mean, linked_pair.links)
    if not heads:
        return {}, (0, 0)
    rates = {place: combined(sets.values()).rate for place, sets in heads.items()}
    best = max(rates, key=lambda place: rates[place])
    quality = {"alignment_agreement": rates[best]}
    for name in sorted(straight):
        quality[f"alignment_{name}"] = heads[best][name].rate
        quality[f"diagonal_{name}"] = straight[name].rate
    if len(heads) > 1:
        quality |= {
            f"alignment_layer{layer}_head{head}": rates[layer, head] for layer, head in rates
        }
        quality |= {
            f"alignment_layer{layer}_mean": agreement.rate for layer, agreement in layers.items()
        }
    return quality, best


def gold_quality(
    translator: Translator, linked: Sequence[Linked], place: tuple[int, int]
) -> dict[str, float]:
    """Return the alignment error rate of one head against gold links, and of a diagonal."""
    right, links = {"model": 0, "diagonal": 0}, {"model": 0, "diagonal": 0}
    for linked_pair, trace in forced_traces(translator, linked):
        for m, merged in merged_maps(linked_pair, trace):
            if (m.layer, m.head) != place:
                continue
            for name, map_ in (("model", merged), ("diagonal", diagonal(linked_pair))):
                hits, total = error_rate(map_, linked_pair.links)
                right[name] += hits
                links[name] += total
    return {
        f"alignment_error_{name}": 1 - 2 * right[name] / links[name]
        for name in right
        if links[name]
    }


def described_nouns_aligned(
    translator: Translator, pair: tuple[str, str], place: tuple[int, int]
) -> float:
    """Return the share of held-out adjectives and nouns at which one head looks at their own word.

    The model writes the reference: "un perro bonito" from "a beautiful dog".
    """
    agreement = Agreement()
    linked = [link_described_noun(test) for test in described_noun_tests(pair)]
    for linked_pair, trace in forced_traces(translator, linked):
        for m, merged in merged_maps(linked_pair, trace):
            if (m.layer, m.head) == place:
                agreement.add(merged, linked_pair.links)
    return agreement.rate


def link_described_noun(test: DescribedNounTest) -> Linked:
    """Link the adjectives and the nouns of two phrases."""
    read, written = test.source.indefinite.split(), test.target.indefinite.split()
    links = frozenset(
        (read.index(here), written.index(other))
        for here, other in (
            (test.source.adjective, test.target.adjective),
            (test.source.noun, test.target.noun),
        )
    )
    source, target = capitalized(" ".join(read)), capitalized(" ".join(written))
    return Linked(source, target, spans(source, read), spans(target, written), links)


def merged_maps(linked: Linked, trace: Trace) -> Iterator[tuple[AttentionMap, Floats]]:
    """Yield the cross-attention maps, and each merged onto the words of the links."""
    for m in trace.output.maps:
        if m.kind == "cross" and isinstance(trace.source, TokenAxis):
            yield m, merge(m.weights, trace.source, trace.output.tokens, linked)


def forced_traces(
    translator: Translator, linked: Sequence[Linked]
) -> Iterator[tuple[Linked, Trace]]:
    """Yield the accepted sentences with their traces of forced decoding."""
    for chunk in chunks(linked, BATCH):
        asks = [
            (linked_pair, TextRequest(linked_pair.source_text, linked_pair.target_text))
            for linked_pair in chunk
        ]
        good = [(linked_pair, ask) for linked_pair, ask in asks if accepts(translator, ask)]
        if good:
            traces = translator.run([ask for _, ask in good])
            yield from zip((linked_pair for linked_pair, _ in good), traces, strict=True)


def accepts(translator: Translator, ask: TextRequest) -> bool:
    """Return whether a request is within the limits of a translator."""
    try:
        translator.check(ask)
    except InputError:
        return False
    return True
