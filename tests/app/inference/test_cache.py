"""Cached answers, within a limit of bytes."""

from heed.app.inference.cache import OVERHEAD, Cache


def test_the_least_recently_used_answer_is_removed_first() -> None:
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


def test_an_answer_larger_than_its_share_is_not_cached() -> None:
    cache = Cache(1000 * OVERHEAD)
    cache.put("small", b"1")
    cache.put("huge", bytes(500 * OVERHEAD))
    assert cache.get("huge") is None
    assert cache.get("small") == b"1"


def test_a_cache_of_size_zero_stores_nothing() -> None:
    cache = Cache(0)
    cache.put("a", b"")
    assert cache.get("a") is None
    assert cache.taken == 0


def test_an_answer_that_is_stored_twice_counts_once() -> None:
    cache = Cache(1000 * OVERHEAD)
    cache.put("a", b"1")
    cache.put("a", b"1")
    assert cache.taken == OVERHEAD + 1
