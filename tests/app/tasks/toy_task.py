"""A task more, as the recipe of docs/architecture.md adds it, and what the server then has.

Run as a program, so that no module has read the list of tasks before: with the folder of a model of
that task, and a folder of templates.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from heed.app import tasks
from heed.app.schemas import ReadIn
from heed.app.tasks.task import Command, GalleryCard, Operation, Page, Query, Task
from heed.models.card import Card
from heed.models.generation.requests import TextRequest


def request(asked: ReadIn, _card: Card) -> TextRequest:
    return TextRequest(asked.text)


TOY = Task(
    id="toy",
    does="plays with a text",
    schema=ReadIn,
    prepared=request,
    operation=Operation("Play with a text", "Play.", "translation", ("empty_text",)),
    command=Command("play with a text", "Play.", {"text": "the text"}, "answer"),
    page=Page("toy", "js/views/map/view.js", GalleryCard("A toy", "It plays.", "Nobody 2001")),
    query=Query(("text",)),
)


def found(weights: Path, templates: Path) -> dict[str, object]:
    tasks.TASKS = (*tasks.TASKS, TOY)

    from starlette.testclient import TestClient

    from heed.app import cli
    from heed.app.main import create_app, queue_checks
    from heed.app.settings import Settings
    from heed.output.page import environment

    environment.TEMPLATES = [templates, environment.TEMPLATES]
    app = create_app(Settings(weights=weights, preload="none", max_store_bytes=0))
    checks = queue_checks(app.state.service)
    printed = StringIO()
    with TestClient(app, base_url="http://127.0.0.1") as client, redirect_stdout(printed):
        answer = client.post(TOY.path, json={"text": "may"})
        wrong = client.post("/api/v1/translate", json={"text": "may", "model": "toy"})
        page = client.get("/toy?text=may&wait=1")
        refused = client.post(TOY.path, content=b"x" * 2_000_000)
        code = cli.main(["toy", "may", "--quiet"])
        return {
            "task": answer.json()["task"],
            "wrong": wrong.json()["error"]["message"],
            "page": page.text,
            "preview": client.get("/toy/preview.png").headers["content-type"],
            "gallery": client.get("/other").text,
            "openapi": client.get("/openapi.json").json()["paths"][TOY.path]["post"]["operationId"],
            "refused": refused.status_code,
            "metrics": client.get("/metrics").text,
            "admitted": TOY.path in checks,
            "command": [code, printed.getvalue().strip()],
            "text": answer.json()["text"],
        }


if __name__ == "__main__":
    print(json.dumps(found(Path(sys.argv[1]), Path(sys.argv[2]))))
