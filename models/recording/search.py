"""The searches that a model can write with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heed.models.trace import SearchRequest


@dataclass(frozen=True, slots=True)
class Greedy:
    """The most probable token at every step.

    >>> Greedy().request
    SearchRequest(kind='greedy', beam=1, seed=0, temperature=1.0, length_penalty=1.0)
    """

    @property
    def request(self) -> SearchRequest:
        """The search, as a trace has it."""
        return SearchRequest()

    @property
    def options(self) -> dict[str, Any]:
        """The search, as `generate` of transformers takes it."""
        return {"do_sample": False, "num_beams": 1}


@dataclass(frozen=True, slots=True)
class Beam:
    """The best of several hypotheses that are written side by side; a trace has all of them.

    >>> Beam(4).request.beam
    4
    """

    width: int = 4
    length_penalty: float = 1.0

    def __post_init__(self) -> None:
        if self.width < 1:
            raise ValueError(f"a beam has at least one hypothesis, not {self.width}")

    @property
    def request(self) -> SearchRequest:
        """The search, as a trace has it."""
        return SearchRequest("beam", self.width, length_penalty=self.length_penalty)

    @property
    def options(self) -> dict[str, Any]:
        """The search, as `generate` of transformers takes it."""
        return {
            "do_sample": False,
            "num_beams": self.width,
            "num_return_sequences": self.width,
            "length_penalty": self.length_penalty,
        }


@dataclass(frozen=True, slots=True)
class Sample:
    """A token drawn at every step; the same seed draws the same tokens.

    >>> Sample(seed=3).request.kind
    'sample'
    """

    seed: int = 0
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if self.temperature <= 0:
            raise ValueError(f"the temperature must be above 0, not {self.temperature}")

    @property
    def request(self) -> SearchRequest:
        """The search, as a trace has it."""
        return SearchRequest("sample", seed=self.seed, temperature=self.temperature)

    @property
    def options(self) -> dict[str, Any]:
        """The search, as `generate` of transformers takes it."""
        return {"do_sample": True, "num_beams": 1, "temperature": self.temperature, "top_k": 0}


Search = Greedy | Beam | Sample


def search_of(request: SearchRequest) -> Search:
    """Return the search of a request.

    >>> search_of(SearchRequest("beam", 3))
    Beam(width=3, length_penalty=1.0)
    """
    match request.kind:
        case "beam":
            return Beam(request.beam, request.length_penalty)
        case "sample":
            return Sample(request.seed, request.temperature)
    return Greedy()
