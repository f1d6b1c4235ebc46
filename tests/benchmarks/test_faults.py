"""The figures of the rules that warn belong to the outputs that were labelled."""

import pytest

from benchmarks import faults
from heed.tracing import trace


def test_a_share_of_few_has_a_wide_interval() -> None:
    assert faults.Score(faulty=14, named=10, right=10).cells() == (
        "100 % (72 to 100)",
        "71 % (45 to 88)",
    )
    assert faults.Score(faulty=3, named=0, right=0).cells()[0] == "–"


def test_other_outputs_have_no_labels() -> None:
    with pytest.raises(ValueError, match="not the outputs"):
        faults.labels("en-fr-additive", [trace("en-fr-additive", "Hello.")])


def test_the_rules_name_the_words_of_a_trace() -> None:
    texts = ("The stubborn mule kicked the crumbling barn door.", "My margin of profit is thin.")
    twice, copied = faults.found([trace("en-fr-additive", text) for text in texts])
    assert twice == {"dropped": [], "repeated": [3], "copied": []}, "Le têtu de têtu …"
    assert copied == {"dropped": [], "repeated": [], "copied": [1]}, "Ma margin …"
