"""Loading a model of transformers from a folder, or from the hub.

Only weights as safetensors are read, and no code of a repository is ever executed. A folder is
loaded without a network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heed.models.errors import RecordingError
from heed.models.recording.folder import check_folder, needs_code, weights_digest
from heed.models.recording.hub import is_hub_id
from heed.models.recording.processors import InputProcessor
from heed.models.recording.tracer import Tracer
from heed.models.trace import ModelStamp

INSTALL = (
    'Models of Hugging Face need transformers. Install it with: pip install "heed-attention[hf]".'
)


def load_tracer(name: str | Path) -> Tracer:
    """Load the model in a folder, or of this id on the hub, with what reads its inputs."""
    transformers_or_error()
    folder = Path(name)
    local = folder.is_dir()
    if local:
        check_folder(folder)
    elif isinstance(name, Path) or not is_hub_id(name):
        message = f"There is no folder {name} with a model, no model of Heed of that name"
        raise RecordingError(f"{message}, and it is no id of the hub, such as 'owner/name'.")
    options = {"local_files_only": local, "trust_remote_code": False}
    with quiet():
        config = _config(str(name), options)
        model = _model(str(name), config, options)
        processor = _processor(str(name), model, options)
    return Tracer(model, processor, stamp(folder.resolve().name if local else str(name), folder))


def tracer_of(model: Any, *processors: Any) -> Tracer:
    """Return a tracer of a loaded model, and of what reads its inputs."""
    transformers_or_error()
    from transformers import PreTrainedModel

    if not isinstance(model, PreTrainedModel):
        name = type(model).__name__
        message = f"An object of type {name} is no model of transformers"
        raise RecordingError(f"{message}: record it while it runs, with heed.record.")
    name = getattr(model.config, "name_or_path", "") or type(model).__name__
    return Tracer(model, InputProcessor.of(*processors), stamp(Path(name).name, None))


def transformers_or_error() -> None:
    """Raise `RecordingError` if transformers is not installed."""
    try:
        import transformers
    except ImportError as error:
        raise RecordingError(INSTALL) from error
    del transformers


def stamp(name: str, folder: Path | None) -> ModelStamp:
    """Return the stamp of a model; the digest is that of its files, if it was read from some."""
    return ModelStamp(name, "" if folder is None else weights_digest(folder), "multihead", "after")


def _config(name: str, options: dict[str, Any]) -> Any:
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(name, **options)
    except (OSError, ValueError, KeyError, RecursionError) as error:
        raise RecordingError(_sentence(name, error)) from error
    if getattr(config, "auto_map", None):
        raise needs_code(name)
    return config


def _model(name: str, config: Any, options: dict[str, Any]) -> Any:
    """Load the class that the configuration names, else the one of its headless model."""
    import transformers
    from safetensors import SafetensorError

    listed = [
        getattr(transformers, architecture, None) for architecture in config.architectures or ()
    ]
    model_class = next(
        (architecture for architecture in listed if architecture is not None),
        transformers.AutoModel,
    )
    try:
        return model_class.from_pretrained(name, config=config, use_safetensors=True, **options)
    except MemoryError as error:
        message = f"There is too little memory for {name}: choose a smaller model."
        raise RecordingError(message) from error
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise RecordingError(_sentence(name, error)) from error


def _processor(name: str, model: Any, options: dict[str, Any]) -> InputProcessor:
    """Load the tokenizer and processors that there are; a missing one is missed when needed."""
    from transformers import (
        AutoFeatureExtractor,
        AutoImageProcessor,
        AutoProcessor,
        AutoTokenizer,
    )

    wanted = [AutoTokenizer]
    main = getattr(model, "main_input_name", "input_ids")
    if main == "input_ids" and hasattr(model.config, "vision_config"):
        wanted.append(AutoProcessor)
    elif main == "pixel_values":
        wanted.append(AutoImageProcessor)
    elif main in ("input_features", "input_values"):
        wanted.append(AutoFeatureExtractor)
    processors = []
    for processor_class in wanted:
        try:
            processors.append(processor_class.from_pretrained(name, **options))
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            if processor_class is AutoTokenizer and (
                main != "input_ids" and not model.can_generate()
            ):
                continue
            raise RecordingError(_missing(name, processor_class.__name__, error)) from error
    processor = InputProcessor.of(*processors)
    if processor.tokenizer is not None and _is_empty(processor.tokenizer):
        raise RecordingError(_missing(name, "AutoTokenizer", None))
    return processor


def _is_empty(tokenizer: Any) -> bool:
    """Return true for a tokenizer of marks alone, which transformers makes without any files."""
    return set(tokenizer.get_vocab().values()) <= set(tokenizer.all_special_ids)


@contextmanager
def quiet() -> Iterator[None]:
    """Leave out the progress bars of transformers."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _missing(name: str, kind: str, error: Exception | None) -> str:
    """Explain that a tokenizer or processor is not there, or needs another package."""
    if isinstance(error, ImportError) or "sentencepiece" in str(error).lower():
        return f"The tokenizer of {name} needs another package: pip install sentencepiece."
    what = "tokenizer" if kind == "AutoTokenizer" else "processor of its inputs"
    return (
        f"{name} has no {what}: save it there with `save_pretrained`, "
        "or load both yourself and give them to heed.trace."
    )


def _sentence(name: str, error: Exception) -> str:
    """Return the first sentence of an error of transformers, which may have many lines."""
    first = str(error).strip().split("\n", 1)[0].rstrip(".")
    if "safetensors" in first and "use_safetensors" in str(error):
        message = f"{name} has no weights as safetensors, and Heed reads no others"
        return f"{message}: convert it once with model.save_pretrained(…)."
    return f"{name} cannot be loaded: {first}."
