"""A trace as a widget of a notebook, with the views of the page (the extra `notebook`).

The widget is one ES module (`static/js/notebook/widget.js`), which shows the page in a frame within
a shadow root (decision 16). Numbers travel as bytes beside the JSON that refers to them.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from heed.output.page.standalone import STATIC, in_frame, shell, standalone_page

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError(
        'The widget needs anywidget. Install it with: pip install "heed-attention[notebook]".'
    ) from error

MODULE = STATIC / "js" / "notebook" / "widget.js"


class TraceWidget(anywidget.AnyWidget):
    """The views of a trace in a notebook.

    `row` is the row of the map that is selected, counted in tokens; `kind`, `layer` and `head` name
    the map on screen. `head` is None where heads are merged. Setting one of them selects it, and
    `observe` tells of a selection.
    """

    _esm = MODULE.read_text("utf-8")
    _page = traitlets.Bytes().tag(sync=True)
    _contents = traitlets.Unicode().tag(sync=True)
    _numbers = traitlets.Bytes().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    row = traitlets.Int(None, allow_none=True, min=0).tag(sync=True)
    kind = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    layer = traitlets.Int(None, allow_none=True, min=0).tag(sync=True)
    head = traitlets.Int(None, allow_none=True, min=0).tag(sync=True)

    def __init__(self, page: str, contents: Mapping[str, Any], height: int) -> None:
        json, numbers = packed(contents)
        super().__init__(_page=_compressed(page), _contents=json, _numbers=numbers, height=height)
        self._held = page, contents

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget and, for viewers without a kernel, the page in a frame."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        page, contents = self._held
        trace, [model] = contents["trace"], contents["models"]
        file = standalone_page(page, trace, model, f"{trace['text']} · Heed")
        data, metadata = bundle
        return data | {"text/html": in_frame(file, self.height)}, metadata


def packed(value: object) -> tuple[str, bytes]:
    """Return JSON in which places stand for the arrays of a value, and the numbers as bytes."""
    arrays: list[NDArray[np.float32]] = []
    at = 0

    def placed(part: object) -> object:
        nonlocal at
        if isinstance(part, Mapping):
            return {name: placed(value) for name, value in part.items()}
        if isinstance(part, list | tuple):
            return [placed(item) for item in part]
        if not isinstance(part, np.ndarray):
            return part
        arrays.append(part.astype("<f4").ravel())
        place = {"array": {"at": at, "shape": list(part.shape)}}
        at += part.size
        return place

    json = orjson.dumps(placed(value), option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return json, b"".join(array.tobytes() for array in arrays)


@cache
def _compressed(page: str) -> bytes:
    return gzip.compress(shell(page).encode(), mtime=0)
