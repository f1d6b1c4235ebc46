"""The list of tasks: what each entry must have, and what a new entry brings with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heed.app.tasks import TASKS, pages
from heed.app.tasks.task import Task
from heed.output.page.environment import TEMPLATES
from tests.models.tiny import write_tiny

STATIC = Path(__file__).parents[3] / "static"
TOY = Path(__file__).with_name("toy_task.py")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Routes, limits and pages of a server whose list of tasks has one more."""
    folder = tmp_path_factory.mktemp("toy")
    write_tiny(folder / "weights" / "toy", task="toy")
    (folder / "toy.html").write_text(
        "{{ page_models.toy | map(attribute='id') | join }} reads {{ preloaded.trace.source.text }}"
    )
    others = {name: value for name, value in os.environ.items() if not name.startswith("HEED_")}
    environment = others | {"HEED_WEIGHTS": str(folder / "weights")}
    program = [sys.executable, str(TOY), str(folder / "weights"), str(folder)]
    done = subprocess.run(program, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_new_task_has_a_route_that_traces_its_model(toy: dict[str, Any]) -> None:
    assert toy["task"] == "toy"
    assert toy["openapi"] == "toy"


def test_other_routes_refer_to_that_of_a_new_task(toy: dict[str, Any]) -> None:
    assert "plays with a text: use /api/v1/toy" in toy["wrong"]


def test_a_new_task_is_admitted_and_its_refusals_are_logged_by_its_path(
    toy: dict[str, Any],
) -> None:
    assert toy["admitted"]
    assert toy["refused"] == 413
    assert 'route="/api/v1/toy",status="413"' in toy["metrics"]


def test_a_new_task_has_a_page_with_the_trace_of_its_query(toy: dict[str, Any]) -> None:
    assert toy["page"] == "toy reads may"
    assert toy["preview"] == "image/png"


def test_the_gallery_shows_the_card_of_a_new_task(toy: dict[str, Any]) -> None:
    assert '<a href="/toy">A toy</a>' in toy["gallery"]
    assert "Nobody 2001" in toy["gallery"]


def test_a_new_task_is_a_command(toy: dict[str, Any]) -> None:
    assert toy["command"] == [0, toy["text"]]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_inputs_of_a_page_are_fields_of_the_request(task: Task[Any]) -> None:
    schema = task.encoded.schema if task.encoded else task.schema
    inputs = task.query.inputs if task.query else ()
    assert set(inputs) <= schema.model_fields.keys()


def test_every_page_has_a_template_and_modules() -> None:
    for page in pages():
        assert (TEMPLATES / page.template).is_file()
        assert (STATIC / page.first_view).is_file()


def test_no_two_tasks_have_the_same_name() -> None:
    assert len({task.id for task in TASKS}) == len(TASKS)
