"""Recipe of a translator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heed.models.card import Language, Limits
from heed.models.config import TextConfig
from training.common.recipe import Recipe
from training.common.self_critical import SelfCritical
from training.text.attention_snapshots import AttentionSnapshots
from training.text.data.corpora import Corpus, Distillation, SourceNoise
from training.text.guided_alignment import GuidedAlignment
from training.text.manual_bptt import is_supported


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRecipe(Recipe):
    """A translator, its data and its training."""

    source: Language
    target: Language
    limits: Limits
    network: TextConfig
    corpus: Corpus | None = None  # None: the generator of dates
    source_noise: SourceNoise = field(default_factory=SourceNoise)
    self_critical: SelfCritical = field(default_factory=SelfCritical)
    guided_alignment: GuidedAlignment = field(default_factory=GuidedAlignment)
    distillation: Distillation = field(default_factory=Distillation)
    attention_snapshots: AttentionSnapshots = field(default_factory=AttentionSnapshots)
    examples: tuple[str, ...] = ()
    start: str | None = None  # a model whose weights it starts from, where they fit
    fresh: tuple[str, ...] = ()  # patterns of the names of parameters that it does not take over
    unguided: str = ""  # id of its counterpart whose attention nothing guided
    spaced: bool = False  # a lower-case word at the start gets the pieces it has after a space
    frozen: tuple[str, ...] = ()  # patterns of the names of parameters that are not trained

    def problems(self) -> Iterator[str]:
        """Yield guidance or distillation that does not fit."""
        if self.guided_alignment.maps and self.network.family != "transformer":
            yield "guided_alignment: `maps` needs a Transformer"
        if self.guided_alignment.links and not has_step_weights(self.network):
            yield "guided_alignment: `links` needs a network with attention"
        if self.distillation.teachers and "en" not in (self.corpus.pair if self.corpus else ()):
            yield "distillation: the corpus needs English as one language"


def has_step_weights(network: TextConfig) -> bool:
    """Return whether training such a network gives the attention weights of its steps."""
    if network.family == "transformer":
        return True
    return network.mechanism != "none" and is_supported(network)
