"""The wheel is one complete package, which others extend, and leaves those of its names alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from PIL import Image, ImageDraw

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from tests.browser.server import serving

ROOT = Path(__file__).parents[1]
MORE = ROOT / "packages" / "heed-attention-models"
FRONT_PAGE = {"en-fr-additive", "en-fr-none", "caption-soft", "image-encoder"}
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
GUIDE = (ROOT / "docs" / "packaged-models.md").read_text("utf-8")
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"
LEFT_OUT = """
[mypy]
[mypy-torch.*,transformers.*,ray.*,IPython.*,huggingface_hub.*]
follow_imports = skip
"""  # thousands of files that the types of a trace do not depend on

IMPORT_ALL = """
import importlib, pkgutil, sys
import heed

EXTRAS = {"anywidget", "huggingface_hub", "onnx", "psycopg", "ray", "redis", "sentencepiece",
          "sqlalchemy", "transformers"}

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(name=name.partition(".")[0])

sys.meta_path.insert(0, Missing())
count = 0
for module in pkgutil.walk_packages(heed.__path__, "heed."):
    if module.name.endswith("__main__") or ".kernels-" in module.name:
        continue
    try:
        importlib.import_module(module.name)
        count += 1
    except ImportError as error:
        if (error.__cause__ or error).name not in EXTRAS:
            raise
print(count)
"""
COMMANDS = """
import shlex, sys
from heed.app.cli import main

