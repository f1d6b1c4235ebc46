"""Precision and recall of the rules that warn, on outputs that were labelled by reading them.

    make bench BENCH="faults --data DATA"

The inputs are the longest sentences, by words, of two sets held out from training. `faults.tsv`
lists, by the place of the word, which words of an input its output dropped, and which words of the
output are repeated or copied by mistake; an output that is not in it has none of these faults.
Dropped words were labelled in the outputs of the first model alone.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.document import DOCS, ROOT
from benchmarks.figures import Options, Report, table
from heed.models.trace import TokenAxis
from heed.traced import Trace
from heed.tracing import trace
from training.common.steering import interval

LABELS = Path(__file__).with_suffix(".tsv")
SETS = ("visitors", "words")
OF_EACH = {"en-fr-additive": 150, "en-es-additive": 100}
FAULTS = ("dropped", "repeated", "copied")
COVERED = 0.5
RULES = f"""
import {{ readFileSync }} from "node:fs";
const core = "{(ROOT / "static" / "js" / "core").as_uri()}";
const [{{ diagnosesOf }}, {{ WORDS }}, {{ coverage }}, {{ sceneOf }}, {{ DEFAULTS }}] =
  await Promise.all(["diagnoses", "language_profiles", "row_metrics", "scene", "state"].map(
    (name) => import(`${{core}}/${{name}}.js`)));
const frequent = new Set(WORDS.en.split(/\\s+/));
const placed = (words, items) =>
  items.map((item) => words.findIndex(({{ start }}) => start === item.start));
console.log(JSON.stringify(readFileSync(0, "utf8").trim().split("\\n").map((line) => {{
  const {{ trace, model }} = JSON.parse(line);
  const scene = sceneOf(trace, DEFAULTS, model);
  const {{ rows, columns, weights }} = scene.view;
  const found = new Map(diagnosesOf(scene, []).map(({{ id, cells }}) => [id, cells]));
  const at = (id) => (found.get(id) ?? []).map(({{ row }}) => rows[row]);
  return {{
    dropped: placed(trace.source.words, columns.filter(({{ text, special }}, column) =>
      !special && /^\\p{{L}}+$/u.test(text) && !frequent.has(text.toLowerCase()) &&
      coverage(weights, column) < {COVERED})),
    repeated: placed(trace.target.words, at("repeated").slice(1)),
    copied: placed(trace.target.words, at("untranslated")),
  }};
}})));
"""
"""Applies the rules to traces. Dropped words have none: it is tried here, and does not ship."""


class Score(NamedTuple):
    """The outputs with a fault, those that a rule names, and those that it names rightly."""

    faulty: int
    named: int
    right: int

    def cells(self) -> tuple[str, str]:
        """Return precision and recall, with their intervals of 95 %."""
        return _share(self.right, self.named), _share(self.right, self.faulty)


def inputs(data: Path, of_each: int) -> Iterator[str]:
    """Yield the inputs that were labelled."""
    for name in SETS:
        lines = (data / "sentences" / f"{name}.dev.tsv").read_text("utf-8").splitlines()
        sentences = [line.split("\t")[0] for line in lines]
        yield from sorted(sentences, key=lambda text: -len(text.split()))[:of_each]


def labels(model: str, traces: Sequence[Trace]) -> list[Mapping[str, set[int]]]:
    """Return the labels of each output, or raise `ValueError` if others were labelled."""
    rows = (line.split("\t") for line in LABELS.read_text("utf-8").splitlines())
    (_, digest), *lines = ([key, *faults] for name, key, *faults in rows if name == model)
    if digest != _digest("\n".join(one.text for one in traces)):
        raise ValueError(f"these are not the outputs of {model} that were labelled")
    places = {key: [set(map(int, each.split())) for each in faults] for key, *faults in lines}
    none: list[set[int]] = [set() for _ in FAULTS]
    inputs = (one.run.source for one in traces)
    digests = [_digest(axis.text) for axis in inputs if isinstance(axis, TokenAxis)]
    return [dict(zip(FAULTS, places.get(key, none), strict=True)) for key in digests]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def found(traces: Sequence[Trace]) -> list[Mapping[str, list[int]]]:
    """Return the words that the rules of the page name."""
    node = shutil.which("node", path=str(Path(sys.executable).parent)) or "node"
    lines = [
        f'{{"trace": {one.to_json().decode()}, "model": {json.dumps(one._described())}}}'
        for one in traces
    ]
    command = [node, "--input-type=module", "--eval", RULES]
    done = subprocess.run(command, input="\n".join(lines).encode(), stdout=-1, check=True)
    rules: list[Mapping[str, list[int]]] = json.loads(done.stdout)
    return rules


def scores(model: str, data: Path) -> Iterator[tuple[str, Score, Score]]:
    """Yield each fault, the score of its rule, and that of as many outputs of low probability."""
    traces = [trace(model, text) for text in inputs(data, OF_EACH[model])]
    known, named = labels(model, traces), found(traces)
    unlikely = sorted(range(len(traces)), key=lambda at: _mean_log_probability(traces[at]))
    for fault in FAULTS:
        if not any(each[fault] for each in known):
            continue
        faulty = [bool(each[fault]) for each in known]
        flagged = [at for at, each in enumerate(named) if each[fault]]
        right = sum(not known[at][fault].isdisjoint(named[at][fault]) for at in flagged)
        lowest = sum(faulty[at] for at in unlikely[: len(flagged)])
        rule, least_likely = (Score(sum(faulty), len(flagged), hits) for hits in (right, lowest))
        yield fault, rule, least_likely


def _mean_log_probability(one: Trace) -> float:
    steps = one.run.output.steps
    return sum(step.log_probability for step in steps) / len(steps)


def _share(part: int, whole: int) -> str:
    """Return a share in percent, with its interval of 95 %."""
    if not whole:
        return "–"
    low, high = interval(part, whole)
    return f"{100 * part / whole:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def measure(options: Options) -> Report:
    """Measure the rules."""
    head = ["fault", "outputs with it", "named", "precision", "recall"]
    head += [f"{name} of the least likely outputs" for name in head[3:]]
    rows = [
        (f"{fault}, `{model}`", str(rule.faulty), str(rule.named), *rule.cells(), *lowest.cells())
        for model in OF_EACH
        for fault, rule, lowest in scores(model, options.corpora)
    ]
    return Report({"faults": table(head, rows)}, document=DOCS / "views.md")
