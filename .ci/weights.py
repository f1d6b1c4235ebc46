"""`make check`: weights change only with a new version and a line in the changelog.

`models/weights/VERSIONS.json` holds, for each folder, the SHA-256 of the weights of every version,
the oldest first: as many as the `version` in its `config.json`. `--record` appends a new one.
The config of a model that another distribution brings (`package`) has the digests of the files that
it borrows from models of Heed's own (`relatives`), by which it finds them. `--record` writes these.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
VERSIONS = "models/weights/VERSIONS.json"
MODEL = "model.safetensors"
Versions = dict[str, list[str]]


def digests(root: Path) -> dict[str, str]:
    """Return the SHA-256 of the weights in each folder that has some."""
    return {
        path.parent.name: _digest(path)
        for path in sorted((root / VERSIONS).parent.glob(f"*/{MODEL}"))
    }


def relatives(folder: Path, config: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the files that a model borrows from those of another distribution."""
    borrowed = (
        (config.get("tokenizer"), "tokenizer.json"),
        (config.get("known_words"), "known-words.txt.gz"),
        (config.get("shared", {}).get("from"), MODEL),
        (config["network"].get("image_encoder"), MODEL),
        ("target-words", f"{config['target']['code']}.txt.gz"),
    )
    found = {}
    for sibling, name in borrowed:
        path = folder.parent / (sibling or "") / name
        if path.is_file() and _config(path.parent).get("package") != config["package"]:
            found[f"{sibling}/{name}"] = _digest(path)
    return found


def _config(folder: Path) -> dict[str, Any]:
    """Read the config of a model; nothing of what is none, as a shared image encoder."""
    path = folder / "config.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def recorded(root: Path) -> Versions:
    """Return the digests of all versions so far."""
    path = root / VERSIONS
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def problems(root: Path) -> list[str]:
    """Return a sentence for each rule that is broken."""
    found = [each for name, digest in digests(root).items() for each in _of(root, name, digest)]
    for revision in ("HEAD", "HEAD^1"):  # the first parent of a merge is what it was merged into
        for name, old in _committed(root, revision).items():
            new = recorded(root).get(name)
            if new is not None and new[: len(old)] != old:
                found.append(f"{name}: {VERSIONS} rewrites a version that {revision} has.")
    return found


def _of(root: Path, name: str, digest: str) -> list[str]:
    versions = recorded(root).get(name, [])
    if digest not in versions[-1:]:
        return [
            f"{name}: the weights changed. Raise `version` in its config.json, add a line to "
            "CHANGELOG.md, and run `make weights`."
        ]
    found = []
    folder = (root / VERSIONS).parent / name
    if config := _config(folder):
        version = config["version"]
        if version != len(versions):
            found.append(f"{name}: config.json says version {version}, not {len(versions)}.")
        if "package" in config and config.get("relatives") != relatives(folder, config):
            found.append(f"{name}: it borrows other files than config.json says: `make weights`.")
    if len(versions) > 1 and not _in_changelog(root, name, len(versions)):
        found.append(f"{name}: no line of CHANGELOG.md names `{name}` and version {len(versions)}.")
    return found


def _in_changelog(root: Path, name: str, version: int) -> bool:
    lines = (root / "CHANGELOG.md").read_text("utf-8").splitlines()
    wanted = re.compile(rf"\bversion {version}\b")
    return any(f"`{name}`" in line and wanted.search(line) for line in lines)


def _committed(root: Path, revision: str) -> Versions:
    """Return the record as it was committed; nothing where there is no such commit or file."""
    command = ("git", "show", f"{revision}:{VERSIONS}")
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)  # noqa: S603 - ours
    return json.loads(done.stdout) if done.returncode == 0 else {}


def record(root: Path) -> None:
    """Append the digests of changed weights, and forget folders that are gone."""
    before = recorded(root)
    after: Versions = {}
    for name, digest in digests(root).items():
        versions = before.get(name, [])
        after[name] = versions if digest in versions[-1:] else [*versions, digest]
    (root / VERSIONS).write_text(json.dumps(after, indent=2) + "\n", encoding="utf-8")
    for name in after:
        folder = (root / VERSIONS).parent / name
        config = _config(folder)
        if "package" in config:
            config["relatives"] = relatives(folder, config)
            text = json.dumps(config, indent=2, ensure_ascii=False)
            (folder / "config.json").write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Check, or record with `--record`."""
    if "--record" in sys.argv[1:]:
        record(ROOT)
    sys.exit("\n".join(problems(ROOT)) or 0)


if __name__ == "__main__":
    main()
