"""The summary of a model in one line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heed.output.model import model_summary
from tests.app.pages.test_example import card


def summary(**change: Any) -> str:
    """The summary of a model with a change, with plain spaces."""
    usual = {"heads": 1, "layers": 1, "parameters": 242_323, "guided": "", "quality": {}}
    return model_summary(replace(card(), **{**usual, **change})).replace("\u00a0", " ")


def test_a_model_is_described_in_one_line() -> None:
    assert summary(mechanism="additive") == "additive attention · 240K parameters"
    assert summary(mechanism="none").startswith("no attention · ")
    several = summary(mechanism="scaled_dot", heads=8, layers=6)
    assert several.startswith("scaled dot attention · 8 heads · 6 layers · ")


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (950, "950"),
        (1_873_400, "1.9M"),
        (999_999, "1M"),
        (5_569_344, "5.6M"),
        (60_000_000, "60M"),
        (7_000_000_000, "7B"),
    ],
)
def test_parameters_are_shown_in_two_digits(count: int, shown: str) -> None:
    assert summary(parameters=count).endswith(f" · {shown} parameters")


def test_supervised_attention_is_named_before_its_quality() -> None:
    quality = {"alignment_agreement": 0.9, "tatoeba_bleu": 40.0}
    assert summary(guided="guided by alignments", quality=quality).endswith(
        " · guided by alignments · looks at the right word 90.0 % of the time"
        " · BLEU 40.0 on everyday sentences"
    )


def test_measured_quality_is_shown_as_a_share_or_as_a_score() -> None:
    quality = {"alignment_agreement": 0.97, "exact_match": 0.9998, "multi30k_bleu": 50.0}
    known = quality | {"tatoeba_bleu": 31.42, "multi30k_test_bleu": 58.0}
    assert summary(quality=known).endswith(
        " · 100 % correct · looks at the right word 97.0 % of the time"
        " · BLEU 58.0 on captions · BLEU 31.4 on everyday sentences"
    )
    others = {"my_dev_bleu": 12.0, "other_bleu": 3.0, "third_bleu": 4.0}
    assert summary(quality=others).endswith(" · BLEU 12.0 on my dev · BLEU 3.0 on other")
