"""How a request gets to the function of its route: with what that takes, and no more ado."""

from __future__ import annotations

import inspect
from enum import Enum
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.routing import Router
from starlette.types import Receive, Scope, Send

from heed.app.container import service_of

API = "/api/v1"


class Route(APIRoute):
    """A route whose function is given the request, the parts of the server, and what its path says.

    What FastAPI does on the way there (dependencies, bodies, stacks of what is to be closed) takes
    a third of the time of an answer that is known already, and nothing here needs it: bodies are
    read within their limits by the functions themselves. It is the declarations that are wanted of
    it, for the documentation of the API.
    """

    def __init__(self, path: str, endpoint: Any, **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self._takes = tuple(inspect.signature(endpoint).parameters)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the function, and send what it answers."""
        if scope["method"] not in (self.methods or ()):
            await super().handle(scope, receive, send)  # which says what the path knows instead
            return
        request = Request(scope, receive, send)
        given = {"request": request, "parts": service_of(request), **request.path_params}
        answer = await self.endpoint(**{name: given[name] for name in self._takes})
        await answer(scope, receive, send)


class Ways:
    """Finds the route of a path: by its name, if it has no parts that are not fixed."""

    def __init__(self, router: Router) -> None:
        self._router = router
        plain = [one for one in router.routes if isinstance(one, Route) and "{" not in one.path]
        self._plain = {(one.path, method): one for one in plain for method in one.methods or ()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the request answered by its route, or the router say that there is none."""
        if scope["type"] == "http":
            route = self._plain.get((scope["path"], scope["method"]))
            if route is not None:
                scope["route"], scope["path_params"] = route, {}
                await route.handle(scope, receive, send)
                return
        await self._router(scope, receive, send)


def routes(prefix: str = "", *tags: str | Enum, listed: bool = True) -> APIRouter:
    """A router of such routes below a path, to be taken over whole by the application."""
    return APIRouter(
        prefix=prefix,
        tags=list(tags),
        include_in_schema=listed,
        route_class=Route,
        generate_unique_id_function=lambda route: route.name,
    )
