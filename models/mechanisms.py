"""The attention mechanisms by name, as configurations, the API and the documentation have them.

The scores themselves are classes in `networks/attention.py`. Importing this module does not import
torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Mechanism:
    """An attention mechanism: its name, the formula of its score, and the paper it comes from."""

    name: str
    formula: str  # of the score e of a query q and a key k
    paper: str
    attends: bool = True  # false where no key is scored


def _by_name(*mechanisms: Mechanism) -> dict[str, Mechanism]:
    return {mechanism.name: mechanism for mechanism in mechanisms}


MECHANISMS: Final = _by_name(
    Mechanism(
        "none",
        "none: the context is one fixed vector, the last state of the encoder in each direction",
        "Sutskever et al. 2014",
        attends=False,
    ),
    Mechanism("additive", "vᵀ tanh(W q + U k + b)", "Bahdanau et al. 2015, appendix A.1.2"),
    Mechanism("concat", "vᵀ tanh(W [q; k])", "Luong et al. 2015, equation 8"),
    Mechanism("dot", "q·k", "Luong et al. 2015, equation 8"),
    Mechanism("general", "qᵀ W k", "Luong et al. 2015, equation 8"),
    Mechanism("scaled", "q·k / √d", "Vaswani et al. 2017, equation 1"),
    Mechanism(
        "multihead",
        "scaled dot products in H subspaces, concatenated and projected",
        "Vaswani et al. 2017, section 3.2.2",
    ),
)
"""The scores that a recurrent network can be configured with."""

HARD: Final = "hard"  # the mechanism that draws a single cell at each step
PICTURE_MECHANISMS: Final = _by_name(
    Mechanism("soft", "vᵀ tanh(W q + U k + b)", "Xu et al. 2015, section 4.2"),
    Mechanism(HARD, "vᵀ tanh(W q + U k + b)", "Xu et al. 2015, section 4.1"),
)
"""The ways in which a captioner uses the weights of the cells: their mean, or a single cell."""

MEMORY_MECHANISMS: Final = _by_name(
    Mechanism("memory", "u·m", "Sukhbaatar et al. 2015, equation 1"),
)
"""The match of a question with the sentences of a story, hop after hop."""

GRAPH_MECHANISMS: Final = _by_name(
    Mechanism("graph", "a·LeakyReLU(q + k)", "Brody et al. 2022, equation 7"),
)
"""The match of a node with each of its neighbours and with itself."""

GLIMPSE_MECHANISMS: Final = _by_name(
    Mechanism("glimpse", "l = tanh(location(h))", "Mnih et al. 2014, section 3.1", attends=False),
)
"""The choice of the one place that is looked at next: no place is scored."""

INTRA_MECHANISMS: Final = _by_name(
    Mechanism("intra", "vᵀ tanh(W h + U x + Z h̃ + b)", "Cheng et al. 2016, equation 4"),
)
"""The match of an LSTM's earlier states with the last word and the last summary."""


def mechanism_named(name: str) -> Mechanism:
    """Return the mechanism of this name, or raise `ValueError`."""
    known = (
        MECHANISMS
        | PICTURE_MECHANISMS
        | MEMORY_MECHANISMS
        | GRAPH_MECHANISMS
        | GLIMPSE_MECHANISMS
        | INTRA_MECHANISMS
    )
    if name not in known:
        raise ValueError(f"there is no mechanism {name!r}, only {', '.join(known)}")
    return known[name]
