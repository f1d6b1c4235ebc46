"""Draw `docs/images/architecture.svg` from the imports of the code: `make architecture`.

Each box is a package or module, each arrow an import between two of them. An arrow that follows
from others (a → b → c makes a → c superfluous) is left out. Rows, order and curves are computed.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "images" / "architecture.svg"
WIDTH, HEIGHT, GAP, RISE, MARGIN, HEAD = 194, 48, 22, 40, 24, 62
LANE = 30  # width that a long arrow takes in a row it passes

CAPTIONS = {
    "heed.app": "the server and the command line",
    "heed.app.cli": "commands and their options",
    "heed.app.commands": "one file for each command",
    "heed.app.container": "builds the services once",
    "heed.app.errors": "error tree, stable codes",
    "heed.app.http": "bodies, uploads, responses",
    "heed.app.inference": "queue, batches, cache",
    "heed.app.main": "puts the application together",
    "heed.app.middleware": "admission, headers, gzip, log",
    "heed.app.observability": "Prometheus metrics",
    "heed.app.shared": "the server that several share",
    "heed.app.openapi": "examples, TypeScript types",
    "heed.app.pages": "HTML pages and static files",
    "heed.app.routes": "one file for each resource",
    "heed.app.schemas": "the wire contract",
    "heed.app.server": "sockets and deadlines",
    "heed.app.settings": "the HEED_… variables",
    "heed.app.tasks": "what models can be asked",
    "heed.app.traces": "JSON, NPZ, saved, imported",
    "heed.models": "networks, runtimes and the trace",
    "heed.models.card": "what a model says of itself",
    "heed.models.card_parser": "config.json to card",
    "heed.models.catalogue": "the models that ship",
    "heed.models.checkpoint": "weights on disk",
    "heed.models.packages": "models of other packages",
    "heed.models.config": "config.json",
    "heed.models.edits": "what a row may become",
    "heed.models.errors": "bad input, bad weights",
    "heed.models.generation": "search, one step at a time",
    "heed.models.align": "links of words",
    "heed.models.audit": "what a map is worth",
    "heed.models.scores": "scores taken apart",
    "heed.models.heads": "ranked by what they do",
    "heed.models.hf_card": "a Hugging Face folder to card",
    "heed.models.hf_pipeline": "runs Hugging Face models",
    "heed.models.free_ram": "for another model",
    "heed.models.pictures": "safe decoding of pictures",
    "heed.models.sounds": "files of samples",
    "heed.models.mechanisms": "names and formulas of scores",
    "heed.models.rollout": "attention through all layers",
    "heed.models.cores": "how many a model may use",
    "heed.models.networks": "attention, encoder, decoder",
    "heed.models.recording": "attention of any model",
    "heed.models.graphs": "graphs as text, layout",
    "heed.models.families": "one folder for each",
    "heed.models.registry": "networks that write tokens",
    "heed.models.runtime": "PyTorch, ONNX, C kernels",
    "heed.models.text": "tokenizers, rare words",
    "heed.models.trace": "axes, maps, steps",
    "heed.output": "what is written of a trace",
    "heed.output.audit": "an audit as JSON",
    "heed.output.audit_figures": "its figures on demand",
    "heed.output.colours": "the scale of the maps",
    "heed.output.encoding": "JSON as bytes",
    "heed.output.map_figure": "a map as SVG",
    "heed.output.model": "a model as JSON",
    "heed.output.npz": "a trace as arrays",
    "heed.output.page": "a page in one HTML file",
    "heed.output.photo": "weights over a photo",
    "heed.output.photo_figure": "a photo as SVG",
    "heed.output.serialize": "a trace as JSON",
    "heed.output.word_figure": "a photo for each word",
    "static/js": "the page",
    "static/js/core": "API, state, trace, scene",
    "static/js/draw": "elements, SVG, colours",
    "static/js/export": "PNG, GIF, HTML, tables",
    "static/js/import": "attention from elsewhere",
    "static/js/main": "the script of the docs",
    "static/js/notebook": "the widget of a notebook",
    "static/js/pages": "one folder for each page",
    "static/js/shell": "form, panels, player",
    "static/js/views": "one folder for each view",
    "training": "how the models are made",
    "training.caption": "captioning models",
    "training.common": "loop, checkpoints, losses",
    "training.dates": "dates and numbers",
    "training.graphs": "graph attention, its graphs",
    "training.glimpses": "glimpses at drawn digits",
    "training.main": "make train, make evaluate",
    "training.reading": "sentences, word by word",
    "training.recipes": "one TOML file a model",
    "training.vision": "a Vision Transformer",
    "training.stories": "a memory network, its stories",
    "training.text": "translators and their data",
    "training.vqa": "questions about pictures",
}
WAY = (
    "heed.app.server",
    "heed.app.middleware",
    "heed.app.routes",
    "heed.app.inference",
    "heed.models.generation",
    "heed.models.runtime",
    "heed.models.trace",
    "heed.app.traces",
    "static/js/views",
)
"""Stations of a sentence on its way from the request to the heatmap."""

SCRIPTS = ("main notebook pages", "shell", "export", "views", "draw import", "core")
"""Layers of the page's scripts, the highest first; those of Python stand in pyproject.toml."""
IMPORT = re.compile(r'(?:^import\b[^"\n(]*|\bimport\()"(\.[^"]+\.js)"(?!\)\.)', re.M)

