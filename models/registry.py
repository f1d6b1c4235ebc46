"""The networks that write token by token, by their configurations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar, overload

from heed.models.config import (
    CaptionConfig,
    NetworkConfig,
    PictureConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TextConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VQAConfig,
)
from heed.models.networks.captioners import RecurrentCaptioner, TransformerCaptioner
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import Transformer
from heed.models.networks.vqa import VQANetwork

TextNetwork = Seq2Seq | Transformer
CaptionNetwork = RecurrentCaptioner | TransformerCaptioner
PictureNetwork = CaptionNetwork | VQANetwork
StepNetwork = TextNetwork | PictureNetwork

C = TypeVar("C", bound=NetworkConfig)
Builder = Callable[[NetworkConfig], StepNetwork]


def _family(
    config: type[C], network: Callable[[C], StepNetwork]
) -> tuple[type[NetworkConfig], Builder]:
    """Pair the configuration of a family with what builds its network."""

    def build(given: NetworkConfig) -> StepNetwork:
        if not isinstance(given, config):
            raise TypeError(f"{type(given).__name__} is not a {config.__name__}")
        return network(given)

    return config, build


NETWORKS: Final[dict[type[NetworkConfig], Builder]] = dict(
    (
        _family(RecurrentConfig, Seq2Seq),
        _family(TransformerConfig, Transformer),
        _family(RecurrentCaptionerConfig, RecurrentCaptioner),
        _family(TransformerCaptionerConfig, TransformerCaptioner),
        _family(VQAConfig, VQANetwork),
    )
)


@overload
def build_network(config: TextConfig) -> TextNetwork: ...
@overload
def build_network(config: CaptionConfig) -> CaptionNetwork: ...
@overload
def build_network(config: VQAConfig) -> VQANetwork: ...
@overload
def build_network(config: PictureConfig) -> PictureNetwork: ...
@overload
def build_network(config: NetworkConfig) -> StepNetwork: ...
def build_network(config: NetworkConfig) -> StepNetwork:
    """Build a fresh network of this shape."""
    return NETWORKS[type(config)](config)
