"""A recipe: one TOML file that says everything about how a shipped model is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heed.models.catalogue import Language, Limits
from heed.models.config import TextConfig, read_text_network
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, section, whole
from training.common.schedule import Schedule
from training.common.self_critical import Critic
from training.text.attention_snapshots import Recording
from training.text.data.corpora import Corpus, Echo, Untidiness
from training.text.guided_alignment import Guide
from training.text.manual_bptt import is_plain


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a model is, what it learns from, and how."""

    id: str
    name: str
    task: str
    source: Language
    target: Language
    limits: Limits
    examples: tuple[str, ...]
    network: TextConfig
    schedule: Schedule
    corpus: Corpus | None = None  # none: the generator of dates
    untidiness: Untidiness = field(default_factory=Untidiness)
    critic: Critic = field(default_factory=Critic)
    guide: Guide = field(default_factory=Guide)
    echo: Echo = field(default_factory=Echo)
    recording: Recording = field(default_factory=Recording)
    hints: dict[str, str] = field(default_factory=dict)  # what to look for in an example
    start: str | None = None  # a sibling whose weights it starts from, where they fit
    spaced: bool = False  # what begins small has the pieces that it has behind a space
    frozen: tuple[str, ...] = ()  # parameters that stay as they are, by patterns of their names
    rank: int = 100  # place in the catalogue, the first is the default

    @classmethod
    def read(cls, path: Path) -> Recipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = whole(path)
        for key in ("examples", "frozen"):
            values[key] = tuple(values.get(key, ()))
        if strays := sorted(set(values.get("hints", {})) - set(values["examples"])):
            raise RecipeError(f"{path}: hints on what is no example: {'; '.join(strays)}")
        for key, kind in _SECTIONS.items():
            values[key] = section(path, key, kind, _frozen(values.get(key, {})))
        for key, optional in (("corpus", Corpus), ("recording", Recording)):
            if key in values:
                values[key] = section(path, key, optional, _frozen(values[key]))
        try:
            values["network"] = read_text_network(values.get("network", {}))
        except (TypeError, ValueError) as error:
            raise RecipeError(f"{path}: network: {error}") from error
        guide, network = values["guide"], values["network"]
        if guide.maps and network.family != "transformer":
            raise RecipeError(
                f"{path}: guide: only a Transformer has a head to be told where to look"
            )
        if guide.links and not tells_of_steps(network):
            raise RecipeError(f"{path}: guide: no attention to be told which words are linked")
        if values["echo"].by and "en" not in getattr(values.get("corpus"), "pair", ()):
            raise RecipeError(f"{path}: echo: it is English that is translated once more")
        return section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> Recipe:
        """The recipe of a shipped model by its id, or any recipe by the path of its file."""
        if name.endswith(".toml"):
            return cls.read(Path(name))
        path = RECIPES / f"{name}.toml"
        if not path.exists():
            known = ", ".join(sorted(file.stem for file in RECIPES.glob("*.toml")))
            raise RecipeError(f"there is no recipe called {name!r}; there are: {known}")
        return cls.read(path)


_SECTIONS: dict[str, type[Any]] = {
    "source": Language,
    "target": Language,
    "limits": Limits,
    "schedule": Schedule,
    "untidiness": Untidiness,
    "critic": Critic,
    "guide": Guide,
    "echo": Echo,
}


def tells_of_steps(network: TextConfig) -> bool:
    """Whether such a network in training gives the weights of its steps."""
    if network.family == "transformer":
        return True
    return network.mechanism != "none" and is_plain(network)


def _frozen(value: Any) -> Any:
    """The same with tuples for its lists."""
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
