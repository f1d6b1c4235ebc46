"""Answers about pictures in the form of the API, with given attention, made without a model."""

from __future__ import annotations

import base64
import html
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, Route

END = "</s>"
SAMPLES = Path(__file__).parents[2] / "static" / "samples"
SIDE = 14
LONGEST_PREVIEW = 640
CAPTION: tuple[tuple[str, float, float], ...] = (
    ("a", 0.5, 0.5),
    ("woman", 0.42, 0.2),
    ("in", 0.5, 0.5),
    ("an", 0.4, 0.6),
    ("orange", 0.35, 0.62),
    ("suit", 0.3, 0.75),
    ("near", 0.7, 0.5),
    ("a", 0.8, 0.3),
    ("flag", 0.07, 0.35),
)
"""Words, and where they look: shares of the width and of the height."""


def model(identity: str, **change: Any) -> dict[str, Any]:
    """A model of the catalogue that looks at pictures."""
    return {
        "id": identity,
        "name": f"Captions, {identity}",
        "task": "caption",
        "source": {"code": "picture", "name": "Picture"},
        "target": {"code": "en", "name": "English"},
        "mechanism": "soft",
        "order": "before",
        "heads": 1,
        "layers": 1,
        "parameters": 9_000_000,
        "bytes": 18_000_000,
        "weights": "0" * 64,
        "granularity": "subwords",
        "quality": {},
        "limits": {"characters": 400, "tokens": 60, "steps": 40},
        "examples": [],
        "hints": {},
        "guided": "",
        "unguided": "",
        "summary": "soft attention · 9M parameters",
        "learned_from": "",
        "default": False,
        "loaded": True,
        **change,
    }


MODELS = [
    model(
        "caption-soft",
        name="Captions, soft attention",
        learned_from="Flickr8k and everyday photos",
    ),
    model("caption-hard", name="Captions, hard attention", mechanism="hard"),
    model(
        "caption-transformer",
        name="Captions, Transformer",
        mechanism="multihead",
        order="after",
        heads=8,
        layers=2,
    ),
    model(
        "ask",
        name="Questions",
        task="ask",
        examples=["What colour is the suit?", "Where is the flag?"],
    ),
]


