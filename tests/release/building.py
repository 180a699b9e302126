"""Builds wheel and sdist of the last commit, so that everybody gets the same bytes: `make dist`.

    python -m tests.release.building           into dist/
    python -m tests.release.building --twice   in two folders, and compares

The files are taken from the commit and not from the work tree, and every date in the packages is the commit's
(SOURCE_DATE_EPOCH, reproducible-builds.org). What builds is hatchling in the version that requirements/dev.txt
locks: its name and version stand in the wheel.
"""

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def git(*arguments: str) -> bytes | None:
    """Return what git says, or none where this is no repository."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def commit_seconds() -> str | None:
    """Return SOURCE_DATE_EPOCH: as it is set, else the moment of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return given
    said = git("log", "-1", "--format=%ct")
    return said.decode().strip() if said else None


def unpack(tar: tarfile.TarFile, folder: Path) -> None:
    """Unpack with the filter that Python has from 3.11.4 on."""
    tar.extraction_filter = getattr(tarfile, "data_filter", None)
    tar.extractall(folder)


def lay_out(folder: Path, *, committed: bool = True) -> None:
    """Put the sources into a folder.

    Args:
        folder: an empty one.
        committed: those of the last commit; else those of the work tree that git knows or would take.
    """
    if committed and (archive := git("archive", "--format=tar", "HEAD")) is not None:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            unpack(tar, folder)
        return
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if names is None:  # unpacked from an sdist
        shutil.copytree(
            ROOT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".venv", "dist")
        )
        return
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def build(sources: Path, out: Path, seconds: str | None) -> list[Path]:
    """Build wheel and sdist; return both.

    Args:
        sources: the folder to build.
        out: where the packages go.
        seconds: SOURCE_DATE_EPOCH; none: the builder's own fixed date.
    """
    environ = {**os.environ, **({"SOURCE_DATE_EPOCH": seconds} if seconds else {})}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(out)],
        cwd=sources,
        env=environ,
        check=True,
        capture_output=True,
    )
    return sorted(out.iterdir())


def sha256(path: Path) -> str:
    """Return a file's checksum, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def build_here(out: Path, *, committed: bool = True) -> list[Path]:
    """Build from a folder of its own; return wheel and sdist."""
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "sources"
        sources.mkdir()
        lay_out(sources, committed=committed)
        return build(sources, out, commit_seconds())


def main(arguments: list[str]) -> int:
    """Run as the program; return its exit code."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    made = build_here(dist)
    for path in made:
        print(f"{sha256(path)}  {path.relative_to(ROOT)}  {path.stat().st_size:,} bytes")
    if git("status", "--porcelain"):
        print("The work tree has changes: they are not in these packages.", file=sys.stderr)
    if arguments == ["--twice"]:
        with tempfile.TemporaryDirectory() as folder:
            again = build_here(Path(folder))
            if [sha256(path) for path in again] != [sha256(path) for path in made]:
                print("Built again they are others.", file=sys.stderr)
                return 1
        print("Built again in another folder: the same.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
