"""`make dist-test`: installs `dist/` into a clean environment as a reader would, without an index.

`pip download` collects the packages that Heed needs in `.cache/wheelhouse`. Then an older version
of `heed-attention` is installed, upgraded, joined by `heed-attention-models`, and replaced by the
wheel without kernels; each time `heed serve` answers, and the page is opened in Chromium. A trace
that the older version saved opens in the newer one. Prints times and sizes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import FLAGS, find  # noqa: E402 - by the line above
from tests.browser.server import serving  # noqa: E402

DIST, HOUSE = ROOT / "dist", ROOT / ".cache" / "wheelhouse"
CPU = "https://download.pytorch.org/whl/cpu"
COMMAND_SECONDS, SERVER_SECONDS = 1800, 300
"""The longest waits: for a download on a busy machine, and for a server that starts."""
SENTENCE = "I do not know where she lives."
VERSION = re.compile(r'^version = "(.*)"$', re.MULTILINE)
OLDER, GONE = "0.0.1", "output/gone.py"
"""The version that is upgraded, and a module that only it has."""
OFFLINE = ("--no-index", f"--find-links={DIST}", f"--find-links={HOUSE}")


def main() -> None:
    """Install, serve and look, four times."""
    HOUSE.mkdir(parents=True, exist_ok=True)
    constraints = ROOT / "constraints.txt"
    [pure] = DIST.glob("heed_attention-*-any.whl")
    download = ("--only-binary=:all:", f"--extra-index-url={CPU}")
    with _timed("collect the packages that Heed needs"):
        _run(sys.executable, "-m", "pip", "download", "--quiet", *download,
             f"--constraint={constraints}", f"--dest={HOUSE}", pure)  # fmt: skip
    for own in HOUSE.glob("heed_attention*"):
        own.unlink()  # it stands in dist
    with TemporaryDirectory() as name:
        folder = Path(name)
        _run(sys.executable, "-m", "venv", folder / "env", cwd=folder)
        heed = folder / "env" / "bin" / "heed"
        wheel = _older(folder)
        with _timed("pip install heed-attention"):
            _install(folder, wheel)
        assert _run(heed, "--version", cwd=folder) == f"heed {OLDER}\n"
        [gone] = (folder / "env").glob(f"lib/python*/site-packages/heed/{GONE}")
        with _served(heed, folder) as page:
            saved = _saved(page)
        with _timed("pip install --upgrade heed-attention"):
            _install(folder, "--upgrade", "heed-attention")
        assert _run(heed, "--version", cwd=folder) == f"heed {_version()}\n"
        assert not gone.exists()
        report = _run(heed, "doctor", cwd=folder)
        assert "10 are not installed. Install it with: pip install heed-attention-models" in report
        assert re.search(r"ok +torch .* the CPU build", report), report
        assert re.search(r"ok +kernels +compiled for", report), report
        with _timed("heed serve, and the first page"), _served(heed, folder) as page:
            _translates(page, "Je ne sais pas où elle vit.")
            expect(page.locator("#model option:disabled")).to_have_count(8)
            page.goto(saved)
            _shows(page, "Je ne sais pas où elle vit.")
            page.goto("/?model=en-fr-transformer")
            expect(page.locator("#form-error")).to_contain_text("heed-attention-models")
        with _timed("pip install heed-attention-models"):
            _install(folder, "heed-attention-models")
        assert "not installed" not in _run(heed, "doctor", cwd=folder)
        with _served(heed, folder) as page:
            _translates(page, "Je ne sais pas où elle habite.", "en-fr-transformer")
            expect(page.locator("#model option:disabled")).to_have_count(0)
        _install(folder, "--force-reinstall", "--no-deps", pure)
        report = _run(heed, "doctor", cwd=folder)
        assert re.search(r"note +kernels +none for this processor", report), report
        with _served(heed, folder) as page:
            _translates(page, "Je ne sais pas où elle habite.", "en-fr-transformer")
        own = [*(folder / "env").glob("lib/python*/site-packages/heed*")]
        sizes = {each.name: _size(each) for each in [folder / "env", *own] if each.is_dir()}
        print(*(f"{size / 1e6:7.1f} MB  {what}" for what, size in sizes.items()), sep="\n")


def _older(folder: Path) -> Path:
    """Build a wheel of an older version from the source distribution, and return its path."""
    [archive] = DIST.glob("heed_attention-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    sources = folder / archive.name.removesuffix(".tar.gz")
    about = sources / "pyproject.toml"
    numbered, count = VERSION.subn(f'version = "{OLDER}"', about.read_text("utf-8"), count=1)
    assert count, "pyproject.toml has no version"
    about.write_text(numbered, "utf-8")
    (sources / GONE).write_text('"""A module of the older version."""\n', "utf-8")
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         f"--wheel-dir={folder}", sources, HEED_KERNELS="none")  # fmt: skip
    [wheel] = folder.glob("*.whl")
    return wheel


def _version() -> str:
    """Return the version that was built."""
    found = VERSION.search((ROOT / "pyproject.toml").read_text("utf-8"))
    assert found, "pyproject.toml has no version"
    return found[1]


def _saved(page: Page) -> str:
    """Save a trace, and return the path of its page."""
    trace = page.request.post("/api/v1/translate", data={"text": SENTENCE}).json()
    path: str = page.request.post("/api/v1/traces", data=trace).json()["url"]
    return path


def _install(folder: Path, *what: object) -> None:
    _run(folder / "env" / "bin" / "pip", "install", "--quiet", *OFFLINE, *what, cwd=folder)


def _translates(page: Page, text: str, model: str = "") -> None:
    page.goto(f"/?text={SENTENCE}&model={model}")
    _shows(page, text)


def _shows(page: Page, text: str) -> None:
    expect(page.locator("#stage[data-state=ready] #wrote")).to_contain_text(
        re.compile(r"\s*".join(map(re.escape, text.split())))
    )


@contextmanager
def _served(heed: Path, folder: Path) -> Iterator[Page]:
    """Start the server on a free port, and open a browser at its address."""
    environment = {**_environment(), "HEED_STORE": str(folder / "store")}
    with (
        serving(environment, folder, [heed], SERVER_SECONDS) as address,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=find(), args=FLAGS)
        page = browser.new_page(base_url=address)
        page.goto("/")
        yield page
        browser.close()


@contextmanager
def _timed(what: str) -> Iterator[None]:
    begun = time.monotonic()
    yield
    print(f"{time.monotonic() - begun:7.1f} s   {what}", flush=True)


def _run(*command: object, cwd: Path = ROOT, **more: str) -> str:
    done = subprocess.run(  # noqa: S603 - ours
        [str(part) for part in command],
        cwd=cwd,
        env={**_environment(), **more},
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
    )
    if done.returncode:
        sys.exit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def _environment() -> dict[str, str]:
    """Return an environment without what belongs to the checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
