"""Write the live traces of the documentation, one file each: `python -m docs.site.live FOLDER`.

Each has the name, the input and the view of a screenshot, so the picture shows the same.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.parse import urlencode

import heed
from docs.shots import SHOTS, Shot
from heed.app.inference.catalogue import default_models
from heed.models.catalogue import Catalogue
from heed.output.model import described
from heed.output.page.standalone import filled, shell
from heed.output.serialize import trace_out

ROOT = Path(__file__).parents[2]
PHOTO = ROOT / "static/samples/photographer.jpg"
"""The sample that the page of pictures opens with."""


def page(shot: Shot) -> str:
    """Return the file of a screenshot."""
    catalogue = Catalogue()
    settings = shot.settings
    on_photo = shot.path == "/picture"
    defaults = default_models(catalogue, None)
    first = settings.get("model", defaults["caption" if on_photo else "translate"])
    models = [first, *filter(None, settings.get("with", "").split())]
    given = str(PHOTO) if on_photo else settings["text"]
    traces = {model: trace_out(heed.trace(model, given).run, "steps") for model in models}
    contents = {
        "query": f"?{urlencode(settings)}",
        "trace": traces[first],
        "models": [described(catalogue.cards[model]) for model in models],
        "answers": [[key_of(given, model), traces[model]] for model in models[1:]],
    }
    return filled(
        shell("picture" if on_photo else "text", compared=len(models) > 1), given, contents
    )


def key_of(text: str, model: str) -> str:
    """Return the key of an answer, as `requestKey` of the page has it."""
    return json.dumps({"text": text, "model": model}, separators=(",", ":"), ensure_ascii=False)


def main(folder: Path) -> None:
    """Write the file of each screenshot of a desktop."""
    folder.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        if not shot.dark:
            (folder / f"{shot.name}.html").write_text(page(shot), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