STYLE = """\
svg { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; --page: #fff; --panel: #f5f6f8;
  --box: #fff; --edge: #c9ced6; --ink: #1d2530; --soft: #5d6775; --line: #8b95a5; --way: #0b66c3; }
@media (prefers-color-scheme: dark) { svg { --page: #0d1117; --panel: #161b22; --box: #21262d;
  --edge: #3d444d; --ink: #e6edf3; --soft: #9aa4b0; --line: #768390; --way: #58a6ff; } }
.page { fill: var(--page) } .panel { fill: var(--panel) }
.box { fill: var(--box); stroke: var(--edge) } .way .box { stroke: var(--way); stroke-width: 2 }
text { fill: var(--soft) } .title { font-size: 19px; font-weight: 650; fill: var(--ink) }
.name { font-size: 14px; font-weight: 600; fill: var(--ink) }
.arrow { fill: none; stroke: var(--line); stroke-width: 1.3; marker-end: url(#tip) }
.back { stroke: #d1242f; stroke-dasharray: 4 3 } #tip path { fill: var(--line) }
.broad { fill: none; stroke: var(--way); stroke-width: 3; marker-end: url(#broad) }
.wire { stroke-dasharray: 7 5 } #broad path, .number { fill: var(--way) }
.number text { fill: var(--page); font-weight: 700; text-anchor: middle }
"""
MARKERS = "".join(
    f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="{size}" '
    f'markerHeight="{size}" markerUnits="userSpaceOnUse" orient="auto">'
    '<path d="M0 0 8 4 0 8z"/></marker>'
    for name, size in (("tip", 8), ("broad", 15))
)

Edge = tuple[str, str]


# --- imports ------------------------------------------------------------------------------------


def python_imports(root: str, *, modules: bool) -> tuple[set[str], set[Edge]]:
    """Return what stands directly within a package, and the imports between those.

    Without `modules` the files beside the packages are one box.
    """
    graph = grimp.build_graph(root.partition(".")[0], cache_dir=None)
    packages = {child for child in graph.find_children(root) if graph.find_children(child)}

    def box(module: str) -> str:
        child = ".".join(module.split(".")[: root.count(".") + 2])
        return child if modules or child in packages else f"{root}.main"

    names = {name for name in graph.find_descendants(root) if not name.endswith("__main__")}
    edges = {
        (box(name), box(other))
        for name in names
        for other in graph.find_modules_directly_imported_by(name) & names
    }
    return {box(name) for name in names}, {(a, b) for a, b in edges if a != b}


def script_imports() -> tuple[set[str], set[Edge]]:
    """Return the folders of the page's scripts and the imports between them."""
    top = ROOT / "static" / "js"

    def box(path: Path) -> str:
        first, *rest = path.relative_to(top).parts
        return f"static/js/{first if rest else 'main'}"

    names, edges = set(), set()
    for path in sorted(top.rglob("*.js")):
        names.add(box(path))
        for target in IMPORT.findall(path.read_text("utf-8")):
            edges.add((box(path), box((path.parent / target).resolve())))
    return names, {(a, b) for a, b in edges if a != b}


def crossing(importer: str, imported: str) -> list[str]:
    """Return the packages of one panel that another imports."""
    graph = grimp.build_graph("heed", "training", cache_dir=None)
    depth = imported.count(".") + 2
    arrows = {
        ".".join(target.split(".")[:depth])
        for name in graph.find_descendants(importer)
        for target in graph.find_modules_directly_imported_by(name)
        if target.startswith(f"{imported}.")
    }
    return sorted(module.rpartition(".")[2] for module in arrows)


