"""Figures of a shipped model that reads stories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.families.memory.pipeline import StoryPipeline, StoryRequest
from training.stories.examples import Example
from training.stories.quality import Answered, evaluate_stories

BASELINES = ("supporting", "each_fact", "uniform_hops", "newest", "commonest_answer")


def evaluate_story_model(pipeline: StoryPipeline, count: int) -> dict[str, float]:
    """Measure a model on held-out stories, through the pipeline that serves it."""

    def answer(tested: Sequence[Example]) -> list[Answered]:
        requests = [
            StoryRequest("\n".join(example.sentences), example.question) for example in tested
        ]
        traces = pipeline.run(requests)
        return [Answered(trace.text, trace.output.maps[0].weights) for trace in traces]

    by_kind = evaluate_stories(answer, count)
    known = {kind: figures for kind, figures in by_kind.items() if kind != "unanswerable"}
    quality = {"stories": float(sum(figures["stories"] for figures in by_kind.values()))}
    for kind, figures in by_kind.items():
        quality[f"right_{kind.replace('-', '_')}"] = figures["right"]
    quality["doubts"] = float(np.mean([figures["cannot_know"] for figures in known.values()]))
    for name in BASELINES:
        quality[name] = float(np.mean([figures[name] for figures in known.values()]))
    return {name: round(value, 4) for name, value in quality.items()}
