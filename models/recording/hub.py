"""Models of the hub of Hugging Face, for an operator who names one; no request can.

Fetched are configuration, tokenizer and weights as safetensors, never code or pickles. What was
fetched once is read from the cache of the hub (HF_HOME) without a network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from heed.models.errors import RecordingError

FETCHED: Final = ("*.json", "*.safetensors", "*.txt", "*.model", "*.spm", "*.jinja")


def is_hub_id(name: str) -> bool:
    """Return true for `owner/name`.

    >>> is_hub_id("Helsinki-NLP/opus-mt-en-fr")
    True
    >>> is_hub_id("./models/mine") or is_hub_id("../mine")
    False
    """
    parts = name.split("/")
    plain = all(part and part.strip(".") and not set(part) & set(" \\~:") for part in parts)
    return plain and len(parts) == 2


def fetched(name: str) -> Path:
    """Return the folder with a model of the hub, fetched if it is not in the cache."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    try:
        return Path(snapshot_download(name, allow_patterns=list(FETCHED)))
    except (GatedRepoError, RepositoryNotFoundError) as error:
        message = f"The hub has no model {name}, or it needs a login"
        raise RecordingError(f"{message}: check its name, or set HF_TOKEN.") from error
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError, ValueError) as error:
        message = f"The model {name} cannot be fetched from the hub, and the cache has none of it"
        raise RecordingError(
            f"{message}: connect to a network, or give the path of a folder with the model."
        ) from error
