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

from heed.app.pages.modules import AxisKind
from heed.app.pages.standalone import STATIC, framed_page, in_frame, standalone_page

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError(
        'The widget needs anywidget. In the checkout of Heed: pip install -e ".[notebook]".'
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

    def __init__(self, kind: AxisKind, contents: Mapping[str, Any], height: int) -> None:
        json, numbers = packed(contents)
        super().__init__(_page=_compressed(kind), _contents=json, _numbers=numbers, height=height)
        self._held = kind, contents

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget and, for viewers without a kernel, the page in a frame."""
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        kind, contents = self._held
        trace, [model] = contents["trace"], contents["models"]
        page = standalone_page(kind, trace, model, f"{trace['text']} · Heed")
        data, metadata = bundle
        return data | {"text/html": in_frame(page, self.height)}, metadata


def packed(value: object) -> tuple[str, bytes]:
    """Return JSON in which places stand for the arrays of a value, and the numbers as bytes."""
    arrays: list[NDArray[np.float32]] = []
    at = 0

    def placed(found: object) -> object:
        nonlocal at
        if isinstance(found, Mapping):
            return {name: placed(value) for name, value in found.items()}
        if isinstance(found, list | tuple):
            return [placed(item) for item in found]
        if not isinstance(found, np.ndarray):
            return found
        arrays.append(found.astype("<f4").ravel())
        place = {"array": {"at": at, "shape": list(found.shape)}}
        at += found.size
        return place

    json = orjson.dumps(placed(value), option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return json, b"".join(array.tobytes() for array in arrays)


@cache
def _compressed(kind: AxisKind) -> bytes:
    return gzip.compress(framed_page(kind).encode(), mtime=0)
