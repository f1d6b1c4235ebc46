"""The folder of a model of transformers, looked at without transformers."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from heed.models.checkpoint import digest, parse_json
from heed.models.errors import RecordingError

CONFIG = "config.json"
ABOUT = "heed.json"
"""The file with the name, languages and examples of a model that a server offers."""
SAFE = "*.safetensors"
UNSAFE = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt", "*.h5", "*.msgpack")


def check_folder(folder: Path) -> dict[str, Any]:
    """Return the configuration of a folder, or raise `RecordingError` if it must not be loaded."""
    try:
        config = parse_json((folder / CONFIG).read_text("utf-8"))
    except FileNotFoundError:
        message = f"{folder} has no {CONFIG}: save the model there with `save_pretrained`."
        raise RecordingError(message) from None
    except (OSError, ValueError) as error:
        raise RecordingError(f"{folder / CONFIG} cannot be read: {error}.") from None
    if not isinstance(config, dict):
        raise RecordingError(f"{folder / CONFIG} is not an object of settings.")
    if "auto_map" in config:
        raise needs_code(str(folder))
    if any(folder.glob(SAFE)):
        return config
    unsafe = sorted(path.name for pattern in UNSAFE for path in folder.glob(pattern))
    if unsafe:
        message = f"{folder} has its weights as {unsafe[0]}, a file that may execute code"
        raise RecordingError(
            f"{message}: convert it once with model.save_pretrained(…), which writes safetensors."
        )
    message = f"{folder} has no weights: save the model there with `save_pretrained`."
    raise RecordingError(message)


def needs_code(name: str) -> RecordingError:
    """Return the error for a model that is defined by code of its repository."""
    message = f"{name} needs the Python code of its repository, which Heed never runs"
    return RecordingError(f"{message}: load the model yourself and trace that.")


def weights_digest(folder: Path) -> str:
    """Identify the weights in a folder; empty if there are none."""
    parts = [digest(path) for path in sorted(folder.glob(SAFE))]
    if len(parts) < 2:
        return "".join(parts)
    return hashlib.sha256("".join(parts).encode()).hexdigest()
