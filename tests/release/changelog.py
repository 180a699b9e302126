"""Gathers docs/changes.d into docs/CHANGELOG.md: `make changelog` shows, `make release VERSION=…` does.

python -m tests.release.changelog              what the next release would say
python -m tests.release.changelog 0.2.0        sets that version, gathers, and takes the pieces away
"""

import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = {
    "security": "Security",
    "wire": "Between peers",
    "feature": "New",
    "bugfix": "Mended",
    "removal": "Gone",
    "doc": "Docs",
}
"""By the word in a file's name, in the order in which a release tells them."""
HEAD = """# Changelog

What players notice, by release. What the next one will say waits in [changes.d](changes.d/README.md).
"""
VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+((a|b|rc)[0-9]+)?")
_LINE = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


class ReleaseError(Exception):
    """A release cannot be made like this."""


def pieces(folder: Path) -> list[Path]:
    """Return the files that wait in a folder, by kind, then by name."""
    order = list(KINDS)
    found = [path for path in folder.glob("*.md") if path.name != "README.md"]
    return sorted(found, key=lambda path: (order.index(kind_of(path)), path.name))


def kind_of(path: Path) -> str:
    """Return the kind that a file's name says.

    Raises:
        ReleaseError: it says none.
    """
    kind = path.stem.rpartition(".")[2]
    if kind not in KINDS:
        message = f"{path.name}: its name ends in none of {', '.join(KINDS)}"
        raise ReleaseError(message)
    return kind


def section(title: str, found: list[Path]) -> str:
    """Return the part of the changelog that these files make."""
    lines = [f"## {title}"]
    last = ""
    for path in found:
        kind = kind_of(path)
        if kind != last:
            lines += ["", f"### {KINDS[kind]}", ""]
            last = kind
        text = path.read_text(encoding="utf-8").strip()
        # Links are written from the folder of the pieces; the changelog lies one above.
        text = text.replace("](../", "](")
        lines += ["* " + text.replace("\n", "\n  ")]
    return "\n".join(lines) + "\n"


def release(root: Path, version: str, day: str) -> str:
    """Set the version, put the waiting files into the changelog, remove them; return the new part.

    Args:
        root: of the repository.
        version: of the release.
        day: of the release, as 2026-11-30.

    Raises:
        ReleaseError: nothing waits, or the version is none or was released.
    """
    if VERSION.fullmatch(version) is None:
        message = f"{version!r} is no version: write 1.2.3, or 1.2.3rc1"
        raise ReleaseError(message)
    folder, log = root / "docs" / "changes.d", root / "docs" / "CHANGELOG.md"
    found = pieces(folder)
    if not found:
        message = "nothing waits in docs/changes.d: there is nothing to release"
        raise ReleaseError(message)
    before = log.read_text(encoding="utf-8") if log.exists() else HEAD
    if re.search(rf"^## {re.escape(version)}( |$)", before, re.MULTILINE):
        message = f"{version} is in the changelog already"
        raise ReleaseError(message)
    new = section(f"{version} ({day})", found)
    head, mark, rest = before.partition("\n## ")
    log.write_text(f"{head.rstrip()}\n\n{new}{mark}{rest}", encoding="utf-8")
    set_version(root, version)
    for path in found:
        path.unlink()
    return new


def version_of(root: Path) -> str:
    """Return the version in the one place where it stands, unop2p/__init__.py."""
    found = _LINE.search((root / "unop2p" / "__init__.py").read_text(encoding="utf-8"))
    if found is None:
        message = "unop2p/__init__.py has no line with __version__"
        raise ReleaseError(message)
    return found[1]


def set_version(root: Path, version: str) -> None:
    """Write a version to the one place where it stands."""
    version_of(root)
    path = root / "unop2p" / "__init__.py"
    text = _LINE.sub(f'__version__ = "{version}"', path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run as the program; return its exit code."""
    try:
        if not arguments:
            found = pieces(ROOT / "docs" / "changes.d")
            print(section("The next release", found) if found else "Nothing waits.")
            return 0
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        now = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
        print(release(ROOT, arguments[0], now.date().isoformat()))
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
