"""The tasks of whose runs a score can be taken apart."""

from __future__ import annotations

from typing import Final

from heed.app.schemas import CaptionIn, CaptionScoreIn, ScoreIn, TranslateIn, TranslateScoreIn
from heed.app.tasks.derived import Derived
from heed.app.tasks.pictures import CAPTION
from heed.app.tasks.translate import TRANSLATE

SCORES: Final[tuple[Derived[ScoreIn], ...]] = (
    Derived(
        "score",
        TRANSLATE,
        TranslateScoreIn,
        TranslateIn,
        {
            "a Transformer": {
                "text": "The dog sleeps.",
                "model": "en-fr-transformer",
                "layer": 1,
                "head": 0,
                "row": 1,
                "column": 1,
            },
            "a recurrent network": {"text": "The dog sleeps.", "row": 1, "column": 1},
        },
    ),
    Derived("score", CAPTION, CaptionScoreIn, CaptionIn, {}),
)