for line in sys.argv[1:]:
    assert main(shlex.split(line)) == 0, line
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command outside the checkout's import path and return its output."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an unpacked source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    name = run(sys.executable, "-c", BUILD, "build_sdist", folder, cwd=ROOT).splitlines()[-1]
    with tarfile.open(folder / name) as archive:
        archive.extractall(folder, filter="data")
    return folder / name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from the source distribution."""
    folder = tmp_path_factory.mktemp("wheel")
    name = run(sys.executable, "-c", BUILD, "build_wheel", folder, cwd=sources).splitlines()[-1]
    return folder / name


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a virtual environment with the wheel and what the wheel depends on."""
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=environment)
    python = environment / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=environment)
    # Its own packages come first; the tests' lend the rest, but for the editable install of Heed.
    lent = sysconfig.get_path("purelib")
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "lent.pth").write_text(f"{lent}\n", encoding="utf-8")
    return python


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that has packages `app` and `models` of its own."""
    for name in ("app", "models"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"NAME = 'my {name}'\n", encoding="utf-8")
    return tmp_path


def test_the_wheel_holds_all_that_is_served_in_one_package(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    assert {"heed/py.typed", "heed/app/main.py"} <= names
    for folder in ("static", "templates"):
        files = (path for path in (ROOT / folder).rglob("*") if path.is_file())
        assert {f"heed/{path.relative_to(ROOT).as_posix()}" for path in files} <= names
    for model in ("en-fr-additive", "en-fr-none", "caption-soft", "image-encoder"):
        assert f"heed/models/weights/{model}/model.safetensors" in names
    assert wheel.stat().st_size < 60e6
    about = f"heed_attention-{VERSION}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"heed", about}


def test_the_two_distributions_hold_each_model_once(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    project = tomllib.loads((MORE / "pyproject.toml").read_text("utf-8"))
    brought = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for path in DEFAULT_DIRECTORY.glob("*/model.safetensors"):
        model = path.parent.name
        config = path.parent / "config.json"
        about = json.loads(config.read_text("utf-8")) if config.exists() else {}
        elsewhere = about.get("package") == project["project"]["name"]
        packed = {name for name in names if name.startswith(f"heed/models/weights/{model}/")}
        assert (f"heed/models/weights/{model}/model.safetensors" in packed) is not elsewhere
        if elsewhere:
            assert {Path(name).name for name in packed} == {"config.json", "CARD.md"}
            assert brought.pop(f"../../models/weights/{model}") == f"heed_attention_models/{model}"
        else:
            assert path.stat().st_size < 4 * 1024**2 or model in FRONT_PAGE
    assert not brought


def test_the_wheel_holds_every_module_of_the_checkout(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    modules = {f"heed/{path.name}" for path in (ROOT / "heed").iterdir() if path.is_file()}
    for folder in ("app", "models", "output"):
        files = (ROOT / folder).rglob("*.py")
        modules |= {f"heed/{path.relative_to(ROOT).as_posix()}" for path in files}
    assert modules - names == set()


def test_every_module_of_the_wheel_can_be_imported(python: Path, project: Path) -> None:
    assert int(run(python, "-c", IMPORT_ALL, cwd=project)) > 200


def test_the_calls_of_the_readme_run_from_the_wheel(python: Path, project: Path) -> None:
    (project / "static").symlink_to(ROOT / "static", target_is_directory=True)
    digit = Image.new("L", (60, 60))
    ImageDraw.Draw(digit).line([(30, 10), (30, 50)], fill=255, width=4)
    digit.save(project / "digit.png")
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^\.venv/bin/heed (.+)$", readme, re.MULTILINE)
    assert len(commands) > 8
    run(python, "-c", COMMANDS, *commands, cwd=project)
    for page in (readme, (ROOT / "packages/heed-attention/README.md").read_text("utf-8")):
        (block,) = re.findall(r"```python\n(.+?)```", page, re.DOTALL)
        assert "Je ne sais pas où elle vit." in run(python, "-c", block, cwd=project)


def test_the_library_draws_and_saves_from_the_wheel(python: Path, project: Path) -> None:
    guide = (ROOT / "docs/your-own-model.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.+?)```", guide, re.DOTALL)
    (recording,) = (block for block in blocks if "MultiheadAttention(" in block)
    (saving,) = (block for block in blocks if "trace.save(" in block)
    photo = ROOT / "static/samples/photographer.jpg"
    code = f"import heed\n{recording}\ntrace = heed.trace('caption-soft', {str(photo)!r})\n{saving}"
    run(python, "-c", f"{code}\ntrace.save('figure.png')\ntrace.to_svg(row=2)", cwd=project)
    files = {path.name for path in project.iterdir()}
    assert {"trace.html", "trace.npz", "trace.json", "figure.svg", "figure.png"} <= files


def test_a_project_keeps_its_own_packages_beside_the_installed_one(
    python: Path, project: Path
) -> None:
    code = (
        "import app, models, heed, heed.app.main, heed.models.trace;"
        "print(app.NAME, models.NAME, heed.__version__, heed.__file__, sep='|')"
    )
    mine, theirs, version, place = run(python, "-c", code, cwd=project).strip().split("|")
    assert (mine, theirs, version) == ("my app", "my models", VERSION)
    assert Path(place).is_relative_to(python.parents[1])


def test_the_installed_command_runs_with_the_weights_of_the_wheel(
    python: Path, project: Path
) -> None:
    heed = python.parent / "heed"
    assert "translate" in run(heed, "--help", cwd=project)
    shown = run(heed, "models", cwd=project)
    assert all(model in shown for model in Catalogue(DEFAULT_DIRECTORY).cards)


@pytest.fixture(scope="module")
def guests(python: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Packages of others in the environment: that of the guide, a folder of models, and a wreck."""
    [project] = (
        block for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.S) if "name" in block
    )
    [module] = re.findall(r"```python\n(.*?)```", GUIDE, re.S)
    wreck = project.replace("backwards", "wreck"), "raise OSError('broken')\n"
    for name, (about, code) in {"backwards": (project, module), "wreck": wreck}.items():
        folder = tmp_path_factory.mktemp(name)
        (folder / "pyproject.toml").write_text(about, "utf-8")
        (folder / f"heed_{name}.py").write_text(code, "utf-8")
        _install(folder, python)
    folder = tmp_path_factory.mktemp("folder")
    one_line = 'my-models = "my_models"'
    assert one_line in GUIDE
    entry = project.replace('backwards = "heed_backwards:backwards"', one_line)
    (folder / "pyproject.toml").write_text(entry.replace("heed-backwards", "my-models"), "utf-8")
    shutil.copytree(DEFAULT_DIRECTORY / "dates-dot", folder / "my_models" / "mine")
    (folder / "my_models" / "__init__.py").write_text("raise OSError('not imported')\n", "utf-8")
    config = folder / "my_models" / "mine" / "config.json"
    config.write_text(config.read_text("utf-8").replace('"dates-dot"', '"mine"', 1), "utf-8")
    _install(folder, python)


