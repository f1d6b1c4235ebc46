from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from heed.app.cli import main
from heed.app.commands import doctor as doctor_module
from heed.app.traces.sqlite_store import FILE, SQLiteStore
from heed.models.catalogue import DEFAULT_DIRECTORY


@pytest.fixture(autouse=True)
def _one_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "dates-additive").symlink_to(DEFAULT_DIRECTORY / "dates-additive")
    monkeypatch.setenv("HEED_WEIGHTS", str(tmp_path / "weights"))
    monkeypatch.setenv("HEED_STORE", str(tmp_path / "kept"))
    monkeypatch.setenv("HEED_PORT", "0")


def found(capsys: pytest.CaptureFixture[str], code: int) -> str:
    assert main(["doctor"]) == code
    return capsys.readouterr().out


def test_a_sound_installation_has_no_problems(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = SQLiteStore(tmp_path / "kept", max_bytes=10**6)
    store.save(b"{}")
    report = found(capsys, 0)
    store.close()
    assert report.endswith("No problems found.\n")
    for what in ("python", "packages", "models", "threads", "files", "store", "port"):
        assert re.search(rf"^(ok  |note) +{what} ", report, re.MULTILINE), what
    assert re.search(r"dates-additive can be read; digest of its weights: [0-9a-f]{12}…", report)
    assert "Saved traces: 1; the file is intact" in report


def test_a_setting_out_of_bounds_is_a_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_QUEUE_SIZE", "0")
    assert "BAD  settings  HEED_QUEUE_SIZE=0 is invalid" in found(capsys, 1)


def test_unreadable_weights_are_a_problem(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "weights" / "dates-additive"
    files = {path.name: path.read_bytes() for path in model.iterdir() if path.is_file()}
    model.unlink()
    model.mkdir()
    for name, content in files.items():
        (model / name).write_bytes(b"broken" if name.endswith(".safetensors") else content)
    report = found(capsys, 1)
    assert "BAD  models    dates-additive cannot be read" in report
    assert "1 problem found." in report


def test_a_folder_without_models_is_a_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(tmp_path / "nowhere"))
    assert "BAD  models    There is no folder" in found(capsys, 1)


def test_a_port_in_use_is_a_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setenv("HEED_PORT", str(other.getsockname()[1]))
        assert "BAD  port" in found(capsys, 1)


def test_an_unusable_store_is_a_problem(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("in the way")
    assert "BAD  store" in found(capsys, 1)
    (tmp_path / "kept").unlink()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / FILE).write_bytes(b"another file" * 100)
    assert "cannot be read" in found(capsys, 1)


def test_unusual_settings_and_versions_are_notes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_THREADS", "256")
    monkeypatch.setenv("HEED_THREDS", "1")
    wanted = ["orjson==0.0.1", "numpy>=1"]
    monkeypatch.setattr(doctor_module, "requires", lambda _: wanted)
    report = found(capsys, 0)
    assert "note threads" in report
    assert "Did you mean HEED_THREADS?" in report
    assert re.search(r"note packages  orjson is [\d.]+; tested with ==0.0.1.", report)
    wanted.append("nothing-of-the-kind==1")
    assert "BAD  packages  nothing-of-the-kind is missing" in found(capsys, 1)


@pytest.mark.parametrize(
    ("installed", "needs", "said"),
    [
        ("2.13.0+cpu", [], r"ok +torch +2\.13\.0, the CPU build\."),
        ("2.13.0", ["filelock"], r"ok +torch +2\.13\.0, the CPU build\."),
        ("2.13.0", ["nvidia-cudnn-cu13==9"], r"note +torch +2\.13\.0 with CUDA; .*/whl/cpu"),
        ("2.13.0+cu130", [], r"note +torch +2\.13\.0 with cu130; .*/whl/cpu"),
    ],
)
def test_the_build_of_torch_is_reported(
    installed: str,
    needs: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(doctor_module, "version", lambda _: installed)
    monkeypatch.setattr(doctor_module, "requires", lambda name: needs if name == "torch" else [])
    assert re.search(said, found(capsys, 0))


def test_the_runtime_of_the_translators_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor"])
    assert re.search(r"ok +kernels +compiled for", capsys.readouterr().out)
    monkeypatch.setattr(doctor_module, "compiled_for", lambda: None)
    main(["doctor"])
    assert re.search(r"note +kernels +none for this processor", capsys.readouterr().out)
    monkeypatch.setattr(doctor_module, "kernels_are_outdated", lambda: True)
    assert re.search(r"note +kernels +.*compiled from another source", found(capsys, 0))


def test_the_memory_that_the_settings_add_up_to_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HEED_CACHE_BYTES")  # which all tests set
    main(["doctor"])
    assert re.search(r"ok +memory +a server takes up to 470 MiB", capsys.readouterr().out)
    monkeypatch.setenv("HEED_WORK_BYTES", str(1024 * 1024 * 1024))
    monkeypatch.setattr(doctor_module, "free_ram", lambda: 10.0**9)
    main(["doctor"])
    report = capsys.readouterr().out
    assert re.search(r"note +memory +a server takes up to 1434 MiB .* only 953 MiB", report)
