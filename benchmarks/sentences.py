"""Texts of an exact number of tokens, all different: time depends on how many, not on which."""

from __future__ import annotations

import random

from heed.models.text.tokenizer import BytePieces

SEED = 1


def sentences(tokenizer: BytePieces, tokens: int, count: int) -> list[str]:
    """So many different texts, each of so many tokens with its end mark."""
    chance = random.Random(SEED)
    texts = (tokenizer.text_of(id) for id in range(len(tokenizer)))
    words = [text[1:] for text in texts if text[0] == " " and text[1:].isalpha() and len(text) > 3]
    found: dict[str, None] = {}
    while len(found) < count:
        chosen = chance.choices(words, k=tokens)
        while len(tokenizer.ids(" ".join(chosen))) > tokens:
            chosen.pop()
        text = " ".join(chosen)
        if len(tokenizer.ids(text)) == tokens:
            found[text] = None
    return list(found)