def layers(root: str) -> dict[str, int]:
    """Return the layer of each box, the highest first."""
    if root == "static/js":
        return {
            f"{root}/{name}": row for row, names in enumerate(SCRIPTS) for name in names.split()
        }
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    for contract in linter["contracts"]:
        if contract.get("containers") == [root]:
            rows = [re.findall(r"\w+", layer) for layer in contract["layers"]]
            return {f"{root}.{name}": row for row, names in enumerate(rows) for name in names}
    return {}


def split_circles(
    names: Iterable[str], imports: set[Edge], layer: dict[str, int]
) -> tuple[set[Edge], set[Edge]]:
    """Return the imports that run downwards, and those that run upwards or close a circle."""
    back = {(a, b) for a, b in imports if layer.get(a, 0) > layer.get(b, len(layer))}
    edges = imports - back
    forward = set(edges)
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        for other in sorted(b for a, b in edges if a == name):
            if other in above:
                forward.discard((name, other))
                back.add((name, other))
            elif other not in done:
                visit(other, (*above, other))
        done.add(name)

    for name in sorted(names):
        if name not in done:
            visit(name, (name,))
    return forward, back


def reduced(edges: set[Edge]) -> set[Edge]:
    """Return the imports that do not follow from others."""
    after = defaultdict(set)
    for a, b in edges:
        after[a].add(b)

    def reaches(a: str, b: str) -> bool:
        return b in after[a] or any(reaches(between, b) for between in after[a])

    return {
        (a, b)
        for a, b in edges
        if not any(reaches(between, b) for between in after[a] if between != b)
    }


# --- layout -------------------------------------------------------------------------------------


@dataclass
class Panel:
    """One drawing of layered boxes, placed by `move`."""

    name: str
    nodes: set[str]
    edges: set[Edge]
    back: set[Edge]
    rows: list[list[str]] = field(default_factory=list)
    x: dict[str, float] = field(default_factory=dict)
    y: dict[str, float] = field(default_factory=dict)
    chains: dict[Edge, list[str]] = field(default_factory=dict)
    left: float = 0
    top: float = 0
    width: float = 0
    height: float = 0

    def stretch(self, width: float) -> None:
        """Widen it; what it holds stays in the middle."""
        self.x = {node: place + (width - self.width) / 2 for node, place in self.x.items()}
        self.width = width

    def move(self, left: float, top: float) -> None:
        """Place its upper left corner."""
        self.left, self.top = left, top


def panel(name: str, names: set[str], imports: set[Edge]) -> Panel:
    """Lay out one panel: rows, order within the rows, places."""
    forward, back = split_circles(names, imports, layers(name))
    it = Panel(name, names, reduced(forward), back)
    rank = _ranks(names, it.edges)
    it.rows = [[] for _ in range(max(rank.values()) + 1)]
    for node in sorted(names):
        it.rows[rank[node]].append(node)
    links = _with_lanes(it, rank)
    _order(it.rows, links)
    _place(it, links)
    return it


def _ranks(names: set[str], edges: set[Edge]) -> dict[str, int]:
    """Return the row of each box: as low as possible, the lowest last."""
    height: dict[str, int] = {}

    def of(name: str) -> int:
        if name not in height:
            height[name] = max((of(b) + 1 for a, b in edges if a == name), default=0)
        return height[name]

    top = max(map(of, sorted(names)))
    return {name: top - height[name] for name in names}


def _with_lanes(it: Panel, rank: dict[str, int]) -> list[Edge]:
    """Give arrows that pass rows a lane in each of them; return the links between rows."""
    links = []
    for a, b in sorted(it.edges):
        lanes = [f"{a}>{b}>{row}" for row in range(rank[a] + 1, rank[b])]
        for lane, row in zip(lanes, range(rank[a] + 1, rank[b]), strict=True):
            it.rows[row].append(lane)
        it.chains[a, b] = [a, *lanes, b]
        links += list(zip([a, *lanes], [*lanes, b], strict=True))
    return links


def _order(rows: list[list[str]], links: list[Edge]) -> None:
    """Order each row by the middle of its neighbours, so that few arrows cross."""
    near = defaultdict(list)
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    for sweep in range(24):
        down = sweep % 2 == 0
        for index in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            fixed = rows[index - 1 if down else index + 1]
            place = {node: k / max(len(fixed) - 1, 1) for k, node in enumerate(fixed)}
            row = rows[index]
            middle = {}
            for k, node in enumerate(row):
                seen = [place[other] for other in near[node] if other in place]
                middle[node] = sum(seen) / len(seen) if seen else k / max(len(row) - 1, 1)
            row.sort(key=lambda node: middle[node])


