"""Clients take turns in a line, whatever the number of their requests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heed.app.inference.fairness import RoundRobin, evicted_by, next_of


@dataclass(eq=False)
class Asked:
    """A request of a client."""

    client: str
    round: int = 0
    keeps_place: bool = False


def line_of(clients: Iterable[str], rounds: RoundRobin | None = None) -> list[Asked]:
    """Return a line of requests in the order of their arrival."""
    rounds, line = rounds or RoundRobin(), list[Asked]()
    for client in clients:
        line.append(Asked(client, rounds.round_of(client, line)))
    return line


def served(clients: str, *, coming_back: str = "", most: int = 100) -> str:
    """Return the clients in the order in which they are served; some come back at once."""
    rounds = RoundRobin()
    line, order = line_of(clients, rounds), ""
    while line and len(order) < most:
        request = next_of(line)
        line.remove(request)
        rounds.serve(request)
        order += request.client
        if request.client in coming_back:
            line.append(Asked(request.client, rounds.round_of(request.client, line)))
    return order


def test_clients_take_turns() -> None:
    assert served("aaaabbc") == "abcabaa"


def test_whoever_waits_alone_is_served_in_order() -> None:
    assert served("aaa") == "aaa"


def test_clients_that_come_back_pass_nobody_twice() -> None:
    assert served("stbbb", coming_back="st", most=9) == "stbbstbst"


def test_a_request_that_was_given_up_costs_no_turn() -> None:
    rounds = RoundRobin()
    line = line_of("abbbb", rounds)
    del line[1:]
    assert rounds.round_of("b", line) == 0


def test_the_last_place_of_the_client_with_most_is_taken() -> None:
    for clients, newcomer, place in (("aaba", "b", 3), ("aab", "c", 1)):
        line = line_of(clients)
        assert evicted_by(newcomer, line) is line[place]


def test_no_place_is_taken_from_a_client_with_hardly_more() -> None:
    for clients, newcomer in (("aab", "b"), ("aaa", "a"), ("ab", "c"), ("", "a")):
        assert evicted_by(newcomer, line_of(clients)) is None


def test_work_that_goes_on_keeps_its_place_and_counts() -> None:
    line = [Asked("a", keeps_place=True) for _ in range(6)] + [Asked("b"), Asked("b")]
    assert evicted_by("a", line) is None
    assert evicted_by("c", line) is line[-1]
