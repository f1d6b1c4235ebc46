"""`heed models`: the catalogue."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from heed.app.commands.errors import DONE
from heed.app.http.encoding import to_json
from heed.app.inference.catalogue import (
    default_models,
    missing_out,
    models_out,
    open_catalogue,
)
from heed.app.schemas import ModelOut, ModelsOut
from heed.app.settings import Settings
from heed.app.tasks import task_of


def models(*, as_json: bool) -> int:
    """Print the catalogue; return the exit code."""
    settings = Settings.from_environment()
    catalogue = open_catalogue(settings.weights)
    listed = models_out(catalogue, default_models(catalogue, settings.default_model))
    missing = missing_out(catalogue)
    if as_json:
        print(to_json(ModelsOut(models=listed, missing=missing)).decode())
        return DONE
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("id", no_wrap=True)
    for title in ("name", "input", "size"):
        table.add_column(title)
    for model in listed:
        table.add_row(*_row(model))
    for absent in missing:
        table.add_row(absent.id, absent.name, "", "not installed", style="dim")
    console.print(table)
    for hint in dict.fromkeys(absent.install for absent in missing):
        console.print(hint, style="dim")
    return DONE


def _row(model: ModelOut) -> tuple[str, ...]:
    mark = " (default)" if model.default else ""
    return (model.id + mark, model.name, _input(model), f"{model.bytes / 1e6:.1f} MB")


def _input(model: ModelOut) -> str:
    return task_of(model).input.format(characters=model.limits["characters"])
