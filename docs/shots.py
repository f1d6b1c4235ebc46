"""The pictures of the documentation: pages of Heed, in the state that an address gives them."""

from __future__ import annotations

from dataclasses import dataclass

HOUSE = "The white house on the hill belongs to my old friend."
GIRL = "A little girl in a red dress is playing with a big black dog."
PLAY = "We watched a play while the children play."


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot: the address of the page, and the part of it to take."""

    name: str
    settings: dict[str, str]
    width: int = 1280
    height: int = 900
    part: str | None = None  # selector; without one, the window
    dark: bool = False
    path: str = "/"


SHOTS = [
    Shot("page", {"text": HOUSE, "step": "2"}, height=800),
    Shot("ribbons", {"text": HOUSE, "view": "ribbons", "step": "3"}, part=".picture"),
    Shot("step", {"text": PLAY, "view": "step", "step": "4"}, width=1180, part=".picture"),
    Shot(
        "compare",
        {"text": GIRL, "view": "compare", "with": "en-fr-general", "step": "5"},
        part=".picture",
    ),
    Shot("heads", {"text": HOUSE, "model": "en-fr-transformer", "view": "heads"}, part=".picture"),
    Shot(
        "head",
        {"text": PLAY, "model": "en-fr-transformer", "view": "step", "step": "8"},
        width=1180,
        part=".picture",
    ),
    Shot("held", {"text": HOUSE, "columns": "2 3", "rows": "2", "step": "2"}, part=".picture"),
    Shot("picture", {"view": "sheet", "step": "2"}, height=1180, path="/picture"),
    Shot("phone", {"text": PLAY, "step": "8"}, width=390, height=844, dark=True),
]