def _install(folder: Path, python: Path) -> None:
    """Build the wheel of a project, and install it."""
    name = run(sys.executable, "-c", BUILD, "build_wheel", folder, cwd=folder).splitlines()[-1]
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", folder / name, cwd=folder)


@pytest.mark.usefixtures("guests")
def test_models_of_other_packages_are_in_catalogue_page_api_and_command_line(
    python: Path, project: Path
) -> None:
    heed = python.parent / "heed"
    assert run(heed, "translate", "stressed", "--model", "backwards", "--quiet", cwd=project) == (
        "desserts\n"
    )
    report = run(heed, "doctor", cwd=project)
    assert "backwards can be read" in report
    assert "note models    The entry point wreck of heed-wreck cannot be used: OSError" in report
    assert "10 are not installed. Install it with: pip install heed-attention-models" in report
    assert "No problems found." in report
    with (
        running([heed, "serve", "--port", "0"], project) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        listed = client.get("/api/v1/models").json()
        ids = [model["id"] for model in listed["models"]]
        assert {"backwards", "mine"} <= {*ids}
        assert ids.index("mine") > ids.index("vit")
        assert {model["id"] for model in listed["missing"]} >= {"en-fr-dot", "caption-hard"}
        body = {"text": "3 may", "model": "mine"}
        assert client.post("/api/v1/translate", json=body).json()["text"]
        refused = client.post("/api/v1/translate", json={**body, "model": "en-fr-dot"}).json()
        assert "pip install heed-attention-models" in refused["error"]["message"]
        page = client.get("/").text
        assert '<option value="backwards">Backwards</option>' in page
        assert re.search(r'<option value="en-fr-dot" disabled title="pip install [^"]+">', page)


@contextmanager
def running(command: Sequence[str | Path], folder: Path) -> Iterator[str]:
    """Run a server, and yield its address."""
    with subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout
        found = re.search(r"http://\S+:\d+", server.stdout.readline())
        assert found
        try:
            yield found[0]
        finally:
            server.terminate()


def test_mypy_finds_the_types_of_the_installed_package(python: Path, project: Path) -> None:
    (project / "mine.py").write_text(
        "from heed.models.trace import AttentionMap, Trace\n\n\n"
        "def first(trace: Trace) -> AttentionMap:\n"
        "    reveal_type(trace.text)\n"
        "    return trace.output.maps[0]\n",
        encoding="utf-8",
    )
    settings = project / "mypy.ini"
    settings.write_text(LEFT_OUT, encoding="utf-8")
    shown = run(
        *(sys.executable, "-m", "mypy", "--strict", "--python-executable", python),
        *("--config-file", settings, "--cache-dir", project / ".mypy_cache", "mine.py"),
        cwd=project,
    )
    assert 'Revealed type is "str"' in shown.replace("builtins.", "")
    assert "Success: no issues found in 1 source file" in shown


def test_nothing_served_comes_from_another_host() -> None:
    for folder, pattern in (("templates", "*.html"), ("static", "*.css"), ("static", "*.js")):
        for path in (ROOT / folder).rglob(pattern):
            for attribute in re.findall(
                r"""(?:src|href|url|from|import)\W{1,2}https?://\S+""", path.read_text()
            ):
                pytest.fail(f"{path.name}: {attribute}")


def test_the_wait_for_a_server_that_says_nothing_ends(tmp_path: Path) -> None:
    silent = tmp_path / "heed"
    silent.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    silent.chmod(0o755)
    with (
        pytest.raises(AssertionError, match="the server did not start"),
        serving(heed=[silent], seconds=0.1),
    ):
        pass
