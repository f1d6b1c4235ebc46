"""A kind of model with its page, added to a copy of Heed as docs/architecture.md says.

Its words attend to words that share letters with them. `FILES` are new, `ENTRIES` are what the
lists get.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

ROOT = Path(__file__).parents[2]

CONFIG = '''\
"""The configuration of a network of shared letters."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

from heed.models.config import NetworkConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterConfig(NetworkConfig):
    """Shape of a network of shared letters, which has no weights."""

    vocabulary: int = 26
    family: Literal["letters"] = "letters"
    mechanism: Literal["dot"] = "dot"
    mechanisms: ClassVar[Collection[str]] = ("dot",)
    task: ClassVar[str | None] = "letters"
    order: Literal["before"] = "before"
'''
FAMILY = '''\
"""Networks of shared letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heed.models.families.family import Family, Stored
from heed.models.families.letters.config import LetterConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _load(stored: Stored) -> AnyPipeline:
    from heed.models.families.letters.pipeline import LetterPipeline

    return LetterPipeline(stored.card)


FAMILY: Final = Family(LetterConfig, _load, on_numpy=True)
'''
PIPELINE = '''\
"""Words that attend to words with the same letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heed.models.card import Card
from heed.models.generation.computed_batch import ComputedPipeline, ComputedRequest
from heed.models.generation.requests import Request, TextRequest
from heed.models.text.words import split_words
from heed.models.trace import (
    AttentionMap,
    Floats,
    Output,
    Token,
    TokenAxis,
    TraceHeader,
    TraceRequest,
    TraceStep,
)


class SharedLetters(NamedTuple):
    counts: Floats

    @property
    def log_probabilities(self) -> Floats:
        return np.zeros(len(self.counts), np.float32)


class LetterPipeline(ComputedPipeline[ComputedRequest, SharedLetters]):
    def __init__(self, card: Card) -> None:
        self.card = card

    def prepare(self, request: Request) -> ComputedRequest:
        assert isinstance(request, TextRequest)
        words = split_words(request.text)
        tokens = (Token(0, it.text, it.start, it.end, at) for at, it in enumerate(words))
        axis = TokenAxis(request.text, tuple(tokens), tuple(words), "mean")
        header = TraceHeader(self._stamp(), self.card.task, TraceRequest(request.text), axis)
        return ComputedRequest(header, None)

    def answer(self, prepared: Sequence[ComputedRequest]) -> list[SharedLetters]:
        return [_shared(item.opening.source) for item in prepared]

    def output(self, prepared: ComputedRequest, computed: SharedLetters, steps: int, /) -> Output:
        axis, (counts,) = prepared.opening.source, computed
        end = axis.words[steps - 1].end
        target = TokenAxis(axis.text[:end], axis.tokens[:steps], axis.words[:steps], "mean")
        weights = (counts / counts.sum(axis=1, keepdims=True))[:steps]
        step = TraceStep(0.0, (), *np.zeros((3, 1), np.float32))
        shown = AttentionMap("cross", 0, 0, "target", "source", weights, counts[:steps])
        return Output(target, (shown,), (step,) * steps, 0.0, 0.0, "end")


def _shared(axis: TokenAxis) -> SharedLetters:
    letters = [Counter(word.text.lower()) for word in axis.words]
    counts = [[(one & other).total() for other in letters] for one in letters]
    return SharedLetters(np.asarray(counts, np.float32) + np.eye(len(counts), dtype=np.float32))
'''
TASK = '''\
"""Words that share letters."""

from __future__ import annotations

from typing import Final

from heed.app.schemas import ReadIn
from heed.app.tasks.checks import check_text
from heed.app.tasks.task import TEXT, Command, GalleryCard, Operation, Page, Query, Task
from heed.models.card import Card
from heed.models.generation.requests import TextRequest


def letter_request(request: ReadIn, _card: Card) -> TextRequest:
    return TextRequest(check_text(request.text, "text"))


