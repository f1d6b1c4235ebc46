"""Routes for sharing a page: its QR code, and its citation."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.errors import RequestError
from heed.app.http.disconnect import on_disconnect
from heed.app.http.hall import hall_address
from heed.app.pages.citations import citation
from heed.app.pages.qr_code import qr_svg
from heed.models.mechanisms import mechanism_named

router = APIRouter(include_in_schema=False)

SVG = "image/svg+xml"
BIBTEX = "text/x-bibtex; charset=utf-8"
PRIVATE = {"Cache-Control": "no-store"}
"""The address is that of the client's own request."""


@router.get("/qr.svg")
async def qr_code(request: Request, service: ServiceDep, of: str = "/") -> Response:
    """The QR code of a path of this site, at the address at which other devices reach it."""
    address = hall_address(request, of)
    drawn = await service.qr_codes.run(lambda _check: qr_svg(address), on_disconnect(request))
    return Response(drawn, headers=PRIVATE, media_type=SVG)


@router.get("/cite.bib")
async def cited(service: ServiceDep, model: str = "") -> Response:
    """Heed, and the paper of the mechanism of a model, as BibTeX."""
    card = service.catalogue.cards.get(model)
    if model and card is None:
        raise RequestError("not_found", "There is no such model.")
    return Response(
        citation(mechanism_named(card.mechanism).paper if card else ""), media_type=BIBTEX
    )
