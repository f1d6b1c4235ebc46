"""What wrk prints, read."""

import pytest

from benchmarks.wrk import SCRIPT, Load, NobodyError, read

PRINTED = """Running 3s test @ http://127.0.0.1:8000/api/v1/translate
  1 threads and 32 connections
  1062 requests in 3.00s, 9.11MB read
Requests/sec:    353.77
Transfer/sec:      3.04MB

{"requests":1062,"microseconds":3000000,"p50":88000.0,"p99":120500.0,"failed":2}
"""


def test_what_it_prints_is_understood() -> None:
    assert read(PRINTED) == Load(requests_per_second=354, p50=88, p99=120.5, failed=2)


def test_silence_is_an_error() -> None:
    with pytest.raises(ValueError, match="said nothing"):
        read("unable to connect to 127.0.0.1:8000 Connection refused")


def test_a_server_too_slow_to_answer_anybody_is_told_apart() -> None:
    with pytest.raises(NobodyError):
        read(PRINTED.replace('"requests":1062', '"requests":0'))


def test_the_script_prints_what_is_read() -> None:
    printed = SCRIPT.read_text("utf-8")
    for key in ("requests", "microseconds", "p50", "p99", "failed"):
        assert f'"{key}":%' in printed
