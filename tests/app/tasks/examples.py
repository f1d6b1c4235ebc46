"""A request of each task, and what is known of its answer."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.conftest import DEFAULT
from tests.models.drawn import quarters, saved
from tests.models.tiny import CHAIN, drawn_seven, png, seven

PHOTO = saved(quarters(300, 100), "JPEG")


@dataclass(frozen=True)
class Example:
    """A request of a task, and what its page shows of the answer."""

    task: str
    model: str
    fields: dict[str, Any] = field(default_factory=dict)
    photo: bytes | None = None
    steps: int | None = None
    """The number of its steps, where the request says it."""
    page: str = ""
    query: dict[str, str] = field(default_factory=dict)
    """The request in the address of the page, for tasks that are asked without a file."""
    shown: str = ""
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"/api/v1/{self.task}"

    @property
    def path(self) -> str:
        return "" if self.page == "text" else f"/{self.page}"

    def send(
        self, client: httpx.Client, headers: dict[str, str] | None = None, **changes: Any
    ) -> httpx.Response:
        """Send the request with other fields, and without those that are `...`."""
        given = self.fields | ({} if self.photo is None else {"image": self.photo}) | changes
        fields = {name: value for name, value in given.items() if value is not ...}
        if self.photo is None:
            return client.post(self.url, json=fields, headers=headers)
        parts: dict[str, Any] = {
            name: value if name == "image" else (None, text_of(value))
            for name, value in fields.items()
        }
        return client.post(self.url, files=parts, headers=headers)

    def trace(self, client: httpx.Client, **changes: Any) -> dict[str, Any]:
        answer = self.send(client, **changes)
        assert answer.status_code == 200, answer.text
        trace: dict[str, Any] = answer.json()
        return trace


def text_of(value: Any) -> str:
    """Return a value as a form has it."""
    return value if isinstance(value, str) else json.dumps(value)


STORY = {"story": "Mary went to the kitchen. Mary took the ball.", "question": "Where is the ball?"}
READ = {"text": "The keys to the zebra are old."}
EXAMPLES = [
    Example(
        *("translate", DEFAULT, {"text": "3 may 1979", "model": DEFAULT}),
        page="text",
        query={"text": "3 may 1979", "model": DEFAULT},
        shown="1979",
        refused={"text": " ", "model": DEFAULT},
    ),
    Example("caption", "caption-soft", photo=PHOTO, page="picture"),
    Example("ask", "ask", {"question": "what is it?"}, photo=PHOTO, page="picture"),
    Example("see", "vit", photo=PHOTO, steps=1, page="see"),
    Example(
        *("story", "memory", STORY),
        steps=3,
        page="story",
        query=STORY,
        shown="hop 3",
        refused=STORY | {"question": " "},
    ),
    Example(
        *("graph", "graph", {"graph": CHAIN}),
        steps=1,
        page="graph",
        query={"graph": CHAIN},
        shown="Bob",
        refused={"graph": "a - b"},
    ),
    Example(
        *("glimpse", "glimpse", {"picture": base64.b64encode(png(seven())).decode()}),
        steps=4,
        page="glimpse",
        query={"picture": drawn_seven()},
        shown="glimpse 4",
        refused={"picture": "no base64!"},
    ),
    Example(
        *("read", "reader", READ),
        steps=9,
        page="read",
        query=READ,
        shown="⟨start⟩",
        refused={"text": ""},
    ),
]
