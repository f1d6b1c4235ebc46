"""`heed export`: models as ONNX graphs."""

from __future__ import annotations

from collections.abc import Sequence

from heed.app.commands.errors import DONE
from heed.app.commands.options import request_errors
from heed.app.errors import StartError
from heed.app.inference.catalogue import known_id, open_catalogue
from heed.app.settings import Settings
from heed.models.errors import CheckpointError


def export(model_ids: Sequence[str]) -> int:
    """Export these models, or all, and print the paths; return the exit code."""
    catalogue = open_catalogue(Settings.from_environment().weights)
    with request_errors():
        known = [known_id(catalogue, model) for model in model_ids]
    for model in known or [card.id for card in catalogue.cards.values() if card.exportable]:
        try:
            paths = catalogue.export(model)
        except (CheckpointError, OSError) as error:
            raise StartError(f"The graphs of {model} cannot be written: {error}.") from None
        for path in paths:
            print(path)
    return DONE
