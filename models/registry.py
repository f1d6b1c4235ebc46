"""The network of each family, by its configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar, overload

from heed.models.config import (
    CaptionConfig,
    GlimpseConfig,
    GraphConfig,
    LSTMNConfig,
    MemoryNetworkConfig,
    NetworkConfig,
    PictureConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TextConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VisionConfig,
    VQAConfig,
)
from heed.models.networks.captioners import RecurrentCaptioner, TransformerCaptioner
from heed.models.networks.glimpse_network import GlimpseNetwork
from heed.models.networks.graph_network import GraphNetwork
from heed.models.networks.lstmn import LSTMN
from heed.models.networks.memory_network import MemoryNetwork
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import Transformer
from heed.models.networks.vision_transformer import VisionTransformer
from heed.models.networks.vqa import VQANetwork

TextNetwork = Seq2Seq | Transformer
CaptionNetwork = RecurrentCaptioner | TransformerCaptioner
PictureNetwork = CaptionNetwork | VQANetwork
StepNetwork = TextNetwork | PictureNetwork  # writes token by token
Network = StepNetwork | MemoryNetwork | GraphNetwork | LSTMN | GlimpseNetwork | VisionTransformer

C = TypeVar("C", bound=NetworkConfig)
Builder = Callable[[NetworkConfig], Network]


def _family(
    config: type[C], network: Callable[[C], Network]
) -> tuple[type[NetworkConfig], Builder]:
    """Pair the configuration of a family with what builds its network."""

    def build(given: NetworkConfig) -> Network:
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
        _family(MemoryNetworkConfig, MemoryNetwork),
        _family(GraphConfig, GraphNetwork),
        _family(LSTMNConfig, LSTMN),
        _family(GlimpseConfig, GlimpseNetwork),
        _family(VisionConfig, VisionTransformer),
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
def build_network(config: MemoryNetworkConfig) -> MemoryNetwork: ...
@overload
def build_network(config: GraphConfig) -> GraphNetwork: ...
@overload
def build_network(config: GlimpseConfig) -> GlimpseNetwork: ...
@overload
def build_network(config: LSTMNConfig) -> LSTMN: ...
@overload
def build_network(config: NetworkConfig) -> Network: ...
def build_network(config: NetworkConfig) -> Network:
    """Build a fresh network of this shape."""
    return NETWORKS[type(config)](config)
