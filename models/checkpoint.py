"""A model on disk: config.json, model.safetensors (16-bit floats), tokenizer.json, CARD.md.

Nothing is executed from a checkpoint. Importing this module does not import torch.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from heed.models.config import DEFAULT_FAMILY, NetworkConfig, read_step_network
from heed.models.errors import CheckpointError
from heed.models.packages import model_folders
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords, TargetWords

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from torch import Tensor, nn

    from heed.models.networks.image_encoder import ImageEncoder
    from heed.models.registry import PictureNetwork, StepNetwork, TextNetwork

Halves = np.ndarray[Any, np.dtype[np.float16]]
R = TypeVar("R")
C = TypeVar("C", bound=NetworkConfig)
M = TypeVar("M", bound="nn.Module")

FORMAT = "heed.checkpoint/1"
LONGEST_HEADER = 1_000_000
DEEPEST = 32  # lists and objects within each other
DIGESTS = 256  # files whose digests are kept
CONFIG, WEIGHTS, TOKENIZER, CARD = "config.json", "model.safetensors", "tokenizer.json", "CARD.md"
KNOWN_WORDS = "known-words.txt.gz"
TARGET_WORDS = "target-words"
"""Folder beside the models: a list of words for each language that is written."""

_tokenizers: Final[WeakValueDictionary[Hashable, BytePieces]] = WeakValueDictionary()
_known_words: Final[WeakValueDictionary[Hashable, KnownWords]] = WeakValueDictionary()
_target_words: Final[WeakValueDictionary[Hashable, TargetWords]] = WeakValueDictionary()


class Shared(NamedTuple):
    """The tensors that another model stores for this one, so that they are on disk once."""

    sibling: str
    tensors: tuple[str, ...]


def save_checkpoint(
    folder: Path,
    about: dict[str, Any],
    network: NetworkConfig,
    weights: Mapping[str, Tensor],
    tokenizer: BytePieces | None = None,
    known_words: KnownWords | None = None,
) -> None:
    """Write a checkpoint, the weights as 16-bit floats."""
    _write_weights(folder, weights)
    parameters = sum(value.numel() for value in weights.values())
    config = {
        "format": FORMAT,
        "version": 1,
        **about,
        "parameters": parameters,
        "network": network.to_dict(),
    }
    if tokenizer is not None and tokenizer.spaced:
        config["spaced"] = True
    (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", "utf-8")
    if tokenizer is not None:
        tokenizer.save(folder / TOKENIZER)
    if known_words is not None:
        known_words.save(folder / KNOWN_WORDS)


def parse_json(text: str | bytes) -> Any:
    """Parse a file of a model, or raise `ValueError`, for too much nesting as well."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    level = [value]
    for _ in range(DEEPEST):
        level = [part for module in level for part in _parts(module)]
    if level:
        raise ValueError("it is nested too deeply")
    return value


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_config(folder: Path) -> dict[str, Any]:
    """Read the config.json of a checkpoint."""
    path = folder / CONFIG
    try:
        config = parse_json(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a checkpoint of the format {FORMAT}")
    return config


def config_of(folder: Path, family: type[C]) -> C:
    """Read the configuration of the network in a folder, which must be of this family."""
    values = read_config(folder)["network"]
    if (name := values.get("family", DEFAULT_FAMILY)) != family.family_name():
        raise CheckpointError(f"{folder} holds a network of another family: {name}")
    return family.from_dict(values)


def load_network(folder: Path, file: str = WEIGHTS) -> StepNetwork:
    """Load a network that writes token by token, with its weights, for inference only.

    `file` holds its own tensors: those of the model, or of another training.
    """
    from heed.models.registry import build_network

    return _with_weights(folder, file, lambda values: build_network(read_step_network(values)))


def load_module(folder: Path, family: type[C], network: Callable[[C], M]) -> M:
    """Load a network of this family with its weights, for inference only."""
    config = config_of(folder, family)
    return _with_weights(folder, WEIGHTS, lambda _: network(config))


def _with_weights(folder: Path, file: str, build: Callable[[Mapping[str, Any]], M]) -> M:
    """Build a network, and give it the weights of a folder as 32-bit floats."""
    config = read_config(folder)
    path = folder / file
    weights = _whole(tensors(folder, file))
    try:
        model = build(config["network"])
        # By parameter, not by strict state: a tensor that two modules share has one name here.
        odd = set(weights) ^ {name for name, _ in model.named_parameters()}
        model.load_state_dict(weights, strict=False)
    except (RuntimeError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if odd:
        raise CheckpointError(f"{path} has other tensors than its config: {sorted(odd)[:5]}")
    return model.eval().requires_grad_(requires_grad=False)


def _whole(halves: Mapping[str, Halves]) -> dict[str, Tensor]:
    """Convert to 32-bit tensors of PyTorch."""
    import torch

    return {name: torch.from_numpy(half.astype(np.float32)) for name, half in halves.items()}


def load_text_network(folder: Path, file: str = WEIGHTS) -> TextNetwork:
    """Load the network of a folder, which must be one that reads text."""
    network = load_network(folder, file)
    from heed.models.registry import TextNetwork

    if not isinstance(network, TextNetwork):
        raise CheckpointError(f"{folder} holds a network that reads {network.config.reads}")
    return network


def load_picture_network(folder: Path) -> PictureNetwork:
    """Load the network of a folder, which must read pictures; without its image encoder."""
    network = load_network(folder)
    from heed.models.registry import PictureNetwork

    if not isinstance(network, PictureNetwork):
        raise CheckpointError(f"{folder} holds a network that reads {network.config.reads}")
    return network


def save_image_encoder(folder: Path, encoder: ImageEncoder) -> None:
    """Write the image encoder that several models share, as 16-bit floats."""
    _write_weights(folder, dict(encoder.named_parameters()))


def _write_weights(folder: Path, weights: Mapping[str, Tensor]) -> None:
    """Write weights as 16-bit floats, in a file that every user may read."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    halves = {
        name: value.detach().to("cpu", torch.float16).contiguous()
        for name, value in weights.items()
    }
    save_file(halves, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)


def load_image_encoder(folder: Path) -> ImageEncoder:
    """Load the image encoder with its weights as 32-bit floats, for inference only."""
    import torch

    from heed.models.networks.image_encoder import ImageEncoder

    path = folder / WEIGHTS
    weights = _whole(mapped(path))
    try:
        encoder = ImageEncoder(len(weights["cells.middle.weight"]))
        encoder.load_state_dict(weights)
    except (RuntimeError, KeyError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    encoder.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return encoder.eval().requires_grad_(requires_grad=False)


def tensors(folder: Path, file: str = WEIGHTS) -> dict[str, Halves]:
    """Map every tensor of a checkpoint by its name: 16-bit floats, read-only.

    Those that another model stores for it (`shared` in its config) are among them.
    """
    return mapped(folder / file) | borrowed(folder)


def seed_files(folder: Path) -> dict[int, str]:
    """Return the files of the other trainings of a model's own tensors, by their seeds."""
    files = folder.glob("seed-*.safetensors")
    named = ((file.stem.removeprefix("seed-"), file.name) for file in files)
    by_seed = {int(seed): name for seed, name in named if seed.isascii() and seed.isdigit()}
    return dict(sorted(by_seed.items()))


def borrowed(folder: Path) -> dict[str, Halves]:
    """Map the tensors of a checkpoint that another model stores."""
    shared = sharing(folder)
    if shared is None:
        return {}
    kept = mapped(relative(folder, shared.sibling, WEIGHTS))
    try:
        return {name: kept[name] for name in shared.tensors}
    except KeyError as error:
        raise CheckpointError(
            f"{folder}: {shared.sibling} has no tensor {error} to share"
        ) from error


def mapped(path: Path) -> dict[str, Halves]:
    """Map the tensors of one safetensors file."""
    start, header = layout(path)
    try:
        data = np.memmap(path, np.uint8, mode="r", offset=start)
        listed = parse_json(header)
        listed.pop("__metadata__", None)
        if odd := sorted(name for name, entry in listed.items() if entry["dtype"] != "F16"):
            raise CheckpointError(f"{path} holds tensors that are not 16-bit floats: {odd[:5]}")
        return {
            name: data[slice(*entry["data_offsets"])].view(np.float16).reshape(entry["shape"])
            for name, entry in listed.items()
        }
    except (OSError, OverflowError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def sharing(folder: Path) -> Shared | None:
    """Read which tensors of a checkpoint another model stores, if any."""
    about = read_config(folder).get("shared")
    if about is None:
        return None
    try:
        return Shared(beside(folder, about["from"]).name, tuple(map(str, about["tensors"])))
    except (KeyError, TypeError) as error:
        raise CheckpointError(
            f"{folder}: `shared` in its config is not valid: {error!r}"
        ) from error


def beside(folder: Path, sibling: object) -> Path:
    """Return the folder of another model, given by its name, never by a path."""
    if not isinstance(sibling, str) or Path(sibling).name != sibling:
        raise CheckpointError(f"{folder}: {sibling!r} is not the name of a model")
    return folder.parent / sibling


def is_elsewhere(folder: Path) -> bool:
    """Return true if another package (`package` in the config) has the weights of a model."""
    return not (folder / WEIGHTS).exists() and bool(read_config(folder).get("package"))


def relative(folder: Path, sibling: object, name: str) -> Path:
    """Return the path of a file that another model stores for this one.

    It stands beside this folder. If it does not, and the config has its digest (`relatives`), it is
    that file of the installed models that has this digest, whatever its model is called.
    """
    path = beside(folder, sibling) / name
    if path.exists():
        return path
    known = read_config(folder).get("relatives")
    wanted = known.get(f"{sibling}/{name}") if isinstance(known, dict) else None
    if wanted is None:
        return path
    for directory in model_folders():
        same_name = directory / path.parent.name / name
        for other in (same_name, *sorted({*directory.glob(f"*/{name}")} - {same_name})):
            if other.exists() and digest(other) == wanted:
                return other
    raise CheckpointError(
        f"{folder} needs {name} of {sibling}, and no installed model has this version of it: "
        "pip install --upgrade heed-attention heed-attention-models"
    )


def tokenizer_of(folder: Path) -> BytePieces:
    """Load the tokenizer of a checkpoint, its own or that of the model its config names.

    Models that share a tokenizer share it in memory, as long as the file does not change.
    """
    config = read_config(folder)
    path = _stored(folder, config.get("tokenizer"), TOKENIZER)
    spaced = bool(config.get("spaced"))
    try:
        return _once(_tokenizers, path, lambda: BytePieces.load(path, spaced=spaced), spaced=spaced)
    except Exception as error:  # tokenizers has no class of its own for errors
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def known_words_of(folder: Path) -> KnownWords | None:
    """Load the known words of a model, if there is a list; another model may store it.

    Models that share a list share it in memory, as long as the file does not change.
    """
    path = _stored(folder, read_config(folder).get("known_words"), KNOWN_WORDS)
    return _once(_known_words, path, lambda: KnownWords.load(path)) if path.exists() else None


def target_words_of(folder: Path, language: str) -> TargetWords | None:
    """Load the words of a language from beside the folder of a model, if there is a list."""
    if not language.isalnum():
        return None
    path = relative(folder, TARGET_WORDS, f"{language}.txt.gz")
    return _once(_target_words, path, lambda: TargetWords.load(path)) if path.exists() else None


def _once(
    known: WeakValueDictionary[Hashable, R], path: Path, read: Callable[[], R], **options: bool
) -> R:
    """Return what is read from a file, which is in memory once and as long as it is used."""
    try:
        key = path, *_state(path), *options.items()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if (content := known.get(key)) is None:
        content = known[key] = read()
    return content


def _stored(folder: Path, sibling: object, name: str) -> Path:
    """Return the path of a file that another model may store."""
    return folder / name if sibling is None else relative(folder, sibling, name)


def unload(tensors: Iterable[Halves]) -> None:
    """Take mapped tensors out of memory; what is used again is read from the file again."""
    for mapping in {id(known): known for tensor in tensors if (known := _mapping(tensor))}.values():
        if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            mapping.madvise(mmap.MADV_DONTNEED)


def _mapping(array: object) -> mmap.mmap | None:
    """Return the mapping of a file that an array is part of."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array if isinstance(array, mmap.mmap) else None


def layout(path: Path, longest: int = LONGEST_HEADER) -> tuple[int, bytes]:
    """Return the offset of the tensors in a safetensors file, and its JSON header."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            return 8 + length, file.read(min(length, longest))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def digest(path: Path) -> str:
    """Compute the SHA-256 of a file; cached as long as the file does not change."""
    try:
        return _digest(path, *_state(path))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def _state(path: Path) -> tuple[int, int, int]:
    """Return size, inode and time of a file, which change when it is written again."""
    status = path.stat()
    return status.st_size, status.st_ino, status.st_mtime_ns


@lru_cache(DIGESTS)
def _digest(path: Path, size: int, *_state: int) -> str:
    # At once rather than in pieces: hashing releases the GIL once. (An empty file cannot be
    # mapped.)
    with path.open("rb") as file:
        if not size:
            return hashlib.sha256().hexdigest()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            return hashlib.sha256(whole).hexdigest()
