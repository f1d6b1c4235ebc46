"""The models of a server."""

from __future__ import annotations

from typing import Literal

from heed.app.schemas.base import Wire
from heed.models.trace import Order


class LanguageOut(Wire):
    """A language or notation: its code and its name."""

    code: str
    name: str


class ModelOut(Wire):
    """One model of the catalogue."""

    id: str
    name: str
    task: str
    source: LanguageOut
    target: LanguageOut
    family: str
    """Family of its network, for example `recurrent` or `transformer`."""
    mechanism: str
    formula: str
    """Score e of a query q and a key k by this mechanism, or how it does without scores."""
    paper: str
    """Reference to the paper that defines the score."""
    order: Order
    input_feeding: bool
    """True if the attentional vector of a step is an input of the next (Luong et al. 2015)."""
    heads: int
    layers: int
    parameters: int
    bytes: int
    """Size of the file of the weights."""
    weights: str
    """SHA-256 of the weights, including those of a shared image encoder."""
    granularity: Literal["characters", "subwords"]
    """The kind of its tokens."""
    quality: dict[str, float]
    """Metrics on held-out data; the card explains them."""
    limits: dict[str, int]
    """Maximum `characters` and `tokens` of the input and `steps` of the output."""
    examples: list[str]
    hints: dict[str, str]
    """Explanations of some of the examples."""
    guided: str
    """Description of the attention that was supervised in training; empty if none was."""
    unguided: str
    """Id of the same network with an attention that was not supervised; empty if there is none."""
    learned_from: str
    """The kind of examples it was trained on, in a few words; empty if its card alone says it."""
    default: bool
    """True if it handles requests that name no model: one model for text, one for each task with
    pictures."""
    loaded: bool
    card: str
    """The card, in Markdown."""


class MissingModelOut(Wire):
    """A model of Heed whose weights are not installed."""

    id: str
    name: str
    task: str
    install: str
    """The sentence with the command that brings it."""


class ModelsOut(Wire):
    """The models of the server, the best first."""

    models: list[ModelOut]
    missing: list[MissingModelOut]
    """The models that Heed knows and this server lacks; a request for one gets 422."""
