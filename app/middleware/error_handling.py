"""Errors that no exception handler of the application has caught."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.errors import HeedError, log_internal_error
from heed.app.http.error_responses import error_response
from heed.app.inference.jobs import AbandonedError
from heed.app.middleware.access_log import route_of


class ErrorHandling:
    """Responds with the errors of other middleware, and with 500 to unexpected ones.

    A response that has started stays incomplete, and the server closes the connection.

    The exception handlers of FastAPI run inside all middleware, and its handler of `Exception`
    outside of it, where a response gets neither its headers nor its line in the log.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and respond to what it raises."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_watched)
        except (AbandonedError, ClientDisconnect):
            return  # no client is left to read a response
        except HeedError as error:
            response = error_response(Request(scope), error)
            if not started:
                await response(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - logged as a defect
            place = f"{route_of(scope)} request={scope.get('request_id')}"
            response = error_response(Request(scope), log_internal_error(error, place))
            if not started:
                await response(scope, receive, send)