def _place(it: Panel, links: list[Edge]) -> None:
    near = defaultdict(list)
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    size = {node: LANE if ">" in node else WIDTH + GAP for row in it.rows for node in row}
    for row in it.rows:
        start = -sum(size[node] for node in row) / 2
        for node in row:
            it.x[node] = start + size[node] / 2
            start += size[node]
    for sweep in range(300):
        for row in it.rows if sweep % 2 else it.rows[::-1]:
            middle = sum(it.x[node] for node in row) / len(row)
            wanted = [_pulled(n, near[n], it.x) if near[n] else middle for n in row]
            for node, place in zip(row, _apart(wanted, [size[n] for n in row]), strict=True):
                it.x[node] = place
    low = min(it.x[node] - size[node] / 2 for row in it.rows for node in row)
    high = max(it.x[node] + size[node] / 2 for row in it.rows for node in row)
    it.x = {node: place - low + MARGIN - GAP / 2 for node, place in it.x.items()}
    for index, row in enumerate(it.rows):
        it.y |= dict.fromkeys(row, HEAD + index * (HEIGHT + RISE))
    it.width = high - low - GAP + 2 * MARGIN
    it.height = HEAD + len(it.rows) * (HEIGHT + RISE) - RISE + MARGIN


def _pulled(node: str, near: list[str], x: dict[str, float]) -> float:
    """Return the mean place of the neighbours; lanes pull lanes hardest, to run straight."""
    pull = [(16 if ">" in node and ">" in other else 1) for other in near]
    return sum(w * x[other] for w, other in zip(pull, near, strict=True)) / sum(pull)


