"""Recipes of translators: one TOML file holds all settings of a training."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heed.models.card import Language, Limits
from heed.models.config import TextConfig, read_text_network
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule
from training.common.self_critical import SelfCritical
from training.text.attention_snapshots import AttentionSnapshots
from training.text.data.corpora import Corpus, Distillation, SourceNoise
from training.text.guided_alignment import GuidedAlignment
from training.text.manual_bptt import is_supported


@dataclass(frozen=True, slots=True)
class TextRecipe:
    """A translator, its data and its training."""

    id: str
    name: str
    task: str
    source: Language
    target: Language
    limits: Limits
    examples: tuple[str, ...]
    network: TextConfig
    schedule: Schedule
    corpus: Corpus | None = None  # None: the generator of dates
    source_noise: SourceNoise = field(default_factory=SourceNoise)
    self_critical: SelfCritical = field(default_factory=SelfCritical)
    guided_alignment: GuidedAlignment = field(default_factory=GuidedAlignment)
    distillation: Distillation = field(default_factory=Distillation)
    attention_snapshots: AttentionSnapshots = field(default_factory=AttentionSnapshots)
    hints: dict[str, str] = field(default_factory=dict)  # a remark on each example
    start: str | None = None  # a model whose weights it starts from, where they fit
    fresh: tuple[str, ...] = ()  # patterns of the names of parameters that it does not take over
    unguided: str = ""  # id of its counterpart whose attention nothing guided
    spaced: bool = False  # a lower-case word at the start gets the pieces it has after a space
    frozen: tuple[str, ...] = ()  # patterns of the names of parameters that are not trained
    rank: int = 100  # position in the catalogue; the first model is the default

    @classmethod
    def read(cls, path: Path) -> TextRecipe:
        """Read a recipe; missing and unknown keys raise `RecipeError`."""
        values = read_toml(path)
        for key in ("examples", "fresh", "frozen"):
            values[key] = tuple(values.get(key, ()))
        if strays := sorted(set(values.get("hints", {})) - set(values["examples"])):
            raise RecipeError(f"{path}: hints for texts that are not examples: {'; '.join(strays)}")
        for key, kind in _SECTIONS.items():
            values[key] = read_section(path, key, kind, _as_tuples(values.get(key, {})))
        for key, optional in (("corpus", Corpus), ("attention_snapshots", AttentionSnapshots)):
            if key in values:
                values[key] = read_section(path, key, optional, _as_tuples(values[key]))
        try:
            values["network"] = read_text_network(values.get("network", {}))
        except (TypeError, ValueError) as error:
            raise RecipeError(f"{path}: network: {error}") from error
        guide, network = values["guided_alignment"], values["network"]
        if guide.maps and network.family != "transformer":
            raise RecipeError(f"{path}: guided_alignment: `maps` needs a Transformer")
        if guide.links and not has_step_weights(network):
            raise RecipeError(f"{path}: guided_alignment: `links` needs a network with attention")
        if values["distillation"].teachers and "en" not in getattr(
            values.get("corpus"), "pair", ()
        ):
            raise RecipeError(f"{path}: distillation: the corpus needs English as one language")
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> TextRecipe:
        """Read the recipe of a shipped model by its id, or any recipe by its path."""
        if name.endswith(".toml"):
            return cls.read(Path(name))
        path = RECIPES / f"{name}.toml"
        if not path.exists():
            known = ", ".join(sorted(file.stem for file in RECIPES.glob("*.toml")))
            raise RecipeError(f"no recipe is called {name!r}; available: {known}")
        return cls.read(path)


_SECTIONS: dict[str, type[Any]] = {
    "source": Language,
    "target": Language,
    "limits": Limits,
    "schedule": Schedule,
    "source_noise": SourceNoise,
    "self_critical": SelfCritical,
    "guided_alignment": GuidedAlignment,
    "distillation": Distillation,
}


def has_step_weights(network: TextConfig) -> bool:
    """Return whether training such a network gives the attention weights of its steps."""
    if network.family == "transformer":
        return True
    return network.mechanism != "none" and is_supported(network)


def _as_tuples(value: Any) -> Any:
    """Turn lists into tuples, at any depth."""
    if isinstance(value, dict):
        return {name: _as_tuples(each) for name, each in value.items()}
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
