"""Models and texts of a fixed length."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from benchmarks.case import NEVER, RNN, sentences, tokenizer_of, write_no_eos
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.text.tokenizer import END

BIAS = "decoder.output.bias"


def test_only_the_bias_of_the_end_token_differs(tmp_path: Path) -> None:
    folder = write_no_eos(tmp_path, [RNN], 7)
    before, after = (
        load_file(one / RNN / "model.safetensors") for one in (DEFAULT_DIRECTORY, folder)
    )
    assert after[BIAS][END] == NEVER
    after[BIAS][END] = before[BIAS][END]
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_its_limit_is_the_number_of_tokens(tmp_path: Path) -> None:
    assert Catalogue(write_no_eos(tmp_path, [RNN], 7)).cards[RNN].limits.steps == 7


def test_texts_differ_and_have_the_exact_length() -> None:
    tokenizer = tokenizer_of(RNN)
    texts = sentences(tokenizer, 12, 5)
    assert len(set(texts)) == 5
    assert [len(tokenizer.encode(text)) for text in texts] == [12] * 5
