"""Clients take turns in a line, whatever the number of their requests."""

from __future__ import annotations

from heed.app.inference.fairness import Turns, ahead, place_for


def served(line: list[str]) -> list[str]:
    turns, order = Turns(), []
    while line:
        client = line.pop(turns.first(line))
        turns.serve(client, line)
        order.append(client)
    return order


def test_clients_take_turns() -> None:
    assert served([*"aaaabbc"]) == [*"abcabaa"]


def test_whoever_waits_alone_is_served_in_order() -> None:
    turns = Turns()
    turns.serve("a", ["a"])
    assert turns.first(["a", "a"]) == 0


def test_a_client_that_comes_back_is_served_after_those_who_wait() -> None:
    turns = Turns()
    turns.serve("a", ["b", "b"])
    assert turns.first(["a", "b"]) == 1


def test_the_last_place_of_the_client_with_most_is_taken() -> None:
    assert place_for("b", [*"aaba"]) == 3
    assert place_for("c", [*"aab"]) == 1


def test_no_place_is_taken_from_a_client_with_hardly_more() -> None:
    assert place_for("b", [*"aab"]) is None
    assert place_for("a", [*"aaa"]) is None
    assert place_for("c", [*"ab"]) is None
    assert place_for("a", []) is None


def test_of_each_other_client_as_many_are_ahead_as_one_has_and_one_more() -> None:
    line, sizes = [*"aaabb"], [1, 2, 4, 8, 16]
    assert ahead("c", line, sizes) == 1 + 8
    assert ahead("b", line, sizes) == 1 + 2 + 4 + 8 + 16
    assert ahead("a", line, sizes) == sum(sizes)
