"""A drawn picture as a file, as people send theirs."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image
from torch import Tensor


def picture_file(picture: Tensor) -> bytes:
    """Return a picture (Y, X) as a PNG, dark on light."""
    file = BytesIO()
    gray = (255 - 255 * picture.numpy()).round().astype(np.uint8)
    Image.fromarray(gray).save(file, "PNG", optimize=True)
    return file.getvalue()
