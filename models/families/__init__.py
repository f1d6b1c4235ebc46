"""The families of networks: one folder for each, with all that only this family needs.

A new family is a new folder here, whose `__init__.py` has its `FAMILY`; no list names it. Those
that write token by token share their parts with each other (`token_by_token.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

from heed.models import checkpoint
from heed.models.config import DEFAULT_FAMILY, NetworkConfig
from heed.models.families.family import Family, Stored
from heed.models.families.token_by_token import TOKEN_BY_TOKEN

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _folders() -> Iterator[Family]:
    """Import the `FAMILY` of each folder here; what runs it is imported when a model is loaded."""
    for module in iter_modules(__path__):
        if module.ispkg:
            yield import_module(f"{__name__}.{module.name}").FAMILY


FAMILIES: Final[dict[str, Family]] = {
    family.config.family_name(): family for family in (*TOKEN_BY_TOKEN, *_folders())
}


def load(stored: Stored) -> AnyPipeline:
    """Load a model by the entry of its family."""
    return FAMILIES[network_of(stored.folder).family].load(stored)


def network_of(folder: Path) -> NetworkConfig:
    """Read the configuration of the network in a folder."""
    return read_network(checkpoint.read_config(folder)["network"])


def read_network(values: Mapping[str, Any]) -> NetworkConfig:
    """Read the configuration of the family that `values` names."""
    family = values.get("family", DEFAULT_FAMILY)
    if family not in FAMILIES:
        raise ValueError(f"there is no family {family!r} of networks")
    return FAMILIES[family].config.from_dict(values)
