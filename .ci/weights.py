"""`make check`: weights change only with a new version and a line in the changelog.

`models/weights/VERSIONS.json` holds, for each folder, the SHA-256 of the weights of every version,
the oldest first: as many as the `version` in its `config.json`. `--record` appends a new one.
The config of a model that another distribution brings (`package`) has the digests of the files that
it borrows from models of Heed's own (`relatives`), by which it finds them. `--record` writes these.
Between two versions of Heed, the weights of a model are committed at most once.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
VERSIONS = "models/weights/VERSIONS.json"
WEIGHTS = "model.safetensors"
RULE = ".ci/weights.py", "def repetitions"
"""This file, and a line of it by which Git finds the commit that began to count."""
UNCOUNTED = "How often weights were committed was not checked: this is no clone of a repository."
SHALLOW = "Weights were counted since {since} alone, because this clone has no older commits."
Versions = dict[str, list[str]]


def digests(root: Path) -> dict[str, str]:
    """Return the SHA-256 of the weights in each folder that has some."""
    return {
        path.parent.name: _digest(path)
        for path in sorted((root / VERSIONS).parent.glob(f"*/{WEIGHTS}"))
    }


def relatives(folder: Path, config: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the files that a model borrows from those of another distribution."""
    borrowed = (
        (config.get("tokenizer"), "tokenizer.json"),
        (config.get("known_words"), "known-words.txt.gz"),
        (config.get("shared", {}).get("from"), WEIGHTS),
        (config["network"].get("image_encoder"), WEIGHTS),
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
    return json.loads(_git(root, "show", f"{revision}:{VERSIONS}") or "{}")


def counted_since(root: Path) -> str | None:
    """Return the last version before this commit: its tag, or the commit that raised the number.

    Before the second version, it is the commit that began to count, or the oldest of a clone
    without that one; None outside of a repository.
    """
    if tag := _git(root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^"):
        return tag.strip()
    log = ("log", "--format=%h", "-G", '^version = "', "--", "pyproject.toml")
    raised = _git(root, *log).split()
    if len(raised) > 1:  # the oldest one wrote the first number
        return raised[0]
    path, line = RULE
    began = _git(root, "log", "--format=%h", "-S", line, "--", path).split()
    return began[-1] if began else None


def repetitions(root: Path, since: str) -> list[str]:
    """Return a sentence for each model whose weights were committed more than once since then.

    Git keeps each of them for ever. Weights that were moved, or cherry-picked, are the same ones.
    """
    old = set(_git(root, "ls-tree", "-r", "--format=%(objectname)", since).split())
    new: dict[str, set[str]] = defaultdict(set)
    shown = ("--no-merges", "--no-renames", "--diff-filter=d", "--raw", "--no-abbrev", "--format=")
    log = _git(root, "log", *shown, f"{since}..HEAD", "--", f"*/{WEIGHTS}")
    for line in log.splitlines():
        change, _, path = line.partition("\t")
        new[Path(path).parent.name].add(change.split()[3])
    return [
        f"{name}: {len(found - old)} weights were committed since {since}. Make them one commit: "
        "at most one of a model is kept for each version."
        for name, found in new.items()
        if len(found - old) > 1
    ]


def _is_shallow(root: Path) -> bool:
    return _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"


def _git(root: Path, *arguments: str) -> str:
    """Return the output of a command of Git, nothing if it fails."""
    command = ("git", *arguments)
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)  # noqa: S603 - ours
    return done.stdout if done.returncode == 0 else ""


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
    since = counted_since(ROOT)
    if since is None:
        print(UNCOUNTED)
    elif _is_shallow(ROOT) and not _git(ROOT, "rev-parse", f"{since}^"):
        print(SHALLOW.format(since=since))
    sys.exit("\n".join(problems(ROOT) + (repetitions(ROOT, since) if since else [])) or 0)


if __name__ == "__main__":
    main()
