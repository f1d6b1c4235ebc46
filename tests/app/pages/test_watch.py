"""The records of attention while models learned, which `/learn/watch` shows."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from heed.app.pages.watch import FILE, records
from heed.app.pages.watch import MOST_BYTES as MOST_READ
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue

MOST_BYTES = 90_000
RECORDS = records(DEFAULT_DIRECTORY)


def test_an_additive_network_a_dot_product_and_a_head_of_a_transformer_were_recorded() -> None:
    assert [record["model"] for record in RECORDS] == [
        "en-fr-additive", "en-fr-dot", "en-fr-transformer",
    ]  # fmt: skip
    assert {record["model"] for record in RECORDS} <= set(Catalogue().cards)
    assert len({str(record["sentences"]) for record in RECORDS}) == 1  # they can be compared
    assert records(DEFAULT_DIRECTORY, DEFAULT_DIRECTORY) == RECORDS  # of each model the first one


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["model"])
def test_a_record_is_small_and_each_row_sums_to_one(record: dict[str, object]) -> None:
    assert (DEFAULT_DIRECTORY / str(record["model"]) / FILE).stat().st_size <= MOST_BYTES
    moments: list[dict[str, list[list[list[float]]]]] = record["moments"]  # type: ignore[assignment]
    updates = [moment["update"] for moment in moments]
    assert updates == sorted(updates, key=float)  # type: ignore[arg-type]
    for moment in moments:
        for rows in moment["maps"]:
            assert all(sum(row) == pytest.approx(1, abs=0.02) for row in rows)


@pytest.mark.parametrize("record", RECORDS[1:], ids=lambda record: record["model"])
def test_a_shorter_training_has_a_loss_that_falls(record: dict[str, object]) -> None:
    assert record["shorter"]
    losses = [moment["loss"] for moment in record["moments"]]  # type: ignore[attr-defined]
    assert losses == sorted(losses, reverse=True)


def test_the_page_names_each_record(client: httpx.Client) -> None:
    page = client.get("/learn/watch")
    assert page.status_code == 200
    assert ">en-fr-additive</option>" in page.text
    assert ">en-fr-transformer, layer 1, head 1 (a shorter training)</option>" in page.text


def test_the_json_of_the_records_is_made_once() -> None:
    assert RECORDS.json is RECORDS.json
    assert json.loads(RECORDS.json) == [*RECORDS]


def test_a_broken_record_is_left_out_with_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    good = (DEFAULT_DIRECTORY / "en-fr-dot" / FILE).read_bytes()
    short = json.loads(good)
    short["moments"][1]["maps"][2].pop()
    broken = {
        "a": b"{",
        "b": b"\xff",
        "c": b"[]",
        "d": json.dumps(json.loads(good) | {"sentences": []}).encode(),
        "e": json.dumps(short).encode(),
        "f": good + b" " * MOST_READ,
    }
    for name, content in {**broken, "good": good}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / FILE).write_bytes(content)
    assert records(tmp_path) == (RECORDS[1],)
    assert len(caplog.messages) == len(broken)
    for name, line in zip(broken, caplog.messages, strict=True):
        assert line.startswith(f"{tmp_path / name / FILE} is left out of /learn/watch: ")
