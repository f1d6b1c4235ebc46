"""Limits for all clients together: bytes that the server has in memory, and connections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from heed.app.errors import ServiceUnavailable

SHARE = 3
"""A client may hold this many times what is still free: three quarters of all if it is alone, and
however many clients take as much as they may, something is left for another one."""
IDLE = 16
"""If less than this part is reserved, anything is granted, even a trace that is larger than the
memory."""


def budget_for(size: int) -> int:
    """Return the memory of which a client may hold so many bytes, if it is alone."""
    return -(-size * (SHARE + 1) // SHARE)


@dataclass(slots=True)
class SharedBytes:
    """A response that is being sent; several requests may have the same object from the cache."""

    content: bytes
    client: str
    users: int = 0


class Shares:
    """An amount of something, of which each client may take three times what is free."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.reserved = 0
        self._by_client: Counter[str] = Counter()

    def grant(self, client: str, amount: int = 1) -> bool:
        """Reserve an amount for a client; return false if it is more than the client may take."""
        free = self.most - self.reserved - amount
        busy = self.reserved * IDLE >= self.most
        if busy and self._by_client[client] + amount > SHARE * free:
            self._forget(client)
            return False
        self.reserved += amount
        self._by_client[client] += amount
        return True

    def release(self, client: str, amount: int = 1) -> None:
        """Return a reserved amount."""
        self.reserved -= amount
        self._by_client[client] -= amount
        self._forget(client)

    def _forget(self, client: str) -> None:
        if self._by_client[client] <= 0:
            del self._by_client[client]


class BodyBudget(Shares):
    """Bytes that request bodies, uploads, traces to be saved and responses may take together."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._shared: dict[int, SharedBytes] = {}

    def reserve(self, client: str, size: int) -> None:
        """Reserve so many bytes for a client, or raise `ServiceUnavailable`."""
        if not self.grant(client, size):
            raise out_of_memory()

    def reserve_shared(self, client: str, content: bytes) -> None:
        """Reserve the bytes of a response, unless another response with this object did."""
        shared = self._shared.get(id(content))
        if shared is None:
            self.reserve(client, len(content))
            shared = self._shared[id(content)] = SharedBytes(content, client)
        shared.users += 1

    def release_shared(self, content: bytes) -> None:
        """Return the bytes of a response when the last one with this object was sent."""
        shared = self._shared[id(content)]
        shared.users -= 1
        if not shared.users:
            del self._shared[id(content)]
            self.release(shared.client, len(content))


def out_of_memory() -> ServiceUnavailable:
    """Return the error of a request whose bytes cannot be reserved."""
    message = "Too many requests and responses are in memory. Try again in a moment."
    return ServiceUnavailable(message)


class Reservation:
    """The bytes that one request has reserved, until it is answered."""

    def __init__(self, budget: BodyBudget, find_client: Callable[[], str]) -> None:
        self._budget = budget
        self._find_client = find_client
        self._client: str | None = None
        self._responses: list[bytes] = []
        self.received = 0

    def receive(self, size: int) -> None:
        """Reserve a part of the request body."""
        self._budget.reserve(self._address(), size)
        self.received += size

    def begin_response(self, content: bytes) -> None:
        """Reserve the response, or the next part of it."""
        self._budget.reserve_shared(self._address(), content)
        self._responses.append(content)

    def end_response(self) -> None:
        """Return what was reserved for the response."""
        while self._responses:
            self._budget.release_shared(self._responses.pop())

    def close(self) -> None:
        """Return everything."""
        self.end_response()
        if self.received:
            self._budget.release(self._address(), self.received)

    def _address(self) -> str:
        if self._client is None:
            self._client = self._find_client()
        return self._client
