"""Tiny corpora of text, in the layout of the real ones."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

from training.reading.templates import agreements


def write_sentences(root: Path) -> Path:
    """Write corpora with English sentences, most of which are templates."""
    for split, count in (("train", 120), ("dev", 20)):
        texts = [each.text for each in islice(agreements("train", split), count)]
        texts += [each.text for each in islice(agreements("test", split), count)]
        for language in ("fr", "de", "es"):
            _write(root / f"tatoeba/en-{language}.{split}.tsv.gz", [f"{one}\tx" for one in texts])
        for name in ("words", "visitors"):
            _write(root / f"sentences/{name}.{split}.tsv", ["Hello , Tom .\tx\tx\tx"])
        multi30k = {"train": "train", "dev": "val"}[split]
        _write(root / f"multi30k/{multi30k}.en.gz", ["A man walks ."])
        captions = json.dumps({"a.jpg": ["A dog runs ."]})
        _write(root / f"flickr8k/{split}.captions.json.gz", [captions])
        photo = json.dumps({"b.jpg": {"captions": ["a red bus"], "questions": []}})
        _write(root / f"photos/{split}.json.gz", [photo])
    return root


def write_pairs(root: Path) -> Path:
    """Write a user's own pairs of sentences."""
    pairs = [f"a {word} b\tun {word} deux" for word in ("cat", "dog", "house", "tree") * 10]
    _write(root / "own.tsv", pairs)
    _write(root / "dev.tsv", ["a cat b\tun cat deux"])
    return root


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