def _apart(wanted: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Return the places nearest to the wanted ones at which nothing overlaps (least squares)."""
    offsets = [sum(sizes[:k]) + sizes[k] / 2 for k in range(len(sizes))]
    blocks: list[tuple[float, int]] = []
    for place, offset in zip(wanted, offsets, strict=True):
        blocks.append((place - offset, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [((a * m + b * n) / (m + n), m + n)]
    free = [mean for mean, count in blocks for _ in range(count)]
    return [place + offset for place, offset in zip(free, offsets, strict=True)]


# --- drawing ------------------------------------------------------------------------------------


def _ports(it: Panel) -> tuple[dict[Edge, float], dict[Edge, float]]:
    """Return where each arrow leaves and enters its boxes: side by side, in order."""
    leave, enter = {}, {}
    for node in it.nodes:
        out = sorted((e for e in it.edges if e[0] == node), key=lambda e: it.x[it.chains[e][1]])
        into = sorted((e for e in it.edges if e[1] == node), key=lambda e: it.x[it.chains[e][-2]])
        for edges, ends in ((out, leave), (into, enter)):
            step = min(26.0, (WIDTH - 40) / max(len(edges), 1))
            for k, edge in enumerate(edges):
                ends[edge] = it.x[node] + (k - (len(edges) - 1) / 2) * step
    return leave, enter


def _arrows(it: Panel) -> list[str]:
    leave, enter = _ports(it)
    paths = []
    for edge in sorted(it.edges):
        a, *lanes, b = it.chains[edge]
        x, y = leave[edge], it.y[a] + HEIGHT
        path = f"M{x:.0f} {y:.0f}"
        for lane in lanes:
            path += _curve(x, y, it.x[lane], it.y[lane]) + f"V{it.y[lane] + HEIGHT:.0f}"
            x, y = it.x[lane], it.y[lane] + HEIGHT
        paths.append(f'<path class="arrow" d="{path}{_curve(x, y, enter[edge], it.y[b] - 1)}"/>')
    for a, b in sorted(it.back):
        path = f"M{it.x[a]:.0f} {it.y[a]:.0f}L{it.x[b]:.0f} {it.y[b] + HEIGHT:.0f}"
        paths.append(f'<path class="arrow back" d="{path}"/>')
    return paths


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    middle = (y + to_y) / 2
    return f"C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}"


def _box(it: Panel, node: str) -> str:
    x, y = it.x[node] - WIDTH / 2, it.y[node]
    name = re.split(r"[./]", node)[-1]
    number = WAY.index(node) + 1 if node in WAY else 0
    kind = ' class="way"' if number else ""
    text = (
        f'<g{kind} transform="translate({x:.0f} {y:.0f})">'
        f'<rect class="box" width="{WIDTH}" height="{HEIGHT}" rx="7"/>'
        f'<text class="name" x="12" y="20">{escape(name)}</text>'
        f'<text x="12" y="37">{escape(CAPTIONS.get(node, ""))}</text>'
    )
    if number:
        text += f'<g class="number"><circle r="10"/><text y="4">{number}</text></g>'
    return f"{text}</g>"


def _drawn(it: Panel) -> str:
    boxes = [_box(it, node) for node in sorted(it.nodes)]
    return "\n".join(
        [
            f'<g transform="translate({it.left:.0f} {it.top:.0f})">',
            f'<rect class="panel" width="{it.width:.0f}" height="{it.height:.0f}" rx="14"/>',
            f'<text class="title" x="{MARGIN}" y="32">{escape(it.name)}</text>',
            f'<text x="{MARGIN}" y="50">{escape(CAPTIONS[it.name])}</text>',
            *_arrows(it),
            *boxes,
            "</g>",
        ]
    )


def svg() -> str:
    """Return the whole drawing."""
    page = panel("static/js", *script_imports())
    training = panel("training", *python_imports("training", modules=False))
    app = panel("heed.app", *python_imports("heed.app", modules=True))
    models = panel("heed.models", *python_imports("heed.models", modules=True))
    output = panel("heed.output", *python_imports("heed.output", modules=True))
    between = 56
    page.height = training.height = max(page.height, training.height)
    left = max(page.width, app.width)
    right = max(training.width, models.width, output.width)
    for upper, lower, x, width in (
        (page, app, 0.0, left),
        (training, models, left + between, right),
    ):
        upper.stretch(width)
        lower.stretch(width)
        upper.move(x, 0)
        lower.move(x, upper.height + between)
    output.stretch(right)
    output.move(left + between, models.top + models.height + between)
    app.height = max(app.height, output.top + output.height - app.top)
    width, height = left + between + right, app.top + app.height
    used = ", ".join(crossing("heed.app", "heed.models"))
    title = f"Packages of Heed and their imports. The application uses {used} of the models."
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
            f'viewBox="-14 -14 {width + 28:.0f} {height + 28:.0f}">',
            f"<style>\n{STYLE}</style>",
            f"<defs>{MARKERS}</defs>",
            f'<rect class="page" x="-14" y="-14" width="{width + 28:.0f}" '
            f'height="{height + 28:.0f}"/>',
            *map(_drawn, (page, training, app, models, output)),
            *_down(page, app, "broad wire", "HTTP: heed.trace/2"),
            *_down(training, models, "broad", "imports"),
            *_across(app, models, "imports"),
            *_across(app, output, "imports"),
            *_up(output, models, "imports"),
            "</svg>\n",
        ]
    )


def _down(upper: Panel, lower: Panel, kind: str, label: str) -> list[str]:
    """Draw a broad arrow from one panel to the one below."""
    x, bottom = upper.left + upper.width / 2, upper.top + upper.height
    return [
        f'<path class="{kind}" d="M{x:.0f} {bottom:.0f}V{lower.top - 2:.0f}"/>',
        f'<text x="{x + 16:.0f}" y="{(bottom + lower.top) / 2 + 4:.0f}">{escape(label)}</text>',
    ]


def _up(lower: Panel, upper: Panel, label: str) -> list[str]:
    """Draw a broad arrow from one panel to the one above."""
    x, bottom = upper.left + upper.width / 2, upper.top + upper.height
    return [
        f'<path class="broad" d="M{x:.0f} {lower.top:.0f}V{bottom + 2:.0f}"/>',
        f'<text x="{x + 16:.0f}" y="{(bottom + lower.top) / 2 + 4:.0f}">{escape(label)}</text>',
    ]


def _across(left: Panel, right: Panel, label: str) -> list[str]:
    """Draw a broad arrow from one panel to the one beside it."""
    x, y = left.left + left.width, max(left.top, right.top) + 32
    return [
        f'<path class="broad" d="M{x:.0f} {y:.0f}H{right.left - 2:.0f}"/>',
        f'<text x="{x - 14:.0f}" y="{y + 4:.0f}" text-anchor="end">{escape(label)}</text>',
    ]


def main() -> None:
    """Write the drawing."""
    TARGET.write_text(svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
