"""Models and texts of a length that is told."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from benchmarks.contenders import RNN, tokenizer_of
from benchmarks.endless import NEVER, write_endless
from benchmarks.sentences import sentences
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.text.tokenizer import END

BIAS = "decoder.output.bias"


def test_one_number_of_the_weights_is_another(tmp_path: Path) -> None:
    folder = write_endless(tmp_path, [RNN], 7)
    before, after = (
        load_file(one / RNN / "model.safetensors") for one in (DEFAULT_DIRECTORY, folder)
    )
    assert after[BIAS][END] == NEVER
    after[BIAS][END] = before[BIAS][END]
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_it_may_write_as_much_as_it_is_told(tmp_path: Path) -> None:
    assert Catalogue(write_endless(tmp_path, [RNN], 7)).cards[RNN].limits.steps == 7


def test_texts_are_different_and_of_the_very_length() -> None:
    tokenizer = tokenizer_of(RNN)
    texts = sentences(tokenizer, 12, 5)
    assert len(set(texts)) == 5
    assert [len(tokenizer.encode(text)) for text in texts] == [12] * 5
