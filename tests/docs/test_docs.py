"""The documents describe the code as it is."""

import json
import re
import shlex
import tomllib
from itertools import chain
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from heed.app.inference.limits import most_memory
from heed.app.settings import Settings
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.mechanisms import MECHANISMS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONSTRAINTS = (ROOT / "constraints.txt").read_text().split()
CARDS = Catalogue(DEFAULT_DIRECTORY).cards
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES = [*TOP, *sorted((ROOT / "docs").rglob("*.md"))]
RECORDS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))


def test_the_table_of_mechanisms_has_the_formulas_and_papers_of_the_registry() -> None:
    text = (ROOT / "docs/attention.md").read_text()
    heading = "| mechanism | score | reference |\n|---|---|---|\n"
    rows = text.split(heading)[1].split("\n\n")[0].splitlines()
    assert rows == [
        f"| `{each.name}` | {each.formula} | {each.paper} |" for each in MECHANISMS.values()
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_docs_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    text = page.read_text()
    for target in re.findall(r"(?:^ *|`)make ([a-z-]+)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"make {target}"
    for command in re.findall(
        r"(?:^ *|`|HEED_\S+ )(?:\.venv/bin/)?heed ([a-z]+)", text, re.MULTILINE
    ):
        assert command in _commands(), f"heed {command}"


def _commands() -> set[str]:
    from heed.app.cli import _parser

    actions = _parser()._actions
    return {
        name for action in actions if isinstance(action.choices, dict) for name in action.choices
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_sections_exist(page: Path) -> None:
    for link, section in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text()):
        target = page.parent / link if link else page
        headings = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
        assert section in slugs, f"{link}#{section}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_named_files_exist(page: Path) -> None:
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in link:
            assert (page.parent / link).exists(), link
    if (ROOT / "docs/lab") in page.parents:
        return  # a file that a note names may be gone
    for name in re.findall(r"`((?:app|models|training|docs|static|tests)/[\w./-]+)`", text):
        assert (ROOT / name).exists(), name


def test_the_api_call_of_the_readme_works_as_printed(client: httpx.Client) -> None:
    block = re.search(r"^ *curl .+?\n\n", README, re.DOTALL | re.MULTILINE)
    assert block, "README shows a call with curl"
    command, _, answer = block[0].replace("\\\n", " ").partition("\n")
    words = shlex.split(command)
    url = next(word for word in words if word.startswith("http"))
    assert url.startswith("http://127.0.0.1:8000/")
    data = words[words.index("-d") + 1]
    response = client.post(
        url.removeprefix("http://127.0.0.1:8000"),
        content=data,
        headers={"Content-Type": "application/json", "Accept": "application/json"},
    )
    assert response.status_code == 200, response.text
    shown = re.search(r'"text": ?"([^"]+)"', answer + README.split(block[0])[1])
    assert shown, "README shows the text of the answer"
    assert response.json()["text"] == shown[1]


def test_the_python_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.+?)```", README, re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out == "Je ne sais pas où elle vit. (9, 9)\n"


def test_the_commands_of_the_readme_run(capsys: pytest.CaptureFixture[str]) -> None:
    from heed.app.cli import main

    lines = re.findall(r"^\.venv/bin/heed (translate .+|models)$", README, re.MULTILINE)
    assert len(lines) > 2
    for line in lines:
        assert main(shlex.split(line)) == 0
        assert capsys.readouterr().out


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_a_decision_record_is_short(record: Path) -> None:
    text = record.read_text()
    number = int(record.name[:4])
    assert text.startswith(f"# {number}. ")
    assert len(text.splitlines()) <= 30


# --- cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", CARDS)
def test_a_card_has_the_measured_figures(model: str) -> None:
    card = CARDS[model]
    assert card.quality, "measured with `make evaluate`"
    for name, value in card.quality.items():
        row = re.search(rf"\| `{name}` \| ([\d.,]+) \|", card.text)
        assert row, f"{name} stands in the card's table"
        assert float(row[1].replace(",", "")) == value, name


@pytest.mark.parametrize("model", CARDS)
def test_a_card_has_the_required_sections(model: str) -> None:
    card = CARDS[model]
    assert len(card.text.splitlines()) <= 40
    assert card.text.startswith(f"# {card.id}\n")
    for heading in ("Trained on", "Recipe", "Size and speed", "Quality", "Known weaknesses"):
        assert f"## {heading}" in card.text
    assert f"{card.parameters:,}" in card.text
    assert (ROOT / "training/recipes" / f"{model}.toml").exists()


def test_the_models_stay_small() -> None:
    assert sum(path.stat().st_size for path in DEFAULT_DIRECTORY.rglob("*")) < 132e6


# --- operations --------------------------------------------------------------------


def test_the_table_of_memory_has_the_defaults_and_their_sum() -> None:
    text = (ROOT / "docs/operations.md").read_text()
    table = text.split("## Memory\n")[1].split("\n\n")[1]
    rows = [[cell.strip(" `*") for cell in row.split("|")[1:4]] for row in table.splitlines()[2:]]
    *parts, (_, total, _) = rows
    assert int(total) == sum(int(size) for _, size, _ in parts) <= 512
    assert int(total) == most_memory(Settings()) // 1024 // 1024
    listed = {setting: int(size) for _, size, setting in parts if setting}
    assert listed.keys() == {
        *("HEED_MODEL_BYTES", "HEED_WORK_BYTES", "HEED_MAX_HELD_BYTES"),
        *("HEED_CACHE_BYTES", "HEED_RUN_BYTES"),
    }
    for setting, size in listed.items():
        name = setting.removeprefix("HEED_").lower()
        assert Settings.model_fields[name].default == size * 1024 * 1024, setting


def test_every_metric_is_documented(client: httpx.Client) -> None:
    text = (ROOT / "docs/operations.md").read_text()
    types = re.findall(
        r"^# TYPE (heed_\w+) (?!gauge\b.*_created)", client.get("/metrics").text, re.M
    )
    names = {re.sub(r"_created$", "", name) for name in types}
    assert len(names) > 8
    for name in names:
        assert f"`{name.removesuffix('_total')}" in text, name


def test_every_fault_and_fuzz_test_is_documented() -> None:
    text = (ROOT / "docs/operations.md").read_text()
    for folder in ("faults", "fuzz"):
        for path in (ROOT / "tests" / folder).glob("test_*.py"):
            assert f"`tests/{folder}/{path.name}`" in text


# --- the image --------------------------------------------------------------------------------

DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_image_has_the_pinned_torch_as_its_cpu_build() -> None:
    pinned = next(line for line in CONSTRAINTS if line.startswith("torch=="))
    index = "--index-url https://download.pytorch.org/whl/cpu --no-deps\n"
    assert f"pip install {pinned} {index}" in DOCKERFILE
    assert "--extra-index-url" not in DOCKERFILE


def test_the_image_installs_pinned_packages_by_digest() -> None:
    lock = _plain((ROOT / "requirements.lock").read_text())
    assert "pip install --require-hashes --no-deps -r requirements.lock" in DOCKERFILE
    for line in PROJECT["project"]["dependencies"]:
        needed = Requirement(line)
        name = _plain(needed.name)
        if name != "torch":  # the image's platform has all the others
            [pinned] = re.findall(rf"^{re.escape(name)}==(\S+) \\\n +--hash=sha256:", lock, re.M)
            assert needed.specifier.contains(pinned), line


def test_every_package_that_heed_needs_was_tested_in_its_lowest_version() -> None:
    """The range of each begins at the version of constraints.txt, or at the start of its series."""
    extras = PROJECT["project"]["optional-dependencies"].values()
    tested = {_plain(line.partition("==")[0]): line.partition("==")[2] for line in CONSTRAINTS}
    for line in [*PROJECT["project"]["dependencies"], *chain.from_iterable(extras)]:
        needed = Requirement(line)
        [lowest] = [each.version for each in needed.specifier if each.operator == ">="]
        version = tested[_plain(needed.name)]
        assert version == lowest or version.startswith(f"{lowest}."), line


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def test_every_package_of_the_image_but_torch_has_a_digest() -> None:
    for command in re.findall(r"pip install (.+)", DOCKERFILE):
        pinned = "--require-hashes" in command
        own = command.split()[-1] == "." and {"--no-index", "--no-build-isolation"} <= {
            *command.split()
        }
        assert pinned or own or command.startswith("torch=="), command
    lock = (ROOT / "requirements.lock").read_text()
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert all(f"{package} \\\n    --hash=sha256:" in lock for package in backend)


def test_the_image_is_built_in_stages_and_runs_without_privileges() -> None:
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert stages == ["${PYTHON}", "${PYTHON}"]
    assert re.search(r"^ARG PYTHON=python:3\.11\.\d+-slim-\w+$", DOCKERFILE, re.MULTILINE)
    last = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    assert re.search(r"^USER heed$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "/healthz" in last


def test_the_image_stores_saved_traces_in_a_writable_volume() -> None:
    last = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    assert "HEED_STORE=/data" in last
    assert "install --directory --owner heed --mode 700 /data" in last
    assert last.index("/data") < last.index("VOLUME /data")


def test_the_image_copies_files_that_exist_and_are_not_ignored() -> None:
    seen = (ROOT / ".dockerignore").read_text().splitlines()
    for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists()
            assert f"!{source}" in seen


def test_the_command_of_the_image_is_valid() -> None:
    command = json.loads(re.search(r"^CMD (\[.+\])$", DOCKERFILE, re.MULTILINE)[1])  # type: ignore[index]
    assert command[0] in PROJECT["project"]["scripts"]
    from heed.app.cli import _parser

    given = _parser().parse_args(command[1:])
    assert given.host == "0.0.0.0"
    assert given.port == 8000


def test_the_recipe_in_the_docs_is_valid(tmp_path: Path) -> None:
    from training.text.recipe import TextRecipe

    text = (ROOT / "docs/training.md").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1])  # type: ignore[index]
    recipe = TextRecipe.named(str(path))
    assert recipe.corpus
    assert recipe.corpus.dev == ("mine.dev.tsv",)