LETTERS: Final = Task(
    id="letters",
    does="finds shared letters",
    schema=ReadIn,
    prepared=letter_request,
    operation=Operation("Find shared letters", "Find them.", "sentences", TEXT),
    command=Command("find shared letters", "Find them.", {"text": "the words"}, None),
    page=Page(
        "letters",
        "js/views/map/view.js",
        GalleryCard("Words share letters", "Each attends to those like it.", "Nobody 2001"),
        shows=lambda trace: trace.task == "letters",
    ),
    query=Query(("text",)),
)
'''
KIND = """\
/** Words that attend to words with the same letters. Pure. */

/** @import {TextSteps} from "../../core/kinds/tokens.js" */
/** @import {ModelKind, Scene} from "../../core/types" */

import { tokens } from "../../core/kinds/tokens.js";
import { mapArrays } from "../../core/map_scene.js";
import { sceneOf } from "../../core/scene.js";
import { attending } from "../../core/sentences.js";
import { DEFAULTS } from "../../core/state.js";
import { named } from "../../core/text.js";

/** @type {ModelKind<"letters"> & TextSteps} */
export const letters = {
  ...tokens,
  name: "letters",
  sceneOf: (trace, settings, model) =>
    sceneOf(trace, { ...DEFAULTS, ...settings, step: settings.step ?? 0 }, model, letters),
  arrays: mapArrays,
  lines: () => ({ row: "Word", column: "Word with its letters" }),
  sentence,
  mapNote: () => "Each row is a word: the share of its letters in each word.",
};

/** @param {Scene} scene @param {number} row */
function sentence({ view }, row) {
  const shared = attending(view.weights?.[row] ?? [], view.columns, ["sharing", "with"]);
  return `${named(view.rows[row])}${shared}.`;
}
"""
TYPES = """\
import type { MapSettings, Scene, Trace } from "../../core/types";

declare module "../../core/types" {
  interface Axes {
    /** Words that share letters. */
    letters: {
      trace: Trace;
      settings: MapSettings & { text: string | null; step: number | null };
      ofViews: "rows" | "columns";
      scene: Scene;
    };
  }
}
"""
PAGE = """\
/** The description of the page of shared letters. Pure. */

import { modelPage } from "../../core/model_page.js";
import { letters as kind } from "./kind.js";

export const letters = modelPage({
  id: "letters",
  kind,
  inputs: ["text"],
  inputsOf: ({ request }) => ({ text: request.text }),
  title: ({ source }) => source.text,
  leave: { saved: "Enter other words", imported: "Enter other words" },
});
"""
PARTS = """\
/** The parts of the page of shared letters beside its views. */

/** @import {OwnParts} from "../../shell/types" */

import { noteOf } from "../../core/view_notes.js";
import { DataTable } from "../../shell/data_table.js";
import { ScaleChoice } from "../../shell/scale_choice.js";

/** @type {OwnParts<"letters">} */
export const parts = {
  note: (scene) => noteOf("letters", scene),
  terms: {},
  of: (wiring) => [new DataTable(wiring), new ScaleChoice(wiring)],
};
"""
APP = """\
/** Starts the page of shared letters. */

import { startModelPage } from "../../shell/model_page.js";
import { letters } from "./page.js";
import { parts } from "./parts.js";

startModelPage(letters, parts, {
  read: async (bytes) => (await import("../../import/trace_file.js")).imported(bytes),
});
"""
STANDALONE = """\
/** Starts a standalone file of the page of shared letters. */

import { exportsOf } from "../../shell/model_exports.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { letters } from "./page.js";
import { parts } from "./parts.js";

startStandalone(letters, parts, exportsOf(letters));
"""
TEMPLATE = """\
{% extends "model_page.html" %}
{% import "parts.html" as parts %}
{% set page = "letters" %}
{% set heading = "Words that share letters" %}
{% set empty = "No model of shared letters is installed on this server." %}
{% set noscript = {"below": "the words.", "press": "Press Find.", "more": "step through them"} %}
{% set traced = {"text": preloaded.trace.request.text} if saved and preloaded %}
{% set language = "" %}
{% set first_view = "map" %}
{% set axes = {"columns": "word with its letters", "rows": "word"} %}
{% set saved_here = "text" %}
{% block title %}Letters · Heed{% endblock %}
{% block page_style %}{% endblock %}
{% block form %}
  <label for="text">Words</label>
  <textarea id="text" name="text" rows="1">{{ form.text | default(example) }}</textarea>
  <button type="submit" class="primary">Find</button>
  <p class="error" id="text-error" role="alert" hidden></p>
{{ parts.refused_form(error) }}
{{ parts.fold_button(model.name if model else "") }}
  <div id="fold" class="fold">
    <div id="examples"><div id="examples-list" class="chips"></div></div>
{{ parts.model_options(installed, model) }}
  </div>
  {{ parts.form_error("") }}
{% endblock %}
{% block result %}
{% if preloaded and preloaded.table %}{% include "table.html" %}{% endif %}
{% endblock %}
{% block map_tools %}{{ parts.map_scale(preloaded, "whole map", "each row") }}{% endblock %}
"""
FILES = {
    "models/families/letters/__init__.py": FAMILY,
    "models/families/letters/config.py": CONFIG,
    "models/families/letters/pipeline.py": PIPELINE,
    "app/tasks/letters.py": TASK,
    "static/js/pages/letters/kind.js": KIND,
    "static/js/pages/letters/page.js": PAGE,
    "static/js/pages/letters/parts.js": PARTS,
    "static/js/pages/letters/app.js": APP,
    "static/js/pages/letters/standalone_app.js": STANDALONE,
    "static/js/pages/letters/types.d.ts": TYPES,
    "templates/letters.html": TEMPLATE,
}
ENTRIES = (
    (
        "app/tasks/__init__.py",
        "from heed.app.tasks.pictures import",
        "from heed.app.tasks.letters import LETTERS\n",
    ),
    ("app/tasks/__init__.py", ")\n\n\ndef task_of", "    LETTERS,\n"),
    ("static/js/core/views.js", '"reading"],\n    settings: {', '"letters", '),
)
"""A file, what stands in it, and what is put before that."""


def copy_with_letters(folder: Path) -> None:
    """Copy Heed with this kind of model, and no other models, into a folder."""
    package = folder / "heed"
    ignored = shutil.ignore_patterns("weights", "__pycache__")
    shutil.copytree(ROOT / "heed", package, ignore=ignored)
    for path, text in FILES.items():
        (package / path).parent.mkdir(exist_ok=True)
        (package / path).write_text(text, "utf-8")
    for path, place, text in ENTRIES:
        before, found, after = (package / path).read_text("utf-8").partition(place)
        assert found, f"{path} has no {place!r}"
        (package / path).write_text(before + text + found + after, "utf-8")
    _write_model(package / "models" / "weights" / "letters")


def _write_model(folder: Path) -> None:
    folder.mkdir(parents=True)
    language = {"code": "en", "name": "English"}
    card = {
        "format": "heed.checkpoint/1",
        "id": "letters",
        "name": "Letters",
        "task": "letters",
        "source": language,
        "target": language,
        "granularity": "subwords",
        "parameters": 1,
        "limits": {"characters": 200, "tokens": 20, "steps": 20},
        "examples": ["tea eat team other"],
        "network": {"family": "letters"},
    }
    (folder / "config.json").write_text(json.dumps(card), "utf-8")
    save_file({"none": np.zeros(1, np.float16)}, folder / "model.safetensors")
