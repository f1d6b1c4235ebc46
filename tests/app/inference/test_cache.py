"""Answers that are kept, within a room."""

from heed.app.inference.cache import OVERHEAD, Cache


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache = Cache(10 * OVERHEAD)
    for key in "abcd":
        cache.put(key, bytes(OVERHEAD))
    assert cache.get("a")
    cache.put("e", bytes(OVERHEAD))
    cache.put("f", bytes(OVERHEAD))
    assert cache.get("a")
    assert cache.get("b") is None
    assert len(cache) == 5
    assert cache.taken == 10 * OVERHEAD


def test_one_answer_does_not_push_out_all_others() -> None:
    cache = Cache(1000 * OVERHEAD)
    cache.put("small", b"1")
    cache.put("huge", bytes(500 * OVERHEAD))
    assert cache.get("huge") is None
    assert cache.get("small") == b"1"


def test_no_room_keeps_nothing() -> None:
    cache = Cache(0)
    cache.put("a", b"")
    assert cache.get("a") is None
    assert cache.taken == 0


def test_an_answer_is_kept_once() -> None:
    cache = Cache(1000 * OVERHEAD)
    cache.put("a", b"1")
    cache.put("a", b"1")
    assert cache.taken == OVERHEAD + 1