def bump(x: float, y: float, width: float = 1.7, shift: float = 0) -> NDArray[np.float64]:
    """Scores that are highest at a place."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] + 0.5
    far = (columns - x * SIDE - shift) ** 2 + (rows - y * SIDE) ** 2
    scores: NDArray[np.float64] = 5 - far.ravel() / (2 * width**2)
    return np.maximum(scores, -4 + 0.5 * np.sin(np.arange(SIDE * SIDE)))


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    raised: NDArray[np.float64] = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def axis(words: Sequence[str], merge: str) -> dict[str, Any]:
    """A token for every word, and the end mark."""
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:index]) for index in range(len(words))]
    spans = [
        (word, start, start + len(word), False) for word, start in zip(words, starts, strict=True)
    ]
    spans.append((END, len(text), len(text), True))
    tokens = [
        {"id": index + 4, "text": w, "start": s, "end": e, "word": index, "special": mark}
        for index, (w, s, e, mark) in enumerate(spans)
    ]
    whole = [{"text": w, "start": s, "end": e, "special": mark} for w, s, e, mark in spans]
    return {"kind": "tokens", "text": text, "tokens": tokens, "words": whole, "merge": merge}


def vector(seed: int) -> dict[str, Any]:
    values = np.random.default_rng(seed).normal(0, 0.4, 32)
    return {"size": 512, "norm": 4.2, "summary": values.round(3).tolist()}


def preview(content: bytes) -> tuple[int, int, str]:
    """The size of a picture, and what the page shows of it."""
    image = Image.open(io.BytesIO(content)).convert("RGB")
    small = image.copy()
    small.thumbnail((LONGEST_PREVIEW, LONGEST_PREVIEW))
    held = io.BytesIO()
    small.save(held, "JPEG", quality=80)
    code = base64.b64encode(held.getvalue()).decode()
    return image.width, image.height, f"data:image/jpeg;base64,{code}"


def sample(name: str = "photographer") -> bytes:
    return (SAMPLES / f"{name}.jpg").read_bytes()


def shaped(width: int, height: int, kind: str = "PNG") -> bytes:
    """A picture of any shape: a slope of colours."""
    across = np.linspace(0, 255, width)[None, :, None] * np.array([1, 0.4, 0.2])
    down = np.linspace(0, 255, height)[:, None, None] * np.array([0, 0.4, 0.8])
    held = io.BytesIO()
    Image.fromarray((across + down).clip(0, 255).astype(np.uint8)).save(held, kind)
    return held.getvalue()


def trace(
    content: bytes | None = None,
    *,
    of: str = "caption-soft",
    words: Sequence[tuple[str, float, float]] = CAPTION,
    question: str | None = None,
    target: str | None = None,
    draws: int = 0,
    runners_up: Sequence[Sequence[tuple[str, float, float]]] = (),
) -> dict[str, Any]:
    """The trace of a picture as the API would give it."""
    asked = next(each for each in MODELS if each["id"] == of)
    width, height, address = preview(content or sample())
    hard, layered = asked["mechanism"] == "hard", asked["layers"] > 1

    def output(words: Sequence[tuple[str, float, float]]) -> dict[str, Any]:
        written = axis([word for word, _, _ in words], "mean")
        places = [*((x, y) for _, x, y in words), (0.5, 0.5)]
        maps = []
        for layer in range(asked["layers"]):
            for head in range(asked["heads"]):
                shift = (head - asked["heads"] / 2) * 0.6 if layered else 0
                scores = np.stack([bump(x, y, 1.2 + 0.3 * head, shift) for x, y in places])
                maps.append(_map("cross", layer, head, scores))
        weights = np.array(maps[0]["weights"])
        generator = np.random.default_rng(7)
        if hard and draws:
            drawn = np.stack([generator.multinomial(draws, row / row.sum()) for row in weights])
            maps.append(_map("drawn", 0, 0, None, drawn / draws))
        if question is not None:
            count = len(question.split()) + 1
            scores = np.stack([np.cos(np.arange(count) - row) * 2 for row in range(len(places))])
            maps.append(_map("cross", 0, 0, scores) | {"key": "question"})
        steps = []
        for index, token in enumerate(written["tokens"]):
            chance = 0.9 - 0.07 * (index % 7)
            others = [
                {"id": 100 + place, "text": text, "probability": round((1 - chance) / 2**place, 4)}
                for place, text in enumerate(("man", "dog", "the", "red"), 1)
            ]
            own = {"id": token["id"], "text": token["text"], "probability": chance}
            step = {
                "probability": chance,
                "surprise": -float(np.log2(chance)),
                "alternatives": [own, *others],
                "query": vector(index),
                "context": vector(100 + index),
                "state": vector(200 + index),
            }
            if not layered:
                step["gate"] = round(0.35 + 0.6 * abs(float(np.sin(index * 1.3))), 3)
            if hard:
                cell = int(generator.choice(SIDE * SIDE, p=weights[index] / weights[index].sum()))
                step["drawn"] = {
                    "cell": cell,
                    "log_probability": float(np.log(weights[index][cell])),
                }
            steps.append(step)
        return {
            "text": written["text"],
            "target": written,
            "maps": maps,
            "steps": steps,
            "log_probability": -3.2,
            "score": -0.4,
            "finish": "forced" if target is not None else "end",
        }

    search = {"kind": "greedy", "beam": 1, "seed": 0, "temperature": 1, "length_penalty": 1}
    return {
        "schema": "heed.trace/2",
        "model": {
            "id": of,
            "weights": "0" * 64,
            "mechanism": asked["mechanism"],
            "order": asked["order"],
        },
        "task": asked["task"],
        "request": {
            "text": question or "",
            "target": target,
            "search": search,
            "detail": "steps",
            **({"draws": draws} if draws else {}),
        },
        "source": {
            "kind": "grid",
            "rows": SIDE,
            "columns": SIDE,
            "left": 0,
            "top": 0,
            "width": width,
            "height": height,
        },
        "picture": {"width": width, "height": height, "format": "JPEG", "preview": address},
        **({"question": axis(question.split(), "sum")} if question is not None else {}),
        **output(words),
        "runners_up": [output(each) for each in runners_up],
        "timing": {"encode_ms": 41.0, "decode_ms": 63.0},
    }


def _map(
    kind: str,
    layer: int,
    head: int,
    scores: NDArray[np.float64] | None,
    weights: NDArray[np.float64] | None = None,
) -> dict[str, Any]:
    found = softmax(scores) if weights is None and scores is not None else weights
    assert found is not None
    logs: list[list[float | None]] = [
        [float(np.log(value)) if value > 0 else None for value in row] for row in found
    ]
    return {
        "kind": kind,
        "layer": layer,
        "head": head,
        "query": "target",
        "key": "source",
        "weights": found.round(6).tolist(),
        "scores": logs if scores is None else scores.round(4).tolist(),
    }


def fields(route: Route) -> dict[str, bytes]:
    """What the page has sent: the parts of its form."""
    body = route.request.post_data_buffer or b""
    mark = body.split(b"\r\n", 1)[0]
    found = {}
    for part in body.split(mark)[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb' name="([^"]*)"', head)
        if name:
            found[name[1].decode()] = content[:-2]
    return found


def catalogue(page: Page, models: Sequence[dict[str, Any]] = MODELS) -> None:
    """Let the page know these models and no others."""
    attribute = f'data-models="{html.escape(json.dumps(list(models)))}"'

    def with_models(route: Route) -> None:
        response = route.fetch(timeout=0)
        body = re.sub(r'data-models="[^"]*"', lambda _: attribute, response.text())
        route.fulfill(response=response, body=body)

    page.route(re.compile(r"/(picture|t/\w+|embed/\w+)(\?.*)?$"), with_models)


def answers(page: Page) -> list[dict[str, bytes]]:
    """Let the page get canned answers to whatever it asks; gives what it has asked."""
    asked: list[dict[str, bytes]] = []

    def answer(route: Route) -> None:
        sent = fields(route)
        asked.append(sent)
        target = sent["target"].decode() if "target" in sent else None
        words = [(word, 0.5, 0.5) for word in target.split()] if target is not None else CAPTION
        question = sent["question"].decode() if "question" in sent else None
        if question is not None and target is None:
            words = [("orange", 0.35, 0.62)]
        route.fulfill(
            json=trace(
                sent["image"],
                of=sent["model"].decode(),
                words=words,
                question=question,
                target=target,
                draws=int(sent.get("draws", b"0")),
            )
        )

    page.route(re.compile(r"/api/v1/(caption|ask)$"), answer)
    return asked


def events(whole: dict[str, Any], until: int | None = None) -> str:
    """The same as a stream, cut off after so many steps."""
    known = ("schema", "model", "task", "request", "source", "picture", "question")
    blocks = [("start", {name: whole[name] for name in known if name in whole})]
    for index, token in enumerate(whole["target"]["tokens"][:until]):
        tokens = whole["target"]["tokens"][: index + 1]
        text = whole["text"][: token["end"]]
        target = {
            **whole["target"],
            "text": text,
            "tokens": tokens,
            "words": whole["target"]["words"][: index + 1],
        }
        maps = [
            each
            | {
                "weights": each["weights"][index : index + 1],
                "scores": each["scores"][index : index + 1],
            }
            for each in whole["maps"]
        ]
        step = {"index": index, "since": index, "target": target, "maps": maps}
        blocks.append(("step", step | {"steps": whole["steps"][index : index + 1]}))
    if until is None:
        blocks.append(("trace", whole))
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in blocks)
