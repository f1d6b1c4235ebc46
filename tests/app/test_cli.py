from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from heed.app.cli import main
from tests.conftest import DEFAULT, wait_for

DATE = "the 3rd of may 1979"
HEED = [sys.executable, "-m", "heed.app"]
ROOT = Path(__file__).parents[2]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*HEED, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=60, **options
    )


def test_the_output_stands_alone_on_the_first_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", DATE, "--model", "dates-additive"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1979-05-03"
    assert "the␣3rd␣of␣may␣1979∎" in lines[2]
    assert len(lines) == 16


def test_rare_and_ignored_words_are_named_below_the_map(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for model in ("en-fr-additive", "en-fr-none"):
        assert main(["translate", "I love Zorblax 😀.", "--model", model]) == 0
        output = " ".join(capsys.readouterr().out.split())
        notes = "Ignored (unknown to this model): “😀”. Rare in training, so the model may guess: "
        assert f"{notes}“Zorblax”." in output
        assert main(["translate", "I love you.", "--model", model]) == 0
        out = capsys.readouterr().out
        assert "Rare" not in out
        assert "Ignored" not in out


def test_quiet_prints_the_output_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", DATE, "--quiet"]) == 0
    assert capsys.readouterr().out == "1979-05-03\n"


def test_json_has_the_requested_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    for vectors in ("cross", "all"):
        command = ["translate", "Good morning.", "--model", "en-fr-transformer", "--json"]
        assert main([*command, "--vectors", vectors]) == 0
        maps = json.loads(capsys.readouterr().out)["maps"]
        assert all("queries" in one for one in maps) == (vectors == "all")


def test_the_catalogue_as_json_equals_the_response_of_the_api(
    capsys: pytest.CaptureFixture[str], client: httpx.Client
) -> None:
    assert main(["models", "--json"]) == 0
    mine = json.loads(capsys.readouterr().out)["models"]
    for model in (other := client.get("/api/v1/models").json()["models"]):
        model["loaded"] = False
    assert mine == other


def test_the_catalogue_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    out = capsys.readouterr().out
    assert f"{DEFAULT} (default)" in out
    assert "dates-dot" in out


def test_searches_and_targets(capsys: pytest.CaptureFixture[str]) -> None:
    for options, kind in (
        (["--beam", "3"], "beam"),
        (["--seed", "7"], "sample"),
        (["--temperature", "0.5"], "sample"),
        (["--target", "1980-05-03"], "greedy"),
    ):
        assert main(["translate", DATE, "--json", *options]) == 0
        assert json.loads(capsys.readouterr().out)["request"]["search"]["kind"] == kind


def test_unknown_options_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["translate"], ["translate", DATE, "--bem", "2"], ["sing"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2


def test_help_lists_the_commands_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    for word in ("serve", "translate", "models", "exit codes", "130"):
        assert word in out


def test_missing_weights_are_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(tmp_path / "nowhere"))
    for arguments in (["translate", DATE], ["models"], ["serve", "--port", "0"]):
        assert main(arguments) == 1
        assert "no folder" in capsys.readouterr().err


def test_an_invalid_setting_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_THREADS", "many")
    assert main(["models"]) == 1
    assert "HEED_THREADS=many" in capsys.readouterr().err


def test_an_unavailable_port_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert f"Port {port} of 127.0.0.1 is in use" in capsys.readouterr().err
    assert main(["serve", "--port", "0", "--host", "nowhere.invalid"]) == 1
    assert "nowhere.invalid" in capsys.readouterr().err
    assert main(["serve", "--port", "70000"]) == 1
    assert "HEED_PORT=70000" in capsys.readouterr().err


def test_a_closed_pipe_is_not_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*HEED, "models", "--json"], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_catalogue_and_the_help_need_no_torch() -> None:
    code = (
        "import sys, heed.app.main as _; from heed.app.cli import main; main(['models']);"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "False", done.stderr


def accept_interrupts() -> None:
    """Accept SIGINT as in a terminal; background processes of a script ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_serve_serves_until_it_is_interrupted() -> None:
    serving = subprocess.Popen(
        [*HEED, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        preexec_fn=accept_interrupts,
    )
    assert serving.stdout
    assert serving.stderr
    try:
        output = serving.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:\d+", output)
        assert found, output
        url = found.group()
        wait_for(lambda: httpx.get(f"{url}/readyz").status_code == 200)
        assert httpx.post(f"{url}/api/v1/translate", json={"text": DATE}).status_code == 200
        serving.send_signal(signal.SIGINT)
        assert serving.wait(60) == 130
        assert b"Traceback" not in serving.stderr.read()
    finally:
        serving.kill()
        serving.stdout.close()
        serving.stderr.close()
        serving.wait()
