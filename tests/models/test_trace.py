"""A trace is checked when it is made."""

from dataclasses import replace

import numpy as np
import pytest

from heed.models.trace import (
    AttentionMap,
    GridAxis,
    HeadVectors,
    ModelStamp,
    Output,
    Timing,
    Token,
    TokenAxis,
    Trace,
    TraceError,
    TraceRequest,
    TraceStep,
    Word,
)


def axis(*texts: str) -> TokenAxis:
    text = " ".join(texts)
    tokens, words, start = [], [], 0
    for place, piece in enumerate(texts):
        tokens.append(Token(place, piece, start, start + len(piece), place))
        words.append(Word(piece, start, start + len(piece)))
        start += len(piece) + 1
    return TokenAxis(text, tuple(tokens), tuple(words), "sum")


def trace(weights: np.ndarray, source: TokenAxis | GridAxis, steps: int = 2) -> Trace:
    vector = np.zeros(3, dtype=np.float32)
    matrix = weights.astype(np.float32)
    return Trace(
        model=ModelStamp("m", "0" * 64, "additive", "before"),
        task="translate",
        request=TraceRequest("a b c"),
        source=source,
        output=Output(
            target=axis("x", "y"),
            maps=(AttentionMap("cross", 0, 0, "target", "source", matrix, matrix),),
            steps=tuple(TraceStep(-0.5, (), vector, vector, vector) for _ in range(steps)),
            log_probability=-1.0,
            score=-0.5,
            finish="end",
        ),
        runners_up=(),
        timing=Timing(0.0, 0.0),
    )


UNIFORM = np.full((2, 3), 1 / 3)


def test_a_whole_trace_is_made() -> None:
    assert trace(UNIFORM, axis("a", "b", "c")).text == "x y"


def test_there_is_a_vector_of_memory_for_each_token_read() -> None:
    made = trace(UNIFORM, axis("a", "b", "c"))
    assert replace(made, memory=np.zeros((3, 2), np.float32)).memory is not None
    with pytest.raises(TraceError, match="one vector of memory"):
        replace(made, memory=np.zeros((2, 2), np.float32))


def test_a_head_has_a_query_for_each_row_and_a_key_and_a_value_for_each_column() -> None:
    made = trace(UNIFORM, axis("a", "b", "c"))

    def with_vectors(queries: int, keys: int, values: int) -> Trace:
        vectors = HeadVectors(
            *(np.zeros((count, 4), np.float32) for count in (queries, keys, values))
        )
        maps = (made.output.maps[0]._replace(vectors=vectors),)
        return replace(made, output=replace(made.output, maps=maps))

    assert with_vectors(2, 3, 3).output.maps[0].vectors
    for counts in ((3, 3, 3), (2, 2, 3), (2, 3, 2)):
        with pytest.raises(TraceError, match="queries, keys and values"):
            with_vectors(*counts)


def test_the_source_can_be_a_picture() -> None:
    assert trace(np.full((2, 6), 1 / 6), GridAxis(2, 3, 0, 0, 1, 1)).text == "x y"


@pytest.mark.parametrize(
    ("weights", "steps", "message"),
    [
        (UNIFORM.T, 2, r"shape \(3, 2\), the axes \(2, 3\)"),
        (UNIFORM * 1.1, 2, "does not sum to 1"),
        (UNIFORM, 3, "one step per output token"),
    ],
)
def test_a_trace_that_contradicts_itself_is_refused(
    weights: np.ndarray, steps: int, message: str
) -> None:
    with pytest.raises(TraceError, match=message):
        trace(weights, axis("a", "b", "c"), steps)


def test_a_token_outside_its_text_or_without_a_word_is_refused() -> None:
    with pytest.raises(TraceError, match="outside the text"):
        TokenAxis("ab", (Token(0, "ab", 0, 3, 0),), (Word("ab", 0, 2),), "sum")
    with pytest.raises(TraceError, match="names word 1"):
        TokenAxis("ab", (Token(0, "ab", 0, 2, 1),), (Word("ab", 0, 2),), "sum")
